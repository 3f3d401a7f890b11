"""The actions of a PHH hand: dealing, folding, checking and calling, betting and raising, discarding, showing."""

from dataclasses import replace
from decimal import Decimal
from typing import Final, NoReturn

from referee.record.hand_record import NotationError, RecordedStep, Step
from referee.record.notation.amounts import MAX_DIGITS, ONE, parse_amount, whole_chips
from referee.record.notation.phh_fields import Amount, Fields
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import BOARD_CARDS, MAX_SEATS

MAX_ACTIONS: Final = 1_000
"""Actions of one hand; a real one has some dozens."""

FORFEIT_COMMENT: Final = "forfeit"
"""What a comment says of a fold that the referee made for a seat that forfeited the hand (TIME-4)."""

_PLAYERS: Final = {f"p{number}": number for number in range(1, MAX_SEATS + 1)}


_TELLING: Final = (Step.DISCARD, Step.SHOW, Step.MUCK)


class _Action:
    """An action as it is written: a step of a player, a board (player 0), or hole cards dealt (no step).

    ``tells`` says whether it can tell hole cards that were not dealt in the open.
    """

    def __init__(
        self, step: Step | None, player: int = 0, cards: tuple[int, ...] = (), amount: Amount | None = None
    ) -> None:
        self.step: Final = step
        self.player: Final = player
        self.cards: Final = cards
        self.amount: Final = amount
        self.tells: Final = step in _TELLING


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

    Dealing does not count as a step, except to the board. ``wagers`` are the amounts of all bets and raises;
    ``tells`` says whether a step beside dealing can tell hole cards.
    """

    def __init__(self, fields: Fields, seats: tuple[int, ...], hole_cards: int) -> None:
        self._fields = fields
        self._seats = seats
        self.holes: dict[int, tuple[int, ...]] = dict.fromkeys(seats, ())
        self.board: list[int] = []
        self.wagers: list[Amount] = []
        self.wagers_are_whole = True
        self.tells = False
        self._steps: list[RecordedStep] = []
        self._wagering: list[tuple[int, Amount]] = []
        actions = fields.items("actions")
        if len(actions) > MAX_ACTIONS:
            fields.fail("actions", f"expected at most {MAX_ACTIONS} actions")
        self._line = fields.line("actions")
        lines = fields.item_lines("actions")
        if len(lines) != len(actions):
            lines = [self._line] * len(actions)
        count = len(seats)
        at = 0
        for text in actions:
            self._line = lines[at]
            at += 1
            if not isinstance(text, str):
                self._fail("expected every action to be a string")
            action = _REMEMBERED.get(text) or self._remembered(text)
            if action is _NOTHING:
                continue
            step, player, cards, amount = action.step, action.player, action.cards, action.amount
            if player > count:
                self._fail_player(f"p{player}")
            if step is None:
                self.holes[seats[player - 1]] += cards
                continue
            if step is _BOARD:
                self.board.extend(cards)
            elif action.tells:
                self.tells = True
            to = 0
            if amount is not None:
                self.wagers.append(amount)
                self._wagering.append((len(self._steps), amount))
                # Whole amounts mostly are chips as they are; `steps` knows the unit and sees to the others.
                to = amount if isinstance(amount, int) else 0
                self.wagers_are_whole = self.wagers_are_whole and isinstance(amount, int)
            self._steps.append(RecordedStep(step, seats[player - 1] if player else 0, to, -1, cards, self._line, text))
        self._check_deal(hole_cards)

    def steps(self, unit: Decimal) -> list[RecordedStep]:
        """The steps with their amounts in chips."""
        if unit is ONE and self.wagers_are_whole:
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
        # Not a match statement, whose patterns for lists take ten times as long when compiled.
        written, _, comment = text.partition("#")
        words = written.split()
        count = len(words)
        if count == 0:
            return _NOTHING
        first, verb = words[0], words[1] if count > 1 else ""
        if count == 4 and first == "d" and verb == "dh":
            return _Action(None, self._player(words[2]), self._cards(words[3]))
        if count == 3 and first == "d" and verb == "db":
            return _Action(Step.BOARD, 0, self._cards(words[2]))
        if count == 3 and verb == "cbr":
            return _Action(Step.BET_OR_RAISE, self._player(first), (), self._amount(words[2]))
        if count == 3 and verb == "sm" and words[2] == "-":
            return _Action(Step.SHOW, self._player(first))
        if count == 3 and verb in _WITH_CARDS:
            return _Action(_WITH_CARDS[verb], self._player(first), self._cards(words[2]))
        if count == 2 and verb == "f" and comment.strip() == FORFEIT_COMMENT:
            return _Action(Step.FORFEIT, self._player(first))
        if count == 2 and verb in _ALONE:
            return _Action(_ALONE[verb], self._player(first))
        raise NotationError(
            self._fields.source,
            self._line,
            f"expected an action such as 'd dh p1 AhKd', 'd db 2c7dTs', 'p1 f', 'p1 cc', 'p1 cbr 200', "
            f"'p1 sd 9h9c' or 'p1 sm AhKd', not {text!r}",
        )

    def _player(self, player: str) -> int:
        number = _PLAYERS.get(player, 0)
        if not 1 <= number <= len(self._seats):
            self._fail_player(player)
        return number

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
