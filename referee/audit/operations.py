"""Runs long audits beside the server: in worker processes, part by part, going on after a restart where they stood."""

import asyncio
import sqlite3
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Final, NamedTuple, Protocol

import structlog

from referee.audit.bulk import PartResult, Settings, add_result, audit_part
from referee.audit.operation_store import Kind, Operation, OperationStore, Status
from referee.audit.parts import BUNDLE_SUFFIX, Part, Piece, hands_begun, parts_of_text
from referee.audit.workers import WorkerPool
from referee.limits import OPERATIONS_KEPT, OPERATIONS_RUNNING, STORE_RETRY_MS

log = structlog.get_logger()

TEXT_SOURCE: Final = "text"
"""What findings call the text of an operation."""

TEXT_PART_BYTES: Final = 64 * 1024
PIECES_IN_A_PART: Final = 64
MESSAGE_LETTERS: Final = 1_000
TRIES: Final = 3
"""How often a part is tried whose worker is killed."""


class SealedTables(Protocol):
    """The server's own records, sealed and exported for the auditor."""

    def table_ids(self) -> list[str]:
        """Every table."""
        ...

    def sealed_pieces(self, table_id: str) -> int:
        """How many pieces of a table are sealed; 0 for a table that is not known."""
        ...

    def sealed_hands(self, table_id: str) -> int:
        """How many hands those pieces hold."""
        ...

    async def bundle(self, table_id: str, first_piece: int, last_piece: int) -> bytes:
        """These pieces as the bytes of a bundle file."""
        ...

    def keys(self) -> tuple[str, ...]:
        """The verifier keys of the server's own log."""
        ...


class OtherContentError(Exception):
    """The request id was used with other content."""


class TooManyOperationsError(Exception):
    """No more operations can run at once."""


class UnknownTableError(Exception):
    """A table that the server does not have."""


