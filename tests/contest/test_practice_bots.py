"""What contests must show about bots that are known: copies tie, rankings repeat, duplicate pays."""

from pathlib import Path

from referee.contest.in_process import HomeGame, play_table
from referee.contest.schedule import Match, next_round, tables_of
from referee.contest.settings import GameSettings, ScheduleSettings
from referee.contest.statistics.standings import Options, difference, standings
from referee.contest.statistics.units import Way
from tests.contest.contests import SEED, contest
from tests.support import scale

CAREFUL = str(Path(__file__).with_name("careful_bot.py"))
OPTIONS = Options(resamples=1_000)
FIELD = {
    "sound": "sound-irish",
    "sound-too": "sound-irish",
    "careful": CAREFUL,
    "caller": "always-call",
    "folder": "always-fold",
    "random": "random-legal",
}


def round_robin(seed, hands):
    """Every hand of a duplicate round-robin of the field, played in process."""
    settings = contest(dict.fromkeys(FIELD, ""), hands=hands)
    home = HomeGame(settings.game, settings.name, seed, FIELD, {name: at for at, name in enumerate(FIELD, 1)})
    plans = [plan for match in next_round(settings, settings.names, ()) for plan in tables_of(match, settings.schedule)]
    return [hand for plan in plans for hand in play_table(home, plan).hands]


def test_two_copies_of_a_bot_cannot_be_told_apart_and_the_ranking_repeats_with_another_seed():
    hands = scale(60, 2_000)
    orders = []
    for seed in (SEED, bytes(reversed(SEED))):
        results = round_robin(seed, hands)
        table = standings(results, list(FIELD), 100, OPTIONS)
        copies = difference(results, "sound", "sound-too", 100, OPTIONS)
        assert copies.low <= 0 <= copies.high
        orders.append([name.removesuffix("-too") for name in table.names if name != "careful"])
        assert table.cross["sound", "sound-too"].low <= 0 <= table.cross["sound", "sound-too"].high
    assert orders[0] == orders[1]


def test_the_same_seed_repeats_every_hand():
    assert round_robin(SEED, 10) == round_robin(SEED, 10)


def error_of(seatings, hands, seed):
    """The standard error of the difference of two reasonable bots after so many hands in all, in pot-limit Irish."""
    schedule = ScheduleSettings(hands=hands // (1 if seatings == "single" else 2), seatings=seatings)
    game = GameSettings(structure="pot-limit", small_blind=50, big_blind=100, stack=10_000)
    home = HomeGame(game, "error", seed, FIELD, dict.fromkeys(FIELD, 1))
    plans = tables_of(Match(1, 1, ("sound", "careful")), schedule)
    results = [hand for plan in plans for hand in play_table(home, plan).hands]
    assert len(results) == hands
    way = Way.RAW if seatings == "single" else Way.DUPLICATE
    return difference(results, "sound", "careful", 100, OPTIONS, way).error


def test_duplicate_cuts_the_error_of_a_difference():
    hands = scale(2_000, 20_000)
    raw, duplicate = error_of("single", hands, SEED), error_of("rotations", hands, SEED)
    print(f"{hands} hands: error {raw:.1f} raw, {duplicate:.1f} duplicate, {1 - duplicate / raw:.0%} less")
    # Errors are estimated themselves; the bounded run leaves room for that.
    assert duplicate <= scale(80, 70) / 100 * raw
