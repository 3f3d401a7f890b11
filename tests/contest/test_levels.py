"""Levels and structures of tournaments (TOUR-1, TOUR-3)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contest.tournament.levels import (
    MINUTE_MS,
    LengthUnit,
    Level,
    Structure,
    check_structure,
    escalator,
    is_deeper,
    standard,
)
from referee.rules.ruleset import MAX_CHIPS, AnteKind, Limit, RuleSetError, find_rule_set

rule = pytest.mark.rule
TDA = find_rule_set("irish/tda@1")
HANDS, MINUTES = LengthUnit.HANDS, LengthUnit.MINUTES
THREE = (Level(10, 20, 5), Level(15, 30, 10), Level(20, 40, 5))


@rule("TOUR-1")
def test_a_new_level_starts_with_the_first_hand_after_the_length_of_the_one_before():
    structure = Structure("mine", HANDS, THREE)
    numbers = [structure.number_at(hands, 0) for hands in range(22)]
    assert numbers == [0] * 5 + [1] * 10 + [2] * 5 + [3] * 2


@rule("TOUR-1")
def test_levels_in_minutes_ask_the_time_and_not_the_hands():
    structure = Structure("mine", MINUTES, THREE)
    assert structure.number_at(1_000, 5 * MINUTE_MS - 1) == 0
    assert structure.number_at(0, 5 * MINUTE_MS) == 1
    assert structure.number_at(0, 15 * MINUTE_MS) == 2


@rule("TOUR-1")
def test_after_the_last_level_blinds_and_antes_double_up_to_all_the_chips():
    last = Level(100, 200, 5, AnteKind.EACH, 20)
    structure = Structure("mine", HANDS, (Level(10, 20, 5), last))
    assert structure.level(structure.number_at(9, 0), 1_000) == last
    assert structure.level(structure.number_at(10, 0), 1_000) == replace(last, small_blind=200, big_blind=400, ante=40)
    assert structure.level(structure.number_at(15, 0), 1_000).big_blind == 800
    far = structure.level(structure.number_at(10**9, 0), 1_000)
    assert (far.small_blind, far.big_blind, far.ante) == (1_000, 1_000, 1_000)
    assert structure.level(3, 50).big_blind == 200, "never less than the last level"
    check_structure(Structure("far", HANDS, (structure.level(10**6),)), TDA, Limit.NO_LIMIT, 1)


@rule("TOUR-1", "BLIND-5")
def test_a_level_gives_the_stakes_of_its_hands():
    stakes = Level(50, 100, 5, AnteKind.BIG_BLIND, 100).stakes(25)
    assert (stakes.small_blind, stakes.big_blind, stakes.ante_kind, stakes.ante) == (50, 100, AnteKind.BIG_BLIND, 100)
    assert stakes.chip_unit == 25


@rule("TOUR-1")
@pytest.mark.parametrize(
    ("levels", "broken"),
    [
        ((), "TOUR-1"),
        ((Level(10, 20, 0),), "TOUR-1"),
        ((Level(10, 20, 5), Level(40, 30, 5)), "BLIND-1"),
        ((Level(10, 20, 5, AnteKind.EACH, 0),), "BLIND-5"),
        ((Level(10, 25, 5),), "BLIND-1"),
    ],
)
def test_structures_that_cannot_be_played_are_refused(levels, broken):
    with pytest.raises(RuleSetError) as refused:
        check_structure(Structure("mine", HANDS, levels), TDA, Limit.NO_LIMIT, 10)
    assert refused.value.rule == broken


@rule("TOUR-1")
def test_the_standard_structure_grows_tenfold_in_seven_levels_of_equal_length():
    structure = standard(20, 12, levels=15, ante_kind=AnteKind.EACH)
    assert [level.big_blind for level in structure.levels[:8]] == [20, 30, 40, 60, 80, 120, 160, 200]
    assert structure.levels[14].big_blind == 2_000
    assert {level.length for level in structure.levels} == {12}
    assert all(level.big_blind == 2 * level.small_blind for level in structure.levels)
    assert [level.ante for level in structure.levels[:5]] == [0, 0, 0, 6, 8]
    check_structure(structure, TDA, Limit.NO_LIMIT, 1)
    assert standard(20, 12, ante_kind=AnteKind.BIG_BLIND).levels[4].ante == 80
    with pytest.raises(RuleSetError, match="multiple of 20"):
        standard(30, 12)


@rule("TOUR-3")
def test_the_escalator_has_the_same_blinds_in_levels_that_grow_longer():
    usual, deeper = standard(20, 10, levels=21), escalator(20, 10, levels=21)
    assert [level.length for level in deeper.levels] == [10, 15, 20, 25, 30, 35, 40]
    assert deeper.levels[0].big_blind == usual.levels[0].big_blind
    assert [level.big_blind for level in deeper.levels] == [level.big_blind for level in usual.levels[:7]]
    # Its last level begins after 135 hands, in the fourteenth of the usual ones.
    assert deeper.starts()[-1] == 135
    assert usual.level(usual.number_at(135, 0)).big_blind == 1_600 >= 2 * deeper.levels[-1].big_blind
    assert sum(level.length for level in deeper.levels) <= 210


@rule("TOUR-3")
@given(
    first=st.integers(1, 50).map(lambda tens: tens * 20),
    length=st.integers(1, 60),
    levels=st.integers(11, 60),
    unit=st.sampled_from(LengthUnit),
    ante=st.sampled_from(AnteKind),
)
def test_in_its_last_third_the_escalators_big_blind_is_at_most_half_of_the_usual_one(first, length, levels, unit, ante):
    usual, deeper = standard(first, length, unit, levels, ante), escalator(first, length, unit, levels, ante)
    count = len(deeper.levels)
    at = 0
    for number, level in enumerate(deeper.levels, 1):
        if 3 * (number - 1) >= 2 * count:  # the last third, counted here anew
            for moment in range(at, at + level.length):
                usual_level = usual.levels[min(moment // length, levels - 1)]
                assert 2 * level.big_blind <= usual_level.big_blind
        at += level.length
    assert at <= length * levels


@rule("TOUR-3")
def test_a_structure_that_is_no_deeper_is_no_escalator():
    usual = standard(20, 10)
    assert not is_deeper(usual, usual)
    slower = Structure("slower", HANDS, tuple(replace(level, length=11) for level in usual.levels))
    assert not is_deeper(slower, usual)
    other = escalator(20, 10, MINUTES)
    assert not is_deeper(other, usual), "hands and minutes are not the same time"
    with pytest.raises(RuleSetError, match="TOUR-3"):
        escalator(20, 10, levels=10)


def test_no_stakes_of_a_structure_pass_the_bounds():
    assert standard(20, 1).level(500).big_blind <= MAX_CHIPS
