"""OPEN: who may raise again."""

import pytest

from referee.rules.ruleset import HOLDEM
from referee.rules.rulings import Reason
from tests.support import FL, NL, PL, hand_of, options, play, refused, to_act, wager

rule = pytest.mark.rule


def five_at_the_flop():
    """TDA 47, example 1: bet 100, all-in 125, call, all-in 200, call; seat 1, the bettor, is next."""
    hand = hand_of([5000, 225, 5000, 300, 5000], blinds=(50, 100))
    play(hand, "p3 call, p4 call, p5 call, p1 call, p2 check")
    play(hand, "p1 bet 100, p2 allin, p3 call, p4 allin, p5 call")
    return hand


@rule("OPEN-1")
def test_who_has_not_acted_on_this_street_may_raise():
    hand = hand_of([90000, 90000, 90000, 7500], blinds=(2000, 4000))
    play(hand, "p3 call, p4 allin, p1 fold")
    # The all-in is short of a full raise, but the big blind has not acted.
    assert wager(hand) == (11500, 90000)


@rule("OPEN-1")
def test_posting_a_blind_is_not_acting():
    hand = hand_of([500, 500, 13])
    play(hand, "p3 allin")
    assert wager(hand)[0] == 23
    play(hand, "p1 call")
    assert wager(hand)[0] == 23


@rule("OPEN-1")
def test_having_acted_on_an_earlier_street_does_not_count():
    hand = hand_of([500, 500, 15])
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 bet 30, p3 call")
    assert to_act(hand) == 1
    assert wager(hand)[0] == 60


@rule("OPEN-2")
def test_two_short_all_ins_that_add_up_to_a_full_raise_reopen():
    hand = five_at_the_flop()
    choice = options(hand)
    assert (choice.seat, choice.call) == (1, 100)
    assert wager(hand) == (300, 4900)


@rule("OPEN-2")
def test_reopening_is_judged_per_player():
    hand = five_at_the_flop()
    play(hand, "p1 call")
    # Seat 3 called 125 and faces only 75 more.
    assert (options(hand).seat, options(hand).call) == (3, 75)
    assert wager(hand) == (0, 0)
    ruling = refused(hand, "p3 raise 300")
    assert (ruling.reason, ruling.rule) == (Reason.RAISE_NOT_REOPENED, "OPEN-2")


@rule("OPEN-2")
def test_a_full_raise_reopens_for_those_whom_the_all_ins_did_not():
    hand = five_at_the_flop()
    play(hand, "p1 raise 300")
    assert (options(hand).seat, options(hand).call) == (3, 175)
    assert wager(hand) == (400, 4900)


@rule("OPEN-2")
@pytest.mark.parametrize("limit", [NL, PL])
@pytest.mark.parametrize(("stack", "reopened"), [(399, False), (400, True), (401, True)])
def test_a_full_increment_is_the_measure(limit, stack, reopened):
    # Bet 150 on the flop, then an all-in to `stack - 100`: a full raise is 150 more.
    hand = hand_of([5000, stack, 5000], HOLDEM, limit, blinds=(50, 100))
    play(hand, "p3 call, p1 call, p2 check, p1 bet 150, p2 allin, p3 call")
    assert to_act(hand) == 1
    assert bool(wager(hand)[0]) == reopened


@rule("OPEN-2")
def test_a_raise_that_was_full_is_no_short_all_in_for_later_ones():
    # All-in to 16 is a full raise; the small blind's 19 adds only 3 to what the button called.
    hand = hand_of([19, 200, 16, 200], blinds=(1, 2))
    play(hand, "p3 raise 16, p4 call, p1 allin, p2 call")
    assert options(hand).call == 3
    assert wager(hand) == (0, 0)
    for to in (33, 200):
        assert refused(hand, f"p4 raise {to}").reason == Reason.RAISE_NOT_REOPENED
    play(hand, "p4 call")
    assert to_act(hand) == 2


@rule("OPEN-2")
def test_a_checker_facing_a_short_all_in_bet_may_not_raise():
    hand = hand_of([500, 500, 14])
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 allin")
    assert options(hand).call == 4
    assert wager(hand) == (0, 0)
    assert refused(hand, "p1 raise 14").reason == Reason.RAISE_NOT_REOPENED


@rule("OPEN-2")
def test_a_limper_facing_a_short_all_in_may_not_raise():
    hand = hand_of([500, 500, 500, 15])
    play(hand, "p3 call, p4 allin, p1 call, p2 call")
    assert (options(hand).seat, options(hand).call) == (3, 5)
    assert wager(hand) == (0, 0)


