"""Many tables at once: memory of a table, delays by others' play, and how the cost grows with tables and seats."""

import asyncio
import math
import random
import statistics
import tempfile
import time
from typing import Any, Final

import grpc

from referee.limits import TABLES_ON_A_STREAM
from tools.benchmarks import clients
from tools.benchmarks.clients import Pace, Place
from tools.benchmarks.figures import Figure, plain
from tools.benchmarks.processes import PLAY, ServerProcess

CROWD: Final = 2_000
THINKING_SECONDS: Final = (1.0, 5.0)
GROWING_TABLES: Final = (10, 100, 1_000)
GROWING_SEATS: Final = (2, 6, 10)

ANSWERS_OF_A_SEAT_FIRST: Final = 2
"""How often each seat has answered, in the mean, when cost begins to count."""


def figures(rounds: int, seconds: float, crowd: int = CROWD) -> tuple[list[Figure], dict[str, Any]]:
    """The figures of many tables, and what was measured for them."""
    return asyncio.run(_figures(rounds, seconds, crowd))


async def _figures(rounds: int, seconds: float, crowd: int) -> tuple[list[Figure], dict[str, Any]]:
    memory, delays, idle = [], [], []
    for _ in range(rounds):
        idle.append(await _idle(crowd))
        kilobytes, p999 = await _crowd(crowd, seconds)
        memory.append(kilobytes)
        delays.append(p999)
    found = [
        plain(f"memory of an idle table, {crowd} tables that wait for players", idle, "KB", 50, at_most=True),
        plain(f"memory of a table, {crowd} heads-up tables in play", memory, "KB", 50, at_most=True),
        plain("99.9th percentile from an answer to the next decision", delays, "ms", 50, at_most=True),
    ]
    grown: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for tables in GROWING_TABLES:
            for seats in GROWING_SEATS:
                grown.setdefault(f"{tables} tables of {seats}", []).append(await _grow(tables, seats, seconds))
    for name, cells in grown.items():
        found.append(plain(f"server's CPU of an answer, {name}", [cpu for cpu, _ in cells], "us"))
        found.append(plain(f"answers a second, {name}", [rate for _, rate in cells], "answers"))
    return found, {"grown": grown}


async def _idle(tables: int) -> float:
    """Kilobytes that the server needs for a table at which one of two has sat down."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                before = server.resident_bytes()
                await clients.open_tables(channel, server.token, tables, taken=1)
                return (server.resident_bytes() - before) / tables / 1000
        finally:
            server.stop()


async def _crowd(tables: int, seconds: float) -> tuple[float, float]:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                before = server.resident_bytes()
                seats = await clients.open_tables(channel, server.token, tables)
                pace = Pace.of(seconds + THINKING_SECONDS[1])
                await clients.slow_play(channel, _by_stream(seats), pace, lambda: rng.uniform(*THINKING_SECONDS))
                kilobytes = (server.resident_bytes() - before) / tables / 1000
        finally:
            server.stop()
    return kilobytes, statistics.quantiles(pace.latencies, n=1000)[998] * 1000


def _by_stream(seats: list[list[Place]]) -> list[list[Place]]:
    """Each seat's places, on as many streams as they need."""
    most = TABLES_ON_A_STREAM
    return [places[first : first + most] for places in seats for first in range(0, len(places), most)]


async def _grow(tables: int, seats: int, seconds: float) -> tuple[float, float]:
    """Microseconds of the server's CPU for an answer, and answers a second: each bot has a stream and a seat.

    It is looked at for so many seconds from the moment at which all is in play: snapshots are not in it.
    """
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                streams = _by_stream(await clients.open_tables(channel, server.token, tables, seats))
                pace = Pace.of(math.inf)
                playing = asyncio.ensure_future(clients.play(channel, streams, pace))
                while pace.done < ANSWERS_OF_A_SEAT_FIRST * tables * seats and not playing.done():
                    await asyncio.sleep(0.01)
                begun, cpu, done = time.perf_counter(), server.cpu_seconds(), pace.done
                await asyncio.wait([playing], timeout=seconds)
                passed, cpu, done = time.perf_counter() - begun, server.cpu_seconds() - cpu, pace.done - done
                if playing.done():
                    await playing  # a stream was ended, which it says
                playing.cancel()
                await asyncio.wait([playing])
                return cpu / done * 1e6, done / passed
        finally:
            server.stop()


def startup_seconds() -> float:
    """From the start of a server's process to the first decision at a table."""

    async def go() -> float:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            server = ServerProcess(PLAY, folder)
            try:
                async with grpc.aio.insecure_channel(server.address) as channel:
                    (first, second) = await clients.open_tables(channel, server.token, 1)
                    calls = [await clients.attached(channel, places) for places in (first, second)]
                    await asyncio.wait(
                        [asyncio.ensure_future(_asked(call)) for call in calls], return_when="FIRST_COMPLETED"
                    )
                    return time.perf_counter() - begun
            finally:
                server.stop()

    return asyncio.run(go())


async def _asked(call: Any) -> None:
    while not any(item.HasField("decision") for item in (await call.read()).items):
        pass
