"""The plain client: the same calls as in :mod:`referee.client.aio`, each of which returns when it is done."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from referee.client import aio, contests

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def _plain(
    call: Callable[_Arguments, Coroutine[Any, Any, _Result]],
) -> Callable[_Arguments, _Result]:
    def plain(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        return asyncio.run(call(*args, **kwargs))

    plain.__name__ = plain.__qualname__ = call.__name__
    plain.__doc__ = call.__doc__
    return plain


play = _plain(aio.play)
play_watching = _plain(aio.play_watching)
create_table = _plain(aio.create_table)
create_kozel_table = _plain(aio.create_kozel_table)
close_table = _plain(aio.close_table)
take_seat = _plain(aio.take_seat)
leave_seat = _plain(aio.leave_seat)
sit_out = _plain(aio.sit_out)
sit_in = _plain(aio.sit_in)
top_up = _plain(aio.top_up)
attend = _plain(contests.attend)
