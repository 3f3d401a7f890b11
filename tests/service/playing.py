"""A bare client of TableService for tests: it keeps every message it gets and knows nothing of the SDK."""

import asyncio
import random
import uuid
from contextlib import asynccontextmanager

import grpc

from referee.service.server import Server, open_store
from referee.table.timing import SystemTime
from referee.v1 import hand_pb2, kozel_pb2, table_pb2, table_pb2_grpc

STAKES = {"small_blind": 1, "big_blind": 2}


def options_in(decision):
    """What is legal at a decision, whichever game it is of."""
    return decision.kozel if decision.HasField("kozel") else decision.legal


def ruling_in(answered):
    """The ruling, whichever game it is of."""
    return answered.kozel if answered.HasField("kozel") else answered.ruling


def answer_to(decision, rng):
    """A random legal answer to a decision, as the proposal to send."""
    if decision.HasField("kozel"):
        move = rng.choice(list(decision.kozel.moves))
        lay = kozel_pb2.KozelLay(tile=move.tile, end=move.end)
        return kozel_pb2.KozelProposal(hand_id=decision.hand_id, decision_id=decision.kozel.decision_id, lay=lay)
    legal = decision.legal
    proposal = hand_pb2.Proposal(hand_id=decision.hand_id, decision_id=legal.decision_id)
    if legal.cards_to_discard:
        proposal.action.discard.cards.extend(rng.sample(list(legal.held_cards), legal.cards_to_discard))
    elif legal.max_raise_to and rng.random() < 0.3:
        kind = "bet" if legal.wager == hand_pb2.WAGER_KIND_BET else "raise"
        getattr(proposal.action, kind).raise_to = rng.choice([legal.min_raise_to, legal.max_raise_to])
    elif legal.can_check:
        proposal.action.check.SetInParent()
    elif rng.random() < 0.15:
        proposal.action.fold.SetInParent()
    else:
        proposal.action.call.SetInParent()
    return proposal


def propose_of(proposal, request_id=None, **options):
    """What proposes it, in the field of its game."""
    field = "kozel" if isinstance(proposal, kozel_pb2.KozelProposal) else "proposal"
    return table_pb2.Propose(request_id=request_id or uuid.uuid4().hex, **{field: proposal}, **options)


def propose_item(table_id, proposal, request_id=None):
    return table_pb2.PlayRequestItem(table_id=table_id, propose=propose_of(proposal, request_id))


def attach_item(table_id, token, cursor=None):
    attach = table_pb2.Attach(seat_token=token)
    if cursor is not None:
        attach.cursor.SetInParent()
        attach.cursor.hand, attach.cursor.number = cursor
    return table_pb2.PlayRequestItem(table_id=table_id, attach=attach)


class Follower:
    """Follows a view: checks that numbers have no gap, and keeps the cursor and every item."""

    def __init__(self):
        self.cursor = (0, 0)
        self.items = []
        self.events = []

    def take(self, item):
        self.items.append(item)
        match item.WhichOneof("item"):
            case "event":
                self.see(item.event)
            case "snapshot":
                for event in item.snapshot.events:
                    self.see(event)

    def see(self, event):
        hand, number = self.cursor
        fresh = not self.events
        assert fresh or (event.hand, event.number) in ((hand, number + 1), (hand + 1, 1)), (self.cursor, event)
        self.cursor = (event.hand, event.number)
        self.events.append(event)


class Tables:
    """A running server with a store, and what a test needs of it."""

    def __init__(self, server, store):
        self.server, self.store = server, store
        self.address = f"127.0.0.1:{server.port}"
        self.host = (("authorization", f"Bearer {store.access.host_token}"),)
        self.auditor = (("authorization", f"Bearer {store.access.auditor_token}"),)
        self.channel = grpc.aio.insecure_channel(self.address)
        self.stub = table_pb2_grpc.TableServiceStub(self.channel)

    async def create(self, seats=3, rule_set="irish/full-tilt@1", structure=1, **options):
        config = {
            "rule_set_name": rule_set,
            "structure": structure,
            "stakes": STAKES,
            "seats": seats,
            "starting_stack": 200,
            "reset_stacks": True,
            "hands": 3,
        } | options
        request = table_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, config=config)
        return (await self.stub.CreateTable(request, metadata=self.host)).table_id

    async def create_kozel(self, seats=3, rule_set="kozel/on-all@1", **options):
        config = {"rule_set_name": rule_set, "seats": seats} | options
        request = table_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, config=config)
        return await self.stub.CreateTable(request, metadata=self.host)

    async def seated_kozel(self, **options):
        """A table of Kozel whose seats are all taken: its id and the tokens by seat."""
        table_id = (await self.create_kozel(**options)).table_id
        tokens = dict([await self.sit(table_id) for _ in range(options.get("seats", 3))])
        return table_id, tokens

    async def sit(self, table_id, seat=0, **options):
        request = table_pb2.TakeSeatRequest(
            request_id=uuid.uuid4().hex, table_id=table_id, seat=seat, name="somebody", **options
        )
        taken = await self.stub.TakeSeat(request)
        return taken.seat, taken.seat_token

    async def seated(self, **options):
        """A table whose seats are all taken: its id and the tokens by seat."""
        table_id = await self.create(**options)
        tokens = dict([await self.sit(table_id) for _ in range(options.get("seats", 3))])
        return table_id, tokens

    async def play_seat(self, table_id, token, seed, follower, cut=None):
        """Plays a seat to the table's end with random answers; ``cut(item)`` true cuts the stream after the item."""
        rng = random.Random(seed)
        cursor = (0, 0)  # a first hand may end by folds before the seat has attached at all
        while True:
            call = self.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, token, cursor)]))
            async for message in call:
                for item in message.items:
                    follower.take(item)
                    kind = item.WhichOneof("item")
                    if kind == "end":
                        call.cancel()
                        return item.end.reason
                    if cut is not None and cut(item):
                        break
                    if kind == "decision":
                        proposal = answer_to(item.decision, rng)
                        await call.write(table_pb2.PlayRequest(items=[propose_item(table_id, proposal)]))
                else:
                    continue
                break
            call.cancel()
            cursor = follower.cursor


@asynccontextmanager
async def tables(folder):
    """A server with a fresh or an old store in a folder."""
    store = open_store(folder, SystemTime())
    server = Server(store=store)
    await server.start()
    running = Tables(server, store)
    try:
        yield running
    finally:
        await running.channel.close()
        await server.drain(1)


def run(coroutine, seconds=60):
    """Runs a test's coroutine, bounded in time."""
    return asyncio.run(asyncio.wait_for(coroutine, seconds))
