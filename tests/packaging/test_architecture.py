"""The games' packages are games and nothing else. import-linter knows packages; this knows the standard library."""

import ast
import sys
from pathlib import Path

import pytest

REFEREE = Path(__file__).resolve().parents[2] / "referee"
GAMES = ("rules", "kozel")
# No I/O, no clock, no randomness. A module that offers none of these may be added.
STANDARD_LIBRARY = {
    "__future__",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "itertools",
    "json",
    "math",
    "operator",
    "struct",
    "types",
    "typing",
}
SOURCES = [source for game in GAMES for source in sorted((REFEREE / game).rglob("*.py"))]


def imported(tree: ast.AST, game: str) -> set[str]:
    """The top-level names of what a module imports, its own package left out."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names if not f"{name}.".startswith(f"referee.{game}.")}


def test_the_list_names_the_standard_library() -> None:
    assert sys.stdlib_module_names >= STANDARD_LIBRARY
    assert {source.parent.name for source in SOURCES} == set(GAMES)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rules_import_only_what_is_pure(source: Path) -> None:
    assert imported(ast.parse(source.read_text()), source.parent.name) <= STANDARD_LIBRARY | {"mypy_extensions"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rules_print_and_open_nothing_and_know_no_floats(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text())):
        line = getattr(node, "lineno", 0)
        assert not (isinstance(node, ast.Name) and node.id in {"open", "print", "input", "float"}), line
        assert not isinstance(node, ast.Div), "true division makes a float"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), line
