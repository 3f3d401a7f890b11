"""All-in equity adjustment: what the pots of a hand would pay on average over the cards that only chance still decided.

When the last choice of a hand was made before its board was whole, the rest was luck. The adjusted result replaces what
was paid by its expectation over every board that could still come, each counted once: all cards that were dealt by
then, folded and discarded ones included, are out of the deck, so that the expectation is exact and the adjusted result
as right on average as the raw one, with less noise.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final

from referee.rules.events import BET, BOARD_DEALT, CALLED, CHECKED, DISCARDED, FOLDED, RAISED, Event
from referee.rules.pots import best_of, rake_of, shares
from referee.rules.ranking import strength
from referee.rules.ruleset import BOARD_CARDS
from referee.rules.showdown import CONCEDED, pots_of
from referee.rules.state import Hand

CHOICES: Final = frozenset((FOLDED, CHECKED, CALLED, BET, RAISED, DISCARDED))
"""What players decide; everything else follows."""

MAX_BOARDS: Final = 20_000
"""Hands with more boards to come, such as a hold'em all-in before the flop, are left as they are."""


def cards_to_come(events: tuple[Event, ...]) -> int:
    """How many board cards came after the last choice of a hand; discards are choices, so none is still to be made."""
    to_come = 0
    for event in reversed(events):
        if event.kind in CHOICES:
            break
        if event.kind is BOARD_DEALT:
            to_come += len(event.cards)
    return to_come


def expected_payments(hand: Hand, events: tuple[Event, ...]) -> tuple[Fraction, ...] | None:
    """What each player of a finished hand is paid on average, in the order of ``hand.setup.seats``.

    None when chance decided nothing after the last choice, or too much of it to be counted (``MAX_BOARDS``).
    """
    to_come = cards_to_come(events)
    if not to_come or hand.live_count < 2:
        return None
    known = hand.board[: BOARD_CARDS - to_come]
    players = len(hand.setup.seats)
    dealt = {*known, *hand.setup.deck[: players * hand.setup.rule_set.game.hole_cards]}
    unseen = [card for card in range(52) if card not in dealt]
    boards = comb(len(unseen), to_come)
    if boards > MAX_BOARDS:
        return None
    setup, pots = hand.setup, pots_of(hand)
    held = [kept + known + hand.joined if hand.live[player] else () for player, kept in enumerate(hand.kept)]
    won: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for rest in combinations(unseen, to_come):
        strengths = [strength(cards + rest) if cards else CONCEDED for cards in held]
        for at, pot in enumerate(pots):
            won[at, best_of(pot.eligible, strengths)] += 1
    rakes = rake_of(pots, setup.stakes, len(hand.board) > 0, setup.recorded_rake)
    paid = [Fraction(0)] * players
    for (at, winners), times in won.items():
        amounts = shares(pots[at].amount - rakes[at], winners, setup.stakes.chip_unit)
        for player, amount in zip(winners, amounts, strict=True):
            paid[player] += Fraction(amount * times, boards)
    return tuple(paid)
