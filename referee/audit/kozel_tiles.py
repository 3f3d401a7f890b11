"""The tiles of a round: which of them a bundle tells, whether they are those of the decks, and where all 28 are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from referee.audit.game import Conserved, Dealt, Deck, Wrong
from referee.audit.kozel_seating import KozelSeating
from referee.audit.reading import Item
from referee.audit.seating import Seating
from referee.kozel.events import (
    BONEYARD_LAID,
    HAND_COUNTED,
    LEAD_GIVEN,
    REDEALT,
    ROUND_ENDED,
    TILE_DRAWN,
    TILE_LAID,
    TILES_DEALT,
    Event,
)
from referee.kozel.ruleset import RuleSet
from referee.kozel.setup import RoundSetup, dealt_to
from referee.kozel.state import Round, apply
from referee.kozel.tiles import UNKNOWN, pips_of, tiles_text

Tiles = tuple[int, ...]


@dataclass
class KnownTiles:
    """What a round's events tell: tiles dealt by deal and seat, who was dealt again, the boneyard, the tiles that were
    drawn from it in their order, what hands count."""

    deals: list[dict[int, Tiles]] = field(default_factory=lambda: [{}])
    redealt: list[int] = field(default_factory=list)
    boneyard: Tiles = ()
    drawn: Tiles = ()
    lead_seat: int = 0
    counts: dict[int, int] = field(default_factory=dict)

    def decks(self, seats: Sequence[int], rule_set: RuleSet) -> tuple[Deck, ...]:
        """The decks that deal these tiles to the seats, one for each deal (KOZ-1, KOZ-2); none while a tile is hidden.

        What is left of a deck that is dealt again is in no record, and takes any order.
        """
        decks = []
        for number, dealt in enumerate(self.deals):
            hands = [dealt.get(seat, ()) for seat in seats]
            if {len(hand) for hand in hands} != {rule_set.hand_tiles} or any([UNKNOWN in hand for hand in hands]):
                return ()
            front = [hand[at] for at in range(rule_set.hand_tiles) for hand in hands]
            rest = tuple([tile for tile in rule_set.tiles() if tile not in front])
            is_last = number == len(self.deals) - 1
            if is_last and UNKNOWN in self.boneyard:
                return ()
            decks.append((*front, *(self.boneyard if is_last else rest)))
        return tuple(decks)


def known_tiles(items: Iterable[Item]) -> KnownTiles:
    """Gathers what the entries of one round, from its beginning to its end, tell of its tiles."""
    known = KnownTiles()
    has_begun = False
    for item in items:
        if item.kind == "hand_began":
            if has_begun:  # a round that never ended
                break
            has_begun = True
        event = item.content
        if not isinstance(event, Event):
            continue
        if event.kind is TILES_DEALT:
            known.deals[-1][event.seat] = event.tiles
        elif event.kind is REDEALT:
            known.redealt.append(event.seat)
            known.deals.append({})
        elif event.kind is BONEYARD_LAID:
            known.boneyard = event.tiles
        elif event.kind is TILE_DRAWN:
            known.drawn += event.tiles
        elif event.kind is LEAD_GIVEN:
            known.lead_seat = event.seat
        elif event.kind is HAND_COUNTED:
            known.counts[event.seat] = event.points
        elif event.kind is ROUND_ENDED:
            break
    return known


class DealtTiles(Dealt):
    """The decks of the round under way: the deal that is on, what each seat holds, and the boneyard."""

    def __init__(self, decks: Sequence[Deck], seats: Sequence[int], rule_set: RuleSet) -> None:
        self._decks = decks
        self._seats = tuple(seats)
        self._hand_tiles = rule_set.hand_tiles
        self._deal(0)

    def _deal(self, number: int) -> None:
        self._number = number
        deck = self._decks[number] if number < len(self._decks) else ()
        players = len(self._seats)
        self._dealt = {
            seat: dealt_to(deck, player, players, self._hand_tiles) for player, seat in enumerate(self._seats)
        }
        self._held = {seat: set(tiles) for seat, tiles in self._dealt.items()}
        self._boneyard = deck[players * self._hand_tiles :]

    def compare(self, item: Item) -> Wrong | int:
        """Compares an event's tiles with the decks; returns what is wrong, or how many are right."""
        event: Event = item.content
        if event.kind is REDEALT:
            self._deal(self._number + 1)
            return 0
        if event.kind is TILE_LAID:
            held = self._held.get(event.seat, set())
            if not set(event.tiles) <= held:
                right = tuple(sorted(held))
                return _wrong(event, "KOZ-4", "a tile is laid that was not dealt to the seat, nor drawn by it", right)
            held -= set(event.tiles)
            return len(event.tiles)
        if event.kind is TILES_DEALT:
            right = self._dealt.get(event.seat, ())
        elif event.kind is BONEYARD_LAID:
            right = self._boneyard
        elif event.kind is TILE_DRAWN:
            right, self._boneyard = self._boneyard[:1], self._boneyard[1:]
            self._held.setdefault(event.seat, set()).update(right)
        else:
            return 0
        # Only a view that may not see a tile leaves it out.
        known = [one for one in zip(event.tiles, right, strict=False) if item.whole or one[0] != UNKNOWN]
        if len(event.tiles) != len(right) or any([recorded != tile for recorded, tile in known]):
            return _wrong(event, "KOZ-1", "another tile than the deck has at its place", right)
        return len(known)


