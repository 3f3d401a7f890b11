"""Makes Irish hands of recorded hold'em hands: two unused cards more for everybody, which he discards."""

import random
from dataclasses import replace

from referee.record.hand_record import HandRecord, RecordedStep, Step
from referee.rules.cards import DECK_SIZE
from referee.rules.ruleset import IRISH, Limit, RuleSet
from referee.rules.setup import board_of, deck_from, hole_of


def dealt_as_irish(rng: random.Random, hole: tuple[int, ...], unused: list[int]) -> tuple[int, ...]:
    """Four hole cards: the two of the record and two unused ones, in any order."""
    four = [*hole, unused.pop(), unused.pop()]
    rng.shuffle(four)
    return tuple(four)


def unused_cards(rng: random.Random, used: tuple[int, ...]) -> list[int]:
    """The rest of the deck in random order."""
    rest = [card for card in range(DECK_SIZE) if card not in used]
    rng.shuffle(rest)
    return rest


def as_irish(record: HandRecord, rules: RuleSet | None = None) -> HandRecord:
    """The same hand as Irish: the discards come when the betting on the flop is over.

    Everything but the game is as it was in the record's rule set, unless another one is given.
    """
    setup = record.setup
    rng = random.Random(record.line)
    unused = unused_cards(rng, setup.deck)
    kept = [hole_of(setup, player) for player in range(len(setup.seats))]
    holes = tuple(dealt_as_irish(rng, hole, unused) for hole in kept)
    steps: list[RecordedStep] = []
    folded: set[int] = set()
    for step in record.steps:
        if step.step == Step.BOARD and sum(one.step == Step.BOARD for one in steps) == 1:
            for player, seat in enumerate(setup.seats):
                if seat not in folded:
                    extra = tuple(card for card in holes[player] if card not in kept[player])
                    steps.append(RecordedStep(Step.DISCARD, seat, cards=extra, line=step.line))
        if step.step == Step.FOLD:
            folded.add(step.seat)
        steps.append(step)
    own = setup.rule_set
    irish = rules or RuleSet(
        "test/irish",
        1,
        IRISH,
        tuple(Limit),
        showdown_order=own.showdown_order,
        all_in_exposure=own.all_in_exposure,
        max_raises=own.max_raises,
    )
    deck = deck_from(IRISH.hole_cards, holes, board_of(setup))
    return replace(record, setup=replace(setup, rule_set=irish, deck=deck), steps=tuple(steps))
