"""A proposal as it came: read once from its message, checked for what a live table needs, given to its table."""

from typing import Final, final

from referee.limits import HAND_ID_LETTERS, ITEMS_IN_A_PLAY_REQUEST, REQUEST_ID_LETTERS, TABLE_ID_LETTERS
from referee.record import wire
from referee.record.signed_proposals import SIGNATURE_BYTES
from referee.table.owner import Done, TableOwner
from referee.v1 import hand_pb2, table_pb2

_WITHOUT_CARDS: Final = ("fold", "check", "call", "bet", "raise")


@final
class Received:
    """A received proposal. ``message`` is what was proposed, ``action`` its kind by the contract's name."""

    def __init__(self, propose: table_pb2.Propose) -> None:
        self.request_id = propose.request_id
        self.signature = propose.signature
        self.message: hand_pb2.Proposal = propose.proposal
        self.action = self.message.action.WhichOneof("action")

    def fault(self, seat: int) -> str:
        """What it lacks that only a live table needs (BET-9); empty when nothing."""
        message = self.message
        if message.seat not in (0, seat):
            return f"proposal.seat: the token is that of seat {seat}"
        if self.action == "timeout":
            return "proposal.action: only the clock says that time is over (TIME-1)"
        if self.action == "forfeit":
            return "proposal.action: only faults forfeit a hand (TIME-4)"
        if self.action == "show":
            return "" if message.hand_id else "proposal.hand_id: a live table needs it"
        if not message.hand_id or message.decision_id == 0:
            return "proposal.hand_id, proposal.decision_id: a live table needs both"
        return ""

    def post(self, owner: TableOwner, seat: int, holder: bytes, received_ms: int, done: Done) -> None:
        """Gives it to its table as that of a seat, whose token has the digest ``holder``."""
        proposal = wire.proposal_of(self.message, seat, self.action)
        received = self.message.SerializeToString()
        owner.post_proposal(proposal, self.request_id, received, received_ms, holder, done, self.signature)


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
        one = Received(item.propose)
        if not 0 < len(one.request_id) <= REQUEST_ID_LETTERS or len(one.signature) > SIGNATURE_BYTES:
            return None
        if one.action not in _WITHOUT_CARDS or len(one.message.hand_id) > HAND_ID_LETTERS:
            return None
        proposals.append((table_id, one))
    return proposals
