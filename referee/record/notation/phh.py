"""Reads PHH, poker hand histories in TOML: one hand in a ``.phh`` file, many in a ``.phhs`` file as tables.

Beyond PHH's NT and FT the variant codes PT (pot-limit hold'em) and NI, PI, FI (Irish) are read with the same grammar;
a discard is ``pN sd XxYy``, with ``????`` where nobody saw it. Players are listed from the seat left of the button;
heads-up the button comes last and posts the small blind. Where a record does not name its rule set in the field
``_rule_set``, a default is taken. Further fields of our own: ``_rake``, ``_total_pot``, ``_unit`` (what one chip is
worth), ``_chip_unit``, ``_small_blind``, ``_button``, ``_stacks_known``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from io import StringIO
from typing import Final, Protocol

from mypy_extensions import mypyc_attr

from referee.record.hand_record import HandRecord, NotationError, RecordedResult
from referee.record.notation.amounts import ONE, common_unit, in_chips, is_finite, is_unit, whole_chips
from referee.record.notation.holes import gave_up_seats, merged_with_steps, shown_seats
from referee.record.notation.house import House, choose_house
from referee.record.notation.phh_actions import Script
from referee.record.notation.phh_fields import (
    BUTTON,
    CHIP_UNIT,
    NOTATION,
    RAKE,
    READ_FIELDS,
    RULE_SET,
    SMALL_BLIND,
    STACKS_KNOWN,
    TOTAL_POT,
    UNIT,
    Amount,
    Fields,
)
from referee.record.notation.phh_outline import Outline, outline_of
from referee.record.notation.phh_stakes import Posting, read_posting
from referee.record.notation.toml_text import fact_text
from referee.rules.ruleset import MAX_SEATS, AnteKind, Limit, RuleSet, Stakes
from referee.rules.setup import HandSetup, deck_from

DEEP_BIG_BLINDS: Final = 1_000_000
"""How many big blinds a stack is taken for that the notation does not know."""

MAX_HAND_BYTES: Final = 262_144
"""Characters of one hand's table."""

_USUAL_LETTERS: Final = 40
"""Letters of a header that is found without a look at each line."""

_HEADER: Final = re.compile(r"\[([^\[\],]+)\]\s*(?:#.*)?")


class KnownHands(Protocol):
    """Hands that whoever reads an archive knows already: they need not be read."""

    def is_right(self, hand: Outline) -> bool:
        """Whether a hand is known, cards and all, to be right."""

    def meet(self, hand: Outline, record: HandRecord) -> None:
        """Takes note of a plainly written hand that was not known, and of how it was read."""


@mypyc_attr(acyclic=True, free_list_len=1)
class _Table:
    """The lines of one TOML table; ``line`` is that of the first one after the header, counted from 1.

    ``text`` has no more than a hand may have, ``size`` is that of all.
    """

    def __init__(self, name: str, line: int, text: str, size: int) -> None:
        self.name = name
        self.line = line
        self.text = text
        self.size = size


def read_phh(
    lines: Iterable[str], source: str, rule_set: RuleSet | None = None
) -> Iterator[HandRecord | NotationError]:
    """Reads the hands of a PHH file one by one; a hand that cannot be read comes as the error that says why.

    A table header stands at the beginning of its line, and no other line begins with ``[``.
    """
    for read in read_unknown(lines, source, rule_set, None):
        assert read is not None, "no hand is known"
        yield read


def read_unknown(
    lines: Iterable[str] | str, source: str, rule_set: RuleSet | None, known: KnownHands | None
) -> Iterator[HandRecord | NotationError | None]:
    """Reads as :func:`read_phh` does, but None comes for each hand that is known to be right.

    ``lines`` may be the whole text, each line of which ends with a line feed.
    """
    seen: set[str] = set()
    for table in _tables_of_text(lines) if isinstance(lines, str) else _tables(lines):
        try:
            if table.name in seen:
                raise NotationError(source, table.line - 1, f"expected a new table; [{table.name}] was there before")
            seen.add(table.name)
            if table.size > MAX_HAND_BYTES:
                raise NotationError(source, table.line, f"expected at most {MAX_HAND_BYTES} characters for one hand")
            outline = None if known is None else outline_of(table.text)
            if known is not None and outline is not None and known.is_right(outline):
                yield None
                continue
            fields = Fields(list(StringIO(table.text)), source, table.line)
            record = read_hand(fields, rule_set)
            if known is not None and outline is not None and fields.is_plain:
                known.meet(outline, record)
            yield record
        except NotationError as error:
            yield error


