"""Plays hands on a real server and checks them as traces, batch after batch; can be stopped, resumed and shared out.

    python -m spec.binding.validate --hands 200000                      # resumes where it was stopped
    python -m spec.binding.validate --hands 200000 --shard 2/4          # the second of four such processes

What was done is kept in ``build/spec/validated.jsonl``, one line for each batch. A hand that the specification does not
follow is kept beside it as a module that ``TraceCheck.tla`` takes, since a server's timing does not come a second time.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from spec.binding.recorded import RecordedHand
from spec.binding.server_hands import plan_of, play_tables
from spec.binding.trace_check import Divergence, check
from spec.binding.traces import Counts, Trace, trace_module, trace_of
from spec.tools import tlc

TABLES: Final = 54
HANDS_AT_A_TABLE: Final = 30
PLAY_WITHIN_S: Final = 900.0
DONE: Final = tlc.BUILD / "validated.jsonl"


@dataclass
class Batch:
    """What a batch was: ``divergence`` is empty when the specification follows every hand."""

    number: int
    counts: Counts = field(default_factory=Counts)
    play_s: float = 0.0
    tlc_s: float = 0.0
    states: int = 0
    divergence: str = ""

    def line(self) -> str:
        """The figures in one line."""
        steps = self.counts.steps
        asked, refused = steps["asked"], steps["refused"]
        events = steps.total() - asked - refused - steps["nothing"]
        return (
            f"{self.counts.hands} hands, {events} events, {asked} decisions, {refused} refusals "
            f"({self.counts.left_out.total()} more about ids left out); "
            f"played in {self.play_s:.0f} s, checked in {self.tlc_s:.0f} s"
        )


def play(number: int, seed: int, tables: int = TABLES, hands: int = HANDS_AT_A_TABLE) -> list[RecordedHand]:
    """Plays one batch on a server of its own. Every batch has other rule sets, stakes and stacks."""
    plans = [plan_of(number * tables + table, seed, hands) for table in range(tables)]
    with tempfile.TemporaryDirectory() as folder:
        playing = play_tables(Path(folder), plans, seed + number)
        return asyncio.run(asyncio.wait_for(playing, PLAY_WITHIN_S))


def checked(batch: Batch, hands: list[RecordedHand]) -> Batch:
    """Checks the hands of a batch, and fills in what there is to say about them."""
    traces = [trace_of(hand, batch.counts) for hand in hands]
    result = check(traces)
    batch.tlc_s, batch.states = result.seconds, result.states
    if result.divergence is not None:
        batch.divergence = f"{result.divergence.words()}\n{keep(batch.number, result.divergence)}"
    return batch


def keep(number: int, divergence: Divergence) -> Path:
    """Keeps the hand of a divergence for another look."""
    folder = tlc.BUILD / f"divergence-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    trace: Trace = divergence.trace
    (folder / "TraceData.tla").write_text(trace_module([trace]), "utf-8")
    return folder / "TraceData.tla"


def batches(wanted: int, seed: int, numbers: Iterable[int] | None = None) -> Iterator[Batch]:
    """Plays batches until so many hands were played, and checks them; while TLC checks one, the next is played."""
    played = 0
    with ThreadPoolExecutor(1) as checking:
        before: Future[Batch] | None = None
        for number in count() if numbers is None else numbers:
            began = time.monotonic()
            hands = play(number, seed)
            batch = Batch(number, play_s=time.monotonic() - began)
            played += len(hands)
            if before is not None:
                yield before.result()
            before = checking.submit(checked, batch, hands)
            if played >= wanted:
                break
        if before is not None:
            yield before.result()


def main(words: list[str]) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=5_000, help="how many, over all shards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", default="1/1", help="which of how many processes this is")
    parser.add_argument("--done", type=Path, default=DONE, help="where finished batches are kept")
    arguments = parser.parse_args(words)
    shard, shards = (int(part) for part in arguments.shard.split("/"))
    done = arguments.done.with_name(f"{arguments.done.stem}-{arguments.seed}-{shard}-{shards}.jsonl")
    done.parent.mkdir(parents=True, exist_ok=True)
    old = [json.loads(line) for line in done.read_text("utf-8").splitlines()] if done.exists() else []
    finished = {batch["number"] for batch in old}
    hands = sum(batch["counts"]["hands"] for batch in old)
    wanted = -(-arguments.hands // shards)
    numbers = (number for number in count(shard - 1, shards) if number not in finished)
    if hands >= wanted:
        print(f"{hands} hands were checked before")
        return 0
    for batch in batches(wanted - hands, arguments.seed, numbers):
        if batch.divergence:
            print(batch.divergence)
            return 1
        hands += batch.counts.hands
        with done.open("a", encoding="utf-8") as out:
            out.write(json.dumps(vars(batch) | {"counts": vars(batch.counts)}) + "\n")
        print(f"batch {batch.number}: {batch.line()}; {hands} of {wanted} hands", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
