"""Runs a contest: opens tables, brings players to them, watches, collects what was played, and goes on after anything.

All it knows is in the contest's store; the tables are in the server's. Killed at any moment, it finds where everything
stands by making the same requests again under the same request ids.
"""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import grpc

from referee.bots.__main__ import play_seats
from referee.client.connecting import ConnectionLostError, Seat, Server
from referee.contest.calls import Host
from referee.contest.collecting import collect
from referee.contest.deals import TableDecks, bot_seeds, contest_decks, deck_file
from referee.contest.freeze_out import StoredFreezeOut
from referee.contest.isolation import IsolationError, isolation_fault
from referee.contest.kozel import kozel_deck_file
from referee.contest.level_clock import LevelClock
from referee.contest.own_server import OwnServer, ServerOptions, free_port
from referee.contest.programs import Program
from referee.contest.schedule import Match, PlayedMatch, TablePlan, next_round, tables_of
from referee.contest.scores import match_scores
from referee.contest.settings import ContestSettings, EntrantSettings
from referee.contest.store import FINISHED, OPEN, PAUSED, PLAYED, RUNNING, ContestStore, values
from referee.dealing.given import write_decks
from referee.table.timing import SystemTime
from referee.v1 import table_pb2

LOOK_S: Final = 0.25
"""How often the runner looks at commands, and at players that are awaited."""

TABLES_LOOKED_AT: Final = 16
"""How many tables are asked at once how they stand, while they are played."""

CALLS_AT_ONCE: Final = 16
"""How many tables of a match are opened, or let begin, at the same time."""

COLLECTING_NICENESS: Final = 10
"""By how much the processes that collect records give way to play."""

UNCOLLECTED: Final = 2
"""How many matches, for each that is played at a time, are played or not collected yet."""

UNIX: Final = "unix:"
"""How the target of a server at a Unix socket begins."""

RESTART_S: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
"""How long a program that ended early waits before it is started again."""


_Result = TypeVar("_Result")


class StoppedError(Exception):
    """The contest was told to pause; everything is where it was."""


@dataclass(frozen=True)
class GivenServer:
    """A server that somebody else runs, with the tokens of its host and its auditor."""

    server: Server
    host_token: str
    auditor_token: str


@dataclass
class _Table:
    """A table of a match under way."""

    plan: TablePlan
    table_id: str
    tokens: dict[int, str]
    has_ended: bool = False
    hands: int = 0


@dataclass
class _Match:
    """A match under way: its tables, and the programs that play them."""

    match: Match
    tables: list[_Table]
    programs: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    @property
    def open_tables(self) -> list[_Table]:
        """Tables that have not ended."""
        return [one for one in self.tables if not one.has_ended]


