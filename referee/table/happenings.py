"""What happens at a table, as its state machine makes it and the store keeps it.

What happens often, in a hand, is a small value of its own; what is rare is a stored message itself. The stored bytes
are written once, here, and never encoded again.
"""

from dataclasses import dataclass
from typing import Final, final

from referee.kozel.events import ROUND_ENDED
from referee.kozel.events import Event as KozelEvent
from referee.record import kozel_wire, wire
from referee.record.encoding import delimited, event_bytes, varint
from referee.rules.events import HAND_ENDED, Event
from referee.table.fields import KOZEL, POKER, GameFields
from referee.v1 import hand_pb2, kozel_pb2, record_pb2


@final
@dataclass(init=False, unsafe_hash=True)
class Asked:
    """A seat was asked; ``bank_ms`` is what is left of its time bank."""

    seat: Final[int]
    decision_id: Final[int]
    action_ms: Final[int]
    bank_ms: Final[int]

    def __init__(self, seat: int, decision_id: int, action_ms: int, bank_ms: int) -> None:
        self.seat = seat
        self.decision_id = decision_id
        self.action_ms = action_ms
        self.bank_ms = bank_ms


@final
class Ruled:
    """A proposal was ruled on.

    ``request_id`` is empty for what the referee did itself. ``proposal`` and ``ruling`` are the messages' bytes, the
    ruling without its events, which happen next. ``elapsed_ms`` is what it took of the decision's time, ``bank_ms``
    what is left of the bank after it. ``unkept`` counts the refused proposals of the decision that were not kept.
    ``fields`` are those of the game whose messages these are.
    """

    def __init__(
        self,
        seat: int,
        request_id: str,
        proposal: bytes,
        received_ms: int,
        elapsed_ms: int,
        bank_ms: int,
        accepted: bool,
        ruling: bytes,
        unkept: int = 0,
        signature: bytes = b"",
        fields: GameFields = POKER,
    ) -> None:
        self.seat = seat
        self.request_id = request_id
        self.proposal = proposal
        self.received_ms = received_ms
        self.elapsed_ms = elapsed_ms
        self.bank_ms = bank_ms
        self.accepted = accepted
        self.ruling = ruling
        self.unkept = unkept
        self.signature = signature
        self.fields = fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruled) and _ruled_bytes(self) == _ruled_bytes(other)

    def __hash__(self) -> int:
        return hash((self.seat, self.request_id))


Happening = Event | KozelEvent | Asked | Ruled | record_pb2.StoredEvent


def asked_bytes(asked: Asked) -> bytes:
    """The bytes of a ``DecisionOpened`` message."""
    written = b"\x08" + varint(asked.seat) + b"\x10" + varint(asked.decision_id)
    if asked.action_ms:
        written += b"\x18" + varint(asked.action_ms)
    if asked.bank_ms:
        written += b"\x20" + varint(asked.bank_ms)
    return written


def _ruled_bytes(one: Ruled) -> bytes:
    """The bytes of a ``StoredRuling`` message."""
    written = b"\x08" + varint(one.seat) if one.seat else b""
    if one.request_id:
        written += delimited(b"\x12", one.request_id.encode())
    if one.fields is POKER:
        written += delimited(b"\x1a", one.proposal)
    if one.received_ms:
        written += b"\x20" + varint(one.received_ms)
    if one.elapsed_ms:
        written += b"\x28" + varint(one.elapsed_ms)
    if one.bank_ms:
        written += b"\x30" + varint(one.bank_ms)
    if one.unkept:
        written += b"\x50" + varint(one.unkept)
    if one.fields is POKER:
        written += delimited(b"\x5a", one.ruling)
    if one.signature:
        written += delimited(b"\x62", one.signature)
    if one.fields is not POKER:  # later fields than those of poker
        written += delimited(one.fields.proposal, one.proposal) + delimited(one.fields.ruling, one.ruling)
    return written


def hand_that_began(happening: Happening) -> record_pb2.StoredHandBegan | None:
    """How a hand begins, if that is what happened."""
    if isinstance(happening, record_pb2.StoredEvent) and happening.HasField("hand_began"):
        return happening.hand_began
    return None


def ends_hand(happening: Happening) -> bool:
    """Whether it is the last event of a hand."""
    if isinstance(happening, Event):
        return happening.kind is HAND_ENDED
    return isinstance(happening, KozelEvent) and happening.kind is ROUND_ENDED


def content_bytes(happening: Happening) -> bytes:
    """The bytes of what happened, without the field that says in a StoredEvent or SeenEvent what kind it is."""
    if isinstance(happening, Event):
        return event_bytes(happening)
    if isinstance(happening, Asked):
        return asked_bytes(happening)
    if isinstance(happening, Ruled):
        return _ruled_bytes(happening)
    if isinstance(happening, KozelEvent):
        return kozel_wire.event_bytes(happening)
    return happening.SerializeToString()


def stored_event_bytes(happening: Happening, content: bytes) -> bytes:
    """The bytes of the StoredEvent that is kept of what happened, from the bytes of its content."""
    if isinstance(happening, Event):
        return delimited(b"\x2a", content)
    if isinstance(happening, Asked):
        return delimited(b"\x32", content)
    if isinstance(happening, Ruled):
        return delimited(b"\x3a", content)
    if isinstance(happening, KozelEvent):
        return delimited(KOZEL.stored_event, content)
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
        return _ruled_of(message.ruling)
    if kind == "kozel_event":
        return kozel_wire.event_of(message.kozel_event)
    return message


def _ruled_of(one: record_pb2.StoredRuling) -> Ruled:
    of_kozel = one.HasField("kozel_ruling")
    proposal = one.kozel_proposal if of_kozel else one.proposal
    ruling = one.kozel_ruling if of_kozel else one.ruling
    return Ruled(
        one.seat,
        one.request_id,
        proposal.SerializeToString(),
        one.received_unix_ms,
        one.elapsed_ms,
        one.bank_ms,
        ruling.accepted,
        ruling.SerializeToString(),
        one.further_refusals,
        one.signature,
        KOZEL if of_kozel else POKER,
    )


def ruling_of(one: Ruled) -> hand_pb2.Ruling | kozel_pb2.KozelRuling:
    """The message of a kept ruling."""
    if one.fields is KOZEL:
        return kozel_pb2.KozelRuling.FromString(one.ruling)
    return hand_pb2.Ruling.FromString(one.ruling)


def refusal_name(one: Ruled) -> str:
    """The name of the reason for a refusal, by which refusals are counted; the same in every game that has it."""
    ruling = ruling_of(one)
    if isinstance(ruling, kozel_pb2.KozelRuling):
        return kozel_pb2.KozelReason.Name(ruling.reason).removeprefix("KOZEL_REASON_")
    return hand_pb2.Reason.Name(ruling.reason).removeprefix("REASON_")


def action_name(one: Ruled) -> str:
    """What was proposed, by the contract's name of it."""
    if one.fields is KOZEL:
        return kozel_pb2.KozelProposal.FromString(one.proposal).WhichOneof("action") or ""
    return hand_pb2.Proposal.FromString(one.proposal).action.WhichOneof("action") or ""
