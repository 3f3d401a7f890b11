"""DISC: the discard round. What others see of it (DISC-3, DISC-5) is tested with the views too."""

from dataclasses import replace
from itertools import combinations, permutations

import pytest

from referee.rules.cards import UNKNOWN
from referee.rules.events import EventKind
from referee.rules.hand import legal_options, open_hand, open_seats, propose, propose_timeouts
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    AllInExposure,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    Game,
)
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.settlement import settlement
from referee.rules.state import Phase, encode
from tests.support import (
    FL,
    NL,
    cards,
    check_down,
    hand_of,
    happened,
    options,
    play,
    refused,
    rules,
    setup_of,
    shown_seats,
    stacks_of,
    to_act,
)

rule = pytest.mark.rule

HOLES = {1: "2c 3c 4c 5c", 2: "2d 3d 4d 5d", 3: "2h 3h 4h 5h", 4: "2s 3s 4s 5s"}
BOARD = "7c 8d Jh Qs Kc"


def owing(stacks=(100, 100, 100), rule_set=IRISH, script="p3 call, p1 call, p2 check, p1 check, p2 check, p3 check"):
    """A hand in the discard round."""
    hand = hand_of(stacks, rule_set, NL, holes={seat: HOLES[seat] for seat in range(1, len(stacks) + 1)}, board=BOARD)
    play(hand, script)
    assert hand.phase == Phase.DISCARDING
    return hand


@rule("DISC-1")
def test_it_opens_when_the_betting_before_it_has_closed():
    hand = hand_of([100] * 3, IRISH)
    play(hand, "p3 call, p1 call, p2 check, p1 bet 10, p2 call")
    assert hand.phase == Phase.BETTING
    events = play(hand, "p3 call")
    assert [event.kind for event in events[1:]] == [EventKind.ROUND_CLOSED, EventKind.DISCARDS_OPENED]
    assert open_seats(hand) == (1, 2, 3)


@rule("DISC-1")
def test_nothing_further_happens_until_every_live_player_has_discarded():
    hand = owing()
    for words in ("p1 check", "p2 bet 10", "p3 raise 20", "p1 call"):
        ruling = refused(hand, words)
        assert (ruling.reason, ruling.rule) == (Reason.DISCARD_OWED, "DISC-1")
    play(hand, "p1 discard 2c3c")
    play(hand, "p3 discard 2h3h")
    assert len(hand.board) == 3
    assert refused(hand, "p2 check").reason == Reason.DISCARD_OWED
    assert refused(hand, "p1 check").reason == Reason.ALREADY_DISCARDED
    events = play(hand, "p2 discard 4d5d")
    assert [event.kind for event in events[1:]] == [EventKind.DISCARDS_CLOSED, EventKind.BOARD_DEALT]
    assert to_act(hand) == 1


@rule("DISC-1")
def test_only_live_players_owe_a_discard():
    hand = owing((100, 100, 100, 100), IRISH, "p3 fold, p4 call, p1 call, p2 check, p1 bet 10, p2 call, p4 fold")
    assert open_seats(hand) == (1, 2)
    assert refused(hand, "p4 discard 2s3s").reason == Reason.SEAT_FOLDED
    assert legal_options(hand, 4) is None


@rule("DISC-1")
def test_there_is_no_discard_round_with_one_live_player():
    hand = hand_of([100] * 2, IRISH)
    events = play(hand, "p2 call, p1 check, p1 bet 10, p2 fold")
    assert not happened(events, EventKind.DISCARDS_OPENED)
    assert hand.phase == Phase.OVER


@rule("DISC-1")
@pytest.mark.parametrize("game", [HOLDEM, IRISH, PINEAPPLE, CRAZY_PINEAPPLE, IRISH_BEFORE_FLOP_BETTING])
def test_discards_are_refused_while_no_discard_round_is_open(game):
    hand = hand_of([100] * 3, game, holes={3: "2h 3h"})
    ruling = refused(hand, "p3 discard 2h3h")
    assert (ruling.reason, ruling.rule) == (Reason.NO_DISCARD_ROUND, "DISC-1")


@rule("DISC-1", "GAME-3")
@pytest.mark.parametrize(
    ("point", "board", "acted"),
    [
        (DiscardPoint.BEFORE_FLOP, 0, True),
        (DiscardPoint.BEFORE_FLOP_BETTING, 3, False),
        (DiscardPoint.AFTER_FLOP_BETTING, 3, True),
    ],
)
def test_its_point_decides_what_lies_on_the_board(point, board, acted):
    hand = hand_of([100] * 3, Game(4, 2, point, DiscardVisibility.HIDDEN))
    while hand.phase == Phase.BETTING:
        play(hand, f"p{to_act(hand)} " + ("check" if options(hand).check else "call"))
    assert len(hand.board) == board
    assert hand.closed == acted


