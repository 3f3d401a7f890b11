"""Sizes of wagers: the lowest, the highest, everything; and that they name the street total that they raise to."""

from typing import Final

from referee.conformance.game import Game
from referee.conformance.verdicts import Scenario
from referee.rules.ruleset import Limit


async def _minimum(game: Game) -> None:
    game.table("min-raise")
    await game.start()
    await game.begins()
    await game.hand("p3 raise 30, p1 fold, me raise 50, p3 call, me bet 10, p3 raise 40, me raise 70, p3 fold")
    await game.ends(hands=1)


async def _maximum(game: Game) -> None:
    game.table("max-raise", {1: 800, 2: 800, 3: 800}, limit=Limit.POT_LIMIT)
    await game.start()
    await game.begins()
    await game.hand("p3 call, p1 fold, me raise 35, p3 raise 110, me raise 335, p3 fold")
    await game.ends(hands=1)


async def _maximum_no_limit(game: Game) -> None:
    game.table("max-raise", {1: 800, 2: 640, 3: 800})
    await game.start()
    await game.begins()
    await game.hand("p3 call, p1 fold, me raise 640, p3 fold")
    await game.ends(hands=1)


async def _all_in(game: Game) -> None:
    game.table("all-in", {1: 500, 2: 200, 3: 500})
    await game.start()
    await game.begins()
    await game.hand("p3 raise 30, p1 fold, me raise 200, p3 call, p3 discard, me discard")
    # The level is above all that it has: a call takes everything.
    await game.hand("p3 raise 400, p1 fold, me call, me discard, p3 discard")
    # All that it has is less than a full raise.
    await game.hand(
        "p3 raise 30, p1 fold, me raise 45, p3 call, me discard, p3 discard", stacks={1: 500, 2: 45, 3: 500}
    )
    await game.ends(hands=3)


async def _completion(game: Game) -> None:
    game.table("min-raise", {1: 300, 2: 300, 3: 13}, rule_set="irish/tda@1", limit=Limit.FIXED_LIMIT)
    await game.start()
    await game.begins()
    await game.hand("p3 raise 13, p1 call, me raise 20, p1 call, p1 check, me bet 10, p1 fold, p3 discard, me discard")
    await game.ends(hands=1)


async def _raise_to(game: Game) -> None:
    game.table("min-raise", {1: 900, 2: 900, 3: 900})
    await game.start()
    await game.begins()
    await game.hand("p1 raise 40, me raise 70, p3 fold, p1 raise 200, me raise 330, p1 fold", button=1)
    await game.hand("p3 call, p1 call, me raise 20, p3 call, p1 call, p1 bet 50, me raise 100, p3 fold, p1 fold")
    await game.ends(hands=2)


SCENARIOS: Final = (
    Scenario(
        "min-raise", "the lowest raise and bet, no-limit", "SIZE-1, SIZE-3; match conformance.min-raise", _minimum
    ),
    Scenario("max-raise", "the highest raise, pot-limit", "SIZE-4; match conformance.max-raise", _maximum),
    Scenario(
        "max-raise-no-limit",
        "the highest raise, no-limit: everything",
        "SIZE-2; match conformance.max-raise",
        _maximum_no_limit,
    ),
    Scenario(
        "all-in",
        "everything: a full raise, a call for less, less than a full raise; and the discards after it",
        "SIZE-2, BET-6, DISC-4; match conformance.all-in",
        _all_in,
    ),
    Scenario(
        "fixed-limit-completion",
        "an all-in of less than half a bet is completed",
        "SIZE-8; match conformance.min-raise",
        _completion,
    ),
    Scenario(
        "raise-to",
        "a raise names the street total that it raises to, never the increment",
        "BET-2 and the rulebook's first section; docs/bot-author.md (Decide); match conformance.min-raise",
        _raise_to,
    ),
)
