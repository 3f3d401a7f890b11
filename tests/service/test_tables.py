"""Tables over a real connection: opening, sitting down, whole sessions, reviews, and who may see what."""

import asyncio
import random
import uuid

import grpc
import pytest

from referee.record import wire
from referee.rules.events import EventKind
from referee.v1 import hand_pb2, judge_pb2, judge_pb2_grpc, table_pb2
from tests.service.playing import Follower, answer_to, attach_item, propose_item, run, tables
from tests.support import scale


async def status_of(waiting):
    try:
        await waiting
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def test_opening_a_table_needs_the_hosts_token_and_is_done_once_for_a_request_id(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            config = {
                "rule_set_name": "irish/full-tilt@1",
                "structure": 1,
                "stakes": {"small_blind": 1, "big_blind": 2},
            }
            config |= {"seats": 3, "starting_stack": 100}
            request = table_pb2.CreateTableRequest(request_id="r1", config=config)
            assert await status_of(running.stub.CreateTable(request)) == grpc.StatusCode.UNAUTHENTICATED
            wrong = (("authorization", "Bearer nobody"),)
            for metadata in (wrong, running.auditor):
                denied = await status_of(running.stub.CreateTable(request, metadata=metadata))
                assert denied == grpc.StatusCode.PERMISSION_DENIED
            first = await running.stub.CreateTable(request, metadata=running.host)
            again = await running.stub.CreateTable(request, metadata=running.host)
            assert first == again
            assert first.table_id
            request.config.seats = 4
            other = await status_of(running.stub.CreateTable(request, metadata=running.host))
            assert other == grpc.StatusCode.ALREADY_EXISTS
            request = table_pb2.CreateTableRequest(request_id="r2", config=config | {"structure": 3})
            refused = await running.stub.CreateTable(request, metadata=running.host)
            assert refused.refused.rule == "GAME-2"
            listed = await running.stub.ListTables(table_pb2.ListTablesRequest())
            assert [table.table_id for table in listed.tables] == [first.table_id]
            assert listed.tables[0].status == table_pb2.TABLE_STATUS_WAITING

    run(go())


def test_sitting_down_is_done_once_for_a_request_id_and_gives_the_same_token(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await running.create(seats=3)
            request = table_pb2.TakeSeatRequest(
                request_id="s1 of sixteen letters", table_id=table_id, seat=2, name="Anna"
            )
            first = await running.stub.TakeSeat(request)
            assert await running.stub.TakeSeat(request) == first
            assert first.seat == 2
            stored = running.store.hub.find(table_id).table.seats[2]
            assert first.seat_token.encode() not in stored.token_sha256
            assert len(stored.token_sha256) == 32
            taken = table_pb2.TakeSeatRequest(
                request_id="s2 of sixteen letters", table_id=table_id, seat=2, name="Boris"
            )
            assert await status_of(running.stub.TakeSeat(taken)) == grpc.StatusCode.FAILED_PRECONDITION
            none = table_pb2.TakeSeatRequest(
                request_id="s3 of sixteen letters", table_id="nobody", seat=2, name="Boris"
            )
            assert await status_of(running.stub.TakeSeat(none)) == grpc.StatusCode.NOT_FOUND

    run(go())


CASES = [
    ("irish/full-tilt@1", 1, 3),
    ("irish/full-tilt@1", 2, 2),
    ("irish/french-limit@1", 3, 4),
    ("holdem/tda@1", 1, 6),
    ("irish/tda@1", 3, 5),
    ("irish/french-minimum@1", 1, 10),
]


@pytest.mark.parametrize(("rule_set", "structure", "seats"), CASES)
@pytest.mark.parametrize("hide", [False, True])
def test_whole_sessions_are_judged_the_same_and_no_seat_ever_sees_a_hidden_card(
    tmp_path, rule_set, structure, seats, hide
):
    """The wire carries no other seat's hidden cards or discards, and every hand is judged again from its record."""

    async def go():
        async with tables(tmp_path) as running:
            options = {"rule_set": rule_set, "structure": structure, "seats": seats, "hands": scale(4, 100)}
            if hide:
                own = wire.rule_set_message(wire.published_rule_set(rule_set))
                own.name, own.hide_discard_progress = "test/hidden", True
                options |= {"rule_set_name": None, "rule_set": own}
                table_id, tokens = await seated_with(running, own, options)
            else:
                table_id, tokens = await running.seated(**options)
            followers = {seat: Follower() for seat in tokens}
            spectator, watching = Follower(), asyncio.create_task(watch(running, table_id))
            await asyncio.gather(
                *(running.play_seat(table_id, token, seat, followers[seat]) for seat, token in tokens.items())
            )
            for item in await watching:
                spectator.take(item)
            judge = judge_pb2_grpc.JudgeServiceStub(running.channel)
            for hand in range(1, options["hands"] + 1):
                record = await running.stub.GetHandRecord(
                    table_pb2.GetHandRecordRequest(table_id=table_id, hand=hand), metadata=running.auditor
                )
                judged = await judge.JudgeHand(judge_pb2.JudgeHandRequest(record=record.record))
                assert judged.judgement.agrees
                assert judged.judgement.settlement == record.settlement
                assert [p.proposal for p in record.proposals if p.accepted]
                for seat, follower in followers.items():
                    assert_secret(record, follower, seat, hand)
                assert_secret(record, spectator, 0, hand)
                for seat, token in tokens.items():
                    review = await running.stub.ReviewHand(
                        table_pb2.ReviewHandRequest(table_id=table_id, hand=hand, seat_token=token)
                    )
                    assert list(review.events) == [e for e in followers[seat].events if e.hand == hand]
            cursors = {follower.cursor for follower in (*followers.values(), spectator)}
            assert len(cursors) == 1 or hide

    run(go(), 120)


async def seated_with(running, own, options):
    config = {
        "rule_set": own,
        "structure": options["structure"],
        "stakes": {"small_blind": 1, "big_blind": 2},
        "seats": options["seats"],
        "starting_stack": 200,
        "reset_stacks": True,
        "hands": options["hands"],
    }
    request = table_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, config=config)
    table_id = (await running.stub.CreateTable(request, metadata=running.host)).table_id
    return table_id, dict([await running.sit(table_id) for _ in range(options["seats"])])


async def watch(running, table_id, **options):
    items = []
    async for message in running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id, **options)):
        items += message.items
    return items


