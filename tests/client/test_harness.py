"""Bots in one process: chips, seeds, refusals, stacks, and what is kept of the hands."""

import asyncio
import random

import pytest

from referee.bots import BOTS, make_bot
from referee.client import HandView, play_duplicate, play_match
from referee.judge import judge_record
from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.rules.events import EventKind
from referee.rules.hand import open_hand, propose
from referee.rules.ruleset import CRAZY_PINEAPPLE, HOLDEM, IRISH, PINEAPPLE, Limit, RuleSetError, Stakes
from referee.rules.rulings import ActionKind, Reason
from tests.support import EVERY_LIMIT, FL, NL, PL, random_game, rules, scale

STAKES = Stakes(5, 10)


def caller(decision):
    return decision.check_or_call()


def five(names=tuple(BOTS)):
    return [make_bot(name, seed) for seed, name in enumerate(names)]


@pytest.mark.rule("GAME-2", "POT-7")
@pytest.mark.parametrize("limit", EVERY_LIMIT)
@pytest.mark.parametrize("game", [IRISH, HOLDEM, PINEAPPLE, CRAZY_PINEAPPLE])
def test_chips_are_conserved_in_every_structure_and_every_legal_bot_is_never_refused(limit, game):
    result = play_match(five(), rules(game), limit, STAKES, 400, scale(40, 400), seed=f"{limit}")
    assert sum(result.net) == 0
    assert len(result.hands) == scale(40, 400)
    for seat in result.seats:
        assert (seat.refusals, seat.defaults) == (0, 0)
        assert seat.hands == len(result.hands)
        assert seat.decisions > 0
    for hand in result.hands:
        assert sum(hand.stacks) == sum(hand.setup.stacks) == 5 * 400
        assert hand.events[-1].kind == EventKind.HAND_ENDED


def test_every_practice_bot_plays_any_game_that_is_data():
    rng = random.Random(17)
    for at in range(scale(60, 600)):
        game = random_game(rng)
        bots = [make_bot(rng.choice(list(BOTS)), at) for _ in range(rng.randint(2, 5))]
        result = play_match(bots, rules(game), rng.choice(EVERY_LIMIT), STAKES, 300, 3, seed=at)
        assert sum(seat.refusals for seat in result.seats) == 0
        assert sum(result.net) == 0


def test_the_same_seed_plays_the_same_match_and_another_seed_another():
    def match(seed):
        return play_match(five(), "irish/full-tilt@1", NL, STAKES, 500, 30, seed=seed)

    assert match(1) == match(1)
    assert match(1) != match(2)
    assert match(b"seed").hands[0].setup.deck != match("other seed").hands[0].setup.deck


def test_cards_do_not_depend_on_who_sits_where():
    bots = [make_bot("random-legal", seed) for seed in range(3)]
    one = play_match(bots, "irish/full-tilt@1", NL, STAKES, 500, 5, seed=4)
    other = play_match(bots[::-1], "irish/full-tilt@1", NL, STAKES, 500, 5, seed=4)
    assert [hand.setup.deck for hand in one.hands] == [hand.setup.deck for hand in other.hands]


@pytest.mark.rule("SEAT-1")
@pytest.mark.parametrize("rule_set", ["irish/full-tilt@1", "irish/tda@1"])
def test_the_button_moves_and_everybody_pays_blinds(rule_set):
    result = play_match([caller] * 3, rule_set, NL, STAKES, 500, 6)
    assert [hand.setup.button_seat for hand in result.hands] == [3, 1, 2, 3, 1, 2]
    assert [hand.setup.big_blind_seat for hand in result.hands] == [2, 3, 1, 2, 3, 1]
    heads_up = play_match([caller] * 2, rule_set, NL, STAKES, 500, 4)
    assert [hand.setup.button_seat for hand in heads_up.hands] == [2, 1, 2, 1]


def test_stacks_are_carried_until_fewer_than_two_players_have_chips():
    result = play_match(
        [make_bot("all-in")] * 4, "irish/full-tilt@1", NL, STAKES, (100, 200, 300, 400), 500, reset_stacks=False
    )
    assert len(result.hands) < 500
    assert sorted(seat.stack for seat in result.seats)[:3] == [0, 0, 0]
    assert sum(seat.stack for seat in result.seats) == 1000
    for before, after in zip(result.hands, result.hands[1:], strict=False):
        stacks = dict(zip(before.setup.seats, before.stacks, strict=True))
        assert dict(zip(after.setup.seats, after.setup.stacks, strict=True)) == {
            seat: stack for seat, stack in stacks.items() if stack
        }


def test_stacks_begin_again_where_they_are_reset():
    result = play_match([make_bot("all-in")] * 2, "holdem/tda@1", NL, STAKES, (100, 50), 20)
    assert all(sorted(hand.setup.stacks) == [50, 100] for hand in result.hands)
    assert len(result.hands) == 20
    assert sum(result.net) == 0


def test_a_refused_bot_is_told_asked_again_and_answered_for_and_the_match_goes_on():
    told = []

    def stubborn(decision):
        told.append(decision.refusal)
        return decision.raise_to(1)

    refusals = []
    result = play_match(
        [stubborn, caller],
        "irish/full-tilt@1",
        NL,
        STAKES,
        500,
        10,
        max_refusals=2,
        on_refused=lambda decision, ruling: refusals.append((decision, ruling)),
    )
    stubborn_seat, caller_seat = result.seats
    assert stubborn_seat.defaults == stubborn_seat.decisions > 0
    assert stubborn_seat.refusals == 3 * stubborn_seat.decisions == len(refusals) == len(told)
    assert (caller_seat.refusals, caller_seat.defaults) == (0, 0)
    assert told[:3] == [None, refusals[0][1], refusals[1][1]]
    assert {ruling.reason for _, ruling in refusals} <= {
        Reason.BELOW_MINIMUM,
        Reason.DISCARD_OWED,
        Reason.RAISE_WITHOUT_A_BET,
        Reason.OPPONENTS_ALL_IN,
    }
    assert any(ruling.reason == Reason.DISCARD_OWED for _, ruling in refusals)
    discards = [one for hand in result.hands for one in hand.proposals if one.kind == ActionKind.DISCARD]
    assert len(discards) >= 10


