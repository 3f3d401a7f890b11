"""What the printable report on a dispute about a hand of poker says, for the people concerned."""

from collections.abc import Iterator

from referee.audit.answer_rows import (
    FINDING_HEADS,
    dispute_rows,
    finding_rows,
    outcome_rows,
    rule_rows,
    told_rows,
    wrong_row,
    wrong_rows,
)
from referee.audit.dispute import DisputeVerdict, names_of
from referee.audit.report_page import Row, Section
from referee.judge import FindingKind
from referee.record.hand_record import HandRecord
from referee.record.notation.house import LIMIT_NAMES
from referee.record.telling import tell
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.ruleset import AnteKind
from referee.rules.settlement import pot_name
from referee.rules.setup import hole_of


def report_sections(answer: DisputeVerdict) -> tuple[Section, ...]:
    """The report's parts, those that have nothing to say left out."""
    record, findings = answer.judgement.record, answer.judgement.findings
    sections = (
        Section("The dispute", tuple(dispute_rows(answer, record.source, record.notation))),
        Section("Table and rules", tuple(_table_rows(record))),
        Section("Players", tuple(_player_rows(record)), ("seat", "player", "stack", "hole cards")),
        Section("The first wrong event", tuple(wrong_rows(answer))),
        Section("The hand", tuple(_hand_rows(answer)), ("street", "rule", "what happened")),
        Section("What was found", tuple(finding_rows(findings)), FINDING_HEADS),
        Section("The right pots", tuple(_pot_rows(answer)), ("pot", "chips", "contested by", "rake", "paid to")),
        Section(
            "The right outcome",
            tuple(outcome_rows(answer)),
            ("seat", "player", "from pots", "right net", "recorded net", "claimed net"),
            2,
        ),
        Section("How it was settled", tuple(_statement_rows(answer)), ("rule", "statement")),
        Section("The rules", tuple(rule_rows(answer)), ("rule", "text")),
    )
    return tuple(section for section in sections if section.rows)


# --- the parts --------------------------------------------------------------------------------------------


def _table_rows(record: HandRecord) -> Iterator[Row]:
    setup, stakes = record.setup, record.setup.stakes
    for fact, told in record.facts.items():
        yield Row((fact, told))
    named = "as the record names them" if record.rule_set_named else "taken for the record, which names none"
    yield Row(("rules", f"{setup.rule_set.full_name}, {LIMIT_NAMES[setup.limit]}, {named}"))
    yield Row(("sha256 of rules", setup.rule_set.sha256()))
    blinds = f"blinds {stakes.small_blind}/{stakes.big_blind}"
    ante = "" if stakes.ante_kind == AnteKind.NONE else f", ante {stakes.ante} ({stakes.ante_kind.name})"
    yield Row(("stakes", f"{blinds}{ante}"))
    if record.unit != 1 or record.currency:
        yield Row(("one chip", f"{record.unit} {record.currency}".strip()))
    yield Row(("button", f"seat {setup.button_seat}"))


def _player_rows(record: HandRecord) -> Iterator[Row]:
    setup = record.setup
    for player, seat in enumerate(setup.seats):
        hole = hole_of(setup, player)
        stack = str(setup.stacks[player]) if record.stacks_known else "not known"
        known = cards_text(hole) if any(card != UNKNOWN for card in hole) else "not known"
        yield Row((str(seat), record.players[player], stack, known))


def _hand_rows(answer: DisputeVerdict) -> Iterator[Row]:
    """The hand as the judge followed it, with what is wrong at the step where it stands."""
    judgement = answer.judgement
    told = list(tell(judgement.events(), names_of(judgement.record)))
    at = len(judgement.opening)
    street = yield from told_rows(told[:at], "")
    for index, judged in enumerate(judgement.steps):
        for finding in judgement.findings:
            if finding.step == index and finding.kind == FindingKind.DISAGREES:
                yield wrong_row(finding, judged.step.text or judged.step.step.value)
        street = yield from told_rows(told[at : at + len(judged.events)], street)
        at += len(judged.events)


def _pot_rows(answer: DisputeVerdict) -> Iterator[Row]:
    settled = answer.judgement.settlement
    if settled is None or not answer.outcomes:
        return
    names = names_of(answer.judgement.record)
    for at, pot in enumerate(settled.pots):
        paid = [f"{names[seat]} {share}" for seat, share in zip(pot.winners, pot.shares, strict=True)]
        contested = ", ".join(names[seat] for seat in pot.eligible)
        yield Row((pot_name(at, len(settled.pots)), str(pot.amount), contested, str(pot.rake), ", ".join(paid)))


def _statement_rows(answer: DisputeVerdict) -> Iterator[Row]:
    if answer.judgement.settlement is not None:
        for line in answer.judgement.settlement.lines:
            yield Row((line.rule, line.text))
