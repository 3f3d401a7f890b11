"""Who meets whom, at which tables, in which seats: pure functions from settings and what has been played.

A *match* is a meeting of as many entrants as a table has seats. It is played at *tables*, each of some deal *blocks*;
each table is played once for every *seating* of the match.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, permutations
from math import comb
from random import Random
from typing import NamedTuple

from referee.contest.settings import MAX_MATCHES, ContestSettings, ScheduleSettings
from referee.rules.ruleset import Stakes
from referee.table.start import TableStart


class ScheduleError(ValueError):
    """A schedule that cannot be made of these entrants; the message says why."""


@dataclass(frozen=True)
class Match:
    """A meeting: its number in the contest and its round, both from 1, and who plays; heads-up in seating 0's order."""

    number: int
    round: int
    players: tuple[str, ...]


class StageTime(NamedTuple):
    """When a stage of a tournament begins, by the clock of its levels; at ``until_unix_ms`` its level is over."""

    elapsed_ms: int = 0
    until_unix_ms: int = 0


@dataclass(frozen=True)
class Sitting:
    """How a table of a tournament begins: its level's stakes, stacks and positions, and the deck of every hand.

    From ``until_unix_ms`` on no hand begins, 0 for never.
    """

    stakes: Stakes
    start: TableStart
    decks: tuple[tuple[int, ...], ...]
    until_unix_ms: int = 0


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
    orders = [_order(match, number) for number in range(schedule.hands // hands)]
    of_tables = [seatings(order, schedule.seatings) for order in orders]
    return [
        TablePlan(match.number, number, seating, of_table[seating], hands, schedule.block_hands)
        for seating in range(len(of_tables[0]))
        for number, of_table in enumerate(of_tables)
    ]


def _order(match: Match, number: int) -> tuple[str, ...]:
    """The order of seating 0 at a table of the match, by its number.

    Rotations leave everybody the same neighbours. So of three or more they are drawn for each table, or one of them
    would act behind the weakest all the time.
    """
    if len(match.players) == 2:
        return match.players
    rng = Random(f"{match.number}/{number}/seats")
    drawn = {name: rng.random() for name in match.players}
    return tuple(sorted(match.players, key=lambda name: drawn[name]))


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
            groups, _ = _knock_out(names, played, gone)
        case "ladder":
            groups = _ladder(left, played, round_number)
        case "tournament":
            raise ScheduleError("who meets whom in a tournament follows from its hands")
    return [Match(number + place, round_number, players) for place, players in enumerate(groups)]


@dataclass(frozen=True)
class Placed:
    """Where an entrant came in by the format itself, ties at the same place; ``points`` are those of a Swiss."""

    place: int
    name: str
    points: float | None = None


def outcome(
    settings: ContestSettings, names: Sequence[str], played: Sequence[PlayedMatch], gone: Collection[str] = ()
) -> list[Placed]:
    """The order that a format makes when all is played, best first; a round-robin has none beside its rates.

    Arguments as of :func:`next_round`.
    """
    left = [name for name in names if name not in gone]
    match settings.schedule.format:
        case "swiss":
            points = swiss_points(left, played)
            return [Placed(at, name, points[name]) for at, name in enumerate(swiss_order(left, played), 1)]
        case "knock-out":
            to_play, out = _knock_out(names, played, gone)
            if to_play:  # it was told to finish before its final
                return []
            ranked = [[name for name in group if name not in gone] for group in reversed(out)]
            befores = accumulate([len(group) for group in ranked], initial=0)
            return [Placed(1 + before, name) for before, group in zip(befores, ranked, strict=False) for name in group]
        case "ladder":
            return [Placed(at, name) for at, name in enumerate(ladder_order(left, played), 1)]
        case _:
            return []


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


def swiss_order(names: Sequence[str], played: Sequence[PlayedMatch]) -> list[str]:
    """The best first: by points, then by what was won in all matches, then as named."""
    points = swiss_points(names, played)
    won = {name: sum([one.score.get(name, 0.0) for one in played]) for name in names}
    return sorted(names, key=lambda name: (-points[name], -won[name], names.index(name)))


def _swiss(names: Sequence[str], played: Sequence[PlayedMatch]) -> list[tuple[str, ...]]:
    points, order = swiss_points(names, played), swiss_order(names, played)
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


def _knock_out(
    names: Sequence[str], played: Sequence[PlayedMatch], gone: Collection[str]
) -> tuple[list[tuple[str, ...]], list[list[str]]]:
    """The matches to be played next, and who went out in each round so far; when none is left, at last the winner."""
    places = _bracket(names)
    results = {frozenset(one.match.players): one for one in played}
    out: list[list[str]] = []
    while len(places) > 1:
        pairs = [
            (None if one in gone else one, None if other in gone else other)
            for one, other in zip(places[::2], places[1::2], strict=True)
        ]
        to_play = [(one, other) for one, other in pairs if one and other and frozenset((one, other)) not in results]
        if to_play:
            return list(to_play), out
        places = [results[frozenset((one, other))].winner if one and other else one or other for one, other in pairs]
        out.append([name for pair in pairs for name in pair if name and name not in places])
    return [], [*out, [name for name in places if name]]


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
    # Two have one pair only, and meet in every round.
    start = (round_number + 1) % 2 if len(order) > 2 else 0
    return [(order[place], order[place + 1]) for place in range(start, len(order) - 1, 2)]
