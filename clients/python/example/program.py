"""The example bot as a program: its command line, its line of JSON for each table, its exit code."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import grpc

from referee.client import (
    Backoff,
    Bot,
    BrokenStreamError,
    ConnectionLostError,
    Decision,
    KozelBot,
    KozelDecision,
    Played,
    Seat,
    Server,
    aio,
)
from referee.rules.ruleset import RuleSetError

from . import kozel
from .strategy import conformance, plain

BOTS: dict[str, Bot] = {"plain": plain, "conformance": conformance}
KOZEL_BOTS: dict[str, KozelBot] = {"plain": kozel.plain, "conformance": kozel.conformance}
LONGEST_WAIT_S = 5.0


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, completed from the environment."""
    parser = argparse.ArgumentParser(description="An example bot: plays seats of the referee's tables until they end.")
    parser.add_argument("--target", default=os.environ.get("REFEREE_TARGET", "127.0.0.1:50051"), metavar="HOST:PORT")
    parser.add_argument("--seat", action="append", default=[], metavar="TABLE=TOKEN", help="a seat that was taken")
    parser.add_argument("--table", default="", metavar="ID", help="take the first free seat of this table")
    parser.add_argument("--name", default="python", help="what it is called at a table where it takes a seat")
    parser.add_argument("--bot", choices=sorted(BOTS), default="plain")
    parser.add_argument("--hands", type=int, default=0, help="leave after so many hands; 0 plays to the end")
    parser.add_argument("--max-open", type=int, default=1, help="how many tables may ask at once")
    parser.add_argument("--tls-ca", type=Path, metavar="FILE", help="PEM of the authority to trust; turns TLS on")
    parser.add_argument("--heartbeat-ms", type=int, default=30_000, help="reconnect after so long a silence")
    parser.add_argument("--backoff-ms", type=int, default=200, help="the first wait before reconnecting")
    asked = parser.parse_args(words)
    if not asked.seat and not asked.table:
        asked.seat = [seat for seat in os.environ.get("REFEREE_SEATS", "").split(",") if seat]
    if any([not token for _, token in map(split_seat, asked.seat)]):
        parser.error("a seat is written TABLE=TOKEN")
    if not asked.seat and not asked.table:
        parser.error("no seat to play: give --seat, --table or REFEREE_SEATS")
    return asked


def split_seat(text: str) -> tuple[str, str]:
    """Table and token of ``TABLE=TOKEN``."""
    table, _, token = text.partition("=")
    return table, token


def bot_of(name: str) -> Callable[[Decision | KozelDecision], Any]:
    """The bot of this name, whatever game it is asked about."""
    return lambda decision: BOTS[name](decision) if isinstance(decision, Decision) else KOZEL_BOTS[name](decision)


async def play(asked: argparse.Namespace, bot: Callable[[Decision | KozelDecision], Any]) -> list[Played]:
    """Plays what the command line asks for."""
    server = Server(asked.target, tls_ca=None if asked.tls_ca is None else asked.tls_ca.read_bytes())
    seats: list[Seat | tuple[str, str]] = [split_seat(text) for text in asked.seat]
    if asked.table:
        seats.append(await aio.take_seat(server, asked.table, name=asked.name))
    return await aio.play(
        server,
        bot,
        seats,
        hands=asked.hands,
        max_open_decisions=asked.max_open,
        backoff=Backoff(first_s=asked.backoff_ms / 1000, most_s=LONGEST_WAIT_S),
        silence_s=asked.heartbeat_ms / 1000,
    )


def line_of(played: Played) -> str:
    """What is printed of one table."""
    names = ["reason", "hands", "decisions", "refusals", "resumed", "deals_checked", "deal_fault"]
    if played.rating is not None:  # of a game of Kozel that is over
        names += ["points", "rating"]
    return json.dumps({"table": played.table_id} | {name: getattr(played, name) for name in names})


def main(words: Sequence[str] | None = None) -> int:
    """Runs the program; 0 when every table was played to its end, or for as many hands as were asked for."""
    asked = arguments(words)
    try:
        results = asyncio.run(play(asked, bot_of(asked.bot)))
    except (OSError, grpc.aio.AioRpcError, ConnectionLostError, BrokenStreamError, RuleSetError) as failure:
        print(failure, file=sys.stderr)
        return 1
    for played in results:
        print(line_of(played), flush=True)
    finished = {"TABLE_ENDED"} | ({"DETACHED"} if asked.hands else set())
    return 0 if all([played.reason in finished for played in results]) else 1
