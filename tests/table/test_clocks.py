"""The arithmetic of time, exact to the millisecond (TIME-1, TIME-2, TIME-3)."""

import random

import pytest

from referee.rules.rulings import ActionKind, Proposal
from referee.table.clocks import ClockRules, allowed, bank_after_answer, elapsed, is_late, latest_answer
from referee.table.happenings import Ruled, ruling_of
from tests.table.tables import FakeMoments, decide, seated, started

RULES = ClockRules(action_ms=10_000, bank_ms=30_000, increment_ms=500, latency_allowance_ms=50)


@pytest.mark.rule("TIME-1")
@pytest.mark.parametrize(
    ("took", "bank", "late", "after"),
    [
        (0, 30_000, False, 30_500),
        (10_000, 30_000, False, 30_500),
        (10_050, 30_000, False, 30_500),
        (10_051, 30_000, False, 30_499),
        (40_050, 30_000, False, 500),
        (40_051, 30_000, True, None),
        (10_050, 0, False, 500),
        (10_051, 0, True, None),
    ],
)
def test_exactly_on_the_deadline_is_in_time_and_only_time_beyond_the_action_comes_from_the_bank(
    took, bank, late, after
):
    used = elapsed(RULES, 1_000, 1_000 + took)
    assert is_late(RULES, bank, used) == late
    if not late:
        assert bank_after_answer(RULES, bank, used) == after
    assert (1_000 + took <= latest_answer(RULES, bank, 1_000)) == (not late)


@pytest.mark.rule("TIME-1")
def test_without_an_action_time_there_is_no_clock():
    rules = ClockRules()
    assert not is_late(rules, 0, 10**12)
    assert bank_after_answer(rules, 7, 10**12) == 7
    assert allowed(RULES, 1) == 10_001


@pytest.mark.rule("TIME-1", "TIME-2")
def test_a_table_answers_for_who_is_late_and_not_a_millisecond_before():
    moments = FakeMoments()
    table = seated(3, clock=RULES)
    started(table, moments)
    (seat,) = table.decisions
    table.start_clock(seat, 1, moments.now)
    deadline = table.next_deadline_ms()
    assert deadline == moments.now + 40_050 + 1
    table.tick(deadline - 1)
    assert seat in table.decisions
    table.tick(deadline)
    assert seat not in table.decisions
    ruling = next(one for one in reversed(table.take_fresh()) if isinstance(one, Ruled))
    assert (ruling.seat, ruling_of(ruling).rule, ruling.bank_ms, ruling.accepted) == (seat, "TIME-2", 0, True)


@pytest.mark.rule("TIME-1")
def test_an_answer_stamped_on_the_deadline_counts_though_it_is_read_later():
    moments = FakeMoments()
    table = seated(3, clock=RULES)
    started(table, moments)
    (seat,) = table.decisions
    table.start_clock(seat, 1, moments.now)
    ruling = table.propose(Proposal(seat, ActionKind.CALL, decision_id=1), "r", moments.now + 40_050)
    assert ruling.accepted


@pytest.mark.rule("TIME-1")
def test_an_answer_a_millisecond_late_finds_its_decision_answered():
    moments = FakeMoments()
    table = seated(3, clock=RULES)
    started(table, moments)
    (seat,) = table.decisions
    table.start_clock(seat, 1, moments.now)
    ruling = table.propose(Proposal(seat, ActionKind.CALL, decision_id=1), "r", moments.now + 40_051)
    assert not ruling.accepted
    assert not table.hand.live[table.hand.index_of(seat)], "out of time with something owed is a fold (TIME-2)"


@pytest.mark.rule("TIME-3")
def test_refused_proposals_share_the_one_clock():
    moments = FakeMoments()
    table = seated(3, clock=RULES)
    started(table, moments)
    (seat,) = table.decisions
    table.start_clock(seat, 1, moments.now)
    deadline = table.next_deadline_ms()
    for part in range(1, 5):
        ruling = table.propose(Proposal(seat, ActionKind.CHECK, decision_id=1), f"r{part}", moments.now + part * 10_000)
        assert not ruling.accepted
        assert table.next_deadline_ms() == deadline
        assert table.remaining_ms(seat, moments.now + part * 10_000) == 40_000 - part * 10_000 + 50


@pytest.mark.rule("TIME-2")
def test_a_clock_that_was_not_started_never_runs_out():
    moments = FakeMoments()
    table = seated(3, clock=RULES)
    started(table, moments)
    assert table.next_deadline_ms() is None
    table.tick(moments.now + 10**9)
    assert len(table.decisions) == 1


@pytest.mark.rule("TIME-1", "TIME-2", "DISC-8")
def test_ten_hours_of_table_time_add_up_to_the_millisecond():
    """Six seats think for random times; every bank is what was granted, plus increments, minus what was used."""
    moments = FakeMoments()
    rng = random.Random(10)
    table = seated(6, clock=RULES, rule_set="irish/full-tilt@1", reset_stacks=True)
    begun = moments.now
    started(table, moments)
    banks = dict.fromkeys(table.seats, RULES.bank_ms)
    late = answered = 0
    while moments.now - begun < 10 * 3_600_000 and not table.has_ended:
        seat = rng.choice(sorted(table.decisions))
        decision = table.decisions[seat]
        for other, one in table.decisions.items():
            table.start_clock(other, one.decision_id, moments.now)
        thinks = rng.choice([0, 1, 5_000, 9_999, 10_000, 10_050, 10_051, 12_000, 10_050 + banks[seat], 10**6])
        last = {other: latest_answer(RULES, banks[other], one.started_ms) for other, one in table.decisions.items()}
        moment = max(moments.now, min(decision.started_ms + thinks, min(last.values()) + 1))
        moments.now = moment
        waiting = dict(table.decisions)
        table.tick(moment)
        for other, one in waiting.items():
            if moment > last[other]:
                banks[other] = 0
                late += 1
                assert table.decisions.get(other) is not one
        if table.decisions.get(seat) is decision:
            used = max(0, moment - decision.started_ms - RULES.latency_allowance_ms)
            assert table.propose(decide(table, seat, rng), f"r{answered}", moment).accepted
            banks[seat] += RULES.increment_ms - max(0, used - RULES.action_ms)
            answered += 1
        for other, bank in banks.items():
            assert table.seats[other].bank_ms == bank
        table.take_fresh()
    assert answered > 1000
    assert late > 100
