"""Practice bots of Kozel, and the games that they play in this process."""

import asyncio
import hashlib

import pytest

from referee.bots.kozel import KOZEL_BOTS, ends_after, make_kozel_bot, numbers_lacking
from referee.client.kozel_harness import PlayedGame, play_game
from referee.kozel.events import End, EventKind
from referee.kozel.round import replay
from referee.kozel.ruleset import ON_ALL, ON_ONE, RuleSet
from referee.kozel.rulings import ActionKind, Proposal, Reason
from referee.kozel.state import encode
from referee.kozel.tiles import PIPS, UNKNOWN, parse_tile, tile_text
from referee.kozel.views import view
from tests.kozel.rounds import asked, options, play, staged
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
    decision = asked(staged(["6-4 5-4 5-0 1-1", "0-0"], "6-5"), 1)
    proposal = make_kozel_bot("heaviest-first")(decision)
    assert PIPS[proposal.tile] == 10


@rule("KOZ-5")
def test_the_counter_knows_what_others_lack() -> None:
    state = staged(["6-5 4-4", "0-0 1-1"], "6-6 6-3", boneyard="2-2 4-2 5-3 5-5")
    events = [view(event, 1) for event in play(state, "1 6-5 L")]
    first = view(play(staged(["6-6 1-1", "0-0"], "6-5"), "1 6-6 L")[0], 1)._replace(
        tiles=(parse_tile("6-3"),), end=End.NONE
    )
    assert numbers_lacking([first, *events]) == {2: {5, 3}}
    assert options(state, 2).moves[0].tile == parse_tile("5-3")


@pytest.mark.parametrize(
    ("tile", "end", "ends"),
    [("6-5", End.LEFT, (5, 3)), ("5-3", End.RIGHT, (6, 5)), ("6-6", End.LEFT, (6, 3)), ("4-1", End.NONE, (4, 1))],
)
def test_ends_after_a_move(tile: str, end: End, ends: tuple[int, int]) -> None:
    assert ends_after(6, 3, parse_tile(tile), end) == ends


def test_a_bot_that_is_refused_is_told_why_and_then_answered_for() -> None:
    told = []

    def stubborn(decision):
        told.append(decision.refusal)
        return Proposal(1, ActionKind.DRAW)

    played = play_game([stubborn, make_kozel_bot("random-legal")], ON_ALL, "match", bytes(32), max_refusals=1)
    assert played.lost
    assert played.refusals == (2 * played.decisions[0], 0)
    assert played.defaults == (played.decisions[0], 0)
    assert told[0] is None
    assert told[1].reason is Reason.HOLDS_A_PLAYABLE_TILE
    assert told[1].options.moves


def test_a_bot_sees_its_own_tiles_only() -> None:
    """What a bot is asked with holds no tile that lies nowhere on the table and not in its hand."""

    def curious(decision):
        told = {tile for event in decision.events for tile in event.tiles} - {UNKNOWN}
        assert told <= {*decision.own_tiles, *decision.chain, *redealt(decision)}
        assert decision.me.tiles == len(decision.own_tiles)
        assert sum(player.tiles for player in decision.players) + decision.boneyard_count + len(decision.chain) == 28
        return decision.lay_first()

    for number in range(10):
        played = play_game([curious] * (2 + number % 3), ON_ALL, f"seen-{number}", bytes([number]) * 32)
        assert not sum(played.refusals)


def redealt(decision):
    """The own tiles of deals that were dealt again (KOZ-2)."""
    kinds = [event.kind for event in decision.events]
    if EventKind.REDEALT not in kinds:
        return []
    last = len(kinds) - kinds[::-1].index(EventKind.REDEALT)
    return [tile for event in decision.events[:last] for tile in event.tiles]


async def thinks(decision):
    await asyncio.sleep(0)
    return decision.lay_first()


def test_a_bot_may_be_asynchronous_and_names_tiles_and_ends_as_they_are_written() -> None:
    def speaks(decision):
        move = decision.moves[-1]
        return decision.lay(tile_text(move.tile), ("", "left", "right")[move.end])

    played = play_game([thinks, speaks], "kozel/on-one@1", "async", bytes(32))
    assert played.lost
    assert not sum(played.refusals)


def test_what_is_no_proposal_is_the_bots_own_fault() -> None:
    with pytest.raises(TypeError, match=r"decision\.lay"):
        play_game([lambda decision: "6-5"] * 2, ON_ALL, "match", bytes(32))
