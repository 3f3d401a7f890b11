"""Every recorded hand settles as recorded, apart from the differences that the corpora's README explains.

A difference is put into a class with a rule id by a predicate that looks at the hand, not by its message; the classes
are counted, and nothing is left over.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from referee.judge import Finding, FindingKind, Judgement, findings_of, judge_record
from referee.record.hand_record import Step
from referee.rules.ruleset import HOLDEM, Limit, RuleSet
from referee.rules.state import NOT_ACTED
from tests.corpora.corpus import (
    GENERATED,
    LIMIT_HEADS_UP,
    NO_LIMIT_THREE,
    PLURIBUS,
    REAL_IRISH,
    WSOP,
    before_step,
    contest_minimum,
    judgements,
    needs_corpora,
    records,
    street_so_far,
)

pytestmark = needs_corpora

ROOM_RULES = RuleSet("test/room", 1, HOLDEM, tuple(Limit))
"""Hold'em with the default of every option, such as WALK_BACK: what rooms play."""

ODD_CHIPS = "POT-6: the source splits odd chips into parts"
SHORT_RAISE = "SIZE-3: after an all-in below the minimum the dealer asks for less than the largest raise"
REOPENED = "OPEN-2: for the dealer any all-in opens the betting again"


def splits_odd_chips(judgement: Judgement, finding: Finding) -> bool:
    """Every winner of a shared pot is off by less than a chip, nobody else is off, and the chips add up."""
    recorded = judgement.record.result.finishing_stacks
    if finding.step >= 0 or recorded is None or judgement.settlement is None:
        return False
    sharing = {seat for pot in judgement.settlement.pots if len(pot.winners) > 1 for seat in pot.winners}
    off = {
        player.seat: stack - player.stack_after
        for player, stack in zip(judgement.settlement.players, recorded, strict=True)
    }
    # The dealer prints six decimals; the reader takes them for the fractions that they stand for.
    return (
        sum(off.values()) == 0
        and all(abs(amount) < 1 for amount in off.values())
        and all(off[seat] == 0 for seat in off if seat not in sharing)
        and any(stack.denominator > 1 for stack in recorded)
    )


def last_raise(judgement: Judgement, index: int) -> int:
    """By how much the last wager of the street lifted the level, 0 when there was none."""
    levels = [before_step(judgement, index).setup.stakes.big_blind]
    if any(step.step == Step.BOARD for step in judgement.record.steps[:index]):
        levels = [0]
    levels += [step.to for step in street_so_far(judgement.record.steps[:index]) if step.step == Step.BET_OR_RAISE]
    return levels[-1] - levels[-2] if len(levels) > 1 else 0


def is_short_raise(judgement: Judgement, finding: Finding) -> bool:
    """Refused by SIZE-3 alone: the dealer measures by the last raise, an all-in or one after it, not the largest."""
    if finding.rule != "SIZE-3" or finding.step < 0:
        return False
    hand = before_step(judgement, finding.step)
    to = judgement.record.steps[finding.step].to
    return (
        0 < last_raise(judgement, finding.step) < hand.increment
        and contest_minimum(judgement, finding.step) <= to < hand.level + hand.increment
    )


def is_reopened(judgement: Judgement, finding: Finding) -> bool:
    """Refused by OPEN-2 alone: the player has acted, and short all-ins since then add up to less than a full raise."""
    if finding.rule != "OPEN-2" or finding.step < 0:
        return False
    hand = before_step(judgement, finding.step)
    step = judgement.record.steps[finding.step]
    player = hand.index_of(step.seat)
    all_chips = hand.bet[player] + hand.stack[player]
    return (
        hand.acted[player] != NOT_ACTED
        and 0 < hand.level - hand.acted[player] < hand.increment
        and (step.to >= contest_minimum(judgement, finding.step) or step.to == all_chips)
    )


CLASSES = {
    ODD_CHIPS: splits_odd_chips,
    SHORT_RAISE: is_short_raise,
    REOPENED: is_reopened,
}


def classified(name: str) -> Counter[str]:
    """How often each class of difference occurs in a corpus; fails on one that is in none, or in several."""
    counts: Counter[str] = Counter()
    for judgement in judgements(name):
        for finding in judgement.findings:
            fitting = [label for label, predicate in CLASSES.items() if predicate(judgement, finding)]
            assert len(fitting) == 1, (name, judgement.record.line, finding, fitting)
            counts[fitting[0]] += 1
        splits = any(splits_odd_chips(judgement, finding) for finding in judgement.findings)
        assert splits or is_settled_as_recorded(judgement), (name, judgement.record.line)
    return counts


