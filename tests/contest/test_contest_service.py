"""Contests over gRPC: created, registered, attended from elsewhere, steered, watched, refused with what is wrong."""

import asyncio
import json
import subprocess
import sys
import uuid

import grpc
import pytest

from referee.bots import make_bot
from referee.client.contests import attend
from referee.contest.schedule import Match, tables_of
from referee.contest.settings import parse_contest
from referee.contest.store import ContestStore
from referee.limits import CONTEST_RESULTS_KEPT
from referee.service import contest_service
from referee.v1 import contest_pb2, contest_pb2_grpc
from tests.contest.contests import SEED, contest_text, hand, practice

DIAL_IN = {"ann": "", "bob": ""}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A `referee serve` process with a folder of contests: its address and its host's token."""
    folder = tmp_path_factory.mktemp("serving")
    (folder / "contests").mkdir()
    words = ["--port", "0", "--json", "--log-level", "error", "--data", str(folder / "data")]
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "serve", *words, "--contests", str(folder / "contests")],
        stdout=subprocess.PIPE,
        text=True,
    )
    port = json.loads(process.stdout.readline())["listening"]
    yield f"127.0.0.1:{port}", (folder / "data" / "host.token").read_text().strip(), folder / "contests"
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture(scope="module")
def stub(server):
    with grpc.insecure_channel(server[0]) as channel:
        yield contest_pb2_grpc.ContestServiceStub(channel)


@pytest.fixture(scope="module")
def host(server):
    return bearing(server[1])


def bearing(token):
    return (("authorization", f"Bearer {token}"),)


def create(stub, host, name, entrants, seed=SEED, **options):
    text = contest_text(entrants, name=name, **options)
    return stub.CreateContest(contest_pb2.CreateContestRequest(file=text, seed=seed), metadata=host)


def register(stub, host, contest, name, request_id=None):
    request = contest_pb2.RegisterEntrantRequest(contest=contest, name=name, request_id=request_id or uuid.uuid4().hex)
    return stub.RegisterEntrant(request, metadata=host).token


def command(stub, host, contest, kind, subject="", reason=""):
    request = contest_pb2.CommandContestRequest(
        contest=contest, command=kind, subject=subject, reason=reason, request_id=uuid.uuid4().hex
    )
    stub.CommandContest(request, metadata=host)


def refused(code, call, *arguments, **options):
    with pytest.raises(grpc.RpcError) as error:
        call(*arguments, **options)
    assert error.value.code() == code
    return error.value.details()


def first_of(stub, contest, name, token):
    request = contest_pb2.AttendContestRequest(contest=contest, name=name)
    return next(iter(stub.AttendContest(request, metadata=bearing(token), timeout=30)))


def test_entrants_who_dial_in_play_a_contest_to_its_end(server, stub, host):
    created = create(stub, host, "spring", DIAL_IN, hands=10)
    assert created.contest.status == contest_pb2.CONTEST_STATUS_CREATED
    tokens = {name: register(stub, host, "spring", name) for name in DIAL_IN}

    async def play():
        return await asyncio.gather(
            *(
                attend(server[0], "spring", name=name, token=tokens[name], bot=make_bot(bot, 1))
                for name, bot in (("ann", "always-call"), ("bob", "random-legal"))
            )
        )

    stub.StartContest(contest_pb2.StartContestRequest(contest="spring"), metadata=host)
    attended = asyncio.run(play())
    assert [one.reason for one in attended] == ["FINISHED", "FINISHED"]
    assert [sum(table.hands for table in one.tables) for one in attended] == [20, 20]
    assert {table.reason for one in attended for table in one.tables} == {"TABLE_ENDED"}
    watched = list(stub.WatchContest(contest_pb2.WatchContestRequest(contest="spring"), timeout=30))
    assert watched[-1].contest.status == contest_pb2.CONTEST_STATUS_FINISHED
    assert watched[-1].contest.matches_played == watched[-1].contest.matches == 1
    kinds = [one.kind for update in watched for one in update.happenings]
    assert kinds.count("registered") == 2
    assert "finished" in kinds
    text = stub.GetContestResults(contest_pb2.GetContestResultsRequest(contest="spring")).json
    values = json.loads(text)
    assert values["hands"] == 20
    assert values["seed"] == SEED.hex()
    assert values["faults"] == []


