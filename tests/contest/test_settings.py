"""Contest files: read, hashed, and refused with what is wrong and where."""

import pytest

from referee.contest.settings import ContestFileError, changed, parse_contest
from referee.contest.toml_lines import key_lines, line_of
from referee.rules.ruleset import DiscardPoint, Limit
from tests.contest.contests import contest, contest_text, practice

TWO = practice("always-call", "all-in")


def faults(text):
    with pytest.raises(ContestFileError) as refused:
        parse_contest(text, "c.toml")
    return {fault.key: fault for fault in refused.value.faults}


def line_with(text, words):
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


def test_a_short_file_is_enough_and_every_default_enters_the_hash():
    settings = contest(TWO)
    assert settings.schedule.seatings == "rotations"
    assert settings.game.limit == Limit.NO_LIMIT
    assert b'"max_raises"' not in settings.canonical()
    assert b'"confidence":0.95' in settings.canonical()


def test_comments_and_order_do_not_change_the_hash_and_values_do():
    text = contest_text(TWO)
    same = "# another comment\n" + text.replace(
        "small_blind = 50\nbig_blind = 100", "big_blind = 100\nsmall_blind = 50"
    )
    assert parse_contest(text).sha256() == parse_contest(same).sha256()
    assert parse_contest(text).sha256() != parse_contest(text.replace("20_000", "20_001")).sha256()


@pytest.mark.parametrize(
    ("before", "after", "key", "words", "where"),
    [
        ("small_blind = 50", "small_blind = 50\nsmal_bet = 4", "game.smal_bet", "no such key", ""),
        ("hands = 20", "hands = 25", "schedule.hands", "no whole number", ""),
        ("hands = 20", "hands = 20\nblock_hands = 3\ntable_hands = 10", "schedule.table_hands", "no whole number", ""),
        ("hands = 20", "hands = 20_000\ntable_hands = 20_000", "schedule.table_hands", "at most", ""),
        ("stack = 20_000", "stack = 9_000_000_000_000_000_000", "game.stack", "less than or equal", ""),
        ('name = "test"', 'name = ".."', "name", "letter or digit first", ""),
        ("hands = 20", 'hands = "20"', "schedule.hands", "valid integer", ""),
        ("hands = 20", 'hands = 20\nformat = "swiss"', "schedule.rounds", "how many rounds", "[schedule]"),
        ("hands = 20", 'hands = 20\nformat = "swiss"\nrounds = 2', "schedule.rounds", "meet twice", ""),
        ("hands = 20", 'hands = 20\nformat = "league"', "schedule.format", "round-robin", ""),
        ("hands = 20", "hands = 20\nrounds = 2", "schedule.rounds", "as many rounds as it needs", ""),
        ("stack = 20_000", "stack = 20_000\nseats = 4", "schedule.format", "cannot fill", "[schedule]"),
        ("stack = 20_000", 'stack = 20_000\nrule_set = "irish/none@1"', "game.rule_set", "there is no rule set", ""),
        ("small_blind = 50", "small_blind = 500", "game", "BLIND-1", "[game]"),
        ('name = "always-call-1"', 'name = "all-in-2"', "entrants[2].name", "twice", 'name = "all-in-2"'),
        ('name = "always-call-1"', 'name = "a b"', "entrants[1].name", "letters", ""),
        ('bot = "all-in"', 'bot = "all-in"\ncommand = ["x"]', "entrants[2].command", "no command", ""),
        ('bot = "all-in"', 'bot = "all-in"\nmemory_mb = 5', "entrants[2]", "belong to a command", "[[entrants]]"),
        ("action_ms = 60_000", "[faults]\nmax_faults = 3", "faults.max_faults", "neither", ""),
        ("action_ms = 60_000", "action_ms = 0", "clock.action_ms", "greater than or equal to 1", ""),
        ('format = "referee-contest/1"', 'format = "referee-contest/2"', "format", "referee-contest/1", ""),
    ],
)
def test_what_is_wrong_is_named_with_its_key_and_line(before, after, key, words, where):
    text = contest_text(TWO).replace(before, after, 1)
    found = faults(text)
    assert words in found[key].what
    # The line that was changed, or the last one that says this.
    end = text.rindex(where) if where else text.index(after) + len(after)
    assert found[key].line == text.count("\n", 0, end) + 1


def test_stacks_may_be_carried():
    assert not contest(TWO, game="reset_stacks = false").game.reset_stacks


