"""The gRPC server: the services, health, reflection, bounds, TLS, and an orderly end."""

import asyncio
import gc
import signal
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import structlog
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from referee import __version__
from referee.audit.operation_store import OperationStore
from referee.audit.operations import Operations
from referee.audit.workers import WorkerPool
from referee.limits import AUDIT_WORKERS, CALLS_A_SECOND, CONCURRENT_CALLS, DRAIN_SECONDS, MESSAGE_BYTES
from referee.record.log.keyring import KeyRing, TrustedKey
from referee.record.log.keys import parse_verifier_key
from referee.record.log.signer import Signer
from referee.service.access import Access
from referee.service.audit_service import AUDIT_SERVICE_NAME, AuditService, Records
from referee.service.contest_service import CONTEST_SERVICE_NAME, ContestService
from referee.service.errors import abort
from referee.service.exports import Exports
from referee.service.heads import Heads
from referee.service.interception import AroundCalls, Call
from referee.service.judge_service import JudgeService
from referee.service.kozel_service import KozelJudgeService
from referee.service.log_key import log_key_in
from referee.service.log_service import LOG_SERVICE_NAME, LogService
from referee.service.metrics import TablesCollector, serve_metrics
from referee.service.rates import Rates
from referee.service.server_service import ServerService
from referee.service.table_service import TABLE_SERVICE_NAME, TableService
from referee.store.files import STORE_FILE
from referee.store.mark import mark_path
from referee.store.sqlite import SqliteStore
from referee.table.hub import Hub, secret_in
from referee.table.timing import TimeSource
from referee.v1 import (
    audit_pb2_grpc,
    contest_pb2_grpc,
    judge_pb2,
    judge_pb2_grpc,
    kozel_pb2,
    kozel_pb2_grpc,
    log_pb2_grpc,
    server_pb2,
    server_pb2_grpc,
    table_pb2,
    table_pb2_grpc,
)

if TYPE_CHECKING:  # it needs the otel extra
    from referee.service.tracing import Tracing

log = structlog.get_logger()

NEW_OBJECTS_BEFORE_COLLECTING = 50_000

SERVICE_NAMES = (
    judge_pb2.DESCRIPTOR.services_by_name["JudgeService"].full_name,
    kozel_pb2.DESCRIPTOR.services_by_name["KozelJudgeService"].full_name,
    server_pb2.DESCRIPTOR.services_by_name["ServerService"].full_name,
)

SERVER_OPTIONS = [
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.max_send_message_length", MESSAGE_BYTES),
    # Clients that ping a quiet stream must not be cut off; the key with `recv_ping` in it is silently ignored.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.so_reuseport", 0),
]


@dataclass(frozen=True)
class Tls:
    """PEM files: the server's key and certificate, and the authority that must have signed clients' certificates."""

    key_file: Path
    certificate_file: Path
    client_authority_file: Path | None = None

    def credentials(self) -> grpc.ServerCredentials:
        """The credentials; raises OSError when a file cannot be read."""
        authority = None if self.client_authority_file is None else self.client_authority_file.read_bytes()
        return grpc.ssl_server_credentials(
            [(self.key_file.read_bytes(), self.certificate_file.read_bytes())],
            root_certificates=authority,
            require_client_auth=authority is not None,
        )


