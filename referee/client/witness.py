"""A witness of a server's log: keeps the largest head that it has seen, and cosigns only what goes on from it.

What it has seen is on disk before it says so: a witness that forgot would cosign two histories. Its folder has the head
(``head``), the key that it trusts where none was given (``log.keys``), and under ``evidence`` what it refused.
"""

import fcntl
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc

from referee.record.log.checkpoints import Checkpoint, parse_checkpoint
from referee.record.log.errors import KeyFormatError, LogError, SplitViewError
from referee.record.log.key_list import parse_key_list, write_key_list
from referee.record.log.keyring import KeyRing, TrustedKey, verify_checkpoint
from referee.record.log.keys import SignatureKind, SigningKey, parse_verifier_key
from referee.record.log.notes import Note, parse_note, write_note
from referee.record.log.signing import sign
from referee.record.log.witnessing import check_growth
from referee.store.durable import flush_folder, replace_file
from referee.v1 import log_pb2, log_pb2_grpc

CALL_S: Final = 30.0
"""How long a call may take, in seconds."""

_HEAD: Final = "head"
_KEYS: Final = "log.keys"
_EVIDENCE: Final = "evidence"
_LOCK: Final = "lock"


class WitnessError(Exception):
    """The witness cannot do its work: its folder or key, not the log, is at fault."""


class ForkError(Exception):
    """The log has shown a head that does not go on from what the witness has seen; ``evidence`` has both."""

    def __init__(self, reason: str, evidence: Path) -> None:
        super().__init__(f"{reason}; evidence in {evidence}")
        self.evidence = evidence


class WitnessState:
    """What a witness of one log keeps in a folder, which it alone uses as long as this lives."""

    def __init__(self, folder: Path) -> None:
        """Takes the folder, which is made if need be; raises WitnessError when another witness has it."""
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as failed:
            raise WitnessError(f"cannot use {folder}: {failed}") from failed
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as failed:
            os.close(self._lock)
            raise WitnessError(f"another witness uses {folder}") from failed

    def close(self) -> None:
        """Lets go of the folder."""
        os.close(self._lock)

    def head(self) -> tuple[Checkpoint, bytes] | None:
        """The largest head seen, and the note; None before the first. Raises WitnessError when it cannot be read.

        One that cannot be read is never taken for none: the next head would then be believed unseen.
        """
        path = self.folder / _HEAD
        if not path.exists():
            return None
        try:
            data = path.read_bytes()
            return parse_checkpoint(parse_note(data).text), data
        except (OSError, LogError) as failed:
            raise WitnessError(f"cannot read {path}: {failed}") from failed

    def keep_head(self, note: bytes) -> None:
        """Keeps a head; it is on disk when this returns."""
        replace_file(self.folder / _HEAD, note, 0o644)

    def trusted(self) -> KeyRing | None:
        """The keys that were trusted on first use, None before. Raises WitnessError when they cannot be read."""
        path = self.folder / _KEYS
        if not path.exists():
            return None
        try:
            return parse_key_list(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as failed:
            raise WitnessError(f"cannot read {path}: {failed}") from failed

    def trust(self, ring: KeyRing) -> None:
        """Keeps the keys to trust from now on."""
        replace_file(self.folder / _KEYS, write_key_list(ring), 0o644)

    def keep_evidence(self, known: bytes, refused: bytes, proof: Sequence[bytes], at_unix_s: int) -> Path:
        """Keeps two heads that do not fit each other and what was sent for a proof; returns the folder."""
        folder = self.folder / _EVIDENCE / f"{at_unix_s}"
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / "known.note", known, 0o644)
        replace_file(folder / "refused.note", refused, 0o644)
        replace_file(folder / "proof.txt", "".join([f"{one.hex()}\n" for one in proof]), 0o644)
        flush_folder(folder.parent)
        return folder


@dataclass(frozen=True)
class Witnessed:
    """A head that was cosigned. ``is_taken`` says whether the server keeps the cosignature, ``said`` why it does not;
    ``trusted_now`` is the key that is trusted from now on because none was given."""

    checkpoint: Checkpoint
    is_taken: bool
    said: str = ""
    trusted_now: str = ""


def ring_of(keys: Sequence[str]) -> KeyRing:
    """The keys of a log that a witness was given; raises KeyFormatError."""
    parsed = [TrustedKey(parse_verifier_key(text)) for text in keys]
    if not parsed or any([trusted.key.kind != SignatureKind.NOTE for trusted in parsed]):
        raise KeyFormatError("a log is known by a key that signs plainly, not by a witness's")
    return KeyRing(parsed[0].key.name, tuple(parsed))


def witness_once(
    channel: grpc.Channel, key: SigningKey, state: WitnessState, pinned: KeyRing | None, now_unix_s: int
) -> Witnessed:
    """Fetches the newest head, checks that it goes on from the one that is known, keeps it, and cosigns it.

    Raises ForkError when it does not, other LogErrors when it is not signed as it should, WitnessError,
    grpc.RpcError when the server cannot be asked.
    """
    stub: Any = log_pb2_grpc.LogServiceStub(channel)
    answer = stub.GetCheckpoint(log_pb2.GetCheckpointRequest(), timeout=CALL_S)
    ring, trusted_now = pinned or state.trusted(), ""
    if ring is None:
        if state.head() is not None:
            raise WitnessError(f"{state.folder} has a head but no key that was trusted; give the log's key")
        ring = ring_of(list(answer.keys)[:1])
        trusted_now = ring.log_keys[0].key.text
    new = verify_checkpoint(answer.checkpoint, ring, now_unix_s).checkpoint
    _check(stub, state, new, answer.checkpoint, now_unix_s)
    if trusted_now:
        state.trust(ring)
    state.keep_head(answer.checkpoint)
    note = parse_note(answer.checkpoint)
    ours = {(trusted.key.name, trusted.key.key_id) for trusted in ring.log_keys}
    signatures = tuple([one for one in note.signatures if (one.name, one.key_id) in ours])
    cosigned = write_note(Note(note.text, (*signatures, sign(note.text, key, now_unix_s))))
    try:
        stub.AddCosignature(log_pb2.AddCosignatureRequest(checkpoint=cosigned), timeout=CALL_S)
    except grpc.RpcError as refused:
        if refused.code() != grpc.StatusCode.PERMISSION_DENIED:
            raise
        return Witnessed(new, False, refused.details() or "", trusted_now)
    return Witnessed(new, True, "", trusted_now)


def _check(stub: Any, state: WitnessState, new: Checkpoint, note: bytes, now_unix_s: int) -> None:
    head = state.head()
    if head is None:
        return
    known, known_note = head
    proof: tuple[bytes, ...] = ()
    try:
        if 0 < known.size < new.size and known.origin == new.origin:
            proof = _proof(stub, known.size, new.size)
        check_growth(known, new, proof)
    except SplitViewError as split:
        raise ForkError(str(split), state.keep_evidence(known_note, note, proof, now_unix_s)) from split


def _proof(stub: Any, old_size: int, size: int) -> tuple[bytes, ...]:
    request = log_pb2.GetConsistencyProofRequest(old_size=old_size, size=size)
    try:
        return tuple(stub.GetConsistencyProof(request, timeout=CALL_S).hashes)
    except grpc.RpcError as refused:
        if refused.code() in (grpc.StatusCode.OUT_OF_RANGE, grpc.StatusCode.INVALID_ARGUMENT):
            # It signed a head of this size and will not show that it goes on from the other.
            raise SplitViewError(f"no proof from {old_size} records to {size}: {refused.details()}") from refused
        raise
