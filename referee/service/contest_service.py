"""ContestService: contests through their stores. The runner of a contest is a process of its own."""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc

from referee.bots import BOTS_OF
from referee.contest.deals import seed_commitment
from referee.contest.folders import contests_in
from referee.contest.programs import outer_environment
from referee.contest.report.files import json_text, played_so_far, result_values
from referee.contest.settings import ContestFileError, ContestSettings, Fault, parse_contest
from referee.contest.store import FINISHED, PLAYED, VOID_IN_TOURNAMENT, ContestStore, ContestStoreError, is_running
from referee.limits import CONTEST_RESULTS_KEPT, CONTEST_STREAMS
from referee.service.access import Access, shown_token
from referee.service.errors import abort, refuse_shape
from referee.service.paging import page
from referee.v1 import contest_pb2, contest_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]

CONTEST_SERVICE_NAME: Final = contest_pb2.DESCRIPTOR.services_by_name["ContestService"].full_name

LOOK_S: Final = 0.25
"""How often a stream looks for something new."""

HEARTBEAT_LOOKS: Final = 40
"""After so many looks without anything new a heartbeat is sent."""

_COMMANDS: Final = {
    contest_pb2.CONTEST_COMMAND_PAUSE: "pause",
    contest_pb2.CONTEST_COMMAND_RESUME: "resume",
    contest_pb2.CONTEST_COMMAND_FINISH: "finish",
    contest_pb2.CONTEST_COMMAND_DISQUALIFY: "disqualify",
    contest_pb2.CONTEST_COMMAND_VOID_HAND: "void",
}
_STATUSES: Final = {
    "created": contest_pb2.CONTEST_STATUS_CREATED,
    "running": contest_pb2.CONTEST_STATUS_RUNNING,
    "paused": contest_pb2.CONTEST_STATUS_PAUSED,
    "finished": contest_pb2.CONTEST_STATUS_FINISHED,
}


