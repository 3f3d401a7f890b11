"""The state of a round, and the one function that changes it: the fold over events."""

import json
from dataclasses import fields
from enum import IntEnum
from typing import Any, Final

from referee.kozel.events import (
    ACCOUNT_OPENED,
    BONEYARD_LAID,
    CARRY_GIVEN,
    CARRY_LAPSED,
    FISH_MADE,
    GAME_LOST,
    HAND_COUNTED,
    KNOCKED,
    LEAD_GIVEN,
    POINTS_REMEMBERED,
    POINTS_SCORED,
    RATED,
    REDEALT,
    REMEMBERED_CLEARED,
    ROUND_ENDED,
    SUM_CARRIED,
    TILE_DRAWN,
    TILE_LAID,
    TILES_DEALT,
    TIMED_OUT,
    WENT_OUT,
    End,
    Event,
)
from referee.kozel.ruleset import Fish, FishScoring, RuleSet
from referee.kozel.scoring import NO_PLAYER, Ending
from referee.kozel.setup import Account, RoundSetup, check_setup
from referee.kozel.tiles import HIGH, LOW, UNKNOWN, bears, is_double, other_half, pips_of

NO_NUMBER: Final = -1
NOT_COUNTED: Final = -1
NOT_RATED: Final = -1


class Phase(IntEnum):
    """Where a round stands."""

    DEALING = 0
    PLAYING = 1
    COUNTING = 2
    """Play is over; counting and scoring are due."""
    OVER = 3


DEALING: Final = Phase.DEALING
PLAYING: Final = Phase.PLAYING
COUNTING: Final = Phase.COUNTING
OVER: Final = Phase.OVER

ROUND_FIELDS: Final = (
    "accounts",
    "answered",
    "boneyard",
    "carry",
    "chain",
    "counts",
    "ending",
    "fish_player",
    "hands",
    "last",
    "left",
    "lost",
    "phase",
    "ratings",
    "redeals",
    "right",
    "setup",
    "to_act",
    "winner",
)
"""What a round consists of; each is a field of :class:`Round`."""


class Round:
    """One round in progress. Lists are by player, clockwise in the order of the setup.

    ``chain`` are the tiles on the table from the left end to the right one, ``left`` and ``right`` the numbers at its
    ends. ``last`` acted last; ``fish_player`` laid the tile that left both ends equal with all of that number's other
    tiles on the table (KOZ-7); ``winner`` went out or made the fish, and leads next. ``counts`` are what hands count
    at the end. ``lost`` are the players who have lost the game, ``ratings`` what everybody gets for it. ``answered``
    counts the decisions a player has answered (BET-9).
    """

    __slots__ = ROUND_FIELDS

    def __init__(self, setup: RoundSetup) -> None:
        """Starts before the first event; raises SetupRefusedError when the setup is refused."""
        check_setup(setup)
        players = len(setup.seats)
        self.setup = setup
        self.phase = DEALING
        self.redeals = 0
        self.hands: list[tuple[int, ...]] = [()] * players
        self.boneyard: tuple[int, ...] = ()
        self.chain: tuple[int, ...] = ()
        self.left = NO_NUMBER
        self.right = NO_NUMBER
        self.to_act = NO_PLAYER
        self.last = NO_PLAYER
        self.fish_player = NO_PLAYER
        self.winner = NO_PLAYER
        self.ending = Ending.NOT_YET
        self.answered = [0] * players
        self.counts = [NOT_COUNTED] * players
        self.accounts = list(setup.accounts)
        self.carry = setup.carry
        self.lost: tuple[int, ...] = ()
        self.ratings = [NOT_RATED] * players

    def copy(self) -> "Round":
        """An independent copy, for trying things out."""
        twin = Round(self.setup)
        for name in ROUND_FIELDS:
            value = getattr(self, name)
            setattr(twin, name, list(value) if isinstance(value, list) else value)
        return twin

    def index_of(self, seat: int) -> int:
        """The player at a seat, or -1 when the seat is not in the round."""
        seats = self.setup.seats
        return seats.index(seat) if seat in seats else NO_PLAYER

    def has_ended(self) -> bool:
        """Whether everything is counted and scored."""
        return self.phase is OVER

    def game_has_ended(self) -> bool:
        """Whether the game has ended with this round (KOZ-15, KOZ-17)."""
        return self.phase is OVER and self.ratings[0] != NOT_RATED

    def fits(self, tile: int) -> bool:
        """Whether a tile may be laid at one of the ends, or leads (KOZ-4)."""
        return not self.chain or bears(tile, self.left) or bears(tile, self.right)

    def can_lay(self, player: int) -> bool:
        """Whether the player holds a tile that fits (KOZ-5)."""
        return any([self.fits(tile) for tile in self.hands[player]])

    def is_fish(self) -> bool:
        """Whether the chain, while every player still holds a tile, is a fish (KOZ-7)."""
        if self.fish_player == NO_PLAYER:
            return False
        double_lies = any([is_double(tile) and LOW[tile] == self.left for tile in self.chain])
        return self.setup.rule_set.fish is Fish.STRUCTURAL or double_lies


