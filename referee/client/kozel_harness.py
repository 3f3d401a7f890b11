"""Plays games of Kozel between bots in this process, without a server: fair deals, rulings, a record of each round.

A bot is shown what its seat may see and nothing else; what it proposes is ruled on as everywhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.kozel.events import Event
from referee.kozel.game import first_round, next_round
from referee.kozel.round import open_round, open_seats, propose
from referee.kozel.ruleset import RuleSet
from referee.kozel.rulings import TIMEOUT, Proposal
from referee.kozel.setup import RoundSetup
from referee.kozel.state import Round
from referee.kozel.views import SeenRound, seen_by, view

Bot = Callable[[SeenRound, Sequence[Event]], Proposal]


@dataclass(frozen=True)
class PlayedRound:
    """A round as it was played: its setup, every event, and how it stood at the end."""

    setup: RoundSetup
    events: tuple[Event, ...]
    state: Round


@dataclass(frozen=True)
class PlayedGame:
    """A game: its rounds, who lost (places in the row of bots), everybody's rating, and refused proposals of each."""

    rounds: tuple[PlayedRound, ...]
    lost: tuple[int, ...]
    ratings: tuple[int, ...]
    refusals: tuple[int, ...]


def play_game(
    bots: Sequence[Bot],
    rule_set: RuleSet,
    match: str,
    match_seed: bytes,
    on_round_over: Callable[[PlayedRound], None] | None = None,
) -> PlayedGame:
    """Plays a game to its end. A bot whose proposal is refused twice at one decision is out of time (KOZ-17).

    The decks are those of ``referee-deal/1`` for the match, block 0, hands 1, 2 ...
    """
    decks = FairDecks(match, match_seed, len(TILES))
    seats = tuple(range(1, len(bots) + 1))
    refusals = [0] * len(bots)
    played: list[PlayedRound] = []
    setup: RoundSetup | None = first_round(rule_set, seats, partial(decks.deck, 0, 1), f"{match}/1")
    while setup is not None:
        played.append(_play_round(bots, setup, refusals))
        if on_round_over is not None:
            on_round_over(played[-1])
        number = len(played) + 1
        setup = next_round(played[-1].state, partial(decks.deck, 0, number), f"{match}/{number}")
    last = played[-1].state
    return PlayedGame(tuple(played), last.lost, tuple(last.ratings), tuple(refusals))


def _play_round(bots: Sequence[Bot], setup: RoundSetup, refusals: list[int]) -> PlayedRound:
    state, opening = open_round(setup)
    events = list(opening)
    while open_seats(state):
        seat = open_seats(state)[0]
        player = state.index_of(seat)
        told = [view(event, seat) for event in events]
        ruling = propose(state, bots[player](seen_by(state, seat), told)._replace(seat=seat))
        if not ruling.accepted:
            refusals[player] += 1
            ruling = propose(state, bots[player](seen_by(state, seat), told)._replace(seat=seat))
        if not ruling.accepted:
            refusals[player] += 1
            ruling = propose(state, Proposal(seat, TIMEOUT))
        events.extend(ruling.events)
    return PlayedRound(setup, tuple(events), state)
