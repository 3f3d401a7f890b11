"""Tables whose cards the host gives: dealt as given, ended when there are no more, told to nobody but the auditor."""

import asyncio
import random

import pytest

from referee.audit.redaction import redacted
from referee.audit.report import Outcome, Verdict
from referee.audit.trust import trust_in
from referee.audit.verify import verify, verify_bundle
from referee.bots import make_bot
from referee.client import aio
from referee.dealing.given import write_decks
from referee.record.bundle import read_bundle
from referee.rules.ruleset import RuleSetError, Stakes
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.setup import board_of, hole_of
from referee.table.config import config_message
from referee.table.games import config_of
from referee.table.happenings import content_bytes
from referee.table.table import opened_event
from referee.table.views import PUBLIC, seen
from referee.v1 import audit_pb2, audit_pb2_grpc, record_pb2, table_pb2
from tests.service.playing import run, tables
from tests.table.tables import FakeMoments, config, seated, started


def decks_of(count, cards=52, seed=5):
    rng = random.Random(seed)
    return [tuple(rng.sample(range(52), cards)) for _ in range(count)]


def message(decks, **options):
    return table_pb2.TableConfig(
        rule_set_name="irish/full-tilt@1",
        structure=1,
        stakes={"small_blind": 1, "big_blind": 2},
        seats=3,
        starting_stack=100,
        decks=decks,
        **options,
    )


@pytest.mark.rule("DEAL-3")
def test_hands_are_dealt_from_the_given_decks_and_the_table_ends_with_them():
    given = decks_of(2)
    table = seated(3, rule_set="irish/full-tilt@1", decks=write_decks(given))
    moments = FakeMoments()
    started(table, moments)
    for deck in given:
        setup = table.hand.setup
        assert setup.deck == deck
        assert table.hand.hole == [hole_of(setup, player) for player in range(3)]
        while table.hand_is_on and table.hand.setup is setup:
            (seat,) = table.decisions
            assert table.hand.board == board_of(setup)[: len(table.hand.board)]
            options = table.options(seat)
            kind = ActionKind.CHECK if options.check else ActionKind.FOLD
            decision = table.decisions[seat].decision_id
            assert table.propose(
                Proposal(seat, kind, hand_id=setup.hand_id, decision_id=decision), f"{seat} {decision}", moments.now
            ).accepted
    assert table.end_reason == table_pb2.END_REASON_NO_DECK


@pytest.mark.rule("DEAL-3")
@pytest.mark.parametrize(
    ("decks", "said"),
    [
        ("# nothing", "there is none"),
        ("Ah Kd", "hand 1 needs 17 known cards"),
        (write_decks(decks_of(1, 16)), "hand 1 needs 17 known cards"),
        (write_decks([(*decks_of(1)[0][:10], -1, *decks_of(1)[0][11:])]), "hand 1 needs 17 known cards"),
        ("Ah Ah", "already at place"),
        ("block 1\n" + write_decks(decks_of(1)), "no deck was given"),
        ("Ah Xx", "is no item of a deck"),
    ],
)
def test_decks_that_no_hand_can_be_dealt_from_are_refused(decks, said):
    with pytest.raises(RuleSetError, match=said) as refused:
        config_of(message(decks), bytes(32))
    assert refused.value.rule == "DEAL-3"


@pytest.mark.rule("DEAL-4")
def test_nobody_is_told_the_given_cards():
    given = config(3, rule_set="irish/full-tilt@1", decks=write_decks(decks_of(1)))
    opened = opened_event("t1", given)
    told = seen(opened, content_bytes(opened), PUBLIC, given)
    assert b"decks" not in config_message(given, with_seed=False).SerializeToString()
    assert given.decks.encode() not in told
    assert opened.opened.opened.decks_given
    assert opened.opened.config.decks == given.decks


def test_a_table_with_given_cards_is_played_exported_and_verified(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await aio.create_table(
                running.address,
                stakes=Stakes(1, 2),
                seats=3,
                starting_stack=100,
                reset_stacks=True,
                decks=write_decks(decks_of(5)),
                token=running.store.access.host_token,
            )
            seats = [await aio.take_seat(running.address, table_id, name=f"p{number}") for number in range(3)]
            ended = await asyncio.gather(
                *[aio.play(running.address, make_bot("random-legal", seat.number), [seat]) for seat in seats]
            )
            assert {(one.hands, one.reason, one.deal_fault) for (one,) in ended} == {(5, "TABLE_ENDED", "")}
            stub = audit_pb2_grpc.AuditServiceStub(running.channel)
            request = audit_pb2.ExportBundleRequest(table_id=table_id)
            parts = [part.data async for part in stub.ExportBundle(request, metadata=running.auditor)]
            return b"".join(parts), running.store.heads.keys

    data, keys = run(go())
    trust = trust_in(keys)
    report = verify_bundle(data, trust)
    assert report.verdict is Verdict.VALID, report
    outcomes = {check.name: check.outcome for check in report.checks}
    assert (outcomes["cards"], outcomes["deck_roots"]) == (Outcome.PASS, Outcome.NOT_CHECKABLE)
    public = redacted(read_bundle(data), record_pb2.BUNDLE_VIEW_PUBLIC)
    report = verify(public, trust)
    assert report.verdict is Verdict.VALID, report
    assert {check.name: check.outcome for check in report.checks}["cards"] is Outcome.NOT_CHECKABLE
