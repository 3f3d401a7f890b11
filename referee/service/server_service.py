"""ServerService: what this server is and what it can take."""

from typing import Any

import grpc

from referee import __version__
from referee.core import core
from referee.limits import LIMITS
from referee.rules.ruleset import RULE_SETS
from referee.service.errors import refuse_shape
from referee.v1 import server_pb2, server_pb2_grpc


class ServerService(server_pb2_grpc.ServerServiceServicer):
    """Answers the same for as long as the process runs."""

    async def GetServerInfo(  # noqa: N802
        self, request: server_pb2.GetServerInfoRequest, context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> server_pb2.GetServerInfoResponse:
        """Returns version, limits and rule sets."""
        await refuse_shape(context, request)
        return server_pb2.GetServerInfoResponse(
            version=__version__,
            limits=[server_pb2.Limit(name=name, value=value) for name, value in sorted(LIMITS.items())],
            rule_sets=[rule_set.full_name for rule_set in RULE_SETS],
            core=core(),
        )
