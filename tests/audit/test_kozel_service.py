"""A game of Kozel at a live table, over gRPC: exported as whoever may see what, verified, audited, disputed."""

import asyncio

import grpc
import pytest

from referee.audit.replay import steps_of, tables_of
from referee.record.bundle import bundle_bytes, read_bundle
from referee.record.notation.kozel import read_rounds
from referee.v1 import audit_pb2, judge_pb2, judge_pb2_grpc, record_pb2, table_pb2
from tests.audit.test_exports import Records
from tests.service.playing import Follower, run, tables
from tests.service.test_tables import status_of

AUDITOR, SEAT, PUBLIC = record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_SEAT, record_pb2.BUNDLE_VIEW_PUBLIC


def played(folder, test, **options):
    async def go():
        async with tables(folder) as running:
            table_id, tokens = await running.seated_kozel(**options)
            players = [running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()]
            await asyncio.gather(*players)
            await test(Records(running, table_id, tokens))

    run(go(), 180)


async def round_text(records, hand):
    """A round of the table in Kozel's notation, as the auditor gets it."""
    request = table_pb2.GetHandRecordRequest(table_id=records.table_id, hand=hand)
    return (await records.running.stub.GetHandRecord(request, metadata=records.running.auditor)).kozel_round


@pytest.mark.rule("KOZ-15", "DEAL-4")
def test_a_game_is_exported_verified_replayed_and_audited(tmp_path):
    async def test(records):
        (seat, token), *_ = records.tokens.items()
        rounds = records.running.store.hub.find(records.table_id).table.hand_number
        views = {
            AUDITOR: await records.export(records.running.auditor),
            SEAT: await records.export(seat_token=token),
            PUBLIC: await records.export(),
        }
        for view, data in views.items():
            bundle = read_bundle(data)
            assert (bundle.view, bundle.seat) == (view, seat if view == SEAT else 0)
            report = await records.verify(data)
            assert report.verdict == audit_pb2.VERDICT_VALID, (view, report.divergence, report.checks)
            assert report.hands == rounds
            assert tables_of(bundle) == {records.table_id: list(range(1, rounds + 1))}
            for hand in range(1, rounds + 1):
                assert steps_of(bundle, records.table_id, hand)[-1].table[0].startswith("the round is over")
        sizes = [sum(bool(e.closed) for p in read_bundle(data).pieces for e in p.entries) for data in views.values()]
        assert sizes[0] > sizes[1] > sizes[2] == 0
        damaged = read_bundle(views[AUDITOR])
        damaged.pieces[1].entries[3].time_unix_ms += 1
        report = await records.verify(bundle_bytes(damaged))
        assert (report.verdict, report.divergence.check) == (audit_pb2.VERDICT_INVALID, "chain")
        some = read_bundle(await records.export(records.running.auditor, first_hand=2, last_hand=2))
        assert [record_pb2.Seal.FromString(piece.seal).piece for piece in some.pieces] == [0, 2]
        day = await records.export(records.running.auditor, table_id="", from_unix_ms=1)
        assert (await records.verify(day)).hands == rounds
        operation = await audited(records, tables=audit_pb2.AuditedTables(table_ids=[records.table_id]))
        assert (operation.hands, operation.disagree, operation.hands_in_all) == (rounds, 0, rounds)

    played(tmp_path, test)


async def audited(records, **source):
    """A long audit, when it is over."""
    request = audit_pb2.StartAuditRequest(request_id="r", **source)
    begun = await records.stub.StartAudit(request, metadata=records.running.auditor)
    while True:
        asked = audit_pb2.GetOperationRequest(operation_id=begun.operation.operation_id)
        operation = (await records.stub.GetOperation(asked, metadata=records.running.auditor)).operation
        if operation.status != audit_pb2.OPERATION_STATUS_RUNNING:
            assert operation.status == audit_pb2.OPERATION_STATUS_DONE, operation
            return operation
        await asyncio.sleep(0.01)


@pytest.mark.rule("KOZ-10")
def test_rounds_are_disputed_and_audited_as_text(tmp_path):
    async def test(records):
        text = await round_text(records, 1)
        (record,) = read_rounds(text)
        answer = await records.stub.JudgeDispute(audit_pb2.JudgeDisputeRequest(text=text, with_report=True))
        assert (answer.verdict, answer.kozel_judgement.agrees) == (audit_pb2.VERDICT_VALID, True)
        assert not answer.HasField("judgement")
        assert "Accounts after the round" in answer.report_html
        told = [
            (one.kozel_account.open, one.kozel_account.score, one.kozel_account.remembered) for one in answer.outcomes
        ]
        assert told == [(one.is_open, one.score, one.remembered) for one in record.end.accounts]
        assert [one.net for one in answer.outcomes] == [one.recorded_net for one in answer.outcomes]
        claim = audit_pb2.ClaimedOutcome(player="1", net=answer.outcomes[0].net + 1)
        claimed = await records.stub.JudgeDispute(audit_pb2.JudgeDisputeRequest(text=text, claims=[claim]))
        assert (claimed.verdict, claimed.divergence.check) == (audit_pb2.VERDICT_INVALID, "claim")
        wrong = text.replace("after ", "after +77 +77 +77 #")
        disputed = await records.stub.JudgeDispute(audit_pb2.JudgeDisputeRequest(text=wrong))
        assert (disputed.verdict, disputed.divergence.rule) == (audit_pb2.VERDICT_INVALID, "KOZ-10")
        assert disputed.divergence.rule_text
        torn = audit_pb2.JudgeDisputeRequest(text="kozel kozel/on-all@1\nseats one two\n")
        assert (await records.stub.JudgeDispute(torn)).verdict == audit_pb2.VERDICT_UNREADABLE
        other = audit_pb2.JudgeDisputeRequest(text=text, rule_set_name="kozel/on-none@1")
        assert await status_of(records.stub.JudgeDispute(other)) == grpc.StatusCode.NOT_FOUND
        judge = judge_pb2_grpc.JudgeServiceStub(records.running.channel)
        of_poker = await judge.JudgeHand(judge_pb2.JudgeHandRequest(notated=judge_pb2.NotatedHand(text=text)))
        assert "a hand of poker is expected" in of_poker.unreadable.expected
        many = "\n".join([await round_text(records, 2), wrong])
        operation = await audited(records, text=many)
        assert (operation.hands, operation.disagree, operation.by_rule[0].rule) == (2, 1, "KOZ-10")

    played(tmp_path, test)
