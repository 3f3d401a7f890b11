"""Disputed rounds of Kozel: verdicts, the first wrong event, the right outcome in points, reports, bulk audits."""

import json
import random
import re

import pytest
from typer.testing import CliRunner

from referee.audit.answer import WHOLE, Claim, ClaimError
from referee.audit.bulk import Settings, audit_part
from referee.audit.disputes import dispute_record, report_html, report_text
from referee.audit.kozel_dispute import dispute_round
from referee.audit.parts import parts_of_text
from referee.audit.report import Verdict
from referee.bots.kozel import KOZEL_BOTS, make_kozel_bot
from referee.cli import app
from referee.client.kozel_harness import play_game
from referee.kozel.ruleset import ON_ALL, ON_ONE
from referee.kozel_judge import judge_round
from referee.record.kozel_record import RecordedRound, recorded
from referee.record.kozel_telling import tell
from referee.record.notation import read_text
from referee.record.notation.kozel import write_round, write_rounds
from referee.rulebook import rules
from tests.audit.test_bulk import HAND
from tests.audit.test_dispute import _Page
from tests.kozel.rounds import deck_of
from tests.support import scale

rule = pytest.mark.rule


def rounds(number, rule_set=ON_ONE, players=3):
    bots = [make_kozel_bot(sorted(KOZEL_BOTS)[(number + seat) % 3], number) for seat in range(players)]
    played = play_game(bots, rule_set, f"m{number}", number.to_bytes(32, "big"))
    return [recorded(one.setup, one.events) for one in played.rounds]


def of_text(text):
    (read,) = read_text(text, "round.kozel")
    assert isinstance(read, RecordedRound), read
    return read


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)])


@pytest.fixture(scope="module")
def game():
    """A game of seven rounds for three on one."""
    return next(game for game in map(rounds, range(40)) if len(game) >= 7)


@pytest.fixture(scope="module")
def lines(game):
    """The lines of a round in the middle, which somebody has won, with drawing and knocking or several ends."""
    texts = [write_round(one) for one in game[1:-1]]
    return next(text for text in texts if " out" in text and "draws" in text).splitlines()


