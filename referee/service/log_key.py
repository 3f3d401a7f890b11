"""The key that signs the server's log, in the server's folder.

``log.key`` is the secret: the key's text on its first line, then the public keys of the log and the sizes for which
they are valid. It is replaced in one piece, so that a crash leaves the old or the new. ``log.pub`` and ``log.keys`` are
made from it for whoever verifies: the key that signs now, and all keys with their bounds.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from referee.record.log.errors import KeyFormatError
from referee.record.log.key_list import parse_key_list, write_key_list
from referee.record.log.keyring import KeyRing, TrustedKey
from referee.record.log.keys import KEY_BYTES, SigningKey, parse_signing_key
from referee.store.durable import replace_file

KEY_FILE: Final = "log.key"
PUBLIC_FILE: Final = "log.pub"
LIST_FILE: Final = "log.keys"

Draw = Callable[[int], bytes]


class LogKey(NamedTuple):
    """The key that signs now, and all keys of the log with their bounds, it among them and last."""

    key: SigningKey
    ring: KeyRing


class LogKeyError(Exception):
    """The log's key cannot be used; the message says why."""


def log_key_in(folder: Path, log_name: str = "", draw: Draw = secrets.token_bytes) -> LogKey:
    """The log's key, which is drawn and kept the first time. Its name is ``log_name``, or made from the key.

    Raises LogKeyError when the file cannot be used, or has another name than is asked for: a log keeps its name.
    """
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _keep(folder, _first_key(log_name, draw))
        found = _parsed(path.read_text(encoding="utf-8"))
        if log_name and found.ring.origin != log_name:
            raise LogKeyError(f"{path} is the key of log {found.ring.origin!r}, not {log_name!r}; a log keeps its name")
        _publish(folder, found)
    except (OSError, ValueError) as failed:
        raise LogKeyError(f"cannot use {path}: {failed}") from failed
    return found


def rotate(folder: Path, size: int, draw: Draw = secrets.token_bytes) -> LogKey:
    """Replaces the key of a log that has ``size`` records and of which nobody signs a head meanwhile.

    The old key is valid up to the head of this size, the new one from it on. Raises LogKeyError.
    """
    old = log_key_in(folder)
    new = SigningKey(old.ring.origin, draw(KEY_BYTES))
    *before, last = old.ring.log_keys
    if last.from_size > size:
        raise LogKeyError(f"the log has {size} records; its key signs from {last.from_size} on")
    keys = (*before, replace(last, until_size=size + 1), TrustedKey(new.verifier, from_size=size))
    rotated = LogKey(new, KeyRing(old.ring.origin, keys))
    try:
        _keep(folder, rotated)
        _publish(folder, rotated)
    except OSError as failed:
        raise LogKeyError(f"cannot write {folder / KEY_FILE}: {failed}") from failed
    return rotated


def _first_key(log_name: str, draw: Draw) -> LogKey:
    seed = draw(KEY_BYTES)
    public = SigningKey("unnamed", seed).verifier.public
    key = SigningKey(log_name or f"referee.local/{sha256(public).hexdigest()[:8]}", seed)
    return LogKey(key, KeyRing(key.verifier.name, (TrustedKey(key.verifier),)))


def _parsed(text: str) -> LogKey:
    secret, _, listed = text.partition("\n")
    key, ring = parse_signing_key(secret), parse_key_list(listed)
    if ring.log_keys[-1].key != key.verifier:
        raise KeyFormatError("the secret key is not the last of the keys below it")
    return LogKey(key, ring)


def _keep(folder: Path, made: LogKey) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / KEY_FILE, f"{made.key.secret_text}\n{write_key_list(made.ring)}", 0o600)


def _publish(folder: Path, made: LogKey) -> None:
    for name, text in ((PUBLIC_FILE, f"{made.key.verifier.text}\n"), (LIST_FILE, write_key_list(made.ring))):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            replace_file(path, text, 0o644)
