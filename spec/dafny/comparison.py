"""Compares the proved settlement, as the JavaScript that Dafny makes of it, with the referee's own functions.

Two sources of settlements: random ones, which reach what play seldom does (folded chips above every live total, levels
of 0), and hands played to their end by the engine, which show that the engine asks its functions the right questions.
"""

import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from referee.rules.events import Event, EventKind
from referee.rules.hand import open_hand
from referee.rules.pots import form_pots, rake_of, uncalled
from referee.rules.ruleset import Stakes
from referee.rules.showdown import CONCEDED, award, strengths_of
from referee.rules.state import Hand, apply
from tests.support import play_out, random_setup

ORACLE_SECONDS: Final = 300


@dataclass(frozen=True)
class Case:
    """What a settlement is asked about; players clockwise from the left of the button, amounts in chips.

    ``total`` counts the uncalled bet, ``bet`` is the last round's part of it. ``cap`` and ``recorded`` are -1 where
    there is none; ``due`` is false where no rake is taken.
    """

    bet: tuple[int, ...]
    total: tuple[int, ...]
    live: tuple[bool, ...]
    rank: tuple[int, ...]
    dead: int
    unit: int
    basis_points: int
    cap: int
    due: bool
    recorded: int


@dataclass(frozen=True)
class Answer:
    """What a settlement comes to: by player, and by pot from the main pot up."""

    returned: tuple[int, ...]
    amounts: tuple[int, ...]
    eligible: tuple[tuple[int, ...], ...]
    rakes: tuple[int, ...]
    awards: tuple[tuple[int, ...], ...]
    paid: tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """A settlement on which the two do not agree."""

    case: Case
    proved: Answer
    engine: Answer

    def __str__(self) -> str:
        return f"{self.case}\n  proved {self.proved}\n  engine {self.engine}"


# --- the proved side ------------------------------------------------------------------------------------


def proved_answers(oracle: Path, cases: Iterable[Case]) -> list[Answer]:
    """The answers of the compiled Dafny functions."""
    lines = "".join(_question(case) + "\n" for case in cases)
    done = subprocess.run(["node", oracle], input=lines, capture_output=True, text=True, timeout=ORACLE_SECONDS)
    if done.returncode:
        raise RuntimeError(f"node {oracle.name} failed:\n{done.stderr[-2000:]}")
    return [_answer(line) for line in done.stdout.splitlines()]


def _question(case: Case) -> str:
    def text(value: object) -> object:
        if isinstance(value, bool):
            return value
        return [text(item) for item in value] if isinstance(value, tuple) else str(value)

    return json.dumps({name: text(value) for name, value in asdict(case).items()})


def _answer(line: str) -> Answer:
    told = json.loads(line)

    def numbers(texts: Sequence[str]) -> tuple[int, ...]:
        return tuple(int(text) for text in texts)

    return Answer(
        numbers(told["returned"]),
        numbers(told["amounts"]),
        tuple(tuple(at for at, one in enumerate(marks) if one) for marks in told["eligible"]),
        numbers(told["rakes"]),
        tuple(numbers(shares) for shares in told["awards"]),
        numbers(told["paid"]),
    )


# --- the engine's side ----------------------------------------------------------------------------------


def engine_answer(case: Case) -> Answer:
    """The answer of the functions that the engine settles its hands with."""
    count, live = len(case.live), list(case.live)
    player, amount = uncalled(list(case.bet), live)
    returned = tuple(amount if at == player else 0 for at in range(count))
    put = [total - back for total, back in zip(case.total, returned, strict=True)]
    pots = form_pots(put, live, case.dead)
    # no_flop_no_drop with no flop dealt is how the engine is told that no rake is due.
    stakes = Stakes(
        case.unit,
        case.unit,
        chip_unit=case.unit,
        rake_basis_points=case.basis_points,
        rake_cap=case.cap,
        no_flop_no_drop=not case.due,
    )
    rakes = rake_of(pots, stakes, case.due, case.recorded)
    strengths = [rank if is_live else CONCEDED for rank, is_live in zip(case.rank, case.live, strict=True)]
    decided = [award(pot, rake, strengths, case.unit) for pot, rake in zip(pots, rakes, strict=True)]
    awards = [_by_player(count, zip(one.winners, one.shares, strict=True)) for one in decided]
    return Answer(
        returned,
        tuple(pot.amount for pot in pots),
        tuple(pot.eligible for pot in pots),
        tuple(rakes),
        tuple(awards),
        tuple(sum(shares) for shares in zip(*awards, strict=True)),
    )


