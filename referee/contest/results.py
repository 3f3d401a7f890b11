"""What a contest's hands came to, in the one form that the statistics read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

from referee.contest.equity import cards_to_come, expected_payments
from referee.contest.schedule import TablePlan
from referee.rules.events import BET, BOARD_DEALT, CALLED, CHECKED, FOLDED, RAISED, Event
from referee.rules.state import Hand

REFUSED: Final = "refused"
LATE: Final = "late"
FORFEITED: Final = "forfeited"


class AppliedFault(NamedTuple):
    """A fault that the referee ruled on: a refused proposal, a decision out of time, or that there were too many.

    ``times`` is how often it came in the hand.
    """

    name: str
    kind: str
    rule: str
    reason: str
    times: int = 1


class Facing(NamedTuple):
    """How one player acted while he faced one other alone after the flop: wagers, and all actions."""

    name: str
    other: str
    wagers: int
    actions: int


@dataclass(frozen=True, slots=True)
class HandResult:
    """One hand of a contest.

    ``match`` and ``table`` say where (:class:`~referee.contest.schedule.TablePlan`), ``seating`` in which order,
    ``block`` which deal block of the match, ``hand`` which hand at the table, from 1. ``names`` are those dealt in, in
    the order of the deal; ``nets`` what each won, in chips; ``adjusted`` the same with all-in luck taken out.
    ``left_alone`` says that luck could not be taken out although there was some. ``pot`` is what was contested.
    """

    match: int
    table: int
    seating: int
    block: int
    hand: int
    names: tuple[str, ...]
    nets: tuple[int, ...]
    adjusted: tuple[float, ...]
    left_alone: bool
    pot: int
    faults: tuple[AppliedFault, ...] = ()
    facing: tuple[Facing, ...] = ()

    @property
    def place(self) -> tuple[int, int, int, int]:
        """What names the hand in its contest."""
        return self.match, self.table, self.seating, self.hand

    @property
    def name(self) -> str:
        """The hand's name, such as ``m3.t0.s1-12``."""
        return f"m{self.match}.t{self.table}.s{self.seating}-{self.hand}"

    def net_of(self, name: str) -> int:
        """What somebody won, 0 for who was not dealt in."""
        return self.nets[self.names.index(name)] if name in self.names else 0

    def plain(self) -> list[Any]:
        """The hand as plain values for the store."""
        return [
            self.match,
            self.table,
            self.seating,
            self.block,
            self.hand,
            list(self.names),
            list(self.nets),
            list(self.adjusted),
            self.left_alone,
            self.pot,
            [list(fault) for fault in self.faults],
            [list(one) for one in self.facing],
        ]


def from_plain(values: list[Any]) -> HandResult:
    """A hand from its plain values."""
    match, table, seating, block, hand, names, nets, adjusted, left_alone, pot, faults, facing = values
    return HandResult(
        match,
        table,
        seating,
        block,
        hand,
        tuple(names),
        tuple(nets),
        tuple(adjusted),
        left_alone,
        pot,
        tuple([AppliedFault(*fault) for fault in faults]),
        tuple([Facing(*one) for one in facing]),
    )


class Reckoned(NamedTuple):
    """What follows from one hand alone, by player in the order of ``hand.setup.seats``."""

    nets: tuple[int, ...]
    adjusted: tuple[float, ...]
    left_alone: bool
    pot: int
    facing: tuple[tuple[int, int, int, int], ...]


def reckon(hand: Hand, events: tuple[Event, ...]) -> Reckoned:
    """Reckons a finished hand: net chips, the same adjusted, and who acted how against whom alone."""
    nets = tuple([after - before for before, after in zip(hand.setup.stacks, hand.stack, strict=True)])
    expected = expected_payments(hand, events)
    adjusted = tuple([float(net) for net in nets])
    if expected is not None:
        pairs = zip(nets, hand.paid, expected, strict=True)
        adjusted = tuple([float(Fraction(net - paid) + mean) for net, paid, mean in pairs])
    left_alone = expected is None and hand.live_count > 1 and cards_to_come(events) > 0
    return Reckoned(nets, adjusted, left_alone, sum(hand.total) + hand.dead, tuple(_facing(hand, events)))


def _facing(hand: Hand, events: Iterable[Event]) -> Iterable[tuple[int, int, int, int]]:
    """By player: whom he faced alone after the flop, how often he wagered, how often he acted."""
    seats = hand.setup.seats
    live = dict.fromkeys(seats, True)
    after_flop = False
    counts: dict[tuple[int, int], list[int]] = {}
    for event in events:
        after_flop |= event.kind is BOARD_DEALT
        if event.kind in (FOLDED, CHECKED, CALLED, BET, RAISED) and not event.automatic:
            others = [seat for seat in seats if live[seat] and seat != event.seat]
            if after_flop and len(others) == 1:
                count = counts.setdefault((event.seat, others[0]), [0, 0])
                count[0] += event.kind in (BET, RAISED)
                count[1] += 1
        if event.kind is FOLDED:
            live[event.seat] = False
    return [(seats.index(one), seats.index(other), wagers, acts) for (one, other), (wagers, acts) in counts.items()]


def hand_result(
    place: tuple[int, int, int, int, int],
    hand: Hand,
    events: tuple[Event, ...],
    players: tuple[str, ...],
    faults: tuple[AppliedFault, ...] = (),
) -> HandResult:
    """The result of a finished hand.

    ``place`` is match, table, seating, block and hand; ``players`` are by seat, from seat 1.
    """
    names = tuple([players[seat - 1] for seat in hand.setup.seats])
    one = reckon(hand, events)
    facing = tuple([Facing(names[who], names[other], wagers, acts) for who, other, wagers, acts in one.facing])
    return HandResult(*place, names, one.nets, one.adjusted, one.left_alone, one.pot, faults, facing)


def forfeited_hands(plan: TablePlan, played: int, forfeiter: str, price: int) -> list[HandResult]:
    """The hands that a forfeit left unplayed at a table of two: each costs who forfeited the price (TIME-4)."""
    nets = tuple([-price if name == forfeiter else price for name in plan.players])
    adjusted = tuple([float(net) for net in nets])
    fault = AppliedFault(forfeiter, FORFEITED, "TIME-4", "HAND_NOT_PLAYED")
    return [
        HandResult(
            plan.match,
            plan.number,
            plan.seating,
            plan.place_of(hand)[0],
            hand,
            plan.players,
            nets,
            adjusted,
            False,
            price,
            (fault,),
        )
        for hand in range(played + 1, plan.hands + 1)
    ]


def largest(results: Sequence[HandResult], count: int) -> list[HandResult]:
    """The hands with the largest pots, the largest first; games of Kozel have none."""
    return sorted([one for one in results if one.pot], key=lambda one: (-one.pot, one.place))[:count]
