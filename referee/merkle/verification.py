"""Checking proofs, with nothing but the roots in hand.

The sides on which a proof's hashes stand follow from the sizes alone: the path climbs through a part where the tree is
cut like a complete one (the *inner* part), and then along the tree's right edge (the *border*), where every hash
stands on the left.
"""

from collections.abc import Sequence

from referee.merkle.hashing import EMPTY_ROOT, HASH_BYTES, MAX_SIZE, node_hash


class ProofError(ValueError):
    """A proof that proves nothing; the message says what is wrong with it."""


class ProofShapeError(ProofError):
    """Sizes, an index or a number of hashes that no proof can have."""


class ProofMismatchError(ProofError):
    """A proof of the right shape that leads to another root."""


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Checks that the leaf of this hash is number ``index`` of the tree of ``size`` leaves with this root.

    Raises ProofShapeError or ProofMismatchError.
    """
    if not 0 <= index < size <= MAX_SIZE:
        raise ProofShapeError(f"leaf {index} of a tree of {size} leaves")
    inner, border = _parts(index, size)
    _check_hashes((leaf, root, *proof), len(proof), inner + border, f"leaf {index} of {size}")
    reached = leaf
    for level, other in enumerate(proof):
        on_the_left = level >= inner or index >> level & 1
        reached = node_hash(other, reached) if on_the_left else node_hash(reached, other)
    if reached != root:
        raise ProofMismatchError(f"leaf {index} of {size}: the proof leads to root {reached.hex()}, not {root.hex()}")


def verify_consistency(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> None:
    """Checks that the tree of ``size`` leaves with this root begins with the tree of ``old_size`` and ``old_root``.

    Raises ProofShapeError or ProofMismatchError; the latter says whether the older or the newer root is missed.
    """
    if not 0 <= old_size <= size <= MAX_SIZE:
        raise ProofShapeError(f"an older tree of {old_size} leaves in a tree of {size}")
    if old_size in (0, size):
        _check_hashes((old_root, root), len(proof), 0, f"{old_size} leaves to {size}")
        if old_root != (root if old_size else EMPTY_ROOT):
            raise ProofMismatchError(f"two roots for {old_size} leaves")
        if size == 0 and root != EMPTY_ROOT:
            raise ProofMismatchError("a tree without leaves has another root")
        return
    _verify_growth(old_size, old_root, size, root, proof)


def _verify_growth(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> None:
    """The proof is the path of the older tree's last complete subtree; its left part also makes the older root."""
    level = (old_size & -old_size).bit_length() - 1
    whole = old_size == 1 << level
    inner, border = _parts(old_size - 1, size)
    inner -= level
    expected = inner + border + (not whole)
    _check_hashes((old_root, root, *proof), len(proof), expected, f"{old_size} leaves to {size}")
    # A whole older tree is itself the subtree that the path starts from, so the proof leaves it out.
    start = old_root if whole else proof[0]
    path = proof if whole else proof[1:]
    older = newer = start
    for step, other in enumerate(path):
        if step >= inner or (old_size - 1) >> level + step & 1:
            older = node_hash(other, older)
            newer = node_hash(other, newer)
        else:
            newer = node_hash(newer, other)
    for reached, wanted, leaves in ((older, old_root, old_size), (newer, root, size)):
        if reached != wanted:
            raise ProofMismatchError(f"{leaves} leaves: the proof leads to root {reached.hex()}, not {wanted.hex()}")


def _parts(index: int, size: int) -> tuple[int, int]:
    """How many hashes of the path from a leaf belong to the inner part and to the border."""
    inner = (index ^ (size - 1)).bit_length()
    return inner, (index >> inner).bit_count()


def _check_hashes(hashes: Sequence[bytes], count: int, expected: int, what: str) -> None:
    if count != expected:
        raise ProofShapeError(f"{what}: a proof of {count} hashes; expected {expected}")
    if any([len(one) != HASH_BYTES for one in hashes]):
        raise ProofShapeError(f"{what}: a hash that is not of {HASH_BYTES} bytes")
