"""The command line."""

from typing import Annotated

import typer

from referee import __version__

app = typer.Typer(no_args_is_help=True, add_completion=False)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def _referee(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Referee for Irish poker and its relatives."""


def main() -> None:
    """Run the `referee` command."""
    app()
