"""Kozel's notation: one line for each move, written and read; docs/kozel.md says what each line means."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, TypeVar

from referee.kozel.events import End
from referee.kozel.ruleset import find_rule_set
from referee.kozel.setup import EMPTY_ACCOUNT, FIRST_ROUND, Account, RoundSetup
from referee.kozel.tiles import parse_tile, tile_text, tiles_text
from referee.record.hand_record import NotationError
from referee.record.kozel_record import Deed, RecordedDeed, RecordedEnd, RecordedRound

MAX_LINES: Final = 2_000
"""Lines of one round."""
MAX_LINE_LETTERS: Final = 400
MAX_NUMBER: Final = 1_000_000

Item = TypeVar("Item")
Lines = dict[str, tuple[int, list[str]]]
"""Lines that a round has once, by their name: where each stands, and its other words."""

_END_TEXTS: Final = {End.NONE: "", End.LEFT: " left", End.RIGHT: " right"}
_ENDS: Final = {"left": End.LEFT, "right": End.RIGHT}
_WORDS: Final = {"knocks": Deed.KNOCK, "out": Deed.OUT, "fish": Deed.FISH, "time": Deed.TIMEOUT}


# --- writing --------------------------------------------------------------------------------------------


def account_text(account: Account) -> str:
    """An account: ``25`` open, ``+7`` remembered, ``-`` nothing."""
    if account.is_open:
        return str(account.score)
    return f"+{account.remembered}" if account.remembered else "-"


def write_round(record: RecordedRound) -> str:
    """Writes one round, whose rule set must be a published one, as :func:`read_rounds` reads it."""
    setup = record.setup
    lines = [f"kozel {setup.rule_set.full_name}"]
    if setup.hand_id:
        lines.append(f"round {setup.hand_id}")
    lines.append(_row("seats", setup.seats))
    if any([account != EMPTY_ACCOUNT for account in setup.accounts]):
        lines.append(_row("accounts", [account_text(account) for account in setup.accounts]))
    if setup.carry:
        lines.append(f"carry {setup.carry}")
    if setup.leader_seat != FIRST_ROUND:
        lines.append(f"lead {setup.leader_seat}")
    lines.extend([f"deck {tiles_text(deck)}" for deck in setup.decks])
    lines.extend([deed_text(deed) for deed in record.deeds])
    end = record.end
    if end.counts is not None:
        lines.append(_row("counts", end.counts))
    if end.accounts is not None:
        lines.append(_row("after", [account_text(account) for account in end.accounts]))
    if end.carry:
        lines.append(f"carried {end.carry}")
    if end.lost is not None:
        lines.append(_row("lost", end.lost))
    if end.ratings is not None:
        lines.append(_row("ratings", end.ratings))
    return "\n".join(lines) + "\n"


def write_rounds(records: Iterable[RecordedRound]) -> str:
    """Writes rounds with an empty line between them."""
    return "\n".join([write_round(record) for record in records])


def deed_text(deed: RecordedDeed) -> str:
    """One line of what was done, such as ``2 6-5 left`` or ``3 draws 4-1``."""
    if deed.deed is Deed.LAY:
        return f"{deed.seat} {tile_text(deed.tile)}{_END_TEXTS[deed.end]}"
    if deed.deed is Deed.DRAW:
        return f"{deed.seat} draws {tile_text(deed.tile)}"
    return f"{deed.seat} {deed.deed.value}"


def _row(name: str, items: Iterable[object]) -> str:
    return " ".join([name, *map(str, items)])


# --- reading --------------------------------------------------------------------------------------------


def read_rounds(text: str, source: str = "text") -> Iterator[RecordedRound | NotationError]:
    """Reads a text's rounds as :func:`read_lines` does."""
    return read_lines(text.split("\n"), source)


def read_lines(lines: Iterable[str], source: str) -> Iterator[RecordedRound | NotationError]:
    """Reads rounds one by one; one that cannot be read comes as an error and does not hide those after it."""
    chunk: list[tuple[int, list[str]]] = []
    for number, line in enumerate(chain(lines, ["kozel"]), 1):
        words = line.split("#", 1)[0].split() if len(line) <= MAX_LINE_LETTERS else [line]
        if words[:1] == ["kozel"] and chunk:
            yield _read(chunk, source)
            chunk = []
        if words and len(chunk) <= MAX_LINES:  # what is longer cannot be read anyway
            chunk.append((number, words))


def _read(chunk: list[tuple[int, list[str]]], source: str) -> RecordedRound | NotationError:
    reader = _Reader(source)
    try:
        if len(chunk) > MAX_LINES:
            raise NotationError(source, chunk[MAX_LINES][0], f"at most {MAX_LINES} lines for a round")
        for number, words in chunk:
            reader.line = number
            reader.take(words)
        return reader.record(chunk[0][0])
    except NotationError as error:
        return error


