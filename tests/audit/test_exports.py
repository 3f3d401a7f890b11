"""The server's own records over the wire: exported as whoever may see what, verified, opened, and audited at length."""

import asyncio

import grpc
import pytest

from referee.dealing.openings import Deal, Opening, verify_opening
from referee.record.bundle import read_bundle
from referee.rules.cards import parse_card
from referee.v1 import audit_pb2, audit_pb2_grpc, log_pb2, record_pb2, table_pb2
from tests.service.playing import Follower, run, tables
from tests.service.test_log_service import WITNESSES, cosigned, logging_tables, play
from tests.service.test_tables import status_of

HANDS = 3


class Records:
    """A server at which a table has been played to its end."""

    def __init__(self, running, table_id, tokens):
        self.running, self.table_id, self.tokens = running, table_id, tokens
        self.stub = audit_pb2_grpc.AuditServiceStub(running.channel)

    async def export(self, metadata=None, **options):
        request = audit_pb2.ExportBundleRequest(**({"table_id": self.table_id} | options))
        return b"".join([part.data async for part in self.stub.ExportBundle(request, metadata=metadata)])

    async def verify(self, data, keys=None):
        keys = self.running.store.heads.keys if keys is None else keys
        parts = [audit_pb2.VerifyBundleRequest(data=data[:1000], keys=keys)]
        parts += [audit_pb2.VerifyBundleRequest(data=data[at : at + 50_000]) for at in range(1000, len(data), 50_000)]
        return await self.stub.VerifyBundle(iter(parts))

    async def openings(self, hand, metadata=None, seat_token=""):
        request = audit_pb2.GetOpeningsRequest(table_id=self.table_id, hand=hand, seat_token=seat_token)
        return await self.stub.GetOpenings(request, metadata=metadata)


def played(folder, test, seconds=120):
    async def go():
        async with tables(folder) as running:
            table_id, tokens = await running.seated(seats=3, hands=HANDS)
            players = [running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()]
            await asyncio.gather(*players)
            await test(Records(running, table_id, tokens))

    run(go(), seconds)


