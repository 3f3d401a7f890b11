"""Telling the readers of tables what was sealed: one signature stands for all that was sealed in a short while."""

from collections.abc import Callable

from referee.limits import SEALS_TOLD_AT_ONCE, SEALS_TOLD_WITHIN_MS
from referee.merkle.frontier import Frontier
from referee.store.sqlite import SqliteStore, StoredPiece
from referee.table.audience import Audience
from referee.table.items import sealed_item
from referee.table.timing import TimeSource

Checkpoint = Callable[[Frontier], bytes]
"""Signs the head of the log, as a note."""


class SealNotices:
    """What was sealed at the tables of a server and has not been told yet."""

    def __init__(self, store: SqliteStore, time: TimeSource, checkpoint: Checkpoint) -> None:
        self._store = store
        self._time = time
        self._checkpoint = checkpoint
        self._waiting: list[tuple[Audience, StoredPiece, int]] = []

    def add(self, audience: Audience, pieces: tuple[StoredPiece, ...], first_index: int) -> None:
        """Takes pieces that are stored, the first of them with this index in the log, for the readers of a table."""
        if not audience.subscribers:
            return
        if not self._waiting:
            self._time.call_at(self._time.now_ms() + SEALS_TOLD_WITHIN_MS, self.tell)
        for index, piece in enumerate(pieces, first_index):
            self._waiting.append((audience, piece, index))
        if len(self._waiting) >= SEALS_TOLD_AT_ONCE:
            self.tell()

    def tell(self) -> None:
        """Tells all of it now, under a head of the log that has it: every reader becomes a witness."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        checkpoint = self._checkpoint(self._store.frontier)
        for audience, piece, index in waiting:
            audience.tell_all([sealed_item(audience.table_field, piece.seal, index, checkpoint)])
