"""SIZE: how much."""

import pytest

from referee.rules.betting import raises_are_capped
from referee.rules.hand import open_seats
from referee.rules.ruleset import (
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    AnteKind,
    CapHeadsUp,
    LateMinimum,
    RuleSetError,
    Stakes,
    check_rule_set,
    check_stakes,
)
from referee.rules.rulings import Reason
from referee.rules.setup import NOBODY, Post
from tests.support import (
    FL,
    NL,
    PL,
    check_down,
    hand_of,
    options,
    play,
    refused,
    rules,
    text,
    to_act,
    wager,
)

rule = pytest.mark.rule


def at_flop(stacks, rule_set=HOLDEM, limit=NL, **kwargs):
    """A hand on the flop: everybody called the big blind."""
    hand = hand_of(stacks, rule_set, limit, **kwargs)
    while hand.street == 0:
        play(hand, f"p{to_act(hand)} " + ("check" if options(hand).check else "call"))
    return hand


def at_turn(stacks, rule_set=HOLDEM, limit=NL, **kwargs):
    """A hand on the turn, the flop checked."""
    hand = at_flop(stacks, rule_set, limit, **kwargs)
    while hand.street == 1:
        if options(hand).discard:
            discard_last(hand)
        else:
            play(hand, f"p{to_act(hand)} check")
    return hand


def discards_owed(hand):
    """Whether the discard round is open."""
    return bool(open_seats(hand)) and options(hand).discard > 0


def discard_last(hand):
    """The first seat that owes a discard discards the cards dealt last to it."""
    choice = options(hand)
    play(hand, f"p{choice.seat} discard {text(choice.held[-choice.discard :])}")


# --- SIZE-1 to SIZE-3 -----------------------------------------------------------------------------------


@rule("SIZE-1")
@pytest.mark.parametrize("limit", [NL, PL])
def test_the_minimum_bet_is_the_big_blind_on_every_street(limit):
    hand = at_flop([1000] * 3, limit=limit)
    for _street in (1, 2, 3):
        assert wager(hand)[0] == 10
        ruling = refused(hand, "p1 bet 9")
        assert (ruling.reason, ruling.rule) == (Reason.BELOW_MINIMUM, "SIZE-1")
        play(hand, "p1 check, p2 check, p3 check")


@rule("SIZE-1")
def test_the_minimum_raise_starts_at_the_big_blind_before_the_flop():
    assert wager(hand_of([1000] * 3)) == (20, 1000)
    assert wager(hand_of([1000] * 3, blinds=(0, 10))) == (20, 1000)
    assert wager(hand_of([1000] * 3, blinds=(10, 25)))[0] == 50


@rule("SIZE-1")
def test_the_increment_is_the_largest_full_bet_or_raise_of_the_street():
    hand = hand_of([5000] * 3)
    play(hand, "p3 raise 45")  # +35
    assert wager(hand)[0] == 80
    play(hand, "p1 raise 80")  # +35
    assert wager(hand)[0] == 115
    play(hand, "p2 raise 300")  # +220
    assert wager(hand)[0] == 520
    play(hand, "p3 call, p1 call")
    assert wager(hand)[0] == 10  # a new street starts anew
    play(hand, "p1 bet 100")
    assert wager(hand)[0] == 200
    play(hand, "p2 raise 250")
    assert wager(hand)[0] == 400
    play(hand, "p3 raise 400")
    assert wager(hand)[0] == 550


@rule("SIZE-1")
def test_a_ladder_of_minimum_raises():
    # 25, 50, 75, 100: own chips are not added again.
    hand = hand_of([500, 500], blinds=(10, 25))
    play(hand, "p2 raise 50, p1 raise 75")
    assert wager(hand) == (100, 500)


@rule("SIZE-2")
def test_less_than_the_minimum_is_legal_only_with_all_chips():
    hand = hand_of([1000, 1000, 17])
    assert wager(hand) == (17, 17)
    ruling = refused(hand, "p3 raise 16")
    assert ruling.reason == Reason.BELOW_MINIMUM
    assert refused(hand, "p3 raise 18").reason == Reason.ABOVE_STACK
    assert refused(hand, "p3 raise 18").rule == "SIZE-2"
    events = play(hand, "p3 raise 17")
    assert (events[0].rule, events[0].all_in) == ("SIZE-2", True)


