"""Kozel's specification: its pages and tables, graph equality with the engine, and traces of rounds with all tiles."""

import random
import re
from collections import Counter
from dataclasses import replace

import pytest

from referee.bots.kozel import KOZEL_BOTS, make_kozel_bot
from referee.kozel import round as engine
from referee.kozel import scoring
from referee.kozel.game import first_round, next_round
from referee.kozel.round import open_seats
from referee.kozel.ruleset import ON_ONE
from referee.kozel.setup import EMPTY_ACCOUNT
from spec.kozel import check
from spec.kozel.graphs import EngineError, compare, engine_graph, spec_graph
from spec.kozel.traces import Tracing, check_rounds, play_traced
from tests.kozel.rounds import EVERY_RULE_SET, asked, random_round, shuffler
from tests.support import LONG, scale

ROWS = check.configurations()
CI_GRAPHS = ("two-redeals", "two-no-move", "game-on-one")
ROUNDS = scale(60, 5_000)
MODULES = ("KozelScores", "KozelRound", "KozelGame", "RoundProperties", "GameProperties", "Graph", "TraceCheck")

rule = pytest.mark.rule


def text_of(module: str) -> str:
    return (check.FOLDER / f"{module}.tla").read_text("utf-8")


# --- pages and tables -----------------------------------------------------------------------------------


def test_every_rule_is_cited_by_the_definitions() -> None:
    cited = set(re.findall(r"KOZ-(\d+)", "".join(text_of(one) for one in ("KozelScores", "KozelRound"))))
    for first, last in re.findall(r"KOZ-(\d+) to KOZ-(\d+)", text_of("KozelRound")):
        cited |= {str(number) for number in range(int(first), int(last) + 1)}
    assert cited == {str(number) for number in range(1, 18)}


@pytest.mark.parametrize("name", check.all_properties())
def test_every_property_is_explained_and_has_a_mutant(name: str) -> None:
    assert f"| `{name}` |" in check.README.read_text("utf-8")
    assert name in {mutant.property for mutant in check.mutants()}


def test_there_are_properties_of_both_kinds() -> None:
    for module in (check.ROUND, check.GAME):
        states, steps = check.properties_of(module)
        assert len(states) >= 5
        assert len(steps) >= 5


@pytest.mark.parametrize("mutant", check.mutants(), ids=lambda mutant: f"{mutant.property}: {mutant.about}")
def test_every_mutant_still_applies(mutant: check.Mutant) -> None:
    assert text_of(mutant.module).count(mutant.old) == 1
    assert mutant.module in check.MODULES[check.module_of(ROWS[mutant.configuration])]


def test_the_readme_repeats_the_tables() -> None:
    assert check.current_readme() == check.README.read_text("utf-8")
    assert all(row.states and row.depth for row in ROWS.values())


# --- graph equality -------------------------------------------------------------------------------------


@rule("KOZ-3", "KOZ-4", "KOZ-5", "KOZ-6", "KOZ-7", "KOZ-14", "KOZ-17")
@pytest.mark.parametrize("name", ROWS if LONG else CI_GRAPHS)
def test_the_graph_of_the_specification_is_the_graph_of_the_engine(name: str) -> None:
    comparison = compare(ROWS[name])
    print(comparison.line())
    assert not comparison.differences, "\n".join(comparison.differences)
    assert comparison.spec.nodes == comparison.engine.nodes
    assert comparison.spec.edges == comparison.engine.edges
    if name == "two-no-move":
        assert comparison.engine.refused.total() > 10 * len(comparison.engine.nodes), "the menu is large"
        assert {"Draws", "FishMade", "WentOut"} <= {label for _, label, _ in comparison.engine.edges}


@pytest.fixture(scope="module")
def spec_graphs():
    return {name: spec_graph(ROWS[name]) for name in ("two-redeals", "game-on-one")}


@pytest.mark.parametrize(
    ("name", "module", "function", "changed"),
    [
        ("two-redeals", engine, "opening_tile", lambda hands: max(tile for hand in hands for tile in hand)),
        ("two-redeals", engine, "losers_of", lambda scores, ends_at: (0,)),
        ("two-redeals", engine, "count_of", lambda tiles, rule_set: len(tiles)),
        ("game-on-one", scoring, "highest_player", lambda counts: counts.index(max(counts))),
    ],
)
def test_a_changed_rule_shows(monkeypatch, spec_graphs, name, module, function, changed) -> None:
    monkeypatch.setattr(module, function, changed)
    try:
        comparison = compare(ROWS[name], spec_graphs[name])
    except (AssertionError, ValueError):
        return  # the engine's own invariants
    assert comparison.differences


def test_a_refusal_that_changes_the_round_is_an_error(monkeypatch) -> None:
    options = engine.legal_options

    def meddling(judged, seat):
        judged.answered[0] += seat == 9
        return options(judged, seat)

    monkeypatch.setattr(engine, "legal_options", meddling)
    with pytest.raises(EngineError, match="a refused proposal changed"):
        engine_graph(ROWS["two-single"])


