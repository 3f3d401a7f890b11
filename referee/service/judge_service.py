"""JudgeService: stateless judging over gRPC. Every method checks the shape, asks the judge, and converts."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import grpc

from referee.judge import Contribution, HistoryRefusedError, hand_so_far, settle_pots
from referee.limits import JUDGED_IN_A_TURN_MS
from referee.record import wire
from referee.rulebook import Rule, find_rule, rules
from referee.rules.hand import is_undecided, legal_options, open_seats, propose
from referee.rules.ranking import best_five, describe, hand_class_of, strength
from referee.rules.ruleset import BOARD_CARDS, RULE_SETS, RuleSetError, find_rule_set
from referee.rules.settlement import settlement
from referee.rules.state import Hand
from referee.service.errors import abort, refuse_shape
from referee.service.judging import judge_hand
from referee.service.paging import page
from referee.v1 import judge_pb2, judge_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]


class JudgeService(judge_pb2_grpc.JudgeServiceServicer):
    """Judges what it is sent and keeps nothing."""

    async def JudgeAction(  # noqa: N802
        self, request: judge_pb2.JudgeActionRequest, context: Context
    ) -> judge_pb2.JudgeActionResponse:
        """Rules on one proposed action, given the hand so far."""
        await refuse_shape(context, request)
        response = judge_pb2.JudgeActionResponse()
        hand = _replay(request.hand, response)
        if hand is None:
            return response
        ruling = propose(hand[0], wire.proposal_of(request.proposal))
        response.ruling.CopyFrom(wire.ruling_message(ruling))
        response.open_decisions.extend(_open_decisions(hand[0]))
        if hand[0].has_ended():
            response.settlement.CopyFrom(wire.settlement_message(settlement(hand[0])))
        return response

    async def GetLegalOptions(  # noqa: N802
        self, request: judge_pb2.GetLegalOptionsRequest, context: Context
    ) -> judge_pb2.GetLegalOptionsResponse:
        """Returns what every seat with an open decision may do."""
        await refuse_shape(context, request)
        response = judge_pb2.GetLegalOptionsResponse()
        replayed = _replay(request.hand, response)
        if replayed is not None:
            hand, events = replayed
            response.state.CopyFrom(
                judge_pb2.LegalState(
                    open_decisions=_open_decisions(hand),
                    events=[wire.event_message(event) for event in events],
                    over=hand.has_ended(),
                    undecided=is_undecided(hand),
                    settlement=wire.settlement_message(settlement(hand)),
                )
            )
        return response

    async def JudgeHand(  # noqa: N802
        self, request: judge_pb2.JudgeHandRequest, context: Context
    ) -> judge_pb2.JudgeHandResponse:
        """Judges a whole recorded hand."""
        await refuse_shape(context, request)
        response = judge_pb2.JudgeHandResponse()
        judge_hand(request, response, with_rulings=True)
        return response

    async def JudgeHands(  # noqa: N802
        self, request_iterator: AsyncIterator[judge_pb2.JudgeHandsRequest], context: Context
    ) -> AsyncIterator[judge_pb2.JudgeHandsResponse]:
        """Judges hands for as long as the caller sends them, letting other calls in between hands."""
        turn = JUDGED_IN_A_TURN_MS / 1000
        async for request in request_iterator:
            await refuse_shape(context, request)
            turn_ends = time.monotonic() + turn
            response = judge_pb2.JudgeHandsResponse()
            for item in request.items:
                answer = response.answers.add(item_id=item.item_id).answer
                judge_hand(item.hand, answer, item.with_rulings, not item.omit_settlement_if_agrees)
                if time.monotonic() >= turn_ends:
                    await asyncio.sleep(0)
                    turn_ends = time.monotonic() + turn
            yield response

    async def SettlePots(  # noqa: N802
        self, request: judge_pb2.SettlePotsRequest, context: Context
    ) -> judge_pb2.SettlePotsResponse:
        """Forms and awards pots from contributions and hands alone."""
        await refuse_shape(context, request)
        players = tuple(
            Contribution(one.seat, one.contributed, one.folded, wire.cards_of(list(one.hole_cards)))
            for one in request.players
        )
        board = wire.cards_of(list(request.board))
        try:
            pots = settle_pots(players, request.dead_money, board, wire.stakes_of(request.stakes), request.flop_dealt)
        except RuleSetError as refused:
            return judge_pb2.SettlePotsResponse(refused=_refusal(refused))
        return judge_pb2.SettlePotsResponse(settled=judge_pb2.SettledPots(pots=[wire.pot_message(pot) for pot in pots]))

    async def RankHands(  # noqa: N802
        self, request: judge_pb2.RankHandsRequest, context: Context
    ) -> judge_pb2.RankHandsResponse:
        """Ranks hands on a board."""
        await refuse_shape(context, request)
        board = wire.cards_of(list(request.board))
        hands = [wire.cards_of(list(hand.cards)) + board for hand in request.hands]
        try:
            return judge_pb2.RankHandsResponse(ranked=rank_hands(hands, len(board)))
        except RuleSetError as refused:
            return judge_pb2.RankHandsResponse(refused=_refusal(refused))

    async def ListRuleSets(  # noqa: N802
        self, request: judge_pb2.ListRuleSetsRequest, context: Context
    ) -> judge_pb2.ListRuleSetsResponse:
        """Lists the published rule sets."""
        await refuse_shape(context, request)
        found, token = await _page(context, RULE_SETS, request.page_size, request.page_token)
        return judge_pb2.ListRuleSetsResponse(
            rule_sets=[wire.rule_set_message(rule_set) for rule_set in found], next_page_token=token
        )

    async def GetRuleSet(  # noqa: N802
        self, request: judge_pb2.GetRuleSetRequest, context: Context
    ) -> judge_pb2.GetRuleSetResponse:
        """Returns one published rule set."""
        await refuse_shape(context, request)
        rule_set = await _find(context, find_rule_set, request.name, "rule set")
        return judge_pb2.GetRuleSetResponse(rule_set=wire.rule_set_message(rule_set), canonical=rule_set.canonical())

    async def ListRules(  # noqa: N802
        self, request: judge_pb2.ListRulesRequest, context: Context
    ) -> judge_pb2.ListRulesResponse:
        """Lists the rulebook's rules."""
        await refuse_shape(context, request)
        wanted = [rule for rule in rules().values() if rule.id.startswith(request.prefix)]
        found, token = await _page(context, wanted, request.page_size, request.page_token)
        return judge_pb2.ListRulesResponse(rules=[_rule_message(rule) for rule in found], next_page_token=token)

    async def GetRule(  # noqa: N802
        self, request: judge_pb2.GetRuleRequest, context: Context
    ) -> judge_pb2.GetRuleResponse:
        """Returns one rule's text by its id."""
        await refuse_shape(context, request)
        return judge_pb2.GetRuleResponse(rule=_rule_message(await _find(context, find_rule, request.id, "rule")))


