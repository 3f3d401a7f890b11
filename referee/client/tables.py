"""Calls about tables: open and close one, take a seat and leave it. Asynchronous; ``referee.client`` has plain ones.

Each carries a request id of its own and is sent again under it while the server is out of reach, so that nothing is
done twice. What the server will not do raises the gRPC error of the call.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_bytes
from typing import Any, Final
from uuid import uuid4

import grpc

from referee.client.connecting import Retry, Seat, Server, bearing, may_be_tried_again, server_at
from referee.dealing.seeds import SEED_BYTES, commit_seat
from referee.kozel.ruleset import RuleSet as KozelRuleSet
from referee.record import kozel_wire, wire
from referee.rules.ruleset import Limit, RuleSet, RuleSetError, Stakes
from referee.table.faults import FaultRules
from referee.v1 import table_pb2, table_pb2_grpc

CALL_S: Final = 30.0
"""How long one call may take, in seconds."""


async def create_table(
    target: str | Server,
    *,
    rule_set: RuleSet | str = "irish/full-tilt@1",
    limit: Limit = Limit.NO_LIMIT,
    stakes: Stakes,
    seats: int,
    starting_stack: int,
    reset_stacks: bool = False,
    hands: int = 0,
    players_to_start: int = 0,
    action_ms: int = 0,
    bank_ms: int = 0,
    increment_ms: int = 0,
    latency_allowance_ms: int = 0,
    reconnect_grace_ms: int = 0,
    between_hands_ms: int = 0,
    seed: bytes = b"",
    match_name: str = "",
    reveal_ms: int = 0,
    decks: str = "",
    top_up_to: int = 0,
    faults: FaultRules | None = None,
    token: str = "",
    retry: Retry | None = None,
) -> str:
    """Opens a table and returns its id; ``token`` is the host's. Arguments are those of ``TableConfig``.

    Raises RuleSetError when the rules do not allow such a table.
    """
    config = table_pb2.TableConfig(
        structure=limit,  # type: ignore[arg-type]
        stakes=wire.stakes_message(stakes),
        seats=seats,
        starting_stack=starting_stack,
        reset_stacks=reset_stacks,
        hands=hands,
        players_to_start=players_to_start,
        clock=table_pb2.ClockRules(
            action_ms=action_ms,
            bank_ms=bank_ms,
            increment_ms=increment_ms,
            latency_allowance_ms=latency_allowance_ms,
            reconnect_grace_ms=reconnect_grace_ms,
        ),
        between_hands_ms=between_hands_ms,
        seed=seed,
        match_name=match_name,
        reveal_ms=reveal_ms,
        decks=decks,
        top_up_to=top_up_to,
    )
    if isinstance(rule_set, str):
        config.rule_set_name = rule_set
    else:
        wire.write_rules(config, rule_set)
    return await _create(target, config, faults, token, retry)


async def create_kozel_table(
    target: str | Server,
    *,
    rule_set: KozelRuleSet | str = "kozel/on-all@1",
    seats: int,
    hands: int = 0,
    action_ms: int = 0,
    bank_ms: int = 0,
    increment_ms: int = 0,
    latency_allowance_ms: int = 0,
    reconnect_grace_ms: int = 0,
    between_hands_ms: int = 0,
    seed: bytes = b"",
    match_name: str = "",
    reveal_ms: int = 0,
    decks: str = "",
    faults: FaultRules | None = None,
    token: str = "",
    retry: Retry | None = None,
) -> str:
    """Opens a table for one game of Kozel, of ``hands`` rounds at most, and returns its id; ``token`` is the host's.

    Arguments are those of ``TableConfig``. Raises RuleSetError when the rules do not allow such a table.
    """
    config = table_pb2.TableConfig(
        seats=seats,
        hands=hands,
        clock=table_pb2.ClockRules(
            action_ms=action_ms,
            bank_ms=bank_ms,
            increment_ms=increment_ms,
            latency_allowance_ms=latency_allowance_ms,
            reconnect_grace_ms=reconnect_grace_ms,
        ),
        between_hands_ms=between_hands_ms,
        seed=seed,
        match_name=match_name,
        reveal_ms=reveal_ms,
        decks=decks,
    )
    if isinstance(rule_set, str):
        config.rule_set_name = rule_set
    else:
        config.kozel_rule_set.CopyFrom(kozel_wire.rule_set_message(rule_set))
    return await _create(target, config, faults, token, retry)


async def _create(
    target: str | Server, config: table_pb2.TableConfig, faults: FaultRules | None, token: str, retry: Retry | None
) -> str:
    if faults is not None:
        config.faults.max_faults = faults.max_faults
        config.faults.sit_out_wait_ms = faults.sit_out_wait_ms
        config.faults.policy = faults.policy  # type: ignore[assignment]
    request = table_pb2.CreateTableRequest(request_id=_request_id(), config=config)
    response: table_pb2.CreateTableResponse = await call(target, "CreateTable", request, token, retry)
    if response.WhichOneof("outcome") == "refused":
        raise RuleSetError(response.refused.rule, response.refused.message)
    return response.table_id


async def close_table(target: str | Server, table_id: str, *, token: str = "", retry: Retry | None = None) -> None:
    """Ends a table after the hand under way; ``token`` is the host's."""
    request = table_pb2.CloseTableRequest(request_id=_request_id(), table_id=table_id)
    await call(target, "CloseTable", request, token, retry)


