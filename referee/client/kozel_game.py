"""Kozel as a seat plays it at a table."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

from referee.client.asking import AnyDecision, AnyOptions, AnyProposal, AnyRuling
from referee.client.game import Dealt, SeatGame, Tally
from referee.client.kozel_decision import KozelDecision
from referee.client.kozel_messages import event_of, options_of, rule_set_of, ruling_of, setup_of
from referee.client.kozel_view import KozelView
from referee.dealing.errors import DealError
from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.kozel.events import ROUND_ENDED, TILE_LAID, TIMED_OUT, Event
from referee.kozel.game import decks_until_played
from referee.kozel.round import open_round, propose
from referee.kozel.ruleset import SetupRefusedError
from referee.kozel.rulings import LAY, TIMEOUT, LegalOptions, Proposal, Ruling
from referee.kozel.setup import RoundSetup
from referee.kozel.tiles import tile_text, tiles_text
from referee.kozel.views import view
from referee.record import kozel_wire as wire
from referee.rules.ruleset import RuleSetError
from referee.v1 import table_pb2


@final
class KozelGame(SeatGame):
    """One game of Kozel, round after round."""

    event_field = "kozel_event"
    deck_items = len(TILES)

    def __init__(self, config: table_pb2.TableConfig, table_id: str) -> None:
        """Raises RuleSetError for rules that this version does not have."""
        super().__init__(table_id)
        self._rule_set = rule_set_of(config)
        self.view: KozelView | None = None
        self._deck_roots: tuple[bytes, ...] = ()

    def begin(self, number: int, began: table_pb2.HandBegan, names: Mapping[int, str], match_name: str) -> None:
        """Takes the beginning of a round."""
        try:
            self.view = KozelView(setup_of(self._rule_set, began), number, self.table_id, names, match_name)
        except SetupRefusedError as refused:
            raise RuleSetError(refused.rule, refused.message) from refused
        self._deck_roots = tuple(began.kozel.deck_roots)

    def fold(self, seen: table_pb2.SeenEvent) -> bool:
        """Takes an event of the round."""
        event = event_of(seen.kozel_event)
        if event is None:
            return False
        assert self.view is not None, "it has begun"
        self.view.fold(event)
        return event.kind is ROUND_ENDED

    def options(self, message: table_pb2.Decision) -> LegalOptions:
        """What is legal."""
        return options_of(message.kozel)

    def decision(self, options: AnyOptions, remaining_ms: int | None, refusal: AnyRuling | None) -> KozelDecision:
        """The open decision."""
        assert isinstance(options, LegalOptions), "options of Kozel"
        assert refusal is None or isinstance(refusal, Ruling), "a ruling of Kozel"
        return self._round().decision(options, remaining_ms, refusal)

    def is_accepted(self, answered: table_pb2.Answered) -> bool:
        """Whether an answer was accepted."""
        return answered.kozel.accepted

    def refusal(self, answered: table_pb2.Answered) -> Ruling | None:
        """The ruling that refused an answer."""
        message = answered.kozel
        return ruling_of(message) if message.reason or message.HasField("options") else None

    def propose(self, request_id: str, proposal: AnyProposal) -> table_pb2.Propose:
        """The message that proposes."""
        assert isinstance(proposal, Proposal), "a proposal of Kozel"
        return table_pb2.Propose(request_id=request_id, kozel=wire.proposal_message(proposal))

    def instead(self, decision: AnyDecision) -> Proposal:
        """The first of the legal moves: running out of time would end everybody's game (KOZ-17)."""
        assert isinstance(decision, KozelDecision), "a decision of Kozel"
        return decision.lay_first()

    def tally(self, played: Tally) -> None:
        """Notes the points so far, and the rating when the game is over."""
        seen = self._round()
        played.points = seen.account_of(seen.seat).score
        played.rating = seen.rating_of(seen.seat)

    def dealt(self) -> Dealt | None:
        """The events that were seen, from which every tile can be told."""
        seen = self._round()
        if not self._deck_roots:
            return None
        return _DealtRound(seen.number, self._deck_roots, seen.setup, seen.seat, tuple(seen.events))

    def _round(self) -> KozelView:
        assert self.view is not None, "a round has begun"
        return self.view


@dataclass(frozen=True, slots=True)
class _DealtRound:
    """What a seat saw of a round, and the roots of its decks that were published before it."""

    number: int
    deck_roots: tuple[bytes, ...]
    setup: RoundSetup
    seat: int
    events: tuple[Event, ...]

    def check(self, decks: FairDecks) -> None:
        """Raises DealError unless the round, played again from the decks, tells the seat what it was told."""
        number, setup = self.number, self.setup
        try:
            dealt = decks_until_played(lambda redeal: decks.deck(0, number, redeal), len(setup.seats), setup.rule_set)
        except SetupRefusedError as refused:
            raise DealError(f"round {number}: {refused.message}") from None
        roots = tuple([decks.committed(0, number, redeal).root for redeal in range(len(dealt))])
        if roots != self.deck_roots:
            raise DealError(f"round {number}: the decks are not those that were committed to before it")
        right = self._again(replace(setup, decks=dealt))
        for told, event in zip(self.events, right, strict=False):
            if told != event:
                raise DealError(f"round {number}: {_text(told)} was told, not {_text(event)}")
        if len(right) != len(self.events):
            raise DealError(f"round {number}: {len(self.events)} events were told, not {len(right)}")

    def _again(self, setup: RoundSetup) -> list[Event]:
        """The round with these decks and the moves that were told, as the seat sees it."""
        state, opening = open_round(setup)
        happened = list(opening)
        for told in self.events:
            if told.kind is TILE_LAID:
                proposal = Proposal(told.seat, LAY, told.tiles[0], told.end)
            elif told.kind is TIMED_OUT:
                proposal = Proposal(told.seat, TIMEOUT)
            else:
                continue
            ruling = propose(state, proposal)
            if not ruling.accepted:
                what = "was out of time" if told.kind is TIMED_OUT else f"laid {tile_text(told.tiles[0])}"
                raise DealError(f"round {self.number}: seat {told.seat} {what}, but {ruling.message}")
            happened.extend(ruling.events)
        return [view(event, self.seat) for event in happened]


def _text(event: Event) -> str:
    """An event in a few words."""
    return " ".join([event.kind.name.lower(), f"seat {event.seat}", tiles_text(event.tiles)]).rstrip()
