"""PHH: what is read, what is refused by name, and the line of every error."""

from decimal import Decimal
from fractions import Fraction

import pytest

from referee.judge import FindingKind, judge_record
from referee.record.hand_record import HandRecord, NotationError, RecordedStep, Step
from referee.record.notation import read_text, write_phh, write_phhs
from referee.record.notation.phh_fields import OTHER_VARIANTS
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import (
    CRAZY_PINEAPPLE,
    HOLDEM,
    AnteKind,
    Limit,
    RuleSet,
    Stakes,
    find_rule_set,
)
from referee.rules.setup import NOBODY, HandSetup, Post, hole_of
from tests.notation.reading import error, line_of, phh, record

# --- whole hands ----------------------------------------------------------------------------------------

IRISH_NO_LIMIT = """\
# Three players, one all-in before the flop, a side pot, everybody discards.
variant = 'NI'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [40, 100, 100]
_rule_set = 'irish/full-tilt@1'
actions = [
  'd dh p1 AhAd7c2d',
  'd dh p2 KsKd8c3d',
  'd dh p3 QhJh9h4s',
  'p3 cbr 6',
  'p1 cbr 40',  # all-in
  'p2 cc',
  'p3 cc',
  'd db Kc2h9s',
  'p2 cc',
  'p3 cbr 20',
  'p2 cc',
  'p1 sd 7c2d',
  'p3 sd QhJh # keeps the pair of nines',
  'p2 sd 8c3d',
  'd db 9d',
  'p2 cc',
  'p3 cbr 40',
  'p2 cc',
  'd db 5c',
  'p3 sm 9h4s',
  'p1 sm',
  'p2 sm KsKd',
]
finishing_stacks = [0, 240, 0]
"""

IRISH_POT_LIMIT = """\
variant = 'PI'
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [200, 200]
actions = ['d dh p1 AhAd7c2d', 'd dh p2 ????????', 'p2 cbr 30', 'p1 cbr 90', 'p2 cc', 'd db 9h3c3s',
  'p1 cbr 110', 'p2 f']
finishing_stacks = [290, 110]
"""

IRISH_LIMIT = """\
variant = 'FI'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
small_bet = 100
big_bet = 200
starting_stacks = [5000, 5000, 5000]
actions = ['d dh p1 AhAd7c2d', 'd dh p2 KsKd8c3d', 'd dh p3 QhJh9h4s', 'p3 cbr 200', 'p1 cbr 300', 'p2 f', 'p3 cc',
  'd db 9s9d2h', 'p1 sd 7c2d', 'p3 sd QhJh', 'p1 cbr 100', 'p3 cbr 200', 'p1 cc', 'd db Ac', 'p1 cc', 'p3 cbr 200',
  'p1 cbr 400', 'p3 cc', 'd db 5c', 'p1 cbr 200', 'p3 cc', 'p1 sm AhAd', 'p3 sm 9h4s']
finishing_stacks = [6200, 4900, 3900]
"""


@pytest.mark.rule("GAME-1", "GAME-2", "DISC-1", "DISC-3", "DISC-4", "POT-1")
def test_irish_no_limit_with_a_side_pot() -> None:
    read = record(IRISH_NO_LIMIT)
    assert (read.setup.limit, read.setup.rule_set.full_name, read.rule_set_named) == (
        Limit.NO_LIMIT,
        "irish/full-tilt@1",
        True,
    )
    assert [hole_of(read.setup, player) for player in range(3)] == [
        parse_cards(hole) for hole in ("AhAd7c2d", "KsKd8c3d", "QhJh9h4s")
    ]
    judgement = judge_record(read)
    assert not judgement.findings
    assert judgement.settlement is not None
    assert [pot.amount for pot in judgement.settlement.pots] == [120, 120]


