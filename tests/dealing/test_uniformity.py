"""Every card is as likely at every position, and every pair as the first two: chi-square, with a fixed seed.

Bounds are six standard deviations of the statistic on either side, so a sound shuffle fails less than once in a
hundred million seeds; the seed is fixed, so that it fails never or always. A shuffle that is known to be unsound fails.
"""

import hashlib
import random
from collections import Counter
from itertools import chain, product

from referee.dealing.fair import FairDecks
from tests.support import scale

DECKS = scale(20_000, 200_000)
SEED = hashlib.sha256(b"uniformity").digest()


def deviations(counts, cells, expected, degrees, factor=1.0):
    """How many standard deviations the chi-square statistic lies from its mean; ``factor`` where cells are tied."""
    statistic = factor * sum((counts[cell] - expected) ** 2 / expected for cell in cells)
    return (statistic - degrees) / (2 * degrees) ** 0.5


def position_by_item(decks, items):
    """Each row and each column of the table is fixed, hence (items - 1) squared degrees of freedom and the factor."""
    counts = Counter()
    for position, column in enumerate(zip(*decks, strict=True)):
        counts.update({(position, item): count for item, count in Counter(column).items()})
    cells = list(product(range(items), repeat=2))
    return deviations(counts, cells, len(decks) / items, (items - 1) ** 2, (items - 1) / items)


def first_pairs(decks, items):
    counts = Counter(deck[:2] for deck in decks)
    cells = [pair for pair in product(range(items), repeat=2) if pair[0] != pair[1]]
    return deviations(counts, cells, len(decks) / len(cells), len(cells) - 1)


def test_cards_are_uniform():
    source = FairDecks("uniformity", SEED)
    # Hands of several blocks, as a match of duplicate hands asks for them.
    decks = [source.deck(number % 4, number) for number in range(DECKS)]
    assert len(set(decks)) == DECKS
    assert set(chain.from_iterable(decks)) == set(range(52))
    assert abs(position_by_item(decks, 52)) < 6
    assert abs(first_pairs(decks, 52)) < 6


def test_tiles_are_uniform():
    source = FairDecks("uniformity", SEED, 28)
    decks = [source.deck(0, number) for number in range(DECKS // 2)]
    assert abs(position_by_item(decks, 28)) < 6
    assert abs(first_pairs(decks, 28)) < 6


def test_an_unsound_shuffle_is_noticed():
    """Each place swapped with any place, instead of with those not yet settled."""
    rng = random.Random(5)
    decks = []
    for _ in range(5_000):
        deck = list(range(52))
        for place in range(52):
            other = rng.randrange(52)
            deck[place], deck[other] = deck[other], deck[place]
        decks.append(tuple(deck))
    assert position_by_item(decks, 52) > 6
