"""`referee judge`: judges recorded hands in files."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json, progress
from referee.cli.reading import Game, RuleSetName, chosen_rule_set
from referee.judge import FindingKind, Judgement, judge_record
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import read_file
from referee.record.notation.settlement_json import settlement_to_dict
from referee.record.telling import event_text

Answer = tuple[Path, int, Judgement | NotationError]


def command(
    files: Annotated[list[Path], typer.Argument(help="Records: .phh, .phhs, STATE lines, or Full Tilt's text.")],
    rule_set: RuleSetName = None,
    game: Game = None,
    full: Annotated[
        bool | None, typer.Option("--full/--brief", help="Rulings and settlement of every hand, or findings only.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge every hand in the files. Exit code 0: all agrees; 1: something recorded disagrees; 2: unreadable."""
    totals: Counter[str] = Counter()
    with progress("judging", None, not as_json) as step:
        for path, number, answer in _answers(files, rule_set, game):
            step()
            totals[_verdict(answer)] += 1
            if as_json:
                print_json(_as_dict(path, number, answer, full is not False))
            elif isinstance(answer, NotationError):
                err.print(f"unreadable: {answer}", markup=False)
            else:
                _print(path, number, answer, full if full is not None else _is_alone(path))
    summary = {name: totals[name] for name in ("agrees", "disagrees", "unreadable")}
    if as_json:
        print_json({"summary": summary})
    else:
        out.print(", ".join(f"{count} {name}" for name, count in summary.items()), markup=False)
    if totals["unreadable"]:
        raise typer.Exit(Exit.UNREADABLE)
    if totals["disagrees"]:
        raise typer.Exit(Exit.DISAGREES)


def _answers(files: list[Path], rule_set: str | None, game: Path | None) -> Iterator[Answer]:
    rules = chosen_rule_set(rule_set)
    for path in files:
        number = 0
        try:
            for read in read_file(path, rule_set=rules, game=game):
                number += 1
                yield path, number, judge_record(read) if isinstance(read, HandRecord) else read
        except NotationError as unreadable:
            yield path, number + 1, unreadable
        except OSError as unreadable:
            yield path, number + 1, NotationError(str(path), 0, f"a readable file: {unreadable.strerror}")


def _verdict(answer: Judgement | NotationError) -> str:
    if isinstance(answer, NotationError):
        return "unreadable"
    return "agrees" if answer.agrees() else "disagrees"


def _is_alone(path: Path) -> bool:
    """Whether a file is of the kind that holds one hand, so that all of it is worth printing."""
    return path.suffix == ".phh"


def _print(path: Path, number: int, judgement: Judgement, full: bool) -> None:
    record = judgement.record
    rules = record.setup.rule_set
    if full:
        out.print(f"{path} hand {number}: {rules.full_name}, sha256 {rules.sha256()[:16]}", markup=False)
        names = dict(zip(record.setup.seats, record.players, strict=True))
        for judged in judgement.steps:
            if judged.ruling is None:
                continue
            if judged.ruling.accepted:
                out.print(f"  {judged.ruling.rule:8} {event_text(judged.events[0], names)}", markup=False)
            else:
                out.print(f"  {judged.ruling.rule:8} REFUSED {judged.step.text}: {judged.ruling.message}", markup=False)
        if judgement.settlement is not None:
            for line in judgement.settlement.lines:
                out.print(f"  {line.rule:8} {line.text}", markup=False)
    for finding in judgement.findings:
        if full or finding.kind == FindingKind.DISAGREES:
            where = f"{path}:{finding.line}" if finding.line else str(path)
            told = f"{where}: hand {number}: {finding.kind.value}: {finding.rule}: {finding.message}"
            if finding.recorded or finding.right:
                told += f"; recorded: {finding.recorded or '-'}; right: {finding.right or '-'}"
            out.print(told, markup=False)


def _as_dict(path: Path, number: int, answer: Judgement | NotationError, full: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"file": str(path), "hand": number, "verdict": _verdict(answer)}
    if isinstance(answer, NotationError):
        return told | {"line": answer.line, "expected": answer.expected}
    rules = answer.record.setup.rule_set
    told |= {
        "line": answer.record.line,
        "rule_set": rules.full_name,
        "rule_set_sha256": rules.sha256(),
        "findings": [
            {
                "kind": finding.kind.value,
                "rule": finding.rule,
                "message": finding.message,
                "recorded": finding.recorded,
                "right": finding.right,
                "step": finding.step,
                "line": finding.line,
            }
            for finding in answer.findings
        ],
    }
    if full:
        told["rulings"] = [
            {
                "step": at,
                "seat": judged.step.seat,
                "accepted": judged.ruling.accepted,
                "rule": judged.ruling.rule,
                "reason": None if judged.ruling.reason is None else judged.ruling.reason.name,
                "message": judged.ruling.message,
            }
            for at, judged in enumerate(answer.steps)
            if judged.ruling is not None
        ]
        told["settlement"] = None if answer.settlement is None else settlement_to_dict(answer.settlement)
    return told
