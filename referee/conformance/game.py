"""One scenario under way: what is told to the client, and what is expected of it in return.

Everything that the client does comes through one queue and is taken in order, so that nothing it does beside what is
expected is overlooked.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import grpc

from referee.conformance.client import Client, Command
from referee.conformance.kozel_told import KozelTold
from referee.conformance.poker_told import PokerTold
from referee.conformance.server import (
    Called,
    Closed,
    Connection,
    Exited,
    Happening,
    Heard,
    Malformed,
    Opened,
    ScriptedServer,
)
from referee.conformance.told import Item, Place, ScriptError, Told, proposal_of
from referee.conformance.verdicts import FailedError, NotExercisedError
from referee.conformance.wording import check_named, check_refusal, told_action
from referee.v1 import table_pb2

ANSWER_S: Final = 15.0
"""How long the client may take for what it has to do next, in seconds; most need milliseconds."""

EXIT_S: Final = 10.0
QUIET_S: Final = 1.0
"""How long it must keep quiet after a final end where its process is not ours to watch."""

CLOSED: Final = "it closed its stream"
ANOTHER_STREAM: Final = "another stream, while the first one is open"
SLOW_STARTS: Final = 5
QUIET_ENOUGH_S: Final = 0.05
CLOSING_S: Final = 0.3
LINES_KEPT: Final = 200

WISH: Final = "conformance."


class Game:
    """What a scenario plays with. ``command`` is None where the client is started by somebody else."""

    def __init__(self, server: ScriptedServer, command: Command | None, name: str, started_within_s: float) -> None:
        self.server = server
        self.command = command
        self.name = name
        self.client: Client | None = None
        self.exchanged: deque[str] = deque(maxlen=LINES_KEPT)
        self.tables: list[Told] = []
        self.messages = 0
        self.max_open = 0
        self.on_start: Callable[[], object] | None = None
        self._started_within_s = started_within_s
        self._began = time.monotonic()
        self._connections: dict[str, Connection] = {}
        self._items: deque[tuple[Connection, table_pb2.PlayRequestItem]] = deque()
        self._answers: dict[tuple[str, str, str], tuple[bytes, Item]] = {}
        self._unacknowledged: dict[tuple[str, str, int], table_pb2.Propose] = {}

    # --- tables -----------------------------------------------------------------------------------------

    def table(self, wish: str, stacks: Mapping[int, int] | None = None, **options: Any) -> PokerTold:
        """One more table of poker at which the client has a seat; its match's name tells the wish."""
        told = PokerTold(self._table_id(), f"{WISH}{wish}", stacks or {1: 500, 2: 500, 3: 500}, **options)
        self.tables.append(told)
        return told

    def kozel_table(self, wish: str, players: int = 3, **options: Any) -> KozelTold:
        """The same of Kozel."""
        told = KozelTold(self._table_id(), f"{WISH}{wish}", players, **options)
        self.tables.append(told)
        return told

    def _table_id(self) -> str:
        number = len(self.tables) + 1
        return self.name if number == 1 else f"{self.name}-{number}"

    async def start(self, looks_at_silence: bool = False) -> None:
        """Starts the client, or lets whoever does that find the tables."""
        self.server.service.tables = {told.table_id: told for told in self.tables}
        if self.command is not None:
            silence_ms = self.command.silence_ms(looks_at_silence)
            self.client = await Client.start(
                self.command, self.server.address, self.tables, self.server.happenings, silence_ms
            )
        elif self.on_start is not None:
            self.on_start()

    async def stop(self) -> None:
        """Ends the client's process and its streams."""
        for connection in self._connections.values():
            connection.cut(None)
        if self.client is not None:
            await self.client.stop()

    def note(self, line: str) -> None:
        """Keeps a line of what was said."""
        self.exchanged.append(f"{time.monotonic() - self._began:7.3f} {line}")

    # --- what the client does ---------------------------------------------------------------------------

    async def _next(self, within_s: float) -> Happening | None:
        """The next thing that the client does, None when there is none in time."""
        until = time.monotonic() + within_s
        while True:
            try:
                async with asyncio.timeout(max(0.0, until - time.monotonic())):
                    happening = await self.server.happenings.get()
            except TimeoutError:
                return None
            match happening:
                case Called(method):
                    self.note(f"client calls {method}")
                case Closed(connection) if connection.is_over:
                    pass
                case Heard(connection, request) if connection.is_over:
                    self._unheard(request)
                case Malformed(fault):
                    raise FailedError("messages of the contract's shape", fault)
                case _:
                    return happening

    def _unheard(self, request: table_pb2.PlayRequest) -> None:
        """Notes answers that came when their stream was cut already: they are not acknowledged."""
        for item in request.items:
            if item.WhichOneof("item") == "propose":
                self.note(f"client, on a stream that is over: {told_action(item.propose)}")
                self._unacknowledged[_decision_of(item)] = item.propose

    async def _heard(
        self, expected: str, within_s: float | None = None, may_open: bool = False
    ) -> tuple[Connection, table_pb2.PlayRequestItem]:
        """The next item that the client says on a stream that is open; ``may_open`` allows another stream."""
        within_s = ANSWER_S if within_s is None else within_s
        while True:
            while self._items:
                connection, item = self._items.popleft()
                if not connection.is_over:
                    return connection, item
            happening = await self._next(within_s)
            match happening:
                case None:
                    raise FailedError(expected, f"nothing within {within_s:g} s")
                case Heard(connection, request):
                    self.messages += 1
                    self.max_open = request.max_open_decisions or self.max_open
                    self._items.extend([(connection, item) for item in request.items])
                case Opened(connection) if self._open_streams() and not may_open:
                    self.note(f"client opens stream {connection.number}")
                    raise FailedError(expected, ANOTHER_STREAM)
                case Opened(connection):
                    self.note(f"client opens stream {connection.number}")
                case Closed(connection) if may_open:
                    connection.cut(None)
                case Closed(connection):
                    connection.is_over = True
                    raise FailedError(expected, CLOSED)
                case Exited(code):
                    raise FailedError(expected, self._end_of_process(code))

    def _open_streams(self) -> bool:
        return any([not connection.is_over for connection in self._connections.values()])

    def _end_of_process(self, code: int) -> str:
        words = "" if self.client is None else self.client.last_words()
        return f"its process ended with exit code {code}" + (f", saying: {words}" if words else "")

    # --- attaching --------------------------------------------------------------------------------------

    async def attached(
        self, told: Told | None = None, why: str = "a stream that attaches the table", anew: bool = False
    ) -> Place | None:
        """Waits until the client attaches a table, checks token and cursor, and returns the cursor.

        ``anew`` says that the stream is still open: the table may be attached again on it, or on another.

        The cursor must lie between what the client has shown to have seen and what it was told (docs/bot-author.md).
        """
        told = told or self.tables[0]
        within_s = self._started_within_s if not self._connections else ANSWER_S
        connection, item = await self._heard(why, within_s, may_open=anew)
        while anew and item.WhichOneof("item") == "detach" and item.table_id == told.table_id:
            connection, item = await self._heard(why, within_s, may_open=True)
        if item.WhichOneof("item") != "attach":
            raise FailedError(why, f"{_item_in_words(item)} before anything was attached")
        if item.table_id != told.table_id:
            raise FailedError(f"table {told.table_id} attached", f"table {item.table_id!r}")
        if item.attach.seat_token != told.seat_token:
            raise FailedError("the seat's token", "another token")
        cursor = None
        if item.attach.HasField("cursor"):
            cursor = (item.attach.cursor.hand, item.attach.cursor.number)
        self.note(f"client attaches {told.table_id} on stream {connection.number}, cursor {cursor}")
        left = self._connections.get(told.table_id)
        self._connections[told.table_id] = connection
        if left is not None and left not in self._connections.values():
            left.cut(None)
        _check_cursor(told, cursor)
        return cursor

    async def attached_all(self) -> dict[str, Place | None]:
        """Waits until every table is attached, and returns their cursors.

        Raises NotExercisedError for a client that uses a stream for each table.
        """
        missing = {told.table_id: told for told in self.tables}
        cursors: dict[str, Place | None] = {}
        first: Connection | None = None
        while missing:
            within_s = self._started_within_s if first is None else ANSWER_S
            try:
                connection, item = await self._heard("all tables attached on one stream", within_s)
            except FailedError as failed:
                if first is not None and "another stream" in failed.seen:
                    raise NotExercisedError("many tables on one stream", "a stream for each table") from None
                raise
            told = missing.pop(item.table_id, None)
            if told is None or item.WhichOneof("item") != "attach" or item.attach.seat_token != told.seat_token:
                raise FailedError("each table attached once with its token", _item_in_words(item))
            cursor = (item.attach.cursor.hand, item.attach.cursor.number) if item.attach.HasField("cursor") else None
            _check_cursor(told, cursor)
            cursors[told.table_id] = cursor
            self._connections[told.table_id] = first = connection
        self.note(f"client attaches {len(cursors)} tables")
        return cursors

    async def begins(self, told: Told | None = None) -> None:
        """The client attaches a table and is told how it stands."""
        told = told or self.tables[0]
        cursor = await self.attached(told)
        await self.tell(told, [told.snapshot(told.after(cursor))])

    async def resumes(
        self, told: Told | None = None, why: str = "a new stream that resumes the table", anew: bool = False
    ) -> None:
        """The client attaches a table again and is told what it has missed; ``anew`` as for :meth:`attached`."""
        told = told or self.tables[0]
        cursor = await self.attached(told, why, anew)
        await self.tell(told, [told.snapshot(told.after(cursor))])

    # --- telling ----------------------------------------------------------------------------------------

    async def tell(self, told: Told, items: Iterable[Item]) -> None:
        """Says items about a table in one message."""
        said = list(items)
        self.note(f"referee: {', '.join([_said(item) for item in said])}")
        await self._connections[told.table_id].say(said)

    async def tell_all(self, items: Sequence[Item]) -> None:
        """Says items about several tables in one message, or in one on each stream if there are several."""
        self.note(f"referee: {len(items)} items in one message")
        for connection in dict.fromkeys(self._connections.values()):
            await connection.say([item for item in items if self._connections[item.table_id] is connection])

    async def acts(self, script: str, told: Told | None = None) -> None:
        """Scripted players act, such as ``p3 call, p1 fold``."""
        told = told or self.tables[0]
        await self.tell(told, [item for words in script.split(",") for item in told.act(words)])

    async def cut(self, code: grpc.StatusCode | None = grpc.StatusCode.UNAVAILABLE, told: Told | None = None) -> None:
        """Cuts the stream: with a status, or plainly without an end item."""
        told = told or self.tables[0]
        self.note(f"referee: cuts the stream ({'no status' if code is None else code.name})")
        self._connections[told.table_id].cut(code)

    def forsake(self, told: Told | None = None) -> None:
        """Takes the stream for lost without a word to the client, as when the network swallows everything."""
        self._connections[(told or self.tables[0]).table_id].is_over = True

    async def restart(self) -> None:
        """Ends the server and starts another at the same address."""
        self.note("referee: the server is restarted")
        for connection in self._connections.values():
            connection.cut(grpc.StatusCode.UNAVAILABLE)
        await self.server.stop()
        await self.server.start()

    # --- decisions --------------------------------------------------------------------------------------

    async def asks(self, wish: str, told: Told | None = None, remaining_ms: int = 0) -> table_pb2.Propose:
        """Asks for a decision, expects it to be answered as wished, and tells what follows."""
        told = told or self.tables[0]
        await self.tell(told, [told.decision(remaining_ms)])
        asked = await self.answer(told, wish)
        await self.accepts(told, asked, wish)
        return asked

    async def asks_patiently(self, wish: str, told: Told) -> None:
        """As :meth:`asks`, of a client that has only begun, and may take its own slowness for silence."""
        for _ in range(SLOW_STARTS):
            try:
                await self.asks(wish, told)
            except FailedError as failed:
                if failed.seen not in (CLOSED, ANOTHER_STREAM):
                    raise
            else:
                return
            self.note("client: it comes again before it has done anything")
            self.forsake(told)
            await self.resumes(told)
        await self.asks(wish, told)

    async def answer(self, told: Told, wish: str) -> table_pb2.Propose:
        """The client's answer to the open decision, as it came. The same one again is answered as before."""
        place = told.place
        while True:
            expected = f"an answer to decision {told.legal().decision_id} ({wish})"
            _, item = await self._heard(expected)
            if item.WhichOneof("item") != "propose" or item.table_id != told.table_id:
                raise FailedError(expected, _item_in_words(item))
            asked = item.propose
            named = proposal_of(asked).decision_id
            self.note(f"client: {told_action(asked)} (decision {named}, id {asked.request_id})")
            if not await self.is_repeated(told, asked):
                self._check_again(item)
                told.proven = place
                return asked

    def _check_again(self, item: table_pb2.PlayRequestItem) -> None:
        """An answer that was not acknowledged comes again as it was: a new request id could count twice (BET-9)."""
        before = self._unacknowledged.setdefault(_decision_of(item), item.propose)
        if before.SerializeToString(deterministic=True) != item.propose.SerializeToString(deterministic=True):
            raise FailedError(
                f"the answer that was not acknowledged again: {told_action(before)} under id {before.request_id}",
                f"{told_action(item.propose)} under id {item.propose.request_id}",
            )

    async def is_repeated(self, told: Told, asked: table_pb2.Propose) -> bool:
        """Whether a request came before, which is then answered as it was; with other content it is a fault."""
        known = self._answers.get((told.table_id, proposal_of(asked).hand_id, asked.request_id))
        if known is None:
            return False
        content, answered = known
        if asked.SerializeToString(deterministic=True) != content:
            raise FailedError(
                f"request id {asked.request_id} with the content that it had", f"{told_action(asked)} under the same id"
            )
        await self.tell(told, [answered])
        return True

    async def answers(self, wishes: Mapping[str, tuple[Told, str]]) -> list[tuple[Told, table_pb2.Propose]]:
        """One answer for each table of ``wishes``, in the order in which they come."""
        missing = dict(wishes)
        answers = []
        while missing:
            _, item = await self._heard(f"answers for {len(missing)} more tables")
            told, _ = wishes.get(item.table_id, (None, ""))
            if told is None or item.WhichOneof("item") != "propose":
                raise FailedError("one answer for each table", _item_in_words(item))
            self.note(f"client: {_item_in_words(item)}, id {item.propose.request_id}")
            if await self.is_repeated(told, item.propose):
                continue
            self._check_again(item)
            if missing.pop(item.table_id, None) is None:
                raise FailedError("one answer for each table", f"another one: {_item_in_words(item)}")
            told.proven = told.place
            answers.append((told, item.propose))
        return answers

    async def is_quiet(self, expected: str) -> None:
        """Expects that the client has done nothing of late."""
        happening = await self._next(QUIET_ENOUGH_S)
        if happening is not None:
            raise FailedError(expected, type(happening).__name__.lower())

    async def accepts(self, told: Told, asked: table_pb2.Propose, wish: str) -> None:
        """Rules on an answer, which must be legal and as wished, and tells what follows."""
        check_named(told, asked)
        check_refusal(told, wish, asked, told.would_rule(asked))
        told.check_wish(wish, asked)
        _, answered, events = told.rule(asked)
        self.keep(told, asked, answered)
        await self.tell(told, [answered, *events])

    def keep(self, told: Told, asked: table_pb2.Propose, answered: Item) -> None:
        """Remembers an answer for the case that the request comes again."""
        proposal = proposal_of(asked)
        self._unacknowledged.pop((told.table_id, proposal.hand_id, proposal.decision_id), None)
        key = (told.table_id, proposal.hand_id, asked.request_id)
        self._answers[key] = (asked.SerializeToString(deterministic=True), answered)

    # --- hands ------------------------------------------------------------------------------------------

    async def plays(self, script: str, told: Told | None = None) -> None:
        """Plays a script: scripted players act, ``me`` is the client, such as ``p3 call, me raise 40, p3 fold``."""
        told = told or self.tables[0]
        for words in [part.strip() for part in script.replace("\n", ",").split(",")]:
            if words.startswith("me "):
                await self.asks(words.removeprefix("me "), told)
            elif words:
                await self.acts(words, told)

    async def hand(self, script: str, told: Told | None = None, **setup: Any) -> None:
        """Begins a hand, plays a script, and makes sure that the hand is over then."""
        told = told or self.tables[0]
        await self.tell(told, told.begin(**setup))
        await self.plays(script, told)
        if not told.is_over():
            raise ScriptError(f"the hand is not over after {script!r}")

    # --- the end ----------------------------------------------------------------------------------------

    async def ends(self, *, refusals: int | None = 0, hands: int | None = None) -> None:
        """Ends every table; the client must stop by itself, and what it prints must be so."""
        playing = [told for told in self.tables if not told.has_ended]
        for told in playing:
            told.has_ended = True
        await self.tell_all([told.end() for told in playing])
        await self.is_final("TABLE_ENDED", {0})
        for told in self.tables:
            self.printed(told, reason="TABLE_ENDED")
            if refusals is not None:
                self.printed(told, refusals=refusals)
            if hands is not None:
                self.printed(told, hands=hands)

    async def is_final(self, reason: str, codes: set[int] | None = None) -> None:
        """Expects that the client stops, without another stream, after an end of this reason."""
        expected = f"no further stream after {reason}"
        now = time.monotonic()
        closing, until = now + CLOSING_S, now + (QUIET_S if self.client is None else EXIT_S)
        while True:
            happening = await self._next(min(until, closing) - time.monotonic())
            match happening:
                case None if time.monotonic() < until:
                    closing = until
                    self._finish_streams()
                case None if self.client is None:
                    return
                case None:
                    raise FailedError(f"the process ends after {reason}", f"it still runs after {EXIT_S:g} s")
                case Exited(code):
                    self.note(f"client: exit code {code}")
                    if codes is not None and code not in codes:
                        raise FailedError(f"exit code 0 after {reason}", self._end_of_process(code))
                    return
                case Opened(connection):
                    self.note(f"client opens stream {connection.number}")
                    raise FailedError(expected, "another stream")
                case Closed(connection):
                    connection.cut(None)
                case _:
                    pass

    def _finish_streams(self) -> None:
        for connection in self._connections.values():
            connection.cut(None)

    def printed(self, told: Told, **expected: Any) -> None:
        """Checks what the client's line of JSON says of a table; nothing where it prints none."""
        line = None if self.client is None else self.client.line(told.table_id)
        if line is None:
            self.note(f"no line of JSON about {told.table_id}")
            return
        for name, value in expected.items():
            if line.get(name) != value:
                raise FailedError(f'"{name}": {value!r} in the line of JSON', f'"{name}": {line.get(name)!r}')

    def line(self, told: Told) -> dict[str, Any]:
        """The client's line of JSON about a table; raises NotExercisedError where it prints none."""
        line = None if self.client is None else self.client.line(told.table_id)
        if line is None:
            raise NotExercisedError("a line of JSON that says what it found", "no such line")
        return line


