"""The games that this client plays, by what a table's configuration says."""

from referee.client.game import SeatGame
from referee.client.kozel_game import KozelGame
from referee.client.poker_game import PokerGame
from referee.v1 import table_pb2


def game_of(config: table_pb2.TableConfig, table_id: str) -> SeatGame:
    """The game of a table; raises RuleSetError for rules that this version does not have."""
    if config.HasField("kozel_rule_set") or config.rule_set_name.startswith("kozel/"):
        return KozelGame(config, table_id)
    return PokerGame(config, table_id)
