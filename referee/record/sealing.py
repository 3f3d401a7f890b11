"""Sealing a piece of a table's record: a chain of hashes over its entries, in which what is hidden has a salt.

The bytes are specified in docs/records.md, by which anybody can compute them again. An entry has an open part, which
everybody may see, and, where that is not all, a closed part, which enters the chain as a commitment with 128 bits of
salt of its own: two discards out of four cards are six possibilities, which a hash without a salt would give away.
"""

import hmac
import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from referee.merkle.hashing import leaf_hash
from referee.v1 import record_pb2

FORMAT: Final = "referee-record/1"
PIECE_SALT_BYTES: Final = 32
SALT_BYTES: Final = 16
HASH_BYTES: Final = 32

_HEAD: Final = struct.Struct(">QQQI")


class Entry(NamedTuple):
    """Something that happened in a hand (0 before the first) at a moment; ``closed`` is empty where ``open`` is all."""

    hand: int
    time_unix_ms: int
    open: bytes
    closed: bytes


class SealedPiece(NamedTuple):
    """A sealed piece: the bytes of its Seal, and the secret from which the salts of its entries come."""

    seal: bytes
    salt: bytes

    @property
    def leaf(self) -> bytes:
        """The hash of the seal as a leaf of the log."""
        return leaf_hash(self.seal)


class Place(NamedTuple):
    """Where a table's next piece stands: its number from 0, the number of its first entry from 1, the leaf of the
    piece before, and that of piece 0; empty where there is none."""

    piece: int = 0
    first_number: int = 1
    previous: bytes = b""
    opening: bytes = b""

    def after(self, entries: int, leaf: bytes) -> "Place":
        """The place of the piece that follows one of so many entries with this leaf."""
        return Place(self.piece + 1, self.first_number + entries, leaf, self.opening or leaf)


def entry_salt(piece_salt: bytes, number: int) -> bytes:
    """The salt of an entry of a piece, by its number in the table."""
    return hmac.digest(piece_salt, b"%d" % number, "sha256")[:SALT_BYTES]


def commitment(salt: bytes, closed: bytes) -> bytes:
    """What stands for an entry's closed part."""
    return sha256(salt + closed).digest()


def chain_start(table_id: str, piece: int) -> bytes:
    """The value of the chain before a piece's first entry."""
    return sha256(f"{FORMAT}/{table_id}/{piece}".encode("ascii")).digest()


def chain_next(chain: bytes, number: int, hand: int, time_unix_ms: int, open_part: bytes, committed: bytes) -> bytes:
    """The value of the chain after an entry; ``committed`` is the commitment to its closed part, empty for none."""
    head = _HEAD.pack(number, hand, time_unix_ms, len(open_part))
    return sha256(chain + head + open_part + committed).digest()


def seal(table_id: str, place: Place, entries: Sequence[Entry], salt: bytes, now_ms: int) -> SealedPiece:
    """Seals a piece; ``salt`` is 32 secret bytes drawn for it."""
    chain = chain_start(table_id, place.piece)
    for number, (hand, time_unix_ms, open_part, closed) in enumerate(entries, place.first_number):
        committed = commitment(entry_salt(salt, number), closed) if closed else b""
        chain = chain_next(chain, number, hand, time_unix_ms, open_part, committed)
    message = record_pb2.Seal(
        format=FORMAT,
        table_id=table_id,
        piece=place.piece,
        first_number=place.first_number,
        entries=len(entries),
        head=chain,
        previous=place.previous,
        opening=place.opening,
        time_unix_ms=now_ms,
    )
    return SealedPiece(message.SerializeToString(deterministic=True), salt)