@rule("DISC-1", "GAME-1")
def test_before_the_flop_betting_all_must_discard_and_then_the_flop_is_bet():
    hand = hand_of([100] * 3, "irish/french-limit@1", FL, blinds=(1, 2), holes=HOLES | {4: ""}, board=BOARD)
    play(hand, "p3 call, p1 call, p2 check")
    assert refused(hand, "p1 bet 2").reason == Reason.DISCARD_OWED
    play(hand, "p1 discard 2c3c, p2 discard 2d3d, p3 discard 2h3h")
    assert to_act(hand) == 1
    play(hand, "p1 bet 2, p2 call, p3 call")
    assert hand.street == 2
    assert hand.phase == Phase.BETTING


@rule("DISC-2")
@pytest.mark.parametrize("named", list(combinations(range(4), 2)))
def test_any_two_different_cards_of_the_hand_may_go(named):
    hand = owing()
    held = cards(HOLES[1])
    gone = tuple(held[at] for at in named)
    assert propose(hand, Proposal(1, ActionKind.DISCARD, cards=gone)).accepted
    assert hand.discarded[0] == gone
    assert hand.kept[0] == tuple(card for card in held if card not in gone)


@rule("DISC-2")
@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("", Reason.CARD_COUNT_WRONG),
        ("2c", Reason.CARD_COUNT_WRONG),
        ("2c 3c 4c", Reason.CARD_COUNT_WRONG),
        ("2c 3c 4c 5c", Reason.CARD_COUNT_WRONG),
        ("2c 2c", Reason.CARD_REPEATED),
        ("2c 2d", Reason.CARD_NOT_HELD),  # another player's
        ("2c 7c", Reason.CARD_NOT_HELD),  # on the board
        ("2c As", Reason.CARD_NOT_HELD),
        ("2c ??", Reason.CARD_NOT_HELD),
        ("?? ??", Reason.CARD_NOT_HELD),
    ],
)
def test_anything_else_is_refused_and_the_debt_stays(named, reason):
    hand = owing()
    ruling = refused(hand, Proposal(1, ActionKind.DISCARD, cards=cards(named)))
    assert (ruling.reason, ruling.rule) == (reason, "DISC-2")
    assert ruling.options == options(hand, 1)
    assert ruling.options.discard == 2
    assert ruling.options.held == cards(HOLES[1])
    play(hand, "p1 discard 2c3c")


@rule("DISC-2")
@pytest.mark.parametrize("named", [(52, 0), (-2, 0), (0, 10**6)])
def test_numbers_that_are_no_cards_are_malformed(named):
    ruling = refused(owing(), Proposal(1, ActionKind.DISCARD, cards=named))
    assert (ruling.reason, ruling.rule) == (Reason.MALFORMED_ACTION, "GAME-5")


@rule("DISC-2")
def test_a_discard_names_no_amount():
    proposal = Proposal(1, ActionKind.DISCARD, 10, cards("2c 3c"))
    assert refused(owing(), proposal).reason == Reason.MALFORMED_ACTION


@rule("DISC-2")
def test_a_discard_is_final():
    hand = owing()
    play(hand, "p1 discard 2c3c")
    for words in ("p1 discard 4c5c", "p1 discard 2c3c"):
        ruling = refused(hand, words)
        assert (ruling.reason, ruling.rule) == (Reason.ALREADY_DISCARDED, "DISC-2")
    assert hand.kept[0] == cards("4c 5c")


@rule("DISC-2")
@pytest.mark.parametrize(("hole", "count"), [(3, 1), (5, 3), (6, 5), (2, 1)])
def test_the_game_says_how_many(hole, count):
    hand = hand_of([100] * 2, Game(hole, count, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN))
    play(hand, "p2 call, p1 check")
    held = options(hand, 1).held
    for wrong in {0, 1, 2, 3, 4, 5, 6} - {count}:
        if wrong <= hole:
            ruling = refused(hand, Proposal(1, ActionKind.DISCARD, cards=held[:wrong]))
            assert ruling.reason == Reason.CARD_COUNT_WRONG
    assert propose(hand, Proposal(1, ActionKind.DISCARD, cards=held[:count])).accepted
    assert hand.kept[0] == held[count:]


