"""The shared corpora: hands that nobody here wrote, read once, and what the tests of them share.

The corpora lie beside the checkout or where REFEREE_SHARED says; without them the tests skip and say so.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from referee.judge import Judgement, judge_record
from referee.record.hand_record import HandRecord, NotationError, RecordedStep, Step
from referee.record.notation import read_file
from referee.record.notation.amounts import whole_chips
from referee.rules.cards import parse_cards
from referee.rules.hand import replay
from referee.rules.state import Hand
from tests.support import shared_folder

CORPORA = shared_folder() / "corpora"

needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason=f"no corpora in {CORPORA}; set REFEREE_SHARED to the folder that holds them"
)

PLURIBUS = "phh/pluribus_sample.phhs"
WSOP = "phh/wsop"
LIMIT_HEADS_UP = "acpc/2p.limit.h1000.r0.log"
NO_LIMIT_THREE = "acpc/3p.nolimit.h1000.r0.log"
GENERATED = "acpc/generated_6p_uneven_2000.log"
REAL_IRISH = "irish/full_tilt_nl_irish.txt"
STARS = "stars/showdowns.jsonl"

HANDS = {PLURIBUS: 1964, WSOP: 18, LIMIT_HEADS_UP: 1000, NO_LIMIT_THREE: 1000, GENERATED: 2000, REAL_IRISH: 1}
"""How many hands each corpus has, so that none is lost on the way."""


@cache
def records(name: str) -> tuple[HandRecord, ...]:
    """Every hand of a corpus; all must be readable."""
    path = CORPORA / name
    files = sorted(path.glob("*.phh")) if path.is_dir() else [path]
    found: list[HandRecord] = []
    for file in files:
        for read in read_file(file):
            assert not isinstance(read, NotationError), read
            found.append(read)
    assert len(found) == HANDS[name]
    return tuple(found)


@cache
def judgements(name: str) -> tuple[Judgement, ...]:
    """Every hand of a corpus, judged."""
    return tuple(judge_record(record) for record in records(name))


@dataclass(frozen=True)
class RoomShowdown:
    """One showdown of the room texts, amounts in chips of ``unit``; players in the order of their seats.

    The texts say nothing of the button, so the order of odd chips cannot be known. ``hole`` is () for a hand that
    nobody showed; who put nothing in was not dealt in.
    """

    line: int
    unit: Decimal
    stacks: tuple[int, ...]
    contributed: tuple[int, ...]
    folded: tuple[bool, ...]
    holes: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    pots: tuple[tuple[int, tuple[int, ...]], ...]
    rake: int
    total: int
    collected: tuple[int, ...]


@cache
def room_showdowns() -> tuple[RoomShowdown, ...]:
    """Every showdown of the room texts."""
    lines = (CORPORA / STARS).read_text(encoding="utf-8").splitlines()
    return tuple(_room_showdown(number, json.loads(line)) for number, line in enumerate(lines, 1))


def _room_showdown(line: int, told: dict[str, Any]) -> RoomShowdown:
    amounts = [*told["stacks"].values(), *told["contrib"].values(), *told["collected"].values(), told["rake"]]
    unit = Decimal("0.01") if any("." in amount for amount in amounts) else Decimal(1)
    players = [name for name in told["stacks"] if told["contrib"].get(name, "0") != "0"]

    def chips(amount: str) -> int:
        return whole_chips(Decimal(amount), unit)

    return RoomShowdown(
        line,
        unit,
        tuple(chips(told["stacks"][name]) for name in players),
        tuple(chips(told["contrib"][name]) for name in players),
        tuple(name in told["folded"] for name in players),
        tuple(parse_cards("".join(told["shown"].get(name, ()))) for name in players),
        parse_cards("".join(told["board"])),
        tuple(
            (chips(amount), tuple(sorted(players.index(name) for name in eligible)))
            for amount, eligible in told["pots"]
        ),
        chips(told["rake"]),
        chips(told["total"]),
        tuple(chips(told["collected"].get(name, "0")) for name in players),
    )


def before_step(judgement: Judgement, index: int) -> Hand:
    """The hand as it stood before one of its steps."""
    events = judgement.opening + tuple(event for step in judgement.steps[:index] for event in step.events)
    return replay(judgement.record.setup, events)


def street_so_far(steps: tuple[RecordedStep, ...]) -> Iterator[RecordedStep]:
    """The steps of the street that is played last."""
    boards = [index for index, step in enumerate(steps) if step.step == Step.BOARD]
    yield from steps[boards[-1] + 1 if boards else 0 :]


def contest_minimum(judgement: Judgement, index: int) -> int:
    """The smallest raise-to that the contest's dealer allows at a step: his minimum never falls, nor does it rise
    above twice the last raise where that was an all-in below the minimum."""
    big_blind = judgement.record.setup.stakes.big_blind
    steps = judgement.record.steps[:index]
    is_first = not any(step.step == Step.BOARD for step in steps)
    level, minimum = (big_blind, 2 * big_blind) if is_first else (0, big_blind)
    for step in street_so_far(steps):
        if step.step == Step.BET_OR_RAISE:
            minimum = max(minimum, 2 * step.to - level)
            level = step.to
    return minimum
