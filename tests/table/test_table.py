"""The table as a state machine: sessions of many hands, and that the fold of its stored events is the table."""

import random

import pytest

from referee.judge import judge_record
from referee.rules.events import Event
from referee.rules.ruleset import Limit, find_rule_set
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.state import encode
from referee.table.clocks import ClockRules
from referee.table.happenings import content_bytes, happenings, ruling_of, stored_bytes, stored_event_bytes
from referee.table.records import hand_record, reviewed_hand
from referee.table.seats import TableError
from referee.table.table import KEPT_REFUSALS, Table, opened_event, restored
from referee.v1 import record_pb2, table_pb2
from tests.support import scale
from tests.table.tables import FakeMoments, config, decide, seated, started

GAMES = ["holdem/tda@1", "irish/full-tilt@1", "irish/french-limit@1", "irish/tda@1"]


def hand_that_began(happening):
    """The number of the hand that begins here, 0 when none does."""
    return happening.hand_began.hand if isinstance(happening, record_pb2.StoredEvent) else 0


def event_bytes_of(happening):
    return stored_event_bytes(happening, content_bytes(happening))


def standing(table):
    """Everything that must be the same after a restart."""
    hand = None if table.hand is None else encode(table.hand)
    decisions = {seat: one.decision_id for seat, one in table.decisions.items()}
    return hand, table.seats, table.game.positions, table.hand_number, decisions, table.closing, table.end_reason


def play_session(table, moments, rng, batches, hands):
    """Plays with random answers, refused ones among them, and keeps what each step stored."""
    while not table.has_ended and table.hand_number <= hands:
        seat = rng.choice(sorted(table.decisions))
        moments.now += rng.randrange(0, 3_000)
        for other, one in table.decisions.items():
            table.start_clock(other, one.decision_id, moments.now)
        if rng.random() < 0.1:
            wrong = Proposal(seat, ActionKind.RAISE, 10**9, decision_id=table.decisions[seat].decision_id)
            assert not table.propose(wrong, f"w{len(batches)}", moments.now).accepted
        elif rng.random() < 0.05 and table.next_deadline_ms() is not None:
            moments.now = table.next_deadline_ms()
            table.tick(moments.now)
        else:
            table.propose(decide(table, seat, rng), f"r{len(batches)}", moments.now)
        batches.append(table.take_fresh())


@pytest.mark.rule("SEAT-1", "BET-8")
@pytest.mark.parametrize("name", GAMES)
def test_the_fold_of_the_stored_events_is_the_table_after_every_batch(name):
    rng = random.Random(name)
    for number in range(scale(3, 40)):
        moments = FakeMoments()
        rule_set = find_rule_set(name)
        limit = rng.choice(rule_set.limits)
        players = rng.randrange(2, 7)
        table = seated(
            players, rule_set=rule_set, limit=limit, stack=rng.choice([40, 300]), clock=ClockRules(2_000, 500, 100)
        )
        batches = [[opened_event("t1", table.config)], table.take_fresh()]
        started(table, moments)
        batches.append(table.take_fresh())
        play_session(table, moments, rng, batches, 12)
        stored = []
        checked = Table("t1", table.config)
        for batch in batches:
            stored += happenings(b"".join([stored_bytes(event_bytes_of(one)) for one in batch]))
            again = restored("t1", stored)
            checked = again
        assert standing(checked) == standing(table)
        # From the last hand alone it is the same: what came before the first hand, and that hand's events.
        began = [at for at, one in enumerate(stored) if hand_that_began(one)]
        before_hands = stored[: began[0]]
        assert standing(restored("t1", [*before_hands, *stored[began[-1] :]])) == standing(table)
        assert number >= 0


