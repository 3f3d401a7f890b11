"""The asynchronous client: a bot plays one or many tables over one bidirectional stream, and table calls.

Every call is cancelled explicitly when it is left: an abandoned ``grpc.aio`` stream is never collected.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import grpc

from referee.client.asking import PROPOSALS, AnyBot, AnyDecision, AnyProposal, checked_answer
from referee.client.connecting import (
    SILENCE_S,
    Backoff,
    Retry,
    Seat,
    Server,
    Sleep,
    as_seat,
    close_gently,
    heard,
    is_lost,
    server_at,
)
from referee.client.follower import (
    DEFAULT_REFUSALS,
    Ask,
    Follower,
    Interrupted,
    OnHandOver,
    OnRefused,
    Outcome,
    Played,
    Reveal,
    Send,
    fresh_request_ids,
)
from referee.client.tables import (
    close_table,
    create_kozel_table,
    create_table,
    leave_if_seated,
    leave_seat,
    reveal_seed,
    sit_in,
    sit_out,
    take_seat,
    top_up,
)
from referee.client.watch import play_watching
from referee.v1 import table_pb2, table_pb2_grpc

__all__ = [
    "Session",
    "close_table",
    "create_kozel_table",
    "create_table",
    "leave_seat",
    "play",
    "play_watching",
    "sit_in",
    "sit_out",
    "take_seat",
    "top_up",
]

ITEMS_IN_A_MESSAGE: Final = 1024


class Session:
    """Plays seats over one stream until each has ended; see :func:`play` for what the arguments mean."""

    def __init__(
        self,
        target: str | Server,
        bot: AnyBot,
        seats: Sequence[Seat | tuple[str, str]],
        *,
        hands: int = 0,
        max_open_decisions: int = 1,
        max_refusals: int = DEFAULT_REFUSALS,
        on_refused: OnRefused | None = None,
        on_hand_over: OnHandOver | None = None,
        backoff: Backoff | None = None,
        silence_s: float = SILENCE_S,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server_at(target)
        self._bot: Callable[[Any], object] = bot
        self._hands = hands
        self._max_open_decisions = max_open_decisions
        self._retry = Retry(backoff, sleep)
        self._silence_s = silence_s
        request_ids = fresh_request_ids()
        self._followers = {
            seat.table_id: Follower(
                seat.table_id,
                seat.seat_token,
                clock,
                max_refusals,
                on_refused,
                on_hand_over,
                request_ids,
                seat.hand,
                seat.seed,
            )
            for seat in map(as_seat, seats)
        }
        if len(self._followers) != len(seats):
            raise ValueError("one stream plays one seat of a table; use a stream for each seat")
        self._interrupted: set[str] = set()
        self._leaving: set[str] = set()
        self._outbox: list[table_pb2.PlayRequestItem] = []
        self._sending = asyncio.Lock()
        self._closed = False
        self._call: Any = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Cancels the stream and whatever the bot is still thinking about, so that ``run`` returns."""
        self._closed = True
        if self._call is not None:
            self._call.cancel()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def run(self) -> list[Played]:
        """Plays until every seat has ended or the session is closed, and says how it went, in the order of the seats.

        Raises what the bot raises; ConnectionLostError when the server stays away; BrokenStreamError when it does not
        keep to the contract; the gRPC error of a call that would not go better later; RuleSetError for a rule set that
        this version does not have.
        """
        self._failed = asyncio.get_running_loop().create_future()
        try:
            while self._playing() and not self._closed:
                before, moved = self._received()
                lost = await self._connection(self._failed)
                if self._playing() and not self._closed:
                    now, now_moved = self._received()
                    await self._retry.wait(lost, now > before, now_moved > moved)
        finally:
            await self.close()
        return [follower.played for follower in self._followers.values()]

    def _playing(self) -> list[Follower]:
        return [follower for follower in self._followers.values() if not follower.over]

    def _received(self) -> tuple[int, int]:
        followers = self._followers.values()
        return sum(each.snapshots for each in followers), sum(each.events for each in followers)

    # --- one connection ---------------------------------------------------------------------------------

    async def _connection(self, failed: "asyncio.Future[None]") -> BaseException | None:
        """Plays over one stream until it ends and returns how; raises only what no further attempt would mend."""
        async with self._server.channel() as channel:
            stub: Any = table_pb2_grpc.TableServiceStub(channel)
            self._call = call = stub.Play()
            self._outbox.clear()
            self._interrupted.clear()
            # A task of its own: a stream that the server cancels looks to its reader like a cancellation from within.
            reader = asyncio.create_task(self._read(call))
            try:
                await asyncio.wait({reader, failed}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._call = None
                reader.cancel()
                call.cancel()
                await asyncio.gather(reader, return_exceptions=True)
        if failed.done():
            failed.result()
        lost = None if reader.cancelled() else reader.exception()
        if lost is not None and not is_lost(lost):
            raise lost
        return lost

    async def _read(self, call: Any) -> None:
        for follower in self._playing():
            self._outbox.append(follower.attach())
        await self._flush(self._max_open_decisions)
        while True:
            response = await heard(call, self._silence_s)
            if response is grpc.aio.EOF:
                return
            for item in response.items:
                for follower in self._concerned(item):
                    for outcome in follower.receive(item):
                        self._do(follower, outcome)
                    if self._hands and follower.played.hands >= self._hands:
                        self._leave(follower)
            if not self._playing():
                await close_gently(call, writes=True)
                return
            if all([follower.table_id in self._interrupted for follower in self._playing()]):
                return  # nothing more comes on this stream
            if self._outbox:
                await self._flush()

    def _concerned(self, item: table_pb2.PlayResponseItem) -> list[Follower]:
        """The tables that an item is about: without a table's id the whole stream, of which only an end matters."""
        if not item.table_id:
            return self._playing() if item.HasField("end") else []
        follower = self._followers.get(item.table_id)
        if follower is None or follower.over or item.table_id in self._interrupted:
            return []
        return [follower]

    def _do(self, follower: Follower, outcome: Outcome) -> None:
        match outcome:
            case Ask(decision):
                self._ask(follower, decision)
            case Send(propose):
                self._outbox.append(follower.proposing(propose))
            case Reveal(seed):
                seat = (follower.table_id, follower.seat_token)
                self._task(reveal_seed(self._server, seat, seed, self._retry.anew()))
            case Interrupted():
                self._interrupted.add(follower.table_id)
                self._task(self._attach_again(follower, self._call))
            case _:
                pass

    async def _flush(self, max_open_decisions: int = 0) -> None:
        """Sends all that is ready, in as few messages as may be. Nothing is lost with a connection: it is resumed."""
        call = self._call
        async with self._sending:
            while self._outbox and call is self._call and call is not None:
                items = self._outbox[:ITEMS_IN_A_MESSAGE]
                del self._outbox[:ITEMS_IN_A_MESSAGE]
                with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the reader will find out
                    await call.write(table_pb2.PlayRequest(items=items, max_open_decisions=max_open_decisions))

    # --- asking the bot ---------------------------------------------------------------------------------

    def _ask(self, follower: Follower, decision: AnyDecision) -> None:
        if follower.table_id in self._leaving:
            return
        answer = self._bot(decision)
        if isinstance(answer, PROPOSALS):
            self._answer(follower, decision, answer)
        elif inspect.isawaitable(answer):
            self._task(self._think(follower, decision, answer))
        else:
            checked_answer(decision, answer)

    def _answer(self, follower: Follower, decision: AnyDecision, answer: object) -> None:
        propose = follower.answer(decision, checked_answer(decision, answer))
        if propose is not None:
            self._outbox.append(follower.proposing(propose))

    async def _think(self, follower: Follower, decision: AnyDecision, answer: Awaitable[AnyProposal]) -> None:
        self._answer(follower, decision, await answer)
        await asyncio.sleep(0)  # what else is ready in this round of the loop goes out in the same message
        await self._flush()

    def _task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)

    def _task_done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and self._failed is not None and not self._failed.done():
            self._failed.set_exception(error)

    # --- leaving and coming back ------------------------------------------------------------------------

    async def _attach_again(self, follower: Follower, call: Any) -> None:
        """Attaches one table again on a stream that goes on for others, after a while."""
        await self._retry.pause()
        if call is self._call and call is not None and follower.table_id in self._interrupted:
            self._interrupted.discard(follower.table_id)
            self._outbox.append(follower.attach())
            await self._flush()

    def _leave(self, follower: Follower) -> None:
        if not follower.over and follower.table_id not in self._leaving:
            self._leaving.add(follower.table_id)
            self._task(self._leave_now(follower))

    async def _leave_now(self, follower: Follower) -> None:
        await leave_if_seated(self._server, (follower.table_id, follower.seat_token), self._retry.anew())
        follower.end(table_pb2.STREAM_END_REASON_DETACHED)
        self._outbox.append(follower.detach())
        await self._flush()
        if not self._playing() and self._call is not None:
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await self._call.done_writing()  # the server then ends the stream


