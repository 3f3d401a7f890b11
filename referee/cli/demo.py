"""`referee demo`: practice bots play Irish over gRPC on loopback; bundled hands are judged, one of them disputed."""

import asyncio
import tempfile
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from google.protobuf.json_format import MessageToDict
from rich.table import Table as Grid

from referee.bots import make_bot
from referee.cli import kozel_demo
from referee.cli.explain import print_told
from referee.cli.output import AsJson, Exit, out, print_json, progress
from referee.client import Played, aio
from referee.client.hand_view import HandView
from referee.record import wire
from referee.record.telling import tell
from referee.rules.ruleset import Stakes
from referee.service.logs import configure
from referee.service.server import Server, Store, open_store
from referee.table.timing import SystemTime
from referee.v1 import judge_pb2, judge_pb2_grpc, table_pb2, table_pb2_grpc

DISPUTED = "disputed"
BOTS = ("sound-irish", "random-legal", "always-call", "sound-irish", "always-fold", "all-in")
STARTING_STACK = 200


class Game(Enum):
    """The games of the demo."""

    IRISH = "irish"
    KOZEL = "kozel"


@dataclass
class _Session:
    """What was played: who sat where, what it came to, and one hand whole."""

    names: dict[int, str]
    played: list[Played]
    hand: table_pb2.GetHandRecordResponse
    hand_agrees: bool


def command(
    hands: Annotated[int, typer.Option(min=1, max=10_000, help="Hands that the bots play.")] = 60,
    game: Annotated[Game, typer.Option(help="Which game the bots play.")] = Game.IRISH,
    as_json: AsJson = False,
) -> None:
    """Start a server on loopback, let practice bots play over gRPC, and judge bundled hands, or the rounds of Kozel."""
    configure(as_json=as_json, level="error")
    if game is Game.KOZEL:
        kozel_demo.run(as_json)
        return
    session, judged = asyncio.run(_demo(hands, show_progress=not as_json))
    if as_json:
        print_json(_as_dict(session, judged))
    else:
        _print_played(session)
        _print_judged(judged)
    as_expected = all(answer.judgement.agrees == (DISPUTED not in name) for name, answer in judged.items())
    if not (as_expected and session.hand_agrees):
        raise typer.Exit(Exit.DISAGREES)


def bundled() -> dict[str, str]:
    """The bundled hands by name, in order."""
    folder = files("referee") / "demo"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".phh"))
    return {name.removesuffix(".phh"): (folder / name).read_text(encoding="utf-8") for name in names}


async def _demo(hands: int, show_progress: bool) -> tuple[_Session, dict[str, judge_pb2.JudgeHandResponse]]:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder), SystemTime())
        server = Server(store=store)
        await server.start()
        try:
            address = f"127.0.0.1:{server.port}"
            session = await _play(address, store, hands, show_progress)
            return session, await _judge(address)
        finally:
            await server.drain(1)


async def _play(address: str, store: Store, hands: int, show_progress: bool) -> _Session:
    table_id = await aio.create_table(
        address,
        stakes=Stakes(1, 2),
        seats=len(BOTS),
        starting_stack=STARTING_STACK,
        reset_stacks=True,
        hands=hands,
        action_ms=10_000,
        token=store.access.host_token,
    )
    seats = [await aio.take_seat(address, table_id, name=name) for name in BOTS]
    with progress("six bots play Irish", hands, show_progress) as step:

        def hand_over(_view: HandView) -> None:
            step()

        playing = []
        for number, (name, seat) in enumerate(zip(BOTS, seats, strict=True)):
            told = hand_over if number == 0 else None
            playing.append(aio.play(address, make_bot(name, seed=number), [seat], on_hand_over=told))
        played = [one for (one,) in await asyncio.gather(*playing)]
    hand, agrees = await _largest_pot(address, store, table_id, hands)
    return _Session({seat.number: name for seat, name in zip(seats, BOTS, strict=True)}, played, hand, agrees)


