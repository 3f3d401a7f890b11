"""Hand ranking (RANK-1 to RANK-4): the readable definition first, then the fast equivalent the table uses."""

from enum import IntEnum
from itertools import combinations
from typing import Final

from referee.rules.cards import RANKS, UNKNOWN


class HandClass(IntEnum):
    """The classes of RANK-2, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


CLASS_NAMES: Final = (
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

_RANK_NAMES: Final = (
    ("deuce", "deuces"),
    ("three", "threes"),
    ("four", "fours"),
    ("five", "fives"),
    ("six", "sixes"),
    ("seven", "sevens"),
    ("eight", "eights"),
    ("nine", "nines"),
    ("ten", "tens"),
    ("jack", "jacks"),
    ("queen", "queens"),
    ("king", "kings"),
    ("ace", "aces"),
)

_CLASS_BY_SHAPE: Final = {
    (4, 1): HandClass.FOUR_OF_A_KIND,
    (3, 2): HandClass.FULL_HOUSE,
    (3, 1, 1): HandClass.THREE_OF_A_KIND,
    (2, 2, 1): HandClass.TWO_PAIR,
    (2, 1, 1, 1): HandClass.PAIR,
    (1, 1, 1, 1, 1): HandClass.HIGH_CARD,
}

_WHEEL: Final = [12, 3, 2, 1, 0]


def five_card_strength(cards: tuple[int, ...]) -> int:
    """Ranks exactly five known cards; the definition that every faster way is tested against.

    A higher number is a better hand and equal numbers share (RANK-2 to RANK-4). Five hexadecimal digits of
    card ranks, in the order in which they are compared, stand under the digit of the class.
    """
    ranks = sorted([card // 4 for card in cards], reverse=True)
    counts = {rank: ranks.count(rank) for rank in ranks}
    grouped = sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True)
    hand_class = _CLASS_BY_SHAPE[tuple(sorted(counts.values(), reverse=True))]
    straight = hand_class == HandClass.HIGH_CARD and (ranks[0] - ranks[4] == 4 or ranks == _WHEEL)
    flush = len({card % 4 for card in cards}) == 1
    if straight and ranks == _WHEEL:
        grouped = [3, 2, 1, 0, 12]  # RANK-3: the ace is low here
    if straight:
        hand_class = HandClass.STRAIGHT_FLUSH if flush else HandClass.STRAIGHT
    elif flush:
        hand_class = HandClass.FLUSH
    return _pack(hand_class, grouped)


def best_of_all_fives(cards: tuple[int, ...]) -> int:
    """The strength of the best five of any five or more known cards, by trying them all (RANK-1)."""
    return max([five_card_strength(five) for five in combinations(cards, 5)])


def _pack(hand_class: int, ranks: list[int]) -> int:
    return hand_class << 20 | ranks[0] << 16 | ranks[1] << 12 | ranks[2] << 8 | ranks[3] << 4 | ranks[4]


def hand_class_of(strength: int) -> HandClass:
    """The class of RANK-2 that a strength belongs to."""
    return HandClass(strength >> 20)


def ranks_of(strength: int) -> tuple[int, ...]:
    """The ranks of the five cards of a strength, in the order in which they are compared (RANK-4)."""
    return tuple([strength >> shift & 15 for shift in (16, 12, 8, 4, 0)])


# --- the fast way: sums over cards of a count per rank and a count per suit -------------------------------

_RANK_UNIT: Final = tuple([1 << 4 * (card // 4) for card in range(52)])
"""Four bits for each rank: adding them up counts the cards of every rank at once."""

_SUIT_UNIT: Final = tuple([1 << 8 * (card % 4) for card in range(52)])
_SUIT_BIAS: Final = 0x7B7B7B7B
_FIVE_OF_A_SUIT: Final = 0x80808080
"""Eight bits for each suit, started at 123: a suit's top bit is set from its fifth card on."""

_MEMO_LIMIT: Final = 1 << 17
_strength_of_counts: dict[int, int] = {}


