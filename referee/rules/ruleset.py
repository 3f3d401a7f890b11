"""Games, named rule sets and stakes as data (GAME-3, section *Rule sets* of the rulebook)."""

import hashlib
import json
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import lru_cache
from typing import Final

from referee.rules.cards import DECK_SIZE

MIN_SEATS: Final = 2
MAX_SEATS: Final = 10
BOARD_CARDS: Final = 5
MAX_CHIPS: Final = 1 << 53
"""Upper bound of any stack, stake or total, in chips: far below int64, and exact in every client's JSON."""


class Limit(IntEnum):
    """The betting structure of a hand (GAME-2)."""

    NO_LIMIT = 1
    POT_LIMIT = 2
    FIXED_LIMIT = 3


class DiscardPoint(IntEnum):
    """When the discard round is held (GAME-3)."""

    NEVER = 0
    BEFORE_FLOP = 1
    BEFORE_FLOP_BETTING = 2
    AFTER_FLOP_BETTING = 3


class DiscardVisibility(IntEnum):
    """What becomes of discards (GAME-3, DISC-5)."""

    HIDDEN = 1
    SHOWN = 2
    JOINS_BOARD = 3


class ShowdownOrder(IntEnum):
    """Who shows first (SHOW-1)."""

    WALK_BACK = 1
    FINAL_ROUND = 2


class AllInExposure(IntEnum):
    """What is shown when somebody is all-in (SHOW-4)."""

    ORDERED = 1
    SHOW_ALL = 2
    TABLE_ALL = 3


class ButtonRule(IntEnum):
    """How the button moves between hands (SEAT-1)."""

    MOVING = 1
    DEAD = 2


class OpenFold(IntEnum):
    """Whether folding with nothing to match is accepted (BET-3)."""

    REFUSE = 1
    ALLOW = 2


class CapHeadsUp(IntEnum):
    """Whether the fixed-limit cap binds on a street that two players start (SIZE-7)."""

    CAPPED = 1
    UNCAPPED = 2


class DiscardTimeout(IntEnum):
    """What a discard not made in time becomes (DISC-8)."""

    AUTO = 1
    FOLD = 2


class DeckReveal(IntEnum):
    """When decks, and so hidden discards, are published (DISC-5)."""

    AUDITOR = 1
    AFTER_MATCH = 2


class LateMinimum(IntEnum):
    """The minimum bet on rounds 3 and 4 of a no-limit or pot-limit game (SIZE-9)."""

    BIG_BLIND = 1
    BIG_BET = 2


class AnteKind(IntEnum):
    """Who pays an ante, and what it is (BLIND-5)."""

    NONE = 0
    EACH = 1
    BIG_BLIND = 2


class RuleSetError(ValueError):
    """A rule set, stakes or setup that the rulebook refuses; carries the rule id that decides."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
        self.message = message

    def __reduce__(self) -> tuple[type["RuleSetError"], tuple[str, str]]:
        return (RuleSetError, (self.rule, self.message))


@dataclass(frozen=True)
class Game:
    """A game as data (GAME-3): cards dealt and discarded by each player, when, and what becomes of discards."""

    hole_cards: int
    discards: int
    discard_point: DiscardPoint
    discard_visibility: DiscardVisibility

    @property
    def kept_cards(self) -> int:
        """Hole cards that a player still has at the showdown."""
        return self.hole_cards - self.discards


HOLDEM: Final = Game(2, 0, DiscardPoint.NEVER, DiscardVisibility.HIDDEN)
IRISH: Final = Game(4, 2, DiscardPoint.AFTER_FLOP_BETTING, DiscardVisibility.HIDDEN)
"""Four hole cards, of which two are discarded after the betting on the flop (GAME-1)."""
IRISH_BEFORE_FLOP_BETTING: Final = Game(4, 2, DiscardPoint.BEFORE_FLOP_BETTING, DiscardVisibility.HIDDEN)
PINEAPPLE: Final = Game(3, 1, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN)
CRAZY_PINEAPPLE: Final = Game(3, 1, DiscardPoint.AFTER_FLOP_BETTING, DiscardVisibility.HIDDEN)


@dataclass(frozen=True)
class RuleSet:
    """A named, versioned choice of every option of the rulebook; two rule sets differ only by this data."""

    name: str
    version: int
    game: Game
    limits: tuple[Limit, ...]
    showdown_order: ShowdownOrder = ShowdownOrder.WALK_BACK
    all_in_exposure: AllInExposure = AllInExposure.ORDERED
    button_rule: ButtonRule = ButtonRule.MOVING
    open_fold: OpenFold = OpenFold.REFUSE
    cap_heads_up: CapHeadsUp = CapHeadsUp.CAPPED
    max_raises: int = 3
    discard_timeout: DiscardTimeout = DiscardTimeout.AUTO
    hide_discard_progress: bool = False
    deck_reveal: DeckReveal = DeckReveal.AUDITOR
    late_minimum: LateMinimum = LateMinimum.BIG_BLIND

    @property
    def full_name(self) -> str:
        """Name and version as they are written everywhere, such as ``irish/full-tilt@1``."""
        return f"{self.name}@{self.version}"

    def max_seats(self) -> int:
        """The largest number of players one deck serves, at most ten (GAME-4)."""
        return min(MAX_SEATS, (DECK_SIZE - BOARD_CARDS) // self.game.hole_cards)

    def canonical(self) -> bytes:
        """The canonical encoding: ASCII JSON, keys sorted, no spaces, enumerations by name."""
        return json.dumps(_plain(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")

    def sha256(self) -> str:
        """The hash that a hand's record carries beside name and version, in hexadecimal."""
        return _sha256_of(self)


