"""The fields of one hand in PHH: which there are, and reading them with the line of whatever is wrong."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final, NoReturn

from referee.record.hand_record import NotationError
from referee.record.notation.amounts import MAX_DIGITS, checked_amount, is_finite
from referee.record.notation.house import HOLDEM_NAME, IRISH_NAME
from referee.record.notation.toml_text import TomlError, item_lines, key_line, load_toml, read_plain_toml
from referee.rules.ruleset import MAX_SEATS, MIN_SEATS, Limit

NOTATION: Final = "phh"

VARIANTS: Final = {
    "NT": (HOLDEM_NAME, Limit.NO_LIMIT),
    "PT": (HOLDEM_NAME, Limit.POT_LIMIT),
    "FT": (HOLDEM_NAME, Limit.FIXED_LIMIT),
    "NI": (IRISH_NAME, Limit.NO_LIMIT),
    "PI": (IRISH_NAME, Limit.POT_LIMIT),
    "FI": (IRISH_NAME, Limit.FIXED_LIMIT),
}
"""Game and betting structure by code. NT and FT are PHH's own; the others follow its pattern."""

OTHER_VARIANTS: Final = {
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha hold'em",
    "FO/8": "fixed-limit Omaha hold'em high/low-split eight or better",
    "F7S": "fixed-limit seven card stud",
    "F7S/8": "fixed-limit seven card stud high/low-split eight or better",
    "FR": "fixed-limit razz",
    "N2L1D": "no-limit deuce-to-seven lowball single draw",
    "F2L3D": "fixed-limit deuce-to-seven lowball triple draw",
    "FB": "fixed-limit badugi",
}
"""PHH's codes for games that the referee does not know, for telling them by name."""

RULE_SET: Final = "_rule_set"
BUTTON: Final = "_button"
UNIT: Final = "_unit"
SMALL_BLIND: Final = "_small_blind"
CHIP_UNIT: Final = "_chip_unit"
RAKE: Final = "_rake"
TOTAL_POT: Final = "_total_pot"
STACKS_KNOWN: Final = "_stacks_known"

READ_FIELDS: Final = frozenset(
    {
        "variant",
        "ante_trimming_status",
        "antes",
        "blinds_or_straddles",
        "min_bet",
        "small_bet",
        "big_bet",
        "starting_stacks",
        "actions",
        "hand",
        "seats",
        "players",
        "finishing_stacks",
        "winnings",
        RULE_SET,
        BUTTON,
        UNIT,
        SMALL_BLIND,
        CHIP_UNIT,
        RAKE,
        TOTAL_POT,
        STACKS_KNOWN,
    }
)
"""Fields that the record itself says again; every other field becomes a fact of the record."""

Amount = int | Decimal
"""Money as written. Infinite where a source writes ``inf`` for a stack that nobody knows."""


