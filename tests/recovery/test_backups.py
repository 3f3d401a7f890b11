"""A copy made while hands are played is whole, starts, and is what had happened up to a moment."""

import asyncio
import json
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile

import grpc
import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.store.backup import back_up
from referee.store.integrity import check
from referee.store.sqlite import SqliteStore, StoreError
from referee.v1 import table_pb2, table_pb2_grpc
from tests.recovery.crashing import Process, check_everything, open_tables, until
from tests.store.stores import NAME, fresh, is_intact
from tests.support import scale

SECRETS = ("seat.secret", "host.token", "auditor.token", "log.key")


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_backup_under_play_is_a_moment_of_it_and_goes_on(tmp_path):
    """Copies are made during play; each starts as a server of its own, whose tables are played on to their end."""
    copies, hands = scale(2, 20), scale(100, 400)
    process = Process(tmp_path / "data")

    async def play_and_copy():
        process.start()
        players = await open_tables(process, 2, 3, hands)
        playing = asyncio.gather(*(player.play(process) for player in players))
        had = []
        for number in range(copies):
            acknowledged = sum(len(player.acknowledged) for player in players)
            await until(lambda w=acknowledged + 30: sum(len(p.acknowledged) for p in players) >= w or playing.done())
            before = [dict(player.acknowledged) for player in players]
            words = ["backup", "--data", str(process.folder), "--to", str(tmp_path / f"copy {number}"), "--json"]
            done = await asyncio.create_subprocess_exec(sys.executable, "-m", "referee", *words, stdout=subprocess.PIPE)
            told, _ = await done.communicate()
            assert done.returncode == 0
            assert json.loads(told)["whole"]
            had.append((before, playing.done()))
        await playing
        await check_everything(process, players, hands)
        return players, had

    async def play_on(number, players, had):
        before, _ = had[number]
        copy = Process(tmp_path / f"copy {number}")
        copy.start()
        try:
            again = [type(player)(player.table_id, player.seat, player.token) for player in players]
            for player, acknowledged in zip(again, before, strict=True):
                player.acknowledged = acknowledged
                player.sent = dict(acknowledged)
            await asyncio.gather(*(player.play(copy) for player in again))
            # All that was acknowledged before the copy is in it, and each table was played to its end.
            return await check_everything(copy, again, hands)
        finally:
            copy.kill()

    try:
        players, had = asyncio.run(asyncio.wait_for(play_and_copy(), 300))
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()
    assert not had[0][1], "the first copy at least was made while hands were played"
    whole = SqliteStore(process.folder / NAME)
    for number in range(copies):
        copy = SqliteStore(tmp_path / f"copy {number}" / NAME)
        for table_id in whole.table_ids():
            rows = copy.rows(table_id, 0, 1 << 40)
            assert rows == whole.rows(table_id, 0, 1 << 40)[: len(rows)], "a copy is a beginning of what was played"
        assert copy.frontier.size <= whole.frontier.size
        copy.close()
    whole.close()
    assert asyncio.run(asyncio.wait_for(play_on(0, players, had), 300)) > 50


def test_a_backup_has_everything_and_secrets_stay_secret(tmp_path):
    process = Process(tmp_path / "data")
    process.start()
    try:
        (tmp_path / "data" / "referee.toml").write_text("port = 0\n")
        assert run("backup", "--data", tmp_path / "data", "--to", tmp_path / "copy").exit_code == 0
    finally:
        process.kill()
    for name in SECRETS:
        path = tmp_path / "copy" / name
        assert path.read_bytes() == (tmp_path / "data" / name).read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o700
    assert {path.name for path in (tmp_path / "copy").iterdir()} == {
        *SECRETS,
        NAME,
        "log.keys",
        "log.pub",
        "operations.sqlite",
        "referee.high-water",
        "referee.toml",
    }


def test_a_backup_can_be_one_file(tmp_path):
    data, written = fresh(tmp_path)
    (data / "seat.secret").touch(mode=0o600)
    assert run("backup", "--data", data, "--to", tmp_path / "copy.tar").exit_code == 0
    assert stat.S_IMODE((tmp_path / "copy.tar").stat().st_mode) == 0o600
    with tarfile.open(tmp_path / "copy.tar") as archive:
        archive.extractall(tmp_path / "restored", filter="data")
    assert stat.S_IMODE((tmp_path / "restored" / "seat.secret").stat().st_mode) == 0o600
    store = SqliteStore(tmp_path / "restored" / NAME)
    assert is_intact(store, written)
    store.close()