@rule("SIZE-2")
def test_an_all_in_bet_below_the_minimum_is_legal():
    hand = at_flop([13, 1000, 1000])
    assert wager(hand) == (3, 3)
    assert refused(hand, "p1 bet 2").reason == Reason.BELOW_MINIMUM
    play(hand, "p1 bet 3")
    assert options(hand).call == 3  # after the flop a call matches what is there


@rule("SIZE-2")
def test_the_stacks_of_opponents_do_not_lower_the_minimum():
    hand = hand_of([200, 1000], blinds=(10, 20))
    play(hand, "p2 raise 100, p1 raise 180")
    assert wager(hand) == (260, 1000)  # though seat 1 cannot put in more than 200
    for to in (200, 259):
        assert refused(hand, f"p2 raise {to}").reason == Reason.BELOW_MINIMUM


@rule("SIZE-2")
def test_with_chips_for_less_than_a_call_there_is_no_raise():
    hand = hand_of([5000, 5000, 30], blinds=(50, 100))
    assert wager(hand) == (0, 0)
    assert options(hand).call == 30
    ruling = refused(hand, "p3 raise 30")
    assert (ruling.reason, ruling.rule) == (Reason.NO_CHIPS_TO_RAISE, "SIZE-2")
    play(hand, "p3 call")
    assert hand.stack[2] == 0


@rule("SIZE-2")
def test_all_chips_that_just_match_the_level_are_a_call():
    hand = hand_of([5000, 5000, 100], blinds=(50, 100))
    assert wager(hand) == (0, 0)
    assert refused(hand, "p3 raise 100").reason == Reason.NO_CHIPS_TO_RAISE


@rule("SIZE-3")
def test_after_an_all_in_bet_of_3000_with_a_big_blind_of_4000_the_raise_is_to_7000():
    hand = at_flop([7000, 40000, 40000], blinds=(2000, 4000))
    play(hand, "p1 allin")
    assert options(hand).call == 3000
    assert wager(hand) == (7000, 36000)
    assert refused(hand, "p2 raise 6999").reason == Reason.BELOW_MINIMUM
    assert refused(hand, "p2 raise 6999").rule == "SIZE-3"
    play(hand, "p2 raise 7000")


@rule("SIZE-3")
def test_after_an_all_in_to_7500_over_a_big_blind_of_4000_the_raise_is_to_11500():
    hand = hand_of([90000, 90000, 90000, 7500], blinds=(2000, 4000))
    play(hand, "p3 call, p4 allin, p1 fold")
    assert options(hand).call == 3500
    assert wager(hand) == (11500, 90000)
    assert refused(hand, "p2 raise 11499").reason == Reason.BELOW_MINIMUM


@rule("SIZE-3")
@pytest.mark.parametrize("stack", [1, 30, 60, 99])
def test_before_the_flop_the_level_is_never_below_the_big_blind(stack):
    hand = hand_of([5000, stack, 5000], blinds=(50, 100))
    assert hand.level == 100
    assert wager(hand)[0] == 200


@rule("SIZE-3", "OPEN-3")
def test_a_raise_over_short_all_ins_adds_the_last_full_bet_to_the_level():
    # Bet 300, then all-ins to 500, 650 and 800, none of them full: 800 + 300.
    hand = at_flop([5000, 600, 750, 900, 5000, 5000], blinds=(50, 100))
    play(hand, "p1 bet 300, p2 allin, p3 allin, p4 allin, p5 call")
    assert options(hand).call == 800
    assert wager(hand) == (1100, 4900)
    assert refused(hand, "p6 raise 1000").reason == Reason.BELOW_MINIMUM


# --- SIZE-4 ---------------------------------------------------------------------------------------------


@rule("SIZE-4")
@pytest.mark.parametrize(("blinds", "most"), [((5, 10), 35), ((100, 200), 700), ((1, 2), 7), ((0, 10), 30)])
def test_the_pot_limit_opening(blinds, most):
    hand = hand_of([10000] * 3, HOLDEM, PL, blinds=blinds)
    assert wager(hand) == (2 * blinds[1], most)
    ruling = refused(hand, f"p3 raise {most + 1}")
    assert (ruling.reason, ruling.rule) == (Reason.ABOVE_POT_LIMIT, "SIZE-4")
    play(hand, f"p3 raise {most}")


