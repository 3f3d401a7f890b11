"""The results as CSV."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from referee.contest.report.words import words_of
from referee.contest.results import HandResult


def standings_csv(values: dict[str, Any]) -> str:
    """The standings, one entrant a line."""
    words = words_of(values)
    ways = ("raw", "duplicate", "adjusted")
    parts = ("value", "error", "low", "high")
    header = [
        "rank",
        "name",
        words.played,
        words.total,
        "bradley_terry",
        *[f"{way}_{part}" for way in ways for part in parts],
    ]
    rows = [
        [row["rank"], row["name"], row["hands"], row[words.total], row["bradley_terry"]]
        + [row[words.rates][way][part] for way in ways for part in parts]
        for row in values["standings"]
    ]
    return _csv(header, rows)


def places_csv(values: dict[str, Any]) -> str:
    """The places of a tournament, one entrant a line."""
    header = ["first", "last", "name", "prize", "chips", "out_in_hand", "began_it_with"]
    return _csv(header, [[row[name] for name in header] for row in values["places"]])


def crosstable_csv(values: dict[str, Any]) -> str:
    """The crosstable, one pair a line."""
    header = ["row", "column", "value", "error", "low", "high", "units", "row_beats_column"]
    return _csv(header, [[pair[name] for name in header] for pair in values["crosstable"]])


def hands_csv(hands: Iterable[HandResult]) -> str:
    """What every player won in every hand, one a line."""
    header = ["hand", "match", "table", "seating", "block", "number", "name", "net", "adjusted", "pot"]
    rows = [
        [one.name, one.match, one.table, one.seating, one.block, one.hand, name, net, round(adjusted, 4), one.pot]
        for one in hands
        for name, net, adjusted in zip(one.names, one.nets, one.adjusted, strict=True)
    ]
    return _csv(header, rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
