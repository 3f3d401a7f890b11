"""Random hands that each notation has a form for, as records of what the engine did."""

import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.record.notation.holes import shown_seats
from referee.record.notation.house import HOLDEM_NAME, IRISH_NAME, default_rule_set
from referee.rules.events import Event, EventKind
from referee.rules.hand import open_hand
from referee.rules.ruleset import HOLDEM, RULE_SETS, AnteKind, LateMinimum, Limit, RuleSet, Stakes
from referee.rules.settlement import settlement
from referee.rules.setup import NOBODY, HandSetup, Post, deck_from, hole_of
from tests.support import play_out

PHH, CONTEST, FULL_TILT = "phh", "contest", "full-tilt"

_TELLING = {
    EventKind.FOLDED: (Step.FOLD, Step.FOLD),
    EventKind.CHECKED: (Step.CHECK, Step.CHECK_OR_CALL),
    EventKind.CALLED: (Step.CALL, Step.CHECK_OR_CALL),
    EventKind.BET: (Step.BET, Step.BET_OR_RAISE),
    EventKind.RAISED: (Step.RAISE, Step.BET_OR_RAISE),
    EventKind.DISCARDED: (Step.DISCARD, Step.DISCARD),
    EventKind.BOARD_DEALT: (Step.BOARD, Step.BOARD),
    EventKind.BET_RETURNED: (Step.RETURNED, None),
    EventKind.HAND_SHOWN: (Step.SHOW, Step.SHOW),
    EventKind.HAND_MUCKED: (Step.MUCK, Step.MUCK),
}
"""Which step an event becomes: in Full Tilt's text, and in the notations that say less."""


def steps_of(events: tuple[Event, ...], notation: str) -> tuple[RecordedStep, ...]:
    """The steps of a hand's events in the words of a notation."""
    steps = []
    for event in events:
        full, brief = _TELLING.get(event.kind, (None, None))
        step = full if notation == FULL_TILT else brief
        if event.kind is EventKind.FOLDED and event.rule == "TIME-4":
            step = Step.FORFEIT
        if step is None or (notation == CONTEST and step in (Step.SHOW, Step.MUCK)):
            continue
        wager = step in (Step.BET, Step.RAISE, Step.BET_OR_RAISE)
        sized = step in (Step.CALL, Step.RETURNED)
        steps.append(
            RecordedStep(step, event.seat, event.to if wager else 0, event.amount if sized else -1, event.cards)
        )
    return tuple(steps)


def record_of(rng: random.Random, setup: HandSetup, notation: str) -> HandRecord:
    """Plays a hand out at random and records it as far as the notation tells it."""
    hand, opening = open_hand(setup)
    events = opening + play_out(rng, hand, forfeits=notation == PHH)  # the others have no form for that
    steps = steps_of(events, notation)
    holes = tuple(hole_of(setup, player) for player in range(len(setup.seats)))
    statement = settlement(hand)
    is_contest = notation == CONTEST
    result = RecordedResult(
        None if notation == FULL_TILT else tuple(map(Fraction, hand.stack)),
        None if is_contest else tuple(map(Fraction, hand.paid)),
        None if is_contest else sum(pot.amount for pot in statement.pots),
        None if is_contest else hand.rake,
    )
    return HandRecord(
        replace(
            setup,
            deck=deck_from(setup.rule_set.game.hole_cards, holes, hand.board),
            show_when_beaten=shown_seats(steps),
            recorded_rake=-1 if is_contest else hand.rake,
        ),
        steps,
        result,
        tuple(f"player {seat}" for seat in setup.seats),
        notation,
    )


