"""Tables for tests: seated, started, and played by nobody in particular at moments that the test decides."""

import random
from dataclasses import dataclass

from referee.rules.ruleset import Limit, Stakes, find_rule_set
from referee.rules.rulings import ActionKind, Proposal
from referee.table.clocks import ClockRules
from referee.table.poker_config import PokerConfig
from referee.table.table import Table


@dataclass
class FakeMoments:
    """What time it is."""

    now: int = 1_800_000_000_000


def config(players=3, rule_set="holdem/tda@1", limit=Limit.NO_LIMIT, stack=500, **options):
    """A table's configuration from few words."""
    if isinstance(rule_set, str):
        rule_set = find_rule_set(rule_set)
    values = {
        "stakes": Stakes(5, 10),
        "seats": players,
        "starting_stack": stack,
        "reset_stacks": False,
        "hands": 0,
        "players_to_start": players,
        "clock": ClockRules(),
        "between_hands_ms": 0,
        "seed": bytes(range(32)),
    } | options
    return PokerConfig(rule_set, limit, **values)


def seated(players=3, **options):
    """A table whose seats are taken but for the last, so that no hand has begun."""
    table = Table("t1", config(players, **options))
    for seat in range(1, players):
        table.take_seat(seat, f"player {seat}", bytes([seat]) * 32, False, 0)
    return table


def started(table, moments):
    """Takes the last seat, with which the first hand begins."""
    last = table.config.seats
    table.take_seat(last, f"player {last}", bytes([last]) * 32, False, moments.now)
    assert table.hand_is_on


def decide(table, seat, rng: random.Random):
    """A random legal answer to the seat's open decision."""
    options = table.options(seat)
    proposal = Proposal(
        seat, ActionKind.CALL, hand_id=table.hand.setup.hand_id, decision_id=table.decisions[seat].decision_id
    )
    if options.discard:
        cards = tuple(rng.sample(options.held, options.discard))
        return proposal._replace(kind=ActionKind.DISCARD, cards=cards)
    if options.max_to and rng.random() < 0.3:
        return proposal._replace(kind=options.wager, to=rng.choice([options.min_to, options.max_to]))
    if options.fold and rng.random() < 0.2:
        return proposal._replace(kind=ActionKind.FOLD)
    return proposal._replace(kind=ActionKind.CHECK if options.check else ActionKind.CALL)
