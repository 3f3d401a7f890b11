from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class KozelFish(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KOZEL_FISH_UNSPECIFIED: _ClassVar[KozelFish]
    KOZEL_FISH_STRUCTURAL: _ClassVar[KozelFish]
    KOZEL_FISH_NO_LEGAL_MOVE: _ClassVar[KozelFish]

class KozelFishScoring(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KOZEL_FISH_SCORING_UNSPECIFIED: _ClassVar[KozelFishScoring]
    KOZEL_FISH_SCORING_ON_ALL: _ClassVar[KozelFishScoring]
    KOZEL_FISH_SCORING_ON_ONE: _ClassVar[KozelFishScoring]

class KozelEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KOZEL_END_UNSPECIFIED: _ClassVar[KozelEnd]
    KOZEL_END_LEFT: _ClassVar[KozelEnd]
    KOZEL_END_RIGHT: _ClassVar[KozelEnd]

class KozelReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KOZEL_REASON_UNSPECIFIED: _ClassVar[KozelReason]
    KOZEL_REASON_WRONG_ROUND: _ClassVar[KozelReason]
    KOZEL_REASON_ROUND_OVER: _ClassVar[KozelReason]
    KOZEL_REASON_SEAT_NOT_IN_ROUND: _ClassVar[KozelReason]
    KOZEL_REASON_OUT_OF_TURN: _ClassVar[KozelReason]
    KOZEL_REASON_STALE_DECISION: _ClassVar[KozelReason]
    KOZEL_REASON_UNKNOWN_ACTION: _ClassVar[KozelReason]
    KOZEL_REASON_MALFORMED_ACTION: _ClassVar[KozelReason]
    KOZEL_REASON_HOLDS_A_PLAYABLE_TILE: _ClassVar[KozelReason]
    KOZEL_REASON_NO_SUCH_TILE: _ClassVar[KozelReason]
    KOZEL_REASON_TILE_NOT_HELD: _ClassVar[KozelReason]
    KOZEL_REASON_OPENING_TILE_COMPULSORY: _ClassVar[KozelReason]
    KOZEL_REASON_TILE_DOES_NOT_FIT: _ClassVar[KozelReason]
    KOZEL_REASON_END_NOT_NAMED: _ClassVar[KozelReason]
    KOZEL_REASON_END_DOES_NOT_FIT: _ClassVar[KozelReason]

class KozelEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KOZEL_EVENT_KIND_UNSPECIFIED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_TILES_DEALT: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_BONEYARD_LAID: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_REDEALT: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_LEAD_GIVEN: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_TILE_LAID: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_TILE_DRAWN: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_KNOCKED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_WENT_OUT: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_FISH_MADE: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_TIMED_OUT: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_HAND_COUNTED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_CARRY_GIVEN: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_POINTS_REMEMBERED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_ACCOUNT_OPENED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_POINTS_SCORED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_REMEMBERED_CLEARED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_SUM_CARRIED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_GAME_LOST: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_CARRY_LAPSED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_RATED: _ClassVar[KozelEventKind]
    KOZEL_EVENT_KIND_ROUND_ENDED: _ClassVar[KozelEventKind]
KOZEL_FISH_UNSPECIFIED: KozelFish
KOZEL_FISH_STRUCTURAL: KozelFish
KOZEL_FISH_NO_LEGAL_MOVE: KozelFish
KOZEL_FISH_SCORING_UNSPECIFIED: KozelFishScoring
KOZEL_FISH_SCORING_ON_ALL: KozelFishScoring
KOZEL_FISH_SCORING_ON_ONE: KozelFishScoring
KOZEL_END_UNSPECIFIED: KozelEnd
KOZEL_END_LEFT: KozelEnd
KOZEL_END_RIGHT: KozelEnd
KOZEL_REASON_UNSPECIFIED: KozelReason
KOZEL_REASON_WRONG_ROUND: KozelReason
KOZEL_REASON_ROUND_OVER: KozelReason
KOZEL_REASON_SEAT_NOT_IN_ROUND: KozelReason
KOZEL_REASON_OUT_OF_TURN: KozelReason
KOZEL_REASON_STALE_DECISION: KozelReason
KOZEL_REASON_UNKNOWN_ACTION: KozelReason
KOZEL_REASON_MALFORMED_ACTION: KozelReason
KOZEL_REASON_HOLDS_A_PLAYABLE_TILE: KozelReason
KOZEL_REASON_NO_SUCH_TILE: KozelReason
KOZEL_REASON_TILE_NOT_HELD: KozelReason
KOZEL_REASON_OPENING_TILE_COMPULSORY: KozelReason
KOZEL_REASON_TILE_DOES_NOT_FIT: KozelReason
KOZEL_REASON_END_NOT_NAMED: KozelReason
KOZEL_REASON_END_DOES_NOT_FIT: KozelReason
KOZEL_EVENT_KIND_UNSPECIFIED: KozelEventKind
KOZEL_EVENT_KIND_TILES_DEALT: KozelEventKind
KOZEL_EVENT_KIND_BONEYARD_LAID: KozelEventKind
KOZEL_EVENT_KIND_REDEALT: KozelEventKind
KOZEL_EVENT_KIND_LEAD_GIVEN: KozelEventKind
KOZEL_EVENT_KIND_TILE_LAID: KozelEventKind
KOZEL_EVENT_KIND_TILE_DRAWN: KozelEventKind
KOZEL_EVENT_KIND_KNOCKED: KozelEventKind
KOZEL_EVENT_KIND_WENT_OUT: KozelEventKind
KOZEL_EVENT_KIND_FISH_MADE: KozelEventKind
KOZEL_EVENT_KIND_TIMED_OUT: KozelEventKind
KOZEL_EVENT_KIND_HAND_COUNTED: KozelEventKind
KOZEL_EVENT_KIND_CARRY_GIVEN: KozelEventKind
KOZEL_EVENT_KIND_POINTS_REMEMBERED: KozelEventKind
KOZEL_EVENT_KIND_ACCOUNT_OPENED: KozelEventKind
KOZEL_EVENT_KIND_POINTS_SCORED: KozelEventKind
KOZEL_EVENT_KIND_REMEMBERED_CLEARED: KozelEventKind
KOZEL_EVENT_KIND_SUM_CARRIED: KozelEventKind
KOZEL_EVENT_KIND_GAME_LOST: KozelEventKind
KOZEL_EVENT_KIND_CARRY_LAPSED: KozelEventKind
KOZEL_EVENT_KIND_RATED: KozelEventKind
KOZEL_EVENT_KIND_ROUND_ENDED: KozelEventKind

class KozelRuleSet(_message.Message):
    __slots__ = ("name", "version", "fish", "fish_scoring", "sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    FISH_FIELD_NUMBER: _ClassVar[int]
    FISH_SCORING_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    fish: KozelFish
    fish_scoring: KozelFishScoring
    sha256: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ..., fish: _Optional[_Union[KozelFish, str]] = ..., fish_scoring: _Optional[_Union[KozelFishScoring, str]] = ..., sha256: _Optional[str] = ...) -> None: ...

class KozelAccount(_message.Message):
    __slots__ = ("open", "score", "remembered")
    OPEN_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    REMEMBERED_FIELD_NUMBER: _ClassVar[int]
    open: bool
    score: int
    remembered: int
    def __init__(self, open: _Optional[bool] = ..., score: _Optional[int] = ..., remembered: _Optional[int] = ...) -> None: ...

class KozelDeck(_message.Message):
    __slots__ = ("tiles",)
    TILES_FIELD_NUMBER: _ClassVar[int]
    tiles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tiles: _Optional[_Iterable[str]] = ...) -> None: ...

class KozelRoundSetup(_message.Message):
    __slots__ = ("rule_set_name", "rule_set", "seats", "decks", "accounts", "leader_seat", "carry", "hand_id")
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DECKS_FIELD_NUMBER: _ClassVar[int]
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    LEADER_SEAT_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    rule_set_name: str
    rule_set: KozelRuleSet
    seats: _containers.RepeatedScalarFieldContainer[int]
    decks: _containers.RepeatedCompositeFieldContainer[KozelDeck]
    accounts: _containers.RepeatedCompositeFieldContainer[KozelAccount]
    leader_seat: int
    carry: int
    hand_id: str
    def __init__(self, rule_set_name: _Optional[str] = ..., rule_set: _Optional[_Union[KozelRuleSet, _Mapping]] = ..., seats: _Optional[_Iterable[int]] = ..., decks: _Optional[_Iterable[_Union[KozelDeck, _Mapping]]] = ..., accounts: _Optional[_Iterable[_Union[KozelAccount, _Mapping]]] = ..., leader_seat: _Optional[int] = ..., carry: _Optional[int] = ..., hand_id: _Optional[str] = ...) -> None: ...

class KozelLay(_message.Message):
    __slots__ = ("tile", "end")
    TILE_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    tile: str
    end: KozelEnd
    def __init__(self, tile: _Optional[str] = ..., end: _Optional[_Union[KozelEnd, str]] = ...) -> None: ...

class KozelDraw(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class KozelKnock(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class KozelTimeout(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class KozelProposal(_message.Message):
    __slots__ = ("seat", "lay", "draw", "knock", "timeout", "hand_id", "decision_id")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LAY_FIELD_NUMBER: _ClassVar[int]
    DRAW_FIELD_NUMBER: _ClassVar[int]
    KNOCK_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    seat: int
    lay: KozelLay
    draw: KozelDraw
    knock: KozelKnock
    timeout: KozelTimeout
    hand_id: str
    decision_id: int
    def __init__(self, seat: _Optional[int] = ..., lay: _Optional[_Union[KozelLay, _Mapping]] = ..., draw: _Optional[_Union[KozelDraw, _Mapping]] = ..., knock: _Optional[_Union[KozelKnock, _Mapping]] = ..., timeout: _Optional[_Union[KozelTimeout, _Mapping]] = ..., hand_id: _Optional[str] = ..., decision_id: _Optional[int] = ...) -> None: ...

class KozelEvent(_message.Message):
    __slots__ = ("kind", "rule", "seat", "tiles", "end", "points", "total")
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    kind: KozelEventKind
    rule: str
    seat: int
    tiles: _containers.RepeatedScalarFieldContainer[str]
    end: KozelEnd
    points: int
    total: int
    def __init__(self, kind: _Optional[_Union[KozelEventKind, str]] = ..., rule: _Optional[str] = ..., seat: _Optional[int] = ..., tiles: _Optional[_Iterable[str]] = ..., end: _Optional[_Union[KozelEnd, str]] = ..., points: _Optional[int] = ..., total: _Optional[int] = ...) -> None: ...

class KozelMove(_message.Message):
    __slots__ = ("tile", "end")
    TILE_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    tile: str
    end: KozelEnd
    def __init__(self, tile: _Optional[str] = ..., end: _Optional[_Union[KozelEnd, str]] = ...) -> None: ...

class KozelOptions(_message.Message):
    __slots__ = ("seat", "decision_id", "moves", "held")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    decision_id: int
    moves: _containers.RepeatedCompositeFieldContainer[KozelMove]
    held: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[int] = ..., decision_id: _Optional[int] = ..., moves: _Optional[_Iterable[_Union[KozelMove, _Mapping]]] = ..., held: _Optional[_Iterable[str]] = ...) -> None: ...

class KozelRuling(_message.Message):
    __slots__ = ("accepted", "rule", "events", "reason", "message", "options")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    rule: str
    events: _containers.RepeatedCompositeFieldContainer[KozelEvent]
    reason: KozelReason
    message: str
    options: KozelOptions
    def __init__(self, accepted: _Optional[bool] = ..., rule: _Optional[str] = ..., events: _Optional[_Iterable[_Union[KozelEvent, _Mapping]]] = ..., reason: _Optional[_Union[KozelReason, str]] = ..., message: _Optional[str] = ..., options: _Optional[_Union[KozelOptions, _Mapping]] = ...) -> None: ...

class KozelSetupRefusal(_message.Message):
    __slots__ = ("rule", "message")
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    rule: str
    message: str
    def __init__(self, rule: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class KozelHistoryRefusal(_message.Message):
    __slots__ = ("index", "ruling")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    index: int
    ruling: KozelRuling
    def __init__(self, index: _Optional[int] = ..., ruling: _Optional[_Union[KozelRuling, _Mapping]] = ...) -> None: ...

class KozelRoundSoFar(_message.Message):
    __slots__ = ("setup", "proposals")
    SETUP_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    setup: KozelRoundSetup
    proposals: _containers.RepeatedCompositeFieldContainer[KozelProposal]
    def __init__(self, setup: _Optional[_Union[KozelRoundSetup, _Mapping]] = ..., proposals: _Optional[_Iterable[_Union[KozelProposal, _Mapping]]] = ...) -> None: ...

class KozelSeen(_message.Message):
    __slots__ = ("seats", "own_tiles", "chain", "left", "right", "tile_counts", "boneyard_count", "accounts", "carry", "seat_to_act", "options", "over")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    OWN_TILES_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    TILE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    BONEYARD_COUNT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    SEAT_TO_ACT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    own_tiles: _containers.RepeatedScalarFieldContainer[str]
    chain: _containers.RepeatedScalarFieldContainer[str]
    left: int
    right: int
    tile_counts: _containers.RepeatedScalarFieldContainer[int]
    boneyard_count: int
    accounts: _containers.RepeatedCompositeFieldContainer[KozelAccount]
    carry: int
    seat_to_act: int
    options: KozelOptions
    over: bool
    def __init__(self, seats: _Optional[_Iterable[int]] = ..., own_tiles: _Optional[_Iterable[str]] = ..., chain: _Optional[_Iterable[str]] = ..., left: _Optional[int] = ..., right: _Optional[int] = ..., tile_counts: _Optional[_Iterable[int]] = ..., boneyard_count: _Optional[int] = ..., accounts: _Optional[_Iterable[_Union[KozelAccount, _Mapping]]] = ..., carry: _Optional[int] = ..., seat_to_act: _Optional[int] = ..., options: _Optional[_Union[KozelOptions, _Mapping]] = ..., over: _Optional[bool] = ...) -> None: ...

class JudgeKozelActionRequest(_message.Message):
    __slots__ = ("round", "proposal")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    round: KozelRoundSoFar
    proposal: KozelProposal
    def __init__(self, round: _Optional[_Union[KozelRoundSoFar, _Mapping]] = ..., proposal: _Optional[_Union[KozelProposal, _Mapping]] = ...) -> None: ...

class JudgeKozelActionResponse(_message.Message):
    __slots__ = ("ruling", "setup_refused", "history_refused", "open_decision")
    RULING_FIELD_NUMBER: _ClassVar[int]
    SETUP_REFUSED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REFUSED_FIELD_NUMBER: _ClassVar[int]
    OPEN_DECISION_FIELD_NUMBER: _ClassVar[int]
    ruling: KozelRuling
    setup_refused: KozelSetupRefusal
    history_refused: KozelHistoryRefusal
    open_decision: KozelOptions
    def __init__(self, ruling: _Optional[_Union[KozelRuling, _Mapping]] = ..., setup_refused: _Optional[_Union[KozelSetupRefusal, _Mapping]] = ..., history_refused: _Optional[_Union[KozelHistoryRefusal, _Mapping]] = ..., open_decision: _Optional[_Union[KozelOptions, _Mapping]] = ...) -> None: ...

class GetKozelOptionsRequest(_message.Message):
    __slots__ = ("round", "viewer_seat")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    VIEWER_SEAT_FIELD_NUMBER: _ClassVar[int]
    round: KozelRoundSoFar
    viewer_seat: int
    def __init__(self, round: _Optional[_Union[KozelRoundSoFar, _Mapping]] = ..., viewer_seat: _Optional[int] = ...) -> None: ...

class KozelState(_message.Message):
    __slots__ = ("open_decision", "events", "over", "game_over", "accounts", "carry", "next_leader_seat", "seen")
    OPEN_DECISION_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    GAME_OVER_FIELD_NUMBER: _ClassVar[int]
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    NEXT_LEADER_SEAT_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    open_decision: KozelOptions
    events: _containers.RepeatedCompositeFieldContainer[KozelEvent]
    over: bool
    game_over: bool
    accounts: _containers.RepeatedCompositeFieldContainer[KozelAccount]
    carry: int
    next_leader_seat: int
    seen: KozelSeen
    def __init__(self, open_decision: _Optional[_Union[KozelOptions, _Mapping]] = ..., events: _Optional[_Iterable[_Union[KozelEvent, _Mapping]]] = ..., over: _Optional[bool] = ..., game_over: _Optional[bool] = ..., accounts: _Optional[_Iterable[_Union[KozelAccount, _Mapping]]] = ..., carry: _Optional[int] = ..., next_leader_seat: _Optional[int] = ..., seen: _Optional[_Union[KozelSeen, _Mapping]] = ...) -> None: ...

class GetKozelOptionsResponse(_message.Message):
    __slots__ = ("state", "setup_refused", "history_refused")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SETUP_REFUSED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REFUSED_FIELD_NUMBER: _ClassVar[int]
    state: KozelState
    setup_refused: KozelSetupRefusal
    history_refused: KozelHistoryRefusal
    def __init__(self, state: _Optional[_Union[KozelState, _Mapping]] = ..., setup_refused: _Optional[_Union[KozelSetupRefusal, _Mapping]] = ..., history_refused: _Optional[_Union[KozelHistoryRefusal, _Mapping]] = ...) -> None: ...

class JudgeKozelRoundRequest(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class KozelFinding(_message.Message):
    __slots__ = ("rule", "message", "recorded", "right", "line")
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    rule: str
    message: str
    recorded: str
    right: str
    line: int
    def __init__(self, rule: _Optional[str] = ..., message: _Optional[str] = ..., recorded: _Optional[str] = ..., right: _Optional[str] = ..., line: _Optional[int] = ...) -> None: ...

class KozelJudgement(_message.Message):
    __slots__ = ("agrees", "findings", "events", "rule_set_name", "rule_set_sha256")
    AGREES_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_SHA256_FIELD_NUMBER: _ClassVar[int]
    agrees: bool
    findings: _containers.RepeatedCompositeFieldContainer[KozelFinding]
    events: _containers.RepeatedCompositeFieldContainer[KozelEvent]
    rule_set_name: str
    rule_set_sha256: str
    def __init__(self, agrees: _Optional[bool] = ..., findings: _Optional[_Iterable[_Union[KozelFinding, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[KozelEvent, _Mapping]]] = ..., rule_set_name: _Optional[str] = ..., rule_set_sha256: _Optional[str] = ...) -> None: ...

class UnreadableKozelRound(_message.Message):
    __slots__ = ("line", "expected")
    LINE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    line: int
    expected: str
    def __init__(self, line: _Optional[int] = ..., expected: _Optional[str] = ...) -> None: ...

class JudgeKozelRoundResponse(_message.Message):
    __slots__ = ("judgement", "unreadable")
    JUDGEMENT_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    judgement: KozelJudgement
    unreadable: UnreadableKozelRound
    def __init__(self, judgement: _Optional[_Union[KozelJudgement, _Mapping]] = ..., unreadable: _Optional[_Union[UnreadableKozelRound, _Mapping]] = ...) -> None: ...

class ListKozelRuleSetsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListKozelRuleSetsResponse(_message.Message):
    __slots__ = ("rule_sets", "next_page_token")
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rule_sets: _containers.RepeatedCompositeFieldContainer[KozelRuleSet]
    next_page_token: str
    def __init__(self, rule_sets: _Optional[_Iterable[_Union[KozelRuleSet, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
