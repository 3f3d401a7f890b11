"""Hunts for a difference between the engine and the reference judge: ``python -m tests.model.hunt [HANDS]``.

Cheap places first: a few random hands, setups, small games, then up to HANDS random hands with nets of proposals.
Exit code 0: no difference; 7: the first one is printed. An exception of any other kind is not a difference.
"""

import random
import sys
from collections.abc import Callable, Iterator

from referee.rules.cards import card_text
from referee.rules.ranking import hand_class_of, ranks_of, strength
from referee.rules.ruleset import RULE_SETS
from referee.second_opinion import JudgesDifferError, reference_setup
from referee_reference import ranking
from referee_reference.refused_setups import broken_rules
from tests.model.both_judges import BothJudges
from tests.model.following import follow, follow_wrong_actions
from tests.model.setups import faulty, refused_by
from tests.model.small_games import BOUNDED, Counted, walk
from tests.support import NL, setup_of

DIFFERENCE_FOUND = 7


def hunt(hands: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Where to look, in order, each with its name."""
    for rule_set in RULE_SETS:
        limit = NL if NL in rule_set.limits else rule_set.limits[0]
        yield rule_set.full_name, lambda rule_set=rule_set, limit=limit: BothJudges(setup_of([99] * 3, rule_set, limit))
    for seed in range(40):
        yield f"hand {seed}", lambda seed=seed: follow(f"hunt {seed}", 0.1, 0.9)
    for seed in range(20):
        yield f"ranking {seed}", lambda seed=seed: same_ranking(seed)
    for seed in range(500):
        yield f"setup {seed}", lambda seed=seed: same_refusal(seed)
    for name, setup in sorted(BOUNDED.items(), key=lambda game: sum(game[1].stacks) // game[1].stakes.big_blind):
        wrong = "against the rules" in name
        yield name, lambda setup=setup, wrong=wrong: walk(BothJudges(setup), Counted(), False, wrong)
    for seed in range(500, 2_000):
        yield f"setup {seed}", lambda seed=seed: same_refusal(seed)
    for seed in range(40, hands):
        yield f"hand {seed}", lambda seed=seed: follow(f"hunt {seed}", 0.15, (0.9, 0.3)[seed % 4 == 0])
        yield f"wrong actions {seed}", lambda seed=seed: follow_wrong_actions(f"hunt {seed}")


def same_refusal(seed: int) -> None:
    """One setup, most likely refused: by both, and by a rule that it breaks."""
    setup = faulty(random.Random(f"hunt {seed}"))
    broken, rule_id = broken_rules(reference_setup(setup)), refused_by(setup)
    assert (rule_id in broken) if broken else rule_id is None, f"the engine says {rule_id}, the reference {broken}"


def same_ranking(seed: int) -> None:
    """Some hundred hands of seven cards, straights and flushes more often than they come."""
    rng = random.Random(f"hunt {seed}")
    for _ in range(100):
        suits = rng.choice(((0, 1, 2, 3), (0, 1), (2,)))
        cards = tuple(rng.sample([card for card in range(52) if card % 4 in suits], 7))
        value = strength(cards)
        mine = ranking.best_strength(tuple(map(card_text, cards)))
        assert (int(hand_class_of(value)), ranks_of(value)) == mine, f"{cards}: the reference judge says {mine}"


def main() -> int:
    """Looks everywhere until there is a difference."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for name, look in hunt(hands):
        try:
            look()
        except (JudgesDifferError, AssertionError) as found:
            if isinstance(found, AssertionError) and not is_comparison(found):
                raise
            print(f"{name}: {found}")
            return DIFFERENCE_FOUND
    print(f"no difference in {hands} hands, the setups, and {len(BOUNDED)} small games")
    return 0


def is_comparison(failure: AssertionError) -> bool:
    """Whether the assertion that failed is one of the comparison, not one inside the engine or of a helper."""
    last = failure.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and "/tests/model/" in last.tb_frame.f_code.co_filename


if __name__ == "__main__":
    sys.exit(main())
