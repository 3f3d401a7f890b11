"""Proposals that a decision makes: named actions as they are, and helpers that are always legal."""

import random

import pytest

from referee.client import HandView
from referee.record.view import view
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import OpenFold
from referee.rules.rulings import ActionKind, Proposal
from tests.support import FL, PL, cards, play, random_legal_proposal, random_setup, rules, scale, setup_of

HELPERS = {
    "check_or_fold": lambda decision, rng: decision.check_or_fold(),
    "check_or_call": lambda decision, rng: decision.check_or_call(),
    "bet_or_raise": lambda decision, rng: decision.bet_or_raise(rng.randint(-5, 2000)),
    "bet_pot": lambda decision, rng: decision.bet_pot(rng.randint(0, 300)),
    "all_in_or_call": lambda decision, rng: decision.all_in_or_call(),
}


def decision_of(stacks, script="", seat=None, **options):
    setup = setup_of(stacks, hand_id="h", **options)
    hand, opening = open_hand(setup)
    events = [*opening, *play(hand, script)]
    seat = open_seats(hand)[0] if seat is None else seat
    one = HandView(setup, 1, "t")
    for event in events:
        one.fold(view(event, seat, setup.rule_set))
    return hand, one.decision(legal_options(hand, seat))


@pytest.mark.parametrize("name", HELPERS)
def test_helpers_are_always_legal(name):
    rng = random.Random(name)
    tried = 0
    for _ in range(scale(300, 3000)):
        setup = random_setup(rng, known=1.0)
        hand, opening = open_hand(setup)
        views = {seat: HandView(setup, 1) for seat in setup.seats}
        fresh = opening
        while True:
            for seat, one in views.items():
                for event in fresh:
                    seen = view(event, seat, setup.rule_set)
                    if seen is not None:
                        one.fold(seen)
            if not open_seats(hand):
                break
            seat = rng.choice(open_seats(hand))
            if rng.random() < 0.5:
                proposal = HELPERS[name](views[seat].decision(legal_options(hand, seat)), rng)
                tried += 1
            else:
                proposal = random_legal_proposal(rng, hand)
            ruling = propose(hand, proposal)
            assert ruling.accepted, (proposal, ruling)
            fresh = ruling.events
    assert tried > 500


def test_named_actions_name_hand_decision_and_seat_and_are_not_changed():
    _, decision = decision_of([500] * 3, "p3 raise 40")
    base = (decision.seat, "h", 1)
    for proposal, kind, to in (
        (decision.fold(), ActionKind.FOLD, 0),
        (decision.check(), ActionKind.CHECK, 0),
        (decision.call(), ActionKind.CALL, 0),
        (decision.raise_to(41), ActionKind.RAISE, 41),
    ):
        assert (proposal.seat, proposal.hand_id, proposal.decision_id) == base
        assert (proposal.kind, proposal.to, proposal.cards) == (kind, to, ())


@pytest.mark.rule("BET-2")
def test_raise_to_is_a_bet_where_there_is_none():
    _, decision = decision_of([500] * 2, "p2 call, p1 check")
    assert decision.raise_to(50).kind == ActionKind.BET
    _, decision = decision_of([500] * 2)
    assert decision.raise_to(50).kind == ActionKind.RAISE


@pytest.mark.parametrize(
    ("asked", "given"), [(-3, 50), (0, 50), (50, 50), (63, 50), (75, 75), (99, 75), (480, 475), (500, 500), (9999, 500)]
)
def test_a_wager_goes_to_the_nearest_legal_total_below(asked, given):
    _, decision = decision_of([500] * 2, blinds=(25, 25), chip_unit=25)
    assert decision.bet_or_raise(asked).to == given


def test_the_highest_total_can_be_reached_even_off_the_steps():
    _, decision = decision_of([500] * 3, limit=PL)
    assert decision.legal.max_to == 35
    assert decision.all_in_or_call().to == 35


def test_a_pot_sized_bet_is_the_pot_limit():
    hand, decision = decision_of([500] * 3, "p3 raise 30", limit=PL)
    assert decision.bet_pot(100).to == decision.legal.max_to == legal_options(hand, 1).max_to


def test_where_no_wager_is_legal_helpers_call_or_check():
    _, decision = decision_of([500, 40, 500], "p3 raise 200, p1 fold")
    assert decision.legal.max_to == 0
    assert decision.bet_or_raise(100).kind == ActionKind.CALL
    assert decision.all_in_or_call().kind == ActionKind.CALL
    assert decision.raise_to(300).kind == ActionKind.RAISE, "named as it was meant, so that the referee can say why not"


def test_fixed_limit_has_one_size():
    _, decision = decision_of([500] * 3, limit=FL)
    assert {decision.bet_or_raise(to).to for to in (1, 20, 500)} == {20}


@pytest.mark.rule("DISC-2", "DISC-8")
def test_discards_by_cards_by_text_and_by_default():
    script = "p2 call, p1 check, p1 check, p2 check"
    _, decision = decision_of([500] * 2, script, rule_set="irish/full-tilt@1", holes={1: "AhKdTc9c"}, seat=1)
    assert decision.must_discard == 2
    assert decision.discard("Tc 9c").cards == cards("Tc9c")
    assert decision.discard(cards("AhTc")).cards == cards("AhTc")
    for default in (decision.discard_last(), decision.check_or_fold(), decision.bet_or_raise(7)):
        assert (default.kind, default.cards) == (ActionKind.DISCARD, cards("Tc9c"))


def test_completing_names_what_is_missing_and_keeps_what_is_named():
    _, decision = decision_of([500] * 2)
    assert decision.completed(Proposal(0, ActionKind.CALL)) == decision.call()
    assert decision.completed(Proposal(9, ActionKind.CALL, 0, (), "other", 8)) == Proposal(
        2, ActionKind.CALL, 0, (), "other", 8
    )


def test_an_open_fold_is_not_what_check_or_fold_means():
    _, decision = decision_of([500] * 2, "p2 call", rule_set=rules(open_fold=OpenFold.ALLOW))
    assert decision.legal.fold
    assert decision.check_or_fold().kind == ActionKind.CHECK
