"""Runs scenarios against a client: several at once for a command, one after another for a client of somebody else's."""

import asyncio
import gc
import time
from collections.abc import Callable, Sequence
from typing import Final

from referee.conformance.client import Command, CommandError
from referee.conformance.game import Game
from referee.conformance.server import ScriptedServer
from referee.conformance.verdicts import FailedError, NotExercisedError, Outcome, Scenario, Verdict

AT_ONCE: Final = 4
"""How many scenarios are played at the same time by default."""

START_S: Final = 20.0
"""How long a client's process may take to attach its first table, in seconds."""

WAIT_S: Final = 120.0
"""How long somebody has to start a client by hand, in seconds."""

OnVerdict = Callable[[Verdict], object]
OnWaiting = Callable[[Scenario, Game], object]


async def run_command(
    command: Command, scenarios: Sequence[Scenario], at_once: int = AT_ONCE, on_verdict: OnVerdict | None = None
) -> list[Verdict]:
    """Plays each scenario with a process of its own; verdicts in the order of the scenarios.

    Raises CommandError when the client cannot be started.
    """
    room = asyncio.Semaphore(at_once)

    async def play(scenario: Scenario) -> Verdict:
        async with room:
            server = ScriptedServer(silence_ms=command.heartbeat_ms)
            try:
                await server.start()
                verdict = await _play(scenario, Game(server, command, scenario.name, START_S), scenario.seconds)
            finally:
                await server.stop()
        if on_verdict is not None:
            on_verdict(verdict)
        return verdict

    tasks = [asyncio.create_task(play(scenario)) for scenario in scenarios]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        gc.collect()  # a server of gRPC's that outlives its loop cannot be taken down any more


async def run_listening(
    address: str, scenarios: Sequence[Scenario], on_waiting: OnWaiting, on_verdict: OnVerdict | None = None
) -> list[Verdict]:
    """Plays the scenarios one after another with whoever connects; ``on_waiting`` hears which one waits for a client.

    Raises OSError when the address cannot be had.
    """
    server = ScriptedServer(address)
    verdicts = []
    try:
        await server.start()
        for scenario in scenarios:
            game = Game(server, None, scenario.name, WAIT_S)
            game.on_start = lambda scenario=scenario, game=game: on_waiting(scenario, game)
            verdict = await _play(scenario, game, WAIT_S + scenario.seconds)
            while not server.happenings.empty():
                server.happenings.get_nowait()
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
    finally:
        await server.stop()
        gc.collect()
    return verdicts


async def _play(scenario: Scenario, game: Game, within_s: float) -> Verdict:
    """One scenario, bounded in time."""
    began = time.monotonic()
    outcome, expected, seen = Outcome.PASSED, scenario.expected, "that"
    try:
        async with asyncio.timeout(within_s):
            await scenario.play(game)
    except FailedError as failed:
        outcome, expected, seen = Outcome.FAILED, failed.expected, failed.seen
    except NotExercisedError as other:
        outcome, expected, seen = Outcome.NOT_EXERCISED, other.wished, other.seen
    except TimeoutError:
        outcome, seen = Outcome.FAILED, f"not finished after {within_s:g} s"
    finally:
        await game.stop()
    return Verdict(scenario, outcome, expected, seen, time.monotonic() - began, tuple(game.exchanged))


__all__ = ["AT_ONCE", "CommandError", "run_command", "run_listening"]
