"""What the tests of the rules share: hands from few arguments, scripts such as ``"p3 raise 40"``, random hands.

Seats of a hand built here are 1, 2, 3 ... clockwise from the left of the button, so that without other words seat 1
posts the small blind, seat 2 the big blind, and the last seat has the button (heads-up: seat 1 is the big blind and
seat 2 has button and small blind).
"""

import os
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.rules.cards import CARD_TEXTS, UNKNOWN, parse_cards
from referee.rules.events import Event, EventKind
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    RULE_SETS,
    AllInExposure,
    AnteKind,
    CapHeadsUp,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    Game,
    LateMinimum,
    Limit,
    OpenFold,
    RuleSet,
    ShowdownOrder,
    Stakes,
    find_rule_set,
)
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.rules.setup import NOBODY, HandSetup, Post, deck_from
from referee.rules.state import Hand, Phase, encode

NL, PL, FL = Limit.NO_LIMIT, Limit.POT_LIMIT, Limit.FIXED_LIMIT
EVERY_LIMIT = (NL, PL, FL)

LONG = bool(os.environ.get("REFEREE_LONG"))
"""Whether the big counts run (``make test-long``) instead of the bounded ones."""

REPOSITORY = Path(__file__).resolve().parents[1]


def scale(bounded: int, full: int) -> int:
    """How many to try: ``bounded`` by default, ``full`` when REFEREE_LONG is set."""
    return full if LONG else bounded


def shared_folder() -> Path:
    """Where the shared material lies: REFEREE_SHARED, or beside the checkout."""
    return Path(os.environ.get("REFEREE_SHARED") or REPOSITORY.parent / "shared")


# --- hands from few arguments ---------------------------------------------------------------------------


def cards(text: str) -> tuple[int, ...]:
    """Cards from text such as ``"Ah Kd"``."""
    return parse_cards(text)


def rules(base: str | Game | RuleSet = HOLDEM, **options: Any) -> RuleSet:
    """A rule set under a test's own name: a game, or a published rule set, with some options changed."""
    if isinstance(base, str):
        base = find_rule_set(base)
    if isinstance(base, Game):
        base = RuleSet("test/rules", 1, base, EVERY_LIMIT)
    limits = EVERY_LIMIT if options.get("late_minimum", base.late_minimum) == LateMinimum.BIG_BLIND else (NL, PL)
    return replace(base, **{"name": "test/rules", "limits": limits, **options})


def setup_of(
    stacks: Sequence[int] | Mapping[int, int],
    rule_set: RuleSet | Game | str = HOLDEM,
    limit: Limit = NL,
    *,
    blinds: tuple[int, int] = (5, 10),
    holes: Mapping[int, str] | None = None,
    board: str = "",
    button: int | None = None,
    small_blind_seat: int | None = None,
    posts: Iterable[Post] = (),
    known: bool = True,
    rng: random.Random | None = None,
    hand_id: str = "",
    show_when_beaten: tuple[int, ...] = (),
    mucked_unseen: tuple[int, ...] = (),
    recorded_rake: int = -1,
    **stakes: Any,
) -> HandSetup:
    """A setup from stacks, by seat or for seats 1, 2, 3 ...; whatever is not said is usual.

    Cards that ``holes`` and ``board`` leave open are unused ones, in a fixed order or drawn by ``rng``; with
    ``known`` false they are unknown.
    """
    by_seat = dict(stacks) if isinstance(stacks, Mapping) else dict(enumerate(stacks, 1))
    if isinstance(rule_set, str):
        rule_set = find_rule_set(rule_set)
    elif isinstance(rule_set, Game):
        rule_set = rules(rule_set)
    button = max(by_seat) if button is None else button
    seats = tuple(sorted(by_seat, key=lambda seat: (seat - button - 1) % 10))
    if small_blind_seat is None:
        small_blind_seat = seats[1] if len(seats) == 2 else seats[0]
    big_blind_seat = seats[0] if len(seats) == 2 or small_blind_seat == NOBODY else seats[1]
    deck = deck_of(rule_set.game.hole_cards, seats, holes or {}, board, known, rng)
    return HandSetup(
        rule_set,
        limit,
        Stakes(*blinds, **stakes),
        seats,
        tuple(by_seat[seat] for seat in seats),
        button,
        small_blind_seat,
        big_blind_seat,
        deck,
        tuple(posts),
        show_when_beaten,
        mucked_unseen,
        recorded_rake,
        hand_id,
    )


