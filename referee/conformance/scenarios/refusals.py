"""Answers that are refused: made good inside the same clock, or overtaken by the clock."""

from typing import Final

from referee.conformance.game import Game
from referee.conformance.told import Item, Told
from referee.conformance.verdicts import FailedError, NotExercisedError, Scenario
from referee.conformance.wording import check_named, told_action
from referee.v1 import table_pb2

CLOCK_MS: Final = 5_000


async def refused_once(game: Game, told: Told, wish: str, reason: int = 0) -> None:
    """The first answer is refused as the rules say; the next one is for the same decision, and new.

    ``reason`` above 0 is told in place of the real one.
    """
    first, answered = await _refused(game, told, reason)
    await game.tell(told, [answered])
    second = await _made_good(game, told, first, wish)
    await game.accepts(told, second, wish)


async def _refused(game: Game, told: Told, reason: int = 0) -> tuple[table_pb2.Propose, Item]:
    """An answer that is refused, and its refusal, which is not told yet."""
    await game.tell(told, [told.decision(CLOCK_MS)])
    first = await game.answer(told, "something that is refused")
    check_named(told, first)
    ruling = told.would_rule(first)
    if ruling.accepted:
        raise NotExercisedError("something that is refused", told_action(first))
    answered = told.answered(first, ruling)
    if reason:
        told_ruling = answered.answered.kozel if answered.answered.HasField("kozel") else answered.answered.ruling
        told_ruling.reason = reason  # type: ignore[assignment]
    game.keep(told, first, answered)
    return first, answered


async def _made_good(game: Game, told: Told, first: table_pb2.Propose, wish: str) -> table_pb2.Propose:
    second = await game.answer(told, wish)
    if second.request_id == first.request_id:
        raise FailedError("a new request id for a new answer", "the id of the refused one")
    return second


async def _cut_beside_refusals(game: Game) -> None:
    """The stream is cut with a refusal on its way, and again with the answer that makes it good."""
    told = game.table("refused-first")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 500, p1 fold")
    first, _ = await _refused(game, told)
    await game.cut()
    await game.resumes()
    await game.tell(told, [told.decision(CLOCK_MS)])
    # The same request comes again, is told its refusal, and only then there is a second answer.
    await _made_good(game, told, first, "call")
    await game.cut()
    await game.resumes()
    await game.asks("call", told, CLOCK_MS)
    await game.plays("me discard, p3 discard")
    await game.ends(refusals=1, hands=1)


async def _retry(game: Game) -> None:
    told = game.table("refused-first")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 30, p1 fold")
    await refused_once(game, told, "call")
    await refused_once(game, told, "check")
    await game.plays("p3 bet 40")
    await refused_once(game, told, "call")
    await game.plays("me discard, p3 discard")
    await refused_once(game, told, "check")
    await game.plays("p3 check")
    await refused_once(game, told, "check")
    await game.plays("p3 check")
    await game.ends(refusals=5, hands=1)


async def _stale(game: Game) -> None:
    """The clock was faster: the answer comes for a decision that is not open any more."""
    told = game.table("check-or-call")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 call, p1 call")
    late = await _asked_too_late(game, told)
    # The ruling is told before what has happened since, and after it.
    overtaken = [*told.act("p2 time"), *told.act("p1 bet 20")]
    await game.tell(told, [_overtaken(game, told, late), *overtaken, told.decision()])
    await _answers_anew(game, told, late, "call")
    await game.plays("p3 fold, p1 discard, me discard, p1 check")
    late = await _asked_too_late(game, told)
    overtaken = [*told.act("p2 time"), *told.act("p1 bet 20")]
    await game.tell(told, [*overtaken, told.decision(), _overtaken(game, told, late)])
    await _answers_anew(game, told, late, "call")
    # Whether a client counts an answer that came too late as refused is its own affair.
    await game.ends(hands=1, refusals=None)


def _overtaken(game: Game, told: Told, late: table_pb2.Propose) -> Item:
    """The refusal of an answer for which the time was over."""
    answered = told.answered(late, told.would_rule(late))
    game.keep(told, late, answered)
    return answered


async def _asked_too_late(game: Game, told: Told) -> table_pb2.Propose:
    await game.tell(told, [told.decision(CLOCK_MS)])
    late = await game.answer(told, "check")
    check_named(told, late)
    return late


async def _answers_anew(game: Game, told: Told, late: table_pb2.Propose, wish: str) -> None:
    asked = await game.answer(told, wish)
    if asked.request_id == late.request_id:
        raise FailedError("a new request id for a new decision", "the id of the answer that came too late")
    await game.accepts(told, asked, wish)


async def _repeated(game: Game) -> None:
    """A decision is told again on the same stream: nobody is asked twice."""
    told = game.table("check-or-call")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 30, p1 fold")
    await game.tell(told, [told.decision(CLOCK_MS), told.decision(CLOCK_MS)])
    asked = await game.answer(told, "call")
    await game.accepts(told, asked, "call")
    # Whatever came twice is answered as before; an answer to the next decision must come all the same.
    await game.plays("me check, p3 check, me discard, p3 discard, me check, p3 check, me check, p3 check")
    await game.ends(hands=1)


SCENARIOS: Final = (
    Scenario(
        "refusal-retry",
        "a refused answer is replaced by a legal one: same decision, new request id, inside one clock",
        "docs/bot-author.md (Refusals, Clocks), BET-8, BET-9, TIME-1; match conformance.refused-first",
        _retry,
    ),
    Scenario(
        "refusal-cut",
        "a refusal that was lost is asked for again unchanged; later the second answer is sent again, not the first",
        "docs/bot-author.md (Refusals, Lost connections), BET-9; match conformance.refused-first",
        _cut_beside_refusals,
    ),
    Scenario(
        "stale-decision",
        "an answer that the clock overtook is refused, and only the decision that is open now is answered",
        "BET-9, TIME-2; match conformance.check-or-call",
        _stale,
    ),
    Scenario(
        "decision-twice",
        "a decision that is told twice is answered once: with one request id",
        "BET-9; docs/bot-author.md (Without this SDK)",
        _repeated,
    ),
)
