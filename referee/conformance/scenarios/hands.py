"""Whole hands in every structure. A bet of the pot is right only if every chip in the middle was followed."""

from typing import Final

from referee.conformance.game import Game
from referee.conformance.verdicts import Scenario
from referee.rules.ruleset import AnteKind, DiscardPoint, DiscardVisibility, Limit, RuleSet, Stakes
from referee.rules.ruleset import Game as Rules

EVERY_LIMIT: Final = (Limit.NO_LIMIT, Limit.POT_LIMIT, Limit.FIXED_LIMIT)
FIVE_CARDS: Final = RuleSet(
    "conformance/five-cards", 1, Rules(5, 3, DiscardPoint.BEFORE_FLOP, DiscardVisibility.JOINS_BOARD), EVERY_LIMIT
)


async def _no_limit(game: Game) -> None:
    game.table("bet-pot", {1: 3000, 2: 3000, 3: 3000})
    await game.start()
    await game.begins()
    await game.hand(
        """p3 call, p1 call, me raise 40, p3 call, p1 fold
        me bet 90, p3 call
        p3 discard, me discard
        me bet 270, p3 call
        me bet 810, p3 fold""",
        holes={2: "Ah Kd 7c 2s", 3: "Qh Qd 8c 3s"},
        board="Qc 9h 5d 4s Jh",
    )
    # On the small blind, over a raise.
    await game.hand("p1 raise 30, me raise 100, p3 fold, p1 raise 300, me raise 910, p1 fold", button=1)
    await game.ends(hands=2)


async def _pot_limit(game: Game) -> None:
    game.table("bet-pot", {1: 5000, 2: 5000, 3: 5000}, limit=Limit.POT_LIMIT)
    await game.start()
    await game.begins()
    await game.hand(
        """p3 raise 35, p1 call, me raise 140, p3 call, p1 fold
        me bet 315, p3 call, me discard, p3 discard
        me bet 945, p3 fold"""
    )
    await game.ends(hands=1)


async def _fixed_limit(game: Game) -> None:
    game.table("bet-pot", rule_set="irish/french-limit@1", limit=Limit.FIXED_LIMIT)
    await game.start()
    await game.begins()
    await game.hand(
        """p3 call, p1 call, me raise 20, p3 raise 30, p1 fold, me raise 40, p3 call
        me discard, p3 discard
        me bet 10, p3 raise 20, me raise 30, p3 raise 40, me call
        me bet 20, p3 call
        me bet 20, p3 fold"""
    )
    await game.ends(hands=1)


async def _holdem(game: Game) -> None:
    game.table("check-or-call", {1: 500, 2: 500}, rule_set="holdem/tda@1")
    await game.start()
    await game.begins()
    await game.hand(
        """me call, p1 check, p1 check, me check, p1 bet 20, me call, p1 bet 60, me call""",
        holes={1: "As Ad", 2: "Kh Kd"},
        board="2c 3d 8h 9s Jc",
    )
    await game.hand("p1 raise 30, me call, me check, p1 check, me check, p1 bet 470, me call", button=1)
    await game.ends(hands=2)


async def _antes(game: Game) -> None:
    game.table("bet-pot", {1: 900, 2: 900, 3: 900}, stakes=Stakes(5, 10, ante_kind=AnteKind.EACH, ante=2))
    await game.start()
    await game.begins()
    await game.hand("p3 call, p1 fold, me raise 41, p3 call, me bet 93, p3 fold")
    await game.ends(hands=1)


async def _game_as_data(game: Game) -> None:
    game.table("bet-pot", {1: 900, 2: 900, 3: 900}, rule_set=FIVE_CARDS)
    await game.start()
    await game.begins()
    await game.hand(
        """p3 call, p1 call, me raise 40, p3 call, p1 fold
        p3 discard, me discard
        me bet 90, p3 call, me bet 270, p3 fold"""
    )
    await game.ends(hands=1)


async def _folding(game: Game) -> None:
    game.table("check-or-fold")
    await game.start()
    await game.begins()
    await game.hand("p3 raise 30, p1 fold, me fold")
    # The hand goes on without the client, which is told of it to its end.
    await game.hand(
        """p1 raise 20, me fold, p3 call, p3 check, p1 bet 40, p3 call
        p1 discard, p3 discard, p3 check, p1 bet 80, p3 fold""",
        button=1,
    )
    await game.hand("p3 call, p1 call, me check, p1 check, me check, p3 bet 30, p1 fold, me fold")
    await game.ends(hands=3)


async def _side_pots(game: Game) -> None:
    game.table("bet-pot", {1: 60, 2: 3000, 3: 150, 4: 3000})
    await game.start()
    await game.begins()
    await game.hand(
        """p3 raise 150, p4 call, p1 call, me raise 660, p4 call
        me bet 1530, p4 call
        p1 discard, me discard, p4 discard, p3 discard
        me bet 810, p4 fold""",
        holes={1: "As Ad 2c 3c", 2: "Kh Kd 7c 8s", 3: "Qs Qd 4h 5h", 4: "Js Jd 9c 6h"},
        board="Kc 9h 5d 2s 3d",
    )
    await game.ends(hands=1)


async def _large_amounts(game: Game) -> None:
    """Near 2^53, of which nothing fits 32 bits, and a percentage not into the digits of a floating number."""
    game.table("bet-pot", dict.fromkeys((1, 2, 3), 2_900_000_000_000_001))
    await game.start()
    await game.begins()
    await game.hand(
        """p3 raise 700000000000003, p1 fold, me raise 2100000000000014, p3 call
        me bet 799999999999987, p3 fold"""
    )
    await game.ends(hands=1)


_BETS: Final = "docs/bot-author.md (Decide), SIZE-1 to SIZE-8; match conformance.bet-pot"

SCENARIOS: Final = (
    Scenario(
        "hand-no-limit",
        "no-limit Irish: pot-sized bets of the right size through two hands, cards discarded",
        _BETS,
        _no_limit,
    ),
    Scenario("hand-pot-limit", "pot-limit Irish: pot-sized bets are the maximum", _BETS, _pot_limit),
    Scenario(
        "hand-fixed-limit",
        "fixed-limit Irish, discard before the betting on the flop: the one size, and a call at the cap",
        _BETS,
        _fixed_limit,
    ),
    Scenario(
        "hand-holdem",
        "heads-up hold'em: two hands checked and called to the showdown",
        "BLIND-2, BET-2; match conformance.check-or-call",
        _holdem,
    ),
    Scenario("hand-antes", "antes count for the size of the pot", "BLIND-5, SIZE-4; match conformance.bet-pot", _antes),
    Scenario(
        "hand-game-as-data",
        "a rule set of the host's own: five cards, three discarded before the flop onto the board",
        "GAME-3; match conformance.bet-pot",
        _game_as_data,
    ),
    Scenario(
        "side-pots",
        "two players all-in for less, a side pot, an uncalled bet that goes back",
        "POT-1, POT-2, BET-6; match conformance.bet-pot",
        _side_pots,
    ),
    Scenario("hand-large-amounts", "amounts up to 2^53 chips are exact", _BETS, _large_amounts),
    Scenario(
        "hand-folded",
        "folds to a bet, follows the hand without it, and plays the next one",
        "BET-2; match conformance.check-or-fold",
        _folding,
    ),
)
