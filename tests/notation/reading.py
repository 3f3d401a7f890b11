"""What the tests of the notations share: reading one hand, or the error that comes in its place."""

from referee.record.hand_record import HandRecord, NotationError
from referee.record.notation import read_text


def record(text: str, **given: object) -> HandRecord:
    """The one hand of a text."""
    (read,) = read_text(text, "hand", **given)
    assert not isinstance(read, NotationError), read
    return read


def error(text: str, **given: object) -> NotationError:
    """The one error of a text that holds one unreadable hand."""
    (read,) = read_text(text, "hand", **given)
    assert isinstance(read, NotationError), read
    return read


def phh(code: str = "NT", players_count: int = 3, /, **fields: str | None) -> str:
    """A hand in PHH, one field a line, from its usual fields and those given as TOML.

    Without other words: blinds 50 and 100, stacks of 10,000, nobody acts. ``None`` leaves a field out.
    """
    blinds = "[50, 100" + ", 0" * (players_count - 2) + "]"
    usual: dict[str, str | None] = {
        "variant": f"'{code}'",
        "ante_trimming_status": "true",
        "antes": f"[{', '.join(['0'] * players_count)}]",
        "blinds_or_straddles": blinds,
    }
    usual |= {"small_bet": "100", "big_bet": "200"} if code[0] == "F" else {"min_bet": "100"}
    usual |= {"starting_stacks": f"[{', '.join(['10000'] * players_count)}]", "actions": "[]"}
    usual |= fields
    return "".join(f"{key} = {value}\n" for key, value in usual.items() if value is not None)


def line_of(text: str, words: str) -> int:
    """The line of a text that holds these words."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)
