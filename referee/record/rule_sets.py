"""The published rule sets of all games, by name."""

from typing import Final

from referee.kozel import ruleset as kozel
from referee.kozel.ruleset import RuleSet as KozelRuleSet
from referee.rules import ruleset as poker
from referee.rules.ruleset import RuleSet

AnyRuleSet = RuleSet | KozelRuleSet
"""A rule set of a game."""

RULE_SETS: Final[tuple[AnyRuleSet, ...]] = (*poker.RULE_SETS, *kozel.RULE_SETS)
"""Every published rule set; poker's are the first, its default the very first."""

_BY_NAME: Final = {rule_set.full_name: rule_set for rule_set in RULE_SETS}


def find_any_rule_set(full_name: str) -> AnyRuleSet:
    """Finds a published rule set of any game by ``name@version``.

    Raises KeyError, whose message names those that there are, for any other name.
    """
    found = _BY_NAME.get(full_name)
    if found is None:
        raise KeyError(f"no rule set is published as {full_name!r}; there are {', '.join(_BY_NAME)}")
    return found