class _Reader:
    """One round while it is read."""

    def __init__(self, source: str) -> None:
        self.line = 0
        self._source = source
        self._heads: Lines = {}
        self._decks: list[tuple[int, ...]] = []
        self._deeds: list[RecordedDeed] = []
        self._ends: Lines = {}
        self._end_line = 0

    def take(self, words: list[str]) -> None:
        """Takes one line."""
        name = words[0]
        if name == "deck":
            if self._deeds or self._ends:
                raise self._fault("a deck stands before the first move")
            self._decks.append(tuple([self._tile(word) for word in words[1:]]))
        elif name in ("kozel", "round", "seats", "accounts", "carry", "lead"):
            self._once(self._heads, name, words, late=bool(self._decks or self._deeds or self._ends))
        elif name in ("counts", "after", "carried", "lost", "ratings"):
            self._once(self._ends, name, words, late=False)
            self._end_line = self._end_line or self.line
        elif self._ends:
            raise self._fault("nothing is done after the end")
        else:
            self._deeds.append(self._deed(words))

    def record(self, line: int) -> RecordedRound:
        """The round, when all lines are taken."""
        self.line = line
        try:
            rule_set = find_rule_set(self._one(self._heads, "kozel"))
        except KeyError:
            raise self._fault("the name of a published rule set, such as kozel/on-all@1") from None
        seats = self._numbers(self._heads, "seats")
        if seats is None:
            raise self._fault("a line 'seats' with the seats clockwise")
        accounts = self._accounts(self._heads, "accounts") or (EMPTY_ACCOUNT,) * len(seats)
        setup = RoundSetup(
            rule_set,
            seats,
            tuple(self._decks),
            accounts,
            self._number(self._heads, "lead") or FIRST_ROUND,
            self._number(self._heads, "carry") or 0,
            self._one(self._heads, "round") if "round" in self._heads else "",
        )
        end = RecordedEnd(
            self._numbers(self._ends, "counts"),
            self._accounts(self._ends, "after"),
            (self._number(self._ends, "carried") or 0) if self._ends else None,
            self._numbers(self._ends, "lost"),
            self._numbers(self._ends, "ratings"),
            self._end_line,
        )
        return RecordedRound(setup, tuple(self._deeds), end, self._source, line)

    def _deed(self, words: list[str]) -> RecordedDeed:
        seat, rest = self._whole(words[0]), words[1:]
        if len(rest) == 1 and rest[0] in _WORDS:
            return RecordedDeed(_WORDS[rest[0]], seat, line=self.line)
        if len(rest) == 2 and rest[0] == "draws":
            return RecordedDeed(Deed.DRAW, seat, self._tile(rest[1]), line=self.line)
        if len(rest) == 1 or (len(rest) == 2 and rest[1] in _ENDS):
            end = _ENDS[rest[1]] if len(rest) == 2 else End.NONE
            return RecordedDeed(Deed.LAY, seat, self._tile(rest[0]), end, self.line)
        raise self._fault("a move such as '2 6-5 left', '2 draws 4-1', '2 knocks', '2 out', '2 fish' or '2 time'")

    def _once(self, where: Lines, name: str, words: list[str], late: bool) -> None:
        if late:
            raise self._fault(f"the line {name!r} stands before decks and moves")
        if name in where:
            raise self._fault(f"one line {name!r}")
        where[name] = self.line, words[1:]

    def _one(self, where: Lines, name: str) -> str:
        self.line, words = where.get(name, (self.line, []))
        if len(words) != 1:
            raise self._fault(f"a line {name!r} with one word")
        return words[0]

    def _number(self, where: Lines, name: str) -> int | None:
        return self._whole(self._one(where, name)) if name in where else None

    def _numbers(self, where: Lines, name: str) -> tuple[int, ...] | None:
        return self._each(where, name, self._whole)

    def _accounts(self, where: Lines, name: str) -> tuple[Account, ...] | None:
        return self._each(where, name, self._account)

    def _each(self, where: Lines, name: str, read: Callable[[str], Item]) -> tuple[Item, ...] | None:
        if name not in where:
            return None
        self.line, words = where[name]
        return tuple([read(word) for word in words])

    def _account(self, word: str) -> Account:
        if word == "-":
            return EMPTY_ACCOUNT
        if word.startswith("+"):
            return Account(0, self._whole(word[1:]), False)
        return Account(self._whole(word), 0, True)

    def _tile(self, word: str) -> int:
        try:
            return parse_tile(word)
        except ValueError:
            raise self._fault(f"a tile such as 6-5, the higher half first, instead of {word[:20]!r}") from None

    def _whole(self, word: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 7 and int(word) <= MAX_NUMBER):
            raise self._fault(f"a whole number up to {MAX_NUMBER} instead of {word[:20]!r}")
        return int(word)

    def _fault(self, expected: str) -> NotationError:
        return NotationError(self._source, self.line, expected)
