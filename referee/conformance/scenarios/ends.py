"""Ends that are told: those after which the table is resumed, and those after which it is not."""

from collections.abc import Awaitable, Callable
from typing import Final

from referee.conformance.game import Game
from referee.conformance.told import Told
from referee.conformance.verdicts import FailedError, Scenario
from referee.v1 import table_pb2

NEWER_REASON: Final = 99
REST: Final = "me check, p3 check, me discard, p3 discard, me check, p3 check, me check, p3 check"
RESUMED: Final = {
    "draining": table_pb2.STREAM_END_REASON_SERVER_DRAINING,
    "too-slow": table_pb2.STREAM_END_REASON_TOO_SLOW,
    "store-failed": table_pb2.STREAM_END_REASON_STORE_FAILED,
    "newer": NEWER_REASON,
}
FINAL: Final = {
    "replaced": table_pb2.STREAM_END_REASON_REPLACED,
    "detached": table_pb2.STREAM_END_REASON_DETACHED,
    "flooding": table_pb2.STREAM_END_REASON_FLOODING,
}


async def _under_way(game: Game) -> Told:
    told = game.table("check-or-call")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 30, p1 fold, me call")
    return told


def _resumed(reason: int) -> Callable[[Game], Awaitable[None]]:
    async def play(game: Game) -> None:
        told = await _under_way(game)
        await game.tell(told, [told.end(reason)])
        await game.resumes(told, f"the table attached again after {_name(reason)}", anew=True)
        # The end of the whole stream, which names no table, is the end of each.
        end = table_pb2.StreamEnd(reason=reason)  # type: ignore[arg-type]
        await game.tell(told, [table_pb2.PlayResponseItem(end=end)])
        await game.cut(None)
        await game.resumes(told, f"a new stream after {_name(reason)} without a table's id")
        await game.plays(REST)
        await game.ends(hands=1)

    return play


async def _cursor_unknown(game: Game) -> None:
    told = await _under_way(game)
    await game.cut()
    await game.attached(told)
    await game.tell(told, [told.end(table_pb2.STREAM_END_REASON_CURSOR_UNKNOWN)])
    told.proven = None
    cursor = await game.attached(told, "the table attached again without a cursor", anew=True)
    if cursor is not None:
        raise FailedError("no cursor: it was not known", f"the cursor {cursor} again")
    await game.tell(told, [told.snapshot(told.after(None))])
    await game.plays(REST)
    await game.ends()


def _final(reason: int) -> Callable[[Game], Awaitable[None]]:
    async def play(game: Game) -> None:
        told = await _under_way(game)
        await game.tell(told, [told.end(reason)])
        await game.is_final(_name(reason))
        game.printed(told, reason=_name(reason))

    return play


async def _not_allowed(game: Game) -> None:
    told = game.table("check-or-call")
    await game.start()
    await game.attached(told)
    await game.tell(told, [told.end(table_pb2.STREAM_END_REASON_NOT_ALLOWED)])
    await game.is_final("NOT_ALLOWED")
    game.printed(told, reason="NOT_ALLOWED")


async def _ended(game: Game) -> None:
    """The table ends in the middle of everything: nothing more is to be done."""
    told = await _under_way(game)
    await game.tell(told, [told.decision(), told.end()])
    await game.is_final("TABLE_ENDED", {0})
    game.printed(told, reason="TABLE_ENDED")


def _name(reason: int) -> str:
    if reason == NEWER_REASON:
        return "an unknown reason"
    return table_pb2.StreamEndReason.Name(reason).removeprefix("STREAM_END_REASON_")


_SOURCE: Final = "docs/bot-author.md (Without this SDK); StreamEndReason in proto/referee/v1/table.proto"

SCENARIOS: Final = (
    *[
        Scenario(f"end-{name}", f"{_name(reason)}: the table is resumed, from the cursor", _SOURCE, _resumed(reason))
        for name, reason in RESUMED.items()
    ],
    Scenario(
        "end-cursor-unknown", "CURSOR_UNKNOWN: the table is attached again without a cursor", _SOURCE, _cursor_unknown
    ),
    *[
        Scenario(f"end-{name}", f"{_name(reason)}: the table is left alone", _SOURCE, _final(reason))
        for name, reason in FINAL.items()
    ],
    Scenario("end-not-allowed", "NOT_ALLOWED at the first attach: the table is left alone", _SOURCE, _not_allowed),
    Scenario("end-table-ended", "TABLE_ENDED with a decision open: the table is left alone", _SOURCE, _ended),
)
