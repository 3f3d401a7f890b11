"""Keys and when they are believed, as lines of text that a verifier is given.

```text
# a comment
referee.example/log+dabdfff8+AX... until_size 1201
referee.example/log+1f6ae044+AQ... from_size 1200
witness.example/w1+df1c0a35+BP...
```

A line is a verifier key, then pairs of a bound's name and its value. Keys that sign plainly are the log's own and must
all bear its name; keys that cosign are witnesses'.
"""

from collections.abc import Mapping
from typing import Final

from referee.record.log.errors import KeyFormatError
from referee.record.log.keyring import KeyRing, TrustedKey
from referee.record.log.keys import SignatureKind, parse_verifier_key

MAX_KEYS: Final = 1024

_BOUNDS: Final = ("from_unix_s", "until_unix_s", "from_size", "until_size")


def parse_key_list(text: str) -> KeyRing:
    """Reads keys of one log and its witnesses; raises KeyFormatError with the line."""
    log_keys: list[TrustedKey] = []
    witnesses: list[TrustedKey] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            trusted = parse_trusted(line)
        except KeyFormatError as error:
            raise KeyFormatError(f"line {number}: {error}") from error
        (log_keys if trusted.key.kind == SignatureKind.NOTE else witnesses).append(trusted)
        if len(log_keys) + len(witnesses) > MAX_KEYS:
            raise KeyFormatError(f"line {number}: more than {MAX_KEYS} keys")
    if not log_keys:
        raise KeyFormatError("no key of a log")
    return KeyRing(log_keys[0].key.name, tuple(log_keys), tuple(witnesses))


def write_key_list(ring: KeyRing) -> str:
    """The text that :func:`parse_key_list` reads back."""
    lines = [f"# Keys of log {ring.origin}, and from and up to which of its sizes each is valid.\n"]
    for trusted in (*ring.log_keys, *ring.witnesses):
        lines.append(f"{write_trusted(trusted)}\n")
    return "".join(lines)


def write_trusted(trusted: TrustedKey) -> str:
    """The line that :func:`parse_trusted` reads back."""
    return " ".join([trusted.key.text, *_bounds_of(trusted)])


def _bounds_of(trusted: TrustedKey) -> list[str]:
    values: Mapping[str, int | None] = {name: getattr(trusted, name) for name in _BOUNDS}
    return [f"{name} {value}" for name, value in values.items() if value is not None and (value or "until" in name)]


def parse_trusted(text: str) -> TrustedKey:
    """Reads a line: a verifier key, and the bounds of its validity if it has any. Raises KeyFormatError."""
    words = text.split()
    if not words:
        raise KeyFormatError("an empty line is no key")
    key, pairs = parse_verifier_key(words[0]), words[1:]
    if len(pairs) % 2:
        raise KeyFormatError(f"{pairs[-1]!r} has no value")
    bounds: dict[str, int] = {}
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        if name not in _BOUNDS or name in bounds:
            raise KeyFormatError(f"{name!r} is not one of {', '.join(_BOUNDS)}, each at most once")
        if not (value.isascii() and value.isdecimal() and len(value) <= 19):
            raise KeyFormatError(f"{name} {value!r} is not a number")
        bounds[name] = int(value)
    return TrustedKey(key, **bounds)
