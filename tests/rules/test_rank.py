"""RANK: hand ranking by worked examples; test_ranking.py compares with other evaluators."""

import pytest

from referee.rules.ranking import (
    CLASS_NAMES,
    HandClass,
    best_five,
    best_of_all_fives,
    describe,
    five_card_strength,
    hand_class_of,
    ranks_of,
    strength,
)
from referee.rules.ruleset import HOLDEM, IRISH, DiscardPoint, DiscardVisibility, Game
from tests.support import cards, check_down, hand_of, play, stacks_of

rule = pytest.mark.rule

# From the weakest to the strongest, each above the one before.
LADDER = [
    ("7c 5d 4h 3s 2c", "high card, 7-5-4-3-2"),
    ("8c 5d 4h 3s 2c", "high card, 8-5-4-3-2"),
    ("Ac Kd Qh Js 9c", "high card, A-K-Q-J-9"),
    ("2c 2d 5h 4s 3c", "pair of deuces, kickers 5-4-3"),
    ("2c 2d Ah Ks Qc", "pair of deuces, kickers A-K-Q"),
    ("3c 3d 5h 4s 2c", "pair of threes, kickers 5-4-2"),
    ("Ac Ad Kh Qs Jc", "pair of aces, kickers K-Q-J"),
    ("3c 3d 2h 2s 4c", "two pair, threes and deuces, four kicker"),
    ("Ac Ad 2h 2s 3c", "two pair, aces and deuces, three kicker"),
    ("Ac Ad 2h 2s Kc", "two pair, aces and deuces, king kicker"),
    ("Ac Ad 3h 3s 2c", "two pair, aces and threes, deuce kicker"),
    ("2c 2d 2h 4s 3c", "three of a kind, deuces, kickers 4-3"),
    ("Ac Ad Ah Ks Qc", "three of a kind, aces, kickers K-Q"),
    ("Ac 2d 3h 4s 5c", "straight, five high"),
    ("2c 3d 4h 5s 6c", "straight, six high"),
    ("Tc Jd Qh Ks Ac", "straight, ace high"),
    ("2c 3c 4c 5c 7c", "flush, 7-5-4-3-2"),
    ("Ac Kc Qc Jc 9c", "flush, A-K-Q-J-9"),
    ("2c 2d 2h 3s 3c", "full house, deuces full of threes"),
    ("2c 2d 2h As Ac", "full house, deuces full of aces"),
    ("3c 3d 3h 2s 2c", "full house, threes full of deuces"),
    ("2c 2d 2h 2s 3c", "four of a kind, deuces, three kicker"),
    ("2c 2d 2h 2s Ac", "four of a kind, deuces, ace kicker"),
    ("Ac Ad Ah As Kc", "four of a kind, aces, king kicker"),
    ("Ac 2c 3c 4c 5c", "straight flush, five high"),
    ("2c 3c 4c 5c 6c", "straight flush, six high"),
    ("9c Tc Jc Qc Kc", "straight flush, king high"),
    ("Tc Jc Qc Kc Ac", "royal flush"),
]


@rule("RANK-1")
@pytest.mark.parametrize(
    ("hole", "board", "five"),
    [
        ("Ah Kh", "Qh Jh Th 2c 3d", "Ah Kh Qh Jh Th"),  # both hole cards
        ("Ah 2c", "Kh Qh Jh Th 3d", "Ah Kh Qh Jh Th"),  # one
        ("2c 3d", "Ah Kh Qh Jh Th", "Ah Kh Qh Jh Th"),  # none: playing the board
    ],
)
def test_any_number_of_hole_cards_plays_none_included(hole, board, five):
    assert set(best_five(cards(hole) + cards(board))) == set(cards(five))
    assert hand_class_of(strength(cards(hole) + cards(board))) == HandClass.STRAIGHT_FLUSH


