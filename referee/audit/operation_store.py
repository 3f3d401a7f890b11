"""Where long audits are kept: a SQLite file of their own beside the tables' store, so that a restart loses none.

An operation is a row: what to audit, how many of its parts are done, and what they found added up. A part's result and
the count of parts are written in one commit, so that a killed server neither loses a part nor counts one twice.
"""

import json
import sqlite3
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final

from referee.audit.bulk import PartResult

FORMAT_VERSION: Final = 1

_SCHEMA: Final = """
CREATE TABLE operations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL,
    kind TEXT NOT NULL,
    source BLOB,
    status INTEGER NOT NULL,
    parts_done INTEGER NOT NULL DEFAULT 0,
    hands_in_all INTEGER NOT NULL,
    started_unix_ms INTEGER NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    counts TEXT NOT NULL,
    listed TEXT NOT NULL
);
CREATE INDEX operations_by_status ON operations (status);
"""


class OperationStoreError(Exception):
    """The file of operations cannot be opened, or is of another format."""


class Status(IntEnum):
    """Where an operation stands; the numbers are those of the contract."""

    RUNNING = 1
    DONE = 2
    CANCELLED = 3
    FAILED = 4


class Kind:
    """What an operation audits."""

    TEXT: Final = "text"
    TABLES: Final = "tables"


@dataclass
class Operation:
    """One long audit. ``source`` is what to audit, empty once it has ended; ``found`` adds up its parts so far.

    ``hands_in_all`` is 0 while that is not known.
    """

    number: int
    kind: str
    source: bytes
    status: Status
    parts_done: int
    hands_in_all: int
    started_unix_ms: int
    message: str
    digest: bytes = b""
    found: PartResult = field(default_factory=lambda: PartResult(0, ""))

    @property
    def operation_id(self) -> str:
        """What callers name it by."""
        return f"audit-{self.number}"


def number_of(operation_id: str) -> int | None:
    """The number in an operation's id, None for what is no id."""
    number = operation_id.removeprefix("audit-")
    is_id = operation_id.startswith("audit-") and number.isascii() and number.isdecimal() and len(number) <= 18
    return int(number) if is_id else None


class OperationStore:
    """The file of operations."""

    def __init__(self, path: Path) -> None:
        """Opens or creates it; raises OperationStoreError."""
        try:
            self._file = sqlite3.connect(path, isolation_level=None)
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 5000"):
                self._file.execute(f"PRAGMA {pragma}")
            version = self._file.execute("PRAGMA user_version").fetchone()[0]
            if not version:
                self._file.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {FORMAT_VERSION}; COMMIT;")
            elif version != FORMAT_VERSION:
                raise OperationStoreError(f"{path} has format {version}; this version reads format {FORMAT_VERSION}")
        except sqlite3.Error as failed:
            raise OperationStoreError(f"cannot open {path}: {failed}") from failed

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def add(
        self, request_id: str, digest: bytes, kind: str, source: bytes, hands_in_all: int, now_unix_ms: int
    ) -> Operation:
        """Adds an operation that runs."""
        nothing = _columns(PartResult(0, ""))
        values = (request_id, digest, kind, source, Status.RUNNING, hands_in_all, now_unix_ms, *nothing)
        self._file.execute(
            "INSERT INTO operations"
            " (request_id, digest, kind, source, status, hands_in_all, started_unix_ms, counts, listed)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        added = self.by_request(request_id)
        assert added is not None, "it was just added"
        return added

    def by_request(self, request_id: str) -> Operation | None:
        """The operation that a request began."""
        return self._one("request_id = ?", request_id)

    def find(self, operation_id: str) -> Operation | None:
        """The operation of this id."""
        number = number_of(operation_id)
        return None if number is None else self._one("number = ?", number)

    def running(self) -> list[Operation]:
        """Every operation that runs, the oldest first."""
        return self._some("status = ? ORDER BY number", (Status.RUNNING,))

    def count_running(self) -> int:
        """How many operations run."""
        count: int = self._file.execute(
            "SELECT count(*) FROM operations WHERE status = ?", (Status.RUNNING,)
        ).fetchone()[0]
        return count

    def newest(self, count: int, before: int | None = None) -> list[Operation]:
        """Operations, the newest first, those with smaller numbers than ``before``; counts only, nothing listed."""
        return self._some("number < ? ORDER BY number DESC LIMIT ?", (before or 1 << 62, count), counts_only=True)

    def keep_part(self, number: int, parts_done: int, found: PartResult) -> None:
        """Keeps that so many parts of a running operation are done, with what they found together."""
        self._file.execute(
            "UPDATE operations SET parts_done = ?, counts = ?, listed = ? WHERE number = ? AND status = ?",
            (parts_done, *_columns(found), number, Status.RUNNING),
        )

    def end(self, number: int, status: Status, message: str = "") -> None:
        """Ends a running operation; what it audits is forgotten, what it found is kept."""
        self._file.execute(
            "UPDATE operations SET status = ?, message = ?, source = NULL WHERE number = ? AND status = ?",
            (status, message, number, Status.RUNNING),
        )

    def forget_oldest(self, kept: int) -> None:
        """Forgets the operations that ended longest ago, so that no more than ``kept`` are left."""
        self._file.execute(
            "DELETE FROM operations WHERE status != ? AND number <= (SELECT max(number) FROM operations) - ?",
            (Status.RUNNING, kept),
        )

    def _one(self, where: str, value: object) -> Operation | None:
        found = self._some(where, (value,))
        return found[0] if found else None

    def _some(self, where: str, values: tuple[object, ...], counts_only: bool = False) -> list[Operation]:
        large = "NULL, '{}'" if counts_only else "source, listed"
        columns = f"number, kind, status, parts_done, hands_in_all, started_unix_ms, message, digest, counts, {large}"
        rows = self._file.execute(f"SELECT {columns} FROM operations WHERE {where}", values)
        return [
            Operation(
                number,
                kind,
                source or b"",
                Status(status),
                done,
                in_all,
                started,
                message,
                digest,
                PartResult.from_dict(_NOTHING_LISTED | json.loads(counts) | json.loads(listed)),
            )
            for number, kind, status, done, in_all, started, message, digest, counts, source, listed in rows
        ]


_NOTHING_LISTED: Final[dict[str, list[object]]] = {"first": [], "first_unreadable": [], "first_differ": []}


def _columns(found: PartResult) -> tuple[str, str]:
    """What was found as JSON: the counts, which are short, and what is listed."""
    told = found.to_dict()
    listed = {name: told.pop(name) for name in _NOTHING_LISTED}
    return json.dumps(told), json.dumps(listed)
