"""A contest's heads-up duplicate match beside batched play on as many tables, interleaved in one run.

*Batched play* is a stream for each of two bots on all tables: of the bare clients of the benchmarks, and of the same
practice bots in processes of their own. The contest is the whole thing: `referee contest run` with two practice bots on
a server of its own, which keeps, seals and collects every hand. All are measured while every table plays: batched play
after a moment of warming up, the contest, by the stamps in its records, from when the last table has begun to when the
first one ends.

Rates depend on what else the machine does. The CPU time that each process needs for a decision depends on it less, and
bounds the rate where there are processors enough.
"""

import asyncio
import multiprocessing
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc

from referee.audit.reading import read_piece
from referee.bots import make_bot
from referee.client import aio
from referee.record.bundle import read_bundle
from tools.benchmarks import clients
from tools.benchmarks.clients import Pace, Place
from tools.benchmarks.figures import Figure, plain, ratio_of
from tools.benchmarks.processes import PLAY, ServerProcess, cpu_seconds_of

BOT: Final = "always-call"
WARMING_SECONDS: Final = 1.0
SEATS: Final = 2
SEATINGS: Final = 2
KINDS: Final = ("server", "bots", "rest")

_FILE = f"""format = "referee-contest/1"
name = "bench"
[game]
rule_set = "holdem/tda@1"
small_blind = 1
big_blind = 2
stack = 200
[schedule]
hands = {{hands}}
table_hands = {{table_hands}}
block_hands = 10
[clock]
action_ms = 60_000
[[entrants]]
name = "one"
bot = "{BOT}"
[[entrants]]
name = "two"
bot = "{BOT}"
"""


class _Measured(NamedTuple):
    """Decisions a second, and microseconds of CPU for each: the server's, the bots', and what else there is."""

    rate: float
    server_us: float
    bots_us: float = 0.0
    rest_us: float = 0.0


# --- batched play ---------------------------------------------------------------------------------------


async def _bare(tables: int, seconds: float) -> _Measured:
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                seats = await clients.open_tables(channel, server.token, tables)
                pace = Pace.of(WARMING_SECONDS + seconds)
                playing = asyncio.create_task(clients.play(channel, seats, pace))
                await asyncio.sleep(WARMING_SECONDS)
                began, done, used = time.perf_counter(), pace.done, server.cpu_seconds()
                await playing
                done, spent = pace.done - done, time.perf_counter() - began
            return _Measured(done / spent, (server.cpu_seconds() - used) / done * 1e6)
        finally:
            server.stop()


def play_places(address: str, places: list[Place]) -> None:
    """Plays one bot's places until it is killed; called in a process of its own."""
    asyncio.run(aio.play(address, make_bot(BOT, 1), places, max_open_decisions=len(places)))


async def _places(server: ServerProcess, tables: int) -> list[list[Place]]:
    async with grpc.aio.insecure_channel(server.address) as channel:
        return await clients.open_tables(channel, server.token, tables)


def _two_bots(tables: int, seconds: float) -> _Measured:
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        context = multiprocessing.get_context("spawn")
        bots = [
            context.Process(target=play_places, args=(server.address, places), daemon=True)
            for places in asyncio.run(_places(server, tables))
        ]
        try:
            for bot in bots:
                bot.start()
            while server.counts()[0] < SEATS * tables:
                time.sleep(0.05)
            time.sleep(WARMING_SECONDS)
            began, (done, _), used = time.perf_counter(), server.counts(), server.cpu_seconds()
            bots_used = sum([cpu_seconds_of(bot.pid) for bot in bots])
            time.sleep(seconds)
            done, spent = server.counts()[0] - done, time.perf_counter() - began
            bots_us = (sum([cpu_seconds_of(bot.pid) for bot in bots]) - bots_used) / done * 1e6
            return _Measured(done / spent, (server.cpu_seconds() - used) / done * 1e6, bots_us)
        finally:
            for bot in bots:
                bot.kill()
            server.stop()


# --- the contest ----------------------------------------------------------------------------------------


