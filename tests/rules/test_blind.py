"""BLIND: blinds, antes and dead money."""

from dataclasses import replace

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import legal_options, open_hand, open_seats
from referee.rules.pots import Pot
from referee.rules.ruleset import HOLDEM, IRISH, AnteKind, RuleSetError, Stakes, check_stakes, find_rule_set
from referee.rules.rulings import Reason
from referee.rules.setup import NOBODY, Post
from referee.rules.showdown import pots_of
from referee.rules.state import Phase
from tests.support import (
    FL,
    NL,
    PL,
    check_down,
    hand_of,
    happened,
    options,
    play,
    refused,
    rules,
    setup_of,
    stacks_of,
    to_act,
    wager,
)

rule = pytest.mark.rule
POSTED = (EventKind.ANTE_POSTED, EventKind.BLIND_POSTED, EventKind.DEAD_POSTED)


def postings(*args, **kwargs):
    """What is posted, in order: kind, seat, amount."""
    _, events = open_hand(setup_of(*args, **kwargs))
    return [(event.kind.name.split("_")[0], event.seat, event.amount) for event in happened(events, *POSTED)]


@rule("BLIND-1")
def test_small_blind_left_of_the_button_and_big_blind_left_of_it():
    assert postings([100] * 4) == [("BLIND", 1, 5), ("BLIND", 2, 10)]
    assert postings({2: 100, 5: 100, 9: 100}, button=5) == [("BLIND", 9, 5), ("BLIND", 2, 10)]


@rule("BLIND-1")
@pytest.mark.parametrize(("small", "big"), [(2, 3), (1, 3), (2, 1), (3, 1), (1, 1)])
def test_blinds_at_other_seats_are_refused(small, big):
    setup = setup_of([100] * 3)
    with pytest.raises(RuleSetError, match="BLIND-1"):
        open_hand(replace(setup, small_blind_seat=small, big_blind_seat=big))


@rule("BLIND-1")
@pytest.mark.parametrize(
    "change",
    [
        {"rule_set": find_rule_set("holdem/online-limit@1")},
        {"stakes": Stakes(11, 10)},
        {"limit": FL},
        {"seats": (1, 3, 2)},
        {"button_seat": 2},
        {"small_blind_seat": 2},
        {"big_blind_seat": 3},
    ],
    ids=lambda change: next(iter(change)),
)
def test_that_one_table_passed_says_nothing_of_another(change):
    setup = setup_of([100] * 3, "irish/full-tilt@1")
    for _ in range(2):
        open_hand(setup)
        with pytest.raises(RuleSetError):
            open_hand(replace(setup, **change))


@rule("BLIND-1")
@pytest.mark.parametrize("blinds", [(0, 10), (1, 10), (5, 10), (10, 10)])
def test_the_small_blind_is_from_nothing_to_the_big_blind(blinds):
    hand = hand_of([100] * 3, blinds=blinds)
    assert hand.bet == [blinds[0], 10, 0]
    assert wager(hand) == (20, 100)


@rule("BLIND-1")
@pytest.mark.parametrize("blinds", [(11, 10), (-1, 10), (0, 0), (5, -10), (0, -1)])
def test_other_blinds_are_refused(blinds):
    with pytest.raises(RuleSetError, match="BLIND-1"):
        open_hand(setup_of([100] * 3, blinds=blinds))


@rule("BLIND-1")
def test_nothing_is_derived_by_rounding_in_a_half_unit_limit_game():
    # A 5/10 limit game with a 2.5 small blind, in half units.
    hand = hand_of([400] * 3, "holdem/online-limit@1", FL, blinds=(5, 10))
    assert hand.bet == [5, 10, 0]
    play(hand, "p3 raise 20, p1 call, p2 call, p1 bet 10, p2 call, p3 call")
    assert wager(hand) == (20, 20)


