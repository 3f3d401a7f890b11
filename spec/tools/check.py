"""Checks the specification with TLC: every property, in every configuration of the table, and that none is vacuous.

Run from the root of the checkout::

    python -m spec.tools.check            # the bounded set: configurations, situations, mutants, tables of the README
    python -m spec.tools.check --full     # the larger configurations too
    python -m spec.tools.check --update   # writes what was found into the table and the README

Three things are checked. TLC finds no violated property, and exactly the numbers of states and the depth that the
table says. Every situation of ``Witnesses.tla`` and every action is reached by some configuration. Every mutant of
``mutants/table.toml``, a specification with one deliberate fault, is rejected, and by the property named there.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from spec.tools.tlc import BUILD, SPEC, TABLE, Configuration, Outcome, ToolError, configurations, fetch, run, tla_value

MUTANTS: Final = SPEC / "mutants" / "table.toml"
README: Final = SPEC / "README.md"

STATE_PROPERTIES: Final = (
    "TypeOK",
    "ChipsConserved",
    "WholeUnits",
    "OneDecisionAtATime",
    "PotsKeepAnOwner",
    "EverybodyMatched",
    "ShortAllInsNeverReopen",
    "CapHolds",
    "EveryLiveSeatDiscarded",
    "NothingExposedWhileADiscardIsOwed",
    "EveryChipInOnePot",
    "OnlyLiveSeatsWin",
    "NobodyWinsMoreThanHeMatched",
    "SoleBestHandWinsAllItMatched",
    "EqualClaimsDifferByOddChips",
    "SharesWithinOneUnit",
    "RakeIsBounded",
    "WinnersAreShown",
    "EveryHandShownOrMucked",
    "OnlyBeatenHandsAreMucked",
    "AllHandsExposed",
    "AggressorShowsFirst",
    "LastLifterIsLive",
)
"""Properties of single states."""

STEP_PROPERTIES: Final = (
    "OnlyTheSeatToActActs",
    "AllInStaysIn",
    "NoOpenFold",
    "RoundClosesWhenMatched",
    "UncalledIsReturned",
    "NoBettingAgainstNobody",
    "OnlyFullRaisesSetTheIncrement",
    "LiftsHaveALegalSize",
    "NothingLiftsTheCap",
    "WagersCount",
    "NothingMovesWhileADiscardIsOwed",
    "LoneSeatEndsTheHand",
    "HandsTabledAtOnce",
    "LiftsAreRemembered",
    "MeasureFalls",
)
"""Properties of single steps."""

PROPOSAL_STATE_PROPERTY: Final = "OptionsAreActions"
PROPOSAL_STEP_PROPERTY: Final = "OnlyOffersChangeAnything"
LIVENESS_PROPERTY: Final = "EveryHandEnds"
DEADLOCK: Final = "deadlock"
"""TLC's own check that every state before the end has a next one."""
ALL_PROPERTIES: Final = (
    *STATE_PROPERTIES,
    PROPOSAL_STATE_PROPERTY,
    *STEP_PROPERTIES,
    PROPOSAL_STEP_PROPERTY,
    LIVENESS_PROPERTY,
)


@dataclass(frozen=True)
class Mutant:
    """A specification with one fault: in ``module`` the text ``old`` is replaced by ``new``."""

    property: str
    rule: str
    about: str
    module: str
    old: str
    new: str
    configuration: str


def properties_of(configuration: Configuration) -> tuple[list[str], list[str]]:
    """The state and the step or temporal properties that are checked in a configuration."""
    invariants = list(STATE_PROPERTIES)
    properties = list(STEP_PROPERTIES)
    if configuration.proposals:
        invariants.append(PROPOSAL_STATE_PROPERTY)
        properties.append(PROPOSAL_STEP_PROPERTY)
    if configuration.liveness:
        properties.append(LIVENESS_PROPERTY)
    return invariants, properties


def check_configuration(configuration: Configuration) -> Outcome:
    """Explores a configuration completely, with every property and every situation watched."""
    invariants, properties = properties_of(configuration)
    quick = configuration.run == "ci"
    return run("Witnesses", configuration, "Spec", [*invariants, "States"], [*properties, "Steps"], quick=quick)


def situations() -> list[str]:
    """The names of all situations and actions that must be reached, in the order of ``Witnesses.tla``."""
    return re.findall(r"Note\(\d+,\s*\"([^\"]+)\"", (SPEC / "Witnesses.tla").read_text("utf-8"))


def mutants() -> list[Mutant]:
    """All rows of the table of mutants."""
    return [Mutant(**row) for row in tomllib.loads(MUTANTS.read_text("utf-8"))["mutant"]]


