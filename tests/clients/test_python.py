"""The Python example bot and starter: their strategies, their command line, a table against the referee itself."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from clients.python.example.program import arguments, main
from clients.python.example.strategy import best_kept, conformance, has_flush_draw, is_good_start, kept_score, plain
from referee.bots import make_bot
from referee.client import create_table, play_match, take_seat
from referee.rules.ruleset import Stakes
from referee.rules.rulings import ActionKind
from tests.client.test_decision import decision_of
from tests.client.test_live import served
from tests.support import NL, REPOSITORY, cards

BOT = REPOSITORY / "clients/python/bot"
STARTER = REPOSITORY / "clients/python/starter/bot.py"


# --- the strategy by its words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hole", "is_good"),
    [
        ("TcTd4h5s", True),  # a pair of tens
        ("9c9d4h5s", False),
        ("Ac4c8h9s", True),  # an ace with a card of its suit
        ("Ac4d8h9s", False),
        ("8cAdKdQs", True),
    ],
)
def test_a_good_start(hole, is_good):
    assert is_good_start(cards(hole)) is is_good


def test_what_kept_cards_are_worth():
    board = cards("4h9hKs")
    assert kept_score(cards("AcKd"), board) == 12 + 11 + 40 + 11
    assert kept_score(cards("9c9d"), board) == 7 + 7 + 60 + 7 + 2 * (40 + 7)
    assert kept_score(cards("AhQh"), board) == 12 + 10 + 50
    assert kept_score(cards("AcQc"), board) == 12 + 10
    assert kept_score(cards("Qh"), board) == 10 + 50


def test_the_first_of_equal_keeps_is_kept():
    assert best_kept(cards("AcAdAhAs"), 2, ()) == cards("AcAd")
    assert best_kept(cards("2c3d2h3s4c"), 3, ()) == cards("3d3s")


def test_a_flush_draw_needs_a_hole_card_and_a_card_to_come():
    assert has_flush_draw(cards("Ah2c"), cards("4h9hKh"))
    assert not has_flush_draw(cards("Ac2c"), cards("4h9hKh8h"))
    assert not has_flush_draw(cards("Ah2c"), cards("4h9hKh8c2d"))
    assert not has_flush_draw(cards("Ah2h"), cards("4h9cKc"))


def test_plain_is_never_refused_and_the_same_again():
    results = [
        play_match([plain, make_bot("random-legal", 3), plain], "irish/full-tilt@1", NL, Stakes(5, 10), 400, 40, seed=9)
        for _ in range(2)
    ]
    assert results[0].net == results[1].net
    assert {seat.refusals for seat in results[0].seats} == {0}


# --- wishes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "kind", "to"),
    [
        ("check-or-call", ActionKind.CALL, 0),
        ("check-or-fold", ActionKind.FOLD, 0),
        ("min-raise.3", ActionKind.RAISE, 70),
        ("max-raise", ActionKind.RAISE, 500),
        ("all-in", ActionKind.RAISE, 500),
        ("bet-pot", ActionKind.RAISE, 40 + 55 + 35),
        ("refused-first", ActionKind.RAISE, 495 + 40 + 1),
        ("something-new", ActionKind.CALL, 0),
    ],
)
def test_wishes_are_done(wish, kind, to):
    _, decision = decision_of([500] * 3, "p3 raise 40")
    proposal = conformance(replace(decision, match_name=f"conformance.{wish}"))
    assert (proposal.kind, proposal.to) == (kind, to)


def test_a_refused_wish_is_made_good():
    _, decision = decision_of([500] * 3, "p3 raise 40")
    refused = replace(decision, match_name="conformance.refused-first", refusal=SimpleNamespace())
    assert conformance(refused).kind == ActionKind.CALL
    script = "p2 call, p1 check, p1 check, p2 check"
    _, owing = decision_of([500] * 2, script, rule_set="irish/full-tilt@1", seat=1)
    assert len(conformance(replace(owing, match_name="conformance.wrong-discard")).cards) == 1
    again = replace(owing, match_name="conformance.wrong-discard", refusal=SimpleNamespace())
    assert conformance(again).cards == owing.legal.held[:2]
    _, single = decision_of([500] * 2, script, rule_set="irish/full-tilt@1", seat=1)
    single = replace(single, legal=single.legal._replace(discard=1), match_name="conformance.wrong-discard")
    assert len(conformance(single).cards) == 2


def test_without_a_wish_it_plays_plain():
    _, decision = decision_of([500] * 3, "p3 raise 40")
    for name in ("", "spring", "conformance"):
        assert conformance(replace(decision, match_name=name)) == plain(decision)


# --- the program ----------------------------------------------------------------------------------------


def test_seats_come_from_the_environment_where_no_flag_names_any(monkeypatch):
    monkeypatch.setenv("REFEREE_TARGET", "somewhere:1")
    monkeypatch.setenv("REFEREE_SEATS", "t1=a,t2=b=c")
    asked = arguments([])
    assert (asked.target, asked.seat) == ("somewhere:1", ["t1=a", "t2=b=c"])
    assert arguments(["--seat", "t3=d", "--target", "here:2"]).seat == ["t3=d"]
    monkeypatch.setenv("REFEREE_SEATS", "")
    with pytest.raises(SystemExit) as stopped:
        arguments([])
    assert stopped.value.code == 2


def run_bot(program, *words):
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, str(program), *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_the_program_and_the_starter_play_a_table_to_its_end(tmp_path):
    with served(tmp_path) as (address, token):
        table = create_table(
            address, stakes=Stakes(5, 10), seats=2, starting_stack=500, reset_stacks=True, hands=20, token=token
        )
        one = run_bot(BOT, "--target", address, "--table", table)
        other = run_bot(STARTER, "--target", address, "--table", table)
        (line, said), (text, more) = one.communicate(timeout=60), other.communicate(timeout=60)
    assert (said, more) == ("", "")
    assert one.returncode == 0
    told = json.loads(line)
    assert told.pop("decisions") > 20
    assert told == {
        "table": table,
        "reason": "TABLE_ENDED",
        "hands": 20,
        "refusals": 0,
        "resumed": 0,
        "deals_checked": 20,
        "deal_fault": "",
    }
    assert text.startswith("20 hands, net ")
    assert text.endswith("0 refusals; TABLE_ENDED\n")


def test_a_seat_given_by_token_leaves_after_its_hands(tmp_path, capsys):
    with served(tmp_path) as (address, token):
        table = create_table(
            address, stakes=Stakes(5, 10), seats=2, starting_stack=500, reset_stacks=True, hands=50, token=token
        )
        seats = [take_seat(address, table, name=name, seed=b"") for name in ("one", "two")]
        practice = run_bot(BOT, "--target", address, "--seat", f"{table}={seats[1].seat_token}")
        code = main(["--target", address, "--seat", f"{table}={seats[0].seat_token}", "--hands", "3"])
        told = json.loads(capsys.readouterr().out)
        practice.communicate(timeout=60)
    assert (code, told["reason"], told["hands"] >= 3) == (0, "DETACHED", True)


def test_a_token_that_is_none_of_the_tables_fails(tmp_path, capsys):
    with served(tmp_path) as (address, token):
        table = create_table(address, stakes=Stakes(5, 10), seats=2, starting_stack=500, token=token)
        assert main(["--target", address, "--seat", f"{table}=nonsense"]) == 1
    assert json.loads(capsys.readouterr().out)["reason"] == "NOT_ALLOWED"
