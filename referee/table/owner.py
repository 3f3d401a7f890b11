"""The owner of a table: it takes commands in order, stores what they did, and only then tells anybody.

Commands that wait together are stored together, and while a group is on its way to the disk the next ones wait.
Nothing here is awaited: whoever gave a command may stop waiting for it, and it is carried out all the same. When the
store fails, nothing of the group is told: the table is folded again from what the store has.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import structlog

from referee.counting import TableCounts
from referee.limits import (
    COMMANDS_IN_A_GROUP,
    COMMANDS_WAITING_AT_A_TABLE,
    HANDS_IN_A_RESUMED_VIEW,
    PROPOSAL_BYTES,
    STORE_RETRY_MS,
    UNWRITTEN_DECISION_MS,
)
from referee.record.signed_proposals import signature_fits
from referee.record.view import PUBLIC
from referee.store.sqlite import Answer, Append, SqliteStore, StoredPiece, StoredRow, StoreError
from referee.table.audience import Audience, Happened, Subscriber
from referee.table.game import GameProposal
from referee.table.happenings import Asked, Ruled, happenings, refusal_name, stored_bytes
from referee.table.items import Question, snapshot_item
from referee.table.notices import SealNotices
from referee.table.sealing import Sealer
from referee.table.seats import Seat, TableError
from referee.table.table import Table, restored
from referee.table.timing import Alarm, TimeSource
from referee.table.views import table_state
from referee.table.written import Written
from referee.v1 import table_pb2

log = structlog.get_logger()


class OtherContentError(Exception):
    """A request id that was used before, with other content (BET-9)."""


class TokenError(TableError):
    """A token that is not that of a seat of the table."""


class SignatureError(TokenError):
    """A signed proposal that is not signed by the seat's key."""


class ProposalTooLargeError(TableError):
    """A proposal of more bytes than are kept of one."""


class StoppedError(Exception):
    """The table takes no more commands, because the server stops."""


class CursorError(Exception):
    """A cursor that is not of this table, or too far back."""


class TooBusyError(Exception):
    """More commands wait at the table than it takes."""


Done = Callable[[Any, Exception | None], None]
"""Is told a command's result, or why there is none, once what it did is stored."""

Operate = Callable[[], Any]
"""Carries out a command."""

Follow = Callable[[str, str, Operate, Done], tuple[Operate, Done]]
"""Follows a table's command of a kind: gives what is carried out, and what is told, in their places."""


@final
class _Command:
    def __init__(self, kind: str, operate: Operate, done: Done, reads: bool = False) -> None:
        self.kind = kind
        self.operate = operate
        self.done = done
        self.reads = reads
        self.result: Any = None
        self.failure: Exception | None = None


