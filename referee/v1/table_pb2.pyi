from buf.validate import validate_pb2 as _validate_pb2
from referee.v1 import hand_pb2 as _hand_pb2
from referee.v1 import judge_pb2 as _judge_pb2
from referee.v1 import kozel_pb2 as _kozel_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FaultPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_POLICY_UNSPECIFIED: _ClassVar[FaultPolicy]
    FAULT_POLICY_NOTHING: _ClassVar[FaultPolicy]
    FAULT_POLICY_SIT_OUT: _ClassVar[FaultPolicy]
    FAULT_POLICY_FORFEIT_HAND: _ClassVar[FaultPolicy]
    FAULT_POLICY_FORFEIT_MATCH: _ClassVar[FaultPolicy]

class TableStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_STATUS_UNSPECIFIED: _ClassVar[TableStatus]
    TABLE_STATUS_WAITING: _ClassVar[TableStatus]
    TABLE_STATUS_PLAYING: _ClassVar[TableStatus]
    TABLE_STATUS_BETWEEN_HANDS: _ClassVar[TableStatus]
    TABLE_STATUS_ENDED: _ClassVar[TableStatus]

class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_REASON_UNSPECIFIED: _ClassVar[EndReason]
    END_REASON_HANDS_PLAYED: _ClassVar[EndReason]
    END_REASON_TOO_FEW_PLAYERS: _ClassVar[EndReason]
    END_REASON_CLOSED: _ClassVar[EndReason]
    END_REASON_NO_DECK: _ClassVar[EndReason]
    END_REASON_GAME_OVER: _ClassVar[EndReason]
    END_REASON_TIME_IS_UP: _ClassVar[EndReason]
    END_REASON_SEATS_SIT_OUT: _ClassVar[EndReason]

class StreamEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STREAM_END_REASON_UNSPECIFIED: _ClassVar[StreamEndReason]
    STREAM_END_REASON_TABLE_ENDED: _ClassVar[StreamEndReason]
    STREAM_END_REASON_SERVER_DRAINING: _ClassVar[StreamEndReason]
    STREAM_END_REASON_TOO_SLOW: _ClassVar[StreamEndReason]
    STREAM_END_REASON_REPLACED: _ClassVar[StreamEndReason]
    STREAM_END_REASON_DETACHED: _ClassVar[StreamEndReason]
    STREAM_END_REASON_NOT_ALLOWED: _ClassVar[StreamEndReason]
    STREAM_END_REASON_STORE_FAILED: _ClassVar[StreamEndReason]
    STREAM_END_REASON_FLOODING: _ClassVar[StreamEndReason]
    STREAM_END_REASON_CURSOR_UNKNOWN: _ClassVar[StreamEndReason]
FAULT_POLICY_UNSPECIFIED: FaultPolicy
FAULT_POLICY_NOTHING: FaultPolicy
FAULT_POLICY_SIT_OUT: FaultPolicy
FAULT_POLICY_FORFEIT_HAND: FaultPolicy
FAULT_POLICY_FORFEIT_MATCH: FaultPolicy
TABLE_STATUS_UNSPECIFIED: TableStatus
TABLE_STATUS_WAITING: TableStatus
TABLE_STATUS_PLAYING: TableStatus
TABLE_STATUS_BETWEEN_HANDS: TableStatus
TABLE_STATUS_ENDED: TableStatus
END_REASON_UNSPECIFIED: EndReason
END_REASON_HANDS_PLAYED: EndReason
END_REASON_TOO_FEW_PLAYERS: EndReason
END_REASON_CLOSED: EndReason
END_REASON_NO_DECK: EndReason
END_REASON_GAME_OVER: EndReason
END_REASON_TIME_IS_UP: EndReason
END_REASON_SEATS_SIT_OUT: EndReason
STREAM_END_REASON_UNSPECIFIED: StreamEndReason
STREAM_END_REASON_TABLE_ENDED: StreamEndReason
STREAM_END_REASON_SERVER_DRAINING: StreamEndReason
STREAM_END_REASON_TOO_SLOW: StreamEndReason
STREAM_END_REASON_REPLACED: StreamEndReason
STREAM_END_REASON_DETACHED: StreamEndReason
STREAM_END_REASON_NOT_ALLOWED: StreamEndReason
STREAM_END_REASON_STORE_FAILED: StreamEndReason
STREAM_END_REASON_FLOODING: StreamEndReason
STREAM_END_REASON_CURSOR_UNKNOWN: StreamEndReason

