"""Following one hand of a record by the rules: each event, each ruling, and who is asked when; whatever the game.

Where proposals are hidden from a bundle's view, what a seat did is taken from the event that everybody saw, and is
ruled on all the same. What is not told of cards or tiles is unknown.
"""

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from referee.audit.reading import Item
from referee.audit.seating import AuditedSeat
from referee.audit.time_used import AskedSeat, Ruled, TimeFault, time_faults
from referee.record.signed_proposals import signature_fits
from referee.table.clocks import ClockRules
from referee.table.game import GameEvent, GameProposal, GameRuling
from referee.table.happenings import ends_hand
from referee.v1 import record_pb2, table_pb2

Event = TypeVar("Event", bound=GameEvent)
Proposal = TypeVar("Proposal", bound=GameProposal)


@dataclass
class DeviationError(Exception):
    """Where the record leaves the rules: what is recorded and what is right cannot both be."""

    check: str
    rule: str
    message: str
    recorded: str
    right: str

    def __post_init__(self) -> None:
        super().__init__(self.message)


@dataclass
class RuledAgain:
    """A proposal that was ruled on again: the checks that it passes, those that cannot be made with the reason, and
    what does not fit though the ruling is right."""

    passed: list[str]
    unchecked: list[tuple[str, str]] = field(default_factory=list)
    faults: list[DeviationError] = field(default_factory=list)


