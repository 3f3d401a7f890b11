"""A contest as one file: ``contest.toml``, versioned, hashed, and refused with what is wrong and where."""

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from enum import IntEnum
from math import comb
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from referee.contest.toml_lines import KeyPath, key_lines, line_of, path_text
from referee.contest.tournament.levels import (
    MAX_LEVELS,
    LengthUnit,
    Level,
    Structure,
    check_structure,
    escalator,
    standard,
)
from referee.contest.tournament.standings import BASIS_POINTS
from referee.kozel.ruleset import RULE_SETS as KOZEL_RULE_SETS
from referee.kozel.ruleset import RuleSet as KozelRuleSet
from referee.kozel.ruleset import find_rule_set as find_kozel_rule_set
from referee.rules import ruleset
from referee.rules.ruleset import Limit, RuleSet, RuleSetError, Stakes, check_rule_set, find_rule_set
from referee.rules.setup import HandSetup, check_setup
from referee.table.positions import first_positions

FORMAT: Final = "referee-contest/1"
MAX_FILE_BYTES: Final = 1 << 20
MAX_ENTRANTS: Final = 256
MAX_MATCHES: Final = 10_000
MAX_NAME_LETTERS: Final = 40
MAX_LEVEL_MINUTES: Final = 10_000

Milliseconds = Annotated[int, Field(ge=0, le=86_400_000)]
Chips = Annotated[int, Field(ge=0, le=ruleset.MAX_CHIPS)]
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a contest file: its key path, its line (0: nowhere in particular), and what."""

    key: str
    line: int
    what: str


class ContestFileError(ValueError):
    """A contest file that cannot be played; carries every fault that was found."""

    def __init__(self, source: str, faults: list[Fault]) -> None:
        super().__init__("\n".join([_worded(source, fault) for fault in faults]))
        self.source = source
        self.faults = faults


def _worded(source: str, fault: Fault) -> str:
    where = f"{source}:{fault.line}" if fault.line else source
    return f"{where}: {fault.key}: {fault.what}" if fault.key else f"{where}: {fault.what}"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class OwnGame(_Part):
    """A game of the organiser's own as data (GAME-3), with the options of a rule set, by their names in lower case."""

    name: str = Field(min_length=1, max_length=80)
    version: int = Field(default=1, ge=1)
    hole_cards: int = Field(ge=1, le=10)
    discards: int = Field(default=0, ge=0, le=9)
    discard_point: str = "never"
    discard_visibility: str = "hidden"
    showdown_order: str = "walk-back"
    all_in_exposure: str = "ordered"
    button_rule: str = "moving"
    open_fold: str = "refuse"
    cap_heads_up: str = "capped"
    max_raises: int = 3
    discard_timeout: str = "auto"
    hide_discard_progress: bool = False
    late_minimum: str = "big-blind"

    def rule_set(self) -> RuleSet:
        """The rule set; raises RuleSetError for options that do not exist or do not go together."""
        game = ruleset.Game(
            self.hole_cards,
            self.discards,
            _option(ruleset.DiscardPoint, self.discard_point, "discard_point"),
            _option(ruleset.DiscardVisibility, self.discard_visibility, "discard_visibility"),
        )
        late = _option(ruleset.LateMinimum, self.late_minimum, "late_minimum")
        limits = (Limit.NO_LIMIT, Limit.POT_LIMIT, Limit.FIXED_LIMIT)
        made = RuleSet(
            self.name,
            self.version,
            game,
            limits[:2] if late == ruleset.LateMinimum.BIG_BET else limits,
            _option(ruleset.ShowdownOrder, self.showdown_order, "showdown_order"),
            _option(ruleset.AllInExposure, self.all_in_exposure, "all_in_exposure"),
            _option(ruleset.ButtonRule, self.button_rule, "button_rule"),
            _option(ruleset.OpenFold, self.open_fold, "open_fold"),
            _option(ruleset.CapHeadsUp, self.cap_heads_up, "cap_heads_up"),
            self.max_raises,
            _option(ruleset.DiscardTimeout, self.discard_timeout, "discard_timeout"),
            self.hide_discard_progress,
            late_minimum=late,
        )
        check_rule_set(made)
        return made


_Kind = TypeVar("_Kind", bound=IntEnum)


