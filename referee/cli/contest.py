"""`referee contest`: checks, runs and steers a contest, and writes its results."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from referee.bots import BOTS_OF
from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.client.connecting import Server
from referee.contest.calls import CallError
from referee.contest.deals import seed_commitment
from referee.contest.folders import contest_folder, open_contest
from referee.contest.freeze_out import FreezeOut, FreezeOutError
from referee.contest.isolation import IsolationError
from referee.contest.own_server import OwnServerError, ServerOptions
from referee.contest.report.files import FOLDER, write_results
from referee.contest.report.words import words_of
from referee.contest.runner import GivenServer, Runner, StoppedError
from referee.contest.schedule import ScheduleError, TablePlan, next_round, tables_of
from referee.contest.settings import ContestFileError, ContestSettings, read_contest
from referee.contest.store import (
    FINISHED,
    PLAYED,
    VOID_IN_TOURNAMENT,
    ContestStore,
    ContestStoreError,
    is_running,
    only_runner,
)
from referee.rules.ruleset import RuleSetError

app = typer.Typer(no_args_is_help=True, help="Check, run and steer contests of bots, and publish their results.")

File = Annotated[Path, typer.Argument(metavar="FILE", help="The contest's file.")]
Folder = Annotated[Path | None, typer.Option(help="The contest's folder; FILE without its .toml if not given.")]
Reason = Annotated[str, typer.Option(help="Why; it is published.")]


def _fail(message: str) -> NoReturn:
    err.print(message, markup=False)
    raise typer.Exit(Exit.UNREADABLE)


@contextmanager
def _told() -> Iterator[None]:
    """Turns what cannot be done into a message and an exit code."""
    try:
        yield
    except (
        ContestFileError,
        ContestStoreError,
        CallError,
        OwnServerError,
        IsolationError,
        ScheduleError,
        FreezeOutError,
        RuleSetError,
    ) as wrong:
        _fail(str(wrong))
    except OSError as unreadable:
        _fail(f"{unreadable.filename}: {unreadable.strerror}")


def _settings(file: Path) -> ContestSettings:
    settings = read_contest(file)
    known = BOTS_OF["kozel" if settings.game.is_kozel else "poker"]
    unknown = [one.bot for one in settings.entrants if one.bot and one.bot not in known]
    if unknown:
        raise ContestStoreError(f"{file}: there is no practice bot {unknown[0]!r}; there are {', '.join(known)}")
    return settings


def _open(file: Path, folder: Path | None) -> ContestStore:
    return ContestStore(contest_folder(file, folder))


@app.command("check")
def check(file: File, as_json: AsJson = False) -> None:
    """Check a contest file, and say what would be played. Exit code 2: it cannot be."""
    with _told():
        settings = _settings(file)
        tables = _first_round(settings)
    matches = {plan.match for plan in tables}
    hands = sum([plan.hands for plan in tables])
    if as_json:
        first = {"matches": len(matches), "tables": len(tables), "hands": hands}
        print_json({"contest": settings.name, "sha256": settings.sha256(), "first_round": first})
        return
    out.print(f"{settings.name}: {len(settings.entrants)} entrants, {settings.schedule.format}", markup=False)
    out.print(f"first round: {len(matches)} matches, {len(tables)} tables, {hands} hands", markup=False)
    out.print(f"settings {settings.sha256()}", markup=False)


def _first_round(settings: ContestSettings) -> list[TablePlan]:
    if settings.is_tournament:
        # Who sits where is drawn when it begins; how many tables there are is the same with any seed.
        begun = FreezeOut.begin(settings, bytes(32), settings.names, {}) if len(settings.names) > 1 else None
        return [] if begun is None else [begun.plan(match) for match in begun.matches()]
    matches = next_round(settings, settings.names, ()) if len(settings.names) >= settings.game.seats else []
    return [plan for match in matches for plan in tables_of(match, settings.schedule)]


@app.command("run")
def run(
    file: File,
    folder: Folder = None,
    seed: Annotated[str, typer.Option(help="64 hexadecimal digits that decide all chance; drawn if not given.")] = "",
    host: Annotated[str, typer.Option(help="Address of the contest's own server.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Its port; 0 takes a free one.")] = 0,
    tls_key: Annotated[Path | None, typer.Option(help="PEM file of its key.")] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="PEM file of its certificate.")] = None,
    target: Annotated[str, typer.Option(help="Play on this server instead, HOST:PORT.")] = "",
    host_token: Annotated[str, typer.Option(envvar="REFEREE_HOST_TOKEN", help="That server's host token.")] = "",
    auditor_token: Annotated[str, typer.Option(envvar="REFEREE_AUDITOR_TOKEN", help="Its auditor token.")] = "",
    tls_ca: Annotated[Path | None, typer.Option(help="PEM file of the authority to trust; turns TLS on.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a contest until it is over, or go on with it where it stands, and write its results.

    Ctrl-C pauses it. Exit code 0: over; 1: paused; 2: it cannot be run.
    """
    with _told():
        settings = _settings(file)
        server = _server(host, port, tls_key, tls_cert, target, host_token, auditor_token, tls_ca)
        store = open_contest(file, settings, contest_folder(file, folder), _seed(seed))
        out.print(f"commitment to the seed: {seed_commitment(settings.name, store.seed)}", markup=False)
        with only_runner(store.folder), _bars(store, not as_json) as show:
            over = asyncio.run(_run(Runner(store, server, show, file.resolve().parent)))
        made = write_results(store)
    if as_json:
        print_json(made)
    else:
        _print_results(made)
        out.print(f"{store.folder / FOLDER / 'index.html'}", markup=False)
    if not over:
        raise typer.Exit(Exit.DISAGREES)


