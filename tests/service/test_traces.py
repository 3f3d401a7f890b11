"""Traces: a span for each call and for each command of a table, sent where the environment says, and nothing secret."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import threading
from concurrent import futures

import grpc
import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.service.server import Server, open_store
from referee.table.happenings import Ruled
from referee.table.timing import SystemTime
from referee.v1 import hand_pb2, table_pb2, table_pb2_grpc
from tests.service.conftest import RunningServer
from tests.service.playing import Follower, Tables, answer_to, attach_item, propose_item, run

SERVICE = "referee.v1.TableService"
CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9TJQKA])[cdhs](?![A-Za-z0-9])")


@pytest.fixture
def traced(tmp_path):
    """A server in this process, and what its spans are exported to."""
    pytest.importorskip("opentelemetry.sdk", reason="the otel extra is not installed")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from referee.service.tracing import Tracing

    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    def spans_of(play):
        async def go():
            store = open_store(tmp_path, SystemTime())
            server = Server(store=store, tracing=Tracing(provider))
            await server.start()
            running = Tables(server, store)
            try:
                told = await play(running)
            finally:
                await running.channel.close()
                await server.drain(1)
            return told

        return run(go()), exporter.get_finished_spans()

    return spans_of


def named(spans, name):
    return [span for span in spans if span.name == name]


async def first_decision(running, table_id, tokens):
    """The open decision of a table and its seat's token, with the streams that wait for it."""
    for token in tokens.values():
        call = running.stub.Play()
        await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, token)]))
        for item in (await call.read()).items:
            if item.HasField("decision"):
                return item.decision, token, call
        call.cancel()
    raise AssertionError("nobody was asked")


def test_whole_hands_leave_spans_of_every_call_and_ruling_and_nothing_secret(traced):
    async def play(running):
        table_id, tokens = await running.seated(hands=6)
        await asyncio.gather(*[running.play_seat(table_id, token, seat, Follower()) for seat, token in tokens.items()])
        owner = running.store.hub.find(table_id)
        ruled = [one.happening for one in owner.stored(0, 6) if isinstance(one.happening, Ruled)]
        secrets = [*tokens.values(), owner.table.config.seed.hex(), running.store.access.host_token, "somebody"]
        return table_id, ruled, [*secrets, *[one.request_id for one in ruled if one.request_id]]

    (table_id, ruled, secrets), spans = traced(play)
    assert len(named(spans, f"{SERVICE}/CreateTable")) == 1
    assert len(named(spans, f"{SERVICE}/TakeSeat")) == 3
    assert len(named(spans, f"{SERVICE}/Play")) == 3
    told = [span.attributes for span in named(spans, "table propose")]
    assert len(told) == len(ruled)
    assert {one["referee.table"] for one in told} == {table_id}
    assert sorted([one["referee.seat"] for one in told]) == sorted([one.seat for one in ruled])
    assert all([one["referee.accepted"] for one in told])
    actions = sorted([hand_pb2.Proposal.FromString(one.proposal).action.WhichOneof("action") for one in ruled])
    assert sorted([one["referee.action"] for one in told]) == actions
    assert "discard" in actions
    text = "\n".join([span.to_json() for span in spans])
    assert not any([secret in text for secret in secrets])
    assert not CARD.search(text)


def test_proposals_of_a_stream_are_traces_of_their_own_linked_to_it(traced):
    async def play(running):
        table_id, tokens = await running.seated(seats=2, hands=1)
        decision, _, call = await first_decision(running, table_id, tokens)
        wrong = answer_to(decision, random.Random(1))
        wrong.decision_id += 3
        await call.write(table_pb2.PlayRequest(items=[propose_item(table_id, wrong)]))
        while not any([item.HasField("answered") for item in (await call.read()).items]):
            pass
        await call.done_writing()
        while await call.read() is not grpc.aio.EOF:
            pass

    _, spans = traced(play)
    (refused,) = named(spans, "table propose")
    assert refused.attributes["referee.accepted"] is False
    assert (refused.attributes["referee.reason"], refused.attributes["referee.rule"]) == ("STALE_DECISION", "BET-9")
    assert "referee.action" not in refused.attributes
    assert [event.name for event in refused.events] == ["carried out"]
    assert refused.parent is None
    streams = {span.context.span_id: span for span in named(spans, f"{SERVICE}/Play")}
    (link,) = refused.links
    assert streams[link.context.span_id].attributes["rpc.response.status_code"] == "OK"
    assert streams[link.context.span_id].context.trace_id != refused.context.trace_id


def test_a_call_goes_on_with_its_callers_trace_and_its_command_with_the_calls(traced):
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"

    async def play(running):
        table_id, tokens = await running.seated(seats=2, hands=1)
        decision, token, call = await first_decision(running, table_id, tokens)
        propose = table_pb2.Propose(request_id="r", proposal=answer_to(decision, random.Random(1)))
        request = table_pb2.SubmitActionRequest(table_id=table_id, seat_token=token, propose=propose)
        answer = await running.stub.SubmitAction(request, metadata=(("traceparent", f"00-{trace}-{parent}-01"),))
        assert answer.answered.ruling.accepted
        call.cancel()

    _, spans = traced(play)
    (submit,) = named(spans, f"{SERVICE}/SubmitAction")
    (propose,) = named(spans, "table propose")
    assert f"{submit.context.trace_id:032x}" == f"{propose.context.trace_id:032x}" == trace
    assert f"{submit.parent.span_id:016x}" == parent
    assert propose.parent.span_id == submit.context.span_id
    assert submit.start_time <= propose.start_time <= propose.events[0].timestamp <= propose.end_time <= submit.end_time
    assert all([span.parent is None for span in spans if span.name in ("table resume", "table clock")])