def card_texts_in(message):
    """Every card in any list of a message, however deep it lies."""
    found = set()
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        for one in values:
            if field.message_type is not None:
                found |= card_texts_in(one)
            elif isinstance(one, str) and len(one) == 2 and one[0] in "23456789TJQKA" and one[1] in "cdhs":
                found.add(one)
    return found


def assert_secret(record, follower, viewer, hand):
    """Whatever the viewer was told during a hand has no card that DEAL-4, DISC-5 and SHOW-8 hide from him."""
    allowed = set()
    for event in (one.hand_event for one in record.events if one.WhichOneof("event") == "hand_event"):
        if event.kind in (EventKind.BOARD_DEALT, EventKind.HAND_SHOWN, EventKind.DISCARD_SHOWN) or event.seat == viewer:
            allowed |= set(event.cards)
    told = set()
    for item in follower.items:
        kind = item.WhichOneof("item")
        if (
            (kind == "event" and item.event.hand == hand)
            or (kind == "decision" and item.decision.hand == hand)
            or (kind == "answered" and f"-{hand}" in str(item))
        ):
            told |= card_texts_in(item)
        elif kind == "snapshot":
            for event in item.snapshot.events:
                if event.hand == hand:
                    told |= card_texts_in(event)
    assert told <= allowed, told - allowed


