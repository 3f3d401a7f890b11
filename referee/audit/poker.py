"""Auditing a table of poker."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.audit.chips import Chips
from referee.audit.game import AuditedGame, Dealt, Deck, Wrong
from referee.audit.poker_cards import known_cards
from referee.audit.poker_seating import PokerSeating, posts_in
from referee.audit.poker_walk import PokerWalk
from referee.audit.reading import Item
from referee.audit.seating import RecordedBeginning
from referee.dealing.fair import FairDecks
from referee.dealing.items import CARDS
from referee.dealing.openings import CommittedDeck
from referee.record.view import PUBLIC
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.events import BOARD_DEALT, HAND_SHOWN, HOLE_DEALT
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.table.views import AUDITOR


class AuditedPoker(AuditedGame):
    """A table of poker as an auditor sees it."""

    event_kind = "hand_event"
    deck_texts = CARDS

    def __init__(self, table_id: str, config: PokerConfig) -> None:
        self.config = config
        self.seating: PokerSeating = PokerSeating(table_id, config)

    def conserved(self, item: Item, dealt_in: tuple[int, ...]) -> Chips:
        """Begins to count the chips of a hand."""
        seats = self.seating.seats
        stacks = {seat: seats[seat].stack for seat in dealt_in if seat in seats}
        return Chips(sum(stacks.values()), stacks)

    def hand_walk(
        self, item: Item, items: Iterable[Item], dealt_in: tuple[int, ...], viewer: int, decks: Sequence[Deck]
    ) -> PokerWalk:
        """A hand from its beginning, to be followed by the cards that the record tells."""
        content, seating, game = item.content, self.seating, self.config.rule_set.game
        known = known_cards(items)
        small = content.small_blind_position if item.whole else content.small_blind_seat
        positions = Positions(content.button_seat, small, content.big_blind_seat, dealt_in)
        show = tuple([seat for seat in dealt_in if _shows(seating, seat, known.shown)])
        stacks = tuple([seating.seats[seat].stack for seat in dealt_in])
        deck, posts = known.deck(dealt_in, game), posts_in(content)
        setup = self.config.setup(positions, stacks, deck, content.hand_id, show, posts)
        if known.unseen():
            setup = replace(setup, mucked_unseen=known.unseen())
        # A seat sees a hand that somebody else played there as everybody does.
        as_whom = viewer if viewer == AUDITOR or known.tells_of(viewer) else PUBLIC
        return PokerWalk(setup, known, as_whom, self.config.clock, seating.seats, seating.is_complete)

    def roots(self, began: RecordedBeginning) -> list[bytes]:
        """The root of the deck that a hand's beginning tells."""
        return [began.deck_root] if began.deck_root else []

    def committed(self, decks: FairDecks, hand: int, players: int) -> list[CommittedDeck]:
        """The deck of a hand, made from the seeds."""
        return [decks.committed(0, hand)]

    def dealt(self, decks: Sequence[Deck], dealt_in: Sequence[int]) -> Dealt:
        """Begins to compare the cards of a hand with its deck."""
        (deck,) = decks
        return DealtCards(deck, dealt_in, self.config.rule_set.game.hole_cards)


class DealtCards(Dealt):
    """The deck of the hand under way: its cards, those of each seat, and the place of the next board card."""

    def __init__(self, deck: Deck, dealt_in: Sequence[int], hole_cards: int) -> None:
        players, board_at = len(dealt_in), len(dealt_in) * hole_cards
        self._deck = deck
        self._holes = {seat: deck[at:board_at:players] for at, seat in enumerate(dealt_in)}
        self._board_at = board_at

    def compare(self, item: Item) -> Wrong | int:
        """Compares an event's cards with the deck; returns what is wrong, or how many are right."""
        event = item.event
        if event.kind is HAND_SHOWN:
            hole = self._holes.get(event.seat, ())
            may_be_hidden = set() if item.whole else {UNKNOWN}
            if set(event.cards) - may_be_hidden <= set(hole):
                return len(event.cards)
            return _wrong(item, "DEAL-1", "cards are shown that were not dealt to the seat", hole)
        if event.kind is HOLE_DEALT:
            rule, right = "DEAL-1", self._holes.get(event.seat, ())
        elif event.kind is BOARD_DEALT:
            rule, right = "DEAL-3", self._deck[self._board_at : self._board_at + len(event.cards)]
            self._board_at += len(event.cards)
        else:
            return 0
        # Only a view that may not see a card leaves it out.
        known = [one for one in zip(event.cards, right, strict=False) if item.whole or one[0] != UNKNOWN]
        if len(event.cards) != len(right) or any([recorded != card for recorded, card in known]):
            return _wrong(item, rule, "another card than the deck has at its place", right)
        return len(known)


def _wrong(item: Item, rule: str, message: str, right: Deck) -> Wrong:
    return Wrong(rule, message, cards_text(item.event.cards), cards_text(right))


def _shows(seating: PokerSeating, seat: int, shown: dict[int, tuple[int, ...]]) -> bool:
    """Whether the seat's preset shows a beaten hand; where that is not told, whether it was shown (SHOW-2)."""
    one = seating.seats.get(seat)
    if one is None or one.show_when_beaten is None:
        return seat in shown
    return one.show_when_beaten
