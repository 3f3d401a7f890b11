"""From round to round: who leads next with which accounts, until somebody has lost (KOZ-3, KOZ-15)."""

from collections.abc import Callable
from dataclasses import replace

from referee.kozel.ruleset import RuleSet, SetupRefusedError
from referee.kozel.setup import EMPTY_ACCOUNT, MAX_REDEALS, RoundSetup, redeal_player
from referee.kozel.state import Round

Decks = Callable[[int], tuple[int, ...]]
"""Gives the deck of a round's deal: 0 for the first one, then 1, 2 ... for as long as KOZ-2 asks for another."""


def decks_until_played(decks: Decks, players: int, rule_set: RuleSet) -> tuple[tuple[int, ...], ...]:
    """The decks of a round in order, of which the last is played (KOZ-2); raises SetupRefusedError after 1,000."""
    dealt: list[tuple[int, ...]] = []
    while len(dealt) < MAX_REDEALS:
        deck = decks(len(dealt))
        dealt.append(deck)
        if redeal_player(deck, players, rule_set) < 0:
            return tuple(dealt)
    raise SetupRefusedError("KOZ-2", f"{MAX_REDEALS} decks were dealt, and each must be dealt again")


def first_round(rule_set: RuleSet, seats: tuple[int, ...], decks: Decks, hand_id: str = "") -> RoundSetup:
    """The setup of a game's first round."""
    dealt = decks_until_played(decks, len(seats), rule_set)
    return RoundSetup(rule_set, seats, dealt, (EMPTY_ACCOUNT,) * len(seats), hand_id=hand_id)


def next_round(state: Round, decks: Decks, hand_id: str = "") -> RoundSetup | None:
    """The setup of the round after one that has ended; None when the game has ended with it.

    Raises ValueError for a round that has not ended.
    """
    if not state.has_ended():
        raise ValueError("the round has not ended")
    if state.game_has_ended():
        return None
    setup = state.setup
    return replace(
        setup,
        decks=decks_until_played(decks, len(setup.seats), setup.rule_set),
        accounts=tuple(state.accounts),
        leader_seat=setup.seats[state.winner],
        carry=state.carry,
        hand_id=hand_id,
    )
