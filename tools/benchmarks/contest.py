"""A contest's heads-up duplicate match beside batched play, interleaved in one run.

*batched play* is a stream for each of two bots on as many tables. The contest is the whole thing: `referee contest run`
with two practice bots on a server of its own, which keeps, seals and collects every hand. Its rate is that of decisions
between the first and the last of the match, by the records. Rates depend on what else the machine does; the CPU time
that each server needs for a decision hardly does, and bounds the rate where there are processors enough.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from referee.audit.reading import read_piece
from referee.contest.store import ContestStore, ContestStoreError
from referee.record.bundle import read_bundle
from tools.benchmarks import clients
from tools.benchmarks.clients import Pace
from tools.benchmarks.figures import Figure, plain, ratio_of
from tools.benchmarks.processes import PLAY, ServerProcess, cpu_seconds_of

_FILE = """format = "referee-contest/1"
name = "bench"
[game]
rule_set = "holdem/tda@1"
small_blind = 1
big_blind = 2
stack = 200
[schedule]
hands = {hands}
table_hands = {table_hands}
block_hands = 10
[clock]
action_ms = 10_000
[[entrants]]
name = "one"
bot = "always-call"
[[entrants]]
name = "two"
bot = "always-call"
"""


class _Measured(NamedTuple):
    """Decisions a second, and microseconds of the server's CPU for each."""

    rate: float
    server_us: float


async def _batched(tables: int, seconds: float) -> _Measured:
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                seats = await clients.open_tables(channel, server.token, tables)
                before, pace = server.cpu_seconds(), Pace.of(seconds)
                await clients.play(channel, seats, pace)
            return _Measured(pace.done / seconds, (server.cpu_seconds() - before) / pace.done * 1e6)
        finally:
            server.stop()


def _cpu_seconds(words: Sequence[str]) -> float:
    """CPU time of the process whose command line has these words; 0 when there is none."""
    for one in Path("/proc").glob("[0-9]*"):
        try:
            if all([word in (one / "cmdline").read_bytes().decode() for word in words]):
                return cpu_seconds_of(int(one.name))
        except (OSError, UnicodeDecodeError):
            continue
    return 0.0


def _contest(tables: int, hands: int) -> _Measured:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.toml"
        file.write_text(_FILE.format(hands=hands * tables // 2, table_hands=hands), encoding="utf-8")
        command = [sys.executable, "-m", "referee", "contest", "run", str(file), "--json"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        words = ("serve", str(Path(folder) / "bench" / "server"))
        began, last = 0.0, 0.0
        while process.poll() is None:
            time.sleep(0.1)
            last = max(last, _cpu_seconds(words))
            if not began and _has_begun(Path(folder) / "bench"):
                began = last
        moments = [
            item.time_unix_ms
            for bundle in (Path(folder) / "bench" / "records").glob("*.bundle")
            for piece in read_bundle(bundle.read_bytes()).pieces
            for item in read_piece(piece).items
            if item.kind == "ruling"
        ]
        seconds = (max(moments) - min(moments)) / 1_000
        return _Measured(len(moments) / seconds, (last - began) / len(moments) * 1e6)


def _has_begun(folder: Path) -> bool:
    try:
        with closing(ContestStore(folder)) as store:
            return store.hands_begun() > 0 or any([one.kind == "match began" for one in store.happenings()])
    except ContestStoreError:
        return False


def figures(rounds: int, tables: int, hands: int) -> tuple[list[Figure], dict[str, Any]]:
    """A contest's pace beside batched play, and what was measured for it."""
    batched, contests = [], []
    for _ in range(rounds):
        batched.append(asyncio.run(_batched(tables, 4.0)))
        contests.append(_contest(tables, hands))
    ours, floor = [one.rate for one in contests], [one.rate for one in batched]
    return [
        ratio_of("a contest's match over batched play", ours, floor, "decisions a second", 0.9),
        plain("server's CPU of a decision in a contest", [one.server_us for one in contests], "us"),
        plain("server's CPU of a decision in batched play", [one.server_us for one in batched], "us"),
    ], {"contest": ours, "batched": floor}
