"""Commitments to each card of a deck, so that one card can be opened while the others stay hidden.

Each position is committed to with a salt of its own: 52 cards are few, and what a hash without a salt hides would be
found by trying.
"""

from dataclasses import dataclass
from typing import Final

from referee.dealing.errors import OpeningError
from referee.dealing.seeds import DERIVATION
from referee.dealing.stream import MAX_ITEMS
from referee.merkle.hashing import leaf_hash
from referee.merkle.tree import Tree, root_of
from referee.merkle.verification import ProofError, verify_inclusion

SALT_BYTES: Final = 16

_NUMBERS: Final = tuple([b"%d/" % number for number in range(MAX_ITEMS)])
"""Positions and items as they stand in a leaf."""


@dataclass(frozen=True)
class Deal:
    """Which deck of a match: ``items`` of them (52 cards, 28 tiles), for a hand of a block.

    ``redeal`` counts the decks of a hand that had to be dealt anew (KOZ-2); 0 is the first.
    """

    match: str
    items: int
    block: int
    hand: int
    redeal: int = 0

    @property
    def path(self) -> str:
        """The deal's part of a label. The match is not in it: the key under which labels are used stands for it."""
        return f"{self.items}/{self.block}/{self.hand}/{self.redeal}"


@dataclass(frozen=True)
class Opening:
    """One opened position of a deck (0 is dealt first): its item, its salt, and the hashes that lead to the root."""

    position: int
    item: int
    salt: bytes
    path: tuple[bytes, ...]


class CommittedDeck:
    """A deck with the root that commits to it. ``salts`` has 16 bytes for each position, derived or drawn.

    Raises ValueError when deck or salts do not fit the deal.
    """

    def __init__(self, deal: Deal, deck: tuple[int, ...], salts: tuple[bytes, ...]) -> None:
        if not len(deck) == len(salts) == deal.items:
            raise ValueError(f"{len(deck)} items and {len(salts)} salts for a deal of {deal.items}")
        if any([len(salt) != SALT_BYTES for salt in salts]):
            raise ValueError(f"a salt that is not of {SALT_BYTES} bytes")
        self.deal = deal
        self.deck = deck
        self.salts = salts
        begin = _leaf_begin(deal)
        self._leaves = [_leaf(begin, position, item, salts[position]) for position, item in enumerate(deck)]
        self.root = root_of(self._leaves)

    def open(self, position: int) -> Opening:
        """Opens one position; raises ValueError when the deck has no such position."""
        path = Tree(self._leaves).inclusion_proof(position)
        return Opening(position, self.deck[position], self.salts[position], path)


def leaf(deal: Deal, position: int, item: int, salt: bytes) -> bytes:
    """The hash of one position's leaf. It names the deal, so that an opening fits no other hand."""
    return _leaf(_leaf_begin(deal), position, item, salt)


def _leaf_begin(deal: Deal) -> bytes:
    """What all leaves of a deal begin with."""
    return f"{DERIVATION}/card/{deal.match}/{deal.path}/".encode("ascii")


def _leaf(begin: bytes, position: int, item: int, salt: bytes) -> bytes:
    return leaf_hash(begin + _NUMBERS[position] + _NUMBERS[item] + salt)


def verify_opening(deal: Deal, root: bytes, opening: Opening) -> None:
    """Checks an opened position against the root that was published for the deal.

    Raises OpeningError. It shows what was committed, not that the deck follows from the seeds.
    """
    if not 0 <= opening.item < deal.items:
        raise OpeningError(f"position {opening.position}: item {opening.item} of a deck of {deal.items}")
    if len(opening.salt) != SALT_BYTES:
        raise OpeningError(f"position {opening.position}: a salt of {len(opening.salt)} bytes; expected {SALT_BYTES}")
    hashed = leaf(deal, opening.position, opening.item, opening.salt)
    try:
        verify_inclusion(hashed, opening.position, deal.items, opening.path, root)
    except ProofError as error:
        raise OpeningError(f"position {opening.position}: {error}") from error
