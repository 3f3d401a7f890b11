"""Verifying a bundle: offline, from its bytes and the keys that the auditor believes, and nothing else."""

from google.protobuf.message import DecodeError

from referee.audit.integrity import check_chains, check_entries, check_links, check_log, check_seals
from referee.audit.reading import HIDDEN, EntryError, ReadPiece, concerns_only, read_piece
from referee.audit.report import Divergence, Findings, Report, unreadable
from referee.audit.trust import Trust
from referee.audit.walk import TableWalk
from referee.limits import BUNDLE_ENTRIES
from referee.record.bundle import BundleFormatError, read_bundle
from referee.record.view import PUBLIC
from referee.table.views import AUDITOR
from referee.v1 import record_pb2


def verify_bundle(data: bytes, trust: Trust, quorum: int = 0) -> Report:
    """Verifies the bytes of a bundle file; ``quorum`` is how many of the witnesses must have cosigned.

    Never raises, whatever the bytes are: what cannot be read or followed is in the report. What the record cannot
    show, such as that two heads of the log were shown to two readers, is not checked (docs/signed-log.md).
    """
    try:
        bundle = read_bundle(data)
    except (BundleFormatError, DecodeError, ValueError) as error:
        return unreadable(str(error))
    return verify(bundle, trust, quorum)


def verify(bundle: record_pb2.Bundle, trust: Trust, quorum: int = 0) -> Report:
    """Verifies a bundle that was read, as :func:`verify_bundle` does."""
    entries = sum([len(piece.entries) for piece in bundle.pieces])
    if entries > BUNDLE_ENTRIES:
        return unreadable(f"{entries} entries; at most {BUNDLE_ENTRIES} are read at once")
    findings = Findings()
    viewer = _viewer(bundle, findings)
    pieces = _pieces(bundle, findings)
    if not bundle.pieces:
        findings.lacks("pieces of a record")
    check_entries(pieces, findings)
    check_seals(pieces, findings)
    check_chains(pieces, findings)
    check_links(pieces, findings)
    _check_view(pieces, viewer, findings)
    check_log(pieces, bundle.checkpoint, trust, quorum, findings)
    tables: dict[str, list[ReadPiece]] = {}
    for piece in pieces:
        tables.setdefault(piece.seal.table_id, []).append(piece)
    for table_id, of_table in tables.items():
        _follow(table_id, viewer, of_table, findings)
    return findings.report()


def _follow(table_id: str, viewer: int, pieces: list[ReadPiece], findings: Findings) -> None:
    try:
        TableWalk(table_id, viewer, findings).follow(pieces)
    except Exception as error:
        # Whatever a record says that nobody thought of must become a finding, not the end of the audit.
        findings.failed(Divergence("events", f"the table's record cannot be followed: {error!r}", table_id))


def _viewer(bundle: record_pb2.Bundle, findings: Findings) -> int:
    fault = ""
    viewer = PUBLIC
    if bundle.view == record_pb2.BUNDLE_VIEW_AUDITOR:
        viewer = AUDITOR
    elif bundle.view == record_pb2.BUNDLE_VIEW_SEAT:
        viewer = bundle.seat
        fault = "" if bundle.seat > 0 else f"a view of seat {bundle.seat}"
    elif bundle.view != record_pb2.BUNDLE_VIEW_PUBLIC:
        fault = f"view {bundle.view}"
    if bundle.seat and bundle.view != record_pb2.BUNDLE_VIEW_SEAT:
        fault = fault or "a seat in a view that is no seat's"
    if fault:
        findings.failed(Divergence("bundle", fault))
    else:
        findings.passed("bundle")
    return viewer


def _check_view(pieces: list[ReadPiece], viewer: int, findings: Findings) -> None:
    """Checks that the bundle shows what a bundle of its view shows: who reads it must know what he was not shown."""
    shown = hidden = 0
    for piece in pieces:
        for item in piece.items:
            hidden += bool(item.committed and not item.whole)
            if not item.closed or viewer == AUDITOR:
                continue
            shown += 1
            if item.kind != HIDDEN and not concerns_only(item, viewer):
                message = "a closed part that this bundle's view may not see"
                findings.failed(Divergence("bundle", message, piece.seal.table_id, piece.seal.piece, item.number))
    if viewer == AUDITOR and hidden:
        findings.lacks(f"{hidden} closed parts, which an auditor's bundle has")
    elif viewer > PUBLIC and hidden and not shown:
        findings.lacks("the seat's own closed parts, which a bundle for a seat has")


def _pieces(bundle: record_pb2.Bundle, findings: Findings) -> list[ReadPiece]:
    pieces = []
    for piece in bundle.pieces:
        try:
            pieces.append(read_piece(piece))
        except EntryError as error:
            findings.failed(Divergence("seals", str(error)))
    return pieces
