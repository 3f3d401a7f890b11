"""Reading cards as a sound player does: what a start is worth, what a hand has made, and what it may still become.

Values are percent-like whole numbers from 0 to 100, rough chances against one opponent. They order hands for
the practice bots; the referee itself never uses them.
"""

from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import Final

from referee.rules.cards import DECK_SIZE
from referee.rules.ranking import HandClass, hand_class_of, ranks_of, strength

ACE: Final = 12
FULL_BOARD: Final = 5

# --- before the flop ------------------------------------------------------------------------------------

_GAP_COST: Final = (0, 0, 2, 4, 8)
"""By distance of two ranks; farther apart costs ten."""


def pair_value(first: int, second: int) -> int:
    """What two cards are worth before the flop: big pairs, suited aces, connected cards (after Bill Chen's count)."""
    low, high = sorted((first // 4, second // 4))
    value = {ACE: 20, 11: 16, 10: 14, 9: 12}.get(high, high + 2)
    if low == high:
        return max(10, 2 * value)
    distance = high - low
    if high == ACE and low <= 3:  # an ace is low for a straight
        distance = min(distance, 4)
    value -= _GAP_COST[distance] if distance < len(_GAP_COST) else 10
    if distance <= 2 and high < 10:
        value += 2
    return value + (4 if first % 4 == second % 4 else 0)


def start_value(hole: tuple[int, ...]) -> int:
    """What hole cards are worth before the flop: their best two, and a little for further good pairs of them."""
    if len(hole) == 1:
        return hole[0] // 4
    values = sorted([pair_value(one, other) for one, other in combinations(hole, 2)], reverse=True)
    return 6 * values[0] + sum(values[1:4])


@lru_cache(maxsize=32)
def _starts(cards: int) -> tuple[int, ...]:
    """Values of many random starts of so many cards, lowest first; the same ones in every run."""
    rng = Random(cards)
    return tuple(sorted([start_value(tuple(rng.sample(range(DECK_SIZE), cards))) for _ in range(500)]))


def start_percentile(hole: tuple[int, ...]) -> int:
    """How many percent of random starts of the same size are worth less."""
    starts = _starts(len(hole))
    value = start_value(hole)
    return sum([start < value for start in starts]) * 100 // len(starts)


# --- what is made ---------------------------------------------------------------------------------------


def value_of(cards: tuple[int, ...]) -> int:
    """The strength of the best five; of fewer than five cards the same by pairs alone, comparable among equals."""
    if len(cards) >= FULL_BOARD:
        return strength(cards)
    ranks = [card // 4 for card in cards]
    grouped = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    counts = sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)
    shapes = {4: HandClass.FOUR_OF_A_KIND, 3: HandClass.THREE_OF_A_KIND, 2: HandClass.PAIR, 1: HandClass.HIGH_CARD}
    made = HandClass.TWO_PAIR if counts[:2] == [2, 2] else shapes[counts[0]] if counts else HandClass.HIGH_CARD
    value: int = made
    for rank in [*grouped, 0, 0, 0, 0, 0][:5]:
        value = value << 4 | rank
    return value


def _body(value: int) -> tuple[int, ...]:
    """The class of a value and the ranks that make it, kickers left out."""
    made, ranks = hand_class_of(value), ranks_of(value)
    counted = {HandClass.HIGH_CARD: 0, HandClass.PAIR: 1, HandClass.THREE_OF_A_KIND: 1, HandClass.FOUR_OF_A_KIND: 1}
    if made == HandClass.TWO_PAIR:
        return (made, ranks[0], ranks[2])
    return (made, *ranks[: counted.get(made, 5)])


def made_value(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    """What kept cards have made with the board; what the board has by itself counts for nothing."""
    value = value_of(kept + board)
    if _body(value) == _body(value_of(board)):
        return 2 + max([card // 4 for card in kept]) // 2
    match hand_class_of(value):
        case HandClass.HIGH_CARD:
            return 2 + max([card // 4 for card in kept]) // 2
        case HandClass.PAIR:
            return _one_pair(ranks_of(value)[0], kept, board)
        case HandClass.TWO_PAIR:
            return _two_pair(value, kept, board)
        case HandClass.THREE_OF_A_KIND:
            return 78 if [card // 4 for card in kept].count(ranks_of(value)[0]) >= 2 else 68
        case HandClass.STRAIGHT:
            return 72 if flush_is_possible(board) else 84
        case HandClass.FLUSH:
            return _flush(kept, board)
        case HandClass.FULL_HOUSE:
            return 95
        case HandClass.FOUR_OF_A_KIND:
            return 98
        case _:
            return 100


def _one_pair(rank: int, kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    over = len({card // 4 for card in board if card // 4 > rank})
    kickers = [card // 4 for card in kept if card // 4 != rank]
    if not kickers:  # a pair in hand
        return max(16, 40 + rank // 3 - 8 * over)
    return max(10, 34 + max(kickers) // 2 - 7 * over)


def _two_pair(value: int, kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    ranks = ranks_of(value)
    on_board = [card // 4 for card in board]
    own = [rank for rank in (ranks[0], ranks[2]) if on_board.count(rank) < 2]
    if len(own) == 2:
        return 62
    return 4 + _one_pair(max(own), kept, board)  # everybody has the pair on the board


def _flush(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    for suit in range(4):
        own = [card for card in kept if card % 4 == suit]
        on_board = [card for card in board if card % 4 == suit]
        if own and len(own) + len(on_board) >= 5:
            if is_nut_of_suit(max(own), on_board):
                return 94
            return 86 if len(on_board) == 3 else 60
    return 60


def is_nut_of_suit(card: int, on_board: list[int]) -> bool:
    """Whether no higher card of the suit can be in another hand."""
    return all([higher in on_board for higher in range(card + 4, DECK_SIZE, 4)])


# --- what may still come --------------------------------------------------------------------------------


def draw_value(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    """The chance that the cards to come make a flush, a straight, or overcards good; the nut flush counts most."""
    to_come = FULL_BOARD - len(board)
    made = hand_class_of(value_of(kept + board))
    if to_come <= 0 or not board or made >= HandClass.STRAIGHT:
        return 0
    miss = 100
    for chance in (_flush_draw(kept, board), _straight_draw(kept, board), _overcards(kept, board, made)):
        miss = miss * (100 - chance) // 100
    return (100 - miss) if to_come >= 2 else (100 - miss) * 5 // 9


def has_nut_flush_draw(kept: tuple[int, ...], board: tuple[int, ...]) -> bool:
    """Whether one more card of a suit makes a flush that no other flush beats."""
    return len(board) < FULL_BOARD and _flush_draw(kept, board) == _NUT_FLUSH_DRAW


_NUT_FLUSH_DRAW: Final = 36


def _flush_draw(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    for suit in range(4):
        own = [card for card in kept if card % 4 == suit]
        on_board = [card for card in board if card % 4 == suit]
        if own and len(own) + len(on_board) == 4:
            if is_nut_of_suit(max(own), on_board):
                return _NUT_FLUSH_DRAW
            return 27 if len(own) >= 2 else 13
    return 0


def _straight_tops(cards: tuple[int, ...]) -> int:
    """The highest rank of a straight among the cards, -1 for none."""
    present = {card // 4 for card in cards}
    for top in range(ACE, 3, -1):
        if all([top - below in present for below in range(5)]):
            return top
    return 3 if {ACE, 0, 1, 2, 3} <= present else -1


def _straight_draw(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    present = {card // 4 for card in kept + board}
    outs = 0
    for rank in range(13):
        if rank not in present:
            with_it = (*board, 4 * rank)
            outs += _straight_tops(kept + with_it) > _straight_tops(with_it)
    chance = (0, 14, 28)[min(outs, 2)]
    return chance * 6 // 10 if flush_is_possible(board) else chance


def _overcards(kept: tuple[int, ...], board: tuple[int, ...], made: HandClass) -> int:
    if made > HandClass.PAIR:
        return 9 if made == HandClass.THREE_OF_A_KIND else 6
    highest = max([card // 4 for card in board])
    return 5 * len({card // 4 for card in kept if card // 4 > highest}) if made == HandClass.HIGH_CARD else 5


# --- boards ---------------------------------------------------------------------------------------------


def flush_is_possible(board: tuple[int, ...]) -> bool:
    """Whether two more cards of a suit would make a flush."""
    return any([sum([card % 4 == suit for card in board]) >= 3 for suit in range(4)])


def straight_is_possible(board: tuple[int, ...]) -> bool:
    """Whether two more cards would make a straight."""
    ranks = {card // 4 for card in board}
    if ACE in ranks:
        ranks.add(-1)
    return any([sum([low + step in ranks for step in range(5)]) >= 3 for low in range(-1, 9)])


def is_coordinated(board: tuple[int, ...]) -> bool:
    """Whether a bare pair or two pair needs care here: a flush or a straight may be out."""
    return flush_is_possible(board) or straight_is_possible(board)


# --- keeping and comparing ------------------------------------------------------------------------------


def keep_value(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    """What cards are worth keeping for: what they have made with the board, and what they may still make of it."""
    if not board:
        return start_value(kept)
    made = made_value(kept, board)
    return 100 * made + (100 - made) * draw_value(kept, board)


_MAX_CHOICES: Final = 300


@lru_cache(maxsize=4096)
def best_keep(hole: tuple[int, ...], count: int, board: tuple[int, ...]) -> tuple[int, ...]:
    """The ``count`` cards that are best kept, in the order of ``hole``; of equal choices the higher cards.

    Every choice is tried. Games that deal so many cards that there are more than 300 choices give them up one by one.
    """
    held = hole
    while len(held) > count:
        size = count if comb(len(held), count) <= _MAX_CHOICES else len(held) - 1
        held = max(combinations(held, size), key=lambda kept: (keep_value(kept, board), sum(kept)))
    return held


@lru_cache(maxsize=1024)
def _field(known: tuple[int, ...], board: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """Values of random holdings of so many unseen cards with this board; the same ones in every run."""
    unseen = [card for card in range(DECK_SIZE) if card not in known and card not in board]
    if len(unseen) < cards:
        return ()
    rng = Random(sum(board) * 64 + cards)
    return tuple([value_of((*rng.sample(unseen, cards), *board)) for _ in range(240)])


def share_beaten(kept: tuple[int, ...], known: tuple[int, ...], board: tuple[int, ...]) -> float:
    """The share of random holdings that lose to these cards now, ties half; nobody else holds the ``known`` cards."""
    field = _field(tuple(sorted(known)), board, len(kept))
    if not field:
        return 1.0
    value = value_of(kept + board)
    return sum([1.0 if other < value else 0.5 if other == value else 0.0 for other in field]) / len(field)
