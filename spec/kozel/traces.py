"""Rounds that the engine ruled on, with all 28 tiles, as traces for ``TraceCheck.tla``.

Compared are the deal and who leads, what the player to act is offered, every tile laid or drawn, every knock, how a
round ends, counts, accounts, carry, losers and ratings, and refused proposals, which must be impossible for the
specification.
"""

import random
from collections.abc import Sequence
from typing import Any, Final

from referee.kozel.events import (
    FISH_MADE,
    KNOCKED,
    LEAD_GIVEN,
    ROUND_ENDED,
    TILE_DRAWN,
    TILE_LAID,
    TIMED_OUT,
    WENT_OUT,
    End,
    Event,
)
from referee.kozel.round import legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import RuleSet
from referee.kozel.rulings import DRAW, KNOCK, LAY, TIMEOUT, Proposal, Reason
from referee.kozel.setup import RoundSetup
from referee.kozel.state import Round
from spec.binding.tla_values import Record, by_index, record, written
from spec.binding.trace_check import Checked, check
from spec.binding.traces import Step, Trace
from spec.kozel.check import FOLDER
from spec.kozel.graphs import spec_accounts, spec_start, spec_tile, spec_tiles

MODULES: Final = tuple([FOLDER / f"{module}.tla" for module in ("TraceCheck", "KozelRound", "KozelScores")])
OF_IDS: Final = (Reason.WRONG_ROUND, Reason.STALE_DECISION, Reason.SEAT_NOT_IN_ROUND, Reason.MALFORMED_ACTION)
"""Refused for what the specification does not have; such refusals are left out."""
_WITHOUT_A_NAME: Final = (*OF_IDS, Reason.NO_SUCH_TILE, Reason.END_NOT_NAMED)
_ENDS: Final = {End.NONE: "none", End.LEFT: "left", End.RIGHT: "right"}
_KINDS: Final = {DRAW: "draw", KNOCK: "knock", TIMEOUT: "timeout"}


def constants_of(rule_set: RuleSet, players: int) -> Record:
    """The constants of ``KozelRound.tla`` but Starts."""
    return record(
        N=players,
        Most=rule_set.highest,
        HandTiles=rule_set.hand_tiles,
        RedealDoubles=rule_set.redeal_doubles,
        RedealBearing=rule_set.redeal_bearing,
        FishRule=rule_set.fish.name,
        FishScoring=rule_set.fish_scoring.name,
        LoneBlank=rule_set.lone_blank,
        RememberedTo=rule_set.remembered_to,
        EndsAt=rule_set.ends_at,
    )


class Tracing:
    """Follows one round of the engine and writes its trace."""

    def __init__(self, setup: RoundSetup, source: str) -> None:
        self.state, opening = open_round(setup)
        self._setup = setup
        self._source = source
        self._checks: list[Step] = []
        self._steps: list[tuple[tuple[Step, ...], Step]] = []
        self._told(opening, self.state)

    def propose(self, proposal: Proposal) -> bool:
        """Proposes, and notes what the seat to act was offered, and a refusal or what followed."""
        seats = self._setup.seats
        for seat in open_seats(self.state):
            legal = legal_options(self.state, seat)
            assert legal is not None
            moves = frozenset([(spec_tile(move.tile), _ENDS[move.end]) for move in legal.moves])
            self._checks.append(("offered", seats.index(seat), moves))
        ruling = propose(self.state, proposal)
        if ruling.accepted:
            self._told(ruling.events, self.state)
            return True
        if ruling.reason not in _WITHOUT_A_NAME:
            self._checks.append(("refused", _proposed(proposal, seats)))
        return False

    def trace(self) -> Trace:
        """The trace, once the round is over."""
        return Trace(
            self._source,
            constants_of(self._setup.rule_set, len(self._setup.seats)),
            spec_start(self._setup),
            tuple(self._steps),
        )

    def _told(self, events: Sequence[Event], after: Round) -> None:
        for event in events:
            step = _step_of(event, after, self._setup)
            if step is not None:
                self._steps.append((tuple(self._checks), step))
                self._checks = []


def _proposed(proposal: Proposal, seats: tuple[int, ...]) -> Step:
    player = seats.index(proposal.seat)
    if proposal.kind is LAY:
        return "lay", player, spec_tile(proposal.tile), _ENDS[proposal.end]
    return _KINDS[proposal.kind], player


def _step_of(event: Event, after: Round, setup: RoundSetup) -> Step | None:
    """The step that an event is, if it is one of its own; the deal and the end are told by their last events."""
    player = setup.seats.index(event.seat) if event.seat else -1
    kind = event.kind
    if kind is LEAD_GIVEN:
        hands = by_index([spec_tiles(hand) for hand in after.hands])
        return "dealt", hands, spec_tiles(after.boneyard), player
    if kind is TILE_LAID:
        return "accepted", ("lay", player, spec_tile(event.tiles[0]), _ENDS[event.end])
    if kind is TILE_DRAWN:
        return "drawn", player, spec_tile(event.tiles[0])
    if kind is TIMED_OUT:
        return "accepted", ("timeout", player)
    if kind is ROUND_ENDED:
        return _ended(after)
    simple = {KNOCKED: ("knocked", player), WENT_OUT: ("out", player), FISH_MADE: ("fish", player, event.points)}
    return simple.get(kind)


def _ended(state: Round) -> Step:
    accounts, ratings = spec_accounts(state.accounts), by_index(state.ratings)
    if state.counts[0] < 0:
        return "stopped", accounts, ratings
    return "scored", by_index(state.counts), accounts, state.carry, frozenset(state.lost), ratings


def trace_module(traces: Sequence[Trace]) -> str:
    """``TraceData.tla`` with these traces."""
    tables: dict[Record, int] = {}
    rounds = []
    for trace in traces:
        at = tables.setdefault(trace.table, len(tables) + 1)
        rounds.append(f"<<{at},{written(trace.start)},{written(trace.steps)}>>")
    head = [
        "---- MODULE TraceData ----",
        r"\* Generated; see spec/kozel/traces.py.",
        "EXTENDS Integers, Sequences, TLC",
    ]
    body = ["Tables == <<", ",\n".join(map(written, tables)), ">>", "Rounds == <<", ",\n".join(rounds), ">>"]
    return "\n".join([*head, *body, "====", ""])


def check_rounds(traces: Sequence[Trace], **options: Any) -> Checked:
    """Checks rounds in one process of TLC."""
    return check(traces, modules=MODULES, data=trace_module, **options)


def play_traced(setup: RoundSetup, rng: random.Random, source: str) -> Tracing:
    """Plays a round at random, with refused proposals in between and, rarely, a player out of time."""
    tracing = Tracing(setup, source)
    while open_seats(tracing.state):
        seat = open_seats(tracing.state)[0]
        while rng.random() < 0.4:
            wrong = Proposal(
                rng.choice(setup.seats),
                rng.choice((LAY, LAY, LAY, DRAW, KNOCK)),
                rng.randint(0, 27),
                rng.choice(tuple(End)),
            )
            if wrong.kind is not LAY:
                wrong = Proposal(wrong.seat, wrong.kind)
            if tracing.propose(wrong):
                break
        else:
            legal = legal_options(tracing.state, seat)
            assert legal is not None
            move = rng.choice(legal.moves)
            late = rng.random() < 0.01
            tracing.propose(Proposal(seat, TIMEOUT) if late else Proposal(seat, LAY, move.tile, move.end))
    return tracing
