"""What a table plays, as the table sees it: how hands begin, who decides in them, what is ruled, when all is over.

A *hand* is what a game is played and recorded in: a hand of poker, a round of Kozel. Everything else of a table, its
seats, clocks, seeds, streams and records, is the same whatever it plays.
"""

from abc import ABC, abstractmethod

from referee.dealing import DeckSource
from referee.dealing.fair import FairDecks
from referee.dealing.given import GivenDecks
from referee.kozel.events import Event as KozelEvent
from referee.kozel.rulings import LegalOptions as KozelOptions
from referee.kozel.rulings import Proposal as KozelProposal
from referee.kozel.rulings import Ruling as KozelRuling
from referee.kozel.state import Round
from referee.rules.events import Event
from referee.rules.rulings import LegalOptions, Proposal, Ruling
from referee.rules.state import Hand
from referee.table.fields import GameFields
from referee.table.seats import Seat
from referee.v1 import record_pb2, table_pb2

GameEvent = Event | KozelEvent
GameProposal = Proposal | KozelProposal
GameRuling = Ruling | KozelRuling
GameOptions = LegalOptions | KozelOptions
GameState = Hand | Round

NOT_OVER = table_pb2.END_REASON_UNSPECIFIED


class Game(ABC):
    """One table's game. ``hand_id`` names the hand under way, or the last one; empty before the first.

    ``deck_items`` is how many items its decks have. The game holds the hand and what leads from one to the next;
    it changes by :meth:`begin`, :meth:`apply` and what :meth:`propose`, :meth:`answer_for` and :meth:`advance` return.
    """

    def __init__(self, fields: GameFields, deck_items: int) -> None:
        self.fields = fields
        self.deck_items = deck_items
        self.hand_id = ""

    # --- seats ------------------------------------------------------------------------------------------

    def has_seat(self, seat: int) -> bool:
        """Whether anybody may sit there at all."""
        return True

    def first_stack(self, seat: int) -> int:
        """The chips with which a seat begins."""
        return 0

    @abstractmethod
    def why_nobody_sits_down(self, hand_number: int, seeds_are_closed: bool) -> str:
        """Why no seat is taken any more, though some are free; empty when they are."""

    @abstractmethod
    def why_nobody_sits_out(self) -> str:
        """Why nobody sits out, nor in again; empty where seats may."""

    @abstractmethod
    def why_not_filled_up(self, seats: dict[int, Seat], to: int) -> str:
        """Why a stack is not filled up to so many chips; empty when it may be."""

    # --- hands ------------------------------------------------------------------------------------------

    @abstractmethod
    def next_hand(
        self, number: int, seats: dict[int, Seat], decks: FairDecks, given: GivenDecks | None
    ) -> record_pb2.StoredHandBegan | int | None:
        """How the hand of this number begins; an EndReason when none does any more; None while too few play.

        ``seats`` ascend. ``given`` are the host's decks, None where they are ``decks``. What is the same in every game,
        such as the hand's id, the table adds.
        """

    def prepare_hand(self, number: int, decks: FairDecks) -> None:
        """Works out what the hand of this number begins with, as far as it is known before."""
        decks.root(0, number)

    @abstractmethod
    def begin(self, began: record_pb2.StoredHandBegan, seats: dict[int, Seat], decks: DeckSource) -> None:
        """Folds the beginning of a hand."""

    @abstractmethod
    def apply(self, event: GameEvent) -> None:
        """Folds an event of the hand."""

    @abstractmethod
    def end_hand(self, seats: dict[int, Seat]) -> None:
        """Folds the end of a hand into the seats."""

    @abstractmethod
    def state(self) -> GameState | None:
        """The hand under way, or the last one; None before the first."""

    @abstractmethod
    def is_on(self) -> bool:
        """Whether a hand is under way."""

    @abstractmethod
    def advance(self) -> tuple[GameEvent, ...]:
        """Applies what follows without a decision, and returns it."""

    def over(self) -> int:
        """The EndReason for which the game is over with the hand that has ended; NOT_OVER when it goes on."""
        return NOT_OVER

    # --- decisions --------------------------------------------------------------------------------------

    @abstractmethod
    def open_seats(self) -> tuple[int, ...]:
        """The seats that have an open decision."""

    @abstractmethod
    def open_decision(self, seat: int) -> int:
        """The id of a seat's open decision."""

    @abstractmethod
    def options(self, seat: int) -> GameOptions | None:
        """What a seat may do at its open decision; None when it has none."""

    @abstractmethod
    def options_bytes(self, seat: int) -> bytes:
        """The bytes of the same as a message, of a seat that has an open decision."""

    def hides_progress(self) -> bool:
        """Whether it is secret at the moment who has answered (DISC-3)."""
        return False

    # --- proposals --------------------------------------------------------------------------------------

    @abstractmethod
    def propose(self, proposal: GameProposal) -> GameRuling:
        """Rules on a proposal and applies what follows."""

    @abstractmethod
    def answer_for(self, seats: tuple[int, ...], forfeiting: list[int]) -> list[tuple[int, bytes, GameRuling]]:
        """Answers for seats that are out of time together, and applies it; ``forfeiting`` ones forfeit the hand.

        Gives each answer in the order in which that is done: the seat, the bytes of the proposal, the ruling.
        """

    def is_taken_after_hand(self, proposal: GameProposal) -> bool:
        """Whether the proposal is one that a hand takes when it has ended (SHOW-2)."""
        return False

    @abstractmethod
    def proposal_bytes(self, proposal: GameProposal) -> bytes:
        """The bytes of a proposal's message."""

    @abstractmethod
    def ruling_bytes(self, ruling: GameRuling) -> bytes:
        """The bytes of a ruling's message, without the events, which a table tells one by one."""

    @abstractmethod
    def is_belated(self, reason: int) -> bool:
        """Whether a refusal for this reason is one of what was meant for another decision than the open one."""

    @abstractmethod
    def is_late(self, proposal: bytes, fault_is_due: bool) -> bool:
        """Whether the proposal of these bytes, which the referee made for a seat, says that the seat was out of time.

        ``fault_is_due`` says that the seat was answered for because of a fault that was counted before (TIME-4).
        """

    # --- telling ----------------------------------------------------------------------------------------

    @abstractmethod
    def tell_seat(self, told: table_pb2.SeatState, one: Seat) -> None:
        """Adds to how a seat stands what the game tells of it to everybody."""
