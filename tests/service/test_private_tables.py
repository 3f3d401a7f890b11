"""Private tables: the host alone decides who plays and who sees; others may be playing the same cards elsewhere."""

import asyncio
import uuid

import grpc
import pytest

from referee.v1 import table_pb2
from tests.service.playing import Follower, run, tables


async def refused(call):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error.value.code()


async def first_item(call):
    async for item in call:
        return item
    return None


async def seat(running, table_id, name):
    request = table_pb2.TakeSeatRequest(request_id=uuid.uuid4().hex, table_id=table_id, name=name)
    return await running.stub.TakeSeat(request, metadata=running.host)


def test_only_the_host_gives_seats_and_seeds(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await running.create(seats=2, private_table=True)
            assert await refused(running.sit(table_id)) == grpc.StatusCode.UNAUTHENTICATED
            taken = await seat(running, table_id, "ann")
            commit = table_pb2.CommitSeedRequest(table_id=table_id, seat_token=taken.seat_token, commitment=bytes(32))
            assert await refused(running.stub.CommitSeed(commit)) == grpc.StatusCode.UNAUTHENTICATED
            await running.stub.CommitSeed(commit, metadata=running.host)
            reveal = table_pb2.RevealSeedRequest(table_id=table_id, seat_token=taken.seat_token, seed=bytes(32))
            assert await refused(running.stub.RevealSeed(reveal)) == grpc.StatusCode.UNAUTHENTICATED

    run(go())


@pytest.mark.parametrize("is_private", [False, True])
def test_nobody_leaves_or_sits_out_or_looks_on_at_a_private_table(tmp_path, is_private):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await running.create(seats=2, hands=2, private_table=is_private)
            tokens = [(await seat(running, table_id, name)).seat_token for name in ("ann", "bob")]
            watch = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id))
            out = running.stub.SitOut(
                table_pb2.SitOutRequest(request_id="out", table_id=table_id, seat_token=tokens[0])
            )
            leave = table_pb2.LeaveSeatRequest(request_id="leave", table_id=table_id, seat_token=tokens[0])
            if not is_private:
                assert await first_item(watch) is not None
                watch.cancel()
                await out
                await running.stub.SitIn(
                    table_pb2.SitInRequest(request_id="in", table_id=table_id, seat_token=tokens[0])
                )
            else:
                assert await refused(first_item(watch)) == grpc.StatusCode.PERMISSION_DENIED
                assert await refused(out) == grpc.StatusCode.FAILED_PRECONDITION
                assert await refused(running.stub.LeaveSeat(leave)) == grpc.StatusCode.FAILED_PRECONDITION
            played = [running.play_seat(table_id, token, at, Follower()) for at, token in enumerate(tokens)]
            await asyncio.gather(*played)
            state = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
            assert (state.hand, state.end_reason) == (2, table_pb2.END_REASON_HANDS_PLAYED)
            assert [bool(one.stack) for one in state.seats] != [is_private, is_private]
            review = table_pb2.ReviewHandRequest(table_id=table_id, hand=1)
            mine = table_pb2.ReviewHandRequest(table_id=table_id, hand=1, seat_token=tokens[0])
            assert (await running.stub.ReviewHand(mine)).events
            if is_private:
                assert await refused(running.stub.ReviewHand(review)) == grpc.StatusCode.PERMISSION_DENIED
                watch = running.stub.WatchTable(
                    table_pb2.WatchTableRequest(table_id=table_id), metadata=running.auditor
                )
                assert await first_item(watch) is not None
            else:
                assert (await running.stub.ReviewHand(review)).events

    run(go())
