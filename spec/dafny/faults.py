"""Deliberate faults in the proved settlement, to show that the proofs and the comparison can fail.

Each changes a definition, and the promise beside it where there is one, as somebody would who had the rule wrong.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from spec.dafny.toolchain import BUILD, SOURCE


@dataclass(frozen=True)
class Fault:
    """A changed rule: what is replaced by what, and the lemma that can then not be proved."""

    name: str
    rule: str
    changes: Mapping[str, str]
    unprovable: str


FAULTS: Final = (
    Fault(
        "all odd chips to the first winner",
        "POT-6",
        {
            "each, if w[0] && odd > 0 then odd - 1 else odd)": "each, if w[0] then 0 else odd)",
            "else if odd > 0 then each + 1 else each]": "else each + odd]",
        },
        "Deal",
    ),
    Fault(
        "a player who folded is paid when his hand ties",
        "POT-1",
        {
            "(Winners(who, rank)[i] <==> who[i] && rank[i]": "(Winners(who, rank)[i] <==> rank[i]",
            "(Tops(who, rank, best)[i] <==> who[i] && rank[i]": "(Tops(who, rank, best)[i] <==> rank[i]",
            "[who[0] && rank[0] == best]": "[rank[0] == best]",
        },
        "AwardOnlyToEligible",
    ),
    Fault(
        "a bet is returned to a player who folded",
        "POT-2",
        {"if live[i] && others < bet[i] then": "if others < bet[i] then"},
        "OneBetIsReturned",
    ),
    Fault(
        "rake is not rounded to the chip unit",
        "POT-8",
        {
            "{ Times(Quot(Quot(Times(amount, basisPoints), 10000), unit), unit) }": (
                "{ Quot(Times(amount, basisPoints), 10000) }"
            )
        },
        "FullRakeFits",
    ),
)


def faulty_source(fault: Fault) -> Path:
    """The settlement with one fault, written to ``build/``. Raises ValueError when there is nothing to change."""
    text = SOURCE.read_text(encoding="utf-8")
    for old, new in fault.changes.items():
        if old not in text:
            raise ValueError(f"{fault.name}: {SOURCE.name} has no {old!r}")
        text = text.replace(old, new)
    folder = BUILD / "faults" / fault.unprovable
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SOURCE.name).write_text(text, encoding="utf-8")
    return folder / SOURCE.name
