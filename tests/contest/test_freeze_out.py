"""Tournaments over a real server: the same as by the rules in process, whoever is killed; places, prizes, refusals."""

import pytest

from referee.bots import make_bot
from referee.contest.deals import bot_seeds
from referee.contest.freeze_out import tournament_config
from referee.contest.tournament.playing import play_tournament
from referee.contest.tournament.standings import payouts
from tests.contest.contests import SEED, contest_text, practice, write
from tests.contest.running import results, run, store

TWO_TABLES = ("sound-irish", "always-call", "random-legal", "always-call", "sound-irish")


def tournament_text(entrants, seats=3, stack=2_000, rule_set="irish/tda@1", further=""):
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


def by_the_rules(settings, names):
    """The tournament in process: its result, and every hand's players and chips won by (round, first seat's player)."""
    seeds = bot_seeds(settings.name, SEED, names)
    bots = {one.name: make_bot(one.bot, seeds[one.name]) for one in settings.entrants}
    nets = []

    def heard(before, hands, _):
        for hand, one in hands:
            names = tuple(hand.entrants[seat] for seat in hand.setup.seats)
            won = tuple(after - had for after, had in zip(one.hand.stacks, hand.setup.stacks, strict=True))
            nets.append((names, won))

    return play_tournament(tournament_config(settings, SEED), bots, on_round=heard), nets


def test_the_server_plays_the_tournament_that_the_rules_play_in_process(played):
    contest = store(played)
    result, nets = by_the_rules(contest.settings, contest.settings.names)
    assert [(one.names, one.nets) for one in contest.results()] == nets
    values = results(played)
    assert [(row["name"], row["first"], row["last"]) for row in values["places"]] == [
        (one.entrant, one.first, one.last) for one in result.places
    ]
    paid = payouts(result.places, 1000, (7000, 3000))
    assert {row["name"]: row["prize"] for row in values["places"]} == paid
    assert values["rounds"] == result.rounds
    assert max(len(players["players"]) for players in values["matches"]) <= 3
