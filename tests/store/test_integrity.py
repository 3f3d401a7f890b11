"""Damage to the store's rows is found: when it is opened, when it is checked, and when what was damaged is read."""

import asyncio
import json
import sqlite3

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.store.backup import back_up
from referee.store.integrity import check
from referee.store.mark import mark_path
from referee.store.sqlite import Append, DamagedStoreError, SqliteStore, StoredRow, StoreError
from tests.store.stores import NAME, TABLES, Written, appends, body_of, fresh, is_intact, write


@pytest.fixture
def stored(tmp_path):
    return fresh(tmp_path)


def change(data, *statements):
    with sqlite3.connect(data / NAME) as file:
        for statement in statements:
            file.execute(statement)
    file.close()


def test_a_whole_store_is_whole_and_goes_on(stored):
    data, written = stored
    report = check(data / NAME)
    assert report.is_whole
    assert (report.tables, report.rows, report.answers, report.pieces) == (3, 30, 6, 12)
    for hand, check_all in ((5, True), (6, False)):
        store = SqliteStore(data / NAME, check_all)
        assert is_intact(store, written)
        row = StoredRow(11 + 2 * hand, hand, 1, body_of("t1", hand))
        asyncio.run(write(store, written, [Append("t1", (row,))]))
        assert is_intact(store, written)
        store.close()
        assert check(data / NAME).is_whole


def test_a_store_is_checked_while_it_is_written(tmp_path):
    store, written = SqliteStore(tmp_path / NAME), Written()

    async def go():
        for append in appends():
            await write(store, written, [append])
            report = check(tmp_path / NAME)
            assert report.is_whole
            assert report.rows == sum(len(rows) for rows in written.rows.values())

    asyncio.run(go())
    store.close()


