"""Pots, the returned bet, shares and odd chips (POT-1 to POT-8) as pure arithmetic on players' totals.

Players are numbered clockwise from the left of the button, so their order is the order of odd chips (POT-6).
"""

from dataclasses import dataclass
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.ruleset import Stakes


@mypyc_attr(acyclic=True)
@dataclass(init=False, unsafe_hash=True)
class Pot:
    """Chips and the players who contest them, clockwise from the button. Pots are listed main pot first."""

    amount: Final[int]
    eligible: Final[tuple[int, ...]]

    def __init__(
        self,
        amount: int,
        eligible: tuple[int, ...],
    ) -> None:
        self.amount = amount
        self.eligible = eligible


def uncalled(street_bets: list[int], live: list[bool]) -> tuple[int, int]:
    """The player and amount to return when a round closes, ``(-1, 0)`` if everything was called (POT-2).

    ``street_bets`` are what each player put in on that round, live posts included, antes and dead money not.
    """
    player, largest, second = -1, -1, -1
    for at, bet in enumerate(street_bets):
        if bet > largest:
            player, largest, second = at, bet, largest
        elif bet > second:
            second = bet
    if second == largest or not live[player]:
        return (-1, 0)
    return (player, largest - second)


def form_pots(totals: list[int], live: list[bool], dead_money: int) -> list[Pot]:
    """Layers all contributions into pots (POT-1, POT-3, BLIND-6); a layer without chips beside others is no pot."""
    levels: list[int] = []
    for at, total in enumerate(totals):
        if live[at] and total not in levels:
            levels.append(total)
    levels.sort()
    lowest, highest = levels[0], levels[-1]
    pots: list[Pot] = []
    below = 0
    for level in levels:
        amount = dead_money if level == lowest else 0
        eligible: list[int] = []
        for at, total in enumerate(totals):
            if total > below:
                amount += min(total, level) - below
            if level == highest and total > level:
                amount += total - level
            if live[at] and total >= level:
                eligible.append(at)
        if amount or lowest == highest:
            pots.append(Pot(amount, tuple(eligible)))
        below = level
    return pots


def is_sole_contender(player: int, totals: list[int], live: list[bool]) -> bool:
    """Whether a live player is the last one left eligible for some pot (BET-3, DISC-8)."""
    mine = totals[player]
    for at, total in enumerate(totals):  # noqa: SIM110 - a generator would be slower
        if live[at] and total >= mine and at != player:
            return False
    return True


def rake_of(pots: list[Pot], stakes: Stakes, flop_dealt: bool, recorded: int) -> list[int]:
    """The rake of each pot in chips (POT-8); a recorded rake is filled from the main pot up, 0 or more."""
    if recorded >= 0:
        return _filled([pot.amount for pot in pots], recorded)
    if stakes.rake_basis_points == 0 or (stakes.no_flop_no_drop and not flop_dealt):
        return [0] * len(pots)
    unit = stakes.chip_unit
    full = [pot.amount * stakes.rake_basis_points // 10_000 // unit * unit for pot in pots]
    return full if stakes.rake_cap < 0 else _filled(full, stakes.rake_cap)


def _filled(most: list[int], available: int) -> list[int]:
    taken: list[int] = []
    for amount in most:
        taken.append(min(amount, available))
        available -= taken[-1]
    return taken


def shares(amount: int, winners: tuple[int, ...], unit: int) -> list[int]:
    """Each winner's share in the order given: equal, then one chip unit each to the first ones (POT-5, POT-6)."""
    units = amount // unit
    assert units * unit == amount, "a pot that is not a multiple of the chip unit"
    each = units // len(winners)
    odd = units - each * len(winners)
    return [(each + (1 if place < odd else 0)) * unit for place in range(len(winners))]


def best_of(eligible: tuple[int, ...], strengths: list[int]) -> tuple[int, ...]:
    """The players of a pot whose hands tie for the best, in the pot's order (POT-5)."""
    best = strengths[eligible[0]]
    winners: list[int] = []
    for player in eligible:
        mine = strengths[player]
        if mine > best:
            best = mine
            winners = [player]
        elif mine == best:
            winners.append(player)
    return tuple(winners)
