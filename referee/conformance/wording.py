"""What a client did, in words; and whether it is what every answer must be."""

import re
from typing import Final

from referee.conformance.told import Told, proposal_of
from referee.conformance.verdicts import FailedError
from referee.kozel.rulings import Ruling as KozelRuling
from referee.record import wire
from referee.rules.cards import cards_text
from referee.rules.rulings import ActionKind, Ruling
from referee.v1 import kozel_pb2, table_pb2

WAGERS: Final = (ActionKind.BET, ActionKind.RAISE)


def told_action(asked: table_pb2.Propose) -> str:
    """A proposal in words, such as ``raise to 40``, ``discard Ah Kd`` or ``lay 6-5 left``."""
    if asked.HasField("kozel"):
        return _told_move(asked.kozel)
    proposal = wire.proposal_of(asked.proposal)
    match proposal.kind:
        case ActionKind.BET | ActionKind.RAISE:
            return f"{proposal.kind.name.lower()} to {proposal.to}"
        case ActionKind.DISCARD:
            return f"discard {cards_text(proposal.cards)}"
        case kind:
            return kind.name.lower()


def _told_move(proposal: kozel_pb2.KozelProposal) -> str:
    if not proposal.HasField("lay"):
        return str(proposal.WhichOneof("action"))
    end = kozel_pb2.KozelEnd.Name(proposal.lay.end).removeprefix("KOZEL_END_").lower()
    return f"lay {proposal.lay.tile}" + ("" if end == "unspecified" else f" {end}")


def told_wish(wish: str) -> str:
    """A wish of a script in words: ``raise 40`` is ``raise to 40``."""
    return re.sub(r"^(bet|raise) (\d+)$", r"\1 to \2", wish)


def check_named(told: Told, asked: table_pb2.Propose) -> None:
    """Checks what every proposal must name (BET-9), and that it is one of the table's game; raises FailedError."""
    what = told_action(asked)
    if not asked.HasField(told.proposal_field):
        raise FailedError(
            f"a proposal in the field {told.proposal_field}: that of the game", f"{what}, of another game"
        )
    proposal, legal = proposal_of(asked), told.legal()
    if proposal.hand_id != told.hand_id:
        raise FailedError(f"a proposal for hand {told.hand_id}", f"{what} for hand {proposal.hand_id!r}")
    if proposal.decision_id != legal.decision_id:
        raise FailedError(f"a proposal for decision {legal.decision_id}", f"{what} for decision {proposal.decision_id}")
    if proposal.seat not in (0, told.seat):
        raise FailedError(f"a proposal of seat {told.seat}", f"{what} of seat {proposal.seat}")


def check_refusal(told: Told, wish: str, asked: table_pb2.Propose, ruling: Ruling | KozelRuling) -> None:
    """Raises FailedError for a proposal that the rules refuse, and says what is behind it where that is plain."""
    if not ruling.accepted:
        seen = f"{told_action(asked)}, which is refused: {ruling.rule} {ruling.message}"
        raise FailedError(told_wish(wish), seen + told.habit(wish, asked))
