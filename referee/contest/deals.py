"""What chance decides in a contest, all of it from one seed: decks, first buttons.

Decks follow from (seed, block, hand) alone, whatever players do and whoever they are; every seating of a block has the
same ones. The seed is committed to before the first hand and shown with the results.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from referee.contest.schedule import TablePlan
from referee.dealing import DeckSource
from referee.dealing.fair import FairDecks
from referee.dealing.given import write_decks
from referee.dealing.seeds import MatchSeeds, SeatSeed, commit_referee

BLOCKS_OF_A_MATCH: Final = 1 << 24
"""Blocks are numbered through all matches: those of match m begin at m times this."""


def seed_commitment(contest: str, seed: bytes) -> str:
    """What the organiser publishes before the first hand (referee-deal/1), in hexadecimal."""
    return commit_referee(contest, seed).hex()


def contest_decks(contest: str, seed: bytes) -> FairDecks:
    """The decks of a contest: ``deck(block, hand)`` by the block's number in the contest and the hand in the block."""
    return FairDecks(contest, seed)


def block_number(match: int, block: int) -> int:
    """The number in the contest of a match's block, which counts from 0."""
    return match * BLOCKS_OF_A_MATCH + block


class TableDecks:
    """The decks of one table as a :class:`~referee.dealing.DeckSource`: hand after hand through its blocks."""

    def __init__(self, contest_decks: FairDecks, plan: TablePlan) -> None:
        self._decks = contest_decks
        self._plan = plan

    def deck(self, block: int, hand: int, redeal: int = 0) -> tuple[int, ...]:
        """The deck of the table's nth hand, from 1; ``block`` is always 0, as a table counts."""
        block_of_match, hand_of_block = self._plan.place_of(hand)
        return self._decks.deck(block_number(self._plan.match, block_of_match), hand_of_block, redeal)


def deck_file(decks: DeckSource, hands: int) -> str:
    """The decks of a table's hands as a deck file (docs/fair-deals.md)."""
    return write_decks([decks.deck(0, hand) for hand in range(1, hands + 1)])


def button_seed(contest: str, seed: bytes, plan: TablePlan, seat: int = 0) -> bytes:
    """The seed that a table, or one of its seats, gives for the first button: the same in every seating of a block."""
    return hashlib.sha256(f"{contest}/button/{plan.match}/{plan.number}/{seat}/".encode() + seed).digest()


def match_name(contest: str, plan: TablePlan) -> str:
    """The name under which a table's first button is derived: the same in every seating of a block."""
    return f"{contest}.m{plan.match}.t{plan.number}"


def first_button(contest: str, seed: bytes, plan: TablePlan) -> int:
    """The seat that has the first button, as the server derives it from the seeds that it is given (SEAT-6)."""
    seats = tuple(range(1, len(plan.players) + 1))
    name = match_name(contest, plan)
    given = tuple([SeatSeed(seat, seed=button_seed(contest, seed, plan, seat)) for seat in seats])
    seeds = MatchSeeds(name, button_seed(contest, seed, plan), given)
    return FairDecks(name, seeds.match_seed()).first_button(seats)


def bot_seeds(contest: str, seed: bytes, names: Sequence[str]) -> dict[str, int]:
    """A seed for each entrant's own chance, from the contest's: a run then repeats exactly."""
    digests = {name: hashlib.sha256(f"{contest}/bot/{name}/".encode() + seed).digest() for name in names}
    return {name: int.from_bytes(digest[:4], "big") for name, digest in digests.items()}
