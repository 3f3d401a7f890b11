"""Setups of which most are refused: a random one with one thing or two spoiled."""

import random
from dataclasses import replace

from referee.rules.ruleset import AnteKind, DiscardPoint, LateMinimum, RuleSetError
from referee.rules.setup import HandSetup, Post, check_setup
from tests.support import FL, NL, PL, random_setup


def faulty(rng: random.Random) -> HandSetup:
    """A setup with one thing or two changed, so that most are refused."""
    setup = random_setup(rng, max_seats=rng.choice((6, 10)))
    for _ in range(rng.choice((1, 1, 2))):
        setup = spoiled(rng, setup)
    return setup


def spoiled(rng: random.Random, setup: HandSetup) -> HandSetup:
    stakes, rule_set, seats = setup.stakes, setup.rule_set, setup.seats
    odd, some = rng.choice((-1, 0, 1, 3, 7)), rng.randint(-1, 12)
    unit = stakes.chip_unit
    changes = (
        {"stakes": replace(stakes, small_blind=rng.choice((some * unit, odd, stakes.big_blind + unit)))},
        {"stakes": replace(stakes, big_blind=rng.choice((some * unit, odd)))},
        {"stakes": replace(stakes, small_bet=rng.choice((some * unit, odd)))},
        {"stakes": replace(stakes, big_bet=rng.choice((some * unit, odd, 3 * stakes.big_blind)))},
        {"stakes": replace(stakes, ante=rng.choice((some * unit, odd)))},
        {"stakes": replace(stakes, ante_kind=rng.choice(list(AnteKind)))},
        {"stakes": replace(stakes, chip_unit=rng.choice((0, 2, 3, 10, -1)))},
        {"stakes": replace(stakes, rake_basis_points=rng.choice((-1, 10_000, 10_001)))},
        {"stakes": replace(stakes, rake_cap=rng.choice((-2, 1, 3, 5)))},
        {"rule_set": replace(rule_set, name=rng.choice(("", "a@b", "irish/full-tilt", "holdem/tda")), version=1)},
        {"rule_set": replace(rule_set, name="test/x", version=rng.choice((0, 1)))},
        {"rule_set": replace(rule_set, name="test/x", limits=rng.choice(((), (NL,), (PL, PL), (FL,), (NL, PL, FL))))},
        {"rule_set": replace(rule_set, name="test/x", max_raises=rng.choice((-1, 0, 5)))},
        {"rule_set": replace(rule_set, name="test/x", late_minimum=rng.choice(list(LateMinimum)))},
        {"rule_set": replace(rule_set, name="test/x", game=replace(rule_set.game, discards=rng.randint(-1, 5)))},
        {"rule_set": replace(rule_set, name="test/x", game=replace(rule_set.game, hole_cards=rng.randint(0, 26)))},
        {"rule_set": replace(rule_set, name="test/x", game=replace(rule_set.game, hole_cards=48 // len(seats)))},
        {
            "rule_set": replace(
                rule_set, name="test/x", game=replace(rule_set.game, discard_point=rng.choice(list(DiscardPoint)))
            )
        },
        {"limit": rng.choice((NL, PL, FL))},
        {"seats": tuple(rng.sample(range(12), len(seats)))},
        {"seats": seats[:-1], "stacks": setup.stacks[:-1]},
        {"seats": seats[:1], "stacks": setup.stacks[:1]},
        {"seats": seats[::-1]},
        {"stacks": tuple(rng.randint(-1, 30) for _ in seats)},
        {"stacks": setup.stacks[1:]},
        {"button_seat": rng.randint(0, 11)},
        {"small_blind_seat": rng.choice((0, *seats))},
        {"big_blind_seat": rng.choice((0, *seats))},
        {"posts": (Post(rng.randint(0, 11), rng.choice((0, stakes.big_blind, 1)), rng.choice((0, 1))),)},
        {"posts": tuple(Post(rng.choice(seats), stakes.big_blind, 0) for _ in range(2))},
        {"deck": setup.deck[: rng.randint(0, 52)]},
        {"deck": tuple(rng.randint(-1, 53) for _ in range(60))},
        {"deck": (*setup.deck[:-1], *setup.deck[:1])},
        {"show_when_beaten": (rng.randint(0, 11),)},
        {"mucked_unseen": (rng.randint(0, 11),)},
        {"recorded_rake": rng.choice((-2, 0, 1, 10**9))},
    )
    return replace(setup, **rng.choice(changes))


def refused_by(setup: HandSetup) -> str | None:
    """The rule by which the engine refuses the setup, None if it does not."""
    try:
        check_setup(setup)
    except RuleSetError as refused:
        return refused.rule
    return None
