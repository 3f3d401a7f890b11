"""Hands that a real server ruled on, and hands of the corpora, are behaviours of the specification, by TLC.

Compared are every action and its amounts, whom the server asked and what it told him that he may do, returned bets,
streets, discards, who showed in which order, what each pot's winners got, and every refused proposal, which must be
impossible for the specification. It can find differences at any number of seats and with any stacks, where somebody
happened to play. It cannot find what nobody played; of cards it takes the order at the showdown from the engine.
"""

import random
from collections import Counter
from dataclasses import replace

import pytest

from referee.rules.ruleset import DiscardTimeout
from referee.rules.rulings import ActionKind, Proposal, Reason
from spec.binding.played_here import played_here
from spec.binding.recorded import Refused
from spec.binding.trace_check import check
from spec.binding.traces import Counts, trace_of
from spec.binding.validate import batches
from tests.corpora.corpus import GENERATED, LIMIT_HEADS_UP, NO_LIMIT_THREE, PLURIBUS, REAL_IRISH, WSOP, needs_corpora
from tests.model.binding_corpora import ODD_CHIPS, REFUSED, corpus_traces
from tests.support import IRISH, NL, PL, rules, scale, setup_of

HANDS = scale(5_000, 200_000)

NEED_NOT_COME_UP = {
    "UNKNOWN_ACTION",  # the wire format has no such action
    "MALFORMED_ACTION",
    "SHOWDOWN_UNDECIDED",  # a server knows its cards
    "LAST_ELIGIBLE_CANNOT_FOLD",
    "SHOW_TOO_EARLY",
    "HAND_OVER",
    "RAISE_NOT_REOPENED",  # rare: a few in a bounded run
}
"""Reasons for a refusal that a run may miss. Graph equality meets those of them that the specification knows."""


@pytest.mark.timeout(scale(1_800, 0))
def test_hands_played_through_the_server_are_behaviours_of_the_specification():
    sums = {name: Counter() for name in ("steps", "actions", "refusals", "seats", "structures")}
    hands = 0
    for batch in batches(HANDS, seed=4):
        print(batch.line())
        assert not batch.divergence, batch.divergence
        hands += batch.counts.hands
        for name, total in sums.items():
            total.update(getattr(batch.counts, name))
    print(hands, "hands", sums)
    assert hands >= HANDS
    assert sums["steps"]["refused"] >= HANDS, "proposals are refused in between"
    assert set(sums["seats"]) == set(range(2, 11))
    assert min(sums["structures"][limit] for limit in ("NL", "PL", "FL")) >= HANDS // 10
    assert set(sums["steps"]) - {"nothing"} == {
        *("posted", "asked", "refused", "accepted", "closed", "board"),
        *("discards opened", "discarded", "discards closed"),
        *("tabled", "showdown", "uncontested"),
    }
    assert set(sums["actions"]) == {
        *("fold", "check", "call", "bet", "raise", "discard", "timeout", "late fold", "show"),
    }
    missed = {reason.name for reason in Reason} - set(sums["refusals"])
    assert missed <= NEED_NOT_COME_UP, f"no refusal for these reasons came up: {missed}"


@needs_corpora
@pytest.mark.parametrize(
    ("name", "within", "outside"),
    [
        (PLURIBUS, 1964, {}),
        (WSOP, 18, {}),
        (LIMIT_HEADS_UP, 1000, {}),
        (NO_LIMIT_THREE, 998, {ODD_CHIPS: 2}),
        (GENERATED, 1768, {REFUSED: 140, ODD_CHIPS: 92}),
        (REAL_IRISH, 1, {}),
    ],
)
def test_hands_of_the_corpora_are_behaviours_of_the_specification(name, within, outside):
    counts = Counts()
    traces, left_out = corpus_traces(name, counts)
    print(f"{name}: {len(traces)} hands, {counts.steps.total()} steps; outside: {dict(left_out)}")
    assert (len(traces), left_out) == (within, outside)
    if traces:
        checked = check(traces)
        assert checked.divergence is None, checked.divergence.words()


# --- that it can fail -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hand():
    """A hand with a showdown, a returned bet, discards and refusals; deep enough for anything."""
    rng = random.Random(3)
    while True:
        setup = setup_of([200, 150, 90, 220, 40], IRISH, PL, rng=rng)
        made = played_here(setup, rng)
        steps = trace_of(made).steps
        ending, kinds = steps[-1][1], {event[0] for _, event in steps}
        if "discarded" in kinds and ending[0] == "showdown" and len(ending[2]) > 1 and len(steps) > 25:
            return made


@pytest.fixture(scope="module")
def trace(hand):
    return trace_of(hand)


def first(trace, kind, which=0):
    """The place of an event of this kind."""
    return [at for at, (_, event) in enumerate(trace.steps) if event[0] == kind][which]


def with_event(trace, at, event):
    steps = list(trace.steps)
    steps[at] = (steps[at][0], event)
    return replace(trace, steps=tuple(steps))


def with_checks(trace, at, checks):
    steps = list(trace.steps)
    steps[at] = (checks, steps[at][1])
    return replace(trace, steps=tuple(steps))


