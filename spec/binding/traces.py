"""Recorded hands as traces: the steps that ``TraceCheck.tla`` follows, and the generated module that holds them.

Everything that was reported about a hand becomes part of a step: chips, street totals, returned bets, who is asked and
what he was told that he may do, who shows in which order, what everybody wins. Of cards only numbers remain, and at
the showdown the order of the hands, which the engine's ranking gives (it is tested elsewhere).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.rules.cards import UNKNOWN
from referee.rules.events import (
    ANTE_POSTED,
    BET,
    BET_RETURNED,
    BLIND_POSTED,
    BOARD_DEALT,
    CALLED,
    CHECKED,
    DEAD_POSTED,
    DISCARDED,
    DISCARDS_CLOSED,
    DISCARDS_OPENED,
    FOLDED,
    HAND_ENDED,
    HAND_MUCKED,
    HAND_SHOWN,
    HOLE_DEALT,
    POT_AWARDED,
    RAISED,
    RAKE_TAKEN,
    ROUND_CLOSED,
    Event,
)
from referee.rules.hand import replay
from referee.rules.ruleset import AllInExposure
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Reason
from referee.rules.setup import hole_of
from referee.rules.showdown import CONCEDED, UNDECIDED, strengths_of
from spec.binding.constants import MOST, OutsideSpecificationError, constants_record
from spec.binding.recorded import Asked, RecordedHand, Refused
from spec.binding.tla_values import Record, written

Step = tuple[Any, ...]
OF_IDS = (Reason.WRONG_HAND, Reason.STALE_DECISION, Reason.SEAT_NOT_IN_HAND, Reason.MALFORMED_ACTION)
"""Refused for what the specification does not have: ids of hands and decisions, seats that were not dealt in, extra
fields. Such refusals are counted and left out."""

_BY_EVENT = {
    FOLDED: "fold",
    CHECKED: "check",
    CALLED: "call",
    BET: "bet",
    RAISED: "raise",
}
_AFTER_THE_END = "after the end"


@dataclass(frozen=True)
class Trace:
    """One hand as its specification reads it: the constants, what it starts from, and what happened."""

    source: str
    table: Record
    start: tuple[int, ...] | Record
    steps: tuple[tuple[tuple[Step, ...], Step], ...]
    """Each with what was asked and refused before it, in the same state."""


@dataclass
class Counts:
    """What a set of traces holds: steps and checks by kind, accepted actions, hands by seats and by structure.

    ``left_out`` are refusals that are no part of the traces, by reason.
    """

    hands: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    seats: Counter[int] = field(default_factory=Counter)
    structures: Counter[str] = field(default_factory=Counter)

    def add(self, trace: Trace) -> None:
        """Counts a trace."""
        self.hands += 1
        self.seats[len(trace.start)] += 1
        self.structures[dict(trace.table)["Limit"]] += 1
        for checks, event in trace.steps:
            self.steps.update([check[0] for check in checks])
            self.steps[event[0]] += 1
            if event[0] in ("accepted", "discarded"):
                self.actions["late fold" if event[0] == "discarded" and event[2] else event[1][0]] += 1


def trace_of(hand: RecordedHand, counts: Counts | None = None) -> Trace:
    """The trace of a hand; raises OutsideSpecificationError for one that the specification does not speak of."""
    if 4 * sum(hand.setup.stacks) > MOST:
        raise OutsideSpecificationError("more chips than TLC can count")
    table = constants_record(hand.setup)
    teller = _Teller(hand, counts or Counts())
    for step in hand.steps:
        teller.take(step)
    if teller.checks:
        teller.add("nothing")
    trace = Trace(hand.source, table, hand.setup.stacks, tuple(teller.steps))
    if counts is not None:
        counts.add(trace)
    return trace


class _Teller:
    """Turns the steps of one hand into steps of a trace; forced events that come together become one step."""

    def __init__(self, hand: RecordedHand, counts: Counts) -> None:
        self.hand, self.counts = hand, counts
        self.setup = hand.setup
        self.players = len(hand.setup.seats)
        self.steps: list[tuple[tuple[Step, ...], Step]] = []
        self.checks: list[Step] = []
        self.tabled = False
        self.stack = list(hand.setup.stacks)
        self.bet = [0] * self.players
        self.total = [0] * self.players
        self.dead = 0
        self.live = set(range(self.players))
        self.board = 0
        self.discarding = False
        self.returned = (-1, 0)
        self.shown: list[int] = []
        self.mucked: list[int] = []
        self.won = [0] * self.players
        self.rake = 0
        self.over = False

    def add(self, *event: Any) -> None:
        """Adds what happened, with the checks before it."""
        self.steps.append((tuple(self.checks), event))
        self.checks.clear()

    def take(self, step: Event | Refused | Asked) -> None:
        """Adds one step of the hand."""
        if isinstance(step, Refused):
            self._refused(step)
        elif isinstance(step, Asked):
            self._asked(step)
        else:
            self._event(step, self.setup.seats.index(step.seat) if step.seat else -1)

    def _refused(self, refused: Refused) -> None:
        self.counts.refusals[refused.reason.name] += 1
        if refused.reason in OF_IDS or refused.proposal.seat not in self.setup.seats:
            self.counts.left_out[refused.reason.name] += 1
            return
        self.checks.append(("refused", self._proposed(refused.proposal)))

    def _proposed(self, proposal: Proposal) -> Step:
        player = self.setup.seats.index(proposal.seat)
        kind = proposal.kind.name.lower()
        if proposal.kind in (ActionKind.BET, ActionKind.RAISE):
            return (kind, player, min(proposal.to, MOST))
        if proposal.kind is ActionKind.DISCARD:
            return (kind, player, *self._named(player, proposal.cards))
        return (kind, player)

    def _named(self, player: int, cards: tuple[int, ...]) -> tuple[int, bool, bool]:
        """A discard without its cards: how many, whether they differ, whether all are held."""
        hole = hole_of(self.setup, player)
        known = [card for card in cards if card != UNKNOWN]  # unknown ones are some of his, each another
        return len(cards), len(set(known)) == len(known), all(card in hole or UNKNOWN in hole for card in known)

    def _asked(self, asked: Asked) -> None:
        player, legal = self.setup.seats.index(asked.seat), asked.legal
        self.checks.append(("asked", player) if legal is None else ("asked", player, *offered(legal)))

    def _event(self, event: Event, player: int) -> None:
        kind = event.kind
        if kind in (ANTE_POSTED, BLIND_POSTED, DEAD_POSTED, HOLE_DEALT):
            self._posted(event, player)
        elif kind in _BY_EVENT:
            self._acted(event, player)
        elif kind is DISCARDED:
            named = ("discard", player, *self._named(player, event.cards))
            self.add("discarded", _by_referee(event, player) or named, False)
        elif kind is BET_RETURNED:
            self.returned = (player, event.amount)
        elif kind is ROUND_CLOSED:
            self.add("closed", *self.returned)
            if self.returned[0] >= 0:
                self.stack[self.returned[0]] += self.returned[1]
            self.returned = (-1, 0)
        elif kind is BOARD_DEALT:
            self._tabled()
            self.board += len(event.cards)
            self.add("board", {3: 1, 4: 2, 5: 3}[self.board])
        elif kind is DISCARDS_OPENED or kind is DISCARDS_CLOSED:
            self.discarding = kind is DISCARDS_OPENED
            self.add("discards opened" if self.discarding else "discards closed")
        else:
            self._ending(event, player)

    def _posted(self, event: Event, player: int) -> None:
        self.stack[player] -= event.amount
        if event.kind is BLIND_POSTED:
            self.bet[player] += event.amount
        if event.kind is DEAD_POSTED:
            self.dead += event.amount
        else:
            self.total[player] += event.amount
        if event.kind is HOLE_DEALT and player == self.players - 1:
            self.add("posted", tuple(self.stack), tuple(self.bet), tuple(self.total), self.dead)

    def _acted(self, event: Event, player: int) -> None:
        kind = _BY_EVENT[event.kind]
        self.stack[player] -= event.amount
        if event.kind is FOLDED:
            self.live.discard(player)
        if self.discarding:
            self.add("discarded", ("timeout", player), True)
            return
        proposal: Step = (kind, player, event.to) if event.kind in (BET, RAISED) else (kind, player)
        self.add("accepted", _by_referee(event, player) or proposal, event.amount, event.to)

    def _ending(self, event: Event, player: int) -> None:
        kind = event.kind
        if kind is HAND_SHOWN and self.over:
            self.add("accepted", ("show", player), 0, 0)
        elif kind is HAND_SHOWN:
            self.shown.append(player)
        elif kind is HAND_MUCKED:
            self.mucked.append(player)
        elif kind is RAKE_TAKEN:
            self.rake += event.amount
        elif kind is POT_AWARDED:
            self.won[player] += event.amount
            self.stack[player] += event.amount
        elif kind is HAND_ENDED:
            self._ended()

    def _tabled(self) -> None:
        """The hands turned up by TABLE_ALL before the next card, once."""
        if self.shown and not self.tabled:
            self.tabled = True
            self.add("tabled", tuple(self.shown))

    def _ended(self) -> None:
        self.over = True
        came_out = (tuple(self.won), self.rake, tuple(self.stack))
        if len(self.live) == 1:
            self.add("uncontested", *came_out)
            return
        if self.setup.rule_set.all_in_exposure is AllInExposure.TABLE_ALL and self._some_all_in():
            self._tabled()
        self.add("showdown", self._ranks(), tuple(self.shown), tuple(self.mucked), *came_out)

    def _some_all_in(self) -> bool:
        """Whether a live player had no chips left before the awards."""
        return any(self.stack[player] == self.won[player] for player in self.live)

    def _ranks(self) -> tuple[int, ...]:
        strengths = strengths_of(replay(self.setup, tuple(self.hand.events())))
        held = {player: strengths[player] for player in self.live}
        if min(held.values()) in (CONCEDED, UNDECIDED):
            raise OutsideSpecificationError("a live hand at the showdown is not known")
        places = {value: place for place, value in enumerate(sorted(set(held.values())), 1)}
        return tuple([places[held[player]] if player in held else 0 for player in range(self.players)])


def _by_referee(event: Event, player: int) -> Step | None:
    """What the referee proposed in a player's place; None for what he did himself."""
    if not event.automatic:
        return None
    return ("forfeit" if event.rule == "TIME-4" else "timeout", player)


def offered(legal: LegalOptions) -> Step:
    """What a seat was told that it may do, in the order of TraceCheck's step "asked"."""
    return (legal.fold, legal.check, legal.call, legal.min_to, legal.max_to, legal.discard)


# --- the generated module -------------------------------------------------------------------------------


def trace_module(traces: Iterable[Trace]) -> str:
    """``TraceData.tla`` with these traces."""
    tables: dict[Record, int] = {}
    hands = []
    for trace in traces:
        at = tables.setdefault(trace.table, len(tables) + 1)
        hands.append(f"<<{at},{written(trace.start)},{written(trace.steps)}>>")
    return "\n".join(
        [
            "---- MODULE TraceData ----",
            r"\* Generated; see spec/binding/traces.py.",
            "EXTENDS Integers, Sequences",
            "Tables == <<",
            ",\n".join(map(written, tables)),
            ">>",
            "Hands == <<",
            ",\n".join(hands),
            ">>",
            "====",
            "",
        ]
    )


TRACE_CFG = "SPECIFICATION TraceSpec\n"
