"""The games that tables play: by a configuration's message, and by a configuration."""

from typing import Final

from referee.table.config import TableConfig
from referee.table.game import Game
from referee.table.kozel import Kozel
from referee.table.kozel_config import KozelConfig, kozel_config_of
from referee.table.poker import Poker
from referee.table.poker_config import PokerConfig, poker_config_of
from referee.v1 import table_pb2

KOZEL_NAMES: Final = "kozel/"
"""How the names of Kozel's published rule sets begin."""


def config_of(message: table_pb2.TableConfig, drawn_seed: bytes) -> TableConfig:
    """A configuration from its message, of the game that its rule set is of.

    ``drawn_seed`` is used when it names none. Raises RuleSetError when nothing could be played at such a table, with
    the rule id that says so.
    """
    if message.HasField("kozel_rule_set") or message.rule_set_name.startswith(KOZEL_NAMES):
        return kozel_config_of(message, drawn_seed)
    return poker_config_of(message, drawn_seed)


def game_of(config: TableConfig) -> Game:
    """A new game of a configuration."""
    if isinstance(config, PokerConfig):
        return Poker(config)
    assert isinstance(config, KozelConfig), "there is no third game"
    return Kozel(config)
