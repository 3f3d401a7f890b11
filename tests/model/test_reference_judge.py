"""The reference judge itself: what it may know, its data, its ranking, the setups it refuses, and that it speaks up."""

import ast
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from referee.rules.cards import card_text
from referee.rules.hand import open_hand, propose
from referee.rules.ranking import hand_class_of, ranks_of, strength
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    RULE_SETS,
    RuleSetError,
)
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import HandSetup, check_setup
from referee.rules.state import Hand
from referee.second_opinion import JudgesDifferError, SecondJudge, happening, reference_options, reference_setup
from referee_reference import ranking, terms
from referee_reference.refused_setups import broken_rules
from tests.model.setups import faulty, refused_by
from tests.support import hand_of, options, rules, scale, setup_of

rule = pytest.mark.rule
ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "spec/reference/referee_reference").glob("*.py"))
RULEBOOK = (ROOT / "referee/rulebook/rulebook.md").read_text(encoding="utf-8")


# --- what it may know -----------------------------------------------------------------------------------


def test_there_are_sources() -> None:
    assert len(SOURCES) > 8


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_it_imports_the_standard_library_and_itself_only(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        for name in names:
            top = name.partition(".")[0]
            assert top in {"referee_reference", *sys.stdlib_module_names}, name


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_it_knows_integers_only_and_reads_no_files(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Div), "true division makes a float"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id in {"open", "print", "input", "float", "eval"})


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_every_function_says_what_it_decides_and_cites_rules_that_exist(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name != "post":
            assert ast.get_docstring(node), node.name
    for rule_id in re.findall(r"\b(?:GAME|DEAL|BLIND|BET|SIZE|OPEN|DISC|POT|SHOW|RANK|TIME|SEAT)-\d+\b", text):
        assert f"**{rule_id}**" in RULEBOOK, rule_id


def test_every_rule_of_a_hand_is_cited() -> None:
    """Rules of what others may see, of the clock and of the table between hands are not the judge's of one hand."""
    elsewhere = {"DEAL-4", "TIME-1", "TIME-3"}
    families = "GAME|DEAL|BLIND|BET|SIZE|OPEN|DISC|POT|SHOW|RANK|TIME"
    stated = set(re.findall(rf"^- \*\*((?:{families})-\d+)\*\*", RULEBOOK, re.MULTILINE))
    cited = {one for path in SOURCES for one in re.findall(r"[A-Z]+-\d+", path.read_text(encoding="utf-8"))}
    assert stated - cited == elsewhere


def test_definitions_named_beside_functions_stand_in_the_specification() -> None:
    specified = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "spec").glob("*.tla")))
    named = {
        name
        for path in SOURCES
        for names in re.findall(r"Spec: ([A-Za-z, ]+)\.", path.read_text(encoding="utf-8"))
        for name in names.split(", ")
    }
    assert len(named) > 30
    variables = {"live", "level", "acted", "bet", "increment", "wagers", "base"}
    defined = set(re.findall(r"^([A-Za-z]+)(?:\([^)]*\))?\s*==", specified, re.MULTILINE))
    assert named - defined - variables == set()
    assert all(re.search(rf"\b{name}\b", specified) for name in variables)


# --- data -----------------------------------------------------------------------------------------------


@rule("GAME-1", "GAME-3")
def test_games_are_the_same_data() -> None:
    pairs = (
        (HOLDEM, terms.HOLDEM),
        (IRISH, terms.IRISH),
        (IRISH_BEFORE_FLOP_BETTING, terms.IRISH_AS_FR_DESCRIBES_IT),
        (PINEAPPLE, terms.PINEAPPLE),
        (CRAZY_PINEAPPLE, terms.CRAZY_PINEAPPLE),
    )
    for game, reference in pairs:
        assert reference_setup(setup_of([9, 9], game)).rule_set.game == reference


@rule("GAME-2")
def test_published_rule_sets_are_the_same_data() -> None:
    given = [reference_setup(setup_of([9, 9], rule_set, rule_set.limits[0])).rule_set for rule_set in RULE_SETS]
    assert given == list(terms.PUBLISHED)


# --- ranking --------------------------------------------------------------------------------------------


def of_engine(cards: tuple[int, ...]) -> ranking.Strength:
    value = strength(cards)
    return int(hand_class_of(value)), ranks_of(value)


@rule("RANK-1", "RANK-2", "RANK-3", "RANK-4")
@pytest.mark.parametrize("count", [5, 6, 7, 8, 9, 12, 20])
def test_ranking_is_the_same(count: int) -> None:
    rng = random.Random(count)
    for _ in range(scale(150, 20_000)):
        # From few ranks, so that pairs and better are common.
        pool = rng.choice((range(52), range(12, 40), [card for card in range(52) if card % 4 == 1 or card > 20]))
        cards = tuple(rng.sample(pool, count))
        assert ranking.best_strength(tuple(map(card_text, cards))) == of_engine(cards), cards


@rule("RANK-1")
@pytest.mark.parametrize("count", [5, 6, 7, 9])
def test_the_two_ways_to_find_the_best_five_are_one(count: int) -> None:
    rng = random.Random(f"ways {count}")
    for _ in range(scale(30, 2_000)):
        cards = tuple(map(card_text, rng.sample(range(52), count)))
        assert ranking.best_of_many(cards) == ranking.best_of_every_five(cards), cards


@rule("RANK-2")
def test_there_are_as_many_strengths_as_everybody_counts() -> None:
    assert len(ranking.all_strengths()) == 7462
    assert ranking.all_strengths()[0] == ("one suit", (8, (12, 11, 10, 9, 8)))
    assert ranking.all_strengths()[-1][1] == ranking.strength_of_five(("7c", "5d", "4h", "3s", "2c"))


