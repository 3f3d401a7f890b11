from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class GetCheckpointRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetCheckpointResponse(_message.Message):
    __slots__ = ("checkpoint", "cosigned", "keys")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    COSIGNED_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    checkpoint: bytes
    cosigned: bytes
    keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, checkpoint: _Optional[bytes] = ..., cosigned: _Optional[bytes] = ..., keys: _Optional[_Iterable[str]] = ...) -> None: ...

class GetConsistencyProofRequest(_message.Message):
    __slots__ = ("old_size", "size")
    OLD_SIZE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    old_size: int
    size: int
    def __init__(self, old_size: _Optional[int] = ..., size: _Optional[int] = ...) -> None: ...

class GetConsistencyProofResponse(_message.Message):
    __slots__ = ("size", "hashes")
    SIZE_FIELD_NUMBER: _ClassVar[int]
    HASHES_FIELD_NUMBER: _ClassVar[int]
    size: int
    hashes: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, size: _Optional[int] = ..., hashes: _Optional[_Iterable[bytes]] = ...) -> None: ...

class GetInclusionProofRequest(_message.Message):
    __slots__ = ("table_id", "piece", "size")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    PIECE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    piece: int
    size: int
    def __init__(self, table_id: _Optional[str] = ..., piece: _Optional[int] = ..., size: _Optional[int] = ...) -> None: ...

class GetInclusionProofResponse(_message.Message):
    __slots__ = ("seal", "index", "size", "hashes")
    SEAL_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    HASHES_FIELD_NUMBER: _ClassVar[int]
    seal: bytes
    index: int
    size: int
    hashes: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, seal: _Optional[bytes] = ..., index: _Optional[int] = ..., size: _Optional[int] = ..., hashes: _Optional[_Iterable[bytes]] = ...) -> None: ...

class AddCosignatureRequest(_message.Message):
    __slots__ = ("checkpoint",)
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    checkpoint: bytes
    def __init__(self, checkpoint: _Optional[bytes] = ...) -> None: ...

class AddCosignatureResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