async def play(
    target: str | Server,
    bot: AnyBot,
    seats: Sequence[Seat | tuple[str, str]],
    *,
    hands: int = 0,
    max_open_decisions: int = 1,
    max_refusals: int = DEFAULT_REFUSALS,
    on_refused: OnRefused | None = None,
    on_hand_over: OnHandOver | None = None,
    backoff: Backoff | None = None,
    silence_s: float = SILENCE_S,
    sleep: Sleep = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> list[Played]:
    """Plays one or many tables over one stream until each has ended, resuming when the connection is lost.

    ``seats`` are ``(table id, seat token)``, one for each table. ``hands`` above 0 leaves a table after so many.
    ``max_open_decisions`` is how many tables may ask at once; the clocks of further ones stand still. A refused bot is
    asked again ``max_refusals`` times, then the decision is answered with check, else fold, else a discard of the cards
    dealt last; in Kozel with the first legal move. A stream that says nothing for ``silence_s`` seconds is resumed.
    Cancelling the task ends the stream; the seats stay taken. Raises as :meth:`Session.run` does.
    """
    session = Session(
        target,
        bot,
        seats,
        hands=hands,
        max_open_decisions=max_open_decisions,
        max_refusals=max_refusals,
        on_refused=on_refused,
        on_hand_over=on_hand_over,
        backoff=backoff,
        silence_s=silence_s,
        sleep=sleep,
        clock=clock,
    )
    async with session:
        return await session.run()
