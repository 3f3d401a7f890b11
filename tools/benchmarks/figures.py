"""Figures of benchmarks: each a ratio to a floor that was measured in the same rounds, or a plain number."""

import json
import statistics
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """One figure. ``ratio`` is the median over the rounds with its quartiles, ``wanted`` what it is meant to reach.

    ``floor`` is the median rate of what it is measured against, in ``unit``. ``at_most`` says that less is better,
    ``by_cpu`` that both sides are CPU time of the same run, which what else the machine does hardly changes.
    """

    name: str
    ratio: float
    low: float
    high: float
    floor: float
    unit: str
    wanted: float = 0
    at_most: bool = False
    by_cpu: bool = False

    @property
    def is_met(self) -> bool:
        """Whether it is what it is meant to be, if it is meant to be anything."""
        if not self.wanted:
            return True
        return self.ratio <= self.wanted if self.at_most else self.ratio >= self.wanted

    def is_far_off(self, usual: float) -> bool:
        """Whether even its better quartile misses what is usual by half or more: a fault, not the machine's weather."""
        return self.low > usual * 2 if self.at_most else self.high < usual / 2


def ratio_of(
    name: str,
    ours: list[float],
    floor: list[float],
    unit: str,
    wanted: float = 0,
    at_most: bool = False,
    by_cpu: bool = False,
) -> Figure:
    """The figure of rates measured in the same rounds."""
    ratios = [mine / theirs for mine, theirs in zip(ours, floor, strict=True)]
    return _figure(name, ratios, statistics.median(floor), unit, wanted, at_most, by_cpu)


def plain(name: str, values: list[float], unit: str, wanted: float = 0, at_most: bool = False) -> Figure:
    """The figure of a number that is measured against nothing."""
    return _figure(name, values, 1, unit, wanted, at_most, by_cpu=False)


def _figure(
    name: str, values: list[float], floor: float, unit: str, wanted: float, at_most: bool, by_cpu: bool
) -> Figure:
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return Figure(name, middle, low, high, floor, unit, wanted, at_most, by_cpu)


def table(figures: list[Figure]) -> str:
    """The figures for people, a line each."""
    lines = []
    for one in figures:
        bound = f"  {'at most' if one.at_most else 'at least'} {one.wanted:g}" if one.wanted else ""
        missed = "" if one.is_met else "  not met"
        lines.append(f"{one.name:58}{one.ratio:12.2f}  ({one.low:.2f} to {one.high:.2f}) {one.unit}{bound}{missed}")
    return "\n".join(lines)


def write(path: Path, figures: list[Figure], about: Mapping[str, object]) -> None:
    """Writes the figures as JSON, with what is known of the run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**about, "figures": [asdict(one) for one in figures]}, indent=1) + "\n")
