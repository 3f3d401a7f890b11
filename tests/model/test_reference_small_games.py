"""The reference judge against the engine in small games, exhaustively.

Every legal line is followed from the first decision to the end. At every decision on the way, and at the end, every
proposal of a finite menu is made that is refused or accepted: by every seat and one that is not in the hand, every kind
of action, every amount up to more than there is, every choice of discards and some that are none.
"""

import pytest

from tests.model.both_judges import BothJudges
from tests.model.small_games import BOUNDED, FULL, Counted, walk
from tests.support import LONG

rule = pytest.mark.rule

GAMES = BOUNDED | FULL if LONG else BOUNDED


@rule(
    *("BLIND-3", "BLIND-4", "BLIND-5", "BLIND-6", "BET-1", "BET-2", "BET-3", "BET-4", "BET-5", "BET-6", "BET-7"),
    *("SIZE-1", "SIZE-2", "SIZE-3", "SIZE-4", "SIZE-5", "SIZE-6", "SIZE-7", "SIZE-8", "SIZE-9", "OPEN-2", "OPEN-4"),
    *("DISC-1", "DISC-2", "DISC-6", "DISC-8", "POT-1", "POT-2", "POT-6", "SHOW-1", "SHOW-2", "SHOW-4", "TIME-2"),
)
@pytest.mark.parametrize("name", GAMES)
def test_both_judges_say_the_same_everywhere_in_a_small_game(name: str) -> None:
    counted = Counted()
    walk(BothJudges(GAMES[name]), counted, all_discards=LONG, wrong_folds="against the rules" in name)
    print(f"{name}: {counted.lines} lines, {counted.points} points, {counted.proposals} proposals")
    assert counted.lines > 1
