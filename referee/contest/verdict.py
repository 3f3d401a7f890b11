"""The verdict on a heads-up match, as a sentence and as values."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.contest.results import HandResult
from referee.contest.statistics.intervals import Estimate
from referee.contest.statistics.sprt import Answer, Sprt
from referee.contest.statistics.standings import Options, difference
from referee.contest.statistics.units import Way, meetings


@dataclass(frozen=True)
class Verdict:
    """What a match of two says: the first one's rate against the second in big blinds per 100 hands, three ways.

    ``unit`` and ``played`` are what that is called where something else is played.
    """

    one: str
    other: str
    hands: int
    rates: dict[Way, Estimate]
    way: Way
    confidence: float
    unit: str = "bb/100"
    played: str = "hands"

    @property
    def rate(self) -> Estimate:
        """The rate that counts."""
        return self.rates[self.way]

    @property
    def is_decided(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.rate.low > 0 or self.rate.high < 0

    def sentence(self) -> str:
        """The verdict in words."""
        rate = self.rate
        if self.one != self.other and rate.error == 0 and rate.value == 0:
            return f"{self.one} and {self.other} did exactly the same"
        spread = f"{rate.value:+.1f} {self.unit}, {self.confidence:.0%} interval {rate.low:+.1f} to {rate.high:+.1f}"
        if not self.is_decided:
            return f"undecided after {self.hands} {self.played}: {self.one} against {self.other} {spread}"
        better, worse = (self.one, self.other) if rate.value > 0 else (self.other, self.one)
        return f"{better} beats {worse}: {self.one} {spread}"


def verdict(
    results: Sequence[HandResult], one: str, other: str, big_blind: int, is_duplicate: bool, options: Options
) -> Verdict:
    """Reckons a match of two. A player's rate against the other is half of the difference of both."""
    rates = {way: _halved(difference(results, one, other, big_blind, options, way)) for way in Way}
    way = Way.DUPLICATE if is_duplicate else Way.RAW
    return Verdict(one, other, len(results), rates, way, options.confidence)


def _halved(found: Estimate) -> Estimate:
    return Estimate(found.value / 2, found.error / 2, found.low / 2, found.high / 2, found.units, found.above)


def sequential(results: Sequence[HandResult], one: str, other: str, big_blind: int, test: Sprt) -> tuple[Answer, int]:
    """What the test says as block after block comes in, and after how many it said so."""
    (met,) = meetings(results, big_blind, Way.DUPLICATE)
    ahead = (met.nets[:, met.column(one)] - met.nets[:, met.column(other)]) / 2
    means = (100 * ahead / met.hands[:, met.column(one)].clip(1)).tolist()
    for played in range(1, len(means) + 1):
        answer = test.answer(means[:played])
        if answer is not Answer.OPEN:
            return answer, played
    return Answer.OPEN, len(means)