@pytest.mark.rule("BET-9")
def test_a_request_id_gives_its_first_answer_again_and_with_other_content_is_refused(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=2, rule_set="holdem/tda@1")
            owner = running.store.hub.find(table_id)
            (seat,) = owner.table.decisions
            hand_id = owner.table.hand.setup.hand_id

            def submit(request_id, decision_id, action, hand=hand_id):
                proposal = hand_pb2.Proposal(hand_id=hand, decision_id=decision_id, action=action)
                propose = table_pb2.Propose(request_id=request_id, proposal=proposal)
                return running.stub.SubmitAction(
                    table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
                )

            call, fold = {"call": {}}, {"fold": {}}
            first = (await submit("a", 1, call)).answered
            assert first.ruling.accepted
            assert (await submit("a", 1, call)).answered == first
            assert await status_of(submit("a", 1, fold)) == grpc.StatusCode.ALREADY_EXISTS
            assert (await submit("b", 1, call)).answered.ruling.reason == hand_pb2.REASON_OUT_OF_TURN
            other = (await submit("c", 1, call, "another hand")).answered.ruling
            assert other.reason == hand_pb2.REASON_WRONG_HAND
            assert await status_of(submit("d", 0, call)) == grpc.StatusCode.INVALID_ARGUMENT
            assert await status_of(submit("e", 1, call, "")) == grpc.StatusCode.INVALID_ARGUMENT
            assert (await submit("a", 1, call)).answered == first, "a refused answer did not replace it"
            await another_hand(running, table_id, tokens, owner)
            assert (await submit("a", 1, call)).answered == first, "out of the store, hands later"
            assert await status_of(submit("a", 1, fold)) == grpc.StatusCode.ALREADY_EXISTS
            assert (await submit("e", 1, call)).answered.ruling.reason == hand_pb2.REASON_WRONG_HAND

    run(go())


async def another_hand(running, table_id, tokens, owner):
    """Folds until the next hand but one is under way."""
    while owner.table.hand_number < 3:
        (seat,) = owner.table.decisions
        proposal = hand_pb2.Proposal(
            hand_id=owner.table.hand.setup.hand_id, decision_id=owner.table.decisions[seat].decision_id
        )
        if owner.table.options(seat).fold:
            proposal.action.fold.SetInParent()
        else:
            proposal.action.check.SetInParent()
        propose = table_pb2.Propose(request_id=f"{seat} at {proposal.decision_id}", proposal=proposal)
        answered = await running.stub.SubmitAction(
            table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
        )
        assert answered.answered.ruling.accepted


@pytest.mark.rule("DISC-3", "BET-9")
@pytest.mark.parametrize("hide", [False, True])
def test_concurrent_discards_make_nothing_stale_and_hidden_ones_leave_no_trace(tmp_path, hide):
    """All seats discard at once, in every order; with hidden progress what others get is the same to the byte."""

    async def go():
        async with tables(tmp_path) as running:
            own = wire.rule_set_message(wire.published_rule_set("irish/full-tilt@1"))
            own.name, own.hide_discard_progress = "test/discards", hide
            options = {"structure": 1, "seats": 6, "hands": 1}
            for order_seed in range(scale(6, 100)):
                await discard_at_once(running, own, options, order_seed, hide)

    run(go(), 120)


