"""A table whose seats sit out, come back, post, top up, and make faults (SEAT-2 to SEAT-5, TIME-4)."""

import random
from dataclasses import replace

import pytest

from referee.judge import FindingKind, judge_record
from referee.record.notation.phh import read_phh
from referee.record.notation.phh_writer import write_phh
from referee.record.view import PUBLIC
from referee.rules.events import BLIND_POSTED, DEAD_POSTED, Event, EventKind
from referee.rules.ruleset import DiscardTimeout, RuleSetError, Stakes
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import Post
from referee.rules.state import Phase
from referee.table.clocks import ClockRules
from referee.table.config import config_message
from referee.table.faults import FaultPolicy, FaultRules
from referee.table.games import config_of
from referee.table.happenings import Ruled, content_bytes, happenings, stored_bytes
from referee.table.records import hand_record, reviewed_hand
from referee.table.seats import TableError
from referee.table.table import KEPT_REFUSALS, Table, opened_event, restored
from referee.table.views import seen
from referee.v1 import hand_pb2, record_pb2, table_pb2
from tests.support import random_rule_set, rules, scale
from tests.table.tables import FakeMoments, config, decide, seated, started
from tests.table.test_table import event_bytes_of, hand_that_began, standing

rule = pytest.mark.rule
PLAIN_BLINDS = ("BLIND-1", "BLIND-3")


def fold_hand(table, moments):
    """Plays the hand under way to its end: everybody checks, else folds."""
    number = table.hand_number
    while table.hand_is_on and table.hand_number == number:
        seat = next(iter(table.decisions))
        options = table.options(seat)
        if options.discard:
            proposal = Proposal(seat, ActionKind.DISCARD, cards=options.held[: options.discard])
        else:
            proposal = Proposal(seat, ActionKind.CHECK if options.check else ActionKind.FOLD)
        table.propose(proposal, "r", moments.now)


def playing(players=4, **options):
    """A table whose first hand is under way, with its clock."""
    moments = FakeMoments()
    table = seated(players, **options)
    started(table, moments)
    return table, moments


def waits(table, seat):
    return table.seats[seat].standing(seat, True).must_enter


def posted(events):
    return [
        (event.kind, event.seat, event.amount)
        for event in events
        if isinstance(event, Event)
        and event.kind in (BLIND_POSTED, DEAD_POSTED)
        and event.rule in ("SEAT-3", "BLIND-6")
    ]


# --- sitting out (SEAT-3, SEAT-5) ------------------------------------------------------------------------


@rule("SEAT-5")
def test_sitting_out_in_a_hand_lets_the_hand_be_played_and_deals_the_seat_in_no_more():
    table, moments = playing()
    seat = next(iter(table.decisions))
    table.sit_out(seat)
    assert seat in table.decisions, "the hand under way is still his"
    assert table.propose(Proposal(seat, ActionKind.CALL), "r", moments.now).accepted
    fold_hand(table, moments)
    assert table.hand_number == 2
    assert seat not in table.hand.setup.seats
    assert seat in table.seats


@rule("SEAT-5")
def test_once_placed_the_big_blind_is_owed_whoever_sits_out_then():
    table, moments = playing()
    seat = table.game.positions.big_blind
    stack = table.hand.stack[table.hand.index_of(seat)]
    table.sit_out(seat)
    assert table.hand.stack[table.hand.index_of(seat)] == stack
    assert table.hand.bet[table.hand.index_of(seat)] == 10
    fold_hand(table, moments)
    assert not table.seats[seat].owes_big_blind


@rule("SEAT-3", "SEAT-5", "BLIND-6")
def test_what_passes_who_sits_out_is_posted_when_he_comes_back_by_posting():
    table, moments = playing(5)
    seat = table.game.positions.dealt_in[2]  # the next big blind
    table.sit_out(seat)
    for _ in range(5):
        fold_hand(table, moments)
    owed = table.seats[seat]
    assert (owed.owes_small_blind, owed.owes_big_blind) == (True, True)
    table.sit_in(seat, posts=True, now_ms=moments.now)
    table.take_fresh()
    for _ in range(4):
        fold_hand(table, moments)
        if seat in table.hand.setup.seats:
            break
    assert table.hand.setup.posts == (Post(seat, 10, 5),)
    assert posted(table.take_fresh()) == [(BLIND_POSTED, seat, 10), (DEAD_POSTED, seat, 5)]
    assert not waits(table, seat)
    assert not table.seats[seat].posts, "the choice was for this once"


