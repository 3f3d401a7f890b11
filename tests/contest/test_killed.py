"""A contest whose runner, server and bots are killed at any moment comes to the same results."""

import json
import random
import sys
import time

import pytest

from referee.contest.store import ContestStoreError
from tests.contest.contests import contest_text, write
from tests.contest.running import BOT, kill, processes, results, results_bytes, run, start, store, told, until
from tests.support import REPOSITORY, scale


def text():
    def program(way, own):
        command = [sys.executable, str(BOT), way, f"calm-{own}"]
        return f"command = {json.dumps(command)}\nenvironment = {{ PYTHONPATH = {json.dumps(str(REPOSITORY))} }}"

    entrants = {"one": program("random-legal", "one"), "two": program("sound-irish", "two")}
    hands = scale(120, 2_000)
    return contest_text(entrants, hands=hands, schedule="block_hands = 20") + "[faults]\nrestarts = 1000\n"


def words(folder, who):
    """What the command line of a process of this contest has in it. The bots' does not name the folder."""
    return {
        "runner": ["-m referee contest run", str(folder)],
        "server": ["-m referee serve", str(folder)],
        "one": [BOT.name, "calm-one"],
        "two": [BOT.name, "calm-two"],
    }[who]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    write(folder, text())
    run(folder)
    return folder


def test_killed_at_random_moments_it_finishes_with_the_same_results(undisturbed, tmp_path):
    folder = tmp_path / "wild"
    folder.mkdir()
    write(folder, (undisturbed / "test.toml").read_text())
    rng, kills, log = random.Random(8), scale(5, 20), []
    process = start(folder)
    while len(log) < kills and not is_over(folder):
        time.sleep(rng.uniform(0.05, 0.5))  # all of it may take only a few seconds
        who = ("runner", "server", "one", "two")[len(log) % 4]
        targets = processes(words(folder, who))
        if not targets:
            continue
        kill(rng.choice(targets))
        log.append(who)
        if process.poll() is not None or who == "runner":
            process.wait()
            process = start(folder)
    while process.wait(timeout=500) != 0:
        process = start(folder)
    assert len(log) >= min(kills, 4), f"it was over after {log}"
    assert {"runner", "server", "one", "two"} <= set(log)
    assert results(folder)["faults"] == []
    assert results_bytes(folder) == results_bytes(undisturbed)
    hands = [texts for *_, texts in store(folder).phh()]
    assert hands == [texts for *_, texts in store(undisturbed).phh()], "not a hand is different"


def is_over(folder):
    try:
        return store(folder).status == "finished"
    except ContestStoreError:
        return False


def test_programs_have_one_process_for_each_seating_and_their_errors_are_kept(undisturbed):
    logs = sorted((undisturbed / "test" / "logs").glob("one.*.log"))
    assert [log.name for log in logs] == ["one.s0.m1.log", "one.s1.m1.log"], "no process sees both sides of a deal"
    assert all("standard error" in log.read_text() for log in logs)
    assert not processes(words(undisturbed, "server"))


def test_paused_told_to_end_and_run_again_it_goes_on_at_the_same_hand(undisturbed, tmp_path):
    write(tmp_path, (undisturbed / "test.toml").read_text())
    process = start(tmp_path)
    until(lambda: [one for one in store(tmp_path).happenings() if one.kind == "match began"])
    store(tmp_path).ask("pause")  # what the command asks for, before the match is over
    until(lambda: store(tmp_path).status == "paused")
    until(lambda: not processes(words(tmp_path, "server")))
    second = start(tmp_path)
    assert second.wait(timeout=120) == 2, "one runner alone"
    before = store(tmp_path).hands_begun()
    assert not processes(words(tmp_path, "one"))
    assert "paused" in told(tmp_path, "status")[1]
    assert store(tmp_path).hands_begun() == before
    assert told(tmp_path, "resume")[0] == 0
    until(lambda: processes(words(tmp_path, "one")))
    process.terminate()
    assert process.wait(timeout=120) == 1
    assert not processes(words(tmp_path, "server"))
    run(tmp_path)
    assert results_bytes(tmp_path) == results_bytes(undisturbed)
    assert (tmp_path / "test" / "results" / "index.html").exists()
    kinds = [one.kind for one in store(tmp_path).happenings()]
    assert "command: pause" in kinds
    assert "command: resume" in kinds