class Operations:
    """Every long audit of a server. Calls come from one event loop."""

    def __init__(
        self,
        store: OperationStore,
        pool: WorkerPool,
        tables: SealedTables | None = None,
        retry_s: float = STORE_RETRY_MS / 1000,
    ) -> None:
        self._retry_s = retry_s
        self._store = store
        self._pool = pool
        self._tables = tables
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Goes on with what was running when the server ended."""
        for operation in self._store.running():
            self._run(operation)

    async def stop(self) -> None:
        """Stops running; what runs goes on at the next start."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._store.close()

    def begin_text(self, request_id: str, digest: bytes, text: str, now_unix_ms: int) -> Operation:
        """Begins an audit of a text, or returns the one that the request began before.

        ``digest`` is that of the request's content. Raises OtherContentError and TooManyOperationsError.
        """
        return self._known(request_id, digest) or self._begin(
            request_id, digest, Kind.TEXT, text.encode("utf-8"), hands_begun(text, TEXT_SOURCE), now_unix_ms
        )

    def begin_tables(self, request_id: str, digest: bytes, table_ids: list[str], now_unix_ms: int) -> Operation:
        """Begins an audit of what is sealed now of these tables, of all for none; else as :meth:`begin_text`.

        Raises UnknownTableError as well.
        """
        known = self._known(request_id, digest)
        if known is not None:
            return known
        assert self._tables is not None, "a server that has operations has tables"
        listed: list[str] = []
        hands = 0
        for table_id in dict.fromkeys(table_ids) or self._tables.table_ids():
            pieces = self._tables.sealed_pieces(table_id)
            if not pieces and table_ids:
                raise UnknownTableError(table_id)
            listed.append(f"{pieces} {table_id}")
            hands += self._tables.sealed_hands(table_id)
        return self._begin(request_id, digest, Kind.TABLES, "\n".join(listed).encode("utf-8"), hands, now_unix_ms)

    def find(self, operation_id: str) -> Operation | None:
        """How an operation stands; None when there is none of this id."""
        return self._store.find(operation_id)

    def newest(self, count: int, before: int | None) -> list[Operation]:
        """Operations, the newest first, those with smaller numbers than ``before``."""
        return self._store.newest(count, before)

    def cancel(self, operation_id: str) -> Operation | None:
        """Ends an operation if it runs, and returns how it stands; what it has found is kept."""
        operation = self._store.find(operation_id)
        if operation is None:
            return None
        self._store.end(operation.number, Status.CANCELLED)
        task = self._tasks.get(operation.number)
        if task is not None:
            task.cancel()
        return self._store.find(operation_id)

    def _known(self, request_id: str, digest: bytes) -> Operation | None:
        known = self._store.by_request(request_id)
        if known is not None and known.digest != digest:
            raise OtherContentError(f"request id {request_id!r} was used with other content (BET-9)")
        return known

    def _begin(
        self, request_id: str, digest: bytes, kind: str, source: bytes, hands: int, now_unix_ms: int
    ) -> Operation:
        if self._store.count_running() >= OPERATIONS_RUNNING:
            raise TooManyOperationsError(f"{OPERATIONS_RUNNING} operations run already")
        operation = self._store.add(request_id, digest, kind, source, hands, now_unix_ms)
        self._store.forget_oldest(OPERATIONS_KEPT)
        self._run(operation)
        return operation

    def _run(self, operation: Operation) -> None:
        task = asyncio.get_running_loop().create_task(self._audit(operation))
        self._tasks[operation.number] = task
        task.add_done_callback(lambda _: self._tasks.pop(operation.number, None))

    async def _audit(self, operation: Operation) -> None:
        """Audits to the end. While its store cannot be written, as on a full disk, the audit waits and goes on."""
        going_on: Operation | None = operation
        while going_on is not None:
            try:
                await self._audit_to_its_end(going_on)
                return
            except sqlite3.OperationalError as failed:
                log.warning("audit_waits", operation=operation.operation_id, error=str(failed))
                await asyncio.sleep(self._retry_s)
                going_on = self._store.find(operation.operation_id)  # as far as is kept

    async def _audit_to_its_end(self, operation: Operation) -> None:
        try:
            await self._audit_parts(operation)
        except (asyncio.CancelledError, sqlite3.OperationalError):
            raise
        except Exception as fault:
            # Whatever it is, it is this operation's end and not the server's.
            self._store.end(operation.number, Status.FAILED, f"{type(fault).__name__}: {fault}"[:MESSAGE_LETTERS])
        else:
            self._store.end(operation.number, Status.DONE)

    async def _audit_parts(self, operation: Operation) -> None:
        found, done = operation.found, operation.parts_done
        settings = Settings(keys=self._tables.keys() if self._tables and operation.kind == Kind.TABLES else ())
        for part in islice(self._parts(operation), done, None):
            overlaps = isinstance(part, _TablePart) and part.first_piece > 0
            part = part if isinstance(part, Part) else await self._part_of_table(part)
            result = await self._audit_part(part, settings)
            if overlaps:
                result.hands = max(0, result.hands - 1)
            add_result(found, result)
            done += 1
            self._store.keep_part(operation.number, done, found)

    async def _audit_part(self, part: Part, settings: Settings) -> PartResult:
        for last in (False,) * (TRIES - 1) + (True,):
            try:
                return await self._pool.run(audit_part, part, settings)
            except BrokenProcessPool:
                if last:
                    raise
        raise AssertionError("the last try returns or raises")

    def _parts(self, operation: Operation) -> "Iterator[Part | _TablePart]":
        if operation.kind == Kind.TEXT:
            return parts_of_text(operation.source.decode("utf-8"), TEXT_SOURCE, TEXT_PART_BYTES)
        return _parts_of_tables(operation.source.decode("utf-8"))

    async def _part_of_table(self, wanted: "_TablePart") -> Part:
        assert self._tables is not None, "a server that has operations has tables"
        place, table_id, first, last = wanted
        data = await self._tables.bundle(table_id, first, last)
        return Part(place, f"{table_id} {first}", len(data), (Piece(table_id + BUNDLE_SUFFIX, data),))


class _TablePart(NamedTuple):
    """Pieces of a table that are audited in one go.

    A later part begins with the last piece of the part before, so that what is carried on from hand to hand is compared
    there too; that hand counts once.
    """

    place: int
    table_id: str
    first_piece: int
    last_piece: int


def _parts_of_tables(listed: str) -> Iterator[_TablePart]:
    """Parts of the pieces that were sealed when the operation began."""
    place = 0
    for line in listed.splitlines():
        pieces, _, table_id = line.partition(" ")
        for first in range(0, int(pieces), PIECES_IN_A_PART):
            place += 1
            yield _TablePart(place, table_id, max(0, first - 1), min(first + PIECES_IN_A_PART, int(pieces)) - 1)
