"""A whole tree in memory."""

from collections.abc import Iterable, Sequence

from referee.merkle import proofs
from referee.merkle.frontier import Frontier
from referee.merkle.hashing import EMPTY_ROOT, node_hash


class Tree:
    """A tree of leaf hashes that can be appended to, and asked for proofs at any size that it has had."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.append(leaf)

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self._levels[0])

    @property
    def frontier(self) -> Frontier:
        """What somebody needs who only goes on appending."""
        size = self.size
        # Where a bit of the size is set, its level has a last node of even index, which waits for its neighbour.
        peaks = [nodes[-1] for level, nodes in enumerate(self._levels) if size >> level & 1]
        return Frontier(size, tuple(reversed(peaks)))

    def append(self, leaf: bytes) -> int:
        """Appends the hash of a leaf and returns its index."""
        place = index = self.size
        node = leaf
        for nodes in self._levels:
            nodes.append(node)
            if not place & 1:
                return index
            node = node_hash(nodes[-2], node)
            place >>= 1
        self._levels.append([node])
        return index

    def node(self, level: int, index: int) -> bytes:
        """A complete node; raises IndexError when there is none (yet)."""
        return self._levels[level][index]

    def root(self, size: int | None = None) -> bytes:
        """The root of the first ``size`` leaves, by default of all; raises ValueError when there are fewer."""
        return self.frontier.root() if size is None else proofs.root(self._had(size), self.node)

    def inclusion_proof(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that leaf ``index`` is in the tree of ``size`` leaves; raises ValueError when it is not."""
        return proofs.inclusion_proof(self.size if size is None else self._had(size), index, self.node)

    def consistency_proof(self, old_size: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that the tree of ``size`` leaves begins with that of ``old_size``; raises ValueError if larger."""
        return proofs.consistency_proof(old_size, self.size if size is None else self._had(size), self.node)

    def _had(self, size: int) -> int:
        if size > self.size:
            raise ValueError(f"a tree of {size} leaves is asked for; there are {self.size}")
        return size


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes, for who needs nothing else of their tree."""
    if not leaves:
        return EMPTY_ROOT
    nodes = list(leaves)
    while len(nodes) > 1:
        # An odd node out waits on the right edge, which is where the tree's cuts leave it.
        paired = [node_hash(nodes[at], nodes[at + 1]) for at in range(0, len(nodes) - 1, 2)]
        nodes = paired + nodes[len(paired) * 2 :]
    return nodes[0]
