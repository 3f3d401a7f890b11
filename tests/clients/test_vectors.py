"""The published vectors are current, meet every case, and hold for the Python SDK."""

import json
import time
from collections import Counter

import pytest
from google.protobuf.json_format import MessageToDict

from clients.python.example.strategy import plain
from referee.client.decision import Decision
from referee.client.follower import Ask, Follower
from referee.client.messages import options_of
from referee.rules.cards import parse_card, parse_cards
from referee.rules.ruleset import Limit, Stakes, find_rule_set
from referee.rules.rulings import BET, RAISE, LegalOptions
from referee.v1 import hand_pb2, server_pb2, table_pb2
from tests.merkle.naive import mth
from tests.support import REPOSITORY
from tools import client_vectors, deal_vectors, kozel_deal_vectors
from tools.vectors.decisions import answer_of, cards_of

FOLDER = REPOSITORY / "clients/vectors"
FILES = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}


@pytest.mark.parametrize("name", client_vectors.FILES)
def test_a_file_is_what_the_tool_writes(name):
    written = client_vectors.text_of(client_vectors.FILES[name]())
    assert (FOLDER / name).read_text() == written, "run `python -m tools.client_vectors`"


def test_a_stale_file_is_noticed(tmp_path, monkeypatch, capsys):
    for name in client_vectors.FILES:
        (tmp_path / name).write_text((FOLDER / name).read_text())
    (tmp_path / "cards.json").write_text("{}")
    monkeypatch.setattr(client_vectors, "FOLDER", tmp_path)
    monkeypatch.setattr(
        client_vectors, "FILES", {name: client_vectors.FILES[name] for name in ("cards.json", "merkle.json")}
    )
    monkeypatch.setattr("sys.argv", ["client_vectors", "--check"])
    assert client_vectors.main() == 1
    assert "not current: cards.json (" in capsys.readouterr().err


def test_the_page_names_every_file():
    page = (FOLDER / "README.md").read_text()
    assert set(FILES) == {*client_vectors.FILES, deal_vectors.OUT.name, kozel_deal_vectors.OUT.name}
    for name in FILES:
        assert f"| `{name}` |" in page


def test_the_vectors_meet_every_case():
    answers = Counter(case["answer"]["action"] for case in FILES["strategy.json"]["cases"])
    assert answers.total() >= 300
    assert set(answers) == {"fold", "check", "call", "bet", "raise", "discard"}
    assert min(answers.values()) >= 25
    legal = [case["legal"] for case in FILES["legal.json"]["cases"]]
    assert {one["wager"] for one in legal} == {"NONE", "BET", "RAISE"}
    assert {one["cards_to_discard"] for one in legal} >= {0, 1, 2, 3}
    assert any(one["min_raise_to"] == one["max_raise_to"] > 0 for one in legal)
    assert any(one["raise_step"] > 1 for one in legal)
    assert any(one["can_fold"] and not one["can_check"] and not one["max_raise_to"] for one in legal)
    for name, faults in (("inclusion", {"", "SHAPE", "MISMATCH"}), ("consistency", {"", "SHAPE", "MISMATCH"})):
        assert {case["fault"] for case in FILES["merkle.json"][name]} == faults
    notes = FILES["checkpoints.json"]["notes"]
    assert {note["fault"] for note in notes} == {"", "FORMAT", "SIGNATURE", "UNTRUSTED"}
    assert any(note["fault"] != note["fault_by_log_alone"] for note in notes)
    views = [decision["view"] for hand in FILES["views.json"]["hands"] for decision in hand["decisions"]]
    assert any(view["joined"] for view in views)
    assert any(view["discarded"] for view in views)
    assert any(player["all_in"] for view in views for player in view["players"])
    assert {view["street"] for view in views} == {0, 1, 2, 3}


def test_roots_are_those_of_the_definition():
    """RFC 6962's recursive definition, written apart from what made the vectors."""
    vectors = FILES["merkle.json"]
    leaves = [bytes.fromhex(leaf["data"]) for leaf in vectors["leaves"]]
    for root in vectors["roots"]:
        assert mth(leaves[: int(root["size"])]).hex() == root["root"]


def test_cards_are_read_and_written():
    vectors = FILES["cards.json"]
    assert [parse_card(one["text"]) for one in vectors["cards"]] == list(range(52))
    assert all(one["card"] == 4 * one["rank"] + one["suit"] for one in vectors["cards"])
    for text in vectors["bad"]:
        with pytest.raises(ValueError):  # noqa: PT011
            parse_card(text)
    for row in vectors["rows"]:
        assert list(parse_cards(row["text"])) == row["cards"]


