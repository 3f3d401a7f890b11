"""Judges a disputed hand of poker: a foreign record with what somebody says that it should have paid.

The judge says where record and rules part. Here that becomes an answer for the people concerned: a verdict, the first
wrong event with the hand before it in words, what is right and by which rule, and the right outcome in chips.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.audit.answer import (
    WHOLE,
    Answer,
    Claim,
    PlayerOutcome,
    claimed_nets,
    summary_of,
    told_by_street,
    verdict_on,
)
from referee.audit.report import Divergence
from referee.judge import Finding, FindingKind, Judgement, judge_record
from referee.record.hand_record import HandRecord, Step
from referee.record.telling import tell
from referee.rules.settlement import PotSettlement, Settlement


@dataclass(frozen=True)
class DisputeVerdict(Answer):
    """The answer to a dispute about a hand of poker, with the judgement on the record."""

    judgement: Judgement


def dispute(record: HandRecord, claims: Iterable[Claim] = (), number: int = 1) -> DisputeVerdict:
    """Judges a record and claims about its outcome; ``number`` is the hand's in its source, from 1.

    The first wrong event is the earliest recorded step that the rules refuse; then the result is compared, and the
    claims last. Where a step is wrong the right outcome takes the recorded actions as facts, as the judge does. Raises
    ClaimError for a claim that names nobody.
    """
    claimed = tuple(claims)
    nets = claimed_nets(names_of(record), claimed)
    judgement = judge_record(record)
    settled = _final(judgement)
    divergence = divergence_of(judgement, number)
    if divergence is None and settled is not None:
        divergence = _claim_divergence(judgement, settled, nets, number)
    missing = [finding.message for finding in judgement.findings if is_missing(judgement, finding)]
    is_complete = not missing and not (claimed and settled is None)
    return DisputeVerdict(
        verdict_on(divergence, is_complete),
        summary_of(divergence, is_complete, missing, bool(claimed)),
        divergence,
        _line(judgement, divergence),
        () if settled is None else _outcomes(record, settled, nets),
        deciding_rules(judgement),
        claimed,
        number,
        judgement,
    )


def divergence_of(judgement: Judgement, number: int = 1) -> Divergence | None:
    """The first place at which a judged record disagrees with the rules; None when it agrees.

    ``check`` is ``rules`` for the setup, ``rulings`` for a step and ``settlement`` for the result; ``piece`` is the
    hand's number in its source and ``entry`` the step from 0, or WHOLE. ``before`` tells the hand up to there, a line
    for each street.
    """
    finding = first_disagreement(judgement)
    if finding is None:
        return None
    check = "rules" if judgement.hand is None else "rulings" if finding.step >= 0 else "settlement"
    recorded = finding.recorded
    if not recorded and finding.step >= 0:
        recorded = judgement.record.steps[finding.step].text
    return Divergence(
        check,
        finding.message,
        piece=number,
        entry=finding.step,
        rule=finding.rule,
        before="" if judgement.hand is None else told_before(judgement, finding.step),
        recorded=recorded,
        right=finding.right,
    )


def _line(judgement: Judgement, divergence: Divergence | None) -> int:
    finding = first_disagreement(judgement)
    return 0 if divergence is None or finding is None else finding.line


def first_disagreement(judgement: Judgement) -> Finding | None:
    """The earliest finding that disagrees: steps in the record's order, then the result."""
    wrong = [finding for finding in judgement.findings if finding.kind == FindingKind.DISAGREES]
    return min(wrong, key=lambda one: one.step if one.step >= 0 else len(judgement.steps), default=None)


def told_before(judgement: Judgement, step: int) -> str:
    """The hand before a step in words, a line for each street; WHOLE tells all of it."""
    happened = list(judgement.opening)
    for judged in judgement.steps[: None if step == WHOLE else step]:
        happened.extend(judged.events)
    return told_by_street(tell(happened, names_of(judgement.record)))


