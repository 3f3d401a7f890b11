"""Disputes: the verdict, the first wrong event, the right outcome, and the report that people get."""

import json
import random
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from referee.audit.answer import WHOLE, Claim, ClaimError
from referee.audit.dispute import dispute
from referee.audit.disputes import report_html, report_text
from referee.audit.report import Verdict
from referee.cli import app
from referee.cli.demo import bundled
from referee.record.hand_record import HandRecord, Step
from referee.record.notation import read_file, read_text
from referee.rulebook import rules
from referee.rules.hand import legal_options
from referee.rules.ruleset import find_rule_set
from tests.corpora.corpus import (
    CORPORA,
    GENERATED,
    HANDS,
    LIMIT_HEADS_UP,
    NO_LIMIT_THREE,
    PLURIBUS,
    REAL_IRISH,
    WSOP,
    before_step,
    judgements,
    needs_corpora,
    records,
)
from tests.corpora.test_settlements import CLASSES
from tests.support import scale

DEMO = bundled()
GOOD, DISPUTED = DEMO["1-no-limit-side-pots"], DEMO["4-disputed"]
CLEAN = """variant = 'NT'
_rule_set = 'holdem/tda@1'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
players = ['Ada', 'Bo']
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 6', 'p1 f']
finishing_stacks = [98, 102]
"""

ODD = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
players = ['Ada', 'Bo', 'Cy']
actions = ['d dh p1 2s7d', 'd dh p2 AsKs', 'd dh p3 AdKd', 'p3 cc', 'p1 f', 'p2 cc', 'd db QhJh9c', 'p2 cc', 'p3 cc', \
 'd db 3d', 'p2 cc', 'p3 cc', 'd db 4c', 'p2 cc', 'p3 cc', 'p2 sm AsKs', 'p3 sm AdKd']
