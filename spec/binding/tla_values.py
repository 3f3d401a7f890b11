"""TLA+ values as Python values and back: what TLC prints of a state, and what a generated module holds.

| TLA+ | Python |
|---|---|
| number, string, TRUE and FALSE | ``int``, ``str``, ``bool`` |
| ``<<a, b>>`` | ``tuple`` |
| ``{a, b}`` and ``1..3`` | ``frozenset`` |
| ``[name |-> a]`` | :class:`Record`, a tuple of sorted pairs |
| ``(0 :> a @@ 1 :> b)`` | :class:`Function`, a tuple of sorted pairs |
"""

import re
from typing import Any

_TOKEN = re.compile(r'\s*(<<|>>|\.\.|\|->|:>|@@|-?\d+|"[^"]*"|[A-Za-z_]\w*|[{}()\[\],])')


class Record(tuple[tuple[str, Any], ...]):
    """A record: its fields by name, sorted."""

    __slots__ = ()


class Function(tuple[tuple[int, Any], ...]):
    """A function on numbers: its pairs, sorted. A function on 0 .. n-1 is written and read as one."""

    __slots__ = ()


def record(**fields: Any) -> Record:
    """A record from its fields."""
    return Record(sorted(fields.items()))


def by_index(values: "list[Any] | tuple[Any, ...]") -> Function:
    """The function on 0 .. n-1 with these values."""
    return Function(enumerate(values))


def written(value: Any) -> str:
    """The value in TLA+."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Record):
        return "[" + ", ".join(f"{name} |-> {written(one)}" for name, one in value) + "]"
    if isinstance(value, Function):
        return "(" + " @@ ".join(f"{at} :> {written(one)}" for at, one in value) + ")"
    if isinstance(value, tuple):
        return "<<" + ",".join(map(written, value)) + ">>"
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(written, value))) + "}"
    raise TypeError(f"{value!r} has no place in TLA+ here")


def read(text: str) -> Any:
    """The value that TLC printed; raises ValueError for anything else."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text) and '"' not in text:
        raise ValueError(f"not a value: {text}")
    value, at = _read(tokens, 0)
    if at != len(tokens):
        raise ValueError(f"more than one value: {text}")
    return value


def _read(tokens: list[str], at: int) -> tuple[Any, int]:
    token = tokens[at]
    if token == "<<":
        items, at = _read_until(tokens, at + 1, ">>")
        return tuple(items), at
    if token == "{":
        items, at = _read_until(tokens, at + 1, "}")
        return frozenset(items), at
    if token == "[":
        return _read_pairs(tokens, at + 1, "|->", "]", Record)
    if token == "(":
        return _read_pairs(tokens, at + 1, ":>", ")", Function)
    if token in ("TRUE", "FALSE"):
        return token == "TRUE", at + 1
    if token[0] == '"':
        return token[1:-1], at + 1
    if token.lstrip("-").isdigit():
        if tokens[at + 1 : at + 2] == [".."]:
            return frozenset(range(int(token), int(tokens[at + 2]) + 1)), at + 3
        return int(token), at + 1
    return token, at + 1  # a model value, or the name of a field


def _read_until(tokens: list[str], at: int, end: str) -> tuple[list[Any], int]:
    items: list[Any] = []
    while tokens[at] != end:
        if tokens[at] == ",":
            at += 1
            continue
        item, at = _read(tokens, at)
        items.append(item)
    return items, at + 1


def _read_pairs(tokens: list[str], at: int, arrow: str, end: str, kind: Any) -> tuple[Any, int]:
    pairs: list[tuple[Any, Any]] = []
    while tokens[at] != end:
        if tokens[at] in (",", "@@"):
            at += 1
            continue
        key, at = _read(tokens, at)
        if tokens[at] != arrow:
            raise ValueError(f"expected {arrow}, found {tokens[at]}")
        value, at = _read(tokens, at + 1)
        pairs.append((key, value))
    return kind(sorted(pairs)), at + 1
