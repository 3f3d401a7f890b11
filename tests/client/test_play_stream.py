"""Playing over one stream, against a server that cuts, repeats, skips, refuses, and speaks a newer contract."""

import asyncio

import grpc
import pytest

from referee.client import Backoff, BrokenStreamError, ConnectionLostError, Seat, aio
from referee.client.follower import MAX_GAPS
from referee.record import wire
from referee.rules.ruleset import CRAZY_PINEAPPLE, RuleSetError
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.v1 import hand_pb2, table_pb2
from tests.client.scripted import BACKOFF, End, Item, Told, Waits, run, scripted, unknown_field
from tests.support import rules

CALL, CHECK, FOLD = ActionKind.CALL, ActionKind.CHECK, ActionKind.FOLD


def checks(decision):
    return decision.check_or_call()


async def play(address, bot=checks, tables=("table",), **options):
    options = {"backoff": BACKOFF, "sleep": Waits()} | options
    return await aio.play(address, bot, [(table, f"token of {table}") for table in tables], **options)


def whole_hand(told):
    """A script: attach, one hand in which the button folds after the client's check, the end of the table."""

    async def script(stream):
        (attach,) = await stream.attached()
        assert (attach.seat_token, attach.HasField("cursor")) == ("token of table", False)
        await stream.say(told.snapshot(), told.to_my_turn())
        proposed = await stream.answer()
        assert proposed.proposal.action.HasField("check")
        await stream.say(told.ruling(proposed), told.decision())
        await stream.say(told.ruling(await stream.answer()), told.act(2, ActionKind.BET, 20), told.decision())
        proposed = await stream.answer()
        assert proposed.proposal.action.HasField("call")
        await stream.say(told.ruling(proposed), told.decision())
        await stream.say(told.ruling(await stream.answer()))
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    return script


def test_a_bot_plays_a_table_to_its_end():
    async def body():
        asked = []

        def bot(decision):
            asked.append((decision.street_name, decision.to_call, decision.pot))
            return decision.check_or_call()

        async with scripted(whole_hand(Told())) as (service, address):
            (played,) = await play(address, bot)
        assert asked == [("pre-flop", 0, 20), ("flop", 0, 20), ("flop", 20, 40), ("turn", 0, 60)]
        assert (played.reason, played.decisions, played.seat, played.refusals) == ("TABLE_ENDED", 4, 1, 0)
        assert service.streams == 1

    run(body())


# --- lost connections -----------------------------------------------------------------------------------


