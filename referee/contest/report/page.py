"""One page that needs no other file: standings with intervals, crosstable, curves, faults, hands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from scipy.special import ndtri

from referee.contest.report.curves import curves
from referee.contest.report.summary import Summary
from referee.contest.report.words import OF_KOZEL, words_of
from referee.contest.store import Happening

_STYLE: Final = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2.2rem}table{border-collapse:collapse}
table{font-variant-numeric:tabular-nums}th,td{padding:.25rem .6rem;border-bottom:1px solid #8884;text-align:right}
th:first-child,td:first-child,.text{text-align:left}svg{width:100%;height:auto;font:11px system-ui,sans-serif}
svg text{fill:currentColor}.axis{stroke:currentColor;opacity:.5}.wide{overflow-x:auto}.sure{font-weight:600}
small,.soft{opacity:.7}pre{overflow-x:auto;font-size:12px}details{margin:.2rem 0}
"""


def page(
    summary: Summary, happenings: Sequence[Happening], told: Mapping[str, str], hand_file: Callable[[str], str]
) -> str:
    """The page. ``told`` has the text of hands to be shown, by name; ``hand_file`` the file in which a hand stands."""
    values = summary.values
    title = values["title"] or values["contest"]
    confidence = values["settings"]["scoring"]["confidence"]
    z = float(ndtri(0.5 + confidence / 2))
    names = summary.standings.names
    words = words_of(values)
    unit = 1 if words is OF_KOZEL else values["settings"]["game"]["big_blind"]
    collusion = [] if words is OF_KOZEL else ["<h2>Evidence of collusion</h2>" + _flags(values)]
    parts = [
        f"<h1>{escape(title)}</h1>",
        _facts(values),
        _outcome(values),
        f"<h2>Standings</h2><p class=soft>{words.explained} with {confidence:.0%} intervals; P is the "
        "probability of that rank if the contest were played again.</p>",
        _standings(values),
        "<h2>Bankrolls</h2>" + curves(summary.counted, names, unit, z),
        "<h2>Crosstable</h2><p class=soft>What the row won of the column, and P(row beats column).</p>",
        _crosstable(values, names),
        "<h2>Probability of ranks</h2>" + _ranks(values),
        "<h2>Derived tables</h2>" + _derived(values),
        *collusion,
        "<h2>Faults</h2>" + _faults(values, told, hand_file),
        "<h2>Decisions of the operators</h2>" + _decisions(values),
        "<h2>Around the play</h2>" + _happenings(happenings),
        "<h2>Hands</h2>" + _hands(values, told, hand_file),
    ]
    return _document(title, parts)


def tournament_page(
    values: dict[str, Any], happenings: Sequence[Happening], told: Mapping[str, str], hand_file: Callable[[str], str]
) -> str:
    """The page of a tournament; as :func:`page`."""
    title = values["title"] or values["contest"]
    chips = values["chips"]
    taken = f", {chips['taken_out']:,} taken out with who was disqualified" if chips["taken_out"] else ""
    parts = [
        f"<h1>{escape(title)}</h1>",
        _facts(values),
        f"<h2>Places</h2><p class=soft>Round {values['rounds']:,}, level {values['level']}; {chips['begun']:,} chips "
        f"began, {chips['in_play']:,} are in play{taken}. Who is tied shares the prizes of his places.</p>",
        _places(values),
        "<h2>Levels</h2>" + _levels(values),
        "<h2>Faults</h2>" + _faults(values, told, hand_file),
        "<h2>Decisions of the operators</h2>" + _decisions(values),
        "<h2>Around the play</h2>" + _happenings(happenings),
        "<h2>Hands</h2>" + _hands(values, told, hand_file),
    ]
    return _document(title, parts)


