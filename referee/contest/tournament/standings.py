"""Who finishes where (TOUR-2), and what is paid for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

BASIS_POINTS: Final = 10_000


@dataclass(frozen=True)
class Elimination:
    """An entrant who is out: in which hand, counted alike at every table, and with how many chips he began it."""

    entrant: str
    hand: int
    stack: int


@dataclass(frozen=True)
class Place:
    """A place in the final order: ``first`` is the best one that those who are tied share, ``last`` the worst."""

    entrant: str
    first: int
    last: int


def finishing_order(eliminations: Sequence[Elimination], remaining: Sequence[tuple[str, int]] = ()) -> list[Place]:
    """The places, best first (TOUR-2).

    Later is better; of those who are out in the same hand, whoever began it with more chips finishes higher, and equal
    stacks are tied. ``remaining`` are entrants who still have chips, with those: they rank before everybody else.
    """
    ranked = [((2, 0, stack), entrant) for entrant, stack in remaining]
    ranked += [((1, one.hand, one.stack), one.entrant) for one in eliminations]
    ranked.sort(key=lambda one: one[0], reverse=True)
    places: list[Place] = []
    for _, group in groupby(ranked, key=lambda one: one[0]):
        tied = [entrant for _, entrant in group]
        first, last = len(places) + 1, len(places) + len(tied)
        places += [Place(entrant, first, last) for entrant in tied]
    return places


def usual_shares(entrants: int) -> tuple[int, ...]:
    """What each paid place gets of the pool, in basis points: about one entrant in seven is paid, the first most.

    Places are worth 1, 1/2, 1/3 ... of the first; what is lost in rounding down goes to the first.
    """
    paid = max(1, -(-entrants // 7))
    weights = [BASIS_POINTS // place for place in range(1, paid + 1)]
    shares = [BASIS_POINTS * weight // sum(weights) for weight in weights]
    return (BASIS_POINTS - sum(shares[1:]), *shares[1:])


def payouts(places: Sequence[Place], pool: int, shares: Sequence[int]) -> dict[str, int]:
    """What each entrant is paid of a pool, in whole units, by the shares of the places in basis points.

    Who is tied shares the prizes of his places equally; units that do not divide go one each in the order of
    ``places``, and those that rounding leaves over to the first place. Raises ValueError for shares that are not whole.
    """
    if sum(shares) != BASIS_POINTS or any([share < 0 for share in shares]):
        raise ValueError(f"shares of {sum(shares)} basis points; they add up to {BASIS_POINTS}")
    prizes = [pool * share // BASIS_POINTS for share in shares][: len(places)]
    prizes[0] += pool - sum(prizes)
    paid: dict[str, int] = {}
    for (first, last), group in groupby(places, key=lambda one: (one.first, one.last)):
        each, odd = divmod(sum(prizes[first - 1 : last]), last - first + 1)
        paid |= {place.entrant: each + (number < odd) for number, place in enumerate(group)}
    return paid
