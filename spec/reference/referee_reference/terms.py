"""The words of the rulebook as data: games, rule sets, stakes, what a hand starts from, what may be proposed.

Options are the rulebook's own words as text. Amounts are whole chips.
"""

from dataclasses import dataclass

UNKNOWN = "??"
"""A card that was dealt but that nobody told the judge."""

NOBODY = 0
"""The number of no seat; seats are 1 to 10."""


@dataclass(frozen=True)
class Game:
    """GAME-3: a game is data. ``point`` is when cards are discarded, ``becomes`` what becomes of the discards."""

    hole_cards: int
    discards: int
    point: str
    """NEVER, BEFORE_FLOP, BEFORE_FLOP_BETTING or AFTER_FLOP_BETTING"""
    becomes: str = "HIDDEN"
    """HIDDEN, SHOWN or JOINS_BOARD"""


# GAME-1, GAME-2, GAME-3: the games that the rulebook names.
HOLDEM = Game(2, 0, "NEVER")
IRISH = Game(4, 2, "AFTER_FLOP_BETTING")
IRISH_AS_FR_DESCRIBES_IT = Game(4, 2, "BEFORE_FLOP_BETTING")
PINEAPPLE = Game(3, 1, "BEFORE_FLOP")
CRAZY_PINEAPPLE = Game(3, 1, "AFTER_FLOP_BETTING")


@dataclass(frozen=True)
class RuleSet:
    """A named, versioned choice of every option that bears on a hand (section *Rule sets*)."""

    name: str
    version: int
    game: Game
    limits: tuple[str, ...]
    """NO_LIMIT, POT_LIMIT, FIXED_LIMIT: those it is played in (GAME-2)"""
    showdown_order: str = "WALK_BACK"
    """SHOW-1: WALK_BACK or FINAL_ROUND"""
    all_in_exposure: str = "ORDERED"
    """SHOW-4: ORDERED, SHOW_ALL or TABLE_ALL"""
    open_fold: str = "REFUSE"
    """BET-3: REFUSE or ALLOW"""
    cap_heads_up: str = "CAPPED"
    """SIZE-7: CAPPED or UNCAPPED"""
    max_raises: int = 3
    """SIZE-6"""
    discard_timeout: str = "AUTO"
    """DISC-8: AUTO or FOLD"""
    hide_discard_progress: bool = False
    """DISC-3"""
    late_minimum: str = "BIG_BLIND"
    """SIZE-9: BIG_BLIND or BIG_BET"""
    button_rule: str = "MOVING"
    """SEAT-1: MOVING or DEAD; says where the next hand's button is, and nothing about this hand"""
    deck_reveal: str = "AUDITOR"
    """DISC-5: AUDITOR or AFTER_MATCH; says who is told, and nothing about the hand"""


NL, PL, FL = "NO_LIMIT", "POT_LIMIT", "FIXED_LIMIT"

PUBLISHED = (
    RuleSet("irish/full-tilt", 1, IRISH, (NL, PL)),
    RuleSet("irish/french-limit", 1, IRISH_AS_FR_DESCRIBES_IT, (FL,), all_in_exposure="SHOW_ALL"),
    RuleSet(
        "irish/french-minimum", 1, IRISH_AS_FR_DESCRIBES_IT, (NL,), all_in_exposure="SHOW_ALL", late_minimum="BIG_BET"
    ),
    RuleSet("holdem/online-limit", 1, HOLDEM, (FL,)),
    RuleSet("irish/tda", 1, IRISH, (NL, PL, FL), "FINAL_ROUND", "TABLE_ALL", button_rule="DEAD"),
    RuleSet("holdem/tda", 1, HOLDEM, (NL, PL, FL), "FINAL_ROUND", "TABLE_ALL", button_rule="DEAD"),
)
"""The table of the section *Rule sets*."""


