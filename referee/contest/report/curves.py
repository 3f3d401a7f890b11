"""Bankrolls over the hands as inline SVG, each with the band in which a player of that rate would be."""

from collections.abc import Sequence
from html import escape
from typing import Final

import numpy as np

from referee.contest.results import HandResult
from referee.contest.statistics.units import Floats, Way, meetings

WIDTH, HEIGHT = 860, 360
LEFT, BOTTOM, TOP, RIGHT = 70, 40, 12, 130
MOST_POINTS: Final = 240
COLOURS: Final = ("#1b6ca8", "#c1440e", "#2e7d32", "#7b4fa3", "#b8860b", "#00838f", "#ad1457", "#5d4037", "#455a64")


def bankroll(hands: Sequence[HandResult], name: str, big_blind: int) -> tuple[Floats, Floats]:
    """Hands and big blinds won after each block that somebody played, in the order of matches and blocks."""
    counts: list[Floats] = []
    nets: list[Floats] = []
    for one in meetings(hands, big_blind, Way.DUPLICATE):
        if name in one.players:
            counts.append(one.hands[:, one.column(name)])
            nets.append(one.nets[:, one.column(name)])
    if not nets:
        return np.zeros(0), np.zeros(0)
    return np.cumsum(np.concatenate(counts)), np.cumsum(np.concatenate(nets))


def curves(hands: Sequence[HandResult], names: Sequence[str], big_blind: int, z: float) -> str:
    """All bankrolls in one picture; ``z`` is how many standard deviations a band has to each side. "" for no hands."""
    walks = {name: bankroll(hands, name, big_blind) for name in names}
    walks = {name: walk for name, walk in walks.items() if len(walk[1])}
    if not walks:
        return ""
    bands = {name: _band(walk[1], z) for name, walk in walks.items()}
    most_hands = max([float(walk[0][-1]) for walk in walks.values()])
    low = min([0.0, *[float(band[0].min()) for band in bands.values()]])
    high = max([0.0, *[float(band[1].max()) for band in bands.values()]])
    if high == low:
        high = low + 1
    parts = [_axes(low, high, most_hands)]
    for at, (name, (counts, nets)) in enumerate(walks.items()):
        colour = COLOURS[at % len(COLOURS)]
        kept = np.unique(np.linspace(0, len(nets) - 1, min(MOST_POINTS, len(nets))).astype(int))
        x = LEFT + counts[kept] / most_hands * (WIDTH - LEFT - RIGHT)

        def y(values: Floats) -> Floats:
            return TOP + (high - values) / (high - low) * (HEIGHT - TOP - BOTTOM)

        under, over = bands[name]
        outline = [*zip(x, y(under[kept]), strict=True), *reversed(list(zip(x, y(over[kept]), strict=True)))]
        parts.append(f'<polygon points="{_points(outline)}" fill="{colour}" opacity="0.10"/>')
        line = [(LEFT, float(y(np.zeros(1))[0])), *zip(x, y(nets[kept]), strict=True)]
        parts.append(f'<polyline points="{_points(line)}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        label = TOP + 12 + 16 * at
        parts.append(f'<text x="{WIDTH - RIGHT + 10}" y="{label}" fill="{colour}">{escape(name[:18])}</text>')
    size = f'viewBox="0 0 {WIDTH} {max(HEIGHT, TOP + 20 + 16 * len(walks))}"'
    return f'<svg {size} role="img" aria-label="bankrolls">{"".join(parts)}</svg>'


def _band(nets: Floats, z: float) -> tuple[Floats, Floats]:
    """Where a walk of the same rate and spread would be."""
    steps = np.diff(nets, prepend=0.0)
    played = np.arange(1, len(nets) + 1)
    spread = float(steps.std(ddof=1)) if len(steps) > 1 else 0.0
    middle = float(steps.mean()) * played
    return middle - z * spread * np.sqrt(played), middle + z * spread * np.sqrt(played)


def _axes(low: float, high: float, most_hands: float) -> str:
    bottom = HEIGHT - BOTTOM
    zero = TOP + high / (high - low) * (bottom - TOP)
    right = WIDTH - RIGHT
    return (
        f'<line x1="{LEFT}" y1="{zero:.1f}" x2="{right}" y2="{zero:.1f}" class="axis"/>'
        f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{bottom}" class="axis"/>'
        f'<text x="{LEFT - 6}" y="{TOP + 8}" text-anchor="end">{high:,.0f} bb</text>'
        f'<text x="{LEFT - 6}" y="{bottom}" text-anchor="end">{low:,.0f} bb</text>'
        f'<text x="{LEFT - 6}" y="{zero + 4:.1f}" text-anchor="end">0</text>'
        f'<text x="{right}" y="{bottom + 24}" text-anchor="end">{most_hands:,.0f} hands</text>'
    )


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join([f"{x:.1f},{y:.1f}" for x, y in points])