@pytest.mark.rule("GAME-2", "SIZE-4")
def test_irish_pot_limit_with_unknown_cards() -> None:
    read = record(IRISH_POT_LIMIT)
    assert (read.setup.limit, read.setup.rule_set.full_name, read.rule_set_named) == (
        Limit.POT_LIMIT,
        "irish/full-tilt@1",
        False,
    )
    assert hole_of(read.setup, 1) == (UNKNOWN,) * 4
    assert judge_record(read).agrees()
    too_much = judge_record(record(IRISH_POT_LIMIT.replace("p1 cbr 90", "p1 cbr 91")))
    assert (too_much.findings[0].rule, too_much.findings[0].line) == ("SIZE-4", 6)


@pytest.mark.rule("GAME-2", "SIZE-5")
def test_irish_fixed_limit_discards_before_the_betting_on_the_flop() -> None:
    read = record(IRISH_LIMIT)
    assert (read.setup.limit, read.setup.rule_set.full_name) == (Limit.FIXED_LIMIT, "irish/french-limit@1")
    judgement = judge_record(read)
    assert not judgement.findings
    assert judgement.settlement is not None
    assert [player.stack_after for player in judgement.settlement.players] == [6200, 4900, 3900]


def test_actions_keep_their_own_lines_and_words() -> None:
    read = record(IRISH_NO_LIMIT)
    raise_all_in = next(step for step in read.steps if step.to == 40)
    assert (raise_all_in.line, raise_all_in.text) == (line_of(IRISH_NO_LIMIT, "p1 cbr 40"), "p1 cbr 40")
    discard = next(step for step in read.steps if "keeps" in step.text)
    assert (discard.step, discard.cards, discard.line) == (Step.DISCARD, parse_cards("QhJh"), 21)
    assert read.line == 2
    assert read.result.line == line_of(IRISH_NO_LIMIT, "finishing_stacks")


def test_an_illegal_action_is_readable_and_the_judge_names_its_line() -> None:
    text = IRISH_NO_LIMIT.replace("'p3 cbr 6'", "'p3 cbr 3'")
    (finding, *_) = judge_record(record(text)).findings
    assert (finding.rule, finding.line) == ("SIZE-3", line_of(text, "p3 cbr 3"))


# --- variants and rule sets -----------------------------------------------------------------------------


@pytest.mark.parametrize("code", [*OTHER_VARIANTS, "XX", "nt"])
def test_other_variants_are_refused_by_name(code: str) -> None:
    refused = error(phh(code))
    assert refused.line == 1
    assert f"variant '{code}'" in refused.expected
    assert "is not hold'em or Irish" in refused.expected
    assert OTHER_VARIANTS.get(code, "") in refused.expected


@pytest.mark.parametrize(
    ("code", "rule_set"),
    [
        ("NT", "holdem/tda@1"),
        ("PT", "holdem/tda@1"),
        ("FT", "holdem/online-limit@1"),
        ("NI", "irish/full-tilt@1"),
        ("PI", "irish/full-tilt@1"),
        ("FI", "irish/french-limit@1"),
    ],
)
def test_a_record_that_names_no_rule_set_is_read_with_a_default(code: str, rule_set: str) -> None:
    read = record(phh(code))
    assert (read.setup.rule_set.full_name, read.rule_set_named) == (rule_set, False)


def test_a_rule_set_is_named_by_the_record_or_given() -> None:
    named = phh("NI", _rule_set="'irish/tda@1'")
    assert record(named).setup.rule_set.full_name == "irish/tda@1"
    given = record(named, rule_set=find_rule_set("irish/french-minimum@1"))
    assert (given.setup.rule_set.full_name, given.rule_set_named) == ("irish/french-minimum@1", True)


@pytest.mark.parametrize(
    ("variant", "name", "words"),
    [
        ("NI", "irish/full-tilt@2", "'irish/full-tilt@2' is not a rule set; there are irish/full-tilt@1"),
        ("NI", "holdem/tda@1", "is not for Irish"),
        ("NT", "irish/tda@1", "is not for hold'em"),
        ("NT", "holdem/online-limit@1", "is not played no-limit"),
        ("FI", "irish/full-tilt@1", "is not played fixed-limit"),
    ],
)
def test_a_rule_set_that_does_not_fit_is_refused(variant: str, name: str, words: str) -> None:
    text = phh(variant, _rule_set=f"'{name}'")
    refused = error(text)
    assert words in refused.expected
    assert refused.line == line_of(text, "_rule_set")


