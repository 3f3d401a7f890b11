"""A client with one fault: a stream that ends is the end of the game, end item or not."""

import sys

from clients.python.example.program import main
from referee.client import aio
from referee.v1 import table_pb2


class Session(aio.Session):
    async def _connection(self, failed):
        lost = await super()._connection(failed)
        if lost is None:
            for follower in self._playing():
                follower.end(table_pb2.STREAM_END_REASON_TABLE_ENDED)
        return lost


aio.Session = Session
sys.exit(main())
