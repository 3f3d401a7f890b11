"""Bundles that are right are found valid, and the report says how much was compared and what could not be."""

import asyncio
import random

import pytest

from referee.audit.messages import report_message
from referee.audit.redaction import RedactionError, redacted
from referee.audit.report import CHECKS, Outcome, Verdict
from referee.audit.trust import Trust, trust_in
from referee.audit.verify import verify, verify_bundle
from referee.rules.ruleset import DiscardTimeout, RuleSetError
from referee.rules.rulings import ActionKind
from referee.rules.state import Phase
from referee.store.sqlite import SqliteStore
from referee.table.clocks import ClockRules
from referee.table.hub import Hub
from referee.v1 import audit_pb2, record_pb2, table_pb2
from tests.audit.records import (
    CLOCK,
    LOG,
    LOG_KEY,
    OTHER_KEY,
    STRANGER,
    TRUST,
    WITNESS,
    RecordedTable,
    bundle_from_store,
    file_of,
    logged,
    random_table,
    side_pots_table,
)
from tests.support import random_rule_set, random_stakes, rules, scale
from tests.table.hubs import FakeTime, play_on, sit_down

AUDITOR, SEAT, PUBLIC = record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_SEAT, record_pb2.BUNDLE_VIEW_PUBLIC
VIEWS = ((AUDITOR, 0), (SEAT, 1), (SEAT, 2), (SEAT, 3), (PUBLIC, 0))


@pytest.fixture(scope="module")
def bundle():
    return logged(side_pots_table().sealed())


def assert_valid(bundle, **options):
    report = verify_bundle(file_of(bundle), TRUST, **options)
    assert report.verdict == Verdict.VALID, (report.divergence, report.missing)
    return report


def counts(report):
    return {check.name: check.compared for check in report.checks}


def test_every_check_of_an_auditors_bundle_passes_and_says_how_much_it_compared(bundle):
    report = assert_valid(bundle, quorum=1)
    assert [check.name for check in report.checks] == list(CHECKS)
    assert {check.outcome for check in report.checks} == {Outcome.PASS}
    compared = counts(report)
    entries = sum([len(piece.entries) for piece in bundle.pieces])
    assert compared["entries"] == compared["chain"] == compared["open_parts"] == entries
    assert compared["inclusion"] == len(bundle.pieces) == 5
    assert report.hands == compared["conservation"] == compared["deck_roots"] == 3
    assert report.rulings == compared["rulings"] + compared["refusals"]
    assert min(compared.values()) > 0
    assert report.divergence is None


def test_the_recorded_hand_is_as_hard_as_it_is_meant_to_be():
    events = [
        table_pb2.SeenEvent.FromString(entry.open).hand_event
        for piece in side_pots_table().pieces
        for entry in piece
        if entry.hand == 2
    ]
    assert max([event.pot for event in events]) == 2
    assert sum([event.all_in for event in events]) == 4
    assert {event.rule for event in events} >= {"DISC-2", "DISC-8", "POT-5", "SHOW-2"}


@pytest.mark.parametrize(("view", "seat"), VIEWS[1:])
def test_a_redacted_bundle_is_valid_and_says_what_it_hides(bundle, view, seat):
    report = assert_valid(redacted(bundle, view, seat), quorum=1)
    compared = counts(report)
    assert compared["chain"] == counts(verify(bundle, TRUST))["chain"]
    # What everybody saw is followed by the rules all the same.
    assert compared["events"] == counts(verify(bundle, TRUST))["events"]
    assert report.check("open_parts").message.endswith("not checkable: the whole is hidden from this view")
    if view == PUBLIC:
        for name in ("rulings", "refusals", "timeouts", "clocks"):
            assert report.check(name).outcome == Outcome.NOT_CHECKABLE
            assert report.check(name).message == "hidden from this view"
        assert report.rulings == 0
    else:
        assert report.rulings > 0
        assert compared["rulings"] > 0


@pytest.mark.parametrize("rule_set", ["irish/full-tilt@1", "irish/tda@1", "irish/french-limit@1", "holdem/tda@1"])
def test_tables_of_published_rule_sets_are_valid_in_every_view(rule_set):
    from referee.rules.ruleset import find_rule_set

    for seed in range(scale(4, 100)):
        limit = random.Random(seed).choice(find_rule_set(rule_set).limits)
        table = random_table(seed, rule_set=rule_set, limit=limit, hands=4)
        whole = logged(table.sealed())
        for view, seat in VIEWS:
            assert_valid(redacted(whole, view, seat))


def random_options(seed):
    """Any rule set and stakes, with and without clocks, pauses between hands and stacks that start anew."""
    rng = random.Random(seed)
    rule_set = random_rule_set(rng)
    limit = rng.choice(rule_set.limits)
    stakes = random_stakes(rng, rule_set, limit)
    options = {
        "stakes": stakes,
        "reset_stacks": rng.random() < 0.3,
        "between_hands_ms": rng.choice((0, 1000)),
    }
    return {
        "rule_set": rule_set,
        "limit": limit,
        "players": rng.randint(2, min(6, rule_set.max_seats())),
        "stack": stakes.big_blind * rng.choice((2, 8, 30)) * stakes.chip_unit,
        "clock": rng.choice((ClockRules(), CLOCK)),
        "hands": 6,
        "comings": rng.random() < 0.5,
        "options": options,
    }


