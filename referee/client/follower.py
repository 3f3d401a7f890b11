"""Following one table as one seat: what to ask, what to send again, when it ends. No connection, no waiting here.

Both ways of playing feed what they receive into a :class:`Follower` and do what it says, so that they behave alike.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from secrets import token_hex
from typing import Any, Final, NoReturn

from referee.client.asking import AnyDecision, AnyOptions, AnyProposal, AnyRuling
from referee.client.deals import DealCheck
from referee.client.game import AnyView, SeatGame
from referee.client.games import game_of
from referee.v1 import table_pb2

OnRefused = Callable[[Any, Any], object]
"""Called with the decision and the ruling that refused its answer."""

OnHandOver = Callable[[Any], AnyProposal | None]
"""Called with the view of each hand that is over; at poker it may return ``view.show()`` to turn up one's hand."""

DEFAULT_REFUSALS: Final = 3
"""How often a bot whose answer was refused is asked the same decision again, where the caller does not say."""

FORGIVEN_GAPS: Final = 3
"""How many gaps of one hand are resumed from the cursor; from then on the hand is begun anew."""

MAX_GAPS: Final = 10
"""How many gaps of one hand end the play: a server that never tells a hand whole cannot be followed."""


PATIENT_DENIALS: Final = 2
"""How often a seat that was attached before and now is not allowed tries again from the same cursor."""


class Gap(Exception):  # noqa: N818  # nothing is wrong with the caller: it is what happened
    """Something was missed: the table is to be attached again from its cursor."""


class BrokenStreamError(Exception):
    """The server does not keep to the contract, so that the table cannot be followed."""


@dataclass(frozen=True)
class Ask:
    """The bot is to be asked."""

    decision: AnyDecision


@dataclass(frozen=True)
class Send:
    """A proposal is to be sent; nobody is asked."""

    propose: table_pb2.Propose


@dataclass(frozen=True)
class Reveal:
    """The seat's seed is to be revealed: everybody's commitments are known."""

    seed: bytes


@dataclass(frozen=True)
class Interrupted:
    """Nothing more comes now; the table is to be attached again later from its cursor."""

    reason: int


@dataclass(frozen=True)
class Ended:
    """Nothing more comes."""

    reason: int


Outcome = Ask | Send | Reveal | Interrupted | Ended | None


@dataclass
class Played:
    """What a seat's play came to. ``hands`` are those that ended, in Kozel rounds.

    ``net`` is what it won or lost in them, in chips; in Kozel ``points`` is its score instead, and ``rating`` what it
    got for the game, None while that is not over. ``refusals`` counts refused answers, ``defaults`` the decisions that
    were then answered for the bot, ``resumed`` how often the table was attached again. ``deals_checked`` counts the
    hands whose cards were found to follow from the seeds that were shown at the table's end, ``deal_fault`` says what
    was wrong with them, empty when nothing was. ``reason`` says why it ended.
    """

    table_id: str
    seat: int = 0
    hands: int = 0
    net: int = 0
    points: int = 0
    rating: int | None = None
    decisions: int = 0
    refusals: int = 0
    defaults: int = 0
    resumed: int = 0
    deals_checked: int = 0
    deal_fault: str = ""
    reason: str = ""


@dataclass
class _Open:
    """The decision that is open. ``propose`` is an answer that the referee has not acknowledged."""

    hand_id: str
    legal: AnyOptions
    until: float | None
    refusals: int = 0
    refusal: AnyRuling | None = None
    decision: AnyDecision | None = None
    propose: table_pb2.Propose | None = None
    defaulted: bool = False

    @property
    def is_being_asked(self) -> bool:
        return self.decision is not None and self.propose is None


_TERMINAL: Final = {
    table_pb2.STREAM_END_REASON_TABLE_ENDED,
    table_pb2.STREAM_END_REASON_REPLACED,
    table_pb2.STREAM_END_REASON_DETACHED,
    table_pb2.STREAM_END_REASON_NOT_ALLOWED,
    table_pb2.STREAM_END_REASON_FLOODING,
}


