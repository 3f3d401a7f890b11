"""SHOW: showdown. The review of SHOW-8 is tested with the views."""

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import is_undecided, propose
from referee.rules.ruleset import HOLDEM, IRISH, AllInExposure, DiscardTimeout, ShowdownOrder
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.settlement import settlement
from referee.rules.showdown import ShowWhy, first_to_show, pots_of, showdown_order, showings, strengths_of
from referee.rules.state import Phase
from tests.support import (
    NL,
    PL,
    cards,
    check_down,
    hand_of,
    happened,
    options,
    play,
    refused,
    rules,
    shown_seats,
    stacks_of,
    text,
    to_act,
)

rule = pytest.mark.rule
WALK_BACK = rules(showdown_order=ShowdownOrder.WALK_BACK)
FINAL_ROUND = rules(showdown_order=ShowdownOrder.FINAL_ROUND)
BOARD = "2c 7d 9h Js 4s"


def order_of(hand):
    """Seats in the order in which they show."""
    return [hand.setup.seats[player] for player in showdown_order(hand)]


def ended(events):
    """What became of the hands, in order: the seat, and whether it was shown."""
    return [
        (event.seat, event.kind == EventKind.HAND_SHOWN)
        for event in happened(events, EventKind.HAND_SHOWN, EventKind.HAND_MUCKED)
    ]


@rule("SHOW-1", "SHOW-2")
@pytest.mark.parametrize("rule_set", [WALK_BACK, FINAL_ROUND])
def test_who_bet_last_on_the_river_shows_first_and_then_clockwise(rule_set):
    hand = hand_of([500] * 3, rule_set)
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check, p1 check, p2 check, p3 check")
    play(hand, "p1 check, p2 bet 30, p3 call, p1 call")
    assert order_of(hand) == [2, 3, 1]


@rule("SHOW-1")
@pytest.mark.parametrize(("rule_set", "first", "street"), [(WALK_BACK, 3, 0), (FINAL_ROUND, 1, -1)])
def test_walking_back_goes_to_the_very_first_round(rule_set, first, street):
    hand = hand_of([500] * 3, rule_set)
    play(hand, "p3 raise 30, p1 call, p2 call")
    check_down(hand)
    player, decided_by = first_to_show(hand)
    assert (hand.setup.seats[player], decided_by) == (first, street)
    assert settlement(hand).hands[0].seat == first


@rule("SHOW-1")
def test_a_lifter_who_folded_does_not_count_and_the_round_before_does():
    hand = hand_of([500] * 3, WALK_BACK)
    play(hand, "p3 raise 30, p1 call, p2 call, p1 check, p2 bet 40, p3 call, p1 call")
    play(hand, "p1 bet 50, p2 raise 100, p3 call, p1 call")
    play(hand, "p1 bet 60, p2 call, p3 call")
    assert order_of(hand) == [1, 2, 3]
    hand = hand_of([500] * 4, WALK_BACK)
    play(hand, "p3 call, p4 raise 30, p1 call, p2 call, p3 call")
    play(hand, "p1 check, p2 bet 40, p3 call, p4 call, p1 fold")
    play(hand, "p2 check, p3 bet 50, p4 call, p2 call")
    play(hand, "p2 check, p3 check, p4 bet 60, p2 call, p3 fold")
    assert order_of(hand) == [4, 2]
    hand = hand_of([500] * 3, WALK_BACK)
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 bet 40, p3 call, p1 call")
    play(hand, "p1 bet 50, p2 call, p3 call")
    play(hand, "p1 check, p2 check, p3 bet 60, p1 fold, p2 call")
    assert order_of(hand) == [3, 2]


@rule("SHOW-1")
@pytest.mark.parametrize("street", [1, 2, 3])
def test_walking_back_stops_at_the_last_round_that_somebody_lifted(street):
    hand = hand_of([500] * 3, WALK_BACK)
    play(hand, "p3 raise 30, p1 call, p2 call")
    for now in (1, 2, 3):
        play(hand, "p1 check, p2 bet 40, p3 call, p1 call" if now == street else "p1 check, p2 check, p3 check")
    assert first_to_show(hand) == (1, street)
    assert order_of(hand) == [2, 3, 1]


