"""What is done around calls is done around every one, whichever side streams and however it is written."""

import asyncio
from contextlib import asynccontextmanager

import grpc
import pytest

from referee.service.interception import AroundCalls

METHODS = (
    "unary_unary",
    "stream_unary",
    "unary_stream",
    "unary_writes",
    "stream_stream",
    "stream_writes",
    "stream_raw",
)


class Service(grpc.GenericRpcHandler):
    """Answers ``b"1,2"`` with what it read: messages are numbers, and their bytes the digits."""

    def service(self, details):
        name = details.method.rpartition("/")[2]
        reads, writes = name.split("_")
        make = getattr(grpc, f"{reads}_{'unary' if writes == 'unary' else 'stream'}_rpc_method_handler")
        return make(getattr(self, name), None if writes == "raw" else int, lambda number: str(number).encode())

    async def unary_unary(self, number, _context):
        return number + 1

    async def stream_unary(self, numbers, _context):
        return sum([number async for number in numbers])

    async def unary_stream(self, number, _context):
        for one in range(number):
            yield one

    async def unary_writes(self, number, context):
        for one in range(number):
            await context.write(one)

    async def stream_stream(self, numbers, _context):
        async for number in numbers:
            yield number * 2

    async def stream_writes(self, numbers, context):
        async for number in numbers:
            await context.write(number * 2)

    async def stream_raw(self, raws, context):
        async for raw in raws:
            await context.write(int(raw) * 2)


ANSWERS = {
    "unary_unary": ["4"],
    "stream_unary": ["6"],
    "unary_stream": ["0", "1", "2"],
    "unary_writes": ["0", "1", "2"],
    "stream_stream": ["6", "6"],
    "stream_writes": ["6", "6"],
    "stream_raw": ["6", "6"],
}


async def words(word, ends):
    """One word twice; or once and nothing more, for a call that the other side ends."""
    yield word
    if not ends:
        await asyncio.Event().wait()
    yield word


@asynccontextmanager
async def calling(around):
    server = grpc.aio.server(interceptors=[AroundCalls(around)])
    server.add_generic_rpc_handlers((Service(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()

    async def call(name, word=b"3", ends=True):
        reads, writes = name.split("_")
        kind = f"{reads}_{'unary' if writes == 'unary' else 'stream'}"
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            called = getattr(channel, kind)(f"/test.Service/{name}")
            made = called(words(word, ends) if reads == "stream" else word)
            return [(await made).decode()] if kind.endswith("unary") else [one.decode() async for one in made]

    try:
        yield call
    finally:
        await server.stop(0)


@pytest.mark.parametrize("name", METHODS)
def test_every_kind_of_method_is_gone_around_once_and_answers_as_before(name):
    seen = []

    @asynccontextmanager
    async def around(call):
        seen.append(("before", call.method, call.streams))
        yield
        seen.append(("after", call.method, call.streams))

    async def go():
        async with calling(around) as call:
            return await call(name)

    assert asyncio.run(go()) == ANSWERS[name]
    method, streams = f"/test.Service/{name}", name != "unary_unary"
    assert seen == [("before", method, streams), ("after", method, streams)]


@pytest.mark.parametrize("name", [name for name in METHODS if name != "stream_raw"])
def test_bytes_that_are_no_message_are_read_inside(name):
    @asynccontextmanager
    async def around(call):
        try:
            yield
        except ValueError:
            await call.context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no number")

    async def go():
        async with calling(around) as call:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call(name, b"x", ends=False)
            return raised.value.code(), raised.value.details()

    assert asyncio.run(go()) == (grpc.StatusCode.INVALID_ARGUMENT, "no number")
