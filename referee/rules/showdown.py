"""The showdown: who shows first, who must show, who may muck, and who wins each pot (SHOW, POT-4 to POT-6)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.cards import UNKNOWN
from referee.rules.pots import Pot, best_of, form_pots, rake_of, shares
from referee.rules.ranking import card_set, strength_of_set
from referee.rules.ruleset import AllInExposure, ShowdownOrder
from referee.rules.state import LAST_STREET, NO_PLAYER, Hand

UNDECIDED: Final = -2
"""Strength of a hand whose cards, or the board, the referee does not know."""

CONCEDED: Final = -1
"""Strength of an unknown hand that its owner gave up at the showdown: below every known hand."""


class ShowWhy(IntEnum):
    """Why a hand is shown or mucked."""

    FIRST_IN_ORDER = 1
    NOT_BEATEN = 2
    CHOSE_TO_SHOW = 3
    MUCKED = 4
    ALL_HANDS_SHOWN = 5
    TABLED_ALL_IN = 6
    GAVE_UP_UNSEEN = 7


@mypyc_attr(acyclic=True)
@dataclass(init=False, unsafe_hash=True)
class Showing:
    """What one live player's hand must or may do at the showdown, why, and the rule behind it."""

    player: Final[int]
    must_show: Final[bool]
    shows: Final[bool]
    why: Final[ShowWhy]
    rule: Final[str]

    def __init__(
        self,
        player: int,
        must_show: bool,
        shows: bool,
        why: ShowWhy,
        rule: str,
    ) -> None:
        self.player = player
        self.must_show = must_show
        self.shows = shows
        self.why = why
        self.rule = rule


@mypyc_attr(acyclic=True)
@dataclass(init=False, unsafe_hash=True)
class Award:
    """One pot decided: ``rake`` was taken first, then ``winners`` share in the order of POT-6."""

    pot: Final[Pot]
    rake: Final[int]
    winners: Final[tuple[int, ...]]
    shares: Final[tuple[int, ...]]

    def __init__(
        self,
        pot: Pot,
        rake: int,
        winners: tuple[int, ...],
        shares: tuple[int, ...],
    ) -> None:
        self.pot = pot
        self.rake = rake
        self.winners = winners
        self.shares = shares


def first_to_show(hand: Hand) -> tuple[int, int]:
    """The player who shows first, and the street (0 to 3) of the lift that decided, -1 if none did (SHOW-1).

    A lift that nobody called counts, and a bet after an all-in cancels no showdown (SHOW-5).
    """
    lifts, live = hand.lifts, hand.live
    if lifts[LAST_STREET] != NO_PLAYER and live[lifts[LAST_STREET]]:
        return lifts[LAST_STREET], LAST_STREET
    if hand.setup.rule_set.showdown_order == ShowdownOrder.WALK_BACK:
        for street in (2, 1, 0):
            if lifts[street] != NO_PLAYER and live[lifts[street]]:
                return lifts[street], street
    return live.index(True), -1


def showdown_order(hand: Hand) -> list[int]:
    """Live players in the order in which they show: the first, then clockwise (SHOW-1, SHOW-2)."""
    players = len(hand.live)
    first, _ = first_to_show(hand)
    return [player % players for player in range(first, first + players) if hand.live[player % players]]


def strengths_of(hand: Hand) -> list[int]:
    """Each live player's strength (RANK-1), CONCEDED or UNDECIDED where cards are unknown; folded hands too."""
    board = hand.board + hand.joined
    known_board = UNKNOWN not in board and len(hand.board) == 5
    shared = card_set(board) if known_board else card_set(())
    result: list[int] = []
    for player, kept in enumerate(hand.kept):
        if not hand.live[player]:
            result.append(CONCEDED)
        elif known_board and UNKNOWN not in kept:
            result.append(strength_of_set(shared | card_set(kept)))
        elif hand.setup.seats[player] in hand.setup.mucked_unseen:
            result.append(CONCEDED)
        else:
            result.append(UNDECIDED)
    return result