@lru_cache(maxsize=256)
def _sha256_of(rule_set: RuleSet) -> str:
    """Remembered, since it is told of every hand that is judged."""
    return hashlib.sha256(rule_set.canonical()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, (RuleSet, Game)):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


_EVERY_LIMIT: Final = (Limit.NO_LIMIT, Limit.POT_LIMIT, Limit.FIXED_LIMIT)

RULE_SETS: Final = (
    RuleSet("irish/full-tilt", 1, IRISH, (Limit.NO_LIMIT, Limit.POT_LIMIT)),
    RuleSet(
        "irish/french-limit",
        1,
        IRISH_BEFORE_FLOP_BETTING,
        (Limit.FIXED_LIMIT,),
        all_in_exposure=AllInExposure.SHOW_ALL,
    ),
    RuleSet(
        "irish/french-minimum",
        1,
        IRISH_BEFORE_FLOP_BETTING,
        (Limit.NO_LIMIT,),
        all_in_exposure=AllInExposure.SHOW_ALL,
        late_minimum=LateMinimum.BIG_BET,
    ),
    RuleSet("holdem/online-limit", 1, HOLDEM, (Limit.FIXED_LIMIT,)),
    RuleSet(
        "irish/tda",
        1,
        IRISH,
        _EVERY_LIMIT,
        showdown_order=ShowdownOrder.FINAL_ROUND,
        all_in_exposure=AllInExposure.TABLE_ALL,
        button_rule=ButtonRule.DEAD,
    ),
    RuleSet(
        "holdem/tda",
        1,
        HOLDEM,
        _EVERY_LIMIT,
        showdown_order=ShowdownOrder.FINAL_ROUND,
        all_in_exposure=AllInExposure.TABLE_ALL,
        button_rule=ButtonRule.DEAD,
    ),
)
"""The rule sets of the rulebook's table; the first is the default."""

_BY_NAME: Final = {rule_set.full_name: rule_set for rule_set in RULE_SETS}


def find_rule_set(full_name: str) -> RuleSet:
    """Finds a published rule set by ``name@version``; raises KeyError for any other name."""
    return _BY_NAME[full_name]


_OPTIONS: Final[dict[str, type[IntEnum]]] = {
    "showdown_order": ShowdownOrder,
    "all_in_exposure": AllInExposure,
    "button_rule": ButtonRule,
    "open_fold": OpenFold,
    "cap_heads_up": CapHeadsUp,
    "discard_timeout": DiscardTimeout,
    "deck_reveal": DeckReveal,
    "late_minimum": LateMinimum,
}


