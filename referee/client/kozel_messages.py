"""From the contract's messages of Kozel to what a bot works with; what a newer server adds is ignored."""

from typing import Final

from referee.kozel.events import End, Event, EventKind
from referee.kozel.ruleset import RuleSet, SetupRefusedError
from referee.kozel.rulings import LegalOptions, Move, Reason, Ruling
from referee.kozel.setup import RoundSetup
from referee.kozel.tiles import parse_tile
from referee.record import kozel_wire as wire
from referee.rules.ruleset import RuleSetError
from referee.v1 import kozel_pb2, table_pb2

_EVENT_KINDS: Final = frozenset([int(kind) for kind in EventKind])
_REASONS: Final = frozenset([int(reason) for reason in Reason])


def event_of(message: kozel_pb2.KozelEvent) -> Event | None:
    """An event, or None for a kind that this version does not know."""
    return wire.event_of(message) if message.kind in _EVENT_KINDS else None


def options_of(message: kozel_pb2.KozelOptions) -> LegalOptions:
    """What is legal."""
    return LegalOptions(
        message.seat,
        message.decision_id,
        tuple([Move(parse_tile(move.tile), End(move.end)) for move in message.moves]),
        wire.tiles_of(message.held),
    )


def ruling_of(message: kozel_pb2.KozelRuling) -> Ruling:
    """A ruling; a reason that this version does not know is left out, its rule and sentence remain."""
    events = [event_of(event) for event in message.events]
    return Ruling(
        message.accepted,
        message.rule,
        tuple([event for event in events if event is not None]),
        Reason(message.reason) if message.reason in _REASONS else None,
        message.message,
        options_of(message.options) if message.HasField("options") else None,
    )


def rule_set_of(config: table_pb2.TableConfig) -> RuleSet:
    """What a table plays; raises RuleSetError for a rule set, or a reading of the fish, that this version lacks."""
    try:
        if config.HasField("kozel_rule_set"):
            return wire.rule_set_of(config.kozel_rule_set)
        return wire.published_rule_set(config.rule_set_name)
    except SetupRefusedError as refused:
        raise RuleSetError(refused.rule, refused.message) from refused
    except ValueError as unknown:
        raise RuleSetError("KOZ-7", f"this version does not know the game: {unknown}") from unknown


def setup_of(rule_set: RuleSet, began: table_pb2.HandBegan) -> RoundSetup:
    """The setup of a round that began, without its decks."""
    return RoundSetup(
        rule_set,
        tuple([player.seat for player in began.players]),
        (),
        tuple([wire.account_of(account) for account in began.kozel.accounts]),
        began.kozel.leader_seat,
        began.kozel.carry,
        began.hand_id,
    )
