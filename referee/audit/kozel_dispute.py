"""Judges a disputed round of Kozel: a foreign record with what somebody says that it should have scored."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from referee.audit.answer import (
    Answer,
    Claim,
    PlayerOutcome,
    claimed_nets,
    summary_of,
    told_by_street,
    verdict_on,
)
from referee.audit.report import Divergence
from referee.judge import Finding
from referee.kozel.events import (
    ACCOUNT_OPENED,
    POINTS_REMEMBERED,
    POINTS_SCORED,
    REMEMBERED_CLEARED,
    SUM_CARRIED,
    Event,
)
from referee.kozel.ruleset import FishScoring
from referee.kozel.scoring import Ending
from referee.kozel.setup import Account
from referee.kozel.state import Round
from referee.kozel_judge import RoundJudgement, judge_round
from referee.record.kozel_record import RecordedRound
from referee.record.kozel_telling import account_words, tell
from referee.record.notation.kozel import deed_text

_CREDITED: Final = (POINTS_REMEMBERED, ACCOUNT_OPENED, POINTS_SCORED)


@dataclass(frozen=True)
class RoundVerdict(Answer):
    """The answer to a dispute about a round of Kozel, with the judgement on the record."""

    judgement: RoundJudgement


def dispute_round(record: RecordedRound, claims: Iterable[Claim] = (), number: int = 1) -> RoundVerdict:
    """Judges a recorded round and claims about its outcome; ``number`` is the round's in its source, from 1.

    A claim's net are the points that the round adds to what the player's account had, remembered or scored; below 0
    where remembered ones are cleared. The first wrong event is the earliest recorded move that the rules refuse or
    that the referee makes otherwise; then what came out is compared, and the claims last. After a move that is refused
    there is no right outcome: another tile on the table is another round.

    Raises ClaimError for a claim that names nobody.
    """
    claimed = tuple(claims)
    nets = claimed_nets(names_of(record), claimed)
    judgement = judge_round(record)
    ended = judgement.state if judgement.state is not None and judgement.state.has_ended() else None
    divergence = round_divergence(judgement, number)
    if divergence is None and ended is not None:
        divergence = _claim_divergence(judgement, ended, nets, number)
    missing = [] if ended is not None else ["the record ends before the round does"]
    finding = first_finding(judgement)
    return RoundVerdict(
        verdict_on(divergence, not missing),
        summary_of(divergence, not missing, missing, bool(claimed)),
        divergence,
        0 if finding is None else finding.line,
        () if ended is None else tuple(_outcomes(judgement, ended, nets)),
        _deciding_rules(judgement),
        claimed,
        number,
        judgement,
    )


def accounts_after(answer: RoundVerdict) -> tuple[Account, ...]:
    """Accounts after the round by player, in the order of the outcomes; none where there are no outcomes."""
    state = answer.judgement.state
    return tuple(state.accounts) if answer.outcomes and state is not None else ()


def names_of(record: RecordedRound) -> dict[int, str]:
    """What the players of a record are called, which has no names: ``player 2`` sits at seat 2."""
    return {seat: f"player {seat}" for seat in record.setup.seats}


def first_finding(judgement: RoundJudgement) -> Finding | None:
    """The earliest finding: moves in the record's order, then what came out."""
    last = len(judgement.record.deeds) + 1
    return min(judgement.findings, key=lambda one: one.step if one.step >= 0 else last, default=None)


def round_divergence(judgement: RoundJudgement, number: int = 1) -> Divergence | None:
    """The first place at which a judged round disagrees with the rules; None when it agrees.

    ``check`` is ``rules`` for the setup, ``rulings`` for a move and ``settlement`` for what came out; ``piece`` is the
    round's number in its source and ``entry`` the move from 0, or WHOLE. ``before`` tells the round up to there.
    """
    finding = first_finding(judgement)
    if finding is None:
        return None
    recorded, deeds = finding.recorded, judgement.record.deeds
    if not recorded and 0 <= finding.step < len(deeds):
        recorded = deed_text(deeds[finding.step])
    return Divergence(
        "rules" if judgement.state is None else "rulings" if finding.step >= 0 else "settlement",
        finding.message,
        piece=number,
        entry=finding.step,
        rule=finding.rule,
        before=_told(judgement, events_before(judgement, finding.step)),
        recorded=recorded,
        right=finding.right,
    )


def events_before(judgement: RoundJudgement, step: int) -> tuple[Event, ...]:
    """What happened before a recorded move, by its index; WHOLE gives all of it."""
    begins = judgement.begins
    return judgement.events[: begins[step]] if 0 <= step < len(begins) else judgement.events


def _told(judgement: RoundJudgement, events: tuple[Event, ...]) -> str:
    return told_by_street(tell(events, names_of(judgement.record)))


def points_of(account: Account) -> int:
    """What an account has, scored or remembered."""
    return account.score or account.remembered


def _outcomes(judgement: RoundJudgement, ended: Round, nets: Mapping[int, int]) -> Iterator[PlayerOutcome]:
    setup, recorded = ended.setup, judgement.record.end.accounts
    names, is_over = names_of(judgement.record), ended.game_has_ended()
    for player, seat in enumerate(setup.seats):
        scored = sum([event.points for event in _entries(judgement, seat) if event.kind in _CREDITED])
        got = f"{scored} scored, then {account_words(ended.accounts[player])}"
        if is_over:
            got += f", rating {ended.ratings[player]}"
        before = points_of(setup.accounts[player])
        known = recorded is not None and len(recorded) == len(setup.seats)
        yield PlayerOutcome(
            seat,
            names[seat],
            scored,
            points_of(ended.accounts[player]) - before,
            points_of(recorded[player]) - before if recorded is not None and known else None,
            nets.get(seat),
            got,
        )


def _entries(judgement: RoundJudgement, seat: int) -> list[Event]:
    """What the round did to a player's account."""
    kinds = (*_CREDITED, REMEMBERED_CLEARED)
    return [event for event in judgement.events if event.seat == seat and event.kind in kinds]


def _claim_divergence(
    judgement: RoundJudgement, ended: Round, nets: Mapping[int, int], number: int
) -> Divergence | None:
    for one in _outcomes(judgement, ended, nets):
        if one.claimed_net is None or one.claimed_net == one.net:
            continue
        return Divergence(
            "claim",
            f"the outcome claimed for {one.player}",
            piece=number,
            rule=_rule_of_outcome(judgement, ended, one.seat),
            before=_told(judgement, judgement.events),
            recorded=f"{one.player}: {one.claimed_net:+}",
            right=f"{one.player}: {one.net:+} ({one.got})",
        )
    return None


def _rule_of_outcome(judgement: RoundJudgement, ended: Round, seat: int) -> str:
    """The rule behind what a seat's account became: that of its last entry, else why it has none."""
    entries = _entries(judgement, seat)
    if entries:
        return entries[-1].rule
    if ended.ending is Ending.TIMEOUT:
        return "KOZ-17"
    if ended.ending is Ending.FISH and ended.setup.rule_set.fish_scoring is FishScoring.ON_ONE:
        return "KOZ-14" if any([event.kind is SUM_CARRIED for event in judgement.events]) else "KOZ-13"
    return "KOZ-8"


def _deciding_rules(judgement: RoundJudgement) -> tuple[str, ...]:
    ids = [event.rule for event in judgement.events] + [finding.rule for finding in judgement.findings]
    return tuple(dict.fromkeys(ids))
