from referee.v1 import hand_pb2 as _hand_pb2
from referee.v1 import kozel_pb2 as _kozel_pb2
from referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BundleView(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUNDLE_VIEW_UNSPECIFIED: _ClassVar[BundleView]
    BUNDLE_VIEW_AUDITOR: _ClassVar[BundleView]
    BUNDLE_VIEW_SEAT: _ClassVar[BundleView]
    BUNDLE_VIEW_PUBLIC: _ClassVar[BundleView]
BUNDLE_VIEW_UNSPECIFIED: BundleView
BUNDLE_VIEW_AUDITOR: BundleView
BUNDLE_VIEW_SEAT: BundleView
BUNDLE_VIEW_PUBLIC: BundleView

class StoredEvent(_message.Message):
    __slots__ = ("opened", "seat_taken", "seat_leaving", "hand_began", "hand_event", "decision_opened", "ruling", "ended", "closing", "seed_committed", "commitments_closed", "seed_revealed", "seat_sits_out", "seat_sits_in", "seat_tops_up", "fault_applied", "kozel_event")
    OPENED_FIELD_NUMBER: _ClassVar[int]
    SEAT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_LEAVING_FIELD_NUMBER: _ClassVar[int]
    HAND_BEGAN_FIELD_NUMBER: _ClassVar[int]
    HAND_EVENT_FIELD_NUMBER: _ClassVar[int]
    DECISION_OPENED_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    SEED_COMMITTED_FIELD_NUMBER: _ClassVar[int]
    COMMITMENTS_CLOSED_FIELD_NUMBER: _ClassVar[int]
    SEED_REVEALED_FIELD_NUMBER: _ClassVar[int]
    SEAT_SITS_OUT_FIELD_NUMBER: _ClassVar[int]
    SEAT_SITS_IN_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOPS_UP_FIELD_NUMBER: _ClassVar[int]
    FAULT_APPLIED_FIELD_NUMBER: _ClassVar[int]
    KOZEL_EVENT_FIELD_NUMBER: _ClassVar[int]
    opened: StoredOpened
    seat_taken: StoredSeat
    seat_leaving: _table_pb2.SeatLeaving
    hand_began: StoredHandBegan
    hand_event: _hand_pb2.Event
    decision_opened: _table_pb2.DecisionOpened
    ruling: StoredRuling
    ended: _table_pb2.TableEnded
    closing: StoredClosing
    seed_committed: _table_pb2.SeedCommitted
    commitments_closed: _table_pb2.CommitmentsClosed
    seed_revealed: _table_pb2.SeatSeed
    seat_sits_out: _table_pb2.SeatSitsOut
    seat_sits_in: _table_pb2.SeatSitsIn
    seat_tops_up: _table_pb2.SeatTopsUp
    fault_applied: _table_pb2.FaultApplied
    kozel_event: _kozel_pb2.KozelEvent
    def __init__(self, opened: _Optional[_Union[StoredOpened, _Mapping]] = ..., seat_taken: _Optional[_Union[StoredSeat, _Mapping]] = ..., seat_leaving: _Optional[_Union[_table_pb2.SeatLeaving, _Mapping]] = ..., hand_began: _Optional[_Union[StoredHandBegan, _Mapping]] = ..., hand_event: _Optional[_Union[_hand_pb2.Event, _Mapping]] = ..., decision_opened: _Optional[_Union[_table_pb2.DecisionOpened, _Mapping]] = ..., ruling: _Optional[_Union[StoredRuling, _Mapping]] = ..., ended: _Optional[_Union[_table_pb2.TableEnded, _Mapping]] = ..., closing: _Optional[_Union[StoredClosing, _Mapping]] = ..., seed_committed: _Optional[_Union[_table_pb2.SeedCommitted, _Mapping]] = ..., commitments_closed: _Optional[_Union[_table_pb2.CommitmentsClosed, _Mapping]] = ..., seed_revealed: _Optional[_Union[_table_pb2.SeatSeed, _Mapping]] = ..., seat_sits_out: _Optional[_Union[_table_pb2.SeatSitsOut, _Mapping]] = ..., seat_sits_in: _Optional[_Union[_table_pb2.SeatSitsIn, _Mapping]] = ..., seat_tops_up: _Optional[_Union[_table_pb2.SeatTopsUp, _Mapping]] = ..., fault_applied: _Optional[_Union[_table_pb2.FaultApplied, _Mapping]] = ..., kozel_event: _Optional[_Union[_kozel_pb2.KozelEvent, _Mapping]] = ...) -> None: ...

class StoredEvents(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[StoredEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[StoredEvent, _Mapping]]] = ...) -> None: ...

