"""What happens at a table, as its state machine makes it and the store keeps it.

What happens often, in a hand, is a small value of its own; what is rare is a stored message itself. The stored bytes
are written once, here, and never encoded again.
"""

from typing import NamedTuple

from referee.record import wire
from referee.record.encoding import delimited, event_bytes, ruling_bytes, varint
from referee.rules.events import Event
from referee.rules.rulings import Ruling
from referee.v1 import hand_pb2, record_pb2


class Asked(NamedTuple):
    """A seat was asked; ``bank_ms`` is what is left of its time bank."""

    seat: int
    decision_id: int
    action_ms: int
    bank_ms: int


class Ruled(NamedTuple):
    """A proposal was ruled on.

    ``request_id`` is empty for what the referee did itself. ``proposal`` and ``ruling`` are the messages' bytes, the
    ruling without its events, which happen next. ``elapsed_ms`` is what it took of the decision's time, ``bank_ms``
    what is left of the bank after it. ``unkept`` counts the refused proposals of the decision that were not kept.
    """

    seat: int
    request_id: str
    proposal: bytes
    received_ms: int
    elapsed_ms: int
    bank_ms: int
    accepted: bool
    ruling: bytes
    unkept: int = 0
    signature: bytes = b""


Happening = Event | Asked | Ruled | record_pb2.StoredEvent


def ruled(
    seat: int,
    request_id: str,
    proposal: bytes,
    received_ms: int,
    elapsed_ms: int,
    bank_ms: int,
    ruling: Ruling,
    unkept: int,
    signature: bytes,
) -> Ruled:
    """What is kept of a ruling."""
    return Ruled(
        seat,
        request_id,
        proposal,
        received_ms,
        elapsed_ms,
        bank_ms,
        ruling.accepted,
        ruling_bytes(ruling),
        unkept,
        signature,
    )


def asked_bytes(asked: Asked) -> bytes:
    """The bytes of a ``DecisionOpened`` message."""
    seat, decision_id, action_ms, bank_ms = asked
    written = b"\x08" + varint(seat) + b"\x10" + varint(decision_id)
    if action_ms:
        written += b"\x18" + varint(action_ms)
    if bank_ms:
        written += b"\x20" + varint(bank_ms)
    return written


def _ruled_bytes(one: Ruled) -> bytes:
    """The bytes of a ``StoredRuling`` message."""
    written = b"\x08" + varint(one.seat) if one.seat else b""
    if one.request_id:
        written += delimited(b"\x12", one.request_id.encode())
    written += delimited(b"\x1a", one.proposal)
    if one.received_ms:
        written += b"\x20" + varint(one.received_ms)
    if one.elapsed_ms:
        written += b"\x28" + varint(one.elapsed_ms)
    if one.bank_ms:
        written += b"\x30" + varint(one.bank_ms)
    if one.unkept:
        written += b"\x50" + varint(one.unkept)
    written += delimited(b"\x5a", one.ruling)
    return written + delimited(b"\x62", one.signature) if one.signature else written


def hand_that_began(happening: Happening) -> record_pb2.StoredHandBegan | None:
    """How a hand begins, if that is what happened."""
    if isinstance(happening, record_pb2.StoredEvent) and happening.HasField("hand_began"):
        return happening.hand_began
    return None


def content_bytes(happening: Happening) -> bytes:
    """The bytes of what happened, without the field that says in a StoredEvent or SeenEvent what kind it is."""
    if isinstance(happening, Event):
        return event_bytes(happening)
    if isinstance(happening, Asked):
        return asked_bytes(happening)
    if isinstance(happening, Ruled):
        return _ruled_bytes(happening)
    return happening.SerializeToString()


def stored_event_bytes(happening: Happening, content: bytes) -> bytes:
    """The bytes of the StoredEvent that is kept of what happened, from the bytes of its content."""
    if isinstance(happening, Event):
        return delimited(b"\x2a", content)
    if isinstance(happening, Asked):
        return delimited(b"\x32", content)
    if isinstance(happening, Ruled):
        return delimited(b"\x3a", content)
    return content


def stored_bytes(event: bytes) -> bytes:
    """A StoredEvent's bytes as the next event of a StoredEvents message."""
    return delimited(b"\x0a", event)


def happening_in(event: bytes) -> Happening:
    """What happened, from the bytes of a StoredEvent message; raises DecodeError for bytes that are none."""
    return _happening_of(record_pb2.StoredEvent.FromString(event))


def happenings(stored: bytes) -> list[Happening]:
    """What happened, from the bytes of a StoredEvents message."""
    return [_happening_of(message) for message in record_pb2.StoredEvents.FromString(stored).events]


def _happening_of(message: record_pb2.StoredEvent) -> Happening:
    kind = message.WhichOneof("event")
    if kind == "hand_event":
        return wire.event_of(message.hand_event)
    if kind == "decision_opened":
        opened = message.decision_opened
        return Asked(opened.seat, opened.decision_id, opened.action_ms, opened.bank_ms)
    if kind == "ruling":
        one = message.ruling
        return Ruled(
            one.seat,
            one.request_id,
            one.proposal.SerializeToString(),
            one.received_unix_ms,
            one.elapsed_ms,
            one.bank_ms,
            one.ruling.accepted,
            one.ruling.SerializeToString(),
            one.further_refusals,
            one.signature,
        )
    return message


def ruling_of(one: Ruled) -> hand_pb2.Ruling:
    """The message of a kept ruling."""
    return hand_pb2.Ruling.FromString(one.ruling)
