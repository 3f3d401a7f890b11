"""Hand ranking (RANK-1 to RANK-4): the readable definition first, then the fast equivalent the table uses."""

from enum import IntEnum
from itertools import combinations
from typing import Final

from mypy_extensions import i64

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


# --- the fast way: a hand as a set of cards, one bit for each, and what its suits have in common ----------

_RANKS_OF_A_SUIT: Final = 0x1FFF
_HIGHEST: Final = bytes([max(ranks.bit_length() - 1, 0) for ranks in range(1 << 13)])
"""The highest of a set of ranks, which is a number with a bit for each."""
_SIZE: Final = bytes([ranks.bit_count() for ranks in range(1 << 13)])

_STRAIGHT_FLUSH: Final = int(HandClass.STRAIGHT_FLUSH) << 20
_FOUR_OF_A_KIND: Final = int(HandClass.FOUR_OF_A_KIND) << 20
_FULL_HOUSE: Final = int(HandClass.FULL_HOUSE) << 20
_FLUSH: Final = int(HandClass.FLUSH) << 20
_STRAIGHT: Final = int(HandClass.STRAIGHT) << 20
_THREE_OF_A_KIND: Final = int(HandClass.THREE_OF_A_KIND) << 20
_TWO_PAIR: Final = int(HandClass.TWO_PAIR) << 20
_PAIR: Final = int(HandClass.PAIR) << 20


def card_set(cards: tuple[int, ...]) -> i64:
    """Known cards as a set: the bits from 0 are the ranks of the clubs, those from 16, 32 and 48 the other suits'."""
    held: i64 = 0
    for card in cards:
        held |= _only(card >> 2) << ((card & 3) << 4)
    return held


def strength(cards: tuple[int, ...]) -> int:
    """The strength of the best five of five or more different known cards; equals :func:`best_of_all_fives`.

    Any number of the hole cards may play, none included (RANK-1).
    """
    return strength_of_set(card_set(cards))


def strength_of_set(held: i64) -> int:
    """The same for a set by :func:`card_set`: sets of several hands may share the board's."""
    clubs = held & _RANKS_OF_A_SUIT
    diamonds = held >> 16 & _RANKS_OF_A_SUIT
    hearts = held >> 32 & _RANKS_OF_A_SUIT
    spades = held >> 48 & _RANKS_OF_A_SUIT
    best = _by_ranks(clubs, diamonds, hearts, spades)
    best = max(best, _by_suit(clubs))
    best = max(best, _by_suit(diamonds))
    best = max(best, _by_suit(hearts))
    return max(best, _by_suit(spades))


def _by_ranks(clubs: i64, diamonds: i64, hearts: i64, spades: i64) -> i64:
    """The best five where suits do not count.

    A strength is its class and five hexadecimal digits, so that a rank times 0x11000 fills the first two of them.
    """
    black, red = clubs | spades, diamonds | hearts
    black_pairs, red_pairs = clubs & spades, diamonds & hearts
    present = black | red
    pairs = black_pairs | red_pairs | (black & red)
    trips = (black_pairs & red) | (red_pairs & black)
    quads = black_pairs & red_pairs
    if quads:
        four = _highest(quads)
        return _FOUR_OF_A_KIND | four * 0x11110 | _digits(present & ~_only(four), 1)
    three = _highest(trips)
    under = pairs & ~_only(three)
    if trips and under:
        return _FULL_HOUSE | three * 0x11100 | _highest(under) * 0x11
    straight = _straight(present)
    if straight:
        return _STRAIGHT | straight
    if trips:
        return _THREE_OF_A_KIND | three * 0x11100 | _digits(present & ~_only(three), 2)
    if not pairs:
        return _digits(present, 5)
    pair = _highest(pairs)
    second = pairs & ~_only(pair)
    if second:
        kickers = present & ~_only(pair) & ~_only(_highest(second))
        return _TWO_PAIR | pair * 0x11000 | _highest(second) * 0x110 | _digits(kickers, 1)
    return _PAIR | pair * 0x11000 | _digits(present & ~_only(pair), 3)


def _by_suit(ranks: i64) -> i64:
    """The best five of a suit; 0 where there are fewer."""
    if _SIZE[ranks] < 5:
        return 0
    straight = _straight(ranks)
    if straight:
        return _STRAIGHT_FLUSH | straight
    return _FLUSH | _digits(ranks, 5)


def _straight(ranks: i64) -> i64:
    """The digits of the highest straight in a set of ranks, or 0; an ace is below the deuce too (RANK-3)."""
    with_low_ace = ranks << 1 | ranks >> 12
    lowest = with_low_ace & with_low_ace >> 1 & with_low_ace >> 2 & with_low_ace >> 3 & with_low_ace >> 4
    if not lowest:
        return 0
    if lowest == 1:
        return 0x3210C
    return (_highest(lowest) + 3) * 0x11111 - 0x01234


def _only(rank: i64) -> i64:
    one: i64 = 1
    return one << rank


def _highest(ranks: i64) -> i64:
    return _HIGHEST[ranks]


def _digits(ranks: i64, count: i64) -> i64:
    """The highest so many of a set of ranks as hexadecimal digits."""
    digits: i64 = 0
    while count > 0:
        highest = _highest(ranks)
        digits = digits << 4 | highest
        ranks &= ~_only(highest)
        count -= 1
    return digits


def best_five(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The five cards that make the best hand, highest rank first; of equal choices the cards listed first play.

    Callers list hole cards before the board, so that a player's own card is named where either would do.
    """
    best = strength(cards)
    wanted = list(ranks_of(best))
    if hand_class_of(best) in (HandClass.FLUSH, HandClass.STRAIGHT_FLUSH):
        for suit in range(4):
            suited = tuple([card for card in cards if card % 4 == suit])
            if _by_suit(card_set(suited) >> 16 * suit) == best:
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
