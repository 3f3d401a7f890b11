"""Small games in which everything that can happen is tried: every legal line, and everywhere a menu of proposals."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from referee.rules.cards import UNKNOWN
from referee.rules.hand import open_seats
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    AllInExposure,
    AnteKind,
    CapHeadsUp,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    Game,
    LateMinimum,
    OpenFold,
    ShowdownOrder,
)
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import NOBODY, HandSetup, Post, hole_positions
from referee_reference import judge
from tests.model.both_judges import BothJudges
from tests.support import FL, NL, PL, options, rules, setup_of

EACH = {"ante_kind": AnteKind.EACH, "ante": 1}
BIG = {"ante_kind": AnteKind.BIG_BLIND, "ante": 1}
SPLIT = {"holes": {1: "AcKd", 2: "AdKc", 3: "AhKs"}, "board": "2c 3d 8h 9s Tc"}
"""Hands that tie, so that pots are shared and chips are odd."""
ALLOW = OpenFold.ALLOW
OPEN_BOARD = Game(2, 1, DiscardPoint.BEFORE_FLOP_BETTING, DiscardVisibility.JOINS_BOARD)


def tiny(stacks: list[int], limit: int, game: Game = HOLDEM, more: dict | None = None, **options: object) -> HandSetup:
    return setup_of(stacks, rules(game, **options), limit, **({"blinds": (1, 2)} | (more or {})))


def unseen(setup: HandSetup) -> HandSetup:
    """The same hand as a record tells it that never saw the cards of seat 1, which gave them up."""
    gone = hole_positions(setup, setup.seats.index(1))
    deck = tuple(UNKNOWN if place in gone else card for place, card in enumerate(setup.deck))
    return replace(setup, deck=deck, mucked_unseen=(1,))


BOUNDED = {
    "no-limit, two seats": tiny([6, 5], NL, more=SPLIT),
    "no-limit, three seats": tiny([4, 5, 3], NL, more=SPLIT),
    "no-limit, three seats, antes": tiny([6, 3, 5], NL, more=EACH | SPLIT),
    "no-limit, antes that some cannot pay": tiny([6, 2, 7], NL, more={"ante_kind": AnteKind.EACH, "ante": 3} | SPLIT),
    "no-limit, big-blind ante, open folds": tiny([5, 4, 3], NL, more=BIG | SPLIT, open_fold=ALLOW),
    "no-limit, late minimum": tiny([7, 7], NL, late_minimum=LateMinimum.BIG_BET),
    "no-limit, chips of two": tiny([8, 6, 6], NL, more={"blinds": (2, 4), "chip_unit": 2} | SPLIT),
    "no-limit, no small blind, last round decides": tiny(
        [3, 4, 3], NL, more={"small_blind_seat": NOBODY}, showdown_order=ShowdownOrder.FINAL_ROUND
    ),
    "no-limit, posts": tiny([4, 4, 3], NL, more={"posts": [Post(3, 2, 1)]}),
    "no-limit, a post ahead of short blinds, open folds": tiny(
        [4, 1, 4, 4], NL, more={"blinds": (0, 2), "posts": [Post(3, 2, 0)]}, open_fold=ALLOW
    ),
    "no-limit, folds against the rules": tiny(
        [2, 1, 6, 6], NL, more={"blinds": (0, 4), "posts": [Post(3, 4, 0)]} | SPLIT
    ),
    "no-limit, hands tabled, rake": tiny(
        [3, 5, 4], NL, more=SPLIT | {"rake_basis_points": 2000, "rake_cap": 2}, all_in_exposure=AllInExposure.TABLE_ALL
    ),
    "no-limit, an unknown hand given up": unseen(tiny([5, 2, 5], NL)),
    "pot-limit, short big blind": tiny([5, 1, 6], PL, more=SPLIT),
    "pot-limit, two seats": tiny([7, 7], PL),
    "fixed-limit, two seats": tiny([9, 8], FL),
    "fixed-limit, no cap": tiny([9, 9], FL, max_raises=0, cap_heads_up=CapHeadsUp.UNCAPPED),
    "fixed-limit, three seats": tiny([3, 5, 6], FL, more=SPLIT, max_raises=1),
    "fixed-limit, no cap where two began": tiny([6, 6, 4], FL, max_raises=0, cap_heads_up=CapHeadsUp.UNCAPPED),
    "fixed-limit, short all-ins": tiny([5, 6, 7, 7], FL, more={"blinds": (2, 4)}, max_raises=1),
    "irish, two seats": tiny([3, 3], NL, IRISH),
    "irish, late discards fold": tiny([4, 3], NL, IRISH, discard_timeout=DiscardTimeout.FOLD),
    "irish before the flop betting": tiny([3, 4], FL, IRISH_BEFORE_FLOP_BETTING, hide_discard_progress=True),
    "pineapple": tiny([3, 4], PL, PINEAPPLE, all_in_exposure=AllInExposure.SHOW_ALL),
    "crazy pineapple": tiny([3, 3], NL, CRAZY_PINEAPPLE, all_in_exposure=AllInExposure.TABLE_ALL),
    "discards join the board": tiny([3, 3, 1], NL, OPEN_BOARD, discard_timeout=DiscardTimeout.FOLD),
}

FULL = {
    "fixed-limit, three seats, short all-ins": tiny([5, 11, 9], FL, more={"blinds": (2, 4)}, max_raises=1),
    "discards join the board, three seats": tiny([3, 3, 3], NL, OPEN_BOARD, discard_timeout=DiscardTimeout.FOLD),
    "pineapple, three seats": tiny([3, 4, 3], PL, PINEAPPLE, all_in_exposure=AllInExposure.SHOW_ALL),
    "irish, three seats, late discards fold": tiny([4, 3, 3], NL, IRISH, discard_timeout=DiscardTimeout.FOLD),
    "pot-limit, two seats, 9 chips": tiny([9, 9], PL),
    "no-limit, three seats, 6 chips": tiny([6, 6, 6], NL, more=SPLIT),
    "no-limit, four seats, 4 chips": tiny([4, 4, 3, 4], NL),
    "pot-limit, two seats, 12 chips": tiny([12, 12], PL),
    "pot-limit, three seats, 9 chips": tiny([9, 8, 7], PL, more=SPLIT),
    "fixed-limit, two seats, 12 chips": tiny([12, 12], FL),
    "fixed-limit, three seats, 6 chips": tiny([6, 6, 6], FL),
    "irish, two seats, 6 chips": tiny([6, 6], PL, IRISH),
    "irish before the flop betting, three seats": tiny([3, 4, 3], FL, IRISH_BEFORE_FLOP_BETTING),
}


def legal(both: BothJudges, all_discards: bool) -> Iterator[Proposal]:
    """Every legal act; in the discard round clockwise and, unless every choice is wanted, the first and last cards."""
    seats = open_seats(both.hand)
    for seat in seats[:1]:
        choice = judge.options(both.second.following(), seat)
        assert choice is not None
        if choice.discard:
            held = both.hand.hole[both.hand.index_of(seat)]
            pairs = list(combinations(held, choice.discard))
            for gone in pairs if all_discards else {pairs[0], pairs[-1]}:
                yield Proposal(seat, ActionKind.DISCARD, 0, gone)
            yield Proposal(seat, ActionKind.TIMEOUT)
            continue
        if choice.fold:
            yield Proposal(seat, ActionKind.FOLD)
        yield Proposal(seat, ActionKind.CHECK if choice.check else ActionKind.CALL)
        if choice.highest:
            unit = both.setup.stakes.chip_unit
            for to in range(choice.lowest, choice.highest + 1, unit):
                yield Proposal(seat, ActionKind[choice.wager], to)


def menu(both: BothJudges) -> Iterator[Proposal]:
    """Every proposal that is tried at every point, legal or not."""
    most = max(both.setup.stacks) + 1
    for seat in (*both.setup.seats, 10):
        for kind in ActionKind:
            yield Proposal(seat, kind)
    for seat in open_seats(both.hand):
        for kind in (ActionKind.BET, ActionKind.RAISE):
            for to in range(-1, most + 1):
                yield Proposal(seat, kind, to)
        for decision in (-1, 1, 2, 9):
            yield Proposal(seat, ActionKind.CHECK, decision_id=decision)
        held = both.hand.hole[both.hand.index_of(seat)]
        for count in range(len(held) + 1):
            for gone in combinations(held, count):
                yield Proposal(seat, ActionKind.DISCARD, 0, gone)
        yield Proposal(seat, ActionKind.DISCARD, 0, held[:1] * 2)
        yield Proposal(seat, ActionKind.DISCARD, 0, (held[0], both.setup.deck[-1]))
        yield Proposal(seat, ActionKind.CALL, 1)
        yield Proposal(seat, ActionKind.FOLD, cards=held[:1])


@dataclass
class Counted:
    points: int = 0
    proposals: int = 0
    lines: int = 0


def walk(both: BothJudges, counted: Counted, all_discards: bool, wrong_folds: bool) -> None:
    """From here to every end, counting.

    ``wrong_folds`` takes folds with nothing owed as facts where they are refused: only so are folded chips ever above
    those of every live player (POT-3).
    """
    counted.points += 1
    proposals = list(menu(both))
    both.ask(*proposals)
    counted.proposals += len(proposals)
    if not both.is_asking():
        counted.lines += 1
        return
    for proposal in legal(both, all_discards):
        twin = both.fork()
        assert twin.propose(proposal).accepted
        walk(twin, counted, all_discards, wrong_folds)
    choice = options(both.hand, open_seats(both.hand)[0])
    if wrong_folds and choice.check and not choice.fold:
        twin = both.fork()
        twin.impose(Proposal(choice.seat, ActionKind.FOLD))
        walk(twin, counted, all_discards, wrong_folds)
