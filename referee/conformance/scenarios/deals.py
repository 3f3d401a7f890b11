"""Fair deals: the decks that were dealt are those that the seeds make, or the client says that they are not."""

from hashlib import sha256 as hashed
from typing import Final

from referee.conformance.game import Game
from referee.conformance.told import Told
from referee.conformance.verdicts import FailedError, Scenario
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import MatchSeeds, SeatSeed, commit_referee, commit_seat
from referee.v1 import table_pb2

SCRIPT: Final = """
p3 call, p1 call, me check, p1 check, me check, p3 check, me discard, p1 discard, p3 discard
p1 check, me check, p3 check, p1 check, me check, p3 check"""
HANDS: Final = 3


def seed_of(name: str) -> bytes:
    """Somebody's seed, always the same."""
    return hashed(f"referee conformance {name}".encode("ascii")).digest()


class Deals:
    """A match whose decks follow from seeds; seat 1 revealed its own, seat 3 withheld it, the client gave none."""

    def __init__(self, told: Told) -> None:
        match = told.match_name
        self.commitment = commit_referee(match, seed_of("referee"))
        committed = {seat: commit_seat(match, seat, seed_of(f"seat {seat}"), self.commitment) for seat in (1, 3)}
        self.seeds = MatchSeeds(
            match,
            seed_of("referee"),
            (SeatSeed(1, committed[1], seed_of("seat 1")), SeatSeed(2), SeatSeed(3, committed[3])),
        )
        self.decks = FairDecks(match, self.seeds.match_seed(), told.deck_items)
        self.told = told
        told.deal_commitment = self.commitment

    def opening(self) -> list[table_pb2.PlayResponseItem]:
        """What happened before the first hand."""
        told = self.told
        name, sha256 = told.rules()
        opened = table_pb2.TableOpened(
            config=told.config(),
            match_name=told.match_name,
            deal_commitment=self.commitment,
            rule_set_name=name,
            rule_set_sha256=bytes.fromhex(sha256),
        )
        taken = [
            table_pb2.SeatTaken(seat=seat, name=f"player {seat}", stack=told.seat_state(seat).stack)
            for seat in told.seats
        ]
        commitments = [
            table_pb2.SeedCommitted(seat=seat.seat, commitment=seat.commitment)
            for seat in self.seeds.seats
            if seat.commitment
        ]
        closed = table_pb2.CommitmentsClosed(seats=told.seats, commitments=commitments)
        return [
            told.seen(opened=opened),
            *[told.seen(seat_taken=one) for one in taken],
            *[told.seen(seed_committed=one) for one in commitments],
            told.seen(commitments_closed=closed),
            told.seen(seed_revealed=table_pb2.SeedRevealed(seat=1)),
        ]

    def shown(self, referee_seed: bytes = b"") -> table_pb2.PlayResponseItem:
        """The table's last event, with the seeds."""
        seats = [
            table_pb2.SeatSeed(seat=one.seat, commitment=one.commitment, seed=one.seed) for one in self.seeds.seats
        ]
        seeds = table_pb2.MatchSeeds(
            match_name=self.seeds.match, referee_seed=referee_seed or self.seeds.referee_seed, seats=seats
        )
        return self.told.seen(ended=table_pb2.TableEnded(reason=table_pb2.END_REASON_HANDS_PLAYED, seeds=seeds))


async def _play(game: Game, swapped_hand: int = 0, *places: int) -> Deals:
    """Plays hands; in one of them the cards at two places of the deck are swapped after it was committed to."""
    told = game.table("check-or-call")
    deals = Deals(told)
    await game.start()
    await game.begins()
    await game.tell(told, deals.opening())
    for number in range(1, HANDS + 1):
        committed = deals.decks.committed(0, number)
        deck = list(committed.deck)
        if number == swapped_hand:
            one, other = places
            deck[one], deck[other] = deck[other], deck[one]
        await game.hand(SCRIPT, deck=tuple(deck), deck_root=committed.root)
    return deals


async def _fair(game: Game) -> None:
    await must_be_right(game, await _play(game), HANDS)


async def must_be_right(game: Game, deals: Deals, hands: int) -> None:
    """Shows the seeds, and expects that the client found every deck to follow from them."""
    await game.tell(deals.told, [deals.shown()])
    await game.ends(hands=hands)
    line = game.line(deals.told)
    if (line.get("deals_checked"), line.get("deal_fault")) != (hands, ""):
        raise FailedError(f"{hands} deals checked and no fault", _found(line))


async def _swapped_board(game: Game) -> None:
    await must_be_found(game, await _play(game, 2, 12, 40), HANDS)


async def _swapped_hole(game: Game) -> None:
    await must_be_found(game, await _play(game, 3, 4, 51), HANDS)


async def _another_seed(game: Game) -> None:
    deals = await _play(game)
    await must_be_found(game, deals, HANDS, seed_of("another referee"))


async def must_be_found(game: Game, deals: Deals, hands: int, referee_seed: bytes = b"") -> None:
    """Shows the seeds, and expects that the client found something wrong."""
    await game.tell(deals.told, [deals.shown(referee_seed)])
    await game.ends(hands=hands)
    line = game.line(deals.told)
    if not line.get("deal_fault"):
        raise FailedError("a deal_fault in the line of JSON", _found(line))


def _found(line: dict[str, object]) -> str:
    return f"deals_checked {line.get('deals_checked')}, deal_fault {line.get('deal_fault')!r}"


_SOURCE: Final = "docs/fair-deals.md; clients/vectors/deals.json"

SCENARIOS: Final = (
    Scenario("deals-fair", f"{HANDS} hands dealt from committed seeds are found to be so", _SOURCE, _fair),
    Scenario(
        "deals-swapped-board",
        "a board card that was swapped after the deck was committed to is reported",
        _SOURCE,
        _swapped_board,
    ),
    Scenario(
        "deals-swapped-hole",
        "a hole card that was swapped after the deck was committed to is reported",
        _SOURCE,
        _swapped_hole,
    ),
    Scenario(
        "deals-another-seed", "a referee's seed that is not the committed one is reported", _SOURCE, _another_seed
    ),
)
