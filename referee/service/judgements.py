"""Messages of judgements on recorded hands and rounds."""

from typing import Final

from referee.judge import Finding, FindingKind, Judgement
from referee.kozel_judge import RoundJudgement
from referee.record import kozel_wire, wire
from referee.rules.ruleset import RuleSet
from referee.v1 import judge_pb2, kozel_pb2

_FINDING_KINDS: Final = {
    FindingKind.DISAGREES: judge_pb2.FINDING_KIND_DISAGREES,
    FindingKind.NOT_CHECKABLE: judge_pb2.FINDING_KIND_NOT_CHECKABLE,
}


def finding_message(finding: Finding) -> judge_pb2.Finding:
    """The message of a finding."""
    return judge_pb2.Finding(
        kind=_FINDING_KINDS[finding.kind],
        rule=finding.rule,
        message=finding.message,
        recorded=finding.recorded,
        right=finding.right,
        step=finding.step,
        line=finding.line,
    )


def write_verdict(message: judge_pb2.Judgement, rule_set: RuleSet, findings: tuple[Finding, ...]) -> None:
    """Writes a judgement by which nothing disagrees, without rulings and settlement, into an empty message."""
    message.agrees = True
    message.findings.extend([finding_message(finding) for finding in findings])
    message.rule_set_name = rule_set.full_name
    message.rule_set_sha256 = rule_set.sha256()


def judgement_message(judgement: Judgement, with_rulings: bool, with_settlement: bool = True) -> judge_pb2.Judgement:
    """The message of a judgement; rulings on every action, and the settlement, only where they are wanted."""
    settled = judgement.settlement
    rulings = []
    if with_rulings:
        for index, judged in enumerate(judgement.steps):
            if judged.ruling is not None:
                rulings.append(judge_pb2.JudgedStep(step=index, ruling=wire.ruling_message(judged.ruling)))
    return judge_pb2.Judgement(
        agrees=judgement.agrees(),
        findings=[finding_message(finding) for finding in judgement.findings],
        rulings=rulings,
        settlement=wire.settlement_message(settled) if settled is not None and with_settlement else None,
        rule_set_name=judgement.record.setup.rule_set.full_name,
        rule_set_sha256=judgement.record.setup.rule_set.sha256(),
        opening_events=[wire.event_message(event) for event in judgement.opening] if with_rulings else [],
    )


def round_judgement_message(judgement: RoundJudgement) -> kozel_pb2.KozelJudgement:
    """The message of a judgement on a round of Kozel."""
    rule_set = judgement.record.setup.rule_set
    return kozel_pb2.KozelJudgement(
        agrees=judgement.agrees(),
        findings=[
            kozel_pb2.KozelFinding(
                rule=one.rule, message=one.message, recorded=one.recorded, right=one.right, line=one.line
            )
            for one in judgement.findings
        ],
        events=[kozel_wire.event_message(event) for event in judgement.events],
        rule_set_name=rule_set.full_name,
        rule_set_sha256=rule_set.sha256(),
    )
