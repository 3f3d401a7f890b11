"""The engine's reachable graph: breadth first, with the complete menu in every state, over all showdown orders.

Nodes are the specification's states (see :mod:`engine_states`). An edge is one accepted proposal, or one group of
forced events: what one call of ``forced`` returns. States are told apart by everything that the engine keeps, not by
the projection, so that equal projections that behave differently show.

The engine deals real cards. A showdown's order is made by decks (see :mod:`orders`): the way to each showdown is played
again on a deck for every order, and what follows from each is an edge.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from referee.rules.events import (
    BOARD_DEALT,
    DISCARDS_CLOSED,
    DISCARDS_OPENED,
    HAND_ENDED,
    HAND_SHOWN,
    HOLE_DEALT,
    ROUND_CLOSED,
    Event,
)
from referee.rules.hand import forced, open_hand, open_seats, propose, propose_timeouts
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import HandSetup
from referee.rules.state import Hand, Phase, apply
from spec.binding.engine_states import SpecState, behind, everything, projected, ranks_of
from spec.binding.menu import complete_menu
from spec.binding.orders import deck_for, weak_orders

PROPOSED = {
    ActionKind.FOLD: "Folded",
    ActionKind.CHECK: "Checked",
    ActionKind.CALL: "Called",
    ActionKind.BET: "Bet",
    ActionKind.RAISE: "Raised",
    ActionKind.DISCARD: "Discarded",
    ActionKind.SHOW: "HandShown",
    ActionKind.FORFEIT: "Forfeited",
}
"""The specification's names of what seats propose; a time-out's name depends on the round."""

Orders = Callable[[tuple[int, ...]], list[dict[int, int]]]
"""The orders of the showdown to try for some live players."""

Edge = tuple[SpecState, str, SpecState]


@dataclass
class Graph:
    """States and labelled edges. ``refused`` counts refused proposals by reason, ``proposed`` all of them."""

    nodes: set[SpecState] = field(default_factory=set)
    initial: set[SpecState] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)
    refused: Counter[str] = field(default_factory=Counter)
    proposed: int = 0

    def add(self, before: SpecState, label: str, after: SpecState) -> None:
        """Adds an edge and its ends."""
        self.nodes.update((before, after))
        self.edges.add((before, label, after))


class _Place(NamedTuple):
    """A hand at rest, how it got there, and which hands were shown so far."""

    hand: Hand
    way: tuple[Proposal, ...]
    shown: tuple[int, ...]
    rank: tuple[int, ...]


class EngineError(AssertionError):
    """The engine broke something that holds whatever the rules are, such as a refusal that changed the hand."""


def group_label(events: list[Event], hand: Hand) -> str:
    """The specification's name of a group of forced events, ``hand`` being the one after it."""
    match events[-1].kind:
        case k if k == HOLE_DEALT:
            return "PostAndDeal"
        case k if k == ROUND_CLOSED:
            return "RoundClosed"
        case k if k == BOARD_DEALT:
            return "BoardDealt"
        case k if k == DISCARDS_OPENED:
            return "DiscardsOpened"
        case k if k == DISCARDS_CLOSED:
            return "DiscardsClosed"
        case k if k == HAND_SHOWN:
            return "HandsTabled"
        case k if k == HAND_ENDED:
            return "WonUncontested" if hand.live_count == 1 else "SomeShowdown"
    raise EngineError(f"a group of events without a name: {events}")


