"""Whether a store is what was written: SQLite's own structure, the chains of hashes, the log's tree, the mark.

Everything is read once, in the order in which it was written, and nothing is changed. What each kind of damage is found
by, and what cannot be found, is in docs/operator.md.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from referee.limits import DAMAGES_NAMED
from referee.merkle.frontier import Frontier
from referee.merkle.frontier import append as grown
from referee.merkle.hashing import leaf_hash
from referee.store.chain import ANSWERS_START, PIECES_START, after_answer, after_piece, after_row, table_start
from referee.store.chain import cosigned_digest as digest_of_cosigned
from referee.store.files import FILE_ERRORS, check_format, is_empty, open_for_reading
from referee.store.items import DamagedStoreError, StoreError
from referee.store.log import LogTables
from referee.store.mark import HighWater, mark_path, read_mark
from referee.v1 import record_pb2

_WAL: Final = "-wal"
_NODE: Final = "SELECT hash FROM nodes WHERE level = ? AND node_index = ?"
_NUMBERED: Final = (
    ("tables", "place", 1),
    ("happenings", "row", 1),
    ("answers", "number", 1),
    ("pieces", "log_index", 0),
)
_INDEXES: Final = (
    ("tables", "sqlite_autoindex_tables_1", ("table_id", "place")),
    ("happenings", "happenings_of_a_hand", ("place", "hand", "number", "row")),
    ("pieces", "pieces_of_a_table", ("place", "piece", "log_index")),
    ("answers", "answers_of_a_scope", ("scope", "request_id", "number")),
)


class Damage(NamedTuple):
    """Something that is not as it was written. Where it is a table's, ``hand`` and ``event`` are those of the last good
    event before it, which is number 0 of hand 0 when there is none."""

    what: str
    table_id: str = ""
    hand: int = -1
    event: int = -1

    def __str__(self) -> str:
        if not self.table_id:
            return self.what
        return f"table {self.table_id}: {self.what}; its last good event is number {self.event}, of hand {self.hand}"


@dataclass
class Report:
    """What a check read, and what it found: at most ``DAMAGES_NAMED``, and how many there are beyond.

    ``is_marked`` is false where no mark lies beside rows, so that commits missing from their end are not noticed.
    """

    tables: int = 0
    rows: int = 0
    answers: int = 0
    pieces: int = 0
    damages: list[Damage] = field(default_factory=list)
    further: int = 0
    is_marked: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damages

    def found(self, what: str, table_id: str = "", hand: int = -1, event: int = -1) -> None:
        """Notes a damage."""
        if len(self.damages) < DAMAGES_NAMED:
            self.damages.append(Damage(what, table_id, hand, event))
        else:
            self.further += 1


@dataclass
class _Table:
    """A table as far as it was read: where its chain stands, and its last good row."""

    table_id: str
    ended: object
    chain: bytes
    hand: int = 0
    number: int = 0
    body: bytes = b""
    is_broken: bool = False

    @property
    def last_event(self) -> int:
        """The number of the last event of the last good row."""
        try:
            return self.number + len(record_pb2.StoredEvents.FromString(self.body).events) - (self.number > 0)
        except DecodeError:
            return self.number


def check(path: Path, alone: bool = False) -> Report:
    """Checks all of a store, which a server may have open; ``alone`` as of :func:`open_for_reading`.

    Raises StoreError when there is no store of this format, or it cannot be read at all.
    """
    report = Report()
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    mark = _mark(path, report)
    is_marked = mark is not None or not report.is_whole
    try:
        file = open_for_reading(path, alone)
    except FILE_ERRORS as failed:
        raise StoreError(f"cannot open {path}: {failed}") from failed
    try:
        _check_open(file, path, mark, report)
    except DamagedStoreError as damaged:
        report.found(str(damaged))
    except FILE_ERRORS as failed:
        raise StoreError(f"cannot read {path}: {failed}") from failed
    finally:
        file.close()
    report.is_marked = is_marked or not report.rows
    return report


def check_before_opening(path: Path, check_all: bool) -> bool:
    """Checks a store that is about to be opened, if there is one; raises DamagedStoreError, or StoreError.

    Returns ``is_marked`` of :class:`Report`. Without ``check_all`` it looks at the file's structure, that nothing is
    missing, at the mark, and at the log's last record, but not into rows: those are checked when they are read.
    """
    mark = read_mark(path)
    begun = mark is not None and mark != HighWater()
    if not path.exists() or is_empty(path):
        # SQLite would begin a new store here, and delete a write-ahead log that lies beside it.
        wal = path.with_name(path.name + _WAL)
        if begun or (wal.exists() and wal.stat().st_size > 0):
            raise DamagedStoreError(f"{path} is missing or empty, and {mark_path(path)} or {wal} says that it was not")
        return True
    if check_all:
        report = check(path)
        if report.damages:
            others = f" (and {len(report.damages) + report.further - 1} more)" if len(report.damages) > 1 else ""
            raise DamagedStoreError(f"{path} is damaged: {report.damages[0]}{others}; see `referee store check`")
        return report.is_marked
    file = open_for_reading(path)
    report = Report()
    try:
        check_format(file, path)
        _check_structure(file, report)
        _check_counts(file, report)
        _check_mark(mark, file, report)
        LogTables(file)
        has_rows = file.execute("SELECT 1 FROM happenings LIMIT 1").fetchone() is not None
    finally:
        file.close()
    if report.damages:
        raise DamagedStoreError(f"{path} is damaged: {report.damages[0]}")
    return mark is not None or not has_rows


def _mark(path: Path, report: Report) -> HighWater | None:
    try:
        return read_mark(path)
    except DamagedStoreError as damaged:
        report.found(str(damaged))
        return None


def _check_open(file: sqlite3.Connection, path: Path, mark: HighWater | None, report: Report) -> None:
    check_format(file, path)
    file.execute("BEGIN")  # all of it as it is at one moment, whatever a server writes meanwhile
    _check_structure(file, report)
    for part in (_check_tables, _check_answers, _check_log, _check_cosigned, partial(_check_mark, mark)):
        try:
            part(file, report)
        except FILE_ERRORS as failed:
            report.found(f"it cannot be read on: {failed}")


def _check_structure(file: sqlite3.Connection, report: Report) -> None:
    """SQLite's own check: pages, and that indexes have what is in their tables.

    Each index is gone through as well: an entry can be found by that check though it cannot be read.
    """
    try:
        for (said,) in file.execute(f"PRAGMA integrity_check({DAMAGES_NAMED})"):
            if said != "ok":
                report.found(f"SQLite's own check: {said}")
    except FILE_ERRORS as failed:
        report.found(f"SQLite's own check: {failed}")
    for table, index, columns in _INDEXES:
        values = ", ".join([f"max({column})" for column in columns])
        try:
            file.execute(f"SELECT {values} FROM {table} INDEXED BY {index}").fetchall()
        except FILE_ERRORS as failed:
            report.found(f"the index {index} cannot be read: {failed}")


def _check_counts(file: sqlite3.Connection, report: Report) -> None:
    """Numbers have no gaps, so that no row is missing but the last."""
    for table, number, first in _NUMBERED:
        query = f"SELECT count(*), coalesce(max({number}) + 1 - {first}, 0) FROM {table}"
        count, last = file.execute(query).fetchone()
        if count != last:
            report.found(f"there are {count} {table}, numbered up to {last}")


def _check_tables(file: sqlite3.Connection, report: Report) -> None:
    tables: dict[object, _Table] = {}
    for place, table_id, ended in file.execute("SELECT place, table_id, ended FROM tables ORDER BY place"):
        report.tables += 1
        if place != report.tables:
            report.found(f"table number {report.tables} is missing")
            report.tables = place
        tables[place] = _Table(str(table_id), ended, table_start(str(table_id)))
    try:
        _check_rows(file, tables, report)
    finally:
        for table in tables.values():
            if not table.is_broken and table.number == 0:
                report.found("it has no events", table.table_id, 0, 0)
            elif not table.is_broken and table.ended is not None and table.ended != table.chain:
                report.found("it does not end as it did", table.table_id, table.hand, table.last_event)


def _check_rows(file: sqlite3.Connection, tables: dict[object, _Table], report: Report) -> None:
    query = "SELECT row, place, hand, number, time_unix_ms, body, chain FROM happenings ORDER BY row"
    for row, place, hand, number, time_unix_ms, body, chain in file.execute(query):
        report.rows += 1
        if row != report.rows:
            report.found(f"rows {report.rows} to {row - 1} of events are missing")
            report.rows = row
        table = tables.get(place)
        if table is None:
            report.found(f"row {row} is of table number {place}, which there is not")
            continue
        if table.is_broken:
            continue
        try:
            table.chain = after_row(table.chain, place, hand, number, time_unix_ms, body)
        except Exception:  # fields of other types than were written
            table.chain = b""
        if table.chain != chain:
            table.is_broken = True
            report.found("what follows is missing or changed", table.table_id, table.hand, table.last_event)
            continue
        table.hand, table.number, table.body = hand, number, body


def _check_answers(file: sqlite3.Connection, report: Report) -> None:
    chain = ANSWERS_START
    query = "SELECT number, scope, request_id, content, answer, chain FROM answers ORDER BY number"
    for number, scope, request_id, content, answer, stored in file.execute(query):
        report.answers += 1
        try:
            chain = after_answer(chain, scope, request_id, content, answer)
        except Exception:  # fields of other types than were written
            chain = b""
        if number != report.answers or chain != stored:
            report.found(f"answers to requests after number {report.answers - 1} are missing or changed")
            return


def _check_log(file: sqlite3.Connection, report: Report) -> None:
    chain, frontier = PIECES_START, Frontier()
    nodes = 0
    query = "SELECT log_index, place, piece, time_unix_ms, seal, salt, chain FROM pieces ORDER BY log_index"
    for log_index, place, piece, time_unix_ms, seal, salt, stored in file.execute(query):
        index = report.pieces
        try:
            chain = after_piece(chain, log_index, place, piece, time_unix_ms, seal, salt)
        except Exception:  # fields of other types than were written
            chain = b""
        if log_index != index or chain != stored:
            report.found(f"records of the log after number {index - 1} are missing or changed")
            return
        report.pieces += 1
        frontier, completed = grown(frontier, leaf_hash(seal))
        for level, node in enumerate(completed):
            nodes += 1
            found = file.execute(_NODE, (level, index >> level)).fetchone()
            if found is None or found[0] != node:
                report.found(f"node {index >> level} on level {level} of the log's tree is missing or changed")
    if file.execute("SELECT count(*) FROM nodes").fetchone()[0] != nodes:
        report.found("the log's tree has nodes without records below them")


def _check_cosigned(file: sqlite3.Connection, report: Report) -> None:
    for size, note, stored in file.execute("SELECT size, note, digest FROM cosigned"):
        if not isinstance(note, bytes) or digest_of_cosigned(size, note) != stored:
            report.found(f"the cosigned head of {size} records is changed")


def _check_mark(mark: HighWater | None, file: sqlite3.Connection, report: Report) -> None:
    """The store must have everything up to its mark, and the same; it may have more."""
    if mark is None:
        return
    for what, found in _lost(file, mark):
        report.found(f"the store had {what}, and {found}: commits at its end are lost, or it is an older copy")


def _lost(file: sqlite3.Connection, mark: HighWater) -> Iterator[tuple[str, str]]:
    for what, query, count, chain in (
        ("events in {} rows", "SELECT chain FROM happenings WHERE row = ?", mark.rows, mark.row_chain),
        ("{} answers", "SELECT chain FROM answers WHERE number = ?", mark.answers, mark.answer_chain),
        ("{} records in the log", "SELECT chain FROM pieces WHERE log_index = ? - 1", mark.pieces, mark.piece_chain),
    ):
        found = file.execute(query, (count,)).fetchone() if count else None
        if count and found is None:
            yield what.format(count), "the last of them is not there"
        elif found is not None and found[0] != chain:
            yield what.format(count), "the last of them is another one"
