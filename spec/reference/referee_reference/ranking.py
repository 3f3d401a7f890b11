"""Hand ranking (RANK). A strength is the class and the five ranks in the order in which they are compared."""

from collections import Counter
from functools import cache
from itertools import combinations

from referee_reference.cards import RANKS, SUITS

Strength = tuple[int, tuple[int, ...]]

CLASSES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""RANK-2, weakest first; a royal flush is the highest straight flush, not a class of its own."""

STRAIGHTS = ((12, 3, 2, 1, 0), *((low + 4, low + 3, low + 2, low + 1, low) for low in range(9)))
"""RANK-3: the ranks of every straight, the lowest first, in which the ace is low; no wrap-around."""

SHAPES = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pair",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}
"""How many cards of one rank a hand has, most first."""


def strength_of_five(five: tuple[str, ...]) -> Strength:
    """RANK-2, RANK-3, RANK-4: what exactly five cards are worth; suits never decide between equal classes."""
    ranks = sorted((RANKS.index(card[0]) for card in five), reverse=True)
    counted = Counter(ranks)
    compared = tuple(sorted(ranks, key=lambda rank: (counted[rank], rank), reverse=True))
    named = SHAPES[tuple(sorted(counted.values(), reverse=True))]
    straight = tuple(ranks) in STRAIGHTS
    flush = len({card[1] for card in five}) == 1
    if straight and flush:
        named = "straight flush"
    elif flush:
        named = "flush"
    elif straight:
        named = "straight"
    if tuple(ranks) == STRAIGHTS[0]:
        compared = (3, 2, 1, 0, 12)  # the ace is low, so the five leads
    return CLASSES.index(named), compared


def best_of_every_five(cards: tuple[str, ...]) -> Strength:
    """RANK-1: the best five of all the cards, any number of hole cards, none included."""
    return max(strength_of_five(five) for five in combinations(cards, 5))


@cache
def all_strengths() -> tuple[tuple[str, Strength], ...]:
    """Every strength there is, the best first, each with the ranks it is made of and whether it needs one suit."""
    found: dict[Strength, str] = {}
    for distinct in combinations(range(12, -1, -1), 5):
        straight = distinct in STRAIGHTS
        order: tuple[int, ...] = (3, 2, 1, 0, 12) if distinct == STRAIGHTS[0] else distinct
        found[CLASSES.index("straight flush" if straight else "flush"), order] = "one suit"
        found[CLASSES.index("straight" if straight else "high card"), order] = "any suits"
    for shape, named in SHAPES.items():
        if shape == (1, 1, 1, 1, 1):
            continue
        for ranks in combinations(range(12, -1, -1), len(shape)):
            for order in _arrangements(ranks, shape):
                found[CLASSES.index(named), order] = "any suits"
    return tuple((found[strength], strength) for strength in sorted(found, reverse=True))


def _arrangements(ranks: tuple[int, ...], shape: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The five ranks as they are compared, for every way to say which rank is the four, the three, the pairs."""
    ways: set[tuple[int, ...]] = set()
    for chosen in combinations(ranks, sum(1 for count in shape if count > 1)):
        for turned in (chosen, chosen[::-1]):
            order = turned + tuple(rank for rank in ranks if rank not in chosen)
            counts = dict(zip(order, shape, strict=True))
            five = [rank for rank in order for _ in range(counts[rank])]
            ways.add(tuple(sorted(five, key=lambda rank: (counts[rank], rank), reverse=True)))
    return ways


def best_of_many(cards: tuple[str, ...]) -> Strength:
    """RANK-1 for a board so large that trying every five takes too long: the first strength that the cards hold."""
    ranks = Counter(RANKS.index(card[0]) for card in cards)
    suited = [Counter(RANKS.index(card[0]) for card in cards if card[1] == suit) for suit in SUITS]
    for needs, strength in all_strengths():
        wanted = Counter(strength[1])
        if any(wanted <= pool for pool in (suited if needs == "one suit" else [ranks])):
            return strength
    raise ValueError("fewer than five cards")


@cache
def best_strength(cards: tuple[str, ...]) -> Strength:
    """RANK-1: what the kept hole cards and the board are worth together. The same cards are always worth the same."""
    return best_of_every_five(cards) if len(cards) <= 8 else best_of_many(cards)