@rule("SEAT-3")
def test_who_comes_back_without_posting_waits_for_the_big_blind():
    table, moments = playing(5)
    seat = table.game.positions.dealt_in[2]
    table.sit_out(seat)
    fold_hand(table, moments)
    fold_hand(table, moments)
    table.sit_in(seat, posts=False, now_ms=moments.now)
    assert waits(table, seat)
    for _ in range(6):
        fold_hand(table, moments)
        if seat in table.hand.setup.seats:
            break
    assert table.game.positions.big_blind == seat
    assert table.hand.setup.posts == ()


@rule("SEAT-2")
def test_a_new_player_may_post_and_is_dealt_in_where_that_is_allowed():
    moments = FakeMoments()
    table = Table("t1", config(6, players_to_start=4))
    for seat in (1, 2, 3, 4):
        table.take_seat(seat, f"p{seat}", bytes([seat]) * 32, False, moments.now)
    table.take_seat(5, "posts", b"5" * 32, False, moments.now, posts=True)
    assert waits(table, 5)
    entered = None
    for _ in range(5):
        fold_hand(table, moments)
        if 5 in table.hand.setup.seats:
            entered = table.hand.setup
            break
    assert entered is not None
    assert entered.big_blind_seat == 5 or entered.posts == (Post(5, 10, 0),)


def test_sitting_out_or_in_twice_is_told_once():
    moments = FakeMoments()
    table = Table("t1", config(5, players_to_start=4))
    for seat in (1, 2, 3, 4):
        table.take_seat(seat, f"p{seat}", bytes([seat]) * 32, False, moments.now)
    table.take_fresh()
    for _ in range(2):
        table.sit_out(2)
    for _ in range(2):
        table.sit_in(2, posts=True, now_ms=moments.now)
    table.sit_in(2, posts=False, now_ms=moments.now)
    told = [one.WhichOneof("event") for one in table.take_fresh()]
    assert told == ["seat_sits_out", "seat_sits_in"], "who owes nothing has nothing to choose"
    table.take_seat(0, "new", b"n" * 32, False, moments.now)
    for posts in (True, True, False):
        table.sit_in(5, posts=posts, now_ms=moments.now)
    told = [one.WhichOneof("event") for one in table.take_fresh()]
    assert told == ["seat_taken", "seat_sits_in", "seat_sits_in"]


def test_a_table_of_which_fewer_than_two_play_waits_for_them():
    table, moments = playing(3)
    for seat in (1, 2):
        table.sit_out(seat)
    fold_hand(table, moments)
    assert not table.has_ended
    assert table.hand_number == 1
    table.tick(moments.now + 100_000)
    assert table.hand_number == 1
    again = restored("t1", [opened_event("t1", table.config), *table.take_fresh()])
    again.resume(moments.now)
    assert again.hand_number == 1
    table.sit_in(2, posts=False, now_ms=moments.now)
    assert table.hand_number == 2
    assert sorted(table.hand.setup.seats) == [2, 3]


def test_a_table_that_waits_ends_when_too_few_are_left_or_it_is_closed():
    table, moments = playing(3)
    table.sit_out(1)
    table.sit_out(2)
    fold_hand(table, moments)
    table.leave_seat(1, moments.now)
    assert not table.has_ended, "two have chips"
    table.leave_seat(2, moments.now)
    assert table.end_reason == table_pb2.END_REASON_TOO_FEW_PLAYERS
    other, moments = playing(3)
    other.sit_out(1)
    other.sit_out(2)
    fold_hand(other, moments)
    other.close(moments.now)
    assert other.end_reason == table_pb2.END_REASON_CLOSED


