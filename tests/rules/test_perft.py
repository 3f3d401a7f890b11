"""Exact counts of everything that can happen in tiny games, as chess programs count moves ("perft").

A sequence is a row of accepted actions from the first decision to the end of the hand; two sequences that end alike
may end in one state. Every wager size counts, time-outs do not. The deck is fixed. In Irish the discards are either
``fixed`` (the two cards dealt last, seats clockwise, so that they add nothing), ``chosen`` (each of the C(4,2) pairs,
seats clockwise) or in ``any order`` of the seats too.

The golden numbers stand in perft_golden.json; ``python -m tests.rules.test_perft`` prints them as they are now.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

from referee.rules.events import EventKind
from referee.rules.hand import open_hand, open_seats, propose
from referee.rules.ruleset import (
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    AnteKind,
    CapHeadsUp,
    Game,
    LateMinimum,
    OpenFold,
)
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import NOBODY, HandSetup, Post
from referee.rules.state import Hand, encode
from referee.second_opinion import reference_setup
from referee_reference import course, judge, terms
from referee_reference.hand import Hand as ReferenceHand
from tests.support import FL, NL, PL, options, rules, setup_of

rule = pytest.mark.rule
GOLDEN = Path(__file__).with_name("perft_golden.json")

EACH = {"ante_kind": AnteKind.EACH, "ante": 1}
BIG = {"ante_kind": AnteKind.BIG_BLIND, "ante": 1}


def tiny(stacks: list[int], limit: int, game: Game = HOLDEM, more: dict | None = None, **options: object) -> HandSetup:
    return setup_of(stacks, rules(game, **options), limit, blinds=(1, 2), **(more or {}))


GAMES = {
    "two seats, 3 chips, no-limit": tiny([3, 3], NL),
    "two seats, 3 chips, pot-limit": tiny([3, 3], PL),
    "two seats, 3 chips, fixed-limit": tiny([3, 3], FL),
    "two seats, 4 chips, no-limit": tiny([4, 4], NL),
    "two seats, 5 chips, no-limit": tiny([5, 5], NL),
    "two seats, 6 chips, no-limit": tiny([6, 6], NL),
    "two seats, 6 chips, pot-limit": tiny([6, 6], PL),
    "two seats, 12 chips, no-limit": tiny([12, 12], NL),
    "two seats, 12 chips, pot-limit": tiny([12, 12], PL),
    "two seats, 6 chips, fixed-limit": tiny([6, 6], FL),
    "two seats, 12 chips, fixed-limit": tiny([12, 12], FL),
    "two seats, 24 chips, fixed-limit uncapped": tiny([24, 24], FL, cap_heads_up=CapHeadsUp.UNCAPPED),
    "two seats, 3 and 6 chips, no-limit": tiny([3, 6], NL),
    "two seats, 6 and 5 chips, no-limit, open folds": tiny([6, 5], NL, open_fold=OpenFold.ALLOW),
    "two seats, 6 chips, no-limit, ante each": tiny([6, 6], NL, more=EACH),
    "two seats, 6 chips, no-limit, big blind ante": tiny([6, 6], NL, more=BIG),
    "two seats, 8 chips, no-limit, late minimum": tiny([8, 8], NL, late_minimum=LateMinimum.BIG_BET),
    "three seats, 3 chips, no-limit": tiny([3, 3, 3], NL),
    "three seats, 4 chips, no-limit": tiny([4, 4, 4], NL),
    "three seats, 6 chips, no-limit": tiny([6, 6, 6], NL),
    "three seats, 9 chips, pot-limit": tiny([9, 9, 9], PL),
    "three seats, 3 to 5 chips, no-limit": tiny([3, 4, 5], NL),
    "three seats, 5 to 3 chips, no-limit": tiny([5, 4, 3], NL),
    "three seats, 3 to 6 chips, no-limit, ante each": tiny([6, 3, 4], NL, more=EACH),
    "three seats, short blinds, no-limit": tiny([1, 1, 5], NL),
    "three seats, short big blind, pot-limit": tiny([5, 1, 5], PL),
    "three seats, 4 to 6 chips, pot-limit": tiny([4, 5, 6], PL),
    "three seats, 3 to 6 chips, fixed-limit": tiny([3, 5, 6], FL),
    "three seats, 6 chips, fixed-limit": tiny([6, 6, 6], FL),
    "three seats, no small blind, no-limit": tiny([4, 4, 4], NL, more={"small_blind_seat": NOBODY}),
    "three seats, a live and a dead post, no-limit": tiny([4, 4, 4], NL, more={"posts": [Post(3, 2, 1)]}),
    "irish, two seats, 3 chips, no-limit, fixed": tiny([3, 3], NL, IRISH),
    "irish, two seats, 3 chips, no-limit, chosen": tiny([3, 3], NL, IRISH),
    "irish, two seats, 3 chips, no-limit, any order": tiny([3, 3], NL, IRISH),
    "irish, two seats, 6 chips, pot-limit, fixed": tiny([6, 6], PL, IRISH),
    "irish, three seats, 3 to 5 chips, fixed-limit, fixed": tiny([3, 4, 5], FL, IRISH),
    "irish before the flop betting, two seats, 3 chips, no-limit, chosen": tiny([3, 3], NL, IRISH_BEFORE_FLOP_BETTING),
    "irish before the flop betting, three seats, 3 chips, fixed-limit, fixed": tiny(
        [3, 3, 3], FL, IRISH_BEFORE_FLOP_BETTING
    ),
    "pineapple, two seats, 4 chips, no-limit, chosen": tiny([4, 4], NL, PINEAPPLE),
}


@dataclass(frozen=True)
class Count:
    """How many sequences there are, in how many different states they end, and how many states lie on the way."""

    sequences: int
    end_states: int
    states: int


def discards_of(name: str) -> str:
    return next((way for way in ("fixed", "chosen", "any order") if name.endswith(f", {way}")), "fixed")


def moves(hand: Hand, way: str) -> Iterator[Proposal]:
    """Every action that the legal options allow."""
    for seat in open_seats(hand) if way == "any order" else open_seats(hand)[:1]:
        choice = options(hand, seat)
        if choice.discard:
            pairs = [choice.held[-choice.discard :]] if way == "fixed" else combinations(choice.held, choice.discard)
            for gone in pairs:
                yield Proposal(seat, ActionKind.DISCARD, 0, gone)
            continue
        if choice.fold:
            yield Proposal(seat, ActionKind.FOLD)
        if choice.check:
            yield Proposal(seat, ActionKind.CHECK)
        if choice.call:
            yield Proposal(seat, ActionKind.CALL)
        if choice.max_to:
            for to in range(choice.min_to, choice.max_to + 1, choice.step):
                yield Proposal(seat, choice.wager, to)


def count(setup: HandSetup, way: str) -> Count:
    """Walks every state once; what follows from a state depends on nothing but the state."""
    sequences: dict[bytes, int] = {}
    ends: set[bytes] = set()

    def walk(hand: Hand) -> int:
        state = encode(hand)
        if state not in sequences:
            if open_seats(hand):
                total = 0
                for proposal in moves(hand, way):
                    twin = hand.copy()
                    assert propose(twin, proposal).accepted
                    total += walk(twin)
                sequences[state] = total
            else:
                ends.add(state)
                sequences[state] = 1
        return sequences[state]

    return Count(walk(open_hand(setup)[0]), len(ends), len(sequences))


def golden() -> dict[str, Count]:
    numbers = json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.is_file() else {}
    return {name: Count(**numbers.get(name, {"sequences": -1, "end_states": -1, "states": -1})) for name in GAMES}


@rule("BET-2", "BET-4", "BET-5", "BET-6", "SIZE-1", "SIZE-2", "SIZE-4", "SIZE-5", "SIZE-6", "OPEN-2", "DISC-2")
@pytest.mark.parametrize("name", GAMES)
def test_counts_are_the_golden_ones(name: str) -> None:
    assert count(GAMES[name], discards_of(name)) == golden()[name]


def test_every_golden_number_belongs_to_a_game() -> None:
    assert list(json.loads(GOLDEN.read_text(encoding="utf-8"))) == list(GAMES)


# --- by hand --------------------------------------------------------------------------------------------


@rule("BET-2", "BET-6", "SIZE-2")
@pytest.mark.parametrize("limit", ["no-limit", "pot-limit", "fixed-limit"])
def test_two_seats_with_three_chips_by_hand(limit: str) -> None:
    # Blinds 1/2. The button has 1 of 2 in and 2 behind: he folds, calls, or raises to 3 with all he has (less than
    # the minimum of 4, which SIZE-2 allows; in fixed-limit the 1 more is half a bet).
    fold = 1
    raise_three = 2  # the big blind folds or calls
    # After the call the big blind raises to 3 (the button folds or calls), or checks. Then both have 1 chip, and a
    # street is: check-check and on to the next, check-bet-fold, check-bet-call, bet-fold, bet-call. After a call both
    # are all-in and nobody is asked again.
    option_raise = 2
    street = 4  # the ways in which a street ends the decisions of the hand
    three_streets = street + street + street + 1  # the last check-check ends the hand too
    expected = fold + raise_three + option_raise + three_streets
    assert expected == 18
    assert golden()[f"two seats, 3 chips, {limit}"].sequences == expected


@rule("DISC-1", "DISC-2", "DISC-3", "DISC-4", "BET-7")
@pytest.mark.parametrize(("way", "discards"), [("fixed", 1), ("chosen", 6 * 6), ("any order", 2 * 6 * 6)])
def test_irish_with_three_chips_by_hand(way: str, discards: int) -> None:
    # As above; each sequence that comes to the discard round with two live players goes on in as many ways as two
    # players can discard: C(4,2) each, in one order or in both.
    before_flop = 1 + (1 + discards) + (1 + discards)  # fold; raise to 3 at once, or after the call: folded or called
    flop = 2 + 2 * discards  # check-bet or bet: folded or called
    turn_and_river = discards * (4 + 4 + 1)  # the flop checked through
    expected = before_flop + flop + turn_and_river
    assert expected == {1: 18, 36: 473, 72: 941}[discards]
    assert golden()[f"irish, two seats, 3 chips, no-limit, {way}"].sequences == expected


@rule("BET-6", "BLIND-3", "POT-2")
def test_short_blinds_by_hand() -> None:
    # Both blinds have 1 chip and are all-in; the button has 5: he owes 2. He folds (the blinds are shown), or calls;
    # nobody who is live has chips, so he may not raise.
    assert golden()["three seats, short blinds, no-limit"].sequences == 2


# --- by the reference judge -----------------------------------------------------------------------------


def count_by_reference(hand: ReferenceHand) -> int:
    """The sequences that the reference judge finds, which knows nothing of the engine; discards fixed and clockwise."""
    seats = judge.seats_asked(hand)
    if not seats:
        return 1
    can = judge.options(hand, seats[0])
    if can.discard:
        deeds = [terms.Proposal(can.seat, "DISCARD", 0, can.held[-can.discard :])]
    else:
        deeds = [terms.Proposal(can.seat, "FOLD")] if can.fold else []
        deeds += [terms.Proposal(can.seat, "CHECK" if can.check else "CALL")]
        if can.highest:
            deeds += [terms.Proposal(can.seat, can.wager, to) for to in range(can.lowest, can.highest + 1)]
    return sum(count_by_reference(course.act(hand, deed)[0]) for deed in deeds)


# Looking everything up anew at every decision is slow, and one way to discard is enough.
SMALL = [name for name in GAMES if discards_of(name) == "fixed" and golden()[name].sequences < 4000]


@rule("BET-1", "BET-2", "BET-3", "BET-4", "BET-5", "BET-6", "SIZE-1", "SIZE-3", "SIZE-4", "SIZE-8", "OPEN-2", "OPEN-4")
@pytest.mark.parametrize("name", SMALL)
def test_the_reference_judge_counts_the_same(name: str) -> None:
    begun, _ = course.begin(reference_setup(GAMES[name]))
    assert count_by_reference(begun) == golden()[name].sequences


@rule("SIZE-4")
def test_the_pot_limit_binds_where_it_is_counted() -> None:
    # In tinier games it never does, and their counts say nothing about it.
    assert golden()["two seats, 6 chips, pot-limit"] == golden()["two seats, 6 chips, no-limit"]
    assert golden()["two seats, 12 chips, pot-limit"].sequences < golden()["two seats, 12 chips, no-limit"].sequences


def test_a_sequence_replays_to_its_end_state() -> None:
    hand, events = open_hand(GAMES["two seats, 6 chips, no-limit"])
    while open_seats(hand):
        ruling = propose(hand, list(moves(hand, "fixed"))[-1])
        events += ruling.events
    assert events[-1].kind == EventKind.HAND_ENDED


if __name__ == "__main__":
    print(json.dumps({name: vars(count(setup, discards_of(name))) for name, setup in GAMES.items()}, indent=1))
