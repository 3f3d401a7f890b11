from referee.v1 import hand_pb2 as _hand_pb2
from referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StoredEvent(_message.Message):
    __slots__ = ("opened", "seat_taken", "seat_leaving", "hand_began", "hand_event", "decision_opened", "ruling", "ended", "closing")
    OPENED_FIELD_NUMBER: _ClassVar[int]
    SEAT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_LEAVING_FIELD_NUMBER: _ClassVar[int]
    HAND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    HAND_EVENT_FIELD_NUMBER: _ClassVar[int]
    DECISION_OPENED_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    opened: StoredOpened
    seat_taken: StoredSeat
    seat_leaving: _table_pb2.SeatLeaving
    hand_began: StoredHandBegan
    hand_event: _hand_pb2.Event
    decision_opened: _table_pb2.DecisionOpened
    ruling: StoredRuling
    ended: _table_pb2.TableEnded
    closing: StoredClosing
    def __init__(self, opened: _Optional[_Union[StoredOpened, _Mapping]] = ..., seat_taken: _Optional[_Union[StoredSeat, _Mapping]] = ..., seat_leaving: _Optional[_Union[_table_pb2.SeatLeaving, _Mapping]] = ..., hand_began: _Optional[_Union[StoredHandBegan, _Mapping]] = ..., hand_event: _Optional[_Union[_hand_pb2.Event, _Mapping]] = ..., decision_opened: _Optional[_Union[_table_pb2.DecisionOpened, _Mapping]] = ..., ruling: _Optional[_Union[StoredRuling, _Mapping]] = ..., ended: _Optional[_Union[_table_pb2.TableEnded, _Mapping]] = ..., closing: _Optional[_Union[StoredClosing, _Mapping]] = ...) -> None: ...

class StoredEvents(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[StoredEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[StoredEvent, _Mapping]]] = ...) -> None: ...

class StoredOpened(_message.Message):
    __slots__ = ("config",)
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    config: _table_pb2.TableConfig
    def __init__(self, config: _Optional[_Union[_table_pb2.TableConfig, _Mapping]] = ...) -> None: ...

class StoredSeat(_message.Message):
    __slots__ = ("seat", "name", "token_sha256", "stack", "bank_ms", "show_when_beaten", "leaving", "waiting")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOKEN_SHA256_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    SHOW_WHEN_BEATEN_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    seat: int
    name: str
    token_sha256: bytes
    stack: int
    bank_ms: int
    show_when_beaten: bool
    leaving: bool
    waiting: bool
    def __init__(self, seat: _Optional[int] = ..., name: _Optional[str] = ..., token_sha256: _Optional[bytes] = ..., stack: _Optional[int] = ..., bank_ms: _Optional[int] = ..., show_when_beaten: _Optional[bool] = ..., leaving: _Optional[bool] = ..., waiting: _Optional[bool] = ...) -> None: ...

class StoredHandBegan(_message.Message):
    __slots__ = ("hand", "hand_id", "seats", "dealt_in", "button_seat", "small_blind_position", "big_blind_seat", "closing")
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DEALT_IN_FIELD_NUMBER: _ClassVar[int]
    BUTTON_SEAT_FIELD_NUMBER: _ClassVar[int]
    SMALL_BLIND_POSITION_FIELD_NUMBER: _ClassVar[int]
    BIG_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    hand: int
    hand_id: str
    seats: _containers.RepeatedCompositeFieldContainer[StoredSeat]
    dealt_in: _containers.RepeatedScalarFieldContainer[int]
    button_seat: int
    small_blind_position: int
    big_blind_seat: int
    closing: bool
    def __init__(self, hand: _Optional[int] = ..., hand_id: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[StoredSeat, _Mapping]]] = ..., dealt_in: _Optional[_Iterable[int]] = ..., button_seat: _Optional[int] = ..., small_blind_position: _Optional[int] = ..., big_blind_seat: _Optional[int] = ..., closing: _Optional[bool] = ...) -> None: ...

class StoredRuling(_message.Message):
    __slots__ = ("seat", "request_id", "proposal", "received_unix_ms", "elapsed_ms", "bank_ms", "further_refusals", "ruling")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    FURTHER_REFUSALS_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    seat: int
    request_id: str
    proposal: _hand_pb2.Proposal
    received_unix_ms: int
    elapsed_ms: int
    bank_ms: int
    further_refusals: int
    ruling: _hand_pb2.Ruling
    def __init__(self, seat: _Optional[int] = ..., request_id: _Optional[str] = ..., proposal: _Optional[_Union[_hand_pb2.Proposal, _Mapping]] = ..., received_unix_ms: _Optional[int] = ..., elapsed_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., further_refusals: _Optional[int] = ..., ruling: _Optional[_Union[_hand_pb2.Ruling, _Mapping]] = ...) -> None: ...

class StoredClosing(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