def test_a_file_that_cannot_be_played_is_answered_with_everything_that_is_wrong(stub, host):
    answered = create(stub, host, "wrong", DIAL_IN, hands=25, game="smal_bet = 1")
    assert not answered.HasField("contest")
    assert {fault.key for fault in answered.faults} == {"game.smal_bet"}
    answered = create(stub, host, "wrong", {"ann": 'command = ["rm"]', "bob": ""})
    assert [fault.key for fault in answered.faults] == ["entrants[1].command"]
    answered = create(stub, host, "wrong", {"ann": 'bot = "no-such-bot"', "bob": ""})
    assert [fault.key for fault in answered.faults] == ["entrants[1].bot"]


def test_the_same_file_is_the_same_contest_and_another_one_is_refused(stub, host):
    first = create(stub, host, "same", DIAL_IN).contest
    assert create(stub, host, "same", DIAL_IN).contest == first
    said = refused(grpc.StatusCode.ALREADY_EXISTS, create, stub, host, "same", DIAL_IN, hands=40)
    assert "another contest" in said


def test_a_token_opens_its_own_entrants_seats_and_no_others(stub, host):
    create(stub, host, "tokens", DIAL_IN)
    ann, bob = (register(stub, host, "tokens", name) for name in DIAL_IN)
    said = refused(grpc.StatusCode.PERMISSION_DENIED, first_of, stub, "tokens", "ann", bob)
    assert "'ann'" in said
    request = contest_pb2.AttendContestRequest(contest="tokens", name="ann")
    refused(grpc.StatusCode.UNAUTHENTICATED, lambda: next(iter(stub.AttendContest(request))))
    again = register(stub, host, "tokens", "ann")
    assert again != ann
    refused(grpc.StatusCode.PERMISSION_DENIED, first_of, stub, "tokens", "ann", ann)


def test_the_same_request_has_the_same_token_and_nobody_else_is_registered(stub, host):
    create(stub, host, "once", DIAL_IN)
    same = "0123456789abcdef"
    assert register(stub, host, "once", "ann", same) == register(stub, host, "once", "ann", same)
    said = refused(grpc.StatusCode.FAILED_PRECONDITION, register, stub, host, "once", "eve")
    assert "no entrant" in said
    create(stub, host, "open", DIAL_IN, further='registration = "open"')
    assert register(stub, host, "open", "eve")


def test_a_newer_stream_ends_the_older_one(stub, host):
    create(stub, host, "newest", DIAL_IN)
    token = register(stub, host, "newest", "ann")
    request = contest_pb2.AttendContestRequest(contest="newest", name="ann")
    older = stub.AttendContest(request, metadata=bearing(token), timeout=60)
    newer = stub.AttendContest(request, metadata=bearing(token), timeout=60)
    assert next(iter(older)).end.reason == contest_pb2.CONTEST_END_REASON_REPLACED
    command(stub, host, "newest", contest_pb2.CONTEST_COMMAND_DISQUALIFY, "ann", "for the test")
    assert next(iter(newer)).end.reason == contest_pb2.CONTEST_END_REASON_DISQUALIFIED


