"""The owner of a table: one task that takes commands in order, stores what they did, and only then tells anybody.

Commands that wait together are stored together. Whoever gave one may stop waiting for it; it is carried out all the
same. When the store fails, nothing of the group is told: the table is folded again from what the store has.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import structlog

from referee.limits import (
    COMMANDS_IN_A_GROUP,
    COMMANDS_WAITING_AT_A_TABLE,
    HANDS_IN_A_RESUMED_VIEW,
    STORE_RETRY_MS,
    UNWRITTEN_DECISION_MS,
)
from referee.record import wire
from referee.record.view import PUBLIC
from referee.store.sqlite import Answer, Append, SqliteStore, StoredRow, StoreError
from referee.table.answers import Answers
from referee.table.table import Seat, Table, TableError, restored
from referee.table.timing import Alarm, TimeSource
from referee.table.views import Numbering, seen, table_state
from referee.v1 import record_pb2, table_pb2

log = structlog.get_logger()

Item = table_pb2.PlayResponseItem


class OtherContentError(Exception):
    """A request id that was used before, with other content (BET-9)."""


class StoppedError(Exception):
    """The table takes no more commands, because the server stops."""


class CursorError(Exception):
    """A cursor that is not of this table, or too far back."""


class TooBusyError(Exception):
    """More commands wait at the table than it takes."""


class Subscriber(Protocol):
    """Whoever is told what happens at a table as one viewer."""

    viewer: int
    holder: bytes
    """Digest of the seat's token; empty for a viewer that is no seat."""
    ended: bool

    def tell(self, items: list[Item]) -> None:
        """Takes what is new, in order."""
        ...

    def ask(self, owner: "TableOwner", seat: int, decision_id: int, asked: Item) -> None:
        """Takes a decision that the seat has to answer, and what to say about it."""
        ...

    def asked_no_more(self, owner: "TableOwner", seat: int) -> None:
        """Learns that a decision is not open any more."""
        ...

    def end(self, owner: "TableOwner", reason: int) -> None:
        """Learns that nothing more comes from this table."""
        ...


Done = Callable[[Any, Exception | None], None]
"""Is told a command's result, or why there is none, once what it did is stored."""


@dataclass
class _Command:
    operate: Callable[[], Any]
    done: Done
    reads: bool = False
    answer: Callable[[Any], Answer | None] | None = None
    result: Any = None
    failure: Exception | None = None


@dataclass
class _Happened:
    """A stored event of the hand under way, kept at hand for views that begin now."""

    event: record_pb2.StoredEvent
    time_unix_ms: int


