"""A seat's view is the engine's own fold: it agrees with the engine in all that the seat may know, in every game."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from referee.client import HandView
from referee.record.view import view
from referee.rules.cards import UNKNOWN
from referee.rules.events import EventKind
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import CRAZY_PINEAPPLE, HOLDEM, IRISH, DiscardVisibility
from referee.rules.rulings import ActionKind
from tests.support import cards, play, random_legal_proposal, random_setup, rules, scale, setup_of


def views_of(setup, names=None):
    """The views of every seat, and a function that tells them all what happened."""
    blind = replace(setup, deck=(), show_when_beaten=(), mucked_unseen=(), recorded_rake=-1)
    views = {seat: HandView(blind, 7, "table", names) for seat in setup.seats}

    def tell(events):
        for seat, one in views.items():
            for event in events:
                seen = view(event, seat, setup.rule_set)
                if seen is not None:
                    one.fold(seen)

    return views, tell


def may_know(hand, seat):
    """The cards that a seat may know: its own, the board, and what was turned up or shown."""
    known = set(hand.hole[hand.index_of(seat)]) | set(hand.board) | set(hand.joined)
    for player in range(len(hand.setup.seats)):
        if hand.shown[player] == 1:
            known |= set(hand.kept[player])
        if hand.discards_done and hand.setup.rule_set.game.discard_visibility != DiscardVisibility.HIDDEN:
            known |= set(hand.discarded[player])
    return known | {UNKNOWN}


def agrees(hand, seat, one, decision):
    """Compares a seat's view and decision with the hand as the engine knows it."""
    me = hand.index_of(seat)
    assert decision.hole == hand.kept[me]
    assert decision.discarded == hand.discarded[me]
    assert decision.board == hand.board + hand.joined == one.board
    assert (decision.pot, decision.level, decision.street) == (hand.chips_in(), hand.level, hand.street)
    assert [player.seat for player in decision.players] == list(hand.setup.seats)
    assert [player.stack for player in decision.players] == hand.stack
    assert [player.bet for player in decision.players] == hand.bet
    assert [player.put_in for player in decision.players] == hand.total
    # Who folded by DISC-8 while the round's progress is hidden is live to the others until it closes (DISC-3).
    live = [is_live or (at in hand.late_folds and at != me) for at, is_live in enumerate(hand.live)]
    assert [player.live for player in decision.players] == live
    assert [player.all_in for player in decision.players] == [hand.all_in(at) for at in range(len(hand.stack))]
    if not hand.setup.rule_set.hide_discard_progress or hand.discards_done:
        live = [at for at, alive in enumerate(hand.live) if alive]
        assert [decision.players[at].discarded for at in live] == [bool(hand.discarded[at]) for at in live]
    told = {card for event in decision.events for card in event.cards}
    told |= {card for player in decision.players for card in player.shown}
    assert told <= may_know(hand, seat)


@pytest.mark.rule("DEAL-4", "DISC-3", "GAME-3")
def test_a_view_agrees_with_the_engine_in_every_game():
    rng = random.Random(31)
    seen = Counter()
    for _ in range(scale(400, 5000)):
        setup = random_setup(rng, known=1.0)
        hand, opening = open_hand(setup)
        views, tell = views_of(setup)
        tell(opening)
        while open_seats(hand):
            for seat in open_seats(hand):
                options = legal_options(hand, seat)
                decision = views[seat].decision(options)
                same_wager = options if options.max_to else options._replace(wager=ActionKind.BET, step=1)
                assert decision.legal == same_wager
                agrees(hand, seat, views[seat], decision)
                seen[setup.limit, bool(options.discard)] += 1
            ruling = propose(hand, random_legal_proposal(rng, hand))
            assert ruling.accepted
            tell(ruling.events)
        for seat, one in views.items():
            assert one.over
            assert one.seat == seat
            assert [one.stack_of(each) for each in setup.seats] == hand.stack
            assert one.net_of(seat) == hand.stack[hand.index_of(seat)] - setup.stacks[hand.index_of(seat)]
            for player in one.players():
                if hand.shown[hand.index_of(player.seat)] == 1:
                    assert player.shown == hand.kept[hand.index_of(player.seat)]
                else:
                    assert player.shown == ()
    assert len(seen) == 6, "every structure, with betting and discards"


