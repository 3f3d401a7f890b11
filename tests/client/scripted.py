"""A TableService that says what a test wants it to say, message by message, and keeps what it hears.

What it says is made by the rules engine, as one seat sees it, so that a script cannot contradict itself by accident.
"""

import asyncio
from collections import deque
from contextlib import asynccontextmanager

import grpc

from referee.client import Backoff
from referee.record import wire
from referee.record.view import view
from referee.rules.hand import legal_options, open_hand, propose
from referee.rules.rulings import ActionKind, Proposal
from referee.v1 import hand_pb2, table_pb2, table_pb2_grpc
from tests.support import setup_of

Item = table_pb2.PlayResponseItem
BACKOFF = Backoff(first_s=0.1, most_s=1.0, tries=12)
End = table_pb2.StreamEndReason


def unknown_field(number=100):
    """Bytes of a field that this version of the contract does not have: an empty message under that number."""
    tag = number << 3 | 2
    return bytes([tag & 0x7F | 0x80, tag >> 7, 0])


class Told:
    """What one seat of one table is told: heads-up hands that the engine plays, in numbered events.

    Seat 1 is the seat that is told, and the big blind; seat 2 has the button and acts first before the flop.
    """

    def __init__(self, table_id="table", rule_set="holdem/tda@1", seat=1):
        self.table_id = table_id
        self.seat = seat
        self.rule_set = rule_set
        self.number = 0
        self.count = 0
        self.hand = None
        self.log = []

    def item(self, **what):
        return Item(table_id=self.table_id, **what)

    def seen(self, **what):
        """The next numbered event as an item."""
        self.count += 1
        event = table_pb2.SeenEvent(hand=self.number, number=self.count, time_unix_ms=1, **what)
        self.log.append(event)
        return self.item(event=event)

    def snapshot(self, *events):
        config = table_pb2.TableConfig(
            rule_set_name=self.rule_set,
            structure=hand_pb2.BETTING_STRUCTURE_NO_LIMIT,
            stakes=hand_pb2.Stakes(small_blind=5, big_blind=10),
            seats=2,
            starting_stack=500,
        )
        seats = [table_pb2.SeatState(seat=seat, name=f"player {seat}") for seat in (1, 2)]
        table = table_pb2.TableState(table_id=self.table_id, config=config, seats=seats, hand=self.number)
        return self.item(snapshot=table_pb2.Snapshot(table=table, events=events))

    def begin(self):
        """The next hand begins: its items."""
        self.number += 1
        self.count = 0
        setup = setup_of([500, 500], self.rule_set, hand_id=f"{self.table_id}-{self.number}")
        self.hand, opening = open_hand(setup)
        began = table_pb2.HandBegan(
            hand_id=setup.hand_id,
            players=[hand_pb2.PlayerSetup(seat=seat, stack=500) for seat in setup.seats],
            button_seat=2,
            small_blind_seat=2,
            big_blind_seat=1,
        )
        return [self.seen(hand_began=began), *self.happened(opening)]

    def happened(self, events):
        views = [view(event, self.seat, self.hand.setup.rule_set) for event in events]
        return [self.seen(hand_event=wire.event_message(one)) for one in views if one is not None]

    def act(self, seat, kind, to=0, cards=()):
        """A seat acts as the rules allow: the items of what follows."""
        ruling = propose(self.hand, Proposal(seat, kind, to, cards))
        assert ruling.accepted, ruling
        return self.happened(ruling.events)

    def decision(self, remaining_ms=0):
        options = legal_options(self.hand, self.seat)
        asked = table_pb2.Decision(
            hand_id=self.hand.setup.hand_id, hand=self.number, legal=wire.options_message(options)
        )
        if remaining_ms:
            asked.remaining_ms, asked.deadline_unix_ms = remaining_ms, 1_000_000
        return self.item(decision=asked)

    def to_my_turn(self):
        """A hand begins, the button calls, and this seat is asked: check or raise."""
        return [*self.begin(), *self.act(2, ActionKind.CALL), self.decision()]

    def ruling(self, propose_message):
        """The engine's ruling on what the client proposed: the answer, and what follows."""
        proposal = wire.proposal_of(propose_message.proposal)._replace(seat=self.seat)
        ruling = propose(self.hand, proposal)
        told = wire.ruling_message(ruling._replace(events=()))
        answered = table_pb2.Answered(request_id=propose_message.request_id, ruling=told)
        return [self.item(answered=answered), *self.happened(ruling.events)]

    def end(self, reason):
        return self.item(end=table_pb2.StreamEnd(reason=reason))