def _places(values: dict[str, Any]) -> str:
    rows = [
        [
            str(row["first"]) if row["first"] == row["last"] else f"{row['first']} to {row['last']}",
            escape(row["name"]),
            "" if row["prize"] is None else f"{row['prize']:,}",
            f"{row['chips']:,}",
            "" if row["out_in_hand"] is None else f"{row['out_in_hand']:,}",
            "" if row["began_it_with"] is None else f"{row['began_it_with']:,}",
        ]
        for row in values["places"]
    ]
    return _table(["place", "entrant", "prize", "chips", "out in hand", "began it with"], rows, text=(1,))


def _levels(values: dict[str, Any]) -> str:
    rows = [
        [
            str(one["number"]),
            f"{one['small_blind']:,} / {one['big_blind']:,}",
            f"{one['ante']:,} ({one['ante_kind']})" if one["ante"] else "",
            f"{one['length']:,}",
        ]
        for one in values["levels"]
    ]
    return _table(["level", "blinds", "ante", values["level_unit"]], rows)


def _document(title: str, parts: Sequence[str]) -> str:
    body = "".join(parts)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!doctype html><html lang="en"><head>{head}<style>{_STYLE}</style></head><body>{body}</body></html>\n'


def _facts(values: dict[str, Any]) -> str:
    state = "finished" if values["is_over"] else "not finished: what follows is what is known so far"
    lines = [
        f"{values['hands_counted']:,} {words_of(values).played} counted of {values['hands']:,}; {state}",
        f"settings <code>{values['settings_sha256']}</code>",
        f"commitment to the seed <code>{values['seed_commitment']}</code>",
    ]
    if values["seed"]:
        lines.append(f"seed <code>{values['seed']}</code>")
    if values["hands_not_adjusted"]:
        lines.append(f"{values['hands_not_adjusted']} hands with too many boards to come are not adjusted")
    return "<p>" + "<br>".join(lines) + "</p>"


def _outcome(values: dict[str, Any]) -> str:
    if not values["outcome"]:
        return ""
    rows = [
        [str(one["place"]), escape(one["name"]), "" if one["points"] is None else f"{one['points']:g}"]
        for one in values["outcome"]
    ]
    kind = values["settings"]["schedule"]["format"]
    return f"<h2>Outcome of the {kind}</h2>" + _table(["", "entrant", "points"], rows, text=(1,))


def _standings(values: dict[str, Any]) -> str:
    words = words_of(values)
    rows = [
        [
            str(row["rank"]),
            escape(row["name"]),
            *[_interval(row[words.rates][way]) for way in ("duplicate", "raw", "adjusted")],
            f"{row['hands']:,}",
            f"{row[words.total]:+,}",
            _percent(row["rank_probabilities"][row["rank"] - 1]),
        ]
        for row in values["standings"]
    ]
    header = ["", "entrant", "duplicate", "raw", words.adjusted, words.played, words.total, "P"]
    return _table(header, rows, text=(1,))


def _crosstable(values: dict[str, Any], names: Sequence[str]) -> str:
    cells = {(one["row"], one["column"]): one for one in values["crosstable"]}
    rows = []
    for row in names:
        line = [escape(row)]
        for column in names:
            one = cells.get((row, column))
            line.append(
                "" if one is None else f"{_interval(one)}<br><small>{_percent(one['row_beats_column'])}</small>"
            )
        rows.append(line)
    return _table(["", *[escape(name) for name in names]], rows)


def _ranks(values: dict[str, Any]) -> str:
    rows = [
        [escape(row["name"]), *[_percent(chance) for chance in row["rank_probabilities"]]]
        for row in values["standings"]
    ]
    return _table(["", *[str(rank) for rank in range(1, len(rows) + 1)]], rows)


def _derived(values: dict[str, Any]) -> str:
    rows = [[escape(row["name"]), f"{row['bradley_terry']:+.0f}"] for row in values["standings"]]
    run_off = ", ".join([escape(name) for name in values["instant_run_off"]])
    return f"<p>Instant run-off: {run_off}</p>" + _table(["", "Bradley-Terry (won blocks)"], rows)


