"""What a bot is asked and what it may answer: the same in live play and in the harness."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules.cards import cards_text, parse_cards
from referee.rules.events import Event
from referee.rules.ruleset import Game, Limit, RuleSet, Stakes
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.rules.state import STREET_NAMES


class PlayerView(NamedTuple):
    """A player of the hand as everybody sees him; amounts in chips.

    ``bet`` is what he has in on this street, ``put_in`` what he has in altogether, dead money not counted. ``live``
    players have not folded; ``all_in`` ones are live without chips. ``discarded`` says whether his discard is known
    to be made. ``shown`` are the cards that he has shown.
    """

    seat: int
    name: str
    stack: int
    bet: int
    put_in: int
    live: bool
    all_in: bool
    discarded: bool
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One open decision of one seat, with all that the seat may know. Amounts in chips, cards as small integers.

    ``players`` are clockwise from the left of the button, so that the one who acts last after the flop comes last.
    ``hole`` are the cards still held, in the order in which they were dealt; ``discarded`` those already given up.
    ``board`` is all that counts for everybody, ``joined`` the discards among it (GAME-3). ``pot`` is every chip in
    the middle, ``level`` the street total to match. ``events`` are the hand so far as this seat sees it, cards that
    it may not see as -1. ``remaining_ms`` is None where there is no clock. ``refusal`` is the ruling on this seat's
    last answer to this same decision, when that was refused. ``match_name`` is the match's name, empty in the harness.

    Methods that name an action (``call``, ``raise_to``) propose it whether it is legal or not; those with ``or`` in
    their names, ``bet_pot`` and ``discard_last`` propose only what is legal. Where a discard is owed these discard
    the cards dealt last.
    """

    table_id: str
    hand_id: str
    hand_number: int
    seat: int
    rule_set: RuleSet
    limit: Limit
    stakes: Stakes
    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    street: int
    players: tuple[PlayerView, ...]
    hole: tuple[int, ...]
    discarded: tuple[int, ...]
    board: tuple[int, ...]
    joined: tuple[int, ...]
    pot: int
    level: int
    legal: LegalOptions
    remaining_ms: int | None
    events: tuple[Event, ...]
    refusal: Ruling | None = None
    match_name: str = ""

    # --- what there is to know --------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game as data: hole cards, discards, when, and what becomes of them."""
        return self.rule_set.game

    @property
    def must_discard(self) -> int:
        """How many cards are to be discarded now; 0 in a betting round."""
        return self.legal.discard

    @property
    def to_call(self) -> int:
        """What calling adds; 0 when there is nothing to call."""
        return self.legal.call

    @property
    def street_name(self) -> str:
        """``pre-flop``, ``flop``, ``turn`` or ``river``."""
        return STREET_NAMES[self.street]

    @property
    def big_blind(self) -> int:
        """The big blind, in chips."""
        return self.stakes.big_blind

    @property
    def me(self) -> PlayerView:
        """This seat's player."""
        return next(player for player in self.players if player.seat == self.seat)

    @property
    def stack(self) -> int:
        """This seat's chips, what is in the middle not included."""
        return self.me.stack

    @property
    def opponents(self) -> tuple[PlayerView, ...]:
        """The other live players, clockwise from the left of the button."""
        return tuple([player for player in self.players if player.live and player.seat != self.seat])

    @property
    def acts_last(self) -> bool:
        """Whether no other player with chips acts after this seat on the rounds after the flop."""
        able = [player.seat for player in self.players if player.live and not player.all_in]
        return bool(able) and able[-1] == self.seat

    @property
    def hole_text(self) -> str:
        """The cards still held, such as ``Ah Kd``."""
        return cards_text(self.hole)

    @property
    def board_text(self) -> str:
        """The board, such as ``5h 7d 9h``."""
        return cards_text(self.board)

    # --- actions by name --------------------------------------------------------------------------------

    def fold(self) -> Proposal:
        """Proposes to fold."""
        return self._propose(ActionKind.FOLD)

    def check(self) -> Proposal:
        """Proposes to check."""
        return self._propose(ActionKind.CHECK)

    def call(self) -> Proposal:
        """Proposes to call, with all chips if they are fewer."""
        return self._propose(ActionKind.CALL)

    def raise_to(self, total: int) -> Proposal:
        """Proposes to lift the level to this street total: a bet where there is none yet, else a raise (BET-2)."""
        return self._propose(ActionKind.RAISE if self.level else ActionKind.BET, total)

    def discard(self, cards: Iterable[int] | str) -> Proposal:
        """Proposes to discard these cards, given as integers or as text such as ``"9h 9c"``."""
        named = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
        return self._propose(ActionKind.DISCARD, 0, named)

    # --- only what is legal -----------------------------------------------------------------------------

    def check_or_fold(self) -> Proposal:
        """Checks if nothing is owed, else folds."""
        if self.legal.discard:
            return self.discard_last()
        return self.check() if self.legal.check else self.fold()

    def check_or_call(self) -> Proposal:
        """Checks if nothing is owed, else calls."""
        if self.legal.discard:
            return self.discard_last()
        return self.check() if self.legal.check else self.call()

    def bet_or_raise(self, total: int) -> Proposal:
        """Lifts the level to the legal street total nearest below ``total``, or to the lowest one.

        Checks or calls where no wager is legal.
        """
        legal = self.legal
        if not legal.max_to:
            return self.check_or_call()
        if total >= legal.max_to:
            return self._propose(legal.wager, legal.max_to)
        steps = max(0, total - legal.min_to) // legal.step
        return self._propose(legal.wager, legal.min_to + steps * legal.step)

    def bet_pot(self, percent: int = 100) -> Proposal:
        """Bets or raises by so many percent of the pot as it is after calling, as near as is legal."""
        return self.bet_or_raise(self.level + (self.pot + self.legal.call) * percent // 100)

    def all_in_or_call(self) -> Proposal:
        """Puts in as much as the betting structure allows; checks or calls where no wager is legal."""
        return self.bet_or_raise(self.legal.max_to)

    def discard_last(self) -> Proposal:
        """Discards the cards dealt last, which is what the referee does for a seat out of time (DISC-8)."""
        held = self.legal.held
        return self._propose(ActionKind.DISCARD, 0, held[len(held) - self.legal.discard :])

    # --- proposals --------------------------------------------------------------------------------------

    def completed(self, proposal: Proposal) -> Proposal:
        """The proposal as this seat's, with hand and decision filled in where it does not name them (BET-9)."""
        return proposal._replace(
            seat=self.seat,
            hand_id=proposal.hand_id or self.hand_id,
            decision_id=proposal.decision_id or self.legal.decision_id,
        )

    def _propose(self, kind: ActionKind, total: int = 0, cards: tuple[int, ...] = ()) -> Proposal:
        return Proposal(self.seat, kind, total, cards, self.hand_id, self.legal.decision_id)


Bot = Callable[[Decision], Proposal | Awaitable[Proposal]]
"""A bot is one function from a decision to a proposal; it may be async."""
