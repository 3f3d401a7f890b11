"""POT: pots, the returned bet, shares, odd chips, rake."""

import random
from dataclasses import replace

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import impose, open_hand, propose
from referee.rules.pots import Pot, best_of, form_pots, rake_of, shares, uncalled
from referee.rules.ruleset import HOLDEM, IRISH, AnteKind, RuleSetError, Stakes, check_stakes
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.settlement import settlement
from referee.rules.setup import Post
from referee.rules.showdown import pots_of
from referee.rules.state import Phase, encode
from tests.support import (
    NL,
    check_down,
    hand_of,
    happened,
    play,
    play_out,
    proposal_of,
    random_setup,
    rules,
    scale,
    setup_of,
    stacks_of,
)

rule = pytest.mark.rule
TIE = {"holes": {1: "2c 3d", 2: "2d 3h", 3: "2h 3s"}, "board": "Ah Kd Qc Js Th"}


def returned(events):
    return [(event.seat, event.amount) for event in happened(events, EventKind.BET_RETURNED)]


def awarded(events):
    return [(event.pot, event.seat, event.amount) for event in happened(events, EventKind.POT_AWARDED)]


@rule("POT-1")
@pytest.mark.parametrize(
    ("totals", "live", "dead", "pots"),
    [
        ([100, 100, 100], "LLL", 0, [Pot(300, (0, 1, 2))]),
        ([100, 200, 200], "LLL", 0, [Pot(300, (0, 1, 2)), Pot(200, (1, 2))]),
        ([80, 80, 60], "LLL", 0, [Pot(180, (0, 1, 2)), Pot(40, (0, 1))]),
        # Folded chips lie in every pot they reach.
        ([50, 100, 30, 100], "LLfL", 0, [Pot(180, (0, 1, 3)), Pot(100, (1, 3))]),
        # Levels are those of live players only: 30 makes no pot of its own.
        ([100, 30, 100], "LfL", 0, [Pot(230, (0, 2))]),
        ([100, 100], "LL", 7, [Pot(207, (0, 1))]),
        ([100, 50], "LL", 7, [Pot(107, (0, 1)), Pot(50, (0,))]),
        # The lowest pot takes the dead money, even at level 0.
        ([100, 0, 100], "LLL", 5, [Pot(5, (0, 1, 2)), Pot(200, (0, 2))]),
        ([100, 0, 100], "LLL", 0, [Pot(200, (0, 2))]),
        ([0, 0], "LL", 9, [Pot(9, (0, 1))]),
    ],
)
def test_pots_are_layers_between_the_totals_of_live_players(totals, live, dead, pots):
    assert form_pots(totals, [mark == "L" for mark in live], dead) == pots


@rule("POT-1")
def test_the_order_in_which_players_went_all_in_does_not_matter():
    # Totals of 30, 60 and 90, reached by shoving first or by calling last.
    for stacks, script in (
        ([30, 60, 90], "p3 call, p1 allin, p2 allin, p3 call"),
        ([30, 60, 90], "p3 allin, p1 allin, p2 allin"),
        ([30, 60, 90], "p3 call, p1 call, p2 raise 40, p3 raise 70, p1 call, p2 call"),
    ):
        hand = hand_of(stacks)
        play(hand, script)
        assert pots_of(hand) == [Pot(90, (0, 1, 2)), Pot(60, (1, 2))]


@rule("POT-1")
def test_a_player_who_is_all_in_keeps_his_share_of_later_pots_out():
    hand = hand_of(
        [1000, 1000, 100], holes={3: "As Ad", 1: "Kc Kh", 2: "Qd Qs"}, board="2c 7d 9h Js 4s", blinds=(25, 50)
    )
    play(hand, "p3 allin, p1 call, p2 call, p1 bet 200, p2 call, p1 check, p2 check, p1 check, p2 check")
    assert stacks_of(hand) == {3: 300, 1: 1100, 2: 700}


@rule("POT-2")
@pytest.mark.parametrize(
    ("bets", "live", "expected"),
    [
        ([100, 100], "LL", (-1, 0)),
        ([200, 100], "LL", (0, 100)),
        ([200, 150, 100], "LfL", (0, 50)),  # the second largest counts, folded or not
        ([100, 150, 100], "LfL", (-1, 0)),
        ([0, 0], "LL", (-1, 0)),
        ([10, 5, 0], "Lff", (0, 5)),
        ([10, 0], "Lf", (0, 10)),
        ([50, 80, 80], "LLL", (-1, 0)),
    ],
)
def test_what_was_not_called(bets, live, expected):
    assert uncalled(bets, [mark == "L" for mark in live]) == expected