@pytest.mark.parametrize("name", ["copy", "copy.tar"])
def test_nothing_is_ever_overwritten(tmp_path, name):
    data, _ = fresh(tmp_path)
    (tmp_path / name).write_text("something else")
    done = run("backup", "--data", data, "--to", tmp_path / name)
    assert done.exit_code == 2
    assert "there already" in done.stderr
    assert (tmp_path / name).read_text() == "something else"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "data"])


def test_a_damaged_store_gives_no_backup(tmp_path):
    data, written = fresh(tmp_path)
    whole = (data / NAME).read_bytes()
    body = written.rows["t2"][-1].body
    assert body in whole, "a row's bytes, not a gap in a page"
    (data / NAME).write_bytes(whole.replace(body, bytes(len(body)), 1))
    done = run("backup", "--data", data, "--to", tmp_path / "copy")
    assert done.exit_code == 1, done.output
    assert "damaged" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_store_that_has_lost_its_end_gives_no_backup(tmp_path):
    data, _ = fresh(tmp_path, crashed=True)
    wal = data / f"{NAME}-wal"
    wal.write_bytes(wal.read_bytes()[: wal.stat().st_size // 4])
    report = back_up(data, tmp_path / "copy")
    assert not report.is_whole
    assert "commits at its end are lost" in str(report.damages[0])
    assert not (tmp_path / "copy").exists()


def test_there_is_no_backup_of_nothing(tmp_path):
    with pytest.raises(StoreError, match="there is no store"):
        back_up(tmp_path, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_an_older_backup_that_is_restored_beside_its_mark_is_noticed(tmp_path):
    """Whoever copies only the store's file back is told that it is older, and what to do."""
    process = Process(tmp_path / "data")

    async def go():
        process.start()
        players = await open_tables(process, 1, 2, 30)
        await asyncio.gather(*(player.play(process) for player in players))

    process.start()
    assert run("backup", "--data", process.folder, "--to", tmp_path / "copy").exit_code == 0
    process.kill()
    try:
        asyncio.run(asyncio.wait_for(go(), 60))
    finally:
        process.kill()
    for left in (f"{NAME}-wal", f"{NAME}-shm"):
        (process.folder / left).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy" / NAME, process.folder / NAME)
    done = run("serve", "--data", process.folder, "--port", "0")
    assert done.exit_code == 2
    assert "older copy" in done.stderr
    assert check(tmp_path / "copy" / NAME).is_whole


def test_a_restored_table_can_be_read(tmp_path):
    """Tokens still open their seats at a server that starts from a copy."""
    process = Process(tmp_path / "data")

    async def seats():
        process.start()
        return await open_tables(process, 1, 2, 3)

    async def read(copy, player):
        async with grpc.aio.insecure_channel(copy.address) as channel:
            watch = table_pb2_grpc.TableServiceStub(channel).WatchTable(
                table_pb2.WatchTableRequest(table_id=player.table_id, seat_token=player.token)
            )
            message = await watch.read()
            watch.cancel()
            return message.items[0].snapshot.table.table_id

    copy = Process(tmp_path / "copy")
    try:
        players = asyncio.run(asyncio.wait_for(seats(), 60))
        assert run("backup", "--data", process.folder, "--to", copy.folder).exit_code == 0
        copy.start()
        assert asyncio.run(asyncio.wait_for(read(copy, players[0]), 60)) == players[0].table_id
    finally:
        for one in (process, copy):
            if one.process is not None:
                one.kill()


def test_other_databases_are_copied_as_they_are_at_one_moment(tmp_path):
    """Long audits have a database of their own, whose newest pages may lie beside it while the server runs."""
    data, _ = fresh(tmp_path)
    audits = sqlite3.connect(data / "operations.sqlite", isolation_level=None)
    audits.execute("PRAGMA journal_mode = WAL")
    audits.execute("CREATE TABLE one (number INTEGER)")
    audits.execute("INSERT INTO one VALUES (7)")
    assert (data / "operations.sqlite-wal").stat().st_size > 0
    assert back_up(data, tmp_path / "copy").is_whole
    assert not list((tmp_path / "copy").glob("*-wal"))
    copied = sqlite3.connect(tmp_path / "copy" / "operations.sqlite")
    assert copied.execute("SELECT number FROM one").fetchall() == [(7,)]
    copied.close()
    audits.close()
