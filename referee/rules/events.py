"""Everything that happens in a hand. State is a fold over these; nothing else changes a hand."""

from enum import IntEnum
from typing import NamedTuple


class EventKind(IntEnum):
    """The closed list of events; numbers never change meaning."""

    ANTE_POSTED = 1
    DEAD_POSTED = 2
    BLIND_POSTED = 3
    HOLE_DEALT = 4
    FOLDED = 5
    CHECKED = 6
    CALLED = 7
    BET = 8
    RAISED = 9
    BET_RETURNED = 10
    ROUND_CLOSED = 11
    BOARD_DEALT = 12
    DISCARDS_OPENED = 13
    DISCARDED = 14
    DISCARD_SHOWN = 15
    DISCARDS_CLOSED = 16
    HAND_SHOWN = 17
    HAND_MUCKED = 18
    RAKE_TAKEN = 19
    POT_AWARDED = 20
    HAND_ENDED = 21


class Event(NamedTuple):
    """One thing that happened.

    ``rule`` decided it. ``seat`` 0 means the table. ``amount`` is the chips that moved, ``to`` the seat's street
    total after a call or wager. ``pot`` counts from the main pot, 0. ``automatic`` marks what the referee did in a
    seat's place (TIME-2, DISC-8).
    """

    kind: EventKind
    rule: str
    seat: int = 0
    amount: int = 0
    to: int = 0
    cards: tuple[int, ...] = ()
    pot: int = 0
    all_in: bool = False
    automatic: bool = False
