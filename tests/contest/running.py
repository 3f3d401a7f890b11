"""Contests that run as processes, for tests: started, watched, killed."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from referee.contest.store import ContestStore, ContestStoreError
from tests.contest.contests import SEED

BOT = Path(__file__).with_name("a_bot.py")


def command(folder, *words):
    return [sys.executable, "-m", "referee", "contest", *words[:1], str(folder / "test.toml"), *words[1:]]


def start(folder, *words, **options):
    """Starts `referee contest run` in a folder that has a test.toml."""
    log = (folder / "run.log").open("ab")
    words = ("run", "--seed", SEED.hex(), "--json", *words)
    return subprocess.Popen(command(folder, *words), stdout=log, stderr=log, **options)


def run(folder, *words, expect=0):
    """Runs a contest to its end and returns its results."""
    process = start(folder, *words)
    assert process.wait(timeout=300) == expect, (folder / "run.log").read_text()
    return results(folder)


def results(folder):
    return json.loads((folder / "test" / "results" / "results.json").read_text())


def results_bytes(folder):
    return (folder / "test" / "results" / "results.json").read_bytes()


def told(folder, *words):
    """What a command of `referee contest` says: exit code, output, errors."""
    done = subprocess.run(command(folder, *words), capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def store(folder):
    return ContestStore(folder / "test")


def until(condition, seconds=120):
    """Waits until a condition holds, looking again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = condition()
        except (ContestStoreError, FileNotFoundError):
            found = None
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come about in time")


def processes(words):
    """Process ids of this test's processes whose command line has all of these words."""
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                line = (one / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if all(word in line for word in words) and int(one.name) != os.getpid():
                found.append(int(one.name))
    return found


def kill(pid):
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
