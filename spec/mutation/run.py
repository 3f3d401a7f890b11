"""Runs the mutants of the engine against what is bound to it, and writes which of the three catches which.

Each mutant is one change of text in a copy of the tree, run uncompiled. It counts as caught only when a comparison says
that something differs: not by an import error, not by an exception inside the engine, and not by a time-out.

    python spec/mutation/run.py                        every mutant by the reference judge
    python spec/mutation/run.py --by graph --by trace  by the other two
    python spec/mutation/run.py --only SIZE-8          some mutants, by a part of their names
    python spec/mutation/run.py --write                remembers what was seen in table.json and writes table.md
    python spec/mutation/run.py --check                fails where table.json says otherwise
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLE = HERE / "table.json"
PAGE = HERE / "table.md"

sys.path.insert(0, str(HERE))
from mutants import MUTANTS, Mutant  # noqa: E402

CAUGHT, MISSED, BROKEN, LATE = "caught", "missed", "broken", "late"
"""BROKEN: it failed otherwise than by a comparison. LATE: it took longer than it may."""


@dataclass(frozen=True)
class Verdict:
    """What one of the three said of a mutant, and the first difference that it found."""

    word: str
    told: str = ""


@dataclass(frozen=True)
class Catcher:
    """One of the three ways in which the engine is bound: a command, and how its answer is read."""

    name: str
    title: str
    command: tuple[str, ...]
    seconds: int
    read: Callable[[int, str, Path], Verdict]


def read_hunt(code: int, output: str, tree: Path) -> Verdict:
    """The answer of a program of ours: it says a difference by exit code 7."""
    last = output.strip().splitlines()[-1:] or [""]
    if code == 7:
        return Verdict(CAUGHT, last[0])
    return Verdict(MISSED) if code == 0 else Verdict(BROKEN, last[0])


def read_pytest(code: int, output: str, tree: Path) -> Verdict:
    """A test's answer: caught if an assertion of the test failed; anything else that failed is no comparison."""
    if code == 0:
        return Verdict(MISSED)
    report = tree / "report.xml"
    if code == 1 and report.exists():
        for failure in ElementTree.parse(report).getroot().iter("failure"):
            message = failure.get("message") or ""
            if re.match(r"(AssertionError|assert |Failed: )", message):
                return Verdict(CAUGHT, message.splitlines()[0][:160])
    return Verdict(BROKEN, (output.strip().splitlines()[-1:] or [""])[0])


def pytest_catcher(name: str, title: str, test: str, seconds: int) -> Catcher:
    """A catcher that is a test of the tree."""
    words = (
        "-m",
        "pytest",
        test,
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "--junitxml=report.xml",
        f"--timeout={seconds}",
    )
    return Catcher(name, title, words, seconds, read_pytest)


CATCHERS = {
    catcher.name: catcher
    for catcher in (
        Catcher("graph", "graph equality", ("-m", "tests.model.hunt_graphs"), 1200, read_hunt),
        pytest_catcher("trace", "trace validation", "tests/model/test_traces.py", 3600),
        Catcher("reference", "reference judge", ("-m", "tests.model.hunt", "600"), 1200, read_hunt),
    )
}


@contextmanager
def mutated_tree(mutant: Mutant | None) -> Iterator[Path]:
    """A copy of the sources with the mutant in it, without what is compiled, which would run in its place.

    What is neither engine nor test nor specification, such as downloaded tools and cached graphs, is linked.
    """
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.pyc")
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        for name in ("referee", "tests", "spec"):
            shutil.copytree(ROOT / name, tree / name, ignore=leave)
        for path in ROOT.iterdir():
            if not path.name.startswith(".") and not (tree / path.name).exists():
                (tree / path.name).symlink_to(path)
        if mutant is not None:
            source = tree / f"referee/rules/{mutant.file}.py"
            source.write_text(changed(mutant, source.read_text(encoding="utf-8")), encoding="utf-8")
        yield tree


def changed(mutant: Mutant, text: str) -> str:
    """The source with the mutant's text in place of the right one, which must be there exactly once."""
    found = text.count(mutant.before)
    if found != 1:
        raise SystemExit(f"{mutant.name}: {mutant.before!r} stands {found} times in {mutant.file}.py, expected once")
    return text.replace(mutant.before, mutant.after)


