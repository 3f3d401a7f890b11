"""The bulk audit beside pokerkit's replay of the same recorded hands, as ratios within interleaved rounds of one run.

Recorded hands are PHH: six-handed no-limit hold'em as `engine` plays it (most hands end in a showdown of several
players), and, where the shared corpora are, those of Pluribus (most end before the flop, which is where pokerkit is
quick). Both sides begin with the file's bytes in memory and follow every hand to its end: pokerkit's `load_all` (which
reads TOML by the standard library) and its state at each action; ours cuts, reads, rules on each action, settles, and
compares. CPU time counts. Ours is measured in a process of its own on the half of the hands that it has not seen, after
it has audited the other half: of that it remembers what hands of an archive share, lines of betting among it, and no
hand. The same hands go through `JudgeHands`, with their settlement statements and without. Then they are audited by one
and by two worker processes, by the clock on the wall.
"""

import io
import os
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from referee.audit.bulk import Settings, audit_part
from referee.audit.parts import parts_of_text
from referee.audit.workers import audit_parts, collect_garbage_rarely, workers
from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.record.notation import write_phhs
from referee.rules.events import Event, EventKind
from referee.rules.hand import next_decision, open_hand, propose
from referee.rules.ruleset import Limit, find_rule_set
from referee.rules.setup import HandSetup
from tools.benchmarks.engine import PLAYERS, SEATS, STACK, STAKES, UNIT, proposal_by
from tools.benchmarks.figures import Figure, ratio_of
from tools.benchmarks.judging import judged_over_the_wire

ROOT = Path(__file__).resolve().parents[2]
PLURIBUS = Path(os.environ.get("REFEREE_SHARED") or ROOT.parent / "shared") / "corpora/phh/pluribus_sample.phhs"

WARMING_PARTS = 6
"""Parts for each worker before the clock is looked at: by then all have started."""

REPEATED = 20

REPLAYED = 150
"""Hands that pokerkit replays in a round: the first of those that ours is measured on."""

_STEPS = {
    EventKind.FOLDED: Step.FOLD,
    EventKind.CHECKED: Step.CHECK,
    EventKind.CALLED: Step.CALL,
    EventKind.BET: Step.BET,
    EventKind.RAISED: Step.RAISE,
    EventKind.BOARD_DEALT: Step.BOARD,
    EventKind.HAND_SHOWN: Step.SHOW,
    EventKind.HAND_MUCKED: Step.MUCK,
}


def recorded_hand(rng: random.Random, number: int) -> HandRecord:
    """One hand of the benchmark's policy, as somebody wrote it down."""
    deck = tuple(rng.sample(range(52), PLAYERS * 2 + 5))
    rule_set = find_rule_set("holdem/tda@1")
    stacks = (STACK,) * PLAYERS
    setup = HandSetup(rule_set, Limit.NO_LIMIT, STAKES, SEATS, stacks, PLAYERS, 1, 2, deck, hand_id=str(number))
    hand, opening = open_hand(setup)
    events = list(opening)
    while (options := next_decision(hand)) is not None:
        events.extend(propose(hand, proposal_by(hand, options, rng.random())).events)
    steps = tuple(_step(event) for event in events if event.kind in _STEPS)
    players = tuple(f"p{seat}" for seat in SEATS)
    return HandRecord(setup, steps, RecordedResult(tuple(hand.stack)), players, "phh")


def _step(event: Event) -> RecordedStep:
    step = _STEPS[event.kind]
    told = event.cards if step in (Step.BOARD, Step.SHOW) else ()
    return RecordedStep(step, event.seat, event.to if step in (Step.BET, Step.RAISE) else 0, cards=told)


def pokerkits_hands_a_second(data: bytes) -> float:
    """How many hands a CPU second of pokerkit replays."""
    from pokerkit import HandHistory

    begun, hands = time.process_time(), 0
    for history in HandHistory.load_all(io.BytesIO(data)):
        for _ in history:
            pass
        hands += 1
    return hands / (time.process_time() - begun)


