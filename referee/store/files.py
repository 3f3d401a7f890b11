"""The store's file: its tables, its format, and how it is opened for writing and for reading."""

import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Final

from referee.store.items import DamagedStoreError, StoreError

FILE_ERRORS: Final = (sqlite3.Error, UnicodeError)
"""What reading a file may raise: SQLite's message about a damaged one need not be text."""

STORE_FILE: Final = "referee.sqlite"
FORMAT_VERSION: Final = 3
_PAGE_BYTES: Final = 2048
"""Of a new file. A group of happenings touches some ten pages, which are written whole: half of SQLite's usual size
costs a tenth less of an answer's time in live play, and a quarter of it more again."""

_EMPTY_BYTES: Final = 1
"""SQLite reports a file of one byte as empty: on some systems it begins a new one by writing that byte."""

_SCHEMA: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (place INTEGER PRIMARY KEY, table_id TEXT NOT NULL UNIQUE, ended BLOB);
CREATE TABLE happenings (
    row INTEGER PRIMARY KEY, place INTEGER NOT NULL, hand INTEGER NOT NULL, number INTEGER NOT NULL,
    time_unix_ms INTEGER NOT NULL, body BLOB NOT NULL, chain BLOB NOT NULL
);
CREATE UNIQUE INDEX happenings_of_a_hand ON happenings (place, hand, number);
CREATE TABLE pieces (
    log_index INTEGER PRIMARY KEY, place INTEGER NOT NULL, piece INTEGER NOT NULL,
    time_unix_ms INTEGER NOT NULL, seal BLOB NOT NULL, salt BLOB NOT NULL, chain BLOB NOT NULL
);
CREATE UNIQUE INDEX pieces_of_a_table ON pieces (place, piece);
CREATE TABLE nodes (
    level INTEGER NOT NULL, node_index INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (level, node_index)
) WITHOUT ROWID;
CREATE TABLE cosigned (size INTEGER PRIMARY KEY, note BLOB NOT NULL, digest BLOB NOT NULL);
CREATE TABLE answers (
    number INTEGER PRIMARY KEY, scope TEXT NOT NULL, request_id TEXT NOT NULL, content BLOB NOT NULL,
    answer BLOB NOT NULL, chain BLOB NOT NULL
);
CREATE UNIQUE INDEX answers_of_a_scope ON answers (scope, request_id);
"""


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Opens or creates the file; raises StoreError when it is of another format."""
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    file.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = FULL")
    file.execute("PRAGMA busy_timeout = 5000")
    if not file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        with file:
            file.executescript("BEGIN IMMEDIATE;" + _SCHEMA)
            file.execute("INSERT INTO meta VALUES ('format_version', ?)", (str(FORMAT_VERSION),))
    check_format(file, path)
    return file


def open_for_reading(path: Path, alone: bool = False) -> sqlite3.Connection:
    """Opens the file without changing it, not even what a crash left beside it; a server may have it open.

    ``alone`` promises that nobody writes it and that nothing lies beside it. Raises sqlite3.Error, also for a file that
    SQLite takes for empty.
    """
    if is_empty(path):
        raise sqlite3.DatabaseError(f"{path} is empty")
    how = "immutable=1" if alone else "mode=ro"
    uri = f"{path.absolute().as_uri()}?{how}"
    file = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    file.execute("PRAGMA busy_timeout = 5000")
    return file


def is_empty(path: Path) -> bool:
    """Whether SQLite takes a file for one that holds nothing, and would delete a write-ahead log beside it."""
    return path.exists() and path.stat().st_size <= _EMPTY_BYTES


def check_format(file: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError for a file of another format, DamagedStoreError for one whose tables are not this format's."""
    known = file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]
    found = file.execute("SELECT value FROM meta WHERE name = 'format_version'").fetchone() if known else None
    if found is None or found[0] != str(FORMAT_VERSION):
        said = "none" if found is None else found[0]
        raise StoreError(f"{path} has format {said}; this version reads format {FORMAT_VERSION}")
    if _tables_of(file) != _expected_tables():
        raise DamagedStoreError(f"{path} is damaged: its tables are not those of format {FORMAT_VERSION}")


def _tables_of(file: sqlite3.Connection) -> list[tuple[object, ...]]:
    return file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()


@lru_cache(maxsize=1)
def _expected_tables() -> list[tuple[object, ...]]:
    fresh = sqlite3.connect(":memory:")
    try:
        fresh.executescript(_SCHEMA)
        return _tables_of(fresh)
    finally:
        fresh.close()