class Fields:
    """The fields of one hand, with the place that they came from.

    ``first_line`` is the line of the file that they begin at, counted from 1.
    """

    values: dict[str, Any]

    def __init__(self, lines: list[str], source: str, first_line: int) -> None:
        """Reads the lines, each with its end; raises NotationError when they are not TOML."""
        self.source = source
        self._text = ""
        self._first_line = first_line
        self._lines: dict[str, int] | None = None
        self._written = lines
        plain = read_plain_toml(lines)
        if plain is not None:
            self.values, self._lines = plain
            return
        self._text = "".join(lines)
        try:
            self.values = load_toml(self._text)
        except TomlError as error:
            raise NotationError(source, first_line - 1 + error.line, f"expected TOML: {error.message}") from None

    def __contains__(self, key: str) -> bool:
        return key in self.values

    @property
    def is_plain(self) -> bool:
        """Whether they are written as usual: all numbers are whole, and each array is on one line and of one kind."""
        return self._lines is not None

    def lines_of(self, keys: frozenset[str]) -> tuple[str, ...]:
        """The lines of such of these fields as there are, as they are written; nothing where the hand is not plain."""
        if self._lines is None:
            return ()
        return tuple([self._written[number - 1] for key, number in self._lines.items() if key in keys])

    def line(self, key: str) -> int:
        """The line of a field in the file."""
        if self._lines is not None:
            return self._first_line - 1 + self._lines.get(key, 1)
        return self._first_line - 1 + key_line(self._text, key)

    def item_lines(self, key: str) -> list[int]:
        """The line of each item of a field that is an array."""
        if self._lines is not None:
            return [self.line(key)] * len(self.items(key))
        return [self._first_line - 1 + line for line in item_lines(self._text, key)]

    def fail(self, key: str, expected: str) -> NoReturn:
        """Raises NotationError at a field."""
        raise NotationError(self.source, self.line(key), expected)

    def require(self, keys: Iterable[str]) -> None:
        """Raises NotationError, at the hand's first line, when a field is missing."""
        missing = [key for key in keys if key not in self.values]
        if missing:
            raise NotationError(self.source, self._first_line, f"expected the field {missing[0]}")

    def text(self, key: str) -> str:
        """A field that is a string."""
        value = self.values[key]
        if not isinstance(value, str):
            self.fail(key, f"expected {key} to be a string")
        return value

    def name(self, key: str) -> str:
        """A field that is a string or a number, as text."""
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, (int, str)) or _is_huge(value):
            self.fail(key, f"expected {key} to be a string or a number")
        return str(value)

    def flag(self, key: str, otherwise: bool) -> bool:
        """A field that is true or false."""
        value = self.values.get(key, otherwise)
        if not isinstance(value, bool):
            self.fail(key, f"expected {key} to be true or false")
        return value

    def amount(self, key: str) -> Amount:
        """A field that is an amount of 0 or more."""
        amount = self._amount(key, self.values[key])
        if not is_finite(amount) or amount < 0:
            self.fail(key, f"expected {key} to be an amount, 0 or more")
        return amount

    def amounts(self, key: str, count: int, finite: bool = True) -> list[Amount]:
        """A field that is an array of amounts, one for each player; negative ones are left to the caller."""
        items = self.items(key)
        # Plain arrays are of one kind, and their numbers have no more digits than amounts may.
        if self._lines is not None and len(items) == count and type(items[0]) is int:
            return items
        values = [self._amount(key, item) for item in items]
        if len(values) != count:
            self.fail(key, f"expected {count} amounts in {key}, one for each player, not {len(values)}")
        if finite and not all(is_finite(value) for value in values):
            self.fail(key, f"expected finite amounts in {key}")
        return values

    def items(self, key: str) -> list[Any]:
        """A field that is an array."""
        value = self.values[key]
        if not isinstance(value, list):
            self.fail(key, f"expected {key} to be an array")
        return value

    def _amount(self, key: str, value: object) -> Amount:
        if isinstance(value, int) and not isinstance(value, bool) and not _is_huge(value):
            return value
        if not isinstance(value, Decimal) or value.is_nan():
            self.fail(key, f"expected numbers in {key}, and none with more than {MAX_DIGITS} digits")
        try:
            return checked_amount(value) if value.is_finite() else value
        except ValueError as error:
            self.fail(key, f"expected an amount in {key}: {error}")

    def players(self) -> int:
        """How many stacks there are."""
        count = len(self.items("starting_stacks"))
        if not MIN_SEATS <= count <= MAX_SEATS:
            self.fail("starting_stacks", f"expected {MIN_SEATS} to {MAX_SEATS} starting stacks, not {count}")
        return count

    def variant(self) -> tuple[str, Limit]:
        """Game and betting structure; any other variant is refused by name."""
        code = self.text("variant")
        if code not in VARIANTS:
            meant = f" ({OTHER_VARIANTS[code]})" if code in OTHER_VARIANTS else ""
            self.fail(
                "variant", f"variant {code!r}{meant} is not hold'em or Irish; expected one of {', '.join(VARIANTS)}"
            )
        return VARIANTS[code]


def _is_huge(value: object) -> bool:
    """Whether a number has more digits than any amount or hand; one of thousands of digits cannot even be printed."""
    return isinstance(value, int) and abs(value) >= 10**MAX_DIGITS
