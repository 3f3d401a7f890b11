"""`referee rules`: the rulebook by id."""

from typing import Annotated

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.rulebook import rules


def command(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Rule ids such as SIZE-4, or families such as SIZE.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print rules of the rulebook by id; without one, list them all."""
    wanted = [text.upper() for text in ids or []]
    found = [
        rule
        for rule in rules().values()
        if not wanted or any(rule.id == one or rule.id.startswith(one + "-") for one in wanted)
    ]
    unknown = [one for one in wanted if not any(rule.id == one or rule.id.startswith(one + "-") for rule in found)]
    if as_json:
        print_json([{"id": rule.id, "section": rule.section, "text": rule.text} for rule in found])
    else:
        for rule in found:
            out.print(f"[bold]{rule.id}[/] ", end="")
            out.print(rule.text.replace("**", ""), markup=False)
    if unknown:
        err.print(f"no such rule: {', '.join(unknown)}", markup=False)
        raise typer.Exit(Exit.UNREADABLE)
