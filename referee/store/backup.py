"""Copies of a server's folder while the server runs: the store as it is at one moment, and the files beside it."""

import os
import secrets
import shutil
import sqlite3
import stat
import tarfile
from pathlib import Path
from typing import Final

from referee.store.durable import flush, flush_folder, write_new
from referee.store.files import FILE_ERRORS, STORE_FILE, open_for_reading
from referee.store.integrity import Report, check
from referee.store.items import StoreError
from referee.store.mark import mark_path, read_mark, write_mark

ARCHIVE: Final = ".tar"
DATABASE: Final = ".sqlite"


def back_up(folder: Path, to: Path) -> Report:
    """Copies a server's folder to a new folder, or into a new file if its name ends with ``.tar``; checks the copy.

    The copy appears under its name only when it is complete, flushed and found whole; when the report says that it is
    not, there is none. Secrets keep their permissions. Raises StoreError when there is no store that can be read or
    the copy cannot be written, FileExistsError when something is there already.
    """
    if to.exists() or to.is_symlink():
        raise FileExistsError(f"{to} is there already")
    partial = to.with_name(f"{to.name}.partial-{secrets.token_hex(4)}")
    try:
        partial.mkdir(mode=0o700, parents=True)
        _copy_store(folder / STORE_FILE, partial / STORE_FILE)
        _copy_files(folder, partial)
        flush_folder(partial)
        report = check(partial / STORE_FILE, alone=True)
        if report.is_whole:
            _archive(partial, to) if to.suffix == ARCHIVE else partial.rename(to)
            flush_folder(to.parent)
        return report
    except FileExistsError:
        raise
    except (*FILE_ERRORS, OSError, tarfile.TarError) as failed:
        raise StoreError(f"cannot copy {folder} to {to}: {failed}") from failed
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _copy_store(store: Path, copy: Path) -> None:
    if not store.is_file():
        raise StoreError(f"there is no store {store}")
    # Read before: the copy must have at least what the store had then, or the store itself has lost something.
    mark = read_mark(store)
    _copy_database(store, copy)
    if mark is not None:
        write_mark(copy, mark)
        flush(mark_path(copy))


def _copy_database(source: Path, copy: Path) -> None:
    """Copies a database as it is at one moment, whoever may be writing it."""
    reading = open_for_reading(source)
    try:
        writing = sqlite3.connect(copy)
        try:
            reading.backup(writing)
        finally:
            writing.close()
    finally:
        reading.close()
    copy.chmod(stat.S_IMODE(source.stat().st_mode))
    flush(copy)


def _copy_files(folder: Path, to: Path) -> None:
    """Copies what lies beside the store: secrets, tokens, keys, and other databases, such as that of long audits."""
    store = folder / STORE_FILE
    for path in sorted(folder.iterdir()):
        if path.suffix == DATABASE and path != store:
            _copy_database(path, to / path.name)
        elif path.is_file() and path not in (store, mark_path(store)) and not _is_passing(path):
            mode = stat.S_IMODE(path.stat().st_mode)
            write_new(to / path.name, path.read_bytes(), 0o600)
            (to / path.name).chmod(mode)


def _is_passing(path: Path) -> bool:
    """Whether a file belongs to a database that is open, or is being written."""
    return path.suffix == ".new" or path.name.endswith(
        tuple(f"{DATABASE}{end}" for end in ("-wal", "-shm", "-journal"))
    )


def _archive(folder: Path, to: Path) -> None:
    made = folder / f"{STORE_FILE}{ARCHIVE}"
    file = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "wb") as writing, tarfile.open(fileobj=writing, mode="w") as archive:
        for path in sorted(folder.iterdir()):
            if path != made:
                archive.add(path, path.name)
    flush(made)
    os.link(made, to)  # unlike a rename it never replaces what is there