@pytest.mark.parametrize("name", GAMES)
def test_every_prefix_of_batches_restores_and_plays_on_with_the_same_cards(name):
    rng = random.Random(name)
    moments = FakeMoments()
    table = seated(4, rule_set=name, limit=find_rule_set(name).limits[0])
    batches = [[opened_event("t1", table.config)], table.take_fresh()]
    started(table, moments)
    batches.append(table.take_fresh())
    play_session(table, moments, rng, batches, 3)
    stored = []
    for batch in batches:
        stored += batch
        again = restored("t1", stored)
        again.resume(moments.now)
        if again.hand is not None:
            assert again.hand.setup.deck == table.decks.deck(0, again.hand_number)


def test_stacks_are_carried_or_reset_and_chips_are_conserved():
    for reset in (False, True):
        rng, moments = random.Random(3), FakeMoments()
        table = seated(5, reset_stacks=reset, hands=30)
        started(table, moments)
        before = -1
        while not table.has_ended:
            if table.hand_number != before:
                before = table.hand_number
                assert sum(table.hand.setup.stacks) == (
                    500 * 5 if reset else sum(one.stack for one in table.seats.values())
                )
                if reset:
                    assert set(table.hand.setup.stacks) == {500}
            seat = rng.choice(sorted(table.decisions))
            table.propose(decide(table, seat, rng), "", moments.now)
        assert sum(one.stack for one in table.seats.values()) == 2500
        expected = table_pb2.END_REASON_HANDS_PLAYED if reset else table.end_reason
        assert table.end_reason == expected


def test_a_session_ends_when_fewer_than_two_have_chips():
    rng, moments = random.Random(5), FakeMoments()
    table = seated(4, stack=30)
    started(table, moments)
    while not table.has_ended:
        seat = rng.choice(sorted(table.decisions))
        options = table.options(seat)
        kind = options.wager if options.max_to else ActionKind.CALL
        table.propose(Proposal(seat, kind, options.max_to), "", moments.now)
    assert table.end_reason == table_pb2.END_REASON_TOO_FEW_PLAYERS
    assert sorted(one.stack for one in table.seats.values()) == [0, 0, 0, 120]


def test_a_closed_table_finishes_its_hand_and_ends():
    rng, moments = random.Random(6), FakeMoments()
    table = seated(3)
    started(table, moments)
    table.close(moments.now)
    assert not table.has_ended
    with pytest.raises(TableError):
        table.take_seat(0, "late", b"x" * 32, False, moments.now)
    while table.hand_is_on:
        table.propose(decide(table, next(iter(table.decisions)), rng), "", moments.now)
    assert table.end_reason == table_pb2.END_REASON_CLOSED
    waiting = seated(3)
    waiting.close(moments.now)
    assert waiting.has_ended


@pytest.mark.rule("TIME-2", "DISC-8")
def test_who_leaves_in_a_hand_is_answered_for_and_gone_in_the_next():
    rng, moments = random.Random(7), FakeMoments()
    table = seated(4, rule_set="irish/full-tilt@1")
    started(table, moments)
    leaver = next(iter(table.decisions))
    table.leave_seat(leaver, moments.now)
    assert leaver not in table.decisions, "something was owed: folded as if out of time"
    while table.hand_number == 1:
        table.propose(decide(table, next(iter(table.decisions)), rng), "", moments.now)
    assert leaver not in table.seats
    assert leaver not in table.hand.setup.seats


@pytest.mark.rule("SEAT-2")
def test_who_sits_down_later_waits_for_the_big_blind():
    _rng, moments = random.Random(8), FakeMoments()
    table = Table("t1", config(6, players_to_start=3))
    for seat in (1, 2, 3):
        table.take_seat(seat, f"p{seat}", bytes([seat]) * 32, False, moments.now)
    assert table.take_seat(5, "late", b"5" * 32, False, moments.now) == 5
    seen = []
    while table.hand_number < 8 and not table.has_ended:
        number = table.hand_number
        if 5 in table.hand.setup.seats:
            seen.append((number, table.hand.setup.big_blind_seat == 5))
        while table.hand_number == number and not table.has_ended:
            seat = next(iter(table.decisions))
            options = table.options(seat)
            kind = ActionKind.CHECK if options.check else ActionKind.FOLD
            table.propose(Proposal(seat, kind), "", moments.now)
    assert seen[0][1], "his first hand is in the big blind"
    assert seen[1][0] == seen[0][0] + 1