@rule("RANK-2", "RANK-3", "RANK-4")
def test_every_five_card_strength_is_the_same() -> None:
    """All rank patterns, in one suit and in two."""
    for ranks in combinations(sorted([*range(13)] * 4), 5) if scale(0, 1) else small_patterns():
        if max(map(ranks.count, ranks)) <= 4:
            mixed = tuple(4 * one + ranks[:at].count(one) for at, one in enumerate(ranks))
            if len({card % 4 for card in mixed}) == 1:
                assert ranking.strength_of_five(tuple(map(card_text, mixed))) == of_engine(mixed)
                mixed = (*mixed[:-1], mixed[-1] + 1)
            assert ranking.strength_of_five(tuple(map(card_text, mixed))) == of_engine(mixed)


def small_patterns() -> Iterator[tuple[int, ...]]:
    rng = random.Random(5)
    for _ in range(3_000):
        low = rng.randint(0, 8)
        yield tuple(sorted(rng.choice((rng.randint(low, low + 4), rng.randint(0, 12), 12)) for _ in range(5)))


# --- refused setups -------------------------------------------------------------------------------------


@rule("GAME-2", "GAME-3", "GAME-4", "GAME-5", "DEAL-1", "DEAL-3", "BLIND-1", "BLIND-2", "BLIND-5", "SIZE-9", "POT-8")
@pytest.mark.parametrize("block", range(5))
def test_the_same_setups_are_refused_by_a_rule_that_they_break(block: int) -> None:
    found: set[str | None] = set()
    count = scale(1_000, 40_000)
    for seed in range(block * count, (block + 1) * count):
        setup = faulty(random.Random(f"setup {seed}"))
        broken = broken_rules(reference_setup(setup))
        rule_id = refused_by(setup)
        said = f"setup {seed}: refused by {rule_id}, the reference judge says {broken}"
        assert (rule_id in broken) if broken else rule_id is None, said
        found.add(rule_id)
    assert {"GAME-2", "GAME-3", "GAME-4", "GAME-5", "DEAL-1", "DEAL-3", "BLIND-1", "SIZE-9", "POT-7"} <= found


# --- that it speaks up ----------------------------------------------------------------------------------


def begun(setup: HandSetup) -> tuple[Hand, SecondJudge]:
    hand, opening = open_hand(setup)
    second = SecondJudge(setup)
    second.opening(opening)
    return hand, second


def test_a_wrong_opening_is_a_difference() -> None:
    setup = setup_of([100, 100, 100])
    _, opening = open_hand(setup)
    for wrong in (opening[1:], (*opening[:1], opening[1]._replace(amount=9), *opening[2:]), opening[::-1]):
        with pytest.raises(JudgesDifferError, match="the opening"):
            SecondJudge(setup).opening(wrong)


def test_a_wrong_ruling_is_a_difference_and_says_what_each_judge_says() -> None:
    hand, second = begun(setup_of([100, 100, 100]))
    proposal = Proposal(3, ActionKind.RAISE, 20)
    ruling = propose(hand.copy(), Proposal(3, ActionKind.RAISE, 19))
    with pytest.raises(JudgesDifferError) as differ:
        second.ruling(proposal, ruling)
    assert str(differ.value) == (
        "RAISE 20 by seat 3: the engine says ('BELOW_MINIMUM', 'SIZE-3'); the reference judge says accepted"
    )
    second.ruling(proposal, propose(hand, proposal))
    with pytest.raises(JudgesDifferError, match="the engine says accepted"):
        second.ruling(proposal, propose(hand.copy(), Proposal(1, ActionKind.CALL)))


@pytest.mark.parametrize("name", ["stack", "total", "returned", "live", "bet", "paid", "dead", "kept"])
def test_a_wrong_standing_is_a_difference(name: str) -> None:
    hand, second = begun(setup_of([100, 100, 100]))
    second.standing(hand)
    value = getattr(hand, name)
    if name == "kept":
        value = [value[1], value[0], value[2]]
    elif isinstance(value, list):
        value = [*value[:-1], 7 if name != "live" else False]
    else:
        value = 1
    setattr(hand, name, value)
    with pytest.raises(JudgesDifferError):
        second.standing(hand)


@rule("BET-8")
def test_the_reference_judge_can_be_asked_by_itself() -> None:
    """Without the engine: what a host in dispute would do."""
    from referee_reference import course, judge

    hand, told = course.begin(reference_setup(setup_of([100, 4, 100], blinds=(5, 10))))
    assert [one.kind for one in told[:2]] == ["BLIND_POSTED", "BLIND_POSTED"]
    assert judge.options(hand, 3) == reference_options(options(hand_of([100, 4, 100], blinds=(5, 10))))
    refused = judge.refusal(hand, terms.Proposal(3, "RAISE", 19))
    assert refused is not None
    assert (refused.rule, refused.sentence) == ("SIZE-3", "20 is the least")
    hand, told = course.act(hand, terms.Proposal(3, "FOLD"))
    assert told[0] == happening(propose(hand_of([100, 4, 100]), Proposal(3, ActionKind.FOLD)).events[0])
    assert hand.folded == {2}


@rule("GAME-3")
def test_an_unnamed_house_rule_is_refused_by_both() -> None:
    setup = setup_of([100, 100], replace(rules(HOLDEM), name=""))
    with pytest.raises(RuleSetError):
        check_setup(setup)
    assert "GAME-3" in broken_rules(reference_setup(setup))
