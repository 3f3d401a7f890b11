"""The arithmetic of time (TIME-1 to TIME-3): no clock is read here, moments are passed in as milliseconds."""

from dataclasses import dataclass
from typing import Final

UNLIMITED: Final = 0
"""An action time that means that there is no clock."""


@dataclass(frozen=True)
class ClockRules:
    """Milliseconds for each decision, in the bank at the start, added after each answer in time, and for latency.

    ``reconnect_grace_ms`` is how long altogether a seat's clocks stand still while it has no connection.
    """

    action_ms: int = UNLIMITED
    bank_ms: int = 0
    increment_ms: int = 0
    latency_allowance_ms: int = 0
    reconnect_grace_ms: int = 0


def elapsed(rules: ClockRules, started_ms: int, received_ms: int) -> int:
    """How much of a decision's time an answer took, the allowance for latency taken off (TIME-1)."""
    return max(0, received_ms - started_ms - rules.latency_allowance_ms)


def allowed(rules: ClockRules, bank_ms: int) -> int:
    """How long a decision may last: its own time and what is left of the bank (TIME-1)."""
    return rules.action_ms + bank_ms


def is_late(rules: ClockRules, bank_ms: int, elapsed_ms: int) -> bool:
    """Whether an answer after so long is out of time; exactly on the deadline is in time (TIME-1)."""
    return rules.action_ms != UNLIMITED and elapsed_ms > allowed(rules, bank_ms)


def bank_after_answer(rules: ClockRules, bank_ms: int, elapsed_ms: int) -> int:
    """The bank after an answer in time: only time beyond the decision's own comes from it, then it grows (TIME-1)."""
    if rules.action_ms == UNLIMITED:
        return bank_ms
    return bank_ms - max(0, elapsed_ms - rules.action_ms) + rules.increment_ms


def grace_taken(rules: ClockRules, used_ms: int, away_ms: int) -> int:
    """How much of an absence the clock stands still: as far as the budget goes of which some is used (TIME-3)."""
    return min(away_ms, max(0, rules.reconnect_grace_ms - used_ms))


def latest_answer(rules: ClockRules, bank_ms: int, started_ms: int) -> int:
    """The last moment at which an answer is in time."""
    return started_ms + allowed(rules, bank_ms) + rules.latency_allowance_ms
