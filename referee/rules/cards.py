"""Cards as small integers (GAME-5): ``4 * rank + suit``, rank 0 is the deuce and 12 the ace."""

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK_SIZE: Final = 52

UNKNOWN: Final = -1
"""A card that was dealt but that the referee does not know; written ``??``."""

UNKNOWN_TEXT: Final = "??"

CARD_TEXTS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_OF_TEXT: Final = {text: card for card, text in enumerate(CARD_TEXTS)}


def parse_card(text: str) -> int:
    """Reads one card such as ``Ah`` or ``Td``; ``??`` is an unknown card.

    Raises ValueError for anything else; there is one spelling for each card (GAME-5).
    """
    if text == UNKNOWN_TEXT:
        return UNKNOWN
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        raise ValueError(f"{text!r} is not a card; expected a rank of {RANKS} and a suit of {SUITS}, such as Ah or Td")
    return card


def parse_cards(text: str) -> tuple[int, ...]:
    """Reads cards written one after another, with or without spaces: ``AhKd`` or ``Ah Kd``."""
    packed = text.replace(" ", "")
    if len(packed) % 2:
        raise ValueError(f"{text!r} is not a row of cards; expected two characters for each card")
    return tuple([parse_card(packed[at : at + 2]) for at in range(0, len(packed), 2)])


def card_text(card: int) -> str:
    """Writes one card as :func:`parse_card` reads it."""
    return UNKNOWN_TEXT if card == UNKNOWN else CARD_TEXTS[card]


def cards_text(cards: tuple[int, ...], separator: str = " ") -> str:
    """Writes cards in the order given."""
    return separator.join([card_text(card) for card in cards])
