"""Bots in one process: the rules engine alone, no server, no clock, the same decisions as in live play.

Each seat's view is folded from what :func:`referee.record.view.view` lets it see, as a client folds a stream, so a bot
cannot know here what it could not know there.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypedDict, Unpack

from referee.client.asking import answer_all
from referee.client.decision import Bot, Decision
from referee.client.follower import DEFAULT_REFUSALS
from referee.client.hand_view import HandView
from referee.dealing import DeckSource
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import SEED_BYTES
from referee.record.view import view
from referee.rules.events import Event
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import MAX_SEATS, Limit, RuleSet, Stakes, find_rule_set
from referee.rules.rulings import Proposal, Ruling
from referee.rules.setup import HandSetup
from referee.rules.state import Hand
from referee.table.positions import Positions, first_positions, next_positions

OnRefused = Callable[[Decision, Ruling], object]
"""Called with the decision and the ruling that refused its answer."""

OnHandOver = Callable[[HandView], Proposal | None]
"""Called with every seat's view of a hand that is over; may return ``view.show()`` to turn up one's hand."""


@dataclass
class SeatResult:
    """How a seat did. ``net`` is in chips; ``defaults`` counts the decisions that were answered for the bot."""

    seat: int
    name: str
    stack: int
    net: int = 0
    hands: int = 0
    decisions: int = 0
    refusals: int = 0
    defaults: int = 0


@dataclass(frozen=True)
class PlayedHand:
    """A hand that was played: its setup, deck included, every event, and the proposals that were accepted.

    ``judge.HandSoFar`` takes setup and proposals, the notations take setup and events.
    """

    number: int
    setup: HandSetup
    events: tuple[Event, ...]
    proposals: tuple[Proposal, ...]
    stacks: tuple[int, ...]


@dataclass(frozen=True)
class MatchResult:
    """What came of a match: a result for each seat, from seat 1, and the hands."""

    seats: tuple[SeatResult, ...]
    hands: tuple[PlayedHand, ...]

    @property
    def net(self) -> tuple[int, ...]:
        """What each seat won or lost, in chips."""
        return tuple([seat.net for seat in self.seats])


@dataclass
class _Match:
    """A match under way."""

    rule_set: RuleSet
    limit: Limit
    stakes: Stakes
    seats: list[SeatResult]
    starting: tuple[int, ...]
    reset_stacks: bool
    decks: DeckSource
    block: int
    first_button: int
    max_refusals: int
    on_refused: OnRefused | None
    on_hand_over: OnHandOver | None
    keep_hands: bool
    table_id: str
    positions: Positions | None = None
    hands: list[PlayedHand] = field(default_factory=list)

    def play(self, hands: int) -> "Generator[Decision, Proposal, None]":
        """Plays so many hands, or until fewer than two players have chips."""
        for number in range(1, hands + 1):
            if self.reset_stacks:
                for seat, stack in zip(self.seats, self.starting, strict=True):
                    seat.stack = stack
            players = tuple([seat.seat for seat in self.seats if seat.stack])
            if len(players) < 2:
                return
            yield from self._hand(number, self._positions(players))

    def _positions(self, players: tuple[int, ...]) -> Positions:
        if self.positions is None:
            self.positions = first_positions(self.first_button or players[-1], players)
        else:
            self.positions = next_positions(self.rule_set.button_rule, self.positions, players)
        return self.positions

    def _hand(self, number: int, positions: Positions) -> "Generator[Decision, Proposal, None]":
        yield from self.play_setup(self._setup(number, positions), number)

    def _setup(self, number: int, positions: Positions) -> HandSetup:
        return HandSetup(
            self.rule_set,
            self.limit,
            self.stakes,
            positions.dealt_in,
            tuple([self.seats[seat - 1].stack for seat in positions.dealt_in]),
            positions.button,
            positions.small_blind,
            positions.big_blind,
            self.decks.deck(self.block, number),
            hand_id=f"{self.table_id}-{number}",
        )

    def play_setup(self, setup: HandSetup, number: int) -> "Generator[Decision, Proposal, None]":
        """Plays one hand from its setup."""
        playing = _Playing(self, setup, number)
        while True:
            seats = open_seats(playing.hand)
            if not seats:
                break
            yield from playing.ask(seats[0])
        playing.close()


class _Playing:
    """One hand of a match under way."""

    def __init__(self, match: _Match, setup: HandSetup, number: int) -> None:
        self._match = match
        self._number = number
        self._proposals: list[Proposal] = []
        names = {seat.seat: seat.name for seat in match.seats}
        blind = _without_deck(setup)
        self._views = {seat: HandView(blind, number, match.table_id, names) for seat in setup.seats}
        self._events: list[Event] = []
        self.hand: Hand
        self.hand, opening = open_hand(setup)
        self._happened(opening)

    def _happened(self, events: tuple[Event, ...]) -> None:
        self._events.extend(events)
        rule_set = self.hand.setup.rule_set
        for seat, seen_by in self._views.items():
            for event in events:
                seen = view(event, seat, rule_set)
                if seen is not None:
                    seen_by.fold(seen)

    def ask(self, seat: int) -> "Generator[Decision, Proposal, None]":
        """Asks a seat until it has answered as the rules allow, or answers for it."""
        result = self._match.seats[seat - 1]
        result.decisions += 1
        refusal: Ruling | None = None
        for _ in range(1 + self._match.max_refusals):
            options = legal_options(self.hand, seat)
            assert options is not None, "only a seat with an open decision is asked"
            decision = self._views[seat].decision(options, None, refusal)
            proposal = yield decision
            refusal = self._propose(decision, proposal)
            if refusal is None:
                return
            result.refusals += 1
            if self._match.on_refused is not None:
                self._match.on_refused(decision, refusal)
        result.defaults += 1
        failed = self._propose(decision, decision.check_or_fold())
        assert failed is None, "checking, folding or discarding is always legal"

    def _propose(self, decision: Decision, proposal: Proposal) -> Ruling | None:
        """The ruling that refuses the proposal, or None."""
        ruling = propose(self.hand, proposal)
        if not ruling.accepted:
            return ruling
        self._proposals.append(proposal)
        self._happened(ruling.events)
        return None

    def close(self) -> None:
        """Lets everybody look at the hand, and enters it in the books."""
        match, hand = self._match, self.hand
        if match.on_hand_over is not None:
            for seen_by in self._views.values():
                shows = match.on_hand_over(seen_by)
                ruling = None if shows is None else propose(hand, shows._replace(seat=seen_by.seat))
                if shows is not None and ruling is not None and ruling.accepted:
                    self._proposals.append(shows)
                    self._happened(ruling.events)
        for seat, before, after in zip(hand.setup.seats, hand.setup.stacks, hand.stack, strict=True):
            result = match.seats[seat - 1]
            result.stack = after
            result.net += after - before
            result.hands += 1
        if match.keep_hands:
            played = PlayedHand(
                self._number, hand.setup, tuple(self._events), tuple(self._proposals), tuple(hand.stack)
            )
            match.hands.append(played)


def _without_deck(setup: HandSetup) -> HandSetup:
    """The setup as a seat knows it."""
    return HandSetup(
        setup.rule_set,
        setup.limit,
        setup.stakes,
        setup.seats,
        setup.stacks,
        setup.button_seat,
        setup.small_blind_seat,
        setup.big_blind_seat,
        posts=setup.posts,
        hand_id=setup.hand_id,
    )


class MatchOptions(TypedDict, total=False):
    """What else a match may be told.

    ``seed`` decides the cards; ``decks`` and ``block`` give other ones. ``first_button`` is a seat, by default the
    last. Stacks begin every hand again unless ``reset_stacks`` is false. ``keep_hands`` false forgets the hands that
    were played.
    """

    seed: bytes | int | str
    first_button: int
    reset_stacks: bool
    names: Sequence[str]
    max_refusals: int
    on_refused: OnRefused | None
    on_hand_over: OnHandOver | None
    keep_hands: bool
    decks: DeckSource
    block: int
    table_id: str


def _match(
    bots: Sequence[Bot],
    rule_set: RuleSet | str,
    limit: Limit,
    stakes: Stakes,
    stacks: int | Sequence[int],
    options: MatchOptions,
) -> _Match:
    starting = (stacks,) * len(bots) if isinstance(stacks, int) else tuple(stacks)
    if len(starting) != len(bots):
        raise ValueError(f"{len(starting)} stacks for {len(bots)} bots")
    names = tuple(options.get("names", ())) or tuple([_name_of(bot, place) for place, bot in enumerate(bots, 1)])
    if len(names) != len(bots):
        raise ValueError(f"{len(names)} names for {len(bots)} bots")
    seed = options.get("seed", 0)
    return _Match(
        find_rule_set(rule_set) if isinstance(rule_set, str) else rule_set,
        limit,
        stakes,
        [SeatResult(place, name, stack) for place, (name, stack) in enumerate(zip(names, starting, strict=True), 1)],
        starting,
        options.get("reset_stacks", True),
        options.get("decks")
        or FairDecks("harness", sha256(seed if isinstance(seed, bytes) else str(seed).encode()).digest()),
        options.get("block", 0),
        options.get("first_button", 0),
        options.get("max_refusals", DEFAULT_REFUSALS),
        options.get("on_refused"),
        options.get("on_hand_over"),
        options.get("keep_hands", True),
        options.get("table_id", "harness"),
    )


def _name_of(bot: Bot, place: int) -> str:
    return getattr(bot, "name", "") or getattr(bot, "__name__", "") or f"bot {place}"


def play_match(
    bots: Sequence[Bot],
    rule_set: RuleSet | str,
    limit: Limit,
    stakes: Stakes,
    stacks: int | Sequence[int],
    hands: int,
    **options: Unpack[MatchOptions],
) -> MatchResult:
    """Plays so many hands, or until fewer than two players have chips, and says how it went.

    Bots sit in seats 1, 2, 3 ... with ``stacks`` chips; the last one has the first button, and it moves as the rule
    set says (SEAT-1). Every hand begins with ``stacks`` again unless ``reset_stacks`` is false. ``seed`` decides the
    cards; deterministic bots then play the same match again. A refused bot is told as live (``decision.refusal``, and
    ``on_refused``), asked again ``max_refusals`` times, and then answered for with check, else fold, else a discard of
    the cards dealt last. ``on_hand_over`` gets every seat's view of each hand. Further options: :class:`MatchOptions`.

    Raises what a bot raises; RuleSetError and KeyError for rules or stakes that cannot be played.
    """
    match = _match(bots, rule_set, limit, stakes, stacks, options)
    answer_all(match.play(hands), dict(enumerate(bots, 1)))
    return MatchResult(tuple(match.seats), tuple(match.hands))


@dataclass(frozen=True)
class HandPlayed:
    """One hand that was played, and a result for each seat that was dealt in, clockwise from the left of the button."""

    hand: PlayedHand
    seats: tuple[SeatResult, ...]


def play_hand(
    bots: Mapping[int, Bot],
    setup: HandSetup,
    number: int = 1,
    *,
    names: Mapping[int, str] | None = None,
    table_id: str = "harness",
    max_refusals: int = DEFAULT_REFUSALS,
    on_refused: OnRefused | None = None,
    on_hand_over: OnHandOver | None = None,
) -> HandPlayed:
    """Plays one hand from its setup, deck included, for whoever decides between hands who sits where with what.

    ``bots`` and ``names`` are by seat. Bots are asked, told and answered for as in :func:`play_match`. Raises
    RuleSetError when no hand can begin from the setup, and what a bot raises.
    """
    known = {} if names is None else names
    stacks = dict(zip(setup.seats, setup.stacks, strict=True))
    match = _Match(
        setup.rule_set,
        setup.limit,
        setup.stakes,
        [SeatResult(seat, known.get(seat, ""), stacks.get(seat, 0)) for seat in range(1, MAX_SEATS + 1)],
        (),
        False,
        FairDecks(table_id, bytes(SEED_BYTES)),  # the setup has its deck
        0,
        0,
        max_refusals,
        on_refused,
        on_hand_over,
        True,
        table_id,
    )
    answer_all(match.play_setup(setup, number), bots)
    (hand,) = match.hands
    return HandPlayed(hand, tuple([match.seats[seat - 1] for seat in setup.seats]))


def play_duplicate(
    bots: Sequence[Bot],
    rule_set: RuleSet | str,
    limit: Limit,
    stakes: Stakes,
    stack: int,
    hands: int,
    **options: Unpack[MatchOptions],
) -> tuple[int, ...]:
    """Plays the same cards once for every rotation of the bots around the table, and adds up each bot's net chips.

    ``hands`` are those of one rotation. Stacks are the same at the beginning of every hand, so that luck of the cards
    mostly cancels out.
    """
    totals = [0] * len(bots)
    for shift in range(len(bots)):
        order = [(place + shift) % len(bots) for place in range(len(bots))]
        seated = [bots[place] for place in order]
        result = play_match(seated, rule_set, limit, stakes, stack, hands, **options)
        for place, net in zip(order, result.net, strict=True):
            totals[place] += net
    return tuple(totals)