def views_of(whole, players):
    """The bundle in every view, and in that of everybody who ever played at a seat."""
    for view, seat in VIEWS:
        if seat > players:
            continue
        try:
            yield redacted(whole, view, seat)
        except RedactionError:  # several players held the seat
            for holder in sorted(holders_of(whole, seat)):
                yield redacted(whole, view, seat, holder)


def holders_of(whole, seat):
    """The hashes of the tokens of all who were dealt in or waited at a seat."""
    began = [
        record_pb2.StoredEvent.FromString(entry.closed).hand_began
        for piece in whole.pieces
        for entry in piece.entries
        if entry.closed
    ]
    return {one.token_sha256 for hand in began for one in hand.seats if one.seat == seat}


def test_any_rule_set_with_comings_and_goings_is_valid_in_every_view_and_as_an_excerpt():
    hands = bundles = 0
    for seed in range(scale(25, 3_000)):
        try:
            table = random_table(seed, **random_options(seed))
        except RuleSetError:
            continue
        whole = logged(table.sealed())
        for told in views_of(whole, table.players):
            hands += assert_valid(told).hands
            bundles += 1
            if len(told.pieces) > 3:
                excerpt = record_pb2.Bundle()
                excerpt.CopyFrom(told)
                del excerpt.pieces[1], excerpt.pieces[-1]
                hands += verify(excerpt, TRUST).hands
                assert not verify(excerpt, TRUST).divergence
                bundles += 1
    assert hands > 2 * bundles > 100


def test_an_excerpt_is_valid_for_what_it_has_and_incomplete_without_the_opening(bundle):
    excerpt = record_pb2.Bundle()
    excerpt.CopyFrom(bundle)
    del excerpt.pieces[4], excerpt.pieces[1]
    report = assert_valid(excerpt)
    assert report.hands == 2
    assert "1 not checkable" in report.check("links").message
    del excerpt.pieces[0]
    report = verify(excerpt, TRUST)
    assert report.verdict == Verdict.INCOMPLETE
    assert report.missing == ("the opening of table t1",)
    assert report.check("rules").outcome == Outcome.NOT_CHECKABLE
    assert report.check("chain").outcome == Outcome.PASS


def test_an_auditor_knows_the_cards_before_the_seeds_are_published_and_others_do_not(bundle):
    unfinished = record_pb2.Bundle()
    unfinished.CopyFrom(bundle)
    del unfinished.pieces[4]
    assert counts(assert_valid(unfinished))["deck_roots"] == 3
    for view, seat in VIEWS[1:]:
        report = assert_valid(redacted(unfinished, view, seat))
        for name in ("deck_roots", "cards"):
            assert report.check(name).outcome == Outcome.NOT_CHECKABLE
            assert report.check(name).message == "the seeds are not revealed in this bundle"


def test_pieces_of_several_tables_lie_in_one_bundle():
    tables = [random_table(seed, table_id=f"t{seed}", hands=2) for seed in range(3)]
    report = assert_valid(logged([piece for table in tables for piece in table.sealed()]))
    assert counts(report)["rules"] == 3


def test_without_a_believed_key_a_bundle_is_incomplete_and_with_another_one_invalid(bundle):
    data = file_of(bundle)
    report = verify_bundle(data, Trust())
    assert report.verdict == Verdict.INCOMPLETE
    assert report.check("checkpoint").outcome == Outcome.NOT_CHECKABLE
    assert report.missing == ("a key of the log that is believed",)
    report = verify_bundle(data, trust_in([OTHER_KEY.verifier.text]))
    assert report.verdict == Verdict.INVALID
    assert report.divergence.message == f"not signed by any known key of log {LOG}"
    elsewhere = trust_in([STRANGER.verifier.text])
    assert "keys are given of witness.test/w2" in verify_bundle(data, elsewhere).divergence.message


def test_fewer_witnesses_than_asked_for_make_it_incomplete(bundle):
    data = file_of(bundle)
    assert verify_bundle(data, TRUST, 1).check("witnesses").compared == 1
    report = verify_bundle(data, TRUST, 2)
    assert report.verdict == Verdict.INCOMPLETE
    assert report.missing == ("cosignatures: 1 known witnesses have cosigned; expected 2",)
    # Who cosigned and is not known says nothing.
    known_stranger = logged(side_pots_table().sealed(), cosigners=(WITNESS, STRANGER))
    assert verify(known_stranger, TRUST, 2).verdict == Verdict.INCOMPLETE
    both = trust_in([LOG_KEY.verifier.text], [WITNESS.verifier.text, STRANGER.verifier.text])
    assert verify(known_stranger, both, 2).verdict == Verdict.VALID


