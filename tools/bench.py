"""`make bench`: the referee beside pokerkit, measured as ratios within interleaved rounds of one run.

    python -m tools.bench [--rounds 9] [--seconds 1.0] [--json build/bench.json]

Both engines play six-handed no-limit hold'em (blinds 1/2, stacks of 200) by the same policy with the same random
draws: one draw per decision, 10 % fold, 60 % check or call, 15 % minimum raise, 10 % pot, 5 % all chips. Deal,
betting, showdown and settlement are included. CPU time of this process counts; the machine's pace drifts, so only
ratios within a round are compared, and medians are told with the spread between quartiles.
"""

import argparse
import json
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.core import core
from referee.rules.betting import betting_options
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import Limit, Stakes, find_rule_set
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import HandSetup
from referee.rules.state import Hand, Phase

SMALL_BLIND, BIG_BLIND, STACK, PLAYERS = 1, 2, 200, 6
FOLD, CALL, MINIMUM, POT = 0.10, 0.70, 0.85, 0.95
STAKES = Stakes(SMALL_BLIND, BIG_BLIND)
SEATS = tuple(range(1, PLAYERS + 1))
PER_LIVE_HAND_LIMIT_BYTES = 20 * 1024

Play = Callable[[], None]


def _proposal(hand: Hand, draw: float) -> Proposal:
    if hand.to_act >= 0 and hand.phase == Phase.BETTING:
        options = betting_options(hand, hand.to_act)
    else:
        waiting = legal_options(hand, open_seats(hand)[0])
        assert waiting is not None
        options = waiting
    seat = options.seat
    if options.discard:
        return Proposal(seat, ActionKind.DISCARD, cards=options.held[: options.discard])
    if draw < FOLD and options.fold:
        return Proposal(seat, ActionKind.FOLD)
    if draw < CALL or not options.max_to:
        return Proposal(seat, ActionKind.CHECK if options.check else ActionKind.CALL)
    if draw < MINIMUM:
        return Proposal(seat, options.wager, options.min_to)
    if draw < POT:
        pot = hand.level + hand.chips_in() + options.call
        return Proposal(seat, options.wager, max(options.min_to, min(options.max_to, pot)))
    return Proposal(seat, options.wager, options.max_to)


def referee(rule_set_name: str, rng: random.Random) -> Play:
    """One hand after another on our engine, cards drawn from a shuffled deck."""
    rule_set = find_rule_set(rule_set_name)
    cards = list(range(52))
    needed = PLAYERS * rule_set.game.hole_cards + 5
    stacks = (STACK,) * PLAYERS

    def hand() -> None:
        deck = tuple(rng.sample(cards, needed))
        setup = HandSetup(rule_set, Limit.NO_LIMIT, STAKES, SEATS, stacks, PLAYERS, 1, 2, deck)
        state, _ = open_hand(setup)
        while not state.has_ended():
            ruling = propose(state, _proposal(state, rng.random()))
            assert ruling.accepted
        assert sum(state.stack) == STACK * PLAYERS

    return hand


def pokerkit(rng: random.Random) -> Play:
    """One hand after another on pokerkit, with everything automated that ours does by itself."""
    from pokerkit import Automation, NoLimitTexasHoldem

    game = NoLimitTexasHoldem(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.CARD_BURNING,
            Automation.HOLE_DEALING,
            Automation.BOARD_DEALING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        0,
        (SMALL_BLIND, BIG_BLIND),
        BIG_BLIND,
    )
    stacks = [STACK] * PLAYERS

    def hand() -> None:
        state = game(stacks, PLAYERS)
        while state.status:
            draw = rng.random()
            # The referee refuses a fold with nothing owed, so here too it is a check.
            if draw < FOLD and state.checking_or_calling_amount and state.can_fold():
                state.fold()
            elif draw < CALL or not state.can_complete_bet_or_raise_to():
                state.check_or_call()
            elif draw < MINIMUM:
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            elif draw < POT:
                state.complete_bet_or_raise_to(state.pot_completion_betting_or_raising_to_amount)
            else:
                state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        assert sum(state.stacks) == STACK * PLAYERS

    return hand


def hands_per_cpu_second(play: Play, seconds: float) -> float:
    """How many hands a second of this process's CPU time plays."""
    hands, begun = 0, time.process_time()
    while True:
        for _ in range(5):
            play()
        hands += 5
        spent = time.process_time() - begun
        if spent >= seconds:
            return hands / spent


def bytes_per_live_hand(rule_set_name: str) -> float:
    """Memory that one hand in progress holds on its own, all of its events kept, in the middle of the betting."""
    rule_set = find_rule_set(rule_set_name)
    rng = random.Random(1)
    cards = list(range(52))
    stacks = (STACK,) * PLAYERS
    kept: list[Any] = []

    def open_some(count: int) -> None:
        while len(kept) < count:
            deck = tuple(rng.sample(cards, PLAYERS * rule_set.game.hole_cards + 5))
            state, events = open_hand(HandSetup(rule_set, Limit.NO_LIMIT, STAKES, SEATS, stacks, PLAYERS, 1, 2, deck))
            happened = list(events)
            while not state.has_ended() and state.street < 2:
                ruling = propose(state, _proposal(state, rng.uniform(FOLD, POT)))
                happened.extend(ruling.events)
            if not state.has_ended():
                kept.append((state, happened))

    open_some(10)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    open_some(210)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / 200


def main() -> int:
    """Runs the benchmark, prints a table, and writes the machine-readable result."""
    parser = argparse.ArgumentParser(description="Measures the referee beside pokerkit.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each engine in each round")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"))
    options = parser.parse_args()
    engines: dict[str, Play] = {
        "pokerkit hold'em": pokerkit(random.Random(1)),
        "referee hold'em": referee("holdem/tda@1", random.Random(1)),
        "referee Irish": referee("irish/tda@1", random.Random(1)),
    }
    for play in engines.values():
        for _ in range(30):
            play()
    rates: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(options.rounds):
        for name, play in engines.items():
            rates[name].append(hands_per_cpu_second(play, options.seconds))
    figures = [
        _figure("hold'em over pokerkit", rates["referee hold'em"], rates["pokerkit hold'em"]),
        _figure("Irish over own hold'em", rates["referee Irish"], rates["referee hold'em"]),
    ]
    memory = {name: bytes_per_live_hand(name) for name in ("holdem/tda@1", "irish/tda@1")}
    print(f"python {sys.version.split()[0]}, {core()} core, {options.rounds} rounds of {options.seconds} CPU s")
    for name, values in rates.items():
        print(f"{name:24} {statistics.median(values):10.0f} hands per CPU second")
    for figure in figures:
        print(
            f"{figure['name']:24} {figure['ratio']:10.2f} times (quartiles {figure['low']:.2f} to {figure['high']:.2f})"
        )
    for name, size in memory.items():
        print(f"{name:24} {size:10.0f} bytes per live hand, events kept (bound {PER_LIVE_HAND_LIMIT_BYTES})")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"figures": figures, "rates": rates, "bytes_per_live_hand": memory}, indent=1))
    return 0


def _figure(name: str, ours: list[float], floor: list[float]) -> dict[str, Any]:
    ratios = [mine / theirs for mine, theirs in zip(ours, floor, strict=True)]
    low, _, high = statistics.quantiles(ratios, n=4)
    return {
        "name": name,
        "ratio": statistics.median(ratios),
        "low": low,
        "high": high,
        "floor": statistics.median(floor),
        "unit": "hands per CPU second",
    }


if __name__ == "__main__":
    sys.exit(main())
