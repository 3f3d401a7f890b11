"""The second opinion on hands that somebody else wrote down: the shared cases, the corpora, the demo, the command."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tests.support as support
from referee.cli import app
from referee.cli.demo import bundled
from referee.judge import judge_record
from referee.record.hand_record import HandRecord
from referee.record.notation import read_text
from referee.rules.events import Event
from referee.rules.hand import open_hand, propose
from referee.rules.ruleset import RuleSetError
from referee.rules.rulings import Proposal, Reason, Ruling
from referee.rules.setup import HandSetup
from referee.rules.state import Hand
from referee.second_opinion import Difference, SecondJudge, SecondOpinion
from tests.cases import test_cases as cases
from tests.corpora.corpus import HANDS, needs_corpora, records
from tests.support import scale

rule = pytest.mark.rule


# --- the shared cases -----------------------------------------------------------------------------------


class Shadow:
    """Has the reference judge follow every hand that the tests' helpers open and play."""

    def __init__(self) -> None:
        self.second: dict[int, tuple[Hand, SecondJudge]] = {}
        self.rulings = 0

    def follow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From now on, until the test ends."""
        monkeypatch.setattr(support, "open_hand", self.open_hand)
        for module in (support, cases):
            monkeypatch.setattr(module, "propose", self.propose)

    def open_hand(self, setup: HandSetup) -> tuple[Hand, tuple[Event, ...]]:
        try:
            hand, events = open_hand(setup)
        except RuleSetError as refused:
            SecondJudge(setup).setup_refused(refused.rule)
            raise
        second = SecondJudge(setup)
        second.opening(events)
        self.second[id(hand)] = (hand, second)  # holding the hand keeps its id from being used again
        return hand, events

    def propose(self, hand: Hand, proposal: Proposal) -> Ruling:
        ruling = propose(hand, proposal)
        if id(hand) in self.second:
            _, second = self.second[id(hand)]
            second.ruling(proposal, ruling)
            second.decisions(hand)
            second.standing(hand)
            self.rulings += 1
        return ruling


@rule("BET-2", "BET-6", "BLIND-3", "SIZE-3", "SIZE-4", "SIZE-8", "OPEN-2", "POT-1", "POT-6", "SHOW-1", "RANK-4")
@pytest.mark.parametrize("case_id", cases.IDS)
def test_the_reference_judge_agrees_in_every_shared_case(case_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case compares the engine with what its source says is right; here the reference judge follows."""
    shadow = Shadow()
    shadow.follow(monkeypatch)
    cases.test_case(case_id)


def test_the_cases_are_followed_indeed(monkeypatch: pytest.MonkeyPatch, shared_cases: object) -> None:
    shadow = Shadow()
    shadow.follow(monkeypatch)
    for case_id in cases.all_cases():
        cases.test_case(case_id)
    assert len(shadow.second) > 90
    assert shadow.rulings > 400


# --- corpora --------------------------------------------------------------------------------------------


@needs_corpora
@rule("BET-2", "SIZE-3", "SIZE-5", "POT-1", "POT-5", "SHOW-2", "RANK-1")
@pytest.mark.parametrize("name", HANDS)
def test_the_reference_judge_agrees_on_the_corpora(name: str) -> None:
    """Whatever the record says, right or wrong, the two judges say the same of it."""
    every = scale(max(1, HANDS[name] // 40), 1)
    for record in records(name)[::every]:
        second = judge_record(record, with_second_opinion=True).second_opinion
        assert second is not None
        assert second.agrees(), f"{record.source}:{record.line}: {second.difference}"
        assert second.compared > 20


# --- one record -----------------------------------------------------------------------------------------


def read(text: str) -> HandRecord:
    (found,) = read_text(text, "text")
    assert isinstance(found, HandRecord)
    return found


@pytest.mark.parametrize("name", bundled())
def test_the_reference_judge_agrees_on_the_demo_the_dispute_included(name: str) -> None:
    judgement = judge_record(read(bundled()[name]), with_second_opinion=True)
    assert judgement.agrees() == ("disputed" not in name)
    assert judgement.second_opinion is not None
    assert judgement.second_opinion.agrees()
    assert judgement.second_opinion.compared > 50


def test_without_being_asked_there_is_no_second_opinion() -> None:
    assert judge_record(read(bundled()["1-no-limit-side-pots"])).second_opinion is None


def test_a_refused_setup_has_a_second_opinion_too() -> None:
    record = read(bundled()["1-no-limit-side-pots"])
    record = replace(record, setup=replace(record.setup, stacks=(0, *record.setup.stacks[1:])))
    judgement = judge_record(record, with_second_opinion=True)
    assert judgement.hand is None
    assert judgement.second_opinion is not None
    assert judgement.second_opinion.agrees()


def test_where_the_engine_errs_the_first_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that lets anybody raise again at any time: the disputed raise would be accepted."""
    monkeypatch.setattr("referee.rules.betting.is_reopened", lambda hand, player: True)
    judgement = judge_record(read(bundled()["4-disputed"]), with_second_opinion=True)
    assert judgement.second_opinion is not None
    assert not judgement.second_opinion.agrees()
    told = str(judgement.second_opinion.difference)
    assert told.endswith("the engine says accepted; the reference judge says ('RAISE_NOT_REOPENED', 'OPEN-2')")


# --- the command ----------------------------------------------------------------------------------------


@pytest.fixture
def disputed(tmp_path: Path) -> Path:
    path = tmp_path / "disputed.phh"
    path.write_text(bundled()["4-disputed"], encoding="utf-8")
    return path


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.output


def test_the_command_tells_that_the_second_opinion_agrees(disputed: Path) -> None:
    code, told = run("judge", "--second-opinion", disputed)
    assert code == 1, "the record is still wrong"
    assert "hand 1: second opinion: the reference judge agrees on " in told
    code, told = run("judge", "--second-opinion", "--json", disputed)
    second = json.loads(told.splitlines()[0])["second_opinion"]
    assert (code, second["agrees"], second["difference"]) == (1, True, None)
    assert second["compared"] > 50
    assert "second_opinion" not in json.loads(run("judge", "--json", disputed)[1].splitlines()[0])


def test_the_command_exits_3_and_tells_the_first_difference(disputed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parted = SecondOpinion(7, Difference("RAISE 60 by seat 1", "accepted", "OPEN-2"))
    monkeypatch.setattr("referee.second_opinion.second_opinion", lambda *words: parted)
    code, told = run("judge", "--second-opinion", disputed)
    assert code == 3
    assert "THE JUDGES DIFFER: RAISE 60 by seat 1: the engine says accepted; the reference judge says OPEN-2" in told
    code, told = run("judge", "--second-opinion", "--json", "--brief", disputed)
    assert code == 3
    assert json.loads(told.splitlines()[0])["second_opinion"] == {
        "agrees": False,
        "compared": 7,
        "difference": {"where": "RAISE 60 by seat 1", "engine": "accepted", "reference": "OPEN-2"},
    }


def test_every_reason_is_known_to_the_reference_judge() -> None:
    """A reason that the engine gives and the reference judge never could would be a difference for ever."""
    import referee_reference.betting as betting
    import referee_reference.discards as discards
    import referee_reference.judge as judge

    text = "".join(Path(module.__file__).read_text(encoding="utf-8") for module in (betting, discards, judge))
    assert [reason.name for reason in Reason if f'"{reason.name}"' not in text] == []
