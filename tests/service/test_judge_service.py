"""JudgeService over a real connection: the answers are those of the rules, whatever door they come through."""

import collections
import hashlib
import random
from fractions import Fraction

import grpc
import pytest
from google.protobuf.json_format import MessageToDict

from referee.record import wire
from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.record.notation import write_phh
from referee.rulebook import rules as rulebook_rules
from referee.rules import ruleset
from referee.rules.cards import parse_cards
from referee.rules.hand import legal_options, open_hand, open_seats, propose
from referee.rules.ruleset import IRISH, RULE_SETS, Limit
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.settlement import settlement
from referee.rules.showdown import ShowWhy
from referee.rules.state import decode, encode
from referee.service.judging import KNOWN, judge_hand
from referee.v1 import hand_pb2, judge_pb2
from tests.support import hand_of, proposal_of, rules, scale, setup_of

SMALL = {"holes": {1: "AsKs", 2: "QhQd", 3: "7c2d"}, "board": "Ac7h8sJh2h"}


def so_far(setup, proposals=()):
    return judge_pb2.HandSoFar(
        setup=wire.setup_message(setup), actions=[wire.proposal_message(one) for one in proposals]
    )


def random_play(setup, rng):
    """A whole random hand: the proposals that were made, and the hand at its end."""
    hand, _ = open_hand(setup)
    made = []
    while not hand.has_ended():
        seat = rng.choice(open_seats(hand))
        options = legal_options(hand, seat)
        if options.discard:
            proposal = Proposal(seat, ActionKind.DISCARD, cards=tuple(rng.sample(options.held, options.discard)))
        elif options.max_to and rng.random() < 0.4:
            proposal = Proposal(seat, options.wager, rng.choice([options.min_to, options.max_to]))
        elif options.fold and rng.random() < 0.1:
            proposal = Proposal(seat, ActionKind.FOLD)
        else:
            proposal = Proposal(seat, ActionKind.CHECK if options.check else ActionKind.CALL)
        assert propose(hand, proposal).accepted
        made.append(proposal)
    return made, hand


STEPS = {
    ActionKind.FOLD: Step.FOLD,
    ActionKind.CHECK: Step.CHECK,
    ActionKind.CALL: Step.CALL,
    ActionKind.BET: Step.BET,
    ActionKind.RAISE: Step.RAISE,
    ActionKind.DISCARD: Step.DISCARD,
}


def record_of(setup, made, hand):
    steps = tuple(RecordedStep(STEPS[one.kind], one.seat, one.to, cards=one.cards) for one in made)
    result = RecordedResult(
        finishing_stacks=tuple(Fraction(stack) for stack in hand.stack),
        collected=tuple(Fraction(paid) for paid in hand.paid),
        rake=hand.rake,
    )
    return HandRecord(setup, steps, result, ("",) * len(setup.seats), "record", rule_set_named=True)


def test_an_accepted_action_comes_back_with_what_followed_and_who_is_next(judge):
    setup = setup_of([500, 500, 500], **SMALL)
    hand, _ = open_hand(setup)
    proposal = proposal_of(hand, "p3 raise 30")
    answer = judge.JudgeAction(
        judge_pb2.JudgeActionRequest(hand=so_far(setup), proposal=wire.proposal_message(proposal))
    )
    right = propose(hand, proposal)
    assert answer.ruling == wire.ruling_message(right)
    assert answer.ruling.accepted
    assert answer.ruling.rule == "SIZE-3"
    assert [one.seat for one in answer.open_decisions] == [1]
    assert not answer.HasField("settlement")


@pytest.mark.rule("BET-8", "OPEN-2")
def test_a_refusal_is_an_answer_with_reason_rule_and_legal_options(judge):
    setup = setup_of([5000, 550, 5000], blinds=(50, 100))
    words = ["p3 call", "p1 call", "p2 check", "p1 bet 300", "p2 raise 450", "p3 call"]
    hand, _ = open_hand(setup)
    made = []
    for one in words:
        made.append(proposal_of(hand, one))
        assert propose(hand, made[-1]).accepted
    request = judge_pb2.JudgeActionRequest(
        hand=so_far(setup, made), proposal=wire.proposal_message(Proposal(1, ActionKind.RAISE, 750))
    )
    answer = judge.JudgeAction(request)
    assert not answer.ruling.accepted
    assert answer.ruling.reason == hand_pb2.REASON_RAISE_NOT_REOPENED
    assert answer.ruling.rule == "OPEN-2"
    assert answer.ruling.legal.amount_to_call == 150
    assert answer.ruling.legal.max_raise_to == 0
    assert not answer.ruling.events
    assert judge.JudgeAction(request) == answer, "stateless: the same question has the same answer"


