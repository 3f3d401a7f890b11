"""Entries of a bundle as values: what of each is known, and what everybody may see of it."""

from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.message import DecodeError

from referee.kozel.events import Event as KozelEvent
from referee.kozel.views import HIDDEN as HIDDEN_IN_KOZEL
from referee.record import kozel_wire, wire
from referee.record.encoding import event_bytes
from referee.record.sealing import HASH_BYTES, SALT_BYTES, commitment
from referee.record.view import PUBLIC
from referee.rules.events import DISCARDED, FOLDED, HOLE_DEALT, Event
from referee.table.config import TableConfig
from referee.table.views import seen
from referee.v1 import record_pb2, table_pb2

HIDDEN: Final = "hidden"
"""The kind of an entry of which this bundle shows nothing."""

EVENT_KINDS: Final = ("hand_event", "kozel_event")
"""The kinds of entries that are events of a hand, of either game."""

WHOLLY_OPEN: Final = frozenset(
    (
        *EVENT_KINDS,
        "decision_opened",
        "seat_leaving",
        "ended",
        "seed_committed",
        "commitments_closed",
        "seat_sits_out",
        "seat_sits_in",
        "seat_tops_up",
        "fault_applied",
    )
)
"""Kinds of entries whose open part can be all there is."""

HIDING_KINDS: Final = (HOLE_DEALT, DISCARDED, FOLDED)
"""Kinds of events of a hand that may have a closed part."""


class EntryError(ValueError):
    """An entry that no entry can be; the message says why."""


@dataclass(slots=True)
class Item:
    """An entry as far as the bundle shows it.

    ``kind`` is the field of StoredEvent or SeenEvent that says what happened. ``content`` is that field: an
    :class:`Event` for ``hand_event``, that of Kozel for ``kozel_event``, else a message. ``whole`` says that nothing of
    it is hidden: ``content`` is then the stored one, else what everybody may see. ``committed`` is the commitment in
    the chain, empty for none.
    """

    number: int
    hand: int
    time_unix_ms: int
    kind: str
    content: Any
    whole: bool
    open: bytes
    closed: bytes
    committed: bytes

    @property
    def event(self) -> Event:
        """The event of an entry of kind ``hand_event``."""
        assert isinstance(self.content, Event), "only asked of events of a hand"
        return self.content


@dataclass
class ReadPiece:
    """A piece of a bundle: its seal, its place in the log, and its entries; ``faults`` by entry number."""

    seal: record_pb2.Seal
    seal_bytes: bytes
    index: int
    inclusion: tuple[bytes, ...]
    items: list[Item] = field(default_factory=list)
    faults: dict[int, str] = field(default_factory=dict)


def read_seal(data: bytes) -> record_pb2.Seal:
    """Reads a seal; raises EntryError for bytes that are spelled otherwise than a seal is."""
    try:
        seal = record_pb2.Seal.FromString(data)
    except DecodeError as error:
        raise EntryError("the seal is no Seal message") from error
    seal.DiscardUnknownFields()
    if seal.SerializeToString(deterministic=True) != data:
        raise EntryError("the seal is not spelled as a Seal is written")
    return seal


def read_piece(piece: record_pb2.BundledPiece) -> ReadPiece:
    """Reads a piece; entries that cannot be read are kept as hidden ones, with their faults beside them.

    Raises EntryError when the seal cannot be read.
    """
    seal = read_seal(piece.seal)
    read = ReadPiece(seal, piece.seal, piece.index, tuple(piece.inclusion))
    for number, entry in enumerate(piece.entries, seal.first_number):
        committed, open_part, closed = entry.commitment, entry.open, entry.closed
        kind, content, whole = HIDDEN, None, False
        try:
            if closed:
                committed = commitment(entry.salt, closed)
            _check_parts(entry)
            kind, content, whole = _read(open_part, closed, committed)
        except EntryError as error:
            read.faults[number] = str(error)
        read.items.append(
            Item(number, entry.hand, entry.time_unix_ms, kind, content, whole, open_part, closed, committed)
        )
    return read


def _check_parts(entry: record_pb2.BundledEntry) -> None:
    if entry.closed:
        if len(entry.salt) != SALT_BYTES:
            raise EntryError(f"a salt of {len(entry.salt)} bytes; expected {SALT_BYTES}")
        if entry.commitment:
            raise EntryError("a closed part and a commitment in its place")
    elif entry.salt:
        raise EntryError("a salt without a closed part")
    elif entry.commitment and len(entry.commitment) != HASH_BYTES:
        raise EntryError(f"a commitment of {len(entry.commitment)} bytes; expected {HASH_BYTES}")
    elif not entry.commitment and not entry.open:
        raise EntryError("an entry without any part")


def _read(open_part: bytes, closed: bytes, committed: bytes) -> tuple[str, Any, bool]:
    if closed:
        return (*_content(record_pb2.StoredEvent, closed, "closed"), True)
    if not open_part:
        return HIDDEN, None, False
    kind, content = _content(table_pb2.SeenEvent, open_part, "open")
    if not committed and kind not in WHOLLY_OPEN:
        raise EntryError(f"of {kind} there must be a closed part")
    if committed and not _hides(kind, content):
        raise EntryError(f"of {kind} nothing can be hidden")
    return kind, content, not committed


def _hides(kind: str, content: Any) -> bool:
    """Whether something of this kind may have a closed part beside its open one."""
    if isinstance(content, Event):
        return content.kind in HIDING_KINDS
    return content.kind in HIDDEN_IN_KOZEL if isinstance(content, KozelEvent) else kind not in WHOLLY_OPEN


def _content(of: Any, data: bytes, what: str) -> tuple[str, Any]:
    try:
        message = of.FromString(data)
    except DecodeError as error:
        raise EntryError(f"the {what} part is no {of.DESCRIPTOR.name} message") from error
    kind = message.WhichOneof("event")
    if kind is None:
        raise EntryError(f"the {what} part says nothing")
    content = getattr(message, kind)
    try:
        if kind == "hand_event":
            return kind, wire.event_of(content)
        return kind, kozel_wire.event_of(content) if kind == "kozel_event" else content
    except (ValueError, KeyError) as error:
        raise EntryError(f"the {what} part is no event of a hand: {error}") from error


def open_part_of(item: Item, config: TableConfig) -> bytes:
    """What everybody may see of an entry that is known whole; raises whatever content that makes no sense raises."""
    content = item.content
    if isinstance(content, Event):
        return seen(content, event_bytes(content), PUBLIC, config) or b""
    if isinstance(content, KozelEvent):
        return seen(content, kozel_wire.event_bytes(content), PUBLIC, config) or b""
    if item.kind in ("ruling", "closing"):
        return b""
    whole: dict[str, Any] = {item.kind: content}
    if item.kind == "decision_opened":
        return table_pb2.SeenEvent(**whole).SerializeToString(deterministic=True)
    return seen(record_pb2.StoredEvent(**whole), b"", PUBLIC, config) or b""


def concerns_only(item: Item, seat: int) -> bool:
    """Whether the closed part of an entry that is known whole is the seat's own: nobody else's cards or secrets."""
    content = item.content
    if isinstance(content, Event):
        return content.seat == seat and content.kind in HIDING_KINDS
    if isinstance(content, KozelEvent):
        return content.seat == seat and content.kind in HIDDEN_IN_KOZEL
    return item.kind in ("ruling", "seat_taken", "seed_revealed") and content.seat == seat