def test_who_sits_out_before_the_first_hand_is_not_dealt_in():
    moments = FakeMoments()
    table = seated(4)
    table.sit_out(2)
    started(table, moments)
    assert sorted(table.hand.setup.seats) == [1, 3, 4]


@rule("SEAT-3", "BLIND-6")
@pytest.mark.parametrize("name", ["irish/full-tilt@1", "holdem/tda@1"])
def test_a_hand_with_posts_comes_out_of_the_store_as_a_record_that_is_judged_the_same(name):
    table, moments = playing(6, rule_set=name)
    seat = table.game.positions.dealt_in[2]
    table.sit_out(seat)
    while not (table.seats[seat].owes_big_blind and table.seats[seat].owes_small_blind):
        fold_hand(table, moments)
    table.sit_in(seat, posts=True, now_ms=moments.now)
    while seat not in table.hand.setup.seats:
        table.take_fresh()
        fold_hand(table, moments)
    assert table.hand.setup.posts == (Post(seat, 10, 5),)
    number = table.hand_number
    fold_hand(table, moments)
    happened = table.take_fresh()
    began = [at for at, one in enumerate(happened) if hand_that_began(one)]
    of_hand = happened[began[-2] : began[-1]]
    finished = reviewed_hand("t1", table.config, table.decks, of_hand)
    assert finished.hand_number == number
    record = hand_record(finished, of_hand)
    judgement = judge_record(record)
    assert not judgement.findings
    assert list(judgement.events()) == [one for one in of_hand if isinstance(one, Event)]
    (read,) = read_phh(write_phh(record).splitlines(keepends=True), "the record", table.config.rule_set)
    assert [(post.live, post.dead) for post in read.setup.posts] == [(10, 5)]
    # A mucked hand is not in the text, so who would have won is all that may stay open.
    assert {one.kind for one in judge_record(read).findings} <= {FindingKind.NOT_CHECKABLE}


# --- topping up ------------------------------------------------------------------------------------------


def bust(table, moments):
    """Everybody goes all-in; who has lost everything."""
    number = table.hand_number
    while table.hand_is_on and table.hand_number == number:
        seat = next(iter(table.decisions))
        options = table.options(seat)
        kind = options.wager if options.max_to else ActionKind.CALL
        table.propose(Proposal(seat, kind, options.max_to), "r", moments.now)
    return [seat for seat, one in table.seats.items() if not one.stack]


def test_a_stack_is_filled_up_before_the_next_hand_and_not_in_this_one():
    table, moments = playing(3, top_up_to=800, between_hands_ms=1_000)
    seat = next(iter(table.decisions))
    table.top_up(seat, 700, moments.now)
    assert table.hand.setup.stacks[table.hand.index_of(seat)] == 500
    fold_hand(table, moments)
    assert table.seats[seat].stack <= 500
    table.tick(moments.now + 1_000)
    assert table.hand.setup.stacks[table.hand.index_of(seat)] == 700
    assert table.seats[seat].top_up_to == 0, "once"


def test_a_top_up_never_takes_chips_away():
    table, moments = playing(3, top_up_to=800, between_hands_ms=1_000)
    table.top_up(1, 100, moments.now)
    fold_hand(table, moments)
    stack = table.seats[1].stack
    table.tick(moments.now + 1_000)
    assert table.seats[1].stack == stack > 100


