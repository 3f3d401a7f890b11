"""Small stores with something of everything in them, and what was acknowledged of each."""

import asyncio
import hashlib
import shutil

from referee.store.sqlite import Answer, Append, SqliteStore, StoredPiece, StoredRow
from referee.v1 import record_pb2

TABLES = ("t1", "t2", "t3")
NAME = "referee.sqlite"


def body_of(table_id, number, size=60):
    """A row's body with two events, told apart by what they hold."""
    filling = hashlib.sha256(f"{table_id}/{number}".encode()).hexdigest() * (1 + size // 64)
    events = [record_pb2.StoredEvent(seat_taken={"seat": 1 + at, "name": filling[:size]}) for at in range(2)]
    return record_pb2.StoredEvents(events=events).SerializeToString()


class Written:
    """What was acknowledged: rows and pieces by table, answers, and the head of the log."""

    def __init__(self):
        self.rows = {}
        self.pieces = []
        self.answers = []
        self.ended = set()
        self.root = None

    def take(self, append, first_index):
        self.rows.setdefault(append.table_id, []).extend(append.rows)
        for at, one in enumerate(append.pieces):
            self.pieces.append((append.table_id, one.piece, one.seal, one.salt, first_index + at))
        self.answers += append.answers
        if append.ends:
            self.ended.add(append.table_id)


def appends(hands=4, size=60):
    """Appends of three tables, hand by hand; the last table ends."""
    numbers = dict.fromkeys(TABLES, 1)

    def row(table_id, hand):
        number = numbers[table_id]
        numbers[table_id] += 2
        return StoredRow(number, hand, 1_000 * number, body_of(table_id, number, size))

    for table_id in TABLES:
        opening = Answer("", f"open {table_id}", b"content", table_id.encode())
        yield Append(table_id, (row(table_id, 0),), (opening,), opens=True)
        yield Append(table_id, (row(table_id, 0),), (Answer(table_id, "sit", b"seat", b"\x01"),))
    for hand in range(1, hands + 1):
        for table_id in TABLES:
            yield Append(table_id, (row(table_id, hand),))
            piece = StoredPiece(hand, hand, f"seal of {table_id}/{hand}".encode(), bytes([hand % 256]) * 32)
            ends = table_id == "t3" and hand == hands
            yield Append(table_id, (row(table_id, hand),), pieces=(piece,), ends=ends)


async def write(store, written, some):
    """Appends one after the other, each acknowledged before the next."""
    for append in some:
        told = asyncio.get_running_loop().create_future()
        store.post(append, lambda failure, index, told=told: told.set_result((failure, index)))
        failure, index = await told
        if failure is not None:
            raise failure
        written.take(append, index)
    written.root = store.frontier.root()


def fresh(folder, crashed=False, **options):
    """A store in a folder, closed, or as a process that was killed leaves it behind."""
    work = folder / "work"
    store = SqliteStore(work / NAME)
    written = Written()
    some = list(appends(**options))
    asyncio.run(write(store, written, some[: len(some) // 2]))
    if crashed:  # half of it in the file itself, half in the write-ahead log
        store._file.execute("PRAGMA wal_checkpoint(PASSIVE)")
    asyncio.run(write(store, written, some[len(some) // 2 :]))
    data = folder / "data"
    if not crashed:
        store.close()
    shutil.copytree(work, data)
    store.close()
    shutil.rmtree(work)
    return data, written


def is_intact(store, written, tables=TABLES):
    """Whether everything that was acknowledged is there, of these tables in the order of their opening."""
    if store.frontier.root() != written.root or store.table_ids() != list(tables):
        return False
    if set(store.table_ids(ended=True)) != written.ended:
        return False
    for table_id, rows in written.rows.items():
        if store.last_hand(table_id) != rows[-1].hand or store.rows(table_id, 0, rows[-1].hand) != rows:
            return False
    for table_id, piece, seal, salt, index in written.pieces:
        found = store.piece(table_id, piece)
        if found is None or (found.seal, found.salt, found.log_index) != (seal, salt, index):
            return False
    return all(store.answer(one.scope, one.request_id) == one for one in written.answers)