class _Guard:
    """Gives every call its documented end.

    Bytes that are no message end it with INVALID_ARGUMENT (grpc itself would say UNKNOWN). A fault of ours is logged
    with its traceback; the caller learns only that there was one, and the server goes on. Calls that come too fast
    from one address end with RESOURCE_EXHAUSTED before anything else is done.
    """

    def __init__(self, rates: Rates) -> None:
        self._rates = rates

    @asynccontextmanager
    async def guarded(self, call: Call) -> AsyncIterator[None]:
        """Around one call."""
        if not self._rates.allow(call.context.peer(), time.monotonic_ns() // 1_000_000):
            said = f"more than {self._rates.calls_a_second} calls a second from this address"
            await abort(call.context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", said)
        try:
            yield
        except DecodeError:
            said = "the bytes are no message of this call"
            await abort(call.context, grpc.StatusCode.INVALID_ARGUMENT, "UNREADABLE_BYTES", said)
        except grpc.aio.AbortError:
            raise
        except Exception:
            log.exception("internal_error", method=call.method)
            await call.context.abort(grpc.StatusCode.INTERNAL, "internal error; nothing was changed")


@dataclass(frozen=True)
class Store:
    """Where tables are kept, the tokens that allow to open them and to see everything, and the heads of the log.

    ``contests`` is the folder of the contests that are served, None for none.
    """

    hub: Hub
    access: Access
    heads: Heads
    operations: OperationStore
    contests: Path | None = None


def open_store(
    folder: Path,
    time: TimeSource,
    host_token: str = "",
    auditor_token: str = "",
    log_name: str = "",
    witness_keys: Sequence[str] = (),
    check_all: bool = True,
    contests: Path | None = None,
) -> Store:
    """Opens the store in a folder; tokens and the log's key, where not given, are drawn and kept there in files.

    Raises StoreError when it cannot be opened, is of another format or damaged (``check_all`` as of SqliteStore),
    OperationStoreError likewise for the audits' own store, LogKeyError when the log's key cannot be used,
    KeyFormatError for a witness's key that is none.
    """
    secret = secret_in(folder, "seat.secret")
    access = Access(
        host_token or secret_in(folder, "host.token").decode("ascii"),
        auditor_token or secret_in(folder, "auditor.token").decode("ascii"),
    )
    log_key = log_key_in(folder, log_name)
    witnesses = tuple([TrustedKey(parse_verifier_key(text)) for text in witness_keys])
    ring = KeyRing(log_key.ring.origin, log_key.ring.log_keys, witnesses)
    signer = Signer(log_key.key)
    store = SqliteStore(folder / STORE_FILE, check_all)
    if not store.was_marked:
        log.warning("store_without_mark", store=str(store.path), missing=str(mark_path(store.path)))
    hub = Hub(store, time, secret, signer.checkpoint)
    return Store(hub, access, Heads(store, signer, ring), OperationStore(folder / "operations.sqlite"), contests)


class _ByName:
    """A server to generated code, which finds methods by their names instead of registering each.

    For each registered method gRPC keeps a task, and for every call its loop waits anew for all of them.
    """

    def __init__(self, server: grpc.aio.Server) -> None:
        self.add_generic_rpc_handlers = server.add_generic_rpc_handlers

    def add_registered_method_handlers(self, service_name: str, method_handlers: object) -> None:
        """Registers nothing: the generated code has given the same handlers by name."""


class Server:
    """One listening server; without a store it judges but plays no tables.

    ``socket`` is a Unix socket on which it listens as well, without TLS. Raises RuntimeError for an address or a socket
    that cannot be bound.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        tls: Tls | None = None,
        store: Store | None = None,
        calls_a_second: int = CALLS_A_SECOND,
        metrics_address: tuple[str, int] | None = None,
        tracing: "Tracing | None" = None,
        socket: Path | None = None,
    ) -> None:
        self._metrics_address = metrics_address
        self._tracing = tracing
        self._end_metrics: Callable[[], None] = lambda: None
        self._server = grpc.aio.server(
            options=SERVER_OPTIONS,
            maximum_concurrent_rpcs=CONCURRENT_CALLS,
            # The first is outermost: a traced call ends as the guard says.
            interceptors=[
                *([] if tracing is None else [AroundCalls(tracing.around)]),
                AroundCalls(_Guard(Rates(calls_a_second)).guarded),
            ],
        )
        self._names = [*SERVICE_NAMES]
        methods = _ByName(self._server)
        judge_pb2_grpc.add_JudgeServiceServicer_to_server(JudgeService(), methods)
        kozel_pb2_grpc.add_KozelJudgeServiceServicer_to_server(KozelJudgeService(), methods)
        server_pb2_grpc.add_ServerServiceServicer_to_server(ServerService(), methods)
        self._store = store
        self._tables: TableService | None = None
        self._operations: Operations | None = None
        self._workers = WorkerPool(AUDIT_WORKERS)
        if store is not None:
            if tracing is not None:
                store.hub.follow = tracing.command
            self._names += [TABLE_SERVICE_NAME, LOG_SERVICE_NAME]
            self._tables = TableService(store.hub, store.access)
            methods.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(TABLE_SERVICE_NAME, self._tables.stream_handlers()),)
            )
            table_pb2_grpc.add_TableServiceServicer_to_server(self._tables, methods)
            log_pb2_grpc.add_LogServiceServicer_to_server(LogService(store.hub.store, store.heads), methods)
        self._contests: ContestService | None = None
        if store is not None and store.contests is not None:
            self._names.append(CONTEST_SERVICE_NAME)
            self._contests = ContestService(store.contests, store.access)
            contest_pb2_grpc.add_ContestServiceServicer_to_server(self._contests, methods)
        self._names.append(AUDIT_SERVICE_NAME)
        audits = self._audits(store)
        audit_pb2_grpc.add_AuditServiceServicer_to_server(audits, methods)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server)
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        if tls is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, tls.credentials())
        if socket is not None:
            self._server.add_insecure_port(f"unix:{socket}")
        if self._contests is not None:
            self._contests.target = f"{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{self.port}"

    def _audits(self, store: Store | None) -> AuditService:
        if store is None:
            return AuditService(self._workers)
        exports = Exports(store.hub, store.heads, self._workers)
        self._operations = Operations(store.operations, self._workers, exports)
        return AuditService(self._workers, Records(store.hub, store.access, self._operations, exports))

    async def start(self) -> None:
        """Goes on with the tables and audits of the store, begins to answer, and says so to health checks."""
        if self._store is not None:
            self._store.hub.start()
        if self._operations is not None:
            self._operations.start()
        await self._server.start()
        if self._metrics_address is not None and self._store is not None and self._tables is not None:
            self._end_metrics = serve_metrics(*self._metrics_address, TablesCollector(self._store.hub, self._tables))
        for name in ("", *self._names):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def drain(self, seconds: float = DRAIN_SECONDS) -> None:
        """Takes no new calls, ends every stream with a reason, gives calls under way so much time, and ends."""
        await self._health.enter_graceful_shutdown()
        if self._contests is not None:
            self._contests.stopping = True
        if self._store is not None and self._tables is not None:
            await self._store.hub.stop(table_pb2.STREAM_END_REASON_SERVER_DRAINING)
            self._tables.end_streams(table_pb2.STREAM_END_REASON_SERVER_DRAINING)
        await self._server.stop(seconds)
        await asyncio.to_thread(self._end_metrics)
        if self._operations is not None:
            await self._operations.stop()
        self._workers.close()
        if self._store is not None:
            self._store.hub.store.close()
        if self._tracing is not None:
            await self._tracing.end()

    async def wait(self) -> None:
        """Returns when the server has ended."""
        await self._server.wait_for_termination()


def collect_garbage_rarely() -> None:
    """Lets Python look for unused cycles among new objects seldom, and never again among those of the start.

    What a table makes and drops has no cycles, so that looking for them finds nothing and costs a few per cent.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS_BEFORE_COLLECTING, 20, 100)


async def serve(
    host: str,
    port: int,
    tls: Tls | None,
    store: Store | None,
    on_listening: Callable[[int], None] | None = None,
    calls_a_second: int = CALLS_A_SECOND,
    metrics_address: tuple[str, int] | None = None,
    tracing: "Tracing | None" = None,
    socket: Path | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT, then drains.

    Raises RuntimeError when the address or the socket cannot be bound, OSError when that of the metrics cannot.
    """
    server = Server(host, port, tls, store, calls_a_second, metrics_address, tracing, socket)
    await server.start()
    collect_garbage_rarely()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    if tls is None and host not in ("127.0.0.1", "::1", "localhost"):
        log.warning("listening_without_tls", host=host, port=server.port)
    log.info("listening", host=host, port=server.port, tls=tls is not None, version=__version__)
    if on_listening is not None:
        on_listening(server.port)
    await stop.wait()
    log.info("draining", seconds=DRAIN_SECONDS)
    await server.drain()
    log.info("ended")
