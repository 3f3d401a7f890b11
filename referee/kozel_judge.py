"""Judges recorded rounds of Kozel: walks a record through the rules and reports where the two part.

The judge never decides a rule itself. It stops at a move that the rules refuse, since another tile on the table would
be another round. What the referee does by itself is taken as it is right, whatever the record says.
"""

from dataclasses import dataclass
from typing import Final

from referee.judge import Finding, FindingKind
from referee.kozel.events import Event
from referee.kozel.round import open_round, open_seats, propose
from referee.kozel.ruleset import SetupRefusedError
from referee.kozel.rulings import ActionKind, Proposal, Ruling
from referee.kozel.setup import RoundSetup
from referee.kozel.state import Round
from referee.record.kozel_record import Deed, RecordedDeed, RecordedRound, deed_of
from referee.record.notation.kozel import account_text, deed_text

NO_SECOND_OPINION: Final = "a hand of poker: the second opinion knows no other game"
"""What is expected where the reference judge is asked for as well."""


class RoundHistoryRefusedError(Exception):
    """A round so far that the rules refuse itself: which proposal, counted from 0, and the ruling on it."""

    def __init__(self, index: int, ruling: Ruling) -> None:
        super().__init__(f"proposal {index} of the round so far is refused: {ruling.message}")
        self.index = index
        self.ruling = ruling


def round_so_far(setup: RoundSetup, proposals: list[Proposal]) -> tuple[Round, tuple[Event, ...]]:
    """The round after these proposals and all its events.

    Raises SetupRefusedError when the setup is refused and RoundHistoryRefusedError when one of the proposals is.
    """
    state, events = open_round(setup)
    happened = list(events)
    for index, proposal in enumerate(proposals):
        ruling = propose(state, proposal)
        if not ruling.accepted:
            raise RoundHistoryRefusedError(index, ruling)
        happened.extend(ruling.events)
    return state, tuple(happened)


@dataclass(frozen=True)
class RoundJudgement:
    """The judgement on one recorded round: every finding, how the round stands, and its events as far as it goes.

    ``state`` is None when the setup is refused. ``begins`` tells of each recorded move that was followed how many
    events had happened before it.
    """

    record: RecordedRound
    findings: tuple[Finding, ...]
    state: Round | None
    events: tuple[Event, ...]
    begins: tuple[int, ...] = ()

    def agrees(self) -> bool:
        """Whether nothing in the record disagrees with the rules."""
        return not self.findings


def judge_round(record: RecordedRound) -> RoundJudgement:
    """Judges a recorded round move by move, drawing, knocking and the end included, and compares what came out."""
    try:
        state, opening = open_round(record.setup)
    except SetupRefusedError as refused:
        finding = Finding(FindingKind.DISAGREES, refused.rule, refused.message, line=record.line)
        return RoundJudgement(record, (finding,), None, ())
    walk = _Walk(record, state, list(opening))
    walk.follow()
    return RoundJudgement(record, tuple(walk.findings), state, tuple(walk.events), tuple(walk.begins))


class _Walk:
    """A record while it is walked through; ``due`` are the lines that the referee itself is next to write, with their
    rules and their places among the events."""

    def __init__(self, record: RecordedRound, state: Round, events: list[Event]) -> None:
        self.findings: list[Finding] = []
        self.events = events
        self.begins: list[int] = []
        self._record = record
        self._state = state
        self._due: list[tuple[RecordedDeed, str, int]] = []

    def follow(self) -> None:
        """Follows the whole record, as far as it can be followed."""
        for step, deed in enumerate(self._record.deeds):
            if not self._step(step, deed):
                return
        if self._due:
            right, rule, place = self._due[0]
            self.begins.append(place)
            self._disagrees(rule, "the record leaves this out", "", deed_text(right), len(self._record.deeds))
        if self._state.has_ended():
            self._compare_end()
        elif self._record.end.accounts is not None:
            seat = open_seats(self._state)[0]
            self._disagrees("KOZ-6", f"the round is not over: seat {seat} is to act")

    def _step(self, step: int, deed: RecordedDeed) -> bool:
        is_move = deed.deed in _KINDS
        if self._due:
            right, rule, place = self._due.pop(0)
            self.begins.append(place)
            if deed == right:
                return True
            self._disagrees(rule, "something else happened", deed_text(deed), deed_text(right), step, deed.line)
            if not is_move:
                return True
            self._due.clear()  # the record leaves out what the referee did
        else:
            self.begins.append(len(self.events))
        if not is_move:
            self._disagrees(_RULES[deed.deed], "this did not happen", deed_text(deed), self._right(), step, deed.line)
            return True
        ruling = propose(self._state, Proposal(deed.seat, _KINDS[deed.deed], deed.tile, deed.end))
        if not ruling.accepted:
            self._disagrees(ruling.rule, ruling.message, deed_text(deed), self._right(), step, deed.line)
            return False
        before = len(self.events)
        self.events.extend(ruling.events)
        for place, event in enumerate(ruling.events[1:], before + 1):
            following = deed_of(event)
            if following is not None:
                self._due.append((following, event.rule, place))
        return True

    def _right(self) -> str:
        seats = open_seats(self._state)
        return f"seat {seats[0]} is to act" if seats else "the round is over"

    def _compare_end(self) -> None:
        state, end = self._state, self._record.end
        seats = state.setup.seats
        over = state.game_has_ended()
        accounts = tuple([account_text(account) for account in state.accounts])
        told = None if end.accounts is None else tuple([account_text(account) for account in end.accounts])
        lost = tuple([seats[player] for player in state.lost])
        for rule, what, recorded, right in (
            ("KOZ-8", "what hands count", end.counts, tuple(state.counts)),
            ("KOZ-10", "accounts", told, accounts),
            ("KOZ-14", "the carry", None if end.carry is None else (end.carry,), (state.carry,)),
            ("KOZ-15", "who lost", end.lost, lost if over else None),
            ("KOZ-16", "ratings", end.ratings, tuple(state.ratings) if over else None),
        ):
            if recorded is not None and recorded != right:
                self._disagrees(
                    rule,
                    f"{what} are others" if what[-1] == "s" else f"{what} is another",
                    _row(recorded),
                    _row(right),
                    line=end.line,
                )

    def _disagrees(
        self, rule: str, message: str, recorded: str = "", right: str = "", step: int = -1, line: int = 0
    ) -> None:
        self.findings.append(
            Finding(FindingKind.DISAGREES, rule, message, recorded, right, step, line or self._record.line)
        )


_KINDS = {Deed.LAY: ActionKind.LAY, Deed.TIMEOUT: ActionKind.TIMEOUT}
_RULES = {Deed.DRAW: "KOZ-5", Deed.KNOCK: "KOZ-5", Deed.OUT: "KOZ-6", Deed.FISH: "KOZ-7"}


def _row(items: tuple[object, ...] | None) -> str:
    return "" if items is None else " ".join([str(item) for item in items])
