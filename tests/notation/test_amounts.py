"""Amounts of money in chips and back, exactly."""

from decimal import Decimal
from fractions import Fraction

import pytest

from referee.record.notation.amounts import (
    amount_text,
    common_unit,
    in_chips,
    is_unit,
    parse_amount,
    whole_chips,
)

CENT = Decimal("0.01")


@pytest.mark.parametrize(
    ("amounts", "unit"),
    [([], "1"), (["100", "50"], "1"), (["0.50", "1"], "0.1"), (["0.5", "0.25"], "0.01"), (["1.000"], "1")],
)
def test_common_unit(amounts: list[str], unit: str) -> None:
    assert common_unit(map(Decimal, amounts)) == Decimal(unit)


def test_units() -> None:
    assert [is_unit(Decimal(unit)) for unit in ("1", "0.1", "0.010", "10", "0.5", "0")] == [True] * 3 + [False] * 3
    with pytest.raises(ValueError, match="decimal places"):
        common_unit([Decimal("1e-10")])


@pytest.mark.parametrize("text", ["", ".", "1.2.3", "-1", "+1", "1e5", "x", "1_000", "٣", "9" * 19, " 1"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match=r"not an amount|more than 18 digits"):
        parse_amount(text)


def test_amounts_in_chips() -> None:
    assert whole_chips(parse_amount("1,044.50"), CENT) == 104_450
    assert in_chips(Decimal("0.005"), CENT) == Fraction(1, 2)
    assert in_chips(Decimal("33.333333"), Decimal(1)) == Fraction(100, 3)
    assert in_chips(Decimal("33.33333"), Decimal(1)) == Fraction(3_333_333, 100_000)
    assert in_chips(Decimal("0.123457"), Decimal(1)) == Fraction(123_457, 1_000_000)
    with pytest.raises(ValueError, match="whole number of chips"):
        whole_chips(Decimal("0.005"), CENT)


@pytest.mark.parametrize(
    ("chips", "unit", "text"),
    [
        (1234, "1", "1234"),
        (1200, "0.01", "12"),
        (1250, "0.01", "12.5"),
        (Fraction(1, 2), "0.01", "0.005"),
        (Fraction(-415, 2), "1", "-207.5"),
        (Fraction(100, 3), "1", "33.333333"),
        (Fraction(-100, 3), "1", "-33.333333"),
        (0, "0.01", "0"),
    ],
)
def test_amounts_as_text(chips: int | Fraction, unit: str, text: str) -> None:
    assert amount_text(chips, Decimal(unit)) == text
