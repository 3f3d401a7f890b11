"""What the player to act may do, and why anything else is refused (BET-2, BET-3, SIZE, OPEN).

Pure functions of the hand. The legal range of a wager is computed in one place and both offered as an option and
used to judge a proposal, so that the two agree.
"""

from typing import Final

from referee.rules.pots import is_sole_contender
from referee.rules.ruleset import CapHeadsUp, Limit, OpenFold
from referee.rules.rulings import BET, CALL, CHECK, FOLD, RAISE, ActionKind, LegalOptions, Reason
from referee.rules.state import NOT_ACTED, Hand, street_bet

Fault = tuple[Reason, str, str]
"""Why a proposal is refused: the reason, the rule that decides, and a sentence for people."""

NO_WAGER: Final = (0, 0)


def owed(hand: Hand, player: int) -> int:
    """What the player to act must add to match the level, in chips, before his stack is considered (BET-6)."""
    return hand.level - hand.bet[player]


def raises_are_capped(hand: Hand) -> bool:
    """Whether the fixed-limit cap of this street is reached (SIZE-6, SIZE-7)."""
    rule_set = hand.setup.rule_set
    if hand.setup.limit is not Limit.FIXED_LIMIT or hand.wagers < 1 + rule_set.max_raises:
        return False
    return rule_set.cap_heads_up == CapHeadsUp.CAPPED or hand.live_at_street_start > 2


def is_reopened(hand: Hand, player: int) -> bool:
    """Whether OPEN-1 or OPEN-2 lets the player raise: he has not acted, or was raised in full since."""
    acted = hand.acted[player]
    if acted == NOT_ACTED:
        return True
    risen = hand.level - acted
    if hand.setup.limit is Limit.FIXED_LIMIT:
        return 2 * risen >= street_bet(hand)
    return risen >= hand.increment


def pot_limit_maximum(hand: Hand, player: int) -> int:
    """The highest street total of SIZE-4; before the flop a short or missing blind counts as posted in full."""
    pot = hand.chips_in() + (hand.blind_shortfall if hand.street == 0 else 0)
    return hand.level + pot + owed(hand, player)


def wager_range(hand: Hand, player: int) -> tuple[int, int]:
    """The lowest and highest street total the player to act may bet or raise to, ``(0, 0)`` if he may not.

    Both are the same when a single size is legal: fixed-limit, or all his chips below the minimum (SIZE-2).
    """
    all_chips = hand.bet[player] + hand.stack[player]
    if all_chips <= hand.level or hand.chips_count < 2 or not is_reopened(hand, player) or raises_are_capped(hand):
        return NO_WAGER
    limit = hand.setup.limit
    if limit is Limit.FIXED_LIMIT:
        size = min(hand.base + street_bet(hand), all_chips)
        return (size, size)
    most = all_chips if limit is Limit.NO_LIMIT else min(all_chips, pot_limit_maximum(hand, player))
    return (min(hand.level + hand.increment, most), most)


def may_open_fold(hand: Hand, player: int) -> bool:
    """Whether a fold with nothing to match is tolerated (BET-3)."""
    return hand.setup.rule_set.open_fold == OpenFold.ALLOW and not is_sole_contender(player, hand.total, hand.live)


def betting_options(hand: Hand, player: int) -> LegalOptions:
    """Everything the player to act may do."""
    to_call = hand.level - hand.bet[player]
    stack = hand.stack[player]
    low, high = wager_range(hand, player)
    return LegalOptions(
        hand.setup.seats[player],
        hand.answered[player] + 1,
        to_call > 0 or may_open_fold(hand, player),
        to_call <= 0,
        0 if to_call <= 0 else to_call if to_call < stack else stack,
        RAISE if hand.level else BET,
        low,
        high,
        hand.setup.stakes.chip_unit,
    )


def wager_fault(hand: Hand, player: int, kind: ActionKind, to: int) -> Fault | None:
    """Why the player to act may not bet or raise to this street total, or None if he may."""
    if kind is BET and hand.level:
        return Reason.BET_OVER_A_BET, "BET-2", f"there is a bet of {hand.level} already; name it a raise"
    if kind is RAISE and not hand.level:
        return Reason.RAISE_WITHOUT_A_BET, "BET-2", "there is nothing to raise; name it a bet"
    low, high = wager_range(hand, player)
    if not low:
        return _no_wager(hand, player)
    unit = hand.setup.stakes.chip_unit
    all_chips = hand.bet[player] + hand.stack[player]
    if to % unit:
        return Reason.NOT_A_CHIP_MULTIPLE, "BET-8", f"{to} is not a multiple of the chip unit {unit}"
    if to > all_chips:
        return Reason.ABOVE_STACK, "SIZE-2", f"{to} is more than all his chips, {all_chips}"
    if low <= to <= high:
        return None
    if hand.setup.limit is Limit.FIXED_LIMIT:
        rule = "SIZE-5" if hand.base == hand.level else "SIZE-8"
        return Reason.NOT_THE_FIXED_SIZE, rule, f"the only size is {low}: {hand.base} and one bet, or all his chips"
    if to > high:
        return Reason.ABOVE_POT_LIMIT, "SIZE-4", f"{to} is above the pot-limit maximum of {high}"
    return Reason.BELOW_MINIMUM, _minimum_rule(hand), f"{to} is below the minimum of {low}"


def _minimum_rule(hand: Hand) -> str:
    if hand.level:
        return "SIZE-3"
    return "SIZE-1" if hand.increment == hand.setup.stakes.big_blind else "SIZE-9"


def _no_wager(hand: Hand, player: int) -> Fault:
    if hand.chips_count < 2:
        return Reason.OPPONENTS_ALL_IN, "OPEN-4", "every other live player is all-in"
    all_chips = hand.bet[player] + hand.stack[player]
    if all_chips <= hand.level:
        return Reason.NO_CHIPS_TO_RAISE, "SIZE-2", f"all his chips reach {all_chips}, which does not lift {hand.level}"
    if raises_are_capped(hand):
        cap = hand.setup.rule_set.max_raises
        return Reason.RAISES_CAPPED, "SIZE-6", f"one bet and {cap} raises were made on this street"
    risen = hand.level - hand.acted[player]
    return Reason.RAISE_NOT_REOPENED, "OPEN-2", f"since he acted the level rose by {risen}, less than a full raise"


def passive_fault(hand: Hand, player: int, kind: ActionKind) -> Fault | None:
    """Why the player to act may not fold, check or call, or None if he may (BET-2, BET-3)."""
    to_call = hand.level - hand.bet[player]
    if kind is CHECK and to_call > 0:
        return Reason.CHECK_WHILE_OWING, "BET-2", f"{min(to_call, hand.stack[player])} is owed"
    if kind is CALL and to_call <= 0:
        return Reason.NOTHING_TO_CALL, "BET-2", "nothing is owed"
    if kind is FOLD and to_call <= 0:
        if hand.setup.rule_set.open_fold == OpenFold.REFUSE:
            return Reason.NOTHING_TO_FOLD_TO, "BET-3", "nothing is owed, so folding is not among the options"
        if not may_open_fold(hand, player):
            return Reason.LAST_ELIGIBLE_CANNOT_FOLD, "BET-3", "the last player left eligible for a pot cannot fold it"
    return None
