"""Audits recorded hands by the million: parts of files judged apart from one another, and what came of them added up.

A part's result is small and can be written as JSON, so that it can come from another process, or from an earlier run.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from referee.audit.dispute import divergence_of, is_missing
from referee.audit.known_lines import KnownLines
from referee.audit.kozel_dispute import round_divergence
from referee.audit.parts import BUNDLE_SUFFIX, Part, Piece
from referee.audit.report import Divergence, Report, Verdict
from referee.judge import FindingKind, Judgement, findings_of, judge_record
from referee.kozel_judge import NO_SECOND_OPINION, judge_round
from referee.record.hand_record import HandRecord, NotationError
from referee.record.kozel_record import RecordedRound
from referee.record.notation import GameRecord, read_unknown_of_file, read_unknown_of_text
from referee.record.rule_sets import AnyRuleSet, find_any_rule_set

LISTED: Final = 100
"""How many disagreements, and how many unreadable hands, are told one by one; all are counted."""

LISTED_LETTERS: Final = 4_000
"""Letters of each text of a disagreement that is listed."""

UNNAMED: Final = "-"
"""What is counted that disagrees by no rule of the rulebook: a chain that does not hold, a signature."""


@dataclass(frozen=True)
class Settings:
    """How records are judged: by a published rule set whatever they name, with a game definition of the contest's
    dealer, with the second opinion; ``keys`` are those of the log that bundles are checked with."""

    rule_set: str | None = None
    game: str | None = None
    second_opinion: bool = False
    keys: tuple[str, ...] = ()

    def rules(self) -> AnyRuleSet | None:
        """The rule set; raises KeyError for one that is not published."""
        return None if self.rule_set is None else find_any_rule_set(self.rule_set)


@dataclass(frozen=True)
class Listed:
    """One disagreement: the file, the hand from 1 within it or within its part, the line, and where it diverges."""

    path: str
    hand: int
    line: int
    divergence: Divergence


@dataclass(frozen=True)
class Unreadable:
    """One hand that cannot be read: the file, the line, and what was expected there."""

    path: str
    line: int
    expected: str


@dataclass
class PartResult:
    """What came of a part. ``by_rule`` counts hands, each once under every rule that it breaks.

    ``incomplete`` hands lack cards or actions; ``differ`` counts hands on which the two judges part. ``cut_from`` is
    the file that the part is cut from, if it is.
    """

    place: int
    key: str
    cut_from: str = ""
    hands: int = 0
    disagree: int = 0
    incomplete: int = 0
    unreadable: int = 0
    differ: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)
    first: list[Listed] = field(default_factory=list)
    first_unreadable: list[Unreadable] = field(default_factory=list)
    first_differ: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The result as a dictionary that ``json.dumps`` takes."""
        listed = {"first": [asdict(one) for one in self.first], "first_unreadable": [*map(vars, self.first_unreadable)]}
        return vars(self) | listed | {"by_rule": dict(self.by_rule)}

    @staticmethod
    def from_dict(told: dict[str, Any]) -> "PartResult":
        """Reads what :meth:`to_dict` wrote; raises TypeError, KeyError or ValueError for anything else."""
        first = [Listed(**one | {"divergence": Divergence(**one["divergence"])}) for one in told["first"]]
        unreadable = [Unreadable(**one) for one in told["first_unreadable"]]
        counted = Counter({str(rule): int(hands) for rule, hands in told["by_rule"].items()})
        return PartResult(**told | {"first": first, "first_unreadable": unreadable, "by_rule": counted})


_KNOWN: Final = KnownLines()
"""What this process knows of the archives that it audits, from one part to the next."""


def audit_part(part: Part, settings: Settings, known: KnownLines | None = _KNOWN) -> PartResult:
    """Judges every hand of a part, and verifies its bundles. Never raises for what is wrong with a record.

    The result is the same whatever is ``known``, which only saves work.
    """
    first = part.pieces[0]
    is_cut = first.data is not None and not first.path.endswith(BUNDLE_SUFFIX)
    result = PartResult(part.place, part.key, first.path if is_cut else "")
    rules = settings.rules()
    if settings.second_opinion:
        known = None  # which is asked for every hand
    elif known is not None:
        known.judged_by(rules)
    for piece in part.pieces:
        if piece.path.endswith(BUNDLE_SUFFIX):
            _audit_bundle(piece, settings, result)
        else:
            _audit_records(piece, rules, settings, known, result)
    return result


