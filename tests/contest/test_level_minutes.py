"""Tournaments whose levels last minutes, over a real server, by a clock that the test decides (TOUR-1).

Every hand that is begun takes ten seconds. So the server's tournament is the one that the rules play in process.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest

from referee.audit.reading import read_piece
from referee.audit.trust import Trust
from referee.audit.verify import verify_bundle
from referee.client import Server as Address
from referee.contest.level_clock import KEEP_MS, LevelClock
from referee.contest.report.files import played_so_far, result_values
from referee.contest.runner import GivenServer, Runner, StoppedError
from referee.contest.schedule import StageTime
from referee.contest.settings import ContestFileError, parse_contest
from referee.contest.store import ContestStore
from referee.contest.tournament.levels import MINUTE_MS, LengthUnit, Level, Structure, escalator
from referee.record.bundle import read_bundle
from referee.service.server import Server, open_store
from referee.v1 import table_pb2
from tests.contest.contests import SEED, practice
from tests.contest.test_freeze_out import TWO_TABLES, by_the_rules, tournament_text

rule = pytest.mark.rule
HAND_MS = 10_000
HOUR_MS = 3_600_000
START_MS = 1_800_000_000_000


def minutes_text(stack=3_000):
    """Levels of a minute: six hands, if there is one table."""
    return tournament_text(practice(*TWO_TABLES), stack=stack).replace("level_hands = 5", "level_minutes = 1")


class HandsTime:
    """Time that passes by ten seconds with every hand that begins."""

    def __init__(self):
        self.base = START_MS
        self.hands = lambda: 0

    def now_ms(self):
        return self.base + HAND_MS * self.hands()

    def call_at(self, moment_ms, call):
        return asyncio.get_running_loop().call_later(max(0, moment_ms - self.now_ms()) / 1_000, call)

    def jump(self, milliseconds):
        self.base = self.now_ms() + milliseconds
        self.hands = lambda: 0


@asynccontextmanager
async def serving(folder, time):
    """A server by this clock, and how a contest's runner reaches it."""
    store = open_store(folder / "server", time)
    time.hands = lambda: store.hub.counts.hands
    server = Server(store=store)
    await server.start()
    try:
        yield GivenServer(Address(f"127.0.0.1:{server.port}"), store.access.host_token, store.access.auditor_token)
    finally:
        await server.drain(1)


def begun(folder, text=None):
    return ContestStore.create(folder / "test", parse_contest(text or minutes_text()), SEED)


async def played_in_one_go(folder, contest):
    time = HandsTime()
    async with serving(folder, time) as address:
        await Runner(contest, address, now_ms=time.now_ms).run()


async def until(condition, running):
    while not condition():
        assert not running.done(), "it is being played"
        await asyncio.sleep(0.001)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament that was played without a break: its store."""
    folder = tmp_path_factory.mktemp("minutes")
    contest = begun(folder)
    asyncio.run(played_in_one_go(folder, contest))
    return contest


@rule("TOUR-1")
def test_levels_of_minutes_are_played_at_live_tables_as_by_the_rules(played):
    result, nets, tables = by_the_rules(played.settings, hand_ms=HAND_MS)
    assert [(one.names, one.nets) for one in played.results()] == nets
    assert tables.count(2) >= 4
    assert len(nets) * HAND_MS > 3 * MINUTE_MS, "it went on into the fourth level"
    values = result_values(played_so_far(played))
    assert [row["name"] for row in values["places"]] == [place.entrant for place in result.places]
    assert values["level_unit"] == "minutes"
    assert values["faults"] == []


@rule("TOUR-1")
def test_the_last_table_is_ended_between_hands_when_its_level_is_over(played):
    """By the server's clock, and its record says so."""
    reasons = []
    for match, _ in played.matches():
        (bundle,) = (played.folder / "records").glob(f"m{match.number}.*.bundle")
        items = [item for piece in read_bundle(bundle.read_bytes()).pieces for item in read_piece(piece).items]
        config = items[0].content.opened.config
        (ended,) = [item for item in items if item.kind == "ended"]
        reasons.append(ended.content.reason)
        time = played.stage_times()[match.round]
        if ended.content.reason == table_pb2.END_REASON_TIME_IS_UP:
            assert config.hands_until_unix_ms == time.until_unix_ms
            assert time.until_unix_ms <= ended.time_unix_ms < time.until_unix_ms + HAND_MS
        assert verify_bundle(bundle.read_bytes(), Trust()).divergence is None
    assert reasons.count(table_pb2.END_REASON_TIME_IS_UP) >= 2
    assert reasons[-1] == table_pb2.END_REASON_TOO_FEW_PLAYERS


