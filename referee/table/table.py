"""One table as a pure state machine: commands and moments go in, stored events come out; nothing is read or written.

Whatever happens is a :data:`~referee.table.happenings.Happening`. Table and hand are the fold of these: a live table
folds each one as it makes it, a restarted server folds them again from the store. What is played is the table's
:class:`~referee.table.game.Game`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, final

from referee import __version__
from referee.dealing import DeckSource
from referee.dealing.errors import SeedError
from referee.dealing.fair import FairDecks
from referee.kozel.events import ROUND_ENDED
from referee.kozel.events import Event as KozelEvent
from referee.rules.events import HAND_ENDED, Event
from referee.table.clocks import bank_after_answer, elapsed, grace_taken, is_late, latest_answer
from referee.table.config import TableConfig, config_message
from referee.table.faults import FaultPolicy, is_due
from referee.table.game import GameOptions, GameProposal, GameRuling, GameState
from referee.table.games import config_of, game_of
from referee.table.happenings import Asked, Happening, Ruled, ruling_of
from referee.table.seats import Seat, TableError, seat_of
from referee.table.seeds import TableSeeds
from referee.v1 import record_pb2, table_pb2

KEPT_REFUSALS: Final = 16
"""Refused proposals that are kept whole: of one decision, and of a seat that has none in a hand."""


@final
@dataclass(init=False)
class OpenDecision:
    """A decision that a seat has not answered.

    ``started_ms`` is when its clock began to run, None while it stands still; ``spent_ms`` is the time it had used
    before, by the last durable reading. ``away_since_ms`` is since when the seat has had no connection, None while it
    has one, or no budget for that.
    """

    decision_id: int
    started_ms: int | None
    away_since_ms: int | None
    spent_ms: int
    refusals: int

    def __init__(self, decision_id: int) -> None:
        self.decision_id = decision_id
        self.started_ms = None
        self.away_since_ms = None
        self.spent_ms = 0
        self.refusals = 0

    def spent_at(self, config: TableConfig, now_ms: int) -> int:
        """How much of its time is used at a moment (TIME-1)."""
        running = 0 if self.started_ms is None else elapsed(config.clock, self.started_ms, now_ms)
        return self.spent_ms + running


@dataclass
class Table:
    """A table: its configuration, seats and game, and the events that have not been stored yet."""

    table_id: str
    config: TableConfig
    seats: dict[int, Seat] = field(default_factory=dict)
    hand_number: int = 0
    decisions: dict[int, OpenDecision] = field(default_factory=dict)
    banks_at_start: dict[int, int] = field(default_factory=dict)
    faults_at_start: dict[int, int] = field(default_factory=dict)
    strays: dict[int, int] = field(default_factory=dict)
    closing: bool = False
    end_reason: int = table_pb2.END_REASON_UNSPECIFIED
    next_hand_at_ms: int | None = None
    is_paused: bool = False
    paused_since_ms: int | None = None
    decks: DeckSource | None = None
    reveal_until_ms: int = 0
    fresh: list[Happening] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = game_of(self.config)
        self.seeds = TableSeeds(self.config.match_name or self.table_id, self.config.seed, self.game.deck_items)
        self.given = self.config.given_decks()
        self._commit_until_ms: int | None = None

    # --- what stands ------------------------------------------------------------------------------------

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens at this table."""
        return self.end_reason != table_pb2.END_REASON_UNSPECIFIED

    @property
    def hand(self) -> GameState | None:
        """The hand under way, or the last one; None before the first."""
        return self.game.state()

    @property
    def hand_is_on(self) -> bool:
        """Whether a hand is under way."""
        return self.game.is_on()

    def options(self, seat: int) -> GameOptions | None:
        """What the seat may do at its open decision, None when it has none."""
        return self.game.options(seat)

    def next_deadline_ms(self) -> int | None:
        """The next moment at which something happens by itself, None when nothing does."""
        first = self._end_of_pause_ms() if self.is_paused else self.next_hand_at_ms
        if self.config.clock.action_ms:
            for seat, decision in self.decisions.items():
                if decision.started_ms is not None:
                    bank = self.seats[seat].bank_ms
                    late = latest_answer(self.config.clock, bank, decision.started_ms) - decision.spent_ms + 1
                    if decision.away_since_ms is not None:
                        late += self.config.clock.reconnect_grace_ms - self.seats[seat].grace_used_ms
                    if first is None or late < first:
                        first = late
        return first

    def remaining_ms(self, seat: int, now_ms: int) -> int:
        """What is left of the time of the seat's open decision, its bank included."""
        clock = self.config.clock
        return max(0, clock.action_ms + self.seats[seat].bank_ms - self._spent(seat, now_ms))

    def _spent(self, seat: int, now_ms: int) -> int:
        """How much of the time of its open decision a seat has used; 0 when it has none (TIME-1, TIME-3)."""
        decision = self.decisions.get(seat)
        if decision is None:
            return 0
        if decision.away_since_ms is not None:
            away_ms = now_ms - decision.away_since_ms
            now_ms -= grace_taken(self.config.clock, self.seats[seat].grace_used_ms, away_ms)
        return decision.spent_at(self.config, now_ms)

    # --- what may be asked of it ------------------------------------------------------------------------

    def take_seat(
        self,
        seat: int,
        name: str,
        token_sha256: bytes,
        show_when_beaten: bool,
        now_ms: int,
        public_key: bytes = b"",
        commits_seed: bool = False,
        posts: bool = False,
    ) -> int:
        """Seats a player and returns the seat; ``seat`` 0 takes the first free one. Raises TableError."""
        self._must_be_open()
        refused = self.game.why_nobody_sits_down(self.hand_number, self.seeds.are_closed)
        if refused:
            raise TableError(refused)
        everybody = range(1, self.config.seats + 1)
        free = [one for one in everybody if one not in self.seats and self.game.has_seat(one)]
        if seat != 0 and seat not in free:
            raise TableError(f"seat {seat} is not free")
        if not free:
            raise TableError("every seat is taken")
        stored = record_pb2.StoredSeat(
            seat=seat or free[0],
            name=name,
            token_sha256=token_sha256,
            stack=self.game.first_stack(seat or free[0]),
            bank_ms=self.config.clock.bank_ms,
            show_when_beaten=show_when_beaten,
            waiting=self.hand_number > 0,
            public_key=public_key,
            commits_seed=commits_seed,
        )
        if posts and self.hand_number > 0:
            stored.standing.posts = True
        self._happens(record_pb2.StoredEvent(seat_taken=stored))
        self._look_for_the_next_hand(now_ms)
        return stored.seat

    def commit_seed(self, seat: int, commitment: bytes, now_ms: int) -> None:
        """Takes a seat's commitment to a seed (referee-deal/1); raises TableError when it comes too late."""
        self._must_be_open()
        try:
            is_new = self.seeds.check_commitment(seat, commitment)
        except SeedError as refused:
            raise TableError(str(refused)) from refused
        if is_new:
            committed = table_pb2.SeedCommitted(seat=seat, commitment=commitment)
            self._happens(record_pb2.StoredEvent(seed_committed=committed))
            self._look_for_the_next_hand(now_ms)

    def reveal_seed(self, seat: int, seed: bytes, now_ms: int) -> None:
        """Takes the seed that a seat committed to; raises TableError for another one, too early and too late."""
        if self.decks is not None or self.has_ended:
            raise TableError("seeds are not taken any more: the cards are being dealt")
        try:
            is_new = self.seeds.check_seed(seat, seed)
        except SeedError as refused:
            raise TableError(str(refused)) from refused
        if is_new:
            given = table_pb2.SeatSeed(seat=seat, commitment=self.seeds.commitments[seat], seed=seed)
            self._happens(record_pb2.StoredEvent(seed_revealed=given))
            self._look_for_the_next_hand(now_ms)

    def leave_seat(self, seat: int, now_ms: int) -> None:
        """Lets a player leave after the hand under way. Raises TableError at a private table."""
        if self.has_ended or seat not in self.seats or self.seats[seat].leaving:
            return
        self._must_let_go()
        self._happens(record_pb2.StoredEvent(seat_leaving=table_pb2.SeatLeaving(seat=seat)))
        self._look_for_the_next_hand(now_ms)

    def sit_out(self, seat: int) -> None:
        """Deals a seat in no more from the next hand on, before its blinds are placed (SEAT-5).

        Raises TableError at a private table, and in a game that nobody sits out of.
        """
        self._must_let_sit_out()
        one = self.seats.get(seat)
        if one is not None and not (self.has_ended or one.leaving or one.sitting_out):
            self._must_let_go()
            self._happens(record_pb2.StoredEvent(seat_sits_out=table_pb2.SeatSitsOut(seat=seat)))

    def sit_in(self, seat: int, posts: bool, now_ms: int) -> None:
        """Lets a seat play again; ``posts`` says how it comes in where it is new or owes blinds (SEAT-2, SEAT-3).

        Raises TableError in a game that nobody sits out of.
        """
        self._must_let_sit_out()
        one = self.seats.get(seat)
        if one is None or self.has_ended or one.leaving:
            return
        if one.sitting_out or (one.standing(seat, True).must_enter and one.posts != posts):
            self._happens(record_pb2.StoredEvent(seat_sits_in=table_pb2.SeatSitsIn(seat=seat, posts=posts)))
        self._look_for_the_next_hand(now_ms)

    def top_up(self, seat: int, to: int, now_ms: int) -> None:
        """Has a seat's stack filled up to ``to`` chips before the next hand, if it then has fewer; 0 takes that back.

        Raises TableError for more chips than the table allows, or than all of it may hold.
        """
        self._must_be_open()
        one = self.seats[seat]
        if one.leaving:
            raise TableError("the seat leaves")
        refused = self.game.why_not_filled_up(self.seats, to)
        if refused:
            raise TableError(refused)
        if to != one.top_up_to:
            self._happens(record_pb2.StoredEvent(seat_tops_up=table_pb2.SeatTopsUp(seat=seat, to=to)))
        self._look_for_the_next_hand(now_ms)

    def close(self, now_ms: int) -> None:
        """Ends the table after the hand under way."""
        if not self.has_ended and not self.closing:
            self._happens(record_pb2.StoredEvent(closing=record_pb2.StoredClosing()))
            if not self.hand_is_on:
                self._end(table_pb2.END_REASON_CLOSED)
        self._go_on(now_ms)

    def start_clock(self, seat: int, decision_id: int, now_ms: int, is_away: bool = False) -> bool:
        """Lets the clock of an open decision run from now on; false when there is none or it runs already.

        Of a seat that ``is_away`` it stands still at first, as far as the seat's budget for that goes (TIME-3).
        """
        decision = self.decisions.get(seat)
        if decision is None or decision.decision_id != decision_id or decision.started_ms is not None:
            return False
        decision.started_ms = now_ms
        if is_away:
            self.lose_connection(seat, now_ms)
        return True

    def lose_connection(self, seat: int, now_ms: int) -> None:
        """Notes that nobody is connected for a seat: the clock of its decision stands still within its budget."""
        decision = self.decisions.get(seat)
        if decision is None or decision.started_ms is None or decision.away_since_ms is not None:
            return
        if self.config.clock.reconnect_grace_ms > self.seats[seat].grace_used_ms:
            decision.away_since_ms = now_ms

    def regain_connection(self, seat: int, now_ms: int) -> None:
        """Notes that somebody is connected for a seat again, or that its decision is answered: the budget is used."""
        decision = self.decisions.get(seat)
        if decision is None or decision.away_since_ms is None or decision.started_ms is None:
            return
        one = self.seats[seat]
        taken = grace_taken(self.config.clock, one.grace_used_ms, now_ms - decision.away_since_ms)
        one.grace_used_ms += taken
        decision.started_ms += taken
        decision.away_since_ms = None

    def propose(
        self, proposal: GameProposal, request_id: str, received_ms: int, received: bytes = b"", signature: bytes = b""
    ) -> Ruled:
        """Rules on a seat's proposal received at a moment, after what is out of time by then (TIME-1).

        ``received`` are the bytes of the proposal's message as they are to be kept; left out, they are written anew.
        ``signature`` is the seat's, which the caller has checked. Raises TableError before the first hand, and for a
        seat that nobody has, such as one that was late once too often.
        """
        self.tick(received_ms)
        if not self.hand_number:
            raise TableError("no hand has begun")
        if proposal.seat not in self.seats:
            raise TableError("the seat has been left")
        if self.has_ended and self.game.is_taken_after_hand(proposal):  # the record of the table is sealed
            raise TableError("the table has ended")
        spent = self._spent(proposal.seat, received_ms)
        ruling = self.game.propose(proposal)
        received = received or self.game.proposal_bytes(proposal)
        if ruling.accepted:
            one = self._accepted(proposal.seat, request_id, received, received_ms, spent, ruling, signature)
            self._go_on(received_ms)
            return one
        return self._refused(proposal.seat, request_id, received, received_ms, spent, ruling, signature)

    def resume(self, now_ms: int) -> None:
        """Goes on after the table was folded from the store: what was not stored has not happened."""
        self._look_for_the_next_hand(now_ms)

    def prepare_next_hand(self) -> None:
        """Works out the deck of the next hand and its root, which nobody waits for while a hand is played."""
        if self.given is None and isinstance(self.decks, FairDecks) and not self.has_ended:
            self.game.prepare_hand(self.hand_number + 1, self.decks)

    def tick(self, now_ms: int) -> None:
        """Lets happen what is due by a moment: decisions out of time, then the next hand (TIME-2, DISC-8)."""
        while late := self._late(now_ms):
            self._answer_for(late, now_ms)
            self._go_on(now_ms)
        due = self._end_of_pause_ms() if self.is_paused else self.next_hand_at_ms
        if due is not None and due <= now_ms:
            self._go_on(now_ms)

    # --- what follows -----------------------------------------------------------------------------------

    def _must_be_open(self) -> None:
        if self.has_ended or self.closing:
            raise TableError("the table is closed")

    def _must_let_go(self) -> None:
        if self.config.private_table:
            raise TableError("whoever has a seat at this table plays until it ends")

    def _must_let_sit_out(self) -> None:
        refused = self.game.why_nobody_sits_out()
        if refused:
            raise TableError(refused)

    def _late(self, now_ms: int) -> tuple[int, ...]:
        if not self.config.clock.action_ms:
            return ()
        late = [
            seat
            for seat, decision in self.decisions.items()
            if decision.started_ms is not None
            and is_late(self.config.clock, self.seats[seat].bank_ms, self._spent(seat, now_ms))
        ]
        return tuple(late)

    def _answer_for(self, seats: tuple[int, ...], now_ms: int) -> None:
        """Answers for seats that are late, have left, or have made too many faults (TIME-2, DISC-8, TIME-4)."""
        forfeiting = [seat for seat in seats if self._forfeits_hand(self.seats[seat])]
        for seat, proposal, ruling in self.game.answer_for(seats, forfeiting):
            if ruling.accepted:  # a fold before it in the same moment may have ended the hand
                spent = self._spent(seat, now_ms)
                self._accepted(seat, "", proposal, now_ms, spent, ruling, b"")

    def _forfeits_hand(self, one: Seat) -> bool:
        """Whether a seat that is answered for forfeits its hand: for a fault that is due, or by being late (TIME-4)."""
        rules = self.config.faults
        if rules is None or rules.policy is not FaultPolicy.FORFEIT_HAND or one.leaving:
            return False
        return one.fault_is_due or is_due(rules, one.faults + 1, one.sitting_out, one.leaving)

    def _must_forfeit_hand(self, seat: int) -> bool:
        """Whether a seat has forfeited the hand by its open decision, and nothing is done about it yet (TIME-4)."""
        rules = self.config.faults
        forfeits = rules is not None and rules.policy is FaultPolicy.FORFEIT_HAND
        return forfeits and self.seats[seat].fault_is_due and seat in self.decisions

    def _accepted(
        self,
        seat: int,
        request_id: str,
        received: bytes,
        received_ms: int,
        spent: int,
        ruling: GameRuling,
        signature: bytes,
    ) -> Ruled:
        bank = self.seats[seat].bank_ms
        if seat in self.decisions:
            self.regain_connection(seat, received_ms)
            late = is_late(self.config.clock, bank, spent)
            bank = 0 if late else bank_after_answer(self.config.clock, bank, spent)
        one = self._ruled(seat, request_id, received, received_ms, spent, bank, ruling, signature)
        self._happens(one)
        for event in ruling.events:
            self._happens(event, is_applied=True)
        return one

    def _refused(
        self,
        seat: int,
        request_id: str,
        received: bytes,
        received_ms: int,
        spent: int,
        ruling: GameRuling,
        signature: bytes,
    ) -> Ruled:
        decision = self.decisions.get(seat)
        bank = self.seats[seat].bank_ms
        one = self._ruled(seat, request_id, received, received_ms, spent, bank, ruling, signature)
        if self.has_ended:
            return one
        if decision is not None and decision.refusals >= KEPT_REFUSALS:
            decision.refusals += 1
            return one
        if decision is None:
            self.strays[seat] = self.strays.get(seat, 0) + 1
            if self.strays[seat] > KEPT_REFUSALS:
                return one
        self._happens(one)
        if decision is not None and self.config.faults is not None:
            self._go_on(received_ms)
        return one

    def _ruled(
        self,
        seat: int,
        request_id: str,
        received: bytes,
        received_ms: int,
        spent: int,
        bank: int,
        ruling: GameRuling,
        signature: bytes,
    ) -> Ruled:
        decision = self.decisions.get(seat)
        unkept = 0 if decision is None else max(0, decision.refusals - KEPT_REFUSALS)
        return Ruled(
            seat,
            request_id,
            received,
            received_ms,
            spent,
            bank,
            ruling.accepted,
            self.game.ruling_bytes(ruling),
            unkept,
            signature,
            self.game.fields,
        )

    def _go_on(self, now_ms: int) -> None:
        """Asks whoever is to be asked, answers for who has left, and begins the next hand when it is due."""
        while True:
            if self.config.faults is not None:
                self._apply_faults()
            if self.hand_is_on:
                if not self._ask():
                    return
                gone = tuple(
                    [seat for seat in self.decisions if self.seats[seat].leaving or self._must_forfeit_hand(seat)]
                )
                if not gone:
                    return
                self._answer_for(gone, now_ms)
                continue
            if self.has_ended:
                self.next_hand_at_ms = None
                return
            if self.is_paused:
                end = self._end_of_pause_ms()
                if end is None or now_ms < end:
                    return
                self._end(self._reason_of_time(now_ms) or table_pb2.END_REASON_SEATS_SIT_OUT)
                continue
            if self.hand_number > 0 and self.next_hand_at_ms is None:
                self._after_hand(now_ms)
            elif self.next_hand_at_ms is None or self.next_hand_at_ms > now_ms:
                return
            elif self.hand_number > 0 or self._is_ready_to_deal(now_ms):
                reason = self._reason_of_time(now_ms)
                if reason:
                    self._end(reason)
                else:
                    self._begin_hand(now_ms)

    def _apply_faults(self) -> None:
        """Applies the policy for faults where it is due, and tells everybody (TIME-4).

        Where discards are secret until all are in, it waits for that: a fault tells who has not discarded (DISC-3).
        A hand is forfeited first, and told of after it.
        """
        rules = self.config.faults
        assert rules is not None, "only asked where there are rules for faults"
        if self.game.hides_progress():
            return
        due = [seat for seat, one in sorted(self.seats.items()) if one.fault_is_due]
        for seat in [seat for seat in due if not self._must_forfeit_hand(seat)]:
            applied = table_pb2.FaultApplied(seat=seat, faults=self.seats[seat].faults)
            applied.policy = rules.policy  # type: ignore[assignment]
            self._happens(record_pb2.StoredEvent(fault_applied=applied))

    def _ask(self) -> bool:
        """Opens the decisions that are due and not open yet; returns whether any is open."""
        for seat in self.game.open_seats():
            if seat not in self.decisions:
                decision_id = self.game.open_decision(seat)
                self._happens(Asked(seat, decision_id, self.config.clock.action_ms, self.seats[seat].bank_ms))
        return bool(self.decisions)

    def _after_hand(self, now_ms: int) -> None:
        over = self.game.over()
        if over:
            self._end(over)
        elif self.closing:
            self._end(table_pb2.END_REASON_CLOSED)
        elif self.config.hands and self.hand_number >= self.config.hands:
            self._end(table_pb2.END_REASON_HANDS_PLAYED)
        else:
            self.next_hand_at_ms = now_ms + self.config.between_hands_ms

    def _reason_of_time(self, now_ms: int) -> int:
        """Why the table ends by the clock now, END_REASON_UNSPECIFIED while hands may begin (TOUR-1)."""
        is_up = 0 < self.config.hands_until_ms <= now_ms
        return table_pb2.END_REASON_TIME_IS_UP if is_up else table_pb2.END_REASON_UNSPECIFIED

    def _end_of_pause_ms(self) -> int | None:
        """When a table at which fewer than two seats play ends, None when it waits for them (TIME-4, SEAT-5).

        Faults are counted in a match: one whose policy sits seats out does not wait for ever for them to come back.
        """
        ends: list[int] = [self.config.hands_until_ms] if self.config.hands_until_ms else []
        rules = self.config.faults
        if rules is not None and rules.policy is FaultPolicy.SIT_OUT and self.paused_since_ms is not None:
            ends.append(self.paused_since_ms + rules.sit_out_wait_ms)
        return min(ends, default=None)

    def _look_for_the_next_hand(self, now_ms: int) -> None:
        self.is_paused = False
        if self.hand_number == 0:
            self.next_hand_at_ms = now_ms
        self._go_on(now_ms)

    def _is_ready_to_deal(self, now_ms: int) -> bool:
        """Whether the first hand may begin; else sets when to look again, if not with the next seat or seed.

        Enough seats must be taken; then commitments are closed, and seats that committed give their seeds. Neither
        waits longer than the table allows (referee-deal/1): a seat that gives nothing stops nobody.
        """
        if not self.seeds.are_closed:
            if len(self.seats) < self.config.players_to_start:
                self.next_hand_at_ms = self._commit_until_ms = None
                return False
            if self._commit_until_ms is None:
                self._commit_until_ms = now_ms + self.config.reveal_ms
            promised = {seat for seat, one in self.seats.items() if one.commits_seed}
            if not promised <= self.seeds.commitments.keys() and now_ms < self._commit_until_ms:
                self.next_hand_at_ms = self._commit_until_ms
                return False
            self._close_commitments(now_ms)
        if not self.seeds.are_all_given and now_ms < self.reveal_until_ms:
            self.next_hand_at_ms = self.reveal_until_ms
            return False
        return True

    def _close_commitments(self, now_ms: int) -> None:
        commitments = [
            table_pb2.SeedCommitted(seat=seat, commitment=commitment)
            for seat, commitment in sorted(self.seeds.commitments.items())
        ]
        closed = table_pb2.CommitmentsClosed(
            seats=sorted(self.seats),
            commitments=commitments,
            reveal_until_unix_ms=now_ms + (self.config.reveal_ms if commitments else 0),
        )
        self._happens(record_pb2.StoredEvent(commitments_closed=closed))

    def _begin_hand(self, now_ms: int) -> None:
        self.next_hand_at_ms = None
        number = self.hand_number + 1
        began = self.game.next_hand(number, dict(sorted(self.seats.items())), self.fair_decks(), self.given)
        if began is None:
            self.is_paused = True
            if self.paused_since_ms is None:
                self.paused_since_ms = now_ms
            return
        self.paused_since_ms = None
        if isinstance(began, int):
            self._end(began)
            return
        began.hand = number
        began.hand_id = f"{self.table_id}-{number}"
        began.closing = self.closing
        self._happens(record_pb2.StoredEvent(hand_began=began))
        for event in self.game.advance():
            self._happens(event, is_applied=True)

    def fair_decks(self) -> FairDecks:
        """The decks that follow from the seeds; raises SeedError while seats may still commit to theirs."""
        return self.decks if isinstance(self.decks, FairDecks) else self.seeds.decks()

    def _end(self, reason: int) -> None:
        ended = table_pb2.TableEnded(reason=reason, seeds=self.seeds.message())  # type: ignore[arg-type]
        self._happens(record_pb2.StoredEvent(ended=ended))

    def _happens(self, happening: Happening, is_applied: bool = False) -> None:
        fold(self, happening, is_applied)
        self.fresh.append(happening)

    def take_fresh(self) -> list[Happening]:
        """What has happened since the last call, which are to be stored before anybody is told."""
        fresh, self.fresh = self.fresh, []
        return fresh


