"""Named places where a test lets the process die, to show what a crash there leaves behind.

``REFEREE_FAILPOINT=name:count`` kills the process when it passes the place for the count-th time. Without it the
places cost one comparison.
"""

import os
import signal
from typing import Final

NAMES: Final = ("before_write", "between_write_and_flush", "after_flush_before_reply", "between_two_replies")

_name, _, _count = os.environ.get("REFEREE_FAILPOINT", "").partition(":")
_left = int(_count or 0)


def pass_by(name: str) -> None:
    """Dies here if it was asked for."""
    global _left
    if name == _name:
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
