"""Streams that are cut, slow, silent, flooding, not allowed or doubled: a documented end each, no harm to others."""

import asyncio
import random

import grpc
import pytest

from referee.limits import (
    ATTACH_WITHIN_MS,
    BYTES_IN_A_STREAM_MESSAGE,
    BYTES_QUEUED_FOR_A_READER,
    HEARTBEAT_MS,
    ITEMS_QUEUED_FOR_A_READER,
    ITEMS_QUEUED_FOR_A_TABLE,
    MESSAGE_BYTES,
    TABLES_ON_A_STREAM,
    TOLD_WITHIN_MS,
)
from referee.service.streams import Reader, View
from referee.store.sqlite import StoreError
from referee.table.items import Question, heartbeat_item, table_field
from referee.table.owner import StoppedError
from referee.v1 import hand_pb2, table_pb2
from tests.service.playing import Follower, answer_to, attach_item, propose_item, run, tables
from tests.support import scale

ENDED = table_pb2.STREAM_END_REASON_TABLE_ENDED


def kind_of(item):
    """What a message is about, fine enough that cutting after each kind is cutting everywhere."""
    kind = item.WhichOneof("item")
    if kind != "event":
        return kind
    event = item.event
    name = event.WhichOneof("event")
    return f"{name} {event.hand_event.kind}" if name == "hand_event" else name


async def read_items(call, until):
    """Items of a stream up to and with the first that ``until`` accepts, or all when the stream ends before."""
    items = []
    while True:
        message = await call.read()
        if message == grpc.aio.EOF:
            return items
        for item in message.items:
            items.append(item)
            if until(item):
                return items


def everything_once(running, table_id, follower, viewer, hands):
    """The follower saw every event of its view, none twice, whatever was cut."""
    owner = running.store.hub.find(table_id)
    right = owner.seen_events(viewer, owner.stored(1, hands))
    seen = [event for event in follower.events if event.hand >= 1]
    assert seen == right


def test_a_stream_cut_after_every_kind_of_message_misses_and_doubles_nothing(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            kinds_cut = set()
            for seed in range(scale(6, 60)):
                table_id, tokens = await running.seated(seats=3, hands=4)
                followers = {seat: Follower() for seat in tokens}
                rng = random.Random(seed)

                def cut(item, rng=rng):
                    kind = kind_of(item)
                    if kind in kinds_cut and rng.random() > 0.1:
                        return False
                    kinds_cut.add(kind)
                    return kind != "end"

                ends = await asyncio.gather(
                    *(running.play_seat(table_id, token, seat, followers[seat], cut) for seat, token in tokens.items())
                )
                assert set(ends) == {ENDED}
                for seat, follower in followers.items():
                    everything_once(running, table_id, follower, seat, 4)
            assert {"snapshot", "decision", "answered", "hand_began", "decision_opened"} <= kinds_cut
            assert sum(kind.startswith("hand_event") for kind in kinds_cut) >= 12

    run(go(), 240)


def test_the_open_decision_is_repeated_with_the_time_that_remains(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, clock={"action_ms": 60_000, "bank_ms": 1_000})
            (seat,) = running.store.hub.find(table_id).table.decisions
            asked = []
            for _ in range(3):
                call = running.stub.Play()
                await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[seat])]))
                async for message in call:
                    asked += [item.decision for item in message.items if item.WhichOneof("item") == "decision"]
                    if asked:
                        break
                call.cancel()
            assert len({(one.hand_id, one.legal.decision_id) for one in asked}) == 1
            remaining = [one.remaining_ms for one in asked]
            assert remaining == sorted(remaining, reverse=True)
            assert all(0 < one <= 61_000 for one in remaining)

    run(go())


def test_a_newer_connection_replaces_the_older_one(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2)
            older, newer = running.stub.Play(), running.stub.Play()
            await older.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1])]))
            assert (await older.read()).items[0].WhichOneof("item") == "snapshot"
            await newer.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1])]))
            assert (await newer.read()).items[0].WhichOneof("item") == "snapshot"
            items = await read_items(older, lambda item: item.HasField("end"))
            assert items[-1].end.reason == table_pb2.STREAM_END_REASON_REPLACED
            older.cancel()
            newer.cancel()

    run(go())


