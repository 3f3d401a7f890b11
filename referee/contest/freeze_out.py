"""A tournament as a contest: from the hands that were played to the tables that are played next.

Each stage is a round of the contest with a match of one seating at each of the tournament's tables. While there are
several tables a stage is one hand, then players are moved; the last table plays on to the end of its level. All follows
from settings, seed and the hands that are kept, and, where levels last minutes, from when each stage began, which is
kept too: so a runner finds it again after anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.contest.level_clock import LevelClock
from referee.contest.results import HandResult
from referee.contest.schedule import Match, Sitting, StageTime, TablePlan
from referee.contest.settings import ContestSettings
from referee.contest.store import ContestStore
from referee.contest.tournament.levels import MINUTE_MS, LengthUnit
from referee.contest.tournament.tables import TournamentTable
from referee.contest.tournament.tournament import (
    TableHand,
    Tournament,
    TournamentConfig,
    after_hands,
    begin_tournament,
    next_hands,
    table_decks,
    withdrawn,
)
from referee.table.seating import Standing, first_players
from referee.table.start import TableStart

MAX_HANDS: Final = 1_000
"""So many hands of a level at most are played at one table of the server."""


class FreezeOutError(ValueError):
    """Hands that are not those of the tournament; the message says which, and what is wrong."""


@dataclass(frozen=True)
class Stage:
    """What is played before players are moved again: so many hands at each of these tables."""

    hands: int
    tables: tuple[TableHand, ...]


@dataclass
class FreezeOut:
    """A tournament that takes the stages as they are played. ``withdrawals`` are entrants by the stage, from 1, before
    which their chips leave it; ``times`` say when each stage begins, where levels last minutes.
    """

    settings: ContestSettings
    tournament: Tournament
    withdrawals: Mapping[str, int] = field(default_factory=dict)
    times: Mapping[int, StageTime] = field(default_factory=dict)
    stages: int = 0
    last_match: int = 0
    taken_out: int = 0

    @classmethod
    def begin(
        cls,
        settings: ContestSettings,
        seed: bytes,
        entrants: Sequence[str],
        withdrawals: Mapping[str, int],
        times: Mapping[int, StageTime] | None = None,
    ) -> "FreezeOut":
        """Before the first hand. Raises RuleSetError when it cannot be played."""
        begun = begin_tournament(tournament_config(settings, seed), tuple(entrants))
        freeze_out = cls(settings, begun, withdrawals, times or {})
        freeze_out.withdraw()
        return freeze_out

    @property
    def time(self) -> StageTime:
        """When the next stage begins."""
        return self.times.get(self.stages + 1, StageTime())

    def next_stage(self) -> Stage:
        """What is played next; no tables when it is over. A level of minutes is ended by the table's own clock."""
        one, levels = self.tournament, self.tournament.config.structure
        hands = 1
        if len(one.tables) == 1:
            level = levels.number_at(one.rounds, self.time.elapsed_ms)
            while hands < MAX_HANDS and levels.number_at(one.rounds + hands, self.time.elapsed_ms) == level:
                hands += 1
        return Stage(hands, next_hands(one, self.time.elapsed_ms))

    def matches(self) -> list[Match]:
        """The matches of the next stage, one at each table."""
        return [
            Match(self.last_match + place, self.stages + 1, tuple([name for _, name in sorted(hand.entrants.items())]))
            for place, hand in enumerate(self.next_stage().tables, 1)
        ]

    def plan(self, match: Match) -> TablePlan:
        """The table of a match of the next stage."""
        stage = self.next_stage()
        hand = stage.tables[match.number - self.last_match - 1]
        table = next(one for one in self.tournament.tables if one.number == hand.table)
        seats = range(1, self.settings.game.seats + 1)
        decks = table_decks(self.tournament.config, hand.table)
        first = self.tournament.rounds + 1
        return TablePlan(
            match.number,
            0,
            0,
            tuple([table.seats.get(seat, "") for seat in seats]),
            stage.hands,
            stage.hands,
            Sitting(
                hand.setup.stakes,
                _start(self.tournament, table, hand, seats),
                tuple([decks.deck(0, number) for number in range(first, first + stage.hands)]),
                self.time.until_unix_ms if stage.hands > 1 else 0,
            ),
        )

    def take(self, matches: Sequence[Match], results: Iterable[HandResult]) -> None:
        """Takes a stage that was played. Raises FreezeOutError for hands that do not fit in."""
        stage = self.next_stage()
        if self.matches() != list(matches):
            raise FreezeOutError(f"round {self.stages + 1}: other tables than those of the tournament were played")
        found = {(one.match, one.hand): one for one in results}
        tables = {hand.table: match.number for hand, match in zip(stage.tables, matches, strict=True)}
        for number in range(1, stage.hands + 1):
            played = {}
            for hand in next_hands(self.tournament, self.time.elapsed_ms):
                one = found.get((tables[hand.table], number))
                if one is not None:  # a table that was closed has fewer
                    played[hand.table] = (hand, _chips_after(hand, one))
            if not played:
                break
            self.tournament = after_hands(self.tournament, played)
        self.stages += 1
        self.last_match += len(matches)
        self.withdraw()

    def withdraw(self) -> None:
        """Takes those who leave before the next stage out of it, with their chips; repeating it changes nothing."""
        gone = {name for name, stage in self.withdrawals.items() if stage == self.stages + 1}
        if gone & self.tournament.stacks.keys():
            self.taken_out += sum([self.tournament.stacks.get(name, 0) for name in gone])
            self.tournament = withdrawn(self.tournament, gone)


