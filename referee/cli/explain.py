"""`referee explain`: tells recorded hands street by street, and rounds of Kozel, each ruling with its rule."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.cli.reading import Game, RuleSetName, chosen_rule_set
from referee.judge import Judgement, judge_record
from referee.kozel_judge import RoundJudgement, judge_round
from referee.record import kozel_telling
from referee.record.hand_record import NotationError
from referee.record.kozel_record import RecordedRound
from referee.record.notation import read_file
from referee.record.telling import Told, tell


def command(
    file: Annotated[Path, typer.Argument(help="A record.")],
    hand: Annotated[int, typer.Option(min=1, help="Which hand of the file.")] = 1,
    rule_set: RuleSetName = None,
    game: Game = None,
    as_json: AsJson = False,
) -> None:
    """Tell one hand street by street with rule ids, its settlement, and where the record is wrong."""
    try:
        read = next(islice(read_file(file, rule_set=chosen_rule_set(rule_set), game=game), hand - 1, None), None)
    except OSError as unreadable:
        read = NotationError(str(file), 0, f"a readable file: {unreadable.strerror}")
    except NotationError as unreadable:
        read = unreadable
    if read is None:
        read = NotationError(str(file), 0, f"a hand number {hand}; the file has fewer")
    if isinstance(read, NotationError):
        err.print(f"unreadable: {read}", markup=False)
        raise typer.Exit(Exit.UNREADABLE)
    judgement = judge_round(read) if isinstance(read, RecordedRound) else judge_record(read)
    told = _told(judgement)
    lines = _statement(judgement)
    if as_json:
        print_json(
            {
                "rule_set": read.setup.rule_set.full_name,
                "told": [{"street": one.street, "rule": one.rule, "text": one.text} for one in told],
                "settlement": [{"rule": rule, "text": text} for rule, text in lines],
                "findings": [
                    {"kind": one.kind.value, "rule": one.rule, "line": one.line, "message": one.message}
                    for one in judgement.findings
                ],
            }
        )
    else:
        print_told(told)
        if lines:
            out.print("\n[bold]settlement statement[/]")
        for rule, text in lines:
            out.print(f"  {rule:8} {text}", markup=False)
        for finding in judgement.findings:
            out.print(f"{finding.kind.value}: line {finding.line}: {finding.rule}: {finding.message}", markup=False)
    if not judgement.agrees():
        raise typer.Exit(Exit.DISAGREES)


def _told(judgement: Judgement | RoundJudgement) -> list[Told]:
    if isinstance(judgement, RoundJudgement):
        return list(kozel_telling.tell(judgement.events, {}))
    return list(tell(judgement.events(), names_of(judgement)))


def _statement(judgement: Judgement | RoundJudgement) -> list[tuple[str, str]]:
    """The lines of the settlement statement; the events of a round of Kozel say themselves what it scored."""
    if isinstance(judgement, RoundJudgement) or judgement.settlement is None:
        return []
    return [(line.rule, line.text) for line in judgement.settlement.lines]


def names_of(judgement: Judgement) -> dict[int, str]:
    """What the seats of a judged record are called."""
    record = judgement.record
    return dict(zip(record.setup.seats, record.players, strict=True))


def print_told(told: list[Told]) -> None:
    """Prints a hand told street by street."""
    street = ""
    for one in told:
        if one.street != street:
            street = one.street
            out.print(f"\n[bold]{street}[/]")
        out.print(f"  {one.rule:8} {one.text}", markup=False)