class Runner:
    """One contest in one folder. ``progress`` is called after every step that somebody may want to see.

    ``now_ms`` is the clock of a tournament's levels, in milliseconds since 1970; the system's if not given.
    """

    def __init__(
        self,
        store: ContestStore,
        server: ServerOptions | GivenServer,
        progress: Callable[[], None] = lambda: None,
        file_folder: Path | None = None,
        now_ms: Callable[[], int] | None = None,
    ) -> None:
        self._store = store
        self._server_options = server
        self._progress = progress
        self._file_folder = file_folder or store.folder
        self._settings: ContestSettings = store.settings
        self._seed = store.seed
        self._decks = contest_decks(self._settings.name, self._seed)
        self._level_clock = LevelClock(store, now_ms or SystemTime().now_ms)
        self._freeze_out = StoredFreezeOut(store, self._level_clock) if self._settings.is_tournament else None
        self._own: OwnServer | None = None
        self._host: Host
        self._server: Server
        self._server_offline: Server
        self._stop = asyncio.Event()
        self._playing: dict[int, _Match] = {}

    def stop(self) -> None:
        """Lets everything stand where it is, soon; :meth:`run` then raises StoppedError."""
        self._stop.set()

    @property
    def target(self) -> str:
        """The address of the server that plays the tables."""
        return self._server.target

    async def run(self) -> None:
        """Plays until the contest is over, pausing and going on as it is told by commands.

        Raises StoppedError after :meth:`stop`; CallError, OwnServerError, IsolationError, ScheduleError, FreezeOutError
        and OSError when it cannot go on.
        """
        for command in self._store.asked():
            if command.kind in ("pause", "resume"):  # meant for a runner that ended before it looked
                self._store.lapsed(command)
        while self._store.status != FINISHED:
            await self._begin()
            playing = asyncio.create_task(self._play())
            try:
                paused = await self._until_told_otherwise(playing)
            finally:
                await self._end(playing)
            if not paused:
                self._carry_out_what_came_late()
                return
            self._store.set_fact("status", PAUSED)
            self._progress()
            if self._stop.is_set():
                raise StoppedError
            await self._until_resumed()

    # --- beginning, ending, pausing ---------------------------------------------------------------------

    async def _begin(self) -> None:
        options = self._server_options
        offline = [one.name for one in self._settings.entrants if one.network == "none"]
        if offline:
            await self._refuse_unless_isolated(offline)
        if isinstance(options, GivenServer):
            self._server = self._server_offline = options.server
            self._host = Host(options.server, options.host_token, options.auditor_token)
            await self._host.reached()
        else:
            port = options.port or int(self._store.fact("port") or free_port(options.host))
            self._store.set_fact("port", str(port))
            chosen = ServerOptions(options.host, port, options.words, options.tls_ca, bool(offline))
            self._own = OwnServer(self._store.folder / "server", chosen, self._store.note)
            await self._own.start()
            self._server = self._own.server
            self._server_offline = Server(f"{UNIX}{self._own.socket}")
            self._host = Host(self._server, self._own.token("host"), self._own.token("auditor"))
        self._store.set_fact("target", self._server.target)
        if self._store.status != RUNNING:
            self._store.note("running", "", values({"sha256": self._settings.sha256()}))
        self._store.set_fact("status", RUNNING)
        self._level_clock.run()

    async def _refuse_unless_isolated(self, offline: list[str]) -> None:
        """Raises IsolationError where programs cannot be kept from the network, or could not reach the server then."""
        options = self._server_options
        fault = await asyncio.to_thread(isolation_fault)
        if not fault and isinstance(options, GivenServer) and not options.server.target.startswith(UNIX):
            fault = (
                f"programs without network reach a server at a Unix socket ({UNIX}PATH), not {options.server.target}"
            )
        if fault:
            raise IsolationError(f"{', '.join(offline)}: {fault}")

    async def _end(self, playing: "asyncio.Task[None]") -> None:
        self._level_clock.stand_still()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await self._host.close()
        if self._own is not None:
            await self._own.stop()

    async def _until_told_otherwise(self, playing: "asyncio.Task[None]") -> bool:
        """Waits for the end of the contest, and carries out commands meanwhile; true when it is to pause."""
        stopping = asyncio.create_task(_until(self._stop))
        watched = {playing, stopping}
        if self._own is not None:
            watched.add(asyncio.create_task(self._own.failed()))
        try:
            while not playing.done():
                done, _ = await asyncio.wait(watched, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                self._level_clock.keep()
                if self._stop.is_set() or await self._carry_out_commands():
                    return not playing.done()
            return False
        finally:
            for task in watched - {playing}:
                task.cancel()

    async def _carry_out_commands(self) -> bool:
        """Carries out what operators asked for; true when it is to pause."""
        paused = False
        for command in self._store.asked():
            match command.kind:
                case "pause":
                    paused = True
                case "resume":
                    paused = False
                case "disqualify":
                    self._store.disqualify(command.subject, command.reason or "no reason given")
                    await self._close_tables_of(command.subject)
            self._store.carried_out(command)
        return paused

    def _carry_out_what_came_late(self) -> None:
        """Carries out what was asked in the last moment before the contest was over, as far as it still can be."""
        for command in self._store.asked():
            if command.kind in ("pause", "resume", "finish"):
                self._store.lapsed(command)
                continue
            if command.kind == "disqualify":
                self._store.disqualify(command.subject, command.reason or "no reason given")
            self._store.carried_out(command)

    async def _until_resumed(self) -> None:
        while not self._stop.is_set():
            for command in self._store.asked():
                if command.kind == "disqualify":
                    self._store.disqualify(command.subject, command.reason or "no reason given")
                self._store.carried_out(command)
                if command.kind == "resume":
                    return
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._stop.wait()
        raise StoppedError

    # --- rounds -----------------------------------------------------------------------------------------

    async def _play(self) -> None:
        context, count = multiprocessing.get_context("spawn"), min(self._at_once, os.cpu_count() or 1)
        with ProcessPoolExecutor(count, context, os.nice, (COLLECTING_NICENESS,)) as pool:
            await self._play_rounds(pool)
        self._store.set_fact("status", FINISHED)
        self._store.note("finished")
        self._progress()

    async def _play_rounds(self, pool: ProcessPoolExecutor) -> None:
        while True:
            waiting = [match for match, status in self._store.matches() if status != PLAYED]
            if not waiting:
                if self._store.commands_done("finish"):
                    break
                waiting = self._next_round()
                if not waiting:
                    break
            await self._play_matches(waiting, pool)

    def _next_round(self) -> list[Match]:
        if self._freeze_out is not None:
            return self._freeze_out.next_round()
        gone = self._store.disqualified()
        played = [match for match, _ in self._store.matches()]
        voided = self._store.voided()
        scores = match_scores(self._store.results(), played, self._settings.game.unit, voided, gone)
        done = [PlayedMatch(match, scores[match.number]) for match in played]
        matches = next_round(self._settings, self._store.entrants(), done, gone)
        tables = [plan for match in matches for plan in tables_of(match, self._settings.schedule)]
        self._store.add_round(matches, tables)
        return matches

    @property
    def _at_once(self) -> int:
        """How many matches are played beside one another."""
        return self._settings.run.parallel_matches or os.cpu_count() or 1

    async def _play_matches(self, matches: Sequence[Match], pool: ProcessPoolExecutor) -> None:
        free, room = asyncio.Semaphore(self._at_once), asyncio.Semaphore(UNCOLLECTED * self._at_once)

        async def one(match: Match) -> None:
            async with room:
                async with free:
                    collecting = await self._play_match(match, pool)
                await self._until_collected(match, collecting)

        try:
            async with asyncio.TaskGroup() as group:
                for match in matches:
                    group.create_task(one(match))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None  # what stopped the first match stopped the others

    # --- one match --------------------------------------------------------------------------------------

    async def _play_match(self, match: Match, pool: ProcessPoolExecutor) -> "list[asyncio.Task[None]]":
        """Plays a match; returns what collects its tables when the last one has ended."""
        gone = self._store.disqualified()
        rows = self._store.table_rows()
        plans = [one for one in self._tables_of(match) if rows[one.name][1] != PLAYED]
        if not gone.keys().isdisjoint(match.players):
            # What has been played is kept; nothing more is.
            opened = [one for one in plans if rows[one.name][1] == OPEN]
            if not opened:
                return []
            plans = opened
        self._store.set_match(match.number, OPEN)
        playing = _Match(match, await _together([self._opened(plan) for plan in plans]))
        self._playing[match.number] = playing
        try:
            if not gone.keys().isdisjoint(match.players):
                await self._close(playing)
            await self._bring_players(playing)
            return await self._until_played(playing, pool)
        finally:
            await self._send_away(playing)
            del self._playing[match.number]

    async def _until_collected(self, match: Match, collecting: "list[asyncio.Task[None]]") -> None:
        """Waits for what collects the tables of a match, which then is played; meanwhile the next one plays."""
        await asyncio.gather(*collecting)
        self._store.set_match(match.number, PLAYED)
        self._progress()

    def _tables_of(self, match: Match) -> list[TablePlan]:
        if self._freeze_out is not None:
            return [self._freeze_out.table_of(match)]
        return tables_of(match, self._settings.schedule)

    async def _opened(self, plan: TablePlan) -> _Table:
        decks = self._deck_file(plan)
        label = f"{self._settings.name}/{plan.name}"
        request_id = self._store.secret_id(label)
        table_id = await self._host.open_table(self._settings, plan, self._seed, decks, request_id)
        tokens = {
            seat: await self._host.take_seat(table_id, seat, name, self._store.secret_id(f"{label}/{seat}"))
            for seat, name in plan.seated
        }
        self._store.table_opened(plan, table_id, tokens)
        return _Table(plan, table_id, tokens)

    def _deck_file(self, plan: TablePlan) -> str:
        if plan.sitting is not None:
            return write_decks(plan.sitting.decks)
        if self._settings.game.is_kozel:
            return kozel_deck_file(self._settings.name, self._seed, plan, self._settings.game.kozel_rules())
        return deck_file(TableDecks(self._decks, plan), plan.hands)

    async def _bring_players(self, playing: _Match) -> None:
        """Starts the programs, waits until everybody is connected or the time for that is over, and lets play begin.

        No clock runs before that: a table deals when the runner has given the seeds that its seats promised.
        """
        for entrant in self._settings.entrants:
            if entrant.name not in playing.match.players or entrant.dials_in:
                continue
            if entrant.bot and self._freeze_out is not None:
                playing.programs[entrant.name] = asyncio.create_task(self._keep_playing(playing, entrant))
            else:
                for label, seats in _shares(playing, entrant):
                    key = f"{entrant.name}.{label}" if label else entrant.name
                    work = self._keep_running(playing, entrant, key, seats)
                    playing.programs[key] = asyncio.create_task(work)
        waiting = {one.table_id: one for one in playing.tables}
        until = asyncio.get_running_loop().time() + self._settings.clock.ready_ms / 1000
        while waiting and asyncio.get_running_loop().time() < until:
            for one in list(waiting.values()):
                state = await self._host.state(one.table_id)
                if state.hand or all([seat.attached for seat in state.seats]) or _is_over(state):
                    del waiting[one.table_id]
            if waiting:
                await asyncio.sleep(LOOK_S)
        late = {name for one in waiting.values() for name in await self._absent(one)}
        for name in sorted(late):
            self._store.note("not ready", name, f"match {playing.match.number}")
        await _together(
            [
                self._host.release(self._settings, one.plan, self._seed, one.table_id, one.tokens)
                for one in playing.tables
            ]
        )
        self._store.note("match began", str(playing.match.number))

    async def _absent(self, table: _Table) -> list[str]:
        state = await self._host.state(table.table_id)
        return [seat.name for seat in state.seats if not seat.attached]

    async def _keep_playing(self, playing: _Match, entrant: EntrantSettings) -> None:
        """Plays a practice bot's seats in this process: a hand of a tournament is too short to start one for it."""
        while given := playing.open_tables:
            seats = [Seat(one.table_id, one.tokens[one.plan.players.index(entrant.name) + 1]) for one in given]
            try:
                await play_seats(self._server.target, entrant.bot, self._bot_seed(entrant), seats, self._server.tls_ca)
            except (ConnectionLostError, grpc.aio.AioRpcError) as lost:
                self._store.note("connection lost", entrant.name, f"match {playing.match.number}: {lost}")
                await asyncio.sleep(RESTART_S[-1])
            await self._look_at(given)

    async def _keep_running(self, playing: _Match, entrant: EntrantSettings, key: str, seats: list[_Table]) -> None:
        """Starts a program for its seats, and again when it ends before its tables do."""
        log = self._store.folder / "logs" / f"{key}.m{playing.match.number}.log"
        for start in range(self._settings.faults.restarts + 1):
            given = [one for one in seats if not one.has_ended]
            if not given:
                return
            program = await self._started(entrant, given, log)
            if program is None:
                return
            try:
                await program.wait()
            finally:
                await program.stop(seconds=2.0)
            await self._look_at(given)
            if all([one.has_ended for one in seats]):
                return
            self._store.note("program ended", entrant.name, f"match {playing.match.number}: {program.exit_text}")
            await asyncio.sleep(RESTART_S[min(start, len(RESTART_S) - 1)])
        self._store.note("not started again", entrant.name, f"match {playing.match.number}")

    async def _started(self, entrant: EntrantSettings, given: list[_Table], log: Path) -> Program | None:
        tokens = [f"{one.table_id}={one.tokens[one.plan.players.index(entrant.name) + 1]}" for one in given]
        server = self._server_offline if entrant.network == "none" else self._server
        environment = {
            "REFEREE_TARGET": server.target,
            "REFEREE_SEATS": ",".join(tokens),
            "REFEREE_NAME": entrant.name,
            "REFEREE_CONTEST": self._settings.name,
            **entrant.environment,
        }
        if server.tls_ca is not None:
            authority = self._store.folder / "server-ca.pem"
            authority.write_bytes(server.tls_ca)
            environment["REFEREE_TLS_CA"] = str(authority)
        folder = self._file_folder / entrant.folder if entrant.command else None
        command = entrant.command or self._practice(entrant)
        try:
            limits = entrant.memory_mb, entrant.cpu_seconds
            return await Program.start(command, environment, log, folder, *limits, entrant.network)
        except OSError as failed:
            self._store.note("not started", entrant.name, str(failed))
            return None

    def _practice(self, entrant: EntrantSettings) -> list[str]:
        return [sys.executable, "-m", "referee.bots", entrant.bot, "--seed", str(self._bot_seed(entrant))]

    def _bot_seed(self, entrant: EntrantSettings) -> int:
        return entrant.seed or bot_seeds(self._settings.name, self._seed, [entrant.name])[entrant.name]

    async def _until_played(self, playing: _Match, pool: ProcessPoolExecutor) -> "list[asyncio.Task[None]]":
        """Waits until every table has ended; returns what collects each from then on."""
        collecting: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                await self._look_at(playing.open_tables[:TABLES_LOOKED_AT])
                for one in playing.tables:
                    if one.has_ended and one.table_id not in collecting:
                        collecting[one.table_id] = asyncio.create_task(self._collected(one, pool))
                self._progress()
                if not playing.open_tables:
                    return list(collecting.values())
                running = [task for task in playing.programs.values() if not task.done()]
                await asyncio.wait(running or [asyncio.create_task(asyncio.sleep(LOOK_S))], timeout=4 * LOOK_S)
        except BaseException:
            for task in collecting.values():
                task.cancel()
            raise

    async def _look_at(self, tables: list[_Table]) -> None:
        """Asks how tables stand."""
        for one in tables:
            if not one.has_ended:
                state = await self._host.state(one.table_id)
                one.has_ended = _is_over(state)
                # Of Kozel a game is what counts, not its rounds.
                one.hands = int(one.has_ended) if self._settings.game.is_kozel else state.hand
        self._store.set_hands({one.plan.name: one.hands for one in tables})

    async def _collected(self, table: _Table, pool: ProcessPoolExecutor) -> None:
        """Reads the sealed record of a table that has ended, keeps it, and reckons its hands."""
        while True:
            bundle = await self._host.bundle(table.table_id)
            price = self._settings.faults.unplayed_hand_chips
            found = await asyncio.get_running_loop().run_in_executor(pool, collect, table.plan, bundle, price)
            if found.is_whole:
                break
            await asyncio.sleep(LOOK_S)  # its end is not sealed yet
        kept = self._store.folder / "records" / f"{table.plan.name}.bundle"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(bundle)
        self._store.table_played(table.plan.name, found.hands)
        self._progress()

    async def _send_away(self, playing: _Match) -> None:
        for task in playing.programs.values():
            task.cancel()
        await asyncio.gather(*playing.programs.values(), return_exceptions=True)

    async def _close_tables_of(self, name: str) -> None:
        for playing in list(self._playing.values()):
            if name in playing.match.players:
                await self._close(playing)

    async def _close(self, playing: _Match) -> None:
        for one in playing.open_tables:
            await self._host.close_table(one.table_id, f"{one.table_id}-close")


async def _together(calls: Sequence[Coroutine[Any, Any, _Result]]) -> list[_Result]:
    """What calls return, so many of them at a time."""
    free = asyncio.Semaphore(CALLS_AT_ONCE)

    async def one(call: Coroutine[Any, Any, _Result]) -> _Result:
        async with free:
            return await call

    return await asyncio.gather(*[one(call) for call in calls])


async def _until(event: asyncio.Event) -> None:
    await event.wait()


def _is_over(state: table_pb2.TableState) -> bool:
    return state.status == table_pb2.TABLE_STATUS_ENDED


def _shares(playing: _Match, entrant: EntrantSettings) -> list[tuple[str, list[_Table]]]:
    """What each process of an entrant plays.

    A program has one process for each seating, so that none sees the same cards from two sides; a practice bot has one
    for all.
    """
    if entrant.bot:
        return [("", playing.tables)]
    seatings = sorted({one.plan.seating for one in playing.tables})
    return [(f"s{at}", [one for one in playing.tables if one.plan.seating == at]) for at in seatings]
