"""Seeds and signed proposals over a real connection, and what the SDK makes of them."""

import asyncio
import random

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.bots import make_bot
from referee.client import aio
from referee.dealing.seeds import commit_seat
from referee.record import wire
from referee.record.signed_proposals import proposal_text
from referee.rules.ruleset import Stakes
from referee.v1 import table_pb2
from tests.service.playing import Follower, answer_to, attach_item, propose_item, run, tables

SEEDS = {seat: bytes([seat]) * 32 for seat in (1, 2, 3)}


async def refused(waiting):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await waiting
    return error.value.code()


async def commit(running, table_id, seat, token):
    table = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
    made = commit_seat(table.match_name, seat, SEEDS[seat], table.deal_commitment)
    request = table_pb2.CommitSeedRequest(table_id=table_id, seat_token=token, commitment=made)
    await running.stub.CommitSeed(request)
    return made


def reveal(running, table_id, token, seed):
    return running.stub.RevealSeed(table_pb2.RevealSeedRequest(table_id=table_id, seat_token=token, seed=seed))


def test_seats_are_told_all_commitments_before_any_seed_and_the_seeds_at_the_end(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await running.create(seats=2, hands=2, match_name="a-match", seed=bytes(32))
            (seat_1, token_1), (seat_2, token_2) = [await running.sit(table_id, commits_seed=True) for _ in range(2)]
            followers = {token_1: Follower(), token_2: Follower()}
            playing = [
                asyncio.create_task(running.play_seat(table_id, token, seat, followers[token]))
                for seat, token in ((seat_1, token_1), (seat_2, token_2))
            ]
            first = await commit(running, table_id, seat_1, token_1)
            early = await refused(reveal(running, table_id, token_1, SEEDS[1]))
            assert early == grpc.StatusCode.FAILED_PRECONDITION
            second = await commit(running, table_id, seat_2, token_2)
            other = await refused(reveal(running, table_id, token_1, SEEDS[2]))
            assert other == grpc.StatusCode.FAILED_PRECONDITION
            nobody = await refused(reveal(running, table_id, "x" * 20, SEEDS[1]))
            assert nobody == grpc.StatusCode.PERMISSION_DENIED
            await reveal(running, table_id, token_1, SEEDS[1])
            await reveal(running, table_id, token_2, SEEDS[2])
            await asyncio.gather(*playing)
            late = await refused(reveal(running, table_id, token_1, SEEDS[1]))
            assert late == grpc.StatusCode.FAILED_PRECONDITION
        for follower in followers.values():
            kinds = [one.WhichOneof("event") for one in follower.events]
            at = kinds.index("commitments_closed")
            assert max(at for at, kind in enumerate(kinds) if kind == "seed_committed") < at
            assert at < kinds.index("seed_revealed") < kinds.index("hand_began")
            closed = follower.events[at].commitments_closed
            assert {one.seat: one.commitment for one in closed.commitments} == {1: first, 2: second}
            opened = follower.events[0].opened
            assert (opened.match_name, opened.config.seed) == ("a-match", b"")
            told = b"".join([one.SerializeToString() for one in follower.events[:-1]])
            assert not any(seed in told for seed in (SEEDS[1], SEEDS[2]))
            seeds = follower.events[-1].ended.seeds
            assert [one.seed for one in seeds.seats] == [SEEDS[1], SEEDS[2]]

    run(go())


@pytest.mark.parametrize("watching", [False, True])
def test_the_sdk_gives_its_seed_and_checks_the_deals_at_the_end(watching, tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            options = {"stakes": Stakes(1, 2), "starting_stack": 100, "hands": 6, "reset_stacks": True}
            host = running.store.access.host_token
            table_id = await aio.create_table(running.address, seats=3, token=host, **options)
            seats = [await aio.take_seat(running.address, table_id, name=f"p{number}") for number in range(3)]
            assert len({seat.seed for seat in seats}) == 3
            if watching:
                playing = [aio.play_watching(running.address, make_bot("random-legal", 1), seat) for seat in seats]
            else:
                playing = [aio.play(running.address, make_bot("random-legal", 1), [seat]) for seat in seats]
            ended = await asyncio.gather(*playing)
            for played in ended if watching else [one for (one,) in ended]:
                assert (played.hands, played.deals_checked, played.deal_fault) == (6, 6, "")

    run(go())


def test_a_signed_proposal_is_kept_and_one_that_does_not_fit_is_refused(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            key = Ed25519PrivateKey.generate()
            table_id = await running.create(seats=2, hands=1)
            seat, token = await running.sit(table_id, public_key=key.public_key().public_bytes_raw())
            other, other_token = await running.sit(table_id)
            tokens = {seat: (token, key), other: (other_token, None)}
            statuses, kept = await play_signing(running, table_id, tokens)
            assert statuses == {grpc.StatusCode.PERMISSION_DENIED}
            rows = running.store.hub.store.rows(table_id, 1, 1)
            stored = b"".join([row.body for row in rows])
            assert kept
            assert all(signature in stored for signature in kept)

    run(go())


async def play_signing(running, table_id, tokens):
    """Plays a hand by single calls; a seat with a key tries a wrong signature first."""
    rng = random.Random(3)
    statuses, kept = set(), []
    streams = {}
    for seat, (token, _) in tokens.items():
        streams[seat] = running.stub.Play()
        await streams[seat].write(table_pb2.PlayRequest(items=[attach_item(table_id, token, (0, 0))]))

    async def follow(seat):
        token, key = tokens[seat]
        async for message in streams[seat]:
            for item in message.items:
                if item.HasField("end"):
                    return
                if not item.HasField("decision"):
                    continue
                propose = propose_item(table_id, answer_to(item.decision, rng)).propose
                request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=token, propose=propose)
                wrong = table_pb2.SubmitActionRequest()
                wrong.CopyFrom(request)
                wrong.propose.signature = bytes(64)
                statuses.add(await refused(running.stub.SubmitAction(wrong)))
                if key is not None:
                    proposal = wire.proposal_of(propose.proposal, seat)
                    request.propose.signature = key.sign(proposal_text(proposal, propose.request_id).encode())
                    kept.append(request.propose.signature)
                answered = (await running.stub.SubmitAction(request)).answered
                assert answered.ruling.accepted

    await asyncio.gather(*map(follow, tokens))
    return statuses, kept
