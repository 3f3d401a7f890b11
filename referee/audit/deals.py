"""Whether the cards were those that nobody chose: the order of commitments, the seeds, the decks, the cards dealt.

The derivation is that of docs/fair-deals.md. Seeds are published when the table ends; an auditor's bundle tells the
referee's from the beginning.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.audit.game import AuditedGame, Dealt, Deck, Wrong
from referee.audit.reading import Item
from referee.audit.report import Divergence, Findings
from referee.dealing.errors import CommitmentError, DealError
from referee.dealing.fair import FairDecks
from referee.dealing.given import GivenDecks, read_decks
from referee.dealing.items import CARDS
from referee.dealing.seeds import SEED_BYTES, MatchSeeds, SeatSeed, commit_referee, commit_seat
from referee.rules.ruleset import RuleSetError
from referee.v1 import table_pb2

DERIVED_BY = "docs/fair-deals.md"
GIVEN = "the host gave the cards: their origin is his word"
NOT_REVEALED = "the seeds are not revealed in this bundle"


@dataclass
class Deals:
    """The deals of a table as its record tells them; ``decks`` is None while the seeds are not known.

    ``game`` is what the table plays, None where that is not known: then nothing is dealt.
    """

    table_id: str
    findings: Findings
    game: AuditedGame | None = None
    match_name: str = ""
    referee_commitment: bytes = b""
    referee_seed: bytes = b""
    commitments: dict[int, bytes] = field(default_factory=dict)
    closed: table_pb2.CommitmentsClosed | None = None
    revealed: dict[int, bytes] = field(default_factory=dict)
    published: table_pb2.MatchSeeds | None = None
    decks: FairDecks | None = None
    are_given: bool = False
    given: GivenDecks | None = None
    _hand_began: bool = False
    _is_whole: bool = True
    _hand: Dealt | None = None

    # --- commitments and seeds ---------------------------------------------------------------------------

    def read(self, pieces: Sequence[tuple[int, Sequence[Item]]], from_the_opening: bool) -> None:
        """Reads all that the table's pieces tell of seeds; what is known of decks follows from it."""
        self._is_whole = from_the_opening
        for piece, items in pieces:
            for item in items:
                self._read(piece, item)
        if not from_the_opening:
            self.findings.unchecked("commitments", "the table's opening is not in the bundle")
            self.findings.unchecked("seeds", "the table's opening is not in the bundle")
            return
        self._derive(pieces[-1][0] if pieces else -1)

    def _read(self, piece: int, item: Item) -> None:
        content: Any = item.content
        match item.kind:
            case "opened" if item.number == 1:
                opened = content.opened if item.whole else content
                self.match_name, self.referee_commitment = opened.match_name, opened.deal_commitment
                self.referee_seed = content.config.seed if item.whole else b""
                self.are_given = opened.decks_given
                if item.whole:
                    self._read_given(piece, item, content.config.decks)
                if item.whole and not self.referee_seed:
                    self._fail("seeds", piece, item, "the referee's own seed is not kept")
                if len(self.referee_commitment) == SEED_BYTES:
                    self.findings.passed("commitments")
                else:
                    self._fail("commitments", piece, item, "the opening has no commitment of the referee")
            case "seed_committed":
                self._committed(piece, item, content)
            case "commitments_closed":
                self._closed(piece, item, content)
            case "seed_revealed":
                self._revealed(piece, item, content)
            case "seat_leaving" if not self._hand_began:
                # Who leaves before the first hand takes his commitment along.
                if self.closed is None:
                    self.commitments.pop(content.seat, None)
            case "hand_began" if not self._hand_began:
                self._hand_began = True
                if self.closed is None and self._is_whole:
                    self._fail("commitments", piece, item, "a hand begins before the commitments are closed")
            case "ended" if content.HasField("seeds"):
                self.published = content.seeds
            case "ended":
                self._fail("seeds", piece, item, "the table ends and its seeds are not shown")

    def _read_given(self, piece: int, item: Item, decks: str) -> None:
        if bool(decks) != self.are_given:
            self._fail("cards", piece, item, "the opening does not say rightly whether the host gave the cards")
        try:
            self.given = read_decks(decks, self._texts) if decks else None
        except DealError as error:
            self._fail("cards", piece, item, f"the decks that the host gave cannot be read: {error}")

    def _committed(self, piece: int, item: Item, one: table_pb2.SeedCommitted) -> None:
        if self.closed is not None or self._hand_began:
            self._fail("commitments", piece, item, f"seat {one.seat} commits after the commitments are closed")
        elif self.commitments.get(one.seat, one.commitment) != one.commitment:
            self._fail("commitments", piece, item, f"seat {one.seat} commits to a second seed")
        elif len(one.commitment) != SEED_BYTES or not self.referee_commitment:
            self._fail("commitments", piece, item, f"seat {one.seat} commits to nothing, or before the referee does")
        else:
            self.findings.passed("commitments")
        self.commitments.setdefault(one.seat, one.commitment)

    def _closed(self, piece: int, item: Item, closed: table_pb2.CommitmentsClosed) -> None:
        listed = {one.seat: one.commitment for one in closed.commitments}
        made = {seat: self.commitments[seat] for seat in sorted(self.commitments)}
        if self.closed is not None or self._hand_began:
            self._fail("commitments", piece, item, "the commitments are closed a second time, or after a hand began")
        elif list(closed.seats) != sorted(set(closed.seats)) or not set(listed) <= set(closed.seats):
            self._fail("commitments", piece, item, "the seats of the match are not in order, or not all of them")
        elif len(listed) != len(closed.commitments) or listed != made:
            self._fail(
                "commitments",
                piece,
                item,
                "the list of commitments is not that of the commitments made",
                _seeds_text(listed),
                _seeds_text(made),
            )
        else:
            self.findings.passed("commitments")
        self.closed = self.closed or closed

    def _revealed(self, piece: int, item: Item, one: Any) -> None:
        if self.closed is None or self._hand_began:
            self._fail("commitments", piece, item, f"seat {one.seat} reveals at a moment when no seeds are taken")
        elif one.seat not in self.commitments:
            self._fail("commitments", piece, item, f"seat {one.seat} reveals a seed that it did not commit to")
        else:
            self.findings.passed("commitments")
        if not item.whole:
            self.revealed.setdefault(one.seat, b"")
            return
        self.revealed[one.seat] = one.seed
        if one.commitment != self.commitments.get(one.seat, b""):
            self._fail("seeds", piece, item, f"seat {one.seat} reveals under another commitment")
        try:
            right = commit_seat(self.match_name, one.seat, one.seed, self.referee_commitment)
        except DealError as error:
            self._fail("seeds", piece, item, str(error))
            return
        if right != self.commitments.get(one.seat):
            recorded = self.commitments.get(one.seat, b"").hex()
            self._fail("seeds", piece, item, f"seat {one.seat}'s seed is not the committed one", recorded, right.hex())
        else:
            self.findings.passed("seeds")

    def _fail(self, check: str, piece: int, item: Item, message: str, recorded: str = "", right: str = "") -> None:
        told = f"{message} ({DERIVED_BY})"
        self.findings.failed(Divergence(check, told, self.table_id, piece, item.number, "", "", recorded, right))

    def _derive(self, last_piece: int) -> None:
        """Makes the decks from the seeds that were published, or else from those that the bundle tells by itself."""
        seeds = self._published(last_piece) if self.published is not None else self._told()
        if seeds is None:
            self.findings.unchecked("seeds", NOT_REVEALED)
            return
        try:
            seeds.check(self.referee_commitment)
            if seeds.seats:
                self.decks = FairDecks(seeds.match, seeds.match_seed(), len(self._texts))
        except CommitmentError as error:
            self._whole("seeds", last_piece, str(error))
        except DealError as error:
            self._whole("seeds", last_piece, f"no seeds: {error}")
        else:
            self.findings.passed("seeds", 1 + len([seat for seat in seeds.seats if seat.seed]))

    def _whole(self, check: str, piece: int, message: str, recorded: str = "", right: str = "") -> None:
        told = f"{message} ({DERIVED_BY})"
        self.findings.failed(Divergence(check, told, self.table_id, piece, -1, "", "", recorded, right))

    def _published(self, last_piece: int) -> MatchSeeds | None:
        published = self.published
        assert published is not None, "asked before"
        seats = {one.seat: one for one in published.seats}
        if published.match_name != self.match_name:
            self._whole("seeds", last_piece, "another match", published.match_name, self.match_name)
        if self.referee_seed and published.referee_seed != self.referee_seed:
            self._whole("seeds", last_piece, "the referee publishes another seed than it used")
        if not published.seats:
            self._check_lone_seed(last_piece, published)
            return None
        committed = {seat: one.commitment for seat, one in seats.items() if one.commitment}
        if self.closed is None or list(seats) != list(self.closed.seats) or committed != self.commitments:
            right = "none" if self.closed is None else _seeds_text(self.commitments)
            self._whole("seeds", last_piece, "other commitments than were made", _seeds_text(committed), right)
        given = {seat for seat, one in seats.items() if one.seed}
        if given != set(self.revealed):
            self._whole("seeds", last_piece, "other seeds than were revealed", _seats(given), _seats(self.revealed))
        if any([seed and seat in seats and seats[seat].seed != seed for seat, seed in self.revealed.items()]):
            self._whole("seeds", last_piece, "another seed than a seat revealed")
        return MatchSeeds(
            published.match_name,
            published.referee_seed,
            tuple([SeatSeed(one.seat, one.commitment, one.seed) for one in published.seats]),
        )

    def _check_lone_seed(self, last_piece: int, published: table_pb2.MatchSeeds) -> None:
        """A match in which no hand was dealt has the referee's seed alone."""
        try:
            right = commit_referee(published.match_name, published.referee_seed)
        except DealError as error:
            self._whole("seeds", last_piece, str(error))
            return
        if self._hand_began or right != self.referee_commitment:
            self._whole("seeds", last_piece, "the seeds of the match are not published")
        else:
            self.findings.passed("seeds")

    def _told(self) -> MatchSeeds | None:
        if not self.referee_seed or self.closed is None or not all(self.revealed.values()):
            return None
        seats = [
            SeatSeed(seat, self.commitments.get(seat, b""), self.revealed.get(seat, b"")) for seat in self.closed.seats
        ]
        return MatchSeeds(self.match_name, self.referee_seed, tuple(seats))

    # --- decks and cards ---------------------------------------------------------------------------------

    @property
    def _texts(self) -> Sequence[str]:
        return CARDS if self.game is None else self.game.deck_texts

    def begin_hand(self, piece: int, began: Item, dealt_in: Sequence[int]) -> tuple[Deck, ...]:
        """Compares the roots of a hand's decks with those that follow from the seeds; returns the decks, if known."""
        assert self.game is not None, "hands are followed where the game is known"
        self._hand = None
        roots = self.game.roots(began.content)
        if self.are_given:
            decks = self._given_decks(piece, began, roots)
        elif self.decks is None:
            self.findings.unchecked("deck_roots", NOT_REVEALED)
            self.findings.unchecked("cards", NOT_REVEALED)
            return ()
        else:
            decks = self._fair_decks(piece, began, roots, self.game, self.decks, len(dealt_in))
        if decks:
            self._hand = self.game.dealt(decks, dealt_in)
        return decks

    def _fair_decks(
        self, piece: int, began: Item, roots: list[bytes], game: AuditedGame, decks: FairDecks, players: int
    ) -> tuple[Deck, ...]:
        try:
            committed = game.committed(decks, began.hand, players)
        except (DealError, RuleSetError) as error:
            self._fail("deck_roots", piece, began, str(error))
            return ()
        right = [deck.root for deck in committed]
        if roots == right:
            self.findings.passed("deck_roots", len(right))
        else:
            recorded = _roots_text(roots), _roots_text(right)
            self._fail("deck_roots", piece, began, "another deck was committed to", *recorded)
        return tuple([deck.deck for deck in committed])

    def _given_decks(self, piece: int, began: Item, roots: list[bytes]) -> tuple[Deck, ...]:
        """The host's deck for a hand: nothing commits to it but his word."""
        if roots:
            self._fail("deck_roots", piece, began, "a root of a deck that the host gave", _roots_text(roots))
        else:
            self.findings.unchecked("deck_roots", GIVEN)
        if self.given is None:
            self.findings.unchecked("cards", GIVEN)
            return ()
        try:
            return (self.given.deck(0, began.hand),)
        except DealError as error:
            self._fail("cards", piece, began, str(error))
            return ()

    def compare(self, item: Item) -> Wrong | None:
        """Compares what an event deals or shows with the decks; returns what is wrong, None for nothing."""
        if self._hand is None:
            return None
        found = self._hand.compare(item)
        if isinstance(found, Wrong):
            return found
        self.findings.passed("cards", found)
        return None


def _roots_text(roots: Sequence[bytes]) -> str:
    return " ".join([root.hex() for root in roots])


def _seeds_text(commitments: dict[int, bytes]) -> str:
    return ", ".join([f"seat {seat}: {one.hex()}" for seat, one in sorted(commitments.items())]) or "none"


def _seats(seats: Any) -> str:
    return ", ".join([f"seat {seat}" for seat in sorted(seats)]) or "none"
