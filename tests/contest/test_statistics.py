"""Statistics against simulations whose truth is known."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.special import expit

from referee.contest.results import Facing, from_plain
from referee.contest.schedule import Match
from referee.contest.scores import counted, match_scores
from referee.contest.statistics.collusion import DUMPING, SOFT_PLAY, chip_flow, flow_flags, soft_play_flags
from referee.contest.statistics.derived import bradley_terry, instant_run_off
from referee.contest.statistics.intervals import Estimate, estimate, joined
from referee.contest.statistics.sprt import FEWEST_BLOCKS, Answer, Sprt
from referee.contest.statistics.standings import Options, crosstable, difference, rank_probabilities, standings
from referee.contest.statistics.units import Meeting, Way, meetings, rate_parts
from tests.contest.contests import hand, simulated
from tests.support import LONG, scale

STRENGTHS = {"ann": 30.0, "bob": 10.0, "cid": 0.0, "dora": -40.0}
COVERAGE = (0.93, 0.97) if LONG else (0.92, 0.98)
"""What 95 % intervals cover; the bounded run has fewer contests, and so a wider band."""


def parts_of(met, name):
    own = [one for one in met if name in one.players]
    return rate_parts([one.nets[:, one.column(name)] for one in own], [one.hands[:, one.column(name)] for one in own])


@pytest.mark.parametrize("blocks", [50, 200])
def test_intervals_cover_the_truth_as_often_as_they_say(blocks):
    contests = scale(300, 2_000)
    options = Options(resamples=600)
    rates, pairs = [], []
    for number in range(contests):
        rng = np.random.default_rng(number)
        met = simulated(rng, STRENGTHS, blocks)
        for name in ("ann", "dora"):
            others = [STRENGTHS[other] for other in STRENGTHS if other != name]
            truth = STRENGTHS[name] - float(np.mean(others))
            found = options.estimate(parts_of(met, name))
            rates.append(found.low <= truth <= found.high)
        found = crosstable(met, ["dora", "ann"], options)["dora", "ann"]
        pairs.append(found.low <= -70 <= found.high)
    low, high = COVERAGE
    print(f"{contests} contests of {blocks} blocks: {np.mean(rates):.3f} of rates, {np.mean(pairs):.3f} of pairs")
    assert low <= np.mean(rates) <= high
    assert low <= np.mean(pairs) <= high


def test_skewed_units_are_covered_too():
    covered = []
    for number in range(scale(500, 2_000)):
        rng = np.random.default_rng(number)
        units = rng.exponential(1.0, 60) / 60
        found = estimate([units], rng, resamples=600)
        covered.append(found.low <= 1 <= found.high)
    assert COVERAGE[0] <= np.mean(covered) <= COVERAGE[1], np.mean(covered)


def test_long_series_are_joined_without_changing_the_sum():
    parts = np.random.default_rng(1).normal(size=(5_003, 2))
    short = joined(parts, 1_000)
    assert len(short) == 1_000
    assert np.allclose(short.sum(axis=0), parts.sum(axis=0))
    found = estimate([parts[:, 0]], np.random.default_rng(2))
    assert found.error == pytest.approx(np.sqrt(5_003), rel=0.1)


def test_one_unit_says_nothing_of_its_error_and_equal_units_have_none():
    rng = np.random.default_rng(0)
    assert estimate([np.array([3.0])], rng).high == np.inf
    same = estimate([np.full(20, 0.5)], rng)
    assert (same.value, same.low, same.high, same.above) == (10.0, 10.0, 10.0, 1.0)


def deals(rng, blocks, pay):
    """Hands of a and b in both seatings of each block, one hand each; ``pay`` makes a's two results."""
    results = []
    for block in range(blocks):
        first, second = pay(rng)
        results.append(hand(1, block, ("a", "b"), (first, -first), 0))
        results.append(hand(1, block, ("b", "a"), (-second, second), 1))
    return results


def test_what_the_seatings_of_a_block_share_counts_against_raw_and_not_against_duplicate():
    def pay(rng):
        cards, play = rng.normal(0, 500), rng.normal(20, 50, 2)
        return int(cards + play[0]), int(-cards + play[1])

    results = deals(np.random.default_rng(3), 200, pay)
    raw = difference(results, "a", "b", 100, way=Way.RAW)
    duplicate = difference(results, "a", "b", 100, way=Way.DUPLICATE)
    assert raw.value == pytest.approx(duplicate.value)
    assert raw.units == 2 * duplicate.units == 400
    assert duplicate.error < 0.2 * raw.error