@rule("SHOW-1")
def test_walking_back_only_the_last_lifter_of_a_round_is_asked():
    # Turn: seat 1 bet, seat 3 raised and folds on the river. Seat 1 lifted too, but not last; the flop decides.
    hand = hand_of([500] * 3, WALK_BACK)
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 bet 10, p3 call, p1 call")
    play(hand, "p1 bet 20, p2 call, p3 raise 60, p1 call, p2 call")
    play(hand, "p1 bet 30, p2 call, p3 fold")
    assert order_of(hand) == [1, 2]
    hand = hand_of([500] * 3, rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    play(hand, "p3 raise 30, p1 call, p2 call, p1 bet 10, p2 raise 30, p3 call, p1 call")
    play(hand, "p2 timeout")
    assert not hand.live[1]
    check_down(hand)
    # Seat 2 lifted last on the flop and is gone; before the flop seat 3 did.
    assert order_of(hand) == [3, 1]


@rule("SHOW-1")
def test_final_round_counts_round_four_only_played_or_not():
    hand = hand_of([500, 100, 500], FINAL_ROUND)
    play(hand, "p3 raise 100, p1 call, p2 call, p1 check, p3 bet 400, p1 call")
    # All-in on the flop: round four was never played, so the first live player left of the button shows first.
    assert hand.phase == Phase.OVER
    assert order_of(hand) == [1, 2, 3]
    hand = hand_of([500, 100, 500], WALK_BACK)
    play(hand, "p3 raise 100, p1 call, p2 call, p1 check, p3 bet 400, p1 call")
    assert order_of(hand) == [3, 1, 2]


@rule("SHOW-1")
@pytest.mark.parametrize("rule_set", [WALK_BACK, FINAL_ROUND])
def test_if_nobody_lifted_the_first_live_player_left_of_the_button_shows_first(rule_set):
    hand = hand_of([500] * 4, rule_set)
    play(hand, "p3 call, p4 call, p1 fold, p2 check")
    check_down(hand)
    # Posting the big blind and calling it lift nothing.
    assert order_of(hand) == [2, 3, 4]


@rule("SHOW-1")
def test_an_all_in_of_any_size_is_a_lift():
    hand = hand_of([500, 11, 500], WALK_BACK)
    play(hand, "p3 call, p1 call, p2 allin, p3 call, p1 call")
    check_down(hand)
    assert order_of(hand) == [2, 3, 1]


@rule("SHOW-1", "SHOW-5")
def test_a_bet_that_was_returned_is_a_lift_and_does_not_cancel_the_showdown():
    hand = hand_of([500, 500, 50], WALK_BACK, board=BOARD)
    events = play(hand, "p3 raise 50, p1 call, p2 call, p1 check, p2 bet 100, p1 fold")
    assert [(event.seat, event.amount) for event in happened(events, EventKind.BET_RETURNED)] == [(2, 100)]
    assert order_of(hand) == [2, 3]
    assert shown_seats(events)[0] == 2
    assert len(hand.board) == 5


@rule("SHOW-5")
def test_a_river_bet_that_nobody_calls_leaves_the_all_in_player_his_showdown():
    hand = hand_of([500, 500, 50], holes={3: "As Ad", 1: "Kc Kh", 2: "Qc Qh"}, board=BOARD)
    play(hand, "p3 raise 50, p1 call, p2 call, p1 check, p2 check, p1 check, p2 check")
    play(hand, "p1 bet 450, p2 fold")
    assert stacks_of(hand) == {1: 450, 2: 450, 3: 150}


@rule("SHOW-1")
def test_one_order_serves_all_pots():
    hand = hand_of([1000, 1000, 100], WALK_BACK, board=BOARD)
    play(hand, "p3 raise 100, p1 call, p2 call, p1 check, p2 bet 50, p1 call")
    check_down(hand)
    assert [line.seat for line in settlement(hand).hands] == [2, 3, 1]


# --- SHOW-2 and SHOW-3 ----------------------------------------------------------------------------------


@rule("SHOW-2", "SHOW-3")
def test_a_beaten_player_may_muck_and_a_better_or_equal_one_must_show():
    holes = {1: "Kc Kh", 2: "Qc Qh", 3: "Kd Ks"}
    hand = hand_of([100] * 3, holes=holes, board=BOARD)
    events = check_down(hand)
    assert ended(events) == [(1, True), (2, False), (3, True)]
    why = {line.seat: (line.must_show, line.why) for line in settlement(hand).hands}
    assert why == {
        1: (True, ShowWhy.FIRST_IN_ORDER),
        2: (False, ShowWhy.MUCKED),
        3: (True, ShowWhy.NOT_BEATEN),
    }


@rule("SHOW-2")
def test_a_mucked_hand_is_in_no_event():
    hand = hand_of([100] * 3, holes={1: "Kc Kh", 2: "Qc Qh", 3: "5d 6d"}, board=BOARD)
    events = check_down(hand)
    assert [event.cards for event in happened(events, EventKind.HAND_MUCKED)] == [(), ()]
    assert not any({*cards("Qc Qh 5d 6d")} & {*event.cards} for event in events)


@rule("SHOW-2")
def test_whether_a_beaten_hand_is_shown_is_a_preset_of_the_seat():
    holes = {1: "Kc Kh", 2: "Qc Qh", 3: "5d 6d"}
    hand = hand_of([100] * 3, holes=holes, board=BOARD, show_when_beaten=(3,))
    events = check_down(hand)
    assert ended(events) == [(1, True), (2, False), (3, True)]
    last = settlement(hand).hands[-1]
    assert (last.must_show, last.shown, last.why) == (False, True, ShowWhy.CHOSE_TO_SHOW)


@rule("SHOW-2", "SHOW-3")
@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [("Qc Qh", "Kc Kh", [True, True, True]), ("Kc Kh", "Qc Qh", [True, True, False])],
)
def test_a_hand_beats_others_only_in_the_pots_it_is_eligible_for(first, second, shown):
    # Seat 3, all-in short, shows aces first; seats 1 and 2 have a side pot that the aces do not contest.
    hand = hand_of([500, 500, 50], FINAL_ROUND, holes={3: "As Ad", 1: first, 2: second}, board=BOARD, button=2)
    play(hand, "p2 call, p3 raise 50, p1 call, p2 call, p1 bet 40, p2 call")
    assert ended(check_down(hand)) == list(zip((3, 1, 2), shown, strict=True))
    # Without the side pot both would be beaten.
    hand = hand_of([500, 500, 50], FINAL_ROUND, holes={3: "As Ad", 1: first, 2: second}, board=BOARD, button=2)
    play(hand, "p2 call, p3 raise 50, p1 call, p2 call")
    assert ended(check_down(hand)) == [(3, True), (1, False), (2, False)]


