"""Bots that hang, crash, flood, play nothing legal, or go away: the contest finishes and nobody else pays for it."""

import json
import sys
from collections import Counter

import pytest

from referee.contest.results import FORFEITED, LATE, REFUSED
from referee.judge import judge_record
from referee.record.notation.phh import read_phh
from tests.contest.contests import contest_text, write
from tests.contest.running import BOT, results, run, store
from tests.support import REPOSITORY, scale

RESTARTS = 6
WAYS = ("hanging", "crashing", "flooding", "illegal", "off-on-flop")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A contest of two honest bots and one of each bad kind at tables of seven."""
    folder = tmp_path_factory.mktemp("faults")
    entrants = {"honest-1": 'bot = "always-call"', "honest-2": 'bot = "sound-irish"'}
    for way in WAYS:
        command = [sys.executable, str(BOT), way, str(folder / way)]
        entrants[way] = (
            f"command = {json.dumps(command)}\nenvironment = {{ PYTHONPATH = {json.dumps(str(REPOSITORY))} }}\n"
            "memory_mb = 4096\ncpu_seconds = 600"
        )
    hands = scale(6, 40)
    text = contest_text(entrants, hands=hands, game="seats = 7", schedule='block_hands = 2\nseatings = "single"')
    text = (
        text.replace("action_ms = 60_000", "action_ms = 2_500\nready_ms = 20_000")
        + f"[faults]\nrestarts = {RESTARTS}\n"
    )
    write(folder, text)
    run(folder)
    return folder


def test_the_contest_finishes_with_every_hand_and_chip(folder):
    values = results(folder)
    assert values["is_over"]
    assert values["hands"] == scale(6, 40)
    assert sum(row["chips"] for row in values["standings"]) == 0


def test_each_fault_is_in_the_results(folder):
    counts = Counter()
    for fault in results(folder)["faults"]:
        counts[fault["name"], fault["kind"]] += fault["times"]
    # One player or more stays in every hand to its end, so that everybody else is asked at least once in each.
    hands = scale(6, 40)
    assert counts["hanging", LATE] >= hands
    assert counts["illegal", REFUSED] >= hands
    assert counts["crashing", LATE] > 0
    assert counts["flooding", REFUSED] + counts["flooding", LATE] >= hands
    ended = Counter(one.subject for one in store(folder).happenings() if one.kind == "program ended")
    # It is started once, and again as often as a program is.
    assert 0 < ended["crashing"] <= 1 + RESTARTS
    assert 0 < ended["off-on-flop"] <= 1 + RESTARTS
    page = (folder / "test" / "results" / "index.html").read_text()
    assert all(way in page for way in WAYS)


def test_no_other_bot_is_late_refused_or_gone_by_it(folder):
    values = results(folder)
    assert not [fault for fault in values["faults"] if fault["name"].startswith("honest")]
    ended = {one.subject for one in store(folder).happenings() if one.kind == "program ended"}
    assert not [name for name in ended if name.startswith("honest")]


def test_what_a_program_writes_is_kept(folder):
    log = (folder / "test" / "logs" / "hanging.s0.m1.log").read_text()
    assert "standard error" in log


def illegal_against_honest(**options):
    """A contest of a bot that only makes illegal proposals with one that always calls."""
    command = [sys.executable, str(BOT), "illegal", "forfeits"]
    program = f"command = {json.dumps(command)}\nenvironment = {{ PYTHONPATH = {json.dumps(str(REPOSITORY))} }}"
    return contest_text({"illegal": program, "honest": 'bot = "always-call"'}, hands=10, **options)


@pytest.mark.rule("TIME-4")
def test_who_forfeits_hands_folds_them_all_and_each_is_in_the_results_and_in_a_right_record(tmp_path):
    text = illegal_against_honest(game='rule_set = "holdem/tda@1"')
    write(tmp_path, text + '[faults]\npolicy = "forfeit-hand"\nmax_faults = 1\n')
    values = run(tmp_path)
    assert values["hands"] == 20
    counts = {(fault["kind"], fault["rule"], fault["reason"]): fault["times"] for fault in values["faults"]}
    assert counts[FORFEITED, "TIME-4", "HAND_FORFEITED"] == 20
    # What the bot sends when it is told of the refusal comes when the hand is no longer his.
    too_late = ("SEAT_FOLDED", "HAND_OVER", "WRONG_HAND")
    refused = [(reason, times) for (kind, _, reason), times in counts.items() if kind == REFUSED]
    assert sum(times for reason, times in refused if reason not in too_late) == 20
    # Small blind and big blind in turn, at ten deals in two seatings: the big blind could have checked.
    nets = sorted(one.net_of("illegal") for one in store(tmp_path).results())
    assert nets == [-100] * 10 + [-50] * 10
    texts = [file.read_text() for file in (tmp_path / "test" / "results").rglob("*.phh*")]
    hands = [record for text in texts for record in read_phh(text.splitlines(keepends=True), "contest")]
    assert len(hands) == 20
    assert [judge_record(record).findings for record in hands] == [()] * 20


@pytest.mark.rule("TIME-4")
def test_an_unplayed_hand_costs_what_the_contest_says(tmp_path):
    policy = '[faults]\npolicy = "forfeit-match"\nmax_faults = 3\nunplayed_hand_chips = 450\n'
    write(tmp_path, illegal_against_honest() + policy)
    run(tmp_path)
    forfeited = [one for one in store(tmp_path).results() if one.faults[-1:] and one.faults[-1].kind == FORFEITED]
    assert len(forfeited) == 18
    assert {(one.net_of("illegal"), one.net_of("honest"), one.adjusted[0]) for one in forfeited} <= {
        (-450, 450, -450.0),
        (-450, 450, 450.0),
    }


def test_who_forfeits_a_match_pays_for_every_hand_that_is_not_played(tmp_path):
    text = illegal_against_honest()
    write(tmp_path, text + '[faults]\npolicy = "forfeit-match"\nmax_faults = 3\n')
    values = run(tmp_path)
    assert values["hands"] == 20, "unplayed hands are there, as the policy counts them"
    forfeited = [fault for fault in values["faults"] if fault["kind"] == FORFEITED]
    assert [(fault["name"], fault["rule"]) for fault in forfeited] == [("illegal", "TIME-4")]
    unplayed = forfeited[0]["times"]
    assert unplayed == 18, "at both tables his first decision was refused three times, as often as his SDK tries"
    nets = [
        one.net_of("illegal")
        for one in store(tmp_path).results()
        if one.faults[-1:] and one.faults[-1].kind == FORFEITED
    ]
    assert nets == [-100] * unplayed
