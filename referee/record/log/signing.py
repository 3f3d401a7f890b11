"""Signing a note's text, and verifying one signature (C2SP signed-note and tlog-cosignature)."""

import struct
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.record.log.errors import SignatureError
from referee.record.log.keys import SignatureKind, SigningKey, VerifierKey
from referee.record.log.notes import NoteSignature

SIGNATURE_BYTES: Final = 64
MAX_TIME_UNIX_S: Final = (1 << 63) - 1

_TIME: Final = struct.Struct(">Q")


def sign(text: str, key: SigningKey, time_unix_s: int = 0) -> NoteSignature:
    """Signs a note's text. The time, in seconds, is signed and told by a cosignature and by no other kind.

    Raises ValueError for a text without a last newline or a time out of range. Whoever cosigns a checkpoint says that
    it fits all earlier ones that he saw: check that first (``witnessing``).
    """
    if not text.endswith("\n"):
        raise ValueError("a note's text ends with a newline")
    verifier = key.verifier
    if verifier.kind == SignatureKind.NOTE:
        signature = key.sign_bytes(text.encode())
    else:
        if not 0 <= time_unix_s <= MAX_TIME_UNIX_S:
            raise ValueError(f"time {time_unix_s}; expected 0 to {MAX_TIME_UNIX_S}")
        signature = _TIME.pack(time_unix_s) + key.sign_bytes(_cosigned(text, time_unix_s))
    return NoteSignature(verifier.name, verifier.key_id, signature)


def verify(text: str, signature: NoteSignature, key: VerifierKey) -> int | None:
    """Verifies a signature by this key over a text: the time that was signed, in seconds, or None for a kind without.

    Raises SignatureError.
    """
    who = f"{key.name} (key {key.key_id.hex()})"
    if (signature.name, signature.key_id) != (key.name, key.key_id):
        raise SignatureError(f"signed by {signature.name} (key {signature.key_id.hex()}), not by {who}")
    raw, time_unix_s, message = signature.signature, None, text.encode()
    if key.kind == SignatureKind.COSIGNATURE:
        if len(raw) != _TIME.size + SIGNATURE_BYTES:
            raise SignatureError(f"{who}: a cosignature of {len(raw)} bytes; expected {_TIME.size + SIGNATURE_BYTES}")
        (time_unix_s,) = _TIME.unpack_from(raw)
        if time_unix_s > MAX_TIME_UNIX_S:
            raise SignatureError(f"{who}: time {time_unix_s} is out of range")
        raw, message = raw[_TIME.size :], _cosigned(text, time_unix_s)
    if len(raw) != SIGNATURE_BYTES:
        raise SignatureError(f"{who}: a signature of {len(raw)} bytes; expected {SIGNATURE_BYTES}")
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(raw, message)
    except InvalidSignature as error:
        raise SignatureError(f"{who}: the signature does not fit the text") from error
    return time_unix_s


def _cosigned(text: str, time_unix_s: int) -> bytes:
    return f"cosignature/v1\ntime {time_unix_s}\n{text}".encode()
