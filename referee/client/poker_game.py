"""Poker as a seat plays it at a table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from referee.client.asking import AnyDecision, AnyOptions, AnyProposal, AnyRuling
from referee.client.decision import Decision
from referee.client.game import Dealt, SeatGame, Tally
from referee.client.hand_view import HandView
from referee.client.messages import TableRules, event_of, options_of, ruling_of
from referee.dealing.errors import DealError
from referee.dealing.fair import FairDecks
from referee.record import wire
from referee.rules.cards import DECK_SIZE, UNKNOWN, cards_text
from referee.rules.events import BOARD_DEALT, HAND_ENDED, HOLE_DEALT
from referee.rules.rulings import LegalOptions, Proposal, Ruling
from referee.rules.setup import HandSetup, board_of, hole_of
from referee.v1 import table_pb2


@final
class PokerGame(SeatGame):
    """Hand after hand of poker."""

    event_field = "hand_event"
    deck_items = DECK_SIZE

    def __init__(self, config: table_pb2.TableConfig, table_id: str) -> None:
        """Raises RuleSetError for rules that this version does not have."""
        super().__init__(table_id)
        self._rules = TableRules(config)
        self.view: HandView | None = None
        self._deck_root = b""

    def begin(self, number: int, began: table_pb2.HandBegan, names: Mapping[int, str], match_name: str) -> None:
        """Takes the beginning of a hand."""
        self.view = HandView(self._rules.setup(began), number, self.table_id, names, match_name)
        self._deck_root = began.deck_root

    def fold(self, seen: table_pb2.SeenEvent) -> bool:
        """Takes an event of the hand."""
        event = event_of(seen.hand_event)
        if event is None:
            return False
        assert self.view is not None, "it has begun"
        self.view.fold(event)
        return event.kind is HAND_ENDED

    def options(self, message: table_pb2.Decision) -> LegalOptions:
        """What is legal."""
        return options_of(message.legal)

    def decision(self, options: AnyOptions, remaining_ms: int | None, refusal: AnyRuling | None) -> Decision:
        """The open decision."""
        assert isinstance(options, LegalOptions), "options of poker"
        assert refusal is None or isinstance(refusal, Ruling), "a ruling of poker"
        return self._hand().decision(options, remaining_ms, refusal)

    def is_accepted(self, answered: table_pb2.Answered) -> bool:
        """Whether an answer was accepted."""
        return answered.ruling.accepted

    def refusal(self, answered: table_pb2.Answered) -> Ruling | None:
        """The ruling that refused an answer."""
        message = answered.ruling
        return ruling_of(message) if message.reason or message.HasField("legal") else None

    def propose(self, request_id: str, proposal: AnyProposal) -> table_pb2.Propose:
        """The message that proposes."""
        assert isinstance(proposal, Proposal), "a proposal of poker"
        return table_pb2.Propose(request_id=request_id, proposal=wire.proposal_message(proposal))

    def instead(self, decision: AnyDecision) -> Proposal:
        """Check, else fold, else a discard of the cards dealt last."""
        assert isinstance(decision, Decision), "a decision of poker"
        return decision.check_or_fold()

    def tally(self, played: Tally) -> None:
        """Adds what was won or lost."""
        view = self._hand()
        played.net += view.net_of(view.seat)

    def dealt(self) -> Dealt | None:
        """The cards that were seen."""
        view = self._hand()
        if not self._deck_root:
            return None
        holes = [(event.seat, event.cards) for event in view.events if event.kind is HOLE_DEALT]
        board = [card for event in view.events if event.kind is BOARD_DEALT for card in event.cards]
        seen = tuple([hole for hole in holes if UNKNOWN not in hole[1]])
        return _DealtHand(view.number, self._deck_root, view.setup, seen, tuple(board))

    def _hand(self) -> HandView:
        assert self.view is not None, "a hand has begun"
        return self.view


@dataclass(frozen=True, slots=True)
class _DealtHand:
    """What a seat saw of a hand's cards, and the root that was published before it."""

    number: int
    deck_root: bytes
    setup: HandSetup
    holes: tuple[tuple[int, tuple[int, ...]], ...]
    board: tuple[int, ...]

    def check(self, decks: FairDecks) -> None:
        """Raises DealError unless the deck is the committed one and the cards were dealt from it."""
        number = self.number
        committed = decks.committed(0, number)
        if committed.root != self.deck_root:
            raise DealError(f"hand {number}: the deck is not the one that was committed to before it")
        setup = replace(self.setup, deck=committed.deck)
        for seat, cards in self.holes:
            right = hole_of(setup, setup.seats.index(seat))
            if cards != right:
                raise DealError(f"hand {number}: seat {seat} was dealt {cards_text(cards)}, not {cards_text(right)}")
        right = board_of(setup)[: len(self.board)]
        if self.board != right:
            raise DealError(f"hand {number}: the board was {cards_text(self.board)}, not {cards_text(right)}")