class ClockRules(_message.Message):
    __slots__ = ("action_ms", "bank_ms", "increment_ms", "latency_allowance_ms", "reconnect_grace_ms")
    ACTION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    LATENCY_ALLOWANCE_MS_FIELD_NUMBER: _ClassVar[int]
    RECONNECT_GRACE_MS_FIELD_NUMBER: _ClassVar[int]
    action_ms: int
    bank_ms: int
    increment_ms: int
    latency_allowance_ms: int
    reconnect_grace_ms: int
    def __init__(self, action_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., latency_allowance_ms: _Optional[int] = ..., reconnect_grace_ms: _Optional[int] = ...) -> None: ...

class FaultRules(_message.Message):
    __slots__ = ("max_faults", "policy", "sit_out_wait_ms")
    MAX_FAULTS_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    SIT_OUT_WAIT_MS_FIELD_NUMBER: _ClassVar[int]
    max_faults: int
    policy: FaultPolicy
    sit_out_wait_ms: int
    def __init__(self, max_faults: _Optional[int] = ..., policy: _Optional[_Union[FaultPolicy, str]] = ..., sit_out_wait_ms: _Optional[int] = ...) -> None: ...

class TablePositions(_message.Message):
    __slots__ = ("button_seat", "small_blind_position", "big_blind_seat", "dealt_in")
    BUTTON_SEAT_FIELD_NUMBER: _ClassVar[int]
    SMALL_BLIND_POSITION_FIELD_NUMBER: _ClassVar[int]
    BIG_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    DEALT_IN_FIELD_NUMBER: _ClassVar[int]
    button_seat: int
    small_blind_position: int
    big_blind_seat: int
    dealt_in: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, button_seat: _Optional[int] = ..., small_blind_position: _Optional[int] = ..., big_blind_seat: _Optional[int] = ..., dealt_in: _Optional[_Iterable[int]] = ...) -> None: ...

class TableStart(_message.Message):
    __slots__ = ("stacks", "before", "first_button")
    STACKS_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    FIRST_BUTTON_FIELD_NUMBER: _ClassVar[int]
    stacks: _containers.RepeatedScalarFieldContainer[int]
    before: TablePositions
    first_button: int
    def __init__(self, stacks: _Optional[_Iterable[int]] = ..., before: _Optional[_Union[TablePositions, _Mapping]] = ..., first_button: _Optional[int] = ...) -> None: ...

class TableConfig(_message.Message):
    __slots__ = ("rule_set_name", "rule_set", "kozel_rule_set", "structure", "stakes", "seats", "starting_stack", "reset_stacks", "hands", "players_to_start", "clock", "between_hands_ms", "seed", "match_name", "reveal_ms", "decks", "top_up_to", "faults", "private_table", "start", "hands_until_unix_ms")
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    KOZEL_RULE_SET_FIELD_NUMBER: _ClassVar[int]
    STRUCTURE_FIELD_NUMBER: _ClassVar[int]
    STAKES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    STARTING_STACK_FIELD_NUMBER: _ClassVar[int]
    RESET_STACKS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_TO_START_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    BETWEEN_HANDS_MS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    MATCH_NAME_FIELD_NUMBER: _ClassVar[int]
    REVEAL_MS_FIELD_NUMBER: _ClassVar[int]
    DECKS_FIELD_NUMBER: _ClassVar[int]
    TOP_UP_TO_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_TABLE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    HANDS_UNTIL_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    rule_set_name: str
    rule_set: _hand_pb2.RuleSet
    kozel_rule_set: _kozel_pb2.KozelRuleSet
    structure: _hand_pb2.BettingStructure
    stakes: _hand_pb2.Stakes
    seats: int
    starting_stack: int
    reset_stacks: bool
    hands: int
    players_to_start: int
    clock: ClockRules
    between_hands_ms: int
    seed: bytes
    match_name: str
    reveal_ms: int
    decks: str
    top_up_to: int
    faults: FaultRules
    private_table: bool
    start: TableStart
    hands_until_unix_ms: int
    def __init__(self, rule_set_name: _Optional[str] = ..., rule_set: _Optional[_Union[_hand_pb2.RuleSet, _Mapping]] = ..., kozel_rule_set: _Optional[_Union[_kozel_pb2.KozelRuleSet, _Mapping]] = ..., structure: _Optional[_Union[_hand_pb2.BettingStructure, str]] = ..., stakes: _Optional[_Union[_hand_pb2.Stakes, _Mapping]] = ..., seats: _Optional[int] = ..., starting_stack: _Optional[int] = ..., reset_stacks: _Optional[bool] = ..., hands: _Optional[int] = ..., players_to_start: _Optional[int] = ..., clock: _Optional[_Union[ClockRules, _Mapping]] = ..., between_hands_ms: _Optional[int] = ..., seed: _Optional[bytes] = ..., match_name: _Optional[str] = ..., reveal_ms: _Optional[int] = ..., decks: _Optional[str] = ..., top_up_to: _Optional[int] = ..., faults: _Optional[_Union[FaultRules, _Mapping]] = ..., private_table: _Optional[bool] = ..., start: _Optional[_Union[TableStart, _Mapping]] = ..., hands_until_unix_ms: _Optional[int] = ...) -> None: ...

