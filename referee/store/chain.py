"""Hashes that chain what is stored, so that a changed, dropped or moved row is found.

Each table's rows have a chain of their own; answers and pieces have one each. A value is the SHA-256 of the value
before it and of everything that the row says. These chains are the store's own affair and find damage, not lies: who
can write the file can compute them again. What a player can hold the server to is in the log.
"""

import struct
from hashlib import sha256
from typing import Final

_ROW: Final = struct.Struct(">QQQq")
_PIECE: Final = struct.Struct(">QQQqI")
_LENGTHS: Final = struct.Struct(">III")

ANSWERS_START: Final = sha256(b"referee-store/3/answers").digest()
PIECES_START: Final = sha256(b"referee-store/3/pieces").digest()


def table_start(table_id: str) -> bytes:
    """The value before a table's first row."""
    return sha256(f"referee-store/3/table/{table_id}".encode()).digest()


def after_row(before: bytes, place: int, hand: int, number: int, time_unix_ms: int, body: bytes) -> bytes:
    """The value after a row of a table."""
    return sha256(before + _ROW.pack(place, hand, number, time_unix_ms) + body).digest()


def after_answer(before: bytes, scope: str, request_id: str, content: bytes, body: bytes) -> bytes:
    """The value after an answer."""
    names = scope.encode(), request_id.encode()
    lengths = _LENGTHS.pack(len(names[0]), len(names[1]), len(content))
    return sha256(before + lengths + names[0] + names[1] + content + body).digest()


def after_piece(
    before: bytes, log_index: int, place: int, piece: int, time_unix_ms: int, seal: bytes, salt: bytes
) -> bytes:
    """The value after a sealed piece."""
    head = _PIECE.pack(log_index, place, piece, time_unix_ms, len(seal))
    return sha256(before + head + seal + salt).digest()


def cosigned_digest(size: int, note: bytes) -> bytes:
    """What stands beside a cosigned head; each is kept alone, since they come and go."""
    return sha256(b"referee-store/3/cosigned/%d/" % size + note).digest()
