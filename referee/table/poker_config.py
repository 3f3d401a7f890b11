"""What a table of poker plays, and the check that it can be played at all."""

from dataclasses import dataclass

from referee.dealing.given import GivenDecks, read_decks
from referee.record import wire
from referee.rules.ruleset import BOARD_CARDS, MAX_CHIPS, Limit, RuleSet, RuleSetError, Stakes
from referee.rules.setup import HandSetup, Post, check_setup
from referee.table.config import TableConfig, common_of, known_decks
from referee.table.positions import Positions, first_positions
from referee.table.start import TableStart, check_start, start_message, start_of
from referee.v1 import table_pb2


@dataclass(frozen=True)
class PokerConfig(TableConfig):
    """A table's rules, stakes and stacks, in whole chips.

    Stacks may be topped up to ``top_up_to`` between hands, 0 for not. ``start`` None begins as a new table with equal
    stacks.
    """

    rule_set: RuleSet
    limit: Limit
    stakes: Stakes
    starting_stack: int
    reset_stacks: bool
    top_up_to: int = 0
    start: TableStart | None = None

    def rules(self) -> tuple[str, bytes]:
        """The rule set's full name and its SHA-256."""
        return self.rule_set.full_name, bytes.fromhex(self.rule_set.sha256())

    def first_stack(self, seat: int) -> int:
        """The chips with which a seat begins; 0 for one that nobody takes."""
        return self.starting_stack if self.start is None else self.start.stack(seat)

    def given_decks(self) -> GivenDecks | None:
        """The decks that the host gave, None where they are dealt from seeds; raises DeckTextError."""
        return read_decks(self.decks) if self.decks else None

    def write_game(self, message: table_pb2.TableConfig) -> None:
        """Writes rules, stakes and stacks."""
        message.structure = self.limit  # type: ignore[assignment]
        message.stakes.CopyFrom(wire.stakes_message(self.stakes))
        message.starting_stack = self.starting_stack
        message.reset_stacks = self.reset_stacks
        message.top_up_to = self.top_up_to
        if self.start is not None:
            message.start.CopyFrom(start_message(self.start))
        wire.write_rules(message, self.rule_set)

    def setup(
        self,
        positions: Positions,
        stacks: tuple[int, ...],
        deck: tuple[int, ...],
        hand_id: str,
        show: tuple[int, ...],
        posts: tuple[Post, ...] = (),
    ) -> HandSetup:
        """A hand's setup at these positions; ``stacks`` are those of ``positions.dealt_in``."""
        return HandSetup(
            self.rule_set,
            self.limit,
            self.stakes,
            positions.dealt_in,
            stacks,
            positions.button,
            positions.small_blind,
            positions.big_blind,
            deck,
            posts,
            show_when_beaten=show,
            hand_id=hand_id,
        )


def poker_config_of(message: table_pb2.TableConfig, drawn_seed: bytes) -> PokerConfig:
    """A configuration of poker from its message; ``drawn_seed`` is used when it names none.

    Raises RuleSetError when no hand could be played at such a table, with the rule id that says so.
    """
    named = message.WhichOneof("rules") == "rule_set_name"
    start = start_of(message.start) if message.HasField("start") else None
    config = PokerConfig(
        wire.published_rule_set(message.rule_set_name) if named else wire.rule_set_of(message.rule_set),
        Limit(message.structure),
        wire.stakes_of(message.stakes),
        message.starting_stack,
        message.reset_stacks,
        message.top_up_to,
        start,
        **common_of(message, drawn_seed, message.seats if start is None else len(start.seats)),
    )
    _check(config)
    return config


def _check(config: PokerConfig) -> None:
    if not 2 <= config.players_to_start <= config.seats:
        raise RuleSetError("GAME-4", f"{config.players_to_start} players to start at {config.seats} seats")
    if config.starting_stack * config.seats > MAX_CHIPS:
        raise RuleSetError("POT-7", f"all stacks together pass {MAX_CHIPS} chips")
    if config.start is not None:
        check_start(config.start, config.seats, config.stakes.chip_unit, config.reset_stacks)
        if config.players_to_start > len(config.start.seats):
            raise RuleSetError("GAME-4", f"{config.players_to_start} players to start with fewer stacks")
    _check_top_up(config)
    everybody = tuple(range(1, config.seats + 1))
    stacks = (config.starting_stack,) * config.seats
    known_decks(config, config.seats * config.rule_set.game.hole_cards + BOARD_CARDS, "DEAL-3", "cards")
    check_setup(config.setup(first_positions(config.seats, everybody), stacks, (), "", ()))


def _check_top_up(config: PokerConfig) -> None:
    if not config.top_up_to:
        return
    if config.reset_stacks:
        raise RuleSetError("POT-7", "stacks that every hand begins with again are not topped up")
    if config.top_up_to % config.stakes.chip_unit:
        raise RuleSetError("BET-8", f"top_up_to is not a multiple of {config.stakes.chip_unit}")
    if config.top_up_to > MAX_CHIPS:
        raise RuleSetError("POT-7", f"top_up_to passes {MAX_CHIPS} chips")
