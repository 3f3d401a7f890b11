"""LogService against a real server: heads, proofs of hands that were played, cosignatures, and documented errors."""

import asyncio
from contextlib import asynccontextmanager

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from referee.limits import COSIGNED_HEADS
from referee.merkle.hashing import leaf_hash
from referee.merkle.proofs import root
from referee.merkle.verification import verify_consistency, verify_inclusion
from referee.record.log.checkpoints import Checkpoint, parse_checkpoint
from referee.record.log.keyring import KeyRing, TrustedKey, verify_checkpoint
from referee.record.log.keys import SignatureKind, SigningKey, parse_verifier_key
from referee.record.log.notes import Note, parse_note, write_note
from referee.record.log.signing import sign
from referee.service.log_key import log_key_in
from referee.service.server import Server, open_store
from referee.table.timing import SystemTime
from referee.v1 import log_pb2, log_pb2_grpc, record_pb2
from tests.service.playing import Follower, Tables, run

WITNESSES = [SigningKey(f"witness.example/{n}", bytes([n]) * 32, SignatureKind.COSIGNATURE) for n in (1, 2, 3)]
STRANGER = SigningKey("stranger.example", bytes([9]) * 32, SignatureKind.COSIGNATURE)


@asynccontextmanager
async def logging_tables(folder, witnesses=WITNESSES):
    """A server whose log witnesses may cosign."""
    store = open_store(folder, SystemTime(), witness_keys=[one.verifier.text for one in witnesses])
    server = Server(store=store)
    await server.start()
    running = Tables(server, store)
    running.log = log_pb2_grpc.LogServiceStub(running.channel)
    try:
        yield running
    finally:
        await running.channel.close()
        await server.drain(1)


async def play(running, hands=3):
    """Plays a table to its end."""
    table_id, tokens = await running.seated(hands=hands)
    follower = {seat: Follower() for seat in tokens}
    await asyncio.gather(*(running.play_seat(table_id, token, seat, follower[seat]) for seat, token in tokens.items()))
    return table_id, follower


def ring_of(folder):
    key = log_key_in(folder)
    return KeyRing(key.ring.origin, key.ring.log_keys, tuple([TrustedKey(one.verifier) for one in WITNESSES]))


def cosigned(note, *keys, time=1_800_000_000):
    note = parse_note(note)
    for key in keys:
        note = note.with_signature(sign(note.text, key, time))
    return write_note(note)


async def head(running):
    return await running.log.GetCheckpoint(log_pb2.GetCheckpointRequest())


async def add(running, note):
    await running.log.AddCosignature(log_pb2.AddCosignatureRequest(checkpoint=note))


async def refused(call):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    details = dict(error.value.trailing_metadata())["grpc-status-details-bin"]
    info = error_details_pb2.ErrorInfo()
    assert status_pb2.Status.FromString(details).details[0].Unpack(info)
    return error.value.code().name, info.reason


def test_heads_are_signed_and_every_hand_is_proved_to_be_in_them(tmp_path):
    async def go():
        async with logging_tables(tmp_path) as running:
            ring = ring_of(tmp_path)
            empty = verify_checkpoint((await head(running)).checkpoint, ring, 0).checkpoint
            assert empty.size == 0
            heads, ids = [empty], []
            for _ in range(3):
                table_id, follower = await play(running)
                ids.append(table_id)
                answer = await head(running)
                heads.append(verify_checkpoint(answer.checkpoint, ring, 0).checkpoint)
                assert list(answer.keys) == [ring.log_keys[0].key.text]
                assert answer.cosigned == b""
                # What every seat was told as each piece was sealed fits too.
                for of_seat in follower.values():
                    sealed = [one.sealed for one in of_seat.items if one.HasField("sealed")]
                    pieces = [record_pb2.Seal.FromString(one.seal).piece for one in sealed]
                    assert pieces[-3:] == [2, 3, 4], "whoever is connected is told of each hand, and of the end"
                    for one in sealed:
                        told = verify_checkpoint(one.checkpoint, ring, 0).checkpoint
                        assert one.index < told.size
                        await check_growth(running, told, heads[-1])
            assert heads[-1].size == sum(1 for _ in ids) * 5, "an opening, three hands, an end"
            for one in heads:
                await check_growth(running, one, heads[-1])
            for table_id in ids:
                for piece in range(5):
                    for at in heads:
                        await check_inclusion(running, table_id, piece, at, heads[-1])
            again = await running.log.GetConsistencyProof(log_pb2.GetConsistencyProofRequest(old_size=5))
            assert again.size == heads[-1].size

    run(go())


