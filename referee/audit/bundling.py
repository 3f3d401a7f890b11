"""Making a bundle of pieces that were sealed and logged; where they come from is the caller's affair."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee import __version__
from referee.record.sealing import SealedPiece, entry_salt
from referee.v1 import record_pb2

SOFTWARE = f"irish-poker-referee/{__version__}"


class Entry(NamedTuple):
    """Something that happened in a hand (0 before the first) at a moment; ``closed`` is empty where ``open`` is all."""

    hand: int
    time_unix_ms: int
    open: bytes
    closed: bytes


class LoggedPiece(NamedTuple):
    """A sealed piece with its entries, its leaf's index in the log, and the proof of inclusion, lowest hash first."""

    sealed: SealedPiece
    leaf_index: int
    inclusion: tuple[bytes, ...]
    entries: Sequence[Entry]


def bundle_of(pieces: Iterable[LoggedPiece], checkpoint: bytes, keys: Sequence[str] = ()) -> record_pb2.Bundle:
    """The auditor's bundle of pieces, each table's in order, beginning with its piece 0.

    ``checkpoint`` is the signed head that the inclusion proofs lead to, ``keys`` are those that the log names. Nothing
    is checked. For other views see :func:`~referee.audit.redaction.redacted`.
    """
    bundle = record_pb2.Bundle(software=SOFTWARE, view=record_pb2.BUNDLE_VIEW_AUDITOR, checkpoint=checkpoint, keys=keys)
    for piece in pieces:
        first_number = record_pb2.Seal.FromString(piece.sealed.seal).first_number
        bundled = bundle.pieces.add(seal=piece.sealed.seal, index=piece.leaf_index, inclusion=piece.inclusion)
        salt = piece.sealed.salt
        for number, (hand, time_unix_ms, open_part, closed) in enumerate(piece.entries, first_number):
            bundled.entries.add(
                hand=hand,
                time_unix_ms=time_unix_ms,
                open=open_part,
                closed=closed,
                salt=entry_salt(salt, number) if closed else b"",
            )
    return bundle
