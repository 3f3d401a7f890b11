"""Hands played through a real server: ``referee serve`` in a process of its own, over gRPC, at many tables at once.

Two kinds of players. *Random* ones speak the wire format themselves: they answer at random, and also propose what is
illegal, out of turn, after a fold, or too late. *Practice bots* play through the SDK, and are now and then made to
propose something illegal first. What happened is read from the auditor's record of each hand; what each seat was told
that it may do is kept as the players saw it.
"""

import asyncio
import json
import random
import subprocess
import sys
import uuid
import warnings
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc

from referee.bots import BOTS, PracticeBot, make_bot
from referee.client import aio
from referee.client.connecting import Seat
from referee.client.decision import Decision
from referee.client.messages import options_of
from referee.record import wire
from referee.rules.cards import DECK_SIZE
from referee.rules.events import Event
from referee.rules.ruleset import (
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    RULE_SETS,
    AllInExposure,
    AnteKind,
    CapHeadsUp,
    DiscardTimeout,
    LateMinimum,
    Limit,
    OpenFold,
    RuleSet,
    ShowdownOrder,
    Stakes,
)
from referee.rules.rulings import BET, CALL, CHECK, DISCARD, FOLD, RAISE, SHOW, LegalOptions, Proposal, Reason
from referee.v1 import hand_pb2, table_pb2, table_pb2_grpc
from spec.binding.recorded import Asked, RecordedHand, interleaved

TOKEN: Final = "token-of-one-run"
MOST_CHIPS: Final = 40_000_000
"""Ten such stacks, and what pot-limit makes of them, stay below 2^31, the largest number that TLC knows."""

STOPS_WITHIN_S: Final = 60

OptionsSeen = dict[tuple[str, int, int, int], LegalOptions]
"""What a seat was told that it may do, by table, number of the hand, seat and decision."""


# --- what is played -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TablePlan:
    """A table to be opened and played.

    ``player`` is ``random`` or ``bots``. With ``action_ms`` some answers are late; with ``between_hands_ms`` there is
    time to show a hand after its end.
    """

    rule_set: RuleSet
    limit: Limit
    stakes: Stakes
    seats: int
    stack: int
    reset_stacks: bool
    hands: int
    player: str
    action_ms: int = 0
    between_hands_ms: int = 0


SEATS: Final = (2, 3, 4, 2, 5, 3, 6, 2, 3, 9, 4, 2, 7, 3, 10, 5, 2, 8)
"""Small tables more often than large ones, which take longer and play fewer different hands in the same time."""


