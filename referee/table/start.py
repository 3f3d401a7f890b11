"""How a table begins that goes on from another one: stacks, and button and blinds of the hand before."""

from dataclasses import dataclass

from referee.rules.ruleset import MAX_CHIPS, MIN_SEATS, RuleSetError
from referee.table.positions import Positions
from referee.v1 import table_pb2


@dataclass(frozen=True)
class TableStart:
    """Stacks by seat, from seat 1, 0 for a seat that nobody takes; the positions of the hand before, if there was one.

    ``first_button`` is the first hand's button where players do not go on from a hand before, 0 for a drawn one.
    """

    stacks: tuple[int, ...]
    before: Positions | None = None
    first_button: int = 0

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that are taken."""
        return tuple([seat for seat, stack in enumerate(self.stacks, 1) if stack])

    def stack(self, seat: int) -> int:
        """The chips with which a seat begins."""
        return self.stacks[seat - 1] if 1 <= seat <= len(self.stacks) else 0

    def button(self, beginners: tuple[int, ...]) -> int:
        """The first hand's button among those who begin anew, 0 where it is drawn."""
        return self.first_button if self.first_button in beginners else 0


def start_of(message: table_pb2.TableStart) -> TableStart:
    """A start from its message."""
    before = None
    if message.HasField("before"):
        told = message.before
        before = Positions(told.button_seat, told.small_blind_position, told.big_blind_seat, tuple(told.dealt_in))
    return TableStart(tuple(message.stacks), before, message.first_button)


def start_message(start: TableStart) -> table_pb2.TableStart:
    """The message of a start."""
    message = table_pb2.TableStart(stacks=start.stacks, first_button=start.first_button)
    if start.before is not None:
        message.before.button_seat = start.before.button
        message.before.small_blind_position = start.before.small_blind_position
        message.before.big_blind_seat = start.before.big_blind
        message.before.dealt_in.extend(start.before.dealt_in)
    return message


def check_start(start: TableStart, seats: int, chip_unit: int, reset_stacks: bool) -> None:
    """Raises RuleSetError, with the rule that says so, for a start from which no table can go on."""
    if reset_stacks:
        raise RuleSetError("POT-7", "start: stacks that every hand begins with again are all the same")
    if len(start.stacks) > seats:
        raise RuleSetError("GAME-4", f"start: {len(start.stacks)} stacks for {seats} seats")
    if len(start.seats) < MIN_SEATS:
        raise RuleSetError("GAME-4", "start: fewer than two seats have chips")
    if min(start.stacks) < 0 or sum(start.stacks) > MAX_CHIPS:
        raise RuleSetError("POT-7", f"start: stacks are 0 to {MAX_CHIPS} chips, all together")
    if any([stack % chip_unit for stack in start.stacks]):
        raise RuleSetError("BET-8", f"start: a stack is not a multiple of {chip_unit}")
    if start.first_button and start.first_button not in start.seats:
        raise RuleSetError("SEAT-6", f"start: nobody sits at the first button, seat {start.first_button}")
    if start.before is not None:
        _check_before(start.before, seats)


def _check_before(before: Positions, seats: int) -> None:
    dealt_in = set(before.dealt_in)
    named = {before.button, before.small_blind_position, before.big_blind, *dealt_in}
    if not 1 <= min(named) <= max(named) <= seats:
        raise RuleSetError("SEAT-1", f"start: the hand before names a seat that is not one of {seats}")
    if len(dealt_in) < MIN_SEATS or len(dealt_in) != len(before.dealt_in) or before.big_blind not in dealt_in:
        raise RuleSetError("SEAT-1", "start: the hand before was dealt to two or more seats, the big blind among them")
    heads_up = before.button == before.small_blind_position
    if before.small_blind_position == before.big_blind or heads_up != (len(dealt_in) == MIN_SEATS):
        raise RuleSetError("SEAT-1", "start: button and blinds of the hand before do not go together")