@rule("SEAT-3")
def test_a_player_without_chips_comes_back_by_topping_up_and_owes_what_passed_him():
    table, moments = playing(4, stack=200, top_up_to=200, between_hands_ms=1_000)
    first = next(iter(table.decisions))
    table.propose(Proposal(first, ActionKind.RAISE, 200), "r", moments.now)
    second = next(iter(table.decisions))
    table.propose(Proposal(second, ActionKind.CALL), "r", moments.now)
    fold_hand(table, moments)
    (loser,) = [seat for seat in (first, second) if not table.seats[seat].stack]
    for _ in range(4):
        moments.now += 1_000
        table.tick(moments.now)
        assert loser not in table.hand.setup.seats
        fold_hand(table, moments)
    assert (table.seats[loser].owes_small_blind, table.seats[loser].owes_big_blind) == (True, True)
    table.top_up(loser, 200, moments.now)
    table.sit_in(loser, posts=True, now_ms=moments.now)
    for _ in range(4):
        moments.now += 1_000
        table.tick(moments.now)
        if loser in table.hand.setup.seats:
            break
        fold_hand(table, moments)
    assert table.game.positions.big_blind == loser or table.hand.setup.posts == (Post(loser, 10, 5),)
    assert table.hand.setup.stacks[table.hand.index_of(loser)] == 200


def test_where_stacks_may_be_topped_up_a_table_of_one_stack_waits_for_the_others():
    table, moments = playing(3, stack=40, top_up_to=40, between_hands_ms=1_000)
    losers = bust(table, moments)
    while len(losers) < 2:
        moments.now += 1_000
        table.tick(moments.now)
        losers = bust(table, moments)
    played = table.hand_number
    table.tick(moments.now + 1_000)
    assert not table.has_ended
    assert table.hand_number == played
    table.top_up(losers[0], 40, moments.now + 1_000)
    table.tick(moments.now + 2_000)
    assert table.hand_number == played + 1
    assert losers[0] in table.hand.setup.seats


def test_without_top_ups_a_table_of_one_stack_ends():
    table, moments = playing(2, stack=40)
    while not table.has_ended:
        bust(table, moments)
    assert table.end_reason == table_pb2.END_REASON_TOO_FEW_PLAYERS


@pytest.mark.parametrize(
    ("options", "to", "said"),
    [
        ({}, 10, "not topped up here"),
        ({"top_up_to": 600}, 601, "at most 600"),
        ({"top_up_to": 600, "stakes": Stakes(10, 20, chip_unit=10)}, 505, "multiple of 10"),
    ],
)
def test_top_ups_that_the_table_does_not_allow_are_refused(options, to, said):
    table, moments = playing(3, **options)
    table.take_fresh()
    with pytest.raises(TableError, match=said):
        table.top_up(1, to, moments.now)
    assert not table.take_fresh()


def test_top_ups_cannot_bring_more_chips_than_a_hand_may_hold():
    most = 1 << 51
    table, moments = playing(3, stack=most, top_up_to=most)
    table.top_up(1, most, moments.now)
    with pytest.raises(TableError, match="all stacks together"):
        playing(4, stack=most, top_up_to=most)[0].top_up(1, most, moments.now)


@rule("POT-7", "BET-8")
@pytest.mark.parametrize(
    ("options", "broken"),
    [
        ({"reset_stacks": True, "top_up_to": 10}, "POT-7"),
        ({"top_up_to": 1 << 60}, "POT-7"),
        ({"top_up_to": 15, "stakes": Stakes(10, 20, chip_unit=10), "starting_stack": 100}, "BET-8"),
    ],
)
def test_tables_whose_top_ups_make_no_sense_are_refused(options, broken):
    message = config_message(replace(config(3), **options), with_seed=True)
    with pytest.raises(RuleSetError) as refused:
        config_of(message, b"")
    assert refused.value.rule == broken


# --- faults (TIME-4) -------------------------------------------------------------------------------------


def with_faults(policy, max_faults=3, **options):
    return playing(clock=ClockRules(1_000), faults=FaultRules(max_faults, policy), **options)


def err(table, moments, times=1):
    """The seat that is asked proposes something illegal; returns the seat."""
    seat = next(iter(table.decisions))
    wrong = Proposal(seat, ActionKind.RAISE, 10**9)
    for number in range(times):
        assert not table.propose(wrong, f"wrong {number}", moments.now).accepted
    return seat


def run_out(table, moments):
    """The time of who is asked runs out; returns the seats."""
    asked = list(table.decisions)
    for seat, decision in table.decisions.items():
        table.start_clock(seat, decision.decision_id, moments.now)
    moments.now = table.next_deadline_ms()
    table.tick(moments.now)
    return asked


