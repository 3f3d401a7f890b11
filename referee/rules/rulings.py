"""What may be proposed, and what the referee answers: closed lists with stable numbers."""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

from mypy_extensions import mypyc_attr

from referee.rules.events import Event


class ActionKind(IntEnum):
    """What may be proposed. Every wager names the street total it raises to, never an increment.

    TIMEOUT and FORFEIT are proposed for a seat by whoever keeps its clock and counts its faults, never by itself.
    """

    FOLD = 1
    CHECK = 2
    CALL = 3
    BET = 4
    RAISE = 5
    DISCARD = 6
    TIMEOUT = 7
    SHOW = 8
    FORFEIT = 9


# The kinds by their bare names, which are read faster.
FOLD: Final = ActionKind.FOLD
CHECK: Final = ActionKind.CHECK
CALL: Final = ActionKind.CALL
BET: Final = ActionKind.BET
RAISE: Final = ActionKind.RAISE
DISCARD: Final = ActionKind.DISCARD
TIMEOUT: Final = ActionKind.TIMEOUT
SHOW: Final = ActionKind.SHOW
FORFEIT: Final = ActionKind.FORFEIT


@mypyc_attr(acyclic=True, free_list_len=1)
@dataclass(init=False, unsafe_hash=True)
class Proposal:
    """One proposed action.

    ``kind`` is an ActionKind; whatever else a caller puts there is kept, and refused as no action (BET-8). ``to`` is
    the street total in chips of a BET or RAISE and 0 otherwise; ``cards`` are those of a DISCARD. ``hand_id`` "" and
    ``decision_id`` 0 mean "the decision that is open now", which only a caller that replays a record may say (BET-9).
    """

    seat: Final[int]
    kind: Final[ActionKind | Any]
    to: Final[int]
    cards: Final[tuple[int, ...]]
    hand_id: Final[str]
    decision_id: Final[int]

    def __init__(
        self,
        seat: int,
        kind: ActionKind | Any,
        to: int = 0,
        cards: tuple[int, ...] = (),
        hand_id: str = "",
        decision_id: int = 0,
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.to = to
        self.cards = cards
        self.hand_id = hand_id
        self.decision_id = decision_id

    def _replace(self, **changes: Any) -> "Proposal":
        """The same with other values in some fields, as a named tuple would be asked for it."""
        return replace(self, **changes)


class Reason(IntEnum):
    """Why a proposal is refused, in order of precedence: of several faults the first listed is given.

    Numbers never change meaning; new reasons take new numbers and say where they stand in the order.
    """

    WRONG_HAND = 1
    HAND_OVER = 2
    SEAT_NOT_IN_HAND = 3
    SEAT_FOLDED = 4
    ALREADY_DISCARDED = 5
    SEAT_ALL_IN = 6
    OUT_OF_TURN = 7
    STALE_DECISION = 8
    UNKNOWN_ACTION = 9
    MALFORMED_ACTION = 10
    DISCARD_OWED = 11
    NO_DISCARD_ROUND = 12
    CARD_COUNT_WRONG = 13
    CARD_REPEATED = 14
    CARD_NOT_HELD = 15
    NOTHING_TO_FOLD_TO = 16
    LAST_ELIGIBLE_CANNOT_FOLD = 17
    CHECK_WHILE_OWING = 18
    NOTHING_TO_CALL = 19
    BET_OVER_A_BET = 20
    RAISE_WITHOUT_A_BET = 21
    OPPONENTS_ALL_IN = 22
    NO_CHIPS_TO_RAISE = 23
    RAISES_CAPPED = 24
    RAISE_NOT_REOPENED = 25
    NOT_A_CHIP_MULTIPLE = 26
    ABOVE_STACK = 27
    NOT_THE_FIXED_SIZE = 28
    ABOVE_POT_LIMIT = 29
    BELOW_MINIMUM = 30
    NOTHING_TO_SHOW = 31
    SHOW_TOO_EARLY = 32
    SHOWDOWN_UNDECIDED = 33


@mypyc_attr(acyclic=True, free_list_len=1)
@dataclass(init=False, unsafe_hash=True)
class LegalOptions:
    """Everything that the seat may do at its open decision; amounts in chips.

    ``call`` is what calling adds (0: nothing to call). A wager goes to any street total from ``min_to`` to
    ``max_to`` in steps of ``step``; both are 0 when none is legal, and equal when only one size is (fixed-limit,
    or an all-in below the minimum, SIZE-2). ``wager`` says whether it is called BET or RAISE. ``discard`` is the
    number of cards owed, and then nothing else is legal.
    """

    seat: Final[int]
    decision_id: Final[int]
    fold: Final[bool]
    check: Final[bool]
    call: Final[int]
    wager: Final[ActionKind]
    min_to: Final[int]
    max_to: Final[int]
    step: Final[int]
    discard: Final[int]
    held: Final[tuple[int, ...]]

    def __init__(
        self,
        seat: int,
        decision_id: int,
        fold: bool = False,
        check: bool = False,
        call: int = 0,
        wager: ActionKind = ActionKind.BET,
        min_to: int = 0,
        max_to: int = 0,
        step: int = 1,
        discard: int = 0,
        held: tuple[int, ...] = (),
    ) -> None:
        self.seat = seat
        self.decision_id = decision_id
        self.fold = fold
        self.check = check
        self.call = call
        self.wager = wager
        self.min_to = min_to
        self.max_to = max_to
        self.step = step
        self.discard = discard
        self.held = held

    def _replace(self, **changes: Any) -> "LegalOptions":
        """The same with other values in some fields, as a named tuple would be asked for it."""
        return replace(self, **changes)


@mypyc_attr(acyclic=True, free_list_len=1)
@dataclass(init=False, unsafe_hash=True)
class Ruling:
    """The referee's answer to one proposal.

    Accepted: ``events`` are what followed, the action first, and ``rule`` decided it. Refused: ``reason`` and
    ``rule`` say why, ``options`` what would be legal for the seat if it has a decision, and nothing has changed
    (BET-8). ``warning`` marks an accepted action that the rules merely tolerate.
    """

    accepted: Final[bool]
    rule: Final[str]
    events: Final[tuple[Event, ...]]
    reason: Final[Reason | None]
    message: Final[str]
    options: Final[LegalOptions | None]
    warning: Final[str]

    def __init__(
        self,
        accepted: bool,
        rule: str,
        events: tuple[Event, ...] = (),
        reason: Reason | None = None,
        message: str = "",
        options: LegalOptions | None = None,
        warning: str = "",
    ) -> None:
        self.accepted = accepted
        self.rule = rule
        self.events = events
        self.reason = reason
        self.message = message
        self.options = options
        self.warning = warning

    def _replace(self, **changes: Any) -> "Ruling":
        """The same with other values in some fields, as a named tuple would be asked for it."""
        return replace(self, **changes)


REASON_RULES: Final = {
    Reason.WRONG_HAND: "BET-9",
    Reason.HAND_OVER: "BET-9",
    Reason.SEAT_NOT_IN_HAND: "BET-9",
    Reason.SEAT_FOLDED: "BET-9",
    Reason.ALREADY_DISCARDED: "DISC-2",
    Reason.SEAT_ALL_IN: "BET-5",
    Reason.OUT_OF_TURN: "BET-1",
    Reason.STALE_DECISION: "BET-9",
    Reason.UNKNOWN_ACTION: "BET-8",
    Reason.MALFORMED_ACTION: "BET-8",
    Reason.DISCARD_OWED: "DISC-1",
    Reason.NO_DISCARD_ROUND: "DISC-1",
    Reason.CARD_COUNT_WRONG: "DISC-2",
    Reason.CARD_REPEATED: "DISC-2",
    Reason.CARD_NOT_HELD: "DISC-2",
    Reason.NOTHING_TO_FOLD_TO: "BET-3",
    Reason.LAST_ELIGIBLE_CANNOT_FOLD: "BET-3",
    Reason.CHECK_WHILE_OWING: "BET-2",
    Reason.NOTHING_TO_CALL: "BET-2",
    Reason.BET_OVER_A_BET: "BET-2",
    Reason.RAISE_WITHOUT_A_BET: "BET-2",
    Reason.OPPONENTS_ALL_IN: "OPEN-4",
    Reason.NO_CHIPS_TO_RAISE: "SIZE-2",
    Reason.RAISES_CAPPED: "SIZE-6",
    Reason.RAISE_NOT_REOPENED: "OPEN-2",
    Reason.NOT_A_CHIP_MULTIPLE: "BET-8",
    Reason.ABOVE_STACK: "SIZE-2",
    Reason.NOT_THE_FIXED_SIZE: "SIZE-5",
    Reason.ABOVE_POT_LIMIT: "SIZE-4",
    Reason.BELOW_MINIMUM: "SIZE-1",
    Reason.NOTHING_TO_SHOW: "SHOW-7",
    Reason.SHOW_TOO_EARLY: "SHOW-2",
    Reason.SHOWDOWN_UNDECIDED: "RANK-1",
}
"""The rule that stands behind a reason, where the situation does not name a nearer one."""
