"""Disks that are full, cut files off, or flip bits: a clear error, or all that was acknowledged; nothing between.

Files are damaged at places spread over a store of usual pages; `test_every_place` does every place of a smaller one.

What of this cannot be found, because nothing is left to find it by, is in docs/operator.md.
"""

import asyncio
import os
import resource
import shutil
import subprocess
from pathlib import Path

import grpc
import pytest

from referee.store.integrity import check
from referee.store.mark import mark_path
from referee.store.sqlite import SqliteStore, StoreError
from tests.recovery.crashing import Process, check_everything, open_tables, until
from tests.store.stores import NAME, Written, appends, fresh, is_intact, write
from tests.support import scale

MARK = mark_path(Path(NAME)).name


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A store that was closed: everything is in its one file."""
    return fresh(tmp_path_factory.mktemp("closed"), size=300)


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A store as a killed process leaves it: half of it is in the file, half in the write-ahead log."""
    return fresh(tmp_path_factory.mktemp("killed"), crashed=True, size=300)


def outcome(folder, data, name, damaged, written, check_all=True):
    """Opens a copy of a store with one file replaced: what happened, and what the error said."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(data, copy)
    if damaged is None:
        (copy / name).unlink()
    else:
        (copy / name).write_bytes(damaged)
    try:
        store = SqliteStore(copy / NAME, check_all)
    except StoreError as refused:
        assert (copy / name).read_bytes() == damaged, "what is damaged is left as it is"
        return "refused", str(refused)
    try:
        return ("intact" if is_intact(store, written) else "lost"), ""
    except StoreError as refused:
        return "refused", str(refused)
    finally:
        store.close()


def places(length, most):
    """At most so many places in a file, from its beginning to its end, no two runs of a period alike."""
    step = max(1, length // most)
    return range(0, length, step + (1 - step % 2)) if step > 1 else range(length)


@pytest.mark.parametrize(("state", "name"), [("closed", NAME), ("killed", NAME), ("killed", f"{NAME}-wal")])
def test_a_file_cut_off_anywhere_loses_nothing_silently(request, tmp_path, state, name):
    data, written = request.getfixturevalue(state)
    whole = (data / name).read_bytes()
    told = {}
    for length in places(len(whole), scale(120, 1_200)):
        how, said = outcome(tmp_path, data, name, whole[:length], written)
        assert how != "lost", (length, said)
        told.setdefault(how, []).append(length)
    # What one of the two files has whole may be missing from the other.
    assert len(told["refused"]) > (0.3 if state == "killed" else 0.9) * sum(map(len, told.values()))
    assert outcome(tmp_path, data, name, whole, written)[0] == "intact"


@pytest.mark.parametrize(
    ("state", "name"),
    [("closed", NAME), ("killed", NAME), ("killed", f"{NAME}-wal"), ("killed", MARK), ("killed", f"{NAME}-shm")],
)
def test_a_flipped_bit_anywhere_loses_nothing_silently(request, tmp_path, state, name):
    data, written = request.getfixturevalue(state)
    whole = (data / name).read_bytes()
    refused = 0
    for at in places(len(whole), scale(150, 1_500)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        how, said = outcome(tmp_path, data, name, bytes(damaged), written)
        assert how != "lost", (at, said)
        refused += how == "refused"
    if not name.endswith("-shm"):  # which is made anew from the write-ahead log
        assert refused


def test_a_torn_page_is_found(closed, tmp_path):
    data, written = closed
    whole = (data / NAME).read_bytes()
    for page in range(0, len(whole), 4096):
        for torn in (bytes(2048), os.urandom(2048)):
            damaged = whole[: page + 2048] + torn + whole[page + 4096 :]
            assert outcome(tmp_path, data, NAME, damaged, written)[0] != "lost", page


def test_pages_that_are_zero_or_another_page_are_found(closed, tmp_path):
    data, written = closed
    whole = (data / NAME).read_bytes()
    pages = [whole[at : at + 4096] for at in range(0, len(whole), 4096)]
    for at, page in enumerate(pages):
        for other in (bytes(4096), pages[(at + 1) % len(pages)]):
            damaged = b"".join([*pages[:at], other, *pages[at + 1 :]])
            how, _ = outcome(tmp_path, data, NAME, damaged, written)
            assert how == ("intact" if other == page else "refused"), at


def test_what_is_checked_as_it_is_read_gives_no_wrong_row(closed, tmp_path):
    """Without the whole check at the start damage may be met later; rows that are given out are right all the same."""
    data, written = closed
    whole = (data / NAME).read_bytes()
    for at in places(len(whole), scale(150, 1_500)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(data, copy)
        (copy / NAME).write_bytes(damaged)
        try:
            store = SqliteStore(copy / NAME, check_all=False)
        except StoreError:
            continue
        for table_id, rows in written.rows.items():
            for hand in range(5):
                try:
                    found = store.rows(table_id, hand, hand)
                except StoreError:
                    continue
                assert found == [row for row in rows if row.hand == hand], (at, table_id, hand)
        store.close()


def test_the_end_of_the_log_is_missed_only_without_its_mark(killed, tmp_path):
    """The limit that the documentation states: a write-ahead log cut off between commits looks like an older one."""
    data, written = killed
    wal = (data / f"{NAME}-wal").read_bytes()
    assert outcome(tmp_path, data, f"{NAME}-wal", wal[: len(wal) // 2], written)[0] == "refused"
    bare = tmp_path / "bare"
    shutil.copytree(data, bare)
    (bare / MARK).unlink()
    assert outcome(tmp_path, bare, f"{NAME}-wal", wal[: len(wal) // 2], written)[0] == "lost"


# --- full disks -----------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 16 MiB, mounted for the test."""
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], capture_output=True, text=True
        )
        said = done.stderr.strip()
    except OSError as failed:
        said = str(failed)
    if not os.path.ismount(folder):
        pytest.skip(f"no file system can be mounted here: {said}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder):
    """Takes all the room that there is; returns the file that has it."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as filling:
        try:
            while filling.write(bytes(4096)) == 4096:
                pass
        except OSError:
            pass
    return ballast


def test_a_full_disk_refuses_and_what_was_acknowledged_stays(small_disk):
    store, written = SqliteStore(small_disk / NAME), Written()
    some = list(appends(hands=40, size=2_000))

    async def go():
        refused = 0
        for at, append in enumerate(some):
            ballast = fill(small_disk) if at % 20 == 10 else None
            try:
                await write(store, written, [append])
            except StoreError:
                refused += 1
                ballast.unlink()
                assert is_intact(store, written)
                await write(store, written, [append])
            else:
                if ballast is not None:
                    ballast.unlink()
        return refused

    refused = asyncio.run(go())
    assert refused >= 3
    assert is_intact(store, written)
    store.close()
    assert check(small_disk / NAME).is_whole
    again = SqliteStore(small_disk / NAME)
    assert is_intact(again, written)
    again.close()


def test_a_disk_that_is_full_while_the_store_is_killed_keeps_what_was_acknowledged(small_disk, tmp_path):
    store, written = SqliteStore(small_disk / NAME), Written()

    async def go():
        for at, append in enumerate(appends(hands=400, size=2_000)):
            if at == 20:
                fill(small_disk)
            await write(store, written, [append])

    with pytest.raises(StoreError, match="full"):
        asyncio.run(go())
    written.root = store.frontier.root()
    left = tmp_path / "left"
    shutil.copytree(small_disk, left)
    store.close()
    again = SqliteStore(left / NAME)
    assert is_intact(again, written)
    again.close()


class FullDisk:
    """Fills the disk under a running server and makes room again."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self, _pid):
        self.ballast = fill(self.folder)

    def make_room(self, _pid):
        self.ballast.unlink()


class FileLimit:
    """Forbids a running server to let files grow, which it meets as it does a full disk."""

    def fill(self, pid):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

    def make_room(self, pid):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def play_through(process, disk, times, hands):
    """Plays while there is no room again and again; returns how often streams ended, and how much was kept."""

    async def go():
        process.start()
        players = await open_tables(process, 2, 3, hands)
        playing = asyncio.gather(*(player.play(process) for player in players))
        for at in range(times):
            acknowledged = sum(len(player.acknowledged) for player in players)
            wanted = acknowledged + 20
            await until(lambda w=wanted: sum(len(p.acknowledged) for p in players) >= w or playing.done())
            before = sum(player.reconnects for player in players)
            disk.fill(process.process.pid)
            # Somebody's stream ends because the store failed; nothing more can be acknowledged.
            await until(lambda b=before: sum(p.reconnects for p in players) > b or playing.done())
            await asyncio.sleep(0.1)
            stuck = sum(len(player.acknowledged) for player in players)
            await asyncio.sleep(0.3)
            assert playing.done() or sum(len(player.acknowledged) for player in players) == stuck
            if at == 0:
                await refuses_with_a_reason(process, players[0])
            disk.make_room(process.process.pid)
        await playing
        return sum(player.reconnects for player in players), await check_everything(process, players, hands)

    try:
        return asyncio.run(asyncio.wait_for(go(), 100))
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()


async def refuses_with_a_reason(process, player):
    """A call that must be stored ends with UNAVAILABLE and STORE_FAILED."""
    from google.rpc import error_details_pb2, status_pb2

    from referee.v1 import table_pb2, table_pb2_grpc

    async with grpc.aio.insecure_channel(process.address) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        request = table_pb2.CloseTableRequest(request_id="close", table_id=player.table_id)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.CloseTable(request, metadata=process.token("host"))
        assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
        details = dict(refused.value.trailing_metadata())["grpc-status-details-bin"]
        info = error_details_pb2.ErrorInfo()
        assert status_pb2.Status.FromString(details).details[0].Unpack(info)
        assert info.reason == "STORE_FAILED"


def test_a_server_on_a_full_disk_refuses_loses_nothing_and_goes_on_when_there_is_room(small_disk):
    reconnects, kept = play_through(Process(small_disk), FullDisk(small_disk), scale(2, 10), scale(20, 100))
    assert reconnects >= 2
    assert kept > 60
    assert check(small_disk / NAME).is_whole


def test_a_server_whose_files_may_not_grow_does_the_same(tmp_path):
    reconnects, kept = play_through(Process(tmp_path), FileLimit(), scale(2, 10), scale(20, 100))
    assert reconnects >= 2
    assert kept > 60
    assert check(tmp_path / NAME).is_whole