def test_a_given_rule_set_that_does_not_fit_is_refused() -> None:
    assert "is not for hold'em" in error(phh(), rule_set=find_rule_set("irish/tda@1")).expected


# --- amounts --------------------------------------------------------------------------------------------


def test_the_chip_is_the_largest_decimal_unit_that_fits() -> None:
    assert record(phh()).unit == 1
    tenths = record(
        phh(
            blinds_or_straddles="[0.5, 1, 0]",
            min_bet="1.00",
            starting_stacks="[100, 99.5, 20]",
            actions="['p3 cbr 2.50']",
            finishing_stacks="[100.25, 98.75, 20.5]",
        )
    )
    assert tenths.unit == Decimal("0.1")
    assert tenths.setup.stakes == Stakes(5, 10)
    assert tenths.setup.stacks == (1000, 995, 200)
    assert tenths.steps[0].to == 25
    # Results do not choose the chip: parts of one stay parts.
    assert tenths.result.finishing_stacks == (Fraction(2005, 2), Fraction(1975, 2), Fraction(205))


def test_a_named_unit_is_taken_when_all_amounts_are_whole_in_it() -> None:
    assert record(phh(_unit="0.01")).setup.stakes == Stakes(5_000, 10_000)
    for unit in ("0.5", "10", "0"):
        assert "expected 1, 0.1, 0.01" in error(phh(_unit=unit)).expected


def test_thirds_of_a_chip_are_read_as_thirds() -> None:
    read = record(phh(finishing_stacks="[10033.333333, 10033.333333, 9933.333334]", winnings="[33.5, 0, 0]"))
    assert read.result.finishing_stacks == (Fraction(30100, 3), Fraction(30100, 3), Fraction(29800, 3))
    assert read.result.collected == (Fraction(67, 2), 0, 0)


@pytest.mark.parametrize("stack", ["1e999999", "1e18", "1e-30", "nan", "-1", "0", "true", "'5'", "1" * 5000])
def test_amounts_that_cannot_be_at_a_table_are_refused(stack: str) -> None:
    refused = error(phh(starting_stacks=f"[{stack}, 100, 100]"))
    assert refused.line == (1 if len(stack) > 4000 else 6), refused


def test_stacks_that_nobody_knows_are_taken_for_deep_ones() -> None:
    read = record(phh(starting_stacks="[inf, 10000, inf]", finishing_stacks="[inf, 10100, inf]"))
    assert not read.stacks_known
    assert read.setup.stacks == (100_000_000, 10_000, 100_000_000)
    assert read.result.finishing_stacks is None
    assert record(write_phh(read)) == read


# --- blinds, posts, antes -------------------------------------------------------------------------------


@pytest.mark.rule("BLIND-2")
@pytest.mark.parametrize("blinds", ["[50, 100]", "[100, 50]"])
def test_heads_up_the_first_player_is_the_big_blind_in_either_order(blinds: str) -> None:
    setup = record(phh("NT", 2, blinds_or_straddles=blinds)).setup
    assert (setup.seats, setup.button_seat) == ((1, 2), 2)
    assert (setup.small_blind_seat, setup.big_blind_seat) == (2, 1)
    assert setup.stakes == Stakes(50, 100)


@pytest.mark.rule("BLIND-5")
@pytest.mark.parametrize(("blinds", "antes"), [("[50, 100]", "[0, 100]"), ("[100, 50]", "[100, 0]")])
def test_heads_up_antes_are_listed_as_the_blinds_are(blinds: str, antes: str) -> None:
    text = phh("NT", 2, blinds_or_straddles=blinds, antes=antes, ante_trimming_status="false")
    assert record(text).setup.stakes == Stakes(50, 100, ante_kind=AnteKind.BIG_BLIND, ante=100)


