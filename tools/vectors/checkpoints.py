"""Vectors of signed heads: keys and their ids, notes that hold and notes that do not (docs/signed-log.md)."""

import base64
from hashlib import sha256
from typing import Any, Final

from referee.merkle.hashing import EMPTY_ROOT, leaf_hash
from referee.merkle.tree import Tree
from referee.record.log.checkpoints import Checkpoint
from referee.record.log.errors import KeyFormatError, LogError, NoteFormatError, SignatureError, UntrustedError
from referee.record.log.keyring import KeyRing, TrustedKey, VerifiedCheckpoint, verify_checkpoint
from referee.record.log.keys import SignatureKind, SigningKey, parse_verifier_key
from referee.record.log.notes import Note, NoteSignature, write_note
from referee.record.log.signing import sign

ORIGIN: Final = "referee.example/log"
TIME_UNIX_S: Final = 1_796_000_000
TREE: Final = Tree([leaf_hash(b"%d" % at) for at in range(40)])


def _key(name: str, kind: SignatureKind = SignatureKind.NOTE, which: int = 0) -> SigningKey:
    return SigningKey(name, sha256(f"referee vector key {name} {which}".encode("ascii")).digest(), kind)


LOG: Final = _key(ORIGIN)
NEXT: Final = _key(ORIGIN, which=1)
UNKNOWN: Final = _key(ORIGIN, which=2)
STRANGER: Final = _key("stranger.example/log")
WITNESSES: Final = [_key(f"witness.example/w{which}", SignatureKind.COSIGNATURE) for which in (1, 2)]
HEAD: Final = Checkpoint(ORIGIN, 40, TREE.root())
RING: Final = KeyRing(
    ORIGIN,
    (TrustedKey(LOG.verifier), TrustedKey(NEXT.verifier)),
    tuple([TrustedKey(witness.verifier) for witness in WITNESSES]),
)
LOG_ALONE: Final = KeyRing(ORIGIN, RING.log_keys)


def vectors() -> dict[str, Any]:
    """The file's content."""
    return {
        "keys": [_key_vector(key) for key in (LOG, NEXT, STRANGER, *WITNESSES)],
        "bad_keys": [_bad_key(name, text) for name, text in _bad_keys().items()],
        "trusted": {
            "origin": ORIGIN,
            "log_keys": [trusted.key.text for trusted in RING.log_keys],
            "witness_keys": [trusted.key.text for trusted in RING.witnesses],
        },
        "notes": [_note(name, data) for name, data in _notes().items()],
    }


# --- keys -----------------------------------------------------------------------------------------------


def _key_vector(key: SigningKey) -> dict[str, Any]:
    verifier = key.verifier
    return {
        "text": verifier.text,
        "name": verifier.name,
        "type": int(verifier.kind),
        "public": verifier.public.hex(),
        "key_id": verifier.key_id.hex(),
    }


def _bad_keys() -> dict[str, str]:
    name, key_id, encoded = LOG.verifier.text.split("+", 2)
    raw = base64.b64decode(encoded)

    def written(some: bytes) -> str:
        return base64.b64encode(some).decode("ascii")

    return {
        "an id of another key": f"{name}+{NEXT.verifier.key_id.hex()}+{encoded}",
        "an id in capitals": f"{name}+{key_id.upper()}+{encoded}",
        "another name": f"another.example+{key_id}+{encoded}",
        "no name": f"+{key_id}+{encoded}",
        "a name with a space": f"a b+{key_id}+{encoded}",
        "two parts": f"{name}+{key_id}",
        "a key that is cut off": f"{name}+{key_id}+{written(raw[:-1])}",
        "an unknown type": f"{name}+{key_id}+{written(bytes([0x7F]) + raw[1:])}",
        "no key": f"{name}+{key_id}+",
        "base64 with padding too much": f"{name}+{key_id}+{encoded}=",
        "base64 that is not base64": f"{name}+{key_id}+{'*' * len(encoded)}",
    }


def _bad_key(name: str, text: str) -> dict[str, Any]:
    try:
        parse_verifier_key(text)
    except KeyFormatError:
        return {"name": name, "text": text}
    raise AssertionError(f"{name}: {text} can be read")


# --- notes ----------------------------------------------------------------------------------------------


def _signed(checkpoint: Checkpoint, *keys: SigningKey) -> bytes:
    return write_note(Note(checkpoint.text, tuple([sign(checkpoint.text, key, TIME_UNIX_S) for key in keys])))


