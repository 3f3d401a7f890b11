"""Worker processes of a server: they end with it, whatever they are doing."""

import asyncio
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

from referee.audit.workers import WorkerPool


def write_half_a_result(begun: str) -> None:
    """In a worker: writes the beginning of a long result, as one that is ended on the way does."""
    results = sys._getframe(1).f_locals["result_queue"]
    os.write(results._writer.fileno(), struct.pack("!i", 1 << 20) + b"a part")
    Path(begun).touch()
    time.sleep(600)


async def close_meanwhile(begun: str) -> None:
    """Closes a pool whose worker has written half of its result."""
    pool = WorkerPool(1)
    waiting = asyncio.ensure_future(pool.run(write_half_a_result, begun))
    while not Path(begun).exists():
        await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.wait([waiting])
    pool.close()


def test_a_process_ends_though_its_worker_had_written_half_of_a_result(tmp_path):
    words = [sys.executable, "-m", "tests.audit.test_workers", str(tmp_path / "begun")]
    assert subprocess.run(words, cwd=Path(__file__).parents[2], timeout=60, check=False).returncode == 0


if __name__ == "__main__":
    asyncio.run(close_meanwhile(sys.argv[1]))
