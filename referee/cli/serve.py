"""`referee serve`: runs the server."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.audit.operation_store import OperationStoreError
from referee.cli.output import AsJson, Exit, err, print_json
from referee.service.log_key import LogKeyError
from referee.service.logs import configure
from referee.service.server import Tls, open_store, serve
from referee.service.settings import Settings, settings_from
from referee.store.sqlite import StoreError
from referee.table.timing import SystemTime


def _help(name: str) -> Any:
    field = Settings.model_fields[name]
    default = "" if field.default in (None, "", []) or "token" in name else f"default {field.default}; "
    return typer.Option(help=f"{field.description} ({default}or REFEREE_{name.upper()})", show_default=False)


def command(
    config: Annotated[
        Path | None, typer.Option(envvar="REFEREE_CONFIG", help="TOML file of these settings; flags go before it.")
    ] = None,
    host: Annotated[str | None, _help("host")] = None,
    port: Annotated[int | None, _help("port")] = None,
    socket: Annotated[Path | None, _help("socket")] = None,
    data: Annotated[Path | None, _help("data")] = None,
    contests: Annotated[Path | None, _help("contests")] = None,
    judge_only: Annotated[bool | None, _help("judge_only")] = None,
    tls_key: Annotated[Path | None, _help("tls_key")] = None,
    tls_cert: Annotated[Path | None, _help("tls_cert")] = None,
    tls_client_ca: Annotated[Path | None, _help("tls_client_ca")] = None,
    host_token: Annotated[str | None, _help("host_token")] = None,
    auditor_token: Annotated[str | None, _help("auditor_token")] = None,
    check_store: Annotated[str | None, _help("check_store")] = None,
    log_name: Annotated[str | None, _help("log_name")] = None,
    witness_keys: Annotated[list[str] | None, _help("witness_keys")] = None,
    calls_a_second: Annotated[int | None, _help("calls_a_second")] = None,
    metrics_host: Annotated[str | None, _help("metrics_host")] = None,
    metrics_port: Annotated[int | None, _help("metrics_port")] = None,
    traces: Annotated[bool | None, _help("traces")] = None,
    log_format: Annotated[str | None, _help("log_format")] = None,
    log_level: Annotated[str | None, _help("log_level")] = None,
    as_json: AsJson = False,
) -> None:
    """Serve judging and tables over gRPC, on loopback unless told otherwise, until SIGTERM or SIGINT."""
    flags = {name: value for name, value in locals().items() if name in Settings.model_fields and value != []}
    try:
        settings = settings_from(flags, config)
        tls = _tls(settings)
        tracing = _tracing() if settings.traces else None
    except ValueError as wrong:
        err.print(f"cannot serve: {wrong}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    configure(as_json or settings.log_format == "json", settings.log_level)
    on_listening = (lambda bound: print_json({"listening": bound})) if as_json else None
    try:
        store = None if settings.judge_only else _store(settings)
        metrics = (settings.metrics_host, settings.metrics_port) if settings.metrics_port else None
        address, calls = (settings.host, settings.port), settings.calls_a_second
        asyncio.run(serve(*address, tls, store, on_listening, calls, metrics, tracing, settings.socket))
    except (OSError, RuntimeError, StoreError, OperationStoreError, LogKeyError) as failed:
        err.print(f"cannot serve on {settings.host}:{settings.port}: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None


def _tls(settings: Settings) -> Tls | None:
    if settings.tls_key is None or settings.tls_cert is None:
        return None
    return Tls(settings.tls_key, settings.tls_cert, settings.tls_client_ca)


def _tracing() -> Any:
    """Traces as the environment says; raises ValueError where they cannot be sent so."""
    try:
        from referee.service.tracing import tracing_from_environment
    except ImportError as missing:
        said = f"traces need OpenTelemetry: pip install 'irish-poker-referee[otel]' ({missing})"
        raise ValueError(said) from None
    return tracing_from_environment()


def _store(settings: Settings) -> Any:
    host, auditor = settings.host_token.get_secret_value(), settings.auditor_token.get_secret_value()
    return open_store(
        settings.data,
        SystemTime(),
        host,
        auditor,
        settings.log_name,
        settings.witness_keys,
        settings.check_store == "all",
        settings.contests,
    )
