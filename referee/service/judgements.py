"""Messages of judgements on recorded hands."""

from typing import Final

from referee.judge import Finding, FindingKind, Judgement
from referee.record import wire
from referee.v1 import judge_pb2

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


def judgement_message(judgement: Judgement, with_rulings: bool) -> judge_pb2.Judgement:
    """The message of a judgement; rulings on every action only where they are wanted."""
    rulings = []
    if with_rulings:
        for index, judged in enumerate(judgement.steps):
            if judged.ruling is not None:
                rulings.append(judge_pb2.JudgedStep(step=index, ruling=wire.ruling_message(judged.ruling)))
    return judge_pb2.Judgement(
        agrees=judgement.agrees(),
        findings=[finding_message(finding) for finding in judgement.findings],
        rulings=rulings,
        settlement=None if judgement.settlement is None else wire.settlement_message(judgement.settlement),
        rule_set_name=judgement.record.setup.rule_set.full_name,
        rule_set_sha256=judgement.record.setup.rule_set.sha256(),
        opening_events=[wire.event_message(event) for event in judgement.opening] if with_rulings else [],
    )
