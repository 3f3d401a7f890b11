"""Streams to readers of any speed: a bounded queue each, decisions one after another, heartbeats, an explicit end."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import final

from referee.limits import (
    BYTES_IN_A_STREAM_MESSAGE,
    BYTES_QUEUED_FOR_A_READER,
    HEARTBEAT_MS,
    ITEMS_QUEUED_FOR_A_READER,
    ITEMS_QUEUED_FOR_A_TABLE,
    PROPOSALS_FOR_A_DECISION,
    TABLES_ON_A_STREAM,
    TOLD_WITHIN_MS,
    UNWRITTEN_DECISION_MS,
)
from referee.table.items import Question, end_item, heartbeat_item
from referee.table.owner import TableOwner
from referee.table.timing import Alarm, TimeSource
from referee.v1 import table_pb2


@final
class _Asked:
    def __init__(self, owner: TableOwner, seat: int, decision_id: int, question: Question) -> None:
        self.owner = owner
        self.seat = seat
        self.decision_id = decision_id
        self.question = question
        self.queued_ms = 0
        self.item = 0
        """How many items were queued before its own."""

    def clock_starts(self) -> None:
        """Starts its clock; one that runs runs on."""
        self.owner.clock_starts(self.question.hand, self.seat, self.decision_id)


class Reader:
    """What is on its way to one stream.

    ``max_open`` decisions are asked at once; further ones wait with their clocks stopped. A reader that lets more
    queue up than is stated, in items (so many, and so many more for each table that it follows: tables may go in step)
    or in bytes, is cut off with an end of its own and can resume from its cursor.
    """

    def __init__(self, time: TimeSource, max_open: int) -> None:
        self.max_open = max_open
        self._time = time
        self._items: list[bytes] = []
        self._bytes = 0
        self._queued_ever = 0
        self._tables = 0
        self._tables_left = 0
        self._unwritten: deque[_Asked] = deque()
        self._clocks: Alarm | None = None
        self._wake: asyncio.Future[None] | None = None
        self._is_due = True
        self._due: Alarm | None = None
        self._open: set[tuple[TableOwner, int]] = set()
        self._waiting: deque[_Asked] = deque()
        self._ended = False
        self.on_cut_off: Callable[[], None] = lambda: None
        self._last_written_ms = time.now_ms()
        self._heart: Alarm | None = None

    def follow(self) -> None:
        """Counts a table that it follows from now on."""
        self._tables += 1

    def follow_no_more(self) -> None:
        """Counts a table that it has left; what was queued of it until now is still to be written."""
        self._tables_left += 1

    def _has_room_for(self, items: int, size: int) -> bool:
        tables = min(self._tables, TABLES_ON_A_STREAM)
        most = ITEMS_QUEUED_FOR_A_READER + tables * ITEMS_QUEUED_FOR_A_TABLE
        return len(self._items) + items <= most and self._bytes + size <= BYTES_QUEUED_FOR_A_READER

    def put(self, items: list[bytes]) -> None:
        """Queues items that are written at once; cuts the reader off when there are too many."""
        self._queue(items)
        self._wake_up()

    def put_in_time(self, items: list[bytes]) -> None:
        """Queues items that nobody has to answer: they wait a moment for a decision that they can go out with."""
        self._queue(items)
        if self._is_due:
            self._wake_up()
        elif self._due is None:
            self._due = self._time.call_at(self._time.now_ms() + TOLD_WITHIN_MS, self._come_due)

    def _come_due(self) -> None:
        self._due = None
        if self._items:
            self._wake_up()

    def _queue(self, items: list[bytes]) -> None:
        if self._ended:
            return
        size = 0
        for item in items:
            size += len(item)
        if not self._has_room_for(len(items), size):
            self._items.clear()
            self._unwritten.clear()  # their clocks start as the views are let go
            self._bytes = 0
            self.end("", table_pb2.STREAM_END_REASON_TOO_SLOW)
            self.on_cut_off()  # who does not read may not read the end either
            return
        self._add(items, size)

    def _add(self, items: list[bytes], size: int) -> None:
        self._items.extend(items)
        self._bytes += size
        self._queued_ever += len(items)

    def end(self, table_id: str, reason: int) -> None:
        """Queues the last item of the stream; nothing comes after it."""
        if not self._ended:
            self._ended = True
            end = end_item(table_id, reason)
            self._add([end], len(end))
            self._wake_up()

    def _wake_up(self) -> None:
        self._is_due = True
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    @property
    def queued(self) -> int:
        """How many items are queued."""
        return len(self._items)

    @property
    def ended(self) -> bool:
        """Whether the last item has been queued."""
        return self._ended

    def ask(self, asked: _Asked) -> None:
        """Puts a decision to the reader, now or when there is room for another open one."""
        if self._ended:
            return
        # One without a clock does not count: it may stay open for ever, and must not stop the clocks of others.
        if asked.question.remaining_ms is not None:
            if len(self._open) >= self.max_open:
                self._waiting.append(asked)
                return
            self._open.add((asked.owner, asked.seat))
        asked.queued_ms, asked.item = self._time.now_ms(), self._queued_ever
        self._unwritten.append(asked)
        if self._clocks is None:
            self._clocks = self._time.call_at(asked.queued_ms + UNWRITTEN_DECISION_MS, self._start_clocks)
        self.put([asked.question.item(asked.queued_ms)])

    def _start_clocks(self) -> None:
        """Starts the clocks of decisions that are not written though they were queued long enough ago."""
        self._clocks = None
        long_ago = self._time.now_ms() - UNWRITTEN_DECISION_MS
        while self._unwritten and self._unwritten[0].queued_ms <= long_ago:
            self._unwritten.popleft().clock_starts()
        if self._unwritten:
            self._clocks = self._time.call_at(self._unwritten[0].queued_ms + UNWRITTEN_DECISION_MS, self._start_clocks)

    def asked_no_more(self, owner: TableOwner, seat: int) -> None:
        """Takes back the seat's decision if it waits, or makes room for one that does."""
        if self._waiting:
            self._waiting = deque(asked for asked in self._waiting if (asked.owner, asked.seat) != (owner, seat))
        self._open.discard((owner, seat))
        while self._waiting and len(self._open) < self.max_open:
            self.ask(self._waiting.popleft())

    async def write_all(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Writes all that is queued, in one message if it is not too long, until the end has been written.

        A decision's clock runs from the moment at which the write of its message has completed.
        """
        self._beat()
        try:
            while True:
                while not self._items or not self._is_due:
                    self._wake = asyncio.get_running_loop().create_future()
                    await self._wake
                message = self._next_message()
                self._is_due = bool(self._items)
                written = self._queued_ever - len(self._items)
                await write(message)
                self._last_written_ms = self._time.now_ms()
                while self._unwritten and self._unwritten[0].item < written:
                    self._unwritten.popleft().clock_starts()
                if self._ended and not self._items:
                    return
        finally:
            for alarm in (self._heart, self._due, self._clocks):
                if alarm is not None:
                    alarm.cancel()

    def _next_message(self) -> bytes:
        """Takes off the queue what goes into one message: all, or as much as does not make it too long."""
        if self._bytes <= BYTES_IN_A_STREAM_MESSAGE:
            items, self._items, self._bytes = self._items, [], 0
            self._tables -= self._tables_left
            self._tables_left = 0
            return b"".join(items)
        size = count = 0
        for item in self._items:
            if count and size + len(item) > BYTES_IN_A_STREAM_MESSAGE:
                break
            size += len(item)
            count += 1
        message = b"".join(self._items[:count])
        del self._items[:count]
        self._bytes -= size
        return message

    def _beat(self) -> None:
        now = self._time.now_ms()
        if now - self._last_written_ms >= HEARTBEAT_MS and not self._items:
            self.put([heartbeat_item(now)])
        self._heart = self._time.call_at(now + HEARTBEAT_MS, self._beat)


class View:
    """One table's view on a stream: the subscriber that the table's owner tells."""

    def __init__(self, reader: Reader, owner: TableOwner, viewer: int, alone: bool, holder: bytes = b"") -> None:
        self.viewer = viewer
        self.holder = holder
        self.owner = owner
        self._reader = reader
        self._alone = alone
        self._proposals = 0
        self.ended = False
        reader.follow()

    def tell(self, items: list[bytes]) -> None:
        """Passes on what is new."""
        self._reader.put_in_time(items)

    def tell_at_once(self, items: list[bytes]) -> None:
        """Passes on what the reader asked for."""
        self._reader.put(items)

    def ask(self, decision_id: int, question: Question) -> None:
        """Passes on a decision."""
        self._proposals = 0
        self._reader.ask(_Asked(self.owner, self.viewer, decision_id, question))

    def proposes(self) -> bool:
        """Counts a proposal of the seat; false when it has made more than a decision can need."""
        self._proposals += 1
        return self._proposals <= PROPOSALS_FOR_A_DECISION

    def asked_no_more(self) -> None:
        """Passes on that the decision is not open any more."""
        self._reader.asked_no_more(self.owner, self.viewer)

    def leave(self) -> None:
        """Ends the view from the reader's side, without a word."""
        if not self.ended:
            self.ended = True
            self._reader.asked_no_more(self.owner, self.viewer)
            self._reader.follow_no_more()

    def end(self, reason: int) -> None:
        """Says that nothing more comes from this table; a stream of one table ends with it."""
        if self.ended:
            return
        self.leave()
        if self._alone:
            self._reader.end(self.owner.table_id, reason)
        else:
            self._reader.put([end_item(self.owner.table_id, reason)])
