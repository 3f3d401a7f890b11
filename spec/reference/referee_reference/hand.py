"""A hand as it stands: its setup, the chips, the cards given up, and the list of what was done on every street.

Nothing here changes a hand; :mod:`referee_reference.course` makes the next one. Players are places clockwise from the
left of the button, counted from 0; streets are rounds 1 to 4.
"""

from dataclasses import dataclass

from referee_reference.cards import board_cards, hole_cards
from referee_reference.terms import UNKNOWN, Setup

BETTING, DISCARDING, BETWEEN, OVER = "BETTING", "DISCARDING", "BETWEEN", "OVER"
"""Where a hand stands. BETWEEN: nobody is asked, and what follows is due (or waits for cards that nobody knows)."""


@dataclass(frozen=True)
class Deed:
    """One act of a betting round: FOLD, CHECK, CALL or WAGER, with the level before and after it."""

    player: int
    kind: str
    before: int
    after: int


@dataclass(frozen=True)
class Street:
    """One betting round: who was live when it began, what each has in on it (blinds and live posts too), the deeds."""

    live_at_start: tuple[int, ...]
    put: tuple[int, ...]
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True)
class Hand:
    """One hand. ``totals`` are those of POT-1, ``dead`` is the dead money of BLIND-6; lists are by player."""

    setup: Setup
    stage: str
    chips: tuple[int, ...]
    totals: tuple[int, ...]
    dead: int
    blinds_posted: int
    streets: tuple[Street, ...]
    folded: frozenset[int]
    discarded: tuple[tuple[str, ...], ...]
    returned: tuple[int, ...]
    answered: tuple[int, ...]
    """how many decisions each player has answered"""
    shown: tuple[str, ...]
    """SHOWN, MUCKED, or nothing yet"""
    won: tuple[int, ...]
    rake: int = 0
    round_closed: bool = False
    """whether this street's betting is over"""
    discards_over: bool = False
    joined: tuple[str, ...] = ()
    """discards that lie on the board (GAME-3)"""
    unseen_folds: tuple[int, ...] = ()
    """folds by DISC-8 of which nobody has been told (DISC-3)"""


# --- who is in ------------------------------------------------------------------------------------------


def players(hand: Hand) -> range:
    """Every player dealt in, clockwise from the left of the button. Spec: Seats."""
    return range(len(hand.setup.seats))


def live(hand: Hand) -> list[int]:
    """Live: dealt in and not folded. Spec: live."""
    return [player for player in players(hand) if player not in hand.folded]


def with_chips(hand: Hand) -> list[int]:
    """The live players who still have chips. Spec: HasChips."""
    return [player for player in live(hand) if hand.chips[player] > 0]


def is_all_in(hand: Hand, player: int) -> bool:
    """A live player whose last chip is in; what he wins later does not undo it."""
    return player in live(hand) and hand.chips[player] - hand.won[player] == 0


def round_number(hand: Hand) -> int:
    """Rounds 1 to 4: before the flop, on the flop, on the turn, on the river."""
    return len(hand.streets)


# --- the street -----------------------------------------------------------------------------------------


def put(hand: Hand, player: int) -> int:
    """What the player has in on this street. Spec: bet."""
    return hand.streets[-1].put[player]


def level(hand: Hand) -> int:
    """The highest street total that must be matched; before the flop never below the big blind (SIZE-3, BLIND-3).

    Spec: level.
    """
    highest = max(hand.streets[-1].put)
    return max(highest, hand.setup.stakes.big_blind) if round_number(hand) == 1 else highest


def to_match(hand: Hand, player: int) -> int:
    """What lies between the player and the level, whatever his stack. Spec: Owed."""
    return level(hand) - put(hand, player)


def everything(hand: Hand, player: int) -> int:
    """The street total that all the player's chips come to. Spec: AllIn."""
    return put(hand, player) + hand.chips[player]


def wagers(hand: Hand) -> list[Deed]:
    """Every bet and raise of this street, all-ins of any size included, in order."""
    return [deed for deed in hand.streets[-1].deeds if deed.kind == "WAGER"]


def has_acted(hand: Hand, player: int) -> bool:
    """Whether the player has acted on this street; posting is no act (BLIND-4). Spec: acted."""
    return any(deed.player == player for deed in hand.streets[-1].deeds)


def others_are_all_in(hand: Hand, player: int) -> bool:
    """Whether every other live player is all-in."""
    return all(is_all_in(hand, other) for other in live(hand) if other != player)


def owes(hand: Hand, player: int) -> bool:
    """Whether the player owes chips (BET-6: against all-in players only if one of them has more in than he)."""
    if others_are_all_in(hand, player):
        return any(put(hand, other) > put(hand, player) for other in live(hand))
    return to_match(hand, player) > 0


def must_still_act(hand: Hand, player: int) -> bool:
    """BET-4, BET-5, BET-6: whether the round cannot close before this player has been asked. Spec: Asked."""
    if player not in with_chips(hand):
        return False
    if others_are_all_in(hand, player):
        return owes(hand, player)  # asked only if he owes, option or not, acted or not
    return owes(hand, player) or not has_acted(hand, player)


def next_to_act(hand: Hand) -> int | None:
    """BET-1: whose turn it is, clockwise from the last who acted; None when the round is closed (BET-4 to BET-7).

    Spec: Turn.
    """
    if len(live(hand)) == 1:
        return None
    count = len(players(hand))
    if hand.streets[-1].deeds:
        start = hand.streets[-1].deeds[-1].player + 1
    elif round_number(hand) == 1:
        start = hand.setup.seats.index(hand.setup.big_blind_seat) + 1
    else:
        start = 0
    for player in [(start + step) % count for step in range(count)]:
        if must_still_act(hand, player):
            return player
    return None


# --- chips and cards ------------------------------------------------------------------------------------


def chips_in(hand: Hand) -> int:
    """Every chip in the middle: this street, antes and dead money included (SIZE-4). Spec: ChipsIn."""
    return sum(hand.totals) + hand.dead


def board(hand: Hand) -> tuple[str, ...]:
    """The cards dealt to the board so far: none, three, four or five."""
    return board_cards(hand.setup, (0, 3, 4, 5)[round_number(hand) - 1])


def held(hand: Hand, player: int) -> tuple[str, ...]:
    """The cards dealt to the player."""
    return hole_cards(hand.setup, player)


def kept(hand: Hand, player: int) -> tuple[str, ...]:
    """The hole cards less the discards; a discard that is none of the known ones was one of the unknown ones."""
    left = list(held(hand, player))
    for card in hand.discarded[player]:
        left.remove(card if card in left else UNKNOWN)
    return tuple(left)


def owes_discard(hand: Hand, player: int) -> bool:
    """DISC-1, DISC-4: every live player, all-in or not, until he has discarded. Spec: OwesDiscard."""
    return hand.stage == DISCARDING and player in live(hand) and hand.discarded[player] == ()


def player_at(hand: Hand, seat: int) -> int | None:
    """The player at a seat, None if nobody there was dealt in."""
    return hand.setup.seats.index(seat) if seat in hand.setup.seats else None


def open_decision(hand: Hand, player: int) -> int:
    """BET-9: decision ids are issued per seat, the first is 1; the id of the open one, or of the next."""
    return hand.answered[player] + 1
