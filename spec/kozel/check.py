"""Checks the specification of Kozel with TLC: every property in every configuration, and that each can fail.

Run from the root of the checkout::

    python -m spec.kozel.check            # the bounded set, and the mutants
    python -m spec.kozel.check --full     # the larger configurations too
    python -m spec.kozel.check --update   # writes what was found into the tables and the README
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from spec.tools import tlc
from spec.tools.check import embedded, short, written_numbers

FOLDER: Final = tlc.SPEC / "kozel"
ROUNDS: Final = FOLDER / "configurations.toml"
GAMES: Final = FOLDER / "games.toml"
MUTANTS: Final = FOLDER / "mutants.toml"
README: Final = FOLDER / "README.md"
BEGINNINGS: Final = ("Leaders", "Accounts", "Carries")
LIVENESS: Final = "EveryRoundEnds"

ROUND: Final = "RoundProperties"
GAME: Final = "GameProperties"
MODULES: Final = {
    ROUND: ("KozelScores", "KozelRound", ROUND),
    GAME: ("KozelScores", "KozelGame", GAME),
}


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


def properties_of(module: str) -> tuple[list[str], list[str]]:
    """The state properties and the others of a module: those that are headed by a rule id."""
    text = (FOLDER / f"{module}.tla").read_text("utf-8")
    states: list[str] = []
    steps: list[str] = []
    for name, body in re.findall(r"(?ms)^(\w+) ==[^\n]*?(?:\\\* KOZ-[^\n]*)?\n(.*?)(?=^\S|\Z)", text):
        if re.search(rf"(?m)^{name} ==.*\\\* KOZ-\d+", text) or name == "TypeOK":
            (steps if body.lstrip().startswith("[][") or name == LIVENESS else states).append(name)
    return states, steps


def module_of(configuration: tlc.Configuration) -> str:
    """The module whose properties a configuration is checked for."""
    return GAME if "Rounds" in configuration.constants else ROUND


def configurations() -> dict[str, tlc.Configuration]:
    """All rows of both tables by name."""
    return {**tlc.configurations(ROUNDS), **tlc.configurations(GAMES)}


def account_value(text: str) -> str:
    """An account of the table in TLA+."""
    remembered = text.startswith("+") or text == "-"
    points = text.lstrip("+").replace("-", "0")
    return f"[open |-> {'FALSE' if remembered else 'TRUE'}, points |-> {points}]"


def accounts_value(text: str) -> str:
    """A row of accounts in TLA+, by player."""
    pairs = [f"{player} :> {account_value(one)}" for player, one in enumerate(text.split())]
    return f"({' @@ '.join(pairs)})"


def model_of(module: str, constants: dict[str, Any]) -> str:
    """The module that TLC is given: it defines what rounds begin with."""
    starts = ""
    if "Leaders" in constants:
        rows = [
            f"[leader |-> {leader}, accounts |-> {accounts_value(accounts)}, carry |-> {carry}]"
            for leader in constants["Leaders"]
            for accounts in constants["Accounts"]
            for carry in constants["Carries"]
        ]
        starts = f"ChosenStarts == {{{', '.join(rows)}}}\n"
    return f"---- MODULE Model ----\nEXTENDS {module}, TLC\n{starts}====\n"


def runnable(configuration: tlc.Configuration) -> tlc.Configuration:
    """The configuration with the constants that the modules have."""
    constants = {name: value for name, value in configuration.constants.items() if name not in BEGINNINGS}
    substituted = {"Starts": "ChosenStarts"} if "Leaders" in configuration.constants else {}
    return replace(configuration, constants=constants, substituted=substituted)


def explore(
    configuration: tlc.Configuration,
    module: str,
    specification: str,
    invariants: Sequence[str] = (),
    properties: Sequence[str] = (),
    folder: Path = FOLDER,
    extra: Sequence[str] = (),
) -> tlc.Outcome:
    """Runs TLC on a module of this folder in a configuration."""
    model = model_of(module, dict(configuration.constants))
    return tlc.run(
        module,
        runnable(configuration),
        specification,
        invariants,
        properties,
        folder=folder,
        model=model,
        quick=configuration.run == "ci",
        extra=extra,
    )


def check_configuration(configuration: tlc.Configuration) -> tlc.Outcome:
    """Explores a configuration completely, with every property watched."""
    module = module_of(configuration)
    return explore(configuration, module, "Spec", *properties_of(module))


def mutants() -> list[Mutant]:
    """All rows of the table of mutants."""
    return [Mutant(**row) for row in tomllib.loads(MUTANTS.read_text("utf-8"))["mutant"]]


def check_mutant(mutant: Mutant, configuration: tlc.Configuration) -> tlc.Outcome:
    """Runs a mutant with the property that must reject it, and no other."""
    module = module_of(configuration)
    states, _ = properties_of(module)
    is_state = mutant.property in states
    with tempfile.TemporaryDirectory() as folder:
        for name in MODULES[module]:
            text = (FOLDER / f"{name}.tla").read_text("utf-8")
            if name == mutant.module:
                if text.count(mutant.old) != 1:
                    raise tlc.ToolError(f"mutant of {mutant.property}: {text.count(mutant.old)} times: {mutant.old}")
                text = text.replace(mutant.old, mutant.new)
            (Path(folder) / f"{name}.tla").write_text(text, "utf-8")
        try:
            return explore(
                configuration,
                module,
                "Spec",
                [mutant.property] if is_state else [],
                [] if is_state else [mutant.property],
                Path(folder),
            )
        except tlc.ToolError as error:  # what cannot be evaluated is no rejection
            return tlc.Outcome(violated=[f"TLC's own error: {str(error)[-300:]}"])


def is_rejected(mutant: Mutant, outcome: tlc.Outcome) -> bool:
    """Whether the property that the table names is what TLC reported."""
    return ("temporal property" if mutant.property == LIVENESS else mutant.property) in outcome.violated


def all_properties() -> list[str]:
    """Every property of rounds and games."""
    return [name for module in (ROUND, GAME) for names in properties_of(module) for name in names]


# --- the tables of the README ---------------------------------------------------------------------------


def configuration_table() -> str:
    """What is explored, and what TLC finds."""
    lines = ["| configuration | what it is | set by | run | states | depth |", "|---|---|---|---|--:|--:|"]
    for row in configurations().values():
        changed = ", ".join([f"{name} = {short(value)}" for name, value in row.changed.items()])
        lines.append(f"| `{row.name}` | {row.about} | {changed} | {row.run} | {row.states or 0:,} | {row.depth} |")
    return "\n".join(lines)


def mutant_table() -> str:
    """Which fault shows that which property is not vacuous."""
    lines = ["| property | rule | fault that it rejects | in configuration |", "|---|---|---|---|"]
    lines += [f"| `{row.property}` | {row.rule} | {row.about} | `{row.configuration}` |" for row in mutants()]
    return "\n".join(lines)


def current_readme() -> str:
    """The README with its tables as they should be."""
    text = README.read_text("utf-8")
    return embedded(embedded(text, "configurations", configuration_table()), "mutants", mutant_table())


# --- the run ---------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m spec.kozel.check", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the larger configurations too")
    parser.add_argument("--only", nargs="*", help="only these configurations, without mutants")
    parser.add_argument("--update", action="store_true", help="write what was found into the tables and the README")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="runs of TLC at the same time")
    options = parser.parse_args(arguments)
    tlc.fetch()
    table = configurations()
    failures: list[str] = []
    chosen = [row for row in table.values() if options.full or row.run == "ci"]
    if options.only is not None:
        chosen = [table[name] for name in options.only]
    found: dict[str, tlc.Outcome] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for row, outcome in zip(chosen, pool.map(check_configuration, chosen), strict=True):
            found[row.name] = outcome
            print(f"{row.name:24} {outcome.states:9,} states  depth {outcome.depth:3}  {outcome.seconds:5.0f} s")
            if outcome.violated:
                failures.append(f"{row.name}: violated: {', '.join(outcome.violated)}\n{outcome.output[-3000:]}")
            elif not options.update and (outcome.states, outcome.depth) != (row.states, row.depth):
                failures.append(f"{row.name}: the table says {row.states} states, depth {row.depth}")
        if options.only is None:
            _reject(pool, table, failures)
    if options.update:
        for path in (ROUNDS, GAMES):
            path.write_text(written_numbers(path.read_text("utf-8"), found), "utf-8")
        README.write_text(current_readme(), "utf-8")
    elif current_readme() != README.read_text("utf-8"):
        failures.append("the tables of the README are not current; run with --update")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"{len(found)} configurations, {sum([one.states for one in found.values()]):,} states")
    return 1 if failures else 0


def _reject(pool: ThreadPoolExecutor, table: dict[str, tlc.Configuration], failures: list[str]) -> None:
    rows = mutants()
    rejected = 0
    for row, outcome in zip(rows, pool.map(lambda one: check_mutant(one, table[one.configuration]), rows), strict=True):
        if is_rejected(row, outcome):
            rejected += 1
        else:
            failures.append(f"not rejected by {row.property}: {row.about} ({outcome.violated})")
    untested = set(all_properties()) - {row.property for row in rows}
    failures += [f"no mutant for {name}" for name in sorted(untested)]
    print(f"{rejected} of {len(rows)} mutants rejected by the property they are meant for")


if __name__ == "__main__":
    if shutil.which("java") is None:
        sys.exit("no Java runtime; on Debian run: apt-get install default-jre-headless")
    sys.exit(main())
