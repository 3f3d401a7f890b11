"""A real server on loopback for the service's tests, in a process of its own.

Not in a thread: grpc.aio does not stand event loops in several threads of one process.
"""

import json
import subprocess
import sys

import grpc
import pytest

from referee.v1 import judge_pb2_grpc


class RunningServer:
    """A `referee serve` process, so that tests can use plain blocking stubs."""

    def __init__(self, *options):
        words = ["serve", "--port", "0", "--json", "--log-level", "error", *(options or ("--judge-only",))]
        self._process = subprocess.Popen([sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self._process.stdout.readline())["listening"]
        self.address = f"127.0.0.1:{self.port}"

    def stop(self):
        self._process.terminate()
        self._process.communicate(timeout=30)


@pytest.fixture(scope="session")
def server():
    running = RunningServer()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def channel(server):
    with grpc.insecure_channel(server.address, options=[("grpc.max_send_message_length", -1)]) as channel:
        yield channel


@pytest.fixture(scope="session")
def judge(channel):
    return judge_pb2_grpc.JudgeServiceStub(channel)
