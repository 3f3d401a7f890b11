"""The simple way to play: watching a table and submitting each answer by a call of its own."""

import asyncio

import grpc
import pytest

from referee.client import aio
from referee.rules.rulings import ActionKind
from referee.v1 import table_pb2
from tests.client.scripted import BACKOFF, End, Told, Waits, run, scripted

FOLD = ActionKind.FOLD


async def watch(address, bot, **options):
    options = {"backoff": BACKOFF, "sleep": Waits()} | options
    return await aio.play_watching(address, bot, ("table", "token"), **options)


class Submits:
    """Rules on what is submitted, and puts what follows into the stream."""

    def __init__(self, told):
        self.told = told
        self.stream = None
        self.proposed = []

    async def __call__(self, request, context):
        assert (request.table_id, request.seat_token) == ("table", "token")
        self.proposed.append(request.propose)
        answered, *events = self.told.ruling(request.propose)
        if events:
            await self.stream.say(events)
        return answered.answered


def one_decision(told, submits):
    async def script(stream):
        submits.stream = stream
        await stream.say(told.snapshot(), told.to_my_turn())
        while told.hand.street == 0:
            await asyncio.sleep(0)
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    return script


def test_a_bot_plays_by_watching_and_submitting():
    told = Told()
    submits = Submits(told)

    async def body():
        async with scripted(one_decision(told, submits)) as (service, address):
            service.submit = submits
            played = await watch(address, lambda decision: decision.check_or_call())
        assert (played.reason, played.decisions, played.refusals) == ("TABLE_ENDED", 1, 0)
        (watched,) = service.watched
        assert (watched.table_id, watched.seat_token, watched.HasField("cursor")) == ("table", "token", False)

    run(body())


@pytest.mark.parametrize("is_async", [False, True])
def test_refusals_are_the_same_as_over_a_stream(is_async):
    told, refusals = Told(), []
    submits = Submits(told)

    def bot(decision):
        return decision.fold()

    async def async_bot(decision):
        return decision.fold()

    async def body():
        async with scripted(one_decision(told, submits)) as (service, address):
            service.submit = submits
            played = await watch(
                address, async_bot if is_async else bot, max_refusals=2, on_refused=lambda *what: refusals.append(what)
            )
        assert (played.decisions, played.refusals, played.defaults) == (1, 3, 1)
        assert len({one.request_id for one in submits.proposed}) == 4
        assert [ruling.reason.name for _, ruling in refusals] == ["NOTHING_TO_FOLD_TO"] * 3

    run(body())


def test_an_answer_is_submitted_under_the_same_id_until_it_is_acknowledged():
    told, waits = Told(), Waits()
    submits = Submits(told)
    heard = []

    async def submit(request, context):
        heard.append(request)
        if len(heard) < 3:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "away")
        return await submits(request, context)

    async def body():
        async with scripted(one_decision(told, submits)) as (service, address):
            service.submit = submit
            await watch(address, lambda decision: decision.check(), sleep=waits)
        assert heard[0] == heard[1] == heard[2]
        assert len(waits.seconds) == 2

    run(body())


def test_a_table_that_takes_no_answer_now_is_watched_again_and_the_answer_is_the_same():
    told, asked = Told(), []
    submits = Submits(told)

    async def stopping(stream):
        await stream.say(told.snapshot(), told.to_my_turn())
        await stream.silence()

    async def going_on(stream):
        submits.stream = stream
        await stream.say(told.snapshot(), told.decision())
        while told.hand.street == 0:
            await asyncio.sleep(0)
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    heard = []

    async def submit(request, context):
        heard.append(request)
        if len(heard) == 1:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the table is not being played")
        return await submits(request, context)

    async def body():
        async with scripted(stopping, going_on) as (service, address):
            service.submit = submit
            await watch(address, lambda decision: asked.append(decision) or decision.check())
        assert heard[0] == heard[1]
        assert len(asked) == 1
        assert service.watched[1].HasField("cursor")

    run(body())


def test_a_call_that_would_not_go_better_later_raises_its_error():
    told = Told()
    submits = Submits(told)

    async def submit(request, context):
        await context.abort(grpc.StatusCode.PERMISSION_DENIED, "no")

    async def body():
        async with scripted(one_decision(told, submits)) as (service, address):
            service.submit = submit
            with pytest.raises(grpc.aio.AioRpcError):
                await watch(address, lambda decision: decision.check())

    run(body())


@pytest.mark.parametrize("how", ["UNAVAILABLE", "CANCELLED", None])
def test_a_stream_that_is_cut_is_resumed_from_the_cursor(how):
    told = Told()

    async def first(stream):
        await stream.say(told.snapshot(), told.begin())
        if how:
            await stream.cut(grpc.StatusCode[how])

    async def second(stream):
        await stream.say(told.snapshot(), told.act(2, FOLD), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second) as (service, address):
            played = await watch(address, lambda decision: decision.check())
        assert (played.hands, played.net, played.resumed) == (1, 5, 1)
        assert service.watched[1].cursor.hand == 1

    run(body())


def test_a_stream_that_falls_silent_is_resumed():
    told = Told()

    async def silent(stream):
        await stream.say(told.snapshot(), told.begin())
        await stream.silence()

    async def resumed(stream):
        await stream.say(told.snapshot(), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(silent, resumed) as (service, address):
            played = await watch(address, lambda decision: decision.check(), silence_s=0.2)
        assert (played.reason, played.resumed) == ("TABLE_ENDED", 1)
        assert service.watched[1].cursor.number == told.count

    run(body())


def test_a_gap_is_resumed_and_a_cursor_too_far_back_is_given_up():
    told = Told()

    async def with_a_gap(stream):
        items = told.begin()
        await stream.say(told.snapshot(), items[0], items[2:])
        await stream.silence()

    async def too_far_back(stream):
        await stream.cut(grpc.StatusCode.FAILED_PRECONDITION)

    async def whole(stream):
        await stream.say(told.snapshot(*told.log), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(with_a_gap, *[too_far_back] * 3, whole) as (service, address):
            played = await watch(address, lambda decision: decision.check())
        assert [request.HasField("cursor") for request in service.watched] == [False, True, True, True, False]
        assert played.reason == "TABLE_ENDED"

    run(body())


def test_a_table_is_left_after_the_stated_number_of_hands():
    told = Told()

    async def script(stream):
        await stream.say(told.snapshot(), told.begin(), told.act(2, FOLD))
        await stream.silence()

    async def body():
        async with scripted(script) as (service, address):
            played = await watch(address, lambda decision: decision.check(), hands=1)
        assert (played.hands, played.reason) == (1, "DETACHED")
        assert [request.seat_token for request in service.left] == ["token"]

    run(body())


def test_cancelling_cancels_the_stream():
    told = Told()

    async def body():
        begun = asyncio.Event()

        async def script(stream):
            await stream.say(told.snapshot(), told.begin())
            begun.set()
            await stream.silence()

        async with scripted(script) as (service, address):
            playing = asyncio.create_task(watch(address, lambda decision: decision.check()))
            await begun.wait()
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
            await service.gone.wait()

    run(body())


def test_an_unknown_way_to_end_is_resumed():
    told = Told()

    async def first(stream):
        await stream.say(told.snapshot(), table_pb2.PlayResponseItem(end=table_pb2.StreamEnd(reason=99)))
        await stream.silence()

    async def second(stream):
        await stream.say(told.snapshot(), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second) as (service, address):
            await watch(address, lambda decision: decision.check())
        assert service.streams == 2

    run(body())
