"""Tables of Kozel for tests: seated, and played by moves that the test draws."""

from referee.kozel.ruleset import find_rule_set
from referee.kozel.rulings import ActionKind, Proposal
from referee.table.clocks import ClockRules
from referee.table.happenings import content_bytes, happening_in, stored_event_bytes
from referee.table.kozel_config import KozelConfig
from referee.table.table import Table, opened_event


def config(players=3, rule_set="kozel/on-all@1", **options):
    """A configuration from few words."""
    values = {
        "seats": players,
        "hands": 0,
        "players_to_start": players,
        "clock": ClockRules(),
        "between_hands_ms": 0,
        "seed": bytes(range(32)),
    } | options
    return KozelConfig(find_rule_set(rule_set), **values)


class PlayedTable:
    """A table of Kozel with everything that has happened at it, each stored and read again."""

    def __init__(self, players=3, **options):
        self.config = config(players, **options)
        self.table = Table("t1", self.config)
        self.happened = [opened_event("t1", self.config)]
        self.now = 1_800_000_000_000
        self.requests = 0
        for seat in range(1, self.config.players_to_start + 1):
            self.take(seat)

    def take(self, seat, **options):
        """Takes a seat; with the last one the first round begins."""
        self.table.take_seat(seat, f"player {seat}", bytes([seat]) * 32, False, self.now, **options)
        self.keep()

    def keep(self):
        """Keeps what has happened as it is read again, and starts the clocks."""
        for one in self.table.take_fresh():
            written = stored_event_bytes(one, content_bytes(one))
            again = happening_in(written)
            assert stored_event_bytes(again, content_bytes(again)) == written
            self.happened.append(again)
        for seat, decision in self.table.decisions.items():
            self.table.start_clock(seat, decision.decision_id, self.now)

    @property
    def to_act(self):
        """The seat that has the decision."""
        (seat,) = self.table.decisions
        return seat

    def proposal(self, move, seat=0):
        """A move of the seat to act, or of another one, as a proposal."""
        seat = seat or self.to_act
        decision = self.table.game.open_decision(seat)
        return Proposal(seat, ActionKind.LAY, move.tile, move.end, self.table.game.hand_id, decision)

    def propose(self, proposal, after_ms=10):
        """Proposes, after some time."""
        self.now += after_ms
        self.requests += 1
        one = self.table.propose(proposal, f"r{self.requests}", self.now)
        self.keep()
        return one

    def lay(self, rng):
        """Lays a random tile that may be laid."""
        one = self.propose(self.proposal(rng.choice(self.table.options(self.to_act).moves)))
        assert one.accepted
        return one

    def pass_time(self, time_ms):
        """Lets time pass."""
        self.now += time_ms
        self.table.tick(self.now)
        self.keep()

    def play(self, rng, rounds=1 << 30):
        """Plays on until so many rounds are over, or the table has ended."""
        while not self.table.has_ended and (self.table.hand_number, not self.table.hand_is_on) < (rounds, True):
            self.lay(rng)

    def by_round(self):
        """What happened by the number of its round."""
        found, number = {0: []}, 0
        for one in self.happened:
            if not isinstance(one, tuple) and one.HasField("hand_began"):
                number = one.hand_began.hand
                found[number] = []
            found[number].append(one)
        return found