def test_only_the_host_steers_and_commands_that_make_no_sense_are_refused(server, stub, host):
    create(stub, host, "steered", DIAL_IN)
    kinds = contest_pb2.ContestCommand
    refused(grpc.StatusCode.UNAUTHENTICATED, command, stub, (), "steered", kinds.CONTEST_COMMAND_PAUSE)
    refused(grpc.StatusCode.PERMISSION_DENIED, command, stub, bearing("x"), "steered", kinds.CONTEST_COMMAND_PAUSE)
    refused(grpc.StatusCode.NOT_FOUND, command, stub, host, "no-such", kinds.CONTEST_COMMAND_PAUSE)
    refused(grpc.StatusCode.INVALID_ARGUMENT, command, stub, host, "steered", 0)
    disqualify = kinds.CONTEST_COMMAND_DISQUALIFY
    said = refused(grpc.StatusCode.FAILED_PRECONDITION, command, stub, host, "steered", disqualify, "ann")
    assert "reason" in said
    refused(grpc.StatusCode.FAILED_PRECONDITION, command, stub, host, "steered", disqualify, "eve", "x")
    void = kinds.CONTEST_COMMAND_VOID_HAND
    refused(grpc.StatusCode.FAILED_PRECONDITION, command, stub, host, "steered", void, "m1.t0.s0-1", "x")
    for kind in (kinds.CONTEST_COMMAND_PAUSE, kinds.CONTEST_COMMAND_RESUME):
        assert "nobody is running" in refused(grpc.StatusCode.FAILED_PRECONDITION, command, stub, host, "steered", kind)
    assert ContestStore(server[2] / "steered").asked() == [], "what was refused waits for nobody"
    command(stub, host, "steered", disqualify, "ann", "no show")
    state = stub.GetContest(contest_pb2.GetContestRequest(contest="steered")).contest
    assert {one.name: one.disqualified for one in state.entrants} == {"ann": "no show", "bob": ""}


def test_results_are_reckoned_once_for_all_who_ask_until_something_changes(tmp_path, monkeypatch):
    reckoned = []

    def reckon(played):
        reckoned.append(played.settings.name)
        return {"hands": len(played.hands), "without": sorted(played.disqualified)}

    monkeypatch.setattr(contest_service, "result_values", reckon)
    service = contest_service.ContestService(tmp_path, None)
    names = [f"c{number}" for number in range(CONTEST_RESULTS_KEPT + 1)]
    stores = {}
    for name in names:
        stores[name] = ContestStore.create(tmp_path / name, parse_contest(contest_text(DIAL_IN, name=name)), SEED)

    def ask(name):
        return json.loads(asyncio.run(service._results(name, stores[name])))

    first = stores["c0"]
    match = Match(1, 1, ("ann", "bob"))
    first.add_round([match], tables_of(match, first.settings.schedule))
    assert [ask("c0"), ask("c0")] == [{"hands": 0, "without": []}] * 2
    plans = tables_of(match, first.settings.schedule)
    for plan in plans:
        first.table_played(plan.name, [(hand(1, plan.number, ("ann", "bob"), (5, -5), plan.seating), "")])
    assert [ask("c0"), ask("c0")] == [{"hands": len(plans), "without": []}] * 2
    first.disqualify("bob", "two bots in one")
    assert [ask("c0"), ask("c0")] == [{"hands": len(plans), "without": ["bob"]}] * 2
    assert reckoned == ["c0"] * 3
    for name in names[1:]:
        ask(name)
    assert sorted(service.results) == sorted(names[1:]), "only so many are kept"


def test_contests_are_listed_in_pages(stub, host):
    for name in ("listed-a", "listed-b"):
        create(stub, host, name, practice("always-call", "all-in"))
    first = stub.ListContests(contest_pb2.ListContestsRequest(page_size=1))
    assert len(first.contests) == 1
    names, token = [first.contests[0].name], first.next_page_token
    while token:
        further = stub.ListContests(contest_pb2.ListContestsRequest(page_size=1, page_token=token))
        names += [one.name for one in further.contests]
        token = further.next_page_token
    assert names == sorted(names)
    assert {"listed-a", "listed-b"} <= set(names)


def test_entrants_tokens_are_stored_hashed(server, stub, host):
    create(stub, host, "hashed", DIAL_IN)
    token = register(stub, host, "hashed", "ann")
    kept = b"".join(path.read_bytes() for path in (server[2] / "hashed").glob("contest.sqlite*"))
    assert token.encode() not in kept
