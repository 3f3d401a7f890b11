"""The SDK against the referee itself: the same bots, live, over both ways of playing, through restarts and cuts."""

import asyncio
import json
import re
import threading
from contextlib import contextmanager
from dataclasses import replace

import grpc
import pytest
from typer.testing import CliRunner

from referee.bots import BOTS, make_bot
from referee.cli import app
from referee.client import (
    Backoff,
    Seat,
    Server,
    aio,
    close_table,
    create_table,
    leave_seat,
    play,
    play_match,
    take_seat,
)
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import MatchSeeds, SeatSeed
from referee.rules.events import EventKind
from referee.rules.ruleset import CRAZY_PINEAPPLE, RuleSetError, Stakes
from referee.rules.rulings import Reason
from tests.service.playing import run, tables
from tests.support import FL, NL, PL, rules, scale

STAKES = Stakes(5, 10)
QUICK = Backoff(first_s=0.01, most_s=0.05, tries=400)


async def open_table(running, seats, **options):
    options = {"stakes": STAKES, "starting_stack": 400, "reset_stacks": True, "hands": 5} | options
    return await aio.create_table(running.address, seats=seats, token=running.store.access.host_token, **options)


async def sit(running, table_id, names):
    return [await aio.take_seat(running.address, table_id, name=name) for name in names]


@pytest.mark.parametrize(
    ("rule_set", "limit"),
    [
        ("irish/full-tilt@1", NL),
        ("irish/full-tilt@1", PL),
        ("irish/french-limit@1", FL),
        (rules(CRAZY_PINEAPPLE, hide_discard_progress=True), NL),
    ],
)
def test_every_practice_bot_plays_live_over_both_ways_and_nothing_is_refused(rule_set, limit, tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, len(BOTS), rule_set=rule_set, limit=limit, hands=scale(10, 100))
            seats = await sit(running, table_id, BOTS)
            playing = [
                aio.play_watching(running.address, make_bot(name), seat)
                if seat.number % 2
                else asyncio.create_task(first(aio.play(running.address, make_bot(name), [seat])))
                for name, seat in zip(BOTS, seats, strict=True)
            ]
            results = await asyncio.gather(*playing)
        assert [one.seat for one in results] == [seat.number for seat in seats]
        assert {(one.hands, one.refusals, one.reason) for one in results} == {(scale(10, 100), 0, "TABLE_ENDED")}
        assert sum(one.net for one in results) == 0

    run(body(), 240)


async def first(playing):
    (played,) = await playing
    return played


def test_live_play_and_the_harness_ask_the_same_decisions(tmp_path):
    """The same bots, cards and positions: every field of every decision is the same."""
    seed, match = bytes(range(32)), "one-and-the-same"
    seeds = MatchSeeds(match, seed, tuple([SeatSeed(seat) for seat in (1, 2, 3)]))
    decks = FairDecks(match, seeds.match_seed())
    live, offline = [], []

    def keeping(kept):
        bot = make_bot("random-legal", 5)
        return lambda decision: kept.append(decision) or bot(decision)

    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, 3, hands=12, seed=seed, match_name=match)
            seats = [
                await aio.take_seat(running.address, table_id, name=name, seed=b"") for name in ("one", "two", "three")
            ]
            await asyncio.gather(*[aio.play(running.address, keeping(live), [seat]) for seat in seats])

    run(body())
    first_button = decks.first_button((1, 2, 3))
    options = {"decks": decks, "first_button": first_button, "names": ("one", "two", "three")}
    play_match([keeping(offline)] * 3, "irish/full-tilt@1", NL, STAKES, 400, 12, **options)
    assert len(live) == len(offline) > 60
    assert sorted(map(_comparable, live)) == sorted(map(_comparable, offline))


def _comparable(decision):
    """A decision as text, without the names of table and match and the order of discards, which is free (DISC-3)."""
    events, players = list(decision.events), list(decision.players)
    if decision.must_discard:
        events = [event for event in events if event.kind != EventKind.DISCARDED]
        players = [player._replace(discarded=False) for player in players]
    events.sort(key=repr)
    return repr(replace(decision, table_id="", hand_id="", match_name="", events=tuple(events), players=tuple(players)))


def test_bots_play_on_through_a_restart_of_the_server_and_nothing_is_lost_or_doubled(tmp_path):
    hands = scale(30, 200)

    async def body():
        over = {1: [], 2: []}

        def looking(number):
            return lambda view: over[number].append(view.number)

        async with tables(tmp_path) as running:
            port = running.server.port
            table_id = await open_table(running, 2, hands=hands)
            seats = await sit(running, table_id, ["one", "two"])
            options = {"backoff": QUICK}
            playing = [
                asyncio.create_task(
                    aio.play(
                        running.address,
                        make_bot("random-legal", seat.number),
                        [seat],
                        on_hand_over=looking(seat.number),
                        **options,
                    )
                )
                for seat in seats
            ]
            while len(over[1]) < hands // 3:
                await asyncio.sleep(0.001)
        async with restarted(tmp_path, port):
            results = [one for (one,) in await asyncio.gather(*playing)]
        assert over == {1: list(range(1, hands + 1)), 2: list(range(1, hands + 1))}
        assert [one.resumed for one in results] == [1, 1]
        assert sum(one.net for one in results) == 0

    run(body(), 240)


