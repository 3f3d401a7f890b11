"""What a client must know of a game to play it; connections, cursors, answers and refusals are the same in all of them.

A game is one class, listed in :mod:`referee.client.games`, with the decision that its bots are asked.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Protocol

from referee.client.asking import AnyDecision, AnyOptions, AnyProposal, AnyRuling
from referee.client.hand_view import HandView
from referee.client.kozel_view import KozelView
from referee.dealing.fair import FairDecks
from referee.v1 import table_pb2

AnyView = HandView | KozelView


class Dealt(Protocol):
    """What a seat saw of a hand's cards or tiles, and what was published before it."""

    def check(self, decks: FairDecks) -> None:
        """Raises DealError unless they are those of the decks that the seeds make."""


class SeatGame(ABC):
    """A game as one seat plays it at one table: the hand under way as the seat sees it, and the game's own messages.

    ``event_field`` is where a SeenEvent has the game's events, ``deck_items`` how many cards or tiles a deck has.
    ``view`` is the hand under way, or the last one; None before the first.
    """

    event_field: ClassVar[str]
    deck_items: ClassVar[int]
    view: AnyView | None

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id

    @abstractmethod
    def begin(self, number: int, began: table_pb2.HandBegan, names: Mapping[int, str], match_name: str) -> None:
        """Takes the beginning of a hand; raises RuleSetError when no hand can begin so."""

    @abstractmethod
    def fold(self, seen: table_pb2.SeenEvent) -> bool:
        """Takes an event of the hand, and says whether the hand has ended with it; unknown kinds are passed over."""

    @abstractmethod
    def options(self, message: table_pb2.Decision) -> AnyOptions:
        """What is legal."""

    @abstractmethod
    def decision(self, options: AnyOptions, remaining_ms: int | None, refusal: AnyRuling | None) -> AnyDecision:
        """The open decision of the hand under way."""

    @abstractmethod
    def is_accepted(self, answered: table_pb2.Answered) -> bool:
        """Whether an answer was accepted."""

    @abstractmethod
    def refusal(self, answered: table_pb2.Answered) -> AnyRuling | None:
        """The ruling that refused an answer; None where it is none, because the table takes no answers now."""

    @abstractmethod
    def propose(self, request_id: str, proposal: AnyProposal) -> table_pb2.Propose:
        """The message that proposes."""

    @abstractmethod
    def instead(self, decision: AnyDecision) -> AnyProposal:
        """What is answered for a bot that was refused too often."""

    @abstractmethod
    def tally(self, played: "Tally") -> None:
        """Adds the hand that is over to what the seat's play came to."""

    @abstractmethod
    def dealt(self) -> Dealt | None:
        """What is to be checked of the hand that is over, None where the host gave the decks."""


class Tally(Protocol):
    """What games enter of a hand that is over."""

    net: int
    points: int
    rating: int | None