@pytest.mark.rule("BLIND-1", "SEAT-1")
def test_a_dead_small_blind_is_a_big_blind_listed_first() -> None:
    setup = record(phh(blinds_or_straddles="[100, 0, 0]")).setup
    assert (setup.small_blind_seat, setup.big_blind_seat) == (NOBODY, 1)
    assert setup.stakes == Stakes(50, 100)
    named = record(phh(blinds_or_straddles="[100, 0, 0]", _small_blind="40"))
    assert named.setup.stakes == Stakes(40, 100)
    assert record(write_phh(named)) == named


def test_half_of_an_odd_big_blind_is_not_made_up() -> None:
    odd = {"blinds_or_straddles": "[25, 0, 0]", "min_bet": "25"}
    assert record(phh(**odd)).setup.stakes == Stakes(0, 25)
    text = phh("PT", **odd)
    refused = error(text)
    assert "_small_blind" in refused.expected
    assert refused.line == line_of(text, "blinds")
    assert record(phh("PT", **odd, _small_blind="10")).setup.stakes == Stakes(10, 25)


@pytest.mark.rule("BLIND-1")
def test_a_first_blind_of_nothing_is_a_game_without_a_small_blind() -> None:
    setup = record(phh(blinds_or_straddles="[0, 100, 0]")).setup
    assert (setup.small_blind_seat, setup.big_blind_seat) == (1, 2)
    assert setup.stakes == Stakes(0, 100)


@pytest.mark.rule("SEAT-3")
def test_a_negative_entry_is_a_live_post_of_the_big_blind() -> None:
    text = phh("NT", 4, blinds_or_straddles="[50, 100, 0, -100]")
    assert record(text).setup.posts == (Post(4, 100, 0),)
    blinds, antes = "[50, 100, 0, -100]", "[0, 0, 0, 50]"
    dead_too = phh("NT", 4, blinds_or_straddles=blinds, antes=antes, ante_trimming_status="false")
    assert record(dead_too).setup.posts == (Post(4, 100, 50),)


@pytest.mark.parametrize(
    ("blinds", "words"),
    [
        ("[50, 100, 200]", "p3 straddles"),
        ("[50, 100, -50]", "p3 posts 50"),
        ("[100, 50, 0]", "the small blind first"),
        ("[0, 0, 0]", "the small blind first"),
        ("[-50, 100, 0]", "the small blind first"),
        ("[0, 0, 100]", "the small blind first"),
        ("[50, 100]", "expected 3 amounts"),
        ("[50, 100, inf]", "finite"),
        ("50", "an array"),
    ],
)
def test_other_blinds_are_refused(blinds: str, words: str) -> None:
    text = phh(blinds_or_straddles=blinds)
    refused = error(text)
    assert words in refused.expected
    assert refused.line == line_of(text, "blinds")


@pytest.mark.rule("BLIND-5")
@pytest.mark.parametrize(
    ("antes", "trimming", "stacks", "kind", "ante"),
    [
        ("[10, 10, 10]", "true", "[1000, 1000, 5]", AnteKind.EACH, 10),
        ("[10, 10, 10]", "false", "[1000, 1000, 10]", AnteKind.EACH, 10),
        ("[0, 100, 0]", "false", "[1000, 1000, 1000]", AnteKind.BIG_BLIND, 100),
        ("[0, 0, 0]", "false", "[1000, 1000, 1000]", AnteKind.NONE, 0),
    ],
)
def test_antes(antes: str, trimming: str, stacks: str, kind: AnteKind, ante: int) -> None:
    setup = record(phh(antes=antes, ante_trimming_status=trimming, starting_stacks=stacks)).setup
    assert setup.stakes == Stakes(50, 100, ante_kind=kind, ante=ante)


@pytest.mark.rule("BLIND-5")
def test_antes_without_trimming_status_are_dead_money() -> None:
    text = phh(antes="[0, 100, 0]", ante_trimming_status=None)
    assert record(text).setup.stakes.ante_kind == AnteKind.BIG_BLIND


