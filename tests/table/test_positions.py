"""Button and blinds from hand to hand (SEAT-1, SEAT-2, SEAT-4, SEAT-6)."""

import json

import pytest

from referee.dealing.fair import FairDecks
from referee.rules.ruleset import ButtonRule
from referee.table.positions import Positions, clockwise_from, first_positions, next_positions
from tests.support import shared_folder

BOTH = (ButtonRule.MOVING, ButtonRule.DEAD)


def told(positions):
    return {"button": positions.button, "sb": positions.small_blind or None, "bb": positions.big_blind}


def after(button, small_blind, big_blind, players, left, rule):
    before = Positions(button, small_blind, big_blind, tuple(clockwise_from(button, players)))
    return told(next_positions(rule, before, tuple(seat for seat in players if seat not in left)))


def movement_cases():
    path = shared_folder() / "cases" / "cases.jsonl"
    if not path.is_file():
        return []
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in cases if "dead_button" in case["right"]]


@pytest.mark.rule("SEAT-1")
@pytest.mark.parametrize("case", movement_cases(), ids=lambda case: case["id"])
@pytest.mark.parametrize("rule", BOTH)
def test_the_cases_of_button_movement(case, rule):
    players = tuple(player["seat"] for player in case["players"])
    (words,) = case["actions"]
    left = json.loads("[" + words.split("[")[1].split("]")[0] + "]")
    blinds = case["blinds"]
    right = case["right"]["dead_button" if rule == ButtonRule.DEAD else "moving_button"]
    assert after(blinds["button"], blinds["sb"], blinds["bb"], players, left, rule) == right


@pytest.mark.rule("SEAT-1")
@pytest.mark.parametrize("rule", BOTH)
def test_two_players_alternate_over_any_empty_seats(rule):
    # Case BU08: ten seats, two players: five big blinds each in ten hands.
    positions = first_positions(1, (1, 6))
    buttons, blinds = [], []
    for _ in range(10):
        buttons.append(positions.button)
        blinds.append(positions.big_blind)
        positions = next_positions(rule, positions, (1, 6))
    assert buttons == [1, 6] * 5
    assert blinds == [6, 1] * 5


@pytest.mark.rule("SEAT-1", "SEAT-4")
@pytest.mark.parametrize("rule", BOTH)
@pytest.mark.parametrize("count", range(2, 11))
def test_while_nobody_joins_or_leaves_everybody_pays_both_blinds_in_every_orbit(rule, count):
    players = tuple(range(1, count + 1))
    positions = first_positions(2, players)
    for _ in range(3):
        big, small = [], []
        for _ in range(count):
            big.append(positions.big_blind)
            small.append(positions.small_blind)
            positions = next_positions(rule, positions, players)
        assert sorted(big) == sorted(small) == list(players)


@pytest.mark.rule("SEAT-1", "SEAT-4")
def test_under_the_dead_button_nobody_skips_or_repeats_the_big_blind_when_others_leave():
    import random

    rng = random.Random(4)
    for _ in range(300):
        players = tuple(range(1, rng.randrange(3, 11)))
        positions = first_positions(rng.choice(players), players)
        order = [positions.big_blind]
        while len(players) > 2:
            if rng.random() < 0.3:
                players = tuple(seat for seat in players if seat != rng.choice(players))
                if len(players) < 2:
                    break
            before = positions.big_blind
            positions = next_positions(ButtonRule.DEAD, positions, players)
            order.append(positions.big_blind)
            assert positions.big_blind == clockwise_from(before, players)[0]
            assert positions.big_blind in positions.dealt_in


@pytest.mark.rule("SEAT-1")
@pytest.mark.parametrize("rule", BOTH)
def test_from_two_to_three_the_blinds_move_as_with_the_dead_button(rule):
    heads_up = first_positions(1, (1, 2))
    assert told(heads_up) == {"button": 1, "sb": 1, "bb": 2}
    three = next_positions(rule, heads_up, (1, 2), waiting=(3,))
    assert told(three) == {"button": 1, "sb": 2, "bb": 3}
    assert three.dealt_in == (2, 3, 1)


@pytest.mark.rule("SEAT-2")
@pytest.mark.parametrize("rule", BOTH)
def test_who_waits_counts_only_for_the_big_blind(rule):
    positions = first_positions(1, (1, 2, 3, 5))
    assert told(positions) == {"button": 1, "sb": 2, "bb": 3}
    waited = []
    players, waiting = (1, 2, 3, 5), (4,)
    for _ in range(4):
        positions = next_positions(rule, positions, players, waiting)
        waited.append(4 in positions.dealt_in)
        if 4 in positions.dealt_in:
            assert positions.big_blind == 4
            break
    assert waited == [True], "seat 4 sits right after the big blind and gets it next"
    positions = next_positions(rule, first_positions(3, (1, 2, 3, 5)), players, waiting)
    assert 4 not in positions.dealt_in, "between button and blinds he waits on"


@pytest.mark.rule("SEAT-6")
def test_the_first_button_is_drawn_from_the_seed_and_every_seat_is_as_likely():
    seats = (1, 3, 4, 7)
    drawn = [FairDecks("match", number.to_bytes(32, "big")).first_button(seats) for number in range(4000)]
    assert [FairDecks("match", number.to_bytes(32, "big")).first_button(seats) for number in range(100)] == drawn[:100]
    for seat in seats:
        assert 850 < drawn.count(seat) < 1150


@pytest.mark.rule("SEAT-1", "SEAT-2")
@pytest.mark.parametrize("rule", BOTH)
def test_a_lone_player_and_one_who_waits_play_heads_up(rule):
    before = first_positions(1, (1, 3))
    assert told(before) == {"button": 1, "sb": 1, "bb": 3}
    positions = next_positions(rule, before, (1,), waiting=(2,))
    assert told(positions) == {"button": 1, "sb": 1, "bb": 2}
    assert positions.dealt_in == (2, 1)
    three = Positions(1, 2, 3, (2, 3, 1))
    assert told(next_positions(rule, three, (2,), waiting=(5, 6))) == {"button": 2, "sb": 2, "bb": 5}
