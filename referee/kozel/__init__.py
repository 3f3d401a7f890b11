"""The domino game Kozel and nothing else: no input or output, no clock, no randomness, integers only.

The state of a round is a fold over events (:mod:`referee.kozel.state`); :mod:`referee.kozel.round` rules on proposals
and :mod:`referee.kozel.game` goes from round to round. What other modules call a hand is one round here.
"""
