"""What is fixed before a hand begins: who sits where with what, the stakes, and the order of the deck."""

from dataclasses import dataclass
from typing import Final

from referee.rules.cards import DECK_SIZE, UNKNOWN
from referee.rules.ruleset import (
    BOARD_CARDS,
    MAX_CHIPS,
    MAX_SEATS,
    MIN_SEATS,
    Limit,
    RuleSet,
    RuleSetError,
    Stakes,
    check_rule_set,
    check_stakes,
)

NOBODY: Final = 0
"""Seat number that means no seat; seats are numbered 1 to 10."""

MAX_HAND_ID: Final = 200


@dataclass(frozen=True)
class Post:
    """What a player posts besides the blinds: a live bet of the big blind, a dead small blind, or both (SEAT-3)."""

    seat: int
    live: int
    dead: int


@dataclass(init=False, unsafe_hash=True)
class HandSetup:
    """Everything a hand starts from.

    ``seats`` lists the players dealt in clockwise, beginning left of the button, so that the button, when it is
    dealt in, comes last; ``stacks`` are theirs in chips before anything is posted. ``small_blind_seat`` is 0 when
    nobody posts it. ``deck`` holds the cards in the order in which they come (DEAL-3), at least as many as the
    hand can use, unknown ones as -1; empty means that no card is known. ``show_when_beaten`` are the seats whose
    preset shows a beaten hand (SHOW-2). ``mucked_unseen`` are seats of a replayed record that gave up an unknown
    hand at the showdown. ``recorded_rake`` is the rake that a replay takes (POT-8), -1 where the stakes decide.
    """

    rule_set: Final[RuleSet]
    limit: Final[Limit]
    stakes: Final[Stakes]
    seats: Final[tuple[int, ...]]
    stacks: Final[tuple[int, ...]]
    button_seat: Final[int]
    small_blind_seat: Final[int]
    big_blind_seat: Final[int]
    deck: Final[tuple[int, ...]]
    posts: Final[tuple[Post, ...]]
    show_when_beaten: Final[tuple[int, ...]]
    mucked_unseen: Final[tuple[int, ...]]
    recorded_rake: Final[int]
    hand_id: Final[str]

    def __init__(
        self,
        rule_set: RuleSet,
        limit: Limit,
        stakes: Stakes,
        seats: tuple[int, ...],
        stacks: tuple[int, ...],
        button_seat: int,
        small_blind_seat: int,
        big_blind_seat: int,
        deck: tuple[int, ...] = (),
        posts: tuple[Post, ...] = (),
        show_when_beaten: tuple[int, ...] = (),
        mucked_unseen: tuple[int, ...] = (),
        recorded_rake: int = -1,
        hand_id: str = "",
    ) -> None:
        self.rule_set = rule_set
        self.limit = limit
        self.stakes = stakes
        self.seats = seats
        self.stacks = stacks
        self.button_seat = button_seat
        self.small_blind_seat = small_blind_seat
        self.big_blind_seat = big_blind_seat
        self.deck = deck
        self.posts = posts
        self.show_when_beaten = show_when_beaten
        self.mucked_unseen = mucked_unseen
        self.recorded_rake = recorded_rake
        self.hand_id = hand_id


def cards_needed(setup: HandSetup) -> int:
    """How many cards from the top of the deck the hand can use: all hole cards and the board (DEAL-3)."""
    return len(setup.seats) * setup.rule_set.game.hole_cards + BOARD_CARDS


def hole_positions(setup: HandSetup, index: int) -> tuple[int, ...]:
    """Deck positions of the hole cards of the player at ``index``: one at a time, clockwise (DEAL-1)."""
    players = len(setup.seats)
    return tuple(range(index, players * setup.rule_set.game.hole_cards, players))


def hole_of(setup: HandSetup, index: int) -> tuple[int, ...]:
    """The hole cards of the player at ``index``, by :func:`hole_positions`; unknown without a deck."""
    hole_cards = setup.rule_set.game.hole_cards
    if not setup.deck:
        return (UNKNOWN,) * hole_cards
    players = len(setup.seats)
    return setup.deck[index : players * hole_cards : players]