def test_a_refused_setup_is_an_answer_with_its_rule(judge):
    setup = setup_of([500, 500, 500])
    message = so_far(setup)
    message.setup.big_blind_seat = 3
    answer = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=message))
    assert answer.setup_refused.rule == "BLIND-1"
    message = so_far(setup)
    message.setup.rule_set_name = "irish/house@1"
    answer = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=message))
    assert answer.setup_refused.rule == "GAME-3"
    assert "irish/full-tilt@1" in answer.setup_refused.message


def test_a_hand_so_far_that_is_illegal_itself_says_where(judge):
    setup = setup_of([500, 500, 500])
    made = [Proposal(3, ActionKind.CALL), Proposal(2, ActionKind.CALL)]
    answer = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=so_far(setup, made)))
    assert answer.history_refused.index == 1
    assert answer.history_refused.ruling.reason == hand_pb2.REASON_OUT_OF_TURN


def test_betting_needs_no_cards(judge):
    setup = setup_of([500, 500, 500], known=False)
    words = ["p3 call", "p1 call", "p2 check"] + ["p1 check", "p2 check", "p3 check"] * 3
    hand, _ = open_hand(setup)
    made = [proposal_of(hand, one) for one in words]
    answer = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=so_far(setup, made)))
    assert answer.state.undecided
    assert not answer.state.over
    assert [pot.amount for pot in answer.state.settlement.pots] == [30]
    more = judge.JudgeAction(
        judge_pb2.JudgeActionRequest(
            hand=so_far(setup, made), proposal=wire.proposal_message(Proposal(1, ActionKind.CHECK))
        )
    )
    assert more.ruling.reason == hand_pb2.REASON_SHOWDOWN_UNDECIDED


def test_an_own_rule_set_is_taken_as_data(judge):
    own = rules("irish/full-tilt@1", name="contest/three-discard-one", game=ruleset.CRAZY_PINEAPPLE)
    answer = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=so_far(setup_of([90, 90], own))))
    assert [len(event.cards) for event in answer.state.events if event.kind == hand_pb2.EVENT_KIND_HOLE_DEALT] == [3, 3]
    taken = rules("irish/full-tilt@1", name="irish/full-tilt", open_fold=ruleset.OpenFold.ALLOW)
    message = so_far(setup_of([90, 90]))
    message.setup.rule_set.CopyFrom(wire.rule_set_message(taken))
    refused = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=message))
    assert refused.setup_refused.rule == "GAME-3", "a published name cannot mean other options"


@pytest.mark.parametrize("limit", list(Limit))
@pytest.mark.parametrize("game", [ruleset.HOLDEM, IRISH, ruleset.PINEAPPLE])
def test_whole_random_hands_come_back_as_settled(judge, game, limit):
    rng = random.Random(int(limit) * 100 + game.hole_cards)
    for _ in range(scale(15, 300)):
        stacks = [rng.randrange(1, 400) for _ in range(rng.randrange(2, 7))]
        setup = setup_of(stacks, game, limit, rng=rng)
        made, hand = random_play(setup, rng)
        message = wire.record_message(record_of(setup, made, hand))
        answer = judge.JudgeHand(judge_pb2.JudgeHandRequest(record=message)).judgement
        assert answer.agrees, answer.findings
        assert not answer.findings
        assert answer.settlement == wire.settlement_message(settlement(hand))
        assert len(answer.rulings) == len(made)
        message.result.finishing_stacks.chips[0] += 1
        answer = judge.JudgeHand(judge_pb2.JudgeHandRequest(record=message)).judgement
        assert not answer.agrees
        assert answer.findings[-1].step == -1