def test_standings_are_zero_sum_ordered_and_repeat_themselves():
    results = deals(np.random.default_rng(4), 50, lambda rng: rng.integers(-900, 1_000, 2))
    table = standings(results, ["b", "a", "nobody"], 100)
    again = standings(results, ["b", "a", "nobody"], 100)
    assert table == again
    assert table.names[2] == "nobody"
    assert sum(row.chips for row in table.rows) == 0
    assert table.rows[0].rate.value == pytest.approx(-table.rows[1].rate.value)
    assert table.rows[0].rate.value >= 0
    cross = table.cross["a", "b"]
    assert cross.value == pytest.approx(-table.cross["b", "a"].value)
    assert cross.value == pytest.approx(next(row for row in table.rows if row.name == "a").rate.value)
    assert cross.above == pytest.approx(1 - table.cross["b", "a"].above)


def test_probabilities_of_ranks_and_of_winning_are_calibrated():
    right, told, sure = [], [], []
    for number in range(scale(300, 2_000)):
        rng = np.random.default_rng(number)
        truth = {name: rng.normal(0, 25) for name in ("a", "b", "c")}
        met = simulated(rng, truth, 60)
        ranks = rank_probabilities(met, ["a", "b", "c"], Options(resamples=400, seed=number))
        best = max(truth, key=lambda name: truth[name])
        for name, chances in ranks.items():
            assert sum(chances) == pytest.approx(1)
            told.append(chances[0])
            right.append(name == best)
        sure.append(sum(chances[0] for chances in ranks.values()))
    assert np.allclose(sure, 1)
    told, right = np.array(told), np.array(right, dtype=float)
    for low in (0.1, 0.3, 0.5, 0.7):
        band = (told >= low) & (told < low + 0.2)
        # The prior that the truths were drawn from pulls the middle bands a little.
        assert abs(told[band].mean() - right[band].mean()) < scale(16, 10) / 100, low


def test_equals_share_their_ranks():
    met = [replace(one, nets=np.zeros_like(one.nets)) for one in simulated(np.random.default_rng(0), STRENGTHS, 10)]
    ranks = rank_probabilities(met, list(STRENGTHS), Options(resamples=200))
    assert all(chance == pytest.approx(0.25) for chances in ranks.values() for chance in chances)


def test_the_sequential_test_keeps_its_error_rates_and_stops_early():
    test = Sprt(margin=10.0, alpha=0.05, beta=0.05)
    most, wrong, lengths = 4_000, {0.0: 0, 10.0: 0}, []
    tries = scale(200, 1_000)
    for truth, bad in ((0.0, Answer.BETTER), (10.0, Answer.NOT_BETTER)):
        for number in range(tries):
            blocks = np.random.default_rng(number).normal(truth, 60.0, most)
            sums, squares = np.cumsum(blocks), np.cumsum(blocks**2)
            for played in range(FEWEST_BLOCKS, most, 5):
                mean = sums[played - 1] / played
                spread = (squares[played - 1] - played * mean**2) / (played - 1)
                ratio = played * 10 * (mean - 5) / spread
                if abs(ratio) >= np.log(19):
                    answer = test.answer(blocks[:played])
                    assert answer is not Answer.OPEN
                    wrong[truth] += answer is bad
                    lengths.append(played)
                    break
    assert len(lengths) == 2 * tries
    assert max(wrong.values()) / tries < 0.08, wrong
    # A test of fixed length with the same errors needs (2 * 1.645 * 60 / 10)^2 = 390 blocks.
    assert np.mean(lengths) < 300


def test_the_sequential_test_is_not_fooled_by_losses_that_are_rare():
    """Wins a little in nearly every hand, loses 200 big blinds once in 200: no better, as it may seem at first."""
    test, wrong, tries = Sprt(margin=20.0), 0, scale(150, 1_000)
    for number in range(tries):
        rng = np.random.default_rng(number)
        lost = rng.random((1_500, 20)) < 0.005
        blocks = 100 * (np.where(lost, -200.0, 200 * 0.005 / 0.995) + rng.normal(0, 1.5, lost.shape)).mean(axis=1)
        answers = (test.answer(blocks[:played]) for played in range(20, len(blocks), 20))
        wrong += next((one for one in answers if one is not Answer.OPEN), None) is Answer.BETTER
    assert wrong / tries < 0.16, wrong


