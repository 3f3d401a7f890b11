"""Decisions of hands that are really played, for the vectors about decisions: every structure, games given as data."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from referee.bots import make_bot
from referee.client import Bot, Decision, PlayedHand, play_match
from referee.record import wire
from referee.rules.cards import cards_text
from referee.rules.ruleset import (
    AnteKind,
    CapHeadsUp,
    DiscardPoint,
    DiscardVisibility,
    Game,
    Limit,
    RuleSet,
    Stakes,
    find_rule_set,
)
from referee.rules.rulings import ActionKind, LegalOptions, Proposal

PLAYERS: Final = ("random-legal", "random-legal", "random-legal", "always-call", "always-call", "all-in")
EVERY_LIMIT: Final = (Limit.NO_LIMIT, Limit.POT_LIMIT, Limit.FIXED_LIMIT)


class Kind(NamedTuple):
    """What a hand of the vectors plays."""

    name: str
    rule_set: RuleSet
    limit: Limit
    stakes: Stakes
    stacks: tuple[int, ...]


def _own(name: str, hole: int, discards: int, point: DiscardPoint, visibility: DiscardVisibility) -> RuleSet:
    return RuleSet(f"vectors/{name}", 1, Game(hole, discards, point, visibility), EVERY_LIMIT)


_JOINING: Final = _own("joining", 4, 2, DiscardPoint.AFTER_FLOP_BETTING, DiscardVisibility.JOINS_BOARD)
_SHOWN: Final = _own("shown", 5, 3, DiscardPoint.BEFORE_FLOP_BETTING, DiscardVisibility.SHOWN)
_EARLY: Final = _own("early", 3, 1, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN)

KINDS: Final = (
    Kind("no-limit Irish", find_rule_set("irish/full-tilt@1"), Limit.NO_LIMIT, Stakes(5, 10), (1000,) * 6),
    Kind("short stacks", find_rule_set("irish/full-tilt@1"), Limit.NO_LIMIT, Stakes(5, 10), (35, 80, 7, 300, 160)),
    Kind("pot-limit Irish", find_rule_set("irish/full-tilt@1"), Limit.POT_LIMIT, Stakes(5, 10), (400, 250, 1000)),
    Kind(
        "pot-limit, odd amounts",
        find_rule_set("irish/full-tilt@1"),
        Limit.POT_LIMIT,
        Stakes(3, 7, ante_kind=AnteKind.EACH, ante=1),
        (401, 333, 77, 999),
    ),
    Kind("fixed-limit Irish", find_rule_set("irish/french-limit@1"), Limit.FIXED_LIMIT, Stakes(5, 10), (333,) * 4),
    Kind("fixed-limit, short", find_rule_set("irish/french-limit@1"), Limit.FIXED_LIMIT, Stakes(5, 10), (33, 47, 200)),
    Kind("a late minimum", find_rule_set("irish/french-minimum@1"), Limit.NO_LIMIT, Stakes(5, 10), (500, 500)),
    Kind("heads-up hold'em", find_rule_set("holdem/online-limit@1"), Limit.FIXED_LIMIT, Stakes(10, 20), (500, 500)),
    Kind(
        "a chip unit and a big blind's ante",
        find_rule_set("irish/tda@1"),
        Limit.NO_LIMIT,
        Stakes(25, 50, ante_kind=AnteKind.BIG_BLIND, ante=50, chip_unit=25),
        (1000, 1025, 475, 2000),
    ),
    Kind("discards that join the board", _JOINING, Limit.NO_LIMIT, Stakes(1, 2), (60, 200, 200)),
    Kind("discards that are shown", _SHOWN, Limit.POT_LIMIT, Stakes(1, 2), (100, 150, 30)),
    Kind("a discard before the flop", _EARLY, Limit.FIXED_LIMIT, Stakes(2, 4), (100,) * 5),
    Kind(
        "no cap heads-up",
        RuleSet("vectors/uncapped", 1, _EARLY.game, EVERY_LIMIT, cap_heads_up=CapHeadsUp.UNCAPPED),
        Limit.FIXED_LIMIT,
        Stakes(2, 4),
        (100, 100),
    ),
    Kind(
        "large amounts",
        find_rule_set("irish/full-tilt@1"),
        Limit.NO_LIMIT,
        Stakes(5_000_000_000, 10_000_000_000),
        (1_000_000_000_000, 2_000_000_000_000_000, 4_000_000_000_000),
    ),
)


class Asked(NamedTuple):
    """A decision that somebody had, at a table of this kind."""

    kind: Kind
    decision: Decision


def asked(hands: int, *, seed: str) -> Iterator[Asked]:
    """The decisions of so many hands of each kind, random players' and callers'."""
    for kind in KINDS:
        rng = Random(f"{seed}/{kind.name}")
        for number in range(hands):
            decisions, _ = play(kind, f"{seed}/{kind.name}/{number}", rng)
            yield from [Asked(kind, decision) for decision in decisions]


def play(kind: Kind, seed: str, rng: Random) -> tuple[list[Decision], PlayedHand]:
    """One hand: every decision of every seat, and the hand."""
    decisions: list[Decision] = []

    def keeping(bot: Bot) -> Bot:
        def ask(decision: Decision) -> Any:
            decisions.append(decision)
            return bot(decision)

        return ask

    bots = [keeping(make_bot(rng.choice(PLAYERS), rng.randrange(1 << 30))) for _ in kind.stacks]
    names = [f"bot {seat}" for seat, _ in enumerate(bots, 1)]
    result = play_match(
        bots, kind.rule_set, kind.limit, kind.stakes, kind.stacks, 1, seed=seed, names=names, max_refusals=0
    )
    assert all([seat.refusals == 0 for seat in result.seats])
    return decisions, result.hands[0]


# --- as JSON --------------------------------------------------------------------------------------------


def cards_of(cards: tuple[int, ...]) -> list[str]:
    """Cards as texts."""
    return [cards_text((card,)) for card in cards]


def options_of(legal: LegalOptions) -> dict[str, Any]:
    """Legal options under the names of the contract's message, every field there."""
    message = wire.options_message(legal)
    return {
        "seat": message.seat,
        "decision_id": message.decision_id,
        "can_fold": message.can_fold,
        "can_check": message.can_check,
        "amount_to_call": message.amount_to_call,
        "wager": ("NONE", "BET", "RAISE")[message.wager],
        "min_raise_to": message.min_raise_to,
        "max_raise_to": message.max_raise_to,
        "raise_step": message.raise_step,
        "cards_to_discard": message.cards_to_discard,
        "held_cards": list(message.held_cards),
    }


def answer_of(proposal: Proposal) -> dict[str, Any]:
    """What is proposed."""
    told: dict[str, Any] = {"action": proposal.kind.name.lower()}
    if proposal.kind in (ActionKind.BET, ActionKind.RAISE):
        told["to"] = proposal.to
    if proposal.kind is ActionKind.DISCARD:
        told["cards"] = cards_of(proposal.cards)
    return told