class HandWalk(ABC, Generic[Event, Proposal]):
    """A hand that is followed; ``seats`` are those of the table, whose banks it keeps up.

    ``untold`` gathers the checks that hidden proposals did not allow. ``due`` is what must happen next, ``told`` what
    has happened. A game says by its own class what follows, what is ruled, and how it is told in words.
    """

    def __init__(self, viewer: int, clock: ClockRules, seats: dict[int, AuditedSeat], knows_all_seats: bool) -> None:
        self.viewer = viewer
        self.clock = clock
        self.seats = seats
        self.knows_all_seats = knows_all_seats
        self.due: deque[Event] = deque()
        self.asked: dict[int, AskedSeat] = {}
        self.told: list[Event] = []
        self.hidden = 0
        self.untold: list[str] = []

    @property
    def names(self) -> dict[int, str]:
        """What the seats are called."""
        return {seat: one.name for seat, one in self.seats.items()}

    # --- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def before(self) -> str:
        """The hand as far as the record has told it, in words."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether the hand is over by the rules, told or not."""

    @abstractmethod
    def open_seats(self) -> tuple[int, ...]:
        """The seats that have an open decision."""

    @abstractmethod
    def open_decision(self, seat: int) -> int:
        """The id of a seat's open decision."""

    @abstractmethod
    def propose(self, proposal: Proposal) -> GameRuling:
        """Rules on a proposal and applies what follows."""

    @abstractmethod
    def check_of(self, event: Event) -> str:
        """The check that an event belongs to: ``events`` or ``settlement``."""

    @abstractmethod
    def fits(self, event: Event, right: Event, whole: bool) -> bool:
        """Whether a recorded event, of which nothing is hidden if it is ``whole``, may be the right one."""

    @abstractmethod
    def infer(self, event: Event) -> None:
        """Takes what a seat did, whose proposal is hidden, from the event that shows it.

        Raises DeviationError when nobody can have done it; then nothing is due.
        """

    @abstractmethod
    def ruled(self, stored: record_pb2.StoredRuling) -> Ruled:
        """What a recorded ruling says, whatever its game."""

    @abstractmethod
    def proposal(self, stored: record_pb2.StoredRuling) -> Proposal:
        """The recorded proposal. Raises ValueError, KeyError or AssertionError for one that is none."""

    @abstractmethod
    def needs_decision(self, proposal: Proposal) -> bool:
        """Whether the proposal answers a decision, and so names one."""

    @abstractmethod
    def is_recorded(self, stored: record_pb2.StoredRuling, ruling: GameRuling) -> bool:
        """Whether the ruling is the recorded one, to the byte, and nothing of another game stands beside it."""

    @abstractmethod
    def event_words(self, event: Event) -> str:
        """An event in words."""

    @abstractmethod
    def ruling_words(self, ruling: GameRuling) -> str:
        """A ruling in words."""

    @abstractmethod
    def proposal_words(self, stored: record_pb2.StoredRuling) -> str:
        """A recorded proposal with its ruling in words."""

    def hides_progress(self) -> bool:
        """Whether it is secret at the moment who has answered (DISC-3)."""
        return False

    # --- events ------------------------------------------------------------------------------------------

    def has_ended(self) -> bool:
        """Whether the hand is over and all of it is told."""
        return self.is_over() and not self.due

    def event(self, event: Event, whole: bool) -> str:
        """Follows an event, of which nothing is hidden if it is ``whole``, and returns the check that it belongs to.

        Raises DeviationError.
        """
        check = self.check_of(event)
        if not self.due:
            self._infer(event)
        right = self.due[0]
        if event != right and not self.fits(event, right, whole):
            words = self.event_words(event), self.event_words(right)
            raise DeviationError(check, right.rule, "another event follows", *words)
        self.due.popleft()
        self.told.append(right)
        if ends_hand(right):  # decisions that are still open end with it
            self.asked.clear()
        return check

    def _infer(self, event: Event) -> None:
        if not self.hidden:
            recorded = self.event_words(event)
            raise DeviationError("events", "BET-8", "nothing leads to this event", recorded, self.what_is_due())
        self.infer(event)
        self.hidden = 0

    def answered_unseen(self, seat: int, ruling: GameRuling) -> None:
        """Notes what an answer led to that is not told itself: of its bank nothing is known until it is asked again."""
        if seat in self.asked:
            self.seats[seat].bank_ms = None
        self._answered(seat, ruling)

    def _answered(self, seat: int, ruling: GameRuling) -> None:
        self.asked.pop(seat, None)
        self.expect(ruling.events)

    def expect(self, events: tuple[Any, ...]) -> None:
        """Notes what must happen next."""
        self.due.extend(events)

    def what_is_due(self) -> str:
        """What must happen next, in words."""
        if self.due:
            return self.event_words(self.due[0])
        unasked = self._unasked()
        if unasked:
            return f"seat {unasked[0]} is asked"
        waiting = self.open_seats()
        return f"a proposal of seat {', '.join(map(str, waiting))}" if waiting else "nothing more"

    # --- decisions ---------------------------------------------------------------------------------------

    def _unasked(self) -> list[int]:
        return [seat for seat in self.open_seats() if seat not in self.asked]

    def decision(self, item: Item) -> DeviationError | None:
        """Follows that a seat is asked; returns what is wrong with the time that it is given, None for nothing.

        Raises DeviationError when nobody, somebody else or for another decision is to be asked.
        """
        opened: table_pb2.DecisionOpened = item.content
        recorded = f"seat {opened.seat} is asked for decision {opened.decision_id}"
        unasked = [] if self.due else self._unasked()
        if not unasked or opened.seat != unasked[0]:
            raise DeviationError("events", "BET-1", "another seat is asked", recorded, self.what_is_due())
        decision_id = self.open_decision(opened.seat)
        if opened.decision_id != decision_id:
            raise DeviationError("events", "BET-9", "another decision", recorded, f"decision {decision_id}")
        self.asked[opened.seat] = AskedSeat(decision_id, item.time_unix_ms)
        seat, action_ms = self.seats[opened.seat], self.clock.action_ms
        bank_ms = max(0, opened.bank_ms) if seat.bank_ms is None else seat.bank_ms
        seat.bank_ms = opened.bank_ms
        if (opened.action_ms, opened.bank_ms) == (action_ms, bank_ms):
            return None
        told = f"{opened.action_ms} ms, bank {opened.bank_ms} ms"
        right = f"{action_ms} ms, bank {bank_ms} ms"
        return DeviationError("clocks", "TIME-1", "the time that a seat is given", told, right)

    def something_hidden(self) -> None:
        """Notes an entry that is hidden: whoever is asked, but the viewer, may have answered, and used his bank."""
        self.hidden += 1
        for seat in self.asked:
            if seat != self.viewer:
                self.seats[seat].bank_ms = None

    def clocks_were_set_back(self) -> None:
        """Notes that moments told before cannot be compared with those told from now on."""
        for decision in self.asked.values():
            decision.asked_ms = decision.read_received_ms = None

    # --- rulings -----------------------------------------------------------------------------------------

    def ruling(self, stored: record_pb2.StoredRuling, written_ms: int) -> RuledAgain:
        """Rules on a recorded proposal again; times and signature that do not fit are in what is returned.

        Raises DeviationError when another ruling is right, from which on the hand cannot be followed.
        """
        told = self.ruled(stored)
        proposal = self._proposal(stored, told)
        # Of a seat that is not dealt in and not told nothing is known.
        seat = self.seats.get(stored.seat) or (None if self.knows_all_seats else AuditedSeat("", 0, None))
        if seat is None:
            raise DeviationError("rulings", "BET-9", "nobody sits at this seat", self.proposal_words(stored), "")
        if self.due or (not told.in_its_place and self._unasked()):
            message = "a proposal is ruled on before what follows from the one before"
            raise DeviationError("events", "BET-8", message, self.proposal_words(stored), self.what_is_due())
        ruling = self.propose(proposal)
        check = "rulings" if told.accepted else "refusals"
        if not self.is_recorded(stored, ruling):
            message = "another ruling" if ruling.accepted == told.accepted else _contrary(ruling)
            words = self.proposal_words(stored), self.ruling_words(ruling)
            raise DeviationError(check, ruling.rule, message, *words)
        result = RuledAgain([check])
        self._time(stored, told, written_ms, seat, result)
        self._signature(stored, proposal, seat, result)
        if ruling.accepted:
            seat.bank_ms = stored.bank_ms
            self._answered(proposal.seat, ruling)
        else:
            self._read_clock(stored)
        return result

    def _proposal(self, stored: record_pb2.StoredRuling, told: Ruled) -> Proposal:
        try:
            proposal = self.proposal(stored)
        except (AssertionError, ValueError, KeyError) as error:
            recorded = self.proposal_words(stored)
            raise DeviationError("rulings", "BET-8", "the proposal is none", recorded, str(error)) from error
        by_referee = not stored.request_id and told.in_its_place
        fault = ""
        if told.seat not in (0, stored.seat):
            fault = f"a proposal of seat {told.seat} counts for seat {stored.seat}"
        elif told.in_its_place and not (by_referee and told.accepted):
            late, forfeit = "only the clock says that time is over (TIME-1)", "only faults forfeit a hand (TIME-4)"
            fault = late if told.is_timeout else forfeit
        elif not by_referee and not proposal.hand_id:
            fault = "the proposal names no hand"
        elif not by_referee and not proposal.decision_id and self.needs_decision(proposal):
            fault = "the proposal names no decision"
        if fault:
            raise DeviationError("rulings", "BET-9", fault, self.proposal_words(stored), "")
        return proposal

    def _time(
        self, stored: record_pb2.StoredRuling, told: Ruled, written_ms: int, seat: AuditedSeat, result: RuledAgain
    ) -> None:
        asked = self.asked.get(stored.seat)
        has_forfeited = told.is_forfeit and (seat.fault_is_due or seat.faults is None)
        faults = time_faults(self.clock, asked, seat.bank_ms, told, stored, seat.leaving, has_forfeited)
        if stored.received_unix_ms > written_ms:
            moments = f"received at {stored.received_unix_ms}", f"by {written_ms}"
            faults.append(TimeFault("clocks", "received after it was written", *moments))
        for check, message, recorded, right in faults:
            out_of_time = "TIME-4" if told.is_forfeit else "TIME-2"
            rule = {"timeouts": out_of_time, "clocks": "TIME-1"}.get(check, "BET-8")
            result.faults.append(DeviationError(check, rule, message, recorded, right))
        if faults:
            return
        if seat.bank_ms is None:
            result.unchecked.append(("clocks", "the bank is not told"))
        else:
            result.passed.append("clocks")
        if told.is_forfeit and seat.faults is None:
            result.unchecked.append(("timeouts", "how many faults the seat had made is not told"))
        elif told.in_its_place and (seat.bank_ms is not None or seat.leaving or has_forfeited):
            result.passed.append("timeouts")

    def _signature(
        self, stored: record_pb2.StoredRuling, proposal: Proposal, seat: AuditedSeat, result: RuledAgain
    ) -> None:
        if not stored.signature:
            return
        if seat.public_key is None:
            result.unchecked.append(("signatures", "the seat's public key is not told"))
        elif signature_fits(seat.public_key, proposal, stored.request_id, stored.signature):
            result.passed.append("signatures")
        else:
            words = self.proposal_words(stored)
            message = "the player did not sign this proposal"
            result.faults.append(DeviationError("signatures", "", message, words, ""))

    def _read_clock(self, stored: record_pb2.StoredRuling) -> None:
        decision = self.asked.get(stored.seat)
        if decision is not None:
            decision.refusals += 1
            decision.read_received_ms, decision.read_elapsed_ms = stored.received_unix_ms, stored.elapsed_ms


def _contrary(ruling: GameRuling) -> str:
    return "a legal proposal was refused" if ruling.accepted else "an illegal proposal was accepted"
