"""The answer to a dispute, whatever game it is about: the verdict, the first wrong event, who should have got what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from referee.audit.report import Divergence, Verdict
from referee.record.telling import Told
from referee.rulebook import rules as rulebook

WHOLE: Final = -1
"""The entry of a divergence that lies in no single step: the setup, the result, a claim."""


@dataclass(frozen=True)
class Claim:
    """What somebody says that a player won (or lost, below 0) in the hand, in chips or points of the record."""

    player: str
    net: int


class ClaimError(ValueError):
    """A claim that is none: for a player whom the record does not have or has twice, or twice for the same one."""


@dataclass(frozen=True)
class PlayerOutcome:
    """A player's right outcome in chips or points: what he got, and what he won or lost altogether.

    ``collected`` is what came from pots, or what a round scored him; ``got`` tells it in words. ``recorded_net`` and
    ``claimed_net`` are None where nothing is recorded or claimed.
    """

    seat: int
    player: str
    collected: int
    net: int
    recorded_net: int | Fraction | None
    claimed_net: int | None
    got: str


@dataclass(frozen=True)
class Answer:
    """The answer to a dispute.

    ``divergence`` is None unless the verdict is INVALID, and its ``check`` is ``claim`` where only the claim is wrong;
    ``line`` is that of the divergence in the source, 0 for none. ``outcomes`` are empty while the hand has no end by
    the rules, because cards or actions are missing. ``rules`` are the ids that decided, in that order.
    """

    verdict: Verdict
    summary: str
    divergence: Divergence | None
    line: int
    outcomes: tuple[PlayerOutcome, ...]
    rules: tuple[str, ...]
    claims: tuple[Claim, ...]
    number: int


def rule_text(rule: str) -> str:
    """The text of a rule of the rulebook, empty for an id that it does not have."""
    found = rulebook().get(rule)
    return "" if found is None else found.text


def told_by_street(happened: Iterable[Told]) -> str:
    """What happened in words, a line for each street: ``flop: dealt 2c 7d Ts; Anna checks``."""
    streets: list[tuple[str, list[str]]] = []
    for told in happened:
        if not streets or streets[-1][0] != told.street:
            streets.append((told.street, []))
        streets[-1][1].append(told.text)
    return "\n".join(f"{street}: {'; '.join(texts)}" for street, texts in streets)


def claimed_nets(players: Mapping[int, str], claims: Iterable[Claim]) -> dict[int, int]:
    """The claims by seat; a player is named as in the record, or else by the number of his seat.

    Raises ClaimError for a claim that names nobody, or somebody a second time.
    """
    nets: dict[int, int] = {}
    for claim in claims:
        named = [seat for seat, name in players.items() if name == claim.player]
        if not named and claim.player.isascii() and claim.player.isdecimal():
            named = [seat for seat in players if str(seat) == claim.player]
        if len(named) != 1:
            known = ", ".join(f"{name} (seat {seat})" for seat, name in players.items())
            raise ClaimError(f"{len(named) or 'no'} players called {claim.player!r}; there are {known}")
        if named[0] in nets:
            raise ClaimError(f"two claims for {claim.player!r}")
        nets[named[0]] = claim.net
    return nets


def verdict_on(divergence: Divergence | None, is_complete: bool) -> Verdict:
    """The verdict on a record of which nothing but the divergence is wrong."""
    if divergence is not None:
        return Verdict.INVALID
    return Verdict.VALID if is_complete else Verdict.INCOMPLETE


def summary_of(divergence: Divergence | None, is_complete: bool, missing: Iterable[str], has_claims: bool) -> str:
    """The answer in a sentence; ``missing`` says what is missing where the record is not complete."""
    if divergence is not None:
        return f"{_place(divergence)} is wrong by {divergence.rule}: {divergence.message}"
    if not is_complete:
        what = "; ".join(dict.fromkeys(missing)) or "the hand has no end"
        return f"nothing recorded is wrong, but not everything can be checked: {what}"
    return "everything recorded is right by the rules" + (", and so is what is claimed" if has_claims else "")


def _place(divergence: Divergence) -> str:
    if divergence.check == "rulings":
        return f"step {divergence.entry + 1} of the record"
    return {"rules": "the setup", "settlement": "the recorded result", "claim": "the claim"}[divergence.check]
