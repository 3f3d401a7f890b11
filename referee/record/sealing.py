"""Sealing a piece of a table's record: a chain of hashes over its entries, in which what is hidden has a salt.

The bytes are specified in docs/records.md, by which anybody can compute them again. An entry has an open part, which
everybody may see, and, where that is not all, a closed part, which enters the chain as a commitment with 128 bits of
salt of its own: two discards out of four cards are six possibilities, which a hash without a salt would give away.
"""

import struct
from hashlib import sha256
from typing import Final, NamedTuple

from referee.merkle.hashing import leaf_hash
from referee.v1 import record_pb2

FORMAT: Final = "referee-record/1"
PIECE_SALT_BYTES: Final = 32
SALT_BYTES: Final = 16
HASH_BYTES: Final = 32

_HEAD: Final = struct.Struct(">QQQI")


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

    @staticmethod
    def behind(seal: bytes) -> "Place":
        """The place of the piece that follows the one with this seal."""
        last, leaf = record_pb2.Seal.FromString(seal), leaf_hash(seal)
        return Place(last.piece + 1, last.first_number + last.entries, leaf, last.opening or leaf)


def entry_salt(piece_salt: bytes, number: int) -> bytes:
    """The salt of an entry of a piece, by its number in the table."""
    return sha256(piece_salt + number.to_bytes(8, "big")).digest()[:SALT_BYTES]


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


class OpenPiece:
    """A piece that entries are still added to; ``salt`` is 32 secret bytes drawn for it."""

    def __init__(self, table_id: str, place: Place, salt: bytes) -> None:
        if len(salt) != PIECE_SALT_BYTES:
            raise ValueError(f"a salt of {len(salt)} bytes; expected {PIECE_SALT_BYTES}")
        self.place = place
        self.entries = 0
        self._table_id = table_id
        self._salt = salt
        self._chain = chain_start(table_id, place.piece)

    def add(self, hand: int, time_unix_ms: int, open_part: bytes, closed: bytes) -> None:
        """Adds what happened in a hand (0 before the first) at a moment; ``closed`` is empty where the rest is all."""
        number = self.place.first_number + self.entries
        committed = commitment(entry_salt(self._salt, number), closed) if closed else b""
        self._chain = chain_next(self._chain, number, hand, time_unix_ms, open_part, committed)
        self.entries += 1

    def seal(self, now_ms: int) -> SealedPiece:
        """Seals the piece as it stands."""
        message = record_pb2.Seal(
            format=FORMAT,
            table_id=self._table_id,
            piece=self.place.piece,
            first_number=self.place.first_number,
            entries=self.entries,
            head=self._chain,
            previous=self.place.previous,
            opening=self.place.opening,
            time_unix_ms=now_ms,
        )
        return SealedPiece(message.SerializeToString(deterministic=True), self._salt)
