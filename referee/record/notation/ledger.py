"""Adds up what a record says was put in, for notations that count differently. Judges nothing."""

from referee.record.hand_record import RecordedStep, Step
from referee.rules.events import Event, EventKind
from referee.rules.hand import open_hand
from referee.rules.setup import HandSetup

NOBODY: int = -1

_FOLLOWED = (
    Step.CALL,
    Step.CHECK_OR_CALL,
    Step.BET,
    Step.RAISE,
    Step.BET_OR_RAISE,
    Step.ALL_IN,
)


class Ledger:
    """Chips by player, clockwise from the left of the button, as the steps of a record move them.

    ``bet`` is what a player has in on this street, ``total`` what he has in altogether without dead money.
    """

    def __init__(self, setup: HandSetup) -> None:
        """Begins after the posting; raises RuleSetError when no hand can be played from the setup."""
        players = len(setup.seats)
        self.setup = setup
        self.stack = list(setup.stacks)
        self.bet = [0] * players
        self.total = [0] * players
        self.dead = 0
        self.live = [True] * players
        self.street = 0
        self.level = setup.stakes.big_blind
        _, opening = open_hand(setup)
        self.posted = tuple(
            event
            for event in opening
            if event.kind in (EventKind.ANTE_POSTED, EventKind.BLIND_POSTED, EventKind.DEAD_POSTED)
        )
        for event in self.posted:
            self._post(event)

    def _post(self, event: Event) -> None:
        player = self.setup.seats.index(event.seat)
        self.stack[player] -= event.amount
        if event.kind == EventKind.DEAD_POSTED:
            self.dead += event.amount
            return
        self.total[player] += event.amount
        if event.kind == EventKind.BLIND_POSTED:
            self.bet[player] += event.amount

    @property
    def pot(self) -> int:
        """Every chip in the middle."""
        return sum(self.total) + self.dead

    def owed(self, player: int) -> int:
        """What a call adds: up to the level, at most all the player's chips."""
        return max(0, min(self.level - self.bet[player], self.stack[player]))

    def all_in(self, player: int) -> bool:
        """Whether a player has no chips left."""
        return self.stack[player] == 0

    def next_player(self, first: int) -> int:
        """The first player from this one on, clockwise, who is live and has chips; -1 when there is none."""
        players = len(self.stack)
        for at in range(first, first + players):
            if self.live[at % players] and self.stack[at % players]:
                return at % players
        return NOBODY

    def follow(self, step: RecordedStep) -> int:
        """Books one step and returns the chips it moved; raises ValueError when the player has not that many."""
        if step.step == Step.BOARD:
            self.street += 1
            self.level = 0
            self.bet = [0] * len(self.bet)
            return 0
        if step.seat not in self.setup.seats:
            raise ValueError(f"seat {step.seat} is not dealt in")
        player = self.setup.seats.index(step.seat)
        if step.step == Step.FOLD or (step.step == Step.TIMEOUT and self.owed(player)):  # TIME-2
            self.live[player] = False
            return 0
        if step.step == Step.RETURNED:
            self._put_in(player, -step.amount)
            return step.amount
        added = self._added(player, step) if step.step in _FOLLOWED else 0
        self._put_in(player, added)
        self.level = max(self.level, self.bet[player])
        return added

    def _added(self, player: int, step: RecordedStep) -> int:
        if step.step == Step.ALL_IN:
            return self.stack[player]
        if step.step in (Step.CALL, Step.CHECK_OR_CALL):
            return step.amount if step.amount >= 0 else self.owed(player)
        return step.to - self.bet[player]

    def _put_in(self, player: int, amount: int) -> None:
        if amount > self.stack[player] or self.bet[player] + amount < 0:
            raise ValueError(f"seat {self.setup.seats[player]} cannot move {amount} of {self.stack[player]}")
        self.stack[player] -= amount
        self.bet[player] += amount
        self.total[player] += amount