@rule("SIZE-4")
def test_a_pot_sized_reraise():
    hand = hand_of([10000] * 3, HOLDEM, PL)
    play(hand, "p3 raise 35")
    # 35 + pot 50 + call 30
    assert wager(hand) == (60, 115)
    play(hand, "p1 raise 115")
    # 115 + pot 160 + call 105
    assert wager(hand) == (195, 380)


@rule("SIZE-4")
def test_from_the_small_blind_the_maximum_is_three_big_blinds():
    # Folded to the small blind at 10/20: 20 + 30 + 10, neither 70 nor 80.
    hand = hand_of([1000] * 3, HOLDEM, PL, blinds=(10, 20))
    play(hand, "p3 fold")
    assert wager(hand) == (40, 60)


@rule("SIZE-4")
def test_after_a_bet_and_a_call_on_the_flop():
    hand = at_flop([9000] * 3, HOLDEM, PL, blinds=(100, 200))
    assert wager(hand) == (200, 600)
    play(hand, "p1 bet 200, p2 call")
    assert wager(hand) == (400, 1400)


@rule("SIZE-4")
def test_the_option_of_the_big_blind_in_pot_limit():
    hand = hand_of([1000] * 3, HOLDEM, PL)
    play(hand, "p3 call, p1 call")
    assert wager(hand) == (20, 40)


@rule("SIZE-4")
def test_a_short_blind_does_not_shrink_the_maximum():
    for stacks in ([5000, 100, 5000, 5000], [30, 5000, 5000, 5000], [30, 1, 5000, 5000]):
        hand = hand_of(stacks, HOLDEM, PL, blinds=(100, 200))
        assert wager(hand) == (400, 700)
        play(hand, "p3 call")
        assert wager(hand) == (400, 900)  # still so for the next player


@rule("SIZE-4")
def test_a_missing_small_blind_does_not_shrink_the_maximum():
    hand = hand_of([5000] * 4, HOLDEM, PL, blinds=(100, 200), small_blind_seat=NOBODY)
    assert wager(hand) == (400, 700)


@rule("SIZE-4")
def test_short_blinds_count_as_they_are_from_the_flop_on():
    hand = at_flop([5000, 100, 5000], HOLDEM, PL, blinds=(100, 200))
    assert wager(hand) == (200, 500)  # 200 + 100 + 200 are in


@rule("SIZE-4")
def test_only_blinds_count_as_if_posted_in_full():
    full = hand_of([5000] * 4, HOLDEM, PL, ante_kind=AnteKind.EACH, ante=4)
    short = hand_of([5000, 5000, 5000, 1], HOLDEM, PL, ante_kind=AnteKind.EACH, ante=4)
    assert wager(full) == (20, 35 + 16)
    assert wager(short) == (20, 35 + 13)
    posted = hand_of([5000] * 3 + [3], HOLDEM, PL, posts=[Post(4, 10, 0)])
    assert wager(posted) == (20, 35 + 3)


@rule("SIZE-4")
def test_antes_and_dead_money_count_in_the_pot():
    hand = at_flop([5000] * 3, HOLDEM, PL, ante_kind=AnteKind.BIG_BLIND, ante=7)
    assert wager(hand) == (10, 37)


@rule("SIZE-4", "SIZE-2")
def test_all_chips_below_the_pot_limit_minimum():
    hand = hand_of([1000, 1000, 15], HOLDEM, PL)
    assert wager(hand) == (15, 15)
    hand = hand_of([1000, 1000, 34], HOLDEM, PL)
    assert wager(hand) == (20, 34)


@rule("SIZE-4")
def test_there_is_no_rounding_of_the_maximum():
    assert wager(hand_of([1000] * 3, HOLDEM, PL, blinds=(3, 7))) == (14, 24)
    hand = hand_of([1000] * 3, HOLDEM, PL, blinds=(10, 25), chip_unit=5)
    assert wager(hand) == (50, 85)


# --- SIZE-5 ---------------------------------------------------------------------------------------------


