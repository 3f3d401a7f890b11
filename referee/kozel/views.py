"""What a seat may see: its own tiles, the chain, how many tiles others and the boneyard have, and all accounts.

:func:`view` says so of one event, for streams and records; :func:`seen_by` of a round as it stands. The auditor sees
the events themselves.
"""

from dataclasses import dataclass
from typing import Final

from referee.kozel.events import BONEYARD_LAID, HAND_COUNTED, TILE_DRAWN, TILES_DEALT, Event
from referee.kozel.round import legal_options, open_seats
from referee.kozel.rulings import LegalOptions
from referee.kozel.setup import Account
from referee.kozel.state import Phase, Round
from referee.kozel.tiles import UNKNOWN

PUBLIC: Final = 0
"""The viewer that is no seat: spectators, and what everybody may know."""

HIDDEN: Final = (TILES_DEALT, TILE_DRAWN, HAND_COUNTED, BONEYARD_LAID)
"""Kinds of events of which something is hidden from somebody."""


def view(event: Event, viewer: int) -> Event:
    """The event as the seat ``viewer`` (or PUBLIC) may see it.

    Tiles dealt, drawn, and left in hand at the end are seen by their owner only, and the boneyard by nobody: others see
    how many there are. What a hand counts (KOZ-8), every tile laid and every account are public.
    """
    if event.kind not in HIDDEN or (event.seat and event.seat == viewer):
        return event
    return event._replace(tiles=(UNKNOWN,) * len(event.tiles))


@dataclass(frozen=True)
class SeenRound:
    """A round as a viewer sees it; lists are by seat, clockwise.

    ``chain`` runs from the left end to the right one, whose numbers are ``left`` and ``right`` (-1 before the first
    tile). ``own_tiles`` are empty for PUBLIC, ``options`` None unless the viewer has the open decision.
    """

    seats: tuple[int, ...]
    phase: Phase
    own_tiles: tuple[int, ...]
    chain: tuple[int, ...]
    left: int
    right: int
    tile_counts: tuple[int, ...]
    boneyard_count: int
    accounts: tuple[Account, ...]
    carry: int
    open_seats: tuple[int, ...]
    options: LegalOptions | None


def seen_by(state: Round, viewer: int) -> SeenRound:
    """The round as the seat ``viewer`` (or PUBLIC) may see it."""
    player = state.index_of(viewer)
    return SeenRound(
        state.setup.seats,
        state.phase,
        state.hands[player] if player >= 0 else (),
        state.chain,
        state.left,
        state.right,
        tuple([len(hand) for hand in state.hands]),
        len(state.boneyard),
        tuple(state.accounts),
        state.carry,
        open_seats(state),
        legal_options(state, viewer),
    )
