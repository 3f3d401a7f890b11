"""Vectors of the log's tree: hashes, roots, proofs that hold and proofs that do not (docs/signed-log.md)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from referee.merkle.hashing import EMPTY_ROOT, leaf_hash, node_hash
from referee.merkle.tree import Tree
from referee.merkle.verification import ProofError, ProofShapeError, verify_consistency, verify_inclusion

LEAVES: Final = (
    b"",
    b"\x00",
    b"\x10",
    b"  !",
    b"0123",
    b"@ABCDEFG",
    b"`" * 16,
    bytes(range(256)),
    *[b"%d" % at for at in range(13)],
)
INCLUSIONS: Final = (
    (0, 1),
    (0, 2),
    (1, 2),
    (2, 3),
    (0, 7),
    (3, 7),
    (6, 7),
    (4, 8),
    (7, 8),
    (0, 21),
    (15, 21),
    (16, 21),
    (20, 21),
)
CONSISTENCIES: Final = (
    (0, 5),
    (1, 1),
    (1, 2),
    (1, 8),
    (2, 5),
    (3, 7),
    (4, 7),
    (4, 8),
    (6, 8),
    (7, 21),
    (8, 21),
    (16, 21),
    (20, 21),
    (21, 21),
)
HUGE: Final = (
    (0, 1 << 40),
    ((1 << 40) + 2, (1 << 40) + 3),
    ((1 << 53) + 1, (1 << 53) + 5),
    ((1 << 63) - 2, (1 << 63) - 1),
)


def vectors() -> dict[str, Any]:
    """The file's content; sizes and indexes are text, since JavaScript's numbers end at 2**53."""
    tree = Tree([leaf_hash(data) for data in LEAVES])
    return {
        "empty_root": EMPTY_ROOT.hex(),
        "leaves": [{"data": data.hex(), "hash": leaf_hash(data).hex()} for data in LEAVES],
        "nodes": [
            {"left": tree.node(0, at).hex(), "right": tree.node(0, at + 1).hex(), "hash": tree.node(1, at // 2).hex()}
            for at in (0, 2, 4)
        ],
        "roots": [{"size": str(size), "root": tree.root(size).hex()} for size in range(len(LEAVES) + 1)],
        "inclusion": [*_inclusions(tree), *map(_huge_inclusion, HUGE)],
        "consistency": _consistencies(tree),
    }


# --- inclusion ------------------------------------------------------------------------------------------


def _inclusions(tree: Tree) -> list[dict[str, Any]]:
    cases = []
    for index, size in INCLUSIONS:
        leaf, proof, root = tree.node(0, index), tree.inclusion_proof(index, size), tree.root(size)
        cases.append(_inclusion("good", leaf, index, size, proof, root))
    leaf, proof, root = tree.node(0, 3), tree.inclusion_proof(3, 7), tree.root(7)
    for name, what in {
        "another leaf": (tree.node(0, 4), 3, 7, proof, root),
        "a leaf's data hashed as a node": (sha256(b"\x01" + LEAVES[3]).digest(), 3, 7, proof, root),
        "another index": (leaf, 2, 7, proof, root),
        "index at the size": (leaf, 7, 7, proof, root),
        "an empty tree": (leaf, 0, 0, (), EMPTY_ROOT),
        "a smaller size": (leaf, 3, 4, proof, root),
        "a size of another shape": (leaf, 3, 9, proof, root),
        "a proof that is too short": (leaf, 3, 7, proof[:-1], root),
        "a proof that is too long": (leaf, 3, 7, (*proof, bytes(32)), root),
        "no proof": (leaf, 3, 7, (), root),
        "a proof in another order": (leaf, 3, 7, proof[::-1], root),
        "a changed hash": (leaf, 3, 7, (proof[0], _changed(proof[1]), *proof[2:]), root),
        "a hash that is cut off": (leaf, 3, 7, (proof[0][:31], *proof[1:]), root),
        "another root": (leaf, 3, 7, proof, _changed(root)),
        "the root of another size": (leaf, 3, 7, proof, tree.root(8)),
        "a root that is cut off": (leaf, 3, 7, proof, root[:31]),
        "a leaf that is cut off": (leaf[:31], 3, 7, proof, root),
    }.items():
        cases.append(_inclusion(name, *what))
    return cases


def _huge_inclusion(place: tuple[int, int]) -> dict[str, Any]:
    """A proof in a tree that nobody has: whatever root it leads to is the tree's."""
    index, size = place
    inner = (index ^ (size - 1)).bit_length()
    count = inner + (index >> inner).bit_count()
    leaf = leaf_hash(b"%d of %d" % place)
    proof = [sha256(b"%d" % level).digest() for level in range(count)]
    root = leaf
    for level, other in enumerate(proof):
        root = node_hash(other, root) if level >= inner or index >> level & 1 else node_hash(root, other)
    return _inclusion(f"good, beyond 32 bits ({count} hashes)", leaf, index, size, tuple(proof), root)