@rule("BLIND-1", "SIZE-5")
def test_in_fixed_limit_the_big_blind_is_the_small_bet():
    rule_set = rules(HOLDEM)
    check_stakes(Stakes(5, 10, small_bet=10), rule_set, FL)
    check_stakes(Stakes(5, 10), rule_set, FL)
    for small_bet in (5, 9, 11, 20):
        with pytest.raises(RuleSetError, match="BLIND-1"):
            check_stakes(Stakes(5, 10, small_bet=small_bet), rule_set, FL)


@rule("BLIND-1", "SIZE-5")
def test_the_big_bet_is_twice_the_small_bet_unless_given():
    for big_bet, expected in ((0, 20), (30, 30), (10, 10)):
        hand = hand_of([400] * 3, HOLDEM, FL, big_bet=big_bet)
        play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check")
        assert wager(hand) == (expected, expected)


@rule("BLIND-1")
@pytest.mark.parametrize(
    "stakes",
    [
        Stakes(5, 10, ante=-1, ante_kind=AnteKind.EACH),
        Stakes(5, 10, big_bet=-20),
        Stakes(5, 10, chip_unit=0),
        Stakes(5, 10, chip_unit=-5),
        Stakes(5, 1 << 60),
        Stakes(3, 10, chip_unit=5),
        Stakes(5, 12, chip_unit=5),
        Stakes(5, 10, big_bet=22, chip_unit=5),
        Stakes(5, 10, ante=1, ante_kind=AnteKind.EACH, chip_unit=5),
    ],
)
def test_amounts_that_are_no_chips_are_refused(stakes):
    with pytest.raises(RuleSetError, match="BLIND-1"):
        check_stakes(stakes, rules(HOLDEM), NL)


@rule("BLIND-1", "BET-8")
def test_stacks_are_multiples_of_the_chip_unit():
    assert hand_of([100, 25], blinds=(5, 10), chip_unit=5).stack == [90, 20]
    with pytest.raises(RuleSetError, match="not a multiple"):
        open_hand(setup_of([100, 27], blinds=(5, 10), chip_unit=5))


@rule("BLIND-1", "POT-7")
@pytest.mark.parametrize("stack", [0, -1, (1 << 53) + 1])
def test_a_player_begins_with_chips_of_a_sane_number(stack):
    with pytest.raises(RuleSetError):
        open_hand(setup_of([100, stack]))


@rule("BLIND-1", "BET-1", "SIZE-4")
def test_a_hand_may_have_no_small_blind():
    # The seat that owes it is empty: the dead button of SEAT-1.
    assert postings([1000] * 4, small_blind_seat=NOBODY) == [("BLIND", 1, 10)]
    hand = hand_of([1000] * 4, HOLDEM, PL, small_blind_seat=NOBODY)
    assert to_act(hand) == 2
    play(hand, "p2 call, p3 call, p4 call")
    assert options(hand) == options(hand, 1)
    assert options(hand).check


@rule("BLIND-1")
def test_without_a_small_blind_the_big_blind_is_first_left_of_the_button():
    setup = setup_of([100] * 3, small_blind_seat=NOBODY)
    with pytest.raises(RuleSetError, match="BLIND-1"):
        open_hand(replace(setup, big_blind_seat=2))


@rule("BLIND-2", "BET-1")
def test_heads_up_the_button_posts_small_acts_first_and_then_last():
    assert postings({1: 100, 2: 100}, button=2) == [("BLIND", 2, 5), ("BLIND", 1, 10)]
    assert postings({1: 100, 2: 100}, button=1) == [("BLIND", 1, 5), ("BLIND", 2, 10)]
    hand = hand_of({1: 100, 2: 100}, button=1)
    assert to_act(hand) == 1
    play(hand, "p1 call")
    assert to_act(hand) == 2
    play(hand, "p2 check")
    for _ in range(3):
        assert to_act(hand) == 2
        play(hand, "p2 check")
        assert to_act(hand) == 1
        play(hand, "p1 check")