@rule("SHOW-2")
def test_a_hand_that_was_mucked_beats_nobody():
    # Seat 2 mucks a pair of queens; seat 3 is judged against what was shown.
    hand = hand_of([100] * 4, holes={1: "Kc Kh", 2: "Qc Qh", 3: "Qd Qs", 4: "Ac Ah"}, board=BOARD)
    assert ended(check_down(hand)) == [(1, True), (2, False), (3, False), (4, True)]


@rule("SHOW-2", "SHOW-8")
def test_a_mucked_hand_may_still_be_shown_by_its_owner_afterwards():
    hand = hand_of([100] * 3, holes={1: "Kc Kh", 2: "Qc Qh", 3: "5d 6d"}, board=BOARD)
    assert refused(hand, "p2 show").reason == Reason.SHOW_TOO_EARLY
    check_down(hand)
    ruling = propose(hand, Proposal(2, ActionKind.SHOW))
    assert ruling.accepted
    assert [(event.kind, event.rule, event.cards) for event in ruling.events] == [
        (EventKind.HAND_SHOWN, "SHOW-2", cards("Qc Qh"))
    ]
    assert refused(hand, "p2 show").reason == Reason.NOTHING_TO_SHOW
    assert refused(hand, "p1 show").reason == Reason.NOTHING_TO_SHOW


@rule("SHOW-2", "SHOW-8")
def test_a_folded_hand_is_never_shown():
    hand = hand_of([100] * 3)
    play(hand, "p3 fold")
    check_down(hand)
    assert refused(hand, "p3 show").reason == Reason.NOTHING_TO_SHOW
    assert refused(hand, "p3 show").rule == "SHOW-8"


@rule("SHOW-3")
def test_the_first_in_order_always_shows_though_he_is_beaten():
    hand = hand_of([100] * 3, holes={1: "5d 6d", 2: "Qc Qh", 3: "Kc Kh"}, board=BOARD)
    assert ended(check_down(hand)) == [(1, True), (2, True), (3, True)]


