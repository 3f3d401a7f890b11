"""Programs that the runner starts and watches: bots, and a server of its own."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

LOG_BYTES: Final = 16 * 1024 * 1024
"""So much of what a program writes is kept; the rest is dropped, so that it can fill nobody's disk."""

STOP_S: Final = 10.0
"""How long a program that is asked to end may take."""


class Program:
    """One process with a session of its own. What it writes to its standard streams goes to the end of a file."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self._process = process
        self._copying = asyncio.create_task(self._copy(log))

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        folder: Path | None = None,
        memory_mb: int = 0,
        cpu_seconds: int = 0,
        network: str = "shared",
    ) -> "Program":
        """Starts a command. Raises OSError when that is not possible.

        It ends with the runner, however that ends, and has the limits given where the system offers them. With
        ``network`` "none" it has no network, or, where that is not to be had, is not run at all: it ends with 126.
        """
        # Safe path (-P): a module of the bot's folder that is called like one of the standard library, or like ours,
        # neither takes the limits' place nor keeps the program from starting.
        limits = [str(os.getpid()), str(memory_mb), str(cpu_seconds), network]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "referee.contest.launch",
            *limits,
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**outer_environment(), **environment},
            cwd=folder,
            start_new_session=True,
        )
        return cls(process, log)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return self._process.returncode is not None

    @property
    def exit_text(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        if code is None:
            return "running"
        return f"ended with {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"

    async def wait(self) -> int:
        """Returns its exit code when it has ended."""
        return await self._process.wait()

    async def stop(self, sign: int = signal.SIGTERM, seconds: float = STOP_S) -> None:
        """Asks it and everything that it started to end, and kills what has not ended in good time."""
        self._signal(sign)
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
        except TimeoutError:
            pass
        self._signal(signal.SIGKILL)
        await self._process.wait()
        self._copying.cancel()

    def _signal(self, sign: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, sign)

    async def _copy(self, log: Path) -> None:
        """Copies what it writes into its log."""
        assert self._process.stdout is not None, "its output was asked for"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as file:
            room = LOG_BYTES - file.tell()
            while data := await self._process.stdout.read(1 << 16):
                if room > 0:
                    file.write(data[:room])
                    file.flush()
                    room -= len(data)
                    if room <= 0:
                        file.write(b"\n... what it wrote after this was dropped\n")


def outer_environment() -> dict[str, str]:
    """The runner's own environment without what is the referee's: no token of the host's goes to a bot."""
    return {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