def apply(state: Round, event: Event) -> None:
    """Folds one event into the round. Facts only: legality was decided before."""
    kind = event.kind
    player = state.setup.seats.index(event.seat) if event.seat else NO_PLAYER
    if kind is TILE_LAID:
        _lay(state, player, event.tiles[0], event.end)
    elif kind is TILE_DRAWN:
        state.hands[player] = state.hands[player] + event.tiles
        state.boneyard = state.boneyard[1:]
    elif kind is KNOCKED:
        state.to_act = _next_player(state, player)
    elif kind <= LEAD_GIVEN:
        _apply_dealing(state, event, player)
    elif kind <= HAND_COUNTED:
        _apply_ending(state, event, player)
    elif kind <= SUM_CARRIED:
        _apply_scoring(state, event, player)
    else:
        _apply_game_end(state, event, player)


def _lay(state: Round, player: int, tile: int, end: End) -> None:
    state.hands[player] = without(state.hands[player], tile)
    if end is End.LEFT:
        state.chain = (tile, *state.chain)
        state.left = other_half(tile, state.left)
    elif end is End.RIGHT:
        state.chain = (*state.chain, tile)
        state.right = other_half(tile, state.right)
    else:  # the first tile, its higher half to the left
        state.chain = (tile,)
        state.left, state.right = HIGH[tile], LOW[tile]
    state.last = player
    state.answered[player] += 1
    state.to_act = _next_player(state, player)
    if state.fish_player == NO_PLAYER and _is_closed(state):
        state.fish_player = player


def _is_closed(state: Round) -> bool:
    """Whether both ends show one number of which all tiles but perhaps the double lie (KOZ-7)."""
    number = state.left
    lying = len([tile for tile in state.chain if bears(tile, number) and not is_double(tile)])
    return number == state.right and lying == state.setup.rule_set.highest


def _next_player(state: Round, player: int) -> int:
    return (player + 1) % len(state.hands)


def _apply_dealing(state: Round, event: Event, player: int) -> None:
    kind = event.kind
    if kind is TILES_DEALT:
        state.hands[player] = event.tiles
    elif kind is BONEYARD_LAID:
        state.boneyard = event.tiles
    elif kind is REDEALT:
        state.hands = [()] * len(state.hands)
        state.boneyard = ()
        state.redeals += 1
    elif kind is LEAD_GIVEN:
        state.phase = PLAYING
        state.to_act = player


def _apply_ending(state: Round, event: Event, player: int) -> None:
    kind = event.kind
    if kind is HAND_COUNTED:
        state.counts[player] = event.points
        return
    state.phase = COUNTING
    state.to_act = NO_PLAYER
    if kind is WENT_OUT:
        state.ending = Ending.OUT
        state.winner = player
    elif kind is FISH_MADE:
        state.ending = Ending.FISH
        state.winner = player
    elif kind is TIMED_OUT:
        state.ending = Ending.TIMEOUT
        state.answered[player] += 1
        state.last = player


