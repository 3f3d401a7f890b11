"""What PHH needs of TOML beyond the standard library's reader: writing values, and finding the lines of values."""

import datetime
import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

MAX_DOTS: Final = 1_500
"""Dots in one line: more than any hand has amounts, and few enough for the reader, which is slow on nested keys."""

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{},\n]|[^\[\]{},\n"\'#]+|["\']',
    re.DOTALL,
)
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ERROR_PLACE: Final = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


class TomlError(ValueError):
    """TOML that cannot be read: the line in the text, counted from 1, and what is wrong there."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def load_toml(text: str) -> dict[str, Any]:
    """Reads TOML with decimals instead of floats; raises TomlError for anything the reader cannot take."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_DOTS:
            raise TomlError(number, f"a line with more than {MAX_DOTS} dots")
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise TomlError(1, "values are nested too deeply") from None
    except (ValueError, ArithmeticError) as error:
        message = str(error)
        place = _ERROR_PLACE.search(message)
        where = int(place[1]) if place and place[1] else text.count("\n") + (not text.endswith("\n"))
        raise TomlError(max(where, 1) if place else 1, _ERROR_PLACE.sub("", message)) from None


_PLAIN_LINE: Final = re.compile(
    r"([A-Za-z0-9_-]+) *= *(?:"
    r"(0|-?[1-9][0-9]*)"  # 2: a whole number
    r"|'([^'\x00-\x08\x0a-\x1f\x7f]*)'"  # 3: a string
    r"|(true|false)"  # 4: yes or no
    r"|\[((?:0|-?[1-9][0-9]*)(?:, (?:0|-?[1-9][0-9]*))*)\]"  # 5: whole numbers
    r"|\['([^'\x00-\x08\x0a-\x1f\x7f]*(?:', '[^'\x00-\x08\x0a-\x1f\x7f]*)*)'\]"  # 6: strings
    r")(?:\r?\n|$)"
)
_ACTIONS: Final = "actions = ['"
_ACTIONS_END: Final = "']\n"

PLAIN_DIGITS: Final = 18
"""Digits of a plain whole number; longer ones are left to the whole reader, which says what is wrong with them."""


def read_plain_toml(lines: list[str]) -> tuple[dict[str, Any], dict[str, int]] | None:
    """Reads the lines of TOML as records of hands usually are written: one key a line, with plain values.

    Returns the values, as :func:`load_toml` reads them, and the line of each key; None for anything else, right or
    wrong. Nearly every hand of an archive is so written, and this takes a tenth of the time.
    """
    values: dict[str, Any] = {}
    places: dict[str, int] = {}
    number = 0
    for line in lines:
        number += 1
        if line == "\n":
            continue
        plain = _plain_line(line)
        if plain is None:
            if line.strip(" \t\n") and line != "\r\n":
                return None
            continue
        key, value = plain
        if key in values:
            return None
        values[key] = value
        places[key] = number
    return values, places


def _plain_line(line: str) -> tuple[str, Any] | None:
    if len(line) > _REMEMBERED_LETTERS:
        return _read_plain_line(line)
    known = _REMEMBERED.get(line)
    if known is None:
        known = _read_plain_line(line)
        if known is not None:
            if len(_REMEMBERED) >= _REMEMBERED_LINES:
                _REMEMBERED.clear()
            _REMEMBERED[line] = known
    return known


_REMEMBERED: Final[dict[str, tuple[str, Any]]] = {}
"""Short lines that were read, since hands of an archive share most of theirs. Nobody changes the values."""

_REMEMBERED_LINES: Final = 4_096
_REMEMBERED_LETTERS: Final = 100


