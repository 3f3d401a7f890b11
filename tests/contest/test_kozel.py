"""Contests of Kozel: settings, equal decks in every seating, results by rating and points, kills."""

import json
import random
import time
from collections import defaultdict

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.contest.deals import bot_seeds
from referee.contest.in_process import HomeGame, play_table
from referee.contest.kozel import MAX_ROUNDS, kozel_deck_file
from referee.contest.schedule import Match, tables_of
from referee.contest.settings import ContestFileError, GameSettings, ScheduleSettings, parse_contest
from referee.dealing.given import read_decks
from referee.dealing.items import TILES
from referee.kozel.ruleset import ON_ONE
from referee.kozel.setup import redeal_player
from referee.kozel_judge import judge_round
from referee.record.notation.kozel import read_rounds
from tests.contest.contests import SEED, write
from tests.contest.running import kill, processes, results, results_bytes, run, start, store
from tests.contest.test_killed import is_over
from tests.support import scale

rule = pytest.mark.rule
THREE = {"one": "tile-counter", "two": "random-legal", "three": "heaviest-first"}


def text(entrants=THREE, game="", schedule="hands = 2", seats=3):
    listed = "\n".join(f'[[entrants]]\nname = "{name}"\nbot = "{bot}"' for name, bot in entrants.items())
    return f"""format = "referee-contest/1"
name = "test"

[game]
rule_set = "kozel/on-one@1"
seats = {seats}
{game}

[schedule]
{schedule}

{listed}
"""


# --- settings -----------------------------------------------------------------------------------------------


def faults(written):
    with pytest.raises(ContestFileError) as refused:
        parse_contest(written)
    return [(fault.key, fault.line, fault.what) for fault in refused.value.faults]


def test_what_only_poker_has_is_refused_with_key_and_line():
    assert faults(text(game="big_blind = 100\nstack = 20_000")) == [
        ("game.big_blind", 7, "of poker only: Kozel is played for points"),
        ("game.stack", 8, "of poker only: Kozel is played for points"),
    ]
    assert faults(text(seats=5))[0][:2] == ("game.seats", 6)
    assert faults(text(schedule="hands = 20\nblock_hands = 10"))[0][:2] == ("schedule.block_hands", 11)
    assert faults(text(schedule="hands = 20\ntable_hands = 10"))[0][:2] == ("schedule.table_hands", 11)
    assert ("schedule.format", 10) in [one[:2] for one in faults(text(schedule='format = "tournament"'))]
    policy = '\n[faults]\npolicy = "forfeit-hand"\nmax_faults = 3\n'
    assert [one[0] for one in faults(text() + policy)] == ["faults.policy"]
    price = '\n[faults]\npolicy = "forfeit-match"\nmax_faults = 3\nunplayed_hand_chips = 3\n'
    assert [one[0] for one in faults(text(seats=2) + price)] == ["faults.unplayed_hand_chips"]
    assert faults(text().replace("on-one@1", "on-two@1"))[0][:2] == ("game.rule_set", 5)


def test_what_only_poker_can_leave_out_is_missed_there():
    of_poker = text(schedule="hands = 20").replace("kozel/on-one@1", "irish/full-tilt@1")
    assert [(key, what) for key, _, what in faults(of_poker)] == [
        ("game.small_blind", "field required"),
        ("game.big_blind", "field required"),
        ("game.stack", "field required"),
    ]
    with_chips = of_poker.replace("seats = 3", "seats = 3\nsmall_blind = 5\nbig_blind = 0\nstack = 100")
    assert [one[0] for one in faults(with_chips)] == ["game.big_blind"]


def test_a_game_is_a_block_of_its_own():
    settings = parse_contest(text())
    assert settings.schedule.block_hands == settings.schedule.hands_of_a_table == 1
    assert parse_contest(text(schedule="hands = 2\nblock_hands = 1")).sha256() == settings.sha256()


# --- decks and results --------------------------------------------------------------------------------------


def plans(names, hands, seatings="rotations"):
    schedule = ScheduleSettings(seatings=seatings, hands=hands, block_hands=1)
    return tables_of(Match(1, 1, tuple(names)), schedule)


@rule("KOZ-2")
def test_every_seating_of_a_game_has_the_same_decks_and_no_other_game_has_them():
    files = defaultdict(set)
    for plan in plans(THREE, 3):
        files[plan.number].add(kozel_deck_file("test", SEED, plan, ON_ONE))
    assert [len(of_game) for of_game in files.values()] == [1, 1, 1]
    assert len(set.union(*files.values())) == 3
    decks = read_decks(files[0].pop(), TILES)
    assert len(decks) == MAX_ROUNDS
    assert all(redeal_player(decks.deck(0, number), 3, ON_ONE) < 0 for number in range(1, MAX_ROUNDS + 1))


def home(bots):
    game = GameSettings(rule_set="kozel/on-one@1", seats=len(bots))
    return HomeGame(game, "test", SEED, bots, dict.fromkeys(bots, 7))


@rule("KOZ-16")
def test_in_process_the_rotated_seats_have_the_same_tiles_and_results_are_ratings_and_points():
    dealt = defaultdict(set)
    for plan in plans(THREE, 2):
        played = play_table(home(THREE), plan, lambda _: True)
        (result,) = played.hands
        rounds = list(read_rounds(played.texts[1]))
        assert all(not judge_round(one).findings for one in rounds)
        dealt[plan.number].add(rounds[0].setup.decks)
        end = rounds[-1].end
        assert result.names == plan.players
        assert result.nets == end.ratings
        assert result.adjusted == tuple(-float(account.score) for account in end.accounts)
        assert result.pot == 0
    assert [len(decks) for decks in dealt.values()] == [1, 1]