def test_a_stream_answers_every_hand_in_order_under_the_callers_id(judge):
    rng = random.Random(7)
    requests, wanted = [], []
    for batch in range(5):
        request = judge_pb2.JudgeHandsRequest()
        for at in range(batch + 1):
            setup = setup_of([100, 200, 300], rng=rng)
            made, hand = random_play(setup, rng)
            record = wire.record_message(record_of(setup, made, hand))
            item = request.items.add(item_id=f"{batch}/{at}", with_rulings=at % 2 == 0)
            item.hand.record.CopyFrom(record)
            wanted.append((item.item_id, list(hand.stack), len(made) if item.with_rulings else 0))
        requests.append(request)
    answers = [one for response in judge.JudgeHands(iter(requests)) for one in response.answers]
    told = [
        (
            one.item_id,
            [player.stack_after for player in one.answer.judgement.settlement.players],
            len(one.answer.judgement.rulings),
        )
        for one in answers
    ]
    assert told == wanted


def altered(record, rng):
    """The message of a record that may have been altered: most of what disagrees, and of what cannot be checked."""
    message = wire.record_message(record)
    match rng.randrange(8):
        case 0:
            rng.choice(message.steps).raise_to += rng.choice([-1, 1])
        case 1:
            message.result.finishing_stacks.chips[0] += rng.choice([-1, 1])
        case 2:
            del message.steps[rng.randrange(len(message.steps)) :]
        case 3:
            message.setup.players[rng.randrange(len(message.setup.players))].hole_cards[:] = ["??"] * 4
        case 4:
            message.setup.big_blind_seat = message.setup.button_seat
        case 5:
            message.result.rake += 1
    return message


def kind_of(answer):
    """What was said of a hand, as coarse as counts."""
    if answer.WhichOneof("outcome") == "unreadable":
        return "unreadable"
    judged = answer.judgement
    if judged.agrees:
        return "not checkable" if judged.findings else "agrees"
    return "disagrees" if judged.HasField("settlement") else "setup refused"


def of_an_archive(rng):
    """A hand of hold'em as text, of few games and short lines, so that many hands share theirs; some are miswritten."""
    players = rng.randrange(2, 4)
    setup = setup_of([rng.choice([100, 200])] * players, "holdem/tda@1", rng=rng)
    hand, _ = open_hand(setup)
    made = []
    while not hand.has_ended():
        (seat,) = open_seats(hand)
        options = legal_options(hand, seat)
        kind = ActionKind.CHECK if options.check else ActionKind.CALL
        if rng.random() < 0.1:
            kind = options.wager if options.max_to else kind
        elif rng.random() < 0.1 and options.fold:
            kind = ActionKind.FOLD
        proposal = Proposal(seat, kind, options.min_to if kind == options.wager else 0)
        assert propose(hand, proposal).accepted
        made.append(proposal)
    text = write_phh(record_of(setup, made, hand))
    at = rng.randrange(len(text))
    match rng.randrange(6):
        case 0:
            return text[:at] + text[at + rng.randrange(2) :]
        case 1:
            return text[:at] + rng.choice("0123456789AKcds") + text[at + 1 :]
        case 2:
            return f"[1]\n{text}"
        case _:
            return text


def judged_here(request):
    """What is said of a hand when no settlement is wanted if it agrees, in this process."""
    answer = judge_pb2.JudgeHandResponse()
    judge_hand(request, answer, with_rulings=False, settles_if_agrees=False)
    return answer


def test_hands_are_judged_the_same_when_no_settlement_is_wanted_of_those_that_agree(judge):
    rng = random.Random(11)
    asked = []
    for _ in range(scale(400, 5000)):
        setup = setup_of([rng.randrange(30, 300) for _ in range(rng.randrange(2, 7))], "irish/full-tilt@1", rng=rng)
        record = record_of(setup, *random_play(setup, rng))
        if rng.random() < 0.5:
            asked.append(judge_pb2.JudgeHandRequest(record=altered(record, rng)))
        else:
            asked.append(judge_pb2.JudgeHandRequest(notated={"text": of_an_archive(rng)}))
    seen = collections.Counter()
    for with_rulings in (False, True):
        answers = []
        for omits in (False, True):
            items = [
                judge_pb2.JudgeHandsItem(hand=one, with_rulings=with_rulings, omit_settlement_if_agrees=omits)
                for one in asked
            ]
            requests = [judge_pb2.JudgeHandsRequest(items=items[at : at + 100]) for at in range(0, len(items), 100)]
            answers.append([one.answer for response in judge.JudgeHands(iter(requests)) for one in response.answers])
        if not with_rulings:
            verdicts = answers[-1]
        for full, short in zip(*answers, strict=True):
            seen[kind_of(full)] += 1
            if full.judgement.agrees:
                assert full.judgement.HasField("settlement")
                full.judgement.ClearField("settlement")
            assert short == full
    assert min(seen[kind] for kind in ("agrees", "not checkable", "disagrees", "setup refused", "unreadable")) >= 10
    # The same in this process, where it can be seen that lines of betting are remembered and gone along.
    assert [judged_here(one) for one in asked] == verdicts
    assert KNOWN.nodes >= 20


