"""The engine beside pokerkit and open_spiel, measured as ratios within interleaved rounds.

All play six-handed no-limit hold'em (blinds 1/2, stacks of 200) by the same policy with the same random draws: one draw
per decision, 10 % fold, 60 % check or call, 15 % minimum raise, 10 % pot, 5 % all chips. Deal, betting, showdown and
settlement are included. CPU time of this process counts; the machine's pace drifts, so only ratios within a round are
compared. open_spiel (its universal_poker, any raise) is measured where it is installed: ``pip install '.[bench]'``.
"""

import random
import time
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Final

from referee.rules.hand import next_decision, open_hand, propose
from referee.rules.ruleset import Limit, Stakes, find_rule_set
from referee.rules.rulings import CALL, CHECK, DISCARD, FOLD, LegalOptions, Proposal
from referee.rules.setup import HandSetup
from referee.rules.state import Hand
from tools.benchmarks.figures import Figure, plain, ratio_of

SMALL_BLIND, BIG_BLIND, STACK, PLAYERS = 1, 2, 200, 6
UP_TO_FOLD, UP_TO_CALL, UP_TO_MINIMUM, UP_TO_POT = 0.10, 0.70, 0.85, 0.95
NO_LIMIT: Final = Limit.NO_LIMIT
STAKES = Stakes(SMALL_BLIND, BIG_BLIND)
SEATS = tuple(range(1, PLAYERS + 1))
PER_LIVE_HAND_LIMIT_BYTES = 20 * 1024
UNIT: Final = "hands per CPU second"

Play = Callable[[], None]


def proposal_by(hand: Hand, options: LegalOptions, draw: float) -> Proposal:
    seat = options.seat
    if options.discard:
        return Proposal(seat, DISCARD, 0, options.held[: options.discard])
    if draw < UP_TO_FOLD and options.fold:
        return Proposal(seat, FOLD)
    if draw < UP_TO_CALL or not options.max_to:
        return Proposal(seat, CHECK if options.check else CALL)
    if draw < UP_TO_MINIMUM:
        return Proposal(seat, options.wager, options.min_to)
    if draw < UP_TO_POT:
        pot = hand.level + hand.chips_in() + options.call
        return Proposal(seat, options.wager, max(options.min_to, min(options.max_to, pot)))
    return Proposal(seat, options.wager, options.max_to)


def referee(rule_set_name: str, rng: random.Random) -> Play:
    """One hand after another on our engine, each card drawn from those that are left."""
    random_draw = rng.random
    rule_set = find_rule_set(rule_set_name)
    cards = list(range(52))
    needed = PLAYERS * rule_set.game.hole_cards + 5
    stacks = (STACK,) * PLAYERS

    def hand() -> None:
        for at in range(needed):
            drawn = at + int(random_draw() * (52 - at))
            cards[at], cards[drawn] = cards[drawn], cards[at]
        deck = tuple(cards[:needed])
        state, _ = open_hand(HandSetup(rule_set, NO_LIMIT, STAKES, SEATS, stacks, PLAYERS, 1, 2, deck))
        while (options := next_decision(state)) is not None:
            ruling = propose(state, proposal_by(state, options, random_draw()))
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
    random_draw = rng.random
    stacks = [STACK] * PLAYERS

    def hand() -> None:
        state = game(stacks, PLAYERS)
        while state.status:
            draw = random_draw()
            # The referee refuses a fold with nothing owed, so here too it is a check.
            if draw < UP_TO_FOLD and state.checking_or_calling_amount and state.can_fold():
                state.fold()
            elif draw < UP_TO_CALL or not state.can_complete_bet_or_raise_to():
                state.check_or_call()
            elif draw < UP_TO_MINIMUM:
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            elif draw < UP_TO_POT:
                state.complete_bet_or_raise_to(state.pot_completion_betting_or_raising_to_amount)
            else:
                state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        assert sum(state.stacks) == STACK * PLAYERS

    return hand


def open_spiel(rng: random.Random) -> Play:
    """One hand after another on open_spiel's universal_poker, which deals by itself and knows every raise."""
    import pyspiel

    game = pyspiel.load_game(
        "universal_poker",
        {
            "betting": "nolimit",
            "numPlayers": PLAYERS,
            "numRounds": 4,
            "blind": " ".join(map(str, [SMALL_BLIND, BIG_BLIND, *[0] * (PLAYERS - 2)])),
            "firstPlayer": "3 1 1 1",
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
            "stack": " ".join([str(STACK)] * PLAYERS),
            "bettingAbstraction": "fullgame",
        },
    )
    random_draw = rng.random
    fold, call = 0, 1

    def hand() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()  # fold, call, and then every street total
            if state.is_chance_node():
                state.apply_action(legal[int(random_draw() * len(legal))])
                continue
            draw = random_draw()
            raises = [] if legal[-1] <= call else legal[legal.index(call) + 1 :]
            if draw < UP_TO_FOLD and legal[0] == fold:
                state.apply_action(fold)
            elif draw < UP_TO_CALL or not raises:
                state.apply_action(call)
            elif draw < UP_TO_MINIMUM:
                state.apply_action(raises[0])
            elif draw < UP_TO_POT:
                state.apply_action(raises[len(raises) // 4])
            else:
                state.apply_action(raises[-1])
        assert abs(sum(state.returns())) < 1e-6  # it splits pots into fractions of chips

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
            state, events = open_hand(HandSetup(rule_set, NO_LIMIT, STAKES, SEATS, stacks, PLAYERS, 1, 2, deck))
            happened = list(events)
            while not state.has_ended() and state.street < 2:
                options = next_decision(state)
                assert options is not None
                ruling = propose(state, proposal_by(state, options, rng.uniform(UP_TO_FOLD, UP_TO_POT)))
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


def figures(rounds: int, seconds: float) -> tuple[list[Figure], dict[str, Any]]:
    """The figures of the engine alone, and the rates that they were made of."""
    engines: dict[str, Play] = {
        "pokerkit": pokerkit(random.Random(1)),
        "hold'em": referee("holdem/tda@1", random.Random(1)),
        "Irish": referee("irish/tda@1", random.Random(1)),
    }
    if find_spec("pyspiel") is not None:
        engines["open_spiel"] = open_spiel(random.Random(1))
    for play in engines.values():
        for _ in range(30):
            play()
    rates: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds):
        for name, play in engines.items():
            rates[name].append(hands_per_cpu_second(play, seconds))

    def over(ours: str, floor: str, name: str, wanted: float) -> Figure:
        return ratio_of(name, rates[ours], rates[floor], UNIT, wanted, by_cpu=True)

    found = [over("hold'em", "pokerkit", "hold'em over pokerkit", 250)]
    if "open_spiel" in rates:
        found.append(over("hold'em", "open_spiel", "hold'em over open_spiel", 1.5))
    found.append(over("Irish", "hold'em", "Irish over own hold'em", 0.7))
    for name in ("holdem/tda@1", "irish/tda@1"):
        size = bytes_per_live_hand(name)
        found.append(
            plain(f"a live hand, events kept, {name}", [size], "bytes", PER_LIVE_HAND_LIMIT_BYTES, at_most=True)
        )
    return found, {"rates": rates}