def board_of(setup: HandSetup) -> tuple[int, ...]:
    """The five board cards, no card burned (DEAL-2), right after the hole cards (DEAL-3); unknown without a deck."""
    if not setup.deck:
        return (UNKNOWN,) * BOARD_CARDS
    start = len(setup.seats) * setup.rule_set.game.hole_cards
    return setup.deck[start : start + BOARD_CARDS]


def deck_from(hole_cards: int, holes: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> tuple[int, ...]:
    """Builds the deck order that deals these hole cards, by player clockwise from the button, and this board.

    Short or empty hands and boards are filled up with unknown cards.
    """
    deck: list[int] = []
    for turn in range(hole_cards):
        for hole in holes:
            deck.append(hole[turn] if turn < len(hole) else UNKNOWN)
    deck.extend(board)
    deck.extend([UNKNOWN] * (BOARD_CARDS - len(board)))
    return tuple(deck)


def check_setup(setup: HandSetup) -> None:
    """Raises RuleSetError when no hand can be played from this setup, with the rule id that says so."""
    rule_set, stakes = setup.rule_set, setup.stakes
    if not isinstance(setup.limit, Limit):
        raise RuleSetError("GAME-2", f"{setup.limit!r} is not a betting structure")
    has_passed = _has_passed(setup)
    if not has_passed:
        check_rule_set(rule_set)
        check_stakes(stakes, rule_set, setup.limit)
        _check_seats(setup)
        _check_clockwise(setup)
    if len(setup.hand_id) > MAX_HAND_ID:
        raise RuleSetError("BET-9", f"a hand id has at most {MAX_HAND_ID} characters")
    _check_stacks(setup)
    if not has_passed:
        _check_blind_seats(setup)
        _remember(setup)
    if setup.posts:
        _check_posts(setup)
    _check_deck(setup)
    if setup.show_when_beaten or setup.mucked_unseen:
        for seat in setup.show_when_beaten + setup.mucked_unseen:
            if seat not in setup.seats:
                raise RuleSetError("SHOW-2", f"seat {seat} is not dealt in")
    rake = setup.recorded_rake
    if rake != -1 and (not 0 <= rake <= sum(setup.stacks) or rake % stakes.chip_unit):
        raise RuleSetError("POT-8", "a recorded rake is -1 (none) or an amount in chip units that the stacks hold")


_Table = tuple[int, int, int, tuple[int, ...], int, int, int]

_PASSED_LIMIT: Final = 1_024
_passed: Final[dict[_Table, HandSetup]] = {}
"""Tables that passed, since the same ones are played hand after hand: rules and stakes by identity (holding them keeps
their ids from being used again), who sits where, and who posts. Stacks and cards are another hand's each time."""
_played_last: Final[list[HandSetup]] = []
"""The setup of the hand before, if any: most often the next one is at the same table, which takes no search to see."""


def _table_of(setup: HandSetup) -> _Table:
    places = (setup.seats, setup.button_seat, setup.small_blind_seat, setup.big_blind_seat)
    return (id(setup.rule_set), id(setup.stakes), int(setup.limit), *places)


def _has_passed(setup: HandSetup) -> bool:
    if _played_last:
        last = _played_last[0]
        if (
            setup.rule_set is last.rule_set
            and setup.stakes is last.stakes
            and setup.limit is last.limit
            and setup.seats == last.seats
            and setup.button_seat == last.button_seat
            and setup.small_blind_seat == last.small_blind_seat
            and setup.big_blind_seat == last.big_blind_seat
        ):
            return True
    if _table_of(setup) not in _passed:
        return False
    _played_last[:] = [setup]
    return True


def _remember(setup: HandSetup) -> None:
    if len(_passed) >= _PASSED_LIMIT:
        _passed.clear()
    _passed[_table_of(setup)] = setup
    _played_last[:] = [setup]


def _check_seats(setup: HandSetup) -> None:
    players = len(setup.seats)
    if not MIN_SEATS <= players <= setup.rule_set.max_seats():
        raise RuleSetError("GAME-4", f"{players} players; 2 to {setup.rule_set.max_seats()} can be dealt in")
    if len(set(setup.seats)) != players or not all([1 <= seat <= MAX_SEATS for seat in setup.seats]):
        raise RuleSetError("GAME-4", f"seats are different numbers from 1 to {MAX_SEATS}")
    if not 1 <= setup.button_seat <= MAX_SEATS:
        raise RuleSetError("BLIND-1", f"the button is at a seat from 1 to {MAX_SEATS}")


def _check_clockwise(setup: HandSetup) -> None:
    before = -1
    for seat in setup.seats:
        place = (seat - setup.button_seat - 1) % MAX_SEATS
        if place <= before:
            raise RuleSetError("DEAL-1", "seats are listed clockwise, beginning left of the button")
        before = place


def _check_stacks(setup: HandSetup) -> None:
    if len(setup.stacks) != len(setup.seats):
        raise RuleSetError("POT-7", f"{len(setup.stacks)} stacks for {len(setup.seats)} players")
    unit = setup.stakes.chip_unit
    total = 0
    for player, stack in enumerate(setup.stacks):
        total += stack
        if not 0 < stack <= MAX_CHIPS:
            seat = setup.seats[player]
            raise RuleSetError("POT-7", f"seat {seat} begins with {stack} chips; 1 to {MAX_CHIPS} are expected")
        if stack % unit:
            raise RuleSetError("BET-8", f"seat {setup.seats[player]}: {stack} is not a multiple of {unit}")
    if total > MAX_CHIPS:
        raise RuleSetError("POT-7", f"all stacks together pass {MAX_CHIPS} chips")


def _check_blind_seats(setup: HandSetup) -> None:
    small, big, seats = setup.small_blind_seat, setup.big_blind_seat, setup.seats
    if len(seats) == 2:
        if (small, big) != (seats[1], seats[0]) or setup.button_seat != seats[1]:
            raise RuleSetError("BLIND-2", f"heads-up seat {seats[1]} is button and small blind, {seats[0]} big blind")
    elif small == NOBODY:
        if big != seats[0]:
            raise RuleSetError(
                "BLIND-1", f"without a small blind the big blind is first left of the button, {seats[0]}"
            )
    elif (small, big) != (seats[0], seats[1]):
        raise RuleSetError("BLIND-1", f"small blind left of the button ({seats[0]}), big blind left of it ({seats[1]})")


def _check_posts(setup: HandSetup) -> None:
    posting = [post.seat for post in setup.posts]
    if len(set(posting)) != len(posting):
        raise RuleSetError("SEAT-3", "a seat posts at most once")
    for post in setup.posts:
        if post.seat not in setup.seats or post.seat in (setup.small_blind_seat, setup.big_blind_seat):
            raise RuleSetError("SEAT-3", f"seat {post.seat} is not dealt in, or is a blind already")
        if post.live not in (0, setup.stakes.big_blind) or post.dead not in (0, setup.stakes.small_blind):
            raise RuleSetError("SEAT-3", f"seat {post.seat} posts a live big blind, a dead small blind, or both")


def _check_deck(setup: HandSetup) -> None:
    if not setup.deck:
        return
    if len(setup.deck) < cards_needed(setup):
        raise RuleSetError("DEAL-3", f"the deck has {len(setup.deck)} cards, the hand needs {cards_needed(setup)}")
    seen = 0
    is_repeated = False
    for card in setup.deck:
        if card == UNKNOWN:
            continue
        if not 0 <= card < DECK_SIZE:
            raise RuleSetError("GAME-5", "a card is 0 to 51, or -1 when unknown")
        bit = 1 << card
        if seen & bit:
            is_repeated = True
        seen |= bit
    if is_repeated:
        raise RuleSetError("GAME-5", "a card appears twice in the deck")
