"""The budget for lost connections: a clock that stands still while nobody is there, but not for ever (TIME-3)."""

from dataclasses import replace

import pytest

from referee.audit.seating import grace_fault
from referee.rules.rulings import ActionKind, Proposal
from referee.store.sqlite import SqliteStore
from referee.table.clocks import ClockRules, grace_taken
from referee.table.config import config_message
from referee.table.games import config_of
from referee.table.owner import TableOwner
from referee.table.table import opened_event, restored
from tests.table.tables import FakeMoments, config, seated, started

rule = pytest.mark.rule
CLOCK = ClockRules(1_000, 500, 0, 50, reconnect_grace_ms=3_000)


def asked(clock=CLOCK):
    """A table whose asked seat has a clock that runs since the moment that is told."""
    moments = FakeMoments()
    table = seated(3, clock=clock)
    started(table, moments)
    (seat,) = table.decisions
    table.start_clock(seat, table.decisions[seat].decision_id, moments.now)
    return table, seat, moments.now


@rule("TIME-3")
def test_the_budget_is_taken_as_far_as_it_goes():
    assert grace_taken(CLOCK, 0, 2_000) == 2_000
    assert grace_taken(CLOCK, 2_500, 2_000) == 500
    assert grace_taken(CLOCK, 3_000, 2_000) == 0
    assert grace_taken(ClockRules(1_000), 0, 2_000) == 0


@rule("TIME-3")
def test_while_nobody_is_connected_the_clock_stands_still():
    table, seat, start = asked()
    table.lose_connection(seat, start + 400)
    assert table.remaining_ms(seat, start + 400) == table.remaining_ms(seat, start + 3_000) == 1_150
    table.regain_connection(seat, start + 2_400)
    assert table.remaining_ms(seat, start + 2_400) == 1_150, "a reconnecting player gets the remaining time"
    assert table.remaining_ms(seat, start + 2_500) == 1_050
    assert table.seats[seat].grace_used_ms == 2_000
    one = table.propose(Proposal(seat, ActionKind.FOLD), "r", start + 3_000)
    assert (one.elapsed_ms, one.bank_ms) == (950, 500)


@rule("TIME-3")
def test_the_budget_is_one_for_all_absences_and_then_the_clock_runs():
    table, seat, start = asked()
    table.lose_connection(seat, start)
    table.regain_connection(seat, start + 2_000)
    table.lose_connection(seat, start + 2_000)
    # 1,000 of the budget are left: the last moment is 1,550 after the two absences.
    assert table.next_deadline_ms() == start + 3_000 + 1_550 + 1
    table.tick(start + 4_550)
    assert seat in table.decisions
    table.tick(start + 4_551)
    assert seat not in table.decisions, "out of time though nobody is there"
    assert table.seats[seat].grace_used_ms == 3_000
    other = next(iter(table.decisions))
    table.start_clock(other, table.decisions[other].decision_id, start + 5_000, is_away=True)
    assert table.next_deadline_ms() == start + 5_000 + 3_000 + 1_550 + 1, "every seat has its own"


@rule("TIME-3")
def test_losing_the_connection_again_and_again_wins_no_time_beyond_the_budget():
    table, seat, start = asked()
    moment = start
    while seat in table.decisions:
        table.lose_connection(seat, moment)
        moment += 40  # less than the allowance for latency
        table.regain_connection(seat, moment)
        moment += 1
        table.tick(moment)
        assert moment <= start + 3_000 + 1_550 + 100
    assert table.seats[seat].grace_used_ms <= 3_000


@rule("TIME-3")
def test_an_answer_that_comes_while_away_uses_the_budget_up_to_then():
    table, seat, start = asked()
    table.lose_connection(seat, start + 100)
    one = table.propose(Proposal(seat, ActionKind.FOLD), "r", start + 700)
    assert one.elapsed_ms == 50
    assert table.seats[seat].grace_used_ms == 600


@rule("TIME-3")
def test_without_a_budget_nothing_stands_still():
    table, seat, start = asked(replace(CLOCK, reconnect_grace_ms=0))
    table.lose_connection(seat, start)
    assert table.remaining_ms(seat, start + 1_050) == 500
    assert table.decisions[seat].away_since_ms is None
    table.regain_connection(seat, start + 9_000)
    assert table.seats[seat].grace_used_ms == 0


@rule("TIME-3")
def test_what_is_used_is_kept_from_hand_to_hand_and_over_a_restart():
    table, seat, start = asked()
    table.lose_connection(seat, start)
    table.regain_connection(seat, start + 700)
    while table.hand_number == 1:
        one = next(iter(table.decisions))
        table.propose(
            Proposal(one, ActionKind.CHECK if table.options(one).check else ActionKind.FOLD), "r", start + 800
        )
    again = restored("t1", [opened_event("t1", table.config), *table.take_fresh()])
    assert again.seats[seat].grace_used_ms == table.seats[seat].grace_used_ms == 700


def test_the_budget_comes_back_from_its_message():
    told = config(3, clock=CLOCK)
    assert config_of(config_message(told, with_seed=True), b"") == told


@rule("TIME-3")
def test_an_audit_bounds_what_may_be_used():
    assert grace_fault(0, 3_000, 3_000) == ""
    assert grace_fault(500, 400, 3_000) != "", "never less than before"
    assert grace_fault(0, 3_001, 3_000) != "", "never more than there is"
    assert grace_fault(0, 1, 0) != "", "nothing where nothing is granted"


class Playing:
    """Whoever is connected for a seat."""

    def __init__(self, viewer, holder):
        self.viewer, self.holder, self.ended = viewer, holder, False
        self.remaining = []

    def tell(self, items):
        pass

    tell_at_once = tell

    def ask(self, decision_id, question):
        self.remaining.append(question.remaining_ms)

    def asked_no_more(self):
        pass

    def end(self, reason):
        self.ended = True


class Clockwork:
    """Time that the test sets; alarms are kept and never ring by themselves."""

    def __init__(self):
        self.now, self.calls = 1_000_000, []

    def now_ms(self):
        return self.now

    def call_at(self, moment_ms, call):
        self.calls.append((moment_ms, call))
        return self

    def cancel(self):
        pass


@rule("TIME-3")
def test_the_owner_notices_who_goes_and_comes(tmp_path):
    table, seat, _ = asked()
    time = Clockwork()
    time.now = table.decisions[seat].started_ms
    owner = TableOwner(table, SqliteStore(tmp_path / "referee.sqlite"), time, seals=False)
    player = Playing(seat, bytes([seat]) * 32)
    owner.subscribe(player, None)
    time.now += 500
    owner.unsubscribe(player)
    time.now += 1_000
    back = Playing(seat, bytes([seat]) * 32)
    owner.subscribe(back, None)
    assert back.remaining == [1_050]
    assert table.seats[seat].grace_used_ms == 1_000
    newer = Playing(seat, bytes([seat]) * 32)
    owner.subscribe(newer, None)
    assert back.ended
    owner.unsubscribe(back)  # the older view, which has been replaced
    time.now += 1_000
    assert table.remaining_ms(seat, time.now) == 50, "somebody is connected all the time"
    # A decision that opens while nobody is connected is asked by the clock alone, and stands still at first.
    owner.unsubscribe(newer)
    table.propose(Proposal(seat, ActionKind.FOLD), "r", time.now)
    (other,) = table.decisions
    owner.clock_starts(table.hand_number, other, table.decisions[other].decision_id)
    time.now += 2_900
    assert table.remaining_ms(other, time.now) == 1_500