@rule("POT-2")
def test_an_uncalled_bet_comes_back_before_the_showdown_and_is_not_winnings():
    hand = hand_of([300, 500], holes={1: "As Ad", 2: "Kc Kh"}, board="2c 7d 9h Js 4s")
    events = play(hand, "p2 allin, p1 call")
    assert returned(events) == [(2, 200)]
    assert awarded(events) == [(0, 1, 600)]
    assert stacks_of(hand) == {1: 600, 2: 200}
    lines = {line.seat: line for line in settlement(hand).players}
    assert (lines[2].returned, lines[2].won, lines[2].contributed) == (200, 0, 300)


@rule("POT-2")
def test_a_fold_that_ends_the_hand_closes_the_round_too():
    hand = hand_of([200, 200], blinds=(1, 2))
    events = play(hand, "p2 allin, p1 fold")
    assert returned(events) == [(2, 198)]
    assert awarded(events) == [(0, 2, 4)]


@rule("POT-2")
def test_each_round_is_compared_by_itself():
    # 30 + 40 of seat 1 are called by 30 of seat 2, who folds on the flop: 40 come back, not 70 - 30 - 10.
    hand = hand_of([500] * 3)
    events = play(hand, "p3 fold, p1 raise 30, p2 call, p1 bet 40, p2 fold")
    assert returned(events) == [(1, 40)]
    assert awarded(events) == [(0, 1, 60)]


@rule("POT-2")
def test_the_second_largest_counts_though_he_folded():
    hand = hand_of([800, 9000, 9000], blinds=(400, 800))
    events = play(hand, "p3 raise 1600, p1 fold, p2 raise 5000, p3 fold")
    assert returned(events) == [(2, 3400)]


@rule("POT-2", "BLIND-5")
def test_antes_are_not_compared_and_never_returned():
    # Seat 2 has 3 of an ante of 10: seat 1's other 7 are a pot of his own, and raked like one.
    hand, opening = open_hand(setup_of([100, 3], blinds=(1, 2), ante_kind=AnteKind.EACH, ante=10))
    assert returned(opening) == [(1, 2)]  # the blind alone
    assert pots_of(hand) == [Pot(6, (0, 1)), Pot(7, (0,))]


@rule("POT-2", "BLIND-6")
def test_dead_money_is_not_returned_but_live_posts_are():
    hand = hand_of([500, 4, 500, 500], blinds=(0, 10), posts=[Post(3, 10, 0)])
    events = play(hand, "p3 check, p4 fold, p1 fold")
    # The big blind had 4: six of the live post come back.
    assert returned(events) == [(3, 6)]


@rule("POT-2", "POT-8")
def test_what_is_returned_pays_no_rake():
    hand = hand_of([500, 300], rake_basis_points=1000)
    events = play(hand, "p2 allin, p1 call")
    assert [event.amount for event in happened(events, EventKind.RAKE_TAKEN)] == [60]
    hand = hand_of([500, 500], rake_basis_points=1000)
    events = play(hand, "p2 raise 400, p1 fold")
    assert [event.amount for event in happened(events, EventKind.RAKE_TAKEN)] == [2]


@rule("POT-3")
def test_folded_chips_above_the_highest_live_total_join_the_highest_pot():
    assert form_pots([100, 100, 130], [True, True, False], 0) == [Pot(330, (0, 1))]
    assert form_pots([50, 100, 130], [True, True, False], 0) == [Pot(150, (0, 1)), Pot(130, (1,))]


@rule("POT-3")
def test_an_imposed_fold_leaves_its_chips_in_the_highest_pot():
    # No legal fold is ahead of every live player; a record that somebody else judged may hold one.
    hand = hand_of([100, 4, 100, 100], blinds=(0, 10), posts=[Post(3, 10, 0)])
    assert impose(hand, Proposal(3, ActionKind.FOLD)) is not None
    events = play(hand, "p4 fold, p1 fold")
    assert awarded(events) == [(0, 2, 14)]