@rule("RANK-1")
def test_in_irish_only_kept_cards_count_and_any_number_of_them():
    # All four cards would make quads; the kept two play with the board.
    hand = hand_of([100, 100], IRISH, holes={1: "2c 2d 2h 2s", 2: "Ac Kd 3c 4c"}, board="Ad Kc 9h 8s 7d")
    play(hand, "p2 call, p1 check, p1 check, p2 check, p1 discard 2c2d, p2 discard 3c4c")
    check_down(hand)
    assert stacks_of(hand) == {1: 90, 2: 110}
    # RU's "two hole cards exactly" is not followed: the board of a straight is shared.
    hand = hand_of([100, 100], IRISH, holes={1: "2c 2d 2h 2s", 2: "Ac Kd 3c 4c"}, board="9c Td Jh Qs Kc")
    play(hand, "p2 call, p1 check, p1 check, p2 check, p1 discard 2c2d, p2 discard 3c4c")
    check_down(hand)
    assert stacks_of(hand) == {1: 90, 2: 110}  # ace high straight against king high
    hand = hand_of([100, 100], HOLDEM, holes={1: "2c 2d", 2: "3c 3d"}, board="9c Td Jh Qs Kc")
    check_down(hand)
    assert stacks_of(hand) == {1: 100, 2: 100}


@rule("RANK-1")
def test_players_may_keep_one_card_or_more_than_two():
    one = Game(3, 2, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN)
    hand = hand_of([100, 100], one, holes={1: "Ac Ad Ah", 2: "Kc 2d 2h"}, board="9c Td Jh Qs 3c")
    play(hand, "p2 call, p1 check, p1 discard AcAd, p2 discard 2d2h")
    check_down(hand)
    assert stacks_of(hand) == {1: 90, 2: 110}
    five = Game(5, 0, DiscardPoint.NEVER, DiscardVisibility.HIDDEN)
    hand = hand_of([100, 100], five, holes={1: "Ac Kc Qc Jc 2d", 2: "9c 9d 9h 9s 8c"}, board="Tc 3d 4d 5h 8h")
    check_down(hand)
    assert stacks_of(hand) == {1: 110, 2: 90}


@rule("RANK-2")
def test_the_classes_stand_in_this_order():
    assert [name.replace("_", " ").lower() for name in HandClass.__members__] == list(CLASS_NAMES)
    assert (
        *("high card", "pair", "two pair", "three of a kind", "straight", "flush"),
        *("full house", "four of a kind", "straight flush"),
    ) == CLASS_NAMES


@rule("RANK-2", "RANK-4")
def test_a_ladder_of_hands_from_the_worst_to_the_best():
    values = [five_card_strength(cards(five)) for five, _ in LADDER]
    assert values == sorted(values)
    assert len(set(values)) == len(values)
    assert {hand_class_of(value) for value in values} == set(HandClass)


@rule("RANK-2", "SHOW-3")
@pytest.mark.parametrize(("five", "name"), LADDER)
def test_hands_are_announced_as_a_dealer_does(five, name):
    assert describe(five_card_strength(cards(five))) == name


@rule("RANK-2")
def test_a_royal_flush_is_the_highest_straight_flush_and_no_class_of_its_own():
    royal = five_card_strength(cards("Th Jh Qh Kh Ah"))
    assert hand_class_of(royal) == HandClass.STRAIGHT_FLUSH
    assert royal == max(five_card_strength(cards(five)) for five, _ in LADDER)


