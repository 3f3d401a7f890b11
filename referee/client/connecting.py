"""Reaching a server: channels, what is tried again and after how long, and who one says one is."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import grpc

from referee.client.follower import Gap
from referee.limits import MESSAGE_BYTES

CHANNEL_OPTIONS: Final = (
    # Quiet streams are pinged, less often than the server's grpc.http2.min_ping_interval_without_data_ms of 10 s.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    # Each attempt dials anew, so that only this client's own back-off delays it.
    ("grpc.use_local_subchannel_pool", 1),
)

_FINAL: Final = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.UNIMPLEMENTED,
}


SILENCE_S: Final = 30.0
"""How long a stream may say nothing before it is taken for lost, in seconds: three of the server's heartbeats."""


class Silence(Exception):  # noqa: N818  # nothing is wrong with the caller: it is what happened
    """Nothing was heard for so long that the connection is taken for lost, heartbeats not either."""


async def heard(call: Any, within_s: float) -> Any:
    """The stream's next message; raises Silence when there is none within so many seconds."""
    try:
        async with asyncio.timeout(within_s):
            return await call.read()
    except TimeoutError:
        raise Silence(f"nothing was heard for {within_s:g} s") from None


def may_be_tried_again(error: grpc.aio.AioRpcError) -> bool:
    """Whether the same call may go better later: the server was away or busy, not unwilling."""
    return error.code() not in _FINAL


def is_lost(error: BaseException) -> bool:
    """Whether a stream was lost, so that it can be resumed, and not refused or broken by a fault."""
    return isinstance(error, Gap | Silence) or (isinstance(error, grpc.aio.AioRpcError) and may_be_tried_again(error))


CLOSING_S: Final = 1.0
"""How long a stream that has ended may take to close, in seconds."""


async def close_gently(call: Any, writes: bool) -> None:
    """Lets a stream that has nothing more to say close by itself, which leaves less behind than a cancellation."""
    with suppress(TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
        async with asyncio.timeout(CLOSING_S):
            if writes:
                await call.done_writing()
            while await call.read() is not grpc.aio.EOF:
                pass


class ConnectionLostError(Exception):
    """The server stayed out of reach, or kept ending the stream, for as often as was to be tried."""


class Seat(NamedTuple):
    """A seat that was taken. ``seat_token`` proves it and is a secret.

    ``number`` 0 means that it is not known. ``hand`` is the one under way when it was taken, 0 before the first: play
    begins there, so that nothing is missed in between; -1 begins with the hand under way. ``seed`` is the seat's own
    share of the deals, a secret until it is revealed; empty for a seat that committed to none.
    """

    table_id: str
    seat_token: str
    number: int = 0
    hand: int = -1
    seed: bytes = b""


def as_seat(seat: Seat | tuple[str, str]) -> Seat:
    """A seat as it is, or from table id and token."""
    return seat if isinstance(seat, Seat) else Seat(*seat)


@dataclass(frozen=True)
class Server:
    """Where a server is and how to reach it.

    ``tls_ca`` holds the PEM certificate of the authority to trust and turns TLS on; ``tls_key`` and ``tls_cert`` are
    shown to a server that asks for them. ``options`` are further gRPC channel options.
    """

    target: str
    tls_ca: bytes | None = None
    tls_key: bytes | None = None
    tls_cert: bytes | None = None
    options: tuple[tuple[str, int | str], ...] = ()

    def channel(self) -> grpc.aio.Channel:
        """A channel of its own."""
        options = (*CHANNEL_OPTIONS, *self.options)
        if self.tls_ca is None:
            return grpc.aio.insecure_channel(self.target, options=options)
        credentials = grpc.ssl_channel_credentials(self.tls_ca, self.tls_key, self.tls_cert)
        return grpc.aio.secure_channel(self.target, credentials, options=options)


def server_at(target: str | Server) -> Server:
    """A server from its address ``HOST:PORT``, or as it is."""
    return target if isinstance(target, Server) else Server(target)


def bearing(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata that shows the host's or the auditor's token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


@dataclass(frozen=True)
class Backoff:
    """How long to wait before trying again: doubling from ``first_s`` to ``most_s``, a part of it at random.

    After ``tries`` attempts in a row to which the server did not answer it is given up.
    """

    first_s: float = 0.1
    most_s: float = 5.0
    tries: int = 30

    def delay_s(self, failures: int) -> float:
        """The wait after so many failures in a row, at least one."""
        longest: float = min(self.most_s, self.first_s * 2 ** min(failures - 1, 30))
        return longest * random.uniform(0.5, 1.0)


Sleep = Callable[[float], Awaitable[object]]
"""Waits so many seconds."""


class Retry:
    """Counts failures and waits after them. ``sleep`` is passed in so that tests need not wait."""

    def __init__(self, backoff: Backoff | None = None, sleep: Sleep = asyncio.sleep) -> None:
        self._backoff = backoff or Backoff()
        self._sleep = sleep
        self._failures = 0
        self._unanswered = 0

    def anew(self) -> "Retry":
        """The same way of trying again, for another call."""
        return Retry(self._backoff, self._sleep)

    async def wait(self, lost: BaseException | None, heard: bool = False, moved: bool = False) -> None:
        """Waits after a failure; raises ConnectionLostError when it is given up.

        ``heard`` says that the server answered before, ``moved`` that something new happened: a server that only
        ends every stream at once is tried ever more slowly, and one that does not answer is given up.
        """
        self._failures = 1 if moved else self._failures + 1
        self._unanswered = 1 if heard else self._unanswered + 1
        if self._unanswered > self._backoff.tries:
            raise ConnectionLostError(f"given up after {self._backoff.tries} attempts without an answer") from lost
        await self._sleep(self._backoff.delay_s(self._failures))

    async def pause(self) -> None:
        """Waits as after a first failure."""
        await self._sleep(self._backoff.delay_s(1))