@dataclass(frozen=True)
class Stakes:
    """BLIND-1, BLIND-5, SIZE-9, POT-8. ``small_bet`` and ``big_bet`` are 0 where they are not given."""

    small_blind: int
    big_blind: int
    small_bet: int = 0
    big_bet: int = 0
    ante_kind: str = "NONE"
    """NONE, EACH or BIG_BLIND"""
    ante: int = 0
    chip_unit: int = 1
    rake_basis_points: int = 0
    rake_cap: int | None = None
    no_flop_no_drop: bool = False


def big_bet(stakes: Stakes) -> int:
    """BLIND-1: twice the small bet, which is the big blind, unless it is given."""
    return stakes.big_bet if stakes.big_bet != 0 else 2 * stakes.big_blind


@dataclass(frozen=True)
class Post:
    """SEAT-3: what a player posts who is no blind: live, dead, or both."""

    seat: int
    live: int
    dead: int


@dataclass(frozen=True)
class Setup:
    """What a hand starts from. Seats and stacks are listed clockwise from the left of the button.

    ``deck`` is in the order in which the cards come, empty where none is known. ``show_when_beaten`` are the seats
    whose preset shows a beaten hand (SHOW-2), ``mucked_unseen`` those of a record that gave up a hand nobody saw, and
    ``recorded_rake`` is what a replay takes (POT-8).
    """

    rule_set: RuleSet
    limit: str
    stakes: Stakes
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    deck: tuple[str, ...] = ()
    posts: tuple[Post, ...] = ()
    show_when_beaten: tuple[int, ...] = ()
    mucked_unseen: tuple[int, ...] = ()
    recorded_rake: int | None = None
    hand_id: str = ""


@dataclass(frozen=True)
class Proposal:
    """What a seat proposes. ``to`` is the street total that a wager goes to, ``cards`` those that are discarded.

    An empty ``hand_id`` and ``decision_id`` 0 mean the decision that is open now (BET-9).
    """

    seat: int
    kind: str
    """FOLD, CHECK, CALL, BET, RAISE, DISCARD, TIMEOUT, FORFEIT or SHOW; anything else is refused"""
    to: int = 0
    cards: tuple[str, ...] = ()
    hand_id: str = ""
    decision_id: int = 0


@dataclass(frozen=True)
class Refusal:
    """Why a proposal is refused, the rule that decides, and a sentence that can be read out."""

    reason: str
    rule: str
    sentence: str


@dataclass(frozen=True)
class Options:
    """Everything a seat may do at its open decision.

    ``call`` is what calling adds, 0 when nothing is to be called; ``lowest`` and ``highest`` are the street totals that
    a wager may go to, both 0 when none is legal. ``discard`` is how many of the cards ``held`` are owed.
    """

    seat: int
    decision_id: int
    fold: bool = False
    check: bool = False
    call: int = 0
    wager: str = "BET"
    lowest: int = 0
    highest: int = 0
    discard: int = 0
    held: tuple[str, ...] = ()


@dataclass(frozen=True)
class Happening:
    """One thing that happened, in the order in which it is told, and the rule by which.

    ``to`` is the seat's street total after it, ``pot`` counts from the main pot, 0.
    """

    kind: str
    rule: str
    seat: int = 0
    amount: int = 0
    to: int = 0
    cards: tuple[str, ...] = ()
    pot: int = 0
    all_in: bool = False
    automatic: bool = False

    def __str__(self) -> str:
        said = [self.kind, f"({self.rule})", f"seat {self.seat}" if self.seat else "", " ".join(self.cards)]
        said += [f"{name} {number}" for name, number in (("amount", self.amount), ("to", self.to)) if number]
        said += [f"pot {self.pot}"] if self.kind in ("POT_AWARDED", "RAKE_TAKEN") else []
        said += [word for word, is_so in (("all-in", self.all_in), ("automatic", self.automatic)) if is_so]
        return " ".join(part for part in said if part)
