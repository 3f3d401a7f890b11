"""Bundle files, as the commands of `referee audit` read and write them."""

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from referee.cli.output import Exit, err
from referee.record.bundle import BundleFormatError, read_bundle
from referee.v1 import record_pb2

BundleFile = Annotated[Path, typer.Argument(help="A bundle file.", metavar="BUNDLE")]
OutputFile = Annotated[Path, typer.Option("-o", "--output", help="Where the bundle is written.")]


def bytes_of(path: Path) -> bytes:
    """The bytes of a file; ends the command when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as unreadable:
        fail(f"{path}: {unreadable.strerror}")


def bundle_in(path: Path) -> record_pb2.Bundle:
    """The bundle of a file; ends the command when it is none."""
    try:
        return read_bundle(bytes_of(path))
    except BundleFormatError as unreadable:
        fail(f"{path}: {unreadable}")


def write(path: Path, data: bytes) -> None:
    """Writes a file; ends the command when that fails."""
    try:
        path.write_bytes(data)
    except OSError as unwritable:
        fail(f"{path}: {unwritable.strerror}")


def fail(message: str) -> NoReturn:
    """Says what cannot be read, and ends the command."""
    err.print(f"unreadable: {message}", markup=False)
    raise typer.Exit(Exit.UNREADABLE)
