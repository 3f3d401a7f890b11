"""A bot as a contestant's program, with every way to fail: `a_bot.py WAY MARK`, seats from the environment.

It plays as the practice bot of that name, or as always-call until its way of failing comes in. MARK tells it from
others in the list of processes; where something is to be remembered, it begins the path of what is written.
"""

import asyncio
import os
import sys
import time

import grpc

from referee.bots import make_bot
from referee.bots.__main__ import play_seats, seats_in
from referee.v1 import table_pb2, table_pb2_grpc


def hanging(decision):
    time.sleep(3600)


def crashing(decision):
    if decision.board:
        os._exit(3)
    return decision.check_or_call()


def illegal(decision):
    return decision.raise_to(1)


def off_on_flop(decision):
    """Ends its connection, and itself with it, whenever it sees a flop that it has not seen before."""
    mark = f"{sys.argv[2]}.{decision.table_id}.{decision.hand_number}"
    if len(decision.board) == 3 and not os.path.exists(mark):
        open(mark, "w").close()
        os._exit(0)
    return decision.check_or_call()


async def flooding(target, seats):
    """Sends ten thousand messages a second, none of which anybody asked for, again and again."""
    while True:
        async with grpc.aio.insecure_channel(target) as channel:
            call = table_pb2_grpc.TableServiceStub(channel).Play()
            attach = [
                table_pb2.PlayRequestItem(table_id=seat.table_id, attach={"seat_token": seat.seat_token})
                for seat in seats
            ]
            propose = table_pb2.Propose(request_id="again", proposal={"hand_id": "none", "decision_id": 1})
            propose.proposal.action.check.SetInParent()
            stray = [table_pb2.PlayRequestItem(table_id=seat.table_id, propose=propose) for seat in seats[:1]]
            try:
                await call.write(table_pb2.PlayRequest(items=attach))
                for _ in range(10_000):
                    await call.write(table_pb2.PlayRequest(items=stray))
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await asyncio.sleep(0.2)
            finally:
                call.cancel()


BOTS = {"hanging": hanging, "crashing": crashing, "illegal": illegal, "off-on-flop": off_on_flop}


async def main():
    way = sys.argv[1]
    seats, target = seats_in(os.environ["REFEREE_SEATS"]), os.environ["REFEREE_TARGET"]
    if way == "flooding":
        await flooding(target, seats)
    elif way in BOTS:
        from referee.client import aio

        await aio.play(target, BOTS[way], seats, max_open_decisions=len(seats))
    else:
        assert make_bot(way)
        await play_seats(target, way, 1, seats, None)


if __name__ == "__main__":
    print("a bot writes to its standard error", file=sys.stderr)
    asyncio.run(main())
