"""Live durable play over gRPC beside bare echo streams, interleaved in one run.

    python -m tools.bench_live [--rounds 5] [--seconds 2] [--tables 8]

Server and client are processes of their own. The floor is the same grpc.aio server class answering each message of a
bidirectional stream with one of the size of a decision; one round trip is a message there and back. Ours is heads-up
hold'em on so many tables at once, durable (synchronous FULL): one round trip is a decision and its answer. *play* has
a stream for each seat; *batched play* has one for each of the two bots, which play all tables. *unsealed* is the same
while records are neither sealed nor signed, which shows what that costs.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import grpc

from referee.core import core
from referee.service.server import Server, collect_garbage_rarely, open_store
from referee.table.timing import SystemTime
from referee.v1 import hand_pb2, table_pb2, table_pb2_grpc

ECHO_REQUEST_BYTES, ECHO_REPLY_BYTES = 100, 290
ECHO = "/bench.Echo/Echo"
BATCHED, UNSEALED = "batched play", "unsealed"


class _Echo(grpc.GenericRpcHandler):
    def service(self, handler_call_details: Any) -> Any:
        if handler_call_details.method != ECHO:
            return None

        async def echo(requests: Any, context: Any) -> Any:
            async for _ in requests:
                yield b"y" * ECHO_REPLY_BYTES

        return grpc.stream_stream_rpc_method_handler(echo)


def _serve(kind: str, folder: str, ready: Any) -> None:
    async def go() -> None:
        if kind == "echo":
            server = grpc.aio.server()
            server.add_generic_rpc_handlers((_Echo(),))
            port = server.add_insecure_port("127.0.0.1:0")
            await server.start()
            ready.send((port, ""))
            await server.wait_for_termination()
        else:
            store = open_store(Path(folder) / kind, SystemTime())
            store.hub.seals = kind != UNSEALED
            ours = Server(store=store)
            await ours.start()
            collect_garbage_rarely()
            ready.send((ours.port, store.access.host_token))
            await ours.wait()

    asyncio.run(go())


class _Process:
    """A server in a process of its own."""

    def __init__(self, kind: str, folder: str) -> None:
        ours, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(kind, folder, theirs), daemon=True
        )
        self._process.start()
        self.port, self.token = ours.recv()

    def cpu_seconds(self) -> float:
        """CPU time that the process has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self._process.kill()
        self._process.join()


async def _echo_rate(channel: grpc.aio.Channel, streams: int, seconds: float) -> float:
    done = 0
    end = time.perf_counter() + seconds

    async def one() -> None:
        nonlocal done
        call: Any = channel.stream_stream(ECHO)()
        while time.perf_counter() < end:
            await call.write(b"x" * ECHO_REQUEST_BYTES)
            await call.read()
            done += 1
        call.cancel()

    await asyncio.gather(*(one() for _ in range(streams)))
    return done / seconds


