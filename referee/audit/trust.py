"""Whom an auditor believes."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.record.log.key_list import parse_trusted
from referee.record.log.keyring import KeyRing, TrustedKey


@dataclass(frozen=True)
class Trust:
    """The keys that an auditor was given, of one log or several, and of witnesses.

    Without a key of the log no signature can be checked, and a bundle is at best incomplete.
    """

    log_keys: tuple[TrustedKey, ...] = ()
    witnesses: tuple[TrustedKey, ...] = ()

    def ring(self, origin: str) -> KeyRing | None:
        """The keys for the log of this name; None when there is no key of that log.

        Raises KeyFormatError when a key is there twice.
        """
        of_log = tuple([trusted for trusted in self.log_keys if trusted.key.name == origin])
        return KeyRing(origin, of_log, self.witnesses) if of_log else None


def trust_in(keys: Iterable[str], witness_keys: Iterable[str] = ()) -> Trust:
    """Trust in keys as verifiers write them, or as lines of a key list, with the bounds of their validity.

    The same line twice counts once. Raises KeyFormatError.
    """
    log_keys = [parse_trusted(text) for text in dict.fromkeys(keys)]
    witnesses = [parse_trusted(text) for text in dict.fromkeys(witness_keys)]
    return Trust(tuple(log_keys), tuple(witnesses))
