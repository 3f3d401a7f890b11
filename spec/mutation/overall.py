"""Mutates `referee/rules` all over with mutmut, and compares what survives with survivors.md.

mutmut makes every small change it knows (another operator, a number more, a condition turned) to every function of the
modules, and runs the fast tests of the rules against each. What they let pass is either listed in survivors.md with the
reason why it is no fault, or a gap in the tests.

    python spec/mutation/overall.py                    the modules of the game's arithmetic, about half an hour
    python spec/mutation/overall.py pots showdown      some modules
    python spec/mutation/overall.py --results          only reads what the last run left

mutmut lives in an environment of its own under build/, on top of the packages of the one that runs this.
"""

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build/mutmut"
TREE = PLACE / "tree"
SURVIVORS = ROOT / "spec/mutation/survivors.md"
MUTMUT = "mutmut==3.8.1"
MODULES = ("pots", "betting", "discards", "showdown")
FAST_TESTS = ("bet", "blind", "deal", "disc", "game", "open", "pot", "show", "size", "time")
"""Tests of single situations; most of the random and exhaustive ones take too long for every mutant."""

AGAINST_REFERENCE = "tests/model/test_reference_hands.py::test_both_judges_say_the_same_in_random_hands"


def prepare(modules: list[str]) -> None:
    """An environment with mutmut, and a copy of the sources with its configuration."""
    binaries = PLACE / "venv/bin"
    if not (binaries / "mutmut").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", PLACE / "venv"], check=True)
        install = ["install", "--quiet", "--disable-pip-version-check", MUTMUT]
        subprocess.run([binaries / "pip", *install], check=True)
        (site,) = (PLACE / "venv/lib").glob("python*/site-packages")
        (site / "underneath.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir(parents=True)
    leave = shutil.ignore_patterns("__pycache__", "*.so")
    for name in ("referee", "buf", "tests", "spec/reference"):
        shutil.copytree(ROOT / name, TREE / name, ignore=leave)
    settings = {
        "source_paths": ["referee"],
        "only_mutate": [f"referee/rules/{module}.py" for module in modules],
        "also_copy": ["buf", "spec"],
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "--timeout=60"],
        "pytest_add_cli_args_test_selection": [
            *[f"tests/rules/test_{name}.py" for name in FAST_TESTS],
            AGAINST_REFERENCE,
        ],
        "use_git_change_detection": False,
        "track_dependencies": False,
    }
    lines = [f"{key} = {str(value).lower() if isinstance(value, bool) else value}" for key, value in settings.items()]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (TREE / "pyproject.toml").write_text(project + "\n[tool.mutmut]\n" + "\n".join(lines) + "\n", encoding="utf-8")


def mutmut(*words: str) -> str:
    """Runs one command of mutmut in the copy."""
    done = subprocess.run(
        [PLACE / "venv/bin/mutmut", *words],
        cwd=TREE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def survivors() -> dict[str, tuple[str, str, str]]:
    """What survived, by mutmut's name: the function, the line as it is, and the line as it was changed."""
    found = {}
    for name in re.findall(r"^\s*(\S+): survived", mutmut("results"), re.MULTILINE):
        shown = mutmut("show", name)
        removed = [line[1:].strip() for line in shown.splitlines() if re.match(r"-(?!--)", line)]
        added = [line[1:].strip() for line in shown.splitlines() if re.match(r"\+(?!\+\+)", line)]
        function = re.sub(r"referee\.rules\.(\w+)\.x_(\w+?)__mutmut_\d+", r"\1.\2", name)
        found[name] = (function, " ".join(removed), " ".join(added))
    return found


def is_wording(before: str, after: str) -> bool:
    """Whether only words for people changed: texts with a space in them, which no test compares in full."""
    plain = [re.sub(r'f?"([^"]*)"', _without_words, line) for line in (before, after)]
    return plain[0] == plain[1] and before != after


def _without_words(text: re.Match[str]) -> str:
    return '"words"' if " " in text[1] else text[0]


def examined() -> set[tuple[str, str, str]]:
    """What survivors.md lists: function, before, after."""
    text = SURVIVORS.read_text(encoding="utf-8") if SURVIVORS.is_file() else ""
    return set(re.findall(r"^- `([^`]+)`: `([^`]*)` → `([^`]*)`", text, re.MULTILINE))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="mutmut over referee/rules")
    parser.add_argument("modules", nargs="*", default=list(MODULES))
    parser.add_argument("--results", action="store_true", help="only read what the last run left")
    chosen = parser.parse_args()
    if not chosen.results:
        prepare(chosen.modules)
        print(mutmut("run", "--max-children", "1").splitlines()[-1])
    known = examined()
    left = {name: what for name, what in survivors().items() if not is_wording(*what[1:])}
    new = {name: what for name, what in left.items() if what not in known}
    for name, (function, before, after) in new.items():
        print(f"{name}\n- `{function}`: `{before}` → `{after}`")
    print(f"{len(left)} survivors beside changed wording, {len(new)} of which survivors.md does not list")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
