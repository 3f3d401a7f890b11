"""`referee audit export`: fetches a bundle from a server."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import grpc
import typer

from referee.cli.audit_files import OutputFile, fail, write
from referee.cli.output import Exit, err, out
from referee.client.connecting import Server, bearing
from referee.record.bundle import BundleFormatError, read_bundle
from referee.v1 import audit_pb2, audit_pb2_grpc, record_pb2

_VIEWS = {
    "": record_pb2.BUNDLE_VIEW_UNSPECIFIED,
    "auditor": record_pb2.BUNDLE_VIEW_AUDITOR,
    "seat": record_pb2.BUNDLE_VIEW_SEAT,
    "public": record_pb2.BUNDLE_VIEW_PUBLIC,
}


def command(
    output: OutputFile,
    table: Annotated[str, typer.Option(help="The table's id.")] = "",
    day: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="All that was sealed on this day (UTC), for auditors.")
    ] = None,
    target: Annotated[
        str, typer.Option(envvar="REFEREE_TARGET", help="The server's address, HOST:PORT.")
    ] = "127.0.0.1:50051",
    first: Annotated[int, typer.Option(min=0, help="The first hand; 0 begins with the opening.")] = 0,
    last: Annotated[int, typer.Option(min=0, help="The last hand; 0 goes on to the end.")] = 0,
    view: Annotated[
        str, typer.Option("--as", help="As whom: auditor, seat or public; as much as you may see if not given.")
    ] = "",
    token: Annotated[str, typer.Option(envvar="REFEREE_AUDITOR_TOKEN", help="The auditor's token.")] = "",
    seat_token: Annotated[str, typer.Option(envvar="REFEREE_SEAT_TOKEN", help="The seat's token.")] = "",
    tls_ca: Annotated[
        Path | None, typer.Option(envvar="REFEREE_TLS_CA", help="PEM file of the authority to trust; turns TLS on.")
    ] = None,
) -> None:
    """Fetch the sealed record of a table, or of a day's tables, as a bundle file.

    It is checked to be whole, not verified.
    """
    if bool(table) == (day is not None):
        raise typer.BadParameter("one of --table and --day is needed", param_hint="--table, --day")
    if view not in _VIEWS:
        raise typer.BadParameter(f"{view!r} is none of auditor, seat and public", param_hint="--as")
    request = audit_pb2.ExportBundleRequest(
        table_id=table, first_hand=first, last_hand=last, view=_VIEWS[view], seat_token=seat_token
    )
    if day is not None:
        begins = day.replace(tzinfo=UTC)
        request.from_unix_ms = int(begins.timestamp() * 1000)
        request.until_unix_ms = int((begins + timedelta(days=1)).timestamp() * 1000)
    try:
        server = Server(target, tls_ca=None if tls_ca is None else tls_ca.read_bytes())
        data = asyncio.run(export_bundle(server, request, token))
        bundle = read_bundle(data)
    except OSError as unreadable:
        fail(f"{tls_ca}: {unreadable.strerror}")
    except grpc.aio.AioRpcError as refused:
        err.print(f"{refused.code().name}: {refused.details()}", markup=False)
        raise typer.Exit(Exit.DISAGREES) from None
    except BundleFormatError as broken:
        fail(f"what {target} sent: {broken}")
    write(output, data)
    out.print(f"{output}: {len(bundle.pieces)} pieces, {len(data)} bytes", markup=False)


async def export_bundle(server: Server, request: audit_pb2.ExportBundleRequest, token: str = "") -> bytes:
    """The bytes of the bundle file that a server exports; ``token`` is the auditor's. Raises AioRpcError."""
    async with server.channel() as channel:
        stub = audit_pb2_grpc.AuditServiceStub(channel)
        parts = stub.ExportBundle(request, metadata=bearing(token))
        return b"".join([part.data async for part in parts])
