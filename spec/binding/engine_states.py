"""What of an engine's hand the specification sees: one small projection, field by field.

This module is trusted: graph equality is equality of these projections. It reads fields of the hand and public
functions, and decides nothing.
"""

from typing import NamedTuple

from referee.rules.hand import forced, legal_options
from referee.rules.rulings import LegalOptions
from referee.rules.showdown import strengths_of
from referee.rules.state import NOT_ACTED, Hand, Phase, Shown
from spec.binding.tla_values import Function, by_index


class SpecState(NamedTuple):
    """A state of ``Graph.tla``: the variables of ``IrishHand.tla``, and what its seats are offered."""

    start: Function
    phase: str
    street: int
    stack: Function
    total: Function
    dead: int
    live: frozenset[int]
    held: Function
    lifts: Function
    bet: Function
    acted: frozenset[int]
    last: int
    level: int
    increment: int
    base: int
    wagers: int
    startedWith: int  # noqa: N815 - names are those of the specification
    rank: Function
    shown: tuple[int, ...]
    mucked: frozenset[int]
    won: Function
    rake: int
    options: Function
    turn: int


PHASES = {
    Phase.OPENING: "opening",
    Phase.BETTING: "betting",
    Phase.DISCARDING: "discarding",
    Phase.BETWEEN: "between",
    Phase.OVER: "over",
}


def projected(hand: Hand, shown: tuple[int, ...], rank: tuple[int, ...]) -> SpecState:
    """The specification's state of a hand. ``shown`` are the players of the HAND_SHOWN events so far, in order, and
    ``rank`` the order of the hands of a showdown that took place, all 0 without one: the hand itself keeps neither."""
    players = range(len(hand.stack))
    betting = hand.phase == Phase.BETTING
    live = frozenset(i for i in players if hand.live[i])
    counts_starters = betting or (
        hand.setup.rule_set.game.discard_point.name == "BEFORE_FLOP_BETTING"
        and hand.street == 1
        and not hand.discards_done
    )
    return SpecState(
        start=by_index(hand.setup.stacks),
        phase=PHASES[Phase(hand.phase)],
        street=hand.street,
        stack=by_index(hand.stack),
        total=by_index(hand.total),
        dead=hand.dead,
        live=live,
        held=by_index([len(cards) for cards in hand.kept]),
        lifts=by_index(hand.lifts),
        bet=by_index(hand.bet if betting else [0 for _ in players]),
        acted=frozenset(i for i in live if hand.acted[i] != NOT_ACTED) if betting else frozenset(),
        last=hand.last if betting else -1,
        level=hand.level if betting else 0,
        increment=hand.increment if betting else 0,
        base=hand.base if betting else 0,
        wagers=hand.wagers if betting else 0,
        startedWith=hand.live_at_street_start if counts_starters else 0,
        rank=by_index(rank),
        shown=shown,
        mucked=frozenset(i for i in players if hand.shown[i] == Shown.MUCKED),
        won=by_index(hand.paid),
        rake=hand.rake,
        # While something is forced nobody is asked: `propose` goes on before it answers.
        options=by_index([() if forced(hand) else _offered(legal_options(hand, seat)) for seat in hand.setup.seats]),
        turn=hand.to_act if betting else -1,
    )


def _offered(legal: LegalOptions | None) -> tuple[object, ...]:
    """Whether folding and checking are legal, what calling adds, the least and highest wager, and the cards owed."""
    if legal is None:
        return ()
    return (legal.fold, legal.check, legal.call, legal.min_to, legal.max_to, legal.discard)


def ranks_of(hand: Hand) -> tuple[int, ...]:
    """The order of the live hands by the engine's own ranking of their cards: 1 (worst), 2 ... without gaps."""
    strengths = strengths_of(hand)
    live = {i: strengths[i] for i in range(len(strengths)) if hand.live[i]}
    places = {value: place for place, value in enumerate(sorted(set(live.values())), 1)}
    return tuple([places[live[i]] if i in live else 0 for i in range(len(strengths))])


def everything(hand: Hand) -> tuple[object, ...]:
    """Every field of a hand, copied: equal exactly when ``encode(hand)`` is, and made faster."""
    values = [getattr(hand, name) for name in Hand.__slots__]
    return tuple([tuple(value) if isinstance(value, list) else value for value in values])


_HISTORY = frozenset(("setup", "answered", "returned", "hole", "kept", "discarded", "board", "joined"))
_BEHIND = tuple(name for name in Hand.__slots__ if name not in _HISTORY)


def behind(hand: Hand) -> tuple[object, ...]:
    """Everything that a hand keeps but its cards, counts of answers and returned bets, whether the specification sees
    it or not. States are explored by this, so that something in it that changes what happens shows as a difference."""
    values = [getattr(hand, name) for name in _BEHIND]
    return (
        tuple([tuple(value) if isinstance(value, list) else value for value in values]),
        tuple([len(cards) for cards in hand.kept]),
        len(hand.board),
    )
