"""What a seat may see: hole cards, discards, and the review after the hand (DEAL-4, DISC-3, DISC-5, SHOW-8)."""

import random
from dataclasses import replace

import pytest

from referee.record.view import PUBLIC, review, view
from referee.rules.cards import UNKNOWN, card_text
from referee.rules.events import EventKind
from referee.rules.hand import open_hand
from referee.rules.ruleset import CRAZY_PINEAPPLE, IRISH, DiscardVisibility
from tests.support import hand_of, play, rules, setup_of

TO_THE_DISCARD = "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check"
HOLES = {1: "AsAd2c2d", 2: "KcKh3c3d", 3: "QdQs4c4d"}
BOARD = "5h7d9hJs8s"


def irish_to_the_discard(**options):
    setup = setup_of([500, 500, 500], rules(IRISH, **options), holes=HOLES, board=BOARD)
    hand, opening = open_hand(setup)
    return hand, [*opening, *play(hand, TO_THE_DISCARD)]


def seen(events, viewer, rule_set):
    return [one for one in (view(event, viewer, rule_set) for event in events) if one is not None]


@pytest.mark.rule("DEAL-4")
@pytest.mark.parametrize("viewer", [PUBLIC, 1, 2, 3])
def test_hole_cards_are_seen_by_their_owner_only(viewer):
    hand, events = irish_to_the_discard()
    for event in seen(events, viewer, hand.setup.rule_set):
        if event.kind == EventKind.HOLE_DEALT:
            right = hand.hole[hand.index_of(event.seat)] if event.seat == viewer else (UNKNOWN,) * 4
            assert event.cards == right


@pytest.mark.rule("DISC-3")
def test_others_learn_only_that_a_seat_has_discarded():
    hand, _ = irish_to_the_discard()
    (event,) = play(hand, "p2 discard 3c3d")
    assert view(event, 2, hand.setup.rule_set) == event
    for viewer in (PUBLIC, 1, 3):
        other = view(event, viewer, hand.setup.rule_set)
        assert (other.seat, other.cards) == (2, (UNKNOWN, UNKNOWN))


@pytest.mark.rule("DISC-3")
def test_with_hidden_progress_not_even_that_a_seat_has_discarded_is_seen():
    hand, _ = irish_to_the_discard(hide_discard_progress=True)
    (event,) = play(hand, "p2 discard 3c3d")
    assert view(event, 2, hand.setup.rule_set) == event
    assert [view(event, viewer, hand.setup.rule_set) for viewer in (PUBLIC, 1, 3)] == [None] * 3


@pytest.mark.rule("DISC-3")
def test_another_seats_discard_changes_nothing_of_what_a_seat_is_asked():
    from referee.rules.hand import legal_options

    hand, _ = irish_to_the_discard()
    before = legal_options(hand, 1)
    play(hand, "p2 discard 3c3d, p3 discard 4c4d")
    assert legal_options(hand, 1) == before


@pytest.mark.rule("DISC-5", "SHOW-8")
def test_hidden_discards_are_never_seen_by_others():
    hand, events = irish_to_the_discard()
    events += play(hand, "p2 discard 3c3d, p1 discard 2c2d, p3 discard 4c4d, p1 bet 50, p2 call, p3 fold")
    events += play(hand, "p1 check, p2 check")
    assert hand.has_ended()
    for viewer, own in ((PUBLIC, ()), (1, hand.discarded[0]), (2, hand.discarded[1]), (3, hand.discarded[2])):
        told = {card for event in seen(events, viewer, hand.setup.rule_set) for card in event.cards}
        told |= {card for kept in review(hand, viewer).values() for card in kept}
        others = {card for discarded in hand.discarded for card in discarded} - set(own)
        assert not told & (others - set(hand.hole[viewer - 1] if viewer else ()))


@pytest.mark.rule("DISC-5")
@pytest.mark.parametrize("visibility", [DiscardVisibility.SHOWN, DiscardVisibility.JOINS_BOARD])
def test_shown_discards_are_turned_up_together_when_the_last_one_is_in(visibility):
    game = replace(CRAZY_PINEAPPLE, discard_visibility=visibility)
    holes = {1: "AsAd2c", 2: "KcKh3c", 3: "QdQs4c"}
    hand, _ = open_hand(setup_of([500, 500, 500], rules(game), holes=holes, board=BOARD))
    play(hand, TO_THE_DISCARD)
    early = play(hand, "p3 discard 4c, p1 discard 2c")
    assert [event.kind for event in early] == [EventKind.DISCARDED] * 2
    last = play(hand, "p2 discard 3c")
    turned_up = [event for event in last if event.kind == EventKind.DISCARD_SHOWN]
    assert [event.seat for event in turned_up] == [1, 2, 3]
    assert [view(event, PUBLIC, hand.setup.rule_set) for event in turned_up] == turned_up


