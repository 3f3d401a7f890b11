"""Streams that are cut, fall silent, skip or repeat: resumed from the right place, and nothing counts twice."""

import asyncio
import time
from typing import Final

import grpc

from referee.conformance.game import Game
from referee.conformance.told import Item, Told
from referee.conformance.verdicts import FailedError, NotExercisedError, Scenario
from referee.conformance.wording import check_named, told_action
from referee.v1 import table_pb2

BURST_HANDS: Final = 250
FRUITLESS: Final = 5
HEADS_UP: Final = """
p1 raise 30, me call, me check, p1 check, p1 discard, me discard, me check, p1 check, me check, p1 check"""
REST: Final = "me check, p3 check, me discard, p3 discard, me check, p3 check, me check, p3 check"


async def _to_the_decision(game: Game, wish: str = "check-or-call") -> Told:
    """A hand in which the client is to call 30 before the flop, and is not asked yet."""
    told = game.table(wish)
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 30, p1 fold")
    return told


async def _unacknowledged(game: Game) -> None:
    told = await _to_the_decision(game)
    await game.tell(told, [told.decision()])
    await game.answer(told, "call")
    await game.cut()  # before any ruling: the answer may have been lost
    await game.resumes()
    await game.asks("call", told)  # told again: it must be the same answer under the same id
    await game.plays(REST)
    await game.ends(hands=1)


async def _accepted(game: Game) -> None:
    """The answer was taken, but its ruling was lost. The events tell so."""
    told = await _to_the_decision(game)
    await game.tell(told, [told.decision()])
    asked = await game.answer(told, "call")
    check_named(told, asked)
    _, answered, _ = told.rule(asked)
    game.keep(told, asked, answered)
    await game.cut()
    await game.resumes()
    # The flop is there, and the next decision: the old answer must not be given to it.
    await _asks_anew(game, told, asked, "check")
    await game.plays(REST.removeprefix("me check, "))
    await game.ends(hands=1)


async def _asks_anew(game: Game, told: Told, old: table_pb2.Propose, wish: str) -> None:
    """Asks for the next decision after a reconnect, and names a client that gives its old answer to it."""
    await game.tell(told, [told.decision()])
    asked = await game.answer(told, wish)
    if asked.proposal.action == old.proposal.action:
        seen = f"its old answer again ({told_action(old)}) as a new request, for decision {asked.proposal.decision_id}"
        raise FailedError(f"{wish}, for decision {told.legal().decision_id}", seen)
    await game.accepts(told, asked, wish)


async def _accepted_and_overtaken(game: Game) -> None:
    """As before, and the old answer would not be legal any more: what was checked must now be folded."""
    told = game.table("check-or-fold")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 call, p1 call")
    await game.tell(told, [told.decision()])
    asked = await game.answer(told, "check")
    check_named(told, asked)
    _, answered, _ = told.rule(asked)
    game.keep(told, asked, answered)
    await game.cut()
    told.act("p1 bet 30")
    await game.resumes()
    await _asks_anew(game, told, asked, "fold")
    await game.plays("p3 fold")
    await game.ends(hands=1)


async def _everywhere(game: Game) -> None:
    """The stream is cut after every kind of message."""
    told = game.table("check-or-call")
    await game.start()
    await game.begins()
    await _cut(game)  # after the snapshot
    opening = told.begin()
    await game.tell(told, opening[:1])
    await _cut(game)  # after a hand began, before its cards
    await game.acts("p3 raise 30")
    await game.tell(told, [told.item(heartbeat=table_pb2.Heartbeat(time_unix_ms=1))])
    await _cut(game, None)  # after a heartbeat
    await game.acts("p1 fold")
    await game.tell(told, [told.decision()])
    await _cut(game)  # after a decision, which is told again
    asked = await _answer_again(game, told, "call")
    _, answered, events = told.rule(asked)
    game.keep(told, asked, answered)
    await game.tell(told, [answered])
    await _cut(game)  # after the ruling, before what follows from it
    assert events, "a call has its event"
    await game.plays("me check, p3 check")
    await game.tell(told, [told.decision()])
    await _cut(game, None)  # while a discard is owed
    asked = await _answer_again(game, told, "discard")
    await game.accepts(told, asked, "discard")
    await _cut(game)  # after it, while others discard
    await game.plays("p3 discard, me check, p3 check, me check, p3 check")
    await _cut(game)  # after the hand
    await game.tell(told, [told.item(sealed=table_pb2.PieceSealed(seal=b"seal", index=1, checkpoint=b"note"))])
    await _cut(game)  # after a sealed piece
    await game.hand(f"p3 raise 30, p1 fold, me call, {REST}")
    await game.ends()


