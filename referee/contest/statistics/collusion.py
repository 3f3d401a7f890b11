"""Evidence of chip dumping and soft play: what stands out, with how likely that is by chance. Never a verdict."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, stdtr

from referee.contest.results import HandResult
from referee.contest.statistics.intervals import Estimate
from referee.contest.statistics.units import Floats

DUMPING: Final = "chip flow"
SOFT_PLAY: Final = "soft play"
LEVEL: Final = 0.01
"""How likely one flag or more is in an honest contest, for each of the two kinds."""

FEWEST_ACTIONS: Final = 30
"""Fewer actions of a player who faces another alone after the flop say nothing."""

FEWEST_BLOCKS: Final = 10
"""Nor do actions in fewer deal blocks, whose spread is what tells chance from style."""

EACH_ALONE: Final = 0.05
"""How likely at most each of a pair is to be so soft by chance: both must be."""

FEWEST_ENTRANTS: Final = 5
"""Of four, two who are soft and two who are hot cannot be told from one another."""

MEDIAN_OF_CHANCE: Final = 0.6745
"""The median distance from the mean, in deviations, of what is normally distributed."""

FEWEST_FREEDOM: Final = 1e-6
"""A pair of which less than this is left open by the others is said nothing of."""


@dataclass(frozen=True)
class Flag:
    """A pair that stands out: what was seen, what was expected, and how likely so much is by chance.

    ``p`` is for this pair alone; with many pairs a small one comes up by itself, which the bound for flags allows for.
    """

    kind: str
    one: str
    other: str
    seen: float
    expected: float
    p: float
    what: str


def chip_flow(results: Iterable[HandResult]) -> dict[tuple[str, str], float]:
    """Chips that went from one entrant to another: a hand's losers pay its winners in proportion to what they won."""
    flow: dict[tuple[str, str], float] = defaultdict(float)
    for one in results:
        won = sum([net for net in one.nets if net > 0])
        if won:
            for loser, loss in zip(one.names, one.nets, strict=True):
                if loss < 0:
                    for winner, net in zip(one.names, one.nets, strict=True):
                        if net > 0:
                            flow[loser, winner] -= loss * net / won
    return dict(flow)


def flow_flags(cross: Mapping[tuple[str, str], Estimate], names: Sequence[str]) -> list[Flag]:
    """Pairs whose result does not fit what both did against everybody else.

    Strengths are fitted so that each result is the difference of two; what is left over is measured in its standard
    error. A style that suits one opponent stands out just as dumped chips do.
    """
    pairs = [(one, other) for one, other in combinations(names, 2) if (one, other) in cross]
    usable = [pair for pair in pairs if 0 < cross[pair].error < np.inf]
    if len(names) < 4 or len(usable) <= len(names):
        return []
    place = {name: index for index, name in enumerate(names)}
    design = np.zeros((len(usable), len(names)))
    for row, (one, other) in enumerate(usable):
        design[row, place[one]], design[row, place[other]] = 1.0, -1.0
    seen = np.array([cross[pair].value for pair in usable])
    errors = np.array([cross[pair].error for pair in usable])
    flags = []
    for row, (one, other) in enumerate(usable):
        # The pair itself has no say in what is expected of it.
        rest = np.arange(len(usable)) != row
        weighted = design[rest] / errors[rest, None]
        if np.linalg.matrix_rank(weighted) < len(names) - 1:
            continue
        inverse = np.linalg.pinv(weighted.T @ weighted)
        strengths = inverse @ weighted.T @ (seen[rest] / errors[rest])
        expected = float(design[row] @ strengths)
        error = float(np.sqrt(errors[row] ** 2 + design[row] @ inverse @ design[row]))
        p = float(2 * ndtr(-abs(seen[row] - expected) / error))
        if p < LEVEL / len(usable):
            giver, taker = (other, one) if seen[row] > expected else (one, other)
            what = f"{giver} lost more to {taker} than the others' results against both lead to expect"
            flags.append(Flag(DUMPING, giver, taker, abs(float(seen[row])), abs(expected), p, what))
    return sorted(flags, key=lambda flag: flag.p)


def soft_play_flags(results: Iterable[HandResult], names: Sequence[str]) -> list[Flag]:
    """Pairs of whom both wager more rarely when they face one another alone after the flop than is usual of them.

    How usual it is has two parts, as log odds: how often the one wagers, and how often others wager against the other.
    They are fitted to all pairs but the one in question. Deal blocks are the units: actions of a block hang together.
    Of fewer than five entrants nothing is said.
    """
    if len(names) < FEWEST_ENTRANTS:
        return []
    cells = {
        pair: cell for pair, cell in _cells(results).items() if cell.is_enough and pair[0] in names and pair[1] in names
    }
    pairs = len(names) * (len(names) - 1) // 2
    found: list[Flag] = []
    while True:
        softest = _softest(cells, names)
        if softest is None or softest.p >= LEVEL / pairs:
            return found
        what = (
            f"of their actions against one another alone {softest.seen:.0%} are wagers, "
            f"{softest.usual:.0%} were to expect"
        )
        one, other = softest.pair
        found.append(Flag(SOFT_PLAY, one, other, softest.seen, softest.usual, softest.p, what))
        # What was found has no say in what is usual of the others.
        del cells[one, other], cells[other, one]