def _tables_of_text(text: str) -> Iterator[_Table]:
    """The tables of a text; where a header is not written as usual, from there on by a look at each line."""
    begin, line = 0, 1
    name = _usual_name(text, 0)
    while name:
        body = begin + len(name) + len("[]\n")
        end = text.find("\n[", body - 1) + 1
        if not end:
            yield _Table(name, line + 1, text[body:], len(text) - body)
            return
        next_name = _usual_name(text, end)
        if not next_name:
            break  # What begins there may be no header.
        yield _Table(name, line + 1, text[body:end], end - body)
        line += text.count("\n", begin, end)
        begin, name = end, next_name
    yield from _tables(StringIO(text[begin:]), line)


def _usual_name(text: str, begin: int) -> str:
    """The name in a header that is a line by itself and has letters and digits alone; empty where there is none."""
    end = text.find("]\n", begin, begin + _USUAL_LETTERS)
    name = text[begin + 1 : end] if end >= 0 and text.startswith("[", begin) else ""
    return name if name.isascii() and name.isalnum() else ""


def _tables(lines: Iterable[str], number: int = 1) -> Iterator[_Table]:
    """The tables of lines of which the first has this number."""
    name, begin, size = "", number, 0
    number -= 1
    collected: list[str] = []
    for line in lines:
        number += 1
        header = _HEADER.fullmatch(line.strip()) if line.startswith("[") else None
        if header is None:
            size += len(line)
            if size <= MAX_HAND_BYTES:
                collected.append(line)
            continue
        if name or _has_content(collected):
            yield _Table(name, begin, "".join(collected), size)
        name, begin, size = header[1].strip(), number + 1, 0
        collected = []
    if name or _has_content(collected):
        yield _Table(name, begin, "".join(collected), size)


def _has_content(lines: list[str]) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def read_hand(fields: Fields, rule_set: RuleSet | None) -> HandRecord:
    """Reads one hand; raises NotationError for what is not PHH, or not a game of the referee's."""
    frame = _frame(fields, rule_set)
    house, limit, seats = frame.house, frame.limit, frame.seats
    script = Script(fields, seats, house.rule_set.game.hole_cards)
    money = frame.money if script.wagers_are_whole else None
    if money is None:
        unit = _unit(fields, len(seats), frame.bets, script.wagers)
        stacks, stacks_known = _stacks(fields, unit)
        posting = read_posting(fields, unit, seats, stacks, limit)
        stakes = _stakes(fields, unit, posting, limit)
        if fields.is_plain and UNIT not in fields and unit is ONE and not any(fields.items("antes")):
            frame.money = (posting, stakes)
    else:
        unit = ONE
        stacks, stacks_known = _stacks(fields, unit)
        posting, stakes = money
    holes, steps = script.holes, tuple(script.steps(unit))
    if script.tells:
        holes, steps = merged_with_steps(holes, steps, house.rule_set.game.kept_cards)
    result = _result(fields, unit, len(seats), stacks_known)
    setup = HandSetup(
        house.rule_set,
        limit,
        stakes,
        seats,
        stacks,
        frame.button,
        posting.small_blind_seat,
        posting.big_blind_seat,
        deck_from(house.rule_set.game.hole_cards, tuple([holes[seat] for seat in seats]), tuple(script.board)),
        posting.posts,
        show_when_beaten=shown_seats(steps) if script.tells else (),
        recorded_rake=-1 if result.rake is None else result.rake,
        hand_id=fields.name("hand") if "hand" in fields else "",
    )
    currency, facts = _currency_and_facts(fields)
    gave_up = gave_up_seats(steps, setup) if script.tells else ()
    return HandRecord(
        replace(setup, mucked_unseen=gave_up) if gave_up else setup,
        steps,
        result,
        _players(fields, frame.players),
        NOTATION,
        fields.source,
        fields.line("variant"),
        unit,
        currency,
        house.named,
        stacks_known,
        facts,
    )


class _Frame:
    """What hands of an archive share: the game, who sits where, and, once it has been read, what is posted.

    ``bets`` are the fields of the sizes of bets, ``players`` what players without names are called. ``money`` is what
    the blinds and bets come to where they are whole chips as they are written and no ante depends on a stack.
    """

    def __init__(
        self,
        given: RuleSet | None,
        house: House,
        limit: Limit,
        bets: tuple[str, ...],
        seats: tuple[int, ...],
        button: int,
    ) -> None:
        self.given: Final = given
        self.house: Final = house
        self.limit: Final = limit
        self.bets: Final = bets
        self.seats: Final = seats
        self.button: Final = button
        self.players: Final = default_players(len(seats))
        self.money: tuple[Posting, Stakes] | None = None


