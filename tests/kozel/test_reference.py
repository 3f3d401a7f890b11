"""The reference judge against the engine: random rounds and games, legal and illegal proposals, Hypothesis.

Compared are every ruling (accepted, or reason and rule), every event that follows, who holds what, and what every seat
may do. It cannot find a reading of the rulebook that both share.
"""

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition
from hypothesis.stateful import rule as step

from referee.kozel.events import End
from referee.kozel.game import first_round, next_round
from referee.kozel.round import legal_options, open_seats
from referee.kozel.ruleset import Fish, FishScoring, RuleSet
from referee.kozel.rulings import ActionKind, Proposal, Reason
from referee.kozel.setup import RoundSetup
from referee.kozel.state import Round, decode, encode
from referee_reference import kozel as reference
from tests.kozel.both_judges import BothJudges
from tests.kozel.rounds import EVERY_RULE_SET, random_legal, random_round, shuffler
from tests.support import scale

rule = pytest.mark.rule
ROUNDS = scale(300, 20_000)
GAMES = scale(5, 500)


def any_rule_set(rng: random.Random) -> RuleSet:
    """A published rule set, one with the other reading of a fish, or a small game with thresholds of its own."""
    if rng.random() < 0.6:
        return rng.choice(EVERY_RULE_SET)
    highest = rng.choice((2, 4, 6))
    tiles = (highest + 1) * (highest + 2) // 2
    return RuleSet(
        "test/any",
        1,
        rng.choice(tuple(Fish)),
        rng.choice(tuple(FishScoring)),
        highest,
        rng.randint(1, min(7, tiles // 2)),
        rng.randint(3, 7),
        rng.randint(5, 8),
        rng.choice((0, 5, 10)),
        rng.choice((0, 3, 12)),
        101,
    )


def any_proposal(rng: random.Random, state: Round) -> Proposal:
    """Anything at all, half of the time with a tile of the player to act."""
    seats = state.setup.seats
    if open_seats(state) and rng.random() < 0.5:
        tile = rng.choice(state.hands[state.to_act])
        return Proposal(open_seats(state)[0], ActionKind.LAY, tile, rng.choice(tuple(End)))
    kind = rng.choice((ActionKind.LAY,) * 4 + (ActionKind.DRAW, ActionKind.KNOCK))
    named = kind is ActionKind.LAY or rng.random() < 0.1
    tile = rng.randint(-1, 28) if named else -1
    return Proposal(rng.choice((*seats, 0, 11)), kind, tile, rng.choice(tuple(End)) if named else End.NONE)


def play_whole(rng: random.Random, both: BothJudges) -> set[str]:
    """Plays a round to its end under both judges, with illegal proposals in between; the reasons that came up."""
    reasons = set()
    while open_seats(both.state):
        seat = open_seats(both.state)[0]
        for _ in range(rng.choice((0, 0, 1, 3))):
            ruling = both.propose(any_proposal(rng, both.state))
            if ruling.accepted:
                break
            assert ruling.reason is not None
            reasons.add(ruling.reason.name)
        else:
            proposal = random_legal(rng, both.state)._replace(decision_id=0)
            if rng.random() < 0.005:
                proposal = Proposal(seat, ActionKind.TIMEOUT)
            assert both.propose(proposal).accepted
    return reasons


@rule(*("KOZ-1", "KOZ-2", "KOZ-3", "KOZ-4", "KOZ-5", "KOZ-6", "KOZ-7", "KOZ-8", "KOZ-9", "KOZ-10", "KOZ-11"))
@pytest.mark.parametrize("block", range(10))
def test_random_rounds_are_judged_alike(block: int) -> None:
    reasons: set[str] = set()
    for number in range(ROUNDS // 10):
        rng = random.Random(f"{block}/{number}")
        rule_set = any_rule_set(rng)
        players = rng.randint(2, rule_set.max_seats())
        state, _ = random_round(rng, rule_set, players)
        seats = tuple(rng.sample(range(1, 11), players))
        leader = 0 if state.setup.leader_seat == 0 else seats[state.setup.leader_seat - 1]
        both = BothJudges(replace(state.setup, seats=seats, leader_seat=leader, hand_id=""))
        reasons |= play_whole(rng, both)
        ruling = both.propose(any_proposal(rng, both.state))
        assert ruling.reason is not None
        assert ruling.reason.name == "ROUND_OVER"
        assert encode(decode(encode(both.state))) == encode(both.state)
    about_ids = {"WRONG_ROUND", "ROUND_OVER", "STALE_DECISION", "UNKNOWN_ACTION"}
    rare = {"OPENING_TILE_COMPULSORY", "END_NOT_NAMED", "END_DOES_NOT_FIT", "MALFORMED_ACTION"}
    assert {reason.name for reason in Reason} - about_ids - rare <= reasons


@rule(*("KOZ-12", "KOZ-13", "KOZ-14", "KOZ-15", "KOZ-16", "KOZ-17"))
@pytest.mark.parametrize("rule_set", EVERY_RULE_SET, ids=lambda one: one.name)
def test_whole_games_are_judged_alike(rule_set: RuleSet) -> None:
    for number in range(GAMES):
        rng = random.Random(number)
        decks = shuffler(rng)
        setup = first_round(rule_set, tuple(range(1, rng.randint(2, 4) + 1)), decks)
        rounds = []
        following: RoundSetup | None = setup
        while following is not None:
            both = BothJudges(following)
            while open_seats(both.state):
                assert both.propose(random_legal(rng, both.state)._replace(decision_id=0)).accepted
            rounds.append(both.state)
            following = next_round(both.state, decks)
        assert max(account.score for account in rounds[-1].accounts) >= 101
        assert len(rounds) > 1


class TwoJudges(RuleBasedStateMachine):
    """One round at a time under both judges; a new one begins when one has ended."""

    @initialize(seed=st.integers(0, 1 << 32), rule_set=st.sampled_from(EVERY_RULE_SET), players=st.integers(2, 4))
    def begin(self, seed: int, rule_set: RuleSet, players: int) -> None:
        state, _ = random_round(random.Random(seed), rule_set, players)
        self.both = BothJudges(replace(state.setup, hand_id=""))

    @precondition(lambda self: not self.both.state.has_ended())
    @step(data=st.data())
    def lay(self, data: st.DataObject) -> None:
        legal = legal_options(self.both.state, open_seats(self.both.state)[0])
        assert legal is not None
        move = data.draw(st.sampled_from(legal.moves))
        assert self.both.propose(Proposal(legal.seat, ActionKind.LAY, move.tile, move.end)).accepted

    @precondition(lambda self: not self.both.state.has_ended())
    @step(seed=st.integers(0, 1 << 32), deeds=st.integers(1, 20))
    def play_on(self, seed: int, deeds: int) -> None:
        rng = random.Random(seed)
        for _ in range(deeds):
            if open_seats(self.both.state):
                assert self.both.propose(random_legal(rng, self.both.state)._replace(decision_id=0)).accepted

    @step(
        seat=st.integers(-1, 11),
        kind=st.sampled_from(ActionKind),
        tile=st.integers(-2, 29),
        end=st.sampled_from(End),
    )
    def ask_anything(self, seat: int, kind: ActionKind, tile: int, end: End) -> None:
        self.both.propose(Proposal(seat, kind, tile, end))

    @precondition(lambda self: not self.both.state.has_ended())
    @step(data=st.data(), end=st.sampled_from(End))
    def ask_with_ones_own_tiles(self, data: st.DataObject, end: End) -> None:
        state = self.both.state
        tile = data.draw(st.sampled_from(state.hands[state.to_act]))
        self.both.propose(Proposal(state.setup.seats[state.to_act], ActionKind.LAY, tile, end))

    @precondition(lambda self: self.both.state.has_ended())
    @step(seed=st.integers(0, 1 << 32), rule_set=st.sampled_from(EVERY_RULE_SET), players=st.integers(2, 4))
    def begin_another(self, seed: int, rule_set: RuleSet, players: int) -> None:
        self.begin(seed, rule_set, players)


TestTwoJudges = TwoJudges.TestCase
TestTwoJudges.settings = settings(max_examples=scale(30, 2_000), stateful_step_count=scale(30, 60), deadline=None)
TestTwoJudges = rule("BET-8", "BET-9", "KOZ-4", "KOZ-5")(TestTwoJudges)


def test_the_reference_imports_nothing_of_the_engine() -> None:
    tree = ast.parse(Path(reference.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"dataclasses", "typing"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


# --- the comparison can fail ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("counted", lambda terms, tiles: sum(reference.pips(tile) for tile in tiles)),
        ("winner", lambda state: 0),
        ("fitting_ends", lambda state, tile: ["right"]),
    ],
)
def test_a_changed_rule_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str, changed: object) -> None:
    monkeypatch.setattr(reference, name, changed)
    noticed = 0
    for number in range(60):
        rng = random.Random(number)
        try:
            play_whole(rng, BothJudges(replace(random_round(rng, EVERY_RULE_SET[number % 4], 2)[0].setup, hand_id="")))
        except (AssertionError, IndexError):
            noticed += 1
    assert noticed
