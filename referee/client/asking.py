"""Asking a bot, whatever its game: what it answers is a proposal of that game, and nothing else."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import ExitStack
from typing import Any, Final, overload

from referee.client.decision import Bot, Decision
from referee.client.kozel_decision import KozelBot, KozelDecision
from referee.kozel.rulings import LegalOptions as KozelOptions
from referee.kozel.rulings import Proposal as KozelProposal
from referee.kozel.rulings import Ruling as KozelRuling
from referee.rules.rulings import LegalOptions, Proposal, Ruling

AnyDecision = Decision | KozelDecision
AnyOptions = LegalOptions | KozelOptions
AnyProposal = Proposal | KozelProposal
AnyRuling = Ruling | KozelRuling
AnyBot = Bot | KozelBot | Callable[[Any], AnyProposal | Awaitable[AnyProposal]]
"""A bot of one game; or of several, which tells them by the type of the decision."""

PROPOSALS: Final = (Proposal, KozelProposal)


@overload
def checked_answer(decision: Decision, answer: object) -> Proposal: ...
@overload
def checked_answer(decision: KozelDecision, answer: object) -> KozelProposal: ...
@overload
def checked_answer(decision: AnyDecision, answer: object) -> AnyProposal: ...
def checked_answer(decision: AnyDecision, answer: object) -> AnyProposal:
    """A bot's answer, completed; raises TypeError for anything but a proposal, which is the bot's own fault."""
    if isinstance(decision, Decision):
        if isinstance(answer, Proposal):
            return decision.completed(answer)
        raise TypeError(f"a bot answers with a Proposal, such as decision.check_or_call(), not {answer!r}")
    if isinstance(answer, KozelProposal):
        return decision.completed(answer)
    raise TypeError(f"a bot of Kozel answers with a Proposal, such as decision.lay('6-5', 'left'), not {answer!r}")


async def ask(bot: Callable[[Any], object], decision: AnyDecision) -> AnyProposal:
    """What a bot answers, whether it is async or not."""
    answer = bot(decision)
    if inspect.isawaitable(answer):
        answer = await answer
    return checked_answer(decision, answer)


def answer_all(asking: "Generator[Any, Any, None]", bots: Mapping[int, Callable[[Any], object]]) -> None:
    """Has the bots, by seat, answer every decision; an event loop runs where a bot is asynchronous."""
    with ExitStack() as stack:
        runner: asyncio.Runner | None = None
        decision: AnyDecision | None = next(asking, None)
        while decision is not None:
            answer = bots[decision.seat](decision)
            if inspect.isawaitable(answer):
                runner = runner or stack.enter_context(asyncio.Runner())
                answer = runner.run(_awaited(answer))
            decision = _next(asking, checked_answer(decision, answer))


async def _awaited(answer: Awaitable[object]) -> object:
    return await answer


def _next(asking: "Generator[Any, Any, None]", answer: AnyProposal) -> AnyDecision | None:
    try:
        decision: AnyDecision = asking.send(answer)
    except StopIteration:
        return None
    return decision