def rank_hands(hands: Sequence[tuple[int, ...]], board_cards: int) -> judge_pb2.RankedHands:
    """Ranks hands of five or more cards, of which the last ``board_cards`` are shared (RANK-1, GAME-5)."""
    own = [card for hand in hands for card in hand[: len(hand) - board_cards]]
    shared = hands[0][len(hands[0]) - board_cards :]
    if len(set(own) | set(shared)) != len(own) + len(shared):
        raise RuleSetError("GAME-5", "a card appears twice")
    if any(len(hand) < BOARD_CARDS for hand in hands):
        raise RuleSetError("RANK-1", "a hand is ranked by five cards; fewer are given")
    strengths = [strength(hand) for hand in hands]
    return judge_pb2.RankedHands(
        hands=[
            judge_pb2.HandRank(
                hand_class=hand_class_of(value) + 1,  # type: ignore[arg-type]
                best_five=wire.card_texts(best_five(hand)),
                name=describe(value),
                strength=value,
                place=1 + sum(other > value for other in strengths),
            )
            for hand, value in zip(hands, strengths, strict=True)
        ]
    )


def _replay(
    message: judge_pb2.HandSoFar, response: judge_pb2.JudgeActionResponse | judge_pb2.GetLegalOptionsResponse
) -> tuple[Hand, tuple[Any, ...]] | None:
    """The hand so far, or None after writing into the response why there is none."""
    try:
        proposals = [wire.proposal_of(action) for action in message.actions]
        return hand_so_far(wire.setup_of(message.setup), proposals)
    except RuleSetError as refused:
        response.setup_refused.CopyFrom(_refusal(refused))
    except HistoryRefusedError as refused:
        response.history_refused.index = refused.index
        response.history_refused.ruling.CopyFrom(wire.ruling_message(refused.ruling))
    return None


def _open_decisions(hand: Hand) -> list[Any]:
    options = [legal_options(hand, seat) for seat in open_seats(hand)]
    return [wire.options_message(one) for one in options if one is not None]


def _refusal(refused: RuleSetError) -> judge_pb2.SetupRefusal:
    return judge_pb2.SetupRefusal(rule=refused.rule, message=refused.message)


def _rule_message(rule: Rule) -> judge_pb2.Rule:
    return judge_pb2.Rule(id=rule.id, section=rule.section, text=rule.text)


async def _page(context: Context, items: Sequence[Any], page_size: int, page_token: str) -> tuple[Sequence[Any], str]:
    try:
        return page(items, page_size, page_token)
    except ValueError:
        await abort(context, grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "not a page token of this list")


async def _find(context: Context, find: Callable[[str], Any], name: str, what: str) -> Any:
    try:
        return find(name)
    except KeyError:
        await abort(context, grpc.StatusCode.NOT_FOUND, "NOT_FOUND", f"there is no {what} {name!r}")