def _seed(written: str) -> bytes:
    try:
        seed = bytes.fromhex(written)
    except ValueError:
        seed = b""
    if written and len(seed) != 32:
        raise ContestStoreError(f"--seed {written}: expected 64 hexadecimal digits")
    return seed


def _server(
    host: str,
    port: int,
    tls_key: Path | None,
    tls_cert: Path | None,
    target: str,
    host_token: str,
    auditor_token: str,
    tls_ca: Path | None,
) -> ServerOptions | GivenServer:
    authority = None if tls_ca is None else tls_ca.read_bytes()
    if target:
        if not host_token or not auditor_token:
            raise ContestStoreError("--target needs the tokens of that server's host and auditor")
        return GivenServer(Server(target, tls_ca=authority), host_token, auditor_token)
    words: tuple[str, ...] = ()
    if tls_key is not None and tls_cert is not None:
        words = ("--tls-key", str(tls_key.resolve()), "--tls-cert", str(tls_cert.resolve()))
        authority = authority or tls_cert.read_bytes()
    return ServerOptions(host, port, words, authority)


async def _run(runner: Runner) -> bool:
    """Runs; false when it was paused by a signal."""
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, runner.stop)
    try:
        await runner.run()
    except StoppedError:
        return False
    return True


@contextmanager
def _bars(store: ContestStore, shown: bool) -> Iterator[Callable[[], None]]:
    """Bars on a terminal: hands and matches; yields what brings them up to date."""
    if not (shown and err.is_terminal):
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        hands, matches = progress.add_task("hands", total=None), progress.add_task("matches", total=None)

        def show() -> None:
            rows, known = store.table_rows(), store.matches()
            own = store.settings
            # Nobody knows how long a tournament lasts.
            total = None if own.is_tournament else len(rows) * own.schedule.hands_of_a_table
            progress.update(hands, completed=sum([row[2] for row in rows.values()]), total=total)
            progress.update(matches, completed=sum([one == PLAYED for _, one in known]), total=len(known))

        yield show


@app.command("resume")
def resume(file: File, folder: Folder = None) -> None:
    """Go on with a contest that a command has paused; one that nobody runs is gone on with by `run`."""
    _ask(file, folder, "resume")


@app.command("pause")
def pause(file: File, folder: Folder = None) -> None:
    """Let a running contest stand where it is: programs and the contest's own server end, nothing is lost."""
    _ask(file, folder, "pause")


@app.command("finish")
def finish(file: File, folder: Folder = None) -> None:
    """End a contest after the round under way, such as a ladder that runs on."""
    _ask(file, folder, "finish")


@app.command("disqualify")
def disqualify(file: File, name: str, reason: Reason, folder: Folder = None) -> None:
    """Disqualify an entrant: his tables end after their hands under way, and none of his hands counts."""
    with _told():
        if name not in _open(file, folder).entrants():
            raise ContestStoreError(f"{name!r} is no entrant of this contest")
    _ask(file, folder, "disqualify", name, reason)


