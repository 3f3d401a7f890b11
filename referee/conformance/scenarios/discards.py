"""The discard round: in any order, by all-in players too, and a wrong one that is refused and made good."""

from typing import Final

from referee.conformance.game import Game
from referee.conformance.poker_told import PokerTold
from referee.conformance.verdicts import FailedError, NotExercisedError, Scenario
from referee.conformance.wording import check_named, told_action
from referee.rules.ruleset import CRAZY_PINEAPPLE, Limit, RuleSet

ONE_CARD: Final = RuleSet("conformance/one-card", 1, CRAZY_PINEAPPLE, (Limit.NO_LIMIT,), hide_discard_progress=True)
_TO_THE_DISCARD: Final = "p3 call, p1 call, me check, p1 check, me check, p3 check"


async def _any_order(game: Game) -> None:
    game.table("check-or-call")
    await game.start()
    await game.begins()
    for order in (
        "me discard, p1 discard, p3 discard",
        "p1 discard, me discard, p3 discard",
        "p3 discard, p1 discard, me discard",
    ):
        await game.hand(
            f"{_TO_THE_DISCARD}, {order}, p1 check, me check, p3 bet 20, p1 fold, me call, me check, p3 check"
        )
    await game.ends(hands=3)


async def _discards_while_others_do(game: Game) -> None:
    """The decision is open while others discard: it stays the same decision (DISC-3)."""
    told = game.table("check-or-call")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays(_TO_THE_DISCARD)
    decision = told.decision()
    await game.tell(told, [*told.act("p3 discard"), decision, *told.act("p1 discard")])
    asked = await game.answer(told, "discard")
    await game.accepts(told, asked, "discard")
    await game.plays("p1 check, me check, p3 bet 10, p1 fold, me call, me check, p3 check")
    await game.ends(hands=1)


async def _all_in_player(game: Game) -> None:
    game.table("check-or-call", {1: 500, 2: 60, 3: 500})
    await game.start()
    await game.begins()
    await game.hand(
        """p3 raise 60, p1 call, me call, p1 bet 100, p3 call
        me discard, p3 discard, p1 discard, p1 check, p3 check, p1 check, p3 check"""
    )
    await game.ends(hands=1)


async def _wrong(game: Game) -> None:
    told = game.table("wrong-discard")
    await game.start()
    await game.begins()
    await _refused_once(game, told)
    await game.ends(refusals=1, hands=1)


async def _wrong_one_card(game: Game) -> None:
    told = game.table("wrong-discard", rule_set=ONE_CARD)
    await game.start()
    await game.begins()
    await _refused_once(game, told)
    await game.ends(refusals=1, hands=1)


async def _refused_once(game: Game, told: PokerTold) -> None:
    await game.tell(told, told.begin())
    await game.plays(_TO_THE_DISCARD)
    owed = told.legal().discard
    await game.tell(told, [told.decision()])
    first = await game.answer(told, "a wrong discard")
    check_named(told, first)
    ruling = told.would_rule(first)
    if ruling.accepted:
        raise NotExercisedError("a discard of another number of cards", told_action(first))
    answered = told.answered(first, ruling)
    game.keep(told, first, answered)
    await game.tell(told, [answered])
    second = await game.answer(told, f"a discard of {owed}")
    if second.request_id == first.request_id:
        raise FailedError("a new request id for a new answer", "the id of the refused one")
    await game.accepts(told, second, "discard")
    await game.plays("p1 discard, p3 discard, p1 check, me check, p3 bet 20, p1 fold, me call, me check, p3 check")


_SOURCE: Final = "docs/bot-author.md (Discard), DISC-2, DISC-3; match conformance"

SCENARIOS: Final = (
    Scenario(
        "discard-any-order",
        "discards first, second and last of three, before whom it may be",
        f"{_SOURCE}.check-or-call",
        _any_order,
    ),
    Scenario(
        "discard-beside-others",
        "others discard while its own decision is open: it is the same decision",
        f"{_SOURCE}.check-or-call",
        _discards_while_others_do,
    ),
    Scenario(
        "discard-all-in",
        "an all-in player discards, and is asked nothing else",
        "DISC-4, BET-5; match conformance.check-or-call",
        _all_in_player,
    ),
    Scenario(
        "wrong-discard",
        "a discard of too few cards is refused, and made good at the same decision",
        f"{_SOURCE}.wrong-discard",
        _wrong,
    ),
    Scenario(
        "wrong-discard-one",
        "a discard of too many cards is refused, and made good at the same decision",
        f"{_SOURCE}.wrong-discard",
        _wrong_one_card,
    ),
)
