"""Judges actions and whole recorded hands without keeping any state between calls.

The judge never decides a rule itself: it walks a record through the rules and reports where the two part.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from referee.record.hand_record import HandRecord, RecordedStep, Step
from referee.record.telling import options_text, proposal_text
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.events import CALLED, Event
from referee.rules.hand import carry_out, impose, is_undecided, legal_options, open_hand, open_seats, propose
from referee.rules.pots import form_pots, rake_of
from referee.rules.ranking import describe, strength
from referee.rules.ruleset import BOARD_CARDS, MAX_CHIPS, MAX_SEATS, RuleSetError, Stakes
from referee.rules.rulings import BET, CALL, CHECK, DISCARD, FOLD, FORFEIT, RAISE, TIMEOUT, Proposal, Ruling
from referee.rules.settlement import PotSettlement, Settlement, pot_settlement, settlement
from referee.rules.setup import HandSetup
from referee.rules.showdown import (
    UNDECIDED,
    Showing,
    ShowWhy,
    award,
    pot_is_decided,
    pots_of,
    showings_of,
    strengths_of,
)
from referee.rules.state import NO_PLAYER, Hand, Phase

if TYPE_CHECKING:
    from referee.second_opinion import SecondOpinion


class FindingKind(Enum):
    """What a finding means for the record."""

    DISAGREES = "disagrees"
    """The record says something that the rules do not allow, or a wrong result."""
    NOT_CHECKABLE = "not checkable"
    """Cards or facts are missing, so that this point cannot be judged."""


@dataclass(frozen=True)
class Finding:
    """One point where a record is wrong, or cannot be checked, with the rule id that decides it.

    ``step`` is the index of the recorded step, -1 for the record's setup and result; ``line`` is that of the source,
    0 when there is none. ``recorded`` and ``right`` say what stands there and what would be right.
    """

    kind: FindingKind
    rule: str
    message: str
    recorded: str = ""
    right: str = ""
    step: int = -1
    line: int = 0


@dataclass(init=False, unsafe_hash=True)
class JudgedStep:
    """A recorded step with what the rules say: the ruling of an action, and the events that followed it."""

    step: Final[RecordedStep]
    ruling: Final[Ruling | None]
    events: Final[tuple[Event, ...]]

    def __init__(
        self,
        step: RecordedStep,
        ruling: Ruling | None,
        events: tuple[Event, ...],
    ) -> None:
        self.step = step
        self.ruling = ruling
        self.events = events


@dataclass(init=False, unsafe_hash=True)
class Judgement:
    """The judgement on one recorded hand.

    ``opening`` are the events before the first decision. ``hand`` is how the hand stands after the record, None
    when its setup is refused; ``settlement`` is its statement. ``second_opinion`` is None unless it was asked for.
    """

    record: Final[HandRecord]
    opening: Final[tuple[Event, ...]]
    steps: Final[tuple[JudgedStep, ...]]
    findings: Final[tuple[Finding, ...]]
    hand: Final[Hand | None]
    settlement: Final[Settlement | None]
    second_opinion: Final["SecondOpinion | None"]

    def __init__(
        self,
        record: HandRecord,
        opening: tuple[Event, ...],
        steps: tuple[JudgedStep, ...],
        findings: tuple[Finding, ...],
        hand: Hand | None,
        settlement: Settlement | None,
        second_opinion: "SecondOpinion | None" = None,
    ) -> None:
        self.record = record
        self.opening = opening
        self.steps = steps
        self.findings = findings
        self.hand = hand
        self.settlement = settlement
        self.second_opinion = second_opinion

    def agrees(self) -> bool:
        """Whether nothing in the record disagrees with the rules; what is not checkable does not count."""
        return not any(finding.kind == FindingKind.DISAGREES for finding in self.findings)

    def events(self) -> tuple[Event, ...]:
        """Every event of the hand as far as the record goes."""
        return self.opening + tuple(event for judged in self.steps for event in judged.events)


class HistoryRefusedError(Exception):
    """A hand so far that the rules refuse itself: which action, counted from 0, and the ruling on it."""

    def __init__(self, index: int, ruling: Ruling) -> None:
        super().__init__(f"action {index} of the hand so far is refused: {ruling.message}")
        self.index = index
        self.ruling = ruling


def hand_so_far(setup: HandSetup, proposals: Iterable[Proposal]) -> tuple[Hand, tuple[Event, ...]]:
    """The hand after these proposals and all its events.

    Raises RuleSetError when the setup is refused and HistoryRefusedError when one of the proposals is.
    """
    hand, events = open_hand(setup)
    happened = list(events)
    for index, proposal in enumerate(proposals):
        ruling = propose(hand, proposal)
        if not ruling.accepted:
            raise HistoryRefusedError(index, ruling)
        happened.extend(ruling.events)
    return hand, tuple(happened)


def judge_record(record: HandRecord, with_second_opinion: bool = False) -> Judgement:
    """Judges a recorded hand step by step and compares its result.

    An action that the rules refuse is a disagreement; if it can have happened at all it is then taken as a fact, so
    that the rest of the record is judged as well. ``with_second_opinion`` has the reference judge, which shares no code
    with these rules, judge the same record, and the judgement say where the two part.
    """
    judgement = _judged(record)
    if not with_second_opinion:
        return judgement
    # Loaded when it is asked for: a server that judges and plays does without it.
    from referee.second_opinion import second_opinion

    refused_by = judgement.findings[0].rule if judgement.hand is None else None
    steps = [(judged.step, judged.ruling, judged.events) for judged in judgement.steps]
    second = second_opinion(record, judgement.opening, steps, judgement.hand, refused_by)
    return replace(judgement, second_opinion=second)


def findings_of(record: HandRecord) -> tuple[Finding, ...]:
    """The findings of :func:`judge_record` and nothing else, in half the time: for archives."""
    try:
        hand, _ = open_hand(record.setup)
    except RuleSetError as refused:
        return (_setup_finding(record, refused),)
    walk = _Walk(record, hand)
    for index, step in enumerate(record.steps):
        # Nearly every step of an archive is right, and then no ruling is wanted; a wrong one is followed as ever.
        what = step.step
        is_plain = (what is _FOLD or what is _CHECK_OR_CALL or what is _BET_OR_RAISE) and step.amount < 0
        # Of these a ruling is all that there is to say; of others cards are compared as well.
        if not is_plain or walk.diverged or carry_out(hand, proposal_of(hand, step)) is None:
            walk.follow(index, step)
    walk.compare_showdown()
    walk.compare_result()
    return tuple(walk.findings)


def showdown_findings(record: HandRecord, hand: Hand) -> tuple[Finding, ...]:
    """The findings about who showed and who mucked, where these are a record's only steps, in a hand that has ended."""
    walk = _Walk(record, hand)
    walk.showdown = list(enumerate(record.steps))
    walk.compare_showdown()
    return tuple(walk.findings)


