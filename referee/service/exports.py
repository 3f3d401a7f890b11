"""The server's own records for those who may see them: bundles, and openings of cards."""

from collections.abc import Iterable
from typing import NamedTuple

from referee.audit.exporting import ExportView, LogHead, WantedPieces, export_file
from referee.audit.workers import WorkerPool
from referee.dealing.errors import SeedError
from referee.dealing.fair import FairDecks
from referee.dealing.openings import CommittedDeck, Opening
from referee.kozel.events import BONEYARD_LAID, REDEALT, TILES_DEALT
from referee.kozel.events import Event as KozelEvent
from referee.kozel.state import Round
from referee.record.log.checkpoints import parse_checkpoint
from referee.record.log.notes import parse_note
from referee.record.view import review
from referee.rules.cards import UNKNOWN
from referee.rules.events import BOARD_DEALT, HOLE_DEALT, Event
from referee.service.heads import Heads
from referee.table.happenings import Happening
from referee.table.hub import Hub
from referee.table.records import poker_hand
from referee.table.table import Table
from referee.table.views import AUDITOR, shown_to
from referee.v1 import record_pb2


class Exports:
    """What is sealed of a hub's tables. Bundles are made in worker processes, which read the store themselves."""

    def __init__(self, hub: Hub, heads: Heads, pool: WorkerPool) -> None:
        self._hub = hub
        self._heads = heads
        self._pool = pool

    def keys(self) -> tuple[str, ...]:
        """The verifier keys of the log, with the bounds of their validity."""
        return tuple(self._heads.lines)

    def table_ids(self) -> list[str]:
        """Every table."""
        return self._hub.store.table_ids()

    def sealed_pieces(self, table_id: str) -> int:
        """How many pieces of a table are sealed; 0 for a table that is not known."""
        last = self._hub.store.last_piece(table_id)
        return 0 if last is None else last.piece + 1

    def sealed_hands(self, table_id: str) -> int:
        """How many hands those pieces hold: the first piece is the opening, and the last may be the end."""
        store = self._hub.store
        return max(min(self.sealed_pieces(table_id) - 1, store.last_hand(table_id)), 0)

    async def bundle(self, table_id: str, first_piece: int, last_piece: int) -> bytes:
        """Pieces of a table as a bundle file for the auditor."""
        wanted = WantedPieces(table_id, tuple(range(first_piece, last_piece + 1)))
        return await self.file([wanted], ExportView(record_pb2.BUNDLE_VIEW_AUDITOR))

    def sealed_between(self, from_unix_ms: int, until_unix_ms: int) -> list[WantedPieces]:
        """What was sealed from a moment on and before another, by table."""
        by_table: dict[str, list[int]] = {}
        for table_id, piece in self._hub.store.pieces_sealed(from_unix_ms, until_unix_ms):
            by_table.setdefault(table_id, []).append(piece)
        return [WantedPieces(table_id, tuple(pieces)) for table_id, pieces in by_table.items()]

    async def file(self, wanted: Iterable[WantedPieces], view: ExportView) -> bytes:
        """Pieces as a bundle file, under a head that witnesses have cosigned if one has them all, else the newest.

        Raises TooLargeError, and RedactionError for a seat that several players held.
        """
        listed = list(wanted)
        note = self._heads.cosigned(self._size_needed(listed)) or self._heads.newest()
        head = LogHead(parse_checkpoint(parse_note(note).text).size, note, tuple(self._heads.keys))
        return await self._pool.run(export_file, self._hub.store.path, listed, head, view)

    def _size_needed(self, wanted: Iterable[WantedPieces]) -> int:
        """How large the log must be to have these pieces: a table's last piece came after its others."""
        last = [self._hub.store.piece(one.table_id, max(one.pieces)) for one in wanted if one.pieces]
        return max([piece.log_index + 1 for piece in last if piece is not None], default=0)


class OpenedDeck(NamedTuple):
    """A deck of a finished hand, and what of it a viewer may see, opened."""

    deck: CommittedDeck
    opened: list[Opening]


def opened_decks(
    table: Table, decks: FairDecks, hand: int, events: Iterable[Happening], viewer: int
) -> list[OpenedDeck]:
    """The decks of a finished hand, of which only Kozel may have several, and what of them a viewer may see.

    ``table`` stands at the end of the hand. The auditor may see everything that was dealt.
    """
    known = _tiles_by_deck(table, events, viewer) if isinstance(table.hand, Round) else [_cards(table, events, viewer)]
    opened = []
    for redeal, items in enumerate(known):
        items.discard(UNKNOWN)
        deck = decks.committed(0, hand, redeal)
        opened.append(
            OpenedDeck(deck, [deck.open(position) for position, item in enumerate(deck.deck) if item in items])
        )
    return opened


def _cards(table: Table, events: Iterable[Happening], viewer: int) -> set[int]:
    known: set[int] = set()
    for kept in () if viewer == AUDITOR else review(poker_hand(table), viewer).values():
        known.update(kept)
    for event in events:
        if isinstance(event, Event):
            seen = shown_to(event, viewer, table.config)
            if isinstance(seen, Event) and (viewer != AUDITOR or seen.kind in (HOLE_DEALT, BOARD_DEALT)):
                known.update(seen.cards)
    return known


def _tiles_by_deck(table: Table, events: Iterable[Happening], viewer: int) -> list[set[int]]:
    known: list[set[int]] = [set()]
    for event in events:
        if isinstance(event, KozelEvent):
            if event.kind is REDEALT:
                known.append(set())
            seen = shown_to(event, viewer, table.config)
            if isinstance(seen, KozelEvent) and (viewer != AUDITOR or seen.kind in (TILES_DEALT, BONEYARD_LAID)):
                known[-1].update(seen.tiles)
    return known


def fair_decks(table: Table) -> FairDecks | None:
    """The decks that a table deals from; None when they were given, not drawn, or seeds are still collected."""
    if table.decks is not None:
        return table.decks if isinstance(table.decks, FairDecks) else None
    try:
        return table.seeds.decks()
    except SeedError:
        return None
