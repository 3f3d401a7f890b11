"""Becomes a bot's program: limits itself, sees to it that it ends with the runner, and then runs the command.

    python -m referee.contest.launch RUNNER_PID MEMORY_MB CPU_SECONDS NETWORK COMMAND...

NETWORK is ``shared`` or ``none``. Where the network cannot be left, the command is not run.

A program of its own, because nothing safe can be done between fork and exec of a process that has threads.
"""

import ctypes
import os
import resource
import signal
import sys
from typing import Final

from referee.contest.isolation import IsolationError, leave_network

_PARENT_DEATH_SIGNAL: Final = 1
"""``PR_SET_PDEATHSIG`` of Linux's prctl."""


def main() -> None:
    """Runs the command in this process; exits with 126 or 127 when it cannot be run."""
    runner, memory_mb, cpu_seconds = map(int, sys.argv[1:4])
    network, command = sys.argv[4], sys.argv[5:]
    if network == "none":
        try:
            leave_network()
        except IsolationError as fault:
            sys.stderr.write(f"{fault}\n")
            sys.exit(126)
    # After that: whoever becomes another user is not told any more.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != runner:  # it ended before it was to be told of
            sys.exit(127)
    if memory_mb:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
    if cpu_seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(command[0], command)
    except OSError as failed:
        sys.stderr.write(f"cannot run {command[0]}: {failed.strerror}\n")
        sys.exit(127)


if __name__ == "__main__":
    main()
