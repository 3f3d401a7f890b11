"""Seats that sit out, post, top up and make faults: their records are valid, and lies about them are found."""

import random
from dataclasses import replace

import pytest

from referee.audit.redaction import redacted
from referee.audit.replay import steps_of
from referee.audit.report import Outcome, Verdict
from referee.audit.verify import verify_bundle
from referee.rules.ruleset import RuleSet, find_rule_set
from referee.rules.rulings import ActionKind
from referee.table.faults import FaultPolicy, FaultRules
from referee.table.seats import TableError
from referee.v1 import record_pb2, table_pb2
from tests.audit.records import (
    TRUST,
    RecordedTable,
    amended,
    file_of,
    logged,
    resealed,
    seed_of,
    stored_event_of,
)
from tests.support import scale

rule = pytest.mark.rule
AUDITOR, SEAT, PUBLIC = record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_SEAT, record_pb2.BUNDLE_VIEW_PUBLIC


class BusyTable(RecordedTable):
    """A recorded table at which seats change between and in hands."""

    def come_or_go(self, rng):
        table, seat = self.table, rng.randrange(1, self.players + 1)
        what = rng.choice(["out", "in", "in", "in", "in", "in", "top up", "top up", "go"])
        if seat not in table.seats:
            guest = f"guest {self.now}"
            table.take_seat(seat, guest, seed_of(guest), rng.random() < 0.5, self.now, posts=rng.random() < 0.5)
        elif what == "out":
            table.sit_out(seat)
        elif what == "in":
            table.sit_in(seat, rng.random() < 0.6, self.now)
        elif what == "top up" and not table.seats[seat].leaving:
            table.top_up(seat, rng.randrange(200, 400), self.now)
        elif what == "go":
            table.leave_seat(seat, self.now)
        self.drain()

    def propose(self, seat, *words, **options):
        try:
            super().propose(seat, *words, **options)
        except TableError:  # its time was over, and that was one fault too many
            self.drain()

    def play_quietly(self, rng):
        """Plays the hand under way in small bets, with faults, so that chips last."""
        table = self.table
        while table.hand_is_on:
            seat = rng.choice(list(table.decisions))
            options, dice = table.options(seat), rng.random()
            if dice < 0.08:
                self.come_or_go(rng)
            elif dice < 0.15:
                self.propose(seat, ActionKind.RAISE, 10**9)
            elif dice < 0.2:
                self.pass_time(20_000)
            elif options.discard:
                self.propose(seat, ActionKind.DISCARD, 0, options.held[: options.discard])
            elif options.max_to and dice < 0.25:
                self.propose(seat, options.wager, options.min_to)
            elif options.fold and dice < 0.6:
                self.propose(seat, ActionKind.FOLD)
            else:
                self.propose(seat, ActionKind.CHECK if options.check else ActionKind.CALL)


def busy_table(seed, policy=FaultPolicy.SIT_OUT, max_faults=3, **options):
    """A table of many changes, played at random to its end."""
    rng = random.Random(seed)
    faults = FaultRules(max_faults, policy)
    recorded = BusyTable(players=8, stack=300, options={"top_up_to": 400, "faults": faults}, **options)
    recorded.start()
    for _ in range(2_000):
        if recorded.table.has_ended:
            return recorded
        if not recorded.table.hand_is_on:  # it waits for somebody
            recorded.come_or_go(rng)
        recorded.play_quietly(rng)
        recorded.pass_time(1)
    recorded.close()
    return recorded


def report_of(bundle):
    return verify_bundle(file_of(bundle), TRUST)


@rule("SEAT-2", "SEAT-3", "SEAT-5", "TIME-4")
@pytest.mark.parametrize("policy", list(FaultPolicy))
def test_tables_of_many_changes_are_valid_in_every_view(policy):
    kinds = set()
    for seed in range(scale(5, 150)):
        rule_set = random.Random(seed).choice(["irish/full-tilt@1", "holdem/tda@1", "irish/tda@1", hidden()])
        table = busy_table(seed, policy, hands=25, rule_set=rule_set)
        whole = logged(table.sealed())
        for view, seat in ((AUDITOR, 0), (PUBLIC, 0)):
            report = report_of(redacted(whole, view, seat))
            assert report.verdict == Verdict.VALID, (seed, view, report.divergence)
        kinds |= {stored_event_of(entry).WhichOneof("event") for piece in table.pieces for entry in piece}
        posts = [
            stored_event_of(entry).hand_began.posts
            for piece in table.pieces
            for entry in piece
            if stored_event_of(entry).HasField("hand_began")
        ]
        kinds |= {"posts"} if any(posts) else set()
    wanted = {"seat_sits_out", "seat_sits_in", "seat_tops_up", "posts"}
    assert wanted | (set() if policy is FaultPolicy.NOTHING else {"fault_applied"}) <= kinds


def hidden() -> RuleSet:
    return replace(find_rule_set("irish/full-tilt@1"), name="test/hidden", hide_discard_progress=True)


