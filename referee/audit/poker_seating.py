"""A table of poker between hands: stacks, and where button and blinds must be next."""

from collections.abc import Callable
from typing import Any

from referee.audit.seating import AuditedSeat, Difference, RecordedBeginning, Seating, seat_of, stored_seat
from referee.dealing.fair import FairDecks
from referee.rules.setup import Post
from referee.table.faults import FaultPolicy
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.table.seating import Beginning, Standing, begin, can_begin, first_players
from referee.v1 import record_pb2, table_pb2


class PokerSeating(Seating):
    """The seats of a table of poker, and the positions of the last hand, None where they are not known."""

    def __init__(self, table_id: str, config: PokerConfig) -> None:
        super().__init__(table_id, config)
        self.rules = config
        self.positions: Positions | None = None if config.start is None else config.start.before

    def forget(self) -> None:
        """Forgets everything, where pieces of the record are left out."""
        super().forget()
        self.positions = None

    def first_stack(self, seat: int) -> int:
        """The chips with which a seat begins."""
        return self.rules.first_stack(seat)

    def late_seat_fault(self, seat: int) -> str:
        """Why a seat cannot be taken any more, or not at all."""
        if not self.first_stack(seat):
            return f"seat {seat} begins without chips"
        if self.rules.start is not None and self.commitments_are_closed:
            return f"seat {seat} is taken after the beginning of a table that goes on from another one"
        return ""

    def sitting_out_fault(self) -> str:
        """Whether seats may sit out: they may."""
        return ""

    def may_top_up(self, to: int) -> bool:
        """Whether stacks may be filled up to so many chips."""
        return 0 <= to <= self.rules.top_up_to and to % self.rules.stakes.chip_unit == 0

    # --- how a hand begins -------------------------------------------------------------------------------

    def must_end(self) -> bool:
        """Whether the table must end, because fewer than two players have chips or may get some."""
        return len([seat for seat, stack in self._next_stacks().items() if stack or self.rules.top_up_to]) < 2

    def may_end_by_sitting_out(self) -> bool:
        """Whether the policy for faults sits seats out, and fewer than two are left who play (TIME-4)."""
        rules = self.config.faults
        if rules is None or rules.policy is not FaultPolicy.SIT_OUT:
            return False
        standings = [self.seats[seat].standing(seat, stack > 0) for seat, stack in self._next_stacks().items()]
        return not can_begin(tuple(standings))

    def _next_stacks(self) -> dict[int, int]:
        """What each seat that stays has in the next hand, seats ascending."""
        config = self.rules
        return {
            seat: config.starting_stack if config.reset_stacks else max(one.stack, one.top_up_to)
            for seat, one in sorted(self.seats.items())
            if not one.leaving
        }

    def next_beginning(self, recorded: RecordedBeginning, decks: FairDecks | None) -> record_pb2.StoredHandBegan | None:
        """How the next hand must begin; None when none can, because fewer than two are there to play.

        The first button is drawn from the decks, or taken as recorded where they are not known (SEAT-6).
        """
        stacks = self._next_stacks()
        standings = tuple([self.seats[seat].standing(seat, stack > 0) for seat, stack in stacks.items()])
        if not can_begin(standings):
            return None
        beginning = self._beginning(standings, recorded.button_seat, decks)
        positions = beginning.positions
        number = self.hand_number + 1
        return record_pb2.StoredHandBegan(
            hand=number,
            hand_id=f"{self.table_id}-{number}",
            seats=[stored_seat(one, self.seats[one.seat], stacks[one.seat]) for one in beginning.standings],
            dealt_in=positions.dealt_in,
            button_seat=positions.button,
            small_blind_position=positions.small_blind_position,
            big_blind_seat=positions.big_blind,
            closing=self.closing,
            posts=[record_pb2.StoredPost(seat=post.seat, live=post.live, dead=post.dead) for post in beginning.posts],
        )

    def _beginning(self, standings: tuple[Standing, ...], recorded_button: int, decks: FairDecks | None) -> Beginning:
        config, button = self.rules, 0
        beginners = first_players(self.positions, standings)
        given = config.start.button(beginners) if config.start is not None and not self.hand_number else 0
        if given:
            button = given
        elif beginners and decks is not None:
            button = decks.first_button(beginners)
        elif beginners:
            button = recorded_button if recorded_button in beginners else beginners[0]
        return begin(config.rule_set.button_rule, config.stakes, self.positions, standings, button)

    def unknown_positions(self, decks: FairDecks | None) -> str:
        """Why it cannot be told where the button is."""
        unknown = self.positions is None and decks is None
        return "the first button is drawn from seeds that are not revealed" if unknown else ""

    def differences(self, recorded: RecordedBeginning, right: record_pb2.StoredHandBegan) -> list[Difference]:
        """Where the recorded beginning of a hand is not the right one, as far as it is told."""
        found = _differences(recorded, right)
        if isinstance(recorded, record_pb2.StoredHandBegan):
            found.extend(self.grace_differences(recorded, right))
        return found

    def begin(
        self,
        recorded: RecordedBeginning,
        hand: int,
        right: record_pb2.StoredHandBegan | None,
    ) -> None:
        """Takes a hand's beginning as recorded, right or wrong.

        How seats stand that are not told of follows from the ``right`` one, None where that is not known.
        """
        self.hand_number = hand
        standings = () if right is None else right.seats
        if isinstance(recorded, record_pb2.StoredHandBegan):
            self.seats = {stored.seat: seat_of(stored) for stored in recorded.seats}
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


def _differences(recorded: RecordedBeginning, right: record_pb2.StoredHandBegan) -> list[Difference]:
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
    compare("positions", "SEAT-3", "posts", _posts_text(posts_in(recorded)), _posts_text(posts_in(right)))
    compare("positions", "SEAT-1", "button", recorded.button_seat, right.button_seat)
    compare("positions", "SEAT-1", "small blind", small_blind, right_small_blind)
    compare("positions", "SEAT-1", "big blind", recorded.big_blind_seat, right.big_blind_seat)
    compare("hands", "BET-9", "hand id", recorded.hand_id, right.hand_id)
    compare("hands", "GAME-3", "what a round of Kozel begins with", recorded.HasField("kozel"), False)
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
