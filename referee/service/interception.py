"""What is done about every call of a server, whatever it streams: entered before anything of it is read."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from inspect import iscoroutinefunction
from typing import Any, Final, NamedTuple

import grpc


class Call(NamedTuple):
    """A call that came in: its method's full name, whether either side streams, and gRPC's context of it."""

    method: str
    streams: bool
    context: Any


_HANDLERS: Final[dict[tuple[bool, bool], Any]] = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}


class AroundCalls(grpc.aio.ServerInterceptor):
    """Carries out every call inside a context manager, the reading of its messages included."""

    def __init__(self, around: Callable[[Call], AbstractAsyncContextManager[None]]) -> None:
        self._around = around

    async def intercept_service(self, continuation: Any, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Wraps the method's handler; a method that there is none of has nothing to wrap."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method: str = handler_call_details.method
        around, reads, writes = self._around, handler.request_streaming, handler.response_streaming
        carry_out = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream

        async def answer(raw: Any, context: Any) -> Any:
            async with around(Call(method, reads or writes, context)):
                return await carry_out(_read(handler, raw), context)

        async def answers(raw: Any, context: Any) -> Any:
            async with around(Call(method, True, context)):
                async for response in carry_out(_read(handler, raw), context):
                    yield response

        # A method that streams either writes by itself, or yields what is written.
        wrapped = answers if writes and not iscoroutinefunction(carry_out) else answer
        return _HANDLERS[reads, writes](wrapped, None, handler.response_serializer)


def _read(handler: Any, raw: Any) -> Any:
    """What the handler is given: the message, an iterator of messages, or the bytes where it reads them itself."""
    deserialize = handler.request_deserializer
    if deserialize is None:
        return raw
    return _each(deserialize, raw) if handler.request_streaming else deserialize(raw)


async def _each(deserialize: Callable[[bytes], Any], raws: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    async for raw in raws:
        yield deserialize(raw)
