"""`referee judge`: judges recorded hands in files."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json, progress
from referee.cli.reading import Game, RuleSetName, chosen_rule_set
from referee.judge import FindingKind, Judgement, findings_of, judge_record
from referee.kozel_judge import NO_SECOND_OPINION, RoundJudgement, judge_round
from referee.record import kozel_telling
from referee.record.hand_record import HandRecord, NotationError
from referee.record.kozel_record import RecordedRound
from referee.record.notation import read_file
from referee.record.notation.settlement_json import settlement_to_dict
from referee.record.telling import event_text

if TYPE_CHECKING:
    from referee.second_opinion import SecondOpinion

Judged = Judgement | RoundJudgement | NotationError
Answer = tuple[Path, int, Judged]


def command(
    files: Annotated[
        list[Path], typer.Argument(help="Records: .phh, .phhs, STATE lines, Full Tilt's or Kozel's text.")
    ],
    rule_set: RuleSetName = None,
    game: Game = None,
    full: Annotated[
        bool | None, typer.Option("--full/--brief", help="Rulings and settlement of every hand, or findings only.")
    ] = None,
    second: Annotated[
        bool, typer.Option("--second-opinion", help="Have the independent reference judge judge every hand too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Judge every hand in the files.

    Exit code 0: all agrees; 1: something recorded disagrees; 2: unreadable; 3: the judges of --second-opinion differ.
    """
    totals: Counter[str] = Counter()
    judges_differ = False
    with progress("judging", None, not as_json) as step:
        for path, number, answer in _answers(files, rule_set, game, second, full, as_json):
            step()
            totals[_verdict(answer)] += 1
            judges_differ = judges_differ or _judges_differ(answer)
            if as_json:
                print_json(_as_dict(path, number, answer, _is_full(path, full, as_json)))
            elif isinstance(answer, NotationError):
                err.print(f"unreadable: {answer}", markup=False)
            else:
                _print(path, number, answer, _is_full(path, full, as_json))
    summary = {name: totals[name] for name in ("agrees", "disagrees", "unreadable")}
    if as_json:
        print_json({"summary": summary})
    else:
        out.print(", ".join(f"{count} {name}" for name, count in summary.items()), markup=False)
    if judges_differ:
        raise typer.Exit(Exit.JUDGES_DIFFER)
    if totals["unreadable"]:
        raise typer.Exit(Exit.UNREADABLE)
    if totals["disagrees"]:
        raise typer.Exit(Exit.DISAGREES)


def _answers(
    files: list[Path], rule_set: str | None, game: Path | None, second: bool, full: bool | None, as_json: bool
) -> Iterator[Answer]:
    rules = chosen_rule_set(rule_set)
    for path in files:
        is_brief = not second and not _is_full(path, full, as_json)
        judge = _judged_briefly if is_brief else partial(judge_record, with_second_opinion=second)
        number = 0
        try:
            for read in read_file(path, rule_set=rules, game=game):
                number += 1
                if isinstance(read, NotationError):
                    yield path, number, read
                elif isinstance(read, HandRecord):
                    yield path, number, judge(read)
                else:
                    yield path, number, _judged_round(path, read, second)
        except NotationError as unreadable:
            yield path, number + 1, unreadable
        except OSError as unreadable:
            yield path, number + 1, NotationError(str(path), 0, f"a readable file: {unreadable.strerror}")


def _judged_round(path: Path, record: RecordedRound, second: bool) -> Judged:
    return NotationError(str(path), record.line, NO_SECOND_OPINION) if second else judge_round(record)


def _verdict(answer: Judged) -> str:
    if isinstance(answer, NotationError):
        return "unreadable"
    return "agrees" if answer.agrees() else "disagrees"


def _judges_differ(answer: Judged) -> bool:
    second = answer.second_opinion if isinstance(answer, Judgement) else None
    return second is not None and not second.agrees()


def _is_full(path: Path, full: bool | None, as_json: bool) -> bool:
    """Whether all of each hand is told: as asked, else to machines, and of files of the kind that holds one hand."""
    return (as_json or path.suffix == ".phh") if full is None else full


def _judged_briefly(record: HandRecord) -> Judgement:
    """The judgement, or, where it would find nothing, no more than that: nothing else of it is told."""
    return judge_record(record) if findings_of(record) else Judgement(record, (), (), (), None, None)


def _print(path: Path, number: int, judgement: Judgement | RoundJudgement, full: bool) -> None:
    rules = judgement.record.setup.rule_set
    if full:
        out.print(f"{path} hand {number}: {rules.full_name}, sha256 {rules.sha256()[:16]}", markup=False)
        for line in _lines(judgement):
            out.print(f"  {line}", markup=False)
    for finding in judgement.findings:
        if full or finding.kind == FindingKind.DISAGREES:
            where = f"{path}:{finding.line}" if finding.line else str(path)
            told = f"{where}: hand {number}: {finding.kind.value}: {finding.rule}: {finding.message}"
            if finding.recorded or finding.right:
                told += f"; recorded: {finding.recorded or '-'}; right: {finding.right or '-'}"
            out.print(told, markup=False)
    if isinstance(judgement, Judgement):
        _print_second_opinion(f"{path}: hand {number}", judgement.second_opinion, full)


def _lines(judgement: Judgement | RoundJudgement) -> Iterator[str]:
    """Every ruling and what came out of it, each with its rule."""
    if isinstance(judgement, RoundJudgement):
        for event in judgement.events:
            yield f"{event.rule:8} {kozel_telling.event_text(event, {})}"
        return
    record = judgement.record
    names = dict(zip(record.setup.seats, record.players, strict=True))
    for judged in judgement.steps:
        if judged.ruling is None:
            continue
        if judged.ruling.accepted:
            yield f"{judged.ruling.rule:8} {event_text(judged.events[0], names)}"
        else:
            yield f"{judged.ruling.rule:8} REFUSED {judged.step.text}: {judged.ruling.message}"
    if judgement.settlement is not None:
        for line in judgement.settlement.lines:
            yield f"{line.rule:8} {line.text}"


def _print_second_opinion(hand: str, second: "SecondOpinion | None", full: bool) -> None:
    if second is None:
        return
    if second.difference is not None:
        out.print(f"{hand}: THE JUDGES DIFFER: {second.difference}", markup=False)
    elif full:
        out.print(f"{hand}: second opinion: the reference judge agrees on {second.compared} points", markup=False)


def _as_dict(path: Path, number: int, answer: Judged, full: bool) -> dict[str, Any]:
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
    if isinstance(answer, RoundJudgement):
        return told
    second = answer.second_opinion
    if second is not None:
        told["second_opinion"] = {
            "agrees": second.agrees(),
            "compared": second.compared,
            "difference": None if second.difference is None else asdict(second.difference),
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
