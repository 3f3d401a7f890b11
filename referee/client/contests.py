"""Taking part in a contest from anywhere: one stream tells the seats, and each is played as it comes."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import grpc

from referee.client.aio import play
from referee.client.connecting import (
    SILENCE_S,
    Backoff,
    ConnectionLostError,
    Retry,
    Seat,
    Server,
    bearing,
    heard,
    is_lost,
    server_at,
)
from referee.client.decision import Bot
from referee.client.follower import Played
from referee.v1 import contest_pb2, contest_pb2_grpc

ATTENDING: Final = Backoff(most_s=5.0, tries=1_000)
"""How long a server that does not answer is tried: an hour or so where connections are refused.

A contest that is paused has no server of its own, so that this is more patient than play at one table is.
"""

SERVER_GONE: Final = "SERVER_GONE"
"""Why taking part ended, when the server did not answer for as often as was to be tried."""


class Attended(NamedTuple):
    """How taking part in a contest ended.

    ``reason`` is FINISHED, REPLACED, DISQUALIFIED or TOKEN_VOID as the server said, or SERVER_GONE; ``tables`` tells
    how each table went that was played to its end.
    """

    reason: str
    tables: list[Played]


async def attend(
    target: str | Server,
    contest: str,
    *,
    name: str,
    token: str,
    bot: Bot,
    max_open_decisions: int = 64,
    backoff: Backoff = ATTENDING,
    silence_s: float = SILENCE_S,
) -> Attended:
    """Plays every seat that a contest gives this entrant until the contest is over, and says how it ended.

    ``token`` is that of the registration. Of two programs with the same token the newer one is given the seats. Ends
    when the contest does, and when the entrant is replaced, disqualified, or has a new token. A lost connection is
    resumed; after ``backoff.tries`` attempts in a row without an answer the server is taken for gone, and the end is
    SERVER_GONE. Raises what :meth:`referee.client.aio.Session.run` raises for other reasons, and the gRPC error of a
    token that is wrong.
    """
    server, retry = server_at(target), Retry(backoff)
    known: set[str] = set()
    played: list[Played] = []

    async def play_all(seats: Sequence[contest_pb2.ContestSeat]) -> None:
        given = [Seat(one.table_id, one.seat_token, one.seat) for one in seats]
        played.extend(await play(server, bot, given, max_open_decisions=max_open_decisions, backoff=backoff))

    try:
        async with asyncio.TaskGroup() as group:

            def take(seats: Sequence[contest_pb2.ContestSeat]) -> None:
                new = [one for one in seats if one.table_id not in known]
                known.update([one.table_id for one in new])
                if new:
                    group.create_task(play_all(new))

            while True:
                reason, answered, lost = await _attended(server, contest, name, token, take, silence_s)
                if reason:
                    break
                await retry.wait(lost, answered, answered)
    except ExceptionGroup as failures:
        first = failures.exceptions[0]  # it ended the others
        if not isinstance(first, ConnectionLostError):
            raise first from None
        reason = SERVER_GONE
    return Attended(reason, played)


async def _attended(
    server: Server,
    contest: str,
    name: str,
    token: str,
    take: Callable[[Sequence[contest_pb2.ContestSeat]], None],
    silence_s: float,
) -> tuple[str, bool, BaseException | None]:
    """One stream until it ends: why for good, "" if not; whether anything was heard on it; and what broke it."""
    answered = False
    async with server.channel() as channel:
        stub: Any = contest_pb2_grpc.ContestServiceStub(channel)
        request = contest_pb2.AttendContestRequest(contest=contest, name=name)
        call = stub.AttendContest(request, metadata=bearing(token))

        async def read() -> str:
            nonlocal answered
            while (answer := await heard(call, silence_s)) is not grpc.aio.EOF:
                answered = True
                take(answer.seats.seats)
                if answer.HasField("end"):
                    return _reason(answer.end)
            return ""

        # A task of its own: a stream that the server cancels looks to its reader like a cancellation from within.
        reader = asyncio.create_task(read())
        try:
            await asyncio.wait({reader})
        finally:
            reader.cancel()
            call.cancel()
            await asyncio.gather(reader, return_exceptions=True)
    if reader.cancelled():
        return "", answered, None
    lost = reader.exception()
    if lost is not None and not is_lost(lost):
        raise lost
    return "" if lost is not None else reader.result(), answered, lost


def _reason(end: contest_pb2.ContestEnd) -> str:
    return contest_pb2.ContestEndReason.Name(end.reason).removeprefix("CONTEST_END_REASON_")
