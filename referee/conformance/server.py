"""The service that a client meets: it says what a scenario wants said, and queues what it hears for the scenario.

It takes both ways of playing for one: what a watching client submits is heard like an item of a stream, and the ruling
that is said for it becomes the answer of its call.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import grpc
import protovalidate
from google.protobuf.message import Message

from referee import __version__
from referee.conformance.told import Item, Told
from referee.limits import HEARTBEAT_MS, MESSAGE_BYTES
from referee.v1 import server_pb2, server_pb2_grpc, table_pb2, table_pb2_grpc

HEARTBEATS_IN_A_SILENCE: Final = 3
"""After how many heartbeats that did not come a client takes its stream for lost."""

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.so_reuseport", 0),
)


class Connection:
    """One stream of the client, and the calls that belong to it."""

    def __init__(self, number: int, context: Any, message: type[Message]) -> None:
        self.number = number
        self.is_over = False
        self.waiting: dict[tuple[str, str], asyncio.Future[table_pb2.Answered]] = {}
        self.finished: asyncio.Future[grpc.StatusCode | None] = asyncio.get_running_loop().create_future()
        self._context = context
        self._message = message

    async def say(self, items: Iterable[Item]) -> None:
        """Says items in one message; what answers a waiting call becomes its answer instead."""
        said = [item for item in items if not self._answers(item)]
        if said and not self.is_over:
            with suppress(grpc.aio.AbortError, grpc.aio.InternalError, asyncio.InvalidStateError, grpc.RpcError):
                await self._context.write(self._message(items=said))

    def _answers(self, item: Item) -> bool:
        if not item.HasField("answered"):
            return False
        call = self.waiting.pop((item.table_id, item.answered.request_id), None)
        if call is None or call.done():
            return False
        call.set_result(item.answered)
        return True

    def cut(self, code: grpc.StatusCode | None) -> None:
        """Ends the stream with a status, or plainly, and whatever waits on it."""
        self.is_over = True
        if not self.finished.done():
            self.finished.set_result(code)
        for call in self.waiting.values():
            if not call.done():
                call.cancel()


@dataclass(frozen=True)
class Opened:
    """The client opened a stream."""

    connection: Connection


@dataclass(frozen=True)
class Heard:
    """The client said something."""

    connection: Connection
    request: table_pb2.PlayRequest


@dataclass(frozen=True)
class Closed:
    """The client has no more to say on a stream, or has cancelled it."""

    connection: Connection


@dataclass(frozen=True)
class Called:
    """The client made a call about a table."""

    method: str


@dataclass(frozen=True)
class Malformed:
    """The client said something without the contract's shape."""

    fault: str


@dataclass(frozen=True)
class Exited:
    """The client's process ended."""

    code: int


Happening = Opened | Heard | Closed | Called | Malformed | Exited