async def _play_rate(channel: grpc.aio.Channel, token: str, tables: int, seconds: float, batched: bool) -> float:
    stub = table_pb2_grpc.TableServiceStub(channel)
    seats: list[tuple[str, str]] = []
    for number in range(tables):
        mark = f"{time.monotonic_ns()}-{number}"
        config = {
            "rule_set_name": "holdem/tda@1",
            "structure": 1,
            "stakes": {"small_blind": 1, "big_blind": 2},
            "seats": 2,
            "starting_stack": 200,
            "reset_stacks": True,
            "clock": {"action_ms": 10_000},
        }
        request = table_pb2.CreateTableRequest(request_id=mark, config=config)
        opened = await stub.CreateTable(request, metadata=(("authorization", f"Bearer {token}"),))
        for seat in (1, 2):
            taken = await stub.TakeSeat(
                table_pb2.TakeSeatRequest(
                    request_id=f"{mark}-{seat}", table_id=opened.table_id, seat=seat, name="bench"
                )
            )
            seats.append((opened.table_id, taken.seat_token))
    done = 0
    end = time.perf_counter() + seconds

    async def one(places: list[tuple[str, str]]) -> None:
        nonlocal done
        call = stub.Play()
        attach = [table_pb2.PlayRequestItem(table_id=place, attach={"seat_token": mine}) for place, mine in places]
        await call.write(table_pb2.PlayRequest(items=attach, max_open_decisions=len(places)))
        number = 0
        while time.perf_counter() < end:
            message = await call.read()
            answers = []
            for item in message.items:
                if item.WhichOneof("item") != "decision":
                    continue
                legal = item.decision.legal
                proposal = hand_pb2.Proposal(hand_id=item.decision.hand_id, decision_id=legal.decision_id)
                getattr(proposal.action, "check" if legal.can_check else "call").SetInParent()
                number += 1
                propose = table_pb2.Propose(request_id=f"{places[0][1][:8]}{number}", proposal=proposal)
                answers.append(table_pb2.PlayRequestItem(table_id=item.table_id, propose=propose))
            if answers:
                await call.write(table_pb2.PlayRequest(items=answers))
                done += len(answers)
        call.cancel()

    bots = [seats[0::2], seats[1::2]] if batched else [[seat] for seat in seats]
    await asyncio.gather(*(one(places) for places in bots))
    return done / seconds


async def _run(options: argparse.Namespace) -> dict[str, Any]:
    rates: dict[str, list[float]] = {"echo": [], "play": [], BATCHED: [], UNSEALED: []}
    costs: dict[str, list[tuple[float, float]]] = {kind: [] for kind in rates}
    with tempfile.TemporaryDirectory() as folder:
        servers = {kind: _Process(kind, folder) for kind in ("echo", "play", UNSEALED)}
        try:
            for _ in range(options.rounds):
                for kind in rates:
                    server = servers.get(kind, servers["play"])
                    before = server.cpu_seconds(), time.process_time()
                    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
                        if kind == "echo":
                            rates[kind].append(await _echo_rate(channel, options.tables, options.seconds))
                        else:
                            rate = _play_rate(channel, server.token, options.tables, options.seconds, kind != "play")
                            rates[kind].append(await rate)
                    done = rates[kind][-1] * options.seconds
                    costs[kind].append(
                        (
                            (server.cpu_seconds() - before[0]) / done * 1e6,
                            (time.process_time() - before[1]) / done * 1e6,
                        )
                    )
        finally:
            for server in servers.values():
                server.stop()
    ratios = {
        kind: [ours / floor for ours, floor in zip(rates[kind], rates["echo"], strict=True)]
        for kind in ("play", BATCHED, UNSEALED)
    }
    sealed = [ours / without for ours, without in zip(rates[BATCHED], rates[UNSEALED], strict=True)]
    return {"rates": rates, "ratios": ratios, "sealed_over_unsealed": sealed, "cpu_us_of_server_and_client": costs}


def main() -> int:
    """Runs the benchmark and prints its figures."""
    parser = argparse.ArgumentParser(description="Measures live play beside bare echo streams.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--json", type=Path, default=Path("build/bench_live.json"))
    options = parser.parse_args()
    print(f"{core()} core")
    result = asyncio.run(_run(options))
    for name, values in result["rates"].items():
        print(
            f"{name:8} {statistics.median(values):10.0f} round trips per second on {options.tables} tables or streams"
        )
    for name, pairs in result["cpu_us_of_server_and_client"].items():
        server, client = (statistics.median(values) for values in zip(*pairs, strict=True))
        print(f"{name:14} {server:10.0f} us of the server's CPU and {client:.0f} us of the client's a round trip")
    for name, ratios in result["ratios"].items():
        print(f"{name:14} over echo: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    kept = result["sealed_over_unsealed"]
    print(f"sealing keeps {statistics.median(kept):.2f} of the unsealed rate ({min(kept):.2f} to {max(kept):.2f})")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
