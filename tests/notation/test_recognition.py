"""Files of any notation: recognised by what is in them, and never the end of anything when there is nothing."""

from pathlib import Path

import pytest

from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import MAX_LINE_BYTES, read_file, read_text
from tests.notation.reading import error, phh, record
from tests.notation.test_contest import HEAD_NO_LIMIT, STATE
from tests.notation.test_full_tilt import TIED


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        (phh(), "phh"),
        ("\n# a comment\n\n" + phh(), "phh"),
        ("[1]\n" + phh(), "phh"),
        ("'variant' = 'NT'\n" + phh(variant=None), "phh"),
        (HEAD_NO_LIMIT + STATE, "contest"),
        (TIED, "full-tilt"),
        ("\ufeff\n\n" + TIED.replace("\n", "\r\n"), "full-tilt"),
    ],
)
def test_a_notation_is_recognised_by_its_text(text: str, notation: str) -> None:
    assert record(text).notation == notation


@pytest.mark.parametrize("name", ["hand", "hand.txt", "hand.phh", "hand.phhs", "hand.log"])
def test_files_are_read_whatever_they_are_called(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(phh())
    (read,) = read_file(path)
    assert isinstance(read, HandRecord)
    assert read.source == str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(TIED.replace("ann", "änn").encode(encoding))
    (read,) = read_file(path)
    assert isinstance(read, HandRecord)
    assert "änn" in read.players


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), ("\n\n", 2), ("# only\n# comments\n", 2), ("\nPokerStars Hand #1: ...\n", 2), ("<xml/>", 1)],
)
def test_other_text_is_told_what_is_expected(text: str, line: int) -> None:
    refused = error(text)
    assert (refused.line, "expected a hand in PHH" in refused.expected) == (line, True)


@pytest.mark.parametrize("name", ["empty.phh", "empty.log", "empty"])
def test_an_empty_file_is_an_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"")
    (refused,) = read_file(path)
    assert isinstance(refused, NotationError)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"\x7fELF\x01\x00\x00", 1),
        (b"variant = 'NT'\nevent = '\xff\xfe'\n", 2),
        (phh().encode() + b"# \0\n", 8),
        (b"[1]\n" + phh().encode() + b"[2]\nvariant = '\x80'\n", 10),
    ],
)
def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path, content: bytes, line: int) -> None:
    path = tmp_path / "hands.phhs"
    path.write_bytes(content)
    *before, refused = read_file(path)
    assert isinstance(refused, NotationError)
    assert (refused.line, "UTF-8" in refused.expected) == (line, True)
    assert all(isinstance(read, HandRecord) for read in before)


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.phh"
    path.write_bytes(b"x = '" + b"x" * (2 * MAX_LINE_BYTES))
    (refused,) = read_file(path)
    assert isinstance(refused, NotationError)
    assert "lines of at most" in refused.expected


def test_a_file_that_is_not_there_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_file(tmp_path / "none.phh"))


def test_a_text_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.game").write_text("GAMEDEF")
    (refused,) = read_text("# name/game/hands/seed m own.game 1 0\n" + STATE, "text")
    assert isinstance(refused, NotationError)
    assert "own.game beside the log" in refused.expected
