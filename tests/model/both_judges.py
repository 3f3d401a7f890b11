"""The engine and the reference judge, side by side on one hand: both are asked everything, and must say the same."""

from referee.rules.hand import check, impose, legal_options, open_hand, open_seats, propose, propose_timeouts
from referee.rules.rulings import ActionKind, Proposal, Ruling
from referee.rules.setup import HandSetup
from referee.rules.state import encode
from referee.second_opinion import SecondJudge


class BothJudges:
    """One hand under two judges. Any difference raises ``JudgesDifferError``."""

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.hand, opening = open_hand(setup)
        self.second = SecondJudge(setup)
        self.second.opening(opening)
        self.check()

    def fork(self) -> "BothJudges":
        """An independent copy, for trying things out."""
        twin = BothJudges.__new__(BothJudges)
        twin.setup = self.setup
        twin.hand = self.hand.copy()
        twin.second = SecondJudge.__new__(SecondJudge)
        twin.second.__dict__.update(self.second.__dict__)
        return twin

    def check(self) -> None:
        """Both say the same of who is asked, what is legal, and how everything stands."""
        self.second.decisions(self.hand)
        self.second.standing(self.hand)

    def propose(self, proposal: Proposal) -> Ruling:
        """Both rule on the proposal, and go on alike if it is accepted."""
        ruling = propose(self.hand, proposal)
        self.second.ruling(proposal, ruling)
        if ruling.accepted:
            self.check()
        return ruling

    def ask(self, *proposals: Proposal) -> None:
        """Both rule on each of the proposals; the hand stays where it is, and a refusal changes nothing (BET-8)."""
        before = encode(self.hand)
        for proposal in proposals:
            fault = check(self.hand, proposal, self.hand.index_of(proposal.seat))
            if self.second.question(proposal, fault):
                self.fork().propose(proposal)
            else:
                ruling = propose(self.hand, proposal)
                assert (ruling.accepted, ruling.events, ruling.reason, ruling.rule) == (False, (), *fault[:2])
                assert ruling.options == legal_options(self.hand, proposal.seat)
        assert encode(self.hand) == before, f"one of these changed the hand: {proposals}"

    def impose(self, proposal: Proposal) -> None:
        """Takes a refused action as a fact, if it can have happened."""
        self.second.imposed(proposal, impose(self.hand, proposal) or ())
        self.check()

    def late_together(self, seats: tuple[int, ...]) -> None:
        """These seats, in any order, run out of time together: both judges take them clockwise (DISC-8)."""
        clockwise = [seat for seat in self.setup.seats if seat in seats]
        for seat, ruling in zip(clockwise, propose_timeouts(self.hand, seats), strict=True):
            self.second.ruling(Proposal(seat, ActionKind.TIMEOUT), ruling)
        self.check()

    def is_asking(self) -> bool:
        """Whether some seat has an open decision."""
        return bool(open_seats(self.hand))
