from buf.validate import validate_pb2 as _validate_pb2
from referee.v1 import judge_pb2 as _judge_pb2
from referee.v1 import kozel_pb2 as _kozel_pb2
from referee.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CheckOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHECK_OUTCOME_UNSPECIFIED: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_PASS: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_FAIL: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_NOT_CHECKABLE: _ClassVar[CheckOutcome]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_VALID: _ClassVar[Verdict]
    VERDICT_INVALID: _ClassVar[Verdict]
    VERDICT_UNREADABLE: _ClassVar[Verdict]
    VERDICT_INCOMPLETE: _ClassVar[Verdict]

class OperationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPERATION_STATUS_UNSPECIFIED: _ClassVar[OperationStatus]
    OPERATION_STATUS_RUNNING: _ClassVar[OperationStatus]
    OPERATION_STATUS_DONE: _ClassVar[OperationStatus]
    OPERATION_STATUS_CANCELLED: _ClassVar[OperationStatus]
    OPERATION_STATUS_FAILED: _ClassVar[OperationStatus]
CHECK_OUTCOME_UNSPECIFIED: CheckOutcome
CHECK_OUTCOME_PASS: CheckOutcome
CHECK_OUTCOME_FAIL: CheckOutcome
CHECK_OUTCOME_NOT_CHECKABLE: CheckOutcome
VERDICT_UNSPECIFIED: Verdict
VERDICT_VALID: Verdict
VERDICT_INVALID: Verdict
VERDICT_UNREADABLE: Verdict
VERDICT_INCOMPLETE: Verdict
OPERATION_STATUS_UNSPECIFIED: OperationStatus
OPERATION_STATUS_RUNNING: OperationStatus
OPERATION_STATUS_DONE: OperationStatus
OPERATION_STATUS_CANCELLED: OperationStatus
OPERATION_STATUS_FAILED: OperationStatus

class ExportBundleRequest(_message.Message):
    __slots__ = ("table_id", "first_hand", "last_hand", "from_unix_ms", "until_unix_ms", "view", "seat_token")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_HAND_FIELD_NUMBER: _ClassVar[int]
    LAST_HAND_FIELD_NUMBER: _ClassVar[int]
    FROM_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    UNTIL_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    first_hand: int
    last_hand: int
    from_unix_ms: int
    until_unix_ms: int
    view: _record_pb2.BundleView
    seat_token: str
    def __init__(self, table_id: _Optional[str] = ..., first_hand: _Optional[int] = ..., last_hand: _Optional[int] = ..., from_unix_ms: _Optional[int] = ..., until_unix_ms: _Optional[int] = ..., view: _Optional[_Union[_record_pb2.BundleView, str]] = ..., seat_token: _Optional[str] = ...) -> None: ...