@pytest.mark.parametrize(
    ("antes", "trimming", "stacks", "words"),
    [
        ("[10, 10, 10]", "false", "[1000, 1000, 5]", "a short ante that competes for all antes"),
        ("[10, 0, 10]", "true", "[1000, 1000, 1000]", "antes of different sizes"),
        ("[0, 100, 0]", "true", "[1000, 1000, 1000]", "antes of different sizes"),
        ("[10, 100, 10]", "false", "[1000, 1000, 1000]", "antes of different sizes"),
        ("[50, 0, 0]", "false", "[1000, 1000, 1000]", "antes of different sizes"),
        ("[-1, 0, 0]", "false", "[1000, 1000, 1000]", "0 or more"),
    ],
)
def test_antes_that_the_rulebook_does_not_know_are_refused_by_name(
    antes: str, trimming: str, stacks: str, words: str
) -> None:
    text = phh(antes=antes, ante_trimming_status=trimming, starting_stacks=stacks)
    refused = error(text)
    assert words in refused.expected
    assert refused.line == line_of(text, "antes")


@pytest.mark.rule("BLIND-1", "SIZE-1")
@pytest.mark.parametrize(
    ("variant", "field", "value"), [("NT", "min_bet", "200"), ("FT", "small_bet", "50"), ("FT", "big_bet", "50")]
)
def test_bets_that_do_not_fit_the_big_blind_are_refused(variant: str, field: str, value: str) -> None:
    text = phh(variant, **{field: value})
    refused = error(text)
    assert "the big blind" in refused.expected
    assert refused.line == line_of(text, field)


def test_a_big_bet_that_is_not_twice_the_small_one_is_kept() -> None:
    assert record(phh("FT", big_bet="300")).setup.stakes.late_bet() == 300
    minimum = record(phh("NI", _rule_set="'irish/french-minimum@1'", big_bet="150"))
    assert minimum.setup.stakes.late_bet() == 150
    assert record(write_phh(minimum)) == minimum


# --- cards, seats, names, facts -------------------------------------------------------------------------


def test_cards_shown_later_are_merged_into_the_deal() -> None:
    actions = "['d dh p1 ????', 'd dh p2 Ah??', 'p1 f', 'p2 sm AhKh', 'p3 sm 2c2d']"
    read = record(phh(actions=actions))
    assert hole_of(read.setup, 0) == (UNKNOWN, UNKNOWN)
    assert hole_of(read.setup, 1) == parse_cards("AhKh")
    assert hole_of(read.setup, 2) == parse_cards("2c2d")
    assert read.setup.show_when_beaten == (2, 3)


@pytest.mark.rule("DISC-5")
def test_hidden_discards_stay_hidden_unless_they_follow_from_what_is_known() -> None:
    hidden = record(phh("NI", actions="['p1 sd ????', 'p1 sm AhKh']"))
    assert hole_of(hidden.setup, 0) == (*parse_cards("AhKh"), UNKNOWN, UNKNOWN)
    assert hidden.steps[0].cards == (UNKNOWN, UNKNOWN)
    told = record(phh("NI", actions="['d dh p1 2c2dAhKh', 'p1 sd ????', 'p1 sm AhKh']"))
    assert told.steps[0].cards == parse_cards("2c2d")


def test_a_hand_given_up_unseen_is_noted_for_the_showdown() -> None:
    assert record(phh(actions="['p1 sm', 'p2 sm AhKh', 'p3 f']")).setup.mucked_unseen == (1,)
    assert record(phh(actions="['p1 f', 'p2 f', 'p3 sm']")).setup.mucked_unseen == ()
    assert record(phh(actions="['d dh p1 2c2d', 'p1 sm', 'p2 sm AhKh']")).setup.mucked_unseen == ()


