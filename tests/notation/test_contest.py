"""The contest dealer's logs: STATE lines, game definitions, and the line of every error."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from referee.judge import judge_record
from referee.record.hand_record import HandRecord, NotationError, RecordedStep, Step
from referee.record.notation import read_file, read_text, write_contest
from referee.record.notation.contest import read_contest
from referee.record.notation.contest_game import BUILT_IN, GameDefinition, read_game, write_game
from referee.record.notation.contest_writer import game_of, write_state
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import AnteKind, Limit, find_rule_set
from referee.rules.setup import Post, hole_of

HEAD_NO_LIMIT = "# name/game/hands/seed match holdem.nolimit.3p.game 2 7\n#--t_response 600000\n"
HEAD_LIMIT = "# name/game/hands/seed match holdem.limit.2p.reverse_blinds.game 1 0\n"
# The button raises to 300, the small blind calls, 500 are bet and called, 1,000 more fold out the button.
STATE = "STATE:12:r300cf/cr800c/r1800f:AhKd|2c7s|QsQd/2h9s3d/Jc:900|-100|-800:ann|bob|cy"
GAME = """\
GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 2000 1000 1500   # by position
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
LIMIT_GAME = GAME.replace("nolimit", "limit").replace(
    "firstPlayer", "raiseSize = 100 100 200 200\nmaxRaises = 3 4 4 4\nfirstPlayer"
)


def one(text: str, **given: object) -> HandRecord:
    (read,) = read_text(text, "log", **given)
    assert not isinstance(read, NotationError), read
    return read


def error(text: str, **given: object) -> NotationError:
    (read,) = read_text(text, "log", **given)
    assert isinstance(read, NotationError), read
    return read


def test_totals_of_the_hand_become_totals_of_the_street() -> None:
    read = one(HEAD_NO_LIMIT + STATE)
    assert [(step.step, step.seat, step.to) for step in read.steps] == [
        (Step.BET_OR_RAISE, 3, 300),
        (Step.CHECK_OR_CALL, 1, 0),
        (Step.FOLD, 2, 0),
        (Step.BOARD, 0, 0),
        (Step.CHECK_OR_CALL, 1, 0),
        (Step.BET_OR_RAISE, 3, 500),
        (Step.CHECK_OR_CALL, 1, 0),
        (Step.BOARD, 0, 0),
        (Step.BET_OR_RAISE, 1, 1000),
        (Step.FOLD, 3, 0),
    ]
    assert read.players == ("ann", "bob", "cy")
    assert (read.setup.hand_id, read.setup.stacks, read.setup.button_seat) == ("12", (20_000,) * 3, 3)
    assert read.result.finishing_stacks == (20_900, 19_900, 19_200)
    assert read.facts == {"match": "match", "game": "holdem.nolimit.3p.game", "seed": "7"}
    assert (read.line, {step.line for step in read.steps}) == (3, {3})
    assert [hole_of(read.setup, player) for player in range(3)] == [parse_cards(h) for h in ("AhKd", "2c7s", "QsQd")]
    assert judge_record(read).agrees()


@pytest.mark.rule("BLIND-2", "SIZE-5")
def test_limit_raises_have_no_amount_and_stacks_are_not_known() -> None:
    read = one(HEAD_LIMIT + "STATE:0:rrc/crf:AhKd|2c7s/2h9s3d:-40|40:ann|bob\n")
    assert [(step.seat, step.to) for step in read.steps] == [(2, 20), (1, 30), (2, 0), (0, 0), (1, 0), (2, 10), (1, 0)]
    assert (read.setup.small_blind_seat, read.setup.big_blind_seat, read.stacks_known) == (2, 1, False)
    judgement = judge_record(read)
    assert [finding.rule for finding in judgement.findings] == ["POT-5"]
    assert one(HEAD_LIMIT + "STATE:0:rrc/crf:AhKd|2c7s/2h9s3d:-30|30:ann|bob\n").facts["game"] == read.facts["game"]
    assert judge_record(one(HEAD_LIMIT + "STATE:0:rrc/crf:AhKd|2c7s/2h9s3d:-30|30:ann|bob\n")).agrees()


def test_an_all_in_in_limit_is_as_large_as_the_stack() -> None:
    game = read_game(LIMIT_GAME.replace("2000 1000 1500", "2000 350 1500"), "g.game")
    read = one("STATE:0:rrrcf/:|AhKd|/2h9s3d:-300|650|-350:a|b|c", game=game)
    assert [(step.seat, step.to) for step in read.steps[:3]] == [(3, 200), (1, 300), (2, 350)]


