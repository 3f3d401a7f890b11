"""The client's process: what is started, what it prints, and that none is left behind."""

import asyncio
import contextlib
import json
import os
import shlex
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from referee.conformance.server import Exited, Happening
from referee.conformance.told import Told

OUTPUT_BYTES: Final = 64 * 1024
"""How much of what a client prints is kept: the last of it."""

PLACES: Final = ("{target}", "{seat}", "{seats}", "{table}", "{token}", "{heartbeat_ms}", "{backoff_ms}", "{max_open}")
"""What a command may have filled in; one without any gets the flags of the example bots."""


class CommandError(Exception):
    """The client's command cannot be run at all."""


@dataclass(frozen=True)
class Command:
    """A client's command line, and what it is told beside the address and the seats.

    ``heartbeat_ms`` is after how long a silence it is to reconnect where that is what is looked at, ``patience_ms``
    everywhere else: a client that has just been started on a busy machine may take its own slowness for silence.
    """

    words: str
    heartbeat_ms: int = 1_500
    patience_ms: int = 15_000
    backoff_ms: int = 20

    @property
    def takes_flags(self) -> bool:
        """Whether it takes the flags of the example bots."""
        return not any([place in self.words for place in PLACES])

    @property
    def knows_silence(self) -> bool:
        """Whether the client is told after how long a silence to reconnect."""
        return self.takes_flags or "{heartbeat_ms}" in self.words

    @property
    def knows_backoff(self) -> bool:
        """Whether the client is told how long to wait before it reconnects."""
        return self.takes_flags or "{backoff_ms}" in self.words

    @property
    def knows_max_open(self) -> bool:
        """Whether the client is told how many tables may ask at once."""
        return self.takes_flags or "{max_open}" in self.words

    def silence_ms(self, is_looked_at: bool) -> int:
        """After how long a silence the client is to reconnect."""
        return self.heartbeat_ms if is_looked_at else self.patience_ms

    def arguments(self, target: str, tables: Sequence[Told], silence_ms: int) -> list[str]:
        """The words to run; raises CommandError when they cannot be told apart."""
        try:
            words = shlex.split(self.words)
        except ValueError as wrong:
            raise CommandError(f"cannot read the command {self.words!r}: {wrong}") from wrong
        if not words:
            raise CommandError("the command is empty")
        seats = [f"{told.table_id}={told.seat_token}" for told in tables]
        if self.takes_flags:
            seated = [word for seat in seats for word in ("--seat", seat)]
            limits = ["--heartbeat-ms", str(silence_ms), "--backoff-ms", str(self.backoff_ms)]
            return [
                *words,
                "--target",
                target,
                "--bot",
                "conformance",
                "--max-open",
                str(len(tables)),
                *limits,
                *seated,
            ]
        filled = {
            "{target}": target,
            "{seat}": seats[0],
            "{seats}": ",".join(seats),
            "{table}": tables[0].table_id,
            "{token}": tables[0].seat_token,
            "{heartbeat_ms}": str(silence_ms),
            "{backoff_ms}": str(self.backoff_ms),
            "{max_open}": str(len(tables)),
        }
        return [_filled(word, filled) for word in words]


def _filled(word: str, filled: dict[str, str]) -> str:
    for place, text in filled.items():
        word = word.replace(place, text)
    return word


@dataclass
class Client:
    """A running client. ``lines`` are the JSON objects that it has printed, each of which names a table."""

    process: asyncio.subprocess.Process
    happenings: "asyncio.Queue[Happening]"
    printed: bytearray = field(default_factory=bytearray)
    complained: bytearray = field(default_factory=bytearray)
    code: int | None = None
    _tasks: list["asyncio.Task[Any]"] = field(default_factory=list)

    @classmethod
    async def start(
        cls,
        command: Command,
        target: str,
        tables: Sequence[Told],
        happenings: "asyncio.Queue[Happening]",
        silence_ms: int,
    ) -> "Client":
        """Starts the client; raises CommandError when there is nothing to start."""
        words = command.arguments(target, tables, silence_ms)
        environment = os.environ | {
            "REFEREE_TARGET": target,
            "REFEREE_SEATS": ",".join([f"{told.table_id}={told.seat_token}" for told in tables]),
        }
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=environment,
                # A group of its own, so that what it starts ends with it.
                start_new_session=True,
            )
        except OSError as failed:
            raise CommandError(f"cannot run {words[0]}: {failed.strerror}") from failed
        client = cls(process, happenings)
        assert process.stdout is not None, "it is a pipe"
        assert process.stderr is not None, "it is a pipe"
        reading = [
            asyncio.create_task(_keep(process.stdout, client.printed)),
            asyncio.create_task(_keep(process.stderr, client.complained)),
        ]
        client._tasks = [*reading, asyncio.create_task(client._wait(reading))]
        return client

    async def _wait(self, reading: list["asyncio.Task[None]"]) -> None:
        self.code = await self.process.wait()
        # What was printed last is read before anybody asks; a process that it left behind may keep the pipe open.
        await asyncio.wait(reading, timeout=1)
        self.happenings.put_nowait(Exited(self.code))

    def line(self, table_id: str) -> dict[str, Any] | None:
        """The last JSON object about a table that was printed, None when there is none."""
        found = None
        for line in self.printed.decode("utf-8", "replace").splitlines():
            with contextlib.suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict) and value.get("table") == table_id:
                    found = value
        return found

    def last_words(self) -> str:
        """The last lines of what it complained about."""
        lines = self.complained.decode("utf-8", "replace").strip().splitlines()
        return " | ".join(lines[-4:])

    async def stop(self) -> None:
        """Ends the process and everything that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _keep(stream: asyncio.StreamReader, kept: bytearray) -> None:
    while some := await stream.read(65_536):
        kept.extend(some)
        del kept[:-OUTPUT_BYTES]
