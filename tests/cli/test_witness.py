"""`referee witness` against a real server, and against one that tells two histories."""

import asyncio
import json
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest
from typer.testing import CliRunner

from referee.bots import make_bot
from referee.cli import app
from referee.client import aio
from referee.merkle.hashing import leaf_hash
from referee.merkle.tree import Tree
from referee.record.log.checkpoints import Checkpoint, parse_checkpoint
from referee.record.log.keyring import KeyRing, TrustedKey, verify_checkpoint
from referee.record.log.keys import SignatureKind, SigningKey, parse_signing_key, parse_verifier_key
from referee.record.log.notes import Note, parse_note, write_note
from referee.record.log.signing import sign
from referee.rules.ruleset import Stakes
from referee.v1 import log_pb2, log_pb2_grpc
from tests.service.conftest import RunningServer

KEY = SigningKey("referee.example/log", bytes([1]) * 32)
OTHER_KEY = SigningKey("referee.example/log", bytes([2]) * 32)


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def witness(tmp_path):
    """Looks once at a server as the witness of a folder, and gives what it said."""
    assert run("witness", "new-key", "witness.example/w1", "--file", tmp_path / "witness.key").exit_code == 0

    def look(target, *options):
        words = ["witness", "--target", target, "--key", tmp_path / "witness.key", "--state", tmp_path / "state"]
        done = run(*words, "--once", "--json", *options)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        return done.exit_code, told[0] if told else None, done.stderr

    look.folder = tmp_path / "state"
    look.key = parse_signing_key((tmp_path / "witness.key").read_text().strip())
    return look


class Scripted(log_pb2_grpc.LogServiceServicer):
    """A log that shows what the test says: a tree, or another one from some moment on."""

    def __init__(self):
        self.tree = Tree()
        self.key = KEY
        self.origin = KEY.verifier.name
        self.proof = None
        self.taken = []
        self.while_cosigned = lambda: None

    def grow(self, *records):
        for record in records:
            self.tree.append(leaf_hash(record))

    def fork(self, size, *records):
        """Another history with the same first records."""
        self.tree = Tree([self.tree.node(0, at) for at in range(size)])
        self.grow(*records)

    def GetCheckpoint(self, request, context):  # noqa: N802
        text = Checkpoint(self.origin, self.tree.size, self.tree.root()).text
        note = write_note(Note(text, (sign(text, self.key),)))
        return log_pb2.GetCheckpointResponse(checkpoint=note, keys=[self.key.verifier.text])

    def GetConsistencyProof(self, request, context):  # noqa: N802
        if self.proof is not None:
            return log_pb2.GetConsistencyProofResponse(size=request.size, hashes=self.proof)
        if request.old_size > self.tree.size:
            context.abort(grpc.StatusCode.OUT_OF_RANGE, "no such size")
        hashes = self.tree.consistency_proof(request.old_size, request.size)
        return log_pb2.GetConsistencyProofResponse(size=request.size, hashes=hashes)

    def AddCosignature(self, request, context):  # noqa: N802
        self.while_cosigned()
        self.taken.append(request.checkpoint)
        return log_pb2.AddCosignatureResponse()


@contextmanager
def scripted():
    service, server = Scripted(), grpc.server(ThreadPoolExecutor(4))
    log_pb2_grpc.add_LogServiceServicer_to_server(service, server)
    service.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield service
    finally:
        server.stop(None).wait()


def test_a_witness_of_a_real_server_cosigns_what_is_played(tmp_path, witness):
    data = tmp_path / "data"
    server = RunningServer("--data", str(data), "--witness-keys", witness.key.verifier.text)
    try:
        with grpc.insecure_channel(server.address) as channel:
            stub = log_pb2_grpc.LogServiceStub(channel)
            sizes = []
            for _ in range(3):
                bots_play(server, data, hands=2)
                code, told, said = witness(server.address, "--keys", data / "log.keys")
                assert (code, told["taken"], said) == (0, True, ""), said
                sizes.append(told["size"])
                ring = KeyRing(
                    told["log"],
                    (TrustedKey(parse_verifier_key((data / "log.pub").read_text().strip())),),
                    (TrustedKey(witness.key.verifier),),
                )
                cosigned = stub.GetCheckpoint(log_pb2.GetCheckpointRequest()).cosigned
                verified = verify_checkpoint(cosigned, ring, 0, quorum=1)
                assert (verified.checkpoint.size, verified.checkpoint.root.hex()) == (told["size"], told["root"])
        assert sizes == [4, 8, 12]
    finally:
        server.stop()