def test_a_bot_answers_for_its_own_seat_only():
    def meddler(decision):
        return decision.check_or_call()._replace(seat=3 - decision.seat)

    result = play_match([meddler, caller], "holdem/tda@1", NL, STAKES, 500, 10)
    assert result.seats[0].refusals == 0
    assert all(event.seat for hand in result.hands for event in hand.events if event.kind == EventKind.CHECKED)


def test_what_a_bot_raises_and_answers_that_are_none_are_its_own_faults():
    def broken(decision):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play_match([broken, caller], "holdem/tda@1", NL, STAKES, 500, 1)
    with pytest.raises(TypeError, match="Proposal"):
        play_match([lambda decision: None] * 2, "holdem/tda@1", NL, STAKES, 500, 1)


def test_async_bots_play_too():
    async def thinker(decision):
        await asyncio.sleep(0)
        return decision.check_or_call()

    one = play_match([thinker, caller, thinker], "irish/full-tilt@1", NL, STAKES, 500, 20, names=("a", "b", "c"))
    other = play_match([caller] * 3, "irish/full-tilt@1", NL, STAKES, 500, 20, names=("a", "b", "c"))
    assert one == other


def test_nobody_sees_anybody_elses_cards():
    def curious(decision):
        own = set(decision.hole) | set(decision.discarded) | set(decision.board)
        for event in decision.events:
            if event.kind in (EventKind.HOLE_DEALT, EventKind.DISCARDED) and event.seat != decision.seat:
                assert set(event.cards) == {-1}
            elif event.kind != EventKind.HAND_SHOWN:
                assert set(event.cards) <= own
        assert not any(player.shown for player in decision.players)
        return decision.check_or_call()

    play_match([curious] * 4, "irish/full-tilt@1", NL, STAKES, 500, 30)


def test_every_view_of_a_hand_that_is_over_is_shown_and_a_hand_may_be_turned_up():
    over = []

    def look(view):
        assert isinstance(view, HandView)
        assert view.over
        over.append((view.number, view.seat, view.net_of(view.seat)))
        return view.show() if view.number == 1 and view.seat == 1 else None

    fold = make_bot("always-fold")
    result = play_match([fold, fold, fold], "holdem/tda@1", NL, STAKES, 500, 2, on_hand_over=look)
    assert [one[:2] for one in over] == [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (2, 1)]
    assert [one[2] for one in over[:3]] == [-5, 5, 0]
    shown = [event for hand in result.hands for event in hand.events if event.kind == EventKind.HAND_SHOWN]
    assert shown == [], "seat 1 had folded: its hand is never shown"

    over.clear()
    result = play_match([caller] * 2, "holdem/tda@1", NL, STAKES, 500, 1, on_hand_over=look)
    shown = {event.seat for event in result.hands[0].events if event.kind == EventKind.HAND_SHOWN}
    assert 1 in shown


def test_hands_that_were_played_can_be_played_again_and_judged():
    result = play_match(five(), "irish/full-tilt@1", PL, STAKES, 500, 30, seed=3)
    for played in result.hands:
        hand, opening = open_hand(played.setup)
        events = list(opening)
        for proposal in played.proposals:
            ruling = propose(hand, proposal)
            assert ruling.accepted
            events.extend(ruling.events)
        assert tuple(events) == played.events
        steps = tuple(
            RecordedStep(Step(one.kind.name.lower()), one.seat, one.to, cards=one.cards) for one in played.proposals
        )
        names = tuple(f"seat {seat}" for seat in played.setup.seats)
        record = HandRecord(played.setup, steps, RecordedResult(tuple(played.stacks)), names, "harness")
        assert judge_record(record).agrees()


def test_names_stacks_and_rules_that_do_not_fit_are_said_so():
    with pytest.raises(ValueError, match="2 stacks for 3 bots"):
        play_match([caller] * 3, "holdem/tda@1", NL, STAKES, (5, 5), 1)
    with pytest.raises(ValueError, match="1 names for 2 bots"):
        play_match([caller] * 2, "holdem/tda@1", NL, STAKES, 500, 1, names=("one",))
    with pytest.raises(KeyError):
        play_match([caller] * 2, "nothing@1", NL, STAKES, 500, 1)
    with pytest.raises(RuleSetError):
        play_match([caller] * 2, "irish/full-tilt@1", FL, STAKES, 500, 1)


def test_bots_are_called_what_they_are():
    result = play_match(
        [caller, make_bot("all-in"), lambda decision: decision.call()], "holdem/tda@1", NL, STAKES, 9, 0
    )
    assert [seat.name for seat in result.seats] == ["caller", "all-in", "<lambda>"]
    assert result.hands == ()


def test_hands_need_not_be_kept():
    assert play_match([caller] * 2, "holdem/tda@1", NL, STAKES, 500, 5, keep_hands=False).hands == ()


def test_a_duplicate_match_between_equals_is_a_tie():
    for limit in (Limit.NO_LIMIT, Limit.POT_LIMIT):
        assert play_duplicate([caller] * 3, "irish/full-tilt@1", limit, STAKES, 500, 12, seed=5) == (0, 0, 0)
    nets = play_duplicate(five(), "irish/full-tilt@1", NL, STAKES, 500, 10, seed=5)
    assert sum(nets) == 0
