"""Who meets whom: every format as a pure function of what was played."""

from collections import Counter
from itertools import combinations, permutations
from math import sqrt

import pytest

from referee.contest.deals import TableDecks, block_number, contest_decks, first_button
from referee.contest.schedule import (
    Match,
    PlayedMatch,
    ScheduleError,
    ladder_order,
    next_round,
    outcome,
    seatings,
    swiss_points,
    tables_of,
)
from tests.contest.contests import SEED, contest

NAMES = [f"e{number}" for number in range(1, 9)]


def settings(count=8, **options):
    return contest({f"e{number}": "" for number in range(1, count + 1)}, **options)


def play_all(chosen, names, winner, rounds=100):
    """Plays rounds until there are no more; ``winner`` says who wins a match."""
    played = []
    for _ in range(rounds):
        matches = next_round(chosen, names, played)
        if not matches:
            return played
        for match in matches:
            best = winner(match)
            played.append(PlayedMatch(match, {name: 1.0 if name == best else -1.0 for name in match.players}))
    return played


def strongest(match):
    """The lower number wins."""
    return min(match.players, key=NAMES.index)


def test_a_round_robin_has_every_pair_once_and_one_round():
    played = play_all(settings(), NAMES, strongest)
    assert sorted(one.match.players for one in played) == sorted(combinations(NAMES, 2))
    assert [one.match.number for one in played] == list(range(1, 29))


def test_tables_of_several_are_all_combinations_or_a_balanced_draw():
    assert len(next_round(settings(game="seats = 6"), NAMES, ())) == 28
    drawn = next_round(settings(game="seats = 6", schedule="matches = 12"), NAMES, ())
    assert drawn == next_round(settings(game="seats = 6", schedule="matches = 12"), NAMES, ())
    seats = Counter(name for match in drawn for name in match.players)
    met = Counter(pair for match in drawn for pair in combinations(sorted(match.players), 2))
    assert set(seats.values()) == {9}
    assert Counter(met.values()) == {6: 17, 7: 10, 8: 1}, "12 tables of 15 pairs each: 6.4 times on average"


def test_too_many_tables_are_refused():
    names = [f"n{number}" for number in range(40)]
    with pytest.raises(ScheduleError, match=r"schedule\.matches"):
        next_round(settings(game="seats = 6"), names, ())


def test_seatings():
    assert seatings(("a", "b"), "rotations") == [("a", "b"), ("b", "a")]
    assert seatings(("a", "b", "c"), "single") == [("a", "b", "c")]
    assert sorted(seatings(("a", "b", "c"), "permutations")) == sorted(permutations("abc"))
    for players in (seatings(tuple("abcde"), "rotations"), seatings(tuple("abc"), "permutations")):
        for seat in range(len(players[0])):
            assert len(set(Counter(one[seat] for one in players).values())) == 1


@pytest.mark.parametrize("seats", [3, 6])
def test_at_tables_of_several_everybody_sits_behind_everybody_about_as_often(seats):
    chosen = settings(seats, hands=2_000, game=f"seats = {seats}")
    match = Match(1, 1, tuple(NAMES[:seats]))
    plans = tables_of(match, chosen.schedule)
    assert plans == tables_of(match, chosen.schedule)
    behind = Counter((one, plan.players[(at + 1) % seats]) for plan in plans for at, one in enumerate(plan.players))
    assert set(behind) == set(permutations(match.players, 2))
    # At each of 200 tables everybody has one of the others behind him, in all rotations of that order.
    chance = 1 / (seats - 1)
    deviation = sqrt(200 * chance * (1 - chance))
    assert all(abs(count / seats - 200 * chance) < 4 * deviation for count in behind.values())
    for number in range(200):
        orders = {plan.players for plan in plans if plan.number == number}
        assert len(orders) == seats
        assert all(len({order[seat] for order in orders}) == seats for seat in range(seats)), "every seat once"


def test_every_seating_of_a_block_has_the_same_decks_and_button_and_other_blocks_have_others():
    chosen = settings(3, game="seats = 3", schedule="table_hands = 10\nblock_hands = 5")
    decks = contest_decks("test", SEED)
    dealt = {}
    for plan in tables_of(Match(4, 1, ("e1", "e2", "e3")), chosen.schedule):
        mine = TableDecks(decks, plan)
        dealt.setdefault(plan.number, []).append(
            ([mine.deck(0, hand) for hand in range(1, 11)], first_button("test", SEED, plan))
        )
    assert len(dealt) == 2
    for of_seatings in dealt.values():
        assert len(of_seatings) == 3
        assert all(one == of_seatings[0] for one in of_seatings)
    assert dealt[1][0][0][5] == decks.deck(block_number(4, 3), 1)
    assert len({deck for of_seatings in dealt.values() for deck in of_seatings[0][0]}) == 20