async def _cut(game: Game, code: grpc.StatusCode | None = grpc.StatusCode.UNAVAILABLE) -> None:
    await game.cut(code)
    await game.resumes()


async def _answer_again(game: Game, told: Told, wish: str) -> table_pb2.Propose:
    await game.tell(told, [told.decision()])
    asked = await game.answer(told, wish)
    check_named(told, asked)
    return asked


async def _no_end_item(game: Game) -> None:
    told = await _to_the_decision(game)
    await game.asks("call", told)
    await game.cut(None)
    try:
        await game.resumes()
    except FailedError as failed:
        if "process ended" in failed.seen or "nothing within" in failed.seen:
            seen = f"{failed.seen}; it takes the end of a stream for the end of the game"
            raise FailedError("a new stream: without an end item the game goes on", seen) from None
        raise
    await game.plays(REST)
    await game.ends(hands=1)


async def _gap(game: Game) -> None:
    told = await _to_the_decision(game)
    await game.asks("call", told)
    await game.tell(told, [told.decision()])
    asked = await game.answer(told, "check")
    check_named(told, asked)
    before = told.place
    _, answered, _ = told.rule(asked)
    game.keep(told, asked, answered)
    await game.tell(told, [answered])  # and the check itself is never told
    await game.tell(told, told.act("p3 check"))
    cursor = await game.attached(told, "the table attached again from before the gap", anew=True)
    if cursor is not None and cursor > before:
        raise FailedError(
            f"a cursor at event {before[1]}, before the gap", f"one at event {cursor[1]}: an event is missed"
        )
    await game.tell(told, [told.snapshot(told.after(cursor))])
    await game.plays("me discard, p3 discard, me check, p3 check, me check, p3 check")
    await game.ends(hands=1)


async def _gap_between_hands(game: Game) -> None:
    """The last event of a hand is missing, and later a whole hand: numbers begin anew with each hand."""
    told = game.table("check-or-call", {1: 500, 2: 500})
    await game.start()
    await game.begins()
    await game.hand(HEADS_UP, button=1)
    await game.tell(told, [*told.begin(button=1), *told.act("p1 fold")[:-1]])
    await _must_notice(game, told, told.begin(button=1))
    await game.plays(HEADS_UP)
    told.begin(button=1)
    told.act("p1 fold")
    await _must_notice(game, told, told.begin(button=1))
    await game.plays(HEADS_UP)
    await game.ends(hands=5)


async def _must_notice(game: Game, told: Told, beginning: list[Item]) -> None:
    """Tells the beginning of a hand before which something is missing, and expects that the table is resumed."""
    await game.tell(told, beginning)
    await game.resumes(told, "the table attached again from before the gap", anew=True)


async def _backoff(game: Game) -> None:
    """A server that ends every stream at once is tried more and more slowly."""
    told = await _to_the_decision(game)
    await game.asks("call", told)
    if game.command is None or not game.command.knows_backoff:
        raise NotExercisedError("waits that begin with --backoff-ms", "a client that is not told how long to wait")
    began = time.monotonic()
    for _ in range(FRUITLESS):
        await game.cut()
        await game.attached(told)
    waited_s = time.monotonic() - began
    least_s = game.command.backoff_ms / 1000 * (2**FRUITLESS - 1) / 2  # a part of each wait may be left to chance
    if waited_s < least_s:
        raise FailedError(
            f"{FRUITLESS} attempts spread over {least_s:g} s or more: each wait is longer than the one before",
            f"{FRUITLESS} attempts within {waited_s:.3f} s",
        )
    await game.tell(told, [told.snapshot()])
    await game.plays(REST)
    await game.ends(hands=1)


async def _told_again(game: Game) -> None:
    """Events that the client has seen come again: they change nothing."""
    told = await _to_the_decision(game, "bet-pot")
    await game.asks("raise 95", told)
    await game.acts("p3 call")
    await game.cut()
    await game.attached(told)
    await game.tell(told, [told.snapshot(told.log[-4:])])
    await game.tell(told, [told.item(event=event) for event in told.log])
    await game.plays("me bet 195, p3 fold")
    await game.ends(hands=1)