@rule("POT-4")
def test_a_pot_with_one_eligible_player_is_awarded_without_comparison():
    holes = {3: "Kc Kh", 1: "Qd Qs"}
    hand = hand_of([1000, 1000, 100], blinds=(25, 50), holes=holes, board="2c 7d 9h Js 4s")
    events = play(hand, "p3 allin, p1 call, p2 call, p1 bet 200, p2 call, p1 bet 300, p2 fold")
    assert returned(events) == [(1, 300)]
    assert awarded(events) == [(1, 1, 400), (0, 3, 300)]
    assert [event.rule for event in happened(events, EventKind.POT_AWARDED)] == ["POT-4", "POT-5"]
    assert [pot.compared for pot in settlement(hand).pots] == [True, False]


@rule("POT-4")
def test_no_cards_are_needed_where_nobody_is_compared():
    hand = hand_of([100] * 3, known=False)
    play(hand, "p3 call, p1 fold, p2 check, p2 bet 10, p3 fold")
    assert hand.phase == Phase.OVER


@rule("POT-5")
def test_each_pot_goes_to_the_best_hand_of_its_own_eligible_players():
    holes = {1: "As Ad", 2: "Kc Kh", 3: "Qd Qs"}
    hand = hand_of([60, 80, 5000], blinds=(50, 100), holes=holes, board="2c 7d 9h Js 4s")
    play(hand, "p3 call")
    play(hand, "p1 call")
    assert stacks_of(hand) == {1: 180, 2: 40, 3: 4920}


@rule("POT-5")
def test_equal_hands_share_equally():
    hand = hand_of([100, 200, 500], **TIE)
    play(hand, "p3 allin, p1 allin, p2 allin")
    assert stacks_of(hand) == {1: 100, 2: 200, 3: 500}
    assert best_of((0, 2), [9, 9, 9]) == (0, 2)
    assert best_of((0, 1, 2), [7, 9, 9]) == (1, 2)


@rule("POT-5")
def test_a_tie_in_the_main_pot_does_not_spill_into_the_side_pot():
    hand = hand_of(
        {1: 31405, 2: 4940, 3: 10000, 4: 40000},
        button=2,
        blinds=(100, 200),
        holes={1: "Js Jc", 2: "Jh Jd"},
        board="As 4c 6d 4s 6s",
    )
    play(hand, "p1 raise 1020, p2 raise 2340, p3 fold, p4 raise 6000, p1 allin, p2 allin, p4 fold")
    assert stacks_of(hand) == {1: 34985, 2: 7460, 3: 9900, 4: 34000}


@rule("POT-6")
def test_134_three_ways_is_45_45_44():
    assert shares(134, (0, 1, 2), 1) == [45, 45, 44]


@rule("POT-6")
@pytest.mark.parametrize(
    ("amount", "winners", "unit", "expected"),
    [
        (100, 3, 1, [34, 33, 33]),
        (1060, 3, 1, [354, 353, 353]),
        (49, 2, 1, [25, 24]),
        (30300, 3, 1, [10100, 10100, 10100]),
        (101, 2, 1, [51, 50]),
        (2, 3, 1, [1, 1, 0]),
        (0, 2, 1, [0, 0]),
        (7, 1, 1, [7]),
        # One chip unit at a time: 35 in fives is seven units among three.
        (35, 3, 5, [15, 10, 10]),
        (40, 3, 5, [15, 15, 10]),
        (100, 3, 25, [50, 25, 25]),
    ],
)
def test_odd_chips_go_one_unit_at_a_time_to_the_first_winners(amount, winners, unit, expected):
    assert shares(amount, tuple(range(winners)), unit) == expected


@rule("POT-6")
def test_odd_chips_go_clockwise_from_the_button_so_the_button_is_last():
    # 100 three ways; the button is seat 4 and one of the winners.
    hand = hand_of([100, 33, 33, 33], blinds=(1, 2), holes={4: "2c 3d", 2: "2h 3s", 3: "2d 3h"}, board="Ah Kd Qc Js Th")
    events = play(hand, "p3 allin, p4 allin, p1 fold, p2 allin")
    assert awarded(events) == [(0, 2, 34), (0, 3, 33), (0, 4, 33)]


