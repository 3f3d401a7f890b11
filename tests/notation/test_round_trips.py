"""What is written is read back as an equal record, and judged the same: random hands of the engine."""

import random
from collections.abc import Callable, Iterator

import pytest

from referee.judge import Finding, judge_record
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import (
    read_text,
    write_contest,
    write_full_tilt,
    write_full_tilt_hands,
    write_phh,
    write_phhs,
)
from referee.record.notation.contest import read_contest
from referee.record.notation.contest_writer import game_of
from referee.rules.ruleset import Limit
from tests.notation.hands import random_contest, random_full_tilt, random_phh
from tests.support import scale


def disagreements(record: HandRecord) -> list[Finding]:
    """What the judge finds wrong."""
    return list(judge_record(record).findings)


def read_back(hands: Iterator[HandRecord | NotationError]) -> list[HandRecord]:
    """The records; none may be unreadable."""
    found = []
    for hand in hands:
        assert not isinstance(hand, NotationError), hand
        found.append(hand)
    return found


@pytest.mark.parametrize(
    ("make", "write_one", "write_many"),
    [(random_phh, write_phh, write_phhs), (random_full_tilt, write_full_tilt, write_full_tilt_hands)],
    ids=["phh", "full-tilt"],
)
def test_random_hands_come_back_equal_and_agree(
    make: Callable[[random.Random], HandRecord],
    write_one: Callable[[HandRecord], str],
    write_many: Callable[[list[HandRecord]], str],
) -> None:
    records = [make(random.Random(seed)) for seed in range(scale(400, 5_000))]
    for seed, record in enumerate(records):
        text = write_one(record)
        (again,) = read_back(read_text(text, "hand"))
        assert again == record, f"seed {seed}\n{text}"
        findings = disagreements(again)
        assert not findings, f"seed {seed}\n{findings}\n{text}"
    assert read_back(read_text(write_many(records), "hands")) == records


@pytest.mark.parametrize("limit", [Limit.NO_LIMIT, Limit.FIXED_LIMIT])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_random_contest_hands_come_back_equal_and_agree(players: int, limit: Limit) -> None:
    rng = random.Random(players)
    for _ in range(scale(60, 1_000)):
        record = random_contest(rng, players, limit)
        lines = list(write_contest([record]))
        (again,) = read_back(read_contest(lines[1:], "log", game=game_of(record)))
        assert again == record, lines
        assert not disagreements(again), lines


def test_a_settlement_tells_the_winners_pot_by_pot_without_changing_the_record() -> None:
    several = 0
    for seed in range(scale(200, 2_000)):
        record = random_full_tilt(random.Random(seed))
        statement = judge_record(record).settlement
        assert statement is not None
        text = write_full_tilt(record, statement)
        (again,) = read_back(read_text(text, "hand"))
        assert again == record, text
        several += len(statement.pots) > 1 and "side pot" in text
    assert several > 10
