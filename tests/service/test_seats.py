"""Sitting out and in, posting, topping up and faults over a real connection, by the SDK; records of it are verified."""

import asyncio

import grpc
import pytest

from referee.audit.trust import Trust
from referee.audit.verify import verify_bundle
from referee.bots import make_bot
from referee.client import FaultPolicy, FaultRules, aio, create_table, sit_in, sit_out, take_seat, top_up
from referee.rules.events import Event, EventKind
from referee.rules.ruleset import Stakes
from referee.v1 import record_pb2, table_pb2
from tests.audit.records import bundle_from_store, file_of
from tests.client.test_live import served
from tests.service.playing import run, tables
from tests.service.test_tables import status_of

rule = pytest.mark.rule
STAKES = Stakes(5, 10)


async def opened(running, seats, **options):
    token = running.store.access.host_token
    options = {"stakes": STAKES, "starting_stack": 400} | options
    return await aio.create_table(running.address, seats=seats, token=token, **options)


async def state_of(running, table_id):
    return (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table


async def seat_state(running, table_id, seat):
    return next(one for one in (await state_of(running, table_id)).seats if one.seat == seat)


async def until(condition):
    """Waits for something that the server does in its own time; the test's bound ends it otherwise."""
    while not await condition():
        await asyncio.sleep(0.005)


def events_of(running, table_id):
    owner = running.store.hub.find(table_id)
    return [one.happening for one in owner.stored(0, owner.table.hand_number)]


def verified(running, table_id):
    """The audit's report on everything that is sealed of the table."""
    owner = running.store.hub.find(table_id)
    bundle = bundle_from_store(running.store.hub.store, table_id, owner.table.config)
    return verify_bundle(file_of(bundle), Trust())


@rule("SEAT-2", "SEAT-3", "SEAT-5")
def test_seats_sit_out_come_back_and_post_over_the_wire_and_the_record_is_right(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await opened(running, 5, players_to_start=4, hands=40, between_hands_ms=5)
            seats = [await aio.take_seat(running.address, table_id, name=f"p{number}") for number in range(4)]
            bots = [asyncio.create_task(aio.play(running.address, make_bot("always-call"), [seat])) for seat in seats]

            async def hand(number):
                return (await state_of(running, table_id)).hand >= number

            await until(lambda: hand(2))
            await aio.sit_out(running.address, seats[1])
            assert (await seat_state(running, table_id, 2)).sitting_out
            late = await aio.take_seat(running.address, table_id, name="late", posts=True)
            bots.append(asyncio.create_task(aio.play(running.address, make_bot("always-call"), [late])))

            async def owes_both():
                one = await seat_state(running, table_id, 2)
                return one.owes_small_blind and one.owes_big_blind

            await until(owes_both)
            await aio.sit_in(running.address, seats[1], posts=True)

            async def has_come_in():
                one = await seat_state(running, table_id, 2)
                return not (one.sitting_out or one.owes_big_blind or one.owes_small_blind)

            await until(has_come_in)
            await aio.close_table(running.address, table_id, token=running.store.access.host_token)
            played = [one for bot in bots for one in await bot]
            assert {one.reason for one in played} == {"TABLE_ENDED"}
            assert {one.deal_fault for one in played} == {""}
            assert not any(one.refusals for one in played)
            report = verified(running, table_id)
            assert report.divergence is None
            assert report.hands == running.store.hub.find(table_id).table.hand_number
            kinds = [one.WhichOneof("event") for one in events_of(running, table_id) if hasattr(one, "WhichOneof")]
            assert "seat_sits_out" in kinds
            assert "seat_sits_in" in kinds

    run(go())


def test_top_ups_are_told_to_everybody_and_done_before_the_next_hand(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await opened(running, 2, top_up_to=1_000, between_hands_ms=5)
            seats = [await aio.take_seat(running.address, table_id, name=name, seed=b"") for name in ("one", "two")]
            await aio.top_up(running.address, seats[0], 1_000)
            assert (await seat_state(running, table_id, 1)).top_up_to == 1_000
            too_much = table_pb2.TopUpRequest(
                request_id="t", table_id=table_id, seat_token=seats[0].seat_token, to=1_001
            )
            assert await status_of(running.stub.TopUp(too_much)) == grpc.StatusCode.FAILED_PRECONDITION
            bots = [asyncio.create_task(aio.play(running.address, make_bot("always-fold"), [seat])) for seat in seats]

            async def filled():
                return (await seat_state(running, table_id, 1)).stack > 900

            await until(filled)
            await aio.close_table(running.address, table_id, token=running.store.access.host_token)
            for bot in bots:
                await bot
            report = verified(running, table_id)
            assert report.divergence is None

    run(go())


def test_seats_answer_to_their_own_token_and_once_for_a_request_id(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await opened(running, 3, top_up_to=900)
            seat = await aio.take_seat(running.address, table_id, name="one", seed=b"")
            stub, denied = running.stub, grpc.StatusCode.PERMISSION_DENIED
            wrong = {"request_id": "r0", "table_id": table_id, "seat_token": "nobody's"}
            assert await status_of(stub.SitOut(table_pb2.SitOutRequest(**wrong))) == denied
            assert await status_of(stub.SitIn(table_pb2.SitInRequest(**wrong))) == denied
            assert await status_of(stub.TopUp(table_pb2.TopUpRequest(**wrong, to=900))) == denied
            own = {"table_id": table_id, "seat_token": seat.seat_token}
            for _ in range(2):
                await stub.SitOut(table_pb2.SitOutRequest(request_id="r1", **own))
            await stub.SitIn(table_pb2.SitInRequest(request_id="r2", **own))
            await stub.SitOut(table_pb2.SitOutRequest(request_id="r1", **own))
            assert not (await seat_state(running, table_id, 1)).sitting_out, (
                "the first answer, not a second sitting out"
            )
            other = table_pb2.SitInRequest(request_id="r2", posts=True, **own)
            assert await status_of(stub.SitIn(other)) == grpc.StatusCode.ALREADY_EXISTS
            shapeless = table_pb2.SitOutRequest(table_id=table_id, seat_token=seat.seat_token)
            assert await status_of(stub.SitOut(shapeless)) == grpc.StatusCode.INVALID_ARGUMENT

    run(go())


@rule("TIME-4")
def test_a_bot_that_only_makes_illegal_proposals_forfeits_and_the_others_play_on(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            faults = FaultRules(5, FaultPolicy.FORFEIT_MATCH)
            table_id = await opened(running, 3, hands=6, faults=faults, reset_stacks=True)
            seats = [await aio.take_seat(running.address, table_id, name=f"p{number}") for number in range(3)]

            def wrong(decision):
                return decision.raise_to(10**9)

            bots = [make_bot("always-call"), make_bot("always-call"), wrong]
            results = await asyncio.gather(
                *(aio.play(running.address, bot, [seat]) for bot, seat in zip(bots, seats, strict=True))
            )
            assert [one.reason for (one,) in results[:2]] == ["TABLE_ENDED"] * 2
            assert results[2][0].reason == "NOT_ALLOWED", "the seat is not his any more"
            assert [one.hands for (one,) in results[:2]] == [6, 6]
            (fault,) = [
                one.fault_applied
                for one in events_of(running, table_id)
                if isinstance(one, record_pb2.StoredEvent) and one.HasField("fault_applied")
            ]
            assert (fault.seat, fault.faults) == (3, 5)
            assert fault.policy == table_pb2.FAULT_POLICY_FORFEIT_MATCH
            assert verified(running, table_id).divergence is None

    run(go())


@rule("TIME-4")
def test_a_bot_that_only_makes_illegal_proposals_forfeits_hand_after_hand_and_stays(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            faults = FaultRules(2, FaultPolicy.FORFEIT_HAND)
            table_id = await opened(running, 3, hands=6, faults=faults, reset_stacks=True)
            seats = [await aio.take_seat(running.address, table_id, name=f"p{number}") for number in range(3)]

            def wrong(decision):
                return decision.raise_to(10**9)

            bots = [make_bot("always-call"), make_bot("always-call"), wrong]
            results = await asyncio.gather(
                *(aio.play(running.address, bot, [seat]) for bot, seat in zip(bots, seats, strict=True))
            )
            assert [(one.reason, one.hands) for (one,) in results] == [("TABLE_ENDED", 6)] * 3
            events = events_of(running, table_id)
            applied = [
                one.fault_applied
                for one in events
                if isinstance(one, record_pb2.StoredEvent) and one.HasField("fault_applied")
            ]
            assert {(one.seat, one.policy) for one in applied} == {(3, table_pb2.FAULT_POLICY_FORFEIT_HAND)}
            assert len(applied) == 6, "a decision a hand, the second refusal of the first one and the first of others"
            folds = [one for one in events if isinstance(one, Event) and one.rule == "TIME-4"]
            assert [(one.seat, one.kind) for one in folds] == [(3, EventKind.FOLDED)] * 6
            assert verified(running, table_id).divergence is None

    run(go())


@rule("TIME-4")
def test_no_seat_forfeits_its_own_hand(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await opened(running, 2)
            seats = [await aio.take_seat(running.address, table_id, name=f"p{number}") for number in range(2)]
            request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=seats[0].seat_token)
            request.propose.request_id = "r1"
            request.propose.proposal.hand_id, request.propose.proposal.decision_id = f"{table_id}-1", 1
            request.propose.proposal.action.forfeit.SetInParent()
            assert await status_of(running.stub.SubmitAction(request)) == grpc.StatusCode.INVALID_ARGUMENT

    run(go())


def test_a_table_with_a_fault_policy_that_is_none_is_refused(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            for faults in (
                {"max_faults": 0, "policy": 2},
                {"max_faults": 1, "policy": 0},
                {"max_faults": 1, "policy": 5},
            ):
                config = {"rule_set_name": "irish/full-tilt@1", "structure": 1, "seats": 3, "starting_stack": 100}
                config |= {"stakes": {"small_blind": 1, "big_blind": 2}, "faults": faults}
                request = table_pb2.CreateTableRequest(request_id="r1", config=config)
                status = await status_of(running.stub.CreateTable(request, metadata=running.host))
                assert status == grpc.StatusCode.INVALID_ARGUMENT

    run(go())


def test_the_plain_calls_do_the_same(tmp_path):
    with served(tmp_path) as (address, token):
        counted = FaultRules(3, FaultPolicy.NOTHING)
        options = {"stakes": STAKES, "seats": 3, "starting_stack": 200, "top_up_to": 300, "faults": counted}
        table_id = create_table(address, token=token, **options)
        seat = take_seat(address, table_id, name="one")
        sit_out(address, seat)
        sit_in(address, seat, posts=True)
        top_up(address, seat, 300)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            top_up(address, seat, 301)
        assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert "at most 300" in refused.value.details()