def opened_event(table_id: str, config: TableConfig) -> record_pb2.StoredEvent:
    """A table's first event."""
    seeds = TableSeeds(config.match_name or table_id, config.seed)
    rule_set_name, rule_set_sha256 = config.rules()
    opened = table_pb2.TableOpened(
        config=config_message(config, with_seed=False),
        match_name=seeds.match,
        deal_commitment=seeds.commitment,
        rule_set_name=rule_set_name,
        rule_set_sha256=rule_set_sha256,
        software=f"irish-poker-referee {__version__}",
        decks_given=bool(config.decks),
    )
    stored = record_pb2.StoredOpened(config=config_message(config, with_seed=True), opened=opened)
    return record_pb2.StoredEvent(opened=stored)


def restored(table_id: str, happened: Iterable[Happening]) -> Table:
    """The table after what is stored of it: all before the first hand, then everything from the beginning of a hand on.

    Clocks stand still until they are started again; what a decision had used by its last stored reading is used.
    """
    stream = iter(happened)
    first = next(stream)
    assert isinstance(first, record_pb2.StoredEvent), "a table begins by being opened"
    table = Table(table_id, config_of(first.opened.config, b""))
    for happening in stream:
        fold(table, happening)
    return table


def fold(table: Table, happening: Happening, is_applied: bool = False) -> None:
    """Folds what happened into the table; ``is_applied`` says that the hand has the event already."""
    if isinstance(happening, Event):
        if not is_applied:
            table.game.apply(happening)
        if happening.kind is HAND_ENDED:
            _fold_end_of_hand(table)
    elif isinstance(happening, Asked):
        table.decisions[happening.seat] = OpenDecision(happening.decision_id)
    elif isinstance(happening, Ruled):
        _fold_ruled(table, happening)
    elif isinstance(happening, KozelEvent):
        if not is_applied:
            table.game.apply(happening)
        if happening.kind is ROUND_ENDED:
            _fold_end_of_hand(table)
    else:
        _fold_rare(table, happening)


