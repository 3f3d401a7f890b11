"""Kozel at a table: one game, round after round, between the seats that began it (KOZ-3, KOZ-15, KOZ-17)."""

from typing import Final, final

from referee.dealing import DeckSource
from referee.dealing.fair import FairDecks
from referee.dealing.given import GivenDecks
from referee.kozel.events import Event
from referee.kozel.game import decks_until_played
from referee.kozel.round import advance, legal_options, open_decision, open_seats, propose
from referee.kozel.rulings import TIMEOUT, LegalOptions, Proposal, Reason, Ruling
from referee.kozel.scoring import NO_PLAYER
from referee.kozel.setup import EMPTY_ACCOUNT, FIRST_ROUND, Account, RoundSetup
from referee.kozel.state import Round, apply
from referee.kozel.tiles import TILES
from referee.record import kozel_wire as wire
from referee.table.fields import KOZEL
from referee.table.game import NOT_OVER, Game, GameEvent, GameProposal, GameRuling
from referee.table.kozel_config import KozelConfig
from referee.table.seating import Standing
from referee.table.seats import Seat, stored_seat
from referee.v1 import kozel_pb2, record_pb2, table_pb2

ANSWERS_NOTHING_OPEN: Final = frozenset([int(Reason.WRONG_ROUND), int(Reason.STALE_DECISION)])
"""Reasons, by number, of refusing what was meant for another decision than the open one, such as a belated answer."""


