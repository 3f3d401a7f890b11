"""The draw of seats, breaking tables, and keeping them equal."""

import random
from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.contest.tournament.tables import Move, TournamentTable, balanced, draw_seats, tables_needed
from referee.table.positions import first_positions
from tests.support import scale

rule = pytest.mark.rule
SEED = bytes(range(32))


def names(count):
    return tuple(f"bot {number}" for number in range(count))


def table_of(number, seats, button=None):
    """A table with a player named after each seat; its last hand had the button at ``button``."""
    seats = tuple(seats)
    positions = None if button is None else first_positions(button, seats)
    return TournamentTable(number, {seat: f"{number}-{seat}" for seat in seats}, positions)


def sizes(tables):
    return [len(table.seats) for table in tables]


@pytest.mark.parametrize(("players", "seats", "right"), [(60, 9, [9, 9, 9, 9, 8, 8, 8]), (2, 9, [2]), (10, 9, [5, 5])])
def test_tables_are_as_few_and_as_equal_as_can_be(players, seats, right):
    tables = draw_seats(names(players), seats, SEED)
    assert sizes(tables) == right
    assert sorted(one for table in tables for one in table.seats.values()) == sorted(names(players))
    assert all(set(table.seats) <= set(range(1, seats + 1)) for table in tables)
    assert tables == draw_seats(names(players), seats, SEED)
    assert tables_needed(54, 9) == 6 < tables_needed(55, 9)


def test_everybody_is_as_likely_to_be_drawn_to_every_seat():
    seen = Counter()
    for number in range(2_000):
        for table in draw_seats(names(6), 3, number.to_bytes(32, "big")):
            seen.update([(table.number, seat) for seat, one in table.seats.items() if one == "bot 0"])
    assert len(seen) == 6
    deviation = sqrt(2_000 * 1 / 6 * 5 / 6)
    assert all(abs(count - 2_000 / 6) < 4 * deviation for count in seen.values())


def test_a_table_that_is_not_needed_is_broken_and_its_players_go_to_the_smallest_tables():
    tables = [table_of(1, (1, 2, 3), 1), table_of(2, (1, 2, 3, 4), 1), table_of(3, (1, 4, 5), 1)]
    room, moves = balanced(tables, 5)
    assert [table.number for table in room] == [1, 2]
    assert sizes(room) == [5, 5]
    assert {move.from_table for move in moves} == {3}
    assert Counter(move.to_table for move in moves) == {1: 2, 2: 1}


def test_to_make_tables_equal_the_next_big_blind_moves_to_where_it_comes_soonest():
    # Table 1: blinds were 2 and 3, so seat 4 is next. Table 2: blinds were 2 and 5, so seat 6 is next.
    tables = [table_of(1, (1, 2, 3, 4, 5, 6), 1), table_of(2, (1, 2, 5), 1)]
    room, moves = balanced(tables, 6)
    assert moves == (Move("1-4", 1, 4, 2, 6),)
    assert sizes(room) == [5, 4]
    assert room[1].seats[6] == "1-4"


def test_who_has_just_had_the_big_blind_does_not_get_it_next_at_his_new_table():
    tables = [table_of(1, (1, 2, 3, 4), 1), table_of(2, (1, 2, 3, 4), 1), table_of(3, (6, 8), 6)]
    big_blind = tables[2].positions.big_blind
    room, moves = balanced(tables, 5)
    (move,) = [one for one in moves if one.from_seat == big_blind]
    table = next(one for one in room if one.number == move.to_table)
    assert table.by_big_blind(table.seats)[0] != move.to_seat or len(moves) == 1


def test_tables_that_are_equal_and_needed_are_left_alone():
    tables = (table_of(1, (1, 2, 3, 4), 1), table_of(2, (1, 5, 9), 5))
    assert balanced(tables, 4) == (tables, ())


@settings(max_examples=scale(200, 3_000), deadline=None)
@given(
    seats_a_table=st.integers(2, 10),
    counts=st.lists(st.integers(0, 10), min_size=1, max_size=9),
    seed=st.integers(0, 2**30),
)
def test_whoever_is_out_tables_are_few_and_equal_again_and_nobody_is_lost_or_doubled(seats_a_table, counts, seed):
    rng = random.Random(seed)
    tables = []
    for number, count in enumerate(counts, 1):
        seats = sorted(rng.sample(range(1, seats_a_table + 1), min(count, seats_a_table)))
        tables.append(table_of(number, seats, rng.choice(seats) if len(seats) > 1 else None))
    room, moves = balanced(tables, seats_a_table)
    players = sorted(one for table in tables for one in table.seats.values())
    assert sorted(one for table in room for one in table.seats.values()) == players
    assert len(room) == tables_needed(len(players), seats_a_table)
    assert not room or max(sizes(room)) - min(sizes(room)) <= 1
    assert all(1 <= seat <= seats_a_table for table in room for seat in table.seats)
    now = {one: (table.number, seat) for table in room for seat, one in table.seats.items()}
    before = {one: (table.number, seat) for table in tables for seat, one in table.seats.items()}
    changed = {one for one in players if now[one] != before[one]}
    assert changed <= {move.entrant for move in moves}
    last = {move.entrant: (move.to_table, move.to_seat) for move in moves}
    assert all(now[one] == place for one, place in last.items())
    assert {table.number: table.positions for table in room}.items() <= {
        table.number: table.positions for table in tables
    }.items()