class StoredOpened(_message.Message):
    __slots__ = ("config", "opened")
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    config: _table_pb2.TableConfig
    opened: _table_pb2.TableOpened
    def __init__(self, config: _Optional[_Union[_table_pb2.TableConfig, _Mapping]] = ..., opened: _Optional[_Union[_table_pb2.TableOpened, _Mapping]] = ...) -> None: ...

class StoredSeat(_message.Message):
    __slots__ = ("seat", "name", "token_sha256", "stack", "bank_ms", "show_when_beaten", "leaving", "waiting", "public_key", "commits_seed", "standing")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOKEN_SHA256_FIELD_NUMBER: _ClassVar[int]
    STACK_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    SHOW_WHEN_BEATEN_FIELD_NUMBER: _ClassVar[int]
    LEAVING_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    COMMITS_SEED_FIELD_NUMBER: _ClassVar[int]
    STANDING_FIELD_NUMBER: _ClassVar[int]
    seat: int
    name: str
    token_sha256: bytes
    stack: int
    bank_ms: int
    show_when_beaten: bool
    leaving: bool
    waiting: bool
    public_key: bytes
    commits_seed: bool
    standing: StoredStanding
    def __init__(self, seat: _Optional[int] = ..., name: _Optional[str] = ..., token_sha256: _Optional[bytes] = ..., stack: _Optional[int] = ..., bank_ms: _Optional[int] = ..., show_when_beaten: _Optional[bool] = ..., leaving: _Optional[bool] = ..., waiting: _Optional[bool] = ..., public_key: _Optional[bytes] = ..., commits_seed: _Optional[bool] = ..., standing: _Optional[_Union[StoredStanding, _Mapping]] = ...) -> None: ...

class StoredStanding(_message.Message):
    __slots__ = ("sitting_out", "owes_small_blind", "owes_big_blind", "posts", "faults", "grace_used_ms")
    SITTING_OUT_FIELD_NUMBER: _ClassVar[int]
    OWES_SMALL_BLIND_FIELD_NUMBER: _ClassVar[int]
    OWES_BIG_BLIND_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    GRACE_USED_MS_FIELD_NUMBER: _ClassVar[int]
    sitting_out: bool
    owes_small_blind: bool
    owes_big_blind: bool
    posts: bool
    faults: int
    grace_used_ms: int
    def __init__(self, sitting_out: _Optional[bool] = ..., owes_small_blind: _Optional[bool] = ..., owes_big_blind: _Optional[bool] = ..., posts: _Optional[bool] = ..., faults: _Optional[int] = ..., grace_used_ms: _Optional[int] = ...) -> None: ...

class StoredHandBegan(_message.Message):
    __slots__ = ("hand", "hand_id", "seats", "dealt_in", "button_seat", "small_blind_position", "big_blind_seat", "closing", "deck_root", "posts", "kozel")
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_ID_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    DEALT_IN_FIELD_NUMBER: _ClassVar[int]
    BUTTON_SEAT_FIELD_NUMBER: _ClassVar[int]
    SMALL_BLIND_POSITION_FIELD_NUMBER: _ClassVar[int]
    BIG_BLIND_SEAT_FIELD_NUMBER: _ClassVar[int]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    DECK_ROOT_FIELD_NUMBER: _ClassVar[int]
    POSTS_FIELD_NUMBER: _ClassVar[int]
    KOZEL_FIELD_NUMBER: _ClassVar[int]
    hand: int
    hand_id: str
    seats: _containers.RepeatedCompositeFieldContainer[StoredSeat]
    dealt_in: _containers.RepeatedScalarFieldContainer[int]
    button_seat: int
    small_blind_position: int
    big_blind_seat: int
    closing: bool
    deck_root: bytes
    posts: _containers.RepeatedCompositeFieldContainer[StoredPost]
    kozel: _table_pb2.KozelRoundBegan
    def __init__(self, hand: _Optional[int] = ..., hand_id: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[StoredSeat, _Mapping]]] = ..., dealt_in: _Optional[_Iterable[int]] = ..., button_seat: _Optional[int] = ..., small_blind_position: _Optional[int] = ..., big_blind_seat: _Optional[int] = ..., closing: _Optional[bool] = ..., deck_root: _Optional[bytes] = ..., posts: _Optional[_Iterable[_Union[StoredPost, _Mapping]]] = ..., kozel: _Optional[_Union[_table_pb2.KozelRoundBegan, _Mapping]] = ...) -> None: ...