def _inclusion(name: str, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> dict[str, Any]:
    fault = _fault(lambda: verify_inclusion(leaf, index, size, proof, root))
    assert name.startswith("good") is (not fault), f"{name}: {fault or 'holds'}"
    return {
        "name": name,
        "leaf_hash": leaf.hex(),
        "index": str(index),
        "size": str(size),
        "proof": [one.hex() for one in proof],
        "root": root.hex(),
        "fault": fault,
    }


# --- consistency ----------------------------------------------------------------------------------------


def _consistencies(tree: Tree) -> list[dict[str, Any]]:
    cases = []
    for old, new in CONSISTENCIES:
        proof = tree.consistency_proof(old, new)
        cases.append(_consistency("good", old, tree.root(old), new, tree.root(new), proof))
    proof, old_root, root = tree.consistency_proof(6, 8), tree.root(6), tree.root(8)
    for name, what in {
        "another older root": (6, tree.root(5), 8, root, proof),
        "another newer root": (6, old_root, 8, tree.root(9), proof),
        "roots exchanged": (6, root, 8, old_root, proof),
        "an older size of the same shape": (5, old_root, 8, root, proof),
        "an older size of another shape": (4, old_root, 8, root, proof),
        "an older tree that is larger": (8, root, 6, old_root, proof),
        "a proof that is too short": (6, old_root, 8, root, proof[:-1]),
        "a proof that is too long": (6, old_root, 8, root, (*proof, bytes(32))),
        "a proof in another order": (6, old_root, 8, root, proof[::-1]),
        "a changed hash": (6, old_root, 8, root, (_changed(proof[0]), *proof[1:])),
        "a hash that is cut off": (6, old_root, 8, root, (proof[0][:31], *proof[1:])),
        "equal sizes with two roots": (8, root, 8, _changed(root), ()),
        "equal sizes with a proof": (8, root, 8, root, proof),
        "an empty older tree with another root": (0, old_root, 8, root, ()),
        "an empty older tree with a proof": (0, EMPTY_ROOT, 8, root, proof),
        "a whole older tree with its own root in the proof": (
            4,
            tree.root(4),
            8,
            root,
            (tree.root(4), tree.node(2, 1)),
        ),
    }.items():
        cases.append(_consistency(name, *what))
    return cases


def _consistency(
    name: str, old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]
) -> dict[str, Any]:
    fault = _fault(lambda: verify_consistency(old_size, old_root, size, root, proof))
    assert name.startswith("good") is (not fault), f"{name}: {fault or 'holds'}"
    return {
        "name": name,
        "old_size": str(old_size),
        "old_root": old_root.hex(),
        "size": str(size),
        "root": root.hex(),
        "proof": [one.hex() for one in proof],
        "fault": fault,
    }


# --- both -----------------------------------------------------------------------------------------------


def _fault(check: Any) -> str:
    """Empty when the proof holds, ``SHAPE`` for one that none can have, ``MISMATCH`` for one to another root."""
    try:
        check()
    except ProofError as wrong:
        return "SHAPE" if isinstance(wrong, ProofShapeError) else "MISMATCH"
    return ""


def _changed(some: bytes) -> bytes:
    return bytes([some[0] ^ 1]) + some[1:]
