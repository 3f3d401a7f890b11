"""`referee healthcheck`: asks a running server how it is, for containers and supervisors."""

from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.cli.output import AsJson, out, print_json


def command(
    target: Annotated[
        str, typer.Option(envvar="REFEREE_TARGET", help="The server's address, HOST:PORT.")
    ] = "127.0.0.1:50051",
    service: Annotated[str, typer.Option(help="One service by its full name; empty asks for the whole server.")] = "",
    timeout: Annotated[float, typer.Option(help="Seconds to wait.")] = 3.0,
    tls_ca: Annotated[
        Path | None, typer.Option(envvar="REFEREE_TLS_CA", help="PEM file of the authority to trust; turns TLS on.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Exit with 0 if the server says that it is serving, else with 1."""
    if tls_ca is None:
        channel = grpc.insecure_channel(target)
    else:
        channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(tls_ca.read_bytes()))
    try:
        with channel:
            request = health_pb2.HealthCheckRequest(service=service)
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(request, timeout=timeout)
        status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    except grpc.RpcError as error:
        status = error.code().name
    if as_json:
        print_json({"target": target, "status": status})
    else:
        out.print(status, markup=False)
    if status != "SERVING":
        raise typer.Exit(1)
