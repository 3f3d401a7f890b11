"""Contests over a real server: the same as in process, whoever is killed; steered, refused, told."""

import sqlite3
from collections import Counter
from shutil import copytree

import pytest

from referee.audit.reading import read_piece
from referee.contest.deals import bot_seeds
from referee.contest.in_process import HomeGame, play_table
from referee.contest.own_server import ServerOptions
from referee.contest.report.files import played_so_far
from referee.contest.runner import Runner
from referee.contest.schedule import tables_of
from referee.contest.settings import parse_contest
from referee.contest.store import ContestStore
from referee.judge import judge_record
from referee.record.bundle import read_bundle
from referee.record.notation import read_file
from tests.contest.contests import SEED, contest_text, practice, write
from tests.contest.running import results, results_bytes, run, store, told


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A small round-robin that was run, and its folder."""
    folder = tmp_path_factory.mktemp("played")
    write(folder, contest_text(practice("sound-irish", "random-legal", "always-call"), hands=20))
    run(folder)
    return folder


def played_in_process(contest):
    """The hands of a contest of practice bots as the rules play them, without a server."""
    settings = contest.settings
    home = HomeGame(
        settings.game,
        settings.name,
        SEED,
        {one.name: one.bot for one in settings.entrants},
        bot_seeds(settings.name, SEED, settings.names),
    )
    plans = [plan for match, _ in contest.matches() for plan in tables_of(match, settings.schedule)]
    return sorted([hand for plan in plans for hand in play_table(home, plan).hands], key=lambda hand: hand.place)


def test_the_server_plays_what_the_rules_play_in_process(played):
    contest = store(played)
    in_process = played_in_process(contest)
    assert in_process == contest.results()
    assert len(in_process) == 3 * 2 * 20


def test_its_tables_are_private(played):
    for file in (played / "test" / "records").glob("*.bundle"):
        opened = read_piece(read_bundle(file.read_bytes()).pieces[0]).items[0].content.opened
        assert opened.config.private_table, "no bot looks on at the other seating of its own deals"


def test_until_it_is_over_only_deals_played_in_all_seatings_are_told(played, tmp_path):
    copytree(played, tmp_path, dirs_exist_ok=True)
    contest = store(tmp_path)
    contest.set_fact("status", "running")
    assert {(one.match, one.table) for one in played_so_far(contest).hands} == {
        (m, t) for m in (1, 2, 3) for t in (0, 1)
    }
    with sqlite3.connect(tmp_path / "test" / "contest.sqlite") as file:
        file.execute("UPDATE tables SET status = 'open' WHERE name = 'm2.t1.s1'")
    hands = played_so_far(contest).hands
    assert {(one.match, one.table) for one in hands} == {(1, 0), (1, 1), (2, 0), (3, 0), (3, 1)}
    contest.set_fact("status", "finished")
    assert len(played_so_far(contest).hands) == 120


def test_a_seed_repeats_every_hand_and_result(played, tmp_path):
    write(tmp_path, (played / "test.toml").read_text())
    run(tmp_path)
    assert results_bytes(tmp_path) == results_bytes(played)
    assert [text for *_, text in store(tmp_path).phh()] == [text for *_, text in store(played).phh()]


def test_results_are_published_in_every_form(played):
    folder = played / "test" / "results"
    values = results(played)
    assert values["is_over"]
    assert values["seed"] == SEED.hex()
    assert values["hands"] == values["hands_counted"] == 120
    assert [row["rank"] for row in values["standings"]] == [1, 2, 3]
    assert sum(row["chips"] for row in values["standings"]) == 0
    assert len((folder / "hands.csv").read_text().splitlines()) == 241
    assert (folder / "standings.csv").read_text().count("\n") == 4
    page = (folder / "index.html").read_text()
    assert "<svg" in page
    assert "http" not in page, "the page needs nothing from elsewhere"
    for row in values["standings"]:
        assert row["name"] in page


def test_every_published_hand_agrees_with_the_rules(played):
    files = sorted((played / "test" / "results" / "hands").glob("*.phhs"))
    records = [record for file in files for record in read_file(file)]
    assert len(records) == 120
    assert all(judge_record(record).agrees for record in records)


def test_a_file_that_changed_in_mid_contest_is_refused_key_by_key(played, tmp_path):
    text = (played / "test.toml").read_text()
    other = tmp_path / "test.toml"
    other.write_text(text.replace("hands = 20", "hands = 40").replace("always-call-3", "always-call-4"))
    code, _, said = told(tmp_path, "run", "--folder", str(played / "test"))
    assert code == 2
    assert "schedule.hands: it began with 20, and is 40 now" in said
    assert "entrants[3].name" in said


def test_a_contest_that_is_over_is_not_played_again(played):
    before = results_bytes(played)
    run(played)
    assert results_bytes(played) == before
    code, _, said = told(played, "pause")
    assert code == 2
    assert "nobody is running" in said


def test_a_pause_that_was_meant_for_another_runner_lapses_and_is_published(played, tmp_path):
    text = contest_text(practice("always-call", "all-in"), hands=10)
    write(tmp_path, text)
    kept = ContestStore.create(tmp_path / "test", parse_contest(text), SEED)
    kept.ask("pause")
    values = run(tmp_path)
    assert values["is_over"], "it did not stand still"
    late = [kept.ask("pause"), kept.ask("finish"), kept.ask("disqualify", "all-in-2", "seen too late")]
    Runner(kept, ServerOptions())._carry_out_what_came_late()
    kinds = [one.kind for one in kept.happenings() if one.kind.startswith("command")]
    assert kinds == ["command lapsed: pause"] * 2 + ["command lapsed: finish", "command: disqualify"]
    assert kept.asked() == []
    assert kept.disqualified() == {late[2].subject: "seen too late"}


def test_a_voided_hand_and_a_disqualified_entrant_are_published_with_their_reasons(played, tmp_path):
    copytree(played, tmp_path, dirs_exist_ok=True)
    assert told(tmp_path, "void", "m1.t0.s0-3", "--reason", "a cable was pulled")[0] == 0
    assert told(tmp_path, "void", "m9.t0.s0-3", "--reason", "there is none")[0] == 2
    values = results(tmp_path)
    assert values["voided"] == [{"hand": "m1.t0.s0-3", "reason": "a cable was pulled"}]
    assert values["hands_counted"] == 118, "the same deal in the other seating goes with it"
    assert told(tmp_path, "disqualify", "always-call-3", "--reason", "two bots in one")[0] == 0
    values = results(tmp_path)
    assert values["disqualified"] == [{"name": "always-call-3", "reason": "two bots in one"}]
    assert sorted(row["name"] for row in values["standings"]) == ["random-legal-2", "sound-irish-1"]
    assert values["hands_counted"] == 38
    assert "a cable was pulled" in (tmp_path / "test" / "results" / "index.html").read_text()


def test_a_knock_out_goes_on_round_by_round(tmp_path):
    entrants = practice("random-legal", "always-call", "all-in", "sound-irish")
    write(tmp_path, contest_text(entrants, hands=10, schedule='format = "knock-out"'))
    values = run(tmp_path)
    assert [match["round"] for match in values["matches"]] == [1, 1, 2]
    final = values["matches"][2]
    winner = max(final["players"], key=lambda name: final["bb_per_hand"][name])
    assert values["outcome"][0] == {"place": 1, "name": winner, "points": None}
    assert "Outcome of the knock-out" in (tmp_path / "test" / "results" / "index.html").read_text()


def test_at_a_table_of_three_stacks_are_carried_until_somebody_has_everything(tmp_path):
    entrants = practice("all-in", "always-call", "random-legal")
    game = "seats = 3\nreset_stacks = false"
    write(tmp_path, contest_text(entrants, hands=10, game=game, schedule='seatings = "permutations"'))
    values = run(tmp_path)
    assert len(values["matches"]) == 1
    hands = store(tmp_path).results()
    assert hands == played_in_process(store(tmp_path))
    by_seating = Counter(one.seating for one in hands)
    assert set(by_seating) == set(range(6))
    assert values["hands"] == len(hands)
    assert min(by_seating.values()) < 10, "somebody had everything before the last hand"
    assert sum(row["chips"] for row in values["standings"]) == 0