@dataclass
class ContestService(contest_pb2_grpc.ContestServiceServicer):
    """The contests of a folder. ``target`` is where their runners find this server.

    A contest lies in a folder of its own, beside which its file has the same name with ``.toml``.
    """

    folder: Path
    access: Access
    target: str = ""
    stores: dict[str, ContestStore] = field(default_factory=dict)
    runners: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)
    attending: dict[tuple[str, str], object] = field(default_factory=dict)
    results: dict[str, tuple[object, str]] = field(default_factory=dict)
    reckoning: asyncio.Lock = field(default_factory=asyncio.Lock)
    streams: int = 0
    watching: int = 0
    stopping: bool = False

    # --- what the host does -----------------------------------------------------------------------------

    async def CreateContest(  # noqa: N802
        self, request: contest_pb2.CreateContestRequest, context: Context
    ) -> contest_pb2.CreateContestResponse:
        """Keeps a contest file, or says all that is wrong with it."""
        await self.access.require_host(context)
        await refuse_shape(context, request)
        try:
            settings = parse_contest(request.file)
            _refuse_what_is_not_here(settings)
        except ContestFileError as wrong:
            faults = [
                contest_pb2.ContestFileFault(key=fault.key, line=fault.line, what=fault.what) for fault in wrong.faults
            ]
            return contest_pb2.CreateContestResponse(faults=faults)
        known = self._known(settings.name)
        if known is None:
            seed = request.seed or secrets.token_bytes(32)
            known = ContestStore.create(self.folder / settings.name, settings, seed)
            (self.folder / f"{settings.name}.toml").write_text(request.file, encoding="utf-8")
        elif known.fact("sha256") != settings.sha256() or (request.seed and request.seed != known.seed):
            message = f"there is another contest {settings.name!r}"
            await abort(context, grpc.StatusCode.ALREADY_EXISTS, "CONTEST_EXISTS", message)
        return contest_pb2.CreateContestResponse(contest=contest_state(known))

    async def RegisterEntrant(  # noqa: N802
        self, request: contest_pb2.RegisterEntrantRequest, context: Context
    ) -> contest_pb2.RegisterEntrantResponse:
        """Gives an entrant a token."""
        await self.access.require_host(context)
        await refuse_shape(context, request)
        store = await self._find(context, request.contest)
        try:
            if request.name not in store.entrants() and store.settings.registration == "open":
                store.add_entrant(request.name)
            token = store.register(request.name, request.request_id)
        except ContestStoreError as refused:
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "NO_ENTRANT", str(refused))
        return contest_pb2.RegisterEntrantResponse(token=token)

    async def StartContest(  # noqa: N802
        self, request: contest_pb2.StartContestRequest, context: Context
    ) -> contest_pb2.StartContestResponse:
        """Starts a runner."""
        await self.access.require_host(context)
        await refuse_shape(context, request)
        store = await self._find(context, request.contest)
        if is_running(store.folder):
            message = f"contest {request.contest!r} has a runner already"
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "CONTEST_RUNNING", message)
        if store.status == FINISHED:
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "CONTEST_OVER", "the contest is over")
        file = store.folder.with_suffix(".toml")
        command = ("contest", "run", str(file), "--folder", str(store.folder), "--target", self.target, "--json")
        log = store.folder / "logs" / "runner.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as written:
            self.runners[request.contest] = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "referee",
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=written,
                env=self._runner_environment(),
                start_new_session=True,
            )
        return contest_pb2.StartContestResponse()

    def _runner_environment(self) -> dict[str, str]:
        tokens = {"REFEREE_HOST_TOKEN": self.access.host_token, "REFEREE_AUDITOR_TOKEN": self.access.auditor_token}
        return {**outer_environment(), **tokens}

    async def CommandContest(  # noqa: N802
        self, request: contest_pb2.CommandContestRequest, context: Context
    ) -> contest_pb2.CommandContestResponse:
        """Records a command."""
        await self.access.require_host(context)
        await refuse_shape(context, request)
        store = await self._find(context, request.contest)
        kind = _COMMANDS[request.command]
        fault = _command_fault(store, kind, request.subject, request.reason)
        if fault and not store.was_asked(request.request_id):
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "COMMAND_REFUSED", fault)
        try:
            command = store.ask(kind, request.subject, request.reason, request.request_id)
        except ContestStoreError as other:
            await abort(context, grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_USED", str(other))
        if not is_running(store.folder) and kind in ("disqualify", "void"):
            if kind == "disqualify":
                store.disqualify(command.subject, command.reason)
            store.carried_out(command)
        return contest_pb2.CommandContestResponse()

    # --- what everybody may see -------------------------------------------------------------------------

    async def ListContests(  # noqa: N802
        self, request: contest_pb2.ListContestsRequest, context: Context
    ) -> contest_pb2.ListContestsResponse:
        """Lists contests."""
        await refuse_shape(context, request)
        try:
            names, token = page(sorted(contests_in(self.folder)), request.page_size, request.page_token)
        except ValueError:
            await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "not a page token of this list")
        states = [contest_state(await self._find(context, name)) for name in names]
        return contest_pb2.ListContestsResponse(contests=states, next_page_token=token)

    async def GetContest(  # noqa: N802
        self, request: contest_pb2.GetContestRequest, context: Context
    ) -> contest_pb2.GetContestResponse:
        """Returns how a contest stands."""
        await refuse_shape(context, request)
        return contest_pb2.GetContestResponse(contest=contest_state(await self._find(context, request.contest)))

    async def WatchContest(  # noqa: N802
        self, request: contest_pb2.WatchContestRequest, context: Context
    ) -> AsyncIterator[contest_pb2.WatchContestResponse]:
        """Streams how a contest stands, and what happens."""
        await refuse_shape(context, request)
        store = await self._find(context, request.contest)
        if self.watching >= CONTEST_STREAMS // 2:  # the rest is for entrants, whom nobody may crowd out
            message = f"{CONTEST_STREAMS // 2} streams watch contests"
            await abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", message)
        await self._begin_stream(context)
        self.watching += 1
        try:
            after, told, stopping = request.after, contest_pb2.ContestState(), False
            while not stopping:
                stopping = self.stopping  # asked first: what was so when the server was told to stop is told still
                happened = store.happenings(after)
                state = contest_state(store)
                if happened or state != told:
                    after = happened[-1].number if happened else after
                    told = state
                    yield contest_pb2.WatchContestResponse(
                        contest=state,
                        happenings=[
                            contest_pb2.ContestHappening(
                                number=one.number,
                                time_unix_ms=one.time_unix_ms,
                                kind=one.kind,
                                subject=one.subject,
                                detail=one.detail,
                            )
                            for one in happened
                        ],
                    )
                elif state.status == contest_pb2.CONTEST_STATUS_FINISHED:
                    return
                await asyncio.sleep(LOOK_S)
        finally:
            self.streams -= 1
            self.watching -= 1

    async def GetContestResults(  # noqa: N802
        self, request: contest_pb2.GetContestResultsRequest, context: Context
    ) -> contest_pb2.GetContestResultsResponse:
        """Returns the results as they stand."""
        await refuse_shape(context, request)
        store = await self._find(context, request.contest)
        return contest_pb2.GetContestResultsResponse(json=await self._results(request.contest, store))

    async def _results(self, name: str, store: ContestStore) -> str:
        """The results as JSON: reckoned once for all who ask while nothing more is played, one contest at a time."""
        async with self.reckoning:
            state = store.results_state()
            known, text = self.results.pop(name, (None, ""))
            if known != state:
                played = played_so_far(store)
                text = await asyncio.to_thread(lambda: json_text(result_values(played)))
            self.results[name] = state, text  # the last one to be asked for is the last one to be dropped
            while len(self.results) > CONTEST_RESULTS_KEPT:
                del self.results[next(iter(self.results))]
            return text

    # --- what an entrant does ---------------------------------------------------------------------------

    async def AttendContest(  # noqa: N802
        self, request: contest_pb2.AttendContestRequest, context: Context
    ) -> AsyncIterator[contest_pb2.AttendContestResponse]:
        """Streams an entrant's seats as they are given."""
        await refuse_shape(context, request)
        store = await self._find(context, request.contest)
        token = shown_token(context)
        if token is None:
            message = "this call needs the token of the entrant's registration"
            await abort(context, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", message)
        if not request.name or store.entrant_of(token) != request.name:
            message = f"the token is not that of {request.name!r} in contest {request.contest!r}"
            await abort(context, grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG", message)
        await self._begin_stream(context)
        mine, key = object(), (request.contest, request.name)
        self.attending[key] = mine
        try:
            async for item in self._seats(store, request.name, token, mine, key):
                yield item
        finally:
            self.streams -= 1
            if self.attending.get(key) is mine:
                del self.attending[key]

    async def _seats(
        self, store: ContestStore, name: str, token: str, mine: object, key: tuple[str, str]
    ) -> AsyncIterator[contest_pb2.AttendContestResponse]:
        """Seats as they are given, until one of the reasons for an end."""
        after, quiet, stopping = 0, 0, False
        while not stopping:
            stopping = self.stopping  # asked first: a contest that ended before its server is told to have ended
            given = store.assignments(name, after)
            if given:
                after, quiet = given[-1].place, 0
                seats = [
                    contest_pb2.ContestSeat(
                        match=one.match,
                        table_name=one.table_name,
                        table_id=one.table_id,
                        seat=one.seat,
                        seat_token=one.token,
                    )
                    for one in given
                ]
                yield contest_pb2.AttendContestResponse(seats=contest_pb2.ContestSeats(seats=seats))
            reason = self._end_reason(store, name, token, mine, key)
            if reason:
                yield contest_pb2.AttendContestResponse(end=contest_pb2.ContestEnd(reason=reason))  # type: ignore[arg-type]
                return
            quiet += 1
            if quiet % HEARTBEAT_LOOKS == 0:
                yield contest_pb2.AttendContestResponse(heartbeat=contest_pb2.ContestHeartbeat())
            await asyncio.sleep(LOOK_S)

    def _end_reason(self, store: ContestStore, name: str, token: str, mine: object, key: tuple[str, str]) -> int:
        if self.attending.get(key) is not mine:
            return contest_pb2.CONTEST_END_REASON_REPLACED
        if store.status == FINISHED:
            return contest_pb2.CONTEST_END_REASON_FINISHED
        if name in store.disqualified():
            return contest_pb2.CONTEST_END_REASON_DISQUALIFIED
        return 0 if store.entrant_of(token) == name else contest_pb2.CONTEST_END_REASON_TOKEN_VOID

    # --- helpers ----------------------------------------------------------------------------------------

    async def _begin_stream(self, context: Context) -> None:
        if self.streams >= CONTEST_STREAMS:
            message = f"{CONTEST_STREAMS} streams of contests are open"
            await abort(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_BUSY", message)
        self.streams += 1

    def _known(self, name: str) -> ContestStore | None:
        store = self.stores.get(name)
        if store is None:
            folder = contests_in(self.folder).get(name)
            if folder is None:
                return None
            store = self.stores[name] = ContestStore(folder)
        return store

    async def _find(self, context: Context, name: str) -> ContestStore:
        try:
            store = self._known(name)
        except ContestStoreError as broken:
            await abort(context, grpc.StatusCode.UNAVAILABLE, "STORE_FAILED", str(broken))
        if store is None:
            await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"there is no contest {name!r}")
        return store


def contest_state(store: ContestStore) -> contest_pb2.ContestState:
    """How a contest stands, as anybody may see it."""
    gone, matches = store.disqualified(), store.matches()
    name = store.settings.name
    return contest_pb2.ContestState(
        name=name,
        status=_STATUSES[store.status],
        settings_sha256=store.fact("sha256"),
        seed_commitment=seed_commitment(name, store.seed),
        entrants=[
            contest_pb2.ContestEntrant(name=entrant, disqualified=gone.get(entrant, "")) for entrant in store.entrants()
        ],
        matches=len(matches),
        matches_played=sum([status == PLAYED for _, status in matches]),
        hands_begun=store.hands_begun(),
        has_runner=is_running(store.folder),
    )


def _refuse_what_is_not_here(settings: ContestSettings) -> None:
    """Raises ContestFileError for programs, and practice bots that do not exist."""
    faults = []
    known = BOTS_OF["kozel" if settings.game.is_kozel else "poker"]
    for place, one in enumerate(settings.entrants, 1):
        if one.command:
            faults.append(Fault(f"entrants[{place}].command", 0, "programs are started only by who sits at the server"))
        if one.bot and one.bot not in known:
            faults.append(Fault(f"entrants[{place}].bot", 0, f"there is no practice bot {one.bot!r}"))
    if faults:
        raise ContestFileError("contest.toml", faults)


def _command_fault(store: ContestStore, kind: str, subject: str, reason: str) -> str:
    """Why a command makes no sense; empty when it does."""
    if kind in ("disqualify", "void") and not reason:
        return "a reason is needed: it is published"
    if kind == "disqualify" and subject not in store.entrants():
        return f"{subject!r} is no entrant of this contest"
    if kind == "void" and store.settings.is_tournament:
        return VOID_IN_TOURNAMENT
    if kind == "void" and not store.has_hand(subject):
        return f"no hand {subject!r} has been collected in this contest"
    if kind in ("pause", "resume", "finish") and store.status == FINISHED:
        return "the contest is over"
    if kind in ("pause", "resume") and not is_running(store.folder):
        return "nobody is running this contest: StartContest begins it or goes on with it"
    return ""