def _flags(values: dict[str, Any]) -> str:
    if not values["flags"]:
        return "<p>Nothing stands out.</p>"
    rows = [
        [escape(one["kind"]), escape(one["one"]), escape(one["other"]), f"{one['p']:.2g}", escape(one["what"])]
        for one in values["flags"]
    ]
    note = "<p class=soft>Evidence, not a verdict: styles that suit one another stand out as well.</p>"
    return note + _table(["kind", "", "", "chance", "what stands out"], rows, text=(1, 2, 4))


def _faults(values: dict[str, Any], told: Mapping[str, str], hand_file: Callable[[str], str]) -> str:
    if not values["faults"]:
        return "<p>None.</p>"
    rows = [
        [
            escape(one["name"]),
            escape(one["kind"]),
            escape(one["rule"]),
            escape(one["reason"]),
            f"{one['times']:,}",
            _hand_link(one["first_hand"], told, hand_file),
        ]
        for one in values["faults"]
    ]
    return _table(["entrant", "kind", "rule", "reason", "times", "first in"], rows, text=(1, 2, 3))


def _decisions(values: dict[str, Any]) -> str:
    lines = [f"{escape(one['name'])} disqualified: {escape(one['reason'])}" for one in values["disqualified"]]
    lines += [f"hand {escape(one['hand'])} void: {escape(one['reason'])}" for one in values["voided"]]
    return _list(lines) or "<p>None.</p>"


def _happenings(happenings: Sequence[Happening]) -> str:
    counts: dict[tuple[str, str, str], int] = {}
    for one in happenings:
        if one.kind not in ("match began", "running", "finished", "registered"):
            key = (one.kind, one.subject, one.detail)
            counts[key] = counts.get(key, 0) + 1
    rows = [
        [escape(kind), escape(subject), escape(detail), f"{times:,}"]
        for (kind, subject, detail), times in counts.items()
    ]
    return _table(["what", "whom", "", "times"], rows, text=(1, 2)) if rows else "<p>Nothing.</p>"


def _hands(values: dict[str, Any], told: Mapping[str, str], hand_file: Callable[[str], str]) -> str:
    rows = []
    for one in values["largest_pots"]:
        nets = ", ".join([f"{escape(name)} {net:+,}" for name, net in one["nets"].items()])
        rows.append([_hand_link(one["hand"], told, hand_file), f"{one['pot']:,}", nets])
    shown = "".join(
        [
            f'<details id="{escape(name)}"><summary>{escape(name)}</summary><pre>{escape(text)}</pre></details>'
            for name, text in told.items()
        ]
    )
    return "<p>The largest pots:</p>" + _table(["hand", "pot", "won and lost"], rows, text=(2,)) + shown


def _hand_link(name: str, told: Mapping[str, str], hand_file: Callable[[str], str]) -> str:
    href = f"#{name}" if name in told else hand_file(name)
    return f'<a href="{escape(href)}">{escape(name)}</a>'


def _interval(one: Mapping[str, Any]) -> str:
    if one["low"] is None or one["high"] is None:
        return f"{one['value']:+.1f}"
    sure = one["low"] > 0 or one["high"] < 0
    value = f"<span class=sure>{one['value']:+.1f}</span>" if sure else f"{one['value']:+.1f}"
    return f"{value} <small>{one['low']:+.1f} to {one['high']:+.1f}</small>"


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}&nbsp;%" if 0.005 <= chance <= 0.995 else f"{100 * chance:.1f}&nbsp;%"


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join([f"<li>{line}</li>" for line in lines]) + "</ul>" if lines else ""


def _table(header: Iterable[str], rows: Iterable[Sequence[str]], text: Sequence[int] = ()) -> str:
    head = "".join([f"<th{_class(at, text)}>{name}</th>" for at, name in enumerate(header)])
    body = "".join(
        [
            "<tr>" + "".join([f"<td{_class(at, text)}>{cell}</td>" for at, cell in enumerate(row)]) + "</tr>"
            for row in rows
        ]
    )
    return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _class(at: int, text: Sequence[int]) -> str:
    return " class=text" if at in text else ""
