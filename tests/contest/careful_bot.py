"""A second reasonable bot beside sound-irish: it plays fewer starts, bets less, and wants better prices."""

from referee.bots.reading import best_keep, start_percentile
from referee.bots.simple import sensible_discard
from referee.bots.sound import chance_to_win


def bot(decision):
    if decision.must_discard:
        return sensible_discard(decision)
    if not decision.board:
        start = start_percentile(decision.hole)
        if decision.level <= decision.big_blind:
            return decision.bet_or_raise(3 * decision.big_blind) if start >= 75 else before(decision, start, 50)
        return before(decision, start, 70 if decision.to_call <= 6 * decision.big_blind else 88)
    kept = best_keep(decision.hole, decision.game.kept_cards, decision.board)
    chance = chance_to_win(decision, kept)
    if not decision.to_call:
        return decision.bet_pot(50) if chance >= 0.6 else decision.check_or_fold()
    if chance >= 0.88:
        return decision.bet_pot(75)
    price = decision.to_call / (decision.pot + decision.to_call)
    return decision.check_or_call() if chance >= price + 0.06 else decision.check_or_fold()


def before(decision, start, calling):
    return decision.check_or_call() if start >= calling else decision.check_or_fold()