DAMAGES = {
    "a body": ("UPDATE happenings SET body = x'00' || substr(body, 2) WHERE row = 14", "t1", 2, 10),
    "a time": ("UPDATE happenings SET time_unix_ms = time_unix_ms + 1 WHERE row = 14", "t1", 2, 10),
    "a hand": ("UPDATE happenings SET hand = 9 WHERE row = 30", "t3", 4, 18),
    "a row that was dropped": ("DELETE FROM happenings WHERE row = 15", "", -1, -1),
    "a last row of a table that was dropped": ("DELETE FROM happenings WHERE row = 26", "", -1, -1),
    "the last row": ("DELETE FROM happenings WHERE row = 30", "t3", 4, 18),
    "rows that changed places": (
        "UPDATE happenings SET body = (SELECT body FROM happenings WHERE row = 9) WHERE row = 7",
        "t1",
        0,
        4,
    ),
    "a row of another table": ("UPDATE happenings SET place = 2, number = 99 WHERE row = 7", "t2", 0, 4),
    "a row of no table": ("UPDATE happenings SET place = 7 WHERE row = 8", "", -1, -1),
    "a chain value": ("UPDATE happenings SET chain = zeroblob(32) WHERE row = 1", "t1", 0, 0),
    "a body that is text": ("UPDATE happenings SET body = 'x' WHERE row = 1", "t1", 0, 0),
    "a table's name": ("UPDATE tables SET table_id = 't9' WHERE place = 1", "t9", 0, 0),
    "a table that was dropped": ("DELETE FROM tables WHERE place = 2", "", -1, -1),
    "a table that seems to have ended": ("UPDATE tables SET ended = 1 WHERE place = 1", "t1", 4, 20),
    "an answer": ("UPDATE answers SET answer = 'x' WHERE number = 3", "", -1, -1),
    "an answer that was dropped": ("DELETE FROM answers WHERE number = 3", "", -1, -1),
    "the last answer": ("DELETE FROM answers WHERE number = 6", "", -1, -1),
    "a seal": ("UPDATE pieces SET seal = x'00' WHERE log_index = 4", "", -1, -1),
    "a salt": ("UPDATE pieces SET salt = zeroblob(32) WHERE log_index = 4", "", -1, -1),
    "a piece that was dropped": ("DELETE FROM pieces WHERE log_index = 4", "", -1, -1),
    "the last piece": ("DELETE FROM pieces WHERE log_index = 11", "", -1, -1),
    "a node": ("UPDATE nodes SET hash = zeroblob(32) WHERE level = 1 AND node_index = 1", "", -1, -1),
    "a node that was dropped": ("DELETE FROM nodes WHERE level = 0 AND node_index = 3", "", -1, -1),
    "a node too many": ("INSERT INTO nodes VALUES (5, 0, zeroblob(32))", "", -1, -1),
    "a cosigned head": ("INSERT INTO cosigned VALUES (1, x'00', x'00')", "", -1, -1),
    "an index that is gone": ("DROP INDEX happenings_of_a_hand", "", -1, -1),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_and_the_last_good_event_named(stored, name):
    data, _ = stored
    statement, table_id, hand, event = DAMAGES[name]
    change(data, statement)
    before = (data / NAME).read_bytes()
    report = check(data / NAME)
    assert not report.is_whole
    if table_id:
        found = [one for one in report.damages if one.table_id == table_id]
        assert found, report.damages
        assert [(one.hand, one.event) for one in found[:1]] == [(hand, event)]
    with pytest.raises(DamagedStoreError) as damaged:
        SqliteStore(data / NAME)
    assert str(report.damages[0]) in str(damaged.value)
    assert (data / NAME).read_bytes() == before, "nothing is changed"


def test_one_damaged_table_does_not_keep_the_others_from_being_read(stored):
    data, written = stored
    change(data, "UPDATE happenings SET body = x'00' || substr(body, 2) WHERE row = 25")
    store = SqliteStore(data / NAME, check_all=False)
    with pytest.raises(DamagedStoreError, match=r"table t1: .* begin with number 15, of hand 3"):
        list(store.for_restoring("t1"))
    assert store.rows("t1", 0, 2) == [row for row in written.rows["t1"] if row.hand <= 2]
    assert list(store.for_restoring("t2")) == [*written.rows["t2"][:2], *written.rows["t2"][-2:]]
    store.close()


def test_a_table_that_seems_to_have_ended_is_not_hidden(stored):
    data, _ = stored
    change(data, "UPDATE tables SET ended = x'00' WHERE place = 1", "UPDATE tables SET ended = NULL WHERE place = 3")
    store = SqliteStore(data / NAME, check_all=False)
    assert store.table_ids(ended=False) == ["t1", "t2", "t3"]
    assert store.table_ids(ended=True) == []
    with pytest.raises(DamagedStoreError, match="table t1: its last events are missing or changed"):
        list(store.for_restoring("t1"))
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM tables WHERE place = 2",
        "DELETE FROM happenings WHERE row = 30",
        "DELETE FROM answers WHERE number = 6",
        "DELETE FROM pieces WHERE log_index = 11",
        "UPDATE pieces SET seal = x'00' WHERE log_index = 11",
        "DELETE FROM nodes WHERE level = 3 AND node_index = 0",
        "UPDATE nodes SET hash = zeroblob(32) WHERE level = 0 AND node_index = 11",
        "UPDATE nodes SET hash = zeroblob(32) WHERE level = 3 AND node_index = 0",
        "UPDATE nodes SET hash = 'x' WHERE level = 2 AND node_index = 2",
        "DELETE FROM happenings WHERE row = 12",
        "DELETE FROM answers WHERE number = 2",
        "DELETE FROM pieces WHERE log_index = 3",
    ],
)
def test_the_ends_of_the_store_are_looked_at_in_any_case(stored, statement):
    data, _ = stored
    change(data, statement)
    with pytest.raises(DamagedStoreError):
        SqliteStore(data / NAME, check_all=False)


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ("DELETE FROM happenings WHERE row = 13", lambda store: store.rows("t1", 0, 2)),
        ("DELETE FROM happenings WHERE row IN (13, 14)", lambda store: store.rows("t1", 2, 2)),
        ("UPDATE happenings SET hand = 3 WHERE row = 14", lambda store: store.rows("t1", 2, 2)),
        ("UPDATE pieces SET salt = zeroblob(32) WHERE log_index = 4", lambda store: store.piece("t2", 2)),
        ("UPDATE pieces SET seal = zeroblob(32) WHERE log_index = 9", lambda store: store.last_piece("t1")),
        ("UPDATE answers SET answer = 'x' WHERE number = 3", lambda store: store.answer("", "open t2")),
        ("UPDATE tables SET ended = x'00' WHERE place = 3", lambda store: store.last_hand("t3")),
    ],
)
def test_what_was_damaged_while_the_store_is_open_is_found_as_it_is_read(stored, statement, read):
    data, _ = stored
    store = SqliteStore(data / NAME)
    store.last_hand("t1")
    change(data, statement)
    with pytest.raises(DamagedStoreError):
        read(store)
    store.close()


def test_a_last_row_that_vanishes_while_its_table_is_played_is_missed(stored):
    data, _ = stored
    store = SqliteStore(data / NAME)
    assert store.last_hand("t1") == 4
    change(data, "DELETE FROM happenings WHERE row = 26")
    with pytest.raises(DamagedStoreError, match="begin with number 17, of hand 4"):
        store.rows("t1", 4, 4)
    store.close()