@pytest.fixture(scope="module")
def table():
    return busy_table(3, hands=25)


@pytest.fixture(scope="module")
def sealed(table):
    return table.sealed()


def found_after(table, sealed, wants, change, nth=0):
    """What an audit finds after a lying operator changed the nth entry that is wanted, and sealed all anew."""

    def lie(pieces):
        wanted = [(piece, at) for piece in pieces for at, entry in enumerate(piece) if wants(stored_event_of(entry))]
        change(*wanted[nth])

    return report_of(logged(resealed(sealed, lie)))


def amends(table, edit):
    def change(piece, at):
        piece[at] = amended(piece[at], table.config, edit)

    return change


def removes(piece, at):
    del piece[at]


def is_kind(kind):
    return lambda event: event.WhichOneof("event") == kind


def begins_with_posts(event):
    return bool(event.hand_began.posts)


def begins_with(flag):
    return lambda event: any(getattr(one.standing, flag) for one in event.hand_began.seats)


def edit_posts(event):
    event.hand_began.posts[0].dead = 0 if event.hand_began.posts[0].dead else 5


def drop_posts(event):
    del event.hand_began.posts[:]


def forgive(flag):
    def edit(event):
        for one in event.hand_began.seats:
            one.standing.ClearField(flag)

    return edit


@rule("SEAT-3", "SEAT-5")
@pytest.mark.parametrize(
    ("wants", "edit", "cited"),
    [
        (begins_with_posts, edit_posts, "SEAT-3"),
        (begins_with_posts, drop_posts, "SEAT-3"),
        (begins_with("owes_big_blind"), forgive("owes_big_blind"), "SEAT-3"),
        (begins_with("owes_small_blind"), forgive("owes_small_blind"), "SEAT-3"),
        (begins_with("sitting_out"), forgive("sitting_out"), "SEAT-5"),
        (begins_with("faults"), forgive("faults"), "TIME-4"),
    ],
)
def test_lies_about_who_owes_what_are_found_with_the_rule(table, sealed, wants, edit, cited):
    report = found_after(table, sealed, wants, amends(table, edit))
    assert report.verdict == Verdict.INVALID
    assert report.divergence.rule == cited


@rule("SEAT-5", "TIME-4")
@pytest.mark.parametrize("kind", ["seat_sits_out", "seat_sits_in", "seat_tops_up", "fault_applied"])
def test_what_is_left_out_of_the_record_of_seats_is_found(table, sealed, kind):
    # What a later entry takes back before the next hand leaves no trace; the others do.
    count = sum(is_kind(kind)(stored_event_of(entry)) for piece in table.pieces for entry in piece)
    verdicts = [found_after(table, sealed, is_kind(kind), removes, nth).verdict for nth in range(count)]
    assert verdicts.count(Verdict.INVALID) * 2 >= count > 1


@rule("TIME-4")
def test_a_seat_that_is_punished_for_faults_it_did_not_make_is_found(table, sealed):
    def more(event):
        event.fault_applied.faults += 1

    report = found_after(table, sealed, is_kind("fault_applied"), amends(table, more))
    assert report.divergence.rule == "TIME-4"

    def harder(event):
        event.fault_applied.policy = table_pb2.FAULT_POLICY_FORFEIT_MATCH

    report = found_after(table, sealed, is_kind("fault_applied"), amends(table, harder))
    assert report.divergence.rule == "TIME-4"


@rule("TIME-4")
def test_faults_that_lead_to_nothing_are_found_where_they_should_have_led_to_something(table, sealed):
    report = found_after(table, sealed, is_kind("fault_applied"), removes)
    assert report.divergence.rule == "TIME-4"
    assert "nothing is done" in report.divergence.message


def test_more_chips_than_a_stack_may_be_topped_up_to_are_found(table, sealed):
    def more(event):
        event.seat_tops_up.to = 10_000

    report = found_after(table, sealed, is_kind("seat_tops_up"), amends(table, more))
    assert report.divergence.rule == "POT-7"
    assert report.check("seats").outcome == Outcome.FAIL


def test_a_public_view_finds_a_post_that_is_not_owed(table, sealed):
    def lie(pieces):
        wanted = [
            (piece, at)
            for piece in pieces
            for at, entry in enumerate(piece)
            if begins_with_posts(stored_event_of(entry))
        ]
        amends(table, edit_posts)(*wanted[0])

    report = report_of(redacted(logged(resealed(sealed, lie)), PUBLIC, 0))
    assert report.divergence.rule == "SEAT-3"


def test_a_hand_with_posts_is_replayed_step_by_step(table, sealed):
    bundle = logged(sealed)
    hand = next(
        stored_event_of(entry).hand_began.hand
        for piece in table.pieces
        for entry in piece
        if begins_with_posts(stored_event_of(entry))
    )
    texts = [step.text for step in steps_of(bundle, table.table_id, hand)]
    assert any("posts" in text for text in texts)
