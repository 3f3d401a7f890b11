"""Leaving out of a bundle what a view may not see, so that chain and proofs hold all the same (docs/records.md)."""

from referee.audit.reading import EntryError, Item, concerns_only, read_piece
from referee.v1 import record_pb2


class RedactionError(ValueError):
    """A bundle that cannot be made for this view; the message says why."""


def redacted(
    bundle: record_pb2.Bundle, view: "record_pb2.BundleView", seat: int = 0, holder: bytes = b""
) -> record_pb2.Bundle:
    """The bundle for a view: closed parts that it may not see are replaced by their commitments.

    A seat sees its own hole cards, discards, proposals with their rulings, and seed. ``holder`` is the SHA-256 of the
    token of who asks: a seat is shown nothing of hands that somebody else played there. Without it one player must
    have held the seat all the time. What the bundle already hides stays hidden.

    Raises RedactionError for a bundle that cannot be read, an unknown view, and a seat with several holders.
    """
    is_seats = view == record_pb2.BUNDLE_VIEW_SEAT
    if is_seats != (seat > 0) or view not in _VIEWS:
        raise RedactionError(f"view {view} of seat {seat}")
    result = record_pb2.Bundle(
        software=bundle.software, view=view, seat=seat, checkpoint=bundle.checkpoint, keys=bundle.keys
    )
    holders = _Holders(seat, holder)
    for piece in bundle.pieces:
        try:
            read = read_piece(piece)
        except EntryError as error:
            raise RedactionError(str(error)) from error
        if read.faults:
            raise RedactionError(next(iter(read.faults.values())))
        holders.begin_piece(read.seal.table_id, read.seal.piece)
        into = result.pieces.add(seal=piece.seal, index=piece.index, inclusion=piece.inclusion)
        for item, entry in zip(read.items, piece.entries, strict=True):
            shows = holders.shows(item) or view == record_pb2.BUNDLE_VIEW_AUDITOR
            if item.closed and not shows:
                into.entries.add(
                    hand=item.hand, time_unix_ms=item.time_unix_ms, open=item.open, commitment=item.committed
                )
            else:
                into.entries.append(entry)
    return result


_VIEWS = (record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_SEAT, record_pb2.BUNDLE_VIEW_PUBLIC)


class _Holders:
    """Who holds the seat while the record goes on."""

    def __init__(self, seat: int, holder: bytes) -> None:
        self._seat = seat
        self._asks = holder
        self._holds = b""
        self._known = b""
        self._place = ("", -1)

    def begin_piece(self, table_id: str, piece: int) -> None:
        """Notes that a piece begins; where pieces are left out it is not known who holds the seat."""
        if (table_id, piece - 1) != self._place:
            self._holds = b""
        self._place = (table_id, piece)

    def shows(self, item: Item) -> bool:
        """Whether the seat may see the closed part of the entry."""
        content = item.content
        if not item.whole or not self._seat:
            return False
        if item.kind == "hand_began":
            self._is_held([one.token_sha256 for one in content.seats if one.seat == self._seat])
        elif item.kind == "seat_taken" and content.seat == self._seat and item.hand == 0:
            self._is_held([content.token_sha256])
        if not concerns_only(item, self._seat):
            return False
        if item.kind == "seat_taken":
            # Who sits down between hands plays from the next one on.
            return not self._asks or self._asks == content.token_sha256
        return bool(self._holds) and self._holds == (self._asks or self._holds)

    def _is_held(self, by: list[bytes]) -> None:
        self._holds = by[0] if by else b""
        if self._holds and not self._asks:
            self._known = self._known or self._holds
            if self._known != self._holds:
                raise RedactionError(f"seat {self._seat} was held by several players: for whom is not said")