def random_phh(rng: random.Random) -> HandRecord:
    """A hand of any published rule set, with antes, posts, missing small blinds, dead buttons and money in cents."""
    rule_set = rng.choice(RULE_SETS)
    limit = rng.choice(rule_set.limits)
    big = rng.choice((2, 10, 15, 100))
    ante_kind = rng.choice((AnteKind.NONE, AnteKind.NONE, AnteKind.EACH, AnteKind.BIG_BLIND))
    late = big * 3 if rule_set.late_minimum == LateMinimum.BIG_BET and rng.random() < 0.5 else 0
    stakes = Stakes(
        rng.choice((0, big // 2, big)),
        big,
        big_bet=late,
        ante_kind=ante_kind,
        ante=0 if ante_kind == AnteKind.NONE else rng.randint(1, big),
    )
    setup = _setup(rng, rule_set, limit, stakes, dead_posts=ante_kind != AnteKind.EACH)
    record = replace(record_of(rng, setup, PHH), rule_set_named=True)
    if rng.random() < 0.5:
        record = replace(record, unit=Decimal("0.01"), currency="$", facts={"table": "12", "_note": "it's"})
    return record


def random_full_tilt(rng: random.Random) -> HandRecord:
    """A hand of hold'em or Irish as the room would have told it, cash or tournament."""
    game = rng.choice((HOLDEM_NAME, IRISH_NAME))
    limit = rng.choice(list(Limit))
    big = rng.choice((2, 10, 100, 1000))
    ante = rng.choice((0, 0, big // 2))
    stakes = Stakes(big // 2, big, ante_kind=AnteKind.EACH if ante else AnteKind.NONE, ante=ante)
    rule_set = default_rule_set(game, limit)
    setup = _setup(rng, rule_set, limit, stakes, dead_posts=True)
    cash = rng.random() < 0.5
    place = "Table Emerald - deep (6 max)" if cash else "$5 Sit & Go (Turbo) (123456), Table 1"
    empty = [seat for seat in range(1, 11) if seat not in setup.seats]
    out = {f"seat {empty[0]}": "away, one ($7)" if cash else "away, one (7)"} if empty and rng.random() < 0.3 else {}
    return replace(
        record_of(rng, setup, FULL_TILT),
        unit=Decimal("0.01") if cash else Decimal(1),
        currency="$" if cash else "",
        rule_set_named=game == IRISH_NAME and limit != Limit.FIXED_LIMIT,
        facts={"place": place, "time": "00:56:40 ET - 2013/04/07", **out},
    )


def random_contest(rng: random.Random, players: int, limit: Limit) -> HandRecord:
    """A hand of hold'em between the seats 1, 2, ...; in limit nothing limits the stacks."""
    big = 100
    fixed = limit == Limit.FIXED_LIMIT
    stacks = (big * 1_000_000,) * players if fixed else tuple(rng.randint(50, 3000) for _ in range(players))
    setup = HandSetup(
        default_rule_set(HOLDEM_NAME, limit),
        limit,
        Stakes(50, big),
        tuple(range(1, players + 1)),
        stacks,
        players,
        2 if players == 2 else 1,
        1 if players == 2 else 2,
        tuple(rng.sample(range(52), 52)),
        hand_id=str(rng.randint(0, 999)),
    )
    return replace(record_of(rng, setup, CONTEST), stacks_known=not fixed)


def _setup(rng: random.Random, rule_set: RuleSet, limit: Limit, stakes: Stakes, dead_posts: bool) -> HandSetup:
    players = rng.randint(2, min(10, rule_set.max_seats()))
    places = rng.sample(range(1, 11), players)
    button = rng.choice(places)
    if 2 < players < 10 and rng.random() < 0.2:
        button = rng.choice([seat for seat in range(1, 11) if seat not in places])
    seats = sorted(places, key=lambda seat: (seat - button - 1) % 10)
    small, big = (seats[1], seats[0]) if players == 2 else (seats[0], seats[1])
    if players > 2 and rng.random() < 0.15:
        small, big = NOBODY, seats[0]
    most = stakes.big_blind * rng.choice((2, 10, 60))
    stacks = [rng.randint(1, most) for _ in seats]
    if small == NOBODY:  # A lone big blind whose ante takes all he has leaves no line in Full Tilt's text.
        stacks[0] += stakes.ante
    posts = []
    for index, seat in enumerate(seats):
        if seat not in (small, big) and rng.random() < 0.1:
            dead = stakes.small_blind if dead_posts and rng.random() < 0.5 else 0
            posts.append(Post(seat, stakes.big_blind, dead))
            stacks[index] += stakes.big_blind + stakes.small_blind + stakes.ante
    hole_cards = rule_set.game.hole_cards
    deck = rng.sample(range(52), players * hole_cards + 5)
    return HandSetup(
        rule_set,
        limit,
        stakes,
        tuple(seats),
        tuple(stacks),
        button,
        small,
        big,
        tuple(deck),
        tuple(posts),
        tuple(seat for seat in seats if rng.random() < 0.2),
        recorded_rake=rng.choice((-1, 0, 1)),
        hand_id=str(rng.randint(1, 10**9)),
    )


assert HOLDEM.hole_cards == 2
