"""A practice bot as a program that is started for seats it was given:

    REFEREE_TARGET=HOST:PORT REFEREE_SEATS=TABLE=TOKEN,... python -m referee.bots NAME [--seed N]

Prints one line of JSON for each table when it has ended.
"""

import argparse
import asyncio
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from referee.bots import ALL_BOTS, make_bot_of_any_game
from referee.client import aio
from referee.client.connecting import Backoff, Seat, Server
from referee.client.follower import Played

TABLE_ENDED = "TABLE_ENDED"


def seats_in(text: str) -> list[Seat]:
    """Seats written as ``TABLE=TOKEN``, comma separated; raises ValueError for anything else."""
    seats = []
    for written in filter(None, text.split(",")):
        table, equals, token = written.partition("=")
        if not (table and equals and token):
            raise ValueError(f"{written!r} is no seat; expected TABLE=TOKEN")
        seats.append(Seat(table, token))
    return seats


async def play_seats(target: str, name: str, seed: int, seats: list[Seat], tls_ca: bytes | None) -> list[Played]:
    """Plays all seats over one stream until their tables have ended."""
    backoff = Backoff(most_s=1.0, tries=600)
    server = Server(target, tls_ca=tls_ca)
    return await aio.play(
        server, make_bot_of_any_game(name, seed), seats, max_open_decisions=len(seats), backoff=backoff
    )


def main() -> int:
    """Plays; 0 when every table ended."""
    parser = argparse.ArgumentParser(description="A practice bot for seats it was given.")
    parser.add_argument("name", choices=list(ALL_BOTS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", default=os.environ.get("REFEREE_TARGET", "127.0.0.1:50051"))
    options = parser.parse_args()
    authority = os.environ.get("REFEREE_TLS_CA", "")
    tls_ca = Path(authority).read_bytes() if authority else None
    seats = seats_in(os.environ.get("REFEREE_SEATS", ""))
    played = asyncio.run(play_seats(options.target, options.name, options.seed, seats, tls_ca))
    for one in played:
        print(json.dumps(asdict(one)), flush=True)
    return 0 if all([one.reason == TABLE_ENDED for one in played]) else 1


if __name__ == "__main__":
    sys.exit(main())
