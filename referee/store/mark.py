"""The high-water mark: how far the store had come, in a small file beside it.

SQLite takes the end of its write-ahead log for what a crash left behind when a checksum there does not fit, and goes on
without it. A file that was cut off or damaged there would lose commits without a word. So each commit, once it is on
disk, is noted in this file; it is written but not flushed, which costs microseconds. A process that is killed leaves it
current. After a power cut it may lag behind by what the system had not yet written, never run ahead: the store then has
more than the mark says, which is right.

The file is locked as long as the store is open, so that no two processes write one store.
"""

import contextlib
import fcntl
import os
import struct
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.store.chain import ANSWERS_START, PIECES_START
from referee.store.items import DamagedStoreError, StoreError

_MAGIC: Final = b"referee-high-water/1\n"
_FIELDS: Final = struct.Struct(">Q32sQ32sQ32s")
_BYTES: Final = len(_MAGIC) + _FIELDS.size + 32
_NO_ROW: Final = bytes(32)


class HighWater(NamedTuple):
    """How many rows, answers and pieces there are, and the chain's value of the last of each."""

    rows: int = 0
    row_chain: bytes = _NO_ROW
    answers: int = 0
    answer_chain: bytes = ANSWERS_START
    pieces: int = 0
    piece_chain: bytes = PIECES_START


def mark_path(store: Path) -> Path:
    """Where the mark of a store lies."""
    return store.with_suffix(".high-water")


def read_mark(store: Path) -> HighWater | None:
    """The mark of a store, None when there is none; raises DamagedStoreError when it is not as it was written."""
    path = mark_path(store)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as failed:
        raise StoreError(f"cannot read {path}: {failed}") from failed
    if not raw:
        return None
    body = raw[:-32]
    if len(raw) != _BYTES or not body.startswith(_MAGIC) or sha256(body).digest() != raw[-32:]:
        raise DamagedStoreError(f"{path} is damaged; if `referee store check` finds nothing else, delete this file")
    return HighWater(*_FIELDS.unpack(body[len(_MAGIC) :]))


def write_mark(store: Path, mark: HighWater) -> None:
    """Writes the mark of a store that nobody has open."""
    path = mark_path(store)
    path.write_bytes(_encoded(mark))


def _encoded(mark: HighWater) -> bytes:
    body = _MAGIC + _FIELDS.pack(*mark)
    return body + sha256(body).digest()


class MarkFile:
    """The mark of a store that is open, locked until it is closed."""

    def __init__(self, store: Path) -> None:
        """Locks the mark of a store, which need not be there yet; raises StoreError when somebody else has it."""
        path = mark_path(store)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as failed:
            os.close(self._file)
            raise StoreError(f"{store} is in use by another process") from failed

    def write(self, mark: HighWater) -> None:
        """Notes how far the store has come. What it notes is on disk already, so a failure loses nothing."""
        with contextlib.suppress(OSError):
            os.pwrite(self._file, _encoded(mark), 0)

    def close(self, flush: bool = True) -> None:
        """Flushes the mark and lets go of it; a second time does nothing."""
        if self._file < 0:
            return
        with contextlib.suppress(OSError):
            if flush:
                os.fsync(self._file)
        os.close(self._file)
        self._file = -1