@pytest.mark.rule("SHOW-8")
def test_players_dealt_in_may_review_every_hand_live_at_the_showdown_but_no_folded_one():
    hand = hand_of([500, 500, 500], holes={1: "AsAd", 2: "KcKh", 3: "QdQs"}, board="2c7d9hJs8s")
    assert review(hand, 1) == {}
    play(hand, "p3 call, p1 call, p2 check, p1 bet 10, p2 call, p3 fold, p1 check, p2 check")
    play(hand, "p1 check, p2 check")
    assert list(hand.shown) == [1, 2, 0], "seat 1 shows, seat 2 mucks, seat 3 folded"
    assert review(hand, 1) == {1: hand.kept[0], 2: hand.kept[1]}
    assert review(hand, 3) == {1: hand.kept[0], 2: hand.kept[1], 3: hand.kept[2]}, "his own folded hand is his"
    assert review(hand, PUBLIC) == {1: hand.kept[0]}, "who was not dealt in sees what was shown"
    assert review(hand, 9) == {1: hand.kept[0]}


@pytest.mark.rule("SHOW-8", "SHOW-7")
def test_without_a_showdown_there_is_nothing_to_review_but_ones_own_hand():
    hand = hand_of([500, 500, 500])
    play(hand, "p3 fold, p1 fold")
    assert review(hand, 1) == {1: hand.kept[0]}
    assert review(hand, PUBLIC) == {}
    play(hand, "p2 show")
    assert review(hand, 1) == {1: hand.kept[0], 2: hand.kept[1]}


@pytest.mark.rule("SHOW-8")
def test_the_live_stream_carries_no_mucked_card():
    rng = random.Random(8)
    mucked = 0
    for _ in range(200):
        hand, opening = open_hand(setup_of([500, 500, 500], rng=rng))
        events = [*opening, *play(hand, "p3 call, p1 call, p2 check" + ", p1 check, p2 check, p3 check" * 3)]
        for event in events:
            if event.kind == EventKind.HAND_MUCKED:
                mucked += 1
                secret = set(hand.kept[hand.index_of(event.seat)])
                public = {card for one in seen(events, PUBLIC, hand.setup.rule_set) for card in one.cards}
                assert not secret & public
    assert mucked > 20


@pytest.mark.rule("DISC-3", "DISC-8")
@pytest.mark.parametrize("players", [2, 3])
def test_a_late_fold_is_hidden_until_the_round_closes_and_told_to_everybody_then(players):
    from referee.rules.hand import propose
    from referee.rules.ruleset import DiscardTimeout
    from referee.rules.rulings import ActionKind, Proposal

    options = {"hide_discard_progress": True, "discard_timeout": DiscardTimeout.FOLD}
    hand, _ = open_hand(setup_of([500] * players, rules(IRISH, **options)))
    calls = "p2 call, p1 check, p1 check, p2 check" if players == 2 else TO_THE_DISCARD
    play(hand, calls)
    late = propose(hand, Proposal(1, ActionKind.TIMEOUT))
    seen_by_others = seen(late.events, 2, hand.setup.rule_set)
    if players == 2:
        kinds = [event.kind for event in seen_by_others]
        assert kinds[0] == EventKind.LATE_FOLD_SHOWN, "with the end of the hand all of it is told"
        assert kinds[-1] == EventKind.HAND_ENDED
        return
    assert seen_by_others == []
    assert [event.kind for event in seen(late.events, 1, hand.setup.rule_set)] == [EventKind.FOLDED]
    events = []
    for player in (1, 2):
        cards = "".join(card_text(card) for card in hand.hole[player][:2])
        events += play(hand, f"p{player + 1} discard {cards}")
    told = [event for event in seen(events, PUBLIC, hand.setup.rule_set) if event.kind == EventKind.LATE_FOLD_SHOWN]
    assert [event.seat for event in told] == [1]
