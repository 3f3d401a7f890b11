"""What of auditing a table is its game's own: a hand, what is conserved in it, what it is dealt, how the next begins.

Everything else, from the chain of hashes to clocks, seeds, signatures and faults, is the same whatever is played.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from referee.audit.hand_walk import HandWalk
from referee.audit.reading import Item
from referee.audit.seating import RecordedBeginning, Seating
from referee.dealing.fair import FairDecks
from referee.dealing.openings import CommittedDeck

Deck = tuple[int, ...]


class Wrong(NamedTuple):
    """What a record has otherwise than it is dealt, or counted: the rule, what is wrong, recorded and right."""

    rule: str
    message: str
    recorded: str
    right: str


class Dealt(ABC):
    """The decks of the hand under way, with which what is dealt is compared."""

    @abstractmethod
    def compare(self, item: Item) -> Wrong | int:
        """Compares an event; returns what is wrong, or how many cards or tiles are right."""


class Conserved(ABC):
    """What neither appears nor disappears in a hand, counted from the recorded events alone."""

    @abstractmethod
    def count(self, item: Item) -> None:
        """Counts an event."""

    @abstractmethod
    def fault(self) -> Wrong | None:
        """What is wrong at the end of the hand, None for nothing."""

    @abstractmethod
    def carry_on(self, seating: Seating) -> None:
        """Takes what the hand leaves over to the next one."""


class AuditedGame(ABC):
    """A table's game as an auditor sees it.

    ``event_kind`` is the field of StoredEvent and SeenEvent that its events have; ``deck_texts`` names the items
    of its decks by their numbers.
    """

    event_kind: str
    deck_texts: Sequence[str]
    seating: Seating

    @abstractmethod
    def conserved(self, item: Item, dealt_in: tuple[int, ...]) -> Conserved:
        """Begins to count what is conserved in a hand; raises RuleSetError when none can begin like this."""

    @abstractmethod
    def hand_walk(
        self, item: Item, items: Iterable[Item], dealt_in: tuple[int, ...], viewer: int, decks: Sequence[Deck]
    ) -> HandWalk[Any, Any]:
        """A hand from its beginning, to be followed; ``items`` are the entries from there on.

        ``decks`` are those that the seeds, or the host, say it has; none where they are not known. Raises RuleSetError
        when no hand can begin like this, KeyError for a seat at which nobody sits.
        """

    @abstractmethod
    def roots(self, began: RecordedBeginning) -> list[bytes]:
        """The roots of decks that a hand's beginning tells; those that it does not have are left out."""

    @abstractmethod
    def committed(self, decks: FairDecks, hand: int, players: int) -> list[CommittedDeck]:
        """The decks of a hand, made from the seeds; raises DealError and RuleSetError."""

    @abstractmethod
    def dealt(self, decks: Sequence[Deck], dealt_in: Sequence[int]) -> Dealt:
        """Begins to compare what a hand is dealt with its decks."""
