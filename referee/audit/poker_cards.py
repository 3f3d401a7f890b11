"""Which cards of a hand a bundle tells: enough to follow the hand by the rules, the rest being unknown cards.

An auditor's bundle tells all of them. In one for a seat or for everybody, a hand of somebody else is what was shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.audit.reading import Item
from referee.rules.cards import UNKNOWN
from referee.rules.events import (
    BOARD_DEALT,
    DISCARD_SHOWN,
    DISCARDED,
    HAND_ENDED,
    HAND_MUCKED,
    HAND_SHOWN,
    HOLE_DEALT,
    LATE_FOLD_SHOWN,
)
from referee.rules.ruleset import BOARD_CARDS, Game
from referee.rules.setup import deck_from

Cards = tuple[int, ...]


@dataclass
class KnownCards:
    """What a hand's events tell of its cards, by seat, and of who did what unseen."""

    dealt: dict[int, Cards] = field(default_factory=dict)
    discarded: dict[int, Cards] = field(default_factory=dict)
    shown: dict[int, Cards] = field(default_factory=dict)
    mucked: list[int] = field(default_factory=list)
    late_folds: set[int] = field(default_factory=set)
    board: Cards = ()

    def hole(self, seat: int, game: Game) -> Cards:
        """The seat's hole cards as far as they are known together with what became of them."""
        dealt, discarded = self.dealt.get(seat, ()), self.discarded.get(seat, ())
        shown = self.shown.get(seat, ())
        if _is_known(dealt) and len(dealt) == game.hole_cards and (shown or UNKNOWN not in discarded):
            return dealt
        # Discards come last, where one that the referee makes takes them from (DISC-8).
        last = discarded if _is_known(discarded) else ()
        between = (UNKNOWN,) * max(0, game.hole_cards - len(shown) - len(last))
        return (shown + between + last)[: game.hole_cards]

    def discard(self, seat: int, game: Game) -> Cards:
        """The seat's discards as far as they are known."""
        discarded, dealt, shown = self.discarded.get(seat, ()), self.dealt.get(seat, ()), self.shown.get(seat, ())
        if discarded and _is_known(discarded):
            return discarded
        if shown and _is_known(dealt) and len(dealt) == game.hole_cards:
            return tuple([card for card in dealt if card not in shown])
        return (UNKNOWN,) * game.discards

    def tells_of(self, seat: int) -> bool:
        """Whether the seat's own cards are told, and so everything that only the seat may see."""
        return _is_known(self.dealt.get(seat, ()))

    def has_kept_all(self, seat: int) -> bool:
        """Whether the seat has not discarded: whoever is told its cards would be told its discards too."""
        return self.tells_of(seat) and seat not in self.discarded

    def deck(self, seats: Iterable[int], game: Game) -> Cards:
        """A deck that deals these cards to the seats, in their order (DEAL-3)."""
        board = (self.board + (UNKNOWN,) * BOARD_CARDS)[:BOARD_CARDS]
        return deck_from(game.hole_cards, tuple([self.hole(seat, game) for seat in seats]), board)

    def unseen(self) -> tuple[int, ...]:
        """The seats that mucked cards which are not known."""
        return tuple([seat for seat in self.mucked if not _is_known(self.dealt.get(seat, ()))])


def known_cards(items: Iterable[Item]) -> KnownCards:
    """Gathers what the entries of one hand, from its beginning to its end, tell of its cards."""
    known = KnownCards()
    has_begun = False
    for item in items:
        if item.kind == "hand_began":
            if has_begun:  # a hand that never ended
                break
            has_begun = True
        if item.kind != "hand_event":
            continue
        kind, seat, cards = item.event.kind, item.event.seat, item.event.cards
        if kind is HOLE_DEALT:
            known.dealt[seat] = cards
        elif kind is BOARD_DEALT:
            known.board += cards
        elif kind is DISCARDED or kind is DISCARD_SHOWN:
            if seat not in known.discarded or _is_known(cards):
                known.discarded[seat] = cards
        elif kind is HAND_SHOWN:
            known.shown[seat] = cards
        elif kind is HAND_MUCKED:
            known.mucked.append(seat)
        elif kind is LATE_FOLD_SHOWN:
            known.late_folds.add(seat)
        elif kind is HAND_ENDED:
            break
    return known


def _is_known(cards: Cards) -> bool:
    return bool(cards) and UNKNOWN not in cards