def test_unknown_boards_are_read() -> None:
    read = record(phh(actions="['d db ??????', 'd db ??', 'd db 2c']"))
    assert [step.cards for step in read.steps] == [(UNKNOWN,) * 3, (UNKNOWN,), parse_cards("2c")]


def test_seats_names_and_facts_are_kept() -> None:
    text = phh(
        seats="[7, 9, 2]",
        players="['Ann', \"O'Neill\", 'Bea']",
        hand="'S4E12'",
        currency="'USD'",
        currency_symbol="'$'",
        table="'12'",
        time="07:30:00",
        day="5",
        event="'Main\\nEvent'",
        time_banks="[1, 2.5, 3]",
        _note="{deep = 'x', list = [true]}",
        venue='"New\\nline"',
    )
    read = record(text)
    assert (read.setup.seats, read.setup.button_seat) == ((7, 9, 2), 2)
    assert read.players == ("Ann", "O'Neill", "Bea")
    assert (read.setup.hand_id, read.currency) == ("S4E12", "$")
    assert read.facts == {
        "currency": "USD",
        "table": "'12'",
        "time": "07:30:00",
        "day": "5",
        "event": "Main\\nEvent",
        "time_banks": "[1, 2.5, 3]",
        "_note": "{deep = 'x', list = [true]}",
        "venue": '"New\\nline"',
    }
    assert record(write_phh(read)) == read


def test_a_button_at_an_empty_seat() -> None:
    read = record(phh(seats="[7, 9, 2]", _button="4"))
    assert read.setup.button_seat == 4
    assert record(write_phh(read)) == read
    for seats in ("[7, 2, 9]", "[7, 7, 2]", "[0, 1, 2]", "[1, 2]", "['1', 2, 3]"):
        assert "expected" in error(phh(seats=seats)).expected
    assert error(phh(_button="11")).line == line_of(phh(_button="11"), "_button")


def test_rake_and_total_pot_are_fields_of_our_own() -> None:
    read = record(phh(_rake="5", _total_pot="150"))
    assert (read.result.rake, read.setup.recorded_rake, read.result.total_pot) == (5, 5, 150)
    assert record(phh()).setup.recorded_rake == -1


# --- errors and their lines -----------------------------------------------------------------------------

