"""The table between hands: who sits where with what, and where button and blinds must be next.

It is the auditor's own account, kept from what the record tells, so that the beginning of each hand can be compared.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from referee.dealing.fair import FairDecks
from referee.rules.setup import Post
from referee.table.faults import is_due
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.table.seating import Beginning, Standing, begin, can_begin, first_players
from referee.table.seats import stored_standing
from referee.v1 import record_pb2, table_pb2

UNKNOWN_SEATS: Final = "seats that are not dealt in are not told, or the hand before is not in the bundle"


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


@dataclass
class Seating:
    """The seats of a table. ``is_complete`` says that every seat is known, those that are not dealt in included."""

    table_id: str
    config: PokerConfig
    seats: dict[int, AuditedSeat] = field(default_factory=dict)
    positions: Positions | None = None
    hand_number: int = 0
    closing: bool = False
    has_ended: bool = False
    is_complete: bool = True
    commitments_are_closed: bool = False

    def __post_init__(self) -> None:
        if self.config.start is not None:
            self.positions = self.config.start.before

    def forget(self) -> None:
        """Forgets everything, where pieces of the record are left out."""
        self.seats, self.positions, self.is_complete, self.closing = {}, None, False, False

    # --- who comes and goes ------------------------------------------------------------------------------

    def take(self, content: "record_pb2.StoredSeat | table_pb2.SeatTaken") -> str:
        """Seats somebody; returns what is wrong with it, empty for nothing."""
        seat, config = content.seat, self.config
        fault = ""
        if seat in self.seats:
            fault = f"seat {seat} is taken already"
        elif not 1 <= seat <= config.seats:
            fault = f"there is no seat {seat}"
        elif content.stack != config.first_stack(seat) or not content.stack:
            fault = f"seat {seat} begins with {content.stack} chips, not {config.first_stack(seat)}"
        elif config.start is not None and self.commitments_are_closed:
            fault = f"seat {seat} is taken after the beginning of a table that goes on from another one"
        elif self.closing or self.has_ended:
            fault = "a seat is taken at a closed table"
        if isinstance(content, record_pb2.StoredSeat):
            one = _seat_of(content)
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
        return fault

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
        return fault

    def top_up(self, seat: int, to: int) -> str:
        """Notes that somebody's stack is to be filled up; returns what is wrong with it."""
        one = self.seats.get(seat)
        if one is None:
            return f"nobody sits at seat {seat}" if self.is_complete else ""
        allowed = not one.leaving and 0 <= to <= self.config.top_up_to and to % self.config.stakes.chip_unit == 0
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

    def must_end(self) -> bool:
        """Whether the table must end, because fewer than two players have chips or may get some."""
        return len([seat for seat, stack in self._next_stacks().items() if stack or self.config.top_up_to]) < 2

    def _next_stacks(self) -> dict[int, int]:
        """What each seat that stays has in the next hand, seats ascending."""
        config = self.config
        return {
            seat: config.starting_stack if config.reset_stacks else max(one.stack, one.top_up_to)
            for seat, one in sorted(self.seats.items())
            if not one.leaving
        }

    def next_beginning(self, recorded_button: int, decks: FairDecks | None) -> record_pb2.StoredHandBegan | None:
        """How the next hand must begin; None when none can, because fewer than two are there to play.

        The first button is drawn from the decks, or taken as recorded where they are not known (SEAT-6).
        """
        stacks = self._next_stacks()
        standings = tuple([self.seats[seat].standing(seat, stack > 0) for seat, stack in stacks.items()])
        if not can_begin(standings):
            return None
        beginning = self._beginning(standings, recorded_button, decks)
        positions = beginning.positions
        number = self.hand_number + 1
        return record_pb2.StoredHandBegan(
            hand=number,
            hand_id=f"{self.table_id}-{number}",
            seats=[_stored_seat(one, self.seats[one.seat], stacks[one.seat]) for one in beginning.standings],
            dealt_in=positions.dealt_in,
            button_seat=positions.button,
            small_blind_position=positions.small_blind_position,
            big_blind_seat=positions.big_blind,
            closing=self.closing,
            posts=[record_pb2.StoredPost(seat=post.seat, live=post.live, dead=post.dead) for post in beginning.posts],
        )

    def _beginning(self, standings: tuple[Standing, ...], recorded_button: int, decks: FairDecks | None) -> Beginning:
        config, button = self.config, 0
        beginners = first_players(self.positions, standings)
        given = config.start.button(beginners) if config.start is not None and not self.hand_number else 0
        if given:
            button = given
        elif beginners and decks is not None:
            button = decks.first_button(beginners)
        elif beginners:
            button = recorded_button if recorded_button in beginners else beginners[0]
        return begin(config.rule_set.button_rule, config.stakes, self.positions, standings, button)

    def must_not_begin(self) -> str:
        """Why no hand may begin now, empty when one may."""
        if self.has_ended:
            return "the table has ended"
        if self.closing:
            return "the table is closed"
        if self.config.hands and self.hand_number >= self.config.hands:
            return f"all {self.config.hands} hands are played"
        return ""

    def begin(
        self,
        recorded: "record_pb2.StoredHandBegan | table_pb2.HandBegan",
        hand: int,
        right: record_pb2.StoredHandBegan | None,
    ) -> None:
        """Takes a hand's beginning as recorded, right or wrong.

        How seats stand that are not told of follows from the ``right`` one, None where that is not known.
        """
        self.hand_number = hand
        standings = () if right is None else right.seats
        if isinstance(recorded, record_pb2.StoredHandBegan):
            self.seats = {stored.seat: _seat_of(stored) for stored in recorded.seats}
            self.closing, self.is_complete = recorded.closing, True
            self.positions = Positions(
                recorded.button_seat,
                recorded.small_blind_position,
                recorded.big_blind_seat,
                tuple(recorded.dealt_in),
            )
            return
        self.seats = {seat: one for seat, one in self.seats.items() if not one.leaving}
        for seat, stack in self._next_stacks().items():
            self.seats[seat].stack, self.seats[seat].top_up_to = stack, 0
        for told in standings:
            one = self.seats[told.seat]
            one.waiting, one.posts = told.waiting, told.standing.posts
            one.owes_small_blind, one.owes_big_blind = told.standing.owes_small_blind, told.standing.owes_big_blind
        for player in recorded.players:
            one = self.seats.setdefault(player.seat, AuditedSeat(player.name, player.stack, None, faults=None))
            one.name, one.stack, one.waiting, one.posts = player.name, player.stack, False, False
            one.owes_small_blind = one.owes_big_blind = False
        self.positions = self._public_positions(recorded)

    def _public_positions(self, recorded: table_pb2.HandBegan) -> Positions | None:
        """The positions of a hand of which only the public part is known; an empty small blind's follows (SEAT-1)."""
        position = recorded.small_blind_seat
        if not position:
            if self.positions is None:
                return None
            position = self.positions.big_blind
        dealt_in = tuple([player.seat for player in recorded.players])
        return Positions(recorded.button_seat, position, recorded.big_blind_seat, dealt_in)


