"""Notations of recorded hands, read into and written from the one record of their game.

That of poker is :class:`~referee.record.hand_record.HandRecord`, that of a round of Kozel
:class:`~referee.record.kozel_record.RecordedRound`.

========================  ==============================  ===============================
notation                  read by                         written by
========================  ==============================  ===============================
PHH, ``.phh`` ``.phhs``   ``phh.read_phh``                ``phh_writer.write_phh``
contest dealer's logs     ``contest.read_contest``        ``contest_writer.write_contest``
Full Tilt's text          ``full_tilt.read_full_tilt``    ``full_tilt_writer.write_full_tilt``
Kozel's                   ``kozel.read_lines``            ``kozel.write_round``
========================  ==============================  ===============================

All readers take lines and give hands one by one, so that a file of any length can be read; a hand that cannot be read
comes as a :class:`~referee.record.hand_record.NotationError` in its place and does not hide the ones after it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, cast

from referee.kozel.ruleset import RuleSet as KozelRuleSet
from referee.record.hand_record import HandRecord, NotationError
from referee.record.kozel_record import RecordedRound
from referee.record.notation.contest import read_contest
from referee.record.notation.contest_game import MAX_GAME_BYTES, GameDefinition, read_game
from referee.record.notation.contest_writer import write_contest
from referee.record.notation.full_tilt import read_full_tilt
from referee.record.notation.full_tilt_writer import write_full_tilt, write_full_tilt_hands
from referee.record.notation.kozel import read_lines
from referee.record.notation.phh import KnownHands, read_unknown
from referee.record.notation.phh_writer import write_phh, write_phhs
from referee.record.rule_sets import AnyRuleSet
from referee.rules.ruleset import RuleSet

__all__ = [
    "GameRecord",
    "KnownHands",
    "Notation",
    "read_file",
    "read_text",
    "read_unknown_of_file",
    "read_unknown_of_text",
    "recognised",
    "write_contest",
    "write_full_tilt",
    "write_full_tilt_hands",
    "write_phh",
    "write_phhs",
]

MAX_LINE_BYTES: Final = 262_144
"""Bytes of one line; a hand of PHH may have all its actions on one."""

READ_WHOLE_BYTES: Final = 8 * 1024 * 1024
"""Bytes of a file that is read at once, which is faster than line by line."""

LOOKED_AT_LINES: Final = 200
"""Lines of comment before the one that the notation is recognised by."""

_TELLING_LETTERS: Final = 100
"""Letters of a text in which the line mostly lies that the notation is recognised by."""

EXPECTED: Final = (
    "expected a hand in PHH (TOML with the field variant), the contest dealer's STATE lines, "
    "Full Tilt's text, which begins with 'Full Tilt Poker Game #', or a round of Kozel, which begins with 'kozel '"
)

GameRecord = HandRecord | RecordedRound
"""A hand of a game, as somebody wrote it down."""


class Notation(Enum):
    """The notations that are read."""

    PHH = "phh"
    CONTEST = "contest"
    FULL_TILT = "full-tilt"
    KOZEL = "kozel"


_NO_TEXT: Final = re.compile("[\0\udc80-\udcff]")
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_PHH_SUFFIXES: Final = (".phh", ".phhs")


def read_file(
    path: Path, rule_set: AnyRuleSet | None = None, game: Path | GameDefinition | None = None
) -> Iterator[GameRecord | NotationError]:
    """Reads a file's hands one by one, whichever notation it is in.

    ``rule_set`` is judged by whatever the record names; of another game than the record's it can judge none. ``game``
    is the contest dealer's game definition or its file, looked for beside the log when it is not given. Raises OSError
    when the file cannot be opened or read; bytes that are no text, and a notation that is not known, come as errors.
    """
    return _all_of(read_unknown_of_file(path, None, rule_set, game))


def read_text(
    text: str,
    source: str,
    rule_set: AnyRuleSet | None = None,
    game: Path | GameDefinition | None = None,
    folder: Path | None = None,
) -> Iterator[GameRecord | NotationError]:
    """Reads the hands of a text as :func:`read_file` does; ``source`` is what errors call it.

    Opens no other file, unless there is a ``folder`` in which the contest dealer's game definition is looked for.
    """
    return _all_of(read_unknown_of_text(text, source, None, rule_set, game, folder))


def _all_of(reads: Iterator[GameRecord | NotationError | None]) -> Iterator[GameRecord | NotationError]:
    """What is read where no hand is known, so that none is left out."""
    return cast("Iterator[GameRecord | NotationError]", reads)


def read_unknown_of_file(
    path: Path,
    known: KnownHands | None,
    rule_set: AnyRuleSet | None = None,
    game: Path | GameDefinition | None = None,
) -> Iterator[GameRecord | NotationError | None]:
    """Reads as :func:`read_file` does, but None comes for each hand that is known to be right."""
    yield from _recognised(_file(path), str(path), known, rule_set, game, path.parent)


def read_unknown_of_text(
    text: str,
    source: str,
    known: KnownHands | None,
    rule_set: AnyRuleSet | None = None,
    game: Path | GameDefinition | None = None,
    folder: Path | None = None,
) -> Iterator[GameRecord | NotationError | None]:
    """Reads as :func:`read_text` does, but None comes for each hand that is known to be right."""
    return _recognised(_text(text.removeprefix("\ufeff"), source), source, known, rule_set, game, folder)


class _Written(NamedTuple):
    """What is to be read: lines as they come, and all of it where it is in memory and nothing of it is no text."""

    lines: Iterator[str]
    text: str | None


def _recognised(
    written: _Written,
    source: str,
    known: KnownHands | None,
    rule_set: AnyRuleSet | None,
    game: Path | GameDefinition | None,
    folder: Path | None,
) -> Iterator[GameRecord | NotationError | None]:
    is_empty = True
    try:
        for read in _hands(written, source, known, rule_set, game, folder):
            is_empty = False
            yield read
        if is_empty:
            raise NotationError(source, 1, EXPECTED)
    except NotationError as error:
        yield error


def _hands(
    written: _Written,
    source: str,
    known: KnownHands | None,
    rule_set: AnyRuleSet | None,
    game: Path | GameDefinition | None,
    folder: Path | None,
) -> Iterator[GameRecord | NotationError | None]:
    first = list(_up_to_the_telling_line(written.lines))
    whole = chain(first, written.lines)
    notation = recognised(first, source)
    if notation is Notation.KOZEL:
        if isinstance(rule_set, RuleSet):
            raise NotationError(source, len(first), f"a hand of poker, to be judged by {rule_set.full_name}")
        return _rounds(whole, source, rule_set)
    if isinstance(rule_set, KozelRuleSet):
        raise NotationError(source, max(len(first), 1), f"a round of Kozel, to be judged by {rule_set.full_name}")
    match notation:
        case Notation.PHH:
            return read_unknown(whole if written.text is None else written.text, source, rule_set, known)
        case Notation.CONTEST:
            return read_contest(whole, source, rule_set, _game(game), folder)
        case Notation.FULL_TILT:
            return read_full_tilt(whole, source, rule_set)
        case _:
            raise NotationError(source, max(len(first), 1), EXPECTED)


def _rounds(
    lines: Iterator[str], source: str, rule_set: KozelRuleSet | None
) -> Iterator[RecordedRound | NotationError]:
    for read in read_lines(lines, source):
        if rule_set is None or isinstance(read, NotationError):
            yield read
        else:
            yield replace(read, setup=replace(read.setup, rule_set=rule_set))


def recognised(lines: Iterable[str], source: str) -> Notation | None:
    """The notation of a text by the name of its source and its first lines; None for one that is not read."""
    first = list(_up_to_the_telling_line(iter(lines)))
    telling = first[-1].strip() if first else ""
    if source.endswith(_PHH_SUFFIXES) or _is_toml(telling):
        return Notation.PHH
    if telling.startswith(("STATE:", "SCORE:")):
        return Notation.CONTEST
    if telling.startswith(("Full Tilt Poker Game", "FullTiltPoker Game")):
        return Notation.FULL_TILT
    return Notation.KOZEL if telling.split(maxsplit=1)[:1] == ["kozel"] else None


def _up_to_the_telling_line(lines: Iterator[str]) -> Iterator[str]:
    """Lines up to the first that is neither empty nor a comment."""
    for _ in range(LOOKED_AT_LINES):
        line = next(lines, None)
        if line is None:
            return
        yield line
        if line.strip() and not line.startswith("#"):
            return


def _is_toml(line: str) -> bool:
    key, equals, _ = line.partition("=")
    is_key = bool(equals) and key.strip().strip("\"'").replace("_", "").replace("-", "").isalnum()
    return is_key or (line.startswith("[") and line.partition("#")[0].strip().endswith("]"))


def _game(game: Path | GameDefinition | None) -> GameDefinition | None:
    if not isinstance(game, Path):
        return game
    if game.stat().st_size > MAX_GAME_BYTES:
        raise NotationError(str(game), 1, f"expected a game definition of at most {MAX_GAME_BYTES} bytes")
    return read_game("".join(_file(game).lines), str(game))


def _text(text: str, source: str) -> _Written:
    is_text = "\0" not in text if text.isascii() else _NO_TEXT.search(text) is None
    if is_text and _has_short_lines(text):
        # Nearly always all is well, and that is seen faster for all lines at once.
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return _Written(_lines(text), text)
    return _Written(_checked(StringIO(text, newline=None), source), None)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text. The first are taken one by one, because often nobody wants the others."""
    begin = 0
    while begin < len(text) and begin < _TELLING_LETTERS:
        end = text.find("\n", begin) + 1 or len(text)
        yield text[begin:end]
        begin = end
    yield from StringIO(text[begin:])