"""


def hand_of(text: str, source: str = "hand.phh") -> HandRecord:
    (read,) = read_text(text, source)
    assert isinstance(read, HandRecord), read
    return read


def run(*words):
    return CliRunner().invoke(app, ["audit", "dispute", *map(str, words)])


@pytest.fixture
def files(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


# --- the verdict ------------------------------------------------------------------------------------------


def test_a_right_record_is_valid_and_tells_what_everybody_won():
    answer = dispute(hand_of(CLEAN))
    assert answer.verdict == Verdict.VALID
    assert answer.divergence is None
    told = [(one.seat, one.player, one.collected, one.net, one.recorded_net) for one in answer.outcomes]
    assert told == [(1, "Ada", 0, -2, -2), (2, "Bo", 4, 2, 2)]
    assert set(answer.rules) <= set(rules())
    assert {"BLIND-1", "SIZE-3", "POT-2", "POT-4", "POT-7"} <= set(answer.rules)


def test_the_first_wrong_event_is_named_with_the_hand_before_it_and_its_rule():
    answer = dispute(hand_of(DISPUTED))
    wrong = answer.divergence
    assert answer.verdict == Verdict.INVALID
    assert wrong is not None
    assert (wrong.check, wrong.entry, wrong.rule) == ("rulings", 4, "OPEN-2")
    assert wrong.rule_text == rules()["OPEN-2"].text
    assert (wrong.recorded, wrong.right) == ("raise to 60", "fold, call 9")
    assert wrong.before.endswith("Boris raises to 25, all-in; Cleo calls 23")
    assert answer.line == 1 + DISPUTED.splitlines().index(next(x for x in DISPUTED.splitlines() if "p1 cbr 60" in x))
    assert [one.net for one in answer.outcomes] == [13, -25, 12]
    assert [one.recorded_net for one in answer.outcomes] == [12, -25, 13]


def test_a_step_comes_before_the_result_and_the_result_before_a_claim():
    wrong = CLEAN.replace("[98, 102]", "[97, 103]")
    answer = dispute(hand_of(wrong), [Claim("Ada", 5)])
    assert answer.divergence is not None
    assert (answer.divergence.check, answer.divergence.entry) == ("settlement", WHOLE)
    assert (answer.divergence.recorded, answer.divergence.right) == ("97, 103", "98, 102")
    assert answer.divergence.before.endswith("the hand is over")
    worse = dispute(hand_of(wrong.replace("p2 cbr 6", "p2 cbr 3")))
    assert worse.divergence is not None
    assert (worse.divergence.check, worse.divergence.entry, worse.divergence.rule) == ("rulings", 0, "SIZE-3")


def test_a_refused_setup_is_the_first_thing_wrong():
    answer = dispute(hand_of(CLEAN.replace("KsKd", "AsKd")))
    assert answer.verdict == Verdict.INVALID
    assert answer.divergence is not None
    assert (answer.divergence.check, answer.divergence.rule, answer.divergence.before) == ("rules", "GAME-5", "")
    assert answer.outcomes == ()


@pytest.mark.parametrize(
    ("claims", "verdict", "rule"),
    [
        ([("Ada", -2), ("Bo", 2)], Verdict.VALID, None),
        ([("1", -2)], Verdict.VALID, None),
        ([("Bo", 3)], Verdict.INVALID, "POT-4"),
        ([("Ada", 0)], Verdict.INVALID, "POT-1"),
    ],
)
def test_a_claim_is_compared_with_the_right_outcome(claims, verdict, rule):
    answer = dispute(hand_of(CLEAN), [Claim(*claim) for claim in claims])
    assert answer.verdict == verdict
    assert (answer.divergence.rule if answer.divergence else None) == rule
    if answer.divergence:
        assert answer.divergence.check == "claim"
    assert [one.claimed_net for one in answer.outcomes if one.claimed_net is not None] == [net for _, net in claims]


@pytest.mark.rule("POT-6")
def test_a_claim_that_is_off_by_the_odd_chip_is_decided_by_its_rule():
    right = dispute(hand_of(ODD), [Claim("Bo", 1), Claim("Cy", 0)])
    assert right.verdict == Verdict.VALID
    wrong = dispute(hand_of(ODD), [Claim("Cy", 1)]).divergence
    assert wrong is not None
    assert wrong.rule == "POT-6"
    more = dispute(hand_of(ODD), [Claim("Cy", 3)]).divergence
    assert more is not None
    assert more.rule == "POT-5"


@pytest.mark.parametrize("claims", [[("Nobody", 1)], [("3", 1)], [("Ada", 1), ("1", 1)], [("", 1)]])
def test_a_claim_for_nobody_or_twice_is_no_claim(claims):
    with pytest.raises(ClaimError):
        dispute(hand_of(CLEAN), [Claim(*claim) for claim in claims])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (", 'p1 f'", ""),
        ("'p1 f'", "'p1 cc', 'd db 2c3c4h', 'p1 cc', 'p2 cc', 'd db 5h', 'p1 cc', 'p2 cc'"),
    ],
)
def test_missing_actions_make_a_record_incomplete_and_a_claim_cannot_be_told(old, new):
    text = CLEAN.replace(old, new).split("finishing_stacks")[0]
    answer = dispute(hand_of(text), [Claim("Ada", -2)])
    assert answer.verdict == Verdict.INCOMPLETE
    assert answer.outcomes == ()
    assert "the record ends before the hand does" in answer.summary


def test_what_only_unnamed_house_rules_decide_makes_no_record_incomplete():
    text = CLEAN.replace("_rule_set = 'holdem/tda@1'\n", "").replace(
        "'p1 f'",
        "'p1 cc', 'd db 2c3c4h', 'p1 cc', 'p2 cc', 'd db 5h', 'p1 cc', 'p2 cc', 'd db 9h', 'p1 cc', 'p2 cc', "
        "'p2 sm KsKd', 'p1 sm AsAd'",
    )
    text = text.replace("[98, 102]", "[106, 94]")
    answer = dispute(hand_of(text))
    assert [finding.rule for finding in answer.judgement.findings] == ["SHOW-1"]
    assert answer.verdict == Verdict.VALID


# --- the command ------------------------------------------------------------------------------------------


def test_exit_codes_say_valid_invalid_unreadable_and_incomplete(files):
    clean = files("clean.phh", CLEAN)
    assert run(clean).exit_code == 0
    assert run(clean, "--claim", "Ada=-2").exit_code == 0
    assert run(clean, "--claim", "Ada=+2").exit_code == 1
    assert run(files("disputed.phh", DISPUTED)).exit_code == 1
    assert run(files("poem.txt", "the quick brown fox\n")).exit_code == 2
    assert run(clean.with_name("none.phh")).exit_code == 2
    assert run(clean, "--hand", 2).exit_code == 2
    assert run(files("torn.phh", CLEAN.replace(", 'p1 f'", ""))).exit_code == 3


@pytest.mark.parametrize(
    "words",
    [
        ["--claim", "Ada"],
        ["--claim", "Ada=lots"],
        ["--claim", "Nobody=1"],
        ["--rule-set", "nobody/plays@1"],
        ["--report", "out.pdf"],
        ["--report", "/nowhere/at/all.html"],
        ["--hand", "0"],
    ],
)
def test_options_that_make_no_sense_are_refused(files, words):
    assert run(files("clean.phh", CLEAN), *words).exit_code == 2


def test_json_tells_the_same_as_the_text(files):
    path = files("disputed.phh", DISPUTED)
    text, told = run(path).output, json.loads(run(path, "--json").output)
    assert told["verdict"] == "invalid"
    assert told["divergence"]["rule"] == "OPEN-2"
    assert told["divergence"]["line"] > 0
    assert told["summary"] in text
    assert [one["net"] for one in told["outcomes"]] == [13, -25, 12]
    assert "Anna (seat 1): +13, 73 from pots; recorded +12" in text
    unreadable = run(files("poem.txt", "fox\n"), "--json")
    assert json.loads(unreadable.output)["verdict"] == "unreadable"


def test_another_rule_set_can_be_named(files):
    other = find_rule_set("irish/full-tilt@1")
    told = json.loads(run(files("a.phh", GOOD), "--rule-set", other.full_name, "--json").output)
    assert (told["rule_set"], told["rule_set_sha256"]) == (other.full_name, other.sha256())


# --- the report -------------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """Checks that a page is well formed, and gathers what it says."""

    def __init__(self, page):
        super().__init__()
        self.open, self.texts, self.tags, self.wrong = [], [], Counter(), 0
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.wrong += ("class", "wrong") in attrs
        assert not {name for name, _ in attrs} & {"src", "href", "onload", "style"}
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def test_the_report_is_one_page_that_tells_everything_and_marks_what_is_wrong():
    answer = dispute(hand_of(DISPUTED), [Claim("Anna", 12)])
    html = report_html(answer)
    page = _Page(html)
    assert page.tags["script"] == page.tags["img"] == page.tags["link"] == 0
    assert "@media print" in html
    assert "http" not in html.replace("http-equiv", "")
    assert page.wrong >= 5
    record = answer.judgement.record
    expected = [
        "The record is wrong",
        record.setup.rule_set.full_name,
        record.setup.rule_set.sha256(),
        *record.players,
        "Boris raises to 25, all-in",
        "raise to 60",
        "fold, call 9",
        "side pot 1",
        "Anna should have +12",
        *(rules()[rule].text for rule in answer.rules),
    ]
    text = " ".join(report_text(answer).split())
    for words in expected:
        assert " ".join(words.split()) in page.text, words
        # In plain text what is wrapped keeps its words but not its lines.
        assert " ".join(words.split()) in text.replace(">> ", ""), words
    assert re.search(r"^>> .*WRONG: p1 cbr 60", report_text(answer), re.MULTILINE)


def test_what_a_record_says_cannot_become_part_of_the_page():
    name = "<script>alert(1)</script>&\"'"
    text = CLEAN.replace("'Ada'", json.dumps(name)) + "table = '<img src=x onerror=y>'\n"
    page = _Page(report_html(dispute(hand_of(text, "<b>.phh"))))
    assert page.tags["script"] == page.tags["img"] == page.tags["b"] == 0
    assert name in page.text
    escapes = dispute(hand_of(CLEAN.replace("'Ada'", '"A\\u001b[2Jda"')))
    assert "\x1b" not in report_text(escapes)


@pytest.mark.parametrize("name", list(DEMO))
def test_every_verdict_has_its_report(name, files):
    path = files("hand.phh", DEMO[name])
    for suffix in ("html", "txt"):
        out = path.with_suffix(f".{suffix}")
        done = run(path, "--report", out)
        assert done.exit_code in (0, 1)
        written = out.read_text(encoding="utf-8")
        title = "The record is right" if done.exit_code == 0 else "The record is wrong"
        assert title in written
        if suffix == "html":
            _Page(written)


def test_incomplete_and_refused_records_have_reports_too():
    for text in (CLEAN.replace(", 'p1 f'", ""), CLEAN.replace("KsKd", "AsKd")):
        answer = dispute(hand_of(text))
        assert "The hand" in report_text(answer) or answer.divergence
        _Page(report_html(answer))


# --- the corpora ------------------------------------------------------------------------------------------


@needs_corpora
@pytest.mark.parametrize("name", [PLURIBUS, WSOP, LIMIT_HEADS_UP, NO_LIMIT_THREE, GENERATED, REAL_IRISH])
def test_the_corpora_are_right_apart_from_what_is_known(name):
    """Everything that dispute() says is wrong is one of the differences that tests/corpora names and counts."""
    step = max(1, HANDS[name] // scale(150, 100_000))
    for record, judgement in list(zip(records(name), judgements(name), strict=True))[::step]:
        answer = dispute(record)
        if answer.verdict == Verdict.INVALID:
            for finding in answer.judgement.findings:
                assert any(fits(judgement, finding) for fits in CLASSES.values()), (record.line, finding)
            continue
        assert answer.verdict == (Verdict.INCOMPLETE if name == REAL_IRISH else Verdict.VALID), record.line
        assert [one.net for one in answer.outcomes] == [one.recorded_net for one in answer.outcomes], record.line
        assert sum(one.net for one in answer.outcomes) <= 0


def hand_text(name: str, record: HandRecord) -> tuple[str, str]:
    """One hand of a corpus as its source has it, and a file name of its notation."""
    lines = (CORPORA / name).read_text(encoding="utf-8").splitlines(keepends=True)
    if name == PLURIBUS:
        end = next((at for at in range(record.line, len(lines)) if lines[at].startswith("[")), len(lines))
        return "".join(lines[record.line - 1 : end]), "hand.phh"
    return lines[0] + lines[record.line - 1], "hand.log"


WAGERS = {PLURIBUS: re.compile(r"(?<=cbr )\d+"), NO_LIMIT_THREE: re.compile(r"(?<=r)\d+")}


@needs_corpora
@pytest.mark.parametrize("name", list(WAGERS))
def test_a_hand_altered_in_one_number_is_caught_at_that_event(name, files):
    """A wager below the minimum or, in PHH, above the stack; what stands before it stays right.

    Where nobody is all-in the rest of the hand stays readable: a contest's log tells totals and leaves out who acts.
    """
    rng = random.Random(13)
    hands = [
        (record, judgement)
        for record, judgement in zip(records(name), judgements(name), strict=True)
        if judgement.agrees()
        and any(step.step == Step.BET_OR_RAISE for step in record.steps)
        and judgement.settlement is not None
        and all(player.contributed < player.stack_before for player in judgement.settlement.players)
    ]
    assert len(hands) >= 25
    for record, judgement in rng.sample(hands, min(len(hands), scale(25, 200))):
        at = [index for index, step in enumerate(record.steps) if step.step == Step.BET_OR_RAISE]
        which = rng.randrange(len(at))
        step, hand = record.steps[at[which]], before_step(judgement, at[which])
        legal = legal_options(hand, step.seat)
        assert legal is not None
        assert legal.min_to - 1 > hand.level
        to = legal.min_to - 1 if name == NO_LIMIT_THREE else rng.choice([legal.min_to - 1, legal.max_to + 1])
        text, file_name = hand_text(name, record)
        head, _, line = text.rpartition("STATE:") if name == NO_LIMIT_THREE else ("", "", text)
        wager = list(WAGERS[name].finditer(line))[which]
        # The contest's dealer writes totals of the hand, PHH those of the street.
        number = int(wager[0]) + to - step.to
        altered = head + ("STATE:" if head else "") + line[: wager.start()] + str(number) + line[wager.end() :]
        done = run(files(file_name, altered), "--json")
        assert done.exit_code == 1, (record.line, done.output)
        told = json.loads(done.output)
        assert told["divergence"]["check"] == "rulings", record.line
        assert told["divergence"]["entry"] == at[which], (record.line, told["divergence"])
        assert told["divergence"]["rule"].partition("-")[0] in ("SIZE", "BET"), told["divergence"]


@needs_corpora
def test_the_command_agrees_on_hands_of_every_corpus():
    for name in (PLURIBUS, LIMIT_HEADS_UP, NO_LIMIT_THREE):
        done = run(CORPORA / name, "--hand", 7, "--json")
        assert done.exit_code == 0, done.output
        assert done.output
    for path in sorted((CORPORA / WSOP).glob("*.phh"))[:4]:
        assert run(path).exit_code == 0
    assert run(CORPORA / REAL_IRISH, "--claim", "Hero=-10000").exit_code == 3
    assert next(iter(read_file(CORPORA / REAL_IRISH)))
