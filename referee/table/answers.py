"""What was answered to which request id (BET-9): the latest at hand, the others in the store, asked only if need be."""

from collections import OrderedDict
from typing import Final

from referee.store.sqlite import Answer, SqliteStore

AT_HAND: Final = 256
_FILTER_BITS: Final = 1 << 16
_SLICES: Final = (0, 16, 32, 48)


class Answers:
    """A table's answers by request id.

    A filter of 8 KiB says for most new ids that they are new without asking the store; the fuller it is, the more
    often the store is asked. It never calls a used id new.
    """

    def __init__(self, scope: str, store: SqliteStore) -> None:
        self._scope = scope
        self._store = store
        self._at_hand: OrderedDict[str, Answer] = OrderedDict()
        self._filter = bytearray()

    def _fill(self) -> None:
        """Fills the filter when it is needed first: a table that is only looked at never needs it."""
        if not self._filter:
            self._filter = bytearray(_FILTER_BITS // 8)
            for request_id in self._store.request_ids(self._scope):
                self._mark(request_id)

    def find(self, request_id: str) -> Answer | None:
        """The answer to a request id, None if it is new."""
        self._fill()
        found = self._at_hand.get(request_id)
        if found is None and self._may_be_used(request_id):
            found = self._store.answer(self._scope, request_id)
        return found

    def add(self, answer: Answer) -> None:
        """Adds an answer that is being stored."""
        self._fill()
        self._mark(answer.request_id)
        self._at_hand[answer.request_id] = answer
        if len(self._at_hand) > AT_HAND:
            self._at_hand.popitem(last=False)

    def _places(self, request_id: str) -> list[tuple[int, int]]:
        digest = hash(request_id)
        places = [digest >> shift & 0xFFFF for shift in _SLICES]
        return [(place >> 3, 1 << (place & 7)) for place in places]

    def _mark(self, request_id: str) -> None:
        for byte, bit in self._places(request_id):
            self._filter[byte] |= bit

    def _may_be_used(self, request_id: str) -> bool:
        return all([self._filter[byte] & bit for byte, bit in self._places(request_id)])
