"""BET: order and form of action."""

import random

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import carry_out, legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import HOLDEM, IRISH, DiscardTimeout, OpenFold
from referee.rules.rulings import REASON_RULES, ActionKind, Proposal, Reason
from referee.rules.setup import Post
from referee.rules.state import Phase, encode
from tests.support import (
    FL,
    NL,
    cards,
    check_down,
    hand_of,
    happened,
    options,
    play,
    proposal_of,
    random_legal_proposal,
    random_setup,
    refused,
    rules,
    scale,
    stacks_of,
    text,
    to_act,
    wager,
)

rule = pytest.mark.rule


def turns(hand, script):
    """Whose turn it was at each action of a script, and after it."""
    seen = [to_act(hand)]
    for words in script.split(", "):
        play(hand, words)
        seen.append(to_act(hand))
    return seen


@rule("BET-1")
def test_before_the_flop_the_first_to_act_sits_left_of_the_big_blind():
    assert to_act(hand_of([100] * 3)) == 3
    assert to_act(hand_of([100] * 6)) == 3
    assert to_act(hand_of({2: 100, 4: 100, 7: 100, 9: 100}, button=7)) == 4


@rule("BET-1")
def test_after_the_flop_it_is_the_first_live_player_left_of_the_button_with_chips():
    hand = hand_of([100, 10, 100, 100])
    play(hand, "p3 call, p4 call, p1 fold")
    # Seat 1 folded, seat 2 is all-in.
    assert to_act(hand) == 3
    play(hand, "p3 check, p4 check")
    assert to_act(hand) == 3


@rule("BET-1")
def test_action_goes_clockwise_over_those_who_folded():
    hand = hand_of([500] * 5)
    assert turns(hand, "p3 call, p4 fold, p5 raise 30, p1 call, p2 fold, p3 raise 60, p5 call, p1 call") == [
        *(3, 4, 5, 1, 2, 3, 5, 1, 1),
    ]


@rule("BET-1")
def test_after_a_raise_action_continues_from_the_raiser():
    hand = hand_of({1: 10000, 3: 10000, 5: 10000}, blinds=(50, 100))
    play(hand, "p5 call, p1 call, p3 check")
    assert turns(hand, "p1 check, p3 check, p5 bet 475, p1 call, p3 raise 1200, p5 call, p1 call") == [
        *(1, 3, 5, 1, 3, 5, 1, 1),
    ]


@rule("BET-1", "BET-9")
def test_acting_out_of_turn_is_refused_and_says_whose_turn_it_is():
    hand = hand_of([100] * 3)
    for words in ("p1 call", "p2 check", "p1 fold", "p2 raise 30", "p1 timeout"):
        ruling = refused(hand, words)
        assert (ruling.reason, ruling.rule) == (Reason.OUT_OF_TURN, "BET-1")
        assert "seat 3" in ruling.message
        assert ruling.options is None


@rule("BET-2")
def test_a_single_chip_owed_may_be_called_or_folded():
    hand = hand_of([500, 500], blinds=(9, 10))
    choice = options(hand)
    assert (choice.fold, choice.check, choice.call) == (True, False, 1)
    ruling = refused(hand, "p2 check")
    assert (ruling.reason, ruling.rule) == (Reason.CHECK_WHILE_OWING, "BET-2")


@rule("BET-2")
def test_with_nothing_to_match_one_checks_or_bets():
    hand = hand_of([100] * 3)
    play(hand, "p3 call, p1 call, p2 check")
    choice = options(hand)
    assert (choice.fold, choice.check, choice.call, choice.wager) == (False, True, 0, ActionKind.BET)
    assert refused(hand, "p1 call").reason == Reason.NOTHING_TO_CALL
    assert refused(hand, "p1 raise 20").reason == Reason.RAISE_WITHOUT_A_BET
    assert refused(hand, "p1 raise 20").rule == refused(hand, "p1 call").rule == "BET-2"
    play(hand, "p1 bet 20")
    assert hand.bet == [20, 0, 0]