def _by_player(count: int, given: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    amounts = [0] * count
    for player, amount in given:
        amounts[player] += amount
    return tuple(amounts)


# --- random settlements ---------------------------------------------------------------------------------


def random_case(rng: random.Random) -> Case:
    """Any settlement: 2 to 10 players, one of them live, few different levels or many, everything in chip units."""
    count = rng.randint(2, 10)
    unit = rng.choice((1, 1, 1, 2, 5, 25, 1000))
    most = rng.choice((2, 6, 40, 1000, 10**6, 10**12 // unit))
    levels = [rng.randint(0, most) for _ in range(rng.randint(1, 5))]
    live = [rng.random() < rng.choice((0.4, 0.8)) for _ in range(count)]
    live[rng.randrange(count)] = True
    bet, earlier = [rng.choice((*levels, 0)) for _ in range(count)], [rng.choice((0, *levels)) for _ in range(count)]
    bet[0] = max(bet[0], 1)  # no hand is without a blind, so no pot is empty
    if rng.random() < 0.5:  # a round whose bets were called, as most are
        bet = [min(one, sorted(bet)[-2]) for one in bet]
    if rng.random() < 0.6:  # nobody folded ahead of every live player
        top = max(b + e for b, e, is_live in zip(bet, earlier, live, strict=True) if is_live)
        earlier = [max(0, min(e, top - b)) for b, e in zip(bet, earlier, strict=True)]
    return Case(
        tuple(amount * unit for amount in bet),
        tuple((b + e) * unit for b, e in zip(bet, earlier, strict=True)),
        tuple(live),
        tuple(rng.randint(1, rng.choice((1, 2, 9))) for _ in range(count)),
        rng.choice((0, 0, 1, rng.randint(1, most))) * unit,
        unit,
        basis_points := rng.choice((0, 0, 250, 333, 500, 10_000, rng.randint(1, 10_000))),
        rng.choice((-1, -1, 0, 3 * unit, rng.randint(0, most) * unit)),
        basis_points > 0 and rng.random() < 0.8,
        rng.choice((0, 1, rng.randint(0, most))) * unit if rng.random() < 0.1 else -1,
    )


def situations(case: Case, answer: Answer) -> Iterator[str]:
    """What is worth counting about a settlement, so that a comparison of nothing but easy ones is noticed."""
    put = [total - back for total, back in zip(case.total, answer.returned, strict=True)]
    odd = 0
    for eligible, shares in zip(answer.eligible, answer.awards, strict=True):
        given = {share for player, share in enumerate(shares) if share and player in eligible}
        odd += len(given) > 1
    lowest_live = min(p for p, is_live in zip(put, case.live, strict=True) if is_live)
    highest_live = max(p for p, is_live in zip(put, case.live, strict=True) if is_live)
    facts = {
        "returned bet": any(answer.returned),
        "several pots": len(answer.amounts) > 1,
        "odd chips": odd > 0,
        "odd chips in two pots": odd > 1,
        "chip unit above 1": case.unit > 1,
        "dead money": case.dead > 0,
        "dead money at level 0": case.dead > 0 and lowest_live == 0,
        "pot with one eligible": len(answer.amounts) > 1 and any(len(eligible) == 1 for eligible in answer.eligible),
        "folded ahead": max(put) > highest_live,
        "last player": sum(case.live) == 1,
        "rake": sum(answer.rakes) > 0 and case.recorded < 0,
        "rake up to its cap": 0 < case.cap == sum(answer.rakes) and case.recorded < 0,
        "recorded rake": case.recorded > 0,
    }
    return (name for name, is_so in facts.items() if is_so)


def compare(oracle: Path, cases: Sequence[Case]) -> tuple[list[Difference], Counter[str]]:
    """All settlements on which the two differ, and how often each situation occurred."""
    differences: list[Difference] = []
    counts: Counter[str] = Counter()
    for case, proved in zip(cases, proved_answers(oracle, cases), strict=True):
        engine = engine_answer(case)
        counts.update(situations(case, engine))
        if proved != engine:
            differences.append(Difference(case, proved, engine))
    return differences, counts


# --- played hands ---------------------------------------------------------------------------------------


def played_hand(rng: random.Random) -> tuple[list[tuple[Case, tuple[int, ...]]], Case, Answer]:
    """A random hand played by the engine: its rounds as they closed, with what was returned, and its settlement.

    What was returned and awarded is read from the events, not asked of the engine's functions again.
    """
    hand, opening = open_hand(random_setup(rng, known=1.0))
    events = (*opening, *play_out(rng, hand))
    told = Hand(hand.setup)
    rounds: list[tuple[Case, tuple[int, ...]]] = []
    returned = [0] * len(told.live)
    for event in events:
        if event.kind is EventKind.BET_RETURNED:
            returned[told.index_of(event.seat)] = event.amount
        elif event.kind is EventKind.ROUND_CLOSED:
            back = tuple(returned)
            bet = tuple(b + r for b, r in zip(told.bet, back, strict=True))
            rounds.append((_case_of(told, bet, tuple(t + r for t, r in zip(told.total, back, strict=True))), back))
            returned = [0] * len(told.live)
        apply(told, event)
    last = _case_of(hand, (0,) * len(hand.live), tuple(hand.total))
    return rounds, last, _answer_told(hand, events)


def _case_of(hand: Hand, bet: tuple[int, ...], total: tuple[int, ...]) -> Case:
    setup, stakes = hand.setup, hand.setup.stakes
    at_showdown = hand.live_count > 1 and len(hand.board) == 5
    strengths = strengths_of(hand) if at_showdown else [0] * len(hand.live)
    return Case(
        bet,
        total,
        tuple(hand.live),
        tuple(value - CONCEDED + 1 for value in strengths),
        hand.dead,
        stakes.chip_unit,
        stakes.rake_basis_points,
        stakes.rake_cap,
        stakes.rake_basis_points > 0 and not (stakes.no_flop_no_drop and not hand.board),
        setup.recorded_rake,
    )


def _answer_told(hand: Hand, events: Iterable[Event]) -> Answer:
    """The settlement as the events tell it. They do not tell who was eligible: the winners stand for that."""
    count = len(hand.live)
    rakes: Counter[int] = Counter()
    awards: dict[int, list[int]] = {}
    for event in events:
        if event.kind is EventKind.RAKE_TAKEN:
            rakes[event.pot] += event.amount
        elif event.kind is EventKind.POT_AWARDED:
            awards.setdefault(event.pot, [0] * count)[hand.index_of(event.seat)] += event.amount
    pots = range(len(awards))
    return Answer(
        (0,) * count,
        tuple(sum(awards[pot]) + rakes[pot] for pot in pots),
        (),
        tuple(rakes[pot] for pot in pots),
        tuple(tuple(awards[pot]) for pot in pots),
        tuple(hand.paid),
    )


def is_covered(case: Case) -> bool:
    """Whether no folded player has put in more than every live one: what ``Covered`` of the proofs supposes."""
    return max(case.total) == max(total for total, is_live in zip(case.total, case.live, strict=True) if is_live)


def compare_played(oracle: Path, rng: random.Random, hands: int) -> tuple[list[Difference], int]:
    """The differences in that many played hands, and how many closed rounds they had."""
    played = [played_hand(rng) for _ in range(hands)]
    cases = [case for rounds, last, _ in played for case in (*(closed for closed, _ in rounds), last)]
    answers = iter(proved_answers(oracle, cases))
    differences: list[Difference] = []
    closed = 0
    for rounds, last, told in played:
        for case, returned in rounds:
            closed += 1
            proved = next(answers)
            if proved.returned != returned:
                differences.append(Difference(case, proved, told))
        proved = next(answers)
        shortened = Answer(proved.returned, proved.amounts, (), proved.rakes, proved.awards, proved.paid)
        if shortened != told:
            differences.append(Difference(last, shortened, told))
    return differences, closed