def to_the_discards(table, moments):
    """Everybody checks and calls until discards are owed; what happened until then is taken."""
    while table.hand.phase is not Phase.DISCARDING:
        seat = next(iter(table.decisions))
        kind = ActionKind.CHECK if table.options(seat).check else ActionKind.CALL
        table.propose(Proposal(seat, kind), "r", moments.now)
    table.take_fresh()


def to_the_option(table, moments):
    """Everybody calls until the big blind is asked, who owes nothing; returns the seat."""
    while table.game.positions.big_blind not in table.decisions:
        table.propose(Proposal(next(iter(table.decisions)), ActionKind.CALL), "r", moments.now)
    return table.game.positions.big_blind


def applied(table):
    return [
        (one.fault_applied.seat, one.fault_applied.faults, one.fault_applied.policy)
        for one in table.take_fresh()
        if isinstance(one, record_pb2.StoredEvent) and one.HasField("fault_applied")
    ]


@rule("TIME-4")
def test_after_too_many_refused_decisions_the_seat_sits_out():
    table, moments = with_faults(FaultPolicy.SIT_OUT)
    seat = err(table, moments, 2)
    assert applied(table) == []
    assert err(table, moments) == seat
    assert applied(table) == [(seat, 3, table_pb2.FAULT_POLICY_SIT_OUT)]
    assert seat in table.decisions, "the decision is still his"
    err(table, moments)
    assert applied(table) == [], "he sits out already"
    fold_hand(table, moments)
    assert seat not in table.hand.setup.seats
    table.sit_in(seat, posts=False, now_ms=moments.now)
    assert table.seats[seat].faults == 4, "faults are counted over the match"
    assert not table.seats[seat].sitting_out


@rule("TIME-4", "TIME-2")
def test_late_decisions_are_faults_and_counted_with_refused_ones_over_hands():
    table, moments = with_faults(FaultPolicy.SIT_OUT, max_faults=2)
    seat = err(table, moments)
    (late,) = run_out(table, moments)
    assert late == seat
    assert applied(table) == [(seat, 2, table_pb2.FAULT_POLICY_SIT_OUT)]
    other = err(table, moments)
    while table.hand_number == 1:
        fold_hand(table, moments)
    assert table.seats[other].faults == 1
    assert applied(table) == []
    while other not in table.decisions:
        run = next(iter(table.decisions))
        table.propose(Proposal(run, ActionKind.CALL), "r", moments.now)
    run_out(table, moments)
    assert applied(table) == [(other, 2, table_pb2.FAULT_POLICY_SIT_OUT)]


@rule("TIME-4")
def test_a_forfeited_match_is_left_and_the_hand_answered_for():
    table, moments = with_faults(FaultPolicy.FORFEIT_MATCH, max_faults=1)
    seat = err(table, moments)
    assert table.seats[seat].leaving
    assert seat not in table.decisions
    assert not table.hand.live[table.hand.index_of(seat)], "something was owed: folded as if out of time"
    fold_hand(table, moments)
    assert seat not in table.seats


@rule("TIME-4")
def test_an_answer_that_comes_after_the_seat_is_lost_is_not_taken():
    table, moments = with_faults(FaultPolicy.FORFEIT_MATCH, max_faults=1, players=3)
    while len(table.decisions) == 1 and table.hand.live_count > 2:
        table.propose(Proposal(next(iter(table.decisions)), ActionKind.FOLD), "r", moments.now)
    (seat,) = table.decisions
    table.start_clock(seat, table.decisions[seat].decision_id, moments.now)
    with pytest.raises(TableError, match="left"):
        table.propose(Proposal(seat, ActionKind.CALL), "late", moments.now + 10_000)
    assert seat not in table.seats
    assert table.hand_number == 2