def test_cards_that_the_log_leaves_out_are_unknown() -> None:
    read = one(HEAD_NO_LIMIT + STATE.replace("AhKd|2c7s", "|"))
    assert [hole_of(read.setup, player) for player in (0, 1)] == [(UNKNOWN,) * 2] * 2


def test_parts_of_odd_chips_are_fractions() -> None:
    read = one(HEAD_NO_LIMIT + "STATE:1:ff:||:-33.333333|0.5|32.833333:a|b|c")
    assert read.result.finishing_stacks == (20_000 - Fraction(100, 3), Fraction(40_001, 2), 20_000 + Fraction(197, 6))


def test_more_chips_than_a_player_has_are_read_for_the_judge_to_refuse() -> None:
    read = one(HEAD_NO_LIMIT + "STATE:1:r99999fc///:AhKd|2c7s|QsQd/2h9s3d/Jc/4d:0|0|0:a|b|c")
    assert [finding.rule for finding in judge_record(read).findings][:2] == ["SIZE-2", "BET-8"]


# --- games ----------------------------------------------------------------------------------------------


def test_the_built_in_games_are_those_of_their_files() -> None:
    for game in BUILT_IN.values():
        assert read_game(write_game(game), game.name) == game
    assert BUILT_IN["holdem.nolimit.3p.game"] == GameDefinition(
        "holdem.nolimit.3p.game", Limit.NO_LIMIT, (50, 100, 0), (20_000, 20_000, 20_000)
    )


def test_a_game_beside_the_log_goes_before_a_built_in_one(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    log.write_text(HEAD_NO_LIMIT + STATE + "\n")
    (read,) = read_file(log)
    assert isinstance(read, HandRecord)
    assert read.setup.stacks == (20_000,) * 3
    (tmp_path / "holdem.nolimit.3p.game").write_text(GAME)
    (beside,) = read_file(log)
    assert isinstance(beside, HandRecord)
    assert beside.setup.stacks == (2000, 1000, 1500)


def test_a_game_is_given_as_a_file_or_a_value(tmp_path: Path) -> None:
    path = tmp_path / "own.game"
    path.write_text(GAME)
    for game in (path, read_game(GAME, "own.game")):
        assert one(STATE, game=game).setup.stacks == (2000, 1000, 1500)
    path.write_text(GAME.replace("nolimit", "potlimit"))
    refused = error(STATE, game=path)
    assert (refused.source, refused.line) == (str(path), 2)


@pytest.mark.parametrize("head", ["", "# name/game/hands/seed match unknown.game 1 0\n", "# hello\n"])
def test_without_a_game_one_error_is_all_that_comes(head: str) -> None:
    refused = error(head + (STATE + "\n") * 5)
    assert refused.line == head.count("\n") + 1
    assert "holdem.nolimit.3p.game" in refused.expected


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", ".."])
def test_a_log_cannot_name_files_elsewhere(tmp_path: Path, name: str) -> None:
    log = tmp_path / "logs" / "match.log"
    log.parent.mkdir()
    log.write_text(f"# name/game/hands/seed match {name} 1 0\n{STATE}\n")
    (tmp_path / "passwd").write_text(GAME)
    (refused,) = read_file(log)
    assert isinstance(refused, NotationError)
    assert refused.source == str(log)


@pytest.mark.rule("SIZE-6")
@pytest.mark.parametrize(
    ("raises", "rule_set", "cap"),
    [
        ("3 4 4 4", "holdem/online-limit@1", 3),
        ("2 3 3 3", "holdem/contest-cap-2@1", 2),
        ("255 255 255 255", "holdem/contest-cap-100@1", 100),
    ],
)
def test_the_cap_on_raises_is_the_games(raises: str, rule_set: str, cap: int) -> None:
    game = read_game(LIMIT_GAME.replace("3 4 4 4", raises), "own.game")
    rules = one("STATE:0:fff:||:0|0|0:a|b|c".replace("fff", "ff"), game=game).setup.rule_set
    assert (rules.full_name, rules.max_raises) == (rule_set, cap)


def test_a_given_rule_set_goes_before_the_games_and_must_fit() -> None:
    given = one(HEAD_NO_LIMIT + STATE, rule_set=find_rule_set("holdem/tda@1"))
    assert given.rule_set_named
    refused = error(HEAD_NO_LIMIT + STATE, rule_set=find_rule_set("irish/tda@1"))
    assert (refused.line, "is not for hold'em" in refused.expected) == (3, True)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("GAMEDEF\nnolimit", "GAME\nnolimit", 1, "expected GAMEDEF"),
        ("END GAMEDEF\n", "", 11, "END GAMEDEF"),
        ("nolimit\n", "", 11, "limit or nolimit"),
        ("numPlayers = 3", "numPlayers 3", 3, "numbers, not"),
        ("numPlayers = 3", "numPlayers = 11", 3, "2 to 10"),
        ("numPlayers = 3", "numPlayers = 3 3", 3, "1 to 1 numbers"),
        ("blind = 50 100 0", "blind = 50 x 0", 6, "numbers up to"),
        ("blind = 50 100 0", "blind = 50 99999999999 0", 6, "numbers up to"),
        ("blind = 50 100 0", "blind = 50 100", 6, "3 numbers for blind"),
        ("blind = 50 100 0", "blind = 50 100 200", 6, "small blind, big blind, then 0"),
        ("blind = 50 100 0", "blind = 100 50 0", 6, "small blind, big blind, then 0"),
        ("stack = 2000 1000 1500", "stack = 2000 1000", 5, "3 stacks"),
        ("stack = 2000 1000 1500", "stack = 2000 0 1500", 5, "3 stacks above 0"),
        ("firstPlayer = 3 1 1 1", "firstPlayer = 1 1 1 1", 7, "firstPlayer = 3 1 1 1"),
        ("numSuits = 4", "numSuits = 2", 8, "only hold'em"),
        ("numHoleCards = 2", "numHoleCards = 4", 10, "only hold'em"),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 3 1", 11, "only hold'em"),
        ("numRounds = 4", "numRounds = 3", 4, "only hold'em"),
    ],
)
def test_other_games_are_refused_with_the_line(old: str, new: str, line: int, words: str) -> None:
    assert old in GAME
    with pytest.raises(NotationError) as refused:
        read_game(GAME.replace(old, new), "own.game")
    assert (refused.value.line, words in refused.value.expected) == (line, True), refused.value