# --- traces ---------------------------------------------------------------------------------------------


@rule("KOZ-1", "KOZ-3", "KOZ-8", "KOZ-9", "KOZ-10", "KOZ-11", "KOZ-12", "KOZ-13", "KOZ-15", "KOZ-16")
def test_rounds_that_the_engine_ruled_on_are_behaviours_of_the_specification() -> None:
    kinds: Counter[str] = Counter()
    for batch in range(0, ROUNDS, 500):
        traces = []
        for number in range(batch, min(ROUNDS, batch + 500)):
            rng = random.Random(number)
            begun, _ = random_round(rng, EVERY_RULE_SET[number % 4], 2 + number % 3)
            traces.append(play_traced(begun.setup, rng, f"round {number}").trace())
        kinds.update(event[0] for trace in traces for _, event in trace.steps)
        kinds.update(one[0] for trace in traces for checks, _ in trace.steps for one in checks)
        found = check_rounds(traces).divergence
        assert found is None, found.words()
    print(dict(kinds))
    assert {"dealt", "accepted", "drawn", "knocked", "out", "fish", "scored", "offered", "refused"} <= set(kinds)


def test_whole_games_between_bots_are_behaviours_of_the_specification() -> None:
    traces = []
    for number in range(scale(2, 100)):
        rng = random.Random(number)
        bots = [make_kozel_bot(name, number) for name in sorted(KOZEL_BOTS)]
        setup = first_round(ON_ONE, (1, 2, 3), shuffler(rng))
        while setup is not None:
            tracing = Tracing(setup, f"game {number}")
            while open_seats(tracing.state):
                seat = open_seats(tracing.state)[0]
                assert tracing.propose(bots[seat - 1](asked(tracing.state, seat)))
            traces.append(tracing.trace())
            setup = next_round(tracing.state, shuffler(rng))
        assert set(dict(traces[-1].steps[-1][1][5])) == {0, 1, 2}
    found = check_rounds(traces).divergence
    assert found is None, found.words()


def a_trace():
    """A round with a fish or somebody out, drawing, and refusals."""
    number = 0
    while True:
        rng = random.Random(number)
        begun, _ = random_round(rng, ON_ONE, 3)
        setup = replace(begun.setup, accounts=(EMPTY_ACCOUNT,) * 3, carry=0, leader_seat=2)
        trace = play_traced(setup, rng, "altered").trace()
        kinds = [event[0] for _, event in trace.steps]
        if {"drawn", "scored", "out"} <= set(kinds) and any(
            one[0] == "refused" for checks, _ in trace.steps for one in checks
        ):
            return trace
        number += 1


TRACE = a_trace()


def first(kind: str) -> int:
    return next(at for at, (_, event) in enumerate(TRACE.steps) if event[0] == kind)


def with_event(at: int, event):
    steps = list(TRACE.steps)
    steps[at] = (steps[at][0], event)
    return replace(TRACE, steps=tuple(steps))


def another_count():
    at = first("scored")
    kind, counts, *rest = TRACE.steps[at][1]
    return with_event(at, (kind, type(counts)((player, count + 1) for player, count in counts), *rest))


def another_winner():
    at = first("out")
    return with_event(at, ("out", (TRACE.steps[at][1][1] + 1) % 3))


def another_player_draws():
    at = first("drawn")
    kind, player, tile = TRACE.steps[at][1]
    return with_event(at, (kind, (player + 1) % 3, tile))


def a_step_left_out():
    at = first("drawn")
    return replace(TRACE, steps=TRACE.steps[:at] + TRACE.steps[at + 1 :])


def cut_short():
    return replace(TRACE, steps=TRACE.steps[:-1])


def an_offer_altered():
    steps = list(TRACE.steps)
    at = next(n for n, (checks, _) in enumerate(steps) if checks and checks[0][0] == "offered")
    checks, event = steps[at]
    kind, player, moves = checks[0]
    steps[at] = ((kind, player, moves | {((0, 0), "left")}), *checks[1:]), event
    return replace(TRACE, steps=tuple(steps))


def a_legal_tile_refused():
    at = first("accepted")
    steps = list(TRACE.steps)
    checks, event = steps[at]
    steps[at] = ((*checks, ("refused", event[1])), event)
    return replace(TRACE, steps=tuple(steps))


@pytest.mark.parametrize(
    "altered",
    [
        another_count,
        another_winner,
        another_player_draws,
        a_step_left_out,
        cut_short,
        an_offer_altered,
        a_legal_tile_refused,
    ],
)
def test_an_altered_round_is_not_followed(altered) -> None:
    found = check_rounds([TRACE, altered()]).divergence
    assert found is not None
    assert "the specification does not follow step" in found.words()


def test_the_round_as_it_was_is_followed() -> None:
    assert check_rounds([TRACE]).divergence is None


def test_the_modules_name_their_own_file() -> None:
    for module in MODULES:
        assert re.search(rf"^-+ MODULE {module} -+$", text_of(module), re.MULTILINE)
