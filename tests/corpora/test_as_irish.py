"""Irish on real data: every hold'em showdown of the corpora, replayed as Irish, ends as it did.

Each player is dealt two unused cards more, anywhere among the four, and discards them when the discard round is open.
Betting, boards and the kept cards are those of the record, so nothing else may change.
"""

import random
from collections import Counter
from functools import cache

import pytest

from referee.judge import Judgement, judge_record
from referee.record.hand_record import Step
from referee.rules.cards import SUITS, UNKNOWN
from referee.rules.events import Event, EventKind
from referee.rules.hand import advance, open_seats, propose
from referee.rules.ruleset import IRISH, Limit, RuleSet, Stakes
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.settlement import HandSettlement, settlement
from referee.rules.setup import HandSetup, deck_from
from referee.rules.state import Hand, Phase, apply
from tests.corpora.corpus import (
    GENERATED,
    LIMIT_HEADS_UP,
    NO_LIMIT_THREE,
    PLURIBUS,
    WSOP,
    RoomShowdown,
    judgements,
    needs_corpora,
    room_showdowns,
)
from tests.corpora.irish import as_irish, dealt_as_irish, unused_cards

pytestmark = needs_corpora

SHOWDOWNS = {PLURIBUS: 321, WSOP: 4, LIMIT_HEADS_UP: 627, NO_LIMIT_THREE: 940, GENERATED: 1999}
"""How many hands of each corpus reach a showdown; with the room's 224 that makes 4,115 hands of Irish."""


@cache
def showdowns(name: str) -> tuple[Judgement, ...]:
    """The judged hands of a corpus that were decided by comparing known hands."""
    return tuple(judgement for judgement in judgements(name) if judgement.settlement and judgement.settlement.hands)


def outcome(hand: HandSettlement) -> tuple[object, ...]:
    """What a hand at the showdown was worth and why it was shown, in whatever order its cards were dealt.

    Of two equal cards, one held and one on the board, either may be told as one of the best five.
    """
    ranks = sorted(card // len(SUITS) for card in hand.best_five)
    return hand.seat, sorted(hand.cards), ranks, hand.name, hand.must_show, hand.shown, hand.why


@pytest.mark.rule("GAME-1", "GAME-3", "DISC-1", "DISC-2", "DISC-4", "DISC-7", "RANK-1", "POT-5")
@pytest.mark.parametrize("name", list(SHOWDOWNS))
def test_a_recorded_showdown_ends_the_same_as_irish(name: str) -> None:
    assert len(showdowns(name)) == SHOWDOWNS[name]
    for holdem in showdowns(name):
        irish = judge_record(as_irish(holdem.record))
        place = (name, holdem.record.line)
        assert irish.settlement is not None, place
        assert holdem.settlement is not None, place
        assert irish.settlement.over, place
        assert irish.settlement.players == holdem.settlement.players, place
        assert irish.settlement.pots == holdem.settlement.pots, place
        assert [*map(outcome, irish.settlement.hands)] == [*map(outcome, holdem.settlement.hands)], place
        told = [(finding.rule, finding.message, finding.recorded, finding.right) for finding in irish.findings]
        assert told == [(one.rule, one.message, one.recorded, one.right) for one in holdem.findings], place
        discards = [step for step in irish.steps if step.step.step == Step.DISCARD]
        assert discards, place
        assert all(step.ruling is not None and step.ruling.accepted for step in discards), place


def played_as_irish(showdown: RoomShowdown) -> tuple[Hand, tuple[Event, ...]]:
    """An Irish hand with a room's contributions, all put in before the flop, and its last events.

    How the contributions came about the texts do not say: they are folded in as facts, the live players all-in.
    """
    players = len(showdown.stacks)
    rng = random.Random(showdown.line)
    unused = unused_cards(rng, tuple(card for hole in showdown.holes for card in hole) + showdown.board)
    kept = [() if folded else hole for hole, folded in zip(showdown.holes, showdown.folded, strict=True)]
    holes = tuple(dealt_as_irish(rng, hole, unused) if hole else (UNKNOWN,) * 4 for hole in kept)
    seats = tuple(range(1, players + 1))
    setup = HandSetup(
        RuleSet("test/irish", 1, IRISH, tuple(Limit)),
        Limit.NO_LIMIT,
        Stakes(0, 1),
        seats,
        tuple(put_in + folded for put_in, folded in zip(showdown.contributed, showdown.folded, strict=True)),
        players,
        2 if players == 2 else 1,
        1 if players == 2 else 2,
        deck_from(IRISH.hole_cards, holes, showdown.board),
        recorded_rake=showdown.rake,
    )
    hand = Hand(setup)
    for seat, put_in in zip(seats, showdown.contributed, strict=True):
        apply(hand, Event(EventKind.ANTE_POSTED, "POT-1", seat, put_in))
    for seat, hole in zip(seats, holes, strict=True):
        apply(hand, Event(EventKind.HOLE_DEALT, "DEAL-1", seat, cards=hole))
    for seat, folded in zip(seats, showdown.folded, strict=True):
        if folded:
            apply(hand, Event(EventKind.FOLDED, "BET-2", seat))
    advance(hand)
    happened: tuple[Event, ...] = ()
    while hand.phase == Phase.DISCARDING:
        seat = open_seats(hand)[0]
        player = hand.index_of(seat)
        extra = tuple(card for card in holes[player] if card not in kept[player])
        ruling = propose(hand, Proposal(seat, ActionKind.DISCARD, cards=extra))
        assert ruling.accepted, ruling
        happened = ruling.events
    return hand, happened


@pytest.mark.rule("DISC-4", "DISC-7", "POT-1", "POT-5")
def test_a_room_showdown_ends_the_same_as_irish() -> None:
    kinds: Counter[str] = Counter()
    for showdown in room_showdowns():
        hand, happened = played_as_irish(showdown)
        statement = settlement(hand)
        assert statement.over, showdown.line
        assert happened[-1].kind == EventKind.HAND_ENDED
        pots = [(pot.amount, tuple(sorted(seat - 1 for seat in pot.eligible))) for pot in statement.pots]
        assert pots == list(showdown.pots), showdown.line
        won = [player.won for player in statement.players]
        winners = [bool(amount) for amount in won]
        assert winners == [bool(amount) for amount in showdown.collected], showdown.line
        assert sum(won) + statement.rake == showdown.total, showdown.line
        kinds["same" if won == list(showdown.collected) else "odd chip or spread of rake"] += 1
    # Lines 6 and 53, which tests/corpora/test_showdowns.py explains.
    assert kinds == {"same": 222, "odd chip or spread of rake": 2}
