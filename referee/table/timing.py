"""Where moments come from: injected, so that tests decide what time it is."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that is due at a moment and can be taken back."""

    def cancel(self) -> None:
        """Takes it back."""
        ...


class TimeSource(Protocol):
    """The referee's clock (TIME-1)."""

    def now_ms(self) -> int:
        """The moment, in milliseconds since 1970; never goes back while the process runs."""
        ...

    def call_at(self, moment_ms: int, call: Callable[[], None]) -> Alarm:
        """Calls once the moment has come, from the event loop."""
        ...


class SystemTime:
    """The system's clock as it was at the start, carried on by the monotonic one."""

    def __init__(self) -> None:
        self._offset_ms = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now_ms(self) -> int:
        """The moment in milliseconds since 1970."""
        return self._offset_ms + time.monotonic_ns() // 1_000_000

    def call_at(self, moment_ms: int, call: Callable[[], None]) -> Alarm:
        """Calls once the moment has come; at once if it has passed."""
        return asyncio.get_running_loop().call_later(max(0, moment_ms - self.now_ms()) / 1000, call)
