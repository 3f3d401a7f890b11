"""The games that are audited, by a table's configuration."""

from referee.audit.game import AuditedGame
from referee.audit.kozel import AuditedKozel
from referee.audit.poker import AuditedPoker
from referee.table.config import TableConfig
from referee.table.kozel_config import KozelConfig
from referee.table.poker_config import PokerConfig


def audited_game(table_id: str, config: TableConfig) -> AuditedGame:
    """A table of a configuration, as an auditor sees it before anything has happened."""
    if isinstance(config, PokerConfig):
        return AuditedPoker(table_id, config)
    assert isinstance(config, KozelConfig), "there is no third game"
    return AuditedKozel(table_id, config)
