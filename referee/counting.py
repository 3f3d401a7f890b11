"""What a server counts about itself: plain numbers that cost nearly nothing to keep, read when somebody asks."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

COMMIT_MS: Final[tuple[float, ...]] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1_000.0)
ANSWER_MS: Final[tuple[float, ...]] = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 10_000.0)
GROUP_SIZES: Final[tuple[float, ...]] = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1_024.0)


class Spread:
    """How many values there were up to each of the ascending ``bounds``, above the bound before, and above the last."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Counts a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class StoreCounts:
    """Commits of a store: how many appends shared each, how long each took, and how many failed."""

    def __init__(self) -> None:
        self.group_sizes = Spread(GROUP_SIZES)
        self.commit_ms = Spread(COMMIT_MS)
        self.failed = 0


class TableCounts:
    """Play at a server's tables since its start.

    ``refused`` counts by the reason's name, ``unruled`` what could not be ruled on; ``answer_ms`` is from receiving a
    proposal to having its ruling on disk.
    """

    def __init__(self) -> None:
        self.hands = 0
        self.decisions = 0
        self.accepted = 0
        self.automatic = 0
        self.refused: dict[str, int] = {}
        self.unruled = 0
        self.answer_ms = Spread(ANSWER_MS)
