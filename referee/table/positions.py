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

    def with_players(self, seats: tuple[int, ...]) -> "Positions":
        """The same button and blinds with further seats dealt in, none of them between the button and the blinds."""
        return _placed(self.button, self.small_blind_position, self.big_blind, self.dealt_in + seats)


def clockwise_from(seat: int, seats: tuple[int, ...]) -> list[int]:
    """Seats in clockwise order, beginning with the first one left of ``seat``, which comes last if it is among them."""
    ordered = sorted(seats)
    return [other for other in ordered if other > seat] + [other for other in ordered if other <= seat]


def next_after(seat: int, seats: tuple[int, ...]) -> int:
    """The first of the seats clockwise from the left of ``seat``."""
    return min([other for other in seats if other > seat] or seats)


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

    ``players`` are the seats that play on, one of them at least dealt in before; ``waiting`` those that wait for the
    big blind: they count for it alone and are dealt in when they get it (SEAT-2). Together they are at least two. A
    player who was not dealt in before, and sits where button and blinds have just passed, is left out once more.
    """
    passed = _passed_by(rule, before, players)
    if passed:
        players = tuple([seat for seat in players if seat not in passed])
        if len(players) == 1:
            waiting += passed
    everybody = players + waiting
    # A lone player has the button and the small blind; the big blind is one who waited for it.
    big_blind = next_after(before.big_blind, everybody if len(players) > 1 else waiting)
    dealt_in = _dealt_in(players, waiting, big_blind)
    if len(dealt_in) == 2:
        return _heads_up(big_blind, dealt_in)
    if rule == ButtonRule.DEAD or len(before.dealt_in) == 2:
        return _placed(before.small_blind_position, before.big_blind, big_blind, dealt_in)
    button = next_after(before.button, players)
    small_blind = next_after(button, players)
    big_blind = next_after(small_blind, everybody)
    dealt_in = _dealt_in(players, waiting, big_blind)
    if len(dealt_in) == 2:  # nobody who waits is next in line for the big blind
        return _heads_up(next_after(before.big_blind, dealt_in), dealt_in)
    return _placed(button, small_blind, big_blind, dealt_in)


def is_between(first: int, seat: int, last: int) -> bool:
    """Whether a seat lies clockwise after ``first`` and before ``last``; nothing lies between a seat and itself."""
    return 0 < (seat - first) % MAX_SEATS < (last - first) % MAX_SEATS


def _passed_by(rule: ButtonRule, before: Positions, players: tuple[int, ...]) -> tuple[int, ...]:
    """The players who sat down where button and blinds have just passed: dealt in, they would double others' blinds."""
    came = [seat for seat in players if seat not in before.dealt_in]
    if not came:
        return ()
    small_blind, big_blind = before.small_blind_position, before.big_blind
    return tuple(
        [
            seat
            for seat in came
            if is_between(small_blind, seat, big_blind)
            or (rule == ButtonRule.MOVING and is_between(before.button, seat, small_blind))
        ]
    )


def _dealt_in(players: tuple[int, ...], waiting: tuple[int, ...], big_blind: int) -> tuple[int, ...]:
    return players if big_blind in players else (*players, big_blind)


def _heads_up(big_blind: int, dealt_in: tuple[int, ...]) -> Positions:
    button = next(seat for seat in dealt_in if seat != big_blind)
    return _placed(button, button, big_blind, dealt_in)


def _placed(button: int, small_blind_position: int, big_blind: int, dealt_in: tuple[int, ...]) -> Positions:
    return Positions(button, small_blind_position, big_blind, tuple(clockwise_from(button, dealt_in)))
