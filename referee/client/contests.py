"""Taking part in a contest from anywhere: one stream tells the seats, and each is played as it comes."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import grpc

from referee.client.aio import play
from referee.client.connecting import Backoff, Retry, Seat, Server, bearing, may_be_tried_again, server_at
from referee.client.decision import Bot
from referee.client.follower import Played
from referee.v1 import contest_pb2, contest_pb2_grpc


async def attend(
    target: str | Server,
    contest: str,
    *,
    name: str,
    token: str,
    bot: Bot,
    max_open_decisions: int = 64,
    backoff: Backoff | None = None,
) -> list[Played]:
    """Plays every seat that a contest gives this entrant until the contest is over, and says how each table went.

    ``token`` is that of the registration. Of two programs with the same token the newer one is given the seats. Ends
    when the contest does, and when the entrant is replaced, disqualified, or has a new token. A lost connection is
    resumed. Raises what :meth:`referee.client.aio.Session.run` raises, and the gRPC error of a token that is wrong.
    """
    server, retry = server_at(target), Retry(backoff)
    known: set[str] = set()
    played: list[Played] = []

    async def play_all(seats: Sequence[contest_pb2.ContestSeat]) -> None:
        given = [Seat(one.table_id, one.seat_token, one.seat) for one in seats]
        played.extend(await play(server, bot, given, max_open_decisions=max_open_decisions, backoff=backoff))

    async with asyncio.TaskGroup() as group:

        def take(seats: Sequence[contest_pb2.ContestSeat]) -> None:
            new = [one for one in seats if one.table_id not in known]
            known.update([one.table_id for one in new])
            if new:
                group.create_task(play_all(new))

        while True:
            ended, heard, lost = await _attended(server, contest, name, token, take)
            if ended:
                break
            await retry.wait(lost, heard, heard)
    return played


async def _attended(
    server: Server, contest: str, name: str, token: str, take: Callable[[Sequence[contest_pb2.ContestSeat]], None]
) -> tuple[bool, bool, BaseException | None]:
    """One stream until it ends: whether for good, whether anything was heard on it, and what broke it."""
    heard = False
    async with server.channel() as channel:
        stub: Any = contest_pb2_grpc.ContestServiceStub(channel)
        request = contest_pb2.AttendContestRequest(contest=contest, name=name)
        call = stub.AttendContest(request, metadata=bearing(token))
        try:
            while (answer := await call.read()) is not grpc.aio.EOF:
                heard = True
                take(answer.seats.seats)
                if answer.HasField("end"):
                    return True, heard, None
        except grpc.aio.AioRpcError as error:
            if not may_be_tried_again(error):
                raise
            return False, heard, error
        finally:
            call.cancel()
    return False, heard, None