class ExportBundleResponse(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    def __init__(self, data: _Optional[bytes] = ...) -> None: ...

class VerifyBundleRequest(_message.Message):
    __slots__ = ("data", "keys", "witness_keys", "quorum")
    DATA_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    WITNESS_KEYS_FIELD_NUMBER: _ClassVar[int]
    QUORUM_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    keys: _containers.RepeatedScalarFieldContainer[str]
    witness_keys: _containers.RepeatedScalarFieldContainer[str]
    quorum: int
    def __init__(self, data: _Optional[bytes] = ..., keys: _Optional[_Iterable[str]] = ..., witness_keys: _Optional[_Iterable[str]] = ..., quorum: _Optional[int] = ...) -> None: ...

class AuditCheck(_message.Message):
    __slots__ = ("name", "outcome", "message", "compared")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    COMPARED_FIELD_NUMBER: _ClassVar[int]
    name: str
    outcome: CheckOutcome
    message: str
    compared: int
    def __init__(self, name: _Optional[str] = ..., outcome: _Optional[_Union[CheckOutcome, str]] = ..., message: _Optional[str] = ..., compared: _Optional[int] = ...) -> None: ...

class Divergence(_message.Message):
    __slots__ = ("check", "table_id", "piece", "entry", "rule", "rule_text", "before", "recorded", "right", "message")
    CHECK_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    RULE_TEXT_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    check: str
    table_id: str
    piece: int
    entry: int
    rule: str
    rule_text: str
    before: str
    recorded: str
    right: str
    message: str
    def __init__(self, check: _Optional[str] = ..., table_id: _Optional[str] = ..., piece: _Optional[int] = ..., entry: _Optional[int] = ..., rule: _Optional[str] = ..., rule_text: _Optional[str] = ..., before: _Optional[str] = ..., recorded: _Optional[str] = ..., right: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class VerifyBundleResponse(_message.Message):
    __slots__ = ("verdict", "checks", "divergence", "hands", "rulings")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    DIVERGENCE_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    checks: _containers.RepeatedCompositeFieldContainer[AuditCheck]
    divergence: Divergence
    hands: int
    rulings: int
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., checks: _Optional[_Iterable[_Union[AuditCheck, _Mapping]]] = ..., divergence: _Optional[_Union[Divergence, _Mapping]] = ..., hands: _Optional[int] = ..., rulings: _Optional[int] = ...) -> None: ...

class ClaimedOutcome(_message.Message):
    __slots__ = ("player", "net")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    NET_FIELD_NUMBER: _ClassVar[int]
    player: str
    net: int
    def __init__(self, player: _Optional[str] = ..., net: _Optional[int] = ...) -> None: ...

class JudgeDisputeRequest(_message.Message):
    __slots__ = ("text", "source", "rule_set_name", "claims", "with_report")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    WITH_REPORT_FIELD_NUMBER: _ClassVar[int]
    text: str
    source: str
    rule_set_name: str
    claims: _containers.RepeatedCompositeFieldContainer[ClaimedOutcome]
    with_report: bool
    def __init__(self, text: _Optional[str] = ..., source: _Optional[str] = ..., rule_set_name: _Optional[str] = ..., claims: _Optional[_Iterable[_Union[ClaimedOutcome, _Mapping]]] = ..., with_report: _Optional[bool] = ...) -> None: ...

class PlayerOutcome(_message.Message):
    __slots__ = ("seat", "player", "collected", "net", "recorded_net", "claimed_net", "kozel_account")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    COLLECTED_FIELD_NUMBER: _ClassVar[int]
    NET_FIELD_NUMBER: _ClassVar[int]
    RECORDED_NET_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_NET_FIELD_NUMBER: _ClassVar[int]
    KOZEL_ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    player: str
    collected: int
    net: int
    recorded_net: int
    claimed_net: int
    kozel_account: _kozel_pb2.KozelAccount
    def __init__(self, seat: _Optional[int] = ..., player: _Optional[str] = ..., collected: _Optional[int] = ..., net: _Optional[int] = ..., recorded_net: _Optional[int] = ..., claimed_net: _Optional[int] = ..., kozel_account: _Optional[_Union[_kozel_pb2.KozelAccount, _Mapping]] = ...) -> None: ...

class JudgeDisputeResponse(_message.Message):
    __slots__ = ("verdict", "summary", "divergence", "outcomes", "rules", "judgement", "report_html", "kozel_judgement")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    DIVERGENCE_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    JUDGEMENT_FIELD_NUMBER: _ClassVar[int]
    REPORT_HTML_FIELD_NUMBER: _ClassVar[int]
    KOZEL_JUDGEMENT_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    summary: str
    divergence: Divergence
    outcomes: _containers.RepeatedCompositeFieldContainer[PlayerOutcome]
    rules: _containers.RepeatedScalarFieldContainer[str]
    judgement: _judge_pb2.Judgement
    report_html: str
    kozel_judgement: _kozel_pb2.KozelJudgement
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., summary: _Optional[str] = ..., divergence: _Optional[_Union[Divergence, _Mapping]] = ..., outcomes: _Optional[_Iterable[_Union[PlayerOutcome, _Mapping]]] = ..., rules: _Optional[_Iterable[str]] = ..., judgement: _Optional[_Union[_judge_pb2.Judgement, _Mapping]] = ..., report_html: _Optional[str] = ..., kozel_judgement: _Optional[_Union[_kozel_pb2.KozelJudgement, _Mapping]] = ...) -> None: ...

