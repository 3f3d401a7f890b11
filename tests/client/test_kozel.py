"""The SDK at tables of Kozel: whole games over both ways of playing, refusals, cuts, and the check of the tiles."""

import asyncio
import json
import re
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.bots import BOTS, BOTS_OF, KOZEL_BOTS, make_bot_of_any_game, make_kozel_bot
from referee.cli import app
from referee.client import Backoff, aio, create_kozel_table, play, play_game, take_seat
from referee.client.deals import DealCheck
from referee.client.kozel_game import KozelGame
from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.dealing.seeds import MatchSeeds, SeatSeed, commit_referee, commit_seat
from referee.kozel.events import EventKind
from referee.kozel.game import first_round
from referee.kozel.round import legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import ON_ALL
from referee.kozel.rulings import LAY, Proposal, Reason
from referee.kozel.setup import EMPTY_ACCOUNT
from referee.kozel.tiles import parse_tile
from referee.kozel.views import view
from referee.record import kozel_wire as wire
from referee.rules.ruleset import RuleSetError
from referee.v1 import hand_pb2, kozel_pb2, table_pb2
from tests.client.test_live import served
from tests.service.playing import run, tables

QUICK = Backoff(first_s=0.01, most_s=0.05, tries=400)
PAGE = (Path(__file__).resolve().parents[2] / "docs/kozel.md").read_text(encoding="utf-8")
rule = pytest.mark.rule


async def open_table(running, seats, **options):
    return await aio.create_kozel_table(running.address, seats=seats, token=running.store.access.host_token, **options)


async def watching(address, bot, seat, **options):
    return [await aio.play_watching(address, bot, seat, **options)]


async def played_by(running, table_id, bots, **options):
    """A game between bots, every other of which watches and submits instead of playing over one stream."""
    seats = [await aio.take_seat(running.address, table_id, name=f"bot {at}") for at, _ in enumerate(bots)]
    ways = [
        watching(running.address, bot, seat, **options) if at % 2 else aio.play(running.address, bot, [seat], **options)
        for at, (bot, seat) in enumerate(zip(bots, seats, strict=True))
    ]
    return [one for (one,) in await asyncio.gather(*ways)]


@rule("KOZ-15", "KOZ-16")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_played_to_their_end_and_every_tile_is_checked(players, tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, players, rule_set=("kozel/on-all@1", "kozel/on-one@1")[players % 2])
            ended = []
            bots = [make_kozel_bot(sorted(KOZEL_BOTS)[seat % 3], seat) for seat in range(players)]
            played = await played_by(running, table_id, bots, on_hand_over=ended.append)
        assert {(one.reason, one.refusals, one.defaults, one.deal_fault) for one in played} == {
            ("TABLE_ENDED", 0, 0, "")
        }
        assert {one.deals_checked for one in played} == {played[0].hands}
        assert len(ended) == players * played[0].hands
        most = max(one.points for one in played)
        assert most >= 101
        for one in played:
            assert (one.rating == 0) == (one.points == most or one.points > 95)
            assert one.net == 0

    run(body(), 120)


@rule("BET-8", "BET-9")
def test_a_refused_bot_is_told_why_asked_again_and_then_answered_for(tmp_path):
    async def body():
        refused = []
        told = []

        def wrong_first(decision):
            told.append(decision.refusal)
            if decision.refusal is not None:
                return decision.lay(decision.moves[-1])
            return decision.lay(next(tile for tile in range(28) if tile not in decision.own_tiles))

        def stubborn(decision):
            return decision.lay("6-6", "left") if decision.chain else decision.lay_first()

        async with tables(tmp_path) as running:
            table_id = await open_table(running, 2)
            played = await played_by(
                running,
                table_id,
                [wrong_first, stubborn],
                max_refusals=1,
                on_refused=lambda decision, ruling: refused.append((decision.seat, ruling.reason, ruling.rule)),
            )
        assert played[0].refusals == played[0].decisions > 10
        assert played[0].defaults == 0
        assert played[1].refusals == 2 * played[1].defaults > 10
        assert (1, Reason.TILE_NOT_HELD, "KOZ-4") in refused
        assert {reason for _, reason, _ in refused} <= {
            Reason.TILE_NOT_HELD,
            Reason.TILE_DOES_NOT_FIT,
            Reason.END_DOES_NOT_FIT,
        }
        assert [one is None for one in told[:4]] == [True, False, True, False]

    run(body(), 120)


