"""A real server on loopback for the service's tests, in a thread of its own."""

import asyncio
import threading

import grpc
import pytest

from referee.service.server import Server
from referee.v1 import judge_pb2_grpc


class RunningServer:
    """A server and its event loop in a thread, so that tests can use plain blocking stubs."""

    def __init__(self, **options):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.server = self.run(self._started(options))
        self.address = f"127.0.0.1:{self.server.port}"

    @staticmethod
    async def _started(options):
        made = {name: value() if callable(value) else value for name, value in options.items()}
        server = Server(**made)
        await server.start()
        return server

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=30)

    def stop(self):
        self.run(self.server.drain(1))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)


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