def _judged(record: HandRecord) -> Judgement:
    try:
        hand, opening = open_hand(record.setup)
    except RuleSetError as refused:
        return Judgement(record, (), (), (_setup_finding(record, refused),), None, None)
    walk = _Walk(record, hand)
    steps: list[JudgedStep] = []
    for index, step in enumerate(record.steps):
        ruling, events = walk.follow(index, step)
        steps.append(JudgedStep(step, ruling, events))
    walk.compare_showdown()
    walk.compare_result()
    return Judgement(record, opening, tuple(steps), tuple(walk.findings), hand, settlement(hand))


def _setup_finding(record: HandRecord, refused: RuleSetError) -> Finding:
    return Finding(FindingKind.DISAGREES, refused.rule, f"setup refused: {refused.message}", line=record.line)


_PLAIN_KINDS: Final = {
    Step.CHECK: CHECK,
    Step.CALL: CALL,
    Step.BET: BET,
    Step.RAISE: RAISE,
    Step.TIMEOUT: TIMEOUT,
    Step.FORFEIT: FORFEIT,
}

# The steps by bare names: they are compared for every action of every hand, and a bare name is read faster.
_FOLD: Final = Step.FOLD
_CHECK_OR_CALL: Final = Step.CHECK_OR_CALL
_BET_OR_RAISE: Final = Step.BET_OR_RAISE
_BOARD: Final = Step.BOARD
_SHOW: Final = Step.SHOW
_MUCK: Final = Step.MUCK
_RETURNED: Final = Step.RETURNED
_DISCARD: Final = Step.DISCARD