def is_decided(pots: list[Pot], strengths: list[int]) -> bool:
    """Whether the known cards decide every pot."""
    for pot in pots:  # noqa: SIM110 - a generator would be slower
        if not pot_is_decided(pot, strengths):
            return False
    return True


def pot_is_decided(pot: Pot, strengths: list[int]) -> bool:
    """Whether the known cards decide a pot; one with a single eligible player needs none (POT-4)."""
    if len(pot.eligible) == 1:
        return True
    is_known = False
    for player in pot.eligible:
        if strengths[player] == UNDECIDED:
            return False
        if strengths[player] > CONCEDED:
            is_known = True
    return is_known


def showings(hand: Hand, pots: list[Pot], strengths: list[int]) -> list[Showing]:
    """Who must show and who may muck, in order (SHOW-2, SHOW-3, SHOW-4).

    A player must show if, for any pot he is eligible for, no eligible hand shown so far beats his. A winner is
    never beaten, so no winning hand can be mucked.
    """
    exposure = hand.setup.rule_set.all_in_exposure
    all_tabled = exposure is AllInExposure.TABLE_ALL and hand.chips_count < hand.live_count
    best_shown = [CONCEDED] * len(pots)
    result: list[Showing] = []
    for player in showdown_order(hand):
        mine = strengths[player]
        unbeaten = False
        for at, pot in enumerate(pots):
            if mine >= best_shown[at] and player in pot.eligible:
                unbeaten = True
        if mine == CONCEDED:
            showing = Showing(player, False, False, ShowWhy.GAVE_UP_UNSEEN, "SHOW-2")
        elif all_tabled:
            showing = Showing(player, True, True, ShowWhy.TABLED_ALL_IN, "SHOW-4")
        elif not result:
            showing = Showing(player, True, True, ShowWhy.FIRST_IN_ORDER, "SHOW-3")
        elif unbeaten:
            showing = Showing(player, True, True, ShowWhy.NOT_BEATEN, "SHOW-2")
        elif exposure is AllInExposure.SHOW_ALL:
            showing = Showing(player, True, True, ShowWhy.ALL_HANDS_SHOWN, "SHOW-4")
        elif hand.setup.seats[player] in hand.setup.show_when_beaten:
            showing = Showing(player, False, True, ShowWhy.CHOSE_TO_SHOW, "SHOW-2")
        else:
            showing = Showing(player, False, False, ShowWhy.MUCKED, "SHOW-2")
        result.append(showing)
        if showing.shows:
            for at, pot in enumerate(pots):
                if mine > best_shown[at] and player in pot.eligible:
                    best_shown[at] = mine
    return result


def showings_of(hand: Hand) -> list[Showing]:
    """Who must show and who may muck in a hand that reached its showdown and is decided; nothing in any other."""
    if hand.live_count == 1 or hand.street != LAST_STREET or not hand.closed:
        return []
    pots = pots_of(hand)
    strengths = strengths_of(hand)
    return showings(hand, pots, strengths) if is_decided(pots, strengths) else []


def pots_of(hand: Hand) -> list[Pot]:
    """The pots as they stand, main pot first (POT-1)."""
    return form_pots(hand.total, hand.live, hand.dead)


def awards_of(hand: Hand, pots: list[Pot], strengths: list[int]) -> list[Award]:
    """Every pot of the hand with its rake, winners and shares, main pot first (POT-4 to POT-8)."""
    setup = hand.setup
    rakes = rake_of(pots, setup.stakes, len(hand.board) > 0, setup.recorded_rake)
    unit = setup.stakes.chip_unit
    return [award(pot, rakes[at], strengths, unit) for at, pot in enumerate(pots)]


def award(pot: Pot, rake: int, strengths: list[int], unit: int) -> Award:
    """A decided pot's winners and shares after its rake (POT-4, POT-5, POT-6)."""
    winners = pot.eligible if len(pot.eligible) == 1 else best_of(pot.eligible, strengths)
    return Award(pot, rake, winners, tuple(shares(pot.amount - rake, winners, unit)))
