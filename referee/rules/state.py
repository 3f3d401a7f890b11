"""The state of one hand, and the fold that makes it: ``apply`` is the only thing that changes a hand.

Live play, crash recovery, judging and auditing all run this fold, so that they cannot disagree. Applying an event
records a fact; whether it was legal is asked before, in :mod:`referee.rules.hand`.
"""

import json
from dataclasses import fields
from enum import IntEnum
from typing import Any, Final

from mypy_extensions import mypyc_attr

from referee.rules.cards import UNKNOWN
from referee.rules.events import (
    ANTE_POSTED,
    BET,
    BET_RETURNED,
    BLIND_POSTED,
    BOARD_DEALT,
    CALLED,
    CHECKED,
    DEAD_POSTED,
    DISCARD_SHOWN,
    DISCARDED,
    DISCARDS_CLOSED,
    DISCARDS_OPENED,
    FOLDED,
    HAND_ENDED,
    HAND_MUCKED,
    HAND_SHOWN,
    HOLE_DEALT,
    LATE_FOLD_SHOWN,
    POT_AWARDED,
    RAISED,
    RAKE_TAKEN,
    ROUND_CLOSED,
    Event,
)
from referee.rules.ruleset import (
    AllInExposure,
    AnteKind,
    ButtonRule,
    CapHeadsUp,
    DeckReveal,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    Game,
    LateMinimum,
    Limit,
    OpenFold,
    RuleSet,
    ShowdownOrder,
    Stakes,
)
from referee.rules.setup import HandSetup, Post, check_setup

NO_PLAYER: Final = -1
NOT_ACTED: Final = -1
LAST_STREET: Final = 3
STREET_NAMES: Final = ("pre-flop", "flop", "turn", "river")
STREET_CARDS: Final = (0, 3, 1, 1)


class Phase(IntEnum):
    """Where a hand stands."""

    OPENING = 0
    """Antes, blinds and hole cards are still to come."""
    BETTING = 1
    DISCARDING = 2
    BETWEEN = 3
    """Nothing is asked of anybody; the next forced event is due."""
    OVER = 4


OPENING: Final = Phase.OPENING
BETTING: Final = Phase.BETTING
DISCARDING: Final = Phase.DISCARDING
BETWEEN: Final = Phase.BETWEEN
OVER: Final = Phase.OVER


class Shown(IntEnum):
    """What became of a player's hand at the end."""

    NOT_YET = 0
    SHOWN = 1
    MUCKED = 2


HAND_FIELDS: Final = (
    "acted",
    "answered",
    "base",
    "bet",
    "blind_shortfall",
    "board",
    "chips_count",
    "closed",
    "dead",
    "discarded",
    "discards_done",
    "hole",
    "increment",
    "joined",
    "kept",
    "last",
    "late_folds",
    "level",
    "lifts",
    "live",
    "live_at_street_start",
    "live_count",
    "paid",
    "phase",
    "rake",
    "returned",
    "setup",
    "shown",
    "stack",
    "street",
    "to_act",
    "total",
    "wagers",
)
"""What a hand consists of; each is a field of :class:`Hand`."""


