"""A hand of poker told step by step."""

from collections.abc import Sequence
from typing import Any

from referee.audit.poker_cards import known_cards
from referee.audit.poker_seating import posts_in
from referee.audit.poker_wording import hand_lines, proposal_words
from referee.audit.reading import Item
from referee.audit.told import ToldHand
from referee.record.telling import event_text
from referee.rules.events import HAND_SHOWN, Event
from referee.rules.setup import HandSetup
from referee.rules.state import Hand, apply
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.v1 import record_pb2


class ToldPoker(ToldHand):
    """A hand of poker as its record tells it; raises RuleSetError, KeyError or ValueError for one that is none."""

    def __init__(self, config: PokerConfig, items: Sequence[Item]) -> None:
        super().__init__(items[0])
        self._setup = _setup_of(config, items)
        self._hand = Hand(self._setup)

    def beginning(self) -> tuple[str, str]:
        """The rule and the words of how the hand begins."""
        setup = self._setup
        blinds = f"button at seat {setup.button_seat}, big blind seat {setup.big_blind_seat}"
        return "SEAT-1", f"{setup.hand_id} begins: {blinds}"

    def lines(self) -> tuple[str, ...]:
        """How the table stands."""
        return tuple(hand_lines(self._hand, self.names))

    def happen(self, event: Any) -> tuple[str, str]:
        """Applies an event, and returns its rule and its words."""
        assert isinstance(event, Event), "an event of poker"
        hand = self._hand
        apply(hand, event)
        if event.kind is HAND_SHOWN:  # who was not told these cards before is now
            hand.kept[hand.index_of(event.seat)] = event.cards
        return event.rule, event_text(event, self.names)

    def refusal(self, stored: record_pb2.StoredRuling) -> tuple[str, str] | None:
        """The rule and the words of a refused proposal; None for an accepted one."""
        if stored.ruling.accepted:
            return None
        return stored.ruling.rule, proposal_words(stored, self.names)


def _setup_of(config: PokerConfig, items: Sequence[Item]) -> HandSetup:
    content: Any = items[0].content
    if items[0].whole:
        stacks = {one.seat: one.stack for one in content.seats}
        dealt_in, small = tuple(content.dealt_in), content.small_blind_position
    else:
        stacks = {one.seat: one.stack for one in content.players}
        dealt_in, small = tuple([one.seat for one in content.players]), content.small_blind_seat
    positions = Positions(content.button_seat, small, content.big_blind_seat, dealt_in)
    deck = known_cards(items).deck(dealt_in, config.rule_set.game)
    posts = posts_in(content)
    return config.setup(positions, tuple([stacks[seat] for seat in dealt_in]), deck, content.hand_id, (), posts)
