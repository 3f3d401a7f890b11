"""A round of Kozel as somebody wrote it down; :mod:`referee.kozel_judge` says what of it is wrong."""

from dataclasses import dataclass, field
from enum import Enum

from referee.kozel.events import (
    FISH_MADE,
    HAND_COUNTED,
    KNOCKED,
    TILE_DRAWN,
    TILE_LAID,
    TIMED_OUT,
    WENT_OUT,
    End,
    Event,
)
from referee.kozel.round import replay
from referee.kozel.setup import Account, RoundSetup
from referee.kozel.tiles import UNKNOWN


class Deed(Enum):
    """What a record says happened."""

    LAY = "lays"
    DRAW = "draws"
    KNOCK = "knocks"
    OUT = "out"
    FISH = "fish"
    TIMEOUT = "time"


DEEDS = {
    TILE_LAID: Deed.LAY,
    TILE_DRAWN: Deed.DRAW,
    KNOCKED: Deed.KNOCK,
    WENT_OUT: Deed.OUT,
    FISH_MADE: Deed.FISH,
    TIMED_OUT: Deed.TIMEOUT,
}
"""The events that a record tells as a line of their own."""


@dataclass(frozen=True)
class RecordedDeed:
    """One line: who did what. ``end`` NONE is the first tile, or an end that the record does not name."""

    deed: Deed
    seat: int
    tile: int = UNKNOWN
    end: End = End.NONE
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class RecordedEnd:
    """What a record says came out, by player; what is None is not compared."""

    counts: tuple[int, ...] | None = None
    accounts: tuple[Account, ...] | None = None
    carry: int | None = None
    lost: tuple[int, ...] | None = None
    ratings: tuple[int, ...] | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class RecordedRound:
    """A round: how it began, what was done, what came out. ``line`` is where it begins in ``source``."""

    setup: RoundSetup
    deeds: tuple[RecordedDeed, ...] = ()
    end: RecordedEnd = RecordedEnd()
    source: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)


def deed_of(event: Event) -> RecordedDeed | None:
    """The line that tells an event; None for one that has no line of its own."""
    deed = DEEDS.get(event.kind)
    if deed is None:
        return None
    return RecordedDeed(deed, event.seat, event.tiles[0] if event.tiles else UNKNOWN, event.end)


def recorded(setup: RoundSetup, events: tuple[Event, ...]) -> RecordedRound:
    """The record of a round that the referee ruled on."""
    state = replay(setup, events)
    deeds = tuple([deed for deed in [deed_of(event) for event in events] if deed is not None])
    if not state.has_ended():
        return RecordedRound(setup, deeds)
    counted = any([event.kind is HAND_COUNTED for event in events])
    over = state.game_has_ended()
    end = RecordedEnd(
        tuple(state.counts) if counted else None,
        tuple(state.accounts),
        state.carry,
        tuple([setup.seats[player] for player in state.lost]) if over else None,
        tuple(state.ratings) if over else None,
    )
    return RecordedRound(setup, deeds, end)