def _option(kind: type[_Kind], written: str, name: str) -> _Kind:
    try:
        return kind[written.replace("-", "_").upper()]
    except KeyError:
        known = ", ".join([option.name.lower().replace("_", "-") for option in kind])
        raise RuleSetError("GAME-3", f"{name} is one of {known}, not {written!r}") from None


KOZEL: Final = "kozel/"
"""How the names of Kozel's published rule sets begin."""

_OF_POKER: Final = (
    "structure",
    "small_blind",
    "big_blind",
    "small_bet",
    "big_bet",
    "ante",
    "ante_kind",
    "chip_unit",
    "stack",
    "reset_stacks",
)
"""Keys of a game that say nothing of Kozel."""


class GameSettings(_Part):
    """What is played; of poker for which stakes, with how many chips, too: its blinds and stack have no default."""

    rule_set: str | OwnGame = "irish/full-tilt@1"
    structure: Literal["no-limit", "pot-limit", "fixed-limit"] = "no-limit"
    seats: int = Field(default=2, ge=2, le=ruleset.MAX_SEATS)
    small_blind: Chips = 0
    big_blind: Chips = 0
    small_bet: Chips = 0
    big_bet: Chips = 0
    ante: Chips = 0
    ante_kind: Literal["none", "each", "big-blind"] = "none"
    chip_unit: Annotated[int, Field(ge=1)] = 1
    stack: Chips = 0
    reset_stacks: bool = True

    @property
    def is_kozel(self) -> bool:
        """Whether Kozel is played."""
        return isinstance(self.rule_set, str) and self.rule_set.startswith(KOZEL)

    def kozel_rules(self) -> KozelRuleSet:
        """The rule set of Kozel; raises RuleSetError for one that does not exist."""
        try:
            return find_kozel_rule_set(str(self.rule_set))
        except KeyError:
            known = ", ".join([one.full_name for one in KOZEL_RULE_SETS])
            raise RuleSetError("KOZ-1", f"there is no rule set {self.rule_set!r}; there are {known}") from None

    @property
    def unit(self) -> int:
        """What results are told in: big blinds; in Kozel points of rating."""
        return 1 if self.is_kozel else self.big_blind

    @field_validator("rule_set", mode="before")
    @classmethod
    def _own_game(cls, given: Any) -> Any:
        return OwnGame(**given) if isinstance(given, dict) else given

    def rules(self) -> RuleSet:
        """The rule set; raises RuleSetError for one that does not exist."""
        if isinstance(self.rule_set, OwnGame):
            return self.rule_set.rule_set()
        try:
            return find_rule_set(self.rule_set)
        except KeyError:
            known = ", ".join([one.full_name for one in ruleset.RULE_SETS])
            raise RuleSetError("GAME-3", f"there is no rule set {self.rule_set!r}; there are {known}") from None

    @property
    def limit(self) -> Limit:
        """The betting structure."""
        return Limit[self.structure.replace("-", "_").upper()]

    def stakes(self) -> Stakes:
        """The stakes."""
        return Stakes(
            self.small_blind,
            self.big_blind,
            self.small_bet,
            self.big_bet,
            _ante_kind(self.ante_kind),
            self.ante,
            self.chip_unit,
        )


class ScheduleSettings(_Part):
    """Who meets whom, how often, and on which cards.

    ``hands`` are those of one match in one seating. They are dealt at tables of ``table_hands`` each, which are played
    beside one another, in blocks of ``block_hands``: the block is the unit of statistics, and every seating of a block
    has the same decks. Left out, a table has one block. ``matches`` above 0 draws so many tables from all that could be
    made of the entrants; 0 plays them all. A ladder of 0 ``rounds`` runs on until it is told to finish. A tournament
    needs none of these: it is played to the last chip.
    """

    format: Literal["round-robin", "swiss", "knock-out", "ladder", "tournament"] = "round-robin"
    seatings: Literal["single", "rotations", "permutations"] = "rotations"
    hands: int = Field(default=0, ge=0, le=10_000_000)
    block_hands: int = Field(default=10, ge=1, le=100_000)
    table_hands: int = Field(default=0, ge=0, le=1_000_000)
    rounds: int = Field(default=0, ge=0, le=1_000)
    matches: int = Field(default=0, ge=0, le=10_000)

    @property
    def hands_of_a_table(self) -> int:
        """Hands of one table."""
        return self.table_hands or self.block_hands