@rule("OPEN-2")
def test_many_small_all_ins_reopen_together():
    hand = hand_of([500, 500, 500, 14, 17, 20])
    play(hand, "p3 call, p4 allin, p5 allin, p6 allin, p1 call, p2 call")
    # 10 -> 14 -> 17 -> 20: a full 10 more than seat 3 called.
    assert options(hand).call == 10
    assert wager(hand)[0] == 30


@rule("OPEN-2")
def test_after_a_caller_was_reopened_another_short_all_in_does_not_close_him_again():
    hand = hand_of([5000, 225, 5000, 300, 330], blinds=(50, 100))
    play(hand, "p3 call, p4 call, p5 call, p1 call, p2 check")
    play(hand, "p1 bet 100, p2 allin, p3 call, p4 allin, p5 allin")
    # The bettor faces 130: 25, 75 and 30.
    assert options(hand).call == 130
    assert wager(hand)[0] == 330


@rule("OPEN-2")
def test_a_raiser_who_was_only_called_may_not_raise_again():
    hand = hand_of([5000, 5000, 350], blinds=(50, 100))
    play(hand, "p3 call, p1 call, p2 check, p1 bet 100, p2 raise 200, p3 allin")
    # Seat 1 faces 150: one full raise and 50.
    assert wager(hand) == (350, 4900)
    play(hand, "p1 call")
    # Seat 2 raised to 200 himself and faces 50.
    assert (options(hand).seat, options(hand).call) == (2, 50)
    assert wager(hand) == (0, 0)


@rule("OPEN-2")
@pytest.mark.parametrize(("stack", "reopened"), [(24, False), (25, True), (30, True)])
def test_in_fixed_limit_half_a_bet_reopens(stack, reopened):
    hand = hand_of([500, stack, 500], HOLDEM, FL)
    play(hand, "p3 call, p1 call, p2 check, p1 bet 10, p2 allin, p3 call")
    assert to_act(hand) == 1
    assert options(hand).call == stack - 20
    assert bool(wager(hand)[0]) == reopened
    if not reopened:
        assert refused(hand, "p1 raise 20").rule == "OPEN-2"


@rule("OPEN-2")
def test_in_fixed_limit_small_all_ins_reopen_together():
    hand = hand_of([500, 23, 26, 500], HOLDEM, FL)
    play(hand, "p3 call, p4 call, p1 call, p2 check, p1 bet 10, p2 allin, p3 allin, p4 call")
    # 10 -> 13 -> 16: six are more than half a bet.
    assert options(hand).call == 6
    assert wager(hand) == (26, 26)


@rule("OPEN-3")
def test_an_all_in_below_a_full_increment_never_changes_the_increment():
    hand = hand_of([5000, 550, 5000], blinds=(50, 100))
    play(hand, "p3 call, p1 call, p2 check, p1 bet 300, p2 allin")
    assert hand.increment == 300
    assert wager(hand)[0] == 750
    hand = hand_of([5000, 5000, 130], blinds=(50, 100))
    play(hand, "p3 allin")
    assert hand.increment == 100
    assert wager(hand)[0] == 230


@rule("OPEN-3")
def test_an_all_in_of_a_full_increment_does():
    hand = hand_of([5000, 800, 5000], blinds=(50, 100))
    play(hand, "p3 call, p1 call, p2 check, p1 bet 300, p2 allin")
    assert hand.increment == 400
    assert wager(hand)[0] == 1100


@rule("OPEN-4")
@pytest.mark.parametrize("limit", [NL, PL, FL])
def test_nobody_raises_when_every_other_live_player_is_all_in(limit):
    hand = hand_of([15, 18, 500], HOLDEM, limit)
    play(hand, "p3 raise 20")
    play(hand, "p1 call, p2 call")
    assert to_act(hand) == 0
    hand = hand_of([500, 15, 20], HOLDEM, limit)
    play(hand, "p3 allin")
    play(hand, "p1 fold")
    assert options(hand).call == 5  # the big blind has 5 left of 10 owed
    hand = hand_of([500, 500, 20], HOLDEM, limit)
    play(hand, "p3 allin, p1 fold")
    assert options(hand).call == 10
    assert wager(hand) == (0, 0)
    assert refused(hand, "p2 raise 30").reason == Reason.OPPONENTS_ALL_IN
    assert refused(hand, "p2 raise 30").rule == "OPEN-4"


@rule("OPEN-4")
def test_an_opponent_with_chips_is_enough_to_raise_though_he_cannot_match():
    hand = hand_of([500, 30, 500])
    play(hand, "p3 raise 29, p1 call, p2 call")
    assert hand.stack[1] == 1
    play(hand, "p1 bet 100")
    assert options(hand).call == 1
    hand = hand_of([500, 30])
    play(hand, "p2 raise 25")
    assert wager(hand) == (40, 500)
