"""Leaving the network: a process gets a network namespace of its own, in which nothing is up. Linux alone has that.

A program without network reaches the referee over a Unix socket, which is a file. Other such files that its user may
open it reaches as well; no address and no abstract socket, loopback included.

    python -m referee.contest.isolation     says what is missing for it here, and ends with 1; 0 when nothing is
"""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

NEW_USER: Final = 0x10000000
NEW_NETWORK: Final = 0x40000000
"""``CLONE_NEWUSER`` and ``CLONE_NEWNET`` of Linux's unshare."""

GET_FLAGS: Final = 0x8913
IS_UP: Final = 1
"""``SIOCGIFFLAGS`` and ``IFF_UP``."""

PROBE_S: Final = 30.0


class IsolationError(Exception):
    """The network cannot be left here; the message says what is missing."""


def _unshare(flags: int) -> int:
    """Linux's unshare: 0, or the number of the error."""
    library: Any = ctypes.CDLL(None, use_errno=True)
    return ctypes.get_errno() if library.unshare(flags) else 0


def leave_network(unshare: Callable[[int], int] = _unshare) -> None:
    """Takes this process, which has one thread, out of the network for good. Raises IsolationError.

    It takes no privilege: a user namespace comes with it, in which the process is who it was, with no rights outside.
    """
    if sys.platform != "linux":
        raise IsolationError(f"programs without network need Linux, not {sys.platform}")
    user, group = os.geteuid(), os.getegid()
    before = os.stat("/proc/self/ns/net").st_ino
    failed = unshare(NEW_USER | NEW_NETWORK)
    if failed:
        missing = "user namespaces, with network namespaces in them (`unshare --user --net`)"
        raise IsolationError(f"programs without network need {missing}; here: {os.strerror(failed)}")
    # Whoever the kernel lets make the namespaces and nothing in them (as AppArmor can) fails here.
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        try:
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
        except OSError as refused:
            message = f"programs without network need users in user namespaces; here {name}: {refused.strerror}"
            raise IsolationError(message) from refused
    up = [name for _, name in socket.if_nameindex() if _is_up(name)]
    if os.stat("/proc/self/ns/net").st_ino == before or up:
        raise IsolationError(f"the network was not left: {', '.join(up)}")


def _is_up(interface: str) -> bool:
    """Whether a network interface is up. Some kernels put more than loopback into every namespace, all of it down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        told = fcntl.ioctl(asking, GET_FLAGS, struct.pack("16sh14x", interface.encode(), 0))
    flags: int = struct.unpack("16sh14x", told)[1]
    return bool(flags & IS_UP)


def isolation_fault() -> str:
    """What keeps programs on this machine from leaving the network, "" for nothing: it is tried in another process."""
    command = [sys.executable, "-P", "-m", "referee.contest.isolation"]
    try:
        tried = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_S, check=False)
    except subprocess.TimeoutExpired:
        return f"whether programs can leave the network did not turn out within {PROBE_S:g} s"
    return "" if tried.returncode == 0 else (tried.stdout.strip() or f"the attempt ended with {tried.returncode}")


if __name__ == "__main__":
    try:
        leave_network()
    except IsolationError as fault:
        print(fault)
        sys.exit(1)
