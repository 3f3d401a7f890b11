"""Deliberate rule faults of the engine are caught (spec/mutation): the list, the table, and a sample by itself."""

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from tests.model.hunt import hunt
from tests.support import LONG

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "referee/rules"
MUTATION = ROOT / "spec/mutation"
SAMPLE = 8


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, MUTATION / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


mutants = load("mutants")
run = load("run")
TABLE = json.loads((MUTATION / "table.json").read_text(encoding="utf-8"))


def sample() -> list[str]:
    """Some mutants, others whenever the engine's source changes, and the same again for the same source.

    Only such as are found early: those that a small game or a long search finds take their time in the long run.
    """
    early = ("hand ", "ranking ", "setup ", "irish/", "holdem/")
    names = [name for name, by in TABLE.items() if by["reference"]["told"].startswith(early)]
    sources = b"".join(path.read_bytes() for path in sorted(RULES.glob("*.py")))
    start = int.from_bytes(hashlib.sha256(sources).digest()[:4], "big")
    step = len(names) // SAMPLE
    return sorted({names[(start + step * at) % len(names)] for at in range(SAMPLE)})


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.name)
def test_the_text_of_a_mutant_is_found_exactly_once_and_still_compiles(mutant: object) -> None:
    source = (RULES / f"{mutant.file}.py").read_text(encoding="utf-8")
    compile(run.changed(mutant, source), mutant.file, "exec")


def test_a_text_that_is_not_found_fails_loudly() -> None:
    with pytest.raises(SystemExit, match=r"stands 0 times in pots\.py, expected once"):
        run.changed(mutants.Mutant("POT-1 nothing", "pots", "no such text", ""), "other text")


def test_there_are_mutants_for_every_rule_of_a_hand() -> None:
    assert len(mutants.MUTANTS) >= 60
    assert len({mutant.name for mutant in mutants.MUTANTS}) == len(mutants.MUTANTS)
    rulebook = (ROOT / "referee/rulebook/rulebook.md").read_text(encoding="utf-8")
    families = "GAME|DEAL|BLIND|BET|SIZE|OPEN|DISC|POT|SHOW|RANK"
    stated = set(re.findall(rf"^- \*\*((?:{families})-\d+)\*\*", rulebook, re.MULTILINE)) | {"TIME-2"}
    # DEAL-4 is decided where events are shown to seats, not by the rules of a hand.
    assert stated - {mutant.rule for mutant in mutants.MUTANTS} == {"DEAL-4"}


def test_the_table_lists_every_mutant_and_each_is_caught() -> None:
    assert list(TABLE) == [mutant.name for mutant in mutants.MUTANTS]
    for name, by in TABLE.items():
        assert any(one["verdict"] == run.CAUGHT for one in by.values()), name
    assert (MUTATION / "table.md").read_text(encoding="utf-8") == run.page(TABLE)


@pytest.mark.parametrize("name", [mutant.name for mutant in mutants.MUTANTS] if LONG else sample())
def test_the_reference_judge_says_what_the_table_says(name: str) -> None:
    command = [sys.executable, str(MUTATION / "run.py"), "--only", name, "--check", "--trusting"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1_500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_where_the_hunt_looks_first_the_engine_itself_passes() -> None:
    """Otherwise catching a mutant there would say nothing."""
    for name, look in islice(hunt(0), 250):
        try:
            look()
        except Exception as failure:
            raise AssertionError(f"{name}: {failure}") from failure


# --- how an answer is read ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "output", "word"),
    [
        (0, "no difference", "missed"),
        (7, "hand 3: stacks differ", "caught"),
        (1, "ImportError: no module", "broken"),
        (1, "AssertionError: POT-7: chips are not conserved", "broken"),
    ],
)
def test_only_a_difference_counts_as_caught(code: int, output: str, word: str, tmp_path: Path) -> None:
    assert run.read_hunt(code, output, tmp_path).word == word


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("AssertionError: 3 edges differ", "caught"),
        ("assert 4 == 5", "caught"),
        ("ImportError: no module", "broken"),
        ("ValueError: bad", "broken"),
        ("subprocess.TimeoutExpired: late", "broken"),
    ],
)
def test_only_a_tests_own_assertion_counts_as_caught(message: str, word: str, tmp_path: Path) -> None:
    report = f'<testsuites><testsuite><testcase><failure message="{message}"/></testcase></testsuite></testsuites>'
    (tmp_path / "report.xml").write_text(report, encoding="utf-8")
    assert run.read_pytest(1, "", tmp_path).word == word
    assert run.read_pytest(2, "", tmp_path).word == "broken"
    assert run.read_pytest(0, "", tmp_path).word == "missed"