def ask(catcher: Catcher, tree: Path) -> Verdict:
    """Runs one catcher in a tree."""
    path = os.pathsep.join([str(tree), str(tree / "spec/reference")])
    environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "REFEREE_SHARED": str(shared())}
    environment.pop("REFEREE_LONG", None)
    (tree / "report.xml").unlink(missing_ok=True)
    try:
        done = subprocess.run(
            [sys.executable, *catcher.command],
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=catcher.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Verdict(LATE)
    return catcher.read(done.returncode, done.stdout if done.returncode in (0, 7) else done.stdout + done.stderr, tree)


def shared() -> Path:
    """Where the shared material lies, which is outside of the copied trees."""
    return Path(os.environ.get("REFEREE_SHARED") or ROOT.parent / "shared")


def run(mutants: Iterable[Mutant], catchers: Sequence[Catcher]) -> dict[str, dict[str, Verdict]]:
    """Every mutant by every catcher, told as it goes."""
    verdicts: dict[str, dict[str, Verdict]] = {}
    for mutant in mutants:
        with mutated_tree(mutant) as tree:
            for catcher in catchers:
                begun = time.monotonic()
                verdict = ask(catcher, tree)
                verdicts.setdefault(mutant.name, {})[catcher.name] = verdict
                seconds = time.monotonic() - begun
                print(
                    f"{mutant.name:55} {catcher.name:10} {verdict.word:7} {seconds:5.1f}s {verdict.told[:90]}",
                    flush=True,
                )
    return verdicts


def sound(catchers: Sequence[Catcher]) -> bool:
    """Whether the engine without a mutant passes; otherwise catching one says nothing."""
    with mutated_tree(None) as tree:
        for catcher in catchers:
            verdict = ask(catcher, tree)
            print(f"{'no mutant':55} {catcher.name:10} {verdict.word:7} {verdict.told[:90]}", flush=True)
            if verdict.word != MISSED:
                return False
    return True


# --- the table ------------------------------------------------------------------------------------------


def remembered() -> dict[str, dict[str, dict[str, str]]]:
    """What was seen when the table was written: by mutant, by catcher, the word and the first difference."""
    if not TABLE.is_file():
        return {}
    found: dict[str, dict[str, dict[str, str]]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


def remember(verdicts: dict[str, dict[str, Verdict]]) -> None:
    """Adds what was seen now, drops mutants that are no more, and writes the page."""
    before = remembered()
    table = {mutant.name: before.get(mutant.name, {}) for mutant in MUTANTS}
    for name, by in verdicts.items():
        table[name] |= {catcher: {"verdict": verdict.word, "told": verdict.told} for catcher, verdict in by.items()}
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(table), encoding="utf-8")


def page(table: dict[str, dict[str, dict[str, str]]]) -> str:
    """table.md: which of the three catches which mutant, and what the reference judge said."""
    caught = {name: sum(by.get(name, {}).get("verdict") == CAUGHT for by in table.values()) for name in CATCHERS}
    asked = {name: sum(name in by for by in table.values()) for name in CATCHERS}
    by_any = sum(any(one["verdict"] == CAUGHT for one in by.values()) for by in table.values())
    rules = {mutant.rule for mutant in MUTANTS}
    lines = [
        "# Mutants of the engine",
        "",
        "Written by `python spec/mutation/run.py --write`; do not edit. A mutant is a deliberate fault in one place of",
        "`referee/rules` (`mutants.py` has the texts). It is caught when a comparison says that something differs.",
        "",
        f"{len(table)} mutants of {len(rules)} rules; {by_any} caught by at least one of the three.",
        *(f"- {CATCHERS[name].title}: {caught[name]} of {asked[name]} tried" for name in CATCHERS if asked[name]),
        "",
        "| mutant | "
        + " | ".join(catcher.title for catcher in CATCHERS.values())
        + " | first difference of the reference judge |",
        "|---|" + "---|" * (len(CATCHERS) + 1),
    ]
    for name, by in table.items():
        words = [by.get(catcher, {}).get("verdict", "not tried") for catcher in CATCHERS]
        told = by.get("reference", {}).get("told", "").replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {name} | {' | '.join(words)} | {told[:140]} |")
    return "\n".join(lines) + "\n"


def differences(verdicts: dict[str, dict[str, Verdict]]) -> list[str]:
    """Where what was seen now is not what the table says."""
    table = remembered()
    return [
        f"{name}: {catcher} says {verdict.word}, the table {table.get(name, {}).get(catcher, {}).get('verdict')}"
        for name, by in verdicts.items()
        for catcher, verdict in by.items()
        if table.get(name, {}).get(catcher, {}).get("verdict") != verdict.word
    ]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="mutants of the engine against what is bound to it")
    parser.add_argument("--by", action="append", choices=CATCHERS, help="graph, trace or reference (the default)")
    parser.add_argument("--only", action="append", default=[], help="mutants whose name contains this")
    parser.add_argument("--missed-by", choices=CATCHERS, help="only mutants that the table says this one missed")
    parser.add_argument("--write", action="store_true", help="remember in table.json and write table.md")
    parser.add_argument("--check", action="store_true", help="fail where the table says otherwise")
    parser.add_argument("--trusting", action="store_true", help="do not first see that the engine itself passes")
    chosen = parser.parse_args()
    catchers = [CATCHERS[name] for name in chosen.by or ["reference"]]
    mutants = [one for one in MUTANTS if not chosen.only or any(part in one.name for part in chosen.only)]
    if chosen.missed_by:
        table = remembered()
        mutants = [one for one in mutants if table.get(one.name, {}).get(chosen.missed_by, {}).get("verdict") != CAUGHT]
    if not chosen.trusting and not sound(catchers):
        print("the engine itself does not pass", file=sys.stderr)
        return 2
    verdicts = run(mutants, catchers)
    not_caught = [name for name, by in verdicts.items() if all(one.word != CAUGHT for one in by.values())]
    print(
        f"{len(verdicts) - len(not_caught)} of {len(verdicts)} caught"
        + "".join(f"\nNOT CAUGHT: {one}" for one in not_caught)
    )
    if chosen.write:
        remember(verdicts)
    parted = differences(verdicts) if chosen.check else []
    for line in parted:
        print(line, file=sys.stderr)
    return 1 if parted or (not_caught and not chosen.check) else 0


if __name__ == "__main__":
    sys.exit(main())