async def _largest_pot(
    address: str, store: Store, table_id: str, hands: int
) -> tuple[table_pb2.GetHandRecordResponse, bool]:
    """The hand with the largest pot, and whether all hands agree when they are judged again from their records."""
    auditor = (("authorization", f"Bearer {store.access.auditor_token}"),)
    records = []
    agree = True
    async with grpc.aio.insecure_channel(address) as channel:
        tables, judge = table_pb2_grpc.TableServiceStub(channel), judge_pb2_grpc.JudgeServiceStub(channel)
        for number in range(1, hands + 1):
            request = table_pb2.GetHandRecordRequest(table_id=table_id, hand=number)
            record = await tables.GetHandRecord(request, metadata=auditor)
            judged = await judge.JudgeHand(judge_pb2.JudgeHandRequest(record=record.record))
            agree = agree and judged.judgement.agrees and judged.judgement.settlement == record.settlement
            records.append(record)
    return max(records, key=lambda one: sum(pot.amount for pot in one.settlement.pots)), agree


async def _judge(address: str) -> dict[str, judge_pb2.JudgeHandResponse]:
    answers: dict[str, judge_pb2.JudgeHandResponse] = {}
    async with grpc.aio.insecure_channel(address) as channel:
        judge = judge_pb2_grpc.JudgeServiceStub(channel)
        for name, text in bundled().items():
            request = judge_pb2.JudgeHandRequest(notated=judge_pb2.NotatedHand(text=text))
            answers[name] = await judge.JudgeHand(request, timeout=20)
    return answers


def _as_dict(session: _Session, judged: dict[str, judge_pb2.JudgeHandResponse]) -> dict[str, Any]:
    return {
        "played": [
            {
                "seat": one.seat,
                "bot": session.names[one.seat],
                "hands": one.hands,
                "net": one.net,
                "decisions": one.decisions,
                "refusals": one.refusals,
            }
            for one in session.played
        ],
        "hands_agree": session.hand_agrees,
        "largest_pot": MessageToDict(session.hand.settlement),
        "judged": {name: MessageToDict(answer.judgement) for name, answer in judged.items()},
    }


def _print_played(session: _Session) -> None:
    grid = Grid("seat", "bot", "hands", "net chips", "decisions", "refusals", title="six practice bots, Irish no-limit")
    for one in sorted(session.played, key=lambda played: -played.net):
        cells = (one.seat, session.names[one.seat], one.hands, f"{one.net:+d}", one.decisions, one.refusals)
        grid.add_row(*map(str, cells))
    out.print(grid)
    verdict = "agree" if session.hand_agrees else "DISAGREE"
    out.print(f"every hand judged again from its record: all {verdict}\n")
    out.print("[bold]the hand with the largest pot, street by street[/]")
    told = [wire.event_of(one.hand_event) for one in session.hand.events if one.HasField("hand_event")]
    print_told(list(tell(told, {seat: f"{name} ({seat})" for seat, name in session.names.items()})))
    out.print("\n[bold]settlement statement[/]")
    for line in session.hand.settlement.lines:
        out.print(f"  {line.rule:8} {line.text}", markup=False)


def _print_judged(judged: dict[str, judge_pb2.JudgeHandResponse]) -> None:
    out.print("\n[bold]bundled hands judged over gRPC[/]")
    for name, answer in judged.items():
        verdict = "agrees" if answer.judgement.agrees else "disagrees"
        stacks = ", ".join(f"seat {one.seat} {one.stack_after}" for one in answer.judgement.settlement.players)
        out.print(f"  {name}: {verdict} ({answer.judgement.rule_set_name}); right stacks: {stacks}", markup=False)
        for finding in answer.judgement.findings:
            if finding.kind == judge_pb2.FINDING_KIND_DISAGREES:
                told = f"    line {finding.line}: {finding.rule}: {finding.message}"
                out.print(f"{told}; recorded: {finding.recorded}; right: {finding.right}", markup=False)
