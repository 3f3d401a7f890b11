"""Entrants who dial in with their tokens: a tournament on several tables, somebody who comes back, a server gone."""

import asyncio
import sys

import pytest

from referee.bots import make_bot
from referee.client import Backoff
from referee.client.contests import SERVER_GONE, attend
from referee.contest.folders import open_contest
from referee.contest.settings import read_contest
from tests.contest.contests import SEED, contest_text, write
from tests.contest.running import kill, processes, results, start, store, told, until
from tests.contest.test_freeze_out import by_the_rules, tournament_text

# They remember nothing, so that whoever comes back plays as if he had stayed.
BOTS = {"ann": "sound-irish", "bob": "always-call", "cid": "sound-irish", "dee": "always-call", "eve": "always-fold"}
IMPATIENT = Backoff(first_s=0.01, most_s=0.02, tries=5)


def tokens_of(folder, names):
    """Begins the contest with the seed that it is run with, and registers everybody."""
    file = folder / "test.toml"
    open_contest(file, read_contest(file), folder / "test", SEED).close()
    return {name: told(folder, "token", name)[1].strip() for name in names}


def target_of(folder):
    return until(
        lambda: any(one.kind == "running" for one in store(folder).happenings()) and store(folder).fact("target")
    )


def dialling_in(folder, name, token, **options):
    return attend(target_of(folder), "test", name=name, token=token, bot=make_bot(BOTS[name], 1), **options)


async def gone_and_back(folder, name, token, process):
    """Attends, leaves in the middle of the second round whatever he is doing, and attends again."""
    first = asyncio.create_task(dialling_in(folder, name, token))
    while process.poll() is None and max([match.round for match, _ in store(folder).matches()], default=0) < 2:
        await asyncio.sleep(0.01)
    assert process.poll() is None, "it is being played"
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    left_in = max(match.round for match, _ in store(folder).matches())
    return left_in, await dialling_in(folder, name, token)


def test_a_tournament_of_those_who_dial_in_is_played_to_the_last_chip(tmp_path):
    write(tmp_path, tournament_text(dict.fromkeys(BOTS, "")))
    tokens = tokens_of(tmp_path, BOTS)
    process = start(tmp_path)

    async def play():
        stays = [dialling_in(tmp_path, name, tokens[name]) for name in BOTS if name != "bob"]
        return await asyncio.gather(gone_and_back(tmp_path, "bob", tokens["bob"], process), *stays)

    (left_in, returned), *stayed = asyncio.run(play())
    assert process.wait(timeout=120) == 0, (tmp_path / "run.log").read_text()
    assert {one.reason for one in (returned, *stayed)} == {"FINISHED"}
    result, nets, tables = by_the_rules(store(tmp_path).settings, BOTS)
    assert tables.count(2) >= 4, "it began at two tables"
    assert [(one.names, one.nets) for one in store(tmp_path).results()] == nets, "not a hand is different"
    values = results(tmp_path)
    assert [row["name"] for row in values["places"]] == [place.entrant for place in result.places]
    assert values["faults"] == []
    assert values["chips"] == {"begun": 5_000, "in_play": 5_000, "taken_out": 0}
    own = [match.round for match, _ in store(tmp_path).matches() if "bob" in match.players]
    assert max(own) > left_in, "he played on after he came back"
    assert sum(table.hands for table in returned.tables) >= len([one for one in own if one > left_in])


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_who_attends_is_told_that_the_server_is_gone_for_good(tmp_path):
    write(tmp_path, contest_text({"ann": "", "bob": ""}, hands=10))
    tokens = tokens_of(tmp_path, ("ann", "bob"))
    process = start(tmp_path)

    async def play():
        # Bob never comes, so that ann is at her tables, which have not begun.
        attending = asyncio.create_task(dialling_in(tmp_path, "ann", tokens["ann"], backoff=IMPATIENT))
        while not store(tmp_path).assignments("ann"):
            await asyncio.sleep(0.01)
        process.kill()
        process.wait()
        for server in processes(["-m referee serve", str(tmp_path)]):
            kill(server)
        async with asyncio.timeout(60):
            return await attending

    attended = asyncio.run(play())
    assert attended.reason == SERVER_GONE
    assert attended.tables == []
