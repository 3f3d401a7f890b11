"""Signed heads of the append-only log of records, in the C2SP text forms.

``notes`` reads and writes signed notes, ``keys`` names keys, ``signing`` signs and verifies, ``checkpoints`` has the
head of a tree as a note's text, ``signer`` signs the newest one, ``keyring`` says which keys are believed when,
``key_list`` writes that as text, ``witnessing`` compares two heads. The tree itself is ``referee.merkle``.
"""