def _decision_of(item: table_pb2.PlayRequestItem) -> tuple[str, str, int]:
    proposal = proposal_of(item.propose)
    return item.table_id, proposal.hand_id, proposal.decision_id


def _check_cursor(told: Told, cursor: Place | None) -> None:
    lowest = told.proven
    if cursor is None and lowest is not None:
        raise FailedError(
            f"a cursor from {_place(lowest)} to {_place(told.place)}",
            "no cursor, so that it is told again what it has seen",
        )
    if cursor is not None and not (lowest or (0, 0)) <= cursor <= max(told.place, (told.number, 0)):
        raise FailedError(f"a cursor from {_place(lowest or (0, 0))} to {_place(told.place)}", _place(cursor))


def _place(place: Place) -> str:
    return f"event {place[1]} of hand {place[0]}"


def _item_in_words(item: table_pb2.PlayRequestItem) -> str:
    what = item.WhichOneof("item")
    if what == "propose":
        proposal = proposal_of(item.propose)
        return f"{told_action(item.propose)} for decision {proposal.decision_id} of hand {proposal.hand_id}"
    return f"{what or 'nothing'} for table {item.table_id}"


def _said(item: Item) -> str:
    what = item.WhichOneof("item")
    match what:
        case "event":
            event = item.event
            kind = event.WhichOneof("event") or "an unknown event"
            return f"{kind} {event.hand}.{event.number}"
        case "decision":
            options = item.decision.kozel if item.decision.HasField("kozel") else item.decision.legal
            return f"decision {options.decision_id}"
        case "answered":
            ruling = item.answered.kozel if item.answered.HasField("kozel") else item.answered.ruling
            return "accepted" if ruling.accepted else f"refused ({ruling.rule})"
        case "end":
            return f"end ({item.end.reason})"
        case "snapshot":
            return f"snapshot with {len(item.snapshot.events)} events"
        case _:
            return what or "an unknown item"