def check_mutant(mutant: Mutant, configuration: Configuration) -> Outcome:
    """Runs a mutant with the property that must reject it, and no other."""
    invariants = [mutant.property] if is_state_property(mutant.property) else []
    properties = [] if is_state_property(mutant.property) or mutant.property == DEADLOCK else [mutant.property]
    with tempfile.TemporaryDirectory() as folder:
        for module in ("Settlement", "IrishHand", "Properties"):
            text = (SPEC / f"{module}.tla").read_text("utf-8")
            if module == mutant.module:
                if text.count(mutant.old) != 1:
                    raise ToolError(f"mutant of {mutant.property}: {text.count(mutant.old)} times: {mutant.old}")
                text = text.replace(mutant.old, mutant.new)
            (Path(folder) / f"{module}.tla").write_text(text, "utf-8")
        return run("Properties", configuration, "Spec", invariants, properties, folder=Path(folder), quick=True)


def tried(work: Callable[[], Outcome]) -> Outcome:
    """An outcome also where TLC cannot evaluate what it is given: that is no success, and no rejection of a mutant."""
    try:
        return work()
    except ToolError as error:
        return Outcome(violated=[f"TLC's own error: {str(error)[-300:]}"])


def is_state_property(name: str) -> bool:
    """Whether TLC takes a property as an invariant."""
    return name in STATE_PROPERTIES or name == PROPOSAL_STATE_PROPERTY


def is_rejected(mutant: Mutant, outcome: Outcome) -> bool:
    """Whether the property that the table names is what TLC reported."""
    reported = "temporal property" if mutant.property == LIVENESS_PROPERTY else mutant.property
    return reported in outcome.violated


# --- the tables of the README ---------------------------------------------------------------------------


def configuration_table(rows: Iterable[Configuration]) -> str:
    """What is explored: every configuration, what differs from the defaults, and what TLC finds."""
    lines = [
        "| configuration | what it is | set by | run by | states | depth | seconds |",
        "|---|---|---|---|--:|--:|--:|",
    ]
    for row in rows:
        changed = ", ".join([f"{name} = {short(value)}" for name, value in row.changed.items()])
        if row.starts:
            starts = ", ".join(["/".join(map(str, stacks)) for stacks in row.starts])
            kept = {name: value for name, value in row.changed.items() if name not in ("N", "StackChoices")}
            changed = ", ".join([f"stacks {starts}", *[f"{name} = {short(value)}" for name, value in kept.items()]])
        checks = "spec" if row.run == "ci" else "spec-full"
        also = ", ".join([name for name in ("proposals", "liveness", "few_orders") if getattr(row, name)])
        cells = (
            f"`{row.name}`",
            f"{row.about} ({also})" if also else row.about,
            changed,
            f"`make {checks}`",
            f"{row.states:,}" if row.states else "not yet run",
            row.depth or "",
            "" if row.seconds is None else row.seconds,
        )
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def short(value: object) -> str:
    """A constant for people: consecutive numbers as a range."""
    is_row = isinstance(value, list) and len(value) > 2 and isinstance(value[0], int)
    if isinstance(value, list) and is_row and value == list(range(value[0], value[-1] + 1)):
        return f"{value[0]}..{value[-1]}"
    return tla_value(value)


def mutant_table(rows: Iterable[Mutant]) -> str:
    """Which fault shows that which property is not vacuous."""
    lines = ["| property | rule | fault that it rejects | in configuration |", "|---|---|---|---|"]
    lines += [f"| `{row.property}` | {row.rule} | {row.about} | `{row.configuration}` |" for row in rows]
    return "\n".join(lines)


def situation_table(reached: dict[str, list[str]]) -> str:
    """Which configurations of the bounded set reach which situation."""
    lines = ["| situation | reached in |", "|---|---|"]
    for name, where in reached.items():
        lines.append(f"| {name} | {', '.join([f'`{one}`' for one in where[:3]])}{' ...' if len(where) > 3 else ''} |")
    return "\n".join(lines)


def embedded(text: str, name: str, content: str) -> str:
    """The README with one of its generated tables replaced; raises ToolError when it has no place for it."""
    pattern = re.compile(rf"(<!-- {name}: [^\n]* -->\n).*?(<!-- end of {name} -->)", re.S)
    if not pattern.search(text):
        raise ToolError(f"the README has no place for {name}")
    return pattern.sub(lambda found: f"{found[1]}\n{content}\n\n{found[2]}", text)