@rule("BLIND-2")
@pytest.mark.parametrize(("button", "small", "big"), [(2, 1, 2), (1, 2, 1), (3, 2, 1), (2, NOBODY, 1), (2, 2, 2)])
def test_other_blinds_heads_up_are_refused(button, small, big):
    setup = setup_of({1: 100, 2: 100}, button=2)
    with pytest.raises(RuleSetError):
        open_hand(replace(setup, button_seat=button, small_blind_seat=small, big_blind_seat=big))


@rule("BLIND-3")
def test_a_short_blind_posts_all_he_has():
    assert postings([3, 6, 100]) == [("BLIND", 1, 3), ("BLIND", 2, 6)]
    hand, events = open_hand(setup_of([3, 6, 100]))
    posts = happened(events, EventKind.BLIND_POSTED)
    assert [(event.rule, event.all_in) for event in posts] == [("BLIND-3", True), ("BLIND-3", True)]
    assert hand.stack == [0, 0, 100]


@rule("BLIND-3")
def test_after_a_short_big_blind_level_and_minimum_raise_stay_at_the_full_big_blind():
    hand = hand_of([5000, 30, 5000], blinds=(50, 100))
    assert options(hand).call == 100
    assert wager(hand) == (200, 5000)
    assert refused(hand, "p3 raise 130").reason == Reason.BELOW_MINIMUM
    assert refused(hand, "p3 raise 199").reason == Reason.BELOW_MINIMUM


@rule("BLIND-3", "SIZE-5")
def test_after_a_short_big_blind_the_fixed_limit_steps_stay_whole():
    hand = hand_of([500, 4, 500, 500], HOLDEM, FL)
    assert options(hand).call == 10
    assert wager(hand) == (20, 20)
    play(hand, "p3 raise 20, p4 raise 30, p1 raise 40")
    assert wager(hand) == (0, 0)  # the big blind was the first bet, though it was short


@rule("BLIND-3", "POT-2")
def test_what_nobody_matches_of_a_call_to_the_full_big_blind_is_returned():
    # Both blinds short: the limper's 100 meets 25 and 25.
    hand = hand_of([25, 25, 1000, 1000], blinds=(50, 100))
    events = play(hand, "p3 call, p4 fold")
    assert [(event.seat, event.amount) for event in happened(events, EventKind.BET_RETURNED)] == [(3, 75)]
    assert hand.total == [25, 25, 25, 0]


@rule("BLIND-3")
def test_a_small_blind_who_has_matched_a_short_big_blind_still_owes_up_to_the_level():
    hand = hand_of([5000, 60, 5000], blinds=(50, 100))
    play(hand, "p3 call")
    assert options(hand).call == 50  # not 10
    play(hand, "p1 call")
    assert pots_of(hand) == [Pot(180, (0, 1, 2)), Pot(80, (0, 2))]


@rule("BLIND-4", "BET-2")
def test_the_big_blind_may_check_or_raise_when_nobody_raised():
    hand = hand_of([100] * 3)
    play(hand, "p3 call, p1 call")
    assert to_act(hand) == 2
    assert options(hand).check
    assert options(hand).call == 0
    assert wager(hand) == (20, 100)
    play(hand, "p2 raise 20")
    assert to_act(hand) == 3


@rule("BLIND-4")
def test_blinds_count_towards_the_bet():
    hand = hand_of([100] * 3)
    play(hand, "p3 raise 30")
    assert options(hand).call == 25
    play(hand, "p1 call")
    assert options(hand).call == 20
    play(hand, "p2 call")
    assert hand.total == [30, 30, 30]


@rule("BLIND-4", "BET-6")
def test_a_blind_who_is_all_in_by_posting_has_no_option():
    hand = hand_of([100, 10, 100])
    play(hand, "p3 call, p1 call")
    assert hand.street == 1
    assert to_act(hand) == 1


