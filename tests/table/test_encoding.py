"""Messages put together by hand are, byte for byte, those of the generated classes."""

from hypothesis import given
from hypothesis import strategies as st

from referee.record import wire
from referee.record.encoding import event_bytes, options_bytes, ruling_bytes, varint
from referee.rules.events import Event, EventKind
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Reason, Ruling
from referee.table.happenings import (
    Asked,
    Ruled,
    content_bytes,
    happening_in,
    happenings,
    stored_bytes,
    stored_event_bytes,
)
from referee.table.items import (
    Question,
    answered_bytes,
    answered_item,
    end_item,
    event_item,
    heartbeat_item,
    snapshot_item,
    table_field,
)
from referee.table.views import hand_field, moment_field, seen_event_bytes
from referee.v1 import hand_pb2, record_pb2, table_pb2

CHIPS = st.one_of(st.integers(0, 300), st.integers(0, 2**53))
CARDS = st.lists(st.integers(-1, 51), max_size=7).map(tuple)
SEATS = st.integers(0, 10)
RULES = st.sampled_from(["BET-2", "SIZE-4", "POT-6", "DISC-8"])
TEXTS = st.text(max_size=300)
EVENTS = st.builds(
    Event,
    st.sampled_from(EventKind),
    RULES,
    SEATS,
    CHIPS,
    CHIPS,
    CARDS,
    st.integers(0, 9),
    st.booleans(),
    st.booleans(),
)
OPTIONS = st.builds(
    LegalOptions,
    SEATS,
    st.integers(0, 10_000),
    st.booleans(),
    st.booleans(),
    CHIPS,
    st.sampled_from([ActionKind.BET, ActionKind.RAISE]),
    CHIPS,
    CHIPS,
    CHIPS,
    st.integers(0, 5),
    CARDS,
)
ACCEPTED = st.builds(lambda rule, warning: Ruling(True, rule, warning=warning), RULES, TEXTS)
REFUSED = st.builds(
    lambda rule, reason, message, options: Ruling(False, rule, (), reason, message, options),
    RULES,
    st.sampled_from(Reason),
    TEXTS,
    st.none() | OPTIONS,
)
RULINGS = ACCEPTED | REFUSED


@given(st.one_of(st.integers(0, 70_000), st.integers(0, 2**63 - 1)))
def test_a_varint_is_protobufs(number):
    assert b"\x08" + varint(number) == (table_pb2.Cursor(hand=number).SerializeToString() or b"\x08\x00")


@given(EVENTS)
def test_an_event(event):
    assert event_bytes(event) == wire.event_message(event).SerializeToString()


@given(OPTIONS)
def test_legal_options(options):
    assert options_bytes(options) == wire.options_message(options).SerializeToString()


@given(RULINGS)
def test_a_ruling(ruling):
    assert ruling_bytes(ruling) == wire.ruling_message(ruling).SerializeToString()


@given(RULINGS, SEATS, TEXTS, CHIPS, CHIPS, CHIPS, st.integers(0, 1000), st.binary(max_size=64))
def test_a_ruling_as_it_is_stored(ruling, seat, request_id, received, elapsed, bank, unkept, signature):
    proposal = wire.proposal_message(Proposal(seat, ActionKind.RAISE, 17, hand_id="t-1", decision_id=3))
    one = Ruled(
        seat,
        request_id,
        proposal.SerializeToString(),
        received,
        elapsed,
        bank,
        ruling.accepted,
        ruling_bytes(ruling),
        unkept,
        signature,
    )
    message = record_pb2.StoredRuling(
        seat=seat,
        request_id=request_id,
        proposal=proposal,
        received_unix_ms=received,
        elapsed_ms=elapsed,
        bank_ms=bank,
        further_refusals=unkept,
        ruling=wire.ruling_message(ruling),
        signature=signature,
    )
    assert content_bytes(one) == message.SerializeToString()
    event = stored_event_bytes(one, content_bytes(one))
    assert happening_in(event) == one
    stored = stored_bytes(event)
    assert stored == record_pb2.StoredEvents(events=[{"ruling": message}]).SerializeToString()
    assert happenings(stored) == [one]


@given(st.lists(st.one_of(EVENTS, st.builds(Asked, SEATS, st.integers(1, 10_000), CHIPS, CHIPS)), max_size=5))
def test_what_is_stored_comes_back(happened):
    happened = [*happened, record_pb2.StoredEvent(ended={"reason": 1})]
    events = [stored_event_bytes(one, content_bytes(one)) for one in happened]
    assert happenings(b"".join(map(stored_bytes, events))) == happened


@given(st.integers(0, 2**40), st.integers(1, 2**20), st.integers(0, 2**50), EVENTS)
def test_a_told_event_and_the_items_of_a_message(hand, number, moment, event):
    told = table_pb2.SeenEvent(hand=hand, number=number, time_unix_ms=moment, hand_event=wire.event_message(event))
    shown = table_pb2.SeenEvent(hand_event=wire.event_message(event)).SerializeToString()
    written = seen_event_bytes(hand_field(hand), number, moment_field(moment), shown)
    assert written == told.SerializeToString()
    table = table_field("table 1")
    snapshot = table_pb2.Snapshot(events=[told])
    ruling = hand_pb2.Ruling(accepted=True, rule="BET-2")
    message = b"".join(
        [
            snapshot_item(table, snapshot),
            event_item(table, written),
            answered_item(table, answered_bytes("request", ruling.SerializeToString())),
            heartbeat_item(moment),
            end_item("", 2),
        ]
    )
    expected = table_pb2.PlayResponse(
        items=[
            {"table_id": "table 1", "snapshot": snapshot},
            {"table_id": "table 1", "event": told},
            {"table_id": "table 1", "answered": {"request_id": "request", "ruling": ruling}},
            {"heartbeat": {"time_unix_ms": moment}},
            {"end": {"reason": 2}},
        ]
    )
    assert message == expected.SerializeToString()
    assert table_pb2.WatchTableResponse.FromString(message).items == expected.items


@given(OPTIONS, st.integers(1, 2**40), st.one_of(st.none(), st.integers(0, 2**30)), st.integers(1, 2**50))
def test_a_decision(options, hand, remaining, now):
    asked = Question(table_field("t"), f"t-{hand}", hand, options_bytes(options), remaining).item(now)
    decision = table_pb2.Decision(hand_id=f"t-{hand}", hand=hand, legal=wire.options_message(options))
    if remaining is not None:
        decision.remaining_ms, decision.deadline_unix_ms = remaining, now + remaining
    expected = table_pb2.PlayResponse(items=[{"table_id": "t", "decision": decision}])
    assert asked == expected.SerializeToString()