def _seat_of(stored: record_pb2.StoredSeat) -> AuditedSeat:
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


def _stored_seat(standing: Standing, one: AuditedSeat, stack: int) -> record_pb2.StoredSeat:
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


def differences(
    recorded: "record_pb2.StoredHandBegan | table_pb2.HandBegan",
    right: record_pb2.StoredHandBegan,
    grace_ms: int,
) -> list[Difference]:
    """Where the recorded beginning of a hand is not the right one, as far as it is told; roots are not compared.

    ``grace_ms`` is each seat's budget for lost connections.
    """
    stacks = {one.seat: one.stack for one in right.seats}
    found: list[Difference] = []

    def compare(check: str, rule: str, what: str, one: object, other: object) -> None:
        if one != other:
            found.append(Difference(check, rule, what, str(one), str(other)))

    if isinstance(recorded, record_pb2.StoredHandBegan):
        told = {one.seat: one for one in recorded.seats}
        compare("seats", "SEAT-2", "seats that are taken", sorted(told), sorted(stacks))
        for one in right.seats:
            if one.seat in told:
                _compare_seat(compare, told[one.seat], one)
        compare("positions", "SEAT-2", "players dealt in", list(recorded.dealt_in), list(right.dealt_in))
        small_blind, right_small_blind = recorded.small_blind_position, right.small_blind_position
        compare("hands", "", "closing", recorded.closing, right.closing)
        compare("hands", "BET-9", "number", recorded.hand, right.hand)
    else:
        dealt = [player.seat for player in recorded.players]
        compare("positions", "SEAT-2", "players dealt in", dealt, list(right.dealt_in))
        names = {one.seat: one.name for one in right.seats}
        for player in recorded.players:
            if player.seat in stacks:
                compare("seats", "POT-7", f"stack of seat {player.seat}", player.stack, stacks[player.seat])
                compare("seats", "", f"name of seat {player.seat}", player.name, names[player.seat])
        small_blind = recorded.small_blind_seat
        right_small_blind = right.small_blind_position if right.small_blind_position in right.dealt_in else 0
    if isinstance(recorded, record_pb2.StoredHandBegan):
        used = {one.seat: one.standing.grace_used_ms for one in recorded.seats}
        for one in right.seats:
            fault = grace_fault(one.standing.grace_used_ms, used.get(one.seat, one.standing.grace_used_ms), grace_ms)
            compare("clocks", "TIME-3", f"budget for lost connections of seat {one.seat}", fault, "")
    compare("positions", "SEAT-3", "posts", _posts_text(posts_in(recorded)), _posts_text(posts_in(right)))
    compare("positions", "SEAT-1", "button", recorded.button_seat, right.button_seat)
    compare("positions", "SEAT-1", "small blind", small_blind, right_small_blind)
    compare("positions", "SEAT-1", "big blind", recorded.big_blind_seat, right.big_blind_seat)
    compare("hands", "BET-9", "hand id", recorded.hand_id, right.hand_id)
    return found