def check_rule_set(rule_set: RuleSet) -> None:
    """Raises RuleSetError when a rule set cannot be played by anybody (GAME-3, GAME-4, SIZE-6)."""
    game = rule_set.game
    for name, kind in _OPTIONS.items():
        if not isinstance(getattr(rule_set, name), kind):
            raise RuleSetError("GAME-3", f"{name} is one of {', '.join([option.name for option in kind])}")
    if not isinstance(game.discard_point, DiscardPoint) or not isinstance(game.discard_visibility, DiscardVisibility):
        raise RuleSetError("GAME-3", "a game says when its discards are made and what becomes of them")
    if not rule_set.name or "@" in rule_set.name or rule_set.version < 1:
        raise RuleSetError(
            "GAME-3", "a rule set has a name and a version of 1 or more: there are no unnamed house rules"
        )
    published = _BY_NAME.get(rule_set.full_name)
    if published is not None and published != rule_set:
        raise RuleSetError("GAME-3", f"{rule_set.full_name} is published with other options; choose another name")
    if game.hole_cards < 1 or not 0 <= game.discards < game.hole_cards:
        raise RuleSetError("GAME-3", "at least one hole card is dealt, and at least one is kept")
    if (game.discards > 0) != (game.discard_point != DiscardPoint.NEVER):
        raise RuleSetError("GAME-3", "a game with discards names their point, and only such a game")
    if rule_set.max_seats() < MIN_SEATS:
        raise RuleSetError("GAME-4", f"{game.hole_cards} hole cards for two players and five board cards pass 52")
    if not rule_set.limits or len(set(rule_set.limits)) != len(rule_set.limits):
        raise RuleSetError("GAME-2", "a rule set names one or more betting structures, each once")
    if not 0 <= rule_set.max_raises <= MAX_RAISES:
        raise RuleSetError("SIZE-6", f"max_raises is 0 to {MAX_RAISES}")
    if rule_set.late_minimum == LateMinimum.BIG_BET and Limit.FIXED_LIMIT in rule_set.limits:
        raise RuleSetError("SIZE-9", "a late minimum belongs to no-limit and pot-limit games")


MAX_RAISES: Final = 100


@dataclass(frozen=True)
class Stakes:
    """The amounts of a hand, all in chips (BLIND-1, BLIND-5, SIZE-9, POT-8).

    ``small_bet`` 0 means the big blind and ``big_bet`` 0 means twice the big blind. ``rake_cap`` -1 means no cap.
    """

    small_blind: int
    big_blind: int
    small_bet: int = 0
    big_bet: int = 0
    ante_kind: AnteKind = AnteKind.NONE
    ante: int = 0
    chip_unit: int = 1
    rake_basis_points: int = 0
    rake_cap: int = -1
    no_flop_no_drop: bool = False

    def late_bet(self) -> int:
        """The big bet of rounds 3 and 4 (SIZE-5), and the minimum there where SIZE-9 asks for one."""
        return self.big_bet or 2 * self.big_blind


def check_stakes(stakes: Stakes, rule_set: RuleSet, limit: Limit) -> None:
    """Raises RuleSetError when the stakes do not fit the rule set and betting structure."""
    unit = stakes.chip_unit
    amounts = (stakes.small_blind, stakes.big_blind, stakes.small_bet, stakes.big_bet, stakes.ante)
    if not 1 <= unit <= MAX_CHIPS or any([not 0 <= amount <= MAX_CHIPS for amount in amounts]):
        raise RuleSetError("BLIND-1", f"amounts are whole chips from 0 to {MAX_CHIPS}, the chip unit at least 1")
    if any([amount % unit for amount in amounts]):
        raise RuleSetError("BLIND-1", f"every amount is a multiple of the chip unit {unit}")
    if not 0 <= stakes.small_blind <= stakes.big_blind or stakes.big_blind == 0:
        raise RuleSetError("BLIND-1", "0 <= small blind <= big blind, and the big blind is above 0")
    if limit not in rule_set.limits:
        raise RuleSetError("GAME-2", f"{rule_set.full_name} is not played as {limit.name}")
    if limit == Limit.FIXED_LIMIT and stakes.small_bet not in (0, stakes.big_blind):
        raise RuleSetError("BLIND-1", "in fixed-limit the big blind is the small bet")
    if stakes.late_bet() < stakes.big_blind:
        raise RuleSetError("SIZE-9", "the big bet is at least the big blind")
    if (
        rule_set.late_minimum == LateMinimum.BIG_BET
        and limit == Limit.POT_LIMIT
        and stakes.late_bet() > 2 * stakes.big_blind
    ):
        raise RuleSetError("SIZE-9", "in pot-limit the late minimum is at most twice the big blind")
    if (stakes.ante_kind == AnteKind.NONE) != (stakes.ante == 0):
        raise RuleSetError("BLIND-5", "an ante has a kind and an amount, or neither")
    if not 0 <= stakes.rake_basis_points <= 10_000 or not -1 <= stakes.rake_cap <= MAX_CHIPS:
        raise RuleSetError("POT-8", "rake is 0 to 10000 basis points, its cap -1 (none) or an amount")
    if stakes.rake_cap > 0 and stakes.rake_cap % unit:
        raise RuleSetError("POT-8", f"the rake's cap is a multiple of the chip unit {unit}")