def written_numbers(table: str, found: dict[str, Outcome]) -> str:
    """The table of configurations with the numbers that were found."""
    parts = re.split(r"(?m)^(?=\[)", table)
    result = []
    for part in parts:
        name = part[1 : part.index("]")] if part.startswith("[") else ""
        if name in found:
            outcome = found[name]
            part = re.sub(r"(?m)^(states|depth|seconds) = .*\n", "", part).rstrip("\n")
            part += f"\nstates = {outcome.states}\ndepth = {outcome.depth}\nseconds = {round(outcome.seconds)}\n\n"
        result.append(part)
    return "".join(result).rstrip("\n") + "\n"


# --- the run ---------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m spec.tools.check", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the larger configurations too")
    parser.add_argument("--only", nargs="*", help="only these configurations, without mutants")
    parser.add_argument("--mutants-only", action="store_true")
    parser.add_argument("--update", action="store_true", help="write what was found into the table and the README")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs of TLC at the same time")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    fetch()
    table = configurations()
    failures: list[str] = []
    chosen = [row for row in table.values() if options.full or row.run == "ci"]
    if options.only is not None:
        chosen = [table[name] for name in options.only]
    found: dict[str, Outcome] = {}
    if not options.mutants_only:
        found = _explore(chosen, options.jobs, failures, strict=not options.update)
    reached = {name: [at for at, outcome in found.items() if name in outcome.printed] for name in situations()}
    if options.only is None and not options.mutants_only:
        missing = [name for name, where in reached.items() if not where]
        failures += [f"never reached: {name}" for name in missing]
        print(f"{len(reached) - len(missing)} of {len(reached)} situations and actions reached")
    if options.only is None:
        _reject(mutants(), table, options.jobs, failures)
    if options.update and found:
        TABLE.write_text(written_numbers(TABLE.read_text("utf-8"), found), "utf-8")
    if options.only is None and not options.mutants_only:
        ci_only = {name: [at for at in where if table[at].run == "ci"] for name, where in reached.items()}
        _readme(configurations().values(), ci_only, options.update, failures)
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(
        f"{len(found)} configurations, {sum([o.states for o in found.values()]):,} states, "
        f"{time.monotonic() - began:.0f} s: {'FAILED' if failures else 'passed'}"
    )
    return 1 if failures else 0


Item = TypeVar("Item")
Result = TypeVar("Result")


def _in_parallel(jobs: int, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterable[tuple[Item, Result]]:
    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(items, pool.map(work, items), strict=True)


def _explore(chosen: Sequence[Configuration], jobs: int, failures: list[str], *, strict: bool) -> dict[str, Outcome]:
    found = {}
    for row, outcome in _in_parallel(jobs, lambda one: tried(lambda: check_configuration(one)), chosen):
        found[row.name] = outcome
        numbers = f"{outcome.states:9,} states  depth {outcome.depth:3}  {outcome.seconds:5.0f} s"
        print(f"{row.name:18} {numbers}", flush=True)
        if outcome.violated:
            failures.append(f"{row.name}: violated: {', '.join(outcome.violated)}")
            BUILD.mkdir(parents=True, exist_ok=True)
            (BUILD / f"{row.name}.txt").write_text(outcome.output, "utf-8")
        elif strict and (outcome.states, outcome.depth) != (row.states, row.depth):
            failures.append(f"{row.name}: the table says {row.states} states, depth {row.depth}")
    return found


def _reject(rows: Sequence[Mutant], table: dict[str, Configuration], jobs: int, failures: list[str]) -> None:
    rejected = 0
    for row, outcome in _in_parallel(
        jobs, lambda one: tried(lambda: check_mutant(one, table[one.configuration])), rows
    ):
        if is_rejected(row, outcome):
            rejected += 1
        else:
            failures.append(f"not rejected by {row.property}: {row.about} ({outcome.violated})")
    untested = {*ALL_PROPERTIES, DEADLOCK} - {row.property for row in rows}
    failures += [f"no mutant for {name}" for name in sorted(untested)]
    print(f"{rejected} of {len(rows)} mutants rejected by the property they are meant for", flush=True)


def _readme(rows: Iterable[Configuration], reached: dict[str, list[str]], update: bool, failures: list[str]) -> None:
    text = README.read_text("utf-8")
    current = embedded(text, "configurations", configuration_table(rows))
    current = embedded(current, "mutants", mutant_table(mutants()))
    current = embedded(current, "situations", situation_table(reached))
    if update:
        README.write_text(current, "utf-8")
    elif current != text:
        failures.append("the tables of the README are not what was found; run with --update and look at the difference")
    failures += [f"the README does not explain {name}" for name in ALL_PROPERTIES if f"`{name}`" not in text]


if __name__ == "__main__":
    if shutil.which("java") is None:
        sys.exit("no Java runtime; on Debian run: apt-get install default-jre-headless")
    sys.exit(main())