@rule("BET-2")
def test_with_something_to_match_one_folds_calls_or_raises():
    hand = hand_of([100] * 3)
    choice = options(hand)
    assert (choice.fold, choice.check, choice.call, choice.wager) == (True, False, 10, ActionKind.RAISE)
    assert refused(hand, "p3 check").reason == Reason.CHECK_WHILE_OWING
    assert refused(hand, "p3 bet 30").reason == Reason.BET_OVER_A_BET
    assert refused(hand, "p3 bet 30").rule == "BET-2"
    play(hand, "p3 raise 30")


@rule("BET-2")
def test_the_option_of_the_big_blind_is_check_or_raise_and_not_bet():
    hand = hand_of([100] * 3)
    play(hand, "p3 call, p1 call")
    assert options(hand).wager == ActionKind.RAISE
    assert refused(hand, "p2 bet 30").reason == Reason.BET_OVER_A_BET
    play(hand, "p2 raise 30")


@rule("BET-2")
def test_a_short_all_in_bet_is_raised_and_not_bet_over():
    hand = hand_of([14, 500, 500])
    play(hand, "p3 call, p1 call, p2 check, p1 bet 4")
    assert refused(hand, "p2 bet 20").reason == Reason.BET_OVER_A_BET
    play(hand, "p2 raise 14")


@rule("BET-2")
def test_calls_and_checks_take_no_amount():
    hand = hand_of([100] * 3)
    for kind in (ActionKind.CALL, ActionKind.FOLD, ActionKind.TIMEOUT):
        assert refused(hand, Proposal(3, kind, to=10)).reason == Reason.MALFORMED_ACTION
    play(hand, "p3 call, p1 call")
    assert refused(hand, Proposal(2, ActionKind.CHECK, to=10)).reason == Reason.MALFORMED_ACTION


@rule("BET-3")
def test_folding_with_nothing_to_match_is_refused_by_default():
    hand = hand_of([100] * 3)
    play(hand, "p3 call, p1 call")
    for words in ("p2 fold", "p1 fold"):  # the option before the flop, and the first to act after it
        assert not options(hand).fold
        ruling = refused(hand, words)
        assert (ruling.reason, ruling.rule) == (Reason.NOTHING_TO_FOLD_TO, "BET-3")
        if hand.street == 0:
            play(hand, "p2 check")


@rule("BET-3")
def test_open_fold_may_be_allowed_and_is_then_accepted_with_a_warning():
    hand = hand_of([100] * 3, rules(open_fold=OpenFold.ALLOW))
    play(hand, "p3 call, p1 call")
    assert options(hand).fold
    ruling = propose(hand, proposal_of(hand, "p2 fold"))
    assert ruling.accepted
    assert ruling.rule == "BET-3"
    assert "BET-3" in ruling.warning
    ruling = propose(hand, proposal_of(hand, "p1 fold"))
    assert ruling.accepted
    assert ruling.warning
    assert hand.phase == Phase.OVER
    assert stacks_of(hand) == {1: 90, 2: 90, 3: 120}


@rule("BET-3")
def test_a_fold_to_a_bet_carries_no_warning():
    hand = hand_of([100] * 3, rules(open_fold=OpenFold.ALLOW))
    ruling = propose(hand, proposal_of(hand, "p3 fold"))
    assert (ruling.accepted, ruling.warning, ruling.rule) == (True, "", "BET-2")


@rule("BET-3")
def test_the_last_player_left_eligible_for_a_pot_is_not_even_asked():
    hand = hand_of([1000, 1000, 30], rules(open_fold=OpenFold.ALLOW))
    play(hand, "p3 raise 30, p1 call, p2 call, p1 bet 50, p2 call, p1 fold")
    assert hand.phase == Phase.OVER  # seat 2 alone is eligible for the side pot
    assert stacks_of(hand)[2] in (920 + 100, 920 + 190)


@rule("BET-3")
def test_a_live_post_ahead_of_short_blinds_cannot_be_folded_openly():
    # Seat 3 posted 10 live; the blinds have 0 and 4: nobody else has chips in above 4.
    hand = hand_of([100, 4, 100, 100], rules(open_fold=OpenFold.ALLOW), blinds=(0, 10), posts=[Post(3, 10, 0)])
    assert to_act(hand) == 3
    ruling = refused(hand, "p3 fold")
    assert (ruling.reason, ruling.rule) == (Reason.LAST_ELIGIBLE_CANNOT_FOLD, "BET-3")
    assert not options(hand).fold
    play(hand, "p3 check")


