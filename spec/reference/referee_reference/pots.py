"""Pots (POT): what was not called, who contests what, the rake, and the shares down to the last odd chip."""

from dataclasses import dataclass

from referee_reference.hand import Hand, board, live, players, put
from referee_reference.terms import Stakes


@dataclass(frozen=True)
class Pot:
    """Chips, and the players who contest them, clockwise from the button."""

    amount: int
    eligible: tuple[int, ...]


def uncalled(hand: Hand) -> tuple[int, int] | None:
    """POT-2: the player and what is returned to him when a round closes.

    What the largest live contributor put in on this round above the second largest, folded or not. Antes and dead money
    are in no street's count; live posts are.

    Spec: Uncalled.
    """
    largest = max(live(hand), key=lambda player: put(hand, player))
    second = max(put(hand, player) for player in players(hand) if player != largest)
    return (largest, put(hand, largest) - second) if put(hand, largest) > second else None


def pots(hand: Hand) -> list[Pot]:
    """The pots as chips stand, main pot first (POT-1, POT-3, BLIND-6)."""
    return pots_of(hand.totals, live(hand), hand.dead)


def pots_of(totals: tuple[int, ...], live: list[int], dead: int) -> list[Pot]:
    """POT-1: levels are the distinct totals of live players; each pot takes everybody's chips between two of them.

    Spec: Pots.
    """
    levels = sorted({totals[player] for player in live})
    found = []
    for place, top in enumerate(levels):
        bottom = 0 if place == 0 else levels[place - 1]
        amount = sum(min(total, top) - min(total, bottom) for total in totals)
        if place == 0:
            amount += dead  # "joins the lowest pot, even if that pot's level is 0"
        if place == len(levels) - 1:
            amount += sum(max(0, total - top) for total in totals)  # POT-3
        found.append(Pot(amount, tuple(player for player in live if totals[player] >= top)))
    # A layer without chips is no pot, but a hand has one.
    return [pot for pot in found if pot.amount > 0] or found[:1]


def is_last_eligible(hand: Hand, player: int) -> bool:
    """Whether some pot, as chips stand, is left to this player alone (BET-3, DISC-8). Spec: SoleContender."""
    return any(pot.eligible == (player,) for pot in pots(hand))


def rakes(hand: Hand, of: list[Pot]) -> list[int]:
    """POT-8: what is taken from each pot before the split, main pot first. Spec: RakeOf."""
    stakes = hand.setup.stakes
    if hand.setup.recorded_rake is not None:  # a replay takes the rake that was recorded
        return filled([pot.amount for pot in of], hand.setup.recorded_rake)
    if stakes.no_flop_no_drop and board(hand) == ():
        return [0 for _ in of]
    wanted = [rounded_down(pot.amount * stakes.rake_basis_points // 10_000, stakes) for pot in of]
    return wanted if stakes.rake_cap is None else filled(wanted, stakes.rake_cap)


def rounded_down(amount: int, stakes: Stakes) -> int:
    """The amount without what is no whole chip unit."""
    return amount - amount % stakes.chip_unit


def filled(wanted: list[int], cap: int) -> list[int]:
    """``cap`` filled from the main pot up."""
    taken: list[int] = []
    for amount in wanted:
        taken.append(min(amount, cap - sum(taken)))
    return taken


def shares(amount: int, winners: tuple[int, ...], unit: int) -> list[int]:
    """POT-5, POT-6: equal shares, and what does not divide one unit at a time, clockwise from the button.

    Spec: Share.
    """
    dealt = [amount // unit // len(winners) * unit for _ in winners]
    place = 0
    while sum(dealt) < amount:
        dealt[place] += unit
        place += 1
    return dealt