@rule("SIZE-5")
@pytest.mark.parametrize("game", [HOLDEM, IRISH, IRISH_BEFORE_FLOP_BETTING])
def test_one_bet_and_three_raises_on_every_street_cost_48_at_2_and_4(game):
    hand = hand_of([100] * 3, game, FL, blinds=(1, 2))
    seen = []
    for street in range(4):
        sizes = [2] if street == 0 else []
        while hand.street == street and to_act(hand):
            low, high = wager(hand)
            if not low:
                play(hand, f"p{to_act(hand)} call")
                continue
            assert low == high
            sizes.append(low)
            for wrong in (low - 1, low + 1, 2 * low):
                refused(hand, f"p{to_act(hand)} {'raise' if hand.level else 'bet'} {wrong}")
            play(hand, f"p{to_act(hand)} {'raise' if hand.level else 'bet'} {low}")
        seen.append(sizes)
        while discards_owed(hand):
            discard_last(hand)
    assert seen == [[2, 4, 6, 8], [2, 4, 6, 8], [4, 8, 12, 16], [4, 8, 12, 16]]
    assert hand.total == [48, 48, 48]


@rule("SIZE-5")
@pytest.mark.parametrize("big_bet", [0, 15, 10, 40])
def test_small_bet_on_rounds_one_and_two_and_big_bet_on_three_and_four(big_bet):
    hand = hand_of([1000] * 3, HOLDEM, FL, big_bet=big_bet)
    sizes = [wager(hand)[0] - 10]
    for street in range(3):
        while hand.street == street:
            play(hand, f"p{to_act(hand)} " + ("check" if options(hand).check else "call"))
        sizes.append(wager(hand)[0])
        assert wager(hand)[0] == wager(hand)[1]
    assert sizes == [10, 10, big_bet or 20, big_bet or 20]


@rule("SIZE-5")
def test_another_size_than_one_bet_is_refused():
    hand = at_flop([1000] * 3, HOLDEM, FL)
    for to in (1, 5, 9, 11, 20, 990):
        ruling = refused(hand, f"p1 bet {to}")
        assert (ruling.reason, ruling.rule) == (Reason.NOT_THE_FIXED_SIZE, "SIZE-5")


# --- SIZE-6 and SIZE-7 ----------------------------------------------------------------------------------


@rule("SIZE-6")
def test_before_the_flop_the_big_blind_is_the_first_bet():
    hand = hand_of([500] * 3, HOLDEM, FL, blinds=(10, 20))
    play(hand, "p3 raise 40, p1 raise 60, p2 raise 80")
    choice = options(hand)
    assert (choice.fold, choice.call, choice.max_to) == (True, 40, 0)
    ruling = refused(hand, "p3 raise 100")
    assert (ruling.reason, ruling.rule) == (Reason.RAISES_CAPPED, "SIZE-6")


@rule("SIZE-6")
def test_after_the_flop_there_are_one_bet_and_three_raises():
    hand = at_flop([500] * 3, HOLDEM, FL)
    play(hand, "p1 bet 10, p2 raise 20, p3 raise 30, p1 raise 40")
    assert wager(hand) == (0, 0)
    play(hand, "p2 call, p3 call")
    assert hand.street == 2
    assert wager(hand) == (20, 20)  # a new street starts anew


@rule("SIZE-6")
@pytest.mark.parametrize("max_raises", [0, 1, 2, 3, 4, 7])
def test_max_raises_is_an_option(max_raises):
    hand = hand_of([5000] * 3, rules(HOLDEM, max_raises=max_raises), FL)
    made = 0
    while wager(hand)[0]:
        play(hand, f"p{to_act(hand)} raise {wager(hand)[0]}")
        made += 1
    assert made == max_raises
    play(hand, f"p{to_act(hand)} call")
    while hand.street == 0:
        play(hand, f"p{to_act(hand)} " + ("check" if options(hand).check else "call"))
    play(hand, "p1 bet 10")
    assert bool(wager(hand)[0]) == (max_raises > 0)


