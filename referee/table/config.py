"""What a table plays, and the check that it can be played at all."""

from dataclasses import dataclass
from typing import Final

from referee.dealing.errors import DeckTextError, DeckUnknownError
from referee.dealing.given import GivenDecks, read_decks
from referee.record import wire
from referee.rules.cards import UNKNOWN
from referee.rules.ruleset import BOARD_CARDS, MAX_CHIPS, Limit, RuleSet, RuleSetError, Stakes
from referee.rules.setup import HandSetup, Post, check_setup
from referee.table.clocks import ClockRules
from referee.table.faults import DEFAULT_SIT_OUT_WAIT_MS, FaultPolicy, FaultRules
from referee.table.positions import Positions, first_positions
from referee.table.start import TableStart, check_start, start_message, start_of
from referee.v1 import table_pb2

DEFAULT_REVEAL_MS: Final = 10_000


@dataclass(frozen=True)
class TableConfig:
    """A table's rules, stakes, seats and clocks; times in milliseconds, chips in whole chips.

    ``hands`` 0 means no limit; ``players_to_start`` is how many seats must be taken before the first hand. ``seed`` is
    the referee's seed of the deals, ``match_name`` their match's name; empty for the table's id. Seats have
    ``reveal_ms`` to commit to seeds of their own, and as long to reveal them. ``decks`` is a deck file of the host's.
    Stacks may be topped up to ``top_up_to`` between hands, 0 for not. ``faults`` None counts none (TIME-4).
    At a ``private_table`` the host alone decides who plays and who sees.
    ``start`` None begins as a new table with equal stacks. From the moment ``hands_until_ms`` on no hand begins, 0 for
    never.
    """

    rule_set: RuleSet
    limit: Limit
    stakes: Stakes
    seats: int
    starting_stack: int
    reset_stacks: bool
    hands: int
    players_to_start: int
    clock: ClockRules
    between_hands_ms: int
    seed: bytes
    match_name: str = ""
    reveal_ms: int = DEFAULT_REVEAL_MS
    decks: str = ""
    top_up_to: int = 0
    faults: FaultRules | None = None
    private_table: bool = False
    start: TableStart | None = None
    hands_until_ms: int = 0

    def first_stack(self, seat: int) -> int:
        """The chips with which a seat begins; 0 for one that nobody takes."""
        return self.starting_stack if self.start is None else self.start.stack(seat)

    def given_decks(self) -> GivenDecks | None:
        """The decks that the host gave, None where they are dealt from seeds; raises DeckTextError."""
        return read_decks(self.decks) if self.decks else None

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


def config_of(message: table_pb2.TableConfig, drawn_seed: bytes) -> TableConfig:
    """A configuration from its message; ``drawn_seed`` is used when it names none.

    Raises RuleSetError when no hand could be played at such a table, with the rule id that says so.
    """
    named = message.WhichOneof("rules") == "rule_set_name"
    rule_set = wire.published_rule_set(message.rule_set_name) if named else wire.rule_set_of(message.rule_set)
    clock = message.clock
    start = start_of(message.start) if message.HasField("start") else None
    config = TableConfig(
        rule_set,
        Limit(message.structure),
        wire.stakes_of(message.stakes),
        message.seats,
        message.starting_stack,
        message.reset_stacks,
        message.hands,
        message.players_to_start or (message.seats if start is None else len(start.seats)),
        ClockRules(
            clock.action_ms,
            clock.bank_ms,
            clock.increment_ms,
            clock.latency_allowance_ms,
            clock.reconnect_grace_ms,
        ),
        message.between_hands_ms,
        message.seed or drawn_seed,
        message.match_name,
        message.reveal_ms or DEFAULT_REVEAL_MS,
        message.decks,
        message.top_up_to,
        _fault_rules(message),
        message.private_table,
        start,
        message.hands_until_unix_ms,
    )
    _check(config)
    return config


def _fault_rules(message: table_pb2.TableConfig) -> FaultRules | None:
    if not message.HasField("faults"):
        return None
    wait_ms = message.faults.sit_out_wait_ms or DEFAULT_SIT_OUT_WAIT_MS
    return FaultRules(message.faults.max_faults, FaultPolicy(message.faults.policy), wait_ms)


def _check(config: TableConfig) -> None:
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
    _check_decks(config)
    check_setup(config.setup(first_positions(config.seats, everybody), stacks, (), "", ()))


def _check_top_up(config: TableConfig) -> None:
    if not config.top_up_to:
        return
    if config.reset_stacks:
        raise RuleSetError("POT-7", "stacks that every hand begins with again are not topped up")
    if config.top_up_to % config.stakes.chip_unit:
        raise RuleSetError("BET-8", f"top_up_to is not a multiple of {config.stakes.chip_unit}")
    if config.top_up_to > MAX_CHIPS:
        raise RuleSetError("POT-7", f"top_up_to passes {MAX_CHIPS} chips")


def _check_decks(config: TableConfig) -> None:
    try:
        given = config.given_decks()
    except DeckTextError as error:
        raise RuleSetError("DEAL-3", f"decks: {error}") from error
    if given is None:
        return
    needed = config.seats * config.rule_set.game.hole_cards + BOARD_CARDS
    if not len(given):
        raise RuleSetError("DEAL-3", "decks: there is none")
    for hand in range(1, len(given) + 1):
        try:
            deck = given.deck(0, hand)
        except DeckUnknownError as error:
            raise RuleSetError("DEAL-3", f"decks: {error}") from error
        if len(deck) < needed or UNKNOWN in deck[:needed]:
            raise RuleSetError("DEAL-3", f"decks: hand {hand} needs {needed} known cards")


def config_message(config: TableConfig, with_seed: bool) -> table_pb2.TableConfig:
    """The message of a configuration; the seed and given cards only for the store and the auditor."""
    clock = config.clock
    message = table_pb2.TableConfig(
        structure=config.limit,  # type: ignore[arg-type]
        stakes=wire.stakes_message(config.stakes),
        seats=config.seats,
        starting_stack=config.starting_stack,
        reset_stacks=config.reset_stacks,
        hands=config.hands,
        players_to_start=config.players_to_start,
        clock=table_pb2.ClockRules(
            action_ms=clock.action_ms,
            bank_ms=clock.bank_ms,
            increment_ms=clock.increment_ms,
            latency_allowance_ms=clock.latency_allowance_ms,
            reconnect_grace_ms=clock.reconnect_grace_ms,
        ),
        between_hands_ms=config.between_hands_ms,
        seed=config.seed if with_seed else b"",
        match_name=config.match_name,
        reveal_ms=config.reveal_ms,
        decks=config.decks if with_seed else "",
        top_up_to=config.top_up_to,
        private_table=config.private_table,
        hands_until_unix_ms=config.hands_until_ms,
    )
    if config.faults is not None:
        message.faults.max_faults = config.faults.max_faults
        message.faults.policy = config.faults.policy  # type: ignore[assignment]
        message.faults.sit_out_wait_ms = config.faults.sit_out_wait_ms
    if config.start is not None:
        message.start.CopyFrom(start_message(config.start))
    wire.write_rules(message, config.rule_set)
    return message
