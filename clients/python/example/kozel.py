"""The example bots of Kozel: one that plays plainly, and one that does what the name of a match wishes for."""

from referee.client import KozelDecision
from referee.kozel.events import End
from referee.kozel.rulings import Move, Proposal
from referee.kozel.tiles import PIPS, TILES, is_double

from .strategy import WISHES_OF


def plain(decision: KozelDecision) -> Proposal:
    """Lays a double if it may, else the tile with the most pips; the first of several."""
    return decision.lay(max(decision.moves, key=lambda move: (is_double(move.tile), PIPS[move.tile])))


def conformance(decision: KozelDecision) -> Proposal:
    """Does what the match's name wishes for (docs/conformance.md); plays `plain` at any other match."""
    if not decision.match_name.startswith(WISHES_OF):
        return plain(decision)
    moves = decision.moves
    match decision.match_name.removeprefix(WISHES_OF).partition(".")[0]:
        case "last-move":
            return decision.lay(moves[-1])
        case "counted-move":
            return decision.lay(moves[counted(decision) % len(moves)])
        case "wrong-tile" if decision.refusal is None:
            return decision.lay(next(tile for tile in range(TILES) if tile not in decision.own_tiles))
        case "no-end" if decision.refusal is None:
            return decision.lay(both_ends(moves) or moves[0])
        case _:
            return decision.lay_first()


def counted(decision: KozelDecision) -> int:
    """The sum of all that is to be known at a decision."""
    return (
        sum([PIPS[tile] for tile in decision.own_tiles])
        + len(decision.chain)
        + decision.left
        + decision.right
        + decision.boneyard_count
        + decision.carry
        + sum([one.seat * one.tiles + one.account.score + one.account.remembered for one in decision.players])
    )


def both_ends(moves: tuple[Move, ...]) -> Move | None:
    """The first tile that fits both ends, without an end."""
    tiles = [move.tile for move in moves]
    return next((Move(tile, End.NONE) for tile in tiles if tiles.count(tile) == 2), None)
