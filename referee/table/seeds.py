"""The seeds of a table's match: the referee's, and those that seats commit to and reveal before the first hand."""

from referee.dealing.collecting import SeedCollection
from referee.dealing.errors import SeedError
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import commit_referee
from referee.rules.cards import DECK_SIZE
from referee.v1 import table_pb2


class TableSeeds:
    """What is known of the seeds (referee-deal/1). Each ``fold_`` method takes what has happened.

    ``items`` is how many a deck has. Raises SeedError for a name or seed that no match can have.
    """

    def __init__(self, match: str, referee_seed: bytes, items: int = DECK_SIZE) -> None:
        self.match = match
        self._items = items
        self.commitment = commit_referee(match, referee_seed)
        self.commitments: dict[int, bytes] = {}
        self._referee_seed = referee_seed
        self._collection: SeedCollection | None = None
        self._given: set[int] = set()

    @property
    def are_closed(self) -> bool:
        """Whether no more commitments are taken."""
        return self._collection is not None

    @property
    def are_all_given(self) -> bool:
        """Whether every seat of the match that committed to a seed has given it."""
        return self._given >= self.commitments.keys()

    def check_commitment(self, seat: int, commitment: bytes) -> bool:
        """Whether a commitment is new; raises SeedError when it comes too late or the seat has another."""
        known = self.commitments.get(seat)
        if known == commitment:
            return False
        if known is not None:
            raise SeedError(f"seat {seat} is committed to another seed")
        if self.are_closed:
            raise SeedError("commitments are closed")
        return True

    def check_seed(self, seat: int, seed: bytes) -> bool:
        """Whether a seed is new; raises SeedError when it is not wanted or is not the committed one."""
        if self._collection is None:
            raise SeedError("seeds are given when the commitments are closed")
        self._collection.reveal(seat, seed)
        return seat not in self._given

    def fold_committed(self, seat: int, commitment: bytes) -> None:
        """A seat committed to a seed."""
        self.commitments[seat] = commitment

    def fold_left(self, seat: int) -> None:
        """A seat was left before the commitments were closed."""
        self.commitments.pop(seat, None)

    def fold_closed(self, seats: tuple[int, ...]) -> None:
        """No more commitments are taken; the match has these seats, ascending."""
        self._collection = SeedCollection(self.match, self._referee_seed, seats)
        for seat, commitment in self.commitments.items():
            self._collection.commit(seat, commitment)
        self._collection.close_commitments()

    def fold_revealed(self, seat: int, seed: bytes) -> None:
        """A seat gave its seed."""
        assert self._collection is not None, "seeds are given when the commitments are closed"
        self._collection.reveal(seat, seed)
        self._given.add(seat)

    def decks(self) -> FairDecks:
        """The decks that follow, with what is missing by now left out; raises SeedError before the closing."""
        if self._collection is None:
            raise SeedError("commitments are still open")
        return FairDecks(self.match, self._collection.seeds().match_seed(), self._items)

    def message(self) -> table_pb2.MatchSeeds:
        """All seeds, to be shown when nothing is dealt from them any more."""
        seats = () if self._collection is None else self._collection.seeds().seats
        return table_pb2.MatchSeeds(
            match_name=self.match,
            referee_seed=self._referee_seed,
            seats=[table_pb2.SeatSeed(seat=one.seat, commitment=one.commitment, seed=one.seed) for one in seats],
        )
