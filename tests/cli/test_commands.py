"""The commands as their users call them: output for people, JSON, and exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee import __version__
from referee.cli import app
from referee.cli.demo import bundled
from referee.core import core
from referee.rulebook import rules

HANDS = bundled()
GOOD, DISPUTED = HANDS["1-no-limit-side-pots"], HANDS["4-disputed"]


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def files(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_judge_prints_rulings_and_settlement_and_exits_0_when_all_agrees(files):
    done = run("judge", files("good.phh", GOOD))
    assert done.exit_code == 0, done.output
    assert "SIZE-3   Anna" not in done.output, "Anna never raised"
    assert "SIZE-3   Cleo raises to 6" in done.output
    assert "POT-5    main pot of 180" in done.output
    assert "1 agrees, 0 disagrees, 0 unreadable" in done.output


def test_judge_exits_1_and_names_line_rule_and_right_when_something_disagrees(files):
    path = files("disputed.phh", DISPUTED)
    done = run("judge", path)
    assert done.exit_code == 1
    line = 1 + DISPUTED.splitlines().index(next(one for one in DISPUTED.splitlines() if "p1 cbr 60" in one))
    assert f"{path}:{line}: hand 1: disagrees: OPEN-2: " in done.output
    assert "right: fold, call 9" in done.output
    assert "disagrees: POT-6: finishing stacks; recorded: 212, 0, 213; right: 213, 0, 212" in done.output


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("stud.phh", GOOD.replace("'NI'", "'F7S'"), "F7S"),
        ("torn.phh", GOOD[: len(GOOD) // 2], ""),
        ("empty.phh", "", ""),
        ("poem.txt", "the quick brown fox\n", "Full Tilt"),
    ],
)
def test_judge_exits_2_and_says_where_when_a_file_cannot_be_read(files, name, text, said):
    path = files(name, text)
    done = run("judge", path)
    assert done.exit_code == 2
    assert f"unreadable: {path}:" in done.stderr
    assert said in done.stderr


def test_judge_exits_2_for_a_file_that_is_not_there_or_no_text(tmp_path):
    assert run("judge", tmp_path / "nobody.phh").exit_code == 2
    binary = tmp_path / "binary.phh"
    binary.write_bytes(bytes(range(256)))
    assert run("judge", binary).exit_code == 2


def test_one_unreadable_file_does_not_hide_the_others(files):
    done = run("judge", files("a.phh", "variant = "), files("b.phh", DISPUTED), files("c.phh", GOOD))
    assert done.exit_code == 2
    assert "1 agrees, 1 disagrees, 1 unreadable" in done.output


def test_judge_as_json_is_one_object_a_line(files):
    done = run("judge", "--json", files("good.phh", GOOD), files("disputed.phh", DISPUTED))
    good, disputed, summary = map(json.loads, done.stdout.splitlines())
    assert good["verdict"] == "agrees"
    assert good["settlement"]["players"][1]["stack_after"] == 405
    assert [ruling["accepted"] for ruling in good["rulings"]] == [True] * len(good["rulings"])
    refused = [ruling for ruling in disputed["rulings"] if not ruling["accepted"]]
    assert [(one["reason"], one["rule"], one["seat"]) for one in refused] == [("RAISE_NOT_REOPENED", "OPEN-2", 1)]
    assert summary == {"summary": {"agrees": 1, "disagrees": 1, "unreadable": 0}}


def test_the_rule_set_can_be_chosen_and_must_be_known(files):
    path = files("good.phh", GOOD)
    assert json.loads(run("judge", "--json", "--rule-set", "irish/tda@1", path).stdout.splitlines()[0])["rule_set"] == (
        "irish/tda@1"
    )
    unknown = run("judge", "--rule-set", "irish/house@1", path)
    assert unknown.exit_code == 2
    assert "irish/full-tilt@1" in unknown.stderr


def test_explain_tells_a_hand_street_by_street_with_rule_ids(files):
    done = run("explain", files("good.phh", GOOD))
    assert done.exit_code == 0
    order = ["pre-flop", "flop", "discard round", "turn", "river", "settlement"]
    headings = [line for line in done.output.splitlines() if line in order]
    assert headings == order
    assert "  DISC-2   Cleo discards Ts 3c" in done.output
    for line in done.output.splitlines():
        if line.startswith("  "):
            assert line.split()[0] in rules()


def test_explain_as_json_and_by_number(files):
    path = files("two.phhs", "")
    path.write_text("".join(f"[{number}]\n{text}\n" for number, text in enumerate((GOOD, DISPUTED), 1)))
    second = run("explain", path, "--hand", "2", "--json")
    assert second.exit_code == 1
    told = json.loads(second.stdout)
    assert [finding["rule"] for finding in told["findings"]] == ["OPEN-2", "POT-6"]
    assert run("explain", path, "--hand", "3").exit_code == 2


def test_rules_are_printed_by_id_by_family_and_all():
    one = run("rules", "size-4")
    assert one.exit_code == 0
    assert one.output.startswith("SIZE-4 Pot-limit: highest raise-to")
    assert [rule["id"] for rule in json.loads(run("rules", "OPEN", "--json").stdout)] == [
        "OPEN-1",
        "OPEN-2",
        "OPEN-3",
        "OPEN-4",
    ]
    assert [rule["id"] for rule in json.loads(run("rules", "--json").stdout)] == list(rules())
    unknown = run("rules", "SIZE-99")
    assert unknown.exit_code == 2
    assert "SIZE-99" in unknown.stderr


def test_demo_plays_six_bots_over_grpc_and_judges_the_bundled_hands():
    done = run("demo", "--hands", "12")
    assert done.exit_code == 0, done.output
    assert "every hand judged again from its record: all agree" in done.output
    assert done.output.count("sound-irish") >= 2
    assert "discard round" in done.output
    assert "4-disputed: disagrees" in done.output


def test_demo_as_json():
    done = run("demo", "--hands", "5", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [one["hands"] for one in told["played"]] == [5] * 6
    assert sum(one["net"] for one in told["played"]) == 0
    assert sum(one["refusals"] for one in told["played"]) == 0
    assert told["hands_agree"]
    assert list(told["judged"]) == list(HANDS)
    assert [answer.get("agrees", False) for answer in told["judged"].values()] == [True, True, True, False]
    assert len(told["judged"]["1-no-limit-side-pots"]["settlement"]["pots"]) == 3


@pytest.mark.parametrize("words", [["version"], ["--version"]])
def test_version(words):
    assert run(*words).output == f"referee {__version__}, {core()} core\n"
    assert json.loads(run("version", "--json").stdout) == {"version": __version__, "core": core()}


def test_every_command_has_json():
    for command in ("serve", "judge", "explain", "rules", "demo", "healthcheck", "version"):
        assert "--json" in run(command, "--help").output


def test_the_module_runs_as_the_command():
    done = subprocess.run([sys.executable, "-m", "referee", "--version"], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"referee {__version__}, {core()} core\n"


def test_the_copy_of_the_rulebook_is_the_normative_one():
    from tests.support import shared_folder

    normative = shared_folder() / "rulebook.md"
    if not normative.is_file():
        pytest.skip(f"no rulebook.md in {shared_folder()} (set REFEREE_SHARED)")
    ours = Path(__file__).resolve().parents[2] / "referee" / "rulebook" / "rulebook.md"
    assert ours.read_text(encoding="utf-8") == normative.read_text(encoding="utf-8")


TABLED = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [50, 200, 200]
NAMED
actions = [
  'd dh p1 2c7d', 'd dh p2 AhAd', 'd dh p3 KsKd', 'p3 cbr 50', 'p1 cc', 'p2 cc', 'd db 3s8s9h', 'p2 cc', 'p3 cc',
  'd db Td', 'p2 cc', 'p3 cc', 'd db 4h', 'p2 cc', 'p3 cbr 20', 'p2 cc', SHOWN
]
finishing_stacks = [0, 320, 130]
"""