def test_an_answer_that_was_not_acknowledged_is_sent_again_under_the_same_id_and_nobody_is_asked_twice():
    told, sent, asked = Told(), [], []

    async def lost_after_the_answer(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        sent.append(await stream.answer())
        await stream.cut()

    async def repeated(stream):
        (attach,) = await stream.attached()
        assert (attach.cursor.hand, attach.cursor.number) == (1, told.count)
        await stream.say(told.snapshot(), told.decision())
        sent.append(await stream.answer())
        await stream.say(told.ruling(sent[-1]), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(lost_after_the_answer, repeated) as (_, address):
            (played,) = await play(address, lambda decision: asked.append(decision) or decision.check())
        assert sent[0].SerializeToString(deterministic=True) == sent[1].SerializeToString(deterministic=True)
        assert (len(asked), played.decisions, played.resumed) == (1, 1, 1)

    run(body())


def test_an_answer_that_was_accepted_before_the_cut_is_not_sent_again_and_its_events_are_resumed():
    told, asked = Told(), []

    async def first(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        told.ruling(await stream.answer())  # accepted and stored; the client is not told
        await stream.cut()

    async def second(stream):
        (attach,) = await stream.attached()
        unseen = [event for event in told.log if event.number > attach.cursor.number]
        assert unseen, "the check and the flop"
        await stream.say(told.snapshot(*unseen), told.decision())
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second) as (_, address):
            await play(address, lambda decision: asked.append(decision.street_name) or decision.check())
        assert asked == ["pre-flop", "flop"]

    run(body())


def test_a_repeated_decision_whose_answer_was_refused_gets_a_new_request_id():
    told, sent = Told(), []

    async def first(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        sent.append(await stream.answer())
        await stream.say(told.ruling(sent[-1]))
        sent.append(await stream.answer())
        await stream.say(told.ruling(sent[-1]))
        await stream.cut()

    async def second(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.decision())
        sent.append(await stream.answer())
        await stream.say(told.ruling(sent[-1]), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    def bot(decision):
        return decision.fold() if len(sent) < 2 else decision.check()

    async def body():
        async with scripted(first, second) as (_, address):
            (played,) = await play(address, bot)
        assert len({one.request_id for one in sent}) == 3
        assert played.refusals == 2

    run(body())


@pytest.mark.parametrize(
    "reason",
    [
        End.STREAM_END_REASON_SERVER_DRAINING,
        End.STREAM_END_REASON_TOO_SLOW,
        End.STREAM_END_REASON_STORE_FAILED,
        99,  # a reason that a newer server has
    ],
)
@pytest.mark.parametrize("whole_stream", [False, True])
def test_ends_that_are_not_the_end_are_resumed(reason, whole_stream):
    told = Told()

    async def first(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin())
        end = told.end(reason)
        await stream.say(Item(end=end.end) if whole_stream else end)
        await stream.silence()

    async def second(stream):
        (attach,) = await stream.attached()
        assert attach.cursor.number == told.count
        await stream.say(told.snapshot(), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second) as (service, address):
            (played,) = await play(address)
        assert (service.streams, played.resumed, played.reason) == (2, 1, "TABLE_ENDED")

    run(body())


@pytest.mark.parametrize("how", ["ends", "unavailable", "cancelled", "internal", "unknown"])
def test_a_stream_that_is_cut_in_any_way_is_resumed(how):
    told, waits = Told(), Waits()

    async def first(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin())
        if how != "ends":
            await stream.cut(grpc.StatusCode[how.upper()])

    async def second(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second) as (service, address):
            (played,) = await play(address, sleep=waits)
        assert (service.streams, played.reason, len(waits.seconds)) == (2, "TABLE_ENDED", 1)

    run(body())


@pytest.mark.parametrize("reason", ["TABLE_ENDED", "REPLACED", "DETACHED", "NOT_ALLOWED", "FLOODING"])
def test_ends_that_are_the_end_are_not_resumed(reason):
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.end(End.Value(f"STREAM_END_REASON_{reason}")))
        await stream.closed()

    async def body():
        async with scripted(script) as (service, address):
            (played,) = await play(address)
        assert (service.streams, played.reason) == (1, reason)

    run(body())


def test_a_seat_that_is_not_allowed_any_more_tries_its_cursor_then_without_one_then_gives_up():
    told, cursors = Told(), []

    async def cut(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin())
        await stream.cut()

    async def not_allowed(stream):
        (attach,) = await stream.attached()
        cursors.append(attach.HasField("cursor"))
        await stream.say(told.end(End.STREAM_END_REASON_NOT_ALLOWED))
        await stream.closed()

    async def body():
        async with scripted(cut, *[not_allowed] * 4) as (_, address):
            (played,) = await play(address)
        assert played.reason == "NOT_ALLOWED"
        assert cursors == [True, True, True, False]

    run(body())


def test_a_stream_that_falls_silent_is_resumed_and_heartbeats_keep_it():
    told = Told()

    async def silent(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin())
        for _ in range(3):  # together longer than the silence that is borne
            await asyncio.sleep(0.2)
            await stream.say(Item(heartbeat=table_pb2.Heartbeat(time_unix_ms=1)))
        await stream.silence()

    async def resumed(stream):
        (attach,) = await stream.attached()
        assert (attach.cursor.hand, attach.cursor.number) == (1, told.count)
        await stream.say(told.snapshot(), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(silent, resumed) as (service, address):
            started = asyncio.get_running_loop().time()
            (played,) = await play(address, silence_s=0.4)
            assert asyncio.get_running_loop().time() - started >= 0.9
        assert (played.reason, played.resumed) == ("TABLE_ENDED", 1)
        assert service.streams == 2

    run(body())


def test_a_decision_names_its_match():
    told, asked = Told(), []

    async def script(stream):
        await stream.attached()
        opening = told.snapshot()
        opening.snapshot.table.match_name = "spring-2027"
        await stream.say(opening, told.to_my_turn())
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            await play(address, lambda decision: asked.append(decision.match_name) or decision.check())
        assert asked == ["spring-2027"]

    run(body())


def test_a_cursor_that_is_not_known_is_forgotten():
    told = Told()

    async def first(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        await stream.answer()
        await stream.cut()

    async def second(stream):
        (attach,) = await stream.attached()
        assert attach.cursor.number == told.count
        await stream.say(told.end(End.STREAM_END_REASON_CURSOR_UNKNOWN))
        await stream.silence()

    async def third(stream):
        (attach,) = await stream.attached()
        assert not attach.HasField("cursor")
        await stream.say(told.snapshot(*told.log), told.decision())
        assert (await stream.answer()).proposal.action.HasField("check")
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second, third) as (service, address):
            (played,) = await play(address)
        assert (service.streams, played.reason, played.decisions) == (3, "TABLE_ENDED", 1)

    run(body())


def test_a_server_that_stays_away_is_given_up_after_waits_that_grow():
    waits = Waits()

    async def body():
        with pytest.raises(ConnectionLostError, match="6 attempts"):
            await play("127.0.0.1:1", sleep=waits, backoff=Backoff(0.1, 1.0, tries=6))

    run(body())
    assert len(waits.seconds) == 6
    for longest, seconds in zip((0.1, 0.2, 0.4, 0.8, 1.0, 1.0), waits.seconds, strict=True):
        assert longest / 2 <= seconds <= longest


def test_a_call_that_would_not_go_better_later_raises_its_error():
    async def script(stream):
        await stream.attached()
        await stream.cut(grpc.StatusCode.INVALID_ARGUMENT)

    async def body():
        async with scripted(script) as (_, address):
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await play(address)
        assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT

    run(body())


# --- numbers --------------------------------------------------------------------------------------------


def test_events_that_are_told_again_change_nothing():
    told, pots = Told(), []

    async def first(stream):
        await stream.attached()
        items = told.to_my_turn()
        await stream.say(told.snapshot(), items[:-1])
        await stream.say(items[2:-1], told.snapshot(*told.log), items)
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first) as (_, address):
            await play(address, lambda decision: pots.append((decision.pot, len(decision.events))) or decision.check())
        assert pots == [(20, 5)]

    run(body())


@pytest.mark.parametrize("missing", [1, 2, 3, 4])
def test_a_gap_is_resumed_from_the_last_good_cursor(missing):
    told, asked = Told(), []

    async def with_a_gap(stream):
        await stream.attached()
        items = told.to_my_turn()
        await stream.say(told.snapshot(), items[:missing])
        await stream.say(items[missing + 1 :])
        await stream.silence()

    async def whole(stream):
        (attach,) = await stream.attached()
        assert (attach.cursor.hand, attach.cursor.number) == (1, missing)
        await stream.say(told.snapshot(*told.log[missing:]), told.decision())
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(with_a_gap, whole) as (service, address):
            await play(address, lambda decision: asked.append(len(decision.events)) or decision.check())
        assert service.gone.is_set(), "the stream with the gap was cancelled"
        assert asked == [5]

    run(body())


def test_a_hand_that_begins_before_the_last_one_was_over_is_a_gap():
    told = Told()

    async def first(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin())
        told.act(2, FOLD)  # not told
        await stream.say(told.begin())
        await stream.silence()

    async def second(stream):
        (attach,) = await stream.attached()
        assert attach.cursor.hand == 1
        seen = (attach.cursor.hand, attach.cursor.number)
        unseen = [event for event in told.log if (event.hand, event.number) > seen]
        await stream.say(told.snapshot(*unseen), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(first, second) as (_, address):
            (played,) = await play(address)
        assert (played.hands, played.net) == (1, 5)

    run(body())


def test_a_hand_that_is_never_told_whole_is_begun_anew_and_then_given_up():
    told, cursors = Told(), []
    told.to_my_turn()

    async def script(stream):
        (attach,) = await stream.attached()
        cursors.append(attach.HasField("cursor"))
        await stream.say(told.snapshot(*told.log[:3], *told.log[4:]))
        await stream.silence()

    async def body():
        async with scripted(*[script] * (MAX_GAPS + 1)) as (service, address):
            with pytest.raises(BrokenStreamError, match="hand 1"):
                await play(address)
        assert service.streams == MAX_GAPS + 1
        assert cursors[:5] == [False, True, True, True, False]

    run(body())


def test_a_decision_of_a_hand_whose_beginning_was_not_told_begins_the_hand_anew():
    told = Told()

    async def without_the_beginning(stream):
        await stream.attached()
        *_, decision = told.to_my_turn()
        await stream.say(told.snapshot(), decision)
        await stream.silence()

    async def whole(stream):
        (attach,) = await stream.attached()
        assert not attach.HasField("cursor")
        await stream.say(told.snapshot(*told.log), told.decision())
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(without_the_beginning, whole) as (_, address):
            (played,) = await play(address)
        assert played.reason == "TABLE_ENDED"

    run(body())


@pytest.mark.parametrize("hand", [0, 3])
def test_a_seat_that_was_just_taken_begins_with_the_hand_of_that_moment(hand):
    told, over = Told(), []
    told.number = hand

    async def script(stream):
        (attach,) = await stream.attached()
        assert attach.HasField("cursor")
        assert (attach.cursor.hand, attach.cursor.number) == (hand, 0)
        if hand == 0:
            told.seen(opened=table_pb2.TableOpened(config=told.snapshot().snapshot.table.config))
            told.seen(seat_taken=table_pb2.SeatTaken(seat=1, name="Ann", stack=500))
        told.begin()
        told.act(2, FOLD)
        told.begin()
        told.act(2, FOLD)
        await stream.say(told.snapshot(*told.log), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            (played,) = await aio.play(
                address, checks, [Seat("table", "token", 1, hand)], on_hand_over=lambda view: over.append(view.number)
            )
        assert (played.hands, played.net, over) == (2, 10, [hand + 1, hand + 2])

    run(body())


# --- refusals -------------------------------------------------------------------------------------------


def refusing(told, answers):
    """A script that rules on what the client proposes, so many times."""

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        for _ in range(answers):
            await stream.say(told.ruling(await stream.answer()))
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    return script


def test_a_refused_bot_is_told_why_and_asked_again():
    told, refusals, asked = Told(), [], []

    def bot(decision):
        asked.append(decision.refusal)
        return decision.raise_to(15) if decision.refusal is None else decision.check()

    async def body():
        async with scripted(refusing(told, 2)) as (_, address):
            (played,) = await play(address, bot, on_refused=lambda *what: refusals.append(what))
        ((decision, ruling),) = refusals
        assert decision.hand_id == "table-1"
        assert (ruling.accepted, ruling.reason, ruling.rule) == (False, Reason.BELOW_MINIMUM, "SIZE-3")
        assert asked == [None, ruling]
        assert (played.refusals, played.defaults, played.decisions) == (1, 0, 1)

    run(body())


@pytest.mark.parametrize("again", [0, 1, 3])
def test_a_bot_that_keeps_being_refused_is_answered_for(again):
    told, asked = Told(), []

    def bot(decision):
        asked.append(decision)
        return decision.fold()

    async def body():
        async with scripted(refusing(told, again + 2)) as (_, address):
            (played,) = await play(address, bot, max_refusals=again)
        assert (len(asked), played.refusals, played.defaults) == (again + 1, again + 1, 1)
        assert told.hand.street == 1, "the default was a check, and the round is closed"

    run(body())


def test_a_refusal_of_a_decision_that_is_not_open_any_more_asks_nobody():
    told, asked = Told(), []

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        late = await stream.answer()
        timed_out = told.act(1, ActionKind.TIMEOUT)
        await stream.say(timed_out, told.ruling(late), told.decision())
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            (played,) = await play(address, lambda decision: asked.append(decision.street) or decision.check())
        assert (asked, played.refusals, played.decisions) == ([0, 1], 1, 2)

    run(body())


def test_a_refusal_without_a_known_reason_is_asked_again_and_no_more_often_than_stated():
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        for _ in range(3):
            proposed = await stream.answer()
            ruling = hand_pb2.Ruling(accepted=False, rule="NEW-1", reason=999, message="a rule of tomorrow")
            await stream.say(told.item(answered=table_pb2.Answered(request_id=proposed.request_id, ruling=ruling)))
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        messages = []
        async with scripted(script) as (_, address):
            (played,) = await play(
                address, max_refusals=1, on_refused=lambda _, ruling: messages.append((ruling.reason, ruling.message))
            )
        assert messages == [(None, "a rule of tomorrow")] * 3
        assert (played.refusals, played.defaults) == (3, 1)

    run(body())


def test_an_answer_that_a_stopping_table_did_not_rule_on_is_sent_again_when_it_goes_on():
    told, sent, asked = Told(), [], []

    async def stopping(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        sent.append(await stream.answer())
        ruling = hand_pb2.Ruling(accepted=False, rule="BET-9", message="the table is not being played")
        await stream.say(told.item(answered=table_pb2.Answered(request_id=sent[0].request_id, ruling=ruling)))
        await stream.say(told.end(End.STREAM_END_REASON_SERVER_DRAINING))
        await stream.closed()

    async def going_on(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.decision())
        sent.append(await stream.answer())
        await stream.say(told.ruling(sent[1]), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(stopping, going_on) as (_, address):
            (played,) = await play(address, lambda decision: asked.append(decision) or decision.check())
        assert sent[0] == sent[1]
        assert (len(asked), played.refusals) == (1, 0)

    run(body())


def test_an_answer_that_names_no_hand_decision_or_seat_is_completed():
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        proposed = await stream.answer()
        assert (proposed.proposal.hand_id, proposed.proposal.decision_id, proposed.proposal.seat) == ("table-1", 1, 1)
        await stream.say(told.ruling(proposed), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            await play(address, lambda decision: Proposal(0, CHECK))

    run(body())


# --- a newer contract -----------------------------------------------------------------------------------


def test_what_a_newer_server_says_is_ignored():
    told, asked = Told(), []

    async def script(stream):
        await stream.attached()
        strange_item = Item.FromString(told.item().SerializeToString() + unknown_field())
        assert strange_item.WhichOneof("item") is None
        snapshot = told.snapshot()
        snapshot.snapshot.table.status = 77
        snapshot.snapshot.MergeFromString(unknown_field(200))
        await stream.say(strange_item, snapshot, Item(table_id="another table"), Item())
        items = told.begin()
        strange_event = told.seen()
        strange_event.event.MergeFromString(unknown_field())
        strange_kind = told.seen(hand_event=hand_pb2.Event(kind=88, seat=2))
        items += [strange_event, strange_kind, *told.act(2, CALL)]
        decision = told.decision()
        decision.decision.legal.MergeFromString(unknown_field(150))
        await stream.say(items, decision, told.item(heartbeat=table_pb2.Heartbeat(time_unix_ms=1)))
        await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            await play(address, lambda decision: asked.append(len(decision.events)) or decision.check())
        assert asked == [5]

    run(body())


def test_options_of_a_newer_rule_set_are_read_as_the_default_and_an_unknown_game_is_said_to_be_so():
    told = Told()

    def own_rules(**options):
        snapshot = told.snapshot()
        rule_set = wire.rule_set_message(rules(CRAZY_PINEAPPLE))
        for name, value in options.items():
            setattr(rule_set if hasattr(rule_set, name) else rule_set.game, name, value)
        snapshot.snapshot.table.config.rule_set.CopyFrom(rule_set)
        return snapshot

    def script(**options):
        async def own_game(stream):
            await stream.attached()
            await stream.say(own_rules(**options), told.end(End.STREAM_END_REASON_TABLE_ENDED))

        return own_game

    async def body():
        async with scripted(script(showdown_order=88, all_in_exposure=3, deck_reveal=99)) as (_, address):
            (played,) = await play(address)
        assert played.reason == "TABLE_ENDED"
        async with scripted(script(discard_point=9)) as (_, address):
            with pytest.raises(RuleSetError, match="does not know the game"):
                await play(address)

    run(body())


# --- many tables ----------------------------------------------------------------------------------------


def test_many_tables_share_a_stream_and_answers_to_one_message_go_out_in_one_message():
    tables = [Told(f"table {number}") for number in range(5)]

    async def script(stream):
        message = await stream.hear()
        assert message.max_open_decisions == 5
        assert [item.attach.seat_token for item in message.items] == [f"token of table {n}" for n in range(5)]
        await stream.say(*[one for told in tables for one in (told.snapshot(), told.to_my_turn())])
        for _ in range(3):
            message = await stream.hear()
            assert message.max_open_decisions == 0, "only the first message says how many"
            assert [item.table_id for item in message.items] == [told.table_id for told in tables]
            rulings = [told.ruling(item.propose) for told, item in zip(tables, message.items, strict=True)]
            await stream.say(*rulings, *[told.decision() for told in tables])
        await stream.hear()  # an answer under way when its stream ends costs gRPC's client what it had not read yet
        await stream.say(*[told.end(End.STREAM_END_REASON_TABLE_ENDED) for told in tables])

    async def body():
        async def hesitates(decision):
            return decision.check_or_call()

        for bot in (checks, hesitates):
            for told in tables:
                told.__init__(told.table_id)
            async with scripted(script) as (_, address):
                played = await play(address, bot, [told.table_id for told in tables], max_open_decisions=5)
            assert [one.table_id for one in played] == [told.table_id for told in tables]

    # The button checks behind by itself: Told plays seat 2 where the script does.
    for told in tables:
        told.ruling = _checking_behind(told)
    run(body())


def _checking_behind(told):
    ruling = told.ruling

    def with_a_check_behind(proposed):
        items = ruling(proposed)
        while told.hand.phase == 1 and told.hand.to_act == 1:
            items += told.act(2, CHECK)
        return items

    return with_a_check_behind


def test_one_table_of_several_is_attached_again_on_the_same_stream():
    one, other = Told("one"), Told("other")

    async def script(stream):
        await stream.attached()
        await stream.say(one.snapshot(), one.begin(), other.snapshot(), other.begin())
        await stream.say(one.end(End.STREAM_END_REASON_STORE_FAILED))
        message = await stream.hear()
        (item,) = message.items
        assert (item.table_id, item.attach.cursor.number) == ("one", one.count)
        await stream.say(one.snapshot(), one.end(End.STREAM_END_REASON_TABLE_ENDED))
        await stream.say(other.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (service, address):
            played = await play(address, tables=("one", "other"))
        assert [(each.reason, each.resumed) for each in played] == [("TABLE_ENDED", 1), ("TABLE_ENDED", 0)]
        assert service.streams == 1

    run(body())


def test_two_seats_of_one_table_need_two_streams():
    with pytest.raises(ValueError, match="a stream for each seat"):
        aio.Session("127.0.0.1:1", checks, [("table", "one"), ("table", "other")])


# --- bots that take time, fail, or are stopped ----------------------------------------------------------


def test_a_bot_that_thinks_through_a_lost_connection_is_not_asked_again():
    told, asked = Told(), []

    async def body():
        answer_now = asyncio.Event()

        async def bot(decision):
            asked.append(decision)
            await answer_now.wait()
            return decision.check()

        async def first(stream):
            await stream.attached()
            await stream.say(told.snapshot(), told.to_my_turn())
            while not asked:
                await asyncio.sleep(0)
            await stream.cut()

        async def second(stream):
            await stream.attached()
            await stream.say(told.snapshot(), told.decision())
            answer_now.set()
            await stream.say(told.ruling(await stream.answer()), told.end(End.STREAM_END_REASON_TABLE_ENDED))

        async with scripted(first, second) as (_, address):
            (played,) = await play(address, bot)
        assert (len(asked), played.decisions) == (1, 1)

    run(body())


def test_a_bot_that_answers_while_its_table_is_attached_again_sends_its_answer_once():
    told, asked = Told(), []

    async def body():
        answer_now, answered = asyncio.Event(), asyncio.Event()

        async def bot(decision):
            asked.append(decision)
            await answer_now.wait()
            answered.set()
            return decision.check()

        async def first(stream):
            await stream.attached()
            await stream.say(told.snapshot(), told.to_my_turn())
            while not asked:
                await asyncio.sleep(0)
            await stream.cut()

        async def second(stream):
            await stream.attached()
            answer_now.set()
            await answered.wait()
            for _ in range(10):  # whatever the client would send by itself, it has sent
                await asyncio.sleep(0)
            await stream.say(told.snapshot(), told.decision())
            propose = await stream.answer()
            await stream.say(told.ruling(propose))
            await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))
            assert [item async for message in stream.requests for item in message.items] == []

        async with scripted(first, second) as (_, address):
            (played,) = await play(address, bot)
        assert (len(asked), played.decisions) == (1, 1)

    run(body())


@pytest.mark.parametrize("is_async", [False, True])
def test_what_a_bot_raises_ends_the_play_and_the_stream(is_async):
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        await stream.silence()

    def bot(decision):
        raise ZeroDivisionError("a fault of the bot's own")

    async def async_bot(decision):
        bot(decision)

    async def body():
        async with scripted(script) as (service, address):
            with pytest.raises(ZeroDivisionError):
                await play(address, async_bot if is_async else bot)
            await service.gone.wait()
            assert service.streams == 1

    run(body())


@pytest.mark.parametrize("answer", [None, "check", 7])
def test_an_answer_that_is_no_proposal_is_the_bots_fault(answer):
    async def script(stream):
        told = Told()
        await stream.attached()
        await stream.say(told.snapshot(), told.to_my_turn())
        await stream.silence()

    async def body():
        async with scripted(script) as (_, address):
            with pytest.raises(TypeError, match="Proposal"):
                await play(address, lambda decision: answer)

    run(body())


@pytest.mark.parametrize("bot_thinks", [False, True])
def test_cancelling_cancels_the_stream_and_leaves_nothing_behind(bot_thinks):
    told = Told()

    async def body():
        asked = asyncio.Event()

        async def bot(decision):
            asked.set()
            await asyncio.Event().wait()

        async def script(stream):
            await stream.attached()
            await stream.say(told.snapshot(), told.to_my_turn() if bot_thinks else told.begin())
            if not bot_thinks:
                asked.set()
            await stream.silence()

        async with scripted(script) as (service, address):
            before = asyncio.all_tasks()
            playing = asyncio.create_task(play(address, bot))
            await asked.wait()
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
            await service.gone.wait()
            left = asyncio.all_tasks() - before
            assert not [task for task in left if "referee/client" in str(task)], left

    run(body())


def test_a_session_can_be_closed_from_beside_it():
    told = Told()

    async def body():
        async def script(stream):
            await stream.attached()
            await stream.say(told.snapshot(), told.begin())
            await session.close()
            await stream.silence()

        async with scripted(script) as (service, address):
            session = aio.Session(address, checks, [("table", "token of table")], sleep=Waits())
            async with session:
                (played,) = await session.run()
            await service.gone.wait()
        assert played.reason == ""

    run(body())


# --- leaving, showing, clocks ---------------------------------------------------------------------------


def test_a_table_is_left_after_the_stated_number_of_hands():
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin(), told.act(2, FOLD), told.begin(), told.act(2, FOLD))
        await stream.say(told.to_my_turn())  # not answered: the seat leaves
        message = await stream.hear()
        assert message.items[0].WhichOneof("item") == "detach"
        await stream.closed()

    async def body():
        async with scripted(script) as (service, address):
            (played,) = await play(address, hands=2)
        assert (played.hands, played.net, played.reason) == (2, 10, "DETACHED")
        (left,) = service.left
        assert (left.table_id, left.seat_token) == ("table", "token of table")

    run(body())


def test_a_hand_may_be_shown_when_it_is_over():
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin(), told.act(2, FOLD))
        proposed = await stream.answer()
        assert proposed.proposal.action.HasField("show")
        assert (proposed.proposal.hand_id, proposed.proposal.decision_id) == ("table-1", 0)
        await stream.say(told.ruling(proposed), told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            await play(address, on_hand_over=lambda view: view.show())
        assert told.hand.shown[0] == 1

    run(body())


def test_the_remaining_time_runs_on_while_a_refused_bot_is_asked_again():
    told, seen, now = Told(), [], [100.0]

    def bot(decision):
        seen.append(decision.remaining_ms)
        now[0] += 1.5
        return decision.fold() if decision.refusal is None else decision.check()

    async def script(stream):
        await stream.attached()
        *events, _ = told.to_my_turn()
        await stream.say(told.snapshot(), events, told.decision(remaining_ms=5000))
        for _ in range(2):
            await stream.say(told.ruling(await stream.answer()))
        await stream.say(told.end(End.STREAM_END_REASON_TABLE_ENDED))

    async def body():
        async with scripted(script) as (_, address):
            await play(address, bot, clock=lambda: now[0])
        assert seen == [5000, 3500]

    run(body())


def test_without_a_clock_there_is_no_remaining_time():
    told, seen = Told(), []

    async def body():
        async with scripted(refusing(told, 1)) as (_, address):
            await play(address, lambda decision: seen.append(decision.remaining_ms) or decision.check())
        assert seen == [None]

    run(body())


@pytest.mark.parametrize("code", ["FAILED_PRECONDITION", "PERMISSION_DENIED"])
def test_a_seat_that_is_gone_already_is_left(code):
    told = Told()

    async def script(stream):
        await stream.attached()
        await stream.say(told.snapshot(), told.begin(), told.act(2, FOLD))
        await stream.closed()

    async def body():
        async with scripted(script) as (service, address):

            async def gone(request, context):
                await context.abort(grpc.StatusCode[code], "gone")

            service.leave = gone
            (played,) = await play(address, hands=1)
        assert (played.hands, played.reason) == (1, "DETACHED")

    run(body())