@rule("BET-4")
def test_a_round_closes_when_everybody_has_acted_and_matched():
    hand = hand_of([500] * 4)
    play(hand, "p3 raise 30, p4 call, p1 call")
    assert hand.street == 0  # the big blind has not matched
    play(hand, "p2 raise 90, p3 call, p4 call")
    assert hand.street == 0
    play(hand, "p1 call")
    assert hand.street == 1
    play(hand, "p1 check, p2 check, p3 check")
    assert hand.street == 1  # the button has not acted
    play(hand, "p4 check")
    assert hand.street == 2


@rule("BET-4")
def test_who_bet_is_not_asked_again_when_everybody_calls():
    hand = hand_of([500] * 3)
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 bet 50, p3 call, p1 call")
    assert hand.street == 2


@rule("BET-5")
def test_when_one_player_has_chips_and_owes_nothing_the_rounds_are_skipped():
    hand = hand_of([400, 200], holes={1: "Kc Kh", 2: "As Ad"}, board="2c 7d 9h Js 4s")
    events = play(hand, "p2 allin, p1 call")
    assert hand.phase == Phase.OVER
    assert [event.kind for event in happened(events, EventKind.BOARD_DEALT, EventKind.ROUND_CLOSED)] == [
        *(EventKind.ROUND_CLOSED, EventKind.BOARD_DEALT, EventKind.BOARD_DEALT, EventKind.BOARD_DEALT),
    ]
    assert stacks_of(hand) == {1: 200, 2: 400}


@rule("BET-5", "DISC-4")
def test_discards_are_not_skipped():
    hand = hand_of([400, 200], IRISH)
    play(hand, "p2 allin, p1 call")
    assert hand.phase == Phase.DISCARDING
    assert hand.street == 1
    assert open_seats(hand) == (1, 2)


@rule("BET-5")
def test_while_two_players_have_chips_they_go_on_betting():
    hand = hand_of([50, 1000, 1000])
    play(hand, "p3 call, p1 raise 50, p2 call, p3 call")
    assert to_act(hand) == 2
    assert options(hand).check
    assert wager(hand) == (10, 950)


@rule("BET-5", "BET-9")
def test_an_all_in_player_has_no_decision():
    hand = hand_of([50, 1000, 1000])
    play(hand, "p3 call, p1 raise 50, p2 call")
    for words in ("p1 fold", "p1 check", "p1 timeout"):
        ruling = refused(hand, words)
        assert (ruling.reason, ruling.rule) == (Reason.SEAT_ALL_IN, "BET-5")


@rule("BET-6")
def test_facing_only_all_in_players_one_folds_or_calls_but_does_not_raise():
    hand = hand_of([1880, 2000], blinds=(60, 120))
    play(hand, "p2 raise 240, p1 allin")
    choice = options(hand)
    assert (choice.fold, choice.check, choice.call, choice.max_to) == (True, False, 1640, 0)
    ruling = refused(hand, "p2 raise 2000")
    assert (ruling.reason, ruling.rule) == (Reason.OPPONENTS_ALL_IN, "OPEN-4")


@rule("BET-6", "BLIND-3", "POT-2")
def test_the_call_goes_to_the_full_level_and_the_excess_comes_back():
    # The big blind is all-in for 60 of 100; the small blind has 50 in and owes.
    hand = hand_of([1000, 60, 1000], blinds=(50, 100))
    play(hand, "p3 fold")
    assert options(hand).call == 50
    events = play(hand, "p1 call")
    returned = happened(events, EventKind.BET_RETURNED)
    assert [(event.seat, event.amount, event.to) for event in returned] == [(1, 40, 60)]


@rule("BET-6")
@pytest.mark.parametrize("big_blind_stack", [1, 40, 50])
def test_who_has_as_much_in_as_every_all_in_player_owes_nothing(big_blind_stack):
    # The small blind has 50 of 100 in, the big blind not more than that: the round closes without asking him.
    hand = hand_of([1000, big_blind_stack, 1000], blinds=(50, 100))
    events = play(hand, "p3 fold")
    assert hand.phase == Phase.OVER
    assert [event.amount for event in happened(events, EventKind.BET_RETURNED)] == (
        [50 - big_blind_stack] if big_blind_stack < 50 else []
    )


