"""Live durable play over gRPC beside bare echoes, interleaved in one run.

Server and client are processes of their own. The floor is the same grpc.aio server class answering each message with
one of the size of ours. Play is heads-up hold'em, durable (synchronous FULL), fairly dealt and sealed: one round trip
is a decision and its answer.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import grpc

from tools.benchmarks import clients
from tools.benchmarks.clients import Pace
from tools.benchmarks.figures import Figure, plain, ratio_of
from tools.benchmarks.processes import ECHO, HOUSE, PLAY, UNSEALED, ServerProcess

ROUND_TRIPS: Final = "round trips per second"
FEW, MANY = 8, 64

ECHO_FEW, ECHO_MANY, ECHO_CALLS = "echo, 8 streams", "echo, 64 streams", "echo, 64 calls"
STREAMS, BATCHED, BATCHED_UNSEALED = "a stream for each seat", "a stream for each bot", "the same unsealed"
HOUSED, CALLS = "64 streams, opponents in the server", "64 calls of SubmitAction"

Run = Callable[[Pace], Awaitable[None]]
Prepare = Callable[[grpc.aio.Channel, ServerProcess], Awaitable[Run]]


async def _streams(channel: grpc.aio.Channel, server: ServerProcess) -> Run:
    seats = await clients.open_tables(channel, server.token, FEW)
    return partial(clients.play, channel, [[one] for places in seats for one in places])


async def _batched(channel: grpc.aio.Channel, server: ServerProcess) -> Run:
    return partial(clients.play, channel, await clients.open_tables(channel, server.token, FEW))


async def _housed(channel: grpc.aio.Channel, server: ServerProcess) -> Run:
    (places,) = await clients.open_tables(channel, server.token, MANY, taken=1)
    return partial(clients.play, channel, [[one] for one in places])


async def _calls(channel: grpc.aio.Channel, server: ServerProcess) -> Run:
    (places,) = await clients.open_tables(channel, server.token, MANY, taken=1)
    scripts = await asyncio.gather(*[clients.learn(channel, place) for place in places])
    return partial(clients.submit, channel, places, scripts)


async def _echo_few(channel: grpc.aio.Channel, _server: ServerProcess) -> Run:
    return partial(clients.echo_streams, channel, FEW)


async def _echo_many(channel: grpc.aio.Channel, _server: ServerProcess) -> Run:
    return partial(clients.echo_streams, channel, MANY)


async def _echo_calls(channel: grpc.aio.Channel, _server: ServerProcess) -> Run:
    return partial(clients.echo_calls, channel, MANY)


MEASURES: Final[dict[str, tuple[str, Prepare]]] = {
    ECHO_FEW: (ECHO, _echo_few),
    STREAMS: (PLAY, _streams),
    BATCHED: (PLAY, _batched),
    BATCHED_UNSEALED: (UNSEALED, _batched),
    ECHO_MANY: (ECHO, _echo_many),
    HOUSED: (HOUSE, _housed),
    ECHO_CALLS: (ECHO, _echo_calls),
    CALLS: (HOUSE, _calls),
}
"""What is measured: on which kind of server, and how a run against it is prepared."""


class Rates:
    """What was measured in each round: rates, the server's and the client's CPU of a round trip, 99th percentiles."""

    def __init__(self) -> None:
        self.rates: dict[str, list[float]] = {name: [] for name in MEASURES}
        self.server_us: dict[str, list[float]] = {name: [] for name in MEASURES}
        self.client_us: dict[str, list[float]] = {name: [] for name in MEASURES}
        self.p99_ms: dict[str, list[float]] = {name: [] for name in MEASURES}

    async def measure(self, name: str, server: ServerProcess, prepare: Prepare, seconds: float) -> None:
        """Measures one kind once."""
        async with grpc.aio.insecure_channel(server.address) as channel:
            run = await prepare(channel, server)
            before = server.cpu_seconds(), time.process_time()
            pace = Pace.of(seconds, keeps_latencies=True)
            await run(pace)
            self.server_us[name].append((server.cpu_seconds() - before[0]) / pace.done * 1e6)
            self.client_us[name].append((time.process_time() - before[1]) / pace.done * 1e6)
        self.rates[name].append(pace.done / seconds)
        if len(pace.latencies) > 1:
            self.p99_ms[name].append(statistics.quantiles(pace.latencies, n=100)[98] * 1000)


async def _rounds(rounds: int, seconds: float) -> Rates:
    measured = Rates()
    with tempfile.TemporaryDirectory() as folder:
        servers = {kind: ServerProcess(kind, folder) for kind in (ECHO, PLAY, UNSEALED, HOUSE)}
        try:
            for _ in range(rounds):
                for name, (kind, prepare) in MEASURES.items():
                    await measured.measure(name, servers[kind], prepare, seconds)
        finally:
            for server in servers.values():
                server.stop()
    return measured


def figures(rounds: int, seconds: float) -> tuple[list[Figure], dict[str, Any]]:
    """The figures of live play, and what was measured for them."""
    measured = asyncio.run(_rounds(rounds, seconds))
    rates = measured.rates
    over = [
        ratio_of(f"{STREAMS} over {ECHO_FEW}", rates[STREAMS], rates[ECHO_FEW], ROUND_TRIPS),
        ratio_of(f"{BATCHED} over {ECHO_FEW}", rates[BATCHED], rates[ECHO_FEW], ROUND_TRIPS, 0.5),
        ratio_of("sealed over unsealed", rates[BATCHED], rates[BATCHED_UNSEALED], ROUND_TRIPS, 0.85),
        ratio_of(f"{HOUSED} over {ECHO_MANY}", rates[HOUSED], rates[ECHO_MANY], ROUND_TRIPS, 0.75),
        ratio_of(
            "99th percentile of the same", measured.p99_ms[HOUSED], measured.p99_ms[ECHO_MANY], "ms", 2, at_most=True
        ),
        ratio_of(f"{CALLS} over {ECHO_CALLS}", rates[CALLS], rates[ECHO_CALLS], ROUND_TRIPS, 0.6),
    ]
    cpu = measured.server_us
    for name, floor in ((STREAMS, ECHO_FEW), (BATCHED, ECHO_FEW), (HOUSED, ECHO_MANY), (CALLS, ECHO_CALLS)):
        told = f"server's CPU, {name} over {floor}"
        over.append(ratio_of(told, cpu[name], cpu[floor], "us a round trip", at_most=True, by_cpu=True))
    for name in MEASURES:
        over.append(plain(f"server's CPU, {name}", cpu[name], "us a round trip"))
    return over, {"rates": rates, "server_us": cpu, "client_us": measured.client_us}