class Explorer:
    """Explores every hand from some setups. The decks of the setups do not matter; they are replaced."""

    def __init__(
        self,
        setups: Iterable[HandSetup],
        with_shows: bool = False,
        orders: Orders = weak_orders,
        with_forfeits: bool = False,
    ) -> None:
        self.graph = Graph()
        self._setups = list(setups)
        self._with_shows = with_shows
        self._with_forfeits = with_forfeits
        self._orders = orders
        self._waiting: deque[_Place] = deque()
        self._seen: set[object] = set()
        self._showdowns: set[object] = set()

    def run(self) -> Graph:
        """The whole graph."""
        for setup in self._setups:
            self._seen.clear()
            self._showdowns.clear()
            self._open(setup)
            while self._waiting:
                self._visit(self._waiting.popleft())
        return self.graph

    def _open(self, setup: HandSetup) -> None:
        players = len(setup.seats)
        deck = deck_for(dict.fromkeys(range(players), 1), players, setup.rule_set.game.hole_cards)
        setup = replace(setup, deck=deck)
        nobody = (0,) * players
        before = projected(Hand(setup), (), nobody)
        self.graph.nodes.add(before)
        self.graph.initial.add(before)
        hand, events = open_hand(setup)
        self._follow(_Place(Hand(setup), (), (), nobody), before, events, hand)

    def _visit(self, place: _Place) -> None:
        """Proposes everything, and adds an edge for all that is accepted."""
        hand, way, shown, rank = place
        before = projected(hand, shown, rank)
        unchanged = everything(hand)
        kept = hand.copy()
        for proposal in complete_menu(hand, self._with_shows, self._with_forfeits):
            self.graph.proposed += 1
            ruling = propose(hand, proposal)
            if not ruling.accepted:
                assert ruling.reason is not None
                self.graph.refused[ruling.reason.name] += 1
                continue
            after, hand = hand, kept.copy()
            follows = hand.copy()
            apply(follows, ruling.events[0])
            label = PROPOSED.get(proposal.kind, "")
            if proposal.kind is ActionKind.TIMEOUT:
                label = "TimedOutBetting" if kept.phase == Phase.BETTING else "TimedOutDiscarding"
            told = (*shown, hand.index_of(proposal.seat)) if proposal.kind is ActionKind.SHOW else shown
            between = projected(follows, told, rank)
            self.graph.add(before, label, between)
            # Only the cards dealt last are really discarded, so that the decks of orders.py keep their order.
            if proposal.kind is not ActionKind.DISCARD or proposal.cards == _dealt_last(kept, proposal.seat):
                moved = _Place(follows, (*way, proposal._replace(cards=())), told, rank)
                self._follow(moved, between, ruling.events[1:], after)
        if everything(hand) != unchanged:
            raise EngineError(f"a refused proposal changed {before}")
        self._late_together(kept)

    def _follow(self, place: _Place, state: SpecState, events: tuple[Event, ...], after: Hand) -> None:
        """Follows forced events group by group to the hand ``after`` them."""
        hand, way, shown, rank = place
        happened: list[Event] = []
        while group := forced(hand):
            pre_showdown = group[-1].kind == HAND_ENDED and hand.live_count > 1
            if pre_showdown:
                self._showdown(_Place(hand, way, shown, rank), state)
                return
            for event in group:
                apply(hand, event)
            happened.extend(group)
            shown += tuple([hand.index_of(event.seat) for event in group if event.kind == HAND_SHOWN])
            now = projected(hand, shown, rank)
            self.graph.add(state, group_label(group, hand), now)
            state = now
        if tuple(happened) != events or everything(hand) != everything(after):
            raise EngineError(f"forced events are not those that followed: {happened} and {events}")
        self._wait_for(_Place(hand, way, shown, rank))

    def _showdown(self, place: _Place, state: SpecState) -> None:
        """Every order of the live hands: the same way to the showdown, played on a deck for each."""
        key = (behind(place.hand), place.shown)
        if key in self._showdowns:
            return
        self._showdowns.add(key)
        setup = place.hand.setup
        players = len(setup.seats)
        live = tuple([i for i in range(players) if place.hand.live[i]])
        for order in self._orders(live):
            dealt = replace(setup, deck=deck_for(order, players, setup.rule_set.game.hole_cards))
            hand, before, group = played_again(dealt, place.way)
            if projected(before, place.shown, place.rank) != state:
                raise EngineError("the same proposals on another deck led elsewhere")
            rank = ranks_of(hand)
            if rank != tuple([order.get(i, 0) for i in range(players)]):
                raise EngineError(f"the deck for {order} gave {rank}")
            shown = place.shown + tuple([hand.index_of(one.seat) for one in group if one.kind == HAND_SHOWN])
            self.graph.add(state, group_label(group, hand), projected(hand, shown, rank))
            self._wait_for(_Place(hand, place.way, shown, rank))

    def _wait_for(self, place: _Place) -> None:
        key = (behind(place.hand), place.shown, place.rank)
        if key not in self._seen:
            self._seen.add(key)
            self._waiting.append(place)

    def _late_together(self, hand: Hand) -> None:
        """DISC-8: seats late together are as if late one after the other, clockwise."""
        waiting = open_seats(hand) if hand.phase == Phase.DISCARDING else ()
        if len(waiting) < 2:
            return
        together, apart = hand.copy(), hand.copy()
        propose_timeouts(together, tuple(reversed(waiting)))
        for seat in waiting:
            propose(apart, Proposal(seat, ActionKind.TIMEOUT))
        if everything(together) != everything(apart):
            raise EngineError("seats late together are not as if late one after the other")


def played_again(setup: HandSetup, way: tuple[Proposal, ...]) -> tuple[Hand, Hand, list[Event]]:
    """Plays a way to the end of its hand: the hand, the hand before the last group of events, and that group."""
    before = Hand(setup)
    hand, _ = open_hand(setup)
    for proposal in way:
        before = hand.copy()
        ruling = propose(hand, _with_cards(hand, proposal))
        if not ruling.accepted:
            raise EngineError(f"{proposal} is refused on another deck: {ruling.message}")
        apply(before, ruling.events[0])
    while True:
        group = forced(before)
        if group[-1].kind == HAND_ENDED:
            return hand, before, group
        for event in group:
            apply(before, event)


def _with_cards(hand: Hand, proposal: Proposal) -> Proposal:
    """A discard of a way names no cards: they are those dealt last."""
    if proposal.kind is not ActionKind.DISCARD:
        return proposal
    return proposal._replace(cards=_dealt_last(hand, proposal.seat))


def _dealt_last(hand: Hand, seat: int) -> tuple[int, ...]:
    return hand.hole[hand.index_of(seat)][-hand.setup.rule_set.game.discards :]