@final
class Kozel(Game):
    """A table's game of Kozel: the round, from which the next one follows."""

    def __init__(self, config: KozelConfig) -> None:
        super().__init__(KOZEL, TILES)
        self.config = config
        self.round: Round | None = None

    # --- seats ------------------------------------------------------------------------------------------

    def why_nobody_sits_down(self, hand_number: int, seeds_are_closed: bool) -> str:
        """Why no seat is taken any more: a game is played between those who began it."""
        return "the game has begun" if hand_number else ""

    def why_nobody_sits_out(self) -> str:
        """Why nobody sits out: every round needs all players."""
        return "nobody sits out of a game of Kozel"

    def why_not_filled_up(self, seats: dict[int, Seat], to: int) -> str:
        """Why no stack is filled up: there are none."""
        return "a game of Kozel has no stacks"

    # --- rounds -----------------------------------------------------------------------------------------

    def next_hand(
        self, number: int, seats: dict[int, Seat], decks: FairDecks, given: GivenDecks | None
    ) -> record_pb2.StoredHandBegan | int | None:
        """How the next round begins: who leads it with which accounts, and the roots of its decks.

        Who leaves before the first round does not play. Who leaves later does, until it is his turn and his time is
        over (KOZ-17).
        """
        before = self.round
        if before is None:
            players = tuple([seat for seat, one in seats.items() if not one.leaving])
            accounts, leader, carry = (EMPTY_ACCOUNT,) * len(players), FIRST_ROUND, 0
        else:
            players = before.setup.seats
            accounts, leader, carry = tuple(before.accounts), players[before.winner], before.carry
        if len(players) < 2:
            return table_pb2.END_REASON_TOO_FEW_PLAYERS
        if given is not None and number > len(given):
            return table_pb2.END_REASON_NO_DECK
        began = record_pb2.StoredHandBegan(
            seats=[stored_seat(Standing(seat), seats[seat], 0) for seat in players], dealt_in=players
        )
        began.kozel.accounts.extend([wire.account_message(account) for account in accounts])
        began.kozel.leader_seat = leader
        began.kozel.carry = carry
        if given is None:
            for redeal in range(len(self._decks(decks, number, len(players)))):
                began.kozel.deck_roots.append(decks.root(0, number, redeal))
        return began

    def _decks(self, decks: DeckSource, number: int, players: int) -> tuple[tuple[int, ...], ...]:
        """The decks of a round in order, of which the last is played (KOZ-2); the host gives one for each round."""
        if isinstance(decks, FairDecks):
            fair = decks
            return decks_until_played(lambda redeal: fair.deck(0, number, redeal), players, self.config.rule_set)
        return (decks.deck(0, number),)

    def begin(self, began: record_pb2.StoredHandBegan, seats: dict[int, Seat], decks: DeckSource) -> None:
        """Folds the beginning of a round."""
        players = tuple(began.dealt_in)
        accounts: tuple[Account, ...] = tuple([wire.account_of(one) for one in began.kozel.accounts])
        self.hand_id = began.hand_id
        self.round = Round(
            RoundSetup(
                self.config.rule_set,
                players,
                self._decks(decks, began.hand, len(players)),
                accounts,
                began.kozel.leader_seat,
                began.kozel.carry,
                began.hand_id,
            )
        )

    def apply(self, event: GameEvent) -> None:
        """Folds an event of the round."""
        assert isinstance(event, Event), "an event of Kozel"
        apply(self._round(), event)

    def end_hand(self, seats: dict[int, Seat]) -> None:
        """Seats keep nothing of a round: accounts are the round's."""

    def state(self) -> Round | None:
        """The round under way, or the last one."""
        return self.round

    def _round(self) -> Round:
        assert self.round is not None, "a round has begun"
        return self.round

    def is_on(self) -> bool:
        """Whether a round is under way."""
        return self.round is not None and not self.round.has_ended()

    def advance(self) -> tuple[GameEvent, ...]:
        """Applies what follows without a decision, and returns it."""
        return advance(self._round())

    def over(self) -> int:
        """Whether somebody has lost, or was out of time (KOZ-15, KOZ-17)."""
        ended = self.round is not None and self.round.game_has_ended()
        return table_pb2.END_REASON_GAME_OVER if ended else NOT_OVER

    # --- decisions --------------------------------------------------------------------------------------

    def open_seats(self) -> tuple[int, ...]:
        """The seat that has the open decision."""
        return open_seats(self._round())

    def open_decision(self, seat: int) -> int:
        """The id of the seat's open decision."""
        return open_decision(self._round(), seat)

    def options(self, seat: int) -> LegalOptions | None:
        """What a seat may do at its open decision."""
        return None if self.round is None else legal_options(self.round, seat)

    def options_bytes(self, seat: int) -> bytes:
        """The bytes of the same as a message."""
        options = legal_options(self._round(), seat)
        assert options is not None, "the decision is open"
        return wire.options_message(options).SerializeToString()

    # --- proposals --------------------------------------------------------------------------------------

    def propose(self, proposal: GameProposal) -> GameRuling:
        """Rules on a proposal and applies what follows."""
        assert isinstance(proposal, Proposal), "a proposal of Kozel"
        return propose(self._round(), proposal)

    def answer_for(self, seats: tuple[int, ...], forfeiting: list[int]) -> list[tuple[int, bytes, GameRuling]]:
        """Answers for the seat that is out of time, which ends the game (KOZ-17)."""
        answers: list[tuple[int, bytes, GameRuling]] = []
        for seat in seats:
            late = Proposal(seat, TIMEOUT)
            answers.append((seat, self.proposal_bytes(late), propose(self._round(), late)))
        return answers

    def proposal_bytes(self, proposal: GameProposal) -> bytes:
        """The bytes of a proposal's message."""
        assert isinstance(proposal, Proposal), "a proposal of Kozel"
        return wire.proposal_message(proposal).SerializeToString()

    def ruling_bytes(self, ruling: GameRuling) -> bytes:
        """The bytes of a ruling's message without the events."""
        assert isinstance(ruling, Ruling), "a ruling of Kozel"
        return wire.ruling_message(ruling._replace(events=())).SerializeToString()

    def is_belated(self, reason: int) -> bool:
        """Whether the proposal named another round or decision."""
        return reason in ANSWERS_NOTHING_OPEN

    def is_late(self, proposal: bytes, fault_is_due: bool) -> bool:
        """Whether the message is that of a time-out."""
        return kozel_pb2.KozelProposal.FromString(proposal).HasField("timeout")

    # --- telling ----------------------------------------------------------------------------------------

    def tell_seat(self, told: table_pb2.SeatState, one: Seat) -> None:
        """Adds the account; at a private table none, since accounts tell who won its rounds."""
        state = self.round
        if state is None or self.config.private_table:
            return
        player = state.index_of(told.seat)
        if player != NO_PLAYER:
            told.kozel_account.CopyFrom(wire.account_message(state.accounts[player]))
