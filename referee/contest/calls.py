"""The runner's calls to the server: one channel, every call repeated under its own request id until it is answered."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc

from referee.client.connecting import Server, bearing, may_be_tried_again
from referee.contest.deals import button_seed, match_name
from referee.contest.schedule import TablePlan
from referee.contest.settings import ContestSettings, GameSettings
from referee.dealing.seeds import commit_seat
from referee.record import wire
from referee.table.start import start_message
from referee.v1 import audit_pb2, audit_pb2_grpc, table_pb2, table_pb2_grpc

CALL_S: Final = 30.0
_FAULT_POLICIES: Final = {
    "forfeit-hand": table_pb2.FAULT_POLICY_FORFEIT_HAND,
    "forfeit-match": table_pb2.FAULT_POLICY_FORFEIT_MATCH,
}
AGAIN_S: Final = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""How long to wait before a call is made again: the server may be starting anew."""


class CallError(Exception):
    """The server will not do what the contest needs; the message says why."""


class Host:
    """A server that plays the contest's tables, as its host and auditor."""

    def __init__(self, server: Server, host_token: str, auditor_token: str) -> None:
        self._server = server
        self._host = bearing(host_token)
        self._auditor = bearing(auditor_token)
        self._channel: Any = None

    async def reached(self) -> None:
        """Returns when the server takes connections; raises CallError when it does not."""
        self._channel = self._channel or self._server.channel()
        try:
            async with asyncio.timeout(CALL_S):
                await self._channel.channel_ready()
        except TimeoutError:
            raise CallError(f"{self._server.target} cannot be reached") from None

    async def close(self) -> None:
        """Closes the channel."""
        if self._channel is not None:
            await self._channel.close()

    def _stub(self, of: Callable[[Any], Any]) -> Any:
        if self._channel is None:
            self._channel = self._server.channel()
        return of(self._channel)

    async def _again(self, call: Callable[[], Awaitable[Any]]) -> Any:
        failures = 0
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                if not may_be_tried_again(error):
                    raise
            await asyncio.sleep(AGAIN_S[min(failures, len(AGAIN_S) - 1)])
            failures += 1

    async def _table(self, method: str, request: Any, metadata: Any = ()) -> Any:
        stub = self._stub(table_pb2_grpc.TableServiceStub)
        try:
            return await self._again(lambda: getattr(stub, method)(request, timeout=CALL_S, metadata=metadata))
        except grpc.aio.AioRpcError as error:
            raise CallError(f"{method}: {error.code().name}: {error.details()}") from error

    # --- tables -----------------------------------------------------------------------------------------

    async def open_table(
        self, settings: ContestSettings, plan: TablePlan, seed: bytes, decks: str, request_id: str
    ) -> str:
        """Opens a table and returns its id; the same request id gives the same table."""
        game, clock = settings.game, settings.clock
        config = table_pb2.TableConfig(
            seats=game.seats,
            clock=table_pb2.ClockRules(
                action_ms=clock.action_ms,
                bank_ms=clock.bank_ms,
                increment_ms=clock.increment_ms,
                latency_allowance_ms=clock.latency_allowance_ms,
                reconnect_grace_ms=clock.reconnect_grace_ms,
            ),
            seed=button_seed(settings.name, seed, plan),
            match_name=match_name(settings.name, plan),
            reveal_ms=clock.ready_ms,
            decks=decks,
            private_table=True,
        )
        if settings.faults.policy != "nothing":
            config.faults.max_faults = settings.faults.max_faults
            config.faults.policy = _FAULT_POLICIES[settings.faults.policy]
        if game.is_kozel:
            config.rule_set_name = game.kozel_rules().full_name
        else:
            _write_poker(config, game, plan)
        request = table_pb2.CreateTableRequest(request_id=request_id, config=config)
        response = await self._table("CreateTable", request, self._host)
        if response.WhichOneof("outcome") == "refused":
            raise CallError(
                f"the server refuses table {plan.name}: {response.refused.rule}: {response.refused.message}"
            )
        return str(response.table_id)

    async def take_seat(self, table_id: str, seat: int, name: str, request_id: str) -> str:
        """Takes a seat for an entrant and returns its token; the table waits for the seat's seed before it deals."""
        request = table_pb2.TakeSeatRequest(
            request_id=request_id, table_id=table_id, seat=seat, name=name, commits_seed=True
        )
        return str((await self._table("TakeSeat", request, self._host)).seat_token)

    async def state(self, table_id: str) -> table_pb2.TableState:
        """How a table stands."""
        answered: table_pb2.GetTableResponse = await self._table(
            "GetTable", table_pb2.GetTableRequest(table_id=table_id)
        )
        return answered.table

    async def release(
        self, settings: ContestSettings, plan: TablePlan, seed: bytes, table_id: str, tokens: dict[int, str]
    ) -> None:
        """Lets a table begin: gives for each seat the seed that it waits for. Repeating it changes nothing.

        ``tokens`` are those of the seats.
        """
        state = await self.state(table_id)
        if state.hand or state.status == table_pb2.TABLE_STATUS_ENDED:
            return
        seeds = {seat: button_seed(settings.name, seed, plan, seat) for seat in tokens}
        for seat, token in tokens.items():
            made = commit_seat(state.match_name, seat, seeds[seat], state.deal_commitment)
            commit = table_pb2.CommitSeedRequest(table_id=table_id, seat_token=token, commitment=made)
            await self._unless_begun("CommitSeed", commit)
        for seat, token in tokens.items():
            reveal = table_pb2.RevealSeedRequest(table_id=table_id, seat_token=token, seed=seeds[seat])
            await self._unless_begun("RevealSeed", reveal)

    async def _unless_begun(self, method: str, request: Any) -> None:
        stub = self._stub(table_pb2_grpc.TableServiceStub)
        try:
            await self._again(lambda: getattr(stub, method)(request, timeout=CALL_S, metadata=self._host))
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.FAILED_PRECONDITION:
                raise CallError(f"{method}: {error.code().name}: {error.details()}") from error

    async def close_table(self, table_id: str, request_id: str) -> None:
        """Ends a table after the hand under way."""
        request = table_pb2.CloseTableRequest(request_id=request_id, table_id=table_id)
        await self._table("CloseTable", request, self._host)

    async def bundle(self, table_id: str) -> bytes:
        """The sealed record of a table, every card included, as a bundle file."""
        stub = self._stub(audit_pb2_grpc.AuditServiceStub)
        request = audit_pb2.ExportBundleRequest(table_id=table_id)

        async def read() -> bytes:
            return b"".join([part.data async for part in stub.ExportBundle(request, metadata=self._auditor)])

        try:
            whole: bytes = await self._again(read)
        except grpc.aio.AioRpcError as error:
            raise CallError(f"ExportBundle: {error.code().name}: {error.details()}") from error
        return whole


def _write_poker(config: table_pb2.TableConfig, game: GameSettings, plan: TablePlan) -> None:
    """What only a table of poker is told."""
    config.structure = game.limit  # type: ignore[assignment]
    config.stakes.CopyFrom(wire.stakes_message(game.stakes() if plan.sitting is None else plan.sitting.stakes))
    config.starting_stack = game.stack
    config.reset_stacks = game.reset_stacks and plan.sitting is None
    config.hands = plan.hands
    if plan.sitting is not None:
        config.start.CopyFrom(start_message(plan.sitting.start))
        config.hands_until_unix_ms = plan.sitting.until_unix_ms
    wire.write_rules(config, game.rules())