def names_of(record: HandRecord) -> dict[int, str]:
    """What the seats of a record are called."""
    return dict(zip(record.setup.seats, record.players, strict=True))


def is_missing(judgement: Judgement, finding: Finding) -> bool:
    """Whether a finding says that cards or actions are missing.

    What only house rules decide that the record does not name is not missing: it cannot be held against the record.
    """
    if finding.kind != FindingKind.NOT_CHECKABLE:
        return False
    if judgement.record.rule_set_named or not finding.rule.startswith("SHOW-"):
        return True
    step = judgement.record.steps[finding.step]
    return step.step == Step.MUCK and step.seat in judgement.record.setup.mucked_unseen


def deciding_rules(judgement: Judgement) -> tuple[str, ...]:
    """The ids of every rule that decided something in the hand, in the order in which they did."""
    ids = [event.rule for event in judgement.opening]
    for judged in judgement.steps:
        if judged.ruling is not None:
            ids.append(judged.ruling.rule)
        ids.extend(event.rule for event in judged.events)
    if judgement.settlement is not None:
        ids.extend(line.rule for line in judgement.settlement.lines)
    ids.extend(finding.rule for finding in judgement.findings)
    return tuple(dict.fromkeys(rule for rule in ids if rule))


def recorded_nets(record: HandRecord, settled: Settlement) -> list[int | Fraction | None]:
    """What a record says that each player won or lost, None where it does not; parts of chips where it has them."""
    result = record.result
    if result.finishing_stacks is not None:
        return [stack - before for stack, before in zip(result.finishing_stacks, record.setup.stacks, strict=True)]
    if result.collected is not None:
        return [
            collected - (player.contributed + player.dead)
            for collected, player in zip(result.collected, settled.players, strict=True)
        ]
    return [None] * len(record.players)


def _final(judgement: Judgement) -> Settlement | None:
    settled = judgement.settlement
    return settled if settled is not None and settled.over else None


def _claim_divergence(
    judgement: Judgement, settled: Settlement, nets: Mapping[int, int], number: int
) -> Divergence | None:
    names = names_of(judgement.record)
    for player in settled.players:
        claimed, right = nets.get(player.seat), player.stack_after - player.stack_before
        if claimed is None or claimed == right:
            continue
        rule = _rule_of_outcome(settled.pots, player.seat, abs(claimed - right), judgement)
        name = names[player.seat]
        return Divergence(
            "claim",
            f"the outcome claimed for {name}",
            piece=number,
            rule=rule,
            before=told_before(judgement, WHOLE),
            recorded=f"{name}: {claimed:+}",
            right=f"{name}: {right:+} ({player.won} from pots, {player.contributed + player.dead} put in)",
        )
    return None


def _rule_of_outcome(pots: Sequence[PotSettlement], seat: int, off: int, judgement: Judgement) -> str:
    """The rule behind what a seat got: odd chips when they explain what is claimed, else who won the pots.

    Who contested no pot has his contribution to answer for (POT-1).
    """
    unit = judgement.record.setup.stakes.chip_unit
    shared = sum(len(pot.winners) > 1 and seat in pot.winners for pot in pots)
    if 0 < off <= unit * shared:
        return "POT-6"
    contested = [pot for pot in pots if seat in pot.eligible]
    if not contested:
        return "POT-1"
    return "POT-5" if any(pot.compared for pot in contested) else "POT-4"


def _outcomes(record: HandRecord, settled: Settlement, nets: Mapping[int, int]) -> tuple[PlayerOutcome, ...]:
    return tuple(
        PlayerOutcome(
            player.seat,
            name,
            player.won,
            player.stack_after - player.stack_before,
            recorded,
            nets.get(player.seat),
            f"{player.won} from pots",
        )
        for player, name, recorded in zip(settled.players, record.players, recorded_nets(record, settled), strict=True)
    )