class Follower:
    """One seat at one table, from its first message to its last.

    ``snapshots`` and ``events`` count what was received, without what is told again. ``clock`` gives seconds.
    ``max_refusals`` is how often a refused decision is asked again before it is answered for the bot: with check, else
    fold, else a discard of the cards dealt last; in Kozel with the first legal move. ``first_hand`` is where to begin;
    -1 begins with the hand under way. ``seed`` is revealed when the referee has shown all commitments.
    """

    def __init__(
        self,
        table_id: str,
        seat_token: str,
        clock: Callable[[], float],
        max_refusals: int = DEFAULT_REFUSALS,
        on_refused: OnRefused | None = None,
        on_hand_over: OnHandOver | None = None,
        request_ids: Iterator[str] | None = None,
        first_hand: int = -1,
        seed: bytes = b"",
    ) -> None:
        self.table_id = table_id
        self.seat_token = seat_token
        self.played = Played(table_id)
        self.over = False
        self.snapshots = 0
        self.events = 0
        self.view: AnyView | None = None
        self._clock = clock
        self._max_refusals = max_refusals
        self._on_refused = on_refused
        self._on_hand_over = on_hand_over
        self._request_ids = fresh_request_ids() if request_ids is None else request_ids
        self._cursor: tuple[int, int] | None = None if first_hand < 0 else (first_hand, 0)
        self._seed = seed
        self._deals = DealCheck(seed)
        self._game: SeatGame | None = None
        self._names: dict[int, str] = {}
        self._match_name = ""
        self._open: _Open | None = None
        self._is_attached = False
        self._gaps = 0
        self._denials = 0
        self._last_over = 0

    # --- attaching --------------------------------------------------------------------------------------

    @property
    def cursor(self) -> table_pb2.Cursor | None:
        """The place after which to resume; None begins with the hand under way."""
        return None if self._cursor is None else table_pb2.Cursor(hand=self._cursor[0], number=self._cursor[1])

    def was_not_allowed(self) -> bool:
        """Notes that the table could not be attached, and says whether to try again.

        A seat that was attached before may find its server stopping, or its cursor too far back: it tries again as it
        is, then from the hand under way, and then gives up.
        """
        if self._cursor is None:
            return False
        self._denials += 1
        if self._denials > PATIENT_DENIALS:
            self._cursor = None
        return True

    def forget_cursor(self) -> bool:
        """Begins with the hand under way when the table is next attached, and says whether that is anything new."""
        had = self._cursor is not None
        self._cursor = None
        return had

    def attach(self) -> table_pb2.PlayRequestItem:
        """The item that begins or resumes this table on a stream."""
        self._is_attached = False
        return self._item(attach=table_pb2.Attach(seat_token=self.seat_token, cursor=self.cursor))

    def detach(self) -> table_pb2.PlayRequestItem:
        """The item that stops playing this table on a stream."""
        return self._item(detach=table_pb2.Detach())

    def proposing(self, propose: table_pb2.Propose) -> table_pb2.PlayRequestItem:
        """The item that carries a proposal."""
        return self._item(propose=propose)

    def _item(
        self,
        attach: table_pb2.Attach | None = None,
        propose: table_pb2.Propose | None = None,
        detach: table_pb2.Detach | None = None,
    ) -> table_pb2.PlayRequestItem:
        return table_pb2.PlayRequestItem(table_id=self.table_id, attach=attach, propose=propose, detach=detach)

    # --- what comes -------------------------------------------------------------------------------------

    def receive(self, item: table_pb2.PlayResponseItem) -> list[Outcome]:
        """Takes what the server says and returns what to do; raises Gap when something was missed.

        Items, events and enum values that this version does not know are ignored.
        """
        match item.WhichOneof("item"):
            case "event":
                return self._event(item.event)
            case "decision":
                return [self._decision(item.decision)]
            case "answered":
                return [self._answered(item.answered)]
            case "snapshot":
                return self._snapshot(item.snapshot)
            case "end":
                return [self._end(item.end.reason)]
            case _:
                return []

    def _snapshot(self, snapshot: table_pb2.Snapshot) -> list[Outcome]:
        self._is_attached = True
        self.played.resumed = self.snapshots
        self.snapshots += 1
        self._denials = 0
        self._plays(snapshot.table.config)
        self._match_name = snapshot.table.match_name or self._match_name
        self._names.update({seat.seat: seat.name for seat in snapshot.table.seats})
        outcomes: list[Outcome] = []
        for event in snapshot.events:
            outcomes.extend(self._event(event))
        return outcomes

    def _end(self, reason: int) -> Outcome:
        self._is_attached = False
        if reason == table_pb2.STREAM_END_REASON_CURSOR_UNKNOWN:
            self.forget_cursor()  # it would only be refused again
        is_worth_a_try = reason == table_pb2.STREAM_END_REASON_NOT_ALLOWED and self.was_not_allowed()
        if reason not in _TERMINAL or is_worth_a_try:
            return Interrupted(reason)
        self.end(reason)
        return Ended(reason)

    def end(self, reason: int) -> None:
        """Notes that nothing more comes."""
        self.over = True
        self.played.reason = table_pb2.StreamEndReason.Name(reason).removeprefix("STREAM_END_REASON_")

    # --- events -----------------------------------------------------------------------------------------

    def _event(self, seen: table_pb2.SeenEvent) -> list[Outcome]:
        place = (seen.hand, seen.number)
        if self._cursor is not None and place <= self._cursor:
            return []
        self._expect(place)
        self._cursor = place
        self.events += 1
        match seen.WhichOneof("event"):
            case "hand_event" | "kozel_event" as field:
                return self._hand_event(seen, field)
            case "hand_began":
                self._hand_began(seen.hand, seen.hand_began)
            case "seat_taken":
                self._names[seen.seat_taken.seat] = seen.seat_taken.name
            case "opened":
                self._deals.opened(seen.opened)
                self._plays(seen.opened.config)
            case "commitments_closed":
                self._deals.closed(seen.commitments_closed)
                return [Reveal(self._seed)] if self._seed else []
            case "ended":
                if self._game is not None:
                    self._deals.ended(seen.ended.seeds, self._game.deck_items)
                self.played.deals_checked, self.played.deal_fault = self._deals.checked, self._deals.fault
        return []

    def _expect(self, place: tuple[int, int]) -> None:
        """Makes sure that nothing lies between the cursor and the next event."""
        if self._cursor is None:
            return
        hand, number = self._cursor
        view = self.view
        hand_is_over = view is None or view.number != hand or view.over
        if place == (hand, number + 1) or (place == (hand + 1, 1) and hand_is_over):
            return
        self._missed(f"after event {number} of hand {hand} came event {place[1]} of hand {place[0]}")

    def _missed(self, what: str, begin_anew: bool = False) -> NoReturn:
        self._gaps += 1
        if self._gaps > MAX_GAPS:
            raise BrokenStreamError(f"{self.table_id}: {what}, {self._gaps} times")
        if begin_anew or self._gaps > FORGIVEN_GAPS:
            self._cursor = None
        raise Gap(f"{self.table_id}: {what}")

    def _plays(self, config: table_pb2.TableConfig) -> None:
        if self._game is None:
            self._game = game_of(config, self.table_id)

    def _hand_began(self, number: int, began: table_pb2.HandBegan) -> None:
        if self._game is None:
            raise BrokenStreamError(f"{self.table_id}: a hand began before it was told what is played")
        if self.view is None or self.view.number != number:
            self._gaps = 0
        names = {**self._names, **{player.seat: player.name for player in began.players if player.name}}
        self._game.begin(number, began, names, self._match_name)
        self.view = self._game.view

    def _hand_event(self, seen: table_pb2.SeenEvent, field: str) -> list[Outcome]:
        game, view = self._game, self.view
        if game is None or view is None or view.number != seen.hand:
            self._missed(f"the beginning of hand {seen.hand} was not told", begin_anew=True)
        if field != game.event_field:
            return []
        return self._hand_over(game, view) if game.fold(seen) else []

    def _hand_over(self, game: SeatGame, view: AnyView) -> list[Outcome]:
        if self._open is not None and self._open.hand_id == view.hand_id:
            self._open = None
        if view.number <= self._last_over:
            return []  # a hand that is told again
        self._last_over = view.number
        dealt = game.dealt()
        if dealt is not None:
            self._deals.over(view.number, dealt)
        if view.seat:
            self.played.seat = view.seat
            self.played.hands += 1
            game.tally(self.played)
        shows = None if self._on_hand_over is None else self._on_hand_over(view)
        if shows is None:
            return []
        return [Send(game.propose(next(self._request_ids), shows))]

    # --- decisions --------------------------------------------------------------------------------------

    def _decision(self, message: table_pb2.Decision) -> Outcome:
        if self._game is None:
            self._missed("it asks before it was told what is played", begin_anew=True)
        legal = self._game.options(message)
        until = self._clock() + message.remaining_ms / 1000 if message.deadline_unix_ms else None
        known = self._open
        if known is None or known.hand_id != message.hand_id or known.legal.decision_id != legal.decision_id:
            self._open = _Open(message.hand_id, legal, until)
            self.played.decisions += 1
            return self._ask(self._open, message.hand)
        known.legal, known.until = legal, until
        if known.propose is not None:  # sent, and not acknowledged: the same again, under the same id
            return Send(known.propose)
        return None if known.is_being_asked else self._ask(known, message.hand)

    def _ask(self, known: _Open, hand: int) -> Outcome:
        game, view = self._game, self.view
        if game is None or view is None or view.number != hand or view.hand_id != known.hand_id:
            self._open = None
            self._missed(f"the beginning of hand {hand} was not told", begin_anew=True)
        self.played.seat = view.seat or self.played.seat
        known.decision = game.decision(known.legal, self._remaining_ms(known), known.refusal)
        return Ask(known.decision)

    def _remaining_ms(self, known: _Open) -> int | None:
        return None if known.until is None else max(0, int((known.until - self._clock()) * 1000))

    def answer(self, decision: AnyDecision, proposal: AnyProposal) -> table_pb2.Propose | None:
        """The proposal to send now for a decision that the bot answered.

        None when the decision is no longer open, and while the table is being attached again: the decision is then
        repeated after the snapshot, and what was answered is sent once, by :meth:`receive`.
        """
        known = self._open
        if known is None or known.decision is not decision:
            return None
        assert self._game is not None, "only a game asks"
        known.propose = self._game.propose(next(self._request_ids), proposal)
        return known.propose if self._is_attached else None

    def _answered(self, answered: table_pb2.Answered) -> Outcome:
        known, game = self._open, self._game
        if known is None or known.propose is None or known.propose.request_id != answered.request_id:
            return None
        assert game is not None, "only a game asks"
        if game.is_accepted(answered):
            self._open = None
            return None
        ruling = game.refusal(answered)
        if ruling is None:
            return None  # not a ruling: the table is stopping, and asks again when it goes on
        assert known.decision is not None, "only a decision that was asked has an answer"
        decision = known.decision
        self.played.refusals += 1
        if self._on_refused is not None:
            self._on_refused(decision, ruling)
        legal = ruling.options
        is_known = ruling.reason is not None  # a newer server's reason may mean anything
        is_gone = is_known if legal is None else legal.decision_id != known.legal.decision_id
        if is_gone or known.defaulted:
            self._open = None  # no longer open, such as after a time-out; or nothing else is left to try
            return None
        known.legal, known.refusal, known.propose = legal or known.legal, ruling, None
        known.refusals += 1
        known.decision = None
        if known.refusals <= self._max_refusals:
            return self._ask(known, decision.hand_number)
        return self._default(game, known, decision)

    def _default(self, game: SeatGame, known: _Open, decision: AnyDecision) -> Outcome:
        known.defaulted = True
        known.decision = decision
        self.played.defaults += 1
        propose = self.answer(decision, game.instead(decision))
        return None if propose is None else Send(propose)


def fresh_request_ids() -> Iterator[str]:
    """Request ids that no other client and no earlier run has used."""
    prefix = token_hex(8)
    return (f"{prefix}-{number}" for number in count(1))
