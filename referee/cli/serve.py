"""`referee serve`: runs the server."""

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import AsJson, Exit, err, print_json
from referee.service.logs import configure
from referee.service.server import Tls, open_store, serve
from referee.store.sqlite import StoreError
from referee.table.timing import SystemTime


class LogFormat(StrEnum):
    """How log lines are written."""

    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """The least that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def command(
    host: Annotated[str, typer.Option(envvar="REFEREE_HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar="REFEREE_PORT", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 50051,
    tls_key: Annotated[
        Path | None, typer.Option(envvar="REFEREE_TLS_KEY", help="PEM file of the server's key.")
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(envvar="REFEREE_TLS_CERT", help="PEM file of the server's certificate chain.")
    ] = None,
    tls_client_ca: Annotated[
        Path | None,
        typer.Option(envvar="REFEREE_TLS_CLIENT_CA", help="PEM file of the authority that clients must show."),
    ] = None,
    data: Annotated[
        Path, typer.Option(envvar="REFEREE_DATA", help="Folder of the tables' store and of the tokens drawn for it.")
    ] = Path("referee-data"),
    judge_only: Annotated[bool, typer.Option("--judge-only", help="Keep nothing and play no tables.")] = False,
    host_token: Annotated[
        str, typer.Option(envvar="REFEREE_HOST_TOKEN", help="Token of the host; else drawn, in DATA/host.token.")
    ] = "",
    auditor_token: Annotated[
        str, typer.Option(envvar="REFEREE_AUDITOR_TOKEN", help="Token of the auditor; else in DATA/auditor.token.")
    ] = "",
    log_format: Annotated[LogFormat, typer.Option(envvar="REFEREE_LOG_FORMAT", help="Log lines.")] = LogFormat.CONSOLE,
    log_level: Annotated[LogLevel, typer.Option(envvar="REFEREE_LOG_LEVEL", help="Least to log.")] = LogLevel.INFO,
    as_json: AsJson = False,
) -> None:
    """Serve judging and tables over gRPC, on loopback unless told otherwise, until SIGTERM or SIGINT."""
    if (tls_key is None) != (tls_cert is None) or (tls_client_ca is not None and tls_key is None):
        err.print("TLS needs --tls-key and --tls-cert together; --tls-client-ca needs both")
        raise typer.Exit(Exit.UNREADABLE)
    configure(as_json or log_format == LogFormat.JSON, log_level.value)
    tls = None if tls_key is None or tls_cert is None else Tls(tls_key, tls_cert, tls_client_ca)
    on_listening = (lambda bound: print_json({"listening": bound})) if as_json else None
    try:
        store = None if judge_only else open_store(data, SystemTime(), host_token, auditor_token)
        asyncio.run(serve(host, port, tls, store, on_listening))
    except (OSError, RuntimeError, StoreError) as failed:
        err.print(f"cannot serve on {host}:{port}: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