_FRAMES: Final[dict[tuple[tuple[str, ...], int, int], _Frame]] = {}
"""Frames that were read, by the lines that they were read from, the number of stacks, and the rule set that was given,
by identity: a frame holds it, which keeps its id from being used again."""

_REMEMBERED_FRAMES: Final = 256
_FRAME_FIELDS: Final = frozenset(
    {
        "variant",
        "antes",
        "ante_trimming_status",
        "blinds_or_straddles",
        "min_bet",
        "small_bet",
        "big_bet",
        "seats",
        RULE_SET,
        BUTTON,
        UNIT,
        SMALL_BLIND,
        CHIP_UNIT,
    }
)


def _frame(fields: Fields, given: RuleSet | None) -> _Frame:
    """Reads what hands share, or remembers it from a hand in which the same lines said so."""
    stacks = fields.values.get("starting_stacks")
    if not fields.is_plain or not isinstance(stacks, list) or "actions" not in fields:
        return _read_frame(fields, given)
    key = (fields.lines_of(_FRAME_FIELDS), len(stacks), id(given))
    known = _FRAMES.get(key)
    if known is None:
        known = _read_frame(fields, given)
        if len(_FRAMES) >= _REMEMBERED_FRAMES:
            _FRAMES.clear()
        _FRAMES[key] = known
    return known


def _read_frame(fields: Fields, given: RuleSet | None) -> _Frame:
    fields.require(("variant",))
    game, limit = fields.variant()
    bets = ("small_bet", "big_bet") if limit == Limit.FIXED_LIMIT else ("min_bet",)
    fields.require(("antes", "blinds_or_straddles", *bets, "starting_stacks", "actions"))
    house = _house(fields, game, limit, given)
    seats, button = _seats(fields)
    return _Frame(given, house, limit, bets, seats, button)


def _house(fields: Fields, game: str, limit: Limit, given: RuleSet | None) -> House:
    named = fields.text(RULE_SET) if RULE_SET in fields else None
    try:
        return choose_house(game, limit, given, named)
    except ValueError as error:
        fields.fail(RULE_SET if given is None else "variant", str(error))


def _seats(fields: Fields) -> tuple[tuple[int, ...], int]:
    """The seats clockwise from the left of the button, and the button's: the last one's unless a field says more."""
    count = fields.players()
    seats = fields.items("seats") if "seats" in fields else list(range(1, count + 1))
    if len(seats) != count or not all(isinstance(seat, int) and 1 <= seat <= MAX_SEATS for seat in seats):
        fields.fail("seats", f"expected {count} seat numbers from 1 to {MAX_SEATS}")
    button = fields.values.get(BUTTON, seats[-1])
    if not isinstance(button, int) or not 1 <= button <= MAX_SEATS:
        fields.fail(BUTTON, f"expected a seat number from 1 to {MAX_SEATS}")
    steps = [(seat - button - 1) % MAX_SEATS for seat in seats]
    if steps != sorted(set(steps)):
        fields.fail("seats", "expected different seats, clockwise from the left of the button")
    return tuple(seats), button