@pytest.mark.rule("DISC-3")
def test_whether_others_have_discarded_is_told_as_far_as_it_is_known():
    for hidden in (False, True):
        setup = setup_of([500] * 3, rules(IRISH, hide_discard_progress=hidden))
        hand, opening = open_hand(setup)
        views, tell = views_of(setup)
        tell([*opening, *play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check")])
        held = hand.hole[2]
        ruling = propose(hand, views[3].decision(legal_options(hand, 3)).discard(held[:2]))
        tell(ruling.events)
        decision = views[1].decision(legal_options(hand, 1))
        assert [player.discarded for player in decision.players] == [False, False, not hidden]
        assert decision.must_discard == 2
        assert decision.hole == decision.legal.held == hand.hole[0]
        own = views[3].decision(legal_options(hand, 1)._replace(seat=3))
        assert (own.hole, own.discarded) == (held[2:], held[:2])


@pytest.mark.rule("GAME-3", "DISC-5")
def test_discards_that_join_the_board_are_on_it():
    game = replace(CRAZY_PINEAPPLE, discard_visibility=DiscardVisibility.JOINS_BOARD)
    setup = setup_of([500] * 2, rules(game), holes={1: "AsAd2c", 2: "KsKd3c"}, board="5h7d9hJs8s")
    hand, opening = open_hand(setup)
    views, tell = views_of(setup)
    tell([*opening, *play(hand, "p2 call, p1 check, p1 check, p2 check, p1 discard 2c, p2 discard 3c")])
    decision = views[1].decision(legal_options(hand, 1))
    assert decision.joined == cards("2c3c")
    assert decision.board == cards("5h7d9hJs2c3c")
    assert decision.board_text == "5h 7d 9h Js 2c 3c"


def test_a_hand_that_was_shown_is_remembered_with_its_cards():
    setup = setup_of([500] * 2, HOLDEM, holes={1: "AsAd", 2: "KsKd"}, board="5h7d9hJs8s")
    hand, opening = open_hand(setup)
    views, tell = views_of(setup, {1: "Ann", 2: "Bob"})
    tell([*opening, *play(hand, "p2 call, p1 check" + ", p1 check, p2 check" * 3)])
    first, second = views[2].players()
    assert (first.name, first.shown) == ("Ann", cards("AsAd"))
    assert (second.name, second.shown) == ("Bob", ())
    tell(propose(hand, views[2].show()).events)
    assert views[1].players()[1].shown == cards("KsKd")


def test_positions_and_names_of_the_streets():
    setup = setup_of([500] * 3, HOLDEM)
    hand, opening = open_hand(setup)
    views, tell = views_of(setup)
    tell(opening)
    decision = views[3].decision(legal_options(hand, 3), 1200)
    assert (decision.button_seat, decision.small_blind_seat, decision.big_blind_seat) == (3, 1, 2)
    assert (decision.street_name, decision.big_blind, decision.stack, decision.me.bet) == ("pre-flop", 10, 500, 0)
    assert decision.acts_last
    assert (decision.hand_number, decision.table_id, decision.remaining_ms) == (7, "table", 1200)
    assert [player.seat for player in decision.opponents] == [1, 2]
    assert decision.hole_text == " ".join(decision.hole_text.split())
    tell(play(hand, "p3 call, p1 fold, p2 check"))
    decision = views[2].decision(legal_options(hand, 2))
    assert decision.street_name == "flop"
    assert not decision.acts_last
    assert [player.seat for player in decision.opponents] == [3]
    assert [event.kind for event in decision.events][-1] == EventKind.BOARD_DEALT
