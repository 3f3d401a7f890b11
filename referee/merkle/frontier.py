"""What appending needs to know of a tree: the roots of its complete subtrees, at most one for each bit of its size."""

from dataclasses import dataclass
from typing import Final, final

from referee.merkle.hashing import EMPTY_ROOT, HASH_BYTES, MAX_SIZE, node_hash


@final
@dataclass(init=False, unsafe_hash=True)
class Frontier:
    """A tree's size in leaves and the roots of its complete subtrees, the largest (and leftmost) first.

    Raises ValueError when there is not one root of 32 bytes for each bit set in ``size``.
    """

    size: Final[int]
    peaks: Final[tuple[bytes, ...]]

    def __init__(self, size: int = 0, peaks: tuple[bytes, ...] = ()) -> None:
        if not 0 <= size <= MAX_SIZE:
            raise ValueError(f"a tree of {size} leaves; expected 0 to {MAX_SIZE}")
        if len(peaks) != size.bit_count():
            raise ValueError(f"{len(peaks)} subtrees; a tree of {size} leaves has {size.bit_count()}")
        if any([len(peak) != HASH_BYTES for peak in peaks]):
            raise ValueError(f"a subtree's root that is not of {HASH_BYTES} bytes")
        self.size = size
        self.peaks = peaks

    def root(self) -> bytes:
        """The root of the tree."""
        if not self.peaks:
            return EMPTY_ROOT
        root = self.peaks[-1]
        for peak in self.peaks[-2::-1]:
            root = node_hash(peak, root)
        return root


def append(frontier: Frontier, leaf: bytes) -> tuple[Frontier, tuple[bytes, ...]]:
    """Appends the hash of a leaf: the new frontier, and the nodes that are complete from now on.

    The first of these nodes is the leaf itself, on level 0; the node after it lies one level higher each. On level
    ``n`` its index is ``frontier.size >> n``. A node once complete never changes, so it can be stored for good.
    """
    peaks = list(frontier.peaks)
    completed = [leaf]
    rest = frontier.size
    while rest & 1:
        completed.append(node_hash(peaks.pop(), completed[-1]))
        rest >>= 1
    peaks.append(completed[-1])
    return Frontier(frontier.size + 1, tuple(peaks)), tuple(completed)