@rule("TIME-4")
def test_two_players_of_whom_one_forfeits_have_ended_their_match():
    table, moments = with_faults(FaultPolicy.FORFEIT_MATCH, max_faults=1, players=2)
    err(table, moments)
    assert table.end_reason == table_pb2.END_REASON_TOO_FEW_PLAYERS


@rule("TIME-4")
def test_nothing_happens_where_that_is_the_policy_but_faults_are_counted():
    table, moments = with_faults(FaultPolicy.NOTHING, max_faults=1)
    seat = err(table, moments, 5)
    assert applied(table) == []
    assert table.seats[seat].faults == 5
    table, moments = playing(clock=ClockRules(1_000))
    assert table.seats[err(table, moments)].faults == 0, "without rules for faults nothing is counted"


@rule("TIME-4")
def test_what_a_seat_proposes_without_a_decision_is_no_fault_of_a_decision():
    table, moments = with_faults(FaultPolicy.FORFEIT_MATCH, max_faults=1)
    waiting = next(seat for seat in table.seats if seat not in table.decisions)
    assert not table.propose(Proposal(waiting, ActionKind.CALL), "early", moments.now).accepted
    assert table.seats[waiting].faults == 0
    assert applied(table) == []


@rule("TIME-4", "BET-9")
def test_an_answer_to_an_earlier_decision_is_no_fault_of_the_open_one():
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=1)
    seat = next(iter(table.decisions))
    late = Proposal(seat, ActionKind.CALL, hand_id="t1-0", decision_id=1)
    assert not table.propose(late, "another hand", moments.now).accepted
    stale = Proposal(seat, ActionKind.CALL, hand_id="t1-1", decision_id=2)
    assert not table.propose(stale, "another decision", moments.now).accepted
    assert (table.seats[seat].faults, seat in table.decisions) == (0, True)


@rule("TIME-4")
def test_of_one_decision_no_more_refusals_count_than_are_kept():
    table, moments = with_faults(FaultPolicy.NOTHING, max_faults=1)
    assert table.seats[err(table, moments, 100)].faults == KEPT_REFUSALS


@rule("TIME-4", "DISC-3")
def test_in_a_hidden_discard_round_nobody_learns_of_faults_before_it_is_over():
    rule_set = rules("irish/full-tilt@1", hide_discard_progress=True)
    table, moments = with_faults(FaultPolicy.FORFEIT_MATCH, max_faults=1, players=3, rule_set=rule_set)
    to_the_discards(table, moments)
    first, *others = sorted(table.decisions)
    assert not table.propose(Proposal(first, ActionKind.FOLD), "wrong", moments.now).accepted
    assert applied(table) == []
    for seat in (first, *others):
        held = table.options(seat).held
        assert table.propose(Proposal(seat, ActionKind.DISCARD, cards=held[:2]), "d", moments.now).accepted
    assert applied(table) == [(first, 1, table_pb2.FAULT_POLICY_FORFEIT_MATCH)]


def forfeits(happened):
    """The seats whose hands were forfeited, by the stored rulings."""
    rulings = [one for one in happened if isinstance(one, Ruled) and one.accepted and not one.request_id]
    return [one.seat for one in rulings if hand_pb2.Proposal.FromString(one.proposal).action.HasField("forfeit")]


@rule("TIME-4")
def test_a_refused_decision_too_many_folds_the_hand_at_once_and_the_next_hand_is_played():
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=2)
    seat = err(table, moments)
    assert seat in table.decisions
    assert err(table, moments) == seat
    assert seat not in table.decisions
    player = table.hand.index_of(seat)
    assert not table.hand.live[player]
    happened = table.take_fresh()
    assert forfeits(happened) == [seat]
    folded = [one for one in happened if isinstance(one, Event) and one.kind is EventKind.FOLDED]
    assert [(one.seat, one.rule, one.automatic) for one in folded] == [(seat, "TIME-4", True)]
    table.fresh = happened
    assert applied(table) == [(seat, 2, table_pb2.FAULT_POLICY_FORFEIT_HAND)]
    fold_hand(table, moments)
    assert table.hand_number == 2
    assert seat in table.hand.setup.seats, "only that hand was forfeited"
    while seat not in table.decisions:
        table.propose(Proposal(next(iter(table.decisions)), ActionKind.CALL), f"r{moments.now}", moments.now)
        moments.now += 1
    table.take_fresh()
    err(table, moments)
    assert applied(table) == [(seat, 3, table_pb2.FAULT_POLICY_FORFEIT_HAND)], "each further fault does it again"
    assert table.seats[seat].faults == 3


