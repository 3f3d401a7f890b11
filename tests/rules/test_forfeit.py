"""TIME-4: a hand forfeited by faults folds at this decision; an owed discard takes the cards dealt last."""

import random

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import impose, legal_options, open_seats, propose, propose_together
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    DiscardTimeout,
    OpenFold,
)
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.setup import Post
from referee.rules.state import Phase
from tests.support import FL, cards, hand_of, play, play_out, refused, rules, stacks_of, to_act

rule = pytest.mark.rule

TO_THE_DISCARDS = "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check"


def forfeit(hand, seat):
    """The seat's hand is forfeited, which must be accepted; returns the event it became."""
    ruling = propose(hand, Proposal(seat, ActionKind.FORFEIT))
    assert ruling.accepted, ruling
    assert (ruling.rule, ruling.warning) == ("TIME-4", "")
    event = ruling.events[0]
    assert (event.seat, event.automatic, event.rule) == (seat, True, "TIME-4")
    return event


@rule("TIME-4")
def test_who_owes_something_folds():
    hand = hand_of([500] * 3)
    assert forfeit(hand, 3).kind == EventKind.FOLDED
    play(hand, "p1 raise 30")
    assert forfeit(hand, 2).kind == EventKind.FOLDED
    assert hand.phase == Phase.OVER
    assert stacks_of(hand) == {1: 510, 2: 490, 3: 500}


@rule("TIME-4", "BET-3")
@pytest.mark.parametrize("open_fold", list(OpenFold))
def test_who_owes_nothing_folds_too_whatever_the_rule_set_says_of_open_folds(open_fold):
    hand = hand_of([500] * 3, rules(open_fold=open_fold))
    play(hand, "p3 call, p1 call")
    event = forfeit(hand, 2)  # the big blind, who could check
    assert (event.kind, event.to) == (EventKind.FOLDED, 10)
    assert hand.street == 1
    assert open_seats(hand) == (1,)
    assert forfeit(hand, 1).kind == EventKind.FOLDED
    assert stacks_of(hand) == {1: 490, 2: 490, 3: 520}


@rule("TIME-4", "BET-7", "POT-2")
def test_a_forfeit_of_the_last_opponent_ends_the_hand_without_cards_or_discards():
    hand = hand_of([500, 500], IRISH)
    ruling = propose(hand, Proposal(2, ActionKind.FORFEIT))
    assert [event.kind for event in ruling.events] == [
        EventKind.FOLDED,
        EventKind.BET_RETURNED,
        EventKind.ROUND_CLOSED,
        EventKind.POT_AWARDED,
        EventKind.HAND_ENDED,
    ]
    assert stacks_of(hand) == {1: 505, 2: 495}


@rule("TIME-4", "BET-5", "DISC-7")
def test_a_forfeit_that_leaves_nobody_to_bet_against_goes_on_to_the_discards_of_those_who_are_all_in():
    hand = hand_of([100, 500, 500], IRISH)
    play(hand, "p3 call, p1 call, p2 check, p1 bet 90, p2 call, p3 raise 200")
    forfeit(hand, 2)
    assert hand.phase == Phase.DISCARDING
    assert open_seats(hand) == (1, 3)
    assert stacks_of(hand) == {1: 0, 2: 400, 3: 400}, "what nobody called went back"


@rule("TIME-4", "POT-1", "POT-4")
def test_the_chips_of_who_forfeits_stay_in_the_pots():
    hand = hand_of([60, 500, 500], holes={1: "AsAh", 2: "2c7d", 3: "KsKh"}, board="3c9dJh5s8c")
    play(hand, "p3 raise 100, p1 call, p2 call, p2 bet 50, p3 call")
    forfeit(hand, 2)
    assert hand.phase == Phase.OVER
    assert stacks_of(hand) == {1: 180, 2: 350, 3: 350 + 180}


@rule("TIME-4", "POT-3")
def test_even_the_last_one_eligible_for_a_pot_folds_and_his_chips_join_the_pot_below():
    # Seat 3 posted 10 live and owes nothing; the blinds have 0 and 4. An open fold would be refused him (BET-3).
    hand = hand_of([100, 4, 100, 100], rules(open_fold=OpenFold.ALLOW), blinds=(0, 10), posts=[Post(3, 10, 0)])
    assert refused(hand, "p3 fold").reason == Reason.LAST_ELIGIBLE_CANNOT_FOLD
    assert forfeit(hand, 3).to == 10
    play(hand, "p4 fold, p1 fold")
    assert stacks_of(hand) == {1: 100, 2: 14, 3: 90, 4: 100}


