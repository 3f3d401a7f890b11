"""Tiles as small integers (KOZ-1): 0-0, 1-0 ... 6-0, 1-1, 2-1 ... 6-6, counted from 0."""

from typing import Final

HIGHEST: Final = 6
TILES: Final = 28
HAND_TILES: Final = 7

UNKNOWN: Final = -1
"""A tile that was dealt or drawn but that the viewer does not know; written ``?-?``."""

UNKNOWN_TEXT: Final = "?-?"

LOW: Final[tuple[int, ...]] = tuple([low for low in range(HIGHEST + 1) for _ in range(low, HIGHEST + 1)])
"""The lower half of each tile."""

HIGH: Final[tuple[int, ...]] = tuple([high for low in range(HIGHEST + 1) for high in range(low, HIGHEST + 1)])
"""The higher half of each tile."""

PIPS: Final[tuple[int, ...]] = tuple([LOW[tile] + HIGH[tile] for tile in range(TILES)])
"""The pips of each tile; all 28 have 168."""

TILE_TEXTS: Final[tuple[str, ...]] = tuple([f"{HIGH[tile]}-{LOW[tile]}" for tile in range(TILES)])
"""Each tile as it is written: the higher half first, such as ``6-5``."""

BLANK: Final = 0
"""The tile 0-0."""

_TILE_OF_TEXT: Final = {text: tile for tile, text in enumerate(TILE_TEXTS)}


def parse_tile(text: str) -> int:
    """Reads one tile such as ``6-5``; ``?-?`` is an unknown one.

    Raises ValueError for anything else; there is one spelling for each tile, the higher half first.
    """
    if text == UNKNOWN_TEXT:
        return UNKNOWN
    tile = _TILE_OF_TEXT.get(text)
    if tile is None:
        raise ValueError(f"{text!r} is not a tile; expected two halves of 0 to 6, the higher one first, such as 6-5")
    return tile


def parse_tiles(text: str) -> tuple[int, ...]:
    """Reads tiles with spaces between them."""
    return tuple([parse_tile(word) for word in text.split()])


def tile_text(tile: int) -> str:
    """Writes one tile as :func:`parse_tile` reads it."""
    return UNKNOWN_TEXT if tile == UNKNOWN else TILE_TEXTS[tile]


def tiles_text(tiles: tuple[int, ...]) -> str:
    """Writes tiles in the order given, with spaces between them."""
    return " ".join([tile_text(tile) for tile in tiles])


def tiles_to(highest: int) -> tuple[int, ...]:
    """The tiles of the set whose highest number is this one."""
    return tuple([tile for tile in range(TILES) if HIGH[tile] <= highest])


def is_double(tile: int) -> bool:
    """Whether both halves show one number."""
    return LOW[tile] == HIGH[tile]


def bears(tile: int, number: int) -> bool:
    """Whether one of the tile's halves shows the number."""
    return LOW[tile] == number or HIGH[tile] == number


def other_half(tile: int, number: int) -> int:
    """What the tile shows beside one of its numbers; the same number for its double."""
    return HIGH[tile] if LOW[tile] == number else LOW[tile]


def pips_of(tiles: tuple[int, ...]) -> int:
    """The pips of tiles that are all known."""
    return sum([PIPS[tile] for tile in tiles])
