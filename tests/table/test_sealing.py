"""Pieces of a table's record, sealed as they end: computed again here from docs/records.md alone."""

import asyncio
from hashlib import sha256

from referee.merkle.frontier import Frontier
from referee.merkle.proofs import inclusion_proof
from referee.merkle.verification import verify_inclusion
from referee.store.sqlite import SqliteStore
from referee.table.happenings import content_bytes, happenings, stored_event_bytes
from referee.table.hub import Hub
from referee.table.views import parts
from referee.v1 import record_pb2, table_pb2
from tests.support import scale
from tests.table.hubs import FakeTime, Listener, play_on, sit_down

CONFIG = table_pb2.TableConfig(
    rule_set_name="irish/full-tilt@1",
    structure=1,
    stakes={"small_blind": 1, "big_blind": 2},
    seats=3,
    starting_stack=60,
    reset_stacks=True,
)


def entries(store, table_id, config):
    """Number, hand, moment, open and closed part of everything that is stored of a table."""
    for row in store.rows(table_id, 0, 1_000_000):
        for number, one in enumerate(happenings(row.body), row.number):
            content = content_bytes(one)
            yield number, row.hand, row.time_unix_ms, *parts(one, content, stored_event_bytes(one, content), config)


def head(table_id, seal, salt, of_piece):
    """The head of a piece, as the page says."""
    chain = sha256(f"referee-record/1/{table_id}/{seal.piece}".encode()).digest()
    for number, hand, moment, shown, closed in of_piece:
        own_salt = sha256(salt + number.to_bytes(8, "big")).digest()[:16]
        committed = sha256(own_salt + closed).digest() if closed else b""
        chain = sha256(
            chain
            + number.to_bytes(8, "big")
            + hand.to_bytes(8, "big")
            + moment.to_bytes(8, "big")
            + len(shown).to_bytes(4, "big")
            + shown
            + committed
        ).digest()
    return chain


def check_record(store, table_id, config):
    """Checks every sealed piece of a table; returns how many entries they have."""
    everything = list(entries(store, table_id, config))
    leaves, piece, done = [], 0, 0
    while (stored := store.piece(table_id, piece)) is not None:
        seal = record_pb2.Seal.FromString(stored.seal)
        assert (seal.format, seal.table_id, seal.piece) == ("referee-record/1", table_id, piece)
        assert seal.first_number == done + 1
        of_piece = everything[done : done + seal.entries]
        done += seal.entries
        assert seal.head == head(table_id, seal, stored.salt, of_piece)
        assert seal.previous == (leaves[-1] if leaves else b"")
        assert seal.opening == (leaves[0] if leaves else b"")
        leaves.append(sha256(b"\0" + stored.seal).digest())
        size = store.frontier.size
        proof = inclusion_proof(size, stored.log_index, store.node)
        verify_inclusion(leaves[-1], stored.log_index, size, proof, store.frontier.root())
        piece += 1
    return done, len(everything), piece


def test_every_hand_is_sealed_as_it_ends_and_is_in_the_log(tmp_path):
    async def body():
        store = SqliteStore(tmp_path / "referee.sqlite")
        hub = Hub(store, FakeTime(), b"secret", checkpoint=lambda frontier: b"head of %d" % frontier.size)
        tables = [await hub.open_table(f"open {at}", b"", with_hands(scale(4, 40))) for at in range(3)]
        listeners = {}
        for table_id in tables:
            await sit_down(hub, table_id, 3)
            listeners[table_id] = Listener()
            owner = hub.find(table_id)
            await owner.read(lambda owner=owner, table_id=table_id: owner.subscribe(listeners[table_id], None))
        for table_id in tables:
            await sit_down(hub, table_id, 3, last_too=True)
        await asyncio.gather(*[play_on(hub, table_id, seed) for seed, table_id in enumerate(tables)])
        for table_id in tables:
            done, all_entries, pieces = check_record(store, table_id, hub.find(table_id).table.config)
            assert done == all_entries, "nothing of an ended table is left unsealed"
            assert pieces == scale(4, 40) + 2
            told = listeners[table_id].sealed
            # Who listens from the opening on is told of it, of each hand and of the end.
            assert [record_pb2.Seal.FromString(one.seal).piece for one in told] == list(range(pieces))
            for one in told:
                stored = store.piece(table_id, record_pb2.Seal.FromString(one.seal).piece)
                assert (one.seal, one.index) == (stored.seal, stored.log_index)
                assert int(one.checkpoint.split()[-1]) > one.index
        assert store.frontier.size == 3 * (scale(4, 40) + 2)
        store.close()

    asyncio.run(body())


def test_a_restart_in_any_place_seals_the_same_entries(tmp_path):
    async def body():
        path = tmp_path / "referee.sqlite"
        hub = Hub(SqliteStore(path), FakeTime(), b"secret")
        table_id = await hub.open_table("open", b"", with_hands(5))
        await sit_down(hub, table_id, 3)
        await sit_down(hub, table_id, 3, last_too=True)
        steps = 0
        while table_id in hub.owners:
            await play_on(hub, table_id, steps, steps=7)
            steps += 1
            hub.store.close()
            hub = Hub(SqliteStore(path), FakeTime(), b"secret")
            assert isinstance(hub.store.frontier, Frontier)
            hub.start()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert steps > 5
        done, all_entries, pieces = check_record(hub.store, table_id, hub.find(table_id).table.config)
        assert (done, pieces) == (all_entries, 7)
        hub.store.close()

    asyncio.run(body())


def with_hands(hands):
    config = table_pb2.TableConfig()
    config.CopyFrom(CONFIG)
    config.hands = hands
    return config
