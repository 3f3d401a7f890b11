"""The PHH that is written means the same to pokerkit, the notation's reference implementation, and the other way round.

Compared is what the two must agree on whatever their rules: who has what after antes, blinds and posts, and how a hand
ends whose actions pokerkit accepts all. How the two differ in rules, the tests in tests/differential say.
"""

import random
from contextlib import suppress
from decimal import Decimal

import pytest
from pokerkit import HandHistory, State

from referee.judge import judge_record
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import read_text, write_phh
from referee.record.notation.ledger import Ledger
from referee.rules.ruleset import HOLDEM, Limit
from referee.rules.setup import NOBODY
from tests.notation.hands import random_phh
from tests.support import scale


def worth(chips: int, record: HandRecord) -> Decimal:
    return chips * record.unit


def is_deep(record: HandRecord) -> bool:
    """Whether everybody can pay whatever he posts: whoever cannot, the two rule books treat differently."""
    stakes = record.setup.stakes
    return min(record.setup.stacks) > 2 * stakes.big_blind + stakes.ante + stakes.small_blind


def shared_hands(count: int) -> list[HandRecord]:
    """Random hands of the variants that PHH has itself."""
    hands = []
    for seed in range(count * 40):
        record = random_phh(random.Random(seed))
        setup = record.setup
        if setup.rule_set.game == HOLDEM and setup.limit != Limit.POT_LIMIT and is_deep(record):
            hands.append(record)
        if len(hands) == count:
            break
    return hands


def test_posted_chips_are_the_same_to_pokerkit() -> None:
    hands = shared_hands(scale(60, 600))
    assert len(hands) == scale(60, 600)
    told = {(len(record.setup.seats) == 2, bool(record.setup.posts)) for record in hands}
    assert told >= {(True, False), (False, False), (False, True)}
    for record in hands:
        state: State = HandHistory.loads(write_phh(record)).create_state()
        ledger = Ledger(record.setup)
        assert [Decimal(stack) for stack in state.stacks] == [worth(chips, record) for chips in ledger.stack]
        assert [Decimal(bet) for bet in state.bets] == [worth(chips, record) for chips in ledger.bet]
        assert state.player_count == len(record.setup.seats)


def test_whole_hands_end_the_same_for_pokerkit() -> None:
    ended = 0
    for record in shared_hands(scale(100, 1_000)):
        if record.setup.small_blind_seat == NOBODY or record.setup.posts or record.result.rake:
            continue  # Who acts first after these, and what is taken, pokerkit has no record of.
        history = HandHistory.loads(write_phh(record))
        played, stacks = [], []
        with suppress(ValueError):
            for state, action in history.state_actions:
                played.append(action)
                stacks = list(state.stacks)
        if [action for action in played if action] != history.actions:
            continue  # pokerkit's rules refuse one, such as a raise by half a bet, and it goes on as it sees fit.
        ended += 1
        mine = judge_record(record).settlement
        assert mine is not None
        odd_chips = sum(len(pot.winners) > 1 for pot in mine.pots) * record.unit  # Split into parts there.
        for stack, player in zip(stacks, mine.players, strict=True):
            assert abs(Decimal(stack) - worth(player.stack_after, record)) <= odd_chips, write_phh(record)
    assert ended > scale(100, 1_000) // 5


@pytest.mark.parametrize("limit", ["NT", "FT"])
def test_what_pokerkit_writes_is_read(limit: str) -> None:
    for record in shared_hands(scale(60, 600)):
        history = HandHistory.loads(write_phh(record))
        if history.variant != limit:
            continue
        (read,) = read_text(history.dumps(), "pokerkit")
        assert not isinstance(read, NotationError), read
        (mine,) = read_text(write_phh(record), "mine")
        assert isinstance(mine, HandRecord)
        assert (read.setup, read.steps, read.result) == (mine.setup, mine.steps, mine.result)
