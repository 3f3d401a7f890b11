"""Messages of disputes and operations."""

from typing import Final

from referee.audit.answer import Answer, PlayerOutcome
from referee.audit.dispute import DisputeVerdict
from referee.audit.disputes import report_html
from referee.audit.kozel_dispute import RoundVerdict, accounts_after
from referee.audit.operation_store import Operation
from referee.audit.report import Divergence
from referee.record import kozel_wire
from referee.service.judgements import judgement_message, round_judgement_message
from referee.v1 import audit_pb2

_LARGEST: Final = 2**63 - 1


def divergence_message(divergence: Divergence) -> audit_pb2.Divergence:
    """The message of a divergence."""
    return audit_pb2.Divergence(
        check=divergence.check,
        table_id=divergence.table_id,
        piece=divergence.piece,
        entry=divergence.entry,
        rule=divergence.rule,
        rule_text=divergence.rule_text,
        before=divergence.before,
        recorded=divergence.recorded,
        right=divergence.right,
        message=divergence.message,
    )


def dispute_message(answer: Answer, with_report: bool) -> audit_pb2.JudgeDisputeResponse:
    """The message of the answer to a dispute."""
    message = audit_pb2.JudgeDisputeResponse(
        verdict=int(answer.verdict),  # type: ignore[arg-type]
        summary=answer.summary,
        divergence=None if answer.divergence is None else divergence_message(answer.divergence),
        outcomes=[_outcome_message(one) for one in answer.outcomes],
        rules=answer.rules,
        report_html=report_html(answer) if with_report else "",
    )
    if isinstance(answer, DisputeVerdict):
        message.judgement.CopyFrom(judgement_message(answer.judgement, with_rulings=True))
    elif isinstance(answer, RoundVerdict):
        message.kozel_judgement.CopyFrom(round_judgement_message(answer.judgement))
        for outcome, account in zip(message.outcomes, accounts_after(answer), strict=True):
            outcome.kozel_account.CopyFrom(kozel_wire.account_message(account))
    return message


def _outcome_message(one: PlayerOutcome) -> audit_pb2.PlayerOutcome:
    message = audit_pb2.PlayerOutcome(seat=one.seat, player=one.player, collected=one.collected, net=one.net)
    recorded = one.recorded_net
    # Parts of chips have no place in the contract; the divergence tells them.
    if recorded is not None and recorded.denominator == 1 and abs(int(recorded)) <= _LARGEST:
        message.recorded_net = int(recorded)
    if one.claimed_net is not None:
        message.claimed_net = one.claimed_net
    return message


def unreadable_message(line: int, expected: str) -> audit_pb2.JudgeDisputeResponse:
    """The answer on a record that cannot be read."""
    return audit_pb2.JudgeDisputeResponse(
        verdict=audit_pb2.VERDICT_UNREADABLE, summary=f"line {line}: {expected}" if line else expected
    )


def operation_message(operation: Operation) -> audit_pb2.Operation:
    """The message of an operation."""
    found = operation.found
    by_rule = sorted(found.by_rule.items(), key=lambda one: (-one[1], one[0]))
    return audit_pb2.Operation(
        operation_id=operation.operation_id,
        status=int(operation.status),  # type: ignore[arg-type]
        hands=found.hands + found.unreadable,
        hands_in_all=operation.hands_in_all,
        disagree=found.disagree,
        unreadable=found.unreadable,
        by_rule=[audit_pb2.RuleCount(rule=rule, hands=hands) for rule, hands in by_rule],
        first=[divergence_message(one.divergence) for one in found.first],
        started_unix_ms=operation.started_unix_ms,
        message=operation.message,
    )
