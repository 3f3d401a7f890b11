"""Reading the store: rows by hand, sealed pieces, and nodes of the log, each checked against the hashes beside it."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar, final

from referee.merkle.frontier import Frontier
from referee.store.chain import ANSWERS_START, after_answer, after_row, table_start
from referee.store.files import FILE_ERRORS, check_format, open_for_reading
from referee.store.items import Answer, DamagedStoreError, StoredPiece, StoredRow, StoreError
from referee.store.log import LogTables

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


@final
class End:
    """Where a table's rows end: the number by which they name the table, the last row's hand, number and chain value,
    and whether the table has ended."""

    def __init__(self, place: int, hand: int, number: int, chain: bytes, has_ended: bool) -> None:
        self.place = place
        self.hand = hand
        self.number = number
        self.chain = chain
        self.has_ended = has_ended


class StoreReader:
    """Reads an open file of a store."""

    def __init__(self, path: Path, file: sqlite3.Connection) -> None:
        """Raises StoreError when the log's last records cannot be read or do not fit one another."""
        self.path = path
        self._file = file
        self._log = LogTables(file)
        # Of the tables that are being played; those that have ended are looked up each time.
        self._ends: dict[str, End] = {}

    @property
    def frontier(self) -> Frontier:
        """The log's size and the roots that its head is made of, of what is on disk."""
        return self._log.frontier

    def _try(self, read: Callable[[], Read]) -> Read:
        try:
            return read()
        except FILE_ERRORS as failed:
            raise StoreError(f"cannot read {self.path.name}: {failed}") from failed

    def _read(self, query: str, values: Iterable[object]) -> list[tuple[object, ...]]:
        return self._try(lambda: self._file.execute(query, tuple(values)).fetchall())

    def _end_of(self, table_id: str) -> End | None:
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
        end = End(place, hand, number, chain, ended is not None)
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


@contextmanager
def reading(path: Path) -> Iterator[StoreReader]:
    """Reads a store, of which a server may be writing more: as it stands at this moment, until it is left.

    Raises StoreError when it cannot be read or is of another format.
    """
    try:
        file = open_for_reading(path)
    except FILE_ERRORS as failed:
        raise StoreError(f"cannot read {path}: {failed}") from failed
    try:
        file.execute("BEGIN")
        check_format(file, path)
        yield StoreReader(path, file)
    except FILE_ERRORS as failed:
        raise StoreError(f"cannot read {path}: {failed}") from failed
    finally:
        file.close()


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
