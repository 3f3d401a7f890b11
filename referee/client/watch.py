"""The simple way to play: a stream that is only read (WatchTable) and one call for each answer (SubmitAction)."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc

from referee.client.asking import AnyBot, ask
from referee.client.connecting import (
    SILENCE_S,
    Backoff,
    Retry,
    Seat,
    Server,
    Silence,
    Sleep,
    as_seat,
    close_gently,
    heard,
    is_lost,
    may_be_tried_again,
    server_at,
)
from referee.client.follower import (
    DEFAULT_REFUSALS,
    Ask,
    Follower,
    Gap,
    Interrupted,
    OnHandOver,
    OnRefused,
    Outcome,
    Played,
    Reveal,
    Send,
)
from referee.client.tables import CALL_S, leave_if_seated, reveal_seed
from referee.v1 import table_pb2, table_pb2_grpc


async def play_watching(
    target: str | Server,
    bot: AnyBot,
    seat: Seat | tuple[str, str],
    *,
    hands: int = 0,
    max_refusals: int = DEFAULT_REFUSALS,
    on_refused: OnRefused | None = None,
    on_hand_over: OnHandOver | None = None,
    backoff: Backoff | None = None,
    silence_s: float = SILENCE_S,
    sleep: Sleep = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Played:
    """Plays one seat until it ends; the same bot, the same decisions and the same arguments as ``play``.

    Slower than a ``Play`` stream, and easy to write again in any language.
    """
    seat = as_seat(seat)
    follower = Follower(
        seat.table_id,
        seat.seat_token,
        clock,
        max_refusals,
        on_refused,
        on_hand_over,
        first_hand=seat.hand,
        seed=seat.seed,
    )
    server, retry = server_at(target), Retry(backoff, sleep)
    while True:
        before, moved = follower.snapshots, follower.events
        watching = _Watching(server, follower, bot, hands, retry.anew(), silence_s)
        lost: BaseException | None = None
        try:
            await watching.run()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # from here, not from the server, which a stream that it cancels looks like
        except grpc.aio.AioRpcError as error:
            if not _is_worth_a_try(error.code(), follower) and not is_lost(error):
                raise
            lost = error
        except (Gap, Silence) as error:
            lost = error
        if follower.over:
            return follower.played
        await retry.wait(lost, follower.snapshots > before, follower.events > moved)


def _is_worth_a_try(code: grpc.StatusCode, follower: Follower) -> bool:
    """Whether a table that could not be watched may be so from another place, or a little later."""
    if code is grpc.StatusCode.OUT_OF_RANGE:
        return follower.forget_cursor()
    return code is grpc.StatusCode.FAILED_PRECONDITION and follower.was_not_allowed()


class _Watching:
    """One watching stream, from its beginning to its end."""

    def __init__(
        self, server: Server, follower: Follower, bot: AnyBot, hands: int, retry: Retry, silence_s: float
    ) -> None:
        self._server = server
        self._follower = follower
        self._bot = bot
        self._hands = hands
        self._retry = retry
        self._silence_s = silence_s
        self._interrupted = False
        self._left = False

    async def run(self) -> None:
        follower = self._follower
        async with self._server.channel() as channel:
            stub: Any = table_pb2_grpc.TableServiceStub(channel)
            request = table_pb2.WatchTableRequest(
                table_id=follower.table_id, seat_token=follower.seat_token, cursor=follower.cursor
            )
            stream = stub.WatchTable(request)
            try:
                while True:
                    response = await heard(stream, self._silence_s)
                    if response is grpc.aio.EOF:
                        return
                    for item in response.items:
                        await self._take(stub, item)
                        if self._left or self._interrupted:
                            return
                        if follower.over:
                            await close_gently(stream, writes=False)
                            return
            finally:
                stream.cancel()

    async def _take(self, stub: Any, item: table_pb2.PlayResponseItem) -> None:
        waiting = self._follower.receive(item)
        while waiting:
            propose = await self._proposal(waiting.pop(0))
            answered = None if propose is None else await self._submit(stub, propose)
            if answered is not None:
                waiting.extend(self._follower.receive(table_pb2.PlayResponseItem(answered=answered)))
        if self._hands and self._follower.played.hands >= self._hands and not self._follower.over:
            seat = (self._follower.table_id, self._follower.seat_token)
            await leave_if_seated(self._server, seat, self._retry)
            self._follower.end(table_pb2.STREAM_END_REASON_DETACHED)
            self._left = True

    async def _proposal(self, outcome: Outcome) -> table_pb2.Propose | None:
        match outcome:
            case Send(propose):
                return propose
            case Ask(decision):
                return self._follower.answer(decision, await ask(self._bot, decision))
            case Reveal(seed):
                seat = (self._follower.table_id, self._follower.seat_token)
                await reveal_seed(self._server, seat, seed, self._retry)
                return None
            case Interrupted():
                self._interrupted = True
                return None
            case _:
                return None

    async def _submit(self, stub: Any, propose: table_pb2.Propose) -> table_pb2.Answered | None:
        """Sends an answer until it is acknowledged, always under the same request id.

        None when the table takes none now: it is stopping, or has ended, which a new stream will tell.
        """
        follower = self._follower
        request = table_pb2.SubmitActionRequest(
            table_id=follower.table_id, seat_token=follower.seat_token, propose=propose
        )
        while True:
            try:
                response: table_pb2.SubmitActionResponse = await stub.SubmitAction(request, timeout=CALL_S)
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.FAILED_PRECONDITION:
                    self._interrupted = True
                    return None
                if not may_be_tried_again(error):
                    raise
                await self._retry.wait(error)
            else:
                return response.answered
