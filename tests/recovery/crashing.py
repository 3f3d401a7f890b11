"""A real server process that is killed and started again, and players that never give up."""

import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import grpc

from referee.audit.report import Verdict
from referee.audit.trust import Trust
from referee.audit.verify import verify_bundle
from referee.record.bundle import read_bundle
from referee.record.log.key_list import parse_key_list
from referee.v1 import (
    audit_pb2,
    audit_pb2_grpc,
    judge_pb2,
    judge_pb2_grpc,
    kozel_pb2,
    kozel_pb2_grpc,
    table_pb2,
    table_pb2_grpc,
)
from tests.service.playing import STAKES, Follower, answer_to, attach_item, options_in, propose_item, ruling_in

CHANNEL = [
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.use_local_subchannel_pool", 1),
]


class Process:
    """`referee serve` on a folder, killed and started again on the same port."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.port = 0
        self.process = None

    def start(self, failpoint: str = ""):
        words = ["serve", "--port", str(self.port), "--data", str(self.folder), "--json", "--log-level", "error"]
        environment = os.environ | ({"REFEREE_FAILPOINT": failpoint} if failpoint else {})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, text=True, env=environment
        )
        for line in self.process.stdout:
            told = json.loads(line)
            if "listening" in told:
                self.port = told["listening"]
                return
        raise AssertionError("the server did not start")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.wait()

    def wait(self):
        self.process.wait(timeout=30)
        self.process.stdout.close()

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def token(self, name):
        return (("authorization", f"Bearer {(self.folder / f'{name}.token').read_text().strip()}"),)


class Player:
    """Plays a seat through any number of crashes and remembers what was acknowledged.

    An answer that was sent but not acknowledged is sent again under the same request id, as the contract asks.
    """

    def __init__(self, table_id, seat, token):
        self.table_id, self.seat, self.token = table_id, seat, token
        self.follower = Follower()
        self.acknowledged = {}
        self.asked = {}
        self.sent = {}
        self.reconnects = 0

    async def play(self, process):
        while True:
            async with grpc.aio.insecure_channel(process.address, options=CHANNEL) as channel:
                call = table_pb2_grpc.TableServiceStub(channel).Play(wait_for_ready=True)
                try:
                    if await self._follow(call):
                        return
                except grpc.aio.AioRpcError as error:
                    if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                        raise
                finally:
                    call.cancel()
            self.reconnects += 1

    async def _follow(self, call):
        # From the very beginning: a first hand may end by folds before a player has attached at all.
        await call.write(table_pb2.PlayRequest(items=[attach_item(self.table_id, self.token, self.follower.cursor)]))
        async for message in call:
            for item in message.items:
                self.follower.take(item)
                match item.WhichOneof("item"):
                    case "decision":
                        await call.write(table_pb2.PlayRequest(items=[self._answer(item.decision)]))
                    case "answered":
                        answered = item.answered
                        if ruling_in(answered).accepted:
                            self.acknowledged[answered.request_id] = self.sent[answered.request_id]
                    case "end":
                        return item.end.reason == table_pb2.STREAM_END_REASON_TABLE_ENDED
        return False

    def _answer(self, decision):
        """The same decision has the same answer and request id, however often it is asked."""
        key = (decision.hand_id, options_in(decision).decision_id)
        legal = options_in(decision).SerializeToString(deterministic=True)
        assert self.asked.setdefault(key, legal) == legal, "the open decision is the same after a restart"
        request_id = f"{key[0]}/{self.seat}/{key[1]}"
        seed = int.from_bytes(hashlib.sha256(request_id.encode()).digest()[:8], "big")
        proposal = answer_to(decision, random.Random(seed))
        self.sent[request_id] = proposal
        return propose_item(self.table_id, proposal, request_id)


def poker_config(number, seats, hands):
    """The nth table of poker."""
    return {
        "rule_set_name": "irish/full-tilt@1",
        "structure": 1 + number % 2,
        "stakes": STAKES,
        "seats": seats,
        "starting_stack": 200,
        "reset_stacks": True,
        "hands": hands,
        "clock": {"action_ms": 600_000, "bank_ms": 1_000},
        "seed": number.to_bytes(32, "big"),
    }


def kozel_config(number, seats, rounds):
    """The nth table of Kozel."""
    return {
        "rule_set_name": ("kozel/on-all@1", "kozel/on-one@1")[number % 2],
        "seats": seats,
        "hands": rounds,
        "clock": {"action_ms": 600_000, "bank_ms": 1_000},
        "seed": number.to_bytes(32, "big"),
    }


async def open_tables(process, count, seats, hands, config=poker_config):
    """Opens tables with all seats taken; returns the players."""
    players = []
    async with grpc.aio.insecure_channel(process.address, options=CHANNEL) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        for number in range(count):
            request = table_pb2.CreateTableRequest(request_id=f"open {number}", config=config(number, seats, hands))
            table_id = (await stub.CreateTable(request, metadata=process.token("host"))).table_id
            for seat in range(1, seats + 1):
                taken = await stub.TakeSeat(
                    table_pb2.TakeSeatRequest(
                        request_id=f"sit down at seat {seat}", table_id=table_id, seat=seat, name=f"p{seat}"
                    )
                )
                players.append(Player(table_id, seat, taken.seat_token))
    return players


async def check_hand(channel, process, table_id, hand):
    """A hand of poker agrees with its judge; returns its record."""
    judge = judge_pb2_grpc.JudgeServiceStub(channel)
    record = await whole_record(channel, process, table_id, hand)
    judged = (await judge.JudgeHand(judge_pb2.JudgeHandRequest(record=record.record))).judgement
    assert judged.agrees, judged.findings
    assert judged.settlement == record.settlement
    return record


async def check_round(channel, process, table_id, hand):
    """A round of Kozel agrees with its judge; returns its record."""
    judge = kozel_pb2_grpc.KozelJudgeServiceStub(channel)
    record = await whole_record(channel, process, table_id, hand)
    judged = (await judge.JudgeKozelRound(kozel_pb2.JudgeKozelRoundRequest(text=record.kozel_round))).judgement
    assert judged.agrees, judged.findings
    told = [one.kozel_event for one in record.events if one.HasField("kozel_event")]
    assert told == list(judged.events)
    return record


async def whole_record(channel, process, table_id, hand):
    """A hand's record as the auditor gets it."""
    request = table_pb2.GetHandRecordRequest(table_id=table_id, hand=hand)
    stub = table_pb2_grpc.TableServiceStub(channel)
    return await stub.GetHandRecord(request, metadata=process.token("auditor"))


