"""Cards as text, and which card of the deck goes where (GAME-5, DEAL)."""

from referee_reference.terms import UNKNOWN, Setup

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


def is_card(card: str) -> bool:
    """GAME-5: ranks 2 to A, suits c d h s; ten is written T."""
    return card in DECK


def cards_needed(setup: Setup) -> int:
    """DEAL-2, DEAL-3: all hole cards and five for the board, no burn cards."""
    return len(setup.seats) * setup.rule_set.game.hole_cards + 5


def hole_cards(setup: Setup, player: int) -> tuple[str, ...]:
    """DEAL-1: one at a time, clockwise, starting left of the button."""
    dealt: list[str] = []
    place = 0
    for _ in range(setup.rule_set.game.hole_cards):
        for receiver in range(len(setup.seats)):
            if receiver == player:
                dealt.append(setup.deck[place] if setup.deck else UNKNOWN)
            place += 1
    return tuple(dealt)


def board_cards(setup: Setup, number: int) -> tuple[str, ...]:
    """DEAL-3: the first ``number`` cards of the board, right after the hole cards: flop, turn, river, no gaps."""
    start = len(setup.seats) * setup.rule_set.game.hole_cards
    return setup.deck[start : start + number] if setup.deck else (UNKNOWN,) * number
