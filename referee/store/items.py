"""What the store is given and gives back, and what can go wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


class StoreError(Exception):
    """The store cannot be read or written; nothing of what was being appended has been kept."""


class DamagedStoreError(StoreError):
    """What is stored is not what was written; the message names the last good event, and nothing was changed."""


# Made for every answer: `__init__` is written out, as in the events of the rules.
@dataclass(init=False, unsafe_hash=True)
class StoredRow:
    """What a table added in one piece: the number of its first event in the table from 1, the hand, when it happened,
    and the bytes of a StoredEvents message, as they are to be kept for good."""

    number: Final[int]
    hand: Final[int]
    time_unix_ms: Final[int]
    body: Final[bytes]

    def __init__(self, number: int, hand: int, time_unix_ms: int, body: bytes) -> None:
        self.number = number
        self.hand = hand
        self.time_unix_ms = time_unix_ms
        self.body = body


@dataclass(frozen=True)
class Answer:
    """What was answered to a request id: a digest of the request's content, and the answer's bytes (BET-9).

    Ids are those of a ``scope``: a table, or "" for the server.
    """

    scope: str
    request_id: str
    content: bytes
    body: bytes


@dataclass(init=False, unsafe_hash=True)
class StoredPiece:
    """A sealed piece of a table's record: its number, when it was sealed, the bytes of its Seal, and its salt.

    ``log_index`` is the seal's index as a leaf of the log, -1 before it is kept.
    """

    piece: Final[int]
    time_unix_ms: Final[int]
    seal: Final[bytes]
    salt: Final[bytes]
    log_index: Final[int]

    def __init__(self, piece: int, time_unix_ms: int, seal: bytes, salt: bytes, log_index: int = -1) -> None:
        self.piece = piece
        self.time_unix_ms = time_unix_ms
        self.seal = seal
        self.salt = salt
        self.log_index = log_index


@dataclass(init=False, unsafe_hash=True)
class Append:
    """What one table adds in one piece: all of it is kept, or nothing."""

    table_id: Final[str]
    rows: Final[tuple[StoredRow, ...]]
    answers: Final[tuple[Answer, ...]]
    pieces: Final[tuple[StoredPiece, ...]]
    opens: Final[bool]
    ends: Final[bool]

    def __init__(
        self,
        table_id: str,
        rows: tuple[StoredRow, ...] = (),
        answers: tuple[Answer, ...] = (),
        pieces: tuple[StoredPiece, ...] = (),
        opens: bool = False,
        ends: bool = False,
    ) -> None:
        self.table_id = table_id
        self.rows = rows
        self.answers = answers
        self.pieces = pieces
        self.opens = opens
        self.ends = ends


Kept = Callable[[StoreError | None, int], None]
"""Is told that an append is on disk, and the index in the log of its first piece; or why it is not kept."""