def _read_plain_line(line: str) -> tuple[str, Any] | None:
    is_long = len(line) > _REMEMBERED_LETTERS
    if is_long and line.startswith(_ACTIONS) and line.endswith(_ACTIONS_END) and line.count(".") <= MAX_DOTS:
        # The longest line of a hand, and never twice the same: what the pattern would find, found without it.
        text = line[len(_ACTIONS) : -len(_ACTIONS_END)]
        strings = text.split("', '")
        if text.isprintable() and text.count("'") == 2 * len(strings) - 2:
            return "actions", strings
    elif not is_long:
        amounts = _amounts_of(line)
        if amounts is not None:
            return amounts
    found = _PLAIN_LINE.fullmatch(line)
    if found is None or (len(line) > MAX_DOTS and line.count(".") > MAX_DOTS):
        return None
    kind = found.lastindex
    key, value = found[1], found[kind or 1]
    if kind == 6:
        return key, value.split("', '")
    if kind == 5:
        numbers = [int(number) for number in value.split(", ")] if len(value) < 1_000 else []
        return (key, numbers) if numbers and max(map(abs, numbers)) < 10**PLAIN_DIGITS else None
    if kind == 2:
        return (key, int(value)) if len(value) <= PLAIN_DIGITS else None
    return key, value == "true" if kind == 4 else value


def _amounts_of(line: str) -> tuple[str, Any] | None:
    """What the pattern would find in a line of whole numbers none of which is negative, found without it."""
    key, found, rest = line.partition(" = [")
    if not found or not rest.endswith("]\n") or not key.isascii() or not key.isidentifier():
        return None
    numbers: list[int] = []
    for part in rest[:-2].split(", "):
        if not part.isascii() or not part.isdecimal() or len(part) > PLAIN_DIGITS:
            return None
        if part[0] == "0" and len(part) > 1:
            return None
        numbers.append(int(part))
    return key, numbers


def toml_string(text: str) -> str:
    """A TOML string: in single quotes as PHH files have them, in double quotes where those do not do."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + "".join(_ESCAPES.get(sign) or _escaped(sign) for sign in text) + '"'


def _escaped(sign: str) -> str:
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"


def toml_key(name: str) -> str:
    """A key, quoted when it must be."""
    return name if _BARE_KEY.fullmatch(name) else toml_string(name)


def toml_value(value: object) -> str:
    """Writes a value that :func:`load_toml` reads back as it was."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal():
            return _decimal(value)
        case str():
            return toml_string(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case list() | tuple():
            return "[" + ", ".join(toml_value(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + "}"
        case _:
            raise TypeError(f"{type(value).__name__} has no TOML form")


def _decimal(value: Decimal) -> str:
    if not value.is_finite():
        return str(value).lower().replace("infinity", "inf")
    text = str(value)
    return text if "." in text or "E" in text else f"{text}.0"


def fact_text(value: object) -> str:
    """A value as a fact of a record: a string as it is, unless it looks like another kind of value."""
    if isinstance(value, str) and not _is_other_value(value) and value.isprintable():
        return value
    return toml_value(value)


def fact_value(text: str) -> str:
    """The TOML form of a fact: what :func:`fact_text` was given, and plain text quoted."""
    return text if _is_other_value(text) else toml_string(text)


def _is_other_value(text: str) -> bool:
    try:
        return list(load_toml(f"fact = {text}")) == ["fact"]
    except TomlError:
        return False


def key_line(text: str, key: str) -> int:
    """The line of a key in a TOML text, counted from 1; 1 when it is not there."""
    place = _key_place(text, key)
    return text.count("\n", 0, place.start()) + 1 if place else 1


def item_lines(text: str, key: str) -> list[int]:
    """The line of each item of the array at a key, counted from 1."""
    place = _key_place(text, key)
    return list(_item_lines(text, place.end())) if place else []


def _key_place(text: str, key: str) -> re.Match[str] | None:
    return re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=[ \t]*", text, re.MULTILINE)


def _item_lines(text: str, start: int) -> Iterator[int]:
    line = text.count("\n", 0, start) + 1
    depth = 0
    counted = False
    for token in _TOKEN.finditer(text, start):
        word = token[0]
        if depth == 1 and not counted and word not in ("]", ",", "\n") and word[0] != "#" and not word.isspace():
            counted = True
            yield line
        if word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
            if depth == 0:
                return
        elif word == "," and depth == 1:
            counted = False
        line += word.count("\n")