_FOLDS: Final = tuple([Proposal(seat, FOLD) for seat in range(MAX_SEATS + 1)])
_CHECKS: Final = tuple([Proposal(seat, CHECK) for seat in range(MAX_SEATS + 1)])
_CALLS: Final = tuple([Proposal(seat, CALL) for seat in range(MAX_SEATS + 1)])
"""Most of what is proposed, by seat: it names no amount, and is not made anew for each action of an archive."""


def proposal_of(hand: Hand, step: RecordedStep) -> Proposal:
    """The proposal that a recorded action stands for; a notation's "check or call" is read by what is owed."""
    what, seat, to = step.step, step.seat, step.to
    is_plain = to == 0 and 0 <= seat <= MAX_SEATS
    if what is _FOLD:
        return _FOLDS[seat] if is_plain else Proposal(seat, FOLD, to)
    if what is _BET_OR_RAISE:
        return Proposal(seat, RAISE if hand.level else BET, to)
    if what is _CHECK_OR_CALL:
        player = hand.index_of(seat)
        owes = player != NO_PLAYER and hand.level > hand.bet[player]
        if is_plain:
            return _CALLS[seat] if owes else _CHECKS[seat]
        return Proposal(seat, CALL if owes else CHECK, to)
    if what is _DISCARD:
        return Proposal(seat, DISCARD, to, step.cards)
    if what is Step.ALL_IN:
        player = hand.index_of(seat)
        to = hand.bet[player] + hand.stack[player] if player != NO_PLAYER else 0
        return Proposal(seat, RAISE if hand.level else BET, to) if to > hand.level else Proposal(seat, CALL)
    return Proposal(seat, _PLAIN_KINDS[what], to)


@dataclass(frozen=True)
class Contribution:
    """What one player put into the pots, in chips, whether he folded, and the hole cards he kept."""

    seat: int
    contributed: int
    folded: bool
    kept: tuple[int, ...]


def settle_pots(
    players: tuple[Contribution, ...], dead_money: int, board: tuple[int, ...], stakes: Stakes, flop_dealt: bool
) -> tuple[PotSettlement, ...]:
    """Forms and awards pots from contributions and hands alone, however they came about (POT, RANK).

    Players are listed clockwise from the left of the button. Pots that the known cards do not decide have no
    winners. Raises RuleSetError when a card appears twice, an amount is negative or no multiple of the chip unit,
    or nobody is live.
    """
    unit = stakes.chip_unit
    seats = tuple([player.seat for player in players])
    amounts = [player.contributed for player in players]
    live = [not player.folded for player in players]
    known = [card for player in players for card in player.kept if card != UNKNOWN]
    known += [card for card in board if card != UNKNOWN]
    if len(set(known)) != len(known):
        raise RuleSetError("GAME-5", "a card appears twice")
    if len(set(seats)) != len(seats):
        raise RuleSetError("GAME-4", "a seat appears twice")
    if unit < 1 or any(not 0 <= amount <= MAX_CHIPS or amount % unit for amount in (*amounts, dead_money)):
        raise RuleSetError("POT-1", f"amounts are 0 to {MAX_CHIPS} in multiples of the chip unit {unit}")
    if not any(live):
        raise RuleSetError("POT-1", "somebody is live")
    if not 0 <= stakes.rake_basis_points <= 10_000 or stakes.rake_cap < -1:
        raise RuleSetError("POT-8", "rake is 0 to 10000 basis points, its cap an amount")
    strengths: list[int] = []
    for player in players:
        cards = player.kept + board
        ranked = not player.folded and len(board) >= BOARD_CARDS and player.kept and UNKNOWN not in cards
        strengths.append(strength(cards) if ranked else UNDECIDED)
    pots = form_pots(amounts, live, dead_money)
    rakes = rake_of(pots, stakes, flop_dealt or bool(board), -1)
    return tuple(
        pot_settlement(pot, award(pot, rake, strengths, unit) if pot_is_decided(pot, strengths) else None, seats)
        for pot, rake in zip(pots, rakes, strict=True)
    )


