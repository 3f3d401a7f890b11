"""Long audits: what is kept, going on after a stop or a kill, cancelling, paging, workers that die."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.audit import operations as running
from referee.audit.operation_store import Kind, Operation, OperationStore, OperationStoreError, Status, number_of
from referee.audit.operations import (
    Operations,
    OtherContentError,
    TooManyOperationsError,
    UnknownTableError,
    _parts_of_tables,
)
from referee.audit.parts import parts_of_text
from referee.audit.workers import WorkerPool
from tests.audit.test_bulk import HAND, UNREADABLE, WRONG_RAISE, WRONG_RESULT, many
from tests.support import REPOSITORY

TEXT = many(*[HAND, WRONG_RESULT, UNREADABLE, WRONG_RAISE] * 150)
FOUND = (450, 300, 150)
"""Hands read, hands that disagree, hands that are unreadable, of the text."""


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(running, "TEXT_PART_BYTES", 20_000)


class Running:
    """Operations of a folder, in an event loop of the test's own."""

    def __init__(self, folder: Path, tables=None):
        self.pool = WorkerPool(1)
        self.operations = Operations(OperationStore(folder / "operations.sqlite"), self.pool, tables)

    async def __aenter__(self) -> Operations:
        self.operations.start()
        return self.operations

    async def __aexit__(self, *_):
        await self.operations.stop()
        self.pool.close()


async def until(operations: Operations, operation: Operation, condition, seconds=120.0) -> Operation:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = operations.find(operation.operation_id)
        assert found is not None
        if condition(found):
            return found
        await asyncio.sleep(0.005)
    raise AssertionError("it took too long")


def is_over(operation: Operation) -> bool:
    return operation.status != Status.RUNNING


def counts(operation: Operation):
    return operation.found.hands, operation.found.disagree, operation.found.unreadable


def test_a_text_is_audited_part_by_part(tmp_path):
    async def go():
        async with Running(tmp_path) as operations:
            begun = operations.begin_text("r", b"d", TEXT, 77)
            assert (begun.status, begun.hands_in_all, begun.started_unix_ms) == (Status.RUNNING, 600, 77)
            done = await until(operations, begun, is_over)
            assert (done.status, counts(done)) == (Status.DONE, FOUND)
            assert done.parts_done == len(list(parts_of_text(TEXT, "text", 20_000))) > 3
            assert dict(done.found.by_rule) == {"POT-5": 150, "SIZE-3": 150}
            assert [one.hand for one in done.found.first[:4]] == [2, 4, 6, 8]
            assert len(done.found.first) == 100
            assert done.source == b"", "what was audited is not kept for ever"
            (listed,) = operations.newest(10, None)
            assert (counts(listed), listed.found.first) == (FOUND, []), "lists tell counts only"

    asyncio.run(go())


def test_the_same_request_is_the_same_operation_and_other_content_is_refused(tmp_path):
    async def go():
        async with Running(tmp_path) as operations:
            begun = operations.begin_text("r", b"d", HAND, 1)
            assert operations.begin_text("r", b"d", HAND, 2).number == begun.number
            with pytest.raises(OtherContentError):
                operations.begin_text("r", b"e", TEXT, 2)
            await until(operations, begun, is_over)
            assert operations.begin_text("r", b"d", HAND, 3).status == Status.DONE

    asyncio.run(go())


def test_an_operation_goes_on_where_it_stood(tmp_path):
    async def begin():
        async with Running(tmp_path) as operations:
            begun = operations.begin_text("r", b"d", TEXT, 1)
            return await until(operations, begun, lambda one: one.parts_done >= 1)

    async def go_on(begun):
        async with Running(tmp_path) as operations:
            at_first = operations.find(begun.operation_id)
            assert at_first is not None
            assert at_first.parts_done >= begun.parts_done
            done = await until(operations, begun, is_over)
            assert (done.status, counts(done)) == (Status.DONE, FOUND)

    begun = asyncio.run(begin())
    assert begun.status == Status.RUNNING
    asyncio.run(go_on(begun))