def an_amount_altered(trace):
    at = first(trace, "accepted")
    kind, proposal, amount, to = trace.steps[at][1]
    return with_event(trace, at, (kind, proposal, amount + 1, to)), at


def a_seat_swapped(trace):
    at = first(trace, "accepted", 1)
    kind, (name, seat, *rest), amount, to = trace.steps[at][1]
    return with_event(trace, at, (kind, (name, (seat + 1) % 5, *rest), amount, to)), at


def an_award_altered(trace):
    at = first(trace, "showdown")
    *before, won, rake, stacks = trace.steps[at][1]
    winner = max(range(5), key=lambda i: won[i])
    changed = tuple(chips - (i == winner) + (i == (winner + 1) % 5) for i, chips in enumerate(won))
    return with_event(trace, at, (*before, changed, rake, stacks)), at


def the_order_of_showing_altered(trace):
    at = first(trace, "showdown")
    kind, ranks, shown, *rest = trace.steps[at][1]
    return with_event(trace, at, (kind, ranks, (*shown[1:], shown[0]), *rest)), at


def an_option_altered(trace):
    at = first(trace, "accepted", 2)
    checks = list(trace.steps[at][0])
    where = next(i for i, one in enumerate(checks) if one[0] == "asked")
    *same, most, discard = checks[where]
    checks[where] = (*same, most + 1, discard)
    return with_checks(trace, at, tuple(checks)), at


def another_seat_asked(trace):
    at = first(trace, "accepted", 2)
    checks = tuple(("asked", (one[1] + 1) % 5) if one[0] == "asked" else one for one in trace.steps[at][0])
    return with_checks(trace, at, checks), at


def a_legal_proposal_refused(trace):
    """The very action that was accepted, refused just before."""
    at = first(trace, "accepted", 1)
    checks, event = trace.steps[at]
    return with_checks(trace, at, (*checks, ("refused", event[1]))), at


def a_step_left_out(trace):
    at = first(trace, "closed")
    return replace(trace, steps=trace.steps[:at] + trace.steps[at + 1 :]), at


def a_hand_cut_short(trace):
    return replace(trace, steps=trace.steps[:-1]), len(trace.steps) - 1


def test_the_hand_as_it_was_is_followed(trace):
    assert check([trace]).divergence is None


@pytest.mark.parametrize(
    "corrupted",
    [
        an_amount_altered,
        a_seat_swapped,
        an_award_altered,
        the_order_of_showing_altered,
        an_option_altered,
        another_seat_asked,
        a_legal_proposal_refused,
        a_step_left_out,
        a_hand_cut_short,
    ],
)
def test_a_corrupted_hand_is_not_followed_and_the_place_is_told(corrupted, trace):
    changed, at = corrupted(trace)
    found = check([trace, changed]).divergence
    assert found is not None, "the specification followed a hand that was not played"
    assert found.trace.source == trace.source
    told = found.words()
    assert "the specification does not follow step" in told
    if at < len(changed.steps):
        checks, event = found.trace.steps[found.step]
        assert event == changed.steps[at][1] or checks[0] in changed.steps[at][0], told


@pytest.mark.rule("TIME-4")
def test_forfeited_hands_are_followed_and_are_no_time_outs():
    rng, game = random.Random(6), rules(IRISH, discard_timeout=DiscardTimeout.FOLD)
    stacks = [[rng.randrange(20, 200) for _ in range(rng.randrange(2, 7))] for _ in range(40)]
    traces = [trace_of(played_here(setup_of(one, game, rng=rng), rng, forfeits=0.15)) for one in stacks]
    forfeits = [
        (trace, at, event)
        for trace in traces
        for at, (_, event) in enumerate(trace.steps)
        if event[0] in ("accepted", "discarded") and event[1][0] == "forfeit"
    ]
    assert {event[0] for _, _, event in forfeits} == {"accepted", "discarded"}
    assert check(traces).divergence is None
    for kind in ("accepted", "discarded"):
        trace, at, event = next(
            (trace, at, event)
            for trace, at, event in forfeits
            if event[0] == kind and (kind == "discarded" or owed_nothing(trace, at))
        )
        changed = with_event(trace, at, (kind, ("timeout", event[1][1]), *event[2:]))
        assert check([changed]).divergence is not None, "out of time he would have checked, or folded his discard"


def owed_nothing(trace, at):
    """Whether who acted in a step had been told that he may check."""
    player = trace.steps[at][1][1][1]
    return any(one[0] == "asked" and one[1] == player and len(one) > 2 and one[3] for one in trace.steps[at][0])


def test_every_refusal_of_a_hand_is_a_check(hand, trace):
    refusals = [one for checks, _ in trace.steps for one in checks if one[0] == "refused"]
    assert len(refusals) == len(hand.refusals()) > 0


def test_refusals_about_ids_are_counted_and_left_out():
    made = played_here(setup_of([50, 50], IRISH, NL), random.Random(1))
    stale = Refused(Proposal(1, ActionKind.FOLD, decision_id=9), Reason.STALE_DECISION)
    counts = Counts()
    trace = trace_of(replace(made, steps=(*made.steps, stale)), counts)
    assert counts.left_out == {"STALE_DECISION": 1}
    assert ("refused", ("fold", 1)) not in [one for checks, _ in trace.steps[-1:] for one in checks]