async def check_growth(running, old, new):
    request = log_pb2.GetConsistencyProofRequest(old_size=old.size, size=new.size)
    proof = await running.log.GetConsistencyProof(request)
    assert proof.size == new.size
    verify_consistency(old.size, old.root, new.size, new.root, list(proof.hashes))


async def check_inclusion(running, table_id, piece, at, newest):
    request = log_pb2.GetInclusionProofRequest(table_id=table_id, piece=piece, size=at.size)
    proof_of = await running.log.GetInclusionProof(log_pb2.GetInclusionProofRequest(table_id=table_id, piece=piece))
    if at.size and proof_of.index >= at.size:
        assert await refused(running.log.GetInclusionProof(request)) == ("OUT_OF_RANGE", "SIZE_UNKNOWN")
        return
    proof, proved = await running.log.GetInclusionProof(request), at.root if at.size else newest.root
    seal = record_pb2.Seal.FromString(proof.seal)
    assert (seal.table_id, seal.piece) == (table_id, piece)
    verify_inclusion(leaf_hash(proof.seal), proof.index, proof.size, list(proof.hashes), proved)


def test_cosignatures_are_kept_and_given_out(tmp_path):
    async def go():
        ring = ring_of(tmp_path)
        async with logging_tables(tmp_path) as running:
            await play(running)
            first = (await head(running)).checkpoint
            await add(running, cosigned(first, WITNESSES[0]))
            await add(running, cosigned(first, STRANGER, WITNESSES[1]))
            await add(running, cosigned(first, WITNESSES[0], time=1_900_000_000))
            answer = await head(running)
            assert answer.checkpoint == answer.cosigned
            verified = verify_checkpoint(answer.checkpoint, ring, 0, quorum=2)
            assert verified.unknown == (), "what says nothing is not kept"
            assert [one.time_unix_s for one in verified.by_witnesses] == [1_800_000_000] * 2, "the first one stays"
            await play(running)
            second = (await head(running)).checkpoint
            assert second.count("—".encode()) == 1, "nobody has cosigned this one"
            await add(running, cosigned(second, WITNESSES[2]))
            answer = await head(running)
            assert verify_checkpoint(answer.checkpoint, ring, 0).witnesses == ("witness.example/3",)
            assert parse_note(answer.cosigned).text == parse_note(first).text, "by more witnesses"
            await add(running, cosigned(second, WITNESSES[1]))
            answer = await head(running)
            assert parse_note(answer.cosigned).text == parse_note(second).text, "by as many, and newer"
            kept = answer
        async with logging_tables(tmp_path) as running:
            assert await head(running) == kept
        async with logging_tables(tmp_path, WITNESSES[2:]) as running:
            answer = await head(running)
            assert verify_checkpoint(answer.checkpoint, ring, 0).witnesses == ("witness.example/3",)

    run(go())


def test_what_is_not_a_cosigned_head_of_this_log_is_refused(tmp_path):
    async def go():
        async with logging_tables(tmp_path) as running:
            await play(running)
            note = (await head(running)).checkpoint
            own = log_key_in(tmp_path).key
            checkpoint = parse_checkpoint(parse_note(note).text)
            other_root = Checkpoint(checkpoint.origin, checkpoint.size, bytes(32))
            too_large = Checkpoint(checkpoint.origin, checkpoint.size + 1, bytes(32))
            other_log = Checkpoint("another.example", checkpoint.size, checkpoint.root)

            def signed(one, *keys):
                return write_note(Note(one.text, tuple([sign(one.text, key, 1) for key in keys])))

            altered = bytearray(cosigned(note, WITNESSES[0]))
            altered[len(altered) - 20] ^= 1
            for wrong, status in [
                (b"what?", ("INVALID_ARGUMENT", "BAD_NOTE")),
                (bytes(altered), ("INVALID_ARGUMENT", "BAD_NOTE")),
                (note, ("PERMISSION_DENIED", "WITNESS_UNKNOWN")),
                (cosigned(note, STRANGER), ("PERMISSION_DENIED", "WITNESS_UNKNOWN")),
                (signed(checkpoint, WITNESSES[0]), ("INVALID_ARGUMENT", "BAD_NOTE")),
                (signed(other_log, own, WITNESSES[0]), ("INVALID_ARGUMENT", "BAD_NOTE")),
                (signed(other_root, own, WITNESSES[0]), ("FAILED_PRECONDITION", "NOT_OF_THIS_LOG")),
                (signed(too_large, own, WITNESSES[0]), ("FAILED_PRECONDITION", "NOT_OF_THIS_LOG")),
                (b"", ("INVALID_ARGUMENT", "BAD_SHAPE")),
                (bytes(65537), ("INVALID_ARGUMENT", "BAD_SHAPE")),
            ]:
                assert await refused(add(running, wrong)) == status, wrong[:80]
            assert (await head(running)).cosigned == b""

    run(go())


