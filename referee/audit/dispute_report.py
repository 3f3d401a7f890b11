"""The printable report on a dispute, for the people concerned: one HTML page that stands alone, or plain text.

Both are written from the same sections, so that they say the same. The page has no scripts and fetches nothing; what
comes from the record is escaped.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from textwrap import wrap
from typing import Final

from referee import __version__
from referee.audit.dispute import WHOLE, DisputeVerdict, names_of, rule_text
from referee.audit.report import Verdict
from referee.judge import Finding, FindingKind
from referee.record.hand_record import HandRecord
from referee.record.notation.house import LIMIT_NAMES
from referee.record.telling import Told, tell
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.ruleset import AnteKind
from referee.rules.settlement import pot_name
from referee.rules.setup import hole_of

TITLES: Final = {
    Verdict.VALID: "The record is right",
    Verdict.INVALID: "The record is wrong",
    Verdict.INCOMPLETE: "The record is incomplete",
    Verdict.UNREADABLE: "The record cannot be read",
}


@dataclass(frozen=True)
class Row:
    """A row of a section's table; a marked one is what is wrong."""

    cells: tuple[str, ...]
    marked: bool = False


@dataclass(frozen=True)
class Section:
    """A headed part of the report: a table, whose first column may have a head, or paragraphs of one cell."""

    title: str
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    numbers_from: int = 99
    """The first column that holds amounts and is set flush right."""


def report_sections(answer: DisputeVerdict) -> tuple[Section, ...]:
    """The report's parts, those that have nothing to say left out."""
    sections = (
        Section("The dispute", tuple(_dispute_rows(answer))),
        Section("Table and rules", tuple(_table_rows(answer.judgement.record))),
        Section("Players", tuple(_player_rows(answer.judgement.record)), ("seat", "player", "stack", "hole cards")),
        Section("The first wrong event", tuple(_wrong_rows(answer))),
        Section("The hand", tuple(_hand_rows(answer)), ("street", "rule", "what happened")),
        Section("What was found", tuple(_finding_rows(answer)), ("", "rule", "what", "recorded", "right")),
        Section("The right pots", tuple(_pot_rows(answer)), ("pot", "chips", "contested by", "rake", "paid to")),
        Section(
            "The right outcome",
            tuple(_outcome_rows(answer)),
            ("seat", "player", "from pots", "right net", "recorded net", "claimed net"),
            2,
        ),
        Section("How it was settled", tuple(_statement_rows(answer)), ("rule", "statement")),
        Section("The rules", tuple(_rule_rows(answer)), ("rule", "text")),
    )
    return tuple(section for section in sections if section.rows)


# --- the parts --------------------------------------------------------------------------------------------


def _dispute_rows(answer: DisputeVerdict) -> Iterator[Row]:
    record = answer.judgement.record
    yield Row(("source", f"{record.source or 'not named'}, hand {answer.number}, notation {record.notation}"))
    yield Row(("verdict", f"{answer.verdict.name.lower()}: {answer.summary}"), answer.verdict == Verdict.INVALID)
    for claim in answer.claims:
        yield Row(("claim", f"{claim.player} should have {claim.net:+}"))
    yield Row(("judged by", f"referee {__version__}"))


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


def _wrong_rows(answer: DisputeVerdict) -> Iterator[Row]:
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


def _hand_rows(answer: DisputeVerdict) -> Iterator[Row]:
    """The hand as the judge followed it, with what is wrong at the step where it stands."""
    judgement = answer.judgement
    told = list(tell(judgement.events(), names_of(judgement.record)))
    at = len(judgement.opening)
    street = yield from _told_rows(told[:at], "")
    for index, judged in enumerate(judgement.steps):
        for finding in judgement.findings:
            if finding.step == index and finding.kind == FindingKind.DISAGREES:
                said = f"WRONG: {judged.step.text or judged.step.step.value}: {finding.message}"
                yield Row(("", finding.rule, said + _recorded_and_right(finding)), True)
        street = yield from _told_rows(told[at : at + len(judged.events)], street)
        at += len(judged.events)


def _told_rows(told: list[Told], street: str) -> Generator[Row, None, str]:
    """Rows of what happened; a street is named where it begins. Returns the last one."""
    for one in told:
        yield Row((one.street if one.street != street else "", one.rule, one.text))
        street = one.street
    return street


def _recorded_and_right(finding: Finding) -> str:
    parts = [f"recorded: {finding.recorded}"] if finding.recorded else []
    parts += [f"right: {finding.right}"] if finding.right else []
    return f" ({'; '.join(parts)})" if parts else ""


def _finding_rows(answer: DisputeVerdict) -> Iterator[Row]:
    for finding in answer.judgement.findings:
        wrong = finding.kind == FindingKind.DISAGREES
        yield Row((finding.kind.value, finding.rule, finding.message, finding.recorded, finding.right), wrong)


