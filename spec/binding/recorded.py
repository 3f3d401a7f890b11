"""A hand as it was played somewhere: what it started from, and everything that happened and was refused, in order.

The one form in which hands of the server and hands of the corpora reach the specification.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules.events import Event, EventKind
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Reason
from referee.rules.setup import HandSetup


class Refused(NamedTuple):
    """A proposal that was refused, and why."""

    proposal: Proposal
    reason: Reason


class Asked(NamedTuple):
    """A seat was asked. ``legal`` is what it was told that it may do, None where nobody kept that."""

    seat: int
    decision_id: int
    legal: LegalOptions | None


HandStep = Event | Refused | Asked


@dataclass(frozen=True)
class RecordedHand:
    """A hand and where it comes from, such as ``table 3, hand 17``."""

    source: str
    setup: HandSetup
    steps: tuple[HandStep, ...]

    def events(self) -> list[Event]:
        """What happened, without refusals and questions."""
        return [step for step in self.steps if isinstance(step, Event)]

    def refusals(self) -> list[Refused]:
        """What was refused."""
        return [step for step in self.steps if isinstance(step, Refused)]


ACTION_EVENTS = {
    ActionKind.FOLD: (EventKind.FOLDED,),
    ActionKind.CHECK: (EventKind.CHECKED,),
    ActionKind.CALL: (EventKind.CALLED,),
    ActionKind.BET: (EventKind.BET,),
    ActionKind.RAISE: (EventKind.RAISED,),
    ActionKind.DISCARD: (EventKind.DISCARDED,),
    ActionKind.TIMEOUT: (EventKind.FOLDED, EventKind.CHECKED, EventKind.DISCARDED),
    ActionKind.FORFEIT: (EventKind.FOLDED, EventKind.DISCARDED),
    ActionKind.SHOW: (EventKind.HAND_SHOWN,),
}
"""Which events an accepted proposal becomes."""

_CHOSEN = frozenset(kind for kinds in ACTION_EVENTS.values() for kind in kinds) - {EventKind.HAND_SHOWN}


def interleaved(
    told: Iterable[Event | Asked], proposals: Iterable[tuple[Proposal, Reason | None]]
) -> tuple[HandStep, ...]:
    """Events and questions with the refused proposals where they came, by the order of the accepted ones.

    Raises ValueError when an accepted proposal and its event do not fit: then the record itself is wrong.
    """
    waiting = deque(proposals)
    steps: list[HandStep] = []
    over = False
    for one in told:
        if isinstance(one, Event) and (one.kind in _CHOSEN or (over and one.kind == EventKind.HAND_SHOWN)):
            steps.extend(_refused_first(waiting))
            if not waiting:
                raise ValueError(f"{one} was proposed by nobody")
            proposal, _ = waiting.popleft()
            if proposal.seat != one.seat or one.kind not in ACTION_EVENTS[proposal.kind]:
                raise ValueError(f"{proposal} was accepted, but {one} happened")
        over = over or (isinstance(one, Event) and one.kind == EventKind.HAND_ENDED)
        steps.append(one)
    steps.extend(_refused_first(waiting))
    if waiting:
        raise ValueError(f"{waiting[0][0]} was accepted, but nothing happened")
    return tuple(steps)


def _refused_first(waiting: deque[tuple[Proposal, Reason | None]]) -> list[Refused]:
    """Takes the refused proposals before the next accepted one."""
    refused: list[Refused] = []
    while waiting and waiting[0][1] is not None:
        proposal, reason = waiting.popleft()
        assert reason is not None
        refused.append(Refused(proposal, reason))
    return refused