@pytest.mark.rule("POT-1", "POT-6")
def test_pots_are_settled_from_contributions_and_hands_alone(judge):
    hands = ["2c3d", "2d3h", "2h3s", "", ""]
    request = judge_pb2.SettlePotsRequest(
        players=[
            judge_pb2.Contribution(
                seat=seat, contributed=put, folded=not hole, hole_cards=wire.card_texts(parse_cards(hole))
            )
            for seat, put, hole in zip((1, 2, 3, 4, 5), (33, 54, 54, 40, 2), hands, strict=True)
        ],
        board=["Ah", "Kd", "Qc", "Js", "Th"],
    )
    pots = judge.SettlePots(request).settled.pots
    assert [(pot.amount, list(pot.winner_seats), list(pot.shares)) for pot in pots] == [
        (134, [1, 2, 3], [45, 45, 44]),
        (49, [2, 3], [25, 24]),
    ]
    assert [list(pot.odd_chips) for pot in pots] == [[1, 1, 0], [1, 0]]


def test_pots_with_unknown_cards_have_no_winners_and_nonsense_is_refused(judge):
    request = judge_pb2.SettlePotsRequest(
        players=[judge_pb2.Contribution(seat=seat, contributed=10) for seat in (1, 2)], dead_money=5
    )
    (pot,) = judge.SettlePots(request).settled.pots
    assert (pot.amount, list(pot.winner_seats)) == (25, [])
    request.players[0].contributed = -10
    assert judge.SettlePots(request).refused.rule == "POT-1"
    request.players[0].contributed = 10
    for player in request.players:
        player.hole_cards.extend(["Ah", "Ad"])
    assert judge.SettlePots(request).refused.rule == "GAME-5"


@pytest.mark.rule("RANK-1", "RANK-2", "RANK-3")
def test_hands_are_ranked_on_a_board(judge):
    request = judge_pb2.RankHandsRequest(
        hands=[judge_pb2.RankedCards(cards=cards) for cards in (["Ad", "9h"], ["6c", "Qs"], ["6h", "Jc"])],
        board=["2d", "3d", "4d", "5d", "Kc"],
    )
    ranked = judge.RankHands(request).ranked.hands
    assert [one.place for one in ranked] == [1, 2, 2]
    assert ranked[0].hand_class == judge_pb2.HAND_CLASS_STRAIGHT_FLUSH
    assert list(ranked[0].best_five) == ["5d", "4d", "3d", "2d", "Ad"]
    request.hands[0].cards[0] = "2d"
    assert judge.RankHands(request).refused.rule == "GAME-5"
    assert (
        judge.RankHands(judge_pb2.RankHandsRequest(hands=[judge_pb2.RankedCards(cards=["Ah"])])).refused.rule
        == "RANK-1"
    )


def test_rule_sets_are_listed_in_pages_and_carry_the_hash_of_their_canonical_encoding(judge):
    first = judge.ListRuleSets(judge_pb2.ListRuleSetsRequest(page_size=4))
    rest = judge.ListRuleSets(judge_pb2.ListRuleSetsRequest(page_size=4, page_token=first.next_page_token))
    names = [f"{one.name}@{one.version}" for one in (*first.rule_sets, *rest.rule_sets)]
    assert names == [rule_set.full_name for rule_set in RULE_SETS]
    assert rest.next_page_token == ""
    for name in names:
        answer = judge.GetRuleSet(judge_pb2.GetRuleSetRequest(name=name))
        assert hashlib.sha256(answer.canonical).hexdigest() == answer.rule_set.sha256
        assert wire.rule_set_of(answer.rule_set).full_name == name


