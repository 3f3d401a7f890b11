"""Chips of a hand, counted from the recorded events alone: what the rules say about them is another matter (POT-7)."""

from dataclasses import dataclass
from typing import Final

from referee.rules.events import (
    ANTE_POSTED,
    BET,
    BET_RETURNED,
    BLIND_POSTED,
    CALLED,
    DEAD_POSTED,
    POT_AWARDED,
    RAISED,
    RAKE_TAKEN,
    Event,
)

_PAID: Final = (ANTE_POSTED, DEAD_POSTED, BLIND_POSTED, CALLED, BET, RAISED)
_GOT: Final = (BET_RETURNED, POT_AWARDED)


@dataclass
class Account:
    """The chips with which a hand started, and what each seat and the rake have of them."""

    started: int
    stacks: dict[int, int]
    rake: int = 0

    def count(self, event: Event) -> None:
        """Moves the event's chips."""
        if event.kind in _PAID:
            self.stacks[event.seat] = self.stacks.get(event.seat, 0) - event.amount
        elif event.kind in _GOT:
            self.stacks[event.seat] = self.stacks.get(event.seat, 0) + event.amount
        elif event.kind is RAKE_TAKEN:
            self.rake += event.amount

    def fault(self) -> str:
        """What is wrong at the end of the hand, in words; empty for nothing."""
        after = sum(self.stacks.values()) + self.rake
        if after == self.started and min(self.stacks.values(), default=0) >= 0:
            return ""
        stacks = ", ".join([f"seat {seat}: {stack}" for seat, stack in self.stacks.items()])
        return f"{after} after the hand ({stacks}; rake {self.rake})"
