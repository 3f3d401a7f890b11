"""Everything that may be proposed in a state, legal or not: a finite menu that is complete for the graphs' scopes."""

from collections.abc import Iterator
from itertools import combinations

from referee.rules.cards import DECK_SIZE
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import HandSetup
from referee.rules.state import Hand

STRANGER = 10
"""A seat that is not dealt in."""


def complete_menu(hand: Hand, with_shows: bool, with_forfeits: bool) -> Iterator[Proposal]:
    """Every kind of action from every seat, a stranger's included.

    Wagers go to every total from 0 to beyond every stack, in single chips whatever the chip unit. Discards name every
    set of the seat's hole cards, none and all included, a card twice, and a card of nobody's.
    """
    for seat in (*hand.setup.seats, STRANGER):
        for kind in (ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL, ActionKind.TIMEOUT):
            yield Proposal(seat, kind)
        if with_forfeits:
            yield Proposal(seat, ActionKind.FORFEIT)
        if with_shows:
            yield Proposal(seat, ActionKind.SHOW)
        for to in range(max(hand.setup.stacks) + 3):
            yield Proposal(seat, ActionKind.BET, to)
            yield Proposal(seat, ActionKind.RAISE, to)
        player = hand.index_of(seat)
        for cards in _discards(hand.hole[player] if player >= 0 else (), _nobodys(hand.setup)):
            yield Proposal(seat, ActionKind.DISCARD, cards=cards)


def _discards(hole: tuple[int, ...], other: int) -> Iterator[tuple[int, ...]]:
    for count in range(len(hole) + 1):
        yield from combinations(hole, count)
    yield (other,)
    if hole:
        yield (hole[0], hole[0])
        yield (hole[0], other)


def _nobodys(setup: HandSetup) -> int:
    return next(card for card in range(DECK_SIZE) if card not in setup.deck)