def _audit_records(
    piece: Piece, rules: AnyRuleSet | None, settings: Settings, known: KnownLines | None, result: PartResult
) -> None:
    line_shift = piece.lines_before - piece.heading.count(b"\n")
    number = 0
    try:
        for number, read in enumerate(_read(piece, rules, settings, known), 1):
            if read is None:
                result.hands += 1
                continue
            if isinstance(read, NotationError):
                _add_unreadable(piece.path, read.line + line_shift, read.expected, result)
                continue
            if isinstance(read, RecordedRound):
                _audit_round(piece.path, number, line_shift, read, settings, result)
                continue
            result.hands += 1
            if findings_of(read):
                _add_findings(piece.path, number, line_shift, judge_record(read), result)
            if settings.second_opinion:
                _ask_for_second_opinion(piece.path, number, read, result)
    except NotationError as error:  # A file that stops being text on the way.
        _add_unreadable(piece.path, error.line + line_shift, error.expected, result)
    except OSError as error:
        _add_unreadable(piece.path, 0, f"a readable file: {error.strerror}", result)


def _read(
    piece: Piece, rules: AnyRuleSet | None, settings: Settings, known: KnownLines | None
) -> Iterator[GameRecord | NotationError | None]:
    """The hands of a piece; None for one that is known to be right without being read."""
    path = Path(piece.path)
    game = None if settings.game is None else Path(settings.game)
    if piece.data is None:
        return read_unknown_of_file(path, known, rules, game)
    encoding = "utf-8" if piece.lines_before else "utf-8-sig"
    text = (piece.heading + piece.data).decode(encoding, "surrogateescape")
    return read_unknown_of_text(text, piece.path, known, rules, game, path.parent)


def _add_unreadable(path: str, line: int, expected: str, result: PartResult) -> None:
    result.unreadable += 1
    if len(result.first_unreadable) < LISTED:
        result.first_unreadable.append(Unreadable(path, line, expected))


def _add_findings(path: str, number: int, line_shift: int, judgement: Judgement, result: PartResult) -> None:
    broken = {finding.rule for finding in judgement.findings if finding.kind == FindingKind.DISAGREES}
    if not broken:
        result.incomplete += any(is_missing(judgement, finding) for finding in judgement.findings)
        return
    if _disagrees(broken, result):
        divergence = _shortened(divergence_of(judgement, number))
        line = min(finding.line for finding in judgement.findings if finding.kind == FindingKind.DISAGREES)
        result.first.append(Listed(path, number, line + line_shift, divergence))


def _audit_round(
    path: str, number: int, line_shift: int, record: RecordedRound, settings: Settings, result: PartResult
) -> None:
    if settings.second_opinion:
        _add_unreadable(path, record.line + line_shift, NO_SECOND_OPINION, result)
        return
    result.hands += 1
    judgement = judge_round(record)
    broken = {finding.rule for finding in judgement.findings}
    if not broken:
        result.incomplete += judgement.state is None or not judgement.state.has_ended()
    elif _disagrees(broken, result):
        divergence = _shortened(round_divergence(judgement, number))
        line = min([finding.line for finding in judgement.findings])
        result.first.append(Listed(path, number, line + line_shift, divergence))


def _disagrees(broken: set[str], result: PartResult) -> bool:
    """Counts a hand that breaks these rules; returns whether it is to be listed."""
    result.disagree += 1
    result.by_rule.update(broken)
    return len(result.first) < LISTED


def _ask_for_second_opinion(path: str, number: int, record: HandRecord, result: PartResult) -> None:
    second = judge_record(record, with_second_opinion=True).second_opinion
    if second is not None and second.difference is not None:
        result.differ += 1
        if len(result.first_differ) < LISTED:
            result.first_differ.append(f"{path}: hand {number}: {second.difference}")


def _shortened(divergence: Divergence | None) -> Divergence:
    """A divergence for a list: a record can make its texts so long that a hundred fit into no message."""
    assert divergence is not None, "something disagrees"
    texts = {name: getattr(divergence, name) for name in ("message", "before", "recorded", "right")}
    return replace(
        divergence,
        **{
            name: text if len(text) <= LISTED_LETTERS else text[:LISTED_LETTERS] + " ..."
            for name, text in texts.items()
        },
    )


