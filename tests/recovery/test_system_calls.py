"""Replies follow the flush: shown by the order of the server's own system calls, since a crash cannot show it."""

import asyncio
import re
import shutil
import signal
import subprocess
import sys
import time

import grpc
import pytest

from referee.v1 import hand_pb2, table_pb2, table_pb2_grpc
from tests.recovery.crashing import Process, open_tables

CALL = re.compile(r"^(?P<pid>\d+) +(?P<name>\w+)\((?P<rest>.*)$")
RESUMED = re.compile(r"^(?P<pid>\d+) +<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)$")


def traced(text):
    """Completed system calls in the order of their completion: name and all that was traced of them."""
    unfinished = {}
    for line in text.splitlines():
        if call := CALL.match(line):
            if line.endswith("<unfinished ...>"):
                unfinished[call["pid"], call["name"]] = call["rest"]
            else:
                yield call["name"], call["rest"]
        elif (resumed := RESUMED.match(line)) and (resumed["pid"], resumed["name"]) in unfinished:
            yield resumed["name"], unfinished.pop((resumed["pid"], resumed["name"])) + resumed["rest"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed (apt-get install strace)")
def test_an_answer_leaves_only_after_what_it_did_was_written_and_flushed(tmp_path):
    trace = tmp_path / "trace"
    process = Process(tmp_path / "data")
    # -D: the tracer stands aside, so that the process we start and stop is the server itself.
    strace = ["strace", "-D", "-f", "-s", "8192", "-e", "trace=pwrite64,fdatasync,fsync,sendmsg", "-o", str(trace)]

    def start():
        words = ["serve", "--port", "0", "--data", str(process.folder), "--json", "--log-level", "error"]
        started = subprocess.Popen(
            [*strace, sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, text=True
        )
        process.port = int(re.search(r"\d+", started.stdout.readline())[0])
        return started

    async def go():
        players = await open_tables(process, 1, 2, 4)
        markers = []
        async with grpc.aio.insecure_channel(process.address) as channel:
            stub = table_pb2_grpc.TableServiceStub(channel)
            for number in range(8):
                for player in players:
                    marker = f"marker-{number}-{player.seat}"
                    watch = stub.WatchTable(
                        table_pb2.WatchTableRequest(table_id=player.table_id, seat_token=player.token)
                    )
                    message = await watch.read()
                    asked = [item.decision for item in message.items if item.HasField("decision")]
                    watch.cancel()
                    if not asked:
                        continue
                    legal = asked[0].legal
                    proposal = hand_pb2.Proposal(hand_id=asked[0].hand_id, decision_id=legal.decision_id)
                    if legal.cards_to_discard:
                        proposal.action.discard.cards.extend(legal.held_cards[: legal.cards_to_discard])
                    else:
                        getattr(proposal.action, "check" if legal.can_check else "call").SetInParent()
                    propose = table_pb2.Propose(request_id=marker, proposal=proposal)
                    answer = await stub.SubmitAction(
                        table_pb2.SubmitActionRequest(
                            table_id=player.table_id, seat_token=player.token, propose=propose
                        )
                    )
                    assert answer.answered.ruling.accepted
                    markers.append(marker)
        return markers

    started = start()
    try:
        markers = asyncio.run(asyncio.wait_for(go(), 120))
    finally:
        started.send_signal(signal.SIGTERM)
        started.wait(timeout=30)
        started.stdout.close()
    deadline = time.monotonic() + 30
    while f"{started.pid} +++ exited" not in trace.read_text(errors="replace") and time.monotonic() < deadline:
        pass  # the tracer writes its last lines
    calls = list(traced(trace.read_text(errors="replace")))
    assert len(markers) >= 5
    for marker in markers:
        written = next(at for at, (name, rest) in enumerate(calls) if name == "pwrite64" and marker in rest)
        flushed = next(at for at, (name, _) in enumerate(calls) if at > written and name in ("fdatasync", "fsync"))
        sent = next(at for at, (name, rest) in enumerate(calls) if name == "sendmsg" and marker in rest)
        assert written < flushed < sent, marker
