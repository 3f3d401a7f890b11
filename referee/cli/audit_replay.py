"""`referee audit replay`: steps through a hand of a bundle in the terminal."""

import re
import sys
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from referee.audit.redaction import RedactionError, redacted
from referee.audit.replay import ReplayError, Step, steps_of, tables_of
from referee.cli.audit_files import BundleFile, bundle_in, fail
from referee.cli.output import AsJson, out, print_json
from referee.v1 import record_pb2

KEYS: Final = "n forward, b back, s to the start, e to the end, q quit"

_FORWARD: Final = ("", "n", "\r", "\n", " ", "\x1b[C")
_BACK: Final = ("b", "p", "\x1b[D")
_START: Final = ("s", "\x1b[H")
_END: Final = ("e", "\x1b[F")
_QUIT: Final = ("q", "\x03", "\x04", "\x1b")


def command(
    bundle: BundleFile,
    hand: Annotated[int, typer.Option(min=0, help="Which hand; 0 takes the first of the bundle.")] = 0,
    table: Annotated[str, typer.Option(help="Which table, when the bundle has several.")] = "",
    viewer: Annotated[str, typer.Option("--as", help="As whom: a seat's number, public, or auditor.")] = "auditor",
    as_json: AsJson = False,
) -> None:
    """Step through a hand: forward, back, to the start, to the end; each step with its rule and how the table stands.

    Keys are read as lines where the input is not a terminal.
    """
    told = _as_viewer(bundle_in(bundle), viewer)
    try:
        table_id, number = _chosen(told, table, hand)
        steps = steps_of(told, table_id, number)
    except ReplayError as error:
        fail(f"{bundle}: {error}")
    if as_json:
        for step in steps:
            print_json(
                {"entry": step.number, "rule": step.rule, "text": step.text, "refused": step.refused}
                | {"table": list(step.table)}
            )
        return
    walk(f"table {table_id}, hand {number}", steps, _keys())


def walk(title: str, steps: tuple[Step, ...], keys: Iterator[str]) -> None:
    """Shows the first step, and then the one that each key leads to."""
    at = 0
    _show(title, steps, at)
    for key in keys:
        if key in _QUIT:
            return
        if key in _FORWARD:
            to = min(at + 1, len(steps) - 1)
        elif key in _BACK:
            to = max(at - 1, 0)
        elif key in _START or key in _END:
            to = 0 if key in _START else len(steps) - 1
        else:
            out.print(KEYS, markup=False)
            continue
        at = to
        _show(title, steps, at)


def _as_viewer(bundle: record_pb2.Bundle, viewer: str) -> record_pb2.Bundle:
    try:
        if viewer == "auditor":
            return bundle
        if viewer == "public":
            return redacted(bundle, record_pb2.BUNDLE_VIEW_PUBLIC)
        if re.fullmatch(r"[1-9][0-9]?", viewer, re.ASCII):
            return redacted(bundle, record_pb2.BUNDLE_VIEW_SEAT, int(viewer))
    except RedactionError as refused:
        fail(str(refused))
    raise typer.BadParameter(f"{viewer!r} is no seat, public, or auditor", param_hint="--as")


def _chosen(bundle: record_pb2.Bundle, table: str, hand: int) -> tuple[str, int]:
    tables = tables_of(bundle)
    if not table and len(tables) > 1:
        raise ReplayError(f"the bundle has several tables; choose one by --table: {', '.join(tables)}")
    table_id = table or next(iter(tables), "")
    hands = tables.get(table_id, [])
    if not hands:
        raise ReplayError(f"no hand of table {table_id or '-'} is in the bundle")
    return table_id, hand or hands[0]


def _keys() -> Iterator[str]:
    if not sys.stdin.isatty():
        for line in sys.stdin:
            yield line.strip()
        return
    while True:
        yield typer.getchar()


def _show(title: str, steps: tuple[Step, ...], at: int) -> None:
    step = steps[at]
    if out.is_terminal:
        out.clear()
    out.print(f"{title}: step {at + 1} of {len(steps)}", markup=False)
    refused = "REFUSED " if step.refused else ""
    out.print(f"  {step.rule:8} {refused}{step.text}", markup=False)
    for line in step.table:
        out.print(f"    {line}", markup=False)
    if out.is_terminal:
        out.print(KEYS, markup=False)