@mypyc_attr(acyclic=True)
class Hand:
    """One hand in progress. Lists are by player, clockwise from the left of the button; amounts are chips.

    ``bet`` is what a player has in on this street, ``total`` what POT-1 counts, ``dead`` the dead money of BLIND-6.
    ``acted`` is the level when the player last acted on this street (OPEN-2). ``increment`` is the minimum raise of
    SIZE-1, ``base`` and ``wagers`` are those of SIZE-8 and SIZE-6. ``lifts`` holds the last player to lift the
    level on each street (SHOW-1). ``late_folds`` are players who folded by DISC-8 and of whom nobody has been told
    (DISC-3). ``answered`` counts the decisions a player has answered (BET-9).
    """

    __slots__ = HAND_FIELDS

    def __init__(self, setup: HandSetup, like: "Hand | None" = None) -> None:
        """Starts before the first event, and raises RuleSetError when the setup is refused; or is a copy of ``like``.

        The setup of a copy is not checked again.
        """
        self.setup = setup
        if like is None:
            check_setup(setup)
            players = len(setup.seats)
            stakes = setup.stakes
            self.stack = list(setup.stacks)
            self.bet = [0] * players
            self.total = [0] * players
            self.dead = 0
            self.live = [True] * players
            self.live_count = players
            self.live_at_street_start = players
            self.chips_count = players
            self.acted = [NOT_ACTED] * players
            self.answered = [0] * players
            self.hole: list[tuple[int, ...]] = [()] * players
            self.kept: list[tuple[int, ...]] = [()] * players
            self.discarded: list[tuple[int, ...]] = [()] * players
            self.board: tuple[int, ...] = ()
            self.joined: tuple[int, ...] = ()
            self.street = 0
            self.phase = OPENING
            self.closed = False
            self.late_folds: list[int] = []
            self.discards_done = setup.rule_set.game.discards == 0
            self.to_act = NO_PLAYER
            self.last = setup.seats.index(setup.big_blind_seat)
            self.level = stakes.big_blind
            self.increment = stakes.big_blind
            self.base = stakes.big_blind
            self.wagers = 1
            self.lifts = [NO_PLAYER] * 4
            self.blind_shortfall = stakes.small_blind + stakes.big_blind
            self.returned = [0] * players
            self.shown = [Shown.NOT_YET] * players
            self.rake = 0
            self.paid = [0] * players
            return
        self.stack = like.stack.copy()
        self.bet = like.bet.copy()
        self.total = like.total.copy()
        self.dead = like.dead
        self.live = like.live.copy()
        self.live_count = like.live_count
        self.live_at_street_start = like.live_at_street_start
        self.chips_count = like.chips_count
        self.acted = like.acted.copy()
        self.answered = like.answered.copy()
        self.hole = like.hole.copy()
        self.kept = like.kept.copy()
        self.discarded = like.discarded.copy()
        self.board = like.board
        self.joined = like.joined
        self.street = like.street
        self.phase = like.phase
        self.closed = like.closed
        self.late_folds = like.late_folds.copy()
        self.discards_done = like.discards_done
        self.to_act = like.to_act
        self.last = like.last
        self.level = like.level
        self.increment = like.increment
        self.base = like.base
        self.wagers = like.wagers
        self.lifts = like.lifts.copy()
        self.blind_shortfall = like.blind_shortfall
        self.returned = like.returned.copy()
        self.shown = like.shown.copy()
        self.rake = like.rake
        self.paid = like.paid.copy()

    def copy(self) -> "Hand":
        """An independent copy, for trying things out, or for going on from here more than once."""
        return Hand(self.setup, self)

    def index_of(self, seat: int) -> int:
        """The player at a seat, or -1 when the seat was not dealt in."""
        for player, one in enumerate(self.setup.seats):
            if one == seat:
                return player
        return NO_PLAYER

    def chips_in(self) -> int:
        """Every chip in the middle, this street's bets, antes and dead money included."""
        return sum(self.total) + self.dead

    def has_ended(self) -> bool:
        """Whether everything is settled; only showing a hand voluntarily is still possible."""
        return self.phase is OVER

    def all_in(self, player: int) -> bool:
        """Whether a live player has put in his last chip."""
        return self.live[player] and self.stack[player] == 0

    def owes_discard(self, player: int) -> bool:
        """Whether the discard round is open and still waits for this player (DISC-1)."""
        return self.phase is DISCARDING and self.live[player] and not self.discarded[player]


def next_to_act(hand: Hand) -> int:
    """The player who must act on this betting round, or -1 when it is closed (BET-1, BET-4 to BET-7).

    Blinds are live: who posted one has not acted yet (BLIND-4).
    """
    if hand.live_count == 1 or hand.chips_count == 0:
        return NO_PLAYER
    live, stack, bet, acted, level = hand.live, hand.stack, hand.bet, hand.acted, hand.level
    players = len(stack)
    if hand.chips_count == 1:  # BET-6: asked only when an all-in opponent has more in than he
        for player in range(players):
            if live[player] and stack[player]:
                for opponent in range(players):
                    if live[opponent] and bet[opponent] > bet[player]:
                        return player
        return NO_PLAYER
    player = hand.last
    for _ in range(players):
        player += 1
        if player == players:
            player = 0
        if live[player] and stack[player] and (acted[player] < 0 or bet[player] < level):
            return player
    return NO_PLAYER


def street_bet(hand: Hand) -> int:
    """The fixed bet of this street (SIZE-5)."""
    return hand.setup.stakes.big_blind if hand.street < 2 else hand.setup.stakes.late_bet()


def apply(hand: Hand, event: Event) -> None:
    """Folds one event into the hand. Facts only: legality was decided before."""
    kind = event.kind
    player = NO_PLAYER
    if event.seat:
        player = hand.index_of(event.seat)
        if player == NO_PLAYER:
            raise ValueError(f"seat {event.seat} was not dealt in")
    # Compared by identity: numbers of an enumeration are compared far more slowly, and most events are actions.
    if kind is FOLDED or kind is CALLED or kind is CHECKED or kind is RAISED or kind is BET:
        _apply_action(hand, event, player)
    elif kind is HOLE_DEALT or kind is BLIND_POSTED or kind is ANTE_POSTED or kind is DEAD_POSTED:
        _apply_opening(hand, event, player)
    elif kind is ROUND_CLOSED or kind is BOARD_DEALT or kind is BET_RETURNED:
        _apply_round(hand, event, player)
    elif kind is DISCARDED or kind is DISCARDS_OPENED or kind is DISCARDS_CLOSED or kind is DISCARD_SHOWN:
        _apply_discard_round(hand, event, player)
    else:
        _apply_ending(hand, event, player)


