"""Clients of the benchmarks: they speak the contract directly, check or call, and do nothing else."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import grpc

from referee.v1 import hand_pb2, table_pb2, table_pb2_grpc
from tools.benchmarks.processes import STREAM_ECHO, UNARY_ECHO

STREAM_REQUEST_BYTES, UNARY_REQUEST_BYTES = 100, 130

OPENED_AT_ONCE = 32

Place = tuple[str, str]
"""A table's id and the token of a seat there."""


async def open_tables(
    channel: grpc.aio.Channel, token: str, tables: int, seats: int = 2, taken: int = 0, rule_set: str = "holdem/tda@1"
) -> list[list[Place]]:
    """Opens tables and takes seats at each, all of them unless ``taken`` says how many; the places seat by seat."""
    stub: Any = table_pb2_grpc.TableServiceStub(channel)
    config = {
        "rule_set_name": rule_set,
        "structure": 1,
        "stakes": {"small_blind": 1, "big_blind": 2},
        "seats": seats,
        "starting_stack": 200,
        "reset_stacks": True,
        "clock": {"action_ms": 60_000},
    }

    async def open_one(number: int) -> list[Place]:
        mark = f"{time.monotonic_ns()}-{number}"
        request = table_pb2.CreateTableRequest(request_id=mark, config=config)
        opened = await stub.CreateTable(request, metadata=(("authorization", f"Bearer {token}"),))
        places = []
        for seat in range(1, (taken or seats) + 1):
            taking = table_pb2.TakeSeatRequest(
                request_id=f"{mark}-{seat}", table_id=opened.table_id, seat=seat, name="bench"
            )
            places.append((opened.table_id, (await stub.TakeSeat(taking)).seat_token))
        return places

    opened: list[list[Place]] = []
    while len(opened) < tables:  # some side by side: they share commits
        numbers = range(len(opened), min(len(opened) + OPENED_AT_ONCE, tables))
        opened += await asyncio.gather(*[open_one(number) for number in numbers])
    return [list(places) for places in zip(*opened, strict=True)]


def answer(request: table_pb2.PlayRequest, asked: table_pb2.PlayResponseItem, request_id: str) -> None:
    """Adds the answer to a decision to a request: it checks, or calls."""
    decision = asked.decision
    propose = request.items.add(table_id=asked.table_id).propose
    propose.request_id = request_id
    proposal = propose.proposal
    proposal.hand_id, proposal.decision_id = decision.hand_id, decision.legal.decision_id
    (proposal.action.check if decision.legal.can_check else proposal.action.call).SetInParent()


async def attached(channel: grpc.aio.Channel, places: list[Place]) -> Any:
    """A stream that plays these places."""
    call = table_pb2_grpc.TableServiceStub(channel).Play()
    attach = [table_pb2.PlayRequestItem(table_id=place, attach={"seat_token": mine}) for place, mine in places]
    await call.write(table_pb2.PlayRequest(items=attach, max_open_decisions=len(places)))
    return call


@dataclass
class Pace:
    """What was done until a moment; ``latencies`` are the seconds that single round trips took, where wanted."""

    end: float
    done: int = 0
    keeps_latencies: bool = False
    latencies: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, seconds: float, keeps_latencies: bool = False) -> "Pace":
        """Begins now, for so long."""
        return cls(time.perf_counter() + seconds, keeps_latencies=keeps_latencies)


async def play(channel: grpc.aio.Channel, streams: list[list[Place]], pace: Pace) -> None:
    """Plays each list of places over a stream of its own until the pace's end; a round trip is a decision's answer."""

    async def one(places: list[Place]) -> None:
        call = await attached(channel, places)
        number, mark, sent = 0, places[0][1][:8], 0.0
        last: table_pb2.PlayResponseItem | None = None
        while time.perf_counter() < pace.end:
            message = await call.read()
            if message is grpc.aio.EOF:
                raise RuntimeError(f"a stream of {len(places)} places was ended: {last}")
            last = message.items[-1]
            answers = table_pb2.PlayRequest()
            for item in message.items:
                if item.HasField("decision"):
                    number += 1
                    answer(answers, item, f"{mark}{number}")
            if answers.items:
                if pace.keeps_latencies and sent:
                    pace.latencies.append(time.perf_counter() - sent)
                sent = time.perf_counter()
                await call.write(answers)
                pace.done += len(answers.items)
        call.cancel()

    await asyncio.gather(*[one(places) for places in streams])


async def echo_streams(channel: grpc.aio.Channel, streams: int, pace: Pace) -> None:
    """So many streams whose every message comes back as one of the size of a decision."""

    async def one() -> None:
        call: Any = channel.stream_stream(STREAM_ECHO)()
        while time.perf_counter() < pace.end:
            sent = time.perf_counter()
            await call.write(b"x" * STREAM_REQUEST_BYTES)
            await call.read()
            if pace.keeps_latencies:
                pace.latencies.append(time.perf_counter() - sent)
            pace.done += 1
        call.cancel()

    await asyncio.gather(*[one() for _ in range(streams)])


