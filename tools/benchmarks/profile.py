"""Where a server's time goes under a load of the benchmarks.

    python -m tools.benchmarks.profile [--load batched|streams|housed|calls] [--seconds 10] [--out build/profile.txt]

perf (Linux) takes samples of the server's process with the calls that led there. Each sample counts for the library
that it was taken in, or the nearest that called it of those that are named, and for the nearest compiled function of
ours. Shares are of the process's CPU time. Without perf it says so and ends with 3.
"""

import argparse
import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import grpc

from referee.core import core
from tools.benchmarks import live
from tools.benchmarks.clients import Pace
from tools.benchmarks.processes import ServerProcess

Stack = list[tuple[str, str]]
"""Function and library of each call, the innermost first."""

LOADS: Final = {"batched": live.BATCHED, "streams": live.STREAMS, "housed": live.HOUSED, "calls": live.CALLS}
NO_PERF: Final = 3
SAMPLES_A_SECOND: Final = 300
STACK_BYTES: Final = 16_384
WARMING_SECONDS: Final = 1.0
SHOWN: Final = 40
LIBRARIES: Final = {
    "cygrpc": "gRPC",
    "libsqlite": "SQLite",
    "_sqlite3": "SQLite",
    "_message": "protobuf",
    "libcrypto": "hashing and signing",
    "_hashlib": "hashing and signing",
    "_sha2": "hashing and signing",
    "_rust": "hashing and signing",
    "__mypyc": "our compiled functions",
}
REST: Final = "Python and the system"
_FRAME: Final = re.compile(r"^\s+[0-9a-f]+ (?P<function>.*) \((?P<library>[^()]*)\)$")
_OURS: Final = re.compile(r"^CPy(?:Def|Py)_(\w+?)(?:\.(?:cold|part|isra|constprop).*)?$")


def stacks(lines: Iterable[str]) -> Iterator[Stack]:
    """The stacks that `perf script` prints: a block of lines each, with an empty line after it."""
    stack: Stack = []
    for line in lines:
        frame = _FRAME.match(line)
        if frame is not None:
            stack.append((frame["function"].partition("+0x")[0], Path(frame["library"]).name))
        elif not line.strip() and stack:
            yield stack
            stack = []
    if stack:
        yield stack


def library_of(stack: Stack) -> str:
    """The nearest library that is named."""
    for _, library in stack:
        for part, name in LIBRARIES.items():
            if part in library:
                return name
    return REST


def function_of(stack: Stack) -> str:
    """The nearest compiled function of ours, as mypyc names it; empty where there is none."""
    for function, _ in stack:
        ours = _OURS.match(function)
        if ours is not None:
            return ours[1]
    return ""


def report(found: list[Stack]) -> str:
    """Shares by library and by function, the largest first."""
    lines = [f"{len(found)} samples"]
    for title, counted in (
        ("in, or called by", Counter(map(library_of, found))),
        ("under our function", Counter(map(function_of, found))),
    ):
        lines += ["", title]
        lines += [f"{count / len(found):7.1%}  {name or '(none)'}" for name, count in counted.most_common(SHOWN)]
    return "\n".join(lines)


async def _record(load: str, seconds: float, data: Path) -> float:
    """Records the server's process while it is under load; returns its CPU time for a round trip, in microseconds."""
    kind, prepare = live.MEASURES[LOADS[load]]
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(kind, folder)
        try:
            async with grpc.aio.insecure_channel(server.address) as channel:
                await (await prepare(channel, server))(Pace.of(WARMING_SECONDS))
                run = await prepare(channel, server)
                words = ["perf", "record", "--quiet", "--event", "cpu-clock", "--freq", str(SAMPLES_A_SECOND)]
                words += ["--call-graph", f"dwarf,{STACK_BYTES}", "--output", str(data), "--pid", str(server.pid)]
                recorder = subprocess.Popen(words)
                pace, begun = Pace.of(seconds), server.cpu_seconds()
                await run(pace)
                spent = server.cpu_seconds() - begun
                recorder.terminate()
                recorder.wait()
                return spent / pace.done * 1e6
        finally:
            server.stop()


def main() -> int:
    """Takes a profile, prints it and writes it."""
    parser = argparse.ArgumentParser(description="Profiles the referee's server under load.")
    parser.add_argument("--load", choices=tuple(LOADS), default="batched")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--out", type=Path, default=Path("build/profile.txt"))
    options = parser.parse_args()
    if shutil.which("perf") is None:
        print("no perf: a profile cannot be taken here", file=sys.stderr)
        return NO_PERF
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        us = asyncio.run(_record(options.load, options.seconds, data))
        printed = subprocess.run(
            ["perf", "script", "--input", str(data), "--fields", "ip,sym,dso"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        told = report(list(stacks(printed.stdout.splitlines())))
    text = f"{core()} core, load {options.load!r}: {us:.0f} us of the server's CPU for a round trip\n{told}\n"
    print(text, end="")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
