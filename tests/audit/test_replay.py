"""Stepping through hands: every event and refusal with its rule, as the table stood then, in every view."""

import pytest

from referee.audit.redaction import redacted
from referee.audit.replay import ReplayError, steps_of, tables_of
from referee.v1 import record_pb2
from tests.audit.records import logged, random_table, side_pots_table


@pytest.fixture(scope="module")
def bundle():
    return logged(side_pots_table().sealed())


def test_every_step_has_its_rule_and_the_table_as_it_stood(bundle):
    assert tables_of(bundle) == {"t1": [1, 2, 3]}
    steps = steps_of(bundle, "t1", 2)
    assert steps[0].text.startswith("t1-2 begins: button at seat ")
    assert [step.number for step in steps] == sorted({step.number for step in steps})
    assert all([step.rule and step.text for step in steps])
    refused = [step for step in steps if step.refused]
    assert len(refused) == 2
    for step in refused:
        assert "refused by" in step.text
        before = steps[steps.index(step) - 1]
        assert step.table == before.table, "a refusal changes nothing"
    assert steps[-1].table[0].startswith("the hand is over: ")
    side_pots = [
        step for step in steps if any([line.startswith("pots: ") and line.count(",") == 2 for line in step.table])
    ]
    assert side_pots
    assert any(["all-in" in line for line in side_pots[0].table])


def test_views_are_told_what_they_may_see(bundle):
    auditor = steps_of(bundle, "t1", 2)
    public = steps_of(redacted(bundle, record_pb2.BUNDLE_VIEW_PUBLIC), "t1", 2)
    seat = steps_of(redacted(bundle, record_pb2.BUNDLE_VIEW_SEAT, 2), "t1", 2)
    assert not [step for step in public if step.refused]
    assert len(public) <= len(seat) <= len(auditor)
    dealt = [[step.text for step in steps if "is dealt" in step.text] for steps in (auditor, seat, public)]
    assert ["??" in text for text in dealt[0]] == [False] * 4
    assert [text for text in dealt[1] if "??" not in text] == [text for text in dealt[0] if text.startswith("player 2")]
    assert ["??" in text for text in dealt[2]] == [True] * 4
    shown = [step.text.split(" shows ")[1] for step in public if " shows " in step.text]
    assert shown
    assert all([any([cards in line for line in public[-1].table]) for cards in shown])
    # What the table held at the end is the same for everybody.
    chips = [[line.split(",")[0] for line in steps[-1].table[1:]] for steps in (auditor, seat, public)]
    assert chips[0] == chips[1] == chips[2]


def test_hands_of_random_tables_can_be_stepped_through_in_every_view():
    for seed in range(12):
        whole = logged(random_table(seed, comings=True, options={"between_hands_ms": 500}).sealed())
        for told in (whole, redacted(whole, record_pb2.BUNDLE_VIEW_PUBLIC)):
            for hand in tables_of(told)["t1"]:
                steps = steps_of(told, "t1", hand)
                assert "the hand is over" in steps[-1].table[0]


def test_what_is_not_there_is_said(bundle):
    with pytest.raises(ReplayError, match="hand 9 of table t1 is not in the bundle"):
        steps_of(bundle, "t1", 9)
    with pytest.raises(ReplayError, match="the opening of table t7"):
        steps_of(bundle, "t7", 1)
    without = record_pb2.Bundle()
    without.CopyFrom(bundle)
    without.pieces[0].seal = b"\xff"
    with pytest.raises(ReplayError, match="no Seal message"):
        tables_of(without)