async def echo_calls(channel: grpc.aio.Channel, in_flight: int, pace: Pace) -> None:
    """So many unary calls at a time, of the sizes of a proposal and its ruling."""
    call: Any = channel.unary_unary(UNARY_ECHO)

    async def one() -> None:
        while time.perf_counter() < pace.end:
            await call(b"x" * UNARY_REQUEST_BYTES)
            pace.done += 1

    await asyncio.gather(*[one() for _ in range(in_flight)])


Script = dict[int, list[tuple[int, str]]]
"""By the parity of a hand's number: the first seat's decisions, by id and what it does."""

LEARNT_HANDS = 4


async def learn(channel: grpc.aio.Channel, place: Place) -> Script:
    """What the first seat is asked in hands in which everybody checks or calls: it is the same every second hand.

    The first hands are played; the next one waits for its first answer.
    """
    call = await attached(channel, [place])
    asked: Script = {}
    while True:
        for item in (await call.read()).items:
            if item.WhichOneof("item") != "decision":
                continue
            decision = item.decision
            if decision.hand > LEARNT_HANDS:
                call.cancel()
                assert (asked[1], asked[2]) == (asked[3], asked[4]), "hands alternate"
                return {0: asked[2], 1: asked[1]}
            action = "check" if decision.legal.can_check else "call"
            asked.setdefault(decision.hand, []).append((decision.legal.decision_id, action))
            request = table_pb2.PlayRequest()
            answer(request, item, f"learn {decision.legal.decision_id}")
            await call.write(request)


async def submit(channel: grpc.aio.Channel, places: list[Place], scripts: list[Script], pace: Pace) -> None:
    """One SubmitAction at a time at each place, without a stream: what is asked is known from the place's script."""
    stub: Any = table_pb2_grpc.TableServiceStub(channel)

    async def one(place: Place, script: Script) -> None:
        table_id, token = place
        hand = LEARNT_HANDS
        while time.perf_counter() < pace.end:
            hand += 1
            for decision_id, action in script[hand % 2]:
                await _accepted(stub, table_id, token, f"{table_id}-{hand}", decision_id, action, pace)

    await asyncio.gather(*[one(*each) for each in zip(places, scripts, strict=True)])


async def _accepted(
    stub: Any, table_id: str, token: str, hand_id: str, decision_id: int, action: str, pace: Pace
) -> None:
    """Proposes until it is ruled on as its turn: the house may not have answered yet."""
    tries = 0
    while time.perf_counter() < pace.end:
        tries += 1
        proposal = hand_pb2.Proposal(hand_id=hand_id, decision_id=decision_id)
        getattr(proposal.action, action).SetInParent()
        propose = table_pb2.Propose(request_id=f"{decision_id}.{tries}", proposal=proposal)
        request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=token, propose=propose)
        if (await stub.SubmitAction(request)).answered.ruling.accepted:
            pace.done += 1
            return


async def slow_play(
    channel: grpc.aio.Channel, streams: list[list[Place]], pace: Pace, think: Callable[[], float]
) -> None:
    """Plays with a pause before each answer; a latency is from an answer to the table's next decision, whoever's."""
    answered_at: dict[str, float] = {}
    loop = asyncio.get_running_loop()

    async def one(places: list[Place]) -> None:
        call = await attached(channel, places)
        mark, number = places[0][1][:8], 0
        ready: asyncio.Queue[table_pb2.PlayRequestItem] = asyncio.Queue()

        async def write() -> None:
            while True:
                parts = [await ready.get()]
                while not ready.empty():
                    parts.append(ready.get_nowait())
                now = time.perf_counter()
                for part in parts:
                    answered_at[part.table_id] = now
                await call.write(table_pb2.PlayRequest(items=parts))

        writing = asyncio.create_task(write())
        while time.perf_counter() < pace.end:
            try:
                message = await asyncio.wait_for(call.read(), max(0.01, pace.end - time.perf_counter()))
            except TimeoutError:
                break
            for item in message.items:
                if item.WhichOneof("item") == "decision":
                    number += 1
                    before = answered_at.pop(item.table_id, 0.0)
                    if before:
                        pace.latencies.append(time.perf_counter() - before)
                        pace.done += 1
                    request = table_pb2.PlayRequest()
                    answer(request, item, f"{mark}{number}")
                    loop.call_later(think(), ready.put_nowait, request.items[0])
        writing.cancel()
        call.cancel()

    await asyncio.gather(*[one(places) for places in streams])
