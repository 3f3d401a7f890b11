"""Whole heads-up matches between two Python bots of ours: server and each bot in a process of its own."""

import asyncio
import multiprocessing
import tempfile
import time
from typing import Any, Final

import grpc

from referee.bots import make_bot
from referee.client import aio
from tools.benchmarks.clients import Place, open_tables
from tools.benchmarks.figures import Figure, plain
from tools.benchmarks.processes import PLAY, ServerProcess, cpu_seconds_of

TABLES: Final = 128
BOT: Final = "always-call"
WARMING_SECONDS: Final = 1.0


def _bot(address: str, places: list[Place]) -> None:
    asyncio.run(aio.play(address, make_bot(BOT, 1), places, max_open_decisions=len(places)))


def figures(rounds: int, seconds: float) -> tuple[list[Figure], dict[str, Any]]:
    """Actions and hands a second on the wall, and the CPU of an action in each process."""
    actions, hands, server_us, bot_us = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            server = ServerProcess(PLAY, f"{folder}/{number}")
            seats = asyncio.run(_open(server))
            context = multiprocessing.get_context("spawn")
            bots = [context.Process(target=_bot, args=(server.address, places), daemon=True) for places in seats]
            for bot in bots:
                bot.start()
            _wait_for_play(server)
            began, cpu = server.counts(), [server.cpu_seconds(), *[cpu_seconds_of(bot.pid) for bot in bots]]
            begun = time.perf_counter()
            time.sleep(seconds)
            spent = time.perf_counter() - begun
            ended = server.counts()
            used = [server.cpu_seconds(), *[cpu_seconds_of(bot.pid) for bot in bots]]
            for bot in bots:
                bot.kill()
            server.stop()
            done = ended[0] - began[0]
            actions.append(done / spent)
            hands.append((ended[1] - began[1]) / spent)
            server_us.append((used[0] - cpu[0]) / done * 1e6)
            bot_us.append(sum(used[1:], -sum(cpu[1:])) / done * 1e6)
    return [
        plain(f"matches on {TABLES} tables, two bots of the SDK", actions, "actions a second", 20_000),
        plain("the same", hands, "hands a second"),
        plain("server's CPU of an action", server_us, "us"),
        plain("both bots' CPU of an action", bot_us, "us"),
    ], {"actions": actions, "hands": hands}


async def _open(server: ServerProcess) -> list[list[Place]]:
    async with grpc.aio.insecure_channel(server.address) as channel:
        return await open_tables(channel, server.token, TABLES)


def _wait_for_play(server: ServerProcess) -> None:
    """Returns when both bots have played for a moment."""
    while server.counts()[0] < 2 * TABLES:
        time.sleep(0.05)
    time.sleep(WARMING_SECONDS)
