"""What shares a commit, and how long an append waits for others: in rounds of the event loop, by a given clock."""

import asyncio

from referee.limits import APPENDS_IN_A_GROUP, COMMIT_BEGINS_WITHIN_MS, QUIET_ROUNDS_BEFORE_A_COMMIT
from referee.store.rush import GAP_S, GROUPS
from referee.store.sqlite import Append, SqliteStore, StoredRow
from tests.store.stores import NAME, body_of

TABLE = "t1"


class Clock:
    """Stands still until it is set forward."""

    def __init__(self):
        self.seconds = 1.0

    def __call__(self):
        return self.seconds


class Group:
    """A store that knows one table, and the rounds in which its appends were kept."""

    def __init__(self, folder):
        self.clock = Clock()
        self.store = SqliteStore(folder / NAME, clock=self.clock)
        self.round = 0
        self.posted = 0
        self.kept_in = []

    async def open(self):
        await self.store.append(Append(TABLE, (self.row(),), opens=True))

    def row(self):
        self.posted += 1
        return StoredRow(2 * self.posted - 1, 1, 1_000, body_of(TABLE, self.posted))

    def post(self):
        self.store.post(Append(TABLE, (self.row(),)), lambda failure, _: self.kept_in.append((self.round, failure)))

    async def go_round(self, step_ms=0.0):
        """One round of the event loop, after which the clock has gone on."""
        await asyncio.sleep(0)
        self.round += 1
        self.clock.seconds += step_ms / 1_000


def run(folder, play):
    async def go():
        group = Group(folder)
        await group.open()
        await play(group)
        group.store.close()

    asyncio.run(go())


def test_a_lone_append_is_committed_after_so_many_quiet_rounds_without_a_clock(tmp_path):
    async def play(group):
        group.post()
        for _ in range(QUIET_ROUNDS_BEFORE_A_COMMIT):
            assert group.kept_in == []
            await group.go_round()
        assert [failure for _, failure in group.kept_in] == [None]

    run(tmp_path, play)


def test_what_arrives_round_after_round_makes_one_group_until_its_time_is_over(tmp_path):
    async def play(group):
        step_ms = COMMIT_BEGINS_WITHIN_MS / 8
        while not group.kept_in:
            group.post()
            await group.go_round(step_ms)
            assert group.round < 100, "a group that grows in every round would wait for ever"
        (committed_in,) = {number for number, _ in group.kept_in}
        assert committed_in * step_ms == COMMIT_BEGINS_WITHIN_MS
        assert len(group.kept_in) == committed_in + 1, "one append in each round, all of them in one commit"

    run(tmp_path, play)


def test_a_full_group_waits_for_nothing(tmp_path):
    async def play(group):
        for _ in range(APPENDS_IN_A_GROUP + 1):
            group.post()
        await group.go_round()
        await group.go_round()
        assert [failure for _, failure in group.kept_in] == [None] * (APPENDS_IN_A_GROUP + 1)
        assert group.store.counts.group_sizes.total == 1 + APPENDS_IN_A_GROUP + 1
        assert sum(group.store.counts.group_sizes.counts) == 3, "the opening, the full group, and what was left"

    run(tmp_path, play)


async def _commit_one(group, apart_s):
    """One append that comes so long after the last commit, up to the end of its quiet rounds."""
    group.clock.seconds += apart_s
    kept = len(group.kept_in)
    group.post()
    for _ in range(QUIET_ROUNDS_BEFORE_A_COMMIT + 1):
        await group.go_round()
    return len(group.kept_in) > kept


async def _rush(group):
    for _ in range(GROUPS - 1):
        assert await _commit_one(group, 0.0), "it has not come close behind others often enough"
    assert not await _commit_one(group, 0.0), "now it waits for more"


def test_in_a_rush_a_group_waits_for_more(tmp_path):
    async def play(group):
        await _rush(group)
        begun = len(group.kept_in)
        group.post()
        while len(group.kept_in) == begun:  # until the loop's own clock has gone on
            await group.go_round()
        assert len(group.kept_in) == begun + 2, "both in one commit"
        assert not await _commit_one(group, 0.0), "waiting paid: the rush goes on"

    run(tmp_path, play)


def test_a_group_that_waited_for_nothing_ends_the_rush(tmp_path):
    async def play(group):
        await _rush(group)
        while group.store._waiting:
            await group.go_round()
        for _ in range(2 * GROUPS - 1):
            assert await _commit_one(group, 0.0), "it takes twice as many to begin again"
        assert not await _commit_one(group, 0.0)

    run(tmp_path, play)


def test_who_comes_after_the_others_were_answered_never_waits(tmp_path):
    async def play(group):
        for _ in range(5 * GROUPS):
            assert await _commit_one(group, 2 * GAP_S)

    run(tmp_path, play)
