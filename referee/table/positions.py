"""Where button and blinds are, from hand to hand (SEAT-1, SEAT-2, SEAT-5, SEAT-6)."""

from dataclasses import dataclass

from referee.rules.ruleset import MAX_SEATS, ButtonRule
from referee.rules.setup import NOBODY


@dataclass(frozen=True)
class Positions:
    """Button and blinds of a hand.

    ``button`` and ``small_blind_position`` may be empty seats under the dead-button rule; ``big_blind`` is a player.
    ``dealt_in`` lists the players clockwise from the left of the button.
    """

    button: int
    small_blind_position: int
    big_blind: int
    dealt_in: tuple[int, ...]

    @property
    def small_blind(self) -> int:
        """Who posts the small blind; nobody when its position is empty (SEAT-1)."""
        return self.small_blind_position if self.small_blind_position in self.dealt_in else NOBODY


def clockwise_from(seat: int, seats: tuple[int, ...]) -> list[int]:
    """Seats in clockwise order, beginning with the first one left of ``seat``, which comes last if it is among them."""
    return sorted(seats, key=lambda other: (other - seat - 1) % MAX_SEATS)


def next_after(seat: int, seats: tuple[int, ...]) -> int:
    """The first of the seats clockwise from the left of ``seat``."""
    return clockwise_from(seat, seats)[0]


def first_positions(button: int, players: tuple[int, ...]) -> Positions:
    """Positions of a table's first hand, the button having been drawn (SEAT-6, BLIND-1, BLIND-2)."""
    order = clockwise_from(button, players)
    if len(players) == 2:
        return Positions(button, button, order[0], tuple(order))
    return Positions(button, order[0], order[1], tuple(order))


def next_positions(
    rule: ButtonRule, before: Positions, players: tuple[int, ...], waiting: tuple[int, ...] = ()
) -> Positions:
    """Positions of the next hand (SEAT-1): every player passes both blinds in each orbit (SEAT-4).

    ``players`` are the seats that play on, ``waiting`` those that wait for the big blind: they count for it alone and
    are dealt in when they get it (SEAT-2). Together they are at least two, at least one of them playing on.
    """
    everybody = players + waiting
    # A lone player has the button and the small blind; the big blind is one who waited for it.
    big_blind = next_after(before.big_blind, everybody if len(players) > 1 else waiting)
    dealt_in = tuple(seat for seat in everybody if seat in players or seat == big_blind)
    if len(dealt_in) == 2:
        button = next(seat for seat in dealt_in if seat != big_blind)
        return _placed(button, button, big_blind, dealt_in)
    if rule == ButtonRule.DEAD or len(before.dealt_in) == 2:
        return _placed(before.small_blind_position, before.big_blind, big_blind, dealt_in)
    button = next_after(before.button, players)
    small_blind = next_after(button, players)
    big_blind = next_after(small_blind, everybody)
    return _placed(button, small_blind, big_blind, tuple(seat for seat in everybody if seat in (*players, big_blind)))


def _placed(button: int, small_blind_position: int, big_blind: int, dealt_in: tuple[int, ...]) -> Positions:
    return Positions(button, small_blind_position, big_blind, tuple(clockwise_from(button, dealt_in)))
