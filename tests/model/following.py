"""Random hands under both judges, named by a seed."""

import random

from referee.rules.hand import open_seats
from referee.rules.rulings import ActionKind, Proposal
from tests.model.both_judges import BothJudges
from tests.proposals import net
from tests.support import options, random_legal_proposal, random_setup


def follow(seed: str, net_at: float, known: float) -> None:
    """Plays one random hand to its end under both judges; at some decisions a whole net of proposals is tried.

    ``net_at`` is the chance of that at each decision, ``known`` that all cards are known.
    """
    rng = random.Random(seed)
    both = BothJudges(random_setup(rng, max_seats=rng.choice((3, 6, 10)), known=known))
    boldness = rng.choice((0.1, 0.3, 0.6))
    while both.is_asking():
        seats = open_seats(both.hand)
        if rng.random() < net_at:
            both.ask(*net(both.hand, rng))
        if len(seats) > 1 and rng.random() < 0.5:
            both.fork().late_together(tuple(rng.sample(seats, rng.randint(1, len(seats)))))
        assert both.propose(random_legal_proposal(rng, both.hand, boldness)).accepted
    if net_at:
        both.ask(*net(both.hand, rng))
    for seat in both.setup.seats:
        both.propose(Proposal(seat, ActionKind.SHOW))


def follow_wrong_actions(seed: str) -> None:
    """Plays one random hand in which refused actions are taken as facts, as the judge of a wrong record does."""
    rng = random.Random(seed)
    both = BothJudges(random_setup(rng, known=1))
    while both.is_asking():
        proposal = random_legal_proposal(rng, both.hand)
        if options(both.hand, proposal.seat).discard or rng.random() < 0.6:
            both.propose(proposal)
            continue
        proposal = any_action(rng, both, proposal.seat)
        if not both.propose(proposal).accepted:
            both.impose(proposal)


def any_action(rng: random.Random, both: BothJudges, seat: int) -> Proposal:
    """Any fold, check, call or wager, likely to be refused."""
    player = both.hand.index_of(seat)
    most, unit = both.hand.bet[player] + both.hand.stack[player], both.setup.stakes.chip_unit
    kind = rng.choice((ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL, ActionKind.BET, ActionKind.RAISE))
    to = rng.randint(0, most // unit) * unit if kind in (ActionKind.BET, ActionKind.RAISE) else 0
    return Proposal(seat, kind, to)