@rule("POT-6")
def test_odd_chips_of_each_pot_separately():
    # Main 134 three ways and side 49 two ways.
    stacks = {5: 500, 1: 33, 2: 54, 3: 54, 4: 500}
    holes = {1: "2c 3d", 2: "2d 3h", 3: "2h 3s"}
    hand = hand_of(stacks, button=4, blinds=(2, 4), holes=holes, board="Ah Kd Qc Js Th")
    events = play(hand, "p2 call, p3 call, p4 raise 40, p5 fold, p1 allin, p2 allin, p3 allin, p4 fold")
    assert awarded(events) == [(1, 2, 25), (1, 3, 24), (0, 1, 45), (0, 2, 45), (0, 3, 44)]
    assert stacks_of(hand) == {1: 45, 2: 70, 3: 68, 4: 460, 5: 498}
    pots = settlement(hand).pots
    assert pots[0].odd_chips == (1, 1, 0)
    assert pots[1].odd_chips == (1, 0)


@rule("POT-6")
def test_odd_chips_are_chip_units():
    hand = hand_of([30, 30, 30, 30], blinds=(5, 10), chip_unit=5, holes=TIE["holes"], board=TIE["board"])
    play(hand, "p3 allin, p4 fold, p1 allin, p2 allin")
    assert stacks_of(hand) == {1: 30, 2: 30, 3: 30, 4: 30}
    hand = hand_of(
        [35, 30, 30, 30], blinds=(5, 10), chip_unit=5, holes={2: "2c 3d", 3: "2d 3h", 4: "2h 3s"}, board=TIE["board"]
    )
    play(hand, "p3 allin, p4 allin, p1 fold, p2 allin")
    assert stacks_of(hand) == {1: 30, 2: 35, 3: 30, 4: 30}


@rule("POT-7")
def test_stacks_before_are_stacks_after_and_rake():
    for seed in range(scale(500, 20000)):
        rng = random.Random(seed)
        setup = random_setup(rng, known=1)
        hand, _ = open_hand(setup)
        play_out(rng, hand)
        assert sum(setup.stacks) == sum(hand.stack) + hand.rake, seed


@rule("POT-7")
def test_a_wrong_sum_is_an_internal_error_and_nothing_changes():
    hand = hand_of([100, 100])
    hand.stack[0] += 1  # a fault that no event made
    before = encode(hand)
    twin = hand.copy()
    with pytest.raises(AssertionError, match="POT-7"):
        propose(twin, proposal_of(twin, "p2 fold"))
    assert encode(hand) == before


@rule("POT-8")
def test_rake_is_off_by_default():
    hand = hand_of([100, 100])
    check_down(hand)
    assert hand.rake == 0


@rule("POT-8")
@pytest.mark.parametrize(
    ("amount", "points", "unit", "expected"),
    [
        (199, 1000, 1, 19),
        (200, 500, 1, 10),
        (19, 500, 1, 0),
        (199, 1000, 5, 15),
        (1000, 10_000, 1, 1000),
        (99, 250, 1, 2),
        (10_000, 1, 1, 1),
        # Exact where a float would not be: the largest amount there is.
        (9_007_199_254_740_991, 9999, 1, 9_006_298_534_815_516),
    ],
)
def test_basis_points_of_each_pot_rounded_down_to_the_chip_unit(amount, points, unit, expected):
    stakes = Stakes(unit, unit, chip_unit=unit, rake_basis_points=points)
    assert rake_of([Pot(amount, (0,))], stakes, True, -1) == [expected]


@rule("POT-8")
def test_each_pot_is_rounded_by_itself_and_the_cap_is_filled_from_the_main_pot_up():
    pots = [Pot(119, (0, 1, 2)), Pot(58, (1, 2)), Pot(39, (2,))]
    stakes = Stakes(1, 2, rake_basis_points=1000)
    assert rake_of(pots, stakes, True, -1) == [11, 5, 3]
    for cap, expected in (
        (0, [0, 0, 0]),
        (4, [4, 0, 0]),
        (13, [11, 2, 0]),
        (17, [11, 5, 1]),
        (19, [11, 5, 3]),
        (50, [11, 5, 3]),
    ):
        assert rake_of(pots, replace(stakes, rake_cap=cap), True, -1) == expected


