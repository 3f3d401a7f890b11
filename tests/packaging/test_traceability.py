"""docs/traceability.md is what ``make trace-matrix`` writes, and every rule is specified, built and tested."""

import json
from pathlib import Path

import pytest

from referee.rulebook import rules
from tools.trace_matrix import (
    PAGE,
    SPECIFIED,
    Row,
    cases,
    dafny_citations,
    gaps,
    ids_in,
    matrix,
    page,
    python_citations,
    tla_citations,
)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return matrix()


def test_the_page_is_current(rows: list[Row]) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(rows), "out of date: make trace-matrix"


def test_every_rule_is_specified_built_and_tested(rows: list[Row]) -> None:
    assert not gaps(rows)


def test_there_is_a_row_for_every_rule(rows: list[Row]) -> None:
    assert [row.rule for row in rows] == list(rules())
    text = page(rows)
    for rule in rules():
        assert f"\n| {rule} |" in text


def test_cases_name_rules_that_exist() -> None:
    assert {rule for of_case in cases().values() for rule in of_case} <= set(rules())
    assert all(cases().values())


def test_every_shared_case_is_listed(shared_cases: Path) -> None:
    lines = (shared_cases / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == set(cases())


# --- the check can fail ---------------------------------------------------------------------------------


def found_everywhere(rule: str) -> Row:
    names = {"file": ["name"]}
    return Row(rule, names, names, names, ["test_file.py"], ["SP01"])


def test_a_complete_row_has_no_gap() -> None:
    assert not gaps([found_everywhere("SIZE-4")])


@pytest.mark.parametrize(
    ("rule", "missing", "said"),
    [
        ("SIZE-4", ("specification", "reference"), "no definition"),
        ("SIZE-4", ("code",), "nowhere in referee"),
        ("SIZE-4", ("tests",), "no test"),
        ("SEAT-1", ("code",), "nowhere in referee"),
    ],
)
def test_what_is_missing_is_said(rule: str, missing: tuple[str, ...], said: str) -> None:
    row = found_everywhere(rule)
    for column in missing:
        setattr(row, column, type(getattr(row, column))())
    (gap,) = gaps([row])
    assert said in gap
    assert rule in gap


def test_rules_outside_the_specification_need_no_definition() -> None:
    row = found_everywhere("SEAT-1")
    row.specification = row.reference = {}
    assert not gaps([row])


@pytest.mark.parametrize(
    ("rule", "is_specified"),
    [("GAME-1", True), ("SHOW-5", True), ("SHOW-6", False), ("TIME-2", True), ("TIME-1", False), ("RANK-1", False)],
)
def test_scope_of_the_specification(rule: str, is_specified: bool) -> None:
    assert bool(SPECIFIED.fullmatch(rule)) is is_specified


# --- citations are found as they are written ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("the pot (SIZE-4, POT-1)", {"SIZE-4", "POT-1"}),
        ("POT-4 to POT-6", {"POT-4", "POT-5", "POT-6"}),
        ("SHOW-1..3", {"SHOW-1", "SHOW-2", "SHOW-3"}),
        ("SIZE-99, UTF-8, NO-1", set()),
    ],
)
def test_ids_in_a_text(text: str, ids: set[str]) -> None:
    assert ids_in(text) == ids


def test_citations_of_tla() -> None:
    text = """
---- MODULE Any ----
(* About everything: DEAL-1. *)
EXTENDS Integers
Nothing == 1

(* POT-1.  Over *)
(* two lines, POT-3. *)
First(a, b) == a
Second == \\* POT-2
  3
----
Third ==
  /\\ 4   \\* SIZE-4
"""
    assert set(tla_citations(text)) == {
        ("First", "POT-1"),
        ("First", "POT-3"),
        ("Second", "POT-2"),
        ("Third", "SIZE-4"),
    }


def test_citations_of_dafny() -> None:
    text = "// T1. POT-7: all.\nlemma All()\n{ }\n\nfunction method {:opaque} F(): nat { 0 }\n// POT-6\npredicate P()\n"
    assert set(dafny_citations(text)) == {("All", "POT-7"), ("P", "POT-6")}


def test_citations_of_python() -> None:
    text = '''
"""All of POT-1."""
LIMIT = 3
"""SIZE-6."""
@mark("BET-1")
def f():
    """Decides POT-2."""
class C:
    """GAME-1."""
    def m(self):
        return "POT-3"
'''
    assert set(python_citations(text)) == {
        ("", "POT-1"),
        ("LIMIT", "SIZE-6"),
        ("f", "BET-1"),
        ("f", "POT-2"),
        ("C", "GAME-1"),
        ("C.m", "POT-3"),
    }
