"""Hands found right by lines of betting that are known: exactly those that would be found right by themselves."""

import random
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.audit import bulk, known_lines
from referee.audit.bulk import PartResult, Settings, audit_part
from referee.audit.known_lines import KnownLines
from referee.audit.parts import parts_of_text
from referee.judge import findings_of, judge_record
from referee.record.hand_record import HandRecord, NotationError, RecordedResult
from referee.record.notation import read_text, read_unknown_of_text
from referee.record.notation.phh_outline import outline_of
from referee.record.notation.phh_writer import write_phh
from referee.rules.cards import UNKNOWN, card_text
from referee.rules.ruleset import HOLDEM
from referee.rules.state import HAND_FIELDS, Hand
from tests.corpora.corpus import CORPORA, PLURIBUS, WSOP, needs_corpora
from tests.notation.hands import PHH, random_phh, record_of
from tests.support import scale

rule = pytest.mark.rule

FRAME = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
"""
FOLDED = FRAME + (
    "actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'p3 cbr 6', 'p1 f', 'p2 f']\n"
    "hand = 1\nfinishing_stacks = [99, 98, 103]\n"
)
FLOP = FRAME + (
    "actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'p3 cc', 'p1 cc', 'p2 cc', "
    "'d db 2c3c4c', 'p1 cc', 'p2 cbr 4', 'p3 f', 'p1 f']\n"
    "hand = 2\nfinishing_stacks = [98, 104, 98]\n"
)
SHOWN = FRAME + (
    "actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'p3 f', 'p1 cbr 100', 'p2 cc', "
    "'p1 sm AsAd', 'd db 2c3c4c', 'd db 5h', 'd db 9h', 'p2 sm KsKd']\n"
    "hand = 3\nfinishing_stacks = [200, 0, 100]\n"
)
THREE = (FOLDED, FLOP, SHOWN)


def archive(*hands: str) -> str:
    """Hands as the tables of one PHH file."""
    return "\n".join(f"[{number}]\n{hand}" for number, hand in enumerate(hands, 1))


def reads(text: str, known: KnownLines | None) -> list[HandRecord | NotationError | None]:
    return list(read_unknown_of_text(text, "x.phhs", known))


def audited(text: str, known: KnownLines | None) -> list[PartResult]:
    return [audit_part(part, Settings(), known) for part in parts_of_text(text, "x.phhs")]


def assert_same(text: str) -> int:
    """Audits a text with what is known of it growing, again when all of it is, and without; returns hands not read."""
    known = KnownLines()
    right = audited(text, None)
    assert [audited(text, known), audited(text, known)] == [right, right]
    left_out = reads(text, known)
    for read, alone in zip(left_out, read_text(text, "x.phhs"), strict=True):
        assert read is not None or (isinstance(alone, HandRecord) and not judge_record(alone).findings)
    return left_out.count(None)


@pytest.fixture(autouse=True)
def _all_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every finding is compared, not the first ones alone."""
    monkeypatch.setattr(bulk, "LISTED", 1_000_000)


# --- altered hands ----------------------------------------------------------------------------------------

CARD = re.compile("[2-9TJQKA][cdhs]")
LINES = ["hand = 5", "hand = 007", "hand = 'x'", "hand", "_x = 'y'", "finishing_stacks = [1]", "# a", "_rake = 1",
         "winnings = [1]", "a", "_x = '''", "'''", "", " ", "[x]", "\t"]  # fmt: skip


def altered(rng: random.Random, text: str) -> str:
    """A hand with one thing changed: an action left out, doubled, swapped or spoilt, a number, a card, a line."""
    lines = text.split("\n")
    place = next((at for at, line in enumerate(lines) if line.startswith("actions = ['")), None)
    way = rng.randrange(8)
    if place is None or way == 7:
        lines.insert(rng.randrange(len(lines)), rng.choice([*LINES, rng.choice(lines)]))
        return "\n".join(lines)
    actions = lines[place].removeprefix("actions = ['").removesuffix("']").split("', '")
    one, other = rng.randrange(len(actions)), rng.randrange(len(actions))
    if way == 0:
        del actions[one]
    elif way == 1:
        actions.insert(other, actions[one])
    elif way == 2:
        actions[one], actions[other] = actions[other], actions[one]
    elif way == 3:
        actions[one] = actions[one] + rng.choice(["", " ", "#x", " 5", "s", "', '"])
    elif way == 4:
        actions[one] = re.sub(r"\d+", lambda found: str(max(int(found[0]) + rng.choice((-1, 1, 9)), 0)), actions[one])
    elif way == 5:
        with_cards = [at for at, action in enumerate(actions) if CARD.search(action)] or [one]
        at = rng.choice(with_cards)
        card = "??" if rng.random() < 0.3 else card_text(rng.randrange(52))
        actions[at] = CARD.sub(card, actions[at], count=rng.randint(1, 2))
    else:
        at = rng.choice([at for at, line in enumerate(lines) if at != place and re.search(r"\d", line)] or [place])
        found = rng.choice(list(re.finditer(r"\d+", lines[at])))
        number = str(max(int(found[0]) + rng.choice((-1, 1, 100)), 0))
        lines[at] = lines[at][: found.start()] + number + lines[at][found.end() :]
        return "\n".join(lines)
    lines[place] = "actions = ['" + "', '".join(actions) + "']"
    return "\n".join(lines)


