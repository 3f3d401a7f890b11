"""Reading a store beside the server that writes it."""

import asyncio

import pytest

from referee.store.reading import reading
from referee.store.sqlite import Append, SqliteStore, StoredRow, StoreError


def test_a_reader_sees_the_store_as_it_stood_while_more_is_written(tmp_path):
    async def go():
        store = SqliteStore(tmp_path / "s.sqlite")
        await store.append(Append("t", (StoredRow(1, 0, 5, b"one"),), opens=True))
        with reading(store.path) as reader:
            assert [row.body for row in reader.rows("t", 0, 9)] == [b"one"]
            await store.append(Append("t", (StoredRow(2, 1, 6, b"two"),)))
            assert [row.body for row in reader.rows("t", 0, 9)] == [b"one"]
            assert reader.last_hand("t") == 0
        with reading(store.path) as reader:
            assert [row.body for row in reader.rows("t", 0, 9)] == [b"one", b"two"]
        store.close()

    asyncio.run(go())


def test_what_is_no_store_is_said_so(tmp_path):
    (tmp_path / "no.sqlite").write_bytes(b"no database at all" * 100)
    for name in ("no.sqlite", "missing.sqlite"):
        with pytest.raises(StoreError), reading(tmp_path / name):
            raise AssertionError("it was read")
