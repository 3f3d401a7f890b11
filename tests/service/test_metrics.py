"""Metrics of a server that plays: the figures are those of what happened, and nothing secret is among them."""

import asyncio
import random
import re
import socket
import urllib.error
import urllib.request
from contextlib import asynccontextmanager

import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee.counting import Spread
from referee.rules.cards import CARD_TEXTS
from referee.service.server import Server, open_store
from referee.store.sqlite import Append, StoredRow, StoreError
from referee.table.happenings import Asked, Ruled
from referee.table.items import heartbeat_item
from referee.table.timing import SystemTime
from referee.v1 import table_pb2
from tests.service.playing import Follower, Tables, answer_to, attach_item, propose_item, run
from tests.support import REPOSITORY


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


@asynccontextmanager
async def metered(folder):
    """A server that plays, and the port of its metrics."""
    port = free_port()
    store = open_store(folder, SystemTime())
    server = Server(store=store, metrics_address=("127.0.0.1", port))
    await server.start()
    running = Tables(server, store)
    try:
        yield running, port
    finally:
        await running.channel.close()
        await server.drain(1)


def test_every_metric_is_on_the_operators_page_and_the_page_names_no_other(tmp_path):
    async def go():
        async with metered(tmp_path) as (_, port):
            text, _ = await asyncio.to_thread(scraped, port)
            return text

    page = (REPOSITORY / "docs/operator.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## Metrics\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    told = [name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    served = re.findall(r"^# TYPE (\w+) ", run(go()), re.MULTILINE)
    assert sorted(told) == sorted(served)
    assert len(set(told)) == len(told) > 15


def test_the_figures_are_those_of_what_was_played(tmp_path):
    async def go():
        async with metered(tmp_path) as (running, port):
            store = running.store
            table_id, tokens = await running.seated(hands=4)
            players = [running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()]
            await asyncio.gather(*players)
            other_id, others = await running.seated(hands=0)
            call = running.stub.Play()
            mine = [attach_item(other_id, token) for token in others.values()][:1]
            await call.write(table_pb2.PlayRequest(items=mine))
            await call.read()
            text, samples = await asyncio.to_thread(scraped, port)
            happened = [one.happening for one in store.hub.find(table_id).stored(0, 4)]
            asked = sum(isinstance(one, Asked) for one in happened)
            ruled = [one for one in happened if isinstance(one, Ruled)]
            # Of the other table a hand has begun and its first decision is open.
            assert samples["referee_hands_total",] == 5
            assert samples["referee_decisions_total",] == asked + 1
            assert samples["referee_accepted_total",] == sum(one.accepted for one in ruled)
            assert samples["referee_automatic_total",] == samples["referee_unruled_total",] == 0
            assert samples["referee_answer_seconds_count",] == len(ruled)
            assert samples["referee_answer_seconds_bucket", "+Inf"] == len(ruled)
            assert samples["referee_tables",] == 1
            assert samples["referee_streams",] == 1
            assert samples["referee_log_size",] == store.hub.store.frontier.size
            assert samples["referee_commit_seconds_count",] == samples["referee_commit_group_appends_count",] > 0
            assert samples["referee_commit_group_appends_sum",] >= samples["referee_commit_seconds_count",]
            assert samples["referee_commits_failed_total",] == 0
            secrets = [*tokens.values(), *others.values(), table_id, other_id, "somebody", store.access.host_token]
            assert not any(secret in text for secret in secrets)
            assert not any(f'"{card}"' in text for card in CARD_TEXTS)
            call.cancel()
        with pytest.raises(urllib.error.URLError):
            await asyncio.to_thread(scraped, port)

    run(go())


async def first_to_act(running, table_id, tokens):
    """The stream of the seat that has the first decision, and the decision."""
    for token in tokens.values():
        call = running.stub.Play()
        await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, token)]))
        for item in (await call.read()).items:
            if item.HasField("decision"):
                return call, item.decision
        call.cancel()
    raise AssertionError("nobody was asked")