def with_altered(rng: random.Random, hands: list[str], share: float) -> str:
    """An archive in which some hands stand a second time, altered."""
    return archive(
        *[text for hand in hands for text in ([hand, altered(rng, hand)] if rng.random() < share else [hand])]
    )


@needs_corpora
def test_corpora_and_altered_hands_of_them() -> None:
    hands = re.split(r"(?:^|\n)\[\d+\]\n", (CORPORA / PLURIBUS).read_text())[1:]
    hands = hands[: scale(400, len(hands))]
    assert assert_same(archive(*hands)) == len(hands)
    for seed in range(scale(1, 20)):
        assert assert_same(with_altered(random.Random(seed), hands, 0.7)) >= len(hands)
    wsop = [path.read_text() for path in sorted((CORPORA / WSOP).glob("*.phh"))]
    assert_same(with_altered(random.Random(1), wsop * 3, 0.5))


def same_game(rng: random.Random, count: int) -> list[str]:
    """Hands of one table of any game, limit, stakes and stacks, as PHH has them: few lines of betting, any cards."""
    base = random_phh(rng)
    while base.setup.rule_set.game != HOLDEM and rng.random() < 0.8:
        base = random_phh(rng)
    hands: list[str] = []
    for number in range(count):
        deck = rng.sample(range(52), 52)
        if rng.random() < 0.1:
            deck[rng.randrange(10)] = UNKNOWN
        setup = replace(base.setup, deck=tuple(deck), hand_id=str(number))
        record = record_of(random.Random(rng.randrange(3)), setup, PHH)
        told = record.result if rng.random() < 0.05 else RecordedResult(record.result.finishing_stacks)
        bare = replace(record.setup, recorded_rake=-1)
        unit = Decimal(1) if rng.random() < 0.9 else base.unit
        hands.append(write_phh(replace(record, setup=bare, result=told, unit=unit, rule_set_named=base.rule_set_named)))
    return hands


left_out = 0


@settings(max_examples=scale(60, 3_000), deadline=None)
@given(st.integers(0, 2**32))
def _any_game(seed: int) -> None:
    global left_out
    rng = random.Random(seed)
    left_out += assert_same(with_altered(rng, same_game(rng, 12), 0.4))


def test_hands_of_any_game() -> None:
    global left_out
    left_out = 0
    _any_game()
    assert left_out > scale(60, 3_000), "most hands of hold'em are found right without being read"


# --- one by one -------------------------------------------------------------------------------------------


def test_a_hand_of_a_known_line_is_not_read() -> None:
    known = KnownLines()
    assert [read is None for read in reads(archive(*THREE, *THREE), known)] == [False, False, True, True, True, True]
    assert reads(archive(*THREE), known) == [None] * 3


@pytest.mark.parametrize(
    ("right", "other"),
    [("'d db 2c3c4c', 'p1 cc'", "'d db ', 'p1 cc'"), ("'p2 sm KsKd'", "'p2 sm '"), ("'p2 sm KsKd'", "'p2 sm  KsKd'"),
     ("'p2 sm KsKd'", "'p2 sm -'"), ("'p2 sm KsKd'", "'p2 smKsKd'"), ("'d db 5h'", "'d db 5'"), ("'p3 f'", "'p3 f '"),
     ("'p3 f'", "'p3  f'"), ("'d db 5h'", "'d db 5h ????'"), ("KsKd", "Ks"), ("KsKd", "K\u0130Kd"), ("'p3 f'", "''"),
     ("'p2 cc'", "'p4 cc'"), ("'p2 cc'", "'p0 cc'"), ("cbr 100", "cbr \u0661"), ("cbr 100", "cbr 1e2"),
     ("cbr 100", "cbr 100.0"), ("cbr 100", "cbr 00100"), ("cbr 100", "cbr " + "1" * 30)],
)  # fmt: skip
def test_what_is_written_otherwise_is_judged_by_itself(right: str, other: str) -> None:
    assert_same(archive(*THREE, *THREE, *[hand.replace(right, other) for hand in THREE]))


@rule("GAME-5")
@pytest.mark.parametrize(
    ("hand", "card", "other"),
    [(FOLDED, "QsQd", "QsAd"), (FOLDED, "QsQd", "QsQs"), (FLOP, "3c4c'", "3cKd'"), (FLOP, "3c4c'", "3c3c'"),
     (SHOWN, "'d db 9h'", "'d db 5h'"), (SHOWN, "'d db 9h'", "'d db Qs'")],
)  # fmt: skip
def test_a_card_twice_in_a_known_line_is_found(hand: str, card: str, other: str) -> None:
    known = KnownLines()
    reads(archive(*THREE, *THREE), known)
    assert card in hand
    (read,) = reads(archive(hand.replace(card, other)), known)
    assert isinstance(read, HandRecord)
    assert [finding.rule for finding in findings_of(read)] == ["GAME-5"]