def test_sizes_and_pieces_that_there_are_not_have_documented_errors(tmp_path):
    async def go():
        async with logging_tables(tmp_path) as running:
            table_id, _ = await play(running)
            consistency = running.log.GetConsistencyProof
            inclusion = running.log.GetInclusionProof

            def pair(**sizes):
                return consistency(log_pb2.GetConsistencyProofRequest(**sizes))

            def of(**what):
                return inclusion(log_pb2.GetInclusionProofRequest(**what))

            for call, status in [
                (pair(old_size=6), ("OUT_OF_RANGE", "SIZE_UNKNOWN")),
                (pair(old_size=0, size=6), ("OUT_OF_RANGE", "SIZE_UNKNOWN")),
                (pair(old_size=3, size=2), ("OUT_OF_RANGE", "SIZE_UNKNOWN")),
                (pair(old_size=-1), ("INVALID_ARGUMENT", "BAD_SHAPE")),
                (of(table_id="nobody", piece=0), ("NOT_FOUND", "NOT_FOUND")),
                (of(table_id=table_id, piece=5), ("NOT_FOUND", "NOT_FOUND")),
                (of(table_id=table_id, piece=4, size=4), ("OUT_OF_RANGE", "SIZE_UNKNOWN")),
                (of(table_id=table_id, piece=4, size=99), ("OUT_OF_RANGE", "SIZE_UNKNOWN")),
                (of(table_id="", piece=0), ("INVALID_ARGUMENT", "BAD_SHAPE")),
            ]:
                assert await refused(call) == status

    run(go())


def test_a_bounded_number_of_cosigned_heads_is_kept(tmp_path):
    async def go():
        async with logging_tables(tmp_path) as running:
            await play(running, hands=COSIGNED_HEADS + 5)
            key, store = log_key_in(tmp_path).key, running.store.hub.store
            for size in range(1, store.frontier.size + 1):
                text = Checkpoint(key.verifier.name, size, root(size, store.node)).text
                await add(running, write_note(Note(text, (sign(text, key), sign(text, WITNESSES[0], 1)))))
            newest = [*range(1, store.frontier.size + 1)][-COSIGNED_HEADS:]
            assert [size for size, _ in store.cosigned()] == newest[::-1]
            assert sorted(running.store.heads._cosigned) == newest

    run(go(), 120)


def test_a_store_that_fails_is_said_so(tmp_path):
    async def go():
        async with logging_tables(tmp_path) as running:
            await play(running)
            note = (await head(running)).checkpoint
            file = running.store.hub.store._file
            file.execute("PRAGMA query_only = ON")
            status = await refused(add(running, cosigned(note, WITNESSES[0])))
            assert status == ("UNAVAILABLE", "STORE_FAILED")
            file.execute("PRAGMA query_only = OFF")
            await add(running, cosigned(note, WITNESSES[0]))
            file.execute("DELETE FROM nodes WHERE level = 1")
            status = await refused(running.log.GetConsistencyProof(log_pb2.GetConsistencyProofRequest(old_size=1)))
            assert status == ("UNAVAILABLE", "STORE_FAILED")

    run(go())


def test_the_log_goes_on_over_restarts_and_a_rotated_key(tmp_path):
    from referee.service.log_key import rotate

    async def go():
        async with logging_tables(tmp_path) as running:
            await play(running)
            old = await head(running)
        rotate(tmp_path, 5)
        ring = ring_of(tmp_path)
        async with logging_tables(tmp_path) as running:
            again = await head(running)
            assert list(again.keys) == [ring.log_keys[1].key.text, *old.keys]
            assert again.checkpoint != old.checkpoint
            await play(running)
            new = verify_checkpoint((await head(running)).checkpoint, ring, 0)
            assert [one.key for one in new.by_log] == [parse_verifier_key(again.keys[0])]
            await check_growth(running, verify_checkpoint(old.checkpoint, ring, 0).checkpoint, new.checkpoint)
            # A witness may still bring the head that the old key signed.
            await add(running, cosigned(old.checkpoint, WITNESSES[0]))

    run(go())