def test_a_bot_that_fails_loses_its_decision_and_everybody_hears_of_it(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text("def bot(decision):\n    return decision.lay('6-6', 'left') if decision.chain else 1 / 0\n")
    (plan,) = plans(("bad", "one"), 1, "single")
    played = play_table(home({"bad": str(file), "one": "random-legal"}), plan)
    (result,) = played.hands
    kinds = {(fault.kind, fault.reason) for fault in result.faults}
    assert ("refused", "TILE_NOT_HELD") in kinds
    assert all(fault.name == "bad" for fault in result.faults)
    assert all("ZeroDivisionError" in told for told in played.raised.values())


def test_the_match_command_tells_who_is_better_by_rating_and_by_points(tmp_path):
    notation = tmp_path / "games.kozel"
    words = ["match", "tile-counter", "random-legal", "--rules", "kozel/on-one@1", "--duplicate", "--hands", "24"]
    done = CliRunner().invoke(app, [*words, "--seed", SEED.hex(), "--workers", "1", "--phh", str(notation), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["hands"], told["decided"], told["largest_pots"]) == (24, True, [])
    assert set(told["rates"]) == {"raw", "duplicate", "points"}
    assert told["rates"]["points"]["value"] > 0
    assert told["verdict"].startswith("tile-counter beats random-legal: tile-counter +")
    assert "rating/100" in told["verdict"]
    games = {one.setup.hand_id.rpartition("-")[0] for one in read_rounds(notation.read_text())}
    assert len(games) == 24
    again = CliRunner().invoke(app, [*words, "--seed", SEED.hex(), "--workers", "1", "--json"])
    assert json.loads(again.stdout)["rates"] == told["rates"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tile-counter", "all-in", "--rules", "kozel/on-one@1"], "there is no practice bot 'all-in'"),
        (["tile-counter", "random-legal"], "there is no practice bot 'tile-counter'"),
        (["tile-counter", "random-legal", "--rules", "kozel/none@1"], "there is no rule set 'kozel/none@1'"),
        (["tile-counter"] * 5 + ["--rules", "kozel/on-one@1"], "is for 2 to 4"),
    ],
)
def test_what_cannot_be_played_is_said(words, said):
    done = CliRunner().invoke(app, ["match", *words])
    assert done.exit_code == 2
    assert said in done.stderr


# --- on tables ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    write(folder, text(BOTS, schedule=f"hands = {GAMES}", seats=2))
    run(folder)
    return folder


BOTS = {"one": "tile-counter", "two": "random-legal"}
GAMES = scale(6, 100)


def test_tables_play_the_same_games_as_this_process(undisturbed):
    """The same seed gives the same decks and the same bots: so everything that comes of them is the same."""
    game = GameSettings(rule_set="kozel/on-one@1")
    at_home = HomeGame(game, "test", SEED, BOTS, bot_seeds("test", SEED, tuple(BOTS)))
    alone = [(play_table(at_home, plan, lambda _: True)) for plan in plans(BOTS, GAMES)]
    assert sorted([one.hands[0] for one in alone], key=lambda one: one.place) == store(undisturbed).results()
    moves = [[one.deeds for one in read_rounds(table.texts[1])] for table in alone]
    assert sorted(map(str, moves)) == sorted(
        str([one.deeds for one in read_rounds(text)]) for *_, text in store(undisturbed).phh()
    )


def test_results_are_told_by_rating_and_by_points(undisturbed):
    games, values = store(undisturbed).results(), results(undisturbed)
    assert len(games) == values["hands"] == values["hands_counted"] == 2 * GAMES
    assert (values["flags"], values["faults"], values["largest_pots"], values["chip_flow"]) == ([], [], [], [])
    for row in values["standings"]:
        total = sum(one.net_of(row["name"]) for one in games)
        assert row["rating"] == total
        assert row["rating_per_100"]["duplicate"]["value"] == pytest.approx(100 * total / len(games), abs=1e-3)
        assert row["rating_per_100"]["adjusted"]["value"] < 0
    folder = undisturbed / "test" / "results"
    assert (folder / "standings.csv").read_text().startswith("rank,name,games,rating,")
    page = (folder / "index.html").read_text()
    assert "Points of rating" in page
    assert "Big blinds" not in page
    assert "collusion" not in page


def test_every_game_is_written_and_both_seatings_have_its_tiles(undisturbed):
    rounds = list(read_rounds((undisturbed / "test" / "results" / "hands" / "m1.kozel").read_text()))
    assert all(not judge_round(one).findings for one in rounds)
    first = [one.setup.decks for one in rounds if one.setup.leader_seat == 0]
    assert len(first) == 2 * GAMES
    assert len(set(first)) == GAMES


def test_killed_at_random_moments_it_finishes_with_the_same_results(undisturbed, tmp_path):
    folder = tmp_path / "wild"
    folder.mkdir()
    write(folder, (undisturbed / "test.toml").read_text())
    rng, log = random.Random(5), []
    process = start(folder)
    kills = scale(3, 12)
    while len(log) < kills and not is_over(folder):
        time.sleep(rng.uniform(0.3, 1.5))
        who = ("runner", "server")[len(log) % 2]
        words = {"runner": ["-m referee contest run", str(folder)], "server": ["-m referee serve", str(folder)]}[who]
        targets = processes(words)
        if not targets:
            continue
        kill(rng.choice(targets))
        log.append(who)
        if process.poll() is not None or who == "runner":
            process.wait()
            process = start(folder)
    while process.wait(timeout=300) != 0:
        process = start(folder)
    assert log
    assert results_bytes(folder) == results_bytes(undisturbed)
    assert [game for *_, game in store(folder).phh()] == [game for *_, game in store(undisturbed).phh()]
