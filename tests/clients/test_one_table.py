"""The example bots of five languages and a practice bot at one table of the referee itself, through its crashes too."""

import json
import os
import subprocess
import sys
import time

import grpc
import pytest

from referee.client import create_table
from referee.rules.ruleset import Stakes
from referee.v1 import table_pb2, table_pb2_grpc
from tests.clients.bots import EXAMPLE_BOTS, missing
from tests.recovery.crashing import Process
from tests.support import REPOSITORY, scale

HANDS = 200
HANDS_WITH_CRASHES = scale(40, 200)
CRASHES = scale(2, 6)
SECONDS = 400

pytestmark = pytest.mark.skipif(
    bool(os.environ.get("REFEREE_CLIENTS_APART")), reason="make clients plays it, after building the bots"
)


@pytest.fixture
def server(tmp_path):
    process = Process(tmp_path / "data")
    process.start()
    yield process
    if process.process.poll() is None:
        process.kill()


def referee(*words):
    return (sys.executable, "-m", "referee", *words)


def start(*words):
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def seated(server, hands):
    """Opens a six-handed Irish table and seats the five and a practice bot; Python's sits in for who is not built."""
    table = create_table(
        server.address,
        stakes=Stakes(5, 10),
        seats=6,
        starting_stack=1000,
        reset_stacks=True,
        hands=hands,
        token=(server.folder / "host.token").read_text().strip(),
    )
    bots = {}
    for language in EXAMPLE_BOTS:
        bot = EXAMPLE_BOTS["python" if missing(language) else language]
        bots[language] = start(*bot.command, "--target", server.address, "--table", table, "--name", language)
    practice = start(*referee("bot", "sound-irish", "--table", table, "--target", server.address, "--json"))
    return table, bots, practice


def ended(bots, practice, hands):
    """What each bot printed when its table had ended."""
    lines = {}
    until = time.monotonic() + SECONDS
    try:
        for name, process in {**bots, "practice": practice}.items():
            out, said = process.communicate(timeout=max(1, until - time.monotonic()))
            assert process.returncode == 0, f"{name}: {said[-2000:]}"
            lines[name] = json.loads(out.splitlines()[-1])
    finally:
        for process in (*bots.values(), practice):
            if process.poll() is None:
                process.kill()
                process.communicate()
    for name, line in lines.items():
        told = {key: line[key] for key in ("reason", "hands", "refusals", "deals_checked", "deal_fault")}
        assert (name, told) == (
            name,
            {"reason": "TABLE_ENDED", "hands": hands, "refusals": 0, "deals_checked": hands, "deal_fault": ""},
        )
    return lines


def export(server, table, tmp_path):
    """The table's record as a bundle."""
    bundle = tmp_path / f"{table}.bundle"
    token = (server.folder / "auditor.token").read_text().strip()
    words = ("audit", "export", "--table", table, "--target", server.address, "--token", token, "-o", str(bundle))
    exported = start(*referee(*words))
    out, said = exported.communicate(timeout=120)
    assert exported.returncode == 0, out + said
    return bundle


def verify(server, bundle):
    """The verification of a bundle, offline."""
    words = referee("audit", "verify", "--keys", str(server.folder / "log.keys"), "--json", str(bundle))
    verifying = start(*words)
    out, said = verifying.communicate(timeout=300)
    return subprocess.CompletedProcess(words, verifying.returncode, out, said)


def verified(server, table, tmp_path):
    """Exports the table's record and verifies it offline."""
    done = verify(server, export(server, table, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


def say_what_is_missing():
    lacking = [why for why in map(missing, EXAMPLE_BOTS) if why]
    if lacking:
        pytest.skip(f"played, with the Python bot in place of those that are not there: {'; '.join(lacking)}")


def test_five_languages_and_a_practice_bot_play_a_table_to_its_end(server, tmp_path):
    table, bots, practice = seated(server, HANDS)
    lines = ended(bots, practice, HANDS)
    assert all(line["decisions"] >= HANDS for line in lines.values())
    verified(server, table, tmp_path)
    say_what_is_missing()


def test_all_of_them_resume_when_the_server_is_killed_in_mid_hand_and_started_again(server, tmp_path):
    table, bots, practice = seated(server, HANDS_WITH_CRASHES)
    for crash in range(CRASHES):
        until_in_hand(server, table, (crash + 1) * HANDS_WITH_CRASHES // (CRASHES + 2))
        server.kill()
        server.start()
    lines = ended(bots, practice, HANDS_WITH_CRASHES)
    assert all(lines[name]["resumed"] >= CRASHES for name in bots), lines
    verified(server, table, tmp_path)
    say_what_is_missing()


def until_in_hand(server, table, number):
    """Waits until a hand of at least this number is under way."""
    until = time.monotonic() + SECONDS
    with grpc.insecure_channel(server.address) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        while time.monotonic() < until:
            state = stub.GetTable(table_pb2.GetTableRequest(table_id=table), timeout=20).table
            assert state.status != table_pb2.TABLE_STATUS_ENDED, "the table ended before the server was killed"
            if state.hand >= number and state.status == table_pb2.TABLE_STATUS_PLAYING:
                return
            time.sleep(0.02)
    raise AssertionError(f"hand {number} was not reached")
