"""From a table's sealed record to the results of its hands; pure, so that it can run in other processes."""

from dataclasses import replace
from typing import Final, NamedTuple, TypeGuard

from referee.audit.reading import ReadPiece, read_piece
from referee.contest.kozel import game_result, game_text
from referee.contest.notating import hand_phh
from referee.contest.results import FORFEITED, LATE, REFUSED, AppliedFault, HandResult, forfeited_hands, hand_result
from referee.contest.schedule import TablePlan
from referee.dealing import DeckSource
from referee.kozel.events import Event as KozelEvent
from referee.kozel.state import Round
from referee.record.bundle import read_bundle
from referee.record.kozel_record import RecordedRound
from referee.rules.events import Event
from referee.table.clocks import ClockRules, is_late
from referee.table.fields import KOZEL
from referee.table.games import config_of
from referee.table.happenings import Happening, Ruled, happening_in, refusal_name, ruling_of
from referee.table.kozel_config import KozelConfig
from referee.table.poker_config import PokerConfig
from referee.table.records import poker_hand, reviewed_hand, round_record
from referee.v1 import hand_pb2, record_pb2, table_pb2
from referee.v1.kozel_pb2 import KozelProposal

NOT_KEPT: Final = "NOT_KEPT"
"""The reason of refused proposals of which the record keeps only how many there were."""


class RecordError(ValueError):
    """A record that is not the whole record of the table; the message says what is missing."""


class CollectedTable(NamedTuple):
    """The hands of a table with their PHH, and whether the record ends with the table's end."""

    hands: list[tuple[HandResult, str]]
    is_whole: bool


def collect(plan: TablePlan, bundle_file: bytes, unplayed_hand_chips: int = 0) -> CollectedTable:
    """The results of a table's hands out of the auditor's bundle of its record.

    A hand that a forfeit left unplayed costs ``unplayed_hand_chips``, 0 for a big blind (TIME-4). Raises
    BundleFormatError for a file that is no bundle, RecordError for one that is not this table's.
    """
    pieces = [read_piece(piece) for piece in read_bundle(bundle_file).pieces]
    happened = [one for piece in pieces for one in _of_piece(piece)]
    if not happened or not isinstance(happened[0][1], record_pb2.StoredEvent):
        raise RecordError(f"{plan.name}: the record does not begin with the table's opening")
    opened = happened[0][1].opened
    config = config_of(opened.config, b"")
    by_hand: dict[int, list[Happening]] = {}
    is_whole = False
    for hand, happening in happened:
        by_hand.setdefault(hand, []).append(happening)
        is_whole |= isinstance(happening, record_pb2.StoredEvent) and happening.HasField("ended")
    if isinstance(config, KozelConfig):
        return _game_of_kozel(plan, config, by_hand, is_whole)
    if not isinstance(config, PokerConfig):
        raise RecordError(f"{plan.name}: this is no record of a game that contests play")
    decks = config.given_decks()
    # Read once: a table would read its deck file for every hand that is folded.
    config = replace(config, decks="")
    hands = [_hand(plan, config, decks, number, own) for number, own in sorted(by_hand.items()) if number]
    played = [one for one in hands if one is not None]
    forfeiters = [one.fault_applied.seat for _, one in happened if _is_forfeit(one)]
    if forfeiters and len(plan.players) == 2:
        forfeiter = plan.players[forfeiters[0] - 1]
        price = unplayed_hand_chips or config.stakes.big_blind
        unplayed = forfeited_hands(plan, len(played), forfeiter, price)
        played += [(one, "") for one in unplayed]
    return CollectedTable(played, is_whole)


def _game_of_kozel(
    plan: TablePlan, config: KozelConfig, by_hand: dict[int, list[Happening]], is_whole: bool
) -> CollectedTable:
    """The game of a table of Kozel; none where it did not come to its end."""
    decks = config.given_decks()
    config = replace(config, decks="")
    rounds: list[RecordedRound] = []
    last: Round | None = None
    for _, happened in sorted(by_hand.items()):
        of_round = happened[_beginning(happened) :]
        table = reviewed_hand(plan.name, config, decks, of_round)
        if table is not None:
            rounds.append(round_record(table, of_round))
            last = table.hand if isinstance(table.hand, Round) else None
    if last is None or not last.game_has_ended():
        return CollectedTable([], is_whole)
    faults = _faults(plan, config.clock, {}, [one for happened in by_hand.values() for one in happened])
    return CollectedTable([(game_result(plan, last, faults), game_text(plan, rounds))], is_whole)


