"""What can be wrong with seeds, commitments, openings and given decks."""


class DealError(ValueError):
    """Something about a deal that is not as it must be; the message says what."""


class SeedError(DealError):
    """A seed, commitment, seat or match name that cannot be used, or one that comes at the wrong time."""


class CommitmentError(SeedError):
    """A revealed seed that is not the committed one. ``seat`` is whose it is; 0 is the referee."""

    def __init__(self, seat: int, message: str) -> None:
        super().__init__(message)
        self.seat = seat


class OpeningError(DealError):
    """An opened card that is not the committed one, or an opening that cannot be one."""


class DeckUnknownError(DealError):
    """No deck was given for the hand that was asked for."""


class DeckTextError(DealError):
    """A deck file that cannot be read. ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
