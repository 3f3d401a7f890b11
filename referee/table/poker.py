"""Poker at a table: hands one after another, with stacks, button and blinds between them (SEAT-1 to SEAT-6)."""

from typing import Final, final

from referee.dealing import DeckSource
from referee.dealing.fair import FairDecks
from referee.dealing.given import GivenDecks
from referee.record import wire
from referee.record.encoding import options_bytes, ruling_bytes
from referee.rules.cards import DECK_SIZE
from referee.rules.events import Event
from referee.rules.hand import advance, legal_options, open_decision, open_seats, propose, propose_together
from referee.rules.ruleset import MAX_CHIPS, MAX_SEATS
from referee.rules.rulings import FORFEIT, SHOW, TIMEOUT, LegalOptions, Proposal, Ruling
from referee.rules.setup import Post
from referee.rules.state import DISCARDING, Hand, apply
from referee.table.faults import ANSWERS_NOTHING_OPEN
from referee.table.fields import POKER
from referee.table.game import Game, GameEvent, GameProposal, GameRuling
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.table.seating import Beginning, Standing, begin, can_begin, first_players
from referee.table.seats import Seat, stored_seat
from referee.v1 import hand_pb2, record_pb2, table_pb2

_PLAYS: Final = tuple([Standing(seat) for seat in range(MAX_SEATS + 1)])


