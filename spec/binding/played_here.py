"""Hands played in this process by the engine alone, in the form in which the server's hands come.

For tests that need a few hands in no time; what a server really did is :mod:`server_hands`.
"""

import random

from referee.rules.events import Event
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import HandSetup
from referee.rules.state import Hand
from spec.binding.recorded import Asked, HandStep, RecordedHand, Refused
from spec.binding.server_hands import any_proposal, legal_proposal


def played_here(
    setup: HandSetup, rng: random.Random, source: str = "played here", forfeits: float = 0.0
) -> RecordedHand:
    """Plays a hand at random, with refused proposals in between; so many of the decisions forfeit the hand (TIME-4)."""
    hand, opening = open_hand(setup)
    steps: list[HandStep] = [*opening]
    while not hand.has_ended():
        steps.extend(_questions(hand))
        while rng.random() < 0.3:
            steps.extend(_tried(hand, any_proposal(rng, rng.choice(setup.seats), hand.level, hand.hole[0], 1)))
        if not hand.has_ended():
            legal = legal_options(hand, rng.choice(open_seats(hand)))
            assert legal is not None
            is_forfeit = forfeits > 0 and rng.random() < forfeits
            proposal = Proposal(legal.seat, ActionKind.FORFEIT) if is_forfeit else legal_proposal(rng, legal)
            steps.extend(_tried(hand, proposal))
    return RecordedHand(source, setup, tuple(steps))


def _questions(hand: Hand) -> list[Asked]:
    asked = [legal_options(hand, seat) for seat in open_seats(hand)]
    return [Asked(one.seat, one.decision_id, one) for one in asked if one is not None]


def _tried(hand: Hand, proposal: Proposal) -> list[Event | Refused]:
    ruling = propose(hand, proposal)
    if ruling.accepted:
        return [*ruling.events]
    assert ruling.reason is not None
    return [Refused(proposal, ruling.reason)]