def proposal_in(recorded):
    """The proposal that was recorded, whichever game it is of."""
    return recorded.kozel if recorded.HasField("kozel") else recorded.proposal


async def check_everything(process, players, hands, check=check_hand):
    """After all the crashes: nothing acknowledged is lost or doubled, every hand agrees, every view is whole.

    Every table's sealed record is exported and verified offline, and has every seal that a player was told of.
    ``hands`` 0 is as many as each table has played.
    """
    async with grpc.aio.insecure_channel(process.address, options=CHANNEL) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        accepted = {}
        played = {}
        await check_bundles(channel, process, players)
        for table_id in sorted({player.table_id for player in players}):
            state = (await stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
            played[table_id] = state.hand
            assert hands in (0, state.hand)
            for hand in range(1, state.hand + 1):
                record = await check(channel, process, table_id, hand)
                for one in record.proposals:
                    if one.accepted:
                        assert (table_id, one.request_id) not in accepted, "an answer counts once"
                        accepted[table_id, one.request_id] = proposal_in(one)
        for player in players:
            for request_id, proposal in player.acknowledged.items():
                assert accepted[player.table_id, request_id] == proposal, "what was acknowledged is what is kept"
            review = [
                event
                for hand in range(1, played[player.table_id] + 1)
                for event in (
                    await stub.ReviewHand(
                        table_pb2.ReviewHandRequest(table_id=player.table_id, hand=hand, seat_token=player.token)
                    )
                ).events
            ]
            assert [event for event in player.follower.events if event.hand >= 1] == review, (
                "no event missed or doubled"
            )
    return len(accepted)


async def check_bundles(channel, process, players):
    """Every table's bundle is valid, and what players were told was sealed is in it."""
    stub = audit_pb2_grpc.AuditServiceStub(channel)
    trust = Trust(parse_key_list((process.folder / "log.pub").read_text()).log_keys)
    for table_id in sorted({player.table_id for player in players}):
        request = audit_pb2.ExportBundleRequest(table_id=table_id)
        parts = [part.data async for part in stub.ExportBundle(request, metadata=process.token("auditor"))]
        data = b"".join(parts)
        report = verify_bundle(data, trust)
        assert report.verdict is Verdict.VALID, report
        sealed = {piece.seal for piece in read_bundle(data).pieces}
        for player in players:
            if player.table_id == table_id:
                told = [item.sealed.seal for item in player.follower.items if item.HasField("sealed")]
                assert sealed.issuperset(told)


async def until(condition):
    """Waits for something that the players bring about."""
    while not condition():
        await asyncio.sleep(0.001)