@rule("TIME-4", "TIME-2")
def test_a_late_decision_too_many_folds_where_it_would_have_been_a_check():
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=2, players=3)
    big_blind = to_the_option(table, moments)
    err(table, moments)
    table.take_fresh()
    assert run_out(table, moments) == [big_blind]
    happened = table.take_fresh()
    assert forfeits(happened) == [big_blind]
    assert not table.hand.live[table.hand.index_of(big_blind)]
    table.fresh = happened
    assert applied(table) == [(big_blind, 2, table_pb2.FAULT_POLICY_FORFEIT_HAND)]
    assert table.seats[big_blind].faults == 2, "the late decision is one fault"
    (seat,) = run_out(table, moments)
    assert table.hand.live[table.hand.index_of(seat)], "another seat's first fault is an ordinary check"


@rule("TIME-4", "DISC-8")
def test_a_discard_forfeited_by_a_refusal_or_by_the_clock_takes_the_cards_dealt_last():
    rule_set = rules("irish/full-tilt@1", discard_timeout=DiscardTimeout.FOLD)
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=1, players=3, rule_set=rule_set)
    to_the_discards(table, moments)
    first, second, third = sorted(table.decisions)
    assert not table.propose(Proposal(first, ActionKind.FOLD), "wrong", moments.now).accepted
    assert table.hand.discarded[table.hand.index_of(first)] == table.hand.hole[table.hand.index_of(first)][-2:]
    assert applied(table) == [(first, 1, table_pb2.FAULT_POLICY_FORFEIT_HAND)]
    assert sorted(table.decisions) == [second, third]
    run_out(table, moments)
    assert table.hand.live == [True] * 3, "not folded: TIME-4 discards, and stands before DISC-8"
    assert table.hand.street == 2
    assert applied(table) == [(seat, 1, table_pb2.FAULT_POLICY_FORFEIT_HAND) for seat in (second, third)]


@rule("TIME-4", "DISC-3")
def test_in_a_hidden_discard_round_a_hand_is_forfeited_at_once_and_told_of_when_all_are_done():
    rule_set = rules("irish/full-tilt@1", hide_discard_progress=True)
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=1, players=3, rule_set=rule_set)
    to_the_discards(table, moments)
    first, *others = sorted(table.decisions)
    assert not table.propose(Proposal(first, ActionKind.FOLD), "wrong", moments.now).accepted
    assert first not in table.decisions
    happened = table.take_fresh()
    assert forfeits(happened) == [first]
    told = [seen(one, content_bytes(one), viewer, table.config) for one in happened for viewer in (PUBLIC, others[0])]
    assert told == [None] * len(told), "nobody else is told anything"
    for seat in others:
        held = table.options(seat).held
        assert table.propose(Proposal(seat, ActionKind.DISCARD, cards=held[:2]), "d", moments.now).accepted
    assert applied(table) == [(first, 1, table_pb2.FAULT_POLICY_FORFEIT_HAND)]
    assert table.seats[first].faults == 1
    assert table.hand.live == [True] * 3
    assert table.hand.street == 2


@rule("TIME-4", "BET-7")
def test_of_two_players_the_other_wins_the_hand_and_the_match_goes_on():
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=1, players=2)
    table.take_fresh()
    seat = err(table, moments)
    happened = table.take_fresh()
    assert [one.kind for one in happened if isinstance(one, Event)][:5] == [
        EventKind.FOLDED,
        EventKind.BET_RETURNED,
        EventKind.ROUND_CLOSED,
        EventKind.POT_AWARDED,
        EventKind.HAND_ENDED,
    ]
    table.fresh = happened
    assert applied(table) == [(seat, 1, table_pb2.FAULT_POLICY_FORFEIT_HAND)]
    assert (table.hand_number, table.has_ended) == (2, False)


