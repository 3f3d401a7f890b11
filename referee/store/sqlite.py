"""The embedded store: one SQLite file, one writer, many tables' events in one commit.

WAL and ``synchronous = FULL``: a commit that has returned is on disk. Whoever appends learns only after that. The
commit runs in the event loop itself: what arrives meanwhile waits and makes the next group, which costs less than
handing every group to another thread and back. Rows of all tables follow one another in the order of commits, so that
a group writes few pages; an index finds those of a hand.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.merkle.frontier import Frontier
from referee.merkle.frontier import append as grown
from referee.merkle.hashing import leaf_hash
from referee.store.failpoints import pass_by

FORMAT_VERSION: Final = 3
APPENDS_IN_A_GROUP: Final = 1024

_SCHEMA: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (place INTEGER PRIMARY KEY, table_id TEXT NOT NULL UNIQUE, ended INTEGER NOT NULL DEFAULT 0);
CREATE TABLE happenings (
    row INTEGER PRIMARY KEY, place INTEGER NOT NULL, hand INTEGER NOT NULL, number INTEGER NOT NULL,
    time_unix_ms INTEGER NOT NULL, body BLOB NOT NULL
);
CREATE UNIQUE INDEX happenings_of_a_hand ON happenings (place, hand, number);
CREATE TABLE pieces (
    log_index INTEGER PRIMARY KEY, place INTEGER NOT NULL, piece INTEGER NOT NULL,
    time_unix_ms INTEGER NOT NULL, seal BLOB NOT NULL, salt BLOB NOT NULL
);
CREATE UNIQUE INDEX pieces_of_a_table ON pieces (place, piece);
CREATE TABLE nodes (
    level INTEGER NOT NULL, node_index INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (level, node_index)
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
        self._waiting: list[tuple[Append, Kept]] = []
        self._places: dict[str, int] = {}
        self.frontier = self._frontier()
        """The log's size and the roots that its head is made of, of what is on disk."""

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
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def kept(failure: StoreError | None, _first_index: int) -> None:
            if not done.cancelled():
                done.set_result(None) if failure is None else done.set_exception(failure)

        self.post(append, kept)
        await done

    def post(self, append: Append, kept: Kept) -> None:
        """The same without waiting: ``kept`` is told from the event loop."""
        self._waiting.append((append, kept))
        if len(self._waiting) == 1:
            # Called after everything that is ready to run now, so that all of it shares the commit.
            asyncio.get_running_loop().call_soon(self._commit_waiting)

    def _commit_waiting(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:APPENDS_IN_A_GROUP], self._waiting[APPENDS_IN_A_GROUP:]
            self._write(group)

    def _write(self, group: list[tuple[Append, Kept]]) -> None:
        failure: StoreError | None = None
        first_index = self.frontier.size
        try:
            pass_by("before_write")
            self._file.execute("BEGIN IMMEDIATE")
            appends = [append for append, _ in group]
            self._insert(appends)
            frontier = self._log(appends)
            pass_by("between_write_and_flush")
            self._file.execute("COMMIT")
            self.frontier = frontier
            pass_by("after_flush_before_reply")
        except Exception as failed:  # whatever it is, everybody of the group must learn of it
            failure = StoreError(f"cannot write {self.path}: {failed}")
            self._places.clear()  # a table that was being opened has no place
            with contextlib.suppress(sqlite3.Error):
                self._file.execute("ROLLBACK")
        for append, kept in group:
            kept(failure, first_index)
            first_index += len(append.pieces)
            pass_by("between_two_replies")

    def _insert(self, group: list[Append]) -> None:
        write = self._file
        for append in group:
            if append.opens:
                write.execute("INSERT INTO tables (table_id) VALUES (?)", (append.table_id,))
        rows = [
            (self._place(append.table_id), row.hand, row.number, row.time_unix_ms, row.body)
            for append in group
            for row in append.rows
        ]
        write.executemany(
            "INSERT INTO happenings (place, hand, number, time_unix_ms, body) VALUES (?, ?, ?, ?, ?)", rows
        )
        for append in group:
            for answer in append.answers:
                values = (answer.scope, answer.request_id, answer.content, answer.body)
                write.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", values)
            if append.ends:
                write.execute("UPDATE tables SET ended = 1 WHERE table_id = ?", (append.table_id,))

    def _log(self, group: list[Append]) -> Frontier:
        """Adds the group's pieces to the log and returns what its head is then made of."""
        frontier = self.frontier
        pieces: list[tuple[object, ...]] = []
        nodes: list[tuple[int, int, bytes]] = []
        for append in group:
            for one in append.pieces:
                index, place = frontier.size, self._place(append.table_id)
                pieces.append((index, place, one.piece, one.time_unix_ms, one.seal, one.salt))
                frontier, completed = grown(frontier, leaf_hash(one.seal))
                nodes += [(level, index >> level, node) for level, node in enumerate(completed)]
        if pieces:
            self._file.executemany("INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?)", pieces)
            self._file.executemany("INSERT INTO nodes VALUES (?, ?, ?)", nodes)
        return frontier

    def _place(self, table_id: str) -> int:
        """The number by which rows name a table; -1 for a table that is not known."""
        place = self._places.get(table_id)
        if place is None:
            found = self._read("SELECT place FROM tables WHERE table_id = ?", (table_id,))
            if not found:
                return -1
            place = self._places[table_id] = int(str(found[0][0]))
        return place

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
        """What a table added in some hands, both included; what came before the first hand is hand 0."""
        query = (
            "SELECT number, hand, time_unix_ms, body FROM happenings "
            "WHERE place = ? AND hand BETWEEN ? AND ? ORDER BY hand, number"
        )
        values = (self._place(table_id), first_hand, last_hand)
        return [StoredRow(*row) for row in self._read(query, values)]  # type: ignore[arg-type]

    def last_hand(self, table_id: str) -> int:
        """The number of the table's last hand, 0 before the first, -1 for a table that is not known."""
        found = self._read("SELECT max(hand) FROM happenings WHERE place = ?", (self._place(table_id),))[0][0]
        return -1 if found is None else int(str(found))

    def for_restoring(self, table_id: str) -> Iterator[StoredRow]:
        """The table's rows before its first hand and those of its last hand: enough to fold the table from."""
        last = self.last_hand(table_id)
        if last > 0:
            yield from self.rows(table_id, 0, 0)
        yield from self.rows(table_id, last, last)

    def piece(self, table_id: str, piece: int) -> StoredPiece | None:
        """A sealed piece of a table's record, None when there is none."""
        return self._one_piece("place = ? AND piece = ?", (self._place(table_id), piece))

    def last_piece(self, table_id: str) -> StoredPiece | None:
        """The newest sealed piece of a table's record, None when nothing of it is sealed."""
        return self._one_piece("place = ? ORDER BY piece DESC LIMIT 1", (self._place(table_id),))

    def _one_piece(self, where: str, values: tuple[object, ...]) -> StoredPiece | None:
        found = self._read(f"SELECT piece, time_unix_ms, seal, salt, log_index FROM pieces WHERE {where}", values)
        return StoredPiece(*found[0]) if found else None  # type: ignore[arg-type]

    def pieces_sealed(self, from_unix_ms: int, until_unix_ms: int) -> list[tuple[str, int]]:
        """Tables and pieces sealed from a moment on and before another, in the order of the log."""
        query = (
            "SELECT table_id, piece FROM pieces JOIN tables USING (place) "
            "WHERE time_unix_ms >= ? AND time_unix_ms < ? ORDER BY log_index"
        )
        return [(str(row[0]), int(str(row[1]))) for row in self._read(query, (from_unix_ms, until_unix_ms))]

    def node(self, level: int, index: int) -> bytes:
        """A complete node of the log's tree; raises StoreError when there is none."""
        found = self._read("SELECT hash FROM nodes WHERE level = ? AND node_index = ?", (level, index))
        if not found:
            raise StoreError(f"the log has no node {index} on level {level}")
        return bytes(found[0][0])  # type: ignore[call-overload,no-any-return]

    def _frontier(self) -> Frontier:
        size = int(str(self._read("SELECT count(*) FROM pieces", ())[0][0]))
        levels = [level for level in range(size.bit_length()) if size >> level & 1]
        # Where a bit of the size is set, its level has a last node of even index, which waits for its neighbour.
        return Frontier(size, tuple([self.node(level, (size >> level) - 1) for level in reversed(levels)]))

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