@pytest.mark.parametrize("count", [7, 8])
def test_swiss_pairs_equals_and_nobody_twice(count):
    names = NAMES[:count]
    chosen = settings(count, schedule='format = "swiss"\nrounds = 5')
    played = play_all(chosen, names, strongest)
    assert {one.match.round for one in played} == {1, 2, 3, 4, 5}
    pairs = [frozenset(one.match.players) for one in played]
    assert len(set(pairs)) == len(pairs) == 5 * (count // 2)
    games = Counter(name for pair in pairs for name in pair)
    assert max(games.values()) - min(games.values()) <= 1
    assert max(swiss_points(names, played), key=lambda name: swiss_points(names, played)[name]) == "e1"


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_knock_out_ends_with_the_best_and_everybody_else_loses_once(count):
    names = NAMES[:count]
    played = play_all(settings(count, schedule='format = "knock-out"'), names, strongest)
    losers = [name for one in played for name in one.match.players if name != one.winner]
    assert sorted(losers) == sorted(names[1:])
    assert played[-1].winner == "e1"
    if count > 2:
        assert set(played[-1].match.players) == {"e1", "e2"}, "the first two of the file meet in the final"


def test_in_a_knock_out_a_tie_lets_the_one_named_first_through_and_who_is_out_gives_way():
    chosen = settings(4, schedule='format = "knock-out"')
    first = next_round(chosen, NAMES[:4], ())
    played = [PlayedMatch(match, dict.fromkeys(match.players, 0.0)) for match in first]
    assert set(next_round(chosen, NAMES[:4], played)[0].players) == {"e1", "e2"}
    (final,) = next_round(chosen, NAMES[:4], played, {"e2"})
    assert final.players == ("e1", "e3"), "whom it had beaten goes on in its place"
    assert {one.players for one in next_round(chosen, NAMES[:4], [], {"e1"})} == {("e2", "e3")}


def test_a_ladder_of_two_runs_on():
    chosen = settings(2, schedule='format = "ladder"\nrounds = 5')
    assert [one.match.round for one in play_all(chosen, NAMES[:2], strongest)] == [1, 2, 3, 4, 5]
    gone = settings(3, schedule='format = "ladder"')
    played = [PlayedMatch(match, dict.fromkeys(match.players, 0.0)) for match in next_round(gone, NAMES[:3], ())]
    assert [one.players for one in next_round(gone, NAMES[:3], played, {"e3"})] == [("e1", "e2")]


def placed(chosen, names, played, gone=()):
    return [(one.place, one.name) for one in outcome(chosen, names, played, gone)]


def test_a_knock_out_has_the_winner_first_whoever_won_most():
    chosen = settings(5, schedule='format = "knock-out"')
    names = NAMES[:5]
    played = play_all(chosen, names, strongest)
    richest = [PlayedMatch(one.match, {**one.score, "e5": -1e-9}) if "e5" in one.score else one for one in played]
    order = placed(chosen, names, richest)
    assert order[:2] == [(1, "e1"), (2, "e2")]
    assert sorted(order[2:4]) == [(3, "e3"), (3, "e4")]
    assert order[4:] == [(5, "e5")]
    assert "e2" not in dict(map(reversed, placed(chosen, names, played, {"e2"}))), "who is disqualified has no place"
    assert placed(chosen, names, played[:1]) == [], "told to finish before its final"


def test_a_swiss_goes_by_points_and_a_ladder_by_rungs():
    chosen = settings(4, schedule='format = "swiss"\nrounds = 2')
    played = play_all(chosen, NAMES[:4], strongest)
    found = outcome(chosen, NAMES[:4], played)
    assert (found[0].name, found[0].points) == ("e1", 2.0)
    assert [one.points for one in found] == sorted([one.points for one in found], reverse=True)
    ladder = settings(4, schedule='format = "ladder"\nrounds = 8')
    names = list(reversed(NAMES[:4]))
    assert placed(ladder, names, play_all(ladder, names, strongest))[0] == (1, "e1")
    assert outcome(settings(4), NAMES[:4], play_all(settings(4), NAMES[:4], strongest)) == []


def test_on_a_ladder_the_best_climbs_to_the_top():
    chosen = settings(8, schedule='format = "ladder"\nrounds = 12')
    names = list(reversed(NAMES))
    played = play_all(chosen, names, strongest)
    assert max(one.match.round for one in played) == 12
    assert ladder_order(names, played)[0] == "e1"
