"""Which keys are believed when, and what they make of a signed checkpoint."""

from dataclasses import dataclass

from referee.record.log.checkpoints import Checkpoint, parse_checkpoint
from referee.record.log.errors import KeyFormatError, KeyValidityError, QuorumError, UntrustedError
from referee.record.log.keys import VerifierKey
from referee.record.log.notes import Note, parse_note
from referee.record.log.signing import verify


@dataclass(frozen=True)
class TrustedKey:
    """A key, and when it is valid: from a time up to another (seconds), from a size of the log up to another.

    The ends themselves are outside; None means no end. A key that was replaced gets an end in sizes as well as in time:
    a plain signature tells no time, and whoever steals an old key could claim any, but not go back behind sizes that
    witnesses already know.
    """

    key: VerifierKey
    from_unix_s: int = 0
    until_unix_s: int | None = None
    from_size: int = 0
    until_size: int | None = None

    def __post_init__(self) -> None:
        for start, end, what in (
            (self.from_unix_s, self.until_unix_s, "times"),
            (self.from_size, self.until_size, "sizes"),
        ):
            if start < 0 or (end is not None and end <= start):
                raise KeyFormatError(f"key {self.key.name}: valid for no {what} ({start} up to {end})")

    def covers(self, time_unix_s: int, size: int) -> bool:
        """Whether the key is valid for a checkpoint of this size at this time."""
        return (
            self.from_unix_s <= time_unix_s
            and (self.until_unix_s is None or time_unix_s < self.until_unix_s)
            and self.from_size <= size
            and (self.until_size is None or size < self.until_size)
        )


@dataclass(frozen=True)
class KeyRing:
    """The keys that a verifier was given for one log, its own and its witnesses'.

    Raises KeyFormatError when a key is there twice, or a key of the log does not bear the log's name.
    """

    origin: str
    log_keys: tuple[TrustedKey, ...]
    witnesses: tuple[TrustedKey, ...] = ()

    def __post_init__(self) -> None:
        seen = set()
        for trusted in (*self.log_keys, *self.witnesses):
            identity = (trusted.key.name, trusted.key.key_id)
            if identity in seen:
                raise KeyFormatError(f"key {trusted.key.text} is there twice")
            seen.add(identity)
        for trusted in self.log_keys:
            if trusted.key.name != self.origin:
                raise KeyFormatError(f"key {trusted.key.name} does not bear the name of log {self.origin}")


@dataclass(frozen=True)
class Signed:
    """A verified signature: its key, the time that it tells (None if its kind does not), whether the key was valid."""

    key: VerifierKey
    time_unix_s: int | None
    valid: bool


@dataclass(frozen=True)
class VerifiedCheckpoint:
    """A checkpoint that a valid key of its log has signed, and what else is in the note.

    ``unknown`` names those whose keys the verifier does not know: their signatures say nothing.
    """

    checkpoint: Checkpoint
    by_log: tuple[Signed, ...]
    by_witnesses: tuple[Signed, ...]
    unknown: tuple[str, ...]

    @property
    def witnesses(self) -> tuple[str, ...]:
        """The names of the witnesses whose valid keys have cosigned, each once, sorted."""
        return tuple(sorted({signed.key.name for signed in self.by_witnesses if signed.valid}))


def verify_checkpoint(data: bytes, ring: KeyRing, at_unix_s: int, quorum: int = 0) -> VerifiedCheckpoint:
    """Verifies a signed checkpoint of the ring's log.

    ``at_unix_s`` is when it was made as far as the verifier knows (or now); a signature that tells its own time is
    judged at that. ``quorum`` is how many different witnesses must have cosigned. Raises NoteFormatError when it cannot
    be read, SignatureError when any known key's signature does not verify, UntrustedError when it is another log's or
    none of the log's keys signed, KeyValidityError when only keys did that are not valid, QuorumError. It does not
    check that the head fits earlier ones, nor that times lie in the past.
    """
    note = parse_note(data)
    checkpoint = parse_checkpoint(note.text)
    if checkpoint.origin != ring.origin:
        raise UntrustedError(f"a checkpoint of log {checkpoint.origin!r}, not {ring.origin!r}")
    by_log = _signed(note, ring.log_keys, checkpoint.size, at_unix_s)
    by_witnesses = _signed(note, ring.witnesses, checkpoint.size, at_unix_s)
    if not by_log:
        raise UntrustedError(f"not signed by any known key of log {ring.origin}")
    if not any([signed.valid for signed in by_log]):
        ids = ", ".join([signed.key.key_id.hex() for signed in by_log])
        raise KeyValidityError(f"size {checkpoint.size}: signed by key {ids} of {ring.origin} outside its validity")
    known = {(signed.key.name, signed.key.key_id) for signed in (*by_log, *by_witnesses)}
    unknown = tuple([one.name for one in note.signatures if (one.name, one.key_id) not in known])
    verified = VerifiedCheckpoint(checkpoint, by_log, by_witnesses, unknown)
    if len(verified.witnesses) < quorum:
        raise QuorumError(f"{len(verified.witnesses)} known witnesses have cosigned; expected {quorum}")
    return verified


def _signed(note: Note, keys: tuple[TrustedKey, ...], size: int, at_unix_s: int) -> tuple[Signed, ...]:
    """The verified signatures by these keys, in the note's order; raises SignatureError for one that does not fit."""
    by_identity = {(trusted.key.name, trusted.key.key_id): trusted for trusted in keys}
    found = []
    for signature in note.signatures:
        trusted = by_identity.get((signature.name, signature.key_id))
        if trusted is not None:
            time_unix_s = verify(note.text, signature, trusted.key)
            judged_at = at_unix_s if time_unix_s is None else time_unix_s
            found.append(Signed(trusted.key, time_unix_s, trusted.covers(judged_at, size)))
    return tuple(found)