def _players(fields: Fields, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    if "players" not in fields:
        return otherwise
    names = fields.items("players")
    if len(names) != len(otherwise) or not all(isinstance(name, str) for name in names):
        fields.fail("players", f"expected {len(otherwise)} names in players")
    return tuple(names)


def default_players(count: int) -> tuple[str, ...]:
    """What players are called whom a record does not name."""
    return tuple(f"p{number}" for number in range(1, count + 1))


def _unit(fields: Fields, players: int, bets: tuple[str, ...], wagers: list[Amount]) -> Decimal:
    """The largest decimal unit, at most 1, in which everything that is put in is whole; results do not count."""
    amounts = [fields.amount(key) for key in bets] + wagers
    for key in ("antes", "blinds_or_straddles"):
        amounts += fields.amounts(key, players)
    amounts += [stack for stack in fields.amounts("starting_stacks", players, finite=False) if is_finite(stack)]
    try:
        unit = common_unit(amounts)
    except ValueError as error:
        fields.fail("starting_stacks", f"expected amounts of money: {error}")
    if UNIT not in fields:
        return unit
    given = fields.amount(UNIT)
    if given == 1 and unit == 1:
        return ONE
    if isinstance(given, int) or not is_unit(given) or given > unit:
        fields.fail(UNIT, f"expected 1, 0.1, 0.01 and so on, at most {unit}, in which all amounts are whole")
    return given.normalize()


def _stacks(fields: Fields, unit: Decimal) -> tuple[tuple[int, ...], bool]:
    key = "starting_stacks"
    amounts = fields.amounts(key, fields.players(), finite=False)
    if any(amount <= 0 for amount in amounts):
        fields.fail(key, "expected starting stacks above 0")
    if all(map(is_finite, amounts)):
        return tuple(whole_chips(amount, unit) for amount in amounts), fields.flag(STACKS_KNOWN, True)
    blinds = [whole_chips(amount, unit) for amount in fields.amounts("blinds_or_straddles", len(amounts))]
    deep = DEEP_BIG_BLINDS * max(map(abs, blinds))
    return tuple(whole_chips(amount, unit) if is_finite(amount) else deep for amount in amounts), False


def _stakes(fields: Fields, unit: Decimal, posting: Posting, limit: Limit) -> Stakes:
    big_blind = posting.big_blind
    if limit == Limit.FIXED_LIMIT:
        if in_chips(fields.amount("small_bet"), unit) != big_blind:
            fields.fail("small_bet", "expected small_bet to be the big blind (BLIND-1)")
    elif in_chips(fields.amount("min_bet"), unit) != big_blind:
        fields.fail("min_bet", "expected min_bet to be the big blind (SIZE-1)")
    big_bet: int | Fraction = 0
    if "big_bet" in fields:
        big_bet = in_chips(fields.amount("big_bet"), unit)
        if big_bet.denominator != 1 or big_bet < big_blind:
            fields.fail("big_bet", "expected big_bet to be whole and at least the big blind")
    chip_unit = fields.values.get(CHIP_UNIT, 1)
    if not isinstance(chip_unit, int) or chip_unit < 1:
        fields.fail(CHIP_UNIT, "expected a whole number of 1 or more")
    late_bet = 0 if big_bet == 2 * big_blind else big_bet.numerator
    return _shared_stakes(posting.small_blind, big_blind, late_bet, posting.ante_kind, posting.ante, chip_unit)


@lru_cache(maxsize=256)
def _shared_stakes(small: int, big: int, late_bet: int, ante_kind: AnteKind, ante: int, chip_unit: int) -> Stakes:
    """The same object for the same stakes, which are then checked once and not hand by hand."""
    return Stakes(small, big, big_bet=late_bet, ante_kind=ante_kind, ante=ante, chip_unit=chip_unit)


def _result(fields: Fields, unit: Decimal, players: int, stacks_known: bool) -> RecordedResult:
    whole: list[int | None] = []
    for key in (TOTAL_POT, RAKE):
        value = in_chips(fields.amount(key), unit) if key in fields else None
        if value is not None and value.denominator != 1:
            fields.fail(key, f"expected whole chips of {unit}")
        whole.append(None if value is None else value.numerator)
    told = [key for key in ("finishing_stacks", "winnings", TOTAL_POT) if key in fields]
    return RecordedResult(
        _parts(fields, "finishing_stacks", unit, players),
        _parts(fields, "winnings", unit, players),
        whole[0],
        whole[1],
        fields.line(told[0] if told else "actions"),
    )


def _parts(fields: Fields, key: str, unit: Decimal, players: int) -> tuple[int | Fraction, ...] | None:
    if key not in fields:
        return None
    amounts = fields.amounts(key, players, finite=False)
    if unit is ONE and all([type(amount) is int for amount in amounts]):
        return tuple(amounts)  # type: ignore[arg-type]
    if not all(map(is_finite, amounts)):
        return None
    return tuple(in_chips(amount, unit) for amount in amounts)


def _currency_and_facts(fields: Fields) -> tuple[str, dict[str, str]]:
    """The symbol before the code, when a record has both; whatever else it tells is kept for writing it back."""
    others = [key for key in fields.values if key not in READ_FIELDS]
    if not others:
        return "", {}
    currency = ""
    taken: set[str] = set()
    for key in ("currency_symbol", "currency"):
        if key in fields and not currency:
            currency = fields.text(key)
            taken.add(key)
    facts: dict[str, str] = {}
    for key in others:
        if key not in taken:
            try:
                facts[key] = fact_text(fields.values[key])
            except ValueError:  # Python prints no number of thousands of digits.
                fields.fail(key, f"expected {key} to be a value that can be written")
    return currency, facts
