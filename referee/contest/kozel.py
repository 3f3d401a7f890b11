"""Games of Kozel in contests: their decks, and what came of them.

A game is what a hand is in poker, at a table of its own. A player's result is his rating (KOZ-16), the more the better;
beside it stand his points, below 0 since they are what one would rather not have. Decks follow from (seed, block,
round) alone, those that KOZ-2 has dealt again passed over: every seating of a block has the same ones.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from referee.contest.deals import block_number
from referee.contest.results import AppliedFault, HandResult
from referee.contest.schedule import TablePlan
from referee.dealing.fair import FairDecks
from referee.dealing.given import write_decks
from referee.dealing.items import TILES
from referee.kozel.game import decks_until_played
from referee.kozel.ruleset import RuleSet
from referee.kozel.state import Round
from referee.record.kozel_record import RecordedRound
from referee.record.notation.kozel import write_rounds

MAX_ROUNDS: Final = 300
"""Rounds for which a table is given decks. Every round scores or carries, and random play needs about ten."""


def kozel_decks(contest: str, seed: bytes) -> FairDecks:
    """The decks of a contest's games: by the block's number in the contest, the round, and the redeal."""
    return FairDecks(contest, seed, len(TILES))


def block_of(plan: TablePlan) -> int:
    """The block of a table's game, by its number in the contest."""
    return block_number(plan.match, plan.place_of(1)[0])


def kozel_deck_file(contest: str, seed: bytes, plan: TablePlan, rule_set: RuleSet) -> str:
    """The decks that are played at a table, round after round, as a deck file (docs/fair-deals.md)."""
    decks, block = kozel_decks(contest, seed), block_of(plan)
    played = [
        decks_until_played(partial(decks.deck, block, number), len(plan.players), rule_set)[-1]
        for number in range(1, MAX_ROUNDS + 1)
    ]
    return write_decks(played, TILES)


def game_result(plan: TablePlan, last: Round, faults: tuple[AppliedFault, ...]) -> HandResult:
    """The result of a game by its last round: ratings, and points below 0 in the place of what luck is taken out of."""
    names = tuple([plan.players[seat - 1] for seat in last.setup.seats])
    points = tuple([-float(account.score) for account in last.accounts])
    block = plan.place_of(1)[0]
    return HandResult(
        plan.match, plan.number, plan.seating, block, 1, names, tuple(last.ratings), points, False, 0, faults
    )


def game_text(plan: TablePlan, rounds: Sequence[RecordedRound]) -> str:
    """A game in the notation of docs/kozel.md, round after round, each named after the table's place in the contest."""
    named = [
        replace(one, setup=replace(one.setup, hand_id=f"{plan.name}-{number}")) for number, one in enumerate(rounds, 1)
    ]
    return write_rounds(named)
