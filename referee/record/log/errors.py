"""What can be wrong with a signed head of the log."""


class LogError(ValueError):
    """A note, key or checkpoint that is not believed; the message says why."""


class NoteFormatError(LogError):
    """A note or checkpoint that cannot be read. ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


class KeyFormatError(LogError):
    """A key, or a key's name, that cannot be used."""


class SignatureError(LogError):
    """A signature by a known key that does not verify: the note was altered, or signed by somebody else."""


class UntrustedError(LogError):
    """No signature by a known key of the log."""


class KeyValidityError(UntrustedError):
    """Signed by known keys of the log, but outside the time or the sizes for which they are valid."""


class QuorumError(UntrustedError):
    """Fewer witnesses have cosigned than are asked for."""


class SplitViewError(LogError):
    """Two heads of one log that cannot both be true."""
