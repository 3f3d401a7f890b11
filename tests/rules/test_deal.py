"""DEAL: where cards come from. DEAL-4, who sees them, is tested with the views."""

import random
from dataclasses import replace

import pytest

from referee.rules.cards import UNKNOWN
from referee.rules.events import EventKind
from referee.rules.hand import open_hand, open_seats, propose
from referee.rules.ruleset import (
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    DiscardPoint,
    DiscardVisibility,
    Game,
    RuleSetError,
)
from referee.rules.setup import NOBODY, cards_needed, deck_from, hole_positions
from referee.rules.state import Phase
from tests.support import (
    cards,
    check_down,
    hand_of,
    happened,
    options,
    play,
    play_out,
    random_legal_proposal,
    random_setup,
    scale,
    setup_of,
)

rule = pytest.mark.rule


def numbered(setup):
    """The setup with a deck that is simply 0, 1, 2 ... so that a card tells its position."""
    return replace(setup, deck=tuple(range(52)))


@rule("DEAL-1")
def test_blinds_are_posted_before_any_card_is_dealt():
    _, events = open_hand(setup_of([100] * 4))
    assert [event.kind for event in events] == [EventKind.BLIND_POSTED] * 2 + [EventKind.HOLE_DEALT] * 4


@rule("DEAL-1")
def test_cards_go_one_at_a_time_clockwise_from_the_left_of_the_button():
    hand, events = open_hand(numbered(setup_of({2: 9, 5: 9, 9: 9}, IRISH, button=5)))
    dealt = {event.seat: event.cards for event in happened(events, EventKind.HOLE_DEALT)}
    assert dealt == {9: (0, 3, 6, 9), 2: (1, 4, 7, 10), 5: (2, 5, 8, 11)}
    assert list(dealt) == [9, 2, 5]
    assert [hole_positions(hand.setup, player) for player in range(3)] == hand.hole


@rule("DEAL-1")
def test_heads_up_the_big_blind_gets_the_first_card_and_the_button_the_last():
    hand, _ = open_hand(numbered(setup_of({3: 9, 8: 9}, HOLDEM, button=3)))
    assert hand.setup.big_blind_seat == 8
    assert dict(zip(hand.setup.seats, hand.hole, strict=True)) == {8: (0, 2), 3: (1, 3)}


@rule("DEAL-1")
def test_with_the_button_on_an_empty_seat_the_next_player_gets_the_first_card():
    hand, _ = open_hand(numbered(setup_of({2: 9, 6: 9, 9: 9}, HOLDEM, button=4)))
    assert hand.setup.seats == (6, 9, 2)
    assert hand.hole == [(0, 3), (1, 4), (2, 5)]


@rule("DEAL-1")
def test_players_must_be_listed_clockwise_from_the_left_of_the_button():
    setup = setup_of([9, 9, 9])
    for seats in ((2, 3, 1), (3, 1, 2), (1, 3, 2)):
        with pytest.raises(RuleSetError):
            open_hand(replace(setup, seats=seats))


@rule("DEAL-2", "DEAL-3")
@pytest.mark.parametrize("game", [HOLDEM, IRISH, IRISH_BEFORE_FLOP_BETTING, PINEAPPLE])
def test_the_board_follows_the_holes_without_gaps_or_burns(game):
    hand, _ = open_hand(numbered(setup_of([100] * 3, game)))
    events = check_down(hand)
    start = 3 * game.hole_cards
    streets = [event.cards for event in happened(events, EventKind.BOARD_DEALT)]
    assert streets == [(start, start + 1, start + 2), (start + 3,), (start + 4,)]
    assert cards_needed(hand.setup) == start + 5


@rule("DEAL-3")
def test_nothing_that_players_do_changes_a_later_card():
    for seed in range(scale(300, 5000)):
        setup = random_setup(random.Random(seed), known=1)
        start = len(setup.seats) * setup.rule_set.game.hole_cards
        for course in range(3):
            hand, _ = open_hand(setup)
            play_out(random.Random(f"{seed} {course}"), hand)
            assert hand.board == setup.deck[start : start + len(hand.board)], seed
            assert hand.hole == [
                tuple(setup.deck[at] for at in hole_positions(setup, player)) for player in range(len(setup.seats))
            ]


