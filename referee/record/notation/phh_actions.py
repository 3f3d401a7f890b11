"""The actions of a PHH hand: dealing, folding, checking and calling, betting and raising, discarding, showing."""

import re
from dataclasses import replace
from typing import Final, NoReturn

from referee.record.hand_record import NotationError, RecordedStep, Step
from referee.record.notation.amounts import parse_amount, whole_chips
from referee.record.notation.phh_fields import Amount, Fields
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import BOARD_CARDS

MAX_ACTIONS: Final = 1_000
"""Actions of one hand; a real one has some dozens."""

_PLAYER: Final = re.compile(r"p([1-9][0-9]?)")


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
        self._steps: list[tuple[RecordedStep, Amount | None]] = []
        actions = fields.items("actions")
        if len(actions) > MAX_ACTIONS:
            fields.fail("actions", f"expected at most {MAX_ACTIONS} actions")
        self._line = fields.line("actions")
        lines = fields.item_lines("actions")
        for number, action in enumerate(actions):
            self._line = lines[number] if len(lines) == len(actions) else self._line
            if not isinstance(action, str):
                self._fail("expected every action to be a string")
            self._read(action)
        self._check_deal(hole_cards)

    def steps(self, unit: Amount) -> list[RecordedStep]:
        """The steps with their amounts in chips."""
        return [step if amount is None else replace(step, to=whole_chips(amount, unit)) for step, amount in self._steps]

    def _fail(self, expected: str) -> NoReturn:
        raise NotationError(self._fields.source, self._line, expected)

    def _check_deal(self, hole_cards: int) -> None:
        self._line = self._fields.line("actions")
        if len(self.board) > BOARD_CARDS:
            self._fail(f"expected at most {BOARD_CARDS} board cards")
        for player, seat in enumerate(self._seats, 1):
            hole = self.holes[seat] or (UNKNOWN,) * hole_cards
            if len(hole) != hole_cards:
                self._fail(f"expected {hole_cards} hole cards for p{player}, not {len(hole)}")
            self.holes[seat] = hole

    def _read(self, action: str) -> None:
        words = action.partition("#")[0].split()
        match words:
            case []:
                pass
            case ["d", "dh", player, cards]:
                self.holes[self._seat(player)] += self._cards(cards)
            case ["d", "db", cards]:
                dealt = self._cards(cards)
                self.board.extend(dealt)
                self._add(action, Step.BOARD, cards=dealt)
            case [player, "f"]:
                self._add(action, Step.FOLD, player)
            case [player, "cc"]:
                self._add(action, Step.CHECK_OR_CALL, player)
            case [player, "cbr", amount]:
                self._add(action, Step.BET_OR_RAISE, player, amount=self._amount(amount))
            case [player, "sd", cards]:
                self._add(action, Step.DISCARD, player, self._cards(cards))
            case [player, "sm"]:
                self._add(action, Step.MUCK, player)
            case [player, "sm", "-"]:
                self._add(action, Step.SHOW, player)
            case [player, "sm", cards]:
                self._add(action, Step.SHOW, player, self._cards(cards))
            case _:
                self._fail(
                    f"expected an action such as 'd dh p1 AhKd', 'd db 2c7dTs', 'p1 f', 'p1 cc', 'p1 cbr 200', "
                    f"'p1 sd 9h9c' or 'p1 sm AhKd', not {action!r}"
                )

    def _add(
        self, action: str, step: Step, player: str = "", cards: tuple[int, ...] = (), amount: Amount | None = None
    ) -> None:
        seat = self._seat(player) if player else 0
        self._steps.append((RecordedStep(step, seat, cards=cards, line=self._line, text=action), amount))

    def _seat(self, player: str) -> int:
        label = _PLAYER.fullmatch(player)
        if label is None or int(label[1]) > len(self._seats):
            self._fail(f"expected a player from p1 to p{len(self._seats)}, not {player!r}")
        return self._seats[int(label[1]) - 1]

    def _cards(self, text: str) -> tuple[int, ...]:
        try:
            return parse_cards(text)
        except ValueError as error:
            self._fail(f"expected cards: {error}")

    def _amount(self, text: str) -> Amount:
        try:
            amount = parse_amount(text)
        except ValueError as error:
            self._fail(f"expected the amount of a bet or raise: {error}")
        self.wagers.append(amount)
        return amount
