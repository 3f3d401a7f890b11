"""Bad input never ends a server: each kind has its documented status, and the next caller is served."""

import random
import socket

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from referee.limits import MESSAGE_BYTES
from referee.record import wire
from referee.rules.ruleset import MAX_CHIPS
from referee.rules.rulings import ActionKind, Proposal
from referee.v1 import hand_pb2, judge_pb2, judge_pb2_grpc
from tests.support import scale, setup_of


@pytest.fixture(autouse=True)
def still_serving(judge):
    yield
    assert judge.GetRule(judge_pb2.GetRuleRequest(id="BET-8"), timeout=10).rule.id == "BET-8"


def request():
    setup = setup_of([500, 500, 500], holes={1: "AsKs", 2: "QhQd", 3: "7c2d"}, board="Ac7h8sJh2h")
    return judge_pb2.JudgeActionRequest(
        hand=judge_pb2.HandSoFar(setup=wire.setup_message(setup)),
        proposal=wire.proposal_message(Proposal(3, ActionKind.CALL)),
    )


def shape_fault(judge, message):
    """The fields that an INVALID_ARGUMENT names, from its details."""
    with pytest.raises(grpc.RpcError) as error:
        judge.JudgeAction(message, timeout=10)
    assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    details = dict(error.value.trailing_metadata())["grpc-status-details-bin"]
    status = status_pb2.Status.FromString(details)
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(bad)
    assert info.reason == "BAD_SHAPE"
    return {violation.field for violation in bad.field_violations}


def test_unknown_enum_values_are_named(judge):
    message = request()
    message.hand.setup.structure = 77
    message.hand.setup.stakes.ante_kind = 9
    assert shape_fault(judge, message) == {"hand.setup.structure", "hand.setup.stakes.ante_kind"}


def test_a_missing_value_is_not_a_default(judge):
    message = request()
    message.hand.setup.structure = 0
    assert shape_fault(judge, message) == {"hand.setup.structure"}
    message = request()
    message.proposal.action.Clear()
    assert shape_fault(judge, message) == {"proposal.action.action"}, "an empty message once meant fold"
    assert shape_fault(judge, judge_pb2.JudgeActionRequest()) == {"hand", "proposal"}


def test_texts_that_are_no_cards_are_named(judge):
    message = request()
    message.hand.setup.players[1].hole_cards[0] = "10h"
    message.hand.setup.board[4] = "Ax"
    assert shape_fault(judge, message) == {"hand.setup.players[1].hole_cards[0]", "hand.setup.board[4]"}


@pytest.mark.rule("GAME-5")
@pytest.mark.parametrize("where", ["hole", "board", "both"])
def test_a_card_twice_is_refused_by_its_rule(judge, where):
    message = request()
    if where == "hole":
        message.hand.setup.players[1].hole_cards[0] = "As"
    elif where == "board":
        message.hand.setup.board[1] = "Ac"
    else:
        message.hand.setup.board[0] = "As"
    assert judge.JudgeAction(message).setup_refused.rule == "GAME-5"


@pytest.mark.parametrize("amount", [-1, -(2**63), 2**63 - 1, MAX_CHIPS + 1, 501])
def test_amounts_that_cannot_be_are_refused_as_play(judge, amount):
    message = request()
    getattr(message.proposal.action, "raise").raise_to = amount
    ruling = judge.JudgeAction(message).ruling
    assert not ruling.accepted
    assert ruling.reason in (hand_pb2.REASON_BELOW_MINIMUM, hand_pb2.REASON_ABOVE_STACK)


@pytest.mark.parametrize("field", ["small_blind", "big_blind", "small_bet", "big_bet", "ante", "chip_unit"])
@pytest.mark.parametrize("amount", [-1, -(2**63), 2**63 - 1])
def test_stakes_that_cannot_be_are_refused_by_a_rule(judge, field, amount):
    message = request()
    setattr(message.hand.setup.stakes, field, amount)
    answer = judge.JudgeAction(message)
    assert answer.setup_refused.rule, answer


