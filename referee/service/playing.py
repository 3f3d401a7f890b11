"""The reading half of a Play stream, and how a proposal comes to its table."""

from collections.abc import AsyncIterator
from typing import Any, Final

import grpc

from referee.limits import (
    HAND_ID_LETTERS,
    ITEMS_A_SECOND_FROM_A_STREAM,
    ITEMS_IN_A_PLAY_REQUEST,
    REQUEST_ID_LETTERS,
    TABLE_ID_LETTERS,
    TABLES_ON_A_STREAM,
)
from referee.record import wire
from referee.record.signed_proposals import SIGNATURE_BYTES
from referee.service.errors import refuse_shape
from referee.service.streams import Reader, View
from referee.store.sqlite import StoreError
from referee.table.happenings import Ruled
from referee.table.hub import Hub, UnknownTableError, seat_of_token, token_digest
from referee.table.items import answered_bytes, answered_item, end_item, table_field
from referee.table.owner import CursorError, Done, OtherContentError, StoppedError, TableOwner, TooBusyError
from referee.table.table import TableError
from referee.v1 import hand_pb2, table_pb2

_WITHOUT_CARDS: Final = ("fold", "check", "call", "bet", "raise")

Context = grpc.aio.ServicerContext[Any, Any]


class Playing:
    """The reading half of a Play stream: attaches seats and gives their proposals to the tables."""

    def __init__(self, hub: Hub, reader: Reader) -> None:
        self._hub = hub
        self._reader = reader
        self._views: dict[str, View] = {}
        self._has_attached = False
        self._second = 0
        self._items_this_second = 0

    async def read_all(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Reads until the client has no more to say; raises DecodeError for bytes that are no message."""
        first = True
        async for received in requests:
            received_ms = self._hub.time.now_ms()
            request = table_pb2.PlayRequest.FromString(received)
            if not is_plainly_shaped(request):
                await refuse_shape(context, request)
            if first:
                self._reader.max_open = request.max_open_decisions or 1
                first = False
            if self._floods(received_ms, len(request.items)):
                self._reader.end("", table_pb2.STREAM_END_REASON_FLOODING)
                return
            for item in request.items:
                match item.WhichOneof("item"):
                    case "propose":
                        self._propose(item.table_id, item.propose, received_ms)
                    case "attach":
                        self._attach(item.table_id, item.attach)
                    case _:
                        self._detach(item.table_id)

    def _floods(self, now_ms: int, items: int) -> bool:
        if now_ms // 1000 != self._second:
            self._second, self._items_this_second = now_ms // 1000, 0
        self._items_this_second += items
        return self._items_this_second > ITEMS_A_SECOND_FROM_A_STREAM

    def _attach(self, table_id: str, attach: table_pb2.Attach) -> None:
        self._detach(table_id, say=False)
        try:
            owner = self._hub.find(table_id)
        except UnknownTableError:
            owner = None
        except StoreError:
            self._reader.put([end_item(table_id, table_pb2.STREAM_END_REASON_STORE_FAILED)])
            return
        seat = None if owner is None else seat_of_token(owner.table, attach.seat_token)
        if owner is None or seat is None or len(self._views) >= TABLES_ON_A_STREAM:
            self._reader.put([end_item(table_id, table_pb2.STREAM_END_REASON_NOT_ALLOWED)])
            return
        view = View(self._reader, owner, seat, alone=False, holder=holder_of(attach.seat_token))
        self._views[table_id] = view
        self._has_attached = True
        cursor = attach.cursor if attach.HasField("cursor") else None

        def done(_result: object, failure: Exception | None) -> None:
            if isinstance(failure, CursorError):
                view.end(table_pb2.STREAM_END_REASON_CURSOR_UNKNOWN)
            elif failure is not None:
                view.end(table_pb2.STREAM_END_REASON_STORE_FAILED)

        # Not waited for: what comes after it in the stream keeps the moment at which it came.
        try:
            owner.post_read(lambda: owner.subscribe(view, cursor), done)
        except StoppedError:
            view.end(table_pb2.STREAM_END_REASON_SERVER_DRAINING)
        except (TableError, TooBusyError):
            view.end(table_pb2.STREAM_END_REASON_NOT_ALLOWED)
        except CursorError:
            view.end(table_pb2.STREAM_END_REASON_CURSOR_UNKNOWN)

    def _detach(self, table_id: str, say: bool = True) -> None:
        view = self._views.pop(table_id, None)
        if view is not None:
            view.owner.unsubscribe(view)
            if say:
                view.end(table_pb2.STREAM_END_REASON_DETACHED)
            else:
                view.leave()

    def end_if_idle(self) -> None:
        """Ends a stream on which nothing was attached in good time, so that it takes nobody's place."""
        if not self._has_attached:
            self._reader.end("", table_pb2.STREAM_END_REASON_NOT_ALLOWED)

    def detach_all(self) -> None:
        """Ends every view when the stream is over."""
        for table_id in list(self._views):
            self._detach(table_id, say=False)

    def _propose(self, table_id: str, propose: table_pb2.Propose, received_ms: int) -> None:
        view = self._views.get(table_id)
        if view is None or view.ended:
            self._reader.put([end_item(table_id, table_pb2.STREAM_END_REASON_NOT_ALLOWED)])
            return
        owner, seat, reader = view.owner, view.viewer, self._reader
        if not view.proposes():
            self._cut_off(view)
            return

        fault = propose_fault(propose, seat)
        if fault:
            reader.put([_refused_item(table_id, propose.request_id, fault)])
            return

        def done(one: Ruled | None, failure: Exception | None) -> None:
            if one is not None:
                answered = answered_bytes(propose.request_id, one.ruling)
                reader.put([answered_item(table_field(table_id), answered)])
            elif isinstance(failure, OtherContentError):
                reader.put([_refused_item(table_id, propose.request_id, "the request id was used with other content")])
            elif isinstance(failure, TableError):
                reader.put([_refused_item(table_id, propose.request_id, str(failure))])

        try:
            post_proposal(owner, seat, view.holder, propose, received_ms, done)
        except TableError as closed:
            reader.put([_refused_item(table_id, propose.request_id, str(closed))])
        except StoppedError:
            pass  # the stream is being told why
        except TooBusyError:
            self._cut_off(view)

    def _cut_off(self, view: View) -> None:
        view.end(table_pb2.STREAM_END_REASON_FLOODING)
        self._detach(view.owner.table_id, say=False)


def is_plainly_shaped(request: table_pb2.PlayRequest) -> bool:
    """Whether a request is nothing but proposals that obviously have the contract's shape, as nearly all are.

    It says so of none that protovalidate would refuse; whatever else it does not say so of is left to protovalidate.
    """
    items = request.items
    if request.max_open_decisions or not 0 < len(items) <= ITEMS_IN_A_PLAY_REQUEST:
        return False
    for item in items:
        if item.WhichOneof("item") != "propose" or not 0 < len(item.table_id) <= TABLE_ID_LETTERS:
            return False
        propose = item.propose
        if not 0 < len(propose.request_id) <= REQUEST_ID_LETTERS or len(propose.signature) > SIGNATURE_BYTES:
            return False
        proposal = propose.proposal
        if len(proposal.hand_id) > HAND_ID_LETTERS or proposal.action.WhichOneof("action") not in _WITHOUT_CARDS:
            return False
    return True


def post_proposal(
    owner: TableOwner, seat: int, holder: bytes, propose: table_pb2.Propose, received_ms: int, done: Done
) -> None:
    """Gives a seat's proposal to its table."""
    proposal = wire.proposal_of(propose.proposal, seat)
    received = propose.proposal.SerializeToString()
    owner.post_proposal(proposal, propose.request_id, received, received_ms, holder, done, propose.signature)


def propose_fault(propose: table_pb2.Propose, seat: int) -> str:
    """What a proposal lacks that only a live table needs (BET-9); empty when nothing."""
    proposal = propose.proposal
    if proposal.seat not in (0, seat):
        return f"proposal.seat: the token is that of seat {seat}"
    if proposal.action.WhichOneof("action") == "timeout":
        return "proposal.action: only the clock says that time is over (TIME-1)"
    if proposal.action.WhichOneof("action") == "show":
        return "" if proposal.hand_id else "proposal.hand_id: a live table needs it"
    if not proposal.hand_id or proposal.decision_id == 0:
        return "proposal.hand_id, proposal.decision_id: a live table needs both"
    return ""


def _refused_item(table_id: str, request_id: str, message: str) -> bytes:
    ruling = hand_pb2.Ruling(accepted=False, rule="BET-9", message=message)
    return answered_item(table_field(table_id), answered_bytes(request_id, ruling.SerializeToString()))


def holder_of(seat_token: str) -> bytes:
    """What is kept of a seat's token; empty for none."""
    return token_digest(seat_token) if seat_token else b""
