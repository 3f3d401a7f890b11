"""`referee explain`: tells recorded hands street by street, each ruling with its rule."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.cli.reading import Game, RuleSetName, chosen_rule_set
from referee.judge import Judgement, judge_record
from referee.record.hand_record import NotationError
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
    judgement = judge_record(read)
    told = list(tell(judgement.events(), names_of(judgement)))
    if as_json:
        print_json(
            {
                "rule_set": read.setup.rule_set.full_name,
                "told": [{"street": one.street, "rule": one.rule, "text": one.text} for one in told],
                "settlement": [
                    {"rule": line.rule, "text": line.text}
                    for line in (judgement.settlement.lines if judgement.settlement else ())
                ],
                "findings": [
                    {"kind": one.kind.value, "rule": one.rule, "line": one.line, "message": one.message}
                    for one in judgement.findings
                ],
            }
        )
    else:
        print_told(told)
        if judgement.settlement is not None:
            out.print("\n[bold]settlement statement[/]")
            for line in judgement.settlement.lines:
                out.print(f"  {line.rule:8} {line.text}", markup=False)
        for finding in judgement.findings:
            out.print(f"{finding.kind.value}: line {finding.line}: {finding.rule}: {finding.message}", markup=False)
    if not judgement.agrees():
        raise typer.Exit(Exit.DISAGREES)


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
