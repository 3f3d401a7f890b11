"""A table as one of its seats is told it: numbered events, snapshots, decisions; of whatever game.

No connection and no waiting here. The players are scripted, and the game's own rules deal, decide and rule on them and
on the client, so that a script cannot contradict the rules by accident: what they refuse of the scripted players is an
error of the script.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from referee.kozel.rulings import LegalOptions as KozelOptions
from referee.kozel.rulings import Ruling as KozelRuling
from referee.rules.rulings import LegalOptions, Ruling
from referee.v1 import hand_pb2, kozel_pb2, table_pb2

Item = table_pb2.PlayResponseItem
Place = tuple[int, int]
"""A hand's number and an event's number in it: a cursor."""

TIME_UNIX_MS: Final = 1_796_000_000_000


class ScriptError(Exception):
    """A script that the rules do not allow: a fault of the conformance check, not of the client."""


def proposal_of(asked: table_pb2.Propose) -> hand_pb2.Proposal | kozel_pb2.KozelProposal:
    """What a request proposes, in whatever game."""
    return asked.kozel if asked.HasField("kozel") else asked.proposal


class Told(ABC):
    """One seat's table. ``seats`` are those that play.

    ``log`` is every event that the seat was told, ``place`` that of the last one, and ``proven`` that of the last one
    that the client must have seen, since it answered a decision that came after it.
    """

    proposal_field: ClassVar[str]
    """Where a request has this game's proposal."""
    deck_items: ClassVar[int]

    def __init__(self, table_id: str, match_name: str, seats: tuple[int, ...], seat: int) -> None:
        self.table_id = table_id
        self.seat_token = f"token-of-{table_id}"
        self.match_name = match_name
        self.seats = seats
        self.seat = seat
        self.deal_commitment = b""
        self.log: list[table_pb2.SeenEvent] = []
        self.place: Place = (0, 0)
        self.proven: Place | None = None
        self.number = 0
        self.has_ended = False

    # --- items ------------------------------------------------------------------------------------------

    def item(self, **what: Any) -> Item:
        """An item about this table."""
        return Item(table_id=self.table_id, **what)

    def seen(self, **what: Any) -> Item:
        """The next event of the view as an item."""
        hand, count = self.place
        self.place = (self.number, count + 1 if hand == self.number else 1)
        event = table_pb2.SeenEvent(
            hand=self.place[0], number=self.place[1], time_unix_ms=TIME_UNIX_MS + len(self.log), **what
        )
        self.log.append(event)
        return self.item(event=event)

    def state(self) -> table_pb2.TableState:
        """How the table stands, as anybody may see it."""
        status = table_pb2.TABLE_STATUS_PLAYING if self.number else table_pb2.TABLE_STATUS_WAITING
        return table_pb2.TableState(
            table_id=self.table_id,
            config=self.config(),
            status=table_pb2.TABLE_STATUS_ENDED if self.has_ended else status,
            hand=self.number,
            seats=[self.seat_state(seat) for seat in self.seats],
            match_name=self.match_name,
            deal_commitment=self.deal_commitment,
        )

    def seat_state(self, seat: int) -> table_pb2.SeatState:
        """How a seat stands, as anybody may see it."""
        return table_pb2.SeatState(seat=seat, name=f"player {seat}")

    def snapshot(self, events: Iterable[table_pb2.SeenEvent] = ()) -> Item:
        """How the table stands when a stream begins, with events that the reader has not seen."""
        return self.item(snapshot=table_pb2.Snapshot(table=self.state(), events=events))

    def after(self, cursor: Place | None) -> list[table_pb2.SeenEvent]:
        """The events after a cursor; without one those of the hand under way."""
        return [event for event in self.log if (event.hand, event.number) > (cursor or (self.number, 0))]

    def decision(self, remaining_ms: int = 0) -> Item:
        """The open decision of the seat."""
        message = table_pb2.Decision(hand_id=self.hand_id, hand=self.number, remaining_ms=remaining_ms)
        self.write_options(message)
        if remaining_ms:
            message.deadline_unix_ms = TIME_UNIX_MS + len(self.log) + remaining_ms
        return self.item(decision=message)

    def end(self, reason: int = table_pb2.STREAM_END_REASON_TABLE_ENDED) -> Item:
        """Nothing more comes."""
        return self.item(end=table_pb2.StreamEnd(reason=reason))  # type: ignore[arg-type]

    @property
    def hand_id(self) -> str:
        """The id of the hand under way."""
        return f"{self.table_id}-{self.number}"

    # --- the game ---------------------------------------------------------------------------------------

    @abstractmethod
    def config(self) -> table_pb2.TableConfig:
        """What the table plays."""

    @abstractmethod
    def rules(self) -> tuple[str, str]:
        """The full name of the rule set, and its SHA-256 in hexadecimal."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether no hand is under way."""

    @abstractmethod
    def legal(self) -> LegalOptions | KozelOptions:
        """Everything that the seat may do now; raises ScriptError when it has no decision."""

    @abstractmethod
    def write_options(self, message: table_pb2.Decision) -> None:
        """Writes the same into a decision's message."""

    @abstractmethod
    def begin(self, *args: Any, **setup: Any) -> list[Item]:
        """The next hand begins; how is each game's own."""

    @abstractmethod
    def act(self, words: str) -> list[Item]:
        """A scripted player acts."""

    @abstractmethod
    def rule(self, asked: table_pb2.Propose) -> tuple[Ruling | KozelRuling, Item, list[Item]]:
        """The ruling on what the client proposed: itself, the answer, and what follows from it."""

    @abstractmethod
    def would_rule(self, asked: table_pb2.Propose) -> Ruling | KozelRuling:
        """How the rules decide on a proposal, which is not carried out."""

    @abstractmethod
    def answered(self, asked: table_pb2.Propose, ruling: Any) -> Item:
        """A ruling as the answer to what was asked."""

    @abstractmethod
    def check_wish(self, wish: str, asked: table_pb2.Propose) -> None:
        """Checks an accepted proposal against a script's wish; called before it is carried out.

        Raises FailedError for what is wrong, NotExercisedError for what is only something else.
        """

    def habit(self, wish: str, asked: table_pb2.Propose) -> str:
        """What is behind a wrong answer, where that is plain."""
        return ""