def strength(cards: tuple[int, ...]) -> int:
    """The strength of the best five of five or more known cards; equals :func:`best_of_all_fives`.

    Any number of the hole cards may play, none included (RANK-1).
    """
    counts = 0
    suits = _SUIT_BIAS
    for card in cards:
        counts += _RANK_UNIT[card]
        suits += _SUIT_UNIT[card]
    best = _strength_of_counts.get(counts, -1)
    if best < 0:
        best = _without_suits(counts)
        if len(_strength_of_counts) < _MEMO_LIMIT:
            _strength_of_counts[counts] = best
    flushes = suits & _FIVE_OF_A_SUIT
    if flushes:
        for suit in range(4):
            if flushes >> 8 * suit & 0x80:
                of_suit = _flush_strength([card // 4 for card in cards if card % 4 == suit])
                if of_suit > best:
                    best = of_suit
    return best


def _straight_top(present: int) -> int:
    """The highest rank of a straight among the ranks whose bits are set, or -1 (RANK-3)."""
    for top in range(12, 3, -1):
        if present >> top - 4 & 31 == 31:
            return top
    return 3 if present & 0x100F == 0x100F else -1


def _straight_ranks(top: int) -> list[int]:
    return [top, top - 1, top - 2, top - 3, top - 4 if top > 3 else 12]


def _flush_strength(ranks: list[int]) -> int:
    present = 0
    for rank in ranks:
        present |= 1 << rank
    top = _straight_top(present)
    if top >= 0:
        return _pack(HandClass.STRAIGHT_FLUSH, _straight_ranks(top))
    return _pack(HandClass.FLUSH, sorted(ranks, reverse=True)[:5])


def _without_suits(counts: int) -> int:
    """The best five by ranks alone, from four bits of count for each rank."""
    held = [(counts >> 4 * rank & 15, rank) for rank in range(12, -1, -1)]
    quads = [rank for count, rank in held if count == 4]
    trips = [rank for count, rank in held if count >= 3]
    pairs = [rank for count, rank in held if count >= 2]
    singles = [rank for count, rank in held if count >= 1]
    if quads:
        return _pack(HandClass.FOUR_OF_A_KIND, quads[:1] * 4 + [rank for rank in singles if rank != quads[0]][:1])
    if trips:
        under = [rank for rank in pairs if rank != trips[0]]
        if under:
            return _pack(HandClass.FULL_HOUSE, trips[:1] * 3 + under[:1] * 2)
    top = _straight_top(sum([1 << rank for rank in singles]))
    if top >= 0:
        return _pack(HandClass.STRAIGHT, _straight_ranks(top))
    if trips:
        return _pack(HandClass.THREE_OF_A_KIND, trips[:1] * 3 + [rank for rank in singles if rank != trips[0]][:2])
    if len(pairs) >= 2:
        kicker = [rank for rank in singles if rank not in pairs[:2]][:1]
        return _pack(HandClass.TWO_PAIR, pairs[:1] * 2 + pairs[1:2] * 2 + kicker)
    if pairs:
        return _pack(HandClass.PAIR, pairs[:1] * 2 + [rank for rank in singles if rank != pairs[0]][:3])
    return _pack(HandClass.HIGH_CARD, singles[:5])


def best_five(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The five cards that make the best hand, highest rank first; of equal choices the cards listed first play.

    Callers list hole cards before the board, so that a player's own card is named where either would do.
    """
    best = strength(cards)
    wanted = list(ranks_of(best))
    if hand_class_of(best) in (HandClass.FLUSH, HandClass.STRAIGHT_FLUSH):
        for suit in range(4):
            suited = tuple([card for card in cards if card % 4 == suit])
            if len(suited) >= 5 and _flush_strength([card // 4 for card in suited]) == best:
                cards = suited
                break
    five: list[int] = []
    for rank in wanted:
        five.append(next(card for card in cards if card // 4 == rank and card not in five))
    if ranks_of(best) != (3, 2, 1, 0, 12):
        five.sort(key=lambda card: -(card // 4))
    return tuple(five)


def is_known(cards: tuple[int, ...]) -> bool:
    """Whether every card is known, so that the hand can be ranked."""
    return UNKNOWN not in cards


def describe(strength_value: int) -> str:
    """A hand's name as a dealer announces it (SHOW-3), such as ``full house, tens full of threes``."""
    ranks = ranks_of(strength_value)
    singular = [_RANK_NAMES[rank][0] for rank in ranks]
    plural = [_RANK_NAMES[rank][1] for rank in ranks]
    match hand_class_of(strength_value):
        case HandClass.STRAIGHT_FLUSH:
            return "royal flush" if ranks[0] == 12 else f"straight flush, {singular[0]} high"
        case HandClass.FOUR_OF_A_KIND:
            return f"four of a kind, {plural[0]}, {singular[4]} kicker"
        case HandClass.FULL_HOUSE:
            return f"full house, {plural[0]} full of {plural[3]}"
        case HandClass.FLUSH:
            return "flush, " + "-".join([RANKS[rank] for rank in ranks])
        case HandClass.STRAIGHT:
            return f"straight, {singular[0]} high"
        case HandClass.THREE_OF_A_KIND:
            return f"three of a kind, {plural[0]}, kickers {RANKS[ranks[3]]}-{RANKS[ranks[4]]}"
        case HandClass.TWO_PAIR:
            return f"two pair, {plural[0]} and {plural[2]}, {singular[4]} kicker"
        case HandClass.PAIR:
            return f"pair of {plural[0]}, kickers " + "-".join([RANKS[rank] for rank in ranks[2:]])
        case _:
            return "high card, " + "-".join([RANKS[rank] for rank in ranks])