def test_a_wrong_token_or_table_is_not_allowed_and_ends_nothing_else(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2)
            call = running.stub.Play()
            parts = [
                attach_item(table_id, "nobody"),
                attach_item("no-table", tokens[1]),
                propose_item("elsewhere", {"hand_id": "x", "decision_id": 1, "action": {"fold": {}}}),
                attach_item(table_id, tokens[1]),
            ]
            await call.write(table_pb2.PlayRequest(items=parts))
            kinds = []
            while "snapshot" not in kinds:
                for item in (await call.read()).items:
                    kinds.append(item.WhichOneof("item"))
                    if kinds[-1] == "end":
                        assert item.end.reason == table_pb2.STREAM_END_REASON_NOT_ALLOWED
            assert kinds[:3] == ["end"] * 3
            call.cancel()
            watch = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id, seat_token="nobody"))
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await watch.read()
            assert error.value.code() == grpc.StatusCode.PERMISSION_DENIED

    run(go())


def test_a_cursor_from_the_future_is_not_known(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2)
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1], (77, 0))]))
            (item,) = (await call.read()).items
            assert item.end.reason == table_pb2.STREAM_END_REASON_CURSOR_UNKNOWN
            call.cancel()

    run(go())


def test_a_flooding_client_is_cut_off_and_the_others_play_on(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=3, hands=6, clock={"action_ms": 150})
            flood = running.stub.Play()
            await flood.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1])]))
            nonsense = propose_item(table_id, {"hand_id": "x", "decision_id": 9, "action": {"fold": {}}}, "same")
            many = table_pb2.PlayRequest(items=[nonsense] * 1000)

            async def flooding():
                try:
                    for _ in range(20):
                        await flood.write(many)
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    pass

            async def until_end():
                async for message in flood:
                    for item in message.items:
                        if item.WhichOneof("item") == "end":
                            return item.end.reason
                return None

            flooder = asyncio.create_task(flooding())
            end = asyncio.create_task(until_end())
            others = [running.play_seat(table_id, tokens[seat], seat, Follower()) for seat in (2, 3)]
            assert set(await asyncio.gather(*others)) == {ENDED}
            assert await end == table_pb2.STREAM_END_REASON_FLOODING
            await flooder
            flood.cancel()

    run(go())


def test_a_silent_seat_and_one_that_never_reads_lose_only_their_own_time(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=4, hands=5, clock={"action_ms": 120})
            unread = running.stub.Play()
            await unread.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1])]))
            followers = {seat: Follower() for seat in (3, 4)}  # seat 2 never connects
            ends = await asyncio.gather(
                *(running.play_seat(table_id, tokens[seat], seat, followers[seat]) for seat in followers)
            )
            assert set(ends) == {ENDED}
            for seat, follower in followers.items():
                everything_once(running, table_id, follower, seat, 5)
                refused = [
                    item for item in follower.items if item.HasField("answered") and not item.answered.ruling.accepted
                ]
                assert not refused
            unread.cancel()

    run(go())


def test_a_reader_that_lets_too_much_queue_up_is_cut_off_with_an_end():
    async def go():
        reader = Reader(FakeTime(), 1)
        cut = []
        reader.on_cut_off = lambda: cut.append(True)
        view = View(reader, None, 1, alone=True)
        for _ in range(ITEMS_QUEUED_FOR_A_READER + ITEMS_QUEUED_FOR_A_TABLE):
            view.tell([heartbeat_item(1)])
        assert not reader.ended
        view.tell([heartbeat_item(1)])
        assert reader.ended
        assert cut == [True], "its views are let go whether it reads the end or not"
        writer = Writer()
        await reader.write_all(writer)
        (item,) = (await writer.next()).items
        assert item.end.reason == table_pb2.STREAM_END_REASON_TOO_SLOW
        reader.put([heartbeat_item(1)])
        assert writer.written.empty()

    run(go())


def room_of(reader, step=64):
    """How many items more may be queued, found by queueing so many at a time until it is cut off."""
    for number in range(0, 10**6, step):
        reader.put([b"item"] * step)
        if reader.ended:
            return number
    raise AssertionError("no bound")


