"""The reference judge (spec/reference) against the engine: random hands, every decision, nets of illegal proposals.

A failing hand is named by its seed: ``random_setup(random.Random(seed))`` makes it again.
"""

import pytest

from tests.model.following import follow, follow_wrong_actions
from tests.support import scale

rule = pytest.mark.rule

BLOCKS = 10
HANDS = scale(200, 40_000)
NET_HANDS = scale(40, 4_000)
IMPOSED_HANDS = scale(100, 5_000)


def seeds(total: int, block: int) -> range:
    return range(block * total // BLOCKS, (block + 1) * total // BLOCKS)


@rule(
    *("GAME-1", "GAME-3", "DEAL-1", "DEAL-3", "BLIND-1", "BLIND-2", "BLIND-3", "BLIND-4", "BLIND-5", "BLIND-6"),
    *("BET-1", "BET-2", "BET-3", "BET-4", "BET-5", "BET-6", "BET-7", "BET-8", "BET-9"),
    *("SIZE-1", "SIZE-2", "SIZE-3", "SIZE-4", "SIZE-5", "SIZE-6", "SIZE-7", "SIZE-8", "SIZE-9"),
    *("OPEN-1", "OPEN-2", "OPEN-3", "OPEN-4", "DISC-1", "DISC-2", "DISC-4", "DISC-5", "DISC-6", "DISC-7", "DISC-8"),
    *("POT-1", "POT-2", "POT-3", "POT-4", "POT-5", "POT-6", "POT-7", "POT-8", "TIME-2"),
    *("SHOW-1", "SHOW-2", "SHOW-3", "SHOW-4", "SHOW-5", "SHOW-6", "SHOW-7", "RANK-1", "RANK-2", "RANK-3", "RANK-4"),
)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_both_judges_say_the_same_in_random_hands(block: int) -> None:
    for seed in seeds(HANDS, block):
        try:
            follow(f"both {seed}", 0, 0.9)
        except Exception as failure:
            raise AssertionError(f"seed both {seed}: {failure}") from failure


@rule("BET-2", "BET-8", "BET-9", "DISC-2", "DISC-6", "SIZE-2", "SHOW-2", "SHOW-8")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_both_judges_refuse_the_same_for_the_same_reason(block: int) -> None:
    for seed in seeds(NET_HANDS, block):
        try:
            follow(f"net {seed}", 0.5, 0.7)
        except Exception as failure:
            raise AssertionError(f"seed net {seed}: {failure}") from failure


@rule("BET-8", "POT-2", "POT-3", "OPEN-2", "SIZE-8")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_both_judges_go_on_alike_after_a_wrong_action_taken_as_a_fact(block: int) -> None:
    """Somebody else's record goes on after what is refused: levels, sizes and pots that lawful play never makes."""
    for seed in seeds(IMPOSED_HANDS, block):
        try:
            follow_wrong_actions(f"imposed {seed}")
        except Exception as failure:
            raise AssertionError(f"seed imposed {seed}: {failure}") from failure
