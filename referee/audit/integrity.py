"""Whether a bundle is what was sealed and logged: seals, chains, links, inclusion, signatures of the log's head.

None of this looks at what the entries say; it holds for a bundle of any view.
"""

import struct
from collections.abc import Sequence

from referee.audit.reading import ReadPiece
from referee.audit.report import Divergence, Findings
from referee.audit.trust import Trust
from referee.limits import TABLE_ID_LETTERS
from referee.merkle.hashing import HASH_BYTES, leaf_hash
from referee.merkle.verification import ProofError, verify_inclusion
from referee.record.log.checkpoints import Checkpoint, parse_checkpoint
from referee.record.log.errors import KeyFormatError, LogError, NoteFormatError, QuorumError, UntrustedError
from referee.record.log.keyring import verify_checkpoint
from referee.record.log.notes import parse_note
from referee.record.sealing import FORMAT, chain_next, chain_start


def check_entries(pieces: Sequence[ReadPiece], findings: Findings) -> None:
    """Checks that every entry has the parts that an entry has."""
    for piece in pieces:
        seal = piece.seal
        for number, fault in piece.faults.items():
            findings.failed(Divergence("entries", fault, seal.table_id, seal.piece, number))
        findings.passed("entries", len(piece.items) - len(piece.faults))


def check_seals(pieces: Sequence[ReadPiece], findings: Findings) -> None:
    """Checks what seals say of their pieces, and that the pieces of each table follow one another.

    A bundle may be an excerpt: after a table's opening pieces may be left out, and at its end; nowhere between.
    """
    last: dict[str, ReadPiece] = {}
    for piece in pieces:
        before = last.get(piece.seal.table_id)
        fault = _seal_fault(piece) or ("" if before is None else _order_fault(before, piece))
        if fault:
            findings.failed(Divergence("seals", fault, piece.seal.table_id, piece.seal.piece))
        else:
            findings.passed("seals")
        last[piece.seal.table_id] = piece


def _seal_fault(piece: ReadPiece) -> str:
    seal = piece.seal
    if seal.format != FORMAT:
        return f"format {seal.format!r}; expected {FORMAT}"
    if not 1 <= len(seal.table_id) <= TABLE_ID_LETTERS or not seal.table_id.isascii():
        return f"table {seal.table_id!r}"
    if seal.piece < 0 or (seal.piece == 0) != (seal.first_number == 1) or seal.first_number < 1:
        return f"piece {seal.piece} with entries from number {seal.first_number}"
    if seal.entries != len(piece.items) or seal.entries == 0:
        return f"{len(piece.items)} entries; {seal.entries} are sealed"
    if len(seal.head) != HASH_BYTES:
        return f"a head of {len(seal.head)} bytes"
    expected = HASH_BYTES if seal.piece else 0
    if len(seal.previous) != expected or len(seal.opening) != expected:
        return f"piece {seal.piece} names leaves of {len(seal.previous)} and {len(seal.opening)} bytes"
    return ""


def _order_fault(before: ReadPiece, piece: ReadPiece) -> str:
    earlier, seal = before.seal, piece.seal
    end = earlier.first_number + earlier.entries
    if seal.piece == earlier.piece + 1:
        if seal.first_number != end:
            return f"entries from number {seal.first_number}; the piece before it ends with {end - 1}"
    elif seal.piece <= earlier.piece:
        return f"piece {seal.piece} after piece {earlier.piece}"
    elif earlier.piece != 0:
        return f"piece {seal.piece} after piece {earlier.piece}: pieces between them are left out"
    elif seal.first_number <= end:
        return f"entries from number {seal.first_number}; the opening has {end - 1}, and pieces between are left out"
    if piece.index <= before.index:
        return f"leaf {piece.index} of the log; the piece before it is leaf {before.index}"
    return ""


def check_chains(pieces: Sequence[ReadPiece], findings: Findings) -> None:
    """Computes each piece's chain again."""
    for piece in pieces:
        seal = piece.seal
        try:
            chain = chain_start(seal.table_id, seal.piece)
            for item in piece.items:
                chain = chain_next(chain, item.number, item.hand, item.time_unix_ms, item.open, item.committed)
            message = "" if chain == seal.head else "the entries are not those that were sealed"
        except (ValueError, struct.error) as error:  # a number that no entry can have
            chain, message = b"", f"the chain cannot be computed: {error}"
        if message:
            recorded, right = seal.head.hex(), chain.hex()
            findings.failed(Divergence("chain", message, seal.table_id, seal.piece, recorded=recorded, right=right))
        else:
            findings.passed("chain", len(piece.items))