def test_each_table_that_a_stream_follows_raises_the_bound_and_one_that_is_left_counts_until_it_is_written():
    async def go():
        def followed(tables):
            reader = Reader(FakeTime(), 1)
            return reader, [View(reader, None, 1, alone=False) for _ in range(tables)]

        tables = (0, 1, TABLES_ON_A_STREAM)
        bounds = [room_of(followed(number)[0]) for number in tables]
        assert bounds == [ITEMS_QUEUED_FOR_A_READER + number * ITEMS_QUEUED_FOR_A_TABLE for number in tables]

        # Tables that end all at once: what was queued of them does not cut the stream off.
        reader, views = followed(100)
        for view in views:
            view.tell([b"item"] * (ITEMS_QUEUED_FOR_A_TABLE - 1))
        for view in views:
            view.leave()
            reader.put([b"last"])
        assert not reader.ended
        written = asyncio.Queue()
        writing = asyncio.ensure_future(reader.write_all(written.put))
        message = await written.get()
        assert (message.count(b"item"), message.count(b"last")) == (100 * (ITEMS_QUEUED_FOR_A_TABLE - 1), 100)
        writing.cancel()
        assert room_of(reader) == ITEMS_QUEUED_FOR_A_READER, "they are left, and nothing of them is queued"

        # Attaching and leaving again and again without reading raises it no further than the tables of a stream can.
        reader = Reader(FakeTime(), 1)
        for _ in range(3 * TABLES_ON_A_STREAM):
            View(reader, None, 1, alone=False).leave()
        assert room_of(reader) == ITEMS_QUEUED_FOR_A_READER + TABLES_ON_A_STREAM * ITEMS_QUEUED_FOR_A_TABLE

    run(go())


def test_a_bot_whose_many_tables_go_in_step_on_one_stream_is_not_cut_off(tmp_path):
    """All tables tell of a hand's end and of the next one in one step: more items than one table's reader may have."""
    many = scale(500, 900)

    async def go():
        async with tables(tmp_path) as running:
            options = {"seats": 2, "rule_set": "holdem/tda@1", "hands": 2, "clock": {"action_ms": 60_000}}
            seated = await asyncio.gather(*[running.seated(**options) for _ in range(many)])

            async def play(seat):
                call, ends = running.stub.Play(), []
                parts = [attach_item(table_id, tokens[seat]) for table_id, tokens in seated]
                await call.write(table_pb2.PlayRequest(items=parts, max_open_decisions=many))
                while len(ends) < many:
                    answers = []
                    for item in (await call.read()).items:
                        if item.HasField("decision"):
                            answers.append(propose_item(item.table_id, checks_or_calls(item.decision)))
                        elif item.HasField("end"):
                            ends.append(item.end.reason)
                    if answers:
                        await call.write(table_pb2.PlayRequest(items=answers))
                call.cancel()
                return set(ends)

            assert await asyncio.gather(play(1), play(2)) == [{ENDED}, {ENDED}]

    run(go(), 300)


def checks_or_calls(decision):
    """The proposal that checks, or calls."""
    proposal = hand_pb2.Proposal(hand_id=decision.hand_id, decision_id=decision.legal.decision_id)
    (proposal.action.check if decision.legal.can_check else proposal.action.call).SetInParent()
    return proposal


