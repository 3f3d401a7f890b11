"""The actions of a PHH hand: dealing, folding, checking and calling, betting and raising, discarding, showing."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final, NamedTuple, NoReturn

from referee.record.hand_record import NotationError, RecordedStep, Step
from referee.record.notation.amounts import MAX_DIGITS, ONE, parse_amount, whole_chips
from referee.record.notation.phh_fields import Amount, Fields
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import BOARD_CARDS

MAX_ACTIONS: Final = 1_000
"""Actions of one hand; a real one has some dozens."""

FORFEIT_COMMENT: Final = "forfeit"
"""What a comment says of a fold that the referee made for a seat that forfeited the hand (TIME-4)."""

_PLAYER: Final = re.compile(r"p([1-9][0-9]?)")


class _Action(NamedTuple):
    """An action as it is written: a step of a player, a board (player 0), or hole cards dealt (no step)."""

    step: Step | None
    player: int = 0
    cards: tuple[int, ...] = ()
    amount: Amount | None = None


_NOTHING: Final = _Action(None)
_BOARD: Final = Step.BOARD

_ALONE: Final = {"f": Step.FOLD, "cc": Step.CHECK_OR_CALL, "sm": Step.MUCK}
_WITH_CARDS: Final = {"sd": Step.DISCARD, "sm": Step.SHOW}

_REMEMBERED: Final[dict[str, _Action]] = {}
"""Actions that were read, since there are few different ones: a fold of a player, his two cards, a bet of 200."""

_REMEMBERED_ACTIONS: Final = 65_536
_REMEMBERED_LETTERS: Final = 24


class Script:
    """What the actions tell: cards by seat, the board, and steps whose amounts are still money.

    Dealing does not count as a step, except to the board. ``wagers`` are the amounts of all bets and raises.
    """

    def __init__(self, fields: Fields, seats: tuple[int, ...], hole_cards: int) -> None:
        self._fields = fields
        self._seats = seats
        self.holes: dict[int, tuple[int, ...]] = dict.fromkeys(seats, ())
        self.board: list[int] = []
        self.wagers: list[Amount] = []
        self._steps: list[RecordedStep] = []
        self._wagering: list[tuple[int, Amount]] = []
        actions = fields.items("actions")
        if len(actions) > MAX_ACTIONS:
            fields.fail("actions", f"expected at most {MAX_ACTIONS} actions")
        self._line = fields.line("actions")
        lines = fields.item_lines("actions")
        if len(lines) != len(actions):
            lines = [self._line] * len(actions)
        for self._line, text in zip(lines, actions, strict=True):
            if not isinstance(text, str):
                self._fail("expected every action to be a string")
            action = _REMEMBERED.get(text) or self._remembered(text)
            if action is _NOTHING:
                continue
            if action.player > len(seats):
                self._fail_player(f"p{action.player}")
            step, player, cards, amount = action
            if step is None:
                self.holes[seats[player - 1]] += cards
                continue
            if step is _BOARD:
                self.board.extend(cards)
            to = 0
            if amount is not None:
                self.wagers.append(amount)
                self._wagering.append((len(self._steps), amount))
                # Whole amounts mostly are chips as they are; `steps` knows the unit and sees to the others.
                to = amount if isinstance(amount, int) else 0
            self._steps.append(RecordedStep(step, seats[player - 1] if player else 0, to, -1, cards, self._line, text))
        self._check_deal(hole_cards)

    def steps(self, unit: Decimal) -> list[RecordedStep]:
        """The steps with their amounts in chips."""
        if unit is ONE and all([isinstance(amount, int) for amount in self.wagers]):
            return self._steps
        for index, amount in self._wagering:
            self._steps[index] = replace(self._steps[index], to=whole_chips(amount, unit))
        return self._steps

    def _fail(self, expected: str) -> NoReturn:
        raise NotationError(self._fields.source, self._line, expected)

    def _fail_player(self, player: str) -> NoReturn:
        self._fail(f"expected a player from p1 to p{len(self._seats)}, not {player!r}")

    def _check_deal(self, hole_cards: int) -> None:
        self._line = self._fields.line("actions")
        if len(self.board) > BOARD_CARDS:
            self._fail(f"expected at most {BOARD_CARDS} board cards")
        for player, seat in enumerate(self._seats, 1):
            hole = self.holes[seat] or (UNKNOWN,) * hole_cards
            if len(hole) != hole_cards:
                self._fail(f"expected {hole_cards} hole cards for p{player}, not {len(hole)}")
            self.holes[seat] = hole

    def _remembered(self, text: str) -> _Action:
        action = self._read(text)
        if len(text) <= _REMEMBERED_LETTERS:
            if len(_REMEMBERED) >= _REMEMBERED_ACTIONS:
                _REMEMBERED.clear()
            _REMEMBERED[text] = action
        return action

    def _read(self, text: str) -> _Action:
        written, _, comment = text.partition("#")
        words = written.split()
        match words:
            case []:
                return _NOTHING
            case ["d", "dh", player, cards]:
                return _Action(None, self._player(player), self._cards(cards))
            case ["d", "db", cards]:
                return _Action(Step.BOARD, 0, self._cards(cards))
            case [player, "cbr", amount]:
                return _Action(Step.BET_OR_RAISE, self._player(player), (), self._amount(amount))
            case [player, "sm", "-"]:
                return _Action(Step.SHOW, self._player(player))
            case [player, "sd" | "sm" as verb, cards]:
                return _Action(_WITH_CARDS[verb], self._player(player), self._cards(cards))
            case [player, "f"] if comment.strip() == FORFEIT_COMMENT:
                return _Action(Step.FORFEIT, self._player(player))
            case [player, "f" | "cc" | "sm" as verb]:
                return _Action(_ALONE[verb], self._player(player))
        raise NotationError(
            self._fields.source,
            self._line,
            f"expected an action such as 'd dh p1 AhKd', 'd db 2c7dTs', 'p1 f', 'p1 cc', 'p1 cbr 200', "
            f"'p1 sd 9h9c' or 'p1 sm AhKd', not {text!r}",
        )

    def _player(self, player: str) -> int:
        label = _PLAYER.fullmatch(player)
        if label is None or int(label[1]) > len(self._seats):
            self._fail_player(player)
        return int(label[1])

    def _cards(self, text: str) -> tuple[int, ...]:
        try:
            return parse_cards(text)
        except ValueError as error:
            self._fail(f"expected cards: {error}")

    def _amount(self, text: str) -> Amount:
        if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS:
            return int(text)
        try:
            return parse_amount(text)
        except ValueError as error:
            self._fail(f"expected the amount of a bet or raise: {error}")