@pytest.mark.rule("SHOW-4")
def test_hands_turned_up_together_have_no_order(files):
    shown = "'p1 sm 2c7d', 'p2 sm AhAd', 'p3 sm KsKd'"
    text = TABLED.replace("NAMED", "_rule_set = 'holdem/tda@1'").replace("SHOWN", shown)
    assert run("judge", files("tabled.phh", text)).exit_code == 0


@pytest.mark.rule("SHOW-4")
def test_a_muck_is_held_only_against_a_record_that_names_its_house_rules(files):
    shown = "'p1 sm', 'p2 sm AhAd', 'p3 sm'"
    foreign = files("foreign.phh", TABLED.replace("NAMED", "").replace("SHOWN", shown))
    done = run("judge", foreign)
    assert done.exit_code == 0
    assert "not checkable: SHOW-4: seat 1 may not muck" in done.output
    named = files("named.phh", TABLED.replace("NAMED", "_rule_set = 'holdem/tda@1'").replace("SHOWN", shown))
    done = run("judge", named)
    assert done.exit_code == 1
    assert "disagrees: SHOW-4: seat 1 may not muck" in done.output


@pytest.mark.rule("POT-8")
def test_a_recorded_rake_that_the_pots_do_not_hold_is_a_disagreement(files):
    raked = GOOD.replace("finishing_stacks", "_rake = 600\nfinishing_stacks")
    done = run("judge", files("raked.phh", raked))
    assert done.exit_code == 1
    assert "disagrees: POT-8: rake; recorded: 600; right: 565" in done.output