@pytest.mark.rule("BLIND-1", "BLIND-2")
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("100 100 200 200", "100 100 200", 7),
        ("100 100 200 200", "50 50 100 100", 7),
        ("3 4 4 4", "4 4 4 4", 8),
        ("3 4 4 4", "3 4 4 5", 8),
    ],
)
def test_other_limit_games_are_refused_with_the_line(old: str, new: str, line: int) -> None:
    with pytest.raises(NotationError) as refused:
        read_game(LIMIT_GAME.replace(old, new), "own.game")
    assert refused.value.line == line


@pytest.mark.rule("BLIND-2")
def test_heads_up_needs_reverse_blinds() -> None:
    two = GAME.replace("numPlayers = 3", "numPlayers = 2").replace("2000 1000 1500", "500 500")
    reverse = two.replace("50 100 0", "100 50").replace("3 1 1 1", "2 1 1 1")
    assert read_game(reverse, "own.game").small_blind == 50
    with pytest.raises(NotationError, match="the big blind first"):
        read_game(two.replace("50 100 0", "50 100").replace("3 1 1 1", "1 2 2 2"), "own.game")


# --- malformed lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("STATE:", "STATUS:", "STATE, a colon"),
        ("STATE:12", "STATE:x", "the hand's number, not 'x'"),
        (":ann|bob|cy", "", "the players"),
        (":ann|bob|cy", ":ann|bob", "3 players"),
        (":900|-100|-800", ":900|-800", "3 results"),
        (":900|-100|-800", ":900|-100|?", "an amount won or lost"),
        (":900|-100|-800", ":900|-100|" + "9" * 30, "an amount won or lost"),
        ("r300cf", "r300xf", "f, c, r and / alone"),
        ("r300cf", "rcf", "r and the player's total"),
        ("r300cf", "r" + "9" * 20 + "cf", "r and the player's total"),
        ("AhKd|", "AhK|", "expected cards"),
        ("AhKd|", "AhKdQc|", "2 cards"),
        ("AhKd|2c7s|QsQd", "AhKd|2c7s", "3 hands"),
        ("2h9s3d/Jc", "2h9s3d", "2 parts of the board"),
        ("2h9s3d", "2h9s", "3 cards"),
        ("/r1800f", "////", "parts of the board"),
        ("r300cf/", "fff/", "nobody is left to act"),
    ],
)
def test_a_malformed_line_is_told_and_does_not_hide_the_others(old: str, new: str, words: str) -> None:
    assert old in STATE
    first, refused, last = read_text(HEAD_NO_LIMIT + f"{STATE}\n{STATE.replace(old, new)}\n{STATE}\n", "log")
    assert isinstance(refused, NotationError)
    assert (refused.line, words in refused.expected) == (4, True), refused
    assert first == last


