"""Servers in processes of their own: ours, and the bare echo that it is measured against."""

import asyncio
import multiprocessing
import os
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

import grpc

from referee.rules.rulings import CALL, CHECK, LegalOptions, Proposal
from referee.service.server import Server, collect_garbage_rarely, open_store
from referee.table.hub import Hub
from referee.table.items import Question
from referee.table.owner import TableOwner
from referee.table.timing import SystemTime
from referee.v1 import table_pb2

STREAM_ECHO: Final = "/bench.Echo/Stream"
UNARY_ECHO: Final = "/bench.Echo/Unary"
ECHO: Final = "echo"
PLAY: Final = "play"
UNSEALED: Final = "unsealed"
HOUSE: Final = "house"
"""The kind of server that plays every seat but the first of each table itself."""

_SCHEDULED: Final = 2
"""By Linux's ABI, with the complement of a process's id: the clock of the time for which its threads have run."""

_STREAM_REPLY: Final = b"y" * 290
_UNARY_REPLY: Final = b"y" * 40


class _Echo(grpc.GenericRpcHandler):
    def service(self, handler_call_details: Any) -> Any:
        if handler_call_details.method == STREAM_ECHO:
            return grpc.stream_stream_rpc_method_handler(self._stream)
        if handler_call_details.method == UNARY_ECHO:
            return grpc.unary_unary_rpc_method_handler(self._unary)
        return None

    async def _stream(self, requests: Any, context: Any) -> None:
        async for _ in requests:
            await context.write(_STREAM_REPLY)

    async def _unary(self, _request: bytes, _context: Any) -> bytes:
        return _UNARY_REPLY


class _HouseSeat:
    """A seat that the server plays itself: it checks or calls as soon as it is asked."""

    ended = False

    def __init__(self, owner: TableOwner, seat: int) -> None:
        self.viewer = seat
        self.holder = bytes([seat]) * 32
        self._owner = owner

    def sit_down(self) -> None:
        """Takes its seat."""
        self._owner.table.take_seat(self.viewer, "house", self.holder, False, self._owner.time.now_ms())

    def tell(self, items: list[bytes]) -> None:
        """Needs to be told nothing."""

    def tell_at_once(self, items: list[bytes]) -> None:
        """Needs to be told nothing."""

    def asked_no_more(self) -> None:
        """Has answered."""

    def end(self, reason: int) -> None:
        """Goes."""

    def ask(self, decision_id: int, question: Question) -> None:
        """Answers when the table has told everybody."""
        asyncio.get_running_loop().call_soon(self._answer, decision_id, question)

    def _answer(self, decision_id: int, question: Question) -> None:
        options = self._owner.table.options(self.viewer)
        if not isinstance(options, LegalOptions) or options.decision_id != decision_id:
            return
        kind = CHECK if options.check else CALL
        proposal = Proposal(self.viewer, kind, hand_id=question.hand_id, decision_id=decision_id)
        now = self._owner.time.now_ms()
        self._owner.post_proposal(proposal, str(decision_id), b"", now, self.holder, lambda _one, _failure: None)


def _with_house(hub: Hub) -> None:
    """Lets the hub's tables be filled up, all seats but the first, as they are opened."""
    open_table = hub.open_table

    async def open_and_fill(request_id: str, content: bytes, message: table_pb2.TableConfig) -> str:
        table_id = await open_table(request_id, content, message)
        owner = hub.find(table_id)
        for number in range(2, owner.table.config.seats + 1):
            seat = _HouseSeat(owner, number)
            await owner.run(seat.sit_down)
            await owner.read(partial(owner.subscribe, seat, None))
        return table_id

    hub.open_table = open_and_fill  # type: ignore[method-assign]


def _serve(kind: str, folder: str, pipe: Any) -> None:
    async def go() -> None:
        if kind == ECHO:
            server = grpc.aio.server()
            server.add_generic_rpc_handlers((_Echo(),))
            port = server.add_insecure_port("127.0.0.1:0")
            await server.start()
            pipe.send((port, ""))
            await server.wait_for_termination()
            return
        store = open_store(Path(folder) / kind, SystemTime())
        store.hub.seals = kind != UNSEALED
        if kind == HOUSE:
            _with_house(store.hub)
        ours = Server(store=store)
        await ours.start()
        collect_garbage_rarely()
        asyncio.get_running_loop().add_reader(pipe.fileno(), lambda: pipe.send(_counts(store.hub, pipe.recv())))
        pipe.send((ours.port, store.access.host_token))
        await ours.wait()

    asyncio.run(go())


def _counts(hub: Hub, _asked: object) -> tuple[int, int]:
    return hub.counts.accepted, hub.counts.hands


class ServerProcess:
    """A server of a kind in a process of its own; ``port`` is where it listens, ``token`` its host's."""

    def __init__(self, kind: str, folder: str) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(
            target=_serve, args=(kind, folder, theirs), daemon=True
        )
        self._process.start()
        self.port, self.token = self._pipe.recv()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int | None:
        """The process's id."""
        return self._process.pid

    def counts(self) -> tuple[int, int]:
        """How many proposals were accepted, and how many hands began."""
        self._pipe.send("counts")
        accepted, hands = self._pipe.recv()
        return accepted, hands

    def cpu_seconds(self) -> float:
        """CPU time that the process has used."""
        return cpu_seconds_of(self._process.pid)

    def resident_bytes(self) -> int:
        """Memory that the process holds."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.join()


def cpu_seconds_of(pid: int | None) -> float:
    """CPU time that a process has used, by its own clock; raises OSError when it has ended."""
    assert pid is not None, "the process was started"
    return time.clock_gettime(~pid << 3 | _SCHEDULED)