def bots_play(server, data, hands):
    token = (data / "host.token").read_text().strip()

    async def go():
        table = await aio.create_table(
            server.address,
            token=token,
            stakes=Stakes(small_blind=1, big_blind=2),
            seats=2,
            starting_stack=100,
            reset_stacks=True,
            hands=hands,
        )
        seats = [await aio.take_seat(server.address, table, name=name) for name in "ab"]
        await asyncio.gather(*(aio.play(server.address, make_bot("sound-irish"), [seat]) for seat in seats))

    asyncio.run(asyncio.wait_for(go(), 60))


def test_a_server_that_does_not_know_the_witness_is_watched_all_the_same(tmp_path, witness):
    server = RunningServer("--data", str(tmp_path / "data"))
    try:
        code, told, said = witness(server.address)
        assert code == 0
        assert not told["taken"]
        assert "no witness that this server knows" in told["said"]
        assert "WARNING" in said
    finally:
        server.stop()


def test_heads_that_go_on_are_cosigned_and_kept(witness):
    with scripted() as log:
        for size in (0, 1, 1, 5, 12):
            log.grow(*[b"%d" % at for at in range(log.tree.size, size)])
            code, told, said = witness(log.address, "--log-key", KEY.verifier.text)
            assert (code, told["size"], told["root"], said) == (0, size, log.tree.root().hex(), "")
        ring = KeyRing(KEY.verifier.name, (TrustedKey(KEY.verifier),), (TrustedKey(witness.key.verifier),))
        assert [verify_checkpoint(note, ring, 0, 1).checkpoint.size for note in log.taken] == [0, 1, 1, 5, 12]
        assert abs(verify_checkpoint(log.taken[-1], ring, 0, 1).by_witnesses[0].time_unix_s - time.time()) < 60
        assert kept(witness).size == 12


def kept(witness):
    return parse_checkpoint(parse_note((witness.folder / "head").read_bytes()).text)