def test_calls_that_fail_say_how_and_not_with_whose_words(traced):
    async def play(running):
        for request in (
            table_pb2.GetTableRequest(table_id="AhKd"),
            table_pb2.GetTableRequest(table_id="x" * 65),
        ):
            with pytest.raises(grpc.aio.AioRpcError):
                await running.stub.GetTable(request)
        reading = running.channel.unary_unary(f"/{SERVICE}/GetTable")
        with pytest.raises(grpc.aio.AioRpcError):
            await reading(b"\xff\xff\xff")

    _, spans = traced(play)
    found = named(spans, f"{SERVICE}/GetTable")
    assert [span.attributes["rpc.response.status_code"] for span in found] == [
        "NOT_FOUND",
        "INVALID_ARGUMENT",
        "INVALID_ARGUMENT",
    ]
    assert all([span.status.is_unset and not span.events for span in found]), "callers' faults are none of ours"
    assert "AhKd" not in "".join([span.to_json() for span in found])


def test_a_fault_of_ours_is_an_error_without_its_text(traced, monkeypatch):
    async def play(running):
        def fails(table_id):
            raise RuntimeError("seat 2 held AhKd")

        monkeypatch.setattr(running.store.hub, "find", fails)
        with pytest.raises(grpc.aio.AioRpcError):
            await running.stub.GetTable(table_pb2.GetTableRequest(table_id="one"))

    _, spans = traced(play)
    (span,) = named(spans, f"{SERVICE}/GetTable")
    assert (span.attributes["rpc.response.status_code"], span.status.is_ok) == ("INTERNAL", False)
    assert "AhKd" not in span.to_json()


def test_the_end_waits_for_a_collector_that_is_away_only_so_long(monkeypatch):
    pytest.importorskip("opentelemetry.sdk", reason="the otel extra is not installed")
    from referee.service import tracing

    class Provider:
        released = threading.Event()

        def get_tracer(self, *_words):
            return None

        def shutdown(self):
            self.released.wait(60)

    monkeypatch.setattr(tracing, "TRACES_FLUSHED_WITHIN_SECONDS", 0.01)
    asyncio.run(asyncio.wait_for(tracing.Tracing(Provider()).end(), 30))
    assert not Provider.released.is_set()
    Provider.released.set()


# --- the server's process ----------------------------------------------------------------------------------


@pytest.fixture
def collector():
    """An OTLP collector: its address, and the requests that it was sent."""
    service = pytest.importorskip(
        "opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc", reason="the otel extra is not installed"
    )
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

    received = []

    class Collector(service.TraceServiceServicer):
        def Export(self, request, context):  # noqa: N802
            received.append(request)
            return trace_service_pb2.ExportTraceServiceResponse()

    server = grpc.server(futures.ThreadPoolExecutor(1))
    service.add_TraceServiceServicer_to_server(Collector(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"http://127.0.0.1:{port}", received
    server.stop(0)


def test_a_served_process_sends_its_spans_where_the_environment_says(tmp_path, collector, monkeypatch):
    endpoint, received = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "our-table")
    server = RunningServer("--data", str(tmp_path / "data"), "--traces")
    with grpc.insecure_channel(server.address) as channel:
        table_pb2_grpc.TableServiceStub(channel).ListTables(table_pb2.ListTablesRequest(), timeout=30)
    server.stop()
    spans = [
        (span.name, {one.key: one.value.string_value for one in part.resource.attributes}["service.name"])
        for request in received
        for part in request.resource_spans
        for scope in part.scope_spans
        for span in scope.spans
    ]
    assert spans == [(f"{SERVICE}/ListTables", "our-table")]


@pytest.mark.parametrize(
    ("name", "value"), [("OTEL_TRACES_EXPORTER", "carrier-pigeon"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")]
)
def test_an_exporter_that_is_not_there_is_said_so(tmp_path, monkeypatch, name, value):
    pytest.importorskip("opentelemetry.sdk", reason="the otel extra is not installed")
    monkeypatch.setenv(name, value)
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--data", str(tmp_path), "--traces"])
    assert done.exit_code == 2
    assert "OTEL_TRACES_EXPORTER" in done.stderr


def test_without_the_extra_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.delitem(sys.modules, "referee.service.tracing", raising=False)
    done = CliRunner().invoke(app, ["serve", "--port", "0", "--data", str(tmp_path), "--traces"])
    assert done.exit_code == 2
    assert "irish-poker-referee[otel]" in done.stderr


def test_a_server_without_traces_imports_nothing_of_it(tmp_path):
    program = (
        "import sys, signal, threading, os\n"
        "from referee.service import server\n"
        "from referee.cli import app\n"
        "original = server.Server.start\n"
        "async def start(self):\n"
        "    await original(self)\n"
        "    loaded = [name for name in sys.modules if name.startswith('opentelemetry')]\n"
        "    print('loaded', loaded, self._store.hub.follow, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "server.Server.start = start\n"
        f"app(['serve', '--port', '0', '--data', {str(tmp_path)!r}])\n"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=environment)
    assert "loaded [] None" in done.stdout, done.stderr
    assert done.returncode in (0, -signal.SIGTERM)