@rule("RANK-3")
def test_the_ace_is_low_only_in_the_lowest_straight():
    wheel = five_card_strength(cards("Ac 2d 3h 4s 5c"))
    assert hand_class_of(wheel) == HandClass.STRAIGHT
    assert ranks_of(wheel) == (3, 2, 1, 0, 12)
    assert wheel < five_card_strength(cards("2c 3d 4h 5s 6c"))
    steel = five_card_strength(cards("Ac 2c 3c 4c 5c"))
    assert hand_class_of(steel) == HandClass.STRAIGHT_FLUSH
    assert steel < five_card_strength(cards("2d 3d 4d 5d 6d"))
    assert [card // 4 for card in best_five(cards("Ac 2d 3h 4s 5c Kd Qd"))] == [3, 2, 1, 0, 12]


@rule("RANK-3")
@pytest.mark.parametrize("wrapped", ["Kc Ad 2h 3s 4c", "Qc Kd Ah 2s 3c", "Jc Qd Kh As 2c"])
def test_straights_do_not_wrap_around(wrapped):
    assert hand_class_of(five_card_strength(cards(wrapped))) == HandClass.HIGH_CARD
    suited = " ".join(card[0] + "h" for card in wrapped.split())
    assert hand_class_of(five_card_strength(cards(suited))) == HandClass.FLUSH


@rule("RANK-3")
def test_a_higher_straight_with_the_same_ace_is_found():
    assert ranks_of(strength(cards("Ac 2d 3h 4s 5c 6d Kd")))[0] == 4
    assert ranks_of(strength(cards("Ac 2d 3h 4s 5c Kd Qd")))[0] == 3


@rule("RANK-4")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ac Kc 8c 5d 5c", "Ac Tc 8s 5d 5h"),  # the second kicker
        ("Kc Kd 9h 8h 3s", "Kh Ks 9c 8c 2s"),  # the third
        ("8s 8c 7h 7d 5c", "8h 8d 4d 4h Kc"),  # the second pair before the kicker
        ("Jc Jd 9h 9c 4d", "9s 9d 4s 4h Ac"),
        ("Kd 8c 8d 8h 8s", "Qd 8c 8d 8h 8s"),
        ("Ts Th 3s 3h 3d", "9s 9h 3s 3h 3d"),
        ("Kc Kh Kd Qs Qh", "Ac Ad Qs Qh Qd"),
        ("Qd Jd 9d 7d 6d", "Qd Jd 9d 6d 5d"),
        ("2c 2d 2h Ks 3c", "2c 2d 2h Qs Jc"),
        ("Ac Kd Qh Js 9c", "Ah Ks Qd Jc 8h"),  # the fifth card
        ("Ac Jc 8c 6c 3c", "Ad Jd 8d 6d 2d"),
        ("9c 9d 5h 4s 3c", "9h 9s 5d 4c 2d"),
    ],
)
def test_equal_classes_compare_their_cards_in_the_order_of_the_class(better, worse):
    assert five_card_strength(cards(better)) > five_card_strength(cards(worse))
    assert strength(cards(better)) > strength(cards(worse))


@rule("RANK-4")
@pytest.mark.parametrize(
    ("one", "other", "board"),
    [
        ("Qc 5h", "5d Jd", "9c Kh Kd 9s Ah"),  # the sixth card does not play
        ("2c 3d", "2d 3h", "Ah Kd Qc Js Th"),
        ("Ad Ks", "Ac Kd", "Ah 3s 4s 5d 6s"),  # a four-flush is worth nothing
        ("Ac 2d", "Kd 2h", "5c 6d 7s 8h 9c"),
        ("2s 2h", "3s 3h", "Ac Ad Kc Kd Qh"),  # a third pair below the board's two
    ],
)
def test_no_sixth_card_and_no_suit_decides(one, other, board):
    assert strength(cards(one) + cards(board)) == strength(cards(other) + cards(board))


@rule("RANK-4")
@pytest.mark.parametrize("suits", ["cdhs", "dhsc", "hscd", "scdh", "dchs"])
def test_suits_are_equal(suits):
    swap = str.maketrans("cdhs", suits)
    for five, _ in LADDER:
        assert five_card_strength(cards(five)) == five_card_strength(cards(five.translate(swap)))


@rule("RANK-1", "RANK-4")
@pytest.mark.parametrize(
    ("seven", "expected"),
    [
        ("Kc Kd Kh Qd Qs Qh 2c", "full house, kings full of queens"),  # two trips
        ("Ac Ad Kh Ks Qc Qd Jh", "two pair, aces and kings, queen kicker"),  # three pairs
        ("2c 2d 2h 2s 3c 3d 3h", "four of a kind, deuces, three kicker"),
        ("Ac Ad Ah Ks Kc Qd Qh", "full house, aces full of kings"),
        ("2c 3c 4c 5c 7c 8c 9c", "flush, 9-8-7-5-4"),  # seven of a suit
        ("2h 3h 9c Th Jh Qh Kh", "flush, K-Q-J-T-3"),  # straight and flush of different cards
        ("Ah 9h 2d 3d 4d 5d 6s", "straight, six high"),
        ("Ad 9h 2d 3d 4d 5d 6s", "straight flush, five high"),
    ],
)
def test_of_seven_cards_the_best_five_play(seven, expected):
    assert describe(strength(cards(seven))) == expected
    assert strength(cards(seven)) == best_of_all_fives(cards(seven))


@rule("RANK-1")
def test_of_equal_choices_the_cards_listed_first_are_named():
    assert best_five(cards("Ks Qc 2c Kd Kh 9s 8s"))[:3] == cards("Ks Kd Kh")
    assert cards("Jh")[0] in best_five(cards("Jh Kh Jd Tc Qs Ks 9s"))
    assert cards("Kh")[0] in best_five(cards("Jh Kh Jd Tc Qs Ks 9s"))
