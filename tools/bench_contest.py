"""A contest's heads-up duplicate match beside batched play, interleaved in one run.

    python -m tools.bench_contest [--rounds 3] [--tables 16] [--hands 100]

*batched play* is that of ``tools.bench_live`` on as many tables. The contest is the whole thing: `referee contest run`
with two practice bots on a server of its own, which keeps, seals and collects every hand. Its rate is that of decisions
between the first and the last of the match, by the records. Rates depend on what else the machine does; the CPU time
that each server needs for a decision hardly does, and bounds the rate where there are processors enough.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import grpc

from referee.audit.reading import read_piece
from referee.contest.store import ContestStore, ContestStoreError
from referee.record.bundle import read_bundle
from tools.bench_live import _play_rate, _Process

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
        server = _Process("play", folder)
        try:
            before = server.cpu_seconds()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
                rate = await _play_rate(channel, server.token, tables, seconds, batched=True)
            return _Measured(rate, (server.cpu_seconds() - before) / (rate * seconds) * 1e6)
        finally:
            server.stop()


def _cpu_seconds(words: Sequence[str]) -> float:
    """CPU time of the process whose command line has these words; 0 when there is none."""
    for one in Path("/proc").glob("[0-9]*"):
        try:
            if all([word in (one / "cmdline").read_bytes().decode() for word in words]):
                fields = (one / "stat").read_text().rpartition(")")[2].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
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


def main() -> int:
    """Runs the benchmark and prints its figures."""
    parser = argparse.ArgumentParser(description="Measures a contest's match beside batched play.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--json", type=Path, default=Path("build/bench_contest.json"))
    options = parser.parse_args()
    batched, contests = [], []
    for _ in range(options.rounds):
        batched.append(asyncio.run(_batched(options.tables, 4.0)))
        contests.append(_contest(options.tables, options.hands))
    for name, measured in (("batched play", batched), ("contest", contests)):
        rate, server = (statistics.median(values) for values in zip(*measured, strict=True))
        print(f"{name:12} {rate:6.0f} decisions a second, {server:4.0f} us of the server's CPU for each")
    for name, at in (("rates", 0), ("server's CPU", 1)):
        ratios = [one[at] / other[at] for one, other in zip(contests, batched, strict=True)]
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        print(f"contest over batched play, {name}: {statistics.median(ratios):.2f} ({spread})")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"batched": batched, "contest": contests}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
