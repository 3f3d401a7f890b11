from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BettingStructure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BETTING_STRUCTURE_UNSPECIFIED: _ClassVar[BettingStructure]
    BETTING_STRUCTURE_NO_LIMIT: _ClassVar[BettingStructure]
    BETTING_STRUCTURE_POT_LIMIT: _ClassVar[BettingStructure]
    BETTING_STRUCTURE_FIXED_LIMIT: _ClassVar[BettingStructure]

class DiscardPoint(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISCARD_POINT_UNSPECIFIED: _ClassVar[DiscardPoint]
    DISCARD_POINT_BEFORE_FLOP: _ClassVar[DiscardPoint]
    DISCARD_POINT_BEFORE_FLOP_BETTING: _ClassVar[DiscardPoint]
    DISCARD_POINT_AFTER_FLOP_BETTING: _ClassVar[DiscardPoint]

class DiscardVisibility(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISCARD_VISIBILITY_UNSPECIFIED: _ClassVar[DiscardVisibility]
    DISCARD_VISIBILITY_HIDDEN: _ClassVar[DiscardVisibility]
    DISCARD_VISIBILITY_SHOWN: _ClassVar[DiscardVisibility]
    DISCARD_VISIBILITY_JOINS_BOARD: _ClassVar[DiscardVisibility]

class ShowdownOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHOWDOWN_ORDER_UNSPECIFIED: _ClassVar[ShowdownOrder]
    SHOWDOWN_ORDER_WALK_BACK: _ClassVar[ShowdownOrder]
    SHOWDOWN_ORDER_FINAL_ROUND: _ClassVar[ShowdownOrder]

class AllInExposure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ALL_IN_EXPOSURE_UNSPECIFIED: _ClassVar[AllInExposure]
    ALL_IN_EXPOSURE_ORDERED: _ClassVar[AllInExposure]
    ALL_IN_EXPOSURE_SHOW_ALL: _ClassVar[AllInExposure]
    ALL_IN_EXPOSURE_TABLE_ALL: _ClassVar[AllInExposure]

class ButtonRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUTTON_RULE_UNSPECIFIED: _ClassVar[ButtonRule]
    BUTTON_RULE_MOVING: _ClassVar[ButtonRule]
    BUTTON_RULE_DEAD: _ClassVar[ButtonRule]

class OpenFold(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPEN_FOLD_UNSPECIFIED: _ClassVar[OpenFold]
    OPEN_FOLD_REFUSE: _ClassVar[OpenFold]
    OPEN_FOLD_ALLOW: _ClassVar[OpenFold]

class CapHeadsUp(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAP_HEADS_UP_UNSPECIFIED: _ClassVar[CapHeadsUp]
    CAP_HEADS_UP_CAPPED: _ClassVar[CapHeadsUp]
    CAP_HEADS_UP_UNCAPPED: _ClassVar[CapHeadsUp]

class DiscardTimeout(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISCARD_TIMEOUT_UNSPECIFIED: _ClassVar[DiscardTimeout]
    DISCARD_TIMEOUT_AUTO: _ClassVar[DiscardTimeout]
    DISCARD_TIMEOUT_FOLD: _ClassVar[DiscardTimeout]

class DeckReveal(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECK_REVEAL_UNSPECIFIED: _ClassVar[DeckReveal]
    DECK_REVEAL_AUDITOR: _ClassVar[DeckReveal]
    DECK_REVEAL_AFTER_MATCH: _ClassVar[DeckReveal]

class LateMinimum(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LATE_MINIMUM_UNSPECIFIED: _ClassVar[LateMinimum]
    LATE_MINIMUM_BIG_BLIND: _ClassVar[LateMinimum]
    LATE_MINIMUM_BIG_BET: _ClassVar[LateMinimum]

class AnteKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ANTE_KIND_UNSPECIFIED: _ClassVar[AnteKind]
    ANTE_KIND_EACH: _ClassVar[AnteKind]
    ANTE_KIND_BIG_BLIND: _ClassVar[AnteKind]

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_ANTE_POSTED: _ClassVar[EventKind]
    EVENT_KIND_DEAD_POSTED: _ClassVar[EventKind]
    EVENT_KIND_BLIND_POSTED: _ClassVar[EventKind]
    EVENT_KIND_HOLE_DEALT: _ClassVar[EventKind]
    EVENT_KIND_FOLDED: _ClassVar[EventKind]
    EVENT_KIND_CHECKED: _ClassVar[EventKind]
    EVENT_KIND_CALLED: _ClassVar[EventKind]
    EVENT_KIND_BET: _ClassVar[EventKind]
    EVENT_KIND_RAISED: _ClassVar[EventKind]
    EVENT_KIND_BET_RETURNED: _ClassVar[EventKind]
    EVENT_KIND_ROUND_CLOSED: _ClassVar[EventKind]
    EVENT_KIND_BOARD_DEALT: _ClassVar[EventKind]
    EVENT_KIND_DISCARDS_OPENED: _ClassVar[EventKind]
    EVENT_KIND_DISCARDED: _ClassVar[EventKind]
    EVENT_KIND_DISCARD_SHOWN: _ClassVar[EventKind]
    EVENT_KIND_DISCARDS_CLOSED: _ClassVar[EventKind]
    EVENT_KIND_HAND_SHOWN: _ClassVar[EventKind]
    EVENT_KIND_HAND_MUCKED: _ClassVar[EventKind]
    EVENT_KIND_RAKE_TAKEN: _ClassVar[EventKind]
    EVENT_KIND_POT_AWARDED: _ClassVar[EventKind]
    EVENT_KIND_HAND_ENDED: _ClassVar[EventKind]
    EVENT_KIND_LATE_FOLD_SHOWN: _ClassVar[EventKind]

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_WRONG_HAND: _ClassVar[Reason]
    REASON_HAND_OVER: _ClassVar[Reason]
    REASON_SEAT_NOT_IN_HAND: _ClassVar[Reason]
    REASON_SEAT_FOLDED: _ClassVar[Reason]
    REASON_ALREADY_DISCARDED: _ClassVar[Reason]
    REASON_SEAT_ALL_IN: _ClassVar[Reason]
    REASON_OUT_OF_TURN: _ClassVar[Reason]
    REASON_STALE_DECISION: _ClassVar[Reason]
    REASON_UNKNOWN_ACTION: _ClassVar[Reason]
    REASON_MALFORMED_ACTION: _ClassVar[Reason]
    REASON_DISCARD_OWED: _ClassVar[Reason]
    REASON_NO_DISCARD_ROUND: _ClassVar[Reason]
    REASON_CARD_COUNT_WRONG: _ClassVar[Reason]
    REASON_CARD_REPEATED: _ClassVar[Reason]
    REASON_CARD_NOT_HELD: _ClassVar[Reason]
    REASON_NOTHING_TO_FOLD_TO: _ClassVar[Reason]
    REASON_LAST_ELIGIBLE_CANNOT_FOLD: _ClassVar[Reason]
    REASON_CHECK_WHILE_OWING: _ClassVar[Reason]
    REASON_NOTHING_TO_CALL: _ClassVar[Reason]
    REASON_BET_OVER_A_BET: _ClassVar[Reason]
    REASON_RAISE_WITHOUT_A_BET: _ClassVar[Reason]
    REASON_OPPONENTS_ALL_IN: _ClassVar[Reason]
    REASON_NO_CHIPS_TO_RAISE: _ClassVar[Reason]
    REASON_RAISES_CAPPED: _ClassVar[Reason]
    REASON_RAISE_NOT_REOPENED: _ClassVar[Reason]
    REASON_NOT_A_CHIP_MULTIPLE: _ClassVar[Reason]
    REASON_ABOVE_STACK: _ClassVar[Reason]
    REASON_NOT_THE_FIXED_SIZE: _ClassVar[Reason]
    REASON_ABOVE_POT_LIMIT: _ClassVar[Reason]
    REASON_BELOW_MINIMUM: _ClassVar[Reason]
    REASON_NOTHING_TO_SHOW: _ClassVar[Reason]
    REASON_SHOW_TOO_EARLY: _ClassVar[Reason]
    REASON_SHOWDOWN_UNDECIDED: _ClassVar[Reason]

class WagerKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WAGER_KIND_UNSPECIFIED: _ClassVar[WagerKind]
    WAGER_KIND_BET: _ClassVar[WagerKind]
    WAGER_KIND_RAISE: _ClassVar[WagerKind]

class ShowReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHOW_REASON_UNSPECIFIED: _ClassVar[ShowReason]
    SHOW_REASON_FIRST_IN_ORDER: _ClassVar[ShowReason]
    SHOW_REASON_NOT_BEATEN: _ClassVar[ShowReason]
    SHOW_REASON_CHOSE_TO_SHOW: _ClassVar[ShowReason]
    SHOW_REASON_MUCKED: _ClassVar[ShowReason]
    SHOW_REASON_ALL_HANDS_SHOWN: _ClassVar[ShowReason]
    SHOW_REASON_TABLED_ALL_IN: _ClassVar[ShowReason]
    SHOW_REASON_GAVE_UP_UNSEEN: _ClassVar[ShowReason]
BETTING_STRUCTURE_UNSPECIFIED: BettingStructure
BETTING_STRUCTURE_NO_LIMIT: BettingStructure
BETTING_STRUCTURE_POT_LIMIT: BettingStructure
BETTING_STRUCTURE_FIXED_LIMIT: BettingStructure
DISCARD_POINT_UNSPECIFIED: DiscardPoint
DISCARD_POINT_BEFORE_FLOP: DiscardPoint
DISCARD_POINT_BEFORE_FLOP_BETTING: DiscardPoint
DISCARD_POINT_AFTER_FLOP_BETTING: DiscardPoint
DISCARD_VISIBILITY_UNSPECIFIED: DiscardVisibility
DISCARD_VISIBILITY_HIDDEN: DiscardVisibility
DISCARD_VISIBILITY_SHOWN: DiscardVisibility
DISCARD_VISIBILITY_JOINS_BOARD: DiscardVisibility
SHOWDOWN_ORDER_UNSPECIFIED: ShowdownOrder
SHOWDOWN_ORDER_WALK_BACK: ShowdownOrder
SHOWDOWN_ORDER_FINAL_ROUND: ShowdownOrder
ALL_IN_EXPOSURE_UNSPECIFIED: AllInExposure
ALL_IN_EXPOSURE_ORDERED: AllInExposure
ALL_IN_EXPOSURE_SHOW_ALL: AllInExposure
ALL_IN_EXPOSURE_TABLE_ALL: AllInExposure
BUTTON_RULE_UNSPECIFIED: ButtonRule
BUTTON_RULE_MOVING: ButtonRule
BUTTON_RULE_DEAD: ButtonRule
OPEN_FOLD_UNSPECIFIED: OpenFold
OPEN_FOLD_REFUSE: OpenFold
OPEN_FOLD_ALLOW: OpenFold
CAP_HEADS_UP_UNSPECIFIED: CapHeadsUp
CAP_HEADS_UP_CAPPED: CapHeadsUp
CAP_HEADS_UP_UNCAPPED: CapHeadsUp
DISCARD_TIMEOUT_UNSPECIFIED: DiscardTimeout
DISCARD_TIMEOUT_AUTO: DiscardTimeout
DISCARD_TIMEOUT_FOLD: DiscardTimeout
DECK_REVEAL_UNSPECIFIED: DeckReveal
DECK_REVEAL_AUDITOR: DeckReveal
DECK_REVEAL_AFTER_MATCH: DeckReveal
LATE_MINIMUM_UNSPECIFIED: LateMinimum
LATE_MINIMUM_BIG_BLIND: LateMinimum
LATE_MINIMUM_BIG_BET: LateMinimum
ANTE_KIND_UNSPECIFIED: AnteKind
ANTE_KIND_EACH: AnteKind
ANTE_KIND_BIG_BLIND: AnteKind
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_ANTE_POSTED: EventKind
EVENT_KIND_DEAD_POSTED: EventKind
EVENT_KIND_BLIND_POSTED: EventKind
EVENT_KIND_HOLE_DEALT: EventKind
EVENT_KIND_FOLDED: EventKind
EVENT_KIND_CHECKED: EventKind
EVENT_KIND_CALLED: EventKind
EVENT_KIND_BET: EventKind
EVENT_KIND_RAISED: EventKind
EVENT_KIND_BET_RETURNED: EventKind
EVENT_KIND_ROUND_CLOSED: EventKind
EVENT_KIND_BOARD_DEALT: EventKind
EVENT_KIND_DISCARDS_OPENED: EventKind
EVENT_KIND_DISCARDED: EventKind
EVENT_KIND_DISCARD_SHOWN: EventKind
EVENT_KIND_DISCARDS_CLOSED: EventKind
EVENT_KIND_HAND_SHOWN: EventKind
EVENT_KIND_HAND_MUCKED: EventKind
EVENT_KIND_RAKE_TAKEN: EventKind
EVENT_KIND_POT_AWARDED: EventKind
EVENT_KIND_HAND_ENDED: EventKind
EVENT_KIND_LATE_FOLD_SHOWN: EventKind
REASON_UNSPECIFIED: Reason
REASON_WRONG_HAND: Reason
REASON_HAND_OVER: Reason
REASON_SEAT_NOT_IN_HAND: Reason
REASON_SEAT_FOLDED: Reason
REASON_ALREADY_DISCARDED: Reason
REASON_SEAT_ALL_IN: Reason
REASON_OUT_OF_TURN: Reason
REASON_STALE_DECISION: Reason
REASON_UNKNOWN_ACTION: Reason
REASON_MALFORMED_ACTION: Reason
REASON_DISCARD_OWED: Reason
REASON_NO_DISCARD_ROUND: Reason
REASON_CARD_COUNT_WRONG: Reason
REASON_CARD_REPEATED: Reason
REASON_CARD_NOT_HELD: Reason
REASON_NOTHING_TO_FOLD_TO: Reason
REASON_LAST_ELIGIBLE_CANNOT_FOLD: Reason
REASON_CHECK_WHILE_OWING: Reason
REASON_NOTHING_TO_CALL: Reason
REASON_BET_OVER_A_BET: Reason
REASON_RAISE_WITHOUT_A_BET: Reason
REASON_OPPONENTS_ALL_IN: Reason
REASON_NO_CHIPS_TO_RAISE: Reason
REASON_RAISES_CAPPED: Reason
REASON_RAISE_NOT_REOPENED: Reason
REASON_NOT_A_CHIP_MULTIPLE: Reason
REASON_ABOVE_STACK: Reason
REASON_NOT_THE_FIXED_SIZE: Reason
REASON_ABOVE_POT_LIMIT: Reason
REASON_BELOW_MINIMUM: Reason
REASON_NOTHING_TO_SHOW: Reason
REASON_SHOW_TOO_EARLY: Reason
REASON_SHOWDOWN_UNDECIDED: Reason
WAGER_KIND_UNSPECIFIED: WagerKind
WAGER_KIND_BET: WagerKind
WAGER_KIND_RAISE: WagerKind
SHOW_REASON_UNSPECIFIED: ShowReason
SHOW_REASON_FIRST_IN_ORDER: ShowReason
SHOW_REASON_NOT_BEATEN: ShowReason
SHOW_REASON_CHOSE_TO_SHOW: ShowReason
SHOW_REASON_MUCKED: ShowReason
SHOW_REASON_ALL_HANDS_SHOWN: ShowReason
SHOW_REASON_TABLED_ALL_IN: ShowReason
SHOW_REASON_GAVE_UP_UNSEEN: ShowReason

class Game(_message.Message):
    __slots__ = ("hole_cards", "discards", "discard_point", "discard_visibility")
    HOLE_CARDS_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    DISCARD_POINT_FIELD_NUMBER: _ClassVar[int]
    DISCARD_VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    hole_cards: int
    discards: int
    discard_point: DiscardPoint
    discard_visibility: DiscardVisibility
    def __init__(self, hole_cards: _Optional[int] = ..., discards: _Optional[int] = ..., discard_point: _Optional[_Union[DiscardPoint, str]] = ..., discard_visibility: _Optional[_Union[DiscardVisibility, str]] = ...) -> None: ...

class RuleSet(_message.Message):
    __slots__ = ("name", "version", "game", "structures", "showdown_order", "all_in_exposure", "button_rule", "open_fold", "cap_heads_up", "max_raises", "discard_timeout", "hide_discard_progress", "deck_reveal", "late_minimum", "sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    STRUCTURES_FIELD_NUMBER: _ClassVar[int]
    SHOWDOWN_ORDER_FIELD_NUMBER: _ClassVar[int]
    ALL_IN_EXPOSURE_FIELD_NUMBER: _ClassVar[int]
    BUTTON_RULE_FIELD_NUMBER: _ClassVar[int]
    OPEN_FOLD_FIELD_NUMBER: _ClassVar[int]
    CAP_HEADS_UP_FIELD_NUMBER: _ClassVar[int]
    MAX_RAISES_FIELD_NUMBER: _ClassVar[int]
    DISCARD_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    HIDE_DISCARD_PROGRESS_FIELD_NUMBER: _ClassVar[int]
    DECK_REVEAL_FIELD_NUMBER: _ClassVar[int]
    LATE_MINIMUM_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    game: Game
    structures: _containers.RepeatedScalarFieldContainer[BettingStructure]
    showdown_order: ShowdownOrder
    all_in_exposure: AllInExposure
    button_rule: ButtonRule
    open_fold: OpenFold
    cap_heads_up: CapHeadsUp
    max_raises: int
    discard_timeout: DiscardTimeout
    hide_discard_progress: bool
    deck_reveal: DeckReveal
    late_minimum: LateMinimum
    sha256: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ..., game: _Optional[_Union[Game, _Mapping]] = ..., structures: _Optional[_Iterable[_Union[BettingStructure, str]]] = ..., showdown_order: _Optional[_Union[ShowdownOrder, str]] = ..., all_in_exposure: _Optional[_Union[AllInExposure, str]] = ..., button_rule: _Optional[_Union[ButtonRule, str]] = ..., open_fold: _Optional[_Union[OpenFold, str]] = ..., cap_heads_up: _Optional[_Union[CapHeadsUp, str]] = ..., max_raises: _Optional[int] = ..., discard_timeout: _Optional[_Union[DiscardTimeout, str]] = ..., hide_discard_progress: _Optional[bool] = ..., deck_reveal: _Optional[_Union[DeckReveal, str]] = ..., late_minimum: _Optional[_Union[LateMinimum, str]] = ..., sha256: _Optional[str] = ...) -> None: ...

class Stakes(_message.Message):
    __slots__ = ("small_blind", "big_blind", "small_bet", "big_bet", "ante_kind", "ante", "chip_unit", "rake_basis_points", "rake_cap", "no_flop_no_drop")
    SMALL_BLIND_FIELD_NUMBER: _ClassVar[int]
    BIG_BLIND_FIELD_NUMBER: _ClassVar[int]
    SMALL_BET_FIELD_NUMBER: _ClassVar[int]
    BIG_BET_FIELD_NUMBER: _ClassVar[int]
    ANTE_KIND_FIELD_NUMBER: _ClassVar[int]
    ANTE_FIELD_NUMBER: _ClassVar[int]
    CHIP_UNIT_FIELD_NUMBER: _ClassVar[int]
    RAKE_BASIS_POINTS_FIELD_NUMBER: _ClassVar[int]
    RAKE_CAP_FIELD_NUMBER: _ClassVar[int]
    NO_FLOP_NO_DROP_FIELD_NUMBER: _ClassVar[int]
    small_blind: int
    big_blind: int
    small_bet: int
    big_bet: int
    ante_kind: AnteKind
    ante: int
    chip_unit: int
    rake_basis_points: int
    rake_cap: int
    no_flop_no_drop: bool
    def __init__(self, small_blind: _Optional[int] = ..., big_blind: _Optional[int] = ..., small_bet: _Optional[int] = ..., big_bet: _Optional[int] = ..., ante_kind: _Optional[_Union[AnteKind, str]] = ..., ante: _Optional[int] = ..., chip_unit: _Optional[int] = ..., rake_basis_points: _Optional[int] = ..., rake_cap: _Optional[int] = ..., no_flop_no_drop: _Optional[bool] = ...) -> None: ...

class PlayerSetup(_message.Message):
    __slots__ = ("seat", "stack", "hole_cards", "live_post", "dead_post", "show_when_beaten", "mucked_unseen", "name")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    HOLE_CARDS_FIELD_NUMBER: _ClassVar[int]
    LIVE_POST_FIELD_NUMBER: _ClassVar[int]
    DEAD_POST_FIELD_NUMBER: _ClassVar[int]
    SHOW_WHEN_BEATEN_FIELD_NUMBER: _ClassVar[int]
    MUCKED_UNSEEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    seat: int
    stack: int
    hole_cards: _containers.RepeatedScalarFieldContainer[str]
    live_post: int
    dead_post: int
    show_when_beaten: bool
    mucked_unseen: bool
    name: str
    def __init__(self, seat: _Optional[int] = ..., stack: _Optional[int] = ..., hole_cards: _Optional[_Iterable[str]] = ..., live_post: _Optional[int] = ..., dead_post: _Optional[int] = ..., show_when_beaten: _Optional[bool] = ..., mucked_unseen: _Optional[bool] = ..., name: _Optional[str] = ...) -> None: ...

class HandSetup(_message.Message):
    __slots__ = ("hand_id", "rule_set_name", "rule_set", "structure", "stakes", "players", "button_seat", "small_blind_seat", "big_blind_seat", "board", "recorded_rake")
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    STRUCTURE_FIELD_NUMBER: _ClassVar[int]
    STAKES_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    BUTTON_SEAT_FIELD_NUMBER: _ClassVar[int]
    SMALL_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    BIG_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    RECORDED_RAKE_FIELD_NUMBER: _ClassVar[int]
    hand_id: str
    rule_set_name: str
    rule_set: RuleSet
    structure: BettingStructure
    stakes: Stakes
    players: _containers.RepeatedCompositeFieldContainer[PlayerSetup]
    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    board: _containers.RepeatedScalarFieldContainer[str]
    recorded_rake: int
    def __init__(self, hand_id: _Optional[str] = ..., rule_set_name: _Optional[str] = ..., rule_set: _Optional[_Union[RuleSet, _Mapping]] = ..., structure: _Optional[_Union[BettingStructure, str]] = ..., stakes: _Optional[_Union[Stakes, _Mapping]] = ..., players: _Optional[_Iterable[_Union[PlayerSetup, _Mapping]]] = ..., button_seat: _Optional[int] = ..., small_blind_seat: _Optional[int] = ..., big_blind_seat: _Optional[int] = ..., board: _Optional[_Iterable[str]] = ..., recorded_rake: _Optional[int] = ...) -> None: ...

class Fold(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Check(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Call(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Bet(_message.Message):
    __slots__ = ("raise_to",)
    RAISE_TO_FIELD_NUMBER: _ClassVar[int]
    raise_to: int
    def __init__(self, raise_to: _Optional[int] = ...) -> None: ...

class Raise(_message.Message):
    __slots__ = ("raise_to",)
    RAISE_TO_FIELD_NUMBER: _ClassVar[int]
    raise_to: int
    def __init__(self, raise_to: _Optional[int] = ...) -> None: ...

class Discard(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...

class Timeout(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Show(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Forfeit(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Action(_message.Message):
    __slots__ = ("fold", "check", "call", "bet", "discard", "timeout", "show", "forfeit")
    FOLD_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    BET_FIELD_NUMBER: _ClassVar[int]
    RAISE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    SHOW_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    fold: Fold
    check: Check
    call: Call
    bet: Bet
    discard: Discard
    timeout: Timeout
    show: Show
    forfeit: Forfeit
    def __init__(self, fold: _Optional[_Union[Fold, _Mapping]] = ..., check: _Optional[_Union[Check, _Mapping]] = ..., call: _Optional[_Union[Call, _Mapping]] = ..., bet: _Optional[_Union[Bet, _Mapping]] = ..., discard: _Optional[_Union[Discard, _Mapping]] = ..., timeout: _Optional[_Union[Timeout, _Mapping]] = ..., show: _Optional[_Union[Show, _Mapping]] = ..., forfeit: _Optional[_Union[Forfeit, _Mapping]] = ..., **kwargs) -> None: ...

class Proposal(_message.Message):
    __slots__ = ("hand_id", "decision_id", "seat", "action")
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    hand_id: str
    decision_id: int
    seat: int
    action: Action
    def __init__(self, hand_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., seat: _Optional[int] = ..., action: _Optional[_Union[Action, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("kind", "rule", "seat", "amount", "street_total", "cards", "pot", "all_in", "automatic")
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    STREET_TOTAL_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    POT_FIELD_NUMBER: _ClassVar[int]
    ALL_IN_FIELD_NUMBER: _ClassVar[int]
    AUTOMATIC_FIELD_NUMBER: _ClassVar[int]
    kind: EventKind
    rule: str
    seat: int
    amount: int
    street_total: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    pot: int
    all_in: bool
    automatic: bool
    def __init__(self, kind: _Optional[_Union[EventKind, str]] = ..., rule: _Optional[str] = ..., seat: _Optional[int] = ..., amount: _Optional[int] = ..., street_total: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ..., pot: _Optional[int] = ..., all_in: _Optional[bool] = ..., automatic: _Optional[bool] = ...) -> None: ...

class LegalOptions(_message.Message):
    __slots__ = ("seat", "decision_id", "can_fold", "can_check", "amount_to_call", "wager", "min_raise_to", "max_raise_to", "raise_step", "cards_to_discard", "held_cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CAN_FOLD_FIELD_NUMBER: _ClassVar[int]
    CAN_CHECK_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_TO_CALL_FIELD_NUMBER: _ClassVar[int]
    WAGER_FIELD_NUMBER: _ClassVar[int]
    MIN_RAISE_TO_FIELD_NUMBER: _ClassVar[int]
    MAX_RAISE_TO_FIELD_NUMBER: _ClassVar[int]
    RAISE_STEP_FIELD_NUMBER: _ClassVar[int]
    CARDS_TO_DISCARD_FIELD_NUMBER: _ClassVar[int]
    HELD_CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    decision_id: int
    can_fold: bool
    can_check: bool
    amount_to_call: int
    wager: WagerKind
    min_raise_to: int
    max_raise_to: int
    raise_step: int
    cards_to_discard: int
    held_cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[int] = ..., decision_id: _Optional[int] = ..., can_fold: _Optional[bool] = ..., can_check: _Optional[bool] = ..., amount_to_call: _Optional[int] = ..., wager: _Optional[_Union[WagerKind, str]] = ..., min_raise_to: _Optional[int] = ..., max_raise_to: _Optional[int] = ..., raise_step: _Optional[int] = ..., cards_to_discard: _Optional[int] = ..., held_cards: _Optional[_Iterable[str]] = ...) -> None: ...

class Ruling(_message.Message):
    __slots__ = ("accepted", "rule", "events", "reason", "message", "legal", "warning")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    WARNING_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    rule: str
    events: _containers.RepeatedCompositeFieldContainer[Event]
    reason: Reason
    message: str
    legal: LegalOptions
    warning: str
    def __init__(self, accepted: _Optional[bool] = ..., rule: _Optional[str] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., reason: _Optional[_Union[Reason, str]] = ..., message: _Optional[str] = ..., legal: _Optional[_Union[LegalOptions, _Mapping]] = ..., warning: _Optional[str] = ...) -> None: ...

class StatementLine(_message.Message):
    __slots__ = ("rule", "text")
    RULE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    rule: str
    text: str
    def __init__(self, rule: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class PlayerSettlement(_message.Message):
    __slots__ = ("seat", "stack_before", "contributed", "dead", "returned", "won", "stack_after", "folded")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    STACK_BEFORE_FIELD_NUMBER: _ClassVar[int]
    CONTRIBUTED_FIELD_NUMBER: _ClassVar[int]
    DEAD_FIELD_NUMBER: _ClassVar[int]
    RETURNED_FIELD_NUMBER: _ClassVar[int]
    WON_FIELD_NUMBER: _ClassVar[int]
    STACK_AFTER_FIELD_NUMBER: _ClassVar[int]
    FOLDED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    stack_before: int
    contributed: int
    dead: int
    returned: int
    won: int
    stack_after: int
    folded: bool
    def __init__(self, seat: _Optional[int] = ..., stack_before: _Optional[int] = ..., contributed: _Optional[int] = ..., dead: _Optional[int] = ..., returned: _Optional[int] = ..., won: _Optional[int] = ..., stack_after: _Optional[int] = ..., folded: _Optional[bool] = ...) -> None: ...

class PotSettlement(_message.Message):
    __slots__ = ("amount", "eligible_seats", "rake", "winner_seats", "shares", "odd_chips", "compared")
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    ELIGIBLE_SEATS_FIELD_NUMBER: _ClassVar[int]
    RAKE_FIELD_NUMBER: _ClassVar[int]
    WINNER_SEATS_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    ODD_CHIPS_FIELD_NUMBER: _ClassVar[int]
    COMPARED_FIELD_NUMBER: _ClassVar[int]
    amount: int
    eligible_seats: _containers.RepeatedScalarFieldContainer[int]
    rake: int
    winner_seats: _containers.RepeatedScalarFieldContainer[int]
    shares: _containers.RepeatedScalarFieldContainer[int]
    odd_chips: _containers.RepeatedScalarFieldContainer[int]
    compared: bool
    def __init__(self, amount: _Optional[int] = ..., eligible_seats: _Optional[_Iterable[int]] = ..., rake: _Optional[int] = ..., winner_seats: _Optional[_Iterable[int]] = ..., shares: _Optional[_Iterable[int]] = ..., odd_chips: _Optional[_Iterable[int]] = ..., compared: _Optional[bool] = ...) -> None: ...

class HandSettlement(_message.Message):
    __slots__ = ("seat", "cards", "best_five", "name", "must_show", "shown", "show_reason", "rule")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    BEST_FIVE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MUST_SHOW_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    SHOW_REASON_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    best_five: _containers.RepeatedScalarFieldContainer[str]
    name: str
    must_show: bool
    shown: bool
    show_reason: ShowReason
    rule: str
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ..., best_five: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ..., must_show: _Optional[bool] = ..., shown: _Optional[bool] = ..., show_reason: _Optional[_Union[ShowReason, str]] = ..., rule: _Optional[str] = ...) -> None: ...

class Settlement(_message.Message):
    __slots__ = ("over", "decided", "board", "players", "pots", "hands", "rake", "lines")
    OVER_FIELD_NUMBER: _ClassVar[int]
    DECIDED_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    POTS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    RAKE_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    over: bool
    decided: bool
    board: _containers.RepeatedScalarFieldContainer[str]
    players: _containers.RepeatedCompositeFieldContainer[PlayerSettlement]
    pots: _containers.RepeatedCompositeFieldContainer[PotSettlement]
    hands: _containers.RepeatedCompositeFieldContainer[HandSettlement]
    rake: int
    lines: _containers.RepeatedCompositeFieldContainer[StatementLine]
    def __init__(self, over: _Optional[bool] = ..., decided: _Optional[bool] = ..., board: _Optional[_Iterable[str]] = ..., players: _Optional[_Iterable[_Union[PlayerSettlement, _Mapping]]] = ..., pots: _Optional[_Iterable[_Union[PotSettlement, _Mapping]]] = ..., hands: _Optional[_Iterable[_Union[HandSettlement, _Mapping]]] = ..., rake: _Optional[int] = ..., lines: _Optional[_Iterable[_Union[StatementLine, _Mapping]]] = ...) -> None: ...
