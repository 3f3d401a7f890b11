"""Tells tiles, options, proposals and events of Kozel in words, for rulings, reports and the terminal."""

from collections.abc import Iterable, Iterator
from typing import Final

from referee.kozel.events import End, Event
from referee.kozel.events import EventKind as Kind
from referee.kozel.rulings import LAY, ActionKind, LegalOptions, Proposal
from referee.kozel.setup import Account
from referee.kozel.tiles import UNKNOWN, tile_text, tiles_text
from referee.record.telling import Names, Told, seat_name

_ENDS: Final = {End.NONE: "", End.LEFT: " at the left end", End.RIGHT: " at the right end"}
_VERBS: Final = {ActionKind.DRAW: "draw a tile", ActionKind.KNOCK: "knock", ActionKind.TIMEOUT: "timeout"}
_HEADINGS: Final = (
    (Kind.LEAD_GIVEN, "deal"),
    (Kind.TIMED_OUT, "play"),
    (Kind.SUM_CARRIED, "score"),
    (Kind.RATED, "game"),
)
"""The part of a round that an event is told in: that of the first kind that does not come before it."""


def account_words(account: Account) -> str:
    """An account in words: ``25 points``, ``7 remembered``, ``nothing``."""
    if account.is_open:
        return f"{account.score} points"
    return f"{account.remembered} remembered" if account.remembered else "nothing"


def options_text(options: LegalOptions) -> str:
    """Everything that a seat may lay, such as ``6-5 left, 6-5 right, 3-1``."""
    return ", ".join([_laid(move.tile, move.end) for move in options.moves])


def proposal_text(proposal: Proposal) -> str:
    """What is proposed, such as ``lay 6-5 left`` or ``knock``."""
    if proposal.kind is LAY:
        return f"lay {_laid(proposal.tile, proposal.end)}"
    return _VERBS[proposal.kind]


def _laid(tile: int, end: End) -> str:
    return tile_text(tile) + ("" if end is End.NONE else f" {end.name.lower()}")


def event_text(event: Event, names: Names) -> str:
    """One event as a sentence without a full stop."""
    who = seat_name(event.seat, names)
    tiles, points, total = event.tiles, event.points, event.total
    match event.kind:
        case Kind.TILES_DEALT:
            return f"{who} is dealt {tiles_text(tiles)}"
        case Kind.BONEYARD_LAID:
            return f"the boneyard is {_tiles_or_count(tiles)}"
        case Kind.REDEALT:
            return f"everybody is dealt again because of the tiles of {who}"
        case Kind.LEAD_GIVEN:
            return f"{who} leads"
        case Kind.TILE_LAID:
            return f"{who} lays {tiles_text(tiles)}{_ENDS[event.end]}"
        case Kind.TILE_DRAWN:
            return f"{who} draws {tiles_text(tiles)}"
        case Kind.KNOCKED:
            return f"{who} knocks"
        case Kind.WENT_OUT:
            return f"{who} is out"
        case Kind.FISH_MADE:
            return f"{who} makes a fish on {points}"
        case Kind.TIMED_OUT:
            return f"{who} is out of time"
        case Kind.HAND_COUNTED:
            return f"{who} is left with {_tiles_or_count(tiles)}, which counts {points}"
        case Kind.CARRY_GIVEN:
            return f"{who} is given the {points} points that were carried"
        case Kind.POINTS_REMEMBERED:
            return f"of {who} {points} points are remembered, {total} in all"
        case Kind.ACCOUNT_OPENED:
            return f"{who} scores {points} points, which open the account: {total}"
        case Kind.POINTS_SCORED:
            return f"{who} scores {points} points: {total}"
        case Kind.REMEMBERED_CLEARED:
            return f"the {points} remembered points of {who} are cleared"
        case Kind.SUM_CARRIED:
            return f"{points} points are carried, {total} in all"
        case Kind.GAME_LOST:
            return f"{who} has lost the game with {total} points"
        case Kind.CARRY_LAPSED:
            return f"the {points} points that were carried lapse"
        case Kind.RATED:
            return f"{who} is rated {points} at {total} points"
        case _:
            return "the round is over"


def _tiles_or_count(tiles: tuple[int, ...]) -> str:
    if UNKNOWN not in tiles:
        return tiles_text(tiles) or "no tiles"
    return "1 tile" if len(tiles) == 1 else f"{len(tiles)} tiles"


def tell(events: Iterable[Event], names: Names) -> Iterator[Told]:
    """Tells a round's events, each under its part (deal, play, score, game, end) with the rule that decided it."""
    for event in events:
        heading = next((name for last, name in _HEADINGS if event.kind <= last), "end")
        yield Told(heading, event.rule, event_text(event, names))