def _apply_scoring(state: Round, event: Event, player: int) -> None:
    kind = event.kind
    if kind is POINTS_REMEMBERED or kind is REMEMBERED_CLEARED:
        state.accounts[player] = Account(0, event.total, False)
    elif kind is ACCOUNT_OPENED or kind is POINTS_SCORED:
        state.accounts[player] = Account(event.total, 0, True)
    elif kind is CARRY_GIVEN or kind is SUM_CARRIED:
        state.carry = event.total


def _apply_game_end(state: Round, event: Event, player: int) -> None:
    kind = event.kind
    if kind is GAME_LOST:
        state.lost = (*state.lost, player)
    elif kind is CARRY_LAPSED:
        state.carry = 0
    elif kind is RATED:
        state.ratings[player] = event.points
    elif kind is ROUND_ENDED:
        state.phase = OVER


def without(hand: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """The tiles that stay; a tile that is not among the known ones was one of the unknown ones."""
    kept = list(hand)
    kept.remove(tile if tile in kept else UNKNOWN)
    return tuple(kept)


def check_conserved(state: Round) -> None:
    """Raises AssertionError unless every tile, and so every pip, is in one place (KOZ-1). Always on."""
    together = [*state.boneyard, *state.chain]
    for hand in state.hands:
        together.extend(hand)
    tiles = state.setup.rule_set.tiles()
    if tuple(sorted(together)) != tiles or pips_of(tuple(together)) != pips_of(tiles):
        raise AssertionError(f"KOZ-1: the tiles are not accounted for: {sorted(together)}")


# --- encoding -------------------------------------------------------------------------------------------


def encode(state: Round) -> bytes:
    """Every field of the round, setup included, as canonical JSON: equal states have equal bytes."""
    plain = {name: getattr(state, name) for name in ROUND_FIELDS if name != "setup"}
    plain["setup"] = _plain_setup(state.setup)
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode("ascii")


def decode(encoded: bytes) -> Round:
    """The round that :func:`encode` wrote; raises ValueError, KeyError or TypeError for other bytes."""
    plain = json.loads(encoded)
    if not isinstance(plain, dict) or set(plain) != set(ROUND_FIELDS):
        raise ValueError("not an encoded round")
    state = Round(decode_setup(plain["setup"]))
    state.phase = Phase(plain["phase"])
    state.ending = Ending(plain["ending"])
    state.hands = [tuple(hand) for hand in plain["hands"]]
    state.accounts = [Account(*account) for account in plain["accounts"]]
    for name in ("boneyard", "chain", "lost"):
        setattr(state, name, tuple(plain[name]))
    for name in ("answered", "counts", "ratings"):
        setattr(state, name, list(plain[name]))
    for name in ("carry", "fish_player", "last", "left", "redeals", "right", "to_act", "winner"):
        setattr(state, name, plain[name])
    return state


def _plain_setup(setup: RoundSetup) -> dict[str, Any]:
    plain = {field.name: getattr(setup, field.name) for field in fields(setup)}
    plain["rule_set"] = {field.name: getattr(setup.rule_set, field.name) for field in fields(setup.rule_set)}
    return plain


def decode_setup(plain: dict[str, Any]) -> RoundSetup:
    """A setup from the plain values that :func:`encode` writes."""
    if not isinstance(plain, dict):
        raise ValueError("not an encoded setup")
    rules = dict(plain["rule_set"])
    rules["fish"] = Fish(rules["fish"])
    rules["fish_scoring"] = FishScoring(rules["fish_scoring"])
    return RoundSetup(
        RuleSet(**rules),
        tuple(plain["seats"]),
        tuple([tuple(deck) for deck in plain["decks"]]),
        tuple([Account(*account) for account in plain["accounts"]]),
        plain["leader_seat"],
        plain["carry"],
        plain["hand_id"],
    )