def _notes() -> dict[str, bytes]:
    good = _signed(HEAD, LOG)
    cosigned = _signed(HEAD, LOG, *WITNESSES)
    text, _, signatures = good.partition(b"\n\n")
    spoiled = sign(HEAD.text, LOG, TIME_UNIX_S)
    spoiled = NoteSignature(spoiled.name, spoiled.key_id, bytes([spoiled.signature[0] ^ 1]) + spoiled.signature[1:])
    other = sign(Checkpoint(ORIGIN, 39, TREE.root(39)).text, LOG, TIME_UNIX_S)
    swapped_id = NoteSignature(ORIGIN, NEXT.verifier.key_id, sign(HEAD.text, LOG, TIME_UNIX_S).signature)
    bad_witness = sign(HEAD.text, WITNESSES[0], TIME_UNIX_S)
    bad_witness = NoteSignature(bad_witness.name, bad_witness.key_id, bad_witness.signature[:-1] + b"\x00")
    return {
        "good": good,
        "good, by the newer key": _signed(HEAD, NEXT),
        "good, by both keys": _signed(HEAD, LOG, NEXT),
        "good, without records": _signed(Checkpoint(ORIGIN, 0, EMPTY_ROOT), LOG),
        "good, with further lines": _signed(Checkpoint(ORIGIN, 40, TREE.root(), ("more", "and more")), LOG),
        "good, with a size beyond 53 bits": _signed(Checkpoint(ORIGIN, (1 << 63) - 1, TREE.root()), LOG),
        "good, beside a key that nobody knows": _signed(HEAD, UNKNOWN, LOG, STRANGER),
        "good, cosigned by one": _signed(HEAD, LOG, WITNESSES[1]),
        "good, cosigned by two": cosigned,
        "signed by a stranger only": _signed(HEAD, STRANGER),
        "signed by an unknown key of the log's name": _signed(HEAD, UNKNOWN),
        "signed by witnesses only": _signed(HEAD, *WITNESSES),
        "another log's": _signed(Checkpoint("stranger.example/log", 40, TREE.root()), STRANGER),
        "another log's, signed by this log's key": _signed(Checkpoint("stranger.example/log", 40, TREE.root()), LOG),
        "a spoiled signature": write_note(Note(HEAD.text, (spoiled,))),
        "a spoiled signature beside a good one": write_note(
            Note(HEAD.text, (sign(HEAD.text, NEXT, TIME_UNIX_S), spoiled))
        ),
        "a signature of another head": write_note(Note(HEAD.text, (other,))),
        "a signature under another key's id": write_note(Note(HEAD.text, (swapped_id,))),
        "a spoiled cosignature": write_note(Note(HEAD.text, (sign(HEAD.text, LOG, TIME_UNIX_S), bad_witness))),
        "a changed size": good.replace(b"\n40\n", b"\n41\n"),
        "a changed root": good.replace(text.split(b"\n")[2], base64.b64encode(TREE.root(39))),
        "no signature": text + b"\n\n",
        "no empty line": text + b"\n" + signatures,
        "no end of the last line": good[:-1],
        "line ends of two characters": good.replace(b"\n", b"\r\n"),
        "a size with a zero before it": good.replace(b"\n40\n", b"\n040\n"),
        "a size with a sign": good.replace(b"\n40\n", b"\n+40\n"),
        "a root that is cut off": good.replace(text.split(b"\n")[2], base64.b64encode(TREE.root()[:31])),
        "a hyphen for the dash": good.replace("— ".encode(), b"- "),
        "bytes that are not UTF-8": good.replace(b"referee", b"r\xffferee"),
        "nothing": b"",
    }


_FAULTS: Final = ((NoteFormatError, "FORMAT"), (SignatureError, "SIGNATURE"), (UntrustedError, "UNTRUSTED"))


def _note(name: str, data: bytes) -> dict[str, Any]:
    fault, found = _verified(data, RING)
    fault_by_log_alone, _ = _verified(data, LOG_ALONE)
    assert name.startswith("good") is (not fault), f"{name}: {fault or 'holds'}"
    told: dict[str, Any] = {
        "name": name,
        "note": data.hex(),
        "fault": fault,
        "fault_by_log_alone": fault_by_log_alone,
    }
    if found is not None:
        head = found.checkpoint
        told |= {"size": str(head.size), "root": head.root.hex(), "witnesses": list(found.witnesses)}
    return told


def _verified(data: bytes, ring: KeyRing) -> tuple[str, VerifiedCheckpoint | None]:
    try:
        return "", verify_checkpoint(data, ring, TIME_UNIX_S)
    except LogError as wrong:
        return next(fault for kind, fault in _FAULTS if isinstance(wrong, kind)), None
