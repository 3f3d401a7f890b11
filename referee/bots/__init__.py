"""Practice bots by name. Each is made from a seed and plays the same again from the same seed."""

from collections.abc import Callable
from typing import Final

from referee.bots.kozel import KOZEL_BOTS, KozelPracticeBot, make_kozel_bot
from referee.bots.simple import AllIn, AlwaysCall, AlwaysFold, RandomLegal, sensible_discard
from referee.bots.sound import SoundIrish
from referee.client.asking import AnyDecision, AnyProposal
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
"""What makes each practice bot of poker, by its name."""

BOTS_OF: Final = {"poker": tuple(BOTS), "kozel": tuple(KOZEL_BOTS)}
"""The names of the practice bots of each game; some play both."""

ALL_BOTS: Final = tuple(dict.fromkeys([*BOTS, *KOZEL_BOTS]))
"""Every practice bot's name."""


def make_bot(name: str, seed: int = 0) -> PracticeBot:
    """A practice bot of poker by its name; raises KeyError for any other name."""
    return BOTS[name](seed)


def make_bot_of_any_game(name: str, seed: int = 0) -> Callable[[AnyDecision], AnyProposal]:
    """A practice bot that plays every game that has one of its name; raises KeyError when none has.

    What it answers a decision of another game with raises KeyError as well.
    """
    poker = make_bot(name, seed) if name in BOTS else None
    kozel = make_kozel_bot(name, seed) if name in KOZEL_BOTS else None
    if poker is None and kozel is None:
        raise KeyError(name)

    def bot(decision: AnyDecision) -> AnyProposal:
        if isinstance(decision, Decision):
            if poker is not None:
                return poker(decision)
        elif kozel is not None:
            return kozel(decision)
        raise KeyError(f"{name} does not play {decision.rule_set.full_name}")

    return bot


__all__ = [
    "ALL_BOTS",
    "BOTS",
    "BOTS_OF",
    "KOZEL_BOTS",
    "KozelPracticeBot",
    "PracticeBot",
    "make_bot",
    "make_bot_of_any_game",
    "make_kozel_bot",
    "sensible_discard",
]
