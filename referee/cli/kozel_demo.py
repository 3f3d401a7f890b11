"""`referee demo --game kozel`: practice bots play games of Kozel, every proposal ruled on over gRPC on loopback."""

import asyncio
import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import grpc
import typer
from rich.table import Table as Grid

from referee.bots.kozel import make_kozel_bot
from referee.cli.output import Exit, out, print_json, progress
from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.kozel.events import Event
from referee.kozel.game import first_round, next_round
from referee.kozel.round import open_round, open_seats, propose
from referee.kozel.ruleset import ON_ONE
from referee.kozel.rulings import Proposal
from referee.kozel.setup import RoundSetup
from referee.kozel.views import seen_by, view
from referee.record import kozel_wire as wire
from referee.record.kozel_record import RecordedRound, recorded
from referee.record.notation.kozel import write_round
from referee.service.server import Server
from referee.v1 import kozel_pb2, kozel_pb2_grpc

BOTS: Final = ("tile-counter", "heaviest-first", "random-legal")
GAMES: Final = 3


def run(as_json: bool) -> None:
    """Plays some games and judges every round again from its written record."""
    played = asyncio.run(_demo(show_progress=not as_json))
    agree = all([game["agree"] for game in played])
    if as_json:
        print_json({"games": played})
    else:
        _print(played)
    if not agree:
        raise typer.Exit(Exit.DISAGREES)


async def _demo(show_progress: bool) -> list[dict[str, Any]]:
    server = Server()
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            judge = kozel_pb2_grpc.KozelJudgeServiceStub(channel)
            with progress("three bots play Kozel", GAMES, show_progress) as step:
                played = []
                for number in range(GAMES):
                    played.append(await _game(judge, number))
                    step()
                return played
    finally:
        await server.drain(1)


async def _game(judge: kozel_pb2_grpc.KozelJudgeServiceStub, number: int) -> dict[str, Any]:
    """A game whose every round is followed here and ruled on there; both must say the same."""
    match = f"demo-{number}"
    decks = FairDecks(match, hashlib.sha256(match.encode("ascii")).digest(), len(TILES))
    shift = number % len(BOTS)
    names = [*BOTS[shift:], *BOTS[:shift]]
    setup: RoundSetup | None = first_round(ON_ONE, (1, 2, 3), partial(decks.deck, 0, 1), f"{match}/1")
    rounds: list[RecordedRound] = []
    agree = True
    accounts: list[str] = []
    ratings: Sequence[int] = ()
    while setup is not None:
        state, events, same = await _round(judge, setup, names, number)
        record = recorded(setup, events)
        request = kozel_pb2.JudgeKozelRoundRequest(text=write_round(record))
        judged = await judge.JudgeKozelRound(request)
        agree = agree and same and judged.judgement.agrees
        rounds.append(record)
        ratings = state.ratings
        accounts = [str(account.score) for account in state.accounts]
        setup = next_round(state, partial(decks.deck, 0, len(rounds) + 1), f"{match}/{len(rounds) + 1}")
    return {
        "bots": names,
        "rounds": len(rounds),
        "scores": accounts,
        "ratings": list(ratings),
        "agree": agree,
        "last_round": write_round(rounds[-1]),
    }


async def _round(
    judge: kozel_pb2_grpc.KozelJudgeServiceStub, setup: RoundSetup, names: list[str], seed: int
) -> tuple[Any, tuple[Event, ...], bool]:
    bots = [make_kozel_bot(name, seed) for name in names]
    state, opening = open_round(setup)
    events = list(opening)
    proposals: list[Proposal] = []
    same = True
    while open_seats(state):
        seat = open_seats(state)[0]
        bot = bots[state.index_of(seat)]
        proposal = bot(seen_by(state, seat), [view(event, seat) for event in events])
        so_far = kozel_pb2.KozelRoundSoFar(
            setup=wire.setup_message(setup), proposals=[wire.proposal_message(one) for one in proposals]
        )
        request = kozel_pb2.JudgeKozelActionRequest(round=so_far, proposal=wire.proposal_message(proposal))
        answer = await judge.JudgeKozelAction(request)
        ruling = propose(state, proposal)
        same = same and answer.ruling == wire.ruling_message(ruling) and ruling.accepted
        events.extend(ruling.events)
        proposals.append(proposal)
    return state, tuple(events), same


def _print(played: list[dict[str, Any]]) -> None:
    grid = Grid("game", "rounds", "seat 1", "seat 2", "seat 3", title="three practice bots, Kozel to 101")
    for number, game in enumerate(played, 1):
        told = zip(game["bots"], game["scores"], game["ratings"], strict=True)
        cells = [f"{name}: {score} points, rating {rating}" for name, score, rating in told]
        grid.add_row(str(number), str(game["rounds"]), *cells)
    out.print(grid)
    verdict = "agree" if all([game["agree"] for game in played]) else "DISAGREE"
    out.print(f"every ruling came over gRPC, and every round was judged again from its record: all {verdict}\n")
    out.print("[bold]the last round, as it is written[/]")
    out.print(played[-1]["last_round"], markup=False)