def test_cancelling_keeps_what_was_found(tmp_path):
    async def go():
        async with Running(tmp_path) as operations:
            begun = operations.begin_text("r", b"d", TEXT, 1)
            await until(operations, begun, lambda one: one.parts_done >= 1)
            cancelled = operations.cancel(begun.operation_id)
            assert cancelled is not None
            assert cancelled.status == Status.CANCELLED
            assert 0 < cancelled.found.hands < FOUND[0]
            await asyncio.sleep(0.3)
            later = operations.cancel(begun.operation_id)
            assert later == cancelled, "a part that was under way adds nothing, and cancelling twice changes nothing"
            assert operations.cancel("audit-99") is None
            assert operations.cancel("nonsense") is None
        async with Running(tmp_path) as operations:
            again = operations.find(begun.operation_id)
            assert again == cancelled, "nor does a restart go on with it"

    asyncio.run(go())


def test_what_is_done_cannot_be_cancelled(tmp_path):
    async def go():
        async with Running(tmp_path) as operations:
            begun = operations.begin_text("r", b"d", HAND, 1)
            await until(operations, begun, is_over)
            assert operations.cancel(begun.operation_id).status == Status.DONE

    asyncio.run(go())


def test_lists_are_paged_the_newest_first(tmp_path):
    store = OperationStore(tmp_path / "operations.sqlite")
    for number in range(7):
        store.add(f"r{number}", b"", Kind.TEXT, b"", 0, number)
    pages, before = [], None
    while page := store.newest(3, before):
        pages.append([one.number for one in page])
        before = page[-1].number
        store.add(f"later {len(pages)}", b"", Kind.TEXT, b"", 0, 99)
    assert pages == [[7, 6, 5], [4, 3, 2], [1]], "what is added meanwhile moves nothing"


def test_old_operations_are_forgotten_but_not_running_ones(tmp_path):
    store = OperationStore(tmp_path / "operations.sqlite")
    for number in range(1, 9):
        store.add(f"r{number}", b"", Kind.TEXT, b"", 0, number)
        if number != 2:
            store.end(number, Status.DONE)
    store.forget_oldest(3)
    assert [one.number for one in store.newest(10)] == [8, 7, 6, 2]


def test_only_so_many_run_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "OPERATIONS_RUNNING", 2)

    async def go():
        async with Running(tmp_path) as operations:
            operations.begin_text("a", b"", TEXT, 1)
            operations.begin_text("b", b"", TEXT, 1)
            with pytest.raises(TooManyOperationsError):
                operations.begin_text("c", b"", TEXT, 1)

    asyncio.run(go())


@pytest.mark.parametrize("text", ["", "poem", "\0", "[1]\n", "\ufeff" + HAND])
def test_any_text_is_audited(tmp_path, text):
    async def go():
        async with Running(tmp_path) as operations:
            done = await until(operations, operations.begin_text("r", b"", text, 1), is_over)
            assert (done.status, done.found.hands + done.found.unreadable) == (Status.DONE, 1)

    asyncio.run(go())


def test_an_audit_whose_store_cannot_be_written_waits_and_goes_on(tmp_path):
    async def go():
        pool = WorkerPool(1)
        store = OperationStore(tmp_path / "operations.sqlite")
        operations = Operations(store, pool, retry_s=0.01)
        begun = operations.begin_text("r", b"d", TEXT, 1)
        await until(operations, begun, lambda found: found.parts_done >= 1)
        store._file.execute("PRAGMA query_only = ON")
        stood = operations.find(begun.operation_id).parts_done
        for _ in range(30):
            await asyncio.sleep(0.01)
        assert operations.find(begun.operation_id).parts_done == stood
        store._file.execute("PRAGMA query_only = OFF")
        done = await until(operations, begun, is_over)
        assert (done.status, done.found.hands + done.found.unreadable) == (Status.DONE, 600)
        await operations.stop()
        pool.close()

    asyncio.run(go())


def test_a_killed_worker_is_replaced_and_the_part_tried_again(tmp_path):
    async def go():
        one = Running(tmp_path)
        async with one as operations:
            begun = operations.begin_text("r", b"d", TEXT, 1)
            await until(operations, begun, lambda one: one.parts_done >= 1)
            for pid in one.pool.process_ids():
                os.kill(pid, signal.SIGKILL)
            done = await until(operations, begun, is_over)
            assert (done.status, counts(done)) == (Status.DONE, FOUND)

    asyncio.run(go())


