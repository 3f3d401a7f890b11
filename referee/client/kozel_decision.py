"""What a bot of Kozel is asked and what it may answer: the same in live play and in the harness."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.kozel.events import End, Event
from referee.kozel.ruleset import RuleSet
from referee.kozel.rulings import LAY, LegalOptions, Move, Proposal, Ruling
from referee.kozel.setup import Account
from referee.kozel.tiles import parse_tile, tiles_text

ENDS: Final = {"": End.NONE, "left": End.LEFT, "right": End.RIGHT}
"""Ends of the chain as they are written."""


class KozelPlayer(NamedTuple):
    """A player of the round as everybody sees him: how many tiles he holds, and his points."""

    seat: int
    name: str
    tiles: int
    account: Account


@dataclass(frozen=True, slots=True)
class KozelDecision:
    """One open decision of one seat, with all that the seat may know. Tiles are small integers.

    ``players`` are clockwise, in the order of their seats. ``own_tiles`` are in the order in which they came. ``chain``
    runs from the left end to the right one, whose numbers are ``left`` and ``right`` (-1 before the first tile).
    ``legal.moves`` is everything that may be laid and where. ``events`` are the round so far as this seat sees it,
    tiles that it may not see as -1. ``remaining_ms`` is None where there is no clock. ``refusal`` is the ruling on
    this seat's last answer to this same decision, when that was refused. ``match_name`` is empty in the harness.
    """

    table_id: str
    hand_id: str
    hand_number: int
    seat: int
    rule_set: RuleSet
    players: tuple[KozelPlayer, ...]
    own_tiles: tuple[int, ...]
    chain: tuple[int, ...]
    left: int
    right: int
    boneyard_count: int
    carry: int
    legal: LegalOptions
    remaining_ms: int | None
    events: tuple[Event, ...]
    refusal: Ruling | None = None
    match_name: str = ""

    # --- what there is to know --------------------------------------------------------------------------

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, of which there is always one (KOZ-5)."""
        return self.legal.moves

    @property
    def me(self) -> KozelPlayer:
        """This seat's player."""
        return next(player for player in self.players if player.seat == self.seat)

    @property
    def next_player(self) -> KozelPlayer:
        """Who is to act after this seat."""
        place = [player.seat for player in self.players].index(self.seat)
        return self.players[(place + 1) % len(self.players)]

    @property
    def own_tiles_text(self) -> str:
        """The own tiles, such as ``6-5 4-4``."""
        return tiles_text(self.own_tiles)

    @property
    def chain_text(self) -> str:
        """The tiles on the table from left to right."""
        return tiles_text(self.chain)

    # --- proposals --------------------------------------------------------------------------------------

    def lay(self, tile: Move | int | str, end: End | str = "") -> Proposal:
        """Proposes to lay a tile, given as one of ``moves``, as an integer or as text such as ``"6-5"``.

        ``end`` is ``"left"`` or ``"right"``; it may be left out unless the tile fits both. Raises ValueError for a
        text that is no tile, KeyError for one that is no end.
        """
        if isinstance(tile, Move):
            tile, end = tile
        named = parse_tile(tile) if isinstance(tile, str) else tile
        return Proposal(
            self.seat, LAY, named, ENDS[end] if isinstance(end, str) else end, self.hand_id, self.legal.decision_id
        )

    def lay_first(self) -> Proposal:
        """Proposes the first of the legal moves."""
        return self.lay(self.legal.moves[0])

    def completed(self, proposal: Proposal) -> Proposal:
        """The proposal as this seat's, with round and decision filled in where it does not name them (BET-9)."""
        return proposal._replace(
            seat=self.seat,
            hand_id=proposal.hand_id or self.hand_id,
            decision_id=proposal.decision_id or self.legal.decision_id,
        )


KozelBot = Callable[[KozelDecision], Proposal | Awaitable[Proposal]]
"""A bot of Kozel is one function from a decision to a proposal; it may be async."""