ACTIONS = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = [
  'd dh p1 AhAd',   # comments may stand
  'p3 cc',
  # anywhere
  @,
  'p2 cc',
]
"""


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("'p4 f'", "a player from p1 to p3, not 'p4'"),
        ("'p0 f'", "a player from p1 to p3"),
        ("'q1 f'", "a player from p1 to p3"),
        ("'p1 call'", "expected an action such as"),
        ("'p1 pb'", "expected an action such as"),
        ("'p1 sd'", "expected an action such as"),
        ("'d db'", "expected an action such as"),
        ("'p1 f 100'", "expected an action such as"),
        ("'p1 cbr'", "expected an action such as"),
        ("'p1 cbr all'", "expected the amount of a bet or raise"),
        ("'p1 cbr -5'", "expected the amount of a bet or raise"),
        ("'p1 cbr 1.2.3'", "expected the amount of a bet or raise"),
        ("'p1 cbr ٣'", "expected the amount of a bet or raise"),
        ("'d dh p2 AhX'", "expected cards"),
        ("'d dh p2 Ahx'", "expected cards"),
        ("'d db 10h2c3d'", "expected cards"),
        ("17", "every action to be a string"),
    ],
)
def test_a_malformed_action_is_told_with_its_own_line(action: str, words: str) -> None:
    refused = error(ACTIONS.replace("@", action))
    assert refused.line == 10
    assert words in refused.expected


@pytest.mark.parametrize(
    ("action", "words"), [("'d dh p1 2c'", "2 hole cards for p1, not 3"), ("'d db 2c3c4c5c6c7c'", "5 board cards")]
)
def test_too_many_cards_are_told_at_the_actions(action: str, words: str) -> None:
    refused = error(ACTIONS.replace("@", action))
    assert refused.line == 6
    assert words in refused.expected


@pytest.mark.parametrize("field", ["variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions"])
def test_a_missing_field_is_named(field: str) -> None:
    assert error("# a hand\nhand = 1\n" + phh(**{field: None})).expected == f"expected the field {field}"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("variant", "1", "a string"),
        ("antes", "0", "an array"),
        ("antes", "['0', 0, 0]", "numbers"),
        ("min_bet", "'100'", "numbers"),
        ("min_bet", "-100", "0 or more"),
        ("starting_stacks", "[1]", "2 to 10"),
        ("starting_stacks", "[" + "1, " * 11 + "]", "2 to 10"),
        ("actions", "'p1 f'", "an array"),
        ("hand", "[1]", "a string or a number"),
        ("players", "['a', 'b']", "3 names"),
        ("ante_trimming_status", "1", "true or false"),
        ("finishing_stacks", "[1, 2]", "3 amounts"),
        ("_rake", "0.5", "whole chips"),
        ("_chip_unit", "0", "1 or more"),
        ("currency_symbol", "1", "a string"),
    ],
)
def test_a_field_of_the_wrong_kind_is_told_with_its_line(field: str, value: str, words: str) -> None:
    text = phh(**{field: value})
    refused = error(text)
    assert words in refused.expected
    assert refused.line == line_of(text, field)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("variant = 'NT'\nantes = [0, 0\nmin_bet = 1\n", 3),
        ("variant = 'NT'\nantes == 3\n", 2),
        ("variant = 'NT'\nvariant = 'NT'\n", 2),
        ("variant = 'NT'\nevent = 'open", 2),
        ("variant = 'NT'\nx = " + "[" * 5000, 1),
        ("variant = 'NT'\n" + "a." * 5000 + "a = 1\n", 2),
        ("variant = 'NT'\nx = " + "9" * 5000 + "\n", 1),
    ],
)
def test_text_that_is_not_toml_is_told_with_its_line(text: str, line: int) -> None:
    refused = error(text)
    assert refused.line == line, refused
    assert refused.expected.startswith("expected TOML")


def test_a_bad_hand_does_not_hide_the_others() -> None:
    good = phh(hand="7")
    bad_toml = good.replace("antes = [", "antes = {")
    bad_hand = good.replace("'NT'", "'PO'")
    text = f"# three hands\n[1]\n{good}\n[2] # broken\n{bad_toml}\n[3]\n{bad_hand}\n[1]\n{good}\n[five]\n{good}"
    reads = list(read_text(text, "hands.phhs"))
    assert [type(read) for read in reads] == [HandRecord, NotationError, NotationError, NotationError, HandRecord]
    lines = text.splitlines()
    broken, refused, repeated = (read for read in reads if isinstance(read, NotationError))
    assert broken.line == lines.index("[2] # broken") + 1 + 3
    assert refused.line == lines.index("[3]") + 1 + 1
    assert (repeated.line, "[1]" in repeated.expected) == (len(lines) - lines[::-1].index("[1]"), True)
    assert isinstance(reads[-1], HandRecord)
    assert reads[-1].line == lines.index("[five]") + 1 + 1
    assert str(refused).startswith(f"hands.phhs:{refused.line}: variant 'PO' (pot-limit Omaha")


def test_a_table_without_fields_and_one_that_is_too_long() -> None:
    good = phh()
    long = good + "".join(f"_note{number} = '{'x' * 200}'\n" for number in range(2000))
    empty, much, fine = read_text(f"[1]\n\n[2]\n{long}[3]\n{good}", "hands.phhs")
    assert isinstance(empty, NotationError)
    assert empty.expected == "expected the field variant"
    assert isinstance(much, NotationError)
    assert "characters for one hand" in much.expected
    assert isinstance(fine, HandRecord)


def test_too_many_actions_are_refused() -> None:
    assert "at most 1000 actions" in error(phh(actions="[" + "'p1 f', " * 1001 + "]")).expected


# --- writing --------------------------------------------------------------------------------------------


def test_a_written_hand_reads_as_it_should() -> None:
    text = write_phh(record(IRISH_LIMIT))
    assert text.startswith(
        "variant = 'FI'\nante_trimming_status = true\nantes = [0, 0, 0]\nblinds_or_straddles = [50, 100, 0]\n"
        "small_bet = 100\nbig_bet = 200\nstarting_stacks = [5000, 5000, 5000]\n"
        "actions = ['d dh p1 AhAd7c2d', 'd dh p2 KsKd8c3d', 'd dh p3 QhJh9h4s', 'p3 cbr 200',"
    )
    assert record(text) == record(IRISH_LIMIT)


def test_many_hands_are_written_as_tables() -> None:
    hands = [record(text) for text in (IRISH_NO_LIMIT, IRISH_POT_LIMIT, IRISH_LIMIT)]
    text = write_phhs(hands)
    assert [line for line in text.splitlines() if line.startswith("[")] == ["[1]", "[2]", "[3]"]
    assert list(read_text(text, "hands")) == hands


def test_a_show_without_cards_and_a_muck_come_back() -> None:
    read = record(phh(actions="['d dh p1 AhAd', 'p1 sm -', 'p2 sm']"))
    assert [step.step for step in read.steps] == [Step.SHOW, Step.MUCK]
    assert record(write_phh(read)) == read


def test_what_the_notation_does_not_tell_apart_is_read_as_such() -> None:
    read = record(phh(actions="['p3 cc', 'p1 cbr 300']"))
    steps = (RecordedStep(Step.CALL, 3, amount=100), RecordedStep(Step.RAISE, 1, 300))
    told = HandRecord(read.setup, steps, read.result, read.players, "full-tilt")
    assert record(write_phh(told)).steps == read.steps


def test_hands_that_phh_has_no_form_for_are_refused() -> None:
    read = record(phh())

    def changed(**fields: object) -> HandRecord:
        setup = HandSetup(**{name: getattr(read.setup, name) for name in read.setup.__dataclass_fields__} | fields)
        return HandRecord(setup, read.steps, read.result, read.players, "phh")

    with pytest.raises(ValueError, match="no variant code"):
        write_phh(changed(rule_set=RuleSet("test/pineapple", 1, CRAZY_PINEAPPLE, (Limit.NO_LIMIT,))))
    with pytest.raises(ValueError, match="is not a rule set"):
        write_phh(changed(rule_set=RuleSet("test/holdem", 1, HOLDEM, (Limit.NO_LIMIT,))))
    stakes = Stakes(50, 100, ante_kind=AnteKind.EACH, ante=5)
    with pytest.raises(ValueError, match="beside a dead small blind"):
        write_phh(changed(stakes=stakes, posts=(Post(3, 100, 50),)))
    with pytest.raises(ValueError, match="timeout"):
        write_phh(HandRecord(read.setup, (RecordedStep(Step.TIMEOUT, 3),), read.result, read.players, "phh"))


@pytest.mark.rule("TIME-4")
def test_a_fold_of_a_forfeited_hand_is_told_by_its_comment_and_judged_as_what_it_is() -> None:
    actions = "['p3 cc', 'p1 cc', 'p2 f # forfeit', 'd db 2c3d4h', 'p1 f#forfeit']"
    read = record(phh(actions=actions))
    assert [step.step for step in read.steps if step.seat][2:] == [Step.FORFEIT, Step.FORFEIT]
    assert judge_record(read).findings == ()
    assert record(write_phh(read)) == read
    (finding,) = judge_record(record(phh(actions=actions.replace("# forfeit", "# folds for nothing")))).findings
    assert (finding.rule, finding.step) == ("BET-3", 2)


def test_findings_of_a_record_with_unknown_cards_are_not_disagreements() -> None:
    judgement = judge_record(record(phh("NT", 2, actions="['p2 cc', 'p1 cc', 'd db ??????']")))
    assert {finding.kind for finding in judgement.findings} == {FindingKind.NOT_CHECKABLE}
