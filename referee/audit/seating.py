"""The table between hands: who sits where with what, and where button and blinds must be next.

It is the auditor's own account, kept from what the record tells, so that the beginning of each hand can be compared.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from referee.dealing.fair import FairDecks
from referee.table.config import TableConfig
from referee.table.positions import Positions, first_positions, next_positions
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
    config: TableConfig
    seats: dict[int, AuditedSeat] = field(default_factory=dict)
    positions: Positions | None = None
    hand_number: int = 0
    closing: bool = False
    has_ended: bool = False
    is_complete: bool = True
    commitments_are_closed: bool = False

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
        elif content.stack != config.starting_stack:
            fault = f"seat {seat} begins with {content.stack} chips, not {config.starting_stack}"
        elif self.closing or self.has_ended:
            fault = "a seat is taken at a closed table"
        if isinstance(content, record_pb2.StoredSeat):
            one = _seat_of(content)
            right = (config.clock.bank_ms, self.hand_number > 0, False)
            if not fault and (one.bank_ms, one.waiting, one.leaving) != right:
                fault = f"seat {seat} begins with another bank or standing"
        else:
            one = AuditedSeat(content.name, content.stack, config.clock.bank_ms, waiting=self.hand_number > 0)
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

    # --- how a hand begins -------------------------------------------------------------------------------

    def next_beginning(self, recorded_button: int, decks: FairDecks | None) -> record_pb2.StoredHandBegan | None:
        """How the next hand must begin; None when the table must end instead.

        The first button is drawn from the decks, or taken as recorded where they are not known (SEAT-6).
        """
        config = self.config
        staying = {seat: one for seat, one in sorted(self.seats.items()) if not one.leaving}
        stacks = {seat: config.starting_stack if config.reset_stacks else one.stack for seat, one in staying.items()}
        players = tuple([seat for seat in staying if stacks[seat] and not staying[seat].waiting])
        waiting = tuple([seat for seat in staying if stacks[seat] and staying[seat].waiting])
        if len(players) + len(waiting) < 2:
            return None
        positions = self._next_positions(players, waiting, recorded_button, decks)
        number = self.hand_number + 1
        return record_pb2.StoredHandBegan(
            hand=number,
            hand_id=f"{self.table_id}-{number}",
            seats=[
                record_pb2.StoredSeat(
                    seat=seat,
                    name=one.name,
                    token_sha256=one.token_sha256 or b"",
                    stack=stacks[seat],
                    bank_ms=one.bank_ms or 0,
                    show_when_beaten=bool(one.show_when_beaten),
                    waiting=one.waiting and seat not in positions.dealt_in,
                    public_key=one.public_key or b"",
                    commits_seed=bool(one.commits_seed),
                )
                for seat, one in staying.items()
            ],
            dealt_in=positions.dealt_in,
            button_seat=positions.button,
            small_blind_position=positions.small_blind_position,
            big_blind_seat=positions.big_blind,
            closing=self.closing,
        )

    def _next_positions(
        self, players: tuple[int, ...], waiting: tuple[int, ...], recorded_button: int, decks: FairDecks | None
    ) -> Positions:
        if self.positions is not None and players:
            return next_positions(self.config.rule_set.button_rule, self.positions, players, waiting)
        everybody = tuple(sorted(players + waiting))
        if decks is not None:
            return first_positions(decks.first_button(everybody), everybody)
        return first_positions(recorded_button if recorded_button in everybody else everybody[0], everybody)

    def must_not_begin(self) -> str:
        """Why no hand may begin now, empty when one may."""
        if self.has_ended:
            return "the table has ended"
        if self.closing:
            return "the table is closed"
        if self.config.hands and self.hand_number >= self.config.hands:
            return f"all {self.config.hands} hands are played"
        return ""

    def begin(self, recorded: "record_pb2.StoredHandBegan | table_pb2.HandBegan", hand: int) -> None:
        """Takes a hand's beginning as recorded, right or wrong."""
        self.hand_number = hand
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
        if self.config.reset_stacks:
            for one in self.seats.values():
                one.stack = self.config.starting_stack
        for player in recorded.players:
            one = self.seats.setdefault(player.seat, AuditedSeat(player.name, player.stack, None))
            one.name, one.stack, one.waiting = player.name, player.stack, False
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
    )


def differences(
    recorded: "record_pb2.StoredHandBegan | table_pb2.HandBegan", right: record_pb2.StoredHandBegan
) -> list[Difference]:
    """Where the recorded beginning of a hand is not the right one, as far as it is told; roots are not compared."""
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
    compare("positions", "SEAT-1", "button", recorded.button_seat, right.button_seat)
    compare("positions", "SEAT-1", "small blind", small_blind, right_small_blind)
    compare("positions", "SEAT-1", "big blind", recorded.big_blind_seat, right.big_blind_seat)
    compare("hands", "BET-9", "hand id", recorded.hand_id, right.hand_id)
    return found


def _compare_seat(
    compare: Callable[[str, str, str, object, object], None], told: record_pb2.StoredSeat, right: record_pb2.StoredSeat
) -> None:
    seat = f"of seat {right.seat}"
    compare("seats", "POT-7", f"stack {seat}", told.stack, right.stack)
    compare("clocks", "TIME-1", f"bank {seat}", told.bank_ms, right.bank_ms)
    compare("seats", "SEAT-2", f"waiting {seat}", told.waiting, right.waiting)
    compare("seats", "SHOW-2", f"preset {seat}", told.show_when_beaten, right.show_when_beaten)
    compare("seats", "", f"name {seat}", told.name, right.name)
    compare("seats", "", f"token's hash {seat}", told.token_sha256.hex(), right.token_sha256.hex())
    compare("seats", "", f"public key {seat}", told.public_key.hex(), right.public_key.hex())
    compare("seats", "", f"wish for a seed {seat}", told.commits_seed, right.commits_seed)
    compare("seats", "", f"leaving {seat}", told.leaving, right.leaving)
