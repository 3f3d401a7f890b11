"""From the contract's messages to what a bot works with. What a newer server adds is ignored, never guessed at."""

from enum import IntEnum
from typing import Final

from referee.record import wire
from referee.rules import ruleset
from referee.rules.events import Event, EventKind
from referee.rules.ruleset import Limit, RuleSet, RuleSetError, Stakes
from referee.rules.rulings import BET, RAISE, LegalOptions, Reason, Ruling
from referee.rules.setup import HandSetup, Post
from referee.v1 import hand_pb2, table_pb2

_EVENT_KINDS: Final = frozenset([int(kind) for kind in EventKind])
_REASONS: Final = frozenset([int(reason) for reason in Reason])


def event_of(message: hand_pb2.Event) -> Event | None:
    """An event, or None for a kind that this version does not know."""
    return wire.event_of(message) if message.kind in _EVENT_KINDS else None


def options_of(message: hand_pb2.LegalOptions) -> LegalOptions:
    """What is legal."""
    return LegalOptions(
        message.seat,
        message.decision_id,
        message.can_fold,
        message.can_check,
        message.amount_to_call,
        RAISE if message.wager == hand_pb2.WAGER_KIND_RAISE else BET,
        message.min_raise_to,
        message.max_raise_to,
        message.raise_step or 1,
        message.cards_to_discard,
        wire.cards_of(list(message.held_cards)),
    )


def ruling_of(message: hand_pb2.Ruling) -> Ruling:
    """A ruling; a reason that this version does not know is left out, its rule and sentence remain."""
    events = [event_of(event) for event in message.events]
    return Ruling(
        message.accepted,
        message.rule,
        tuple([event for event in events if event is not None]),
        Reason(message.reason) if message.reason in _REASONS else None,
        message.message,
        options_of(message.legal) if message.HasField("legal") else None,
        message.warning,
    )


_OPTIONS: Final[dict[str, type[IntEnum]]] = {
    "showdown_order": ruleset.ShowdownOrder,
    "all_in_exposure": ruleset.AllInExposure,
    "button_rule": ruleset.ButtonRule,
    "open_fold": ruleset.OpenFold,
    "cap_heads_up": ruleset.CapHeadsUp,
    "discard_timeout": ruleset.DiscardTimeout,
    "deck_reveal": ruleset.DeckReveal,
    "late_minimum": ruleset.LateMinimum,
}
"""Options of a rule set that the referee decides by and a seat's view does not need."""


def _rule_set_of(message: hand_pb2.RuleSet) -> RuleSet:
    """A rule set of a host's own; options of a newer contract are read as the default.

    Raises RuleSetError where the game itself is not known to this version.
    """
    known = hand_pb2.RuleSet()
    known.CopyFrom(message)
    for name, kind in _OPTIONS.items():
        if getattr(known, name) not in frozenset([int(option) for option in kind]):
            known.ClearField(name)
    try:
        return wire.rule_set_of(known)
    except ValueError as unknown:
        raise RuleSetError("GAME-3", f"this version does not know the game: {unknown}") from unknown


class TableRules:
    """What a table plays, as far as a seat needs it: rule set, structure and stakes."""

    def __init__(self, config: table_pb2.TableConfig) -> None:
        """Raises RuleSetError for a published rule set or a game that this version does not have."""
        self.rule_set: RuleSet
        if config.WhichOneof("rules") == "rule_set":
            self.rule_set = _rule_set_of(config.rule_set)
        else:
            self.rule_set = wire.published_rule_set(config.rule_set_name)
        self.limit = Limit(config.structure)
        self.stakes: Stakes = wire.stakes_of(config.stakes)

    def setup(self, began: table_pb2.HandBegan) -> HandSetup:
        """The setup of a hand that began, without its cards."""
        players = began.players
        return HandSetup(
            self.rule_set,
            self.limit,
            self.stakes,
            tuple([player.seat for player in players]),
            tuple([player.stack for player in players]),
            began.button_seat,
            began.small_blind_seat,
            began.big_blind_seat,
            posts=tuple(
                [
                    Post(player.seat, player.live_post, player.dead_post)
                    for player in players
                    if player.live_post or player.dead_post
                ]
            ),
            hand_id=began.hand_id,
        )