@pytest.fixture
def file(tmp_path):
    def write(text, name="round.kozel"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


# --- the verdict ------------------------------------------------------------------------------------------


@rule("KOZ-9", "KOZ-10", "KOZ-16")
@pytest.mark.parametrize("rule_set", [ON_ALL, ON_ONE])
def test_right_rounds_are_valid_and_tell_what_everybody_scored(rule_set):
    for number in range(scale(4, 300)):
        for record in rounds(number, rule_set, 2 + number % 3):
            answer = dispute_round(record)
            assert (answer.verdict, answer.divergence) == (Verdict.VALID, None)
            accounts = record.end.accounts
            for player, one in enumerate(answer.outcomes):
                before, after = record.setup.accounts[player], accounts[player]
                assert one.net == one.recorded_net == after.score + after.remembered - before.score - before.remembered
                assert one.collected >= one.net
            assert set(answer.rules) <= set(rules())


def test_the_first_wrong_move_is_named_with_the_round_before_it(lines):
    at = next(number for number, line in enumerate(lines) if line.endswith((" left", " right")))
    right = lines[at]
    wrong = right.replace(" left", " RIGHT").replace(" right", " left").replace(" RIGHT", " right")
    answer = dispute_record(of_text("\n".join([*lines[:at], wrong, *lines[at + 1 :]])))
    assert answer.verdict is Verdict.INVALID
    assert answer.divergence.check == "rulings"
    assert answer.divergence.recorded == wrong
    assert answer.divergence.rule.startswith("KOZ-")
    assert answer.divergence.rule_text == rules()[answer.divergence.rule].text
    assert answer.line == at + 1
    assert answer.divergence.entry == len([line for line in lines[:at] if line[:1].isdigit()])
    assert answer.divergence.before.splitlines()[0].startswith("deal: player 1 is dealt ")
    assert answer.outcomes == (), "another tile on the table is another round"


@rule("KOZ-5")
def test_drawing_that_is_left_out_or_another_tile_is_the_first_wrong_event(lines):
    at = next(number for number, line in enumerate(lines) if "draws" in line)
    tile = lines[at].split()[-1]
    other = "6-6" if tile != "6-6" else "5-5"
    for changed in ([*lines[:at], *lines[at + 1 :]], [*lines[:at], lines[at].replace(tile, other), *lines[at + 1 :]]):
        answer = dispute_record(of_text("\n".join(changed)))
        assert (answer.divergence.rule, answer.divergence.right) == ("KOZ-5", lines[at])
        assert answer.line == at + 1
        assert [one.recorded_net for one in answer.outcomes] == [one.net for one in answer.outcomes]
        told = answer.divergence.before.splitlines()[-1].split("; ")[-1]
        assert told.removeprefix("play: ").startswith(f"player {lines[at - 1].split()[0]} ")


RESULTS = [("after ", "KOZ-10", "accounts are others"), ("counts ", "KOZ-8", "what hands count are others")]


@rule("KOZ-8", "KOZ-10")
@pytest.mark.parametrize(("name", "rule_id", "message"), RESULTS)
def test_a_wrong_result_is_told_with_what_is_right(lines, name, rule_id, message):
    at = next(number for number, line in enumerate(lines) if line.startswith(name))
    words = lines[at].split()
    changed = " ".join([words[0], *[f"+{99}" if name == "after " else "99" for _ in words[1:]]])
    answer = dispute_record(of_text("\n".join([*lines[:at], changed, *lines[at + 1 :]])))
    wrong = answer.divergence
    assert (wrong.check, wrong.entry, wrong.rule) == ("settlement", WHOLE, rule_id)
    assert wrong.message.startswith(message.split(" are")[0])
    assert wrong.recorded.split() == changed.split()[1:]
    assert wrong.right.split() == words[1:]
    assert len(answer.outcomes) == 3
    if name == "after ":
        assert any([one.recorded_net != one.net for one in answer.outcomes])


@rule("KOZ-1", "KOZ-2")
def test_a_refused_deal_is_the_first_thing_wrong(lines):
    text = "\n".join(lines).replace("deck ", "deck 6-6 ", 1)
    answer = dispute_record(of_text(text))
    assert (answer.verdict, answer.divergence.check, answer.divergence.rule) == (Verdict.INVALID, "rules", "KOZ-1")
    assert answer.outcomes == ()
    deck = deck_of(["0-0 1-1 2-2 3-3 4-4 1-0 2-0", "3-0 4-0 5-0 6-0 2-1 3-1 4-1"])
    record = of_text(f"kozel kozel/on-all@1\nseats 1 2\ndeck {' '.join(tile_texts(deck))}\n")
    assert dispute_record(record).divergence.rule == "KOZ-2"


def tile_texts(deck):
    from referee.kozel.tiles import tile_text

    return [tile_text(tile) for tile in deck]


@rule("KOZ-17")
def test_claims_are_compared_with_the_points_that_a_round_adds(game):
    seen = set()
    for record in game:
        right = dispute_record(record)
        claims = [Claim(str(one.seat), one.net) for one in right.outcomes]
        assert dispute_record(record, claims).verdict is Verdict.VALID
        for one in right.outcomes:
            wrong = dispute_record(record, [Claim(one.player, one.net + 5)])
            assert wrong.verdict is Verdict.INVALID
            assert wrong.divergence.check == "claim"
            assert wrong.divergence.right.startswith(f"{one.player}: {one.net:+} (")
            seen.add(wrong.divergence.rule)
    assert seen <= {"KOZ-8", "KOZ-9", "KOZ-10", "KOZ-11", "KOZ-13", "KOZ-14"}
    assert len(seen) >= 3


@pytest.mark.parametrize("claims", [[("4", 1)], [("nobody", 1)], [("1", 1), ("player 1", 1)]])
def test_a_claim_for_nobody_or_twice_is_no_claim(game, claims):
    with pytest.raises(ClaimError):
        dispute_record(game[0], [Claim(*claim) for claim in claims])


def torn(lines):
    """The lines up to a move in the middle, before which the referee has nothing more to do."""
    moves = [number for number, line in enumerate(lines) if line.endswith((" left", " right"))]
    return lines[: moves[len(moves) // 2]]


def test_a_round_that_stops_in_the_middle_is_incomplete(lines):
    answer = dispute_record(of_text("\n".join(torn(lines))), [Claim("1", 5)])
    assert (answer.verdict, answer.outcomes) == (Verdict.INCOMPLETE, ())
    begun = [line for line in lines if not line[:1].isdigit() and not line.startswith(("counts", "after", "carried"))]
    answer = dispute_record(of_text("\n".join(begun)))
    assert answer.verdict is Verdict.INCOMPLETE
    assert "the record ends before the round does" in answer.summary


# --- the command and the report ---------------------------------------------------------------------------


def test_the_command_judges_a_round_of_a_file_of_many(game, file):
    path = file(write_rounds(game))
    for number in (1, len(game)):
        done = run("audit", "dispute", path, "--hand", number, "--json")
        told = json.loads(done.output)
        assert (done.exit_code, told["verdict"], told["rule_set"]) == (0, "valid", "kozel/on-one@1")
        assert told["after"]["accounts"] == write_round(game[number - 1]).split("after ")[1].splitlines()[0].split()
    net = dispute_record(game[0]).outcomes[0].net
    assert run("audit", "dispute", path, "--claim", f"1={net}").exit_code == 0
    claimed = run("audit", "dispute", path, "--claim", f"1={net + 1}")
    assert claimed.exit_code == 1
    assert f"claimed {net + 1:+}" in claimed.output
    assert run("audit", "dispute", path, "--hand", len(game) + 1).exit_code == 2
    assert run("audit", "dispute", path, "--rule-set", "irish/full-tilt@1").exit_code == 2
    assert run("audit", "dispute", file(HAND, "a.phh"), "--rule-set", "kozel/on-all@1").exit_code == 2


@rule("KOZ-12", "KOZ-13")
def test_a_fish_is_scored_by_the_rule_set_that_is_named(file):
    played = [record for number in range(40) for record in rounds(number)]
    fish = next(one for one in played if " fish" in write_round(one) and not one.setup.carry)
    path = file(write_round(fish))
    assert run("audit", "dispute", path).exit_code == 0
    other = json.loads(run("audit", "dispute", path, "--rule-set", "kozel/on-all@1", "--json").output)
    assert (other["rule_set"], other["verdict"]) == ("kozel/on-all@1", "invalid")
    assert {one["rule"] for one in other["findings"]} <= {"KOZ-10", "KOZ-14", "KOZ-15", "KOZ-16"}


def test_the_report_is_one_page_and_plain_text_that_say_the_same(lines, file, tmp_path):
    at = next(number for number, line in enumerate(lines) if line.startswith("after "))
    words = lines[at].split()
    path = file("\n".join([*lines[:at], " ".join([words[0], *["+99"] * 3]), *lines[at + 1 :]]))
    for suffix in ("html", "txt"):
        report = tmp_path / f"report.{suffix}"
        assert run("audit", "dispute", path, "--report", report, "--claim", "2=77").exit_code == 1
        written = report.read_text(encoding="utf-8")
        text = _Page(written).text if suffix == "html" else " ".join(written.split()).replace(">> ", "")
        for said in (
            "The record is wrong",
            "kozel/on-one@1",
            ON_ONE.sha256(),
            "player 1",
            "2 should have +77",
            "The round",
            "Accounts after the round",
            "+99 +99 +99",
            rules()["KOZ-10"].text,
        ):
            assert " ".join(said.split()) in text, said
    answer = dispute_record(of_text("\n".join([*torn(lines), "1 knocks"])))
    assert re.search(r"^>> +KOZ-5 +WRONG: 1 knocks: this did not happen", report_text(answer), re.MULTILINE)
    _Page(report_html(answer))
    for told in tell(judge_round(of_text("\n".join(lines))).events, {}):
        assert told.text in report_text(dispute_record(of_text("\n".join(lines)))).replace("player ", "seat ")


def test_judge_and_explain_take_rounds(game, lines, file):
    path = file(write_rounds(game))
    judged = run("judge", path)
    assert (judged.exit_code, f"{len(game)} agrees" in judged.output) == (0, True)
    told = json.loads(run("explain", path, "--json").output)
    assert {one["street"] for one in told["told"]} >= {"deal", "play", "score"}
    assert told["findings"] == []
    wrong = file("\n".join(lines).replace("after ", "after +98 ", 1), "wrong.kozel")
    assert run("explain", wrong).exit_code == run("judge", wrong, "--full").exit_code == 1
    assert run("judge", path, "--second-opinion").exit_code == 2


# --- bulk -------------------------------------------------------------------------------------------------


def test_bulk_audits_count_rounds_beside_hands(game, lines, file, tmp_path):
    file(write_rounds(game))
    file(HAND, "hand.phh")
    at = next(number for number, line in enumerate(lines) if line.startswith("after "))
    file("\n".join([*lines[:at], "after +1 +2 +3", *lines[at + 1 :]]), "wrong.txt")
    file("kozel kozel/on-none@9\nseats 1 2\n", "unreadable.log")
    file("\n".join(torn(lines)), "torn.kozel")
    done = run("audit", "bulk", tmp_path, "--jobs", 1, "--json")
    told = json.loads(done.output)
    assert done.exit_code == 2
    assert (told["hands"], told["disagree"], told["unreadable"]) == (len(game) + 3, 1, 1)
    assert told["incomplete"] == 1
    assert told["by_rule"] == {"KOZ-10": 1}
    assert told["first"][0]["line"] == at


def test_a_long_text_is_cut_where_rounds_begin_and_counted_through():
    records = [record for number in range(6) for record in rounds(number)]
    texts = [write_round(one) for one in records]
    rng = random.Random(4)
    wrong = sorted(rng.sample(range(len(texts)), 5))
    for number in wrong:
        texts[number] = re.sub(r"(?m)^after .*$", "after 9 9 9", texts[number])
    parts = list(parts_of_text("\n".join(texts), "rounds.kozel", 5_000))
    assert len(parts) > 3
    results = [audit_part(part, Settings()) for part in parts]
    assert sum([one.hands for one in results]) == len(texts)
    assert sum([one.disagree for one in results]) == 5
    assert sum([one.unreadable for one in results]) == 0
    lines = "\n".join(texts).splitlines()
    for result in results:
        for one in result.first:
            assert lines[one.line - 1].startswith(("counts", "after"))
