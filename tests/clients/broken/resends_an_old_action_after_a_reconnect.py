"""A client with one fault: after a reconnect it gives its last answer again, as a new request."""

import sys

from clients.python.example.program import main
from referee.client import aio
from referee.client.follower import Follower, Send
from referee.v1 import table_pb2


class Resending(Follower):
    _last = None

    def answer(self, decision, proposal):
        propose = super().answer(decision, proposal)
        self._last = propose or self._last
        return propose

    def _snapshot(self, snapshot):
        outcomes = super()._snapshot(snapshot)
        if self._last is not None:
            self._last = table_pb2.Propose(request_id=next(self._request_ids), proposal=self._last.proposal)
            outcomes.append(Send(self._last))
        return outcomes


aio.Follower = Resending
sys.exit(main())
