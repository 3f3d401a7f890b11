"""Cards given by the host: of a live table, one hand at a time, or of a file of preset decks.

The file is text, one deck a line, for example ``Ah Kd 2c ...``: the nth deck of a block is that of its hand n, counted
from 1. Decks belong to block 0 until a line such as ``block 7``. Cards may be written without spaces. A deck may be
shorter than 52 cards, and ``??`` is a card that the referee is not told: it judges without. Empty lines and lines that
begin with ``#`` mean nothing.
"""

import re
from collections.abc import Sequence
from typing import Final

from referee.dealing.errors import DealError, DeckTextError, DeckUnknownError
from referee.dealing.items import CARDS
from referee.rules.cards import UNKNOWN, UNKNOWN_TEXT

MAX_DECKS: Final = 1_000_000
MAX_DECK_TEXT_LETTERS: Final = 256 * 1024 * 1024

_BLOCK_LINE: Final = re.compile(r"block (0|[1-9][0-9]{0,17})", re.ASCII)


class GivenDecks:
    """Decks that were given (a :class:`~referee.dealing.DeckSource`); it has no others.

    ``texts`` names the items that a deck may have, by their numbers.
    """

    def __init__(self, texts: Sequence[str] = CARDS) -> None:
        self.texts = tuple(texts)
        self._decks: dict[tuple[int, int], tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._decks)

    def give(self, block: int, hand: int, deck: tuple[int, ...]) -> None:
        """Takes the deck of a hand; the same one again changes nothing.

        Raises DealError when the hand has another deck (DEAL-3), for an item that does not exist or comes twice
        (GAME-5), for an empty deck, and when 1,000,000 decks are held.
        """
        known = self._decks.get((block, hand))
        if known == deck:
            return
        if known is not None:
            raise DealError(f"block {block} hand {hand} has another deck")
        if len(self._decks) >= MAX_DECKS:
            raise DealError(f"more than {MAX_DECKS} decks")
        fault = deck_fault(deck, self.texts)
        if fault:
            raise DealError(f"block {block} hand {hand}: {fault}")
        self._decks[block, hand] = deck

    def deck(self, block: int, hand: int) -> tuple[int, ...]:
        """The deck that was given for the hand; raises DeckUnknownError when none was."""
        try:
            return self._decks[block, hand]
        except KeyError:
            raise DeckUnknownError(f"no deck was given for block {block} hand {hand}") from None


def deck_fault(deck: Sequence[int], texts: Sequence[str]) -> str:
    """What is wrong with a deck; empty when nothing is."""
    if not deck:
        return "an empty deck"
    first: dict[int, int] = {}
    for place, item in enumerate(deck, 1):
        if item == UNKNOWN:
            continue
        if not 0 <= item < len(texts):
            return f"place {place}: there is no item {item}"
        if item in first:
            return f"place {place}: {texts[item]} is already at place {first[item]}"
        first[item] = place
    if len(deck) > len(texts):
        return f"{len(deck)} places; a deck has at most {len(texts)}"
    return ""


def read_decks(text: str, texts: Sequence[str] = CARDS) -> GivenDecks:
    """Reads a file of preset decks; raises DeckTextError with the line and the place in the deck."""
    if len(text) > MAX_DECK_TEXT_LETTERS:
        raise DeckTextError(1, f"more than {MAX_DECK_TEXT_LETTERS} letters")
    numbers = {name: number for number, name in enumerate(texts)} | {UNKNOWN_TEXT: UNKNOWN}
    decks = GivenDecks(texts)
    block = 0
    hands: dict[int, int] = {}
    for line, written in enumerate(text.split("\n"), 1):
        words = written.strip()
        if not words or words.startswith("#"):
            continue
        if words.startswith("block"):
            block = _block(line, words)
            if block in hands:
                raise DeckTextError(line, f"block {block} was begun before")
            hands[block] = 0
            continue
        hands[block] = hands.get(block, 0) + 1
        deck = _deck(line, words, numbers)
        try:
            decks.give(block, hands[block], deck)
        except DealError as error:
            raise DeckTextError(line, str(error)) from error
    return decks


def write_decks(decks: Sequence[tuple[int, ...]], texts: Sequence[str] = CARDS) -> str:
    """Writes decks of one block, one a line, as :func:`read_decks` reads them."""
    names = dict(enumerate(texts)) | {UNKNOWN: UNKNOWN_TEXT}
    return "".join([" ".join([names[item] for item in deck]) + "\n" for deck in decks])


def _block(line: int, words: str) -> int:
    found = _BLOCK_LINE.fullmatch(words)
    if not found:
        raise DeckTextError(line, f"{words!r} begins no block; expected for example: block 7")
    return int(found[1])


def _deck(line: int, words: str, numbers: dict[str, int]) -> tuple[int, ...]:
    width = len(next(iter(numbers)))
    names = words.split() if any([letter.isspace() for letter in words]) else _cut(words, width)
    deck = []
    for place, name in enumerate(names, 1):
        item = numbers.get(name)
        if item is None:
            expected = f"such as {next(iter(numbers))}, or {UNKNOWN_TEXT}"
            raise DeckTextError(line, f"place {place}: {name!r} is no item of a deck; expected {expected}")
        deck.append(item)
    return tuple(deck)


def _cut(words: str, width: int) -> list[str]:
    return [words[at : at + width] for at in range(0, len(words), width)]
