"""The embedded store: one SQLite file, one writer, many tables' events in one commit.

WAL and ``synchronous = FULL``: a commit that has returned is on disk. Whoever appends learns only after that. The
commit runs in the event loop itself: what arrives meanwhile waits and makes the next group, which costs less than
handing every group to another thread and back. Rows of all tables follow one another in the order of commits, so that
a group writes few pages; an index finds those of a hand. Every row carries a hash that chains it to the one before
(``chain``), which is checked whenever it is read.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

from referee.counting import StoreCounts
from referee.merkle.frontier import Frontier
from referee.store.chain import ANSWERS_START, after_answer, after_row, table_start
from referee.store.failpoints import pass_by
from referee.store.files import FILE_ERRORS, FORMAT_VERSION, open_for_writing
from referee.store.integrity import check_before_opening
from referee.store.items import Answer, Append, DamagedStoreError, Kept, StoredPiece, StoredRow, StoreError
from referee.store.log import LogTables
from referee.store.mark import HighWater, MarkFile

__all__ = [
    "FORMAT_VERSION",
    "Answer",
    "Append",
    "DamagedStoreError",
    "Kept",
    "SqliteStore",
    "StoreError",
    "StoredPiece",
    "StoredRow",
]

APPENDS_IN_A_GROUP: Final = 1024

_INSERT_ROW: Final = "INSERT INTO happenings (place, hand, number, time_unix_ms, body, chain) VALUES (?, ?, ?, ?, ?, ?)"
_LAST_ROW: Final = "SELECT hand, number, chain FROM happenings WHERE place = ? ORDER BY hand DESC, number DESC LIMIT 1"
_ROWS: Final = (
    "SELECT number, hand, time_unix_ms, body, chain FROM happenings "
    "WHERE place = ? AND hand BETWEEN ? AND ? ORDER BY hand, number"
)
_ROW_BEFORE: Final = (
    "SELECT hand, number, chain FROM happenings WHERE place = ? AND hand < ? ORDER BY hand DESC, number DESC LIMIT 1"
)
_ROW_AFTER: Final = (
    "SELECT number, hand, time_unix_ms, body, chain FROM happenings WHERE place = ? AND hand > ? "
    "ORDER BY hand, number LIMIT 1"
)
_HAS_ENDED: Final = (
    "(ended IS NOT NULL AND ended IS (SELECT chain FROM happenings WHERE happenings.place = tables.place "
    "ORDER BY hand DESC, number DESC LIMIT 1))"
)

Read = TypeVar("Read")


class _End(NamedTuple):
    """Where a table's rows end: the number by which they name the table, the last row's hand, number and chain value,
    and whether the table has ended."""

    place: int
    hand: int
    number: int
    chain: bytes
    has_ended: bool


class SqliteStore:
    """One file. What any number of tables append at the same time is one group; see the module."""

    def __init__(self, path: Path, check_all: bool = True) -> None:
        """Opens or creates the store.

        What is there is checked before anything is changed: all of it, or, without ``check_all``, all but what rows
        say, which is then checked as they are read. Raises StoreError when it is of another
        format, cannot be opened or is in use, DamagedStoreError when it is not what was written.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._mark = MarkFile(path)
        except OSError as failed:
            raise StoreError(f"cannot open {path}: {failed}") from failed
        try:
            check_before_opening(path, check_all)
            self._file = open_for_writing(path)
            self._log = LogTables(self._file)
            self._high = self._high_water()
        except (*FILE_ERRORS, OSError) as failed:
            self._mark.close(flush=False)
            raise StoreError(f"cannot open {path}: {failed}") from failed
        except StoreError:
            self._mark.close(flush=False)
            raise
        self._mark.write(self._high)
        self.counts = StoreCounts()
        self._waiting: list[tuple[Append, Kept]] = []
        # Of the tables that are being played; those that have ended are looked up each time.
        self._ends: dict[str, _End] = {}

    @property
    def frontier(self) -> Frontier:
        """The log's size and the roots that its head is made of, of what is on disk."""
        return self._log.frontier

    def close(self) -> None:
        """Writes what is waiting and closes the file."""
        self._commit_waiting()
        self._file.close()
        self._mark.close()

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
        begun = perf_counter()
        first_index = self.frontier.size
        try:
            pass_by("before_write")
            self._file.execute("BEGIN IMMEDIATE")
            appends = [append for append, _ in group]
            ends: dict[str, _End] = {}
            high = self._insert(appends, ends)
            pass_by("between_write_and_flush")
            self._file.execute("COMMIT")
            self._count(high, ends)
            self.counts.group_sizes.add(len(group))
            self.counts.commit_ms.add((perf_counter() - begun) * 1_000)
            pass_by("after_flush_before_reply")
        except Exception as failed:  # whatever it is, everybody of the group must learn of it
            failure = StoreError(f"cannot write {self.path}: {failed}")
            self.counts.failed += 1
            with contextlib.suppress(*FILE_ERRORS):
                self._file.execute("ROLLBACK")
        for append, kept in group:
            kept(failure, first_index)
            first_index += len(append.pieces)
            pass_by("between_two_replies")

    def _insert(self, group: list[Append], ends: dict[str, _End]) -> HighWater:
        """Writes a group; fills in where its tables then end, and returns how far the store has then come."""
        rows: list[tuple[object, ...]] = []
        pieces: list[tuple[int, StoredPiece]] = []
        for append in group:
            table_id = append.table_id
            if append.opens:
                opened = self._file.execute("INSERT INTO tables (table_id) VALUES (?)", (table_id,))
                ends[table_id] = _End(int(opened.lastrowid or 0), -1, 0, table_start(table_id), False)
            end = ends.get(table_id) or self._end_of(table_id)
            if end is None:
                raise StoreError(f"there is no table {table_id!r}")
            place, hand, number, chain, has_ended = end
            for row in append.rows:
                hand, number = row.hand, row.number
                chain = after_row(chain, place, hand, number, row.time_unix_ms, row.body)
                rows.append((place, hand, number, row.time_unix_ms, row.body, chain))
            ends[table_id] = _End(place, hand, number, chain, has_ended or append.ends)
            pieces += [(place, one) for one in append.pieces]
            if has_ended or append.ends:
                self._file.execute("UPDATE tables SET ended = ? WHERE place = ?", (chain, place))
        self._file.executemany(_INSERT_ROW, rows)
        self._log.add(pieces)
        answers, answer_chain = self._insert_answers(group)
        last = bytes(rows[-1][5]) if rows else self._high.row_chain  # type: ignore[call-overload]
        size, chain = self._log.frontier.size + len(pieces), self._log.chain_when_kept
        return HighWater(self._high.rows + len(rows), last, answers, answer_chain, size, chain)

    def _insert_answers(self, group: list[Append]) -> tuple[int, bytes]:
        number, chain = self._high.answers, self._high.answer_chain
        for append in group:
            for one in append.answers:
                number += 1
                chain = after_answer(chain, one.scope, one.request_id, one.content, one.body)
                values = (number, one.scope, one.request_id, one.content, one.body, chain)
                self._file.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", values)
        return number, chain

    def _count(self, high: HighWater, ends: dict[str, _End]) -> None:
        """Remembers and marks what is on disk from now on."""
        self._log.kept()
        self._high = high
        for table_id, end in ends.items():
            self._ends[table_id] = end
            if end.has_ended:
                del self._ends[table_id]
        self._mark.write(high)

    def keep_cosigned(self, size: int, note: bytes) -> None:
        """Keeps a cosigned head of the log in place of an earlier one of its size; raises StoreError.

        A bounded number is kept; the smallest are dropped.
        """
        try:
            self._file.execute("BEGIN IMMEDIATE")
            self._log.keep_cosigned(size, note)
            self._file.execute("COMMIT")
        except FILE_ERRORS as failed:
            with contextlib.suppress(*FILE_ERRORS):
                self._file.execute("ROLLBACK")
            raise StoreError(f"cannot write {self.path}: {failed}") from failed

    # --- reading ----------------------------------------------------------------------------------------

    def _try(self, read: Callable[[], Read]) -> Read:
        try:
            return read()
        except FILE_ERRORS as failed:
            raise StoreError(f"cannot read {self.path}: {failed}") from failed

    def _read(self, query: str, values: Iterable[object]) -> list[tuple[object, ...]]:
        return self._try(lambda: self._file.execute(query, tuple(values)).fetchall())

    def _high_water(self) -> HighWater:
        last = self._file.execute("SELECT row, chain FROM happenings ORDER BY row DESC LIMIT 1").fetchone()
        answer = self._file.execute("SELECT number, chain FROM answers ORDER BY number DESC LIMIT 1").fetchone()
        row, row_chain = last or (0, bytes(32))
        number, answer_chain = answer or (0, ANSWERS_START)
        for chain in (row_chain, answer_chain):
            if not isinstance(chain, bytes) or len(chain) != len(ANSWERS_START):
                raise DamagedStoreError(f"{self.path} is damaged: its last rows are not what was written")
        return HighWater(row, row_chain, number, answer_chain, self._log.frontier.size, self._log.chain)

    def _end_of(self, table_id: str) -> _End | None:
        """Where a table's rows end, None for a table that is not known; raises DamagedStoreError."""
        end = self._ends.get(table_id)
        if end is not None:
            return end
        found = self._read("SELECT place, ended FROM tables WHERE table_id = ?", (table_id,))
        if not found:
            return None
        place, ended = found[0]
        last = self._read(_LAST_ROW, (place,))
        hand, number, chain = last[0] if last else (None, None, None)
        if (
            not (isinstance(place, int) and isinstance(hand, int) and isinstance(number, int))
            or not isinstance(chain, bytes)
            or (ended is not None and ended != chain)
        ):
            raise DamagedStoreError(f"table {table_id}: its last events are missing or changed")
        end = _End(place, hand, number, chain, ended is not None)
        if not end.has_ended:
            self._ends[table_id] = end
        return end

    def table_ids(self, ended: bool | None = None) -> list[str]:
        """Every table in the order of opening; only those that have ended, or have not, where that is asked.

        One whose last row is not the one with which it ended counts as not ended: damage must not hide it.
        """
        where = "" if ended is None else f" WHERE {_HAS_ENDED} = {int(ended)}"
        return [str(row[0]) for row in self._read(f"SELECT table_id FROM tables{where} ORDER BY place", ())]

    def rows(self, table_id: str, first_hand: int, last_hand: int) -> list[StoredRow]:
        """What a table added in some hands, both included; what came before the first hand is hand 0.

        Raises DamagedStoreError when it does not fit the hashes stored with it, and with the row before it.
        """
        end = self._end_of(table_id)
        if end is None:
            return []
        found = self._read(_ROWS, (end.place, first_hand, last_hand))
        earlier = self._read(_ROW_BEFORE, (end.place, first_hand)) if first_hand > 0 else []
        hand, number, chain = earlier[0] if earlier else (0, 0, table_start(table_id))
        count = len(found)
        if last_hand < end.hand:
            # One row more, which must go on from these: else some of them, or all, might be missing.
            found += self._read(_ROW_AFTER, (end.place, last_hand))
        rows: list[StoredRow] = []
        for one in found:
            row = _row_after(chain, end.place, one)
            if row is None:
                raise _damaged(table_id, hand, number)
            hand, number, chain = row.hand, row.number, one[4]
            rows.append(row)
        if chain != end.chain and (last_hand >= end.hand or len(found) == count):
            raise _damaged(table_id, hand, number)
        return rows[:count]

    def last_hand(self, table_id: str) -> int:
        """The number of the table's last hand, 0 before the first, -1 for a table that is not known."""
        end = self._end_of(table_id)
        return -1 if end is None else end.hand

    def for_restoring(self, table_id: str) -> Iterator[StoredRow]:
        """The table's rows before its first hand and those of its last hand: enough to fold the table from."""
        last = self.last_hand(table_id)
        if last > 0:
            yield from self.rows(table_id, 0, 0)
        yield from self.rows(table_id, last, last)

    def piece(self, table_id: str, piece: int) -> StoredPiece | None:
        """A sealed piece of a table's record, None when there is none; raises DamagedStoreError."""
        end = self._end_of(table_id)
        return None if end is None else self._try(lambda: self._log.piece(end.place, piece))

    def last_piece(self, table_id: str) -> StoredPiece | None:
        """The newest sealed piece of a table's record, None when nothing is sealed; raises DamagedStoreError."""
        end = self._end_of(table_id)
        return None if end is None else self._try(lambda: self._log.last_piece(end.place))

    def pieces_sealed(self, from_unix_ms: int, until_unix_ms: int) -> list[tuple[str, int]]:
        """Tables and pieces sealed from a moment on and before another, in the order of the log."""
        query = (
            "SELECT table_id, piece FROM pieces JOIN tables USING (place) "
            "WHERE time_unix_ms >= ? AND time_unix_ms < ? ORDER BY log_index"
        )
        return [(str(row[0]), int(str(row[1]))) for row in self._read(query, (from_unix_ms, until_unix_ms))]

    def node(self, level: int, index: int) -> bytes:
        """A complete node of the log's tree; raises StoreError when there is none."""
        return self._try(lambda: self._log.node(level, index))

    def cosigned(self) -> list[tuple[int, bytes]]:
        """The cosigned heads of the log that are kept: sizes and signed notes, the largest first."""
        return self._try(self._log.cosigned)

    def answer(self, scope: str, request_id: str) -> Answer | None:
        """What was answered to a request id of a scope before, None if it is new; raises DamagedStoreError."""
        query = "SELECT number, content, answer, chain FROM answers WHERE scope = ? AND request_id = ?"
        found = self._read(query, (scope, request_id))
        if not found:
            return None
        number, content, body, chain = found[0]
        before = self._read("SELECT chain FROM answers WHERE number = ?", (int(str(number)) - 1,))
        previous = before[0][0] if before else ANSWERS_START
        try:
            whole = after_answer(previous, scope, request_id, content, body) == chain  # type: ignore[arg-type]
        except TypeError:  # fields of other types than were written
            whole = False
        if not whole:
            raise DamagedStoreError(f"the answer to request {request_id!r} of {scope or 'the server'!r} is damaged")
        return Answer(scope, request_id, content, body)  # type: ignore[arg-type]


def _row_after(before: object, place: int, read: tuple[object, ...]) -> StoredRow | None:
    """A row as it was read with its chain's value; None where it does not go on from the value before."""
    number, hand, time_unix_ms, body, chain = read
    try:
        row = StoredRow(number, hand, time_unix_ms, body)  # type: ignore[arg-type]
        wanted = after_row(before, place, row.hand, row.number, row.time_unix_ms, row.body)  # type: ignore[arg-type]
    except Exception:  # fields of other types than were written
        return None
    return row if wanted == chain else None


def _damaged(table_id: str, hand: object, number: object) -> DamagedStoreError:
    return DamagedStoreError(
        f"table {table_id}: what follows is missing or changed; its last good events begin with number {number}, "
        f"of hand {hand}"
    )
