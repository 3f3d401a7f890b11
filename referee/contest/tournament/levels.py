"""Levels of a tournament (TOUR-1), and the *standard* and *escalator* structures (TOUR-3)."""

from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate
from typing import Final

from referee.rules.ruleset import MAX_CHIPS, AnteKind, Limit, RuleSet, RuleSetError, Stakes, check_stakes

MAX_LEVELS: Final = 200
MINUTE_MS: Final = 60_000
MIN_ESCALATOR_LEVELS: Final = 11
_LADDER: Final = (10, 15, 20, 30, 40, 60, 80)
"""Big blinds of a decade of levels, in tenths of the first one; the next decade is ten times as much."""
_FIRST_ANTE: Final = 3
"""The first level, from 0, with antes, where there are any."""


class LengthUnit(Enum):
    """What the length of a level counts."""

    HANDS = "hands"
    MINUTES = "minutes"


@dataclass(frozen=True)
class Level:
    """Blinds, ante and length of a level (TOUR-1); amounts in chips, the length in the unit of its structure."""

    small_blind: int
    big_blind: int
    length: int
    ante_kind: AnteKind = AnteKind.NONE
    ante: int = 0

    def stakes(self, chip_unit: int) -> Stakes:
        """The stakes of a hand of this level."""
        return Stakes(self.small_blind, self.big_blind, ante_kind=self.ante_kind, ante=self.ante, chip_unit=chip_unit)


@dataclass(frozen=True)
class Structure:
    """The levels of a tournament. After the last one blinds and antes go on to double, each time for as long again."""

    name: str
    unit: LengthUnit
    levels: tuple[Level, ...]

    def starts(self) -> tuple[int, ...]:
        """When each level begins: after so many hands or minutes."""
        return tuple(accumulate([level.length for level in self.levels[:-1]], initial=0))

    def number_at(self, hands: int, elapsed_ms: int) -> int:
        """The level of the hand that begins now, from 0, after so many hands and so much time (TOUR-1)."""
        elapsed = hands if self.unit is LengthUnit.HANDS else elapsed_ms // MINUTE_MS
        starts = self.starts()
        reached = len([start for start in starts if start <= elapsed]) - 1
        beyond = elapsed - starts[-1]
        return reached if reached < len(starts) - 1 else reached + beyond // self.levels[-1].length

    def end_of(self, number: int) -> int:
        """After how many hands or minutes a level ends, by its number from 0."""
        starts = self.starts()
        if number < len(starts) - 1:
            return starts[number + 1]
        return starts[-1] + (number - len(starts) + 2) * self.levels[-1].length

    def level(self, number: int, most: int = MAX_CHIPS) -> Level:
        """A level by its number, from 0; amounts beyond the last one are at most ``most``, at least as in the last."""
        last = self.levels[-1]
        doublings = number - len(self.levels) + 1
        if doublings <= 0:
            return self.levels[number]
        times = 1 << min(doublings, MAX_CHIPS.bit_length())

        def grown(amount: int) -> int:
            return max(amount, min(amount * times, most))

        return replace(
            last,
            small_blind=grown(last.small_blind),
            big_blind=grown(last.big_blind),
            ante=grown(last.ante),
        )


def check_structure(structure: Structure, rule_set: RuleSet, limit: Limit, chip_unit: int) -> None:
    """Raises RuleSetError when no tournament can be played by a structure (TOUR-1), or a level not by the rules."""
    if not 1 <= len(structure.levels) <= MAX_LEVELS:
        raise RuleSetError("TOUR-1", f"{len(structure.levels)} levels; 1 to {MAX_LEVELS} are expected")
    for number, level in enumerate(structure.levels, 1):
        if level.length < 1:
            raise RuleSetError("TOUR-1", f"level {number} has a length of {level.length} {structure.unit.value}")
        check_stakes(level.stakes(chip_unit), rule_set, limit)


def standard(
    first_big_blind: int,
    length: int,
    unit: LengthUnit = LengthUnit.HANDS,
    levels: int = 21,
    ante_kind: AnteKind = AnteKind.NONE,
) -> Structure:
    """The *standard* structure: blinds grow tenfold in seven levels of equal length, antes come with the fourth.

    The small blind is half the big one. An ante is the big blind for AnteKind.BIG_BLIND, a tenth of it for
    AnteKind.EACH. Raises RuleSetError unless the first big blind is a multiple of 20, so that nothing is rounded.
    """
    if first_big_blind < 1 or first_big_blind % 20:
        raise RuleSetError("TOUR-1", f"a first big blind of {first_big_blind}; a multiple of 20 is expected")
    made = [_level(first_big_blind, number, length, ante_kind) for number in range(levels)]
    return Structure("standard", unit, tuple(made))


def escalator(
    first_big_blind: int,
    length: int,
    unit: LengthUnit = LengthUnit.HANDS,
    levels: int = 21,
    ante_kind: AnteKind = AnteKind.NONE,
) -> Structure:
    """The *escalator* beside the standard structure of the same arguments (TOUR-3).

    It has the same blinds, but each level is longer by half of the first one's length than the one before, and as many
    levels as go into the time of the standard ones. So play is deeper the longer it goes on. Raises RuleSetError for
    fewer than eleven standard levels, which are too few to grow apart in, and as :func:`standard`.
    """
    usual = standard(first_big_blind, length, unit, levels, ante_kind)
    lengths: list[int] = []
    while sum(lengths) + (longer := length + -(-length * len(lengths) // 2)) <= levels * length:
        lengths.append(longer)
    made = [_level(first_big_blind, number, one, ante_kind) for number, one in enumerate(lengths)]
    structure = Structure("escalator", unit, tuple(made))
    if levels < MIN_ESCALATOR_LEVELS or not is_deeper(structure, usual):
        raise RuleSetError("TOUR-3", f"{levels} levels of {length} are too few for an escalator")
    return structure


def is_deeper(structure: Structure, usual: Structure) -> bool:
    """Whether, in its last third, each level's big blind is at most half of the usual one at that time (TOUR-3)."""
    if structure.unit is not usual.unit or not structure.levels:
        return False
    starts = structure.starts()
    first = -(-2 * len(starts) // 3)
    for level, start in zip(structure.levels[first:], starts[first:], strict=True):
        number = usual.number_at(start, start * MINUTE_MS)
        if 2 * level.big_blind > usual.level(min(number, len(usual.levels) - 1)).big_blind:
            return False
    return first < len(starts)


def _level(first_big_blind: int, number: int, length: int, ante_kind: AnteKind) -> Level:
    decade, step = divmod(number, len(_LADDER))
    big_blind = first_big_blind * _LADDER[step] * 10**decade // 10
    ante = 0
    if number >= _FIRST_ANTE and ante_kind is not AnteKind.NONE:
        ante = big_blind if ante_kind is AnteKind.BIG_BLIND else big_blind // 10
    return Level(big_blind // 2, big_blind, length, ante_kind if ante else AnteKind.NONE, ante)