class Stream:
    """One call of the client, from the server's side."""

    def __init__(self, context, requests=None, message_type=table_pb2.PlayResponse):
        self.context = context
        self.requests = requests
        self._message_type = message_type
        self._saying = asyncio.Lock()

    async def say(self, *items):
        async with self._saying:  # a call to SubmitAction may speak while the script does
            await self.context.write(self._message_type(items=[one for item in items for one in _flat(item)]))

    async def hear(self):
        """The client's next message."""
        return await anext(self.requests)

    async def attached(self):
        """The client's first message; returns its attach items."""
        message = await self.hear()
        assert all(item.WhichOneof("item") == "attach" for item in message.items)
        return [item.attach for item in message.items]

    async def answers(self):
        """The proposals of the client's next message."""
        message = await self.hear()
        assert all(item.WhichOneof("item") == "propose" for item in message.items)
        return [item.propose for item in message.items]

    async def answer(self):
        (propose_message,) = await self.answers()
        return propose_message

    async def silence(self):
        """Waits until the client cancels."""
        await asyncio.Event().wait()

    async def closed(self):
        """Waits until the client has no more to say."""
        async for _ in self.requests:
            pass

    async def cut(self, code=grpc.StatusCode.UNAVAILABLE):
        await self.context.abort(code, "cut by the script")


def _flat(item):
    return item if isinstance(item, list) else [item]


class ScriptedTables(table_pb2_grpc.TableServiceServicer):
    """Runs one script for each stream that the client opens, in order."""

    def __init__(self, scripts):
        self.scripts = deque(scripts)
        self.streams = 0
        self.gone = asyncio.Event()
        self.left = []
        self.watched = []
        self.submit = None
        self.leave = None
        self.failures = []

    async def _script(self, stream):
        self.streams += 1
        try:
            assert self.scripts, "the client opened more streams than there are scripts"
            await self.scripts.popleft()(stream)
        except asyncio.CancelledError:
            self.gone.set()
            raise
        except grpc.aio.AbortError:
            raise
        except Exception as failure:
            self.failures.append(failure)
            raise

    async def Play(self, requests, context):  # noqa: N802
        await self._script(Stream(context, requests))

    async def WatchTable(self, request, context):  # noqa: N802
        self.watched.append(request)
        await self._script(Stream(context, message_type=table_pb2.WatchTableResponse))

    async def SubmitAction(self, request, context):  # noqa: N802
        return table_pb2.SubmitActionResponse(answered=await self.submit(request, context))

    async def LeaveSeat(self, request, context):  # noqa: N802
        self.left.append(request)
        if self.leave is not None:
            await self.leave(request, context)
        return table_pb2.LeaveSeatResponse()


class Waits:
    """A sleep that does not wait but says how long it would have."""

    def __init__(self):
        self.seconds = []

    async def __call__(self, seconds):
        self.seconds.append(seconds)
        await asyncio.sleep(0)


@asynccontextmanager
async def scripted(*scripts):
    """A server on loopback that plays the scripts; yields its service and address."""
    service = ScriptedTables(scripts)
    server = grpc.aio.server()
    table_pb2_grpc.add_TableServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield service, f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
        assert not service.failures, service.failures


def run(coroutine, seconds=30):
    """Runs a test's coroutine, bounded in time."""
    return asyncio.run(asyncio.wait_for(coroutine, seconds))