@dataclass(eq=False)
class TableOwner:
    """Owns a table while the server runs."""

    table: Table
    store: SqliteStore
    time: TimeSource
    next_number: int = 1
    subscribers: list[Subscriber] = field(default_factory=list)
    happened: list[_Happened] = field(default_factory=list)
    on_ended: "Callable[[TableOwner], None]" = field(default=lambda _owner: None)

    def __post_init__(self) -> None:
        self._inbox: asyncio.Queue[_Command | None] = asyncio.Queue(COMMANDS_WAITING_AT_A_TABLE)
        self._numbering = Numbering()
        self._answers = Answers(self.table_id, self.store)
        self._asked: dict[int, tuple[int, int]] = {}
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._at_fault = False
        self._has_durably_ended = self.table.has_ended

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self.table.table_id

    @classmethod
    def restore(cls, table_id: str, store: SqliteStore, time: TimeSource) -> "TableOwner":
        """The owner of a table that lies in the store; raises StoreError when it cannot be read."""
        table, rows, events = _out_of_the_store(table_id, store)
        owner = cls(table, store, time)
        owner._remember_rows(rows, events)
        return owner

    def start(self) -> None:
        """Begins to take commands, and goes on where the table stands."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {self.table_id}")
        self._task.add_done_callback(self._died)
        self._resume()

    def _died(self, task: "asyncio.Task[None]") -> None:
        """Tells everybody who waits when the task has ended otherwise than by stopping or the table's end."""
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            log.error("owner_died", table=self.table_id, error=repr(failure))
            self._end_streams(table_pb2.STREAM_END_REASON_STORE_FAILED)
        while not self._inbox.empty():
            command = self._inbox.get_nowait()
            if command is not None:
                command.done(None, StoppedError("the table is not being played"))

    def _resume(self) -> None:
        try:
            self._put(_Command(lambda: self.table.resume(self.time.now_ms()), _unheard))
        except (TableError, StoppedError, TooBusyError):
            log.warning("resume_dropped", table=self.table_id)

    async def stop(self, reason: int) -> None:
        """Ends every stream with a reason and takes no more commands; what was taken is carried out."""
        if self._task is not None and not self._task.done():
            self._stopping = True
            await self._inbox.put(None)
            await self._task
        if self._alarm is not None:
            self._alarm.cancel()
        self._end_streams(reason)

    # --- commands ---------------------------------------------------------------------------------------

    async def run(self, operate: Callable[[], Any]) -> Any:
        """Carries out a command when its turn comes and returns its result once what it did is stored.

        Raises what the command raised, StoreError when it could not be stored, TooBusyError when too many wait.
        """
        return await self._awaited(lambda done: self._put(_Command(operate, done)))

    async def read(self, operate: Callable[[], Any]) -> Any:
        """The same for a command that only reads: it sees nothing that is not stored."""
        if self._task is None or self._has_durably_ended:  # it changes no more
            return operate()
        return await self._awaited(lambda done: self._put(_Command(operate, done, reads=True)))

    async def run_once(
        self, request_id: str, content: bytes, operate: Callable[[], Any], encode: Callable[[Any], bytes]
    ) -> bytes:
        """Carries out a command under a request id and returns its encoded answer; see :meth:`post_once`."""
        answer: bytes = await self._awaited(lambda done: self.post_once(request_id, content, operate, encode, done))
        return answer

    def post_once(
        self,
        request_id: str,
        content: bytes,
        operate: Callable[[], Any],
        encode: Callable[[Any], bytes],
        done: Done,
    ) -> None:
        """Gives a command under a request id: the second time the first answer is given again (BET-9).

        ``content`` is a digest of the request; for an id that was used with another ``done`` gets OtherContentError.
        """

        def once() -> Any:
            found = self._answers.find(request_id)
            if found is None:
                return operate()
            if found.content != content:
                raise OtherContentError(request_id)
            return found

        def answer(result: Any) -> Answer | None:
            if isinstance(result, Answer):
                return None
            return Answer(self.table_id, request_id, content, encode(result))

        def unpack(result: Any, failure: Exception | None) -> None:
            done(None if failure else result.body, failure)

        if self._has_durably_ended:
            found = self._answers.find(request_id)
            if found is not None:
                same = found.content == content
                unpack(found if same else None, None if same else OtherContentError(request_id))
                return
        self._put(_Command(once, unpack, answer=answer))

    @staticmethod
    async def _awaited(give: Callable[[Done], None]) -> Any:
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def done(result: Any, failure: Exception | None) -> None:
            if waiting.done():  # who gave the command has stopped waiting
                return
            if failure is None:
                waiting.set_result(result)
            else:
                waiting.set_exception(failure)

        give(done)
        return await waiting

    def post_read(self, operate: Callable[[], Any], done: Done) -> None:
        """Gives a command that only reads, without waiting for it."""
        if self._task is None or self._has_durably_ended:
            done(operate(), None)
        else:
            self._put(_Command(operate, done, reads=True))

    def _put(self, command: _Command) -> None:
        if self._has_durably_ended:
            raise TableError("the table has ended")
        if self._task is None or self._task.done() or self._stopping:
            raise StoppedError("the server is stopping")
        try:
            self._inbox.put_nowait(command)
        except asyncio.QueueFull:
            raise TooBusyError(self.table_id) from None

    async def _run(self) -> None:
        while True:
            first = await self._inbox.get()
            if first is None:
                return
            group, stopping = [first], False
            while len(group) < COMMANDS_IN_A_GROUP and not self._inbox.empty():
                more = self._inbox.get_nowait()
                if more is None:
                    stopping = True
                    break
                group.append(more)
            await self._carry_out(group)
            if stopping or (self.table.has_ended and self._inbox.empty()):
                return

    async def _carry_out(self, group: list[_Command]) -> None:
        answers = [made for command in group if not command.reads for made in self._operate(command)]
        if self._at_fault:
            self._at_fault = False
            self._refold(group, StoreError("a command failed; nothing of its group was kept"))
            return
        fresh = self.table.take_fresh()
        now = self.time.now_ms()
        if fresh or answers:
            rows = tuple(self._rows(fresh, now))
            ends = self.table.has_ended and bool(rows)
            try:
                await self.store.append(Append(self.table_id, rows, tuple(answers), ends=ends))
            except StoreError as failed:
                log.error("store_failed", table=self.table_id, error=str(failed))
                self._refold(group, failed)
                return
        for command in group:
            if not command.reads:
                command.done(command.result, command.failure)
        self._publish(fresh, now)
        self._offer_decisions()
        for command in group:
            if command.reads:
                self._operate(command)
                command.done(command.result, command.failure)
        self._arm()

    def _operate(self, command: _Command) -> list[Answer]:
        """Carries out a command; returns the answer that is to be stored, if any."""
        try:
            command.result = command.operate()
            made = None if command.answer is None else command.answer(command.result)
        except (TableError, OtherContentError, CursorError) as failure:
            command.failure = failure
            return []
        except Exception as failure:
            log.exception("command_failed", table=self.table_id)
            command.failure = failure
            self._at_fault = not command.reads
            return []
        if made is None:
            return []
        self._answers.add(made)
        command.result = made
        return [made]

    def _rows(self, fresh: list[record_pb2.StoredEvent], now: int) -> list[StoredRow]:
        hand = self._numbering.hand
        rows: list[StoredRow] = []
        for event in fresh:
            if event.WhichOneof("event") == "hand_began":
                hand = event.hand_began.hand
            rows.append(StoredRow(self.next_number + len(rows), hand, now, event.SerializeToString()))
        return rows

    def _refold(self, group: list[_Command], failed: StoreError) -> None:
        """Tells nothing of a group that was not kept, and folds the table again from what the store has."""
        for command in group:
            command.done(None, failed)
        self._end_streams(table_pb2.STREAM_END_REASON_STORE_FAILED)
        self._answers = Answers(self.table_id, self.store)
        self.table, rows, events = _out_of_the_store(self.table_id, self.store)
        self._remember_rows(rows, events)
        self._asked.clear()
        self._offer_decisions()
        self._arm()
        # What goes on by itself, such as the next hand, is tried again a little later, not at once for ever.
        self.time.call_at(self.time.now_ms() + STORE_RETRY_MS, self._resume)

    def _remember_rows(self, rows: list[StoredRow], events: list[record_pb2.StoredEvent]) -> None:
        """Keeps the events of the last hand at hand, as if they had just happened."""
        hand = rows[-1].hand
        self.next_number = rows[-1].number + 1
        self.happened = [
            _Happened(event, row.time_unix_ms) for row, event in zip(rows, events, strict=True) if row.hand == hand
        ]
        self._numbering = Numbering()
        self._numbering.begin(hand)

    # --- telling ----------------------------------------------------------------------------------------

    def _publish(self, fresh: list[record_pb2.StoredEvent], now: int) -> None:
        self.next_number += len(fresh)
        items: dict[int, list[Item]] = {}
        viewers = {subscriber.viewer for subscriber in self.subscribers}
        for event in fresh:
            kind = event.WhichOneof("event")
            if kind == "hand_began":
                self._dismiss(items, {one.seat: one.token_sha256 for one in event.hand_began.seats})
                self._numbering.begin(event.hand_began.hand)
                self.happened = []
            self.happened.append(_Happened(event, now))
            if kind == "ruling" and event.ruling.accepted:
                self._no_more_asked(event.ruling.seat)
            for viewer in viewers:
                shown = self._shown(event, viewer, now)
                if shown is not None:
                    items.setdefault(viewer, []).append(Item(table_id=self.table_id, event=shown))
        for subscriber in list(self.subscribers):
            if subscriber.viewer in items:
                subscriber.tell(items[subscriber.viewer])
        if self.table.has_ended:
            self._has_durably_ended = True
            self._end_streams(table_pb2.STREAM_END_REASON_TABLE_ENDED)
            self.on_ended(self)

    def _dismiss(self, items: dict[int, list[Item]], holders: dict[int, bytes]) -> None:
        """Ends the views of seats that were left: what came before is theirs, what comes now is not."""
        for subscriber in list(self.subscribers):
            if subscriber.viewer > PUBLIC and holders.get(subscriber.viewer) != subscriber.holder:
                self.subscribers.remove(subscriber)
                subscriber.tell(items.pop(subscriber.viewer, []))
                subscriber.end(self, table_pb2.STREAM_END_REASON_NOT_ALLOWED)

    def _shown(self, event: record_pb2.StoredEvent, viewer: int, now: int) -> table_pb2.SeenEvent | None:
        shown = seen(event, viewer, self.table.config)
        if shown is None:
            return None
        shown.hand, shown.time_unix_ms = self._numbering.hand, now
        shown.number = self._count(viewer)
        return shown

    def _count(self, viewer: int) -> int:
        """The number of the view's newest event: how many of the hand's events the view has."""
        return self._numbering.next(viewer, lambda: self._seen_so_far(viewer))

    def _seen_so_far(self, viewer: int) -> int:
        return sum(seen(one.event, viewer, self.table.config) is not None for one in self.happened[:-1])

    def _no_more_asked(self, seat: int) -> None:
        if self._asked.pop(seat, None) is not None:
            for subscriber in self.subscribers:
                if subscriber.viewer == seat:
                    subscriber.asked_no_more(self, seat)

    def _offer_decisions(self) -> None:
        """Asks who has not been asked yet. Who is not connected is asked by the clock alone."""
        if not self.table.hand_is_on:
            for seat in list(self._asked):
                self._no_more_asked(seat)
        for seat, decision in self.table.decisions.items():
            asked = (self.table.hand_number, decision.decision_id)
            if self._asked.get(seat) == asked:
                continue
            self._no_more_asked(seat)
            self._asked[seat] = asked
            self._ask_or_wait(seat, decision.decision_id)

    def _ask_or_wait(self, seat: int, decision_id: int) -> None:
        for subscriber in self.subscribers:
            if subscriber.viewer == seat:
                subscriber.ask(self, seat, decision_id, self._decision_item(seat))
                return
        self.clock_starts_later(seat, decision_id)

    def _decision_item(self, seat: int) -> Item:
        """The seat's open decision as it is put to it now."""
        options, hand = self.table.options(seat), self.table.hand
        assert options is not None, "the decision is open"
        assert hand is not None, "a decision belongs to a hand"
        asked = table_pb2.Decision(
            hand_id=hand.setup.hand_id, hand=self.table.hand_number, legal=wire.options_message(options)
        )
        if self.table.config.clock.action_ms:
            now = self.time.now_ms()
            asked.remaining_ms = self.table.remaining_ms(seat, now)
            asked.deadline_unix_ms = now + asked.remaining_ms
        return Item(table_id=self.table_id, decision=asked)

    # --- clocks -----------------------------------------------------------------------------------------

    def clock_starts_later(self, seat: int, decision_id: int) -> None:
        """Starts the decision's clock a moment after it was queued, unless its writing starts it before."""
        if self.table.config.clock.action_ms:
            moment, hand = self.time.now_ms() + UNWRITTEN_DECISION_MS, self.table.hand_number
            self.time.call_at(moment, lambda: self.clock_starts(hand, seat, decision_id))

    def clock_starts(self, hand: int, seat: int, decision_id: int) -> None:
        """Starts the clock of a hand's decision now; a clock that runs runs on."""
        if self.table.config.clock.action_ms and hand == self.table.hand_number:
            self.table.start_clock(seat, decision_id, self.time.now_ms())
            self._arm()

    def _arm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        deadline = self.table.next_deadline_ms()
        if deadline is not None and not self.table.has_ended:
            self._alarm = self.time.call_at(deadline, self._due)

    def _due(self) -> None:
        now = self.time.now_ms()  # what is queued before this, stamped earlier, is dealt with before
        try:
            self._put(_Command(lambda: self.table.tick(now), _unheard))
        except (TableError, StoppedError, TooBusyError):
            log.warning("alarm_dropped", table=self.table_id)

    # --- views that begin and end -----------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, cursor: table_pb2.Cursor | None) -> None:
        """Begins a view, to be run by :meth:`read`: how the table stands, what the cursor has not seen, the decision.

        A seat has one view that is asked: the newest. Raises CursorError when the cursor is not one of this table.
        """
        if subscriber.ended:  # gone while this waited
            return
        if not self._holds(subscriber):
            subscriber.end(self, table_pb2.STREAM_END_REASON_NOT_ALLOWED)
            return
        for other in list(self.subscribers):
            if subscriber.viewer > 0 and other.viewer == subscriber.viewer:
                self.subscribers.remove(other)
                other.end(self, table_pb2.STREAM_END_REASON_REPLACED)
        self._numbering.forget(subscriber.viewer)
        events = self._unseen(subscriber.viewer, cursor)
        snapshot = table_pb2.Snapshot(table=table_state(self.table), events=events)
        subscriber.tell([Item(table_id=self.table_id, snapshot=snapshot)])
        if self.table.has_ended:
            subscriber.end(self, table_pb2.STREAM_END_REASON_TABLE_ENDED)
            return
        self.subscribers.append(subscriber)
        if subscriber.viewer in self.table.decisions:
            decision_id = self.table.decisions[subscriber.viewer].decision_id
            self._asked[subscriber.viewer] = (self.table.hand_number, decision_id)
            subscriber.ask(self, subscriber.viewer, decision_id, self._decision_item(subscriber.viewer))

    def _holds(self, subscriber: Subscriber) -> bool:
        """Whether a seat's view belongs to who holds the seat now."""
        seat = self.table.seats.get(subscriber.viewer)
        return subscriber.viewer <= PUBLIC or (seat is not None and seat.token_sha256 == subscriber.holder)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Ends a view from the reader's side; a decision that it was asked, or that waited there, has its clock."""
        if subscriber in self.subscribers:
            self.subscribers.remove(subscriber)
            decision = self.table.decisions.get(subscriber.viewer)
            if decision is not None:
                self.clock_starts_later(subscriber.viewer, decision.decision_id)

    def _unseen(self, viewer: int, cursor: table_pb2.Cursor | None) -> list[table_pb2.SeenEvent]:
        current = self._numbering.hand
        if cursor is None:
            return self.seen_events(viewer, [(current, one.event, one.time_unix_ms) for one in self.happened])
        if cursor.hand > current or cursor.hand < current - HANDS_IN_A_RESUMED_VIEW:
            raise CursorError(f"hand {cursor.hand} is not among the last {HANDS_IN_A_RESUMED_VIEW} of this table")
        told = self.seen_events(viewer, self.stored_events(cursor.hand, current))
        return [one for one in told if (one.hand, one.number) > (cursor.hand, cursor.number)]

    def stored_events(self, first_hand: int, last_hand: int) -> list[tuple[int, record_pb2.StoredEvent, int]]:
        """Stored events of some hands, each with its hand and moment."""
        rows = self.store.rows(self.table_id, first_hand, last_hand)
        return [(row.hand, record_pb2.StoredEvent.FromString(row.body), row.time_unix_ms) for row in rows]

    def seen_events(
        self,
        viewer: int,
        events: list[tuple[int, record_pb2.StoredEvent, int]],
        seats: dict[int, Seat] | None = None,
    ) -> list[table_pb2.SeenEvent]:
        """A view of whole hands' events, numbered, for who holds the seat now, or held it among ``seats``."""
        told: list[table_pb2.SeenEvent] = []
        hand, number, sees_as = -1, 0, viewer
        for event_hand, event, moment in events:
            if event_hand != hand:
                hand, number, sees_as = event_hand, 0, self._sees_as(viewer, event, seats or self.table.seats)
            shown = seen(event, sees_as, self.table.config)
            if shown is not None:
                number += 1
                shown.hand, shown.number, shown.time_unix_ms = hand, number, moment
                told.append(shown)
        return told

    @staticmethod
    def _sees_as(viewer: int, first: record_pb2.StoredEvent, seats: dict[int, Seat]) -> int:
        """As whom a seat sees a hand: as anybody if the seat was somebody else's when the hand began."""
        if viewer <= PUBLIC or first.WhichOneof("event") != "hand_began":
            return viewer
        held = next((one.token_sha256 for one in first.hand_began.seats if one.seat == viewer), None)
        holds = seats.get(viewer)
        return viewer if holds is not None and held == holds.token_sha256 else PUBLIC

    def _end_streams(self, reason: int) -> None:
        for subscriber in list(self.subscribers):
            subscriber.end(self, reason)
        self.subscribers.clear()


def _out_of_the_store(table_id: str, store: SqliteStore) -> tuple[Table, list[StoredRow], list[record_pb2.StoredEvent]]:
    """A table folded from the store, and the rows and events that it was folded from."""
    rows = list(store.for_restoring(table_id))
    events = [record_pb2.StoredEvent.FromString(row.body) for row in rows]
    return restored(table_id, events), rows, events


def _unheard(_result: Any, _failure: Exception | None) -> None:
    """Is told about a command that nobody waits for; faults were logged."""
