"""What a scenario is, and what comes of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.conformance.game import Game


class Outcome(Enum):
    """How a scenario ended. ``NOT_EXERCISED``: the client did nothing wrong, and not what it is about either."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_EXERCISED = "not exercised"


@dataclass(frozen=True)
class Scenario:
    """One thing that a client must do right.

    ``expected`` says what, ``source`` which document or rule says so. ``seconds`` bounds how long it may take.
    """

    name: str
    expected: str
    source: str
    play: "Callable[[Game], Awaitable[None]]"
    seconds: float = 40.0


@dataclass(frozen=True)
class Verdict:
    """What came of a scenario. ``expected`` and ``seen`` are those of the step that decided it.

    ``exchanged`` is what was said, line by line, the last lines of many.
    """

    scenario: Scenario
    outcome: Outcome
    expected: str
    seen: str
    seconds: float = 0.0
    exchanged: tuple[str, ...] = field(default=(), repr=False)


class FailedError(Exception):
    """The client did something wrong."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(f"expected {expected}; seen: {seen}")
        self.expected = expected
        self.seen = seen


class NotExercisedError(Exception):
    """The client did something else, which is not wrong."""

    def __init__(self, wished: str, seen: str) -> None:
        super().__init__(f"wished for {wished}; seen: {seen}")
        self.wished = wished
        self.seen = seen
