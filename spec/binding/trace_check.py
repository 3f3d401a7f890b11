"""Runs TLC on traces: are they behaviours of the specification? Says in words where the first one is not."""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from spec.binding.traces import TRACE_CFG, Step, Trace, trace_module
from spec.tools import tlc

JAVA_OPTIONS: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx3g", "-Xss64m")
"""Runs of a minute: the second compiler of the JVM would cost more than it gains."""


@dataclass(frozen=True)
class Divergence:
    """A hand that the specification does not follow, the step (from 0) where it stops, and the state there."""

    trace: Trace
    step: int
    state: str

    def words(self) -> str:
        """For people."""
        checks, event = self.trace.steps[self.step] if self.step < len(self.trace.steps) else ((), ("the end",))
        table = ", ".join(f"{name} {value}" for name, value in self.trace.table)
        return "\n".join(
            [
                f"{self.trace.source}: the specification does not follow step {self.step + 1}",
                *[f"  in this state the referee said: {step_words(check)}" for check in checks],
                f"  then happened: {step_words(event)}",
                f"  played: {table}",
                f"  the specification's state before it: {' '.join(self.state.split())}",
            ]
        )


@dataclass(frozen=True)
class Checked:
    """What one run of TLC said of a batch."""

    divergence: Divergence | None
    states: int
    seconds: float


def step_words(step: Step) -> str:
    """A step of a trace as a reader of TraceCheck.tla finds it there."""
    return " ".join(f"({step_words(part)})" if isinstance(part, tuple) else str(part) for part in step)


IRISH: Final = tuple([tlc.SPEC / f"{module}.tla" for module in ("TraceCheck", "IrishHand", "Settlement")])
"""The module that follows traces of poker, and those that it needs."""


def check(
    traces: Sequence[Trace],
    *,
    timeout_s: float = 1800,
    java_options: Sequence[str] = JAVA_OPTIONS,
    modules: Sequence[Path] = IRISH,
    data: Callable[[Sequence[Trace]], str] = trace_module,
) -> Checked:
    """Checks a batch in one process of TLC. A divergence is narrowed down to one check or one event.

    ``modules`` are ``TraceCheck.tla`` of a game and what it needs; ``data`` writes the traces as its TraceData.
    """
    checked = _run(traces, timeout_s, java_options, modules, data)
    found = checked.divergence
    if found is None or found.step >= len(found.trace.steps) or not found.trace.steps[found.step][0]:
        return checked
    narrowed = _run([_apart(found.trace)], timeout_s, java_options, modules, data).divergence
    return replace(checked, divergence=narrowed or found)


def _apart(trace: Trace) -> Trace:
    """The same trace with every check as a step of its own."""
    steps: list[tuple[tuple[Step, ...], Step]] = []
    for checks, event in trace.steps:
        steps.extend(((one,), ("nothing",)) for one in checks)
        steps.append(((), event))
    return replace(trace, steps=tuple(steps))


_PLACE = re.compile(r"^/\\ (h|k) = (\d+)$", re.M)
_FOUND = re.compile(r"(\d+) distinct states found, \d+ states left on queue")
_STATE = re.compile(r"^State \d+: .*$", re.M)


def _run(
    traces: Sequence[Trace],
    timeout_s: float,
    java_options: Sequence[str],
    modules: Sequence[Path],
    data: Callable[[Sequence[Trace]], str],
) -> Checked:
    java = shutil.which("java")
    if java is None:
        raise tlc.ToolError("no Java runtime; on Debian run: apt-get install default-jre-headless")
    jar = tlc.fetch()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for module in modules:
            shutil.copy(module, folder)
        (folder / "TraceData.tla").write_text(data(traces), "utf-8")
        (folder / "TraceCheck.cfg").write_text(TRACE_CFG, "utf-8")
        command = [java, *java_options, f"-Djava.io.tmpdir={scratch}", "-cp", str(jar), "tlc2.TLC"]
        command += ["-workers", "1", "-metadir", f"{scratch}/states", "TraceCheck.tla"]
        began = time.monotonic()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout_s, check=False)
        seconds = time.monotonic() - began
    states = int(found[-1]) if (found := _FOUND.findall(done.stdout)) else 0
    if "Model checking completed. No error has been found." in done.stdout:
        # Each hand is a path of its own: fewer states would mean that something was not followed.
        expected = sum(len(trace.steps) + 1 for trace in traces)
        if states != expected:
            raise tlc.ToolError(f"TLC found {states} states where the traces have {expected}")
        return Checked(None, states, seconds)
    behavior = _STATE.split(done.stdout.partition("The behavior up to this point is:")[2])
    place = dict(_PLACE.findall(behavior[-1]))
    if "h" not in place or "k" not in place:
        raise tlc.ToolError(f"TLC failed on traces:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    state = re.split(r"\n\s*\n", behavior[-1].strip())[0]
    divergence = Divergence(traces[int(place["h"]) - 1], int(place["k"]), state)
    if "Deadlock reached" not in done.stdout:  # an evaluation that went wrong, such as an overflow, is told as such
        raise tlc.ToolError(f"TLC stopped:\n{_complaint(done.stdout)}\n{divergence.words()}")
    return Checked(divergence, states, seconds)


def _complaint(output: str) -> str:
    return output.partition("Error:")[2].partition("The behavior up to this point is")[0].strip()[:2000]