@rule("TIME-4", "TIME-2")
def test_only_a_seat_with_an_open_decision_forfeits_its_hand():
    hand = hand_of([500, 500, 8])
    assert refused(hand, "p1 forfeit").reason == Reason.OUT_OF_TURN
    assert refused(hand, "p7 forfeit").reason == Reason.SEAT_NOT_IN_HAND
    assert refused(hand, Proposal(3, ActionKind.FORFEIT, decision_id=2)).reason == Reason.STALE_DECISION
    assert refused(hand, Proposal(3, ActionKind.FORFEIT, to=10)).reason == Reason.MALFORMED_ACTION
    play(hand, "p3 call, p1 call")
    assert refused(hand, "p3 forfeit").reason == Reason.SEAT_ALL_IN, "an all-in player keeps his hand"
    assert impose(hand, Proposal(3, ActionKind.FORFEIT)) is None
    forfeit(hand, 2)
    assert refused(hand, "p2 forfeit").reason == Reason.HAND_OVER


@rule("TIME-4", "DISC-8", "DISC-6")
@pytest.mark.parametrize("late", list(DiscardTimeout))
def test_a_forfeited_discard_takes_the_cards_dealt_last_even_where_late_discards_fold(late):
    hand = hand_of([500] * 3, rules(IRISH, discard_timeout=late), holes={2: "AsKs2c7d"})
    play(hand, TO_THE_DISCARDS)
    event = forfeit(hand, 2)
    assert (event.kind, event.cards) == (EventKind.DISCARDED, cards("2c7d"))
    assert refused(hand, "p2 forfeit").reason == Reason.ALREADY_DISCARDED
    assert hand.live == [True] * 3


@rule("TIME-4", "DISC-4")
def test_an_all_in_player_forfeits_a_discard_and_stays_in():
    hand = hand_of([500, 100, 500], rules(IRISH, discard_timeout=DiscardTimeout.FOLD), holes={2: "AsKs2c7d"})
    play(hand, "p3 call, p1 call, p2 check, p1 bet 90, p2 call, p3 call")
    assert stacks_of(hand)[2] == 0
    assert forfeit(hand, 2).kind == EventKind.DISCARDED
    assert all(hand.live)


@rule("TIME-4", "GAME-3")
@pytest.mark.parametrize(
    ("game", "board"), [(PINEAPPLE, 0), (IRISH_BEFORE_FLOP_BETTING, 3), (CRAZY_PINEAPPLE, 3), (IRISH, 3)]
)
def test_before_and_in_a_discard_round_at_any_point(game, board):
    hand = hand_of([500] * 3, game)
    forfeit(hand, 3)  # before the flop there is nothing to discard yet
    play(hand, "p1 call, p2 check")
    if hand.phase != Phase.DISCARDING:
        play(hand, "p1 check, p2 check")
    assert (hand.phase, len(hand.board), open_seats(hand)) == (Phase.DISCARDING, board, (1, 2))
    assert forfeit(hand, 1).cards == hand.hole[hand.index_of(1)][-game.discards :]
    assert forfeit(hand, 2).kind == EventKind.DISCARDED
    assert hand.phase == Phase.BETTING
    seat = to_act(hand)
    assert forfeit(hand, seat).kind == EventKind.FOLDED
    assert hand.phase == Phase.OVER


@rule("TIME-4", "SIZE-6")
def test_after_a_forfeit_sizes_and_the_cap_are_as_after_any_fold():
    folded, forfeited = (hand_of([500] * 4, limit=FL) for _ in range(2))
    for hand, out in ((folded, "p3 fold"), (forfeited, "p3 forfeit")):
        play(hand, f"{out}, p4 raise 20, p1 raise 30, p2 raise 40")
    assert legal_options(folded, 4) == legal_options(forfeited, 4)
    assert legal_options(folded, 4).max_to == 0


@rule("TIME-4", "DISC-8")
def test_of_seats_that_are_answered_for_together_each_gets_its_own():
    hand = hand_of([500] * 3, rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    play(hand, TO_THE_DISCARDS)
    kinds = {1: ActionKind.TIMEOUT, 2: ActionKind.FORFEIT, 3: ActionKind.TIMEOUT}
    rulings = propose_together(hand, tuple([Proposal(seat, kind) for seat, kind in kinds.items()]))
    told = [(ruling.events[0].kind, ruling.rule) for ruling in rulings]
    folds = (EventKind.FOLDED, "DISC-8")
    assert told == [folds, (EventKind.DISCARDED, "TIME-4"), folds]
    assert hand.phase == Phase.OVER


@rule("TIME-4", "POT-7")
def test_hands_with_forfeits_anywhere_keep_every_chip():
    rng = random.Random(4)
    forfeited = 0
    for _ in range(200):
        hand = hand_of([rng.randrange(10, 300) for _ in range(rng.randrange(2, 7))], IRISH, rng=rng)
        while open_seats(hand):
            seat = rng.choice(open_seats(hand))
            if rng.random() < 0.15:
                forfeit(hand, seat)
                forfeited += 1
            elif rng.random() < 0.05:
                play_out(rng, hand)
            elif not propose(hand, Proposal(seat, ActionKind.CALL)).accepted:
                assert propose(hand, Proposal(seat, ActionKind.TIMEOUT)).accepted
        assert sum(hand.stack) == sum(hand.setup.stacks)
    assert forfeited > 100
