"""Inclusion and consistency proofs, made from a tree's stored nodes."""

from collections.abc import Callable

from referee.merkle.hashing import EMPTY_ROOT, MAX_SIZE, cut, node_hash

NodeReader = Callable[[int, int], bytes]
"""Gives the complete node of a level and index: it covers leaves ``index << level`` up to ``(index + 1) << level``."""


def root(size: int, node: NodeReader) -> bytes:
    """The root of the first ``size`` leaves."""
    _check_size(size)
    return _root_between(0, size, node) if size else EMPTY_ROOT


def inclusion_proof(size: int, index: int, node: NodeReader) -> tuple[bytes, ...]:
    """The hashes that lead from leaf ``index`` to the root of the first ``size`` leaves, the lowest first.

    Raises ValueError when there is no such leaf.
    """
    _check_size(size)
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} of a tree of {size} leaves")
    path = []
    start, end = 0, size
    while end - start > 1:
        middle = start + cut(end - start)
        if index < middle:
            path.append(_root_between(middle, end, node))
            end = middle
        else:
            path.append(_root_between(start, middle, node))
            start = middle
    return tuple(reversed(path))


def consistency_proof(old_size: int, size: int, node: NodeReader) -> tuple[bytes, ...]:
    """The hashes that show that the first ``old_size`` leaves of a tree of ``size`` are the older tree.

    It is empty when the sizes are equal or the older tree is. Raises ValueError when the older tree is the larger.
    """
    _check_size(size)
    if not 0 <= old_size <= size:
        raise ValueError(f"an older tree of {old_size} leaves in a tree of {size}")
    if old_size in (0, size):
        return ()
    path = []
    start, end = 0, size
    while end != old_size:
        middle = start + cut(end - start)
        if old_size <= middle:
            path.append(_root_between(middle, end, node))
            end = middle
        else:
            path.append(_root_between(start, middle, node))
            start = middle
    # While the cuts only went left, what remains is the whole older tree, whose root the verifier has.
    if start:
        path.append(_root_between(start, end, node))
    return tuple(reversed(path))


def _root_between(start: int, end: int, node: NodeReader) -> bytes:
    """The root of leaves ``start`` up to ``end``; the tree's cuts see to it that ``start`` is aligned."""
    count = end - start
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return node(level, start >> level)
    middle = start + cut(count)
    return node_hash(_root_between(start, middle, node), _root_between(middle, end, node))


def _check_size(size: int) -> None:
    if not 0 <= size <= MAX_SIZE:
        raise ValueError(f"a tree of {size} leaves; expected 0 to {MAX_SIZE}")
