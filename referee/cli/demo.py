"""`referee demo`: a server on loopback judges bundled hands over gRPC, and one of them is told with its rules."""

import asyncio
from importlib.resources import files
from typing import Any

import grpc
import typer
from google.protobuf.json_format import MessageToDict

from referee.cli.explain import print_told
from referee.cli.output import AsJson, Exit, out, print_json, progress
from referee.record import wire
from referee.record.telling import tell
from referee.service.server import Server
from referee.v1 import judge_pb2, judge_pb2_grpc

DISPUTED = "disputed"


def command(as_json: AsJson = False) -> None:
    """Start a server on loopback, let it judge bundled Irish hands over gRPC, and tell one street by street."""
    answers = asyncio.run(_judge_bundled(show_progress=not as_json))
    if as_json:
        print_json({name: MessageToDict(answer.judgement) for name, answer in answers.items()})
    else:
        _print(answers)
    as_expected = all(answer.judgement.agrees == (DISPUTED not in name) for name, answer in answers.items())
    if not as_expected:
        raise typer.Exit(Exit.DISAGREES)


def bundled() -> dict[str, str]:
    """The bundled hands by name, in order."""
    folder = files("referee") / "demo"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".phh"))
    return {name.removesuffix(".phh"): (folder / name).read_text(encoding="utf-8") for name in names}


async def _judge_bundled(show_progress: bool) -> dict[str, judge_pb2.JudgeHandResponse]:
    server = Server()
    await server.start()
    answers: dict[str, judge_pb2.JudgeHandResponse] = {}
    hands = bundled()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            judge = judge_pb2_grpc.JudgeServiceStub(channel)
            with progress("judging over gRPC", len(hands), show_progress) as step:
                for name, text in hands.items():
                    request = judge_pb2.JudgeHandRequest(notated=judge_pb2.NotatedHand(text=text))
                    answers[name] = await judge.JudgeHand(request, timeout=20)
                    step()
    finally:
        await server.drain(1)
    return answers


def _print(answers: dict[str, judge_pb2.JudgeHandResponse]) -> None:
    first, *_ = answers
    out.print(f"[bold]{first}, street by street[/]")
    judgement = answers[first].judgement
    events: list[Any] = [*judgement.opening_events]
    for judged in judgement.rulings:
        events.extend(judged.ruling.events)
    print_told(list(tell([wire.event_of(event) for event in events], {})))
    out.print("\n[bold]settlement statement[/]")
    for line in judgement.settlement.lines:
        out.print(f"  {line.rule:8} {line.text}", markup=False)
    out.print("\n[bold]judged over gRPC[/]")
    for name, answer in answers.items():
        verdict = "agrees" if answer.judgement.agrees else "disagrees"
        stacks = ", ".join(f"seat {one.seat} {one.stack_after}" for one in answer.judgement.settlement.players)
        out.print(f"  {name}: {verdict} ({answer.judgement.rule_set_name}); right stacks: {stacks}", markup=False)
        for finding in answer.judgement.findings:
            if finding.kind == judge_pb2.FINDING_KIND_DISAGREES:
                told = f"    line {finding.line}: {finding.rule}: {finding.message}"
                out.print(f"{told}; recorded: {finding.recorded}; right: {finding.right}", markup=False)
