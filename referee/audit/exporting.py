"""The server's own sealed record as bundle files: read from the store, proved in the log, redacted for who asks."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from referee.audit.bundling import Entry, LoggedPiece, bundle_of
from referee.audit.redaction import redacted
from referee.limits import BUNDLE_BYTES
from referee.merkle.proofs import inclusion_proof
from referee.record.bundle import bundle_bytes
from referee.record.sealing import SealedPiece
from referee.store.items import StoredPiece
from referee.store.reading import StoreReader, reading
from referee.table.config import TableConfig
from referee.table.games import config_of
from referee.table.happenings import content_bytes, happenings, stored_event_bytes
from referee.table.views import parts
from referee.v1 import record_pb2


class LogHead(NamedTuple):
    """The head of the log that a bundle leads to: its size, the signed checkpoint, and the keys that the log names."""

    size: int
    checkpoint: bytes
    keys: tuple[str, ...] = ()


class WantedPieces(NamedTuple):
    """Pieces of a table, ascending."""

    table_id: str
    pieces: tuple[int, ...]


class ExportView(NamedTuple):
    """As whom: a seat's view names the seat and the SHA-256 of its holder's token.

    Seat 0 is the one that the holder has, or had, in what is exported: who has left may still have his own record.
    """

    view: "record_pb2.BundleView"
    seat: int = 0
    holder: bytes = b""


class NoSeatError(Exception):
    """Nobody with this token had a seat in what is exported."""


class TooLargeError(Exception):
    """What is wanted fits into no bundle."""


def export_file(store_path: Path, wanted: Iterable[WantedPieces], head: LogHead, view: ExportView) -> bytes:
    """Pieces of tables as the bytes of a bundle file, for another process than that of the server.

    Each table begins with its piece 0, wanted or not. Raises TooLargeError, NoSeatError, RedactionError and StoreError.
    """
    with reading(store_path) as store:
        bundle = bundle_of(_logged(store, wanted, head.size), head.checkpoint, head.keys)
    if view.view != record_pb2.BUNDLE_VIEW_AUDITOR:
        seat = view.seat
        if view.view == record_pb2.BUNDLE_VIEW_SEAT and not seat:
            seat = _seat_held(bundle, view.holder)
        bundle = redacted(bundle, view.view, seat, view.holder)
    return bundle_bytes(bundle)


def _seat_held(bundle: record_pb2.Bundle, holder: bytes) -> int:
    """The seat that somebody held when a hand of the bundle began."""
    for piece in bundle.pieces:
        for entry in piece.entries:
            began = record_pb2.StoredEvent.FromString(entry.closed)
            for one in began.hand_began.seats:
                if one.token_sha256 == holder:
                    return one.seat
    raise NoSeatError("nobody with this token had a seat in these hands")


def _logged(store: StoreReader, wanted: Iterable[WantedPieces], size: int) -> Iterator[LoggedPiece]:
    so_far = 0
    for table_id, numbers in wanted:
        config = _config(store, table_id)
        for number in sorted({0, *numbers}):
            stored = store.piece(table_id, number)
            # What was sealed since the head was signed is for the next bundle.
            if stored is None or stored.log_index >= size:
                continue
            proof = inclusion_proof(size, stored.log_index, store.node)
            entries = tuple(_entries(store, table_id, stored, config))
            so_far += len(stored.seal) + sum(len(entry.open) + len(entry.closed) for entry in entries)
            if so_far > BUNDLE_BYTES:
                raise TooLargeError(f"more than {BUNDLE_BYTES} bytes; ask for fewer hands")
            yield LoggedPiece(SealedPiece(stored.seal, stored.salt), stored.log_index, proof, entries)


def _config(store: StoreReader, table_id: str) -> TableConfig:
    opening = next(iter(happenings(store.rows(table_id, 0, 0)[0].body)))
    assert isinstance(opening, record_pb2.StoredEvent), "a table begins by being opened"
    return config_of(opening.opened.config, b"")


def _entries(store: StoreReader, table_id: str, stored: StoredPiece, config: TableConfig) -> Iterator[Entry]:
    """What a piece seals: of its own hand, and of the hand before what came after that one's seal."""
    seal = record_pb2.Seal.FromString(stored.seal)
    end = seal.first_number + seal.entries
    for row in store.rows(table_id, max(stored.piece - 1, 0), stored.piece):
        for number, happening in enumerate(happenings(row.body), row.number):
            if seal.first_number <= number < end:
                content = content_bytes(happening)
                both = parts(happening, content, stored_event_bytes(happening, content), config)
                yield Entry(row.hand, row.time_unix_ms, *both)