def test_strengths_of_bradley_terry_follow_the_won_blocks():
    met = simulated(np.random.default_rng(5), {"a": 200.0, "b": 0.0, "c": -200.0}, 400)
    ratings = bradley_terry(met, ["a", "b", "c"])
    assert ratings["a"] > ratings["b"] > ratings["c"]
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-6)
    (one,) = [each for each in met if each.players == ("a", "b")]
    share = float((one.nets[:, 0] > 0).mean())
    told = 1 / (1 + 10 ** ((ratings["b"] - ratings["a"]) / 400))
    assert told == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("matches", [1, 2, 8])
def test_a_pair_has_one_drawn_block_of_prior_however_often_it_met(matches):
    won, lost = 32, 8
    nets = np.concatenate([np.full(won, 3.0), np.full(lost, -5.0)])
    met = [
        Meeting(number, ("a", "b"), np.stack([part, -part], axis=1), np.full((len(part), 2), 2.0))
        for number, part in enumerate(np.split(np.random.default_rng(1).permutation(nets), matches))
    ]
    ratings = bradley_terry(met, ["a", "b", "absent"])
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * np.log10((won + 0.5) / (lost + 0.5)), abs=1e-3)


def test_who_never_lost_a_block_has_a_finite_strength_which_is_the_prior_s():
    nets = np.full(20, 1.0)
    met = [Meeting(1, ("a", "b"), np.stack([nets, -nets], axis=1), np.full((20, 2), 2.0))]
    ratings = bradley_terry(met, ["a", "b"])
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * np.log10(20.5 / 0.5), abs=1e-3)


def test_in_an_instant_run_off_beating_the_weakest_does_not_help():
    def cell(value):
        return Estimate(value, 1.0, value - 2, value + 2, 10, 0.5)

    cross = {}
    for row, column, value in (("solid", "shark", 5.0), ("shark", "fish", 500.0), ("solid", "fish", 50.0)):
        cross[row, column], cross[column, row] = cell(value), cell(-value)
    assert instant_run_off(cross, ["shark", "solid", "fish"]) == ("solid", "shark", "fish")


def test_chips_flow_from_losers_to_winners_in_proportion():
    results = [hand(1, 0, ("a", "b", "c"), (-300, 200, 100)), hand(1, 1, ("a", "b", "c"), (-100, -100, 200))]
    flow = chip_flow(results)
    assert flow == {("a", "b"): 200.0, ("a", "c"): 200.0, ("b", "c"): 100.0}


def test_dumped_chips_stand_out_and_honest_contests_seldom_do():
    names = [f"p{number}" for number in range(6)]
    strengths = {name: float(at * 10) for at, name in enumerate(names)}
    options = Options(resamples=300)
    flagged = 0
    tries = scale(60, 400)
    for number in range(tries):
        met = simulated(np.random.default_rng(number), strengths, 60)
        flagged += bool(flow_flags(crosstable(met, names, options), names))
    assert flagged / tries <= scale(8, 4) / 100
    met = simulated(np.random.default_rng(1), strengths, 60)
    dumped = [
        replace(one, nets=one.nets + np.array([30.0, -30.0])) if one.players == ("p2", "p4") else one for one in met
    ]
    (flag,) = flow_flags(crosstable(dumped, names, options), names)
    assert (flag.kind, flag.one, flag.other) == (DUMPING, "p4", "p2")


def facings(rng, names, log_odds_of, blocks=40, cards=1.0):
    """Hands of a heads-up round-robin: how often players wager whose actions hang together by block and within a hand.

    What the cards of a block and of a hand are good for moves the log odds of both players by as much as ``cards``
    deviations; and half of all actions repeat the one before.
    """
    results = []
    for match, pair in enumerate(combinations(names, 2), 1):
        for block in range(blocks):
            of_block = rng.normal(0, cards)
            for number in (1, 2):
                good = of_block + rng.normal(0, cards)
                facing = []
                for one, other in (pair, pair[::-1]):
                    actions = [rng.random() < expit(log_odds_of(one, other) + good)]
                    for _ in range(rng.poisson(1.5)):
                        again = rng.random() < 0.5
                        actions.append(actions[-1] if again else rng.random() < expit(log_odds_of(one, other) + good))
                    facing.append(Facing(one, other, sum(actions), len(actions)))
                results.append(hand(match, block, pair, (0, 0), number=number, facing=facing))
    return results


