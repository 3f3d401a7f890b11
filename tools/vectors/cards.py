"""Vectors of cards as text and as small integers (GAME-5)."""

from typing import Any, Final

from referee.rules.cards import CARD_TEXTS, RANKS, SUITS, UNKNOWN, UNKNOWN_TEXT, cards_text, parse_card, parse_cards

BAD: Final = (
    "",
    "A",
    "h",
    "10h",
    "ah",
    "AH",
    "aH",
    "1h",
    "Ax",
    "hA",
    "Ah ",
    " Ah",
    "A h",
    "AhK",
    "Ahh",
    "?",
    "??h",
    "?h",
    "A?",
    "0c",
    "Tс",
    "A♥",
    "１h",
)
ROWS: Final = ("", "Ah", "AhKd", "Ah Kd", "2c 3d 4h 5s", "??", "Ah ?? Td")
BAD_ROWS: Final = ("A", "AhK", "AhKx", "Ah,Kd", "Ah;Kd", "Ah-Kd", "Ah?")


def vectors() -> dict[str, Any]:
    """The file's content."""
    for text in BAD:
        _must_fail(parse_card, text)
    for text in BAD_ROWS:
        _must_fail(parse_cards, text)
    return {
        "ranks": RANKS,
        "suits": SUITS,
        "cards": [
            {"card": card, "text": text, "rank": card // 4, "suit": card % 4} for card, text in enumerate(CARD_TEXTS)
        ],
        "unknown": {"card": UNKNOWN, "text": UNKNOWN_TEXT},
        "bad": list(BAD),
        "rows": [
            {"text": text, "cards": list(parse_cards(text)), "written": cards_text(parse_cards(text))} for text in ROWS
        ],
        "bad_rows": list(BAD_ROWS),
    }


def _must_fail(read: Any, text: str) -> None:
    try:
        read(text)
    except ValueError:
        return
    raise AssertionError(f"{text!r} can be read")
