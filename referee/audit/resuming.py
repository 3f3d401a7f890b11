"""The state file of a long audit: the result of every part that is done, a line each, written as it comes.

A killed process leaves at most a torn last line, which is dropped when the file is opened again. What was read with
other settings, or by another version of the referee, is not taken over.
"""

import fcntl
import json
import os
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from referee import __version__
from referee.audit.bulk import PartResult, Settings

FORMAT: Final = "referee-bulk/1"


class StateFileError(ValueError):
    """A file that is no state file of this audit, or that another process is writing."""


class StateFile:
    """Results by key, those of earlier runs and those added since."""

    def __init__(self, path: Path, settings: Settings) -> None:
        """Opens or begins the file. Raises StateFileError, and OSError when it cannot be read or written."""
        self.done: dict[str, PartResult] = {}
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._lock()
            self._load(_heading(settings))
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "StateFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def add(self, result: PartResult) -> None:
        """Keeps a part's result: in the operating system's hands when this returns, so that a kill loses nothing."""
        self.done[result.key] = result
        self._write(result.to_dict())

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StateFileError(f"another process is writing {self._path}") from None

    def _load(self, heading: dict[str, Any]) -> None:
        with open(self._file, "rb", closefd=False) as file:
            first = file.readline()
            if not first:
                self._write(heading)
                return
            if not first.endswith(b"\n") or _json(first) != heading:
                what = "other settings, or another version" if _is_heading(first) else "something else"
                raise StateFileError(f"{self._path} was begun with {what}; choose another state file")
            good = len(first)
            for line in file:
                told = _json(line) if line.endswith(b"\n") else None
                if told is None:
                    break
                try:
                    result = PartResult.from_dict(told)
                except (TypeError, KeyError, ValueError, AttributeError):
                    raise StateFileError(f"{self._path} holds what is no result of a part") from None
                self.done[result.key] = result
                good += len(line)
        os.truncate(self._file, good)
        os.lseek(self._file, 0, os.SEEK_END)

    def _write(self, told: dict[str, Any]) -> None:
        line = json.dumps(told, ensure_ascii=True).encode() + b"\n"
        while line:
            line = line[os.write(self._file, line) :]


def _heading(settings: Settings) -> dict[str, Any]:
    told = asdict(settings)
    return {"format": FORMAT, "referee": __version__, "settings": told | {"keys": list(settings.keys)}}


def _json(line: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _is_heading(line: bytes) -> bool:
    told = _json(line)
    return told is not None and told.get("format") == FORMAT