@rule("TOUR-1")
def test_when_each_stage_began_is_recorded_and_published(played):
    times = played.stage_times()
    assert list(times) == list(range(1, max(match.round for match, _ in played.matches()) + 1))
    elapsed = [time.elapsed_ms for time in times.values()]
    assert elapsed == sorted(elapsed)
    assert elapsed[0] == 0
    assert all(time.elapsed_ms % HAND_MS == 0 for time in times.values())
    assert {time.until_unix_ms - START_MS for time in times.values()} == {
        MINUTE_MS * (1 + time.elapsed_ms // MINUTE_MS) for time in times.values()
    }
    assert result_values(played_so_far(played))["stages_began_ms"] == elapsed


@rule("TOUR-1")
@pytest.mark.parametrize("stages", [2, 9])
def test_paused_and_gone_on_with_an_hour_later_no_level_is_lost(played, tmp_path, stages):
    """While nobody plays it the levels' clock stands still. At stage 2 there are two tables, at the second one left."""

    async def go():
        contest, time = begun(tmp_path), HandsTime()
        async with serving(tmp_path, time) as address:
            first = Runner(contest, address, now_ms=time.now_ms)
            running = asyncio.create_task(first.run())
            await until(lambda: len(contest.stage_times()) >= stages and time.now_ms() % MINUTE_MS, running)
            first.stop()
            with pytest.raises(StoppedError):
                await running
        time.jump(HOUR_MS)
        async with serving(tmp_path, time) as address:
            await Runner(contest, address, now_ms=time.now_ms).run()
        return contest

    contest = asyncio.run(go())
    assert [(one.names, one.nets) for one in contest.results()] == [
        (one.names, one.nets) for one in played.results()
    ], "not a hand is different"
    assert max(time.until_unix_ms for time in contest.stage_times().values()) > START_MS + HOUR_MS


@rule("TOUR-1")
def test_killed_at_the_last_table_it_goes_on_in_the_level_that_was_noted(tmp_path):
    """What the clock ran since its last reading is lost, and no more: the level lasts so much longer."""

    async def go():
        contest, time = begun(tmp_path), HandsTime()
        async with serving(tmp_path, time) as address:
            killed = Runner(contest, address, now_ms=time.now_ms)
            killed._level_clock.stand_still = lambda: None  # a killed runner keeps nothing
            running = asyncio.create_task(killed.run())
            await until(lambda: len(contest.stage_times()) >= 9 and time.now_ms() % MINUTE_MS, running)
            noted = contest.stage_times()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        time.jump(HOUR_MS)
        async with serving(tmp_path, time) as address:
            await Runner(contest, address, now_ms=time.now_ms).run()
        return contest, noted

    contest, noted = asyncio.run(go())
    times = contest.stage_times()
    assert {number: times[number] for number in noted} == noted, "what was begun is not begun otherwise"
    elapsed = [time.elapsed_ms for time in times.values()]
    assert elapsed == sorted(elapsed)
    assert elapsed[-1] < HOUR_MS
    values = result_values(played_so_far(contest))
    assert values["is_over"]
    assert values["chips"] == {"begun": 15_000, "in_play": 15_000, "taken_out": 0}


def test_a_killed_runners_clock_goes_on_from_what_was_kept(tmp_path):
    contest, now = begun(tmp_path), [START_MS]
    clock = LevelClock(contest, lambda: now[0])
    assert clock.elapsed_ms() == 0
    clock.run()
    now[0] += KEEP_MS - 1
    clock.keep()
    assert contest.played_ms() == 0, "it is not written all the time"
    now[0] += 1
    clock.keep()
    now[0] += 400
    assert clock.elapsed_ms() == KEEP_MS + 400
    now[0] += HOUR_MS  # killed here, and started again later
    again = LevelClock(contest, lambda: now[0])
    assert again.elapsed_ms() == KEEP_MS
    again.run()
    now[0] += 250
    again.stand_still()
    now[0] += HOUR_MS
    assert again.elapsed_ms() == contest.played_ms() == KEEP_MS + 250


def test_a_tournament_of_hands_keeps_no_clock(tmp_path):
    contest, now = begun(tmp_path, tournament_text(practice(*TWO_TABLES))), [START_MS]
    clock = LevelClock(contest, lambda: now[0])
    clock.run()
    now[0] += HOUR_MS
    clock.stand_still()
    assert contest.played_ms() == 0


def test_a_stage_is_found_again_as_it_was_noted(tmp_path):
    contest = begun(tmp_path)
    assert contest.stage_times() == {}
    contest.set_stage_time(1, StageTime(0, 5))
    contest.set_stage_time(2, StageTime(70_000, 6))
    assert contest.stage_times() == {1: StageTime(0, 5), 2: StageTime(70_000, 6)}


@rule("TOUR-1")
def test_levels_end_one_after_another():
    structure = Structure("mine", LengthUnit.MINUTES, (Level(10, 20, 5), Level(15, 30, 10), Level(20, 40, 3)))
    assert [structure.end_of(number) for number in range(5)] == [5, 15, 18, 21, 24]
    for number in range(5):
        assert structure.number_at(0, structure.end_of(number) * MINUTE_MS) == number + 1
        assert structure.number_at(0, structure.end_of(number) * MINUTE_MS - 1) == number


def test_levels_of_minutes_may_be_made_or_listed():
    own = parse_contest(minutes_text().replace("level_count = 12", 'level_count = 12\nstructure = "escalator"'))
    made = own.levels_and_payouts.levels_from(200)
    assert made == escalator(200, 1, LengthUnit.MINUTES, 12)
    listed = "".join(
        f"[[tournament.levels]]\nsmall_blind = {small}\nbig_blind = {2 * small}\n{length}\n"
        for small, length in ((100, "minutes = 3"), (150, "LENGTH"))
    )
    text = tournament_text(practice(*TWO_TABLES), further='structure = "levels"\n' + listed)
    levels = parse_contest(text.replace("LENGTH", "minutes = 4")).levels_and_payouts.levels_from(200)
    assert levels.unit is LengthUnit.MINUTES
    assert [one.length for one in levels.levels] == [3, 4]
    for wrong, said in (
        ("hands = 4", "all levels last hands"),
        ("hands = 4\nminutes = 4", "one length"),
        ("", "one length"),
    ):
        with pytest.raises(ContestFileError, match=said):
            parse_contest(text.replace("LENGTH", wrong))


def test_a_tournament_of_hands_keeps_its_hash():
    assert b"minutes" not in parse_contest(tournament_text(practice(*TWO_TABLES))).canonical()
    assert b'"level_minutes":1' in parse_contest(minutes_text()).canonical()