@pytest.mark.parametrize("amount", [0, -1, -(2**63), 2**63 - 1])
def test_stacks_that_cannot_be_are_refused_by_a_rule(judge, amount):
    message = request()
    message.hand.setup.players[0].stack = amount
    assert judge.JudgeAction(message).setup_refused.rule == "POT-7"


@pytest.mark.parametrize("seat", [0, -1, 11, 2**31 - 1, -(2**31)])
def test_seats_that_are_none_are_refused(judge, seat):
    message = request()
    message.proposal.seat = seat
    assert judge.JudgeAction(message).ruling.reason == hand_pb2.REASON_SEAT_NOT_IN_HAND
    message = request()
    message.hand.setup.players[0].seat = seat
    assert judge.JudgeAction(message).setup_refused.rule in ("GAME-4", "DEAL-1")
    message = request()
    message.hand.setup.button_seat = seat
    assert judge.JudgeAction(message).setup_refused.rule in ("BLIND-1", "DEAL-1")


def test_a_message_of_ten_megabytes_is_too_large(judge):
    message = judge_pb2.JudgeHandRequest(notated=judge_pb2.NotatedHand(text="x" * 10_000_000))
    assert message.ByteSize() > MESSAGE_BYTES
    with pytest.raises(grpc.RpcError) as error:
        judge.JudgeHand(message, timeout=20)
    assert error.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_bytes_that_are_no_message_are_an_error_of_the_call_only(channel):
    call = channel.unary_unary("/referee.v1.JudgeService/JudgeAction")
    rng = random.Random(1)
    for _ in range(scale(50, 2000)):
        with pytest.raises(grpc.RpcError) as error:
            call(b"\xff" + rng.randbytes(rng.randrange(1, 200)), timeout=10)
        assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_altered_requests_get_an_answer_or_a_status_but_no_internal_error(channel):
    """Flips bytes of a good request: whatever still parses must be judged or named, never crash."""
    call = channel.unary_unary("/referee.v1.JudgeService/JudgeAction")
    whole = request().SerializeToString()
    rng = random.Random(2)
    statuses = set()
    for _ in range(scale(300, 20_000)):
        altered = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            altered[rng.randrange(len(altered))] = rng.randrange(256)
        try:
            judge_pb2.JudgeActionRequest.FromString(bytes(altered))
        except Exception:
            continue
        try:
            call(bytes(altered), timeout=10)
            statuses.add("OK")
        except grpc.RpcError as error:
            statuses.add(error.code().name)
    assert statuses == {"OK", "INVALID_ARGUMENT"}


def test_a_stream_cut_in_the_middle_disturbs_nobody(server, judge):
    with grpc.insecure_channel(server.address) as channel:
        own = judge_pb2_grpc.JudgeServiceStub(channel)

        def endless():
            while True:
                item = judge_pb2.JudgeHandsItem(hand=judge_pb2.JudgeHandRequest(notated={"text": "variant = 'NT'"}))
                yield judge_pb2.JudgeHandsRequest(items=[item])

        stream = own.JudgeHands(endless(), timeout=20)
        assert next(stream).answers[0].answer.HasField("unreadable")
        stream.cancel()
        with pytest.raises(grpc.RpcError) as error:
            for _ in stream:
                pass
        assert error.value.code() == grpc.StatusCode.CANCELLED


@pytest.mark.parametrize(
    "sent", [b"", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\xff\x09", b"GET / HTTP/1.1\r\n\r\n"]
)
def test_a_torn_connection_disturbs_nobody(server, sent):
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as torn:
        torn.sendall(sent)


def test_a_bad_shape_in_a_stream_ends_that_stream_with_its_status(judge):
    with pytest.raises(grpc.RpcError) as error:
        list(judge.JudgeHands(iter([judge_pb2.JudgeHandsRequest()]), timeout=10))
    assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_a_page_token_of_somebody_else_is_refused(judge):
    for token in ("x", "-1", "99999"):
        with pytest.raises(grpc.RpcError) as error:
            judge.ListRules(judge_pb2.ListRulesRequest(page_token=token))
        assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_a_record_with_too_many_steps_is_named_by_its_field(judge):
    message = request()
    message.hand.actions.extend([message.proposal] * 1001)
    assert shape_fault(judge, message) == {"hand.actions"}