def ours_in_a_process_of_its_own(text: str) -> float:
    """How many hands a CPU second of the bulk audit judges that it has not seen, when it has judged as many others."""
    with workers(1) as pool:
        return pool.submit(_ours_after, *halves(text)).result()


def _ours_after(first: str, second: str) -> float:
    ours_a_second(first)
    return ours_a_second(second)


def halves(text: str) -> tuple[str, str]:
    """The first and the second half of a file's hands."""
    hands = text.split("\n[")
    middle = len(hands) // 2
    return "\n[".join(hands[:middle]) + "\n", "[" + "\n[".join(hands[middle:])


def ours_a_second(text: str) -> float:
    """How many hands a CPU second of the bulk audit judges; all must be right."""
    begun, hands = time.process_time(), 0
    for part in parts_of_text(text, "bench.phhs"):
        result = audit_part(part, Settings())
        assert not result.disagree, result.first[0]
        assert not result.unreadable, result.first_unreadable[0]
        hands += result.hands
    return hands / (time.process_time() - begun)


def seconds_by(jobs: int, text: str) -> float:
    """How long so many worker processes take by the clock on the wall, their start left out."""
    parts = list(parts_of_text(text, "bench.phhs"))
    first = parts[:1] * (WARMING_PARTS * jobs)
    # One job would run here: a single worker is asked for by a pool as well, so that the two are alike.
    done = audit_parts([*first, *parts], Settings(), jobs, in_workers=True)
    for _ in first:
        next(done)
    begun = time.monotonic()
    for _ in done:
        pass
    return time.monotonic() - begun


def _runs_a_second(jobs: int, text: str) -> float:
    return 1 / seconds_by(jobs, text)


def figures(rounds: int, hands: int) -> tuple[list[Figure], dict[str, Any]]:
    """The figures of bulk judging, and the rates that they were made of."""
    rng = random.Random(1)
    texts = {"six-handed showdowns": "".join(write_phhs([recorded_hand(rng, at) for at in range(hands)]))}
    if PLURIBUS.is_file():
        texts["Pluribus"] = PLURIBUS.read_text(encoding="utf-8")
    collect_garbage_rarely()
    rates: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, text in texts.items():
            second = "\n[".join(halves(text)[1].split("\n[")[:REPLAYED]).encode()
            _measured(rates, f"pokerkit {name}", partial(pokerkits_hands_a_second, second))
            _measured(rates, f"bulk audit {name}", partial(ours_in_a_process_of_its_own, text))
            _measured(rates, f"JudgeHands {name}", partial(judged_over_the_wire, text, False))
            _measured(rates, f"JudgeHands with settlements {name}", partial(judged_over_the_wire, text, True))
    many = _repeated(texts["six-handed showdowns"], REPEATED)
    for _ in range(rounds):
        for jobs in (1, 2):
            _measured(rates, f"{jobs} processes", partial(_runs_a_second, jobs, many))
    found = [
        ratio_of(
            f"bulk audit over pokerkit, {name}",
            rates[f"bulk audit {name}"],
            rates[f"pokerkit {name}"],
            UNIT,
            150,
            by_cpu=True,
        )
        for name in texts
    ]
    found += [
        ratio_of(
            f"{kind} over pokerkit, {name}",
            rates[f"{kind} {name}"],
            rates[f"pokerkit {name}"],
            UNIT,
            wanted,
            by_cpu=True,
        )
        for kind, wanted in (("JudgeHands", 150), ("JudgeHands with settlements", 0))
        for name in texts
    ]
    found.append(
        ratio_of("bulk audit, 2 processes over 1", rates["2 processes"], rates["1 processes"], "runs per second", 1.7)
    )
    return found, {"rates": rates}


def _measured(rates: dict[str, list[float]], name: str, measure: Callable[[], float]) -> None:
    rates.setdefault(name, []).append(measure())


def _repeated(text: str, times: int) -> str:
    """The same hands again and again, each as a table of its own."""
    return "".join(text.replace("\n[", f"\n[{again}-").replace("[1]", f"[{again}-1]", 1) for again in range(times))