def plan_of(number: int, seed: int, hands: int) -> TablePlan:
    """The plan of one table of a run, decided by its number and the seed alone; all sizes and structures take turns."""
    rng = random.Random(f"{seed}/{number}")
    rule_set = _rule_set(rng)
    limit = rng.choice(rule_set.limits)
    stakes = _stakes(rng, rule_set, limit)
    big, unit = stakes.big_blind, stakes.chip_unit
    stack = rng.choice((2 * big, 6 * big, 20 * big, 100 * big, MOST_CHIPS // unit * unit))
    if stack < MOST_CHIPS // 2:
        stack += rng.choice((0, 0, 1, 3)) * unit
    by_bots = number % 5 == 4
    return TablePlan(
        rule_set,
        limit,
        stakes,
        SEATS[number % len(SEATS)],
        stack,
        reset_stacks=stack < 10 * big or rng.random() < 0.3,
        hands=hands,
        player="bots" if by_bots else "random",
        action_ms=4 if number % 12 == 5 and not by_bots else 0,
        between_hands_ms=60 if number % 8 == 1 and not by_bots else 0,
    )


def _rule_set(rng: random.Random) -> RuleSet:
    if rng.random() < 0.4:
        return rng.choice(RULE_SETS)
    late = rng.choice((LateMinimum.BIG_BLIND, LateMinimum.BIG_BLIND, LateMinimum.BIG_BET))
    no_pot = (Limit.NO_LIMIT, Limit.POT_LIMIT)
    return RuleSet(
        "binding/any",
        1,
        rng.choice((IRISH, IRISH_BEFORE_FLOP_BETTING, HOLDEM)),
        no_pot if late == LateMinimum.BIG_BET else (*no_pot, Limit.FIXED_LIMIT),
        showdown_order=rng.choice(list(ShowdownOrder)),
        all_in_exposure=rng.choice(list(AllInExposure)),
        open_fold=rng.choice(list(OpenFold)),
        cap_heads_up=rng.choice(list(CapHeadsUp)),
        max_raises=rng.choice((1, 3, 3, 4)),
        discard_timeout=rng.choice(list(DiscardTimeout)),
        hide_discard_progress=rng.random() < 0.3,
        late_minimum=late,
    )


def _stakes(rng: random.Random, rule_set: RuleSet, limit: Limit) -> Stakes:
    unit = rng.choice((1, 1, 1, 5))
    small, big = rng.choice(((1, 2), (5, 10), (1, 3), (0, 4), (10, 10)))
    most = 2 if rule_set.late_minimum == LateMinimum.BIG_BET and limit == Limit.POT_LIMIT else 3
    ante_kind = rng.choice((AnteKind.NONE, AnteKind.NONE, AnteKind.EACH, AnteKind.BIG_BLIND))
    return Stakes(
        small * unit,
        big * unit,
        big_bet=rng.choice((0, 0, rng.randint(big, most * big) * unit)),
        ante_kind=ante_kind,
        ante=0 if ante_kind == AnteKind.NONE else rng.randint(1, big) * unit,
        chip_unit=unit,
    )


# --- the server -----------------------------------------------------------------------------------------


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[str]:
    """A server process with a store in the folder; yields its address."""
    words = ["serve", "--port", "0", "--json", "--log-level", "error", "--data", str(folder / "store")]
    words += ["--host-token", TOKEN, "--auditor-token", TOKEN]
    process = subprocess.Popen([sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"127.0.0.1:{json.loads(process.stdout.readline())['listening']}"
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOPS_WITHIN_S)
        except subprocess.TimeoutExpired:  # its hands are complete: how it stops is for the tests of the service
            process.kill()
            process.communicate()
            warnings.warn(f"the server did not stop within {STOPS_WITHIN_S} s of SIGTERM", stacklevel=1)


# --- players --------------------------------------------------------------------------------------------


def any_proposal(rng: random.Random, seat: int, level: int, cards: tuple[int, ...], unit: int) -> Proposal:
    """Anything that a seat may think of; much of it is illegal."""
    kind = rng.choice((FOLD, CHECK, CALL, BET, RAISE, BET, RAISE, DISCARD))
    if kind in (BET, RAISE):
        to = level + rng.choice((-1, 0, 1, 1, 2, 3, 5, 10, 20, 1000)) * rng.choice((1, unit, unit))
        return Proposal(seat, kind, max(0, to))
    if kind is DISCARD:
        named = rng.sample(cards, min(len(cards), rng.choice((2, 2, 1, 3))))
        if rng.random() < 0.3:
            named[0] = rng.choice((named[-1], rng.randrange(DECK_SIZE)))
        return Proposal(seat, kind, 0, tuple(named))
    return Proposal(seat, kind)


def legal_proposal(rng: random.Random, legal: LegalOptions) -> Proposal:
    """A random one of the options, wagers in any size."""
    if legal.discard:
        return Proposal(legal.seat, DISCARD, 0, tuple(rng.sample(legal.held, legal.discard)))
    if legal.max_to and rng.random() < 0.3:
        steps = (legal.max_to - legal.min_to) // legal.step
        size = rng.choice((0, 0, steps, rng.randint(0, steps), min(steps, rng.randint(0, 20))))
        return Proposal(legal.seat, legal.wager, legal.min_to + size * legal.step)
    if legal.fold and rng.random() < 0.12:
        return Proposal(legal.seat, FOLD)
    return Proposal(legal.seat, CHECK if legal.check else CALL)


class RandomPlayer:
    """Plays one seat number at many tables over one stream, in the wire format, and breaks rules on the way."""

    def __init__(self, plans: dict[str, TablePlan], seat: int, seed: int, seen: OptionsSeen) -> None:
        self._plans, self._seat, self._seen = plans, seat, seen
        self._rng = random.Random(f"{seed}/{seat}")

    async def play(self, stub: Any, tokens: dict[str, str]) -> None:
        """Plays until every table has ended."""
        call = stub.Play()
        attach = [
            table_pb2.PlayRequestItem(table_id=table, attach={"seat_token": token, "cursor": {}})
            for table, token in tokens.items()
        ]
        await call.write(table_pb2.PlayRequest(items=attach, max_open_decisions=len(attach)))
        playing = set(tokens)
        async for message in call:
            answers: list[table_pb2.PlayRequestItem] = []
            for item in message.items:
                kind = item.WhichOneof("item")
                if kind == "decision":
                    answers.extend(self._answers(item.table_id, item.decision))
                elif kind == "event":
                    answers.extend(self._meddles(item.table_id, item.event))
                elif kind == "end" and item.table_id in playing:  # a proposal after the end is answered by another end
                    reason = item.end.reason
                    if reason != table_pb2.STREAM_END_REASON_TABLE_ENDED:
                        raise RuntimeError(f"a stream ended: {table_pb2.StreamEndReason.Name(reason)}")
                    playing.discard(item.table_id)
            if not playing:
                break
            if answers:
                await call.write(table_pb2.PlayRequest(items=answers))
        call.cancel()
        if playing:
            raise RuntimeError(f"the stream ended before {len(playing)} tables did")

    def _answers(self, table: str, decision: Any) -> list[table_pb2.PlayRequestItem]:
        plan, rng = self._plans[table], self._rng
        legal = options_of(decision.legal)
        self._seen[table, decision.hand, legal.seat, legal.decision_id] = legal
        if plan.action_ms and rng.random() < 0.15:
            return []
        proposals = []
        while rng.random() < 0.25:
            level = rng.choice((0, legal.min_to, legal.min_to, legal.max_to))
            proposals.append(any_proposal(rng, legal.seat, level, legal.held or (0, 1, 2, 3), legal.step))
        proposals.append(legal_proposal(rng, legal))
        return [_item(table, one, decision.hand_id, legal.decision_id) for one in proposals]

    def _meddles(self, table: str, event: Any) -> list[table_pb2.PlayRequestItem]:
        """Sometimes a proposal when another seat is asked, or a hand shown after the end.

        OUT_OF_TURN comes before STALE_DECISION, so any decision's id will do.
        """
        plan, rng, hand_id = self._plans[table], self._rng, f"{table}-{event.hand}"
        kind = event.WhichOneof("event")
        if kind == "hand_event" and plan.between_hands_ms and event.hand_event.kind == hand_pb2.EVENT_KIND_HAND_ENDED:
            return [_item(table, Proposal(self._seat, SHOW), hand_id, 0)] if rng.random() < 0.3 else []
        if kind != "decision_opened" or event.decision_opened.seat == self._seat or rng.random() >= 0.02:
            return []
        proposal = any_proposal(rng, self._seat, plan.stakes.big_blind, (0, 1, 2, 3), plan.stakes.chip_unit)
        return [_item(table, proposal, hand_id, 1)]


def _item(table: str, proposal: Proposal, hand_id: str, decision_id: int) -> table_pb2.PlayRequestItem:
    message = wire.proposal_message(proposal._replace(hand_id=hand_id, decision_id=decision_id))
    propose = table_pb2.Propose(request_id=uuid.uuid4().hex, proposal=message)
    return table_pb2.PlayRequestItem(table_id=table, propose=propose)


class MeddlingBot:
    """A practice bot for each table, each of which now and then proposes something illegal first."""

    def __init__(self, seat: int, seed: int, seen: OptionsSeen) -> None:
        self._seat, self._seed, self._seen = seat, seed, seen
        self._rng = random.Random(f"{seed}/{seat}/bots")
        self._bots: dict[str, PracticeBot] = {}

    def __call__(self, decision: Decision) -> Proposal:
        legal = decision.legal
        self._seen[decision.table_id, decision.hand_number, legal.seat, legal.decision_id] = legal
        if decision.refusal is None and self._rng.random() < 0.15:
            return any_proposal(self._rng, legal.seat, decision.level, legal.held or (0, 1, 2, 3), legal.step)
        if decision.table_id not in self._bots:
            self._bots[decision.table_id] = make_bot(self._rng.choice(list(BOTS)), self._rng.randrange(1 << 30))
        return self._bots[decision.table_id](decision)


# --- a run ----------------------------------------------------------------------------------------------


async def play_tables(folder: Path, plans: list[TablePlan], seed: int) -> list[RecordedHand]:
    """Plays these tables to their ends on one server and returns every hand, in the order of the plans."""
    seen: OptionsSeen = {}
    async with served(folder) as address, grpc.aio.insecure_channel(address) as channel:
        stub: Any = table_pb2_grpc.TableServiceStub(channel)
        tables: dict[str, TablePlan] = {}
        tokens: dict[tuple[str, int], dict[str, str]] = {}
        for plan in plans:
            table = await _open(stub, plan)
            tables[table] = plan
            for seat in range(1, plan.seats + 1):
                request = table_pb2.TakeSeatRequest(
                    request_id=uuid.uuid4().hex,
                    table_id=table,
                    seat=seat,
                    name=f"seat {seat}",
                    show_when_beaten=(seat + len(tables)) % 3 == 0,
                )
                taken = await stub.TakeSeat(request)
                tokens.setdefault((plan.player, seat), {})[table] = taken.seat_token
        playing: list[Coroutine[Any, Any, object]] = []
        for (player, seat), mine in tokens.items():
            if player == "random":
                playing.append(RandomPlayer(tables, seat, seed, seen).play(stub, mine))
            else:
                places = [Seat(table, token, seat, 0) for table, token in mine.items()]
                bot = MeddlingBot(seat, seed, seen)
                playing.append(aio.play(address, bot, places, max_open_decisions=len(places)))
        await asyncio.gather(*playing)
        return [hand for table in tables for hand in await _recorded(stub, table, seen)]


async def _open(stub: Any, plan: TablePlan) -> str:
    config = table_pb2.TableConfig(
        structure=plan.limit,  # type: ignore[arg-type]
        stakes=wire.stakes_message(plan.stakes),
        seats=plan.seats,
        starting_stack=plan.stack,
        reset_stacks=plan.reset_stacks,
        hands=plan.hands,
        clock={"action_ms": plan.action_ms},
        between_hands_ms=plan.between_hands_ms,
    )
    wire.write_rules(config, plan.rule_set)
    request = table_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, config=config)
    response = await stub.CreateTable(request, metadata=_BEARER)
    if response.WhichOneof("outcome") == "refused":
        raise RuntimeError(f"{plan} is refused: {response.refused.message}")
    table: str = response.table_id
    return table


_BEARER: Final = (("authorization", f"Bearer {TOKEN}"),)


async def _recorded(stub: Any, table: str, seen: OptionsSeen) -> list[RecordedHand]:
    state = (await stub.GetTable(table_pb2.GetTableRequest(table_id=table))).table
    hands = []
    for number in range(1, state.hand + 1):
        request = table_pb2.GetHandRecordRequest(table_id=table, hand=number)
        hands.append(recorded_hand(table, number, await stub.GetHandRecord(request, metadata=_BEARER), seen))
    return hands


def recorded_hand(table: str, number: int, record: Any, seen: OptionsSeen) -> RecordedHand:
    """A hand of the server from the auditor's record of it."""
    told: list[Event | Asked] = []
    for one in record.events:
        match one.WhichOneof("event"):
            case "hand_event":
                told.append(wire.event_of(one.hand_event))
            case "decision_opened":
                asked = one.decision_opened
                legal = seen.get((table, number, asked.seat, asked.decision_id))
                told.append(Asked(asked.seat, asked.decision_id, legal))
    proposals = [
        (wire.proposal_of(one.proposal), None if one.accepted else Reason(one.reason)) for one in record.proposals
    ]
    return RecordedHand(
        f"table {table}, hand {number}", wire.setup_of(record.record.setup), interleaved(told, proposals)
    )
