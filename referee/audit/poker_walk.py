"""Following one hand of poker by its rules. Cards that are not told are unknown cards."""

from typing import Final

from referee.audit.hand_walk import DeviationError, HandWalk
from referee.audit.poker_cards import KnownCards
from referee.audit.poker_wording import event_words, hand_text, proposal_words, ruling_words
from referee.audit.seating import AuditedSeat
from referee.audit.time_used import Ruled
from referee.record import wire
from referee.record.encoding import ruling_bytes
from referee.record.view import view
from referee.rules.cards import UNKNOWN
from referee.rules.events import (
    BET,
    BET_RETURNED,
    CALLED,
    CHECKED,
    DISCARDED,
    FOLDED,
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
from referee.table.faults import ANSWERS_NOTHING_OPEN
from referee.table.game import GameRuling
from referee.table.views import AUDITOR
from referee.v1 import record_pb2

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


class PokerWalk(HandWalk[Event, Proposal]):
    """A hand of poker that is followed; raises RuleSetError when none can begin like this."""

    def __init__(
        self,
        setup: HandSetup,
        known: KnownCards,
        viewer: int,
        clock: ClockRules,
        seats: dict[int, AuditedSeat],
        knows_all_seats: bool,
    ) -> None:
        super().__init__(viewer, clock, seats, knows_all_seats)
        self.setup = setup
        self.known = known
        self.hand = Hand(setup)
        self.expect(advance(self.hand))

    def before(self) -> str:
        """The hand as far as the record has told it, in words."""
        return hand_text(replay(self.setup, tuple(self.told)), self.names)

    def is_over(self) -> bool:
        """Whether the hand is over by the rules, told or not."""
        return self.hand.has_ended()

    def hides_progress(self) -> bool:
        """Whether discards are secret until all are in, and some are not yet (DISC-3)."""
        return self.setup.rule_set.hide_discard_progress and self.hand.phase is DISCARDING

    def open_seats(self) -> tuple[int, ...]:
        """The seats that have an open decision."""
        return open_seats(self.hand)

    def open_decision(self, seat: int) -> int:
        """The id of a seat's open decision."""
        return open_decision(self.hand, seat)

    def propose(self, proposal: Proposal) -> Ruling:
        """Rules on a proposal and applies what follows."""
        return propose(self.hand, proposal)

    def expect(self, events: tuple[Event, ...]) -> None:
        """Notes what must happen next; what the view does not have has happened."""
        for event in events:
            if self.viewer != AUDITOR and view(event, self.viewer, self.setup.rule_set) is None:
                self.told.append(event)
            else:
                self.due.append(event)

    # --- events ------------------------------------------------------------------------------------------

    def check_of(self, event: Event) -> str:
        """The check that an event belongs to."""
        return "settlement" if event.kind in SETTLING else "events"

    def fits(self, event: Event, right: Event, whole: bool) -> bool:
        """Whether a recorded event may be the right one."""
        return _fits(event, right, whole) or self._may_show(event, right)

    def _may_show(self, event: Event, right: Event) -> bool:
        """Whether a hand may be shown by its owner though it has more or fewer cards than it is taken to have.

        Where others' folds end the discard round unseen, nobody else knows whether he had discarded before (DISC-3).
        """
        unseen = self.viewer != AUDITOR and self.setup.rule_set.hide_discard_progress
        is_shown = event.kind is HAND_SHOWN and self.hand.live_count == 1 and set(right.cards) == {UNKNOWN}
        return unseen and is_shown and event._replace(cards=()) == right._replace(cards=())

    def infer(self, event: Event) -> None:
        """Takes what a seat did, whose proposal is hidden, from the event that shows it."""
        recorded = event_words(event, self.names)
        if self.hand.phase is DISCARDING and event.kind not in (DISCARDED, FOLDED):
            self._finish_discards()
        else:
            in_its_place = FORFEIT if event.rule == "TIME-4" else TIMEOUT
            kind = in_its_place if event.automatic else _ACTIONS.get(event.kind)
            if kind is None:
                raise DeviationError("events", "BET-8", "no proposal leads to this event", recorded, self.what_is_due())
            to = event.to if event.kind in (BET, RAISED) else 0
            cards = self.known.discard(event.seat, self.setup.rule_set.game) if kind is ActionKind.DISCARD else ()
            ruling = propose(self.hand, Proposal(event.seat, kind, to, cards))
            if not ruling.accepted:
                raise DeviationError("events", ruling.rule, ruling.message, recorded, ruling_words(ruling))
            self.answered_unseen(event.seat, ruling)
            self.untold.append("timeouts" if kind in (TIMEOUT, FORFEIT) else "clocks")
        if not self.due:
            raise DeviationError("events", "DISC-1", "the discard round is still open", recorded, self.what_is_due())

    def _finish_discards(self) -> None:
        """Discards unseen for everybody who must have, before what follows the discard round (DISC-3)."""
        late = [seat for seat in open_seats(self.hand) if seat in self.known.late_folds]
        for seat in open_seats(self.hand):
            if seat not in late and not self.known.has_kept_all(seat):
                cards = self.known.discard(seat, self.setup.rule_set.game)
                self.answered_unseen(seat, propose(self.hand, Proposal(seat, ActionKind.DISCARD, 0, cards)))
        for seat in late:
            if not self.hand.has_ended():
                self.answered_unseen(seat, propose(self.hand, Proposal(seat, TIMEOUT)))

    # --- rulings -----------------------------------------------------------------------------------------

    def ruled(self, stored: record_pb2.StoredRuling) -> Ruled:
        """What a recorded ruling says."""
        action, ruling = stored.proposal.action.WhichOneof("action") or "", stored.ruling
        is_belated = not ruling.accepted and ruling.reason in ANSWERS_NOTHING_OPEN
        return Ruled(ruling.accepted, stored.proposal.seat, action, is_belated)

    def proposal(self, stored: record_pb2.StoredRuling) -> Proposal:
        """The recorded proposal."""
        return wire.proposal_of(stored.proposal, stored.seat)

    def needs_decision(self, proposal: Proposal) -> bool:
        """Whether the proposal answers a decision; showing a hand answers none."""
        return proposal.kind is not ActionKind.SHOW

    def is_recorded(self, stored: record_pb2.StoredRuling, ruling: GameRuling) -> bool:
        """Whether the ruling is the recorded one."""
        assert isinstance(ruling, Ruling), "a ruling of poker"
        of_kozel = stored.HasField("kozel_ruling") or stored.HasField("kozel_proposal")
        return not of_kozel and ruling_bytes(ruling) == stored.ruling.SerializeToString(deterministic=True)

    def event_words(self, event: Event) -> str:
        """An event in words."""
        return event_words(event, self.names)

    def ruling_words(self, ruling: GameRuling) -> str:
        """A ruling in words."""
        assert isinstance(ruling, Ruling), "a ruling of poker"
        return ruling_words(ruling)

    def proposal_words(self, stored: record_pb2.StoredRuling) -> str:
        """A recorded proposal with its ruling in words."""
        return proposal_words(stored, self.names)


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
