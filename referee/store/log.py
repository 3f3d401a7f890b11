"""The tables of the log: sealed pieces as its leaves, the complete nodes of its tree, and cosigned heads."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from referee.limits import COSIGNED_HEADS
from referee.merkle.frontier import Frontier
from referee.merkle.frontier import append as grown
from referee.merkle.hashing import HASH_BYTES, leaf_hash, node_hash
from referee.store.chain import PIECES_START, after_piece, cosigned_digest
from referee.store.items import DamagedStoreError, StoredPiece, StoreError

_PIECE: Final = "SELECT log_index, place, piece, time_unix_ms, seal, salt, chain FROM pieces"


class LogTables:
    """Reads and writes the log's tables of an open file; transactions are the caller's affair."""

    def __init__(self, file: sqlite3.Connection) -> None:
        """Reads how large the log is; raises DamagedStoreError when its last records do not fit one another."""
        self._file = file
        self.frontier = self._read_frontier()
        """The log's size and the roots that its head is made of, of what is on disk."""
        self.chain = self._chain(self.frontier.size)
        """The chain's value of the last piece."""
        self._grown = (self.frontier, self.chain)
        last = self.by_index(self.frontier.size - 1) if self.frontier.size else None
        if last is not None and leaf_hash(last.seal) != self.node(0, last.log_index):
            raise DamagedStoreError(f"record {last.log_index} of the log is not what its tree was made of")

    # --- writing ----------------------------------------------------------------------------------------

    def add(self, pieces: Iterable[tuple[int, StoredPiece]]) -> None:
        """Writes places of tables and pieces as the log's next records; they count once :meth:`kept` is called."""
        frontier, chain = self.frontier, self.chain
        rows: list[tuple[object, ...]] = []
        nodes: list[tuple[int, int, bytes]] = []
        for place, one in pieces:
            index = frontier.size
            chain = after_piece(chain, index, place, one.piece, one.time_unix_ms, one.seal, one.salt)
            rows.append((index, place, one.piece, one.time_unix_ms, one.seal, one.salt, chain))
            frontier, completed = grown(frontier, leaf_hash(one.seal))
            nodes += [(level, index >> level, node) for level, node in enumerate(completed)]
        if rows:
            self._file.executemany("INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._file.executemany("INSERT INTO nodes VALUES (?, ?, ?)", nodes)
        self._grown = (frontier, chain)

    @property
    def chain_when_kept(self) -> bytes:
        """The chain's value of the last piece that was added, on disk or not."""
        return self._grown[1]

    def kept(self) -> None:
        """What was added last is on disk."""
        self.frontier, self.chain = self._grown

    def keep_cosigned(self, size: int, note: bytes) -> None:
        """Keeps a cosigned head in place of an earlier one of its size; raises sqlite3.Error.

        Beyond ``COSIGNED_HEADS`` of them the smallest ones are dropped.
        """
        self._file.execute(
            "INSERT OR REPLACE INTO cosigned VALUES (?, ?, ?)", (size, note, cosigned_digest(size, note))
        )
        beyond = "SELECT size FROM cosigned ORDER BY size DESC LIMIT -1 OFFSET ?"
        self._file.execute(f"DELETE FROM cosigned WHERE size IN ({beyond})", (COSIGNED_HEADS,))

    # --- reading ----------------------------------------------------------------------------------------

    def piece(self, place: int, piece: int) -> StoredPiece | None:
        """A sealed piece of a table, None when there is none."""
        return self._one_piece("WHERE place = ? AND piece = ?", (place, piece))

    def last_piece(self, place: int) -> StoredPiece | None:
        """The newest sealed piece of a table, None when nothing of it is sealed."""
        return self._one_piece("WHERE place = ? ORDER BY piece DESC LIMIT 1", (place,))

    def by_index(self, index: int) -> StoredPiece | None:
        """The piece that is this record of the log, None when there is none."""
        return self._one_piece("WHERE log_index = ?", (index,))

    def _one_piece(self, where: str, values: tuple[object, ...]) -> StoredPiece | None:
        found = self._file.execute(f"{_PIECE} {where}", values).fetchone()
        if found is None:
            return None
        index, place, piece, time_unix_ms, seal, salt, chain = found
        try:
            wanted = after_piece(self._chain(index), index, place, piece, time_unix_ms, seal, salt)
        except Exception as failed:  # fields of other types than were written
            raise _damaged(index) from failed
        if wanted != chain:
            raise _damaged(index)
        return StoredPiece(piece, time_unix_ms, seal, salt, index)

    def _chain(self, size: int) -> bytes:
        """The chain's value of the first so many pieces."""
        if size == 0:
            return PIECES_START
        found = self._file.execute("SELECT chain FROM pieces WHERE log_index = ?", (size - 1,)).fetchone()
        if found is None or not isinstance(found[0], bytes):
            raise DamagedStoreError(f"record {size - 1} of the log is missing or changed")
        return found[0]

    def node(self, level: int, index: int) -> bytes:
        """A complete node of the log's tree; raises StoreError when there is none."""
        query = "SELECT hash FROM nodes WHERE level = ? AND node_index = ?"
        found = self._file.execute(query, (level, index)).fetchone()
        if found is None:
            raise StoreError(f"the log has no node {index} on level {level}")
        if not isinstance(found[0], bytes) or len(found[0]) != HASH_BYTES:
            raise DamagedStoreError(f"node {index} on level {level} of the log's tree is changed")
        return found[0]

    def _read_frontier(self) -> Frontier:
        last = self._file.execute("SELECT max(log_index) FROM pieces").fetchone()[0]
        size = 0 if last is None else int(last) + 1
        levels = [level for level in range(size.bit_length()) if size >> level & 1]
        try:
            # Where a bit of the size is set, its level has a last node of even index, which waits for its neighbour.
            return Frontier(size, tuple([self._peak(level, (size >> level) - 1) for level in reversed(levels)]))
        except (StoreError, TypeError, ValueError) as failed:
            raise DamagedStoreError(f"the log's tree of {size} records is damaged: {failed}") from failed

    def _peak(self, level: int, index: int) -> bytes:
        """A node that every later head is made of: it must fit the two below it, or the record that it stands for."""
        node = self.node(level, index)
        if level == 0:
            leaf = self.by_index(index)
            wanted = b"" if leaf is None else leaf_hash(leaf.seal)
        else:
            wanted = node_hash(self.node(level - 1, 2 * index), self.node(level - 1, 2 * index + 1))
        if wanted != node:
            raise DamagedStoreError(f"node {index} on level {level} does not fit what is below it")
        return node

    def cosigned(self) -> list[tuple[int, bytes]]:
        """The cosigned heads that are kept, sizes and notes, the largest first; one that is damaged is left out.

        They are signed, so that whoever uses one verifies it, and a witness brings new ones.
        """
        rows = self._file.execute("SELECT size, note, digest FROM cosigned ORDER BY size DESC").fetchall()
        return [(size, note) for size, note, digest in rows if _is_whole(size, note, digest)]


def _is_whole(size: object, note: object, digest: object) -> bool:
    return isinstance(size, int) and isinstance(note, bytes) and cosigned_digest(size, note) == digest


def _damaged(index: int) -> DamagedStoreError:
    return DamagedStoreError(f"record {index} of the log is damaged; the last good one is {index - 1}")