def test_rules_are_listed_in_pages_and_found_by_id(judge):
    token, ids = "", []
    while True:
        answer = judge.ListRules(judge_pb2.ListRulesRequest(page_size=30, page_token=token))
        ids += [rule.id for rule in answer.rules]
        token = answer.next_page_token
        if not token:
            break
    assert ids == list(rulebook_rules())
    sizes = judge.ListRules(judge_pb2.ListRulesRequest(prefix="SIZE-"))
    assert [rule.id for rule in sizes.rules] == [f"SIZE-{number}" for number in range(1, 10)]
    assert "35" in judge.GetRule(judge_pb2.GetRuleRequest(id="SIZE-4")).rule.text


@pytest.mark.parametrize(
    ("proto", "ours", "prefix", "shift"),
    [
        (hand_pb2.Reason, Reason, "REASON_", 0),
        (hand_pb2.ShowReason, ShowWhy, "SHOW_REASON_", 0),
        (hand_pb2.BettingStructure, Limit, "BETTING_STRUCTURE_", 0),
        (hand_pb2.ShowdownOrder, ruleset.ShowdownOrder, "SHOWDOWN_ORDER_", 0),
        (hand_pb2.AllInExposure, ruleset.AllInExposure, "ALL_IN_EXPOSURE_", 0),
        (hand_pb2.ButtonRule, ruleset.ButtonRule, "BUTTON_RULE_", 0),
        (hand_pb2.OpenFold, ruleset.OpenFold, "OPEN_FOLD_", 0),
        (hand_pb2.CapHeadsUp, ruleset.CapHeadsUp, "CAP_HEADS_UP_", 0),
        (hand_pb2.DiscardTimeout, ruleset.DiscardTimeout, "DISCARD_TIMEOUT_", 0),
        (hand_pb2.DiscardVisibility, ruleset.DiscardVisibility, "DISCARD_VISIBILITY_", 0),
        (hand_pb2.DeckReveal, ruleset.DeckReveal, "DECK_REVEAL_", 0),
        (hand_pb2.LateMinimum, ruleset.LateMinimum, "LATE_MINIMUM_", 0),
    ],
)
def test_the_contracts_numbers_are_the_codes(proto, ours, prefix, shift):
    contract = {name.removeprefix(prefix): number for name, number in proto.items() if number}
    assert contract == {one.name: one.value + shift for one in ours}


def test_event_and_class_numbers_are_the_codes():
    from referee.rules.events import EventKind
    from referee.rules.ranking import HandClass

    assert {n.removeprefix("EVENT_KIND_"): v for n, v in hand_pb2.EventKind.items() if v} == {
        one.name: one.value for one in EventKind
    }
    assert {n.removeprefix("HAND_CLASS_"): v - 1 for n, v in judge_pb2.HandClass.items() if v} == {
        one.name: one.value for one in HandClass
    }


def test_setups_and_proposals_survive_the_wire():
    rng = random.Random(5)
    for _ in range(200):
        setup = setup_of([rng.randrange(20, 400) for _ in range(rng.randrange(2, 9))], IRISH, rng=rng, hand_id="h1")
        hand, _ = open_hand(setup)
        again, _ = open_hand(wire.setup_of(wire.setup_message(setup)))
        assert encode(again) == encode(hand) == encode(decode(encode(hand)))
    hand = hand_of([100, 100])
    for kind in ActionKind:
        proposal = Proposal(1, kind, 7 if kind in (ActionKind.BET, ActionKind.RAISE) else 0, (), "h", 3)
        assert wire.proposal_of(wire.proposal_message(proposal)) == proposal


def test_a_name_that_is_not_known_is_not_found_with_details(judge):
    for call, request in (
        (judge.GetRule, judge_pb2.GetRuleRequest(id="SIZE-99")),
        (judge.GetRuleSet, judge_pb2.GetRuleSetRequest(name="nobody@1")),
    ):
        with pytest.raises(grpc.RpcError) as error:
            call(request)
        assert error.value.code() == grpc.StatusCode.NOT_FOUND


def test_json_of_an_answer_has_the_documented_names(judge):
    answer = judge.GetLegalOptions(judge_pb2.GetLegalOptionsRequest(hand=so_far(setup_of([100, 100]))))
    decision = MessageToDict(answer)["state"]["openDecisions"][0]
    assert decision == {
        "seat": 2,
        "decisionId": 1,
        "canFold": True,
        "amountToCall": "5",
        "wager": "WAGER_KIND_RAISE",
        "minRaiseTo": "20",
        "maxRaiseTo": "100",
        "raiseStep": "1",
    }
