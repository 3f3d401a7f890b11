"""Which house rules a record is read with, where it names them and where it does not."""

from dataclasses import dataclass
from typing import Final

from referee.rules.ruleset import HOLDEM, RULE_SETS, Game, Limit, RuleSet, RuleSetError, check_rule_set, find_rule_set

HOLDEM_NAME: Final = "hold'em"
IRISH_NAME: Final = "Irish"

LIMIT_NAMES: Final = {
    Limit.NO_LIMIT: "no-limit",
    Limit.POT_LIMIT: "pot-limit",
    Limit.FIXED_LIMIT: "fixed-limit",
}

_DEFAULTS: Final = {
    (HOLDEM_NAME, Limit.NO_LIMIT): "holdem/tda@1",
    (HOLDEM_NAME, Limit.POT_LIMIT): "holdem/tda@1",
    (HOLDEM_NAME, Limit.FIXED_LIMIT): "holdem/online-limit@1",
    (IRISH_NAME, Limit.NO_LIMIT): "irish/full-tilt@1",
    (IRISH_NAME, Limit.POT_LIMIT): "irish/full-tilt@1",
    (IRISH_NAME, Limit.FIXED_LIMIT): "irish/french-limit@1",
}


@dataclass(frozen=True)
class House:
    """The rules a record is read with, and whether somebody named them."""

    rule_set: RuleSet
    named: bool


def game_name(game: Game) -> str:
    """``hold'em`` or ``Irish`` (whenever it discards), or "" for a game that the notations have no name for."""
    if game == HOLDEM:
        return HOLDEM_NAME
    return IRISH_NAME if (game.hole_cards, game.discards) == (4, 2) else ""


def default_rule_set(game: str, limit: Limit) -> RuleSet:
    """The rule set that a record of this game and betting structure is read with when it names none."""
    return find_rule_set(_DEFAULTS[game, limit])


def choose_house(game: str, limit: Limit, given: RuleSet | None, named: str | None) -> House:
    """The caller's rule set before the record's own before the default; raises ValueError for an unfit one."""
    if given is None and named is None:
        return House(default_rule_set(game, limit), False)
    rule_set = given if given is not None else published(named or "")
    if game_name(rule_set.game) != game:
        raise ValueError(f"rule set {rule_set.full_name} is not for {game}")
    if limit not in rule_set.limits:
        raise ValueError(f"rule set {rule_set.full_name} is not played {LIMIT_NAMES[limit]}")
    try:
        check_rule_set(rule_set)
    except RuleSetError as refused:
        raise ValueError(f"rule set {rule_set.full_name}: {refused.message}") from refused
    return House(rule_set, True)


def published(full_name: str) -> RuleSet:
    """A rule set of the rulebook's table by name; raises ValueError that lists them all for another name."""
    try:
        return find_rule_set(full_name)
    except KeyError:
        names = ", ".join(rule_set.full_name for rule_set in RULE_SETS)
        raise ValueError(f"{full_name!r} is not a rule set; there are {names}") from None
