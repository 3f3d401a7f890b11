"""AuditService: disputes, bundles and long audits over gRPC. Whatever takes long runs in worker processes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NoReturn, TypeVar

import grpc

from referee.audit.answer import Claim, ClaimError
from referee.audit.disputes import dispute_record
from referee.audit.exporting import ExportView, NoSeatError, TooLargeError, WantedPieces
from referee.audit.messages import report_message
from referee.audit.operations import (
    Operations,
    OtherContentError,
    TooManyOperationsError,
    UnknownTableError,
)
from referee.audit.redaction import RedactionError
from referee.audit.report import Report
from referee.audit.workers import WorkerPool
from referee.dealing.items import CARDS, TILES
from referee.kozel.state import Round
from referee.limits import (
    BUNDLE_BYTES,
    BUNDLE_UPLOAD_SECONDS,
    BUNDLES_RECEIVED_AT_ONCE,
    BUNDLES_VERIFIED_AT_ONCE,
    DEFAULT_PAGE_ITEMS,
    EXPORTS_AT_ONCE,
)
from referee.record.hand_record import NotationError
from referee.record.log.errors import KeyFormatError
from referee.record.notation import GameRecord, read_text
from referee.record.rule_sets import find_any_rule_set
from referee.record.view import PUBLIC
from referee.service.access import Access
from referee.service.audit_messages import dispute_message, operation_message, unreadable_message
from referee.service.errors import abort, refuse_shape
from referee.service.exports import Exports, fair_decks, opened_decks
from referee.store.sqlite import StoreError
from referee.table import hub as hubs
from referee.table.hub import Hub, seat_of_token, token_digest
from referee.table.owner import TableOwner
from referee.table.records import reviewed_hand
from referee.table.views import AUDITOR
from referee.v1 import audit_pb2, audit_pb2_grpc, record_pb2

Context = grpc.aio.ServicerContext[Any, Any]
Result = TypeVar("Result")

PART_BYTES: Final = 1024 * 1024
"""Bytes of one part of an exported bundle."""

LATEST_MOMENT: Final = 2**62

AUDIT_SERVICE_NAME = audit_pb2.DESCRIPTOR.services_by_name["AuditService"].full_name


@dataclass(frozen=True)
class Records:
    """The tables of a server, and its audits."""

    hub: Hub
    access: Access
    operations: Operations
    exports: Exports


class AuditService(audit_pb2_grpc.AuditServiceServicer):
    """Settles disputes, verifies bundles, and runs long audits; without a store only what needs none."""

    def __init__(self, pool: WorkerPool, records: Records | None = None) -> None:
        self._pool = pool
        self._records = records
        self._receiving: set[object] = set()
        self._verifying: set[object] = set()
        self._exporting: set[object] = set()

    async def JudgeDispute(  # noqa: N802
        self, request: audit_pb2.JudgeDisputeRequest, context: Context
    ) -> audit_pb2.JudgeDisputeResponse:
        """Judges a foreign record with a claimed outcome."""
        await refuse_shape(context, request)
        try:
            record = _record(request)
        except NotationError as unreadable:
            return unreadable_message(unreadable.line, unreadable.expected)
        except KeyError as unknown:
            await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", unknown.args[0])
        try:
            answer = dispute_record(record, [Claim(one.player, one.net) for one in request.claims])
        except ClaimError as error:
            await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_CLAIM", str(error))
        return dispute_message(answer, request.with_report)

    async def VerifyBundle(  # noqa: N802
        self, request_iterator: AsyncIterator[audit_pb2.VerifyBundleRequest], context: Context
    ) -> audit_pb2.VerifyBundleResponse:
        """Verifies a bundle file sent in parts."""
        async with self._one_of(self._receiving, BUNDLES_RECEIVED_AT_ONCE, "bundles are being received", context):
            try:
                async with asyncio.timeout(BUNDLE_UPLOAD_SECONDS):
                    first, data = await self._received(request_iterator, context)
            except TimeoutError:
                said = f"no whole bundle within {BUNDLE_UPLOAD_SECONDS} s"
                await abort(context, grpc.StatusCode.DEADLINE_EXCEEDED, "TOO_SLOW", said)
        keys, witnesses = tuple(first.keys), tuple(first.witness_keys)
        async with self._one_of(self._verifying, BUNDLES_VERIFIED_AT_ONCE, "bundles are being verified", context):
            try:
                report = await self._worked(context, verified, data, keys, witnesses, first.quorum)
            except KeyFormatError as error:
                await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_KEY", str(error))
        return report_message(report)

    @asynccontextmanager
    async def _one_of(self, running: set[object], most: int, what: str, context: Context) -> AsyncIterator[None]:
        """Counts a call among those that run, and ends it when there are as many as there may be."""
        if len(running) >= most:
            await abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", f"{most} {what}")
        mark = object()
        running.add(mark)
        try:
            yield
        finally:
            running.discard(mark)

    async def _worked(self, context: Context, call: Callable[..., Result], *arguments: object) -> Result:
        """Calls in a worker; ends the call when the worker was killed meanwhile."""
        try:
            return await self._pool.run(call, *arguments)
        except BrokenProcessPool:
            await abort(context, grpc.StatusCode.UNAVAILABLE, "WORKER_LOST", "a worker was lost; try again")

    async def _received(
        self, requests: AsyncIterator[audit_pb2.VerifyBundleRequest], context: Context
    ) -> tuple[audit_pb2.VerifyBundleRequest, bytes]:
        """A bundle file that is sent in parts, and the first of them, which names the keys."""
        first: audit_pb2.VerifyBundleRequest | None = None
        data = bytearray()
        async for request in requests:
            await refuse_shape(context, request)
            if first is None:
                first = request
            elif request.keys or request.witness_keys or request.quorum:
                said = "keys and quorum are told in the first part"
                await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_SHAPE", said)
            data += request.data
            if len(data) > BUNDLE_BYTES:
                said = f"a bundle of more than {BUNDLE_BYTES} bytes"
                await abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "BUNDLE_TOO_LARGE", said)
        return first or audit_pb2.VerifyBundleRequest(), bytes(data)

    async def StartAudit(  # noqa: N802
        self, request: audit_pb2.StartAuditRequest, context: Context
    ) -> audit_pb2.StartAuditResponse:
        """Begins a long audit."""
        operations = await self._auditors(context)
        await refuse_shape(context, request)
        digest = sha256(request.SerializeToString(deterministic=True)).digest()
        now = (await self._kept(context)).hub.time.now_ms()
        try:
            if request.WhichOneof("source") == "text":
                operation = operations.begin_text(request.request_id, digest, request.text, now)
            else:
                operation = operations.begin_tables(request.request_id, digest, list(request.tables.table_ids), now)
        except OtherContentError as error:
            await abort(context, grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_USED", str(error))
        except TooManyOperationsError as error:
            await abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", str(error))
        except UnknownTableError as error:
            said = f"there is no table {str(error)!r} with sealed pieces"
            await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", said)
        return audit_pb2.StartAuditResponse(operation=operation_message(operation))

    async def GetOperation(  # noqa: N802
        self, request: audit_pb2.GetOperationRequest, context: Context
    ) -> audit_pb2.GetOperationResponse:
        """Returns how an operation stands."""
        operations = await self._auditors(context)
        await refuse_shape(context, request)
        operation = operations.find(request.operation_id)
        if operation is None:
            await self._no_operation(context, request.operation_id)
        return audit_pb2.GetOperationResponse(operation=operation_message(operation))

    async def ListOperations(  # noqa: N802
        self, request: audit_pb2.ListOperationsRequest, context: Context
    ) -> audit_pb2.ListOperationsResponse:
        """Lists operations, the newest first."""
        operations = await self._auditors(context)
        await refuse_shape(context, request)
        token = request.page_token
        if token and not (token.isascii() and token.isdecimal() and 0 < int(token) < 1 << 62):
            said = "not a page token of this list"
            await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", said)
        size = request.page_size or DEFAULT_PAGE_ITEMS
        found = operations.newest(size + 1, int(token) if token else None)
        # A page goes on below the number of its last operation, so that new ones move nothing.
        return audit_pb2.ListOperationsResponse(
            operations=[operation_message(operation) for operation in found[:size]],
            next_page_token=str(found[size - 1].number) if len(found) > size else "",
        )

    async def CancelOperation(  # noqa: N802
        self, request: audit_pb2.CancelOperationRequest, context: Context
    ) -> audit_pb2.CancelOperationResponse:
        """Ends an operation."""
        operations = await self._auditors(context)
        await refuse_shape(context, request)
        operation = operations.cancel(request.operation_id)
        if operation is None:
            await self._no_operation(context, request.operation_id)
        return audit_pb2.CancelOperationResponse(operation=operation_message(operation))

    # --- the server's own records -----------------------------------------------------------------------

    async def ExportBundle(self, request: audit_pb2.ExportBundleRequest, context: Context) -> None:  # noqa: N802
        """Returns pieces of a table's record, or of a day's tables, as the bytes of a bundle file."""
        records = await self._kept(context)
        await refuse_shape(context, request)
        if request.table_id:
            owner = await self._find(records.hub, request.table_id, context)
            pieces = records.exports.sealed_pieces(request.table_id)
            last = min(request.last_hand or pieces, pieces - 1)
            wanted = [WantedPieces(request.table_id, tuple(range(request.first_hand, last + 1)))]
        else:
            # Looking through everything is not for whoever comes along.
            await records.access.require_auditor(context)
            owner = None
            until = request.until_unix_ms or LATEST_MOMENT
            wanted = records.exports.sealed_between(request.from_unix_ms, until)
        view = await self._view(records, owner, request, context)
        async with self._one_of(self._exporting, EXPORTS_AT_ONCE, "bundles are being exported", context):
            await self._export(records, wanted, view, context)

    async def _export(self, records: Records, wanted: list[WantedPieces], view: ExportView, context: Context) -> None:
        try:
            data = await records.exports.file(wanted, view)
        except BrokenProcessPool:
            await abort(context, grpc.StatusCode.UNAVAILABLE, "WORKER_LOST", "a worker was lost; try again")
        except StoreError as error:
            await abort(context, grpc.StatusCode.UNAVAILABLE, "STORE_FAILED", str(error))
        except NoSeatError as error:
            await abort(context, grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG", str(error))
        except TooLargeError as error:
            await abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "BUNDLE_TOO_LARGE", str(error))
        except RedactionError as error:
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "NOT_FOR_THIS_VIEW", str(error))
        for at in range(0, len(data), PART_BYTES):
            await context.write(audit_pb2.ExportBundleResponse(data=data[at : at + PART_BYTES]))

    async def _view(
        self, records: Records, owner: TableOwner | None, request: audit_pb2.ExportBundleRequest, context: Context
    ) -> ExportView:
        """As whom a bundle is exported: as asked, or as much as the caller may see; ends the call where he may not."""
        wanted = request.view
        if not wanted:
            is_auditor = records.access.is_auditor(context) and not request.seat_token
            alone = record_pb2.BUNDLE_VIEW_AUDITOR if is_auditor else record_pb2.BUNDLE_VIEW_PUBLIC
            wanted = record_pb2.BUNDLE_VIEW_SEAT if request.seat_token else alone
        if wanted == record_pb2.BUNDLE_VIEW_AUDITOR:
            await records.access.require_auditor(context)
        if wanted != record_pb2.BUNDLE_VIEW_SEAT:
            return ExportView(wanted)
        if owner is None or not request.seat_token:
            said = "a seat's view is of one table, and needs the token of one of its seats"
            await abort(context, grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG", said)
        return ExportView(wanted, seat_of_token(owner.table, request.seat_token) or 0, token_digest(request.seat_token))

    async def GetOpenings(  # noqa: N802
        self, request: audit_pb2.GetOpeningsRequest, context: Context
    ) -> audit_pb2.GetOpeningsResponse:
        """Opens the cards of a finished hand that the caller may see against the root of its deck."""
        records = await self._kept(context)
        await refuse_shape(context, request)
        owner = await self._find(records.hub, request.table_id, context)
        events = [one.happening for one in await owner.read(lambda: owner.stored(request.hand, request.hand))]
        table = reviewed_hand(request.table_id, owner.table.config, owner.table.decks, events)
        if table is None:
            said = f"hand {request.hand} has not been finished"
            await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", said)
        decks = fair_decks(owner.table)
        if decks is None:
            said = "the decks of this table were given, and have no root"
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "NO_DECK_ROOT", said)
        viewer = AUDITOR if records.access.is_auditor(context) else PUBLIC
        if request.seat_token:
            seat = seat_of_token(table, request.seat_token)
            if seat is None:
                said = "no seat of this hand had this token"
                await abort(context, grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG", said)
            viewer = seat
        opened = opened_decks(table, decks, request.hand, events, viewer)
        of_kozel = isinstance(table.hand, Round)
        roots = [one.deck.root for one in opened]
        texts = TILES if of_kozel else CARDS
        return audit_pb2.GetOpeningsResponse(
            deck_root=b"" if of_kozel else roots[0],
            deck_roots=roots if of_kozel else (),
            cards=[
                audit_pb2.OpenedCard(
                    position=one.position, card=texts[one.item], salt=one.salt, path=one.path, redeal=redeal
                )
                for redeal, of_deck in enumerate(opened)
                for one in of_deck.opened
            ],
        )

    # --- helpers ----------------------------------------------------------------------------------------

    async def _find(self, hub: Hub, table_id: str, context: Context) -> TableOwner:
        try:
            return hub.find(table_id)
        except hubs.UnknownTableError:
            await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"there is no table {table_id!r}")
        except StoreError as error:
            await abort(context, grpc.StatusCode.UNAVAILABLE, "STORE_FAILED", str(error))

    async def _kept(self, context: Context) -> Records:
        """The server's tables and audits; ends the call at a server that has none."""
        if self._records is None:
            said = "this server keeps no tables and no operations"
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "NO_STORE", said)
        return self._records

    async def _auditors(self, context: Context) -> Operations:
        """The operations, for a call that shows the auditor's token."""
        records = await self._kept(context)
        await records.access.require_auditor(context)
        return records.operations

    async def _no_operation(self, context: Context, operation_id: str) -> NoReturn:
        await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"there is no operation {operation_id!r}")


def _record(request: audit_pb2.JudgeDisputeRequest) -> GameRecord:
    rules = find_any_rule_set(request.rule_set_name) if request.rule_set_name else None
    source = request.source or "text"
    found = list(islice(read_text(request.text, source, rules), 2))
    if isinstance(found[0], NotationError):
        raise found[0]
    if len(found) > 1:
        raise NotationError(source, 1, "one hand is expected; StartAudit takes many")
    return found[0]


def verified(data: bytes, keys: tuple[str, ...], witness_keys: tuple[str, ...], quorum: int) -> Report:
    """Verifies a bundle, in a worker. Raises KeyFormatError for a key that is none."""
    from referee.audit.trust import trust_in
    from referee.audit.verify import verify_bundle

    return verify_bundle(data, trust_in(keys, witness_keys), quorum)
