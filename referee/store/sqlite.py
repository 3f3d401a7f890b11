"""The embedded store: one SQLite file, one writer, many tables' events in one commit.

WAL and ``synchronous = FULL``: a commit that has returned is on disk. Whoever appends learns only after that. The
commit runs in the event loop itself: what arrives meanwhile waits and makes the next group, which costs less than
handing every group to another thread and back.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.store.failpoints import pass_by

FORMAT_VERSION: Final = 1
APPENDS_IN_A_GROUP: Final = 1024

_SCHEMA: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (place INTEGER PRIMARY KEY, table_id TEXT NOT NULL UNIQUE, ended INTEGER NOT NULL DEFAULT 0);
CREATE TABLE events (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, hand INTEGER NOT NULL, time_unix_ms INTEGER NOT NULL,
    body BLOB NOT NULL, PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE hands (
    table_id TEXT NOT NULL, hand INTEGER NOT NULL, first_number INTEGER NOT NULL, PRIMARY KEY (table_id, hand)
) WITHOUT ROWID;
CREATE TABLE answers (
    scope TEXT NOT NULL, request_id TEXT NOT NULL, content BLOB NOT NULL, answer BLOB NOT NULL,
    PRIMARY KEY (scope, request_id)
) WITHOUT ROWID;
"""


class StoreError(Exception):
    """The store cannot be read or written; nothing of what was being appended has been kept."""


@dataclass(frozen=True)
class StoredRow:
    """One event as it lies in the store: its number in the table from 1, its hand, when it happened, and its bytes."""

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
class Append:
    """What one table adds in one piece: all of it is kept, or nothing."""

    table_id: str
    rows: tuple[StoredRow, ...] = ()
    answers: tuple[Answer, ...] = ()
    opens: bool = False
    ends: bool = False


@dataclass
class _Job:
    append: Append
    done: "asyncio.Future[None]"


