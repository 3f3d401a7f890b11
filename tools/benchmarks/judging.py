"""`JudgeHands`, the stream of the judging service, over loopback: hands for each CPU second of the server."""

import tempfile
from collections.abc import Iterator

import grpc

from referee.limits import HANDS_IN_A_STREAM_MESSAGE
from referee.v1 import judge_pb2, judge_pb2_grpc
from tools.benchmarks.processes import PLAY, ServerProcess


def hands_of(text: str) -> list[str]:
    """The hands of a PHH file, each as a text of its own."""
    return [hand.partition("]\n")[2] for hand in text.strip().split("\n\n")]


def judged_over_the_wire(text: str, with_settlement: bool) -> float:
    """How many hands a CPU second of a server judges, which are sent to it by the message; all must be right.

    Reading the notation, judging, and gRPC are in it, and the settlement statement if it is asked for; rulings are not.
    """
    hands = hands_of(text)
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            with grpc.insecure_channel(server.address) as channel:
                judge = judge_pb2_grpc.JudgeServiceStub(channel)
                _judged(judge, hands[: len(hands) // 2], with_settlement)
                begun = server.cpu_seconds()
                judged = _judged(judge, hands[len(hands) // 2 :], with_settlement)
                return judged / (server.cpu_seconds() - begun)
        finally:
            server.stop()


def _judged(judge: judge_pb2_grpc.JudgeServiceStub, hands: list[str], with_settlement: bool) -> int:
    judged = 0
    for response in judge.JudgeHands(_messages(hands, with_settlement)):
        for one in response.answers:
            assert one.answer.judgement.agrees, one
            judged += 1
    assert judged == len(hands)
    return judged


def _messages(hands: list[str], with_settlement: bool) -> Iterator[judge_pb2.JudgeHandsRequest]:
    for at in range(0, len(hands), HANDS_IN_A_STREAM_MESSAGE):
        items = [
            judge_pb2.JudgeHandsItem(
                item_id=str(number),
                hand=judge_pb2.JudgeHandRequest(notated=judge_pb2.NotatedHand(text=hand)),
                omit_settlement_if_agrees=not with_settlement,
            )
            for number, hand in enumerate(hands[at : at + HANDS_IN_A_STREAM_MESSAGE], at)
        ]
        yield judge_pb2.JudgeHandsRequest(items=items)
