"""Tables that go on from others: stacks, positions of the hand before, and what the audit makes of both."""

import random

import pytest

from referee.audit.redaction import redacted
from referee.audit.report import Verdict
from referee.audit.verify import verify_bundle
from referee.rules.ruleset import ButtonRule, RuleSetError, Stakes
from referee.table.config import config_message
from referee.table.games import config_of
from referee.table.positions import Positions, first_positions, next_positions
from referee.table.seats import TableError
from referee.table.start import TableStart, start_message
from referee.v1 import record_pb2
from tests.audit.records import TRUST, RecordedTable, amended, file_of, logged, resealed
from tests.table.tables import config

rule = pytest.mark.rule
STACKS = (300, 0, 200, 500)
BEFORE = Positions(1, 2, 3, (2, 3, 4, 1))


class Started(RecordedTable):
    """A recorded table whose seats without chips are left empty."""

    def take(self, seat, show_when_beaten=False):
        if self.config.first_stack(seat):
            super().take(seat, show_when_beaten)


def started(start, rule_set="irish/tda@1", hands=3):
    """A table of four seats that goes on from a start, its first hand begun."""
    options = {"start": start, "players_to_start": len(start.seats)}
    table = Started(players=4, rule_set=rule_set, hands=hands, options=options, revealing={1: True}, signing_seats=())
    table.start()
    return table


@rule("SEAT-1")
def test_the_first_hand_goes_on_from_the_hand_before():
    table = started(TableStart(STACKS, BEFORE)).table
    assert table.game.positions == next_positions(ButtonRule.DEAD, BEFORE, (1, 3, 4))
    assert table.game.positions.button == 2, "the button is dead: its seat is empty"
    assert {seat: one.stack for seat, one in table.seats.items()} == {1: 300, 3: 200, 4: 500}


@rule("SEAT-6")
@pytest.mark.parametrize("button", [1, 3, 4])
def test_the_first_button_is_given_where_nobody_played_before(button):
    assert started(TableStart(STACKS, None, button)).table.game.positions == first_positions(button, (1, 3, 4))
    strangers = Positions(2, 2, 5, (5, 2))
    start = TableStart((*STACKS, 0), strangers, button)
    table = Started(players=5, rule_set="irish/tda@1", options={"start": start, "players_to_start": 3}, revealing={})
    table.start()
    assert table.table.game.positions == first_positions(button, (1, 3, 4))


@pytest.mark.parametrize("start", [TableStart(STACKS, BEFORE), TableStart(STACKS, None, 4), TableStart(STACKS)])
@pytest.mark.parametrize("rule_set", ["irish/tda@1", "irish/full-tilt@1"])
def test_its_record_is_valid_and_chips_are_conserved(start, rule_set):
    table = started(start, rule_set, hands=4)
    table.play_on(random.Random(7))
    assert table.table.has_ended
    assert sum(one.stack for one in table.table.seats.values()) == 1000
    whole = logged(table.sealed())
    public = redacted(whole, record_pb2.BUNDLE_VIEW_PUBLIC)
    for bundle in (whole, public, redacted(whole, record_pb2.BUNDLE_VIEW_SEAT, 3)):
        report = verify_bundle(file_of(bundle), TRUST)
        assert report.verdict == Verdict.VALID, (report.divergence, report.missing)


@pytest.mark.parametrize(
    ("told", "check"),
    [
        (TableStart((300, 0, 300, 400), None, 3), "seats"),
        (TableStart(STACKS, None, 4), "positions"),
        (TableStart(STACKS, BEFORE), "positions"),
    ],
)
def test_a_record_that_begins_otherwise_than_it_tells_is_found(told, check):
    table = started(TableStart(STACKS, None, 3))
    table.play_on(random.Random(1))

    def change(message):
        message.opened.config.start.CopyFrom(start_message(told))
        message.opened.opened.config.start.CopyFrom(start_message(told))

    def lie(pieces):
        pieces[0][0] = amended(pieces[0][0], table.config, change)

    report = verify_bundle(file_of(logged(resealed(table.sealed(), lie))), TRUST)
    assert report.verdict == Verdict.INVALID
    assert check in [one.name for one in report.checks if one.outcome == 2], report.divergence


def test_seats_without_chips_are_not_taken_and_nobody_comes_later():
    start = TableStart(STACKS, BEFORE)
    table = Started(players=4, rule_set="irish/tda@1", options={"start": start, "players_to_start": 3}, revealing={})
    with pytest.raises(TableError, match="seat 2 is not free"):
        table.table.take_seat(2, "without chips", bytes(32), False, 0)
    table.start()
    table.leave(1)
    with pytest.raises(TableError, match="before the first hand"):
        table.table.take_seat(0, "late", bytes(32), False, 0)


def test_the_message_keeps_it():
    for start in (TableStart(STACKS, BEFORE), TableStart(STACKS, None, 3)):
        one = config(players=4, rule_set="irish/tda@1", start=start, players_to_start=3)
        assert config_of(config_message(one, True), b"") == one


@pytest.mark.parametrize(
    ("start", "rule_id", "options"),
    [
        (TableStart((300, 0, 0, 0)), "GAME-4", {}),
        (TableStart((300,) * 5), "GAME-4", {}),
        (TableStart(STACKS), "GAME-4", {"players_to_start": 4}),
        (TableStart((300, -1, 100)), "POT-7", {}),
        (TableStart((1 << 53, 1 << 53)), "POT-7", {}),
        (TableStart(STACKS), "POT-7", {"reset_stacks": True}),
        (TableStart((300, 305, 100)), "BET-8", {"stakes": Stakes(10, 20, chip_unit=10)}),
        (TableStart(STACKS, None, 2), "SEAT-6", {}),
        (TableStart(STACKS, None, 9), "SEAT-6", {}),
        (TableStart(STACKS, Positions(1, 2, 5, (2, 5, 1))), "SEAT-1", {}),
        (TableStart(STACKS, Positions(0, 2, 3, (2, 3, 1))), "SEAT-1", {}),
        (TableStart(STACKS, Positions(1, 2, 3, (2, 1))), "SEAT-1", {}),
        (TableStart(STACKS, Positions(1, 2, 3, (2, 2, 3))), "SEAT-1", {}),
        (TableStart(STACKS, Positions(1, 2, 3, ())), "SEAT-1", {}),
        (TableStart(STACKS, Positions(1, 2, 3, (3, 1))), "SEAT-1", {}),
        (TableStart(STACKS, Positions(1, 3, 3, (2, 3, 1))), "SEAT-1", {}),
    ],
)
def test_starts_from_which_no_table_can_go_on_are_refused(start, rule_id, options):
    one = config(players=4, rule_set="irish/tda@1", start=start, **({"players_to_start": 2} | options))
    with pytest.raises(RuleSetError) as refused:
        config_of(config_message(one, True), b"")
    assert refused.value.rule == rule_id