def _has_short_lines(text: str) -> bool:
    """Whether a line ends in every stretch of half the letters that a line may have; then none has more than it may."""
    stretch = MAX_LINE_BYTES // 2
    return all(text.find("\n", begin, begin + stretch) >= 0 for begin in range(0, len(text) - stretch, stretch))


def _file(path: Path) -> _Written:
    with path.open("rb") as file:
        wide = file.read(2) in _UTF_16_MARKS
    # Bytes that are no text are kept as surrogates, which then tell their line.
    encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
    if 0 < path.stat().st_size <= READ_WHOLE_BYTES:  # a pipe has no size
        return _text(path.read_text(encoding, errors), str(path))
    return _Written(_lines_of(path, encoding, errors), None)


def _lines_of(path: Path, encoding: str, errors: str) -> Iterator[str]:
    with path.open(encoding=encoding, errors=errors, newline=None) as lines:
        yield from _checked(_bounded(lines.readline), str(path))


def _bounded(readline: Callable[[int], str]) -> Iterator[str]:
    while line := readline(MAX_LINE_BYTES + 1):
        yield line


def _checked(lines: Iterable[str], source: str) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_BYTES:
            raise NotationError(source, number, f"expected lines of at most {MAX_LINE_BYTES} bytes")
        if _NO_TEXT.search(line):
            raise NotationError(source, number, "expected text in UTF-8, not other bytes")
        yield line
