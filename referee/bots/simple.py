"""Practice bots of one idea each. They discard sensibly; only the random one does so at random."""

from random import Random
from typing import final

from referee.bots.reading import best_keep
from referee.client.decision import Decision
from referee.rules.rulings import Proposal


def sensible_discard(decision: Decision) -> Proposal:
    """Keeps the cards that make the best hand or draw with the board, or start best before the flop."""
    held = decision.legal.held
    kept = best_keep(held, len(held) - decision.must_discard, decision.board)
    return decision.discard([card for card in held if card not in kept])


@final
class AlwaysCall:
    """Never folds and never raises."""

    name = "always-call"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, decision: Decision) -> Proposal:
        return sensible_discard(decision) if decision.must_discard else decision.check_or_call()


@final
class AlwaysFold:
    """Folds to any bet, and checks when there is none."""

    name = "always-fold"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, decision: Decision) -> Proposal:
        return sensible_discard(decision) if decision.must_discard else decision.check_or_fold()


@final
class AllIn:
    """Puts in as much as the betting structure allows, every time."""

    name = "all-in"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, decision: Decision) -> Proposal:
        return sensible_discard(decision) if decision.must_discard else decision.all_in_or_call()


@final
class RandomLegal:
    """Does any legal thing, in any legal size, and discards at random.

    What it does is decided by the seed and by which decision it is, not by what it was asked before: hands and tables
    may come in any order.
    """

    name = "random-legal"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def __call__(self, decision: Decision) -> Proposal:
        legal = decision.legal
        place = f"{self._seed}/{decision.hand_number}/{decision.seat}/{legal.decision_id}"
        rng = Random(place if decision.refusal is None else f"{place}/again")
        if legal.discard:
            return decision.discard(rng.sample(legal.held, legal.discard))
        choices = [decision.check() if legal.check else decision.call()] * 3
        if legal.fold:
            choices.append(decision.fold())
        if legal.max_to:
            steps = (legal.max_to - legal.min_to) // legal.step
            size = rng.choice((0, rng.randint(0, min(steps, 20)), rng.randint(0, steps), steps))
            choices.extend([decision.bet_or_raise(legal.min_to + size * legal.step)] * 2)
        return rng.choice(choices)
