"""What is told to a reader of a stream, as bytes: each is one item of a PlayResponse or WatchTableResponse.

Messages are items one after another, so that what is queued for a reader is joined, never copied field by field.
"""

from typing import final

from referee.record.encoding import delimited, varint
from referee.table.fields import POKER
from referee.v1 import table_pb2


def table_field(table_id: str) -> bytes:
    """An item's field for its table; empty for what concerns the whole stream."""
    return delimited(b"\x0a", table_id.encode()) if table_id else b""


def _item(content: bytes) -> bytes:
    return delimited(b"\x0a", content)


def event_item(table: bytes, seen_event: bytes) -> bytes:
    """Tells a SeenEvent; ``table`` is its :func:`table_field`."""
    return _item(table + delimited(b"\x1a", seen_event))


def answered_item(table: bytes, answered: bytes) -> bytes:
    """Tells an Answered."""
    return _item(table + delimited(b"\x2a", answered))


def answered_bytes(request_id: str, ruling: bytes, field: bytes = POKER.answered) -> bytes:
    """The bytes of an Answered message; ``field`` is that of the ruling's game."""
    return (delimited(b"\x0a", request_id.encode()) if request_id else b"") + delimited(field, ruling)


def snapshot_item(table: bytes, snapshot: table_pb2.Snapshot) -> bytes:
    """Tells how the table stands."""
    return _item(table + delimited(b"\x12", snapshot.SerializeToString()))


def heartbeat_item(now_ms: int) -> bytes:
    """Tells that the stream lives."""
    return _item(delimited(b"\x32", table_pb2.Heartbeat(time_unix_ms=now_ms).SerializeToString()))


def end_item(table_id: str, reason: int) -> bytes:
    """Tells that nothing more comes, and why."""
    end = table_pb2.StreamEnd(reason=reason)  # type: ignore[arg-type]
    return _item(table_field(table_id) + delimited(b"\x3a", end.SerializeToString()))


def sealed_item(table: bytes, seal: bytes, log_index: int, checkpoint: bytes) -> bytes:
    """Tells that a piece of the record was sealed."""
    sealed = delimited(b"\x0a", seal)
    if log_index:
        sealed += b"\x10" + varint(log_index)
    return _item(table + delimited(b"\x42", sealed + delimited(b"\x1a", checkpoint)))


@final
class Question:
    """A seat's open decision, to be put to it: the same words whenever that is, but for the time that remains.

    ``options`` are the bytes of what is legal, which stand in ``field``, that of the game. ``remaining_ms`` is what is
    left of its time when its clock stands still, None when it has no clock.
    """

    def __init__(
        self,
        table: bytes,
        hand_id: str,
        hand: int,
        options: bytes,
        remaining_ms: int | None,
        field: bytes = POKER.options,
    ) -> None:
        self.table = table
        self.hand_id = hand_id
        self.hand = hand
        self.options = options
        self.remaining_ms = remaining_ms
        self.field = field

    def item(self, now_ms: int) -> bytes:
        """Asks at a moment, as the clock begins to run."""
        decision = delimited(b"\x0a", self.hand_id.encode()) + b"\x10" + varint(self.hand)
        decision += delimited(self.field, self.options)
        if self.remaining_ms is not None:
            decision += b"\x20" + varint(now_ms + self.remaining_ms)
            if self.remaining_ms:
                decision += b"\x28" + varint(self.remaining_ms)
        return _item(self.table + delimited(b"\x22", decision))
