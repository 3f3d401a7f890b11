"""TableService: tables over gRPC. Every method checks shape and token, gives a command, and converts its result."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import grpc

from referee.kozel.state import Round
from referee.limits import ATTACH_WITHIN_MS, SPECTATORS_OF_A_TABLE
from referee.record import wire
from referee.record.notation.kozel import write_round
from referee.record.view import PUBLIC, review
from referee.rules.ruleset import RuleSetError
from referee.rules.settlement import settlement
from referee.rules.state import Hand
from referee.service.access import Access, refuse
from referee.service.errors import refuse_shape
from referee.service.paging import page
from referee.service.playing import Playing, holder_of
from referee.service.proposing import received
from referee.service.streams import Reader, View
from referee.store.sqlite import StoreError
from referee.table.happenings import Ruled, ruling_of
from referee.table.hub import Hub, UnknownTableError, seat_of_token, token_digest
from referee.table.items import answered_bytes
from referee.table.owner import (
    CursorError,
    OtherContentError,
    ProposalTooLargeError,
    SignatureError,
    StoppedError,
    TableOwner,
    TokenError,
    TooBusyError,
    awaited,
)
from referee.table.records import hand_record, poker_hand, reviewed_hand, round_record
from referee.table.seats import TableError
from referee.table.views import AUDITOR, table_state
from referee.v1 import kozel_pb2, table_pb2, table_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
ALL_OPEN_DECISIONS = 1 << 30
TABLE_SERVICE_NAME = table_pb2.DESCRIPTOR.services_by_name["TableService"].full_name

_STATUSES: dict[type[Exception], tuple[grpc.StatusCode, str]] = {
    TableError: (grpc.StatusCode.FAILED_PRECONDITION, "TABLE_DOES_NOT_ALLOW"),
    OtherContentError: (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_USED"),
    TooBusyError: (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY"),
    StoppedError: (grpc.StatusCode.UNAVAILABLE, "TABLE_STOPPED"),
    CursorError: (grpc.StatusCode.OUT_OF_RANGE, "CURSOR_UNKNOWN"),
    TokenError: (grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"),
    ProposalTooLargeError: (grpc.StatusCode.INVALID_ARGUMENT, "BAD_SHAPE"),
    SignatureError: (grpc.StatusCode.PERMISSION_DENIED, "SIGNATURE_WRONG"),
    StoreError: (grpc.StatusCode.UNAVAILABLE, "STORE_FAILED"),
    UnknownTableError: (grpc.StatusCode.NOT_FOUND, "NOT_FOUND"),
}


class TableService(table_pb2_grpc.TableServiceServicer):
    """Plays tables."""

    def __init__(self, hub: Hub, access: Access) -> None:
        self._hub = hub
        self._access = access
        self.readers: set[Reader] = set()
        """The streams that are open."""

    # --- tables and seats -------------------------------------------------------------------------------

    async def CreateTable(  # noqa: N802
        self, request: table_pb2.CreateTableRequest, context: Context
    ) -> table_pb2.CreateTableResponse:
        """Opens a table."""
        await self._access.require_host(context)
        await refuse_shape(context, request)
        try:
            table_id = await self._try(
                context, self._hub.open_table(request.request_id, _digest(request), request.config)
            )
        except RuleSetError as refused:
            return table_pb2.CreateTableResponse(refused={"rule": refused.rule, "message": refused.message})
        return table_pb2.CreateTableResponse(table_id=table_id)

    async def GetTable(  # noqa: N802
        self, request: table_pb2.GetTableRequest, context: Context
    ) -> table_pb2.GetTableResponse:
        """Returns how a table stands."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        state = await self._try(context, owner.read(lambda: table_state(owner.table)))
        for seat in state.seats:
            seat.attached = owner.audience.of_seat(seat.seat) is not None
        return table_pb2.GetTableResponse(table=state)

    async def ListTables(  # noqa: N802
        self, request: table_pb2.ListTablesRequest, context: Context
    ) -> table_pb2.ListTablesResponse:
        """Lists tables."""
        await refuse_shape(context, request)
        try:
            ids, token = page(self._hub.store.table_ids(), request.page_size, request.page_token)
        except ValueError:
            await refuse(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "not a page token of this list")
        states = []
        for table_id in ids:
            owner = await self._find(context, table_id)
            states.append(await self._try(context, owner.read(partial(table_state, owner.table))))
        return table_pb2.ListTablesResponse(tables=states, next_page_token=token)

    async def CloseTable(  # noqa: N802
        self, request: table_pb2.CloseTableRequest, context: Context
    ) -> table_pb2.CloseTableResponse:
        """Ends a table after the hand under way."""
        await self._access.require_host(context)
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        now = self._hub.time.now_ms
        await self._try(
            context,
            owner.run_once(request.request_id, _digest(request), lambda: owner.table.close(now()), lambda _: b""),
        )
        return table_pb2.CloseTableResponse()

    async def TakeSeat(  # noqa: N802
        self, request: table_pb2.TakeSeatRequest, context: Context
    ) -> table_pb2.TakeSeatResponse:
        """Takes a seat and returns its token."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        await self._require_host_if_private(context, owner)

        def take() -> int:
            table = owner.table
            free = [seat for seat in range(1, table.config.seats + 1) if seat not in table.seats]
            seat = request.seat or (free[0] if free else 0)
            digest = token_digest(self._hub.seat_token(request.table_id, request.request_id, seat))
            return table.take_seat(
                seat,
                request.name,
                digest,
                request.show_when_beaten,
                self._hub.time.now_ms(),
                request.public_key,
                request.commits_seed,
                request.posts,
            )

        # The answer that is stored has no token in it: the same request has the same token.
        told = await self._try(
            context, owner.run_once(request.request_id, _digest(request), take, lambda seat: bytes([seat]))
        )
        seat = told[0]
        token = self._hub.seat_token(request.table_id, request.request_id, seat)
        return table_pb2.TakeSeatResponse(seat=seat, seat_token=token)

    async def CommitSeed(  # noqa: N802
        self, request: table_pb2.CommitSeedRequest, context: Context
    ) -> table_pb2.CommitSeedResponse:
        """Commits a seat to a seed."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        await self._require_host_if_private(context, owner)

        def commit() -> None:
            seat = _held(owner, request.seat_token)
            owner.table.commit_seed(seat, request.commitment, self._hub.time.now_ms())

        await self._try(context, owner.run(commit))
        return table_pb2.CommitSeedResponse()

    async def RevealSeed(  # noqa: N802
        self, request: table_pb2.RevealSeedRequest, context: Context
    ) -> table_pb2.RevealSeedResponse:
        """Takes the seed that a seat committed to."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        await self._require_host_if_private(context, owner)

        def reveal() -> None:
            seat = _held(owner, request.seat_token)
            owner.table.reveal_seed(seat, request.seed, self._hub.time.now_ms())

        await self._try(context, owner.run(reveal))
        return table_pb2.RevealSeedResponse()

    async def LeaveSeat(  # noqa: N802
        self, request: table_pb2.LeaveSeatRequest, context: Context
    ) -> table_pb2.LeaveSeatResponse:
        """Leaves after the hand under way."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)

        def leave() -> None:
            owner.table.leave_seat(_held(owner, request.seat_token), self._hub.time.now_ms())

        await self._try(context, owner.run_once(request.request_id, _digest(request), leave, lambda _: b""))
        return table_pb2.LeaveSeatResponse()

    async def SitOut(  # noqa: N802
        self, request: table_pb2.SitOutRequest, context: Context
    ) -> table_pb2.SitOutResponse:
        """Sits out from the next hand on."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)

        def sit_out() -> None:
            owner.table.sit_out(_held(owner, request.seat_token))

        await self._try(context, owner.run_once(request.request_id, _digest(request), sit_out, lambda _: b""))
        return table_pb2.SitOutResponse()

    async def SitIn(  # noqa: N802
        self, request: table_pb2.SitInRequest, context: Context
    ) -> table_pb2.SitInResponse:
        """Plays again."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)

        def sit_in() -> None:
            owner.table.sit_in(_held(owner, request.seat_token), request.posts, self._hub.time.now_ms())

        await self._try(context, owner.run_once(request.request_id, _digest(request), sit_in, lambda _: b""))
        return table_pb2.SitInResponse()

    async def TopUp(  # noqa: N802
        self, request: table_pb2.TopUpRequest, context: Context
    ) -> table_pb2.TopUpResponse:
        """Has a stack filled up before the next hand."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)

        def top_up() -> None:
            owner.table.top_up(_held(owner, request.seat_token), request.to, self._hub.time.now_ms())

        await self._try(context, owner.run_once(request.request_id, _digest(request), top_up, lambda _: b""))
        return table_pb2.TopUpResponse()

    # --- playing ----------------------------------------------------------------------------------------

    async def SubmitAction(  # noqa: N802
        self, request: table_pb2.SubmitActionRequest, context: Context
    ) -> table_pb2.SubmitActionResponse:
        """Rules on one proposal."""
        received_ms = self._hub.time.now_ms()
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        seat = await self._seat(context, owner, request.seat_token)
        proposed = received(request.propose)
        game = owner.table.game.fields
        fault = proposed.fault(seat, game)
        if fault:
            await refuse(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_SHAPE", fault)
        one = await self._try(
            context,
            awaited(lambda done: proposed.post(owner, seat, holder_of(request.seat_token), received_ms, done)),
        )
        answered = answered_bytes(proposed.request_id, one.ruling, game.answered)
        return table_pb2.SubmitActionResponse(answered=table_pb2.Answered.FromString(answered))

    def stream_handlers(self) -> "dict[str, grpc.RpcMethodHandler[Any, Any]]":
        """The two methods that stream, to be found before the generated ones: they write bytes as they are."""
        return {
            "WatchTable": grpc.unary_stream_rpc_method_handler(
                self._watch_table, request_deserializer=table_pb2.WatchTableRequest.FromString
            ),
            "Play": grpc.stream_stream_rpc_method_handler(self._play),
        }

    async def _watch_table(self, request: table_pb2.WatchTableRequest, context: Context) -> None:
        """Streams one view of one table."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        if request.seat_token:
            viewer = await self._seat(context, owner, request.seat_token)
        else:
            viewer = AUDITOR if self._access.is_auditor(context) else PUBLIC
            await self._refuse_spectator_if_private(context, owner, viewer)
            if sum(one.viewer <= PUBLIC for one in owner.audience.subscribers) >= SPECTATORS_OF_A_TABLE:
                await refuse(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", "no more spectators")
        reader = Reader(self._hub.time, ALL_OPEN_DECISIONS)
        view = View(reader, owner, viewer, alone=True, holder=holder_of(request.seat_token))
        reader.on_cut_off = lambda: owner.unsubscribe(view)
        self.readers.add(reader)
        try:
            cursor = request.cursor if request.HasField("cursor") else None
            await self._try(context, owner.read(lambda: owner.subscribe(view, cursor)))
            await reader.write_all(context.write)
        finally:
            self.readers.discard(reader)
            view.leave()
            owner.unsubscribe(view)

    async def _play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Plays one or many seats over one stream."""
        reader = Reader(self._hub.time, 1)
        playing = Playing(self._hub, reader)
        reader.on_cut_off = playing.detach_all
        self.readers.add(reader)
        self._hub.time.call_at(self._hub.time.now_ms() + ATTACH_WITHIN_MS, playing.end_if_idle)
        reading = asyncio.create_task(playing.read_all(requests, context))
        reading.add_done_callback(lambda _: reader.end("", table_pb2.STREAM_END_REASON_DETACHED))
        try:
            await reader.write_all(context.write)
            if reading.done():
                await reading  # passes on the fault that ended it
        finally:
            self.readers.discard(reader)
            reading.cancel()
            playing.detach_all()

    def end_streams(self, reason: int) -> None:
        """Ends every stream, for when the server stops."""
        for reader in list(self.readers):
            reader.end("", reason)

    # --- finished hands ---------------------------------------------------------------------------------

    async def ReviewHand(  # noqa: N802
        self, request: table_pb2.ReviewHandRequest, context: Context
    ) -> table_pb2.ReviewHandResponse:
        """Returns a finished hand as the caller may see it."""
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        events, hand = await self._finished(context, owner, request.hand)
        viewer = PUBLIC
        if request.seat_token:
            # Who was dealt in may review, wherever he sits now; whoever else holds a seat reviews as anybody.
            was = seat_of_token(hand, request.seat_token)
            if was is None:
                await self._seat(context, owner, request.seat_token)
            else:
                viewer = was
        await self._refuse_spectator_if_private(context, owner, viewer)
        state = hand.hand
        reviewed = review(state, viewer) if isinstance(state, Hand) else {}
        return table_pb2.ReviewHandResponse(
            events=owner.seen_events(viewer, events, hand.seats),
            hands=[table_pb2.ReviewedHand(seat=seat, cards=wire.card_texts(kept)) for seat, kept in reviewed.items()],
        )

    async def GetHandRecord(  # noqa: N802
        self, request: table_pb2.GetHandRecordRequest, context: Context
    ) -> table_pb2.GetHandRecordResponse:
        """Returns a finished hand whole."""
        await self._access.require_auditor(context)
        await refuse_shape(context, request)
        owner = await self._find(context, request.table_id)
        events, table = await self._finished(context, owner, request.hand)
        happened = [one.happening for one in events]
        response = table_pb2.GetHandRecordResponse(
            events=owner.seen_events(AUDITOR, events),
            proposals=[_recorded(one) for one in happened if isinstance(one, Ruled)],
        )
        if isinstance(table.hand, Round):
            response.kozel_round = write_round(round_record(table, happened))
        else:
            response.record.CopyFrom(wire.record_message(hand_record(table, happened)))
            response.settlement.CopyFrom(wire.settlement_message(settlement(poker_hand(table))))
        return response

    async def _finished(self, context: Context, owner: TableOwner, hand: int) -> Any:
        events = await self._try(context, owner.read(lambda: owner.stored(hand, hand)))
        table = reviewed_hand(owner.table_id, owner.table.config, owner.table.decks, [one.happening for one in events])
        if table is None:
            await refuse(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"hand {hand} has not been finished")
        return events, table

    # --- helpers ----------------------------------------------------------------------------------------

    async def _find(self, context: Context, table_id: str) -> TableOwner:
        try:
            return self._hub.find(table_id)
        except UnknownTableError:
            await refuse(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"there is no table {table_id!r}")
        except StoreError as failed:
            await refuse(context, grpc.StatusCode.UNAVAILABLE, "STORE_FAILED", str(failed))

    async def _require_host_if_private(self, context: Context, owner: TableOwner) -> None:
        if owner.table.config.private_table:
            await self._access.require_host(context)

    async def _refuse_spectator_if_private(self, context: Context, owner: TableOwner, viewer: int) -> None:
        if viewer == PUBLIC and owner.table.config.private_table:
            message = "the hands of this table are seen by its seats and the auditor only"
            await refuse(context, grpc.StatusCode.PERMISSION_DENIED, "TABLE_PRIVATE", message)

    async def _seat(self, context: Context, owner: TableOwner, token: str) -> int:
        seat = seat_of_token(owner.table, token)
        if seat is None:
            await refuse(
                context, grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG", "no seat of this table has this token"
            )
        return seat

    async def _try(self, context: Context, waiting: Any) -> Any:
        try:
            return await waiting
        except tuple(_STATUSES) as failure:
            code, reason = _STATUSES[type(failure)]
            await refuse(context, code, reason, str(failure))


def _held(owner: TableOwner, token: str) -> int:
    """The seat of a token; raises TokenError when it is no seat's of this table."""
    seat = seat_of_token(owner.table, token)
    if seat is None:
        raise TokenError("no seat of this table has this token")
    return seat


def _recorded(one: Ruled) -> table_pb2.RecordedProposal:
    ruling = ruling_of(one)
    told = table_pb2.RecordedProposal(
        request_id=one.request_id, received_unix_ms=one.received_ms, accepted=one.accepted, rule=ruling.rule
    )
    if isinstance(ruling, kozel_pb2.KozelRuling):
        told.kozel.MergeFromString(one.proposal)
        told.kozel_reason = ruling.reason
    else:
        told.proposal.MergeFromString(one.proposal)
        told.reason = ruling.reason
    return told


def _digest(request: Any) -> bytes:
    return hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
