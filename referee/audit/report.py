"""What an audit finds: named checks in a fixed order, the first divergence, and the verdict."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from referee.rulebook import find_rule


class Outcome(IntEnum):
    """What came of a check; the numbers are those of the contract."""

    PASS = 1
    FAIL = 2
    NOT_CHECKABLE = 3


class Verdict(IntEnum):
    """What came of all checks; the numbers are those of the contract."""

    VALID = 1
    INVALID = 2
    UNREADABLE = 3
    INCOMPLETE = 4


CHECKS: Final = {
    "bundle": "the file is a bundle and its digest fits",
    "entries": "every entry has the parts that an entry has",
    "seals": "seals name their pieces, and pieces follow one another",
    "chain": "the chain over a piece's entries leads to the head that is sealed",
    "links": "each seal names the piece before it and the table's opening",
    "inclusion": "every seal is a leaf of the log",
    "checkpoint": "the log's head is signed by a key that is believed",
    "witnesses": "enough witnesses have cosigned the head",
    "open_parts": "what everybody may see is what the view makes of the whole",
    "rules": "the rule set is known, has the recorded hash, and can be played",
    "commitments": "seeds were committed to before any was revealed, and before the first hand",
    "seeds": "revealed seeds are the committed ones",
    "deck_roots": "each deck is the one that its root committed to",
    "cards": "the cards, or tiles, that were dealt are those of the deck",
    "hands": "hands are numbered without gaps and complete",
    "seats": "who sits where with what follows from what was before",
    "positions": "button and blinds move by the rules, or the right player leads",
    "events": "every event follows from the rules",
    "rulings": "every accepted proposal is accepted again, with the same ruling",
    "refusals": "every refused proposal is refused again, with the same ruling",
    "timeouts": "whoever was answered for was late, had left, or had forfeited the hand by faults",
    "clocks": "time used and time banks add up",
    "settlement": "shown hands, rake and pots, or points and ratings, are what the rules award",
    "conservation": "no chip, or tile, appears or disappears",
    "signatures": "players' signatures fit their proposals",
}
"""Every check by name, in order, with what it asks."""


@dataclass(frozen=True)
class Check:
    """One named check: what came of it, how many things were compared, and how it fared in words."""

    name: str
    outcome: Outcome
    compared: int
    message: str


@dataclass(frozen=True)
class Divergence:
    """A place at which a record is not as it must be.

    ``entry`` is the entry's number in the table, -1 for a whole piece or bundle; ``piece`` is -1 for a whole bundle.
    ``before`` tells the hand before it, ``recorded`` what stands there, ``right`` what is right.
    """

    check: str
    message: str
    table_id: str = ""
    piece: int = -1
    entry: int = -1
    rule: str = ""
    before: str = ""
    recorded: str = ""
    right: str = ""

    @property
    def rule_text(self) -> str:
        """The text of the rule, empty where none is named."""
        try:
            return find_rule(self.rule).text
        except KeyError:
            return ""


@dataclass(frozen=True)
class Report:
    """What verifying a bundle found.

    ``checks`` are always all of them, in the same order. ``divergence`` is the first, in the order of the record.
    ``missing`` says what should be there and is not, which makes a bundle that is otherwise right incomplete.
    """

    verdict: Verdict
    checks: tuple[Check, ...]
    divergence: Divergence | None
    hands: int
    rulings: int
    missing: tuple[str, ...] = ()

    def check(self, name: str) -> Check:
        """The check of this name."""
        return next(check for check in self.checks if check.name == name)


@dataclass
class _Tally:
    compared: int = 0
    unchecked: int = 0
    failures: int = 0
    why_unchecked: str = ""
    why_failed: str = ""


@dataclass
class Findings:
    """Gathers what the checks find, and makes the report of it."""

    hands: int = 0
    rulings: int = 0
    missing: list[str] = field(default_factory=list)
    _tallies: dict[str, _Tally] = field(default_factory=lambda: {name: _Tally() for name in CHECKS})
    _first: tuple[tuple[int, ...], Divergence] | None = None
    _tables: dict[str, int] = field(default_factory=dict)

    def passed(self, check: str, count: int = 1) -> None:
        """Notes that so many things were compared and found right."""
        self._tallies[check].compared += count

    def unchecked(self, check: str, why: str, count: int = 1) -> None:
        """Notes that something cannot be told from what is there."""
        tally = self._tallies[check]
        tally.unchecked += count
        tally.why_unchecked = tally.why_unchecked or why

    def failed(self, divergence: Divergence) -> None:
        """Notes that something is wrong."""
        tally = self._tallies[divergence.check]
        tally.compared += 1
        tally.failures += 1
        tally.why_failed = tally.why_failed or divergence.message
        place = self._place(divergence)
        if self._first is None or place < self._first[0]:
            self._first = (place, divergence)

    def lacks(self, what: str) -> None:
        """Notes that something is missing that should be there."""
        if what not in self.missing:
            self.missing.append(what)

    def _place(self, one: Divergence) -> tuple[int, ...]:
        """Where a divergence stands in the record: an entry before the whole of its piece, the whole bundle last."""
        table = self._tables.setdefault(one.table_id, len(self._tables)) if one.table_id else 1 << 62
        piece = one.piece if one.piece >= 0 else 1 << 62
        entry = one.entry if one.entry >= 0 else 1 << 62
        return table, piece, entry, list(CHECKS).index(one.check)

    def report(self) -> Report:
        """The report."""
        checks = tuple([_check(name, tally) for name, tally in self._tallies.items()])
        verdict = Verdict.INCOMPLETE if self.missing else Verdict.VALID
        if self._first is not None:
            verdict = Verdict.INVALID
        divergence = None if self._first is None else self._first[1]
        return Report(verdict, checks, divergence, self.hands, self.rulings, tuple(self.missing))


def unreadable(why: str) -> Report:
    """The report on bytes that are no bundle."""
    others = tuple([Check(name, Outcome.NOT_CHECKABLE, 0, "the bundle cannot be read") for name in list(CHECKS)[1:]])
    checks = (Check("bundle", Outcome.FAIL, 1, why), *others)
    return Report(Verdict.UNREADABLE, checks, Divergence("bundle", why), 0, 0)


def _check(name: str, tally: _Tally) -> Check:
    if tally.failures:
        more = f" ({tally.failures} differences in all)" if tally.failures > 1 else ""
        return Check(name, Outcome.FAIL, tally.compared, tally.why_failed + more)
    if tally.unchecked and not tally.compared:
        return Check(name, Outcome.NOT_CHECKABLE, 0, tally.why_unchecked)
    if not tally.compared:
        return Check(name, Outcome.PASS, 0, "there is nothing of the kind")
    message = f"{tally.compared} compared"
    if tally.unchecked:
        message += f"; {tally.unchecked} not checkable: {tally.why_unchecked}"
    return Check(name, Outcome.PASS, tally.compared, message)
