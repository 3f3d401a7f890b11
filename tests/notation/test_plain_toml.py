"""The quick reader of plainly written TOML reads what the whole reader reads, or leaves it to that."""

import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.record.notation.toml_text import TomlError, item_lines, key_line, load_toml, read_plain_toml
from tests.corpora.corpus import CORPORA, PLURIBUS, needs_corpora

WORDS = st.sampled_from(
    ["a", "b-1", "_c", "a.b", '"q"', "= ", "=", "1", "-0", "0", "007", "1_0", "+1", "1.5", "12345678901234567890",
     "true", "'x'", "''", "'''", "'\t'", "'\u2028'", "'\x1f'", "[", "]", "[]", "[1, 2]", "[1,2]", "[1, 'x']",
     "['a', 'b']", "['a',", "#", " ", "\n", "\r\n", "\r", "\x0c", "[t]", "{}", "'" + "." * 1600 + "'"]
)  # fmt: skip
PLAIN = st.builds(
    "{} = {}\n".format,
    st.sampled_from("abc"),
    st.sampled_from(["0", "-5", "'x y'", "[1, -2]", "['p', '']", "true", "false", "[0]"]),
)


def read_plainly(text: str) -> tuple[dict[str, Any], dict[str, int]] | None:
    """What the quick reader makes of a text's lines, which end with a line feed and with nothing else."""
    return read_plain_toml(re.findall(r"[^\n]*\n|[^\n]+", text))


def same(left: object, right: object) -> bool:
    """Equal, and of the same types all through: true is not 1."""
    return repr(left) == repr(right)


@given(st.lists(PLAIN | WORDS, max_size=8).map("".join))
@example("a = 1\na = 1\n")
@example("a = '" + "." * 1600 + "'")
@example("a = 1\n\x0c\nb = 2")
@example("a = 999999999999999999")
@example("actions = ['" + "p1 f', '" * 20 + "p2 f']\n")
@example("actions = ['" + "p1 f', '" * 20 + "p2 f'']\n")
@example("actions = ['" + "p1 f', '" * 20 + "p2 \x01']\n")
@example("actions = ['" + "p1 f', '" * 20 + "p2 f', 'p1 f' ]\n")
@example("actions = ['" + "p1.f', '" * 1600 + "p2 f']\n")
@example("actions = ['" + " " * 200 + "']\n")
def test_whatever_it_reads_the_whole_reader_reads_the_same(text: str) -> None:
    plain = read_plainly(text)
    if plain is None:
        return
    values, lines = plain
    whole = load_toml(text)
    assert same(values, whole)
    for key, value in whole.items():
        assert lines[key] == key_line(text, key)
        if isinstance(value, list):
            assert item_lines(text, key) == [lines[key]] * len(value)


@pytest.mark.parametrize("text", ["a = 1\n", "a = ['d dh p1 AsKs', 'p1 f']\nb = [1, 2]\n\n", "a = true", ""])
def test_plain_text_is_read_quickly(text: str) -> None:
    assert read_plainly(text) is not None


@pytest.mark.parametrize("text", ["a = 1.5\n", "a = 1 # note\n", "[t]\n", "a.b = 1\n", "a = [1,\n2]\n", 'a = "x"\n'])
def test_what_is_not_plain_is_left_to_the_whole_reader(text: str) -> None:
    assert read_plainly(text) is None
    assert load_toml(text)


def test_what_is_no_toml_is_left_to_it_as_well() -> None:
    for text in ("a = 1\na = 2\n", "a = 007\n", "a = '\x01'\n", "a\n"):
        assert read_plainly(text) is None
        with pytest.raises(TomlError):
            load_toml(text)


@needs_corpora
def test_every_hand_of_an_archive_is_plain() -> None:
    hands = (CORPORA / PLURIBUS).read_text().split("\n\n")
    for hand in hands:
        text = hand.partition("\n")[2]
        plain = read_plainly(text)
        assert plain is not None
        assert same(plain[0], load_toml(text))
    assert not any(isinstance(value, Decimal) for value in load_toml(text).values())
