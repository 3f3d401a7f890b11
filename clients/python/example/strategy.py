"""The strategies of the example bots, the same in every language: `clients/vectors/strategy.json` fixes `plain`."""

from itertools import combinations
from typing import Final

from referee.client import Decision
from referee.rules.rulings import Proposal

ACE: Final = 12
TEN: Final = 8


def rank_of(card: int) -> int:
    """0 for the deuce to 12 for the ace."""
    return card // 4


def suit_of(card: int) -> int:
    """0 to 3 for clubs, diamonds, hearts, spades."""
    return card % 4


# --- plain ----------------------------------------------------------------------------------------------


def plain(decision: Decision) -> Proposal:
    """A simple Irish player who leaves nothing to chance."""
    if decision.must_discard:
        kept = best_kept(decision.legal.held, decision.must_discard, decision.board)
        return decision.discard([card for card in decision.legal.held if card not in kept])
    return _on_the_flop_and_later(decision) if decision.board else _before_the_flop(decision)


def best_kept(held: tuple[int, ...], discards: int, board: tuple[int, ...]) -> tuple[int, ...]:
    """The cards to keep: those of the highest score, the first of equals in the order of their places."""
    return max(combinations(held, len(held) - discards), key=lambda kept: kept_score(kept, board))


def kept_score(kept: tuple[int, ...], board: tuple[int, ...]) -> int:
    """What kept cards are worth: high cards, pairs, cards that pair the board, a suit that the board has twice."""
    score = sum([rank_of(card) for card in kept])
    score += sum([60 + rank_of(one) for one, other in combinations(kept, 2) if rank_of(one) == rank_of(other)])
    on_board = {rank_of(card) for card in board}
    score += sum([40 + rank_of(card) for card in kept if rank_of(card) in on_board])
    suits = {suit_of(card) for card in kept}
    if len(suits) == 1 and [suit_of(card) for card in board].count(suit_of(kept[0])) >= 2:
        score += 50
    return score


def is_good_start(hole: tuple[int, ...]) -> bool:
    """Two cards of one rank from ten up, or an ace with another card of its suit."""
    pairs = list(combinations(hole, 2))
    return any([rank_of(one) == rank_of(other) >= TEN for one, other in pairs]) or any(
        [suit_of(one) == suit_of(other) and ACE in (rank_of(one), rank_of(other)) for one, other in pairs]
    )


def _before_the_flop(decision: Decision) -> Proposal:
    if is_good_start(decision.hole):
        return (
            decision.bet_or_raise(3 * decision.big_blind)
            if decision.level <= decision.big_blind
            else decision.check_or_call()
        )
    return decision.check_or_call() if decision.to_call <= 2 * decision.big_blind else decision.check_or_fold()


def _on_the_flop_and_later(decision: Decision) -> Proposal:
    matches = matches_of(decision.hole, decision.board)
    if matches >= 2:
        return decision.check_or_call() if decision.level else decision.bet_pot(75)
    if matches == 1:
        is_cheap = 2 * decision.to_call <= decision.pot
    else:
        is_cheap = has_flush_draw(decision.hole, decision.board) and 4 * decision.to_call <= decision.pot
    return decision.check_or_call() if is_cheap else decision.check_or_fold()


def matches_of(hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    """How many hole cards pair the board, and one more for a pair in the hole."""
    ranks = [rank_of(card) for card in hole]
    on_board = {rank_of(card) for card in board}
    return sum([rank in on_board for rank in ranks]) + (len(set(ranks)) < len(ranks))


def has_flush_draw(hole: tuple[int, ...], board: tuple[int, ...]) -> bool:
    """Four cards of one suit, one of them in the hole, and a board card still to come."""
    suits = [suit_of(card) for card in (*hole, *board)]
    return len(board) < 5 and any([suits.count(suit_of(card)) >= 4 for card in hole])


# --- conformance ----------------------------------------------------------------------------------------

WISHES_OF: Final = "conformance."
"""How the name of a match begins that wishes for something; what it wishes for follows."""


def conformance(decision: Decision) -> Proposal:
    """Does what the match's name wishes for (docs/conformance.md); plays `plain` at any other match."""
    if not decision.match_name.startswith(WISHES_OF):
        return plain(decision)
    wish = decision.match_name.removeprefix(WISHES_OF).partition(".")[0]
    owed, held = decision.must_discard, decision.legal.held
    if owed:
        is_wrong = wish == "wrong-discard" and decision.refusal is None
        count = owed if not is_wrong else owed - 1 if owed > 1 else owed + 1
        return decision.discard(held[:count])
    match wish:
        case "check-or-fold":
            return decision.check_or_fold()
        case "min-raise":
            return decision.bet_or_raise(decision.legal.min_to)
        case "max-raise":
            return decision.bet_or_raise(decision.legal.max_to)
        case "all-in":
            return decision.all_in_or_call()
        case "bet-pot":
            return decision.bet_pot(100)
        case "refused-first" if decision.refusal is None:
            return decision.raise_to(decision.stack + decision.level + 1)
        case _:
            return decision.check_or_call()
