"""`referee audit redact`: leaves out of a bundle what a seat, or the public, may not see."""

from typing import Annotated

import typer

from referee.audit.redaction import RedactionError, redacted
from referee.cli.audit_files import BundleFile, OutputFile, bundle_in, fail, write
from referee.cli.output import out
from referee.record.bundle import bundle_bytes
from referee.v1 import record_pb2


def command(
    bundle: BundleFile,
    output: OutputFile,
    seat: Annotated[int, typer.Option(min=0, max=10, help="Keep what this seat may see.")] = 0,
    public: Annotated[bool, typer.Option("--public", help="Keep what everybody may see.")] = False,
    holder: Annotated[
        str, typer.Option(help="SHA-256 of the token of who asks, in hexadecimal, where several held the seat.")
    ] = "",
) -> None:
    """Write the bundle as a seat or everybody may see it; chain and proofs hold all the same."""
    if public == (seat > 0):
        raise typer.BadParameter("one of --seat and --public is expected", param_hint="--seat")
    try:
        token_sha256 = bytes.fromhex(holder)
    except ValueError:
        raise typer.BadParameter(f"{holder!r} is not hexadecimal", param_hint="--holder") from None
    view = record_pb2.BUNDLE_VIEW_PUBLIC if public else record_pb2.BUNDLE_VIEW_SEAT
    try:
        result = redacted(bundle_in(bundle), view, seat, token_sha256)
    except RedactionError as refused:
        fail(f"{bundle}: {refused}")
    write(output, bundle_bytes(result))
    hidden = sum([bool(entry.commitment) for piece in result.pieces for entry in piece.entries])
    out.print(f"{output}: {len(result.pieces)} pieces, {hidden} entries hidden", markup=False)