def test_a_fault_ends_its_operation_and_no_other(tmp_path, monkeypatch):
    async def go():
        async with Running(tmp_path) as operations:
            with monkeypatch.context() as patched:
                patched.setattr(Operations, "_parts", lambda self, operation: 1 // 0)
                failed = await until(operations, operations.begin_text("r", b"d", TEXT, 1), is_over)
            assert (failed.status, failed.message.partition(":")[0]) == (Status.FAILED, "ZeroDivisionError")
            done = await until(operations, operations.begin_text("s", b"d", HAND, 1), is_over)
            assert done.status == Status.DONE

    asyncio.run(go())


class _Tables:
    """Tables whose bundles are no bundles."""

    def table_ids(self):
        return ["a", "b"]

    def sealed_pieces(self, table_id):
        return {"a": 130, "b": 0}.get(table_id, 0)

    def sealed_hands(self, table_id):
        return max(self.sealed_pieces(table_id) - 1, 0)

    async def bundle(self, table_id, first_piece, last_piece):
        return f"{table_id} {first_piece} {last_piece}".encode()

    def keys(self):
        return ()


def test_tables_are_audited_as_far_as_they_are_sealed(tmp_path):
    async def go():
        async with Running(tmp_path, _Tables()) as operations:
            begun = operations.begin_tables("r", b"d", [], 1)
            done = await until(operations, begun, is_over)
            assert (done.status, done.parts_done, done.hands_in_all) == (Status.DONE, 3, 129)
            assert done.found.unreadable == 3, "each part was verified"
            with pytest.raises(UnknownTableError):
                operations.begin_tables("s", b"d", ["c"], 1)

    asyncio.run(go())


def test_parts_of_a_table_overlap_by_a_piece_so_that_nothing_lies_between_them():
    found = [(part.first_piece, part.last_piece) for part in _parts_of_tables("130 a\n64 b")]
    assert found == [(0, 63), (63, 127), (127, 129), (0, 63)]


def test_ids():
    assert [number_of(text) for text in ("audit-7", "audit-", "audit-x", "7", "audit-" + "9" * 30, "audit-\u0661")] == [
        7, None, None, None, None, None,
    ]  # fmt: skip


def test_a_file_of_another_format_is_refused(tmp_path):
    path = tmp_path / "operations.sqlite"
    OperationStore(path).close()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 9")
    with pytest.raises(OperationStoreError, match="format 9"):
        OperationStore(path)
    (tmp_path / "other").write_bytes(b"no database" * 100)
    with pytest.raises(OperationStoreError):
        OperationStore(tmp_path / "other")
    with pytest.raises(OperationStoreError):
        OperationStore(tmp_path / "nowhere" / "operations.sqlite")


PROGRAM = """
import asyncio, json, sys
from pathlib import Path
from referee.audit import operations as running
from referee.audit.operation_store import OperationStore, Status
from referee.audit.workers import WorkerPool

running.TEXT_PART_BYTES = 20_000

async def go():
    folder = Path(sys.argv[1])
    operations = running.Operations(OperationStore(folder / "operations.sqlite"), WorkerPool(1))
    operations.start()
    begun = operations.begin_text("r", b"d", (folder / "text").read_text(), 1)
    while True:
        found = operations.find(begun.operation_id)
        told = [found.status, found.parts_done, found.found.hands, found.found.disagree, found.found.unreadable]
        print(json.dumps(told), flush=True)
        if found.status != Status.RUNNING:
            return
        await asyncio.sleep(0.01)

if __name__ == "__main__":
    asyncio.run(go())
"""


def test_kill_9_at_any_moment_loses_and_repeats_nothing(tmp_path):
    """Killed whenever one more part is done: counts only grow, and in the end they are those of one run."""
    (tmp_path / "text").write_text(TEXT)
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    words = [sys.executable, str(tmp_path / "program.py"), str(tmp_path)]
    told, kills = [0, 0, 0, 0, 0], 0
    for _ in range(50):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
        before = told
        for line in process.stdout:
            now = json.loads(line)
            assert now[1:] >= told[1:]
            told = now
            if told[1] > before[1] and told[0] == Status.RUNNING:
                process.kill()
                kills += 1
                break
        process.wait()
        process.stdout.close()
        if told[0] != Status.RUNNING:
            break
    assert kills >= 2
    assert told[0] == Status.DONE
    assert tuple(told[2:]) == FOUND
