"""A table between hands: who sits where, and what must be there when the next hand begins; whatever the game.

It is the auditor's own account, kept from what the record tells, so that the beginning of each hand can be compared.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.audit.time_used import Ruled
from referee.dealing.fair import FairDecks
from referee.table.config import TableConfig
from referee.table.faults import FaultPolicy, is_due
from referee.table.seating import Standing
from referee.table.seats import stored_standing
from referee.v1 import record_pb2, table_pb2

UNKNOWN_SEATS: Final = "seats that are not dealt in are not told, or the hand before is not in the bundle"

RecordedBeginning = record_pb2.StoredHandBegan | table_pb2.HandBegan
"""How a hand begins by its record: all of it, or what everybody was told."""


@dataclass
class AuditedSeat:
    """What the record tells of a seat; None is what it does not tell."""

    name: str
    stack: int
    bank_ms: int | None
    show_when_beaten: bool | None = None
    leaving: bool = False
    waiting: bool = False
    token_sha256: bytes | None = None
    public_key: bytes | None = None
    commits_seed: bool | None = None
    sitting_out: bool = False
    owes_small_blind: bool = False
    owes_big_blind: bool = False
    posts: bool = False
    top_up_to: int = 0
    faults: int | None = 0
    fault_is_due: bool = False
    grace_used_ms: int = 0

    def standing(self, seat: int, has_chips: bool) -> Standing:
        """How the seat stands between two hands."""
        plays = has_chips and not self.sitting_out
        return Standing(seat, plays, self.waiting, self.owes_small_blind, self.owes_big_blind, self.posts)


class Difference(NamedTuple):
    """What is wrong with the beginning of a hand: the check, the rule, what it is about, recorded and right."""

    check: str
    rule: str
    what: str
    recorded: str
    right: str


class Seating(ABC):
    """The seats of a table. ``is_complete`` says that every seat is known, those that are not dealt in included."""

    def __init__(self, table_id: str, config: TableConfig) -> None:
        self.table_id = table_id
        self.config = config
        self.seats: dict[int, AuditedSeat] = {}
        self.hand_number = 0
        self.closing = False
        self.has_ended = False
        self.is_complete = True
        self.commitments_are_closed = False

    # --- what the game says ------------------------------------------------------------------------------

    def forget(self) -> None:
        """Forgets everything, where pieces of the record are left out."""
        self.seats, self.is_complete, self.closing = {}, False, False

    def first_stack(self, seat: int) -> int:
        """The chips with which a seat begins."""
        return 0

    @abstractmethod
    def late_seat_fault(self, seat: int) -> str:
        """Why a seat cannot be taken any more, empty when it can; asked of a free one of an open table."""

    @abstractmethod
    def sitting_out_fault(self) -> str:
        """Why nobody sits out, nor in again; empty where seats may."""

    @abstractmethod
    def may_top_up(self, to: int) -> bool:
        """Whether stacks may be filled up to so many chips."""

    @abstractmethod
    def next_beginning(self, recorded: RecordedBeginning, decks: FairDecks | None) -> record_pb2.StoredHandBegan | None:
        """How the next hand must begin, roots of decks left out; None when none can, because too few are there."""

    def unknown_positions(self, decks: FairDecks | None) -> str:
        """Why it cannot be told who begins the hand; empty when it can."""
        return ""

    @abstractmethod
    def differences(self, recorded: RecordedBeginning, right: record_pb2.StoredHandBegan) -> list[Difference]:
        """Where the recorded beginning of a hand is not the right one, as far as it is told; roots are not compared."""

    @abstractmethod
    def begin(self, recorded: RecordedBeginning, hand: int, right: record_pb2.StoredHandBegan | None) -> None:
        """Takes a hand's beginning as recorded, right or wrong.

        How seats stand that are not told of follows from the ``right`` one, None where that is not known.
        """

    @abstractmethod
    def must_end(self) -> bool:
        """Whether the table must end for too few players."""

    def may_end_by_sitting_out(self) -> bool:
        """Whether the policy for faults sits seats out, and too few are left who play (TIME-4)."""
        return False

    def game_is_over(self) -> bool:
        """Whether the game is over, so that the table must end."""
        return False

    # --- who comes and goes ------------------------------------------------------------------------------

    def take(self, content: "record_pb2.StoredSeat | table_pb2.SeatTaken") -> str:
        """Seats somebody; returns what is wrong with it, empty for nothing."""
        seat, config = content.seat, self.config
        fault = ""
        if seat in self.seats:
            fault = f"seat {seat} is taken already"
        elif not 1 <= seat <= config.seats:
            fault = f"there is no seat {seat}"
        elif content.stack != self.first_stack(seat):
            fault = f"seat {seat} begins with {content.stack} chips, not {self.first_stack(seat)}"
        elif self.closing or self.has_ended:
            fault = "a seat is taken at a closed table"
        else:
            fault = self.late_seat_fault(seat)
        if isinstance(content, record_pb2.StoredSeat):
            one = seat_of(content)
            right = AuditedSeat(
                one.name,
                one.stack,
                config.clock.bank_ms,
                one.show_when_beaten,
                waiting=self.hand_number > 0,
                token_sha256=one.token_sha256,
                public_key=one.public_key,
                commits_seed=one.commits_seed,
                posts=one.posts and self.hand_number > 0,
            )
            if not fault and one != right:
                fault = f"seat {seat} begins with another bank or standing"
        else:
            waiting = self.hand_number > 0
            one = AuditedSeat(content.name, content.stack, config.clock.bank_ms, waiting=waiting, posts=content.posts)
            if not fault and content.posts and not waiting:
                fault = f"seat {seat} posts where nobody needs to"
        self.seats[seat] = one
        return fault

    def leave(self, seat: int) -> str:
        """Notes that somebody leaves; returns what is wrong with it."""
        one = self.seats.get(seat)
        if one is None:
            return f"nobody sits at seat {seat}" if self.is_complete else ""
        if one.leaving:
            return f"seat {seat} leaves a second time"
        one.leaving = True
        if self.hand_number == 0 and not self.commitments_are_closed:
            del self.seats[seat]
        return ""

    def sit_out(self, seat: int) -> str:
        """Notes that somebody sits out; returns what is wrong with it."""
        one = self.seats.get(seat)
        if one is None:
            return f"nobody sits at seat {seat}" if self.is_complete else ""
        fault = f"seat {seat} sits out already, or leaves" if one.sitting_out or one.leaving else ""
        one.sitting_out = True
        return fault or self.sitting_out_fault()

    def sit_in(self, seat: int, posts: bool) -> str:
        """Notes that somebody plays again; returns what is wrong with it."""
        one = self.seats.get(seat)
        if one is None:
            return f"nobody sits at seat {seat}" if self.is_complete else ""
        changes = one.sitting_out or (one.standing(seat, True).must_enter and one.posts != posts)
        fault = ""
        if one.leaving or (self.is_complete and not changes):
            fault = f"seat {seat} sits in though nothing changes, or it leaves"
        one.sitting_out, one.posts = False, posts
        return fault or self.sitting_out_fault()

    def top_up(self, seat: int, to: int) -> str:
        """Notes that somebody's stack is to be filled up; returns what is wrong with it."""
        one = self.seats.get(seat)
        if one is None:
            return f"nobody sits at seat {seat}" if self.is_complete else ""
        allowed = not one.leaving and self.may_top_up(to)
        one.top_up_to = to
        return "" if allowed else f"seat {seat} tops up to {to} chips, which the table does not allow"

    # --- faults (TIME-4) ---------------------------------------------------------------------------------

    def count_fault(self, seat: int) -> None:
        """Counts a fault of a seat whose faults are known."""
        one, rules = self.seats.get(seat), self.config.faults
        if one is None or rules is None or one.faults is None or one.leaving:
            return
        one.faults += 1
        one.fault_is_due = one.fault_is_due or is_due(rules, one.faults, one.sitting_out, one.leaving)

    @property
    def hands_are_forfeited(self) -> bool:
        """Whether too many faults cost a seat the hand (TIME-4)."""
        return self.config.faults is not None and self.config.faults.policy is FaultPolicy.FORFEIT_HAND

    def answer_fault(self, seat: int, told: Ruled, by_referee: bool) -> str:
        """What is wrong with who answered for a seat, by its faults (TIME-4); empty for nothing, or nothing known.

        Asked of accepted answers to decisions.
        """
        one, rules = self.seats.get(seat), self.config.faults
        is_forfeit = told.is_forfeit and by_referee
        if not self.hands_are_forfeited or rules is None:
            return "no hand is forfeited at this table" if is_forfeit else ""
        if one is None or one.faults is None or told.action == "show":
            return ""
        if one.leaving:
            return f"seat {seat} has left, and is answered for as if out of time" if is_forfeit else ""
        is_late = by_referee and told.in_its_place
        forfeits = one.fault_is_due or (is_late and is_due(rules, one.faults + 1, one.sitting_out, one.leaving))
        if forfeits == is_forfeit:
            return ""
        return f"seat {seat} has made {one.faults} faults and {'forfeits' if forfeits else 'does not forfeit'} the hand"

    def is_fault(self, seat: int, told: Ruled, had_decision: bool, by_referee: bool) -> bool:
        """Whether a ruling counts as a fault (TIME-4): of a forfeited hand only where no fault before it was due."""
        if not told.accepted:
            return had_decision and not told.is_belated
        if by_referee and told.is_forfeit:
            one = self.seats.get(seat)
            return one is not None and not one.fault_is_due
        return by_referee and told.is_timeout

    def faults_due(self) -> list[int]:
        """The seats to which the policy for faults has yet to be applied."""
        return [seat for seat, one in sorted(self.seats.items()) if one.fault_is_due]

    def forget_faults(self) -> None:
        """Notes that it is not known any more what faults there are."""
        for one in self.seats.values():
            one.faults, one.fault_is_due = None, False

    def apply_fault(self, applied: table_pb2.FaultApplied) -> str:
        """Notes what is done about a seat's faults; returns what is wrong with it."""
        one, rules = self.seats.get(applied.seat), self.config.faults
        if rules is None:
            return "the table has no rules for faults"
        if one is None:
            return f"nobody sits at seat {applied.seat}" if self.is_complete else ""
        fault = ""
        if int(applied.policy) != rules.policy or applied.faults < rules.max_faults:
            fault = f"{applied.faults} faults of seat {applied.seat} lead to something else"
        elif one.faults is not None and (not one.fault_is_due or one.faults != applied.faults):
            fault = f"seat {applied.seat} has made {one.faults} faults, not {applied.faults}"
        one.fault_is_due = False
        if applied.policy == table_pb2.FAULT_POLICY_SIT_OUT:
            one.sitting_out = True
        elif applied.policy == table_pb2.FAULT_POLICY_FORFEIT_MATCH:
            one.leaving = True
        return fault

    # --- how a hand begins -------------------------------------------------------------------------------

    def must_not_begin(self) -> str:
        """Why no hand may begin now, empty when one may."""
        if self.has_ended:
            return "the table has ended"
        if self.game_is_over():
            return "the game is over"
        if self.closing:
            return "the table is closed"
        if self.config.hands and self.hand_number >= self.config.hands:
            return f"all {self.config.hands} hands are played"
        return ""

    def grace_differences(
        self, recorded: record_pb2.StoredHandBegan, right: record_pb2.StoredHandBegan
    ) -> list[Difference]:
        """Where budgets for lost connections are not what they can be (TIME-3)."""
        budget_ms = self.config.clock.reconnect_grace_ms
        used = {one.seat: one.standing.grace_used_ms for one in recorded.seats}
        found = []
        for one in right.seats:
            before = one.standing.grace_used_ms
            fault = grace_fault(before, used.get(one.seat, before), budget_ms)
            if fault:
                what = f"budget for lost connections of seat {one.seat}"
                found.append(Difference("clocks", "TIME-3", what, fault, ""))
        return found