def tournament_config(settings: ContestSettings, seed: bytes) -> TournamentConfig:
    """What a contest's tournament plays."""
    game = settings.game
    structure = settings.levels_and_payouts.levels_from(game.big_blind)
    return TournamentConfig(
        settings.name, game.rules(), game.limit, structure, game.stack, game.seats, seed, game.chip_unit
    )


def played_tournament(
    settings: ContestSettings,
    seed: bytes,
    entrants: Sequence[str],
    matches: Sequence[Match],
    results: Sequence[HandResult],
    withdrawals: Mapping[str, int],
    times: Mapping[int, StageTime],
) -> FreezeOut:
    """The tournament after every stage of which all tables have been played, or some have; see :class:`FreezeOut`."""
    freeze_out = FreezeOut.begin(settings, seed, entrants, withdrawals, times)
    by_match: dict[int, list[HandResult]] = {}
    for one in results:
        by_match.setdefault(one.match, []).append(one)
    for stage in sorted({match.round for match in matches}):
        own = [match for match in matches if match.round == stage]
        freeze_out.take(own, [one for match in own for one in by_match.get(match.number, [])])
    return freeze_out


class StoredFreezeOut:
    """The tournament of a contest's store, for its runner. ``clock`` is that of the levels."""

    def __init__(self, store: ContestStore, clock: LevelClock) -> None:
        self._store = store
        self._clock = clock
        self._freeze_out: FreezeOut | None = None

    def next_round(self) -> list[Match]:
        """Adds the next stage to the store and returns its matches; none when the tournament is over.

        Who is disqualified by now leaves it first. Raises FreezeOutError, and RuleSetError when it cannot be played.
        """
        played = [match for match, _ in self._store.matches()]
        number = max([match.round for match in played], default=0) + 1
        self._store.withdraw(self._store.disqualified(), number)
        one = self._before(number)
        self._begin_stage(one)
        matches = one.matches()
        self._store.add_round(matches, [one.plan(match) for match in matches])
        return matches

    def _begin_stage(self, one: FreezeOut) -> None:
        """Notes when the next stage begins, where levels last minutes: what it plays follows from that (TOUR-1)."""
        structure = one.tournament.config.structure
        if structure.unit is LengthUnit.MINUTES and not one.tournament.is_over:
            elapsed_ms = self._clock.elapsed_ms()
            left_ms = structure.end_of(structure.number_at(0, elapsed_ms)) * MINUTE_MS - elapsed_ms
            self._store.set_stage_time(one.stages + 1, StageTime(elapsed_ms, self._clock.now_ms() + left_ms))
            one.times = self._store.stage_times()

    def table_of(self, match: Match) -> TablePlan:
        """The table of a match of the stage under way."""
        return self._before(match.round).plan(match)

    def _before(self, stage: int) -> FreezeOut:
        """The tournament before a stage."""
        one = self._freeze_out
        if one is None:
            one = FreezeOut.begin(
                self._store.settings, self._store.seed, self._store.entrants(), self._store.withdrawals()
            )
            self._freeze_out = one
        one.withdrawals, one.times = self._store.withdrawals(), self._store.stage_times()
        matches = [match for match, _ in self._store.matches()]
        if one.stages + 1 < stage:
            results = self._store.results(one.last_match)
            while one.stages + 1 < stage:
                one.take([match for match in matches if match.round == one.stages + 1], results)
        one.withdraw()
        return one


def _start(tournament: Tournament, table: TournamentTable, hand: TableHand, seats: range) -> TableStart:
    stacks = tuple([tournament.stacks[table.seats[seat]] if seat in table.seats else 0 for seat in seats])
    beginners = first_players(table.positions, tuple([Standing(seat) for seat in sorted(table.seats)]))
    return TableStart(stacks, table.positions, hand.positions.button if beginners else 0)


def _chips_after(hand: TableHand, one: HandResult) -> dict[int, int]:
    """The chips of each seat after a hand. Raises FreezeOutError unless it is this hand and chips are conserved."""
    names = tuple([hand.entrants[seat] for seat in hand.setup.seats])
    if one.names != names:
        raise FreezeOutError(f"{one.name} was dealt to {', '.join(one.names)}, not to {', '.join(names)}")
    after = [stack + net for stack, net in zip(hand.setup.stacks, one.nets, strict=True)]
    if sum(one.nets) or min(after) < 0:
        raise FreezeOutError(f"{one.name}: chips appeared or vanished (POT-7)")
    return dict(zip(hand.setup.seats, after, strict=True))