class GetOpeningsRequest(_message.Message):
    __slots__ = ("table_id", "hand", "seat_token")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    hand: int
    seat_token: str
    def __init__(self, table_id: _Optional[str] = ..., hand: _Optional[int] = ..., seat_token: _Optional[str] = ...) -> None: ...

class OpenedCard(_message.Message):
    __slots__ = ("position", "card", "salt", "path", "redeal")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    REDEAL_FIELD_NUMBER: _ClassVar[int]
    position: int
    card: str
    salt: bytes
    path: _containers.RepeatedScalarFieldContainer[bytes]
    redeal: int
    def __init__(self, position: _Optional[int] = ..., card: _Optional[str] = ..., salt: _Optional[bytes] = ..., path: _Optional[_Iterable[bytes]] = ..., redeal: _Optional[int] = ...) -> None: ...

class GetOpeningsResponse(_message.Message):
    __slots__ = ("deck_root", "cards", "deck_roots")
    DECK_ROOT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    DECK_ROOTS_FIELD_NUMBER: _ClassVar[int]
    deck_root: bytes
    cards: _containers.RepeatedCompositeFieldContainer[OpenedCard]
    deck_roots: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, deck_root: _Optional[bytes] = ..., cards: _Optional[_Iterable[_Union[OpenedCard, _Mapping]]] = ..., deck_roots: _Optional[_Iterable[bytes]] = ...) -> None: ...

class StartAuditRequest(_message.Message):
    __slots__ = ("request_id", "tables", "text")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tables: AuditedTables
    text: str
    def __init__(self, request_id: _Optional[str] = ..., tables: _Optional[_Union[AuditedTables, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class AuditedTables(_message.Message):
    __slots__ = ("table_ids",)
    TABLE_IDS_FIELD_NUMBER: _ClassVar[int]
    table_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, table_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class StartAuditResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: Operation
    def __init__(self, operation: _Optional[_Union[Operation, _Mapping]] = ...) -> None: ...

class RuleCount(_message.Message):
    __slots__ = ("rule", "hands")
    RULE_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    rule: str
    hands: int
    def __init__(self, rule: _Optional[str] = ..., hands: _Optional[int] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ("operation_id", "status", "hands", "hands_in_all", "disagree", "unreadable", "by_rule", "first", "started_unix_ms", "message")
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    HANDS_IN_ALL_FIELD_NUMBER: _ClassVar[int]
    DISAGREE_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    BY_RULE_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    STARTED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    status: OperationStatus
    hands: int
    hands_in_all: int
    disagree: int
    unreadable: int
    by_rule: _containers.RepeatedCompositeFieldContainer[RuleCount]
    first: _containers.RepeatedCompositeFieldContainer[Divergence]
    started_unix_ms: int
    message: str
    def __init__(self, operation_id: _Optional[str] = ..., status: _Optional[_Union[OperationStatus, str]] = ..., hands: _Optional[int] = ..., hands_in_all: _Optional[int] = ..., disagree: _Optional[int] = ..., unreadable: _Optional[int] = ..., by_rule: _Optional[_Iterable[_Union[RuleCount, _Mapping]]] = ..., first: _Optional[_Iterable[_Union[Divergence, _Mapping]]] = ..., started_unix_ms: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class GetOperationRequest(_message.Message):
    __slots__ = ("operation_id",)
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    def __init__(self, operation_id: _Optional[str] = ...) -> None: ...

class GetOperationResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: Operation
    def __init__(self, operation: _Optional[_Union[Operation, _Mapping]] = ...) -> None: ...

class ListOperationsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListOperationsResponse(_message.Message):
    __slots__ = ("operations", "next_page_token")
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    next_page_token: str
    def __init__(self, operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CancelOperationRequest(_message.Message):
    __slots__ = ("operation_id",)
    OPERATION_ID_FIELD_NUMBER: _ClassVar[int]
    operation_id: str
    def __init__(self, operation_id: _Optional[str] = ...) -> None: ...

class CancelOperationResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: Operation
    def __init__(self, operation: _Optional[_Union[Operation, _Mapping]] = ...) -> None: ...
