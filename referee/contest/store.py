"""What a contest knows, in one SQLite file that its runner, the server and the commands share.

Everything that cannot be reckoned again is here: the settings as they were when it began, the seed, entrants, tables
with their seats, hands, what operators asked for, what happened around the play. One runner writes; others add entrants
and commands.
"""

import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from referee.contest.results import HandResult, from_plain
from referee.contest.schedule import Match, StageTime, TablePlan
from referee.contest.settings import MAX_ENTRANTS, ContestSettings

FILE_NAME: Final = "contest.sqlite"
STORE_FORMAT: Final = "1"
TOKEN_BYTES: Final = 32
BUSY_MS: Final = 10_000
LOCK_ATTEMPTS: Final = 5
LOCK_PAUSE_S: Final = 0.05

_HAND_NAME: Final = re.compile(r"m(\d{1,9})\.t(\d{1,9})\.s(\d{1,9})-(\d{1,9})", re.ASCII)

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entrants (
    name TEXT PRIMARY KEY, place INTEGER NOT NULL, token_sha256 TEXT NOT NULL DEFAULT '',
    disqualified TEXT NOT NULL DEFAULT '', ready INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS matches (
    number INTEGER PRIMARY KEY, round INTEGER NOT NULL, players TEXT NOT NULL, status TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tables (
    name TEXT PRIMARY KEY, match INTEGER NOT NULL, number INTEGER NOT NULL, seating INTEGER NOT NULL,
    table_id TEXT NOT NULL DEFAULT '', status TEXT NOT NULL, hands INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    place INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, seat INTEGER NOT NULL, entrant TEXT NOT NULL,
    token TEXT NOT NULL, UNIQUE (table_name, seat)
);
CREATE TABLE IF NOT EXISTS hands (
    match INTEGER, number INTEGER, seating INTEGER, hand INTEGER, result TEXT NOT NULL, phh TEXT NOT NULL,
    PRIMARY KEY (match, number, seating, hand)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS happenings (
    number INTEGER PRIMARY KEY AUTOINCREMENT, time_unix_ms INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS commands (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT NOT NULL, reason TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, request_id TEXT UNIQUE
);
"""


VOID_IN_TOURNAMENT: Final = "a tournament has gone on from the hand: it cannot be voided"
"""Why no hand of a tournament is voided."""


class ContestStoreError(Exception):
    """A contest that cannot be opened or changed in this way; the message says why."""


@dataclass(frozen=True)
class Happening:
    """Something that happened around the play: a command, a start, a crash; ``subject`` is whom or what it concerns."""

    number: int
    time_unix_ms: int
    kind: str
    subject: str
    detail: str


@dataclass(frozen=True)
class Command:
    """What an operator asked for, in order."""

    number: int
    kind: str
    subject: str
    reason: str


@dataclass(frozen=True)
class Assignment:
    """A seat that an entrant is to play. ``place`` grows with every assignment of the contest."""

    place: int
    match: int
    table_name: str
    table_id: str
    seat: int
    token: str


PLANNED, OPEN, PLAYED = "planned", "open", "played"
"""Where a match or a table stands."""

CREATED, RUNNING, PAUSED, FINISHED = "created", "running", "paused", "finished"
"""Where a contest stands."""


class ContestStore:
    """One contest's file. Every method that writes is one commit."""

    def __init__(self, folder: Path) -> None:
        """Opens the contest in a folder; raises ContestStoreError where there is none, or one of another format."""
        self.folder = folder
        path = folder / FILE_NAME
        if not path.is_file():
            raise ContestStoreError(f"there is no contest in {folder}")
        self._file = _opened(path)
        if self.fact("format") != STORE_FORMAT:
            raise ContestStoreError(f"{path} is of format {self.fact('format')!r}; this version reads {STORE_FORMAT}")

    @classmethod
    def create(cls, folder: Path, settings: ContestSettings, seed: bytes) -> "ContestStore":
        """Begins a contest in a folder that has none; raises ContestStoreError where there is one."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / FILE_NAME
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            raise ContestStoreError(f"there is a contest in {folder} already") from None
        file = _opened(path)
        facts = {
            "format": STORE_FORMAT,
            "settings": settings.model_dump_json(),
            "sha256": settings.sha256(),
            "seed": seed.hex(),
            "secret": secrets.token_hex(TOKEN_BYTES),
            "status": CREATED,
        }
        with file:
            file.executescript("BEGIN;" + _SCHEMA)
            file.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            names = [(one.name, place) for place, one in enumerate(settings.entrants)]
            file.executemany("INSERT INTO entrants (name, place) VALUES (?, ?)", names)
        file.close()
        return cls(folder)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    # --- facts ------------------------------------------------------------------------------------------

    def fact(self, name: str) -> str:
        """A fact, "" for one that is not there."""
        try:
            row = self._file.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        except sqlite3.DatabaseError as broken:
            raise ContestStoreError(f"{self.folder / FILE_NAME} cannot be read: {broken}") from broken
        return "" if row is None else str(row[0])

    def set_fact(self, name: str, value: str) -> None:
        """Sets a fact."""
        with self._file:
            self._file.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    @property
    def settings(self) -> ContestSettings:
        """The settings that the contest began with, and entrants who registered since."""
        return ContestSettings.model_validate_json(self.fact("settings"))

    @property
    def seed(self) -> bytes:
        """The seed of all that chance decides."""
        return bytes.fromhex(self.fact("seed"))

    @property
    def status(self) -> str:
        """Where the contest stands."""
        return self.fact("status")

    def secret_id(self, label: str) -> str:
        """A request id that nobody else can guess, always the same for a label."""
        return hmac.digest(bytes.fromhex(self.fact("secret")), label.encode(), hashlib.sha256).hex()

    # --- entrants ---------------------------------------------------------------------------------------

    def entrants(self) -> list[str]:
        """Everybody, in the order of registration."""
        return [str(row[0]) for row in self._file.execute("SELECT name FROM entrants ORDER BY place")]

    def add_entrant(self, name: str) -> None:
        """Adds somebody who dials in, before the first round; raises ContestStoreError when it is too late or full."""
        if self.status != CREATED:
            raise ContestStoreError("the contest has begun: nobody can enter it any more")
        with self._file:
            place = int(self._file.execute("SELECT count(*) FROM entrants").fetchone()[0])
            if place >= MAX_ENTRANTS:
                raise ContestStoreError(f"there are {MAX_ENTRANTS} entrants already")
            self._file.execute("INSERT OR IGNORE INTO entrants (name, place) VALUES (?, ?)", (name, place))

    def register(self, name: str, request_id: str = "") -> str:
        """Gives an entrant a new token and returns it; it is told this once, the old one is void.

        The same request id gives the same token. Raises ContestStoreError for somebody who is not an entrant.
        """
        token = self.secret_id(f"token/{name}/{request_id or secrets.token_hex(TOKEN_BYTES)}")
        with self._file:
            digest = hashlib.sha256(token.encode()).hexdigest()
            changed = self._file.execute("UPDATE entrants SET token_sha256 = ? WHERE name = ?", (digest, name)).rowcount
        if not changed:
            raise ContestStoreError(f"{name!r} is no entrant of this contest")
        self.note("registered", name)
        return token

    def entrant_of(self, token: str) -> str:
        """Whose token it is, "" for nobody's."""
        digest = hashlib.sha256(token.encode()).hexdigest()
        rows = self._file.execute("SELECT name, token_sha256 FROM entrants").fetchall()
        return next((str(name) for name, known in rows if known and hmac.compare_digest(str(known), digest)), "")

    def disqualified(self) -> dict[str, str]:
        """Who is disqualified, and why."""
        rows = self._file.execute("SELECT name, disqualified FROM entrants WHERE disqualified <> '' ORDER BY place")
        return {str(name): str(reason) for name, reason in rows}

    def disqualify(self, name: str, reason: str) -> None:
        """Disqualifies an entrant."""
        with self._file:
            self._file.execute("UPDATE entrants SET disqualified = ? WHERE name = ?", (reason, name))

    def withdrawals(self) -> dict[str, int]:
        """Who was taken out of a tournament, and before which round."""
        return dict(json.loads(self.fact("withdrawals") or "{}"))

    def withdraw(self, names: Iterable[str], before_round: int) -> None:
        """Notes that entrants are out of a tournament before a round; who is out already stays so."""
        self.set_fact("withdrawals", values(dict.fromkeys(names, before_round) | self.withdrawals()))

    def stage_times(self) -> dict[int, StageTime]:
        """By the clock of a tournament whose levels last minutes: when each round began."""
        return {int(number): StageTime(*told) for number, told in json.loads(self.fact("stage_times") or "{}").items()}

    def set_stage_time(self, round_number: int, time: StageTime) -> None:
        """Notes when a round of a tournament begins; one that has tables already is never told another time."""
        self.set_fact("stage_times", values({**self.stage_times(), round_number: time}))

    def played_ms(self) -> int:
        """How long a tournament has been played, by the last reading of its clock that was kept."""
        return int(self.fact("played_ms") or 0)

    def set_played_ms(self, elapsed_ms: int) -> None:
        """Keeps how long a tournament has been played."""
        self.set_fact("played_ms", str(elapsed_ms))

    # --- matches and tables -----------------------------------------------------------------------------

    def add_round(self, matches: Sequence[Match], tables: Iterable[TablePlan]) -> None:
        """Adds the matches of a round, and their tables."""
        with self._file:
            rows = [(one.number, one.round, json.dumps(one.players), PLANNED) for one in matches]
            self._file.executemany("INSERT INTO matches VALUES (?, ?, ?, ?)", rows)
            plans = [(plan.name, plan.match, plan.number, plan.seating, PLANNED) for plan in tables]
            self._file.executemany(
                "INSERT INTO tables (name, match, number, seating, status) VALUES (?, ?, ?, ?, ?)", plans
            )

    def matches(self) -> list[tuple[Match, str]]:
        """Every match with where it stands, in order."""
        rows = self._file.execute("SELECT number, round, players, status FROM matches ORDER BY number")
        return [(Match(row[0], row[1], tuple(json.loads(row[2]))), str(row[3])) for row in rows]

    def set_match(self, number: int, status: str) -> None:
        """Notes where a match stands."""
        with self._file:
            self._file.execute("UPDATE matches SET status = ? WHERE number = ?", (status, number))

    def table_rows(self) -> dict[str, tuple[str, str, int]]:
        """Of every table by its name: id at the server, where it stands, hands played."""
        rows = self._file.execute("SELECT name, table_id, status, hands FROM tables")
        return {str(row[0]): (str(row[1]), str(row[2]), int(row[3])) for row in rows}

    def table_opened(self, plan: TablePlan, table_id: str, tokens: Mapping[int, str]) -> None:
        """Notes a table's id and the tokens of its seats."""
        with self._file:
            self._file.execute("UPDATE tables SET table_id = ?, status = ? WHERE name = ?", (table_id, OPEN, plan.name))
            rows = [(plan.name, seat, name, tokens[seat]) for seat, name in plan.seated]
            self._file.executemany(
                "INSERT OR IGNORE INTO seats (table_name, seat, entrant, token) VALUES (?, ?, ?, ?)", rows
            )

    def set_hands(self, hands: dict[str, int]) -> None:
        """Notes how many hands tables have begun, for those who watch."""
        with self._file:
            self._file.executemany(
                "UPDATE tables SET hands = ? WHERE name = ?", [(count, name) for name, count in hands.items()]
            )

    def assignments(self, entrant: str, after: int = 0) -> list[Assignment]:
        """An entrant's seats at tables that are open, in the order in which they were given."""
        rows = self._file.execute(
            "SELECT seats.place, tables.match, tables.name, tables.table_id, seats.seat, seats.token FROM seats "
            "JOIN tables ON tables.name = seats.table_name "
            "WHERE seats.entrant = ? AND seats.place > ? AND tables.status = ? ORDER BY seats.place",
            (entrant, after, OPEN),
        )
        return [Assignment(*row) for row in rows]

    # --- hands ------------------------------------------------------------------------------------------

    def table_played(self, name: str, hands: Sequence[tuple[HandResult, str]]) -> None:
        """Keeps the hands of a table that has ended, each with its PHH."""
        with self._file:
            self._file.executemany(
                "INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?, ?, ?)",
                [(*one.place, json.dumps(one.plain(), separators=(",", ":")), phh) for one, phh in hands],
            )
            self._file.execute("UPDATE tables SET status = ?, hands = ? WHERE name = ?", (PLAYED, len(hands), name))

    def hands_begun(self) -> int:
        """How many hands were begun, as far as it is known."""
        return int(self._file.execute("SELECT coalesce(sum(hands), 0) FROM tables").fetchone()[0])

    def has_hand(self, name: str) -> bool:
        """Whether a hand of this name, such as ``m3.t0.s1-12``, is kept."""
        numbers = _HAND_NAME.fullmatch(name)
        if numbers is None:
            return False
        wanted = "SELECT 1 FROM hands WHERE match = ? AND number = ? AND seating = ? AND hand = ?"
        return self._file.execute(wanted, tuple(map(int, numbers.groups()))).fetchone() is not None

    def results(self, after_match: int = 0) -> list[HandResult]:
        """Every hand that is kept of the matches after one, in the order of matches, tables, seatings."""
        wanted = "SELECT result FROM hands WHERE match > ? ORDER BY match, number, seating, hand"
        rows = self._file.execute(wanted, (after_match,))
        return [from_plain(json.loads(row[0])) for row in rows]

    def results_state(self) -> tuple[Any, ...]:
        """What all results follow from but the settings and the seed: equal states have equal results."""
        tables = self._file.execute("SELECT count(*), sum(hands) FROM tables WHERE status = ?", (PLAYED,)).fetchone()
        planned = self._file.execute("SELECT count(*) FROM matches").fetchone()
        decided = tuple(self.voided()), tuple(self.disqualified()), self.fact("withdrawals")
        return self.status, tuple(self.entrants()), *tables, *planned, *decided

    def phh(self) -> Iterator[tuple[int, str, str]]:
        """The match, name and PHH of every hand that has one."""
        rows = self._file.execute(
            "SELECT match, number, seating, hand, phh FROM hands WHERE phh <> '' ORDER BY match, number, seating, hand"
        )
        for match, number, seating, hand, text in rows:
            yield int(match), f"m{match}.t{number}.s{seating}-{hand}", str(text)

    def played_in_all_seatings(self) -> set[tuple[int, int]]:
        """The match and number of every table that has been played in all its seatings."""
        rows = self._file.execute(
            "SELECT match, number FROM tables GROUP BY match, number HAVING sum(status <> ?) = 0", (PLAYED,)
        )
        return {(int(match), int(number)) for match, number in rows}

    # --- what happens around it -------------------------------------------------------------------------

    def note(self, kind: str, subject: str = "", detail: str = "") -> None:
        """Notes that something happened."""
        with self._file:
            self._file.execute(
                "INSERT INTO happenings (time_unix_ms, kind, subject, detail) VALUES (?, ?, ?, ?)",
                (time.time_ns() // 1_000_000, kind, subject, detail),
            )

    def happenings(self, after: int = 0) -> list[Happening]:
        """What happened, in order."""
        rows = self._file.execute("SELECT * FROM happenings WHERE number > ? ORDER BY number", (after,))
        return [Happening(*row) for row in rows]

    def ask(self, kind: str, subject: str = "", reason: str = "", request_id: str = "") -> Command:
        """Asks the runner for something. The same request id is the same command.

        Raises ContestStoreError for a request id that was used for another one.
        """
        own_id = request_id or secrets.token_hex(TOKEN_BYTES)
        with self._file:
            self._file.execute(
                "INSERT OR IGNORE INTO commands (kind, subject, reason, request_id) VALUES (?, ?, ?, ?)",
                (kind, subject, reason, own_id),
            )
        row = self._file.execute(
            "SELECT number, kind, subject, reason FROM commands WHERE request_id = ?", (own_id,)
        ).fetchone()
        command = Command(*row)
        if (command.kind, command.subject, command.reason) != (kind, subject, reason):
            raise ContestStoreError("the request id was used for another command")
        return command

    def asked(self) -> list[Command]:
        """Commands that have not been carried out."""
        rows = self._file.execute("SELECT number, kind, subject, reason FROM commands WHERE done = 0 ORDER BY number")
        return [Command(*row) for row in rows]

    def carried_out(self, command: Command) -> None:
        """Notes that a command was carried out, for everybody to see."""
        with self._file:
            self._file.execute("UPDATE commands SET done = 1 WHERE number = ?", (command.number,))
            self._file.execute(
                "INSERT INTO happenings (time_unix_ms, kind, subject, detail) VALUES (?, ?, ?, ?)",
                (time.time_ns() // 1_000_000, f"command: {command.kind}", command.subject, command.reason),
            )

    def lapsed(self, command: Command) -> None:
        """Notes that a command came to nothing, for everybody to see: there was nobody any more whom it concerned."""
        with self._file:
            self._file.execute("UPDATE commands SET done = 2 WHERE number = ?", (command.number,))
        self.note(f"command lapsed: {command.kind}", command.subject, command.reason)

    def was_asked(self, request_id: str) -> bool:
        """Whether a command came under this request id."""
        wanted = "SELECT 1 FROM commands WHERE request_id = ?"
        return self._file.execute(wanted, (request_id,)).fetchone() is not None

    def voided(self) -> dict[str, str]:
        """The names of voided hands, and why."""
        return {one.subject: one.reason for one in self.commands_done("void")}

    def commands_done(self, kind: str) -> list[Command]:
        """Commands of a kind that were carried out."""
        rows = self._file.execute(
            "SELECT number, kind, subject, reason FROM commands WHERE done = 1 AND kind = ? ORDER BY number", (kind,)
        )
        return [Command(*row) for row in rows]


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=BUSY_MS / 1000)
    try:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError as broken:
        raise ContestStoreError(f"{path} cannot be read: {broken}") from broken
    return file


@contextmanager
def only_runner(folder: Path) -> Iterator[IO[str]]:
    """Sees to it that one runner alone plays a contest; raises ContestStoreError while another one does."""
    with (folder / "runner.lock").open("w") as lock:
        for attempt in range(LOCK_ATTEMPTS):
            if _locked(lock, fcntl.LOCK_EX):
                break
            if attempt == LOCK_ATTEMPTS - 1:
                raise ContestStoreError(f"another process is running the contest in {folder}")
            time.sleep(LOCK_PAUSE_S)  # whoever only asked lets go at once
        lock.write(str(os.getpid()))
        lock.flush()
        yield lock


def is_running(folder: Path) -> bool:
    """Whether a process is running the contest of a folder."""
    try:
        with (folder / "runner.lock").open("a") as lock:
            return not _locked(lock, fcntl.LOCK_SH)
    except FileNotFoundError:
        return True


def _locked(lock: IO[str], kind: int) -> bool:
    """Takes a lock until the file is closed; false when it is not to be had."""
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def values(of: Any) -> str:
    """Values as JSON, for a happening's detail."""
    return json.dumps(of, sort_keys=True, separators=(",", ":"))
