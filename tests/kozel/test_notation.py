"""Kozel's notation, written and read, and recorded rounds judged: whatever is altered is found, with its line."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bots.kozel import KOZEL_BOTS, make_kozel_bot
from referee.client.kozel_harness import play_game
from referee.kozel.round import open_round, open_seats, propose
from referee.kozel.ruleset import ON_ALL, ON_ONE
from referee.kozel.rulings import ActionKind, Proposal
from referee.kozel_judge import RoundHistoryRefusedError, judge_round, round_so_far
from referee.record.hand_record import NotationError
from referee.record.kozel_record import Deed, RecordedRound, recorded
from referee.record.notation.kozel import read_rounds, write_round, write_rounds
from tests.support import scale

rule = pytest.mark.rule
GAMES = scale(6, 300)


def records(number: int) -> list[RecordedRound]:
    names = [sorted(KOZEL_BOTS)[(number + seat) % 3] for seat in range(2 + number % 3)]
    bots = [make_kozel_bot(name, number) for name in names]
    played = play_game(bots, (ON_ALL, ON_ONE)[number % 2], f"m{number}", number.to_bytes(32, "big"))
    return [recorded(one.setup, one.events) for one in played.rounds]


def read(text: str) -> list[RecordedRound]:
    found = list(read_rounds(text))
    for one in found:
        assert isinstance(one, RecordedRound), one
    return found  # type: ignore[return-value]


def test_what_is_written_is_read_back_and_agrees() -> None:
    for number in range(GAMES):
        rounds = records(number)
        text = write_rounds(rounds)
        assert read(text) == rounds
        for one in read(text):
            assert judge_round(one).findings == ()
        assert max(len(line) for line in text.splitlines()) < 200


@rule("KOZ-17")
def test_a_time_out_is_a_line() -> None:
    played = play_game([make_kozel_bot("random-legal")] * 2, ON_ALL, "late", bytes(32))
    state, events = open_round(played.rounds[0].setup)
    events += propose(state, Proposal(open_seats(state)[0], ActionKind.TIMEOUT)).events
    record = recorded(played.rounds[0].setup, events)
    text = write_round(record)
    assert " time\n" in text
    assert "counts" not in text
    assert judge_round(read(text)[0]).agrees()


def a_round() -> list[str]:
    """A round with everything in it: drawing, an end, a result."""
    for number in range(100):
        for one in records(number):
            text = write_round(one)
            if "draws" in text and "out" in text and "left" in text and len(one.setup.seats) == 3:
                return text.splitlines()
    raise AssertionError("no such round")


LINES = a_round()


def at(pattern: str, lines: list[str]) -> int:
    return next(number for number, line in enumerate(lines) if re.search(pattern, line))


def judged(lines: list[str]):
    return judge_round(read("\n".join(lines))[0])


@rule("KOZ-4", "KOZ-5", "KOZ-6", "KOZ-8", "KOZ-10")
def test_every_altered_line_is_found() -> None:
    first = at(r"^\d", LINES)
    last = at("^counts", LINES)
    for place in range(first, last):
        for changed in (LINES[:place] + LINES[place + 1 :], [*LINES[:place], LINES[place], *LINES[place:]]):
            findings = judged(changed).findings
            assert findings, changed
            assert findings[0].rule.startswith(("KOZ-", "BET-9"))
    for place in range(last, len(LINES)):
        found = re.sub(r"\d+", lambda digits: str(int(digits[0]) + 1), LINES[place])
        assert judged([*LINES[:place], found, *LINES[place + 1 :]]).findings, found


@rule("KOZ-5")
def test_a_draw_that_did_not_happen_is_named() -> None:
    place = at("draws", LINES)
    altered = [*LINES[:place], re.sub(r"draws .*", "draws 0-0", LINES[place]), *LINES[place + 1 :]]
    if altered == LINES:
        altered[place] = altered[place].replace("0-0", "1-0")
    (finding,) = judged(altered).findings
    assert (finding.rule, finding.line) == ("KOZ-5", place + 1)
    assert finding.recorded == altered[place]
    assert finding.right == LINES[place]


@rule("KOZ-2")
def test_a_refused_setup_is_a_finding() -> None:
    place = at("^deck", LINES)
    (finding,) = judged([*LINES[: place + 1], LINES[place], *LINES[place + 1 :]]).findings
    assert finding.rule == "KOZ-2"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2 5-6", "a tile such as 6-5"),
        ("2 6-5 up", "a move such as"),
        ("x 6-5", "a whole number"),
        ("2 draws", "a tile such as 6-5"),
        ("carry 3", "stands before decks"),
        ("seats 1 2", "stands before decks"),
        ("9999999999 out", "a whole number"),
        ("counts 1\ncounts 1", "one line 'counts'"),
        ("counts 1\n2 out", "nothing is done after the end"),
        ("counts -1", "a whole number"),
        ("٣ out", "a whole number"),
        ("x" * 500, "a whole number"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(line: str, expected: str) -> None:
    head = "kozel kozel/on-all@1\nseats 1 2\ndeck 6-5\n"
    (error, after) = read_rounds(f"{head}{line}\n{write_round(records(0)[0])}")
    assert isinstance(error, NotationError)
    assert error.line == 4 + line.count("\n")
    assert expected in error.expected
    assert isinstance(after, RecordedRound), "it does not hide the next one"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kozel kozel/unknown@1\nseats 1 2", "published rule set"),
        ("kozel kozel/on-all@1", "a line 'seats'"),
        ("kozel", "one word"),
        ("1 6-5", "one word"),
        ("kozel kozel/on-all@1\nseats 1 2\ncarry", "one word"),
    ],
)
def test_a_round_that_lacks_something(text: str, expected: str) -> None:
    (error,) = read_rounds(text)
    assert isinstance(error, NotationError)
    assert expected in error.expected


def test_any_text_is_read_or_refused() -> None:
    rng = random.Random(1)
    text = "0 1 2 25 +7 - 6-5 0-0 left right out fish time draws knocks kozel seats deck #"
    words = [*text.split(), "\n", "\n", "\n"]
    for _ in range(scale(2_000, 100_000)):
        text = " ".join(rng.choice(words) for _ in range(rng.randint(0, 30)))
        for one in read_rounds("kozel kozel/on-all@1\nseats 1 2\n" + text):
            if isinstance(one, RecordedRound):
                judge_round(one)


def test_the_page_shows_a_round_that_is_right() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs/kozel.md").read_text(encoding="utf-8")
    example = page.split("```\n")[1]
    (record,) = read(example)
    assert judge_round(record).findings == ()
    assert [deed.deed for deed in record.deeds] == [Deed.LAY, Deed.LAY]


def test_a_round_so_far() -> None:
    record = read("\n".join(LINES))[0]
    lays = [Proposal(deed.seat, ActionKind.LAY, deed.tile, deed.end) for deed in record.deeds if deed.deed is Deed.LAY]
    state, events = round_so_far(record.setup, lays)
    assert state.has_ended()
    assert events == judge_round(record).events
    with pytest.raises(RoundHistoryRefusedError) as refused:
        round_so_far(record.setup, [lays[0], lays[0]])
    assert refused.value.index == 1
    assert not judge_round(replace(record, setup=replace(record.setup, seats=(1, 1, 2)))).agrees()