@rule("SIZE-6")
def test_at_the_cap_nothing_lifts_the_level_all_ins_included():
    hand = hand_of([500, 500, 500, 43], HOLDEM, FL)
    play(hand, "p3 raise 20, p4 call, p1 raise 30, p2 raise 40, p3 call")
    assert to_act(hand) == 4
    assert options(hand).call == 20
    for to in (43, 41, 50):
        assert refused(hand, f"p4 raise {to}").reason == Reason.RAISES_CAPPED
    play(hand, "p4 call, p1 call")
    assert hand.street == 1


@rule("SIZE-6")
@pytest.mark.parametrize("max_raises", [-1, 101])
def test_an_absurd_cap_is_refused(max_raises):
    with pytest.raises(RuleSetError, match="SIZE-6"):
        check_rule_set(rules(HOLDEM, max_raises=max_raises))


@rule("SIZE-6")
@pytest.mark.parametrize("limit", [NL, PL])
def test_only_fixed_limit_has_a_cap(limit):
    hand = hand_of([100000] * 3, HOLDEM, limit)
    for _ in range(12):
        play(hand, f"p{to_act(hand)} raise {wager(hand)[0]}")
    assert not raises_are_capped(hand)


@rule("SIZE-7")
def test_heads_up_the_cap_binds_by_default():
    hand = hand_of([2000, 2000], "holdem/online-limit@1", FL, blinds=(10, 20))
    play(hand, "p2 raise 40, p1 raise 60, p2 raise 80")
    assert wager(hand) == (0, 0)
    play(hand, "p1 call, p1 check, p2 check, p1 bet 40, p2 raise 80, p1 raise 120, p2 raise 160")
    assert wager(hand) == (0, 0)
    assert options(hand).call == 40
    assert refused(hand, "p1 raise 200").reason == Reason.RAISES_CAPPED


@rule("SIZE-7")
def test_uncapped_two_players_raise_until_their_chips_are_in():
    hand = hand_of([500, 500], rules(HOLDEM, cap_heads_up=CapHeadsUp.UNCAPPED), FL, blinds=(10, 20))
    play(hand, "p2 raise 40, p1 raise 60, p2 raise 80")
    assert wager(hand) == (100, 100)
    while wager(hand)[0]:
        play(hand, f"p{to_act(hand)} raise {wager(hand)[0]}")
    assert max(hand.total) == 500


@rule("SIZE-7")
def test_uncapped_counts_who_was_live_when_the_street_started():
    rule_set = rules(HOLDEM, cap_heads_up=CapHeadsUp.UNCAPPED)
    hand = hand_of([5000] * 3, rule_set, FL)
    # Three began the street; that one folds in it does not lift the cap.
    play(hand, "p3 fold, p1 raise 20, p2 raise 30, p1 raise 40")
    assert wager(hand) == (0, 0)
    play(hand, "p2 call")
    # Two began this one.
    play(hand, "p1 bet 10, p2 raise 20, p1 raise 30, p2 raise 40, p1 raise 50")
    assert wager(hand) == (60, 60)
    # An all-in player is live too: three again.
    hand = hand_of([5000, 5000, 10], rule_set, FL)
    play(hand, "p3 call, p1 call, p2 check, p1 bet 10, p2 raise 20, p1 raise 30, p2 raise 40")
    assert wager(hand) == (0, 0)


# --- SIZE-8 ---------------------------------------------------------------------------------------------


@rule("SIZE-8")
def test_15_over_10_counts_and_the_next_raise_is_to_25():
    hand = hand_of([500, 500, 15, 500, 500], HOLDEM, FL, button=5)
    play(hand, "p3 allin")
    assert wager(hand) == (25, 25)
    play(hand, "p4 raise 25, p5 raise 35")
    # 10, 15, 25, 35: the cap.
    assert wager(hand) == (0, 0)
    assert refused(hand, "p1 raise 45").reason == Reason.RAISES_CAPPED


@rule("SIZE-8")
def test_13_then_16_over_10_count_together_and_the_next_raise_is_to_26():
    hand = hand_of([500, 500, 13, 16, 500], HOLDEM, FL)
    play(hand, "p3 allin")
    assert hand.wagers == 1
    play(hand, "p4 allin")
    assert hand.wagers == 2
    assert wager(hand) == (26, 26)
    play(hand, "p5 raise 26, p1 raise 36")
    assert wager(hand) == (0, 0)


