"""Blocks of HMAC-SHA256 under labels, numbers from them, and the shuffle that uses the numbers."""

import struct
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

BLOCK_BYTES: Final = 32
NUMBERS_IN_A_BLOCK: Final = 16
MAX_ITEMS: Final = 1024
"""The most items that a shuffle takes, and the highest bound of a drawn number."""

_NUMBERS: Final = 1 << 16
_HMAC_BLOCK_BYTES: Final = 64
_ACCEPTED: Final = tuple(_NUMBERS - _NUMBERS % max(bound, 1) for bound in range(MAX_ITEMS + 1))
"""By bound: numbers from here on are drawn again, so that each remainder is as likely as the others."""


class KeyedBlocks:
    """HMAC-SHA256 of labels under one key of 32 bytes.

    Written out, because calls cost more than hashing here: a block is two of them instead of six.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != BLOCK_BYTES:
            raise ValueError(f"a key of {len(key)} bytes; expected {BLOCK_BYTES}")
        padded = key.ljust(_HMAC_BLOCK_BYTES, b"\x00")
        self._inner = bytes([byte ^ 0x36 for byte in padded])
        self._outer = bytes([byte ^ 0x5C for byte in padded])

    def blocks(self, label: str, first: int, count: int) -> bytes:
        """Blocks number ``first`` and following: each is the HMAC of ``label``, a slash, and its decimal number."""
        outer, labelled = self._outer, self._inner + f"{label}/".encode("ascii")
        numbers = range(first, first + count)
        return b"".join([sha256(outer + sha256(labelled + b"%d" % number).digest()).digest() for number in numbers])

    def numbers(self, label: str, expected: int) -> Iterator[int]:
        """Endless 16-bit numbers, big-endian, of a label; about ``expected`` of them are wanted."""
        at_once = max(1, -(-expected // NUMBERS_IN_A_BLOCK))
        yield from struct.unpack(f">{at_once * NUMBERS_IN_A_BLOCK}H", self.blocks(label, 0, at_once))
        number = at_once
        while True:
            yield from struct.unpack(f">{NUMBERS_IN_A_BLOCK}H", self.blocks(label, number, 1))
            number += 1


def below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 to ``bound - 1``, each as likely, from 16-bit numbers; ``bound`` is 1 to ``MAX_ITEMS``."""
    accepted = _ACCEPTED[bound]
    while True:
        number = next(numbers)
        if number < accepted:
            return number % bound


def shuffled(count: int, numbers: Iterator[int]) -> tuple[int, ...]:
    """The items 0 to ``count - 1`` shuffled by Fisher-Yates from the top."""
    items = list(range(count))
    for top in range(count - 1, 0, -1):
        # `below`, written out: a call for each card would be a third of the time.
        number = next(numbers)
        while number >= _ACCEPTED[top + 1]:
            number = next(numbers)
        other = number % (top + 1)
        items[top], items[other] = items[other], items[top]
    return tuple(items)
