"""Chips of a hand, counted from the recorded events alone: what the rules say about them is another matter (POT-7)."""

from dataclasses import dataclass
from typing import Final

from referee.audit.game import Conserved, Wrong
from referee.audit.reading import Item
from referee.audit.seating import Seating
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
)

_PAID: Final = (ANTE_POSTED, DEAD_POSTED, BLIND_POSTED, CALLED, BET, RAISED)
_GOT: Final = (BET_RETURNED, POT_AWARDED)


@dataclass
class Chips(Conserved):
    """The chips with which a hand started, and what each seat and the rake have of them."""

    started: int
    stacks: dict[int, int]
    rake: int = 0

    def count(self, item: Item) -> None:
        """Moves the event's chips."""
        event = item.event
        if event.kind in _PAID:
            self.stacks[event.seat] = self.stacks.get(event.seat, 0) - event.amount
        elif event.kind in _GOT:
            self.stacks[event.seat] = self.stacks.get(event.seat, 0) + event.amount
        elif event.kind is RAKE_TAKEN:
            self.rake += event.amount

    def fault(self) -> Wrong | None:
        """What is wrong at the end of the hand, None for nothing."""
        after = sum(self.stacks.values()) + self.rake
        if after == self.started and min(self.stacks.values(), default=0) >= 0:
            return None
        stacks = ", ".join([f"seat {seat}: {stack}" for seat, stack in self.stacks.items()])
        recorded = f"{after} after the hand ({stacks}; rake {self.rake})"
        return Wrong("POT-7", "chips appear or disappear", recorded, str(self.started))

    def carry_on(self, seating: Seating) -> None:
        """Gives the seats the stacks that the hand leaves them."""
        for seat, stack in self.stacks.items():
            if seat in seating.seats:
                seating.seats[seat].stack = stack