class CreateTableRequest(_message.Message):
    __slots__ = ("request_id", "config")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    config: TableConfig
    def __init__(self, request_id: _Optional[str] = ..., config: _Optional[_Union[TableConfig, _Mapping]] = ...) -> None: ...

class CreateTableResponse(_message.Message):
    __slots__ = ("table_id", "refused")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    refused: _judge_pb2.SetupRefusal
    def __init__(self, table_id: _Optional[str] = ..., refused: _Optional[_Union[_judge_pb2.SetupRefusal, _Mapping]] = ...) -> None: ...

class SeatState(_message.Message):
    __slots__ = ("seat", "name", "stack", "bank_ms", "leaving", "waiting", "sitting_out", "owes_small_blind", "owes_big_blind", "posts", "top_up_to", "faults", "attached", "kozel_account")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    SITTING_OUT_FIELD_NUMBER: _ClassVar[int]
    OWES_SMALL_BLIND_FIELD_NUMBER: _ClassVar[int]
    OWES_BIG_BLIND_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    TOP_UP_TO_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    ATTACHED_FIELD_NUMBER: _ClassVar[int]
    KOZEL_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    name: str
    stack: int
    bank_ms: int
    leaving: bool
    waiting: bool
    sitting_out: bool
    owes_small_blind: bool
    owes_big_blind: bool
    posts: bool
    top_up_to: int
    faults: int
    attached: bool
    kozel_account: _kozel_pb2.KozelAccount
    def __init__(self, seat: _Optional[int] = ..., name: _Optional[str] = ..., stack: _Optional[int] = ..., bank_ms: _Optional[int] = ..., leaving: _Optional[bool] = ..., waiting: _Optional[bool] = ..., sitting_out: _Optional[bool] = ..., owes_small_blind: _Optional[bool] = ..., owes_big_blind: _Optional[bool] = ..., posts: _Optional[bool] = ..., top_up_to: _Optional[int] = ..., faults: _Optional[int] = ..., attached: _Optional[bool] = ..., kozel_account: _Optional[_Union[_kozel_pb2.KozelAccount, _Mapping]] = ...) -> None: ...

class TableState(_message.Message):
    __slots__ = ("table_id", "config", "status", "hand", "seats", "end_reason", "match_name", "deal_commitment", "game")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    END_REASON_FIELD_NUMBER: _ClassVar[int]
    MATCH_NAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    config: TableConfig
    status: TableStatus
    hand: int
    seats: _containers.RepeatedCompositeFieldContainer[SeatState]
    end_reason: EndReason
    match_name: str
    deal_commitment: bytes
    game: str
    def __init__(self, table_id: _Optional[str] = ..., config: _Optional[_Union[TableConfig, _Mapping]] = ..., status: _Optional[_Union[TableStatus, str]] = ..., hand: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[SeatState, _Mapping]]] = ..., end_reason: _Optional[_Union[EndReason, str]] = ..., match_name: _Optional[str] = ..., deal_commitment: _Optional[bytes] = ..., game: _Optional[str] = ...) -> None: ...

class GetTableRequest(_message.Message):
    __slots__ = ("table_id",)
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    def __init__(self, table_id: _Optional[str] = ...) -> None: ...

