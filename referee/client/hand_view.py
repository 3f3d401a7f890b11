"""A hand as one seat sees it: the engine's own fold over that seat's view of the events, hidden cards and all."""

from collections.abc import Mapping

from referee.client.decision import Decision, PlayerView
from referee.rules.cards import UNKNOWN
from referee.rules.events import DISCARDED, HAND_SHOWN, HOLE_DEALT, Event
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.rules.setup import NOBODY, HandSetup
from referee.rules.state import Hand, apply


class HandView:
    """Folds a seat's events and makes its decisions.

    ``setup`` needs no deck: cards come with the events, those that the seat may not see as -1. ``seat`` is the seat
    whose cards the events tell, 0 before they are dealt.
    """

    def __init__(
        self,
        setup: HandSetup,
        number: int,
        table_id: str = "",
        names: Mapping[int, str] | None = None,
        match_name: str = "",
    ) -> None:
        """Starts before the first event; raises RuleSetError when no hand can begin from the setup."""
        self.setup = setup
        self.number = number
        self.table_id = table_id
        self.match_name = match_name
        self.seat = NOBODY
        self.events: list[Event] = []
        self._names = {} if names is None else names
        self._hand = Hand(setup)
        self._shown: dict[int, tuple[int, ...]] = {}
        self._has_discarded: set[int] = set()

    def fold(self, event: Event) -> None:
        """Takes the next event of the view."""
        apply(self._hand, event)
        self.events.append(event)
        kind = event.kind
        if kind is HOLE_DEALT:
            if UNKNOWN not in event.cards:
                self.seat = event.seat
        elif kind is HAND_SHOWN:
            self._shown[event.seat] = event.cards
        elif kind is DISCARDED:
            self._has_discarded.add(event.seat)

    @property
    def hand_id(self) -> str:
        """The hand's id, which proposals name."""
        return self.setup.hand_id

    @property
    def over(self) -> bool:
        """Whether everything is settled."""
        return self._hand.has_ended()

    @property
    def board(self) -> tuple[int, ...]:
        """The board, discards that joined it last."""
        return self._hand.board + self._hand.joined

    @property
    def pot(self) -> int:
        """Every chip in the middle, until pots are awarded."""
        return self._hand.chips_in()

    @property
    def hole(self) -> tuple[int, ...]:
        """The cards that the seat still holds."""
        player = self._hand.index_of(self.seat)
        return () if player < 0 else self._hand.kept[player]

    def stack_of(self, seat: int) -> int:
        """A seat's chips now; raises ValueError for a seat that was not dealt in."""
        return self._hand.stack[self.setup.seats.index(seat)]

    def net_of(self, seat: int) -> int:
        """What a seat has won or lost in this hand so far, in chips."""
        return self.stack_of(seat) - self.setup.stacks[self.setup.seats.index(seat)]

    def players(self) -> tuple[PlayerView, ...]:
        """The players dealt in, clockwise from the left of the button."""
        hand = self._hand
        everybody_has = hand.discards_done and hand.setup.rule_set.game.discards > 0
        return tuple(
            [
                PlayerView(
                    seat,
                    self._names.get(seat, ""),
                    hand.stack[player],
                    hand.bet[player],
                    hand.total[player],
                    hand.live[player],
                    hand.live[player] and hand.stack[player] == 0,
                    seat in self._has_discarded or (everybody_has and hand.live[player]),
                    self._shown.get(seat, ()),
                )
                for player, seat in enumerate(hand.setup.seats)
            ]
        )

    def decision(self, legal: LegalOptions, remaining_ms: int | None = None, refusal: Ruling | None = None) -> Decision:
        """The open decision of the seat that the options are for."""
        hand, setup = self._hand, self.setup
        player = hand.index_of(legal.seat)
        if not legal.max_to:
            legal = legal._replace(wager=ActionKind.BET, step=1)
        return Decision(
            self.table_id,
            setup.hand_id,
            self.number,
            legal.seat,
            setup.rule_set,
            setup.limit,
            setup.stakes,
            setup.button_seat,
            setup.small_blind_seat,
            setup.big_blind_seat,
            hand.street,
            self.players(),
            hand.kept[player],
            hand.discarded[player],
            hand.board + hand.joined,
            hand.joined,
            hand.chips_in(),
            hand.level,
            legal,
            remaining_ms,
            tuple(self.events),
            refusal,
            self.match_name,
        )

    def show(self) -> Proposal:
        """Proposes to turn up one's hand after it is over (SHOW-2, SHOW-7)."""
        return Proposal(self.seat, ActionKind.SHOW, hand_id=self.setup.hand_id)
