"""Rows of the printable report on a dispute that are the same in every game."""

from collections.abc import Generator, Iterable, Iterator
from fractions import Fraction
from typing import Final

from referee import __version__
from referee.audit.answer import WHOLE, Answer, rule_text
from referee.audit.report import Verdict
from referee.audit.report_page import Row
from referee.judge import Finding, FindingKind
from referee.record.telling import Told

FINDING_HEADS: Final = ("", "rule", "what", "recorded", "right")


def dispute_rows(answer: Answer, source: str, notation: str) -> Iterator[Row]:
    """What is disputed, with the verdict on it."""
    yield Row(("source", f"{source or 'not named'}, hand {answer.number}, notation {notation}"))
    yield Row(("verdict", f"{answer.verdict.name.lower()}: {answer.summary}"), answer.verdict == Verdict.INVALID)
    for claim in answer.claims:
        yield Row(("claim", f"{claim.player} should have {claim.net:+}"))
    yield Row(("judged by", f"referee {__version__}"))


def wrong_rows(answer: Answer) -> Iterator[Row]:
    """The first wrong event: what was recorded, what is right, and what was before it."""
    wrong = answer.divergence
    if wrong is None:
        return
    where = f"step {wrong.entry + 1}" if wrong.entry != WHOLE else wrong.check
    yield Row(("where", where + (f", line {answer.line} of the source" if answer.line else "")), True)
    yield Row(("what", wrong.message), True)
    if wrong.recorded:
        yield Row(("claimed" if wrong.check == "claim" else "recorded", wrong.recorded), True)
    if wrong.right:
        yield Row(("right", wrong.right))
    yield Row(("rule", f"{wrong.rule} {wrong.rule_text}"))
    for line in wrong.before.splitlines():
        yield Row(("before it", line))


def told_rows(told: list[Told], street: str) -> Generator[Row, None, str]:
    """Rows of what happened; a street, or a part of a round, is named where it begins. Returns the last one."""
    for one in told:
        yield Row((one.street if one.street != street else "", one.rule, one.text))
        street = one.street
    return street


def wrong_row(finding: Finding, recorded: str) -> Row:
    """The row of a step that is wrong, among those of what happened."""
    parts = [f"recorded: {finding.recorded}"] if finding.recorded else []
    parts += [f"right: {finding.right}"] if finding.right else []
    said = f"WRONG: {recorded}: {finding.message}" + (f" ({'; '.join(parts)})" if parts else "")
    return Row(("", finding.rule, said), True)


def finding_rows(findings: Iterable[Finding]) -> Iterator[Row]:
    """Everything that was found, first to last."""
    for finding in findings:
        wrong = finding.kind == FindingKind.DISAGREES
        yield Row((finding.kind.value, finding.rule, finding.message, finding.recorded, finding.right), wrong)


def outcome_rows(answer: Answer) -> Iterator[Row]:
    """Who should have got what, beside what is recorded and claimed."""
    for one in answer.outcomes:
        wrong = one.recorded_net not in (None, one.net) or one.claimed_net not in (None, one.net)
        nets = (f"{one.net:+}", _net_text(one.recorded_net), _net_text(one.claimed_net))
        yield Row((str(one.seat), one.player, str(one.collected), *nets), wrong)


def _net_text(net: int | Fraction | None) -> str:
    if net is None:
        return ""
    return f"{int(net):+}" if net.denominator == 1 else f"{float(net):+.2f}"


def rule_rows(answer: Answer) -> Iterator[Row]:
    """The text of every rule that decided, that of the divergence first."""
    wrong = answer.divergence.rule if answer.divergence is not None else ""
    for rule in dict.fromkeys(([wrong] if wrong else []) + list(answer.rules)):
        yield Row((rule, rule_text(rule)), rule == wrong)
