"""A printable report: one HTML page that stands alone, or plain text.

Both are written from the same sections, so that they say the same. The page has no scripts and fetches nothing; what
comes from the record is escaped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Final

from referee.audit.report import Verdict

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


# --- plain text -------------------------------------------------------------------------------------------


TEXT_WIDTH: Final = 110
LEAST_LAST_COLUMN: Final = 40


def page_text(verdict: Verdict, sections: Sequence[Section]) -> str:
    """A report as plain text; what is wrong begins with ``>>``."""
    title = TITLES[verdict]
    lines = [title, "=" * len(title)]
    for section in sections:
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


def page_html(verdict: Verdict, summary: str, sections: Sequence[Section]) -> str:
    """A report as one HTML page."""
    title, kind = escape(TITLES[verdict]), verdict.name.lower()
    body = "\n".join(_section_html(section) for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1 class="{kind}">{title}</h1>\n<p>{escape(summary)}</p>\n{body}\n</body>\n</html>\n'
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
