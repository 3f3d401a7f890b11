"""Cuts records of any size into parts that can be judged by themselves, each by a key that stays the same.

A long file or stream is cut where a hand begins; short files are taken together. The key of a part tells whether it has
been judged before: for files from their names, sizes and times, for a stream from its bytes.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final
from zlib import crc32

from referee.record.notation import Notation, recognised

RECORD_SUFFIXES: Final = (".phh", ".phhs", ".log", ".txt", ".kozel", ".bundle")
"""Files of a folder that are taken for records; a file that is named is taken whatever it is called."""

BUNDLE_SUFFIX: Final = ".bundle"
STREAM: Final = "-"

PART_BYTES: Final = 512 * 1024
"""How much of a long file is one part, give or take a hand: some seconds' work at most."""

FILES_IN_A_PART: Final = 256

LONGEST_HAND_BYTES: Final = 8 * 1024 * 1024
"""Bytes after which a place to cut is no longer looked for; no hand that can be read is nearly so long."""

_FILES_BETWEEN_CUTS: Final = 64
_HEAD_BYTES: Final = 65_536
_WIDE_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_BEGINNINGS: Final = {
    Notation.PHH: re.compile(rb"\n(?=\[)"),
    Notation.CONTEST: re.compile(rb"\n(?=STATE:)"),
    Notation.FULL_TILT: re.compile(rb"\n(?=[ \t]*Full ?Tilt ?Poker Game #)"),
    Notation.KOZEL: re.compile(rb"\n(?=[ \t]*kozel\s)"),
}
_HEADING: Final = re.compile(rb"^#[ \t]*name/game/hands/seed[^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    """A file, or what of a long one or of a stream lies between two cuts.

    ``data`` is None for a whole file that is still to be read. ``lines_before`` are those of the file before the piece,
    ``heading`` is a line from before it without which it cannot be read.
    """

    path: str
    data: bytes | None = None
    lines_before: int = 0
    heading: bytes = b""


@dataclass(frozen=True)
class Part:
    """What is judged in one go. ``place`` orders parts, ``size`` is in bytes, and ``key`` names content, not order."""

    place: int
    key: str
    size: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class _Listed:
    path: str
    size: int
    stamp: str


def find_files(paths: Iterable[Path]) -> list[Path]:
    """The files at these paths, folders searched to the bottom, in the order of their names; none twice.

    Raises OSError for a path at which there is nothing.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            for folder, below, names in os.walk(path):
                below.sort()
                found.update((Path(folder, name), None) for name in sorted(names) if name.endswith(RECORD_SUFFIXES))
        else:
            path.stat()
            found[path] = None
    return list(found)


def parts_of_files(files: Iterable[Path]) -> Iterator[Part]:
    """Cuts files into parts, in their order. Raises OSError when one cannot be opened any more."""
    place = 0
    together: list[_Listed] = []

    def taken_together() -> Part:
        nonlocal place
        place += 1
        stamps = "\n".join(one.stamp for one in together)
        size = sum(one.size for one in together)
        part = Part(place, _key(stamps.encode()), size, tuple(Piece(one.path) for one in together))
        together.clear()
        return part

    for path in files:
        stat = path.stat()
        listed = _Listed(str(path), stat.st_size, f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}")
        beginning = None if listed.size <= PART_BYTES else _beginning(path)
        if beginning is not None:
            if together:
                yield taken_together()
            with path.open("rb") as file:
                begin = 0
                for piece in cut(file, str(path), beginning, PART_BYTES):
                    place += 1
                    size = len(piece.data or b"")
                    yield Part(place, _key(f"{listed.stamp}\0{begin}\0{size}".encode()), size, (piece,))
                    begin += size
            continue
        together.append(listed)
        # Where files are parted depends on their names alone, so that one more file changes one part, not all.
        is_cut = crc32(os.fsencode(path)) % _FILES_BETWEEN_CUTS == 0
        if is_cut or len(together) == FILES_IN_A_PART or sum(one.size for one in together) > PART_BYTES:
            yield taken_together()
    if together:
        yield taken_together()


def parts_of_stream(stream: BinaryIO, name: str = STREAM, part_bytes: int = PART_BYTES) -> Iterator[Part]:
    """Cuts a stream into parts as it comes; ``name`` is what findings call it."""
    head = stream.read(_HEAD_BYTES)
    beginning = _beginning_of(head, name)
    for place, piece in enumerate(cut(_Ahead(head, stream), name, beginning, part_bytes), 1):
        data = piece.data or b""
        yield Part(place, _key(b"%d\0%s\0%s" % (place, piece.heading, data)), len(data), (piece,))


def parts_of_text(text: str, source: str, part_bytes: int = PART_BYTES) -> Iterator[Part]:
    """Cuts a text into parts."""
    return parts_of_stream(BytesIO(text.encode("utf-8")), source, part_bytes)


def hands_begun(text: str, source: str) -> int:
    """How many hands begin in a text, by what a hand begins with; 0 for a notation that is not read."""
    data = text.encode("utf-8")
    beginning = _beginning_of(data[:_HEAD_BYTES], source)
    # A PHH text of one hand has no header.
    return 0 if beginning is None else max(len(beginning.findall(b"\n" + data)), 1)


def _key(content: bytes) -> str:
    return sha256(content).hexdigest()[:32]


def _beginning(path: Path) -> "re.Pattern[bytes] | None":
    """What a hand begins with in a long file; None for one that is not cut."""
    if path.suffix == BUNDLE_SUFFIX:
        return None
    with path.open("rb") as file:
        return _beginning_of(file.read(_HEAD_BYTES), str(path))


def _beginning_of(head: bytes, source: str) -> "re.Pattern[bytes] | None":
    if head.startswith(_WIDE_MARKS):
        return None
    notation = recognised(head.decode("utf-8-sig", "replace").splitlines(keepends=True), source)
    return None if notation is None else _BEGINNINGS[notation]


class _Ahead:
    """A stream whose beginning has been read already."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int) -> bytes:
        head, self._head = self._head, b""
        return head + self._stream.read(max(size - len(head), 0))


def cut(
    stream: "BinaryIO | _Ahead", name: str, beginning: "re.Pattern[bytes] | None", part_bytes: int
) -> Iterator[Piece]:
    """Cuts a stream before the first hand that begins after ``part_bytes``, and so on.

    What has no place to cut for LONGEST_HAND_BYTES is cut there: it cannot be read anyway. Without ``beginning``
    nothing of it can be, so that only the first piece comes.
    """
    rest, lines, heading = b"", 0, b""
    while True:
        block = rest + stream.read(max(2 * part_bytes - len(rest), 0))
        at = _place_to_cut(block, beginning, part_bytes)
        while at < 0 and len(block) < LONGEST_HAND_BYTES and (more := stream.read(part_bytes)):
            block += more
            at = _place_to_cut(block, beginning, part_bytes)
        if at < 0 and len(block) >= LONGEST_HAND_BYTES:
            at = len(block)
        piece, rest = (block, b"") if at < 0 else (block[:at], block[at:])
        # An empty stream is one piece as well: there is no hand in it, as the reader will say.
        if piece or not lines:
            yield Piece(name, piece, lines, heading)
        if at < 0 or beginning is None:
            return
        lines += piece.count(b"\n")
        if beginning is _BEGINNINGS[Notation.CONTEST]:
            headings = _HEADING.findall(piece)
            heading = headings[-1] if headings else heading


def _place_to_cut(block: bytes, beginning: "re.Pattern[bytes] | None", part_bytes: int) -> int:
    """Where the next part begins in a block that is long enough, -1 where it has no such place yet."""
    if beginning is None:
        return -1
    found = beginning.search(block, part_bytes)
    return -1 if found is None else found.end()
