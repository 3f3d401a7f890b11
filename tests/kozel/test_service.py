"""KozelJudgeService over gRPC: the same rulings as in this process, refusals as answers, shapes as errors."""

import json
import random
import subprocess
import sys

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from referee.kozel.events import EventKind
from referee.kozel.round import legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import ON_ALL, ON_ONE
from referee.kozel.rulings import ActionKind, Proposal, Reason
from referee.kozel.views import PUBLIC, seen_by
from referee.record import kozel_wire as wire
from referee.record.kozel_record import recorded
from referee.record.notation.kozel import write_round
from referee.v1 import kozel_pb2, kozel_pb2_grpc
from tests.kozel.rounds import random_legal, random_round
from tests.support import scale

rule = pytest.mark.rule


@pytest.fixture(scope="module")
def judge():
    words = [sys.executable, "-m", "referee", "serve", "--port", "0", "--json", "--log-level", "error", "--judge-only"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = json.loads(process.stdout.readline())["listening"]
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield kozel_pb2_grpc.KozelJudgeServiceStub(channel)
    process.terminate()
    process.communicate(timeout=30)


def so_far(setup, proposals):
    return kozel_pb2.KozelRoundSoFar(
        setup=wire.setup_message(setup), proposals=[wire.proposal_message(one) for one in proposals]
    )


def a_setup(number=1, players=3, rule_set=ON_ONE):
    return random_round(random.Random(number), rule_set, players)[0].setup


@rule("KOZ-4", "KOZ-5", "BET-9")
def test_rulings_are_those_of_this_process(judge) -> None:
    for number in range(scale(4, 200)):
        rng = random.Random(number)
        setup = a_setup(number, 2 + number % 3, (ON_ALL, ON_ONE)[number % 2])
        state, opening = open_round(setup)
        events = list(opening)
        proposals: list[Proposal] = []
        while open_seats(state):
            wrong = Proposal(rng.choice(setup.seats), ActionKind.LAY, rng.randint(0, 27), rng.choice((0, 1, 2)))
            wrong = wrong._replace(end=list(type(random_legal(rng, state).end))[wrong.end])
            for proposal in (wrong, Proposal(open_seats(state)[0], ActionKind.DRAW), random_legal(rng, state)):
                if not open_seats(state):
                    break
                request = kozel_pb2.JudgeKozelActionRequest(
                    round=so_far(setup, proposals), proposal=wire.proposal_message(proposal)
                )
                answer = judge.JudgeKozelAction(request)
                ruling = propose(state, proposal)
                assert answer.ruling == wire.ruling_message(ruling)
                for seat in open_seats(state):
                    legal = legal_options(state, seat)
                    assert legal is not None
                    assert answer.open_decision == wire.options_message(legal)
                if ruling.accepted:
                    proposals.append(proposal)
                    events.extend(ruling.events)
        stands = judge.GetKozelOptions(kozel_pb2.GetKozelOptionsRequest(round=so_far(setup, proposals))).state
        assert stands.over
        assert [one.kind for one in stands.events] == [int(event.kind) for event in events]
        text = write_round(recorded(setup, tuple(events)))
        judged = judge.JudgeKozelRound(kozel_pb2.JudgeKozelRoundRequest(text=text)).judgement
        assert judged.agrees
        assert judged.rule_set_sha256 == setup.rule_set.sha256()


@rule("KOZ-1")
def test_a_viewer_is_shown_his_view(judge) -> None:
    setup = a_setup()
    state, _ = open_round(setup)
    for viewer in (PUBLIC, *setup.seats):
        request = kozel_pb2.GetKozelOptionsRequest(round=so_far(setup, []), viewer_seat=viewer)
        seen = judge.GetKozelOptions(request).state.seen
        assert seen == wire.seen_message(seen_by(state, viewer), False)
        assert len(seen.own_tiles) == (7 if viewer else 0)


@rule("KOZ-2")
def test_a_refused_setup_and_a_refused_history_are_answers(judge) -> None:
    setup = a_setup()
    message = so_far(setup, [])
    message.setup.decks.add().CopyFrom(message.setup.decks[0])
    answer = judge.GetKozelOptions(kozel_pb2.GetKozelOptionsRequest(round=message))
    assert (answer.WhichOneof("outcome"), answer.setup_refused.rule) == ("setup_refused", "KOZ-2")
    message = so_far(setup, [Proposal(open_seats(open_round(setup)[0])[0], ActionKind.KNOCK)])
    answer = judge.GetKozelOptions(kozel_pb2.GetKozelOptionsRequest(round=message))
    assert answer.history_refused.index == 0
    assert answer.history_refused.ruling.reason == kozel_pb2.KOZEL_REASON_HOLDS_A_PLAYABLE_TILE
    message = so_far(setup, [])
    message.setup.rule_set_name = "kozel/nobody@1"
    answer = judge.GetKozelOptions(kozel_pb2.GetKozelOptionsRequest(round=message))
    assert "kozel/on-all@1, kozel/on-one@1" in answer.setup_refused.message
    message.setup.rule_set_name = "kozel/on-one@1"
    message.setup.decks[0].tiles[0] = "5-6"
    assert judge.GetKozelOptions(kozel_pb2.GetKozelOptionsRequest(round=message)).setup_refused.rule == "KOZ-1"


def test_a_tile_that_does_not_exist_is_refused_as_such(judge) -> None:
    setup = a_setup()
    seat = open_seats(open_round(setup)[0])[0]
    proposal = kozel_pb2.KozelProposal(seat=seat, lay=kozel_pb2.KozelLay(tile="5-6"))
    request = kozel_pb2.JudgeKozelActionRequest(round=so_far(setup, []), proposal=proposal)
    ruling = judge.JudgeKozelAction(request).ruling
    assert (ruling.reason, ruling.rule) == (kozel_pb2.KOZEL_REASON_NO_SUCH_TILE, "KOZ-1")


def test_shapes_are_checked(judge) -> None:
    setup = a_setup()
    proposal = kozel_pb2.KozelProposal(seat=1, lay=kozel_pb2.KozelLay(tile="7-7"))
    with pytest.raises(grpc.RpcError) as refused:
        judge.JudgeKozelAction(kozel_pb2.JudgeKozelActionRequest(round=so_far(setup, []), proposal=proposal))
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    details = dict(refused.value.trailing_metadata())["grpc-status-details-bin"]
    bad = error_details_pb2.BadRequest()
    assert status_pb2.Status.FromString(details).details[1].Unpack(bad)
    assert bad.field_violations[0].field == "proposal.lay.tile"


def test_texts_that_cannot_be_read_are_answers(judge) -> None:
    for text, line in (("kozel kozel/on-all@1\nseats 1 2\n1 65", 3), ("kozel\n", 1), ("#", 1)):
        answer = judge.JudgeKozelRound(kozel_pb2.JudgeKozelRoundRequest(text=text))
        assert answer.unreadable.line == line
        assert answer.unreadable.expected


def test_the_published_rule_sets_are_listed(judge) -> None:
    answer = judge.ListKozelRuleSets(kozel_pb2.ListKozelRuleSetsRequest(page_size=1))
    assert [one.name for one in answer.rule_sets] == ["kozel/on-all"]
    rest = judge.ListKozelRuleSets(kozel_pb2.ListKozelRuleSetsRequest(page_token=answer.next_page_token))
    assert [wire.rule_set_of(one) for one in rest.rule_sets] == [ON_ONE]
    with pytest.raises(grpc.RpcError):
        judge.ListKozelRuleSets(kozel_pb2.ListKozelRuleSetsRequest(page_token="nonsense"))


def test_the_contract_has_the_engine_s_numbers() -> None:
    assert {name.removeprefix("KOZEL_REASON_"): number for name, number in kozel_pb2.KozelReason.items()} == {
        "UNSPECIFIED": 0,
        **{reason.name: int(reason) for reason in Reason},
    }
    assert {name.removeprefix("KOZEL_EVENT_KIND_"): number for name, number in kozel_pb2.KozelEventKind.items()} == {
        "UNSPECIFIED": 0,
        **{kind.name: int(kind) for kind in EventKind},
    }


def test_setups_and_proposals_survive_the_wire() -> None:
    for number in range(20):
        setup = a_setup(number, 2 + number % 3)
        assert wire.setup_of(wire.setup_message(setup)) == setup
        for kind in ActionKind:
            proposal = Proposal(3, kind, 5 if kind is ActionKind.LAY else -1, hand_id="x", decision_id=4)
            assert wire.proposal_of(wire.proposal_message(proposal)) == proposal


def test_the_demo_plays_kozel() -> None:
    words = [sys.executable, "-m", "referee", "demo", "--game", "kozel", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    games = json.loads(done.stdout)["games"]
    assert len(games) == 3
    assert all(game["agree"] for game in games)
    assert all(max(int(score) for score in game["scores"]) >= 101 for game in games)
