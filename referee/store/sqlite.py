"""The embedded store: one SQLite file, one writer, many tables' events in one commit.

WAL and ``synchronous = FULL``: a commit that has returned is on disk. Whoever appends learns only after that. The
commit runs in the event loop itself: what arrives meanwhile waits and makes the next group, which costs less than
handing every group to another thread and back. Rows of all tables follow one another in the order of commits, so that
a group writes few pages; an index finds those of a hand. Every row carries a hash that chains it to the one before
(``chain``), which is checked whenever it is read.
"""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Final

from referee.counting import StoreCounts
from referee.limits import APPENDS_IN_A_GROUP, COMMIT_BEGINS_WITHIN_MS, QUIET_ROUNDS_BEFORE_A_COMMIT
from referee.store.chain import ANSWERS_START, after_answer, after_row, table_start
from referee.store.failpoints import pass_by
from referee.store.files import FILE_ERRORS, FORMAT_VERSION, open_for_writing
from referee.store.integrity import check_before_opening
from referee.store.items import Answer, Append, DamagedStoreError, Kept, StoredPiece, StoredRow, StoreError
from referee.store.mark import HighWater, MarkFile
from referee.store.reading import End, StoreReader
from referee.store.rush import Rush

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

_INSERT_ROW: Final = "INSERT INTO happenings (place, hand, number, time_unix_ms, body, chain) VALUES (?, ?, ?, ?, ?, ?)"


class SqliteStore(StoreReader):
    """One file. What any number of tables append at the same time is one group; see the module."""

    def __init__(self, path: Path, check_all: bool = True, clock: Callable[[], float] = perf_counter) -> None:
        """Opens or creates the store; ``clock`` tells seconds that only go on.

        What is there is checked before anything is changed: all of it, or, without ``check_all``, all but what rows
        say, which is then checked as they are read. Raises StoreError when it is of another format, cannot be opened
        or is in use, DamagedStoreError when it is not what was written. ``was_marked`` is false where there was no
        mark, so that commits missing from the end of it are not noticed.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._mark = MarkFile(path)
        except OSError as failed:
            raise StoreError(f"cannot open {path}: {failed}") from failed
        try:
            self.was_marked = check_before_opening(path, check_all)
            super().__init__(path, open_for_writing(path))
            self._high = self._high_water()
        except (*FILE_ERRORS, OSError) as failed:
            self._mark.close(flush=False)
            raise StoreError(f"cannot open {path}: {failed}") from failed
        except StoreError:
            self._mark.close(flush=False)
            raise
        self._mark.write(self._high)
        self.counts = StoreCounts()
        self._clock = clock
        self._waiting: list[tuple[Append, Kept]] = []
        self._rush = Rush()

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
            self._begin_group()

    def _begin_group(self) -> None:
        """Commits soon: when some rounds of the event loop have brought nothing more, at the latest after a while.

        gRPC hands over one call in a round, so that whoever commits in every round commits each call alone. A lone
        append waits for no clock: it is committed after these rounds, which take microseconds. Only in a rush a group
        waits for the while.
        """
        loop = asyncio.get_running_loop()
        now = self._clock()
        latest = now + COMMIT_BEGINS_WITHIN_MS / 1_000
        self._rush.begins(now)

        def look(seen: int, quiet: int) -> None:
            waiting = len(self._waiting)
            quiet = quiet + 1 if waiting == seen else 0
            now = self._clock()
            if waiting >= APPENDS_IN_A_GROUP or now >= latest:
                self._commit_waiting()
            elif quiet < QUIET_ROUNDS_BEFORE_A_COMMIT:
                loop.call_soon(look, waiting, quiet)
            elif self._rush.is_on:
                loop.call_later(latest - now, waited, waiting)
            else:
                self._commit_waiting()

        def waited(before: int) -> None:
            self._rush.waited(before, len(self._waiting))
            self._commit_waiting()

        loop.call_soon(look, 1, 0)

    def _commit_waiting(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:APPENDS_IN_A_GROUP], self._waiting[APPENDS_IN_A_GROUP:]
            self._write(group)
        self._rush.written(self._clock())

    def _write(self, group: list[tuple[Append, Kept]]) -> None:
        failure: StoreError | None = None
        begun = self._clock()
        first_index = self.frontier.size
        try:
            pass_by("before_write")
            self._file.execute("BEGIN IMMEDIATE")
            appends = [append for append, _ in group]
            ends: dict[str, End] = {}
            high = self._insert(appends, ends)
            pass_by("between_write_and_flush")
            self._file.execute("COMMIT")
            self._count(high, ends)
            self.counts.group_sizes.add(len(group))
            self.counts.commit_ms.add((self._clock() - begun) * 1_000)
            pass_by("after_flush_before_reply")
        except Exception as failed:  # whatever it is, everybody of the group must learn of it
            failure = StoreError(f"cannot write {self.path.name}: {failed}")
            self.counts.failed += 1
            with contextlib.suppress(*FILE_ERRORS):
                self._file.execute("ROLLBACK")
        for append, kept in group:
            kept(failure, first_index)
            first_index += len(append.pieces)
            pass_by("between_two_replies")

    def _insert(self, group: list[Append], ends: dict[str, End]) -> HighWater:
        """Writes a group; fills in where its tables then end, and returns how far the store has then come."""
        rows: list[tuple[object, ...]] = []
        pieces: list[tuple[int, StoredPiece]] = []
        for append in group:
            table_id = append.table_id
            if append.opens:
                opened = self._file.execute("INSERT INTO tables (table_id) VALUES (?)", (table_id,))
                ends[table_id] = End(int(opened.lastrowid or 0), -1, 0, table_start(table_id), False)
            end = ends.get(table_id) or self._end_of(table_id)
            if end is None:
                raise StoreError(f"there is no table {table_id!r}")
            place, hand, number, chain = end.place, end.hand, end.number, end.chain
            has_ended = end.has_ended or append.ends
            for row in append.rows:
                hand, number = row.hand, row.number
                chain = after_row(chain, place, hand, number, row.time_unix_ms, row.body)
                rows.append((place, hand, number, row.time_unix_ms, row.body, chain))
            ends[table_id] = End(place, hand, number, chain, has_ended)
            pieces += [(place, one) for one in append.pieces]
            if has_ended:
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

    def _count(self, high: HighWater, ends: dict[str, End]) -> None:
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
            raise StoreError(f"cannot write {self.path.name}: {failed}") from failed

    def _high_water(self) -> HighWater:
        last = self._file.execute("SELECT row, chain FROM happenings ORDER BY row DESC LIMIT 1").fetchone()
        answer = self._file.execute("SELECT number, chain FROM answers ORDER BY number DESC LIMIT 1").fetchone()
        row, row_chain = last or (0, bytes(32))
        number, answer_chain = answer or (0, ANSWERS_START)
        for chain in (row_chain, answer_chain):
            if not isinstance(chain, bytes) or len(chain) != len(ANSWERS_START):
                raise DamagedStoreError(f"{self.path} is damaged: its last rows are not what was written")
        return HighWater(row, row_chain, number, answer_chain, self._log.frontier.size, self._log.chain)
