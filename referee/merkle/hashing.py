"""The two hashes of a tree, and how it is cut."""

from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
MAX_SIZE: Final = (1 << 63) - 1
"""The most leaves that a tree may have."""

EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf's bytes. Its prefix is not a node's, so that nobody can pass a node off as a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two hashes."""
    return sha256(b"\x01" + left + right).digest()


def cut(count: int) -> int:
    """How many of ``count`` leaves, at least 2, go to the left: the largest power of two below ``count``."""
    return 1 << (count - 1).bit_length() - 1
