"""`JudgeHands`, the stream of the judging service, over loopback: hands for each CPU second of the server."""

import tempfile
from collections.abc import Iterator
from typing import Final

import grpc

from referee.v1 import judge_pb2, judge_pb2_grpc
from tools.benchmarks.processes import PLAY, ServerProcess

HANDS_IN_A_MESSAGE: Final = 50


def hands_of(text: str) -> list[str]:
    """The hands of a PHH file, each as a text of its own."""
    return [hand.partition("]\n")[2] for hand in text.strip().split("\n\n")]


def judged_over_the_wire(text: str) -> float:
    """How many hands a CPU second of a server judges, which are sent to it by the message; all must be right.

    Reading the notation, judging, and the settlement statement are in it, and gRPC; rulings are not asked for.
    """
    hands = hands_of(text)
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(PLAY, folder)
        try:
            with grpc.insecure_channel(server.address) as channel:
                judge = judge_pb2_grpc.JudgeServiceStub(channel)
                _judged(judge, hands[: len(hands) // 2])
                begun = server.cpu_seconds()
                judged = _judged(judge, hands[len(hands) // 2 :])
                return judged / (server.cpu_seconds() - begun)
        finally:
            server.stop()


def _judged(judge: judge_pb2_grpc.JudgeServiceStub, hands: list[str]) -> int:
    judged = 0
    for response in judge.JudgeHands(_messages(hands)):
        for one in response.answers:
            assert one.answer.judgement.agrees, one
            judged += 1
    assert judged == len(hands)
    return judged


def _messages(hands: list[str]) -> Iterator[judge_pb2.JudgeHandsRequest]:
    for at in range(0, len(hands), HANDS_IN_A_MESSAGE):
        items = [
            judge_pb2.JudgeHandsItem(
                item_id=str(number), hand=judge_pb2.JudgeHandRequest(notated=judge_pb2.NotatedHand(text=hand))
            )
            for number, hand in enumerate(hands[at : at + HANDS_IN_A_MESSAGE], at)
        ]
        yield judge_pb2.JudgeHandsRequest(items=items)
