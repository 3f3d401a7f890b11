"""A proposal as it came: read once from its message, checked for what a live table needs, given to its table."""

from abc import ABC, abstractmethod
from typing import Final, final

from referee.limits import HAND_ID_LETTERS, ITEMS_IN_A_PLAY_REQUEST, REQUEST_ID_LETTERS, TABLE_ID_LETTERS
from referee.record import kozel_wire, wire
from referee.record.signed_proposals import SIGNATURE_BYTES
from referee.table.fields import KOZEL, POKER, GameFields
from referee.table.game import GameProposal
from referee.table.owner import Done, TableOwner
from referee.v1 import hand_pb2, kozel_pb2, table_pb2

_WITHOUT_CARDS: Final = ("fold", "check", "call", "bet", "raise")


class Received(ABC):
    """A received proposal; ``action`` is its kind by the contract's name, ``written`` the bytes that are kept of it."""

    def __init__(self, propose: table_pb2.Propose, game: GameFields, action: str | None, written: bytes) -> None:
        self.request_id: str = propose.request_id
        self.signature: bytes = propose.signature
        self.game = game
        self.action = action
        self.written = written

    @abstractmethod
    def proposal(self, seat: int) -> GameProposal:
        """The proposal as that of a seat."""

    @abstractmethod
    def shape_fault(self, seat: int) -> str:
        """What it lacks that only a live table needs (BET-9); empty when nothing."""

    def fault(self, seat: int, game: GameFields) -> str:
        """The same, for a seat of a table that plays a game."""
        if game is not self.game:
            return f"a table that plays {game.name} takes no proposal of {self.game.name}"
        return self.shape_fault(seat)

    def post(self, owner: TableOwner, seat: int, holder: bytes, received_ms: int, done: Done) -> None:
        """Gives it to its table as that of a seat, whose token has the digest ``holder``."""
        owner.post_proposal(
            self.proposal(seat), self.request_id, self.written, received_ms, holder, done, self.signature
        )


@final
class ReceivedOfPoker(Received):
    """A received proposal of poker."""

    def __init__(self, propose: table_pb2.Propose) -> None:
        self.message: hand_pb2.Proposal = propose.proposal
        super().__init__(propose, POKER, self.message.action.WhichOneof("action"), self.message.SerializeToString())

    def shape_fault(self, seat: int) -> str:
        """What it lacks that only a live table needs; showing a hand has no decision."""
        message = self.message
        decision_id = message.decision_id or int(self.action == "show")
        return _fault("proposal", message.seat, seat, self.action, message.hand_id, decision_id)

    def proposal(self, seat: int) -> GameProposal:
        """The proposal as that of a seat."""
        return wire.proposal_of(self.message, seat, self.action)


@final
class ReceivedOfKozel(Received):
    """A received proposal of Kozel."""

    def __init__(self, propose: table_pb2.Propose) -> None:
        self.message: kozel_pb2.KozelProposal = propose.kozel
        super().__init__(propose, KOZEL, self.message.WhichOneof("action"), self.message.SerializeToString())

    def shape_fault(self, seat: int) -> str:
        """What it lacks that only a live table needs."""
        message = self.message
        return _fault("kozel", message.seat, seat, self.action, message.hand_id, message.decision_id)

    def proposal(self, seat: int) -> GameProposal:
        """The proposal as that of a seat."""
        return kozel_wire.proposal_of(self.message, seat)


def received(propose: table_pb2.Propose) -> Received:
    """A received proposal, of the game that it is of."""
    return ReceivedOfKozel(propose) if propose.HasField("kozel") else ReceivedOfPoker(propose)


def _fault(field: str, proposed_seat: int, seat: int, action: str | None, hand_id: str, decision_id: int) -> str:
    """What a proposal lacks that only a live table needs; ``field`` is where it stands."""
    if proposed_seat not in (0, seat):
        return f"{field}.seat: the token is that of seat {seat}"
    if action == "timeout":
        return f"{field}.action: only the clock says that time is over (TIME-1)"
    if action == "forfeit":
        return f"{field}.action: only faults forfeit a hand (TIME-4)"
    if not hand_id or decision_id == 0:
        return f"{field}.hand_id, {field}.decision_id: a live table needs both"
    return ""


def plain_proposals(request: table_pb2.PlayRequest) -> list[tuple[str, Received]] | None:
    """A request's proposals, each with its table, if it is nothing but such as obviously have the contract's shape.

    Nearly all requests are. None is given of one that protovalidate would refuse; whatever else none is given of is
    left to protovalidate.
    """
    items = request.items
    if request.max_open_decisions or not 0 < len(items) <= ITEMS_IN_A_PLAY_REQUEST:
        return None
    proposals: list[tuple[str, Received]] = []
    for item in items:
        table_id = item.table_id
        if item.WhichOneof("item") != "propose" or not 0 < len(table_id) <= TABLE_ID_LETTERS:
            return None
        one = ReceivedOfPoker(item.propose)
        if not 0 < len(one.request_id) <= REQUEST_ID_LETTERS or len(one.signature) > SIGNATURE_BYTES:
            return None
        if one.action not in _WITHOUT_CARDS or len(one.message.hand_id) > HAND_ID_LETTERS:
            return None
        proposals.append((table_id, one))
    return proposals
