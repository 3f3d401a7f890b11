"""`referee audit` as its users call it: verdicts and exit codes, stepping with keys, redacting, exporting."""

import json
import os
import pty
import select
import subprocess
import sys
from contextlib import suppress

import grpc
import pytest
from typer.testing import CliRunner

from referee.audit.redaction import redacted
from referee.audit.report import CHECKS
from referee.cli import app
from referee.record.bundle import bundle_bytes, read_bundle
from referee.v1 import audit_pb2, audit_pb2_grpc, record_pb2
from tests.audit.records import LOG_KEY, OTHER_KEY, TRUST, WITNESS, logged, side_pots_table

KEY = ("--key", LOG_KEY.verifier.text)


def run(*words, keys=None):
    return CliRunner().invoke(app, ["audit", *[str(word) for word in words]], input=keys)


@pytest.fixture(scope="module")
def bundle():
    return logged(side_pots_table().sealed())


@pytest.fixture
def file(tmp_path, bundle):
    path = tmp_path / "table.bundle"
    path.write_bytes(bundle_bytes(bundle))
    return path


@pytest.fixture
def damaged(tmp_path, bundle):
    twin = record_pb2.Bundle()
    twin.CopyFrom(bundle)
    twin.pieces[2].entries[3].hand += 1
    path = tmp_path / "damaged.bundle"
    path.write_bytes(bundle_bytes(twin))
    return path


def test_verify_prints_every_check_and_exits_0_for_a_valid_bundle(file):
    done = run("verify", file, *KEY, "--witness", WITNESS.verifier.text, "--quorum", 1)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.split()[1] for line in lines[: len(CHECKS)]] == list(CHECKS)
    assert {line.split()[0] for line in lines[: len(CHECKS)]} == {"pass"}
    assert "3 hands" in done.output
    assert done.output.rstrip().endswith("VALID")


def test_verify_exits_1_and_tells_the_first_divergence_for_an_invalid_one(damaged):
    done = run("verify", damaged, *KEY)
    assert done.exit_code == 1
    assert "FAIL" in done.output
    assert "first divergence: table t1, piece 2, entry " in done.output
    assert done.output.rstrip().endswith("INVALID")


def test_verify_exits_2_for_what_it_cannot_read(tmp_path):
    assert run("verify", tmp_path / "nothing", *KEY).exit_code == 2
    path = tmp_path / "no.bundle"
    path.write_bytes(b"no bundle")
    done = run("verify", path, *KEY)
    assert done.exit_code == 2
    assert "the first line is not referee-bundle/1" in done.output


def test_verify_exits_3_without_a_key_that_is_believed(file):
    done = run("verify", file)
    assert done.exit_code == 3
    assert "missing: a key of the log that is believed" in done.output
    assert run("verify", file, *KEY, "--quorum", 2).exit_code == 3
    assert run("verify", file, "--key", OTHER_KEY.verifier.text).exit_code == 1


def test_verify_refuses_what_is_no_key(file):
    done = run("verify", file, "--key", "nothing")
    assert done.exit_code == 2
    assert "is not a key" in done.output


def test_verify_tells_the_same_as_json(file, damaged):
    done = run("verify", file, *KEY, "--json")
    told = json.loads(done.output)
    assert (told["verdict"], told["hands"], told["divergence"]) == ("valid", 3, None)
    assert [check["name"] for check in told["checks"]] == list(CHECKS)
    told = json.loads(run("verify", damaged, *KEY, "--json").output)
    assert told["verdict"] == "invalid"
    assert set(told["divergence"]) >= {"check", "rule", "rule_text", "before", "recorded", "right", "entry", "piece"}


def test_redact_writes_a_bundle_that_is_valid_and_hides(file, tmp_path, bundle):
    for words, view, seat in ((("--public",), 3, 0), (("--seat", 2), 2, 2)):
        path = tmp_path / "redacted.bundle"
        done = run("redact", file, *words, "-o", path)
        assert done.exit_code == 0, done.output
        assert "entries hidden" in done.output
        assert read_bundle(path.read_bytes()) == redacted(bundle, view, seat)
        assert run("verify", path, *KEY).exit_code == 0
    assert run("redact", file, "-o", path).exit_code == 2
    assert run("redact", file, "--public", "--seat", 2, "-o", path).exit_code == 2
    assert run("redact", file, "--public", "-o", tmp_path / "no" / "where").exit_code == 2
    assert run("redact", file, "--seat", 2, "--holder", "xyz", "-o", path).exit_code == 2


def titles(output):
    return [line.split(": step ")[1].split(" of")[0] for line in output.splitlines() if ": step " in line]


def test_replay_steps_by_keys_forward_back_to_start_and_end(file):
    done = run("replay", file, "--hand", 2, keys="n\n\nb\ne\nn\ns\nb\nx\nq\nn\n")
    assert done.exit_code == 0, done.output
    last = titles(done.output)[4]
    assert titles(done.output) == ["1", "2", "3", "2", last, last, "1", "1"]
    assert int(last) > 30
    assert "table t1, hand 2: step 1 of" in done.output
    assert "BLIND-1" in done.output
    assert "n forward, b back" in done.output, "an unknown key says which there are"


