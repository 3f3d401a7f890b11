"""Vectors of what every helper of a decision proposes (docs/bot-author.md, referee/client/decision.py)."""

from typing import Any, Final

from tools.vectors.decisions import Asked, answer_of, asked, options_of

PERCENTS: Final = (0, 1, 33, 50, 66, 75, 100, 133, 250)
HANDS: Final = 6
ALIKE: Final = 3
"""How many cases of one kind of table are kept for each shape of options."""


def vectors() -> dict[str, Any]:
    """The file's content."""
    kept: dict[tuple[Any, ...], int] = {}
    cases = []
    for one in asked(HANDS, seed="legal"):
        shape = _shape(one)
        kept[shape] = kept.get(shape, 0) + 1
        if kept[shape] <= ALIKE:
            cases.append(_case(one))
    return {"cases": cases}


def _shape(one: Asked) -> tuple[Any, ...]:
    legal = one.decision.legal
    is_all_in_call = legal.call >= one.decision.stack
    return (
        one.kind.name,
        legal.fold,
        legal.check,
        bool(legal.call),
        is_all_in_call,
        legal.wager,
        bool(legal.max_to),
        legal.min_to == legal.max_to,
        legal.discard,
    )


def _case(one: Asked) -> dict[str, Any]:
    decision, legal = one.decision, one.decision.legal
    totals = {0, 1, decision.level, decision.level + 1, legal.max_to, legal.max_to + 1, 1 << 53}
    if legal.max_to:
        middle = (legal.min_to + legal.max_to) // 2
        totals |= {legal.min_to - 1, legal.min_to, legal.min_to + 1, middle, middle + legal.step - 1, legal.max_to - 1}
    return {
        "table": one.kind.name,
        "level": decision.level,
        "pot": decision.pot,
        "legal": options_of(legal),
        "answers": {
            "fold": answer_of(decision.fold()),
            "check": answer_of(decision.check()),
            "call": answer_of(decision.call()),
            "check_or_fold": answer_of(decision.check_or_fold()),
            "check_or_call": answer_of(decision.check_or_call()),
            "all_in_or_call": answer_of(decision.all_in_or_call()),
            "discard_last": answer_of(decision.discard_last()) if legal.discard else None,
            "raise_to": [{"total": total, **answer_of(decision.raise_to(total))} for total in (1, 77)],
            "bet_or_raise": [
                {"total": total, **answer_of(decision.bet_or_raise(total))} for total in sorted(totals) if total >= 0
            ],
            "bet_pot": [{"percent": percent, **answer_of(decision.bet_pot(percent))} for percent in PERCENTS],
        },
    }
