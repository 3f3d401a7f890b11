"""Plays a tournament in this process: the rules' own engine, the bots, and the clock that it is given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.client.decision import Bot
from referee.client.harness import HandPlayed, play_hand
from referee.contest.tournament.standings import Place
from referee.contest.tournament.tournament import (
    TableHand,
    Tournament,
    TournamentConfig,
    after_hands,
    begin_tournament,
    next_hands,
)

OnRound = Callable[[Tournament, tuple[tuple[TableHand, HandPlayed], ...], Tournament], None]
"""Hears of each round: the tournament before it, the hands as they were played, and the tournament after it."""


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament: the places, best first, and how many rounds and hands were played."""

    places: tuple[Place, ...]
    rounds: int
    hands: int


def play_tournament(
    config: TournamentConfig,
    bots: Mapping[str, Bot],
    *,
    elapsed_ms: Callable[[], int] = lambda: 0,
    on_round: OnRound | None = None,
    resume: Tournament | None = None,
) -> TournamentResult:
    """Plays to the last chip and says who finished where.

    ``bots`` are the entrants, by name. ``elapsed_ms`` says how long it has been going on, where levels last minutes.
    Each table's hand is seen by its own seats only, as live. ``resume`` goes on from a tournament that ``on_round``
    was told of. The same seed and deterministic bots play the same tournament. Raises what a bot raises.
    """
    tournament = resume or begin_tournament(config, tuple(bots))
    hands = 0
    while not tournament.is_over:
        played = tuple([(hand, _play(hand, bots)) for hand in next_hands(tournament, elapsed_ms())])
        after = after_hands(
            tournament,
            {hand.table: (hand, dict(zip(hand.setup.seats, one.hand.stacks, strict=True))) for hand, one in played},
        )
        hands += len(played)
        if on_round is not None:
            on_round(tournament, played, after)
        tournament = after
    return TournamentResult(tuple(tournament.places()), tournament.rounds, hands)


def _play(hand: TableHand, bots: Mapping[str, Bot]) -> HandPlayed:
    seated = {seat: bots[hand.entrants[seat]] for seat in hand.setup.seats}
    number = int(hand.setup.hand_id.rpartition("-")[2])
    return play_hand(seated, hand.setup, number, names=hand.entrants, table_id=f"table {hand.table}")
