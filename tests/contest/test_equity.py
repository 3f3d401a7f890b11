"""All-in equity adjustment, against playing the same hand out on every board that could have come."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from referee.contest.equity import cards_to_come, expected_payments
from referee.contest.results import reckon
from referee.rules.hand import open_hand, propose
from referee.rules.ruleset import CRAZY_PINEAPPLE, HOLDEM, IRISH, PINEAPPLE
from tests.support import cards, check_down, options, random_legal_proposal, setup_of


def played_out(rng, setup):
    """A hand of bold players, its events, and what was proposed."""
    hand, opening = open_hand(setup)
    events, proposals = list(opening), []
    while not hand.has_ended():
        proposal = random_legal_proposal(rng, hand, boldness=0.75)
        ruling = propose(hand, proposal)
        if ruling.accepted:
            proposals.append(proposal)
            events.extend(ruling.events)
    return hand, tuple(events), proposals


def mean_over_boards(hand, events, proposals):
    """What each player is paid on average: the same hand on every deck that differs in what was still to come."""
    setup, to_come = hand.setup, cards_to_come(events)
    begin = len(setup.seats) * setup.rule_set.game.hole_cards + 5 - to_come
    unseen = sorted(set(range(52)) - set(setup.deck[:begin]))
    totals, boards = [Fraction(0)] * len(setup.seats), 0
    for rest in combinations(unseen, to_come):
        again, _ = open_hand(replace(setup, deck=setup.deck[:begin] + rest))
        for proposal in proposals:
            assert propose(again, proposal).accepted
        assert again.has_ended()
        totals = [total + paid for total, paid in zip(totals, again.paid, strict=True)]
        boards += 1
    return tuple(total / boards for total in totals)


@pytest.mark.parametrize("game", [HOLDEM, IRISH, PINEAPPLE, CRAZY_PINEAPPLE], ids=lambda game: f"{game.hole_cards}")
def test_the_expectation_is_the_mean_over_every_board_played_out(game):
    rng = Random(game.hole_cards)
    checked = 0
    while checked < 6:
        players = rng.choice((2, 3, 4))
        stacks = [rng.choice((37, 100, 215, 400)) for _ in range(players)]
        hand, events, proposals = played_out(rng, setup_of(stacks, game, rng=rng))
        to_come = cards_to_come(events)
        if hand.live_count < 2 or to_come not in (1, 2):
            assert to_come or expected_payments(hand, events) is None
            continue
        if to_come == 2 and checked % 3:
            continue  # those cost more
        found = expected_payments(hand, events)
        assert found == mean_over_boards(hand, events, proposals)
        assert sum(found) == sum(hand.paid), "chips are only moved"
        checked += 1


def test_with_all_in_before_the_discard_only_what_came_after_the_last_discard_is_luck():
    setup = setup_of([100, 100], IRISH, holes={1: "Ah Ad 2c 3c", 2: "Kh Kd 4s 5s"}, board="Qs 7d 8c Kc 2h")
    hand, _ = open_hand(setup)
    choice = options(hand)
    assert propose(hand, random_raise(choice)).accepted
    events = check_down(hand)
    assert hand.has_ended()
    assert cards_to_come(events) == 2, "turn and river come after the discards"
    adjusted = reckon(hand, events).adjusted
    assert adjusted[0] > 0 > hand.stack[0] - 100, "aces lost to a king on the turn"
    assert adjusted[0] == -adjusted[1]


def random_raise(choice):
    from referee.rules.rulings import Proposal

    return Proposal(choice.seat, choice.wager, choice.max_to)


def test_what_is_decided_without_luck_is_left_as_it_is():
    hand, opening = open_hand(setup_of([100, 100], HOLDEM, holes={1: "Ah Ad", 2: "Kh Kd"}, board="Qs 7d 8c Kc 2h"))
    events = opening + check_down(hand)
    assert expected_payments(hand, events) is None
    one = reckon(hand, events)
    assert one.adjusted == tuple(map(float, one.nets))
    assert not one.left_alone


def test_too_many_boards_to_come_are_left_alone_and_said_so():
    hand, opening = open_hand(setup_of([100, 100], HOLDEM, holes={1: "Ah Ad", 2: "Kh Kd"}, board="Qs 7d 8c Kc 2h"))
    first = propose(hand, random_raise(options(hand)))
    events = opening + first.events + check_down(hand)
    assert cards_to_come(events) == 5
    assert reckon(hand, events).left_alone
    assert cards("Ah")[0] == 50
