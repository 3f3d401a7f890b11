"""Options of the commands that read records."""

from pathlib import Path
from typing import Annotated

import typer

from referee.record.rule_sets import AnyRuleSet, find_any_rule_set

RuleSetName = Annotated[
    str | None,
    typer.Option("--rule-set", help="Judge by this rule set, such as irish/full-tilt@1, whatever the record names."),
]
Game = Annotated[
    Path | None, typer.Option("--game", exists=True, help="The contest dealer's game definition for STATE lines.")
]


def chosen_rule_set(name: str | None) -> AnyRuleSet | None:
    """The rule set of a --rule-set option, of whatever game; None if it was not given."""
    if name is None:
        return None
    try:
        return find_any_rule_set(name)
    except KeyError as unknown:
        raise typer.BadParameter(unknown.args[0], param_hint="--rule-set") from None