@rule("POT-5")
def test_the_cards_decide_hand_by_hand_who_wins() -> None:
    known = KnownLines()
    reads(archive(*THREE, *THREE), known)
    others = SHOWN.replace("As", "7s").replace("Ad", "8d")
    (read,) = reads(archive(others), known)
    assert isinstance(read, HandRecord)
    assert [finding.rule for finding in findings_of(read)] == ["POT-5"]
    assert reads(archive(others.replace("[200, 0, 100]", "[0, 200, 100]")), known) == [None]


@pytest.mark.parametrize(
    "line",
    ["hand", "hand = 007", "hand = 3\nhand = 4", "finishing_stacks = [99, 98, 103]", "_x = '''", "# hand = 5",
     "actions = ['p1 f']", "min_bet = 2", "hand = 12345678901234567890", "hand = " + "9" * 4_000],
)  # fmt: skip
@pytest.mark.parametrize("place", range(9))
def test_a_hand_whose_lines_are_no_others_is_read_whatever_is_known(line: str, place: int) -> None:
    known = KnownLines()
    reads(archive(*THREE, *THREE), known)
    lines = FOLDED.replace("hand = 1\n", "").split("\n")
    text = archive("\n".join([*lines[:place], line, *lines[place:]]))
    assert [None if read is None else str(read) for read in reads(text, known)] == [
        str(read) for read in reads(text, None)
    ]


def test_fields_may_come_in_any_order_and_their_absence_makes_another_frame() -> None:
    early = "hand = 7\n" + FOLDED.replace("hand = 1\n", "")
    unnumbered = FOLDED.replace("hand = 1\n", "")
    endless = unnumbered.replace("finishing_stacks = [99, 98, 103]\n", "")
    for text in (early, unnumbered, endless):
        known = KnownLines()
        assert reads(archive(*THREE, *THREE), known)[-1] is None
        assert [read is None for read in reads(archive(*[text] * 4), known)] == [False, False, True, True]


def test_what_the_record_says_of_rake_and_pots_is_compared_hand_by_hand() -> None:
    known = KnownLines()
    text = FOLDED + "_total_pot = 5\n"
    assert None not in reads(archive(*[text] * 4), known)


def test_hands_that_are_written_otherwise_have_no_outline() -> None:
    assert outline_of(FOLDED) is not None
    assert outline_of(FOLDED.replace("'", '"')) is None
    assert outline_of(FOLDED.replace("AsAd", "AsAdKd")) is None
    assert outline_of(FOLDED.replace("hand = 1", "hand = 1\0")) is None


def test_games_with_discards_are_read_hand_by_hand() -> None:
    hand = """variant = 'NI'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsAdAcAh', 'd dh p2 KsKdKcKh', 'p2 f']
finishing_stacks = [101, 99]
"""
    assert None not in reads(archive(*[hand] * 4), KnownLines())


def test_another_rule_set_begins_anew() -> None:
    known = KnownLines()
    text = archive(*THREE, *THREE)
    assert reads(text, known)[-1] is None
    known.judged_by(judge_record(reads(archive(FOLDED), None)[0]).record.setup.rule_set)
    assert [read is None for read in reads(text, known)] == [False, False, True, True, True, True]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownLines()
    points, games = known_lines.MAX_NODES, known_lines.MAX_FRAMES
    hands = [FOLDED.replace("cbr 6", f"cbr {to}").replace("[99, 98", "[99, 98") for to in range(4, 100)]
    for number in range(points // len(hands) + 3):
        stacks = f"[{1_000 + number}, 1000, 1000]", f"[{999 + number}, 998, 1003]"
        text = archive(*hands).replace("[100, 100, 100]", stacks[0]).replace("[99, 98, 103]", stacks[1])
        assert None in reads(text, known)
        assert known.nodes <= points
        assert known.frames <= games
    for number in range(games + 3):
        reads(archive(FOLDED.replace("[100, ", f"[{number + 50}, ")), known)
        assert known.frames <= games


def test_hands_found_right_are_counted_and_numbered_with_the_others(tmp_path: Path) -> None:
    wrong = FOLDED.replace("[99, 98, 103]", "[99, 97, 104]")
    text = archive(*THREE, *THREE, wrong, *THREE, wrong)
    (result,) = audited(text, KnownLines())
    assert (result.hands, result.disagree) == (11, 2)
    assert [(one.hand, text.split("\n")[one.line - 1]) for one in result.first] == [
        (7, "finishing_stacks = [99, 97, 104]"),
        (11, "finishing_stacks = [99, 97, 104]"),
    ]


def test_a_copy_goes_on_by_itself() -> None:
    read = reads(archive(FLOP), None)[0]
    assert isinstance(read, HandRecord)
    hand = Hand(read.setup)
    twin = hand.copy()
    for name in HAND_FIELDS:
        mine, other = getattr(hand, name), getattr(twin, name)
        assert mine == other
        assert not isinstance(mine, list) or mine is not other
