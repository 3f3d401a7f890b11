"""KOZ-1 to KOZ-17, each by name; the rulebook's worked values stand under the rule that decides them."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from referee.kozel.events import EventKind
from referee.kozel.game import decks_until_played, first_round, next_round
from referee.kozel.opening import OPENING_ORDER
from referee.kozel.round import legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import ON_ALL, ON_ONE, RULE_SETS, SetupRefusedError, find_rule_set
from referee.kozel.rulings import ActionKind, Proposal
from referee.kozel.scoring import Ending, count_of, entries_of, rating_of, timeout_rating_of
from referee.kozel.setup import EMPTY_ACCOUNT, RoundSetup, must_redeal
from referee.kozel.state import encode
from referee.kozel.tiles import PIPS, TILE_TEXTS, TILES, parse_tile, parse_tiles, tiles_text
from tests.kozel.rounds import (
    EVERY_RULE_SET,
    ON_ALL_NO_MOVE,
    deck_of,
    has,
    kinds,
    lay,
    moves,
    only,
    opened,
    options,
    play,
    remembers,
    shuffler,
    staged,
)

rule = pytest.mark.rule

# --- the deal -------------------------------------------------------------------------------------------


@rule("KOZ-1")
def test_there_are_28_tiles_with_168_pips() -> None:
    assert len(TILE_TEXTS) == len(set(TILE_TEXTS)) == TILES == 28
    assert sum(PIPS) == 168
    assert TILE_TEXTS[0] == "0-0"
    assert TILE_TEXTS[-1] == "6-6"
    assert set(TILE_TEXTS) == {f"{high}-{low}" for high in range(7) for low in range(high + 1)}


@rule("KOZ-1")
@pytest.mark.parametrize(("players", "boneyard"), [(2, 14), (3, 7), (4, 0)])
def test_each_player_has_seven_tiles_and_the_rest_is_the_boneyard(players: int, boneyard: int) -> None:
    setup = first_round(ON_ALL, tuple(range(1, players + 1)), shuffler(random.Random(players)))
    state, events = open_round(setup)
    assert [len(hand) for hand in state.hands] == [7] * players
    assert len(state.boneyard) == boneyard
    assert len(only(events, EventKind.BONEYARD_LAID)) == (boneyard > 0)
    deck = setup.decks[-1]
    assert [hand[0] for hand in state.hands] == list(deck[:players]), "one at a time, clockwise"
    assert state.boneyard == deck[7 * players :]


@rule("KOZ-1")
@pytest.mark.parametrize("players", [0, 1, 5])
def test_two_to_four_players(players: int) -> None:
    deck = tuple(range(28))
    with pytest.raises(SetupRefusedError) as refused:
        open_round(RoundSetup(ON_ALL, tuple(range(1, players + 1)), (deck,), (EMPTY_ACCOUNT,) * players))
    assert refused.value.rule == "KOZ-1"


@rule("KOZ-1")
@pytest.mark.parametrize("deck", [(), tuple(range(27)), (*range(27), 0), (*range(27), -1), (*range(27), 28)])
def test_a_deck_has_every_tile_once(deck: tuple[int, ...]) -> None:
    with pytest.raises(SetupRefusedError) as refused:
        open_round(RoundSetup(ON_ALL, (1, 2), (deck,), (EMPTY_ACCOUNT,) * 2))
    assert refused.value.rule == "KOZ-1"


@rule("KOZ-2")
@pytest.mark.parametrize(
    ("hand", "again"),
    [
        ("0-0 1-1 2-2 3-3 5-4 6-4 6-5", False),  # four doubles
        ("0-0 1-1 2-2 3-3 4-4 6-4 6-5", True),  # five
        ("6-0 6-1 6-2 6-3 6-4 5-5 4-4", False),  # five that bear a six
        ("6-0 6-1 6-2 6-3 6-4 6-5 4-4", True),  # six
        ("6-0 6-1 6-2 6-3 6-4 6-6 4-4", True),  # six, the double counted once
        ("6-1 6-2 6-3 6-4 6-6 4-4 5-5", False),  # five, the double counted once
        ("0-0 1-0 2-0 3-0 4-0 5-0 6-6", True),
    ],
)
def test_which_hands_are_dealt_again(hand: str, again: bool) -> None:
    assert must_redeal(parse_tiles(hand), ON_ALL) is again


MANY_SIXES = ("6-0 6-1 6-2 6-3 6-4 6-5 4-4", "0-0 1-0 2-0 3-0 4-1 5-1 3-2")
PLAIN = ("1-1 3-1 4-1 5-1 6-2 4-2 3-0", "2-2 1-0 2-0 5-0 6-0 5-4 4-0")


@rule("KOZ-2")
def test_a_redeal_happens_as_often_as_needed_and_for_everybody() -> None:
    bad, good = deck_of(MANY_SIXES), deck_of(PLAIN)
    setup = RoundSetup(ON_ALL, (4, 7), (bad, bad, good), (EMPTY_ACCOUNT,) * 2)
    state, events = open_round(setup)
    assert state.redeals == 2
    assert tiles_text(state.hands[0]) == PLAIN[0]
    assert [event.seat for event in only(events, EventKind.REDEALT)] == [4, 4]
    assert {event.rule for event in only(events, EventKind.REDEALT)} == {"KOZ-2"}
    assert kinds(events) == [
        *(["TILES_DEALT"] * 2 + ["REDEALT"]) * 2,
        *["TILES_DEALT"] * 2,
        "BONEYARD_LAID",
        "LEAD_GIVEN",
    ]


@rule("KOZ-2")
@pytest.mark.parametrize("hands", [(MANY_SIXES,), (PLAIN, PLAIN), (PLAIN, MANY_SIXES)])
def test_a_redeal_is_compulsory_and_never_without_need(hands: tuple[tuple[str, str], ...]) -> None:
    decks = tuple(deck_of(two) for two in hands)
    with pytest.raises(SetupRefusedError) as refused:
        open_round(RoundSetup(ON_ALL, (1, 2), decks, (EMPTY_ACCOUNT,) * 2))
    assert refused.value.rule == "KOZ-2"


@rule("KOZ-2")
def test_decks_are_asked_for_until_one_is_played() -> None:
    offered = [deck_of(MANY_SIXES), deck_of(MANY_SIXES), deck_of(PLAIN), deck_of(PLAIN)]
    assert decks_until_played(offered.__getitem__, 2, ON_ALL) == tuple(offered[:3])
    with pytest.raises(SetupRefusedError, match="KOZ-2: 1000 decks"):
        decks_until_played(lambda _redeal: deck_of(MANY_SIXES), 2, ON_ALL)


# --- the lead -------------------------------------------------------------------------------------------


@rule("KOZ-3")
def test_the_order_of_opening_tiles() -> None:
    assert tiles_text(OPENING_ORDER).split() == [
        *("1-1", "2-2", "3-3", "4-4", "5-5", "6-6", "0-0"),
        *("6-5", "6-4", "6-3", "5-4", "6-2", "5-3", "6-1", "5-2", "4-3", "6-0", "5-1", "4-2"),
        *("5-0", "4-1", "3-2", "4-0", "3-1", "3-0", "2-1", "2-0", "1-0"),
    ]


TWO_TILES = replace(ON_ALL, name="test/two-tiles", hand_tiles=2, redeal_doubles=3, redeal_bearing=3)


@rule("KOZ-3")
@pytest.mark.parametrize(
    ("hands", "leader", "tile"),
    [
        (("6-6 5-5", "1-1 0-0"), 2, "1-1"),
        (("6-6 2-2", "3-3 0-0"), 1, "2-2"),
        (("6-5 6-6", "0-0 5-4"), 1, "6-6"),
        (("6-5 6-4", "0-0 5-4"), 2, "0-0"),  # the lone double, though it is 0-0
        (("6-4 5-4", "6-5 6-3"), 2, "6-5"),
        (("6-3 2-0", "5-4 3-0"), 1, "6-3"),  # nine pips each: the higher half
        (("5-3 2-0", "6-2 3-0"), 2, "6-2"),
        (("1-0 2-0", "3-0 2-1"), 2, "3-0"),
    ],
)
def test_the_holder_of_the_opening_tile_must_lead_it(hands: tuple[str, str], leader: int, tile: str) -> None:
    state = opened(hands, rule_set=TWO_TILES)
    assert open_seats(state) == (leader,)
    assert moves(state, leader) == [(tile, "N")]
    other = next(held for held in hands[leader - 1].split() if held != tile)
    refused = lay(state, leader, other)
    assert (refused.accepted, refused.reason and refused.reason.name) == (False, "OPENING_TILE_COMPULSORY")
    assert refused.rule == "KOZ-3"
    assert lay(state, leader, tile).rule == "KOZ-3"


@rule("KOZ-3")
def test_doubles_in_the_boneyard_are_held_by_nobody() -> None:
    state = opened(("6-5 6-4", "0-0 5-4"), boneyard="1-1 2-2 3-3", rule_set=TWO_TILES)
    assert moves(state, 2) == [("0-0", "N")]


@rule("KOZ-3")
def test_in_later_rounds_the_leader_leads_any_tile() -> None:
    state = opened(("1-1 6-5", "0-0 5-4"), rule_set=TWO_TILES, leader=2)
    assert moves(state, 2) == [("0-0", "N"), ("5-4", "N")]
    assert lay(state, 1, "1-1").reason.name == "OUT_OF_TURN"  # type: ignore[union-attr]


@rule("KOZ-3")
def test_who_went_out_leads_the_next_round() -> None:
    state = staged(["6-5", "4-3 2-1", "1-0 2-0"], "5-5")
    play(state, "1 6-5 L")
    setup = next_round(state, shuffler(random.Random(1)))
    assert setup is not None
    assert setup.leader_seat == 1
    assert open_seats(open_round(setup)[0]) == (1,)


# --- laying, drawing, knocking --------------------------------------------------------------------------


@rule("KOZ-4")
def test_play_goes_clockwise_one_tile_a_turn() -> None:
    state = staged(["6-5 6-1", "6-4 4-1", "4-3 3-1"], "6-6")
    play(state, "1 6-5 L")
    assert open_seats(state) == (2,)
    play(state, "2 6-4 R")
    assert open_seats(state) == (3,)
    play(state, "3 4-3 R")
    assert open_seats(state) != (3,)
    assert (state.left, state.right) == (5, 3)


@rule("KOZ-4")
def test_a_tile_matches_an_open_end_by_its_number() -> None:
    state = staged(["6-4 5-3 2-1 4-4", "0-0 1-1"], "6-5")
    assert moves(state, 1) == [("6-4", "L"), ("5-3", "R")]
    refused = lay(state, 1, "2-1")
    assert refused.reason is not None
    assert (refused.reason.name, refused.rule) == ("TILE_DOES_NOT_FIT", "KOZ-4")


@rule("KOZ-4")
def test_a_tile_that_fits_both_ends_says_which() -> None:
    state = staged(["6-5 4-4", "0-0 1-1"], "6-3 4-3 5-4")
    assert (state.left, state.right) == (6, 5)
    assert moves(state, 1) == [("6-5", "L"), ("6-5", "R")]
    refused = lay(state, 1, "6-5")
    assert refused.reason is not None
    assert (refused.reason.name, refused.rule) == ("END_NOT_NAMED", "KOZ-4")
    left, right = state.copy(), state.copy()
    lay(left, 1, "6-5", "L")
    lay(right, 1, "6-5", "R")
    assert (left.left, left.right) == (5, 5)
    assert (right.left, right.right) == (6, 6)
    assert tiles_text(left.chain) == "6-5 6-3 4-3 5-4"
    assert tiles_text(right.chain) == "6-3 4-3 5-4 6-5"


@rule("KOZ-4")
def test_with_equal_ends_the_end_is_still_named() -> None:
    state = staged(["6-5 4-4", "0-0 1-1"], "6-6")
    assert moves(state, 1) == [("6-5", "L"), ("6-5", "R")]
    assert lay(state, 1, "6-5").reason.name == "END_NOT_NAMED"  # type: ignore[union-attr]


@rule("KOZ-4")
def test_an_end_that_does_not_fit_is_refused_and_one_that_needs_no_name_may_have_it() -> None:
    state = staged(["6-4 4-4", "0-0 1-1"], "6-5")
    refused = lay(state, 1, "6-4", "R")
    assert refused.reason is not None
    assert (refused.reason.name, refused.rule) == ("END_DOES_NOT_FIT", "KOZ-4")
    named, unnamed = state.copy(), state.copy()
    assert lay(named, 1, "6-4", "L").events == lay(unnamed, 1, "6-4").events
    assert encode(named) == encode(unnamed)


@rule("KOZ-4")
def test_the_first_tile_is_laid_at_no_end_and_its_higher_half_lies_left() -> None:
    state = opened(("6-5 4-3", "5-4 2-1"), rule_set=TWO_TILES)
    assert lay(state, 1, "6-5", "L").reason.name == "END_DOES_NOT_FIT"  # type: ignore[union-attr]
    lay(state, 1, "6-5")
    assert (state.left, state.right) == (6, 5)


@rule("KOZ-5")
def test_drawing_goes_on_until_a_tile_fits_and_that_tile_alone_may_be_laid() -> None:
    state = staged(["6-5 4-4", "0-0 1-1"], "6-6 6-3", boneyard="2-2 4-2 5-3 5-5")
    events = play(state, "1 6-5 L")
    drawn = only(events, EventKind.TILE_DRAWN)
    assert [tiles_text(event.tiles) for event in drawn] == ["2-2", "4-2", "5-3"]
    assert {(event.seat, event.rule) for event in drawn} == {(2, "KOZ-5")}
    assert tiles_text(state.hands[1]) == "0-0 1-1 2-2 4-2 5-3", "what was drawn stays in hand"
    assert moves(state, 2) == [("5-3", "L"), ("5-3", "R")]


@rule("KOZ-5")
def test_nothing_is_drawn_while_a_tile_can_be_laid() -> None:
    state = staged(["6-5 4-4", "5-0 1-1"], "6-6 6-3")
    assert only(play(state, "1 6-5 L"), EventKind.TILE_DRAWN) == []
    assert moves(state, 2) == [("5-0", "L")]


@rule("KOZ-5")
def test_with_an_empty_boneyard_who_cannot_lay_knocks() -> None:
    state = staged(["6-5 4-4", "0-0 1-1", "2-2 4-2", ""], "6-6 6-3", empty_boneyard=True)
    events = play(state, "1 6-5 L")
    knocks = only(events, EventKind.KNOCKED)
    assert [(event.seat, event.rule) for event in knocks] == [(2, "KOZ-5"), (3, "KOZ-5")]
    assert open_seats(state) == (4,)


@rule("KOZ-5")
def test_the_whole_boneyard_is_drawn_before_a_knock() -> None:
    state = staged(
        ["6-5 4-4", "0-0 1-1", "5-4 3-0 5-0 5-1 5-2 5-3 5-5 3-1 3-2 3-3 4-3 6-0 6-1 6-2 6-4"],
        "6-6 6-3",
    )
    events = play(state, "1 6-5 L")
    assert len(only(events, EventKind.TILE_DRAWN)) == 7
    assert [event.seat for event in only(events, EventKind.KNOCKED)] == [2]
    assert open_seats(state) == (3,)


@rule("KOZ-5")
@pytest.mark.parametrize("kind", [ActionKind.DRAW, ActionKind.KNOCK])
def test_drawing_and_knocking_are_never_chosen(kind: ActionKind) -> None:
    state = staged(["6-5 4-4", "0-0 1-1"], "6-6")
    refused = propose(state, Proposal(1, kind))
    assert refused.reason is not None
    assert (refused.reason.name, refused.rule) == ("HOLDS_A_PLAYABLE_TILE", "KOZ-5")


# --- the end of a round ---------------------------------------------------------------------------------

SIXES = "6-0 5-0 6-5 6-1 4-1 6-4 6-2 3-2"
"""A chain with a six at its left end, a three at its right one and five sixes in it: 6-3 at the right makes a fish."""


@rule("KOZ-6")
def test_a_player_without_tiles_is_out() -> None:
    state = staged(["6-5", "4-3 2-1"], "5-5")
    events = play(state, "1 6-5 L")
    assert "WENT_OUT" in kinds(events)
    assert (state.ending, state.winner) == (Ending.OUT, 0)
    assert state.has_ended()
    assert open_seats(state) == ()


@rule("KOZ-6", "KOZ-7")
@pytest.mark.parametrize("rule_set", EVERY_RULE_SET)
def test_laying_the_last_tile_is_out_even_if_it_blocks(rule_set) -> None:
    state = staged(["6-3", "1-1 2-0", "3-0"], SIXES, rule_set)
    events = play(state, "1 6-3 R")
    assert "FISH_MADE" not in kinds(events)
    assert (state.ending, state.winner) == (Ending.OUT, 0)


@rule("KOZ-7")
def test_structural_a_fish_ends_the_round_at_once_though_the_double_is_unplayed() -> None:
    state = staged(["6-3 1-1", "6-6 2-0", "3-0"], SIXES)
    events = play(state, "1 6-3 R")
    (fish,) = only(events, EventKind.FISH_MADE)
    assert (fish.seat, fish.points, fish.rule) == (1, 6, "KOZ-7")
    assert (state.ending, state.winner) == (Ending.FISH, 0)


@rule("KOZ-7")
def test_no_legal_move_the_double_is_still_played() -> None:
    state = staged(["6-3 1-1", "6-6 2-0", "3-0 4-0"], SIXES, ON_ALL_NO_MOVE)
    assert "FISH_MADE" not in kinds(play(state, "1 6-3 R"))
    assert moves(state, 2) == [("6-6", "L"), ("6-6", "R")]
    events = play(state, "2 6-6 L")
    (fish,) = only(events, EventKind.FISH_MADE)
    assert fish.seat == 1, "whose tile left both ends equal with all six laid"
    assert state.winner == 0


@rule("KOZ-7")
def test_no_legal_move_the_double_is_still_drawn() -> None:
    state = staged(["6-3 1-1", "2-2 2-0"], SIXES, ON_ALL_NO_MOVE, boneyard="5-5 6-6 3-0")
    events = play(state, "1 6-3 R")
    assert [tiles_text(event.tiles) for event in only(events, EventKind.TILE_DRAWN)] == ["5-5", "6-6"]
    assert "FISH_MADE" in kinds(play(state, "2 6-6 L"))


@rule("KOZ-7", "KOZ-6")
def test_no_legal_move_who_goes_out_with_the_double_is_out() -> None:
    state = staged(["6-3 1-1", "6-6", "3-0 4-0"], SIXES, ON_ALL_NO_MOVE)
    play(state, "1 6-3 R")
    events = play(state, "2 6-6 L")
    assert (state.ending, state.winner) == (Ending.OUT, 1)
    assert "FISH_MADE" not in kinds(events)


@rule("KOZ-7")
@pytest.mark.parametrize("rule_set", EVERY_RULE_SET)
def test_with_the_double_on_the_table_both_readings_are_one(rule_set) -> None:
    state = staged(["6-3 1-1", "2-2 2-0", "3-0"], "6-6 6-0 5-0 6-5 6-1 4-1 6-4 6-2 3-2", rule_set)
    assert "FISH_MADE" in kinds(play(state, "1 6-3 R"))


@rule("KOZ-7")
def test_five_non_double_tiles_are_no_fish() -> None:
    state = staged(["6-4 1-1", "6-3 2-0"], "6-0 5-0 6-5 6-1 4-1")
    assert "FISH_MADE" not in kinds(play(state, "1 6-4 R"))
    assert (state.left, state.right) == (6, 6)
    assert moves(state, 2) == [("6-3", "L"), ("6-3", "R")]


@rule("KOZ-7")
def test_all_six_without_equal_ends_are_no_fish() -> None:
    state = staged(["6-3 1-1", "4-4 2-0"], "5-0 6-5 6-1 4-1 6-4 6-2 3-2 3-3", boneyard="6-0")
    play(state, "1 6-3 R")
    assert (state.left, state.right) == (0, 6)
    state = staged(["6-0 1-1", "4-4 2-0"], "5-0 6-5 6-1 4-1 6-4 6-2 3-2 6-3 6-6", boneyard="3-0")
    play(state, "1 6-0 R")
    assert (state.left, state.right, state.ending) == (0, 0, Ending.NOT_YET), "both ends show 0, of which tiles are out"


@rule("KOZ-7")
def test_the_number_of_a_fish_has_all_its_tiles_on_the_table_or_its_double_alone_is_left() -> None:
    state = staged(["6-3 1-1", "2-2 2-0", "3-0"], SIXES)
    play(state, "1 6-3 R")
    sixes = [f"6-{other}" for other in range(6)]
    assert set(sixes) <= set(tiles_text(state.chain).split())


@rule("KOZ-3", "KOZ-7")
@pytest.mark.parametrize("rule_set", [ON_ALL, ON_ONE])
def test_who_made_the_fish_leads_the_next_round(rule_set) -> None:
    state = staged(["3-0", "6-3 1-1", "2-2 2-0"], SIXES, rule_set, to_act=2)
    play(state, "2 6-3 R")
    setup = next_round(state, shuffler(random.Random(2)))
    assert setup is not None
    assert setup.leader_seat == 2


# --- counting and scoring -------------------------------------------------------------------------------


def after(rule_set, accounts, counts, ending=Ending.OUT, winner=0, carry=0):
    """Accounts and carry after a round that ended so."""
    result = list(accounts)
    for entry in entries_of(rule_set, tuple(accounts), carry, ending, winner, tuple(counts)):
        if entry.player < 0:
            carry = entry.total
        elif entry.kind is EventKind.CARRY_GIVEN:
            carry = 0
        elif entry.kind in (EventKind.POINTS_REMEMBERED, EventKind.REMEMBERED_CLEARED):
            result[entry.player] = remembers(entry.total)
        else:
            result[entry.player] = has(entry.total)
    return result, carry


@rule("KOZ-8")
@pytest.mark.parametrize(
    ("hand", "count"), [("6-5 1-0", 12), ("0-0", 10), ("0-0 1-0", 1), ("1-0 0-0", 1), ("", 0), ("6-6 5-5 0-0", 22)]
)
def test_a_hand_counts_its_pips_and_the_lone_blank_ten(hand: str, count: int) -> None:
    assert count_of(parse_tiles(hand), ON_ALL) == count


@rule("KOZ-8", "KOZ-9")
def test_the_lone_blank_in_a_round() -> None:
    state = staged(["6-5", "0-0", "1-0 2-1"], "5-5")
    events = play(state, "1 6-5 L")
    assert [event.points for event in only(events, EventKind.HAND_COUNTED)] == [0, 10, 4]
    assert state.accounts == [EMPTY_ACCOUNT, remembers(10), remembers(4)]


@rule("KOZ-9", "KOZ-10")
@pytest.mark.parametrize(
    ("account", "points", "becomes"),
    [
        (remembers(0), 3, remembers(3)),  # nothing, 3 left -> +3
        (remembers(7), 13, has(20)),  # +7, 13 left -> 20 open
        (remembers(4), 5, remembers(9)),  # +4, 5 left -> +9
        (remembers(0), 12, remembers(12)),  # 12 remembers
        (remembers(0), 13, has(13)),  # 13 opens
        (remembers(11), 12, remembers(23)),  # remembered points may pass 12
        (remembers(23), 1, remembers(24)),
        (remembers(24), 13, has(37)),
        (has(20), 1, has(21)),  # from then on every point counts at once
        (has(20), 50, has(70)),
        (has(100), 40, has(140)),
    ],
)
def test_remembered_and_open_accounts(account, points: int, becomes) -> None:
    assert after(ON_ALL, (EMPTY_ACCOUNT, account), (0, points))[0][1] == becomes
    assert after(ON_ALL, (EMPTY_ACCOUNT, account), (60, points), Ending.FISH)[0][1] == becomes


@rule("KOZ-9", "KOZ-10")
def test_events_say_what_is_remembered_and_what_opens() -> None:
    state = staged(["6-5", "3-0", "6-6 1-0"], "5-5", accounts=(has(20), remembers(7), remembers(7)))
    events = play(state, "1 6-5 L")
    scored = [(e.kind.name, e.rule, e.seat, e.points, e.total) for e in events if 12 < e.kind < 17]
    assert scored == [("POINTS_REMEMBERED", "KOZ-9", 2, 3, 10), ("ACCOUNT_OPENED", "KOZ-10", 3, 13, 20)]
    assert state.accounts == [has(20), remembers(10), has(20)]


@rule("KOZ-11")
def test_going_out_clears_remembered_points_and_leaves_an_open_score() -> None:
    assert after(ON_ALL, (remembers(19), EMPTY_ACCOUNT), (0, 3))[0][0] == EMPTY_ACCOUNT  # remembered 19, out -> 0
    assert after(ON_ALL, (has(19), EMPTY_ACCOUNT), (0, 3))[0][0] == has(19)
    state = staged(["6-5", "3-0"], "5-5", accounts=(remembers(19), EMPTY_ACCOUNT))
    (cleared,) = only(play(state, "1 6-5 L"), EventKind.REMEMBERED_CLEARED)
    assert (cleared.seat, cleared.points, cleared.total, cleared.rule) == (1, 19, 0, "KOZ-11")


@rule("KOZ-11")
def test_others_remembered_points_stay_when_somebody_goes_out() -> None:
    accounts = after(ON_ONE, (EMPTY_ACCOUNT, remembers(5), remembers(6)), (0, 3, 4))[0]
    assert accounts == [EMPTY_ACCOUNT, remembers(8), remembers(10)]


@rule("KOZ-12")
def test_on_all_every_player_scores_his_own_hand() -> None:
    accounts = after(ON_ALL, (EMPTY_ACCOUNT, remembers(7), has(20), EMPTY_ACCOUNT), (2, 13, 5, 14), Ending.FISH)[0]
    assert accounts == [remembers(2), has(20), has(25), has(14)]


@rule("KOZ-12")
def test_on_all_the_maker_of_the_fish_is_not_out() -> None:
    state = staged(["6-3 1-1", "2-2 2-0", "3-0"], SIXES, accounts=(remembers(19), EMPTY_ACCOUNT, EMPTY_ACCOUNT))
    play(state, "1 6-3 R")
    assert state.accounts == [remembers(21), remembers(6), remembers(3)]


FOUR = ("1-1", "3-0", "5-4 2-2", "2-0 2-1")
"""Hands of 2, 3, 13 and 5 beside SIXES."""


@rule("KOZ-13")
@pytest.mark.parametrize(("before", "becomes"), [(EMPTY_ACCOUNT, has(23)), (remembers(7), has(30)), (has(50), has(73))])
def test_on_one_the_highest_hand_is_credited_all_hands(before, becomes) -> None:
    """Fish on one with hands 2, 3, 13, 5 -> 23, with +7 -> 30."""
    accounts = (EMPTY_ACCOUNT, remembers(6), before, has(40))
    state = staged([f"6-3 {FOUR[0]}", *FOUR[1:]], SIXES, ON_ONE, accounts)
    events = play(state, "1 6-3 R")
    assert [event.points for event in only(events, EventKind.HAND_COUNTED)] == [2, 3, 13, 5]
    assert state.accounts == [EMPTY_ACCOUNT, EMPTY_ACCOUNT, becomes, has(40)]
    (cleared,) = only(events, EventKind.REMEMBERED_CLEARED)
    assert (cleared.seat, cleared.points, cleared.rule) == (2, 6, "KOZ-13")


@rule("KOZ-13")
def test_on_one_a_small_sum_is_remembered_like_any_other() -> None:
    assert after(ON_ONE, (remembers(4), remembers(5)), (7, 5), Ending.FISH)[0] == [remembers(16), EMPTY_ACCOUNT]
    assert after(ON_ONE, (remembers(4), has(5)), (7, 6), Ending.FISH)[0] == [has(17), has(5)]


@rule("KOZ-13")
def test_on_one_the_maker_may_be_the_one() -> None:
    assert after(ON_ONE, (remembers(4), remembers(2)), (20, 5), Ending.FISH, winner=0)[0] == [has(29), EMPTY_ACCOUNT]


TIED = ("1-1", "5-5 4-0", "5-4 3-1 1-0", "2-0 2-1")
"""Hands of 2, 14, 14 and 5 beside SIXES."""


@rule("KOZ-14")
def test_a_tie_under_on_one_carries_the_sum_and_clears_nobody() -> None:
    """Hands 14, 14, 2, 5 tied -> carry 35."""
    accounts = (remembers(3), EMPTY_ACCOUNT, has(50), remembers(9))
    state = staged([f"6-3 {TIED[0]}", *TIED[1:]], SIXES, ON_ONE, accounts)
    events = play(state, "1 6-3 R")
    (carried,) = only(events, EventKind.SUM_CARRIED)
    assert (carried.seat, carried.points, carried.total, carried.rule) == (0, 35, 35, "KOZ-14")
    assert tuple(state.accounts) == accounts
    assert state.carry == 35


@rule("KOZ-14")
def test_a_carry_over_two_rounds_opens_an_account() -> None:
    """Two tied fishes carry 35 and 35; then somebody goes out, and one pip with the carry on top opens an account."""
    state = staged([f"6-3 {TIED[0]}", *TIED[1:]], SIXES, ON_ONE)
    play(state, "1 6-3 R")
    setup = next_round(state, shuffler(random.Random(3)))
    assert setup is not None
    assert setup.carry == 35
    state = staged([f"6-3 {TIED[0]}", *TIED[1:]], SIXES, ON_ONE, setup.accounts, setup.carry)
    (carried,) = only(play(state, "1 6-3 R"), EventKind.SUM_CARRIED)
    assert (carried.points, carried.total) == (35, 70)
    state = staged(["6-5", "1-0", "0-0 2-0"], "5-5", ON_ONE, (remembers(2), remembers(4), has(9)), state.carry)
    events = play(state, "1 6-5 L")
    (given,) = only(events, EventKind.CARRY_GIVEN)
    assert (given.seat, given.points, given.rule) == (3, 70, "KOZ-14")
    assert state.accounts == [EMPTY_ACCOUNT, remembers(5), has(81)]
    assert state.carry == 0


@rule("KOZ-14", "KOZ-10")
def test_the_carry_is_part_of_the_sum_that_opens() -> None:
    assert after(ON_ONE, (EMPTY_ACCOUNT, remembers(4)), (0, 2), carry=11)[0][1] == has(17)
    assert after(ON_ONE, (EMPTY_ACCOUNT, remembers(4)), (0, 2), carry=10)[0][1] == remembers(16)
    assert after(ON_ONE, (EMPTY_ACCOUNT, remembers(4)), (1, 2), Ending.FISH, carry=10)[0][1] == has(17)


@rule("KOZ-14")
def test_a_round_without_a_single_highest_keeps_the_carry() -> None:
    accounts, carry = after(ON_ONE, (EMPTY_ACCOUNT, remembers(4), has(20)), (0, 5, 5), carry=35)
    assert (accounts, carry) == ([EMPTY_ACCOUNT, remembers(9), has(25)], 35)


@rule("KOZ-14")
def test_a_fish_with_a_single_highest_takes_the_carry() -> None:
    accounts, carry = after(ON_ONE, (EMPTY_ACCOUNT, remembers(4), has(20)), (3, 5, 9), Ending.FISH, carry=35)
    assert (accounts, carry) == ([EMPTY_ACCOUNT, EMPTY_ACCOUNT, has(72)], 0)


@rule("KOZ-14")
def test_a_carry_lapses_at_the_end_of_the_game() -> None:
    state = staged(["6-5", "3-0 2-0", "4-1"], "5-5", ON_ONE, (EMPTY_ACCOUNT, has(97), has(20)), carry=35)
    events = play(state, "1 6-5 L")
    assert state.accounts == [EMPTY_ACCOUNT, has(102), has(25)]
    (lapsed,) = only(events, EventKind.CARRY_LAPSED)
    assert (lapsed.points, lapsed.rule) == (35, "KOZ-14")
    assert state.carry == 0


@rule("KOZ-14")
def test_only_on_one_has_a_carry() -> None:
    with pytest.raises(SetupRefusedError) as refused:
        opened(PLAIN, carry=1)
    assert refused.value.rule == "KOZ-14"


# --- the end of a game ----------------------------------------------------------------------------------


@rule("KOZ-15")
@pytest.mark.parametrize(("score", "over"), [(97, False), (98, True), (100, True)])
def test_the_game_ends_when_an_open_score_reaches_101(score: int, over: bool) -> None:
    state = staged(["6-5", "3-0", "4-1"], "5-5", accounts=(has(30), has(score), remembers(12)))
    events = play(state, "1 6-5 L")
    assert state.game_has_ended() is over
    assert (next_round(state, shuffler(random.Random(4))) is None) is over
    assert [event.seat for event in only(events, EventKind.GAME_LOST)] == [2] * over
    assert state.accounts[1] == has(score + 3)


@rule("KOZ-15")
def test_remembered_points_end_no_game() -> None:
    state = staged(["6-5", "3-0", "4-1"], "5-5", accounts=(EMPTY_ACCOUNT, remembers(99), EMPTY_ACCOUNT))
    play(state, "1 6-5 L")
    assert state.accounts[1] == remembers(102)
    assert not state.game_has_ended()


@rule("KOZ-15", "KOZ-16")
def test_two_players_over_101_in_one_round_and_the_highest_loses() -> None:
    state = staged(["6-5", "3-0", "4-1 1-1"], "5-5", accounts=(has(30), has(100), has(98)))
    events = play(state, "1 6-5 L")
    assert state.accounts == [has(30), has(103), has(105)]
    assert [event.seat for event in only(events, EventKind.GAME_LOST)] == [3]
    assert state.lost == (2,)
    assert state.ratings == [7, 0, 0]


@rule("KOZ-15")
def test_ties_lose_together() -> None:
    state = staged(["6-5", "3-0", "4-1"], "5-5", accounts=(has(30), has(100), has(98)))
    events = play(state, "1 6-5 L")
    assert state.accounts == [has(30), has(103), has(103)]
    assert [event.seat for event in only(events, EventKind.GAME_LOST)] == [2, 3]
    assert {event.rule for event in only(events, EventKind.GAME_LOST)} == {"KOZ-15"}


@rule("KOZ-16")
@pytest.mark.parametrize(
    ("score", "rating"),
    [
        *((25, 8), (75, 3), (95, 1)),  # the worked values: half up, not banker's rounding
        *((5, 10), (15, 9), (35, 7), (55, 5)),
        *((0, 10), (4, 10), (6, 9), (94, 1), (96, 0), (100, 0), (105, 0), (106, 0), (300, 0)),
    ],
)
def test_ratings_are_rounded_half_up_and_never_below_nothing(score: int, rating: int) -> None:
    assert rating_of(score) == rating


@rule("KOZ-16")
def test_ratings_after_a_finished_game() -> None:
    state = staged(["6-5", "3-0", "4-1", "1-1"], "5-5", accounts=(has(25), has(98), remembers(90), has(73)))
    events = play(state, "1 6-5 L")
    rated = [(event.seat, event.points, event.total, event.rule) for event in only(events, EventKind.RATED)]
    assert rated == [(1, 8, 25, "KOZ-16"), (2, 0, 101, "KOZ-16"), (3, 10, 0, "KOZ-16"), (4, 3, 75, "KOZ-16")]


@rule("KOZ-16", "KOZ-17")
@pytest.mark.parametrize(
    ("own", "late", "rating"),
    [(30, 32, 1), (13, 32, 2), (32, 32, 1), (100, 0, 1), (0, 100, 10), (17, 32, 2), (18, 32, 1), (0, 95, 10)],
)
def test_ratings_after_a_time_out(own: int, late: int, rating: int) -> None:
    """Time-out at 32: a player at 30 gets 1, at 13 gets 2."""
    assert timeout_rating_of(own, late) == rating


@rule("KOZ-16", "KOZ-17")
def test_a_time_out_ends_the_game_at_once_and_the_round_is_not_scored() -> None:
    accounts = (has(32), has(30), has(13), remembers(40))
    state = staged(["6-5 0-0", "3-0", "4-1", "1-1"], "5-5", ON_ONE, accounts, carry=35)
    ruling = propose(state, Proposal(1, ActionKind.TIMEOUT))
    assert (ruling.accepted, ruling.rule) == (True, "KOZ-17")
    assert kinds(ruling.events) == ["TIMED_OUT", "CARRY_LAPSED", *["RATED"] * 4, "ROUND_ENDED"]
    assert state.ratings == [0, 1, 2, 3]
    assert tuple(state.accounts) == accounts
    assert state.game_has_ended()
    assert next_round(state, shuffler(random.Random(5))) is None
    assert state.lost == ()


@rule("KOZ-17")
def test_only_who_has_a_decision_can_be_out_of_time() -> None:
    state = staged(["6-5 0-0", "3-0"], "5-5")
    refused = propose(state, Proposal(2, ActionKind.TIMEOUT))
    assert refused.reason is not None
    assert refused.reason.name == "OUT_OF_TURN"


@rule("KOZ-17")
def test_a_time_out_before_the_first_tile() -> None:
    state = opened(PLAIN)
    ruling = propose(state, Proposal(1, ActionKind.TIMEOUT))
    assert ruling.accepted
    assert state.ratings == [0, 1]


# --- rule sets ------------------------------------------------------------------------------------------


@rule("KOZ-7", "KOZ-12", "KOZ-13")
def test_the_published_rule_sets_are_those_of_the_rulebook() -> None:
    assert [(one.full_name, one.fish.name, one.fish_scoring.name) for one in RULE_SETS] == [
        ("kozel/on-all@1", "STRUCTURAL", "ON_ALL"),
        ("kozel/on-one@1", "STRUCTURAL", "ON_ONE"),
    ]
    assert find_rule_set("kozel/on-one@1") is ON_ONE
    with pytest.raises(KeyError):
        find_rule_set("kozel/on-one@2")


def test_rule_sets_have_a_canonical_encoding_and_a_hash() -> None:
    assert ON_ALL.canonical() == (
        b'{"ends_at":101,"fish":"STRUCTURAL","fish_scoring":"ON_ALL","hand_tiles":7,"highest":6,"lone_blank":10,'
        b'"name":"kozel/on-all","redeal_bearing":6,"redeal_doubles":5,"remembered_to":12,"version":1}'
    )
    assert ON_ALL.sha256() == "8792e06f47aba3c6d88af239b1a0a5c2d9fa77c9fbecaa85340ef2754122a453"
    for one, other in combinations(EVERY_RULE_SET, 2):
        assert one.sha256() != other.sha256()


@pytest.mark.parametrize(
    ("changed", "decides"),
    [
        ({"ends_at": 100}, "KOZ-1"),  # a published name with other options
        ({"name": "x", "highest": 8}, "KOZ-1"),
        ({"name": "x", "highest": 5}, "KOZ-1"),  # a chain could block that is no fish
        ({"name": "x", "hand_tiles": 15}, "KOZ-1"),
        ({"name": "x", "redeal_doubles": 0}, "KOZ-2"),
        ({"name": "x", "ends_at": 0}, "KOZ-15"),
        ({"name": "x", "fish": 3}, "KOZ-7"),
        ({"name": "x", "fish_scoring": 3}, "KOZ-12"),
    ],
)
def test_rule_sets_out_of_range_are_refused(changed, decides: str) -> None:
    rule_set = replace(ON_ALL, **changed)
    with pytest.raises(SetupRefusedError) as refused:
        open_round(RoundSetup(rule_set, (1, 2), (deck_of(PLAIN),), (EMPTY_ACCOUNT,) * 2))
    assert refused.value.rule == decides


@pytest.mark.parametrize(
    ("changed", "decides"),
    [
        ({"seats": (1, 1)}, "KOZ-1"),
        ({"seats": (0, 1)}, "KOZ-1"),
        ({"leader_seat": 3}, "KOZ-3"),
        ({"accounts": (EMPTY_ACCOUNT,)}, "KOZ-9"),
        ({"accounts": (EMPTY_ACCOUNT, remembers(-1))}, "KOZ-9"),
        ({"accounts": (EMPTY_ACCOUNT, has(101))}, "KOZ-15"),
        ({"accounts": (EMPTY_ACCOUNT, has(5)._replace(remembered=3))}, "KOZ-10"),
        ({"accounts": (EMPTY_ACCOUNT, has(5)._replace(is_open=False))}, "KOZ-10"),
        ({"carry": -1}, "KOZ-14"),
        ({"decks": ()}, "KOZ-1"),
        ({"hand_id": "x" * 201}, "BET-9"),
    ],
)
def test_setups_out_of_range_are_refused(changed, decides: str) -> None:
    setup = RoundSetup(ON_ALL, (1, 2), (deck_of(PLAIN),), (EMPTY_ACCOUNT,) * 2)
    with pytest.raises(SetupRefusedError) as refused:
        open_round(replace(setup, **changed))
    assert refused.value.rule == decides
    assert str(refused.value).startswith(f"{decides}: ")


def test_texts_of_tiles() -> None:
    for number, text in enumerate(TILE_TEXTS):
        assert parse_tile(text) == number
    assert parse_tile("?-?") == -1
    for bad in ("5-6", "7-0", "65", "", "6-5 "):
        with pytest.raises(ValueError, match="is not a tile"):
            parse_tile(bad)


def test_no_decision_without_a_turn() -> None:
    state = opened(PLAIN)
    assert legal_options(state, 2) is None
    assert legal_options(state, 9) is None
    assert options(state, 1).decision_id == 1