@final
class Poker(Game):
    """A table's poker: the hand, and the positions from which the next one follows."""

    def __init__(self, config: PokerConfig) -> None:
        super().__init__(POKER, DECK_SIZE)
        self.config = config
        self.hand: Hand | None = None
        self.positions: Positions | None = None if config.start is None else config.start.before

    # --- seats ------------------------------------------------------------------------------------------

    def has_seat(self, seat: int) -> bool:
        """Whether the seat begins with chips."""
        return self.config.first_stack(seat) > 0

    def first_stack(self, seat: int) -> int:
        """The chips with which a seat begins."""
        return self.config.first_stack(seat)

    def why_nobody_sits_down(self, hand_number: int, seeds_are_closed: bool) -> str:
        """Why no seat is taken any more: of a table that goes on from another one all are taken before."""
        if self.config.start is not None and seeds_are_closed:
            return "the table goes on from another one: its seats are taken before the first hand"
        return ""

    def why_nobody_sits_out(self) -> str:
        """Seats sit out and in as they like (SEAT-5)."""
        return ""

    def why_not_filled_up(self, seats: dict[int, Seat], to: int) -> str:
        """Why a stack is not filled up to so many chips: more than the table allows, or than all of it may hold."""
        most = self.config.top_up_to
        if not most:
            return "stacks are not topped up here"
        if not 0 <= to <= most:
            return f"stacks are topped up to at most {most} chips"
        if to % self.config.stakes.chip_unit:
            return f"{to} is not a multiple of {self.config.stakes.chip_unit}"
        if to + sum([max(other.stack, other.top_up_to) for other in seats.values()]) > MAX_CHIPS:
            return f"all stacks together would pass {MAX_CHIPS} chips"
        return ""

    # --- hands ------------------------------------------------------------------------------------------

    def next_hand(
        self, number: int, seats: dict[int, Seat], decks: FairDecks, given: GivenDecks | None
    ) -> record_pb2.StoredHandBegan | int | None:
        """How the next hand begins: with its positions and posts, and each seat with its stack and standing."""
        config = self.config
        staying = {seat: one for seat, one in seats.items() if not one.leaving}
        stacks = {
            seat: config.starting_stack if config.reset_stacks else max(one.stack, one.top_up_to)
            for seat, one in staying.items()
        }
        if sum([bool(stacks[seat] or config.top_up_to) for seat in staying]) < 2:
            return table_pb2.END_REASON_TOO_FEW_PLAYERS
        if given is not None and number > len(given):
            return table_pb2.END_REASON_NO_DECK
        standings = tuple(
            [
                _PLAYS[seat] if one.simply_plays() and stacks[seat] else one.standing(seat, stacks[seat] > 0)
                for seat, one in staying.items()
            ]
        )
        if not can_begin(standings):
            return None
        beginning = self._beginning(number, decks, standings)
        positions = beginning.positions
        return record_pb2.StoredHandBegan(
            seats=[stored_seat(one, staying[one.seat], stacks[one.seat]) for one in beginning.standings],
            dealt_in=positions.dealt_in,
            button_seat=positions.button,
            small_blind_position=positions.small_blind_position,
            big_blind_seat=positions.big_blind,
            deck_root=b"" if given is not None else decks.root(0, number),
            posts=[record_pb2.StoredPost(seat=post.seat, live=post.live, dead=post.dead) for post in beginning.posts],
        )

    def _beginning(self, number: int, decks: FairDecks, standings: tuple[Standing, ...]) -> Beginning:
        beginners = first_players(self.positions, standings)
        button = 0
        if beginners:
            start = self.config.start
            placed = start.button(beginners) if start is not None and number == 1 else 0
            button = placed or decks.first_button(beginners)
        return begin(self.config.rule_set.button_rule, self.config.stakes, self.positions, standings, button)

    def begin(self, began: record_pb2.StoredHandBegan, seats: dict[int, Seat], decks: DeckSource) -> None:
        """Folds the beginning of a hand: its setup from positions, stacks, deck and posts."""
        positions = Positions(
            began.button_seat, began.small_blind_position, began.big_blind_seat, tuple(began.dealt_in)
        )
        self.positions = positions
        self.hand_id = began.hand_id
        self.hand = Hand(
            self.config.setup(
                positions,
                tuple([seats[seat].stack for seat in positions.dealt_in]),
                decks.deck(0, began.hand),
                began.hand_id,
                tuple([seat for seat in positions.dealt_in if seats[seat].show_when_beaten]),
                tuple([Post(post.seat, post.live, post.dead) for post in began.posts]),
            )
        )

    def apply(self, event: GameEvent) -> None:
        """Folds an event of the hand."""
        assert isinstance(event, Event), "an event of poker"
        apply(self._hand(), event)

    def end_hand(self, seats: dict[int, Seat]) -> None:
        """Gives the seats the stacks with which the hand has ended."""
        hand = self._hand()
        for seat, stack in zip(hand.setup.seats, hand.stack, strict=True):
            seats[seat].stack = stack

    def state(self) -> Hand | None:
        """The hand under way, or the last one."""
        return self.hand

    def _hand(self) -> Hand:
        assert self.hand is not None, "a hand has begun"
        return self.hand

    def is_on(self) -> bool:
        """Whether a hand is under way."""
        return self.hand is not None and not self.hand.has_ended()

    def advance(self) -> tuple[GameEvent, ...]:
        """Applies what follows without a decision, and returns it."""
        return advance(self._hand())

    # --- decisions --------------------------------------------------------------------------------------

    def open_seats(self) -> tuple[int, ...]:
        """The seats that have an open decision."""
        return open_seats(self._hand())

    def open_decision(self, seat: int) -> int:
        """The id of a seat's open decision."""
        return open_decision(self._hand(), seat)

    def options(self, seat: int) -> LegalOptions | None:
        """What a seat may do at its open decision."""
        return None if self.hand is None else legal_options(self.hand, seat)

    def options_bytes(self, seat: int) -> bytes:
        """The bytes of the same as a message."""
        options = legal_options(self._hand(), seat)
        assert options is not None, "the decision is open"
        return options_bytes(options)

    def hides_progress(self) -> bool:
        """Whether discards are being made in secret (DISC-3)."""
        return self.config.rule_set.hide_discard_progress and self.hand is not None and self.hand.phase is DISCARDING

    # --- proposals --------------------------------------------------------------------------------------

    def propose(self, proposal: GameProposal) -> GameRuling:
        """Rules on a proposal and applies what follows."""
        assert isinstance(proposal, Proposal), "a proposal of poker"
        return propose(self._hand(), proposal)

    def answer_for(self, seats: tuple[int, ...], forfeiting: list[int]) -> list[tuple[int, bytes, GameRuling]]:
        """Answers for seats, clockwise (TIME-2, DISC-8, TIME-4)."""
        hand = self._hand()
        in_their_place = tuple(
            [Proposal(seat, FORFEIT if seat in forfeiting else TIMEOUT) for seat in sorted(seats, key=hand.index_of)]
        )
        answers: list[tuple[int, bytes, GameRuling]] = []
        for proposal, ruling in zip(in_their_place, propose_together(hand, in_their_place), strict=True):
            answers.append((proposal.seat, self.proposal_bytes(proposal), ruling))
        return answers

    def is_taken_after_hand(self, proposal: GameProposal) -> bool:
        """Whether the proposal shows a hand (SHOW-2)."""
        return proposal.kind is SHOW

    def proposal_bytes(self, proposal: GameProposal) -> bytes:
        """The bytes of a proposal's message."""
        assert isinstance(proposal, Proposal), "a proposal of poker"
        return wire.proposal_message(proposal).SerializeToString()

    def ruling_bytes(self, ruling: GameRuling) -> bytes:
        """The bytes of a ruling's message without the events."""
        assert isinstance(ruling, Ruling), "a ruling of poker"
        return ruling_bytes(ruling)

    def is_belated(self, reason: int) -> bool:
        """Whether the proposal named another hand or decision."""
        return reason in ANSWERS_NOTHING_OPEN

    def is_late(self, proposal: bytes, fault_is_due: bool) -> bool:
        """Whether the message is that of a time-out, or forfeits a hand for being late."""
        action = hand_pb2.Proposal.FromString(proposal).action
        return action.HasField("timeout") or (action.HasField("forfeit") and not fault_is_due)

    # --- telling ----------------------------------------------------------------------------------------

    def tell_seat(self, told: table_pb2.SeatState, one: Seat) -> None:
        """Adds the stack; at a private table none, since stacks tell who won its hands."""
        if self.config.private_table:
            return
        hand = self.hand
        if hand is not None and told.seat in hand.setup.seats:
            told.stack = hand.stack[hand.index_of(told.seat)]
        else:
            told.stack = one.stack
