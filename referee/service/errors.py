"""gRPC errors with details: only for shape, unknown names, and overload; a refusal is an answer, never one of these."""

from collections.abc import Iterable
from typing import Any, NoReturn

import grpc
import protovalidate
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

_CODES = {
    grpc.StatusCode.INVALID_ARGUMENT: code_pb2.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND: code_pb2.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS: code_pb2.ALREADY_EXISTS,
    grpc.StatusCode.PERMISSION_DENIED: code_pb2.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED: code_pb2.UNAUTHENTICATED,
    grpc.StatusCode.RESOURCE_EXHAUSTED: code_pb2.RESOURCE_EXHAUSTED,
    grpc.StatusCode.FAILED_PRECONDITION: code_pb2.FAILED_PRECONDITION,
    grpc.StatusCode.UNAVAILABLE: code_pb2.UNAVAILABLE,
    grpc.StatusCode.OUT_OF_RANGE: code_pb2.OUT_OF_RANGE,
}
DOMAIN = "referee.v1"


async def refuse_shape(context: "grpc.aio.ServicerContext[Message, Message]", request: Message) -> None:
    """Ends the call with INVALID_ARGUMENT, naming every field at fault, unless the request has its shape."""
    violations = violations_of(request)
    if violations:
        text = "; ".join(f"{one.field}: {one.description}" for one in violations)
        await abort(
            context,
            grpc.StatusCode.INVALID_ARGUMENT,
            "BAD_SHAPE",
            text,
            error_details_pb2.BadRequest(field_violations=violations),
        )


def violations_of(request: Message) -> list[error_details_pb2.BadRequest.FieldViolation]:
    """The fields of a request that break the contract's declared shape."""
    return [
        error_details_pb2.BadRequest.FieldViolation(
            field=_path(violation.proto.field.elements if violation.proto.field else ()),
            description=violation.proto.message,
            reason=violation.proto.rule_id,
        )
        for violation in protovalidate.collect_violations(request)
    ]


def _path(elements: "Iterable[Any]") -> str:
    """A field's path as people write it, such as ``hand.setup.players[1].hole_cards[0]``."""
    parts = []
    for element in elements:
        subscript = element.subscript
        parts.append(element.field_name if subscript is None else f"{element.field_name}[{subscript.value}]")
    return ".".join(parts)


async def abort(
    context: "grpc.aio.ServicerContext[Message, Message]",
    code: grpc.StatusCode,
    reason: str,
    message: str,
    *details: Message,
) -> NoReturn:
    """Ends the call with a status whose details carry a stable reason beside the sentence."""
    status = status_pb2.Status(code=_CODES[code], message=message)
    for detail in (error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN), *details):
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    await context.abort(code, message)
    raise AssertionError("abort does not return")
