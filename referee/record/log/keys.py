"""Keys that sign notes: a name, what kind of signature, 32 bytes of Ed25519; and how a verifier's key is written."""

import base64
import binascii
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.record.log.errors import KeyFormatError

KEY_BYTES: Final = 32
KEY_ID_BYTES: Final = 4
MAX_NAME_LETTERS: Final = 255

_SECRET_MARK: Final = "PRIVATE+KEY+"


class SignatureKind(IntEnum):
    """What a signature says; the number is the type byte of C2SP's signed notes."""

    NOTE = 0x01
    """Ed25519 over the note's text."""
    COSIGNATURE = 0x04
    """Ed25519 over the text and the time of signing: the largest head seen by then, which fits all those before."""


@dataclass(frozen=True)
class VerifierKey:
    """A public key under a name. Raises KeyFormatError for a name or key that cannot be used."""

    name: str
    kind: SignatureKind
    public: bytes

    def __post_init__(self) -> None:
        fault = name_fault(self.name)
        if fault:
            raise KeyFormatError(fault)
        if len(self.public) != KEY_BYTES:
            raise KeyFormatError(f"key {self.name}: {len(self.public)} bytes; expected {KEY_BYTES}")

    @property
    def key_id(self) -> bytes:
        """Four bytes that tell keys of one name apart. They are too few to identify a key: verify the signature."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:KEY_ID_BYTES]

    @property
    def text(self) -> str:
        """The key as verifiers write it: name, id and key, parted by plus signs."""
        return f"{self.name}+{self.key_id.hex()}+{encode_base64(bytes([self.kind]) + self.public)}"


class SigningKey:
    """A secret key under a name. ``seed`` is the 32 bytes of the Ed25519 private key; they are never shown.

    Raises KeyFormatError for a name or seed that cannot be used.
    """

    def __init__(self, name: str, seed: bytes, kind: SignatureKind = SignatureKind.NOTE) -> None:
        if len(seed) != KEY_BYTES:
            raise KeyFormatError(f"key {name}: a seed of {len(seed)} bytes; expected {KEY_BYTES}")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = VerifierKey(name, kind, self._private.public_key().public_bytes_raw())

    @property
    def secret_text(self) -> str:
        """The key as its owner keeps it, secret and all: the verifier's text with the seed in it, after a mark."""
        secret = encode_base64(bytes([self.verifier.kind]) + self._private.private_bytes_raw())
        return f"{_SECRET_MARK}{self.verifier.name}+{self.verifier.key_id.hex()}+{secret}"

    def sign_bytes(self, message: bytes) -> bytes:
        """The Ed25519 signature of bytes, 64 of them."""
        return self._private.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey({self.verifier.text!r})"


def parse_verifier_key(text: str) -> VerifierKey:
    """Reads a key as :attr:`VerifierKey.text` writes it; raises KeyFormatError."""
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise KeyFormatError(f"{text!r} is not a key; expected name+id+key")
    name, key_id, encoded = parts
    try:
        raw = decode_base64(encoded)
    except ValueError as error:
        raise KeyFormatError(f"key {name!r}: {error}") from error
    kind = raw[0] if raw else -1
    if kind not in set(SignatureKind):
        raise KeyFormatError(
            f"key {name!r}: signature type {kind} is not among {[int(kind) for kind in SignatureKind]}"
        )
    key = VerifierKey(name, SignatureKind(kind), raw[1:])
    if key.key_id.hex() != key_id:
        raise KeyFormatError(f"key {name!r}: its id is {key.key_id.hex()}, not {key_id}")
    return key


def parse_signing_key(text: str) -> SigningKey:
    """Reads a key as :attr:`SigningKey.secret_text` writes it; raises KeyFormatError, which does not show it."""
    parts = text.removeprefix(_SECRET_MARK).split("+", 2)
    if not text.startswith(_SECRET_MARK) or len(parts) != 3:
        raise KeyFormatError(f"not a secret key; expected {_SECRET_MARK}name+id+key")
    name, key_id, encoded = parts
    try:
        raw = decode_base64(encoded)
    except ValueError:
        raise KeyFormatError(f"secret key {name!r}: not base64") from None
    if not raw or raw[0] not in set(SignatureKind):
        raise KeyFormatError(f"secret key {name!r}: unknown signature type")
    key = SigningKey(name, raw[1:], SignatureKind(raw[0]))
    if key.verifier.key_id.hex() != key_id:
        raise KeyFormatError(f"secret key {name!r}: its id is {key.verifier.key_id.hex()}, not {key_id}")
    return key


def name_fault(name: str) -> str:
    """What is wrong with a key's name; empty when nothing is. A name without scheme, as of a URL, is usual."""
    if not 1 <= len(name) <= MAX_NAME_LETTERS:
        return f"a key's name of {len(name)} letters; expected 1 to {MAX_NAME_LETTERS}"
    if any([letter.isspace() or letter == "+" or letter < " " for letter in name]):
        return f"{name!r} is not a key's name: spaces, plus signs and control characters are not allowed"
    return ""


def encode_base64(some: bytes) -> str:
    """Standard base64 with padding."""
    return base64.b64encode(some).decode("ascii")


def decode_base64(text: str) -> bytes:
    """Reads standard base64; raises ValueError for any other spelling, so that no two texts mean the same bytes."""
    try:
        some = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{text!r} is not base64") from error
    if encode_base64(some) != text:
        raise ValueError(f"{text!r} is not the usual base64 of its bytes")
    return some
