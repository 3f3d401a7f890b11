"""`referee audit bulk`: folders, files and streams of recorded hands, over all cores, resumable."""

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from referee.audit.bulk import LISTED, PartResult, Settings, Summary
from referee.audit.parts import STREAM, Part, find_files, parts_of_files, parts_of_stream
from referee.audit.resuming import StateFile, StateFileError
from referee.audit.workers import audit_parts
from referee.cli.dispute import divergence_to_dict
from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.cli.reading import Game, RuleSetName, chosen_rule_set


def command(
    paths: Annotated[list[Path], typer.Argument(help="Files, folders (searched to the bottom), or - for a stream.")],
    jobs: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0 is one for each core.")] = 0,
    resume: Annotated[
        Path | None, typer.Option(help="State file: what it says is done is not judged again; it is written on.")
    ] = None,
    first: Annotated[int, typer.Option(min=0, max=LISTED, help="How many disagreements are listed.")] = 10,
    key: Annotated[
        list[str] | None, typer.Option(help="Verifier key of a log that is believed, for signatures of bundles.")
    ] = None,
    rule_set: RuleSetName = None,
    game: Game = None,
    second: Annotated[
        bool, typer.Option("--second-opinion", help="Have the independent reference judge judge every hand too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Judge very many hands, and say by which rules what disagrees.

    Exit code 0: all agrees; 1: something disagrees; 2: something is unreadable; 3: the judges differ.
    """
    chosen_rule_set(rule_set)
    settings = Settings(rule_set, None if game is None else str(game), second, tuple(key or ()))
    summary = Summary()
    try:
        parts, size = _parts(paths)
        with _state(resume, settings) as state, _bar(size, not as_json) as told:
            for result, part_size in _results(parts, settings, jobs or os.cpu_count() or 1, state):
                summary.add(result)
                told(part_size, summary)
    except (OSError, StateFileError) as failed:
        err.print(f"cannot audit: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    except BrokenProcessPool:
        err.print("cannot audit: a worker process was killed; what is in the state file is kept", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    if as_json:
        print_json(summary_to_dict(summary, first))
    else:
        _print(summary, first)
    raise typer.Exit(_exit_code(summary))


def _parts(paths: list[Path]) -> tuple[Iterator[Part], int | None]:
    """The parts, and how many bytes they have together where that is known."""
    if Path(STREAM) not in paths:
        files = find_files(paths)
        return parts_of_files(files), sum(file.stat().st_size for file in files)
    if len(paths) > 1:
        raise typer.BadParameter("a stream cannot be mixed with files", param_hint="PATHS")
    return parts_of_stream(sys.stdin.buffer), None


def _state(resume: Path | None, settings: Settings) -> "StateFile | nullcontext[None]":
    return nullcontext() if resume is None else StateFile(resume, settings)


def _results(
    parts: Iterable[Part], settings: Settings, jobs: int, state: StateFile | None
) -> Iterator[tuple[PartResult, int]]:
    """Every part's result with its size in bytes: those of earlier runs as they are passed, the others judged."""
    sizes: dict[int, int] = {}
    kept: list[tuple[PartResult, int]] = []

    def still_to_do() -> Iterator[Part]:
        for part in parts:
            done = None if state is None else state.done.get(part.key)
            if done is not None:
                # Its place may have changed since, when files were added before it.
                kept.append((_moved(done, part), part.size))
                continue
            sizes[part.place] = part.size
            yield part

    for result in audit_parts(still_to_do(), settings, jobs):
        if state is not None:
            state.add(result)
        yield from kept
        kept.clear()
        yield result, sizes.pop(result.place)
    yield from kept


def _moved(done: PartResult, part: Part) -> PartResult:
    return PartResult(**vars(done) | {"place": part.place})


class _Told(Protocol):
    def __call__(self, size: int, summary: Summary) -> None: ...


@contextmanager
def _bar(size: int | None, shown: bool) -> Iterator[_Told]:
    """A progress bar on standard error, if that is a terminal."""
    if not (shown and err.is_terminal):
        yield lambda size, summary: None
        return
    columns = (
        TextColumn("auditing"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[hands]} hands, {task.fields[disagree]} disagree"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("auditing", total=size, hands=0, disagree=0)

        def told(size: int, summary: Summary) -> None:
            bar.update(task, advance=size, hands=summary.hands, disagree=summary.disagree)

        yield told


def summary_to_dict(summary: Summary, first: int) -> dict[str, Any]:
    """The summary as a dictionary that ``json.dumps`` takes."""
    return {
        "hands": summary.hands,
        "agree": summary.hands - summary.disagree,
        "disagree": summary.disagree,
        "incomplete": summary.incomplete,
        "unreadable": summary.unreadable,
        "judges_differ": summary.differ,
        "by_rule": dict(summary.rules()),
        "first": [
            {"file": one.path, "hand": one.hand, "line": one.line} | divergence_to_dict(one.divergence)
            for one in summary.first(first)
        ],
        "first_unreadable": [
            {"file": one.path, "line": one.line, "expected": one.expected} for one in summary.first_unreadable(first)
        ],
        "first_differ": summary.first_differ(first),
    }


def _print(summary: Summary, first: int) -> None:
    for one in summary.first(first):
        where = f"{one.path}:{one.line}" if one.line else one.path
        wrong = one.divergence
        said = f"{where}: hand {one.hand}: {wrong.rule or wrong.check}: {wrong.message}"
        if wrong.recorded or wrong.right:
            said += f"; recorded: {wrong.recorded or '-'}; right: {wrong.right or '-'}"
        out.print(said, markup=False)
    for unreadable in summary.first_unreadable(first):
        out.print(f"{unreadable.path}:{unreadable.line}: unreadable: {unreadable.expected}", markup=False)
    for told in summary.first_differ(first):
        out.print(f"THE JUDGES DIFFER: {told}", markup=False)
    for rule, hands in summary.rules():
        out.print(f"  {rule:8} {hands}", markup=False)
    agree = summary.hands - summary.disagree
    said = f"{summary.hands} hands: {agree} agree, {summary.disagree} disagree, {summary.unreadable} unreadable"
    said += f", {summary.incomplete} incomplete" if summary.incomplete else ""
    out.print(said + (f", judges differ on {summary.differ}" if summary.differ else ""), markup=False)


def _exit_code(summary: Summary) -> Exit:
    if summary.differ:
        return Exit.JUDGES_DIFFER
    if summary.unreadable:
        return Exit.UNREADABLE
    return Exit.DISAGREES if summary.disagree else Exit.AGREES
