"""Everything that happens in a round. State is a fold over these; nothing else changes a round."""

from enum import IntEnum
from typing import Final, NamedTuple


class End(IntEnum):
    """An end of the chain; ends are named (KOZ-4)."""

    NONE = 0
    """No end: of the first tile, and of a proposal whose tile fits one end only."""
    LEFT = 1
    RIGHT = 2


class EventKind(IntEnum):
    """The closed list of events; numbers never change meaning."""

    TILES_DEALT = 1
    BONEYARD_LAID = 2
    REDEALT = 3
    LEAD_GIVEN = 4
    TILE_LAID = 5
    TILE_DRAWN = 6
    KNOCKED = 7
    WENT_OUT = 8
    FISH_MADE = 9
    TIMED_OUT = 10
    HAND_COUNTED = 11
    CARRY_GIVEN = 12
    POINTS_REMEMBERED = 13
    ACCOUNT_OPENED = 14
    POINTS_SCORED = 15
    REMEMBERED_CLEARED = 16
    SUM_CARRIED = 17
    GAME_LOST = 18
    CARRY_LAPSED = 19
    RATED = 20
    ROUND_ENDED = 21


# The kinds by their bare names, which are read faster.
TILES_DEALT: Final = EventKind.TILES_DEALT
BONEYARD_LAID: Final = EventKind.BONEYARD_LAID
REDEALT: Final = EventKind.REDEALT
LEAD_GIVEN: Final = EventKind.LEAD_GIVEN
TILE_LAID: Final = EventKind.TILE_LAID
TILE_DRAWN: Final = EventKind.TILE_DRAWN
KNOCKED: Final = EventKind.KNOCKED
WENT_OUT: Final = EventKind.WENT_OUT
FISH_MADE: Final = EventKind.FISH_MADE
TIMED_OUT: Final = EventKind.TIMED_OUT
HAND_COUNTED: Final = EventKind.HAND_COUNTED
CARRY_GIVEN: Final = EventKind.CARRY_GIVEN
POINTS_REMEMBERED: Final = EventKind.POINTS_REMEMBERED
ACCOUNT_OPENED: Final = EventKind.ACCOUNT_OPENED
POINTS_SCORED: Final = EventKind.POINTS_SCORED
REMEMBERED_CLEARED: Final = EventKind.REMEMBERED_CLEARED
SUM_CARRIED: Final = EventKind.SUM_CARRIED
GAME_LOST: Final = EventKind.GAME_LOST
CARRY_LAPSED: Final = EventKind.CARRY_LAPSED
RATED: Final = EventKind.RATED
ROUND_ENDED: Final = EventKind.ROUND_ENDED


class Event(NamedTuple):
    """One thing that happened.

    ``rule`` decided it. ``seat`` 0 means the table. ``tiles`` are those dealt, laid, drawn or counted, and ``end`` is
    where one was laid. ``points`` are what a hand counts, what was scored, remembered, cleared or carried, or a rating;
    ``total`` is the seat's score, or what it has remembered, or the whole carry, after the event.
    """

    kind: EventKind
    rule: str
    seat: int = 0
    tiles: tuple[int, ...] = ()
    end: End = End.NONE
    points: int = 0
    total: int = 0
