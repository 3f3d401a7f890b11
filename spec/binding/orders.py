"""Decks that make the engine's real showdown come out in any wanted order.

The specification leaves the showdown open: any weak order of the live hands. The engine deals real cards from a fixed
deck. So for every weak order there is a deck here in which the hands that are kept rank in that order, ties included.
"""

from itertools import product
from typing import Final

from referee.rules.cards import DECK_SIZE, parse_cards
from referee.rules.setup import deck_from

BOARD: Final = parse_cards("8c 8d 2h 2s 7c")
"""Two pair and a seven: two kept cards, of which one is a filler, do no more than offer a better kicker."""

KICKERS: Final = "9TJQKA"
"""The higher kept card by rank, for every place but the worst. Four suits of each, so up to four players tie there."""

LOWER: Final = parse_cards("3c 3d 3h 3s 4c 4d 4h 4s")
HIGHER: Final = parse_cards("5c 5d 5h 5s 6c 6d 6h 6s")
"""Fillers: one of each, or one beside a kicker, make no pair, no straight and no flush with the board, so they never
count. Who keeps two of them plays the board, which is the worst place."""


def weak_orders(players: tuple[int, ...]) -> list[dict[int, int]]:
    """Every weak order of these players, as places 1 (worst), 2 ... without gaps: 1, 3, 13 or 75 of them."""
    count = len(players)
    orders = []
    for places in product(range(1, count + 1), repeat=count):
        if set(places) == set(range(1, max(places) + 1)):
            orders.append(dict(zip(players, places, strict=True)))
    return orders


def few_orders(players: tuple[int, ...]) -> list[dict[int, int]]:
    """All equal, each better than the one before, each worse: what configurations with ``few_orders`` try."""
    count = len(players)
    return [
        dict.fromkeys(players, 1),
        dict(zip(players, range(1, count + 1), strict=True)),
        dict(zip(players, range(count, 0, -1), strict=True)),
    ]


def deck_for(order: dict[int, int], players: int, hole_cards: int) -> tuple[int, ...]:
    """A deck in which players who keep the two cards dealt first rank as in ``order``; the others do not matter.

    Who discards must discard the cards dealt last, which DISC-8 does too.
    """
    lower, higher = list(LOWER), list(HIGHER)
    suits = dict.fromkeys(KICKERS, 0)
    kept = []
    for player in range(players):
        place = order.get(player, 1)
        first = lower.pop() if place == 1 else _kicker(KICKERS[place - 2], suits)
        kept.append((first, higher.pop()))
    used = {*BOARD, *(card for cards in kept for card in cards)}
    rest = [card for card in range(DECK_SIZE) if card not in used]
    holes = tuple([(*cards, *[rest.pop() for _ in range(hole_cards - 2)]) for cards in kept])
    return deck_from(hole_cards, holes, BOARD)


def _kicker(rank: str, suits: dict[str, int]) -> int:
    suits[rank] += 1
    return parse_cards(rank + "cdhs"[suits[rank] - 1])[0]
