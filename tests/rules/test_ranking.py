"""The evaluator against two libraries, and its fast way against its definition."""

import random
from collections import Counter
from itertools import combinations, pairwise

import eval7
import phevaluator
import pytest

from referee.rules.cards import CARD_TEXTS
from referee.rules.ranking import (
    HandClass,
    best_five,
    best_of_all_fives,
    describe,
    five_card_strength,
    hand_class_of,
    strength,
)
from tests.support import scale, text

rule = pytest.mark.rule

EVAL7_CARDS = [eval7.Card(card) for card in CARD_TEXTS]
EVAL7_CLASSES = {
    "High Card": HandClass.HIGH_CARD,
    "Pair": HandClass.PAIR,
    "Two Pair": HandClass.TWO_PAIR,
    "Trips": HandClass.THREE_OF_A_KIND,
    "Straight": HandClass.STRAIGHT,
    "Flush": HandClass.FLUSH,
    "Full House": HandClass.FULL_HOUSE,
    "Quads": HandClass.FOUR_OF_A_KIND,
    "Straight Flush": HandClass.STRAIGHT_FLUSH,
}
# phevaluator gives a rank from 1 (best) to 7462; each class ends at one of these.
PHEVALUATOR_CLASSES = [(10, 8), (166, 7), (322, 6), (1599, 5), (1609, 4), (2467, 3), (3325, 2), (6185, 1), (7462, 0)]


def agree_in_order(hands: list[tuple[int, ...]], others: list[int]) -> None:
    """Our strengths and another library's numbers are the same order: each of ours has one of theirs, and rising."""
    pairs = sorted({(strength(hand), other) for hand, other in zip(hands, others, strict=True)})
    for (ours, theirs), (next_ours, next_theirs) in pairwise(pairs):
        assert ours < next_ours, f"one strength of ours is two of theirs: {describe(ours)}"
        assert theirs < next_theirs, f"{describe(ours)} and {describe(next_ours)} are {theirs} and {next_theirs}"


@rule("RANK-1", "RANK-2", "RANK-3", "RANK-4")
def test_100000_random_seven_card_hands_rank_as_two_libraries_rank_them() -> None:
    rng = random.Random(7)
    hands = [tuple(rng.sample(range(52), 7)) for _ in range(scale(100_000, 1_000_000))]
    by_eval7 = [eval7.evaluate([EVAL7_CARDS[card] for card in hand]) for hand in hands]
    by_phevaluator = [phevaluator.evaluate_cards(*hand) for hand in hands]
    agree_in_order(hands, by_eval7)
    agree_in_order(hands, [-value for value in by_phevaluator])
    for hand, value, rank in zip(hands, by_eval7, by_phevaluator, strict=True):
        ours = hand_class_of(strength(hand))
        assert ours == EVAL7_CLASSES[eval7.handtype(value)], text(hand)
        assert ours == next(number for last, number in PHEVALUATOR_CLASSES if rank <= last), text(hand)


@rule("RANK-2", "RANK-3", "RANK-4")
def test_all_2598960_five_card_hands_fall_into_the_known_numbers() -> None:
    values = Counter(strength(five) for five in combinations(range(52), 5))
    classes: Counter[HandClass] = Counter()
    for value, count in values.items():
        classes[hand_class_of(value)] += count
    known = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
    assert [classes[hand_class] for hand_class in HandClass] == known
    assert len(values) == 7462


@rule("RANK-1")
@pytest.mark.parametrize("count", range(5, 18))
def test_the_fast_way_equals_trying_all_fives(count: int) -> None:
    rng = random.Random(count)
    fives = {
        5: 1,
        6: 6,
        7: 21,
        8: 56,
        9: 126,
        10: 252,
        11: 462,
        12: 792,
        13: 1287,
        14: 2002,
        15: 3003,
        16: 4368,
        17: 6188,
    }
    for _ in range(max(10, scale(20_000, 400_000) // fives[count])):
        # Half of the time from few ranks or one and a half suits, where the rare classes are.
        pool = rng.choice((range(52), range(52), range(24), [card for card in range(52) if card % 4 < 2]))
        hand = tuple(rng.sample(pool, count))
        assert strength(hand) == best_of_all_fives(hand), text(hand)


@rule("RANK-1", "SHOW-3")
@pytest.mark.parametrize("count", range(5, 13))
def test_the_five_cards_that_are_named_make_the_strength(count: int) -> None:
    rng = random.Random(100 + count)
    for _ in range(scale(1500, 30_000)):
        pool = rng.choice((range(52), range(24), [card for card in range(52) if card % 4 < 2]))
        hand = tuple(rng.sample(pool, count))
        five = best_five(hand)
        assert len(set(five)) == 5
        assert set(five) <= set(hand)
        assert five_card_strength(five) == strength(hand), text(hand)


@rule("RANK-1", "SHOW-3")
def test_the_named_five_are_in_order_and_the_cards_listed_first_play() -> None:
    rng = random.Random(5)
    for _ in range(scale(2000, 30_000)):
        hand = tuple(rng.sample(range(52), 7))
        five = best_five(hand)
        ranks = [card // 4 for card in five]
        if ranks != [3, 2, 1, 0, 12]:
            assert ranks == sorted(ranks, reverse=True), text(five)
        # Of all fives that are as good, none uses earlier cards.
        value = strength(hand)
        as_good = [some for some in combinations(hand, 5) if five_card_strength(some) == value]
        assert set(five) == set(min(as_good, key=lambda some: sorted(hand.index(card) for card in some))), text(hand)


@rule("RANK-4")
def test_the_order_of_the_cards_and_the_names_of_suits_do_not_matter() -> None:
    rng = random.Random(11)
    for _ in range(scale(3000, 50_000)):
        hand = rng.sample(range(52), rng.randint(5, 9))
        value = strength(tuple(hand))
        rng.shuffle(hand)
        suits = rng.sample(range(4), 4)
        assert strength(tuple(4 * (card // 4) + suits[card % 4] for card in hand)) == value


@rule("RANK-1")
def test_another_card_never_makes_a_hand_weaker() -> None:
    rng = random.Random(12)
    for _ in range(scale(3000, 50_000)):
        hand = tuple(rng.sample(range(52), rng.randint(6, 12)))
        assert strength(hand) >= strength(hand[:-1])
