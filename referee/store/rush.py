"""When it pays to let a group of appends wait for more: judged by how the last ones came."""

from typing import Final, final

GAP_S: Final = 0.001
"""A group that begins within so many seconds of the one before has come close behind it."""

GROUPS: Final = 4
MOST_GROUPS: Final = 1024
"""How many groups close behind one another make a rush, and how many at most after waiting has not paid."""


@final
class Rush:
    """Whether appends come in a rush: each group begins as soon as the one before is written.

    Then they do not wait for one another, and the loop is busy with calls that will append too: a call by itself takes
    it some rounds, so that quiet rounds end a group too early. A group that waited for nothing ends the rush; it takes
    twice as many groups to begin again, until waiting pays.
    """

    def __init__(self) -> None:
        self._close = 0
        self._wanted = GROUPS
        self._written_at = 0.0

    @property
    def is_on(self) -> bool:
        """Whether a group is to wait."""
        return self._close >= self._wanted

    def begins(self, now: float) -> None:
        """A group begins, at a moment in seconds."""
        self._close = self._close + 1 if now - self._written_at < GAP_S else 0

    def written(self, now: float) -> None:
        """A group was written, and everybody of it was told."""
        self._written_at = now

    def waited(self, before: int, after: int) -> None:
        """A group has waited, which pays if it then has twice the appends that it had after quiet rounds."""
        if after >= 2 * before:
            self._wanted = GROUPS
        else:
            self._close = 0
            self._wanted = min(2 * self._wanted, MOST_GROUPS)
