"""Where the keys of a TOML text stand: the standard reader tells values, not lines."""

import re
from typing import Final

KeyPath = tuple[str | int, ...]

_HEADER: Final = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_WORD: Final = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_KEY: Final = re.compile(rf"\s*({_WORD}(?:\s*\.\s*{_WORD})*)\s*=")
_MULTI_LINE: Final = ('"""', "'''")


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line, from 1, of each table and key of a TOML text that can be read; indexes are those of arrays of tables.

    Keys inside inline tables are not told apart from the key of the table.
    """
    lines: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    closing = ""
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        header = _HEADER.match(line)
        key = _KEY.match(line)
        if header and not key:
            path = _within(_parts(header[2]), counts)
            if header[1] == "[[":
                counts[path] = counts.get(path, -1) + 1
                lines.setdefault(path, number)
                path = (*path, counts[path])
            table = path
            lines.setdefault(table, number)
        elif key:
            lines.setdefault((*table, *_parts(key[1])), number)
            opened = [mark for mark in _MULTI_LINE if line.count(mark) % 2]
            closing = opened[0] if opened else ""
    return lines


def line_of(path: KeyPath, lines: dict[KeyPath, int]) -> int:
    """The line of a key, or of the nearest thing around it that stands in the text; 0 for none."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def path_text(path: KeyPath) -> str:
    """A key path as people write it, such as ``entrants[2].name``."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _parts(dotted: str) -> KeyPath:
    return tuple([part.strip().strip("\"'") for part in dotted.split(".")])


def _within(path: KeyPath, counts: dict[KeyPath, int]) -> KeyPath:
    """A path with the index of the newest table of every array of tables that it leads through."""
    found: KeyPath = ()
    for part in path[:-1]:
        found = (*found, part)
        if found in counts:
            found = (*found, counts[found])
    return (*found, path[-1])
