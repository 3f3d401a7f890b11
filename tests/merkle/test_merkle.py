"""Merkle trees beside the RFC's definitions: every tree up to 70 leaves, and bigger ones by Hypothesis."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.merkle import tree as tree_module
from referee.merkle.frontier import Frontier, append
from referee.merkle.hashing import EMPTY_ROOT, MAX_SIZE, leaf_hash, node_hash
from referee.merkle.tree import Tree
from referee.merkle.verification import (
    ProofError,
    ProofMismatchError,
    ProofShapeError,
    verify_consistency,
    verify_inclusion,
)
from tests.merkle import naive
from tests.support import scale

MOST = 70
KNOWN_ENTRIES = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    bytes(range(0x50, 0x58)),
    bytes(range(0x60, 0x70)),
]
# The roots of the first 0 to 8 entries, as certificate transparency's implementations have them.
KNOWN_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def entry(at):
    return b"entry %d" % at


@cache
def tree_of(size):
    return Tree(leaf_hash(entry(at)) for at in range(size))


@cache
def root_of(size):
    return naive.mth([entry(at) for at in range(size)])


def flips(some):
    for bit in range(8 * len(some)):
        yield (int.from_bytes(some, "big") ^ 1 << bit).to_bytes(len(some), "big")


def test_the_known_roots():
    tree = Tree()
    for size, expected in enumerate(KNOWN_ROOTS):
        assert naive.mth(KNOWN_ENTRIES[:size]).hex() == expected
        assert tree.root().hex() == expected
        if size < len(KNOWN_ENTRIES):
            assert tree.append(leaf_hash(KNOWN_ENTRIES[size])) == size


def test_leaves_and_nodes_are_hashed_apart():
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert node_hash(left, right) != leaf_hash(left + right)
    assert leaf_hash(b"") != EMPTY_ROOT


def test_every_root_at_every_size():
    tree, frontier = tree_of(MOST), Frontier()
    for size in range(MOST + 1):
        assert tree.root(size) == tree_of(size).root() == frontier.root() == root_of(size)
        assert tree_of(size).frontier == frontier
        assert tree_module.root_of([leaf_hash(entry(at)) for at in range(size)]) == frontier.root()
        frontier, completed = append(frontier, leaf_hash(entry(size)))
        for level, node in enumerate(completed):
            index = size >> level
            covered = range(index << level, (index + 1) << level)
            assert covered[-1] == size
            assert node == naive.mth([entry(at) for at in covered])


def test_every_inclusion_proof():
    tree, entries = tree_of(MOST), [entry(at) for at in range(MOST)]
    for size in range(1, MOST + 1):
        for index in range(size):
            proof = tree.inclusion_proof(index, size)
            assert list(proof) == naive.path(index, entries[:size])
            verify_inclusion(leaf_hash(entry(index)), index, size, proof, root_of(size))


def test_every_consistency_proof():
    tree, entries = tree_of(MOST), [entry(at) for at in range(MOST)]
    for size in range(MOST + 1):
        for old in range(size + 1):
            proof = tree.consistency_proof(old, size)
            assert list(proof) == (naive.proof(old, entries[:size]) if old else [])
            verify_consistency(old, root_of(old), size, root_of(size), proof)


def test_no_inclusion_proof_fits_another_place_or_tree():
    tree = tree_of(MOST)
    for size in range(1, 20):
        for index in range(size):
            proof = tree.inclusion_proof(index, size)
            for other_size in range(size + 3):
                for other in range(-1, other_size + 1):
                    if (other, other_size) == (index, size):
                        continue
                    with pytest.raises(ProofError):
                        verify_inclusion(leaf_hash(entry(index)), other, other_size, proof, root_of(other_size))
            with pytest.raises(ProofMismatchError):
                verify_inclusion(leaf_hash(entry(index + 1)), index, size, proof, root_of(size))


def test_no_consistency_proof_fits_other_trees():
    tree = tree_of(MOST)
    for size in range(1, 20):
        for old in range(1, size):
            proof = tree.consistency_proof(old, size)
            for other_size in range(1, 22):
                for other in range(1, other_size + 2):
                    if (other, other_size) == (old, size):
                        continue
                    with pytest.raises(ProofError):
                        verify_consistency(other, root_of(other), other_size, root_of(other_size), proof)


def test_every_changed_bit_of_a_proof_is_noticed():
    rng = random.Random(6962)
    tree = tree_of(MOST)
    for _ in range(scale(25, 400)):
        size = rng.randint(2, MOST)
        index, old = rng.randrange(size), rng.randint(1, size - 1)
        leaf, root, before = leaf_hash(entry(index)), root_of(size), root_of(old)
        included, consistent = tree.inclusion_proof(index, size), tree.consistency_proof(old, size)
        for changed in changes(included):
            with pytest.raises(ProofError):
                verify_inclusion(leaf, index, size, changed, root)
        for changed in changes(consistent):
            with pytest.raises(ProofError):
                verify_consistency(old, before, size, root, changed)
        for other in flips(root):
            with pytest.raises(ProofMismatchError):
                verify_inclusion(leaf, index, size, included, other)
            with pytest.raises(ProofMismatchError):
                verify_consistency(old, before, size, other, consistent)
        for other in flips(before):
            with pytest.raises(ProofMismatchError):
                verify_consistency(old, other, size, root, consistent)


def changes(proof):
    """One bit flipped; a hash dropped, added, doubled, shortened; neighbours swapped."""
    for at, one in enumerate(proof):
        yield from ((*proof[:at], other, *proof[at + 1 :]) for other in flips(one))
        yield proof[:at] + proof[at + 1 :]
        yield (*proof[:at], one, *proof[at:])
        yield (*proof[:at], one[:-1], *proof[at + 1 :])
    yield (*proof, bytes(32))
    for at in range(len(proof) - 1):
        yield (*proof[:at], proof[at + 1], proof[at], *proof[at + 2 :])


@settings(max_examples=scale(60, 1000))
@given(st.data())
def test_bigger_trees(data):
    size = data.draw(st.integers(1, scale(3000, 20000)))
    old = data.draw(st.integers(0, size))
    index = data.draw(st.integers(0, size - 1))
    tree = whole_tree()
    root = tree.root(size)
    verify_inclusion(tree.node(0, index), index, size, tree.inclusion_proof(index, size), root)
    verify_consistency(old, tree.root(old), size, root, tree.consistency_proof(old, size))
    assert len(tree.inclusion_proof(index, size)) <= (size - 1).bit_length()
    assert len(tree.consistency_proof(old, size)) <= (size - 1).bit_length() + 1


@cache
def whole_tree():
    return Tree(leaf_hash(entry(at)) for at in range(scale(3000, 20000)))


@given(st.integers(0, MAX_SIZE), st.binary(min_size=32, max_size=32))
def test_a_frontier_of_any_size_can_be_appended_to(size, seed):
    """Only the roots of subtrees are there, so trees that nobody could build are appended to as well."""
    peaks = tuple(node_hash(seed, bytes([at])) for at in range(size.bit_count()))
    frontier = Frontier(size, peaks)
    if size == MAX_SIZE:
        with pytest.raises(ValueError, match="leaves"):
            append(frontier, seed)
        return
    after, completed = append(frontier, seed)
    assert after.size == size + 1
    assert completed[0] == seed
    assert after.peaks[-1] == completed[-1]
    # The path of the leaf appended last: all subtrees, which lie to its left.
    verify_inclusion(seed, size, size + 1, peaks[::-1], after.root())
    assert len(after.peaks) <= 63


@pytest.mark.parametrize(
    ("size", "peaks", "message"),
    [
        (-1, (), "a tree of -1 leaves"),
        (1 << 63, (), "leaves; expected 0 to"),
        (3, (bytes(32),), "1 subtrees; a tree of 3 leaves has 2"),
        (0, (bytes(32),), "1 subtrees"),
        (1, (b"",), "not of 32 bytes"),
    ],
)
def test_a_frontier_that_cannot_be_is_refused(size, peaks, message):
    with pytest.raises(ValueError, match=message):
        Frontier(size, peaks)


def test_what_is_not_there_is_not_proved():
    tree = tree_of(5)
    for asked in (
        lambda: tree.inclusion_proof(5),
        lambda: tree.inclusion_proof(-1),
        lambda: tree.inclusion_proof(0, 6),
        lambda: tree.inclusion_proof(3, 3),
        lambda: tree.consistency_proof(6),
        lambda: tree.consistency_proof(-1),
        lambda: tree.consistency_proof(4, 3),
        lambda: tree.root(6),
        lambda: tree.root(-1),
    ):
        with pytest.raises(ValueError, match="leaves"):
            asked()


def test_errors_say_what_is_wrong():
    tree = tree_of(20)
    proof = tree.inclusion_proof(3)
    leaf, root = tree.node(0, 3), tree.root()
    with pytest.raises(ProofShapeError, match="leaf 20 of a tree of 20 leaves"):
        verify_inclusion(leaf, 20, 20, proof, root)
    with pytest.raises(ProofShapeError, match="leaf 3 of 20: a proof of 4 hashes; expected 5"):
        verify_inclusion(leaf, 3, 20, proof[:-1], root)
    with pytest.raises(ProofShapeError, match="not of 32 bytes"):
        verify_inclusion(leaf[:-1], 3, 20, proof, root)
    with pytest.raises(ProofMismatchError, match=f"leads to root {root.hex()}, not {bytes(32).hex()}"):
        verify_inclusion(leaf, 3, 20, proof, bytes(32))
    grown = tree.consistency_proof(7)
    with pytest.raises(ProofShapeError, match="an older tree of 21 leaves in a tree of 20"):
        verify_consistency(21, root, 20, root, grown)
    with pytest.raises(ProofShapeError, match="7 leaves to 20: a proof of 0 hashes; expected"):
        verify_consistency(7, tree.root(7), 20, root, ())
    with pytest.raises(ProofShapeError, match="20 leaves to 20: a proof of 1 hashes; expected 0"):
        verify_consistency(20, root, 20, root, (root,))
    with pytest.raises(ProofMismatchError, match="7 leaves: the proof leads to root"):
        verify_consistency(7, root, 20, root, grown)
    with pytest.raises(ProofMismatchError, match="20 leaves: the proof leads to root"):
        verify_consistency(7, tree.root(7), 20, tree.root(7), grown)
    with pytest.raises(ProofMismatchError, match="two roots for 20 leaves"):
        verify_consistency(20, root, 20, tree.root(7), ())
    with pytest.raises(ProofMismatchError, match="two roots for 0 leaves"):
        verify_consistency(0, root, 20, root, ())
