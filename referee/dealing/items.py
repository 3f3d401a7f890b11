"""What the numbers of a deck stand for."""

from typing import Final

from referee.kozel.tiles import TILE_TEXTS
from referee.rules.cards import CARD_TEXTS

CARDS: Final = CARD_TEXTS
"""The 52 cards in the order of their numbers: 2c 2d 2h 2s 3c ... As (GAME-5)."""

TILES: Final = TILE_TEXTS
"""Kozel's 28 tiles in the order of their numbers: 0-0 1-0 ... 6-0 1-1 2-1 ... 6-6 (KOZ-1)."""
