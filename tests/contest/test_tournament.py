"""Whole tournaments on the real engine: to the last chip, by the rules of seats, levels and places."""

import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.bots import make_bot
from referee.contest.tournament.levels import MINUTE_MS, LengthUnit, Level, Structure, escalator, standard
from referee.contest.tournament.playing import play_tournament
from referee.contest.tournament.standings import payouts, usual_shares
from referee.contest.tournament.tournament import (
    TournamentConfig,
    after_hands,
    begin_tournament,
    next_hands,
)
from referee.rules.ruleset import AnteKind, ButtonRule, Limit, RuleSetError, find_rule_set
from tests.support import REPOSITORY, scale

rule = pytest.mark.rule
BLITZ = standard(20, 4, levels=14)


def config_of(number=1, **changes):
    made = TournamentConfig(
        "tournament",
        find_rule_set("irish/tda@1"),
        Limit.NO_LIMIT,
        BLITZ,
        600,
        9,
        number.to_bytes(32, "big"),
    )
    return replace(made, **changes)


def bots_of(count, kinds=("always-call", "random-legal", "sound-irish")):
    return {f"bot {number}": make_bot(kinds[number % len(kinds)], number) for number in range(count)}


class Watch:
    """Looks at each round of a tournament as a floor manager would, and keeps what it needs to judge the places."""

    def __init__(self, config, entrants):
        self.chips = config.starting_stack * entrants
        self.config = config
        self.big_blind_before = {}
        self.big_blinds_at = {}
        self.out = []
        self.levels = []
        self.waited = Counter()
        self.doubled = []

    def __call__(self, before, played, after):
        sizes = [len(table.seats) for table in before.tables]
        assert max(sizes) - min(sizes) <= 1
        assert sum(sizes) == len(before.stacks)
        assert len(sizes) == -(-len(before.stacks) // self.config.seats_a_table)
        assert sum(after.stacks.values()) == self.chips, "chips are conserved"
        assert all(stack > 0 for stack in after.stacks.values())
        tables = {table.number: table for table in before.tables}
        for hand, one in played:
            setup = hand.setup
            self.levels.append((before.rounds, setup.stakes))
            assert sum(one.hand.stacks) == sum(setup.stacks)
            self._blinds(hand, tables[hand.table])
            for seat, began, ended in zip(setup.seats, setup.stacks, one.hand.stacks, strict=True):
                assert before.stacks[hand.entrants[seat]] == began
                assert after.stacks.get(hand.entrants[seat], 0) == ended
                if not ended:
                    self.out.append((before.rounds, began, hand.entrants[seat]))

    def _blinds(self, hand, table):
        """Nobody has the big blind twice running, and who is not dealt in waits where the blinds have passed."""
        setup, before = hand.setup, table.positions
        if before is not None:
            same = setup.big_blind_seat == before.big_blind
            assert not same or hand.entrants[setup.big_blind_seat] != self.big_blinds_at[hand.table]
        self.big_blinds_at[hand.table] = hand.entrants[setup.big_blind_seat]
        for seat, entrant in hand.entrants.items():
            if seat not in setup.seats:
                self.waited[entrant] += 1
                assert self.waited[entrant] <= 2, "a moved player waits until the button has gone by"
                continue
            self.waited[entrant] = 0
            has_it = seat == setup.big_blind_seat
            if has_it and self.big_blind_before.get(entrant):
                self.doubled.append(entrant)
            self.big_blind_before[entrant] = has_it


def test_the_page_on_tournaments_prints_what_it_says():
    page = (REPOSITORY / "docs" / "tournaments.md").read_text(encoding="utf-8")
    ((code, output),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=REPOSITORY)
    assert (done.stdout, done.stderr) == (output, "")


@rule("TOUR-1", "TOUR-2", "SEAT-1", "SEAT-4", "POT-7")
@pytest.mark.parametrize("seed", range(scale(2, 60)))
def test_sixty_bots_on_seven_tables_play_to_the_last_chip(seed):
    config, bots = config_of(seed), bots_of(60)
    watch = Watch(config, 60)
    result = play_tournament(config, bots, on_round=watch)
    assert len(result.places) == 60
    # The order by the rule's own words, from what was watched: later is higher, then who began with more.
    out = sorted(watch.out, key=lambda one: (one[0], one[1]), reverse=True)
    assert [place.entrant for place in result.places[1:]] == sorted(
        [entrant for *_, entrant in out],
        key=lambda entrant: next((-hand, -stack) for hand, stack, one in out if one == entrant),
    )
    for place in result.places[1:]:
        hand, stack, _ = next(one for one in out if one[2] == place.entrant)
        assert place.first == 2 + sum((other, more) > (hand, stack) for other, more, _ in out)
        assert place.last == place.first + sum((other, more) == (hand, stack) for other, more, _ in out) - 1
    assert watch.doubled == [], "not by the button, and not by a move either"
    paid = payouts(result.places, 6_000, usual_shares(60))
    assert sum(paid.values()) == 6_000


@rule("SEAT-1", "TOUR-2")
@pytest.mark.parametrize("seats_a_table", [2, 3, 6])
@pytest.mark.parametrize("name", ["irish/tda@1", "holdem/tda@1", "irish/full-tilt@1"])
@pytest.mark.parametrize("seed", range(scale(1, 20)))
def test_tables_of_any_size_under_either_button_rule(seats_a_table, name, seed):
    config = config_of(seed, rule_set=find_rule_set(name), seats_a_table=seats_a_table, starting_stack=200)
    watch = Watch(config, 17)
    result = play_tournament(config, bots_of(17, ("all-in", "always-call", "random-legal")), on_round=watch)
    assert len(result.places) == 17
    assert len(watch.out) == 16


class Chips:
    """A hand as far as a tournament asks about it: the chips after it."""

    def __init__(self, stacks):
        self.hand = self
        self.stacks = stacks


def moved_chips(setup, rng):
    """Stacks after a hand in which anything may have happened to the chips."""
    stacks = list(setup.stacks)
    for loser in range(len(stacks)):
        if rng.random() < 0.4:
            winner = rng.randrange(len(stacks))
            lost = stacks[loser] if rng.random() < 0.5 else rng.randrange(stacks[loser] + 1)
            stacks[loser] -= lost
            stacks[winner] += lost
    return tuple(stacks)


@rule("TOUR-1", "TOUR-2", "SEAT-1", "SEAT-4")
@settings(max_examples=scale(40, 1_000), deadline=None)
@given(
    entrants=st.integers(2, 80),
    seats_a_table=st.integers(2, 10),
    button_rule=st.sampled_from(ButtonRule),
    seed=st.integers(0, 2**30),
)
def test_whatever_becomes_of_the_chips_every_hand_can_be_played_at_tables_that_are_equal(
    entrants, seats_a_table, button_rule, seed
):
    rng = random.Random(seed)
    rule_set = replace(find_rule_set("holdem/tda@1"), name="test/any", button_rule=button_rule)
    config = config_of(seed, rule_set=rule_set, seats_a_table=seats_a_table, starting_stack=50)
    watch = Watch(config, entrants)
    tournament = begin_tournament(config, tuple(f"bot {number}" for number in range(entrants)))
    while not tournament.is_over:
        hands = next_hands(tournament)  # raises where positions make no hand
        played = tuple((hand, Chips(moved_chips(hand.setup, rng))) for hand in hands)
        results = {hand.table: (hand, dict(zip(hand.setup.seats, one.stacks, strict=True))) for hand, one in played}
        after = after_hands(tournament, results)
        watch(tournament, played, after)
        tournament = after
    assert len(tournament.places()) == entrants


def test_a_seed_reproduces_a_tournament_and_another_seed_another_one():
    def hands(seed):
        seen = []

        def keep(_before, played, _after):
            seen.extend([(hand.setup.hand_id, one.hand.events) for hand, one in played])

        result = play_tournament(config_of(seed), bots_of(12), on_round=keep)
        return result, seen

    assert hands(1) == hands(1)
    assert hands(1) != hands(2)


@pytest.mark.parametrize("at", [1, 7, 15])
def test_a_tournament_goes_on_from_any_round_as_if_it_had_not_stopped(at):
    kept = []
    bots = bots_of(14, ("always-call", "all-in"))  # they remember nothing
    whole = play_tournament(config_of(5), bots, on_round=lambda _before, _played, after: kept.append(after))
    stopped = next(one for one in kept if one.rounds == min(at, whole.rounds - 1))
    again = play_tournament(config_of(5), bots, resume=stopped)
    assert again.places == whole.places
    assert again.rounds == whole.rounds


@rule("TOUR-1")
def test_levels_by_hands_begin_with_the_next_hand_at_every_table():
    structure = Structure("mine", LengthUnit.HANDS, (Level(10, 20, 2), Level(20, 40, 3), Level(40, 80, 2)))
    config = config_of(structure=structure, starting_stack=100_000)
    watch = Watch(config, 12)
    tournament = begin_tournament(config, tuple(bots_of(12)))
    seen = []
    for _ in range(8):
        hands = next_hands(tournament)
        seen.append({hand.setup.stakes.big_blind for hand in hands})
        untouched = {hand.table: (hand, dict(zip(hand.setup.seats, hand.setup.stacks, strict=True))) for hand in hands}
        tournament = after_hands(tournament, untouched)
    assert seen == [{20}, {20}, {40}, {40}, {40}, {80}, {80}, {160}]
    assert watch.levels == []


@rule("TOUR-1")
def test_levels_by_minutes_ask_the_clock_that_is_given():
    structure = Structure("mine", LengthUnit.MINUTES, (Level(10, 20, 10), Level(50, 100, 10)))
    config = config_of(structure=structure)
    tournament = begin_tournament(config, tuple(bots_of(4)))
    for minutes, big_blind in ((0, 20), (9.99, 20), (10, 100), (25, 200)):
        (hand,) = next_hands(tournament, int(minutes * MINUTE_MS))
        assert hand.setup.stakes.big_blind == big_blind
    clock = iter(range(0, 10**9, 2 * MINUTE_MS))
    watch = Watch(config, 9)
    play_tournament(config, bots_of(9), elapsed_ms=lambda: next(clock), on_round=watch)
    assert {stakes.big_blind for rounds, stakes in watch.levels if rounds < 5} == {20}
    assert {stakes.big_blind for rounds, stakes in watch.levels if rounds == 5} <= {100}


@rule("TOUR-3", "BLIND-5")
@pytest.mark.parametrize("kind", list(AnteKind))
def test_escalators_with_any_ante_are_played_to_the_end(kind):
    config = config_of(structure=escalator(20, 2, levels=12, ante_kind=kind), starting_stack=400)
    watch = Watch(config, 13)
    assert len(play_tournament(config, bots_of(13), on_round=watch).places) == 13
    # Who was seated at a table and always folds would never end it, if blinds did not go on to grow.
    assert len(play_tournament(config, bots_of(3, ("always-fold",))).places) == 3


@rule("TOUR-2")
def test_two_who_are_out_in_the_same_hand_with_equal_chips_are_tied():
    config = config_of(seats_a_table=3, starting_stack=100)
    tournament = begin_tournament(config, ("a", "b", "c", "d", "e"))
    hands = {hand.table: hand for hand in next_hands(tournament)}
    three, two = hands[1], hands[2]
    winner = three.setup.seats[0]
    all_to_one = {seat: 300 if seat == winner else 0 for seat in three.setup.seats}
    unchanged = dict(zip(two.setup.seats, two.setup.stacks, strict=True))
    after = after_hands(tournament, {1: (three, all_to_one), 2: (two, unchanged)})
    losers = {three.entrants[seat] for seat in three.setup.seats if seat != winner}
    places = {one.entrant: (one.first, one.last) for one in after.places()}
    assert {places[one] for one in losers} == {(4, 5)}
    assert len(after.tables) == 1, "three players need one table"
    with pytest.raises(AssertionError, match="POT-7"):
        after_hands(tournament, {1: (three, dict.fromkeys(three.setup.seats, 300)), 2: (two, unchanged)})


@pytest.mark.parametrize(
    ("changes", "entrants", "broken"),
    [
        ({}, ("a",), "TOUR-2"),
        ({}, ("a", "a"), "TOUR-2"),
        ({}, tuple(map(str, range(1_001))), "TOUR-2"),
        ({"seats_a_table": 1}, ("a", "b"), "GAME-4"),
        ({"seats_a_table": 11}, ("a", "b"), "GAME-4"),
        ({"starting_stack": 0}, ("a", "b"), "BET-8"),
        ({"starting_stack": 105, "chip_unit": 10}, ("a", "b"), "BET-8"),
        ({"starting_stack": 1 << 53}, ("a", "b"), "POT-7"),
        ({"structure": Structure("none", LengthUnit.HANDS, ())}, ("a", "b"), "TOUR-1"),
        ({"seed": b"short"}, ("a", "b"), "TOUR-1"),
        ({"name": ""}, ("a", "b"), "TOUR-1"),
        ({"limit": Limit.FIXED_LIMIT, "rule_set": find_rule_set("irish/full-tilt@1")}, ("a", "b"), "GAME-2"),
    ],
)
def test_tournaments_that_cannot_be_played_are_refused_with_the_rule(changes, entrants, broken):
    with pytest.raises(RuleSetError) as refused:
        begin_tournament(config_of(**changes), entrants)
    assert refused.value.rule == broken
