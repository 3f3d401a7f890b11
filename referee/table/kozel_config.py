"""What a table of Kozel plays, and the check that it can be played at all."""

from dataclasses import dataclass
from typing import Final

from referee.dealing.given import GivenDecks, read_decks
from referee.dealing.items import TILES
from referee.kozel import ruleset
from referee.kozel.ruleset import MIN_PLAYERS, RuleSet, SetupRefusedError, check_rule_set
from referee.kozel.setup import redeal_player
from referee.record import kozel_wire as wire
from referee.rules.ruleset import RuleSetError
from referee.table.config import TableConfig, common_of, known_decks
from referee.table.faults import FaultPolicy
from referee.v1 import table_pb2

_OF_POKER: Final = ("structure", "stakes", "starting_stack", "reset_stacks", "top_up_to", "start")
"""What is said of a table of poker only, by the contract's names."""


@dataclass(frozen=True)
class KozelConfig(TableConfig):
    """A table's rules of Kozel."""

    rule_set: RuleSet

    def rules(self) -> tuple[str, bytes]:
        """The rule set's full name and its SHA-256."""
        return self.rule_set.full_name, bytes.fromhex(self.rule_set.sha256())

    def given_decks(self) -> GivenDecks | None:
        """The decks that the host gave, None where they are dealt from seeds; raises DeckTextError."""
        return read_decks(self.decks, TILES) if self.decks else None

    def write_game(self, message: table_pb2.TableConfig) -> None:
        """Writes the rules: a published rule set goes by its name, another one whole."""
        if self.rule_set in ruleset.RULE_SETS:
            message.rule_set_name = self.rule_set.full_name
        else:
            message.kozel_rule_set.CopyFrom(wire.rule_set_message(self.rule_set))


def kozel_config_of(message: table_pb2.TableConfig, drawn_seed: bytes) -> KozelConfig:
    """A configuration of Kozel from its message; ``drawn_seed`` is used when it names none.

    Raises RuleSetError when no round could be played at such a table, with the rule id that says so.
    """
    named = message.WhichOneof("rules") == "rule_set_name"
    try:
        rule_set = wire.published_rule_set(message.rule_set_name) if named else wire.rule_set_of(message.kozel_rule_set)
        check_rule_set(rule_set)
    except SetupRefusedError as refused:
        raise RuleSetError(refused.rule, refused.message) from refused
    given = {field.name for field, _ in message.ListFields()}
    of_poker = [name for name in _OF_POKER if name in given]
    if of_poker:
        raise RuleSetError("KOZ-1", f"{', '.join(of_poker)}: of poker only; Kozel is played for points")
    config = KozelConfig(rule_set, **common_of(message, drawn_seed, message.seats))
    _check(config)
    return config


def _check(config: KozelConfig) -> None:
    most = config.rule_set.max_seats()
    if not MIN_PLAYERS <= config.seats <= most:
        raise RuleSetError("KOZ-1", f"{config.seats} seats; {config.rule_set.full_name} is for 2 to {most} players")
    if not MIN_PLAYERS <= config.players_to_start <= config.seats:
        raise RuleSetError("KOZ-1", f"{config.players_to_start} players to start at {config.seats} seats")
    if config.faults is not None and config.faults.policy in (FaultPolicy.SIT_OUT, FaultPolicy.FORFEIT_HAND):
        raise RuleSetError("TIME-4", "faults: a game of Kozel is forfeited as a whole, and nobody sits out of it")
    for number, deck in enumerate(known_decks(config, len(config.rule_set.tiles()), "KOZ-1", "tiles"), 1):
        for players in range(config.players_to_start, config.seats + 1):
            if redeal_player(deck, players, config.rule_set) >= 0:
                raise RuleSetError("KOZ-2", f"decks: that of round {number} must be dealt again to {players} players")
