"""TLC's complete state graph equals the engine's reachable graph, node for node and edge for edge.

Compared are states (chips, turns, what everybody is offered, who shows, who wins) and steps by name. In every state a
complete menu of proposals is made to the engine: each is an edge of the specification, or it is refused and changes
nothing. It can find any difference in what is legal, in what follows, and in what is paid, within its scopes: few seats
and few chips. It cannot find what needs more seats or chips than that, nor anything about cards, time or the wire.
"""

import pytest

from referee.rules import betting, hand, pots, showdown, state
from referee.rules.ranking import strength
from referee.rules.rulings import ActionKind
from spec.binding.engine_graph import EngineError
from spec.binding.graphs import CI_GRAPHS, compare, engine_graph, spec_graph
from spec.binding.menu import STRANGER
from spec.binding.orders import deck_for, weak_orders
from spec.binding.tla_values import by_index, read, record, written
from spec.tools import tlc
from tests.support import LONG

ROWS = tlc.configurations()


@pytest.fixture(scope="module")
def spec_graphs():
    """TLC's graphs by name; those of the bounded run are made once and kept."""
    kept = {}

    def graph(name):
        if name in kept:
            return kept[name]
        made = spec_graph(ROWS[name])
        if name in CI_GRAPHS:
            kept[name] = made
        return made

    return graph


@pytest.mark.parametrize("name", ROWS if LONG else CI_GRAPHS)
def test_the_graph_of_the_specification_is_the_graph_of_the_engine(name, spec_graphs):
    comparison = compare(ROWS[name], spec_graphs(name))
    print(comparison.line())
    assert not comparison.differences, "\n".join(comparison.differences)
    assert comparison.spec.initial == comparison.engine.initial
    assert comparison.spec.nodes == comparison.engine.nodes
    assert comparison.spec.edges == comparison.engine.edges
    assert comparison.engine.refused.total() > 10 * len(comparison.engine.nodes), "the menu is large"


def test_the_scopes_that_are_asked_for_are_in_the_table():
    """NL 3 seats to 5, NL 4 to 3, PL 2 to 10, FL 3 to 6: each with and without antes, both discard points."""
    found = set()
    for row in ROWS.values():
        constants, choices = row.constants, row.constants["StackChoices"]
        if choices == list(range(1, max(choices) + 1)) and not row.starts:
            scope = (constants["Limit"], constants["N"], max(choices))
            found.add((scope, constants["AnteKind"] == "EACH", constants["DiscardPoint"]))
    for scope in (("NL", 3, 5), ("NL", 4, 3), ("PL", 2, 10), ("FL", 3, 6)):
        for ante in (False, True):
            for point in ("AFTER_FLOP_BETTING", "BEFORE_FLOP_BETTING"):
                assert (scope, ante, point) in found


def test_there_are_as_many_weak_orders_as_there_should_be():
    assert [len(weak_orders(tuple(range(count)))) for count in (1, 2, 3, 4)] == [1, 3, 13, 75]


@pytest.mark.parametrize("hole_cards", [2, 3, 4])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_weak_order_has_a_deck_in_which_the_engine_ranks_the_hands_so(players, hole_cards):
    for order in weak_orders(tuple(range(players))):
        deck = deck_for(order, players, hole_cards)
        board = deck[players * hole_cards :][:5]
        strengths = [strength((deck[player], deck[player + players], *board)) for player in range(players)]
        places = {value: place for place, value in enumerate(sorted(set(strengths)), 1)}
        assert {player: places[value] for player, value in enumerate(strengths)} == order
        assert len(set(deck)) == len(deck)


def test_values_are_read_as_they_are_written():
    value = record(a=(1, -2, True), b=frozenset({0, 2}), c=by_index([record(), "text", frozenset()]), d=())
    assert read(written(value)) == value
    assert read("(0 :> 0..2 @@ 1 :> {} @@ 2 :> <<<<>>, FALSE>>)") == by_index(
        [frozenset({0, 1, 2}), frozenset(), ((), False)]
    )


# --- that it can fail: a changed rule of the engine shows, in words -------------------------------------


passive_fault = betting.passive_fault


def an_open_fold(hand, player, kind):
    return None if kind is ActionKind.FOLD else passive_fault(hand, player, kind)


def odd_chips_last(amount, winners, unit):
    return list(reversed(pots.shares(amount, winners, unit)))


def an_increment_that_stays(hand, player, to):
    hand.level = hand.acted[player] = to
    hand.lifts[hand.street] = player


def without_missing_blinds(hand, player):
    return hand.level + hand.chips_in() + betting.owed(hand, player)


@pytest.mark.parametrize(
    ("name", "module", "function", "changed", "words"),
    [
        pytest.param(
            "nl3-small",
            betting,
            "may_open_fold",
            lambda hand, player: True,
            ["options is", "for the engine"],
            id="BET-3 an open fold is offered",
        ),
        pytest.param(
            "nl3-small",
            hand,
            "passive_fault",
            an_open_fold,
            ["the engine allows Folded by player", "the specification does not"],
            id="BET-3 an open fold is accepted and not offered",
        ),
        pytest.param(
            "nl2-tda",
            state,
            "_lift",
            an_increment_that_stays,
            ["Raised to 5 by player", "increment is 3 for the specification and 2 for the engine"],
            id="SIZE-1 the increment never grows",
        ),
        pytest.param(
            "pl3-missing-blind",
            betting,
            "pot_limit_maximum",
            without_missing_blinds,
            ["PostAndDeal: options is", "wager"],
            id="SIZE-4 a missing blind shrinks the maximum",
        ),
        pytest.param(
            "nl3-small",
            hand,
            "uncalled",
            lambda street_bets, live: (-1, 0),
            ["RoundClosed: ", "total is"],
            id="POT-2 nothing is returned",
        ),
        pytest.param(
            "nl3-small",
            showdown,
            "shares",
            odd_chips_last,
            ["SomeShowdown with ranks", "won is"],
            id="POT-6 odd chips go to the button first",
        ),
        pytest.param(
            "nl3-small",
            showdown,
            "first_to_show",
            lambda hand: (hand.live.index(True), -1),
            ["SomeShowdown with ranks", "shown is (1 0"],
            id="SHOW-1 the last to lift the level does not show first",
        ),
        pytest.param(
            "nl2-tda",
            hand,
            "_tabled_hands",
            lambda hand: [],
            ["the specification allows HandsTabled; the engine does not"],
            id="SHOW-4 hands are not tabled",
        ),
    ],
)
def test_a_changed_rule_shows_as_a_difference_in_words(
    monkeypatch, spec_graphs, name, module, function, changed, words
):
    monkeypatch.setattr(module, function, changed)
    comparison = compare(ROWS[name], spec_graphs(name))
    told = "\n".join(comparison.differences)
    for some in words:
        assert some in told, told
    assert "from phase " in told


def test_a_refusal_that_changes_the_hand_is_an_error(monkeypatch):
    refusal = hand._refusal

    def meddling(judged, proposal, fault):
        judged.answered[0] += proposal.seat == STRANGER
        return refusal(judged, proposal, fault)

    monkeypatch.setattr(hand, "_refusal", meddling)
    with pytest.raises(EngineError, match="a refused proposal changed"):
        engine_graph(ROWS["nl2-tda"])
