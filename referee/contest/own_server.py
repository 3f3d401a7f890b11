"""A server of the contest's own: a process that is started again when it dies, always at the same address."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Final

from referee.client.connecting import Server
from referee.contest.programs import Program

START_S: Final = 60.0
RESTART_PAUSE_S: Final = 0.2
MOST_FAILED_STARTS: Final = 20
SOCKET_PATH_BYTES: Final = 107
"""So long a path of a Unix socket may be, in Linux."""


class OwnServerError(Exception):
    """The server does not start; the message says why, or what it wrote last."""


@dataclass(frozen=True)
class ServerOptions:
    """How the contest's server is reached: its address, and further words for ``referee serve``, such as TLS.

    ``has_socket`` says that it listens on a Unix socket in its folder as well.
    """

    host: str = "127.0.0.1"
    port: int = 0
    words: tuple[str, ...] = ()
    tls_ca: bytes | None = None
    has_socket: bool = False


def free_port(host: str) -> int:
    """A port that nobody listens on now."""
    with closing(socket()) as one:
        one.bind((host, 0))
        return int(one.getsockname()[1])


class OwnServer:
    """``referee serve`` with a store in the contest's folder. ``note`` is told what happens to it."""

    def __init__(self, folder: Path, options: ServerOptions, note: Callable[[str, str], None]) -> None:
        self._folder = folder
        self._options = options
        self._note = note
        self._program: Program | None = None
        self._watching: asyncio.Task[None] | None = None
        # Anywhere means here as well.
        here = "127.0.0.1" if options.host in ("0.0.0.0", "::") else options.host
        self.server = Server(f"{here}:{options.port}", tls_ca=options.tls_ca)

    @property
    def socket(self) -> Path:
        """The Unix socket on which it listens, where it does."""
        return self._folder.resolve() / "socket"

    @property
    def pid(self) -> int:
        """Its process id, 0 while it does not run."""
        return 0 if self._program is None or self._program.has_ended else self._program.pid

    def token(self, role: str) -> str:
        """The host's or the auditor's token."""
        return (self._folder / f"{role}.token").read_text(encoding="ascii").strip()

    async def start(self) -> None:
        """Starts it and returns when it answers; from then on it is started again whenever it ends.

        Raises OwnServerError when it does not start.
        """
        if self._options.has_socket and len(os.fsencode(self.socket)) > SOCKET_PATH_BYTES:
            said = f"{self.socket} is too long for a socket: at most {SOCKET_PATH_BYTES} bytes; choose another folder"
            raise OwnServerError(said)
        await self._start()
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Lets it end in order: what was taken is on disk."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        if self._program is not None:
            await self._program.stop()

    async def failed(self) -> None:
        """Returns never; raises OwnServerError when it cannot be kept running."""
        assert self._watching is not None, "it was started"
        await self._watching

    async def _watch(self) -> None:
        while True:
            assert self._program is not None, "it was started"
            await self._program.wait()
            self._note("server ended", self._program.exit_text)
            await asyncio.sleep(RESTART_PAUSE_S)
            await self._start()
            self._note("server started", "")

    async def _start(self) -> None:
        for _ in range(MOST_FAILED_STARTS):
            self._program = await Program.start(self._command(), {}, self._log)
            if await self._answers(self._program):
                return
            await self._program.stop()
            await asyncio.sleep(RESTART_PAUSE_S)
        written = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:]
        raise OwnServerError("the contest's server does not start: " + " ".join(written))

    @property
    def _log(self) -> Path:
        return self._folder.parent / "logs" / "server.log"

    def _command(self) -> Sequence[str]:
        address = ("--host", self._options.host, "--port", str(self._options.port))
        contests = ("--contests", str(self._folder.parent))
        own = ("--data", str(self._folder), "--log-level", "warning", "--check-store", "needed")
        socket = ("--socket", str(self.socket)) if self._options.has_socket else ()
        return (sys.executable, "-m", "referee", "serve", *address, *socket, *contests, *own, *self._options.words)

    async def _answers(self, program: Program) -> bool:
        """Whether it takes connections before it ends or the time for that is over."""
        ended = asyncio.create_task(program.wait())
        async with self.server.channel() as channel:
            ready = asyncio.create_task(channel.channel_ready())
            await asyncio.wait({ended, ready}, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
            answers = ready.done() and not ended.done()
            for task in (ended, ready):
                task.cancel()
            await asyncio.gather(ended, ready, return_exceptions=True)
        return answers
