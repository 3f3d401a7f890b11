"""Auditing a table of Kozel."""

from collections.abc import Iterable, Sequence

from referee.audit.game import AuditedGame, Dealt, Deck
from referee.audit.kozel_seating import KozelSeating
from referee.audit.kozel_tiles import CountedTiles, DealtTiles, known_tiles
from referee.audit.kozel_walk import KozelWalk
from referee.audit.reading import Item
from referee.audit.seating import RecordedBeginning
from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.dealing.openings import CommittedDeck
from referee.kozel.game import decks_until_played
from referee.kozel.ruleset import SetupRefusedError
from referee.kozel.setup import RoundSetup
from referee.record import kozel_wire as wire
from referee.rules.ruleset import RuleSetError
from referee.table.kozel_config import KozelConfig


class AuditedKozel(AuditedGame):
    """A table of Kozel as an auditor sees it."""

    event_kind = "kozel_event"
    deck_texts = TILES

    def __init__(self, table_id: str, config: KozelConfig) -> None:
        self.config = config
        self.seating: KozelSeating = KozelSeating(table_id, config)

    def _setup(self, item: Item, dealt_in: tuple[int, ...], decks: Sequence[Deck]) -> RoundSetup:
        began = item.content.kozel
        return RoundSetup(
            self.config.rule_set,
            dealt_in,
            tuple(decks),
            tuple([wire.account_of(one) for one in began.accounts]),
            began.leader_seat,
            began.carry,
            item.content.hand_id,
        )

    def conserved(self, item: Item, dealt_in: tuple[int, ...]) -> CountedTiles:
        """Begins to count the tiles of a round."""
        try:
            return CountedTiles(self._setup(item, dealt_in, ()))
        except SetupRefusedError as refused:
            raise RuleSetError(refused.rule, refused.message) from refused

    def hand_walk(
        self, item: Item, items: Iterable[Item], dealt_in: tuple[int, ...], viewer: int, decks: Sequence[Deck]
    ) -> KozelWalk:
        """A round from its beginning, to be followed by the tiles that the record tells, else by those of its decks."""
        known = known_tiles(items)
        setup = self._setup(item, dealt_in, known.decks(dealt_in, self.config.rule_set) or decks)
        for seat in dealt_in:
            self.seating.seats[seat]  # somebody sits there, or a KeyError says where nobody does
        try:
            return KozelWalk(setup, known, viewer, self.config.clock, self.seating.seats, self.seating.is_complete)
        except SetupRefusedError as refused:
            raise RuleSetError(refused.rule, refused.message) from refused

    def roots(self, began: RecordedBeginning) -> list[bytes]:
        """The roots of the decks that a round's beginning tells."""
        return list(began.kozel.deck_roots)

    def committed(self, decks: FairDecks, hand: int, players: int) -> list[CommittedDeck]:
        """The decks of a round, made from the seeds, up to the one that is played (KOZ-2)."""
        try:
            dealt = decks_until_played(lambda redeal: decks.deck(0, hand, redeal), players, self.config.rule_set)
        except SetupRefusedError as refused:
            raise RuleSetError(refused.rule, refused.message) from refused
        return [decks.committed(0, hand, redeal) for redeal in range(len(dealt))]

    def dealt(self, decks: Sequence[Deck], dealt_in: Sequence[int]) -> Dealt:
        """Begins to compare the tiles of a round with its decks."""
        return DealtTiles(decks, dealt_in, self.config.rule_set)