@rule("SHOW-3", "POT-4")
def test_the_winner_of_a_pot_with_one_eligible_player_is_shown():
    # Seat 1 is beaten in the main pot and alone in the side pot.
    holes = {3: "As Ad", 1: "5d 6d"}
    hand = hand_of([500, 500, 50], WALK_BACK, holes=holes, board=BOARD)
    events = play(hand, "p3 raise 50, p1 call, p2 call, p1 bet 100, p2 call, p1 bet 350, p2 fold")
    assert ended(events) == [(1, True), (3, True)]
    holes = {3: "As Ad", 2: "5d 6d"}
    hand = hand_of([500, 500, 50], rules(showdown_order=ShowdownOrder.FINAL_ROUND), holes=holes, board=BOARD)
    events = play(hand, "p3 raise 50, p1 call, p2 call, p1 bet 100, p2 call, p1 check, p2 check, p1 check, p2 bet 60")
    events = play(hand, "p1 fold")
    assert ended(events) == [(2, True), (3, True)]


@rule("SHOW-3", "SHOW-2")
def test_a_beaten_player_alone_in_a_side_pot_shows_after_a_better_hand():
    # Order 3, 2: seat 2's trash is beaten by the aces, but nobody else is eligible for the side pot.
    hand = hand_of([500, 500, 50], FINAL_ROUND, holes={3: "As Ad", 2: "5d 6d"}, board=BOARD, button=2)
    assert hand.setup.seats == (3, 1, 2)
    events = play(hand, "p2 call, p3 raise 50, p1 call, p2 call, p1 bet 40, p2 call, p1 check, p2 bet 30, p1 fold")
    assert ended(events) == [(3, True), (2, True)]


@rule("SHOW-3")
def test_every_winning_hand_is_announced_with_its_class_and_five_cards():
    holes = {1: "As Ad", 2: "Kc Kh", 3: "Qd Qs"}
    hand = hand_of([60, 80, 5000], blinds=(50, 100), holes=holes, board=BOARD)
    play(hand, "p3 call, p1 call")
    said = settlement(hand)
    by_seat = {line.seat: line for line in said.hands}
    for pot in said.pots:
        for seat in pot.winners:
            assert by_seat[seat].shown
            assert len(by_seat[seat].best_five) == 5
    assert by_seat[1].name == "pair of aces, kickers J-9-7"
    assert set(by_seat[1].best_five) == set(cards("As Ad Js 9h 7d"))
    announced = "\n".join(line.text for line in said.lines)
    assert "pair of aces" in announced
    assert "pair of kings" in announced


# --- SHOW-4 ---------------------------------------------------------------------------------------------


@rule("SHOW-4")
def test_ordered_is_the_default_all_in_or_not():
    holes = {1: "5d 6d", 2: "Kc Kh", 3: "As Ad"}
    hand = hand_of([50, 500, 500], WALK_BACK, holes=holes, board=BOARD)
    play(hand, "p3 raise 50, p1 call, p2 call")
    assert ended(check_down(hand)) == [(3, True), (1, False), (2, False)]


@rule("SHOW-4")
def test_show_all_shows_every_live_hand_in_order_after_the_last_round():
    show_all = rules(all_in_exposure=AllInExposure.SHOW_ALL)
    hand = hand_of([500] * 4, show_all, holes={1: "5d 6d", 2: "Kc Kh", 3: "As Ad"}, board=BOARD)
    play(hand, "p3 raise 30, p4 fold, p1 call, p2 call")
    events = check_down(hand)
    assert ended(events) == [(3, True), (1, True), (2, True)]
    assert [event.rule for event in happened(events, EventKind.HAND_SHOWN)] == ["SHOW-3", "SHOW-4", "SHOW-4"]


@rule("SHOW-4")
def test_show_all_turns_nothing_up_before_the_last_card():
    hand = hand_of([100, 100], rules(all_in_exposure=AllInExposure.SHOW_ALL))
    events = play(hand, "p2 allin, p1 call")
    kinds = [event.kind for event in events]
    assert kinds.index(EventKind.HAND_SHOWN) > max(i for i, kind in enumerate(kinds) if kind == EventKind.BOARD_DEALT)


