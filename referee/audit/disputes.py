"""Disputes about records of any game: each is judged and reported by what knows its game."""

from collections.abc import Iterable

from referee.audit.answer import Answer, Claim
from referee.audit.dispute import DisputeVerdict, dispute
from referee.audit.dispute_report import report_sections
from referee.audit.kozel_dispute import RoundVerdict, dispute_round
from referee.audit.kozel_dispute_report import round_sections
from referee.audit.report_page import Section, page_html, page_text
from referee.record.kozel_record import RecordedRound
from referee.record.notation import GameRecord


def dispute_record(record: GameRecord, claims: Iterable[Claim] = (), number: int = 1) -> Answer:
    """Judges a record and claims about its outcome; ``number`` is the hand's in its source, from 1.

    Raises ClaimError for a claim that names nobody.
    """
    if isinstance(record, RecordedRound):
        return dispute_round(record, claims, number)
    return dispute(record, claims, number)


def report_text(answer: Answer) -> str:
    """The printable report as plain text; what is wrong begins with ``>>``."""
    return page_text(answer.verdict, _sections(answer))


def report_html(answer: Answer) -> str:
    """The printable report as one HTML page."""
    return page_html(answer.verdict, answer.summary, _sections(answer))


def _sections(answer: Answer) -> tuple[Section, ...]:
    if isinstance(answer, RoundVerdict):
        return round_sections(answer)
    assert isinstance(answer, DisputeVerdict), "there is no third game"
    return report_sections(answer)