def _apply_action(hand: Hand, event: Event, player: int) -> None:
    kind = event.kind
    if kind is CALLED:
        _pay(hand, player, event.amount)
        hand.acted[player] = hand.level
    elif kind is CHECKED:
        hand.acted[player] = hand.level
    elif kind is FOLDED:
        _fold(hand, player)
        if hand.phase is DISCARDING and hand.setup.rule_set.hide_discard_progress:
            hand.late_folds.append(player)
    else:
        _pay(hand, player, event.amount)
        _lift(hand, player, event.to)
    hand.answered[player] = hand.answered[player] + 1
    if hand.phase is BETTING:
        hand.last = player
        hand.to_act = next_to_act(hand)


def _fold(hand: Hand, player: int) -> None:
    hand.live[player] = False
    hand.live_count -= 1
    if hand.stack[player]:
        hand.chips_count -= 1


def _apply_opening(hand: Hand, event: Event, player: int) -> None:
    kind = event.kind
    if kind is HOLE_DEALT:
        hand.hole[player] = hand.kept[player] = event.cards
        if player == len(hand.stack) - 1:
            hand.phase = BETTING
            hand.to_act = next_to_act(hand)
    elif kind is BLIND_POSTED:
        _pay(hand, player, event.amount)
        if event.seat in (hand.setup.small_blind_seat, hand.setup.big_blind_seat):
            hand.blind_shortfall -= event.amount
    elif kind is ANTE_POSTED:
        _take(hand, player, event.amount)
        hand.total[player] += event.amount
    elif kind is DEAD_POSTED:
        _take(hand, player, event.amount)
        hand.dead += event.amount


def _apply_round(hand: Hand, event: Event, player: int) -> None:
    kind = event.kind
    if kind is BOARD_DEALT:
        _open_street(hand, event.cards)
    elif kind is ROUND_CLOSED:
        hand.phase = BETWEEN
        hand.closed = True
    elif kind is BET_RETURNED:
        if hand.stack[player] == 0 and hand.live[player]:
            hand.chips_count += 1
        hand.stack[player] += event.amount
        hand.bet[player] -= event.amount
        hand.total[player] -= event.amount
        hand.returned[player] += event.amount


def _apply_discard_round(hand: Hand, event: Event, player: int) -> None:
    kind = event.kind
    if kind is DISCARDED:
        hand.discarded[player] = event.cards
        hand.kept[player] = without(hand.hole[player], event.cards)
        hand.answered[player] += 1
    elif kind is DISCARDS_OPENED:
        hand.phase = DISCARDING
    elif kind is DISCARD_SHOWN:
        if hand.setup.rule_set.game.discard_visibility is DiscardVisibility.JOINS_BOARD:
            hand.joined += event.cards
    elif kind is DISCARDS_CLOSED:
        hand.discards_done = True
        hand.phase = BETWEEN
        if not hand.closed:
            _start_betting(hand)


def _apply_ending(hand: Hand, event: Event, player: int) -> None:
    kind = event.kind
    if kind is HAND_SHOWN:
        hand.shown[player] = Shown.SHOWN
    elif kind is HAND_MUCKED:
        hand.shown[player] = Shown.MUCKED
    elif kind is RAKE_TAKEN:
        hand.rake += event.amount
    elif kind is POT_AWARDED:
        hand.stack[player] += event.amount
        hand.paid[player] += event.amount
    elif kind is LATE_FOLD_SHOWN:
        if player in hand.late_folds:
            hand.late_folds.remove(player)
        elif hand.live[player]:  # a view in which the fold itself was hidden
            _fold(hand, player)
    elif kind is HAND_ENDED:
        hand.phase = OVER
        hand.to_act = NO_PLAYER


def _take(hand: Hand, player: int, amount: int) -> None:
    left = hand.stack[player] - amount
    hand.stack[player] = left
    if left == 0 and amount:
        hand.chips_count -= 1


def _pay(hand: Hand, player: int, amount: int) -> None:
    _take(hand, player, amount)
    hand.bet[player] = hand.bet[player] + amount
    hand.total[player] = hand.total[player] + amount


