"""The command line. Each command has a module of its own; this one only puts them together."""

from typing import Annotated

import typer

from referee import __version__
from referee.cli import (
    audit,
    bot,
    conformance,
    contest,
    demo,
    explain,
    healthcheck,
    judge,
    log_key,
    match,
    new_bot,
    rules,
    serve,
    store,
    table,
    witness,
)
from referee.cli.output import AsJson, print_json
from referee.core import core

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command("serve")(serve.command)
app.command("judge")(judge.command)
app.add_typer(audit.app, name="audit")
app.command("explain")(explain.command)
app.command("rules")(rules.command)
app.command("demo")(demo.command)
app.add_typer(table.app, name="table")
app.command("bot")(bot.command)
app.command("conformance")(conformance.command)
app.command("new-bot")(new_bot.command)
app.command("match")(match.command)
app.add_typer(contest.app, name="contest")
app.command("healthcheck")(healthcheck.command)
app.command("backup")(store.backup_command)
app.add_typer(store.app, name="store")
app.add_typer(log_key.app, name="log-key")
app.add_typer(witness.app, name="witness")


@app.command("version")
def _version(as_json: AsJson = False) -> None:
    """Print the version."""
    if as_json:
        print_json({"version": __version__, "core": core()})
    else:
        typer.echo(f"referee {__version__}, {core()} core")


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"referee {__version__}, {core()} core")
        raise typer.Exit


@app.callback()
def _referee(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """A referee for Irish poker and hold'em: judges actions, settles hands, and says which rule decided."""


def main() -> None:
    """Runs the `referee` command."""
    app()
