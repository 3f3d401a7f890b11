"""Practice bots by name. Each is made from a seed and plays the same again from the same seed."""

from collections.abc import Callable
from typing import Final

from referee.bots.simple import AllIn, AlwaysCall, AlwaysFold, RandomLegal, sensible_discard
from referee.bots.sound import SoundIrish
from referee.client.decision import Decision
from referee.rules.rulings import Proposal

PracticeBot = Callable[[Decision], Proposal]

BOTS: Final[dict[str, Callable[[int], PracticeBot]]] = {
    AlwaysCall.name: AlwaysCall,
    AlwaysFold.name: AlwaysFold,
    RandomLegal.name: RandomLegal,
    AllIn.name: AllIn,
    SoundIrish.name: SoundIrish,
}
"""What makes each practice bot, by its name."""


def make_bot(name: str, seed: int = 0) -> PracticeBot:
    """A practice bot by its name; raises KeyError for any other name."""
    return BOTS[name](seed)


__all__ = ["BOTS", "PracticeBot", "make_bot", "sensible_discard"]
