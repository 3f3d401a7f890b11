"""Everything that a contest's results say, as plain values: what is written as JSON, and what the page shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from referee import __version__
from referee.contest.deals import seed_commitment
from referee.contest.report.words import OF_KOZEL, OF_POKER
from referee.contest.results import HandResult, largest
from referee.contest.schedule import Match, PlayedMatch, StageTime, outcome
from referee.contest.scores import counted, match_scores
from referee.contest.settings import ContestSettings
from referee.contest.statistics.collusion import chip_flow, flow_flags, soft_play_flags
from referee.contest.statistics.derived import bradley_terry, instant_run_off
from referee.contest.statistics.intervals import Estimate
from referee.contest.statistics.standings import Options, Standings, standings
from referee.contest.statistics.units import Way, meetings

RESULTS_FORMAT = "referee-contest-results/1"
LARGEST_POTS = 20


@dataclass(frozen=True)
class Played:
    """What was played in a contest, and what operators decided: voided hands and disqualified entrants, with reasons.

    ``is_over`` says whether all was played; ``seed`` is shown only then. ``withdrawals`` are a tournament's: who left
    it before which round; ``stage_times`` say when its rounds began, where its levels last minutes.
    """

    settings: ContestSettings
    names: Sequence[str]
    seed: bytes
    matches: Sequence[Match]
    hands: Sequence[HandResult]
    is_over: bool
    voided: Mapping[str, str] = field(default_factory=dict)
    disqualified: Mapping[str, str] = field(default_factory=dict)
    withdrawals: Mapping[str, int] = field(default_factory=dict)
    stage_times: Mapping[int, StageTime] = field(default_factory=dict)

    @property
    def options(self) -> Options:
        """How results are reckoned; the bootstrap draws the same for the same contest."""
        scoring = self.settings.scoring
        return Options(scoring.confidence, scoring.resamples, int(self.settings.sha256()[:8], 16))

    @property
    def counted(self) -> list[HandResult]:
        """The hands that count."""
        return counted(self.hands, self.voided, self.disqualified)


@dataclass(frozen=True)
class Summary:
    """The values, and what they were made of for those who show more."""

    values: dict[str, Any]
    standings: Standings
    counted: Sequence[HandResult]


def summary(played: Played) -> Summary:
    """Reckons everything."""
    unit, words = played.settings.game.unit, OF_KOZEL if played.settings.game.is_kozel else OF_POKER
    names = [name for name in played.names if name not in played.disqualified]
    hands = played.counted
    table = standings(hands, names, unit, played.options)
    met = meetings(hands, unit, Way.DUPLICATE)
    ratings = bradley_terry(met, names)
    scores = match_scores(played.hands, played.matches, unit, played.voided, played.disqualified)
    past = [PlayedMatch(match, scores[match.number]) for match in played.matches]
    values = {
        **common(played, hands),
        "outcome": [
            {"place": one.place, "name": one.name, "points": one.points}
            for one in (outcome(played.settings, played.names, past, played.disqualified) if played.is_over else ())
        ],
        "standings": [
            {
                "rank": rank,
                "name": row.name,
                "hands": row.hands,
                words.total: row.chips,
                words.rates: {way.value: _estimate(row.rates[way]) for way in Way},
                "rank_probabilities": [_rounded(chance) for chance in row.ranks],
                "bradley_terry": _rounded(ratings[row.name]),
            }
            for rank, row in enumerate(table.rows, 1)
        ],
        "instant_run_off": list(instant_run_off(table.cross, table.names)),
        "crosstable": [
            {"row": row, "column": column, **_estimate(found), "row_beats_column": _rounded(found.above)}
            for (row, column), found in sorted(table.cross.items())
        ],
        "chip_flow": [
            {"from": giver, "to": taker, "chips": _rounded(chips)}
            for (giver, taker), chips in sorted(({} if words is OF_KOZEL else chip_flow(hands)).items())
        ],
        "flags": [
            {
                "kind": flag.kind,
                "one": flag.one,
                "other": flag.other,
                "seen": _rounded(flag.seen),
                "expected": _rounded(flag.expected),
                "p": float(f"{flag.p:.3g}"),
                "what": flag.what,
            }
            for flag in (
                ()
                if words is OF_KOZEL
                else (*flow_flags(table.cross, table.names), *soft_play_flags(hands, table.names))
            )
        ],
        "matches": [
            {
                "number": match.number,
                "round": match.round,
                "players": list(match.players),
                words.rate_of_a_hand: {name: _rounded(score, 6) for name, score in scores[match.number].items()},
            }
            for match in played.matches
        ],
    }
    return Summary(values, table, hands)


def common(played: Played, hands: Sequence[HandResult]) -> dict[str, Any]:
    """What the results of every format say; ``hands`` are those that count."""
    settings = played.settings
    return {
        "format": RESULTS_FORMAT,
        "software": f"irish-poker-referee {__version__}",
        "contest": settings.name,
        "title": settings.title,
        "settings_sha256": settings.sha256(),
        "settings": settings.model_dump(mode="json"),
        "seed_commitment": seed_commitment(settings.name, played.seed),
        "seed": played.seed.hex() if played.is_over else "",
        "is_over": played.is_over,
        "hands": len(played.hands),
        "hands_counted": len(hands),
        "hands_not_adjusted": sum([one.left_alone for one in hands]),
        "faults": faults(played.hands),
        "voided": [{"hand": hand, "reason": reason} for hand, reason in sorted(played.voided.items())],
        "disqualified": [{"name": name, "reason": why} for name, why in sorted(played.disqualified.items())],
        "largest_pots": [
            {"hand": one.name, "pot": one.pot, "nets": dict(zip(one.names, one.nets, strict=True))}
            for one in largest(hands, LARGEST_POTS)
        ],
    }


def faults(hands: Sequence[HandResult]) -> list[dict[str, Any]]:
    """Applied faults: by entrant, kind, rule and reason, how often, and in which hand first."""
    counts: dict[tuple[str, str, str, str], list[Any]] = {}
    for one in hands:
        for fault in one.faults:
            entry = counts.setdefault((fault.name, fault.kind, fault.rule, fault.reason), [0, one.name])
            entry[0] += fault.times
    return [
        {"name": name, "kind": kind, "rule": rule, "reason": reason, "times": times, "first_hand": first}
        for (name, kind, rule, reason), (times, first) in sorted(counts.items())
    ]


def _estimate(found: Estimate) -> dict[str, Any]:
    return {
        "value": _rounded(found.value),
        "error": _rounded(found.error),
        "low": _rounded(found.low),
        "high": _rounded(found.high),
        "units": found.units,
    }


def _rounded(value: float, digits: int = 4) -> float | None:
    """Rounded so that the text is the same on every machine; None for what is not known."""
    return round(value, digits) + 0.0 if isfinite(value) else None
