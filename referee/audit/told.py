"""A hand as its record tells it, without judging: what of that is a game's own."""

from abc import ABC, abstractmethod
from typing import Any

from referee.audit.reading import Item
from referee.v1 import record_pb2


class ToldHand(ABC):
    """A hand that is told event by event; ``names`` are those of the seats that were there as it began."""

    def __init__(self, began: Item) -> None:
        content: Any = began.content
        told = content.seats if began.whole else content.players
        self.names: dict[int, str] = {one.seat: one.name for one in told}

    @abstractmethod
    def beginning(self) -> tuple[str, str]:
        """The rule and the words of how the hand begins."""

    @abstractmethod
    def lines(self) -> tuple[str, ...]:
        """How the table stands."""

    @abstractmethod
    def happen(self, event: Any) -> tuple[str, str]:
        """Applies an event, and returns its rule and its words."""

    @abstractmethod
    def refusal(self, stored: record_pb2.StoredRuling) -> tuple[str, str] | None:
        """The rule and the words of a refused proposal; None for an accepted one, which what follows from it tells."""