@rule("BET-6")
def test_a_big_blind_against_all_in_players_who_have_less_has_no_option():
    hand = hand_of([5, 1000, 8])
    play(hand, "p3 call")
    assert hand.phase == Phase.OVER
    assert hand.answered == [0, 0, 1]


@rule("BET-6")
def test_a_big_blind_against_an_all_in_of_just_his_blind_has_no_option():
    hand = hand_of([1000, 10])
    play(hand, "p2 allin")
    assert hand.phase == Phase.OVER
    assert hand.total == [10, 10]


@rule("BET-6")
def test_heads_up_a_short_button_is_not_waited_for():
    assert hand_of([1000, 5]).phase == Phase.OVER
    assert hand_of([1000, 2]).phase == Phase.OVER
    hand = hand_of([1000, 6])
    assert to_act(hand) == 2  # he still has a chip


@rule("BET-6")
def test_a_player_who_has_not_acted_owes_what_an_all_in_raiser_has_more():
    hand = hand_of([5, 1000, 12])
    play(hand, "p3 allin")
    assert to_act(hand) == 2
    assert options(hand).call == 2
    assert options(hand).max_to == 0


@rule("BET-7")
def test_when_one_live_player_is_left_the_hand_is_over_at_once():
    hand = hand_of([100] * 3, IRISH)
    play(hand, "p3 call, p1 call, p2 check, p1 bet 20, p2 fold")
    events = play(hand, "p3 fold")
    assert [event.kind for event in events] == [
        EventKind.FOLDED,
        EventKind.BET_RETURNED,
        EventKind.ROUND_CLOSED,
        EventKind.POT_AWARDED,
        EventKind.HAND_ENDED,
    ]
    assert len(hand.board) == 3
    assert hand.phase == Phase.OVER


@rule("BET-7", "SHOW-7")
def test_a_walk_gives_the_big_blind_the_small_one():
    hand = hand_of([100] * 3)
    play(hand, "p3 fold, p1 fold")
    assert stacks_of(hand) == {1: 95, 2: 105, 3: 100}
    assert hand.board == ()


