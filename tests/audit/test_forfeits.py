"""Hands forfeited by faults (TIME-4): their records are valid in every view, and lies about them are found."""

import random

import pytest

from referee.audit.redaction import redacted
from referee.audit.report import Outcome, Verdict
from referee.rules.ruleset import DiscardTimeout
from referee.rules.rulings import ActionKind
from referee.rules.state import Phase
from referee.table.faults import FaultPolicy, FaultRules
from referee.v1 import hand_pb2, table_pb2
from tests.audit.records import RecordedTable, logged, resealed, stored_event_of
from tests.audit.test_seats import AUDITOR, PUBLIC, SEAT, amends, busy_table, found_after, is_kind, removes, report_of
from tests.support import rules, scale

rule = pytest.mark.rule
RULE_SETS = (
    "irish/full-tilt@1",
    "irish/french-minimum@1",
    "holdem/tda@1",
    rules("irish/full-tilt@1", hide_discard_progress=True, discard_timeout=DiscardTimeout.FOLD),
)


def is_forfeit(event):
    return event.ruling.proposal.action.HasField("forfeit")


def forfeits_of(table):
    return [event for piece in table.pieces for event in map(stored_event_of, piece) if is_forfeit(event)]


@pytest.fixture(scope="module")
def table():
    return busy_table(5, FaultPolicy.FORFEIT_HAND, max_faults=2, hands=20, rule_set="irish/full-tilt@1")


@pytest.fixture(scope="module")
def sealed(table):
    return table.sealed()


@rule("TIME-4", "DISC-3")
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=["irish", "french", "hold'em", "hidden"])
def test_records_with_forfeited_hands_are_valid_in_every_view(rule_set):
    kinds = set()
    for seed in range(scale(6, 100)):
        faults = FaultRules(1 + seed % 3, FaultPolicy.FORFEIT_HAND)
        table = RecordedTable(players=5, hands=10, rule_set=rule_set, options={"faults": faults})
        table.start()
        while not table.table.has_ended:
            table.play_on(random.Random(seed), refusals=0.4)
            table.pass_time(1)
        whole = logged(table.sealed())
        for view, seat in ((AUDITOR, 0), (PUBLIC, 0), *[(SEAT, seat) for seat in range(1, 6)]):
            report = report_of(redacted(whole, view, seat))
            assert report.verdict == Verdict.VALID, (seed, view, seat, report.divergence)
        events = [stored_event_of(entry).hand_event for piece in table.pieces for entry in piece]
        kinds |= {event.kind for event in events if event.rule == "TIME-4"}
    discarded = {hand_pb2.EVENT_KIND_DISCARDED} if table.config.rule_set.game.discards else set()
    assert kinds == {hand_pb2.EVENT_KIND_FOLDED} | discarded


@rule("TIME-4")
@pytest.mark.parametrize("seed", range(scale(4, 100)))
def test_records_with_forfeited_hands_and_changing_seats_are_valid(seed):
    table = busy_table(seed, FaultPolicy.FORFEIT_HAND, 1 + seed % 3, hands=12, rule_set=RULE_SETS[seed % 4])
    assert forfeits_of(table)
    for view in (AUDITOR, PUBLIC):
        report = report_of(redacted(logged(table.sealed()), view, 0))
        assert report.verdict == Verdict.VALID, (view, report.divergence)


def changes_the_rules(table, **faults):
    """Says in the opening that other rules for faults were played by."""

    def edit(event):
        for config in (event.opened.config, event.opened.opened.config):
            for name, value in faults.items():
                setattr(config.faults, name, value)

    return amends(table, edit)


@rule("TIME-4")
@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ({"max_faults": 9}, "does not forfeit the hand"),
        ({"max_faults": 1}, "nothing is done about it"),
        ({"policy": table_pb2.FAULT_POLICY_NOTHING}, "no hand is forfeited at this table"),
        ({"policy": table_pb2.FAULT_POLICY_SIT_OUT}, "no hand is forfeited at this table"),
    ],
)
def test_hands_forfeited_by_other_rules_than_the_table_s_are_found(table, sealed, faults, told):
    report = found_after(table, sealed, is_kind("opened"), changes_the_rules(table, **faults))
    assert report.verdict == Verdict.INVALID
    assert report.divergence.rule == "TIME-4"
    assert told in report.divergence.message