class _Walk:
    """Walks one record through the rules, gathering findings."""

    def __init__(self, record: HandRecord, hand: Hand) -> None:
        self.record = record
        self.hand = hand
        self.findings: list[Finding] = []
        self.board_seen = 0
        self.diverged = False
        self.showdown: list[tuple[int, RecordedStep]] = []

    def follow(self, index: int, step: RecordedStep) -> tuple[Ruling | None, tuple[Event, ...]]:
        """Follows one step: the ruling, if it is an action that can be judged, and what happened."""
        what = step.step
        if what is _BOARD:
            self._board(index, step)
        elif what is _SHOW or what is _MUCK:
            self.showdown.append((index, step))
        elif what is _RETURNED:
            self._returned(index, step)
        elif not self.diverged:
            return self._action(index, step)
        return None, ()

    def _find(
        self, kind: FindingKind, rule: str, index: int, message: str, recorded: str = "", right: str = ""
    ) -> None:
        line = self.record.steps[index].line if index >= 0 else self.record.result.line
        self.findings.append(Finding(kind, rule, message, recorded, right, index, line))

    def _disagree(self, rule: str, index: int, message: str, recorded: str = "", right: str = "") -> None:
        self._find(FindingKind.DISAGREES, rule, index, message, recorded, right)

    def _cannot_check(self, rule: str, index: int, message: str) -> None:
        self._find(FindingKind.NOT_CHECKABLE, rule, index, message)

    def _action(self, index: int, step: RecordedStep) -> tuple[Ruling, tuple[Event, ...]]:
        proposal = proposal_of(self.hand, step)
        ruling = propose(self.hand, proposal)
        events = ruling.events
        if not ruling.accepted:
            self._disagree(
                ruling.rule,
                index,
                f"seat {step.seat}: {ruling.message}",
                proposal_text(proposal),
                self._what_is_legal(step.seat),
            )
            imposed = impose(self.hand, proposal)
            if imposed is None:
                self.diverged = True
                self._cannot_check("BET-8", index, "this cannot have happened; the steps after it are not judged")
                return ruling, ()
            events = imposed
        elif step.step is _DISCARD and UNKNOWN in step.cards:
            self._cannot_check("DISC-2", index, f"seat {step.seat}: the discarded cards are not known")
        if step.amount >= 0 and events and events[0].kind is CALLED and events[0].amount != step.amount:
            self._disagree(
                "BET-2", index, f"seat {step.seat}: a call adds what is owed", str(step.amount), str(events[0].amount)
            )
        return ruling, events

    def _what_is_legal(self, seat: int) -> str:
        options = legal_options(self.hand, seat)
        if options is not None:
            return options_text(options)
        waiting = open_seats(self.hand)
        return "no decision for this seat" + (f"; open: seat {', '.join(map(str, waiting))}" if waiting else "")

    def _board(self, index: int, step: RecordedStep) -> None:
        start, end = self.board_seen, self.board_seen + len(step.cards)
        self.board_seen = end
        if self.diverged:
            return
        if end > len(self.hand.board):
            rule = "DISC-1" if self.hand.phase == Phase.DISCARDING else "BET-7" if self.hand.has_ended() else "BET-4"
            why = {
                "DISC-1": "a card is dealt while a discard is owed",
                "BET-7": "a card is dealt after the hand is over",
                "BET-4": "a card is dealt while the betting round is open",
            }[rule]
            self._disagree(rule, index, why, cards_text(step.cards), self._who_is_open())
        elif self.hand.board[start:end] != step.cards:
            self._disagree(
                "DEAL-3",
                index,
                "the board is not dealt from its place in the deck",
                cards_text(step.cards),
                cards_text(self.hand.board[start:end]),
            )

    def _who_is_open(self) -> str:
        waiting = open_seats(self.hand)
        return f"open: seat {', '.join(map(str, waiting))}" if waiting else ""

    def _returned(self, index: int, step: RecordedStep) -> None:
        if self.diverged:
            return
        player = self.hand.index_of(step.seat)
        returned = self.hand.returned[player] if player != NO_PLAYER else 0
        if returned != step.amount:
            self._disagree("POT-2", index, f"uncalled bet of seat {step.seat}", str(step.amount), str(returned))

    def compare_showdown(self) -> None:
        """Compares who showed and who mucked with who must and may (SHOW-1, SHOW-2, SHOW-3)."""
        if self.diverged or not self.showdown:
            return
        due = {showing.player: showing for showing in showings_of(self.hand)}
        for index, step in self.showdown:
            player = self.hand.index_of(step.seat)
            if player == NO_PLAYER:
                self._disagree("SHOW-2", index, f"seat {step.seat} was not dealt in")
            elif step.step is _SHOW and step.cards and not _may_be(step.cards, self.hand.kept[player]):
                self._disagree(
                    "DISC-2" if self.hand.discarded[player] else "DEAL-1",
                    index,
                    f"seat {step.seat} does not hold these cards",
                    cards_text(step.cards),
                    cards_text(self.hand.kept[player]),
                )
            elif step.step is _MUCK and player in due and due[player].must_show:
                rule, told = due[player].rule, f"seat {step.seat} may not muck"
                if self.record.rule_set_named:
                    held = describe(strengths_of(self.hand)[player])
                    self._disagree(rule, index, told, "mucked", f"shows {held}")
                else:
                    self._cannot_check(rule, index, f"{told}, but the record does not name its house rules")
            elif step.step is _MUCK and self.hand.setup.seats[player] in self.hand.setup.mucked_unseen:
                self._cannot_check("SHOW-2", index, f"seat {step.seat} mucked cards that are not known")
        self._compare_order(due.values())

    def _compare_order(self, due: Iterable[Showing]) -> None:
        # Hands that are turned up together have no order (SHOW-4).
        seats = self.hand.setup.seats
        right = [seats[one.player] for one in due if one.why is not ShowWhy.TABLED_ALL_IN]
        recorded = [step.seat for _, step in self.showdown if step.seat in right]
        if not recorded or sorted(recorded) != sorted(right) or recorded == right:
            return
        index = self.showdown[0][0]
        if self.record.rule_set_named:
            self._disagree("SHOW-1", index, "order of the showdown", str(recorded), str(right))
        else:
            self._cannot_check("SHOW-1", index, "order of the showdown: the record does not name its house rules")

    def compare_result(self) -> None:
        """Compares the recorded result with the settlement (POT)."""
        hand, result = self.hand, self.record.result
        if self.diverged:
            self._cannot_check("POT-7", -1, "the result: the record left the rules before its end")
            return
        if not hand.has_ended():
            self._compare_unfinished()
            return
        for name, recorded, right in (
            ("finishing stacks", result.finishing_stacks, hand.stack),
            ("collected", result.collected, hand.paid),
        ):
            if recorded is not None and list(recorded) != right:
                rule = "POT-6" if self._differs_by_odd_chips_only(recorded, right) else "POT-5"
                self._disagree(rule, -1, name, _amounts(recorded), _amounts(right))
        if result.total_pot is not None:
            in_pots = sum([pot.amount for pot in pots_of(hand)])
            if result.total_pot != in_pots:
                self._disagree("POT-1", -1, "total pot", str(result.total_pot), str(in_pots))
        if result.rake is not None and result.rake != hand.rake:
            self._disagree("POT-8", -1, "rake", str(result.rake), str(hand.rake))

    def _differs_by_odd_chips_only(self, recorded: tuple[int | Fraction, ...], right: list[int]) -> bool:
        """Whether what does not divide explains the difference: at most a chip unit a shared pot, among who share."""
        shared = [pot.winners for pot in settlement(self.hand).pots if len(pot.winners) > 1]
        unit = self.hand.setup.stakes.chip_unit
        for seat, one, other in zip(self.hand.setup.seats, recorded, right, strict=True):
            if abs(Fraction(one) - other) > unit * sum([seat in winners for winners in shared]):
                return False
        return bool(shared)

    def _compare_unfinished(self) -> None:
        hand, result = self.hand, self.record.result
        if result.finishing_stacks is not None:
            before, after = sum(hand.setup.stacks), sum(result.finishing_stacks) + (result.rake or 0)
            if before != after:
                self._disagree("POT-7", -1, "chips are not conserved", str(after), str(before))
        if is_undecided(hand):
            self._cannot_check("RANK-1", -1, "who wins: cards of the showdown are not known")
        else:
            self._cannot_check("BET-4", -1, f"the result: the record ends before the hand does; {self._who_is_open()}")


def _may_be(shown: tuple[int, ...], kept: tuple[int, ...]) -> bool:
    """Whether shown cards can be the kept ones, of which some may be unknown."""
    known = [card for card in kept if card != UNKNOWN]
    spare = len(kept) - len(known)
    return len(shown) <= len(kept) and sum(card not in known and card != UNKNOWN for card in shown) <= spare


def _amounts(amounts: Iterable[int | Fraction]) -> str:
    return ", ".join(str(amount) if amount.denominator == 1 else f"{float(amount):.2f}" for amount in amounts)