@rule("BET-7", "DISC-8")
def test_a_discard_round_that_leaves_one_player_ends_the_hand():
    hand = hand_of([100] * 3, rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check")
    play(hand, "p1 timeout")
    events = play(hand, "p2 timeout")
    assert hand.phase == Phase.OVER
    assert len(hand.board) == 3
    assert not happened(events, EventKind.HAND_SHOWN, EventKind.BOARD_DEALT, EventKind.DISCARDED)
    assert stacks_of(hand) == {1: 90, 2: 90, 3: 120}


@rule("BET-8")
@pytest.mark.parametrize("to", [-20, -1, 0, 1, 9, 10, 11, 19, 101, 10**9, 10**30])
def test_wagers_outside_the_range_are_refused_and_not_trimmed(to):
    hand = hand_of([100] * 3)
    before = options(hand)
    refused(hand, Proposal(3, ActionKind.RAISE, to))
    assert options(hand) == before
    assert to_act(hand) == 3


@rule("BET-8")
@pytest.mark.parametrize("to", [21, 24, 26, 99])
def test_wagers_between_chip_units_are_refused_and_not_rounded(to):
    hand = hand_of([100] * 3, chip_unit=5)
    ruling = refused(hand, Proposal(3, ActionKind.RAISE, to))
    assert (ruling.reason, ruling.rule) == (Reason.NOT_A_CHIP_MULTIPLE, "BET-8")
    assert options(hand).step == 5


@rule("BET-8")
def test_a_refusal_gives_reason_rule_and_legal_options_and_changes_nothing():
    hand = hand_of([100] * 3)
    ruling = refused(hand, "p3 raise 15")
    assert ruling.reason == Reason.BELOW_MINIMUM
    assert ruling.rule in ("SIZE-1", "SIZE-3")
    assert ruling.options == legal_options(hand, 3)
    assert ruling.events == ()
    play(hand, "p3 raise 20")


@rule("BET-8")
@pytest.mark.parametrize("kind", [0, -1, 10, 99])
def test_unknown_actions_are_refused(kind):
    hand = hand_of([100] * 3)
    assert refused(hand, Proposal(3, kind)).reason == Reason.UNKNOWN_ACTION
    irish = hand_of([100] * 3, IRISH)
    play(irish, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check")
    assert refused(irish, Proposal(1, kind)).reason == Reason.UNKNOWN_ACTION


@rule("BET-8")
@pytest.mark.parametrize("kind", [ActionKind.BET, 99, "raise"])
def test_a_proposal_is_a_value_whatever_kind_it_names(kind: object) -> None:
    proposal = Proposal(3, kind, 20, decision_id=1)
    assert proposal == Proposal(seat=3, kind=kind, to=20, decision_id=1)
    assert hash(proposal) == hash(Proposal(3, kind, 20, (), "", 1))
    assert proposal._replace(to=30) == Proposal(3, kind, 30, decision_id=1) != proposal
    assert repr(proposal) == f"Proposal(seat=3, kind={kind!r}, to=20, cards=(), hand_id='', decision_id=1)"


@rule("BET-8")
@pytest.mark.parametrize("kind", ["FOLD", "CALL", "RAISE", "TIMEOUT", "FORFEIT"])
def test_only_a_discard_names_cards(kind):
    hand = hand_of([100] * 3)
    to = 30 if kind == "RAISE" else 0
    assert refused(hand, Proposal(3, ActionKind[kind], to, cards("Ah"))).reason == Reason.MALFORMED_ACTION


@rule("BET-9")
def test_a_proposal_for_another_hand_is_refused():
    hand = hand_of([100] * 3, hand_id="hand-1")
    for other in ("hand-2", "HAND-1", " hand-1"):
        ruling = refused(hand, Proposal(3, ActionKind.CALL, hand_id=other))
        assert (ruling.reason, ruling.rule) == (Reason.WRONG_HAND, "BET-9")
    assert propose(hand, Proposal(3, ActionKind.CALL, hand_id="hand-1")).accepted


@rule("BET-9")
def test_decision_ids_are_issued_per_seat_and_a_stale_one_is_refused():
    hand = hand_of([500] * 3)
    assert options(hand).decision_id == 1
    for stale in (-1, 2, 7):
        ruling = refused(hand, Proposal(3, ActionKind.CALL, decision_id=stale))
        assert (ruling.reason, ruling.rule) == (Reason.STALE_DECISION, "BET-9")
    assert propose(hand, Proposal(3, ActionKind.RAISE, 30, decision_id=1)).accepted
    # Each seat counts for itself: the next player's first decision is his number 1 too.
    assert propose(hand, Proposal(1, ActionKind.RAISE, 60, decision_id=1)).accepted
    assert propose(hand, Proposal(2, ActionKind.FOLD, decision_id=1)).accepted
    assert refused(hand, Proposal(3, ActionKind.CALL, decision_id=1)).reason == Reason.STALE_DECISION
    assert propose(hand, Proposal(3, ActionKind.CALL, decision_id=2)).accepted


@rule("BET-9")
def test_answering_the_same_decision_twice_is_refused():
    hand = hand_of([500, 500])
    play(hand, "p2 call, p1 check")
    check = Proposal(1, ActionKind.CHECK, decision_id=options(hand).decision_id)
    assert propose(hand, check).accepted
    assert refused(hand, check).reason == Reason.OUT_OF_TURN
    play(hand, "p2 check")
    assert refused(hand, check).reason == Reason.STALE_DECISION


@rule("BET-9", "DISC-3")
def test_another_seats_discard_makes_nothing_stale():
    hand = hand_of([100] * 3, IRISH, holes={1: "2c 3c 4c 5c", 2: "2d 3d 4d 5d", 3: "2h 3h 4h 5h"})
    play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check")
    mine = Proposal(1, ActionKind.DISCARD, cards=cards("2c 3c"), decision_id=options(hand, 1).decision_id)
    its = options(hand, 1)
    play(hand, "p3 discard 2h3h, p2 discard 4d5d")
    assert options(hand, 1) == its
    assert propose(hand, mine).accepted


@rule("BET-9")
def test_after_the_end_everything_but_showing_is_refused():
    hand = hand_of([100] * 3)
    play(hand, "p3 fold, p1 fold")
    for seat in (1, 2, 3, 7):
        for kind in ActionKind:
            if kind != ActionKind.SHOW:
                ruling = refused(hand, Proposal(seat, kind))
                assert (ruling.reason, ruling.rule) == (Reason.HAND_OVER, "BET-9")


@rule("BET-9")
@pytest.mark.parametrize("seat", [0, 4, 10, 11, -1, 10**12])
def test_seats_that_are_not_dealt_in_are_refused(seat):
    ruling = refused(hand_of([100] * 3), Proposal(seat, ActionKind.CALL))
    assert (ruling.reason, ruling.rule) == (Reason.SEAT_NOT_IN_HAND, "BET-9")


@rule("BET-9")
def test_a_folded_seat_is_told_so():
    hand = hand_of([100] * 3)
    play(hand, "p3 fold")
    assert refused(hand, "p3 call").reason == Reason.SEAT_FOLDED


# --- of several faults the first listed is given --------------------------------------------------------


def flop(game=HOLDEM, limit=NL):
    hand = hand_of([100] * 4, game, limit, hand_id="h")
    play(hand, "p3 call, p4 fold, p1 call, p2 check")
    return hand


def discarding():
    hand = flop(IRISH)
    play(hand, "p1 check, p2 check, p3 check, p3 discard " + text(hand.hole[2][:2]))
    return hand


def undecided():
    hand = hand_of([100] * 3, known=False)
    play(hand, "p3 fold, p1 call, p2 check")
    check_down(hand)
    return hand


def over():
    hand = flop()
    play(hand, "p1 bet 20, p2 fold, p3 fold")
    return hand


DISCARD, SHOW, TIMEOUT = ActionKind.DISCARD, ActionKind.SHOW, ActionKind.TIMEOUT
PRECEDENCE = {
    "wrong hand before hand over": (over, Proposal(1, ActionKind.CHECK, hand_id="x"), Reason.WRONG_HAND),
    "wrong hand before seat": (flop, Proposal(9, ActionKind.CHECK, hand_id="x"), Reason.WRONG_HAND),
    "hand over before seat": (over, Proposal(9, ActionKind.CHECK), Reason.HAND_OVER),
    "hand over before folded": (over, Proposal(2, ActionKind.CHECK), Reason.HAND_OVER),
    "seat before unknown action": (flop, Proposal(9, 77), Reason.SEAT_NOT_IN_HAND),
    "seat before undecided": (undecided, Proposal(9, ActionKind.CHECK), Reason.SEAT_NOT_IN_HAND),
    "folded before undecided": (undecided, Proposal(3, ActionKind.CHECK), Reason.SEAT_FOLDED),
    "unknown action before undecided": (undecided, Proposal(1, 77), Reason.UNKNOWN_ACTION),
    "folded before stale": (flop, Proposal(4, ActionKind.CHECK, decision_id=9), Reason.SEAT_FOLDED),
    "discarded before stale": (discarding, Proposal(3, DISCARD, decision_id=9), Reason.ALREADY_DISCARDED),
    "discarded before unknown action": (discarding, Proposal(3, 77), Reason.ALREADY_DISCARDED),
    "turn before stale": (flop, Proposal(2, ActionKind.CHECK, decision_id=9), Reason.OUT_OF_TURN),
    "turn before unknown action": (flop, Proposal(2, 77), Reason.OUT_OF_TURN),
    "stale before unknown action": (flop, Proposal(1, 77, decision_id=9), Reason.STALE_DECISION),
    "stale before malformed": (flop, Proposal(1, ActionKind.CHECK, 7, decision_id=9), Reason.STALE_DECISION),
    "malformed before nothing to call": (flop, Proposal(1, ActionKind.CALL, 7), Reason.MALFORMED_ACTION),
    "malformed before raise without bet": (flop, Proposal(1, ActionKind.RAISE, 20, (5,)), Reason.MALFORMED_ACTION),
    "malformed before no discard round": (flop, Proposal(1, DISCARD, 7, (5, 6)), Reason.MALFORMED_ACTION),
    "malformed before discard owed": (discarding, Proposal(1, ActionKind.CHECK, 7), Reason.MALFORMED_ACTION),
    "malformed before discard owed, cards": (
        discarding,
        Proposal(1, ActionKind.BET, 20, (5,)),
        Reason.MALFORMED_ACTION,
    ),
    "malformed before card count": (discarding, Proposal(1, DISCARD, 7, (5,)), Reason.MALFORMED_ACTION),
    "no such card before card count": (discarding, Proposal(1, DISCARD, 0, (99,)), Reason.MALFORMED_ACTION),
    "card count before repeats": (discarding, Proposal(1, DISCARD, 0, (5, 5, 5)), Reason.CARD_COUNT_WRONG),
    "repeats before not held": (discarding, Proposal(1, DISCARD, 0, (5, 5)), Reason.CARD_REPEATED),
    "bet or raise before size": (flop, Proposal(1, ActionKind.RAISE, 10**9), Reason.RAISE_WITHOUT_A_BET),
    "stack before minimum": (flop, Proposal(1, ActionKind.BET, 91), Reason.ABOVE_STACK),
}


@rule("BET-8", "BET-9")
@pytest.mark.parametrize("case", PRECEDENCE)
def test_of_several_faults_the_first_listed_is_given(case):
    make, proposal, expected = PRECEDENCE[case]
    hand = make()
    if proposal.cards == (5, 5):  # two equal cards that the seat does not hold
        other = next(card for card in range(52) if card not in hand.hole[hand.index_of(proposal.seat)])
        proposal = proposal._replace(cards=(other, other))
    assert refused(hand, proposal).reason == expected


@rule("BET-8", "BET-9")
def test_every_reason_has_a_rule_and_its_own_number():
    assert set(REASON_RULES) == set(Reason)
    assert [reason.value for reason in Reason] == list(range(1, len(Reason) + 1))


@rule("BET-9", "SHOW-2")
def test_a_show_that_names_an_amount_cards_or_a_decision_is_refused():
    # Nothing of a proposal is silently ignored (BET-8), and a decision id that is not open is refused (BET-9).
    hand = hand_of([100] * 3)
    play(hand, "p3 fold, p1 fold")
    assert refused(hand, Proposal(2, SHOW, to=10)).reason == Reason.MALFORMED_ACTION
    assert refused(hand, Proposal(2, SHOW, cards=cards("Ah"))).reason == Reason.MALFORMED_ACTION
    assert refused(hand, Proposal(2, SHOW, decision_id=9)).reason == Reason.STALE_DECISION
    assert propose(hand, Proposal(2, SHOW)).accepted


@rule("BET-8")
def test_a_refusal_at_the_end_changes_nothing_either():
    hand = over()
    before = encode(hand)
    for seat in range(12):
        for kind in (*ActionKind, 99):
            if (seat, kind) != (1, SHOW):
                refused(hand, Proposal(seat, kind))
    assert encode(hand) == before


@rule("BET-2", "SIZE-5")
def test_fixed_limit_too_names_the_street_total():
    hand = hand_of([100] * 3, HOLDEM, FL)
    assert refused(hand, "p3 raise 10").reason == Reason.NOT_THE_FIXED_SIZE
    play(hand, "p3 raise 20")
    assert hand.bet == [5, 10, 20]


@rule("BET-9", "TIME-2")
def test_a_time_out_answers_the_decision_it_names_only():
    hand = hand_of([100] * 3)
    assert refused(hand, Proposal(3, TIMEOUT, decision_id=2)).reason == Reason.STALE_DECISION
    assert propose(hand, Proposal(3, TIMEOUT, decision_id=1)).accepted


@rule("BET-8")
def test_carrying_out_is_proposing_without_a_ruling():
    rng = random.Random(8)
    for _ in range(scale(150, 2_000)):
        setup = random_setup(rng)
        told, untold = open_hand(setup)[0], open_hand(setup)[0]
        while open_seats(told):
            proposal = random_legal_proposal(rng, told)
            if rng.random() < 0.3:
                wrong = rng.choice([replace_seat(proposal), proposal._replace(to=proposal.to + rng.randint(-3, 3))])
            else:
                wrong = proposal
            for one in (wrong, proposal):
                if not open_seats(told):
                    break
                before = encode(untold)
                ruling, event = propose(told, one), carry_out(untold, one)
                assert (event is not None) == ruling.accepted
                assert event is None or event == ruling.events[0]
                assert encode(untold) == encode(told)
                assert ruling.accepted or encode(untold) == before


def replace_seat(proposal):
    """The same by the next seat, whoever that is."""
    return proposal._replace(seat=proposal.seat % 10 + 1)
