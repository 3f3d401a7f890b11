"""Tables that the clock ends: their records are valid, and an end that is not due is found (TOUR-1, TIME-4)."""

import pytest

from referee.audit.redaction import redacted
from referee.audit.report import Verdict
from referee.audit.verify import verify_bundle
from referee.rules.rulings import ActionKind
from referee.table.faults import FaultPolicy, FaultRules
from referee.v1 import record_pb2, table_pb2
from tests.audit.records import START_MS, TRUST, RecordedTable, amended, file_of, logged, resealed, stored_event_of

rule = pytest.mark.rule
SIT_OUT = FaultRules(1, FaultPolicy.SIT_OUT, sit_out_wait_ms=5_000)


def play_hand(recorded):
    number = recorded.table.hand_number
    while recorded.table.hand_is_on and recorded.table.hand_number == number:
        seat = next(iter(recorded.table.decisions))
        options = recorded.table.options(seat)
        if options.discard:
            recorded.propose(seat, ActionKind.DISCARD, 0, options.held[: options.discard])
        else:
            recorded.propose(seat, ActionKind.CHECK if options.check else ActionKind.FOLD)


def ended_by_time():
    """A level that is over after two hands, half a minute after the table's opening."""
    recorded = RecordedTable(hands=0, options={"hands_until_ms": START_MS + 30_000})
    recorded.start()
    play_hand(recorded)
    recorded.pass_time(START_MS + 30_000 - recorded.now)
    play_hand(recorded)
    return recorded


def ended_by_sitting_out():
    """A heads-up table whose policy sat a seat out, which did not come back."""
    recorded = RecordedTable(players=2, hands=0, options={"faults": SIT_OUT}, revealing={})
    recorded.start()
    recorded.propose(next(iter(recorded.table.decisions)), ActionKind.RAISE, 10**9)
    play_hand(recorded)
    recorded.pass_time(5_000)
    return recorded


ENDS = {
    table_pb2.END_REASON_TIME_IS_UP: ended_by_time,
    table_pb2.END_REASON_SEATS_SIT_OUT: ended_by_sitting_out,
}


def report_of(bundle):
    return verify_bundle(file_of(bundle), TRUST)


@rule("TOUR-1", "TIME-4")
@pytest.mark.parametrize("reason", ENDS)
def test_a_table_that_the_clock_ended_is_valid_in_every_view(reason):
    recorded = ENDS[reason]()
    assert recorded.table.end_reason == reason
    whole = logged(recorded.sealed())
    for view in (record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_PUBLIC):
        report = report_of(redacted(whole, view, 0))
        assert report.verdict == Verdict.VALID, report.divergence


@rule("TOUR-1", "TIME-4")
@pytest.mark.parametrize("reason", ENDS)
def test_a_table_that_is_closed_while_hands_may_begin_did_not_end_by_the_clock(reason):
    """An operator who does not like how it goes ends the table, and says that its time was up."""
    recorded = RecordedTable(hands=0, options={"hands_until_ms": START_MS + 10**7, "faults": SIT_OUT})
    recorded.start()
    play_hand(recorded)
    recorded.close()
    play_hand(recorded)
    assert recorded.table.has_ended

    def claims(event):
        event.ended.reason = reason

    def lie(pieces):
        for piece in pieces:
            for at, entry in reversed(list(enumerate(piece))):
                event = stored_event_of(entry)
                if event.HasField("closing"):
                    del piece[at]
                elif event.HasField("ended"):
                    piece[at] = amended(entry, recorded.config, claims)

    report = report_of(logged(resealed(recorded.sealed(), lie)))
    assert report.verdict == Verdict.INVALID
    assert "ends for a reason that is not there" in report.divergence.message
