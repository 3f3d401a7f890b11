"""Estimates with bootstrap intervals, from units that were drawn independently within strata (the matches)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import stdtrit

from referee.contest.statistics.units import Floats

MOST_UNITS: Final = 1_000
"""Longer series are joined into so many longer blocks, which changes no estimate and no honest spread."""


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error and interval; ``above`` is the bootstrap's share of values above 0, ties half.

    Error and bounds are infinite where fewer than two units were played.
    """

    value: float
    error: float
    low: float
    high: float
    units: int
    above: float

    @property
    def half_width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def joined(parts: Floats, most: int = MOST_UNITS) -> Floats:
    """Parts along the first axis, neighbours added up so that at most ``most`` remain."""
    if len(parts) <= most:
        return parts
    edges = np.linspace(0, len(parts), most + 1).astype(int)[:-1]
    return np.asarray(np.add.reduceat(parts, edges, axis=0), dtype=np.float64)


def estimate(
    strata: Sequence[Floats], rng: np.random.Generator, confidence: float = 0.95, resamples: int = 2_000
) -> Estimate:
    """The sum of all parts with its interval, by the studentised bootstrap.

    Units are drawn again within each stratum, and every drawn sum is measured in its own standard error, which follows
    skewed units. A bound is never nearer than Student's, because few units with rare big pots look safer than they are.
    """
    parts = [joined(one) for one in strata if len(one)]
    units = sum([len(one) for one in strata])
    value = sum([float(one.sum()) for one in parts])
    if not parts or min([len(one) for one in parts]) < 2:
        return Estimate(value, np.inf, -np.inf, np.inf, units, 0.5)
    error = float(np.sqrt(sum([_variance(one.sum(), np.square(one).sum(), len(one)) for one in parts])))
    scale = max([float(np.abs(one).max()) for one in parts])
    if error <= 1e-12 * scale:
        return Estimate(value, 0.0, value, value, units, 0.5 + 0.5 * float(np.sign(value)))
    drawn, spread = np.zeros(resamples), np.zeros(resamples)
    for one in parts:
        sums, squares = drawn_sums(rng, np.stack([one, np.square(one)], axis=1), resamples).T
        drawn += sums
        spread += _variance(sums, squares, len(one))
    off = drawn - value
    with np.errstate(divide="ignore", invalid="ignore"):
        studentised = np.where(off == 0, 0.0, off / np.sqrt(np.maximum(spread, 0.0)))
    tail = (1 - confidence) / 2
    low, high = np.quantile(studentised, [tail, 1 - tail], method="inverted_cdf")
    above = float((drawn > 0).mean() + 0.5 * (drawn == 0).mean())
    students = float(stdtrit(sum([len(one) - 1 for one in parts]), 1 - tail))
    low, high = min(float(low), -students), max(float(high), students)
    return Estimate(value, error, value - error * high, value - error * low, units, above)


def drawn_sums(rng: np.random.Generator, columns: Floats, resamples: int) -> Floats:
    """The sums of units drawn again with replacement, by resample and column; ``columns`` is by unit and column."""
    units = len(columns)
    drawn = rng.integers(0, units, (resamples, units), dtype=np.int32)
    return np.stack([column[drawn].sum(axis=1) for column in columns.T], axis=1)


def _variance(sums: Floats, squares: Floats, units: int) -> Floats:
    """The variance of a sum of independent units, estimated from the units' sum and sum of squares."""
    return np.asarray((squares - np.square(sums) / units) * units / (units - 1))
