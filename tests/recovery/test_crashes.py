"""Killed at any moment, the server goes on with the same hand, the same cards and the same open decision.

`kill -9` cannot show that a reply follows the flush to disk, since the system keeps what was written; the failpoints
stop the process at each side of the commit, and test_system_calls.py looks at the order of the calls themselves.
"""

import asyncio
import random

import pytest

from referee.store.failpoints import NAMES
from tests.recovery.crashing import Process, check_everything, open_tables, until
from tests.support import scale

TABLES, SEATS = scale(3, 8), 3


def crash_and_go_on(tmp_path, hands, crashes):
    """Plays tables to their end while ``crashes(process, players)`` lets the server die again and again."""
    process = Process(tmp_path)

    async def go():
        process.start()
        players = await open_tables(process, TABLES, SEATS, hands)
        playing = asyncio.gather(*(player.play(process) for player in players))
        died = await crashes(process, players, playing)
        await playing
        kept = await check_everything(process, players, hands)
        return died, kept, sum(player.reconnects for player in players)

    try:
        return asyncio.run(asyncio.wait_for(go(), scale(900, 3_000)))
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()


def test_killed_at_random_moments_nothing_acknowledged_is_lost_or_doubled(tmp_path):
    kills = scale(10, 300)
    rng = random.Random(9)

    async def crashes(process, players, playing):
        died = 0
        while died < kills and not playing.done():
            acknowledged = sum(len(player.acknowledged) for player in players)
            wanted = acknowledged + rng.randrange(1, 40)
            await until(lambda w=wanted: sum(len(p.acknowledged) for p in players) >= w or playing.done())
            if playing.done():
                break
            await asyncio.to_thread(process.kill)
            await asyncio.to_thread(process.start)
            died += 1
        return died

    died, kept, reconnects = crash_and_go_on(tmp_path, scale(60, 400), crashes)
    assert died == kills
    assert reconnects >= kills * TABLES
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
