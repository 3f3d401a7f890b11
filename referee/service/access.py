"""Who may do what: the host's and the auditor's tokens, shown in the metadata of a call."""

import hmac
from dataclasses import dataclass
from typing import Any, NoReturn

import grpc

from referee.service.errors import abort

_SCHEME = "Bearer "


@dataclass(frozen=True)
class Access:
    """The server's tokens."""

    host_token: str
    auditor_token: str

    async def require_host(self, context: "grpc.aio.ServicerContext[Any, Any]") -> None:
        """Ends the call unless it shows the host's token."""
        await self._require(context, self.host_token)

    async def require_auditor(self, context: "grpc.aio.ServicerContext[Any, Any]") -> None:
        """Ends the call unless it shows the auditor's token."""
        await self._require(context, self.auditor_token)

    def is_auditor(self, context: "grpc.aio.ServicerContext[Any, Any]") -> bool:
        """Whether the call shows the auditor's token."""
        return _same(shown_token(context), self.auditor_token)

    async def _require(self, context: "grpc.aio.ServicerContext[Any, Any]", wanted: str) -> None:
        shown = shown_token(context)
        if shown is None:
            await refuse(context, grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING", "this call needs a token")
        if not _same(shown, wanted):
            await refuse(context, grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG", "this token does not allow it")


async def refuse(
    context: "grpc.aio.ServicerContext[Any, Any]", code: grpc.StatusCode, reason: str, message: str
) -> NoReturn:
    """Ends a call that is not allowed."""
    await abort(context, code, reason, message)


def shown_token(context: "grpc.aio.ServicerContext[Any, Any]") -> str | None:
    """The token that the call shows, None for none."""
    for name, value in context.invocation_metadata() or ():
        if name == "authorization" and isinstance(value, str) and value.startswith(_SCHEME):
            return value.removeprefix(_SCHEME)
    return None


def _same(shown: str | None, wanted: str) -> bool:
    return shown is not None and hmac.compare_digest(shown.encode(), wanted.encode())