def test_what_is_queued_is_bounded_in_bytes_as_well():
    async def go():
        reader = Reader(FakeTime(), 1)
        big = bytes(BYTES_QUEUED_FOR_A_READER // 8)
        for _ in range(8):
            reader.put([big])
        assert not reader.ended
        reader.put([b"y"])
        assert reader.ended

    run(go())


@pytest.mark.rule("TIME-1")
def test_what_is_too_long_for_a_message_is_written_in_several_and_a_clock_starts_with_its_own():
    async def go():
        reader, owner = Reader(FakeTime(), max_open=10), Clocks()
        for seat, share in ((1, 0.4), (2, 0.8), (3, 1.5)):
            reader.put([bytes(int(BYTES_IN_A_STREAM_MESSAGE * share))])
            View(reader, owner, seat, alone=False).ask(seat, question(seat))
        reader.end("table", ENDED)
        written, started = [], []

        async def write(message):
            written.append(len(message) / BYTES_IN_A_STREAM_MESSAGE)
            started.append(list(owner.started))

        await reader.write_all(write)
        assert written == [pytest.approx(share, abs=0.001) for share in (0.4, 0.8, 1.5, 0)], "only an item is longer"
        assert started == [[], [1], [1, 2], [1, 2]]
        assert owner.started == [1, 2, 3]
        assert max(written) * BYTES_IN_A_STREAM_MESSAGE < MESSAGE_BYTES, "what clients take unless told otherwise"

    run(go())


class Clocks:
    """A table's owner as far as a reader needs it: whose clock was started."""

    table_id = "table"

    def __init__(self):
        self.started = []

    def clock_starts(self, hand, seat, decision_id):
        self.started.append(seat)


def question(seat):
    """A seat's decision with some time for it."""
    return Question(table_field("table"), "hand", 1, b"", 10_000)


class Writer:
    """Takes what a reader writes, as messages."""

    def __init__(self):
        self.written = asyncio.Queue()

    async def __call__(self, message):
        self.written.put_nowait(table_pb2.PlayResponse.FromString(message))

    async def next(self):
        return await self.written.get()


class FakeTime:
    """Time that passes when the test says so."""

    def __init__(self):
        self.now = 1_000_000
        self.alarms = []

    def now_ms(self):
        return self.now

    def call_at(self, moment_ms, call):
        alarm = FakeAlarm(moment_ms, call)
        self.alarms.append(alarm)
        return alarm

    def pass_ms(self, span):
        self.now += span
        due = [alarm for alarm in self.alarms if alarm.moment <= self.now and not alarm.cancelled]
        self.alarms = [alarm for alarm in self.alarms if alarm not in due]
        for alarm in due:
            alarm.call()


class FakeAlarm:
    def __init__(self, moment, call):
        self.moment, self.call, self.cancelled = moment, call, False

    def cancel(self):
        self.cancelled = True


def test_a_quiet_stream_has_heartbeats_and_a_busy_one_has_none():
    async def go():
        time = FakeTime()
        reader = Reader(time, 1)
        writer = Writer()
        writing = asyncio.ensure_future(reader.write_all(writer))
        await asyncio.sleep(0)
        time.pass_ms(HEARTBEAT_MS)
        (item,) = (await writer.next()).items
        assert item.heartbeat.time_unix_ms == time.now
        reader.put([heartbeat_item(7)])
        assert (await writer.next()).items[0].heartbeat.time_unix_ms == 7
        time.pass_ms(HEARTBEAT_MS - 1)
        await asyncio.sleep(0)
        assert writer.written.empty()
        writing.cancel()

    run(go())


def test_what_needs_no_answer_waits_a_moment_for_what_does():
    async def go():
        time = FakeTime()
        reader = Reader(time, 1)
        writer = Writer()
        writing = asyncio.ensure_future(reader.write_all(writer))
        await asyncio.sleep(0)
        reader.put_in_time([heartbeat_item(1)])
        assert len((await writer.next()).items) == 1, "a stream on which nothing was said is told at once"
        reader.put_in_time([heartbeat_item(2)])
        time.pass_ms(TOLD_WITHIN_MS - 1)
        await asyncio.sleep(0)
        assert writer.written.empty()
        reader.put([heartbeat_item(3)])
        told = [item.heartbeat.time_unix_ms for item in (await writer.next()).items]
        assert told == [2, 3], "in order, in one message"
        reader.put_in_time([heartbeat_item(4)])
        time.pass_ms(1)
        await asyncio.sleep(0)
        assert (await writer.next()).items[0].heartbeat.time_unix_ms == 4, "never later than stated"
        reader.put_in_time([heartbeat_item(5)])
        time.pass_ms(TOLD_WITHIN_MS)
        assert (await writer.next()).items[0].heartbeat.time_unix_ms == 5
        writing.cancel()

    run(go())


@pytest.mark.rule("TIME-1")
def test_decisions_beyond_the_announced_number_wait_with_their_clocks_stopped(tmp_path):
    """One stream plays a seat of three tables and takes one decision at a time, for longer than a decision may last."""

    async def go():
        async with tables(tmp_path) as running:
            seats = []
            for _ in range(3):
                table_id, tokens = await running.seated(seats=2, hands=1, clock={"action_ms": 400})
                owner = running.store.hub.find(table_id)
                (seat,) = owner.table.decisions
                seats.append((table_id, tokens[seat], owner, seat))
            call = running.stub.Play()
            parts = [attach_item(table_id, token) for table_id, token, _, _ in seats]
            await call.write(table_pb2.PlayRequest(items=parts, max_open_decisions=1))
            open_now, order = None, []
            rng = random.Random(1)
            async for message in call:
                for item in message.items:
                    match item.WhichOneof("item"):
                        case "decision":
                            assert open_now is None, "one at a time"
                            open_now = item
                            waiting = [s for s in seats if s[0] not in order and s[0] != item.table_id]
                            for _, _, owner, seat in waiting:
                                decision = owner.table.decisions[seat]
                                assert decision.started_ms is None or decision.spent_at(owner.table.config, 0) == 0
                            order.append(item.table_id)
                            answer = propose_item(item.table_id, answer_to(item.decision, rng))
                            open_now = None
                            await call.write(table_pb2.PlayRequest(items=[answer]))
                        case "answered":
                            assert item.answered.ruling.accepted
                if len(set(order)) == 3:
                    break
            call.cancel()

    run(go())


def test_a_draining_server_says_so_and_another_goes_on_with_the_same_decision(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, clock={"action_ms": 60_000})
            (seat,) = running.store.hub.find(table_id).table.decisions
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[seat])]))
            first = (await read_items(call, lambda item: item.HasField("decision")))[-1].decision
            draining = asyncio.create_task(running.server.drain(1))
            ends = await read_items(call, lambda item: item.HasField("end"))
            assert ends[-1].end.reason == table_pb2.STREAM_END_REASON_SERVER_DRAINING
            await draining
        async with tables(tmp_path) as running:
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[seat])]))
            second = (await read_items(call, lambda item: item.HasField("decision")))[-1].decision
            assert (second.hand_id, second.legal) == (first.hand_id, first.legal)
            call.cancel()

    run(go())


