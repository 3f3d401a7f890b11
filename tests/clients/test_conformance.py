"""`referee conformance`: a right client passes everything, each broken one is caught and named, and nothing hangs."""

import asyncio
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from clients.python.example.strategy import conformance
from referee.cli import app
from referee.client import Backoff, aio
from referee.conformance import (
    SCENARIOS,
    SCENARIOS_OF,
    Command,
    Outcome,
    junit_xml,
    run_command,
    run_listening,
    running,
)
from tests.support import REPOSITORY

PYTHON_BOT = f"{sys.executable} {REPOSITORY / 'clients/python/bot'}"
BROKEN = REPOSITORY / "tests/clients/broken"


@pytest.fixture(autouse=True)
def _finds_the_package(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))


EVERY_SCENARIO = tuple(scenario for of_a_game in SCENARIOS_OF.values() for scenario in of_a_game)


def scenarios(*names):
    chosen = [scenario for scenario in EVERY_SCENARIO if scenario.name in names]
    assert len(chosen) == len(names)
    return chosen


def judged(command, *names, game="poker"):
    """The verdicts by the scenarios' names, of all scenarios of a game if none is named."""
    chosen = scenarios(*names) if names else SCENARIOS_OF[game]
    verdicts = asyncio.run(run_command(Command(command), chosen))
    assert [verdict.scenario for verdict in verdicts] == list(chosen)
    return {verdict.scenario.name: verdict for verdict in verdicts}


def failed(verdicts):
    return {name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAILED}


def test_names_and_sources_of_scenarios_are_in_order():
    names = [scenario.name for scenario in EVERY_SCENARIO]
    assert len(set(names)) == len(names) > 65
    for scenario in EVERY_SCENARIO:
        for word in scenario.source.replace(",", " ").replace(";", " ").split():
            if word.startswith(("docs/", "proto/", "clients/")):
                assert (REPOSITORY / word).is_file(), (scenario.name, word)


@pytest.mark.parametrize("game", SCENARIOS_OF)
def test_the_python_bot_passes_every_scenario(game):
    verdicts = judged(PYTHON_BOT, game=game)
    assert {(verdict.scenario.name, verdict.outcome, verdict.seen) for verdict in verdicts.values()} == {
        (scenario.name, Outcome.PASSED, "that") for scenario in SCENARIOS_OF[game]
    }


def test_a_client_that_does_not_know_kozel_fails_its_scenarios():
    poker_only = BROKEN / "plays_poker_only.py"
    verdicts = judged(f"{sys.executable} {poker_only}", "kozel-refusal", "kozel-deals-fair", "hand-holdem")
    assert failed(verdicts) == {"kozel-refusal", "kozel-deals-fair"}


@pytest.mark.parametrize(
    ("fault", "caught", "named"),
    [
        (
            "takes_the_end_of_a_stream_for_the_end_of_the_game",
            {"end-without-item", "cut-everywhere", "end-draining"},
            ("end-without-item", "it takes the end of a stream for the end of the game"),
        ),
        (
            "resends_an_old_action_after_a_reconnect",
            {"answer-unacknowledged", "answer-accepted", "answer-overtaken"},
            ("answer-overtaken", "its old answer again (check) as a new request"),
        ),
        (
            "raises_by_instead_of_to",
            {"raise-to", "min-raise", "max-raise"},
            ("raise-to", "it raises by 30 where amounts name the street total to raise to"),
        ),
    ],
)
def test_a_broken_client_is_caught_and_named(fault, caught, named):
    untouched = {"hand-holdem", "discard-any-order", "end-table-ended"}
    verdicts = judged(f"{sys.executable} {BROKEN / fault}.py", *caught, *untouched)
    assert failed(verdicts) == caught
    name, words = named
    assert words in verdicts[name].seen
    assert verdicts[name].expected


def test_what_is_wrong_with_the_four_is_all_that_there_is_in_the_folder():
    assert len(list(BROKEN.glob("*.py"))) == 4


# --- strange clients ------------------------------------------------------------------------------------


def test_a_bot_that_does_not_know_the_wishes_is_judged_by_what_it_does():
    command = f"{PYTHON_BOT} --target {{target}} --seat {{seat}} --backoff-ms 10"  # plays plain
    verdicts = judged(command, "hand-folded", "min-raise", "refusal-retry", "heartbeats", "end-replaced")
    outcomes = {name: verdict.outcome for name, verdict in verdicts.items()}
    assert failed(verdicts) == set()
    assert outcomes["end-replaced"] is Outcome.PASSED
    assert outcomes["refusal-retry"] is outcomes["heartbeats"] is Outcome.NOT_EXERCISED
    assert verdicts["refusal-retry"].expected == "something that is refused"


@pytest.mark.parametrize(
    ("program", "seen"),
    [
        ("import time; time.sleep(100)", "nothing within 1 s"),
        ("import sys; sys.exit('no such thing')", "its process ended with exit code 1, saying: no such thing"),
    ],
)
def test_a_client_that_never_comes_fails_in_bounded_time(program, seen, monkeypatch, tmp_path):
    monkeypatch.setattr(running, "START_S", 1.0)
    script = tmp_path / "client.py"
    script.write_text(program)
    (verdict,) = judged(f"{sys.executable} {script}", "raise-to").values()
    assert (verdict.outcome, verdict.seen) == (Outcome.FAILED, seen)


