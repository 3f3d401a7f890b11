"""The clock of a tournament whose levels last minutes (TOUR-1): it runs while the contest is run, else stands still."""

from collections.abc import Callable
from typing import Final

from referee.contest.store import ContestStore
from referee.contest.tournament.levels import LengthUnit

KEEP_MS: Final = 1_000
"""So often its reading is kept while it runs; so much of a level a killed runner may give back."""


class LevelClock:
    """How long a contest's tournament has been played. ``now_ms`` is the runner's clock.

    It goes on from what the store has. Of a contest whose levels do not last minutes it keeps nothing.
    """

    def __init__(self, store: ContestStore, now_ms: Callable[[], int]) -> None:
        own = store.settings
        self._store = store
        self.now_ms = now_ms
        self._is_kept = own.is_tournament and own.levels_and_payouts.unit is LengthUnit.MINUTES
        self._before_ms = store.played_ms() if self._is_kept else 0
        self._since_ms: int | None = None
        self._kept_ms = self._before_ms

    def elapsed_ms(self) -> int:
        """How long it has run."""
        return self._before_ms + (0 if self._since_ms is None else max(0, self.now_ms() - self._since_ms))

    def run(self) -> None:
        """Lets it run from now on."""
        self._before_ms, self._since_ms = self.elapsed_ms(), self.now_ms()

    def stand_still(self) -> None:
        """Lets it stand still, and keeps its reading."""
        self._before_ms, self._since_ms = self.elapsed_ms(), None
        self.keep(after_ms=0)

    def keep(self, after_ms: int = KEEP_MS) -> None:
        """Keeps its reading, if it has run so long since that was done last."""
        elapsed = self.elapsed_ms()
        if self._is_kept and elapsed - self._kept_ms >= after_ms:
            self._store.set_played_ms(elapsed)
            self._kept_ms = elapsed
