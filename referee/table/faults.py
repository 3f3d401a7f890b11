"""What refused and late decisions lead to (TIME-4): rules as data, and when they apply."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from referee.rules.rulings import Reason

DEFAULT_SIT_OUT_WAIT_MS: Final = 60_000

ANSWERS_NOTHING_OPEN: Final = frozenset([int(Reason.WRONG_HAND), int(Reason.STALE_DECISION)])
"""Reasons, by number, of refusing what was meant for another decision than the open one, such as a belated answer."""


class FaultPolicy(IntEnum):
    """What is done about a seat that has made too many faults; numbers as in the contract."""

    NOTHING = 1
    SIT_OUT = 2
    FORFEIT_HAND = 3
    FORFEIT_MATCH = 4


@dataclass(frozen=True)
class FaultRules:
    """After ``max_faults`` faults of a seat in the match, and after each further one, the policy is applied.

    Where it sits seats out, and fewer than two are left who play, the table waits ``sit_out_wait_ms`` and ends: faults
    are counted in a match, and a match must not wait for ever for who has left it.
    """

    max_faults: int
    policy: FaultPolicy
    sit_out_wait_ms: int = DEFAULT_SIT_OUT_WAIT_MS


def is_due(rules: FaultRules, faults: int, sits_out: bool, leaves: bool) -> bool:
    """Whether the policy is to be applied to a seat that has just made its latest fault (TIME-4)."""
    if rules.policy is FaultPolicy.NOTHING or faults < rules.max_faults or leaves:
        return False
    return not (rules.policy is FaultPolicy.SIT_OUT and sits_out)