def deck_of(
    hole_cards: int,
    seats: tuple[int, ...],
    holes: Mapping[int, str],
    board: str,
    known: bool = True,
    rng: random.Random | None = None,
) -> tuple[int, ...]:
    """The deck order that deals these cards and, where they are not named, unused ones (or unknown ones)."""
    named = {seat: cards(text) for seat, text in holes.items()}
    on_board = cards(board)
    taken = set(on_board).union(*named.values())
    # A fixed jumble in which no five neighbours make much of a hand.
    unused = [card * 23 % 52 for card in range(52) if card * 23 % 52 not in taken]
    if rng is not None:
        rng.shuffle(unused)

    def filled(some: tuple[int, ...], count: int) -> tuple[int, ...]:
        return some + tuple(unused.pop() if known else UNKNOWN for _ in range(count - len(some)))

    hands = tuple(filled(named.get(seat, ()), hole_cards) for seat in seats)
    return deck_from(hole_cards, hands, filled(on_board, 5))


def hand_of(stacks: Sequence[int] | Mapping[int, int], *args: Any, **kwargs: Any) -> Hand:
    """A hand opened from the arguments of :func:`setup_of`, at its first decision."""
    return open_hand(setup_of(stacks, *args, **kwargs))[0]


# --- scripts --------------------------------------------------------------------------------------------

_KINDS = {kind.name.lower(): kind for kind in ActionKind}


def proposal_of(hand: Hand, words: str) -> Proposal:
    """Reads ``p3 raise 40``, ``p1 discard AhKd`` or ``p2 allin`` (everything; a call if that lifts nothing)."""
    match = re.fullmatch(r"p(\d+) (\w+)(?: (.*))?", words.strip())
    assert match, words
    seat, name, rest = int(match[1]), match[2], match[3]
    if name == "allin":
        player = hand.index_of(seat)
        everything = hand.bet[player] + hand.stack[player]
        if everything <= hand.level:
            return Proposal(seat, ActionKind.CALL)
        return Proposal(seat, ActionKind.RAISE if hand.level else ActionKind.BET, everything)
    if name == "discard":
        return Proposal(seat, ActionKind.DISCARD, cards=cards(rest))
    return Proposal(seat, _KINDS[name], int(rest) if rest else 0)


def play(hand: Hand, script: str = "") -> tuple[Event, ...]:
    """Plays a script, actions parted by commas or lines; each must be accepted. Returns all that happened."""
    happened: list[Event] = []
    for words in re.split(r"[,\n]+", script):
        if words.strip():
            ruling = propose(hand, proposal_of(hand, words))
            assert ruling.accepted, f"{words.strip()}: {ruling.rule} {ruling.message}; legal: {ruling.options}"
            happened.extend(ruling.events)
    return tuple(happened)


def refused(hand: Hand, words: str | Proposal) -> Ruling:
    """Proposes what must be refused, makes sure that nothing changed (BET-8), and returns the ruling."""
    before = encode(hand)
    proposal = proposal_of(hand, words) if isinstance(words, str) else words
    ruling = propose(hand, proposal)
    assert not ruling.accepted, f"{words} was accepted: {ruling.events}"
    assert encode(hand) == before, f"refusing {words} changed the hand"
    assert ruling.reason is not None
    assert ruling.rule
    assert ruling.message
    return ruling


def options(hand: Hand, seat: int | None = None) -> LegalOptions:
    """The legal options of the seat, by default of the one whose turn it is."""
    found = legal_options(hand, open_seats(hand)[0] if seat is None else seat)
    assert found is not None
    return found


def wager(hand: Hand) -> tuple[int, int]:
    """The lowest and highest street total that the player to act may bet or raise to."""
    return options(hand).min_to, options(hand).max_to


def to_act(hand: Hand) -> int:
    """The one seat whose turn it is; 0 when nobody's or when several owe a discard."""
    seats = open_seats(hand)
    return seats[0] if len(seats) == 1 and hand.phase == Phase.BETTING else 0


