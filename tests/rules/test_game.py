"""GAME: what is played."""

import json
from dataclasses import replace

import pytest

from referee.rules.cards import CARD_TEXTS, UNKNOWN, card_text, parse_card, parse_cards
from referee.rules.events import EventKind
from referee.rules.hand import open_hand, open_seats, propose
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    PINEAPPLE,
    RULE_SETS,
    AllInExposure,
    ButtonRule,
    CapHeadsUp,
    DeckReveal,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    Game,
    LateMinimum,
    Limit,
    OpenFold,
    RuleSetError,
    ShowdownOrder,
    Stakes,
    check_rule_set,
    check_stakes,
    find_rule_set,
)
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.state import Phase
from tests.support import (
    EVERY_LIMIT,
    FL,
    NL,
    PL,
    cards,
    check_down,
    hand_of,
    happened,
    options,
    play,
    rules,
    setup_of,
    wager,
)

rule = pytest.mark.rule


def course(hand, events):
    """What a hand's table saw, in order: rounds closed, board cards, and discards."""
    names = {
        EventKind.ROUND_CLOSED: "betting",
        EventKind.DISCARDS_OPENED: "discards",
        EventKind.BOARD_DEALT: "cards",
    }
    return [names[event.kind] + "+" * len(event.cards) for event in events if event.kind in names]


@rule("GAME-1")
def test_irish_deals_four_and_discards_two_after_the_flop_betting():
    hand, opening = open_hand(setup_of([100, 100, 100], "irish/full-tilt@1"))
    assert all(len(hole) == 4 for hole in hand.hole)
    events = opening + check_down(hand)
    assert course(hand, events) == [
        *("betting", "cards+++", "betting"),
        *("discards", "cards+", "betting", "cards+", "betting"),
    ]
    assert len(happened(events, EventKind.DISCARDED)) == 3
    assert all(len(event.cards) == 2 for event in happened(events, EventKind.DISCARDED))
    assert all(len(kept) == 2 for kept in hand.kept)
    assert len(hand.board) == 5


@rule("GAME-2")
@pytest.mark.parametrize("game", [IRISH, IRISH_BEFORE_FLOP_BETTING, HOLDEM, PINEAPPLE, CRAZY_PINEAPPLE])
@pytest.mark.parametrize("limit", EVERY_LIMIT)
def test_every_game_is_played_in_every_structure(game, limit):
    hand = hand_of([100] * 3, rules(game), limit)
    assert options(hand).min_to == 20
    assert options(hand).max_to == {NL: 100, PL: 35, FL: 20}[limit]
    check_down(hand)
    assert hand.phase == Phase.OVER


@rule("GAME-2")
def test_holdem_has_two_hole_cards_and_no_discard():
    hand, opening = open_hand(setup_of([100, 100], "holdem/tda@1"))
    events = opening + check_down(hand)
    assert [len(hole) for hole in hand.hole] == [2, 2]
    assert course(hand, events) == ["betting", "cards+++", "betting", "cards+", "betting", "cards+", "betting"]


@rule("GAME-2")
def test_a_rule_set_is_played_only_in_the_structures_it_names():
    for rule_set in RULE_SETS:
        for limit in EVERY_LIMIT:
            if limit in rule_set.limits:
                check_stakes(Stakes(5, 10), rule_set, limit)
            else:
                with pytest.raises(RuleSetError, match="GAME-2"):
                    check_stakes(Stakes(5, 10), rule_set, limit)


@rule("GAME-2")
@pytest.mark.parametrize("limit", EVERY_LIMIT)
def test_a_structure_given_as_a_plain_number_is_refused_or_means_the_same(limit):
    # Never a third thing: 3 is fixed-limit, and playing it as pot-limit would be silent.
    try:
        hand, _ = open_hand(replace(setup_of([1000] * 3, limit=limit), limit=int(limit)))
    except (RuleSetError, TypeError):  # the compiled core takes no plain number at all
        return
    assert wager(hand) == wager(hand_of([1000] * 3, limit=limit))


@rule("GAME-2")
@pytest.mark.parametrize("limits", [(), (NL, NL)])
def test_a_rule_set_names_its_structures_each_once(limits):
    with pytest.raises(RuleSetError, match="GAME-2"):
        check_rule_set(rules(HOLDEM, limits=limits))


