"""Small files that are written in one piece and flushed: whoever reads one, even after a crash, reads old or new."""

import os
from pathlib import Path


def replace_file(path: Path, data: str | bytes, mode: int) -> None:
    """Writes a file in place of what was there; ``mode`` are its permissions. Raises OSError."""
    made = path.with_name(f"{path.name}.new")
    made.unlink(missing_ok=True)
    write_new(made, data, mode)
    made.replace(path)
    flush_folder(path.parent)


def write_new(path: Path, data: str | bytes, mode: int) -> None:
    """Writes a file that is not there yet, and flushes it; raises FileExistsError, OSError."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(file, "wb") as writing:
        writing.write(data.encode() if isinstance(data, str) else data)
        writing.flush()
        os.fsync(writing.fileno())


def flush(path: Path) -> None:
    """Flushes a file that is written."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def flush_folder(folder: Path) -> None:
    """Flushes the names in a folder."""
    flush(folder)
