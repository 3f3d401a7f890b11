"""A report as a message of the contract."""

from referee.audit.report import Report
from referee.v1 import audit_pb2


def report_message(report: Report) -> audit_pb2.VerifyBundleResponse:
    """The report as the service sends it."""
    divergence = report.divergence
    return audit_pb2.VerifyBundleResponse(
        verdict=int(report.verdict),  # type: ignore[arg-type]
        checks=[
            audit_pb2.AuditCheck(
                name=check.name,
                outcome=int(check.outcome),  # type: ignore[arg-type]
                message=check.message,
                compared=check.compared,
            )
            for check in report.checks
        ],
        divergence=None
        if divergence is None
        else audit_pb2.Divergence(
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
        ),
        hands=report.hands,
        rulings=report.rulings,
    )
