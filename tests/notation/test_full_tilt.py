"""Full Tilt's text: hands told in the room's words, what is refused, and the line of every error.

The hands are made up; their wording is the room's, as referee.record.notation.full_tilt_text says.
"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from referee.judge import judge_record
from referee.record.hand_record import HandRecord, NotationError, RecordedStep, Step
from referee.record.notation import read_text, write_full_tilt
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import CRAZY_PINEAPPLE, AnteKind, Limit, RuleSet, Stakes, find_rule_set
from referee.rules.setup import NOBODY, Post, hole_of
from tests.notation.reading import error, line_of, record

IRISH_POT_LIMIT = """\
Full Tilt Poker Game #20: Table Emerald (6 max) - PL Irish - $1/$2 - 10:00:00 CET - 2013/04/07 [4:00:00 ET - 2013/04/07]
Seat 1: ann ($40)
Seat 2: bob b ($100)
Seat 4: cy ($1,000)
Seat 5: dee ($7.50), is sitting out
ann posts the small blind of $1
bob b posts the big blind of $2
The button is in seat #4
*** HOLE CARDS ***
Dealt to ann [Ah Ad 7c 2d]
cy raises to $7
ann raises to $23
cy: all these raises: are they real?
bob b has 15 seconds left to act
bob b calls $21
cy calls $16
*** FLOP *** [Kc 2h 9s] (Total Pot: $69, 3 Players)
ann bets $17, and is all in
bob b calls $17
cy folds
*** DISCARD ROUND *** (Total Pot: $103, 2 Players, 1 All-In)
ann discards [7c 2d]
bob b discards
ann shows [Ah Ad]
bob b shows [Ks Kd]
*** TURN *** [Kc 2h 9s] [9d] (Total Pot: $103, 2 Players, 1 All-In)
*** RIVER *** [Kc 2h 9s 9d] [5c] (Total Pot: $103, 2 Players, 1 All-In)
ann shows two pair, Aces and Nines
bob b shows a full house, Kings full of Nines
bob b wins the pot ($101) with a full house, Kings full of Nines
*** SUMMARY ***
Total pot $103 | Rake $2
Board: [Kc 2h 9s 9d 5c]
Seat 1: ann (small blind) showed [Ah Ad] and lost with two pair, Aces and Nines
Seat 2: bob b (big blind) showed [Ks Kd] and won ($101) with a full house, Kings full of Nines
Seat 4: cy (button) folded on the Flop
Seat 5: dee is sitting out
"""

LIMIT_TOURNAMENT = """\
Full Tilt Poker Game #21: $5 Sit & Go (4711), Table 1 - 100/200 Ante 10 - Limit Hold'em - 1:02:03 ET - 2009/01/29
Seat 2: ann (60)
Seat 5: bob (1,000)
Seat 6: cy (40)
Seat 8: dee (1,500)
ann antes 10
bob antes 10
cy antes 10
dee antes 10
cy posts the small blind of 30, and is all in
dee posts the big blind of 100
The button is in seat #5
*** HOLE CARDS ***
Dealt to bob [2h 9h]
ann calls 50, and is all in
bob calls 100
dee checks
*** FLOP *** [2d 7s Qc] (Total Pot: 320, 4 Players, 2 All-In)
dee bets 100
bob calls 100
*** TURN *** [2d 7s Qc] [8s] (Total Pot: 520, 4 Players, 2 All-In)
dee bets 200
bob raises to 400
dee calls 200
*** RIVER *** [2d 7s Qc 8s] [5c] (Total Pot: 1,320, 4 Players, 2 All-In)
dee checks
bob checks
*** SHOW DOWN ***
bob shows [2h 9h] a pair of Twos
dee mucks
bob wins side pot #2 (1,100) with a pair of Twos
ann shows [As 2c] a pair of Twos
ann wins side pot #1 (60) with a pair of Twos
cy shows [Ts Th] a pair of Tens
cy wins the main pot (160) with a pair of Tens
*** SUMMARY ***
Total pot 1,320 Main pot 160. Side pot 1 60. Side pot 2 1,100. | Rake 0
Board: [2d 7s Qc 8s 5c]
Seat 2: ann showed [As 2c] and won (60) with a pair of Twos
Seat 5: bob (button) showed [2h 9h] and won (1,100) with a pair of Twos
Seat 6: cy (small blind) showed [Ts Th] and won (160) with a pair of Tens
Seat 8: dee (big blind) mucked [Ac Kd] - Ace King high
"""

DEAD_BLINDS = """\
Full Tilt Poker Game #22: Table Ruby - deep - $0.50/$1 - No Limit Hold'em - 10:00:00 ET - 2013/04/07
Seat 1: ann ($100)
Seat 2: bob ($100)
Seat 3: cy ($100)
Seat 4: dee ($100)
bob posts the big blind of $1
dee posts a dead small blind of $0.50
dee posts $1
The button is in seat #1
*** HOLE CARDS ***
cy folds
dee checks
ann folds
bob has timed out
bob checks
*** FLOP *** [2d 7s Qc] (Total Pot: $2.50, 2 Players)
bob bets $1
dee folds
Uncalled bet of $1 returned to bob
bob mucks
bob wins the pot ($2.50)
*** SUMMARY ***
Total pot $2.50 | Rake $0
Board: [2d 7s Qc]
Seat 1: ann (button) didn't bet (folded)
Seat 2: bob (big blind) collected ($2.50), mucked
Seat 3: cy didn't bet (folded)
Seat 4: dee folded on the Flop
"""

TIED = """\
Full Tilt Poker Game #23: Table Ruby - $1/$2 - No Limit Hold'em - 10:00:00 ET - 2013/04/07
Seat 1: ann ($20)
Seat 2: bob ($20)
bob posts the small blind of $1
ann posts the big blind of $2
The button is in seat #2
*** HOLE CARDS ***
bob raises to $20, and is all in
ann calls $18, and is all in
bob shows [Ah Kd]
ann shows [Ac Ks]
*** FLOP *** [2d 7s Qc]
*** TURN *** [2d 7s Qc] [8s]
*** RIVER *** [2d 7s Qc 8s] [5c]
bob ties for the pot ($20) with Ace King high
ann ties for the pot ($20) with Ace King high
*** SUMMARY ***
Total pot $40 | Rake $0
Board: [2d 7s Qc 8s 5c]
Seat 1: ann (big blind) showed [Ac Ks] and won ($20) with Ace King high
Seat 2: bob (small blind) showed [Ah Kd] and won ($20) with Ace King high
"""

EVERY_HAND = (IRISH_POT_LIMIT, LIMIT_TOURNAMENT, DEAD_BLINDS, TIED)


@pytest.mark.parametrize("text", EVERY_HAND, ids=["irish", "limit", "dead blinds", "tied"])
def test_hands_agree_and_come_back(text: str) -> None:
    read = record(text)
    judgement = judge_record(read)
    assert judgement.agrees(), judgement.findings
    assert record(write_full_tilt(read)) == read
    assert record(write_full_tilt(read, judgement.settlement)) == read


@pytest.mark.rule("GAME-2", "SIZE-4", "DISC-1", "DISC-4", "POT-2", "POT-8")
def test_pot_limit_irish() -> None:
    read = record(IRISH_POT_LIMIT)
    setup = read.setup
    assert (setup.limit, setup.rule_set.full_name, read.rule_set_named) == (
        Limit.POT_LIMIT,
        "irish/full-tilt@1",
        True,
    )
    assert (read.unit, read.currency, setup.stakes) == (Decimal("0.01"), "$", Stakes(100, 200))
    assert (setup.seats, setup.stacks, setup.button_seat) == ((1, 2, 4), (4000, 10_000, 100_000), 4)
    assert read.players == ("ann", "bob b", "cy")
    assert hole_of(setup, 0) == parse_cards("AhAd7c2d")
    # Kept cards that are shown at the end, and discards that nobody saw.
    assert hole_of(setup, 1) == (*parse_cards("KsKd"), UNKNOWN, UNKNOWN)
    assert [step.cards for step in read.steps if step.step == Step.DISCARD] == [parse_cards("7c2d"), (UNKNOWN,) * 2]
    assert (read.result.total_pot, read.result.rake, setup.recorded_rake) == (10_300, 200, 200)
    assert read.result.collected == (0, Fraction(10_100), 0)
    assert read.facts["place"] == "Table Emerald (6 max)"
    assert read.facts["time"] == "10:00:00 CET - 2013/04/07 [4:00:00 ET - 2013/04/07]"
    assert read.facts["seat 5"] == "dee ($7.50)"
    calls = [step.amount for step in read.steps if step.step == Step.CALL]
    assert calls == [2100, 1600, 1700]


@pytest.mark.rule("BLIND-3", "BLIND-5", "SIZE-5", "POT-1")
def test_limit_tournament_with_antes_and_side_pots() -> None:
    read = record(LIMIT_TOURNAMENT)
    stakes = Stakes(50, 100, ante_kind=AnteKind.EACH, ante=10)
    assert (read.unit, read.currency, read.setup.stakes) == (1, "", stakes)
    assert read.setup.rule_set.full_name == "holdem/online-limit@1"
    assert read.setup.seats == (6, 8, 2, 5)
    assert hole_of(read.setup, 1) == parse_cards("AcKd")
    assert read.result.collected == (160, 0, 60, 1100)
    told = write_full_tilt(read, judge_record(read).settlement)
    assert "bob wins side pot #2 (1,100) with" in told
    assert "cy wins the main pot (160) with" in told
    assert "Total pot 1,320 Main pot 160. Side pot 1 60. Side pot 2 1,100. | Rake 0" in told


@pytest.mark.rule("BLIND-6", "SEAT-1", "SEAT-3")
def test_dead_blinds_and_posts() -> None:
    setup = record(DEAD_BLINDS).setup
    assert (setup.small_blind_seat, setup.big_blind_seat) == (NOBODY, 2)
    assert setup.posts == (Post(4, 100, 50),)


def test_a_tie_is_told_by_everybody_who_shares() -> None:
    read = record(TIED)
    assert read.result.collected == (2000, 2000)
    assert write_full_tilt(read, judge_record(read).settlement).count("ties for the pot ($20)") == 2


def test_short_forms_thousands_and_other_currencies() -> None:
    text = LIMIT_TOURNAMENT.replace("100/200 Ante 10 - Limit Hold'em", "FL Hold'em - 0.1K/0.2K Ante 10")
    assert record(text).setup == record(LIMIT_TOURNAMENT).setup
    euros = record(TIED.replace("$", "€"))
    assert (euros.currency, euros.setup) == ("€", record(TIED).setup)
    assert record(write_full_tilt(euros)) == euros


def test_a_small_blind_of_fixed_limit_is_the_one_that_is_posted() -> None:
    text = LIMIT_TOURNAMENT.replace("cy (40)", "cy (400)").replace("30, and is all in", "40")
    assert record(text).setup.stakes.small_blind == 40


@pytest.mark.rule("BLIND-5")
def test_who_has_only_the_ante_is_a_blind_without_a_line() -> None:
    text = LIMIT_TOURNAMENT.replace("cy (40)", "cy (10)").replace("cy antes 10", "cy antes 10, and is all in")
    text = text.replace("cy posts the small blind of 30, and is all in\n", "")
    assert (record(text).setup.small_blind_seat, record(text).setup.big_blind_seat) == (6, 8)


def test_who_sits_out_but_plays_is_dealt_in() -> None:
    read = record(TIED.replace("Seat 1: ann ($20)", "Seat 1: ann ($20), is sitting out"))
    assert read.players == ("ann", "bob")
    listed = DEAD_BLINDS.replace("cy folds\n", "").replace("cy didn't bet (folded)", "cy is sitting out")
    assert record(listed).players == ("bob", "dee", "ann")


def test_the_summary_tells_who_collected_when_no_line_does() -> None:
    text = DEAD_BLINDS.replace("bob wins the pot ($2.50)\n", "")
    assert record(text).result.collected == (250, 0, 0, 0)


def test_a_hand_without_a_summary_is_read_as_far_as_it_goes() -> None:
    read = record(DEAD_BLINDS.partition("*** SUMMARY ***")[0])
    assert (read.result.total_pot, read.result.rake, read.setup.recorded_rake) == (None, None, -1)


def test_a_rule_set_is_given() -> None:
    given = record(IRISH_POT_LIMIT, rule_set=find_rule_set("irish/tda@1"))
    assert (given.setup.rule_set.full_name, given.rule_set_named) == ("irish/tda@1", True)
    refused = error(IRISH_POT_LIMIT, rule_set=find_rule_set("holdem/tda@1"))
    assert (refused.line, "is not for Irish" in refused.expected) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        "cy has 5 seconds left to act",
        "5 seconds left to act",
        "cy is feeling happy",
        "cy stands up",
        "somebody else sits down",
        "somebody else adds $20",
        "cy has been disconnected",
        "Dealer: Hand #22",
        "ann: folds",
        "The blinds are now 30/60",
        "Time has expired",
    ],
)
def test_messages_and_chat_are_skipped(words: str) -> None:
    assert record(DEAD_BLINDS.replace("cy folds\n", f"{words}\ncy folds\n")) == record(DEAD_BLINDS)


# --- what is refused, with its line ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("No Limit Omaha H/L", "No Limit Omaha H/L is not hold'em or Irish"),
        ("Limit 2-7 Triple Draw", "Limit 2-7 Triple Draw is not hold'em or Irish"),
        ("$20 Cap No Limit Hold'em", "$20 Cap games"),
        ("CAP NL Hold'em", "CAP games"),
    ],
)
def test_other_games_are_refused_by_name(game: str, words: str) -> None:
    refused = error(DEAD_BLINDS.replace("No Limit Hold'em", game))
    assert (refused.line, words in refused.expected) == (1, True), refused


@pytest.mark.parametrize(
    ("old", "new", "where", "words"),
    [
        ("#22: Table", "#x: Table", "#x", "number: table - stakes"),
        ("$0.50/$1", "$0.50-$1", "$0.50-$1", "table - stakes - game - time"),
        ("2013/04/07\n", "2013/04/07 (partial)\n", "partial", "marked as partial"),
        ("cy folds", "cy raises $5", "cy raises $5", "what a player posts, does, shows or wins"),
        ("cy folds", "cy folds $5", "cy folds $5", "what a player posts"),
        ("cy folds", "cy calls", "cy calls", "what a player posts"),
        ("cy folds", "cy dances", "cy dances", "what a player posts"),
        ("cy folds", "nobody folds", "nobody folds", "what a player posts"),
        ("cy folds", "cy calls $1.005", "cy calls", "whole chips"),
        ("cy folds", "cy calls $" + "9" * 30, "cy calls", "an amount"),
        ("cy folds", "Players agree to Run It Twice", "Run It", "run twice"),
        ("cy folds", "Hand #22 has been canceled", "canceled", "cancelled"),
        ("cy folds", "Dealt to eve [Ah Kd]", "Dealt to", "a player with a seat"),
        ("cy folds", "Dealt to cy [Ah 10d]", "Dealt to", "expected cards"),
        ("cy folds", "*** DEAL ***", "*** DEAL", "a heading such as"),
        ("*** FLOP *** [2d 7s Qc]", "*** FLOP *** [2d 7s]", "FLOP", "3 new cards"),
        ("*** FLOP *** [2d 7s Qc]", "*** TURN *** [2d 7s Qc] [2h]", "TURN", "the board so far"),
        ("*** FLOP *** [2d 7s Qc]", "*** TURN *** [2d]", "TURN", "3 new cards on the street that is due"),
        ("returned to bob", "returned to eve", "returned", "a player with a seat"),
        ("Seat 4: dee ($100)", "Seat 3: dee ($100)", "dee ($100)", "different seats"),
        ("Seat 4: dee ($100)", "Seat 11: dee ($100)", "dee ($100)", "different seats"),
        ("Seat 4: dee ($100)", "Seat 4: cy ($100)", "Seat 4: cy", "different players"),
        ("Seat 4: dee ($100)", "Seat 4: dee", "Seat 4: dee", "chat"),
        ("The button is in seat #1\n", "", "Full Tilt", "the line 'The button"),
        ("seat #1", "seat #12", "Full Tilt", "a seat from 1 to 10"),
        ("bob posts the big blind of $1\n", "", "Full Tilt", "posts the big blind"),
        ("dee posts $1", "cy posts the big blind of $1", "cy posts", "one player who posts the big blind"),
        ("dee posts $1", "dee posts $0.75", "dee posts $0.75", "expected $1, or less and all in"),
        ("dead small blind of $0.50", "dead small blind of $1", "dead small", "expected $0.50, or less"),
        ("Board: [2d 7s Qc]", "Board: [2d 7s Kc]", "Board", "the board that was dealt"),
        ("Seat 3: cy didn't", "Seat 3: eve didn't", "eve didn't", "the player who sits in seat 3"),
        ("Total pot $2.50 |", "Pot $2.50 |", "Pot $2.50 |", "the total pot, the board"),
    ],
)
def test_a_malformed_hand_is_told_with_its_line(old: str, new: str, where: str, words: str) -> None:
    assert old in DEAD_BLINDS
    text = DEAD_BLINDS.replace(old, new, 1)
    if words == "chat":  # A seat line without a stack is taken for chat; then the player has no seat.
        where, words = "dee posts a dead", "what a player posts"
    refused = error(text)
    assert (refused.line, words in refused.expected) == (line_of(text, where), True), refused


def test_too_few_players_and_too_many_lines() -> None:
    header, *_ = TIED.splitlines()
    alone = f"{header}\nSeat 2: bob ($20)\nbob posts the big blind of $2\nThe button is in seat #2\n"
    assert "2 to 10 players, not 1" in error(alone).expected
    assert "2000 lines" in error(TIED + "ann: hi\n" * 2001).expected
    assert "1000 characters" in error(TIED.replace("ann shows", "x" * 1001)).expected


def test_a_bad_hand_does_not_hide_the_others() -> None:
    text = "\ufeff" + "\n\n".join([TIED, TIED.replace("bob raises", "bob jumps"), DEAD_BLINDS])
    first, refused, last = read_text(text, "hands.txt")
    assert isinstance(first, HandRecord)
    assert isinstance(refused, NotationError)
    assert refused.line == line_of(text, "bob jumps")
    assert isinstance(last, HandRecord)
    assert last.line == line_of(text, "Game #22")


# --- writing --------------------------------------------------------------------------------------------


def test_what_a_record_leaves_out_is_added_up() -> None:
    read = record(DEAD_BLINDS)
    brief = replace(
        read,
        notation="phh",
        steps=tuple(
            RecordedStep(Step.CHECK_OR_CALL, step.seat)
            if step.step in (Step.CHECK, Step.CALL)
            else RecordedStep(Step.BET_OR_RAISE, step.seat, step.to)
            if step.step in (Step.BET, Step.RAISE)
            else step
            for step in read.steps
            if step.step != Step.RETURNED
        ),
    )
    assert write_full_tilt(brief) == write_full_tilt(read)


def test_other_steps_are_told_in_the_rooms_words() -> None:
    read = record(TIED)
    steps = (RecordedStep(Step.ALL_IN, 2), RecordedStep(Step.TIMEOUT, 1))
    told = write_full_tilt(replace(read, steps=steps, notation="other"))
    assert "bob raises to $20, and is all in\nann has timed out\nann folds\nUncalled bet of $18 returned to bob" in told


def test_hands_that_the_format_has_no_form_for_are_refused() -> None:
    read = record(TIED)
    setup = read.setup
    pineapple = RuleSet("test/pineapple", 1, CRAZY_PINEAPPLE, (Limit.NO_LIMIT,))
    cases = {
        "no name for the game": replace(read, setup=replace(setup, rule_set=pineapple, deck=())),
        "big blind alone": replace(
            read, setup=replace(setup, stakes=replace(setup.stakes, ante_kind=AnteKind.BIG_BLIND, ante=1))
        ),
        "a big bet": replace(read, setup=replace(setup, stakes=replace(setup.stakes, big_bet=300))),
        "must differ": replace(read, players=("ann", "ann")),
        "forfeit": replace(read, steps=(RecordedStep(Step.FORFEIT, 1),)),
        "not dealt in": replace(read, steps=(RecordedStep(Step.FOLD, 9),)),
    }
    for words, changed in cases.items():
        with pytest.raises(ValueError, match=words):
            write_full_tilt(changed)
