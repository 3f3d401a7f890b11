"""What the specification says of itself is consistent; everything that needs TLC is checked by ``make spec``.

Looked at are the pages and tables only: that every rule within the specification's range is cited, that every property
is explained and has a mutant, that every mutant still applies, and that the README repeats the tables.
"""

import re

import pytest

from spec.tools import check, tlc

MODULES = ("Settlement", "IrishHand", "Properties", "Witnesses", "Graph")
RULE = re.compile(r"\b([A-Z]{3,6}-\d+)\b")
OUTSIDE = {
    "GAME-5": "cards have no names here",
    "DISC-5": "what whom is told",
    "SHOW-8": "the review after the hand",
    "TIME-1": "durations",
    "TIME-3": "durations",
}
"""Rules of the groups below that the specification leaves out, and why."""


def text_of(module):
    return (tlc.SPEC / f"{module}.tla").read_text("utf-8")


def test_every_rule_within_range_is_cited_by_the_definitions():
    rulebook = (tlc.ROOT / "referee" / "rulebook" / "rulebook.md").read_text("utf-8")
    groups = ("GAME", "BLIND", "BET", "SIZE", "OPEN", "DISC", "POT", "SHOW", "TIME")
    known = set(re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", rulebook, re.M))
    wanted = {rule for rule in known if rule.split("-")[0] in groups}
    cited = set(RULE.findall(text_of("IrishHand") + text_of("Settlement")))
    assert wanted - cited == set(OUTSIDE)
    assert {rule for module in MODULES for rule in RULE.findall(text_of(module))} <= known


@pytest.mark.parametrize("name", check.ALL_PROPERTIES)
def test_every_property_is_defined_explained_and_has_a_mutant(name):
    assert re.search(rf"(?m)^{name} ==", text_of("Properties"))
    assert f"| `{name}` |" in check.README.read_text("utf-8")
    assert name in {mutant.property for mutant in check.mutants()}


def test_every_definition_that_looks_like_a_property_is_checked():
    headings = re.findall(r"(?m)^(\w+) ==[^\n]*\\\* [A-Z]+-\d", text_of("Properties"))
    assert set(headings) <= set(check.ALL_PROPERTIES)


@pytest.mark.parametrize("mutant", check.mutants(), ids=lambda mutant: f"{mutant.property}: {mutant.about}")
def test_every_mutant_still_applies_and_is_known(mutant):
    assert text_of(mutant.module).count(mutant.old) == 1
    assert mutant.configuration in tlc.configurations()
    assert mutant.property in (*check.ALL_PROPERTIES, check.DEADLOCK)
    assert mutant.rule in RULE.findall(text_of("IrishHand") + text_of("Settlement") + mutant.rule)


def test_situations_are_numbered_once_each():
    numbers = [int(number) for number in re.findall(r"Note\((\d+),", text_of("Witnesses"))]
    assert numbers == list(range(1, len(numbers) + 1))
    assert f"Situations == 1..{len(numbers)}" in text_of("Witnesses")
    assert len(set(check.situations())) == len(numbers)


def test_the_readme_repeats_the_tables():
    text = check.README.read_text("utf-8")
    assert check.embedded(text, "mutants", check.mutant_table(check.mutants())) == text
    assert check.embedded(text, "configurations", check.configuration_table(tlc.configurations().values())) == text


def test_every_configuration_says_what_tlc_must_find():
    for row in tlc.configurations().values():
        assert row.run in ("ci", "full"), row.name
        assert row.states, row.name
        assert row.depth, row.name


def test_the_default_constants_are_those_of_the_module():
    declared = text_of("IrishHand").split("CONSTANTS", 1)[1].split("VARIABLES", 1)[0]
    names = {name for line in declared.splitlines() for name in re.findall(r"\b([A-Z]\w*)\b", line.split("\\*")[0])}
    assert names == set(next(iter(tlc.configurations().values())).constants)