def test_every_view_is_exported_and_verified(tmp_path):
    async def test(records):
        (seat, token), *_ = records.tokens.items()
        views = {
            record_pb2.BUNDLE_VIEW_AUDITOR: await records.export(records.running.auditor),
            record_pb2.BUNDLE_VIEW_SEAT: await records.export(seat_token=token),
            record_pb2.BUNDLE_VIEW_PUBLIC: await records.export(),
        }
        for view, data in views.items():
            bundle = read_bundle(data)
            assert (bundle.view, bundle.seat) == (view, seat if view == record_pb2.BUNDLE_VIEW_SEAT else 0)
            assert len(bundle.pieces) == HANDS + 2
            report = await records.verify(data)
            assert report.verdict == audit_pb2.VERDICT_VALID, (view, report.divergence, report.checks)
            assert report.hands == HANDS
            assert (await records.verify(data, ())).verdict == audit_pb2.VERDICT_INCOMPLETE
        sizes = [sum(bool(e.closed) for p in read_bundle(data).pieces for e in p.entries) for data in views.values()]
        assert sizes[0] > sizes[1] > sizes[2] == 0
        damaged = bytearray(views[record_pb2.BUNDLE_VIEW_AUDITOR])
        damaged[len(damaged) // 2] ^= 1
        assert (await records.verify(bytes(damaged))).verdict == audit_pb2.VERDICT_UNREADABLE

    played(tmp_path, test)


def test_some_hands_or_a_days_tables_are_exported_each_with_its_opening(tmp_path):
    async def test(records):
        def pieces(data):
            return [record_pb2.Seal.FromString(piece.seal).piece for piece in read_bundle(data).pieces]

        auditor = records.running.auditor
        assert pieces(await records.export(auditor, first_hand=2, last_hand=2)) == [0, 2]
        assert pieces(await records.export(auditor, first_hand=2)) == [0, 2, 3, 4]
        assert pieces(await records.export(auditor, table_id="")) == [0, 1, 2, 3, 4]
        assert pieces(await records.export(auditor, table_id="", until_unix_ms=1)) == []
        some = await records.export(auditor, first_hand=2, last_hand=2)
        report = await records.verify(some)
        assert report.verdict in (audit_pb2.VERDICT_VALID, audit_pb2.VERDICT_INCOMPLETE), report.divergence

    played(tmp_path, test)


def test_nobody_exports_what_he_may_not_see(tmp_path):
    async def test(records):
        def status(metadata=None, **options):
            return status_of(records.export(metadata, **options))

        seat, auditor = {"view": record_pb2.BUNDLE_VIEW_SEAT}, {"view": record_pb2.BUNDLE_VIEW_AUDITOR}
        assert await status(**auditor) == grpc.StatusCode.UNAUTHENTICATED
        assert await status(records.running.host, **auditor) == grpc.StatusCode.PERMISSION_DENIED
        assert await status(**seat) == grpc.StatusCode.PERMISSION_DENIED
        assert await status(seat_token="nobody's") == grpc.StatusCode.PERMISSION_DENIED
        assert await status(table_id="", seat_token=records.tokens[1]) == grpc.StatusCode.UNAUTHENTICATED
        assert await status(table_id="nobody") == grpc.StatusCode.NOT_FOUND
        assert await status(first_hand=-1) == grpc.StatusCode.INVALID_ARGUMENT

    played(tmp_path, test)


@pytest.mark.rule("DEAL-4", "SHOW-8")
def test_cards_are_opened_to_whom_may_see_them_and_fit_the_root(tmp_path):
    async def test(records):
        everything = await records.openings(1, records.running.auditor)
        public = await records.openings(1)
        seats = {seat: await records.openings(1, seat_token=token) for seat, token in records.tokens.items()}
        table = records.running.store.hub.find(records.table_id).table
        shown = {one.card for one in public.cards}
        for answer in (everything, public, *seats.values()):
            assert answer.deck_root == everything.deck_root
            for one in answer.cards:
                opening = Opening(one.position, parse_card(one.card), one.salt, tuple(one.path))
                verify_opening(Deal(table.seeds.match, 52, 0, 1), answer.deck_root, opening)
            assert shown <= {one.card for one in answer.cards} <= {one.card for one in everything.cards}
        assert 12 <= len(everything.cards) <= 17
        own = [{one.position for one in answer.cards} for answer in seats.values()]
        assert all(len(positions) >= 4 for positions in own)
        assert len(set.union(*own)) >= 12, "each seat's own four cards"
        assert await status_of(records.openings(HANDS + 1)) == grpc.StatusCode.NOT_FOUND
        assert await status_of(records.openings(1, seat_token="x")) == grpc.StatusCode.PERMISSION_DENIED

    played(tmp_path, test)


def test_a_servers_tables_are_audited_by_an_operation(tmp_path):
    async def test(records):
        auditor = records.running.auditor
        for tables_, hands in (({}, HANDS), ({"table_ids": [records.table_id]}, HANDS)):
            request = audit_pb2.StartAuditRequest(request_id=str(tables_), tables=tables_)
            operation = (await records.stub.StartAudit(request, metadata=auditor)).operation
            while operation.status == audit_pb2.OPERATION_STATUS_RUNNING:
                await asyncio.sleep(0.05)
                named = audit_pb2.GetOperationRequest(operation_id=operation.operation_id)
                operation = (await records.stub.GetOperation(named, metadata=auditor)).operation
            assert operation.status == audit_pb2.OPERATION_STATUS_DONE, operation
            assert (operation.hands, operation.disagree, operation.unreadable) == (hands, 0, 0)
            assert operation.hands_in_all == hands
        nobody = audit_pb2.StartAuditRequest(request_id="n", tables={"table_ids": ["nobody"]})
        assert await status_of(records.stub.StartAudit(nobody, metadata=auditor)) == grpc.StatusCode.NOT_FOUND

    played(tmp_path, test)


def test_a_bundle_carries_the_cosignatures_of_witnesses(tmp_path):
    async def go():
        async with logging_tables(tmp_path) as running:
            table_id, _ = await play(running, hands=2)
            head = (await running.log.GetCheckpoint(log_pb2.GetCheckpointRequest())).checkpoint
            note = cosigned(head, *WITNESSES[:2])
            await running.log.AddCosignature(log_pb2.AddCosignatureRequest(checkpoint=note))
            later_id, _ = await play(running, hands=1)
            stub = audit_pb2_grpc.AuditServiceStub(running.channel)
            verdicts = {}
            for wanted in (table_id, later_id):
                request = audit_pb2.ExportBundleRequest(table_id=wanted)
                parts = [part.data async for part in stub.ExportBundle(request, metadata=running.auditor)]
                for quorum in (2, 3):
                    first = audit_pb2.VerifyBundleRequest(
                        keys=running.store.heads.keys,
                        witness_keys=[one.verifier.text for one in WITNESSES],
                        quorum=quorum,
                        data=parts[0],
                    )
                    rest = [audit_pb2.VerifyBundleRequest(data=data) for data in parts[1:]]
                    report = await stub.VerifyBundle(iter([first, *rest]))
                    verdicts[wanted, quorum] = audit_pb2.Verdict.Name(report.verdict)
            assert verdicts == {
                (table_id, 2): "VERDICT_VALID",
                (table_id, 3): "VERDICT_INCOMPLETE",
                # What was sealed after the witnesses looked has no cosignature yet.
                (later_id, 2): "VERDICT_INCOMPLETE",
                (later_id, 3): "VERDICT_INCOMPLETE",
            }

    run(go())


def test_who_has_left_may_have_his_own_record(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=3, hands=0)
            (leaving, token), *_ = tokens.items()
            followers = {seat: Follower() for seat in tokens}
            playing = [
                asyncio.create_task(running.play_seat(table_id, one, seat, followers[seat]))
                for seat, one in tokens.items()
            ]
            owner = running.store.hub.find(table_id)
            await running.stub.LeaveSeat(
                table_pb2.LeaveSeatRequest(request_id="leave", table_id=table_id, seat_token=token)
            )
            while leaving in owner.table.seats or owner.table.hand_number < 3:
                await asyncio.sleep(0.01)
            await running.stub.CloseTable(
                table_pb2.CloseTableRequest(request_id="close", table_id=table_id), metadata=running.host
            )
            await asyncio.gather(*playing)
            records = Records(running, table_id, tokens)
            bundle = read_bundle(await records.export(seat_token=token))
            assert bundle.seat == leaving
            shown = [entry for piece in bundle.pieces for entry in piece.entries if entry.closed]
            assert shown, "his own cards and proposals are in it"
            assert (await records.verify(await records.export(seat_token=token))).verdict == audit_pb2.VERDICT_VALID
            assert await status_of(records.export(seat_token="x" * 20)) == grpc.StatusCode.PERMISSION_DENIED

    run(go())
