"""The reading half of a Play stream."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from referee.limits import ITEMS_A_SECOND_FROM_A_STREAM, TABLES_ON_A_STREAM
from referee.service.errors import refuse_shape
from referee.service.proposing import Received, plain_proposals, received
from referee.service.streams import Reader, View
from referee.store.sqlite import StoreError
from referee.table.fields import GameFields
from referee.table.happenings import Ruled
from referee.table.hub import Hub, UnknownTableError, seat_of_token, token_digest
from referee.table.items import answered_bytes, answered_item, end_item, table_field
from referee.table.owner import CursorError, OtherContentError, StoppedError, TooBusyError
from referee.table.seats import TableError
from referee.v1 import hand_pb2, table_pb2

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
        async for written in requests:
            received_ms = self._hub.time.now_ms()
            request = table_pb2.PlayRequest.FromString(written)
            plain = plain_proposals(request)
            if plain is None:
                await refuse_shape(context, request)
            if first:
                self._reader.max_open = request.max_open_decisions or 1
                first = False
            if self._floods(received_ms, len(request.items)):
                self._reader.end("", table_pb2.STREAM_END_REASON_FLOODING)
                return
            if plain is not None:
                for table_id, proposed in plain:
                    self._propose(table_id, proposed, received_ms)
                continue
            for item in request.items:
                match item.WhichOneof("item"):
                    case "propose":
                        self._propose(item.table_id, received(item.propose), received_ms)
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

    def _propose(self, table_id: str, proposed: Received, received_ms: int) -> None:
        view = self._views.get(table_id)
        if view is None or view.ended:
            self._reader.put([end_item(table_id, table_pb2.STREAM_END_REASON_NOT_ALLOWED)])
            return
        owner, reader, request_id = view.owner, self._reader, proposed.request_id
        if not view.proposes():
            self._cut_off(view)
            return

        game = owner.table.game.fields
        fault = proposed.fault(view.viewer, game)
        if fault:
            reader.put([_refused_item(table_id, game, request_id, fault)])
            return

        def done(one: Ruled | None, failure: Exception | None) -> None:
            if one is not None:
                answered = answered_item(
                    owner.audience.table_field, answered_bytes(request_id, one.ruling, game.answered)
                )
                if one.accepted:
                    reader.put_in_time([answered])
                else:
                    reader.put([answered])
            elif isinstance(failure, OtherContentError):
                reader.put([_refused_item(table_id, game, request_id, "the request id was used with other content")])
            elif isinstance(failure, TableError):
                reader.put([_refused_item(table_id, game, request_id, str(failure))])

        try:
            proposed.post(owner, view.viewer, view.holder, received_ms, done)
        except TableError as closed:
            reader.put([_refused_item(table_id, game, request_id, str(closed))])
        except StoppedError:
            pass  # the stream is being told why
        except TooBusyError:
            self._cut_off(view)

    def _cut_off(self, view: View) -> None:
        view.end(table_pb2.STREAM_END_REASON_FLOODING)
        self._detach(view.owner.table_id, say=False)


def _refused_item(table_id: str, game: GameFields, request_id: str, message: str) -> bytes:
    # Rulings of all games have rule and message in the same fields.
    ruling = hand_pb2.Ruling(accepted=False, rule="BET-9", message=message)
    return answered_item(table_field(table_id), answered_bytes(request_id, ruling.SerializeToString(), game.answered))


def holder_of(seat_token: str) -> bytes:
    """What is kept of a seat's token; empty for none."""
    return token_digest(seat_token) if seat_token else b""