def _pot_rows(answer: DisputeVerdict) -> Iterator[Row]:
    settled = answer.judgement.settlement
    if settled is None or not answer.outcomes:
        return
    names = names_of(answer.judgement.record)
    for at, pot in enumerate(settled.pots):
        paid = [f"{names[seat]} {share}" for seat, share in zip(pot.winners, pot.shares, strict=True)]
        contested = ", ".join(names[seat] for seat in pot.eligible)
        yield Row((pot_name(at, len(settled.pots)), str(pot.amount), contested, str(pot.rake), ", ".join(paid)))


def _outcome_rows(answer: DisputeVerdict) -> Iterator[Row]:
    for one in answer.outcomes:
        wrong = one.recorded_net not in (None, one.net) or one.claimed_net not in (None, one.net)
        nets = (f"{one.net:+}", _net_text(one.recorded_net), _net_text(one.claimed_net))
        yield Row((str(one.seat), one.player, str(one.collected), *nets), wrong)


def _net_text(net: int | Fraction | None) -> str:
    if net is None:
        return ""
    return f"{int(net):+}" if net.denominator == 1 else f"{float(net):+.2f}"


def _statement_rows(answer: DisputeVerdict) -> Iterator[Row]:
    if answer.judgement.settlement is not None:
        for line in answer.judgement.settlement.lines:
            yield Row((line.rule, line.text))


def _rule_rows(answer: DisputeVerdict) -> Iterator[Row]:
    wrong = answer.divergence.rule if answer.divergence is not None else ""
    for rule in dict.fromkeys(([wrong] if wrong else []) + list(answer.rules)):
        yield Row((rule, rule_text(rule)), rule == wrong)


# --- plain text -------------------------------------------------------------------------------------------


TEXT_WIDTH: Final = 110
LEAST_LAST_COLUMN: Final = 40


def report_text(answer: DisputeVerdict) -> str:
    """The report as plain text; what is wrong begins with ``>>``."""
    title = TITLES[answer.verdict]
    lines = [title, "=" * len(title)]
    for section in report_sections(answer):
        lines += ["", section.title, "-" * len(section.title)]
        rows = [Row(section.heads), *section.rows] if section.heads else list(section.rows)
        # The last column is never padded, and none is padded to the width of one long text.
        widths = [min(max(len(row.cells[at]) for row in rows), 24) for at in range(len(rows[0].cells) - 1)]
        for row in rows:
            padded = [
                cell.rjust(width) if at >= section.numbers_from else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row.cells, widths, strict=False))
            ]
            begin = (">> " if row.marked else "   ") + "".join(f"{cell}  " for cell in padded)
            lines += wrap(
                _plain(row.cells[-1]),
                max(TEXT_WIDTH, len(begin) + LEAST_LAST_COLUMN),
                initial_indent=_plain(begin),
                subsequent_indent=" " * len(begin),
                break_on_hyphens=False,
            ) or [_plain(begin).rstrip()]
    return "\n".join(lines) + "\n"


def _plain(line: str) -> str:
    """A line without signs that would move the paper or the cursor."""
    return "".join(sign if sign.isprintable() else " " for sign in line)


# --- HTML -------------------------------------------------------------------------------------------------

_STYLE: Final = """
body { font: 14px/1.45 sans-serif; color: #111; background: #fff; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; border-bottom: 3px solid; padding-bottom: .2em; }
h1.valid { border-color: #2a7d3f; } h1.invalid { border-color: #b3261e; } h1.incomplete { border-color: #b8860b; }
h2 { font-size: 1.15em; margin: 1.6em 0 .4em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2em .6em; border-bottom: 1px solid #ddd;
  overflow-wrap: anywhere; }
th { color: #555; font-weight: normal; white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.wrong td, tr.wrong th { background: #fbe3e1; font-weight: bold; border-left: 0; }
@media print {
  body { max-width: none; margin: 0; font-size: 10pt; }
  h2 { break-after: avoid; } tr { break-inside: avoid; }
  tr.wrong td, tr.wrong th { outline: 1.5pt solid #000; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def report_html(answer: DisputeVerdict) -> str:
    """The report as one HTML page."""
    title, kind = escape(TITLES[answer.verdict]), answer.verdict.name.lower()
    body = "\n".join(_section_html(section) for section in report_sections(answer))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1 class="{kind}">{title}</h1>\n<p>{escape(answer.summary)}</p>\n{body}\n</body>\n</html>\n'
    )


def _section_html(section: Section) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in section.heads)
    top = f"<thead><tr>{heads}</tr></thead>" if heads else ""
    rows = "\n".join(_row_html(section, row) for row in section.rows)
    return f"<section>\n<h2>{escape(section.title)}</h2>\n<table>{top}<tbody>\n{rows}\n</tbody></table>\n</section>"


def _row_html(section: Section, row: Row) -> str:
    cells: list[str] = []
    for at, cell in enumerate(row.cells):
        name = "th" if at == 0 and not section.heads else "td"
        number = ' class="number"' if at >= section.numbers_from else ""
        cells.append(f"<{name}{number}>{escape(cell)}</{name}>")
    begin = '<tr class="wrong">' if row.marked else "<tr>"
    return f"{begin}{''.join(cells)}</tr>"