@rule("SIZE-8")
def test_13_over_10_counts_for_nothing_and_is_completed_to_20():
    hand = hand_of([500, 500, 13, 500, 500], HOLDEM, FL)
    play(hand, "p3 allin")
    assert options(hand).call == 13
    assert wager(hand) == (20, 20)
    for to in (23, 14, 30):
        ruling = refused(hand, f"p4 raise {to}")
        assert (ruling.reason, ruling.rule) == (Reason.NOT_THE_FIXED_SIZE, "SIZE-8")
    events = play(hand, "p4 raise 20")
    assert events[0].rule == "SIZE-8"
    # The completion counts: 10, 20, 30, 40.
    play(hand, "p5 raise 30, p1 raise 40")
    assert wager(hand) == (0, 0)


@rule("SIZE-8")
def test_4_opened_into_a_10_bet_is_completed_to_10_which_counts():
    hand = at_flop([14, 500, 500, 500], HOLDEM, FL)
    assert wager(hand) == (4, 4)
    play(hand, "p1 allin")
    assert hand.wagers == 0
    assert options(hand).call == 4
    assert wager(hand) == (10, 10)
    play(hand, "p2 raise 10")
    assert hand.wagers == 1
    play(hand, "p3 raise 20, p4 raise 30, p2 raise 40")
    assert wager(hand) == (0, 0)


@rule("SIZE-8")
@pytest.mark.parametrize(
    ("stack", "counts"), [(11, False), (14, False), (15, True), (16, True), (19, True), (20, True)]
)
def test_half_a_bet_above_the_base_is_what_counts(stack, counts):
    hand = hand_of([500, 500, stack, 500], HOLDEM, FL)
    play(hand, "p3 allin")
    assert hand.wagers == (2 if counts else 1)
    assert wager(hand) == ((stack + 10,) * 2 if counts else (20, 20))


@rule("SIZE-8")
@pytest.mark.parametrize(("stack", "counts"), [(17, False), (18, True)])
def test_half_of_an_odd_bet_is_not_rounded_down(stack, counts):
    # One bet is 15, half of it 7.5: 7 on the flop count for nothing, 8 count.
    hand = at_flop([5 + stack, 500, 500], HOLDEM, FL, blinds=(7, 15))
    assert hand.stack[0] == stack - 10
    play(hand, "p1 allin")
    assert hand.wagers == (1 if counts else 0)


@rule("SIZE-8")
def test_half_of_the_big_bet_is_the_measure_on_turn_and_river():
    hand = at_turn([19, 20, 500, 500], HOLDEM, FL)
    play(hand, "p1 allin")  # 9 into a 20 bet
    assert hand.wagers == 0
    play(hand, "p2 allin")  # 10: together half a bet
    assert hand.wagers == 1
    assert wager(hand) == (30, 30)


@rule("SIZE-8")
def test_an_all_in_between_completion_and_level_is_that_players_only_size():
    hand = hand_of([500, 500, 13, 18, 500], HOLDEM, FL)
    play(hand, "p3 allin")
    assert wager(hand) == (18, 18)  # cannot complete to 20
    play(hand, "p4 allin")
    assert wager(hand) == (28, 28)  # 18 is 8 above the base of 10: it counts


@rule("SIZE-8", "OPEN-2")
def test_who_has_acted_may_not_complete():
    hand = hand_of([500, 500, 500, 13], HOLDEM, FL)
    play(hand, "p3 call, p4 allin, p1 call, p2 call")
    assert to_act(hand) == 3
    assert options(hand).call == 3
    ruling = refused(hand, "p3 raise 20")
    assert (ruling.reason, ruling.rule) == (Reason.RAISE_NOT_REOPENED, "OPEN-2")


@rule("SIZE-8", "SIZE-6")
def test_small_all_ins_do_not_use_up_the_cap():
    hand = at_flop([5000, 5000, 34, 38], HOLDEM, FL)
    play(hand, "p1 bet 10, p2 raise 20, p3 allin, p4 allin")  # 24 and 28: the second counts (28 - 20 = 8)
    assert hand.wagers == 3
    assert wager(hand) == (38, 38)
    play(hand, "p1 raise 38")
    assert wager(hand) == (0, 0)


