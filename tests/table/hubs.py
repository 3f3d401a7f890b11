"""A hub of tables without a server: time that passes when the test says so, seats that decide at random."""

import asyncio
import random

from referee.table.hub import token_digest
from referee.table.items import Question
from referee.v1 import table_pb2
from tests.table.tables import decide


class FakeTime:
    """Time that passes when the test says so."""

    def __init__(self):
        self.now = 1_800_000_000_000

    def now_ms(self):
        self.now += 3
        return self.now

    def call_at(self, moment_ms, call):
        return FakeAlarm()


class FakeAlarm:
    def cancel(self):
        pass


class Listener:
    """A spectator that keeps what it is told."""

    viewer, holder, ended = 0, b"", False

    def __init__(self):
        self.items = []

    @property
    def sealed(self):
        return [one.sealed for one in self.items if one.HasField("sealed")]

    def tell(self, items):
        self.items += table_pb2.PlayResponse.FromString(b"".join(items)).items

    def tell_at_once(self, items):
        self.tell(items)

    def ask(self, decision_id, question: Question):
        raise AssertionError("a spectator is not asked")

    def asked_no_more(self):
        pass

    def end(self, reason):
        self.ended = True


def token_of(seat):
    return f"token of seat {seat}"


async def sit_down(hub, table_id, seats, last_too=False):
    """Takes the seats but the last, or the last, with which play begins."""
    owner = hub.find(table_id)
    for seat in range(seats, seats + 1) if last_too else range(1, seats):
        digest = token_digest(token_of(seat))
        await owner.run(
            lambda seat=seat, digest=digest: owner.table.take_seat(seat, f"player {seat}", digest, False, hub.time.now)
        )


async def play_on(hub, table_id, seed, steps=1 << 30):
    """Answers open decisions at random, some of them wrongly first, for so many steps or to the table's end."""
    rng = random.Random(seed)
    owner = hub.find(table_id)
    for step in range(steps):
        table = owner.table
        if table.has_ended:
            return
        if not table.decisions:
            await owner.run(lambda: owner.table.tick(hub.time.now))
            continue
        seat = rng.choice(sorted(table.decisions))
        proposal = decide(table, seat, rng)
        wrong = proposal._replace(decision_id=proposal.decision_id + 7)
        for number, one in enumerate([wrong, proposal] if rng.random() < 0.2 else [proposal]):
            done = asyncio.get_running_loop().create_future()

            def told(ruled, failure, done=done):
                done.set_result(ruled) if failure is None else done.set_exception(failure)

            request_id = f"{seed} {step} {number} {rng.getrandbits(40)}"
            owner.post_proposal(one, request_id, b"", hub.time.now, token_digest(token_of(seat)), told)
            await done
