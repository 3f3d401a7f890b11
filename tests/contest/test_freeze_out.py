"""Tournaments over a real server: the same as by the rules in process, whoever is killed; places, prizes, refusals."""

import json
import os
import signal
import sys
from shutil import copytree

import pytest

from referee.audit.report import Outcome
from referee.audit.trust import Trust
from referee.audit.verify import verify_bundle
from referee.bots import make_bot
from referee.contest.deals import bot_seeds
from referee.contest.freeze_out import FreezeOut, FreezeOutError, StoredFreezeOut, tournament_config
from referee.contest.level_clock import LevelClock
from referee.contest.report.files import played_so_far, result_values
from referee.contest.results import HandResult
from referee.contest.settings import ContestFileError, parse_contest
from referee.contest.store import ContestStore
from referee.contest.tournament.playing import play_tournament
from referee.contest.tournament.standings import payouts
from referee.judge import judge_record
from referee.record.notation import read_file
from tests.contest.contests import SEED, contest, contest_text, practice, write
from tests.contest.running import BOT, results, run, start, store, told, until
from tests.support import REPOSITORY

TWO_TABLES = ("sound-irish", "always-call", "sound-irish", "always-call", "always-fold")


def tournament_text(entrants, seats=3, stack=1_000, rule_set="irish/tda@1", further=""):
    text = contest_text(entrants, game=f'seats = {seats}\nrule_set = "{rule_set}"', schedule='format = "tournament"')
    text = text.replace("hands = 20\n", "").replace("stack = 20_000", f"stack = {stack}")
    text = text.replace("small_blind = 50", "small_blind = 100").replace("big_blind = 100", "big_blind = 200")
    own = f"[tournament]\nlevel_hands = 5\nlevel_count = 12\nprize_pool = 1000\nshares = [7000, 3000]\n{further}\n"
    return text.replace("[clock]", own + "[clock]")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament at two tables, then at one, that was run, and its folder."""
    folder = tmp_path_factory.mktemp("played")
    write(folder, tournament_text(practice(*TWO_TABLES)))
    run(folder)
    return folder


def by_the_rules(settings, bots=None, hand_ms=0):
    """The tournament in process: its result, the players of every hand with what they won, and how many tables.

    ``bots`` names the practice bots of those for whom the settings name none. A hand takes ``hand_ms``.
    """
    seeds = bot_seeds(settings.name, SEED, settings.names)
    kinds = {one.name: one.bot or (bots or {}).get(one.name, "always-call") for one in settings.entrants}
    bots = {name: make_bot(kind, seeds[name]) for name, kind in kinds.items()}
    nets, tables = [], []

    def heard(before, hands, _):
        for hand, one in hands:
            names = tuple(hand.entrants[seat] for seat in hand.setup.seats)
            won = tuple(after - had for after, had in zip(one.hand.stacks, hand.setup.stacks, strict=True))
            nets.append((names, won))
            tables.append(len(before.tables))

    config = tournament_config(settings, SEED)
    return play_tournament(config, bots, elapsed_ms=lambda: hand_ms * len(nets), on_round=heard), nets, tables


def test_the_server_plays_the_tournament_that_the_rules_play_in_process(played):
    contest = store(played)
    result, nets, tables = by_the_rules(contest.settings)
    assert [(one.names, one.nets) for one in contest.results()] == nets
    assert (tables.count(2), tables.count(1)) == (14, 5)
    values = results(played)
    assert [(row["name"], row["first"], row["last"]) for row in values["places"]] == [
        (one.entrant, one.first, one.last) for one in result.places
    ]
    paid = payouts(result.places, 1000, (7000, 3000))
    assert {row["name"]: row["prize"] for row in values["places"]} == paid
    assert sum(paid.values()) == 1000
    assert values["rounds"] == result.rounds
    assert values["chips"] == {"begun": 5_000, "in_play": 5_000, "taken_out": 0}


def test_results_are_published_in_every_form(played):
    folder = played / "test" / "results"
    values = results(played)
    assert values["is_over"]
    assert values["hands"] == len(list(store(played).phh()))
    lines = (folder / "places.csv").read_text().splitlines()
    assert lines[0] == "first,last,name,prize,chips,out_in_hand,began_it_with"
    assert lines[1] == f"1,1,{values['places'][0]['name']},700,5000,,"
    assert len(lines) == 6
    page = (folder / "index.html").read_text()
    assert all(row["name"] in page for row in values["places"])
    assert "5,000 chips began, 5,000 are in play" in page
    assert "http" not in page, "the page needs nothing from elsewhere"
    code, said, _ = told(played, "results")
    assert code == 0
    assert values["places"][0]["name"] in said


def test_every_published_hand_agrees_with_the_rules(played):
    files = sorted((played / "test" / "results" / "hands").glob("*.phhs"))
    records = [record for file in files for record in read_file(file)]
    assert len(records) == results(played)["hands"]
    assert all(judge_record(record).agrees for record in records)


def test_every_table_is_audited_from_its_start(played):
    bundles = sorted((played / "test" / "records").glob("*.bundle"))
    assert len(bundles) == len(results(played)["matches"])
    for bundle in bundles:
        report = verify_bundle(bundle.read_bytes(), Trust())
        assert report.divergence is None, bundle.name
        checks = {check.name: check for check in report.checks}
        for name in ("rules", "seats", "positions"):
            assert checks[name].outcome == Outcome.PASS, (bundle.name, name)
            assert checks[name].compared


def test_hands_are_not_voided(played):
    code, _, said = told(played, "void", "m1.t0.s0-1", "--reason", "a cable was pulled")
    assert code == 2
    assert "a tournament has gone on from the hand" in said


def test_somebody_disqualified_afterwards_has_no_place_and_others_move_up(played, tmp_path):
    copytree(played, tmp_path, dirs_exist_ok=True)
    before = [row["name"] for row in results(tmp_path)["places"]]
    assert told(tmp_path, "disqualify", before[1], "--reason", "two bots in one")[0] == 0
    values = results(tmp_path)
    assert [(row["first"], row["name"]) for row in values["places"]] == [(1, before[0]), *enumerate(before[2:], 2)]
    assert values["places"][1]["prize"] == 300
    assert values["disqualified"] == [{"name": before[1], "reason": "two bots in one"}]


def test_killed_while_it_is_played_it_comes_to_the_same_hands(tmp_path):
    """The bots remember nothing, so that a process that was started again plays as the one before."""
    bots = practice("always-call", "sound-irish", "always-fold")
    program = json.dumps([sys.executable, str(BOT), "always-call", "calm"])
    bots["program"] = f"command = {program}\nenvironment = {{ PYTHONPATH = {json.dumps(str(REPOSITORY))} }}"
    write(tmp_path, tournament_text(bots, seats=2, rule_set="irish/full-tilt@1"))
    kills = 0
    for wanted in (1, 4, 8):
        process = start(tmp_path)
        until(lambda wanted=wanted, process=process: process.poll() is not None or rounds_begun(tmp_path) >= wanted)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
    assert kills >= 2, "it was killed while it was running"
    values = run(tmp_path)
    contest = store(tmp_path)
    result, nets, _ = by_the_rules(contest.settings)
    assert [(one.names, one.nets) for one in contest.results()] == nets
    assert [row["name"] for row in values["places"]] == [place.entrant for place in result.places]
    assert not values["faults"]


def stored(contest):
    return StoredFreezeOut(contest, LevelClock(contest, lambda: 0))


def rounds_begun(folder):
    return max((match.round for match, status in store(folder).matches() if status != "planned"), default=0)


def test_who_is_disqualified_in_between_leaves_with_his_chips(tmp_path):
    """He is found at the same stage whenever it is asked, and what he took with him is told."""
    settings = parse_contest(tournament_text(practice(*TWO_TABLES)))
    contest = ContestStore.create(tmp_path / "test", settings, SEED)
    first = stored(contest).next_round()
    assert len(first) == 2
    gone = first[0].players[0]
    contest.disqualify(gone, "two bots in one")
    second = stored(contest).next_round()
    assert [match.number for match in second] == [3, 4]
    assert sorted(name for match in second for name in match.players) == sorted({*settings.names} - {gone})
    assert [name for _, name in stored(contest).table_of(second[1]).seated] == list(second[1].players)
    values = result_values(played_so_far(contest))
    assert values["chips"] == {"begun": 5_000, "in_play": 4_000, "taken_out": 1_000}
    assert gone not in [row["name"] for row in values["places"]]


def test_hands_that_are_not_the_tournaments_are_refused():
    settings = parse_contest(tournament_text(practice(*TWO_TABLES)))
    begun = FreezeOut.begin(settings, SEED, settings.names, {})
    matches, table = begun.matches(), begun.next_stage().tables[0]
    names = tuple(table.entrants[seat] for seat in table.setup.seats)
    others = (0,) * (len(names) - 2)

    def one(names, nets):
        return HandResult(1, 0, 0, 0, 1, names, nets, tuple(map(float, nets)), False, 0)

    with pytest.raises(FreezeOutError, match="POT-7"):
        begun.take(matches, [one(names, (-100, 0, *others))])
    with pytest.raises(FreezeOutError, match="POT-7"):
        begun.take(matches, [one(names, (-1_500, 1_500, *others))])
    with pytest.raises(FreezeOutError, match="was dealt to"):
        begun.take(matches, [one(names[::-1], (0, 0, *others))])
    with pytest.raises(FreezeOutError, match="other tables"):
        begun.take(matches[:1], [])


@pytest.mark.parametrize(
    ("before", "after", "key", "words"),
    [
        ("level_hands = 5", "level_hands = 5\nlevel_minutes = 2", "tournament.level_minutes", "say so once"),
        ('format = "tournament"', 'format = "tournament"\nhands = 20', "schedule.hands", "to the last chip"),
        ('format = "tournament"', 'format = "tournament"\nseatings = "permutations"', "schedule.seatings", "once"),
        ('format = "tournament"', 'format = "round-robin"\nhands = 10', "tournament", "belong to a tournament"),
        ('format = "tournament"', 'format = "round-robin"', "schedule.hands", "is not said"),
        ("shares = [7000, 3000]", "shares = [7000, 2000]", "tournament.shares", "9000 basis points"),
        ("level_count = 12", 'level_count = 5\nstructure = "escalator"', "tournament", "TOUR-3"),
        ("level_count = 12", 'structure = "levels"', "tournament.levels", "are listed"),
        ("small_blind = 100", "small_blind = 50", "game.small_blind", "100 and 200"),
        ("stack = 1000", 'stack = 1000\nante = 5\nante_kind = "each"', "game.ante", "levels"),
        (
            "[tournament]",
            "[faults]\nmax_faults = 2\npolicy = 'forfeit-match'\n[tournament]",
            "faults.policy",
            "forfeits",
        ),
    ],
)
def test_settings_that_no_tournament_has_are_refused(before, after, key, words):
    text = tournament_text(practice(*TWO_TABLES))
    assert before in text
    with pytest.raises(ContestFileError) as refused:
        parse_contest(text.replace(before, after, 1))
    found = {fault.key: fault.what for fault in refused.value.faults}
    assert words in found[key]


def test_levels_may_be_listed():
    further = "".join(
        f"[[tournament.levels]]\nsmall_blind = {small}\nbig_blind = {2 * small}\nhands = {hands}\n{ante}\n"
        for small, hands, ante in ((100, 3, ""), (150, 4, 'ante = 300\nante_kind = "big-blind"'))
    )
    settings = parse_contest(tournament_text(practice(*TWO_TABLES), further='structure = "levels"\n' + further))
    levels = tournament_config(settings, SEED).structure
    assert [(one.small_blind, one.length, one.ante) for one in levels.levels] == [(100, 3, 0), (150, 4, 300)]
    assert [levels.number_at(hands, 0) for hands in (2, 3, 6, 7)] == [0, 1, 1, 2]


def test_contests_of_other_formats_keep_their_hash():
    assert b"tournament" not in contest(practice("always-call", "all-in")).canonical()