def test_a_client_that_goes_on_for_ever_is_stopped_with_all_that_it_started(monkeypatch, tmp_path):
    monkeypatch.setattr("referee.conformance.game.EXIT_S", 0.5)
    script = tmp_path / "client.py"
    script.write_text(
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen({PYTHON_BOT.split()} + sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        f"open({str(tmp_path / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(100)\n"
    )
    (verdict,) = judged(f"{sys.executable} {script}", "hand-antes").values()
    assert verdict.outcome is Outcome.FAILED
    assert verdict.seen == "it still runs after 0.5 s"
    for pid in (tmp_path / "pids").read_text().split():
        assert not is_running(pid)


def is_running(pid):
    """Whether a process runs; one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_clients_that_somebody_else_starts_are_judged_over_both_ways_of_playing():
    chosen = [
        scenario
        for scenario in SCENARIOS
        if scenario.name
        in {"hand-no-limit", "wrong-discard", "refusal-retry", "answer-unacknowledged", "cut-everywhere", "raise-to"}
    ]

    async def body(play):
        playing = []

        def started(scenario, game):
            (told,) = game.tables
            playing.append(asyncio.create_task(play(game.server.address, (told.table_id, told.seat_token))))

        verdicts = await run_listening("127.0.0.1:0", chosen, started)
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        return verdicts

    backoff = Backoff(first_s=0.01)
    for play in (
        lambda address, seat: aio.play(address, conformance, [seat], backoff=backoff),
        lambda address, seat: aio.play_watching(address, conformance, seat, backoff=backoff),
    ):
        verdicts = asyncio.run(asyncio.wait_for(body(play), 60))
        assert [(verdict.outcome, verdict.seen) for verdict in verdicts] == [(Outcome.PASSED, "that")] * len(chosen)


# --- the command ----------------------------------------------------------------------------------------


def invoke(*words):
    return CliRunner().invoke(app, ["conformance", *words])


def test_the_command_reports_for_people_for_machines_and_for_build_servers(tmp_path):
    report = tmp_path / "report.xml"
    broken = f"{sys.executable} {BROKEN / 'raises_by_instead_of_to.py'}"
    done = invoke("--cmd", broken, "--only", "raise-to", "--only", "hand-hold", "--junit", str(report))
    assert done.exit_code == 1
    assert "FAIL raise-to" in done.stdout
    assert "pass hand-holdem" in done.stdout
    assert "expected: raise to 70" in done.stdout
    assert "it raises by 30" in done.stdout
    assert done.stdout.endswith("1 passed, 1 failed, 0 not exercised\n")
    (suite,) = ElementTree.parse(report).getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped")} == {
        "tests": "2",
        "failures": "1",
        "skipped": "0",
    }
    (failure,) = suite.iter("failure")
    assert "it raises by 30" in failure.get("message", "")
    done = invoke("--cmd", PYTHON_BOT, "--only", "raise-to", "--json")
    (verdict,) = json.loads(done.stdout)
    assert (done.exit_code, verdict["name"], verdict["outcome"]) == (0, "raise-to", "passed")


def test_what_was_not_exercised_fails_only_where_that_is_asked_for():
    words = ("--cmd", f"{PYTHON_BOT} --target {{target}} --seat {{seat}}", "--only", "refusal-retry")
    assert invoke(*words).exit_code == 0
    done = invoke(*words, "--strict")
    assert done.exit_code == 1
    assert "not exercised refusal-retry" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cmd", "no-such-client-anywhere"), "cannot run no-such-client-anywhere"),
        (("--cmd", "'"), "cannot read the command"),
        (("--listen", "192.0.2.1:1"), "cannot listen on 192.0.2.1:1"),
        ((), "either --cmd or --listen"),
        (("--cmd", "x", "--only", "nonsense"), "no scenario begins with"),
        (("--cmd", "x", "--only", "kozel"), "no scenario begins with"),
        (("--cmd", "x", "--game", "bridge"), "there is no game 'bridge'; there are poker, kozel"),
    ],
)
def test_what_cannot_be_run_ends_with_2(words, said):
    done = invoke(*words)
    assert done.exit_code == 2
    assert said in done.output


def test_scenarios_are_listed():
    done = invoke("--list", "--only", "deals")
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "deals-fair",
        "deals-swapped-board",
        "deals-swapped-hole",
        "deals-another-seed",
    ]
    assert json.loads(invoke("--list", "--json").stdout)[0]["name"] == SCENARIOS[0].name
    of_kozel = json.loads(invoke("--game", "kozel", "--list", "--json").stdout)
    assert [one["name"] for one in of_kozel] == [scenario.name for scenario in SCENARIOS_OF["kozel"]]


def test_junit_without_control_characters():
    assert b"\x1b" not in junit_xml(())