class restarted:  # noqa: N801  # used like a function
    """The server of a store again, on the port that it had."""

    def __init__(self, folder, port):
        self._folder, self._port = folder, port

    async def __aenter__(self):
        from referee.service.server import Server as RefereeServer
        from referee.service.server import open_store
        from referee.table.timing import SystemTime

        self._server = RefereeServer(port=self._port, store=open_store(self._folder, SystemTime()))
        await self._server.start()

    async def __aexit__(self, *what):
        await self._server.drain(1)


def test_one_bot_plays_many_tables_over_one_stream(tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            ids = [await open_table(running, 2) for _ in range(8)]
            seats = [await sit(running, table_id, ["one", "two"]) for table_id in ids]
            bot = make_bot("random-legal", 1)
            mine, theirs = await asyncio.gather(
                aio.play(running.address, bot, [pair[0] for pair in seats], max_open_decisions=8),
                aio.play(running.address, bot, [pair[1] for pair in seats]),
            )
        assert [one.table_id for one in mine] == ids
        assert [one.net for one in mine] == [-one.net for one in theirs]
        assert {one.hands for one in mine} == {5}

    run(body())


def test_refusals_live_are_those_of_the_harness(tmp_path):
    async def body():
        reasons = []
        async with tables(tmp_path) as running:
            table_id = await open_table(running, 2, hands=2)
            one, two = await sit(running, table_id, ["stubborn", "other"])
            (stubborn,), _ = await asyncio.gather(
                aio.play(
                    running.address,
                    lambda decision: decision.raise_to(1),
                    [one],
                    max_refusals=2,
                    on_refused=lambda decision, ruling: reasons.append(ruling.reason),
                ),
                aio.play(running.address, make_bot("always-call"), [two]),
            )
        assert stubborn.defaults == stubborn.decisions > 3
        assert stubborn.refusals == 3 * stubborn.decisions == len(reasons)
        assert set(reasons) >= {Reason.BELOW_MINIMUM, Reason.DISCARD_OWED}
        assert stubborn.hands == 2

    run(body())


def test_a_newer_connection_replaces_the_older_one(tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, 2, hands=3)
            one, two = await sit(running, table_id, ["one", "two"])
            asked = asyncio.Event()

            async def hesitates(decision):
                asked.set()
                await asyncio.Event().wait()

            older = asyncio.create_task(aio.play(running.address, hesitates, [one]))
            other = asyncio.create_task(aio.play(running.address, make_bot("always-call"), [two]))
            await asked.wait()
            newer = await aio.play(running.address, make_bot("always-call"), [one])
            assert (await older)[0].reason == "REPLACED"
            assert (newer[0].reason, newer[0].hands) == ("TABLE_ENDED", 3)
            await other

    run(body())


def test_a_wrong_token_is_not_allowed_on_a_stream_and_denied_to_a_watcher(tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, 2)
            (played,) = await aio.play(running.address, make_bot("all-in"), [Seat(table_id, "nobody's")])
            assert played.reason == "NOT_ALLOWED"
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await aio.play_watching(running.address, make_bot("all-in"), Seat(table_id, "nobody's"))
            assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED

    run(body())


def test_a_seat_leaves_after_its_hands_and_the_table_goes_on_without_it(tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            table_id = await open_table(running, 3, hands=6)
            one, *others = await sit(running, table_id, ["leaver", "two", "three"])
            results = await asyncio.gather(
                aio.play(running.address, make_bot("always-call"), [one], hands=2),
                *[aio.play(running.address, make_bot("always-call"), [seat]) for seat in others],
            )
        left, *stayed = [played for (played,) in results]
        assert left.hands in (2, 3), "a hand may begin before the seat has left"
        assert left.reason == "DETACHED"
        assert {one.hands for one in stayed} == {6}

    run(body())


# --- plain calls, and the command -----------------------------------------------------------------------


@contextmanager
def served(folder):
    """A server with a store in a thread of its own, for calls that block."""
    ready, done = threading.Event(), None
    box = {}

    async def body():
        async with tables(folder) as running:
            box["running"] = running
            box["loop"], box["done"] = asyncio.get_running_loop(), asyncio.Event()
            ready.set()
            await box["done"].wait()

    thread = threading.Thread(target=lambda: asyncio.run(body()), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield box["running"].address, box["running"].store.access.host_token
    finally:
        box["loop"].call_soon_threadsafe(box["done"].set)
        thread.join(20)
    assert done is None


def test_plain_calls_do_the_same(tmp_path):
    with served(tmp_path) as (address, token):
        table_id = create_table(address, stakes=STAKES, seats=2, starting_stack=200, hands=3, token=token)
        seats = [take_seat(address, table_id, name=name) for name in ("one", "two")]
        assert [seat.number for seat in seats] == [1, 2]
        results = []
        threads = [
            threading.Thread(target=lambda seat=seat: results.extend(play(address, make_bot("always-call"), [seat])))
            for seat in seats
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert {(one.hands, one.reason) for one in results} == {(3, "TABLE_ENDED")}

        table_id = create_table(Server(address), stakes=STAKES, seats=2, starting_stack=200, token=token)
        seat = take_seat(address, table_id, name="one", seat=2)
        assert seat.number == 2
        leave_seat(address, seat)
        close_table(address, table_id, token=token)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            take_seat(address, table_id, name="late")
        assert raised.value.code() is grpc.StatusCode.FAILED_PRECONDITION


def test_a_table_that_the_rules_do_not_allow_raises_the_rule(tmp_path):
    with served(tmp_path) as (address, token):
        with pytest.raises(RuleSetError) as raised:
            create_table(address, stakes=STAKES, seats=2, starting_stack=200, limit=FL, token=token)
        assert raised.value.rule == "GAME-2"
        with pytest.raises(grpc.aio.AioRpcError) as denied:
            create_table(address, stakes=STAKES, seats=2, starting_stack=200, token="wrong")
        assert denied.value.code() is grpc.StatusCode.PERMISSION_DENIED


def test_a_table_of_ones_own_rules(tmp_path):
    with served(tmp_path) as (address, token):
        table_id = create_table(
            address, rule_set=rules(CRAZY_PINEAPPLE), stakes=STAKES, seats=2, starting_stack=200, hands=2, token=token
        )
        seats = [take_seat(address, table_id, name=name) for name in ("one", "two")]
        held = []

        def bot(decision):
            held.append((decision.rule_set.full_name, len(decision.hole) + len(decision.discarded)))
            return decision.check_or_call()

        threads = [threading.Thread(target=play, args=(address, bot, [seat])) for seat in seats]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert set(held) == {("test/rules@1", 3)}


def test_the_bot_command_takes_a_seat_plays_and_comes_back_with_its_token(tmp_path):
    with served(tmp_path / "data") as (address, token):
        table_id = create_table(
            address, stakes=STAKES, seats=2, starting_stack=200, reset_stacks=True, hands=6, token=token
        )
        other = threading.Thread(
            target=play, args=(address, make_bot("always-call"), [take_seat(address, table_id, name="other")])
        )
        other.start()
        token_file = tmp_path / "seat.token"
        words = [
            "bot",
            "sound-irish",
            "--target",
            address,
            "--table",
            table_id,
            "--token-file",
            str(token_file),
            "--json",
        ]
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        played = json.loads(done.output)
        assert (played["seat"], played["hands"], played["reason"], played["refusals"]) == (2, 6, "TABLE_ENDED", 0)
        assert token_file.stat().st_mode & 0o777 == 0o600
        other.join(20)

        again = CliRunner().invoke(app, [word for word in words if word != "--json"])
        assert again.exit_code == 0, again.output
        assert again.output.endswith("TABLE_ENDED\n"), "the seat is known by its token"


def test_the_bot_command_leaves_after_its_hands(tmp_path):
    with served(tmp_path) as (address, token):
        table_id = create_table(address, stakes=STAKES, seats=2, starting_stack=200, reset_stacks=True, token=token)
        other = threading.Thread(
            target=play, args=(address, make_bot("always-call"), [take_seat(address, table_id, name="other")])
        )
        other.start()
        words = ["bot", "random-legal", "--target", address, "--table", table_id, "--hands", "3", "--seat", "2"]
        done = CliRunner().invoke(app, [*words, "--name", "visitor"])
        assert done.exit_code == 0, done.output
        assert re.match(r"seat 2: [34] hands, net [+-]\d+, 0 refusals; DETACHED", done.output)
        other.join(20)
        assert not other.is_alive(), "one player is too few: the table ended"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nobody", "--table", "t"], 2, "there is no bot 'nobody'"),
        (["all-in", "--table", "no such table"], 1, "NOT_FOUND"),
        (["all-in", "--table", "t", "--tls-ca", "no such file"], 2, "no such file"),
    ],
)
def test_the_bot_command_says_what_is_wrong(words, code, said, tmp_path):
    with served(tmp_path) as (address, _):
        done = CliRunner().invoke(app, ["bot", *words, "--target", address])
        assert done.exit_code == code
        assert said in done.output + done.stderr
