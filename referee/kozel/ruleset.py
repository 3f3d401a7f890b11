"""Kozel's options and named rule sets as data (section *Rule sets* of the rulebook)."""

import hashlib
import json
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Final

from referee.kozel.tiles import HAND_TILES, HIGHEST, tiles_to

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4
MAX_POINTS: Final = 1_000_000
"""Upper bound of any score, sum or threshold."""
EVEN_HIGHEST: Final = (2, 4, HIGHEST)
"""Highest numbers that can be played. Each number then stands on an even count of halves, so that a chain on which
nothing fits any more shows one number at both ends: it is always a fish (KOZ-7), and play always ends."""


class Fish(IntEnum):
    """When a blocked chain ends the round (KOZ-7)."""

    STRUCTURAL = 1
    """At once when all six non-double tiles of the number at both ends lie, whether its double does or not."""
    NO_LEGAL_MOVE = 2
    """When its double lies as well, so that no tile fits any more."""


class FishScoring(IntEnum):
    """Who scores after a fish (KOZ-12, KOZ-13)."""

    ON_ALL = 1
    ON_ONE = 2


class SetupRefusedError(ValueError):
    """A rule set or setup that the rulebook refuses; carries the rule id that decides."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
        self.message = message

    def __reduce__(self) -> tuple[type["SetupRefusedError"], tuple[str, str]]:
        return (SetupRefusedError, (self.rule, self.message))


@dataclass(frozen=True)
class RuleSet:
    """A named, versioned choice of every option; two rule sets differ only by this data.

    ``highest`` and ``hand_tiles`` are KOZ-1's 6 and 7, ``redeal_doubles`` and ``redeal_bearing`` KOZ-2's 5 and 6,
    ``lone_blank`` KOZ-8's 10, ``remembered_to`` KOZ-9's 12 and ``ends_at`` KOZ-15's 101. Published rule sets do not
    change them; small games, in which everything can be tried, do.
    """

    name: str
    version: int
    fish: Fish = Fish.STRUCTURAL
    fish_scoring: FishScoring = FishScoring.ON_ALL
    highest: int = HIGHEST
    hand_tiles: int = HAND_TILES
    redeal_doubles: int = 5
    redeal_bearing: int = 6
    lone_blank: int = 10
    remembered_to: int = 12
    ends_at: int = 101

    @property
    def full_name(self) -> str:
        """Name and version as they are written everywhere, such as ``kozel/on-all@1``."""
        return f"{self.name}@{self.version}"

    def tiles(self) -> tuple[int, ...]:
        """The tiles that are played with (KOZ-1)."""
        return tiles_to(self.highest)

    def max_seats(self) -> int:
        """The largest number of players that the tiles serve, at most four (KOZ-1)."""
        return min(MAX_PLAYERS, len(self.tiles()) // self.hand_tiles)

    def canonical(self) -> bytes:
        """The canonical encoding: ASCII JSON, keys sorted, no spaces, enumerations by name."""
        plain = {field.name: _plain(getattr(self, field.name)) for field in fields(self)}
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    def sha256(self) -> str:
        """The hash that a round's record carries beside name and version, in hexadecimal."""
        return hashlib.sha256(self.canonical()).hexdigest()


def _plain(value: object) -> object:
    return value.name if isinstance(value, IntEnum) else value


ON_ALL: Final = RuleSet("kozel/on-all", 1)
ON_ONE: Final = RuleSet("kozel/on-one", 1, fish_scoring=FishScoring.ON_ONE)

RULE_SETS: Final = (ON_ALL, ON_ONE)
"""The rule sets of the rulebook's table; the first is the default."""

_BY_NAME: Final = {rule_set.full_name: rule_set for rule_set in RULE_SETS}


def find_rule_set(full_name: str) -> RuleSet:
    """Finds a published rule set by ``name@version``; raises KeyError for any other name."""
    return _BY_NAME[full_name]


def check_rule_set(rule_set: RuleSet) -> None:
    """Raises SetupRefusedError for options out of range, and for a published name with other options."""
    published = _BY_NAME.get(rule_set.full_name)
    if published is not None and published != rule_set:
        raise SetupRefusedError("KOZ-1", f"{rule_set.full_name} is published with other options")
    if not isinstance(rule_set.fish, Fish):
        raise SetupRefusedError("KOZ-7", f"{rule_set.fish} is no way to tell a fish")
    if not isinstance(rule_set.fish_scoring, FishScoring):
        raise SetupRefusedError("KOZ-12", f"{rule_set.fish_scoring} is no way to score a fish")
    if rule_set.highest not in EVEN_HIGHEST:
        raise SetupRefusedError("KOZ-1", f"the highest number is one of {EVEN_HIGHEST}")
    if not 1 <= rule_set.hand_tiles <= len(rule_set.tiles()) // MIN_PLAYERS:
        raise SetupRefusedError("KOZ-1", "the tiles serve at least two players, each with at least one")
    if not (rule_set.redeal_doubles >= 1 and rule_set.redeal_bearing >= 1):
        raise SetupRefusedError("KOZ-2", "a redeal asks for at least one tile")
    points = (rule_set.lone_blank, rule_set.remembered_to, rule_set.ends_at)
    if not all([0 <= amount <= MAX_POINTS for amount in points]) or rule_set.ends_at < 1:
        raise SetupRefusedError("KOZ-15", f"points are 0 to {MAX_POINTS}, and a game ends at 1 or more")
