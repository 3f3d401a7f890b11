"""A practice bot that follows simple sound advice for Irish, and plays the other games by the same lights.

The advice: raise big pairs and suited aces. Keep the cards that make the best hand or draw with the flop. Draw to the
nut flush. Be careful with bare pairs and two pair on coordinated boards. Bet what is likely best; pay no more for the
rest than the pot offers.
"""

from math import comb
from typing import Final, final

from referee.bots.reading import (
    best_keep,
    draw_value,
    has_nut_flush_draw,
    is_coordinated,
    share_beaten,
    start_percentile,
    value_of,
)
from referee.bots.simple import sensible_discard
from referee.client.decision import Decision
from referee.rules.events import BET, BOARD_DEALT, RAISED
from referee.rules.ranking import HandClass, hand_class_of
from referee.rules.rulings import Proposal

RAISING_STARTS: Final = 80
CALLING_STARTS: Final = 45
"""Percent of random starts that a start must beat, against one opponent; more opponents ask for more."""


@final
class SoundIrish:
    """Plays by the advice of this module. It has no state and no luck of its own: one decision has one answer."""

    name = "sound-irish"

    def __init__(self, seed: int = 0) -> None:
        """Takes a seed as every bot does, and has no use for it."""

    def __call__(self, decision: Decision) -> Proposal:
        if decision.must_discard:
            return sensible_discard(decision)
        if not decision.board:
            return before_the_flop(decision)
        return after_the_flop(decision)


def before_the_flop(decision: Decision) -> Proposal:
    """Raises the best starts, calls with fair ones, and asks for more the more it costs."""
    start = start_percentile(decision.hole)
    crowd = 2 * (len(decision.opponents) - 1)
    if decision.level <= decision.big_blind:
        if start >= RAISING_STARTS + crowd // 2:
            return decision.bet_pot(100)
        return decision.check_or_call() if start >= CALLING_STARTS + crowd else decision.check_or_fold()
    cost = decision.to_call / decision.big_blind
    calling, raising = (60, 92) if cost <= 4 else (76, 96) if cost <= 15 else (86, 98)
    if start >= raising:
        return decision.bet_pot(100)
    return decision.check_or_call() if start >= min(90, calling + crowd // 2) else decision.check_or_fold()


def after_the_flop(decision: Decision) -> Proposal:
    """Bets and raises what is likely best, draws where the pot pays for it, and lets go of the rest."""
    kept = best_keep(decision.hole, decision.game.kept_cards, decision.board)
    chance = chance_to_win(decision, kept)
    if not decision.to_call:
        semi_bluff = has_nut_flush_draw(kept, decision.board) and len(decision.opponents) <= 2
        return decision.bet_pot(66) if chance >= 0.55 or semi_bluff else decision.check_or_fold()
    if chance >= 0.85 or (chance >= 0.7 and lifts_on_street(decision) <= 1):
        return decision.bet_pot(100)
    price = decision.to_call / (decision.pot + decision.to_call)
    if has_nut_flush_draw(kept, decision.board):
        price -= 0.06  # a nut flush is paid
    return decision.check_or_call() if chance >= price + 0.03 else decision.check_or_fold()


def chance_to_win(decision: Decision, kept: tuple[int, ...]) -> float:
    """A rough chance against all live opponents: best now, or with the cards to come."""
    game, board = decision.game, decision.board
    choices = comb(game.hole_cards, game.kept_cards)
    picked = min(4.0, 1 + (choices - 1) / 2)  # others kept the best of several holdings too
    beaten = share_beaten(kept, decision.hole + decision.discarded, board)
    best_now = float(beaten ** (picked * len(decision.opponents)))
    made = hand_class_of(value_of(kept + board))
    if made <= HandClass.TWO_PAIR and is_coordinated(board):
        best_now *= 0.75 if made <= HandClass.PAIR else 0.85
    best_now *= float(0.88 ** min(3, lifts_on_street(decision)))
    return best_now + (1 - best_now) * draw_value(kept, board) / 100


def lifts_on_street(decision: Decision) -> int:
    """How often the level was lifted on this street by others."""
    lifts = 0
    for event in reversed(decision.events):
        if event.kind is BOARD_DEALT:
            break
        lifts += event.kind in (BET, RAISED) and event.seat != decision.seat
    return lifts
