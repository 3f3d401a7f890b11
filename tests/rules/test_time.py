"""TIME-2: out of time in a betting round. Discards out of time are DISC-8's; the clock itself comes later."""

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import propose, propose_timeouts
from referee.rules.ruleset import IRISH, DiscardTimeout, OpenFold
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.state import Phase
from tests.support import hand_of, play, refused, rules, stacks_of, to_act

rule = pytest.mark.rule


def time_out(hand, seat):
    """Proposes the seat's time-out, which must be accepted, and returns the event it became."""
    ruling = propose(hand, Proposal(seat, ActionKind.TIMEOUT))
    assert ruling.accepted, ruling
    event = ruling.events[0]
    assert (event.seat, event.automatic) == (seat, True)
    assert ruling.rule == event.rule
    return event


@rule("TIME-2")
def test_out_of_time_with_nothing_owed_checks():
    hand = hand_of([500] * 3)
    play(hand, "p3 call, p1 call")
    event = time_out(hand, 2)  # the big blind's option
    assert (event.kind, event.rule) == (EventKind.CHECKED, "TIME-2")
    assert hand.street == 1
    assert all(hand.live)
    assert time_out(hand, 1).kind == EventKind.CHECKED


@rule("TIME-2")
def test_out_of_time_with_something_owed_folds():
    hand = hand_of([500] * 3)
    event = time_out(hand, 3)
    assert (event.kind, event.rule) == (EventKind.FOLDED, "TIME-2")
    play(hand, "p1 raise 30")
    assert time_out(hand, 2).kind == EventKind.FOLDED
    assert stacks_of(hand) == {1: 510, 2: 490, 3: 500}


@rule("TIME-2")
def test_a_time_out_checks_even_where_folding_would_be_tolerated():
    hand = hand_of([500] * 3, rules(open_fold=OpenFold.ALLOW))
    play(hand, "p3 call, p1 call")
    assert time_out(hand, 2).kind == EventKind.CHECKED


@rule("TIME-2")
def test_a_small_blind_who_owes_one_chip_folds():
    hand = hand_of([500, 500], blinds=(9, 10))
    assert time_out(hand, 2).kind == EventKind.FOLDED
    hand = hand_of([500, 500], blinds=(10, 10))
    assert time_out(hand, 2).kind == EventKind.CHECKED


@rule("TIME-2")
def test_only_a_seat_with_an_open_decision_can_time_out():
    hand = hand_of([500] * 3)
    assert refused(hand, "p1 timeout").reason == Reason.OUT_OF_TURN
    assert refused(hand, "p7 timeout").reason == Reason.SEAT_NOT_IN_HAND
    play(hand, "p3 fold")
    assert refused(hand, "p3 timeout").reason == Reason.SEAT_FOLDED


@rule("TIME-2")
def test_an_all_in_player_never_loses_his_hand_by_time():
    # PokerStars folded an absent big blind who was all-in by posting; here his hand stays live.
    stacks = {4: 1640, 6: 20, 7: 1630, 1: 4275, 3: 1215}
    hand = hand_of(stacks, button=3, blinds=(15, 30))
    assert refused(hand, "p6 timeout").reason == Reason.SEAT_ALL_IN
    play(hand, "p7 call, p1 call, p3 raise 120, p4 call")
    assert refused(hand, "p6 timeout").reason == Reason.SEAT_ALL_IN
    play(hand, "p7 call, p1 call")
    assert hand.live == [True] * 5
    assert hand.street == 1


@rule("TIME-2", "DISC-8")
@pytest.mark.parametrize("late", list(DiscardTimeout))
def test_in_the_discard_round_the_discard_rule_decides(late):
    hand = hand_of([500] * 3, rules(IRISH, discard_timeout=late))
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check")
    event = time_out(hand, 2)
    assert event.rule == "DISC-8"
    assert event.kind == (EventKind.DISCARDED if late == DiscardTimeout.AUTO else EventKind.FOLDED)


@rule("TIME-2")
def test_a_whole_table_out_of_time_ends_the_hand():
    hand = hand_of([500] * 4)
    for seat in (3, 4, 1):
        time_out(hand, seat)
    assert hand.phase == Phase.OVER
    assert stacks_of(hand)[2] == 505
    hand = hand_of([500] * 3)
    play(hand, "p3 call, p1 call")
    while to_act(hand):
        assert time_out(hand, to_act(hand)).kind == EventKind.CHECKED
    assert hand.phase == Phase.OVER


@rule("TIME-2")
def test_of_several_late_seats_in_a_betting_round_only_the_one_to_act_is_late():
    hand = hand_of([500] * 3)
    rulings = propose_timeouts(hand, (2, 1))
    assert [ruling.reason for ruling in rulings] == [Reason.OUT_OF_TURN] * 2


@rule("TIME-2")
def test_a_seat_whose_decision_opens_by_anothers_time_out_is_not_late_with_it():
    hand = hand_of([500] * 3)
    play(hand, "p3 call, p1 call, p2 check")
    # Both are named as late; seat 2 had no open decision.
    rulings = propose_timeouts(hand, (1, 2))
    assert [ruling.accepted for ruling in rulings] == [True, False]
    assert to_act(hand) == 2
