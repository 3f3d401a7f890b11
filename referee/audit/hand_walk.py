"""Following one hand of a record by the rules: each event, each ruling, and who is asked when.

Where proposals are hidden from a bundle's view, what a seat did is taken from the event that everybody saw, and is
ruled on all the same. Cards that are not told are unknown cards.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from referee.audit.known_cards import KnownCards
from referee.audit.reading import Item
from referee.audit.seating import AuditedSeat
from referee.audit.time_used import AskedSeat, TimeFault, time_faults
from referee.audit.wording import event_words, proposal_words, recorded_ruling_words, ruling_words
from referee.record import wire
from referee.record.encoding import ruling_bytes
from referee.record.signed_proposals import signature_fits
from referee.record.view import view
from referee.rules.cards import UNKNOWN
from referee.rules.events import (
    BET,
    BET_RETURNED,
    CALLED,
    CHECKED,
    DISCARDED,
    FOLDED,
    HAND_ENDED,
    HAND_MUCKED,
    HAND_SHOWN,
    POT_AWARDED,
    RAISED,
    RAKE_TAKEN,
    Event,
)
from referee.rules.hand import advance, open_decision, open_seats, propose, replay
from referee.rules.rulings import FORFEIT, TIMEOUT, ActionKind, Proposal, Ruling
from referee.rules.setup import HandSetup
from referee.rules.state import DISCARDING, Hand
from referee.table.clocks import ClockRules
from referee.table.views import AUDITOR
from referee.v1 import record_pb2, table_pb2

IN_A_SEATS_PLACE: Final = (TIMEOUT, FORFEIT)
SETTLING: Final = (BET_RETURNED, HAND_SHOWN, HAND_MUCKED, RAKE_TAKEN, POT_AWARDED)
_ACTIONS: Final = {
    FOLDED: ActionKind.FOLD,
    CHECKED: ActionKind.CHECK,
    CALLED: ActionKind.CALL,
    BET: ActionKind.BET,
    RAISED: ActionKind.RAISE,
    DISCARDED: ActionKind.DISCARD,
    HAND_SHOWN: ActionKind.SHOW,
}


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
class Ruled:
    """A proposal that was ruled on again: the checks that it passes, those that cannot be made with the reason, and
    what does not fit though the ruling is right."""

    passed: list[str]
    unchecked: list[tuple[str, str]] = field(default_factory=list)
    faults: list[DeviationError] = field(default_factory=list)


@dataclass
class HandWalk:
    """A hand that is followed; ``seats`` are those of the table, whose banks it keeps up.

    ``untold`` gathers the checks that hidden proposals did not allow. Raises RuleSetError when no hand can begin like
    this.
    """

    setup: HandSetup
    known: KnownCards
    viewer: int
    clock: ClockRules
    seats: dict[int, AuditedSeat]
    knows_all_seats: bool
    hand: Hand = field(init=False)
    due: deque[Event] = field(default_factory=deque)
    asked: dict[int, AskedSeat] = field(default_factory=dict)
    told: list[Event] = field(default_factory=list)
    hidden: int = 0
    untold: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hand = Hand(self.setup)
        self._expect(advance(self.hand))

    @property
    def names(self) -> dict[int, str]:
        """What the seats are called."""
        return {seat: one.name for seat, one in self.seats.items()}

    def before(self) -> Hand:
        """The hand as far as the record has told it."""
        return replay(self.setup, tuple(self.told))

    def has_ended(self) -> bool:
        """Whether the hand is over and all of it is told."""
        return self.hand.has_ended() and not self.due

    def _expect(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if self.viewer != AUDITOR and view(event, self.viewer, self.setup.rule_set) is None:
                self.told.append(event)
            else:
                self.due.append(event)

    # --- events ------------------------------------------------------------------------------------------

    def event(self, event: Event, whole: bool) -> str:
        """Follows an event, of which nothing is hidden if it is ``whole``, and returns the check that it belongs to.

        Raises DeviationError.
        """
        check = "settlement" if event.kind in SETTLING else "events"
        if not self.due:
            self._infer(event)
        right = self.due[0]
        if event != right and not _fits(event, right, whole) and not self._may_show(event, right):
            words = event_words(event, self.names), event_words(right, self.names)
            raise DeviationError(check, right.rule, "another event follows", *words)
        self.due.popleft()
        self.told.append(right)
        if right.kind is HAND_ENDED:  # decisions that are still open end with it
            self.asked.clear()
        return check

    def _may_show(self, event: Event, right: Event) -> bool:
        """Whether a hand may be shown by its owner though it has more or fewer cards than it is taken to have.

        Where others' folds end the discard round unseen, nobody else knows whether he had discarded before (DISC-3).
        """
        unseen = self.viewer != AUDITOR and self.setup.rule_set.hide_discard_progress
        is_shown = event.kind is HAND_SHOWN and self.hand.live_count == 1 and set(right.cards) == {UNKNOWN}
        return unseen and is_shown and event._replace(cards=()) == right._replace(cards=())

    def _infer(self, event: Event) -> None:
        """Takes what a seat did, whose proposal is hidden, from the event that shows it."""
        recorded = event_words(event, self.names)
        if not self.hidden:
            raise DeviationError("events", "BET-8", "nothing leads to this event", recorded, self._what_is_due())
        if self.hand.phase is DISCARDING and event.kind not in (DISCARDED, FOLDED):
            self._finish_discards()
        else:
            in_its_place = FORFEIT if event.rule == "TIME-4" else TIMEOUT
            kind = in_its_place if event.automatic else _ACTIONS.get(event.kind)
            if kind is None:
                raise DeviationError(
                    "events", "BET-8", "no proposal leads to this event", recorded, self._what_is_due()
                )
            to = event.to if event.kind in (BET, RAISED) else 0
            cards = self.known.discard(event.seat, self.setup.rule_set.game) if kind is ActionKind.DISCARD else ()
            ruling = propose(self.hand, Proposal(event.seat, kind, to, cards))
            if not ruling.accepted:
                raise DeviationError("events", ruling.rule, ruling.message, recorded, ruling_words(ruling))
            self._answered_unseen(event.seat, ruling)
            self.untold.append("timeouts" if kind in IN_A_SEATS_PLACE else "clocks")
        self.hidden = 0
        if not self.due:
            raise DeviationError("events", "DISC-1", "the discard round is still open", recorded, self._what_is_due())

    def _finish_discards(self) -> None:
        """Discards unseen for everybody who must have, before what follows the discard round (DISC-3)."""
        late = [seat for seat in open_seats(self.hand) if seat in self.known.late_folds]
        for seat in open_seats(self.hand):
            if seat not in late and not self.known.has_kept_all(seat):
                cards = self.known.discard(seat, self.setup.rule_set.game)
                self._answered_unseen(seat, propose(self.hand, Proposal(seat, ActionKind.DISCARD, 0, cards)))
        for seat in late:
            if not self.hand.has_ended():
                self._answered_unseen(seat, propose(self.hand, Proposal(seat, TIMEOUT)))

    def _answered_unseen(self, seat: int, ruling: Ruling) -> None:
        if seat in self.asked:
            self.seats[seat].bank_ms = None  # until the seat is asked again
        self._answered(seat, ruling)

    def _answered(self, seat: int, ruling: Ruling) -> None:
        self.asked.pop(seat, None)
        self._expect(ruling.events)

    def _what_is_due(self) -> str:
        if self.due:
            return event_words(self.due[0], self.names)
        unasked = self._unasked()
        if unasked:
            return f"seat {unasked[0]} is asked"
        waiting = open_seats(self.hand)
        return f"a proposal of seat {', '.join(map(str, waiting))}" if waiting else "nothing more"

    # --- decisions ---------------------------------------------------------------------------------------

    def _unasked(self) -> list[int]:
        return [seat for seat in open_seats(self.hand) if seat not in self.asked]

    def decision(self, item: Item) -> DeviationError | None:
        """Follows that a seat is asked; returns what is wrong with the time that it is given, None for nothing.

        Raises DeviationError when nobody, somebody else or for another decision is to be asked.
        """
        opened: table_pb2.DecisionOpened = item.content
        recorded = f"seat {opened.seat} is asked for decision {opened.decision_id}"
        unasked = [] if self.due else self._unasked()
        if not unasked or opened.seat != unasked[0]:
            raise DeviationError("events", "BET-1", "another seat is asked", recorded, self._what_is_due())
        decision_id = open_decision(self.hand, opened.seat)
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

    def ruling(self, stored: record_pb2.StoredRuling, written_ms: int) -> Ruled:
        """Rules on a recorded proposal again; times and signature that do not fit are in what is returned.

        Raises DeviationError when another ruling is right, from which on the hand cannot be followed.
        """
        proposal = self._proposal(stored)
        # Of a seat that is not dealt in and not told nothing is known.
        seat = self.seats.get(stored.seat) or (None if self.knows_all_seats else AuditedSeat("", 0, None))
        if seat is None:
            raise DeviationError("rulings", "BET-9", "nobody sits at this seat", proposal_words(stored, self.names), "")
        unasked = self._unasked()
        if self.due or (unasked and proposal.kind not in IN_A_SEATS_PLACE):
            message = "a proposal is ruled on before what follows from the one before"
            raise DeviationError("events", "BET-8", message, proposal_words(stored, self.names), self._what_is_due())
        ruling = propose(self.hand, proposal)
        check = "rulings" if stored.ruling.accepted else "refusals"
        if ruling_bytes(ruling) != stored.ruling.SerializeToString(deterministic=True):
            message = "another ruling" if ruling.accepted == stored.ruling.accepted else _contrary(ruling)
            words = proposal_words(stored, self.names), ruling_words(ruling)
            raise DeviationError(check, ruling.rule, message, *words)
        result = Ruled([check])
        self._time(stored, proposal, written_ms, seat, result)
        self._signature(stored, proposal, seat, result)
        if ruling.accepted:
            seat.bank_ms = stored.bank_ms
            self._answered(proposal.seat, ruling)
        else:
            self._read_clock(stored)
        return result

    def _proposal(self, stored: record_pb2.StoredRuling) -> Proposal:
        message = stored.proposal
        try:
            proposal = wire.proposal_of(message, stored.seat)
        except (AssertionError, ValueError, KeyError) as error:
            recorded = recorded_ruling_words(stored.ruling)
            raise DeviationError("rulings", "BET-8", "the proposal is none", recorded, str(error)) from error
        in_its_place = proposal.kind in IN_A_SEATS_PLACE
        by_referee = not stored.request_id and in_its_place
        fault = ""
        if message.seat not in (0, stored.seat):
            fault = f"a proposal of seat {message.seat} counts for seat {stored.seat}"
        elif in_its_place and not (by_referee and stored.ruling.accepted):
            late = proposal.kind is TIMEOUT
            fault = "only the clock says that time is over (TIME-1)" if late else "only faults forfeit a hand (TIME-4)"
        elif not by_referee and not proposal.hand_id:
            fault = "the proposal names no hand"
        elif not by_referee and proposal.kind is not ActionKind.SHOW and not proposal.decision_id:
            fault = "the proposal names no decision"
        if fault:
            raise DeviationError("rulings", "BET-9", fault, proposal_words(stored, self.names), "")
        return proposal

    def _time(
        self, stored: record_pb2.StoredRuling, proposal: Proposal, written_ms: int, seat: AuditedSeat, result: Ruled
    ) -> None:
        asked, kind = self.asked.get(stored.seat), proposal.kind
        has_forfeited = kind is FORFEIT and (seat.fault_is_due or seat.faults is None)
        faults = time_faults(self.clock, asked, seat.bank_ms, kind, stored, seat.leaving, has_forfeited)
        if stored.received_unix_ms > written_ms:
            moments = f"received at {stored.received_unix_ms}", f"by {written_ms}"
            faults.append(TimeFault("clocks", "received after it was written", *moments))
        for check, message, recorded, right in faults:
            out_of_time = "TIME-4" if kind is FORFEIT else "TIME-2"
            rule = {"timeouts": out_of_time, "clocks": "TIME-1"}.get(check, "BET-8")
            result.faults.append(DeviationError(check, rule, message, recorded, right))
        if faults:
            return
        if seat.bank_ms is None:
            result.unchecked.append(("clocks", "the bank is not told"))
        else:
            result.passed.append("clocks")
        if kind is FORFEIT and seat.faults is None:
            result.unchecked.append(("timeouts", "how many faults the seat had made is not told"))
        elif kind in IN_A_SEATS_PLACE and (seat.bank_ms is not None or seat.leaving or has_forfeited):
            result.passed.append("timeouts")

    def _signature(self, stored: record_pb2.StoredRuling, proposal: Proposal, seat: AuditedSeat, result: Ruled) -> None:
        if not stored.signature:
            return
        if seat.public_key is None:
            result.unchecked.append(("signatures", "the seat's public key is not told"))
        elif signature_fits(seat.public_key, proposal, stored.request_id, stored.signature):
            result.passed.append("signatures")
        else:
            words = proposal_words(stored, self.names)
            message = "the player did not sign this proposal"
            result.faults.append(DeviationError("signatures", "", message, words, ""))

    def _read_clock(self, stored: record_pb2.StoredRuling) -> None:
        decision = self.asked.get(stored.seat)
        if decision is not None:
            decision.refusals += 1
            decision.read_received_ms, decision.read_elapsed_ms = stored.received_unix_ms, stored.elapsed_ms


def _contrary(ruling: Ruling) -> str:
    return "a legal proposal was refused" if ruling.accepted else "an illegal proposal was accepted"


def _fits(recorded: Event, right: Event, whole: bool) -> bool:
    """Whether an event may be the right one, where either does not tell its cards; a whole one has to."""
    if recorded._replace(cards=()) != right._replace(cards=()) or len(recorded.cards) != len(right.cards):
        return False
    return all(
        [
            told == card or card == UNKNOWN or (told == UNKNOWN and not whole)
            for told, card in zip(recorded.cards, right.cards, strict=True)
        ]
    )