@rule("GAME-3")
@pytest.mark.parametrize(
    ("game", "hole", "discards", "point"),
    [
        (HOLDEM, 2, 0, DiscardPoint.NEVER),
        (IRISH, 4, 2, DiscardPoint.AFTER_FLOP_BETTING),
        (IRISH_BEFORE_FLOP_BETTING, 4, 2, DiscardPoint.BEFORE_FLOP_BETTING),
        (PINEAPPLE, 3, 1, DiscardPoint.BEFORE_FLOP),
        (CRAZY_PINEAPPLE, 3, 1, DiscardPoint.AFTER_FLOP_BETTING),
    ],
)
def test_the_named_games_are_this_data(game, hole, discards, point):
    assert (game.hole_cards, game.discards, game.discard_point) == (hole, discards, point)
    assert game.kept_cards == hole - discards
    if discards:
        assert game.discard_visibility == DiscardVisibility.HIDDEN


@rule("GAME-3", "DISC-1")
@pytest.mark.parametrize(
    ("point", "expected"),
    [
        (DiscardPoint.BEFORE_FLOP, ["betting", "discards", "cards+++", "betting", "cards+", "betting", "cards+"]),
        (
            DiscardPoint.BEFORE_FLOP_BETTING,
            ["betting", "cards+++", "discards", "betting", "cards+", "betting", "cards+"],
        ),
        (DiscardPoint.AFTER_FLOP_BETTING, ["betting", "cards+++", "betting", "discards", "cards+", "betting"]),
    ],
)
def test_the_discard_round_stands_at_its_point(point, expected):
    hand, opening = open_hand(setup_of([100] * 3, Game(5, 3, point, DiscardVisibility.HIDDEN)))
    found = course(hand, opening + check_down(hand))
    assert found[: len(expected)] == expected
    assert found.count("discards") == 1


@rule("GAME-3")
@pytest.mark.parametrize("point", list(DiscardPoint)[1:])
@pytest.mark.parametrize("visibility", list(DiscardVisibility))
@pytest.mark.parametrize(("hole", "discards"), [(2, 1), (3, 1), (5, 3), (6, 5)])
def test_contest_variants_are_the_same_machine_with_other_data(point, visibility, hole, discards):
    hand = hand_of([50] * 4, Game(hole, discards, point, visibility))
    events = check_down(hand)
    assert hand.phase == Phase.OVER
    assert [len(kept) for kept in hand.kept] == [hole - discards] * 4
    turned_up = happened(events, EventKind.DISCARD_SHOWN)
    assert len(turned_up) == (0 if visibility == DiscardVisibility.HIDDEN else 4)
    assert len(hand.joined) == (4 * discards if visibility == DiscardVisibility.JOINS_BOARD else 0)


@rule("GAME-3", "RANK-1")
def test_discards_that_join_the_board_count_for_everybody():
    game = Game(3, 1, DiscardPoint.BEFORE_FLOP, DiscardVisibility.JOINS_BOARD)
    hand = hand_of([100, 100], game, holes={1: "2c 3d Ah", 2: "Kh Qh 9c"}, board="Th Jh 4s 5s 8d")
    play(hand, "p2 call, p1 check, p1 discard Ah, p2 discard 9c")
    assert hand.joined == cards("Ah 9c")
    check_down(hand)
    # With his opponent's ace on the board seat 2 holds a royal flush.
    assert (hand.stack[0], hand.stack[1]) == (90, 110)


@rule("GAME-3")
@pytest.mark.parametrize(
    "game",
    [
        Game(0, 0, DiscardPoint.NEVER, DiscardVisibility.HIDDEN),
        Game(2, 2, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN),
        Game(4, -1, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN),
        Game(4, 2, DiscardPoint.NEVER, DiscardVisibility.HIDDEN),
        Game(2, 0, DiscardPoint.BEFORE_FLOP, DiscardVisibility.HIDDEN),
    ],
)
def test_impossible_games_are_refused(game):
    with pytest.raises(RuleSetError, match="GAME-3"):
        check_rule_set(rules(game))


@rule("GAME-3")
def test_there_are_no_unnamed_house_rules():
    with pytest.raises(RuleSetError, match="GAME-3"):
        check_rule_set(replace(find_rule_set("irish/full-tilt@1"), open_fold=OpenFold.ALLOW))
    with pytest.raises(RuleSetError, match="GAME-3"):
        check_rule_set(rules(HOLDEM, name=""))
    with pytest.raises(RuleSetError, match="GAME-3"):
        check_rule_set(rules(HOLDEM, version=0))


@rule("GAME-4")
def test_two_to_ten_seats_can_be_dealt_in():
    for players in range(2, 11):
        assert len(hand_of([100] * players, IRISH).stack) == players
    setup = setup_of([100, 100], IRISH)
    with pytest.raises(RuleSetError, match="GAME-4"):
        open_hand(replace(setup, seats=(1,), stacks=(100,)))
    with pytest.raises(RuleSetError, match="GAME-4"):
        open_hand(setup_of(dict.fromkeys(range(1, 12), 100), HOLDEM))