@rule("BLIND-4")
def test_a_live_post_has_the_option_too():
    hand = hand_of([100] * 4, posts=[Post(4, 10, 0)])
    play(hand, "p3 call")
    assert to_act(hand) == 4
    assert options(hand).check
    assert wager(hand) == (20, 100)
    play(hand, "p4 check, p1 call, p2 check")
    assert hand.street == 1


@rule("BLIND-5")
def test_without_antes_nothing_else_is_posted():
    assert postings([100] * 3) == [("BLIND", 1, 5), ("BLIND", 2, 10)]


@rule("BLIND-5")
def test_antes_of_each_are_paid_before_the_blinds():
    antes = {"ante_kind": AnteKind.EACH, "ante": 2}
    assert postings([100] * 3, **antes) == [
        *(("ANTE", 1, 2), ("ANTE", 2, 2), ("ANTE", 3, 2)),
        *(("BLIND", 1, 5), ("BLIND", 2, 10)),
    ]
    # With 6 chips the big blind pays his ante first and has 4 left for the blind.
    assert postings([100, 6, 100], **antes)[-1] == ("BLIND", 2, 4)
    assert postings([100, 2, 100], **antes) == [
        *(("ANTE", 1, 2), ("ANTE", 2, 2), ("ANTE", 3, 2)),
        ("BLIND", 1, 5),
    ]


@rule("BLIND-5", "SIZE-1")
def test_antes_of_each_are_no_part_of_the_bet():
    hand = hand_of([100] * 3, ante_kind=AnteKind.EACH, ante=2)
    assert options(hand).call == 10
    assert wager(hand) == (20, 98)
    play(hand, "p3 call, p1 call, p2 check")
    assert hand.total == [12, 12, 12]


@rule("BLIND-5", "POT-1")
def test_antes_of_each_are_layered_in_the_pots_like_any_contribution():
    # Seat 3 has 3 of an ante of 5 and competes for 3 from everybody.
    hand = hand_of([100, 100, 3, 100], ante_kind=AnteKind.EACH, ante=5)
    play(hand, "p4 call, p1 call, p2 check")
    assert pots_of(hand) == [Pot(12, (0, 1, 2, 3)), Pot(3 * 12, (0, 1, 3))]


@rule("BLIND-5", "BLIND-6", "POT-1")
def test_a_big_blind_ante_is_dead_money_and_the_blind_is_paid_first():
    antes = {"ante_kind": AnteKind.BIG_BLIND, "ante": 10}
    assert postings([100] * 3, **antes) == [("BLIND", 1, 5), ("BLIND", 2, 10), ("DEAD", 2, 10)]
    assert postings([100, 13, 100], **antes)[1:] == [("BLIND", 2, 10), ("DEAD", 2, 3)]
    assert postings([100, 10, 100], **antes)[1:] == [("BLIND", 2, 10)]
    hand = hand_of([100] * 3, **antes)
    play(hand, "p3 call, p1 call, p2 check")
    assert hand.total == [10, 10, 10]
    assert pots_of(hand) == [Pot(40, (0, 1, 2))]


@rule("BLIND-5")
@pytest.mark.parametrize(("kind", "ante"), [(AnteKind.NONE, 2), (AnteKind.EACH, 0), (AnteKind.BIG_BLIND, 0)])
def test_an_ante_has_a_kind_and_an_amount_or_neither(kind, ante):
    with pytest.raises(RuleSetError, match="BLIND-5"):
        check_stakes(Stakes(5, 10, ante_kind=kind, ante=ante), rules(HOLDEM), NL)


@rule("BLIND-5", "BET-5")
def test_a_hand_can_be_over_with_the_antes():
    hand = hand_of([5, 5, 5], ante_kind=AnteKind.EACH, ante=5)
    assert hand.phase == Phase.OVER
    assert sum(hand.stack) == 15
    assert open_seats(hand) == ()