def seat_of(stored: record_pb2.StoredSeat) -> AuditedSeat:
    """A seat from all that is kept of it."""
    return AuditedSeat(
        stored.name,
        stored.stack,
        stored.bank_ms,
        stored.show_when_beaten,
        stored.leaving,
        stored.waiting,
        stored.token_sha256,
        stored.public_key,
        stored.commits_seed,
        stored.standing.sitting_out,
        stored.standing.owes_small_blind,
        stored.standing.owes_big_blind,
        stored.standing.posts,
        faults=stored.standing.faults,
        grace_used_ms=stored.standing.grace_used_ms,
    )


def stored_seat(standing: Standing, one: AuditedSeat, stack: int) -> record_pb2.StoredSeat:
    """All that is kept of a seat as a hand begins."""
    return record_pb2.StoredSeat(
        seat=standing.seat,
        name=one.name,
        token_sha256=one.token_sha256 or b"",
        stack=stack,
        bank_ms=one.bank_ms or 0,
        show_when_beaten=bool(one.show_when_beaten),
        waiting=standing.is_new,
        public_key=one.public_key or b"",
        commits_seed=bool(one.commits_seed),
        standing=stored_standing(standing, one.sitting_out, one.faults or 0, one.grace_used_ms),
    )


def grace_fault(before: int, after: int, budget_ms: int) -> str:
    """What is wrong with the budget for lost connections that a seat has used by a hand (TIME-3); empty for nothing.

    When connections are lost is not recorded, so that the time used can only be bounded.
    """
    return "" if before <= after <= max(before, budget_ms) else f"{after} ms of {budget_ms} ms, after {before} ms"
