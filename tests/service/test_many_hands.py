"""Thousands of hands by random bots over gRPC, at every size of table and in every structure, each judged again."""

import asyncio

import pytest

from referee.v1 import judge_pb2, judge_pb2_grpc, table_pb2
from tests.service.playing import Follower, run, tables
from tests.support import scale

GAMES = [
    ("irish/full-tilt@1", 1),
    ("irish/full-tilt@1", 2),
    ("irish/french-limit@1", 3),
    ("irish/french-minimum@1", 1),
    ("irish/tda@1", 2),
    ("holdem/tda@1", 1),
    ("holdem/online-limit@1", 3),
]
HANDS = scale(3, 160)  # 9 sizes x 7 games x 160 = 10,080 hands


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_hand_of_random_bots_is_judged_again_to_the_same_rulings_and_settlement(tmp_path, seats):
    async def one_table(running, rule_set, structure):
        table_id, tokens = await running.seated(
            seats=seats, rule_set=rule_set, structure=structure, hands=HANDS, starting_stack=37 + 100 * structure
        )
        followers = {seat: Follower() for seat in tokens}
        await asyncio.gather(
            *(running.play_seat(table_id, token, seat, followers[seat]) for seat, token in tokens.items())
        )
        judge = judge_pb2_grpc.JudgeServiceStub(running.channel)
        for hand in range(1, HANDS + 1):
            request = table_pb2.GetHandRecordRequest(table_id=table_id, hand=hand)
            record = await running.stub.GetHandRecord(request, metadata=running.auditor)
            judged = (await judge.JudgeHand(judge_pb2.JudgeHandRequest(record=record.record))).judgement
            assert judged.agrees, judged.findings
            assert judged.settlement == record.settlement
            told = [one.hand_event for one in record.events if one.HasField("hand_event")]
            again = [*judged.opening_events, *(event for one in judged.rulings for event in one.ruling.events)]
            assert again == told, "the same rulings, event by event"
        return HANDS

    async def go():
        async with tables(tmp_path) as running:
            played = await asyncio.gather(*(one_table(running, *game) for game in GAMES))
            assert sum(played) == len(GAMES) * HANDS

    run(go(), 1800)
