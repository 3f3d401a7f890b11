"""Metrics of a server that plays: the figures are those of what happened, and nothing secret is among them."""

import asyncio
import random
import socket
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee.counting import Spread
from referee.rules.cards import CARD_TEXTS
from referee.service.server import Server, open_store
from referee.table.happenings import Asked, Ruled
from referee.table.timing import SystemTime
from referee.v1 import table_pb2
from tests.service.playing import Follower, Tables, answer_to, attach_item, propose_item, run


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def scraped(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            samples[sample.name, *sample.labels.values()] = sample.value
    return text, samples


def test_the_figures_are_those_of_what_was_played(tmp_path):
    async def go():
        port = free_port()
        store = open_store(tmp_path, SystemTime())
        server = Server(store=store, metrics_address=("127.0.0.1", port))
        await server.start()
        running = Tables(server, store)
        table_id, tokens = await running.seated(hands=4)
        players = [running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()]
        await asyncio.gather(*players)
        other_id, others = await running.seated(hands=0)
        call = running.stub.Play()
        await call.write(table_pb2.PlayRequest(items=[attach_item(other_id, token) for token in others.values()][:1]))
        await call.read()
        text, samples = await asyncio.to_thread(scraped, port)
        happened = [one.happening for one in store.hub.find(table_id).stored(0, 4)]
        asked = sum(isinstance(one, Asked) for one in happened)
        ruled = [one for one in happened if isinstance(one, Ruled)]
        # Of the other table a hand has begun and its first decision is open.
        assert samples["referee_hands_total",] == 5
        assert samples["referee_decisions_total",] == asked + 1
        assert samples["referee_accepted_total",] == sum(one.accepted for one in ruled)
        assert samples["referee_answer_seconds_count",] == len(ruled)
        assert samples["referee_answer_seconds_bucket", "+Inf"] == len(ruled)
        assert samples["referee_tables",] == 1
        assert samples["referee_streams",] == 1
        assert samples["referee_log_size",] == store.hub.store.frontier.size
        assert samples["referee_commit_seconds_count",] == samples["referee_commit_group_appends_count",] > 0
        assert samples["referee_commit_group_appends_sum",] >= samples["referee_commit_seconds_count",]
        secrets = [*tokens.values(), *others.values(), table_id, other_id, "somebody", store.access.host_token]
        assert not any(secret in text for secret in secrets)
        assert not any(f'"{card}"' in text for card in CARD_TEXTS)
        call.cancel()
        await running.channel.close()
        await server.drain(1)
        with pytest.raises(urllib.error.URLError):
            await asyncio.to_thread(scraped, port)

    run(go())


def test_refusals_are_counted_by_reason(tmp_path):
    async def go():
        port = free_port()
        store = open_store(tmp_path, SystemTime())
        server = Server(store=store, metrics_address=("127.0.0.1", port))
        await server.start()
        running = Tables(server, store)
        table_id, tokens = await running.seated(seats=2, hands=1)
        rng = random.Random(1)
        for token in tokens.values():
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, token)]))
            items = (await call.read()).items
            while decisions := [one.decision for one in items if one.HasField("decision")]:
                wrong = answer_to(decisions[0], rng)
                wrong.decision_id += 3
                await call.write(table_pb2.PlayRequest(items=[propose_item(table_id, wrong) for _ in range(3)]))
                answers = []
                while len(answers) < 3:
                    answers += [one.answered for one in (await call.read()).items if one.HasField("answered")]
                assert not any(one.ruling.accepted for one in answers)
                break
            call.cancel()
        _, samples = await asyncio.to_thread(scraped, port)
        assert samples["referee_refused_total", "STALE_DECISION"] == 3
        await running.channel.close()
        await server.drain(1)

    run(go())


def test_a_taken_address_of_the_metrics_is_said_so(tmp_path):
    async def go():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            server = Server(
                store=open_store(tmp_path, SystemTime()), metrics_address=("127.0.0.1", taken.getsockname()[1])
            )
            with pytest.raises(OSError, match="in use"):
                await server.start()
            await server.drain(0)

    run(go())


def test_a_spread_counts_each_value_once():
    spread = Spread((1.0, 10.0))
    for value in (0, 1, 1.5, 10, 11, 500):
        spread.add(value)
    assert (spread.counts, spread.total) == ([2, 2, 2], 523.5)
