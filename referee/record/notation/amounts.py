"""Amounts of money as notations write them, read exactly into chips and back."""

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Final

MAX_DIGITS: Final = 18
"""Digits before the decimal point; more than any table holds, and few enough to compute with."""

MAX_PLACES: Final = 9
"""Digits after the decimal point of an amount that a chip is chosen by."""

ROUNDED_PLACES: Final = 6
"""A source that splits odd chips prints parts such as a third with this many places."""

MAX_DENOMINATOR: Final = 60
"""Parts of up to six winners in several pots; fractions this coarse lie far more than a rounding error apart."""

ONE: Final = Decimal(1)


def parse_amount(text: str) -> Decimal:
    """Reads an amount such as ``1,234.50``; raises ValueError for anything else, and for absurdly many digits."""
    digits = text.replace(",", "")
    if not digits.replace(".", "", 1).isascii() or not digits.replace(".", "", 1).isdigit():
        raise ValueError(f"{text!r} is not an amount")
    try:
        return checked_amount(Decimal(digits))
    except InvalidOperation as error:
        raise ValueError(f"{text!r} is not an amount") from error


def checked_amount(amount: Decimal) -> Decimal:
    """The same amount; raises ValueError when it is not finite or has absurdly many digits."""
    exponent = amount.as_tuple().exponent
    if not isinstance(exponent, int) or amount.adjusted() >= MAX_DIGITS or exponent < -3 * MAX_PLACES:
        raise ValueError(f"more than {MAX_DIGITS} digits before the decimal point, or {3 * MAX_PLACES} after it")
    return amount


def is_finite(amount: int | Decimal) -> bool:
    """Whether an amount is one; a source may write ``inf`` for a stack that nobody knows."""
    return isinstance(amount, int) or amount.is_finite()


def common_unit(amounts: Iterable[int | Decimal]) -> Decimal:
    """The largest of 1, 0.1, 0.01, ... in which all these amounts are whole; raises ValueError below 10^-9."""
    places = 0
    for amount in amounts:
        if isinstance(amount, int):
            continue
        exponent = amount.normalize().as_tuple().exponent
        assert isinstance(exponent, int), "only finite amounts come here"
        places = max(places, -exponent)
    if places > MAX_PLACES:
        raise ValueError(f"amounts have at most {MAX_PLACES} decimal places")
    return ONE.scaleb(-places) if places else ONE


def is_unit(unit: Decimal) -> bool:
    """Whether this is one of the units that :func:`common_unit` chooses from."""
    return any(unit == ONE.scaleb(-places) for places in range(MAX_PLACES + 1))


def in_chips(amount: int | Decimal, unit: Decimal) -> int | Fraction:
    """An amount in chips, exact; a part of a chip that was printed rounded is taken for the fraction it stands for."""
    if isinstance(amount, int):
        return amount if unit is ONE else Fraction(amount) / Fraction(unit)
    exact = Fraction(amount) / Fraction(unit)
    exponent = amount.as_tuple().exponent
    if exact.denominator == 1 or not isinstance(exponent, int) or -exponent < ROUNDED_PLACES:
        return exact
    nearest = exact.limit_denominator(MAX_DENOMINATOR)
    return nearest if abs(nearest - exact) <= Fraction(1, 10**ROUNDED_PLACES) / Fraction(unit) else exact


def whole_chips(amount: int | Decimal, unit: Decimal) -> int:
    """An amount in chips; raises ValueError when it is no whole number of them."""
    if isinstance(amount, int) and unit is ONE:
        return amount
    exact = Fraction(amount) / Fraction(unit)
    if exact.denominator != 1:
        raise ValueError(f"{amount} is not a whole number of chips of {unit}")
    return exact.numerator


def amount_of(chips: int | Fraction, unit: Decimal) -> Decimal:
    """What chips are worth; a part that has no finite decimal form is rounded to six places."""
    worth = Fraction(chips) * Fraction(unit)
    places = 0
    rest = worth.denominator
    while places <= 2 * MAX_PLACES and 10**places % rest:
        places += 1
    if places > 2 * MAX_PLACES:
        places = ROUNDED_PLACES
    return Decimal(round(worth * 10**places)).scaleb(-places)


def amount_text(chips: int | Fraction, unit: Decimal) -> str:
    """What chips are worth, as short as it goes: ``12``, ``0.5``, ``133.333333``."""
    return f"{amount_of(chips, unit):f}"
