"""Outlines of hands in PHH: what the rules are asked about, apart from the cards, still as it is written.

Hands of an archive say mostly the same. Two of one frame that tell the same actions and the same result differ in
nothing but their cards and their number. A hand has an outline where it is written as archives are: a field a line,
the deals of two cards each first and in the order of the players. Any other hand has none, and is only read.
"""

import re
from collections.abc import Iterable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from referee.record.hand_record import RecordedStep, Step
from referee.record.notation.amounts import MAX_DIGITS
from referee.rules.cards import DECK_SIZE, RANKS, SUITS, UNKNOWN_TEXT, parse_cards
from referee.rules.ruleset import MAX_SEATS

MAX_OUTLINED_ACTIONS: Final = 1_000
"""Actions of a hand that has an outline; no more are read either."""

MAX_FRAME_LETTERS: Final = 4_096
"""Letters of a frame; those of an archive have some hundreds."""

OUTLINED_HOLE_CARDS: Final = 2

DEALT: Final = "d db "
"""What an action that tells cards of the board begins with."""

_DEALS: Final = tuple([f"d dh p{player} " for player in range(1, MAX_SEATS + 1)])
_PLAYERS: Final = {f"p{player}": player for player in range(1, MAX_SEATS + 1)}
_ACTIONS: Final = "\nactions = ['"
_ACTIONS_END: Final = "']\n"
_WAGER: Final = "cbr "
_RESULT: Final = "finishing_stacks = ["
_MARK: Final = "\0"
"""Stands in a frame for what is left out of it; no text has it."""

_NUMBER: Final = "hand = "
_NUMBER_LINE: Final = re.compile(r"^hand = (?:0|[1-9][0-9]{0,17})$", re.MULTILINE)

_NONE: Final = 255
_RANK_OF: Final = bytes([RANKS.find(chr(code)) % (_NONE + 1) for code in range(128)])
_SUIT_OF: Final = bytes([SUITS.find(chr(code)) % (_NONE + 1) for code in range(128)])
_BITS: Final = [2**card for card in range(DECK_SIZE)]

NO_CARDS: Final = -1


def bits_of(text: str, begin: int) -> i64:
    """A bit for each known one of the cards that an ASCII text ends with from ``begin`` on, such as ``AhKd``.

    NO_CARDS where one of them is there twice, and where it does not end so.
    """
    end = len(text)
    if begin >= end or (end - begin) % 2:
        return NO_CARDS
    bits: i64 = 0
    for at in range(begin, end, 2):
        rank: i64 = _RANK_OF[ord(text[at])]
        suit: i64 = _SUIT_OF[ord(text[at + 1])]
        if rank != _NONE and suit != _NONE:
            bit: i64 = _BITS[len(SUITS) * rank + suit]
            if bits & bit:
                return NO_CARDS
            bits |= bit
        elif text[at : at + 2] != UNKNOWN_TEXT:
            return NO_CARDS
    return bits


@mypyc_attr(acyclic=True, free_list_len=1)
class Outline:
    """The outline of one hand.

    ``frame`` is every line beside the hand's number, its actions and its result, ``result`` the line of the finishing
    stacks without its end, empty where there is none. ``actions`` are as they are written. The first of them deal hole
    cards, one to each of the ``players``; ``bits`` has a bit for each known one of these.
    """

    def __init__(self, frame: str, result: str, actions: list[str], players: int, bits: i64) -> None:
        self.frame: Final = frame
        self.result: Final = result
        self.actions: Final = actions
        self.players: Final = players
        self.bits: Final = bits

    def holes(self) -> tuple[tuple[int, ...], ...]:
        """The hole cards of each player."""
        return tuple([parse_cards(self.actions[at][len(_DEALS[at]) :]) for at in range(self.players)])


