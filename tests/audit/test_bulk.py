"""Bulk audits: what is counted, how files are cut, many processes, kills and resuming."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.audit import parts as cutting
from referee.audit.bulk import LISTED, LISTED_LETTERS, PartResult, Settings, Summary, add_result, audit_part
from referee.audit.parts import Part, Piece, find_files, hands_begun, parts_of_files, parts_of_stream, parts_of_text
from referee.audit.resuming import StateFile, StateFileError
from referee.cli import app
from referee.cli.demo import bundled
from tests.audit.processes import children_of, is_running, workers_of
from tests.corpora.corpus import CORPORA, GENERATED, HANDS, PLURIBUS, needs_corpora
from tests.support import scale

DEMO = bundled()
GOOD, DISPUTED = DEMO["1-no-limit-side-pots"], DEMO["4-disputed"]
HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 6', 'p1 f']
finishing_stacks = [98, 102]
"""
WRONG_RESULT = HAND.replace("98, 102", "97, 103")
WRONG_RAISE = HAND.replace("cbr 6", "cbr 3").replace("98, 102", "98, 102")
UNREADABLE = HAND.replace("'p1 f'", "'p1 sneezes'")


def many(*hands: str) -> str:
    """Hands as the tables of one PHH file."""
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, 1))


def run(*words, stdin=None):
    return CliRunner().invoke(app, ["audit", "bulk", *map(str, words)], input=stdin)


def told(*words, stdin=None):
    done = run(*words, "--json", stdin=stdin)
    assert done.exit_code in (0, 1, 2, 3), done.output
    return json.loads(done.stdout)