def _is_forfeit(happening: Happening) -> TypeGuard[record_pb2.StoredEvent]:
    if not isinstance(happening, record_pb2.StoredEvent) or not happening.HasField("fault_applied"):
        return False
    return happening.fault_applied.policy == table_pb2.FAULT_POLICY_FORFEIT_MATCH


def _of_piece(piece: ReadPiece) -> list[tuple[int, Happening]]:
    found = []
    for item in piece.items:
        stored = item.closed
        if stored:
            found.append((item.hand, happening_in(stored)))
        elif isinstance(item.content, Event | KozelEvent):
            found.append((item.hand, item.content))
        elif item.kind == "ended":
            found.append((item.hand, record_pb2.StoredEvent(ended=item.content)))
        elif item.kind == "fault_applied":
            found.append((item.hand, record_pb2.StoredEvent(fault_applied=item.content)))
    return found


def _hand(
    plan: TablePlan, config: PokerConfig, decks: DeckSource | None, number: int, happened: list[Happening]
) -> tuple[HandResult, str] | None:
    """A hand that was finished; None for one that was not."""
    of_hand = happened[_beginning(happened) :]
    table = reviewed_hand(plan.name, config, decks, of_hand)
    if table is None:
        return None
    hand = poker_hand(table)
    events = tuple([one for one in of_hand if isinstance(one, Event)])
    place = (plan.match, plan.number, plan.seating, plan.place_of(number)[0], number)
    faults = _faults(plan, config.clock, table.banks_at_start, happened)
    result = hand_result(place, hand, events, plan.players, faults)
    return result, hand_phh(result.name, hand, events, plan.players)


def _beginning(happened: list[Happening]) -> int:
    for at, one in enumerate(happened):
        if isinstance(one, record_pb2.StoredEvent) and one.HasField("hand_began"):
            return at
    return len(happened)


def _faults(
    plan: TablePlan, clock: ClockRules, banks: dict[int, int], happened: list[Happening]
) -> tuple[AppliedFault, ...]:
    """Refused proposals, decisions that the clock answered and forfeited hands, with how often each came.

    ``banks`` are the seats' time banks as the hand began.
    """
    banks = dict(banks)
    counts: dict[AppliedFault, int] = {}

    def count(fault: AppliedFault, times: int) -> None:
        counts[fault] = counts.get(fault, 0) + times

    for one in happened:
        if isinstance(one, Ruled):
            name = plan.players[one.seat - 1]
            for fault in _faults_in(name, one, is_late(clock, banks.get(one.seat, 0), one.elapsed_ms)):
                count(fault, 1)
            banks[one.seat] = one.bank_ms
            if one.accepted and one.unkept:
                count(AppliedFault(name, REFUSED, "BET-8", NOT_KEPT), one.unkept)
    return tuple([fault._replace(times=times) for fault, times in counts.items()])


def _faults_in(name: str, one: Ruled, late: bool) -> list[AppliedFault]:
    """The faults of one ruling: a hand may be forfeited by being late, or for refusals that are counted already."""
    if not one.accepted:
        return [AppliedFault(name, REFUSED, ruling_of(one).rule, refusal_name(one))]
    if one.fields is KOZEL:
        is_time_out = KozelProposal.FromString(one.proposal).HasField("timeout") and not one.request_id
        return [AppliedFault(name, LATE, "KOZ-17", "timeout")] if is_time_out else []
    kind = "" if one.request_id else hand_pb2.Proposal.FromString(one.proposal).action.WhichOneof("action")
    was_late = AppliedFault(name, LATE, "TIME-2", "timeout")
    if kind == "forfeit":
        return [*([was_late] if late else []), AppliedFault(name, FORFEITED, "TIME-4", "HAND_FORFEITED")]
    return [was_late] if kind == "timeout" else []
