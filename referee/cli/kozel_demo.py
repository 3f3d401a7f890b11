"""`referee demo --game kozel`: practice bots play games of Kozel at live tables over gRPC on loopback."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any, Final

import grpc
import typer
from rich.table import Table as Grid

from referee.bots import make_kozel_bot
from referee.cli.output import Exit, out, print_json, progress
from referee.client import Played, aio
from referee.service.server import Server, Store, open_store
from referee.table.timing import SystemTime
from referee.v1 import kozel_pb2, kozel_pb2_grpc, table_pb2, table_pb2_grpc

BOTS: Final = ("tile-counter", "heaviest-first", "random-legal")
GAMES: Final = 3


def run(as_json: bool) -> None:
    """Plays some games and judges every round again from its record."""
    played = asyncio.run(_demo(show_progress=not as_json))
    if as_json:
        print_json({"games": played})
    else:
        _print(played)
    if not all([game["agree"] for game in played]):
        raise typer.Exit(Exit.DISAGREES)


async def _demo(show_progress: bool) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder), SystemTime())
        server = Server(store=store)
        await server.start()
        try:
            with progress("three bots play Kozel", GAMES, show_progress) as step:
                games = []
                for number in range(GAMES):
                    games.append(await _game(f"127.0.0.1:{server.port}", store, number))
                    step()
                return games
        finally:
            await server.drain(1)


async def _game(address: str, store: Store, number: int) -> dict[str, Any]:
    """A game to its end between bots that change seats from game to game."""
    shift = number % len(BOTS)
    names = [*BOTS[shift:], *BOTS[:shift]]
    table_id = await aio.create_kozel_table(
        address, rule_set="kozel/on-one@1", seats=len(names), action_ms=10_000, token=store.access.host_token
    )
    seats = [await aio.take_seat(address, table_id, name=name) for name in names]
    playing = [aio.play(address, make_kozel_bot(name, number), [seat]) for name, seat in zip(names, seats, strict=True)]
    played: list[Played] = [one for (one,) in await asyncio.gather(*playing)]
    texts, agree = await _rounds(address, store, table_id, played[0].hands)
    return {
        "bots": names,
        "rounds": len(texts),
        "scores": [one.points for one in played],
        "ratings": [one.rating for one in played],
        "refusals": sum([one.refusals for one in played]),
        "deals_checked": min([one.deals_checked for one in played]),
        "agree": agree and not any([one.deal_fault for one in played]),
        "last_round": texts[-1],
    }


async def _rounds(address: str, store: Store, table_id: str, rounds: int) -> tuple[list[str], bool]:
    """The written record of every round, and whether each agrees when it is judged again."""
    auditor = (("authorization", f"Bearer {store.access.auditor_token}"),)
    texts = []
    agree = True
    async with grpc.aio.insecure_channel(address) as channel:
        tables = table_pb2_grpc.TableServiceStub(channel)
        judge = kozel_pb2_grpc.KozelJudgeServiceStub(channel)
        for number in range(1, rounds + 1):
            request = table_pb2.GetHandRecordRequest(table_id=table_id, hand=number)
            record = await tables.GetHandRecord(request, metadata=auditor)
            judged = await judge.JudgeKozelRound(kozel_pb2.JudgeKozelRoundRequest(text=record.kozel_round))
            agree = agree and judged.judgement.agrees
            texts.append(record.kozel_round)
    return texts, agree


def _print(played: list[dict[str, Any]]) -> None:
    grid = Grid(
        "game", "rounds", "seat 1", "seat 2", "seat 3", title="three practice bots, Kozel to 101: points (rating)"
    )
    for number, game in enumerate(played, 1):
        told = zip(game["bots"], game["scores"], game["ratings"], strict=True)
        cells = [f"{name} {score} ({rating})" for name, score, rating in told]
        grid.add_row(str(number), str(game["rounds"]), *cells)
    out.print(grid)
    verdict = "agree" if all([game["agree"] for game in played]) else "DISAGREE"
    out.print(
        f"every round was judged again from its record, its tiles checked by every seat from the seeds: all {verdict}\n"
    )
    out.print("[bold]the last round, as it is written[/]")
    out.print(played[-1]["last_round"], markup=False)
