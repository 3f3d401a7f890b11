"""What the store is given and gives back, and what can go wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass


class StoreError(Exception):
    """The store cannot be read or written; nothing of what was being appended has been kept."""


class DamagedStoreError(StoreError):
    """What is stored is not what was written; the message names the last good event, and nothing was changed."""


@dataclass(frozen=True)
class StoredRow:
    """What a table added in one piece: the number of its first event in the table from 1, the hand, when it happened,
    and the bytes of a StoredEvents message, as they are to be kept for good."""

    number: int
    hand: int
    time_unix_ms: int
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What was answered to a request id: a digest of the request's content, and the answer's bytes (BET-9).

    Ids are those of a ``scope``: a table, or "" for the server.
    """

    scope: str
    request_id: str
    content: bytes
    body: bytes


@dataclass(frozen=True)
class StoredPiece:
    """A sealed piece of a table's record: its number, when it was sealed, the bytes of its Seal, and its salt.

    ``log_index`` is the seal's index as a leaf of the log, -1 before it is kept.
    """

    piece: int
    time_unix_ms: int
    seal: bytes
    salt: bytes
    log_index: int = -1


@dataclass(frozen=True)
class Append:
    """What one table adds in one piece: all of it is kept, or nothing."""

    table_id: str
    rows: tuple[StoredRow, ...] = ()
    answers: tuple[Answer, ...] = ()
    pieces: tuple[StoredPiece, ...] = ()
    opens: bool = False
    ends: bool = False


Kept = Callable[[StoreError | None, int], None]
"""Is told that an append is on disk, and the index in the log of its first piece; or why it is not kept."""
