"""All tables of a server: opened, found, restored after a restart, and stopped together."""

import asyncio
import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from referee.counting import TableCounts
from referee.limits import ENDED_TABLES_AT_HAND, TABLES
from referee.store.sqlite import Answer, Append, SqliteStore, StoredRow
from referee.table.games import config_of
from referee.table.happenings import stored_bytes
from referee.table.notices import Checkpoint, SealNotices
from referee.table.owner import Follow, OtherContentError, TableOwner, TooBusyError
from referee.table.table import Table, opened_event
from referee.table.timing import TimeSource
from referee.v1 import table_pb2

log = structlog.get_logger()

SEED_BYTES = 32
SECRET_BYTES = 32


class UnknownTableError(Exception):
    """There is no table of that id."""


@dataclass(eq=False)
class Hub:
    """The tables of one store. ``secret`` makes seat tokens; the store keeps only their hashes.

    ``checkpoint`` signs the head of the log for the readers of tables; None tells them of none. ``seals`` false keeps
    records that nobody can verify, which is for measuring only. ``follow`` is told of every command that a table takes.
    """

    store: SqliteStore
    time: TimeSource
    secret: bytes
    checkpoint: Checkpoint | None = None
    seals: bool = True
    follow: Follow | None = None
    owners: dict[str, TableOwner] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counts = TableCounts()
        self._opening = asyncio.Lock()
        self._notices = None if self.checkpoint is None else SealNotices(self.store, self.time, self.checkpoint)
        self._ended: OrderedDict[str, TableOwner] = OrderedDict()

    def start(self) -> None:
        """Restores every table that has not ended, and lets each go on."""
        for table_id in self.store.table_ids(ended=False):
            try:
                self._play(table_id)
            except Exception:
                # One table that cannot be read must not keep the others from being played.
                log.exception("table_not_restored", table=table_id)

    def _play(self, table_id: str) -> None:
        owner = self._restore(table_id)
        owner.on_ended = self._forget
        self.owners[table_id] = owner
        owner.start()

    def _restore(self, table_id: str) -> TableOwner:
        return TableOwner.restore(table_id, self.store, self.time, self._notices, self.seals, self.counts, self.follow)

    def _forget(self, ended: TableOwner) -> None:
        self.owners.pop(ended.table_id, None)

    async def stop(self, reason: int) -> None:
        """Ends every stream with a reason; commands that were taken are carried out before."""
        for owner in list(self.owners.values()):
            await owner.stop(reason)

    def find(self, table_id: str) -> TableOwner:
        """The owner of a table; one that has ended is read from the store. Raises UnknownTableError."""
        owner = self.owners.get(table_id) or self._ended.get(table_id)
        if owner is None:
            if self.store.last_hand(table_id) < 0:
                raise UnknownTableError(table_id)
            owner = self._ended[table_id] = self._restore(table_id)
            if len(self._ended) > ENDED_TABLES_AT_HAND:
                self._ended.popitem(last=False)
        return owner

    async def open_table(self, request_id: str, content: bytes, message: table_pb2.TableConfig) -> str:
        """Opens a table and returns its id; the same request id gives the same table.

        Raises RuleSetError when no hand could be played at it, OtherContentError for a request id that was used with
        another content, TooBusyError when there are as many tables as there may be.
        """
        opening = asyncio.ensure_future(self._open_table(request_id, content, message))
        return await asyncio.shield(opening)

    async def _open_table(self, request_id: str, content: bytes, message: table_pb2.TableConfig) -> str:
        async with self._opening:
            known = self.store.answer("", request_id)
            if known is not None:
                if known.content != content:
                    raise OtherContentError(request_id)
                return known.body.decode("ascii")
            config = config_of(message, secrets.token_bytes(SEED_BYTES))
            if len(self.owners) >= TABLES:
                raise TooBusyError(f"{TABLES} tables are open")
            table_id = secrets.token_hex(8)
            opened = opened_event(table_id, config).SerializeToString()
            row = StoredRow(1, 0, self.time.now_ms(), stored_bytes(opened))
            answer = Answer("", request_id, content, table_id.encode("ascii"))
            await self.store.append(Append(table_id, (row,), (answer,), opens=True))
            self._play(table_id)
            return table_id

    def seat_token(self, table_id: str, request_id: str, seat: int) -> str:
        """The token of a seat taken by a request: the same request has the same token, and nobody can guess it."""
        made = hmac.digest(self.secret, f"{table_id}/{seat}/{request_id}".encode(), hashlib.sha256)
        return urlsafe_b64encode(made).decode("ascii").rstrip("=")


def token_digest(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


def seat_of_token(table: Table, token: str) -> int | None:
    """The seat that a token proves, None when it is no seat's."""
    digest = token_digest(token)
    found = [seat for seat, one in table.seats.items() if hmac.compare_digest(one.token_sha256, digest)]
    return found[0] if found else None


def secret_in(folder: Path, name: str) -> bytes:
    """A secret that is kept in a file of the folder, readable by its owner only; drawn the first time."""
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(SECRET_BYTES), encoding="ascii")
    return path.read_text(encoding="ascii").strip().encode("ascii")
