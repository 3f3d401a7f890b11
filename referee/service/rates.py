"""How fast calls may come from one address: a bucket for each, which fills again as time passes."""

from collections import OrderedDict
from dataclasses import dataclass

from referee.limits import ADDRESSES_WATCHED


@dataclass(slots=True)
class _Bucket:
    left: float
    at_ms: int


class Rates:
    """Allows ``calls_a_second`` from each address, and as many at once after a second's rest.

    The addresses heard of longest ago are forgotten when there are too many of them.
    """

    def __init__(self, calls_a_second: int) -> None:
        self.calls_a_second = calls_a_second
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allow(self, peer: str, now_ms: int) -> bool:
        """Counts a call from a peer, as grpc names it; false when it comes too soon."""
        address = peer.rpartition(":")[0] or peer
        bucket = self._buckets.pop(address, None) or _Bucket(self.calls_a_second, now_ms)
        self._buckets[address] = bucket
        if len(self._buckets) > ADDRESSES_WATCHED:
            self._buckets.popitem(last=False)
        filled = bucket.left + (now_ms - bucket.at_ms) * self.calls_a_second / 1000
        bucket.left, bucket.at_ms = min(float(self.calls_a_second), filled), now_ms
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True
