"""What one client sends must not fill memory, disk or the record of a hand."""

import asyncio
import random

import grpc

from referee.limits import BUNDLES_VERIFIED_AT_ONCE, PROPOSAL_BYTES
from referee.v1 import audit_pb2, audit_pb2_grpc, hand_pb2, table_pb2
from tests.client.scripted import unknown_field
from tests.service.playing import answer_to, attach_item, propose_item, run, tables
from tests.service.test_tables import status_of

RNG = random.Random(1)


def swollen(proposal, size):
    """The same proposal with a field that no version knows, as long as that."""
    tag = unknown_field(100)[:-1]
    length = bytearray()
    rest = size
    while rest > 127:
        length.append(rest & 127 | 128)
        rest >>= 7
    length.append(rest)
    return hand_pb2.Proposal.FromString(proposal.SerializeToString() + tag + bytes(length) + bytes(size))


def test_a_proposal_of_too_many_bytes_is_refused_both_ways_and_not_kept(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, hands=1)
            owner = running.store.hub.find(table_id)
            ((seat, decision),) = owner.table.decisions.items()
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[seat])]))
            asked = None
            while asked is None:
                items = (await call.read()).items
                asked = next((one.decision for one in items if one.HasField("decision")), None)
            big = swollen(answer_to(asked, RNG), PROPOSAL_BYTES)
            await call.write(table_pb2.PlayRequest(items=[propose_item(table_id, big)]))
            answered = (await call.read()).items[0].answered
            assert not answered.ruling.accepted
            assert str(PROPOSAL_BYTES) in answered.ruling.message
            propose = table_pb2.Propose(request_id="big", proposal=big)
            request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
            assert await status_of(running.stub.SubmitAction(request)) == grpc.StatusCode.INVALID_ARGUMENT
            assert not any(len(row.body) > PROPOSAL_BYTES for row in running.store.hub.store.rows(table_id, 1, 1))
            # What fits is taken, unknown field and all, and the decision is still the same.
            fits = swollen(answer_to(asked, RNG), 100)
            propose = table_pb2.Propose(request_id="fits", proposal=fits)
            request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
            assert owner.table.decisions[seat].decision_id == decision.decision_id
            assert (await running.stub.SubmitAction(request)).answered.ruling.accepted
            call.cancel()

    run(go())


def test_refused_proposals_that_are_not_kept_take_no_memory(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, hands=1)
            owner = running.store.hub.find(table_id)
            ((seat, _),) = owner.table.decisions.items()
            for number in range(100):
                proposal = hand_pb2.Proposal(hand_id=f"{table_id}-1", decision_id=77, action={"check": {}})
                propose = table_pb2.Propose(request_id=f"wrong {number}", proposal=proposal)
                request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
                assert not (await running.stub.SubmitAction(request)).answered.ruling.accepted
            assert len(owner._rulings) <= 16

    run(go())


def test_bundles_that_never_come_whole_keep_nobody_else_from_verifying(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            stub = audit_pb2_grpc.AuditServiceStub(running.channel)
            quiet = []
            for _ in range(BUNDLES_VERIFIED_AT_ONCE + 1):
                call = stub.VerifyBundle()
                await call.write(audit_pb2.VerifyBundleRequest(data=b"r"))
                quiet.append(call)
            await asyncio.sleep(0)
            report = await stub.VerifyBundle(iter([audit_pb2.VerifyBundleRequest(data=b"no bundle")]))
            assert report.verdict == audit_pb2.VERDICT_UNREADABLE
            for call in quiet:
                call.cancel()

    run(go())
