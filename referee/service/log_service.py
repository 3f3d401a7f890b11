"""LogService: the log's signed heads, proofs out of its tree, and cosignatures by witnesses. No token is needed."""

import time
from typing import Any, NoReturn

import grpc
import structlog

from referee.merkle import proofs
from referee.record.log.errors import LogError, QuorumError, SplitViewError
from referee.service.errors import abort, refuse_shape
from referee.service.heads import Heads
from referee.store.sqlite import SqliteStore, StoreError
from referee.v1 import log_pb2, log_pb2_grpc

log = structlog.get_logger()

Context = grpc.aio.ServicerContext[Any, Any]
LOG_SERVICE_NAME = log_pb2.DESCRIPTOR.services_by_name["LogService"].full_name


class LogService(log_pb2_grpc.LogServiceServicer):
    """Shows a store's log."""

    def __init__(self, store: SqliteStore, heads: Heads) -> None:
        self._store = store
        self._heads = heads

    async def GetCheckpoint(  # noqa: N802
        self, request: log_pb2.GetCheckpointRequest, context: Context
    ) -> log_pb2.GetCheckpointResponse:
        """Returns the newest head."""
        await refuse_shape(context, request)
        heads = self._heads
        return log_pb2.GetCheckpointResponse(checkpoint=heads.newest(), cosigned=heads.cosigned(), keys=heads.keys)

    async def GetConsistencyProof(  # noqa: N802
        self, request: log_pb2.GetConsistencyProofRequest, context: Context
    ) -> log_pb2.GetConsistencyProofResponse:
        """Returns the proof that a later head goes on from an earlier one."""
        await refuse_shape(context, request)
        size = await self._size(context, request.size)
        if request.old_size > size:
            await _no_such_size(context, f"a head of {request.old_size} records is no earlier one of {size}")
        try:
            hashes = proofs.consistency_proof(request.old_size, size, self._store.node)
        except StoreError as failed:
            await _store_failed(context, failed)
        return log_pb2.GetConsistencyProofResponse(size=size, hashes=hashes)

    async def GetInclusionProof(  # noqa: N802
        self, request: log_pb2.GetInclusionProofRequest, context: Context
    ) -> log_pb2.GetInclusionProofResponse:
        """Returns the proof that a piece of a table's record is in the log."""
        await refuse_shape(context, request)
        size = await self._size(context, request.size)
        try:
            piece = self._store.piece(request.table_id, request.piece)
            if piece is None:
                said = f"piece {request.piece} of table {request.table_id!r} is not sealed, or there is none"
                await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", said)
            if piece.log_index >= size:
                await _no_such_size(context, f"the piece is record {piece.log_index}, after a head of {size}")
            hashes = proofs.inclusion_proof(size, piece.log_index, self._store.node)
        except StoreError as failed:
            await _store_failed(context, failed)
        return log_pb2.GetInclusionProofResponse(seal=piece.seal, index=piece.log_index, size=size, hashes=hashes)

    async def AddCosignature(  # noqa: N802
        self, request: log_pb2.AddCosignatureRequest, context: Context
    ) -> log_pb2.AddCosignatureResponse:
        """Keeps a cosigned head."""
        await refuse_shape(context, request)
        try:
            self._heads.add(request.checkpoint, int(time.time()))
        except QuorumError:
            said = "no witness that this server knows has cosigned it"
            await abort(context, grpc.StatusCode.PERMISSION_DENIED, "WITNESS_UNKNOWN", said)
        except SplitViewError as split:
            # Our own key has signed what we do not have: an older copy was restored, or somebody else has the key.
            log.error("signed_head_is_not_ours", error=str(split))
            await abort(context, grpc.StatusCode.FAILED_PRECONDITION, "NOT_OF_THIS_LOG", str(split))
        except LogError as wrong:
            await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_NOTE", str(wrong))
        except StoreError as failed:
            await _store_failed(context, failed)
        return log_pb2.AddCosignatureResponse()

    async def _size(self, context: Context, asked: int) -> int:
        """The size that a request names; 0 means the newest."""
        if asked > self._heads.size:
            await _no_such_size(context, f"the log has {self._heads.size} records, not {asked}")
        return asked or self._heads.size


async def _no_such_size(context: Context, said: str) -> NoReturn:
    await abort(context, grpc.StatusCode.OUT_OF_RANGE, "SIZE_UNKNOWN", said)


async def _store_failed(context: Context, failed: StoreError) -> NoReturn:
    await abort(context, grpc.StatusCode.UNAVAILABLE, "STORE_FAILED", str(failed))