class StoredPost(_message.Message):
    __slots__ = ("seat", "live", "dead")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LIVE_FIELD_NUMBER: _ClassVar[int]
    DEAD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    live: int
    dead: int
    def __init__(self, seat: _Optional[int] = ..., live: _Optional[int] = ..., dead: _Optional[int] = ...) -> None: ...

class StoredRuling(_message.Message):
    __slots__ = ("seat", "request_id", "proposal", "received_unix_ms", "elapsed_ms", "bank_ms", "further_refusals", "ruling", "signature", "kozel_proposal", "kozel_ruling")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    FURTHER_REFUSALS_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    KOZEL_PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    KOZEL_RULING_FIELD_NUMBER: _ClassVar[int]
    seat: int
    request_id: str
    proposal: _hand_pb2.Proposal
    received_unix_ms: int
    elapsed_ms: int
    bank_ms: int
    further_refusals: int
    ruling: _hand_pb2.Ruling
    signature: bytes
    kozel_proposal: _kozel_pb2.KozelProposal
    kozel_ruling: _kozel_pb2.KozelRuling
    def __init__(self, seat: _Optional[int] = ..., request_id: _Optional[str] = ..., proposal: _Optional[_Union[_hand_pb2.Proposal, _Mapping]] = ..., received_unix_ms: _Optional[int] = ..., elapsed_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., further_refusals: _Optional[int] = ..., ruling: _Optional[_Union[_hand_pb2.Ruling, _Mapping]] = ..., signature: _Optional[bytes] = ..., kozel_proposal: _Optional[_Union[_kozel_pb2.KozelProposal, _Mapping]] = ..., kozel_ruling: _Optional[_Union[_kozel_pb2.KozelRuling, _Mapping]] = ...) -> None: ...

class StoredClosing(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Seal(_message.Message):
    __slots__ = ("format", "table_id", "piece", "first_number", "entries", "head", "previous", "opening", "time_unix_ms")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    FIRST_NUMBER_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    OPENING_FIELD_NUMBER: _ClassVar[int]
    TIME_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    format: str
    table_id: str
    piece: int
    first_number: int
    entries: int
    head: bytes
    previous: bytes
    opening: bytes
    time_unix_ms: int
    def __init__(self, format: _Optional[str] = ..., table_id: _Optional[str] = ..., piece: _Optional[int] = ..., first_number: _Optional[int] = ..., entries: _Optional[int] = ..., head: _Optional[bytes] = ..., previous: _Optional[bytes] = ..., opening: _Optional[bytes] = ..., time_unix_ms: _Optional[int] = ...) -> None: ...

class Bundle(_message.Message):
    __slots__ = ("software", "view", "seat", "checkpoint", "keys", "pieces")
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    software: str
    view: BundleView
    seat: int
    checkpoint: bytes
    keys: _containers.RepeatedScalarFieldContainer[str]
    pieces: _containers.RepeatedCompositeFieldContainer[BundledPiece]
    def __init__(self, software: _Optional[str] = ..., view: _Optional[_Union[BundleView, str]] = ..., seat: _Optional[int] = ..., checkpoint: _Optional[bytes] = ..., keys: _Optional[_Iterable[str]] = ..., pieces: _Optional[_Iterable[_Union[BundledPiece, _Mapping]]] = ...) -> None: ...

class BundledPiece(_message.Message):
    __slots__ = ("seal", "index", "inclusion", "entries")
    SEAL_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    INCLUSION_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    seal: bytes
    index: int
    inclusion: _containers.RepeatedScalarFieldContainer[bytes]
    entries: _containers.RepeatedCompositeFieldContainer[BundledEntry]
    def __init__(self, seal: _Optional[bytes] = ..., index: _Optional[int] = ..., inclusion: _Optional[_Iterable[bytes]] = ..., entries: _Optional[_Iterable[_Union[BundledEntry, _Mapping]]] = ...) -> None: ...

class BundledEntry(_message.Message):
    __slots__ = ("hand", "time_unix_ms", "open", "closed", "salt", "commitment")
    HAND_FIELD_NUMBER: _ClassVar[int]
    TIME_UNIX_MS_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    hand: int
    time_unix_ms: int
    open: bytes
    closed: bytes
    salt: bytes
    commitment: bytes
    def __init__(self, hand: _Optional[int] = ..., time_unix_ms: _Optional[int] = ..., open: _Optional[bytes] = ..., closed: _Optional[bytes] = ..., salt: _Optional[bytes] = ..., commitment: _Optional[bytes] = ...) -> None: ...