class _Processes:
    """CPU seconds of a contest's processes again and again: its server, its bots, everything else.

    What has ended stays counted.
    """

    def __init__(self, runner: int, folder: Path) -> None:
        self._runner = runner
        self._server_words = ("serve", str(folder / "server"))
        self._used: dict[tuple[int, str], float] = {}
        self._read: list[tuple[int, dict[str, float]]] = []

    def look(self) -> None:
        """Reads how much each has used by now."""
        now_ms = time.time_ns() // 1_000_000
        found = {self._runner}
        for pid, parent, command in sorted(_running()):
            if parent in found:  # children have higher numbers, but for a wrap, which loses nothing but a figure
                found.add(pid)
            if pid in found:
                kind = "bots" if "referee.bots" in command else "rest"
                kind = "server" if all([word in command for word in self._server_words]) else kind
                with suppress(OSError):  # it has ended
                    self._used[pid, kind] = cpu_seconds_of(pid)
        sums = dict.fromkeys(KINDS, 0.0)
        for (_, kind), seconds in self._used.items():
            sums[kind] += seconds
        self._read.append((now_ms, sums))

    def used_between(self, first_ms: int, last_ms: int) -> tuple[int, int, dict[str, float]]:
        """The first and last reading between two moments, and what each kind used between them."""
        within = [one for one in self._read if first_ms <= one[0] <= last_ms]
        (began_ms, before), (ended_ms, after) = within[0], within[-1]
        return began_ms, ended_ms, {kind: after[kind] - before[kind] for kind in KINDS}


def _running() -> list[tuple[int, int, str]]:
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((one / "stat").read_text().rpartition(")")[2].split()[1])
            command = (one / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended
        found.append((int(one.name), parent, command))
    return found


def _contest(tables: int, hands: int) -> _Measured:
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name) / "bench", Path(name) / "bench.toml"
        file.write_text(_FILE.format(hands=hands * tables // SEATINGS, table_hands=hands), encoding="utf-8")
        command = [sys.executable, "-m", "referee", "contest", "run", str(file), "--json"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        processes = _Processes(process.pid, folder)
        while process.poll() is None:
            time.sleep(0.1)
            processes.look()
        stamps = [_stamps(file) for file in (folder / "records").glob("*.bundle")]
        assert len(stamps) == tables, "every table was played"
        first, last = max([one[0] for one in stamps]), min([one[-1] for one in stamps])
        began, ended, used = processes.used_between(first, last)
        assert began < ended, "all tables played at the same time; give them more hands"
        done = len([at for one in stamps for at in one if began <= at < ended])
        return _Measured(done / (ended - began) * 1_000, *[used[kind] / done * 1e6 for kind in KINDS])


def _stamps(bundle: Path) -> list[int]:
    """When the decisions of a table were ruled on."""
    pieces = read_bundle(bundle.read_bytes()).pieces
    return [item.time_unix_ms for piece in pieces for item in read_piece(piece).items if item.kind == "ruling"]


def figures(rounds: int, tables: int, hands: int, seconds: float) -> tuple[list[Figure], dict[str, Any]]:
    """A contest's pace beside batched play, and what was measured for it."""
    measured: dict[str, list[_Measured]] = {"bare": [], "bots": [], "contest": []}
    for _ in range(rounds):
        measured["bare"].append(asyncio.run(_bare(tables, seconds)))
        measured["bots"].append(_two_bots(tables, seconds))
        measured["contest"].append(_contest(tables, hands))
    rates = {kind: [one.rate for one in every] for kind, every in measured.items()}
    server_us = {kind: [one.server_us for one in every] for kind, every in measured.items()}
    unit = "decisions a second"
    return [
        ratio_of("a contest's match over batched play of the same bots", rates["contest"], rates["bots"], unit, 0.9),
        ratio_of("the same over batched play of bare clients", rates["contest"], rates["bare"], unit, 0.9),
        ratio_of(
            "server's CPU of a decision in it over that with the same bots",
            server_us["contest"],
            server_us["bots"],
            "us",
            1 / 0.9,
            at_most=True,
            by_cpu=True,
        ),
        plain("server's CPU of a decision: contest", server_us["contest"], "us"),
        plain("the same: batched play of the same bots", server_us["bots"], "us"),
        plain("the same: batched play of bare clients", server_us["bare"], "us"),
        plain("bots' CPU of a decision: contest", [one.bots_us for one in measured["contest"]], "us"),
        plain("the same: batched play", [one.bots_us for one in measured["bots"]], "us"),
        plain("what else a contest's decision needs", [one.rest_us for one in measured["contest"]], "us"),
    ], {**rates, "us": {kind: [one[1:] for one in every] for kind, every in measured.items()}}