async def answers(call, wanted):
    """The next answers of a stream."""
    found = []
    while len(found) < wanted:
        found += [one.answered for one in (await call.read()).items if one.HasField("answered")]
    return found


def test_refusals_are_counted_by_reason_and_what_cannot_be_ruled_on_apart(tmp_path):
    async def go():
        async with metered(tmp_path) as (running, port):
            table_id, tokens = await running.seated(seats=2, hands=1)
            call, decision = await first_to_act(running, table_id, tokens)
            wrong = answer_to(decision, random.Random(1))
            wrong.decision_id += 3
            too_much = answer_to(decision, random.Random(1))
            getattr(too_much.action, "raise").raise_to = 100_000
            proposals = [(wrong, "a"), (wrong, "b"), (too_much, "c"), (too_much, "a")]
            for proposal, request_id in proposals:
                await call.write(table_pb2.PlayRequest(items=[propose_item(table_id, proposal, request_id)]))
            assert not any(one.ruling.accepted for one in await answers(call, len(proposals)))
            _, samples = await asyncio.to_thread(scraped, port)
            refused = {key[1]: value for key, value in samples.items() if key[0] == "referee_refused_total"}
            assert refused == {"STALE_DECISION": 2, "ABOVE_STACK": 1}
            assert samples["referee_unruled_total",] == 1, "the id of the first with the content of the third"
            assert samples["referee_answer_seconds_count",] == 3
            call.cancel()

    run(go())


def test_what_the_referee_answers_itself_is_counted_apart(tmp_path):
    async def go():
        async with metered(tmp_path) as (running, port):
            table_id, tokens = await running.seated(seats=2, hands=1)
            (asked,) = running.store.hub.find(table_id).table.decisions
            leave = table_pb2.LeaveSeatRequest(request_id="l", table_id=table_id, seat_token=tokens[asked])
            await running.stub.LeaveSeat(leave)
            _, samples = await asyncio.to_thread(scraped, port)
            assert samples["referee_automatic_total",] == 1
            assert samples["referee_accepted_total",] == 0

    run(go())


def test_what_waits_is_counted_while_it_waits(tmp_path):
    async def go():
        async with metered(tmp_path) as (running, port):
            table_id, tokens = await running.seated(seats=2, hands=1)
            other_id, _ = await running.seated(seats=2, hands=1)
            call, _ = await first_to_act(running, table_id, tokens)
            watching = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id))
            await watching.read()
            owners = [running.store.hub.find(one) for one in (table_id, other_id)]
            waiting = [
                asyncio.ensure_future(owner.run_once(str(number), b"", lambda: None, lambda _: b""))
                for owner, commands in zip(owners, (4, 2), strict=True)
                for number in range(commands)
            ]
            await asyncio.sleep(0)  # each is given; the first of a table is on its way to the disk, the others wait
            for items, reader in enumerate(running.server._tables.readers, 1):
                reader.put([heartbeat_item(0)] * items)
            # The server's loop stands still while this asks: the metrics have a thread of their own.
            _, samples = scraped(port)
            assert samples["referee_commands_waiting",] == 3 + 1
            assert samples["referee_commands_waiting_at_most",] == 3
            assert samples["referee_streams",] == 2
            assert samples["referee_items_queued",] == 1 + 2
            assert samples["referee_items_queued_at_most",] == 2
            await asyncio.gather(*waiting)
            for stream in (call, watching):
                assert (await stream.read()).items[0].HasField("heartbeat")
            _, samples = await asyncio.to_thread(scraped, port)
            assert samples["referee_commands_waiting",] == samples["referee_items_queued",] == 0
            call.cancel()
            watching.cancel()

    run(go())


def test_a_commit_that_fails_is_counted(tmp_path):
    async def go():
        async with metered(tmp_path) as (running, port):
            with pytest.raises(StoreError):
                await running.store.hub.store.append(Append("nowhere", (StoredRow(1, 0, 0, b""),)))
            _, samples = await asyncio.to_thread(scraped, port)
            assert samples["referee_commits_failed_total",] == 1

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