LIES = {
    "another root of the same size": lambda log: log.fork(6, b"x", b"y"),
    "another history of a larger size": lambda log: log.fork(6, b"x", b"y", b"z"),
    "an older size": lambda log: log.fork(6),
    "no records at all": lambda log: log.fork(0),
    "a proof that is none": lambda log: (log.grow(b"more"), setattr(log, "proof", [bytes(32)])),
    "a proof with hashes that are none": lambda log: (log.grow(b"more"), setattr(log, "proof", [b"x"])),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_head_that_does_not_go_on_is_refused_and_both_are_kept(witness, lie):
    with scripted() as log:
        log.grow(*[b"%d" % at for at in range(8)])
        assert witness(log.address, "--log-key", KEY.verifier.text)[0] == 0
        before, known = len(log.taken), (witness.folder / "head").read_bytes()
        LIES[lie](log)
        code, told, said = witness(log.address, "--log-key", KEY.verifier.text)
        assert (code, told["outcome"]) == (1, "fork")
        assert len(log.taken) == before, "nothing is cosigned"
        assert (witness.folder / "head").read_bytes() == known
        (evidence,) = (witness.folder / "evidence").iterdir()
        assert str(evidence) in said
        assert (evidence / "known.note").read_bytes() == known
        ring = KeyRing(KEY.verifier.name, (TrustedKey(KEY.verifier),))
        shown = verify_checkpoint((evidence / "refused.note").read_bytes(), ring, 0).checkpoint
        assert (shown.size, shown.root) == (log.tree.size, log.tree.root()), "signed by the log itself"
        assert (evidence / "proof.txt").exists()


def test_what_the_log_has_not_signed_is_no_evidence_and_not_cosigned(witness):
    with scripted() as log:
        log.grow(b"a")
        assert witness(log.address)[0] == 0
        log.key = OTHER_KEY
        log.grow(b"b")
        code, told, said = witness(log.address)
        assert (code, told["outcome"]) == (2, "refused")
        assert "not signed by any known key" in said
        log.key, log.origin = KEY, "another.example"
        assert witness(log.address)[0] == 2
        assert len(log.taken) == 1
        assert not (witness.folder / "evidence").exists()


def test_without_a_key_the_first_is_trusted_loudly_and_then_kept(witness):
    with scripted() as log:
        code, _, said = witness(log.address)
        assert code == 0
        assert "WARNING" in said
        assert KEY.verifier.text in said
        code, _, said = witness(log.address)
        assert (code, said) == (0, "")
        assert KEY.verifier.text in (witness.folder / "log.keys").read_text()
        assert witness(log.address, "--log-key", OTHER_KEY.verifier.text)[0] == 2


def test_a_head_is_on_disk_before_it_is_cosigned(witness):
    with scripted() as log:
        log.grow(b"a", b"b")
        sizes = []
        log.while_cosigned = lambda: sizes.append(kept(witness).size)
        assert witness(log.address)[0] == 0
        assert sizes == [2]


@pytest.mark.parametrize("name", ["head", "log.keys"])
def test_a_state_that_cannot_be_read_is_not_taken_for_none(witness, name):
    with scripted() as log:
        log.grow(b"a")
        assert witness(log.address)[0] == 0
        (witness.folder / name).write_text("what?")
        code, _, said = witness(log.address)
        assert code == 2
        assert "cannot read" in said
        (witness.folder / name).unlink()
        if name == "log.keys":
            assert witness(log.address)[0] == 2, "a head without a key: the key was lost"
        assert len(log.taken) == 1


def test_a_server_that_is_away_is_said_so(witness):
    code, told, _ = witness("127.0.0.1:1")
    assert (code, told["outcome"]) == (2, "unreachable")


def test_a_running_witness_looks_again_and_stops_at_a_fork(tmp_path, witness):
    with scripted() as log:
        log.grow(b"a")
        words = ["witness", "--target", log.address, "--key", str(tmp_path / "witness.key"), "--json"]
        words += ["--state", str(witness.folder), "--log-key", KEY.verifier.text, "--every", "0.1"]
        running = subprocess.Popen(
            [sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            assert json.loads(running.stdout.readline())["size"] == 1
            assert witness(log.address)[0] == 2, "the folder is in use"
            log.grow(b"b")
            while json.loads(running.stdout.readline())["size"] != 2:
                pass
            log.fork(1, b"x")
            out, _ = running.communicate(timeout=30)
            assert json.loads(out.splitlines()[-1])["outcome"] == "fork"
            assert running.returncode == 1
        finally:
            running.kill()
            running.communicate()


def test_keys_are_drawn_kept_secret_and_never_overwritten(tmp_path):
    done = run("witness", "new-key", "witness.example/w1", "--file", tmp_path / "w.key")
    key = parse_verifier_key(done.output.strip())
    assert (key.name, key.kind) == ("witness.example/w1", SignatureKind.COSIGNATURE)
    secret = (tmp_path / "w.key").read_text()
    assert parse_signing_key(secret.strip()).verifier == key
    assert stat.S_IMODE((tmp_path / "w.key").stat().st_mode) == 0o600
    assert run("witness", "new-key", "witness.example/w1", "--file", tmp_path / "w.key").exit_code == 2
    assert (tmp_path / "w.key").read_text() == secret
    assert run("witness", "new-key", "no name", "--file", tmp_path / "x.key").exit_code == 2
    assert not (tmp_path / "x.key").exists()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--key", "nobody.key"],
        ["--key", "log.key"],
        ["--key", "w.key", "--log-key", "what?"],
        ["--key", "w.key", "--keys", "nobody.keys"],
        ["--key", "w.key", "--keys", "log.keys", "--log-key", KEY.verifier.text],
        ["--key", "w.key", "--log-key", "its own"],
    ],
)
def test_keys_that_cannot_be_used_are_said_so(tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    own = run("witness", "new-key", "w", "--file", "w.key").output.strip()
    (tmp_path / "log.key").write_text(KEY.secret_text)
    (tmp_path / "log.keys").write_text(KEY.verifier.text)
    done = run("witness", "--target", "127.0.0.1:1", "--once", *[own if one == "its own" else one for one in options])
    assert done.exit_code == 2
    assert "cannot witness" in done.stderr
