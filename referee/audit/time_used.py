"""What the record tells of time: how long answers took, and what they left of the bank (TIME-1 to TIME-3).

A decision's clock may start up to the write of the question, which is not recorded, so that the time used can only be
bounded: it is at most what passed since the question was stored. What the bank is after it is exact.
"""

from dataclasses import dataclass
from typing import NamedTuple

from referee.table.clocks import UNLIMITED, ClockRules, bank_after_answer, is_late
from referee.table.table import KEPT_REFUSALS
from referee.v1 import record_pb2


@dataclass
class AskedSeat:
    """A decision that is open: when it was stored, None when clocks were set back since; the last time it was read."""

    decision_id: int
    asked_ms: int | None
    refusals: int = 0
    read_received_ms: int | None = None
    read_elapsed_ms: int = 0


class Ruled(NamedTuple):
    """What a recorded ruling says in every game: whether it accepts, whose the proposal calls itself (0 for whoever
    sent it), what it proposes by its name in the contract, and whether it was refused because it was meant for another
    decision than the open one."""

    accepted: bool
    seat: int
    action: str
    is_belated: bool

    @property
    def is_timeout(self) -> bool:
        """Whether it says that time is over."""
        return self.action == "timeout"

    @property
    def is_forfeit(self) -> bool:
        """Whether it says that faults cost the seat its hand (TIME-4)."""
        return self.action == "forfeit"

    @property
    def in_its_place(self) -> bool:
        """Whether it is what only the referee proposes, in a seat's place."""
        return self.is_timeout or self.is_forfeit


class TimeFault(NamedTuple):
    """What is wrong with the time of a ruling: the check, what it is about, recorded and right."""

    check: str
    message: str
    recorded: str = ""
    right: str = ""


def time_faults(
    rules: ClockRules,
    decision: AskedSeat | None,
    bank_ms: int | None,
    told: Ruled,
    stored: record_pb2.StoredRuling,
    has_left: bool,
    has_forfeited: bool,
) -> list[TimeFault]:
    """What is wrong with the times of a ruling on a proposal; ``bank_ms`` is the bank before it, None if not known.

    ``decision`` is the seat's open one, None when it has none. A seat that ``has_left``, or ``has_forfeited`` the hand
    by faults that were counted before (TIME-4), is answered for at once.
    """
    faults: list[TimeFault] = []
    accepted, elapsed_ms = told.accepted, stored.elapsed_ms
    if decision is None:
        if elapsed_ms:
            faults.append(TimeFault("clocks", "time is used of no decision", str(elapsed_ms), "0"))
        if bank_ms is not None and stored.bank_ms != bank_ms:
            faults.append(TimeFault("clocks", "the bank changes without a decision", str(stored.bank_ms), str(bank_ms)))
        return faults
    faults.extend(_bounds(rules, decision, stored))
    if stored.further_refusals and (not accepted or decision.refusals < KEPT_REFUSALS):
        kept = f"{decision.refusals} of {KEPT_REFUSALS} that are kept"
        faults.append(TimeFault("refusals", "refusals are left out", str(stored.further_refusals), kept))
    if bank_ms is None:
        return faults
    late = is_late(rules, bank_ms, elapsed_ms)
    right = bank_ms if not accepted else 0 if late else bank_after_answer(rules, bank_ms, elapsed_ms)
    if stored.bank_ms != right:
        faults.append(TimeFault("clocks", "what is left of the bank", str(stored.bank_ms), str(right)))
    allowed = f"{rules.action_ms} + {bank_ms} ms"
    if has_left and accepted and not told.is_timeout:
        faults.append(TimeFault("timeouts", "who has left is answered for at once", told.action, "timeout"))
    if told.in_its_place:
        if not (late or has_left or has_forfeited):
            faults.append(TimeFault("timeouts", "answered for a seat that had time left", f"{elapsed_ms} ms", allowed))
    elif late:
        faults.append(TimeFault("timeouts", "an answer out of time counts", f"{elapsed_ms} ms", f"at most {allowed}"))
    return faults


def _bounds(rules: ClockRules, decision: AskedSeat, stored: record_pb2.StoredRuling) -> list[TimeFault]:
    """Whether the time used fits the moments that are told."""
    elapsed_ms, received_ms = stored.elapsed_ms, stored.received_unix_ms
    if elapsed_ms < 0 or (rules.action_ms == UNLIMITED and elapsed_ms):
        return [TimeFault("clocks", "time used", f"{elapsed_ms} ms", "0 ms")]
    if decision.asked_ms is not None:
        most = max(0, received_ms - decision.asked_ms - rules.latency_allowance_ms)
        if elapsed_ms > most:
            return [TimeFault("clocks", "more time is used than passed", f"{elapsed_ms} ms", f"at most {most} ms")]
    before = decision.read_received_ms
    if before is not None and received_ms >= before:
        least, most = decision.read_elapsed_ms, decision.read_elapsed_ms + received_ms - before
        if not least <= elapsed_ms <= most:
            right = f"{least} to {most} ms"
            return [TimeFault("clocks", "refused proposals share one clock (TIME-3)", f"{elapsed_ms} ms", right)]
    return []
