"""Every case of the shared collection: situations from bug reports, ruling threads, rule-book examples, real hands.

Cases whose actions are data are played through the engine and compared with all that their ``right`` says. Cases told
in words are written out below, one function each. Cases of rules that are not built yet would be skipped by name.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from referee.rules.cards import UNKNOWN
from referee.rules.events import EventKind
from referee.rules.hand import legal_options, open_seats, propose
from referee.rules.pots import shares
from referee.rules.ranking import CLASS_NAMES, hand_class_of, strength
from referee.rules.ruleset import (
    HOLDEM,
    IRISH,
    IRISH_BEFORE_FLOP_BETTING,
    AnteKind,
    ButtonRule,
    CapHeadsUp,
    RuleSetError,
    ShowdownOrder,
)
from referee.rules.rulings import ActionKind, Proposal, Reason
from referee.rules.settlement import settlement
from referee.rules.setup import NOBODY, Post
from referee.rules.showdown import pots_of, showdown_order
from referee.rules.state import Hand, Phase, encode
from referee.table.clocks import ClockRules, is_late
from referee.table.positions import Positions, clockwise_from, first_positions, next_positions
from tests.support import (
    FL,
    NL,
    PL,
    cards,
    check_down,
    hand_of,
    happened,
    options,
    play,
    proposal_of,
    refused,
    rules,
    shared_folder,
    stacks_of,
    to_act,
    wager,
)

rule = pytest.mark.rule

AWAITED: dict[str, str] = {}
"""Cases of rules that are not built yet, by the rule they wait for."""

LIMITS = {"NL": NL, "PL": PL, "FL": FL, "any": NL}
CLASSES = {"quads": "four of a kind"}


@cache
def all_cases() -> dict[str, dict]:
    path = shared_folder() / "cases" / "cases.jsonl"
    if not path.is_file():
        return {}
    return {case["id"]: case for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def is_played(case: dict) -> bool:
    """Whether the actions are data, so that the case plays by itself; showdowns told in one sentence do too."""
    return all(isinstance(action, dict) for action in case["actions"]) or is_showdown(case)


def is_showdown(case: dict) -> bool:
    return case["actions"] == ["all players reach showdown"]


IDS = sorted(all_cases()) or [
    pytest.param("none", marks=pytest.mark.skip(f"no cases.jsonl in {shared_folder() / 'cases'} (set REFEREE_SHARED)"))
]


@pytest.mark.parametrize("case_id", IDS)
def test_case(case_id: str) -> None:
    if case_id in AWAITED:
        pytest.skip(f"awaits {AWAITED[case_id]}")
    case = all_cases()[case_id]
    if case_id in WORDS:
        WORDS[case_id](case)
    else:
        play_case(case)


def test_every_case_is_played_or_written_out_or_awaited(shared_cases: object) -> None:
    cases = all_cases()
    assert len(cases) == 102
    told_in_words = {case_id for case_id, case in cases.items() if not is_played(case)}
    assert told_in_words == set(WORDS) | set(AWAITED)
    assert not set(WORDS) & set(AWAITED)


def test_every_field_of_what_is_right_is_compared(shared_cases: object) -> None:
    for case_id, case in all_cases().items():
        if is_played(case) and case_id not in AWAITED:
            assert set(case["right"]) <= COMPARED | {"text"}, case_id


# --- cases that play by themselves ----------------------------------------------------------------------

COMPARED = {
    "next_to_act",
    "must_reject",
    "actor",
    "pots",
    "uncalled_returned",
    "payouts",
    "final_stacks",
    "awards",
    "winners",
    "best_hands",
    "first_to_show",
    "pot",
    "payout_each",
    "odd",
}


def hand_of_case(case: dict, **options: object) -> Hand:
    """The hand of a case before its actions."""
    game, blinds = case["game"], case["blinds"] or {}
    stacks = {player["seat"]: player.get("stack", 1000) for player in case["players"]}
    button = case["button"] or max(stacks)
    holes = {int(name[1:]): text for name, text in case.get("cards", {}).get("hole", {}).items()}
    for action in case["actions"]:
        if isinstance(action, dict) and action["op"] == "discard":
            # Hole cards of an Irish player are the named ones and the ones discarded.
            gone = " ".join("??" if card == "hidden" else card for card in action["cards"])
            holes[action["seat"]] = (holes.get(action["seat"], "?? ??" if "?" in gone else "") + " " + gone).strip()
    unit = {"ante_kind": AnteKind.EACH, "ante": blinds["ante"]} if blinds.get("ante") else {}
    limit = LIMITS[game["limit"]]
    if limit == FL:
        unit |= {"small_bet": game["small"], "big_bet": game["big"]}
    if "sb_seat" in blinds and blinds["sb_seat"] is None:
        options["small_blind_seat"] = NOBODY
    hand = hand_of(
        stacks,
        rules(
            IRISH if game["variant"] == "irish" else HOLDEM,
            showdown_order=options.pop("showdown_order", ShowdownOrder.WALK_BACK),
            cap_heads_up=CapHeadsUp.UNCAPPED if game.get("hu_uncapped") else CapHeadsUp.CAPPED,
        ),
        limit,
        blinds=(blinds.get("sb", 1), blinds.get("bb", 2)),
        button=button,
        holes=holes,
        board=case.get("cards", {}).get("board", ""),
        posts=[Post(int(seat), post["live"], post["dead"]) for seat, post in blinds.get("posts", {}).items()],
        **options,
        **unit,
    )
    for key in ("sb_seat", "bb_seat"):
        if blinds.get(key):
            name = "small_blind_seat" if key == "sb_seat" else "big_blind_seat"
            assert getattr(hand.setup, name) == blinds[key], f"the case's {key} is not where the rulebook puts it"
    return hand


def words_of(action: dict) -> str:
    if action["op"] == "discard":
        return f"p{action['seat']} discard " + " ".join("??" if card == "hidden" else card for card in action["cards"])
    return f"p{action['seat']} {action['op']} {action.get('to', '')}".rstrip()


def play_case(case: dict) -> None:
    right = case["right"]
    hand = hand_of_case(case)
    events = []
    for action in case["actions"]:
        if isinstance(action, dict):
            streets = ("preflop", "flop", "turn", "river")
            if action["street"] in streets:
                assert hand.street == streets.index(action["street"])
            else:
                assert hand.phase == Phase.DISCARDING
            events += play(hand, words_of(action))
    compare_next(hand, right)
    for wrong in right.get("must_reject", ()):
        refused(hand, words_of(wrong))
    if any(key in right for key in ("final_stacks", "winners", "first_to_show", "payouts")):
        events += check_down(hand)
        compare_result(case, hand, events)


def compare_next(hand: Hand, right: dict) -> None:
    if "actor" in right:
        assert open_seats(hand) == (right["actor"],)
    expected = right.get("next_to_act")
    if expected is None:
        return
    assert open_seats(hand) == (expected["seat"],)
    choice = options(hand)
    assert choice.check == expected["can_check"]
    assert choice.call == expected["to_call"]
    assert (choice.max_to > 0) == expected["can_raise"]
    if expected["can_raise"]:
        assert (choice.min_to, choice.max_to) == (expected["min_raise_to"], expected["max_raise_to"])
    if not choice.check:
        assert choice.fold


def compare_result(case: dict, hand: Hand, events: list) -> None:
    right = case["right"]
    if hand.phase != Phase.OVER and UNKNOWN in hand.board:
        pytest.fail("the case leaves out a card that decides")
    said = settlement(hand)
    if "final_stacks" in right:
        assert {f"p{seat}": stack for seat, stack in stacks_of(hand).items()} == right["final_stacks"]
    if "pots" in right:
        found = [(pot.amount, set(pot.eligible)) for pot in said.pots]
        assert found == [(pot["amount"], set(pot["eligible"])) for pot in right["pots"]]
    if "awards" in right:
        found = [(pot.amount, pot.winners) for pot in said.pots]
        # In the order of odd chips where a case has any, so as a set otherwise.
        assert [(amount, set(winners)) for amount, winners in found] == [
            (award["amount"], set(award["winners"])) for award in right["awards"]
        ]
    if "payouts" in right:
        assert {f"p{line.seat}": line.won for line in said.players if line.won} == right["payouts"]
    returned = {f"p{line.seat}": line.returned for line in said.players if line.returned}
    if "final_stacks" in right:
        assert returned == right.get("uncalled_returned", returned)
        events_returned = {f"p{event.seat}": event.amount for event in happened(events, EventKind.BET_RETURNED)}
        assert events_returned == returned
    if "winners" in right:
        winners = {f"p{seat}" for pot in said.pots for seat in pot.winners}
        assert winners == set(right["winners"])
    for name, best in right.get("best_hands", {}).items():
        line = next(line for line in said.hands if f"p{line.seat}" == name)
        assert set(line.best_five) == set(cards(best["five"]))
        kept = hand.kept[hand.index_of(line.seat)]
        found = CLASS_NAMES[hand_class_of(strength(kept + hand.board))]
        assert found == CLASSES.get(best["cls"], best["cls"])
    if "payout_each" in right:
        paid = shares(right["pot"], tuple(range(len(right["winners"]))), 1)
        assert min(paid) == right["payout_each"]
        assert sum(share - min(paid) for share in paid) == right["odd"]
    for way, first in right.get("first_to_show", {}).items():
        order = ShowdownOrder.WALK_BACK if way == "full_tilt_walk_back" else ShowdownOrder.FINAL_ROUND
        again = hand_of_case(case, showdown_order=order)
        for action in case["actions"]:
            play(again, words_of(action))
        check_down(again)
        assert f"p{again.setup.seats[showdown_order(again)[0]]}" == first
        assert f"p{settlement(again).hands[0].seat}" == first


def test_uncapped_heads_up_case_is_refused_when_capped(shared_cases: object) -> None:
    """FL07 says so of its own option."""
    case = json.loads(json.dumps(all_cases()["FL07"]))
    case["game"]["hu_uncapped"] = False
    hand = hand_of_case(case)
    for action in case["actions"]:
        play(hand, words_of(action))
    assert refused(hand, "p2 raise 100").reason == Reason.RAISES_CAPPED


def test_the_room_took_half_a_unit_of_rake_in_the_irish_hand(shared_cases: object) -> None:
    """UB03 leaves the recorded rake out; with it 199.50 of 200.00 are paid."""
    case = all_cases()["UB03"]
    hand = hand_of_case(case, recorded_rake=50)
    for action in case["actions"]:
        play(hand, words_of(action))
    assert hand.rake == 50
    assert {line.seat: line.won for line in settlement(hand).players} == {3: 19950, 4: 0}
    assert settlement(hand).hands == ()  # nobody shows


# --- cases told in words --------------------------------------------------------------------------------

WORDS: dict[str, Callable[[dict], None]] = {}


def written_out(case_id: str) -> Callable[[Callable[[dict], None]], Callable[[dict], None]]:
    def register(check: Callable[[dict], None]) -> Callable[[dict], None]:
        WORDS[case_id] = check
        return check

    return register


def seats_of(case: dict) -> dict[int, int]:
    return {player["seat"]: player.get("stack", 1000) for player in case["players"]}


@written_out("OC03")
def three_way_tie_for_1060(case: dict) -> None:
    """A three-way tie for one pot of 1,060 at seats 4, 5 and 6, the button at seat 2."""
    right = case["right"]["payouts"]
    assert shares(1060, (4, 5, 6), 1) == [right["p4"], right["p5"], right["p6"]]
    tie = {4: "2c 3d", 5: "2d 3h", 6: "2h 3s"}
    stacks = {4: 500, 5: 500, 6: 500, 2: 500}
    hand = hand_of(stacks, button=2, blinds=(5, 10), holes=tie, board="Ah Kd Qc Js Th")
    # 350 from each of the three and 10 of the button make the pot.
    play(hand, "p6 call, p2 call, p4 raise 350, p5 call, p6 call, p2 fold")
    assert [pot.amount for pot in pots_of(hand)] == [1060]
    check_down(hand)
    won = {f"p{line.seat}": line.won for line in settlement(hand).players if line.won}
    assert won == right


@written_out("BU09")
def blinds_run_clockwise_from_the_button(case: dict) -> None:
    right = case["right"]
    hand = hand_of(seats_of(case), button=case["button"])
    assert (hand.setup.small_blind_seat, hand.setup.big_blind_seat) == (right["sb_seat"], right["bb_seat"])
    assert to_act(hand) == right["first_to_act"]
    # Blinds on the other side of the button are refused.
    with pytest.raises(RuleSetError, match="BLIND-1"):
        Hand(replace(hand.setup, small_blind_seat=1, big_blind_seat=4))
    with pytest.raises(RuleSetError):
        Hand(replace(hand.setup, seats=(1, 4, 3, 2)))
    play(hand, "p1 call, p2 call, p3 call, p4 check")
    assert to_act(hand) == right["flop_first"]


@written_out("LK01")
def a_muck_carries_no_cards(case: dict) -> None:
    holes = {1: "As Ad", 2: "Kc Kh", 3: "Qc Qh"}
    hand = hand_of(seats_of(case), button=case["button"], holes=holes, board="2c 7d 9h Js 4s")
    events = play(hand, "p3 call, p1 call, p2 check, p1 check, p2 check, p3 check, p1 bet 20, p2 call, p3 fold")
    events += check_down(hand)
    assert [(event.seat, event.cards) for event in happened(events, EventKind.HAND_MUCKED)] == [(2, ())]
    public = [event for event in events if event.kind not in (EventKind.HOLE_DEALT, EventKind.DISCARDED)]
    hidden = {*cards(holes[2]), *cards(holes[3])}
    assert not any(hidden & {*event.cards} for event in public)
    # The folded hand is never shown, not even by its owner; the mucked one only by its owner.
    assert refused(hand, "p3 show").reason == Reason.NOTHING_TO_SHOW
    play(hand, "p2 show")


@written_out("LK02")
def a_fold_on_the_river_shows_nothing(case: dict) -> None:
    hand = hand_of(seats_of(case), button=case["button"], blinds=(1, 2))
    play(hand, "p1 call, p2 check")
    for _ in range(2):
        play(hand, "p2 check, p1 check")
    events = play(hand, "p2 bet 10, p1 fold")
    assert happened(events, EventKind.HAND_SHOWN, EventKind.HAND_MUCKED, EventKind.BOARD_DEALT) == case["right"]["show"]
    assert not any(event.cards for event in events)
    # "Only cards already dealt": an earlier fold leaves the rest of the board undealt.
    hand = hand_of(seats_of(case), button=case["button"], blinds=(1, 2))
    play(hand, "p1 call, p2 check, p2 bet 10, p1 fold")
    assert len(hand.board) == 3


@written_out("LK03")
def a_discard_changes_nothing_that_another_seat_sees(case: dict) -> None:
    # What is sent to whom is the view's; here: nothing that seat 2 is offered depends on seat 1's cards.
    offers = []
    for gone in ("9h 9c", "2s 3s"):
        hand = hand_of(seats_of(case), IRISH, button=case["button"], holes={1: "9h 9c 2s 3s"})
        play(hand, "p1 call, p2 check, p2 check, p1 check")
        before = legal_options(hand, 2)
        ruling = propose(hand, proposal_of(hand, f"p1 discard {gone}"))
        assert [event.kind for event in ruling.events] == [EventKind.DISCARDED]
        assert legal_options(hand, 2) == before
        offers.append(legal_options(hand, 2))
    assert offers[0] == offers[1]


@written_out("RC04")
def exactly_one_player_has_the_turn(case: dict) -> None:
    hand = hand_of(seats_of(case), button=2)
    assert open_seats(hand) == (2,)
    play(hand, "p2 call")
    assert open_seats(hand) == (3,)
    assert options(hand).call == 5
    assert refused(hand, "p1 check").reason == Reason.OUT_OF_TURN
    assert refused(hand, "p2 call").reason == Reason.OUT_OF_TURN


@written_out("TO01")
def a_big_blind_out_of_time_with_nothing_owed_checks(case: dict) -> None:
    hand = hand_of(seats_of(case), button=1)
    play(hand, "p1 call, p2 call")
    ruling = propose(hand, Proposal(3, ActionKind.TIMEOUT))
    assert ruling.events[0].kind == EventKind.CHECKED
    assert ruling.rule == "TIME-2"
    assert hand.chips_in() == case["right"]["pot"]
    assert hand.live == [True] * 3
    assert hand.street == 1
    play(hand, "p2 bet 10")
    assert propose(hand, Proposal(3, ActionKind.TIMEOUT)).events[0].kind == EventKind.FOLDED


@written_out("TO03")
def an_absent_all_in_big_blind_stays_live(case: dict) -> None:
    right = case["right"]
    hand = hand_of(seats_of(case), button=case["button"], blinds=(15, 30))
    assert (hand.setup.small_blind_seat, hand.setup.big_blind_seat) == (4, 6)
    assert hand.stack[hand.index_of(6)] == 0
    play(hand, "p7 call, p1 call, p3 raise 120, p4 call")
    assert refused(hand, "p6 timeout").reason == Reason.SEAT_ALL_IN
    play(hand, "p7 call, p1 call")
    assert [pot.amount for pot in pots_of(hand)] == [right["main_pot"], right["side_before_flop"]]
    assert hand.live[hand.index_of(6)]


@written_out("IN01")
def chips_are_integers_in_the_smallest_unit(case: dict) -> None:
    # 1000.25 is given as 100025 in the smallest unit; where a chip is worth 25 such units, 100020 is refused.
    hand = hand_of({1: 100025, 2: 100000}, button=1, blinds=(500, 1000), chip_unit=25)
    play(hand, "p1 allin, p2 call")
    assert sum(hand.stack) == 200025
    assert open_seats(hand) == ()
    with pytest.raises(RuleSetError, match="BET-8"):
        hand_of({1: 100020, 2: 100000}, button=1, blinds=(500, 1000), chip_unit=25)
    for no_integer in (1000.25, "1000.25"):
        with pytest.raises((RuleSetError, TypeError)):
            hand_of({1: no_integer, 2: 1000}, button=1)


@written_out("IR06")
def the_discard_is_after_or_before_the_flop_betting(case: dict) -> None:
    stacks = seats_of(case)
    for game in (IRISH, "irish/tda@1"):
        hand = hand_of(stacks, game, FL, button=1, blinds=(1, 2))
        play(hand, "p1 call, p2 call, p3 check")
        assert hand.chips_in() == 6
        assert to_act(hand) == 2
        assert options(hand).check
        assert wager(hand) == (2, 2)
        assert refused(hand, Proposal(2, ActionKind.DISCARD, cards=hand.hole[0][:2])).reason == Reason.NO_DISCARD_ROUND
        play(hand, "p2 check, p3 check, p1 check")
        assert open_seats(hand) == (2, 3, 1)
        assert len(hand.board) == 3
        check_down(hand)
    for game in (IRISH_BEFORE_FLOP_BETTING, "irish/french-limit@1"):
        hand = hand_of(stacks, game, FL, button=1, blinds=(1, 2))
        play(hand, "p1 call, p2 call, p3 check")
        assert hand.chips_in() == 6
        assert open_seats(hand) == (2, 3, 1)
        assert refused(hand, "p2 check").reason == Reason.DISCARD_OWED
        for player, seat in enumerate(hand.setup.seats):
            assert propose(hand, Proposal(seat, ActionKind.DISCARD, cards=hand.hole[player][:2])).accepted
        assert to_act(hand) == 2
        assert wager(hand) == (2, 2)


@written_out("IR07")
def one_bet_and_three_raises_on_every_street(case: dict) -> None:
    right = case["right"]
    for game in (IRISH, IRISH_BEFORE_FLOP_BETTING):
        hand = hand_of(seats_of(case), game, FL, button=1, blinds=(1, 2))
        for street, name in enumerate(("preflop", "flop", "turn", "river")):
            discard_what_is_owed(hand)
            sizes = [2] if street == 0 else []
            while hand.street == street and to_act(hand):
                low, high = wager(hand)
                assert low == high
                if low:
                    sizes.append(low)
                    play(hand, f"p{to_act(hand)} {'raise' if hand.level else 'bet'} {low}")
                else:
                    play(hand, f"p{to_act(hand)} call")
            assert sizes == right[name]
            discard_what_is_owed(hand)
        assert hand.total == [right["max_per_player"]] * 3


def discard_what_is_owed(hand: Hand) -> None:
    while hand.phase == Phase.DISCARDING:
        choice = options(hand)
        assert propose(hand, Proposal(choice.seat, ActionKind.DISCARD, cards=choice.held[:2])).accepted


def button_moves(case: dict) -> None:
    """Who has button and blinds after somebody was eliminated, under both button rules (SEAT-1)."""
    players = tuple(player["seat"] for player in case["players"])
    before, right = case["blinds"], case["right"]
    (words,) = case["actions"]
    left = tuple(json.loads(words.split("seats still playing: ")[1]))
    stood = Positions(before["button"], before["sb"], before["bb"], tuple(clockwise_from(before["button"], players)))
    for button_rule, key in ((ButtonRule.DEAD, "dead_button"), (ButtonRule.MOVING, "moving_button")):
        found = next_positions(button_rule, stood, left)
        assert {"button": found.button, "sb": found.small_blind or None, "bb": found.big_blind} == right[key]


for moved in ("BU01", "BU02", "BU03", "BU05", "BU06"):
    written_out(moved)(button_moves)


@written_out("BU08")
def the_button_never_crawls_over_seats_that_were_empty_all_along(case: dict) -> None:
    players = tuple(player["seat"] for player in case["players"])
    for button_rule in ButtonRule:
        positions = first_positions(case["button"], players)
        buttons, big_blinds = [], []
        for _ in range(10):
            buttons.append(positions.button)
            big_blinds.append(positions.big_blind)
            positions = next_positions(button_rule, positions, players)
        assert buttons == [1, 6] * 5
        assert Counter(big_blinds) == {1: 5, 6: 5}


@written_out("TO04")
def time_is_counted_in_milliseconds_and_a_time_out_is_proposed(case: dict) -> None:
    four_seconds = 4000
    assert not is_late(ClockRules(action_ms=15_000), 0, four_seconds)
    assert not is_late(ClockRules(action_ms=4000), 0, four_seconds)
    assert is_late(ClockRules(action_ms=3999), 0, four_seconds)
    # The rules know no clock: nothing happens until the host proposes the time-out.
    hand = hand_of(seats_of(case), button=case["button"], blinds=(25, 50))
    assert open_seats(hand) == (1,)
    assert propose(hand, Proposal(1, ActionKind.TIMEOUT)).events[0].kind == EventKind.FOLDED


def test_a_hand_played_from_a_case_survives_refusals(shared_cases: object) -> None:
    """`must_reject` of every case, proposed twice, leaves the hand as it was (BET-8)."""
    for case in all_cases().values():
        if not is_played(case) or "must_reject" not in case["right"]:
            continue
        hand = hand_of_case(case)
        for action in case["actions"]:
            play(hand, words_of(action))
        before = encode(hand)
        for wrong in case["right"]["must_reject"] * 2:
            refused(hand, words_of(wrong))
        assert encode(hand) == before
