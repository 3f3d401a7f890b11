"""A bot that tries what it can reach, writes it down, and then plays: `bot_that_looks_out.py REPORT PORT ...`.

Of each port it writes whether 127.0.0.1 takes a connection there.
"""

import asyncio
import os
import socket
import sys

from referee.bots.__main__ import play_seats, seats_in


def looked(port):
    try:
        socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
    except OSError as refused:
        return f"no: {refused.strerror}"
    return "yes"


with open(sys.argv[1], "a", encoding="utf-8") as report:
    for port in sys.argv[2:]:
        print(port, looked(port), file=report)

seats, target = seats_in(os.environ["REFEREE_SEATS"]), os.environ["REFEREE_TARGET"]
asyncio.run(play_seats(target, "always-call", 1, seats, None))