def check_down(hand: Hand) -> tuple[Event, ...]:
    """Everybody checks, or calls where something is owed, and discards the cards dealt last, until the end."""
    happened: list[Event] = []
    while open_seats(hand):
        choice = options(hand)
        if choice.discard:
            proposal = Proposal(choice.seat, ActionKind.DISCARD, cards=choice.held[-choice.discard :])
        else:
            proposal = Proposal(choice.seat, ActionKind.CHECK if choice.check else ActionKind.CALL)
        ruling = propose(hand, proposal)
        assert ruling.accepted, ruling
        happened.extend(ruling.events)
    return tuple(happened)


def stacks_of(hand: Hand) -> dict[int, int]:
    """Each seat's stack."""
    return dict(zip(hand.setup.seats, hand.stack, strict=True))


def happened(events: Iterable[Event], *kinds: EventKind) -> list[Event]:
    """The events of these kinds."""
    return [event for event in events if event.kind in kinds]


def shown_seats(events: Iterable[Event]) -> list[int]:
    """The seats whose hands were shown, in order."""
    return [event.seat for event in happened(events, EventKind.HAND_SHOWN)]


# --- random hands ---------------------------------------------------------------------------------------


def published_games() -> list[Game]:
    """The games that the rulebook names."""
    return [HOLDEM, IRISH, IRISH_BEFORE_FLOP_BETTING, PINEAPPLE, CRAZY_PINEAPPLE]


def random_game(rng: random.Random) -> Game:
    """A named game, or any other that is data (GAME-3)."""
    if rng.random() < 0.5:
        return rng.choice(published_games())
    hole = rng.randint(1, 6)
    discards = rng.randint(0, hole - 1)
    point = rng.choice(list(DiscardPoint)[1:]) if discards else DiscardPoint.NEVER
    return Game(hole, discards, point, rng.choice(list(DiscardVisibility)))


def random_rule_set(rng: random.Random) -> RuleSet:
    """A published rule set, or any mixture of the options that bear on a hand."""
    if rng.random() < 0.2:
        return rng.choice(RULE_SETS)
    late = rng.choice(list(LateMinimum))
    return RuleSet(
        "test/random",
        rng.randint(1, 9),
        random_game(rng),
        (NL, PL) if late == LateMinimum.BIG_BET else EVERY_LIMIT,
        showdown_order=rng.choice(list(ShowdownOrder)),
        all_in_exposure=rng.choice(list(AllInExposure)),
        open_fold=rng.choice(list(OpenFold)),
        cap_heads_up=rng.choice(list(CapHeadsUp)),
        max_raises=rng.choice((0, 1, 3, 3, 3, 4)),
        discard_timeout=rng.choice(list(DiscardTimeout)),
        hide_discard_progress=rng.random() < 0.5,
        late_minimum=late,
    )


