"""Vectors of the strategy `plain`: decisions, and what every language's example bot answers."""

from typing import Any, Final

from clients.python.example.strategy import plain
from referee.client import Decision
from tools.vectors.decisions import Kind, answer_of, asked, cards_of, options_of

HANDS: Final = 8
ALIKE: Final = 5
"""How many cases are kept that are alike in table, street, answer, and having four cards of a suit or not."""


def vectors() -> dict[str, Any]:
    """The file's content."""
    kept: dict[tuple[str, int, str, bool], int] = {}
    cases = []
    for one in asked(HANDS, seed="strategy"):
        answer = answer_of(plain(one.decision))
        alike = (one.kind.name, one.decision.street, answer["action"], _is_about_a_flush(one.decision))
        kept[alike] = kept.get(alike, 0) + 1
        if kept[alike] <= ALIKE:
            cases.append(_case(one.kind, one.decision, answer))
    return {"cases": cases}


def _is_about_a_flush(decision: Decision) -> bool:
    suits = [card % 4 for card in (*decision.hole, *decision.board)]
    return max([suits.count(suit) for suit in range(4)]) >= 4


def _case(kind: Kind, decision: Decision, answer: dict[str, Any]) -> dict[str, Any]:
    return {
        "table": kind.name,
        "big_blind": decision.big_blind,
        "hole": cards_of(decision.hole),
        "board": cards_of(decision.board),
        "pot": decision.pot,
        "level": decision.level,
        "legal": options_of(decision.legal),
        "answer": answer,
    }