@rule("SHOW-4")
@pytest.mark.parametrize("limit", [NL, PL])
def test_table_all_turns_every_live_hand_up_at_once_when_betting_is_over(limit):
    holes = {1: "5d 6d", 2: "Kc Kh", 3: "As Ad"}
    hand = hand_of([30, 30, 500], "holdem/tda@1", limit, holes=holes, board=BOARD)
    events = play(hand, "p3 raise 30, p1 call, p2 call")
    kinds = [event.kind for event in events if event.kind in (EventKind.HAND_SHOWN, EventKind.BOARD_DEALT)]
    assert kinds == [EventKind.HAND_SHOWN] * 3 + [EventKind.BOARD_DEALT] * 3
    assert not happened(events, EventKind.HAND_MUCKED)
    assert {event.rule for event in happened(events, EventKind.HAND_SHOWN)} == {"SHOW-4"}
    assert all(line.must_show for line in settlement(hand).hands)


@rule("SHOW-4")
def test_a_beaten_hand_is_turned_up_too_and_the_statement_says_why():
    hand = hand_of([30, 30, 500], "holdem/tda@1", holes={1: "As Ad", 2: "Kc Kh", 3: "5d 6d"}, board=BOARD)
    play(hand, "p3 raise 30, p1 call, p2 call")
    told = [(line.seat, line.must_show, line.shown, line.why, line.rule) for line in settlement(hand).hands]
    assert told == [(seat, True, True, ShowWhy.TABLED_ALL_IN, "SHOW-4") for seat in (1, 2, 3)]
    assert [(one.must_show, one.shows) for one in showings(hand, pots_of(hand), strengths_of(hand))] == [
        (True, True)
    ] * 3


@rule("SHOW-4")
def test_table_all_waits_while_others_still_bet():
    holes = {1: "5d 6d", 2: "Kc Kh", 3: "As Ad"}
    hand = hand_of([30, 500, 500], "holdem/tda@1", holes=holes, board=BOARD)
    events = play(hand, "p3 raise 30, p1 call, p2 call, p2 check, p3 check, p2 check, p3 check")
    assert not happened(events, EventKind.HAND_SHOWN)
    events = play(hand, "p2 check, p3 check")
    # Betting is over on the river, one player is all-in: no muck.
    assert sorted(ended(events)) == [(1, True), (2, True), (3, True)]


@rule("SHOW-4")
def test_table_all_without_an_all_in_player_is_ordered():
    hand = hand_of([500] * 3, "holdem/tda@1", holes={1: "As Ad", 2: "Kc Kh", 3: "5d 6d"}, board=BOARD)
    assert ended(check_down(hand)) == [(1, True), (2, False), (3, False)]


@rule("SHOW-4", "POT-2")
def test_table_all_counts_the_player_whose_bet_came_back_as_not_all_in():
    hand = hand_of([500, 300], "holdem/tda@1")
    events = play(hand, "p2 call, p1 raise 500, p2 call")
    assert hand.stack[0] >= 200
    assert shown_seats(events) == [1, 2]  # seat 2 is all-in


@rule("SHOW-4", "DISC-7")
def test_table_all_does_not_come_before_the_discards():
    hand = hand_of([100] * 2, "irish/tda@1")
    events = play(hand, "p2 allin, p1 call")
    assert hand.phase == Phase.DISCARDING
    assert not happened(events, EventKind.HAND_SHOWN)


# --- SHOW-6 and SHOW-7 ----------------------------------------------------------------------------------


@rule("SHOW-6")
def test_pots_are_announced_from_the_last_side_pot_to_the_main_pot():
    hand = hand_of([30, 60, 90, 120], holes={1: "As Ad", 2: "Kc Kh", 3: "Qc Qh", 4: "5d 6d"}, board=BOARD)
    events = play(hand, "p3 allin, p4 call, p1 allin, p2 allin")
    pots = [event.pot for event in happened(events, EventKind.POT_AWARDED)]
    assert pots == [2, 1, 0]
    said = [line.text for line in settlement(hand).lines if line.rule in ("POT-4", "POT-5")]
    assert [line.split(" of ")[0] for line in said] == ["side pot 2", "side pot 1", "main pot"]


@rule("SHOW-7", "BET-7")
def test_with_one_live_player_left_nothing_is_shown():
    hand = hand_of([100] * 2, "holdem/tda@1")
    events = play(hand, "p2 call, p1 check, p1 check, p2 check, p1 check, p2 check, p1 bet 10, p2 fold")
    assert ended(events) == []
    assert settlement(hand).hands == ()
    assert len(hand.board) == 5


