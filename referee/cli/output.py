"""What the commands share: printing for people or as JSON, and progress bars that only a terminal sees."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text for people.")]

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


class Exit(IntEnum):
    """Exit codes of every command."""

    AGREES = 0
    DISAGREES = 1
    UNREADABLE = 2
    JUDGES_DIFFER = 3
    INCOMPLETE = 3


def print_json(value: Any) -> None:
    """Prints one JSON value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


@contextmanager
def progress(what: str, total: int | None, shown: bool) -> Iterator[Any]:
    """A progress bar on standard error, if that is a terminal; yields a function to call after each step."""
    if not (shown and err.is_terminal):
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