@pytest.mark.parametrize("check_all", [True, False])
def test_an_older_copy_in_the_place_of_the_store_is_noticed(tmp_path, check_all):
    older = fresh(tmp_path / "older", hands=2)[0]
    newer = fresh(tmp_path / "newer", hands=4)[0]
    (newer / NAME).write_bytes((older / NAME).read_bytes())
    with pytest.raises(DamagedStoreError, match="had events in 30 rows, and the last of them is not there"):
        SqliteStore(newer / NAME, check_all)
    mark_path(newer / NAME).unlink()
    SqliteStore(newer / NAME, check_all).close()


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_a_store_that_is_gone_is_not_begun_anew(tmp_path, left):
    data, _ = fresh(tmp_path, crashed=True)
    wal = (data / f"{NAME}-wal").read_bytes()
    (data / NAME).unlink()
    if left == "an empty file":
        (data / NAME).touch()
    for _ in range(2):
        with pytest.raises(DamagedStoreError, match="missing or empty"):
            SqliteStore(data / NAME)
        mark_path(data / NAME).unlink(missing_ok=True)
    assert (data / f"{NAME}-wal").read_bytes() == wal, "what is left is left alone"


def test_two_processes_do_not_write_one_store(stored):
    data, _ = stored
    store = SqliteStore(data / NAME)
    with pytest.raises(StoreError, match="in use"):
        SqliteStore(data / NAME)
    store.close()
    SqliteStore(data / NAME).close()


def test_a_store_of_another_format_is_left_alone(stored):
    data, _ = stored
    change(data, "UPDATE meta SET value = '2'")
    with pytest.raises(StoreError, match="format 2; this version reads format 3"):
        SqliteStore(data / NAME)


def test_an_append_to_no_table_is_refused_and_others_of_its_group_with_it(stored):
    data, written = stored
    store = SqliteStore(data / NAME)
    with pytest.raises(StoreError, match="no table 'nobody'"):
        asyncio.run(write(store, written, [Append("nobody", (StoredRow(1, 0, 1, b""),))]))
    assert is_intact(store, written)
    store.close()


def test_a_table_that_has_ended_may_still_be_added_to(stored):
    data, written = stored
    store = SqliteStore(data / NAME)
    asyncio.run(write(store, written, [Append("t3", (StoredRow(21, 4, 1, body_of("t3", 21)),))]))
    assert is_intact(store, written)
    store.close()
    assert check(data / NAME).is_whole


def test_many_tables_in_one_group_have_their_own_chains(tmp_path):
    store = SqliteStore(tmp_path / NAME)

    async def go():
        done = [asyncio.get_running_loop().create_future() for _ in range(200)]
        for at, one in enumerate(done):
            row = StoredRow(1, 0, at, body_of(f"x{at}", 1))
            store.post(Append(f"x{at}", (row,), opens=True), lambda failure, _index, one=one: one.set_result(failure))
            more = tuple([StoredRow(3 + 2 * n, 1, at, body_of(f"x{at}", n)) for n in range(3)])
            store.post(Append(f"x{at}", more), lambda failure, _index: None)
        assert await asyncio.gather(*done) == [None] * 200

    asyncio.run(go())
    store.close()
    report = check(tmp_path / NAME)
    assert report.is_whole
    assert (report.tables, report.rows) == (200, 800)


# --- the command ----------------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command_says_whole_damaged_or_unreadable(stored, tmp_path):
    data, _ = stored
    assert run("store", "check", data).exit_code == 0
    told = json.loads(run("store", "check", data, "--json").stdout)
    assert told["whole"]
    assert told["rows"] == 30
    change(data, DAMAGES["a time"][0])
    done = run("store", "check", data / NAME)
    assert done.exit_code == 1
    assert "table t1: what follows is missing or changed; its last good event is number 10, of hand 2" in done.output
    told = json.loads(run("store", "check", data, "--json").stdout)
    assert told["damages"][0]["table_id"] == "t1"
    assert (told["damages"][0]["hand"], told["damages"][0]["event"]) == (2, 10)
    (tmp_path / "poem.sqlite").write_text("the quick brown fox")
    for path in (tmp_path / "nobody", tmp_path / "poem.sqlite", tmp_path):
        assert run("store", "check", path).exit_code == 2


def test_the_server_does_not_start_on_a_damaged_store(stored):
    data, _ = stored
    change(data, DAMAGES["a time"][0])
    done = run("serve", "--data", data, "--port", "0")
    assert done.exit_code == 2
    assert "table t1: what follows is missing or changed; its last good event is number 10, of hand 2" in done.stderr


def test_tables_are_those_of_the_helper(stored):
    data, _ = stored
    store = SqliteStore(data / NAME)
    assert store.table_ids() == list(TABLES)
    store.close()


@pytest.mark.parametrize("left", [0, 1])
def test_looking_at_a_file_that_sqlite_takes_for_empty_deletes_nothing_beside_it(tmp_path, left):
    """SQLite would delete the write-ahead log, in which the newest commits are, when it only reads such a store."""
    data, _ = fresh(tmp_path, crashed=True)
    (data / NAME).write_bytes((data / NAME).read_bytes()[:left])
    wal = (data / f"{NAME}-wal").read_bytes()
    for look in (check, lambda path: back_up(path.parent, tmp_path / "copy"), SqliteStore):
        with pytest.raises(StoreError, match="empty"):
            look(data / NAME)
        assert (data / f"{NAME}-wal").read_bytes() == wal
