"""Checkpoints: the head of a log as a note's text (C2SP tlog-checkpoint)."""

import re
from dataclasses import dataclass
from typing import Final

from referee.merkle.hashing import EMPTY_ROOT, HASH_BYTES, MAX_SIZE
from referee.record.log.errors import NoteFormatError
from referee.record.log.keys import decode_base64, encode_base64

_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


@dataclass(frozen=True)
class Checkpoint:
    """A log's name (its *origin*), how many records it has, and the root of the tree over them.

    ``extensions`` are further lines, of which nothing is known. Raises NoteFormatError for what is no checkpoint.
    """

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.origin or _breaks(self.origin):
            raise NoteFormatError(1, f"{self.origin!r} is no name of a log: one line that is not empty")
        if not 0 <= self.size <= MAX_SIZE:
            raise NoteFormatError(2, f"size {self.size}; expected 0 to {MAX_SIZE}")
        if len(self.root) != HASH_BYTES:
            raise NoteFormatError(3, f"a root of {len(self.root)} bytes; expected {HASH_BYTES}")
        if self.size == 0 and self.root != EMPTY_ROOT:
            raise NoteFormatError(3, "a log without records has another root")
        for line, extension in enumerate(self.extensions, 4):
            if not extension or _breaks(extension):
                raise NoteFormatError(line, f"{extension!r} is no further line: one line that is not empty")

    @property
    def text(self) -> str:
        """The note's text, ending with a newline."""
        lines = (self.origin, str(self.size), encode_base64(self.root), *self.extensions)
        return "".join([f"{line}\n" for line in lines])


def parse_checkpoint(text: str) -> Checkpoint:
    """Reads a note's text as a checkpoint; raises NoteFormatError with the line. It has one spelling."""
    lines = text.split("\n")
    if lines[-1]:
        raise NoteFormatError(len(lines), "the last line has no end")
    lines.pop()
    if len(lines) < 3:
        raise NoteFormatError(len(lines) + 1, f"{len(lines)} lines; expected a log's name, a size and a root")
    origin, size, encoded, *extensions = lines
    if not _SIZE.fullmatch(size):
        raise NoteFormatError(2, f"{size!r} is not a size: digits without a leading zero")
    try:
        root = decode_base64(encoded)
    except ValueError as error:
        raise NoteFormatError(3, str(error)) from error
    return Checkpoint(origin, int(size), root, tuple(extensions))


def _breaks(line: str) -> bool:
    """Whether a line has a control character, a newline among them: a note may not."""
    return any([letter < " " for letter in line])
