"""A table as one of its seats is told it: scripted players, dealt by the rules engine, which also rules on the client.

No connection and no waiting here. A script cannot contradict the rules by accident: what they refuse of the scripted
players is an error of the script.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

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

Item = table_pb2.PlayResponseItem
Place = tuple[int, int]
"""A hand's number and an event's number in it: a cursor."""

TIME_UNIX_MS: Final = 1_796_000_000_000
IRISH: Final = "irish/full-tilt@1"
STAKES: Final = Stakes(5, 10)


class ScriptError(Exception):
    """A script that the rules do not allow: a fault of the conformance check, not of the client."""


class Told:
    """One seat's table. ``stacks`` by seat are those of every hand that does not say otherwise.

    ``log`` is every event that the seat was told, ``place`` that of the last one, and ``proven`` that of the last one
    that the client must have seen, since it answered a decision that came after it.
    """

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
        self.table_id = table_id
        self.seat_token = f"token-of-{table_id}"
        self.match_name = match_name
        self.seat = seat
        self.rule_set = find_rule_set(rule_set) if isinstance(rule_set, str) else rule_set
        self.limit = limit
        self.stakes = stakes
        self.stacks = dict(stacks)
        self.deal_commitment = b""
        self.log: list[table_pb2.SeenEvent] = []
        self.place: Place = (0, 0)
        self.proven: Place | None = None
        self.number = 0
        self.hand: Hand | None = None
        self.has_ended = False

    # --- items ------------------------------------------------------------------------------------------

    def item(self, **what: Any) -> Item:
        """An item about this table."""
        return Item(table_id=self.table_id, **what)

    def seen(self, **what: Any) -> Item:
        """The next event of the view as an item."""
        hand, count = self.place
        self.place = (self.number, count + 1 if hand == self.number else 1)
        event = table_pb2.SeenEvent(
            hand=self.place[0], number=self.place[1], time_unix_ms=TIME_UNIX_MS + len(self.log), **what
        )
        self.log.append(event)
        return self.item(event=event)

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

    def state(self) -> table_pb2.TableState:
        """How the table stands, as anybody may see it."""
        status = table_pb2.TABLE_STATUS_PLAYING if self.number else table_pb2.TABLE_STATUS_WAITING
        return table_pb2.TableState(
            table_id=self.table_id,
            config=self.config(),
            status=table_pb2.TABLE_STATUS_ENDED if self.has_ended else status,
            hand=self.number,
            seats=[
                table_pb2.SeatState(seat=seat, name=f"player {seat}", stack=stack)
                for seat, stack in self.stacks.items()
            ],
            match_name=self.match_name,
            deal_commitment=self.deal_commitment,
        )

    def snapshot(self, events: Iterable[table_pb2.SeenEvent] = ()) -> Item:
        """How the table stands when a stream begins, with events that the reader has not seen."""
        return self.item(snapshot=table_pb2.Snapshot(table=self.state(), events=events))

    def after(self, cursor: Place | None) -> list[table_pb2.SeenEvent]:
        """The events after a cursor; without one those of the hand under way."""
        return [event for event in self.log if (event.hand, event.number) > (cursor or (self.number, 0))]

    def decision(self, remaining_ms: int = 0) -> Item:
        """The open decision of the seat."""
        legal = self.legal()
        message = table_pb2.Decision(
            hand_id=self.hand_id, hand=self.number, legal=wire.options_message(legal), remaining_ms=remaining_ms
        )
        if remaining_ms:
            message.deadline_unix_ms = TIME_UNIX_MS + len(self.log) + remaining_ms
        return self.item(decision=message)

    def end(self, reason: int = table_pb2.STREAM_END_REASON_TABLE_ENDED) -> Item:
        """Nothing more comes."""
        return self.item(end=table_pb2.StreamEnd(reason=reason))  # type: ignore[arg-type]

    # --- play -------------------------------------------------------------------------------------------

    @property
    def hand_id(self) -> str:
        """The id of the hand under way."""
        return f"{self.table_id}-{self.number}"

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

    def begin(
        self,
        holes: Mapping[int, str] | None = None,
        board: str = "",
        *,
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