def posts_in(content: Any) -> tuple[Post, ...]:
    """What is posted besides the blinds of a hand, by its StoredHandBegan or its HandBegan (SEAT-3)."""
    if isinstance(content, record_pb2.StoredHandBegan):
        return tuple([Post(post.seat, post.live, post.dead) for post in content.posts])
    return tuple(
        [
            Post(player.seat, player.live_post, player.dead_post)
            for player in content.players
            if player.live_post or player.dead_post
        ]
    )


def _posts_text(posts: tuple[Post, ...]) -> str:
    ordered = sorted(posts, key=lambda post: post.seat)
    return ", ".join([f"seat {post.seat} {post.live} live {post.dead} dead" for post in ordered]) or "none"


def grace_fault(before: int, after: int, budget_ms: int) -> str:
    """What is wrong with the budget for lost connections that a seat has used by a hand (TIME-3); empty for nothing.

    When connections are lost is not recorded, so that the time used can only be bounded.
    """
    return "" if before <= after <= max(before, budget_ms) else f"{after} ms of {budget_ms} ms, after {before} ms"


def _compare_seat(
    compare: Callable[[str, str, str, object, object], None], told: record_pb2.StoredSeat, right: record_pb2.StoredSeat
) -> None:
    seat = f"of seat {right.seat}"
    compare("seats", "POT-7", f"stack {seat}", told.stack, right.stack)
    compare("clocks", "TIME-1", f"bank {seat}", told.bank_ms, right.bank_ms)
    compare("seats", "SEAT-2", f"waiting {seat}", told.waiting, right.waiting)
    one, other = told.standing, right.standing
    compare("seats", "SEAT-5", f"sitting out {seat}", one.sitting_out, other.sitting_out)
    compare("seats", "SEAT-3", f"missed small blind {seat}", one.owes_small_blind, other.owes_small_blind)
    compare("seats", "SEAT-3", f"missed big blind {seat}", one.owes_big_blind, other.owes_big_blind)
    compare("seats", "SEAT-3", f"choice to post {seat}", one.posts, other.posts)
    compare("rulings", "TIME-4", f"faults {seat}", one.faults, other.faults)
    compare("seats", "SHOW-2", f"preset {seat}", told.show_when_beaten, right.show_when_beaten)
    compare("seats", "", f"name {seat}", told.name, right.name)
    compare("seats", "", f"token's hash {seat}", told.token_sha256.hex(), right.token_sha256.hex())
    compare("seats", "", f"public key {seat}", told.public_key.hex(), right.public_key.hex())
    compare("seats", "", f"wish for a seed {seat}", told.commits_seed, right.commits_seed)
    compare("seats", "", f"leaving {seat}", told.leaving, right.leaving)
