"""`referee store check` and `referee backup`: whether a store is whole, and copies of it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.store.backup import back_up
from referee.store.files import STORE_FILE
from referee.store.integrity import Report, check
from referee.store.items import StoreError

app = typer.Typer(no_args_is_help=True, help="Look after a server's store.")


@app.callback()
def _store() -> None:
    """Look after a server's store."""


@app.command("check")
def check_command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The server's folder, or the store's file.")],
    as_json: AsJson = False,
) -> None:
    """Read all of a store, which a server may have open; exit with 0 if it is whole, 1 if damaged, 2 if unreadable."""
    path = data / STORE_FILE if data.is_dir() else data
    try:
        report = check(path)
    except StoreError as failed:
        err.print(f"unreadable: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    _tell(path, report, as_json)


def backup_command(
    to: Annotated[Path, typer.Option(help="A new folder, or a new file whose name ends with .tar.")],
    data: Annotated[Path, typer.Option(envvar="REFEREE_DATA", help="The server's folder.")] = Path("referee-data"),
    as_json: AsJson = False,
) -> None:
    """Copy a server's folder, secrets and keys included, while it runs; check the copy; exit as `store check` does."""
    try:
        report = back_up(data, to)
    except (StoreError, FileExistsError) as failed:
        err.print(f"no backup: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    _tell(to, report, as_json)


def _tell(path: Path, report: Report, as_json: bool) -> None:
    if as_json:
        print_json(_fields(path, report))
    else:
        read = (
            f"{report.tables} tables, {report.rows} rows, {report.answers} answers, {report.pieces} records in the log"
        )
        out.print(f"{path}: {'whole' if report.is_whole else 'damaged'}: {read}", markup=False)
        for damage in report.damages:
            out.print(f"  {damage}", markup=False)
        if report.further:
            out.print(f"  and {report.further} more", markup=False)
        if not report.is_marked:
            out.print("  no high-water mark beside it: commits missing from its end are not noticed", markup=False)
    if not report.is_whole:
        raise typer.Exit(Exit.DISAGREES)


def _fields(path: Path, report: Report) -> dict[str, Any]:
    fields = asdict(report) | {"damages": [damage._asdict() for damage in report.damages]}
    return {"path": str(path), "whole": report.is_whole, **fields}