class _Cell:
    """How often one wagered against another, by deal block, and the log odds of a wager with their standard error.

    The error is that of blocks as units, and never below that of independent actions.
    """

    def __init__(self, blocks: Iterable[Sequence[int]]) -> None:
        wagers, actions = np.array(list(blocks), dtype=np.float64).T
        self.blocks = len(wagers)
        all_actions = float(actions.sum())
        self.is_enough = all_actions >= FEWEST_ACTIONS and self.blocks >= FEWEST_BLOCKS
        # Half a wager and half another action more: also who never wagers has log odds.
        self.rate = (float(wagers.sum()) + 0.5) / (all_actions + 1)
        self.log_odds = float(logit(self.rate))
        independent = all_actions * self.rate * (1 - self.rate)
        spread = float(((wagers - self.rate * actions) ** 2).sum()) * self.blocks / max(self.blocks - 1, 1)
        self.error = float(np.sqrt(max(spread, independent))) / independent


def _cells(results: Iterable[HandResult]) -> dict[tuple[str, str], _Cell]:
    counts: dict[tuple[str, str], dict[tuple[int, int], list[int]]] = defaultdict(dict)
    for result in results:
        for seen in result.facing:
            of_block = counts[seen.name, seen.other].setdefault((result.match, result.block), [0, 0])
            of_block[0] += seen.wagers
            of_block[1] += seen.actions
    return {pair: _Cell(blocks.values()) for pair, blocks in counts.items()}


class _Fit:
    """The log odds of all cells as sums of two parts each, by least squares in units of their errors."""

    def __init__(self, cells: Mapping[tuple[str, str], _Cell], names: Sequence[str]) -> None:
        place = {name: index for index, name in enumerate(names)}
        self.at = {pair: index for index, pair in enumerate(cells)}
        self._rows = np.array([(place[who], len(names) + place[whom]) for who, whom in cells])
        self._weights = 1 / np.array([cell.error for cell in cells.values()])
        values = self._weights * np.array([cell.log_odds for cell in cells.values()])
        normal, right = np.zeros((2 * len(names), 2 * len(names))), np.zeros(2 * len(names))
        for row, weight, value in zip(self._rows, self._weights, values, strict=True):
            normal[np.ix_(row, row)] += weight**2
            right[row] += weight * value
        self._inverse = np.linalg.pinv(normal, hermitian=True)
        self._left_over = values - self._weights * (self._inverse @ right)[self._rows].sum(axis=1)
        own_say = self._inverse[self._rows[:, :, None], self._rows[:, None, :]].sum(axis=(1, 2))
        self._open = 1 - self._weights**2 * own_say

    def beside(self, pair: tuple[str, str]) -> tuple[Floats, Floats] | None:
        """How far both cells of a pair are off what all others lead to expect, and the deviations of that by chance.

        In units of the cells' errors. None where only the pair itself says what is usual of it.
        """
        own = [self.at[pair], self.at[pair[::-1]]]
        say = self._inverse[:, self._rows[own]].sum(axis=2)[self._rows].sum(axis=1)
        say *= self._weights[:, None] * self._weights[own]
        remaining = np.eye(2) - say[own]
        if np.linalg.eigvalsh(remaining)[0] < FEWEST_FREEDOM:
            return None
        # As if the fit had been made without the pair: what is left over then, of it and of the others.
        without = np.linalg.inv(remaining)
        off = without @ self._left_over[own]
        spread = np.sqrt(np.maximum(self._open - ((say @ without) * say).sum(axis=1), FEWEST_FREEDOM))
        others = np.delete(np.abs(self._left_over + say @ off) / spread, own)
        # Where styles of honest players fit one another worse than chance would have it, so may those of this pair. The
        # median says how they do: another soft pair has little say in it.
        misfit = float(np.median(others)) / MEDIAN_OF_CHANCE
        return off, max(misfit, 1.0) * np.sqrt(np.diag(without))


class _Softness(NamedTuple):
    """A pair's evidence: how likely it is by chance, how often both wagered, how often was to expect."""

    p: float
    pair: tuple[str, str]
    seen: float
    usual: float


def _softest(cells: Mapping[tuple[str, str], _Cell], names: Sequence[str]) -> _Softness | None:
    """The pair with the most evidence; None where nothing can be said of any."""
    if not cells:
        return None
    fit = _Fit(cells, names)
    tested = [_softness(pair, cells, fit) for pair in combinations(names, 2) if {pair, pair[::-1]} <= cells.keys()]
    return min([one for one in tested if one is not None], default=None)


def _softness(pair: tuple[str, str], cells: Mapping[tuple[str, str], _Cell], fit: _Fit) -> _Softness | None:
    """The evidence that both of a pair are soft on one another; None where one of them is not."""
    found = fit.beside(pair)
    if found is None:
        return None
    off, deviations = found
    both, scores = [cells[pair], cells[pair[::-1]]], off / deviations
    if any([stdtr(cell.blocks - 1, score) > EACH_ALONE for cell, score in zip(both, scores, strict=True)]):
        return None
    # Their evidence is of the same hands: as if one were the other, it counts as one piece, not as two.
    p = float(stdtr(min([cell.blocks for cell in both]) - 1, scores.mean()))
    usual = [expit(cell.log_odds - gap * cell.error) for cell, gap in zip(both, off, strict=True)]
    return _Softness(p, pair, float(np.mean([cell.rate for cell in both])), float(np.mean(usual)))
