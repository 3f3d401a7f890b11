"""Evidence of chip dumping and soft play: what stands out, with how likely that is by chance. Never a verdict."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from scipy.special import ndtr

from referee.contest.results import HandResult
from referee.contest.statistics.intervals import Estimate

DUMPING: Final = "chip flow"
SOFT_PLAY: Final = "soft play"
LEVEL: Final = 0.01
"""How likely one flag or more is in an honest contest, for each of the two kinds."""

FEWEST_ACTIONS: Final = 30
"""Fewer actions of a player who faces another alone after the flop say nothing."""


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
    """Pairs of whom both wager more rarely when they face one another alone after the flop than against others."""
    wagers: dict[tuple[str, str], int] = defaultdict(int)
    actions: dict[tuple[str, str], int] = defaultdict(int)
    for result in results:
        for seen in result.facing:
            wagers[seen.name, seen.other] += seen.wagers
            actions[seen.name, seen.other] += seen.actions
    found = []
    pairs = list(combinations(names, 2))
    for one, other in pairs:
        tested = [_softer(who, whom, names, wagers, actions) for who, whom in ((one, other), (other, one))]
        if all([p is not None for p, _, _ in tested]):
            # Both must be soft: the weaker of the two pieces of evidence is what counts.
            p = max([p for p, _, _ in tested if p is not None])
            if p < LEVEL / max(len(pairs), 1):
                seen_rate = float(np.mean([rate for _, rate, _ in tested]))
                usual = float(np.mean([rate for _, _, rate in tested]))
                what = f"of their actions against one another alone {seen_rate:.0%} are wagers, else {usual:.0%}"
                found.append(Flag(SOFT_PLAY, one, other, seen_rate, usual, p, what))
    return sorted(found, key=lambda flag: flag.p)


def _softer(
    who: str,
    whom: str,
    names: Sequence[str],
    wagers: Mapping[tuple[str, str], int],
    actions: Mapping[tuple[str, str], int],
) -> tuple[float | None, float, float]:
    """How likely so few wagers against one opponent are if he is like the others; both rates beside it."""
    others = [name for name in names if name not in (who, whom)]
    here, here_of = wagers.get((who, whom), 0), actions.get((who, whom), 0)
    there = sum([wagers.get((who, name), 0) for name in others])
    there_of = sum([actions.get((who, name), 0) for name in others])
    if min(here_of, there_of) < FEWEST_ACTIONS:
        return None, 0.0, 0.0
    # Imported here, because it takes most of a second and every command would wait for it.
    from scipy import stats

    table = [[here, here_of - here], [there, there_of - there]]
    p = float(stats.fisher_exact(table, alternative="less").pvalue)
    return p, here / here_of, there / there_of