@rule("BLIND-5", "BLIND-3")
def test_a_big_blind_whom_the_ante_took_everything_leaves_the_level_as_it_is():
    hand = hand_of([100, 5, 100], ante_kind=AnteKind.EACH, ante=5)
    assert hand.bet == [5, 0, 0]
    assert options(hand).call == 10
    assert wager(hand) == (20, 95)


@rule("BLIND-6")
def test_a_dead_small_blind_is_not_part_of_the_bet():
    hand = hand_of([500] * 5, posts=[Post(5, 0, 5)])
    assert hand.dead == 5
    assert to_act(hand) == 3
    play(hand, "p3 fold, p4 fold")
    assert options(hand).call == 10
    play(hand, "p5 call")
    assert hand.total == [5, 10, 0, 0, 10]


@rule("BLIND-6", "POT-2")
def test_dead_money_joins_the_main_pot_and_is_never_returned():
    hand = hand_of([500] * 4, posts=[Post(4, 10, 5)])
    events = play(hand, "p3 fold, p4 raise 100, p1 fold, p2 fold")
    assert [(event.seat, event.amount) for event in happened(events, EventKind.BET_RETURNED)] == [(4, 90)]
    assert [(event.amount, event.pot) for event in happened(events, EventKind.POT_AWARDED)] == [(30, 0)]
    assert stacks_of(hand) == {1: 495, 2: 490, 3: 500, 4: 515}


@rule("BLIND-6", "POT-1")
def test_dead_money_joins_the_lowest_pot_even_at_level_zero():
    # Seat 3 has only 3 of the dead small blind: all-in with nothing in his total.
    hand = hand_of([100, 100, 3, 100], posts=[Post(3, 0, 5)], holes={3: "As Ah"}, board="2c 7d 9h Jc 4s")
    assert hand.total[2] == 0
    play(hand, "p4 call, p1 call, p2 check")
    assert pots_of(hand) == [Pot(3, (0, 1, 2, 3)), Pot(30, (0, 1, 3))]
    check_down(hand)
    assert stacks_of(hand)[3] == 3


@rule("BLIND-6", "SIZE-4")
def test_dead_money_counts_for_the_size_of_the_pot_in_pot_limit():
    assert wager(hand_of([500] * 5, HOLDEM, PL)) == (20, 35)
    assert wager(hand_of([500] * 5, HOLDEM, PL, posts=[Post(5, 0, 5)])) == (20, 40)
    assert wager(hand_of([500] * 3, HOLDEM, PL, ante_kind=AnteKind.BIG_BLIND, ante=10)) == (20, 45)


@rule("BLIND-6")
def test_the_live_part_of_a_post_is_paid_first():
    posted = postings([100] * 3 + [12], posts=[Post(4, 10, 5)])
    assert posted[2:] == [("BLIND", 4, 10), ("DEAD", 4, 2)]
    assert postings([100] * 3 + [7], posts=[Post(4, 10, 5)])[2:] == [("BLIND", 4, 7)]


@rule("BLIND-6")
@pytest.mark.parametrize("post", [Post(1, 10, 0), Post(2, 0, 5), Post(7, 10, 0), Post(4, 5, 0), Post(4, 10, 10)])
def test_other_posts_are_refused(post):
    with pytest.raises(RuleSetError, match="SEAT-3"):
        open_hand(setup_of([100] * 4, posts=[post]))


@rule("BLIND-6")
def test_a_seat_posts_once():
    with pytest.raises(RuleSetError, match="SEAT-3"):
        open_hand(setup_of([100] * 4, posts=[Post(4, 10, 0), Post(4, 0, 5)]))


@rule("BLIND-4", "DISC-4")
def test_blinds_all_in_by_posting_still_discard_in_irish():
    hand = hand_of([5, 10, 100], IRISH)
    play(hand, "p3 call")
    assert hand.phase == Phase.DISCARDING
    assert open_seats(hand) == (1, 2, 3)
    assert all(legal_options(hand, seat).discard == 2 for seat in (1, 2, 3))
