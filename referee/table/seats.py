"""Who sits at a table with what, live and as it is stored."""

from dataclasses import dataclass
from typing import final

from referee.table.seating import Standing
from referee.v1 import record_pb2


class TableError(Exception):
    """A request that the table as it stands cannot take, such as a seat that is taken already."""


@final
@dataclass(init=False)
class Seat:
    """Who sits where with what. ``bank_ms`` is what is left of the time bank, ``token_sha256`` proves the seat's token.

    ``waiting`` seats are new and wait for the big blind unless they post (SEAT-2), ``leaving`` ones are gone when the
    hand under way has ended. ``public_key`` is what its proposals may be signed for; ``commits_seed`` says that it
    wants to commit to a seed. Before the next hand its stack is filled up to ``top_up_to``. ``fault_is_due`` says
    that the policy for its ``faults`` is to be applied (TIME-4).
    """

    name: str
    token_sha256: bytes
    stack: int
    bank_ms: int
    show_when_beaten: bool
    leaving: bool
    waiting: bool
    public_key: bytes
    commits_seed: bool
    sitting_out: bool
    owes_small_blind: bool
    owes_big_blind: bool
    posts: bool
    top_up_to: int
    faults: int
    fault_is_due: bool
    grace_used_ms: int

    def __init__(
        self,
        name: str,
        token_sha256: bytes,
        stack: int,
        bank_ms: int,
        show_when_beaten: bool = False,
        leaving: bool = False,
        waiting: bool = False,
        public_key: bytes = b"",
        commits_seed: bool = False,
    ) -> None:
        self.name = name
        self.token_sha256 = token_sha256
        self.stack = stack
        self.bank_ms = bank_ms
        self.show_when_beaten = show_when_beaten
        self.leaving = leaving
        self.waiting = waiting
        self.public_key = public_key
        self.commits_seed = commits_seed
        self.sitting_out = False
        self.owes_small_blind = False
        self.owes_big_blind = False
        self.posts = False
        self.top_up_to = 0
        self.faults = 0
        self.fault_is_due = False
        self.grace_used_ms = 0

    def simply_plays(self) -> bool:
        """Whether the seat is to be dealt in, if it has chips, without more ado."""
        return not (self.waiting or self.sitting_out or self.owes_big_blind or self.owes_small_blind or self.posts)

    def standing(self, seat: int, has_chips: bool) -> Standing:
        """How the seat stands between two hands."""
        plays = has_chips and not self.sitting_out
        return Standing(seat, plays, self.waiting, self.owes_small_blind, self.owes_big_blind, self.posts)


def seat_of(stored: record_pb2.StoredSeat) -> Seat:
    """A seat from all that is kept of it."""
    one = Seat(
        stored.name,
        stored.token_sha256,
        stored.stack,
        stored.bank_ms,
        stored.show_when_beaten,
        stored.leaving,
        stored.waiting,
        stored.public_key,
        stored.commits_seed,
    )
    if stored.HasField("standing"):
        standing = stored.standing
        one.sitting_out, one.posts, one.faults = standing.sitting_out, standing.posts, standing.faults
        one.owes_small_blind, one.owes_big_blind = standing.owes_small_blind, standing.owes_big_blind
        one.grace_used_ms = standing.grace_used_ms
    return one


def stored_seat(standing: Standing, one: Seat, stack: int) -> record_pb2.StoredSeat:
    """All that is kept of a seat as a hand begins."""
    return record_pb2.StoredSeat(
        seat=standing.seat,
        name=one.name,
        token_sha256=one.token_sha256,
        stack=stack,
        bank_ms=one.bank_ms,
        show_when_beaten=one.show_when_beaten,
        leaving=one.leaving,
        waiting=standing.is_new,
        public_key=one.public_key,
        commits_seed=one.commits_seed,
        standing=stored_standing(standing, one.sitting_out, one.faults, one.grace_used_ms),
    )


def stored_standing(
    standing: Standing, sitting_out: bool, faults: int, grace_used_ms: int
) -> record_pb2.StoredStanding | None:
    """How a seat stands, None when it simply plays and has used no budget."""
    owes = standing.posts or standing.owes_small_blind or standing.owes_big_blind
    if not (sitting_out or faults or grace_used_ms or owes):
        return None
    return record_pb2.StoredStanding(
        sitting_out=sitting_out,
        owes_small_blind=standing.owes_small_blind,
        owes_big_blind=standing.owes_big_blind,
        posts=standing.posts,
        faults=faults,
        grace_used_ms=grace_used_ms,
    )
