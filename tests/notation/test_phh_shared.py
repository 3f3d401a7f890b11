"""What hands of an archive share is read once, and no hand is read otherwise for it.

The same hands are read a second time with a comment behind each variant. It changes nothing that they say, but they are
not plain then: the whole TOML reader reads them, and nothing is remembered from one to the next.
"""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.judge import findings_of
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import write_phhs
from referee.record.notation.phh import read_phh
from referee.rules.ruleset import RuleSet, find_rule_set
from tests.corpora.corpus import CORPORA, PLURIBUS, needs_corpora
from tests.notation.hands import random_phh
from tests.support import scale

COMMENT = "  # read by the whole reader"


def told(lines: Iterable[str], rule_set: RuleSet | None = None) -> list[str]:
    """Everything that is read from lines, the places in the source included."""
    return [
        f"{read.line}: {read.expected}" if isinstance(read, NotationError) else repr(read)
        for read in read_phh(lines, "some.phhs", rule_set)
    ]


def read_both_ways(text: str, rule_set: RuleSet | None = None) -> list[str]:
    """What is read from a text, which is the same either way."""
    lines = text.splitlines(keepends=True)
    commented = [line.rstrip("\n") + COMMENT + "\n" if line.startswith("variant") else line for line in lines]
    quickly = told(lines, rule_set)
    assert quickly == told(commented, rule_set)
    return quickly


FIELDS = {
    "variant": ["'NT'", "'NT'", "'NT'", "'PT'", "'FT'", "'NI'", "'NS'", "1"],
    "ante_trimming_status": ["", "true", "false", "'x'"],
    "antes": ["[0, 0, 0]", "[0, 0, 0]", "[1, 1, 1]", "[0, 2, 0]", "[0, 0, 1]", "[0, 0]", "['a', 'b', 'c']", "0"],
    "blinds_or_straddles": ["[1, 2, 0]", "[1, 2, 0]", "[1, 2, -2]", "[0, 2, 0]", "[2, 0, 0]", "[2, 1, 0]", "[1, 2]"],
    "min_bet": ["2", "2", "2", "3", "-2", "'2'", ""],
    "small_bet": ["", "2"],
    "big_bet": ["", "4", "3"],
    "starting_stacks": ["[100, 90, 80]", "[100, 90, 80]", "[1, 90, 80]", "[0, 9, 9]", "[9, 9]", "['a', 'b', 'c']", ""],
    "actions": [
        "['d dh p1 AhKh', 'd dh p2 2c2d', 'd dh p3 ????', 'p3 f', 'p1 cc', 'p2 cbr 6', 'p1 f']",
        "['d dh p1 AhKh', 'd dh p2 2c2d', 'd dh p3 7s7c', 'p3 cbr 5', 'p1 f', 'p2 cc', 'd db 7d2h2s', 'p3 sm 7s']",
        "['d dh p1 AhKh', 'd dh p2 2c2d', 'd dh p3 7s7c', 'p3 cbr 4.5', 'p1 f', 'p2 f']",
        "['p3 f', 'p1 f']",
        "['p4 f']",
        "['p3 cbr x']",
        "[1, 2]",
        "",
    ],
    "finishing_stacks": ["", "[99, 91, 80]", "[98, 92, 80]", "[99, 91]"],
    "seats": ["", "[1, 2, 3]", "[4, 5, 6]", "[3, 2, 1]"],
    "players": ["", "['a', 'b', 'c']", "['a', 'b']"],
    "hand": ["", "7", "'x'", "true"],
    "_rule_set": ["", "", "'holdem/tda@1'", "'irish/tda@1'", "'no/rules@1'"],
    "_unit": ["", "", "1", "5"],
    "_chip_unit": ["", "", "1", "2", "0"],
    "_small_blind": ["", "", "1"],
    "_button": ["", "", "3", "1", "11"],
    "venue": ["", "'here'"],
}  # fmt: skip
HANDS = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in FIELDS.items()})
USUAL = {name: values[0] for name, values in FIELDS.items()}


def hand_text(values: dict[str, str]) -> str:
    """One hand's table without its header."""
    return "".join(f"{name} = {value}\n" for name, value in values.items() if value)


@given(st.lists(HANDS, min_size=1, max_size=4), st.sampled_from([None, "holdem/tda@1", "irish/tda@1"]))
def test_whatever_hands_share_each_is_read_as_if_it_stood_alone(hands: list[dict[str, str]], name: str | None) -> None:
    text = "".join(f"[{at}]\n{hand_text(hand)}\n" for at, hand in enumerate(hands))
    read_both_ways(text, None if name is None else find_rule_set(name))


@given(st.sampled_from(sorted(FIELDS)), st.data())
def test_one_field_that_differs_from_the_hand_before_is_noticed(name: str, data: st.DataObject) -> None:
    changed = USUAL | {name: data.draw(st.sampled_from(FIELDS[name]))}
    texts = [hand_text(one) for one in (USUAL, changed, USUAL)]
    both = read_both_ways("".join(f"[{at}]\n{text}\n" for at, text in enumerate(texts)))
    assert len(both) == 3


def test_random_hands_are_read_the_same_either_way() -> None:
    rng = random.Random(5)
    records = [random_phh(rng) for _ in range(scale(150, 5_000))]
    read = read_both_ways("".join(write_phhs(records)))
    assert len(read) == len(records)


@needs_corpora
def test_archives_are_read_the_same_either_way() -> None:
    text = (CORPORA / PLURIBUS).read_text()
    assert len(read_both_ways(text)) == 1964
    for path in sorted((CORPORA / "phh" / "wsop").glob("*.phh")):
        assert len(read_both_ways(path.read_text())) == 1


@needs_corpora
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("'p5 cbr 250'", "'p5 cbr 251'"), ("9950, 9750, ", "9951, 9749, "), ("'p2 cc', 'd db", "'p2 cbr 300', 'd db")],
)
def test_a_hand_that_is_altered_in_an_archive_is_found_wrong_and_no_other(right: str, wrong: str) -> None:
    """What is remembered of the hands around it does not stand in for what it says itself."""
    text = "\n\n".join((CORPORA / PLURIBUS).read_text().split("\n\n")[:40])
    altered = text.replace(right, wrong, 1)
    judged = [
        findings_of(read) for read in read_phh(altered.splitlines(keepends=True), "") if isinstance(read, HandRecord)
    ]
    assert [at for at, findings in enumerate(judged) if findings] == [0]