def _fold_end_of_hand(table: Table) -> None:
    table.decisions = {}
    table.game.end_hand(table.seats)


def _fold_rare(table: Table, event: record_pb2.StoredEvent) -> None:
    match event.WhichOneof("event"):
        case "hand_began":
            _fold_hand_began(table, event.hand_began)
        case "seat_taken":
            table.seats[event.seat_taken.seat] = seat_of(event.seat_taken)
        case "seat_leaving" if table.hand_number == 0 and not table.seeds.are_closed:
            del table.seats[event.seat_leaving.seat]
            table.seeds.fold_left(event.seat_leaving.seat)
        case "seat_leaving":
            table.seats[event.seat_leaving.seat].leaving = True
        case "seat_sits_out":
            table.seats[event.seat_sits_out.seat].sitting_out = True
        case "seat_sits_in":
            one = table.seats[event.seat_sits_in.seat]
            one.sitting_out, one.posts = False, event.seat_sits_in.posts
        case "seat_tops_up":
            table.seats[event.seat_tops_up.seat].top_up_to = event.seat_tops_up.to
        case "fault_applied":
            _fold_fault_applied(table, event.fault_applied)
        case "closing":
            table.closing = True
        case "ended":
            table.end_reason = event.ended.reason
        case "seed_committed":
            table.seeds.fold_committed(event.seed_committed.seat, event.seed_committed.commitment)
        case "commitments_closed":
            table.seeds.fold_closed(tuple(event.commitments_closed.seats))
            table.reveal_until_ms = event.commitments_closed.reveal_until_unix_ms
        case "seed_revealed":
            table.seeds.fold_revealed(event.seed_revealed.seat, event.seed_revealed.seed)
        case other:
            raise ValueError(f"not an event of a table: {other}")


