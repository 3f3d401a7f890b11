"""Who stands where, and how sure that is: rates, differences, crosstable, probabilities of ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referee.contest.results import HandResult
from referee.contest.statistics.intervals import Estimate, drawn_sums, estimate, joined
from referee.contest.statistics.units import Floats, Meeting, Way, meetings, rate_parts


@dataclass(frozen=True)
class Options:
    """How results are reckoned: the confidence of intervals, resamples of the bootstrap, and the seed of its draws."""

    confidence: float = 0.95
    resamples: int = 2_000
    seed: int = 0

    def rng(self) -> np.random.Generator:
        """The same draws every time."""
        return np.random.default_rng(self.seed)

    def estimate(self, strata: Sequence[Floats]) -> Estimate:
        """The sum of all parts with its interval."""
        return estimate(strata, self.rng(), self.confidence, self.resamples)


@dataclass(frozen=True)
class Standing:
    """One entrant: hands, chips, and the rate in big blinds per 100 hands reckoned in three ways.

    ``ranks`` is the probability of each rank, from the first.
    """

    name: str
    hands: int
    chips: int
    rates: Mapping[Way, Estimate]
    ranks: tuple[float, ...]

    @property
    def rate(self) -> Estimate:
        """The rate that counts."""
        return self.rates[Way.DUPLICATE]


@dataclass(frozen=True)
class Standings:
    """The table, best first, and the crosstable: what the row won of the column, in big blinds per 100 hands.

    Of a table of several players that is half the difference of the two at the tables where both sat.
    """

    rows: tuple[Standing, ...]
    cross: Mapping[tuple[str, str], Estimate]

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants, best first."""
        return tuple([row.name for row in self.rows])


def standings(
    results: Sequence[HandResult], names: Sequence[str], big_blind: int, options: Options | None = None
) -> Standings:
    """Reckons all hands of a contest; entrants without hands come last with a rate of 0."""
    options = options or Options()
    by_way = {way: meetings(results, big_blind, way) for way in Way}
    units = by_way[Way.DUPLICATE]
    rates = {way: {name: options.estimate(_parts_of(name, met)) for name in names} for way, met in by_way.items()}
    ranks = rank_probabilities(units, names, options)
    hands = {name: sum([name in one.names for one in results]) for name in names}
    chips = {name: sum([one.net_of(name) for one in results]) for name in names}
    order = sorted(
        names,
        key=lambda name: (not hands[name], -rates[Way.DUPLICATE][name].value, names.index(name)),
    )
    rows = [
        Standing(name, hands[name], chips[name], {way: rates[way][name] for way in Way}, ranks[name]) for name in order
    ]
    return Standings(tuple(rows), crosstable(units, order, options))


def _parts_of(name: str, met: Sequence[Meeting]) -> list[Floats]:
    own = [one for one in met if name in one.players]
    columns = [one.column(name) for one in own]
    nets = [one.nets[:, column] for one, column in zip(own, columns, strict=True)]
    hands = [one.hands[:, column] for one, column in zip(own, columns, strict=True)]
    return rate_parts(nets, hands)


def difference(
    results: Sequence[HandResult],
    one: str,
    other: str,
    big_blind: int,
    options: Options | None = None,
    way: Way = Way.DUPLICATE,
) -> Estimate:
    """How much better one entrant's rate is than another's over the whole contest."""
    options = options or Options()
    met = meetings(results, big_blind, way)
    parts: dict[int, Floats] = {}
    for name, sign in ((one, 1.0), (other, -1.0)):
        own = [each for each in met if name in each.players]
        for meeting, part in zip(own, _parts_of(name, met), strict=True):
            parts[meeting.match] = parts.get(meeting.match, 0.0) + sign * part
    return options.estimate(list(parts.values()))


def crosstable(met: Sequence[Meeting], names: Sequence[str], options: Options) -> dict[tuple[str, str], Estimate]:
    """What each row won of each column that it met, in big blinds per 100 hands."""
    cross: dict[tuple[str, str], Estimate] = {}
    for place, row in enumerate(names):
        for column in names[place + 1 :]:
            both = [one for one in met if row in one.players and column in one.players]
            if both:
                nets = [(one.nets[:, one.column(row)] - one.nets[:, one.column(column)]) / 2 for one in both]
                hands = [(one.hands[:, one.column(row)] + one.hands[:, one.column(column)]) / 2 for one in both]
                found = options.estimate(rate_parts(nets, hands))
                cross[row, column] = found
                cross[column, row] = Estimate(
                    -found.value, found.error, -found.high, -found.low, found.units, 1 - found.above
                )
    return cross


def rank_probabilities(met: Sequence[Meeting], names: Sequence[str], options: Options) -> dict[str, tuple[float, ...]]:
    """How likely each entrant is to have each rank if the contest were drawn again, ties shared evenly."""
    rng = options.rng()
    totals = dict.fromkeys(names, 0.0)
    for one in met:
        for column, name in enumerate(one.players):
            if name in totals:
                totals[name] += float(one.hands[:, column].sum())
    drawn = np.zeros((options.resamples, len(names)))
    for one in met:
        nets = joined(one.nets)
        sums = drawn_sums(rng, nets, options.resamples)
        for column, name in enumerate(one.players):
            if name in totals:
                drawn[:, names.index(name)] += sums[:, column] / max(totals[name], 1.0)
    # Those who tie share the places between them.
    better = (drawn[:, None, :] > drawn[:, :, None]).sum(axis=2)
    level = (drawn[:, None, :] == drawn[:, :, None]).sum(axis=2)
    chances = np.zeros((len(names), len(names)))
    for rank in range(len(names)):
        inside = (better <= rank) & (rank < better + level)
        chances[:, rank] = (inside / level).mean(axis=0)
    return {name: tuple(float(chance) for chance in chances[place]) for place, name in enumerate(names)}
