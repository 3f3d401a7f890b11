"""KozelJudgeService: stateless judging of Kozel over gRPC. Every method checks the shape, asks, and converts."""

from typing import Any

import grpc

from referee.kozel.events import Event
from referee.kozel.round import legal_options, open_seats, propose
from referee.kozel.ruleset import RULE_SETS, SetupRefusedError
from referee.kozel.scoring import NO_PLAYER
from referee.kozel.state import Round
from referee.kozel.views import PUBLIC, seen_by
from referee.kozel_judge import RoundHistoryRefusedError, judge_round, round_so_far
from referee.record import kozel_wire as wire
from referee.record.hand_record import NotationError
from referee.record.notation.kozel import read_rounds
from referee.service.errors import abort, refuse_shape
from referee.service.judgements import round_judgement_message
from referee.service.paging import page
from referee.v1 import kozel_pb2, kozel_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]


class KozelJudgeService(kozel_pb2_grpc.KozelJudgeServiceServicer):
    """Judges what it is sent and keeps nothing."""

    async def JudgeKozelAction(  # noqa: N802
        self, request: kozel_pb2.JudgeKozelActionRequest, context: Context
    ) -> kozel_pb2.JudgeKozelActionResponse:
        """Rules on one proposed action, given the round so far."""
        await refuse_shape(context, request)
        response = kozel_pb2.JudgeKozelActionResponse()
        replayed = _replay(request.round, response)
        if replayed is None:
            return response
        state, _ = replayed
        response.ruling.CopyFrom(wire.ruling_message(propose(state, wire.proposal_of(request.proposal))))
        open_decision = _open_decision(state)
        if open_decision is not None:
            response.open_decision.CopyFrom(open_decision)
        return response

    async def GetKozelOptions(  # noqa: N802
        self, request: kozel_pb2.GetKozelOptionsRequest, context: Context
    ) -> kozel_pb2.GetKozelOptionsResponse:
        """Returns how a round stands, and what the seat to act may do."""
        await refuse_shape(context, request)
        response = kozel_pb2.GetKozelOptionsResponse()
        replayed = _replay(request.round, response)
        if replayed is not None:
            state, events = replayed
            follows = state.winner != NO_PLAYER and state.has_ended() and not state.game_has_ended()
            response.state.CopyFrom(
                kozel_pb2.KozelState(
                    open_decision=_open_decision(state),
                    events=[wire.event_message(event) for event in events],
                    over=state.has_ended(),
                    game_over=state.game_has_ended(),
                    accounts=[wire.account_message(account) for account in state.accounts],
                    carry=state.carry,
                    next_leader_seat=state.setup.seats[state.winner] if follows else 0,
                    seen=wire.seen_message(seen_by(state, request.viewer_seat or PUBLIC), state.has_ended()),
                )
            )
        return response

    async def JudgeKozelRound(  # noqa: N802
        self, request: kozel_pb2.JudgeKozelRoundRequest, context: Context
    ) -> kozel_pb2.JudgeKozelRoundResponse:
        """Judges a whole recorded round."""
        await refuse_shape(context, request)
        return judge_text(request.text)

    async def ListKozelRuleSets(  # noqa: N802
        self, request: kozel_pb2.ListKozelRuleSetsRequest, context: Context
    ) -> kozel_pb2.ListKozelRuleSetsResponse:
        """Lists the published rule sets."""
        await refuse_shape(context, request)
        try:
            found, token = page(RULE_SETS, request.page_size, request.page_token)
        except ValueError:
            await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "not a page token of this list")
        return kozel_pb2.ListKozelRuleSetsResponse(
            rule_sets=[wire.rule_set_message(rule_set) for rule_set in found], next_page_token=token
        )


def judge_text(text: str) -> kozel_pb2.JudgeKozelRoundResponse:
    """Judges one round in the notation."""
    found = list(read_rounds(text)) or [NotationError("text", 1, "a round is expected")]
    if len(found) > 1:
        found = [NotationError("text", 1, "one round is expected")]
    record = found[0]
    if isinstance(record, NotationError):
        return kozel_pb2.JudgeKozelRoundResponse(
            unreadable=kozel_pb2.UnreadableKozelRound(line=record.line, expected=record.expected)
        )
    return kozel_pb2.JudgeKozelRoundResponse(judgement=round_judgement_message(judge_round(record)))


def _replay(
    message: kozel_pb2.KozelRoundSoFar,
    response: kozel_pb2.JudgeKozelActionResponse | kozel_pb2.GetKozelOptionsResponse,
) -> tuple[Round, tuple[Event, ...]] | None:
    """The round so far, or None after writing into the response why there is none."""
    try:
        proposals = [wire.proposal_of(proposal) for proposal in message.proposals]
        return round_so_far(wire.setup_of(message.setup), proposals)
    except SetupRefusedError as refused:
        response.setup_refused.rule = refused.rule
        response.setup_refused.message = refused.message
    except RoundHistoryRefusedError as refused:
        response.history_refused.index = refused.index
        response.history_refused.ruling.CopyFrom(wire.ruling_message(refused.ruling))
    return None


def _open_decision(state: Round) -> kozel_pb2.KozelOptions | None:
    for seat in open_seats(state):
        options = legal_options(state, seat)
        if options is not None:
            return wire.options_message(options)
    return None
