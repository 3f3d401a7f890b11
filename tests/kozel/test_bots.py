"""Practice bots of Kozel, and the games that they play in this process."""

import hashlib

import pytest

from referee.bots.kozel import KOZEL_BOTS, ends_after, make_kozel_bot, numbers_lacking
from referee.client.kozel_harness import PlayedGame, play_game
from referee.kozel.events import End, EventKind
from referee.kozel.round import replay
from referee.kozel.ruleset import ON_ALL, ON_ONE, RuleSet
from referee.kozel.rulings import ActionKind, Proposal
from referee.kozel.state import encode
from referee.kozel.tiles import PIPS, parse_tile
from referee.kozel.views import seen_by, view
from tests.kozel.rounds import options, play, staged
from tests.support import scale

GAMES = scale(40, 2_000)
rule = pytest.mark.rule


def game(names: list[str], number: int, rule_set: RuleSet = ON_ALL) -> PlayedGame:
    seed = hashlib.sha256(str(number).encode()).digest()
    return play_game([make_kozel_bot(name, number) for name in names], rule_set, f"game-{number}", seed)


@rule("KOZ-15", "KOZ-16")
@pytest.mark.parametrize("rule_set", [ON_ALL, ON_ONE])
def test_games_are_played_to_their_end_and_nothing_is_refused(rule_set: RuleSet) -> None:
    for number in range(GAMES // 4):
        names = [sorted(KOZEL_BOTS)[(number + seat) % 3] for seat in range(2 + number % 3)]
        played = game(names, number, rule_set)
        assert played.lost
        assert not sum(played.refusals)
        for player, rating in enumerate(played.ratings):
            assert (rating == 0) or player not in played.lost
        for one in played.rounds:
            assert encode(replay(one.setup, one.events)) == encode(one.state)


def test_a_game_comes_again_from_its_seed() -> None:
    assert game(sorted(KOZEL_BOTS), 7).rounds[-1].events == game(sorted(KOZEL_BOTS), 7).rounds[-1].events


@pytest.mark.parametrize("other", ["random-legal", "heaviest-first"])
def test_counting_tiles_loses_less_than_half_as_often(other: str) -> None:
    lost = {"tile-counter": 0, other: 0}
    for number in range(GAMES):
        names = ["tile-counter", other][:: 1 if number % 2 else -1]
        for player in game(names, number).lost:
            lost[names[player]] += 1
    print(lost)
    assert 2 * lost["tile-counter"] < lost[other]


def test_heaviest_first_lays_the_most_pips() -> None:
    state = staged(["6-4 5-4 5-0 1-1", "0-0"], "6-5")
    proposal = make_kozel_bot("heaviest-first")(seen_by(state, 1), [])
    assert PIPS[proposal.tile] == 10


@rule("KOZ-5")
def test_the_counter_knows_what_others_lack() -> None:
    state = staged(["6-5 4-4", "0-0 1-1"], "6-6 6-3", boneyard="2-2 4-2 5-3 5-5")
    events = [view(event, 1) for event in play(state, "1 6-5 L")]
    first = view(play(staged(["6-6 1-1", "0-0"], "6-5"), "1 6-6 L")[0], 1)._replace(
        tiles=(parse_tile("6-3"),), end=End.NONE
    )
    lacking = numbers_lacking(seen_by(state, 1), [first, *events])
    assert lacking == {1: set(), 2: {5, 3}}
    assert options(state, 2).moves[0].tile == parse_tile("5-3")


@pytest.mark.parametrize(
    ("tile", "end", "ends"),
    [("6-5", End.LEFT, (5, 3)), ("5-3", End.RIGHT, (6, 5)), ("6-6", End.LEFT, (6, 3)), ("4-1", End.NONE, (4, 1))],
)
def test_ends_after_a_move(tile: str, end: End, ends: tuple[int, int]) -> None:
    assert ends_after(6, 3, parse_tile(tile), end) == ends


@rule("KOZ-17")
def test_a_bot_that_is_refused_twice_is_out_of_time() -> None:
    seed = bytes(32)

    def stubborn(seen, events):
        return Proposal(1, ActionKind.DRAW)

    played = play_game([stubborn, make_kozel_bot("random-legal")], ON_ALL, "match", seed)
    assert len(played.rounds) == 1
    assert played.ratings == (0, 1)
    assert played.refusals == (2, 0)
    assert any(event.kind is EventKind.TIMED_OUT for event in played.rounds[0].events)
