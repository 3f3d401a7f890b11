"""The finishing order (TOUR-2) and what is paid for it."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contest.tournament.standings import (
    Elimination,
    Place,
    finishing_order,
    payouts,
    usual_shares,
)

rule = pytest.mark.rule


def order(eliminations, remaining=()):
    return [(one.entrant, one.first, one.last) for one in finishing_order(eliminations, remaining)]


@rule("TOUR-2")
def test_whoever_is_out_later_finishes_higher():
    out = [Elimination("a", 3, 100), Elimination("b", 7, 5), Elimination("c", 5, 900)]
    assert order(out, [("d", 4_000)]) == [("d", 1, 1), ("b", 2, 2), ("c", 3, 3), ("a", 4, 4)]


@rule("TOUR-2")
def test_out_in_the_same_hand_who_began_it_with_more_finishes_higher():
    out = [Elimination("a", 9, 100), Elimination("b", 9, 300), Elimination("c", 9, 200)]
    assert order(out, [("d", 1)]) == [("d", 1, 1), ("b", 2, 2), ("c", 3, 3), ("a", 4, 4)]


@rule("TOUR-2")
def test_equal_stacks_out_in_the_same_hand_are_tied():
    out = [Elimination("a", 9, 100), Elimination("b", 9, 300), Elimination("c", 9, 100), Elimination("e", 2, 300)]
    assert order(out, [("d", 1)]) == [("d", 1, 1), ("b", 2, 2), ("a", 3, 4), ("c", 3, 4), ("e", 5, 5)]


@rule("TOUR-2")
def test_who_is_still_in_ranks_before_who_is_out():
    out = [Elimination("a", 9, 10**6)]
    assert order(out, [("b", 1), ("c", 7), ("d", 7)]) == [("c", 1, 2), ("d", 1, 2), ("b", 3, 3), ("a", 4, 4)]


@rule("TOUR-2")
@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=20),
    st.randoms(use_true_random=False),
)
def test_places_do_not_depend_on_the_order_in_which_they_are_told(out, rng):
    eliminations = [Elimination(f"e{number}", hand, stack) for number, (hand, stack) in enumerate(out)]
    places = {one.entrant: one for one in finishing_order(eliminations)}
    rng.shuffle(eliminations)
    assert {one.entrant: one for one in finishing_order(eliminations)} == places
    for one in eliminations:
        better = [two for two in eliminations if (two.hand, two.stack) > (one.hand, one.stack)]
        equal = [two for two in eliminations if (two.hand, two.stack) == (one.hand, one.stack)]
        assert places[one.entrant] == Place(one.entrant, len(better) + 1, len(better) + len(equal))


@rule("TOUR-2")
def test_who_is_tied_shares_the_prizes_of_the_tied_places():
    places = [Place("a", 1, 1), Place("b", 2, 3), Place("c", 2, 3), Place("d", 4, 4)]
    assert payouts(places, 1_000, (5_000, 3_000, 2_000)) == {"a": 500, "b": 250, "c": 250, "d": 0}
    # 301 for two: the odd unit goes to the first of them; what rounding leaves goes to the first place.
    assert payouts(places, 603, (5_000, 3_000, 2_000)) == {"a": 303, "b": 150, "c": 150, "d": 0}
    assert payouts(places, 602, (5_000, 3_000, 2_000)) == {"a": 302, "b": 150, "c": 150, "d": 0}


@given(entrants=st.integers(1, 300), pool=st.integers(0, 10**9), seed=st.integers(0, 2**30))
def test_the_whole_pool_is_paid_and_nobody_gets_less_than_who_finished_behind_him(entrants, pool, seed):
    rng = random.Random(seed)
    out = [Elimination(f"e{number}", rng.randrange(1, 50), rng.randrange(1, 4)) for number in range(entrants)]
    places = finishing_order(out)
    shares = usual_shares(entrants)
    assert sum(shares) == 10_000
    assert list(shares) == sorted(shares, reverse=True)
    paid = payouts(places, pool, shares)
    assert sum(paid.values()) == pool
    amounts = [paid[place.entrant] for place in places]
    for before, after in pairwise(places):
        difference = paid[before.entrant] - paid[after.entrant]
        assert difference in (0, 1) if before.first == after.first else difference >= 0
    assert amounts == sorted(amounts, reverse=True)


def test_about_one_in_seven_is_paid():
    assert len(usual_shares(2)) == 1
    assert len(usual_shares(60)) == 9


@pytest.mark.parametrize("shares", [(9_000,), (5_000, 5_001), (11_000, -1_000)])
def test_shares_that_are_not_a_whole_are_refused(shares):
    with pytest.raises(ValueError, match="basis points"):
        payouts([Place("a", 1, 1)], 100, shares)