@app.command("void")
def void(file: File, hand: str, reason: Reason, folder: Folder = None) -> None:
    """Void a hand, such as m3.t0.s1-12, and with it the same deal in the other seatings."""
    with _told():
        store = _open(file, folder)
        if store.settings.is_tournament:
            raise ContestStoreError(VOID_IN_TOURNAMENT)
        if not store.has_hand(hand):
            raise ContestStoreError(f"no hand {hand!r} has been collected in this contest")
        command = store.ask("void", hand, reason)
        if not is_running(store.folder):
            store.carried_out(command)
            write_results(store)


def _ask(file: Path, folder: Path | None, kind: str, subject: str = "", reason: str = "") -> None:
    with _told():
        store = _open(file, folder)
        running = is_running(store.folder)
        if not running and kind in ("pause", "resume"):
            raise ContestStoreError(f"nobody is running this contest: referee contest run {file}")
        if store.status == FINISHED and kind != "disqualify":
            raise ContestStoreError("the contest is over")
        command = store.ask(kind, subject, reason)
        if not running and kind == "disqualify":
            store.disqualify(subject, reason)
            store.carried_out(command)
            write_results(store)
    out.print(f"{kind}: {'asked' if running else 'noted'}", markup=False)


@app.command("token")
def token(file: File, name: str, folder: Folder = None) -> None:
    """Print a new token for an entrant who dials in. It is shown this once, and the one before is void."""
    with _told():
        settings = _settings(file)
        where = contest_folder(file, folder)
        store = open_contest(file, settings, where)
        if name not in store.entrants() and settings.registration == "open":
            store.add_entrant(name)
        out.print(store.register(name), markup=False)


@app.command("status")
def status(file: File, folder: Folder = None, as_json: AsJson = False) -> None:
    """Tell how a contest stands."""
    with _told():
        store = _open(file, folder)
        matches = store.matches()
        values: dict[str, Any] = {
            "contest": store.settings.name,
            "status": store.status,
            "running": is_running(store.folder),
            "target": store.fact("target"),
            "settings_sha256": store.fact("sha256"),
            "seed_commitment": seed_commitment(store.settings.name, store.seed),
            "entrants": store.entrants(),
            "disqualified": store.disqualified(),
            "matches": len(matches),
            "matches_played": sum([one == PLAYED for _, one in matches]),
            "hands_begun": store.hands_begun(),
        }
    if as_json:
        print_json(values)
        return
    for name, value in values.items():
        out.print(f"{name.replace('_', ' '):18} {value}", markup=False)


@app.command("results")
def results(file: File, folder: Folder = None, as_json: AsJson = False) -> None:
    """Write the results as they stand, and print the standings."""
    with _told():
        store = _open(file, folder)
        made = write_results(store)
    if as_json:
        print_json(made)
        return
    _print_results(made)
    out.print(f"{store.folder / FOLDER / 'index.html'}", markup=False)


def _print_results(values: dict[str, Any]) -> None:
    if "places" in values:
        _print_places(values)
    else:
        _print_standings(values)


def _print_places(values: dict[str, Any]) -> None:
    grid = Grid("place", "entrant", "prize", "chips", "out in hand")
    for row in values["places"]:
        place = str(row["first"]) if row["first"] == row["last"] else f"{row['first']} to {row['last']}"
        told = ["" if row[key] is None else str(row[key]) for key in ("prize", "chips", "out_in_hand")]
        grid.add_row(place, row["name"], *told)
    out.print(grid)
    _print_faults(values)


def _print_standings(values: dict[str, Any]) -> None:
    words = words_of(values)
    grid = Grid("", "entrant", words.unit, "interval", "raw", words.adjusted, words.played, "P(rank)")
    for row in values["standings"]:
        rates = row[words.rates]
        duplicate = rates["duplicate"]
        low, high = duplicate["low"], duplicate["high"]  # of few units one of them, or both, may not be known
        spread = "" if low is None or high is None else f"{low:+.1f} to {high:+.1f}"
        grid.add_row(
            str(row["rank"]),
            row["name"],
            f"{duplicate['value']:+.1f}",
            spread,
            f"{rates['raw']['value']:+.1f}",
            f"{rates['adjusted']['value']:+.1f}",
            str(row["hands"]),
            f"{row['rank_probabilities'][row['rank'] - 1]:.0%}",
        )
    out.print(grid)
    _print_faults(values)


def _print_faults(values: dict[str, Any]) -> None:
    for fault in values["faults"]:
        told = f"{fault['name']}: {fault['kind']} {fault['times']} times, {fault['rule']} {fault['reason']}"
        out.print(f"fault: {told}", markup=False)