class ScriptedTables(table_pb2_grpc.TableServiceServicer):
    """Queues what the client does. ``tables`` are those that it may ask about."""

    def __init__(self, happenings: "asyncio.Queue[Happening]") -> None:
        self.tables: dict[str, Told] = {}
        self._happenings = happenings
        self._count = 0
        self._watching: dict[str, Connection] = {}

    def _connection(self, context: Any, message: type[Message]) -> Connection:
        self._count += 1
        connection = Connection(self._count, context, message)
        self._happenings.put_nowait(Opened(connection))
        return connection

    async def _until_finished(self, connection: Connection, context: Any) -> None:
        try:
            code = await connection.finished
        except asyncio.CancelledError:
            self._happenings.put_nowait(Closed(connection))
            connection.is_over = True
            raise
        if code is not None:
            await context.abort(code, "cut by the scenario")

    async def Play(self, requests: AsyncIterator[table_pb2.PlayRequest], context: Any) -> None:  # noqa: N802
        """Hears one stream."""
        connection = self._connection(context, table_pb2.PlayResponse)
        reading = asyncio.create_task(self._read(connection, requests))
        try:
            await self._until_finished(connection, context)
        finally:
            reading.cancel()

    async def _read(self, connection: Connection, requests: AsyncIterator[table_pb2.PlayRequest]) -> None:
        async for request in requests:
            faults = _faults(request)
            self._happenings.put_nowait(Malformed(faults) if faults else Heard(connection, request))
        self._happenings.put_nowait(Closed(connection))

    async def WatchTable(self, request: table_pb2.WatchTableRequest, context: Any) -> None:  # noqa: N802
        """Hears that a table is watched, as if it were attached."""
        connection = self._connection(context, table_pb2.WatchTableResponse)
        attach = table_pb2.Attach(
            seat_token=request.seat_token, cursor=request.cursor if request.HasField("cursor") else None
        )
        self._watching[request.table_id] = connection
        self._hear(connection, table_pb2.PlayRequestItem(table_id=request.table_id, attach=attach))
        await self._until_finished(connection, context)

    async def SubmitAction(  # noqa: N802
        self, request: table_pb2.SubmitActionRequest, context: Any
    ) -> table_pb2.SubmitActionResponse:
        """Hears a proposal, and answers the call when the scenario has ruled on it."""
        faults = _faults(request)
        if faults:
            self._happenings.put_nowait(Malformed(faults))
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, faults)
        connection = self._watching.get(request.table_id)
        if connection is not None:
            self._hear(connection, table_pb2.PlayRequestItem(table_id=request.table_id, propose=request.propose))
        if connection is None or connection.is_over:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "a table that is not watched takes nothing here")
            raise AssertionError("abort raises")
        key = (request.table_id, request.propose.request_id)
        connection.waiting[key] = asyncio.get_running_loop().create_future()
        try:
            answered = await connection.waiting[key]
        except asyncio.CancelledError:
            if connection.is_over:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "cut by the scenario")
            raise
        return table_pb2.SubmitActionResponse(answered=answered)

    def _hear(self, connection: Connection, item: table_pb2.PlayRequestItem) -> None:
        self._happenings.put_nowait(Heard(connection, table_pb2.PlayRequest(items=[item])))

    # --- calls about tables -----------------------------------------------------------------------------

    async def _table(self, table_id: str, method: str, context: Any) -> Told:
        self._happenings.put_nowait(Called(method))
        told = self.tables.get(table_id)
        if told is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, f"no table {table_id!r}")
            raise AssertionError("abort raises")
        return told

    async def GetTable(  # noqa: N802
        self, request: table_pb2.GetTableRequest, context: Any
    ) -> table_pb2.GetTableResponse:
        """Says how a table stands."""
        return table_pb2.GetTableResponse(table=(await self._table(request.table_id, "GetTable", context)).state())

    async def ListTables(  # noqa: N802
        self, request: table_pb2.ListTablesRequest, context: Any
    ) -> table_pb2.ListTablesResponse:
        """Lists the tables of the scenario."""
        return table_pb2.ListTablesResponse(tables=[told.state() for told in self.tables.values()])

    async def TakeSeat(  # noqa: N802
        self, request: table_pb2.TakeSeatRequest, context: Any
    ) -> table_pb2.TakeSeatResponse:
        """Gives the one seat that is the client's."""
        told = await self._table(request.table_id, "TakeSeat", context)
        return table_pb2.TakeSeatResponse(seat=told.seat, seat_token=told.seat_token)

    async def CommitSeed(  # noqa: N802
        self, request: table_pb2.CommitSeedRequest, context: Any
    ) -> table_pb2.CommitSeedResponse:
        """Says that it is too late to commit: what the scenarios deal is settled."""
        await self._table(request.table_id, "CommitSeed", context)
        await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "no more commitments are taken")
        raise AssertionError("abort raises")

    async def RevealSeed(  # noqa: N802
        self, request: table_pb2.RevealSeedRequest, context: Any
    ) -> table_pb2.RevealSeedResponse:
        """Takes a seed."""
        await self._table(request.table_id, "RevealSeed", context)
        return table_pb2.RevealSeedResponse()

    async def LeaveSeat(  # noqa: N802
        self, request: table_pb2.LeaveSeatRequest, context: Any
    ) -> table_pb2.LeaveSeatResponse:
        """Lets the seat go."""
        await self._table(request.table_id, "LeaveSeat", context)
        return table_pb2.LeaveSeatResponse()


class _Info(server_pb2_grpc.ServerServiceServicer):
    """Says what the server is, and how often it would beat."""

    def __init__(self, heartbeat_ms: int) -> None:
        self._heartbeat_ms = heartbeat_ms

    async def GetServerInfo(  # noqa: N802
        self, request: server_pb2.GetServerInfoRequest, context: Any
    ) -> server_pb2.GetServerInfoResponse:
        limit = server_pb2.Limit(name="heartbeat_ms", value=self._heartbeat_ms)
        return server_pb2.GetServerInfoResponse(version=__version__, limits=[limit])


async def _to_the_end(work: Coroutine[Any, Any, object]) -> None:
    """Does something to its end, cancelled or not: gRPC hangs when a server is collected that is only half stopped."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.shield(doing)
    except asyncio.CancelledError:
        await doing
        raise


def _check_free(address: str) -> None:
    """Raises OSError when the address cannot be had.

    Looked at beforehand: gRPC hangs when a server that could not bind, and so was never started, is collected.
    """
    host, _, port = address.rpartition(":")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host.strip("[]"), int(port)))
    except (OSError, ValueError, OverflowError) as failed:
        raise OSError(f"cannot listen on {address}: {failed}") from None


def _faults(request: Message) -> str:
    violations = protovalidate.collect_violations(request)
    return "; ".join([f"{_path(one)}: {one.proto.message}" for one in violations])


def _path(violation: Any) -> str:
    return ".".join([element.field_name for element in violation.proto.field.elements])


class ScriptedServer:
    """A real server on loopback; it can be stopped and started again at the same address."""

    def __init__(self, address: str = "127.0.0.1:0", silence_ms: int = HEARTBEATS_IN_A_SILENCE * HEARTBEAT_MS) -> None:
        self.happenings: asyncio.Queue[Happening] = asyncio.Queue()
        self.service = ScriptedTables(self.happenings)
        self.address = address
        self._info = _Info(silence_ms // HEARTBEATS_IN_A_SILENCE)
        self._server: grpc.aio.Server | None = None

    async def start(self) -> None:
        """Listens; raises OSError when the address cannot be had."""
        _check_free(self.address)
        server = grpc.aio.server(options=_OPTIONS)
        table_pb2_grpc.add_TableServiceServicer_to_server(self.service, server)
        server_pb2_grpc.add_ServerServiceServicer_to_server(self._info, server)
        port = server.add_insecure_port(self.address)
        self.address = f"{self.address.rpartition(':')[0]}:{port}"
        self._server = server
        await _to_the_end(server.start())

    async def stop(self) -> None:
        """Ends every stream at once, and lets the address go; a cancellation waits for that."""
        if self._server is None:
            return
        stopping = self._server.stop(None)
        self._server = None
        await _to_the_end(stopping)
