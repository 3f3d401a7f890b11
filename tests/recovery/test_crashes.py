"""Killed at any moment, the server goes on with the same hand, the same cards and the same open decision.

`kill -9` cannot show that a reply follows the flush to disk, since the system keeps what was written; the failpoints
stop the process at each side of the commit, and test_system_calls.py looks at the order of the calls themselves.
"""

import asyncio
import random

import pytest

from referee.store.failpoints import NAMES
from tests.recovery.crashing import (
    Process,
    check_everything,
    check_hand,
    check_round,
    kozel_config,
    open_tables,
    poker_config,
    until,
)
from tests.support import scale

TABLES, SEATS = scale(3, 8), 3


def crash_and_go_on(tmp_path, hands, crashes, config=poker_config, check=check_hand):
    """Plays tables to their end while ``crashes(process, players)`` lets the server die again and again.

    ``hands`` 0 is as many as a game takes.
    """
    process = Process(tmp_path)

    async def go():
        process.start()
        players = await open_tables(process, TABLES, SEATS, hands, config)
        playing = asyncio.gather(*(player.play(process) for player in players))
        died = await crashes(process, players, playing)
        await playing
        kept = await check_everything(process, players, hands, check)
        return died, kept, sum(player.reconnects for player in players)

    try:
        return asyncio.run(asyncio.wait_for(go(), scale(900, 3_000)))
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()


def killed_at_random(kills, longest):
    """Crashes at random moments of play: so many, with at most so many answers between two."""
    rng = random.Random(9)

    async def crashes(process, players, playing):
        died = 0
        while died < kills and not playing.done():
            acknowledged = sum(len(player.acknowledged) for player in players)
            wanted = acknowledged + rng.randrange(1, longest)
            await until(lambda w=wanted: sum(len(p.acknowledged) for p in players) >= w or playing.done())
            if playing.done():
                break
            await asyncio.to_thread(process.kill)
            await asyncio.to_thread(process.start)
            died += 1
        return died

    return crashes


def test_killed_at_random_moments_nothing_acknowledged_is_lost_or_doubled(tmp_path):
    kills = scale(10, 300)
    died, kept, reconnects = crash_and_go_on(tmp_path, scale(60, 400), killed_at_random(kills, 40))
    assert died == kills
    assert reconnects >= kills * TABLES
    assert kept > 100


def test_games_of_kozel_go_on_with_the_same_tiles_and_decision_after_kills_at_random_moments(tmp_path):
    kills = scale(4, 40)
    crashes = killed_at_random(kills, scale(60, 10))
    died, kept, reconnects = crash_and_go_on(tmp_path, 0, crashes, kozel_config, check_round)
    assert died == kills
    assert reconnects >= kills
    assert kept > 100


@pytest.mark.parametrize("name", NAMES)
def test_at_every_failpoint_a_crash_keeps_all_or_nothing(tmp_path, name):
    rng = random.Random(name)

    async def crashes(process, players, playing):
        died = 0
        for _ in range(scale(2, 10)):
            await asyncio.to_thread(process.kill)
            # Dies by itself, at this place, after so many passes.
            await asyncio.to_thread(process.start, f"{name}:{rng.randrange(5, 60)}")
            await until(lambda: process.process.poll() is not None or playing.done())
            if playing.done():
                break
            await asyncio.to_thread(process.wait)
            died += 1
            await asyncio.to_thread(process.start)
        return died

    died, kept, _ = crash_and_go_on(tmp_path, scale(20, 60), crashes)
    assert died >= 1
    assert kept > 20
