"""``make trace-matrix``: writes docs/traceability.md, which says where every rule is specified, built and tested.

    python -m tools.trace_matrix           # writes the page
    python -m tools.trace_matrix --check   # says what is missing or out of date, with status 1

A rule belongs to a definition, function or class that names its id, in a comment, docstring or text of its own; to a
test that carries it as a mark; and to a case that ``tests/cases/rules_of_cases.toml`` lists under it. Nothing else is
read, so the page changes when these do, and not when lines move.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.rulebook import rules

# The reading of marks lives with the test that keeps them.
from tests.rules.test_every_rule_is_tested import marked_ids

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "traceability.md"
CASES: Final = ROOT / "tests" / "cases" / "rules_of_cases.toml"

SPECIFIED: Final = re.compile(r"(GAME|BLIND|BET|SIZE|OPEN|DISC|POT|KOZ)-\d+|SHOW-[1-5]|TIME-2")
"""The rules that the specification is about."""

RULE_ID: Final = re.compile(r"\b([A-Z]+)-(\d+)(?:(?: to | ?\.\. ?)(?:\1-)?(\d+))?\b")
"""An id, or a row of them: ``POT-4 to POT-8``, ``SHOW-1..5``."""

Names = dict[str, list[str]]
"""Names of definitions by the file that holds them, in the order in which they stand there."""


@dataclass
class Row:
    """Where one rule is found."""

    rule: str
    specification: Names = field(default_factory=dict)
    reference: Names = field(default_factory=dict)
    code: Names = field(default_factory=dict)
    tests: list[str] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)

    def gaps(self) -> Iterator[str]:
        """What is missing, in words."""
        if SPECIFIED.fullmatch(self.rule) and not self.specification and not self.reference:
            yield f"{self.rule} has no definition in spec/"
        if not self.code:
            yield f"{self.rule} is named nowhere in referee/"
        if not self.tests:
            yield f"no test is marked with {self.rule}"


def ids_in(text: str) -> set[str]:
    """The rule ids that a text names; only those that the rulebook has."""
    found: set[str] = set()
    for family, first, last in RULE_ID.findall(text):
        found |= {f"{family}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found & rules().keys()


# --- definitions ----------------------------------------------------------------------------------------

TLA_DEFINITION: Final = re.compile(r"^(?:LOCAL )?([A-Za-z]\w*)(?:\([^=]*\)|\[[^=]*\])?\s*==(?!=)")
DAFNY_DEFINITION: Final = re.compile(
    r"^(?:lemma|function method|function|predicate method|predicate|datatype)\s+(?:\{:\w+\}\s*)?(\w+)"
)


BOUNDARIES: Final = ("----", "====", "// ====", "EXTENDS", "CONSTANT", "VARIABLE", "ASSUME")
"""What a comment does not reach beyond."""

SITUATIONS: Final = "Witnesses.tla"
"""Names situations that must occur and defines no rule, so it fills no gap."""


def tla_citations(text: str) -> Iterator[tuple[str, str]]:
    """Each definition of a module with each rule that it names.

    A comment that stands before definitions is about all of them up to the next comment or line, except for those that
    name rules of their own.
    """
    yield from _citations(text, TLA_DEFINITION, ("(*", "\\*"), shared=True)


def dafny_citations(text: str) -> Iterator[tuple[str, str]]:
    """Each definition or lemma with each rule that the comment before it, or its body, names."""
    yield from _citations(text, DAFNY_DEFINITION, ("//",), shared=False)


def _citations(
    text: str, definition: re.Pattern[str], comments: tuple[str, ...], *, shared: bool
) -> Iterator[tuple[str, str]]:
    found: list[tuple[str, set[str], set[str]]] = []  # name, rules of the comment before, rules of its own
    before: set[str] = set()
    in_comment = False
    for line in text.splitlines():
        match = definition.match(line)
        if match:
            found.append((match[1], before, ids_in(line)))
            if not shared:
                before = set()
            in_comment = False
        elif line.startswith(BOUNDARIES):
            before, in_comment = set(), False
        elif line.startswith(comments):
            before = (before if in_comment else set()) | ids_in(line)
            in_comment = True
        elif line.strip():
            if found and line.startswith(" "):
                found[-1][2].update(ids_in(line))
            in_comment = False
    for name, comment, own in found:
        for rule in sorted(own or comment) if shared else sorted(own | comment):
            yield name, rule


def python_citations(text: str) -> Iterator[tuple[str, str]]:
    """Each function, method, class or constant of a module with each rule that its lines name.

    A text below a constant is the constant's. What stands elsewhere, as the module's own docstring does, is given to
    the module as a whole, as ``""``.
    """
    tree = ast.parse(text)
    lines = text.splitlines()
    constant = ""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _class_citations(node, lines)
        else:
            cited = ids_in("\n".join(lines[_first_line(node) - 1 : node.end_lineno]))
            name = constant if isinstance(node, ast.Expr) else _name_of(node)
            yield from ((name, rule) for rule in sorted(cited))
        constant = _name_of(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ""


def _class_citations(node: ast.ClassDef, lines: list[str]) -> Iterator[tuple[str, str]]:
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    own = dict(enumerate(lines[_first_line(node) - 1 : node.end_lineno], _first_line(node)))
    for method in methods:
        inside = range(_first_line(method), (method.end_lineno or method.lineno) + 1)
        cited = ids_in("\n".join(own.pop(number) for number in inside))
        yield from ((f"{node.name}.{method.name}", rule) for rule in sorted(cited))
    yield from ((node.name, rule) for rule in sorted(ids_in("\n".join(own.values()))))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return next((target.id for target in targets if isinstance(target, ast.Name)), "")


# --- the matrix -----------------------------------------------------------------------------------------


def matrix(root: Path = ROOT) -> list[Row]:
    """A row for every rule, in the order of the rulebook."""
    rows = {rule: Row(rule) for rule in rules()}
    for path in [*sorted((root / "spec").glob("*.tla")), *sorted((root / "spec" / "kozel").glob("*.tla"))]:
        if path.name != SITUATIONS:
            file = path.relative_to(root / "spec").as_posix()
            _add(rows, "specification", file, tla_citations(path.read_text(encoding="utf-8")))
    for path in sorted((root / "spec" / "dafny").glob("*.dfy")):
        _add(rows, "specification", f"dafny/{path.name}", dafny_citations(path.read_text(encoding="utf-8")))
    for path in sorted((root / "spec" / "reference").rglob("*.py")):
        _add(rows, "reference", path.name, python_citations(path.read_text(encoding="utf-8")))
    for path in sorted((root / "referee").rglob("*.py")):
        place = path.relative_to(root / "referee")
        if place.parts[0] != "v1":  # generated
            _add(rows, "code", place.as_posix(), python_citations(path.read_text(encoding="utf-8")))
    for path in sorted((root / "tests").rglob("test_*.py")):
        for rule in marked_ids(path.read_text(encoding="utf-8")) & rows.keys():
            rows[rule].tests.append(path.relative_to(root / "tests").as_posix())
    for case, of_case in cases().items():
        for rule in of_case:
            rows[rule].cases.append(case)
    return list(rows.values())


def cases() -> dict[str, list[str]]:
    """The rules of each case of the shared collection."""
    return tomllib.loads(CASES.read_text(encoding="utf-8"))


def _add(rows: dict[str, Row], column: str, file: str, citations: Iterable[tuple[str, str]]) -> None:
    for name, rule in citations:
        names: list[str] = getattr(rows[rule], column).setdefault(file, [])
        if name and name not in names:
            names.append(name)


def gaps(rows: Iterable[Row]) -> list[str]:
    """Everything that is missing."""
    return [gap for row in rows for gap in row.gaps()]


def page(rows: Iterable[Row]) -> str:
    """The page in Markdown."""
    lines = [
        "# Where each rule is specified, built and tested",
        "",
        "Made by `make trace-matrix` from the rule ids that the files themselves name; a test fails when it is out of",
        "date or has a gap. *Specification*: definitions of `spec/*.tla` and `spec/kozel/*.tla`, and lemmas of",
        "`spec/dafny/`. *Second judge*: `spec/reference/`. *Code*: `referee/`. *Tests*: files of `tests/` with a test",
        "marked with the rule, find it by `grep -rn '\"SIZE-4\"' tests`. *Cases*: ids of the shared collection.",
        "The formal specification is about GAME, BLIND, BET, SIZE, OPEN, DISC, POT, SHOW-1 to SHOW-5, TIME-2 and KOZ,",
        "with abstract cards and a table that is set up already; what these rules say of set-up and cards the second",
        "judge alone specifies.",
        "",
        "| Rule | Specification | Second judge | Code | Tests | Cases |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = (
            row.rule,
            _names(row.specification),
            _names(row.reference),
            _names(row.code),
            "<br>".join(row.tests) or "-",
            ", ".join(sorted(row.cases)) or "-",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _names(by_file: Names) -> str:
    whole = [f"{file}: {', '.join(names)}" if names else file for file, names in by_file.items()]
    return "<br>".join(whole) or "-"


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes docs/traceability.md, or checks it.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail when out of date or incomplete")
    check = parser.parse_args().check
    rows = matrix()
    text = page(rows)
    complaints = gaps(rows)
    if not check:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text:
        complaints.append(f"{PAGE.relative_to(ROOT)} is out of date: make trace-matrix")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
