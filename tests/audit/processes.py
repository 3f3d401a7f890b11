"""Looking at processes, as Linux tells of them."""

from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The processes that a process has begun."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _fields(stat)
        if len(fields) > 1 and fields[1] == str(pid):
            found.append(int(stat.parent.name))
    return found


def workers_of(pid: int) -> list[int]:
    """Those of them that are spawned workers, not the one that cleans up after them."""
    return [child for child in children_of(pid) if b"spawn_main" in _command(child)]


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    fields = _fields(Path(f"/proc/{pid}/stat"))
    return bool(fields) and fields[0] != "Z"


def _fields(stat: Path) -> list[str]:
    """State, parent and so on: what follows the command's name, which may have spaces."""
    try:
        return stat.read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