# --- SIZE-9 ---------------------------------------------------------------------------------------------


@rule("SIZE-9")
def test_the_french_minimum_is_the_small_bet_and_later_the_big_bet():
    hand = hand_of([5000] * 3, "irish/french-minimum@1", NL, blinds=(1, 2), big_bet=4)
    assert wager(hand)[0] == 4
    play(hand, "p3 call, p1 call, p2 check")
    while discards_owed(hand):
        discard_last(hand)
    assert wager(hand)[0] == 2
    play(hand, "p1 bet 2")
    assert wager(hand)[0] == 4
    play(hand, "p2 call, p3 call")
    assert wager(hand)[0] == 4
    ruling = refused(hand, "p1 bet 3")
    assert (ruling.reason, ruling.rule) == (Reason.BELOW_MINIMUM, "SIZE-9")
    play(hand, "p1 bet 4")
    assert wager(hand)[0] == 8
    play(hand, "p2 call, p3 call")
    assert wager(hand)[0] == 4


@rule("SIZE-9")
def test_without_it_the_minimum_is_the_big_blind_throughout():
    hand = at_turn([5000] * 3, HOLDEM, NL, big_bet=40)
    assert wager(hand)[0] == 10


@rule("SIZE-9", "SIZE-3")
def test_the_late_minimum_replaces_the_big_blind_after_an_all_in_bet():
    hand = at_turn([15, 5000, 5000], rules(HOLDEM, late_minimum=LateMinimum.BIG_BET), NL, big_bet=25)
    play(hand, "p1 allin")
    assert options(hand).call == 5
    assert wager(hand)[0] == 30
    assert refused(hand, "p2 raise 29").reason == Reason.BELOW_MINIMUM


@rule("SIZE-9", "OPEN-2")
@pytest.mark.parametrize(("stack", "reopened"), [(24, False), (25, True)])
def test_the_late_minimum_replaces_the_big_blind_for_reopening(stack, reopened):
    late = rules(HOLDEM, late_minimum=LateMinimum.BIG_BET)
    hand = at_turn([5000, 10 + stack, 5000], late, NL, big_bet=25)
    play(hand, "p1 check, p2 allin, p3 call")
    assert bool(wager(hand)[0]) == reopened


@rule("SIZE-9")
def test_the_late_minimum_is_at_least_the_big_blind_and_in_pot_limit_at_most_twice_it():
    late = rules(HOLDEM, late_minimum=LateMinimum.BIG_BET)
    for limit in (NL, PL):
        with pytest.raises(RuleSetError, match="SIZE-9"):
            check_stakes(Stakes(5, 10, big_bet=9), late, limit)
        check_stakes(Stakes(5, 10, big_bet=10), late, limit)
        check_stakes(Stakes(5, 10, big_bet=20), late, limit)
        check_stakes(Stakes(5, 10), late, limit)
    check_stakes(Stakes(5, 10, big_bet=21), late, NL)
    with pytest.raises(RuleSetError, match="SIZE-9"):
        check_stakes(Stakes(5, 10, big_bet=21), late, PL)


@rule("SIZE-9", "SIZE-4")
def test_in_pot_limit_the_late_minimum_never_passes_the_pot():
    hand = at_turn([5000, 5000], rules(HOLDEM, late_minimum=LateMinimum.BIG_BET), PL, big_bet=20)
    assert wager(hand) == (20, 20)


@rule("SIZE-9")
def test_a_late_minimum_does_not_belong_to_fixed_limit():
    with pytest.raises(RuleSetError, match="SIZE-9"):
        check_rule_set(rules(HOLDEM, late_minimum=LateMinimum.BIG_BET, limits=(FL,)))


@rule("SIZE-5", "SIZE-8")
def test_fixed_limit_hands_end_with_whatever_is_left():
    hand = hand_of([27, 31, 44], HOLDEM, FL)
    while to_act(hand):
        low, _ = wager(hand)
        if low:
            play(hand, f"p{to_act(hand)} {'raise' if hand.level else 'bet'} {low}")
        else:
            play(hand, f"p{to_act(hand)} call")
    check_down(hand)
    assert sum(hand.stack) == 102
