"""A player's own check of the deals: from what the referee published before, when the seeds are shown at the end.

docs/fair-deals.md says what this proves, and what it does not.
"""

from dataclasses import replace
from typing import Final, NamedTuple

from referee.client.hand_view import HandView
from referee.dealing.errors import DealError
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import MatchSeeds, SeatSeed
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.events import BOARD_DEALT, HOLE_DEALT
from referee.rules.setup import HandSetup, board_of, hole_of
from referee.v1 import table_pb2

MAX_HANDS: Final = 20_000
"""How many hands of a match are kept for the check: the newest."""


class _Dealt(NamedTuple):
    """What a seat saw of a hand's cards, and what was published before it."""

    deck_root: bytes
    setup: HandSetup
    holes: tuple[tuple[int, tuple[int, ...]], ...]
    board: tuple[int, ...]


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
        self._roots: dict[int, bytes] = {}
        self._hands: dict[int, _Dealt] = {}

    def opened(self, opened: table_pb2.TableOpened) -> None:
        """Keeps the referee's commitment."""
        self._opened = opened

    def closed(self, closed: table_pb2.CommitmentsClosed) -> None:
        """Keeps everybody's commitments."""
        self._closed = closed

    def began(self, number: int, deck_root: bytes) -> None:
        """Keeps what commits to the deck of the hand that begins."""
        self._roots = {number: deck_root} if deck_root else {}  # no root: the host gave the cards

    def over(self, view: HandView) -> None:
        """Keeps the cards that were seen of a hand that is over."""
        deck_root = self._roots.get(view.number)
        if deck_root is None:
            return
        holes = [(event.seat, event.cards) for event in view.events if event.kind is HOLE_DEALT]
        board = [card for event in view.events if event.kind is BOARD_DEALT for card in event.cards]
        seen = tuple([hole for hole in holes if UNKNOWN not in hole[1]])
        self._hands[view.number] = _Dealt(deck_root, view.setup, seen, tuple(board))
        if len(self._hands) > MAX_HANDS:
            del self._hands[next(iter(self._hands))]

    def ended(self, shown: table_pb2.MatchSeeds) -> None:
        """Checks all hands by the seeds that are shown now; without what was published before nothing is checked."""
        if self._opened is None or self._closed is None:
            return
        try:
            if not shown.seats:
                if self._hands:
                    raise DealError("hands were dealt, and the seeds are not shown")
                return
            decks = FairDecks(shown.match_name, self._checked_seeds(shown).match_seed())
            for number, dealt in self._hands.items():
                _check_hand(decks, number, dealt)
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


def _check_hand(decks: FairDecks, number: int, dealt: _Dealt) -> None:
    committed = decks.committed(0, number)
    if committed.root != dealt.deck_root:
        raise DealError(f"hand {number}: the deck is not the one that was committed to before it")
    setup = replace(dealt.setup, deck=committed.deck)
    for seat, cards in dealt.holes:
        right = hole_of(setup, setup.seats.index(seat))
        if cards != right:
            raise DealError(f"hand {number}: seat {seat} was dealt {cards_text(cards)}, not {cards_text(right)}")
    right = board_of(setup)[: len(dealt.board)]
    if dealt.board != right:
        raise DealError(f"hand {number}: the board was {cards_text(dealt.board)}, not {cards_text(right)}")
