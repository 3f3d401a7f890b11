"""A tournament as a value: what each table plays next, and what it is after that (TOUR).

Tables play in rounds: each plays its next hand, then players are moved. So nothing depends on which table is faster,
and a hand is "the same hand" at every table (TOUR-2), as in play hand for hand.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from referee.contest.tournament.levels import Structure, check_structure
from referee.contest.tournament.standings import Elimination, Place, finishing_order
from referee.contest.tournament.tables import Move, TournamentTable, balanced, draw_seats
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import SEED_BYTES
from referee.rules.ruleset import MAX_CHIPS, MIN_SEATS, Limit, RuleSet, RuleSetError
from referee.rules.setup import HandSetup, check_setup
from referee.table.positions import Positions
from referee.table.seating import Standing, begin, first_players

MAX_ENTRANTS: Final = 1_000
MAX_NAME: Final = 64


@dataclass(frozen=True)
class TournamentConfig:
    """What a tournament plays; chips in whole chips. ``seed``, 32 bytes, decides seats, buttons and cards."""

    name: str
    rule_set: RuleSet
    limit: Limit
    structure: Structure
    starting_stack: int
    seats_a_table: int
    seed: bytes
    chip_unit: int = 1


@dataclass(frozen=True)
class Tournament:
    """A tournament between two rounds: chips of those who are in, their tables, and who is out."""

    config: TournamentConfig
    stacks: Mapping[str, int]
    tables: tuple[TournamentTable, ...]
    rounds: int = 0
    eliminations: tuple[Elimination, ...] = ()
    moves: tuple[Move, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether one player has all the chips."""
        return len(self.stacks) <= 1

    def places(self, gone: Collection[str] = ()) -> list[Place]:
        """The order so far, best first (TOUR-2), without those who are ``gone``; who is in is ranked by his chips."""
        out = [one for one in self.eliminations if one.entrant not in gone]
        return finishing_order(out, tuple([one for one in self.stacks.items() if one[0] not in gone]))


@dataclass(frozen=True)
class TableHand:
    """A hand that is to be played: at which table, its setup, and who sits where."""

    table: int
    setup: HandSetup
    entrants: Mapping[int, str]
    positions: Positions


def begin_tournament(config: TournamentConfig, entrants: tuple[str, ...]) -> Tournament:
    """A tournament before its first hand, seats drawn. Raises RuleSetError when it cannot be played."""
    if not MIN_SEATS <= len(entrants) <= MAX_ENTRANTS or len(set(entrants)) != len(entrants):
        raise RuleSetError("TOUR-2", f"{len(entrants)} entrants; {MIN_SEATS} to {MAX_ENTRANTS} different ones play")
    if not MIN_SEATS <= config.seats_a_table <= config.rule_set.max_seats():
        most = config.rule_set.max_seats()
        raise RuleSetError("GAME-4", f"{config.seats_a_table} seats a table; 2 to {most} can be dealt in")
    if config.starting_stack < 1 or config.starting_stack % config.chip_unit:
        raise RuleSetError("BET-8", f"a starting stack of {config.starting_stack}; a multiple of {config.chip_unit}")
    if config.starting_stack * len(entrants) > MAX_CHIPS:
        raise RuleSetError("POT-7", f"all stacks together pass {MAX_CHIPS} chips")
    if not 1 <= len(config.name) <= MAX_NAME or len(config.seed) != SEED_BYTES:
        raise RuleSetError("TOUR-1", f"a name of 1 to {MAX_NAME} letters and a seed of {SEED_BYTES} bytes are expected")
    check_structure(config.structure, config.rule_set, config.limit, config.chip_unit)
    tables = draw_seats(entrants, config.seats_a_table, config.seed)
    return Tournament(config, dict.fromkeys(entrants, config.starting_stack), tables)


def next_hands(tournament: Tournament, elapsed_ms: int = 0) -> tuple[TableHand, ...]:
    """What each table plays next; ``elapsed_ms`` since the start decides the level where it has a length in minutes.

    A new level starts with the next hand (TOUR-1). A table at which one player waits for others plays none.
    """
    if tournament.is_over:
        return ()
    return tuple(
        [_table_hand(tournament, table, elapsed_ms) for table in tournament.tables if len(table.seats) >= MIN_SEATS]
    )


def after_hands(tournament: Tournament, played: Mapping[int, tuple[TableHand, Mapping[int, int]]]) -> Tournament:
    """The tournament after a round: by table, the hand that was played and the chips of its seats after it.

    Raises AssertionError when chips appear or vanish (POT-7).
    """
    stacks = dict(tournament.stacks)
    eliminated: list[Elimination] = []
    tables: list[TournamentTable] = []
    for table in tournament.tables:
        if table.number not in played:
            tables.append(table)
            continue
        hand, after = played[table.number]
        for seat, stack in zip(hand.setup.seats, hand.setup.stacks, strict=True):
            entrant = hand.entrants[seat]
            stacks[entrant] = after[seat]
            if not after[seat]:
                eliminated.append(Elimination(entrant, tournament.rounds + 1, stack))
                del stacks[entrant]
        left = table.without([one.entrant for one in eliminated])
        tables.append(replace(left, positions=hand.positions))
    assert sum(stacks.values()) == sum(tournament.stacks.values()), "chips are conserved (POT-7)"
    room, moves = balanced(tables, tournament.config.seats_a_table)
    out = (*tournament.eliminations, *eliminated)
    return replace(tournament, stacks=stacks, tables=room, rounds=tournament.rounds + 1, eliminations=out, moves=moves)


def withdrawn(tournament: Tournament, entrants: Collection[str]) -> Tournament:
    """The tournament between two rounds without these: their chips are taken out of play."""
    stacks = {name: stack for name, stack in tournament.stacks.items() if name not in entrants}
    tables = [table.without(entrants) for table in tournament.tables]
    room, moves = balanced(tables, tournament.config.seats_a_table)
    return replace(tournament, stacks=stacks, tables=room, moves=moves)


def table_decks(config: TournamentConfig, table: int) -> FairDecks:
    """The decks of a table, from which its first button is drawn too: each has its own, from the tournament's seed."""
    return FairDecks(f"{config.name}-{table}", sha256(config.seed + b"%d" % table).digest())


def _table_hand(tournament: Tournament, table: TournamentTable, elapsed_ms: int) -> TableHand:
    config = tournament.config
    most = sum(tournament.stacks.values()) // config.chip_unit * config.chip_unit
    number = config.structure.number_at(tournament.rounds, elapsed_ms)
    stakes = config.structure.level(number, most).stakes(config.chip_unit)
    standings = tuple([Standing(seat) for seat in sorted(table.seats)])
    beginners = first_players(table.positions, standings)
    decks = table_decks(config, table.number)
    button = decks.first_button(beginners) if beginners else 0
    positions = begin(config.rule_set.button_rule, stakes, table.positions, standings, button).positions
    setup = HandSetup(
        config.rule_set,
        config.limit,
        stakes,
        positions.dealt_in,
        tuple([tournament.stacks[table.seats[seat]] for seat in positions.dealt_in]),
        positions.button,
        positions.small_blind,
        positions.big_blind,
        decks.deck(0, tournament.rounds + 1),
        hand_id=f"{config.name}-{table.number}-{tournament.rounds + 1}",
    )
    check_setup(setup)
    return TableHand(table.number, setup, dict(table.seats), positions)
