"""Practice bots for Kozel by name. Each is made from a seed and plays the same again from the same seed.

A bot sees what its seat sees: the round as :func:`referee.kozel.views.seen_by` shows it, and the events so far as
:func:`referee.kozel.views.view` does.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, final

from referee.kozel.events import KNOCKED, TILE_DRAWN, TILE_LAID, End, Event
from referee.kozel.rulings import LAY, LegalOptions, Move, Proposal
from referee.kozel.tiles import HIGH, LOW, PIPS, TILES, bears, other_half
from referee.kozel.views import SeenRound

KozelBot = Callable[[SeenRound, Sequence[Event]], Proposal]


def lay(options: LegalOptions, move: Move) -> Proposal:
    """The proposal of one of the legal moves."""
    return Proposal(options.seat, LAY, move.tile, move.end, "", options.decision_id)


def _options(seen: SeenRound) -> LegalOptions:
    if seen.options is None:
        raise ValueError("this seat has no decision")
    return seen.options


@final
class RandomLegal:
    """Lays any tile that it may, decided by the seed and by what lies, not by what it was asked before."""

    name = "random-legal"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def __call__(self, seen: SeenRound, events: Sequence[Event]) -> Proposal:
        options = _options(seen)
        rng = Random(f"{self._seed}/{options.seat}/{seen.chain}/{seen.own_tiles}")
        return lay(options, rng.choice(options.moves))


@final
class HeaviestFirst:
    """Gets rid of the tile with the most pips that it may lay."""

    name = "heaviest-first"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, seen: SeenRound, events: Sequence[Event]) -> Proposal:
        options = _options(seen)
        return lay(options, max(options.moves, key=lambda move: (PIPS[move.tile], move.tile, move.end)))


@final
class TileCounter:
    """Counts tiles: keeps its own ends open, shows numbers that the next player lacks, and sheds pips.

    What the others lack it knows from who drew or knocked at which ends. It makes a fish only when its hand is lighter
    than the average of what is not seen.
    """

    name = "tile-counter"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, seen: SeenRound, events: Sequence[Event]) -> Proposal:
        options = _options(seen)
        lacking = numbers_lacking(seen, events)
        unseen = [tile for tile in range(TILES) if tile not in seen.chain and tile not in seen.own_tiles]
        return lay(options, max(options.moves, key=lambda move: (_worth(seen, move, unseen, lacking), move)))


def numbers_lacking(seen: SeenRound, events: Sequence[Event]) -> dict[int, set[int]]:
    """The numbers that each seat is known not to have: the ends at which it had to draw or knock.

    The tile that ended its drawing fits one of those ends, and was laid.
    """
    lacking: dict[int, set[int]] = {seat: set() for seat in seen.seats}
    left = right = -1
    for event in events:
        if event.kind is TILE_LAID:
            left, right = ends_after(left, right, event.tiles[0], event.end)
        elif event.kind is TILE_DRAWN or event.kind is KNOCKED:
            lacking[event.seat] = {left, right} if event.kind is TILE_DRAWN else lacking[event.seat] | {left, right}
    return lacking


def ends_after(left: int, right: int, tile: int, end: End) -> tuple[int, int]:
    """What the ends show when a tile has been laid."""
    if end is End.LEFT:
        return other_half(tile, left), right
    if end is End.RIGHT:
        return left, other_half(tile, right)
    return HIGH[tile], LOW[tile]


def _worth(seen: SeenRound, move: Move, unseen: list[int], lacking: dict[int, set[int]]) -> int:
    left, right = ends_after(seen.left, seen.right, move.tile, move.end)
    kept = [tile for tile in seen.own_tiles if tile != move.tile]
    if not kept:
        return 1_000
    playable = len([tile for tile in kept if bears(tile, left) or bears(tile, right)])
    against = len([tile for tile in unseen if bears(tile, left) or bears(tile, right)])
    seats = seen.seats
    options = _options(seen)
    following = seats[(seats.index(options.seat) + 1) % len(seats)]
    blocked = len({left, right} & lacking[following]) if left != right else 2 * (left in lacking[following])
    worth = 2 * PIPS[move.tile] + 5 * playable - against + 6 * blocked
    lying = len([tile for tile in (*seen.chain, move.tile) if bears(tile, left) and LOW[tile] != HIGH[tile]])
    if left == right and lying == 6:  # a fish
        others = sum([count for seat, count in zip(seats, seen.tile_counts, strict=True) if seat != options.seat])
        average = sum([PIPS[tile] for tile in unseen]) * others // max(1, len(unseen) * (len(seats) - 1))
        worth += 100 if sum([PIPS[tile] for tile in kept]) < average else -100
    return worth


KOZEL_BOTS: Final[dict[str, Callable[[int], KozelBot]]] = {
    RandomLegal.name: RandomLegal,
    HeaviestFirst.name: HeaviestFirst,
    TileCounter.name: TileCounter,
}
"""What makes each practice bot, by its name."""


def make_kozel_bot(name: str, seed: int = 0) -> KozelBot:
    """A practice bot by its name; raises KeyError for any other name."""
    return KOZEL_BOTS[name](seed)
