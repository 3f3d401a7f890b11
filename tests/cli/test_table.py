"""`referee table` against a server's process: tables are opened, listed, shown and closed, and refusals are told."""

import json
import threading

import grpc
import pytest
from typer.testing import CliRunner

from referee.bots import make_bot
from referee.cli import app
from referee.cli.table import _holdings
from referee.client import play, take_seat
from referee.limits import DEFAULT_PAGE_ITEMS
from referee.v1 import table_pb2, table_pb2_grpc
from tests.service.conftest import RunningServer


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("table")


@pytest.fixture(scope="module")
def server(folder):
    running = RunningServer("--data", str(folder))
    yield running
    running.stop()


@pytest.fixture
def table(server, folder, monkeypatch):
    """Calls `referee table` with the server's address and the host's token, as an operator has them."""
    monkeypatch.setenv("REFEREE_TARGET", server.address)
    monkeypatch.setenv("REFEREE_DATA", str(folder))
    return lambda *words: CliRunner().invoke(app, ["table", *words])


def opened(table, *words):
    done = table("create", *words)
    assert done.exit_code == 0, done.stderr
    return done.stdout.strip()


def test_a_table_is_what_it_was_opened_as(table):
    words = ("--rule-set", "holdem/tda@1", "--limit", "pot-limit", "--small-blind", "1", "--big-blind", "2")
    table_id = opened(table, *words, "--seats", "3", "--stack", "150", "--hands", "7", "--action-ms", "2000")
    state = json.loads(table("show", table_id, "--json").stdout)
    assert (state["table_id"], state["status"]) == (table_id, "TABLE_STATUS_WAITING")
    config = state["config"]
    assert (config["rule_set_name"], config["structure"]) == ("holdem/tda@1", "BETTING_STRUCTURE_POT_LIMIT")
    assert (config["stakes"]["small_blind"], config["stakes"]["big_blind"]) == ("1", "2")
    assert (config["seats"], config["starting_stack"], config["hands"]) == (3, "150", "7")
    assert config["clock"] == {"action_ms": "2000"}
    assert "reset_stacks" not in config
    told = table("show", table_id).stdout
    assert told == f"{table_id}  waiting  holdem/tda@1, pot limit, 1/2  0 of 3 seats  hand 0 of 7\n"


def test_a_table_can_be_played_and_shows_who_sits_there(table, server):
    table_id = opened(table, "--hands", "2", "--reset-stacks")
    first = take_seat(server.address, table_id, name="Anna")
    assert table("show", table_id).stdout.splitlines()[1:] == ["  seat 1: Anna, 1000 chips, not connected"]
    second = take_seat(server.address, table_id, name="Boris")
    rival = threading.Thread(target=lambda: play(server.address, make_bot("always-call"), [second]))
    rival.start()
    (played,) = play(server.address, make_bot("always-call"), [first])
    rival.join(timeout=30)
    assert played.hands == 2
    state = json.loads(table("show", table_id, "--json").stdout)
    assert (state["status"], state["hand"]) == ("TABLE_STATUS_ENDED", "2")


def test_every_table_is_listed_page_after_page_in_order(table):
    before = len(json.loads(table("list", "--json").stdout))
    more = [opened(table) for _ in range(DEFAULT_PAGE_ITEMS - before + 2)]
    listed = [state["table_id"] for state in json.loads(table("list", "--json").stdout)]
    assert len(listed) == before + len(more) > DEFAULT_PAGE_ITEMS
    assert listed[before:] == more
    assert [line.split()[0] for line in table("list").stdout.splitlines()] == listed


def test_a_closed_table_ends(table):
    table_id = opened(table)
    assert table("close", table_id).exit_code == 0
    assert json.loads(table("show", table_id, "--json").stdout)["status"] == "TABLE_STATUS_ENDED"
    again = table("close", table_id)
    assert again.exit_code == 1
    assert again.stderr.startswith("FAILED_PRECONDITION: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("create", "--small-blind", "20"), "BLIND-1"),
        (("create", "--rule-set", "irish/house@1"), "irish/house@1"),
        (("create", "--token", "wrong"), "PERMISSION_DENIED"),
        (("show", "nowhere"), "NOT_FOUND"),
        (("close", "nowhere"), "NOT_FOUND"),
    ],
)
def test_what_is_refused_exits_1_and_says_why(table, words, said):
    done = table(*words)
    assert done.exit_code == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_without_the_hosts_token_it_says_where_it_was_looked_for(table, tmp_path):
    for words in (("create",), ("close", "one")):
        done = table(*words, "--data", str(tmp_path))
        assert done.exit_code == 2
        assert "host.token" in done.stderr


def test_a_server_that_is_away_is_not_waited_for_long(table):
    done = table("list", "--target", "127.0.0.1:1")
    assert done.exit_code == 1
    assert "without an answer" in done.stderr


def test_a_certificate_that_cannot_be_read_is_said_so(table, tmp_path):
    done = table("list", "--tls-ca", str(tmp_path / "nobody.pem"))
    assert done.exit_code == 2
    assert "nobody.pem" in done.stderr


def test_a_game_of_kozel_is_told_with_its_points(table, server, folder):
    config = {"rule_set_name": "kozel/on-all@1", "seats": 2, "clock": {"action_ms": 1}}
    request = table_pb2.CreateTableRequest(request_id="kozel", config=config)
    token = (folder / "host.token").read_text(encoding="ascii").strip()
    with grpc.insecure_channel(server.address) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        table_id = stub.CreateTable(request, metadata=(("authorization", f"Bearer {token}"),)).table_id
        assert table("show", table_id).stdout == f"{table_id}  waiting  kozel/on-all@1  0 of 2 seats  hand 0\n"
        for name in ("Anna", "Boris"):
            taken = table_pb2.TakeSeatRequest(request_id=f"sit down as {name}", table_id=table_id, name=name)
            stub.TakeSeat(taken)
        for _ in stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id)):
            pass  # nobody answers: the game ends by itself (KOZ-17)
    told = table("show", table_id).stdout.splitlines()
    assert told == [
        f"{table_id}  ended  kozel/on-all@1  2 of 2 seats  hand 1",
        "  seat 1: Anna, not connected",
        "  seat 2: Boris, not connected",
    ]
    assert f"{table_id}  ended  kozel/on-all@1" in table("list").stdout


def test_points_are_told_as_they_are_written():
    told = table_pb2.TableState(game="kozel")
    for seat, account in enumerate(({"open": True, "score": 25}, {"remembered": 7}, {}), 1):
        told.seats.add(seat=seat, kozel_account=account)
    assert [_holdings(told, seat) for seat in told.seats] == [", 25", ", +7", ""]
    told.config.private_table = True
    assert not any(_holdings(told, seat) for seat in told.seats)