def test_a_seat_is_asked_live_what_the_harness_asks(tmp_path):
    """The same decks and bots lead to the same decisions, but for names and what is left of the time."""
    live, alone = [], []

    def keeping(kept, bot):
        def answer(decision):
            kept.append(replace(decision, table_id="", hand_id="", remaining_ms=None, match_name="", players=()))
            return bot(decision)

        return answer

    async def body():
        async with tables(tmp_path) as running:
            token = running.store.access.host_token
            table_id = await aio.create_kozel_table(
                running.address, seats=2, seed=bytes(32), match_name="same", action_ms=60_000, token=token
            )
            seats = [await aio.take_seat(running.address, table_id, name="a", seed=b"") for _ in range(2)]
            bots = [keeping(live, make_kozel_bot("tile-counter")), make_kozel_bot("heaviest-first")]
            await asyncio.gather(
                *[aio.play(running.address, bot, [seat]) for bot, seat in zip(bots, seats, strict=True)]
            )

    run(body(), 60)
    seed = MatchSeeds("same", bytes(32), (SeatSeed(1), SeatSeed(2))).match_seed()
    play_game([keeping(alone, make_kozel_bot("tile-counter")), make_kozel_bot("heaviest-first")], ON_ALL, "same", seed)
    assert len(live) > 10
    assert live == alone


def test_a_table_is_resumed_in_the_middle_of_a_round(tmp_path):
    """Both seats lose their streams again and again, and neither their tiles nor an answer is lost."""

    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, 2)
            seats = [await aio.take_seat(running.address, table_id, name="a") for _ in range(2)]
            answers = 0

            async def cut(seat, bot):
                nonlocal answers
                session: list[aio.Session] = []

                def counted(decision):
                    nonlocal answers
                    answers += 1
                    if answers % 5 == 0:
                        asyncio.get_running_loop().call_soon(asyncio.ensure_future, session[-1].close())
                    return bot(decision)

                while True:
                    session.append(aio.Session(running.address, counted, [seat], backoff=QUICK))
                    (played,) = await session[-1].run()
                    if played.reason:
                        return played

            played = await asyncio.gather(*[cut(seat, make_kozel_bot("heaviest-first")) for seat in seats])
        assert answers > 20
        assert {one.reason for one in played} == {"TABLE_ENDED"}
        assert max(one.points for one in played) >= 101
        assert {one.deal_fault for one in played} == {""}

    run(body(), 120)


# --- the check of the tiles ---------------------------------------------------------------------------------

MATCH, REFEREE = "a-match", bytes(32)
COMMITMENT = commit_referee(MATCH, REFEREE)
SEEDS = {seat: bytes([seat]) * 32 for seat in (1, 2)}
MADE = {seat: commit_seat(MATCH, seat, seed, COMMITMENT) for seat, seed in SEEDS.items()}
CONFIG = table_pb2.TableConfig(rule_set_name="kozel/on-all@1", seats=2)


def a_round(decks, number):
    """A round of these decks, played by the first legal move: its setup and events."""
    setup = replace(first_round(ON_ALL, (1, 2), partial(decks.deck, 0, number)), hand_id=f"t-{number}")
    state, events = open_round(setup)
    while open_seats(state):
        seat = open_seats(state)[0]
        move = legal_options(state, seat).moves[0]
        events += propose(state, Proposal(seat, LAY, move.tile, move.end)).events
    return setup, events


def checked(number=1, seen=lambda events: events, roots=lambda roots: roots, played=0):
    """The check of a round by seat 1, with what it was told changed, or with the tiles of another round."""
    check = DealCheck(SEEDS[1])
    check.opened(table_pb2.TableOpened(match_name=MATCH, deal_commitment=COMMITMENT))
    commitments = [table_pb2.SeedCommitted(seat=seat, commitment=made) for seat, made in MADE.items()]
    check.closed(table_pb2.CommitmentsClosed(seats=[1, 2], commitments=commitments))
    seeds = MatchSeeds(MATCH, REFEREE, tuple(SeatSeed(seat, MADE[seat], SEEDS[seat]) for seat in (1, 2)))
    decks = FairDecks(MATCH, seeds.match_seed(), len(TILES))
    setup, events = a_round(decks, number)
    committed = [decks.committed(0, number, redeal).root for redeal in range(len(setup.decks))]
    began = table_pb2.HandBegan(
        hand_id=setup.hand_id,
        players=[hand_pb2.PlayerSetup(seat=seat) for seat in setup.seats],
        kozel=table_pb2.KozelRoundBegan(
            accounts=[wire.account_message(EMPTY_ACCOUNT)] * 2, deck_roots=roots(committed)
        ),
    )
    game = KozelGame(CONFIG, "t")
    game.begin(number, began, {}, MATCH)
    events = a_round(decks, played)[1] if played else events
    for event in seen([view(event, 1) for event in events]):
        game.fold(table_pb2.SeenEvent(kozel_event=wire.event_message(event)))
    check.over(number, game.dealt())
    shown = table_pb2.MatchSeeds(
        match_name=MATCH,
        referee_seed=REFEREE,
        seats=[table_pb2.SeatSeed(seat=seat, commitment=MADE[seat], seed=SEEDS[seat]) for seat in (1, 2)],
    )
    check.ended(shown, game.deck_items)
    return check.checked, check.fault