@rule("GAME-4")
@pytest.mark.parametrize(("hole", "most"), [(2, 10), (4, 10), (5, 9), (6, 7), (7, 6), (15, 3), (23, 2)])
def test_seats_times_hole_cards_and_the_board_fit_into_the_deck(hole, most):
    assert most == min(10, 47 // hole)
    game = Game(hole, 0, DiscardPoint.NEVER, DiscardVisibility.HIDDEN)
    assert rules(game).max_seats() == most
    check_down(hand_of([10] * most, game, blinds=(1, 2)))
    with pytest.raises(RuleSetError, match="GAME-4"):
        open_hand(setup_of(dict.fromkeys(range(1, most + 2), 10), game, known=False))


@rule("GAME-4")
def test_a_rule_set_that_two_players_cannot_play_is_refused():
    with pytest.raises(RuleSetError, match="GAME-4"):
        check_rule_set(rules(Game(24, 0, DiscardPoint.NEVER, DiscardVisibility.HIDDEN)))


@rule("GAME-4")
@pytest.mark.parametrize("seats", [(1, 1), (0, 1), (1, 11), (-1, 2)])
def test_seats_are_different_numbers_from_one_to_ten(seats):
    with pytest.raises(RuleSetError):
        open_hand(replace(setup_of([10, 10]), seats=seats))


@rule("GAME-5")
def test_there_are_52_cards_each_with_one_spelling():
    assert len(set(CARD_TEXTS)) == 52
    assert CARD_TEXTS[0] == "2c"
    assert CARD_TEXTS[-1] == "As"
    assert [card_text(parse_card(text)) for text in CARD_TEXTS] == list(CARD_TEXTS)
    assert parse_card("Td") // 4 == 8
    assert parse_card("??") == UNKNOWN


@rule("GAME-5")
@pytest.mark.parametrize("text", ["10h", "th", "TH", "1h", "0h", "Hh", "A", "", "Ahh", "A h", "ah", "Aa", "*h", "?h"])
def test_other_spellings_are_refused(text):
    with pytest.raises(ValueError, match="not a card"):
        parse_card(text)


@rule("GAME-5")
def test_rows_of_cards_are_read_with_and_without_spaces():
    assert parse_cards("AhKd") == parse_cards("Ah Kd") == (parse_card("Ah"), parse_card("Kd"))
    with pytest.raises(ValueError, match="row of cards"):
        parse_cards("AhK")


@rule("GAME-5")
@pytest.mark.parametrize(("first", "second"), [(0, 1), (0, 4), (5, 8), (3, 7)])
def test_a_card_twice_in_holes_or_board_is_refused(first, second):
    setup = setup_of([10, 10])
    deck = list(setup.deck)
    deck[second] = deck[first]
    with pytest.raises(RuleSetError, match="GAME-5"):
        open_hand(replace(setup, deck=tuple(deck)))


@rule("GAME-5")
@pytest.mark.parametrize("card", [52, -2, 1000])
def test_what_is_no_card_is_refused(card):
    setup = setup_of([10, 10])
    with pytest.raises(RuleSetError, match="GAME-5"):
        open_hand(replace(setup, deck=(card, *setup.deck[1:])))


@rule("GAME-5")
def test_unknown_cards_do_not_count_as_repeats():
    hand = hand_of([10, 10], IRISH, blinds=(1, 2), known=False)
    assert hand.hole[0] == (UNKNOWN,) * 4


@rule("GAME-5")
def test_a_discard_cannot_be_a_card_that_lies_elsewhere():
    hand = hand_of([100, 100], IRISH, holes={2: "Ah Kd 3c 4c"}, board="2c 7d 9h Js 4s")
    setup = replace(
        hand.setup, deck=tuple(UNKNOWN if at % 2 == 0 and at < 8 else c for at, c in enumerate(hand.setup.deck))
    )
    hand, _ = open_hand(setup)
    play(hand, "p2 call, p1 check, p1 check, p2 check")
    for taken in ("Ah", "9h"):
        ruling = propose(hand, Proposal(1, ActionKind.DISCARD, cards=cards(taken + "5c")))
        assert ruling.reason == Reason.CARD_NOT_HELD
    play(hand, "p1 discard 5c5d")
    assert hand.kept[0] == (UNKNOWN, UNKNOWN)


@rule("GAME-5")
def test_two_players_of_unknown_hands_cannot_discard_the_same_card():
    hand = hand_of([100, 100], IRISH, known=False)
    play(hand, "p2 call, p1 check, p1 check, p2 check, p1 discard AhAd")
    ruling = propose(hand, Proposal(2, ActionKind.DISCARD, cards=cards("AhKd")))
    assert not ruling.accepted
    assert open_seats(hand) == (2,)


# --- rule sets ------------------------------------------------------------------------------------------

# The rulebook's table; an option that a row does not name has its rule's default.
DEFAULTS = {
    "showdown_order": ShowdownOrder.WALK_BACK,
    "all_in_exposure": AllInExposure.ORDERED,
    "button_rule": ButtonRule.MOVING,
    "open_fold": OpenFold.REFUSE,
    "cap_heads_up": CapHeadsUp.CAPPED,
    "max_raises": 3,
    "discard_timeout": DiscardTimeout.AUTO,
    "hide_discard_progress": False,
    "deck_reveal": DeckReveal.AUDITOR,
    "late_minimum": LateMinimum.BIG_BLIND,
}
TDA = {
    "showdown_order": ShowdownOrder.FINAL_ROUND,
    "button_rule": ButtonRule.DEAD,
    "all_in_exposure": AllInExposure.TABLE_ALL,
}
FRENCH = {"all_in_exposure": AllInExposure.SHOW_ALL}
TABLE = {
    "irish/full-tilt@1": (IRISH, {NL, PL}, {}),
    "irish/french-limit@1": (IRISH_BEFORE_FLOP_BETTING, {FL}, FRENCH),
    "irish/french-minimum@1": (IRISH_BEFORE_FLOP_BETTING, {NL}, {**FRENCH, "late_minimum": LateMinimum.BIG_BET}),
    "holdem/online-limit@1": (HOLDEM, {FL}, {}),
    "irish/tda@1": (IRISH, {NL, PL, FL}, TDA),
    "holdem/tda@1": (HOLDEM, {NL, PL, FL}, TDA),
}


@rule("GAME-2", "GAME-3", "SHOW-1", "SHOW-4", "SIZE-6", "SIZE-7", "SIZE-9", "BET-3", "DISC-8")
@pytest.mark.parametrize("name", TABLE)
def test_a_published_rule_set_is_its_row_of_the_table(name):
    game, limits, named = TABLE[name]
    rule_set = find_rule_set(name)
    assert rule_set.full_name == name
    assert rule_set.game == game
    assert set(rule_set.limits) == limits
    assert {option: getattr(rule_set, option) for option in DEFAULTS} == {**DEFAULTS, **named}
    assert rule_set.max_seats() == 10
    check_rule_set(rule_set)


def test_the_table_is_complete_and_its_first_row_the_default():
    assert [rule_set.full_name for rule_set in RULE_SETS] == list(TABLE)
    with pytest.raises(KeyError):
        find_rule_set("irish/full-tilt@2")


# What a rule set means never changes under one version: then its canonical bytes do not change either.
HASHES = {
    "irish/full-tilt@1": "3dde76272db2b593ee0dc3a2a024d0b18e945da46f8f20b9602601e2f596e733",
    "irish/french-limit@1": "57a2442746b766f704e304a054b78f0bc8f38669af5ec56b33cd3daa0ac64824",
    "irish/french-minimum@1": "96cfc9733792846cc94a4fade7d2784f7947e942f3ff3df80f5a74a88a454e65",
    "holdem/online-limit@1": "88fad7d0f7d83d25daf5cb00616a498c7ad9652debc9a617bf00a0533ea7ceea",
    "irish/tda@1": "e08e372f61a14e336d6688906856c2e36588b98a1426d43f38c53a74af1b4fd4",
    "holdem/tda@1": "7bbce088f2bdf8b357ab6762d0def2b37b9393e02b624e4de59ac6a1a744a128",
}


@pytest.mark.parametrize("name", TABLE)
def test_a_rule_set_keeps_its_canonical_encoding_and_hash(name):
    rule_set = find_rule_set(name)
    plain = json.loads(rule_set.canonical())
    assert rule_set.canonical() == json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()
    assert plain["game"]["hole_cards"] == rule_set.game.hole_cards
    assert plain["limits"] == [Limit(limit).name for limit in rule_set.limits]
    assert rule_set.sha256() == HASHES[name]


def test_rule_sets_that_differ_in_one_option_have_different_hashes():
    base = find_rule_set("irish/tda@1")
    others = [replace(base, **{option: default}) for option, default in DEFAULTS.items()]
    others += [replace(base, max_raises=4), replace(base, game=HOLDEM), replace(base, limits=(NL,))]
    different = {other for other in others if other != base}
    assert len({other.sha256() for other in different} | {base.sha256()}) == len(different) + 1