def test_replay_shows_refusals_board_stacks_and_pots(file):
    done = run("replay", file, "--hand", 2, keys="n\n" * 60)
    assert "REFUSED player " in done.output
    assert "pots: " in done.output
    assert " behind, " in done.output
    assert "discard round: " in done.output
    # The first hand is taken when none is named; the end of the keys ends the command.
    assert "table t1, hand 1: step 1" in run("replay", file, keys="").output


@pytest.mark.timeout(120)
def test_replay_reads_single_keys_in_a_terminal(file):
    """In a pseudo-terminal, where each key counts at once, without a line's end."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "referee", "audit", "replay", str(file), "--hand", "2"]
    environment = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True)
    os.close(theirs)
    shown = b""
    try:
        for key, wanted in ((b"", b": step 1 of 32"), (b"e", b": step 32 of 32"), (b"s", b": step 1 of 32")):
            seen = len(shown)
            while wanted not in shown[seen:]:
                # A key that is pressed before the terminal is listened to is lost, so it is pressed again.
                os.write(ours, key)
                if select.select([ours], [], [], 0.2)[0]:
                    shown += os.read(ours, 4096)
        while process.poll() is None:
            with suppress(OSError):  # it has just ended
                os.write(ours, b"q")
                if select.select([ours], [], [], 0.2)[0]:
                    shown += os.read(ours, 4096)
        assert process.returncode == 0
    finally:
        process.kill()
        os.close(ours)
    assert b"n forward, b back" in shown


def test_replay_as_a_seat_or_the_public_hides_cards_and_refusals(file):
    for viewer in ("public", "2"):
        told = [
            json.loads(line) for line in run("replay", file, "--hand", 2, "--as", viewer, "--json").output.splitlines()
        ]
        dealt = [step["text"] for step in told if "is dealt" in step["text"]]
        assert [("??" in text) for text in dealt] == [viewer == "public" or "player 2" not in text for text in dealt]
    assert not [step for step in told if step["refused"] and "player 2" not in step["text"]]
    assert run("replay", file, "--as", "everybody").exit_code == 2
    assert run("replay", file, "--hand", 99).exit_code == 2
    assert run("replay", file, "--table", "t9").exit_code == 2


class _Exporting(audit_pb2_grpc.AuditServiceServicer):
    """Sends a bundle in small parts to who shows the token."""

    def __init__(self, data):
        self.data = data
        self.requests = []

    def ExportBundle(self, request, context):  # noqa: N802
        self.requests.append(request)
        if ("authorization", "Bearer secret") not in [tuple(one) for one in context.invocation_metadata()]:
            context.abort(grpc.StatusCode.PERMISSION_DENIED, "the auditor's token is needed")
        for start in range(0, len(self.data), 1000):
            yield audit_pb2.ExportBundleResponse(data=self.data[start : start + 1000])


def test_export_writes_what_the_server_sends(tmp_path, bundle):
    from concurrent.futures import ThreadPoolExecutor

    server = grpc.server(ThreadPoolExecutor(2))
    service = _Exporting(bundle_bytes(bundle))
    audit_pb2_grpc.add_AuditServiceServicer_to_server(service, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    path = tmp_path / "exported.bundle"
    words = ("export", "--target", address, "--table", "t1", "--first", 1, "--last", 3, "--as", "auditor", "-o", path)
    try:
        done = run(*words, "--token", "secret")
        assert done.exit_code == 0, done.output
        assert read_bundle(path.read_bytes()) == bundle
        (request,) = service.requests
        assert (request.table_id, request.first_hand, request.last_hand) == ("t1", 1, 3)
        assert request.view == record_pb2.BUNDLE_VIEW_AUDITOR
        done = run(*words)
        assert done.exit_code == 1
        assert "PERMISSION_DENIED: the auditor's token is needed" in done.output
        day = tmp_path / "day.bundle"
        done = run("export", "--target", address, "--day", "2026-11-30", "--token", "secret", "-o", day)
        assert done.exit_code == 0, done.output
        asked = service.requests[-1]
        assert (asked.table_id, asked.until_unix_ms - asked.from_unix_ms) == ("", 86_400_000)
        assert asked.from_unix_ms == 1_795_996_800_000
        for wrong in (("--day", "2026-11-30", "--table", "t1"), ()):
            assert run("export", "--target", address, *wrong, "-o", tmp_path / "no.bundle").exit_code == 2
        service.data = service.data[:-7]
        done = run(*words, "--token", "secret")
        assert done.exit_code == 2
        assert "digest" in done.output
        assert run(*words, "--as", "king").exit_code == 2
    finally:
        server.stop(None)
    assert TRUST.log_keys
