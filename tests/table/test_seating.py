"""Who plays the next hand, what is posted to come in, and who owes blinds (SEAT-1 to SEAT-5)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.ruleset import ButtonRule, Limit, RuleSetError, Stakes, find_rule_set
from referee.rules.setup import HandSetup, Post, check_setup
from referee.table.positions import Positions, clockwise_from, first_positions, is_between
from referee.table.seating import Standing, begin, can_begin, first_players, may_post
from tests.support import scale, shared_folder

rule = pytest.mark.rule
BOTH = (ButtonRule.MOVING, ButtonRule.DEAD)
both_rules = pytest.mark.parametrize("button_rule", BOTH)
STAKES = Stakes(5, 10)


def seats_of(*seats, **standing):
    return tuple(Standing(seat, **standing) for seat in seats)


def at(button, small_blind, big_blind, *dealt_in):
    return Positions(button, small_blind, big_blind, tuple(clockwise_from(button, dealt_in)))


def places(beginning):
    positions = beginning.positions
    return positions.button, positions.small_blind, positions.big_blind


def standing_of(beginning, seat):
    return next(one for one in beginning.standings if one.seat == seat)


def play_on(button_rule, before, standings, hands):
    """The beginnings of so many hands in which nobody comes, goes or changes his mind."""
    found = []
    for _ in range(hands):
        beginning = begin(button_rule, STAKES, before, standings)
        found.append(beginning)
        before, standings = beginning.positions, beginning.standings
    return found


def cases():
    path = shared_folder() / "cases" / "cases.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# --- the button (SEAT-1, SEAT-4) -------------------------------------------------------------------------


@rule("SEAT-1", "SEAT-4")
@both_rules
@pytest.mark.parametrize("case", [one for one in cases() if "dead_button" in one["right"]], ids=lambda one: one["id"])
@pytest.mark.parametrize("gone", [True, False])
def test_the_cases_of_button_movement_whether_seats_are_empty_or_sit_out(case, button_rule, gone):
    (words,) = case["actions"]
    staying = json.loads(words.split("seats still playing: ")[1])
    players = [player["seat"] for player in case["players"]]
    blinds = case["blinds"]
    right = case["right"]["dead_button" if button_rule == ButtonRule.DEAD else "moving_button"]
    standings = tuple(Standing(seat, seat in staying) for seat in players if seat in staying or not gone)
    beginning = begin(button_rule, STAKES, at(blinds["button"], blinds["sb"], blinds["bb"], *players), standings)
    assert places(beginning) == (right["button"], right["sb"] or 0, right["bb"])
    assert sorted(beginning.positions.dealt_in) == staying


@rule("SEAT-1")
def test_under_the_moving_button_who_waits_does_not_get_two_positions_of_others_mixed_up():
    # Seats 3 and 4 of four left, and somebody new waits at seat 4: he is not next after the small blind.
    beginning = begin(ButtonRule.MOVING, STAKES, at(1, 2, 3, 1, 2, 3, 4), (*seats_of(1, 2), Standing(4, is_new=True)))
    assert places(beginning) == (2, 2, 1)
    assert beginning.positions.dealt_in == (1, 2)
    following = begin(ButtonRule.MOVING, STAKES, beginning.positions, beginning.standings)
    assert places(following)[2] == 2
    assert begin(ButtonRule.MOVING, STAKES, following.positions, following.standings).positions.big_blind == 4


@rule("SEAT-1")
@both_rules
def test_a_third_player_who_owes_nothing_gets_the_button_when_he_sits_between_the_two(button_rule):
    # Seat 2 paid both blinds of the orbit, sat out one hand, and comes back between the blinds of the other two.
    three = at(1, 2, 4, 1, 2, 4)
    heads_up = begin(button_rule, STAKES, three, (*seats_of(1, 4), Standing(2, plays=False)))
    assert places(heads_up) == (4, 4, 1)
    assert standing_of(heads_up, 2) == Standing(2, plays=False), "the blinds have not come to him"
    back = begin(button_rule, STAKES, heads_up.positions, seats_of(1, 2, 4))
    assert places(back) == (4, 1, 2)


@rule("SEAT-1")
@both_rules
def test_a_third_player_between_small_and_big_blind_of_two_comes_in_as_the_next_big_blind(button_rule):
    # Dealt in at once, seat 2 would need the button, which the next big blind or nobody has.
    beginning = begin(button_rule, STAKES, at(1, 1, 4, 1, 4), seats_of(1, 2, 4))
    assert places(beginning) == (4, 4, 1)
    following = begin(button_rule, STAKES, beginning.positions, beginning.standings)
    assert places(following) == (4, 1, 2)
    assert following.positions.dealt_in == (1, 2, 4)


@rule("SEAT-1", "SEAT-2")
def test_a_player_who_is_moved_to_a_table_is_dealt_in_except_between_the_blinds():
    # Tournaments move players who owe nothing; only where the blinds have just passed do they wait.
    before = at(1, 3, 5, 1, 3, 5, 7)
    for seat, is_dealt in ((2, True), (4, False), (6, True), (8, True)):
        beginning = begin(ButtonRule.DEAD, STAKES, before, seats_of(1, 3, 5, 7, seat))
        assert (seat in beginning.positions.dealt_in) is is_dealt
        assert beginning.positions.big_blind == (6 if seat == 6 else 7)
        assert standing_of(beginning, seat) == Standing(seat), "whoever may not sit in yet has missed nothing"
    moving = begin(ButtonRule.MOVING, STAKES, before, seats_of(1, 2, 3, 5, 7))
    assert places(moving) == (3, 5, 7)
    assert 2 not in moving.positions.dealt_in, "he would have the button, and seat 5 the big blind again"


# --- new players (SEAT-2) --------------------------------------------------------------------------------


@rule("SEAT-2")
@both_rules
def test_a_new_player_who_does_not_post_waits_for_the_big_blind(button_rule):
    # Button 1, blinds 2 and 3: seat 9 waits until the big blind has gone 4, 5, 6 and comes to him.
    standings = (*seats_of(1, 2, 3, 4, 5, 6), Standing(9, is_new=True))
    beginnings = play_on(button_rule, at(1, 2, 3, 1, 2, 3, 4, 5, 6), standings, 5)
    assert [9 in one.positions.dealt_in for one in beginnings] == [False, False, False, True, True]
    assert beginnings[3].positions.big_blind == 9
    assert not any(one.posts for one in beginnings)
    assert standing_of(beginnings[2], 9).must_enter
    assert standing_of(beginnings[3], 9) == Standing(9)


@rule("SEAT-2")
@both_rules
def test_a_new_player_posts_a_live_big_blind_where_he_may(button_rule):
    # The next hand has button 2 and blinds 3 and 4: seats 5 to 10 and 1 may post.
    before = at(1, 2, 4, 1, 2, 4, 6)
    for seat in (3, 5, 7, 8, 9, 10):
        beginning = begin(button_rule, STAKES, before, (*seats_of(1, 2, 4, 6), Standing(seat, is_new=True, posts=True)))
        assert places(beginning) == ((2, 4, 5) if seat == 5 else (2, 4, 6))
        if seat in (3, 5):
            assert beginning.posts == (), "between button and big blind he waits; as the big blind he posts that"
        else:
            assert beginning.posts == (Post(seat, 10, 0),)
        assert (seat in beginning.positions.dealt_in) is (seat != 3)
        assert standing_of(beginning, seat).must_enter is (seat == 3)


@rule("SEAT-2")
def test_who_posts_is_never_on_a_dead_button_or_in_a_dead_small_blind():
    # Seats 2 (the next button) and 4 (the next small blind) were left, and somebody new sits in each.
    before = at(1, 2, 4, 1, 2, 4, 6, 8)
    for seat in (2, 4):
        beginning = begin(
            ButtonRule.DEAD, STAKES, before, (*seats_of(1, 6, 8), Standing(seat, is_new=True, posts=True))
        )
        assert places(beginning) == (2, 0, 6)
        assert beginning.posts == ()
        assert seat not in beginning.positions.dealt_in


@rule("SEAT-2")
@both_rules
def test_heads_up_nobody_posts_his_way_in(button_rule):
    before = at(1, 1, 5, 1, 5)
    beginning = begin(button_rule, STAKES, before, (*seats_of(1, 5), Standing(3, is_new=True, posts=True)))
    assert places(beginning) == (5, 5, 1)
    assert beginning.posts == ()
    following = begin(button_rule, STAKES, beginning.positions, beginning.standings)
    assert places(following) == (5, 1, 3), "but the big blind comes to him next"


@rule("SEAT-2")
def test_blinds_are_placed_before_anybody_posts():
    # With seat 1 counted as a player the button would go to him.
    before = at(10, 2, 3, 10, 2, 3, 4)
    beginning = begin(ButtonRule.MOVING, STAKES, before, (*seats_of(2, 3, 4, 10), Standing(1, is_new=True, posts=True)))
    assert places(beginning) == (2, 3, 4)
    assert beginning.posts == (Post(1, 10, 0),)


@rule("SEAT-2", "SEAT-6")
@both_rules
def test_a_table_that_everybody_left_begins_anew(button_rule):
    standings = (Standing(3, is_new=True), Standing(6, is_new=True), Standing(8, plays=False))
    before = at(1, 2, 4, 1, 2, 4)
    assert first_players(before, standings) == (3, 6)
    beginning = begin(button_rule, STAKES, before, standings, drawn_button=6)
    assert places(beginning) == (6, 6, 3)
    assert beginning.posts == ()
    assert not standing_of(beginning, 3).must_enter
    assert first_players(before, (*standings, Standing(4))) == (), "somebody is left who has played"


# --- missed blinds (SEAT-3, SEAT-5) ----------------------------------------------------------------------


@rule("SEAT-3")
@both_rules
def test_case_db01_who_paid_the_big_blind_owes_the_small_one_only(button_rule):
    # Seat 5 paid the big blind, sits out when the small one comes, and is back when the button has passed him.
    paid = at(3, 4, 5, 1, 2, 3, 4, 5)
    out = begin(button_rule, STAKES, paid, (*seats_of(1, 2, 3, 4), Standing(5, plays=False)))
    assert standing_of(out, 5) == Standing(5, plays=False, owes_small_blind=True)
    assert places(out)[1] == (0 if button_rule == ButtonRule.DEAD else 1), "the dead small blind is not posted"
    back = Standing(5, owes_small_blind=True, posts=True)
    before, standings = out.positions, (*seats_of(1, 2, 3, 4), back)
    hands = play_on(button_rule, before, standings, 3)
    entered = next(one for one in hands if 5 in one.positions.dealt_in)
    assert entered.posts == (Post(5, 0, 5),)
    assert is_between(entered.positions.big_blind, 5, entered.positions.button)
    case = next((one for one in cases() if one["id"] == "DB01"), None)
    if case is not None:
        assert case["blinds"]["posts"] == {"5": {"live": 0, "dead": 5}}


@rule("SEAT-3", "SEAT-5")
@both_rules
def test_who_sits_out_before_the_big_blind_comes_owes_it_and_then_the_small_one(button_rule):
    standings = (*seats_of(1, 2, 3, 5, 6), Standing(4, plays=False))
    beginnings = play_on(button_rule, at(1, 2, 3, 1, 2, 3, 4, 5, 6), standings, 14)
    owed = [standing_of(one, 4)[3:5] for one in beginnings]
    assert owed[0] == (False, True)
    assert owed[1] == (True, True)
    assert set(owed[1:]) == {(True, True)}, "at most one of each, however long he is away"
    before, standings = beginnings[-1].positions, beginnings[-1].standings
    waiting = tuple(one._replace(plays=True) for one in standings)
    waits = play_on(button_rule, before, waiting, 6)
    first = next(one for one in waits if 4 in one.positions.dealt_in)
    assert (first.positions.big_blind, first.posts) == (4, ()), "who waits for the big blind posts nothing else"
    posting = tuple(one._replace(posts=True) if one.seat == 4 else one for one in waiting)
    comes = next(one for one in play_on(button_rule, before, posting, 6) if 4 in one.positions.dealt_in)
    assert comes.posts == (Post(4, 10, 5),) or comes.positions.big_blind == 4


@rule("SEAT-3")
@both_rules
def test_what_was_missed_is_not_posted_on_the_button_in_the_small_blind_or_between(button_rule):
    back = Standing(4, owes_small_blind=True, owes_big_blind=True, posts=True)
    seen = []
    before, others = at(6, 1, 2, 1, 2, 3, 5, 6), seats_of(1, 2, 3, 5, 6)
    for _ in range(5):
        beginning = begin(button_rule, STAKES, before, (*others, back))
        positions = beginning.positions
        seen.append((positions.big_blind, bool(beginning.posts)))
        assert bool(beginning.posts) is (may_post(positions, 4) and positions.big_blind != 4)
        before = begin(button_rule, STAKES, before, others).positions  # goes on as if he had stayed away
    # As the big blind he posts that; with the big blind at 6 he sits between the button 3 and the small blind 5.
    assert seen == [(3, True), (4, False), (6, False), (1, True), (2, True)]


@rule("SEAT-3")
@both_rules
def test_who_sits_out_and_comes_back_before_the_blinds_reach_him_owes_nothing(button_rule):
    standings = (*seats_of(1, 2, 3, 4, 5), Standing(6, plays=False))
    away = play_on(button_rule, at(1, 2, 3, 1, 2, 3, 4, 5, 6), standings, 2)[-1]
    assert away.positions.big_blind == 5
    assert standing_of(away, 6) == Standing(6, plays=False)
    back = begin(button_rule, STAKES, away.positions, seats_of(1, 2, 3, 4, 5, 6))
    assert back.positions.big_blind == 6
    assert back.posts == ()


@rule("SEAT-3")
def test_without_a_small_blind_there_is_nothing_to_post_for_it():
    standings = (*seats_of(1, 2, 3, 4), Standing(7, owes_small_blind=True, posts=True))
    beginning = begin(ButtonRule.DEAD, Stakes(0, 10), at(1, 2, 3, 1, 2, 3, 4), standings)
    assert beginning.posts == ()
    assert 7 in beginning.positions.dealt_in


@rule("SEAT-5")
@both_rules
def test_sitting_out_is_looked_at_before_the_blinds_are_placed(button_rule):
    before = at(1, 2, 3, 1, 2, 3, 4, 5)
    playing = begin(button_rule, STAKES, before, seats_of(1, 2, 3, 4, 5))
    assert playing.positions.big_blind == 4
    out = begin(button_rule, STAKES, before, (*seats_of(1, 2, 3, 5), Standing(4, plays=False)))
    assert out.positions.big_blind == 5
    assert standing_of(out, 4).owes_big_blind, "declined before it was placed, and owed all the same"


@rule("SEAT-5")
def test_in_the_first_hand_who_sits_out_misses_the_blinds_too():
    beginning = begin(ButtonRule.DEAD, STAKES, None, (*seats_of(1, 4, 6), Standing(3, False), Standing(5, False)), 1)
    assert places(beginning) == (1, 4, 6)
    assert standing_of(beginning, 3)[3:5] == (True, True)
    assert standing_of(beginning, 5)[3:5] == (False, True)


def test_two_must_play_for_a_hand_to_begin():
    assert not can_begin((Standing(1), Standing(2, plays=False)))
    assert can_begin((Standing(1), Standing(2, is_new=True)))


# --- whatever happens ------------------------------------------------------------------------------------


class Room:
    """A table that people come to and go from at random, with an account of what each of them has missed.

    The account asks only where the big blind was and is: it does not know how :mod:`referee.table.seating` counts.
    """

    def __init__(self, button_rule):
        self.button_rule = button_rule
        self.before = None
        self.standings = {}
        self.missed = {}
        self.big_blind_has_left = False
        self.hand = 0

    def change(self, data):
        kind = data.draw(st.sampled_from(["come", "go", "out", "in", "in", "moved", "none", "none"]))
        seat = data.draw(st.integers(1, 10))
        one = self.standings.get(seat)
        if kind == "come" and one is None:
            self.standings[seat] = Standing(seat, is_new=self.hand > 0, posts=data.draw(st.booleans()))
            self.missed[seat] = self.hand > 0
        elif kind == "moved" and one is None:
            self.standings[seat] = Standing(seat)
            self.missed[seat] = False
        elif one is not None and kind == "go":
            del self.standings[seat]
            del self.missed[seat]
            self.big_blind_has_left |= self.before is not None and seat == self.before.big_blind
        elif one is not None and kind == "out":
            self.standings[seat] = one._replace(plays=False)
        elif one is not None and kind == "in":
            self.standings[seat] = one._replace(plays=True, posts=data.draw(st.booleans()))

    def play(self):
        standings = tuple(self.standings[seat] for seat in sorted(self.standings))
        if not can_begin(standings):
            return
        beginners = first_players(self.before, standings)
        drawn = beginners[self.hand % len(beginners)] if beginners else 0
        beginning = begin(self.button_rule, STAKES, self.before, standings, drawn)
        self.check(beginning, standings, bool(beginners))
        self.hand += 1
        self.before, self.big_blind_has_left = beginning.positions, False
        self.standings = {one.seat: one for one in beginning.standings}

    def check(self, beginning, standings, is_new_table):
        positions, posts = beginning.positions, {post.seat: post for post in beginning.posts}
        dealt_in = positions.dealt_in
        check_setup(
            HandSetup(
                find_rule_set("holdem/tda@1"),
                Limit.NO_LIMIT,
                STAKES,
                dealt_in,
                (100,) * len(dealt_in),
                positions.button,
                positions.small_blind,
                positions.big_blind,
                posts=beginning.posts,
            )
        )
        assert [one.seat for one in beginning.standings] == [one.seat for one in standings]
        assert {one.seat for one in standings if one.plays} >= set(dealt_in)
        if not is_new_table:
            same = positions.big_blind == self.before.big_blind
            assert not same or self.big_blind_has_left, "nobody has the big blind twice running"
            for one in standings:  # whoever has been playing plays on
                if one.plays and not one.must_enter and one.seat in self.before.dealt_in:
                    assert one.seat in dealt_in
        for seat in posts:
            assert len(dealt_in) > 3
            assert is_between(positions.big_blind, seat, positions.button)
        for one in standings:
            seat = one.seat
            if seat in dealt_in:
                if self.missed[seat] and not is_new_table:
                    pays = seat == positions.big_blind or (seat in posts and posts[seat].live == STAKES.big_blind)
                    assert pays, f"seat {seat} skipped a big blind for nothing"
                self.missed[seat] = False
            elif not is_new_table and is_between(self.before.big_blind, seat, positions.big_blind):
                self.missed[seat] = self.missed[seat] or not one.plays or one.must_enter


@rule("SEAT-1", "SEAT-2", "SEAT-3", "SEAT-4", "SEAT-5")
@both_rules
@settings(max_examples=scale(150, 5_000), deadline=None)
@given(data=st.data())
def test_whoever_comes_and_goes_every_hand_can_be_played_and_nobody_skips_a_blind(button_rule, data):
    room = Room(button_rule)
    for seat in data.draw(st.sets(st.integers(1, 10), min_size=2)):
        room.standings[seat] = Standing(seat)
        room.missed[seat] = False
    for _ in range(data.draw(st.integers(1, 40))):
        for _ in range(data.draw(st.integers(0, 3))):
            room.change(data)
        room.play()


@rule("SEAT-2", "SEAT-3", "SEAT-4")
@both_rules
@settings(max_examples=scale(150, 3_000), deadline=None)
@given(data=st.data())
def test_while_nobody_else_comes_or_goes_who_waits_is_in_within_two_orbits(button_rule, data):
    players = data.draw(st.sets(st.integers(1, 10), min_size=2, max_size=9))
    free = sorted(set(range(1, 11)) - players)
    seat = data.draw(st.sampled_from(free))
    comes = data.draw(
        st.sampled_from(
            [
                Standing(seat, is_new=True),
                Standing(seat, is_new=True, posts=True),
                Standing(seat, owes_small_blind=True),
                Standing(seat, owes_small_blind=True, owes_big_blind=True, posts=True),
            ]
        )
    )
    before = first_positions(data.draw(st.sampled_from(sorted(players))), tuple(sorted(players)))
    hands = play_on(button_rule, before, (*seats_of(*sorted(players)), comes), 2 * len(players) + 2)
    entered = [number for number, one in enumerate(hands) if seat in one.positions.dealt_in]
    assert entered, "he waits for ever"
    assert entered[0] <= len(players)
    assert entered == list(range(entered[0], len(hands))), "and stays in"


def test_a_setup_that_mixes_up_positions_would_be_noticed():
    with pytest.raises(RuleSetError):
        check_setup(HandSetup(find_rule_set("holdem/tda@1"), Limit.NO_LIMIT, STAKES, (1, 2), (100, 100), 2, 1, 2))