@pytest.mark.parametrize("data", [b"", b"referee-bundle/1\n", b"referee-bundle/2\n" + b"0" * 64 + b"\n", b"\xff" * 300])
def test_what_is_no_bundle_is_unreadable(data):
    report = verify_bundle(data, TRUST)
    assert report.verdict == Verdict.UNREADABLE
    assert [check.name for check in report.checks] == list(CHECKS)
    assert report.check("bundle").outcome == Outcome.FAIL


def test_a_bundle_without_pieces_is_incomplete():
    report = verify(logged([]), TRUST)
    assert report.verdict == Verdict.INCOMPLETE
    assert report.missing == ("pieces of a record",)


def test_the_report_is_a_message_of_the_contract(bundle):
    message = report_message(verify(bundle, TRUST))
    assert message.verdict == audit_pb2.VERDICT_VALID
    assert [check.name for check in message.checks] == list(CHECKS)
    assert not message.HasField("divergence")
    assert (message.hands, message.rulings) == (3, verify(bundle, TRUST).rulings)
    damaged = record_pb2.Bundle()
    damaged.CopyFrom(bundle)
    damaged.pieces[2].entries[5].time_unix_ms += 1
    message = report_message(verify(damaged, TRUST))
    assert message.verdict == audit_pb2.VERDICT_INVALID
    assert message.divergence.check == "chain"


def test_a_table_without_seeds_of_seats_and_one_that_is_closed_early_are_valid():
    table = RecordedTable(revealing={}, hands=0)
    table.start()
    table.play_on(random.Random(1), until=lambda one: one.hand_number == 2)
    table.close()
    table.play_on(random.Random(2))
    assert table.table.has_ended
    for view, seat in VIEWS:
        assert_valid(redacted(logged(table.sealed()), view, seat))
    closed = RecordedTable()
    closed.close()
    pieces = closed.sealed()
    assert len(pieces) == 1
    report = assert_valid(logged(pieces))
    assert (report.hands, report.check("seeds").compared) == (0, 1)


def test_a_decision_that_ends_with_its_hand_leaves_the_bank_alone():
    """Another seat's time-out ends the hand in the discard round (DISC-8); the seat that still owed a discard shows."""
    rule_set = rules("irish/full-tilt@1", discard_timeout=DiscardTimeout.FOLD)
    table = RecordedTable(players=2, rule_set=rule_set, revealing={}, hands=2, options={"between_hands_ms": 5_000})
    table.start()
    while table.table.hand.phase != Phase.DISCARDING:
        (seat,) = table.table.decisions
        options = table.table.options(seat)
        table.propose(seat, ActionKind.CHECK if options.check else ActionKind.CALL)
    late, other = table.table.decisions
    table.table.decisions[other].started_ms = None  # not yet told of its decision
    table.pass_time(60_000)
    assert not table.table.hand_is_on
    assert table.propose(other, ActionKind.SHOW).accepted
    table.pass_time(60_000)
    table.close()
    table.play_on(random.Random(1))
    for view, seat in VIEWS[:3]:
        report = assert_valid(redacted(logged(table.sealed()), view, seat))
        assert report.hands == 2
    assert late != other


def test_who_leaves_before_the_first_hand_takes_his_commitment_along_or_stays_in_the_match():
    early = RecordedTable(hands=2)
    early.leave(1)
    early.take(1)
    early.start()
    late = RecordedTable(hands=2, revealing={1: True, 2: True, 4: False})
    late.take(4)
    late.leave(1)  # after the closing: the seat counts for the seeds, and is not dealt in
    late.start(seats_last=False)
    for table in (early, late):
        table.play_on(random.Random(1))
        for view, seat in VIEWS:
            if (seat, table) != (1, early):  # two players held it
                assert assert_valid(redacted(logged(table.sealed()), view, seat)).hands == 2


@pytest.mark.parametrize("restarts", [False, True])
def test_tables_of_a_real_hub_with_a_store_are_valid(tmp_path, restarts):
    """The entries are those that a server keeps, sealed by it, in its own log; here it is restarted in between."""

    async def body():
        path = tmp_path / "referee.sqlite"
        hub = Hub(SqliteStore(path), FakeTime(), b"secret")
        config = table_pb2.TableConfig(
            rule_set_name="irish/tda@1",
            structure=1,
            stakes={"small_blind": 1, "big_blind": 2},
            seats=4,
            starting_stack=40,
            reset_stacks=True,
            hands=scale(6, 100),
            seed=bytes(range(32)),
            match_name="the.match",
        )
        table_id = await hub.open_table("open", b"", config)
        await sit_down(hub, table_id, 4)
        await sit_down(hub, table_id, 4, last_too=True)
        steps = 0
        while table_id in hub.owners:
            await play_on(hub, table_id, steps, steps=9 if restarts else 1 << 20)
            steps += 1
            if restarts:
                hub.store.close()
                hub = Hub(SqliteStore(path), FakeTime(), b"secret")
                hub.start()
                await asyncio.sleep(0)
                await asyncio.sleep(0)
        whole = bundle_from_store(hub.store, table_id, hub.find(table_id).table.config)
        hub.store.close()
        return whole

    whole = asyncio.run(body())
    assert len(whole.pieces) == scale(6, 100) + 2
    for view, seat in VIEWS:
        assert_valid(redacted(whole, view, seat))
