"""Following one round of Kozel by its rules.

With its decks, from the record or from the seeds, everything that happens in it is known and seen as the view sees it;
without them it is followed as far as can be told (:mod:`referee.audit.seen_round`).
"""

from typing import Final

from referee.audit.hand_walk import DeviationError, HandWalk
from referee.audit.kozel_tiles import KnownTiles
from referee.audit.kozel_wording import event_words, proposal_words, round_text, ruling_words
from referee.audit.seating import AuditedSeat
from referee.audit.seen_round import advance_seen, drew_or_knocked, propose_seen
from referee.audit.time_used import Ruled
from referee.kozel.events import HAND_COUNTED, RATED, TILE_LAID, TIMED_OUT, Event
from referee.kozel.round import advance, open_decision, open_seats, propose, replay
from referee.kozel.rulings import LAY, TIMEOUT, Proposal, Ruling
from referee.kozel.setup import RoundSetup, check_decks
from referee.kozel.state import Round, apply
from referee.kozel.tiles import UNKNOWN
from referee.kozel.views import view
from referee.record import kozel_wire as wire
from referee.record.view import PUBLIC
from referee.table.clocks import ClockRules
from referee.table.game import GameRuling
from referee.table.kozel import ANSWERS_NOTHING_OPEN
from referee.v1 import record_pb2

_SETTLING: Final = range(HAND_COUNTED, RATED + 1)
"""The kinds of events that score a round, and a game."""


class KozelWalk(HandWalk[Event, Proposal]):
    """A round that is followed; raises SetupRefusedError when none can begin like this.

    ``setup`` has decks where every tile is known, or can be made from the seeds.
    """

    def __init__(
        self,
        setup: RoundSetup,
        known: KnownTiles,
        viewer: int,
        clock: ClockRules,
        seats: dict[int, AuditedSeat],
        knows_all_seats: bool,
    ) -> None:
        super().__init__(viewer, clock, seats, knows_all_seats)
        self.setup = setup
        self.known = known
        self.state = Round(setup)
        self.is_known = bool(setup.decks)
        if self.is_known:
            check_decks(setup)
            self.expect(advance(self.state))
        else:
            self.expect(advance_seen(self.state, known))

    def before(self) -> str:
        """The round as far as the record has told it, in words."""
        return round_text(replay(self.setup, tuple(self.told)), self.names)

    def is_over(self) -> bool:
        """Whether the round is over by the rules, told or not."""
        return self.state.has_ended()

    def open_seats(self) -> tuple[int, ...]:
        """The seat that has the open decision."""
        return open_seats(self.state)

    def open_decision(self, seat: int) -> int:
        """The id of a seat's open decision."""
        return open_decision(self.state, seat)

    def propose(self, proposal: Proposal) -> Ruling:
        """Rules on a proposal and applies what follows."""
        return propose(self.state, proposal) if self.is_known else propose_seen(self.state, proposal, self.known)

    # --- events ------------------------------------------------------------------------------------------

    def check_of(self, event: Event) -> str:
        """The check that an event belongs to."""
        return "settlement" if event.kind in _SETTLING else "events"

    def fits(self, event: Event, right: Event, whole: bool) -> bool:
        """Whether a recorded event may be the right one, where either does not tell its tiles; a whole one has to."""
        if event._replace(tiles=()) != right._replace(tiles=()) or len(event.tiles) != len(right.tiles):
            return False
        if not whole and event.tiles != view(right, PUBLIC).tiles:
            return False
        return all(
            [
                told == tile or tile == UNKNOWN or (told == UNKNOWN and not whole)
                for told, tile in zip(event.tiles, right.tiles, strict=True)
            ]
        )

    def infer(self, event: Event) -> None:
        """Takes what a seat did, whose proposal is hidden, from the event that shows it."""
        recorded = self.event_words(event)
        if event.kind not in (TILE_LAID, TIMED_OUT):
            raise DeviationError("events", "BET-8", "no proposal leads to this event", recorded, self.what_is_due())
        if event.kind is TIMED_OUT:
            proposal = Proposal(event.seat, TIMEOUT)
        else:
            proposal = Proposal(event.seat, LAY, event.tiles[0] if event.tiles else UNKNOWN, event.end)
        ruling = self.propose(proposal)
        if not ruling.accepted:
            raise DeviationError("events", ruling.rule, ruling.message, recorded, self.ruling_words(ruling))
        self.answered_unseen(event.seat, ruling)
        self.untold.append("timeouts" if event.kind is TIMED_OUT else "clocks")

    def event(self, event: Event, whole: bool) -> str:
        """Follows an event; drawing and knocking of who holds hidden tiles are taken from it."""
        unseen = None
        if not self.due and not self.is_known and self.setup.seats[self.state.to_act] not in self.asked:
            unseen = drew_or_knocked(self.state, event)
        if unseen is not None:
            apply(self.state, unseen)
            self.expect((unseen, *advance_seen(self.state, self.known)))
        if event.kind is HAND_COUNTED and not self.is_known and not whole:
            self.untold.append("settlement")
        return super().event(event, whole)

    # --- rulings -----------------------------------------------------------------------------------------

    def ruled(self, stored: record_pb2.StoredRuling) -> Ruled:
        """What a recorded ruling says."""
        proposal, ruling = stored.kozel_proposal, stored.kozel_ruling
        is_belated = not ruling.accepted and ruling.reason in ANSWERS_NOTHING_OPEN
        return Ruled(ruling.accepted, proposal.seat, proposal.WhichOneof("action") or "", is_belated)

    def proposal(self, stored: record_pb2.StoredRuling) -> Proposal:
        """The recorded proposal."""
        return wire.proposal_of(stored.kozel_proposal, stored.seat)

    def needs_decision(self, proposal: Proposal) -> bool:
        """Whether the proposal answers a decision: every one does."""
        return True

    def is_recorded(self, stored: record_pb2.StoredRuling, ruling: GameRuling) -> bool:
        """Whether the ruling is the recorded one."""
        assert isinstance(ruling, Ruling), "a ruling of Kozel"
        right = wire.ruling_message(ruling._replace(events=()))
        of_poker = stored.HasField("ruling") or stored.HasField("proposal")
        return not of_poker and right == stored.kozel_ruling

    def event_words(self, event: Event) -> str:
        """An event in words."""
        return event_words(event, self.names)

    def ruling_words(self, ruling: GameRuling) -> str:
        """A ruling in words."""
        assert isinstance(ruling, Ruling), "a ruling of Kozel"
        return ruling_words(ruling)

    def proposal_words(self, stored: record_pb2.StoredRuling) -> str:
        """A recorded proposal with its ruling in words."""
        return proposal_words(stored, self.names)
