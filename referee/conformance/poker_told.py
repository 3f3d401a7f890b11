"""A table of poker as one of its seats is told it."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, final

from referee.conformance.told import Item, ScriptError, Told
from referee.conformance.verdicts import FailedError, NotExercisedError
from referee.conformance.wording import WAGERS, told_action, told_wish
from referee.record import wire
from referee.record.view import view
from referee.rules.cards import DECK_SIZE, parse_cards
from referee.rules.events import Event
from referee.rules.hand import legal_options, open_hand, propose
from referee.rules.ruleset import MAX_SEATS, Limit, RuleSet, Stakes, find_rule_set
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.rules.setup import HandSetup, deck_from
from referee.rules.state import Hand
from referee.v1 import hand_pb2, table_pb2

IRISH: Final = "irish/full-tilt@1"
STAKES: Final = Stakes(5, 10)


@final
class PokerTold(Told):
    """One seat's table of poker. ``stacks`` by seat are those of every hand that does not say otherwise."""

    proposal_field = "proposal"
    deck_items = DECK_SIZE

    def __init__(
        self,
        table_id: str,
        match_name: str,
        stacks: Mapping[int, int],
        *,
        seat: int = 2,
        rule_set: RuleSet | str = IRISH,
        limit: Limit = Limit.NO_LIMIT,
        stakes: Stakes = STAKES,
    ) -> None:
        super().__init__(table_id, match_name, tuple(stacks), seat)
        self.rule_set = find_rule_set(rule_set) if isinstance(rule_set, str) else rule_set
        self.limit = limit
        self.stakes = stakes
        self.stacks = dict(stacks)
        self.hand: Hand | None = None

    def config(self) -> table_pb2.TableConfig:
        """What the table plays."""
        config = table_pb2.TableConfig(
            structure=self.limit,  # type: ignore[arg-type]
            stakes=wire.stakes_message(self.stakes),
            seats=len(self.stacks),
            starting_stack=max(self.stacks.values()),
        )
        wire.write_rules(config, self.rule_set)
        return config

    def rules(self) -> tuple[str, str]:
        """The rule set's full name and SHA-256."""
        return self.rule_set.full_name, self.rule_set.sha256()

    def seat_state(self, seat: int) -> table_pb2.SeatState:
        """How a seat stands."""
        return table_pb2.SeatState(seat=seat, name=f"player {seat}", stack=self.stacks[seat])

    # --- play -------------------------------------------------------------------------------------------

    @property
    def level(self) -> int:
        """The street total to match."""
        return self._playing().level

    @property
    def own_bet(self) -> int:
        """What the seat has in on this street."""
        hand = self._playing()
        return hand.bet[hand.index_of(self.seat)]

    def is_over(self) -> bool:
        """Whether no hand is under way."""
        return self.hand is None or self.hand.has_ended()

    def _playing(self) -> Hand:
        if self.hand is None:
            raise ScriptError("no hand was begun")
        return self.hand

    def legal(self) -> LegalOptions:
        """Everything that the seat may do now."""
        options = legal_options(self._playing(), self.seat)
        if options is None:
            raise ScriptError(f"seat {self.seat} has no decision")
        return options

    def write_options(self, message: table_pb2.Decision) -> None:
        """Writes the same into a decision's message."""
        message.legal.CopyFrom(wire.options_message(self.legal()))

    def begin(
        self,
        *,
        holes: Mapping[int, str] | None = None,
        board: str = "",
        button: int = 0,
        stacks: Mapping[int, int] | None = None,
        deck: tuple[int, ...] = (),
        deck_root: bytes = b"",
    ) -> list[Item]:
        """The next hand begins. Cards that ``holes`` and ``board`` leave open are others, always the same."""
        self.number += 1
        by_seat = dict(self.stacks if stacks is None else stacks)
        button = button or max(by_seat)
        seats = tuple(sorted(by_seat, key=lambda seat: (seat - button - 1) % MAX_SEATS))
        small, big = (seats[1], seats[0]) if len(seats) == 2 else seats[:2]
        setup = HandSetup(
            self.rule_set,
            self.limit,
            self.stakes,
            seats,
            tuple([by_seat[seat] for seat in seats]),
            button,
            small,
            big,
            deck or _deck(self.rule_set.game.hole_cards, seats, holes or {}, board),
            hand_id=self.hand_id,
        )
        self.hand, opening = open_hand(setup)
        began = table_pb2.HandBegan(
            hand_id=setup.hand_id,
            players=[
                hand_pb2.PlayerSetup(seat=seat, stack=by_seat[seat], name=f"player {seat}") for seat in setup.seats
            ],
            button_seat=button,
            small_blind_seat=small,
            big_blind_seat=big,
            deck_root=deck_root,
        )
        return [self.seen(hand_began=began), *self.happened(opening)]

    def happened(self, events: Iterable[Event]) -> list[Item]:
        """Events as the seat is told them."""
        views = [view(event, self.seat, self.rule_set) for event in events]
        return [self.seen(hand_event=wire.event_message(one)) for one in views if one is not None]

    def act(self, words: str) -> list[Item]:
        """A scripted player acts, such as ``p3 raise 40``, ``p1 discard`` or ``p2 time`` for being out of time."""
        ruling = propose(self._playing(), self._proposal(words))
        if not ruling.accepted:
            raise ScriptError(f"{words}: {ruling.rule} {ruling.message}; legal: {ruling.options}")
        return self.happened(ruling.events)

    def _proposal(self, words: str) -> Proposal:
        match = re.fullmatch(r"p(\d+) (\w+)(?: (\d+))?", words.strip())
        if match is None:
            raise ScriptError(f"{words!r} is nothing that a player does")
        seat, name, total = int(match[1]), match[2], int(match[3] or 0)
        if name == "time":
            return Proposal(seat, ActionKind.TIMEOUT)
        if name == "discard":
            options = legal_options(self._playing(), seat)
            if options is None:
                raise ScriptError(f"{words}: nothing is owed")
            return Proposal(seat, ActionKind.DISCARD, cards=options.held[: options.discard])
        return Proposal(seat, ActionKind[name.upper()], total)

    def rule(self, asked: table_pb2.Propose) -> tuple[Ruling, Item, list[Item]]:
        """The ruling on what the client proposed: itself, the answer, and what follows from it."""
        ruling = propose(self._playing(), wire.proposal_of(asked.proposal, self.seat))
        return ruling, self.answered(asked, ruling), self.happened(ruling.events)

    def would_rule(self, asked: table_pb2.Propose) -> Ruling:
        """How the rules decide on a proposal, which is not carried out."""
        return propose(self._playing().copy(), wire.proposal_of(asked.proposal, self.seat))

    def answered(self, asked: table_pb2.Propose, ruling: Ruling) -> Item:
        """A ruling as the answer to what was asked."""
        told = wire.ruling_message(ruling._replace(events=()))
        return self.item(answered=table_pb2.Answered(request_id=asked.request_id, ruling=told))

    # --- what is wished for -----------------------------------------------------------------------------

    def check_wish(self, wish: str, asked: table_pb2.Propose) -> None:
        """Checks an accepted proposal against a wish such as ``raise 40`` or ``discard``."""
        proposal = wire.proposal_of(asked.proposal)
        name, _, total = wish.partition(" ")
        if proposal.kind.name.lower() != name:
            raise NotExercisedError(told_wish(wish), told_action(asked))
        if total and proposal.to != int(total):
            raise FailedError(told_wish(wish), told_action(asked) + self.habit(wish, asked))

    def habit(self, wish: str, asked: table_pb2.Propose) -> str:
        """What is behind a wager of the wrong size: a raise *by* where a raise *to* is meant, or nothing."""
        proposal = wire.proposal_of(asked.proposal)
        total = wish.partition(" ")[2]
        if proposal.kind not in WAGERS or not self.level:
            return ""
        if total and proposal.to in (int(total) - self.level, int(total) - self.own_bet):
            return f"; it raises by {proposal.to} where amounts name the street total to raise to"
        if proposal.to <= self.level:
            return (
                f"; it names {proposal.to} where the level is {self.level}: amounts are street totals, never raises by"
            )
        return ""


def _deck(hole_cards: int, seats: tuple[int, ...], holes: Mapping[int, str], board: str) -> tuple[int, ...]:
    named = {seat: parse_cards(text) for seat, text in holes.items()}
    on_board = parse_cards(board)
    taken = {*on_board, *[card for cards in named.values() for card in cards]}
    # A fixed jumble in which no five neighbours make much of a hand.
    unused = [card * 23 % DECK_SIZE for card in range(DECK_SIZE) if card * 23 % DECK_SIZE not in taken]

    def filled(some: tuple[int, ...], count: int) -> tuple[int, ...]:
        return some + tuple([unused.pop() for _ in range(count - len(some))])

    hands = tuple([filled(named.get(seat, ()), hole_cards) for seat in seats])
    return deck_from(hole_cards, hands, filled(on_board, 5))
