"""Outlines of hands in PHH: what the rules are asked about, apart from the cards, still as it is written.

Hands of an archive say mostly the same. Two of one frame that tell the same actions and the same result differ in
nothing but their cards and their number. A hand has an outline where it is written as archives are: a field a line,
the deals of two cards each first and in the order of the players. Any other hand has none, and is only read.
"""

import re
from collections.abc import Iterable
from typing import Final

from referee.record.hand_record import RecordedStep, Step
from referee.record.notation.amounts import MAX_DIGITS
from referee.rules.cards import DECK_SIZE, UNKNOWN, parse_cards
from referee.rules.ruleset import MAX_SEATS

MAX_OUTLINED_ACTIONS: Final = 1_000
"""Actions of a hand that has an outline; no more are read either."""

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

_NUMBER: Final = re.compile(r"^hand = (?:0|[1-9][0-9]{0,17})$", re.MULTILINE)
_BITS: Final = tuple([2**card for card in range(DECK_SIZE)])


class Cards:
    """Some cards, UNKNOWN ones among them; ``bits`` has a bit for each known one, ``repeat`` tells that one is twice."""

    def __init__(self, cards: tuple[int, ...]) -> None:
        bits, repeats = 0, False
        for card in cards:
            if card != UNKNOWN:
                repeats = repeats or bits & _BITS[card] != 0
                bits |= _BITS[card]
        self.cards: Final = cards
        self.bits: Final = bits
        self.repeats: Final = repeats


_REMEMBERED: Final[dict[str, Cards]] = {}
"""Cards by how they are written: of two there are some thousands, and boards repeat themselves less."""

_REMEMBERED_CARDS: Final = 16_384
_REMEMBERED_LETTERS: Final = 10


def cards_of(text: str) -> Cards | None:
    """Cards written one after another, such as ``AhKd``; None for anything else."""
    known = _REMEMBERED.get(text)
    if known is not None:
        return known
    if len(text) > _REMEMBERED_LETTERS or " " in text:
        return None
    try:
        read = Cards(parse_cards(text))
    except ValueError:
        return None
    if len(_REMEMBERED) >= _REMEMBERED_CARDS:
        _REMEMBERED.clear()
    _REMEMBERED[text] = read
    return read


class Outline:
    """The outline of one hand.

    ``frame`` is every line beside the hand's number, its actions and its result, ``result`` the line of the finishing
    stacks without its end, empty where there is none. ``actions`` are as they are written, of which the first ``players``
    deal hole cards; ``bits`` has a bit for each known one of these (see :class:`Cards`).
    """

    def __init__(self, frame: str, result: str, actions: list[str], players: int, bits: int) -> None:
        self.frame: Final = frame
        self.result: Final = result
        self.actions: Final = actions
        self.players: Final = players
        self.bits: Final = bits

    def holes(self) -> tuple[tuple[int, ...], ...]:
        """The hole cards of each player."""
        holes: list[tuple[int, ...]] = []
        for at in range(self.players):
            dealt = cards_of(self.actions[at][len(_DEALS[at]) :])
            assert dealt is not None, "an outline has been read"
            holes.append(dealt.cards)
        return tuple(holes)


def outline_of(text: str) -> Outline | None:
    """The outline of a hand from all its lines, the header of its table not included; None where it has none."""
    before, found, rest = text.partition(_ACTIONS)
    written, ended, after = rest.partition(_ACTIONS_END)
    if not found or not ended or _MARK in text:
        return None
    actions = written.split("', '")
    if len(actions) > MAX_OUTLINED_ACTIONS:
        return None
    bits, players = 0, 0
    for action in actions:
        if players == MAX_SEATS or not action.startswith(_DEALS[players]):
            break
        dealt = cards_of(action[len(_DEALS[players]) :])
        if dealt is None or len(dealt.cards) != OUTLINED_HOLE_CARDS or dealt.repeats or bits & dealt.bits:
            return None
        bits |= dealt.bits
        players += 1
    result, others = "", ""
    for line in after.split("\n"):
        if line.startswith(_RESULT) and not result:
            result = line
        elif line:
            others += f"{line}\n"
    frame, numbers = f"{before}\n{_MARK}\n{others}" if others else before, 0
    if "hand = " in frame:
        frame, numbers = _NUMBER.subn(_MARK, frame)
    # Whether these fields are there is part of the frame, so that a hand of a frame that was read is TOML as well.
    if not result:
        frame += _MARK
    return Outline(frame, result, actions, players, bits) if numbers <= 1 else None


def betting_step(action: str, seats: tuple[int, ...]) -> RecordedStep | None:
    """The fold, check or call, or bet or raise of whole chips, that is written as usual; None for any other action."""
    player, _, what = action.partition(" ")
    number = _PLAYERS.get(player, 0)
    if not 1 <= number <= len(seats):
        return None
    seat = seats[number - 1]
    if what == "f":
        return RecordedStep(Step.FOLD, seat)
    if what == "cc":
        return RecordedStep(Step.CHECK_OR_CALL, seat)
    to = what[len(_WAGER) :]
    if not what.startswith(_WAGER) or not to.isascii() or not to.isdecimal() or len(to) > MAX_DIGITS:
        return None
    return RecordedStep(Step.BET_OR_RAISE, seat, int(to))


def showing_step(action: str, seats: tuple[int, ...]) -> RecordedStep | None:
    """The hand that is shown with its cards, or mucked, written as usual; None for any other action."""
    player, found, what = action.partition(" sm")
    number = _PLAYERS.get(player, 0)
    if not found or not 1 <= number <= len(seats):
        return None
    if not what:
        return RecordedStep(Step.MUCK, seats[number - 1])
    shown = cards_of(what[1:]) if what[0] == " " else None
    return None if shown is None else RecordedStep(Step.SHOW, seats[number - 1], cards=shown.cards)


def result_line(stacks: Iterable[int]) -> str:
    """The line of these finishing stacks as archives write it, without its end."""
    return _RESULT + ", ".join([str(stack) for stack in stacks]) + "]"