def _audit_bundle(piece: Piece, settings: Settings, result: PartResult) -> None:
    # Loaded when there is a bundle: records in other notations do without it.
    from referee.audit.trust import trust_in
    from referee.audit.verify import verify_bundle

    try:
        data = Path(piece.path).read_bytes() if piece.data is None else piece.data
    except OSError as error:
        _add_unreadable(piece.path, 0, f"a readable file: {error.strerror}", result)
        return
    add_report(piece.path, verify_bundle(data, trust_in(settings.keys)), result)


def add_report(path: str, report: Report, result: PartResult) -> None:
    """Adds what verifying a bundle found; one that is wrong counts as one hand that disagrees."""
    result.hands += report.hands
    if report.verdict == Verdict.UNREADABLE:
        _add_unreadable(path, 0, report.divergence.message if report.divergence else "a bundle", result)
    elif report.verdict == Verdict.INCOMPLETE:
        result.incomplete += 1
    elif report.divergence is not None:
        result.disagree += 1
        result.by_rule[report.divergence.rule or UNNAMED] += 1
        if len(result.first) < LISTED:
            result.first.append(Listed(path, max(report.divergence.piece, 0), 0, _shortened(report.divergence)))


def add_result(total: PartResult, result: PartResult) -> None:
    """Adds a part's result to that of the parts before it, of one text or of several bundles."""
    before = total.hands + total.unreadable if result.cut_from else 0
    total.hands += result.hands
    total.disagree += result.disagree
    total.incomplete += result.incomplete
    total.unreadable += result.unreadable
    total.differ += result.differ
    total.by_rule.update(result.by_rule)
    total.first.extend([_counted_through(one, before) for one in result.first[: LISTED - len(total.first)]])
    total.first_unreadable.extend(result.first_unreadable[: LISTED - len(total.first_unreadable)])
    total.first_differ.extend(result.first_differ[: LISTED - len(total.first_differ)])


def _counted_through(one: Listed, before: int) -> Listed:
    """A disagreement with its hand counted from the beginning of the file, ``before`` hands before its part."""
    return replace(one, hand=one.hand + before, divergence=replace(one.divergence, piece=one.divergence.piece + before))


class Summary:
    """Results of parts added up, in whatever order they come."""

    def __init__(self) -> None:
        self._results: dict[int, PartResult] = {}
        self.hands = 0
        self.disagree = 0
        self.incomplete = 0
        self.unreadable = 0
        self.differ = 0
        self.by_rule: Counter[str] = Counter()

    def add(self, result: PartResult) -> None:
        """Adds a part's result; the same part twice counts once."""
        if result.place in self._results:
            return
        self._results[result.place] = result
        self.hands += result.hands
        self.disagree += result.disagree
        self.incomplete += result.incomplete
        self.unreadable += result.unreadable
        self.differ += result.differ
        self.by_rule.update(result.by_rule)

    def rules(self) -> list[tuple[str, int]]:
        """Rules with how many hands break them, the most broken first."""
        return sorted(self.by_rule.items(), key=lambda one: (-one[1], one[0]))

    def first(self, count: int = LISTED) -> list[Listed]:
        """The first disagreements in the order of the files; hands of a file that was cut are counted through."""
        found: list[Listed] = []
        for result, before in self._in_order():
            found.extend(_counted_through(one, before) for one in result.first)
            if len(found) >= count:
                break
        return found[:count]

    def first_unreadable(self, count: int = LISTED) -> list[Unreadable]:
        """The first hands that cannot be read, in the order of the files."""
        return [one for result, _ in self._in_order() for one in result.first_unreadable][:count]

    def first_differ(self, count: int = LISTED) -> list[str]:
        """The first hands on which the two judges part."""
        return [one for result, _ in self._in_order() for one in result.first_differ][:count]

    def _in_order(self) -> Iterator[tuple[PartResult, int]]:
        """Results in the order of their parts, each with how many hands of its file came before it."""
        before: Counter[str] = Counter()
        for _, result in sorted(self._results.items()):
            yield result, before[result.cut_from] if result.cut_from else 0
            if result.cut_from:
                before[result.cut_from] += result.hands + result.unreadable
