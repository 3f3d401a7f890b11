from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ContestStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEST_STATUS_UNSPECIFIED: _ClassVar[ContestStatus]
    CONTEST_STATUS_CREATED: _ClassVar[ContestStatus]
    CONTEST_STATUS_RUNNING: _ClassVar[ContestStatus]
    CONTEST_STATUS_PAUSED: _ClassVar[ContestStatus]
    CONTEST_STATUS_FINISHED: _ClassVar[ContestStatus]

class ContestCommand(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEST_COMMAND_UNSPECIFIED: _ClassVar[ContestCommand]
    CONTEST_COMMAND_PAUSE: _ClassVar[ContestCommand]
    CONTEST_COMMAND_RESUME: _ClassVar[ContestCommand]
    CONTEST_COMMAND_FINISH: _ClassVar[ContestCommand]
    CONTEST_COMMAND_DISQUALIFY: _ClassVar[ContestCommand]
    CONTEST_COMMAND_VOID_HAND: _ClassVar[ContestCommand]

class ContestEndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTEST_END_REASON_UNSPECIFIED: _ClassVar[ContestEndReason]
    CONTEST_END_REASON_FINISHED: _ClassVar[ContestEndReason]
    CONTEST_END_REASON_REPLACED: _ClassVar[ContestEndReason]
    CONTEST_END_REASON_DISQUALIFIED: _ClassVar[ContestEndReason]
    CONTEST_END_REASON_TOKEN_VOID: _ClassVar[ContestEndReason]
CONTEST_STATUS_UNSPECIFIED: ContestStatus
CONTEST_STATUS_CREATED: ContestStatus
CONTEST_STATUS_RUNNING: ContestStatus
CONTEST_STATUS_PAUSED: ContestStatus
CONTEST_STATUS_FINISHED: ContestStatus
CONTEST_COMMAND_UNSPECIFIED: ContestCommand
CONTEST_COMMAND_PAUSE: ContestCommand
CONTEST_COMMAND_RESUME: ContestCommand
CONTEST_COMMAND_FINISH: ContestCommand
CONTEST_COMMAND_DISQUALIFY: ContestCommand
CONTEST_COMMAND_VOID_HAND: ContestCommand
CONTEST_END_REASON_UNSPECIFIED: ContestEndReason
CONTEST_END_REASON_FINISHED: ContestEndReason
CONTEST_END_REASON_REPLACED: ContestEndReason
CONTEST_END_REASON_DISQUALIFIED: ContestEndReason
CONTEST_END_REASON_TOKEN_VOID: ContestEndReason

class CreateContestRequest(_message.Message):
    __slots__ = ("file", "seed")
    FILE_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    file: str
    seed: bytes
    def __init__(self, file: _Optional[str] = ..., seed: _Optional[bytes] = ...) -> None: ...

class CreateContestResponse(_message.Message):
    __slots__ = ("contest", "faults")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    contest: ContestState
    faults: _containers.RepeatedCompositeFieldContainer[ContestFileFault]
    def __init__(self, contest: _Optional[_Union[ContestState, _Mapping]] = ..., faults: _Optional[_Iterable[_Union[ContestFileFault, _Mapping]]] = ...) -> None: ...

class ContestFileFault(_message.Message):
    __slots__ = ("key", "line", "what")
    KEY_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    WHAT_FIELD_NUMBER: _ClassVar[int]
    key: str
    line: int
    what: str
    def __init__(self, key: _Optional[str] = ..., line: _Optional[int] = ..., what: _Optional[str] = ...) -> None: ...

class ContestState(_message.Message):
    __slots__ = ("name", "status", "settings_sha256", "seed_commitment", "entrants", "matches", "matches_played", "hands_begun", "has_runner")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_SHA256_FIELD_NUMBER: _ClassVar[int]
    SEED_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_PLAYED_FIELD_NUMBER: _ClassVar[int]
    HANDS_BEGUN_FIELD_NUMBER: _ClassVar[int]
    HAS_RUNNER_FIELD_NUMBER: _ClassVar[int]
    name: str
    status: ContestStatus
    settings_sha256: str
    seed_commitment: str
    entrants: _containers.RepeatedCompositeFieldContainer[ContestEntrant]
    matches: int
    matches_played: int
    hands_begun: int
    has_runner: bool
    def __init__(self, name: _Optional[str] = ..., status: _Optional[_Union[ContestStatus, str]] = ..., settings_sha256: _Optional[str] = ..., seed_commitment: _Optional[str] = ..., entrants: _Optional[_Iterable[_Union[ContestEntrant, _Mapping]]] = ..., matches: _Optional[int] = ..., matches_played: _Optional[int] = ..., hands_begun: _Optional[int] = ..., has_runner: _Optional[bool] = ...) -> None: ...

class ContestEntrant(_message.Message):
    __slots__ = ("name", "disqualified")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISQUALIFIED_FIELD_NUMBER: _ClassVar[int]
    name: str
    disqualified: str
    def __init__(self, name: _Optional[str] = ..., disqualified: _Optional[str] = ...) -> None: ...

class RegisterEntrantRequest(_message.Message):
    __slots__ = ("contest", "request_id", "name")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    contest: str
    request_id: str
    name: str
    def __init__(self, contest: _Optional[str] = ..., request_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class RegisterEntrantResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class StartContestRequest(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: str
    def __init__(self, contest: _Optional[str] = ...) -> None: ...

class StartContestResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CommandContestRequest(_message.Message):
    __slots__ = ("contest", "command", "subject", "reason", "request_id")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    contest: str
    command: ContestCommand
    subject: str
    reason: str
    request_id: str
    def __init__(self, contest: _Optional[str] = ..., command: _Optional[_Union[ContestCommand, str]] = ..., subject: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CommandContestResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListContestsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListContestsResponse(_message.Message):
    __slots__ = ("contests", "next_page_token")
    CONTESTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    contests: _containers.RepeatedCompositeFieldContainer[ContestState]
    next_page_token: str
    def __init__(self, contests: _Optional[_Iterable[_Union[ContestState, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetContestRequest(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: str
    def __init__(self, contest: _Optional[str] = ...) -> None: ...

class GetContestResponse(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: ContestState
    def __init__(self, contest: _Optional[_Union[ContestState, _Mapping]] = ...) -> None: ...

class WatchContestRequest(_message.Message):
    __slots__ = ("contest", "after")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    contest: str
    after: int
    def __init__(self, contest: _Optional[str] = ..., after: _Optional[int] = ...) -> None: ...

class WatchContestResponse(_message.Message):
    __slots__ = ("contest", "happenings")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    HAPPENINGS_FIELD_NUMBER: _ClassVar[int]
    contest: ContestState
    happenings: _containers.RepeatedCompositeFieldContainer[ContestHappening]
    def __init__(self, contest: _Optional[_Union[ContestState, _Mapping]] = ..., happenings: _Optional[_Iterable[_Union[ContestHappening, _Mapping]]] = ...) -> None: ...

class ContestHappening(_message.Message):
    __slots__ = ("number", "time_unix_ms", "kind", "subject", "detail")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    number: int
    time_unix_ms: int
    kind: str
    subject: str
    detail: str
    def __init__(self, number: _Optional[int] = ..., time_unix_ms: _Optional[int] = ..., kind: _Optional[str] = ..., subject: _Optional[str] = ..., detail: _Optional[str] = ...) -> None: ...

class AttendContestRequest(_message.Message):
    __slots__ = ("contest", "name")
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    contest: str
    name: str
    def __init__(self, contest: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class AttendContestResponse(_message.Message):
    __slots__ = ("seats", "heartbeat", "end")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    seats: ContestSeats
    heartbeat: ContestHeartbeat
    end: ContestEnd
    def __init__(self, seats: _Optional[_Union[ContestSeats, _Mapping]] = ..., heartbeat: _Optional[_Union[ContestHeartbeat, _Mapping]] = ..., end: _Optional[_Union[ContestEnd, _Mapping]] = ...) -> None: ...

class ContestSeats(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedCompositeFieldContainer[ContestSeat]
    def __init__(self, seats: _Optional[_Iterable[_Union[ContestSeat, _Mapping]]] = ...) -> None: ...

class ContestSeat(_message.Message):
    __slots__ = ("match", "table_name", "table_id", "seat", "seat_token")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TABLE_NAME_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    match: int
    table_name: str
    table_id: str
    seat: int
    seat_token: str
    def __init__(self, match: _Optional[int] = ..., table_name: _Optional[str] = ..., table_id: _Optional[str] = ..., seat: _Optional[int] = ..., seat_token: _Optional[str] = ...) -> None: ...

class ContestHeartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ContestEnd(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: ContestEndReason
    def __init__(self, reason: _Optional[_Union[ContestEndReason, str]] = ...) -> None: ...

class GetContestResultsRequest(_message.Message):
    __slots__ = ("contest",)
    CONTEST_FIELD_NUMBER: _ClassVar[int]
    contest: str
    def __init__(self, contest: _Optional[str] = ...) -> None: ...

class GetContestResultsResponse(_message.Message):
    __slots__ = ("json",)
    JSON_FIELD_NUMBER: _ClassVar[int]
    json: str
    def __init__(self, json: _Optional[str] = ...) -> None: ...
