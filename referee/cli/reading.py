"""Options of the commands that read records."""

from pathlib import Path
from typing import Annotated

import typer

from referee.rules.ruleset import RULE_SETS, RuleSet, find_rule_set

RuleSetName = Annotated[
    str | None,
    typer.Option("--rule-set", help="Judge by this rule set, such as irish/full-tilt@1, whatever the record names."),
]
Game = Annotated[
    Path | None, typer.Option("--game", exists=True, help="The contest dealer's game definition for STATE lines.")
]


def chosen_rule_set(name: str | None) -> RuleSet | None:
    """The rule set of a --rule-set option, None if it was not given."""
    if name is None:
        return None
    try:
        return find_rule_set(name)
    except KeyError:
        known = ", ".join(rule_set.full_name for rule_set in RULE_SETS)
        raise typer.BadParameter(f"no rule set {name!r}; there are {known}", param_hint="--rule-set") from None