@dataclass(eq=False)
class TableOwner:
    """Owns a table while the server runs; ``notices``, ``seals`` and ``follow`` are those of the hub."""

    table: Table
    store: SqliteStore
    time: TimeSource
    next_number: int = 1
    notices: SealNotices | None = None
    seals: bool = True
    counts: TableCounts = field(default_factory=TableCounts)
    follow: Follow | None = None
    on_ended: "Callable[[TableOwner], None]" = field(default=lambda _owner: None)

    def __post_init__(self) -> None:
        self._inbox: deque[_Command] = deque()
        self._storing: list[_Command] = []
        self.audience = Audience(self.table_id, self.table.config)
        self._has_grace = self.table.config.clock.reconnect_grace_ms > 0
        self._rulings: dict[tuple[int, str], Ruled] = {}
        self._answers: list[Answer] = []
        self._asked: dict[int, tuple[int, int]] = {}
        self._alarm: Alarm | None = None
        self._alarm_at = 0
        self._unwritten: deque[tuple[int, int, int, int]] = deque()
        self._prepared_for = 0
        self._was_started = False
        self._is_playing = False
        self._is_working = False
        self._at_fault = False
        self._on_idle: asyncio.Future[None] | None = None
        self._has_durably_ended = self.table.has_ended
        self._sealer = Sealer.restored(self.table_id, self.table.config, self.store) if self.seals else None

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self.table.table_id

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return len(self._inbox)

    @classmethod
    def restore(
        cls,
        table_id: str,
        store: SqliteStore,
        time: TimeSource,
        notices: SealNotices | None = None,
        seals: bool = True,
        counts: TableCounts | None = None,
        follow: Follow | None = None,
    ) -> "TableOwner":
        """The owner of a table that lies in the store; raises StoreError when it cannot be read."""
        table, happened, next_number = _out_of_the_store(table_id, store)
        counts = counts or TableCounts()
        owner = cls(table, store, time, notices=notices, seals=seals, counts=counts, follow=follow)
        owner._remember(happened, next_number)
        return owner

    def start(self) -> None:
        """Begins to take commands, and goes on where the table stands."""
        self._was_started = self._is_playing = True
        self._resume()

    def _resume(self) -> None:
        try:
            self._put(_Command("resume", lambda: self.table.resume(self.time.now_ms()), _unheard))
        except (TableError, StoppedError, TooBusyError):
            log.warning("resume_dropped", table=self.table_id)

    async def stop(self, reason: int) -> None:
        """Ends every stream with a reason and takes no more commands; what was taken is carried out."""
        self._is_playing = False
        if self._inbox or self._storing:
            self._on_idle = asyncio.get_running_loop().create_future()
            await self._on_idle
        if self._alarm is not None:
            self._alarm.cancel()
        self.audience.end(reason)

    # --- commands ---------------------------------------------------------------------------------------

    async def run(self, operate: Callable[[], Any]) -> Any:
        """Carries out a command when its turn comes and returns its result once what it did is stored.

        Raises what the command raised, StoreError when it could not be stored, TooBusyError when too many wait.
        """
        return await awaited(lambda done: self._put(_Command("command", operate, done)))

    async def read(self, operate: Callable[[], Any]) -> Any:
        """The same for a command that only reads: it sees nothing that is not stored."""
        return await awaited(lambda done: self.post_read(operate, done))

    def post_read(self, operate: Callable[[], Any], done: Done) -> None:
        """Gives a command that only reads, without waiting for it."""
        if self._has_durably_ended or not self._was_started:  # it changes no more
            done(operate(), None)
        else:
            self._put(_Command("read", operate, done, reads=True))

    async def run_once(
        self, request_id: str, content: bytes, operate: Callable[[], Any], encode: Callable[[Any], bytes]
    ) -> bytes:
        """Carries out a command under a request id and returns its encoded answer; the second time the first answer.

        ``content`` is a digest of the request; raises OtherContentError for an id that was used with another.
        """

        def once() -> bytes:
            found = self._answer(request_id, content)
            if found is not None:
                return found
            answer = Answer(self.table_id, request_id, content, encode(operate()))
            self._answers.append(answer)
            return answer.body

        if self._has_durably_ended:
            found = self._answer(request_id, content)
            if found is not None:
                return found
        told: bytes = await self.run(once)
        return told

    def _answer(self, request_id: str, content: bytes) -> bytes | None:
        """What was answered to a request id, stored or about to be; raises OtherContentError."""
        waiting = [one for one in self._answers if one.request_id == request_id]
        found = waiting[0] if waiting else self.store.answer(self.table_id, request_id)
        if found is None:
            return None
        if found.content != content:
            raise OtherContentError(request_id)
        return found.body

    def post_proposal(
        self,
        proposal: GameProposal,
        request_id: str,
        received: bytes,
        received_ms: int,
        holder: bytes,
        done: Done,
        signature: bytes = b"",
    ) -> None:
        """Gives a seat's proposal, received at a moment; ``done`` gets what was ruled, a :class:`Ruled`.

        A request id that the seat used in the same hand before gets the first ruling again, or OtherContentError
        when ``received``, the bytes of the proposal's message, are others (BET-9). ``holder`` is the digest of the
        token: who has left, and whose seat is somebody else's now, gets TableError. So does a ``signature`` that does
        not fit.
        """

        if len(received) > PROPOSAL_BYTES:
            raise ProposalTooLargeError(f"a proposal of {len(received)} bytes; at most {PROPOSAL_BYTES} are taken")

        def once() -> Ruled:
            held = self.table.seats.get(proposal.seat)
            if held is None or held.token_sha256 != holder:
                raise TokenError("the seat is not held by this token any more")
            if signature and not signature_fits(held.public_key, proposal, request_id, signature):
                raise SignatureError("the signature is not that of the seat's key over this proposal")
            found = self._ruling(proposal, request_id)
            if found is None:
                found = self.table.propose(proposal, request_id, received_ms, received, signature)
                if found.accepted or any([one is found for one in self.table.fresh]):  # it is kept
                    self._rulings[proposal.seat, request_id] = found
                self._count(found)
            elif found.proposal != received:
                raise OtherContentError(request_id)
            return found

        def answered(one: Any, failure: Exception | None) -> None:
            if failure is None:
                self.counts.answer_ms.add(self.time.now_ms() - received_ms)
            else:
                self.counts.unruled += 1
            done(one, failure)

        if self._has_durably_ended and self._ruling(proposal, request_id) is not None:
            self.post_read(once, done)
        else:
            self._put(_Command("propose", once, answered))

    def _count(self, one: Ruled) -> None:
        if one.accepted:
            self.counts.accepted += 1
        else:
            reason = refusal_name(one)
            self.counts.refused[reason] = self.counts.refused.get(reason, 0) + 1

    def _ruling(self, proposal: GameProposal, request_id: str) -> Ruled | None:
        """What was ruled under the seat's request id in the hand that the proposal names."""
        found = self._rulings.get((proposal.seat, request_id))
        if found is not None or (self.table.hand_number and proposal.hand_id == self.table.game.hand_id):
            return found
        table_id, _, hand = proposal.hand_id.rpartition("-")
        if table_id != self.table_id or not hand.isdecimal() or not 0 < int(hand) < self.table.hand_number:
            return None
        of_hand = [one.happening for one in self.stored(int(hand), int(hand)) if isinstance(one.happening, Ruled)]
        return next((one for one in of_hand if (one.seat, one.request_id) == (proposal.seat, request_id)), None)

    def _put(self, command: _Command) -> None:
        if self._has_durably_ended:
            raise TableError("the table has ended")
        if not self._is_playing:
            raise StoppedError("the server is stopping")
        if len(self._inbox) >= COMMANDS_WAITING_AT_A_TABLE:
            raise TooBusyError(self.table_id)
        if self.follow is not None:
            command.operate, command.done = self.follow(self.table_id, command.kind, command.operate, command.done)
        self._inbox.append(command)
        self._work()

    def _work(self) -> None:
        """Carries out what waits, a group at a time, unless a group is being stored: then that goes first."""
        if self._is_working:
            return
        self._is_working = True
        try:
            while self._inbox and not self._storing:
                self._storing = [self._inbox.popleft() for _ in range(min(len(self._inbox), COMMANDS_IN_A_GROUP))]
                self._carry_out()
        except Exception as fault:
            self._give_up(fault)
        finally:
            self._is_working = False
        if self._on_idle is not None and not self._storing and not self._on_idle.done():
            self._on_idle.set_result(None)

    def _carry_out(self) -> None:
        for command in self._storing:
            if not command.reads:
                self._operate(command)
        if self._at_fault:
            self._at_fault = False
            self._refold(StoreError("a command failed; nothing of its group was kept"))
            return
        fresh = self.table.take_fresh()
        now = self.time.now_ms()
        if not fresh and not self._answers:
            self._kept([], now, (), 0)
            return
        written = [Written(happening, self.table.config) for happening in fresh]
        pieces: tuple[StoredPiece, ...] = ()
        if self._sealer is not None:
            pieces = self._sealer.add(self.audience.hand, written, now)
        ends = self.table.has_ended and bool(fresh)
        append = Append(self.table_id, tuple(self._rows(written, now)), tuple(self._answers), pieces, ends=ends)

        def kept(failed: StoreError | None, first_index: int) -> None:
            try:
                if failed is None:
                    self._kept(written, now, pieces, first_index)
                else:
                    log.error("store_failed", table=self.table_id, error=str(failed))
                    self._refold(failed)
            except Exception as fault:  # other tables of the group must still be told
                self._give_up(fault)
            self._work()

        self.store.post(append, kept)

    def _kept(
        self,
        written: list[Written],
        now: int,
        pieces: tuple[StoredPiece, ...],
        first_index: int,
    ) -> None:
        """Tells everybody about a group that is stored, and lets the next one begin."""
        group, self._storing = self._storing, []
        self._answers.clear()
        for command in group:
            if not command.reads:
                command.done(command.result, command.failure)
        self._publish(written, now)
        if self.notices is not None and pieces:
            self.notices.add(self.audience, pieces, first_index)
        if self.table.has_ended and not self._has_durably_ended:
            if self.notices is not None:
                self.notices.tell()
            self._has_durably_ended = True
            self.audience.end(table_pb2.STREAM_END_REASON_TABLE_ENDED)
            self.on_ended(self)
        self._offer_decisions()
        for command in group:
            if command.reads:
                self._operate(command)
                command.done(command.result, command.failure)
        self._arm()
        if written:
            asyncio.get_running_loop().call_soon(self._use_spare_time)

    def _use_spare_time(self) -> None:
        """Does what nobody waits for, once what was told is on its way: who was asked needs a while to answer."""
        if self._sealer is not None:
            self._sealer.catch_up()
        if self._prepared_for != self.table.hand_number:
            self._prepared_for = self.table.hand_number
            self.table.prepare_next_hand()

    def _operate(self, command: _Command) -> None:
        try:
            command.result = command.operate()
        except (TableError, OtherContentError, CursorError) as failure:
            command.failure = failure
        except Exception as fault:  # a name of its own: compiled, a name keeps the type of its first use
            log.exception("command_failed", table=self.table_id)
            command.failure = fault
            self._at_fault = self._at_fault or not command.reads

    def _rows(self, written: list[Written], now: int) -> list[StoredRow]:
        """What happened as rows of the store, one for each hand that it belongs to."""
        rows: list[StoredRow] = []
        hand, number, piece = self.audience.hand, self.next_number, b""
        first = number
        for one in written:
            if one.began is not None:
                if piece:
                    rows.append(StoredRow(first, hand, now, piece))
                hand, first, piece = one.began.hand, number, b""
            piece += stored_bytes(one.event)
            number += 1
        if piece:
            rows.append(StoredRow(first, hand, now, piece))
        return rows

    def _refold(self, failed: StoreError) -> None:
        """Tells nothing of a group that was not kept, and folds the table again from what the store has."""
        group, self._storing = self._storing, []
        for command in group:
            command.done(None, failed)
        self.audience.end(table_pb2.STREAM_END_REASON_STORE_FAILED)
        self._answers.clear()
        self._rulings.clear()
        self._asked.clear()
        # What goes on by itself, such as the next hand, is tried again a little later, not at once for ever.
        self.time.call_at(self.time.now_ms() + STORE_RETRY_MS, self._resume)
        self.table, happened, next_number = _out_of_the_store(self.table_id, self.store)
        self._sealer = Sealer.restored(self.table_id, self.table.config, self.store) if self.seals else None
        self._remember(happened, next_number)
        self._offer_decisions()
        self._arm()

    def _give_up(self, fault: Exception) -> None:
        """Plays no more, because of a fault of ours or because not even what is stored can be read.

        Everybody is told; a restart of the server takes the table up again.
        """
        log.error("owner_died", table=self.table_id, error=repr(fault))
        self._is_playing = False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self.audience.end(table_pb2.STREAM_END_REASON_STORE_FAILED)
        waiting = [*self._storing, *self._inbox]
        self._storing, self._inbox = [], deque()
        for command in waiting:
            command.done(None, StoppedError("the table is not being played"))

    def _remember(self, happened: list[Happened], next_number: int) -> None:
        """Keeps what happened in the last hand at hand, as if it had just happened."""
        self.next_number = next_number
        self.audience.remember(happened)
        for one in self.audience.happened:
            if isinstance(one.happening, Ruled):
                self._rulings[one.happening.seat, one.happening.request_id] = one.happening

    # --- telling ----------------------------------------------------------------------------------------

    def _publish(self, written: list[Written], now: int) -> None:
        self.next_number += len(written)
        for one in written:
            happening = one.happening
            if one.began is not None:
                self._rulings.clear()
                self.counts.hands += 1
            elif isinstance(happening, Asked):
                self.counts.decisions += 1
            elif isinstance(happening, Ruled):
                self._rulings[happening.seat, happening.request_id] = happening
                if happening.accepted:
                    self.counts.automatic += not happening.request_id
                    self._no_more_asked(happening.seat)
        self.audience.tell(written, now)

    def _no_more_asked(self, seat: int) -> None:
        if self._asked.pop(seat, None) is not None:
            subscriber = self.audience.of_seat(seat)
            if subscriber is not None:
                subscriber.asked_no_more()

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
        subscriber = self.audience.of_seat(seat)
        if subscriber is None:
            self.clock_starts_later(seat, decision_id)
        else:
            subscriber.ask(decision_id, self._question(seat))

    def _question(self, seat: int) -> Question:
        """The seat's open decision as it is put to it now."""
        game, remaining = self.table.game, None
        if self.table.config.clock.action_ms:
            remaining = self.table.remaining_ms(seat, self.time.now_ms())
        return Question(
            self.audience.table_field,
            game.hand_id,
            self.table.hand_number,
            game.options_bytes(seat),
            remaining,
            game.fields.options,
        )

    # --- clocks -----------------------------------------------------------------------------------------

    def clock_starts_later(self, seat: int, decision_id: int) -> None:
        """Starts the decision's clock a moment after it was queued, unless its writing starts it before."""
        if self.table.config.clock.action_ms:
            moment = self.time.now_ms() + UNWRITTEN_DECISION_MS
            self._unwritten.append((moment, self.table.hand_number, seat, decision_id))
            if len(self._unwritten) == 1:
                self.time.call_at(moment, self._start_unwritten)

    def _start_unwritten(self) -> None:
        """Starts the clocks of decisions queued long enough ago; one call stands for all that were queued since."""
        now = self.time.now_ms()
        while self._unwritten and self._unwritten[0][0] <= now:
            _, hand, seat, decision_id = self._unwritten.popleft()
            self.clock_starts(hand, seat, decision_id)
        if self._unwritten:
            self.time.call_at(self._unwritten[0][0], self._start_unwritten)

    def clock_starts(self, hand: int, seat: int, decision_id: int) -> None:
        """Starts the clock of a hand's decision now; a clock that runs runs on."""
        if not self.table.config.clock.action_ms or hand != self.table.hand_number:
            return
        is_away = self._has_grace and self.audience.of_seat(seat) is None
        if self.table.start_clock(seat, decision_id, self.time.now_ms(), is_away):
            self._arm()

    def _arm(self) -> None:
        """Sees to it that something wakes the table when time is over.

        An alarm that is set for an earlier moment is left: it rings for nothing and is set again, which costs less
        than setting it anew with every decision.
        """
        deadline = None if self.table.has_ended else self.table.next_deadline_ms()
        if deadline is None or (self._alarm is not None and self._alarm_at <= deadline):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm, self._alarm_at = self.time.call_at(deadline, self._ring), deadline

    def _ring(self) -> None:
        self._alarm = None
        deadline = None if self.table.has_ended else self.table.next_deadline_ms()
        if deadline is not None and deadline <= self.time.now_ms():
            self._due()
        else:
            self._arm()

    def _due(self) -> None:
        now = self.time.now_ms()  # what is queued before this, stamped earlier, is dealt with before
        try:
            self._put(_Command("clock", lambda: self.table.tick(now), _unheard))
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
            subscriber.end(table_pb2.STREAM_END_REASON_NOT_ALLOWED)
            return
        self.audience.replace(subscriber)
        events = self._unseen(subscriber.viewer, cursor)
        snapshot = table_pb2.Snapshot(table=table_state(self.table), events=events)
        subscriber.tell_at_once([snapshot_item(self.audience.table_field, snapshot)])
        if self.table.has_ended:
            subscriber.end(table_pb2.STREAM_END_REASON_TABLE_ENDED)
            return
        self.audience.join(subscriber)
        if subscriber.viewer in self.table.decisions:
            if self._has_grace:
                self.table.regain_connection(subscriber.viewer, self.time.now_ms())
                self._arm()
            decision_id = self.table.decisions[subscriber.viewer].decision_id
            self._asked[subscriber.viewer] = (self.table.hand_number, decision_id)
            subscriber.ask(decision_id, self._question(subscriber.viewer))

    def _holds(self, subscriber: Subscriber) -> bool:
        """Whether a seat's view belongs to who holds the seat now."""
        seat = self.table.seats.get(subscriber.viewer)
        return subscriber.viewer <= PUBLIC or (seat is not None and seat.token_sha256 == subscriber.holder)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Ends a view from the reader's side; a decision that it was asked, or that waited there, has its clock."""
        if self.audience.leave(subscriber):
            decision = self.table.decisions.get(subscriber.viewer)
            if decision is not None:
                if self._has_grace:
                    self.table.lose_connection(subscriber.viewer, self.time.now_ms())
                self.clock_starts_later(subscriber.viewer, decision.decision_id)

    def _unseen(self, viewer: int, cursor: table_pb2.Cursor | None) -> list[table_pb2.SeenEvent]:
        current = self.audience.hand
        if cursor is None:
            return self.seen_events(viewer, self.audience.happened)
        if cursor.hand > current or cursor.hand < current - HANDS_IN_A_RESUMED_VIEW:
            raise CursorError(f"hand {cursor.hand} is not among the last {HANDS_IN_A_RESUMED_VIEW} of this table")
        told = self.seen_events(viewer, self.stored(cursor.hand, current))
        return [one for one in told if (one.hand, one.number) > (cursor.hand, cursor.number)]

    def seen_events(
        self, viewer: int, happened: list[Happened], seats: dict[int, Seat] | None = None
    ) -> list[table_pb2.SeenEvent]:
        """A view of whole hands, numbered, for who holds the seat now, or held it among ``seats``."""
        return self.audience.seen_events(viewer, happened, seats or self.table.seats)

    def stored(self, first_hand: int, last_hand: int) -> list[Happened]:
        """What is stored of some hands, both included."""
        return _happened(self.store.rows(self.table_id, first_hand, last_hand))


def _happened(rows: list[StoredRow]) -> list[Happened]:
    return [Happened(row.hand, happening, row.time_unix_ms) for row in rows for happening in happenings(row.body)]


def _out_of_the_store(table_id: str, store: SqliteStore) -> tuple[Table, list[Happened], int]:
    """A table folded from the store, what it was folded from, and the number of what happens next."""
    rows = list(store.for_restoring(table_id))
    happened = _happened(rows)
    table = restored(table_id, [one.happening for one in happened])
    return table, happened, rows[-1].number + len(happenings(rows[-1].body))


async def awaited(give: Callable[[Done], None]) -> Any:
    """The result of a command that ``give`` gives, or what it raised."""
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


def _unheard(_result: Any, _failure: Exception | None) -> None:
    """Is told about a command that nobody waits for; faults were logged."""
