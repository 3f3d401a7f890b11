"""What a real server records of tables with clocks, seeds, signatures and a restart is valid in every view."""

import asyncio
import random

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.audit.redaction import redacted
from referee.audit.report import Verdict
from referee.audit.verify import verify
from referee.dealing.seeds import commit_seat
from referee.record import wire
from referee.record.signed_proposals import proposal_text
from referee.store.sqlite import SqliteStore
from referee.table.games import config_of
from referee.table.happenings import happenings
from referee.v1 import record_pb2, table_pb2
from tests.audit.records import TRUST, bundle_from_store, seed_of
from tests.service.playing import answer_to, attach_item, propose_item, run, tables
from tests.support import scale

CLOCK = {"action_ms": 60, "bank_ms": 120, "increment_ms": 10, "latency_allowance_ms": 5}
KEY = Ed25519PrivateKey.from_private_bytes(seed_of("a player"))


class Player:
    """Answers at random: sometimes wrongly first, sometimes too late; signs, and gives a seed, if it is to."""

    def __init__(self, table_id, seat, token, signs):
        self.table_id, self.seat, self.token, self.signs = table_id, seat, token, signs
        self.rng = random.Random(seat)
        self.number = 0

    async def play(self, stub):
        """Plays until the stream ends; true when the table has ended."""
        call = stub.Play()
        await call.write(table_pb2.PlayRequest(items=[attach_item(self.table_id, self.token)]))
        try:
            async for message in call:
                for item in message.items:
                    if item.WhichOneof("item") == "end":
                        return item.end.reason == table_pb2.STREAM_END_REASON_TABLE_ENDED
                    if item.WhichOneof("item") == "decision":
                        await self.answer(call, item.decision)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            return False
        finally:
            call.cancel()
        return False

    async def answer(self, call, decision):
        chance = self.rng.random()
        if chance < 0.1:
            await asyncio.sleep(0.3)
        elif chance < 0.3:
            await asyncio.sleep(0.03)
        proposals = [answer_to(decision, self.rng)]
        if self.rng.random() < 0.3:
            wrong = answer_to(decision, self.rng)
            getattr(wrong.action, "raise").raise_to = 10**6
            proposals.insert(0, wrong)
        items = [self.item(proposal) for proposal in proposals]
        await call.write(table_pb2.PlayRequest(items=items))

    def item(self, proposal):
        self.number += 1
        item = propose_item(self.table_id, proposal, f"seat {self.seat} request {self.number}")
        if self.signs:
            text = proposal_text(wire.proposal_of(proposal, self.seat), item.propose.request_id)
            item.propose.signature = KEY.sign(text.encode())
        return item


async def opened(running, hands):
    table_id = await running.create(seats=3, hands=hands, clock=CLOCK, reveal_ms=2000, starting_stack=60)
    players = []
    for at in (1, 2, 3):
        options = {"public_key": KEY.public_key().public_bytes_raw()} if at == 2 else {}
        seat, token = await running.sit(table_id, commits_seed=at < 3, **options)
        players.append(Player(table_id, seat, token, signs=at == 2))
        if at < 3:
            state = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
            commitment = commit_seat(state.match_name, seat, seed_of(f"seat {seat}"), state.deal_commitment)
            request = table_pb2.CommitSeedRequest(table_id=table_id, seat_token=token, commitment=commitment)
            await running.stub.CommitSeed(request)
    for player in players[:2]:
        request = table_pb2.RevealSeedRequest(
            table_id=table_id, seat_token=player.token, seed=seed_of(f"seat {player.seat}")
        )
        await running.stub.RevealSeed(request)
    return table_id, players


def test_a_servers_record_through_a_restart_is_valid_in_every_view(tmp_path):
    async def body():
        async with tables(tmp_path) as running:
            table_id, players = await opened(running, scale(6, 200))
            playing = [asyncio.create_task(player.play(running.stub)) for player in players]
            await asyncio.sleep(1.5)
        await asyncio.gather(*playing, return_exceptions=True)
        async with tables(tmp_path) as running:
            return table_id, await asyncio.gather(*[player.play(running.stub) for player in players])

    table_id, ended = run(body(), 400)
    assert all(ended)
    store = SqliteStore(tmp_path / "referee.sqlite")
    opening = happenings(store.rows(table_id, 0, 0)[0].body)[0].opened
    whole = bundle_from_store(store, table_id, config_of(opening.config, b""))
    store.close()
    report = verify(whole, TRUST)
    assert report.verdict == Verdict.VALID, report.divergence
    assert report.hands == scale(6, 200)
    for name in ("refusals", "timeouts", "clocks", "signatures", "seeds", "deck_roots"):
        assert report.check(name).compared > 0, name
    for view, seat in ((2, 1), (2, 2), (2, 3), (3, 0)):
        report = verify(redacted(whole, view, seat), TRUST)
        assert report.verdict == Verdict.VALID, report.divergence
    assert record_pb2.BUNDLE_VIEW_PUBLIC == 3