@rule("TIME-4")
def test_a_seat_that_plays_on_though_its_faults_cost_it_the_hand_is_found():
    lenient = busy_table(5, FaultPolicy.NOTHING, max_faults=2, hands=20)
    lie = changes_the_rules(lenient, policy=table_pb2.FAULT_POLICY_FORFEIT_HAND)
    report = found_after(lenient, lenient.sealed(), is_kind("opened"), lie)
    assert report.divergence.rule == "TIME-4"


@rule("TIME-4", "DISC-3")
@pytest.mark.parametrize("hidden", [False, True])
def test_a_seat_that_still_chooses_its_discard_is_found_hidden_or_not(hidden):
    lenient = RecordedTable(
        rule_set=rules("irish/full-tilt@1", hide_discard_progress=hidden),
        options={"faults": FaultRules(1, FaultPolicy.NOTHING)},
        hands=1,
    )
    lenient.start()
    lenient.play_on(random.Random(1), until=lambda table: table.hand.phase is Phase.DISCARDING, refusals=0, late=0)
    seat = next(iter(lenient.table.decisions))
    assert not lenient.propose(seat, ActionKind.FOLD).accepted
    assert lenient.propose(seat, ActionKind.DISCARD, 0, lenient.table.options(seat).held[:2]).accepted
    while not lenient.table.has_ended:
        lenient.play_on(random.Random(1), refusals=0, late=0)
        lenient.pass_time(1)
    assert report_of(logged(lenient.sealed())).verdict == Verdict.VALID
    lie = changes_the_rules(lenient, policy=table_pb2.FAULT_POLICY_FORFEIT_HAND)
    report = found_after(lenient, lenient.sealed(), is_kind("opened"), lie)
    assert report.divergence.rule == "TIME-4"
    assert "discard" in report.divergence.recorded


@rule("TIME-4")
def test_a_forfeit_that_is_told_of_before_it_happens_or_not_at_all_is_found(table, sealed):
    def tells_first(piece, at):
        is_told = is_kind("fault_applied")
        piece.insert(at, piece.pop(next(one for one in range(at, len(piece)) if is_told(stored_event_of(piece[one])))))

    assert "still has a decision" in found_after(table, sealed, is_forfeit, tells_first).divergence.message
    untold = found_after(table, sealed, is_kind("fault_applied"), removes)
    assert (untold.divergence.rule, "nothing is done" in untold.divergence.message) == ("TIME-4", True)


@rule("TIME-4", "BET-8")
def test_a_seat_that_forfeits_its_own_hand_is_found(table, sealed):
    def by_request(event):
        event.ruling.request_id = "mine"

    by_the_clock = [event.ruling.elapsed_ms > 5_000 for event in forfeits_of(table)].index(True)
    report = found_after(table, sealed, is_forfeit, amends(table, by_request), by_the_clock)
    assert "only faults forfeit a hand" in report.divergence.message


@rule("TIME-4", "TIME-1")
def test_a_seat_that_is_said_to_have_been_late_and_was_not_is_found(table, sealed):
    late = [at for at, event in enumerate(forfeits_of(table)) if event.ruling.elapsed_ms > 5_000]
    assert late

    def hurries(event):
        event.ruling.elapsed_ms = 1

    report = found_after(table, sealed, is_forfeit, amends(table, hurries), late[0])
    assert report.check("timeouts").outcome == Outcome.FAIL


@rule("TIME-4")
def test_a_fault_that_is_left_out_leaves_a_forfeit_without_a_reason(table, sealed):
    def drops_the_refusal(pieces):
        for piece in pieces:
            for at, entry in enumerate(piece):
                before = stored_event_of(piece[at - 1]) if at else None
                if is_forfeit(stored_event_of(entry)) and before is not None and before.ruling.request_id:
                    del piece[at - 1]
                    return

    report = report_of(logged(resealed(sealed, drops_the_refusal)))
    assert report.divergence.rule == "TIME-4"
