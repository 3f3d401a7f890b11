"""Calls that come too fast from one address are refused; others are not."""

import grpc

from referee.limits import ADDRESSES_WATCHED
from referee.service.rates import Rates
from referee.service.server import Server
from referee.v1 import server_pb2, server_pb2_grpc
from tests.service.playing import run


def test_an_address_has_so_many_calls_a_second_and_others_have_theirs():
    rates = Rates(10)
    assert [rates.allow("ipv4:10.0.0.1:5000", 0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert not rates.allow("ipv4:10.0.0.1:6000", 50), "another connection of the same address"
    assert rates.allow("ipv4:10.0.0.2:5000", 50)
    assert [rates.allow("ipv4:10.0.0.1:5000", 200) for _ in range(3)] == [True, True, False]
    assert sum(rates.allow("ipv4:10.0.0.1:5000", 60_000) for _ in range(50)) == 10, "rest is not saved up"


def test_addresses_are_not_kept_without_bound():
    rates = Rates(1)
    for number in range(2 * ADDRESSES_WATCHED):
        assert rates.allow(f"ipv6:[::{number:x}]:1", 0)
    assert len(rates._buckets) == ADDRESSES_WATCHED


def test_a_server_says_so():
    async def go():
        server = Server(calls_a_second=3)
        await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            stub = server_pb2_grpc.ServerServiceStub(channel)

            async def ask():
                try:
                    await stub.GetServerInfo(server_pb2.GetServerInfoRequest())
                except grpc.aio.AioRpcError as error:
                    return error.code()
                return grpc.StatusCode.OK

            statuses = [await ask() for _ in range(20)]
            assert statuses[:3] == [grpc.StatusCode.OK] * 3
            assert grpc.StatusCode.RESOURCE_EXHAUSTED in statuses
        await server.drain(0)

    run(go())
