"""Decks that nobody chose: they follow from the referee's committed seed and the seats' seeds, by ``referee-deal/1``.

docs/fair-deals.md specifies every byte, and what this does not prove.
"""

from typing import Final

from referee.dealing.errors import DealError
from referee.dealing.openings import SALT_BYTES, CommittedDeck, Deal
from referee.dealing.seeds import DERIVATION, check_seats
from referee.dealing.stream import BLOCK_BYTES, MAX_ITEMS, KeyedBlocks, below, shuffled
from referee.rules.cards import DECK_SIZE

MAX_NUMBER: Final = (1 << 63) - 1
"""The highest number of a block, a hand and a redeal."""


class FairDecks:
    """The decks of a match (a :class:`~referee.dealing.DeckSource`): they depend on its seeds, block and hand alone.

    ``items`` is 52 for cards, 28 for Kozel's tiles. Raises DealError when it is not 1 to 1024.
    """

    def __init__(self, match: str, match_seed: bytes, items: int = DECK_SIZE) -> None:
        if not 1 <= items <= MAX_ITEMS:
            raise DealError(f"a deck of {items}; expected 1 to {MAX_ITEMS}")
        self._match = match
        self._items = items
        self._blocks = KeyedBlocks(match_seed)
        self._last: tuple[Deal, tuple[int, ...]] | None = None
        self._last_root: tuple[Deal, bytes] | None = None

    def deck(self, block: int, hand: int, redeal: int = 0) -> tuple[int, ...]:
        """All items in the order in which they come (DEAL-3).

        Raises DealError for a number outside 0 to 2**63 - 1.
        """
        return self._deck(self.deal(block, hand, redeal))

    def committed(self, block: int, hand: int, redeal: int = 0) -> CommittedDeck:
        """The deck with its salts and the root that commits to it; raises DealError as :meth:`deck` does."""
        deal = self.deal(block, hand, redeal)
        needed = -(-self._items * SALT_BYTES // BLOCK_BYTES)
        salts = self._blocks.blocks(f"{DERIVATION}/salt/{deal.path}", 0, needed)
        return CommittedDeck(
            deal,
            self._deck(deal),
            tuple([salts[at : at + SALT_BYTES] for at in range(0, self._items * SALT_BYTES, SALT_BYTES)]),
        )

    def root(self, block: int, hand: int, redeal: int = 0) -> bytes:
        """The root that commits to a deck; raises DealError as :meth:`deck` does.

        The last one is kept: who asks for it before it is needed has it then at once.
        """
        deal = self.deal(block, hand, redeal)
        if self._last_root is None or self._last_root[0] != deal:
            self._last_root = deal, self.committed(block, hand, redeal).root
        return self._last_root[1]

    def first_button(self, seats: tuple[int, ...]) -> int:
        """The seat that has the first button (SEAT-6); ``seats`` ascending. Raises SeedError for other seats."""
        check_seats(seats)
        return seats[below(len(seats), self._blocks.numbers(f"{DERIVATION}/button", 1))]

    def deal(self, block: int, hand: int, redeal: int = 0) -> Deal:
        """The name of a deck; raises DealError for a number outside 0 to 2**63 - 1."""
        for number, what in ((block, "block"), (hand, "hand"), (redeal, "redeal")):
            if not 0 <= number <= MAX_NUMBER:
                raise DealError(f"{what} {number}; expected 0 to {MAX_NUMBER}")
        return Deal(self._match, self._items, block, hand, redeal)

    def _deck(self, deal: Deal) -> tuple[int, ...]:
        # Who deals a deck has just committed to it: the last one is asked for twice.
        if self._last is None or self._last[0] != deal:
            numbers = self._blocks.numbers(f"{DERIVATION}/deck/{deal.path}", self._items - 1)
            self._last = deal, shuffled(self._items, numbers)
        return self._last[1]