async def discard_at_once(running, own, options, order_seed, hide):
    table_id, tokens = await seated_with(running, own, options)
    owner = running.store.hub.find(table_id)
    streams = {seat: running.stub.Play() for seat in tokens}
    for seat, call in streams.items():
        await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, tokens[seat])]))

    async def until_discard(seat):
        async for message in streams[seat]:
            for item in message.items:
                if item.WhichOneof("item") != "decision":
                    continue
                if item.decision.legal.cards_to_discard:
                    return item.decision
                decision_id = item.decision.legal.decision_id
                proposal = hand_pb2.Proposal(hand_id=item.decision.hand_id, decision_id=decision_id)
                kind = "check" if item.decision.legal.can_check else "call"
                getattr(proposal.action, kind).SetInParent()
                await streams[seat].write(table_pb2.PlayRequest(items=[propose_item(table_id, proposal)]))
        raise AssertionError("the stream ended")

    def submit(seat):
        propose = table_pb2.Propose(request_id=f"d{seat}", proposal=answer_to(decisions[seat], random.Random(seat)))
        return running.stub.SubmitAction(
            table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
        )

    async def state():
        return (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table

    decisions = dict(zip(tokens, await asyncio.gather(*map(until_discard, tokens)), strict=True))
    before = await state()
    order = list(tokens)
    random.Random(order_seed).shuffle(order)
    last = order.pop()
    rulings = await asyncio.gather(*map(submit, order))
    assert all(one.answered.ruling.accepted for one in rulings), "none is stale"
    if hide:
        assert await state() == before
        assert owner.seen_events(last, stored_now(owner))[-1].WhichOneof("event") == "decision_opened"
    assert (await submit(last)).answered.ruling.accepted
    shown = owner.seen_events(0, stored_now(owner))
    discarded = [one.hand_event for one in shown if one.hand_event.kind == hand_pb2.EVENT_KIND_DISCARDED]
    assert len(discarded) == (0 if hide else 6)
    for call in streams.values():
        call.cancel()


def stored_now(owner):
    return owner.stored(1, 1)


def test_leaving_closing_and_the_explicit_end(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated(seats=3, hands=0)
            leave = table_pb2.LeaveSeatRequest(request_id="l", table_id=table_id, seat_token="nobody")
            assert await status_of(running.stub.LeaveSeat(leave)) == grpc.StatusCode.PERMISSION_DENIED
            leave.seat_token = tokens[2]
            await running.stub.LeaveSeat(leave)
            close = table_pb2.CloseTableRequest(request_id="c", table_id=table_id)
            assert await status_of(running.stub.CloseTable(close)) == grpc.StatusCode.UNAUTHENTICATED
            await running.stub.CloseTable(close, metadata=running.host)
            followers = {seat: Follower() for seat in tokens}
            ends = await asyncio.gather(
                *(running.play_seat(table_id, token, seat, followers[seat]) for seat, token in tokens.items())
            )
            assert set(ends) == {table_pb2.STREAM_END_REASON_TABLE_ENDED}
            state = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
            assert state.status == table_pb2.TABLE_STATUS_ENDED
            assert state.end_reason == table_pb2.END_REASON_CLOSED
            for call in (running.stub.SubmitAction, running.stub.ReviewHand):
                assert call is not None
            late = table_pb2.TakeSeatRequest(request_id="x of sixteen letters", table_id=table_id, name="late")
            assert await status_of(running.stub.TakeSeat(late)) == grpc.StatusCode.FAILED_PRECONDITION

    run(go())


@pytest.mark.rule("SHOW-2", "SHOW-7", "SHOW-8", "DEAL-4")
def test_shown_voluntarily_reviewed_by_whom_it_may_be_and_watched_by_the_auditor(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            options = {"rule_set": "holdem/tda@1", "seats": 2, "hands": 2, "between_hands_ms": 600_000}
            table_id, tokens = await running.seated(**options)
            owner = running.store.hub.find(table_id)
            (folder,) = owner.table.decisions
            winner = 3 - folder
            hand_id = owner.table.hand.setup.hand_id

            async def act(seat, request_id, action, decision_id=0):
                proposal = hand_pb2.Proposal(hand_id=hand_id, decision_id=decision_id, action=action)
                propose = table_pb2.Propose(request_id=request_id, proposal=proposal)
                request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=tokens[seat], propose=propose)
                return (await running.stub.SubmitAction(request)).answered.ruling

            async def reviewed(**who):
                request = table_pb2.ReviewHandRequest(table_id=table_id, hand=1, **who)
                return {one.seat: list(one.cards) for one in (await running.stub.ReviewHand(request)).hands}

            assert await status_of(reviewed()) == grpc.StatusCode.NOT_FOUND, "the hand is not over"
            early = await act(winner, "early", {"show": {}})
            assert early.reason == hand_pb2.REASON_SHOW_TOO_EARLY
            assert (await act(folder, "f", {"fold": {}}, 1)).accepted
            assert await reviewed() == {}
            assert set(await reviewed(seat_token=tokens[folder])) == {folder}
            assert (await act(folder, "g", {"show": {}})).reason == hand_pb2.REASON_NOTHING_TO_SHOW
            assert (await act(winner, "s", {"show": {}})).accepted
            assert set(await reviewed()) == {winner}
            assert set(await reviewed(seat_token=tokens[folder])) == {1, 2}
            request = table_pb2.WatchTableRequest(table_id=table_id)
            watching = running.stub.WatchTable(request, metadata=running.auditor)
            (item,) = (await watching.read()).items
            watching.cancel()
            dealt = [
                one.hand_event.cards for one in item.snapshot.events if one.hand_event.kind == EventKind.HOLE_DEALT
            ]
            assert len(dealt) == 2
            assert all("??" not in cards for cards in dealt)

    run(go())
