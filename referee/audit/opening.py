"""A table's first entry: what it plays, and whether everybody was told the same."""

from typing import Any, NamedTuple

from referee.audit.reading import Item
from referee.rules.ruleset import MAX_SEATS, MIN_SEATS, RuleSetError
from referee.table.config import TableConfig
from referee.table.games import config_of
from referee.v1 import table_pb2


class RulesFault(NamedTuple):
    """What is wrong with a table's rules: in a sentence, with the rule that says so, recorded and right."""

    message: str
    rule: str
    recorded: str = ""
    right: str = ""


def opened_in(item: Item) -> table_pb2.TableOpened:
    """What everybody was told when the table was opened."""
    content: Any = item.content
    opened: table_pb2.TableOpened = content.opened if item.whole else content
    return opened


def config_in(item: Item) -> TableConfig:
    """The configuration of a table as everybody is told it. Raises RuleSetError when no hand can be played at it."""
    told = opened_in(item).config
    if not MIN_SEATS <= told.seats <= MAX_SEATS:  # before anything is made of so many seats
        raise RuleSetError("GAME-4", f"{told.seats} seats")
    try:
        return config_of(told, b"")
    except (ValueError, KeyError) as error:
        if isinstance(error, RuleSetError):
            raise
        raise RuleSetError("GAME-3", f"a value that no rule set has: {error}") from error


def opening_faults(item: Item, config: TableConfig, table_id: str) -> list[RulesFault]:
    """What does not fit in a table's first entry: the rule set's name and hash, the match's name, the hidden part."""
    opened = opened_in(item)
    name, digest = config.rules()
    sha256 = digest.hex()
    own = opened.config.rule_set.sha256 or opened.config.kozel_rule_set.sha256
    match_name = opened.config.match_name or table_id
    faults = []
    for what, recorded, right in (
        ("another rule set's name", opened.rule_set_name, name),
        ("another hash of the rule set", opened.rule_set_sha256.hex(), sha256),
        ("another hash of the rule set", own or sha256, sha256),
        ("another match's name", opened.match_name, match_name),
    ):
        if recorded != right:
            faults.append(RulesFault(what, "GAME-3", recorded, right))
    if item.whole and _as_told(item.content.config) != opened.config:
        faults.append(RulesFault("the table plays otherwise than everybody is told", "GAME-3"))
    return faults


def _as_told(config: table_pb2.TableConfig) -> table_pb2.TableConfig:
    stored = table_pb2.TableConfig()
    stored.CopyFrom(config)
    stored.ClearField("seed")
    stored.ClearField("decks")
    return stored
