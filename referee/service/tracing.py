"""Traces by OpenTelemetry: a span for each call of ours, and for each command that a table carries out.

Imported only where traces are wanted, since it needs the ``otel`` extra. Spans tell what kind of thing was done, at
which table and how it ended, in words of the contract: nothing that anybody wrote, no card, seed or token is in them.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from importlib.metadata import entry_points
from os import environ
from threading import Thread
from typing import Any, Final

import grpc
from opentelemetry import propagate
from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, Span, SpanContext, SpanKind, StatusCode, use_span

from referee import __version__
from referee.limits import TRACES_FLUSHED_WITHIN_SECONDS
from referee.service.interception import Call
from referee.table.happenings import Ruled, action_name, refusal_name, ruling_of
from referee.table.owner import Done, Operate

OURS: Final = "/referee.v1."
"""How the methods begin that are traced: not those of health checks and reflection."""

OUR_FAULTS: Final = {"UNKNOWN", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "DEADLINE_EXCEEDED", "UNIMPLEMENTED"}

STATUS_NAMES: Final = {status.value[0]: status.name for status in grpc.StatusCode}

ASKED_BY_NOBODY: Final = ("resume", "clock")
"""Commands that a table gives itself: whose call happened to wake it says nothing about them."""

_stream: ContextVar[SpanContext | None] = ContextVar("stream", default=None)
"""The stream that commands are given over. It lasts too long to be their parent: theirs are traces of their own."""


class TracingError(ValueError):
    """Traces cannot be sent as the environment says."""


class Tracing:
    """Follows calls and commands of a server into the spans of a provider."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("referee", __version__)

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """A span around one call, within the trace that its caller may have told of."""
        if not call.method.startswith(OURS):
            yield
            return
        metadata = {key: value for key, value in call.context.invocation_metadata() or () if isinstance(value, str)}
        span = self._tracer.start_span(call.method[1:], propagate.extract(metadata), SpanKind.SERVER)
        if span.is_recording():
            service, _, method = call.method[1:].partition("/")
            span.set_attributes({"rpc.system": "grpc", "rpc.service": service, "rpc.method": method})
        status = ""
        try:
            if call.streams:
                _stream.set(span.get_span_context())
                yield
            else:
                with use_span(span, record_exception=False, set_status_on_exception=False):
                    yield
        except asyncio.CancelledError:
            status = "CANCELLED"
            raise
        finally:
            _end_of_call(span, status or _status_of(call.context))

    def command(self, table_id: str, kind: str, operate: Operate, done: Done) -> tuple[Operate, Done]:
        """A span for a command, from when it was given until what it did is on disk."""
        stream = _stream.get()
        if kind in ASKED_BY_NOBODY:
            span = self._tracer.start_span(f"table {kind}", Context())
        elif stream is None:
            span = self._tracer.start_span(f"table {kind}")
        else:
            span = self._tracer.start_span(f"table {kind}", Context(), links=[Link(stream)])
        if not span.is_recording():
            return operate, done
        span.set_attribute("referee.table", table_id)

        def operated() -> Any:
            span.add_event("carried out")
            return operate()

        def stored(result: Any, failure: Exception | None) -> None:
            if failure is not None:
                span.set_status(StatusCode.ERROR)
                span.set_attribute("error.type", type(failure).__name__)
            elif isinstance(result, Ruled):
                span.set_attributes(_of_ruling(result))
            span.end()
            done(result, failure)

        return operated, stored

    async def end(self) -> None:
        """Sends what is waiting, for a bounded time."""
        sending = Thread(target=self._provider.shutdown, daemon=True)
        sending.start()
        await asyncio.to_thread(sending.join, TRACES_FLUSHED_WITHIN_SECONDS)


def _status_of(context: Any) -> str:
    """The name of a call's status, as gRPC keeps it while the call lasts: nothing for OK, a number once aborted."""
    code = context.code()
    return STATUS_NAMES[code] if isinstance(code, int) else grpc.StatusCode.OK.name if code is None else code.name


def _end_of_call(span: Span, status: str) -> None:
    span.set_attribute("rpc.response.status_code", status)
    if status in OUR_FAULTS:
        span.set_status(StatusCode.ERROR)
        span.set_attribute("error.type", status)
    span.end()


def _of_ruling(one: Ruled) -> dict[str, str | int | bool]:
    """What a span tells of a ruling: of a refused proposal only what the referee says of it."""
    told: dict[str, str | int | bool] = {
        "referee.seat": one.seat,
        "referee.accepted": one.accepted,
        "referee.decision_ms": one.elapsed_ms,
    }
    if one.accepted:
        told["referee.action"] = action_name(one)
    else:
        told["referee.reason"] = refusal_name(one)
        told["referee.rule"] = ruling_of(one).rule
    return told


def tracing_from_environment() -> Tracing:
    """Traces that go where the standard OTEL_... variables say; raises TracingError where they cannot.

    Exporters are those of OTEL_TRACES_EXPORTER: ``otlp`` if not given, ``console``, ``none``, any that is installed.
    """
    told = OTELResourceDetector().detect().attributes
    provider = TracerProvider(
        resource=Resource.create({SERVICE_NAME: "referee", SERVICE_VERSION: __version__, **told}),
        shutdown_on_exit=False,
    )
    for name in environ.get("OTEL_TRACES_EXPORTER", "otlp").split(","):
        if name.strip() != "none":
            provider.add_span_processor(BatchSpanProcessor(_exporter(name.strip())()))
    return Tracing(provider)


def _exporter(name: str) -> Callable[[], Any]:
    if name == "otlp":
        common = environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
        protocol = environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", common)
        name = f"otlp_proto_{protocol.partition('/')[0]}"
    for found in entry_points(group="opentelemetry_traces_exporter", name=name):
        exporter: Callable[[], Any] = found.load()
        return exporter
    raise TracingError(
        f"no exporter of traces {name!r} is installed (OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_PROTOCOL)"
    )
