"""What may be proposed, and what the referee answers: closed lists with stable numbers."""

from enum import IntEnum
from typing import Final, NamedTuple

from referee.kozel.events import End, Event
from referee.kozel.tiles import UNKNOWN


class ActionKind(IntEnum):
    """What a seat may propose.

    The referee draws and knocks by itself (KOZ-5): who has a decision holds a tile that he can lay, so that a proposal
    to draw or to knock is always refused.
    """

    LAY = 1
    DRAW = 2
    KNOCK = 3
    TIMEOUT = 4


LAY: Final = ActionKind.LAY
DRAW: Final = ActionKind.DRAW
KNOCK: Final = ActionKind.KNOCK
TIMEOUT: Final = ActionKind.TIMEOUT


class Proposal(NamedTuple):
    """One proposed action; ``tile`` and ``end`` are those of a LAY.

    ``end`` NONE is right for the first tile, and for a tile that fits one end only. ``hand_id`` "" and ``decision_id``
    0 mean "the decision that is open now", which only a caller that replays a record may say (BET-9).
    """

    seat: int
    kind: ActionKind
    tile: int = UNKNOWN
    end: End = End.NONE
    hand_id: str = ""
    decision_id: int = 0


class Reason(IntEnum):
    """Why a proposal is refused, in order of precedence: of several faults the first listed is given.

    Numbers never change meaning; new reasons take new numbers and say where they stand in the order.
    """

    WRONG_ROUND = 1
    ROUND_OVER = 2
    SEAT_NOT_IN_ROUND = 3
    OUT_OF_TURN = 4
    STALE_DECISION = 5
    UNKNOWN_ACTION = 6
    MALFORMED_ACTION = 7
    HOLDS_A_PLAYABLE_TILE = 8
    NO_SUCH_TILE = 9
    TILE_NOT_HELD = 10
    OPENING_TILE_COMPULSORY = 11
    TILE_DOES_NOT_FIT = 12
    END_NOT_NAMED = 13
    END_DOES_NOT_FIT = 14


REASON_RULES: Final = {
    Reason.WRONG_ROUND: "BET-9",
    Reason.ROUND_OVER: "BET-9",
    Reason.SEAT_NOT_IN_ROUND: "BET-9",
    Reason.OUT_OF_TURN: "KOZ-4",
    Reason.STALE_DECISION: "BET-9",
    Reason.UNKNOWN_ACTION: "BET-8",
    Reason.MALFORMED_ACTION: "BET-8",
    Reason.HOLDS_A_PLAYABLE_TILE: "KOZ-5",
    Reason.NO_SUCH_TILE: "KOZ-1",
    Reason.TILE_NOT_HELD: "KOZ-4",
    Reason.OPENING_TILE_COMPULSORY: "KOZ-3",
    Reason.TILE_DOES_NOT_FIT: "KOZ-4",
    Reason.END_NOT_NAMED: "KOZ-4",
    Reason.END_DOES_NOT_FIT: "KOZ-4",
}
"""The rule that stands behind each reason. Those about messages (BET-8, BET-9) hold for every game."""


class Move(NamedTuple):
    """A tile and the end that it may be laid at; the first tile of a round is laid at none."""

    tile: int
    end: End


class LegalOptions(NamedTuple):
    """Everything that the seat may do at its open decision: ``moves``, of which there is always one (KOZ-5).

    ``held`` are all its tiles, in the order in which they came.
    """

    seat: int
    decision_id: int
    moves: tuple[Move, ...]
    held: tuple[int, ...]


class Ruling(NamedTuple):
    """The referee's answer to one proposal.

    Accepted: ``events`` are what followed, the action first, and ``rule`` decided it. Refused: ``reason`` and
    ``rule`` say why, ``options`` what would be legal for the seat if it has a decision, and nothing has changed
    (BET-8).
    """

    accepted: bool
    rule: str
    events: tuple[Event, ...] = ()
    reason: Reason | None = None
    message: str = ""
    options: LegalOptions | None = None
