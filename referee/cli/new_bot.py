"""`referee new-bot`: writes a starter for a bot."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import Exit, err, out
from referee.starters import STARTERS, StarterError, write_starter


def command(
    language: Annotated[str, typer.Argument(metavar="LANG", help=f"One of {', '.join(STARTERS)}.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write, new or empty.")],
) -> None:
    """Write a bot that plays as it stands, with the SDK's sources beside it, and say how to build and run it."""
    if language not in STARTERS:
        raise typer.BadParameter(f"no language {language!r}; there are {', '.join(STARTERS)}", param_hint="LANG")
    try:
        starter = write_starter(language, folder)
    except (StarterError, OSError) as failed:
        err.print(f"cannot write {folder}: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    for line in (f"cd {folder}", *starter.commands):
        out.print(line, markup=False)
