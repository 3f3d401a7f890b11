"""`referee conformance`: judges a client in any language by playing with it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json, progress
from referee.conformance import (
    AT_ONCE,
    SCENARIOS_OF,
    Command,
    CommandError,
    Outcome,
    Scenario,
    Verdict,
    junit_xml,
    run_command,
    run_listening,
)
from referee.conformance.game import Game

_MARKS = {
    Outcome.PASSED: "[green]pass[/green]",
    Outcome.FAILED: "[bold red]FAIL[/bold red]",
    Outcome.NOT_EXERCISED: "[yellow]not exercised[/yellow]",
}
_LINES_SHOWN = 12


def command(
    cmd: Annotated[
        str,
        typer.Option(
            help="Command that runs the client. It gets the flags of the example bots, unless it has places to "
            "fill in, such as {target} and {seat} (docs/conformance.md)."
        ),
    ] = "",
    listen: Annotated[
        str, typer.Option(metavar="ADDR", help="Listen here for a client that somebody else starts, HOST:PORT.")
    ] = "",
    game: Annotated[str, typer.Option(help=f"Which game's scenarios: {', '.join(SCENARIOS_OF)}.")] = "poker",
    only: Annotated[
        list[str] | None, typer.Option(help="Only scenarios whose names begin so; may be repeated.")
    ] = None,
    list_them: Annotated[bool, typer.Option("--list", help="List the scenarios and stop.")] = False,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")] = None,
    strict: Annotated[bool, typer.Option(help="A scenario that was not exercised counts as failed.")] = False,
    heartbeat_ms: Annotated[
        int, typer.Option(min=100, help="After how long a silence the client is to reconnect.")
    ] = 1_500,
    at_once: Annotated[
        int, typer.Option(min=1, max=64, help="How many scenarios are played at the same time.")
    ] = AT_ONCE,
    verbose: Annotated[bool, typer.Option(help="Show what was exchanged in scenarios that did not pass.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a client by playing with it. Exit code 0: all passed; 1: something failed; 2: it could not be run."""
    if game not in SCENARIOS_OF:
        raise typer.BadParameter(f"there is no game {game!r}; there are {', '.join(SCENARIOS_OF)}", param_hint="--game")
    chosen = _chosen(SCENARIOS_OF[game], only or [])
    if list_them:
        _list(chosen, as_json)
        return
    if bool(cmd) == bool(listen):
        raise typer.BadParameter("give either --cmd or --listen", param_hint="--cmd")
    try:
        with progress("scenarios", len(chosen), shown=not as_json) as step:
            if cmd:
                verdicts = asyncio.run(run_command(Command(cmd, heartbeat_ms), chosen, at_once, lambda _: step()))
            else:
                verdicts = asyncio.run(run_listening(listen, chosen, _waiting, lambda _: step()))
        if junit is not None:
            junit.write_bytes(junit_xml(verdicts))
    except (CommandError, OSError) as failed:
        err.print(str(failed), markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    except KeyboardInterrupt:
        raise typer.Exit(Exit.UNREADABLE) from None
    _tell(verdicts, as_json, verbose)
    if any([_is_failed(verdict, strict) for verdict in verdicts]):
        raise typer.Exit(1)


def _chosen(scenarios: Sequence[Scenario], only: Sequence[str]) -> list[Scenario]:
    for name in only:
        if not any([scenario.name.startswith(name) for scenario in scenarios]):
            raise typer.BadParameter(f"no scenario begins with {name!r}; see --list", param_hint="--only")
    return [one for one in scenarios if not only or any([one.name.startswith(name) for name in only])]


def _is_failed(verdict: Verdict, strict: bool) -> bool:
    return verdict.outcome is Outcome.FAILED or (strict and verdict.outcome is Outcome.NOT_EXERCISED)


def _list(scenarios: Sequence[Scenario], as_json: bool) -> None:
    if as_json:
        print_json([{"name": one.name, "expected": one.expected, "source": one.source} for one in scenarios])
        return
    for one in scenarios:
        out.print(f"{one.name:24} {one.expected} ({one.source})", markup=False)


def _waiting(scenario: Scenario, game: Game) -> None:
    seats = ",".join([f"{told.table_id}={told.seat_token}" for told in game.tables])
    err.print(f"{scenario.name}: start the client now", markup=False)
    err.print(f"  REFEREE_TARGET={game.server.address} REFEREE_SEATS={seats}", markup=False)


def _tell(verdicts: Sequence[Verdict], as_json: bool, verbose: bool) -> None:
    if as_json:
        print_json([_plain(verdict) for verdict in verdicts])
        return
    for verdict in verdicts:
        out.print(f"{_MARKS[verdict.outcome]} {verdict.scenario.name} ({verdict.seconds:.1f} s)")
        if verdict.outcome is not Outcome.PASSED:
            out.print(f"     expected: {verdict.expected}", markup=False)
            out.print(f"     seen:     {verdict.seen}", markup=False)
            out.print(f"     says so:  {verdict.scenario.source}", markup=False)
            for line in verdict.exchanged[-_LINES_SHOWN:] if verbose else ():
                out.print(f"       {line}", markup=False)
    counts = {outcome: sum([verdict.outcome is outcome for verdict in verdicts]) for outcome in Outcome}
    out.print(", ".join([f"{count} {outcome.value}" for outcome, count in counts.items()]), markup=False)


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.scenario.name,
        "outcome": verdict.outcome.value,
        "expected": verdict.expected,
        "seen": verdict.seen,
        "source": verdict.scenario.source,
        "seconds": round(verdict.seconds, 3),
        "exchanged": list(verdict.exchanged),
    }