async def _silence(game: Game) -> None:
    told = game.table("check-or-call")
    await game.start(looks_at_silence=True)
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 30, p1 fold")
    await game.asks_patiently("call", told)
    if game.command is None or not game.command.knows_silence:
        raise NotExercisedError(
            "a reconnect after --heartbeat-ms of silence", "a client that is not told how long to wait"
        )
    silence_s = game.command.heartbeat_ms / 1000
    for _ in range(5):  # together longer than the silence that it bears
        await asyncio.sleep(silence_s / 3)
        await game.tell(told, [table_pb2.PlayResponseItem(heartbeat=table_pb2.Heartbeat(time_unix_ms=1))])
    await game.is_quiet("no new stream while heartbeats come")
    game.forsake(told)
    await game.resumes(told, f"a new stream after {silence_s:g} s without a heartbeat")
    await game.plays(REST)
    await game.ends(hands=1)


async def _slow_reader(game: Game) -> None:
    """A burst of hands without a decision, and the stream is ended because the client was too slow to read it."""
    told = game.table("check-or-call", {1: 500, 2: 500})
    await game.start()
    await game.begins()
    for number in range(BURST_HANDS):
        await game.tell(told, [*told.begin(button=1), *told.act("p1 fold")])
        if number == BURST_HANDS // 2:
            await game.tell(told, [told.end(table_pb2.STREAM_END_REASON_TOO_SLOW)])
            await game.resumes(told, "the table attached again from where the client had got to", anew=True)
    await game.hand(
        "p1 raise 30, me call, me check, p1 check, p1 discard, me discard, me check, p1 check, me check, p1 check",
        button=1,
    )
    await game.ends(hands=BURST_HANDS + 1)


async def _restart(game: Game) -> None:
    told = await _to_the_decision(game)
    await game.tell(told, [told.decision()])
    await game.answer(told, "call")
    await game.restart()
    await game.resumes(told)
    await game.asks("call", told)
    await game.restart()
    await game.resumes(told)
    await game.plays(REST)
    await game.ends(hands=1)


_LOST: Final = "docs/bot-author.md (Lost connections, Without this SDK)"

SCENARIOS: Final = (
    Scenario(
        "answer-unacknowledged",
        "an answer that was not acknowledged is sent again unchanged, under its own request id",
        f"{_LOST}, BET-9",
        _unacknowledged,
    ),
    Scenario(
        "answer-accepted",
        "an answer whose ruling was lost, and which the events show, is not given again",
        f"{_LOST}, BET-9",
        _accepted,
    ),
    Scenario(
        "answer-overtaken",
        "after a reconnect the next decision gets an answer of its own, not the old one",
        f"{_LOST}, BET-9",
        _accepted_and_overtaken,
    ),
    Scenario(
        "cut-everywhere",
        "cut after every kind of message: resumed from the last event seen, and played on",
        _LOST,
        _everywhere,
    ),
    Scenario(
        "end-without-item",
        "a stream that ends without an end item is a lost connection, not the end of the game",
        _LOST,
        _no_end_item,
    ),
    Scenario("gap", "a missing event is noticed, and the table resumed from before it", _LOST, _gap),
    Scenario(
        "gap-between-hands",
        "a missing end of a hand, and a whole missing hand, are noticed, and the table resumed from before them",
        _LOST,
        _gap_between_hands,
    ),
    Scenario(
        "backoff",
        "a server that ends every stream at once is tried more and more slowly",
        "docs/bot-author.md (Lost connections, Without this SDK); --backoff-ms",
        _backoff,
    ),
    Scenario("told-again", "events that come again change nothing", _LOST, _told_again),
    Scenario(
        "heartbeats",
        "heartbeats keep a quiet stream; silence means a lost connection",
        f"{_LOST}; heartbeat_ms of GetServerInfo",
        _silence,
    ),
    Scenario(
        "slow-reader",
        "a burst that ends with TOO_SLOW is resumed from where the client had got to",
        f"{_LOST}; items_queued_for_a_reader and items_queued_for_a_table of GetServerInfo",
        _slow_reader,
    ),
    Scenario(
        "server-restart",
        "the server goes away and comes back, twice in a hand: resumed, and nothing counts twice",
        f"{_LOST}; docs/operator.md (Stop, upgrade, and crash)",
        _restart,
    ),
)