def check_links(pieces: Sequence[ReadPiece], findings: Findings) -> None:
    """Checks that each seal names the leaf of the piece before it, and that of the table's opening."""
    opening: dict[str, bytes] = {}
    last: dict[str, tuple[int, bytes]] = {}
    for piece in pieces:
        seal, leaf = piece.seal, leaf_hash(piece.seal_bytes)
        number, before = last.get(seal.table_id, (-1, b""))
        if seal.piece == 0:
            opening[seal.table_id] = leaf
        else:
            if number == seal.piece - 1:
                _compare_leaf(findings, piece, "the piece before it", seal.previous, before)
            else:
                findings.unchecked("links", "the piece before it is not in the bundle")
            if seal.table_id in opening:
                _compare_leaf(findings, piece, "the table's opening", seal.opening, opening[seal.table_id])
            else:
                findings.unchecked("links", "the table's opening is not in the bundle")
                findings.lacks(f"the opening of table {seal.table_id}")
        last[seal.table_id] = (seal.piece, leaf)


def _compare_leaf(findings: Findings, piece: ReadPiece, what: str, recorded: bytes, right: bytes) -> None:
    if recorded == right:
        findings.passed("links")
        return
    seal = piece.seal
    message = f"the seal does not name the leaf of {what}"
    findings.failed(Divergence("links", message, seal.table_id, seal.piece, recorded=recorded.hex(), right=right.hex()))


def check_log(pieces: Sequence[ReadPiece], note: bytes, trust: Trust, quorum: int, findings: Findings) -> None:
    """Checks that every seal is in the log whose head the note is, and who has signed that head."""
    try:
        checkpoint = parse_checkpoint(parse_note(note).text)
    except NoteFormatError as error:
        findings.failed(Divergence("checkpoint", f"the signed head cannot be read: {error}"))
        findings.unchecked("inclusion", "the log's head cannot be read", len(pieces))
        findings.unchecked("witnesses", "the log's head cannot be read")
        return
    for piece in pieces:
        seal = piece.seal
        try:
            verify_inclusion(
                leaf_hash(piece.seal_bytes), piece.index, checkpoint.size, piece.inclusion, checkpoint.root
            )
        except ProofError as error:
            findings.failed(Divergence("inclusion", str(error), seal.table_id, seal.piece))
        else:
            findings.passed("inclusion")
    made_at_s = max([piece.seal.time_unix_ms for piece in pieces], default=0) // 1000
    _check_signatures(note, checkpoint, trust, quorum, made_at_s, findings)


def _check_signatures(
    note: bytes, checkpoint: Checkpoint, trust: Trust, quorum: int, made_at_s: int, findings: Findings
) -> None:
    try:
        ring = trust.ring(checkpoint.origin)
    except KeyFormatError as error:
        ring = None
        findings.lacks(f"keys that can be used: {error}")
    if ring is None:
        why = f"no key of log {checkpoint.origin} is given"
        if trust.log_keys:
            names = ", ".join(sorted({trusted.key.name for trusted in trust.log_keys}))
            findings.failed(Divergence("checkpoint", f"a head of log {checkpoint.origin}; keys are given of {names}"))
        else:
            findings.unchecked("checkpoint", why)
            findings.lacks("a key of the log that is believed")
        findings.unchecked("witnesses", why)
        return
    try:
        verified = verify_checkpoint(note, ring, made_at_s, quorum)
    except QuorumError as error:
        findings.passed("checkpoint")
        findings.unchecked("witnesses", str(error))
        findings.lacks(f"cosignatures: {error}")
    except (UntrustedError, LogError) as error:
        findings.failed(Divergence("checkpoint", str(error)))
        findings.unchecked("witnesses", "the log's own signature does not hold")
    else:
        findings.passed("checkpoint", len([one for one in verified.by_log if one.valid]))
        findings.passed("witnesses", len(verified.witnesses))