async def take_seat(
    target: str | Server,
    table_id: str,
    *,
    name: str,
    seat: int = 0,
    show_when_beaten: bool = False,
    seed: bytes | None = None,
    posts: bool = False,
    retry: Retry | None = None,
) -> Seat:
    """Takes a seat, the first free one for ``seat`` 0. Its token is told this once; keep it to come back.

    Before the first hand the seat also commits to a ``seed`` of 32 bytes (referee-deal/1), by default one drawn here,
    so that nobody else can have chosen the cards; an empty one commits to none. Playing reveals it in time. Later the
    seat waits for the big blind, unless it ``posts``: then it comes in as soon as it may (SEAT-2).
    """
    state: table_pb2.GetTableResponse = await call(
        target, "GetTable", table_pb2.GetTableRequest(table_id=table_id), "", retry
    )
    own_seed = token_bytes(SEED_BYTES) if seed is None else seed
    commits = bool(own_seed) and state.table.hand == 0
    request = table_pb2.TakeSeatRequest(
        request_id=_request_id(),
        table_id=table_id,
        seat=seat,
        name=name,
        show_when_beaten=show_when_beaten,
        commits_seed=commits,
        posts=posts,
    )
    response: table_pb2.TakeSeatResponse = await call(target, "TakeSeat", request, "", retry)
    taken = Seat(table_id, response.seat_token, response.seat, state.table.hand, own_seed if commits else b"")
    if commits:
        made = commit_seat(state.table.match_name, response.seat, own_seed, state.table.deal_commitment)
        return await _commit(target, taken, made, retry)
    return taken


async def _commit(target: str | Server, seat: Seat, commitment: bytes, retry: Retry | None) -> Seat:
    """Commits a seat to its seed; the seat without a seed when it is too late for that."""
    request = table_pb2.CommitSeedRequest(table_id=seat.table_id, seat_token=seat.seat_token, commitment=commitment)
    with suppress_refusal():
        await call(target, "CommitSeed", request, "", retry)
        return seat
    return seat._replace(seed=b"")


async def reveal_seed(server: Server, seat: tuple[str, str], seed: bytes, retry: Retry) -> None:
    """Reveals a seat's seed; nothing happens when the table does not wait for it any more."""
    request = table_pb2.RevealSeedRequest(table_id=seat[0], seat_token=seat[1], seed=seed)
    with suppress_refusal():
        await call(server, "RevealSeed", request, "", retry)


async def leave_seat(target: str | Server, seat: Seat | tuple[str, str], *, retry: Retry | None = None) -> None:
    """Leaves a seat after the hand under way; until then its decisions are answered as if out of time."""
    request = table_pb2.LeaveSeatRequest(request_id=_request_id(), table_id=seat[0], seat_token=seat[1])
    await call(target, "LeaveSeat", request, "", retry)


async def sit_out(target: str | Server, seat: Seat | tuple[str, str], *, retry: Retry | None = None) -> None:
    """Keeps the seat and is dealt in no more, from the next hand on; blinds that pass it are owed (SEAT-3, SEAT-5)."""
    request = table_pb2.SitOutRequest(request_id=_request_id(), table_id=seat[0], seat_token=seat[1])
    await call(target, "SitOut", request, "", retry)


async def sit_in(
    target: str | Server, seat: Seat | tuple[str, str], *, posts: bool = False, retry: Retry | None = None
) -> None:
    """Plays again. Where the seat owes blinds or is new it waits for the big blind, or ``posts`` as soon as it may."""
    request = table_pb2.SitInRequest(request_id=_request_id(), table_id=seat[0], seat_token=seat[1], posts=posts)
    await call(target, "SitIn", request, "", retry)


async def top_up(target: str | Server, seat: Seat | tuple[str, str], to: int, *, retry: Retry | None = None) -> None:
    """Has the stack filled up ``to`` so many chips before the next hand, if it then has fewer; 0 takes that back."""
    request = table_pb2.TopUpRequest(request_id=_request_id(), table_id=seat[0], seat_token=seat[1], to=to)
    await call(target, "TopUp", request, "", retry)


async def leave_if_seated(server: Server, seat: tuple[str, str], retry: Retry) -> None:
    """Leaves a seat unless it or its table is gone already, such as by a first attempt whose answer was lost."""
    with suppress_refusal():
        await leave_seat(server, seat, retry=retry)


@contextmanager
def suppress_refusal() -> Iterator[None]:
    """Passes over that a table does not allow a call any more, or does not know the seat any more."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        if error.code() not in (grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.PERMISSION_DENIED):
            raise


def _request_id() -> str:
    return uuid4().hex


async def call(target: str | Server, method: str, request: Any, token: str = "", retry: Retry | None = None) -> Any:
    """Makes one unary call of TableService, again and again while the server is out of reach."""
    server = server_at(target)
    retry = retry or Retry()
    while True:
        async with server.channel() as channel:
            stub: Any = table_pb2_grpc.TableServiceStub(channel)
            try:
                return await getattr(stub, method)(request, timeout=CALL_S, metadata=bearing(token))
            except grpc.aio.AioRpcError as error:
                if not may_be_tried_again(error):
                    raise
                lost = error
        await retry.wait(lost)
