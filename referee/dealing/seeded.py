"""Decks from a secret seed: an HMAC-SHA256 stream and a Fisher-Yates shuffle with rejection sampling."""

import hmac
import struct
from collections.abc import Iterator
from typing import Final

from referee.rules.cards import DECK_SIZE

MAX_BLOCK: Final = 1 << 63
_EIGHT_NUMBERS: Final = struct.Struct(">8I")


class SeededDecks:
    """Decks that depend on the seed, the block and the hand alone."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def deck(self, block: int, hand: int) -> tuple[int, ...]:
        """The deck of a hand; raises ValueError for a block or hand outside 0 to 2**63 - 1."""
        return shuffled(self.stream("deck", block, hand))

    def first_button(self, seats: tuple[int, ...]) -> int:
        """The seat that has the first button, drawn from the seed (SEAT-6)."""
        return seats[below(self.stream("button", 0, 0), len(seats))]

    def stream(self, purpose: str, block: int, hand: int) -> Iterator[int]:
        """Endless 32-bit numbers of a purpose, block and hand."""
        if not (0 <= block < MAX_BLOCK and 0 <= hand < MAX_BLOCK):
            raise ValueError(f"block {block} or hand {hand} is out of range")
        counter = 0
        while True:
            message = f"{purpose}/{block}/{hand}/{counter}".encode("ascii")
            yield from _EIGHT_NUMBERS.unpack(hmac.digest(self._seed, message, "sha256"))
            counter += 1


def below(numbers: Iterator[int], bound: int) -> int:
    """A number from 0 to bound - 1, each as likely: numbers past the last whole multiple are drawn again."""
    limit = (1 << 32) - (1 << 32) % bound
    while True:
        number = next(numbers)
        if number < limit:
            return number % bound


def shuffled(numbers: Iterator[int]) -> tuple[int, ...]:
    """The 52 cards shuffled by Fisher-Yates from the top."""
    deck = list(range(DECK_SIZE))
    for last in range(DECK_SIZE - 1, 0, -1):
        other = below(numbers, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)