@rule("DISC-2")
def test_of_unknown_cards_some_may_become_known_by_being_discarded():
    setup = setup_of([100, 100], IRISH, known=False)
    deck = list(setup.deck)
    deck[0] = cards("Ah")[0]  # the first card of seat 1
    hand, _ = open_hand(replace(setup, deck=tuple(deck)))
    play(hand, "p2 call, p1 check, p1 check, p2 check")
    four = Proposal(1, ActionKind.DISCARD, cards=cards("Kd Kd"))
    assert refused(hand, four).reason == Reason.CARD_REPEATED
    play(hand, "p1 discard Kd??")
    assert hand.kept[0] == (*cards("Ah"), UNKNOWN)
    play(hand, "p2 discard QhQd")
    assert hand.kept[1] == (UNKNOWN, UNKNOWN)


@rule("DISC-2")
def test_all_unknown_cards_may_be_discarded_and_not_one_more():
    setup = setup_of([100, 100], IRISH, known=False)
    deck = list(setup.deck)
    deck[0], deck[2] = cards("Ah Kd")  # the first two cards of seat 1
    hand, _ = open_hand(replace(setup, deck=tuple(deck)))
    play(hand, "p2 call, p1 check, p1 check, p2 check, p1 discard ????, p2 discard ????")
    assert hand.kept == [cards("Ah Kd"), (UNKNOWN, UNKNOWN)]
    deck[4] = cards("2c")[0]
    hand, _ = open_hand(replace(setup, deck=tuple(deck)))
    play(hand, "p2 call, p1 check, p1 check, p2 check")
    assert refused(hand, "p1 discard ????").reason == Reason.CARD_NOT_HELD
    play(hand, "p1 discard 2c??")
    assert hand.kept[0] == cards("Ah Kd")


@rule("DISC-3")
@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_discards_are_accepted_in_any_order_and_come_to_the_same(order):
    hands = []
    for seats in (order, (1, 2, 3)):
        hand = owing()
        decisions = {seat: options(hand, seat).decision_id for seat in seats}
        for seat in seats:
            gone = cards(HOLES[seat])[:2]
            proposal = Proposal(seat, ActionKind.DISCARD, cards=gone, decision_id=decisions[seat])
            assert propose(hand, proposal).accepted
        hands.append(encode(hand))
    assert hands[0] == hands[1]


@rule("DISC-3", "BET-9")
def test_no_number_that_another_seat_sees_changes_before_all_are_done():
    hand = owing()
    before = options(hand, 2)
    ruling = propose(hand, Proposal(1, ActionKind.DISCARD, cards=cards("2c 3c")))
    assert [event.kind for event in ruling.events] == [EventKind.DISCARDED]
    assert options(hand, 2) == before


@rule("DISC-4")
def test_all_in_players_discard_too_and_choose_themselves():
    holes = {1: "Kh Kd 9s 8s", 2: "As Ad 2c 2d"}
    hand = hand_of([1000, 1000], IRISH, holes=holes, board="7s 6s 4h Js 2h")
    play(hand, "p2 allin, p1 call")
    assert open_seats(hand) == (1, 2)
    play(hand, "p2 discard 2c2d")
    # With 9s 8s seat 1 would have made a flush; he throws them away.
    play(hand, "p1 discard 9s8s")
    assert stacks_of(hand) == {1: 0, 2: 2000}


