"""Our own JSON form of the settlement: complete, and read back as it was."""

import json
import random
from typing import Any

import pytest

from referee.record.notation.settlement_json import settlement_from_dict, settlement_to_dict
from referee.rules.hand import open_hand
from referee.rules.settlement import settlement
from tests.support import check_down, hand_of, play, play_out, random_setup, scale


def told() -> dict[str, Any]:
    """The settlement of a small hand with a side pot."""
    hand = hand_of([20, 100, 100], holes={1: "AhAd", 2: "KsKd", 3: "QcJc"}, board="2c3d9hTs4s")
    play(hand, "p3 call, p1 raise 20, p2 call, p3 call")
    check_down(hand)
    return settlement_to_dict(settlement(hand))


def test_what_stands_in_it() -> None:
    statement = told()
    assert (statement["over"], statement["decided"], statement["rake"]) == (True, True, 0)
    assert statement["board"] == ["2c", "3d", "9h", "Ts", "4s"]
    assert statement["players"][0] == {
        "seat": 1,
        "stack_before": 20,
        "contributed": 20,
        "dead": 0,
        "returned": 0,
        "won": 60,
        "stack_after": 60,
        "folded": False,
    }
    assert statement["pots"] == [
        {
            "amount": 60,
            "eligible": [1, 2, 3],
            "rake": 0,
            "winners": [1],
            "shares": [60],
            "odd_chips": [0],
            "compared": True,
        }
    ]
    first = statement["hands"][0]
    assert (first["seat"], first["cards"], first["must_show"], first["why"]) == (
        1,
        ["Ah", "Ad"],
        True,
        "FIRST_IN_ORDER",
    )
    assert {"rule": "POT-7", "text": "seat 1: 20 -> 60"} in statement["statement"]


def test_settlements_of_random_hands_come_back_through_json() -> None:
    for seed in range(scale(300, 3_000)):
        rng = random.Random(seed)
        hand, _ = open_hand(random_setup(rng))
        unfinished = settlement(hand)
        play_out(rng, hand)
        for statement in (unfinished, settlement(hand)):
            text = json.dumps(settlement_to_dict(statement))
            assert settlement_from_dict(json.loads(text)) == statement, seed


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("over",), 1, "settlement.over: expected true or false"),
        (("rake",), True, "settlement.rake: expected a whole number"),
        (("rake",), "0", "settlement.rake: expected a whole number"),
        (("board",), ["1h"], "settlement.board: expected cards"),
        (("board",), [1], "settlement.board: expected cards"),
        (("players",), {}, "settlement.players: expected an array"),
        (("players", 1), 5, "settlement.players[1]: expected an object"),
        (("players", 1, "seat"), None, "settlement.players[1].seat: expected a whole number"),
        (("pots", 0, "winners"), [1.5], "settlement.pots[0].winners: expected an array of whole numbers"),
        (("hands", 0, "why"), "BECAUSE", "settlement.hands[0].why: expected one of FIRST_IN_ORDER"),
        (("hands", 0, "cards"), None, "settlement.hands[0].cards: expected an array of cards"),
        (("statement", 0, "text"), 1, "settlement.statement[0].text: expected a string"),
    ],
)
def test_what_is_no_settlement_is_told_with_its_place(path: tuple[Any, ...], value: object, words: str) -> None:
    statement = told()
    *parents, last = path
    inner: Any = statement
    for step in parents:
        inner = inner[step]
    inner[last] = value
    with pytest.raises(ValueError, match="expected") as refused:
        settlement_from_dict(statement)
    assert str(refused.value).startswith(words)


def test_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="settlement: expected an object"):
        settlement_from_dict([])  # type: ignore[arg-type]