def _wrong(event: Event, rule: str, message: str, right: Tiles) -> Wrong:
    return Wrong(rule, message, tiles_text(event.tiles), tiles_text(right))


class CountedTiles(Conserved):
    """Where every tile of a round is, and what the accounts become, by the recorded events alone."""

    def __init__(self, setup: RoundSetup) -> None:
        """Raises SetupRefusedError for a setup from which no round begins."""
        self._state = Round(setup)
        self._broken: Wrong | None = None

    def count(self, item: Item) -> None:
        """Moves the event's tiles."""
        event: Event = item.content
        if self._broken is not None:
            return
        top = self._state.boneyard[:1]
        if event.kind is TILE_DRAWN and event.tiles != top and UNKNOWN not in (*event.tiles, *top):
            self._broken = _wrong(event, "KOZ-1", "a tile is drawn that is not the next of the boneyard", top)
            return
        try:
            apply(self._state, event)
        except (ValueError, IndexError) as error:
            self._broken = Wrong("KOZ-1", f"a tile is moved that is not there: {error}", "", self._places())
        else:
            if event.kind is LEAD_GIVEN:
                self._broken = self._misplaced()

    def fault(self) -> Wrong | None:
        """What is wrong at the end of the round, None for nothing."""
        return self._broken or self._misplaced()

    def _misplaced(self) -> Wrong | None:
        """Whether there are 28 tiles with 168 pips, each in one place; of those that are hidden, only how many."""
        state, tiles = self._state, self._state.setup.rule_set.tiles()
        together = [*state.boneyard, *state.chain]
        for hand in state.hands:
            together.extend(hand)
        known = [tile for tile in together if tile != UNKNOWN]
        is_whole = len(known) == len(together)
        missing = set(known) != set(tiles) if is_whole else not set(known) <= set(tiles)
        if len(together) != len(tiles) or len(set(known)) != len(known) or missing:
            right = f"{len(tiles)} tiles with {pips_of(tiles)} pips, each once"
            return Wrong("KOZ-1", "tiles appear or disappear", self._places(), right)
        return None

    def _places(self) -> str:
        state = self._state
        hands = [f"seat {seat}: {tiles_text(state.hands[at])}" for at, seat in enumerate(state.setup.seats)]
        return "; ".join([f"chain: {tiles_text(state.chain)}", *hands, f"boneyard: {tiles_text(state.boneyard)}"])

    def carry_on(self, seating: Seating) -> None:
        """Takes accounts, carry and leader over to the next round."""
        assert isinstance(seating, KozelSeating), "a table of Kozel"
        if self._broken is None:
            seating.end(self._state)
        else:
            seating.end_unknown()
