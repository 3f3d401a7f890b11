"""A store small enough that every place of it can be damaged in turn, and what is then said of each damaged copy.

Its pages are SQLite's smallest, so that a commit writes few bytes: every length and every bit of it is a matter of
minutes. What damages is opened as the server opens it, in this process.
"""

import asyncio
import multiprocessing
import shutil
import sqlite3
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from referee.store.integrity import check
from referee.store.mark import mark_path
from referee.store.sqlite import SqliteStore, StoreError
from tests.store.stores import NAME, Written, appends, is_intact, write
from tests.support import LONG

WAL, MARK, INDEX = f"{NAME}-wal", mark_path(Path(NAME)).name, f"{NAME}-shm"
PAGE_BYTES = 512
PROCESSES = 2 if LONG else 1
PLACES_A_TURN = 2_000


@dataclass
class Small:
    """A store's files, what was acknowledged after each commit, and the mark as it then was."""

    files: dict[str, bytes]
    after: list[Written]
    marks: list[bytes]


def small_store(folder, closed=False):
    """Makes the store in an empty folder: ``closed``, or as a killed process leaves it.

    Then half of it is in the file itself and half in the write-ahead log.
    """
    path = folder / NAME
    SqliteStore(path).close()
    file = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = DELETE", f"page_size = {PAGE_BYTES}"):
        file.execute(f"PRAGMA {pragma}")
    file.execute("VACUUM")
    file.execute("PRAGMA journal_mode = WAL")
    file.close()
    store, written = SqliteStore(path), Written()
    after, marks = [], []
    some = list(appends(hands=1))
    for at, append in enumerate(some):
        if at == len(some) // 2:
            store._file.execute("PRAGMA wal_checkpoint(PASSIVE)")
        asyncio.run(write(store, written, [append]))
        after.append(deepcopy(written))
        marks.append((folder / MARK).read_bytes())
    if closed:
        store.close()
    files = {one.name: one.read_bytes() for one in folder.iterdir()}
    store.close()
    return Small(files, after, marks)