def outline_of(text: str) -> Outline | None:
    """The outline of a hand from all its lines, the header of its table not included; None where it has none."""
    before, found, rest = text.partition(_ACTIONS)
    written, ended, after = rest.partition(_ACTIONS_END)
    if not found or not ended or not written.isascii() or _MARK in text:
        return None
    actions = written.split("', '")
    if len(actions) > MAX_OUTLINED_ACTIONS:
        return None
    bits: i64 = 0
    players = 0
    for action in actions:
        if players == MAX_SEATS or not action.startswith(_DEALS[players]):
            break
        begin = len(_DEALS[players])
        dealt = bits_of(action, begin)
        if dealt < 0 or bits & dealt or len(action) != begin + 2 * OUTLINED_HOLE_CARDS:
            return None
        bits |= dealt
        players += 1
    result, others, numbers = "", "", 0
    for line in after.split("\n"):
        if line.startswith(_RESULT) and not result:
            result = line
        elif line.startswith(_NUMBER) and _NUMBER_LINE.match(line):
            numbers += 1
        elif line:
            others += f"{line}\n"
    frame = before
    if _NUMBER in before:
        frame, found_before = _NUMBER_LINE.subn(_MARK, before)
        numbers += found_before
    # Whether these fields are there is part of the frame, so that a hand of a frame that was read is TOML as well.
    if numbers or others or not result:
        frame = f"{frame}{_MARK}{numbers}{result != ''}{others}"
    if numbers > 1 or len(frame) > MAX_FRAME_LETTERS:
        return None
    return Outline(frame, result, actions, players, bits)


def board_bits(action: str) -> i64:
    """A bit for each known card that an action deals to the board; NO_CARDS for any other action."""
    return bits_of(action, len(DEALT)) if action.startswith(DEALT) else NO_CARDS


def cards_on_board(action: str) -> int:
    """How many cards an action deals to the board, if that is what it does."""
    return (len(action) - len(DEALT)) // 2


_BETTING: Final[dict[str, RecordedStep]] = {}
"""Betting steps that were read, with the player's number for his seat: there are few different ones."""

_REMEMBERED_STEPS: Final = 4_096


def betting_step(action: str, seats: tuple[int, ...]) -> RecordedStep | None:
    """The fold, check or call, or bet or raise of whole chips, that is written as usual; None for any other action."""
    step = _BETTING.get(action)
    if step is None:
        step = _read_betting(action)
        if step is None:
            return None
        if len(_BETTING) >= _REMEMBERED_STEPS:
            _BETTING.clear()
        _BETTING[action] = step
    if step.seat > len(seats):
        return None
    seat = seats[step.seat - 1]
    return step if seat == step.seat else RecordedStep(step.step, seat, step.to)


def _read_betting(action: str) -> RecordedStep | None:
    player, _, what = action.partition(" ")
    number = _PLAYERS.get(player)
    if number is None:
        return None
    if what == "f":
        return RecordedStep(Step.FOLD, number)
    if what == "cc":
        return RecordedStep(Step.CHECK_OR_CALL, number)
    to = what[len(_WAGER) :]
    if not what.startswith(_WAGER) or not to.isascii() or not to.isdecimal() or len(to) > MAX_DIGITS:
        return None
    return RecordedStep(Step.BET_OR_RAISE, number, int(to))


def showing_step(action: str, seats: tuple[int, ...]) -> RecordedStep | None:
    """The hand that is shown with its cards, or mucked, written as usual; None for any other action."""
    player, found, what = action.partition(" sm")
    number = _PLAYERS.get(player, 0)
    if not found or not 1 <= number <= len(seats):
        return None
    if not what:
        return RecordedStep(Step.MUCK, seats[number - 1])
    if what[0] != " " or bits_of(what, 1) < 0:
        return None
    return RecordedStep(Step.SHOW, seats[number - 1], cards=parse_cards(what[1:]))


def result_line(stacks: Iterable[int]) -> str:
    """The line of these finishing stacks as archives write it, without its end."""
    return _RESULT + ", ".join([str(stack) for stack in stacks]) + "]"