@pytest.mark.rule("SHOW-2", "SHOW-7")
def test_a_hand_may_be_shown_by_its_owner_until_the_next_one_begins():
    moments = FakeMoments()
    table = seated(2, between_hands_ms=5_000)
    started(table, moments)
    hand_id = table.hand.setup.hand_id
    (seat,) = table.decisions
    table.propose(Proposal(seat, ActionKind.FOLD), "", moments.now)
    winner = 3 - seat
    assert table.propose(Proposal(winner, ActionKind.SHOW, hand_id=hand_id), "", moments.now + 4_999).accepted
    again = table.propose(Proposal(winner, ActionKind.SHOW, hand_id=hand_id), "", moments.now + 4_999)
    assert ruling_of(again).reason == Reason.NOTHING_TO_SHOW
    late = table.propose(Proposal(seat, ActionKind.SHOW, hand_id=hand_id), "", moments.now + 5_000)
    assert ruling_of(late).reason == Reason.WRONG_HAND, "the next hand has begun"


def test_of_many_refusals_only_the_first_are_kept_whole():
    moments = FakeMoments()
    table = seated(3)
    started(table, moments)
    table.take_fresh()
    (seat,) = table.decisions
    for number in range(100):
        assert not table.propose(Proposal(seat, ActionKind.CHECK), f"r{number}", moments.now).accepted
    assert len(table.take_fresh()) == KEPT_REFUSALS
    table.propose(Proposal(seat, ActionKind.CALL), "last", moments.now)
    ruled = table.take_fresh()[0]
    assert (ruled.accepted, ruled.unkept) == (True, 100 - KEPT_REFUSALS)


@pytest.mark.parametrize("name", GAMES)
def test_finished_hands_come_out_of_the_store_as_records_that_agree(name):
    rng, moments = random.Random(name), FakeMoments()
    table = seated(5, rule_set=name, limit=find_rule_set(name).limits[-1], clock=ClockRules(1_000), reset_stacks=True)
    started(table, moments)
    batches = [table.take_fresh()]
    play_session(table, moments, rng, batches, scale(15, 200))
    hands: dict[int, list] = {}
    for event in [event for batch in batches for event in batch]:
        if hand_that_began(event):
            hands[hand_that_began(event)] = []
        if hands:
            hands[max(hands)].append(event)
    judged = 0
    for events in hands.values():
        finished = reviewed_hand("t1", table.config, table.decks, events)
        if finished is not None:
            record = hand_record(finished, events)
            judgement = judge_record(record)
            assert not judgement.findings, judgement.findings
            assert list(judgement.events()) == [one for one in events if isinstance(one, Event)]
            judged += 1
    assert judged >= 10


def test_seats_that_are_taken_or_do_not_exist_are_refused():
    table = seated(3)
    for seat in (1, 4, -1):
        with pytest.raises(TableError):
            table.take_seat(seat, "x", b"x" * 32, False, 0)
    assert Limit.NO_LIMIT in table.config.rule_set.limits


def test_who_leaves_before_the_first_hand_frees_the_seat():
    moments = FakeMoments()
    table = Table("t1", config(2))
    table.take_seat(0, "A", b"a" * 32, False, moments.now)
    table.leave_seat(1, moments.now)
    assert table.seats == {}
    for name in ("B", "C"):
        table.take_seat(0, name, name.encode() * 32, False, moments.now)
    assert table.hand_is_on
    assert sorted(table.hand.setup.seats) == [1, 2]


def test_refusals_of_a_seat_without_a_decision_are_kept_within_bounds():
    moments = FakeMoments()
    table = seated(3)
    started(table, moments)
    table.take_fresh()
    (seat,) = table.decisions
    other = next(one for one in table.seats if one != seat)
    for number in range(100):
        assert not table.propose(Proposal(other, ActionKind.CALL), f"r{number}", moments.now).accepted
    assert len(table.take_fresh()) == KEPT_REFUSALS
