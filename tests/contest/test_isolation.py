"""Programs without network: they play, reach nobody else, and are not run where that is not to be had."""

import asyncio
import errno
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from referee.client import Server
from referee.contest.isolation import IsolationError, isolation_fault, leave_network
from referee.contest.own_server import free_port
from referee.contest.programs import Program
from referee.contest.runner import GivenServer, Runner
from referee.contest.settings import ContestFileError, parse_contest
from referee.contest.store import ContestStore
from tests.contest.contests import SEED, contest, contest_text, practice, write
from tests.contest.running import command, run, store
from tests.support import REPOSITORY

BOT = Path(__file__).with_name("bot_that_looks_out.py")
FAULT = isolation_fault()
needs_namespaces = pytest.mark.skipif(bool(FAULT), reason=FAULT)
WITHOUT_USER_NAMESPACES = (
    'unshare --user --map-root-user sh -c "echo 0 > /proc/sys/user/max_user_namespaces && exec $0"'
)


def program(report, *ports, network='network = "none"'):
    words = json.dumps([sys.executable, str(BOT), str(report), *map(str, ports)])
    return f"command = {words}\nenvironment = {{ PYTHONPATH = {json.dumps(str(REPOSITORY))} }}\n{network}"


@needs_namespaces
def test_a_program_without_network_plays_a_match_and_reaches_nobody_else(tmp_path):
    """The host's loopback has an open port, and the contest's own server; a program with network reaches both."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ports = listening.getsockname()[1], free_port("127.0.0.1")
        off, on = tmp_path / "off", tmp_path / "on"
        entrants = {"off": program(off, *ports), "on": program(on, *ports, network="")}
        write(tmp_path, contest_text(entrants, hands=10))
        values = run(tmp_path, "--port", str(ports[1]))
    assert set(on.read_text().split("\n")[:-1]) == {f"{port} yes" for port in ports}
    assert set(off.read_text().split("\n")[:-1]) == {f"{port} no: Network is unreachable" for port in ports}
    assert values["hands"] == 20
    assert values["faults"] == []
    assert not [one for one in store(tmp_path).happenings() if one.kind == "program ended"]


@needs_namespaces
def test_limits_hold_without_network_too_and_it_is_who_it_was(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import os, resource, socket\n"
        "print(resource.getrlimit(resource.RLIMIT_AS)[0] >> 20, os.getuid(), [n for _, n in socket.if_nameindex()])\n"
    )

    async def go():
        started = await Program.start(
            [sys.executable, "bot.py"], {}, tmp_path / "log", tmp_path, memory_mb=700, network="none"
        )
        code = await started.wait()
        await started.stop()
        return code

    assert asyncio.run(go()) == 0
    user = subprocess.check_output(["id", "-u"], text=True).strip()
    assert (tmp_path / "log").read_text() == f"700 {user} ['lo']\n"


def test_what_is_missing_is_said():
    with pytest.raises(IsolationError, match=r"unshare --user --net.*Operation not permitted"):
        leave_network(lambda _: errno.EPERM)
    code = "from referee.contest.isolation import leave_network; leave_network(lambda _: 0)"
    words = [sys.executable, "-c", code]  # it may change its process
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    assert "IsolationError" in done.stderr, "it looks whether it has left, whatever it was told"


@needs_namespaces
def test_where_there_are_no_namespaces_the_contest_is_refused_and_the_program_is_not_run(tmp_path):
    report = tmp_path / "report"
    write(tmp_path, contest_text({"off": program(report, 1)} | practice("always-call"), hands=10))
    script = tmp_path / "contest.sh"
    words = " ".join(command(tmp_path, "run", "--seed", SEED.hex()))
    script.write_text(f"#!/bin/sh\nexec {words}\n")
    script.chmod(0o755)
    refused = subprocess.run(
        ["sh", "-c", WITHOUT_USER_NAMESPACES.replace("$0", str(script))],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert refused.returncode == 2, refused.stdout
    assert "off: programs without network need user namespaces" in refused.stderr.replace("\n", " ")
    assert not report.exists()
    assert store(tmp_path).table_rows() == {}


@needs_namespaces
def test_a_server_elsewhere_is_reached_without_network_at_a_unix_socket_only(tmp_path):
    settings = contest({"off": program(tmp_path / "report")} | practice("always-call"))
    contest_store = ContestStore.create(tmp_path / "test", settings, SEED)
    with pytest.raises(IsolationError, match=r"off: .*Unix socket \(unix:PATH\), not 127.0.0.1:1"):
        asyncio.run(Runner(contest_store, GivenServer(Server("127.0.0.1:1"), "h", "a")).run())


def test_network_belongs_to_a_command_and_changes_no_hash_unless_it_is_there():
    with pytest.raises(ContestFileError, match=r"entrants\[1\]: folder, environment, limits and network belong"):
        parse_contest(contest_text({"ann": 'network = "none"', "bob": ""}))
    with_it = contest({"ann": 'command = ["a"]\nnetwork = "none"', "bob": ""})
    without = contest({"ann": 'command = ["a"]', "bob": ""})
    said = contest({"ann": 'command = ["a"]\nnetwork = "shared"', "bob": ""})
    assert without.sha256() == said.sha256() != with_it.sha256()
    assert b"network" not in without.canonical()
