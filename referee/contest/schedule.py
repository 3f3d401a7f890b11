"""Who meets whom, at which tables, in which seats: pure functions from settings and what has been played.

A *match* is a meeting of as many entrants as a table has seats. It is played at *tables*, each of some deal *blocks*;
each table is played once for every *seating* of the match.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import Final

from referee.contest.settings import ContestSettings, ScheduleSettings
from referee.rules.ruleset import Stakes
from referee.table.start import TableStart

MAX_MATCHES: Final = 10_000


class ScheduleError(ValueError):
    """A schedule that cannot be made of these entrants; the message says why."""


@dataclass(frozen=True)
class Match:
    """A meeting: its number in the contest, from 1, its round, from 1, and who plays, in the order of seating 0."""

    number: int
    round: int
    players: tuple[str, ...]


@dataclass(frozen=True)
class Sitting:
    """How a table of a tournament begins: its level's stakes, stacks and positions, and the deck of every hand."""

    stakes: Stakes
    start: TableStart
    decks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TablePlan:
    """One table of a match: the ``number``-th of a seating, from 0, who sits in seats 1, 2, 3 ..., and how many hands.

    ``sitting`` is how a table of a tournament begins and for what, where ``players`` has "" for an empty seat.
    """

    match: int
    number: int
    seating: int
    players: tuple[str, ...]
    hands: int
    block_hands: int
    sitting: "Sitting | None" = None

    @property
    def seated(self) -> list[tuple[int, str]]:
        """Who sits where, by seat."""
        return [(seat, name) for seat, name in enumerate(self.players, 1) if name]

    @property
    def name(self) -> str:
        """The table's name, such as ``m3.t0.s1``: match, table, seating."""
        return f"m{self.match}.t{self.number}.s{self.seating}"

    def place_of(self, hand: int) -> tuple[int, int]:
        """The block in the match, from 0, and the hand in the block, from 1, of the table's nth hand, from 1."""
        block, before = divmod(hand - 1, self.block_hands)
        return self.number * (self.hands // self.block_hands) + block, before + 1


@dataclass(frozen=True)
class PlayedMatch:
    """A match that is over: what each of its players won a hand, in big blinds."""

    match: Match
    score: Mapping[str, float]

    @property
    def winner(self) -> str:
        """Who won more; of equals the one named first."""
        return max(self.match.players, key=lambda name: self.score[name])

    def points(self, name: str) -> float:
        """1 for a win, half for a draw."""
        others = max([self.score[other] for other in self.match.players if other != name])
        return 1.0 if self.score[name] > others else 0.5 if self.score[name] == others else 0.0


def seatings(players: tuple[str, ...], kind: str) -> list[tuple[str, ...]]:
    """The orders in which players take seats 1, 2, 3 ...: one, all rotations, or all permutations."""
    if kind == "single":
        return [players]
    if kind == "rotations":
        return [players[shift:] + players[:shift] for shift in range(len(players))]
    return list(permutations(players))


def tables_of(match: Match, schedule: ScheduleSettings) -> list[TablePlan]:
    """All tables of a match, seating after seating."""
    hands = schedule.hands_of_a_table
    return [
        TablePlan(match.number, number, seating, players, hands, schedule.block_hands)
        for seating, players in enumerate(seatings(match.players, schedule.seatings))
        for number in range(schedule.hands // hands)
    ]


def next_round(
    settings: ContestSettings,
    names: Sequence[str],
    played: Sequence[PlayedMatch],
    gone: Collection[str] = (),
) -> list[Match]:
    """The matches of the next round, empty when the contest is over.

    ``names`` are all entrants in the order of the contest file, ``gone`` those who take part no more; ``played`` is
    everything so far. Raises ScheduleError when no schedule can be made.
    """
    schedule = settings.schedule
    number = max([one.match.number for one in played], default=0) + 1
    round_number = max([one.match.round for one in played], default=0) + 1
    if schedule.rounds and round_number > schedule.rounds:
        return []
    left = [name for name in names if name not in gone]
    if len(left) < settings.game.seats:
        return []
    match schedule.format:
        case "round-robin":
            groups = [] if played else _round_robin(settings, left)
        case "swiss":
            groups = _swiss(left, played)
        case "knock-out":
            groups = _knock_out(names, played, gone)
        case "ladder":
            groups = _ladder(left, played, round_number)
        case "tournament":
            raise ScheduleError("who meets whom in a tournament follows from its hands")
    return [Match(number + place, round_number, players) for place, players in enumerate(groups)]


# --- round-robin ----------------------------------------------------------------------------------------


def _round_robin(settings: ContestSettings, names: Sequence[str]) -> list[tuple[str, ...]]:
    seats, wanted = settings.game.seats, settings.schedule.matches
    possible = comb(len(names), seats)
    if not wanted or wanted >= possible:
        if possible > MAX_MATCHES:
            raise ScheduleError(f"{possible} matches of {seats}; at most {MAX_MATCHES}: set schedule.matches")
        return list(combinations(names, seats))
    return _balanced(names, seats, wanted, Random(f"{settings.name}/tables"))


def _balanced(names: Sequence[str], seats: int, wanted: int, rng: Random) -> list[tuple[str, ...]]:
    """So many tables that everybody plays about as often, and meets everybody else about as often."""
    played = dict.fromkeys(names, 0)
    met = {frozenset(pair): 0 for pair in combinations(names, 2)}
    groups: list[tuple[str, ...]] = []
    for _ in range(wanted):
        group: list[str] = []
        while len(group) < seats:
            open_names = [name for name in names if name not in group]
            group.append(
                min(
                    open_names,
                    key=lambda name: (played[name], sum([met[frozenset((name, one))] for one in group]), rng.random()),
                )
            )
        for name in group:
            played[name] += 1
        for pair in combinations(group, 2):
            met[frozenset(pair)] += 1
        groups.append(tuple(sorted(group, key=list(names).index)))
    return groups


# --- Swiss ----------------------------------------------------------------------------------------------


def swiss_points(names: Sequence[str], played: Sequence[PlayedMatch]) -> dict[str, float]:
    """Points so far: 1 for a win and for a round without an opponent, half for a draw."""
    rounds = max([one.match.round for one in played], default=0)
    points = dict.fromkeys(names, float(rounds))
    for one in played:
        for name in one.match.players:
            if name in points:
                points[name] += one.points(name) - 1.0
    return points


def _swiss(names: Sequence[str], played: Sequence[PlayedMatch]) -> list[tuple[str, ...]]:
    points = swiss_points(names, played)
    won = {name: sum([one.score.get(name, 0.0) for one in played]) for name in names}
    order = sorted(names, key=lambda name: (-points[name], -won[name], names.index(name)))
    met = {frozenset(one.match.players) for one in played}
    if len(order) % 2:
        games = {name: sum([name in one.match.players for one in played]) for name in names}
        # Without an opponent is the last of those who have had one most often.
        order.remove(max(reversed(order), key=lambda name: games[name]))
    budget = [20_000]
    pairs = _paired(order, points, met, budget) or _paired(order, points, set(), [1 << 30])
    return pairs or []


def _paired(
    order: list[str], points: Mapping[str, float], met: set[frozenset[str]], budget: list[int]
) -> list[tuple[str, ...]] | None:
    """Pairs the first with somebody of about his points whom he has not met, the rest likewise; None if impossible."""
    if not order:
        return []
    budget[0] -= 1
    if budget[0] < 0:
        return None
    first, others = order[0], order[1:]
    group = [name for name in others if points[name] == points[first]]
    half = len(group) // 2
    for other in [*group[half:], *reversed(group[:half]), *[name for name in others if name not in group]]:
        if frozenset((first, other)) not in met:
            rest = _paired([name for name in others if name != other], points, met, budget)
            if rest is not None:
                return [(first, other), *rest]
    return None


# --- knock-out ------------------------------------------------------------------------------------------


def _knock_out(names: Sequence[str], played: Sequence[PlayedMatch], gone: Collection[str]) -> list[tuple[str, ...]]:
    places = _bracket(names)
    results = {frozenset(one.match.players): one for one in played}
    while len(places) > 1:
        pairs = [
            (None if one in gone else one, None if other in gone else other)
            for one, other in zip(places[::2], places[1::2], strict=True)
        ]
        to_play = [(one, other) for one, other in pairs if one and other and frozenset((one, other)) not in results]
        if to_play:
            return list(to_play)
        places = [results[frozenset((one, other))].winner if one and other else one or other for one, other in pairs]
    return []


def _bracket(names: Sequence[str]) -> list[str | None]:
    """Entrants in the order of the bracket: the first two can meet in the final only; None is nobody."""
    order = [0]
    while len(order) < len(names):
        order = [place for one in order for place in (one, 2 * len(order) - 1 - one)]
    return [names[place] if place < len(names) else None for place in order]


# --- ladder ---------------------------------------------------------------------------------------------


def ladder_order(names: Sequence[str], played: Sequence[PlayedMatch]) -> list[str]:
    """The rungs, the highest first: who beats the one above takes his place."""
    order = list(names)
    for one in sorted(played, key=lambda each: each.match.number):
        upper, lower = one.match.players
        if upper in order and lower in order and one.score[lower] > one.score[upper]:
            high, low = order.index(upper), order.index(lower)
            if high < low:
                order[high], order[low] = order[low], order[high]
    return order


def _ladder(names: Sequence[str], played: Sequence[PlayedMatch], round_number: int) -> list[tuple[str, ...]]:
    order = ladder_order(names, played)
    start = (round_number + 1) % 2
    return [(order[place], order[place + 1]) for place in range(start, len(order) - 1, 2)]