def test_every_fault_is_told_at_once():
    text = contest_text(TWO).replace("hands = 20", "hands = 25").replace("always-call-1", "a b")
    assert set(faults(text)) == {"schedule.hands", "entrants[1].name"}


def test_carried_stacks_make_a_table_one_block():
    text = contest_text(TWO, game="reset_stacks = false", schedule="table_hands = 20")
    assert "carried" in faults(text)["schedule.table_hands"].what


def test_to_forfeit_a_table_of_several_would_be_free_and_is_refused():
    three = contest_text(practice("all-in", "all-in", "all-in"), game="seats = 3")
    policy = '[faults]\npolicy = "forfeit-match"\nmax_faults = 3\n'
    assert "heads-up" in faults(three + policy)["faults.policy"].what
    assert parse_contest(contest_text(TWO) + policy).faults.max_faults == 3


def test_a_hand_is_forfeited_at_tables_of_any_size_but_not_in_a_tournament():
    three = contest_text(practice("all-in", "all-in", "all-in"), game="seats = 3")
    policy = '[faults]\npolicy = "forfeit-hand"\nmax_faults = 3\n'
    assert parse_contest(three + policy).faults.policy == "forfeit-hand"
    found = faults(three.replace("hands = 20", 'format = "tournament"') + policy)
    assert "counted anew" in found["faults.policy"].what


@pytest.mark.parametrize(
    ("policy", "chips", "words"),
    [
        ("forfeit-hand", 200, "forfeit-match only"),
        ("forfeit-match", 20_001, "more than a stack of 20000"),
        ("forfeit-match", 225, "not a multiple of 50"),
        ("forfeit-match", -1, "greater than or equal to 0"),
    ],
)
def test_what_an_unplayed_hand_cannot_cost(policy, chips, words):
    text = contest_text(TWO, game="chip_unit = 50") + f'[faults]\npolicy = "{policy}"\nmax_faults = 3\n'
    assert words in faults(f"{text}unplayed_hand_chips = {chips}\n")["faults.unplayed_hand_chips"].what


def test_permutations_are_for_two_and_three_seats():
    four = practice("all-in", "all-in", "all-in", "all-in")
    text = contest_text(four, game="seats = 4", schedule='seatings = "permutations"')
    assert "2 or 3 seats" in faults(text)["schedule.seatings"].what


def test_more_matches_than_can_be_played_are_refused_with_their_key():
    entrants = practice(*["all-in"] * 40)
    assert "say how many" in faults(contest_text(entrants, game="seats = 6"))["schedule.matches"].what
    assert contest(entrants, game="seats = 6", schedule="matches = 50").schedule.matches == 50


def test_what_is_no_toml_is_told_with_its_line():
    (fault,) = faults('format = "referee-contest/1"\nname = \n').values()
    assert fault.line == 2


def test_a_game_of_ones_own_is_data():
    own = 'rule_set = { name = "student/three", hole_cards = 3, discards = 1, discard_point = "before-flop-betting" }'
    rules = contest(TWO, game=own).game.rules()
    assert (rules.game.hole_cards, rules.game.discards) == (3, 1)
    assert rules.game.discard_point == DiscardPoint.BEFORE_FLOP_BETTING
    wrong = contest_text(TWO, game=own.replace("before-flop-betting", "sometime"))
    assert "sometime" in faults(wrong)["game.rule_set"].what


def test_a_file_that_changed_is_told_key_by_key():
    before = contest_text(TWO)
    after = before.replace("hands = 20", "hands = 40").replace('bot = "all-in"', 'bot = "always-fold"')
    found = changed(parse_contest(before), parse_contest(after), after)
    assert {(one.key, one.line) for one in found} == {
        ("schedule.hands", line_with(after, "hands = 40")),
        ("entrants[2].bot", line_with(after, "always-fold")),
    }


def test_lines_of_keys():
    text = 'a = 1\n[b]\nc = """\nd = 2\n"""\n# e = 3\n[[f]]\ng = 1\n[[f]]\n"h" = 2\n[f.i]\nj.k = 1\n'
    lines = key_lines(text)
    assert lines[("b", "c")] == 3
    assert ("b", "d") not in lines
    assert lines[("f", 1, "h")] == 10
    assert lines[("f", 1, "i", "j", "k")] == 12
    assert line_of(("f", 0, "missing"), lines) == 7
