"""Tables derived from the crosstable for those who are used to them: Bradley-Terry and instant run-off."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from referee.contest.statistics.intervals import Estimate
from referee.contest.statistics.units import Meeting

PRIOR_DRAWS: Final = 1.0
"""A drawn block of every pair that met, however often, so that who never lost a block still has a finite strength."""


def bradley_terry(met: Sequence[Meeting], names: Sequence[str]) -> dict[str, float]:
    """Strengths by won blocks, on the scale of Elo (400 points are odds of ten to one), their mean 0.

    Unlike rates they ignore how much was won. Found by Hunter's minorisation.
    """
    place = {name: index for index, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for one in met:
        present = [(column, place[name]) for column, name in enumerate(one.players) if name in place]
        for row, who in present:
            for column, other in present:
                if who != other:
                    ahead = one.nets[:, row] - one.nets[:, column]
                    wins[who, other] += float((ahead > 0).sum() + 0.5 * (ahead == 0).sum())
    wins += PRIOR_DRAWS / 2 * (wins + wins.T > 0)
    games = wins + wins.T
    strengths = np.ones(len(names))
    for _ in range(10_000):
        shared = games / (strengths[:, None] + strengths[None, :])
        spread = shared.sum(axis=1)
        new = np.where(spread > 0, wins.sum(axis=1) / np.maximum(spread, 1e-300), 1.0)
        new = np.maximum(new, 1e-12)
        new /= np.exp(np.log(new).mean())
        done = float(np.abs(np.log(new / strengths)).max()) < 1e-10
        strengths = new
        if done:
            break
    return {name: float(400 * np.log10(strengths[place[name]])) for name in names}


def instant_run_off(cross: Mapping[tuple[str, str], Estimate], names: Sequence[str]) -> tuple[str, ...]:
    """The order in which nobody gains by beating somebody weak: the best first.

    Again and again the entrant goes who won least of those who are left, on average.
    """
    left, order = list(names), list[str]()
    while left:
        scores = {
            name: float(np.mean([cross[name, other].value for other in left if (name, other) in cross] or [0.0]))
            for name in left
        }
        last = min(reversed(left), key=lambda name: scores[name])
        left.remove(last)
        order.append(last)
    return tuple(reversed(order))
