"""`referee bot`: a practice bot takes a seat and plays."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import grpc
import typer

from referee.bots import ALL_BOTS, BOTS_OF, make_bot_of_any_game
from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.client import BrokenStreamError, ConnectionLostError, Played, Seat, Server, aio
from referee.client.tables import call
from referee.rules.ruleset import RuleSetError
from referee.v1 import table_pb2

_PLAYED_TO_THE_END = {
    table_pb2.StreamEndReason.Name(reason).removeprefix("STREAM_END_REASON_")
    for reason in (table_pb2.STREAM_END_REASON_TABLE_ENDED, table_pb2.STREAM_END_REASON_DETACHED)
}


def command(
    bot: Annotated[str, typer.Argument(help=f"Which bot: {', '.join(ALL_BOTS)}.", metavar="NAME")],
    table: Annotated[str, typer.Option(help="The table's id.")],
    target: Annotated[
        str, typer.Option(envvar="REFEREE_TARGET", help="The server's address, HOST:PORT.")
    ] = "127.0.0.1:50051",
    seat: Annotated[int, typer.Option(min=0, max=10, help="Which seat; 0 takes the first free one.")] = 0,
    token_file: Annotated[
        Path | None,
        typer.Option(help="File of the seat's token: read if it is there, so that the bot comes back; else written."),
    ] = None,
    name: Annotated[str, typer.Option(help="What it is called at the table; its kind if not given.")] = "",
    hands: Annotated[int, typer.Option(min=0, help="Leave after so many hands; 0 plays until the table ends.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of what the bot leaves to chance.")] = 0,
    tls_ca: Annotated[
        Path | None, typer.Option(envvar="REFEREE_TLS_CA", help="PEM file of the authority to trust; turns TLS on.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let a practice bot play at a table until it ends. Exit code 0: played to the end; 1: not."""
    if bot not in ALL_BOTS:
        raise typer.BadParameter(f"there is no bot {bot!r}; there are {', '.join(ALL_BOTS)}", param_hint="NAME")
    try:
        server = Server(target, tls_ca=None if tls_ca is None else tls_ca.read_bytes())
        played = asyncio.run(_play(server, bot, table, seat, token_file, name or bot, hands, seed))
    except OSError as unreadable:
        err.print(f"cannot read or write {unreadable.filename}: {unreadable.strerror}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    except grpc.aio.AioRpcError as refused:
        _fail(f"{refused.code().name}: {refused.details()}")
    except (ConnectionLostError, BrokenStreamError, RuleSetError) as failure:
        _fail(str(failure))
    if as_json:
        print_json(asdict(played))
    else:
        score = f"net {played.net:+d}" if played.rating is None else f"{played.points} points, rating {played.rating}"
        told = f"seat {played.seat}: {played.hands} hands, {score}, {played.refusals} refusals"
        out.print(f"{told}; {played.reason}", markup=False)
    if played.reason not in _PLAYED_TO_THE_END:
        raise typer.Exit(1)


async def _play(
    server: Server, bot: str, table_id: str, number: int, token_file: Path | None, name: str, hands: int, seed: int
) -> Played:
    table = (await call(server, "GetTable", table_pb2.GetTableRequest(table_id=table_id))).table
    if bot not in BOTS_OF[table.game]:
        _fail(f"{bot} does not play {table.game}; {', '.join(BOTS_OF[table.game])} do")
    if token_file is not None and token_file.exists():
        seat = Seat(table_id, token_file.read_text(encoding="ascii").strip(), number)
    else:
        seat = await aio.take_seat(server, table_id, name=name, seat=number)
        if token_file is not None:
            token_file.touch(mode=0o600)
            token_file.write_text(seat.seat_token + "\n", encoding="ascii")
    (played,) = await aio.play(server, make_bot_of_any_game(bot, seed), [seat], hands=hands)
    return played


def _fail(message: str) -> NoReturn:
    err.print(message, markup=False)
    raise typer.Exit(1)