class GetTableResponse(_message.Message):
    __slots__ = ("table",)
    TABLE_FIELD_NUMBER: _ClassVar[int]
    table: TableState
    def __init__(self, table: _Optional[_Union[TableState, _Mapping]] = ...) -> None: ...

class ListTablesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTablesResponse(_message.Message):
    __slots__ = ("tables", "next_page_token")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[TableState]
    next_page_token: str
    def __init__(self, tables: _Optional[_Iterable[_Union[TableState, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CloseTableRequest(_message.Message):
    __slots__ = ("request_id", "table_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ...) -> None: ...

class CloseTableResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TakeSeatRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seat", "name", "show_when_beaten", "public_key", "commits_seed", "posts")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SHOW_WHEN_BEATEN_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    COMMITS_SEED_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seat: int
    name: str
    show_when_beaten: bool
    public_key: bytes
    commits_seed: bool
    posts: bool
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seat: _Optional[int] = ..., name: _Optional[str] = ..., show_when_beaten: _Optional[bool] = ..., public_key: _Optional[bytes] = ..., commits_seed: _Optional[bool] = ..., posts: _Optional[bool] = ...) -> None: ...

class TakeSeatResponse(_message.Message):
    __slots__ = ("seat", "seat_token")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    seat_token: str
    def __init__(self, seat: _Optional[int] = ..., seat_token: _Optional[str] = ...) -> None: ...

class CommitSeedRequest(_message.Message):
    __slots__ = ("table_id", "seat_token", "commitment")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_token: str
    commitment: bytes
    def __init__(self, table_id: _Optional[str] = ..., seat_token: _Optional[str] = ..., commitment: _Optional[bytes] = ...) -> None: ...

class CommitSeedResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RevealSeedRequest(_message.Message):
    __slots__ = ("table_id", "seat_token", "seed")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_token: str
    seed: bytes
    def __init__(self, table_id: _Optional[str] = ..., seat_token: _Optional[str] = ..., seed: _Optional[bytes] = ...) -> None: ...

class RevealSeedResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class LeaveSeatRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seat_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seat_token: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seat_token: _Optional[str] = ...) -> None: ...

class LeaveSeatResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SitOutRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seat_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seat_token: str
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seat_token: _Optional[str] = ...) -> None: ...

class SitOutResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SitInRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seat_token", "posts")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seat_token: str
    posts: bool
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seat_token: _Optional[str] = ..., posts: _Optional[bool] = ...) -> None: ...

class SitInResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TopUpRequest(_message.Message):
    __slots__ = ("request_id", "table_id", "seat_token", "to")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    table_id: str
    seat_token: str
    to: int
    def __init__(self, request_id: _Optional[str] = ..., table_id: _Optional[str] = ..., seat_token: _Optional[str] = ..., to: _Optional[int] = ...) -> None: ...

class TopUpResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Cursor(_message.Message):
    __slots__ = ("hand", "number")
    HAND_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    hand: int
    number: int
    def __init__(self, hand: _Optional[int] = ..., number: _Optional[int] = ...) -> None: ...

class SeenEvent(_message.Message):
    __slots__ = ("hand", "number", "time_unix_ms", "opened", "seat_taken", "seat_leaving", "hand_began", "hand_event", "decision_opened", "ended", "seed_committed", "commitments_closed", "seed_revealed", "seat_sits_out", "seat_sits_in", "seat_tops_up", "fault_applied", "kozel_event")
    HAND_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    SEAT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_LEAVING_FIELD_NUMBER: _ClassVar[int]
    HAND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    HAND_EVENT_FIELD_NUMBER: _ClassVar[int]
    DECISION_OPENED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    SEED_COMMITTED_FIELD_NUMBER: _ClassVar[int]
    COMMITMENTS_CLOSED_FIELD_NUMBER: _ClassVar[int]
    SEED_REVEALED_FIELD_NUMBER: _ClassVar[int]
    SEAT_SITS_OUT_FIELD_NUMBER: _ClassVar[int]
    SEAT_SITS_IN_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOPS_UP_FIELD_NUMBER: _ClassVar[int]
    FAULT_APPLIED_FIELD_NUMBER: _ClassVar[int]
    KOZEL_EVENT_FIELD_NUMBER: _ClassVar[int]
    hand: int
    number: int
    time_unix_ms: int
    opened: TableOpened
    seat_taken: SeatTaken
    seat_leaving: SeatLeaving
    hand_began: HandBegan
    hand_event: _hand_pb2.Event
    decision_opened: DecisionOpened
    ended: TableEnded
    seed_committed: SeedCommitted
    commitments_closed: CommitmentsClosed
    seed_revealed: SeedRevealed
    seat_sits_out: SeatSitsOut
    seat_sits_in: SeatSitsIn
    seat_tops_up: SeatTopsUp
    fault_applied: FaultApplied
    kozel_event: _kozel_pb2.KozelEvent
    def __init__(self, hand: _Optional[int] = ..., number: _Optional[int] = ..., time_unix_ms: _Optional[int] = ..., opened: _Optional[_Union[TableOpened, _Mapping]] = ..., seat_taken: _Optional[_Union[SeatTaken, _Mapping]] = ..., seat_leaving: _Optional[_Union[SeatLeaving, _Mapping]] = ..., hand_began: _Optional[_Union[HandBegan, _Mapping]] = ..., hand_event: _Optional[_Union[_hand_pb2.Event, _Mapping]] = ..., decision_opened: _Optional[_Union[DecisionOpened, _Mapping]] = ..., ended: _Optional[_Union[TableEnded, _Mapping]] = ..., seed_committed: _Optional[_Union[SeedCommitted, _Mapping]] = ..., commitments_closed: _Optional[_Union[CommitmentsClosed, _Mapping]] = ..., seed_revealed: _Optional[_Union[SeedRevealed, _Mapping]] = ..., seat_sits_out: _Optional[_Union[SeatSitsOut, _Mapping]] = ..., seat_sits_in: _Optional[_Union[SeatSitsIn, _Mapping]] = ..., seat_tops_up: _Optional[_Union[SeatTopsUp, _Mapping]] = ..., fault_applied: _Optional[_Union[FaultApplied, _Mapping]] = ..., kozel_event: _Optional[_Union[_kozel_pb2.KozelEvent, _Mapping]] = ...) -> None: ...

class TableOpened(_message.Message):
    __slots__ = ("config", "match_name", "deal_commitment", "rule_set_name", "rule_set_sha256", "software", "decks_given")
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    MATCH_NAME_FIELD_NUMBER: _ClassVar[int]
    DEAL_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_SHA256_FIELD_NUMBER: _ClassVar[int]
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    DECKS_GIVEN_FIELD_NUMBER: _ClassVar[int]
    config: TableConfig
    match_name: str
    deal_commitment: bytes
    rule_set_name: str
    rule_set_sha256: bytes
    software: str
    decks_given: bool
    def __init__(self, config: _Optional[_Union[TableConfig, _Mapping]] = ..., match_name: _Optional[str] = ..., deal_commitment: _Optional[bytes] = ..., rule_set_name: _Optional[str] = ..., rule_set_sha256: _Optional[bytes] = ..., software: _Optional[str] = ..., decks_given: _Optional[bool] = ...) -> None: ...

class SeedCommitted(_message.Message):
    __slots__ = ("seat", "commitment")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    commitment: bytes
    def __init__(self, seat: _Optional[int] = ..., commitment: _Optional[bytes] = ...) -> None: ...

class CommitmentsClosed(_message.Message):
    __slots__ = ("seats", "commitments", "reveal_until_unix_ms")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    COMMITMENTS_FIELD_NUMBER: _ClassVar[int]
    REVEAL_UNTIL_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    commitments: _containers.RepeatedCompositeFieldContainer[SeedCommitted]
    reveal_until_unix_ms: int
    def __init__(self, seats: _Optional[_Iterable[int]] = ..., commitments: _Optional[_Iterable[_Union[SeedCommitted, _Mapping]]] = ..., reveal_until_unix_ms: _Optional[int] = ...) -> None: ...

class SeedRevealed(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SeatSeed(_message.Message):
    __slots__ = ("seat", "commitment", "seed")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    commitment: bytes
    seed: bytes
    def __init__(self, seat: _Optional[int] = ..., commitment: _Optional[bytes] = ..., seed: _Optional[bytes] = ...) -> None: ...

class MatchSeeds(_message.Message):
    __slots__ = ("match_name", "referee_seed", "seats")
    MATCH_NAME_FIELD_NUMBER: _ClassVar[int]
    REFEREE_SEED_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    match_name: str
    referee_seed: bytes
    seats: _containers.RepeatedCompositeFieldContainer[SeatSeed]
    def __init__(self, match_name: _Optional[str] = ..., referee_seed: _Optional[bytes] = ..., seats: _Optional[_Iterable[_Union[SeatSeed, _Mapping]]] = ...) -> None: ...

class SeatTaken(_message.Message):
    __slots__ = ("seat", "name", "stack", "posts")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    name: str
    stack: int
    posts: bool
    def __init__(self, seat: _Optional[int] = ..., name: _Optional[str] = ..., stack: _Optional[int] = ..., posts: _Optional[bool] = ...) -> None: ...

class SeatLeaving(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SeatSitsOut(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SeatSitsIn(_message.Message):
    __slots__ = ("seat", "posts")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    posts: bool
    def __init__(self, seat: _Optional[int] = ..., posts: _Optional[bool] = ...) -> None: ...

class SeatTopsUp(_message.Message):
    __slots__ = ("seat", "to")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    seat: int
    to: int
    def __init__(self, seat: _Optional[int] = ..., to: _Optional[int] = ...) -> None: ...

class FaultApplied(_message.Message):
    __slots__ = ("seat", "faults", "policy")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    seat: int
    faults: int
    policy: FaultPolicy
    def __init__(self, seat: _Optional[int] = ..., faults: _Optional[int] = ..., policy: _Optional[_Union[FaultPolicy, str]] = ...) -> None: ...

class HandBegan(_message.Message):
    __slots__ = ("hand_id", "players", "button_seat", "small_blind_seat", "big_blind_seat", "deck_root", "kozel")
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    BUTTON_SEAT_FIELD_NUMBER: _ClassVar[int]
    SMALL_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    BIG_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    DECK_ROOT_FIELD_NUMBER: _ClassVar[int]
    KOZEL_FIELD_NUMBER: _ClassVar[int]
    hand_id: str
    players: _containers.RepeatedCompositeFieldContainer[_hand_pb2.PlayerSetup]
    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    deck_root: bytes
    kozel: KozelRoundBegan
    def __init__(self, hand_id: _Optional[str] = ..., players: _Optional[_Iterable[_Union[_hand_pb2.PlayerSetup, _Mapping]]] = ..., button_seat: _Optional[int] = ..., small_blind_seat: _Optional[int] = ..., big_blind_seat: _Optional[int] = ..., deck_root: _Optional[bytes] = ..., kozel: _Optional[_Union[KozelRoundBegan, _Mapping]] = ...) -> None: ...

class KozelRoundBegan(_message.Message):
    __slots__ = ("accounts", "leader_seat", "carry", "deck_roots")
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    LEADER_SEAT_FIELD_NUMBER: _ClassVar[int]
    CARRY_FIELD_NUMBER: _ClassVar[int]
    DECK_ROOTS_FIELD_NUMBER: _ClassVar[int]
    accounts: _containers.RepeatedCompositeFieldContainer[_kozel_pb2.KozelAccount]
    leader_seat: int
    carry: int
    deck_roots: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, accounts: _Optional[_Iterable[_Union[_kozel_pb2.KozelAccount, _Mapping]]] = ..., leader_seat: _Optional[int] = ..., carry: _Optional[int] = ..., deck_roots: _Optional[_Iterable[bytes]] = ...) -> None: ...

class DecisionOpened(_message.Message):
    __slots__ = ("seat", "decision_id", "action_ms", "bank_ms")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    decision_id: int
    action_ms: int
    bank_ms: int
    def __init__(self, seat: _Optional[int] = ..., decision_id: _Optional[int] = ..., action_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ...) -> None: ...

class TableEnded(_message.Message):
    __slots__ = ("reason", "seeds")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    reason: EndReason
    seeds: MatchSeeds
    def __init__(self, reason: _Optional[_Union[EndReason, str]] = ..., seeds: _Optional[_Union[MatchSeeds, _Mapping]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("hand_id", "hand", "legal", "deadline_unix_ms", "remaining_ms", "kozel")
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    REMAINING_MS_FIELD_NUMBER: _ClassVar[int]
    KOZEL_FIELD_NUMBER: _ClassVar[int]
    hand_id: str
    hand: int
    legal: _hand_pb2.LegalOptions
    deadline_unix_ms: int
    remaining_ms: int
    kozel: _kozel_pb2.KozelOptions
    def __init__(self, hand_id: _Optional[str] = ..., hand: _Optional[int] = ..., legal: _Optional[_Union[_hand_pb2.LegalOptions, _Mapping]] = ..., deadline_unix_ms: _Optional[int] = ..., remaining_ms: _Optional[int] = ..., kozel: _Optional[_Union[_kozel_pb2.KozelOptions, _Mapping]] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ("table", "events")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    table: TableState
    events: _containers.RepeatedCompositeFieldContainer[SeenEvent]
    def __init__(self, table: _Optional[_Union[TableState, _Mapping]] = ..., events: _Optional[_Iterable[_Union[SeenEvent, _Mapping]]] = ...) -> None: ...

class StreamEnd(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: StreamEndReason
    def __init__(self, reason: _Optional[_Union[StreamEndReason, str]] = ...) -> None: ...

class Answered(_message.Message):
    __slots__ = ("request_id", "ruling", "kozel")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    KOZEL_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    ruling: _hand_pb2.Ruling
    kozel: _kozel_pb2.KozelRuling
    def __init__(self, request_id: _Optional[str] = ..., ruling: _Optional[_Union[_hand_pb2.Ruling, _Mapping]] = ..., kozel: _Optional[_Union[_kozel_pb2.KozelRuling, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("time_unix_ms",)
    TIME_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    time_unix_ms: int
    def __init__(self, time_unix_ms: _Optional[int] = ...) -> None: ...

class Attach(_message.Message):
    __slots__ = ("seat_token", "cursor")
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    seat_token: str
    cursor: Cursor
    def __init__(self, seat_token: _Optional[str] = ..., cursor: _Optional[_Union[Cursor, _Mapping]] = ...) -> None: ...

class Detach(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Propose(_message.Message):
    __slots__ = ("request_id", "proposal", "signature", "kozel")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    KOZEL_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    proposal: _hand_pb2.Proposal
    signature: bytes
    kozel: _kozel_pb2.KozelProposal
    def __init__(self, request_id: _Optional[str] = ..., proposal: _Optional[_Union[_hand_pb2.Proposal, _Mapping]] = ..., signature: _Optional[bytes] = ..., kozel: _Optional[_Union[_kozel_pb2.KozelProposal, _Mapping]] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("items", "max_open_decisions")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    MAX_OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[PlayRequestItem]
    max_open_decisions: int
    def __init__(self, items: _Optional[_Iterable[_Union[PlayRequestItem, _Mapping]]] = ..., max_open_decisions: _Optional[int] = ...) -> None: ...

class PlayRequestItem(_message.Message):
    __slots__ = ("table_id", "attach", "propose", "detach")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    ATTACH_FIELD_NUMBER: _ClassVar[int]
    PROPOSE_FIELD_NUMBER: _ClassVar[int]
    DETACH_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    attach: Attach
    propose: Propose
    detach: Detach
    def __init__(self, table_id: _Optional[str] = ..., attach: _Optional[_Union[Attach, _Mapping]] = ..., propose: _Optional[_Union[Propose, _Mapping]] = ..., detach: _Optional[_Union[Detach, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[PlayResponseItem]
    def __init__(self, items: _Optional[_Iterable[_Union[PlayResponseItem, _Mapping]]] = ...) -> None: ...

class PlayResponseItem(_message.Message):
    __slots__ = ("table_id", "snapshot", "event", "decision", "answered", "heartbeat", "end", "sealed")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    SEALED_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    snapshot: Snapshot
    event: SeenEvent
    decision: Decision
    answered: Answered
    heartbeat: Heartbeat
    end: StreamEnd
    sealed: PieceSealed
    def __init__(self, table_id: _Optional[str] = ..., snapshot: _Optional[_Union[Snapshot, _Mapping]] = ..., event: _Optional[_Union[SeenEvent, _Mapping]] = ..., decision: _Optional[_Union[Decision, _Mapping]] = ..., answered: _Optional[_Union[Answered, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., end: _Optional[_Union[StreamEnd, _Mapping]] = ..., sealed: _Optional[_Union[PieceSealed, _Mapping]] = ...) -> None: ...

class PieceSealed(_message.Message):
    __slots__ = ("seal", "index", "checkpoint")
    SEAL_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    seal: bytes
    index: int
    checkpoint: bytes
    def __init__(self, seal: _Optional[bytes] = ..., index: _Optional[int] = ..., checkpoint: _Optional[bytes] = ...) -> None: ...

class WatchTableRequest(_message.Message):
    __slots__ = ("table_id", "seat_token", "cursor")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_token: str
    cursor: Cursor
    def __init__(self, table_id: _Optional[str] = ..., seat_token: _Optional[str] = ..., cursor: _Optional[_Union[Cursor, _Mapping]] = ...) -> None: ...

class WatchTableResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[PlayResponseItem]
    def __init__(self, items: _Optional[_Iterable[_Union[PlayResponseItem, _Mapping]]] = ...) -> None: ...

class SubmitActionRequest(_message.Message):
    __slots__ = ("table_id", "seat_token", "propose")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROPOSE_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_token: str
    propose: Propose
    def __init__(self, table_id: _Optional[str] = ..., seat_token: _Optional[str] = ..., propose: _Optional[_Union[Propose, _Mapping]] = ...) -> None: ...

class SubmitActionResponse(_message.Message):
    __slots__ = ("answered",)
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    answered: Answered
    def __init__(self, answered: _Optional[_Union[Answered, _Mapping]] = ...) -> None: ...

class ReviewHandRequest(_message.Message):
    __slots__ = ("table_id", "hand", "seat_token")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    hand: int
    seat_token: str
    def __init__(self, table_id: _Optional[str] = ..., hand: _Optional[int] = ..., seat_token: _Optional[str] = ...) -> None: ...

class ReviewedHand(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ...) -> None: ...

class ReviewHandResponse(_message.Message):
    __slots__ = ("events", "hands")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[SeenEvent]
    hands: _containers.RepeatedCompositeFieldContainer[ReviewedHand]
    def __init__(self, events: _Optional[_Iterable[_Union[SeenEvent, _Mapping]]] = ..., hands: _Optional[_Iterable[_Union[ReviewedHand, _Mapping]]] = ...) -> None: ...

class GetHandRecordRequest(_message.Message):
    __slots__ = ("table_id", "hand")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    hand: int
    def __init__(self, table_id: _Optional[str] = ..., hand: _Optional[int] = ...) -> None: ...

class RecordedProposal(_message.Message):
    __slots__ = ("request_id", "proposal", "received_unix_ms", "accepted", "rule", "reason", "kozel", "kozel_reason")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    KOZEL_FIELD_NUMBER: _ClassVar[int]
    KOZEL_REASON_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    proposal: _hand_pb2.Proposal
    received_unix_ms: int
    accepted: bool
    rule: str
    reason: _hand_pb2.Reason
    kozel: _kozel_pb2.KozelProposal
    kozel_reason: _kozel_pb2.KozelReason
    def __init__(self, request_id: _Optional[str] = ..., proposal: _Optional[_Union[_hand_pb2.Proposal, _Mapping]] = ..., received_unix_ms: _Optional[int] = ..., accepted: _Optional[bool] = ..., rule: _Optional[str] = ..., reason: _Optional[_Union[_hand_pb2.Reason, str]] = ..., kozel: _Optional[_Union[_kozel_pb2.KozelProposal, _Mapping]] = ..., kozel_reason: _Optional[_Union[_kozel_pb2.KozelReason, str]] = ...) -> None: ...

class GetHandRecordResponse(_message.Message):
    __slots__ = ("record", "events", "proposals", "settlement", "kozel_round")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    KOZEL_ROUND_FIELD_NUMBER: _ClassVar[int]
    record: _judge_pb2.HandRecord
    events: _containers.RepeatedCompositeFieldContainer[SeenEvent]
    proposals: _containers.RepeatedCompositeFieldContainer[RecordedProposal]
    settlement: _hand_pb2.Settlement
    kozel_round: str
    def __init__(self, record: _Optional[_Union[_judge_pb2.HandRecord, _Mapping]] = ..., events: _Optional[_Iterable[_Union[SeenEvent, _Mapping]]] = ..., proposals: _Optional[_Iterable[_Union[RecordedProposal, _Mapping]]] = ..., settlement: _Optional[_Union[_hand_pb2.Settlement, _Mapping]] = ..., kozel_round: _Optional[str] = ...) -> None: ...