class SqliteStore:
    """One file. What any number of tables append at the same time is one group; see the module."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the store; raises StoreError when it is of another format or cannot be opened."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _connect(path)
            self._prepare()
        except (sqlite3.Error, OSError) as failed:
            raise StoreError(f"cannot open {path}: {failed}") from failed
        self._waiting: list[_Job] = []

    def _prepare(self) -> None:
        known = self._file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]
        if not known:
            with self._file:
                self._file.executescript("BEGIN IMMEDIATE;" + _SCHEMA)
                self._file.execute("INSERT INTO meta VALUES ('format_version', ?)", (str(FORMAT_VERSION),))
        found = self._file.execute("SELECT value FROM meta WHERE name = 'format_version'").fetchone()
        if found is None or found[0] != str(FORMAT_VERSION):
            said = "none" if found is None else found[0]
            raise StoreError(f"{self.path} has format {said}; this version reads format {FORMAT_VERSION}")

    def close(self) -> None:
        """Writes what is waiting and closes the file."""
        self._commit_waiting()
        self._file.close()

    # --- writing ----------------------------------------------------------------------------------------

    async def append(self, append: Append) -> None:
        """Returns when the piece is on disk; raises StoreError when it is not kept."""
        loop = asyncio.get_running_loop()
        job = _Job(append, loop.create_future())
        self._waiting.append(job)
        if len(self._waiting) == 1:
            # Called after everything that is ready to run now, so that all of it shares the commit.
            loop.call_soon(self._commit_waiting)
        await job.done

    def _commit_waiting(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:APPENDS_IN_A_GROUP], self._waiting[APPENDS_IN_A_GROUP:]
            self._write(group)

    def _write(self, group: list[_Job]) -> None:
        failure: StoreError | None = None
        try:
            pass_by("before_write")
            self._file.execute("BEGIN IMMEDIATE")
            for job in group:
                self._insert(job.append)
            pass_by("between_write_and_flush")
            self._file.execute("COMMIT")
            pass_by("after_flush_before_reply")
        except Exception as failed:  # whatever it is, everybody of the group must learn of it
            failure = StoreError(f"cannot write {self.path}: {failed}")
            with contextlib.suppress(sqlite3.Error):
                self._file.execute("ROLLBACK")
        for job in group:
            if job.done.cancelled():
                continue
            if failure is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(failure)
            pass_by("between_two_replies")

    def _insert(self, append: Append) -> None:
        write = self._file
        if append.opens:
            write.execute("INSERT INTO tables (table_id) VALUES (?)", (append.table_id,))
        table_id = append.table_id
        if append.rows:
            write.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                [(table_id, row.number, row.hand, row.time_unix_ms, row.body) for row in append.rows],
            )
            first = {row.hand: row.number for row in reversed(append.rows)}
            write.executemany(
                "INSERT OR IGNORE INTO hands VALUES (?, ?, ?)", [(table_id, hand, at) for hand, at in first.items()]
            )
        if append.answers:
            write.executemany(
                "INSERT INTO answers VALUES (?, ?, ?, ?)",
                [(answer.scope, answer.request_id, answer.content, answer.body) for answer in append.answers],
            )
        if append.ends:
            write.execute("UPDATE tables SET ended = 1 WHERE table_id = ?", (table_id,))

    # --- reading ----------------------------------------------------------------------------------------

    def _read(self, query: str, values: Iterable[object]) -> list[tuple[object, ...]]:
        try:
            return self._file.execute(query, tuple(values)).fetchall()
        except sqlite3.Error as failed:
            raise StoreError(f"cannot read {self.path}: {failed}") from failed

    def table_ids(self, ended: bool | None = None) -> list[str]:
        """Every table in the order of opening; only those that have ended, or have not, where that is asked."""
        where = "" if ended is None else f" WHERE ended = {int(ended)}"
        return [str(row[0]) for row in self._read(f"SELECT table_id FROM tables{where} ORDER BY place", ())]

    def rows(self, table_id: str, first_hand: int, last_hand: int) -> list[StoredRow]:
        """The events of some hands, both included; those before the first hand are hand 0."""
        query = (
            "SELECT number, hand, time_unix_ms, body FROM events WHERE table_id = ? "
            "AND number >= (SELECT min(first_number) FROM hands WHERE table_id = ? AND hand >= ?) "
            "AND number < (SELECT coalesce(min(first_number), ?) FROM hands WHERE table_id = ? AND hand > ?) "
            "ORDER BY number"
        )
        values = (table_id, table_id, first_hand, 1 << 62, table_id, last_hand)
        return [StoredRow(*row) for row in self._read(query, values)]  # type: ignore[arg-type]

    def last_hand(self, table_id: str) -> int:
        """The number of the table's last hand, 0 before the first, -1 for a table that is not known."""
        found = self._read("SELECT max(hand) FROM hands WHERE table_id = ?", (table_id,))[0][0]
        return -1 if found is None else int(str(found))

    def for_restoring(self, table_id: str) -> Iterator[StoredRow]:
        """The table's first event and those of its last hand: enough to fold the table from."""
        last = self.last_hand(table_id)
        if last > 0:
            yield self.rows(table_id, 0, 0)[0]
        yield from self.rows(table_id, last, last)

    def request_ids(self, scope: str) -> Iterator[str]:
        """Every request id of a scope."""
        for (request_id,) in self._read("SELECT request_id FROM answers WHERE scope = ?", (scope,)):
            yield str(request_id)

    def answer(self, scope: str, request_id: str) -> Answer | None:
        """What was answered to a request id of a scope before, None if it is new."""
        found = self._read(
            "SELECT content, answer FROM answers WHERE scope = ? AND request_id = ?", (scope, request_id)
        )
        return Answer(scope, request_id, found[0][0], found[0][1]) if found else None  # type: ignore[arg-type]


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA busy_timeout = 5000")
    return connection
