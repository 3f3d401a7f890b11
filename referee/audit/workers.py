"""Judges parts in processes of their own, a bounded number of them at a time.

Processes are spawned, not forked, so that they work beside threads and an event loop. A worker whose parent is gone,
however it went, ends by itself.
"""

import asyncio
import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Final, TypeVar

from referee.audit.bulk import PartResult, Settings, audit_part
from referee.audit.parts import Part

Result = TypeVar("Result")

PARTS_AHEAD: Final = 3
"""Parts waiting for each worker: enough that none is idle, few enough that not everything is read ahead."""


SERVERS_NICENESS: Final = 10
"""By how much a server's workers give way to its live play."""


def begin_worker(niceness: int = 0) -> None:
    """Sets a worker process up: it leaves Ctrl-C to its parent, and ends when that is gone."""
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_garbage_rarely()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def collect_garbage_rarely() -> None:
    """Lets Python look for unused cycles seldom: judging makes none, and looking for them is a tenth of the work."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def workers(count: int, niceness: int = 0) -> ProcessPoolExecutor:
    """So many worker processes, spawned when they are first needed."""
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), begin_worker, (niceness,))


class WorkerPool:
    """A server's worker processes, begun when they are first needed, and anew after one was killed."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, call: Callable[..., Result], *arguments: object) -> Result:
        """Calls in a worker. Raises BrokenProcessPool when a worker is killed meanwhile; then it may be tried again."""
        if self._pool is None:
            self._pool = workers(self._count, SERVERS_NICENESS)
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, call, *arguments)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise

    def process_ids(self) -> list[int]:
        """The workers' processes."""
        # Kept by the pool for itself; where another Python keeps them otherwise, workers end by themselves, only later.
        return list(getattr(self._pool, "_processes", None) or ())

    def close(self) -> None:
        """Ends the workers, whatever they are doing."""
        running = self.process_ids()
        pool, self._pool = self._pool, None
        if pool is None:
            return
        results = getattr(pool, "_result_queue", None)  # kept by the pool for itself, as the processes are
        pool.shutdown(wait=False, cancel_futures=True)
        for process_id in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process_id, signal.SIGTERM)
        # A worker that ends while it writes a result leaves a part of it in the pipe, and the pool would wait for the
        # rest for ever, and this process for the pool: so nobody may be left who could write it.
        if results is not None:
            results._writer.close()


def audit_parts(parts: Iterable[Part], settings: Settings, jobs: int, in_workers: bool = False) -> Iterator[PartResult]:
    """Judges parts; one job runs in this process, unless ``in_workers``. Results come in the order of the parts.

    Raises concurrent.futures.process.BrokenProcessPool when a worker is killed.
    """
    if jobs == 1 and not in_workers:
        collect_garbage_rarely()
        for part in parts:
            yield audit_part(part, settings)
        return
    with workers(jobs) as pool:
        waiting: deque[Future[PartResult]] = deque()
        try:
            for part in parts:
                waiting.append(pool.submit(audit_part, part, settings))
                if len(waiting) >= jobs * PARTS_AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
