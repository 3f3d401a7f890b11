"""One recorded hand of a request, judged into its answer."""

from itertools import islice
from typing import Final

from referee.audit.known_lines import KnownLines
from referee.judge import FindingKind, findings_of, judge_record
from referee.record import wire
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import read_unknown_of_text
from referee.record.notation.phh_outline import outline_of
from referee.rules.ruleset import RuleSetError
from referee.service.judgements import judgement_message, write_verdict
from referee.v1 import judge_pb2

KNOWN: Final = KnownLines()
"""What this process knows of the archives that it was asked about: of hands in notations, judged by the rule set that
they name themselves."""


def judge_hand(
    request: judge_pb2.JudgeHandRequest,
    answer: judge_pb2.JudgeHandResponse,
    with_rulings: bool,
    settles_if_agrees: bool = True,
) -> None:
    """Judges one hand, given as data or in a notation, into an answer that is empty.

    Without ``settles_if_agrees`` only a hand in which something disagrees has its settlement.
    """
    known = None
    if not settles_if_agrees and not with_rulings and not request.notated.rule_set_name:
        # Nearly every hand of an archive agrees, and many go along the same lines of betting.
        known = KNOWN
        outline = outline_of(request.notated.text)
        if outline is not None and known.is_right(outline):
            rule_set = known.rule_set_of(outline)
            if rule_set is not None:
                write_verdict(answer.judgement, rule_set, ())
                return
    try:
        record = _record(request, known)
    except NotationError as unreadable:
        answer.unreadable.line = unreadable.line
        answer.unreadable.expected = unreadable.expected
        return
    except RuleSetError as refused:
        answer.judgement.findings.add(
            kind=judge_pb2.FINDING_KIND_DISAGREES, rule=refused.rule, message=refused.message, step=-1
        )
        return
    if not settles_if_agrees and not with_rulings:
        findings = findings_of(record)
        if not any([finding.kind is FindingKind.DISAGREES for finding in findings]):
            write_verdict(answer.judgement, record.setup.rule_set, findings)
            return
    judgement = judge_record(record)
    settles = settles_if_agrees or not judgement.agrees()
    answer.judgement.CopyFrom(judgement_message(judgement, with_rulings, settles))


def _record(request: judge_pb2.JudgeHandRequest, known: KnownLines | None) -> HandRecord:
    if request.WhichOneof("hand") == "record":
        return wire.record_of(request.record)
    notated = request.notated
    rule_set = wire.published_rule_set(notated.rule_set_name) if notated.rule_set_name else None
    found = list(islice(read_unknown_of_text(notated.text, "text", known, rule_set), 2))
    if None in found:  # right, but written in another way than where it was met: what it is judged by is read
        return _record(request, None)
    if not found:
        raise NotationError("text", 1, "a hand is expected")
    if isinstance(found[0], NotationError):
        raise found[0]
    if len(found) > 1:
        raise NotationError("text", 1, "one hand is expected; send several by JudgeHands")
    if not isinstance(found[0], HandRecord):
        raise NotationError("text", 1, "a hand of poker is expected; JudgeKozelRound takes rounds of Kozel")
    return found[0]