@pytest.mark.parametrize("score", ["SCORE:1|2:a|b|c", "SCORE:x|0|0:a|b|c", "SCORE:1"])
def test_a_malformed_score_is_told(score: str) -> None:
    _, refused = read_text(HEAD_NO_LIMIT + f"{STATE}\n{score}\n", "log")
    assert isinstance(refused, NotationError)
    assert refused.line == 4


def test_lines_are_read_one_by_one() -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        yield HEAD_NO_LIMIT.splitlines()[0]
        while True:
            taken += 1
            yield STATE

    reads = read_contest(endless(), "pipe")  # type: ignore[arg-type]
    for _ in range(10):
        assert isinstance(next(reads), HandRecord)
    assert taken == 10


# --- writing --------------------------------------------------------------------------------------------


def test_a_log_comes_back_as_it_was() -> None:
    text = "# name/game/hands/seed match holdem.nolimit.3p.game 2 7\n"
    second = "STATE:13:ff:AhKd|2c7s|QsQd:-50|50|0:cy|ann|bob\n"
    text += STATE + "\n" + second + "SCORE:950|-100|-850:ann|bob|cy\n"
    assert "".join(write_contest([*read_text(text, "log")])) == text  # type: ignore[list-item]
    assert list(write_contest([])) == []


def test_named_kinds_of_actions_are_written_too() -> None:
    read = one(HEAD_NO_LIMIT + STATE)
    named = (
        RecordedStep(Step.RAISE, 3, 300),
        RecordedStep(Step.CALL, 1, amount=250),
        RecordedStep(Step.TIMEOUT, 2),
        read.steps[3],
        RecordedStep(Step.CHECK, 1),
        RecordedStep(Step.BET, 3, 500),
        RecordedStep(Step.CALL, 1, amount=500),
        read.steps[7],
        RecordedStep(Step.ALL_IN, 1),
        RecordedStep(Step.RETURNED, 1, amount=10),
        RecordedStep(Step.FOLD, 3),
        RecordedStep(Step.MUCK, 1),
    )
    assert ":r300cf/cr800c/r20000f:" in write_state(replace(read, steps=named))


def test_hands_that_a_log_has_no_form_for_are_refused() -> None:
    read = one(HEAD_NO_LIMIT + STATE)
    setup, stakes = read.setup, read.setup.stakes
    with_ante = replace(setup, stakes=replace(stakes, ante_kind=AnteKind.EACH, ante=5))
    cases = {
        "no antes": replace(read, setup=with_ante),
        "antes, posts": replace(read, setup=replace(setup, posts=(Post(3, 100, 0),))),
        "no-limit and limit hold'em only": replace(read, setup=replace(setup, limit=Limit.POT_LIMIT)),
        "no : and": replace(read, players=("a:b", "c", "d")),
        "won or lost": replace(read, result=replace(read.result, finishing_stacks=None)),
        "out of turn": replace(read, steps=read.steps[1:]),
        "'discard'": replace(read, steps=(RecordedStep(Step.DISCARD, 3),)),
        "known cards": replace(read, steps=(RecordedStep(Step.BOARD, cards=(UNKNOWN,) * 3),)),
    }
    for words, changed in cases.items():
        with pytest.raises(ValueError, match=words):
            write_state(changed)
    limit = one("STATE:0:rrcf:||:0|0|0:a|b|c", game=read_game(LIMIT_GAME, "g"))
    with pytest.raises(ValueError, match="raise to 250"):
        write_state(replace(limit, steps=(RecordedStep(Step.RAISE, 3, 250),)))


def test_the_game_of_a_record_is_the_one_it_was_read_by() -> None:
    for game in (*BUILT_IN.values(), read_game(GAME, "own.game"), read_game(LIMIT_GAME, "own.game")):
        folds = "f" * (game.players - 1)
        amounts = "|".join(["0"] * game.players)
        read = one(f"STATE:0:{folds}:{'|' * (game.players - 1)}:{amounts}:{amounts}", game=game)
        assert game_of(read) == replace(game, name="")
