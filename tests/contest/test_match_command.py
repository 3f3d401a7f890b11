"""`referee match`: a verdict with its interval, the same again from the same seed, faults told."""

import json

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.contest.bot_files import BotFileError, bot_maker
from referee.contest.statistics.sprt import FEWEST_BLOCKS, Answer, Sprt
from referee.contest.verdict import sequential
from referee.judge import judge_record
from referee.record.notation import read_file
from tests.contest.contests import SEED, hand


def match(*words, expect=None):
    done = CliRunner().invoke(app, ["match", *words, "--workers", "1", "--seed", SEED.hex()])
    assert expect is None or done.exit_code == expect, done.output
    return done.output


def as_json(*words, expect=None):
    return json.loads(match(*words, "--json", expect=expect))


def bot_file(folder, text, name="my_bot.py"):
    path = folder / name
    path.write_text(text)
    return str(path)


def test_the_better_bot_is_named_with_the_interval_and_the_seed():
    said = match("sound-irish", "always-fold", "--hands", "400", "--duplicate", expect=0)
    assert said.startswith("sound-irish beats always-fold: sound-irish +")
    assert "95% interval +" in said
    assert SEED.hex() in said
    assert "pot of" in said


def test_the_same_seed_repeats_a_match_and_processes_do_not_matter():
    words = ("random-legal", "always-call", "--hands", "80", "--duplicate")
    first = as_json(*words)
    assert as_json(*words) == first
    done = CliRunner().invoke(app, ["match", *words, "--workers", "2", "--seed", SEED.hex(), "--json"])
    assert json.loads(done.output) == first
    assert first["hands"] == 80


def test_copies_of_a_bot_are_level_in_duplicate():
    values = as_json("sound-irish", "sound-irish", "--hands", "60", "--duplicate", expect=1)
    assert values["rates"]["duplicate"]["value"] == values["rates"]["duplicate"]["error"] == 0
    assert not values["decided"]
    assert values["verdict"] == "sound-irish and sound-irish #2 did exactly the same"


def test_a_file_is_a_bot_and_its_exceptions_and_refusals_are_told(tmp_path):
    bad = bot_file(
        tmp_path,
        "def bot(decision):\n"
        "    if decision.board and not decision.must_discard:\n"
        "        raise ValueError('lost the plot')\n"
        "    return decision.raise_to(3)\n",
    )
    said = match(bad, "always-call", "--hands", "40")
    assert "my_bot raised first:" in said
    assert "lost the plot" in said
    assert "fault: my_bot: refused" in said
    values = as_json(bad, "always-call", "--hands", "40")
    kinds = {(fault["name"], fault["kind"]) for fault in values["faults"]}
    assert kinds == {("my_bot", "raised"), ("my_bot", "refused")}


def test_a_class_is_made_anew_for_every_table_and_may_take_a_seed(tmp_path):
    text = "class Bot:\n    def __init__(self, seed):\n        self.asked = seed\n    def __call__(self, decision):\n"
    named = bot_file(tmp_path, text + "        self.asked += 1\n        return decision.check_or_call()\n")
    one, other = (bot_maker(named)(7) for _ in range(2))
    assert one is not other
    assert one.asked == 7
    function = bot_file(tmp_path, "def other(decision):\n    return decision.check_or_call()\n", "two.py")
    assert callable(bot_maker(f"{function}:other")(1))


@pytest.mark.parametrize(
    ("name", "words"),
    [("no-such-bot", "no practice bot"), ("none.py", "no file"), ("empty.py", "no Bot or bot"), ("empty.py:x", "no x")],
)
def test_what_is_no_bot_is_told(tmp_path, monkeypatch, name, words):
    monkeypatch.chdir(tmp_path)
    bot_file(tmp_path, "", "empty.py")
    with pytest.raises(BotFileError, match=words):
        bot_maker(name)
    assert words in CliRunner().invoke(app, ["match", name, "always-call"]).stderr


def test_every_hand_is_written_and_agrees_with_the_rules(tmp_path):
    file = tmp_path / "all.phhs"
    match("random-legal", "all-in", "always-call", "--hands", "60", "--duplicate", "--phh", str(file))
    records = list(read_file(file))
    assert len(records) == 60
    assert all(judge_record(record).agrees for record in records)


def test_a_contest_file_gives_the_game(tmp_path):
    file = tmp_path / "game.toml"
    file.write_text(
        'format = "referee-contest/1"\nname = "x"\nregistration = "open"\n[game]\nrule_set = "holdem/tda@1"\n'
        "small_blind = 1\nbig_blind = 2\nstack = 50\n[schedule]\nhands = 10\n"
    )
    values = as_json("all-in", "always-call", "--hands", "40", "--game", str(file))
    assert max(pot["pot"] for pot in values["largest_pots"]) == 100
    file.write_text("name = 1\n")
    assert "format" in CliRunner().invoke(app, ["match", "all-in", "all-in", "--game", str(file)]).stderr


def test_a_clear_match_is_stopped_early():
    words = ("--hands", "20000", "--duplicate", "--sprt", "40")
    values = as_json("sound-irish", "always-fold", *words)
    assert values["test"] == "better"
    assert values["hands"] == 20 * FEWEST_BLOCKS, "a block is ten deals in both seatings: it is clear as soon as may be"


def test_the_sequential_answer_is_that_of_the_first_blocks_that_are_enough():
    results = []
    for block in range(160):
        net = 500 if block % 2 else 300
        results += [hand(1, block, ("a", "b"), (net, -net), 0), hand(1, block, ("b", "a"), (-net, net), 1)]
    answer, blocks = sequential(results, "a", "b", 100, Sprt(100.0))
    assert answer is Answer.BETTER
    assert blocks == FEWEST_BLOCKS, "the fewest that are taken"
    assert sequential(results, "b", "a", 100, Sprt(100.0))[0] is Answer.NOT_BETTER