@pytest.mark.rule("DEAL-4", "DISC-5")
def test_a_new_holder_of_a_seat_sees_nothing_of_the_one_before_him(tmp_path):
    """He resumes from a cursor of before his time: hole cards and discards of his predecessor stay hidden."""

    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=3, hands=0)
            owner = running.store.hub.find(table_id)
            leaver = 2
            await running.stub.LeaveSeat(
                table_pb2.LeaveSeatRequest(request_id="l", table_id=table_id, seat_token=tokens[leaver])
            )
            rng = random.Random(3)
            others = {seat: Follower() for seat in (1, 3)}
            playing = [
                asyncio.create_task(running.play_seat(table_id, tokens[seat], seat, others[seat])) for seat in others
            ]
            while leaver in owner.table.seats:
                await asyncio.sleep(0.001)
            seat, token = await running.sit(table_id, leaver)
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, token, (1, 0))]))
            items = await read_items(call, lambda item: item.HasField("snapshot"))
            first = [event.hand_event for event in items[-1].snapshot.events if event.hand == 1]
            dealt = [event for event in first if event.kind == 4 and event.seat == seat]
            assert [list(event.cards) for event in dealt] == [["??"] * 4]
            assert all(set(event.cards) == {"??"} for event in first if event.kind == 14)
            assert rng is not None
            call.cancel()
            for task in playing:
                task.cancel()

    run(go())


@pytest.mark.rule("TIME-1", "DISC-6")
def test_a_seat_cannot_say_that_its_own_time_is_over(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2)
            owner = running.store.hub.find(table_id)
            (seat,) = owner.table.decisions
            proposal = {"hand_id": owner.table.hand.setup.hand_id, "decision_id": 1, "action": {"timeout": {}}}
            request = table_pb2.SubmitActionRequest(
                table_id=table_id, seat_token=tokens[seat], propose={"request_id": "t", "proposal": proposal}
            )
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await running.stub.SubmitAction(request)
            assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT
            call = running.stub.Play()
            parts = [attach_item(table_id, tokens[seat]), propose_item(table_id, proposal)]
            await call.write(table_pb2.PlayRequest(items=parts))
            items = await read_items(call, lambda item: item.HasField("answered"))
            assert not items[-1].answered.ruling.accepted
            assert seat in owner.table.decisions
            call.cancel()

    run(go())


def test_attaching_again_on_the_same_stream_asks_the_open_decision_again(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2)
            (seat,) = running.store.hub.find(table_id).table.decisions
            call = running.stub.Play()
            for _ in range(3):
                await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[seat])]))
                assert (await read_items(call, lambda item: item.HasField("decision")))[-1].decision.legal.seat == seat
            call.cancel()

    run(go())