class LevelSettings(_Part):
    """A level of a tournament (TOUR-1): blinds and ante in chips, and its length, in hands or in minutes."""

    small_blind: Chips
    big_blind: Annotated[int, Field(ge=1, le=ruleset.MAX_CHIPS)]
    hands: int = Field(default=0, ge=0, le=1_000_000)
    minutes: int = Field(default=0, ge=0, le=MAX_LEVEL_MINUTES)
    ante: Chips = 0
    ante_kind: Literal["none", "each", "big-blind"] = "none"

    def level(self) -> Level:
        """The level."""
        length = self.hands or self.minutes
        return Level(self.small_blind, self.big_blind, length, _ante_kind(self.ante_kind), self.ante)


class TournamentSettings(_Part):
    """Levels and payouts of a freeze-out tournament (TOUR); blinds begin as the game's.

    ``structure`` makes ``level_count`` levels of ``level_hands`` hands, or of ``level_minutes`` where these are given,
    the first one for the escalator, with antes of ``ante_kind``; or they are listed in ``levels``. The ``prize_pool``,
    in whole units of anything, is shared by places in basis points, ``shares``, the winner's first; left out, about one
    entrant in seven is paid.
    """

    structure: Literal["standard", "escalator", "levels"] = "standard"
    level_hands: int = Field(default=20, ge=1, le=100_000)
    level_minutes: int = Field(default=0, ge=0, le=MAX_LEVEL_MINUTES)
    level_count: int = Field(default=21, ge=1, le=MAX_LEVELS)
    ante_kind: Literal["none", "each", "big-blind"] = "none"
    levels: list[LevelSettings] = Field(default=[], max_length=MAX_LEVELS)
    prize_pool: int = Field(default=0, ge=0, le=ruleset.MAX_CHIPS)
    shares: list[Annotated[int, Field(ge=0, le=BASIS_POINTS)]] = Field(default=[], max_length=MAX_ENTRANTS)

    @property
    def unit(self) -> LengthUnit:
        """What the length of a level counts."""
        has_minutes = self.level_minutes or any([one.minutes for one in self.levels])
        return LengthUnit.MINUTES if has_minutes else LengthUnit.HANDS

    def levels_from(self, big_blind: int) -> Structure:
        """The levels, of which the first has this big blind; raises RuleSetError for levels that cannot be made."""
        if self.structure == "levels":
            return Structure("levels", self.unit, tuple([one.level() for one in self.levels]))
        make = standard if self.structure == "standard" else escalator
        length = self.level_minutes or self.level_hands
        return make(big_blind, length, self.unit, self.level_count, _ante_kind(self.ante_kind))


def _ante_kind(written: str) -> ruleset.AnteKind:
    return ruleset.AnteKind[written.replace("-", "_").upper()]


class ClockSettings(_Part):
    """The time of decisions (TIME-1), and how long a match waits for its players before its clocks run.

    ``reconnect_grace_ms`` is what a seat may be without a connection at a table before its clock runs.
    """

    action_ms: Annotated[int, Field(ge=1, le=86_400_000)] = 5_000
    bank_ms: Milliseconds = 0
    increment_ms: Milliseconds = 0
    latency_allowance_ms: Annotated[int, Field(ge=0, le=60_000)] = 0
    reconnect_grace_ms: Milliseconds = 10_000
    ready_ms: Annotated[int, Field(ge=1_000, le=3_600_000)] = 60_000


class FaultSettings(_Part):
    """What refused, late and failing bots bring on themselves (TIME-4).

    After ``max_faults`` refused or late decisions at a table, and after each further one, the ``policy`` applies there:
    nothing; the hand is forfeited; or, heads-up, the table is. Every hand that this leaves unplayed costs who forfeited
    ``unplayed_hand_chips``, 0 for a big blind. (Sitting out is no policy for contests: whoever sits out would pay
    nothing for the hands that he misses.) A program that ended is started again ``restarts`` times in a match.
    """

    policy: Literal["nothing", "forfeit-hand", "forfeit-match"] = "nothing"
    max_faults: int = Field(default=0, ge=0, le=1_000_000)
    unplayed_hand_chips: int = Field(default=0, ge=0, le=ruleset.MAX_CHIPS)
    restarts: int = Field(default=20, ge=0, le=10_000)


class ScoringSettings(_Part):
    """How results are reckoned."""

    confidence: float = Field(default=0.95, gt=0.5, lt=1.0)
    resamples: int = Field(default=2_000, ge=200, le=100_000)