@rule("DEAL-3")
@pytest.mark.parametrize("choice", ["2c3d", "2cAh", "2cKs", "3dAh", "3dKs", "AhKs"])
def test_what_is_discarded_does_not_change_turn_and_river(choice):
    holes = {1: "2c 3d Ah Ks", 2: "4c 5d Qh Js"}
    hand = hand_of([100, 100], IRISH, holes=holes, board="7c 8d 9h Tc 2s")
    play(hand, f"p2 call, p1 check, p1 check, p2 check, p2 discard 4c5d, p1 discard {choice}")
    check_down(hand)
    assert hand.board == cards("7c 8d 9h Tc 2s")


@rule("DEAL-3")
def test_a_deck_too_short_for_the_hand_is_refused():
    setup = setup_of([100] * 3)
    assert len(setup.deck) == cards_needed(setup) == 11
    with pytest.raises(RuleSetError, match="DEAL-3"):
        open_hand(replace(setup, deck=setup.deck[:-1]))


@rule("DEAL-3")
def test_cards_that_are_not_needed_may_follow():
    hand, _ = open_hand(numbered(setup_of([100] * 3)))
    check_down(hand)
    assert hand.board == (6, 7, 8, 9, 10)


@rule("DEAL-1", "DEAL-3")
def test_a_deck_is_built_from_hands_and_board():
    deck = deck_from(2, (cards("Ah Kd"), cards("2c"), ()), cards("7c 8d 9h"))
    assert deck == (*cards("Ah 2c ?? Kd ?? ??"), *cards("7c 8d 9h ?? ??"))


@rule("DEAL-3")
def test_a_hand_is_played_without_knowing_a_single_card():
    hand, _ = open_hand(replace(setup_of([100] * 3), deck=()))
    play(hand, "p3 call, p1 call, p2 check")
    assert hand.board == (UNKNOWN,) * 3
    play(hand, "p1 bet 10, p2 fold, p3 fold")
    assert hand.phase == Phase.OVER
    assert hand.stack == [120, 90, 90]


@rule("DEAL-3")
def test_betting_rules_never_depend_on_cards():
    """The same deeds are offered and accepted whether the cards are known or not, up to the showdown."""
    for seed in range(scale(300, 3000)):
        setup = random_setup(random.Random(seed), known=1)
        known, _ = open_hand(setup)
        blind, _ = open_hand(replace(setup, deck=()))
        rng = random.Random(seed)
        while open_seats(known):
            assert open_seats(blind) == open_seats(known), seed
            mine, its = options(known), options(blind)
            assert mine._replace(held=()) == its._replace(held=()), seed
            proposal = random_legal_proposal(rng, known)
            assert propose(known, proposal).accepted
            assert propose(blind, proposal).accepted, seed
        assert blind.total == known.total, seed
        assert blind.returned == known.returned, seed


@rule("DEAL-3")
def test_seats_may_use_the_whole_deck():
    game = Game(23, 0, DiscardPoint.NEVER, DiscardVisibility.HIDDEN)
    hand = hand_of([10, 10], game, blinds=(1, 2))
    check_down(hand)
    assert len({card for hole in hand.hole for card in hole} | set(hand.board)) == 51


@rule("DEAL-1")
def test_players_who_are_all_in_by_posting_are_dealt_in():
    hand, events = open_hand(setup_of([3, 10, 100], HOLDEM))
    assert [event.seat for event in happened(events, EventKind.HOLE_DEALT)] == [1, 2, 3]
    assert all(len(hole) == 2 for hole in hand.hole)


@rule("DEAL-1")
def test_without_a_small_blind_the_big_blind_gets_the_first_card():
    hand, _ = open_hand(numbered(setup_of([9, 9, 9], HOLDEM, small_blind_seat=NOBODY)))
    assert hand.hole[hand.setup.seats.index(hand.setup.big_blind_seat)] == (0, 3)
