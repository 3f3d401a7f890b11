"""Judges a disputed hand: a foreign record with what somebody says that it should have paid.

The judge says where record and rules part. Here that becomes an answer for the people concerned: a verdict, the first
wrong event with the hand before it in words, what is right and by which rule, and the right outcome in chips.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from referee.audit.report import Divergence, Verdict
from referee.judge import Finding, FindingKind, Judgement, judge_record
from referee.record.hand_record import HandRecord, Step
from referee.record.telling import Names, tell
from referee.rulebook import rules as rulebook
from referee.rules.events import Event
from referee.rules.settlement import PotSettlement, Settlement

WHOLE = -1
"""The entry of a divergence that lies in no single step: the setup, the result, a claim."""


@dataclass(frozen=True)
class Claim:
    """What somebody says that a player won (or lost, below 0) in the hand, in chips of the record."""

    player: str
    net: int


@dataclass(frozen=True)
class PlayerOutcome:
    """A player's right outcome in chips: what he got from pots, and what he won or lost altogether.

    ``recorded_net`` and ``claimed_net`` are None where nothing is recorded or claimed.
    """

    seat: int
    player: str
    collected: int
    net: int
    recorded_net: int | Fraction | None
    claimed_net: int | None


@dataclass(frozen=True)
class DisputeVerdict:
    """The answer to a dispute.

    ``divergence`` is None unless the verdict is INVALID, and its ``check`` is ``claim`` where only the claim is wrong;
    ``line`` is that of the divergence in the source, 0 for none. ``outcomes`` are empty while the hand has no end by
    the rules, because cards or actions are missing. ``rules`` are the ids that decided, in that order.
    """

    verdict: Verdict
    summary: str
    divergence: Divergence | None
    line: int
    outcomes: tuple[PlayerOutcome, ...]
    rules: tuple[str, ...]
    judgement: Judgement
    claims: tuple[Claim, ...]
    number: int


class ClaimError(ValueError):
    """A claim that is none: for a player whom the record does not have or has twice, or twice for the same one."""


def dispute(record: HandRecord, claims: Iterable[Claim] = (), number: int = 1) -> DisputeVerdict:
    """Judges a record and claims about its outcome; ``number`` is the hand's in its source, from 1.

    The first wrong event is the earliest recorded step that the rules refuse; then the result is compared, and the
    claims last. Where a step is wrong the right outcome takes the recorded actions as facts, as the judge does. Raises
    ClaimError for a claim that names nobody.
    """
    claimed = tuple(claims)
    nets = _claimed_nets(record, claimed)
    judgement = judge_record(record)
    settled = _final(judgement)
    divergence = divergence_of(judgement, number)
    if divergence is None and settled is not None:
        divergence = _claim_divergence(judgement, settled, nets, number)
    missing = [finding for finding in judgement.findings if is_missing(judgement, finding)]
    if divergence is not None:
        verdict = Verdict.INVALID
    elif missing or (claimed and settled is None):
        verdict = Verdict.INCOMPLETE
    else:
        verdict = Verdict.VALID
    return DisputeVerdict(
        verdict,
        _summary(verdict, divergence, missing, claimed),
        divergence,
        _line(judgement, divergence),
        () if settled is None else _outcomes(record, settled, nets),
        deciding_rules(judgement),
        judgement,
        claimed,
        number,
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
    return told_by_street(happened, names_of(judgement.record))


def told_by_street(events: Iterable[Event], names: Names) -> str:
    """Events in words, a line for each street: ``flop: dealt 2c 7d Ts; Anna checks``."""
    streets: list[tuple[str, list[str]]] = []
    for told in tell(events, names):
        if not streets or streets[-1][0] != told.street:
            streets.append((told.street, []))
        streets[-1][1].append(told.text)
    return "\n".join(f"{street}: {'; '.join(texts)}" for street, texts in streets)


def names_of(record: HandRecord) -> dict[int, str]:
    """What the seats of a record are called."""
    return dict(zip(record.setup.seats, record.players, strict=True))


def rule_text(rule: str) -> str:
    """The text of a rule of the rulebook, empty for an id that it does not have."""
    found = rulebook().get(rule)
    return "" if found is None else found.text


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


def _claimed_nets(record: HandRecord, claims: Sequence[Claim]) -> dict[int, int]:
    """The claims by seat; a player is named as in the record, or else by the number of his seat."""
    nets: dict[int, int] = {}
    for claim in claims:
        named = [seat for seat, name in names_of(record).items() if name == claim.player]
        if not named and claim.player.isascii() and claim.player.isdecimal():
            named = [seat for seat in record.setup.seats if str(seat) == claim.player]
        if len(named) != 1:
            known = ", ".join(f"{name} (seat {seat})" for seat, name in names_of(record).items())
            raise ClaimError(f"{len(named) or 'no'} players called {claim.player!r}; there are {known}")
        if named[0] in nets:
            raise ClaimError(f"two claims for {claim.player!r}")
        nets[named[0]] = claim.net
    return nets


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
            player.seat, name, player.won, player.stack_after - player.stack_before, recorded, nets.get(player.seat)
        )
        for player, name, recorded in zip(settled.players, record.players, recorded_nets(record, settled), strict=True)
    )


def _summary(
    verdict: Verdict, divergence: Divergence | None, missing: Sequence[Finding], claims: Sequence[Claim]
) -> str:
    if divergence is not None:
        return f"{_place(divergence)} is wrong by {divergence.rule}: {divergence.message}"
    if verdict == Verdict.INCOMPLETE:
        what = "; ".join(dict.fromkeys(finding.message for finding in missing)) or "the hand has no end"
        return f"nothing recorded is wrong, but not everything can be checked: {what}"
    return "everything recorded is right by the rules" + (", and so is what is claimed" if claims else "")


def _place(divergence: Divergence) -> str:
    if divergence.check == "rulings":
        return f"step {divergence.entry + 1} of the record"
    return {"rules": "the setup", "settlement": "the recorded result", "claim": "the claim"}[divergence.check]