TYPES = {
    message.DESCRIPTOR.full_name: message
    for message in (table_pb2.PlayRequest, table_pb2.PlayResponse, server_pb2.GetServerInfoResponse)
}


@pytest.mark.parametrize("vector", FILES["messages.json"]["messages"], ids=lambda vector: vector["name"])
def test_messages_are_read_whatever_a_newer_server_adds(vector):
    message = TYPES[vector["type"]].FromString(bytes.fromhex(vector["bytes"]))
    assert MessageToDict(message) == vector["json"]
    message.DiscardUnknownFields()
    assert message.SerializeToString(deterministic=True).hex() == vector["known"]
    if vector["type"] == "referee.v1.PlayResponse":
        for item in message.items:
            if item.WhichOneof("item") not in ("event", "decision"):  # which need the hand that they are about
                Follower(item.table_id, "token", time.monotonic).receive(item)


def options(vector):
    return LegalOptions(
        vector["seat"],
        vector["decision_id"],
        vector["can_fold"],
        vector["can_check"],
        vector["amount_to_call"],
        RAISE if vector["wager"] == "RAISE" else BET,
        vector["min_raise_to"],
        vector["max_raise_to"],
        vector["raise_step"] or 1,
        vector["cards_to_discard"],
        parse_cards("".join(vector["held_cards"])),
    )


def decision(vector):
    return Decision(
        table_id="t",
        hand_id="h",
        hand_number=1,
        seat=vector["legal"]["seat"],
        rule_set=find_rule_set("irish/full-tilt@1"),
        limit=Limit.NO_LIMIT,
        stakes=Stakes(1, vector.get("big_blind", 2)),
        button_seat=1,
        small_blind_seat=1,
        big_blind_seat=2,
        street=0,
        players=(),
        hole=parse_cards("".join(vector.get("hole", ()))),
        discarded=(),
        board=parse_cards("".join(vector.get("board", ()))),
        joined=(),
        pot=vector["pot"],
        level=vector["level"],
        legal=options(vector["legal"]),
        remaining_ms=None,
        events=(),
    )


def test_helpers_propose_what_the_vectors_say():
    for vector in FILES["legal.json"]["cases"]:
        asked, answers = decision(vector), vector["answers"]
        for name in ("fold", "check", "call", "check_or_fold", "check_or_call", "all_in_or_call"):
            assert answer_of(getattr(asked, name)()) == answers[name]
        if answers["discard_last"]:
            assert answer_of(asked.discard_last()) == answers["discard_last"]
        for name, given in (("raise_to", "total"), ("bet_or_raise", "total"), ("bet_pot", "percent")):
            for answer in answers[name]:
                assert {given: answer[given], **answer_of(getattr(asked, name)(answer[given]))} == answer


def test_plain_answers_what_the_vectors_say():
    for vector in FILES["strategy.json"]["cases"]:
        assert answer_of(plain(decision(vector))) == vector["answer"], vector


def item_of(text):
    return table_pb2.PlayResponseItem.FromString(bytes.fromhex(text))


@pytest.mark.parametrize("number", range(len(FILES["views.json"]["hands"])))
def test_a_hand_told_over_a_stream_leads_to_the_decisions_of_the_vectors(number):
    vector = FILES["views.json"]["hands"][number]
    follower = Follower("harness", "token", time.monotonic)
    follower.receive(item_of(vector["snapshot"]))
    told = 0
    for expected in vector["decisions"]:
        for text in vector["items"][told : expected["after_items"]]:
            follower.receive(item_of(text))
        told = expected["after_items"]
        (outcome,) = follower.receive(item_of(expected["item"]))
        assert isinstance(outcome, Ask)
        asked, view = outcome.decision, expected["view"]
        for name in ("hole", "discarded", "board", "joined"):
            assert cards_of(getattr(asked, name)) == view[name]
        for name in (
            "street",
            "pot",
            "level",
            "to_call",
            "must_discard",
            "button_seat",
            "small_blind_seat",
            "acts_last",
        ):
            assert getattr(asked, name) == view[name]
        assert asked.legal == options_of(item_of(expected["item"]).decision.legal)._replace(wager=asked.legal.wager)
        assert [player._asdict() | {"shown": cards_of(player.shown)} for player in asked.players] == view["players"]
    for text in vector["items"][told:]:
        follower.receive(item_of(text))
    assert follower.view is not None
    assert follower.view.over
    for one in vector["stacks_after"]:
        assert follower.view.stack_of(one["seat"]) == one["stack"]


def test_an_event_of_an_unknown_kind_is_told_in_every_hand():
    for vector in FILES["views.json"]["hands"]:
        kinds = {item_of(text).event.hand_event.kind for text in vector["items"]}
        assert kinds - set(hand_pb2.EventKind.values())