@pytest.fixture
def folder(tmp_path):
    """A folder with hands of every kind, some of it deep down, and files that are none."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "good.phh").write_text(GOOD)
    (tmp_path / "a" / "README.md").write_text("not a record")
    (tmp_path / "b" / "c" / "disputed.phh").write_text(DISPUTED)
    (tmp_path / "b" / "many.phhs").write_text(many(HAND, WRONG_RESULT, UNREADABLE, WRONG_RAISE, HAND))
    return tmp_path


# --- what is counted --------------------------------------------------------------------------------------


def test_a_folder_is_searched_to_the_bottom_and_counted_by_rule(folder):
    summary = told(folder, "--jobs", 1)
    assert (summary["hands"], summary["agree"], summary["disagree"], summary["unreadable"]) == (6, 3, 3, 1)
    assert summary["by_rule"] == {"OPEN-2": 1, "POT-5": 1, "POT-6": 1, "SIZE-3": 1}
    assert list(summary["by_rule"]) == sorted(summary["by_rule"]), "as many of each: by name"
    where = [(Path(one["file"]).name, one["hand"], one["rule"], one["entry"]) for one in summary["first"]]
    assert where == [("many.phhs", 2, "POT-5", -1), ("many.phhs", 4, "SIZE-3", 0), ("disputed.phh", 1, "OPEN-2", 4)]
    text = (folder / "b" / "many.phhs").read_text().splitlines()
    assert "p1 sneezes" in text[summary["first_unreadable"][0]["line"] - 1]
    assert "cbr 3" in text[summary["first"][1]["line"] - 1]


def test_exit_codes(folder, tmp_path):
    assert run(folder / "a").exit_code == 0
    assert run(folder / "b" / "c").exit_code == 1
    assert run(folder).exit_code == 2
    assert run(tmp_path / "nobody").exit_code == 2
    assert run(folder / "a", "--rule-set", "nobody/plays@1").exit_code == 2
    assert run("-", folder).exit_code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(empty).exit_code == 0


def test_the_text_lists_the_first_that_disagree(folder):
    done = run(folder, "--jobs", 1, "--first", 1)
    assert "many.phhs:" in done.stdout
    assert "hand 2: POT-5: finishing stacks; recorded: 97, 103; right: 98, 102" in done.stdout
    assert "hand 4" not in done.stdout
    assert "6 hands: 3 agree, 3 disagree, 1 unreadable" in done.stdout


def test_a_stream_is_judged_as_it_comes():
    summary = told("-", "--jobs", 1, stdin=many(HAND, WRONG_RAISE))
    assert (summary["hands"], summary["disagree"]) == (2, 1)
    assert summary["first"][0]["file"] == "-"


def test_the_second_opinion_is_asked_for_every_hand(folder):
    summary = told(folder / "a", "--jobs", 1, "--second-opinion")
    assert (summary["hands"], summary["judges_differ"]) == (1, 0)


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"\xff\xfe\0", "poem\n".encode("utf-16"), b"[1]\n", b"\xc3\x28"])
def test_bytes_that_are_no_record_are_counted_not_raised(tmp_path, data):
    path = tmp_path / "bad.phh"
    path.write_bytes(data)
    summary = told(path, "--jobs", 1)
    assert (summary["hands"], summary["unreadable"]) == (0, 1)
    done = subprocess.run(
        [sys.executable, "-m", "referee", "audit", "bulk", "-", "--json"], input=data, capture_output=True, timeout=120
    )
    assert json.loads(done.stdout)["unreadable"] == 1


def test_wide_text_is_read_as_a_whole(tmp_path):
    path = tmp_path / "wide.phhs"
    path.write_bytes(many(*[HAND] * 3).encode("utf-16"))
    assert told(path, "--jobs", 1)["hands"] == 3


def test_what_is_listed_is_bounded(tmp_path):
    long = WRONG_RAISE.replace("'p1 f'", ", ".join(["'p1 f'"] + ["'p1 f'"] * 500))
    (tmp_path / "wrong.phhs").write_text(many(*[long.replace("cbr 3", "cbr 3 # " + "x" * 9_000)] * (LISTED + 5)))
    summary = told(tmp_path, "--jobs", 1, "--first", LISTED)
    assert summary["disagree"] == LISTED + 5
    assert len(summary["first"]) == LISTED
    for one in summary["first"]:
        assert all(len(one[name]) < LISTED_LETTERS + 5 for name in ("before", "recorded", "right", "message"))


# --- how files are cut ------------------------------------------------------------------------------------


def judged(parts) -> Summary:
    summary = Summary()
    for part in parts:
        summary.add(audit_part(part, Settings()))
    return summary


def outcome(summary: Summary):
    first = [(one.hand, one.line, one.divergence.piece, one.divergence.rule) for one in summary.first()]
    unreadable = [(one.line, one.expected) for one in summary.first_unreadable()]
    return summary.hands, summary.disagree, summary.unreadable, dict(summary.by_rule), first, unreadable


@pytest.mark.parametrize("size", [1, 100, 700, 5_000])
def test_however_a_file_is_cut_the_findings_are_the_same(tmp_path, monkeypatch, size):
    path = tmp_path / "many.phhs"
    path.write_text(many(*[HAND, WRONG_RESULT, HAND, UNREADABLE, WRONG_RAISE] * 6))
    whole = outcome(judged(parts_of_files([path])))
    assert whole[0] == 24
    monkeypatch.setattr(cutting, "PART_BYTES", size)
    parts = list(parts_of_files([path]))
    assert len(parts) > 1 or size == 5_000
    assert b"".join(part.pieces[0].data or b"" for part in parts) == path.read_bytes() or len(parts) == 1
    assert outcome(judged(parts)) == whole
    stream = list(parts_of_stream(io.BytesIO(path.read_bytes()), part_bytes=size))
    assert outcome(judged(stream)) == whole
    assert outcome(judged(parts_of_text(path.read_text(), "x", size))) == whole


@needs_corpora
@pytest.mark.parametrize("name", [GENERATED, "acpc/3p.nolimit.h1000.r0.log"])
def test_a_contests_log_is_cut_with_its_heading(name):
    data = (CORPORA / name).read_bytes()
    lines = data.splitlines(keepends=True)[: scale(300, 100_000)]
    data = b"".join(lines)
    whole = outcome(judged(parts_of_stream(io.BytesIO(data), str(CORPORA / name), 10**7)))
    cut = list(parts_of_stream(io.BytesIO(data), str(CORPORA / name), 4_000))
    assert len(cut) > 5
    assert outcome(judged(cut)) == whole
    assert whole[0] == sum(line.startswith(b"STATE:") for line in lines)


def test_full_tilts_text_is_cut_where_a_hand_begins():
    text = "Full Tilt Poker Game #1: nonsense\nand more\n\n\nFull Tilt Poker Game #2: nonsense\n" * 20
    assert judged(parts_of_text(text, "x", 10)).unreadable == 40
    assert len(list(parts_of_text(text, "x", 10))) == 40


def test_what_never_begins_a_hand_is_cut_off(monkeypatch):
    monkeypatch.setattr(cutting, "LONGEST_HAND_BYTES", 10_000)
    data = b"[1]\n" + b"x" * 40_000 + b"\n[2]\n" + HAND.encode()
    parts = list(parts_of_stream(io.BytesIO(data), part_bytes=1_000))
    assert b"".join(part.pieces[0].data or b"" for part in parts) == data
    assert judged(parts).hands == 1
    junk = list(parts_of_stream(io.BytesIO(b"zz zz\n" * 10_000), part_bytes=1_000))
    assert len(junk) == 1
    assert judged(junk).unreadable == 1


def test_hands_are_counted_before_they_are_read():
    assert hands_begun(many(HAND, HAND, HAND), "x") == 3
    assert hands_begun(HAND, "x") == 1
    assert hands_begun("poem", "x") == 0


def test_one_more_file_changes_the_key_of_one_part(tmp_path):
    for number in range(400):
        (tmp_path / f"{number:03}.phh").write_text(HAND)
    before = list(parts_of_files(find_files([tmp_path])))
    assert sum(len(part.pieces) for part in before) == 400
    assert len(before) > 2
    (tmp_path / "000-more.phh").write_text(HAND)
    after = list(parts_of_files(find_files([tmp_path])))
    assert len({part.key for part in before} - {part.key for part in after}) == 1


def test_a_changed_file_has_another_key(tmp_path):
    path = tmp_path / "hand.phh"
    path.write_text(HAND)
    (before,) = parts_of_files([path])
    os.utime(path, ns=(1, 1))
    (after,) = parts_of_files([path])
    assert before.key != after.key


def test_results_survive_json_and_add_up_in_any_order():
    parts = list(parts_of_text(many(*[HAND, WRONG_RESULT, UNREADABLE] * 8), "x", 500))
    results = [audit_part(part, Settings()) for part in parts]
    copied = [PartResult.from_dict(json.loads(json.dumps(result.to_dict()))) for result in results]
    assert copied == results
    backwards, total = Summary(), PartResult(0, "")
    for result in [*reversed(copied), copied[0]]:
        backwards.add(result)
    for result in results:
        add_result(total, result)
    assert outcome(backwards) == outcome(judged(parts))
    assert total.first == backwards.first()
    assert (total.hands, total.disagree, total.unreadable) == (16, 8, 8)


# --- many processes, kills, resuming ----------------------------------------------------------------------


@needs_corpora
def test_two_processes_find_what_one_finds():
    one, two = (told(CORPORA, "--jobs", jobs) for jobs in (1, 2))
    assert one == two
    assert one["hands"] == sum(HANDS.values())
    assert one["unreadable"] == 0
    assert set(one["by_rule"]) == {"POT-6", "SIZE-3", "OPEN-2"}, "the differences that tests/corpora explains"


def test_a_state_file_is_of_its_settings_and_of_one_process(tmp_path):
    path = tmp_path / "state"
    with StateFile(path, Settings()), pytest.raises(StateFileError, match="another process"):
        StateFile(path, Settings())
    with pytest.raises(StateFileError, match="other settings"):
        StateFile(path, Settings(rule_set="holdem/tda@1"))
    for bad in (b"hello\n", b"{}\n", path.read_bytes() + b"{}\n", path.read_bytes() + b'{"first": 1}\n'):
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises(StateFileError):
            StateFile(tmp_path / "bad", Settings())


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_torn_line_is_dropped_and_the_part_done_again(tmp_path, cut):
    path = tmp_path / "state"
    results = [audit_part(part, Settings()) for part in parts_of_text(many(*[WRONG_RESULT] * 8), "x", 500)]
    with StateFile(path, Settings()) as state:
        for result in results:
            state.add(result)
    path.write_bytes(path.read_bytes()[:-cut])
    with StateFile(path, Settings()) as state:
        assert set(state.done) == {result.key for result in results[:-1]}
        state.add(results[-1])
    with StateFile(path, Settings()) as state:
        assert list(state.done.values()) == results


def test_what_is_done_is_not_judged_again(tmp_path, folder):
    state = tmp_path / "state"
    first = told(folder, "--jobs", 1, "--resume", state)
    lines = state.read_bytes().count(b"\n")
    assert told(folder, "--jobs", 1, "--resume", state) == first
    assert state.read_bytes().count(b"\n") == lines, "nothing was judged"
    (folder / "b" / "more.phh").write_text(HAND)
    more = told(folder, "--jobs", 1, "--resume", state)
    assert more["hands"] == first["hands"] + 1
    assert run(folder, "--resume", folder / "a" / "good.phh").exit_code == 2


def test_kill_9_and_resume(tmp_path):
    """Killed again and again, however far it had come: the summary is that of one run, and nothing is done twice."""
    text = many(*[HAND, WRONG_RESULT, HAND, HAND] * scale(1_500, 20_000))
    (tmp_path / "many.phhs").write_text(text)
    state = tmp_path / "state"
    words = [sys.executable, "-m", "referee", "audit", "bulk", str(tmp_path), "--json", "--jobs", "2"]
    words += ["--resume", str(state)]
    kills = 0
    for lines in (1, 2):
        process = subprocess.Popen(words, stdout=subprocess.PIPE)
        while process.poll() is None and (not state.exists() or state.read_bytes().count(b"\n") < lines + 1):
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate(timeout=60)
    assert kills
    done = subprocess.run(words, capture_output=True, timeout=300)
    resumed = json.loads(done.stdout)
    assert done.returncode == 1
    assert resumed == told(tmp_path, "--jobs", 1)
    keys = [json.loads(line)["key"] for line in state.read_bytes().splitlines()[1:]]
    assert len(keys) == len(set(keys))


def test_workers_end_with_their_parent(tmp_path):
    (tmp_path / "many.phhs").write_text(many(*[HAND] * 40_000))
    words = [sys.executable, "-m", "referee", "audit", "bulk", str(tmp_path), "--jobs", "2"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    children: set[int] = set()
    deadline = time.monotonic() + 60
    while len(children) < 3 and time.monotonic() < deadline:
        children = set(children_of(process.pid))
        time.sleep(0.02)
    assert len(children) >= 2
    process.kill()
    process.wait()
    while any(is_running(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [child for child in children if is_running(child)]


def test_a_killed_worker_is_told_and_what_is_done_is_kept(tmp_path):
    (tmp_path / "many.phhs").write_text(many(*[HAND] * 40_000))
    state = tmp_path / "state"
    words = [sys.executable, "-m", "referee", "audit", "bulk", str(tmp_path), "--jobs", "2", "--resume", str(state)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and (not state.exists() or state.read_bytes().count(b"\n") < 2):
        time.sleep(0.02)
    workers = workers_of(process.pid)
    assert workers, "it is still at work"
    os.kill(workers[0], signal.SIGKILL)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "a worker process was killed" in said
    with StateFile(state, Settings()) as kept:
        assert kept.done


@needs_corpora
def test_a_long_file_counts_its_hands_through(tmp_path):
    """Hands of a file that was cut have the numbers by which `referee audit dispute --hand` finds them."""
    text = (
        (CORPORA / PLURIBUS)
        .read_text()
        .replace("[9950, 9750, 10000, 10000, 10300, 10000]", "[9950, 9751, 9999, 10000, 10300, 10000]")
    )
    path = tmp_path / "altered.phhs"
    path.write_text(text + text.replace("[", "[9", 0))
    summary = Summary()
    for part in parts_of_text(text, str(path), 50_000):
        summary.add(audit_part(part, Settings()))
    assert summary.disagree >= 1
    for one in summary.first():
        done = CliRunner().invoke(app, ["audit", "dispute", str(path), "--hand", str(one.hand), "--json"])
        assert done.exit_code == 1
        assert json.loads(done.output)["divergence"]["line"] == one.line


def test_a_part_of_files_that_vanish_is_unreadable_not_an_error(tmp_path):
    result = audit_part(Part(1, "k", 0, (Piece(str(tmp_path / "gone.phh")),)), Settings())
    assert (result.hands, result.unreadable) == (0, 1)