def test_leaving_twice_under_one_request_id_is_leaving_once(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, hands=1)
            leave = table_pb2.LeaveSeatRequest(request_id="l", table_id=table_id, seat_token=tokens[1])
            await running.stub.LeaveSeat(leave)
            owner = running.store.hub.find(table_id)
            if not owner.table.has_ended:
                await running.stub.LeaveSeat(leave)

    run(go())


def test_a_store_that_fails_tells_nothing_and_play_goes_on_when_it_works_again(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, hands=3)
            owner = running.store.hub.find(table_id)
            (seat,) = owner.table.decisions
            before = owner.next_number
            owner.store._file.execute("PRAGMA query_only = ON")
            watching = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id))
            await read_items(watching, lambda item: item.HasField("snapshot"))
            proposal = {"hand_id": owner.table.hand.setup.hand_id, "decision_id": 1, "action": {"call": {}}}
            request = table_pb2.SubmitActionRequest(
                table_id=table_id, seat_token=tokens[seat], propose={"request_id": "once", "proposal": proposal}
            )
            for _ in range(3):
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await running.stub.SubmitAction(request)
                assert error.value.code() == grpc.StatusCode.UNAVAILABLE
            ends = await read_items(watching, lambda item: item.HasField("end"))
            assert [item.WhichOneof("item") for item in ends] == ["end"], "nothing of what was not kept was told"
            assert ends[-1].end.reason == table_pb2.STREAM_END_REASON_STORE_FAILED
            assert owner.next_number == before
            owner.store._file.execute("PRAGMA query_only = OFF")
            answer = await running.stub.SubmitAction(request)
            assert answer.answered.ruling.accepted
            followers = {seat: Follower() for seat in tokens}
            plays = [running.play_seat(table_id, token, seat, followers[seat]) for seat, token in tokens.items()]
            assert set(await asyncio.gather(*plays)) == {ENDED}

    run(go())


@pytest.mark.rule("DEAL-4")
def test_the_stream_of_who_has_left_ends_and_shows_nothing_of_the_next_holder(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=3, hands=0)
            owner = running.store.hub.find(table_id)
            old = running.stub.Play()
            await old.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[2])]))
            await read_items(old, lambda item: item.HasField("snapshot"))
            leave = table_pb2.LeaveSeatRequest(request_id="l", table_id=table_id, seat_token=tokens[2])
            await running.stub.LeaveSeat(leave)
            playing = [
                asyncio.create_task(running.play_seat(table_id, tokens[seat], seat, Follower())) for seat in (1, 3)
            ]
            items = await read_items(old, lambda item: item.HasField("end"))
            assert items[-1].end.reason == table_pb2.STREAM_END_REASON_NOT_ALLOWED
            assert {item.event.hand for item in items if item.HasField("event")} <= {1}
            while 2 in owner.table.seats:
                await asyncio.sleep(0.001)
            _, newer = await running.sit(table_id, 2)
            review = table_pb2.ReviewHandRequest(table_id=table_id, hand=1, seat_token=tokens[2])
            own = (await running.stub.ReviewHand(review)).events
            dealt = [one.hand_event.cards for one in own if one.hand_event.kind == 4 and one.hand_event.seat == 2]
            assert "??" not in dealt[0], "who was dealt in may review his hand after he has left"
            review.seat_token = newer
            other = (await running.stub.ReviewHand(review)).events
            dealt = [one.hand_event.cards for one in other if one.hand_event.kind == 4 and one.hand_event.seat == 2]
            assert set(dealt[0]) == {"??"}, "who came later reviews as anybody"
            for task in playing:
                task.cancel()
            old.cancel()

    run(go())


@pytest.mark.rule("BET-9")
def test_the_last_answer_of_a_table_is_given_again_after_its_end_and_ids_are_each_seats_own(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, hands=1, rule_set="holdem/tda@1")
            owner = running.store.hub.find(table_id)
            hand_id = owner.table.hand.setup.hand_id
            (first,) = owner.table.decisions

            def submit(seat, action):
                proposal = {"hand_id": hand_id, "decision_id": 1, "action": action}
                propose = {"request_id": "the same", "proposal": proposal}
                return running.stub.SubmitAction(
                    table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
                )

            assert (await submit(first, {"call": {}})).answered.ruling.accepted
            assert not (await submit(3 - first, {"call": {}})).answered.ruling.accepted, (
                "nothing is owed; no id is used up"
            )
            again = (await submit(first, {"call": {}})).answered
            assert again.ruling.accepted
            await running.stub.CloseTable(
                table_pb2.CloseTableRequest(request_id="c", table_id=table_id), metadata=running.host
            )
            ends = [running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()]
            assert set(await asyncio.gather(*ends)) == {ENDED}
            assert (await submit(first, {"call": {}})).answered == again
            await running.stub.CloseTable(
                table_pb2.CloseTableRequest(request_id="c", table_id=table_id), metadata=running.host
            )

    run(go())


