"""A finished hand out of the store: folded again, as a record that the judge of its game takes."""

from fractions import Fraction
from typing import Final

from referee.dealing import DeckSource
from referee.kozel.events import Event as KozelEvent
from referee.kozel.state import Round
from referee.record import wire
from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.record.kozel_record import RecordedRound, recorded
from referee.rules.rulings import ActionKind
from referee.rules.state import Hand
from referee.table.config import TableConfig
from referee.table.happenings import Happening, Ruled
from referee.table.table import Table, fold
from referee.v1 import hand_pb2, record_pb2

_STEPS: Final = {
    ActionKind.FOLD: Step.FOLD,
    ActionKind.CHECK: Step.CHECK,
    ActionKind.CALL: Step.CALL,
    ActionKind.BET: Step.BET,
    ActionKind.RAISE: Step.RAISE,
    ActionKind.DISCARD: Step.DISCARD,
    ActionKind.TIMEOUT: Step.TIMEOUT,
    ActionKind.FORFEIT: Step.FORFEIT,
}


def reviewed_hand(
    table_id: str, config: TableConfig, decks: DeckSource | None, happened: list[Happening]
) -> Table | None:
    """The table at the end of a hand, from what is stored of that hand; None when the hand is not finished."""
    table = Table(table_id, config, decks=decks)
    first = happened[0] if happened else None
    if not isinstance(first, record_pb2.StoredEvent) or not first.HasField("hand_began"):
        return None
    for happening in happened:
        fold(table, happening)
    return None if table.hand_is_on else table


def poker_hand(table: Table) -> Hand:
    """The hand of a table of poker that has begun one."""
    hand = table.hand
    assert isinstance(hand, Hand), "a hand of poker has begun"
    return hand


def round_record(table: Table, happened: list[Happening]) -> RecordedRound:
    """The finished round of Kozel as a record."""
    state = table.hand
    assert isinstance(state, Round), "a round has begun"
    events = [one for one in happened if isinstance(one, KozelEvent)]
    return recorded(state.setup, tuple(events))


def hand_record(table: Table, happened: list[Happening]) -> HandRecord:
    """The finished hand as a record: every accepted proposal is a step, time-outs included."""
    hand = poker_hand(table)
    steps = []
    for one in happened:
        if isinstance(one, Ruled) and one.accepted:
            proposal = wire.proposal_of(hand_pb2.Proposal.FromString(one.proposal))
            if proposal.kind != ActionKind.SHOW:
                steps.append(RecordedStep(_STEPS[proposal.kind], one.seat, proposal.to, cards=proposal.cards))
    return HandRecord(
        hand.setup,
        tuple(steps),
        RecordedResult(
            finishing_stacks=tuple(Fraction(stack) for stack in hand.stack),
            collected=tuple(Fraction(paid) for paid in hand.paid),
            rake=hand.rake,
        ),
        tuple(table.seats[seat].name for seat in hand.setup.seats),
        "record",
        rule_set_named=True,
    )
