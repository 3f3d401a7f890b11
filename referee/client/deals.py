"""A player's own check of the deals: from what the referee published before, when the seeds are shown at the end.

docs/fair-deals.md says what this proves, and what it does not.
"""

from typing import Final

from referee.client.game import Dealt
from referee.dealing.errors import DealError
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import MatchSeeds, SeatSeed
from referee.v1 import table_pb2

MAX_HANDS: Final = 20_000
"""How many hands of a match are kept for the check: the newest."""


class DealCheck:
    """What one seat of a table was shown of its deals. ``seed`` is the seat's own, empty for none.

    ``checked`` counts the hands whose decks were found to be those that the seeds make; ``fault`` says what was wrong
    first, empty when nothing was.
    """

    def __init__(self, seed: bytes) -> None:
        self.checked = 0
        self.fault = ""
        self._seed = seed
        self._opened: table_pb2.TableOpened | None = None
        self._closed: table_pb2.CommitmentsClosed | None = None
        self._hands: dict[int, Dealt] = {}

    def opened(self, opened: table_pb2.TableOpened) -> None:
        """Keeps the referee's commitment."""
        self._opened = opened

    def closed(self, closed: table_pb2.CommitmentsClosed) -> None:
        """Keeps everybody's commitments."""
        self._closed = closed

    def over(self, number: int, dealt: Dealt) -> None:
        """Keeps what was seen of the cards of a hand that is over."""
        self._hands[number] = dealt
        if len(self._hands) > MAX_HANDS:
            del self._hands[next(iter(self._hands))]

    def ended(self, shown: table_pb2.MatchSeeds, deck_items: int) -> None:
        """Checks all hands by the seeds that are shown now; without what was published before nothing is checked."""
        if self._opened is None or self._closed is None:
            return
        try:
            if not shown.seats:
                if self._hands:
                    raise DealError("hands were dealt, and the seeds are not shown")
                return
            decks = FairDecks(shown.match_name, self._checked_seeds(shown).match_seed(), deck_items)
            for dealt in self._hands.values():
                dealt.check(decks)
                self.checked += 1
        except DealError as wrong:
            self.fault = str(wrong)

    def _checked_seeds(self, shown: table_pb2.MatchSeeds) -> MatchSeeds:
        assert self._opened is not None, "the referee's commitment was told"
        assert self._closed is not None, "the seats' commitments were told"
        seeds = MatchSeeds(
            shown.match_name,
            shown.referee_seed,
            tuple([SeatSeed(one.seat, one.commitment, one.seed) for one in shown.seats]),
        )
        if shown.match_name != self._opened.match_name:
            raise DealError(f"the seeds are those of match {shown.match_name}, not {self._opened.match_name}")
        seeds.check(self._opened.deal_commitment)
        published = {one.seat: one.commitment for one in self._closed.commitments}
        if [one.seat for one in seeds.seats] != list(self._closed.seats):
            raise DealError("the match has other seats than when the commitments were closed")
        for one in seeds.seats:
            if one.commitment != published.get(one.seat, b""):
                raise DealError(f"seat {one.seat} was committed to another seed when the commitments were closed")
        if self._seed and not any([one.seed == self._seed and published.get(one.seat) for one in seeds.seats]):
            raise DealError("the own seed is not among those that were used")
        return seeds
