"""Everything that happens in a hand. State is a fold over these; nothing else changes a hand."""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

from mypy_extensions import mypyc_attr


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
    LATE_FOLD_SHOWN = 22


# The kinds by their bare names: the fold compares them for every event of every hand, and a bare name is read faster.
ANTE_POSTED: Final = EventKind.ANTE_POSTED
DEAD_POSTED: Final = EventKind.DEAD_POSTED
BLIND_POSTED: Final = EventKind.BLIND_POSTED
HOLE_DEALT: Final = EventKind.HOLE_DEALT
FOLDED: Final = EventKind.FOLDED
CHECKED: Final = EventKind.CHECKED
CALLED: Final = EventKind.CALLED
BET: Final = EventKind.BET
RAISED: Final = EventKind.RAISED
BET_RETURNED: Final = EventKind.BET_RETURNED
ROUND_CLOSED: Final = EventKind.ROUND_CLOSED
BOARD_DEALT: Final = EventKind.BOARD_DEALT
DISCARDS_OPENED: Final = EventKind.DISCARDS_OPENED
DISCARDED: Final = EventKind.DISCARDED
DISCARD_SHOWN: Final = EventKind.DISCARD_SHOWN
DISCARDS_CLOSED: Final = EventKind.DISCARDS_CLOSED
HAND_SHOWN: Final = EventKind.HAND_SHOWN
HAND_MUCKED: Final = EventKind.HAND_MUCKED
RAKE_TAKEN: Final = EventKind.RAKE_TAKEN
POT_AWARDED: Final = EventKind.POT_AWARDED
HAND_ENDED: Final = EventKind.HAND_ENDED
LATE_FOLD_SHOWN: Final = EventKind.LATE_FOLD_SHOWN


# Made by the dozen in every hand: `__init__` is written out, here and in what else is made so often, because compiled
# code then makes one fifteen times as fast as a named tuple, and fifty times as fast as a frozen dataclass.
@mypyc_attr(acyclic=True)
@dataclass(init=False, unsafe_hash=True)
class Event:
    """One thing that happened.

    ``rule`` decided it. ``seat`` 0 means the table. ``amount`` is the chips that moved, ``to`` the seat's street
    total after a call or wager. ``pot`` counts from the main pot, 0. ``automatic`` marks what the referee did in a
    seat's place (TIME-2, TIME-4, DISC-8).
    """

    kind: Final[EventKind]
    rule: Final[str]
    seat: Final[int]
    amount: Final[int]
    to: Final[int]
    cards: Final[tuple[int, ...]]
    pot: Final[int]
    all_in: Final[bool]
    automatic: Final[bool]

    def __init__(
        self,
        kind: EventKind,
        rule: str,
        seat: int = 0,
        amount: int = 0,
        to: int = 0,
        cards: tuple[int, ...] = (),
        pot: int = 0,
        all_in: bool = False,
        automatic: bool = False,
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.seat = seat
        self.amount = amount
        self.to = to
        self.cards = cards
        self.pot = pot
        self.all_in = all_in
        self.automatic = automatic

    def _replace(self, **changes: Any) -> "Event":
        """The same with other values in some fields, as a named tuple would be asked for it."""
        return replace(self, **changes)
