"""What a client did, in words; and whether it is what was wished for."""

import re
from typing import Final

from referee.conformance.told import Told
from referee.conformance.verdicts import FailedError, NotExercisedError
from referee.record import wire
from referee.rules.cards import cards_text
from referee.rules.rulings import ActionKind, Ruling
from referee.v1 import table_pb2

WAGERS: Final = (ActionKind.BET, ActionKind.RAISE)


def told_action(asked: table_pb2.Propose) -> str:
    """A proposal in words, such as ``raise to 40`` or ``discard Ah Kd``."""
    proposal = wire.proposal_of(asked.proposal)
    match proposal.kind:
        case ActionKind.BET | ActionKind.RAISE:
            return f"{proposal.kind.name.lower()} to {proposal.to}"
        case ActionKind.DISCARD:
            return f"discard {cards_text(proposal.cards)}"
        case kind:
            return kind.name.lower()


def told_wish(wish: str) -> str:
    """A wish of a script in words: ``raise 40`` is ``raise to 40``."""
    return re.sub(r"^(bet|raise) (\d+)$", r"\1 to \2", wish)


def check_named(told: Told, asked: table_pb2.Propose) -> None:
    """Checks what every proposal must name (BET-9); raises FailedError."""
    proposal, legal = asked.proposal, told.legal()
    what = told_action(asked)
    if proposal.hand_id != told.hand_id:
        raise FailedError(f"a proposal for hand {told.hand_id}", f"{what} for hand {proposal.hand_id!r}")
    if proposal.decision_id != legal.decision_id:
        raise FailedError(f"a proposal for decision {legal.decision_id}", f"{what} for decision {proposal.decision_id}")
    if proposal.seat not in (0, told.seat):
        raise FailedError(f"a proposal of seat {told.seat}", f"{what} of seat {proposal.seat}")


def check_refusal(told: Told, wish: str, asked: table_pb2.Propose, ruling: Ruling) -> None:
    """Raises FailedError for a proposal that the rules refuse, and says what is behind it where that is plain."""
    if not ruling.accepted:
        seen = f"{told_action(asked)}, which is refused: {ruling.rule} {ruling.message}"
        raise FailedError(told_wish(wish), seen + _habit(told, wish, asked))


def check_wish(told: Told, wish: str, asked: table_pb2.Propose) -> None:
    """Checks an accepted proposal against a wish such as ``raise 40`` or ``discard``; called before it is carried out.

    Raises FailedError for a wager of another size, NotExercisedError for another action.
    """
    proposal = wire.proposal_of(asked.proposal)
    name, _, total = wish.partition(" ")
    if proposal.kind.name.lower() != name:
        raise NotExercisedError(told_wish(wish), told_action(asked))
    if total and proposal.to != int(total):
        raise FailedError(told_wish(wish), told_action(asked) + _habit(told, wish, asked))


def _habit(told: Told, wish: str, asked: table_pb2.Propose) -> str:
    """What is behind a wager of the wrong size: a raise *by* where a raise *to* is meant, or nothing that is plain."""
    proposal = wire.proposal_of(asked.proposal)
    total = wish.partition(" ")[2]
    if proposal.kind not in WAGERS or not told.level:
        return ""
    if total and proposal.to in (int(total) - told.level, int(total) - told.own_bet):
        return f"; it raises by {proposal.to} where amounts name the street total to raise to"
    if proposal.to <= told.level:
        return f"; it names {proposal.to} where the level is {told.level}: amounts are street totals, never raises by"
    return ""