def _lift(hand: Hand, player: int, to: int) -> None:
    """Raises the level, and with it what the next raise is measured by (SIZE-1, SIZE-8, OPEN-3, SHOW-1)."""
    if hand.setup.limit == Limit.FIXED_LIMIT:
        if 2 * (to - hand.base) >= street_bet(hand):
            hand.base = to
            hand.wagers += 1
    elif to - hand.level >= hand.increment:
        hand.increment = to - hand.level
    hand.level = to
    hand.acted[player] = to
    hand.lifts[hand.street] = player


def _open_street(hand: Hand, cards: tuple[int, ...]) -> None:
    players = len(hand.stack)
    hand.board += cards
    hand.street += 1
    hand.bet = [0] * players
    hand.acted = [NOT_ACTED] * players
    hand.level = 0
    hand.base = 0
    hand.wagers = 0
    hand.last = NO_PLAYER
    hand.closed = False
    hand.live_at_street_start = hand.live_count
    stakes = hand.setup.stakes
    late = hand.street >= 2 and hand.setup.rule_set.late_minimum == LateMinimum.BIG_BET
    hand.increment = stakes.late_bet() if late else stakes.big_blind
    before_betting = hand.setup.rule_set.game.discard_point == DiscardPoint.BEFORE_FLOP_BETTING
    if not (before_betting and hand.street == 1):
        _start_betting(hand)


def _start_betting(hand: Hand) -> None:
    """Opens the betting of a street after the flop, or skips it when no wager is possible (BET-5)."""
    hand.to_act = next_to_act(hand)
    if hand.to_act == NO_PLAYER:
        hand.phase = BETWEEN
        hand.closed = True
    else:
        hand.phase = BETTING


def without(hole: tuple[int, ...], discards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards kept; a discard that is not among the known cards was one of the unknown ones."""
    kept = list(hole)
    for card in discards:
        kept.remove(card if card in kept else UNKNOWN)
    return tuple(kept)


# --- encoding -------------------------------------------------------------------------------------------

_ENUMS: Final = {
    "limit": Limit,
    "discard_point": DiscardPoint,
    "discard_visibility": DiscardVisibility,
    "showdown_order": ShowdownOrder,
    "all_in_exposure": AllInExposure,
    "button_rule": ButtonRule,
    "open_fold": OpenFold,
    "cap_heads_up": CapHeadsUp,
    "discard_timeout": DiscardTimeout,
    "deck_reveal": DeckReveal,
    "late_minimum": LateMinimum,
    "ante_kind": AnteKind,
}


def encode(hand: Hand) -> bytes:
    """Every field of the hand, setup included, as canonical JSON: equal states have equal bytes."""
    state = {name: getattr(hand, name) for name in HAND_FIELDS if name != "setup"}
    state["setup"] = _fields_of(hand.setup)
    return json.dumps(state, sort_keys=True, separators=(",", ":")).encode("ascii")


def decode(encoded: bytes) -> Hand:
    """The hand that :func:`encode` wrote; raises ValueError, KeyError or TypeError for other bytes."""
    state = json.loads(encoded)
    if not isinstance(state, dict) or set(state) != set(HAND_FIELDS):
        raise ValueError("not an encoded hand")
    hand = Hand(decode_setup(state.pop("setup")))
    for name, value in state.items():
        current = getattr(hand, name)
        if name == "phase":
            value = Phase(value)
        elif name == "shown":
            value = [Shown(item) for item in value]
        elif name in ("hole", "kept", "discarded"):
            value = [tuple(item) for item in value]
        elif isinstance(current, tuple):
            value = tuple(value)
        setattr(hand, name, value)
    return hand


def _fields_of(value: Any) -> Any:
    if isinstance(value, (HandSetup, RuleSet, Game, Stakes, Post)):
        return {field.name: _fields_of(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_fields_of(item) for item in value]
    return value


def _values(plain: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise ValueError("not an encoded setup")
    values: dict[str, Any] = {}
    for name, value in plain.items():
        if name in _ENUMS:
            values[name] = _ENUMS[name](value)
        elif isinstance(value, list):
            values[name] = tuple(value)
        else:
            values[name] = value
    return values


def decode_setup(plain: dict[str, Any]) -> HandSetup:
    """A setup from the plain values that :func:`encode` writes."""
    values = _values(plain)
    rules = _values(values["rule_set"])
    rules["game"] = Game(**_values(rules["game"]))
    rules["limits"] = tuple([Limit(limit) for limit in rules["limits"]])
    values["rule_set"] = RuleSet(**rules)
    values["stakes"] = Stakes(**_values(values["stakes"]))
    values["posts"] = tuple([Post(**post) for post in values["posts"]])
    return HandSetup(**values)
