"""From hands to units: what every player won in each deal block, as arrays."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from referee.contest.results import HandResult

Floats = npt.NDArray[np.float64]


class Way(Enum):
    """Three ways to reckon the same hands.

    ``RAW`` takes every table of a block for itself, as if the decks of its seatings had nothing in common.
    ``DUPLICATE`` takes the seatings of a block together. ``ADJUSTED`` does so with all-in luck taken out.
    """

    RAW = "raw"
    DUPLICATE = "duplicate"
    ADJUSTED = "adjusted"


@dataclass(frozen=True)
class Meeting:
    """The units of one match: ``nets`` in big blinds and ``hands``, both by unit and player."""

    match: int
    players: tuple[str, ...]
    nets: Floats
    hands: Floats

    def column(self, name: str) -> int:
        """The player's column."""
        return self.players.index(name)


def meetings(results: Iterable[HandResult], big_blind: int, way: Way) -> list[Meeting]:
    """The units of every match, by its number. Players are in alphabetical order, units in that of the blocks."""
    sums: dict[int, dict[tuple[int, ...], dict[str, list[float]]]] = defaultdict(dict)
    for one in results:
        unit = (one.block, one.seating) if way is Way.RAW else (one.block,)
        of_unit = sums[one.match].setdefault(unit, {})
        for name, net in zip(one.names, one.adjusted if way is Way.ADJUSTED else one.nets, strict=True):
            total = of_unit.setdefault(name, [0.0, 0.0])
            total[0] += net  # in chips, so that what cancels cancels exactly
            total[1] += 1
    return [_meeting(match, units, big_blind) for match, units in sorted(sums.items())]


def _meeting(match: int, units: dict[tuple[int, ...], dict[str, list[float]]], big_blind: int) -> Meeting:
    players = tuple(sorted({name for unit in units.values() for name in unit}))
    shape = (len(units), len(players))
    nets, hands = np.zeros(shape), np.zeros(shape)
    for row, (_, unit) in enumerate(sorted(units.items())):
        for name, (net, count) in unit.items():
            nets[row, players.index(name)], hands[row, players.index(name)] = net / big_blind, count
    return Meeting(match, players, nets, hands)


def rate_parts(nets: Sequence[Floats], hands: Sequence[Floats]) -> list[Floats]:
    """Splits a rate in big blinds per 100 hands into one part for each unit, so that the parts add up to the rate.

    Both arguments have one array for each match. Where blocks differ in hands the parts are those of the ratio's linear
    form, whose spread is the ratio's.
    """
    all_hands = sum([float(one.sum()) for one in hands])
    units = sum([len(one) for one in nets])
    if not all_hands:
        return [np.zeros(len(one)) for one in nets]
    rate = sum([float(one.sum()) for one in nets]) / all_hands
    return [100 * (rate / units + (net - rate * count) / all_hands) for net, count in zip(nets, hands, strict=True)]
