"""Seats at several tables: the draw, breaking a table, and keeping the tables equal (TOUR).

A player who is moved owes nothing and is dealt in at once, unless he sits where button and blinds have just passed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from referee.dealing.stream import KeyedBlocks, shuffled
from referee.rules.ruleset import MAX_SEATS
from referee.table.positions import Positions, clockwise_from

DRAW: Final = "referee-tournament/1/seats"


@dataclass(frozen=True)
class TournamentTable:
    """A table: who sits where, and the positions of its last hand, None before the first."""

    number: int
    seats: Mapping[int, str] = field(default_factory=dict)
    positions: Positions | None = None

    def without(self, entrants: Iterable[str]) -> "TournamentTable":
        """The table after these have left it."""
        gone = set(entrants)
        return replace(self, seats={seat: one for seat, one in self.seats.items() if one not in gone})

    def with_seat(self, seat: int, entrant: str) -> "TournamentTable":
        """The table with somebody more."""
        return replace(self, seats={**self.seats, seat: entrant})

    def by_big_blind(self, seats: Iterable[int]) -> list[int]:
        """Seats in the order in which the big blind comes to them, as far as nobody else comes or goes."""
        last = MAX_SEATS if self.positions is None else self.positions.big_blind
        return clockwise_from(last, tuple(seats))


@dataclass(frozen=True)
class Move:
    """An entrant who changes tables: from table and seat to table and seat."""

    entrant: str
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int


def draw_seats(entrants: Sequence[str], seats_a_table: int, seed: bytes) -> tuple[TournamentTable, ...]:
    """Tables from 1, as few and as equal as can be; who sits where is drawn from the seed of 32 bytes."""
    count = tables_needed(len(entrants), seats_a_table)
    order = shuffled(len(entrants), KeyedBlocks(seed).numbers(DRAW, len(entrants)))
    drawn: list[dict[int, str]] = [{} for _ in range(count)]
    for place, entrant in enumerate(order):
        drawn[place % count][place // count + 1] = entrants[entrant]
    return tuple([TournamentTable(number, seats) for number, seats in enumerate(drawn, 1)])


def tables_needed(players: int, seats_a_table: int) -> int:
    """How many tables so many players need."""
    return -(-players // seats_a_table)


def balanced(
    tables: Sequence[TournamentTable], seats_a_table: int
) -> tuple[tuple[TournamentTable, ...], tuple[Move, ...]]:
    """The tables after breaking those that are not needed, and after moves that make sizes differ by at most one.

    The table of the highest number is broken first. Its players go to the smallest tables; whoever has just had the
    big blind chooses first, a seat to which it comes late; the others, next big blind first, take seats to which it
    comes soon. To make tables equal the player to whom the big blind comes next moves from the largest table to the
    smallest, into the seat to which it comes soonest there, as a floor would have it.
    """
    room = {table.number: table for table in tables if table.seats}
    moves: list[Move] = []
    needed = tables_needed(sum([len(table.seats) for table in room.values()]), seats_a_table)
    while len(room) > needed:
        broken = room.pop(max(room))
        for seat in _leaving_order(broken):
            moves.append(_moved(room, broken, seat, seats_a_table, _just_had_big_blind(broken, seat)))
    while room:
        largest = max(room.values(), key=lambda table: (len(table.seats), table.number))
        if len(largest.seats) - min([len(table.seats) for table in room.values()]) <= 1:
            break
        seat = largest.by_big_blind(largest.seats)[0]
        room[largest.number] = largest.without([largest.seats[seat]])
        moves.append(_moved(room, largest, seat, seats_a_table, False))
    return tuple([room[number] for number in sorted(room)]), tuple(moves)


def _leaving_order(table: TournamentTable) -> list[int]:
    order = table.by_big_blind(table.seats)
    return [seat for seat in order if _just_had_big_blind(table, seat)] + [
        seat for seat in order if not _just_had_big_blind(table, seat)
    ]


def _just_had_big_blind(table: TournamentTable, seat: int) -> bool:
    return table.positions is not None and seat == table.positions.big_blind


def _moved(
    room: dict[int, TournamentTable], source: TournamentTable, seat: int, seats_a_table: int, late: bool
) -> Move:
    """Moves one player into the room; ``late`` asks for a seat to which the big blind comes late."""
    smallest = min([len(table.seats) for table in room.values()])
    open_seats = [
        (table, number)
        for table in sorted(room.values(), key=lambda one: one.number)
        if len(table.seats) == smallest and table.number != source.number
        for number in range(1, seats_a_table + 1)
        if number not in table.seats
    ]

    def wait(choice: tuple[TournamentTable, int]) -> int:
        """Before how many players of the table the big blind comes to the seat; the distance decides between equals."""
        table, number = choice
        order = table.by_big_blind([*table.seats, number])
        return order.index(number) * MAX_SEATS + table.by_big_blind(range(1, MAX_SEATS + 1)).index(number)

    table, number = max(open_seats, key=wait) if late else min(open_seats, key=wait)
    entrant = source.seats[seat]
    room[table.number] = table.with_seat(number, entrant)
    return Move(entrant, source.number, seat, table.number, number)
