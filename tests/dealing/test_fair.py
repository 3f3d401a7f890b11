"""Fair decks: what they depend on, the first button, and cards that are opened one at a time."""

import hashlib
from collections import Counter
from dataclasses import replace

import pytest

from referee.dealing import DeckSource
from referee.dealing.errors import DealError, OpeningError, SeedError
from referee.dealing.fair import MAX_NUMBER, FairDecks
from referee.dealing.openings import CommittedDeck, Deal, leaf, verify_opening
from referee.merkle.hashing import node_hash
from tests.support import scale

rule = pytest.mark.rule
SEED = hashlib.sha256(b"fair").digest()
DECKS = FairDecks("match-1", SEED)


@rule("DEAL-3", "GAME-5")
def test_a_deck_depends_on_seed_block_and_hand_alone():
    source: DeckSource = DECKS
    asked = [(block, hand) for block in range(5) for hand in range(20)]
    decks = {place: source.deck(*place) for place in asked}
    assert all(sorted(deck) == list(range(52)) for deck in decks.values())
    assert len(set(decks.values())) == len(asked)
    # Asked anew, in another order, by another object under another name: the match is in the seed already.
    again = FairDecks("match-2", SEED)
    assert {place: again.deck(*place) for place in reversed(asked)} == decks
    assert FairDecks("match-1", bytes(32)).deck(0, 0) != decks[0, 0]


@rule("DEAL-3")
def test_block_hand_and_redeal_do_not_run_into_one_another():
    places = [(1, 11, 0), (11, 1, 0), (1, 1, 10), (1, 1, 1), (1, 11, 1), (111, 1, 0), (1, 1, 0)]
    assert len({DECKS.deck(*place) for place in places}) == len(places)
    assert FairDecks("m", SEED, 28).deck(1, 1) != tuple(item for item in DECKS.deck(1, 1) if item < 28)


@pytest.mark.parametrize("items", [1, 2, 28, 52, 104, 1024])
def test_any_number_of_items_can_be_dealt_and_opened(items):
    committed = FairDecks("m", SEED, items).committed(0, 1)
    assert sorted(committed.deck) == list(range(items))
    verify_opening(committed.deal, committed.root, committed.open(items - 1))


@pytest.mark.parametrize("items", [-1, 0, 1025])
def test_decks_of_other_sizes_are_refused(items):
    with pytest.raises(DealError, match=f"a deck of {items}"):
        FairDecks("m", SEED, items)


@pytest.mark.parametrize("place", [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (MAX_NUMBER + 1, 0, 0), (0, MAX_NUMBER + 1, 0)])
def test_numbers_out_of_range_are_refused(place):
    with pytest.raises(DealError, match="expected 0 to"):
        DECKS.deck(*place)
    with pytest.raises(DealError, match="expected 0 to"):
        DECKS.committed(*place)


@rule("SEAT-6")
def test_the_first_button_is_drawn_from_the_match_seed():
    assert {DECKS.first_button((2, 5, 9)) for _ in range(3)} == {DECKS.first_button((2, 5, 9))}
    draws = scale(2000, 20000)
    seats = (1, 4, 6, 7, 9, 10)
    drawn = Counter(FairDecks("m", hashlib.sha256(b"%d" % at).digest()).first_button(seats) for at in range(draws))
    assert set(drawn) == set(seats)
    # Five degrees of freedom: 30 is passed once in 70,000 runs, and these seeds do not change.
    assert sum((count - draws / 6) ** 2 / (draws / 6) for count in drawn.values()) < 30


@rule("SEAT-6")
@pytest.mark.parametrize("seats", [(), (2, 1), (0, 1)])
def test_the_first_button_needs_seats(seats):
    with pytest.raises(SeedError):
        DECKS.first_button(seats)


def test_each_position_opens_and_no_other_card_fits():
    committed = DECKS.committed(3, 7)
    assert committed.deck == DECKS.deck(3, 7)
    assert len(set(committed.salts)) == 52
    for position in range(52):
        opening = committed.open(position)
        verify_opening(committed.deal, committed.root, opening)
        for item in range(-1, 53):
            if item != opening.item:
                with pytest.raises(OpeningError):
                    verify_opening(committed.deal, committed.root, replace(opening, item=item))


def test_an_opening_fits_no_other_place_hand_or_match():
    committed = DECKS.committed(3, 7)
    opening = committed.open(20)
    for position in [*range(20), *range(21, 52), -1, 52]:
        with pytest.raises(OpeningError, match=f"position {position}"):
            verify_opening(committed.deal, committed.root, replace(opening, position=position))
    for change in ({"match": "m"}, {"items": 51}, {"items": 53}, {"block": 4}, {"hand": 8}, {"redeal": 1}):
        with pytest.raises(OpeningError):
            verify_opening(replace(committed.deal, **change), committed.root, opening)
    with pytest.raises(OpeningError):
        verify_opening(committed.deal, DECKS.committed(3, 8).root, opening)


def test_every_changed_bit_of_an_opening_is_noticed():
    committed = DECKS.committed(0, 1)
    opening = committed.open(51)

    def flips(some):
        for bit in range(8 * len(some)):
            yield (int.from_bytes(some, "big") ^ 1 << bit).to_bytes(len(some), "big")

    changed = [replace(opening, salt=salt) for salt in flips(opening.salt)]
    for at, one in enumerate(opening.path):
        changed += [replace(opening, path=(*opening.path[:at], other, *opening.path[at + 1 :])) for other in flips(one)]
    changed += [replace(opening, path=opening.path[:-1]), replace(opening, path=(*opening.path, bytes(32)))]
    changed += [replace(opening, salt=opening.salt[:-1]), replace(opening, path=(b"", *opening.path[1:]))]
    for other in changed:
        with pytest.raises(OpeningError):
            verify_opening(committed.deal, committed.root, other)


@rule("DEAL-4")
def test_trying_all_cards_recovers_no_unopened_one():
    """With every position but two opened, the hashes beside their paths fit both orders of the two that are left."""
    committed = DECKS.committed(0, 9)
    hidden = committed.deck[10], committed.deck[11]
    published = [committed.open(position) for position in range(52) if position not in (10, 11)]
    # The two hidden leaves are neighbours: what is published of them is one node, the last but the lowest of a path.
    node = next(one.path[1] for one in published if one.position == 8)
    salts = [bytes(16), *(one.salt for one in published)]
    tried = {
        node_hash(leaf(committed.deal, 10, left, salt), leaf(committed.deal, 11, right, other))
        for left, right in (hidden, hidden[::-1])
        for salt in salts
        for other in salts
    }
    assert node not in tried
    assert node == node_hash(
        leaf(committed.deal, 10, hidden[0], committed.salts[10]),
        leaf(committed.deal, 11, hidden[1], committed.salts[11]),
    )


def test_a_given_deck_is_committed_with_drawn_salts():
    deal = Deal("match-1", 5, 0, 1)
    salts = tuple(bytes([at]) * 16 for at in range(5))
    committed = CommittedDeck(deal, (4, 3, 2, 1, 0), salts)
    verify_opening(deal, committed.root, committed.open(2))
    for deck, some in (((1, 2), salts), ((4, 3, 2, 1, 0), salts[:-1]), ((4, 3, 2, 1, 0), (b"", *salts[1:]))):
        with pytest.raises(ValueError, match="salt"):
            CommittedDeck(deal, deck, some)
    with pytest.raises(ValueError, match="leaf 5 of a tree of 5"):
        committed.open(5)
