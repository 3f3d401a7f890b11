"""Every recorded hand is written and read back: in its own notation an equal record, in the others the same hand."""

import difflib
from dataclasses import replace

import pytest

from referee.judge import Judgement, judge_record
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import (
    read_text,
    write_contest,
    write_full_tilt,
    write_full_tilt_hands,
    write_phhs,
)
from referee.record.notation.contest import read_contest
from referee.record.notation.contest_writer import game_of
from referee.rules.cards import UNKNOWN
from referee.rules.ruleset import AnteKind, RuleSet, find_rule_set
from referee.rules.setup import board_of
from tests.corpora.corpus import (
    CORPORA,
    GENERATED,
    LIMIT_HEADS_UP,
    NO_LIMIT_THREE,
    PLURIBUS,
    REAL_IRISH,
    WSOP,
    judgements,
    needs_corpora,
    records,
)
from tests.corpora.irish import as_irish
from tests.support import LONG

pytestmark = needs_corpora

IRISH_RULES = find_rule_set("irish/tda@1")


def read_all(text: str, rules: RuleSet | None = None) -> list[HandRecord]:
    """All hands of a text; none may be unreadable."""
    found = []
    for read in read_text(text, "written", rule_set=rules):
        assert not isinstance(read, NotationError), read
        found.append(read)
    return found


def balance(judgement: Judgement) -> list[tuple[int, int]]:
    """What every player began and ended with."""
    assert judgement.settlement is not None
    return [(player.stack_before, player.stack_after) for player in judgement.settlement.players]


@pytest.mark.parametrize("name", [PLURIBUS, WSOP])
def test_phh_comes_back_equal(name: str) -> None:
    assert read_all(write_phhs(records(name))) == list(records(name))


@pytest.mark.parametrize("name", [LIMIT_HEADS_UP, NO_LIMIT_THREE, GENERATED])
def test_contest_logs_come_back_to_the_letter(name: str) -> None:
    lines = (CORPORA / name).read_text().splitlines(keepends=True)
    written = list(write_contest(records(name)))
    told = [line for line in lines if not line.startswith("#--")]
    # The seed is the heading's; the score, six decimals of a sum, is the dealer's own.
    assert written == told
    again = list(read_contest(written, "written", game=game_of(records(name)[0])))
    assert again == list(records(name))


@pytest.mark.parametrize("name", [LIMIT_HEADS_UP, NO_LIMIT_THREE, GENERATED])
def test_contest_hands_are_the_same_in_phh(name: str) -> None:
    for before, after in zip(records(name), read_all(write_phhs(records(name))), strict=True):
        assert (after.setup, after.steps, after.result) == (before.setup, before.steps, before.result), before.line
        assert (after.players, after.stacks_known) == (before.players, before.stacks_known), before.line


def test_the_real_irish_hand_comes_back_to_the_letter_but_for_the_clock() -> None:
    text = (CORPORA / REAL_IRISH).read_text()
    (record,) = records(REAL_IRISH)
    written = write_full_tilt(record)
    changes = [line for line in difflib.ndiff(text.splitlines(), written.splitlines()) if line[0] in "+-"]
    assert changes == ["- Hero has 15 seconds left to act"]
    assert read_all(written) == [record]
    (judgement,) = judgements(REAL_IRISH)
    assert write_full_tilt(record, judgement.settlement) == written


@pytest.mark.parametrize("name", [PLURIBUS, WSOP, LIMIT_HEADS_UP, NO_LIMIT_THREE])
def test_irish_hands_of_the_corpora_come_back_in_phh(name: str) -> None:
    irish = [
        replace(as_irish(record, IRISH_RULES), notation="phh", rule_set_named=True, facts={})
        for record in records(name)
    ]
    assert read_all(write_phhs(irish)) == irish


@pytest.mark.parametrize("name", [PLURIBUS, WSOP, LIMIT_HEADS_UP, NO_LIMIT_THREE])
@pytest.mark.parametrize("game", ["hold'em", "Irish"])
def test_hands_are_the_same_in_full_tilts_text(name: str, game: str) -> None:
    every = 1 if LONG else 4
    told: list[Judgement] = []
    for judgement in judgements(name)[::every]:
        record = judgement.record if game == "hold'em" else as_irish(judgement.record, IRISH_RULES)
        if record.setup.stakes.ante_kind == AnteKind.BIG_BLIND:
            with pytest.raises(ValueError, match="big blind alone"):
                write_full_tilt(record)
        else:
            told.append(judge_record(record))
    text = "\n\n".join(write_full_tilt(judgement.record, judgement.settlement) for judgement in told)
    rules = None if game == "hold'em" else IRISH_RULES
    again = read_all(text, rules)
    for before, after in zip(told, again, strict=True):
        # A hand of which only some cards are known and that nobody shows is the one thing that the format leaves out.
        known = UNKNOWN not in before.record.setup.deck[: -len(board_of(before.record.setup))]
        assert not known or after.setup.deck == before.record.setup.deck, before.record.line
        assert balance(judge_record(after)) == balance(before), before.record.line
    # Once more through the same notation: by now nothing is lost.
    assert read_all(write_full_tilt_hands(again), rules) == again