def test_a_command_that_fails_by_a_fault_of_ours_leaves_nothing_behind(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, hands=2)
            owner = running.store.hub.find(table_id)
            before = owner.next_number

            def broken():
                owner.table.seats[1].stack = 10**6
                owner.table.close(0)
                raise AssertionError("an invariant")

            with pytest.raises(StoreError):
                await owner.run(broken)
            assert owner.next_number == before
            assert owner.table.seats[1].stack == 200
            assert not owner.table.closing
            plays = [running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()]
            assert set(await asyncio.gather(*plays)) == {ENDED}

    run(go())


def test_a_stream_that_attaches_nothing_is_ended_and_one_that_does_is_not(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2)
            hub = running.store.hub
            hub.time = time = FakeTime()
            idle, busy = running.stub.Play(), running.stub.Play()
            await idle.write(table_pb2.PlayRequest(items=[attach_item(table_id, "nobody")]))
            await busy.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1])]))
            await read_items(idle, lambda item: item.HasField("end"))
            await read_items(busy, lambda item: item.HasField("snapshot"))
            time.pass_ms(ATTACH_WITHIN_MS)
            items = await read_items(idle, lambda item: not item.table_id)
            assert items[-1].end.reason == table_pb2.STREAM_END_REASON_NOT_ALLOWED
            await busy.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[1])]))
            assert (await read_items(busy, lambda item: item.HasField("snapshot")))[-1].HasField("snapshot")
            for call in (idle, busy):
                call.cancel()

    run(go())


@pytest.mark.rule("TIME-1")
def test_a_decision_that_waited_on_a_stream_has_its_clock_when_the_stream_is_gone(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            seats = []
            for _ in range(3):
                table_id, tokens = await running.seated(seats=2, clock={"action_ms": 60_000})
                owner = running.store.hub.find(table_id)
                (seat,) = owner.table.decisions
                seats.append((table_id, tokens[seat], owner, seat))
            call = running.stub.Play()
            parts = [attach_item(table_id, token) for table_id, token, _, _ in seats]
            await call.write(table_pb2.PlayRequest(items=parts, max_open_decisions=1))
            snapshots = 0

            def all_attached(item):
                nonlocal snapshots
                snapshots += item.HasField("snapshot")
                return snapshots == 3

            await read_items(call, all_attached)
            call.cancel()
            while any(owner.table.decisions[seat].started_ms is None for _, _, owner, seat in seats):
                await asyncio.sleep(0.001)

    run(go())


def test_a_fault_in_telling_stops_one_table_and_no_other(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            broken_id, _ = await running.seated(seats=2, hands=2)
            sound_id, tokens = await running.seated(seats=2, hands=2)
            owner = running.store.hub.find(broken_id)

            class Faulty:
                viewer, holder, ended = 0, b"", False

                def tell(self, items):
                    raise AssertionError("a fault of ours")

                def end(self, reason):
                    self.ended = True

            watching = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=broken_id))
            await read_items(watching, lambda item: item.HasField("snapshot"))
            owner.audience.subscribers.append(Faulty())
            plays = [running.play_seat(sound_id, token, seat, Follower()) for seat, token in tokens.items()]
            leaving = owner.run(lambda: owner.table.leave_seat(1, running.store.hub.time.now_ms()))
            ends = await asyncio.gather(leaving, *plays, return_exceptions=True)
            assert set(ends[1:]) == {ENDED}, "the other table plays on"
            items = await read_items(watching, lambda item: item.HasField("end"))
            assert items[-1].end.reason == table_pb2.STREAM_END_REASON_STORE_FAILED
            with pytest.raises(StoppedError):
                await owner.run(lambda: None)

    run(go())
