"""What the player to act may do (BET), how much he may wager (SIZE), and whether he may raise again (OPEN)."""

from referee_reference.hand import (
    Hand,
    chips_in,
    everything,
    level,
    open_decision,
    others_are_all_in,
    round_number,
    to_match,
    wagers,
)
from referee_reference.pots import is_last_eligible
from referee_reference.terms import Options, big_bet


def is_fixed_limit(hand: Hand) -> bool:
    """Whether the hand is played in fixed-limit (GAME-2)."""
    return hand.setup.limit == "FIXED_LIMIT"


# --- how much -------------------------------------------------------------------------------------------


def fixed_bet(hand: Hand) -> int:
    """SIZE-5: the small bet, which is the big blind, on rounds 1 and 2; the big bet on rounds 3 and 4.

    Spec: FixedBet.
    """
    return hand.setup.stakes.big_blind if round_number(hand) <= 2 else big_bet(hand.setup.stakes)


def minimum_bet(hand: Hand) -> int:
    """SIZE-1: the big blind on every street; SIZE-9: the big bet on rounds 3 and 4 where the rule set says so.

    Spec: MinimumBet.
    """
    if hand.setup.rule_set.late_minimum == "BIG_BET" and round_number(hand) >= 3:
        return big_bet(hand.setup.stakes)
    return hand.setup.stakes.big_blind


def increment(hand: Hand) -> int:
    """SIZE-1: the largest full bet or raise of the street; OPEN-3: an all-in that adds less never changes it.

    Spec: increment.
    """
    largest = minimum_bet(hand)
    for wager in wagers(hand):
        if wager.after - wager.before >= largest:
            largest = wager.after - wager.before
    return largest


def counted_wagers(hand: Hand) -> list[int]:
    """SIZE-6, SIZE-8: the levels of the bets and raises that count for the fixed-limit cap, in order.

    Before the flop the big blind is the first bet. A wager counts if it lifts the level to at least half a bet above
    the last one that counted, alone or on top of smaller all-ins.

    Spec: wagers.
    """
    counted = [hand.setup.stakes.big_blind] if round_number(hand) == 1 else []
    for wager in wagers(hand):
        base = counted[-1] if counted else 0
        if 2 * (wager.after - base) >= fixed_bet(hand):
            counted.append(wager.after)
    return counted


def base(hand: Hand) -> int:
    """SIZE-8: the level of the last wager that counted, 0 when a street starts. Spec: base."""
    counted = counted_wagers(hand)
    return counted[-1] if counted else 0


def is_capped(hand: Hand) -> bool:
    """SIZE-6: one bet and ``max_raises`` raises a street; SIZE-7: no cap between two where the rule set says so.

    Spec: Capped.
    """
    if not is_fixed_limit(hand):
        return False
    two_began = len(hand.streets[-1].live_at_start) == 2
    if two_began and hand.setup.rule_set.cap_heads_up == "UNCAPPED":
        return False
    return len(counted_wagers(hand)) >= 1 + hand.setup.rule_set.max_raises


def pot_limit_highest(hand: Hand, player: int) -> int:
    """SIZE-4: level + pot + amount to call; before the flop the blinds, only they, count as if posted in full.

    Spec: PotLimit.
    """
    pot = chips_in(hand)
    if round_number(hand) == 1:
        stakes = hand.setup.stakes
        pot += stakes.small_blind + stakes.big_blind - hand.blinds_posted
    return level(hand) + pot + to_match(hand, player)


# --- who may raise again --------------------------------------------------------------------------------


def level_when_he_acted(hand: Hand, player: int) -> int | None:
    """The level after the player's last act on this street, None if he has not acted."""
    found = None
    for deed in hand.streets[-1].deeds:
        if deed.player == player:
            found = deed.after
    return found


def is_open_to(hand: Hand, player: int) -> bool:
    """OPEN-1, OPEN-2: he has not acted, or the level has since risen by a full increment (fixed-limit: half a bet).

    Spec: Reopened.
    """
    acted_at = level_when_he_acted(hand, player)
    if acted_at is None:
        return True
    risen = level(hand) - acted_at
    return 2 * risen >= fixed_bet(hand) if is_fixed_limit(hand) else risen >= increment(hand)


def why_no_wager(hand: Hand, player: int) -> str | None:
    """Why the player may not bet or raise at all, the first reason in their order; None if he may. Spec: MayLift."""
    if others_are_all_in(hand, player):
        return "OPPONENTS_ALL_IN"  # OPEN-4
    if everything(hand, player) <= level(hand):
        return "NO_CHIPS_TO_RAISE"  # SIZE-2: no wager at all
    if is_capped(hand):
        return "RAISES_CAPPED"  # SIZE-6
    if not is_open_to(hand, player):
        return "RAISE_NOT_REOPENED"  # OPEN-2
    return None


def wager_range(hand: Hand, player: int) -> tuple[int, int]:
    """The lowest and highest street total that the player may bet or raise to, (0, 0) if he may not.

    Spec: WagerRange.
    """
    if why_no_wager(hand, player) is not None:
        return (0, 0)
    all_chips = everything(hand, player)
    if is_fixed_limit(hand):
        one_more = base(hand) + fixed_bet(hand)  # SIZE-5, SIZE-8
        return (min(one_more, all_chips), min(one_more, all_chips))
    highest = all_chips
    if hand.setup.limit == "POT_LIMIT":
        highest = min(highest, pot_limit_highest(hand, player))
    lowest = level(hand) + increment(hand)  # SIZE-1, SIZE-3
    return (min(lowest, highest), highest)  # SIZE-2: less only with all his chips


# --- everything -----------------------------------------------------------------------------------------


def may_fold_for_nothing(hand: Hand, player: int) -> bool:
    """BET-3: where the rule set allows it, but never the last player left eligible for a pot. Spec: MayFold."""
    return hand.setup.rule_set.open_fold == "ALLOW" and not is_last_eligible(hand, player)


def betting_options(hand: Hand, player: int) -> Options:
    """BET-2, BET-3: everything the player to act may do. Spec: Options."""
    owed = to_match(hand, player)
    lowest, highest = wager_range(hand, player)
    return Options(
        seat=hand.setup.seats[player],
        decision_id=open_decision(hand, player),
        fold=owed > 0 or may_fold_for_nothing(hand, player),
        check=owed == 0,
        call=min(owed, hand.chips[player]),
        wager="BET" if level(hand) == 0 else "RAISE",
        lowest=lowest,
        highest=highest,
    )