@rule("TIME-4")
def test_who_has_left_is_answered_for_as_if_out_of_time_whatever_his_faults():
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=1, players=3)
    table.leave_seat(to_the_option(table, moments), moments.now)
    assert forfeits(table.take_fresh()) == []
    assert table.hand.live == [True] * 3, "the big blind's option was a check"


@rule("TIME-4")
def test_a_table_that_stops_with_a_fault_due_forfeits_the_hand_when_it_goes_on():
    table, moments = with_faults(FaultPolicy.FORFEIT_HAND, max_faults=1)
    stored = [opened_event("t1", table.config), *table.take_fresh()]
    seat = err(table, moments)
    refusal = table.take_fresh()[0]
    again = restored("t1", [*stored, refusal])
    assert again.seats[seat].fault_is_due
    again.resume(moments.now)
    assert forfeits(again.take_fresh()) == [seat]
    assert again.seats[seat].faults == 1
    assert not again.hand.live[again.hand.index_of(seat)]


def test_rules_for_faults_come_back_from_their_message():
    told = config(3, faults=FaultRules(7, FaultPolicy.SIT_OUT), top_up_to=900)
    assert config_of(config_message(told, with_seed=True), b"") == told


# --- whatever happens ------------------------------------------------------------------------------------


def change_something(table, moments, rng):
    seat = rng.randrange(1, table.config.seats + 1)
    if seat not in table.seats:
        token = rng.randbytes(32)
        table.take_seat(seat, f"guest {moments.now}", token, False, moments.now, posts=rng.random() < 0.5)
    else:
        what = rng.choice(["out", "in", "in", "in", "leave", "top up"])
        if what == "out":
            table.sit_out(seat)
        elif what == "in":
            table.sit_in(seat, rng.random() < 0.5, moments.now)
        elif what == "leave":
            table.leave_seat(seat, moments.now)
        elif not table.seats[seat].leaving:
            table.top_up(seat, rng.randrange(0, 400), moments.now)


@rule("SEAT-2", "SEAT-3", "SEAT-5", "TIME-4", "POT-7")
@pytest.mark.parametrize("seed", range(scale(25, 1_000)))
def test_tables_where_anything_happens_between_hands_are_the_fold_of_what_is_stored(seed):
    rng, moments = random.Random(seed), FakeMoments()
    rule_set = random_rule_set(rng)
    table = seated(
        min(rng.randrange(2, 8), rule_set.max_seats()),
        rule_set=rule_set,
        limit=rng.choice(rule_set.limits),
        stack=200,
        clock=ClockRules(2_000, 500, 100),
        top_up_to=400,
        faults=FaultRules(rng.randrange(1, 6), rng.choice(list(FaultPolicy))),
        reset_stacks=False,
    )
    stored = [opened_event("t1", table.config)]
    started(table, moments)
    chips, before = 0, 0
    for step in range(300):
        if table.has_ended:
            break
        moments.now += rng.randrange(0, 2_000)
        if rng.random() < 0.1 or not table.decisions:
            change_something(table, moments, rng)
        elif rng.random() < 0.1:
            err(table, moments)
        elif rng.random() < 0.1:
            run_out(table, moments)
        else:
            table.propose(decide(table, rng.choice(sorted(table.decisions)), rng), f"r{step}", moments.now)
        if table.hand_number != before and table.hand_is_on:
            before, chips = table.hand_number, sum(table.hand.setup.stacks)
        if table.hand is not None and table.hand.has_ended() and table.hand_number == before:
            assert sum(table.hand.stack) + table.hand.rake == chips
        stored += happenings(b"".join([stored_bytes(event_bytes_of(one)) for one in table.take_fresh()]))
        if step % 20 == 0:
            assert standing(restored("t1", stored)) == standing(table)
    assert standing(restored("t1", stored)) == standing(table)
