"""Who leads a round, and with what (KOZ-3)."""

from typing import Final

from referee.kozel.setup import FIRST_ROUND, RoundSetup
from referee.kozel.tiles import HIGH, HIGHEST, LOW, PIPS, TILES, UNKNOWN, is_double


def _order_of(tile: int) -> tuple[int, int, int]:
    """1-1, 2-2 ... 6-6, 0-0; then the others downwards by pips, of equal ones that with the higher half first."""
    if is_double(tile):
        return 0, (LOW[tile] - 1) % (HIGHEST + 1), 0
    return 1, -PIPS[tile], -HIGH[tile]


OPENING_ORDER: Final[tuple[int, ...]] = tuple(sorted(range(TILES), key=_order_of))
"""The tiles in the order in which they are asked for in the first round (KOZ-3)."""


def opening_tile(hands: list[tuple[int, ...]]) -> int:
    """The tile that must be led in the first round: the first of the order that a player holds."""
    held = {tile for hand in hands for tile in hand}
    for tile in OPENING_ORDER:
        if tile in held:
            return tile
    return UNKNOWN


def leader_of(setup: RoundSetup, hands: list[tuple[int, ...]]) -> int:
    """The player who leads (KOZ-3)."""
    if setup.leader_seat != FIRST_ROUND:
        return setup.seats.index(setup.leader_seat)
    tile = opening_tile(hands)
    return [tile in hand for hand in hands].index(True)