def random_stakes(rng: random.Random, rule_set: RuleSet, limit: Limit) -> Stakes:
    """Any stakes that fit: odd small blinds, given or usual big bets, antes, rake, chip units above 1."""
    unit = rng.choice((1, 1, 1, 5, 25))
    big = rng.choice((1, 2, 2, 3, 4, 10, 10, 13, 20))
    small = rng.choice((big // 2, big // 2, 0, big, rng.randint(0, big)))
    most = 2 * big if limit == PL and rule_set.late_minimum == LateMinimum.BIG_BET else 3 * big
    ante_kind = rng.choice((AnteKind.NONE, AnteKind.NONE, AnteKind.EACH, AnteKind.BIG_BLIND))
    return Stakes(
        small * unit,
        big * unit,
        small_bet=rng.choice((0, big * unit)),
        big_bet=rng.choice((0, 0, rng.randint(big, most) * unit)),
        ante_kind=ante_kind,
        ante=0 if ante_kind == AnteKind.NONE else rng.randint(1, big) * unit,
        chip_unit=unit,
        rake_basis_points=rng.choice((0, 0, 500, 1000, 333)),
        rake_cap=rng.choice((-1, -1, 0, 3 * unit, 10 * unit)),
        no_flop_no_drop=rng.random() < 0.5,
    )


def random_setup(rng: random.Random, max_seats: int = 10, known: float = 0.9) -> HandSetup:
    """Any hand: 2 to ``max_seats`` seats, uneven stacks, dead buttons, missing small blinds, posts, dead money."""
    rule_set = random_rule_set(rng)
    limit = rng.choice(rule_set.limits)
    stakes = random_stakes(rng, rule_set, limit)
    players = rng.randint(2, min(max_seats, rule_set.max_seats()))
    if rng.random() < 0.3:
        players = min(players, rng.randint(2, 3))
    places = rng.sample(range(1, 11), players)
    button = rng.choice(places)
    if 2 < players < 10 and rng.random() < 0.2:
        button = rng.choice([seat for seat in range(1, 11) if seat not in places])
    seats = sorted(places, key=lambda seat: (seat - button - 1) % 10)
    if players == 2:
        small, big = seats[1], seats[0]
    elif rng.random() < 0.1:
        small, big = NOBODY, seats[0]
    else:
        small, big = seats[0], seats[1]
    posts = [
        Post(seat, rng.choice((0, stakes.big_blind)), rng.choice((0, stakes.small_blind)))
        for seat in seats
        if seat not in (small, big) and rng.random() < 0.12
    ]
    hole = rule_set.game.hole_cards
    deck = list(range(52))
    rng.shuffle(deck)
    deck = deck[: rng.choice((52, players * hole + 5))]
    unseen: tuple[int, ...] = ()
    if rng.random() >= known:
        hidden = rng.random()
        deck = [UNKNOWN if rng.random() < hidden else card for card in deck]
        unseen = tuple(seat for seat in seats if rng.random() < 0.3)
        if rng.random() < 0.2:
            deck = []
    stacks = random_stacks(rng, players, stakes)
    return HandSetup(
        rule_set,
        limit,
        stakes,
        tuple(seats),
        stacks,
        button,
        small,
        big,
        tuple(deck),
        tuple(posts),
        tuple(seat for seat in seats if rng.random() < 0.2),
        unseen,
        min(rng.choice((0, 1, 4)) * stakes.chip_unit, sum(stacks)) if rng.random() < 0.05 else -1,
        rng.choice(("", "hand-7")),
    )


def random_stacks(rng: random.Random, players: int, stakes: Stakes) -> tuple[int, ...]:
    """Uneven stacks; many are short, and equal ones are common enough to tie."""
    unit = stakes.chip_unit
    big = stakes.big_blind // unit
    result = []
    for _ in range(players):
        most = rng.choice((1, 2, 4, 12, 40, 100)) * big + rng.choice((0, 1, 3))
        result.append(rng.choice((most, rng.randint(1, most))) * unit)
    return tuple(result)


def random_legal_proposal(rng: random.Random, hand: Hand, boldness: float = 0.3, forfeits: bool = True) -> Proposal:
    """One of the legal proposals of one of the open seats; bold players wager more often, and more.

    Now and then a seat is out of time, or ``forfeits`` its hand.
    """
    choice = options(hand, rng.choice(open_seats(hand)))
    seat = choice.seat
    named = rng.choice((0, choice.decision_id))
    dice = rng.random()
    if dice < 0.03:
        return Proposal(seat, ActionKind.FORFEIT if forfeits and dice < 0.01 else ActionKind.TIMEOUT, decision_id=named)
    if choice.discard:
        return Proposal(seat, ActionKind.DISCARD, 0, tuple(rng.sample(choice.held, choice.discard)), decision_id=named)
    if choice.max_to and rng.random() < boldness:
        steps = (choice.max_to - choice.min_to) // choice.step
        size = rng.choice((0, 0, steps, rng.randint(0, steps), min(steps, rng.randint(0, 20))))
        return Proposal(seat, choice.wager, choice.min_to + size * choice.step, decision_id=named)
    if choice.fold and rng.random() < 0.2:
        return Proposal(seat, ActionKind.FOLD, decision_id=named)
    return Proposal(seat, ActionKind.CHECK if choice.check else ActionKind.CALL, decision_id=named)


def play_out(rng: random.Random, hand: Hand, forfeits: bool = True) -> tuple[Event, ...]:
    """Plays a hand to its end with random legal proposals, and returns all that happened."""
    boldness = rng.choice((0.1, 0.3, 0.6))
    events: list[Event] = []
    while open_seats(hand):
        ruling = propose(hand, random_legal_proposal(rng, hand, boldness, forfeits))
        assert ruling.accepted, ruling
        events.extend(ruling.events)
    return tuple(events)


def text(some: Iterable[int]) -> str:
    """Cards as text, for messages."""
    return " ".join("??" if card == UNKNOWN else CARD_TEXTS[card] for card in some)
