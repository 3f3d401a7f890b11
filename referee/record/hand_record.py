"""A hand as somebody wrote it down, in no particular notation: the one form that every notation reads into.

A record states facts that may be wrong; :mod:`referee.judge` says which. Order of the steps is the order of the
record, amounts are chips, and ``unit`` says what one chip is worth where the record counts money. Two records are
equal when they say the same: where it stands and how it is worded does not count.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Final

from referee.rules.setup import HandSetup


class Step(Enum):
    """What a record says happened. Notations that do not tell a check from a call, or a bet from a raise, say so."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    CHECK_OR_CALL = "check or call"
    BET = "bet"
    RAISE = "raise"
    BET_OR_RAISE = "bet or raise"
    ALL_IN = "all-in"
    TIMEOUT = "timeout"
    DISCARD = "discard"
    BOARD = "board"
    SHOW = "show"
    MUCK = "muck"
    RETURNED = "uncalled bet returned"
    FORFEIT = "forfeit"


@dataclass(init=False, unsafe_hash=True)
class RecordedStep:
    """One step of a record.

    ``to`` is the street total of a wager; ``amount`` what a call added or what was returned, -1 where the record
    does not say. ``cards`` are those discarded, dealt to the board or shown, -1 for each unknown one; a SHOW
    without cards shows what is known. ``line`` counts from 1 in the source, ``text`` is the source's own wording.
    """

    step: Final[Step]
    seat: Final[int]
    to: Final[int]
    amount: Final[int]
    cards: Final[tuple[int, ...]]
    line: int = field(compare=False)
    text: str = field(compare=False)

    def __init__(
        self,
        step: Step,
        seat: int = 0,
        to: int = 0,
        amount: int = -1,
        cards: tuple[int, ...] = (),
        line: int = 0,
        text: str = "",
    ) -> None:
        self.step = step
        self.seat = seat
        self.to = to
        self.amount = amount
        self.cards = cards
        self.line = line
        self.text = text


@dataclass(init=False, unsafe_hash=True)
class RecordedResult:
    """What a record says came out, in chips; None where it says nothing.

    Fractions where a source splits odd chips into parts. Per player, in the order of ``setup.seats``.
    ``collected`` is what was paid from pots, uncalled bets not included.
    """

    finishing_stacks: Final[tuple[int | Fraction, ...] | None]
    collected: Final[tuple[int | Fraction, ...] | None]
    total_pot: Final[int | None]
    rake: Final[int | None]
    line: int = field(compare=False)

    def __init__(
        self,
        finishing_stacks: tuple[int | Fraction, ...] | None = None,
        collected: tuple[int | Fraction, ...] | None = None,
        total_pot: int | None = None,
        rake: int | None = None,
        line: int = 0,
    ) -> None:
        self.finishing_stacks = finishing_stacks
        self.collected = collected
        self.total_pot = total_pot
        self.rake = rake
        self.line = line


@dataclass(init=False, unsafe_hash=True)
class HandRecord:
    """One recorded hand.

    ``rule_set_named`` is false where the notation does not say which house rules were played and the reader chose
    them; then what only those rules decide, such as the order of the showdown, cannot be held against the record.
    ``stacks_known`` is false where the notation has no stacks and the reader assumed deep ones.
    """

    setup: Final[HandSetup]
    steps: Final[tuple[RecordedStep, ...]]
    result: Final[RecordedResult]
    players: Final[tuple[str, ...]]
    notation: Final[str]
    source: str = field(compare=False)
    line: int = field(compare=False)
    unit: Final[Decimal]
    currency: Final[str]
    rule_set_named: Final[bool]
    stacks_known: Final[bool]
    facts: Final[dict[str, str]]
    """Whatever else the source tells and a writer may write back: hand number, table, time."""

    def __init__(
        self,
        setup: HandSetup,
        steps: tuple[RecordedStep, ...],
        result: RecordedResult,
        players: tuple[str, ...],
        notation: str,
        source: str = "",
        line: int = 0,
        unit: Decimal = Decimal(1),
        currency: str = "",
        rule_set_named: bool = False,
        stacks_known: bool = True,
        facts: dict[str, str] | None = None,
    ) -> None:
        self.setup = setup
        self.steps = steps
        self.result = result
        self.players = players
        self.notation = notation
        self.source = source
        self.line = line
        self.unit = unit
        self.currency = currency
        self.rule_set_named = rule_set_named
        self.stacks_known = stacks_known
        self.facts = {} if facts is None else facts


class NotationError(ValueError):
    """A source that cannot be read: where, and what was expected there."""

    def __init__(self, source: str, line: int, expected: str) -> None:
        super().__init__(f"{source}:{line}: {expected}")
        self.source = source
        self.line = line
        self.expected = expected
