"""`referee table`: opens, lists, shows and closes tables of a running server."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn

import grpc
import typer
from google.protobuf.json_format import MessageToDict

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.client.connecting import Backoff, ConnectionLostError, Retry, Server
from referee.client.tables import call, close_table, create_table
from referee.rules.ruleset import Limit, RuleSetError, Stakes
from referee.v1 import hand_pb2, table_pb2

app = typer.Typer(no_args_is_help=True, help="Open, list, show and close tables of a running server.")

ANSWERS_WITHIN_TRIES: Final = 3

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")]
Target = Annotated[str, typer.Option(envvar="REFEREE_TARGET", help="The server's address, HOST:PORT.")]
TlsCa = Annotated[
    Path | None, typer.Option(envvar="REFEREE_TLS_CA", help="PEM file of the authority to trust; turns TLS on.")
]
Token = Annotated[
    str, typer.Option(envvar="REFEREE_HOST_TOKEN", help="The host's token; else that of DATA/host.token.")
]
Data = Annotated[Path, typer.Option(envvar="REFEREE_DATA", help="The server's folder, where its tokens lie.")]
LOOPBACK: Final = "127.0.0.1:50051"
FOLDER: Final = Path("referee-data")


@app.command("create")
def create(
    rule_set: Annotated[str, typer.Option(help="Name of a published rule set.")] = "irish/full-tilt@1",
    limit: Annotated[
        Literal["no-limit", "pot-limit", "fixed-limit"], typer.Option(help="How bets are limited.")
    ] = "no-limit",
    small_blind: Annotated[int, typer.Option(min=0, help="The small blind.")] = 5,
    big_blind: Annotated[int, typer.Option(min=1, help="The big blind.")] = 10,
    seats: Annotated[int, typer.Option(min=2, max=10, help="How many seats.")] = 2,
    stack: Annotated[int, typer.Option(min=1, help="The chips that a seat begins with.")] = 1_000,
    reset_stacks: Annotated[bool, typer.Option(help="Begin every hand with these stacks again.")] = False,
    hands: Annotated[int, typer.Option(min=0, help="Hands to play; 0 plays until one seat has all chips.")] = 0,
    action_ms: Annotated[int, typer.Option(min=0, help="Time for a decision, in milliseconds; 0 for no clock.")] = 0,
    bank_ms: Annotated[int, typer.Option(min=0, help="Each seat's time bank, in milliseconds.")] = 0,
    target: Target = LOOPBACK,
    token: Token = "",
    data: Data = FOLDER,
    tls_ca: TlsCa = None,
    as_json: AsJson = False,
) -> None:
    """Open a table and print its id. What else a table can be is set by the SDK, or by CreateTable itself."""
    opening = create_table(
        _server(target, tls_ca),
        rule_set=rule_set,
        limit=Limit[limit.upper().replace("-", "_")],
        stakes=Stakes(small_blind, big_blind),
        seats=seats,
        starting_stack=stack,
        reset_stacks=reset_stacks,
        hands=hands,
        action_ms=action_ms,
        bank_ms=bank_ms,
        token=_host_token(token, data),
        retry=_retry(),
    )
    table_id = _answer(opening)
    if as_json:
        print_json({"table_id": table_id})
    else:
        out.print(table_id, markup=False)


@app.command("list")
def list_tables(target: Target = LOOPBACK, tls_ca: TlsCa = None, as_json: AsJson = False) -> None:
    """List every table, ended ones too, in the order in which they were opened."""
    states = _answer(_all_tables(_server(target, tls_ca)))
    if as_json:
        print_json([_as_dict(state) for state in states])
        return
    for state in states:
        out.print(_line(state), markup=False)


@app.command("show")
def show(table: TableId, target: Target = LOOPBACK, tls_ca: TlsCa = None, as_json: AsJson = False) -> None:
    """Show how a table stands, as anybody may see it."""
    request = table_pb2.GetTableRequest(table_id=table)
    state = _answer(call(_server(target, tls_ca), "GetTable", request, retry=_retry())).table
    if as_json:
        print_json(_as_dict(state))
        return
    out.print(_line(state), markup=False)
    for seat in state.seats:
        out.print(f"  seat {seat.seat}: {seat.name}{_holdings(state, seat)}{_about(seat)}", markup=False)


@app.command("close")
def close(
    table: TableId,
    target: Target = LOOPBACK,
    token: Token = "",
    data: Data = FOLDER,
    tls_ca: TlsCa = None,
    as_json: AsJson = False,
) -> None:
    """End a table after the hand under way."""
    _answer(close_table(_server(target, tls_ca), table, token=_host_token(token, data), retry=_retry()))
    if as_json:
        print_json({"table_id": table})
    else:
        out.print(f"{table} ends after the hand under way", markup=False)


# --- reaching the server ------------------------------------------------------------------------------------


def _server(target: str, tls_ca: Path | None) -> Server:
    try:
        return Server(target, tls_ca=None if tls_ca is None else tls_ca.read_bytes())
    except OSError as unreadable:
        _fail(f"{tls_ca}: {unreadable.strerror}", Exit.UNREADABLE)


def _retry() -> Retry:
    return Retry(Backoff(tries=ANSWERS_WITHIN_TRIES))


def _host_token(token: str, data: Path) -> str:
    if token:
        return token
    path = data / "host.token"
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        _fail(
            f"no host's token: {path} cannot be read; give --token, or the server's folder by --data", Exit.UNREADABLE
        )


def _answer(asking: Coroutine[Any, Any, Any]) -> Any:
    """What the server answers; ends the command with exit code 1 where it refuses or stays out of reach."""
    try:
        return asyncio.run(asking)
    except grpc.aio.AioRpcError as refused:
        _fail(f"{refused.code().name}: {refused.details()}", Exit.DISAGREES)
    except (ConnectionLostError, RuleSetError) as failure:
        _fail(str(failure), Exit.DISAGREES)


def _fail(message: str, code: Exit) -> NoReturn:
    err.print(message, markup=False)
    raise typer.Exit(code)


async def _all_tables(server: Server) -> list[table_pb2.TableState]:
    states: list[table_pb2.TableState] = []
    request = table_pb2.ListTablesRequest()
    while True:
        page: table_pb2.ListTablesResponse = await call(server, "ListTables", request, retry=_retry())
        states += page.tables
        if not page.next_page_token:
            return states
        request.page_token = page.next_page_token


# --- telling ------------------------------------------------------------------------------------------------


def _as_dict(state: table_pb2.TableState) -> dict[str, Any]:
    return MessageToDict(state, preserving_proto_field_name=True)


def _line(state: table_pb2.TableState) -> str:
    config = state.config
    rules = config.rule_set_name or config.rule_set.name or config.kozel_rule_set.name
    if config.HasField("stakes"):
        limit = _word(hand_pb2.BettingStructure.Name(config.structure), "BETTING_STRUCTURE_")
        rules = f"{rules}, {limit}, {config.stakes.small_blind}/{config.stakes.big_blind}"
    status = _word(table_pb2.TableStatus.Name(state.status), "TABLE_STATUS_")
    hands = f"hand {state.hand}" + (f" of {config.hands}" if config.hands else "")
    return f"{state.table_id}  {status}  {rules}  {len(state.seats)} of {config.seats} seats  {hands}"


def _holdings(state: table_pb2.TableState, seat: table_pb2.SeatState) -> str:
    """What a seat has, as far as everybody may know it: chips, or points, remembered ones with a plus (KOZ-9)."""
    if state.config.private_table:
        return ""
    if state.game != "kozel":
        return f", {seat.stack} chips"
    account = seat.kozel_account
    return f", {account.score}" if account.open else f", +{account.remembered}" if account.remembered else ""


def _about(seat: table_pb2.SeatState) -> str:
    said = ("not connected", not seat.attached), ("sits out", seat.sitting_out), ("leaves", seat.leaving)
    return "".join([f", {words}" for words, is_so in said if is_so])


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower().replace("_", " ")