class RunSettings(_Part):
    """How many matches are played beside one another; 0 means as many as there are processors."""

    parallel_matches: int = Field(default=0, ge=0, le=256)


class EntrantSettings(_Part):
    """Who takes part: a practice ``bot`` by its name, a program by its ``command``, or, without either, who dials in.

    ``seed`` is a practice bot's. A program runs in ``folder`` (beside the contest file) with ``environment`` beside the
    runner's own, and may have ``memory_mb`` of address space and ``cpu_seconds`` of processor time for each match.
    With the ``network`` "none" it reaches the referee over a Unix socket, and nobody else.
    """

    name: str = Field(min_length=1, max_length=MAX_NAME_LETTERS)
    bot: str = ""
    seed: int = 0
    command: list[str] = Field(default=[], max_length=100)
    folder: str = ""
    environment: dict[str, str] = {}
    memory_mb: int = Field(default=0, ge=0, le=1 << 20)
    cpu_seconds: int = Field(default=0, ge=0, le=10_000_000)
    network: Literal["shared", "none"] = "shared"

    @property
    def dials_in(self) -> bool:
        """Whether the entrant comes by himself with the token of his registration."""
        return not self.bot and not self.command


class ContestSettings(_Part):
    """All settings of a contest. While ``registration`` is open, others than those of the file may enter."""

    format: Literal["referee-contest/1"]
    name: str = Field(min_length=1, max_length=MAX_NAME_LETTERS)
    title: str = Field(default="", max_length=200)
    registration: Literal["closed", "open"] = "closed"
    game: GameSettings
    schedule: ScheduleSettings
    tournament: TournamentSettings | None = None
    clock: ClockSettings = ClockSettings()
    faults: FaultSettings = FaultSettings()
    scoring: ScoringSettings = ScoringSettings()
    run: RunSettings = RunSettings()
    entrants: list[EntrantSettings] = Field(default=[], max_length=MAX_ENTRANTS)

    @model_validator(mode="before")
    @classmethod
    def _one_game_a_block(cls, given: Any) -> Any:
        """In Kozel a game is a block of its own, where the file does not say otherwise."""
        match given:
            case {"game": {"rule_set": str(name)}, "schedule": dict(schedule)} if name.startswith(KOZEL):
                return {**given, "schedule": {"block_hands": 1, **schedule}}
            case _:
                return given

    def canonical(self) -> bytes:
        """The canonical encoding: ASCII JSON, keys sorted, no spaces, with defaults written out.

        Keys that the format did not have at first are left out where they say nothing, so that a contest without them
        keeps its hash.
        """
        values = self.model_dump()
        if self.tournament is None:
            del values["tournament"]
        elif self.tournament.unit is LengthUnit.HANDS:
            for part in (values["tournament"], *values["tournament"]["levels"]):
                for key in ("level_minutes", "minutes"):
                    part.pop(key, None)
        if not self.faults.unplayed_hand_chips:
            del values["faults"]["unplayed_hand_chips"]
        for entrant in values["entrants"]:
            if entrant["network"] == "shared":
                del entrant["network"]
        return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    def sha256(self) -> str:
        """The hash of the canonical encoding, in hexadecimal: two files with the same hash are the same contest."""
        return hashlib.sha256(self.canonical()).hexdigest()

    @property
    def is_tournament(self) -> bool:
        """Whether a freeze-out tournament is played."""
        return self.schedule.format == "tournament"

    @property
    def levels_and_payouts(self) -> TournamentSettings:
        """The tournament's settings, where it is one."""
        return self.tournament or TournamentSettings()

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names in the order of the file."""
        return tuple([one.name for one in self.entrants])


def read_contest(path: Path) -> ContestSettings:
    """Reads and checks a contest file; raises ContestFileError with every fault, and OSError."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise ContestFileError(str(path), [Fault("", 0, f"more than {MAX_FILE_BYTES} bytes")])
    return parse_contest(path.read_text(encoding="utf-8", errors="replace"), str(path))


