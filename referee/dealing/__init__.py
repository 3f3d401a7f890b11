"""Where decks come from: one interface, so that a table does not know whether cards are drawn, committed or given."""

from typing import Protocol


class DeckSource(Protocol):
    """Gives the deck of a hand. Nothing that players do may change it (DEAL-3)."""

    def deck(self, block: int, hand: int) -> tuple[int, ...]:
        """All cards in the order in which they come, for a hand of a block; the same whenever it is asked.

        A source whose cards are given from outside may have none, fewer, or unknown ones, and says so.
        """
        ...