@rule("POT-8")
@pytest.mark.parametrize(("no_drop", "rake"), [(True, 0), (False, 2)])
def test_no_flop_no_drop(no_drop, rake):
    hand = hand_of([100] * 2, rake_basis_points=1000, no_flop_no_drop=no_drop)
    play(hand, "p2 raise 20, p1 fold")
    assert hand.rake == rake
    hand = hand_of([100] * 2, rake_basis_points=1000, no_flop_no_drop=no_drop)
    play(hand, "p2 call, p1 check, p1 bet 10, p2 fold")
    assert hand.rake == 2


@rule("POT-8")
def test_rake_is_taken_before_the_split():
    hand = hand_of([100, 100, 100], rake_basis_points=100, **TIE)
    play(hand, "p3 allin, p1 allin, p2 allin")
    assert hand.rake == 3
    assert stacks_of(hand) == {1: 99, 2: 99, 3: 99}


@rule("POT-8", "POT-4")
def test_every_pot_is_raked_those_of_one_player_included():
    hand = hand_of([1000, 1000, 100], blinds=(25, 50), rake_basis_points=1000)
    events = play(hand, "p3 allin, p1 call, p2 call, p1 bet 200, p2 call, p1 bet 300, p2 fold")
    assert [(event.pot, event.amount) for event in happened(events, EventKind.RAKE_TAKEN)] == [(0, 30), (1, 40)]


@rule("POT-8")
def test_a_replay_takes_the_rake_that_was_recorded():
    for recorded in (0, 50):
        hand = hand_of([10000, 10000], blinds=(200, 400), rake_basis_points=1000, recorded_rake=recorded)
        play(hand, "p2 raise 4800, p1 call, p1 bet 5200, p2 fold")
        assert hand.rake == recorded
        assert stacks_of(hand) == {1: 14800 - recorded, 2: 5200}


@rule("POT-8")
def test_a_recorded_rake_is_filled_from_the_main_pot_up():
    assert rake_of([Pot(30, (0, 1)), Pot(40, (1,))], Stakes(1, 2), True, 33) == [30, 3]


@rule("POT-8")
def test_a_recorded_rake_that_the_pots_do_not_hold_is_not_silently_cut():
    # "A replay takes the rake that was recorded": 15 are in the pot, a record of 1000 cannot be taken as 15.
    setup = setup_of([100] * 3, recorded_rake=1000)
    with pytest.raises(RuleSetError, match="POT-8"):
        open_hand(setup)


@rule("POT-8")
@pytest.mark.parametrize(
    "wrong",
    [{"rake_basis_points": -1}, {"rake_basis_points": 10_001}, {"rake_cap": -2}, {"rake_cap": 7, "chip_unit": 5}],
)
def test_absurd_rakes_are_refused(wrong):
    with pytest.raises(RuleSetError, match="POT-8"):
        check_stakes(Stakes(5, 10, **wrong), rules(HOLDEM), NL)
    with pytest.raises(RuleSetError, match="POT-8"):
        open_hand(setup_of([100, 100], blinds=(5, 10), chip_unit=5, recorded_rake=7))


@rule("POT-1", "POT-2", "POT-5", "POT-6", "POT-8", "SHOW-3")
def test_the_statement_says_everything_an_arbiter_would_print():
    stacks = {5: 500, 1: 33, 2: 54, 3: 54, 4: 500}
    holes = {1: "2c 3d", 2: "2d 3h", 3: "2h 3s"}
    hand = hand_of(
        stacks, IRISH, NL, button=4, blinds=(2, 4), holes=holes, board="Ah Kd Qc Js Th", rake_basis_points=100
    )
    play(hand, "p2 call, p3 call, p4 raise 40, p5 fold, p1 allin, p2 allin, p3 allin, p4 fold")
    check_down(hand)
    said = settlement(hand)
    assert said.over
    assert said.decided
    assert said.rake == 1
    assert [(pot.amount, pot.rake, pot.shares) for pot in said.pots] == [(134, 1, (45, 44, 44)), (49, 0, (25, 24))]
    assert all(hand.best_five and hand.name == "straight, ace high" for hand in said.hands)
    for line in said.players:
        assert line.stack_before - line.contributed - line.dead + line.won == line.stack_after
    assert {line.rule for line in said.lines} >= {
        "POT-1",
        "POT-5",
        "POT-6",
        "POT-7",
        "POT-8",
        "SHOW-1",
        "SHOW-2",
        "SHOW-3",
    }