@dataclass(frozen=True)
class Damage:
    """One file cut off at a length, or with one bit flipped (``bit`` counts from the file's beginning)."""

    name: str
    length: int = -1
    bit: int = -1

    def of(self, whole):
        """The damaged bytes."""
        if self.bit < 0:
            return whole[: self.length]
        damaged = bytearray(whole)
        damaged[self.bit // 8] ^= 1 << self.bit % 8
        return bytes(damaged)


@dataclass(frozen=True)
class Changed:
    """A closed store's file with something done to its rows, which leaves its pages, counts and indexes in order."""

    statements: tuple[str, ...]
    name = NAME

    def of(self, whole):
        """The damaged bytes."""
        with _in_memory(whole) as file:
            for statement in self.statements:
                assert file.execute(statement).rowcount == 1, self
            return _with_journal(file.serialize(), _WAL_MODE)


_ROLLBACK_MODE, _WAL_MODE = b"\1\1", b"\2\2"


def _with_journal(file, mode):
    """A file's bytes with the two of its header that say how it is written."""
    return file[:18] + mode + file[20:]


@contextmanager
def _in_memory(whole):
    """The file in memory, where there can be no write-ahead log."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as file:
        file.deserialize(_with_journal(whole, _ROLLBACK_MODE))
        yield file


def _tables_of(small):
    """The tables of a closed store: name, which columns make the key, and the rows by column."""
    with _in_memory(small.files[NAME]) as file:
        for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = file.execute(f"SELECT name, pk FROM pragma_table_info('{table}')").fetchall()
            names = [name for name, _ in columns]
            keys = [name for name, key in columns if key]
            rows = file.execute(f"SELECT * FROM {table} ORDER BY {', '.join(keys)}").fetchall()
            yield table, keys, [dict(zip(names, row, strict=True)) for row in rows]


def _where(keys, row):
    return " AND ".join([f"{key} = {_literal(row[key])}" for key in keys])


def _literal(value):
    match value:
        case None:
            return "NULL"
        case bytes():
            return f"x'{value.hex()}'"
        case str():
            return f"CAST({_literal(value.encode())} AS TEXT)"
        case _:
            return str(value)


BITS_OF_A_NUMBER = 20


def changed_rows(small, step):
    """Each bit of each value of each row flipped, or each ``step`` of a value's; of a number the lowest ones."""
    for table, keys, rows in _tables_of(small):
        for row in rows:
            for column, value in row.items():
                for flipped in _flipped(value, step):
                    change = f"UPDATE OR REPLACE {table} SET {column} = {flipped} WHERE {_where(keys, row)}"
                    yield Changed((change,))


def _flipped(value, step):
    """A value with each bit flipped in turn, as SQL."""
    match value:
        case None:
            yield "x''"
        case int():
            yield from [str(value ^ 1 << bit) for bit in range(0, BITS_OF_A_NUMBER, step)]
        case str():
            yield from [f"CAST({one} AS TEXT)" for one in _flipped(value.encode(), step)]
        case _:
            for bit in range(0, 8 * len(value), step):
                flipped = bytearray(value)
                flipped[bit // 8] ^= 1 << bit % 8
                yield _literal(bytes(flipped))


def moved_rows(small):
    """Each row dropped, and each row and the next one of its chain with everything but their keys exchanged.

    Events are chained by tables of play: that those of two of them have one another's row numbers changes nothing.
    """
    for table, keys, rows in _tables_of(small):
        dropped = [f"DELETE FROM {table} WHERE {_where(keys, row)}" for row in rows]
        yield from [Changed((one,)) for one in dropped]
        for at, row in enumerate(rows):
            for next_at in range(at + 1, len(rows)):
                following = rows[next_at]
                if table == "happenings" and following["place"] != row["place"]:
                    continue
                swapped = [row | {key: following[key] for key in keys}, following | {key: row[key] for key in keys}]
                inserted = [f"INSERT INTO {table} VALUES ({', '.join(map(_literal, one.values()))})" for one in swapped]
                yield Changed((dropped[at], dropped[next_at], *inserted))
                break


@dataclass
class Outcomes:
    """What was said of damaged copies: how often which kind of outcome, and damages that broke a promise."""

    counts: Counter = field(default_factory=Counter)
    broken: list = field(default_factory=list)

    def add(self, other):
        self.counts += other.counts
        self.broken += other.broken


def outcome(folder, small, damage, mark):
    """What becomes of a damaged copy: ``refused``, or how many commits are there when it opens; raises AssertionError.

    A refusal names the file, changes nothing, and places each damage after events that were acknowledged. A store that
    opens has what was acknowledged up to some commit and nothing else.
    """
    given = lay(folder, small, damage, mark)
    try:
        store = SqliteStore(folder / NAME)
    except StoreError as error:
        refused = error
    else:
        try:
            assert store.was_marked == bool(given[MARK])
            return _commits_in(store, small)
        finally:
            store.close()
    assert NAME.removesuffix(".sqlite") in str(refused), refused
    for name in (NAME, WAL, MARK):
        if given.get(name) is not None:
            assert (folder / name).read_bytes() == given[name], f"a refused store's {name} was changed"
    _names_good_events(folder, small)
    return "refused"


def lay(folder, small, damage, mark):
    """Lays a damaged copy into a folder of its own; returns its files' contents, None for one that there is not."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    given = small.files | {MARK: mark, damage.name: damage.of(small.files[damage.name])}
    for name, content in given.items():
        if content is not None:
            (folder / name).write_bytes(content)
    return given


def _names_good_events(folder, small):
    """The last good event that is named for a damaged table is one of those that were acknowledged."""
    try:
        report = check(folder / NAME)
    except StoreError:  # not even the beginning of it can be read
        return
    assert not report.is_whole
    good = {(table_id, 0, 0) for table_id in small.after[-1].rows}
    good |= {(table_id, row.hand, row.number + 1) for table_id, rows in small.after[-1].rows.items() for row in rows}
    for one in report.damages:
        assert one.what
        if one.table_id in small.after[-1].rows:
            assert (one.table_id, one.hand, one.event) in good, one


def _commits_in(store, small):
    """After how many commits the store is as this one is."""
    rows = sum(len(store.rows(one, 0, store.last_hand(one))) for one in store.table_ids())
    for commits, written in enumerate(small.after, 1):
        if sum(map(len, written.rows.values())) == rows:
            assert is_intact(store, written, list(written.rows)), f"not what was acknowledged after {commits} commits"
            return commits
    assert rows == 0, f"{rows} rows are those of no commit"
    return 0


def outcomes(small, damages, mark, most_lost=0):
    """What is said of each of these damages, over the processes that there are; at most so many commits may be gone.

    ``mark`` is the high-water mark that lies beside each copy, None for none.
    """
    listed = list(damages)
    turns = [listed[at : at + PLACES_A_TURN] for at in range(0, len(listed), PLACES_A_TURN)]
    total = Outcomes()
    if PROCESSES == 1 or len(turns) == 1:
        for turn in turns:
            total.add(_outcomes(small, turn, mark, most_lost))
        return total
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        count = len(turns)
        for found in pool.map(_outcomes, [small] * count, turns, [mark] * count, [most_lost] * count):
            total.add(found)
    return total


def _outcomes(small, damages, mark, most_lost):
    found = Outcomes()
    fewest = len(small.after) - most_lost
    with tempfile.TemporaryDirectory(dir=_memory()) as scratch:
        for damage in damages:
            try:
                how = outcome(Path(scratch) / "copy", small, damage, mark)
                assert how == "refused" or how >= fewest, f"only {how} commits are left, and nothing says so"
            except Exception as failed:  # what else is raised is not a clear error
                found.broken.append((damage, repr(failed)))
                continue
            found.counts[how if how == "refused" else len(small.after) - how] += 1
    return found


@lru_cache(maxsize=1)
def _memory():
    """A file system in memory where there is one: a disk would only be written to."""
    shm = Path("/dev/shm")
    return str(shm) if shm.is_dir() else None