def styles(rng, names, fit=0.0):
    """Log odds of a wager: how bold one is, how much the other invites it, and how both fit, all at random."""
    bold, inviting = (dict(zip(names, rng.normal(-0.3, 0.6, len(names)), strict=True)) for _ in range(2))
    own = {pair: rng.normal(0, fit) for pair in permutations(names, 2)}
    return lambda one, other: bold[one] + inviting[other] + own[one, other]


@pytest.mark.parametrize(("entrants", "fit"), [(5, 0.0), (6, 0.0), (6, 0.3)])
def test_honest_players_of_any_style_are_seldom_taken_for_soft(entrants, fit):
    """Of honest contests at most one in a hundred may be flagged; of 60 no more than 3 then are but once in 300."""
    names, tries = [f"p{number}" for number in range(entrants)], scale(60, 2_000)
    flagged = 0
    for number in range(tries):
        rng = np.random.default_rng(number)
        flagged += bool(soft_play_flags(facings(rng, names, styles(rng, names, fit)), names))
    print(f"{flagged} of {tries} honest contests flagged")
    assert flagged <= scale(3, 33)


def test_soft_play_stands_out_when_both_are_soft_and_only_then():
    names = ["a", "b", "c", "d", "e"]
    rng = np.random.default_rng(1)
    style = styles(rng, names)

    def soft(one, other):
        return style(one, other) - (3.0 if {one, other} == {"a", "b"} else 0.0)

    def afraid(one, other):
        return style(one, other) - (3.0 if (one, other) == ("a", "b") else 0.0)

    (flag,) = soft_play_flags(facings(rng, names, soft), names)
    assert (flag.kind, flag.one, flag.other) == (SOFT_PLAY, "a", "b")
    assert flag.seen < flag.expected
    assert soft_play_flags(facings(rng, names, afraid), names) == [], "one who is careful of another is no soft play"
    four = names[:4]
    assert soft_play_flags(facings(rng, four, soft), four) == [], "of four it cannot be told who is soft"
    few = facings(rng, names, soft, blocks=5)
    assert soft_play_flags(few, names) == [], "five blocks say nothing"


def test_two_pairs_that_are_soft_are_both_found_and_nobody_else():
    names = [f"p{number}" for number in range(7)]
    rng = np.random.default_rng(2)
    style = styles(rng, names)
    together = ({"p0", "p1"}, {"p2", "p5"})
    results = facings(rng, names, lambda one, other: style(one, other) - 3.0 * ({one, other} in together))
    assert {(flag.one, flag.other) for flag in soft_play_flags(results, names)} == {("p0", "p1"), ("p2", "p5")}


def test_void_hands_go_with_their_deal_and_nobody_disqualified_counts():
    results = [
        hand(1, 0, ("a", "b"), (5, -5), 0),
        hand(1, 0, ("b", "a"), (5, -5), 1),
        hand(1, 1, ("a", "b"), (7, -7), 0),
        hand(2, 0, ("a", "c"), (9, -9), 0),
    ]
    assert [one.name for one in counted(results, {"m1.t0.s1-1"}, ())] == ["m1.t1.s0-1", "m2.t0.s0-1"]
    assert [one.match for one in counted(results, (), {"c"})] == [1, 1, 1]
    matches = [Match(1, 1, ("a", "b")), Match(2, 1, ("a", "c"))]
    scores = match_scores(results, matches, 1, (), {"c"})
    assert scores[1] == {"a": 7 / 3, "b": -7 / 3}
    assert scores[2] == {"a": 9.0, "c": float("-inf")}
    # A voided deal decides nothing: a's lucky first one is out of it, in both seatings.
    assert match_scores(results, matches, 1, {"m1.t0.s1-1"}, ())[1] == {"a": 7.0, "b": -7.0}


def test_results_come_back_from_the_store_as_they_were():
    one = hand(3, 2, ("a", "b"), (5, -5), 1, 4, adjusted=(4.25, -4.25), facing=(Facing("a", "b", 1, 2),))
    assert from_plain(one.plain()) == one


def test_blocks_with_fewer_hands_weigh_less():
    results = [hand(1, 0, ("a", "b"), (100, -100), number=1), hand(1, 0, ("a", "b"), (100, -100), number=2)]
    results.append(hand(1, 1, ("a", "b"), (-100, 100), number=1))
    (met,) = meetings(results, 100, Way.DUPLICATE)
    assert met.hands[:, 0].tolist() == [2.0, 1.0]
    (parts,) = rate_parts([met.nets[:, 0]], [met.hands[:, 0]])
    assert parts.sum() == pytest.approx(100 * (1 + 1 - 1) / 3)
