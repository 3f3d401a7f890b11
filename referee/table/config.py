"""What is the same of every table, whatever it plays: seats, clocks, seeds, bounds."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Final

from referee.dealing.errors import DeckTextError, DeckUnknownError
from referee.dealing.given import GivenDecks
from referee.rules.cards import UNKNOWN
from referee.rules.ruleset import RuleSetError
from referee.table.clocks import ClockRules
from referee.table.faults import DEFAULT_SIT_OUT_WAIT_MS, FaultPolicy, FaultRules
from referee.v1 import table_pb2

DEFAULT_REVEAL_MS: Final = 10_000


@dataclass(frozen=True, kw_only=True)
class TableConfig(ABC):
    """A table's seats and clocks; times in milliseconds. What a game adds stands in a class of its own.

    ``hands`` 0 means no limit; ``players_to_start`` is how many seats must be taken before the first hand. ``seed`` is
    the referee's seed of the deals, ``match_name`` their match's name; empty for the table's id. Seats have
    ``reveal_ms`` to commit to seeds of their own, and as long to reveal them. ``decks`` is a deck file of the host's.
    ``faults`` None counts none (TIME-4). At a ``private_table`` the host alone decides who plays and who sees. From the
    moment ``hands_until_ms`` on no hand begins, 0 for never.
    """

    seats: int
    hands: int
    players_to_start: int
    clock: ClockRules
    between_hands_ms: int
    seed: bytes
    match_name: str = ""
    reveal_ms: int = DEFAULT_REVEAL_MS
    decks: str = ""
    faults: FaultRules | None = None
    private_table: bool = False
    hands_until_ms: int = 0

    @abstractmethod
    def rules(self) -> tuple[str, bytes]:
        """The rule set's full name and its SHA-256."""

    @abstractmethod
    def given_decks(self) -> GivenDecks | None:
        """The decks that the host gave, None where they are dealt from seeds; raises DeckTextError."""

    @abstractmethod
    def write_game(self, message: table_pb2.TableConfig) -> None:
        """Writes what the game adds, its rules included."""


def common_of(message: table_pb2.TableConfig, drawn_seed: bytes, players_to_start: int) -> dict[str, Any]:
    """What is the same of every table, from its message; ``drawn_seed`` is used when it names none.

    ``players_to_start`` is how many it takes where the message does not say.
    """
    clock = message.clock
    return {
        "seats": message.seats,
        "hands": message.hands,
        "players_to_start": message.players_to_start or players_to_start,
        "clock": ClockRules(
            clock.action_ms,
            clock.bank_ms,
            clock.increment_ms,
            clock.latency_allowance_ms,
            clock.reconnect_grace_ms,
        ),
        "between_hands_ms": message.between_hands_ms,
        "seed": message.seed or drawn_seed,
        "match_name": message.match_name,
        "reveal_ms": message.reveal_ms or DEFAULT_REVEAL_MS,
        "decks": message.decks,
        "faults": _fault_rules(message),
        "private_table": message.private_table,
        "hands_until_ms": message.hands_until_unix_ms,
    }


def _fault_rules(message: table_pb2.TableConfig) -> FaultRules | None:
    if not message.HasField("faults"):
        return None
    wait_ms = message.faults.sit_out_wait_ms or DEFAULT_SIT_OUT_WAIT_MS
    return FaultRules(message.faults.max_faults, FaultPolicy(message.faults.policy), wait_ms)


def config_message(config: TableConfig, with_seed: bool) -> table_pb2.TableConfig:
    """The message of a configuration; the seed and given decks only for the store and the auditor."""
    clock = config.clock
    message = table_pb2.TableConfig(
        seats=config.seats,
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
        private_table=config.private_table,
        hands_until_unix_ms=config.hands_until_ms,
    )
    if config.faults is not None:
        message.faults.max_faults = config.faults.max_faults
        message.faults.policy = config.faults.policy  # type: ignore[assignment]
        message.faults.sit_out_wait_ms = config.faults.sit_out_wait_ms
    config.write_game(message)
    return message


def known_decks(config: TableConfig, needed: int, rule: str, what: str) -> list[tuple[int, ...]]:
    """The decks that the host gave, each with ``needed`` known items first; none where they are dealt from seeds.

    Raises RuleSetError with the rule for a file that cannot be played from; ``what`` is what decks are made of.
    """
    try:
        given = config.given_decks()
    except DeckTextError as error:
        raise RuleSetError(rule, f"decks: {error}") from error
    if given is None:
        return []
    if not len(given):
        raise RuleSetError(rule, "decks: there is none")
    decks = []
    for hand in range(1, len(given) + 1):
        try:
            deck = given.deck(0, hand)
        except DeckUnknownError as error:
            raise RuleSetError(rule, f"decks: {error}") from error
        if len(deck) < needed or UNKNOWN in deck[:needed]:
            raise RuleSetError(rule, f"decks: hand {hand} needs {needed} known {what}")
        decks.append(deck)
    return decks
