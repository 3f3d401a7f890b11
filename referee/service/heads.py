"""The heads of the server's log as it gives them out: signed by itself, and cosigned by the witnesses that it knows."""

from referee.limits import COSIGNED_HEADS
from referee.merkle.proofs import root
from referee.record.log.checkpoints import Checkpoint
from referee.record.log.errors import LogError, SplitViewError
from referee.record.log.key_list import write_trusted
from referee.record.log.keyring import KeyRing, verify_checkpoint
from referee.record.log.notes import Note, NoteSignature, parse_note, write_note
from referee.record.log.signer import Signer
from referee.store.sqlite import SqliteStore


class Heads:
    """Signed heads of a store's log. ``ring`` has the log's own keys and those of its witnesses."""

    def __init__(self, store: SqliteStore, signer: Signer, ring: KeyRing) -> None:
        self._store = store
        self._signer = signer
        self._ring = ring
        self._cosigned: dict[int, Note] = {}
        for size, data in store.cosigned():
            try:
                self._cosigned[size] = self._verified(data, 0)[1]
            except LogError:
                continue  # by witnesses that are none any more

    @property
    def size(self) -> int:
        """How many records the log has."""
        return self._store.frontier.size

    @property
    def keys(self) -> list[str]:
        """The verifier keys of the log, the one that signs now first."""
        listed = [trusted.key.text for trusted in reversed(self._ring.log_keys)]
        return sorted(listed, key=lambda text: text != self._signer.key)

    @property
    def lines(self) -> list[str]:
        """The log's keys with the bounds of their validity, as lines of a key list."""
        return [write_trusted(trusted) for trusted in self._ring.log_keys]

    def newest(self) -> bytes:
        """The newest head, with the cosignatures that there are for it."""
        own = parse_note(self._signer.checkpoint(self._store.frontier))
        known = self._cosigned.get(self.size)
        return write_note(own if known is None or known.text != own.text else _merged(own, known))

    def cosigned(self, least_size: int = 0) -> bytes:
        """The newest of the heads cosigned by the most witnesses that have so many records; empty for none."""
        found = [(len(self._witnesses(note)), size) for size, note in self._cosigned.items() if size >= least_size]
        return write_note(self._cosigned[max(found)[1]]) if found else b""

    def add(self, data: bytes, now_unix_s: int) -> None:
        """Keeps a head that witnesses have cosigned.

        Raises a LogError that says what is wrong with the note: QuorumError when no known witness signed it,
        SplitViewError when the log has no such head, though its own key signed it. Raises StoreError.
        """
        checkpoint, note = self._verified(data, now_unix_s)
        if checkpoint.size > self.size:
            raise SplitViewError(f"a signed head of {checkpoint.size} records; the log has {self.size}")
        if root(checkpoint.size, self._store.node) != checkpoint.root:
            raise SplitViewError(f"a signed head of {checkpoint.size} records with another root than the log's")
        known = self._cosigned.get(checkpoint.size)
        merged = note if known is None else _merged(known, note)
        if merged == known:
            return
        self._store.keep_cosigned(checkpoint.size, write_note(merged))
        self._cosigned[checkpoint.size] = merged
        for size in sorted(self._cosigned)[:-COSIGNED_HEADS]:
            del self._cosigned[size]

    def _verified(self, data: bytes, now_unix_s: int) -> tuple[Checkpoint, Note]:
        """A cosigned head, and the note without signatures that say nothing."""
        verified = verify_checkpoint(data, self._ring, now_unix_s, quorum=1)
        signed = (*verified.by_log, *verified.by_witnesses)
        valid = {(one.key.name, one.key.key_id) for one in signed if one.valid}
        note = parse_note(data)
        known = [one for one in note.signatures if (one.name, one.key_id) in valid]
        return verified.checkpoint, _merged(Note(note.text, ()), Note(note.text, tuple(known)))

    def _witnesses(self, note: Note) -> set[str]:
        names = {trusted.key.name for trusted in self._ring.witnesses}
        return {one.name for one in note.signatures if one.name in names}


def _merged(known: Note, new: Note) -> Note:
    """A note with the signatures of both, one by each key: the first that came."""
    signatures: dict[tuple[str, bytes], NoteSignature] = {}
    for one in (*known.signatures, *new.signatures):
        signatures.setdefault((one.name, one.key_id), one)
    return Note(known.text, tuple(signatures.values()))
