"""Every rule id of the rulebook has a test that carries it as a mark, except those that are named as awaited."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
RULEBOOK = TESTS.parent / "referee/rulebook/rulebook.md"

AWAITED = {
    *(f"KOZ-{number}" for number in range(1, 18)),
}
"""Rules that are not built yet. Whoever builds one and tests it takes it off this list."""


def rulebook_ids() -> list[str]:
    """The ids that the rulebook states, in its order: they are written ``**SIZE-4**`` at the start of a rule."""
    return re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE)


def mark_names(tree: ast.Module) -> set[str]:
    """Names that a module gives to the mark itself, as in ``rule = pytest.mark.rule``."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "pytest.mark.rule"
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def marked_ids(source: str) -> set[str]:
    """The rule ids on decorators of tests (``@pytest.mark.rule(...)``), on parameters, and in ``pytestmark``."""
    tree = ast.parse(source)
    names = mark_names(tree) | {"pytest.mark.rule"}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
            for argument in node.args:  # written out, or a starred row of them
                ids = ast.literal_eval(argument.value if isinstance(argument, ast.Starred) else argument)
                found |= {ids} if isinstance(ids, str) else set(ids)
    return found


@cache
def all_marked_ids() -> dict[str, set[str]]:
    """Where each marked id stands: the names of the files."""
    where: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for rule_id in marked_ids(path.read_text(encoding="utf-8")):
            where.setdefault(rule_id, set()).add(path.name)
    return where


def test_the_rulebook_states_its_ids_once() -> None:
    ids = rulebook_ids()
    assert len(ids) == len(set(ids))
    assert {"GAME-1", "SIZE-9", "POT-8", "SHOW-8", "KOZ-17"} <= set(ids)


def test_every_rule_id_has_a_test_or_is_awaited_by_name() -> None:
    missing = [rule_id for rule_id in rulebook_ids() if rule_id not in all_marked_ids() and rule_id not in AWAITED]
    assert not missing, f"no test is marked with {missing}"


def test_no_awaited_id_has_a_test() -> None:
    tested = {rule_id: sorted(files) for rule_id, files in all_marked_ids().items() if rule_id in AWAITED}
    assert not tested, f"take these off the list of awaited ids: {tested}"


def test_marks_and_the_awaited_list_name_rules_that_exist() -> None:
    assert set(all_marked_ids()) <= set(rulebook_ids())
    assert set(rulebook_ids()) >= AWAITED


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@pytest.mark.rule('SIZE-4', 'POT-1')\ndef test_a(): ...", {"SIZE-4", "POT-1"}),
        ("rule = pytest.mark.rule\n@rule('SIZE-4')\ndef test_a(): ...", {"SIZE-4"}),
        ("@pytest.mark.rule(*('SIZE-4', 'POT-1'))\ndef test_a(): ...", {"SIZE-4", "POT-1"}),
        ("pytestmark = pytest.mark.rule('SIZE-4')", {"SIZE-4"}),
        ("rule = find\nrule('SIZE-4')", set()),
        ("# @pytest.mark.rule('SIZE-4')", set()),
    ],
)
def test_marks_are_found_as_they_are_written(source: str, found: set[str]) -> None:
    assert marked_ids(source) == found
