"""Decks that the host gives: one by one, or in a file."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.dealing import DeckSource
from referee.dealing.errors import DealError, DeckTextError, DeckUnknownError
from referee.dealing.given import GivenDecks, read_decks, write_decks
from referee.dealing.items import CARDS, TILES
from referee.rules.cards import UNKNOWN
from referee.rules.hand import open_hand
from tests.support import cards, check_down, setup_of

rule = pytest.mark.rule


@rule("DEAL-3")
def test_a_given_deck_stays():
    decks = GivenDecks()
    source: DeckSource = decks
    decks.give(0, 1, cards("Ah Kd 2c"))
    decks.give(0, 1, cards("Ah Kd 2c"))
    with pytest.raises(DealError, match="block 0 hand 1 has another deck"):
        decks.give(0, 1, cards("Ah Kd 3c"))
    assert source.deck(0, 1) == cards("Ah Kd 2c")
    with pytest.raises(DeckUnknownError, match="no deck was given for block 0 hand 2"):
        source.deck(0, 2)


@rule("GAME-5")
@pytest.mark.parametrize(
    ("deck", "fault"),
    [
        ((), "an empty deck"),
        ((3, 4, 3), "place 3: 2s is already at place 1"),
        ((1, 52), "place 2: there is no item 52"),
        ((1, -2), "place 2: there is no item -2"),
        ((UNKNOWN,) * 53, "53 places; a deck has at most 52"),
    ],
)
def test_a_deck_that_cannot_be_is_refused(deck, fault):
    with pytest.raises(DealError, match=fault):
        GivenDecks().give(0, 1, deck)


def test_a_file_is_read():
    text = "# two hands and a block\n\nAh Kd ?? 2c\r\nAhKd2c\n  block 7\n" + " ".join(CARDS) + "\n"
    decks = read_decks(text)
    assert len(decks) == 3
    assert decks.deck(0, 1) == cards("Ah Kd ?? 2c")
    assert decks.deck(0, 2) == cards("Ah Kd 2c")
    assert decks.deck(7, 1) == tuple(range(52))


def test_tiles_are_read():
    assert len(TILES) == 28
    assert read_decks("0-0 6-6 2-1", TILES).deck(0, 1) == (0, 27, 8)
    assert read_decks("0-06-62-1", TILES).deck(0, 1) == (0, 27, 8)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Ah Kd\nAh 10h", 2, "place 2: '10h' is no item of a deck; expected such as 2c, or ??"),
        ("Ah kd", 1, "place 2: 'kd' is no item"),
        ("AhK", 1, "place 2: 'K' is no item"),
        ("\n\nAh Kd Ah", 3, "place 3: Ah is already at place 1"),
        ("block", 1, "'block' begins no block; expected for example: block 7"),
        ("block 07", 1, "begins no block"),
        ("block 1\nAh\nblock 1", 3, "block 1 was begun before"),
        ("Ah\nblock 0", 2, "block 0 was begun before"),
        ("?? " * 53, 1, "53 places; a deck has at most 52"),
        ("Ah,Kd", 1, "place 2: ',K' is no item"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(text, line, message):
    with pytest.raises(DeckTextError) as caught:
        read_decks(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")
    assert message in str(caught.value)


@given(st.lists(st.lists(st.integers(0, 51), min_size=1, max_size=52, unique=True).map(tuple), min_size=1, max_size=9))
def test_written_decks_are_read_back(decks):
    read = read_decks(write_decks(decks))
    assert [read.deck(0, hand) for hand in range(1, len(decks) + 1)] == decks


@given(st.text("AhKd2c?b lock#\n\r70\x00é", max_size=80))
def test_any_text_is_read_or_refused(text):
    line = 1
    try:
        read_decks(text)
    except DeckTextError as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 1


@rule("DEAL-3")
def test_the_rules_judge_with_a_given_deck():
    decks = read_decks("Ah Kd 2c 3d 4h 5s 6c 7d 8h\n")
    hand, _ = open_hand(replace(setup_of([100, 100]), deck=decks.deck(0, 1)))
    check_down(hand)
    assert hand.board == cards("4h 5s 6c 7d 8h")
