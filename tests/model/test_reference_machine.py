"""The reference judge against the engine, driven by Hypothesis: it draws hands and proposals, and shrinks a failure.

Hands have 2 to 10 seats, every published rule set and any mixture of the options. Showdown orders are not enumerated:
with nine seats there are millions; each hand has the one that was played.
"""

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition
from hypothesis.stateful import rule as step

from referee.rules.hand import open_seats
from referee.rules.rulings import ActionKind, Proposal
from tests.model.both_judges import BothJudges
from tests.support import options, random_legal_proposal, random_setup, scale

rule = pytest.mark.rule


class TwoJudges(RuleBasedStateMachine):
    """One hand at a time under both judges; a new one begins when one has ended: there is always a next step."""

    @initialize(seed=st.integers(0, 1 << 32), seats=st.integers(2, 10))
    def begin(self, seed: int, seats: int) -> None:
        self.both = BothJudges(random_setup(random.Random(seed), max_seats=seats))

    def draw_legal(self, data: st.DataObject) -> Proposal:
        hand = self.both.hand
        seat = data.draw(st.sampled_from(open_seats(hand)))
        choice = options(hand, seat)
        in_its_place = [Proposal(seat, ActionKind.TIMEOUT), Proposal(seat, ActionKind.FORFEIT)]
        if choice.discard:
            gone = data.draw(st.permutations(choice.held))[: choice.discard]
            return data.draw(st.sampled_from([Proposal(seat, ActionKind.DISCARD, 0, tuple(gone)), *in_its_place]))
        legal = [Proposal(seat, ActionKind.CHECK if choice.check else ActionKind.CALL)]
        if choice.max_to:
            steps = data.draw(st.integers(0, (choice.max_to - choice.min_to) // choice.step))
            legal.append(Proposal(seat, choice.wager, choice.min_to + steps * choice.step))
        legal += [Proposal(seat, ActionKind.FOLD)] if choice.fold else []
        return data.draw(st.sampled_from([*legal, *in_its_place]))

    @precondition(lambda self: self.both.is_asking())
    @step(data=st.data())
    def act(self, data: st.DataObject) -> None:
        assert self.both.propose(self.draw_legal(data)).accepted

    @precondition(lambda self: self.both.is_asking())
    @step(seed=st.integers(0, 1 << 32), deeds=st.integers(1, 12), boldness=st.sampled_from((0.05, 0.3, 0.6)))
    def play_on(self, seed: int, deeds: int, boldness: float) -> None:
        """Several legal acts in a row, so that hands become deep."""
        rng = random.Random(seed)
        for _ in range(deeds):
            if self.both.is_asking():
                assert self.both.propose(random_legal_proposal(rng, self.both.hand, boldness)).accepted

    @step(
        seat=st.integers(-1, 11),
        kind=st.sampled_from([*ActionKind, 0, 10]),
        to=st.integers(-5, 200) | st.integers(),
        named=st.lists(st.integers(-2, 53), max_size=4),
        decision=st.integers(-1, 9),
        hand_id=st.sampled_from(("", "", "hand-7", "another")),
    )
    def ask_anything(self, seat: int, kind: int, to: int, named: list[int], decision: int, hand_id: str) -> None:
        self.both.ask(Proposal(seat, kind, to, tuple(named), hand_id, decision))

    @precondition(lambda self: self.both.is_asking())
    @step(data=st.data(), kind=st.sampled_from(ActionKind), near=st.integers(-3, 3), decision=st.integers(-1, 1))
    def ask_whose_turn_it_is(self, data: st.DataObject, kind: ActionKind, near: int, decision: int) -> None:
        """Whatever the seat to act might try, with amounts round every boundary of its own."""
        hand = self.both.hand
        seat = data.draw(st.sampled_from(open_seats(hand)))
        choice = options(hand, seat)
        player = hand.index_of(seat)
        marks = (choice.min_to, choice.max_to, hand.level, hand.bet[player] + hand.stack[player])
        to = data.draw(st.sampled_from(marks)) + near if kind in (ActionKind.BET, ActionKind.RAISE) else 0
        named = (
            data.draw(st.lists(st.sampled_from(hand.hole[player]), max_size=4)) if kind == ActionKind.DISCARD else ()
        )
        self.both.ask(Proposal(seat, kind, to, tuple(named), "", decision and choice.decision_id + decision))

    @precondition(lambda self: not self.both.is_asking())
    @step(seed=st.integers(0, 1 << 32), seats=st.integers(2, 10), show=st.booleans())
    def show_and_begin_another(self, seed: int, seats: int, show: bool) -> None:
        for seat in self.both.setup.seats if show else ():
            self.both.propose(Proposal(seat, ActionKind.SHOW))
        self.begin(seed, seats)


TestTwoJudges = TwoJudges.TestCase
TestTwoJudges.settings = settings(max_examples=scale(60, 2_000), stateful_step_count=scale(30, 60))
TestTwoJudges = rule("BET-8", "BET-9", "DISC-2", "SIZE-2", "POT-7")(TestTwoJudges)