def _fold_hand_began(table: Table, began: record_pb2.StoredHandBegan) -> None:
    if table.decks is None:
        table.decks = table.given if table.given is not None else table.seeds.decks()
    table.seats = {stored.seat: seat_of(stored) for stored in began.seats}
    table.hand_number = began.hand
    table.closing = began.closing
    table.decisions = {}
    table.strays = {}
    table.banks_at_start = {seat: one.bank_ms for seat, one in table.seats.items()}
    if table.config.faults is not None:
        table.faults_at_start = {seat: one.faults for seat, one in table.seats.items()}
    table.game.begin(began, table.seats, table.decks)


def _fold_ruled(table: Table, one: Ruled) -> None:
    decision = table.decisions.get(one.seat)
    if one.accepted:
        table.decisions.pop(one.seat, None)
        table.seats[one.seat].bank_ms = one.bank_ms
    elif decision is not None:
        decision.refusals += 1
        if decision.started_ms is None:
            decision.spent_ms = one.elapsed_ms
    if table.config.faults is not None and _is_fault(table, one, decision is not None):
        _fold_fault(table, one.seat)


def _is_fault(table: Table, one: Ruled, has_decision: bool) -> bool:
    """Whether a ruling counts as a fault of its seat (TIME-4): a decision was refused an answer, or was late.

    What answers another decision is no fault of the open one. A hand is forfeited by being late, or for a refusal that
    was counted and is due.
    """
    if not one.accepted:
        return has_decision and not table.game.is_belated(ruling_of(one).reason)
    return not one.request_id and table.game.is_late(one.proposal, table.seats[one.seat].fault_is_due)


def _fold_fault(table: Table, seat: int) -> None:
    one, rules = table.seats[seat], table.config.faults
    assert rules is not None, "only counted where there are rules for faults"
    if one.leaving:  # it is answered for, whatever it had done
        return
    one.faults += 1
    one.fault_is_due = one.fault_is_due or is_due(rules, one.faults, one.sitting_out, one.leaving)


def _fold_fault_applied(table: Table, applied: table_pb2.FaultApplied) -> None:
    one = table.seats[applied.seat]
    one.fault_is_due = False
    if applied.policy == table_pb2.FAULT_POLICY_SIT_OUT:
        one.sitting_out = True
    elif applied.policy == table_pb2.FAULT_POLICY_FORFEIT_MATCH:
        one.leaving = True
