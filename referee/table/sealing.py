"""Seals the pieces of a table's record: what came before the first hand, each hand as it ends, and the end."""

import secrets
from collections.abc import Callable, Iterable

from referee.record.sealing import PIECE_SALT_BYTES, OpenPiece, Place
from referee.store.reading import StoreReader
from referee.store.sqlite import StoredPiece
from referee.table.config import TableConfig
from referee.table.happenings import Happening, ends_hand, happenings
from referee.table.written import Written
from referee.v1 import record_pb2

Draw = Callable[[int], bytes]
"""Draws so many secret bytes."""


class Sealer:
    """The piece of a table's record that is not sealed yet, and what is to come."""

    def __init__(self, table_id: str, place: Place, draw: Draw = secrets.token_bytes) -> None:
        self._table_id = table_id
        self._draw = draw
        self._piece = self._open(place)
        self._waiting: list[tuple[int, int, bytes, bytes]] = []

    @classmethod
    def restored(cls, table_id: str, config: TableConfig, store: StoreReader) -> "Sealer":
        """Goes on from what is stored: what was not sealed is read again, under a new salt."""
        last = store.last_piece(table_id)
        sealer = cls(table_id, Place() if last is None else Place.behind(last.seal))
        hands = (0, 0) if last is None else (last.piece, last.piece + 1)
        first = sealer._piece.place.first_number
        for row in store.rows(table_id, *hands):
            for number, happening in enumerate(happenings(row.body), row.number):
                if number >= first:
                    sealer._add(row.hand, row.time_unix_ms, Written(happening, config))
        return sealer

    def add(self, hand: int, happened: Iterable[Written], now_ms: int) -> tuple[StoredPiece, ...]:
        """Adds what happened and returns what is sealed.

        ``hand`` is the one under way before; the entries are those of the hand that began last.
        """
        sealed: list[StoredPiece] = []
        for one in happened:
            if one.began is not None:
                hand = one.began.hand
                if self._piece.place.piece == 0:
                    sealed.append(self._seal(now_ms))
            self._add(hand, now_ms, one)
            if _ends_a_piece(one.happening):
                sealed.append(self._seal(now_ms))
        return tuple(sealed)

    def catch_up(self) -> None:
        """Hashes what was added. Sealing does so too: this is for when nobody waits for it."""
        for hand, time_unix_ms, shown, closed in self._waiting:
            self._piece.add(hand, time_unix_ms, shown, closed)
        self._waiting.clear()

    def _add(self, hand: int, time_unix_ms: int, one: Written) -> None:
        self._waiting.append((hand, time_unix_ms, one.shown, one.closed))

    def _seal(self, now_ms: int) -> StoredPiece:
        self.catch_up()
        piece = self._piece.place.piece
        seal, salt = self._piece.seal(now_ms)
        self._piece = self._open(Place.behind(seal))
        return StoredPiece(piece, now_ms, seal, salt)

    def _open(self, place: Place) -> OpenPiece:
        return OpenPiece(self._table_id, place, self._draw(PIECE_SALT_BYTES))


def _ends_a_piece(happening: Happening) -> bool:
    return ends_hand(happening) or (isinstance(happening, record_pb2.StoredEvent) and happening.HasField("ended"))
