"""A round of Kozel as one seat sees it: the engine's own fold over that seat's view of the events."""

from collections.abc import Mapping

from referee.client.kozel_decision import KozelDecision, KozelPlayer
from referee.kozel.events import TILES_DEALT, Event
from referee.kozel.rulings import LegalOptions, Ruling
from referee.kozel.setup import FIRST_ROUND, Account, RoundSetup
from referee.kozel.state import NOT_RATED, Round, apply
from referee.kozel.tiles import UNKNOWN


class KozelView:
    """Folds a seat's events and makes its decisions.

    ``setup`` needs no decks: tiles come with the events, those that the seat may not see as -1. ``seat`` is the seat
    whose tiles the events tell, 0 before they are dealt.
    """

    def __init__(
        self,
        setup: RoundSetup,
        number: int,
        table_id: str = "",
        names: Mapping[int, str] | None = None,
        match_name: str = "",
    ) -> None:
        """Starts before the first event; raises SetupRefusedError when no round can begin from the setup."""
        self.setup = setup
        self.number = number
        self.table_id = table_id
        self.match_name = match_name
        self.seat = FIRST_ROUND
        self.events: list[Event] = []
        self._names = {} if names is None else names
        self._round = Round(setup)

    def fold(self, event: Event) -> None:
        """Takes the next event of the view."""
        apply(self._round, event)
        self.events.append(event)
        if event.kind is TILES_DEALT and UNKNOWN not in event.tiles:
            self.seat = event.seat

    @property
    def hand_id(self) -> str:
        """The round's id, which proposals name."""
        return self.setup.hand_id

    @property
    def over(self) -> bool:
        """Whether everything is counted and scored."""
        return self._round.has_ended()

    @property
    def game_over(self) -> bool:
        """Whether the game has ended with this round (KOZ-15, KOZ-17)."""
        return self._round.game_has_ended()

    @property
    def chain(self) -> tuple[int, ...]:
        """The tiles on the table, from the left end to the right one."""
        return self._round.chain

    @property
    def own_tiles(self) -> tuple[int, ...]:
        """The tiles that the seat holds."""
        player = self._round.index_of(self.seat)
        return () if player < 0 else self._round.hands[player]

    def account_of(self, seat: int) -> Account:
        """A seat's points now; raises ValueError for a seat that does not play."""
        return self._round.accounts[self.setup.seats.index(seat)]

    def rating_of(self, seat: int) -> int | None:
        """What a seat gets for the game (KOZ-16), None while it is not over; raises ValueError as above."""
        rating = self._round.ratings[self.setup.seats.index(seat)]
        return None if rating == NOT_RATED else rating

    def players(self) -> tuple[KozelPlayer, ...]:
        """The players of the round, clockwise."""
        now = self._round
        return tuple(
            [
                KozelPlayer(seat, self._names.get(seat, ""), len(now.hands[player]), now.accounts[player])
                for player, seat in enumerate(now.setup.seats)
            ]
        )

    def decision(
        self, legal: LegalOptions, remaining_ms: int | None = None, refusal: Ruling | None = None
    ) -> KozelDecision:
        """The open decision of the seat that the options are for."""
        now, setup = self._round, self.setup
        return KozelDecision(
            self.table_id,
            setup.hand_id,
            self.number,
            legal.seat,
            setup.rule_set,
            self.players(),
            now.hands[now.index_of(legal.seat)],
            now.chain,
            now.left,
            now.right,
            len(now.boneyard),
            now.carry,
            legal,
            remaining_ms,
            tuple(self.events),
            refusal,
            self.match_name,
        )
