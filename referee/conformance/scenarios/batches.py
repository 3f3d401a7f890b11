"""Many tables on one stream: all that is ready goes out together, and one table's trouble is its own."""

from typing import Final

from referee.conformance.game import Game
from referee.conformance.told import Told
from referee.conformance.verdicts import FailedError, Scenario
from referee.v1 import table_pb2

TABLES: Final = 8
WISHES: Final = ("check-or-call", "min-raise", "all-in", "check-or-fold")


async def _begin(game: Game, tables: int) -> list[Told]:
    """Tables with different wishes, each at its client's first decision: to call 30 before the flop."""
    for number in range(tables):
        game.table(f"{WISHES[number % len(WISHES)]}.{number + 1}")
    await game.start()
    await game.attached_all()
    for told in game.tables:
        await game.tell(told, [told.snapshot(), *told.begin(), *told.act("p3 raise 30"), *told.act("p1 fold")])
    return game.tables


REST: Final = "me check, p3 check, me discard, p3 discard, me check, p3 check, me check, p3 check"
ANSWERS: Final = {"check-or-call": "call", "min-raise": "raise 50", "all-in": "raise 500", "check-or-fold": "fold"}


def _wish(told: Told) -> str:
    return ANSWERS[told.match_name.split(".")[1]]


async def _to_the_end(game: Game, told: Told) -> None:
    """What is left of a hand after the first answer."""
    wish = _wish(told)
    if wish == "call":
        await game.plays(REST, told)
    elif wish != "fold":
        await game.acts("p3 fold", told)


async def _batched(game: Game) -> None:
    tables = await _begin(game, TABLES)
    _check_max_open(game)
    before = game.messages
    await game.tell_all([told.decision() for told in tables])
    answers = await game.answers({told.table_id: (told, _wish(told)) for told in tables})
    messages = game.messages - before
    if messages >= TABLES:
        raise FailedError(
            f"fewer than {TABLES} messages for {TABLES} answers: all that are ready go out together",
            f"{messages} messages",
        )
    game.note(f"client: {TABLES} answers in {messages} message(s)")
    for told, asked in answers:
        await game.accepts(told, asked, _wish(told))
    for told in tables:
        await _to_the_end(game, told)
    await game.ends(hands=1)


def _check_max_open(game: Game) -> None:
    """Without being told of more the referee asks one table at a time."""
    if game.command is not None and game.command.knows_max_open and game.max_open != TABLES:
        raise FailedError(f"max_open_decisions {TABLES} beside the tables attached", f"{game.max_open}")


async def _one_interrupted(game: Game) -> None:
    """One table of four is interrupted; the others go on, and it is attached again, on this stream or on another."""
    tables = await _begin(game, 4)
    first = tables[0]
    await game.tell(first, [first.end(table_pb2.STREAM_END_REASON_TOO_SLOW)])
    await game.resumes(first, "the one table attached again", anew=True)
    await game.tell_all([told.decision() for told in tables])
    for told, asked in await game.answers({told.table_id: (told, _wish(told)) for told in tables}):
        await game.accepts(told, asked, _wish(told))
    for told in tables:
        await _to_the_end(game, told)
    await game.ends(hands=1)


async def _one_ended(game: Game) -> None:
    """One table of three ends; the others are played on."""
    first, *others = await _begin(game, 3)
    await game.tell(first, [first.end()])
    first.has_ended = True
    for told in others:
        await game.asks(_wish(told), told)
        await _to_the_end(game, told)
    await game.ends()


async def _all_cut(game: Game) -> None:
    """The one stream of four tables is cut while all are asked: all are resumed, and all answers are the same again."""
    tables = await _begin(game, 4)
    await game.tell_all([told.decision() for told in tables])
    await game.answers({told.table_id: (told, _wish(told)) for told in tables})
    await game.cut()
    cursors = await game.attached_all()
    for told in tables:
        await game.tell(told, [told.snapshot(told.after(cursors[told.table_id]))])
    await game.tell_all([told.decision() for told in tables])
    for told, asked in await game.answers({told.table_id: (told, _wish(told)) for told in tables}):
        await game.accepts(told, asked, _wish(told))
    for told in tables:
        await _to_the_end(game, told)
    await game.ends(hands=1)


_SOURCE: Final = "PlayRequest and PlayResponse in proto/referee/v1/table.proto; docs/bot-author.md (Live)"

SCENARIOS: Final = (
    Scenario(
        "tables-batched",
        f"{TABLES} tables on one stream, asked in one message: answers go out together",
        _SOURCE,
        _batched,
    ),
    Scenario(
        "tables-one-interrupted",
        "one table is interrupted and attached again; the others go on",
        _SOURCE,
        _one_interrupted,
    ),
    Scenario("tables-one-ended", "one table ends; the others go on", _SOURCE, _one_ended),
    Scenario(
        "tables-cut",
        "the stream of four tables is cut with four answers under way: all are given again unchanged",
        f"{_SOURCE}, BET-9",
        _all_cut,
    ),
)
