"""When a table ends by the clock: a level is over (TOUR-1), or nobody is left to play with (TIME-4, SEAT-5)."""

import random

import pytest

from referee.rules.rulings import ActionKind, Proposal
from referee.table.clocks import ClockRules
from referee.table.config import config_message
from referee.table.faults import DEFAULT_SIT_OUT_WAIT_MS, FaultPolicy, FaultRules
from referee.table.games import config_of
from referee.table.table import opened_event, restored
from referee.v1 import table_pb2
from tests.table.tables import FakeMoments, config, decide, seated, started
from tests.table.test_between_hands import fold_hand

rule = pytest.mark.rule
START = FakeMoments().now
SIT_OUT = FaultRules(1, FaultPolicy.SIT_OUT, sit_out_wait_ms=5_000)


def until(moment, players=3, **options):
    """A table at which no hand begins from a moment on, its first hand under way, and its clock."""
    moments = FakeMoments()
    table = seated(players, hands_until_ms=moment, **options)
    started(table, moments)
    return table, moments


def sat_out(rules=SIT_OUT, **options):
    """A heads-up table after the hand in which the policy sat a seat out; the table, the seat, its clock."""
    moments = FakeMoments()
    table = seated(2, clock=ClockRules(60_000), faults=rules, **options)
    started(table, moments)
    (seat,) = table.decisions
    assert not table.propose(Proposal(seat, ActionKind.RAISE, 10**9), "wrong", moments.now).accepted
    assert table.seats[seat].sitting_out
    fold_hand(table, moments)
    assert not table.hand_is_on
    return table, seat, moments


@rule("TOUR-1")
def test_no_hand_begins_from_the_moment_on_and_the_hand_under_way_is_played():
    table, moments = until(START + 1_000)
    moments.now = START + 999
    fold_hand(table, moments)
    assert table.hand_number == 2, "a hand began a millisecond before"
    moments.now = START + 5_000
    table.tick(moments.now)
    assert table.hand_is_on, "the hand under way is played"
    fold_hand(table, moments)
    assert (table.hand_number, table.end_reason) == (2, table_pb2.END_REASON_TIME_IS_UP)


@rule("TOUR-1")
def test_the_moment_itself_is_too_late_for_a_hand():
    table, moments = until(START + 1_000)
    moments.now = START + 1_000
    fold_hand(table, moments)
    assert (table.hand_number, table.end_reason) == (1, table_pb2.END_REASON_TIME_IS_UP)


@rule("TOUR-1")
def test_a_pause_between_hands_goes_past_the_moment_and_no_hand_follows():
    table, moments = until(START + 1_000, between_hands_ms=2_000)
    fold_hand(table, moments)
    assert table.next_deadline_ms() == START + 2_000
    table.tick(START + 2_000)
    assert (table.hand_number, table.end_reason) == (1, table_pb2.END_REASON_TIME_IS_UP)


@rule("TOUR-1")
def test_a_table_that_waits_for_seats_ends_at_the_moment():
    table, moments = until(START + 1_000, players=2)
    table.sit_out(1)
    fold_hand(table, moments)
    assert not table.hand_is_on
    assert table.next_deadline_ms() == START + 1_000
    table.tick(START + 999)
    assert not table.has_ended
    table.tick(START + 1_000)
    assert table.end_reason == table_pb2.END_REASON_TIME_IS_UP


@rule("TOUR-1")
def test_restored_after_the_moment_it_plays_its_hand_and_ends():
    """Killed in a hand, started again after the end of the level."""
    table, moments = until(START + 1_000)
    happened = [opened_event("t1", table.config), *table.take_fresh()]
    again = restored("t1", happened)
    assert again.config == table.config
    moments.now = START + 90_000
    again.resume(moments.now)
    assert again.hand_is_on
    rng = random.Random(1)
    while again.hand_is_on:
        seat = next(iter(again.decisions))
        again.propose(decide(again, seat, rng), "r", moments.now)
    assert (again.hand_number, again.end_reason) == (1, table_pb2.END_REASON_TIME_IS_UP)


@rule("TIME-4", "SEAT-5")
def test_heads_up_a_table_waits_for_who_was_sat_out_so_long_and_ends():
    table, _, moments = sat_out()
    assert table.next_deadline_ms() == moments.now + 5_000
    table.tick(moments.now + 4_999)
    assert not table.has_ended
    table.tick(moments.now + 5_000)
    assert table.end_reason == table_pb2.END_REASON_SEATS_SIT_OUT
    assert not table.hand_is_on


@rule("TIME-4", "SEAT-5")
def test_who_sits_in_again_in_time_is_played_with():
    table, seat, moments = sat_out()
    moments.now += 4_999
    table.sit_in(seat, posts=True, now_ms=moments.now)
    assert table.hand_is_on
    assert table.hand_number == 2
    moments.now += 60_000 - 5_000
    table.tick(moments.now)
    assert not table.has_ended


@rule("TIME-4")
def test_the_other_one_cannot_make_the_table_wait_longer():
    table, seat, moments = sat_out(top_up_to=900)
    for _ in range(3):
        moments.now += 1_500
        table.top_up(3 - seat, 600 + moments.now % 7, moments.now)
    table.tick(moments.now + 500)
    assert table.end_reason == table_pb2.END_REASON_SEATS_SIT_OUT


@rule("TIME-4")
def test_a_restart_begins_the_wait_anew():
    table, _, moments = sat_out()
    again = restored("t1", [opened_event("t1", table.config), *table.take_fresh()])
    moments.now += 4_000
    again.resume(moments.now)
    assert again.next_deadline_ms() == moments.now + 5_000
    again.tick(moments.now + 5_000)
    assert again.end_reason == table_pb2.END_REASON_SEATS_SIT_OUT


@rule("SEAT-5")
@pytest.mark.parametrize("rules", [None, FaultRules(1, FaultPolicy.NOTHING), FaultRules(1, FaultPolicy.FORFEIT_MATCH)])
def test_without_that_policy_a_table_waits_for_who_sits_out(rules):
    moments = FakeMoments()
    table = seated(2, faults=rules)
    started(table, moments)
    table.sit_out(1)
    fold_hand(table, moments)
    assert table.next_deadline_ms() is None
    table.tick(moments.now + 10**9)
    assert not table.has_ended


def test_both_come_back_from_their_message():
    told = config(3, faults=SIT_OUT, hands_until_ms=START + 1)
    assert config_of(config_message(told, with_seed=True), b"") == told
    message = config_message(told, with_seed=True)
    message.faults.sit_out_wait_ms = 0
    assert config_of(message, b"").faults.sit_out_wait_ms == DEFAULT_SIT_OUT_WAIT_MS