def parse_contest(text: str, source: str = "contest.toml") -> ContestSettings:
    """Reads and checks the text of a contest file; raises ContestFileError with every fault that is found."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        raise ContestFileError(source, [Fault("", int(found[1]) if found else 0, str(error))]) from error
    lines = key_lines(text)
    try:
        settings = ContestSettings.model_validate(values)
    except ValidationError as error:
        faults = [_fault_of(one, lines) for one in error.errors()]
        raise ContestFileError(source, faults) from error
    except RuleSetError as error:
        raise ContestFileError(source, [_at(("game", "rule_set"), lines, str(error))]) from error
    faults = [_at(path, lines, what) for path, what in impossible(settings)]
    if faults:
        raise ContestFileError(source, faults)
    return settings


def _at(path: KeyPath, lines: dict[KeyPath, int], what: str) -> Fault:
    return Fault(path_text(path), line_of(path, lines), what)


def _fault_of(error: Any, lines: dict[KeyPath, int]) -> Fault:
    path: KeyPath = tuple([part for part in error["loc"] if part not in ("str", "OwnGame")])
    what = "there is no such key" if error["type"] == "extra_forbidden" else error["msg"]
    return _at(path, lines, what[:1].lower() + what[1:])


# --- what cannot be played ------------------------------------------------------------------------------


def impossible(settings: ContestSettings) -> list[tuple[KeyPath, str]]:
    """What of the settings cannot be played, by key path; empty when all can."""
    return [
        *_names(settings),
        *_game(settings.game),
        *(_tournament(settings) if settings.is_tournament else _matches(settings)),
        *_entrants(settings),
    ]


def _names(settings: ContestSettings) -> list[tuple[KeyPath, str]]:
    faults: list[tuple[KeyPath, str]] = []
    expected = "expected letters, digits and . _ -, a letter or digit first"
    if not _NAME.fullmatch(settings.name):
        faults.append((("name",), f"{settings.name!r}: {expected}"))
    seen: set[str] = set()
    for place, one in enumerate(settings.entrants):
        if not _NAME.fullmatch(one.name):
            faults.append((("entrants", place, "name"), f"{one.name!r}: {expected}"))
        if one.name in seen:
            faults.append((("entrants", place, "name"), f"{one.name!r} is there twice"))
        seen.add(one.name)
    return faults


def _game(game: GameSettings) -> list[tuple[KeyPath, str]]:
    if game.is_kozel:
        return _kozel(game)
    wanting: list[tuple[KeyPath, str]] = []
    for key, least in (("small_blind", 0), ("big_blind", 1), ("stack", 1)):
        if key not in game.model_fields_set:
            wanting.append((("game", key), "field required"))
        elif getattr(game, key) < least:
            wanting.append((("game", key), f"input should be greater than or equal to {least}"))
    if wanting:
        return wanting
    try:
        rules = game.rules()
    except RuleSetError as error:
        return [(("game", "rule_set"), str(error))]
    if game.stack * game.seats > ruleset.MAX_CHIPS:
        return [(("game", "stack"), f"POT-7: all stacks together pass {ruleset.MAX_CHIPS} chips")]
    seats = tuple(range(1, game.seats + 1))
    places = first_positions(game.seats, seats)
    try:
        check_setup(
            HandSetup(
                rules,
                game.limit,
                game.stakes(),
                places.dealt_in,
                (game.stack,) * game.seats,
                places.button,
                places.small_blind,
                places.big_blind,
            )
        )
    except RuleSetError as error:
        return [(("game",), str(error))]
    return []


def _kozel(game: GameSettings) -> list[tuple[KeyPath, str]]:
    faults: list[tuple[KeyPath, str]] = [
        (("game", key), "of poker only: Kozel is played for points")
        for key in _OF_POKER
        if key in game.model_fields_set
    ]
    try:
        most = game.kozel_rules().max_seats()
    except RuleSetError as error:
        return [*faults, (("game", "rule_set"), str(error))]
    if game.seats > most:
        faults.append((("game", "seats"), f"KOZ-1: {game.seats} players; {game.rule_set} is for 2 to {most}"))
    return faults


def _matches(settings: ContestSettings) -> list[tuple[KeyPath, str]]:
    of_kozel = _kozel_schedule(settings.schedule) if settings.game.is_kozel else []
    return [*of_kozel, *_schedule(settings), *_faults(settings.faults, settings.game)]


def _kozel_schedule(schedule: ScheduleSettings) -> list[tuple[KeyPath, str]]:
    """A game of Kozel is what a hand is in poker: it is one block, and has a table of its own."""
    return [
        (("schedule", key), f"{value}: a game of Kozel is one block, at a table of its own; left out, or 1")
        for key, value in (("block_hands", schedule.block_hands), ("table_hands", schedule.table_hands or 1))
        if value != 1
    ]


def _schedule(settings: ContestSettings) -> list[tuple[KeyPath, str]]:
    schedule, seats = settings.schedule, settings.game.seats
    at_a_table = schedule.hands_of_a_table
    faults: list[tuple[KeyPath, str]] = []

    def wrong(key: str, what: str) -> None:
        faults.append((("schedule", key), what))

    if not schedule.hands:
        wrong("hands", "how many hands a match has is not said")
    if settings.tournament is not None:
        faults.append((("tournament",), f"levels and payouts belong to a tournament, not to {schedule.format}"))
    if at_a_table % schedule.block_hands:
        wrong("table_hands", f"{at_a_table} hands of a table are no whole number of blocks of {schedule.block_hands}")
    if schedule.hands % at_a_table:
        wrong("hands", f"{schedule.hands} hands are no whole number of tables of {at_a_table}")
    if schedule.hands // at_a_table > MAX_TABLES_OF_A_SEATING:
        wrong("hands", f"{schedule.hands // at_a_table} tables of a match; at most {MAX_TABLES_OF_A_SEATING}")
    if at_a_table > MAX_HANDS_OF_A_TABLE:
        key = "table_hands" if schedule.table_hands else "block_hands"
        wrong(key, f"{at_a_table} hands of a table; at most {MAX_HANDS_OF_A_TABLE}")
    if not settings.game.reset_stacks and at_a_table != schedule.block_hands:
        wrong("table_hands", "stacks are carried from hand to hand, so that a table is one block")
    if schedule.seatings == "permutations" and seats > 3:
        wrong("seatings", f"all permutations are played of 2 or 3 seats, not of {seats}")
    if len(settings.entrants) < seats and settings.registration == "closed":
        wrong("format", f"{len(settings.entrants)} entrants cannot fill a table of {seats}")
    possible = comb(len(settings.entrants), seats)
    if schedule.format == "round-robin" and possible > MAX_MATCHES and not schedule.matches:
        wrong("matches", f"{possible} matches of {seats} could be made; say how many are played, at most {MAX_MATCHES}")
    if schedule.format != "round-robin" and seats != 2:
        wrong("format", f"{schedule.format} is played heads-up, not by {seats}")
    if schedule.format == "swiss" and not schedule.rounds:
        wrong("rounds", "swiss says how many rounds are played")
    if schedule.format not in ("swiss", "ladder") and schedule.rounds:
        wrong("rounds", f"{schedule.format} has as many rounds as it needs")
    even = len(settings.entrants) + len(settings.entrants) % 2
    if schedule.format == "swiss" and schedule.rounds >= even and settings.registration == "closed":
        wrong("rounds", f"{schedule.rounds} rounds: {len(settings.entrants)} entrants would meet twice")
    if schedule.matches and schedule.format != "round-robin":
        wrong("matches", "only a round-robin draws from all tables")
    return faults


def _tournament(settings: ContestSettings) -> list[tuple[KeyPath, str]]:
    if settings.game.is_kozel:
        return [(("schedule", "format"), "a tournament is played for chips: not at Kozel")]
    game, own = settings.game, settings.levels_and_payouts
    faults: list[tuple[KeyPath, str]] = []
    for key in ("hands", "table_hands", "rounds", "matches"):
        if getattr(settings.schedule, key):
            faults.append((("schedule", key), "a tournament is played to the last chip"))
    if settings.schedule.seatings == "permutations":
        faults.append((("schedule", "seatings"), "a tournament is played once"))
    if game.ante or game.ante_kind != "none":
        faults.append((("game", "ante"), "antes of a tournament belong to its levels"))
    if settings.faults.policy != "nothing" or settings.faults.max_faults:
        told = "in a tournament nobody forfeits a hand or table: faults would be counted anew at each"
        faults.append((("faults", "policy"), told))
    if game.stack * len(settings.entrants) > ruleset.MAX_CHIPS:
        faults.append((("game", "stack"), f"all stacks together pass {ruleset.MAX_CHIPS} chips"))
    if bool(own.levels) != (own.structure == "levels"):
        faults.append((("tournament", "levels"), "levels are listed for the structure levels, and for no other"))
        return faults
    if own.shares and sum(own.shares) != BASIS_POINTS:
        faults.append((("tournament", "shares"), f"{sum(own.shares)} basis points; they add up to {BASIS_POINTS}"))
    lengths = _lengths(own)
    if lengths:
        return [*faults, *lengths]
    try:
        structure = own.levels_from(game.big_blind)
        check_structure(structure, game.rules(), game.limit, game.chip_unit)
    except RuleSetError as error:
        return [*faults, (("tournament",), str(error))]
    first = structure.levels[0]
    if (first.small_blind, first.big_blind) != (game.small_blind, game.big_blind):
        told = f"the first level has blinds of {first.small_blind} and {first.big_blind}, the game others"
        faults.append((("game", "small_blind"), told))
    return faults


def _lengths(own: TournamentSettings) -> list[tuple[KeyPath, str]]:
    faults: list[tuple[KeyPath, str]] = []
    if own.level_minutes and (own.levels or "level_hands" in own.model_fields_set):
        faults.append((("tournament", "level_minutes"), "levels last hands or minutes, and say so once"))
    for place, one in enumerate(own.levels):
        if bool(one.hands) == bool(one.minutes):
            faults.append((("tournament", "levels", place), "a level has one length, in hands or in minutes"))
        elif bool(one.minutes) != (own.unit is LengthUnit.MINUTES):
            faults.append((("tournament", "levels", place), "all levels last hands, or all last minutes"))
    return faults


def _faults(faults: FaultSettings, game: GameSettings) -> list[tuple[KeyPath, str]]:
    if (faults.policy == "nothing") != (faults.max_faults == 0):
        return [
            (("faults", "max_faults"), "a policy has a number of faults from which on it applies, or neither is given")
        ]
    price = faults.unplayed_hand_chips
    if game.is_kozel and faults.policy == "forfeit-hand":
        return [(("faults", "policy"), "KOZ-17: a game of Kozel is forfeited, not a round of it")]
    if game.is_kozel and price:
        return [(("faults", "unplayed_hand_chips"), "of poker only: Kozel is played for points")]
    if price and faults.policy != "forfeit-match":
        return [(("faults", "unplayed_hand_chips"), "hands are left unplayed by the policy forfeit-match only")]
    if price > game.stack:
        told = f"{price} chips: no hand costs more than a stack of {game.stack}"
        return [(("faults", "unplayed_hand_chips"), told)]
    if price % game.chip_unit:
        return [(("faults", "unplayed_hand_chips"), f"{price} is not a multiple of {game.chip_unit}")]
    if faults.policy == "forfeit-match" and game.seats != 2:
        # At a table of several nobody could be paid for the hands that are not played: to forfeit would be free.
        return [(("faults", "policy"), f"a match is forfeited heads-up, not by one of {game.seats}")]
    return []


MAX_TABLES_OF_A_SEATING: Final = 512
"""A player plays all tables of a match over one stream."""

MAX_HANDS_OF_A_TABLE: Final = 13_000
"""A table is given its decks as one file, of at most 2 MiB."""


def _entrants(settings: ContestSettings) -> list[tuple[KeyPath, str]]:
    faults: list[tuple[KeyPath, str]] = []
    for place, one in enumerate(settings.entrants):
        here: KeyPath = ("entrants", place)
        if one.bot and one.command:
            faults.append(((*here, "command"), "a practice bot has no command"))
        limits = one.memory_mb or one.cpu_seconds or one.network != "shared"
        if not one.command and (one.folder or one.environment or limits):
            faults.append((here, "folder, environment, limits and network belong to a command"))
    if len(settings.entrants) < 2 and settings.registration == "closed":
        faults.append((("entrants",), f"{len(settings.entrants)} entrants; a contest needs two"))
    return faults


# --- what changed ---------------------------------------------------------------------------------------


def changed(before: ContestSettings, after: ContestSettings, text: str) -> list[Fault]:
    """Where the settings of a contest that has begun differ from those that it began with; ``text`` is the new file."""
    lines = key_lines(text)
    differing = _differing((), before.model_dump(), after.model_dump())
    return [_at(path, lines, f"it began with {was!r}, and is {now!r} now") for path, was, now in differing]


def _differing(path: KeyPath, before: Any, after: Any) -> list[tuple[KeyPath, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *[key for key in after if key not in before]]
        return [one for key in keys for one in _differing((*path, key), before.get(key), after.get(key))]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and before:
        pairs = zip(before, after, strict=True)
        return [one for place, (was, now) in enumerate(pairs) for one in _differing((*path, place), was, now)]
    return [] if before == after else [(path, before, after)]