@rule("KOZ-2")
def test_an_honest_round_is_checked_redeals_included():
    decks = FairDecks(
        MATCH,
        MatchSeeds(MATCH, REFEREE, tuple(SeatSeed(seat, MADE[seat], SEEDS[seat]) for seat in (1, 2))).match_seed(),
        len(TILES),
    )
    redealt = next(number for number in range(1, 1000) if len(a_round(decks, number)[0].decks) > 1)
    assert checked(1) == (1, "")
    assert checked(redealt) == (1, "")
    assert "not those that were committed to" in checked(redealt, roots=lambda roots: roots[1:])[1]
    assert "not those that were committed to" in checked(redealt, roots=lambda roots: roots[::-1])[1]


def changed(kind, **change):
    def change_first(events):
        at = next(at for at, event in enumerate(events) if event.kind is kind and (event.seat or 1) == 1)
        return [*events[:at], events[at]._replace(**change), *events[at + 1 :]]

    return change_first


def test_other_roots_tiles_and_endings_are_faults():
    assert "not those that were committed to" in checked(roots=lambda roots: [bytes(32)])[1]
    assert re.search(r"seat \d laid \d-\d, but", checked(played=2)[1])
    # In the thirteenth round seat 1 draws 2-1 and keeps it.
    another_drawn = changed(EventKind.TILE_DRAWN, tiles=(parse_tile("3-1"),))
    assert "tile_drawn seat 1 3-1 was told, not tile_drawn seat 1 2-1" in checked(13, seen=another_drawn)[1]
    assert "hand_counted" in checked(seen=changed(EventKind.HAND_COUNTED, points=99))[1]
    assert "events were told" in checked(seen=lambda events: events[:-1])[1]


def test_a_number_that_this_version_does_not_know_is_ignored_and_a_game_is_not():
    game = KozelGame(CONFIG, "t")
    began = table_pb2.HandBegan(
        hand_id="t-1",
        players=[hand_pb2.PlayerSetup(seat=seat) for seat in (1, 2)],
        kozel=table_pb2.KozelRoundBegan(accounts=[kozel_pb2.KozelAccount()] * 2),
    )
    game.begin(1, began, {}, "")
    assert not game.fold(table_pb2.SeenEvent(kozel_event=kozel_pb2.KozelEvent(kind=99, seat=1)))
    for config in (
        table_pb2.TableConfig(rule_set_name="kozel/on-none@1"),
        table_pb2.TableConfig(kozel_rule_set=kozel_pb2.KozelRuleSet(name="x", version=1, fish=99)),
    ):
        with pytest.raises(RuleSetError):
            KozelGame(config, "t")


# --- commands and pages -------------------------------------------------------------------------------------


def test_the_bot_command_plays_kozel_with_the_bots_of_kozel(tmp_path):
    with served(tmp_path) as (address, token):
        table_id = create_kozel_table(address, seats=2, token=token)
        words = ["bot", "sound-irish", "--target", address, "--table", table_id]
        wrong = CliRunner().invoke(app, words)
        assert wrong.exit_code == 1
        assert "sound-irish does not play kozel; random-legal, heaviest-first, tile-counter do" in wrong.stderr
        seat = take_seat(address, table_id, name="other")
        other = threading.Thread(target=play, args=(address, make_kozel_bot("random-legal"), [seat]))
        other.start()
        words = ["bot", "tile-counter", "--target", address, "--table", table_id, "--seat", "2"]
        done = CliRunner().invoke(app, [*words, "--json"])
        other.join(20)
    assert done.exit_code == 0, done.output
    played = json.loads(done.output)
    assert (played["reason"], played["refusals"], played["deal_fault"]) == ("TABLE_ENDED", 0, "")
    assert played["rating"] in range(11)


def test_every_practice_bot_is_of_a_game_and_says_which_it_does_not_play():
    assert {name for names in BOTS_OF.values() for name in names} == {*BOTS, *KOZEL_BOTS}
    asked = []
    play_game([lambda decision: asked.append(decision) or decision.lay_first()] * 2, ON_ALL, "m", bytes(32))
    assert make_bot_of_any_game("random-legal")(asked[0]).kind is LAY
    with pytest.raises(KeyError, match="does not play kozel/on-all@1"):
        make_bot_of_any_game("all-in")(asked[0])
    with pytest.raises(KeyError):
        make_bot_of_any_game("nobody")


def test_the_page_on_kozel_shows_a_bot_that_plays(tmp_path):
    (alone, output, live) = re.search(
        r"```python\n(.*?)```\n\n```text\n(.*?)```.*?```python\n(.*?)```", PAGE, re.DOTALL
    ).groups()
    said = []
    names = {"print": lambda *words: said.append(" ".join(map(str, words)))}
    exec(alone, names)
    assert "\n".join(said) + "\n" == output
    with served(tmp_path / "referee-data") as (address, token):
        table_id = create_kozel_table(address, seats=2, token=token)
        seat = take_seat(address, table_id, name="practice")
        other = threading.Thread(target=play, args=(address, make_kozel_bot("random-legal"), [seat]))
        other.start()
        said.clear()
        exec(live.replace("127.0.0.1:50051", address).replace("TABLE", table_id), names)
        other.join(20)
    assert re.fullmatch(r"\d+ (None|\d+) TABLE_ENDED", said[-1])
