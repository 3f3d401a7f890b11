"""Whatever stands in a file, reading it gives hands or errors with a line; what was read can be judged and written."""

import random
from contextlib import suppress

import pytest

from referee.judge import judge_record
from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import read_text, write_full_tilt, write_phh
from referee.record.notation.contest_writer import write_state
from tests.notation.reading import error, phh
from tests.notation.test_contest import HEAD_LIMIT, HEAD_NO_LIMIT, STATE
from tests.notation.test_full_tilt import EVERY_HAND
from tests.notation.test_phh import IRISH_LIMIT, IRISH_NO_LIMIT, IRISH_POT_LIMIT
from tests.support import scale

SOUND = {
    "phh": f"[1]\n{IRISH_NO_LIMIT}\n[2]\n{IRISH_POT_LIMIT}\n[3]\n{IRISH_LIMIT}\n[4]\n{phh(seats='[7, 9, 2]')}",
    "contest": HEAD_NO_LIMIT + STATE + "\n" + HEAD_LIMIT + "STATE:0:rrc/crf:AhKd|2c7s/2h9s3d:-40|40:ann|bob\n",
    "full-tilt": "\n\n".join(EVERY_HAND),
}
PIECES = "0123456789-.,/|:;#'\"[]{}()= \n\\pcfrdbhsTJQKAhx$€?\u0663\u2028é"


def damaged(rng: random.Random, text: str) -> str:
    """A text with some characters changed, and perhaps a line lost, doubled or moved."""
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(text))
        length = rng.choice((0, 1, 1, 3))
        text = text[:at] + "".join(rng.choice(PIECES) for _ in range(rng.choice((0, 1, 1, 3)))) + text[at + length :]
    lines = text.splitlines(keepends=True)
    if rng.random() < 0.3:
        line = lines.pop(rng.randrange(len(lines)))
        for _ in range(rng.choice((0, 1, 2))):
            lines.insert(rng.randrange(len(lines) + 1), line)
    return "".join(lines)[: rng.choice((len(text), len(text), rng.randrange(1, len(text))))]


@pytest.mark.parametrize("name", list(SOUND))
def test_damaged_texts_are_read_or_told(name: str) -> None:
    told = judged = 0
    for seed in range(scale(700, 20_000)):
        text = damaged(random.Random(seed), SOUND[name])
        for read in read_text(text, "damaged"):
            if isinstance(read, NotationError):
                told += 1
                assert 1 <= read.line <= text.count("\n") + 2, (seed, read)
                assert len(read.expected) < 5_000, seed
            else:
                judged += 1
                assert isinstance(read, HandRecord)
                judge_record(read)
                for write in (write_phh, write_full_tilt, write_state):
                    with suppress(ValueError):  # It has no form there.
                        assert write(read)
    assert min(told, judged) > 100


@pytest.mark.parametrize("value", ["0x" + "f" * 5000, "1" * 4000, "1e999999999", "inf", "-0.0", "[[[[]]]]", "{a = {}}"])
@pytest.mark.parametrize("field", ["hand", "min_bet", "antes", "_chip_unit", "_button", "_rake", "winnings", "_other"])
def test_odd_values_in_any_field_are_read_or_told(field: str, value: str) -> None:
    (read,) = read_text(phh(**{field: value}), "odd")
    if isinstance(read, HandRecord):
        judge_record(read)
    else:
        assert len(read.expected) < 1_000


def test_numbers_too_long_to_print_are_told_at_their_field() -> None:
    text = phh(_other="0x" + "f" * 5000)
    assert error(text).line == text.count("\n")