@rule("DISC-4")
def test_a_late_all_in_player_is_not_folded():
    hand = hand_of([20, 1000, 1000], rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    play(hand, "p3 call, p1 call, p2 check, p1 bet 10, p2 call, p3 call")
    play(hand, "p1 timeout")
    assert hand.live[0]
    assert hand.discarded[0] == hand.hole[0][2:]


@rule("DISC-5")
def test_hidden_discards_are_shown_to_nobody_in_any_event():
    hand = owing()
    events = play(hand, "p1 discard 2c3c, p2 discard 2d3d, p3 discard 2h3h") + check_down(hand)
    assert not happened(events, EventKind.DISCARD_SHOWN)
    gone = set(cards("2c 3c 2d 3d 2h 3h"))
    for event in events:
        if event.kind != EventKind.DISCARDED:
            assert not gone & set(event.cards)
    for line in settlement(hand).hands:
        assert not gone & {*line.cards, *line.best_five}


@rule("DISC-5")
@pytest.mark.parametrize("visibility", [DiscardVisibility.SHOWN, DiscardVisibility.JOINS_BOARD])
def test_open_discards_are_turned_up_together_when_the_last_one_is_in(visibility):
    hand = owing(rule_set=Game(4, 2, DiscardPoint.AFTER_FLOP_BETTING, visibility))
    events = play(hand, "p3 discard 2h3h, p1 discard 4c5c")
    assert [event.kind for event in events] == [EventKind.DISCARDED] * 2
    assert hand.joined == ()
    events = play(hand, "p2 discard 2d5d")
    turned_up = happened(events, EventKind.DISCARD_SHOWN)
    assert [(event.seat, event.cards) for event in turned_up] == [
        *((1, cards("4c 5c")), (2, cards("2d 5d")), (3, cards("2h 3h"))),
    ]
    joins = visibility == DiscardVisibility.JOINS_BOARD
    assert hand.joined == (cards("4c 5c 2d 5d 2h 3h") if joins else ())
    assert settlement(hand).board == hand.board + hand.joined


@rule("DISC-5", "RANK-1")
@pytest.mark.parametrize(("visibility", "winner"), [(DiscardVisibility.SHOWN, 2), (DiscardVisibility.JOINS_BOARD, 1)])
def test_only_discards_that_join_the_board_count(visibility, winner):
    game = Game(3, 1, DiscardPoint.BEFORE_FLOP, visibility)
    hand = hand_of([100, 100], game, holes={1: "2c 2d 9c", 2: "Kh Kd 2h"}, board="5s 7d 8c Jh Qs")
    play(hand, "p2 call, p1 check, p1 discard 9c, p2 discard 2h")
    check_down(hand)
    assert stacks_of(hand)[winner] == 110


@rule("DISC-5")
def test_the_discards_of_a_player_folded_for_being_late_do_not_join():
    game = Game(4, 2, DiscardPoint.AFTER_FLOP_BETTING, DiscardVisibility.JOINS_BOARD)
    hand = owing(rule_set=rules(game, discard_timeout=DiscardTimeout.FOLD))
    events = play(hand, "p1 discard 2c3c, p3 discard 2h3h, p2 timeout")
    assert [event.seat for event in happened(events, EventKind.DISCARD_SHOWN)] == [1, 3]
    assert hand.joined == cards("2c 3c 2h 3h")


@rule("DISC-6")
def test_folding_instead_of_discarding_is_not_legal():
    hand = owing()
    ruling = refused(hand, "p1 fold")
    assert (ruling.reason, ruling.rule) == (Reason.DISCARD_OWED, "DISC-6")
    assert not options(hand, 1).fold


@rule("DISC-7")
@pytest.mark.parametrize("exposure", list(AllInExposure))
@pytest.mark.parametrize(("game", "board"), [(PINEAPPLE, 0), (IRISH_BEFORE_FLOP_BETTING, 3), (IRISH, 3)])
def test_when_betting_is_over_before_the_discard_no_hand_is_exposed_before_it(exposure, game, board):
    hand, opening = open_hand(setup_of([100, 100, 100], rules(game, all_in_exposure=exposure)))
    events = opening + play(hand, "p3 allin, p1 call, p2 call")
    assert hand.phase == Phase.DISCARDING
    assert len(hand.board) == board
    while open_seats(hand):
        assert not happened(events, EventKind.HAND_SHOWN)
        choice = options(hand)
        ruling = propose(hand, Proposal(choice.seat, ActionKind.DISCARD, cards=choice.held[: choice.discard]))
        events = ruling.events
    shown = events.index(happened(events, EventKind.HAND_SHOWN)[0])
    closed = events.index(happened(events, EventKind.DISCARDS_CLOSED)[0])
    assert closed < shown
    if exposure == AllInExposure.TABLE_ALL:
        # Turned up at once: before any further card.
        assert shown == closed + 1
        assert shown_seats(events) == [1, 2, 3]
    else:
        assert shown > max(at for at, event in enumerate(events) if event.kind == EventKind.BOARD_DEALT)


@rule("DISC-7")
def test_what_is_turned_up_are_the_kept_cards_alone():
    hand = hand_of([100, 100], rules(IRISH, all_in_exposure=AllInExposure.TABLE_ALL), holes=HOLES, board=BOARD)
    play(hand, "p2 allin, p1 call, p1 discard 2c3c")
    events = play(hand, "p2 discard 4d5d")
    assert {event.seat: event.cards for event in happened(events, EventKind.HAND_SHOWN)} == {
        1: cards("4c 5c"),
        2: cards("2d 3d"),
    }


@rule("DISC-8")
def test_auto_discards_the_cards_dealt_last_and_says_so():
    hand = owing()
    ruling = propose(hand, Proposal(2, ActionKind.TIMEOUT))
    event = ruling.events[0]
    assert (event.kind, event.rule, event.automatic) == (EventKind.DISCARDED, "DISC-8", True)
    assert event.cards == cards("4d 5d")  # the third and fourth
    assert hand.kept[1] == cards("2d 3d")
    played = propose(hand, Proposal(1, ActionKind.DISCARD, cards=cards("2c 3c")))
    assert not played.events[0].automatic


@rule("DISC-8")
@pytest.mark.parametrize(("hole", "count"), [(3, 1), (5, 3), (2, 1)])
def test_auto_discards_as_many_as_the_game_says(hole, count):
    hand = hand_of([100] * 2, Game(hole, count, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN))
    play(hand, "p2 call, p1 check, p1 timeout")
    assert hand.discarded[0] == hand.hole[0][hole - count :]


@rule("DISC-8")
def test_fold_folds_the_hand():
    hand = owing(rule_set=rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    ruling = propose(hand, Proposal(2, ActionKind.TIMEOUT))
    event = ruling.events[0]
    assert (event.kind, event.rule, event.automatic) == (EventKind.FOLDED, "DISC-8", True)
    assert not hand.live[1]
    assert open_seats(hand) == (1, 3)
    play(hand, "p1 discard 2c3c, p3 discard 2h3h")
    check_down(hand)
    assert stacks_of(hand)[2] == 90


@rule("DISC-8")
def test_the_last_one_left_eligible_for_a_pot_always_gets_auto():
    # Seat 3 is all-in for 30; seats 1 and 2 made a side pot.
    fold = rules(IRISH, discard_timeout=DiscardTimeout.FOLD)
    hand = hand_of([1000, 1000, 30], fold)
    play(hand, "p3 allin, p1 call, p2 call, p1 bet 50, p2 call")
    assert propose(hand, Proposal(1, ActionKind.TIMEOUT)).events[0].kind == EventKind.FOLDED
    # Now seat 2 is alone in the side pot.
    assert propose(hand, Proposal(2, ActionKind.TIMEOUT)).events[0].kind == EventKind.DISCARDED
    assert propose(hand, Proposal(3, ActionKind.TIMEOUT)).events[0].kind == EventKind.DISCARDED


@rule("DISC-8")
def test_an_uncalled_bet_that_came_back_makes_nobody_all_in():
    hand = hand_of([500, 300], rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    play(hand, "p2 call, p1 raise 500, p2 call")
    assert hand.stack == [200, 0]
    assert propose(hand, Proposal(1, ActionKind.TIMEOUT)).events[0].kind == EventKind.FOLDED
    assert stacks_of(hand) == {1: 200, 2: 600}


@rule("DISC-8")
def test_seats_late_together_are_handled_clockwise_from_the_button():
    fold = rules(IRISH, discard_timeout=DiscardTimeout.FOLD)
    for named in ((2, 5, 9), (9, 5, 2), (5, 2, 9)):
        hand = hand_of({2: 100, 5: 100, 9: 100}, fold, button=5)
        play(hand, "p5 call, p9 call, p2 check, p9 check, p2 check, p5 check")
        rulings = propose_timeouts(hand, named)
        assert [ruling.events[0].seat for ruling in rulings if ruling.accepted] == [9, 2]
        # The last one left wins; there is nobody left to be late.
        assert rulings[2].reason == Reason.HAND_OVER
        assert stacks_of(hand) == {2: 90, 5: 120, 9: 90}


@rule("DISC-8")
def test_of_two_in_a_side_pot_who_are_both_late_the_first_folds():
    hand = hand_of([1000, 1000, 30], rules(IRISH, discard_timeout=DiscardTimeout.FOLD))
    play(hand, "p3 allin, p1 call, p2 call, p1 bet 50, p2 call")
    rulings = propose_timeouts(hand, (3, 2, 1))
    assert [(ruling.events[0].seat, ruling.events[0].kind.name) for ruling in rulings] == [
        *((1, "FOLDED"), (2, "DISCARDED"), (3, "DISCARDED")),
    ]


@rule("DISC-8", "DISC-2")
def test_a_time_out_after_the_discard_is_refused():
    hand = owing()
    play(hand, "p1 discard 2c3c")
    assert refused(hand, "p1 timeout").reason == Reason.ALREADY_DISCARDED
    assert refused(hand, Proposal(2, ActionKind.TIMEOUT, cards=cards("2d 3d"))).reason == Reason.MALFORMED_ACTION
