"""Practice bots for Kozel by name. Each is made from a seed and plays the same again from the same seed."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, final

from referee.client.kozel_decision import KozelDecision
from referee.kozel.events import KNOCKED, TILE_DRAWN, TILE_LAID, End, Event
from referee.kozel.rulings import Move, Proposal
from referee.kozel.tiles import HIGH, LOW, PIPS, TILES, bears, other_half

KozelPracticeBot = Callable[[KozelDecision], Proposal]


@final
class RandomLegal:
    """Lays any tile that it may, decided by the seed and by what lies, not by what it was asked before."""

    name = "random-legal"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def __call__(self, decision: KozelDecision) -> Proposal:
        rng = Random(f"{self._seed}/{decision.seat}/{decision.chain}/{decision.own_tiles}")
        return decision.lay(rng.choice(decision.moves))


@final
class HeaviestFirst:
    """Gets rid of the tile with the most pips that it may lay."""

    name = "heaviest-first"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, decision: KozelDecision) -> Proposal:
        return decision.lay(max(decision.moves, key=lambda move: (PIPS[move.tile], move.tile, move.end)))


@final
class TileCounter:
    """Counts tiles: keeps its own ends open, shows numbers that the next player lacks, and sheds pips.

    What the others lack it knows from who drew or knocked at which ends. It makes a fish only when its hand is lighter
    than the average of what is not seen.
    """

    name = "tile-counter"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, decision: KozelDecision) -> Proposal:
        lacking = numbers_lacking(decision.events)
        unseen = [tile for tile in range(TILES) if tile not in decision.chain and tile not in decision.own_tiles]
        return decision.lay(max(decision.moves, key=lambda move: (_worth(decision, move, unseen, lacking), move)))


def numbers_lacking(events: Sequence[Event]) -> dict[int, set[int]]:
    """The numbers that each seat is known not to have: the ends at which it had to draw or knock.

    The tile that ended its drawing fits one of those ends, and was laid.
    """
    lacking: dict[int, set[int]] = {}
    left = right = -1
    for event in events:
        if event.kind is TILE_LAID:
            left, right = ends_after(left, right, event.tiles[0], event.end)
        elif event.kind is TILE_DRAWN or event.kind is KNOCKED:
            known = set() if event.kind is TILE_DRAWN else lacking.get(event.seat, set())
            lacking[event.seat] = known | {left, right}
    return lacking


def ends_after(left: int, right: int, tile: int, end: End) -> tuple[int, int]:
    """What the ends show when a tile has been laid."""
    if end is End.LEFT:
        return other_half(tile, left), right
    if end is End.RIGHT:
        return left, other_half(tile, right)
    return HIGH[tile], LOW[tile]


def _worth(decision: KozelDecision, move: Move, unseen: list[int], lacking: dict[int, set[int]]) -> int:
    left, right = ends_after(decision.left, decision.right, move.tile, move.end)
    kept = [tile for tile in decision.own_tiles if tile != move.tile]
    if not kept:
        return 1_000
    playable = len([tile for tile in kept if bears(tile, left) or bears(tile, right)])
    against = len([tile for tile in unseen if bears(tile, left) or bears(tile, right)])
    following = lacking.get(decision.next_player.seat, set())
    blocked = len({left, right} & following) if left != right else 2 * (left in following)
    worth = 2 * PIPS[move.tile] + 5 * playable - against + 6 * blocked
    lying = len([tile for tile in (*decision.chain, move.tile) if bears(tile, left) and LOW[tile] != HIGH[tile]])
    if left == right and lying == 6:  # a fish
        players = decision.players
        others = sum([player.tiles for player in players if player.seat != decision.seat])
        average = sum([PIPS[tile] for tile in unseen]) * others // max(1, len(unseen) * (len(players) - 1))
        worth += 100 if sum([PIPS[tile] for tile in kept]) < average else -100
    return worth


KOZEL_BOTS: Final[dict[str, Callable[[int], KozelPracticeBot]]] = {
    RandomLegal.name: RandomLegal,
    HeaviestFirst.name: HeaviestFirst,
    TileCounter.name: TileCounter,
}
"""What makes each practice bot, by its name."""


def make_kozel_bot(name: str, seed: int = 0) -> KozelPracticeBot:
    """A practice bot by its name; raises KeyError for any other name."""
    return KOZEL_BOTS[name](seed)
