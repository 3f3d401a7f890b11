"""The order in which seeds are given: the referee commits, then the seats commit, then the seats reveal."""

from referee.dealing.errors import CommitmentError, SeedError
from referee.dealing.seeds import SEED_BYTES, MatchSeeds, SeatSeed, check_seats, commit_referee, commit_seat


class SeedCollection:
    """Takes the seats' commitments and then their seeds for one match. A seat that gives nothing stops nobody.

    Raises SeedError for a match name, seed or seats that cannot be used.
    """

    def __init__(self, match: str, referee_seed: bytes, seats: tuple[int, ...]) -> None:
        check_seats(seats)
        self._match = match
        self._referee_seed = referee_seed
        self._seats = {seat: SeatSeed(seat) for seat in seats}
        self._commitments_closed = False
        self.referee_commitment = commit_referee(match, referee_seed)
        """To be published before any seat is asked for anything."""

    def commit(self, seat: int, commitment: bytes) -> None:
        """Takes a seat's commitment; the same one again changes nothing.

        Raises SeedError for an unknown seat, a second commitment, a wrong length, and after the commitments are closed.
        """
        known = self._known(seat)
        if len(commitment) != SEED_BYTES:
            raise SeedError(f"seat {seat}: a commitment of {len(commitment)} bytes; expected {SEED_BYTES}")
        if known.commitment == commitment:
            return
        if known.commitment:
            raise SeedError(f"seat {seat} is committed to another seed")
        if self._commitments_closed:
            raise SeedError(f"seat {seat}: commitments are closed")
        self._seats[seat] = SeatSeed(seat, commitment)

    def close_commitments(self) -> tuple[tuple[int, bytes], ...]:
        """Takes no more commitments, and seeds from now on: nobody chooses a seed having seen another's.

        Returns each seat with its commitment, empty where there is none. Every seat must be shown all of them before it
        reveals its seed, or it could not tell a commitment that was made later.
        """
        self._commitments_closed = True
        return tuple([(seat.seat, seat.commitment) for seat in self._seats.values()])

    def reveal(self, seat: int, seed: bytes) -> None:
        """Takes a seat's seed; the same one again changes nothing.

        Raises SeedError for an unknown seat, a seat without a commitment, and while commitments are open;
        CommitmentError for a seed that is not the committed one.
        """
        known = self._known(seat)
        if not self._commitments_closed:
            raise SeedError(f"seat {seat}: seeds are revealed when the commitments are closed")
        if not known.commitment:
            raise SeedError(f"seat {seat} has committed to no seed")
        if commit_seat(self._match, seat, seed, self.referee_commitment) != known.commitment:
            raise CommitmentError(seat, f"seat {seat}'s seed is not the committed one")
        self._seats[seat] = SeatSeed(seat, known.commitment, seed)

    def seeds(self) -> MatchSeeds:
        """The match's seeds, with what is missing by now left empty; raises SeedError while commitments are open."""
        if not self._commitments_closed:
            raise SeedError("commitments are still open")
        return MatchSeeds(self._match, self._referee_seed, tuple(self._seats.values()))

    def _known(self, seat: int) -> SeatSeed:
        known = self._seats.get(seat)
        if known is None:
            raise SeedError(f"there is no seat {seat} in match {self._match}")
        return known