@rule("SHOW-7")
def test_the_last_player_may_show_voluntarily():
    hand = hand_of([100] * 3, holes={2: "7c 2d"})
    play(hand, "p3 fold, p1 fold")
    ruling = propose(hand, Proposal(2, ActionKind.SHOW))
    assert [(event.rule, event.cards) for event in ruling.events] == [("SHOW-7", cards("7c 2d"))]
    assert refused(hand, "p1 show").reason == Reason.NOTHING_TO_SHOW


@rule("SHOW-7", "DISC-5")
def test_what_is_shown_after_a_discard_are_the_kept_cards():
    hand = hand_of([100] * 2, IRISH, holes={1: "2c 3c 4c 5c"})
    play(hand, "p2 call, p1 check, p1 check, p2 check, p1 discard 2c4c")
    play(hand, f"p2 discard {text(hand.hole[1][:2])}, p1 bet 10, p2 fold")
    ruling = propose(hand, Proposal(1, ActionKind.SHOW))
    assert ruling.events[0].cards == cards("3c 5c")


@rule("SHOW-7")
def test_showing_is_refused_to_strangers_and_before_the_end():
    hand = hand_of([100] * 3)
    assert refused(hand, "p3 show").reason == Reason.SHOW_TOO_EARLY
    assert refused(hand, "p9 show").reason == Reason.SEAT_NOT_IN_HAND
    assert to_act(hand) == 3
    assert options(hand).check is False


# --- unknown cards --------------------------------------------------------------------------------------


@rule("RANK-1", "POT-5")
def test_a_showdown_that_the_known_cards_do_not_decide_waits():
    hand = hand_of([100] * 2, known=False)
    check_down(hand)
    assert is_undecided(hand)
    said = settlement(hand)
    assert (said.over, said.decided) == (False, False)
    assert [(pot.amount, pot.winners) for pot in said.pots] == [(20, ())]
    assert refused(hand, "p1 check").reason == Reason.SHOWDOWN_UNDECIDED


@rule("SHOW-2")
def test_an_unknown_hand_that_was_given_up_loses():
    hand = hand_of([100] * 2, holes={1: "As Ad"}, board=BOARD, known=False, mucked_unseen=(2,))
    check_down(hand)
    assert hand.phase == Phase.OVER
    assert stacks_of(hand) == {1: 110, 2: 90}
    why = {line.seat: (line.why, line.shown) for line in settlement(hand).hands}
    assert why == {1: (ShowWhy.FIRST_IN_ORDER, True), 2: (ShowWhy.GAVE_UP_UNSEEN, False)}
    assert [(line.must_show, line.rule) for line in settlement(hand).hands] == [(True, "SHOW-3"), (False, "SHOW-2")]


@rule("POT-4", "SHOW-2")
def test_unknown_hands_do_not_win_by_everybody_giving_up():
    hand = hand_of([100] * 2, board=BOARD, known=False, mucked_unseen=(1, 2))
    check_down(hand)
    assert is_undecided(hand)


@rule("POT-4")
def test_an_unknown_hand_that_was_given_up_still_gets_the_pot_it_alone_is_eligible_for():
    hand = hand_of([500, 500, 50], WALK_BACK, NL, holes={3: "As Ad"}, board=BOARD, known=False, mucked_unseen=(1,))
    play(hand, "p3 raise 50, p1 call, p2 call, p1 check, p2 bet 100, p1 call, p1 bet 60, p2 fold")
    assert hand.phase == Phase.OVER
    # Main pot 150 to the aces; the 200 of the side pot to seat 1 without a look at his cards.
    assert stacks_of(hand) == {1: 550, 2: 350, 3: 150}
    assert shown_seats(check_down(hand)) == []


@rule("SHOW-2", "SHOW-3")
def test_who_must_show_does_not_depend_on_the_order_of_pots():
    for rule_set in (HOLDEM, IRISH):
        hand = hand_of([30, 60, 90, 500], rule_set, board=BOARD)
        play(hand, "p3 allin, p4 call, p1 allin, p2 allin")
        check_down(hand)
        said = settlement(hand)
        winners = {seat for pot in said.pots for seat in pot.winners}
        assert {line.seat for line in said.hands if line.shown} >= winners