def is_settled_as_recorded(judgement: Judgement) -> bool:
    """Asked of the settlement itself, so that it does not depend on what the judge compares."""
    settlement, recorded = judgement.settlement, judgement.record.result.finishing_stacks
    assert settlement is not None
    return settlement.over and [Fraction(player.stack_after) for player in settlement.players] == list(recorded or ())


@pytest.mark.rule("POT-1", "POT-5", "RANK-1", "RANK-4")
def test_pluribus_hands_settle_as_recorded() -> None:
    assert classified(PLURIBUS) == {}


@pytest.mark.rule("BLIND-5", "BLIND-6", "SIZE-5", "POT-2")
def test_wsop_hands_settle_as_recorded() -> None:
    assert classified(WSOP) == {}
    assert {record.setup.limit for record in records(WSOP)} == {Limit.NO_LIMIT, Limit.FIXED_LIMIT}


@pytest.mark.rule("BLIND-2", "SIZE-5", "SIZE-6")
def test_heads_up_limit_hands_settle_as_recorded() -> None:
    assert classified(LIMIT_HEADS_UP) == {}


@pytest.mark.rule("SIZE-1", "BET-6", "POT-6")
def test_three_handed_no_limit_hands_settle_as_recorded() -> None:
    assert classified(NO_LIMIT_THREE) == {ODD_CHIPS: 2}


@pytest.mark.rule("POT-1", "POT-2", "POT-4", "POT-5", "POT-6", "SIZE-3", "OPEN-2")
def test_generated_hands_settle_as_recorded_and_what_our_rules_refuse_is_explained() -> None:
    assert classified(GENERATED) == {ODD_CHIPS: 98, SHORT_RAISE: 54, REOPENED: 92}


def test_generated_hands_are_what_the_readme_says() -> None:
    pots: Counter[int] = Counter()
    split_pots = 0
    for judgement in judgements(GENERATED):
        assert judgement.settlement is not None
        pots[len(judgement.settlement.pots)] += 1
        split_pots += sum(len(pot.winners) > 1 for pot in judgement.settlement.pots)
    assert set(pots) == {1, 2, 3, 4, 5}
    assert (sum(pots.values()) - pots[1], split_pots) == (1992, 423)


@pytest.mark.rule("GAME-1", "DISC-1", "DISC-3", "POT-2", "POT-8", "BET-7")
def test_the_real_irish_hand_replays_to_its_cent() -> None:
    (record,), (judgement,) = records(REAL_IRISH), judgements(REAL_IRISH)
    assert record.setup.rule_set.full_name == "irish/full-tilt@1"
    settlement = judgement.settlement
    assert settlement is not None
    assert settlement.over
    assert judgement.agrees()
    cents = {player.seat: player for player in settlement.players}
    assert (cents[3].returned, cents[3].won, settlement.rake) == (62_00, 199_50, 50)
    assert [pot.amount for pot in settlement.pots] == [200_00]
    assert (cents[3].stack_after, cents[4].stack_after) == (688_20 - 100_00 + 199_50, 556_10 - 100_00)
    # The opponent's discards are hidden, so that they cannot be checked; everything else is.
    assert [(finding.kind, finding.rule) for finding in judgement.findings] == [(FindingKind.NOT_CHECKABLE, "DISC-2")]
    turn = next(index for index, step in enumerate(record.steps) if len(step.cards) == 1 and step.step == Step.BOARD)
    assert [step.step for step in record.steps[turn - 2 : turn]] == [Step.DISCARD, Step.DISCARD]


@pytest.mark.parametrize("name", [PLURIBUS, WSOP, LIMIT_HEADS_UP, NO_LIMIT_THREE, GENERATED])
def test_a_changed_result_is_noticed(name: str) -> None:
    """The comparison has teeth: one chip moved between two players of a hand disagrees."""
    for record in records(name)[:: max(1, len(records(name)) // 40)]:
        recorded = record.result.finishing_stacks
        assert recorded is not None
        moved = (recorded[0] + 1, recorded[1] - 1, *recorded[2:])
        changed = replace(record, result=replace(record.result, finishing_stacks=moved))
        assert not judge_record(changed).agrees(), record.line


@pytest.mark.parametrize("name", [PLURIBUS, WSOP, LIMIT_HEADS_UP, NO_LIMIT_THREE, GENERATED, REAL_IRISH])
def test_findings_alone_are_those_of_the_judgement(name: str) -> None:
    for judgement in judgements(name):
        assert findings_of(judgement.record) == judgement.findings, judgement.record.line
