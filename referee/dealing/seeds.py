"""Seeds of a match: what is committed, what is revealed, and the match seed that follows from all of it.

The bytes are specified in docs/fair-deals.md, by which a client rebuilds them.
"""

import hmac
import re
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from itertools import pairwise
from typing import Final

from referee.dealing.errors import CommitmentError, SeedError

DERIVATION: Final = "referee-deal/1"
"""The name and version of everything that is derived here; any change of a byte makes a new version."""

SEED_BYTES: Final = 32
MAX_SEATS_OF_A_MATCH: Final = 1024
REFEREE: Final = 0
"""The referee's place among the seats that commit."""

_MATCH_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


class SeedState(IntEnum):
    """What a seat gave of its seed."""

    REVEALED = 1
    NOT_REVEALED = 2
    """Committed to one and did not reveal it: its commitment counts in its place."""
    NOT_COMMITTED = 3
    """Gave nothing: 32 zero bytes count."""


@dataclass(frozen=True)
class SeatSeed:
    """A seat's commitment and seed; what it did not give is empty."""

    seat: int
    commitment: bytes = b""
    seed: bytes = b""

    @property
    def state(self) -> SeedState:
        """What the seat gave."""
        if self.seed:
            return SeedState.REVEALED
        return SeedState.NOT_REVEALED if self.commitment else SeedState.NOT_COMMITTED

    @property
    def counted(self) -> bytes:
        """The 32 bytes that enter the match seed: the seed, else the commitment, else zeros."""
        return self.seed or self.commitment or bytes(SEED_BYTES)


@dataclass(frozen=True)
class MatchSeeds:
    """Everything that a match's decks depend on; ``seats`` in ascending order."""

    match: str
    referee_seed: bytes
    seats: tuple[SeatSeed, ...]

    def check(self, referee_commitment: bytes) -> None:
        """Checks each revealed seed against its commitment.

        Raises CommitmentError for the first that differs, the referee's before the seats', and SeedError for what no
        seed can be. It does not check when anything was sent, except that a seat's commitment is made from the
        referee's and so came after it.
        """
        self._check_shape()
        if commit_referee(self.match, self.referee_seed) != referee_commitment:
            raise CommitmentError(REFEREE, "the referee's seed is not the committed one")
        for seat in self.seats:
            if seat.seed and commit_seat(self.match, seat.seat, seat.seed, referee_commitment) != seat.commitment:
                raise CommitmentError(seat.seat, f"seat {seat.seat}'s seed is not the committed one")

    def match_seed(self) -> bytes:
        """The match's 32 secret bytes: HKDF-SHA256 over the referee's seed and then the seats' in ascending order.

        Raises SeedError for what no seed can be; :meth:`check` is what compares seeds with commitments.
        """
        self._check_shape()
        material = self.referee_seed + b"".join([seat.counted for seat in self.seats])
        numbers = ",".join([str(seat.seat) for seat in self.seats])
        return hkdf(material, f"{DERIVATION}/match/{self.match}", f"{DERIVATION}/seats/{numbers}")

    def _check_shape(self) -> None:
        _check_match(self.match)
        _check_bytes(self.referee_seed, "the referee's seed")
        check_seats(tuple([seat.seat for seat in self.seats]))
        for seat in self.seats:
            for some, what in ((seat.seed, "seed"), (seat.commitment, "commitment")):
                if some:
                    _check_bytes(some, f"seat {seat.seat}'s {what}")


def commit_referee(match: str, seed: bytes) -> bytes:
    """The referee's commitment to its seed for a match; raises SeedError for a name or seed that cannot be used."""
    return _commit(match, REFEREE, b"", seed)


def commit_seat(match: str, seat: int, seed: bytes, referee_commitment: bytes) -> bytes:
    """A seat's commitment to its seed. It contains the referee's, so it cannot have been made before that one.

    Raises SeedError for a name, seat, seed or commitment that cannot be used.
    """
    check_seats((seat,))
    _check_bytes(referee_commitment, "the referee's commitment")
    return _commit(match, seat, referee_commitment, seed)


def check_seats(seats: tuple[int, ...]) -> None:
    """Raises SeedError unless these are seat numbers in ascending order, 1 to 1024 of them."""
    if not 1 <= len(seats) <= MAX_SEATS_OF_A_MATCH:
        raise SeedError(f"{len(seats)} seats; expected 1 to {MAX_SEATS_OF_A_MATCH}")
    if seats[0] < 1 or any([left >= right for left, right in pairwise(seats)]):
        raise SeedError(f"seats {', '.join(map(str, seats))}: expected numbers from 1, ascending, each once")


def hkdf(material: bytes, salt: str, info: str) -> bytes:
    """HKDF-SHA256 (RFC 5869) with 32 bytes of output, for which one step of its expansion is enough."""
    extracted = hmac.digest(salt.encode("ascii"), material, "sha256")
    return hmac.digest(extracted, info.encode("ascii") + b"\x01", "sha256")


def _commit(match: str, seat: int, referee_commitment: bytes, seed: bytes) -> bytes:
    _check_match(match)
    _check_bytes(seed, "a seed")
    return sha256(f"{DERIVATION}/commit/{match}/{seat}/".encode("ascii") + referee_commitment + seed).digest()


def _check_match(match: str) -> None:
    if not _MATCH_NAME.fullmatch(match):
        raise SeedError(f"{match!r} is not a match's name; expected 1 to 64 of A-Z a-z 0-9 . _ -")


def _check_bytes(some: bytes, what: str) -> None:
    if len(some) != SEED_BYTES:
        raise SeedError(f"{what} has {len(some)} bytes; expected {SEED_BYTES}")
